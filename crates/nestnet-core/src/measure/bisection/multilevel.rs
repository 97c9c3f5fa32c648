//! Halves by multilevel partitioning: METIS.

use crate::Csr;
use metis::{Graph, Idx, option};
use std::sync::Mutex;

/// METIS draws from the C library's one random generator; calls that overlap would not repeat.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Nearly a half, or `None` where METIS cannot: too large for its 32-bit numbers, or too small.
pub fn halves(csr: &Csr, seed: i32) -> Option<Vec<bool>> {
    let offsets: Option<Vec<Idx>> = csr.offsets().iter().map(|&o| o.try_into().ok()).collect();
    let targets: Option<Vec<Idx>> = csr.targets().iter().map(|&t| t.try_into().ok()).collect();
    let (offsets, targets) = (offsets?, targets?);
    if targets.is_empty() {
        return None;
    }
    let mut part = vec![0; offsets.len() - 1];
    let guard = ONE_AT_A_TIME.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let graph = Graph::new(1, 2, &offsets, &targets).ok()?;
    // An imbalance of one in a thousand at most; the local search takes off the rest.
    let graph = graph.set_option(option::Seed(seed)).set_option(option::UFactor(1));
    let done = graph.part_recursive(&mut part);
    drop(guard);
    done.ok()?;
    Some(part.into_iter().map(|half| half != 0).collect())
}
