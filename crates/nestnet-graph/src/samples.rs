//! Small graphs by name, for tests and examples. Numbers that no such graph has panic.

use crate::{Csr, Network, Node, Port};

const LIMIT: u64 = 1 << 30;

/// From links given once each.
pub fn graph(order: u32, links: &[(u32, u32)]) -> Csr {
    Csr::from_links(order.into(), links, LIMIT).expect("a simple graph")
}

/// From edges, as many between two nodes as the link has cables.
pub fn multigraph((order, edges): (u32, Vec<(u32, u32)>)) -> Csr {
    Csr::from_edges(order.into(), &edges, LIMIT).expect("no edge from a node to itself")
}

/// From a rule that says which pairs a < b are linked.
pub fn by_rule(order: u32, linked: impl Fn(u32, u32) -> bool) -> Csr {
    let pairs = (0..order).flat_map(|b| (0..b).map(move |a| (a, b)));
    graph(order, &pairs.filter(|&(a, b)| linked(a, b)).collect::<Vec<_>>())
}

/// A ring of at least 3 nodes.
pub fn ring(n: u32) -> Csr {
    graph(n, &(0..n).map(|i| (i, (i + 1) % n)).collect::<Vec<_>>())
}

/// A path.
pub fn path(n: u32) -> Csr {
    graph(n, &(1..n).map(|i| (i - 1, i)).collect::<Vec<_>>())
}

/// All pairs linked.
pub fn complete(n: u32) -> Csr {
    by_rule(n, |_, _| true)
}

/// The binary cube.
pub fn cube(dimensions: u32) -> Csr {
    by_rule(1 << dimensions, |a, b| (a ^ b).is_power_of_two())
}

/// The torus of `a` by `b` nodes, both at least 3.
pub fn torus(a: u32, b: u32) -> Csr {
    let id = |x: u32, y: u32| (x % a) * b + y % b;
    let all = (0..a).flat_map(|x| (0..b).map(move |y| (x, y)));
    let links = all.flat_map(|(x, y)| [(id(x, y), id(x + 1, y)), (id(x, y), id(x, y + 1))]);
    graph(a * b, &links.collect::<Vec<_>>())
}

/// The Petersen graph.
pub fn petersen() -> Csr {
    let links = (0..5).flat_map(|i| [(i, (i + 1) % 5), (i, i + 5), (5 + i, 5 + (i + 2) % 5)]);
    graph(10, &links.collect::<Vec<_>>())
}

/// Two complete graphs that share `shared` nodes.
pub fn two_cliques(size: u32, shared: u32) -> Csr {
    let first_of_second = size - shared;
    by_rule(2 * size - shared, |a, b| b < size || a >= first_of_second)
}

/// A ring of `n` switches with `p` hosts each.
#[derive(Debug)]
pub struct HostedRing {
    /// Switches.
    pub n: u64,
    /// Hosts at each switch.
    pub p: u64,
}

impl Network for HostedRing {
    fn order(&self) -> u64 {
        self.n * (self.p + 1)
    }

    fn ports(&self) -> u32 {
        2 + u32::try_from(self.p).expect("few hosts")
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        let (n, p, hosts) = (self.n, self.p, self.n * self.p);
        let Some(switch) = at.0.checked_sub(hosts) else {
            return (port.0 == 0).then_some(Node(hosts + at.0 / p));
        };
        Some(Node(match u64::from(port.0) {
            0 => hosts + (switch + 1) % n,
            1 => hosts + (switch + n - 1) % n,
            host if host < p + 2 => switch * p + host - 2,
            _ => return None,
        }))
    }

    fn hosts(&self) -> u64 {
        self.n * self.p
    }
}

#[cfg(test)]
pub use random::{any_graph, any_multigraph};

/// What tests draw, in the types that they have here.
#[cfg(test)]
mod random {
    use super::{Csr, multigraph};
    use nestnet_seed::samples::{any_cables, any_edges};
    use proptest::strategy::Strategy;

    /// Any simple graph of up to `most` nodes.
    pub fn any_graph(most: u32) -> impl Strategy<Value = Csr> {
        any_edges(most).prop_map(multigraph)
    }

    /// Any graph of up to `most` nodes, half of them with links of up to five cables.
    pub fn any_multigraph(most: u32) -> impl Strategy<Value = Csr> {
        any_cables(most).prop_map(multigraph)
    }
}
