//! A network written out: neighbor lists in one array, each ascending.

use crate::bulk_neighbors::{Reach, Shifted, mark};
use crate::{Budget, Interrupted, Network, Node, OverBudget, Port};
use thiserror::Error;

/// A stored network. Port `i` of a node leads to its `i`-th neighbor in ascending order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Csr {
    /// Where each node's neighbors begin in `targets`; one entry more than nodes.
    offsets: Vec<u64>,
    targets: Vec<u32>,
    ports: u32,
}

/// Why a network cannot be written out.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CsrError {
    /// Node numbers are stored in 32 bits.
    #[error("{order} nodes are too many to store: at most 2^32")]
    TooManyNodes {
        /// How many there are.
        order: u64,
    },
    /// More memory or time than there is.
    #[error(transparent)]
    Budget(#[from] OverBudget),
    /// Stopped.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
    /// An edge that no simple network has.
    #[error("link {from} {to}: {why}")]
    BadLink {
        /// One end.
        from: u64,
        /// The other.
        to: u64,
        /// What is wrong with it.
        why: &'static str,
    },
}

impl Csr {
    /// Bytes that `nodes` and `links` take.
    pub fn bytes(nodes: u64, links: u128) -> u128 {
        8 * (u128::from(nodes) + 1) + 2 * 4 * links
    }

    /// Writes `network` out, or refuses before it allocates when that needs more than the budget has.
    ///
    /// Two passes over the neighbors; O(nodes + links · log degree).
    pub fn from_network(network: &dyn Network, budget: &Budget<'_>) -> Result<Self, CsrError> {
        let order = network.order();
        if order > 1 << 32 {
            return Err(CsrError::TooManyNodes { order });
        }
        // The offsets alone may be too much; the links are only known after counting.
        budget.fits(STORED, Csr::bytes(order, 0))?;
        let mut offsets = Vec::with_capacity(to_index(order) + 1);
        offsets.push(0);
        let mut total = 0u64;
        let mut ports = 0;
        for at in (0..order).map(Node) {
            budget.watch.check_each(at.0)?;
            let mut degree = 0u32;
            network.for_each_neighbor(at, &mut |_, _| degree += 1);
            ports = ports.max(degree);
            total += u64::from(degree);
            offsets.push(total);
        }
        budget.fits(STORED, Csr::bytes(order, u128::from(total).div_ceil(2)))?;
        let mut targets = Vec::with_capacity(to_index(total));
        for at in (0..order).map(Node) {
            budget.watch.check_each(at.0)?;
            let start = targets.len();
            network.for_each_neighbor(at, &mut |_, to| targets.push(to_u32(to.0)));
            targets[start..].sort_unstable();
        }
        Ok(Csr { offsets, targets, ports })
    }

    /// From links given once each, in any direction; a repeated link counts once. O(nodes + links · log degree).
    pub fn from_links(order: u64, links: &[(u32, u32)], limit: u64) -> Result<Self, CsrError> {
        if order > 1 << 32 {
            return Err(CsrError::TooManyNodes { order });
        }
        let budget = Budget { memory: limit, ..Budget::UNLIMITED };
        budget.fits(STORED, Csr::bytes(order, links.len() as u128))?;
        // How many neighbors each node has, and from that where they go: no list of all ends is sorted.
        let mut offsets = vec![0u64; to_index(order) + 1];
        for &(a, b) in links {
            let bad = |why| CsrError::BadLink { from: a.into(), to: b.into(), why };
            if a == b {
                return Err(bad("a node cannot be linked to itself"));
            }
            if u64::from(a.max(b)) >= order {
                return Err(bad("no such node"));
            }
            offsets[a as usize + 1] += 1;
            offsets[b as usize + 1] += 1;
        }
        for i in 1..offsets.len() {
            offsets[i] += offsets[i - 1];
        }
        let mut next = offsets.clone();
        let mut targets = vec![0u32; 2 * links.len()];
        for &(a, b) in links {
            for (from, to) in [(a, b), (b, a)] {
                let slot = &mut next[from as usize];
                targets[to_index(*slot)] = to;
                *slot += 1;
            }
        }
        drop(next);
        // Each list in order and without what is there again.
        let (mut start, mut kept, mut ports) = (0, 0, 0);
        for end in offsets.iter_mut().skip(1) {
            let list = start..to_index(*end);
            start = list.end;
            if !targets[list.clone()].is_sorted() {
                targets[list.clone()].sort_unstable();
            }
            let first = kept;
            for index in list {
                let to = targets[index];
                if kept == first || targets[kept - 1] != to {
                    targets[kept] = to;
                    kept += 1;
                }
            }
            ports = ports.max(kept - first);
            *end = kept as u64;
        }
        targets.truncate(kept);
        Ok(Csr { offsets, targets, ports: to_u32(ports as u64) })
    }

    /// The number of links.
    pub fn links(&self) -> u64 {
        self.targets.len() as u64 / 2
    }

    /// The neighbors of a node, ascending.
    #[inline]
    pub fn neighbors(&self, at: u32) -> &[u32] {
        let at = at as usize;
        &self.targets[to_index(self.offsets[at])..to_index(self.offsets[at + 1])]
    }

    /// Where each node's neighbors begin, and one more for the end.
    #[inline]
    pub fn offsets(&self) -> &[u64] {
        &self.offsets
    }

    /// All neighbor lists, one after the other.
    pub fn targets(&self) -> &[u32] {
        &self.targets
    }

    /// Where a channel begins and ends, by its place in [`targets`](Csr::targets), which must be one.
    pub fn ends(&self, channel: usize) -> (u32, u32) {
        let from = self.offsets.partition_point(|&first| first <= channel as u64) - 1;
        (u32::try_from(from).expect("ids are below 2^32"), self.targets[channel])
    }
}

/// What a budget is asked for.
const STORED: &str = "the stored network";

/// For numbers that were checked to be at most 2^32.
fn to_u32(value: u64) -> u32 {
    u32::try_from(value).expect("checked against 2^32 before")
}

/// For sizes that were checked against the memory limit.
#[inline]
fn to_index(value: u64) -> usize {
    usize::try_from(value).expect("a 64-bit machine")
}

impl Network for Csr {
    fn order(&self) -> u64 {
        self.offsets.len() as u64 - 1
    }

    fn ports(&self) -> u32 {
        self.ports
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        let list = self.neighbors(to_u32(at.0));
        list.get(port.0 as usize).map(|&to| Node(to.into()))
    }

    fn for_each_neighbor(&self, at: Node, visit: &mut dyn FnMut(Port, Node)) {
        for (port, &to) in (0..).zip(self.neighbors(to_u32(at.0))) {
            visit(Port(port), Node(to.into()));
        }
    }

    fn reach(&self) -> Option<&dyn Reach> {
        Some(self)
    }
}

impl Reach for Csr {
    fn mark_neighbors(&self, at: &[Shifted], marks: &mut [u64]) {
        for &Shifted { node, offset } in at {
            for &to in self.neighbors(to_u32(node)) {
                mark(marks, offset + u64::from(to));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn from_links_merges_and_sorts() {
        let csr = Csr::from_links(4, &[(2, 0), (0, 1), (0, 2)], 1 << 20).unwrap();
        assert_eq!(csr.neighbors(0), [1, 2]);
        assert_eq!(csr.neighbors(3), [] as [u32; 0]);
        assert_eq!(csr.links(), 2);
        assert_eq!(csr.ports(), 2);
        assert_eq!(Csr::from_network(&csr, &crate::Budget::UNLIMITED).unwrap(), csr);
        let again = [(0, 1), (1, 0), (2, 0), (0, 2), (1, 0)];
        assert_eq!(Csr::from_links(4, &again, 1 << 20).unwrap(), csr);
    }

    #[test]
    fn refuses_what_is_no_network_or_too_large() {
        assert!(matches!(
            Csr::from_links(2, &[(1, 1)], 1 << 20),
            Err(CsrError::BadLink { from: 1, to: 1, .. })
        ));
        assert!(Csr::from_links(2, &[(0, 2)], 1 << 20).is_err());
        let error = Csr::from_links(1000, &[(0, 1)], 100).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the stored network needs 8016 bytes, over the limit of 100 bytes"
        );
    }
}
