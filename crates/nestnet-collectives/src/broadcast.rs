//! How a message spreads from one node to all: what a broadcast is, and how quick it can be at best.

use super::bits::Bits;
use super::{Ports, Schedule, Steps, Transfer};
use nestnet_graph::measure::search::distances_from;
use nestnet_graph::{Budget, Network, Node, Port};
use serde::Serialize;
use std::fmt::Debug;

/// A way to spread a message from any node to all.
///
/// # Contract
/// Judged by [`super::check`] with its ports, its schedule from any root achieves [`super::Goal::Broadcast`].
pub trait Broadcast: Debug + Send + Sync {
    /// What it needs of a node.
    fn ports(&self) -> Ports;

    /// The transfers, step by step.
    fn from(&self, root: Node) -> Steps<'_>;

    /// How many steps its paper says it takes at most.
    fn claimed(&self) -> Option<u64> {
        None
    }

    /// What it costs as its paper counts, where that is not in links.
    fn modeled(&self, _root: Node) -> Option<Modeled> {
        None
    }
}

/// What a broadcast costs in the model of its paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Modeled {
    /// How many steps.
    pub steps: u64,
    /// How many nodes it misses.
    pub missed: u64,
}

/// No broadcast from `root` takes fewer steps: as far as the farthest node, and with one port no more than twice as many
/// nodes know after a step. One search.
pub fn lower_bound(network: &dyn Network, root: Node, ports: Ports) -> u64 {
    let distances = distances_from(network, root);
    let far = distances.into_iter().filter(|&d| d != u32::MAX).max().unwrap_or(0);
    let doublings = network.order().next_power_of_two().ilog2();
    match ports {
        Ports::All => far.into(),
        Ports::One => far.max(doublings).into(),
    }
}

/// With all ports: every node sends to those that do not know yet; of several senders the lowest does.
///
/// As many steps as the farthest node is away, which is the least. O(nodes + links) and a bit a node.
#[derive(Debug)]
pub struct Flood<N> {
    network: N,
}

impl<N: AsRef<dyn Network> + Debug + Send + Sync> Flood<N> {
    /// The nodes of the network must fit in memory, a bit each.
    pub fn new(network: N) -> Self {
        Flood { network }
    }
}

impl<N: AsRef<dyn Network> + Debug + Send + Sync> Broadcast for Flood<N> {
    fn ports(&self) -> Ports {
        Ports::All
    }

    fn from(&self, root: Node) -> Steps<'_> {
        let network = self.network.as_ref();
        let mut knows = Knows::new(network.order());
        knows.tell(root);
        let mut frontier = vec![root];
        Box::new(move |out: &mut Vec<Transfer>| {
            let mut next = Vec::new();
            for &from in &frontier {
                network.for_each_neighbor(from, &mut |port, to| {
                    if knows.tell(to) {
                        out.push(Transfer { from, port, block: 0 });
                        next.push(to);
                    }
                });
            }
            frontier = std::mem::take(&mut next);
            frontier.sort_unstable();
            !frontier.is_empty()
        })
    }
}

/// Who knows: a bit for each node.
#[derive(Debug)]
pub struct Knows {
    bits: Bits,
}

impl Knows {
    /// Nobody of `order` nodes, which fit in memory.
    pub fn new(order: u64) -> Self {
        Knows { bits: Bits::new(1, order, &Budget::UNLIMITED).expect("no limit is set") }
    }

    /// Tells a node, and says whether that was news.
    pub fn tell(&mut self, node: Node) -> bool {
        self.bits.set(0, node.0)
    }

    /// Whether a node knows.
    pub fn has(&self, node: Node) -> bool {
        self.bits.has(0, node.0)
    }
}

/// The steps of a schedule as a stream of its own.
pub fn streamed(schedule: Schedule) -> Steps<'static> {
    let mut steps = schedule.steps.into_iter();
    Box::new(move |out: &mut Vec<Transfer>| {
        let step = steps.next();
        let more = step.is_some();
        out.extend(step.into_iter().flatten());
        more
    })
}

/// One step, from pairs of senders and ports.
pub fn sends(pairs: impl IntoIterator<Item = (u64, Port)>) -> Vec<Transfer> {
    pairs.into_iter().map(|(from, port)| Transfer { from: Node(from), port, block: 0 }).collect()
}
