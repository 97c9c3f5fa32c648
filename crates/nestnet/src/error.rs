//! Errors: one type for all that a program can ask, with a kind to branch on.

use crate::design::DesignError;
use crate::picture::PictureError;
use nestnet_analysis::broadcasts::BroadcastError;
use nestnet_analysis::measures::Unanswered;
use nestnet_analysis::routers::RouterError;
use nestnet_analysis::simulated::SetupError;
use nestnet_analysis::throughput::ThroughputError;
use nestnet_collectives::PlanError;
use nestnet_formats::{ReadError, StoreError, WriteError};
use nestnet_graph::{
    AddressError, CsrError, ErrorKind, HasKind, Interrupted, Node, OverBudget, SpecError, kinds,
};
use nestnet_routing::route::WalkError;
use nestnet_routing::route::deadlock::{CheckError, DeadlockError};
use nestnet_topologies::family::NoNodeIds;

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
    #[error(transparent)]
    NotBuilt(#[from] NoNodeIds),
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
        HasKind::kind(self)
    }
}

kinds!(Error {
    Unknown: NoNode, NoFormat, ManyKeys;
    Invalid: NoEdges;
    Unsupported: #[cfg(feature = "petgraph")] Graph;
    inner: Spec, Address, NotBuilt, Links, Limit, Stopped, Measure, Router, Route, Deadlock, Certificate,
        Throughput, Simulation, Broadcast, Collective, Read, Store, Write, Picture, Design,
        #[cfg(feature = "claims")] Claim, #[cfg(feature = "study")] Study;
});

#[cfg(test)]
mod tests {
    use super::*;
    use nestnet_routing::flow::FlowError;
    use nestnet_routing::route::TableError;
    use nestnet_routing::route::assign::AssignError;

    /// Every way in which an error of a router can wrap `inner`.
    fn wrapped<E: Clone>(inner: E) -> Vec<Error>
    where
        TableError: From<E>,
        FlowError: From<E>,
        DeadlockError: From<E>,
        Unanswered: From<E>,
    {
        let name = || "x".to_owned();
        let flow = FlowError::from(inner.clone());
        let assign = AssignError::Deadlock(inner.clone().into());
        let table = RouterError::Table { name: name(), error: inner.clone().into() };
        vec![
            table.clone().into(),
            RouterError::Flow { name: name(), error: Box::new(flow.clone()) }.into(),
            RouterError::Assign { name: name(), error: Box::new(assign) }.into(),
            ThroughputError::Flow(flow).into(),
            ThroughputError::Router { error: table.clone() }.into(),
            SetupError::Router(table.clone()).into(),
            Unanswered::Simulated(Box::new(table.into())).into(),
            PictureError::Load(inner.into()).into(),
        ]
    }

    #[test]
    fn what_wraps_an_error_has_its_kind() {
        let over = OverBudget::Memory { what: "the table", need: 2, limit: 1 };
        for error in wrapped(over) {
            assert_eq!(error.kind(), ErrorKind::Limit, "{error:?}");
        }
        for error in wrapped(Interrupted) {
            assert_eq!(error.kind(), ErrorKind::Stopped, "{error:?}");
        }
    }
}
