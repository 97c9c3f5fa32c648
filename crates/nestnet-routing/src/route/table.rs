//! A router written out: one entry for every node and target.

use super::{Entry, Header, Hop, Router};

use nestnet_graph::{Budget, CsrError, Interrupted, Network, Node, OverBudget, kinds};
use rayon::prelude::*;
use std::sync::atomic::AtomicU64;
use thiserror::Error;

/// All hops of a router that remembers nothing.
#[derive(Debug)]
pub struct Table {
    order: usize,
    vcs: u16,
    longest: u64,
    /// A row for each target.
    entries: Vec<Entry>,
}

/// Why a router cannot be written out.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TableError {
    /// Its hops depend on more than the place and the target.
    #[error("the router remembers, and a table cannot")]
    Remembers,
    /// Ports or virtual channels do not fit into an entry.
    #[error("{ports} ports and {vcs} virtual channels are too many for a table")]
    TooManyChannels {
        /// Ports of a node.
        ports: u32,
        /// Virtual channels of a link.
        vcs: u16,
    },
    /// More memory or time than there is.
    #[error(transparent)]
    Budget(#[from] OverBudget),
    /// The links cannot be written out.
    #[error(transparent)]
    Csr(Box<CsrError>),
    /// Stopped.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

kinds!(TableError {
    Unsupported: Remembers, TooManyChannels;
    inner: Budget, Csr, Interrupted;
});

impl From<CsrError> for TableError {
    fn from(error: CsrError) -> Self {
        match error {
            CsrError::Interrupted(stopped) => TableError::Interrupted(stopped),
            CsrError::Budget(budget) => TableError::Budget(budget),
            error => TableError::Csr(Box::new(error)),
        }
    }
}

impl Table {
    /// Bytes that a network of that order takes: four for every ordered pair.
    pub fn bytes(order: u64) -> u128 {
        4 * u128::from(order) * u128::from(order)
    }

    /// Writes `router` out, or refuses before it begins. A hop for every pair; targets in parallel.
    pub fn new(
        network: &dyn Network,
        router: &dyn Router,
        budget: &Budget<'_>,
    ) -> Result<Self, TableError> {
        let (order, ports, vcs) = (network.order(), network.ports(), router.vcs());
        if router.remembers() {
            return Err(TableError::Remembers);
        }
        if ports >= Entry::MAX_PORTS || vcs > Entry::MAX_VCS {
            return Err(TableError::TooManyChannels { ports, vcs });
        }
        budget.fits("the table", Table::bytes(order))?;
        let row = usize::try_from(order).expect("it fits in memory");
        let mut entries = vec![Entry::NONE; row * row];
        let done = AtomicU64::new(0);
        let fill = |(to, entries): (usize, &mut [Entry])| {
            router.fill(Node(to as u64), entries);
            budget.watch.step(&done, order)
        };
        entries.par_chunks_mut(row.max(1)).enumerate().try_for_each(fill)?;
        Ok(Table { order: row, vcs, longest: router.longest(), entries })
    }

    /// The hops of all nodes to one.
    pub fn row(&self, to: Node) -> &[Entry] {
        let to = usize::try_from(to.0).expect("a node of this network");
        &self.entries[to * self.order..(to + 1) * self.order]
    }
}

impl Router for Table {
    fn vcs(&self) -> u16 {
        self.vcs
    }

    fn next(&self, at: Node, header: Header) -> Option<Hop> {
        let at = usize::try_from(at.0).expect("a node of this network");
        let (port, vc) = self.row(header.to)[at].get()?;
        Some(Hop { port, vc, header })
    }

    fn fill(&self, to: Node, row: &mut [Entry]) {
        row.copy_from_slice(self.row(to));
    }

    fn longest(&self) -> u64 {
        self.longest
    }

    fn state_bytes(&self) -> u64 {
        4 * self.order as u64
    }
}
