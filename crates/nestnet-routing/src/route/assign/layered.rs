//! Virtual channels that a message keeps: every target, or every pair, has its lane.
//!
//! Targets or pairs are put into the first lane in which the dependencies of all their routes stay without a cycle, as
//! LASH (Skeie, Lysne and Theiss 2002) and DFSSSP (Domke, Hoefler and Nagel 2011) do. This is what fabrics need whose
//! messages cannot change lanes on their way.

use super::acyclic::Acyclic;
use super::dependencies::{Branch, Turning};
use crate::route::deadlock::{DeadlockError, NONE};
use crate::route::{Entry, Header, Hop, Router, Vc};
use nestnet_graph::{Budget, Network, Node};
use std::sync::Arc;

/// What is put into a lane as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grain {
    /// All routes to a node.
    Target,
    /// The route from one node to another.
    Pair,
}

/// The same routes as another router that remembers nothing, each on a lane of its own choice.
#[derive(Debug)]
pub struct Layered {
    inner: Arc<dyn Router>,
    grain: Grain,
    hosts: usize,
    /// By target, or by target and then source.
    lanes: Vec<u16>,
    vcs: u16,
}

/// One lane: what is accepted, and the bits of it.
struct Lane {
    graph: Acyclic,
    has: Vec<u64>,
}

impl Lane {
    /// Adds all of `asked`, or none of them.
    fn accept(&mut self, turning: &Turning, asked: &[u32]) -> bool {
        let mut added = Vec::new();
        for &number in asked {
            let (word, mask) = (number as usize / 64, 1 << (number % 64));
            if self.has[word] & mask != 0 {
                continue;
            }
            let (slot, next) = turning.ends(number);
            if !self.graph.insert(slot, next) {
                for &number in added.iter().rev() {
                    let (slot, next) = turning.ends(number);
                    self.graph.remove(slot, next);
                    self.has[number as usize / 64] &= !(1 << (number % 64));
                }
                return false;
            }
            self.has[word] |= mask;
            added.push(number);
        }
        true
    }
}

impl Layered {
    /// Finds lanes for all routes between hosts, or `None` when more than `most` are needed. The router must remember
    /// nothing. Targets, and their sources, are taken in ascending order.
    pub(super) fn new(
        network: &dyn Network,
        turning: &Turning,
        inner: Arc<dyn Router>,
        grain: Grain,
        most: u16,
        limits: &Budget<'_>,
    ) -> Result<Option<Self>, DeadlockError> {
        let hosts =
            turning.links.order().min(usize::try_from(network.hosts()).unwrap_or(usize::MAX));
        let entries = match grain {
            Grain::Target => hosts,
            Grain::Pair => hosts.saturating_mul(hosts),
        };
        limits.fits("the dependencies", 2 * entries as u128)?;
        let slots = u32::try_from(turning.links.slots()).expect("slots have 32 bits");
        let empty =
            || Lane { graph: Acyclic::new(slots), has: vec![0; turning.count().div_ceil(64)] };
        let mut lanes: Vec<Lane> = Vec::new();
        let mut chosen = vec![0u16; entries];
        let mut row = vec![Entry::NONE; turning.links.order()];
        let (mut tree, mut sorted, mut asked) = (Vec::new(), Vec::new(), Vec::new());
        let mut put = |asked: &[u32]| -> Option<u16> {
            for index in 0..most {
                if usize::from(index) == lanes.len() {
                    lanes.push(empty());
                }
                if lanes[usize::from(index)].accept(turning, asked) {
                    return Some(index);
                }
            }
            None
        };
        for to in 0..hosts {
            limits.watch.check()?;
            (limits.watch.progress)(to as f64 / hosts as f64);
            inner.fill(Node(to as u64), &mut row);
            turning.tree(to, &row, &mut tree, &mut sorted);
            let mut passed = vec![false; tree.len()];
            asked.clear();
            for from in 0..hosts {
                let mut at = from;
                while tree[at].next != NONE && !passed[at] {
                    passed[at] = grain == Grain::Target;
                    let Branch { next, slot } = tree[at];
                    let further = tree[next as usize].slot;
                    if further != NONE {
                        let number = turning.number(slot, further);
                        asked.push(u32::try_from(number).expect("dependencies have 32 bits"));
                    }
                    at = next as usize;
                }
                if grain == Grain::Pair {
                    let Some(lane) = put(&asked) else { return Ok(None) };
                    chosen[to * hosts + from] = lane;
                    asked.clear();
                }
            }
            if grain == Grain::Target {
                let Some(lane) = put(&asked) else { return Ok(None) };
                chosen[to] = lane;
            }
        }
        let vcs = chosen.iter().max().map_or(1, |&lane| lane + 1);
        Ok(Some(Layered { inner, grain, hosts, lanes: chosen, vcs }))
    }

    /// With the routes of a router that has the same ones.
    pub(super) fn with_inner(self, inner: Arc<dyn Router>) -> Self {
        Layered { inner, ..self }
    }

    /// The lane of the messages from one host to another.
    pub fn lane(&self, from: Node, to: Node) -> Vc {
        let index = |node: Node| usize::try_from(node.0).unwrap_or(usize::MAX);
        let at = match self.grain {
            Grain::Target => index(to),
            Grain::Pair => index(to).saturating_mul(self.hosts).saturating_add(index(from)),
        };
        Vc(self.lanes.get(at).copied().unwrap_or(0))
    }
}

impl Router for Layered {
    fn vcs(&self) -> u16 {
        self.vcs
    }

    fn inner(&self) -> Option<&dyn Router> {
        Some(&*self.inner)
    }

    /// Of several hops the inner router's first is taken.
    fn adapts(&self) -> bool {
        false
    }

    /// One route a pair.
    fn choices(&self) -> u64 {
        1
    }

    /// The state is the lane, where the source matters.
    fn start(&self, from: Node, to: Node, _choice: u64) -> Header {
        let state = if self.grain == Grain::Pair { self.lane(from, to).0.into() } else { 0 };
        Header { to, state }
    }

    fn next(&self, at: Node, header: Header) -> Option<Hop> {
        let hop = self.inner.next(at, Header { to: header.to, state: 0 })?;
        let vc = match self.grain {
            Grain::Target => self.lane(at, header.to),
            Grain::Pair => Vc(u16::try_from(header.state).unwrap_or(0)),
        };
        Some(Hop { port: hop.port, vc, header })
    }

    fn remembers(&self) -> bool {
        self.grain == Grain::Pair
    }

    fn fill(&self, to: Node, row: &mut [Entry]) {
        self.inner.fill(to, row);
        let vc = self.lane(to, to);
        for entry in row {
            *entry = entry.get().map_or(Entry::NONE, |(port, _)| Entry::new(port, vc));
        }
    }

    /// What the routes need, and a lane for every target.
    fn state_bytes(&self) -> u64 {
        self.inner.state_bytes() + self.hosts as u64
    }
}
