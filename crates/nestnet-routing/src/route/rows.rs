//! Hops as table entries, and a bounded store of rows: the hops of all nodes to one.

use super::hop::{Hop, Vc};
use nestnet_graph::{Node, Port};
use std::collections::HashMap;
use std::sync::{Arc, RwLock};

/// A port and a virtual channel, or none, in four bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry(u32);

/// Virtual channels are kept in this many bits.
const VC_BITS: u32 = 12;

impl Entry {
    /// No hop.
    pub const NONE: Entry = Entry(u32::MAX);

    /// More ports or virtual channels than this have no entry.
    pub const MAX_PORTS: u32 = (1 << (32 - VC_BITS)) - 1;
    /// See [`MAX_PORTS`](Entry::MAX_PORTS).
    pub const MAX_VCS: u16 = 1 << VC_BITS;

    /// The hop, without its header.
    pub fn of(hop: Option<Hop>) -> Self {
        hop.map_or(Entry::NONE, |hop| Entry::new(hop.port, hop.vc))
    }

    /// A port below [`MAX_PORTS`](Entry::MAX_PORTS) and a virtual channel below [`MAX_VCS`](Entry::MAX_VCS).
    pub fn new(port: Port, vc: Vc) -> Self {
        assert!(port.0 < Entry::MAX_PORTS && vc.0 < Entry::MAX_VCS, "too many channels for a row");
        Entry(port.0 << VC_BITS | u32::from(vc.0))
    }

    /// The hop, if there is one.
    pub fn get(self) -> Option<(Port, Vc)> {
        let vc = u16::try_from(self.0 & ((1 << VC_BITS) - 1)).expect("twelve bits");
        (self != Entry::NONE).then_some((Port(self.0 >> VC_BITS), Vc(vc)))
    }
}

/// Rows that were asked for, at most so many.
#[derive(Debug)]
pub struct Rows {
    most: usize,
    rows: RwLock<HashMap<u64, Arc<[Entry]>>>,
}

/// Rows of one router take at most this many bytes.
const MAX_BYTES: u64 = 1 << 27;

impl Rows {
    /// For rows of `order` entries.
    pub fn new(order: u64) -> Self {
        let most = (MAX_BYTES / 4 / order.max(1)).max(4);
        Rows { most: usize::try_from(most).unwrap_or(usize::MAX), rows: RwLock::default() }
    }

    /// The row of `to`, made by `make` when it is not there.
    pub fn get(&self, to: Node, make: impl FnOnce() -> Arc<[Entry]>) -> Arc<[Entry]> {
        if let Some(row) = self.read().get(&to.0) {
            return row.clone();
        }
        // Two threads may make the same row; it is the same row.
        let row = make();
        let mut rows = self.rows.write().unwrap_or_else(std::sync::PoisonError::into_inner);
        if rows.len() >= self.most {
            rows.clear();
        }
        rows.insert(to.0, row.clone());
        row
    }

    /// One entry of the row of `to`, made by `make` when it is not there.
    pub fn entry(&self, at: Node, to: Node, make: impl FnOnce() -> Arc<[Entry]>) -> Entry {
        let index = usize::try_from(at.0).expect("a node of a stored row");
        if let Some(row) = self.read().get(&to.0) {
            return row[index];
        }
        self.get(to, make)[index]
    }

    fn read(&self) -> std::sync::RwLockReadGuard<'_, HashMap<u64, Arc<[Entry]>>> {
        self.rows.read().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
