//! How is a network drawn: cells within cells, by the digits of its nodes?
//!
//! A plan is a list of layers, outermost first. A cell of a layer has places in some shape, and at every place stands a
//! cell of the next layer, all alike; at the places of the last layer stand nodes. The digits of a node's seat, one for
//! each layer, say where it is, so that a plan is as short for 10^12 nodes as for ten.

use super::shape::Shape;
use crate::radix::digits;
use crate::{Network, Node};
use std::fmt;
use std::sync::Arc;

/// Where the nodes of a network are drawn.
#[derive(Clone)]
pub struct Plan {
    layers: Vec<Layer>,
    joints: Joints,
    seat: Option<Seat>,
}

/// At which place a node sits.
type Seat = Arc<dyn Fn(Node) -> u64 + Send + Sync>;

/// The cells of one kind and what they hold.
#[derive(Clone, Debug)]
pub struct Layer {
    /// How the places of a cell lie.
    pub shape: Shape,
    /// The level of the links that join what stands at the places.
    pub level: u16,
    /// Whether what stands at a place has an outline.
    pub held: Held,
}

/// What stands at the places of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// A part that nobody names, or a node.
    Part,
    /// A cluster, which has an outline.
    Cluster,
}

/// How many links join the cells of the outermost layers, where the rule says it at any size.
#[derive(Clone, Debug, Default)]
pub enum Joints {
    /// It must be counted.
    #[default]
    Counted,
    /// Each digit changes by itself, most significant first.
    Digits(Vec<Digit>),
    /// Every two clusters that the first `layers` tell apart are joined.
    EveryTwo {
        /// How many layers.
        layers: usize,
        /// By how many links.
        links: u64,
        /// How many more join a cluster to its opposite, the one as far from the last as it is from the first.
        opposite: u64,
    },
    /// Clusters of two kinds, the first digit; every two of different kinds are joined by one link.
    Halves {
        /// How many layers tell clusters apart.
        layers: usize,
    },
}

/// A digit that a link changes while all others of those that are told apart stay.
#[derive(Clone, Debug)]
pub struct Digit {
    /// How many layers it has.
    pub layers: usize,
    /// Which of its values are joined.
    pub network: Arc<dyn Network>,
    /// How many links there are between two parts that only this and later digits tell apart.
    pub links: u64,
    /// Where in those parts the links are.
    pub spread: Spread,
}

/// Where the links between two parts are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    /// As many for each value of every later digit that is told apart.
    Even,
    /// Where all later digits are zero.
    AtZero,
}

/// The largest shape whose every place is listed when it is declared.
pub const MAX_GIVEN: u64 = 1 << 15;

impl Plan {
    /// One cell.
    pub fn of(shape: Shape) -> Self {
        let layer = Layer { shape, level: 0, held: Held::Part };
        Plan { layers: vec![layer], joints: Joints::Counted, seat: None }
    }

    /// A circle.
    pub fn ring(places: u64) -> Self {
        Plan::of(Shape::Ring(places))
    }

    /// A cell of given places, if they are few, else a circle.
    pub fn given(places: u64, points: impl FnOnce() -> Vec<super::Point>) -> Self {
        if places > MAX_GIVEN {
            return Plan::ring(places);
        }
        Plan::of(Shape::Given(points().into()))
    }

    /// Places by the bits of their numbers: cubes, which hold cubes from the fourth dimension on.
    pub fn cube(bits: u32) -> Self {
        let inner = Plan::of(Shape::Cube(bits.min(3)));
        let mut rest = bits.saturating_sub(3);
        let mut outer = Vec::new();
        while rest > 0 {
            let here = rest.min(3);
            outer.push(Layer { shape: Shape::OuterCube(here), level: 0, held: Held::Part });
            rest -= here;
        }
        outer.reverse();
        outer.extend(inner.layers);
        Plan { layers: outer, ..inner }
    }

    /// Coordinates, first most significant: rows, grids, blocks, and grids of those. `line` is the shape of one side.
    pub fn grid(sides: &[u64], line: impl Fn(u64) -> Shape) -> Self {
        /// Larger ones of few sides are divided, so that they can be folded.
        const MANY: u64 = 5000;
        let sides: Vec<u64> = sides.iter().copied().filter(|&side| side > 1).collect();
        let places = sides.iter().fold(1, |n: u64, &side| n.saturating_mul(side));
        let parts = if places > MANY && sides.len() <= 3 { parts(&sides) } else { Vec::new() };
        let sizes: Vec<u64> = sides.iter().zip(&parts).map(|(side, part)| side / part).collect();
        if parts.iter().all(|&part| part == 1) {
            return Plan { layers: grid_layers(&sides, line), joints: Joints::Counted, seat: None };
        }
        let outer = Plan { layers: grid_layers(&parts, line), joints: Joints::Counted, seat: None };
        let inner = Plan { layers: grid_layers(&sizes, Shape::Row), ..outer.clone() };
        let size: u64 = sizes.iter().product();
        outer.around(&inner, 0, Held::Part).seated(move |at| {
            let digits = digits(at.0, &sides);
            let (mut part, mut inside) = (0, 0);
            for ((digit, parts), size) in digits.iter().zip(&parts).zip(&sizes) {
                part = part * parts + digit / size;
                inside = inside * size + digit % size;
            }
            part * size + inside
        })
    }

    /// A copy of `inner` at each place of this plan, joined by links of `level`.
    #[must_use]
    pub fn around(&self, inner: &Plan, level: u16, held: Held) -> Self {
        let mut layers: Vec<Layer> =
            self.layers.iter().map(|layer| Layer { level, ..layer.clone() }).collect();
        layers.iter_mut().for_each(|layer| layer.held = Held::Part);
        if let Some(last) = layers.last_mut() {
            last.held = held;
        }
        layers.extend(inner.layers.iter().cloned());
        let plan = Plan { layers, joints: Joints::Counted, seat: None };
        let (outer_seat, inner_seat) = (self.seat.clone(), inner.seat.clone());
        if outer_seat.is_none() && inner_seat.is_none() {
            return plan;
        }
        let size = inner.nodes_a_cell(0);
        let sit = |seat: &Option<Seat>, at: u64| seat.as_ref().map_or(at, |seat| seat(Node(at)));
        plan.seated(move |at| sit(&outer_seat, at.0 / size) * size + sit(&inner_seat, at.0 % size))
    }

    /// Two of this plan, for clusters of two kinds: in two rows, on two half circles, or one beside the other.
    #[must_use]
    pub fn twice(&self) -> Self {
        let pair = Plan::of(Shape::Pair);
        match &self.layers[..] {
            [Layer { shape: Shape::Grid { .. } | Shape::Block { .. }, .. }] => {}
            _ if self.seat.is_some() => {}
            [only] if only.shape.places() <= 6 => {
                return Plan::of(Shape::TwoRows(only.shape.places()));
            }
            [only] if only.shape.places() <= 40 => {
                return Plan::of(Shape::HalfRings(only.shape.places()));
            }
            _ => {}
        }
        pair.around(self, 0, Held::Part)
    }

    /// The same with a rule that counts the links between outer cells.
    #[must_use]
    pub fn joined(self, joints: Joints) -> Self {
        Plan { joints, ..self }
    }

    /// The same, where a node does not sit at the place of its number. `seat` is one to one.
    #[must_use]
    pub fn seated(self, seat: impl Fn(Node) -> u64 + Send + Sync + 'static) -> Self {
        Plan { seat: Some(Arc::new(seat)), ..self }
    }

    /// Whether some node does not sit at the place of its number.
    pub fn is_seated(&self) -> bool {
        self.seat.is_some()
    }

    /// Outermost first.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// What is known of the links between outer cells.
    pub fn joints(&self) -> &Joints {
        &self.joints
    }

    /// How many cells the first `depth` layers tell apart.
    pub fn cells(&self, depth: usize) -> u64 {
        let places = self.layers[..depth].iter().map(|layer| layer.shape.places());
        places.fold(1, u64::saturating_mul)
    }

    /// How many nodes each of these cells has.
    pub fn nodes_a_cell(&self, depth: usize) -> u64 {
        let places = self.layers[depth..].iter().map(|layer| layer.shape.places());
        places.fold(1, u64::saturating_mul)
    }

    /// The number of the cell, of those that the first `depth` layers tell apart, in which a node is.
    pub fn cell_of(&self, at: Node, depth: usize) -> u64 {
        let seat = self.seat.as_ref().map_or(at.0, |seat| seat(at));
        seat / self.nodes_a_cell(depth)
    }

    /// How many layers are left when what has only links below `level` is folded.
    pub fn depth_of_level(&self, level: u16) -> usize {
        self.layers.iter().take_while(|layer| layer.level >= level).count()
    }
}

/// Into how many equal parts each side is divided, about a thousand in all, as far as sides have divisors.
fn parts(sides: &[u64]) -> Vec<u64> {
    let most = match sides.len() {
        1 => 1000,
        2 => 32,
        _ => 10,
    };
    let part = |&side: &u64| (1..=most).rev().find(|part| side.is_multiple_of(*part)).unwrap_or(1);
    sides.iter().map(part).collect()
}

fn grid_layers(sides: &[u64], line: impl Fn(u64) -> Shape) -> Vec<Layer> {
    let part = |shape| Layer { shape, level: 0, held: Held::Part };
    let sides: Vec<u64> = sides.iter().copied().filter(|&side| side > 1).collect();
    let mut layers = Vec::new();
    let mut rest = &sides[..];
    match *rest {
        [] => layers.push(part(Shape::Row(1))),
        [side] => layers.push(part(line(side))),
        [planes, rows, columns] if planes.max(rows).max(columns) <= 6 => {
            layers.push(part(Shape::Block { planes, rows, columns }));
        }
        _ => {
            while let &[ref others @ .., rows, columns] = rest {
                layers.push(part(Shape::Grid { rows, columns }));
                rest = others;
            }
            layers.extend(rest.iter().map(|&side| part(Shape::Row(side))));
        }
    }
    layers.reverse();
    layers
}

impl fmt::Debug for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plan").field("layers", &self.layers).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_nest_by_digits() {
        let plan = Plan::ring(5).around(&Plan::cube(4), 1, Held::Cluster);
        assert_eq!(plan.layers().len(), 3);
        assert_eq!((plan.cells(1), plan.cells(2), plan.cells(3)), (5, 10, 80));
        assert_eq!(plan.cell_of(Node(79), 1), 4);
        assert_eq!(plan.cell_of(Node(17), 2), 2);
        assert_eq!((plan.depth_of_level(1), plan.depth_of_level(0)), (1, 3));
        let turned = plan.seated(|at| 79 - at.0);
        assert_eq!(turned.cell_of(Node(79), 1), 0);
    }

    #[test]
    fn grids_have_as_many_places_as_coordinates() {
        for sides in [
            &[][..],
            &[5],
            &[5, 4],
            &[3, 4, 5],
            &[7, 8, 9],
            &[2, 3, 4, 5],
            &[1, 9, 1],
            &[320, 300],
            &[5003, 7],
        ] {
            let plan = Plan::grid(sides, Shape::Ring);
            let order: u64 = sides.iter().product();
            let all = plan.layers().len();
            assert_eq!(plan.cells(all), order, "{sides:?}");
            let mut taken = vec![false; usize::try_from(order).unwrap()];
            for at in (0..order).map(Node) {
                let cell = usize::try_from(plan.cell_of(at, all)).unwrap();
                assert!(!std::mem::replace(&mut taken[cell], true), "{sides:?}");
            }
        }
    }
}
