//! How far is every node from one node? Plain breadth-first search, the slow obvious twin of the fast measures.

use crate::{Network, Node};

/// Distances from `from`; `u32::MAX` where there is no path. Exact; O(nodes + links).
///
/// For networks of at most 2^32 nodes, whose answer fits in memory.
pub fn distances_from(network: &dyn Network, from: Node) -> Vec<u32> {
    let order = usize::try_from(network.order()).expect("the answer fits in memory");
    let mut distance = vec![u32::MAX; order];
    let index = |node: Node| usize::try_from(node.0).expect("a node of this network");
    distance[index(from)] = 0;
    let mut frontier = vec![from];
    let mut next = Vec::new();
    for step in 1.. {
        if frontier.is_empty() {
            break;
        }
        for &at in &frontier {
            network.for_each_neighbor(at, &mut |_, to| {
                let seen = &mut distance[index(to)];
                if *seen == u32::MAX {
                    *seen = step;
                    next.push(to);
                }
            });
        }
        frontier.clear();
        std::mem::swap(&mut frontier, &mut next);
    }
    distance
}

/// Whether every node can be reached from node 0.
pub fn is_connected(network: &dyn Network) -> bool {
    network.order() == 0 || distances_from(network, Node(0)).iter().all(|&d| d != u32::MAX)
}
