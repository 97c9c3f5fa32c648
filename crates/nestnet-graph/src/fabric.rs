//! What is left of a network when hosts that only send and receive are taken off?
//!
//! Where every host has one link, and that to a switch, the rest is the *fabric*: the switches and the links between
//! them, and how many hosts each has. Elsewhere hosts also forward, and the fabric is the whole network with one host at
//! each node that is one.

use crate::network::Automorphism;
use crate::{Budget, Csr, CsrError, Network, Node};
use std::sync::Arc;

/// The switches of a network, and where its hosts hang.
#[derive(Clone, Debug)]
pub struct Fabric {
    /// The switches: node `v` of it is node `first + v` of the network.
    pub csr: Csr,
    /// The node of the network that is node 0 of the fabric.
    pub first: u64,
    /// At which node of the fabric each host hangs, or is.
    pub at: Vec<u32>,
    /// How many hosts each node of the fabric has.
    pub hosts: Vec<u32>,
}

impl Fabric {
    /// Written out within the budget.
    pub fn of(network: &dyn Network, budget: &Budget<'_>) -> Result<Self, CsrError> {
        let hosts = network.hosts();
        budget
            .fits("the list of hosts", 4 * u128::from(hosts) + 4 * u128::from(network.order()))?;
        let mut above = Vec::new();
        for host in (0..hosts).map(Node) {
            budget.watch.check_each(host.0)?;
            match only_switch(network, host) {
                Some(switch) => above.push(stored(switch.0 - hosts)?),
                None => break,
            }
        }
        let is_bare = hosts < network.order() && above.len() as u64 == hosts;
        if !is_bare {
            let csr = Csr::from_network(network, budget)?;
            let at = (0..hosts).map(stored).collect::<Result<Vec<u32>, _>>()?;
            let has = |node: u64| u32::from(node < hosts);
            let hosts = (0..csr.order()).map(has).collect();
            return Ok(Fabric { csr, first: 0, at, hosts });
        }
        let csr = Csr::from_network(&Switches(network), budget)?;
        let mut counts = vec![0; usize::try_from(csr.order()).unwrap_or(0)];
        above.iter().for_each(|&switch| counts[switch as usize] += 1);
        Ok(Fabric { csr, first: hosts, at: above, hosts: counts })
    }

    /// Whether hosts have links of their own, which count for a message but not for the fabric.
    pub fn has_host_links(&self) -> bool {
        self.first > 0
    }

    /// The node of the network that a node of the fabric is.
    pub fn node(&self, at: u32) -> Node {
        Node(self.first + u64::from(at))
    }

    /// Whether a node of the fabric is a host.
    pub fn is_host(&self, at: u32) -> bool {
        !self.has_host_links() && (at as usize) < self.at.len()
    }

    /// Whether a node of the fabric is a switch: no host, or any node where all are host and switch.
    pub fn is_switch(&self, at: u32) -> bool {
        !self.is_host(at) || self.at.len() == self.hosts.len()
    }

    /// How many hosts each of the nodes has that have any, if that is one number.
    pub fn hosts_each(&self) -> Option<u32> {
        let mut some = self.hosts.iter().copied().filter(|&hosts| hosts > 0);
        let first = some.next()?;
        some.all(|hosts| hosts == first).then_some(first)
    }

    /// The nodes that have hosts, ascending.
    pub fn with_hosts(&self) -> Vec<u32> {
        (0..).zip(&self.hosts).filter(|(_, hosts)| **hosts > 0).map(|(at, _)| at).collect()
    }

    /// Automorphisms of the network that carry hosts to hosts, as they move the fabric.
    pub fn automorphisms(&self, network: &dyn Network) -> Vec<Automorphism> {
        let hosts = network.hosts();
        let keeps = |g: &Automorphism| (0..hosts).all(|host| g(host) < hosts);
        network.automorphisms().into_iter().filter(keeps).map(|g| self.moved(g)).collect()
    }

    /// How an automorphism of the network that carries hosts to hosts moves the fabric.
    pub fn moved(&self, automorphism: Automorphism) -> Automorphism {
        let first = self.first;
        Arc::new(move |at| automorphism(at + first).wrapping_sub(first))
    }
}

/// The one neighbor of a host, if that is a switch.
fn only_switch(network: &dyn Network, host: Node) -> Option<Node> {
    let (mut links, mut found) = (0, None);
    network.for_each_neighbor(host, &mut |_, to| {
        links += 1;
        found = Some(to);
    });
    found.filter(|to| links == 1 && to.0 >= network.hosts())
}

fn stored(node: u64) -> Result<u32, CsrError> {
    u32::try_from(node).map_err(|_| CsrError::TooManyNodes { order: node })
}

/// The switches alone.
#[derive(Debug)]
struct Switches<'a>(&'a dyn Network);

impl Network for Switches<'_> {
    fn order(&self) -> u64 {
        self.0.order() - self.0.hosts()
    }

    fn ports(&self) -> u32 {
        self.0.ports()
    }

    fn neighbor(&self, at: Node, port: crate::Port) -> Option<Node> {
        let hosts = self.0.hosts();
        let to = self.0.neighbor(Node(at.0 + hosts), port)?;
        to.0.checked_sub(hosts).map(Node)
    }

    fn for_each_neighbor(&self, at: Node, visit: &mut dyn FnMut(crate::Port, Node)) {
        let hosts = self.0.hosts();
        self.0.for_each_neighbor(Node(at.0 + hosts), &mut |port, to| {
            if let Some(to) = to.0.checked_sub(hosts) {
                visit(port, Node(to));
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::HostedRing;

    #[test]
    fn hosts_are_taken_off_where_they_only_send() {
        let fabric = Fabric::of(&HostedRing { n: 5, p: 3 }, &Budget::default()).unwrap();
        assert_eq!((fabric.csr.order(), fabric.csr.links(), fabric.first), (5, 5, 15));
        assert_eq!((fabric.at[14], fabric.hosts_each()), (4, Some(3)));
        assert_eq!(fabric.node(2), Node(17));
        assert!(fabric.is_switch(2) && !fabric.is_host(2));
        // Where all nodes are hosts it is the whole network.
        let whole = Fabric::of(&fabric.csr, &Budget::default()).unwrap();
        assert!(whole.is_switch(2) && whole.is_host(2));
        assert_eq!((whole.csr, whole.first, whole.hosts), (fabric.csr, 0, vec![1; 5]));
    }
}
