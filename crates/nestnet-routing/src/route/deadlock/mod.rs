//! Can messages wait in a dependency cycle? A certificate for either answer.
//!
//! A *channel* is one virtual channel of a link in one direction. A message that holds one channel and may ask for
//! another makes the second one *depend* on it. Where these dependencies have no cycle, no set of messages can wait for
//! each other for ever (Dally and Seitz 1987); the channels in topological order prove it. Otherwise a cycle is shown,
//! with a message for each of its dependencies. [`check`] re-verifies both and shares nothing with [`certify`].

mod check;
mod classes;
mod cycle;
mod explore;
mod exploring;
mod flaw;
mod graph;
mod places;
mod routes;
mod spans;
#[cfg(test)]
mod symmetry_tests;
#[cfg(test)]
mod tests;
mod walker;
mod witness;

pub use graph::{Links, NONE};

pub use check::check;
pub use exploring::Exploring;
pub use flaw::CheckError;
pub use graph::Explored;
pub use routes::{Route, certify_routes, check_routes, links_of};

use super::{Router, Vc, WalkError};
use nestnet_graph::job::Shard;
use nestnet_graph::theory::How;
use nestnet_graph::{Budget, Interrupted, Network, Node, OverBudget, Port, kinds};
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
pub enum Deadlock {
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
    pub verdict: Deadlock,
    /// One more than the highest virtual channel in use.
    pub vcs: u16,
    /// How many channels are used.
    pub channels: u64,
    /// How many pairs of channels are taken one right after the other.
    pub dependencies: u64,
    /// How many ordered pairs of hosts are routed, each with all choices.
    pub pairs: u64,
    /// Whether all messages were followed, or those to one node of each class that automorphisms join.
    pub how: How,
}

impl Certificate {
    /// Whether there is no cycle.
    pub fn is_free(&self) -> bool {
        matches!(self.verdict, Deadlock::Free { .. })
    }
}

/// Why there is no verdict.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DeadlockError {
    /// More memory or time than there is.
    #[error(transparent)]
    Budget(#[from] OverBudget),
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
    /// A dependency that no message makes: what was explored is not of these routes.
    #[error("no message takes {next} right after {channel}")]
    NotMade {
        /// What would be held.
        channel: Channel,
        /// What would be waited for.
        next: Channel,
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

kinds!(DeadlockError {
    Format: NoLink;
    Internal: NoVc, NotMade;
    inner: Budget, Walk.error, Interrupted;
});

impl fmt::Display for Channel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "node {} port {} vc {}", self.node, self.port, self.vc)
    }
}

/// Whether the messages between all ordered pairs of hosts, with all choices and all hops, can deadlock.
///
/// Exact. A router that remembers nothing takes O(hosts · nodes) hops, any other one O(states of its messages); where a
/// router [commutes with automorphisms](Router::commutes_with), only messages to one node of each class are followed,
/// and what is seen at a node holds for its class: the same certificate. Bits for the dependencies take `channels · ports · vcs / 8` bytes. A cycle is the shortest through the channels that
/// could be tried: all of them unless that takes too many steps, in ascending order.
///
/// ```
/// use nestnet_graph::Budget;
/// use nestnet_routing::route::deadlock::{certify, check};
/// use nestnet_routing::route::{VcLimited, Searched, UpDownLayers};
/// use nestnet_graph::{Csr, Network};
/// use nestnet_routing::Router;
/// use std::sync::Arc;
///
/// let links = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)];
/// let ring: Arc<dyn Network> = Arc::new(Csr::from_links(5, &links, 1 << 20)?);
/// let shortest: Arc<dyn Router> = Arc::new(Searched::new(ring.clone()).unwrap());
/// let alone = certify(&*ring, &*shortest, &Budget::UNLIMITED)?;
/// assert!(!alone.is_free());
/// check(&*ring, &*shortest, &alone, &Budget::UNLIMITED)?;
///
/// let turns = UpDownLayers::new(ring.clone(), shortest, None);
/// assert!(certify(&*ring, &turns, &Budget::UNLIMITED)?.is_free());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn certify(
    network: &dyn Network,
    router: &dyn Router,
    limits: &Budget<'_>,
) -> Result<Certificate, DeadlockError> {
    let job = Exploring::new(network, router, limits)?;
    let all = job.explore(Shard::WHOLE, limits)?;
    job.finish(all, limits)
}
