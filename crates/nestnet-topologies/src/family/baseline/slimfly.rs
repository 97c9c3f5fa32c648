//! Slim Fly: nearly as many routers of diameter 2 as the Moore bound allows.
//!
//! # Definition
//! M. Besta, T. Hoefler, "Slim Fly: A Cost Effective Low-Diameter Network Topology", 2014, on the graphs of
//! B. D. McKay, M. Miller, J. Širáň, 1998, with the generator sets of P. R. Hafner, 2004.
//! q = 4w + δ is a prime power, δ in {-1, 0, 1}; that is any prime power but 2. ξ is a primitive element of GF(q).
//! The routers are (s, x, y) with s in {0, 1} and x, y in GF(q), and
//! (0, x, y) ~ (0, x, y') where y - y' is in X, (1, m, c) ~ (1, m, c') where c - c' is in X',
//! and (0, x, y) ~ (1, m, c) where y = m·x + c.
//! - δ = 1: X are the even powers of ξ, X' the odd ones.
//! - δ = -1: X = ±{1, ξ², …, ξ^(2w-2)}, X' = ξ·X.
//! - δ = 0: X = {1, ξ², …, ξ^(q-2)}, X' = ξ·X.
//!
//! The diameter is 2 for each of them. Routers of the same s and different x meet in exactly one of the other kind.
//! Routers of different s meet since X and X' together are all of GF(q) but 0.
//! Routers of the same s and x meet if each z ≠ 0 outside X is a sum of two elements of X (and the like for X' = ξ·X):
//! for δ = 1 each non-square is a sum of two squares; for δ = -1, X is more than half of the field, so z - X and X meet;
//! for δ = 0 both are half of it and neither has 0 in it, so they meet as well.
//!
//! # Numbering
//! The id of (s, x, y) is (s·q + x)·q + y, elements of the field numbered as in [`nestnet_graph::field`].
//! The first (q-δ)/2 ports add the elements of X or X', ascending; the next q lead to the other kind, its x ascending.

use crate::family::{ArgError, Args, Built};
use nestnet_draw::view::Cord;
use nestnet_draw::{Held, Joints, Plan, Shape, Tally};
use nestnet_graph::field::Field;
use nestnet_graph::theory::{Degrees, Theory};
use nestnet_graph::{Address, Distances, Network, Node, Orbit, Port, radix};
use num_bigint::BigUint;
use std::sync::Arc;

pub(super) fn build(args: &Args) -> Result<Built, ArgError> {
    let q = args.integer("q");
    let field = u32::try_from(q).ok().filter(|&q| q != 2).and_then(Field::new);
    let field = field.ok_or_else(|| {
        let message =
            format!("must be a prime power from 3 to 65536, such as 5, 7, 8 or 9, not {q}");
        ArgError::new("q", message)
    })?;
    Ok(Built::of(SlimFly::new(field)).placed(plan(q)))
}

/// Groups of both kinds, those of the same s and x, each a circle; many of them in arcs, the last of which may be
/// shorter.
fn plan(q: u64) -> Plan {
    /// More groups of a kind are not drawn side by side.
    const MANY: u64 = 40;
    let group = Plan::ring(q);
    let plain = group.twice().around(&group, 1, Held::Cluster);
    if q <= MANY {
        return plain;
    }
    let arc = q.div_ceil(32);
    let groups = Groups { q, arcs: q.div_ceil(arc), arc };
    let kind = Plan::ring(groups.arcs).around(&Plan::ring(arc), 1, Held::Part);
    let kinds = Plan::of(Shape::Pair).around(&kind, 1, Held::Part);
    let plan = kinds.around(&group, 1, Held::Cluster);
    let (half, gap) = (q * q, (groups.arcs * arc - q) * q);
    let plan = plan.seated(move |at| if at.0 < half { at.0 } else { at.0 + gap });
    let plan = plan.sat_by(move |place| {
        let (s, rest) = (place / (half + gap), place % (half + gap));
        (rest < half).then(|| Node(s * half + rest))
    });
    plan.joined(Joints::ByRule(Arc::new(groups))).nested_as(plain)
}

/// Groups in arcs: the digits of a cell are its kind, its arc, its group there and its router.
#[derive(Debug)]
struct Groups {
    q: u64,
    arcs: u64,
    /// How many groups an arc has, but the last.
    arc: u64,
}

impl Groups {
    /// How many groups of one kind a cell has whose digits below the kind are these.
    fn groups(&self, path: &[u64]) -> u64 {
        match *path {
            [] => self.q,
            [arc] => self.arc.min(self.q.saturating_sub(arc * self.arc)),
            [arc, at, ..] => u64::from(arc * self.arc + at < self.q),
        }
    }

    /// How many groups every cell of one kind has, distinguished down to a depth.
    fn all(&self, depth: usize) -> Vec<u64> {
        let arcs = (0..self.arcs).filter(|_| depth > 1);
        match depth {
            1 => vec![self.q],
            2 => arcs.map(|arc| self.groups(&[arc])).collect(),
            _ => {
                arcs.flat_map(|arc| (0..self.arc).map(move |at| self.groups(&[arc, at]))).collect()
            }
        }
    }
}

impl Tally for Groups {
    fn nodes(&self, path: &[u64]) -> Option<BigUint> {
        let [_, below @ ..] = path else { return Some(BigUint::from(2 * self.q) * self.q) };
        let routers = if below.len() > 2 { 1 } else { self.q };
        Some(BigUint::from(self.groups(below)) * routers)
    }

    fn count(&self, path: &[u64], shown: usize) -> Option<u128> {
        match (path.len(), path.len() + shown) {
            (0, 1) => Some(1),
            (0, 2) => Some(u128::from(self.arcs).pow(2)),
            (0, 3) => Some(u128::from(self.arcs * self.arc).pow(2)),
            // Groups of one kind are not joined.
            (1.., ..=3) => Some(0),
            _ => None,
        }
    }

    /// y = m·x + c: every two groups of different kinds are joined by q links.
    fn cords(&self, path: &[u64], shown: usize) -> Vec<Cord> {
        if !path.is_empty() {
            return Vec::new();
        }
        let cells = self.all(shown);
        let groups = || cells.iter().enumerate().filter(|(_, groups)| **groups > 0);
        let cord = |(from, a): (usize, &u64), (to, b): (usize, &u64)| {
            let links = BigUint::from(*a) * *b * self.q;
            Cord { level: 1, from, to: cells.len() + to, links }
        };
        groups().flat_map(|a| groups().map(move |b| cord(a, b))).collect()
    }
}

/// The graph over one field.
#[derive(Clone, Debug)]
pub struct SlimFly {
    field: Arc<Field>,
    /// X and X'.
    generators: Arc<[Generators; 2]>,
    q: u64,
}

/// The differences that make a link, as a list and as a set.
#[derive(Debug)]
struct Generators {
    list: Vec<u32>,
    has: Vec<bool>,
}

impl Generators {
    fn new(q: u32, elements: impl Iterator<Item = u32>) -> Self {
        let mut list: Vec<u32> = elements.collect();
        list.sort_unstable();
        let mut has = vec![false; q as usize];
        list.iter().for_each(|&element| has[element as usize] = true);
        Generators { list, has }
    }
}

/// A router: (s, x, y), and (1, m, c) with m as `x` and c as `y`.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Router {
    s: usize,
    x: u32,
    y: u32,
}

impl SlimFly {
    /// Over any field but that of two elements.
    pub fn new(field: Field) -> Self {
        let q = field.order();
        // Which exponents, from 0 or 1 on in steps of two, and whether the negatives come with them.
        let (count, both_signs) = match q % 4 {
            1 => ((q - 1) / 2, false),
            3 => (q.div_ceil(4), true),
            _ => (q / 2, false),
        };
        let from = |first: u32| {
            let half = (0..count).map(|i| field.power(first + 2 * i));
            let negatives =
                both_signs.then(|| half.clone().map(|element| field.subtract(0, element)));
            Generators::new(q, half.chain(negatives.into_iter().flatten()))
        };
        let generators = Arc::new([from(0), from(1)]);
        SlimFly { generators, q: q.into(), field: Arc::new(field) }
    }

    /// (q-δ)/2, the number of links inside a group.
    fn inside(&self) -> u64 {
        self.generators[0].list.len() as u64
    }

    fn degree(&self) -> u64 {
        self.inside() + self.q
    }

    fn router(&self, at: Node) -> Router {
        let element = |value: u64| u32::try_from(value).expect("an element of the field");
        let s = usize::from(at.0 >= self.q * self.q);
        Router { s, x: element(at.0 / self.q % self.q), y: element(at.0 % self.q) }
    }

    fn id(&self, s: usize, x: u32, y: u32) -> Node {
        Node((s as u64 * self.q + u64::from(x)) * self.q + u64::from(y))
    }

    /// The router of the other kind and first coordinate `x` that `from` is linked to.
    fn across(&self, from: Router, x: u32) -> Router {
        let product = self.field.multiply(from.x, x);
        let y = match from.s {
            0 => self.field.subtract(from.y, product),
            _ => self.field.add(from.y, product),
        };
        Router { s: 1 - from.s, x, y }
    }
}

impl Network for SlimFly {
    fn order(&self) -> u64 {
        2 * self.q * self.q
    }

    fn ports(&self) -> u32 {
        u32::try_from(self.degree()).expect("q is at most 2^16")
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        let from = self.router(at);
        let list = &self.generators[from.s].list;
        if let Some(&step) = list.get(port.0 as usize) {
            return Some(self.id(from.s, from.x, self.field.add(from.y, step)));
        }
        let x = port.0 - u32::try_from(list.len()).expect("below q");
        (x < self.field.order()).then(|| {
            let to = self.across(from, x);
            self.id(to.s, to.x, to.y)
        })
    }

    fn for_each_neighbor(&self, at: Node, visit: &mut dyn FnMut(Port, Node)) {
        let from = self.router(at);
        let inside = self.generators[from.s].list.iter();
        let inside = inside.map(|&step| self.id(from.s, from.x, self.field.add(from.y, step)));
        let across = (0..self.field.order()).map(|x| {
            let to = self.across(from, x);
            self.id(to.s, to.x, to.y)
        });
        for (port, to) in (0..).zip(inside.chain(across)) {
            visit(Port(port), to);
        }
    }

    fn address(&self, at: Node) -> Address {
        Address::numbers(radix::digits(at.0, &[2, self.q, self.q]))
    }

    fn node(&self, address: &Address) -> Option<Node> {
        radix::number(&address.as_numbers(3)?, &[2, self.q, self.q]).map(Node)
    }

    /// Links of routers with the same s and x are the inner ones.
    fn level(&self, _at: Node, port: Port) -> u16 {
        u16::from(u64::from(port.0) >= self.inside())
    }

    fn levels(&self) -> u16 {
        2
    }

    /// Adding t to every y and c; (0, x, y) → (0, x+t, y), (1, m, c) → (1, m, c-m·t); and the same with the kinds
    /// exchanged. For δ = 1 also (0, x, y) → (1, x, ξy), (1, m, c) → (0, -ξm, ξc), since ξ·X' = X there.
    fn orbits(&self) -> Option<Vec<Orbit>> {
        let half = self.q * self.q;
        if self.q % 4 == 1 {
            return nestnet_graph::network::transitive(2 * half);
        }
        Some([0, half].map(|node| Orbit { node: Node(node), size: half }).to_vec())
    }

    fn distance(&self, from: Node, to: Node) -> Option<u64> {
        let (a, b) = (self.router(from), self.router(to));
        let adjacent = match (a.s == b.s, a.x == b.x) {
            (true, true) => {
                let difference = self.field.subtract(a.y, b.y);
                self.generators[a.s].has[difference as usize]
            }
            (true, false) => false,
            (false, _) => self.across(a, b.x) == b,
        };
        Some(match adjacent {
            _ if from == to => 0,
            true => 1,
            false => 2,
        })
    }
}

impl Theory for SlimFly {
    fn order(&self) -> BigUint {
        Network::order(self).into()
    }

    fn degrees(&self) -> Degrees {
        Degrees::regular(self.degree(), Theory::order(self))
    }

    fn distances(&self) -> Option<Distances> {
        Some(self.distances_from_zero()?.scaled(&Theory::order(self)))
    }

    fn distances_from_zero(&self) -> Option<Distances> {
        let rest = Network::order(self) - 1 - self.degree();
        Some(Distances::new([1, self.degree(), rest]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nestnet_graph::measure::search::distances_from;

    fn slimfly(q: u32) -> SlimFly {
        SlimFly::new(Field::new(q).unwrap())
    }

    #[test]
    fn diameter_two_and_the_degree_of_the_paper() {
        for q in [3u32, 4, 5, 7, 8, 9, 11, 13, 16, 17, 19, 23, 25, 27, 29, 32] {
            let network = slimfly(q);
            let delta = [0i64, 1, 0, -1][(q % 4) as usize];
            let degree = (3 * i64::from(q) - delta) / 2;
            assert_eq!(i64::from(network.ports()), degree, "q = {q}");
            let order = Network::order(&network);
            assert_eq!(order, 2 * u64::from(q).pow(2));
            // One router of each kind represents all: see `orbits`.
            for from in [0, order / 2] {
                let distances = distances_from(&network, Node(from));
                assert_eq!(distances.iter().max(), Some(&2), "q = {q}");
            }
        }
    }

    #[test]
    fn generators_are_symmetric_and_cover_the_field() {
        for q in [3, 4, 5, 7, 8, 9, 27, 49, 64, 81, 121, 125, 243, 256] {
            let network = slimfly(q);
            let field = &network.field;
            for element in 1..q {
                let has = |s: usize, e: u32| network.generators[s].has[e as usize];
                assert!(has(0, element) || has(1, element));
                let negative = field.subtract(0, element);
                assert!((0..2).all(|s| has(s, element) == has(s, negative)), "GF({q})");
            }
            assert_eq!(network.generators[0].list.len(), network.generators[1].list.len());
        }
    }
}
