//! What one step is: which node does what over which of its links.

use nestnet_graph::{Node, Port};
use std::fmt;
use std::sync::Arc;

/// What a node does in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// Nothing.
    Stay,
    /// Its item goes over the one port that is named; another comes.
    Carry,
    /// It shows its item over every port that is named, and is shown those at the other ends.
    Meet,
}

/// One step of all nodes at once.
#[derive(Clone)]
pub struct Step(Arc<Rule>);

/// What a node does, and the ports that it uses.
type Rule = dyn Fn(Node, &mut Vec<Port>) -> Act + Send + Sync;

impl Step {
    /// The rule is asked for each node, and appends the ports that the node uses.
    pub fn new(rule: impl Fn(Node, &mut Vec<Port>) -> Act + Send + Sync + 'static) -> Self {
        Step(Arc::new(rule))
    }

    /// Every item goes over the port that the rule names, or stays.
    pub fn carry(port: impl Fn(Node) -> Option<Port> + Send + Sync + 'static) -> Self {
        Step::new(move |at, ports| match port(at) {
            Some(port) => {
                ports.push(port);
                Act::Carry
            }
            None => Act::Stay,
        })
    }

    /// What `at` does; the ports that it uses are appended.
    pub fn act(&self, at: Node, ports: &mut Vec<Port>) -> Act {
        (self.0)(at, ports)
    }

    /// The same in every copy of a network of `order` nodes, one behind the other, whose ports come first.
    pub fn in_copies(self, order: u64) -> Step {
        Step::new(move |at, ports| self.act(Node(at.0 % order), ports))
    }
}

impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Step")
    }
}
