//! What can be measured of a network. One question = one file.

pub mod bisection;
pub mod connectivity;
pub mod distance;
pub mod forwarding;
mod joined;
pub mod load;
pub mod orbit;
pub mod quality;
pub mod search;
pub mod spectrum;
pub mod structure;
pub mod sweep;
pub mod symmetry;

#[cfg(test)]
pub(crate) mod samples;

use crate::{Csr, Network};
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use thiserror::Error;

/// What a long measure asks and tells while it runs: "should I stop?" and "this much is done".
///
/// Measures know no clock and no signal; whoever calls brings both.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// Asked often, from every thread; once it says yes the measure ends.
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// Told what part is done, from 0 to 1, from any thread and not always in order.
    pub progress: &'a (dyn Fn(f64) + Sync),
}

/// The measure was stopped before it had an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("stopped before the answer was found")]
pub struct Interrupted;

impl Watch<'static> {
    /// Never stops, tells nobody.
    pub const SILENT: Watch<'static> = Watch { stop: &|| false, progress: &|_| () };
}

impl Watch<'_> {
    /// An error once the caller wants to stop.
    pub fn check(&self) -> Result<(), Interrupted> {
        if (self.stop)() { Err(Interrupted) } else { Ok(()) }
    }

    /// One more of `total` equal steps is done; says so about a thousand times in all.
    pub fn step(&self, done: &AtomicU64, total: u64) -> Result<(), Interrupted> {
        self.check()?;
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        if done.is_multiple_of((total / 1024).max(1)) {
            (self.progress)(done as f64 / total.max(1) as f64);
        }
        Ok(())
    }
}

impl fmt::Debug for Watch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watch")
    }
}

/// The number of nodes, for arrays over them.
pub(crate) fn count(csr: &Csr) -> usize {
    usize::try_from(csr.order()).expect("it is stored")
}

/// An index into the nodes as their number.
pub(crate) fn id(index: usize) -> u32 {
    u32::try_from(index).expect("node numbers are stored in 32 bits")
}

/// All nodes, ascending.
pub(crate) fn nodes(csr: &Csr) -> impl ExactSizeIterator<Item = u32> + Clone + use<> {
    (0..count(csr)).map(id)
}

/// Where a channel stands in [`Csr::targets`]; `to` must be a neighbor.
pub(crate) fn channel(csr: &Csr, from: u32, to: u32) -> usize {
    let first = usize::try_from(csr.offsets()[from as usize]).expect("it is stored");
    first + csr.neighbors(from).binary_search(&to).expect("a neighbor")
}

/// A fixed scramble of a number, for choices that must look random and always be the same.
pub(crate) fn scramble(number: u64) -> u64 {
    let mut x = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}
