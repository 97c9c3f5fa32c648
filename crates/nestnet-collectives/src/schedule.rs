//! What a schedule is: steps of transfers, each over one link, what a step may do, and what all are to achieve.

pub mod text;

use nestnet_graph::{Node, Port, kinds};
use serde::Serialize;
use thiserror::Error;

/// One block over one link in one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Transfer {
    /// Who sends.
    pub from: Node,
    /// Over which link.
    pub port: Port,
    /// The number of the block.
    pub block: u64,
}

/// Steps of transfers. Those of one step happen at the same time: what is sent was there before the step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    /// In order.
    pub steps: Vec<Vec<Transfer>>,
}

impl Schedule {
    /// The same, generated step by step.
    pub fn stream(&self) -> impl Stream + '_ {
        let mut steps = self.steps.iter();
        move |out: &mut Vec<Transfer>| {
            let step = steps.next();
            out.extend(step.into_iter().flatten());
            step.is_some()
        }
    }

    /// All steps of a stream, in memory.
    pub fn collect(mut stream: impl Stream) -> Self {
        let mut steps = Vec::new();
        let mut step = Vec::new();
        while stream.next_step(&mut step) {
            steps.push(std::mem::take(&mut step));
        }
        Schedule { steps }
    }
}

/// A schedule generated step by step, for those that would not fit in memory.
pub trait Stream {
    /// Appends the transfers of the next step; `false` when there is none.
    fn next_step(&mut self, out: &mut Vec<Transfer>) -> bool;
}

/// Steps that are made when they are asked for.
pub type Steps<'a> = Box<dyn FnMut(&mut Vec<Transfer>) -> bool + 'a>;

impl<F: FnMut(&mut Vec<Transfer>) -> bool> Stream for F {
    fn next_step(&mut self, out: &mut Vec<Transfer>) -> bool {
        self(out)
    }
}

/// How much a node can do in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Ports {
    /// It sends at most one message and receives at most one.
    One,
    /// One message in each direction over every link.
    All,
}

impl Ports {
    /// In one word.
    pub fn name(self) -> &'static str {
        match self {
            Ports::One => "one",
            Ports::All => "all",
        }
    }
}

/// What becomes of a transfer that brings nothing new.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeats {
    /// It is a violation.
    Forbidden,
    /// It is counted.
    Allowed,
}

/// What is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Model {
    /// How much a node can do in a step.
    pub ports: Ports,
    /// What becomes of a transfer that brings nothing new.
    pub repeats: Repeats,
}

/// What a schedule is to achieve among the hosts `0..n`. Blocks are copied: who sends one keeps it.
///
/// In a reduction a block is a sum. Who receives a part that has nothing in common with its own adds it; a part that
/// contains its own replaces it; anything else would count a contribution twice. Of parts that arrive in one step,
/// equal ones count once and different ones must have nothing in common, so that their order does not matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Block 0 of the root reaches every host.
    Broadcast {
        /// Where it starts.
        root: Node,
    },
    /// Block i of the root reaches host i.
    Scatter {
        /// Where all start.
        root: Node,
    },
    /// Block i of host i reaches the root.
    Gather {
        /// Where all end.
        root: Node,
    },
    /// Blocks `0..blocks`, of which every host has a part, are summed at the root.
    Reduce {
        /// Where the sums end.
        root: Node,
        /// How many sums.
        blocks: u64,
    },
    /// Block i of host i reaches every host.
    Allgather,
    /// Blocks `0..blocks`, of which every host has a part, are summed at every host.
    Allreduce {
        /// How many sums.
        blocks: u64,
    },
    /// Block i·n + j of host i reaches host j.
    AllToAll,
}

/// The first thing that is wrong with a schedule. Steps are counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Violation {
    /// There is no such node.
    #[error("step {step}: there is no node {node}")]
    NoNode {
        /// The step, from 0.
        step: u64,
        /// The node that does so.
        node: Node,
    },
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
    /// There is no such block.
    #[error("step {step}: node {from} sends block {block}, and there are {blocks}")]
    NoBlock {
        /// The step, from 0.
        step: u64,
        /// Who sends.
        from: Node,
        /// The number of the block.
        block: u64,
        /// How many there are.
        blocks: u64,
    },
    /// It sends what it has not.
    #[error("step {step}: node {from} sends block {block}, which it does not hold")]
    NotHeld {
        /// The step, from 0.
        step: u64,
        /// Who sends.
        from: Node,
        /// The number of the block.
        block: u64,
    },
    /// More than one message leaves through its one port.
    #[error("step {step}: node {node} sends twice, and it has one port")]
    SendsTwice {
        /// The step, from 0.
        step: u64,
        /// The node that does so.
        node: Node,
    },
    /// More than one message arrives at its one port.
    #[error("step {step}: node {node} receives twice, and it has one port")]
    ReceivesTwice {
        /// The step, from 0.
        step: u64,
        /// The node that does so.
        node: Node,
    },
    /// A link carries one block a step in each direction.
    #[error("step {step}: the link from {from} to {to} carries two blocks")]
    LinkTwice {
        /// The step, from 0.
        step: u64,
        /// Who sends.
        from: Node,
        /// Who receives.
        to: Node,
    },
    /// It brings nothing new.
    #[error("step {step}: node {from} sends block {block} to {to}, which holds it already")]
    Repeats {
        /// The step, from 0.
        step: u64,
        /// Who sends.
        from: Node,
        /// Who receives.
        to: Node,
        /// The number of the block.
        block: u64,
    },
    /// A contribution would be added twice.
    #[error("step {step}: node {from} sends its part of sum {block} to {to}, which has some of it")]
    CountedTwice {
        /// The step, from 0.
        step: u64,
        /// Who sends.
        from: Node,
        /// Who receives.
        to: Node,
        /// Which sum.
        block: u64,
    },
    /// Something has not arrived when the schedule ends.
    #[error("after {steps} steps node {node} does not hold block {block}")]
    Missing {
        /// How many there were.
        steps: u64,
        /// The node that does so.
        node: Node,
        /// The number of the block.
        block: u64,
    },
    /// A sum is not complete when the schedule ends.
    #[error("after {steps} steps node {node} has sum {block} without the part of node {without}")]
    Incomplete {
        /// How many there were.
        steps: u64,
        /// The node that does so.
        node: Node,
        /// Which sum.
        block: u64,
        /// Whose part is missing.
        without: Node,
    },
    /// Only hosts hold anything.
    #[error("step {step}: node {node} is a switch, which holds nothing")]
    NotHost {
        /// The step, from 1.
        step: u64,
        /// The switch.
        node: Node,
    },
    /// A message has no way.
    #[error("step {step}: there is no route from {from} to {to}")]
    NoRoute {
        /// The step, from 1.
        step: u64,
        /// Who sends.
        from: Node,
        /// Who should receive.
        to: Node,
    },
    /// A host sends more messages than it may.
    #[error("step {step}: host {node} sends more messages than it has ports")]
    SendsTooMuch {
        /// The step, from 1.
        step: u64,
        /// The host.
        node: Node,
    },
    /// A host receives more messages than it may.
    #[error("step {step}: host {node} receives more messages than it has ports")]
    ReceivesTooMuch {
        /// The step, from 1.
        step: u64,
        /// The host.
        node: Node,
    },
    /// What everybody holds would not fit.
    #[error(transparent)]
    Budget(#[from] nestnet_graph::OverBudget),
    /// Stopped.
    #[error(transparent)]
    Interrupted(#[from] nestnet_graph::Interrupted),
}

kinds!(Violation {
    Internal: NoNode, NoLink, NoBlock, NotHeld, SendsTwice, ReceivesTwice, LinkTwice, Repeats,
        CountedTwice, Missing, Incomplete, NotHost, NoRoute, SendsTooMuch, ReceivesTooMuch;
    inner: Budget, Interrupted;
});
