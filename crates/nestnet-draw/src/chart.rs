//! What does a curve look like? Lines or dots over two axes, with marks, as SVG.

use super::Point;
use super::font::{Anchor, FONTS, element};
use std::fmt::Write as _;

/// A line of a chart, or its dots.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Series {
    /// What it is.
    pub name: String,
    /// Where it goes, from left to right.
    pub points: Vec<(f64, f64)>,
    /// What each point is, shown to whoever points at it; none on a line.
    pub labels: Option<Vec<String>>,
    /// Between which values each point is likely to lie; empty where that is not said.
    pub bars: Vec<(f64, f64)>,
}

impl Series {
    /// Points that are joined.
    pub fn line(name: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        Series { name: name.into(), points, labels: None, bars: Vec::new() }
    }

    /// Points that are not, each with what it is.
    pub fn dots(name: impl Into<String>, dots: Vec<((f64, f64), String)>) -> Self {
        let (points, labels) = dots.into_iter().unzip();
        Series { name: name.into(), points, labels: Some(labels), bars: Vec::new() }
    }

    /// The same, each point with the values between which it is likely to lie.
    pub fn between(self, bars: Vec<(f64, f64)>) -> Self {
        Series { bars, ..self }
    }
}

/// A chart with its axes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    /// Above it.
    pub title: String,
    /// Below it.
    pub across: String,
    /// At its side.
    pub up: String,
    /// The lines.
    pub series: Vec<Series>,
    /// Where the upper axis ends; what is higher leaves the picture.
    pub most: Option<f64>,
}

const WIDTH: f64 = 520.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 60.0;
const LETTERS: f64 = 9.0;

/// Colors of the lines; they start again after the last.
const COLORS: [&str; 10] = [
    "#1f77d0", "#e8590c", "#2b8a3e", "#9c36b5", "#c92a5b", "#0b7285", "#4a5568", "#b08900",
    "#12b886", "#5f3dc4",
];

/// The chart as SVG, the same bytes for the same numbers.
pub fn chart(chart: &Chart) -> String {
    let all = || chart.series.iter().flat_map(|series| &series.points);
    let right = nice(all().map(|point| point.0).fold(0.0, f64::max));
    let top = nice(chart.most.unwrap_or_else(|| all().map(|point| point.1).fold(0.0, f64::max)));
    let x = |value: f64| LEFT + value / right * (WIDTH - LEFT - RIGHT);
    let y = |value: f64| HEIGHT - BOTTOM - value / top * (HEIGHT - TOP - BOTTOM);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" font-family=\"{FONTS}\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#ffffff\"/>\n"
    );
    for step in 0..=5 {
        let (across, up) = (right * f64::from(step) / 5.0, top * f64::from(step) / 5.0);
        let _ = writeln!(
            out,
            "<path d=\"M{:.1} {TOP}V{}M{LEFT} {:.1}H{}\" stroke=\"#d5dae1\" fill=\"none\"/>",
            x(across),
            HEIGHT - BOTTOM,
            y(up),
            WIDTH - RIGHT
        );
        let label = short(across);
        let at = Point::new(x(across), HEIGHT - BOTTOM + 18.0);
        place(&mut out, &label, at, Anchor::Middle, "#1a202c");
        let at = Point::new(LEFT - 8.0, y(up) + LETTERS / 2.0);
        place(&mut out, &short(up), at, Anchor::End, "#1a202c");
    }
    write(&mut out, &chart.title, Point::new(LEFT, 16.0), "#1a202c");
    write(&mut out, &chart.up, Point::new(8.0, 32.0), "#1a202c");
    let end = Point::new(WIDTH - RIGHT, HEIGHT - 14.0);
    place(&mut out, &chart.across, end, Anchor::End, "#1a202c");
    for (number, (series, color)) in chart.series.iter().zip(COLORS.iter().cycle()).enumerate() {
        let shown: Vec<_> = series.points.iter().take_while(|point| point.1 <= top).collect();
        if series.labels.is_none() {
            let leaves = shown.last().zip(series.points.get(shown.len()));
            let leaves = leaves.map(|(last, next)| leaving(**last, *next, top));
            let line = shown.iter().copied().copied().chain(leaves);
            let line = line.map(|(across, up)| format!("{:.1},{:.1}", x(across), y(up)));
            let line = line.collect::<Vec<_>>().join(" ");
            let _ = writeln!(
                out,
                "<polyline points=\"{line}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>"
            );
        }
        // A bar that is shorter than a dot would not be seen.
        let bars = shown.iter().zip(&series.bars).filter(|(_, bar)| bar.1 - bar.0 > top / 100.0);
        for ((across, _), (low, high)) in bars {
            let (low, high) = (low.clamp(0.0, top), high.clamp(0.0, top));
            let x = x(*across);
            let _ = writeln!(
                out,
                "<path d=\"M{:.1} {:.1}h6m-3 0V{:.1}m-3 0h6\" stroke=\"{color}\" fill=\"none\" opacity=\"0.6\"/>",
                x - 3.0,
                y(low),
                y(high)
            );
        }
        for (place, (across, up)) in shown.into_iter().enumerate() {
            let label = series.labels.as_ref().and_then(|labels| labels.get(place));
            let radius = if label.is_some() { 4 } else { 3 };
            let _ = write!(
                out,
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"{radius}\" fill=\"{color}\"",
                x(*across),
                y(*up)
            );
            let _ = match label {
                Some(label) => {
                    writeln!(out, "><title>{}</title></circle>", super::font::escaped(label))
                }
                None => writeln!(out, "/>"),
            };
        }
        if !series.name.is_empty() {
            let at = Point::new(LEFT + 12.0, TOP + 16.0 + 16.0 * number as f64);
            write(&mut out, &series.name, at, color);
        }
    }
    out.push_str("</svg>\n");
    out
}

/// Several charts of the same lines in one picture, two in a row, with the names of the lines once below them all.
pub fn charts(all: &[Chart]) -> String {
    const LINE: f64 = 18.0;
    let columns = all.len().clamp(1, 2);
    let names = || all.iter().take(1).flat_map(|chart| &chart.series).map(|series| &series.name);
    let below = HEIGHT * all.len().div_ceil(columns) as f64;
    let (width, height) = (WIDTH * columns as f64, below + LINE * (names().count() + 1) as f64);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" font-family=\"{FONTS}\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n"
    );
    for (number, one) in all.iter().enumerate() {
        let (x, y) = ((number % columns) as f64 * WIDTH, (number / columns) as f64 * HEIGHT);
        let mut one = one.clone();
        one.series.iter_mut().for_each(|series| series.name.clear());
        let _ = write!(out, "<g transform=\"translate({x} {y})\">\n{}</g>\n", chart(&one));
    }
    for ((number, name), color) in names().enumerate().zip(COLORS.iter().cycle()) {
        write(&mut out, name, Point::new(LEFT, below + LINE * (number as f64 + 0.5)), color);
    }
    out.push_str("</svg>\n");
    out
}

/// Where a line leaves the picture at its top, on the way to a point above it.
fn leaving(last: (f64, f64), next: (f64, f64), top: f64) -> (f64, f64) {
    let part = if next.1.is_finite() { (top - last.1) / (next.1 - last.1) } else { 1.0 };
    (last.0 + part * (next.0 - last.0), top)
}

/// The next number above that reads well.
pub(super) fn nice(value: f64) -> f64 {
    if !(value.is_finite() && value > 0.0) {
        return 1.0;
    }
    let mut unit = 1.0;
    while unit > value {
        unit /= 10.0;
    }
    while unit * 10.0 <= value {
        unit *= 10.0;
    }
    let steps = [1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0];
    steps.into_iter().map(|step| step * unit).find(|&end| end >= value * 0.999_999).unwrap_or(value)
}

/// A number without zeros behind it: three decimals, or three digits where it is smaller.
pub(super) fn short(value: f64) -> String {
    let mut decimals = 3;
    let mut size = value.abs();
    while size > 0.0 && size < 0.1 && decimals < 12 {
        size *= 10.0;
        decimals += 1;
    }
    let text = format!("{value:.decimals$}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A text at a place.
pub(super) fn write(out: &mut String, text: &str, at: Point, color: &str) {
    place(out, text, at, Anchor::Start, color);
}

/// A text that stands so to a place.
pub(super) fn place(out: &mut String, text: &str, at: Point, anchor: Anchor, color: &str) {
    out.push_str(&element(text, at, LETTERS, anchor, &format!("fill=\"{color}\"")));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_end_at_numbers_that_read_well() {
        for (value, end) in [(0.0, 1.0), (0.73, 0.8), (1.0, 1.0), (17.2, 20.0), (130.0, 150.0)] {
            assert!((nice(value) - end).abs() < 1e-9, "{value}: {}", nice(value));
        }
        assert_eq!(
            (short(0.25), short(100.0), short(0.0)),
            ("0.25".into(), "100".into(), "0".into())
        );
        // Ticks that are not far apart are still distinct.
        assert_eq!([0.0008, 0.0016, 0.0024].map(short), ["0.0008", "0.0016", "0.0024"]);
    }

    #[test]
    fn charts_are_in_rows_of_two() {
        let one = |title: &str| {
            let series = vec![Series::line("the line", vec![(1.0, 2.0)])];
            Chart { title: title.to_owned(), series, ..Chart::default() }
        };
        let svg = charts(&["a", "b", "c"].map(one));
        assert!(svg.contains("viewBox=\"0 0 1040 756\""), "{svg}");
        assert!(svg.contains("translate(520 0)") && svg.contains("translate(0 360)"));
        let count = |text: &str| svg.matches(text).count();
        assert_eq!((count("<svg "), count("<circle"), count("the line")), (4, 3, 1));
        assert!(charts(&[one("a")]).contains("viewBox=\"0 0 520 396\""));
    }

    #[test]
    fn what_is_too_high_leaves_the_picture() {
        let points = vec![(0.1, 10.0), (0.2, 12.0), (0.3, 500.0)];
        let series = vec![Series::line("a", points)];
        let (title, across, up) = ("t".to_owned(), "load".to_owned(), "cycles".to_owned());
        let svg = chart(&Chart { title, across, up, series, most: Some(40.0) });
        assert_eq!(svg.matches("<circle").count(), 2);
        assert_eq!(leaving((0.2, 10.0), (0.4, 30.0), 15.0), (0.25, 15.0));
        assert_eq!(leaving((0.2, 10.0), (0.4, f64::INFINITY), 15.0), (0.4, 15.0));
        assert!(svg.ends_with("</svg>\n") && svg.contains("<polyline"));
        let dots = Series::dots("b", vec![((1.0, 2.0), "a < b".to_owned())]);
        let svg = chart(&Chart { series: vec![dots], ..Chart::default() });
        assert!(svg.contains("<title>a &lt; b</title>") && !svg.contains("<polyline"));
        let line = Series::line("c", vec![(1.0, 2.0), (2.0, 3.0)]);
        let bars = line.clone().between(vec![(1.0, 3.0), (3.0, 3.0)]);
        let drawn = |series| chart(&Chart { series: vec![series], ..Chart::default() });
        // One of them has no length.
        assert_eq!(drawn(bars).matches("<path").count(), drawn(line).matches("<path").count() + 1);
    }
}
