//! One fixed shortest path for every pair, all virtual channels alike.
//!
//! The path from a node: every node is reached by its neighbor with the lowest number among those nearer to the source,
//! and the first hop of that chain is taken. At every node the path is chosen anew, from there.

use super::{Header, Hop, Router, Vc};
use nestnet_graph::{Budget, Network, Node, OverBudget, Port};
use std::sync::{Arc, OnceLock};

/// The next hop of every pair, in a row a source that is made when first asked for.
#[derive(Debug)]
pub struct Minimal {
    network: Arc<dyn Network>,
    /// For each source the port to each target.
    rows: Vec<OnceLock<Box<[u16]>>>,
}

/// No path.
const NONE: u16 = u16::MAX;

impl Minimal {
    /// Refuses networks whose rows would not fit, or with 2^16 ports and more.
    pub fn new(network: Arc<dyn Network>, budget: &Budget<'_>) -> Result<Self, OverBudget> {
        let order = network.order();
        let wide = u128::from(network.ports()) * u128::from(u64::MAX >> 16);
        budget.fits("one path for every pair", 2 * u128::from(order) * u128::from(order))?;
        budget.fits("one path for every pair", if network.ports() < 1 << 16 { 0 } else { wide })?;
        let rows = (0..order).map(|_| OnceLock::new()).collect();
        Ok(Minimal { network, rows })
    }

    fn row(&self, from: usize) -> &[u16] {
        self.rows[from].get_or_init(|| first_ports(&*self.network, Node(from as u64)))
    }
}

/// A search from one node, nodes of equal distance in the order of their numbers.
fn first_ports(network: &dyn Network, from: Node) -> Box<[u16]> {
    let index = |node: Node| usize::try_from(node.0).expect("a node of a stored row");
    let order = index(Node(network.order()));
    let mut first = vec![NONE; order].into_boxed_slice();
    let mut seen = vec![false; order];
    seen[index(from)] = true;
    let (mut level, mut next) = (vec![from], Vec::new());
    while !level.is_empty() {
        level.sort_unstable();
        for &at in &level {
            let via = first[index(at)];
            network.for_each_neighbor(at, &mut |Port(port), to| {
                if !seen[index(to)] {
                    seen[index(to)] = true;
                    let own = u16::try_from(port).unwrap_or(NONE);
                    first[index(to)] = if at == from { own } else { via };
                    next.push(to);
                }
            });
        }
        level.clear();
        std::mem::swap(&mut level, &mut next);
    }
    first
}

impl Router for Minimal {
    fn vcs(&self) -> u16 {
        1
    }

    fn next(&self, at: Node, header: Header) -> Option<Hop> {
        let index = |node: Node| usize::try_from(node.0).expect("a node of a stored row");
        let port = self.row(index(at))[index(header.to)];
        (port != NONE).then_some(Hop { port: Port(port.into()), vc: Vc(0), header })
    }

    fn state_bytes(&self) -> u64 {
        2 * self.rows.len() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::walk;
    use nestnet_graph::measure::samples::petersen;
    use nestnet_graph::measure::search::distances_from;

    #[test]
    fn every_chain_takes_the_lowest_neighbor_that_is_nearer() {
        let network: Arc<dyn Network> = Arc::new(petersen());
        let router = Minimal::new(network.clone(), &Budget::default()).unwrap();
        for (from, to) in (0..10).flat_map(|from| (0..10).map(move |to| (Node(from), Node(to)))) {
            let distances = distances_from(&*network, from);
            let far = |node: Node| distances[usize::try_from(node.0).unwrap()];
            // Back from the target, by the definition.
            let mut at = to;
            while far(at) > 1 {
                let around = nestnet_graph::network::sorted_neighbors(&*network, at);
                at = around.into_iter().find(|&near| far(near) + 1 == far(at)).unwrap();
            }
            let route = walk(&*network, &router, from, to, 0, 10).unwrap();
            assert_eq!(route.hops.len(), usize::try_from(far(to)).unwrap());
            assert_eq!(route.nodes.get(1), (from != to).then_some(&at));
        }
    }
}
