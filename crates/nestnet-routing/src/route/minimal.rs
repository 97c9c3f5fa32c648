//! One fixed shortest path for every pair, all virtual channels alike.
//!
//! The path from a node: every node is reached by its neighbor with the lowest number among those nearer to the source,
//! and the first hop of that chain is taken. At every node the path is chosen anew, from there.
//!
//! Links may have lengths by their level; then nodes are visited by distance and number, as BookSim 2.0 searches a graph
//! from a file, and a node is reached by the neighbor that gave it its distance first.

use super::{Header, Hop, Router, Vc};
use nestnet_graph::{Budget, Network, Node, OverBudget, Port};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::{Arc, OnceLock};

/// The next hop of every pair, in a row a source that is made when first asked for.
#[derive(Debug)]
pub struct Minimal {
    network: Arc<dyn Network>,
    /// Lengths of links by level, those beyond as the last; none where all are alike.
    lengths: Vec<u16>,
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
        Ok(Minimal { network, lengths: Vec::new(), rows })
    }

    /// The same by the sum of the lengths of links, each at least 1, by level; levels beyond are as the last.
    pub fn by_length(mut self, lengths: &[u16]) -> Self {
        let differ = lengths.windows(2).any(|two| two[0] != two[1]);
        self.lengths = if differ { lengths.to_vec() } else { Vec::new() };
        self
    }

    fn row(&self, from: usize) -> &[u16] {
        let (network, start) = (&*self.network, Node(from as u64));
        self.rows[from].get_or_init(|| match self.lengths.as_slice() {
            [] => first_ports(network, start),
            lengths => first_ports_by_length(network, start, lengths),
        })
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

/// The same by Dijkstra's algorithm. O(links·log links).
fn first_ports_by_length(network: &dyn Network, from: Node, lengths: &[u16]) -> Box<[u16]> {
    let index = |node: Node| usize::try_from(node.0).expect("a node of a stored row");
    let order = index(Node(network.order()));
    let last = lengths.last().copied().unwrap_or(1);
    let mut first = vec![NONE; order].into_boxed_slice();
    let mut distance = vec![u64::MAX; order];
    distance[index(from)] = 0;
    let mut queue = BinaryHeap::from([Reverse((0, from))]);
    while let Some(Reverse((far, at))) = queue.pop() {
        if far > distance[index(at)] {
            continue;
        }
        let via = first[index(at)];
        network.for_each_neighbor(at, &mut |port, to| {
            let level = usize::from(network.level(at, port));
            let length = lengths.get(level).copied().unwrap_or(last).max(1);
            let next = far + u64::from(length);
            if next < distance[index(to)] {
                distance[index(to)] = next;
                let own = u16::try_from(port.0).unwrap_or(NONE);
                first[index(to)] = if at == from { own } else { via };
                queue.push(Reverse((next, to)));
            }
        });
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
    use nestnet_graph::Csr;
    use nestnet_graph::measure::search::distances_from;
    use nestnet_seed::samples::{petersen, ring};

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

    /// A ring of eight of which the links at node 0 have level 1.
    #[derive(Debug)]
    struct SlowEnds(Csr);

    impl Network for SlowEnds {
        fn order(&self) -> u64 {
            self.0.order()
        }

        fn ports(&self) -> u32 {
            self.0.ports()
        }

        fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
            self.0.neighbor(at, port)
        }

        fn level(&self, at: Node, port: Port) -> u16 {
            let to = self.neighbor(at, port);
            u16::from(at == Node(0) || to == Some(Node(0)))
        }
    }

    #[test]
    fn paths_are_shortest_by_the_lengths_of_links() {
        let network: Arc<dyn Network> = Arc::new(SlowEnds(ring(8)));
        let router = |lengths: &[u16]| {
            Minimal::new(network.clone(), &Budget::default()).unwrap().by_length(lengths)
        };
        let hops = |router: &Minimal, from, to| {
            walk(&*network, router, Node(from), Node(to), 0, 10).unwrap().hops.len()
        };
        // From 1 to 7 over node 0, unless its links are long.
        assert_eq!(hops(&router(&[1]), 1, 7), 2);
        assert_eq!(hops(&router(&[1, 2]), 1, 7), 2);
        assert_eq!(hops(&router(&[1, 4]), 1, 7), 6);
        assert_eq!(hops(&router(&[1, 4]), 0, 7), 1);
        // Lengths that do not differ change no path.
        let (plain, same) = (router(&[]), router(&[3, 3]));
        for (from, to) in (0..8).flat_map(|from| (0..8).map(move |to| (Node(from), Node(to)))) {
            let header = Header { to, state: 0 };
            assert_eq!(plain.next(from, header), same.next(from, header));
            let by_length = first_ports_by_length(&*network, from, &[1]);
            assert_eq!(by_length, first_ports(&*network, from));
        }
    }
}
