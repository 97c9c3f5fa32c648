//! What can be wrong with a certificate?

use super::{Channel, Dependency};
use nestnet_graph::measure::Interrupted;
use nestnet_graph::{Node, OverBudget, kinds};
use thiserror::Error;

/// What is wrong with a certificate.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CheckError {
    /// A channel is in the order twice.
    #[error("{channel} is in the order twice")]
    Twice {
        /// The channel at fault.
        channel: Channel,
    },
    /// A channel of the certificate is no link.
    #[error("{channel} is no link")]
    NoLink {
        /// The channel at fault.
        channel: Channel,
    },
    /// A message takes a channel that is not in the order.
    #[error("a message to node {to} takes {channel}, which is not in the order")]
    NotInOrder {
        /// Where it goes.
        to: Node,
        /// What it takes.
        channel: Channel,
    },
    /// A message takes channels against the order.
    #[error("the message from node {from} to node {to} takes {channel} after a later one")]
    AgainstOrder {
        /// Where it starts.
        from: Node,
        /// Where it goes.
        to: Node,
        /// What it takes.
        channel: Channel,
    },
    /// A message does not arrive.
    #[error("the message from node {from} to node {to} ends at node {at}")]
    Ends {
        /// Where it starts.
        from: Node,
        /// Where it goes.
        to: Node,
        /// Where it ends.
        at: Node,
    },
    /// A message that took the escape has a hop that is not of it.
    #[error("the message from node {from} to node {to} leaves the escape by {channel}")]
    LeavesEscape {
        /// Where it starts.
        from: Node,
        /// Where it goes.
        to: Node,
        /// What it takes.
        channel: Channel,
    },
    /// A message on adaptive channels has no hop of the escape.
    #[error("the message from node {from} to node {to} has no escape at node {at}")]
    NoEscape {
        /// Where it starts.
        from: Node,
        /// Where it goes.
        to: Node,
        /// Where it is.
        at: Node,
    },
    /// The message of a dependency does not make it.
    #[error("the message from node {} to node {} does not take {} and then {}",
        .0.message.from, .0.message.to, .0.channel, .0.next)]
    NotMade(Dependency),
    /// One dependency does not begin where the one before it ends.
    #[error("{channel} does not follow the channel before it in the cycle")]
    Broken {
        /// Where it breaks.
        channel: Channel,
    },
    /// A count of the certificate is not true.
    #[error("it counts {said} {what}, and there are {found}")]
    Count {
        /// Of what.
        what: &'static str,
        /// What the certificate says.
        said: u64,
        /// What was found.
        found: u64,
    },
    /// More memory or time than there is.
    #[error(transparent)]
    Budget(#[from] OverBudget),
    /// Stopped.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

kinds!(CheckError {
    Internal: Twice, NoLink, NotInOrder, AgainstOrder, Ends, LeavesEscape, NoEscape, NotMade,
        Broken, Count;
    inner: Budget, Interrupted;
});
