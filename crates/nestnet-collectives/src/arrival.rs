//! What arrives while a schedule is judged, and what can be wrong with it?

use super::schedule::{Goal, Violation};
use nestnet_graph::Node;

/// How what is held is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    /// By bits.
    Exact,
    /// By counts, where they decide.
    Quick,
}

/// Why a schedule is not passed.
#[derive(Debug)]
pub(super) enum Fault {
    /// It is wrong.
    Violation(Violation),
    /// Counts do not tell.
    Undecided,
}

impl From<Violation> for Fault {
    fn from(violation: Violation) -> Self {
        Fault::Violation(violation)
    }
}

impl From<nestnet_graph::Interrupted> for Fault {
    fn from(stopped: nestnet_graph::Interrupted) -> Self {
        Fault::Violation(stopped.into())
    }
}

/// A block that arrives.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrival {
    pub from: Node,
    pub to: Node,
    pub block: u64,
}

/// How many blocks a goal has among so many hosts.
pub fn blocks_of(goal: Goal, hosts: u64) -> u64 {
    match goal {
        Goal::Broadcast { .. } => 1,
        Goal::Scatter { .. } | Goal::Gather { .. } | Goal::Allgather => hosts,
        Goal::Reduce { blocks, .. } | Goal::Allreduce { blocks } => blocks,
        Goal::AllToAll => hosts.saturating_mul(hosts),
    }
}

pub(super) fn is_sum(goal: Goal) -> bool {
    matches!(goal, Goal::Reduce { .. } | Goal::Allreduce { .. })
}
