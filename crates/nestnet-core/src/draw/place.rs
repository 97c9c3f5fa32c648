//! Where does every cell of a plan go, so that none overlaps another?

use super::hull::Hull;
use super::plan::{Held, Layer, Plan};
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
    /// Around what stands at a place, from its middle, where it has an outline.
    outline: Option<Hull>,
    /// Around what stands at a place.
    body: Hull,
}

/// Up to as many places every two of them are compared.
const MAX_COMPARED: usize = 400;

impl Places {
    /// Places the first `depth` layers; what they hold are dots. O(places of each layer).
    pub fn new(plan: &Plan, depth: usize) -> Self {
        let mut layers = Vec::new();
        let mut body = Hull(vec![Point::default()]);
        for (index, layer) in plan.layers()[..depth].iter().enumerate().rev() {
            let is_dot = index + 1 == depth;
            let outline = (layer.held == Held::Cluster && !is_dot)
                .then(|| body.padded(0.55 + 0.02 * body.diameter()));
            let body_here = outline.clone().unwrap_or(body);
            let (low, high) = bounds(&body_here.0);
            let points = layer.shape.points(high.x - low.x > high.y - low.y);
            let scale = if is_dot { 1.0 } else { scale(layer, &points, &body_here) };
            let offsets: Vec<Point> = points.into_iter().map(|point| point * scale).collect();
            body = body_here.copies(offsets.iter().copied());
            layers.push(Placed { offsets, outline, body: body_here });
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
        let offsets = self.layers.iter().zip(digits).map(|(layer, &digit)| layer.offsets[digit]);
        offsets.fold(Point::default(), Point::add)
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

    /// The places of the innermost cells.
    pub fn innermost(&self) -> &[Point] {
        self.layers.last().map_or(&[], |layer| &layer.offsets)
    }
}

/// By how much places that are 1 apart must be drawn apart so that what stands there has a gap between.
fn scale(layer: &Layer, points: &[Point], body: &Hull) -> f64 {
    let size = body.diameter();
    let gap = match layer.held {
        Held::Cluster => 0.45 + 0.05 * size,
        Held::Part => 0.9 + 0.1 * size,
    };
    // Of a grid some rows have all directions to the next; a circle of many needs its own room for all.
    let some = match layer.shape {
        Shape::Grid { .. } | Shape::Row(_) | Shape::TwoRows(_) => {
            &points[..points.len().min(MAX_COMPARED)]
        }
        _ => points,
    };
    if some.len() > MAX_COMPARED {
        return size + gap;
    }
    let difference = body.difference();
    let mut scale: f64 = 1.0;
    for (i, &a) in some.iter().enumerate() {
        for &b in &some[i + 1..] {
            let apart = (b - a).length();
            if apart * scale < size + gap {
                let along = (b - a) * (1.0 / apart);
                scale = scale.max((difference.exit(Point::default(), along) + gap) / apart);
            }
        }
    }
    scale
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::shape::closest;

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
