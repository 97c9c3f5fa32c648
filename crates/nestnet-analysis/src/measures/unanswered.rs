//! Why is there no answer?

use crate::simulated::SetupError;
use nestnet_graph::measure::connectivity::FaultError;
use nestnet_graph::measure::load::ClassError;
use nestnet_graph::{CsrError, Interrupted, OverBudget, kinds};
use nestnet_sim::SimError;
use nestnet_topologies::family::{NoNodeIds, did_you_mean};
use thiserror::Error;

/// Why a measure has no answer.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum Unanswered {
    /// Not one of the keys.
    #[error("no measure `{key}`: {}there are {}, all", did_you_mean(*near), known.join(", "))]
    Unknown {
        /// What was asked for.
        key: String,
        /// What may have been meant.
        near: Option<&'static str>,
        /// All rows.
        known: Vec<&'static str>,
    },
    /// It has no such thing.
    #[error("it has none")]
    None,
    /// There is no network, only its theory.
    #[error(transparent)]
    NotBuilt(#[from] NoNodeIds),
    /// Some distances are infinite.
    #[error("it is not connected: there is no path between some nodes")]
    NotConnected,
    /// Only theorems were asked, and none says it.
    #[error("no theorem says it")]
    NoTheorem,
    /// Only symmetry was asked for, and none is known.
    #[error("it declares no automorphisms")]
    NoSymmetry,
    /// It is a forest.
    #[error("it has no cycle")]
    NoCycle,
    /// One node or none.
    #[error("it has no two nodes")]
    NoPair,
    /// One host or none.
    #[error("it has no two hosts")]
    NoHostPair,
    /// What rests on it is not known either.
    #[error("the diameter is not known")]
    NoDiameter,
    /// Nothing of it was found.
    #[error("it is not known")]
    NotKnown,
    /// The number fills a book.
    #[error("it has too many digits")]
    TooManyDigits,
    /// Larger networks are not searched for it.
    #[error("it is sought in networks of up to {nodes} nodes and {links} links")]
    TooLarge {
        /// The most nodes.
        nodes: u64,
        /// The most links.
        links: u128,
    },
    /// A family that is wrong about itself.
    #[error("a declared automorphism does not keep the links")]
    BadAutomorphism,
    /// A sample is not asked for in vain.
    #[error("a sample does not tell; it takes a search from every node")]
    OnlySampled,
    /// It would take more steps than there are.
    #[error("it would take about {seconds} seconds of one core, which is too long")]
    TooLong {
        /// How long, roughly.
        seconds: u128,
    },
    /// More than there is.
    #[error(transparent)]
    Budget(#[from] OverBudget),
    /// It cannot be written out.
    #[error(transparent)]
    Csr(CsrError),
    /// Failures cannot be tried.
    #[error(transparent)]
    Faults(FaultError),
    /// Classes of channels that are not those of the network.
    #[error(transparent)]
    Classes(#[from] ClassError),
    /// It cannot be simulated.
    #[error(transparent)]
    Simulated(Box<SetupError>),
    /// Stopped.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

kinds!(Unanswered {
    Unknown: Unknown;
    Limit: TooLarge, TooLong;
    Internal: BadAutomorphism;
    Unsupported: None, NotConnected, NoTheorem, NoSymmetry, NoCycle, NoPair,
        NoHostPair, NoDiameter, NotKnown, TooManyDigits, OnlySampled;
    inner: NotBuilt, Budget, Csr, Faults, Classes, Simulated, Interrupted;
});

impl From<SetupError> for Unanswered {
    fn from(error: SetupError) -> Self {
        // What was stopped or too large is so here too.
        match error {
            SetupError::Sim(SimError::Interrupted(error)) => error.into(),
            SetupError::Sim(SimError::Budget(error)) => error.into(),
            error => Unanswered::Simulated(Box::new(error)),
        }
    }
}

impl From<CsrError> for Unanswered {
    fn from(error: CsrError) -> Self {
        match error {
            CsrError::Interrupted(error) => error.into(),
            CsrError::Budget(error) => error.into(),
            error => Unanswered::Csr(error),
        }
    }
}

impl From<FaultError> for Unanswered {
    fn from(error: FaultError) -> Self {
        match error {
            FaultError::Interrupted(error) => error.into(),
            error => Unanswered::Faults(error),
        }
    }
}

/// The class of a reason, for programs that branch on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// A forest has no girth.
    Acyclic,
    /// Some distances are infinite.
    Disconnected,
    /// More time or memory than the limits allow; larger limits may give an answer.
    Limit,
    /// Anything else.
    Other,
}

impl Reason {
    /// The name in JSON and in Python.
    pub fn name(self) -> &'static str {
        match self {
            Reason::Acyclic => "acyclic",
            Reason::Disconnected => "disconnected",
            Reason::Limit => "limit",
            Reason::Other => "other",
        }
    }
}

impl Unanswered {
    /// The class of this reason.
    pub fn reason(&self) -> Reason {
        match self {
            Unanswered::NoCycle => Reason::Acyclic,
            Unanswered::NotConnected => Reason::Disconnected,
            Unanswered::TooLong { .. } | Unanswered::Budget(_) | Unanswered::Interrupted(_) => {
                Reason::Limit
            }
            _ => Reason::Other,
        }
    }

    /// Whether more time or memory could give an answer.
    pub fn is_unfinished(&self) -> bool {
        matches!(
            self,
            Unanswered::TooLong { .. }
                | Unanswered::TooLarge { .. }
                | Unanswered::Budget(_)
                | Unanswered::Csr(_)
                | Unanswered::Faults(_)
                | Unanswered::Interrupted(_)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_have_one_reason_wherever_they_were_met() {
        let over = OverBudget::Memory { what: "the table", need: 2, limit: 1 };
        let met: [Unanswered; 5] = [
            CsrError::Budget(over).into(),
            CsrError::Interrupted(Interrupted).into(),
            FaultError::Interrupted(Interrupted).into(),
            over.into(),
            Unanswered::TooLong { seconds: 9 },
        ];
        assert!(met.iter().all(|error| error.reason() == Reason::Limit), "{met:?}");
        assert_eq!(Unanswered::NoCycle.reason().name(), "acyclic");
        assert_eq!(Unanswered::NotConnected.reason().name(), "disconnected");
        // No limit of the caller is behind it.
        assert_eq!(
            Unanswered::from(CsrError::TooManyNodes { order: 1 << 40 }).reason(),
            Reason::Other
        );
    }
}
