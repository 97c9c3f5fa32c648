//! Buslets: nuclei that are buses, not cliques.
//!
//! # Definition
//! A nucleus may be a hypergraph such as a buslet, whose nodes share one bus (Sections 2.1 and 5.2). `buses(B)` is the
//! network B with a bus for every connected part of its innermost links: a node of it has one link, to the bus, in place
//! of those to the other nodes of its nucleus, and keeps its links between clusters.
//!
//! # Numbering
//! The nodes as in B, then the buses in the order of their lowest nodes. Buses only switch.

use crate::family::{ArgError, Args, Built};
use nestnet_graph::union_find::MinUnionFind;
use nestnet_graph::{Network, Node, Port};
use std::sync::Arc;

/// Limit: nodes of a base whose nuclei become buses, which is written out.
const MAX_NODES: u64 = 1 << 20;

/// A network whose nuclei are buses.
#[derive(Debug)]
struct Buses {
    base: Arc<dyn Network>,
    /// The bus of each node, where it has innermost links.
    bus_of: Vec<Option<u32>>,
    /// The nodes of each bus, ascending.
    members: Vec<Vec<u64>>,
}

pub(super) fn build(args: &Args) -> Result<Built, ArgError> {
    let base = args.network("base").base();
    let base = base.filter(|base| base.order() <= MAX_NODES).ok_or_else(|| {
        ArgError::new("base", format!("must have at most {MAX_NODES} nodes, to be written out"))
    })?;
    if base.hosts() < base.order() {
        return Err(ArgError::new("base", "must not have switches: its nodes share the buses"));
    }
    Ok(Built::stored_with(Arc::new(Buses::new(base)), Vec::new()))
}

impl Buses {
    fn new(base: Arc<dyn Network>) -> Self {
        let narrow = |at: u64| u32::try_from(at).expect("at most 2^20 nodes");
        let nodes = narrow(base.order());
        let mut parts = MinUnionFind::apart(nodes);
        let mut inner = vec![false; nodes as usize];
        for at in (0..base.order()).map(Node) {
            base.for_each_neighbor(at, &mut |port, to| {
                if base.level(at, port) == 0 {
                    parts.join(narrow(at.0), narrow(to.0));
                    inner[narrow(at.0) as usize] = true;
                }
            });
        }
        // The lowest node of a part is met first, and gives it its number.
        let (mut bus_of, mut members) = (vec![None; nodes as usize], Vec::<Vec<u64>>::new());
        for at in (0..nodes).filter(|&at| inner[at as usize]) {
            let lowest = parts.lowest(at);
            let bus = if lowest == at {
                members.push(Vec::new());
                narrow(members.len() as u64 - 1)
            } else {
                bus_of[lowest as usize].expect("the lowest node was met before")
            };
            bus_of[at as usize] = Some(bus);
            members[bus as usize].push(u64::from(at));
        }
        Buses { base, bus_of, members }
    }

    /// The number of a bus, where a node is one.
    fn bus(&self, at: Node) -> Option<usize> {
        at.0.checked_sub(self.base.order()).and_then(|bus| usize::try_from(bus).ok())
    }
}

impl Network for Buses {
    fn order(&self) -> u64 {
        self.base.order() + self.members.len() as u64
    }

    fn hosts(&self) -> u64 {
        self.base.order()
    }

    fn ports(&self) -> u32 {
        let most = self.members.iter().map(Vec::len).max().unwrap_or(0);
        u32::try_from(most).unwrap_or(u32::MAX).max(self.base.ports() + 1)
    }

    /// Port 0 leads to the bus, port p + 1 where port p of the base does; those of a bus to its nodes.
    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        if let Some(bus) = self.bus(at) {
            return self.members[bus].get(usize::try_from(port.0).ok()?).copied().map(Node);
        }
        match port.0.checked_sub(1) {
            None => {
                let bus = self.bus_of[usize::try_from(at.0).ok()?]?;
                Some(Node(self.base.order() + u64::from(bus)))
            }
            Some(port) if port >= self.base.ports() => None,
            Some(port) if self.base.level(at, Port(port)) == 0 => None,
            Some(port) => self.base.neighbor(at, Port(port)),
        }
    }

    fn level(&self, at: Node, port: Port) -> u16 {
        match (self.bus(at), port.0.checked_sub(1)) {
            (None, Some(port)) => self.base.level(at, Port(port)),
            _ => 0,
        }
    }

    fn levels(&self) -> u16 {
        self.base.levels()
    }
}

#[cfg(test)]
mod tests {
    use crate::build;

    /// A clique of eight has degree 7; a node at a bus has one link to it.
    #[test]
    fn a_node_of_a_buslet_has_one_link_to_its_bus() {
        let built = build("buses(rsn(complete(8), 2))").unwrap();
        let network = built.network.clone().unwrap();
        assert_eq!((network.order(), network.hosts()), (64 + 8, 64));
        let degree = |at| {
            let mut degree = 0;
            network.for_each_neighbor(nestnet_graph::Node(at), &mut |_, _| degree += 1);
            degree
        };
        // 00 is a leader, 01 has a link of level 2, a bus has its eight nodes.
        assert_eq!((degree(0), degree(1), degree(64)), (1, 2, 8));
        assert!(built.theory.connected());
        // From node to bus to node: two links in place of one.
        assert_eq!(
            build("buses(complete(8))").unwrap().theory.diameter().unwrap().high,
            2u8.into()
        );
    }

    /// The hypernet of buslets: 8 nodes a bus, 256 in all, and no node of more than two links but the buses.
    #[test]
    fn hypernets_of_buslets() {
        let spec = "buses(sn(sn(complete(8), 2, 1, mask=1, value=0), 3, 2, mask=3, value=1))";
        let built = build(spec).unwrap();
        let network = built.network.clone().unwrap();
        assert_eq!((network.hosts(), network.order()), (256, 256 + 32));
        for at in (0..256).map(nestnet_graph::Node) {
            let mut degree = 0;
            network.for_each_neighbor(at, &mut |_, _| degree += 1);
            assert!((1..=2).contains(&degree), "{at}: {degree}");
        }
        assert!(built.theory.connected());
    }
}
