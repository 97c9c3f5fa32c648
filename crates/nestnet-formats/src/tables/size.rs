//! How many bytes does a switch need for its table, whole or by intervals of destinations?

use super::{TablesError, check};
use crate::{WriteError, writing::Writing};
use nestnet_graph::budget::product;
use nestnet_graph::node::Node;
use nestnet_routing::Router;
use nestnet_routing::route::Entry;

/// What the switch needs that needs the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableSize {
    /// Destinations, each an entry.
    pub destinations: u64,
    /// Bytes of a port and a virtual channel.
    pub entry: u64,
    /// Intervals of destinations with the same port and virtual channel, at the switch that has the most.
    pub intervals: u64,
    /// Bytes of the last destination of an interval.
    pub bound: u64,
}

impl TableSize {
    /// Bytes of a table with an entry for every destination.
    pub fn whole(&self) -> u64 {
        self.destinations * self.entry
    }

    /// Bytes of a table with an entry for every interval.
    pub fn by_intervals(&self) -> u64 {
        self.intervals * (self.entry + self.bound)
    }
}

/// Bytes that hold `count` values.
fn bytes(count: u64) -> u64 {
    u64::from((u64::BITS - count.saturating_sub(1).leading_zeros()).div_ceil(8)).max(1)
}

/// Asks for every destination and node; eight bytes a node.
pub fn size(writing: &Writing<'_>, router: &dyn Router) -> Result<TableSize, TablesError> {
    check(writing, router, "a table")?;
    let (order, hosts) = (writing.network.order(), writing.hosts());
    let budget = &writing.budget;
    let pairs = u128::from(order) * u128::from(hosts);
    budget.affords("all entries of the tables", product([8, pairs])).map_err(WriteError::from)?;
    budget.fits("a row of the tables", 12 * u128::from(order)).map_err(WriteError::from)?;
    let nodes = usize::try_from(order).unwrap_or(0);
    let mut row = vec![Entry::NONE; nodes];
    let mut last = vec![Entry::NONE; nodes];
    let mut runs = vec![0u32; nodes];
    for to in 0..hosts {
        budget.check().map_err(WriteError::from)?;
        router.fill(Node(to), &mut row);
        for ((run, last), entry) in runs.iter_mut().zip(&mut last).zip(&row) {
            // Where nothing is said an interval may go on.
            if entry != last && *entry != Entry::NONE {
                *run += 1;
                *last = *entry;
            }
        }
    }
    let channels = u64::from(writing.network.ports()).saturating_mul(router.vcs().into());
    Ok(TableSize {
        destinations: hosts,
        entry: bytes(channels),
        intervals: runs.iter().copied().max().unwrap_or(0).into(),
        bound: bytes(hosts),
    })
}
