//! How is a network drawn: cells within cells, by the digits of its nodes?
//!
//! A plan is a list of layers, outermost first. A cell of a layer has places in some shape, and at every place stands a
//! cell of the next layer, all alike; at the places of the last layer stand nodes. The digits of a node's seat, one for
//! each layer, say where it is, so that a plan is as short for 10^12 nodes as for ten.

use super::grid::{Blocks, Grid, Side};
use super::layer::{Held, Joints, Layer, size};
use super::shape::Shape;
use nestnet_graph::{Network, Node};
use num_bigint::BigUint;
use std::fmt;
use std::sync::Arc;

/// Where the nodes of a network are drawn.
#[derive(Clone)]
pub struct Plan {
    layers: Vec<Layer>,
    joints: Joints,
    seats: Option<Seats>,
    inside: Option<Arc<Inside>>,
    /// How it lies in other plans, where it has empty places of its own.
    nested: Option<Arc<Plan>>,
    /// Whether the nodes of a cell have nothing in common by which it could be called.
    nameless: bool,
}

/// Where nodes sit that do not sit at the place of their number.
#[derive(Clone)]
struct Seats {
    /// At which place a node sits.
    place: Arc<dyn Fn(Node) -> u64 + Send + Sync>,
    /// Who sits at a place, where somebody said so.
    node: Option<Sitter>,
}

/// Who sits at a place; nobody where it is empty.
type Sitter = Arc<dyn Fn(u64) -> Option<Node> + Send + Sync>;

/// What is at the places of the first layers: a copy of another network, with its own plan.
#[derive(Clone, Debug)]
pub struct Inside {
    /// How many layers tell the copies apart.
    pub layers: usize,
    /// How each is drawn.
    pub plan: Plan,
    /// What each is a copy of, where that was said.
    pub network: Option<Arc<dyn Network>>,
}

/// The largest shape whose every place is listed when it is declared.
pub const MAX_GIVEN: u64 = 1 << 15;

/// A cell of at most so many nodes is walked.
pub const MAX_CELL: u64 = 1 << 18;

impl Plan {
    /// One cell.
    pub fn of(shape: Shape) -> Self {
        let layer = Layer { shape, level: 0, held: Held::Part };
        Plan::layered(vec![layer])
    }

    /// Cells in cells, outermost first.
    pub fn layered(layers: Vec<Layer>) -> Self {
        Plan {
            layers,
            joints: Joints::Counted,
            seats: None,
            inside: None,
            nested: None,
            nameless: false,
        }
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
        Plan::layered(outer)
    }

    /// Coordinates, first most significant: rows, grids, blocks, and grids of those.
    pub fn grid(sides: &[u64], line: Side) -> Self {
        let (plan, has_gaps) = Plan::blocks(sides, line, Blocks::Any);
        if !has_gaps {
            return plan;
        }
        plan.nested_as(Plan::blocks(sides, line, Blocks::Even).0)
    }

    /// A grid, and whether some of its places are empty.
    fn blocks(sides: &[u64], line: Side, blocks: Blocks) -> (Self, bool) {
        let (grid, layers) = Grid::new(sides, line, blocks);
        let grid = Arc::new(grid);
        let has_gaps = grid.has_gaps();
        let plan = Plan::layered(layers).joined(Joints::ByRule(grid.clone()));
        if grid.is_in_order() && !has_gaps {
            return (plan, false);
        }
        let sitter = grid.clone();
        let plan = plan.seated(move |at| grid.place(at));
        (plan.sat_by(move |place| sitter.node(place)), has_gaps)
    }

    /// The same, which lies as another plan where it is a part of one: empty places are not nested.
    #[must_use]
    pub fn nested_as(self, plan: Plan) -> Self {
        Plan { nested: Some(Arc::new(plan)), ..self }
    }

    /// The same, where addresses say nothing of a cell.
    #[must_use]
    pub(super) fn without_names(self) -> Self {
        Plan { nameless: true, ..self }
    }

    /// Whether addresses say nothing of a cell.
    pub fn is_nameless(&self) -> bool {
        self.nameless
    }

    /// How it lies in other plans: without empty places.
    pub fn nested(&self) -> &Plan {
        self.nested.as_deref().unwrap_or(self)
    }

    /// A copy of `inner` at each place of this plan, joined by links of `level`.
    #[must_use]
    pub fn around(&self, inner: &Plan, level: u16, held: Held) -> Self {
        let (outer, inner) = (self.nested(), inner.nested());
        let mut layers: Vec<Layer> =
            outer.layers.iter().map(|layer| Layer { level, ..layer.clone() }).collect();
        layers.iter_mut().for_each(|layer| layer.held = Held::Part);
        if let Some(last) = layers.last_mut() {
            last.held = held;
        }
        layers.extend(inner.layers.iter().cloned());
        let inside = Inside { layers: outer.layers.len(), plan: inner.clone(), network: None };
        let plan = Plan { inside: Some(Arc::new(inside)), ..Plan::layered(layers) };
        if outer.seats.is_none() && inner.seats.is_none() {
            return plan;
        }
        let size = inner.nodes_a_cell(0);
        let (outer, inner) = (outer.seats.clone(), inner.seats.clone());
        let (outer_too, inner_too) = (outer.clone(), inner.clone());
        let sit = |seats: &Option<Seats>, at: u64| match seats {
            Some(seats) => (seats.place)(Node(at)),
            None => at,
        };
        let sat = |seats: &Option<Seats>, place: u64| match seats
            .as_ref()
            .and_then(|s| s.node.as_ref())
        {
            Some(node) => node(place).map(|node| node.0),
            None => Some(place),
        };
        let known = |seats: &Option<Seats>| seats.as_ref().is_none_or(|seats| seats.node.is_some());
        let both = known(&outer) && known(&inner);
        let plan =
            plan.seated(move |at| sit(&outer, at.0 / size) * size + sit(&inner, at.0 % size));
        if !both {
            return plan;
        }
        plan.sat_by(move |place| {
            let (outer, inner) = (sat(&outer_too, place / size)?, sat(&inner_too, place % size)?);
            Some(Node(outer * size + inner))
        })
    }

    /// The same, with this at the places of the outer layers.
    #[must_use]
    pub(super) fn holding(self, inside: Option<Inside>) -> Self {
        Plan { inside: inside.map(Arc::new), ..self }
    }

    /// The same, where what is at the places of the outer layers is a copy of `network`.
    #[must_use]
    pub fn inhabited(self, network: Option<Arc<dyn Network>>) -> Self {
        let inside = self.inside.as_deref().cloned();
        let inside = inside.map(|inside| Arc::new(Inside { network, ..inside }));
        Plan { inside, ..self }
    }

    /// What is at the places of the outer layers.
    pub fn inside(&self) -> Option<&Inside> {
        self.inside.as_deref()
    }

    /// The layers from the one of that number on, for a cell of so many.
    #[must_use]
    pub fn below(&self, depth: usize) -> Plan {
        Plan::layered(self.layers[depth..].to_vec())
    }

    /// Two of this plan, for clusters of two kinds: in two rows, on two half circles, or one beside the other.
    #[must_use]
    pub fn twice(&self) -> Self {
        let pair = Plan::of(Shape::Pair);
        match &self.nested().layers[..] {
            [Layer { shape: Shape::Grid { .. } | Shape::Block { .. }, .. }] => {}
            _ if self.nested().seats.is_some() => {}
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

    /// How clusters lie of which every two are joined, where each is drawn after this: around a circle, on which no line
    /// passes a third of them, unless they are few or many.
    #[must_use]
    pub fn of_joined_clusters(&self) -> Self {
        let places = self.nested().nodes_a_cell(0);
        if (9..=64).contains(&places) { Plan::ring(places) } else { self.clone() }
    }

    /// The same with a rule that counts the links between outer cells.
    #[must_use]
    pub fn joined(self, joints: Joints) -> Self {
        Plan { joints, ..self }
    }

    /// The same, where a node does not sit at the place of its number. `seat` is one to one.
    #[must_use]
    pub fn seated(self, seat: impl Fn(Node) -> u64 + Send + Sync + 'static) -> Self {
        Plan { seats: Some(Seats { place: Arc::new(seat), node: None }), ..self }
    }

    /// The same, where it is known who sits at a place: `node` turns what was given to [`Plan::seated`] around, and is
    /// nobody where a place is empty.
    #[must_use]
    pub fn sat_by(self, node: impl Fn(u64) -> Option<Node> + Send + Sync + 'static) -> Self {
        let node: Sitter = Arc::new(node);
        let seats = self.seats.map(|seats| Seats { node: Some(node), ..seats });
        Plan { seats, ..self }
    }

    /// Whether some node does not sit at the place of its number.
    pub fn is_seated(&self) -> bool {
        self.seats.is_some()
    }

    /// At which place a node sits.
    pub fn place_of(&self, at: Node) -> u64 {
        self.seats.as_ref().map_or(at.0, |seats| (seats.place)(at))
    }

    /// Who sits at a place, where that is known and somebody does.
    pub fn node_at(&self, place: u64) -> Option<Node> {
        match &self.seats {
            None => Some(Node(place)),
            Some(seats) => seats.node.as_ref().and_then(|node| node(place)),
        }
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

    /// How many places each of these cells has, and so many nodes where none is empty.
    pub fn nodes_a_cell(&self, depth: usize) -> u64 {
        let places = self.layers[depth..].iter().map(|layer| layer.shape.places());
        places.fold(1, u64::saturating_mul)
    }

    /// How many nodes are in the cell at `path`.
    pub fn nodes_in(&self, path: &[u64]) -> BigUint {
        let all = || size(&self.layers[path.len()..]);
        match &self.joints {
            Joints::ByRule(tally) => tally.nodes(path).unwrap_or_else(all),
            _ => all(),
        }
    }

    /// Whether some places are empty.
    pub fn has_gaps(&self) -> bool {
        self.nested.is_some()
    }

    /// The number of the cell, of those that the first `depth` layers tell apart, in which a node is.
    pub fn cell_of(&self, at: Node, depth: usize) -> u64 {
        self.place_of(at) / self.nodes_a_cell(depth)
    }

    /// How many layers are left when what has only links below `level` is folded.
    pub fn depth_of_level(&self, level: u16) -> usize {
        self.layers.iter().take_while(|layer| layer.level >= level).count()
    }
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
            &[103, 101],
            &[10_007],
            &[3, 83, 79],
            &[2, 3, 97, 89],
        ] {
            let plan = Plan::grid(sides, Side::Ring);
            let order: u64 = sides.iter().product();
            let all = plan.layers().len();
            assert_eq!(plan.nodes_in(&[]), order.into(), "{sides:?}");
            assert!(plan.has_gaps() || plan.cells(all) == order, "{sides:?}");
            assert_eq!(plan.nested().nodes_a_cell(0), order, "{sides:?}");
            let mut taken = vec![false; usize::try_from(plan.cells(all)).unwrap()];
            for at in (0..order).map(Node) {
                assert_eq!(plan.node_at(plan.place_of(at)), Some(at), "{sides:?}");
                let cell = usize::try_from(plan.cell_of(at, all)).unwrap();
                assert!(!std::mem::replace(&mut taken[cell], true), "{sides:?}");
            }
        }
    }
}
