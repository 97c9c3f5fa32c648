//! Equal-cost multipath: every switch takes one of its shortest hops, by a hash of the flow.

use super::weighted_paths::{host_ports, ports_of};
use super::{Header, Hop, Router, TableError, Vc};
use nestnet_graph::fabric::Fabric;
use nestnet_graph::measure::{count, search::distances_from, splitmix64};
use nestnet_graph::{Budget, Network, Node, Port, index};

/// So many flows between two hosts, each hashed on its own.
const FLOWS: u64 = 16;

/// Shortest paths, one for each flow: at every switch the hash of the flow chooses among all ports that lead nearer.
#[derive(Debug)]
pub struct Ecmp {
    fabric: Fabric,
    ports: Vec<Port>,
    hosts: Vec<(u32, Port, Port)>,
    /// Between switches, by target; `u16::MAX` where there is no path.
    distance: Vec<u16>,
    longest: u64,
}

impl Ecmp {
    /// For a network within a budget. O(switches · channels); two bytes for every pair of switches.
    pub fn new(network: &dyn Network, budget: &Budget<'_>) -> Result<Self, TableError> {
        let fabric = Fabric::of(network, budget)?;
        let n = count(&fabric.csr);
        budget.fits("distances between all switches", 2 * (n as u128).pow(2))?;
        let mut distance = Vec::with_capacity(n * n);
        let mut longest = 0;
        for at in 0..n {
            budget.check()?;
            for far in distances_from(&fabric.csr, Node(at as u64)) {
                let far = u16::try_from(far).unwrap_or(u16::MAX);
                longest = if far == u16::MAX { longest } else { longest.max(far) };
                distance.push(far);
            }
        }
        let longest = u64::from(longest) + if fabric.has_host_links() { 2 } else { 0 };
        let (ports, hosts) = (ports_of(network, &fabric), host_ports(network, &fabric));
        Ok(Ecmp { fabric, ports, hosts, distance, longest })
    }

    fn switch(&self, node: Node) -> usize {
        match node.0.checked_sub(self.fabric.first) {
            Some(switch) => index(switch),
            None => self.fabric.at[index(node)] as usize,
        }
    }
}

impl Router for Ecmp {
    fn vcs(&self) -> u16 {
        1
    }

    fn choices(&self) -> u64 {
        FLOWS
    }

    fn start(&self, from: Node, to: Node, choice: u64) -> Header {
        Header { to, state: splitmix64(splitmix64(from.0) ^ to.0.rotate_left(32) ^ choice) }
    }

    fn next(&self, at: Node, header: Header) -> Option<Hop> {
        let to = header.to;
        if at == to {
            return None;
        }
        let hop = |port| Some(Hop { port, vc: Vc(0), header });
        if at.0 < self.fabric.first {
            return hop(self.hosts[index(at)].1);
        }
        let (here, there) = (self.switch(at), self.switch(to));
        if here == there {
            return hop(self.hosts.get(index(to))?.2);
        }
        let row = &self.distance[there * self.fabric.hosts.len()..][..self.fabric.hosts.len()];
        let near = row[here].checked_sub(1).filter(|_| row[here] != u16::MAX)?;
        let first = index(self.fabric.csr.offsets()[here]);
        let neighbors =
            &self.fabric.csr.targets()[first..index(self.fabric.csr.offsets()[here + 1])];
        let nearer = || (first..).zip(neighbors).filter(|(_, next)| row[**next as usize] == near);
        let pick = splitmix64(header.state ^ at.0) % (nearer().count() as u64).max(1);
        let (channel, _) = nearer().nth(index(pick))?;
        hop(self.ports[channel])
    }

    fn longest(&self) -> u64 {
        self.longest
    }

    fn remembers(&self) -> bool {
        true
    }

    fn state_bytes(&self) -> u64 {
        // A set of ports for every switch.
        self.fabric.csr.order() * 8
    }
}
