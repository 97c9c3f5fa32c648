//! ROUTRCN as its listing has it, line by line, in the paper's indices, which count from 1.
//!
//! # Where we differ
//! - The listing has no base case: at m = 0 it walks to the last node of the unit (position (0-1) mod n_u) and calls
//!   itself from there without end. The sketch before the listing has one (step 2c), which `as-printed-sketch` follows.
//! - `first` is taken modulo the size of a copy of G_(m-1) and so names nodes of the first copy of G_m alone; in another
//!   copy neither end of ROUT_f is among the nodes that it is given.
//! - tt of the first branch is in the unit of y, which is no node of that frame unless x and y are in corresponding units.
//! - i, in head, is not defined: it is read as x, whose unit copy the comment names. t.first adds the index of head, which
//!   counts from the first node of the network, to that of a copy. The columns that are looked up are m, not (λ+1)·d_f.
//! - The pointer column is RELLN's own, as RELLN leaves it: it has moved once for each link of the frame's node, and not at
//!   all in phases with one pivot.
//!
//! Which branch a phase takes is the test m ≤ ⌊r/n_u⌋·n_u as printed, also with PSS_(sk) (`pivots=diameter`), whose phases
//! have one pivot each. That they all take the first branch, as the paper says of RELLN, is `as-printed-single`.

use super::network::Expansion;
use super::plans::Pivot;
use super::router::Parts;
use nestnet_graph::{Network, Node};
use nestnet_routing::route::{Ending, Procedure, Trace, walk};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

/// The listing with the base case of the sketch before it.
pub(super) const PRINTED_SKETCH: &str = "as-printed-sketch";

/// The sketch with the first branch in all phases, where all of them have one pivot.
pub(super) const PRINTED_SINGLE: &str = "as-printed-single";

/// How the listing is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// To the letter.
    Letter,
    /// With a base case: m = 0 is a walk in the unit, as step 2c of the sketch has it.
    Sketch,
    /// With the base case, and with the first branch in all phases.
    Single,
}

/// The listing on a network of one frame.
#[derive(Debug)]
pub(super) struct Routrcn {
    pub network: Arc<Expansion>,
    pub parts: Parts,
    pub reading: Reading,
}

/// More calls are cut off.
const MAX_CALLS: usize = 1 << 12;

/// A message on its way: indices from 1.
struct Message {
    nodes: Vec<Node>,
    /// A_Gr\[head\]\[r+2\], where it was moved.
    pointers: BTreeMap<u64, u64>,
}

impl Message {
    fn at(&self) -> u64 {
        self.nodes.last().map_or(1, |node| node.0 + 1)
    }
}

impl Routrcn {
    /// `None` where phases have given or searched sets, which the listing does not know, or frames of several kinds.
    pub(super) fn new(network: Arc<Expansion>, parts: Parts, reading: Reading) -> Option<Self> {
        let known = |pivot: &Pivot| match pivot {
            Pivot::At(_) => true,
            Pivot::Block { .. } => reading != Reading::Single,
            _ => false,
        };
        let orders = network.phases.iter().map(|phase| phase.frame.order());
        let one = orders.collect::<BTreeSet<_>>().len() == 1;
        let fits = one && network.phases.iter().all(|phase| known(&phase.pivot));
        fits.then_some(Routrcn { network, parts, reading })
    }

    fn n_u(&self) -> u64 {
        self.network.n_u
    }

    /// n_f.
    fn n_f(&self) -> u64 {
        self.network.phases[0].frame.order()
    }

    /// ROUT_u inside the unit copy of the message.
    fn rout_u(&self, message: &mut Message, to: u64) -> Result<(), Ending> {
        let n_u = self.n_u();
        let start = message.at() - (message.at() - 1) % n_u;
        if to < start || to >= start + n_u {
            return Err(Ending::Undefined);
        }
        let (a, b) = (Node(message.at() - start), Node(to - start));
        let (unit, router) = (&*self.network.unit, &*self.parts.unit);
        let leg = walk(unit, router, a, b, 0, router.longest()).map_err(|_| Ending::Undefined)?;
        message.nodes.extend(leg.nodes.iter().skip(1).map(|at| Node(start - 1 + at.0)));
        Ok(())
    }

    /// The path of ROUT_f between two nodes of the frame, from 1.
    fn frame_path(&self, phase: usize, from: u64, to: u64) -> Result<Vec<u64>, Ending> {
        let range = 1..=self.n_f();
        if !range.contains(&from) || !range.contains(&to) {
            return Err(Ending::Undefined);
        }
        let (frame, router) = (&*self.network.phases[phase].frame, &*self.parts.frames[phase]);
        let (a, b) = (Node(from - 1), Node(to - 1));
        let leg = walk(frame, router, a, b, 0, router.longest()).map_err(|_| Ending::Undefined)?;
        Ok(leg.nodes.iter().map(|at| at.0 + 1).collect())
    }

    /// The columns of node e for links between units, in the order in which RELLN fills them.
    fn columns(&self, e: u64) -> Vec<u64> {
        let at = Node(e - 1);
        let mut links = Vec::new();
        self.network.for_each_neighbor(at, &mut |_, to| {
            if let Some(&phase) = self.network.differing(at, to).last() {
                links.push((phase, to.0 + 1));
            }
        });
        links.sort_unstable();
        links.into_iter().map(|(_, to)| to).collect()
    }

    /// ROUT_Pm: inside the nodes first..first+size-1.
    fn rout_pm(&self, message: &mut Message, to: u64, first: u64, size: u64) -> Result<(), Ending> {
        let inside = first..first + size;
        let from = message.at();
        if !inside.contains(&from) || !inside.contains(&to) {
            return Err(Ending::Undefined);
        }
        let mut before: BTreeMap<u64, u64> = BTreeMap::from([(to, to)]);
        let mut open = VecDeque::from([to]);
        while let Some(at) = open.pop_front() {
            self.network.for_each_neighbor(Node(at - 1), &mut |_, next| {
                let next = next.0 + 1;
                if inside.contains(&next) && !before.contains_key(&next) {
                    before.insert(next, at);
                    open.push_back(next);
                }
            });
        }
        let mut at = from;
        while at != to {
            at = *before.get(&at).ok_or(Ending::Undefined)?;
            message.nodes.push(Node(at - 1));
        }
        Ok(())
    }

    /// The branch of the phases with one pivot.
    fn first_branch(&self, message: &mut Message, y: u64, m: u64) -> Result<(), Ending> {
        let (n_u, n_f) = (self.n_u(), self.n_f());
        // (m-1) mod n_u, which is n_u-1 for m = 0.
        let pivot = (m + n_u - 1) % n_u;
        let x = message.at();
        let first = x - (x - 1) % n_u;
        self.rout_u(message, first + pivot)?;
        let ss = message.at();
        let tt = y - (y - 1) % n_u + pivot;
        if ss == tt {
            return Ok(());
        }
        // ROUT_f among first, first + Δ, …, first + Δ(n_f-1).
        let phase = usize::try_from(m).ok().and_then(|m| m.checked_sub(1));
        let phase = phase.ok_or(Ending::Undefined)?;
        let delta = self.network.phases[phase].stride;
        let first = (first - 1) % delta + pivot + 1;
        let place = |node: u64| {
            let behind = node.checked_sub(first).filter(|behind| behind % delta == 0);
            behind.map(|behind| behind / delta + 1).filter(|&place| place <= n_f)
        };
        let (from, to) = place(ss).zip(place(tt)).ok_or(Ending::Undefined)?;
        let path = self.frame_path(phase, from, to)?;
        let nodes = path.iter().skip(1).map(|place| Node(first - 1 + delta * (place - 1)));
        message.nodes.extend(nodes);
        Ok(())
    }

    /// The branch of the phases with several pivots.
    fn last_branch(&self, message: &mut Message, y: u64, m: u64) -> Result<(), Ending> {
        let (n_u, r) = (self.n_u(), self.network.phases.len() as u64);
        let phase = usize::try_from(m - 1).map_err(|_| Ending::Undefined)?;
        let degrees = (0..self.n_f()).map(|at| self.degree(phase, at));
        let d_f = degrees.max().unwrap_or(0);
        // n_pset := min{⌊n_u/r - ⌊r/n_u⌋·n_u⌋, d_f}, as printed without brackets around the difference.
        let size = (n_u / r).checked_sub(r / n_u * n_u).ok_or(Ending::Undefined)?.min(d_f);
        if size == 0 {
            return Err(Ending::Undefined);
        }
        let x = message.at();
        let unit = x - (x - 1) % n_u;
        let head = unit + (m - 1) % n_u * size;
        let digit = (head - 1) / self.network.phases[phase].stride % self.n_f();
        // Of one pivot RELLN moves no pointer.
        let left = match self.network.phases[phase].pivot {
            Pivot::At(_) => 0,
            _ => self.degree(phase, digit) % size,
        };
        let pointer = message.pointers.entry(head).or_insert(left);
        let tt = head + *pointer;
        *pointer = (*pointer + 1) % size;
        self.rout_u(message, tt)?;
        let delta = self.network.phases[phase].stride;
        let head_g = y / delta * delta + 1;
        let t_first = head_g + head - 1;
        let first = (unit - 1) % delta + (m - 1) % n_u + 1;
        let path = self.frame_path(phase, message.at().div_ceil(delta), t_first.div_ceil(delta))?;
        for pair in path.windows(2) {
            let [here, there] = [pair[0], pair[1]].map(|place| first + delta * (place - 1));
            let looked = usize::try_from(m).map_err(|_| Ending::Undefined)?;
            let order = self.network.order();
            let found = (here..here + size).filter(|&e| e <= order).find_map(|e| {
                let columns = self.columns(e).into_iter().take(looked);
                let next = { columns }.find(|to| (there..there + size).contains(to))?;
                Some((e, next))
            });
            let (leaves, next) = found.ok_or(Ending::Undefined)?;
            self.rout_pm(message, leaves, here, size)?;
            message.nodes.push(Node(next - 1));
        }
        Ok(())
    }

    /// The links of a node of a frame, from 0.
    fn degree(&self, phase: usize, at: u64) -> u64 {
        let mut degree = 0;
        self.network.phases[phase].frame.for_each_neighbor(Node(at), &mut |_, _| degree += 1);
        degree
    }

    /// Call after call, until one is as one before.
    fn run(&self, message: &mut Message, y: u64) -> Ending {
        let (n_u, r) = (self.n_u(), self.network.phases.len() as u64);
        let mut calls = BTreeSet::new();
        loop {
            let seen = !calls.insert((message.at(), message.pointers.clone()));
            if seen || calls.len() > MAX_CALLS {
                return Ending::Endless;
            }
            let differing = self.network.differing(Node(message.at() - 1), Node(y - 1));
            let m = differing.last().map_or(0, |&phase| phase as u64 + 1);
            if m == 0 && self.reading != Reading::Letter {
                return self.rout_u(message, y).map_or_else(|ending| ending, |()| Ending::Arrives);
            }
            let called = if self.reading == Reading::Single || m <= r / n_u * n_u {
                self.first_branch(message, y, m)
            } else {
                self.last_branch(message, y, m)
            };
            if let Err(ending) = called {
                return ending;
            }
        }
    }
}

impl Procedure for Routrcn {
    fn trace(&self, from: Node, to: Node) -> Option<Trace> {
        let mut message = Message { nodes: vec![from], pointers: BTreeMap::new() };
        let ending = self.run(&mut message, to.0 + 1);
        Some(Trace { nodes: message.nodes, ending })
    }

    fn is_simple(&self) -> bool {
        false
    }
}
