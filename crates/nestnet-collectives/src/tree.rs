//! Broadcasts with one port in any network: along trees, each in its best order, and the best of several.

use super::branches::{Branches, Parents};
use super::broadcast::{Broadcast, Knows, streamed};
use super::{Ports, Schedule, Steps, Transfer};
use nestnet_graph::{Budget, Network, Node, Port, index};
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
    /// `None` when the network is too large.
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
        let mut all = Vec::new();
        for parents in [Parents::First, Parents::Balanced] {
            let tree = Branches::new(network, root, parents, &Budget::UNLIMITED);
            // A network that is not connected has no tree, and the empty schedule says so to the checker.
            let Ok(tree) = tree else { continue };
            let (schedule, takes) = tree.in_turn();
            let mut times = vec![0; index(network.order())];
            for (twig, takes) in tree.twigs.iter().zip(takes) {
                times[index(twig.node.0)] = takes;
            }
            all.extend([by_rounds(network, root, &times), schedule]);
        }
        let best = all.into_iter().min_by_key(|schedule| schedule.steps.len());
        streamed(best.unwrap_or_default())
    }
}

/// Round by round every node that knows tells the neighbor that has most to do, by the times of a tree.
fn by_rounds(network: &dyn Network, root: Node, times: &[u64]) -> Schedule {
    let mut knows = Knows::new(network.order());
    knows.tell(root);
    let mut active = vec![root];
    let mut steps = Vec::new();
    let time = |node: Node| times[index(node.0)];
    while !active.is_empty() {
        // Those with much to do choose first.
        active.sort_unstable_by_key(|&node| (Reverse(time(node)), node));
        let mut step = Vec::new();
        let mut still = Vec::with_capacity(2 * active.len());
        for &from in &active {
            let mut best: Option<(u64, Port, Node)> = None;
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
