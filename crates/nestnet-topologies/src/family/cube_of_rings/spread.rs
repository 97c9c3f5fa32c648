//! The broadcast of Section 4.2: along the embedded tree, and then in the rings.
//!
//! # Where we differ
//! The text counts an edge of the tree as one step, whatever its links (wormhole switching): [`Modeled`]. In links an
//! edge is up to three, and who lies on the path is informed too, once. A ring with no node of the tree, which the text says
//! there is not, is informed from its neighbors at the end.

use super::network::CubeOfRings;
use crate::family::built::TreeEmbedding;
use nestnet_collectives::broadcast::{Knows, Modeled, streamed};
use nestnet_collectives::printed_broadcast::{Crosses, PrintedBroadcast, PrintedSteps};
use nestnet_collectives::{Broadcast, Ports, Schedule, Steps, Transfer};
use nestnet_graph::budget::Watch;
use nestnet_graph::{Network, Node, Port};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// Larger networks would not fit in memory.
pub(super) const MAX_ORDER: u64 = 1 << 32;

/// Along the tree of Lemma 1.
#[derive(Debug)]
pub(super) struct AlongTree {
    network: CubeOfRings,
    /// The tree from each position of corner 0, once it was asked for.
    embedded: Mutex<BTreeMap<u64, Arc<Vec<Node>>>>,
}

impl AlongTree {
    pub(super) fn new(network: CubeOfRings) -> Self {
        AlongTree { network, embedded: Mutex::default() }
    }

    /// The largest tree, from its root on. Flipping bits is an automorphism, so that corner 0 serves for all.
    fn tree(&self, root: Node) -> Vec<Node> {
        let (corner, position) = self.network.split(root);
        let known = self.embedded.lock().ok().and_then(|trees| trees.get(&position).cloned());
        let tree = known.unwrap_or_else(|| {
            let start = Node(position);
            let height = (self.network.order() + 1).ilog2();
            let embedded = self.network.embed(start, height, &Watch::SILENT).ok().flatten();
            let tree = Arc::new(embedded.unwrap_or_else(|| vec![start]));
            if let Ok(mut trees) = self.embedded.lock() {
                trees.insert(position, tree.clone());
            }
            tree
        });
        let r = self.network.rule.r;
        let flipped = |&at: &Node| {
            let (a, b) = self.network.split(at);
            Node((a ^ corner) * r + b)
        };
        tree.iter().map(flipped).collect()
    }

    /// The ports of a shortest path.
    fn path(&self, from: Node, to: Node) -> Vec<(Node, Port)> {
        let (mut at, mut ports) = (from, Vec::new());
        while let Some(here) = self.network.distance(at, to).filter(|&here| here > 0) {
            let mut next = None;
            self.network.for_each_neighbor(at, &mut |port, beside| {
                let nearer = self.network.distance(beside, to).is_some_and(|far| far < here);
                if next.is_none() && nearer {
                    next = Some((port, beside));
                }
            });
            let Some((port, beside)) = next else { break };
            ports.push((at, port));
            at = beside;
        }
        ports
    }
}

impl Broadcast for AlongTree {
    fn ports(&self) -> Ports {
        Ports::All
    }

    fn from(&self, root: Node) -> Steps<'_> {
        let tree = self.tree(root);
        let mut knows = Knows::new(self.network.order());
        knows.tell(root);
        let mut steps: Vec<Vec<Transfer>> = Vec::new();
        // Edges on their path: the node of the tree at the end, and the hops that are left, the next one last.
        let begin = |x: usize| {
            let children = (2 * x + 1..2 * x + 3).filter(|&child| child < tree.len());
            let edge = |child: usize| {
                let mut path = self.path(tree[x], tree[child]);
                path.reverse();
                (child, path)
            };
            children.map(edge).collect::<Vec<_>>()
        };
        let mut open = begin(0);
        while !open.is_empty() {
            let mut step = Vec::new();
            let mut arrived = Vec::new();
            for (child, path) in &mut open {
                if let Some((from, port)) = path.pop()
                    && self.network.neighbor(from, port).is_some_and(|to| knows.tell(to))
                {
                    step.push(Transfer { from, port, block: 0 });
                }
                if path.is_empty() {
                    arrived.push(*child);
                }
            }
            open.retain(|(_, path)| !path.is_empty());
            open.extend(arrived.into_iter().flat_map(&begin));
            steps.push(step);
        }
        // In the rings, and where those have nobody over any link.
        loop {
            let mut step = self.informed(&mut knows, |port| port.0 < self.network.ring_ports());
            if step.is_empty() {
                step = self.informed(&mut knows, |_| true);
            }
            if step.is_empty() {
                break;
            }
            steps.push(step);
        }
        streamed(Schedule { steps })
    }

    /// Theorem 2: k + j + ⌈log2 r⌉ + ⌊r/2⌋.
    fn claimed(&self) -> Option<u64> {
        let r = self.network.rule.r;
        let doublings = if r <= 1 { 0 } else { (r - 1).ilog2() + 1 };
        Some(self.network.rule.bits() + u64::from(doublings) + r / 2)
    }

    /// A step for each level of the tree, and then as many as the longest path in a ring; rings without a node of the tree
    /// are missed.
    fn modeled(&self, root: Node) -> Option<Modeled> {
        let tree = self.tree(root);
        let r = self.network.rule.r;
        let mut inside = Knows::new(self.network.order());
        tree.iter().for_each(|&node| _ = inside.tell(node));
        let (mut longest, mut missed) = (0, 0);
        for ring in 0..self.network.order() / r {
            let here: Vec<u64> = (0..r).filter(|b| inside.has(Node(ring * r + b))).collect();
            if here.is_empty() {
                missed += r;
                continue;
            }
            let far = |b: u64| here.iter().map(|&t| (b + r - t) % r).map(|up| up.min(r - up)).min();
            longest = longest.max((0..r).filter_map(far).max().unwrap_or(0));
        }
        let levels = u64::from((tree.len() as u64 + 1).ilog2());
        Some(Modeled { steps: levels - 1 + longest, missed })
    }
}

impl AlongTree {
    /// One step: everybody who knows tells over the links that are allowed.
    fn informed(&self, knows: &mut Knows, allowed: impl Fn(Port) -> bool) -> Vec<Transfer> {
        let senders: Vec<Node> =
            (0..self.network.order()).map(Node).filter(|&node| knows.has(node)).collect();
        let mut step = Vec::new();
        for from in senders {
            self.network.for_each_neighbor(from, &mut |port, to| {
                if allowed(port) && knows.tell(to) {
                    step.push(Transfer { from, port, block: 0 });
                }
            });
        }
        step
    }
}

/// The broadcast of Section 4.2 as it is described: along the tree, an edge a step whatever its links, and then inside
/// the rings that have a node of the tree. Who lies on the path of an edge only passes the message on.
#[derive(Debug)]
pub(super) struct TreeAsPrinted(pub Arc<AlongTree>);

impl PrintedBroadcast for TreeAsPrinted {
    fn ports(&self) -> Ports {
        Ports::All
    }

    fn from(&self, root: Node) -> PrintedSteps {
        let (network, tree) = (&self.0.network, self.0.tree(root));
        let mut steps = PrintedSteps::new();
        let mut knows = Knows::new(network.order());
        knows.tell(root);
        // Level by level: node x of a level informs its children 2x+1 and 2x+2.
        let (mut first, mut last) = (0, 1);
        while last < tree.len() {
            let children = (first..last).flat_map(|x| [(x, 2 * x + 1), (x, 2 * x + 2)]);
            let edges = children.filter(|&(_, child)| child < tree.len());
            let step: Vec<(Node, Node)> = edges.map(|(x, child)| (tree[x], tree[child])).collect();
            step.iter().for_each(|&(_, to)| _ = knows.tell(to));
            steps.push(step);
            (first, last) = (last, 2 * last + 1);
        }
        loop {
            let ring = self.0.informed(&mut knows, |port| port.0 < network.ring_ports());
            if ring.is_empty() {
                return steps;
            }
            let link = |send: Transfer| Some((send.from, network.neighbor(send.from, send.port)?));
            steps.push(ring.into_iter().filter_map(link).collect());
        }
    }

    fn claimed(&self) -> Option<u64> {
        self.0.claimed()
    }

    fn crosses(&self) -> Crosses {
        Crosses::Path
    }
}

/// A tree of links of ours: level by level every node tells up to two neighbors that do not know; when that can grow no
/// more, all informed nodes inform the others.
#[derive(Clone, Debug)]
pub(super) struct AlongLinks(pub CubeOfRings);

impl PrintedBroadcast for AlongLinks {
    fn ports(&self) -> Ports {
        Ports::All
    }

    fn from(&self, root: Node) -> PrintedSteps {
        let mut knows = Knows::new(self.0.order());
        knows.tell(root);
        // Those that were informed in the last step, and all that know.
        let (mut frontier, mut known, mut steps) = (vec![root], vec![root], PrintedSteps::new());
        loop {
            let mut step = Vec::new();
            for (senders, most) in [(&frontier, 2), (&known, usize::MAX)] {
                if !step.is_empty() {
                    break;
                }
                for &from in senders {
                    let mut left = most;
                    self.0.for_each_neighbor(from, &mut |_, to| {
                        if left > 0 && knows.tell(to) {
                            left -= 1;
                            step.push((from, to));
                        }
                    });
                }
            }
            if step.is_empty() {
                return steps;
            }
            frontier = step.iter().map(|&(_, to)| to).collect();
            known.extend(&frontier);
            steps.push(step);
        }
    }
}
