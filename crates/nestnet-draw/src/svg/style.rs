//! In which colors, how thick and how strong is everything drawn?

use crate::palette::{HOP, INK, LEVELS, LOADS, MARKS, PAPER, mixed};
use crate::scene::{Line, Scene};
use num_bigint::BigUint;
use num_traits::{One as _, ToPrimitive as _};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// How opaque clusters are: links that pass through one, and have no end in it, lie below it and can still be followed.
const COVER: &str = ".5";

/// Writes the colors of a theme, light or dark.
pub(super) fn colors(out: &mut String, theme: usize) {
    let [page, ink, hop] = [PAPER, INK, HOP].map(|color| color[theme]);
    let fold = mixed(page, ink, 0.25);
    let _ = writeln!(
        out,
        ".page{{fill:{page}}}\n.label,.text{{fill:{ink}}}\n.beside{{stroke:{page}}}\n\
         .cell{{fill-opacity:{COVER};stroke-opacity:.55}}\n\
         .dot{{fill:{page};stroke:{ink}}}\n.fold,.switch{{fill:{fold}}}\n\
         .hop{{stroke:{hop}}}\n.head{{fill:{hop}}}"
    );
    for (mark, color) in MARKS {
        let _ = writeln!(out, ".{mark}{{fill:{}}}", color[theme]);
    }
    for (level, color) in LEVELS.iter().map(|color| color[theme]).enumerate() {
        let tint = mixed(page, color, 0.07);
        let _ = writeln!(out, ".l{level},.c{level}{{stroke:{color}}}\n.c{level}{{fill:{tint}}}");
    }
}

/// What lines have in common that look alike: their level, steps of width, and steps of load.
pub(super) type Style = (u16, u64, Option<usize>);

/// How the lines of each level are drawn.
pub(super) struct Styles {
    levels: BTreeMap<u16, Pen>,
    /// The fewest links of any line.
    least: BigUint,
}

/// How thick and how strong.
#[derive(Clone, Copy)]
pub(super) struct Pen {
    pub(super) width: f64,
    pub(super) opacity: f64,
}

impl Styles {
    /// Long lines may be thicker than short ones. Where the lines of a level would cover the page they are thinner, and
    /// fainter where that is not enough.
    pub(super) fn of(scene: &Scene, scale: f64, area: f64) -> Self {
        let lines = &scene.lines;
        // What is shown on top stands out.
        let strong = if scene.hops.is_empty() { 1.0 } else { 0.45 };
        let mut lengths: BTreeMap<u16, (f64, f64)> = BTreeMap::new();
        for line in lines {
            let (count, sum) = lengths.entry(line.level).or_default();
            *count += 1.0;
            *sum += (line.to - line.from).length() * scale;
        }
        let pen = |(count, length): (f64, f64)| {
            let wanted = (0.035 * length / count).clamp(0.25, 1.7);
            let affordable = 0.10 * area / length.max(1.0);
            let width = wanted.min(affordable).max(0.25);
            Pen { width, opacity: strong * (affordable / width).sqrt().clamp(0.2, 1.0) }
        };
        let levels = lengths.into_iter().map(|(level, sums)| (level, pen(sums))).collect();
        let least = lines.iter().map(|line| &line.links).min().cloned().unwrap_or_default();
        let least = least.max(BigUint::one());
        Styles { levels, least }
    }

    /// How a line looks at either end, where it shows what leaves that end.
    pub(super) fn ends(&self, line: &Line, loads: Option<(f64, f64)>) -> [Style; 2] {
        let steps = self.steps(line);
        [0, 1].map(|end| {
            let load = loads.and_then(|range| Some(busy(line.loads?[end], range)));
            (line.level, steps, load)
        })
    }

    /// How many steps wider than the thinnest line: one for each factor of three.
    fn steps(&self, line: &Line) -> u64 {
        let times = (&line.links / &self.least).to_u64().unwrap_or(u64::MAX);
        u64::from(times.max(1).ilog(3)).min(9)
    }

    pub(super) fn pen(&self, level: u16, steps: u64) -> Pen {
        let pen = self.levels.get(&level).copied().unwrap_or(Pen { width: 1.0, opacity: 1.0 });
        Pen { width: pen.width * (1.0 + 0.5 * steps as f64), ..pen }
    }
}

/// Whether all loads are the same.
pub(super) fn is_even((low, high): (f64, f64)) -> bool {
    high - low <= 1e-9 * high.abs()
}

/// Which color of the ramp a load has, from none to the largest; a calm one where all are the same.
pub(super) fn busy(load: f64, (low, high): (f64, f64)) -> usize {
    if is_even((low, high)) {
        return 0;
    }
    let part = load / high;
    (0..LOADS.len() - 1).filter(|&i| part >= (i as f64 + 1.0) / LOADS.len() as f64).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loads_are_shown_from_zero_and_alike_where_they_are() {
        assert_eq!(busy(5.0, (5.0, 5.0)), 0);
        assert_eq!((busy(0.1, (0.1, 9.0)), busy(9.0, (0.1, 9.0))), (0, LOADS.len() - 1));
        // Half of the largest is in the middle, however small the range.
        assert_eq!(busy(4.5, (4.4, 9.0)), 3);
    }
}
