//! Which nodes and links have failed?

use nestnet_graph::measure::splitmix64;
use nestnet_graph::{Interrupted, Network, Node, Watch, kinds};
use std::collections::BTreeSet;
use std::fmt;
use thiserror::Error;

/// Failed nodes and failed links. A failed node takes all its links with it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Faults {
    nodes: BTreeSet<Node>,
    /// The lower end first.
    links: BTreeSet<(Node, Node)>,
    sample: Option<FaultSample>,
}

/// What fails at random: every node and every link for itself. Each one's number and the seed decide, so that nothing is
/// written down and networks of any size have faults.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FaultSample {
    /// Another seed, other faults.
    pub seed: u64,
    /// With which probability a node fails, from 0 to 1.
    pub nodes: f64,
    /// With which probability a link fails, from 0 to 1.
    pub links: f64,
}

impl FaultSample {
    pub(crate) fn has_node(&self, node: Node) -> bool {
        self.nodes > 0.0 && happens(splitmix64(splitmix64(self.seed) ^ node.0), self.nodes)
    }

    fn has_link(&self, low: Node, high: Node) -> bool {
        let draw = || splitmix64(splitmix64(splitmix64(!self.seed) ^ low.0) ^ high.0);
        self.links > 0.0 && happens(draw(), self.links)
    }

    /// How many cables of a link of that width fail, each for itself; of one cable what becomes of the link.
    pub(crate) fn failed_cables(&self, from: Node, to: Node, width: usize) -> usize {
        let (low, high) = (from.min(to), from.max(to));
        let others = (1..width as u64).filter(|&cable| {
            // Another seed for every further cable.
            let seed = splitmix64(self.seed ^ splitmix64(cable));
            FaultSample { seed, ..*self }.has_link(low, high)
        });
        usize::from(self.has_link(low, high)) + others.count()
    }
}

/// Whether something of that probability happens. 53 bits of a random number are compared, all that a fraction holds.
fn happens(number: u64, probability: f64) -> bool {
    const PARTS: u64 = 1 << 53;
    ((number >> 11) as f64) < probability * PARTS as f64
}

/// What cannot fail because it is not there, or cannot be asked for because it has failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FaultsError {
    /// Not a node.
    #[error("node {node} cannot fail: the nodes are 0 to {last}")]
    NoNode {
        /// What was given.
        node: Node,
        /// The highest node.
        last: u64,
    },
    /// Nothing begins or ends there.
    #[error("node {node} has failed: no route begins or ends there")]
    DeadEnd {
        /// The failed node.
        node: Node,
    },
    /// Not a link.
    #[error("link {from}-{to} cannot fail: these nodes are not linked")]
    NoLink {
        /// One end.
        from: Node,
        /// The other.
        to: Node,
    },
}

kinds!(FaultsError: Invalid);

/// The nodes and links that were named, as a list of faults is read.
impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nodes = self.nodes().map(|node| node.to_string());
        let links = self.links().map(|(from, to)| format!("{from}-{to}"));
        f.write_str(&nodes.chain(links).collect::<Vec<_>>().join(","))
    }
}

impl Faults {
    /// This node fails too.
    pub fn fail_node(&mut self, node: Node) {
        self.nodes.insert(node);
    }

    /// The link between these fails too.
    pub fn fail_link(&mut self, from: Node, to: Node) {
        self.links.insert((from.min(to), from.max(to)));
    }

    /// Others fail at random.
    pub fn draw(&mut self, sample: FaultSample) {
        self.sample = Some(sample);
    }

    /// How many nodes and links have failed, named ones and those at random. O(nodes + links).
    pub fn count(
        &self,
        network: &dyn Network,
        watch: &Watch<'_>,
    ) -> Result<(u64, u64), Interrupted> {
        let (mut nodes, mut links) = (0, 0);
        for at in (0..network.order()).map(Node) {
            watch.check_each(at.0)?;
            nodes += u64::from(self.has_node(at));
            network.for_each_neighbor(at, &mut |_, to| {
                links += u64::from(at < to && self.has_link(at, to));
            });
        }
        Ok((nodes, links))
    }

    /// The failed nodes that were named, ascending.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = Node> + '_ {
        self.nodes.iter().copied()
    }

    /// The links that were named, ascending, the lower end first.
    pub fn links(&self) -> impl ExactSizeIterator<Item = (Node, Node)> + '_ {
        self.links.iter().copied()
    }

    /// Whether nothing has failed.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty() && self.links.is_empty() && self.sample.is_none()
    }

    /// Whether this node has failed.
    pub fn has_node(&self, node: Node) -> bool {
        self.nodes.contains(&node) || self.sample.is_some_and(|sample| sample.has_node(node))
    }

    /// Whether the link between these has failed of itself.
    pub fn has_link(&self, from: Node, to: Node) -> bool {
        let (low, high) = (from.min(to), from.max(to));
        self.links.contains(&(low, high))
            || self.sample.is_some_and(|sample| sample.has_link(low, high))
    }

    /// Whether a message can pass between these neighbors: the link and both ends are alive.
    pub fn passes(&self, from: Node, to: Node) -> bool {
        !self.has_node(from) && !self.has_node(to) && !self.has_link(from, to)
    }

    /// An error if a route between these has no beginning or no end.
    pub fn check_ends(&self, from: Node, to: Node) -> Result<(), FaultsError> {
        let dead = [from, to].into_iter().find(|&end| self.has_node(end));
        dead.map_or(Ok(()), |node| Err(FaultsError::DeadEnd { node }))
    }

    /// An error unless all of them are nodes and links of `network`.
    pub fn check(&self, network: &dyn Network) -> Result<(), FaultsError> {
        let last = network.order().saturating_sub(1);
        let ends = self.links.iter().flat_map(|&(from, to)| [from, to]);
        if let Some(node) = self.nodes().chain(ends).find(|node| node.0 >= network.order()) {
            return Err(FaultsError::NoNode { node, last });
        }
        for (from, to) in self.links() {
            let mut linked = false;
            network.for_each_neighbor(from, &mut |_, next| linked |= next == to);
            if !linked {
                return Err(FaultsError::NoLink { from, to });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nestnet_seed::samples::ring;

    #[test]
    fn what_has_failed() {
        let mut faults = Faults::default();
        assert!(faults.is_empty());
        faults.fail_node(Node(2));
        faults.fail_link(Node(5), Node(4));
        let passes = |a, b| faults.passes(Node(a), Node(b));
        assert!(passes(0, 1));
        assert!(!passes(1, 2) && !passes(2, 3) && !passes(4, 5) && !passes(5, 4));
        assert_eq!(faults.check(&ring(6)), Ok(()));
        assert_eq!(faults.check_ends(Node(0), Node(4)), Ok(()));
        let dead = faults.check_ends(Node(0), Node(2));
        assert_eq!(dead, Err(FaultsError::DeadEnd { node: Node(2) }));
    }

    #[test]
    fn what_is_not_there_cannot_fail() {
        let mut faults = Faults::default();
        faults.fail_link(Node(3), Node(1));
        let error = faults.check(&ring(6)).unwrap_err();
        assert_eq!(error, FaultsError::NoLink { from: Node(1), to: Node(3) });
        faults.fail_node(Node(6));
        let error = faults.check(&ring(6)).unwrap_err();
        assert_eq!(error.to_string(), "node 6 cannot fail: the nodes are 0 to 5");
    }
}
