//! What a network is: nodes `0..order`, links found by asking.

use crate::bulk_neighbors::{Reach, Shifted, mark};
use crate::{Address, Identifiers, Node, Port};
use serde::Serialize;
use std::fmt::Debug;
use std::sync::Arc;

/// Limit: nodes of a network whose nodes have ids; beyond it only its theory answers.
pub const MAX_ORDER: u64 = 1 << 63;

/// A finite undirected network given by rule.
///
/// # Contract
/// - Nodes are `0..order()`, and every `at` that is passed in is one of them; `order() ≤ 2^63`.
/// - A port is the end of one cable. A link joins two nodes; its *width* is the number of its cables, so that as many
///   ports of either node lead to the other. Almost all links have width 1. Cable `k` of a link is the `k`-th of these
///   ports at both ends, ports ascending.
/// - Links are symmetric, and no node is its own neighbor.
/// - [`for_each_neighbor`](Network::for_each_neighbor) answers for all ports at once what
///   [`neighbor`](Network::neighbor) does for one: the same ports and neighbors, ports ascending.
/// - [`reach`](Network::reach), where there is one, marks the same neighbors.
/// - `node(address(v)) == Some(v)`.
/// - `orbits` and `distance` answer only where the answer is proven.
pub trait Network: Debug + Send + Sync {
    /// The number of nodes.
    fn order(&self) -> u64;

    /// One more than the highest port of any node: a bound on the degree.
    fn ports(&self) -> u32;

    /// The node at the other end of one link, or `None` where the port is empty.
    fn neighbor(&self, at: Node, port: Port) -> Option<Node>;

    /// Visits every neighbor, ports ascending.
    fn for_each_neighbor(&self, at: Node, visit: &mut dyn FnMut(Port, Node)) {
        for port in (0..self.ports()).map(Port) {
            if let Some(to) = self.neighbor(at, port) {
                visit(port, to);
            }
        }
    }

    /// How a search may mark the neighbors of many nodes at once, if there is a faster way than one by one.
    fn reach(&self) -> Option<&dyn Reach> {
        None
    }

    /// The digits of a node as its paper writes them.
    fn address(&self, at: Node) -> Address {
        Address::number(at.0)
    }

    /// Adds the address to a text, as it displays. A network of copies says it without making it first: a file has
    /// millions.
    fn put_address(&self, at: Node, out: &mut Vec<u8>) {
        self.address(at).put(out);
    }

    /// The node with that address, if there is one.
    fn node(&self, address: &Address) -> Option<Node> {
        address.as_number().filter(|&id| id < self.order()).map(Node)
    }

    /// The level of the hierarchy to which a link belongs; 0 is the innermost.
    fn level(&self, _at: Node, _port: Port) -> u16 {
        0
    }

    /// How many levels there are.
    fn levels(&self) -> u16 {
        1
    }

    /// How many of the innermost levels are links inside servers. A server brings them along, and with them the switches
    /// that have no other links: they are not purchased one by one.
    fn server_levels(&self) -> u16 {
        0
    }

    /// Cycles on a link of each level, where the network comes from a file that says so; empty elsewhere.
    fn latencies(&self) -> Vec<u16> {
        Vec::new()
    }

    /// What the fabric of a file calls its nodes and ports, where the network comes from one that says all of it.
    fn identifiers(&self) -> Option<&Identifiers> {
        None
    }

    /// Nodes `0..hosts` inject and receive; the rest only switch.
    fn hosts(&self) -> u64 {
        self.order()
    }

    /// Proven automorphisms; together they generate a group, perhaps not all of them.
    fn automorphisms(&self) -> Vec<Automorphism> {
        Vec::new()
    }

    /// A partition of the nodes into classes that automorphisms join; two classes may still be alike.
    fn orbits(&self) -> Option<Vec<Orbit>> {
        None
    }

    /// The exact length of a shortest path, from the two addresses alone.
    fn distance(&self, _from: Node, _to: Node) -> Option<u64> {
        None
    }
}

impl dyn Network + '_ {
    /// The neighbors of a node, ports ascending.
    ///
    /// Takes a node of the network; any other has no neighbors.
    /// Returns an iterator that asks for one port at a time: O(1) memory, one call of [`Network::neighbor`] for each of
    /// the [`Network::ports`], empty or not. [`Network::for_each_neighbor`] visits all of them faster.
    ///
    /// ```
    /// use nestnet_graph::{Csr, Network, Node};
    ///
    /// let star = Csr::from_links(4, &[(0, 1), (0, 2), (0, 3)], 1 << 20)?;
    /// let network: &dyn Network = &star;
    /// assert_eq!(network.neighbors(Node(0)).collect::<Vec<_>>(), [Node(1), Node(2), Node(3)]);
    /// assert_eq!(network.neighbors(Node(3)).next(), Some(Node(0)));
    /// assert_eq!(network.neighbors(Node(4)).count(), 0);
    /// # Ok::<(), nestnet_graph::CsrError>(())
    /// ```
    pub fn neighbors(&self, at: Node) -> impl Iterator<Item = Node> {
        let ports = if at.0 < self.order() { self.ports() } else { 0 };
        (0..ports).filter_map(move |port| self.neighbor(at, Port(port)))
    }
}

/// A renaming of the nodes that keeps all links.
pub type Automorphism = Arc<dyn Fn(u64) -> u64 + Send + Sync>;

/// A class of nodes that look alike: one of them, and how many there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Orbit {
    /// Any node of the class.
    pub node: Node,
    /// The size of the class.
    pub size: u64,
}

/// All nodes alike: the one class of a vertex-transitive network.
pub fn transitive(order: u64) -> Option<Vec<Orbit>> {
    Some(vec![Orbit { node: Node(0), size: order }])
}

/// A neighbor of a node, and the link to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Neighbor {
    /// The port of the link.
    pub port: Port,
    /// The neighbor.
    pub node: Node,
    /// Its address.
    pub address: Address,
    /// The level of the link.
    pub level: u16,
}

impl Neighbor {
    /// The neighbor `node` behind `port` of `at`.
    pub fn of(network: &dyn Network, at: Node, port: Port, node: Node) -> Self {
        Neighbor { port, node, address: network.address(node), level: network.level(at, port) }
    }
}

/// The neighbors of a node, ascending.
pub fn sorted_neighbors(network: &dyn Network, at: Node) -> Vec<Node> {
    let mut neighbors = Vec::new();
    network.for_each_neighbor(at, &mut |_, to| neighbors.push(to));
    neighbors.sort_unstable();
    neighbors
}

/// Marks the neighbors of many nodes of any network, by its own way if it has one.
pub fn mark_neighbors(network: &dyn Network, at: &[Shifted], marks: &mut [u64]) {
    match network.reach() {
        Some(own) => own.mark_neighbors(at, marks),
        None => {
            for &Shifted { node, offset } in at {
                network.for_each_neighbor(Node(node), &mut |_, to| mark(marks, offset + to.0));
            }
        }
    }
}
