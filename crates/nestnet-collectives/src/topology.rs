//! A network as a table: where does each port lead, and by which port does one come back?

use super::plan::{PlanError, afford_bytes};
use nestnet_graph::budget::product;
use nestnet_graph::{Budget, Network, Node, Port, index};

/// A network whose links are looked up, for work that asks for each of them thousands of times.
#[derive(Debug)]
pub(super) struct Wires {
    order: u64,
    hosts: u64,
    ports: u32,
    /// For each node and port.
    ends: Vec<End>,
}

/// The other end of a link: the node, and its port.
#[derive(Clone, Copy, Debug)]
struct End {
    to: u32,
    back: u32,
}

/// No link.
const NONE: u32 = u32::MAX;

impl Wires {
    /// All links of a network, in 20 bytes a channel while they are looked for and 8 in the end.
    pub fn new(network: &dyn Network, budget: &Budget<'_>) -> Result<Self, PlanError> {
        let (order, hosts, ports) = (network.order(), network.hosts(), network.ports());
        afford_bytes(product([order.into(), ports.into(), 20]), budget)?;
        let mut there: Vec<[u32; 3]> = Vec::new();
        let id = |node: Node| u32::try_from(node.0).expect("more would not fit in memory");
        for from in (0..order).map(Node) {
            budget.check()?;
            network.for_each_neighbor(from, &mut |port, to| there.push([id(from), id(to), port.0]));
        }
        there.sort_unstable();
        let mut back = there.clone();
        back.sort_unstable_by_key(|&[from, to, port]| [to, from, port]);
        let mut ends = vec![End { to: NONE, back: NONE }; index(order) * ports as usize];
        // Links of both directions are in the same order, so that of two between the same nodes each has its own.
        for (&[from, to, port], &[_, _, back]) in there.iter().zip(&back) {
            ends[from as usize * ports as usize + port as usize] = End { to, back };
        }
        Ok(Wires { order, hosts, ports, ends })
    }

    /// The number of a channel.
    pub fn channel(&self, from: Node, port: Port) -> usize {
        index(from.0) * self.ports as usize + port.0 as usize
    }

    /// How many channels there may be.
    pub fn channels(&self) -> usize {
        self.ends.len()
    }

    /// Who sends over a channel, and by which port.
    pub fn sender(&self, channel: usize) -> (Node, Port) {
        let ports = self.ports as usize;
        let port = u32::try_from(channel % ports).expect("a port");
        (Node((channel / ports) as u64), Port(port))
    }

    /// The node at the other end of a link and its port, where there is such a link.
    pub fn other_end(&self, from: Node, port: Port) -> Option<(Node, Port)> {
        let End { to, back } = *self.ends.get(self.channel(from, port))?;
        (to != NONE).then_some((Node(to.into()), Port(back)))
    }

    /// The neighbors of a node, each with its port that leads here.
    pub fn senders(&self, to: Node) -> impl Iterator<Item = (Node, Port)> {
        let ports = self.ports as usize;
        let ends = &self.ends[index(to.0) * ports..][..ports];
        let there = ends.iter().filter(|end| end.to != NONE);
        there.map(|end| (Node(end.to.into()), Port(end.back)))
    }
}

impl Network for Wires {
    fn order(&self) -> u64 {
        self.order
    }

    fn ports(&self) -> u32 {
        self.ports
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        Some(self.other_end(at, port)?.0)
    }

    fn hosts(&self) -> u64 {
        self.hosts
    }
}
