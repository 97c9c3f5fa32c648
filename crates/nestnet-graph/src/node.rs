//! What names a node and one of its links, and where a number is in memory.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The number of a node: `0..order`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Node(pub u64);

/// The number of a link at its node: `0..ports`. A port may be empty at some nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Port(pub u32);

/// Where something with this number is in memory: what is numbered fits there.
///
/// ```
/// use nestnet_graph::{Node, index};
///
/// assert_eq!((index(Node(7)), index(7u64)), (7, 7));
/// ```
pub fn index(number: impl Into<u64>) -> usize {
    usize::try_from(number.into()).expect("it fits in memory")
}

impl From<Node> for u64 {
    fn from(node: Node) -> Self {
        node.0
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for Port {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
