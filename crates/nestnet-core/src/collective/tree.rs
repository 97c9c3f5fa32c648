//! Broadcasts with one port in any network: along trees, each in its best order, and the best of several.

use super::broadcast::{Broadcast, Knows, streamed};
use super::{Ports, Schedule, Steps, Transfer};
use crate::{Network, Node, Port};
use std::cmp::Reverse;
use std::fmt::Debug;

/// The best of several heuristics, each O(nodes + links) but for a logarithm. Not proven to be the quickest.
#[derive(Debug)]
pub struct OnePort<N> {
    network: N,
}

/// Larger networks are not put into trees.
pub const MAX_TREE: u64 = 1 << 24;

impl<N: AsRef<dyn Network> + Debug + Send + Sync> OnePort<N> {
    /// `None` when the network is too large or not connected.
    pub fn new(network: N) -> Option<Self> {
        (network.as_ref().order() <= MAX_TREE).then_some(OnePort { network })
    }
}

impl<N: AsRef<dyn Network> + Debug + Send + Sync> Broadcast for OnePort<N> {
    fn ports(&self) -> Ports {
        Ports::One
    }

    fn from(&self, root: Node) -> Steps<'_> {
        let network = self.network.as_ref();
        let trees = [Adopt::First, Adopt::Fewest].map(|adopt| Tree::new(network, root, adopt));
        let rounds = trees.iter().map(|tree| by_rounds(network, root, &tree.times));
        let mut all: Vec<Schedule> = rounds.collect();
        all.extend(trees.iter().map(Tree::schedule));
        let best = all.into_iter().min_by_key(|schedule| schedule.steps.len());
        streamed(best.unwrap_or_default())
    }
}

/// Which of its possible parents a node gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Adopt {
    /// The first that was found.
    First,
    /// The one with the fewest children so far.
    Fewest,
}

/// A breadth-first spanning tree, in which every node knows how long its part of the tree takes.
struct Tree {
    /// In the order of the search.
    nodes: Vec<u32>,
    /// For each node its parent and the parent's port to it.
    parents: Vec<(u32, Port)>,
    /// Steps that the tree under a node needs once it knows.
    times: Vec<u32>,
    /// For each node after how many steps of its parent it is told.
    turns: Vec<u32>,
}

impl Tree {
    fn new(network: &dyn Network, root: Node, adopt: Adopt) -> Self {
        let order = usize::try_from(network.order()).expect("a tree fits in memory");
        let small = |node: Node| u32::try_from(node.0).expect("at most 2^24 nodes");
        let mut level = vec![u32::MAX; order];
        let mut parents = vec![(0, Port(0)); order];
        let mut children = vec![0u32; order];
        let mut nodes = vec![small(root)];
        level[nodes[0] as usize] = 0;
        let mut first = 0;
        for depth in 1.. {
            let last = nodes.len();
            if first == last {
                break;
            }
            for index in first..last {
                let at = nodes[index];
                network.for_each_neighbor(Node(at.into()), &mut |port, to| {
                    let to = small(to);
                    let entry = &mut level[to as usize];
                    if *entry == u32::MAX {
                        *entry = depth;
                        nodes.push(to);
                    } else if *entry < depth || adopt == Adopt::First {
                        return;
                    } else {
                        let (known, _) = parents[to as usize];
                        if children[known as usize] <= children[at as usize] + 1 {
                            return;
                        }
                        children[known as usize] -= 1;
                    }
                    parents[to as usize] = (at, port);
                    children[at as usize] += 1;
                });
            }
            first = last;
        }
        let mut tree = Tree { nodes, parents, times: vec![0; order], turns: vec![0; order] };
        tree.order_children();
        tree
    }

    /// The child whose part takes longest is told first, which is best for a given tree.
    fn order_children(&mut self) {
        let position = |node: u32| node as usize;
        let mut by_parent: Vec<u32> = self.nodes[1..].to_vec();
        // Deepest first, so that children are known before their parents; a level of a tree is a stretch of the search.
        by_parent.reverse();
        let mut lists: Vec<Vec<u32>> = vec![Vec::new(); self.parents.len()];
        let root = self.nodes[0];
        for node in by_parent.into_iter().chain([root]) {
            let mut list = std::mem::take(&mut lists[position(node)]);
            list.sort_unstable_by_key(|&child| (Reverse(self.times[position(child)]), child));
            let mut time = 0;
            for (turn, &child) in (1..).zip(&list) {
                self.turns[position(child)] = turn;
                time = time.max(turn + self.times[position(child)]);
            }
            self.times[position(node)] = time;
            if node != root {
                lists[position(self.parents[position(node)].0)].push(node);
            }
        }
    }

    fn schedule(&self) -> Schedule {
        let mut told = vec![0u32; self.parents.len()];
        let root = self.nodes[0];
        let mut steps = vec![Vec::new(); self.times[root as usize] as usize];
        for &node in &self.nodes[1..] {
            let (parent, port) = self.parents[node as usize];
            let step = told[parent as usize] + self.turns[node as usize];
            told[node as usize] = step;
            let transfer = Transfer { from: Node(parent.into()), port, block: 0 };
            steps[step as usize - 1].push(transfer);
        }
        Schedule { steps }
    }
}

/// Round by round every node that knows tells the neighbor that has most to do, by the times of a tree.
fn by_rounds(network: &dyn Network, root: Node, times: &[u32]) -> Schedule {
    let mut knows = Knows::new(network.order());
    knows.tell(root);
    let mut active = vec![root];
    let mut steps = Vec::new();
    let time = |node: Node| times[usize::try_from(node.0).expect("a node of the tree")];
    while !active.is_empty() {
        // Those with much to do choose first.
        active.sort_unstable_by_key(|&node| (Reverse(time(node)), node));
        let mut step = Vec::new();
        let mut still = Vec::with_capacity(2 * active.len());
        for &from in &active {
            let mut best: Option<(u32, Port, Node)> = None;
            let mut open = 0;
            network.for_each_neighbor(from, &mut |port, to| {
                if !knows.has(to) {
                    open += 1;
                    if best.is_none_or(|(most, ..)| time(to) > most) {
                        best = Some((time(to), port, to));
                    }
                }
            });
            let Some((_, port, to)) = best else { continue };
            knows.tell(to);
            step.push(Transfer { from, port, block: 0 });
            still.push(to);
            if open > 1 {
                still.push(from);
            }
        }
        active = still;
        if !step.is_empty() {
            steps.push(step);
        }
    }
    Schedule { steps }
}
