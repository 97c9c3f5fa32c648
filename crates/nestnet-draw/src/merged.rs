//! Which cells become one dot where not even the outermost ones are few enough, or their lines cannot be distinguished?
//!
//! Cells that follow each other, in about a dozen equal parts; where nodes lie in rows, as hosts and switches of a fabric do,
//! those beside each other in a row, so that the rows remain.

use super::layer::{Cord, Held, Joints, Layer, Tally, size};
use super::plan::{Inside, MAX_CELL, Plan};
use super::shape::{Point, Shape, bounds};
use nestnet_graph::index;
use num_bigint::BigUint;
use num_traits::ToPrimitive as _;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// So many parts, rather equal ones. Of more than these every two are joined by too many lines to follow.
pub(super) const PARTS: RangeInclusive<u64> = 8..=16;

/// Fewer cells are not merged.
pub(super) const FEW_CELLS: u64 = 64;

/// The outermost cells of a plan in parts.
#[derive(Clone, Debug)]
pub(super) struct Merging {
    /// How the parts lie.
    pub shape: Shape,
    /// How many nodes each has, where that is known.
    pub counts: Option<Vec<u64>>,
    parts: Parts,
    /// How many cells a part has at most.
    most: u64,
    /// How many nodes a cell has at most.
    inside: u64,
}

#[derive(Clone, Debug)]
enum Parts {
    /// So many cells each, in their order, after so many that are parts of their own.
    Even { alone: u64, each: u64 },
    /// The part of every cell, and its rank there.
    Listed(Arc<[(u64, u64)]>),
}

impl Merging {
    /// The cells of the first layer; nothing where they are few, or too many for numbers.
    pub fn of(plan: &Plan) -> Option<Self> {
        let (cells, inside) = (plan.cells(1), plan.nodes_a_cell(1));
        if cells < FEW_CELLS {
            return None;
        }
        if let [Layer { shape: Shape::Given(points), .. }] = plan.layers() {
            return Merging::of_rows(points);
        }
        // The middle of a hub has another part than what is around it.
        let alone = u64::from(matches!(plan.layers()[0].shape, Shape::Hub(_)));
        let each = each(cells - alone);
        let parts = alone + (cells - alone).div_ceil(each);
        each.checked_mul(inside)?.checked_mul(parts)?;
        let shape = if alone > 0 { Shape::Hub(parts) } else { Shape::Ring(parts) };
        let parts = Parts::Even { alone, each };
        let merging = Merging { shape, counts: None, parts, most: each, inside };
        let counts = merging.counted(plan, cells);
        Some(Merging { counts, ..merging })
    }

    /// How many nodes each part has, unless too many cells would have to be asked.
    fn counted(&self, plan: &Plan, cells: u64) -> Option<Vec<u64>> {
        /// Cells that are asked in a moment.
        const MOST_ASKED: u64 = 1 << 20;
        let mut counts = vec![0u64; index(self.shape.places())];
        if cells > MOST_ASKED {
            return None;
        }
        for cell in 0..cells {
            let nodes =
                if plan.has_gaps() { plan.nodes_in(&[cell]).to_u64()? } else { self.inside };
            let count = &mut counts[index(self.part_of(cell).0)];
            *count = count.checked_add(nodes)?;
        }
        Some(counts)
    }

    /// Nodes in rows; nothing where they lie otherwise.
    fn of_rows(points: &[Point]) -> Option<Self> {
        let rows = rows(points)?;
        let bands = Bands::of(&rows, points);
        let wide = bands.count as f64;
        let (mut places, mut counts) = (Vec::new(), Vec::new());
        let mut listed = vec![(0, 0); points.len()];
        for (row, nodes) in rows.iter().enumerate() {
            let mut last = None;
            for &node in nodes {
                let band = bands.of_point(points[node]);
                if last != Some(band) {
                    let height = (0.2 * wide).max(1.6) * row as f64;
                    places.push(Point::new(bands.across(band), height));
                    counts.push(0u64);
                    last = Some(band);
                }
                let part = places.len() - 1;
                listed[node] = (part as u64, counts[part]);
                counts[part] += 1;
            }
        }
        let most = counts.iter().copied().max().unwrap_or(1);
        let shape = Shape::Given(places.into());
        let parts = Parts::Listed(listed.into());
        Some(Merging { shape, counts: Some(counts), parts, most, inside: 1 })
    }

    /// In which part a cell is, and which of its cells it is.
    pub fn part_of(&self, cell: u64) -> (u64, u64) {
        match &self.parts {
            Parts::Even { alone, .. } if cell < *alone => (cell, 0),
            Parts::Even { alone, each } => (alone + (cell - alone) / each, (cell - alone) % each),
            Parts::Listed(parts) => parts.get(index(cell)).copied().unwrap_or_default(),
        }
    }

    /// How many of so many cells are in a part.
    pub fn cells_in(&self, part: u64, cells: u64) -> u64 {
        match &self.parts {
            Parts::Even { alone, .. } if part < *alone => 1,
            Parts::Even { alone, each } => {
                let before = alone.saturating_add((part - alone).saturating_mul(*each));
                cells.saturating_sub(before).min(*each)
            }
            Parts::Listed(_) => {
                let counts = self.counts.as_ref();
                counts.and_then(|counts| counts.get(index(part)).copied()).unwrap_or(0)
            }
        }
    }

    /// The parts as cells that hold their nodes in no order.
    pub fn plan(&self, plan: &Plan) -> Plan {
        let nodes = Shape::Ring(self.most * self.inside);
        let layers = [self.shape.clone(), nodes].map(|shape| Layer {
            shape,
            level: plan.layers()[0].level,
            held: Held::Part,
        });
        let (of, merging) = (plan.clone(), self.clone());
        Plan::layered(layers.to_vec()).seated(move |at| {
            let place = of.place_of(at);
            let (part, rank) = merging.part_of(place / merging.inside);
            (part * merging.most + rank) * merging.inside + place % merging.inside
        })
    }
}

/// How many of these cells are a part, all alike where they have a divisor for that.
pub(super) fn each(cells: u64) -> u64 {
    let even = PARTS.rev().find(|&parts| cells.is_multiple_of(parts));
    even.map_or_else(|| cells.div_ceil(12), |parts| cells / parts)
}

/// The nodes of every row, from left to right, where there are a few long rows.
fn rows(points: &[Point]) -> Option<Vec<Vec<usize>>> {
    /// Of more rows none is long: they are a grid.
    const MOST_ROWS: usize = 8;
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by(|&a, &b| {
        let [a, b] = [a, b].map(|at| points[at]);
        a.y.total_cmp(&b.y).then(a.x.total_cmp(&b.x))
    });
    let rows: Vec<Vec<usize>> =
        order.chunk_by(|&a, &b| points[b].y - points[a].y < 1e-6).map(<[usize]>::to_vec).collect();
    (rows.len() <= MOST_ROWS && rows.len() > 1).then_some(rows)
}

/// What lies above each other in all rows.
struct Bands {
    /// Where each begins, but the first.
    starts: Vec<f64>,
    /// Into how many equal parts each is divided, and where all of them begin and end.
    parts: usize,
    ends: [f64; 2],
    count: usize,
}

impl Bands {
    /// By the gaps of the longest row, such as those between pods; a few of these together where they are many, and parts
    /// of each where they are few.
    fn of(rows: &[Vec<usize>], points: &[Point]) -> Self {
        const MOST: usize = 24;
        let longest = rows.iter().max_by_key(|row| row.len()).map_or(&[][..], |row| row);
        let steps = longest.windows(2).map(|pair| {
            let [a, b] = [pair[0], pair[1]].map(|at| points[at].x);
            (b - a, (a + b) / 2.0)
        });
        let least = steps.clone().map(|(step, _)| step).fold(f64::INFINITY, f64::min);
        let mut starts: Vec<f64> =
            steps.filter(|(step, _)| *step > 1.4 * least).map(|(_, middle)| middle).collect();
        let runs = starts.len() + 1;
        if runs > MOST {
            let together = index(each(runs as u64));
            starts = starts.into_iter().skip(together - 1).step_by(together).collect();
        }
        let bands = starts.len() + 1;
        // As many of each row in every part, where that is possible.
        let all_alike = |parts: &usize| rows.iter().all(|row| row.len() % (bands * parts) == 0);
        let parts = match bands {
            0..=5 => (2..=16 / bands).rev().find(all_alike).unwrap_or(12 / bands),
            _ => 1,
        };
        let (low, high) = bounds(points);
        let count = (starts.len() + 1) * parts;
        Bands { starts, parts, ends: [low.x - 0.5, high.x + 0.5], count }
    }

    fn of_point(&self, point: Point) -> usize {
        let band = self.starts.partition_point(|&start| start <= point.x);
        let [first, last] = self.ends;
        let low = band.checked_sub(1).map_or(first, |before| self.starts[before]);
        let high = self.starts.get(band).copied().unwrap_or(last);
        let part = (point.x - low) / (high - low).max(1e-9) * self.parts as f64;
        let part = (1..self.parts).filter(|&start| start as f64 <= part + 1e-9).count();
        band * self.parts + part
    }

    /// Where it lies: what a gap separates lies a little further apart.
    fn across(&self, band: usize) -> f64 {
        let gap = if self.parts > 1 { 0.5 } else { 0.0 };
        band as f64 + gap * (band / self.parts) as f64
    }
}

/// The parts of outermost cells whose last part may have fewer.
#[derive(Debug)]
struct Uneven {
    cells: u64,
    each: u64,
    /// How many nodes a cell and each of its own cells have, from the outermost on.
    sizes: Vec<BigUint>,
}

impl Tally for Uneven {
    fn nodes(&self, path: &[u64]) -> Option<BigUint> {
        let of_cell = |layers: usize| self.sizes.get(layers).cloned();
        match *path {
            [] => Some(of_cell(0)? * self.cells),
            [part] => {
                let left = self.cells.saturating_sub(part.saturating_mul(self.each));
                Some(of_cell(0)? * left.min(self.each))
            }
            [part, cell, ..] => {
                let is_there = part.saturating_mul(self.each).saturating_add(cell) < self.cells;
                if is_there { of_cell(path.len() - 2) } else { Some(BigUint::ZERO) }
            }
        }
    }

    fn count(&self, _: &[u64], _: usize) -> Option<u128> {
        None
    }

    fn cords(&self, _: &[u64], _: usize) -> Vec<Cord> {
        Vec::new()
    }
}

impl Plan {
    /// The same with one layer more outside, of parts of about a dozen: cells that follow each other on a circle. Nothing
    /// where the cells are few, do not lie on a circle, or leave places empty themselves.
    #[must_use]
    pub fn in_parts(&self) -> Option<Plan> {
        let first = self.layers().first()?;
        let Shape::Ring(cells) = first.shape else { return None };
        if cells < FEW_CELLS || self.has_gaps() {
            return None;
        }
        let each = each(cells);
        let (parts, rest) = (cells.div_ceil(each), self.layers()[1..].iter().cloned());
        let outer = Layer { shape: Shape::Ring(parts), held: Held::Part, ..first.clone() };
        let inner = Layer { shape: Shape::Ring(each), ..first.clone() };
        let layers: Vec<Layer> = [outer, inner].into_iter().chain(rest).collect();
        let even = parts.checked_mul(each)? == cells;
        let joints = match self.joints() {
            Joints::EveryTwo { layers, links, opposite } if even => {
                Joints::EveryTwo { layers: layers + 1, links: *links, opposite: *opposite }
            }
            // What is small is counted node by node.
            joints if self.nodes_a_cell(0) > MAX_CELL && !matches!(joints, Joints::Counted) => {
                return None;
            }
            _ if even => Joints::Counted,
            _ => {
                let depths = 1..=self.layers().len();
                let sizes = depths.map(|depth| size(&self.layers()[depth..])).collect();
                Joints::ByRule(Arc::new(Uneven { cells, each, sizes }))
            }
        };
        let inside =
            self.inside().map(|inside| Inside { layers: inside.layers + 1, ..inside.clone() });
        // Places keep their numbers: only the last ones are empty.
        let (seats, sitters) = (self.clone(), self.clone());
        let places = self.nodes_a_cell(0);
        let plan = Plan::layered(layers).joined(joints).holding(inside);
        let plan = match even && !self.is_seated() {
            true => plan,
            false => plan
                .seated(move |at| seats.place_of(at))
                .sat_by(move |place| sitters.node_at(place).filter(|_| place < places)),
        };
        Some(if even { plan } else { plan.nested_as(self.nested().clone()) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nestnet_graph::Node;

    #[test]
    fn parts_of_a_circle_have_all_cells() {
        for cells in [64u64, 129, 513] {
            let plan = Plan::ring(cells).around(&Plan::ring(3), 1, Held::Cluster);
            let parted = plan.in_parts().unwrap();
            assert!(PARTS.contains(&parted.cells(1)), "{cells}");
            assert_eq!(parted.nodes_in(&[]), (3 * cells).into());
            let sum: BigUint = (0..parted.cells(1)).map(|part| parted.nodes_in(&[part])).sum();
            assert_eq!(sum, (3 * cells).into());
            for at in (0..3 * cells).map(Node) {
                assert_eq!(parted.node_at(parted.place_of(at)), Some(at));
                assert!(parted.place_of(at) < parted.nodes_a_cell(0));
            }
            let merging = Merging::of(&plan).unwrap();
            assert_eq!(merging.counts.as_ref().unwrap().iter().sum::<u64>(), 3 * cells);
        }
        assert!(Plan::ring(63).in_parts().is_none());
    }

    #[test]
    fn rows_stay_rows_and_pods_stay_pods() {
        // Twelve pods of eight hosts and two switches, below six switches.
        let hosts = (0..96u32).map(|at| Point::new(f64::from(at + at / 8), 0.0));
        let switches =
            (0..24u32).map(|at| Point::new(f64::from(at / 2 * 9 + at % 2 * 4 + 2), -3.0));
        let spines = (0..6u32).map(|at| Point::new(f64::from(at) * 18.0 + 9.0, -9.0));
        let points: Vec<Point> = hosts.chain(switches).chain(spines).collect();
        let plan = Plan::given(126, || points);
        let merging = Merging::of(&plan).unwrap();
        let counts = merging.counts.clone().unwrap();
        assert_eq!(counts[counts.len() - 12..], [8; 12]);
        assert_eq!(counts.iter().filter(|&&count| count == 2).count(), 12);
        assert_eq!(counts.iter().sum::<u64>(), 126);
        let coarse = merging.plan(&plan);
        let mut seats: Vec<u64> = (0..126).map(|at| coarse.place_of(Node(at))).collect();
        seats.sort_unstable();
        seats.dedup();
        assert_eq!(seats.len(), 126);
    }
}
