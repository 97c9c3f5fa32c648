//! A small network with its ports and distances looked up instead of computed.

use crate::bulk_neighbors::{Reach, Shifted, mark, mark_bits};
use crate::measure::search::distances_from;
use crate::network::Automorphism;
use crate::{Address, Network, Node, Orbit, Port, index};
use std::sync::{Arc, OnceLock};

/// Networks with at most this many port entries are worth a table: it stays in the nearest caches.
const MAX_ENTRIES: u64 = 1 << 16;

/// The largest network whose distances are tabulated.
const MAX_DISTANCES: u64 = 1 << 11;

const EMPTY: u32 = u32::MAX;

/// The same network as `inner`, port by port, answered from a table.
#[derive(Debug)]
pub struct Tabled {
    inner: Arc<dyn Network>,
    order: u64,
    ports: u32,
    /// `ports` entries a node.
    neighbors: Vec<u32>,
    /// The neighbors of each node as bits, where there are at most 64 nodes; empty otherwise.
    masks: Vec<u64>,
    /// How many levels the network has.
    depth: u16,
    /// The level of each link, as `neighbors` are, made when first asked for.
    levels: OnceLock<Vec<u16>>,
    /// All addresses one after the other, and where each ends behind the one before it, made when first asked for.
    addresses: OnceLock<(Vec<u8>, Vec<usize>)>,
    /// Made when first asked for.
    distances: OnceLock<Looked>,
}

/// Distances, `order` entries a node.
#[derive(Debug)]
enum Looked {
    /// All below 256: half as many bytes stay in nearer caches.
    Narrow(Vec<u8>),
    /// Longer ones.
    Wide(Vec<u16>),
    /// Too many, or some of them infinite.
    Nowhere,
}

impl Tabled {
    /// `inner` behind a table if it is small, and `inner` itself otherwise.
    pub fn speed_up(inner: Arc<dyn Network>) -> Arc<dyn Network> {
        let (order, ports) = (inner.order(), inner.ports());
        if !is_small(&*inner) {
            return inner;
        }
        let mut neighbors = Vec::new();
        for at in (0..order).map(Node) {
            let row = neighbors.len();
            neighbors.resize(row + ports as usize, EMPTY);
            inner.for_each_neighbor(at, &mut |port, to| {
                neighbors[row + port.0 as usize] = u32::try_from(to.0).expect("a small network");
            });
        }
        let mask =
            |row: &[u32]| row.iter().filter(|&&to| to != EMPTY).fold(0, |mask, to| mask | 1 << to);
        let masks = match ports {
            0 => vec![0; index(Node(order))],
            _ if order <= 64 => neighbors.chunks(ports as usize).map(mask).collect(),
            _ => Vec::new(),
        };
        let depth = inner.levels();
        let (levels, addresses, distances) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        Arc::new(Tabled {
            inner,
            order,
            ports,
            neighbors,
            masks,
            depth,
            levels,
            addresses,
            distances,
        })
    }

    /// Whether distances in `network` are looked up once it is behind a table.
    pub fn knows_distances(network: &dyn Network) -> bool {
        is_small(network) && network.order() <= MAX_DISTANCES
    }

    fn row(&self, at: Node) -> &[u32] {
        let start = index(at) * self.ports as usize;
        &self.neighbors[start..start + self.ports as usize]
    }

    fn all_levels(&self) -> &[u16] {
        self.levels.get_or_init(|| {
            let ports = self.ports as usize;
            let level = |(entry, &to): (usize, &u32)| match to {
                // A port that leads nowhere has no level.
                EMPTY => 0,
                _ => {
                    let (at, port) = (Node((entry / ports) as u64), entry % ports);
                    self.inner.level(at, Port(u32::try_from(port).expect("a small network")))
                }
            };
            self.neighbors.iter().enumerate().map(level).collect()
        })
    }

    fn all_distances(&self) -> &Looked {
        self.distances.get_or_init(|| {
            if self.order > MAX_DISTANCES {
                return Looked::Nowhere;
            }
            let mut wide: Vec<u16> = Vec::new();
            for at in (0..self.order).map(Node) {
                for distance in distances_from(self, at) {
                    match u16::try_from(distance) {
                        Ok(distance) => wide.push(distance),
                        Err(_) => return Looked::Nowhere,
                    }
                }
            }
            let narrow = wide.iter().map(|&distance| u8::try_from(distance));
            narrow.collect::<Result<_, _>>().map_or_else(|_| Looked::Wide(wide), Looked::Narrow)
        })
    }
}

fn is_small(network: &dyn Network) -> bool {
    network.order().saturating_mul(u64::from(network.ports().max(1))) <= MAX_ENTRIES
}

impl Network for Tabled {
    fn order(&self) -> u64 {
        self.order
    }

    fn ports(&self) -> u32 {
        self.ports
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        let to = self.row(at)[port.0 as usize];
        (to != EMPTY).then_some(Node(to.into()))
    }

    fn for_each_neighbor(&self, at: Node, visit: &mut dyn FnMut(Port, Node)) {
        for (port, &to) in (0..).zip(self.row(at)) {
            if to != EMPTY {
                visit(Port(port), Node(to.into()));
            }
        }
    }

    fn reach(&self) -> Option<&dyn Reach> {
        // A larger network of copies knows better: its innermost base has masks.
        if self.masks.is_empty() { self.inner.reach().or(Some(self)) } else { Some(self) }
    }

    fn address(&self, at: Node) -> Address {
        self.inner.address(at)
    }

    fn put_address(&self, at: Node, out: &mut Vec<u8>) {
        let (text, ends) = self.addresses.get_or_init(|| {
            let (mut text, mut ends) = (Vec::new(), vec![0]);
            for at in (0..self.order).map(Node) {
                self.inner.put_address(at, &mut text);
                ends.push(text.len());
            }
            (text, ends)
        });
        let at = index(at);
        out.extend_from_slice(&text[ends[at]..ends[at + 1]]);
    }

    fn node(&self, address: &Address) -> Option<Node> {
        self.inner.node(address)
    }

    fn level(&self, at: Node, port: Port) -> u16 {
        match self.depth {
            0 | 1 => 0,
            _ => self.all_levels()[index(at) * self.ports as usize + port.0 as usize],
        }
    }

    fn levels(&self) -> u16 {
        self.depth
    }

    fn server_levels(&self) -> u16 {
        self.inner.server_levels()
    }

    fn hosts(&self) -> u64 {
        self.inner.hosts()
    }

    fn automorphisms(&self) -> Vec<Automorphism> {
        self.inner.automorphisms()
    }

    fn orbits(&self) -> Option<Vec<Orbit>> {
        self.inner.orbits()
    }

    fn distance(&self, from: Node, to: Node) -> Option<u64> {
        let entry = || index(from) * index(Node(self.order)) + index(to);
        match self.all_distances() {
            Looked::Narrow(all) => Some(all[entry()].into()),
            Looked::Wide(all) => Some(all[entry()].into()),
            Looked::Nowhere => self.inner.distance(from, to),
        }
    }
}

impl Reach for Tabled {
    fn mark_neighbors(&self, at: &[Shifted], marks: &mut [u64]) {
        if self.masks.is_empty() {
            for &Shifted { node, offset } in at {
                for &to in self.row(Node(node)).iter().filter(|&&to| to != EMPTY) {
                    mark(marks, offset + u64::from(to));
                }
            }
            return;
        }
        // Nodes of one copy are gathered in a register and marked at once.
        let (mut copy, mut bits) = (0, 0);
        for &Shifted { node, offset } in at {
            if offset != copy {
                mark_bits(marks, copy, bits);
                (copy, bits) = (offset, 0);
            }
            bits |= self.masks[index(Node(node))];
        }
        mark_bits(marks, copy, bits);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Csr;

    #[test]
    fn short_and_long_distances_are_looked_up() {
        for nodes in [2u32, 200, 256, 257, 700] {
            let links: Vec<(u32, u32)> = (1..nodes).map(|at| (at - 1, at)).collect();
            let path = Csr::from_links(nodes.into(), &links, 1 << 20).unwrap();
            let tabled = Tabled::speed_up(Arc::new(path));
            for (from, to) in [(0, 0), (0, nodes - 1), (nodes - 1, 1), (nodes / 2, 0)] {
                let found = tabled.distance(Node(from.into()), Node(to.into()));
                assert_eq!(found, Some(from.abs_diff(to).into()), "{nodes}");
            }
        }
        let parts = Csr::from_links(3, &[(0, 1)], 1 << 20).unwrap();
        assert_eq!(Tabled::speed_up(Arc::new(parts)).distance(Node(0), Node(1)), None);
    }
}
