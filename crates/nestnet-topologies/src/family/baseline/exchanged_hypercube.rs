//! Exchanged hypercubes: cubes of two sizes in one, with about half the links of a hypercube of the same order.
//!
//! # Paper
//! P. K. K. Loh, W. J. Hsu, Y. Pan, "The Exchanged Hypercube", IEEE Transactions on Parallel and Distributed Systems 16(9), 2005.
//!
//! # Definition
//! The nodes of EH(s, t) are the words a_(s-1) … a_0 b_(t-1) … b_0 c of bits. Two are linked where they differ in c
//! alone; where c = 0, also if they differ in one bit of a alone; where c = 1, in one bit of b alone.
//! EH(n, n) is the dual-cube of degree n+1 under other names of the nodes.
//!
//! # Numbering
//! A node is the number that its word writes. Port i < s flips a_i where c = 0, port i < t flips b_i where c = 1, and
//! the last port flips c; the ports between are empty.
//!
//! # Virtual channels
//! Two. A message flips what it can where it is, then c, and never comes back to bits that it has flipped. Channels that
//! flip a, c to 1, b, c to 0 follow each other in this order; only a and c to 1 can be wanted again after that, when b
//! is right, and then they are others.

use crate::family::{ArgError, Args, Built};
use nestnet_draw::{Digit, Held, Joints, Plan, Shape, Spread};
use nestnet_graph::distances::MAX_LENGTH;
use nestnet_graph::network::{Automorphism, transitive};
use nestnet_graph::radix;
use nestnet_graph::theory::{Bounded, Degrees, Theory};
use nestnet_graph::{Address, Distances, Network, Node, Orbit, Port};
use nestnet_routing::{Header, Hop, Router, Vc};
use num_bigint::BigUint;
use std::sync::Arc;

pub(super) fn build(args: &Args) -> Result<Built, ArgError> {
    let (s, t) = (args.integer("s"), args.integer("t"));
    radix::power(&2u8.into(), s + t + 1)?;
    let network = ExchangedHypercube { s, t };
    let built = Built::of_routed(network.clone());
    // What has no node ids has no places.
    Ok(if built.network.is_some() { built.placed(network.plan()) } else { built })
}

/// EH(s, t), with s and t at least 1.
#[derive(Clone, Debug)]
pub struct ExchangedHypercube {
    s: u64,
    t: u64,
}

/// The parts of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Parts {
    a: u64,
    b: u64,
    c: u64,
}

impl ExchangedHypercube {
    fn parts(&self, id: u64) -> Parts {
        Parts { a: id >> (self.t + 1), b: id >> 1 & ((1 << self.t) - 1), c: id & 1 }
    }

    fn id(&self, Parts { a, b, c }: Parts) -> u64 {
        a << (self.t + 1) | b << 1 | c
    }

    fn width(&self) -> u32 {
        u32::try_from(self.s + self.t + 1).expect("only built up to 63 bits")
    }

    /// The port that flips c.
    fn cross(&self) -> u32 {
        u32::try_from(self.s.max(self.t)).expect("only built up to 63 bits")
    }

    /// The lowest bit that a port of a node with this c flips, and how many such ports there are.
    fn flips(&self, c: u64) -> (u64, u64) {
        if c == 0 { (self.t + 1, self.s) } else { (1, self.t) }
    }

    /// One more bit in each half would not make both alike: pairs at the corners of a cube of cubes.
    fn plan(&self) -> Plan {
        let bits = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
        let pairs = Plan::cube(bits(self.t)).around(&Plan::of(Shape::Pair), 0, Held::Cluster);
        let plan = Plan::cube(bits(self.s)).around(&pairs, 0, Held::Part);
        // One node of each pair flips bits of a, the other bits of b.
        let cubes = plan.layers().iter().enumerate().take(plan.layers().len() - 1);
        let digits = cubes.map(|(depth, layer)| Digit {
            layers: 1,
            network: Arc::new(Corners(layer.shape.places())),
            links: plan.nodes_a_cell(depth + 1) / 2,
            spread: Spread::Even,
        });
        let digits = digits.collect();
        plan.joined(Joints::Digits(digits))
    }

    /// How many nodes lie at each distance from one with c = 0, when its cube has `own` dimensions.
    ///
    /// To a node that differs in x bits of its cube and y of the other: x where only these differ, x + y + 1 where c
    /// differs, else x + y + 2.
    fn distances_from(&self, own: u64) -> Option<Distances> {
        let cube = |n: u64| Distances::new([1u8, 1]).power(n);
        if self.s + self.t >= MAX_LENGTH as u64 {
            return None;
        }
        let (inside, all) = (cube(own)?, cube(self.s + self.t)?);
        let outside = all.minus(&inside).shifted(2);
        Some(inside.plus(&outside).plus(&all.shifted(1)))
    }
}

impl Network for ExchangedHypercube {
    fn order(&self) -> u64 {
        1 << self.width()
    }

    fn ports(&self) -> u32 {
        self.cross() + 1
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        if port.0 == self.cross() {
            return Some(Node(at.0 ^ 1));
        }
        let (first, count) = self.flips(at.0 & 1);
        (u64::from(port.0) < count).then(|| Node(at.0 ^ 1 << (first + u64::from(port.0))))
    }

    fn for_each_neighbor(&self, at: Node, visit: &mut dyn FnMut(Port, Node)) {
        let (first, count) = self.flips(at.0 & 1);
        for (port, bit) in (0..).zip(first..first + count) {
            visit(Port(port), Node(at.0 ^ 1 << bit));
        }
        visit(Port(self.cross()), Node(at.0 ^ 1));
    }

    fn address(&self, at: Node) -> Address {
        Address::bits(at.0, self.width())
    }

    fn node(&self, address: &Address) -> Option<Node> {
        address.as_bits(self.width()).map(Node)
    }

    /// Flip a bit of a or b, rotate either, exchange two bits of either; where both are as long, exchange them and flip c.
    fn automorphisms(&self) -> Vec<Automorphism> {
        let (s, t) = (self.s, self.t);
        let mut all: Vec<Automorphism> = Vec::new();
        for (first, count) in [self.flips(0), self.flips(1)] {
            let mask = ((1u64 << count) - 1) << first;
            let within = move |id: u64, rename: fn(u64, u64) -> u64| {
                id & !mask | rename((id & mask) >> first, count) << first
            };
            all.push(Arc::new(move |id| id ^ 1 << first));
            if count > 1 {
                all.push(Arc::new(move |id| {
                    within(id, |x, n| (x << 1 | x >> (n - 1)) & ((1 << n) - 1))
                }));
                all.push(Arc::new(move |id| within(id, |x, _| x & !3 | (x & 1) << 1 | x >> 1 & 1)));
            }
        }
        if s == t {
            let shape = self.clone();
            all.push(Arc::new(move |id| {
                let Parts { a, b, c } = shape.parts(id);
                shape.id(Parts { a: b, b: a, c: 1 - c })
            }));
        }
        all
    }

    /// Flips of a and b join all nodes of one c.
    fn orbits(&self) -> Option<Vec<Orbit>> {
        let order = 1 << self.width();
        if self.s == self.t {
            return transitive(order);
        }
        Some([0, 1].map(|c| Orbit { node: Node(c), size: order / 2 }).to_vec())
    }

    /// One step for each bit of a and b that differs, and a flip of c whenever it does not let them flip.
    fn distance(&self, from: Node, to: Node) -> Option<u64> {
        let Parts { a, b, c } = self.parts(from.0 ^ to.0);
        let bits = u64::from(a.count_ones() + b.count_ones());
        let elsewhere = if from.0 & 1 == 0 { b } else { a };
        Some(bits + if c == 1 { 1 } else { 2 * u64::from(elsewhere != 0) })
    }
}

/// The lowest bit that differs and can be flipped, else c. Shortest.
impl Router for ExchangedHypercube {
    fn vcs(&self) -> u16 {
        2
    }

    fn longest(&self) -> u64 {
        self.s + self.t + 2
    }

    fn next(&self, at: Node, header: Header) -> Option<Hop> {
        if at == header.to {
            return None;
        }
        let Parts { a, b, .. } = self.parts(at.0 ^ header.to.0);
        let here = if at.0 & 1 == 0 { a } else { b };
        let port = if here == 0 { self.cross() } else { here.trailing_zeros() };
        let vc = match at.0 & 1 {
            0 => u16::from(b == 0),
            _ => u16::from(here == 0),
        };
        Some(Hop { port: Port(port), vc: Vc(vc), header })
    }
}

impl Theory for ExchangedHypercube {
    fn order(&self) -> BigUint {
        BigUint::from(1u8) << (self.s + self.t + 1)
    }

    fn degrees(&self) -> Degrees {
        let half = BigUint::from(1u8) << (self.s + self.t);
        Degrees::counted([(self.s + 1, half.clone()), (self.t + 1, half)])
    }

    fn is_transitive(&self) -> bool {
        self.s == self.t
    }

    /// s + t + 2, between nodes of one c that differ in all other bits.
    fn diameter(&self) -> Option<Bounded> {
        Some(Bounded::theorem(self.s + self.t + 2))
    }

    fn distances(&self) -> Option<Distances> {
        let both = self.distances_from(self.s)?.plus(&self.distances_from(self.t)?);
        Some(both.scaled(&(BigUint::from(1u8) << (self.s + self.t))))
    }

    fn distances_from_zero(&self) -> Option<Distances> {
        self.distances_from(self.s)
    }
}

/// The corners of a cube, which one layer of its plan distinguishes; each dimension flips a bit.
#[derive(Debug)]
struct Corners(u64);

impl Network for Corners {
    fn order(&self) -> u64 {
        self.0
    }

    fn ports(&self) -> u32 {
        self.0.ilog2()
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        Some(Node(at.0 ^ 1 << port.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nestnet_graph::measure::search::distances_from;

    const SIZES: [(u64, u64); 6] = [(1, 1), (1, 2), (2, 1), (2, 3), (4, 2), (3, 3)];

    #[test]
    fn links_are_those_of_the_definition() {
        for (s, t) in SIZES {
            let network = ExchangedHypercube { s, t };
            for u in 0..Network::order(&network) {
                let mut ends = Vec::new();
                network.for_each_neighbor(Node(u), &mut |_, to| ends.push(to.0));
                ends.sort_unstable();
                let linked = |v: &u64| {
                    let (u, v) = (network.parts(u), network.parts(*v));
                    let differ = |x: u64, y: u64| (x ^ y).count_ones();
                    match (differ(u.a, v.a), differ(u.b, v.b), u.c, v.c) {
                        (0, 0, x, y) => x != y,
                        (0, 1, 1, 1) | (1, 0, 0, 0) => true,
                        _ => false,
                    }
                };
                let all: Vec<u64> = (0..Network::order(&network)).filter(linked).collect();
                assert_eq!(ends, all, "EH({s}, {t}) at {u}");
            }
        }
    }

    #[test]
    fn distances_by_search() {
        for (s, t) in SIZES {
            let network = ExchangedHypercube { s, t };
            let mut counts = vec![0u64; 64];
            for from in (0..Network::order(&network)).map(Node) {
                for (to, found) in (0..).zip(distances_from(&network, from)) {
                    assert_eq!(network.distance(from, Node(to)), Some(found.into()));
                    counts[usize::try_from(found).unwrap()] += 1;
                }
            }
            let counted = Distances::new(counts);
            assert_eq!(Some(counted.longest().into()), network.diameter().map(|known| known.low));
            // Its routes are shortest.
            assert_eq!(network.longest(), counted.longest(), "EH({s}, {t})");
            assert_eq!(network.distances(), Some(counted), "EH({s}, {t})");
            let zero = distances_from(&network, Node(0));
            let from_zero = network.distances_from_zero().unwrap();
            for (d, count) in from_zero.counts().iter().enumerate() {
                let found = zero.iter().filter(|&&found| found as usize == d).count();
                assert_eq!(*count, found.into(), "EH({s}, {t}) at distance {d}");
            }
        }
    }

    #[test]
    fn the_largest_that_is_built() {
        let network = ExchangedHypercube { s: 31, t: 31 };
        assert_eq!(Network::order(&network), 1 << 63);
        let last = (1 << 63) - 1;
        assert_eq!(network.distance(Node(0), Node(last)), Some(63));
        assert_eq!(network.distance(Node(0), Node(last - 1)), Some(64));
    }
}
