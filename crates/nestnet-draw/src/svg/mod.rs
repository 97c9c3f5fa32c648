//! How is a scene written as SVG? By hand, with its own background, style classes and letters, the same everywhere.

mod around;
mod names;
mod style;

use super::font::{self, Anchor, FONTS, escaped};
use super::palette::{LEVELS, LOADS};
use super::scene::{Line, Mark, Scene};
use super::shape::{Point, bounds};
use around::{Around, MARGIN, n};
use names::{Names, Side};
use nestnet_graph::Network;
use num_traits::One as _;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use style::{Pen, Style, Styles, colors};

pub use around::{Caption, Frame, Labels};

/// Dark lines on a light page, or light ones on a dark page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// Light on paper, and as the reader's screen is set up.
    #[default]
    Automatic,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

/// The widest and the highest picture, its margins included, in pixels.
const PAGE: Point = Point::new(1400.0, 1250.0);
/// The most that two neighboring dots are apart, in pixels.
const MOST_APART: f64 = 88.0;

/// The picture as SVG text. Dots are named by the network where there is one and names fit.
pub fn write(
    scene: &Scene,
    network: Option<&dyn Network>,
    caption: &Caption,
    theme: Theme,
) -> String {
    let corners = scene.outlines.iter().flat_map(|outline| outline.hull.0.iter().copied());
    let bends = scene.lines.iter().filter(|line| line.bend != Point::default());
    // A bent line reaches three quarters of its bend beside its middle.
    let bends = bends.map(|line| (line.from + line.to) * 0.5 + line.bend * 0.75);
    let dots = scene.dots.iter().map(|dot| dot.at);
    let ends: Vec<Point> = dots.chain(corners).chain(bends).collect();
    let (low, high) = bounds(&ends);
    let room = Point::new(0.7, 0.7);
    let (low, high) = (low - room, high + room);
    let size = high - low;
    let scale = MOST_APART.min((PAGE.x - 2.0 * MARGIN) / size.x).min((PAGE.y - 150.0) / size.y);
    let inner = (size * scale).x;
    let width = inner.max(360.0) + 2.0 * MARGIN;
    let around = Around::new(scene, caption, width);
    let top = around.above();
    let bottom = top + size.y * scale;
    let height = bottom + around.below();
    let origin = Point::new((width - inner) / 2.0, top) - low * scale;
    let area = size.x * size.y * scale * scale;
    let labels = caption.frame.labels;
    let least = caption.frame.least_digits(width);
    let names = Names::choose(scene, network, labels, [scale, around.enlarged], least);
    let radius = names.radius;
    let mut page = Page { out: String::new(), scale, origin, area, radius };
    page.head(caption, width, height, theme);
    page.network(scene, caption);
    page.labels(&names);
    around.write(&mut page.out, bottom);
    page.out.push_str("</svg>\n");
    page.out
}

struct Page {
    out: String,
    /// Pixels in the unit of the scene.
    scale: f64,
    origin: Point,
    /// Of the whole picture, in square pixels.
    area: f64,
    /// Of a dot, in pixels.
    radius: f64,
}

impl Page {
    fn at(&self, point: Point) -> Point {
        point * self.scale + self.origin
    }

    fn head(&mut self, caption: &Caption, width: f64, height: f64, theme: Theme) {
        let (w, h) = (width.ceil(), height.ceil());
        let (wide, high) = match caption.frame.width {
            Some(millimeters) => {
                (format!("{}mm", n(millimeters)), format!("{}mm", n(millimeters * h / w)))
            }
            None => (w.to_string(), h.to_string()),
        };
        let title = escaped(&caption.title);
        let _ = write!(
            self.out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{wide}\" height=\"{high}\" \
             font-family=\"{FONTS}\" role=\"img\">\n<title>{title}</title>\n<style>\n"
        );
        self.out.push_str(
            "path,line{fill:none;stroke-linecap:round;stroke-linejoin:round}\n\
             .dot{stroke-width:1.2}\n\
             .beside{paint-order:stroke;stroke-width:3;stroke-linejoin:round}\n",
        );
        colors(&mut self.out, usize::from(theme == Theme::Dark));
        if theme == Theme::Automatic {
            self.out.push_str("@media screen and (prefers-color-scheme:dark){\n");
            colors(&mut self.out, 1);
            self.out.push_str("}\n");
        }
        let _ = writeln!(self.out, "</style>\n<rect class=\"page\" width=\"{w}\" height=\"{h}\"/>");
    }

    /// Lines and outlines from the outermost in, the ends of lines over the outlines, and dots on top.
    fn network(&mut self, scene: &Scene, caption: &Caption) {
        let deepest = scene.outlines.iter().map(|outline| outline.depth).max().unwrap_or(0);
        let styles = Styles::of(scene, self.scale, self.area);
        let mut lines = &scene.lines[..];
        for depth in 0..=deepest {
            let outlines = scene.outlines.iter().filter(|outline| outline.depth == depth);
            for outline in outlines {
                let corners: Vec<Point> = outline.hull.0.iter().map(|&p| self.at(p)).collect();
                let class = usize::from(outline.level) % LEVELS.len();
                let _ = write!(self.out, "<path class=\"cell c{class}\" d=\"");
                rounded(&mut self.out, &corners, 0.45 * self.scale);
                self.out.push_str("\"/>\n");
            }
            let here = lines.partition_point(|line| line.shared <= depth);
            let here = if depth == deepest { lines.len() } else { here };
            self.lines(&lines[..here], &styles, caption);
            lines = &lines[here..];
        }
        if !scene.outlines.is_empty() {
            self.stubs(&scene.lines, &styles, caption);
        }
        self.hops(&scene.hops);
        self.dots(scene);
    }

    /// The lines of each level, thinner the more there are.
    fn lines(&mut self, lines: &[Line], styles: &Styles, caption: &Caption) {
        let mut by_style = BTreeMap::new();
        for line in lines {
            self.add_half_lines(&mut by_style, styles.ends(line, caption.loads), line);
        }
        self.paths(by_style, styles);
    }

    fn paths(&mut self, by_style: BTreeMap<Style, String>, styles: &Styles) {
        for ((level, steps, load), path) in by_style {
            let Pen { width, opacity } = styles.pen(level, steps);
            let class = usize::from(level) % LEVELS.len();
            let _ = match load {
                None => writeln!(
                    self.out,
                    "<path class=\"l{class}\" stroke-width=\"{width:.2}\" stroke-opacity=\"{opacity:.2}\" d=\"{path}\"/>"
                ),
                Some(load) => {
                    let color = LOADS[load];
                    let width = width * (0.9 + 0.35 * load as f64);
                    writeln!(
                        self.out,
                        "<path stroke=\"{color}\" stroke-width=\"{width:.2}\" d=\"{path}\"/>"
                    )
                }
            };
        }
    }

    /// From its one end to the other: straight, or with two points beside which it bends.
    fn curve(&self, line: &Line) -> Vec<Point> {
        let (a, b) = (self.at(line.from), self.at(line.to));
        if line.bend == Point::default() {
            return vec![a, b];
        }
        let (out, along) = (line.bend * self.scale, (b - a) * 0.12);
        vec![a, a + along + out, b - along + out, b]
    }

    /// A line, or each half of it in its own style.
    fn add_half_lines(&self, paths: &mut BTreeMap<Style, String>, styles: [Style; 2], line: &Line) {
        let curve = self.curve(line);
        let [near, far] = styles;
        if near == far {
            return write_curve(paths.entry(near).or_default(), &curve);
        }
        for (style, half) in styles.into_iter().zip(split_curve(&curve)) {
            write_curve(paths.entry(style).or_default(), &half);
        }
    }

    /// The ends of outer lines inside their own clusters, whose outlines lie over the rest of them.
    fn stubs(&mut self, lines: &[Line], styles: &Styles, caption: &Caption) {
        let mut by_style = BTreeMap::new();
        for line in lines {
            let styles = styles.ends(line, caption.loads);
            if line.bend != Point::default() && line.inside != [0.0; 2] {
                // A bent line leaves its cluster anywhere.
                self.add_half_lines(&mut by_style, styles, line);
                continue;
            }
            let direction = line.to - line.from;
            let along = direction * (1.0 / direction.length());
            let ends =
                [(line.from, along, line.inside[0]), (line.to, along * -1.0, line.inside[1])];
            let ends = ends.into_iter().zip(styles).filter(|((_, _, length), _)| *length > 0.0);
            for ((from, along, length), style) in ends {
                let stub = [self.at(from), self.at(from + along * length)];
                write_curve(by_style.entry(style).or_default(), &stub);
            }
        }
        self.paths(by_style, styles);
    }

    /// Links that are used, with an arrow at their end.
    fn hops(&mut self, hops: &[Line]) {
        if hops.is_empty() {
            return;
        }
        let (mut path, mut heads) = (String::new(), String::new());
        let width = (0.09 * self.scale).clamp(2.0, 3.6);
        let (radius, head) = (self.radius, 2.6 * width);
        for hop in hops {
            write_curve(&mut path, &self.curve(hop));
            let (a, b) = (self.at(hop.from), self.at(hop.to));
            // A bent line arrives from beside.
            let direction = if hop.bend == Point::default() {
                b - a
            } else {
                (b - a) * 0.12 - hop.bend * self.scale
            };
            let along = direction * (1.0 / direction.length().max(1e-9));
            let tip = b - along * radius;
            let side = Point::new(-along.y, along.x) * (head * 0.5);
            let foot = tip - along * head;
            let (p, q) = (foot + side, foot - side);
            let _ = write!(
                heads,
                "M{} {}L{} {}L{} {}Z",
                n(tip.x),
                n(tip.y),
                n(p.x),
                n(p.y),
                n(q.x),
                n(q.y)
            );
        }
        let _ =
            writeln!(self.out, "<path class=\"hop\" stroke-width=\"{width:.2}\" d=\"{path}\"/>");
        let _ = writeln!(self.out, "<path class=\"head\" d=\"{heads}\"/>");
    }

    fn dots(&mut self, scene: &Scene) {
        let radius = self.radius;
        for dot in &scene.dots {
            let at = self.at(dot.at);
            let class = match dot.mark {
                None => "",
                Some(Mark::Start) => " start",
                Some(Mark::End) => " end",
                Some(Mark::Holder) => " holder",
                Some(Mark::New) => " new",
            };
            let fold = if scene.nodes_a_dot.is_one() { "" } else { " fold" };
            let _ = if dot.switch {
                let side = 1.8 * radius;
                let corner = Point::new(at.x - side / 2.0, at.y - side / 2.0);
                writeln!(
                    self.out,
                    "<rect class=\"dot switch{class}\" x=\"{}\" y=\"{}\" width=\"{side:.1}\" height=\"{side:.1}\" rx=\"{:.1}\"/>",
                    n(corner.x),
                    n(corner.y),
                    0.2 * radius
                )
            } else {
                writeln!(
                    self.out,
                    "<circle class=\"dot{fold}{class}\" cx=\"{}\" cy=\"{}\" r=\"{radius:.1}\"/>",
                    n(at.x),
                    n(at.y)
                )
            };
        }
    }

    fn labels(&mut self, names: &Names<'_>) {
        let height = names.height;
        let look = match names.side {
            Side::Inside => "class=\"label\"",
            Side::Beside => "class=\"label beside\"",
        };
        for (dot, name) in &names.names {
            let (at, width) = (self.at(dot.at), font::width(name, height));
            let middle = match names.side {
                Side::Inside => at,
                Side::Beside => {
                    let length = dot.outward.length();
                    let up = Point::new(0.0, -1.0);
                    let out = if length > 1e-9 { dot.outward * (1.0 / length) } else { up };
                    let apart = self.radius + 2.5 + height * 0.6;
                    at + out * apart + Point::new(out.x * width / 2.0, 0.0)
                }
            };
            let at = Point::new(middle.x, middle.y + height / 2.0);
            self.out.push_str(&font::element(name, at, height, Anchor::Middle, look));
        }
    }
}

/// The two parts of a curve, each from its end of it to the middle. (P. de Casteljau.)
fn split_curve(curve: &[Point]) -> [Vec<Point>; 2] {
    let mut row = curve.to_vec();
    let (mut near, mut far) = (Vec::new(), Vec::new());
    while let (Some(&first), Some(&last)) = (row.first(), row.last()) {
        near.push(first);
        far.push(last);
        row = row.windows(2).map(|pair| (pair[0] + pair[1]) * 0.5).collect();
    }
    [near, far]
}

/// Two points are a straight line, four a bent one.
fn write_curve(path: &mut String, curve: &[Point]) {
    for (i, point) in curve.iter().enumerate() {
        let pen = match i {
            0 => "M",
            1 if curve.len() > 2 => "C",
            1 => "L",
            _ => " ",
        };
        let _ = write!(path, "{pen}{} {}", n(point.x), n(point.y));
    }
}

/// A polygon whose corners are cut round.
fn rounded(path: &mut String, corners: &[Point], radius: f64) {
    let count = corners.len();
    for (i, &corner) in corners.iter().enumerate() {
        let toward = |other: Point| {
            let direction = other - corner;
            let length = direction.length().max(1e-9);
            corner + direction * (radius.min(length / 2.0) / length)
        };
        let (a, b) = (toward(corners[(i + count - 1) % count]), toward(corners[(i + 1) % count]));
        let command = if i == 0 { 'M' } else { 'L' };
        let _ = write!(
            path,
            "{command}{} {}Q{} {} {} {}",
            n(a.x),
            n(a.y),
            n(corner.x),
            n(corner.y),
            n(b.x),
            n(b.y)
        );
    }
    path.push('Z');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_parts_meet_in_the_middle() {
        let (a, b) = (Point::new(0.0, 0.0), Point::new(8.0, 0.0));
        let [near, far] = split_curve(&[a, b]);
        assert_eq!((near, far), (vec![a, Point::new(4.0, 0.0)], vec![b, Point::new(4.0, 0.0)]));
        let bent = [a, Point::new(0.0, 8.0), Point::new(8.0, 8.0), b];
        let [near, far] = split_curve(&bent);
        assert_eq!((near[3], far[3]), (Point::new(4.0, 6.0), Point::new(4.0, 6.0)));
        let mut path = String::new();
        write_curve(&mut path, &near);
        assert_eq!(path, "M0 0C0 4 2 6 4 6");
    }
}
