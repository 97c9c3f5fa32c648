//! Bisections by multilevel partitioning: METIS. Where it is not compiled in there are none, and the local search begins
//! elsewhere.

use crate::Csr;
#[cfg(feature = "metis")]
use metis::{Graph, Idx, option};
#[cfg(feature = "metis")]
use std::sync::Mutex;

/// METIS draws from the C library's one random generator; calls that overlap would not repeat.
#[cfg(feature = "metis")]
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// A network as METIS reads it, for many cuts.
#[cfg(feature = "metis")]
#[derive(Debug)]
pub struct Multilevel {
    offsets: Vec<Idx>,
    targets: Vec<Idx>,
}

/// What cannot be made.
#[cfg(not(feature = "metis"))]
#[derive(Debug)]
pub enum Multilevel {}

#[cfg(not(feature = "metis"))]
impl Multilevel {
    /// Never.
    pub fn new(_: &Csr) -> Option<Self> {
        None
    }

    /// There is none to ask.
    pub fn partition(&self, _: i32) -> Option<Vec<bool>> {
        match *self {}
    }
}

#[cfg(feature = "metis")]
impl Multilevel {
    /// `None` where METIS cannot: too large for its 32-bit numbers, or without links.
    pub fn new(csr: &Csr) -> Option<Self> {
        let offsets: Option<Vec<Idx>> = csr.offsets().iter().map(|&o| o.try_into().ok()).collect();
        let targets: Option<Vec<Idx>> = csr.targets().iter().map(|&t| t.try_into().ok()).collect();
        let (offsets, targets) = (offsets?, targets?);
        (!targets.is_empty()).then_some(Multilevel { offsets, targets })
    }

    /// Nearly a half, another for each seed.
    pub fn partition(&self, seed: i32) -> Option<Vec<bool>> {
        let mut part = vec![0; self.offsets.len() - 1];
        let guard = ONE_AT_A_TIME.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let graph = Graph::new(1, 2, &self.offsets, &self.targets).ok()?;
        // An imbalance of one in a thousand at most; the local search takes off the rest.
        let graph = graph.set_option(option::Seed(seed)).set_option(option::UFactor(1));
        let done = graph.part_recursive(&mut part);
        drop(guard);
        done.ok()?;
        Some(part.into_iter().map(|half| half != 0).collect())
    }
}
