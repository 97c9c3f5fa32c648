//! A spanning tree of shortest paths from a root, without the branches that lead to no host.

use super::plan::{PlanError, afford_bytes, port_to, put};
use super::{Schedule, Transfer};
use nestnet_graph::{Budget, Network, Node, Port, index};
use std::cmp::Reverse;

/// Which of the nodes that are one step nearer to the root becomes the parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parents {
    /// The one that was reached first: in a binary cube this makes the binomial tree.
    First,
    /// The one in the branch with the fewest nodes.
    Balanced,
}

/// One node of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Twig {
    /// The node.
    pub node: Node,
    /// The index of its parent in [`Branches::twigs`]; the root is its own.
    pub parent: u32,
    /// The port of the parent that leads here.
    pub down: Port,
    /// The port that leads to the parent.
    pub up: Port,
    /// Links to the root.
    pub depth: u32,
    /// Which child of the root is above it, as a port of the root.
    pub branch: Port,
}

/// A tree of shortest paths to all hosts; every leaf is a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branches {
    /// Parents before their children; the root is first.
    pub twigs: Vec<Twig>,
}

impl Branches {
    /// The tree of one root. O(nodes · degree²).
    ///
    /// ```
    /// use nestnet_collectives::{Branches, Parents};
    /// use nestnet_graph::Budget;
    /// use nestnet_graph::{Csr, Node};
    ///
    /// let ring = Csr::from_links(4, &[(0, 1), (1, 2), (2, 3), (3, 0)], 1 << 20)?;
    /// let tree = Branches::new(&ring, Node(0), Parents::First, &Budget::default())?;
    /// let depths: Vec<u32> = tree.twigs.iter().map(|twig| twig.depth).collect();
    /// assert_eq!(depths, [0, 1, 1, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(
        network: &dyn Network,
        root: Node,
        parents: Parents,
        budget: &Budget<'_>,
    ) -> Result<Self, PlanError> {
        let order = network.order();
        if root.0 >= order {
            return Err(PlanError::NoNode { node: root });
        }
        afford_bytes(u128::from(order) * (size_of::<Twig>() as u128 + 4), budget)?;
        // Nodes are numbered in 32 bits.
        u32::try_from(order).or_else(|_| afford_bytes(u128::MAX, budget).map(|()| 0))?;
        // Where a node stands among the twigs.
        let mut place = vec![u32::MAX; index(order)];
        let mut sizes = vec![0u64; network.ports() as usize];
        let first =
            Twig { node: root, parent: 0, down: Port(0), up: Port(0), depth: 0, branch: Port(0) };
        let mut twigs = vec![first];
        place[index(root.0)] = 0;
        let (mut level, mut depth) = (0..1, 0);
        while !level.is_empty() {
            budget.check()?;
            depth += 1;
            let mut found = Vec::new();
            for at in level.clone() {
                network.for_each_neighbor(twigs[at].node, &mut |_, to| {
                    let place = &mut place[index(to.0)];
                    if *place == u32::MAX {
                        *place = u32::MAX - 1;
                        found.push(to);
                    }
                });
            }
            let nearer = number(level.start)..number(level.end);
            for node in found {
                let mut best: Option<(u64, u32, Port)> = None;
                network.for_each_neighbor(node, &mut |up, to| {
                    let parent = place[index(to.0)];
                    if nearer.contains(&parent) {
                        let size = match parents {
                            Parents::First => 0,
                            Parents::Balanced if parent == 0 => 0,
                            Parents::Balanced => sizes[twigs[parent as usize].branch.0 as usize],
                        };
                        best = Some(best.unwrap_or((size, parent, up)).min((size, parent, up)));
                    }
                });
                let (_, parent, up) = best.expect("it was found from the level before");
                let above = twigs[parent as usize];
                let down = port_to(network, above.node, node).expect("links are symmetric");
                let branch = if parent == 0 { down } else { above.branch };
                sizes[branch.0 as usize] += 1;
                place[index(node.0)] = number(twigs.len());
                twigs.push(Twig { node, parent, down, up, depth, branch });
            }
            level = level.end..twigs.len();
        }
        let missing = (0..network.hosts()).find(|&host| place[index(host)] == u32::MAX);
        if let Some(node) = missing {
            return Err(PlanError::NoPath { from: root, node: Node(node) });
        }
        Ok(Branches { twigs: without_empty(twigs, network.hosts()) })
    }

    /// The broadcast down the tree with one port, and how many steps each twig takes to inform all below it. A node first
    /// serves the child that takes longest, which is optimal for the tree. O(nodes · log degree).
    pub fn in_turn(&self) -> (Schedule, Vec<u64>) {
        let twigs = &self.twigs;
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); twigs.len()];
        let mut takes = vec![0u64; twigs.len()];
        for at in (0..twigs.len()).rev() {
            children[at].sort_by_key(|&child| (Reverse(takes[child]), child));
            let ends = (1..).zip(&children[at]).map(|(turn, &child)| turn + takes[child]);
            takes[at] = ends.max().unwrap_or(0);
            if at > 0 {
                children[twigs[at].parent as usize].push(at);
            }
        }
        let mut steps = Vec::new();
        let mut informed = vec![0u64; twigs.len()];
        for at in 0..twigs.len() {
            for (turn, &child) in (0..).zip(&children[at]) {
                let step = informed[at] + turn;
                informed[child] = step + 1;
                let (from, port) = (twigs[at].node, twigs[child].down);
                put(&mut steps, step, Transfer { from, port, block: 0 });
            }
        }
        (Schedule { steps }, takes)
    }

    /// Links from the root to the farthest host.
    pub fn height(&self) -> u32 {
        self.twigs.iter().map(|twig| twig.depth).max().unwrap_or(0)
    }

    /// The twigs from one up to the root, which is not among them.
    pub fn path(&self, from: usize) -> impl Iterator<Item = (usize, &Twig)> {
        let mut at = from;
        std::iter::from_fn(move || {
            let twig = (at > 0).then(|| (at, &self.twigs[at]))?;
            at = twig.1.parent as usize;
            Some(twig)
        })
    }
}

/// Takes away what has no host below it.
fn without_empty(mut twigs: Vec<Twig>, hosts: u64) -> Vec<Twig> {
    let mut useful: Vec<bool> = twigs.iter().map(|twig| twig.node.0 < hosts).collect();
    useful[0] = true;
    for at in (1..twigs.len()).rev() {
        if useful[at] {
            useful[twigs[at].parent as usize] = true;
        }
    }
    let mut place = vec![0; twigs.len()];
    let mut kept = 0;
    for (place, useful) in place.iter_mut().zip(&useful) {
        *place = kept;
        kept += u32::from(*useful);
    }
    let mut keep = useful.into_iter();
    twigs.retain(|_| keep.next().unwrap_or(false));
    twigs.iter_mut().for_each(|twig| twig.parent = place[twig.parent as usize]);
    twigs
}

/// There are fewer than 2^32 nodes.
fn number(index: usize) -> u32 {
    u32::try_from(index).expect("checked before")
}
