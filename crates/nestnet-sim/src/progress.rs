//! How far is a run whose length is found? What it knows besides what is counted.

use super::persist::persist;
use super::warmup::Transient;

/// What was made and what arrived from the first cycle of the window on.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Flow {
    pub made: f64,
    pub arrived: f64,
}

persist!(Flow { made, arrived });

/// How far a run is whose length is found.
#[derive(Debug, Default)]
pub(super) struct Progress {
    pub transient: Transient,
    /// Whether it is warm, so that the window has begun.
    pub is_open: bool,
    /// At the end of the window as it was before: what had flowed, whether the network was behind, and whether the mean
    /// was known well enough.
    pub before: Flow,
    pub is_behind: bool,
    pub was_precise: bool,
}

persist!(Progress { transient, is_open, before, is_behind, was_precise });
