//! Root-folded networks.
//!
//! # Definition
//! Nodes (V_(n-1), …, V_0); digit i may change along a link of the base where every lower digit is 0.
//!
//! # Where we differ
//! Definition 3 as printed asks for every *other* digit to be 0, which leaves most nodes without links.
//! The routing's 0_j = x…x0…0 shows what is meant. The printed one is `reading=literal`.

use super::spread::{Copies, Seat};
use crate::family::Built;
use nestnet_graph::distances::is_quick;
use nestnet_graph::locate::{node_of_digits, of_digits};
use nestnet_graph::theory::{Bounded, Degrees, Theory};
use nestnet_graph::{Address, Distances, Network, Node, Port};
use nestnet_routing::route::{Leg, Lift};
use nestnet_routing::{Header, Hop};
use num_bigint::BigUint;
use num_traits::One;
use std::sync::Arc;

/// Which digits must be 0 where another changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// Every lower one.
    Intended,
    /// Every other one, as printed.
    Literal,
}

/// A root-folded network.
#[derive(Debug)]
pub struct RootFolded {
    pub(super) base: Arc<dyn Network>,
    /// The order of the base.
    pub(super) q: u64,
    pub(super) n: u32,
    pub(super) reading: Reading,
}

impl RootFolded {
    /// The order of the base.
    pub(super) fn base_order(&self) -> u64 {
        self.q
    }

    /// How many digits an address has.
    pub(super) fn digits(&self) -> u32 {
        self.n
    }

    /// The value of digit i and its place, if it may change.
    fn free_digit(&self, at: Node, i: u32) -> Option<(u64, u64)> {
        let place = self.q.pow(i);
        let digit = at.0 / place % self.q;
        let free = match self.reading {
            Reading::Intended => at.0.is_multiple_of(place),
            Reading::Literal => at.0 == digit * place,
        };
        free.then_some((digit, place))
    }
}

impl Network for RootFolded {
    fn order(&self) -> u64 {
        self.q.pow(self.n)
    }

    fn ports(&self) -> u32 {
        self.n * self.base.ports()
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        let (digit, place) = self.free_digit(at, port.0 / self.base.ports())?;
        let to = self.base.neighbor(Node(digit), Port(port.0 % self.base.ports()))?;
        Some(Node(at.0 - digit * place + to.0 * place))
    }

    fn for_each_neighbor(&self, at: Node, visit: &mut dyn FnMut(Port, Node)) {
        for i in 0..self.n {
            let Some((digit, place)) = self.free_digit(at, i) else {
                if self.reading == Reading::Intended {
                    return;
                }
                continue;
            };
            let rest = at.0 - digit * place;
            self.base.for_each_neighbor(Node(digit), &mut |port, to| {
                visit(Port(i * self.base.ports() + port.0), Node(rest + to.0 * place));
            });
        }
    }

    fn address(&self, at: Node) -> Address {
        of_digits(&*self.base, at, self.n as usize)
    }

    fn node(&self, address: &Address) -> Option<Node> {
        node_of_digits(&*self.base, address, self.n as usize)
    }

    fn level(&self, at: Node, port: Port) -> u16 {
        let i = port.0 / self.base.ports();
        let digit = at.0 / self.q.pow(i) % self.q;
        let inner = self.base.level(Node(digit), Port(port.0 % self.base.ports()));
        u16::try_from(i).expect("at most 63 digits") * self.base.levels() + inner
    }

    fn levels(&self) -> u16 {
        u16::try_from(self.n).unwrap_or(u16::MAX).saturating_mul(self.base.levels())
    }

    /// Below the highest digit that differs, every digit goes to 0 and comes back from it.
    fn distance(&self, from: Node, to: Node) -> Option<u64> {
        if self.reading == Reading::Literal {
            return None;
        }
        let d = |a, b| if a == b { Some(0) } else { self.base.distance(Node(a), Node(b)) };
        let (mut a, mut b) = (from.0, to.0);
        let (mut below, mut total) = (0, 0);
        while a != b {
            let (x, y) = (a % self.q, b % self.q);
            total = below + d(x, y)?;
            below += d(x, 0)? + d(0, y)?;
            (a, b) = (a / self.q, b / self.q);
        }
        Some(total)
    }
}

/// Algorithm RFH_n-Routing, which is shortest where the routing of the base is: below the highest digit i that differs,
/// digits go to 0 from the lowest up, digit i goes straight to its target, and those below follow from the highest down.
///
/// Legs to 0 come first, in the order of their digits, the others after them in the opposite order.
impl Lift for RootFolded {
    fn classes(&self) -> u16 {
        if self.n == 1 { 1 } else { 2 }
    }

    fn longest(&self, base: u64) -> u64 {
        base.saturating_mul(2 * u64::from(self.n) - 1)
    }

    fn inner(&self, at: Node) -> Node {
        Node(at.0 % self.q)
    }

    fn next(&self, copy: &Leg<'_>, at: Node, header: Header) -> Option<Hop> {
        const TO_ROOT: u16 = 0;
        let from_root = self.classes() - 1;
        // The lowest digit that is not 0 must go there, and above it the highest that differs moves.
        let (mut a, mut b) = (at.0, header.to.0);
        let mut place = 0;
        let mut lowest = None;
        let mut highest = None;
        while a != b {
            let (x, y) = (a % self.q, b % self.q);
            if x != 0 && lowest.is_none() {
                lowest = Some((place, x));
            }
            if x != y {
                highest = Some((place, x, y));
            }
            (a, b, place) = (a / self.q, b / self.q, place + 1);
        }
        let (i, x, y) = highest?;
        let (place, hop) = match lowest {
            Some((place, digit)) if place < i => (place, copy.hop(digit, 0, header, TO_ROOT)?),
            _ => (i, copy.hop(x, y, header, from_root)?),
        };
        Some(Hop { port: Port(place * self.base.ports() + hop.port.0), ..hop })
    }
}

/// A node belongs to the copies of all digits below which it has zeros only.
impl Copies for RootFolded {
    fn seats(&self, at: Node) -> Vec<Seat> {
        let free = |&i: &u32| at.0.is_multiple_of(self.q.pow(i));
        let seat = |i: u32| {
            let above = at.0 / self.q.pow(i);
            Seat { level: i as usize, number: above / self.q, position: above % self.q }
        };
        (0..self.n).take_while(free).map(seat).collect()
    }

    fn at(&self, seat: Seat, port: Port) -> (Node, Port) {
        let i = u32::try_from(seat.level).expect("at most 63 digits");
        let node = (seat.number * self.q + seat.position) * self.q.pow(i);
        (Node(node), Port(i * self.base.ports() + port.0))
    }

    fn base_neighbor(&self, position: u64, port: Port) -> Option<u64> {
        self.base.neighbor(Node(position), port).map(|to| to.0)
    }
}

/// What is proven of root-folded networks.
#[derive(Debug)]
pub struct RootFoldedTheory {
    pub(super) base: Built,
    pub(super) n: u64,
    pub(super) order: BigUint,
    pub(super) reading: Reading,
}

impl RootFoldedTheory {
    /// The degree of node 0 of the base, and how many others have each degree.
    fn degrees_of_base(&self) -> Option<(u64, Vec<(u64, BigUint)>)> {
        let base = self.base.theory.degrees();
        let zero = base.regular_degree().or_else(|| self.base.degree_of(Node(0)))?;
        let mut others = base.counts?;
        *others.get_mut(&zero)? -= 1u8;
        Some((zero, others.into_iter().collect()))
    }
}

impl RootFoldedTheory {
    /// How often each link of the base occurs: once for every choice of the digits above, 1 + q + … + q^(n-1) times.
    fn copies(&self) -> BigUint {
        let q = self.base.order();
        match self.reading {
            Reading::Intended if !q.is_one() => (&self.order - 1u8) / (&q - 1u8),
            _ => self.n.into(),
        }
    }

    /// A node whose lowest nonzero digit is a at place z has z times the links of 0, and those of a.
    fn cable_degrees(&self) -> Degrees {
        /// More classes than these are bounded, not listed.
        const MAX_CLASSES: u64 = 1 << 12;
        let q = self.base.order();
        let base = self.base.theory.degrees();
        let links = &base.cables * self.copies();
        let bounds = Degrees::bounded(
            links,
            if self.reading == Reading::Literal { 0 } else { base.min },
            base.max.saturating_mul(self.n),
        );
        let Some((zero, others)) = self.degrees_of_base() else { return bounds };
        if self.n > MAX_CLASSES {
            return bounds;
        }
        let root = (self.n * zero, BigUint::one());
        match self.reading {
            Reading::Intended => {
                let mut above = self.order.clone();
                let mut classes = vec![root];
                for z in 0..self.n {
                    above /= &q;
                    classes.extend(others.iter().map(|(d, nodes)| (z * zero + d, nodes * &above)));
                }
                Degrees::counted(classes)
            }
            Reading::Literal => {
                let linked = (&q - 1u8) * self.n + 1u8;
                let one_digit = others.iter().map(|(d, nodes)| (*d, nodes * self.n));
                let alone = (0, &self.order - linked);
                Degrees::counted(one_digit.chain([root, alone]))
            }
        }
    }
}

impl Theory for RootFoldedTheory {
    fn order(&self) -> BigUint {
        self.order.clone()
    }

    fn degrees(&self) -> Degrees {
        self.cable_degrees().with_copies(&self.base.theory.degrees(), &self.copies())
    }

    fn connected(&self) -> bool {
        self.reading == Reading::Intended || self.n == 1 || self.order.is_one()
    }

    /// D + 2(n-1)·e, with e the eccentricity of node 0 of the base.
    fn diameter(&self) -> Option<Bounded> {
        if !self.connected() {
            return None;
        }
        let far = self.base.theory.distances_from_zero()?.longest();
        Some(self.base.theory.diameter()?.map(|d| d + BigUint::from(far) * 2u8 * (self.n - 1)))
    }

    /// By the highest digit that differs: those above agree, those below are free at either end.
    fn distances(&self) -> Option<Distances> {
        if self.reading == Reading::Literal {
            return None;
        }
        let q = self.base.order();
        let inner = self.base.theory.distances()?;
        let from_zero = self.base.theory.distances_from_zero()?;
        let length = from_zero.longest().saturating_mul(2).saturating_mul(self.n);
        if !is_quick(length, 2 * self.order.bits()) {
            return None;
        }
        let both = from_zero.times(&from_zero)?;
        let differ = inner.minus(&Distances::new([q.clone()]));
        let mut above = self.order.clone();
        let mut below = Distances::new([1u8]);
        let mut total = Distances::new([self.order.clone()]);
        for _ in 0..self.n {
            above /= &q;
            total = total.plus(&differ.times(&below)?.scaled(&above));
            below = below.times(&both)?;
        }
        Some(total)
    }

    fn distances_from_zero(&self) -> Option<Distances> {
        if self.reading == Reading::Literal {
            return None;
        }
        self.base.theory.distances_from_zero()?.power(self.n)
    }
}
