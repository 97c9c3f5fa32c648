//! Where does every cell of a plan go, so that none overlaps another?

use super::hull::Hull;
use super::layer::{Held, Layer};
use super::plan::Plan;
use super::shape::{Point, Shape, bounds};
use std::ops::Add;

/// A plan, placed down to some depth. The closest two places are 1 apart.
#[derive(Clone, Debug)]
pub struct Places {
    layers: Vec<Placed>,
}

/// One layer.
#[derive(Clone, Debug)]
struct Placed {
    /// Where each place is, from the middle of its cell.
    offsets: Vec<Point>,
    /// By how much what is at each place is turned, where something is.
    turned: Vec<f64>,
    /// Around what is at a place, from its middle, where it has an outline.
    outline: Option<Hull>,
    /// Around what is at a place.
    body: Hull,
}

impl Placed {
    fn turn(&self, place: usize) -> f64 {
        self.turned.get(place).copied().unwrap_or_default()
    }
}

/// Up to as many places every two of them are compared.
const MAX_COMPARED: usize = 200;

impl Places {
    /// Places the first `depth` layers; what they hold are dots. O(places of each layer).
    pub fn new(plan: &Plan, depth: usize) -> Self {
        let mut layers = Vec::new();
        let mut body = Hull(vec![Point::default()]);
        for (index, layer) in plan.layers()[..depth].iter().enumerate().rev() {
            let is_dot = index + 1 == depth;
            let turned = layer.shape.turned();
            if !turned.is_empty() {
                // However it is turned it has the same room.
                body = body.disc();
            }
            let outline = (layer.held == Held::Cluster && !is_dot)
                .then(|| body.padded(0.55 + 0.02 * body.diameter()));
            let body_here = outline.clone().unwrap_or(body);
            let (low, high) = bounds(&body_here.0);
            let points = layer.shape.points(high.x - low.x > high.y - low.y);
            let scale =
                if is_dot { Point::new(1.0, 1.0) } else { scale(layer, &points, &body_here) };
            let place = |point: Point| Point::new(point.x * scale.x, point.y * scale.y);
            let offsets: Vec<Point> = points.into_iter().map(place).collect();
            body = body_here.copies(offsets.iter().copied());
            layers.push(Placed { offsets, turned, outline, body: body_here });
        }
        layers.reverse();
        Places { layers }
    }

    /// The digits of a cell, one for each layer.
    pub fn digits(&self, cell: u64) -> Vec<usize> {
        let mut rest = cell;
        let mut digits: Vec<usize> = Vec::with_capacity(self.layers.len());
        for layer in self.layers.iter().rev() {
            let places = layer.offsets.len() as u64;
            digits.push(usize::try_from(rest % places).expect("a place in memory"));
            rest /= places;
        }
        digits.reverse();
        digits
    }

    /// Where the cell is that these digits name, all of them or only the first ones.
    pub fn middle(&self, digits: &[usize]) -> Point {
        let mut turns = 0.0;
        let offset = |(layer, &digit): (&Placed, &usize)| {
            let offset = layer.offsets[digit];
            let offset = if turns == 0.0 { offset } else { offset.turned(turns) };
            turns += layer.turn(digit);
            offset
        };
        self.layers.iter().zip(digits).map(offset).fold(Point::default(), Point::add)
    }

    /// By how much the cell is turned clockwise that these digits name, in turns.
    pub(super) fn turn(&self, digits: &[usize]) -> f64 {
        self.layers.iter().zip(digits).map(|(layer, &digit)| layer.turn(digit)).sum()
    }

    /// How many layers are placed.
    pub fn depth(&self) -> usize {
        self.layers.len()
    }

    /// The outline of the cells that the first `depth` layers hold, from their middle.
    pub fn outline(&self, depth: usize) -> Option<&Hull> {
        self.layers[..depth].last()?.outline.as_ref()
    }

    /// What these cells cover, from their middle.
    pub fn body(&self, depth: usize) -> Option<&Hull> {
        Some(&self.layers[..depth].last()?.body)
    }

    /// The places of the cells of a layer, from the outermost on.
    pub(super) fn offsets(&self, layer: usize) -> &[Point] {
        &self.layers[layer].offsets
    }

    /// The places of the innermost cells.
    pub fn innermost(&self) -> &[Point] {
        self.layers.last().map_or(&[], |layer| &layer.offsets)
    }
}

/// A grid of cells whose one side is longer than the other is stretched to this ratio, by no more than so much.
const RATIO: f64 = 1.2;
const MOST_STRETCHED: f64 = 1.6;

/// By how much places that are 1 apart must be drawn apart, across and down, so that what is there has a gap
/// between.
fn scale(layer: &Layer, points: &[Point], body: &Hull) -> Point {
    let size = body.diameter();
    let gap = match layer.held {
        Held::Cluster => 0.45 + 0.05 * size,
        Held::Part => 0.9 + 0.1 * size,
    };
    let (low, high) = bounds(&body.0);
    let room = high - low + Point::new(gap, gap);
    match layer.shape {
        Shape::Row(_) => return room,
        // Few columns of many rows stand farther apart, and few rows.
        Shape::Grid { rows, columns } if rows > 1 && columns > 1 => {
            let high = rows as f64 * room.y / (columns as f64 * room.x);
            let wider = |ratio: f64| (ratio / RATIO).clamp(1.0, MOST_STRETCHED);
            return Point::new(room.x * wider(high), room.y * wider(1.0 / high));
        }
        Shape::Grid { .. } => return room,
        // The links between the two get some room.
        Shape::Pair => return room + Point::new(0.12, 0.12) * size,
        // A regular polygon of discs.
        Shape::Turned { .. } => return Point::new(size + gap, size + gap),
        Shape::TwoRows(n) => {
            let most = if layer.held == Held::Cluster { 1.1 } else { 0.3 };
            let between = (0.35 * n as f64 * room.x).min(most * room.y);
            return Point::new(room.x, (room.y + between) / 1.9);
        }
        _ => {}
    }
    // Many are not compared, and each has its own room for all turns.
    if points.len() > MAX_COMPARED {
        return Point::new(size + gap, size + gap);
    }
    // What has no width is not met by a ray along it, and so it gets some.
    let flat = body.0.len() == 2;
    let difference = if flat { body.padded(0.3).difference() } else { body.difference() };
    let is_clear = |scale: Point| {
        let pairs = points
            .iter()
            .enumerate()
            .flat_map(|(i, a)| points[i + 1..].iter().map(move |b| (a, b)));
        pairs.map(|(&a, &b)| Point::new((b.x - a.x) * scale.x, (b.y - a.y) * scale.y)).all(
            |direction| {
                let apart = direction.length();
                apart >= size + gap || {
                    let along = direction * (1.0 / apart.max(1e-9));
                    apart >= difference.exit(Point::default(), along) + gap
                }
            },
        )
    };
    // As close as all of them allow, then closer across or down where they are flat.
    let least = |clear: &dyn Fn(f64) -> bool, from: f64, to: f64| {
        let (mut low, mut high) = (from, to);
        for _ in 0..12 {
            let middle = (low + high) / 2.0;
            if clear(middle) { high = middle } else { low = middle }
        }
        high
    };
    let most = size + gap;
    let both = least(&|s| is_clear(Point::new(s, s)), 0.0, most);
    let down = least(&|s| is_clear(Point::new(both, s)), 0.4 * both, both);
    let across = least(&|s| is_clear(Point::new(s, down)), 0.4 * both, both);
    Point::new(across, down)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::closest;

    #[test]
    fn cells_without_width_do_not_overlap() {
        let plan = Plan::ring(6).around(&Plan::of(Shape::Hub(3)), 1, Held::Part);
        let places = Places::new(&plan, 2);
        let dots: Vec<Point> = (0..18).map(|cell| places.middle(&places.digits(cell))).collect();
        assert!(closest(&dots) > 0.999, "{}", closest(&dots));
    }

    #[test]
    fn grids_of_cells_are_neither_flat_nor_narrow() {
        let hosts = Plan::of(Shape::Hub(3));
        for (rows, columns) in [(4, 2), (4, 4), (2, 4), (6, 3)] {
            let grid = Plan::of(Shape::Grid { rows, columns });
            let places = Places::new(&grid.around(&hosts, 1, Held::Part), 2);
            let dots = (0..rows * columns * 3).map(|cell| places.middle(&places.digits(cell)));
            let (low, high) = bounds(&dots.collect::<Vec<_>>());
            let ratio = (high - low).x / (high - low).y;
            assert!((0.55..=1.8).contains(&ratio), "{rows} {columns}: {ratio}");
        }
    }

    #[test]
    fn cells_of_cells_do_not_overlap() {
        let inner = Plan::ring(5).around(&Plan::cube(3), 1, Held::Cluster);
        let plan = Plan::of(Shape::Pair).around(&inner, 2, Held::Cluster);
        let places = Places::new(&plan, 3);
        let dots: Vec<Point> = (0..80).map(|cell| places.middle(&places.digits(cell))).collect();
        assert!(closest(&dots) > 0.999);
        for depth in [1, 2] {
            let cells = plan.cells(depth);
            let outline = places.outline(depth).unwrap();
            let at = |cell: u64| {
                let digits = places.digits(cell * plan.nodes_a_cell(depth));
                outline.moved(places.middle(&digits[..depth]))
            };
            for a in 0..cells {
                (a + 1..cells).for_each(|b| assert!(!at(a).overlaps(&at(b)), "{a} {b}"));
            }
        }
    }
}
