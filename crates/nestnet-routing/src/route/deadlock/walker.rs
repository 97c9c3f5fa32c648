//! Does every route to one node rise in the order? Walked hop by hop, by the row of hops to it.

use super::places::Places;
use super::{Channel, CheckError};
use crate::route::{Entry, Router};
use nestnet_graph::{Node, index};

/// What one thread walks with.
#[derive(Debug, Default)]
pub(super) struct Walker {
    row: Vec<Entry>,
    /// Nodes from which the rest of the route was walked before.
    walked: Vec<bool>,
}

impl Walker {
    /// Walks from every host to one node, hop by hop, by the row of hops to it. How many hosts are routed.
    ///
    /// A channel must begin behind where the one before it ends, by `span` of its place. A route that joins one that was
    /// walked before is not walked to the end again; it cannot go around for ever, because its channels rise.
    pub(super) fn walk(
        &mut self,
        router: &dyn Router,
        places: &Places,
        to: Node,
        hosts: u64,
        span: impl Fn(u32) -> (u32, u32),
    ) -> Result<u64, CheckError> {
        let Walker { row, walked } = self;
        row.resize(places.order(), Entry::NONE);
        router.fill(to, row);
        walked.clear();
        walked.resize(places.order(), false);
        let target = index(to);
        let mut routed = 0;
        for from in (0..hosts).map(Node).filter(|&from| from != to) {
            if row[index(from)] == Entry::NONE {
                continue;
            }
            routed += 1;
            let (mut at, mut last) = (index(from), 0);
            while at != target {
                let node = Node(at as u64);
                let Some((port, vc)) = row[at].get() else {
                    return Err(CheckError::Ends { from, to, at: node });
                };
                let channel = Channel { node, port, vc };
                let (low, high) = span(places.of(channel, to)?);
                if low <= last {
                    return Err(CheckError::AgainstOrder { from, to, channel });
                }
                if std::mem::replace(&mut walked[at], true) {
                    break;
                }
                (at, last) = (places.leads_to(channel), high);
            }
        }
        Ok(routed)
    }
}
