//! What does a curve look like? Lines or points over two axes, with what they are below, as SVG: a file of its own, or a
//! part of a page that has the [`chart_style_sheet`].
//!
//! Nothing is cut off in silence: what lies above an axis that ends before it is an arrow at its end, and the legend has
//! how far it reaches.

mod axis;
mod marker;

pub use axis::Scale;
pub use marker::PointLook;

pub(super) use axis::{Axis, short};

use super::Point;
use super::font::{Anchor, FONTS, element, escaped, width, wrapped};
use super::palette::{Color, INK, LINE, PAPER, SERIES};
use super::svg::{Frame, Theme};
use marker::Pen;
use std::fmt::Write as _;

/// A line of a chart, or its points.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Series {
    /// What it is.
    pub name: String,
    /// Where it goes, from left to right.
    pub points: Vec<(f64, f64)>,
    /// Whether the points are joined.
    pub joined: bool,
    /// What each point is, shown to whoever points at it; nothing where that is empty.
    pub labels: Vec<String>,
    /// What is written beside a point where there is room for it; nothing where that is empty.
    pub tags: Vec<String>,
    /// By what a page finds each point: its attribute `data-id`, where that is not empty.
    pub ids: Vec<String>,
    /// Between which values each point is likely to lie; empty where that is not known.
    pub bars: Vec<(f64, f64)>,
    /// How each point is drawn; filled where that is not given.
    pub looks: Vec<PointLook>,
    /// Where a vertical line stands that belongs to it, and what the legend says of that.
    pub vertical: Option<(f64, String)>,
}

impl Series {
    /// Points that are joined.
    pub fn line(name: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Series {
            name: name.into(),
            points,
            joined: true,
            labels: Vec::new(),
            tags: Vec::new(),
            ids: Vec::new(),
            bars: Vec::new(),
            looks: Vec::new(),
            vertical: None,
        }
    }

    /// Points that are not, each with what it is.
    pub fn dots(name: impl Into<String>, dots: Vec<((f64, f64), String)>) -> Self {
        let (points, labels) = dots.into_iter().unzip();
        Series { joined: false, labels, ..Series::line(name, points) }
    }

    /// The same, each point with the values between which it is likely to lie.
    pub fn between(self, bars: Vec<(f64, f64)>) -> Self {
        Series { bars, ..self }
    }

    /// The same, each point drawn in this way.
    pub fn looking(self, looks: Vec<PointLook>) -> Self {
        Series { looks, ..self }
    }

    /// The same, with what is shown of each point and by what a page finds it; nothing where these are empty.
    pub fn labeled(self, texts: impl Iterator<Item = (String, String)>) -> Self {
        let (labels, ids) = texts.unzip();
        Series { labels, ids, ..self }
    }

    /// Without its points behind the first ones.
    pub fn truncate(&mut self, points: usize) {
        self.points.truncate(points);
        self.bars.truncate(points);
        self.looks.truncate(points);
        for texts in [&mut self.labels, &mut self.tags, &mut self.ids] {
            texts.truncate(points);
        }
    }

    /// How a point is drawn.
    fn look(&self, at: usize) -> PointLook {
        self.looks.get(at).copied().unwrap_or_default()
    }
}

/// A chart with its axes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    /// Above it.
    pub title: String,
    /// Below it, with its unit.
    pub across: String,
    /// Above the axis that points up, with its unit.
    pub up: String,
    /// The lines.
    pub series: Vec<Series>,
    /// Where the axis that points up ends if something is higher; that is an arrow at its end.
    pub most: Option<f64>,
    /// What it means that points are drawn in some way; what no point has is not shown.
    pub key: Vec<(PointLook, String)>,
    /// What bars are.
    pub bars: String,
    /// What vertical lines are.
    pub verticals: String,
    /// How numbers lie across and up.
    pub scales: [Scale; 2],
    /// In which colors.
    pub theme: Theme,
    /// What of it is written, and how wide it is.
    pub frame: Frame,
}

/// How wide a chart is that is not asked to have a width, in pixels. Set in a column of 3.4 inches its letters are seven
/// points high.
const WIDTH: f64 = 440.0;
/// A chart that is less wide has fewer numbers below it.
const NARROW: f64 = 380.0;
const RIGHT: f64 = 22.0;
/// How a line is drawn that is not solid.
const DASHES: &str = " stroke-dasharray=\"5 4\"";
/// How high digits are.
pub(super) const LETTERS: f64 = 9.4;
const LEADING: f64 = 18.0;
const MARGIN: f64 = 10.0;

/// The chart as SVG, the same bytes for the same numbers.
pub fn chart(chart: &Chart) -> String {
    charts(std::slice::from_ref(chart))
}

/// Several charts of the same lines in one picture, two in a row, with the names of the lines once below them all. The
/// first says in which colors, and how wide they are together.
pub fn charts(all: &[Chart]) -> String {
    let columns = all.len().clamp(1, 2);
    let frame = all.first().map_or(Frame::default(), |chart| chart.frame);
    // What has a width is drawn so that its letters are eight points high, as far as there is room for them.
    let millimeters = |wide: f64| (wide / 25.4 * 96.0 * 1.22).clamp(300.0, 1000.0);
    let wide = frame.width.map_or(WIDTH * columns as f64, millimeters);
    let title = all.first().map_or("", |chart| chart.title.as_str());
    let theme = all.first().map_or(Theme::default(), |chart| chart.theme);
    compose(all, columns, wide, |high| head(title, wide, high, frame, theme))
}

/// The chart as a part of a page, so many pixels wide, in the colors of its [`chart_style_sheet`].
pub fn chart_of_page(chart: &Chart, wide: f64) -> String {
    compose(std::slice::from_ref(chart), 1, wide, |high| {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {wide} {high}\" font-family=\"{FONTS}\">\n\
             <rect class=\"pp\" width=\"{wide}\" height=\"{high}\"/>\n"
        )
    })
}

/// The charts in so many columns, behind the beginning of an SVG of that height.
fn compose(all: &[Chart], columns: usize, wide: f64, head: impl Fn(f64) -> String) -> String {
    let each = wide / columns as f64;
    let bodies: Vec<Body> = all.iter().map(|chart| Body::new(chart, each)).collect();
    let mut inside = String::new();
    let mut below = 0.0;
    for row in bodies.chunks(columns) {
        let high = row.iter().map(|body| body.height).fold(0.0, f64::max);
        for (column, body) in row.iter().enumerate() {
            let (x, y) = (each * column as f64, below + high - body.height);
            if (x, y) == (0.0, 0.0) {
                inside.push_str(&body.drawn);
            } else {
                let _ =
                    write!(inside, "<g transform=\"translate({x} {y})\">\n{}</g>\n", body.drawn);
            }
        }
        below += high;
    }
    let legend = Legend::of(all, &bodies);
    let high = (below + legend.write(&mut inside, below, wide) + MARGIN).ceil();
    let mut out = head(high);
    out.push_str(&inside);
    out.push_str("</svg>\n");
    out
}

/// From the upper to the lower end of the axis that points up.
fn height(wide: f64) -> f64 {
    (0.47 * wide).clamp(240.0, 340.0)
}

/// How classes of plots are drawn, but for their colors. They begin with `p`, apart from those of networks, which may be
/// on the same page.
const CLASSES: &str = "\
.pm{stroke-width:1.6;stroke-linejoin:round;stroke-linecap:round}
.pl{fill:none;stroke-width:1.8;stroke-linejoin:round}
.pb{fill:none;stroke-width:1.2}
.pg,.pa,.pn{fill:none}
";

/// The colors of these classes: `color` says how the page writes one, by its name and its values.
fn colors(color: impl Fn(&str, Color) -> String) -> String {
    let [page, ink, grid] =
        [("paper", PAPER), ("ink", INK), ("line", LINE)].map(|(name, of)| color(name, of));
    let mut out =
        format!(".pp{{fill:{page}}}.pt{{fill:{ink}}}.pa,.pe{{stroke:{ink}}}.pg{{stroke:{grid}}}\n");
    let lines =
        SERIES.iter().enumerate().map(|(number, &of)| color(&format!("series-{number}"), of));
    for (number, color) in lines.chain([ink]).enumerate() {
        let _ = writeln!(out, ".ps{number}{{stroke:{color}}}.pf{number}{{fill:{color}}}");
    }
    out
}

/// The style sheet of a page that has charts, whose colors are those of [`palette`](crate::palette::style_sheet).
pub fn chart_style_sheet() -> String {
    CLASSES.to_owned() + &colors(|name, _| format!("var(--{name})"))
}

/// The beginning of a plot, with its colors and its page.
pub(super) fn head(title: &str, wide: f64, high: f64, frame: Frame, theme: Theme) -> String {
    let (wide, high) = (wide.ceil(), high.ceil());
    let (width, height) = match frame.width {
        Some(width) => (format!("{width}mm"), format!("{:.1}mm", width * high / wide)),
        None => (wide.to_string(), high.to_string()),
    };
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {wide} {high}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"{FONTS}\" role=\"img\">\n<title>{}</title>\n<style>\n{CLASSES}",
        escaped(title)
    );
    out.push_str(&colors(|_, of| of[usize::from(theme == Theme::Dark)].to_owned()));
    if theme == Theme::Automatic {
        let dark = colors(|_, of| of[1].to_owned());
        let _ = writeln!(out, "@media screen and (prefers-color-scheme:dark){{\n{dark}}}");
    }
    let _ = writeln!(out, "</style>\n<rect class=\"pp\" width=\"{wide}\" height=\"{high}\"/>");
    out
}

/// A chart without its legend.
struct Body {
    drawn: String,
    height: f64,
    /// The highest value above the axis, where there is one; infinite where it has no limit.
    above: Option<f64>,
    /// Whether some bar is drawn, and whether one goes on above the axis.
    bars: [bool; 2],
}

/// Where values are, in pixels.
struct Area {
    across: Axis,
    up: Axis,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Area {
    fn at(&self, (x, y): (f64, f64)) -> Point {
        let x = self.left + self.across.part(x) * (self.right - self.left);
        Point::new(x, self.bottom - self.up.part(y) * (self.bottom - self.top))
    }
}

impl Body {
    fn new(chart: &Chart, wide: f64) -> Self {
        // What is no number has no place.
        let is_number = |point: &(f64, f64)| point.0.is_finite() && !point.1.is_nan();
        let points = || {
            chart.series.iter().flat_map(|series| series.points.iter().copied()).filter(is_number)
        };
        let is_shown = |value: f64| chart.most.is_none_or(|most| value <= most);
        let cut = points().any(|point| !is_shown(point.1));
        let negative = points().any(|point| point.1 < 0.0);
        let bars = chart.series.iter().flat_map(|series| series.points.iter().zip(&series.bars));
        let bars = bars
            .filter(|(point, _)| is_number(point) && is_shown(point.1))
            .flat_map(|(_, bar)| [bar.0, bar.1]);
        // Where nothing can be below zero, no bar goes there; and none makes an axis longer that was to end.
        let bars = bars.filter(|&end| (negative || end > 0.0) && is_shown(end));
        let ups = points().map(|point| point.1).filter(|&value| is_shown(value)).chain(bars);
        let ups = ups.chain(chart.most.filter(|_| cut));
        let verticals = chart.series.iter().filter_map(|series| series.vertical.as_ref());
        let acrosses = points().map(|point| point.0).chain(verticals.map(|(at, _)| *at));
        let across = Axis::new(acrosses, chart.scales[0], if wide < NARROW { 4.0 } else { 6.0 });
        let up = Axis::new(ups, chart.scales[1], 5.0);
        let widest = up.ticks.iter().map(|&tick| width(&short(tick), LETTERS)).fold(0.0, f64::max);
        let left = (widest + 14.0).max(44.0);
        let mut drawn = String::new();
        let mut top = MARGIN;
        if !chart.frame.no_title && !chart.title.is_empty() {
            for line in wrapped(&chart.title, LETTERS, wide - left - RIGHT) {
                top += LEADING;
                text(&mut drawn, &line, Point::new(left, top - 5.0), Anchor::Start);
            }
            top += 2.0;
        }
        if !chart.up.is_empty() {
            top += LEADING;
            text(&mut drawn, &chart.up, Point::new(MARGIN, top - 6.0), Anchor::Start);
        }
        // Arrows need some room.
        top += if cut { 16.0 } else { 8.0 };
        let area = Area { across, up, left, right: wide - RIGHT, top, bottom: top + height(wide) };
        let mut body = Body { drawn, height: 0.0, above: None, bars: [false; 2] };
        body.axes(chart, &area);
        for (number, series) in chart.series.iter().enumerate() {
            if series.joined {
                body.line(series, number, &area);
            }
            if let Some((at, _)) = series.vertical {
                let (x, color) = (area.at((at, area.up.low)).x, Pen::of(number).color);
                let Area { top, bottom, .. } = area;
                let path = format!("M{x:.1} {top:.1}V{bottom:.1}");
                let _ = writeln!(body.drawn, "<path class=\"pb ps{color}\"{DASHES} d=\"{path}\"/>");
            }
            body.error_bars(series, number, &area, !negative);
        }
        for (number, series) in chart.series.iter().enumerate() {
            body.points(series, number, &area);
        }
        body.tags(chart, &area);
        let lines = if chart.across.is_empty() { 1.0 } else { 2.0 };
        body.height = area.bottom + LEADING * lines + 8.0;
        body
    }

    fn axes(&mut self, chart: &Chart, area: &Area) {
        let Area { left, right, top, bottom, .. } = *area;
        let mut grid = String::new();
        let mut last = f64::NEG_INFINITY;
        for &tick in &area.across.ticks {
            let x = area.at((tick, area.up.low)).x;
            let _ = write!(grid, "M{x:.1} {top:.1}V{bottom:.1}");
            let (label, room) = (short(tick), width(&short(tick), LETTERS) / 2.0);
            // On a log axis ticks may be too close for all their numbers.
            if x - room > last + 3.0 {
                text(&mut self.drawn, &label, Point::new(x, bottom + 16.0), Anchor::Middle);
                last = x + room;
            }
        }
        for &tick in &area.up.ticks {
            let y = area.at((area.across.low, tick)).y;
            let _ = write!(grid, "M{left:.1} {y:.1}H{right:.1}");
            let at = Point::new(left - 7.0, y + LETTERS / 2.0);
            text(&mut self.drawn, &short(tick), at, Anchor::End);
        }
        let axes = format!("M{left:.1} {top:.1}V{bottom:.1}H{right:.1}");
        let _ = writeln!(self.drawn, "<path class=\"pg\" d=\"{grid}\"/>");
        let _ = writeln!(self.drawn, "<path class=\"pa\" d=\"{axes}\"/>");
        let middle = Point::new((left + right) / 2.0, bottom + LEADING + 18.0);
        text(&mut self.drawn, &chart.across, middle, Anchor::Middle);
    }

    /// Solid between points that are accepted, else dashed; up to the end of the axis where it goes on above.
    fn line(&mut self, series: &Series, number: usize, area: &Area) {
        let mut paths = [String::new(), String::new()];
        for at in 1..series.points.len() {
            let [a, b] = [at - 1, at].map(|at| area.at(series.points[at]));
            let Some((a, b)) = below(a, b, area.top) else { continue };
            let dashed = ![at - 1, at].into_iter().all(|at| series.look(at).is_accepted());
            let _ =
                write!(paths[usize::from(dashed)], "M{:.1} {:.1}L{:.1} {:.1}", a.x, a.y, b.x, b.y);
        }
        for (path, dashes) in paths.iter().zip(["", DASHES]) {
            if !path.is_empty() {
                let color = Pen::of(number).color;
                let _ = writeln!(self.drawn, "<path class=\"pl ps{color}\"{dashes} d=\"{path}\"/>");
            }
        }
    }

    fn error_bars(&mut self, series: &Series, number: usize, area: &Area, from_zero: bool) {
        for (&(x, y), &(low, high)) in series.points.iter().zip(&series.bars) {
            let low = if from_zero { low.max(0.0) } else { low }.max(area.up.low);
            let (low, high) = (area.at((x, low)), area.at((x, high)));
            // A bar that is shorter than its point would not be seen.
            let is_seen = low.y - high.y > 2.0 * marker::RADIUS && x.is_finite();
            if y > area.up.high || !is_seen {
                continue;
            }
            let color = Pen::of(number).color;
            let _ = write!(
                self.drawn,
                "<path class=\"pb ps{color}\" d=\"M{:.1} {:.1}h6",
                low.x - 3.0,
                low.y
            );
            let _ = match high.y < area.top {
                true => writeln!(self.drawn, "m-3 0V{:.1}\"/>", area.top),
                false => writeln!(self.drawn, "m-3 0V{:.1}m-3 0h6\"/>", high.y),
            };
            self.bars = [true, self.bars[1] || high.y < area.top];
        }
    }

    fn points(&mut self, series: &Series, number: usize, area: &Area) {
        for (at, &(x, y)) in series.points.iter().enumerate() {
            let (title, id) = (text_of(&series.labels, at), text_of(&series.ids, at));
            let (look, pen) = (series.look(at), Pen::of(number));
            if y > area.up.high {
                self.above = Some(self.above.map_or(y, |above| above.max(y)));
                let end = area.at((x, area.up.high));
                let value = match y.is_finite() {
                    true => format!("{}: {}", series.name, short(y)),
                    false => format!("{}: no end", series.name),
                };
                marker::arrow(&mut self.drawn, pen, end, title.or(Some(&value)));
                marker::marker(&mut self.drawn, look, pen, end, title, id);
            } else if x.is_finite() && y.is_finite() {
                marker::marker(&mut self.drawn, look, pen, area.at((x, y)), title, id);
            }
        }
    }

    /// Writes beside points, where that hides no point and no other text.
    fn tags(&mut self, chart: &Chart, area: &Area) {
        let place = |&(x, y): &(f64, f64)| area.at((x, y.min(area.up.high)));
        let points = chart.series.iter().flat_map(|series| &series.points);
        let around = |Point { x, y }: Point| [x - 6.0, y - 6.0, x + 6.0, y + 6.0];
        // The upper row of tags is as high as the name of the axis.
        let row = area.top - 7.0 - LETTERS;
        let name = [0.0, 0.0, MARGIN + width(&chart.up, LETTERS) + 6.0, area.top];
        let points = points.map(|point| around(place(point)));
        let mut taken: Vec<[f64; 4]> = points.chain([name]).collect();
        for series in &chart.series {
            for (at, point) in series.points.iter().enumerate() {
                let Some(tag) = text_of(&series.tags, at) else { continue };
                let (above, below) = (-6.0, 6.0 + LETTERS);
                let places = [
                    (10.0, above, Anchor::Start),
                    (-10.0, above, Anchor::End),
                    (10.0, below, Anchor::Start),
                    (-10.0, below, Anchor::End),
                    (0.0, above - 6.0, Anchor::Middle),
                    (0.0, below + 8.0, Anchor::Middle),
                ];
                let wide = width(tag, LETTERS);
                let free = places.into_iter().find_map(|(right, down, anchor)| {
                    let at = place(point) + Point::new(right, down);
                    let left = match anchor {
                        Anchor::Start => at.x,
                        Anchor::Middle => at.x - wide / 2.0,
                        Anchor::End => at.x - wide,
                    };
                    let here = [left, at.y - LETTERS, left + wide, at.y + 2.0];
                    let is_inside = area.left < here[0]
                        && here[2] < area.right + RIGHT
                        && row <= here[1]
                        && here[3] < area.bottom;
                    let is_free = !taken.iter().any(|other| meet(&here, other));
                    (is_inside && is_free).then_some((here, at, anchor))
                });
                if let Some((here, at, anchor)) = free {
                    taken.push(here);
                    text(&mut self.drawn, tag, at, anchor);
                }
            }
        }
    }
}

/// Whether two boxes have a place in common; of each left, top, right and bottom.
fn meet(a: &[f64; 4], b: &[f64; 4]) -> bool {
    a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
}

fn text_of(texts: &[String], at: usize) -> Option<&str> {
    texts.get(at).map(String::as_str).filter(|text| !text.is_empty())
}

/// The part of a line from one point to another that is not above `top`.
fn below(a: Point, b: Point, top: f64) -> Option<(Point, Point)> {
    let leaves = |inside: Point, outside: Point| {
        let part =
            if outside.y.is_finite() { (inside.y - top) / (inside.y - outside.y) } else { 1.0 };
        Point::new(inside.x + part * (outside.x - inside.x), top)
    };
    match (a.y < top, b.y < top) {
        (true, true) => None,
        (false, true) => Some((a, leaves(a, b))),
        (true, false) => Some((leaves(b, a), b)),
        (false, false) => Some((a, b)),
    }
}

/// A text in the color of the theme.
pub(super) fn text(out: &mut String, text: &str, at: Point, anchor: Anchor) {
    if !text.is_empty() {
        out.push_str(&element(text, at, LETTERS, anchor, "class=\"pt\""));
    }
}

/// All that is explained.
struct Legend(Vec<Entry>);

struct Entry {
    sign: Sign,
    said: String,
}

enum Sign {
    /// A line of that number, or its points alone.
    Series {
        number: usize,
        joined: bool,
        look: PointLook,
    },
    /// Points of any line.
    Look(PointLook),
    /// What lies above the axis.
    Arrow,
    Bar,
    /// A vertical line.
    Vertical,
}

/// From the beginning of a sign to that of its text.
const SIGN: f64 = 32.0;
const APART: f64 = 16.0;

impl Legend {
    fn of(charts: &[Chart], bodies: &[Body]) -> Self {
        let mut entries = Vec::new();
        let series = || charts.iter().flat_map(|chart| &chart.series);
        let all = if charts.len() == 1 { charts[0].series.len() } else { 0 };
        for (number, one) in charts.iter().take(1).flat_map(|chart| &chart.series).enumerate() {
            let look = one.look(0);
            // A line is known by its shape; points that are all drawn in one way by that.
            let same = (0..one.points.len()).all(|at| one.look(at) == look);
            let joined = one.joined;
            let look = if same && !joined { look } else { PointLook::Filled };
            let sign = Sign::Series { number, joined, look };
            // A line lies over those before it.
            let above =
                series().take(all).skip(number + 1).find(|other| other.points == one.points);
            let said = match above {
                Some(above) if joined && !one.points.is_empty() => {
                    format!("{}: as {}", one.name, above.name)
                }
                _ => one.name.clone(),
            };
            let said = match &one.vertical {
                Some((_, at)) => format!("{said}, {at}"),
                None => said,
            };
            if !one.name.is_empty() {
                entries.push(Entry { sign, said });
            }
        }
        let has = |look| series().any(|one| one.looks.contains(&look));
        for (look, said) in charts.iter().take(1).flat_map(|chart| &chart.key) {
            if has(*look) {
                entries.push(Entry { sign: Sign::Look(*look), said: said.clone() });
            }
        }
        if let Some(chart) =
            charts.iter().find(|chart| chart.series.iter().any(|one| one.vertical.is_some()))
        {
            entries.push(Entry { sign: Sign::Vertical, said: chart.verticals.clone() });
        }
        let above = bodies.iter().filter_map(|body| body.above).reduce(f64::max);
        if let Some(above) = above {
            let said = match above.is_finite() {
                true => format!("above the axis, up to {}", short((above * 10.0).round() / 10.0)),
                false => "above the axis".to_owned(),
            };
            entries.push(Entry { sign: Sign::Arrow, said });
        }
        if bodies.iter().any(|body| body.bars[0]) {
            let said = charts.first().map_or("", |chart| &chart.bars);
            let said = if said.is_empty() { "95 % interval" } else { said };
            let more = bodies.iter().any(|body| body.bars[1]);
            let more = if more { "; open ones are longer" } else { "" };
            entries.push(Entry { sign: Sign::Bar, said: format!("{said}{more}") });
        }
        Legend(entries)
    }

    /// Writes it below `top`; how high it is.
    fn write(&self, out: &mut String, top: f64, wide: f64) -> f64 {
        let left = MARGIN + 4.0;
        let room = wide - left - MARGIN;
        let mut at = Point::new(left, top);
        for Entry { sign, said } in &self.0 {
            let lines = wrapped(said, LETTERS, room - SIGN);
            let widest = lines.iter().map(|line| width(line, LETTERS)).fold(0.0, f64::max);
            let used = SIGN + widest;
            if at.x > left && at.x + used > left + room {
                at = Point::new(left, at.y + LEADING);
            }
            if at.y == top {
                at.y += LEADING;
            }
            sign.write(out, Point::new(at.x, at.y - LETTERS / 2.0));
            for (number, line) in lines.iter().enumerate() {
                if number > 0 {
                    at.y += LEADING;
                }
                text(out, line, Point::new(at.x + SIGN, at.y), Anchor::Start);
            }
            at.x += used + APART;
            if lines.len() > 1 {
                at.x = left + room;
            }
        }
        at.y - top
    }
}

impl Sign {
    fn write(&self, out: &mut String, at: Point) {
        let middle = at + Point::new(12.0, 0.0);
        match *self {
            Sign::Series { number, joined, look } => {
                let pen = Pen::of(number);
                if joined {
                    let color = pen.color;
                    let _ = writeln!(
                        out,
                        "<path class=\"pl ps{color}\" d=\"M{:.1} {:.1}h24\"/>",
                        at.x, at.y
                    );
                }
                marker::marker(out, look, pen, middle, None, None);
            }
            Sign::Look(look) => marker::marker(out, look, Pen::INK, middle, None, None),
            Sign::Arrow => marker::arrow(out, Pen::INK, middle + Point::new(0.0, 10.0), None),
            Sign::Bar => {
                let path =
                    format!("M{:.1} {:.1}h6m-3 0v-12m-3 0h6", middle.x - 3.0, middle.y + 6.0);
                let ink = Pen::INK.color;
                let _ = writeln!(out, "<path class=\"pb ps{ink}\" d=\"{path}\"/>");
            }
            Sign::Vertical => {
                let path = format!("M{:.1} {:.1}v16", middle.x, middle.y - 8.0);
                let ink = Pen::INK.color;
                let _ = writeln!(out, "<path class=\"pb ps{ink}\"{DASHES} d=\"{path}\"/>");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(svg: &str, what: &str) -> usize {
        svg.matches(what).count()
    }

    /// How many points are drawn, those of the legend included.
    fn points(svg: &str) -> usize {
        count(svg, "class=\"pm ")
    }

    #[test]
    fn charts_are_in_rows_of_two_with_one_legend() {
        let one = |title: &str| {
            let series = vec![Series::line("the line", vec![(1.0, 2.0)])];
            Chart { title: title.to_owned(), series, ..Chart::default() }
        };
        let svg = charts(&["a", "b", "c"].map(one));
        assert!(svg.contains("viewBox=\"0 0 880 "), "{svg}");
        assert!(svg.contains("translate(440 0)") && svg.contains("translate(0 "), "{svg}");
        assert_eq!((count(&svg, "<svg "), points(&svg), count(&svg, "the line")), (1, 4, 1));
        assert!(charts(&[one("a")]).contains("viewBox=\"0 0 440 "));
        assert!(charts(&[]).ends_with("</svg>\n"));
    }

    #[test]
    fn what_is_too_high_is_an_arrow_and_said() {
        let points = vec![(0.1, 10.0), (0.2, 12.0), (0.3, 500.0), (0.4, 11.0)];
        let chart_of = |most| {
            chart(&Chart {
                series: vec![Series::line("a", points.clone())],
                most,
                ..Chart::default()
            })
        };
        let cut = chart_of(Some(40.0));
        assert!(cut.contains("above the axis, up to 500"), "{cut}");
        assert!(cut.contains("<title>a: 500</title>"), "{cut}");
        let whole = chart_of(None);
        assert!(!whole.contains("above the axis") && whole.contains(">500<"), "{whole}");
        // Nothing to cut: the axis is no longer than the data.
        assert_eq!(chart_of(Some(1e4)), whole);
        let (inside, outside) = (Point::new(0.0, 30.0), Point::new(8.0, -10.0));
        assert_eq!(below(inside, outside, 10.0), Some((inside, Point::new(4.0, 10.0))));
        assert_eq!(below(outside, inside, 10.0), Some((Point::new(4.0, 10.0), inside)));
        assert_eq!(below(outside, outside, 10.0), None);
        let endless = Point::new(8.0, f64::NEG_INFINITY);
        assert_eq!(below(inside, endless, 10.0), Some((inside, Point::new(8.0, 10.0))));
    }

    #[test]
    fn a_line_below_another_is_said() {
        let line = |name: &str, up| Series::line(name, vec![(0.1, 1.0), (0.2, up)]);
        let series = vec![line("paper", 2.0), line("shortest", 2.0), line("valiant", 3.0)];
        let svg = chart(&Chart { series, ..Chart::default() });
        for (name, times) in [(">paper: as shortest<", 1), (">shortest<", 1), (">valiant<", 1)] {
            assert_eq!(count(&svg, name), times, "{name}");
        }
    }

    #[test]
    fn points_without_a_line_have_names() {
        let dots = Series::dots("b", vec![((1.0, 2.0), "a < b".to_owned())]);
        let svg = chart(&Chart { series: vec![dots], ..Chart::default() });
        assert!(svg.contains("<title>a &lt; b</title>") && !svg.contains("class=\"pl "));
    }

    #[test]
    fn bars_are_drawn_where_they_are_seen_and_said() {
        let line = Series::line("c", vec![(1.0, 2.0), (2.0, 3.0)]);
        let bars = line.clone().between(vec![(1.0, 3.0), (3.0, 3.0)]);
        let drawn = |series, most| chart(&Chart { series: vec![series], most, ..Chart::default() });
        assert_eq!(count(&drawn(line.clone(), None), "class=\"pb"), 0);
        // One of them has no length; the other is in the legend too.
        let svg = drawn(bars, None);
        assert_eq!((count(&svg, "class=\"pb"), count(&svg, "95 % interval<")), (2, 1));
        let long = drawn(line.between(vec![(1.0, 90.0), (3.0, 3.0)]), Some(4.0));
        assert!(long.contains("open ones are longer"), "{long}");
    }

    #[test]
    fn looks_are_explained_where_a_point_has_them() {
        let key =
            vec![(PointLook::Hollow, "moving".to_owned()), (PointLook::Cross, "full".to_owned())];
        let line = Series::line("c", vec![(1.0, 2.0), (2.0, 3.0), (3.0, 9.0)]);
        let looks = [PointLook::Filled, PointLook::Filled, PointLook::Cross].to_vec();
        let svg = chart(&Chart { series: vec![line.looking(looks)], key, ..Chart::default() });
        assert!(svg.contains(">full<") && !svg.contains("moving"), "{svg}");
        assert_eq!(count(&svg, "stroke-dasharray"), 1);
    }

    #[test]
    fn tags_hide_no_point_and_no_other_tag() {
        let at = [(1.0, 1.0), (1.0, 1.0), (1.0, 1.0), (2.0, 5.0)];
        let mut dots = Series::dots("d", at.map(|at| (at, String::new())).to_vec());
        dots.tags = ["here", "there", "", "a name that is too long for the room beside its point"]
            .map(str::to_owned)
            .to_vec();
        let svg = chart(&Chart { series: vec![dots], ..Chart::default() });
        assert_eq!((count(&svg, ">here<"), count(&svg, ">there<")), (1, 1), "{svg}");
        let place = |tag: &str| {
            let line = svg.lines().find(|line| line.contains(tag)).unwrap();
            line.split(" font-size").next().unwrap().to_owned()
        };
        assert_ne!(place(">here<"), place(">there<"));
        assert!(!svg.contains("a name that"), "{svg}");
    }

    #[test]
    fn a_vertical_line_is_explained_and_within_the_axis() {
        let mut line = Series::line("c", vec![(0.1, 2.0), (0.2, 3.0)]);
        line.vertical = Some((0.9, "ends at 0.9".to_owned()));
        let of = |series| {
            let verticals = "where it ends".to_owned();
            chart(&Chart { series: vec![series], verticals, ..Chart::default() })
        };
        let svg = of(line.clone());
        assert!(svg.contains(">c, ends at 0.9<") && svg.contains(">where it ends<"), "{svg}");
        assert_eq!(count(&svg, "class=\"pb ps0\" stroke-dasharray"), 1);
        assert!(svg.contains(">1<"), "the axis goes up to the line: {svg}");
        line.vertical = None;
        assert!(!of(line).contains("where it ends"));
    }

    #[test]
    fn a_part_of_a_page_is_drawn_alike_in_colors_of_its_style_sheet() {
        let mut line = Series::line("c", vec![(1.0, 2.0), (2.0, 3.0)]);
        line.ids = vec!["a \"b\"".to_owned(), String::new()];
        let one = Chart { series: vec![line], ..Chart::default() };
        let (part, file) = (chart_of_page(&one, WIDTH), chart(&one));
        let body = |svg: &str| svg[svg.find("<rect").unwrap()..].to_owned();
        assert_eq!(body(&part), body(&file));
        assert!(!part.contains("<style") && count(&part, "data-id") == 1, "{part}");
        assert!(part.contains("data-id=\"a &quot;b&quot;\""), "{part}");
        let sheet = chart_style_sheet();
        for class in part.split("class=\"").skip(1).flat_map(|rest| {
            rest.split('"').next().unwrap_or_default().split(' ').collect::<Vec<_>>()
        }) {
            let has = |end| sheet.contains(&format!(".{class}{end}"));
            assert!(has("{") || has(","), "{class}");
        }
        assert!(!sheet.contains('#'), "{sheet}");
    }

    #[test]
    fn every_line_has_its_shape_and_colors_follow_the_theme() {
        let line = |n: u32| Series::line(n.to_string(), vec![(f64::from(n), 1.0)]);
        let svg =
            |theme| chart(&Chart { series: (0..7).map(line).collect(), theme, ..Chart::default() });
        let light = svg(Theme::Light);
        let paths = light.lines().filter(|line| line.contains("class=\"pm"));
        let commands = |path: &str| {
            let path = path.split(" d=\"").nth(1).unwrap_or_default();
            path.chars().filter(|letter| letter.is_alphabetic()).collect::<String>()
        };
        let shapes: Vec<String> = paths.map(commands).collect();
        // Two of them are triangles, one of which points down.
        let distinct: std::collections::BTreeSet<&String> = shapes.iter().collect();
        assert_eq!((shapes.len(), distinct.len()), (14, 6), "{shapes:?}");
        assert!(!light.contains("prefers-color-scheme") && light.contains(".pp{fill:#ffffff}"));
        assert!(svg(Theme::Dark).contains(".pp{fill:#14181f}"));
        assert!(svg(Theme::Automatic).contains("prefers-color-scheme"));
    }

    #[test]
    fn a_width_is_in_millimeters_and_titles_can_be_left_out() {
        let of = |frame| {
            chart(&Chart {
                title: "the title".to_owned(),
                series: vec![Series::line("a", vec![(1.0, 1.0)])],
                frame,
                ..Chart::default()
            })
        };
        let narrow = of(Frame { width: Some(85.0), no_title: true, ..Frame::default() });
        assert!(
            narrow.contains("width=\"85mm\"") && narrow.contains("viewBox=\"0 0 392 "),
            "{narrow}"
        );
        assert_eq!(
            (count(&narrow, "the title"), count(&of(Frame::default()), "the title")),
            (1, 2)
        );
    }
}
