//! What does a table of numbers look like at a glance? Cells that are darker where the number is larger, as SVG.

use super::Point;
use super::chart::{LETTERS, head, short, text};
use super::font::{Anchor, element, width};
use super::palette::{HEAT, INK, PAPER, mixed};
use super::svg::{Frame, Theme};
use std::fmt::Write as _;

/// Numbers by two names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Heat {
    /// Above it.
    pub title: String,
    /// The names of the columns.
    pub columns: Vec<String>,
    /// Each row with its name and a number for every column, where there is one.
    pub rows: Vec<(String, Vec<Option<f64>>)>,
}

const ROW: f64 = 26.0;
const TOP: f64 = 52.0;

/// The heat map as SVG, the same bytes for the same numbers.
pub fn heat(heat: &Heat) -> String {
    let widest = |names: &mut dyn Iterator<Item = &String>| {
        names.map(|name| width(name, LETTERS)).fold(0.0, f64::max)
    };
    let left = widest(&mut heat.rows.iter().map(|(name, _)| name)) + 24.0;
    let column = (widest(&mut heat.columns.iter()) + 16.0).max(64.0);
    let across =
        (left + column * heat.columns.len() as f64 + 12.0).max(width(&heat.title, LETTERS) + 24.0);
    let down = TOP + ROW * heat.rows.len() as f64 + 12.0;
    let numbers = || heat.rows.iter().flat_map(|(_, cells)| cells.iter().flatten().copied());
    let least = numbers().fold(f64::INFINITY, f64::min);
    let most = numbers().fold(f64::NEG_INFINITY, f64::max);
    let mut out = head(&heat.title, across, down, Frame::default(), Theme::Automatic);
    text(&mut out, &heat.title, Point::new(12.0, 18.0), Anchor::Start);
    let x = |at: usize| left + column * at as f64;
    for (at, name) in heat.columns.iter().enumerate() {
        text(&mut out, name, Point::new(x(at) + column / 2.0, TOP - 10.0), Anchor::Middle);
    }
    for (row, (name, cells)) in heat.rows.iter().enumerate() {
        let y = TOP + ROW * row as f64;
        let base = y + ROW / 2.0 + LETTERS / 2.0 - 1.0;
        text(&mut out, name, Point::new(12.0, base), Anchor::Start);
        for (at, value) in cells.iter().enumerate() {
            let Some(value) = value else { continue };
            // All alike are neither dark nor light.
            let part = if most > least { (value - least) / (most - least) } else { 0.5 };
            let _ = writeln!(
                out,
                "<rect x=\"{:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{}\"/>",
                x(at),
                column - 2.0,
                ROW - 2.0,
                mixed(HEAT[0], HEAT[1], part)
            );
            let ink = if part > 0.55 { PAPER[0] } else { INK[0] };
            let at = Point::new(x(at) + column / 2.0 - 1.0, base);
            let look = format!("fill=\"{ink}\"");
            out.push_str(&element(&short(*value), at, LETTERS, Anchor::Middle, &look));
        }
    }
    out.push_str("</svg>\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn larger_numbers_are_darker_and_gaps_stay_empty() {
        let rows = vec![
            ("a".to_owned(), vec![Some(0.0), Some(1.0)]),
            ("b".to_owned(), vec![None, Some(0.5)]),
        ];
        let columns = vec!["x".to_owned(), "y".to_owned()];
        let svg = heat(&Heat { title: "t".to_owned(), columns, rows });
        assert_eq!(svg.matches("<rect x=").count(), 3);
        assert!(svg.contains("#eef4fb") && svg.contains("#104a8c"));
        assert!(svg.contains("#7f9fc4"));
        let even = heat(&Heat { rows: vec![("a".to_owned(), vec![Some(2.0)])], ..Heat::default() });
        assert!(even.contains("#7f9fc4"));
        assert!(heat(&Heat::default()).ends_with("</svg>\n"));
    }
}
