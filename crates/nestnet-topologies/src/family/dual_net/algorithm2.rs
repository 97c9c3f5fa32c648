//! Algorithm 2 as it is printed: in its last loop all clusters of the other type send but that of s′.
//!
//! # Where we differ
//! Those that must not send are the nodes that were informed over cross links in the second step, one in every cluster.
//! As printed one cluster is silent, so that whoever it should have informed is missed, and those of the sender's cluster
//! are informed again; inside a cluster the same again. The subscript u_1 in RDN^{u′0}_{u1} is read as u′_1, the cluster of
//! u′; with u_1 as it stands (`as-printed-subscript`) every u′ that was informed starts a broadcast in one and the same cluster.

use super::network::DualNet;
use crate::family::Built;
use nestnet_collectives::printed_broadcast::{
    PrintedBroadcast, PrintedSteps, follow, printed_steps,
};
use nestnet_collectives::{Broadcast, Ports};
use nestnet_graph::{Network, Node};
use std::sync::Arc;

/// The name of the text with its subscript as it stands.
pub(super) const PRINTED_SUBSCRIPT: &str = "as-printed-subscript";

/// In which cluster the second loop has u′ broadcast.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subscript {
    /// That of u′, which is meant.
    Receiver,
    /// u_1, the number of the sender's cluster, as it stands.
    Sender,
}

/// The text of the broadcast, for one construction or several, the innermost first.
pub(super) fn algorithm_2(
    base: &Built,
    levels: &[Arc<DualNet>],
    subscript: Subscript,
) -> Option<Arc<dyn PrintedBroadcast>> {
    let (network, broadcast) = (base.network.clone()?, base.broadcast(Ports::One)?);
    (!levels.is_empty()).then_some(())?;
    Some(Arc::new(Algorithm2 { base: network, broadcast, levels: levels.to_vec(), subscript }))
}

#[derive(Debug)]
struct Algorithm2 {
    base: Arc<dyn Network>,
    broadcast: Arc<dyn Broadcast>,
    levels: Vec<Arc<DualNet>>,
    subscript: Subscript,
}

impl Algorithm2 {
    fn informed(&self, levels: usize, s: Node) -> PrintedSteps {
        let Some(network) = levels.checked_sub(1).map(|top| &self.levels[top]) else {
            return printed_steps(&*self.base, &*self.broadcast, s);
        };
        let (n, (s0, s1, s2)) = (network.n, network.split(s));
        let across = |t: u64, c: u64, v: u64| (network.join(t, c, v), network.join(1 - t, v, c));
        let inside = |t: u64, c: u64, step: &[(Node, Node)]| -> Vec<(Node, Node)> {
            let at = |node: Node| network.join(t, c, node.0);
            step.iter().map(|&(from, to)| (at(from), at(to))).collect()
        };
        let own = self.informed(levels - 1, Node(s2));
        let inner = match levels.checked_sub(2) {
            Some(below) => &*self.levels[below] as &dyn Network,
            None => &*self.base,
        };
        // Only a u′ that was informed broadcasts: of those with a cluster of their own the rest is silent anyway.
        let informed = match self.subscript {
            Subscript::Receiver => 0,
            Subscript::Sender => follow(inner, Node(s2), &own).reached,
        };
        let mut out: PrintedSteps = own.iter().map(|step| inside(s0, s1, step)).collect();
        out.push((0..n).map(|v| across(s0, s1, v)).collect());
        for step in self.informed(levels - 1, Node(s1)) {
            out.push(match self.subscript {
                Subscript::Receiver => (0..n).flat_map(|c| inside(1 - s0, c, &step)).collect(),
                Subscript::Sender => {
                    (0..informed).flat_map(|_| inside(1 - s0, s1, &step)).collect()
                }
            });
        }
        let clusters = (0..n).filter(|&c| c != s2);
        out.push(clusters.flat_map(|c| (0..n).map(move |v| across(1 - s0, c, v))).collect());
        out
    }
}

impl PrintedBroadcast for Algorithm2 {
    fn ports(&self) -> Ports {
        Ports::One
    }

    fn from(&self, root: Node) -> PrintedSteps {
        self.informed(self.levels.len(), root)
    }

    /// Theorem 3.
    fn claimed(&self) -> Option<u64> {
        let base = self.broadcast.claimed()?;
        Some(self.levels.iter().fold(base, |steps, _| 2 * steps + 2))
    }
}
