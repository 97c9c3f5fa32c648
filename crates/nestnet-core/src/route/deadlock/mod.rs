//! Can messages wait for each other in a circle? A certificate for either answer.
//!
//! A *channel* is one virtual channel of a link in one direction. A message that holds one channel and may ask for
//! another makes the second one *depend* on it. Where these dependencies have no cycle, no set of messages can wait for
//! each other for ever (Dally and Seitz 1987); the channels in topological order prove it. Otherwise a cycle is shown,
//! with a message for each of its dependencies. [`check`] re-verifies both and shares nothing with [`certify`].

mod check;
mod cycle;
mod explore;
mod graph;
mod routes;
#[cfg(test)]
mod tests;
mod witness;

pub(crate) use graph::{Links, NONE};

pub use check::{CheckError, check};
pub use routes::{Route, certify_routes, check_routes, links_of};

use super::{Router, Vc, WalkError};
use crate::measure::{Interrupted, Watch};
use crate::{Network, Node, Port};
use explore::Source;
use std::fmt;
use thiserror::Error;

/// One virtual channel of a link, in one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Channel {
    /// Where it begins.
    pub node: Node,
    /// The link.
    pub port: Port,
    /// The virtual channel of that link.
    pub vc: Vc,
}

/// Whose route it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Message {
    /// Where it starts.
    pub from: Node,
    /// Where it goes.
    pub to: Node,
    /// The choice of its router; for routes that were read, their line.
    pub choice: u64,
}

/// A message may hold `channel` while it waits for `next`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dependency {
    /// What it holds.
    pub channel: Channel,
    /// What it takes right after.
    pub next: Channel,
    /// The message that does.
    pub message: Message,
}

/// The answer, with its proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No deadlock: every route takes channels in this order only. All channels that are used, each once.
    Free {
        /// A topological order of the dependencies.
        order: Vec<Channel>,
    },
    /// Each one waits for the next, and the last for the first.
    Cycle(Vec<Dependency>),
}

/// A verdict, and of how much.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The answer, with its proof.
    pub verdict: Verdict,
    /// One more than the highest virtual channel in use.
    pub vcs: u16,
    /// How many channels are used.
    pub channels: u64,
    /// How many pairs of channels are taken one right after the other.
    pub dependencies: u64,
    /// How many ordered pairs of hosts are routed, each with all choices.
    pub pairs: u64,
}

impl Certificate {
    /// Whether there is no cycle.
    pub fn is_free(&self) -> bool {
        matches!(self.verdict, Verdict::Free { .. })
    }
}

/// How far certifying may go.
#[derive(Clone, Copy, Debug)]
pub struct Limits<'a> {
    /// Bytes that may be used.
    pub max_memory: u64,
    /// Steps that may be taken, a few nanoseconds each.
    pub max_steps: u128,
    /// When to stop, and who is told how far it is.
    pub watch: Watch<'a>,
}

impl Limits<'static> {
    /// For what is known to be small.
    pub const NONE: Limits<'static> =
        Limits { max_memory: u64::MAX, max_steps: u128::MAX, watch: Watch::SILENT };
}

impl Limits<'_> {
    /// An error where that many bytes are too many.
    pub(crate) fn fits(&self, need: u128) -> Result<(), DeadlockError> {
        let limit = self.max_memory;
        let fits = need <= limit.into();
        fits.then_some(()).ok_or(DeadlockError::TooMuchMemory { need, limit })
    }

    /// An error where that many steps are too many.
    pub(crate) fn affords(&self, steps: u128) -> Result<(), DeadlockError> {
        let limit = self.max_steps;
        let fits = steps <= limit;
        fits.then_some(()).ok_or(DeadlockError::TooManySteps { steps, limit })
    }
}

/// Why there is no verdict.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DeadlockError {
    /// It would not fit.
    #[error("the dependencies need {need} bytes, over the limit of {limit} (--max-memory)")]
    TooMuchMemory {
        /// Bytes needed.
        need: u128,
        /// Bytes allowed.
        limit: u64,
    },
    /// It would take too long.
    #[error(
        "following all routes takes about {steps} steps, over the limit of {limit} (--max-time)"
    )]
    TooManySteps {
        /// Steps needed.
        steps: u128,
        /// Steps allowed.
        limit: u128,
    },
    /// A route that does not arrive or leaves the network.
    #[error("a message to node {to}: {error}")]
    Walk {
        /// Where it goes.
        to: Node,
        /// What is wrong.
        error: WalkError,
    },
    /// More virtual channels than the router says.
    #[error("a message to node {to} takes virtual channel {vc} of {vcs} at node {at}")]
    NoVc {
        /// Where it goes.
        to: Node,
        /// Where it is.
        at: Node,
        /// What it takes.
        vc: Vc,
        /// How many there are.
        vcs: u16,
    },
    /// A route that was read takes a hop that is no link.
    #[error("line {line}: nodes {from} and {to} are not linked")]
    NoLink {
        /// 1-based.
        line: u64,
        /// Where the hop begins.
        from: Node,
        /// Where it leads.
        to: Node,
    },
    /// Stopped.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

impl fmt::Display for Channel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "node {} port {} vc {}", self.node, self.port, self.vc)
    }
}

/// Whether the messages between all ordered pairs of hosts, with all choices and all hops, can deadlock.
///
/// Exact. A router that remembers nothing takes O(hosts · nodes) hops, any other one O(states of its messages); bits
/// for the dependencies take `channels · ports · vcs / 8` bytes. A cycle is the shortest through the channels that
/// could be tried: all of them unless that takes too many steps, in ascending order.
///
/// ```
/// use nestnet_core::route::deadlock::{Limits, certify, check};
/// use nestnet_core::route::{Capped, Searched, Turns};
/// use nestnet_core::{Csr, Network, Router};
/// use std::sync::Arc;
///
/// let links = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)];
/// let ring: Arc<dyn Network> = Arc::new(Csr::from_links(5, &links, 1 << 20)?);
/// let shortest: Arc<dyn Router> = Arc::new(Searched::new(ring.clone()).unwrap());
/// let alone = certify(&*ring, &*shortest, &Limits::NONE)?;
/// assert!(!alone.is_free());
/// check(&*ring, &*shortest, &alone, &Limits::NONE)?;
///
/// let turns = Turns::new(ring.clone(), shortest, None);
/// assert!(certify(&*ring, &turns, &Limits::NONE)?.is_free());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn certify(
    network: &dyn Network,
    router: &dyn Router,
    limits: &Limits<'_>,
) -> Result<Certificate, DeadlockError> {
    let source = Source::new(network, router, limits)?;
    let graph = source.graph(limits)?;
    let verdict = match graph.order() {
        Ok(order) => Verdict::Free { order: order.into_iter().map(|c| graph.channel(c)).collect() },
        Err(stuck) => {
            let cycle = cycle::shortest(&graph, &stuck, &limits.watch)?;
            let channels: Vec<Channel> = cycle.into_iter().map(|c| graph.channel(c)).collect();
            Verdict::Cycle(witness::witnesses(&source, &channels, limits)?)
        }
    };
    Ok(Certificate {
        verdict,
        vcs: graph.vcs_used(),
        channels: graph.channels(),
        dependencies: graph.dependencies(),
        pairs: graph.pairs(),
    })
}
