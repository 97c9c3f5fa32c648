//! The broadcasts of the paper as their text has them.
//!
//! # Where we differ
//! - Basic-Broadcasting: N_p1 and N_m1 tell S again (2.1, 2.2), and step 3 goes on from S, which N_m2(p1) is, and from
//!   one node more: four nodes are never informed.
//! - FH_n- and RFH_n-Broadcasting call Basic-Broadcasting(S_i) for one S: only it broadcasts, in each dimension.
//! - RFH_n- and σFH_n-Broadcasting go to the root first (`root`), or to 0_(n-1), which leaves the top digit as it is
//!   (`top`), and then down, each node that was informed on the way down in the next digit. Those on the way up are informed
//!   twice. `paper` is without that.

use super::flooded::Flooded;
use super::graph::neighbor;
use super::procedures::Legs;
use super::root_folded::RootFolded;
use nestnet_collectives::printed_broadcast::{PrintedBroadcast, PrintedSteps, printed_steps};
use nestnet_collectives::{Broadcast, Ports};
use nestnet_graph::Node;
use std::sync::Arc;

/// The name of Basic-Broadcasting to the letter by its second reading.
pub(super) const PRINTED_PLUS: &str = "as-printed-plus";

/// What N_p2(p1) is, which step 3.2 names and no step defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Undefined {
    /// The sender N_d2(p1) of the step.
    Sender,
    /// N_plus(N_p1), as N_p2(m1) is N_plus(N_m1). It has not the message, and one of the two is no neighbor of the sender.
    Plus,
}

/// Basic-Broadcasting to the letter.
#[derive(Debug)]
pub(super) struct BasicAsPrinted(pub(super) Undefined);

impl PrintedBroadcast for BasicAsPrinted {
    fn ports(&self) -> Ports {
        Ports::All
    }

    fn from(&self, root: Node) -> PrintedSteps {
        let [plus, minus, distance] = [0, 1, 2].map(|port| move |at: u64| neighbor(at, port));
        let s = root.0;
        let [p1, m1, d1] = [plus(s), minus(s), distance(s)];
        let (m2, d2) = (minus(p1), distance(p1));
        let middle = match self.0 {
            Undefined::Sender => d2,
            Undefined::Plus => plus(p1),
        };
        let steps = [
            vec![(s, p1), (s, m1), (s, d1)],
            vec![
                (p1, m2),
                (p1, d2),
                (m1, plus(m1)),
                (m1, distance(m1)),
                (d1, minus(d1)),
                (d1, plus(d1)),
            ],
            vec![(m2, plus(m2)), (m2, distance(m2)), (d2, plus(middle)), (d2, minus(middle))],
        ];
        let nodes = |step: Vec<(u64, u64)>| {
            step.into_iter().map(|(from, to)| (Node(from), Node(to))).collect()
        };
        steps.into_iter().map(nodes).collect()
    }

    fn claimed(&self) -> Option<u64> {
        Some(3)
    }
}

/// The base of a network of digits, with its routing and its broadcast.
#[derive(Clone, Debug)]
pub(super) struct Base {
    pub legs: Legs,
    pub broadcast: Arc<dyn Broadcast>,
}

impl Base {
    fn order(&self) -> u64 {
        self.legs.network.order()
    }

    /// The broadcast of the base from `start` in one digit of each of `holders`, whose digit there is `start`.
    fn spread(&self, holders: &[u64], start: u64, place: u64, out: &mut PrintedSteps) {
        for step in printed_steps(&*self.legs.network, &*self.broadcast, Node(start)) {
            let sends = holders.iter().flat_map(|holder| {
                let rest = holder - start * place;
                let at = move |digit: Node| Node(rest + digit.0 * place);
                step.iter().map(move |&(from, to)| (at(from), at(to)))
            });
            out.push(sends.collect());
        }
    }

    /// Hop by hop in one digit, one after the other.
    fn hops(&self, from: u64, to: u64, node: impl Fn(u64) -> Node, out: &mut PrintedSteps) {
        let route = self.legs.walk(from, to).into_iter().flatten();
        let mut at = from;
        for next in route {
            out.push(vec![(node(at), node(next))]);
            at = next;
        }
    }
}

/// FH_n-Broadcasting to the letter: S alone, in each dimension.
#[derive(Debug)]
pub(super) struct SenderAlone {
    pub base: Base,
    pub digits: u32,
}

impl PrintedBroadcast for SenderAlone {
    fn ports(&self) -> Ports {
        self.base.broadcast.ports()
    }

    fn from(&self, root: Node) -> PrintedSteps {
        let (q, mut out) = (self.base.order(), PrintedSteps::new());
        for place in (0..self.digits).rev().map(|digit| q.pow(digit)) {
            self.base.spread(&[root.0], root.0 / place % q, place, &mut out);
        }
        out
    }
}

/// How far a message goes up before it is broadcast.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Up {
    /// To the root.
    Root,
    /// To the top copy: the top digit stays.
    TopCopy,
    /// To the root, which alone broadcasts.
    RootAlone,
}

/// RFH_n-Broadcasting.
#[derive(Debug)]
pub(super) struct FromRoot {
    pub network: Arc<RootFolded>,
    pub base: Base,
    pub up: Up,
}

impl PrintedBroadcast for FromRoot {
    fn ports(&self) -> Ports {
        self.base.broadcast.ports()
    }

    fn from(&self, root: Node) -> PrintedSteps {
        let (q, n) = (self.base.order(), self.network.digits());
        let (mut at, mut out) = (root.0, PrintedSteps::new());
        let climbs = if self.up == Up::TopCopy { n - 1 } else { n };
        for place in (0..climbs).map(|digit| q.pow(digit)) {
            let digit = at / place % q;
            let rest = at - digit * place;
            self.base.hops(digit, 0, |digit| Node(rest + digit * place), &mut out);
            at = rest;
        }
        // All that were informed on the way down, and of those before the top digit the one that begins.
        let mut holders = vec![at];
        for place in (0..n).rev().map(|digit| q.pow(digit)) {
            let start = holders[0] / place % q;
            self.base.spread(&holders, start, place, &mut out);
            if self.up != Up::RootAlone {
                let rest = holders.iter().map(|holder| holder - start * place);
                holders = rest.flat_map(|rest| (0..q).map(move |d| rest + d * place)).collect();
            }
        }
        out
    }
}

/// σFH_n-Broadcasting.
#[derive(Debug)]
pub(super) struct FromFirstCopy {
    pub network: Arc<Flooded>,
    pub base: Base,
    pub up: Up,
}

impl PrintedBroadcast for FromFirstCopy {
    fn ports(&self) -> Ports {
        self.base.broadcast.ports()
    }

    fn from(&self, root: Node) -> PrintedSteps {
        let digits = self.network.digits(root);
        let mut out = PrintedSteps::new();
        let climbs = usize::from(self.up == Up::TopCopy);
        for depth in (climbs..digits.len()).rev() {
            let node = |digit| self.network.at_digits(&digits[..depth], digit);
            self.base.hops(digits[depth], 0, node, &mut out);
        }
        let first = if self.up == Up::TopCopy { digits[0] } else { 0 };
        let q = self.base.order();
        // The prefixes of the copies in which the next step broadcasts.
        let mut copies: Vec<Vec<u64>> = vec![Vec::new()];
        for depth in 0..self.network.steps() {
            let start = if depth == 0 { first } else { 0 };
            for step in printed_steps(&*self.base.legs.network, &*self.base.broadcast, Node(start))
            {
                let sends = copies.iter().flat_map(|copy| {
                    let at = |digit: Node| self.network.at_digits(copy, digit.0);
                    step.iter().map(move |&(from, to)| (at(from), at(to)))
                });
                out.push(sends.collect());
            }
            let grown = copies.iter().flat_map(|copy| {
                let least = u64::from(depth > 0);
                (least..q).map(move |digit| copy.iter().copied().chain([digit]).collect())
            });
            copies = grown.collect();
        }
        out
    }
}
