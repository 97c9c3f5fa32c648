//! What can be wrong with a program, or with the steps that it is given.

use nestnet_graph::measure::Interrupted;
use nestnet_graph::{Node, Port, kinds};
use thiserror::Error;

/// The first thing that a program does wrong. Steps are counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ProgramError {
    /// There is no such link.
    #[error("step {step}: node {from} has no link at port {port}")]
    NoLink {
        /// The step, from 0.
        step: u64,
        /// Who sends.
        from: Node,
        /// The port, at which there is none.
        port: Port,
    },
    /// More than one message leaves through its one port.
    #[error("step {step}: node {node} sends {messages} messages, and it has one port")]
    SendsTwice {
        /// The step, from 0.
        step: u64,
        /// The node that does so.
        node: Node,
        /// How many.
        messages: usize,
    },
    /// A node that is to hold one item holds none or two.
    #[error("step {step}: node {node} ends with {items} items")]
    NotOne {
        /// The step, from 0.
        step: u64,
        /// The node that does so.
        node: Node,
        /// How many.
        items: usize,
    },
    /// One shows its item, the other does not.
    #[error("step {step}: node {to} does not meet {from}")]
    Unanswered {
        /// The step, from 0.
        step: u64,
        /// Who shows its item.
        from: Node,
        /// Who does not.
        to: Node,
    },
    /// Those who meet are not those whom the guest links.
    #[error("step {step}: at node {node} item {item} does not meet its neighbors in one dimension")]
    Strangers {
        /// The step, from 0.
        step: u64,
        /// The node at fault.
        node: Node,
        /// Which item.
        item: u64,
    },
    /// Not the dimension whose turn it is.
    #[error("step {step}: item {item} meets along dimension {dimension} out of turn")]
    OutOfTurn {
        /// The step, from 0.
        step: u64,
        /// Which item.
        item: u64,
        /// Along which dimension.
        dimension: usize,
    },
    /// A meeting did not take place.
    #[error("item {item} met in {met} of {wanted} dimensions")]
    NotMet {
        /// Which item.
        item: u64,
        /// How often it met.
        met: usize,
        /// How often it should.
        wanted: usize,
    },
    /// An item did not come home.
    #[error("item {item} ends at node {node}, which is not its place")]
    Astray {
        /// Which item.
        item: u64,
        /// Where it is.
        node: Node,
    },
    /// The address is not made of bits.
    #[error("dimension {dimension} has {side} places, and this program needs 2 in each")]
    NotBinary {
        /// Which one.
        dimension: usize,
        /// How many places it has.
        side: u64,
    },
    /// As many values as nodes are needed.
    #[error("{given} values for {nodes} nodes")]
    WrongCount {
        /// How many there are.
        given: usize,
        /// How many there should be.
        nodes: u64,
    },
    /// The items would not fit.
    #[error(transparent)]
    Budget(#[from] nestnet_graph::OverBudget),
    /// Stopped.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

kinds!(ProgramError {
    Unsupported: NotBinary;
    Invalid: WrongCount;
    Internal: NoLink, SendsTwice, NotOne, Unanswered, Strangers, OutOfTurn, NotMet, Astray;
    inner: Budget, Interrupted;
});
