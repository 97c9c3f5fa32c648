//! PolarFly: the densest known networks of diameter 2 for most degrees.
//!
//! # Definition
//! The polarity graph of P. Erdős, A. Rényi, 1962, also found by W. G. Brown, as a network: K. Lakhotia, M. Besta,
//! L. Monroe, K. Isham, P. Iff, T. Hoefler, F. Petrini, "PolarFly: A Cost-Effective and Flexible Low-Diameter Topology", 2022.
//! The nodes are the points of the projective plane over GF(q), q any prime power: vectors (x, y, z) ≠ 0 up to a factor.
//! Two points are linked where their dot product is 0. A point whose product with itself is 0 would be linked to itself;
//! that loop is dropped. There are q + 1 of them for every q: a conic for odd q, the line x + y + z = 0 for even q.
//!
//! Any two points u ≠ v are orthogonal to exactly one point w. It differs from both, or is one of them and then u ~ v:
//! the diameter is 2.
//!
//! # Numbering
//! Each point is written with its first nonzero coordinate 1: (1, y, z) is y·q + z, (0, 1, z) is q² + z,
//! (0, 0, 1) is q² + q. Port i leads to the i-th point of the line orthogonal to the point, ascending; the port of a
//! dropped loop is empty.

use crate::family::{ArgError, Args, Built};
use nestnet_draw::view::Cord;
use nestnet_draw::{Held, Joints, Plan, Shape, Tally};
use nestnet_graph::field::Field;
use nestnet_graph::theory::{Degrees, Theory};
use nestnet_graph::{Address, Distances, Network, Node, Orbit, Port, index};
use num_bigint::BigUint;
use std::sync::{Arc, OnceLock};

pub(super) fn build(args: &Args) -> Result<Built, ArgError> {
    let q = args.integer("q");
    let field = u32::try_from(q).ok().and_then(Field::new).ok_or_else(|| {
        let message = format!("must be a prime power up to 65536, such as 7, 8, 9 or 11, not {q}");
        ArgError::new("q", message)
    })?;
    let polarfly = PolarFly::new(field);
    let plan = polarfly.plan();
    let built = Built::of(polarfly);
    Ok(match plan {
        Some(plan) => built.placed(plan),
        None => built,
    })
}

/// The polarity graph over one field.
#[derive(Clone, Debug)]
pub struct PolarFly {
    field: Arc<Field>,
    q: u64,
}

type Point = [u32; 3];

/// A point in the middle, alone in its cell, and a fan of q + 1 points for each of its neighbors.
#[derive(Debug)]
struct Fans {
    fly: PolarFly,
    /// The place of every node, and the node at every place. They are found when somebody draws.
    seats: OnceLock<Seats>,
}

type Seats = (Vec<u64>, Vec<Option<Node>>);

impl Fans {
    fn seats(&self) -> &Seats {
        self.seats.get_or_init(|| {
            let (fly, q) = (&self.fly, self.fly.q);
            let is_loop = |at: &Node| fly.product(fly.point(*at), fly.point(*at)) == 0;
            let order = q * q + q + 1;
            let middle = (0..order).map(Node).find(is_loop).unwrap_or(Node(0));
            let mut seats = vec![u64::MAX; index(order)];
            let mut nodes = vec![None; index((q + 1) * (q + 1))];
            let mut sit = |node: Node, place: &mut u64| {
                let seat = &mut seats[index(node.0)];
                if *seat == u64::MAX {
                    *seat = *place;
                    nodes[index(*place)] = Some(node);
                    *place += 1;
                }
            };
            sit(middle, &mut 0);
            for (fan, hub) in (1..).zip(fly.neighbors_of(middle)) {
                let mut place = fan * (q + 1);
                sit(hub, &mut place);
                for leaf in fly.neighbors_of(hub) {
                    sit(leaf, &mut place);
                    // The neighbor that it has in common with the hub is beside it.
                    sit(fly.common_neighbor(leaf, hub), &mut place);
                }
            }
            (seats, nodes)
        })
    }
}

impl Tally for Fans {
    fn nodes(&self, path: &[u64]) -> Option<BigUint> {
        let q = self.fly.q;
        Some(BigUint::from(match *path {
            [] => q * q + q + 1,
            [0] => 1,
            [_] => q + 1,
            [0, at, ..] => u64::from(at == 0),
            _ => 1,
        }))
    }

    fn count(&self, path: &[u64], shown: usize) -> Option<u128> {
        let q = u128::from(self.fly.q);
        (path.is_empty() && shown == 1).then(|| q + q * (q - 1) / 2)
    }

    /// The middle is linked to the hub of every fan. Two hubs have the middle in common and are not linked; a leaf has
    /// one neighbor in common with the hub of any other fan, which is a leaf there.
    fn cords(&self, path: &[u64], shown: usize) -> Vec<Cord> {
        if !path.is_empty() || shown != 1 {
            return Vec::new();
        }
        let q = self.fly.q;
        let cord = |from: u64, to: u64, links: u64| Cord {
            level: 0,
            from: index(from),
            to: index(to),
            links: links.into(),
        };
        let hubs = (1..=q).map(|fan| cord(0, fan, 1));
        let pairs = (1..=q).flat_map(|from| (from + 1..=q).map(move |to| (from, to)));
        hubs.chain(pairs.map(|(from, to)| cord(from, to, q))).collect()
    }
}

impl PolarFly {
    /// Over any field.
    pub fn new(field: Field) -> Self {
        PolarFly { q: field.order().into(), field: Arc::new(field) }
    }

    /// Around a point w with product 0 with itself: each of its q neighbors with its q other neighbors. Every point but w
    /// and these has exactly one neighbor in common with w, so that each is there once.
    fn plan(&self) -> Option<Plan> {
        /// Of larger ones nothing would be counted.
        const MAX_DRAWN: u64 = 1 << 10;
        (self.q <= MAX_DRAWN).then_some(())?;
        let fans = Arc::new(Fans { fly: self.clone(), seats: OnceLock::new() });
        let fan = Plan::of(Shape::Hub(self.q + 1));
        let plan = fan.around(&fan, 0, Held::Cluster).joined(Joints::ByRule(fans.clone()));
        let sitters = fans.clone();
        let plan = plan.seated(move |at| fans.seats().0.get(index(at.0)).copied().unwrap_or(0));
        let plan = plan.sat_by(move |place| *sitters.seats().1.get(index(place))?);
        Some(plan.nested_as(Plan::ring(self.q * self.q + self.q + 1)))
    }

    /// The one point that is orthogonal to both, which may be one of them.
    fn common_neighbor(&self, a: Node, b: Node) -> Node {
        let (a, b) = (self.point(a), self.point(b));
        let minor = |i: usize, j: usize| {
            let (right, left) = (self.field.multiply(a[i], b[j]), self.field.multiply(a[j], b[i]));
            self.field.subtract(right, left)
        };
        let cross = [minor(1, 2), minor(2, 0), minor(0, 1)];
        let first = cross.into_iter().find(|&entry| entry != 0).unwrap_or(1);
        self.id(cross.map(|entry| self.field.divide(entry, first).unwrap_or(0)))
    }

    fn neighbors_of(&self, at: Node) -> Vec<Node> {
        let mut all = Vec::new();
        self.for_each_neighbor(at, &mut |_, to| all.push(to));
        all
    }

    fn point(&self, at: Node) -> Point {
        let element = |value: u64| u32::try_from(value).expect("an element of the field");
        let (plane, line) = (self.q * self.q, self.q * self.q + self.q);
        match at.0 {
            id if id < plane => [1, element(id / self.q), element(id % self.q)],
            id if id < line => [0, 1, element(id - plane)],
            _ => [0, 0, 1],
        }
    }

    /// The id of a point whose first nonzero coordinate is 1.
    fn id(&self, [x, y, z]: Point) -> Node {
        let (y, z) = (u64::from(y), u64::from(z));
        Node(match (x, y) {
            (1, _) => y * self.q + z,
            (_, 1) => self.q * self.q + z,
            _ => self.q * self.q + self.q,
        })
    }

    fn product(&self, a: Point, b: Point) -> u32 {
        let terms = [0, 1, 2].map(|i| self.field.multiply(a[i], b[i]));
        terms.into_iter().fold(0, |sum, term| self.field.add(sum, term))
    }

    fn line(&self, [a, b, c]: Point) -> Line {
        let minus = |numerator, denominator| {
            let negative = self.field.subtract(0, numerator);
            self.field.divide(negative, denominator)
        };
        match (minus(a, c), minus(b, c), minus(a, b)) {
            (Some(offset), Some(slope), _) => Line::Sloped { offset, slope },
            (_, _, Some(y)) => Line::Upright { y },
            _ => Line::AtInfinity,
        }
    }

    /// The `i`-th point of a line, ascending, `i` in 0..=q.
    fn point_of(&self, line: Line, i: u32) -> Point {
        let last = i == self.field.order();
        match line {
            Line::Sloped { slope, .. } if last => [0, 1, slope],
            Line::Sloped { offset, slope } => {
                [1, i, self.field.add(offset, self.field.multiply(slope, i))]
            }
            _ if last => [0, 0, 1],
            Line::Upright { y } => [1, y, i],
            Line::AtInfinity => [0, 1, i],
        }
    }

    fn links(&self) -> BigUint {
        BigUint::from(self.q) * (self.q + 1) * (self.q + 1) / 2u8
    }
}

/// The points orthogonal to a point.
#[derive(Clone, Copy)]
enum Line {
    /// (1, y, offset + slope·y) and (0, 1, slope).
    Sloped { offset: u32, slope: u32 },
    /// (1, y, z) for one y, and (0, 0, 1).
    Upright { y: u32 },
    /// (0, 1, z) and (0, 0, 1).
    AtInfinity,
}

impl Network for PolarFly {
    fn order(&self) -> u64 {
        self.q * self.q + self.q + 1
    }

    fn ports(&self) -> u32 {
        self.field.order() + 1
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        if port.0 >= self.ports() {
            return None;
        }
        let to = self.id(self.point_of(self.line(self.point(at)), port.0));
        (to != at).then_some(to)
    }

    fn for_each_neighbor(&self, at: Node, visit: &mut dyn FnMut(Port, Node)) {
        let line = self.line(self.point(at));
        for port in 0..self.ports() {
            let to = self.id(self.point_of(line, port));
            if to != at {
                visit(Port(port), to);
            }
        }
    }

    fn address(&self, at: Node) -> Address {
        Address::numbers(self.point(at).map(u64::from))
    }

    fn node(&self, address: &Address) -> Option<Node> {
        let values = address.as_numbers(3)?;
        let mut point = [0; 3];
        for (element, value) in point.iter_mut().zip(values) {
            *element = u32::try_from(value).ok().filter(|&e| e < self.field.order())?;
        }
        let first = point.into_iter().find(|&element| element != 0)?;
        (first == 1).then(|| self.id(point))
    }

    /// Isometries of the dot product are automorphisms.
    ///
    /// Odd q: by Witt's theorem they join vectors of equal product with themselves, so points fall into those of product
    /// 0, a square, or neither; the vectors of product c number q² ± q, + where -c is a square.
    /// Even q: (1,1,1) is orthogonal to the plane of all products 0, on which the isometries act as SL(2, q): they join
    /// the points of that plane, and those that are neither in it nor (1,1,1).
    fn orbits(&self) -> Option<Vec<Orbit>> {
        let q = self.q;
        let orbit = |point, size| Orbit { node: self.id(point), size };
        if q.is_multiple_of(2) {
            let rest = orbit([1, 0, 0], q * q - 1);
            return Some(vec![rest, orbit([1, 1, 0], q + 1), orbit([1, 1, 1], 1)]);
        }
        let mut is_square = vec![false; self.field.order() as usize];
        (0..self.field.order() / 2)
            .for_each(|i| is_square[self.field.power(2 * i) as usize] = true);
        let first = |is_wanted: &dyn Fn(u32) -> bool| {
            let product = |at| self.product(self.point(at), self.point(at));
            (0..Network::order(self)).map(Node).find(|&at| is_wanted(product(at)))
        };
        let square = |value: u32| is_square[value as usize];
        let minus_one_is_square = q % 4 == 1;
        let squares = if minus_one_is_square { q * (q + 1) / 2 } else { q * (q - 1) / 2 };
        Some(vec![
            Orbit { node: first(&square)?, size: squares },
            Orbit { node: first(&|value| value != 0 && !square(value))?, size: q * q - squares },
            Orbit { node: first(&|value| value == 0)?, size: q + 1 },
        ])
    }

    fn distance(&self, from: Node, to: Node) -> Option<u64> {
        Some(match self.product(self.point(from), self.point(to)) {
            _ if from == to => 0,
            0 => 1,
            _ => 2,
        })
    }
}

impl Theory for PolarFly {
    fn order(&self) -> BigUint {
        Network::order(self).into()
    }

    fn degrees(&self) -> Degrees {
        let q = self.q;
        Degrees::counted([(q, (q + 1).into()), (q + 1, (q * q).into())])
    }

    fn distances(&self) -> Option<Distances> {
        let order = Theory::order(self);
        let adjacent = self.links() * 2u8;
        let rest = &order * &order - &order - &adjacent;
        Some(Distances::new([order, adjacent, rest]))
    }

    /// Node 0 is (1,0,0), whose product with itself is 1.
    fn distances_from_zero(&self) -> Option<Distances> {
        Some(Distances::new([1, self.q + 1, self.q * self.q - 1]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nestnet_graph::measure::search::distances_from;

    #[test]
    fn every_point_is_in_the_fan_of_a_neighbor() {
        for q in [2, 3, 4, 5, 8, 9] {
            let fly = PolarFly::new(Field::new(q).unwrap());
            let plan = fly.plan().unwrap();
            let q = u64::from(q);
            let order = q * q + q + 1;
            let places: std::collections::BTreeSet<u64> =
                (0..order).map(|at| plan.place_of(Node(at))).collect();
            assert_eq!(places.len() as u64, order);
            for at in (0..order).map(Node) {
                let place = plan.place_of(at);
                assert_eq!(plan.node_at(place), Some(at));
                let hub = plan.node_at(place / (q + 1) * (q + 1)).unwrap();
                assert!(hub == at || fly.neighbors_of(hub).contains(&at), "{at:?}");
            }
        }
    }
    use nestnet_graph::network::sorted_neighbors;

    #[test]
    fn neighbors_are_the_orthogonal_points() {
        for q in [2, 3, 4, 5, 7, 8, 9, 16] {
            let network = PolarFly::new(Field::new(q).unwrap());
            let nodes = || (0..Network::order(&network)).map(Node);
            for at in nodes() {
                let orthogonal = |&to: &Node| {
                    to != at && network.product(network.point(at), network.point(to)) == 0
                };
                let expected: Vec<Node> = nodes().filter(orthogonal).collect();
                assert_eq!(sorted_neighbors(&network, at), expected, "q = {q}, node {at}");
            }
        }
    }

    #[test]
    fn diameter_two_over_many_fields() {
        for q in [2, 3, 4, 5, 7, 8, 9, 11, 13, 16, 17, 19, 23, 25, 27, 29, 31, 32] {
            let network = PolarFly::new(Field::new(q).unwrap());
            for orbit in network.orbits().unwrap() {
                let longest = distances_from(&network, orbit.node).into_iter().max();
                assert_eq!(longest, Some(2), "q = {q}");
            }
        }
    }
}
