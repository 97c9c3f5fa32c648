//! Distances of all nodes to a target, found when it is first asked for.

use super::bounded_cache::BoundedCache;
use super::wiring::{FAR, Wiring};
use super::{Faults, TableError};
use nestnet_graph::{Budget, Network, Node, index};
use std::sync::{Arc, OnceLock};

/// The links of a network, and distances to the targets that were asked for.
#[derive(Debug)]
pub(super) struct DistanceRows {
    pub wiring: Wiring,
    rows: Rows,
}

#[derive(Debug)]
enum Rows {
    /// Of every target.
    All(Vec<OnceLock<Box<[u16]>>>),
    /// Of those asked for last.
    Some(BoundedCache<u32, Arc<[u16]>>),
}

/// Distances take at most this many bytes.
const MAX_BYTES: u64 = 1 << 27;

impl DistanceRows {
    /// O(links), and O(links) for each new target.
    pub fn new(network: &dyn Network, budget: &Budget<'_>) -> Result<Self, TableError> {
        let order = network.order();
        budget.fits("all links", u128::from(order) * (8 + 8 * u128::from(network.ports())))?;
        budget.check()?;
        let row = 2 * order.max(1);
        let rows = if row.saturating_mul(order) <= MAX_BYTES {
            Rows::All((0..order).map(|_| OnceLock::new()).collect())
        } else {
            Rows::Some(BoundedCache::new(index((MAX_BYTES / row).max(4))))
        };
        Ok(DistanceRows { wiring: Wiring::new(network, &Faults::default()), rows })
    }

    fn row(&self, to: u32) -> Vec<u16> {
        let (mut distance, mut queue) = (Vec::new(), Vec::new());
        self.wiring.distances_to(to, &mut distance, &mut queue);
        let narrow =
            |far: u32| if far == FAR { u16::MAX } else { u16::try_from(far).unwrap_or(u16::MAX) };
        distance.into_iter().map(narrow).collect()
    }

    /// Reads the distances of all nodes to one.
    pub fn with<T>(&self, to: Node, read: impl FnOnce(&[u16]) -> Option<T>) -> Option<T> {
        let to = u32::try_from(to.0).ok()?;
        match &self.rows {
            Rows::All(rows) => read(rows.get(to as usize)?.get_or_init(|| self.row(to).into())),
            Rows::Some(rows) => read(&rows.get(to, || self.row(to).into())),
        }
    }
}
