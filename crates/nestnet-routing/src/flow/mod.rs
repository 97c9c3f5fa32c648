//! How much can hosts send before a channel is saturated?
//!
//! Every link carries 1 in each direction at once. When each host sends 1 by a [`Traffic`](crate::traffic::Traffic), a
//! routing puts a load on every channel of the [`Fabric`](nestnet_graph::fabric::Fabric); the largest load turned over is the
//! *network θ*, at which the busiest channel is saturated. Hosts inject and receive at most 1 themselves, which caps θ.
//!
//! `split.rs` has routings that divide over shortest paths, `routed.rs` any [`Router`](crate::Router); `worst.rs` finds
//! the permutation that is worst for either. What no routing can pass is in `throughput_upper_bound.rs` (for some permutation) and
//! `concurrent.rs` (for a given traffic), which the routing of `optimize.rs` comes
//! near; `check.rs` judges their certificates, knowing nothing of how they were found.

mod assignment;
pub mod check;
pub mod concurrent;
pub mod demands;
mod optimize;
pub mod routed;
pub mod split;
pub mod throughput_upper_bound;
pub mod worst;

pub use assignment::best_assignment;
pub use concurrent::{Concurrent, concurrent};
pub use demands::{Demands, host_cap, host_loads};
pub use optimize::{DEFAULT_PATHS, MAX_PATHS, most_by_busiest, optimize};
pub use routed::{Routed, routed_loads};
pub use split::{Split, exact_load, loads, loads_by_classes};
pub use throughput_upper_bound::{ThroughputUpperBound, throughput_upper_bound};
pub use worst::{Worst, worst_of_router, worst_of_split};

use nestnet_graph::{CsrError, Interrupted, OverBudget, kinds};
use num_bigint::BigUint;
use num_rational::Ratio;
use thiserror::Error;

/// An exact number that is not negative.
pub type Fraction = Ratio<BigUint>;

/// Why a flow is not known.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FlowError {
    /// There is no path for some of the traffic.
    #[error("there is no path from {from} to {to}, which send to each other")]
    NoPath {
        /// A node of the fabric.
        from: u32,
        /// Another.
        to: u32,
    },
    /// More hops of weighted paths than can be counted.
    #[error("the paths have 2^32 hops or more")]
    TooManyHops,
    /// The router does not bring a message to its end.
    #[error("a message from node {from} to node {to} does not arrive by this router")]
    Lost {
        /// Where it starts.
        from: u64,
        /// Where it goes.
        to: u64,
    },
    /// A router whose shares depend on the load.
    #[error(
        "this router chooses its way by the load, so that the load does not follow from its rule"
    )]
    Adaptive,
    /// Switches with different numbers of hosts, where hosts alike are needed.
    #[error("the worst permutation is sought where all switches that have hosts have as many")]
    Uneven,
    /// More than allowed.
    #[error(transparent)]
    Budget(#[from] OverBudget),
    /// It cannot be written out.
    #[error(transparent)]
    Csr(#[from] CsrError),
    /// Stopped.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

kinds!(FlowError {
    Unsupported: NoPath, TooManyHops, Lost, Adaptive, Uneven;
    inner: Budget, Csr, Interrupted;
});

#[cfg(test)]
mod tests;
