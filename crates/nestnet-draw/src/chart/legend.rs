//! What is what? Lines with their shapes, and what it means that a point is drawn otherwise, below the chart.

use super::marker::{Pen, arrow, marker};
use super::{Body, Chart, LEADING, LETTERS, MARGIN, PointLook, short, text};
use crate::Point;
use crate::font::{Anchor, width, wrapped};
use std::fmt::Write as _;

/// All that is explained.
pub(super) struct Legend(Vec<Entry>);

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
}

/// From the beginning of a sign to that of its text.
const SIGN: f64 = 32.0;
const APART: f64 = 16.0;

impl Legend {
    pub(super) fn of(charts: &[Chart], bodies: &[Body]) -> Self {
        let mut entries = Vec::new();
        let series = || charts.iter().flat_map(|chart| &chart.series);
        for (number, one) in charts.iter().take(1).flat_map(|chart| &chart.series).enumerate() {
            let look = one.look(0);
            // A line is known by its shape; points that are all drawn in one way by that.
            let same = (0..one.points.len()).all(|at| one.look(at) == look);
            let joined = one.labels.is_none();
            let look = if same && !joined { look } else { PointLook::Filled };
            let sign = Sign::Series { number, joined, look };
            if !one.name.is_empty() {
                entries.push(Entry { sign, said: one.name.clone() });
            }
        }
        let has = |look| series().any(|one| one.looks.contains(&look));
        for (look, said) in charts.iter().take(1).flat_map(|chart| &chart.key) {
            if has(*look) {
                entries.push(Entry { sign: Sign::Look(*look), said: said.clone() });
            }
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
    pub(super) fn write(&self, out: &mut String, top: f64, wide: f64) -> f64 {
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
                marker(out, look, pen, middle, None);
            }
            Sign::Look(look) => marker(out, look, Pen::INK, middle, None),
            Sign::Arrow => arrow(out, Pen::INK, middle + Point::new(0.0, 10.0), None),
            Sign::Bar => {
                let path =
                    format!("M{:.1} {:.1}h6m-3 0v-12m-3 0h6", middle.x - 3.0, middle.y + 6.0);
                let ink = Pen::INK.color;
                let _ = writeln!(out, "<path class=\"pb ps{ink}\" d=\"{path}\"/>");
            }
        }
    }
}
