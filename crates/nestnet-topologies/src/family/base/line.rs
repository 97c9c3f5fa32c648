//! Rings, paths, complete graphs and stars.

use nestnet_graph::distances::MAX_LENGTH;
use nestnet_graph::network::{Automorphism, transitive};
use nestnet_graph::theory::{Bounded, Degrees, Theory};
use nestnet_graph::{Distances, Network, Node, Orbit, Port};
use nestnet_routing::{Header, Hop, Router, Vc};
use num_bigint::BigUint;
use std::sync::Arc;

/// A cycle of `n` nodes: i ~ i+1 mod n.
#[derive(Clone, Debug)]
pub struct Ring {
    n: u64,
}

impl Ring {
    /// `n` is at least 1.
    pub fn new(n: u64) -> Self {
        Ring { n }
    }
}

impl Network for Ring {
    fn order(&self) -> u64 {
        self.n
    }

    fn ports(&self) -> u32 {
        match self.n {
            1 => 0,
            2 => 1,
            _ => 2,
        }
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        let step = if port.0 == 0 { 1 } else { self.n - 1 };
        // n may be 2^63, so at + step cannot overflow.
        (port.0 < self.ports()).then(|| Node((at.0 + step) % self.n))
    }

    fn automorphisms(&self) -> Vec<Automorphism> {
        let n = self.n;
        vec![Arc::new(move |i| (i + 1) % n), Arc::new(move |i| (n - i) % n)]
    }

    fn orbits(&self) -> Option<Vec<Orbit>> {
        transitive(self.n)
    }

    fn distance(&self, from: Node, to: Node) -> Option<u64> {
        let apart = from.0.abs_diff(to.0);
        Some(apart.min(self.n - apart))
    }
}

/// The shorter path around, up where both are alike. The link between n-1 and 0 is the dateline: who has yet to cross
/// it uses virtual channel 0, the others 1.
impl Router for Ring {
    /// Up to three nodes no route has two hops.
    fn vcs(&self) -> u16 {
        if self.n <= 3 { 1 } else { 2 }
    }

    fn longest(&self) -> u64 {
        self.n / 2
    }

    fn next(&self, at: Node, header: Header) -> Option<Hop> {
        let to = header.to;
        let up = if to >= at { to.0 - at.0 } else { to.0 + (self.n - at.0) };
        let (port, crosses) = match up {
            0 => return None,
            up if up <= self.n - up => (Port(0), to < at),
            _ => (Port(1), to > at),
        };
        let vc = if crosses || self.vcs() == 1 { 0 } else { 1 };
        Some(Hop { port, vc: Vc(vc), header })
    }

    /// UpDownLayers, where no route has two hops; elsewhere they move the dateline.
    fn commutes_with(&self) -> Vec<Automorphism> {
        let n = self.n;
        if self.vcs() > 1 { Vec::new() } else { vec![Arc::new(move |i| (i + 1) % n)] }
    }
}

impl Theory for Ring {
    fn order(&self) -> BigUint {
        self.n.into()
    }

    fn degrees(&self) -> Degrees {
        Degrees::regular(self.n.saturating_sub(1).min(2), self.n.into())
    }

    fn is_transitive(&self) -> bool {
        true
    }

    fn diameter(&self) -> Option<Bounded> {
        Some(Bounded::theorem(self.n / 2))
    }

    fn distances(&self) -> Option<Distances> {
        Some(self.distances_from_zero()?.scaled(&self.n.into()))
    }

    fn distances_from_zero(&self) -> Option<Distances> {
        let half = self.n / 2;
        if half >= MAX_LENGTH as u64 {
            return None;
        }
        let count = |d| if d == 0 || 2 * d == self.n { 1u64 } else { 2 };
        Some(Distances::new((0..=half).map(count)))
    }
}

/// A line of `n` nodes: i ~ i+1.
#[derive(Clone, Debug)]
pub struct Path {
    n: u64,
}

impl Path {
    /// `n` is at least 1.
    pub fn new(n: u64) -> Self {
        Path { n }
    }
}

impl Network for Path {
    fn order(&self) -> u64 {
        self.n
    }

    fn ports(&self) -> u32 {
        if self.n == 1 { 0 } else { 2 }
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        match port.0 {
            0 => (at.0 + 1 < self.n).then(|| Node(at.0 + 1)),
            _ => at.0.checked_sub(1).map(Node),
        }
    }

    fn automorphisms(&self) -> Vec<Automorphism> {
        let n = self.n;
        vec![Arc::new(move |i| n - 1 - i)]
    }

    fn orbits(&self) -> Option<Vec<Orbit>> {
        if self.n > 1 << 12 {
            return None;
        }
        // The reflection i ↔ n-1-i.
        let class = |i| Orbit { node: Node(i), size: if 2 * i + 1 == self.n { 1 } else { 2 } };
        Some((0..self.n.div_ceil(2)).map(class).collect())
    }

    fn distance(&self, from: Node, to: Node) -> Option<u64> {
        Some(from.0.abs_diff(to.0))
    }
}

/// There is one way.
impl Router for Path {
    fn vcs(&self) -> u16 {
        1
    }

    fn longest(&self) -> u64 {
        self.n - 1
    }

    fn next(&self, at: Node, header: Header) -> Option<Hop> {
        let port = Port(u32::from(header.to < at));
        (header.to != at).then_some(Hop { port, vc: Vc(0), header })
    }
}

impl Theory for Path {
    fn order(&self) -> BigUint {
        self.n.into()
    }

    fn degrees(&self) -> Degrees {
        match self.n {
            1 => Degrees::regular(0, 1u8.into()),
            n => Degrees::counted([(1, 2u8.into()), (2, (n - 2).into())]),
        }
    }

    fn diameter(&self) -> Option<Bounded> {
        Some(Bounded::theorem(self.n - 1))
    }

    fn distances(&self) -> Option<Distances> {
        if self.n > MAX_LENGTH as u64 {
            return None;
        }
        let count = |d| if d == 0 { self.n } else { 2 * (self.n - d) };
        Some(Distances::new((0..self.n).map(count)))
    }

    fn distances_from_zero(&self) -> Option<Distances> {
        (self.n <= MAX_LENGTH as u64).then(|| Distances::new((0..self.n).map(|_| 1u8)))
    }
}

/// `n` nodes, every two linked.
#[derive(Clone, Debug)]
pub struct Complete {
    n: u64,
}

impl Complete {
    /// `n` is at least 1.
    pub fn new(n: u64) -> Self {
        Complete { n }
    }
}

impl Network for Complete {
    fn order(&self) -> u64 {
        self.n
    }

    fn ports(&self) -> u32 {
        u32::try_from(self.n - 1).expect("only built when the ports fit")
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        let to = u64::from(port.0);
        Some(Node(if to < at.0 { to } else { to + 1 }))
    }

    fn automorphisms(&self) -> Vec<Automorphism> {
        let n = self.n;
        if n == 1 {
            return Vec::new();
        }
        // A cycle and a transposition generate all permutations.
        vec![Arc::new(move |i| (i + 1) % n), Arc::new(|i| if i < 2 { 1 - i } else { i })]
    }

    fn orbits(&self) -> Option<Vec<Orbit>> {
        transitive(self.n)
    }

    fn distance(&self, from: Node, to: Node) -> Option<u64> {
        Some(u64::from(from != to))
    }
}

/// One hop.
impl Router for Complete {
    fn vcs(&self) -> u16 {
        1
    }

    fn longest(&self) -> u64 {
        1
    }

    fn next(&self, at: Node, header: Header) -> Option<Hop> {
        let to = header.to.0;
        // Ports count the other nodes in ascending order.
        let port = if to < at.0 { to } else { to.checked_sub(1)? };
        let port = Port(u32::try_from(port).expect("only built when the ports fit"));
        (to != at.0).then_some(Hop { port, vc: Vc(0), header })
    }
}

impl Theory for Complete {
    fn order(&self) -> BigUint {
        self.n.into()
    }

    fn degrees(&self) -> Degrees {
        Degrees::regular(self.n - 1, self.n.into())
    }

    fn is_transitive(&self) -> bool {
        true
    }

    fn distances(&self) -> Option<Distances> {
        Some(self.distances_from_zero()?.scaled(&self.n.into()))
    }

    fn distances_from_zero(&self) -> Option<Distances> {
        Some(Distances::new([1, self.n - 1]))
    }
}

/// Hub 0 and `n - 1` leaves.
#[derive(Clone, Debug)]
pub struct Star {
    n: u64,
}

impl Star {
    /// `n` is at least 1.
    pub fn new(n: u64) -> Self {
        Star { n }
    }
}

impl Network for Star {
    fn order(&self) -> u64 {
        self.n
    }

    fn ports(&self) -> u32 {
        u32::try_from(self.n - 1).expect("only built when the ports fit")
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        match at.0 {
            0 => Some(Node(u64::from(port.0) + 1)),
            _ => (port.0 == 0).then_some(Node(0)),
        }
    }

    fn for_each_neighbor(&self, at: Node, visit: &mut dyn FnMut(Port, Node)) {
        match at.0 {
            0 => (0..self.ports()).for_each(|port| visit(Port(port), Node(u64::from(port) + 1))),
            _ => visit(Port(0), Node(0)),
        }
    }

    fn automorphisms(&self) -> Vec<Automorphism> {
        let n = self.n;
        if n <= 2 {
            return vec![Arc::new(move |i| n - 1 - i)];
        }
        let cycle = move |i| if i == 0 { 0 } else { i % (n - 1) + 1 };
        vec![Arc::new(cycle), Arc::new(|i| if i == 1 || i == 2 { 3 - i } else { i })]
    }

    fn orbits(&self) -> Option<Vec<Orbit>> {
        if self.n <= 2 {
            return transitive(self.n);
        }
        let hub = Orbit { node: Node(0), size: 1 };
        Some(vec![hub, Orbit { node: Node(1), size: self.n - 1 }])
    }

    fn distance(&self, from: Node, to: Node) -> Option<u64> {
        Some(match (from.0, to.0) {
            (a, b) if a == b => 0,
            (0, _) | (_, 0) => 1,
            _ => 2,
        })
    }
}

/// Through the hub.
impl Router for Star {
    fn vcs(&self) -> u16 {
        1
    }

    fn longest(&self) -> u64 {
        2
    }

    fn next(&self, at: Node, header: Header) -> Option<Hop> {
        let port = if at.0 == 0 { header.to.0.checked_sub(1)? } else { 0 };
        let port = Port(u32::try_from(port).expect("only built when the ports fit"));
        (header.to != at).then_some(Hop { port, vc: Vc(0), header })
    }
}

impl Theory for Star {
    fn order(&self) -> BigUint {
        self.n.into()
    }

    fn degrees(&self) -> Degrees {
        Degrees::counted([(self.n - 1, 1u8.into()), (1, (self.n - 1).into())])
    }

    fn distances(&self) -> Option<Distances> {
        let leaves = BigUint::from(self.n - 1);
        let far = &leaves * self.n.saturating_sub(2);
        Some(Distances::new([self.n.into(), leaves * 2u8, far]))
    }

    fn distances_from_zero(&self) -> Option<Distances> {
        Some(Distances::new([1, self.n - 1]))
    }
}
