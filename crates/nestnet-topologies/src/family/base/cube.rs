//! Hypercubes, plain and folded.

use nestnet_draw::{Digit, Joints, Plan, Spread};
use nestnet_graph::distances::MAX_LENGTH;
use nestnet_graph::network::{Automorphism, transitive};
use nestnet_graph::theory::{Bounded, Degrees, Theory};
use nestnet_graph::{Address, Distances, Network, Node, Orbit, Port};
use nestnet_routing::{Header, Hop, Router, Vc};
use num_bigint::BigUint;
use std::sync::Arc;

/// Bit strings of `n` digits; dimension j flips bit j.
#[derive(Clone, Debug)]
pub struct Hypercube {
    n: u64,
}

impl Hypercube {
    /// Any number of dimensions; the network exists up to 63.
    pub fn new(n: u64) -> Self {
        Hypercube { n }
    }

    pub(super) fn dimensions(&self) -> u64 {
        self.n
    }
}

/// As people draw cubes: three dimensions in perspective, and cubes of cubes from the fourth on.
pub fn plan(n: u64) -> Plan {
    let plan = Plan::cube(u32::try_from(n).unwrap_or(u32::MAX).min(63));
    let digit = |(depth, places): (usize, u64)| Digit {
        layers: 1,
        network: Arc::new(Hypercube::new(places.ilog2().into())),
        links: plan.nodes_a_cell(depth + 1),
        spread: Spread::Even,
    };
    let layers = plan.layers().iter().map(|layer| layer.shape.places()).enumerate();
    let digits = layers.map(digit).collect();
    plan.joined(Joints::Digits(digits))
}

fn width(n: u64) -> u32 {
    u32::try_from(n).expect("only built up to 63 dimensions")
}

fn node_of_bits(address: &Address, n: u64) -> Option<Node> {
    address.as_bits(width(n)).map(Node)
}

/// Flip a bit, rotate the bits, exchange two of them.
fn cube_automorphisms(n: u64) -> Vec<Automorphism> {
    if n == 0 {
        return Vec::new();
    }
    let low = (1 << (n - 1)) - 1;
    let rotate = move |x: u64| (x & low) << 1 | x >> (n - 1);
    let exchange = |x: u64| x & !3 | (x & 1) << 1 | (x >> 1 & 1);
    let mut all: Vec<Automorphism> = vec![Arc::new(|x| x ^ 1)];
    if n > 1 {
        all.extend([Arc::new(rotate) as Automorphism, Arc::new(exchange)]);
    }
    all
}

/// Flip a bit, each one. A rule that looks only at the bits in which two nodes differ commutes with these.
fn translations(n: u64) -> Vec<Automorphism> {
    (0..n).map(|bit| Arc::new(move |x: u64| x ^ 1 << bit) as Automorphism).collect()
}

/// The binomial coefficients of `n`, if they are few enough to list.
fn binomials(n: u64) -> Option<Vec<BigUint>> {
    if n >= MAX_LENGTH as u64 {
        return None;
    }
    let mut row = vec![BigUint::from(1u8)];
    for k in 0..n {
        let next = row.last()? * (n - k) / (k + 1);
        row.push(next);
    }
    Some(row)
}

impl Network for Hypercube {
    fn order(&self) -> u64 {
        1 << self.n
    }

    fn ports(&self) -> u32 {
        width(self.n)
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        Some(Node(at.0 ^ 1 << port.0))
    }

    fn for_each_neighbor(&self, at: Node, visit: &mut dyn FnMut(Port, Node)) {
        for port in 0..width(self.n) {
            visit(Port(port), Node(at.0 ^ 1 << port));
        }
    }

    fn address(&self, at: Node) -> Address {
        Address::bits(at.0, width(self.n))
    }

    fn node(&self, address: &Address) -> Option<Node> {
        node_of_bits(address, self.n)
    }

    fn automorphisms(&self) -> Vec<Automorphism> {
        cube_automorphisms(self.n)
    }

    fn orbits(&self) -> Option<Vec<Orbit>> {
        transitive(1 << self.n)
    }

    fn distance(&self, from: Node, to: Node) -> Option<u64> {
        Some((from.0 ^ to.0).count_ones().into())
    }
}

/// The e-cube routing: the lowest bit that differs.
impl Router for Hypercube {
    fn vcs(&self) -> u16 {
        1
    }

    fn longest(&self) -> u64 {
        self.n
    }

    fn next(&self, at: Node, header: Header) -> Option<Hop> {
        lowest_bit(at.0 ^ header.to.0).map(|port| Hop { port, vc: Vc(0), header })
    }

    fn commutes_with(&self) -> Vec<Automorphism> {
        translations(self.n)
    }
}

fn lowest_bit(bits: u64) -> Option<Port> {
    (bits != 0).then(|| Port(bits.trailing_zeros()))
}

impl Theory for Hypercube {
    fn order(&self) -> BigUint {
        BigUint::from(1u8) << self.n
    }

    fn degrees(&self) -> Degrees {
        Degrees::regular(self.n, Theory::order(self))
    }

    fn is_transitive(&self) -> bool {
        true
    }

    fn diameter(&self) -> Option<Bounded> {
        Some(Bounded::theorem(self.n))
    }

    fn distances(&self) -> Option<Distances> {
        Some(self.distances_from_zero()?.scaled(&Theory::order(self)))
    }

    fn distances_from_zero(&self) -> Option<Distances> {
        Some(Distances::new(binomials(self.n)?))
    }
}

/// A hypercube in which x is also linked to its complement.
#[derive(Clone, Debug)]
pub struct FoldedHypercube {
    n: u64,
}

impl FoldedHypercube {
    /// At least one dimension.
    pub fn new(n: u64) -> Self {
        FoldedHypercube { n }
    }

    pub(super) fn dimensions(&self) -> u64 {
        self.n
    }

    fn all_ones(&self) -> u64 {
        u64::MAX >> (64 - self.n)
    }

    /// In one dimension the complement is the neighbor that is there already.
    fn degree(&self) -> u64 {
        if self.n == 1 { 1 } else { self.n + 1 }
    }
}

impl Network for FoldedHypercube {
    fn order(&self) -> u64 {
        1 << self.n
    }

    fn ports(&self) -> u32 {
        width(self.degree())
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        if u64::from(port.0) < self.n {
            return Some(Node(at.0 ^ 1 << port.0));
        }
        Some(Node(at.0 ^ self.all_ones()))
    }

    fn address(&self, at: Node) -> Address {
        Address::bits(at.0, width(self.n))
    }

    fn node(&self, address: &Address) -> Option<Node> {
        node_of_bits(address, self.n)
    }

    fn automorphisms(&self) -> Vec<Automorphism> {
        cube_automorphisms(self.n)
    }

    fn orbits(&self) -> Option<Vec<Orbit>> {
        transitive(1 << self.n)
    }

    fn distance(&self, from: Node, to: Node) -> Option<u64> {
        let weight = u64::from((from.0 ^ to.0).count_ones());
        Some(weight.min(self.n + 1 - weight))
    }
}

/// To the complement first, where that is shorter, then the lowest bit that differs.
impl Router for FoldedHypercube {
    fn vcs(&self) -> u16 {
        1
    }

    fn longest(&self) -> u64 {
        self.n.div_ceil(2)
    }

    fn next(&self, at: Node, header: Header) -> Option<Hop> {
        let differ = at.0 ^ header.to.0;
        let port = lowest_bit(differ)?;
        let complement = u64::from(differ.count_ones()) > self.n.div_ceil(2);
        let port = if complement { Port(width(self.n)) } else { port };
        Some(Hop { port, vc: Vc(0), header })
    }

    fn commutes_with(&self) -> Vec<Automorphism> {
        translations(self.n)
    }
}

impl Theory for FoldedHypercube {
    fn order(&self) -> BigUint {
        BigUint::from(1u8) << self.n
    }

    fn degrees(&self) -> Degrees {
        Degrees::regular(self.degree(), Theory::order(self))
    }

    fn is_transitive(&self) -> bool {
        true
    }

    fn diameter(&self) -> Option<Bounded> {
        Some(Bounded::theorem(self.n.div_ceil(2)))
    }

    fn distances(&self) -> Option<Distances> {
        Some(self.distances_from_zero()?.scaled(&Theory::order(self)))
    }

    fn distances_from_zero(&self) -> Option<Distances> {
        // Weight w is w flips away, or the complement and n-w flips.
        let by_weight = binomials(self.n)?;
        let mut counts = vec![BigUint::ZERO; by_weight.len()];
        for (weight, count) in by_weight.iter().enumerate() {
            counts[weight.min(by_weight.len() - weight)] += count;
        }
        Some(Distances::new(counts))
    }
}
