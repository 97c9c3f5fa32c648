//! A shortest path through a part of a network, found from the distance in the whole of it.

use super::guide::Guide;
use nestnet_graph::{Network, Node, Port};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// The hops of a shortest path over links that `passes` allows; `None` where there is none, or where more than `looks`
/// nodes would be looked at. What is looked at is taken off.
///
/// A*: exact, because the distance in the whole network is never too long and changes by at most one along a link.
pub(super) fn shortest_path(
    network: &dyn Network,
    guide: &Guide,
    from: Node,
    to: Node,
    passes: &dyn Fn(Node, Node) -> bool,
    looks: &mut u64,
) -> Option<Vec<(Port, Node)>> {
    let mut came = HashMap::from([(from, (0, from, Port(0)))]);
    // The least sum of length and bound first, then the nearest, then the first that was found.
    let bound = guide.distance(network, from, to)?;
    let mut heap = BinaryHeap::from([Reverse((bound, bound, 0, from))]);
    let mut found = 0u64;
    while let Some(Reverse((sum, bound, _, at))) = heap.pop() {
        if at == to {
            return Some(trace(&came, from, to));
        }
        let length = came[&at].0;
        if length + bound != sum {
            // A shorter path here was found since.
            continue;
        }
        *looks = looks.checked_sub(1)?;
        network.for_each_neighbor(at, &mut |port, next| {
            let better = came.get(&next).is_none_or(|&(known, ..)| length + 1 < known);
            if better
                && passes(at, next)
                && let Some(bound) = guide.distance(network, next, to)
            {
                came.insert(next, (length + 1, at, port));
                found += 1;
                heap.push(Reverse((length + 1 + bound, bound, found, next)));
            }
        });
    }
    None
}

fn trace(came: &HashMap<Node, (u64, Node, Port)>, from: Node, to: Node) -> Vec<(Port, Node)> {
    let mut hops = Vec::new();
    let mut at = to;
    while at != from {
        let (_, before, port) = came[&at];
        hops.push((port, at));
        at = before;
    }
    hops.reverse();
    hops
}
