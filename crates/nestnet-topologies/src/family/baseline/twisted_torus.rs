//! Twisted tori: how much shorter do paths become when the wrap-around of one side shifts the other coordinate?
//!
//! # Paper
//! J. M. Cámara, M. Moretó, E. Vallejo, R. Beivide, J. Miguel-Alonso, C. Martínez, J. Navaridas, "Twisted Torus Topologies
//! for Enhanced Interconnection Networks", 2010; also the slices of k × 2k chips of TPU v4.
//!
//! # Definition
//! The nodes are (x, y) with 0 ≤ x < a and 0 ≤ y < b. (x, y) ~ (x, y+1 mod b), (x, y) ~ (x+1, y) for x < a-1, and
//! (a-1, y) ~ (0, y+s mod b) with the shift s. It is the Cayley graph of Z² modulo the lattice that (a, -s) and (0, b)
//! generate, by the unit steps, so all nodes are alike. With a, b ≥ 3 its four links are different.
//! s = 0 is the torus; b = 2a with s = a is edge-symmetric: the lattice is that of (a, a) and (a, -a), a turned square.
//!
//! # Distances
//! The distance to (x, y) is that of the vector to the nearest point of the lattice in the norm |x| + |y|. The basis is
//! reduced after Lagrange and Gauss, |u| ≤ |v| with an angle of 60° to 120° between them. A nearest point in |x| + |y| is at
//! most √2 times as far as the nearest in the Euclidean norm, which is at most √(|u|² + |v|²)/2 away; so at most |v|.
//! Its coefficient of v is then within 1/sin 60° < 1.16 of the exact one, one of three integers. Along u the norm is convex
//! with its corners where a coordinate vanishes, so that the integers around these two corners are enough.
//!
//! For b = 2a, s = a, the balls of radius a-1 around lattice points are disjoint, and those of radius a cover the plane:
//! 4d nodes at distance d for 0 < d < a, and the last 2a-1 at distance a, the diameter.
//! Elsewhere the diameter is at most ⌊a/2⌋ + ⌊b/2⌋, and at least d where 2d² + 2d + 1 ≥ ab for the first time.
//!
//! # Numbering
//! The id of (x, y) is x·b + y. Ports: x+1, x-1, y+1, y-1.
//!
//! # Routing
//! `dimension_order`: first along x, by the one of both directions that makes the whole route shorter, then along y. A
//! message crosses each wrap-around once at most; who has yet to cross it uses virtual channel 0, the others 1.
//! These routes are shortest where a route of a hops along x is never needed: for ⌊a/2⌋ + ⌊b/2⌋ ≤ a, and for b = 2a, s = a.

use crate::family::{ArgError, Args, Built};
use nestnet_draw::{Joints, Plan, Side};
use nestnet_graph::distances::MAX_LENGTH;
use nestnet_graph::network::{Automorphism, transitive};
use nestnet_graph::theory::{Bounded, Degrees, Theory};
use nestnet_graph::{Address, Distances, Network, Node, Orbit, Port, radix};
use nestnet_routing::{Header, Hop, Router, Vc};
use num_bigint::BigUint;
use std::sync::Arc;

pub(super) fn build(args: &Args) -> Result<Built, ArgError> {
    let [a, b, shift] = ["a", "b", "shift"].map(|name| args.integer(name));
    if shift >= b {
        let message = format!("must be below b = {b}, the length of the side that it shifts");
        return Err(ArgError::new("shift", message));
    }
    let torus = TwistedTorus::new(a, b, shift);
    let router: Arc<dyn Router> = Arc::new(DimensionOrder(torus.clone()));
    let shortest = torus.is_routed_shortest().then(|| router.clone());
    let built = Built::of(torus);
    let built = if built.network.is_some() { built.placed(plan(a, b)) } else { built };
    Ok(built.routed([("dimension_order", Some(router)), ("shortest", shortest)]))
}

/// A grid, whose links are counted: the twist is none of a torus.
fn plan(a: u64, b: u64) -> Plan {
    let grid = Plan::grid(&[a, b], Side::Ring);
    let plain = if grid.has_gaps() { grid.nested().clone() } else { grid };
    plain.joined(Joints::Counted)
}

/// An a × b torus whose wrap-around along x shifts y.
#[derive(Clone, Debug)]
pub struct TwistedTorus {
    a: u64,
    b: u64,
    shift: u64,
    /// A reduced basis of its lattice, the shorter vector first; of no use where the network is not built.
    basis: [Vector; 2],
}

/// A step in the plane.
type Vector = (i128, i128);

fn norm(v: Vector) -> i128 {
    v.0.abs() + v.1.abs()
}

/// The integer nearest to a quotient; of two as near, any.
fn rounded(dividend: i128, divisor: i128) -> i128 {
    (2 * dividend + divisor.abs()).div_euclid(2 * divisor.abs()) * divisor.signum()
}

impl TwistedTorus {
    /// `a` and `b` are at least 3, and `shift` is below `b`.
    pub fn new(a: u64, b: u64, shift: u64) -> Self {
        let dot = |u: Vector, v: Vector| u.0 * v.0 + u.1 * v.1;
        let mut torus = TwistedTorus { a, b, shift, basis: [(0, 1), (1, 0)] };
        // Only where all products fit.
        if u128::from(a) * u128::from(b) <= 1 << 63 {
            let [mut u, mut v] = [(0, i128::from(b)), (i128::from(a), -i128::from(shift))];
            loop {
                if dot(u, u) > dot(v, v) {
                    (u, v) = (v, u);
                }
                let times = rounded(dot(u, v), dot(u, u));
                if times == 0 {
                    break;
                }
                v = (v.0 - times * u.0, v.1 - times * u.1);
            }
            torus.basis = [u, v];
        }
        torus
    }

    /// (x, y) of a node.
    fn split(&self, at: Node) -> (u64, u64) {
        (at.0 / self.b, at.0 % self.b)
    }

    fn id(&self, x: u64, y: u64) -> Node {
        Node(x * self.b + y)
    }

    /// y + `by` around the side b, both below it.
    fn up(&self, y: u64, by: u64) -> u64 {
        (y + by) % self.b
    }

    /// y - `by` around the side b.
    fn down(&self, y: u64, by: u64) -> u64 {
        (y + self.b - by) % self.b
    }

    /// Whether b = 2a and s = a.
    fn is_edge_symmetric(&self) -> bool {
        self.shift == self.a && self.b / 2 == self.a && self.b.is_multiple_of(2)
    }

    /// Whether no shortest path needs a hops along x; see `# Routing`.
    fn is_routed_shortest(&self) -> bool {
        self.a / 2 + self.b / 2 <= self.a || self.is_edge_symmetric()
    }

    /// The length of a shortest vector that leads as far as `t`.
    fn length(&self, t: Vector) -> i128 {
        let [u, v] = self.basis;
        let cross = |p: Vector, q: Vector| p.0 * q.1 - p.1 * q.0;
        let middle = rounded(cross(u, t), cross(u, v));
        let along = |times: i128| {
            let rest = (t.0 - times * v.0, t.1 - times * v.1);
            let corner = |component: i128, step: i128| match step {
                0 => [0, 0],
                step => {
                    let below = (component * step.signum()).div_euclid(step.abs());
                    [below, below + 1]
                }
            };
            let corners = [corner(rest.0, u.0), corner(rest.1, u.1)].concat();
            let left = |times: i128| norm((rest.0 - times * u.0, rest.1 - times * u.1));
            corners.into_iter().map(left).min().unwrap_or(i128::MAX)
        };
        (middle - 1..=middle + 1).map(along).min().unwrap_or(i128::MAX)
    }
}

impl Network for TwistedTorus {
    fn order(&self) -> u64 {
        self.a * self.b
    }

    fn ports(&self) -> u32 {
        4
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        let (x, y) = self.split(at);
        Some(match port.0 {
            0 if x + 1 == self.a => self.id(0, self.up(y, self.shift)),
            0 => self.id(x + 1, y),
            1 if x == 0 => self.id(self.a - 1, self.down(y, self.shift)),
            1 => self.id(x - 1, y),
            2 => self.id(x, self.up(y, 1)),
            3 => self.id(x, self.down(y, 1)),
            _ => return None,
        })
    }

    fn address(&self, at: Node) -> Address {
        let (x, y) = self.split(at);
        Address::numbers([x, y])
    }

    fn node(&self, address: &Address) -> Option<Node> {
        radix::number(&address.as_numbers(2)?, &[self.a, self.b]).map(Node)
    }

    /// The unit steps.
    fn automorphisms(&self) -> Vec<Automorphism> {
        let step = |port: u32| {
            let torus = self.clone();
            Arc::new(move |id| torus.neighbor(Node(id), Port(port)).map_or(id, |to| to.0))
                as Automorphism
        };
        vec![step(0), step(2)]
    }

    fn orbits(&self) -> Option<Vec<Orbit>> {
        transitive(Network::order(self))
    }

    fn distance(&self, from: Node, to: Node) -> Option<u64> {
        let ((x1, y1), (x2, y2)) = (self.split(from), self.split(to));
        let apart = |from: u64, to: u64| i128::from(to) - i128::from(from);
        u64::try_from(self.length((apart(x1, x2), apart(y1, y2)))).ok()
    }
}

impl Theory for TwistedTorus {
    fn order(&self) -> BigUint {
        BigUint::from(self.a) * self.b
    }

    fn degrees(&self) -> Degrees {
        Degrees::regular(4, Theory::order(self))
    }

    fn is_transitive(&self) -> bool {
        true
    }

    fn diameter(&self) -> Option<Bounded> {
        if self.is_edge_symmetric() {
            return Some(Bounded::theorem(self.a));
        }
        let order = Theory::order(self);
        // 2d² + 2d + 1 ≥ ab where (2d + 1)² ≥ 2ab - 1.
        let least = BigUint::from(2u8) * &order - 1u8;
        let root = least.sqrt();
        let root = if &root * &root < least { root + 1u8 } else { root };
        Some(Bounded::between(root / 2u8, self.a / 2 + self.b / 2))
    }

    fn distances(&self) -> Option<Distances> {
        Some(self.distances_from_zero()?.scaled(&Theory::order(self)))
    }

    fn distances_from_zero(&self) -> Option<Distances> {
        if !self.is_edge_symmetric() || self.a >= MAX_LENGTH as u64 {
            return None;
        }
        let count = |d: u64| match d {
            0 => 1,
            d if d < self.a => 4 * d,
            _ => 2 * self.a - 1,
        };
        Some(Distances::new((0..=self.a).map(count)))
    }
}

/// Along x, then along y; see `# Routing`.
#[derive(Debug)]
struct DimensionOrder(TwistedTorus);

impl DimensionOrder {
    /// The shorter direction around the side b, and how far: up where both are alike.
    fn around(&self, from: u64, to: u64) -> (Port, u64) {
        let up = self.0.down(to, from);
        let down = self.0.b - up;
        if up <= down { (Port(2), up) } else { (Port(3), down) }
    }

    /// The direction along x, and whether it has yet to wrap around. `None` where x is right.
    ///
    /// After a hop that way is one shorter and the other one longer, so that no message turns back.
    fn along(&self, (x1, y1): (u64, u64), (x2, y2): (u64, u64)) -> Option<(Port, bool)> {
        let DimensionOrder(torus) = self;
        if x1 == x2 {
            return None;
        }
        let ahead = if x2 > x1 { x2 - x1 } else { torus.a - (x1 - x2) };
        let (wraps_ahead, wraps_back) = (x2 < x1, x2 > x1);
        let y_ahead = if wraps_ahead { torus.up(y1, torus.shift) } else { y1 };
        let y_back = if wraps_back { torus.down(y1, torus.shift) } else { y1 };
        let forward = ahead + self.around(y_ahead, y2).1;
        let backward = torus.a - ahead + self.around(y_back, y2).1;
        Some(if forward <= backward { (Port(0), wraps_ahead) } else { (Port(1), wraps_back) })
    }
}

impl Router for DimensionOrder {
    fn vcs(&self) -> u16 {
        2
    }

    fn longest(&self) -> u64 {
        self.0.a / 2 + self.0.b / 2
    }

    fn next(&self, at: Node, header: Header) -> Option<Hop> {
        let (here, there) = (self.0.split(at), self.0.split(header.to));
        let (port, crosses) = match self.along(here, there) {
            Some(hop) => hop,
            None => {
                let (port, _) = (here.1 != there.1).then(|| self.around(here.1, there.1))?;
                (port, (port == Port(2)) == (there.1 < here.1))
            }
        };
        Some(Hop { port, vc: Vc(u16::from(!crosses)), header })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nestnet_graph::Budget;
    use nestnet_graph::measure::search::distances_from;
    use nestnet_graph::network::sorted_neighbors;
    use nestnet_routing::route::deadlock::certify;
    use nestnet_routing::route::walk;
    use std::collections::BTreeSet;

    fn some() -> Vec<TwistedTorus> {
        let sides = (3..=6).flat_map(|a| (3..=13).map(move |b| (a, b)));
        sides.flat_map(|(a, b)| (0..b).map(move |s| TwistedTorus::new(a, b, s))).collect()
    }

    /// Link by link, as the definition says.
    #[test]
    fn links_wrap_around_with_a_shift() {
        for torus in some() {
            let TwistedTorus { a, b, shift, .. } = torus;
            let mut links = BTreeSet::new();
            let mut link = |from: (u64, u64), to: (u64, u64)| {
                let (from, to) = (from.0 * b + from.1, to.0 * b + to.1);
                assert!(links.insert((from.min(to), from.max(to))), "{torus:?}: doubled");
            };
            for y in 0..b {
                for x in 0..a {
                    link((x, y), (x, (y + 1) % b));
                }
                (0..a - 1).for_each(|x| link((x, y), (x + 1, y)));
                link((a - 1, y), (0, (y + shift) % b));
            }
            let ours = (0..a * b).flat_map(|at| {
                let ends = sorted_neighbors(&torus, Node(at)).into_iter();
                ends.filter(move |to| to.0 > at).map(move |to| (at, to.0))
            });
            assert_eq!(ours.collect::<BTreeSet<_>>(), links, "{torus:?}");
        }
    }

    #[test]
    fn distances_are_exact() {
        for torus in some() {
            for (to, found) in (0..).map(Node).zip(distances_from(&torus, Node(0))) {
                assert_eq!(torus.distance(Node(0), to), Some(found.into()), "{torus:?} {to}");
            }
        }
    }

    /// A long side, and one that no machine could search.
    #[test]
    fn distances_of_long_sides() {
        for (a, b, shift) in [(3, 1000, 7), (5, 997, 31), (3, 900, 450), (200, 3, 1)] {
            let torus = TwistedTorus::new(a, b, shift);
            for (to, found) in (0..).map(Node).zip(distances_from(&torus, Node(0))) {
                assert_eq!(torus.distance(Node(0), to), Some(found.into()), "{torus:?} {to}");
            }
        }
        let k = 1 << 30;
        let torus = TwistedTorus::new(k, 2 * k, k);
        assert_eq!(torus.distance(Node(0), torus.id(k / 2, k)), Some(k / 2));
    }

    #[test]
    fn half_the_long_side_is_the_diameter() {
        for k in 3..=9 {
            let twisted = TwistedTorus::new(k, 2 * k, k);
            let found = distances_from(&twisted, Node(0));
            assert_eq!(found.iter().max().map(|&longest| u64::from(longest)), Some(k));
            assert_eq!(twisted.diameter().unwrap().exact(), Some(&k.into()));
            let plain = distances_from(&TwistedTorus::new(k, 2 * k, 0), Node(0));
            assert_eq!(plain.iter().max().map(|&longest| u64::from(longest)), Some(k + k / 2));
        }
    }

    /// Turning the plane by a right angle, (x, y) → (-y, x), maps the lattice of (a, a) and (a, -a) to itself.
    #[test]
    fn all_links_are_one_orbit_where_one_side_is_twice_the_other() {
        for k in 3..=6 {
            let torus = TwistedTorus::new(k, 2 * k, k);
            let turned = |at: Node| {
                let (x, y) = torus.split(at);
                let ahead = (0..x).fold(Node(0), |at, _| torus.neighbor(at, Port(2)).unwrap());
                (0..y).fold(ahead, |at, _| torus.neighbor(at, Port(1)).unwrap())
            };
            for at in (0..Network::order(&torus)).map(Node) {
                let neighbors = sorted_neighbors(&torus, at);
                let mut moved: Vec<Node> = neighbors.into_iter().map(turned).collect();
                moved.sort_unstable();
                assert_eq!(moved, sorted_neighbors(&torus, turned(at)), "k = {k}");
            }
        }
    }

    #[test]
    fn dimension_order_cannot_deadlock() {
        for torus in some().into_iter().filter(|torus| torus.b <= 8) {
            let is_shortest = torus.is_routed_shortest();
            let router = DimensionOrder(torus.clone());
            for (to, found) in (0..).map(Node).zip(distances_from(&torus, Node(0))) {
                let hops = walk(&torus, &router, Node(0), to, 0, 99).unwrap().hops.len();
                assert!(hops as u64 <= router.longest(), "{torus:?}");
                assert!(!is_shortest || hops as u64 == u64::from(found), "{torus:?} {to}");
            }
            let certificate = certify(&torus, &router, &Budget::UNLIMITED).unwrap();
            assert!(certificate.is_free(), "{torus:?}");
        }
    }
}
