//! A network written out: neighbor lists in one array, each ascending.

use crate::bulk_neighbors::{Reach, Shifted, mark};
use crate::{Budget, Interrupted, Network, Node, OverBudget, Port, kinds};
use num_bigint::BigUint;
use std::collections::BTreeMap;
use thiserror::Error;

/// A stored network. Port `i` of a node leads to its `i`-th neighbor in ascending order; a neighbor is listed once for
/// each cable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Csr {
    /// Where each node's neighbors begin in `targets`; one entry more than nodes.
    offsets: Vec<u64>,
    targets: Vec<u32>,
    ports: u32,
    /// The number of links; a link of several cables counts once.
    links: u64,
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

kinds!(CsrError {
    Unsupported: TooManyNodes;
    Invalid: BadLink;
    inner: Budget, Interrupted;
});

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
        let mut links = 0;
        for at in (0..order).map(Node) {
            budget.watch.check_each(at.0)?;
            let start = targets.len();
            network.for_each_neighbor(at, &mut |_, to| targets.push(to_u32(to.0)));
            targets[start..].sort_unstable();
            links += distinct(&targets[start..]);
        }
        Ok(Csr { offsets, targets, ports, links: links / 2 })
    }

    /// From links given once each, in any direction; a repeated link counts once. O(nodes + links · log degree).
    pub fn from_links(order: u64, links: &[(u32, u32)], limit: u64) -> Result<Self, CsrError> {
        Csr::from_pairs(order, links, limit, false)
    }

    /// From a list of edges as files have it: a pair of nodes that is listed several times is a link of as many cables,
    /// and a link may be listed from one end or from both. So a link has as many cables as the direction that lists it
    /// more often. O(nodes + edges · log edges).
    ///
    /// ```
    /// use nestnet_graph::Csr;
    ///
    /// let csr = Csr::from_edges(3, &[(0, 1), (0, 1), (1, 2), (2, 1)], 1 << 20)?;
    /// assert_eq!((csr.links(), csr.cables()), (2, 3));
    /// assert_eq!(csr.neighbors(1), [0, 0, 2]);
    /// # Ok::<(), nestnet_graph::CsrError>(())
    /// ```
    pub fn from_edges(order: u64, edges: &[(u32, u32)], limit: u64) -> Result<Self, CsrError> {
        let simple = Csr::from_links(order, edges, limit)?;
        if simple.links == edges.len() as u64 {
            return Ok(simple);
        }
        let budget = Budget { memory: limit, ..Budget::UNLIMITED };
        budget.fits(STORED, Csr::bytes(order, 2 * edges.len() as u128))?;
        let mut sorted: Vec<(u32, u32, bool)> =
            edges.iter().map(|&(a, b)| (a.min(b), a.max(b), a > b)).collect();
        sorted.sort_unstable();
        let mut cables = Vec::new();
        for link in sorted.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let back = link.iter().filter(|(_, _, back)| *back).count();
            let count = back.max(link.len() - back);
            cables.extend(std::iter::repeat_n((link[0].0, link[0].1), count));
        }
        match cables.len() as u64 == simple.links {
            true => Ok(simple),
            false => Csr::from_pairs(order, &cables, limit, true),
        }
    }

    fn from_pairs(
        order: u64,
        links: &[(u32, u32)],
        limit: u64,
        repeated: bool,
    ) -> Result<Self, CsrError> {
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
        // Each list in order, and without what is there again where that counts once.
        let (mut start, mut kept, mut ports, mut ends) = (0, 0, 0, 0);
        for end in offsets.iter_mut().skip(1) {
            let list = start..to_index(*end);
            start = list.end;
            if !targets[list.clone()].is_sorted() {
                targets[list.clone()].sort_unstable();
            }
            let first = kept;
            for index in list {
                let to = targets[index];
                let fresh = kept == first || targets[kept - 1] != to;
                ends += u64::from(fresh);
                if fresh || repeated {
                    targets[kept] = to;
                    kept += 1;
                }
            }
            ports = ports.max(kept - first);
            *end = kept as u64;
        }
        targets.truncate(kept);
        Ok(Csr { offsets, targets, ports: to_u32(ports as u64), links: ends / 2 })
    }

    /// The number of links: pairs of nodes that at least one cable joins.
    pub fn links(&self) -> u64 {
        self.links
    }

    /// The number of cables.
    pub fn cables(&self) -> u64 {
        self.targets.len() as u64 / 2
    }

    /// How many links have each width.
    pub fn widths(&self) -> BTreeMap<u64, BigUint> {
        let mut counts = BTreeMap::<u64, u64>::new();
        for at in 0..to_u32(self.order()) {
            let above = self.neighbors(at).chunk_by(|a, b| a == b).filter(|link| link[0] > at);
            above.for_each(|link| *counts.entry(link.len() as u64).or_default() += 1);
        }
        counts.into_iter().map(|(width, links)| (width, links.into())).collect()
    }

    /// Whether a link has more than one cable.
    pub fn has_trunks(&self) -> bool {
        self.cables() > self.links
    }

    /// The same nodes and links, each of one cable.
    pub fn without_trunks(&self) -> Self {
        let mut slim = Csr { offsets: vec![0], targets: Vec::new(), ports: 0, links: self.links };
        for at in 0..to_u32(self.order()) {
            let start = slim.targets.len();
            slim.targets.extend_from_slice(self.neighbors(at));
            let mut kept = start;
            for index in start..slim.targets.len() {
                if kept == start || slim.targets[kept - 1] != slim.targets[index] {
                    slim.targets[kept] = slim.targets[index];
                    kept += 1;
                }
            }
            slim.targets.truncate(kept);
            slim.ports = slim.ports.max(to_u32((kept - start) as u64));
            slim.offsets.push(kept as u64);
        }
        slim
    }

    /// The neighbors of a node, ascending; one that several cables lead to is listed as often.
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

/// How many different numbers an ascending list has.
fn distinct(ascending: &[u32]) -> u64 {
    ascending.chunk_by(|a, b| a == b).count() as u64
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
            "the stored network needs 8016 bytes, over the limit of 100 bytes (`max_memory=`)"
        );
    }
}
