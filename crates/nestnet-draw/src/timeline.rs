//! Who is busy when? A row for each host, a bar for each thing that it does, as SVG.

use super::Point;
use super::chart::{nice, place, short, write};
use super::font::{Anchor, FONTS, width};
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
const RIGHT: f64 = 20.0;
const TOP: f64 = 48.0;
const LETTERS: f64 = 9.0;

/// Colors of the kinds; they start again after the last.
const COLORS: [&str; 4] = ["#1f77d0", "#a8b3c2", "#e8590c", "#2b8a3e"];

/// The bars of `rows` hosts, and what each kind is called.
pub fn timeline(title: &str, rows: u64, kinds: &[&str], bars: &[Bar]) -> String {
    let shown = rows.min(MAX_ROWS);
    let tall = if shown > 40 { 6.0 } else { 14.0 };
    let height = TOP + tall * shown as f64 + 40.0;
    let end = nice(bars.iter().map(|bar| bar.span.1).max().unwrap_or(0) as f64);
    let x = |cycle: f64| LEFT + cycle / end * (WIDTH - LEFT - RIGHT);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" font-family=\"{FONTS}\">\n\
         <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#ffffff\"/>\n"
    );
    let left_out = match rows - shown {
        0 => String::new(),
        more => format!(", {more} more rows omitted"),
    };
    write(&mut out, &format!("{title}{left_out}"), Point::new(LEFT, 16.0), "#1a202c");
    let mut at = LEFT;
    for (kind, color) in kinds.iter().zip(COLORS.iter().cycle()) {
        write(&mut out, kind, Point::new(at, 34.0), color);
        at += width(kind, LETTERS) + 20.0;
    }
    let bottom = TOP + tall * shown as f64;
    for step in 0..=5 {
        let cycle = end * f64::from(step) / 5.0;
        let _ = writeln!(
            out,
            "<path d=\"M{:.1} {TOP}V{bottom}\" stroke=\"#d5dae1\" fill=\"none\"/>",
            x(cycle)
        );
        let label = short(cycle);
        place(&mut out, &label, Point::new(x(cycle), bottom + 18.0), Anchor::Middle, "#1a202c");
    }
    for bar in bars.iter().filter(|bar| bar.row < shown) {
        let (from, to) = (x(bar.span.0 as f64), x(bar.span.1 as f64));
        let _ = writeln!(
            out,
            "<rect x=\"{from:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{}\" fill-opacity=\".8\"/>",
            TOP + tall * bar.row as f64 + 1.0,
            (to - from).max(0.5),
            tall - 2.0,
            COLORS[bar.kind % COLORS.len()]
        );
    }
    if tall > 8.0 {
        for row in 0..shown {
            let at = Point::new(12.0, TOP + tall * (row as f64 + 1.0) - 3.0);
            write(&mut out, &row.to_string(), at, "#1a202c");
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
        let svg = timeline("t", 2, &["send", "wait"], &[bar(0), bar(1)]);
        assert_eq!(svg.matches("<rect").count(), 3);
        let svg = timeline("t", 1000, &["send"], &[bar(0), bar(999)]);
        assert_eq!(svg.matches("<rect").count(), 2);
    }
}
