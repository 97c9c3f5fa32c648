//! A stored network whose nodes have names of their own: those of the file that it came from.

use crate::bulk_neighbors::Reach;
use crate::{Address, Csr, Identifiers, Network, Node, Port};
use std::collections::HashMap;
use std::sync::Arc;

/// Names of nodes, numbered in the order in which they were first given.
#[derive(Clone, Debug, Default)]
pub struct Names {
    ids: HashMap<Arc<str>, u32>,
    /// Which name each id has.
    names: Vec<Arc<str>>,
}

impl Names {
    /// The id of a name, the next one if it is new; `None` where there are no more.
    pub fn id(&mut self, name: &str) -> Option<u32> {
        if let Some(&id) = self.ids.get(name) {
            return Some(id);
        }
        let id = u32::try_from(self.names.len()).ok()?;
        let name: Arc<str> = name.into();
        self.ids.insert(name.clone(), id);
        self.names.push(name);
        Some(id)
    }

    /// The name of an id.
    pub fn name(&self, id: u32) -> Option<&str> {
        self.names.get(id as usize).map(|name| &**name)
    }

    /// How many there are.
    pub fn len(&self) -> u64 {
        self.names.len() as u64
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The id that a name has.
    pub fn find(&self, name: &str) -> Option<u32> {
        self.ids.get(name).copied()
    }
}

/// What the nodes of a stored network are called.
#[derive(Clone, Debug)]
enum Labels {
    Names(Names),
    /// Numbers from this one on.
    From(u64),
}

/// A stored network with other addresses than node ids.
#[derive(Clone, Debug)]
pub struct Named {
    csr: Csr,
    labels: Labels,
    hosts: u64,
    /// The level of every neighbor, in the order of the lists; empty where there is one level.
    levels: Vec<u16>,
    /// How many levels there are.
    count: u16,
    /// Cycles on a link of each level; empty where the file says none.
    latencies: Vec<u16>,
    /// What the fabric of the file calls its nodes and ports.
    identifiers: Option<Identifiers>,
}

impl Named {
    /// With a name for each node; those that have none are called by their ids.
    pub fn new(csr: Csr, names: Names) -> Self {
        Named::labeled(csr, Labels::Names(names))
    }

    /// With numbers that begin at `first` instead of 0.
    pub fn counted_from(csr: Csr, first: u64) -> Self {
        Named::labeled(csr, Labels::From(first))
    }

    fn labeled(csr: Csr, labels: Labels) -> Self {
        Named {
            hosts: csr.order(),
            csr,
            labels,
            levels: Vec::new(),
            count: 1,
            latencies: Vec::new(),
            identifiers: None,
        }
    }

    /// The same, where only the first `hosts` nodes are hosts.
    #[must_use]
    pub fn with_hosts(self, hosts: u64) -> Self {
        Named { hosts: hosts.min(self.csr.order()), ..self }
    }

    /// The same with a level for every neighbor, in the order of [`Csr::targets`]; with none, all are level 0.
    #[must_use]
    pub fn with_levels(self, levels: Vec<u16>) -> Self {
        debug_assert!(levels.is_empty() || levels.len() == self.csr.targets().len());
        let count = levels.iter().max().map_or(1, |most| most.saturating_add(1));
        Named { levels, count, ..self }
    }

    /// The same with the cycles on a link of each level.
    #[must_use]
    pub fn with_latencies(self, latencies: Vec<u16>) -> Self {
        Named { latencies, ..self }
    }

    /// The same with what the fabric calls its nodes and ports.
    #[must_use]
    pub fn with_identifiers(self, identifiers: Option<Identifiers>) -> Self {
        Named { identifiers, ..self }
    }
}

impl Network for Named {
    fn order(&self) -> u64 {
        self.csr.order()
    }

    fn ports(&self) -> u32 {
        self.csr.ports()
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        self.csr.neighbor(at, port)
    }

    fn for_each_neighbor(&self, at: Node, visit: &mut dyn FnMut(Port, Node)) {
        self.csr.for_each_neighbor(at, visit);
    }

    fn reach(&self) -> Option<&dyn Reach> {
        Some(&self.csr)
    }

    fn level(&self, at: Node, port: Port) -> u16 {
        let list = usize::try_from(at.0).ok().and_then(|at| self.csr.offsets().get(at));
        let slot = list.and_then(|start| usize::try_from(start + u64::from(port.0)).ok());
        slot.and_then(|slot| self.levels.get(slot)).copied().unwrap_or(0)
    }

    fn levels(&self) -> u16 {
        self.count
    }

    fn latencies(&self) -> Vec<u16> {
        self.latencies.clone()
    }

    fn identifiers(&self) -> Option<&Identifiers> {
        self.identifiers.as_ref()
    }

    fn hosts(&self) -> u64 {
        self.hosts
    }

    fn address(&self, at: Node) -> Address {
        match &self.labels {
            Labels::From(first) => Address::number(at.0 + first),
            Labels::Names(names) => {
                let name = u32::try_from(at.0).ok().and_then(|id| names.name(id));
                name.map_or_else(|| Address::number(at.0), Address::word)
            }
        }
    }

    fn node(&self, address: &Address) -> Option<Node> {
        let there = |node: &Node| node.0 < self.order();
        match &self.labels {
            Labels::From(first) => address.as_number()?.checked_sub(*first).map(Node).filter(there),
            Labels::Names(names) => {
                // A name may look like an address of several parts.
                let named = match address {
                    Address::Word(word) => names.find(word),
                    parts => names.find(&parts.to_string()),
                };
                let named = named.map(|id| Node(id.into())).filter(there);
                // A node without a name is called by its id.
                let unnamed = |node: &Node| {
                    u32::try_from(node.0).ok().and_then(|id| names.name(id)).is_none()
                };
                named.or_else(|| address.as_number().map(Node).filter(there).filter(unnamed))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::locate;

    fn path(order: u64) -> Csr {
        Csr::from_links(order, &[(0, 1), (1, 2)], 1 << 20).unwrap()
    }

    fn check(network: &Named, addresses: &[&str]) {
        for (id, address) in (0..).zip(addresses) {
            assert_eq!(network.address(Node(id)).to_string(), *address);
            assert_eq!(network.node(&network.address(Node(id))), Some(Node(id)));
            assert_eq!(locate(network, address), Ok(Node(id)));
        }
    }

    #[test]
    fn names_are_addresses() {
        let mut names = Names::default();
        for name in ["alice", "0", "New York (2)"] {
            names.id(name).unwrap();
        }
        let network = Named::new(path(4), names);
        check(&network, &["alice", "0", "New York (2)", "3"]);
        assert_eq!(network.neighbor(Node(0), Port(0)), Some(Node(1)));
        let error = locate(&network, "bob").unwrap_err().to_string();
        assert_eq!(error, "no node `bob`: give an id from 0 to 3 or an address such as `3`");
        // What is no address is an id.
        assert_eq!(locate(&network, "2"), Ok(Node(2)));
    }

    #[test]
    fn numbers_may_begin_elsewhere() {
        let network = Named::counted_from(path(3), 1);
        check(&network, &["1", "2", "3"]);
        // The largest address is one more than the largest id; zero is an id alone.
        assert_eq!(locate(&network, "0"), Ok(Node(0)));
        assert!(locate(&network, "4").is_err());
    }
}
