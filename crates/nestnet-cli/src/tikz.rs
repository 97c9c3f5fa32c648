//! A picture as TikZ, for a paper in LaTeX: the lines, areas and texts of an SVG that was read.
//!
//! Texts stay texts, in the font of the paper. One pixel of the SVG is three quarters of a big point (bp).

use std::collections::BTreeMap;
use std::fmt::Write as _;
use svg2pdf::usvg::tiny_skia_path::{PathSegment, Point, Transform};
use svg2pdf::usvg::{Color, FillRule, Group, Node, Paint, Path, Text, TextAnchor, Tree};

/// Big points of a pixel.
const POINTS: f32 = 0.75;

/// The picture in an environment `tikzpicture`.
pub fn write(tree: &Tree) -> String {
    let mut picture = Picture::default();
    picture.group(tree.root(), 1.0);
    let mut out =
        "% needs \\usepackage{tikz}\n\\begin{tikzpicture}[x=0.75bp, y=-0.75bp]\n".to_owned();
    for ((red, green, blue), name) in &picture.colors {
        let _ = writeln!(out, "\\definecolor{{{name}}}{{RGB}}{{{red},{green},{blue}}}");
    }
    // The whole area, so that pictures of one size stay so.
    let size = tree.size();
    let _ = writeln!(
        out,
        "\\path[use as bounding box] (0,0) rectangle ({},{});",
        number(size.width()),
        number(size.height())
    );
    out + &picture.body + "\\end{tikzpicture}\n"
}

#[derive(Default)]
struct Picture {
    colors: BTreeMap<(u8, u8, u8), String>,
    body: String,
}

impl Picture {
    fn group(&mut self, group: &Group, opacity: f32) {
        let opacity = opacity * group.opacity().get();
        for node in group.children() {
            match node {
                Node::Group(inner) => self.group(inner, opacity),
                Node::Path(path) if path.is_visible() => self.path(path, opacity),
                Node::Text(text) => self.text(text, opacity),
                _ => (),
            }
        }
    }

    /// The name of a color; none of a gradient or a pattern, which our pictures do not have.
    fn color(&mut self, paint: &Paint) -> Option<String> {
        let Paint::Color(Color { red, green, blue }) = *paint else { return None };
        let next = format!("nn{}", letters(self.colors.len()));
        Some(self.colors.entry((red, green, blue)).or_insert(next).clone())
    }

    fn path(&mut self, path: &Path, opacity: f32) {
        let mut options = Vec::new();
        if let Some(fill) = path.fill()
            && let Some(color) = self.color(fill.paint())
        {
            options.push(format!("fill={color}"));
            if fill.rule() == FillRule::EvenOdd {
                options.push("even odd rule".to_owned());
            }
            push_opacity(&mut options, "fill opacity", fill.opacity().get() * opacity);
        }
        let scale = path.abs_transform().get_scale();
        if let Some(stroke) = path.stroke()
            && let Some(color) = self.color(stroke.paint())
        {
            let points = |pixels: f32| number(pixels * POINTS * scale.0);
            options.push(format!("draw={color}, line width={}bp", points(stroke.width().get())));
            push_opacity(&mut options, "draw opacity", stroke.opacity().get() * opacity);
            if let Some(dashes) = stroke.dasharray() {
                let dash = |(at, &length): (usize, &f32)| {
                    format!("{} {}bp", if at % 2 == 0 { "on" } else { "off" }, points(length))
                };
                let dashes: Vec<String> = dashes.iter().enumerate().map(dash).collect();
                options.push(format!("dash pattern={}", dashes.join(" ")));
            }
        }
        if options.is_empty() {
            return;
        }
        let place = |point: Point| place(path.abs_transform(), point);
        let _ = write!(self.body, "\\path[{}]", options.join(", "));
        let mut last = Point::zero();
        for segment in path.data().segments() {
            match segment {
                PathSegment::MoveTo(to) => {
                    let _ = write!(self.body, " {}", place(to));
                    last = to;
                }
                PathSegment::LineTo(to) => {
                    let _ = write!(self.body, " -- {}", place(to));
                    last = to;
                }
                PathSegment::QuadTo(by, to) => {
                    // The cubic curve that is the same.
                    let two_thirds = |from: Point| {
                        let part = |from: f32, by: f32| from + (by - from) * 2.0 / 3.0;
                        Point::from_xy(part(from.x, by.x), part(from.y, by.y))
                    };
                    let [one, two] = [last, to].map(|end| place(two_thirds(end)));
                    let _ = write!(self.body, " .. controls {one} and {two} .. {}", place(to));
                    last = to;
                }
                PathSegment::CubicTo(one, two, to) => {
                    let [one, two, end] = [one, two, to].map(place);
                    let _ = write!(self.body, " .. controls {one} and {two} .. {end}");
                    last = to;
                }
                PathSegment::Close => self.body.push_str(" -- cycle"),
            }
        }
        self.body.push_str(";\n");
    }

    fn text(&mut self, text: &Text, opacity: f32) {
        let transform = text.abs_transform();
        for chunk in text.chunks() {
            let Some(span) = chunk.spans().iter().find(|span| span.is_visible()) else { continue };
            let (Some(x), Some(y)) = (chunk.x(), chunk.y()) else { continue };
            let anchor = match chunk.anchor() {
                TextAnchor::Start => "base west",
                TextAnchor::Middle => "base",
                TextAnchor::End => "base east",
            };
            let size = number(span.font_size().get() * POINTS * transform.get_scale().0);
            let font = format!("font=\\fontsize{{{size}}}{{{size}}}\\selectfont");
            let mut options = vec![format!("anchor={anchor}, inner sep=0pt, {font}")];
            if let Some(fill) = span.fill()
                && let Some(color) = self.color(fill.paint())
            {
                options.push(format!("text={color}"));
                push_opacity(&mut options, "text opacity", fill.opacity().get() * opacity);
            }
            // The axis of TikZ points up, and so angles are those of the picture upside down.
            let angle = -transform.ky.atan2(transform.sx).to_degrees();
            if angle.abs() > 0.01 {
                options.push(format!("rotate={}", number(angle)));
            }
            let at = place(transform, Point::from_xy(x, y));
            let words = escaped(chunk.text());
            let _ = writeln!(self.body, "\\node[{}] at {at} {{{words}}};", options.join(", "));
        }
    }
}

fn push_opacity(options: &mut Vec<String>, what: &str, opacity: f32) {
    if opacity < 0.999 {
        options.push(format!("{what}={}", number(opacity)));
    }
}

fn place(transform: Transform, mut point: Point) -> String {
    transform.map_point(&mut point);
    format!("({},{})", number(point.x), number(point.y))
}

/// Two places behind the point at most.
fn number(value: f32) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// A number as letters: names of colors have no digits in some packages.
fn letters(mut number: usize) -> String {
    let mut out = String::new();
    loop {
        out.insert(0, char::from(b'a' + u8::try_from(number % 26).unwrap_or(0)));
        number /= 26;
        if number == 0 {
            return out;
        }
        number -= 1;
    }
}

/// What LaTeX prints as the text itself.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        match letter {
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '{' | '}' | '$' | '&' | '#' | '%' | '_' => {
                out.push('\\');
                out.push(letter);
            }
            '×' => out.push_str("$\\times$"),
            '±' => out.push_str("$\\pm$"),
            '≤' => out.push_str("$\\le$"),
            '≥' => out.push_str("$\\ge$"),
            'θ' => out.push_str("$\\theta$"),
            _ => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use svg2pdf::usvg::Options;

    fn tikz(inside: &str) -> String {
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"40\" height=\"30\">{inside}</svg>"
        );
        write(&Tree::from_str(&svg, &Options::default()).unwrap())
    }

    #[test]
    fn lines_and_areas_keep_their_places_and_colors() {
        let out = tikz(
            "<g transform=\"translate(1 2)\"><path d=\"M0 0L10 0Q10 6 4 6\" fill=\"none\" stroke=\"#ff0000\" \
             stroke-width=\"2\" stroke-dasharray=\"4 2\"/></g><rect width=\"4\" height=\"3\" fill=\"#00f\" \
             fill-opacity=\"0.5\"/>",
        );
        assert!(out.contains("\\definecolor{nna}{RGB}{255,0,0}"), "{out}");
        assert!(out.contains("rectangle (40,30);"), "{out}");
        let line = "\\path[draw=nna, line width=1.5bp, dash pattern=on 3bp off 1.5bp] (1,2) -- (11,2) .. controls \
                    (11,6) and (9,8) .. (5,8);";
        assert!(out.contains(line), "{out}");
        assert!(out.contains("fill=nnb, fill opacity=0.5] (0,0) -- (4,0)"), "{out}");
        assert_eq!(out.matches("\\path").count(), 3);
    }

    #[test]
    fn what_latex_reads_otherwise_is_escaped() {
        assert_eq!(escaped("50 % of a_b {x} ± 2"), "50 \\% of a\\_b \\{x\\} $\\pm$ 2");
        assert_eq!(escaped("\\^~"), "\\textbackslash{}\\textasciicircum{}\\textasciitilde{}");
        assert_eq!([0, 25, 26, 51, 52].map(letters), ["a", "z", "aa", "az", "ba"]);
        assert_eq!([1.0, -0.001, 2.504, 10.0].map(number), ["1", "0", "2.5", "10"]);
    }
}
