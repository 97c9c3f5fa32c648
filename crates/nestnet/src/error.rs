//! Errors: one type for all that a program can ask, with a kind to branch on.

use crate::design::DesignError;
use crate::picture::PictureError;
use nestnet_analysis::broadcasts::BroadcastError;
use nestnet_analysis::measures::{Reason, Unanswered};
use nestnet_analysis::routers::RouterError;
use nestnet_analysis::simulated::{RerouteError, SetupError};
use nestnet_analysis::throughput::ThroughputError;
use nestnet_collectives::{PlanError, Violation};
use nestnet_draw::DrawError;
use nestnet_formats::{ReadError, StoreError, WriteError};
use nestnet_graph::{AddressError, CsrError, Interrupted, Node, OverBudget};
use nestnet_routing::flow::FlowError;
use nestnet_routing::route::assign::AssignError;
use nestnet_routing::route::deadlock::{CheckError, DeadlockError};
use nestnet_routing::route::{TableError, WalkError};
use nestnet_routing::traffic::TrafficError;
use nestnet_sim::SimError;
use nestnet_topologies::SpecError;

/// Why there is no answer; [`Error::kind`] is its class.
///
/// Every error of the crates below converts into it, so that `?` suffices. "The answer is no" (a dependency cycle, a
/// claim that fails) is a value and no error.
///
/// ```
/// use nestnet::prelude::*;
///
/// let error = build("petersen")?.measure("diametre").unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::Unknown);
/// assert!(error.to_string().contains("did you mean `diameter`?"));
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The text of a network is not understood; the message has the place under it.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The text of a node is not understood.
    #[error(transparent)]
    Address(#[from] AddressError),
    /// The network has no such node.
    #[error("there is no node {node}: the nodes are 0 to {last}")]
    NoNode {
        /// What was asked for.
        node: Node,
        /// The last one there is.
        last: u64,
    },
    /// The network is known by its theory alone.
    #[error("it has no node ids: more than 2^63 nodes or 2^32 ports")]
    NotBuilt,
    /// A network without nodes.
    #[error("a network has at least one node, and no edge was given")]
    NoEdges,
    /// The links are not those of a network, or too many to store.
    #[error(transparent)]
    Links(#[from] CsrError),
    /// More memory or steps than the limits have, known before they were spent.
    #[error(transparent)]
    Limit(#[from] OverBudget),
    /// Stopped by the caller.
    #[error(transparent)]
    Stopped(#[from] Interrupted),
    /// The name of several metrics, where one is asked for.
    #[error("`{name}` is several metrics: ask for one of {}", keys.join(", "))]
    ManyKeys {
        /// What was asked for.
        name: &'static str,
        /// What it has.
        keys: &'static [&'static str],
    },
    /// A metric has no value.
    #[error(transparent)]
    Measure(#[from] Unanswered),
    /// There is no such router.
    #[error(transparent)]
    Router(#[from] RouterError),
    /// A route does not arrive.
    #[error(transparent)]
    Route(#[from] WalkError),
    /// Whether messages can deadlock is not known.
    #[error(transparent)]
    Deadlock(#[from] DeadlockError),
    /// A certificate does not pass its check.
    #[error("the certificate does not pass its check: {0}")]
    Certificate(#[from] CheckError),
    /// The throughput is not known.
    #[error(transparent)]
    Throughput(#[from] ThroughputError),
    /// It cannot be simulated.
    #[error(transparent)]
    Simulation(#[from] SetupError),
    /// There is no broadcast.
    #[error(transparent)]
    Broadcast(#[from] BroadcastError),
    /// There is no schedule.
    #[error(transparent)]
    Collective(#[from] PlanError),
    /// There is no such format, or none that is written.
    #[error("unknown format `{name}`: there are {}", known.join(", "))]
    NoFormat {
        /// What was asked for.
        name: String,
        /// What there is.
        known: Vec<&'static str>,
    },
    /// A file is not understood.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// What a file says is no network that can be stored.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// There is no picture.
    #[error(transparent)]
    Picture(#[from] PictureError),
    /// There is no design.
    #[error(transparent)]
    Design(#[from] DesignError),
    /// A graph has more nodes or edges than its indices count.
    #[cfg(feature = "petgraph")]
    #[error(transparent)]
    Graph(#[from] petgraph::graph::GraphError),
    /// There is no such ledger, or it is not understood.
    #[cfg(feature = "claims")]
    #[error(transparent)]
    Claim(#[from] nestnet_claims::LedgerError),
    /// A study is not understood, or was stopped.
    #[cfg(feature = "study")]
    #[error(transparent)]
    Study(#[from] crate::study::StudyError),
}

/// The class of an error, for programs that branch on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The text of a network is not understood.
    Spec,
    /// A name that is not known: of a metric, a router, a traffic pattern, a format, a family, a paper or a node.
    Unknown,
    /// An argument out of its range.
    Invalid,
    /// More memory or steps than the limits have; larger limits may give an answer.
    Limit,
    /// Stopped by the caller.
    Stopped,
    /// This network has no such thing: it is not connected, has no cycle, or is too large for node ids.
    Unsupported,
    /// A file is not understood.
    Format,
    /// Bytes could not be written.
    Io,
    /// A result does not pass our own check.
    Internal,
}

impl Error {
    /// The class of this error.
    ///
    /// Takes and returns no more than the error knows; O(1).
    ///
    /// ```
    /// use nestnet::prelude::*;
    ///
    /// let large = build("rdn(torus(5, 5), 3)")?;
    /// let error = large.within(Limits::default().memory(1 << 20)).deadlock().unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::Limit);
    /// assert_eq!(Error::from(build("ring(2, 3)").unwrap_err()).kind(), ErrorKind::Spec);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn kind(&self) -> ErrorKind {
        match self {
            Error::Spec(_) => ErrorKind::Spec,
            Error::Address(_) | Error::NoNode { .. } => ErrorKind::Unknown,
            Error::NoFormat { .. } | Error::ManyKeys { .. } => ErrorKind::Unknown,
            Error::NotBuilt => ErrorKind::Unsupported,
            Error::NoEdges => ErrorKind::Invalid,
            Error::Limit(_) => ErrorKind::Limit,
            Error::Stopped(_) => ErrorKind::Stopped,
            Error::Read(_) => ErrorKind::Format,
            Error::Links(error) => error.kind(),
            Error::Measure(error) => error.kind(),
            Error::Router(error) => error.kind(),
            Error::Route(error) => error.kind(),
            Error::Deadlock(error) => error.kind(),
            Error::Certificate(error) => error.kind(),
            Error::Throughput(error) => error.kind(),
            Error::Simulation(error) => error.kind(),
            Error::Broadcast(error) => error.kind(),
            Error::Collective(error) => error.kind(),
            Error::Store(StoreError::Csr(error)) => error.kind(),
            Error::Store(_) => ErrorKind::Invalid,
            Error::Write(error) => error.kind(),
            Error::Picture(error) => error.kind(),
            Error::Design(error) => error.kind(),
            #[cfg(feature = "petgraph")]
            Error::Graph(_) => ErrorKind::Unsupported,
            #[cfg(feature = "claims")]
            Error::Claim(nestnet_claims::LedgerError::NoPaper { .. }) => ErrorKind::Unknown,
            #[cfg(feature = "claims")]
            Error::Claim(_) => ErrorKind::Format,
            #[cfg(feature = "study")]
            Error::Study(crate::study::StudyError::Interrupted(_)) => ErrorKind::Stopped,
            #[cfg(feature = "study")]
            Error::Study(_) => ErrorKind::Format,
        }
    }
}

/// The class of an error of the crates below.
trait Kind {
    fn kind(&self) -> ErrorKind;
}

impl Kind for CsrError {
    fn kind(&self) -> ErrorKind {
        match self {
            CsrError::Budget(_) => ErrorKind::Limit,
            CsrError::Interrupted(_) => ErrorKind::Stopped,
            CsrError::BadLink { .. } => ErrorKind::Invalid,
            _ => ErrorKind::Unsupported,
        }
    }
}

impl Kind for Unanswered {
    fn kind(&self) -> ErrorKind {
        match self {
            Unanswered::Unknown { .. } => ErrorKind::Unknown,
            Unanswered::Interrupted(_) => ErrorKind::Stopped,
            Unanswered::Csr(error) => error.kind(),
            Unanswered::Simulated(error) => error.kind(),
            Unanswered::BadAutomorphism | Unanswered::Classes(_) => ErrorKind::Internal,
            Unanswered::Faults(_) | Unanswered::TooLarge { .. } => ErrorKind::Limit,
            error if error.reason() == Reason::Limit => ErrorKind::Limit,
            _ => ErrorKind::Unsupported,
        }
    }
}

impl Kind for TableError {
    fn kind(&self) -> ErrorKind {
        match self {
            TableError::Budget(_) => ErrorKind::Limit,
            TableError::Interrupted(_) => ErrorKind::Stopped,
            _ => ErrorKind::Unsupported,
        }
    }
}

impl Kind for RouterError {
    fn kind(&self) -> ErrorKind {
        match self {
            RouterError::Unknown { .. } | RouterError::Inner { .. } => ErrorKind::Unknown,
            RouterError::Table { error, .. } => error.kind(),
            _ => ErrorKind::Unsupported,
        }
    }
}

impl Kind for WalkError {
    fn kind(&self) -> ErrorKind {
        match self {
            // Between two components no router has a hop.
            WalkError::Ends { .. } => ErrorKind::Unsupported,
            _ => ErrorKind::Internal,
        }
    }
}

impl Kind for DeadlockError {
    fn kind(&self) -> ErrorKind {
        match self {
            DeadlockError::Budget(_) => ErrorKind::Limit,
            DeadlockError::Interrupted(_) => ErrorKind::Stopped,
            DeadlockError::Walk { error, .. } => error.kind(),
            DeadlockError::NoLink { .. } => ErrorKind::Format,
            _ => ErrorKind::Internal,
        }
    }
}

impl Kind for CheckError {
    fn kind(&self) -> ErrorKind {
        match self {
            CheckError::Budget(_) => ErrorKind::Limit,
            CheckError::Interrupted(_) => ErrorKind::Stopped,
            _ => ErrorKind::Internal,
        }
    }
}

impl Kind for FlowError {
    fn kind(&self) -> ErrorKind {
        match self {
            FlowError::Budget(_) => ErrorKind::Limit,
            FlowError::Interrupted(_) => ErrorKind::Stopped,
            FlowError::Csr(error) => error.kind(),
            _ => ErrorKind::Unsupported,
        }
    }
}

impl Kind for TrafficError {
    fn kind(&self) -> ErrorKind {
        match self {
            TrafficError::Unknown { .. } => ErrorKind::Unknown,
            TrafficError::OverBudget(_) => ErrorKind::Limit,
            TrafficError::Hosts { .. } => ErrorKind::Unsupported,
            TrafficError::File { .. } | TrafficError::Matrix { .. } => ErrorKind::Format,
            _ => ErrorKind::Invalid,
        }
    }
}

impl Kind for ThroughputError {
    fn kind(&self) -> ErrorKind {
        match self {
            ThroughputError::Traffic(error) => error.kind(),
            ThroughputError::Router { error } => error.kind(),
            ThroughputError::Flow(error) => error.kind(),
            _ => ErrorKind::Unsupported,
        }
    }
}

impl Kind for SimError {
    fn kind(&self) -> ErrorKind {
        match self {
            SimError::Budget(_) => ErrorKind::Limit,
            SimError::Interrupted(_) => ErrorKind::Stopped,
            SimError::TooManyQueues { .. } | SimError::TooManyNodes { .. } => {
                ErrorKind::Unsupported
            }
            SimError::NoHosts | SimError::Unroutable { .. } => ErrorKind::Unsupported,
            _ => ErrorKind::Invalid,
        }
    }
}

impl Kind for SetupError {
    fn kind(&self) -> ErrorKind {
        match self {
            SetupError::Router(error) => error.kind(),
            SetupError::Traffic(error) => error.kind(),
            SetupError::Sim(error) => error.kind(),
            SetupError::Reroute(RerouteError::Csr(error)) => error.kind(),
            SetupError::Reroute(RerouteError::Assign(AssignError::Deadlock(error))) => error.kind(),
            SetupError::Faults(_) | SetupError::TooManyFail { .. } => ErrorKind::Invalid,
            _ => ErrorKind::Unsupported,
        }
    }
}

impl Kind for Violation {
    fn kind(&self) -> ErrorKind {
        match self {
            Violation::Budget(_) => ErrorKind::Limit,
            Violation::Interrupted(_) => ErrorKind::Stopped,
            _ => ErrorKind::Internal,
        }
    }
}

impl Kind for BroadcastError {
    fn kind(&self) -> ErrorKind {
        match self {
            BroadcastError::NoText { .. } => ErrorKind::Unknown,
            BroadcastError::Violation(error) => error.kind(),
            _ => ErrorKind::Unsupported,
        }
    }
}

impl Kind for PlanError {
    fn kind(&self) -> ErrorKind {
        match self {
            PlanError::NoNode { .. } => ErrorKind::Unknown,
            PlanError::NotHost { .. } => ErrorKind::Invalid,
            PlanError::Budget(_) => ErrorKind::Limit,
            PlanError::Interrupted(_) => ErrorKind::Stopped,
            PlanError::Walk(error) => error.kind(),
            PlanError::Check(error) => error.kind(),
            _ => ErrorKind::Unsupported,
        }
    }
}

impl Kind for WriteError {
    fn kind(&self) -> ErrorKind {
        match self {
            WriteError::Budget(_) => ErrorKind::Limit,
            WriteError::Interrupted(_) => ErrorKind::Stopped,
            WriteError::Io(_) => ErrorKind::Io,
            _ => ErrorKind::Unsupported,
        }
    }
}

impl Kind for DrawError {
    fn kind(&self) -> ErrorKind {
        match self {
            DrawError::Interrupted(_) => ErrorKind::Stopped,
            DrawError::NoLevel { .. } => ErrorKind::Invalid,
            _ => ErrorKind::Limit,
        }
    }
}

impl Kind for PictureError {
    fn kind(&self) -> ErrorKind {
        match self {
            PictureError::Draw(error) => error.kind(),
            PictureError::NoPlan { .. } => ErrorKind::Unknown,
            PictureError::NoStep { .. } => ErrorKind::Invalid,
            PictureError::Router(error) => error.kind(),
            PictureError::Walk { error, .. } => error.kind(),
            PictureError::Broadcast(error) => error.kind(),
            PictureError::Deadlock(error) => error.kind(),
            PictureError::Load(error) => error.kind(),
            PictureError::NotBuilt => ErrorKind::Unsupported,
        }
    }
}

impl Kind for DesignError {
    fn kind(&self) -> ErrorKind {
        match self {
            DesignError::Family { .. } => ErrorKind::Unknown,
            DesignError::Interrupted(_) => ErrorKind::Stopped,
            DesignError::Nodes(_)
            | DesignError::Tolerance(_)
            | DesignError::Hosts(_)
            | DesignError::HostsEach(_)
            | DesignError::Radix(_)
            | DesignError::Taper(_)
            | DesignError::NoObjective => ErrorKind::Invalid,
            DesignError::NoParts => ErrorKind::Format,
        }
    }
}
