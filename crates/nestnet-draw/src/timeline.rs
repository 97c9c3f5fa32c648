//! Who is busy when? A row for each host, a bar for each thing that it does, as SVG.

use super::Point;
use super::chart::{Axis, LETTERS, Scale, head, short, text};
use super::font::{Anchor, width};
use super::svg::{Frame, Theme};
use std::fmt::Write as _;

/// One bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bar {
    /// The row.
    pub row: u64,
    /// Where it begins, and where it ends.
    pub span: (u64, u64),
    /// Which color.
    pub kind: usize,
}

/// More rows are omitted, and said to be.
const MAX_ROWS: u64 = 256;

const WIDTH: f64 = 560.0;
const LEFT: f64 = 60.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 48.0;

/// Numbers of the colors of the kinds; they start again after the last.
const COLORS: [usize; 4] = [0, 7, 1, 2];

/// The bars of `rows` hosts over cycles, and what each kind is called.
pub fn timeline(
    title: &str,
    rows: u64,
    kinds: &[&str],
    bars: &[Bar],
    theme: Theme,
    frame: Frame,
) -> String {
    let shown = rows.min(MAX_ROWS);
    let wide = frame.plot_width(WIDTH);
    let tall = if shown > 40 { 6.0 } else { 14.0 };
    let bottom = TOP + tall * shown as f64;
    let ends = bars.iter().map(|bar| bar.span.1 as f64);
    let axis = Axis::new(ends.chain([0.0]), Scale::Linear, 6.0);
    let x = |cycle: f64| LEFT + axis.part(cycle) * (wide - LEFT - RIGHT);
    let mut out = head(title, wide, bottom + 50.0, frame, theme);
    let more = rows - shown;
    let written = match (frame.no_title, more) {
        (true, 0) => String::new(),
        (true, _) => format!("{more} more rows omitted"),
        (false, 0) => title.to_owned(),
        (false, _) => format!("{title}, {more} more rows omitted"),
    };
    text(&mut out, &written, Point::new(LEFT, 16.0), Anchor::Start);
    let mut at = LEFT;
    for (kind, color) in kinds.iter().zip(COLORS.iter().cycle()) {
        let _ = writeln!(
            out,
            "<rect class=\"pf{color}\" x=\"{at:.1}\" y=\"25\" width=\"10\" height=\"10\" fill-opacity=\".8\"/>"
        );
        text(&mut out, kind, Point::new(at + 14.0, 34.0), Anchor::Start);
        at += width(kind, LETTERS) + 30.0;
    }
    for &cycle in &axis.ticks {
        let _ = writeln!(out, "<path class=\"pg\" d=\"M{:.1} {TOP}V{bottom}\"/>", x(cycle));
        text(&mut out, &short(cycle), Point::new(x(cycle), bottom + 18.0), Anchor::Middle);
    }
    let middle = (LEFT + wide - RIGHT) / 2.0;
    text(&mut out, "cycle", Point::new(middle, bottom + 38.0), Anchor::Middle);
    for bar in bars.iter().filter(|bar| bar.row < shown) {
        let (from, to) = (x(bar.span.0 as f64), x(bar.span.1 as f64));
        let _ = writeln!(
            out,
            "<rect class=\"pf{}\" x=\"{from:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill-opacity=\".8\"/>",
            COLORS[bar.kind % COLORS.len()],
            TOP + tall * bar.row as f64 + 1.0,
            (to - from).max(0.5),
            tall - 2.0,
        );
    }
    if tall > 8.0 {
        for row in 0..shown {
            let at = Point::new(LEFT - 8.0, TOP + tall * (row as f64 + 1.0) - 3.0);
            text(&mut out, &row.to_string(), at, Anchor::End);
        }
    }
    out.push_str("</svg>\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bar_of_a_shown_row_is_drawn() {
        let bar = |row| Bar { row, span: (3, 9), kind: 1 };
        let svg =
            timeline("t", 2, &["send", "wait"], &[bar(0), bar(1)], Theme::Light, Frame::default());
        assert_eq!(svg.matches("<rect").count(), 5);
        let svg =
            timeline("t", 1000, &["send"], &[bar(0), bar(999)], Theme::Light, Frame::default());
        assert_eq!(svg.matches("<rect").count(), 3);
    }

    #[test]
    fn a_column_of_a_paper_has_letters_as_large_as_those_of_charts() {
        let frame = Frame { width: Some(85.0), ..Frame::default() };
        let svg = timeline("t", 2, &["send"], &[], Theme::Light, frame);
        assert!(svg.contains("viewBox=\"0 0 392 ") && svg.contains("width=\"85mm\""), "{svg}");
    }
}
