//! The broadcasts of the paper as their text has them.
//!
//! `as-printed` is the text to the letter, with the procedures that it calls to the letter too; `as-printed-outer` its own
//! text to the letter with the called procedures corrected.
//!
//! # Where we differ
//! - Basic-Broadcasting: N_p1 and N_m1 tell S again (2.1, 2.2), and step 3 goes on from S, which N_m2(p1) is, and from
//!   one node more: four nodes are never informed.
//! - FH_n- and RFH_n-Broadcasting call Basic-Broadcasting(S_i) for one S: only it broadcasts, in each dimension.
//! - RFH_n- and σFH_n-Broadcasting go to the root first (`root`, which is `paper`), or to 0_(n-1), which leaves the top
//!   digit as it is (`top`), and then down, each node that was informed on the way down in the next digit. Those on the
//!   way up are informed twice. `copies` is ours, without that. To the letter one node alone broadcasts: the root where
//!   0_i is digit i set to 0 (`as-printed`), the node of the top copy where 0_i is as it is defined (`as-printed-zeros`).
//! - σFH_n-Broadcasting(S_k) calls Basic-Broadcasting once for every dimension at the root, which belongs to two copies.
//! - σH_n-Broadcasting calls itself at every neighbor with a new counter, and never ends: it is followed until what is
//!   sent repeats.

use super::flooded::Flooded;
use super::graph::neighbor;
use super::procedures::Legs;
use super::root_folded::RootFolded;
use nestnet_collectives::broadcast::streamed;
use nestnet_collectives::printed_broadcast::{PrintedBroadcast, PrintedSteps, printed_steps};
use nestnet_collectives::{Broadcast, Ports, Schedule, Steps, Transfer};
use nestnet_graph::network::sorted_neighbors;
use nestnet_graph::{Network, Node};
use std::collections::{BTreeMap, BTreeSet};
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
    /// Its broadcast to the letter, in its place.
    pub text: Option<Arc<dyn PrintedBroadcast>>,
}

impl Base {
    fn order(&self) -> u64 {
        self.legs.network.order()
    }

    /// The broadcast of the base, as it is or to the letter.
    fn steps(&self, start: u64) -> PrintedSteps {
        match &self.text {
            Some(text) => text.from(Node(start)),
            None => printed_steps(&*self.legs.network, &*self.broadcast, Node(start)),
        }
    }

    /// The broadcast of the base from `start` in one digit of each of `holders`, whose digit there is `start`.
    fn spread(&self, holders: &[u64], start: u64, place: u64, out: &mut PrintedSteps) {
        for step in self.steps(start) {
            let sends = holders.iter().flat_map(|holder| {
                let rest = holder - start * place;
                let at = move |digit: Node| Node(rest + digit.0 * place);
                step.iter().map(move |&(from, to)| (at(from), at(to)))
            });
            out.push(sends.collect());
        }
    }

    /// Hop by hop in one digit, one after the other. A text that does not forward goes on elsewhere, without the message.
    fn hops(&self, from: u64, to: u64, node: impl Fn(u64) -> Node, out: &mut PrintedSteps) {
        let route = self.legs.walk(from, to).map(|(leg, _)| leg);
        let mut at = from;
        for next in route.into_iter().flatten() {
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
    /// To the top copy, where the node that is reached alone broadcasts.
    TopAlone,
}

impl Up {
    /// Whether the top digit stays as it is.
    fn keeps_top(self) -> bool {
        matches!(self, Up::TopCopy | Up::TopAlone)
    }

    /// Whether one node alone broadcasts.
    fn is_alone(self) -> bool {
        matches!(self, Up::RootAlone | Up::TopAlone)
    }
}

/// A text that reaches everybody, as a schedule.
#[derive(Debug)]
pub(super) struct Scheduled {
    pub network: Arc<dyn Network>,
    pub text: Arc<dyn PrintedBroadcast>,
}

impl Broadcast for Scheduled {
    fn ports(&self) -> Ports {
        self.text.ports()
    }

    fn from(&self, root: Node) -> Steps<'_> {
        let transfer = |(from, to): (Node, Node)| {
            let mut found = None;
            self.network.for_each_neighbor(from, &mut |port, next| {
                if next == to && found.is_none() {
                    found = Some(Transfer { from, port, block: 0 });
                }
            });
            found
        };
        let steps = self.text.from(root).into_iter();
        let steps = steps.map(|step| step.into_iter().filter_map(transfer).collect()).collect();
        streamed(Schedule { steps })
    }

    fn claimed(&self) -> Option<u64> {
        self.text.claimed()
    }
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
        let climbs = if self.up.keeps_top() { n - 1 } else { n };
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
            if !self.up.is_alone() {
                let rest = holders.iter().map(|holder| holder - start * place);
                holders = rest.flat_map(|rest| (0..q).map(move |d| rest + d * place)).collect();
            }
        }
        out
    }
}

/// σH_n-Broadcasting with σH-Basic-Broadcasting-All, to the letter: every call sends to the neighbors whose flag is not
/// the caller, sets their flags, and makes a call at every neighbor, with a new counter each.
///
/// Calls of one depth are one step, in which flags are read before any is set; of several that set a flag the last by id
/// counts, and equal calls are one.
#[derive(Debug)]
pub(super) struct BroadcastingAll {
    pub network: Arc<dyn Network>,
}

impl BroadcastingAll {
    /// The steps until calls and flags are as they were before, and the step behind which they repeat.
    fn until_it_repeats(&self, root: Node) -> (PrintedSteps, u64) {
        let near = |at: Node| sorted_neighbors(&*self.network, at);
        let mut flags: BTreeMap<Node, Node> = BTreeMap::new();
        let mut calls = BTreeSet::from([root]);
        let (mut seen, mut steps) = (BTreeMap::new(), PrintedSteps::new());
        loop {
            let state = (calls.clone(), flags.clone());
            if let Some(&before) = seen.get(&state) {
                return (steps, before);
            }
            seen.insert(state, steps.len() as u64);
            let sends = |&from: &Node| near(from).into_iter().map(move |to| (from, to));
            let step: Vec<(Node, Node)> = calls
                .iter()
                .flat_map(sends)
                .filter(|(from, to)| flags.get(to) != Some(from))
                .collect();
            flags.extend(step.iter().map(|&(from, to)| (to, from)));
            calls = calls.iter().flat_map(|&at| near(at)).collect();
            steps.push(step);
        }
    }
}

impl PrintedBroadcast for BroadcastingAll {
    fn ports(&self) -> Ports {
        Ports::All
    }

    fn from(&self, root: Node) -> PrintedSteps {
        self.until_it_repeats(root).0
    }

    fn repeats_after(&self, root: Node) -> Option<u64> {
        Some(self.until_it_repeats(root).1)
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
        let climbs = usize::from(self.up.keeps_top());
        for depth in (climbs..digits.len()).rev() {
            let node = |digit| self.network.at_digits(&digits[..depth], digit);
            self.base.hops(digits[depth], 0, node, &mut out);
        }
        let first = if self.up.keeps_top() { digits[0] } else { 0 };
        let q = self.base.order();
        // The prefixes of the copies in which the next step broadcasts.
        let mut copies: Vec<Vec<u64>> = vec![Vec::new()];
        for depth in 0..self.network.steps() {
            let start = if depth == 0 { first } else { 0 };
            for step in self.base.steps(start) {
                let sends = copies.iter().flat_map(|copy| {
                    let at = |digit: Node| self.network.at_digits(copy, digit.0);
                    step.iter().map(move |&(from, to)| (at(from), at(to)))
                });
                out.push(sends.collect());
            }
            if self.up.is_alone() {
                // It is node 0 of the copy that it spawned, and of no other.
                copies = if depth == 0 { vec![vec![first]] } else { Vec::new() };
                continue;
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
