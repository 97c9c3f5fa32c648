//! What an InfiniBand fabric calls its nodes and ports, kept from a file so that tables are those of the fabric itself.

use crate::{Node, Port};

/// GUIDs, local identifiers (LIDs) and numbers of ports of all nodes of a network.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identifiers {
    /// Those of each node, in the order of the nodes.
    pub nodes: Vec<NodeIdentifiers>,
}

/// What a switch, or an adapter with one port in use, is called.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeIdentifiers {
    /// The name that people gave, or that of its record.
    pub name: String,
    /// The GUID of the node.
    pub guid: u64,
    /// The GUID of its port: of a switch that of the node.
    pub port_guid: u64,
    /// Its local identifier.
    pub lid: u16,
    /// How many ports it has, those without a cable among them.
    pub count: u32,
    /// The number of the port of every neighbor, in their order.
    pub ports: Vec<u32>,
}

impl Identifiers {
    /// Those of a node; none where there is no such node.
    pub fn of(&self, at: Node) -> Option<&NodeIdentifiers> {
        self.nodes.get(usize::try_from(at.0).ok()?)
    }

    /// The number that the fabric has for a port.
    pub fn port(&self, at: Node, port: Port) -> Option<u32> {
        self.of(at)?.ports.get(usize::try_from(port.0).ok()?).copied()
    }
}
