//! How much may a computation use, and who may stop it?
//!
//! Nothing here knows a clock, a signal or the memory of a machine: whoever calls brings them.

use crate::kinds;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use thiserror::Error;

/// What a long computation asks and tells while it runs: "should I stop?" and "this much is done".
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// Asked often, from every thread; once it says yes the computation ends.
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// Receives what part is done, from 0 to 1, from any thread and not always in order.
    pub progress: &'a (dyn Fn(f64) + Sync),
}

/// The computation was stopped before it had an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("stopped before the answer was found")]
pub struct Interrupted;

kinds!(Interrupted: Stopped);

impl Watch<'static> {
    /// Never stops, tells nobody.
    pub const SILENT: Watch<'static> = Watch { stop: &|| false, progress: &|_| () };
}

impl Watch<'_> {
    /// An error once the caller wants to stop.
    pub fn check(&self) -> Result<(), Interrupted> {
        if (self.stop)() { Err(Interrupted) } else { Ok(()) }
    }

    /// Like [`check`](Watch::check), but asks only once in a while: for loops whose rounds are quicker than asking.
    pub fn check_each(&self, round: u64) -> Result<(), Interrupted> {
        if round.is_multiple_of(1 << 12) { self.check() } else { Ok(()) }
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

/// How far a computation may go.
#[derive(Clone, Copy, Debug)]
pub struct Budget<'a> {
    /// Bytes that may be used at once.
    pub memory: u64,
    /// Steps that may be taken, each about as long as one look at one neighbor: a few nanoseconds.
    pub steps: u128,
    /// When to stop, and who is informed of the progress.
    pub watch: Watch<'a>,
}

/// A cautious count of steps a second on one core, to judge beforehand what takes too long.
pub const STEPS_PER_SECOND: u128 = 200_000_000;

/// The product of factors, or the largest number where it is larger: what is too much is too much.
///
/// ```
/// use nestnet_graph::budget::product;
///
/// assert_eq!(product([3, 4, 5]), 60);
/// assert_eq!(product([1 << 63, 1 << 63, 16]), u128::MAX);
/// ```
pub fn product(factors: impl IntoIterator<Item = u128>) -> u128 {
    factors.into_iter().fold(1, u128::saturating_mul)
}

/// More than the budget has, known before it was spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum OverBudget {
    /// It would not fit.
    #[error("{what} needs {need} bytes, over the limit of {limit} bytes (`max_memory=`)")]
    Memory {
        /// What would take them.
        what: &'static str,
        /// Bytes needed.
        need: u128,
        /// Bytes allowed.
        limit: u64,
    },
    /// It would take too long.
    #[error("{what} takes about {need} steps, over the limit of {limit} steps (`max_time=`)")]
    Steps {
        /// What would take them.
        what: &'static str,
        /// Steps needed.
        need: u128,
        /// Steps allowed.
        limit: u128,
    },
}

kinds!(OverBudget: Limit);

impl Budget<'static> {
    /// For what is known to be small: no limit, and nobody watches.
    pub const UNLIMITED: Budget<'static> =
        Budget { memory: u64::MAX, steps: u128::MAX, watch: Watch::SILENT };
}

impl Default for Budget<'static> {
    /// A gigabyte and ten seconds of one core, unwatched.
    fn default() -> Self {
        Budget { memory: 1 << 30, steps: 10 * STEPS_PER_SECOND, watch: Watch::SILENT }
    }
}

impl Budget<'_> {
    /// An error once the caller wants to stop.
    pub fn check(&self) -> Result<(), Interrupted> {
        self.watch.check()
    }

    /// An error where that many bytes are too many for `what`.
    pub fn fits(&self, what: &'static str, need: u128) -> Result<(), OverBudget> {
        let limit = self.memory;
        if need <= limit.into() { Ok(()) } else { Err(OverBudget::Memory { what, need, limit }) }
    }

    /// An error where that many steps are too many for `what`.
    pub fn affords(&self, what: &'static str, need: u128) -> Result<(), OverBudget> {
        let limit = self.steps;
        if need <= limit { Ok(()) } else { Err(OverBudget::Steps { what, need, limit }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_much_is_said_with_its_size() {
        let budget = Budget { memory: 10, steps: 20, watch: Watch::SILENT };
        assert_eq!((budget.fits("x", 10), budget.affords("x", 20)), (Ok(()), Ok(())));
        let memory = budget.fits("the table", 11).unwrap_err().to_string();
        assert_eq!(memory, "the table needs 11 bytes, over the limit of 10 bytes (`max_memory=`)");
        let steps = budget.affords("the walk", 21).unwrap_err().to_string();
        assert_eq!(
            steps,
            "the walk takes about 21 steps, over the limit of 20 steps (`max_time=`)"
        );
    }

    #[test]
    fn a_stop_is_seen_within_a_stride() {
        let watch = Watch { stop: &|| true, progress: &|_| () };
        assert_eq!(watch.check(), Err(Interrupted));
        assert!((1..=1u64 << 12).any(|round| watch.check_each(round).is_err()));
    }
}
