//! Broadcast along a binary tree, and along rings to whoever is not in it.
//!
//! # Where we differ
//! The text embeds a complete binary tree with a dilation of up to three, and its Theorem 2 counts the levels of that
//! tree as steps, not the links of its edges. We take a tree of links: level by level every node tells up to two
//! neighbors that do not know. When it can grow no more, the rest is told along the rings.

use super::network::CubeOfRings;
use nestnet_core::collective::broadcast::Knows;
use nestnet_core::collective::{Broadcast, Ports, Steps, Transfer};
use nestnet_core::{Network, Node};

/// Larger networks would not fit in memory.
pub(super) const MAX_ORDER: u64 = 1 << 32;

impl Broadcast for CubeOfRings {
    fn ports(&self) -> Ports {
        Ports::All
    }

    fn from(&self, root: Node) -> Steps<'_> {
        let mut knows = Knows::new(self.order());
        knows.tell(root);
        // Those that were told in the last step, and all that know.
        let mut frontier = vec![root];
        let mut known = vec![root];
        Box::new(move |out: &mut Vec<Transfer>| {
            let mut told = Vec::new();
            for (senders, most) in [(&frontier, 2), (&known, usize::MAX)] {
                if !told.is_empty() {
                    break;
                }
                for &from in senders {
                    let mut left = most;
                    self.for_each_neighbor(from, &mut |port, to| {
                        if left > 0 && knows.tell(to) {
                            left -= 1;
                            out.push(Transfer { from, port, block: 0 });
                            told.push(to);
                        }
                    });
                }
            }
            known.extend(&told);
            frontier = told;
            !frontier.is_empty()
        })
    }

    /// Theorem 2: k + j + ⌈log2 r⌉ + ⌊r/2⌋.
    fn claimed(&self) -> Option<u64> {
        let r = self.rule.r;
        let doublings = if r <= 1 { 0 } else { (r - 1).ilog2() + 1 };
        Some(self.rule.bits() + u64::from(doublings) + r / 2)
    }
}
