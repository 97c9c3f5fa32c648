//! Why does a quantity have no value? And would more time or memory give one?

use nestnet_analysis::broadcasts::BroadcastError;
use nestnet_analysis::embed::EmbedError;
use nestnet_analysis::measures::Unanswered;
use nestnet_analysis::programs::RunError;
use nestnet_analysis::routers::RouterError;
use nestnet_graph::{AddressError, CsrError, ErrorKind, HasKind, Interrupted, OverBudget};
use nestnet_routing::route::deadlock::{CheckError, DeadlockError};
use nestnet_routing::route::{DisjointError, SurveyError, WalkError};
use nestnet_topologies::SpecError;
use num_bigint::BigInt;
use std::num::TryFromIntError;
use std::sync::Arc;
use thiserror::Error;

/// Why a quantity has no value.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum QuantityError {
    #[error(transparent)]
    Spec(#[from] SpecError),
    #[error(transparent)]
    Node(#[from] AddressError),
    #[error("a {0} is needed")]
    Needs(&'static str),
    #[error("{text} is no integer")]
    NoInteger { text: String },
    #[error("{number} is not allowed here")]
    OutOfRange { number: BigInt },
    #[error("{what} is {known}, not {found}")]
    Word { what: &'static str, known: String, found: String },
    #[error("{spec} has no node ids")]
    NoIds { spec: String },
    #[error("there are the choices 0 to {last}")]
    NoChoice { last: u64 },
    #[error("virtual channels must be 1 to 65535")]
    NoChannels,
    #[error("there is no path")]
    NoPath,
    #[error("no route")]
    NoRoute,
    #[error("no cycle contains both")]
    NoCycle,
    #[error("the two nodes are not linked")]
    NotLinked,
    #[error("not every node is reached")]
    NotReached,
    #[error("no emulation is known: it is its own guest")]
    NoGuest,
    #[error("it has no dimension")]
    NoDimension,
    #[error("there is no {key}")]
    NoFact { key: &'static str },
    #[error("it is not a number")]
    NotNumber,
    #[error("the certificate is not true: {0}")]
    Certificate(CheckError),
    /// The table of measures has no answer, and says why.
    #[error(transparent)]
    Unanswered(#[from] Unanswered),
    /// A search that ended before it was sure.
    #[error("it took too long to find the shortest")]
    NotShortest,
    #[error(transparent)]
    Budget(#[from] OverBudget),
    #[error("{order} nodes are too many for a schedule in memory")]
    TooManyNodes { order: u64 },
    /// Whatever was asked could not answer.
    #[error(transparent)]
    Failed(Arc<dyn HasKind + Send + Sync>),
    #[error(transparent)]
    TooLarge(#[from] TryFromIntError),
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

impl QuantityError {
    pub(super) fn word(what: &'static str, known: impl Into<String>, found: &str) -> Self {
        QuantityError::Word { what, known: known.into(), found: found.to_owned() }
    }

    /// Whether more time or memory could give a value.
    pub fn is_unfinished(&self) -> bool {
        match self {
            QuantityError::Unanswered(why) => why.is_unfinished(),
            QuantityError::Failed(why) => {
                matches!(why.kind(), ErrorKind::Limit | ErrorKind::Stopped)
            }
            QuantityError::TooManyNodes { .. }
            | QuantityError::NotShortest
            | QuantityError::Budget(_)
            | QuantityError::Interrupted(_) => true,
            _ => false,
        }
    }
}

/// Errors of what is asked.
macro_rules! failed {
    ($($error:ty),+) => {$(
        impl From<$error> for QuantityError {
            fn from(error: $error) -> Self {
                QuantityError::Failed(Arc::new(error))
            }
        }
    )+};
}

failed!(
    CsrError,
    DeadlockError,
    DisjointError,
    EmbedError,
    RouterError,
    RunError,
    SurveyError,
    WalkError
);

impl From<BroadcastError> for QuantityError {
    fn from(error: BroadcastError) -> Self {
        match error {
            BroadcastError::TooLarge { order } => QuantityError::TooManyNodes { order },
            other => QuantityError::Failed(Arc::new(other)),
        }
    }
}

impl From<CheckError> for QuantityError {
    fn from(error: CheckError) -> Self {
        match error {
            CheckError::Budget(over) => over.into(),
            other => QuantityError::Certificate(other),
        }
    }
}
