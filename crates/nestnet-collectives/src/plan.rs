//! What generators of schedules share: why there is no schedule, how one is turned around, and what is omitted of it.

use super::bits::Bits;
use super::{Algorithm, Collective, Fabric, Schedule, Transfer, Violation};
use nestnet_graph::{Budget, Interrupted, Network, Node, OverBudget, Port, index, kinds};
use nestnet_routing::route::WalkError;
use thiserror::Error;

/// The α–β model: a message of b bytes takes α + β·b, and a time for each of its hops through switches.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Price {
    /// Seconds for every message, however short.
    pub alpha: f64,
    /// Seconds for every byte on a link.
    pub beta: f64,
    /// Seconds for every hop of a message that switches forward.
    pub hop: f64,
}

/// Why there is no schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PlanError {
    /// There is no such root.
    #[error("there is no node {node}")]
    NoNode {
        /// What was asked for.
        node: Node,
    },
    /// Some node cannot be reached.
    #[error("the network is not connected: there is no path from node {from} to node {node}")]
    NoPath {
        /// Where it starts.
        from: Node,
        /// Where it does not arrive.
        node: Node,
    },
    /// No ring through all nodes was found; there may be one.
    #[error("no cycle through all nodes was found")]
    NoCycle,
    /// It has no links that flip each bit of the node number.
    #[error("it is no binary cube: not every bit of the node number is flipped by a link")]
    NoCube,
    /// Only a host can be a root where others switch.
    #[error("node {node} is a switch: a root is one of the hosts, 0 to {}", hosts.saturating_sub(1))]
    NotHost {
        /// What was asked for.
        node: Node,
        /// How many hosts there are.
        hosts: u64,
    },
    /// An exchange goes by the bits of a host's number.
    #[error("the number of hosts is no power of two")]
    NoPower,
    /// There is nothing inside and across.
    #[error(
        "it has no servers: switches, at least two, with equally many hosts, at least two each"
    )]
    NoServers,
    /// Shifts have nothing to gain.
    #[error("`shift` takes no more than 2 % over what any order of its messages takes")]
    NoGain,
    /// Another algorithm is for that.
    #[error(
        "there is no {} by `{}` here, but by {}",
        collective.name(),
        algorithm.name(),
        collective.algorithms(*fabric).map(Algorithm::name).collect::<Vec<_>>().join(", ")
    )]
    NotFor {
        /// What was asked for.
        algorithm: Algorithm,
        /// For which collective.
        collective: Collective,
        /// What stores and forwards.
        fabric: Fabric,
    },
    /// Blocks are numbered, and there are too many of them.
    #[error("there are {blocks} blocks, and at most {} can be planned", u32::MAX)]
    TooManyBlocks {
        /// One for each pair of hosts.
        blocks: u128,
    },
    /// More memory or time than there is.
    #[error(transparent)]
    Budget(#[from] OverBudget),
    /// Routes are to be taken, and there is no router.
    #[error("it has no router")]
    NoRouter,
    /// A router that breaks its contract.
    #[error(transparent)]
    Walk(#[from] WalkError),
    /// What was made does not pass the checker, or the checker has not enough memory.
    #[error(transparent)]
    Check(Violation),
    /// Stopped.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

kinds!(PlanError {
    Unknown: NoNode;
    Invalid: NotHost;
    Unsupported: NoPath, NoCycle, NoCube, NoPower, NoServers, NoGain, NotFor, TooManyBlocks,
        NoRouter;
    inner: Budget, Walk, Check, Interrupted;
});

impl From<Violation> for PlanError {
    fn from(violation: Violation) -> Self {
        match violation {
            Violation::Interrupted(stopped) => PlanError::Interrupted(stopped),
            Violation::Budget(over) => PlanError::Budget(over),
            violation => PlanError::Check(violation),
        }
    }
}

/// An error unless that many transfers fit in memory.
pub(super) fn afford(transfers: u128, budget: &Budget<'_>) -> Result<(), PlanError> {
    afford_bytes(transfers.saturating_mul(size_of::<Transfer>() as u128), budget)
}

/// An error unless that many bytes are allowed.
pub(super) fn afford_bytes(need: u128, budget: &Budget<'_>) -> Result<(), PlanError> {
    Ok(budget.fits("the schedule", need)?)
}

/// Rows of bits, unless they take more than is allowed.
pub(super) fn bits(rows: u64, columns: u64, budget: &Budget<'_>) -> Result<Bits, PlanError> {
    Ok(Bits::new(rows.into(), columns, budget)?)
}

/// The port of one node that leads to another, if they are linked.
pub(super) fn port_to(network: &dyn Network, from: Node, to: Node) -> Option<Port> {
    let mut found = None;
    network.for_each_neighbor(from, &mut |port, at| {
        if at == to {
            found = Some(port);
        }
    });
    found
}

/// The node at the other end of a link and its port, where there is such a link.
pub(super) fn other_end(network: &dyn Network, from: Node, port: Port) -> Option<(Node, Port)> {
    let to = network.neighbor(from, port)?;
    Some((to, port_to(network, to, from)?))
}

/// The schedule backward: the last step first, and every transfer the other way.
///
/// A broadcast that reaches every node once becomes a reduction to its root, an allgather becomes the sums of block i
/// at host i, a scatter becomes a gather. Transfers over links that do not exist are omitted.
///
/// ```
/// use nestnet_collectives::{Schedule, Transfer, reversed};
/// use nestnet_graph::{Csr, Node, Port};
///
/// let path = Csr::from_links(3, &[(0, 1), (1, 2)], 1 << 20)?;
/// let send = |from, port| vec![Transfer { from: Node(from), port: Port(port), block: 0 }];
/// let broadcast = Schedule { steps: vec![send(0, 0), send(1, 1)] };
/// assert_eq!(reversed(&path, &broadcast).steps, [send(2, 0), send(1, 0)]);
/// # Ok::<(), nestnet_graph::CsrError>(())
/// ```
pub fn reversed(network: &dyn Network, schedule: &Schedule) -> Schedule {
    let back = |&Transfer { from, port, block }: &Transfer| {
        let (to, port) = other_end(network, from, port)?;
        Some(Transfer { from: to, port, block })
    };
    let steps = schedule.steps.iter().rev();
    Schedule { steps: steps.map(|step| step.iter().filter_map(back).collect()).collect() }
}

/// Without the transfers that help no host: those to a node that only switches and does not send the block on.
pub(super) fn pruned(
    network: &dyn Network,
    mut schedule: Schedule,
    blocks: u64,
    budget: &Budget<'_>,
) -> Result<Schedule, PlanError> {
    let hosts = network.hosts();
    if hosts == network.order() {
        return Ok(schedule);
    }
    let mut wanted = bits(network.order(), blocks, budget)?;
    for step in schedule.steps.iter_mut().rev() {
        step.retain(|&Transfer { from, port, block }| {
            let helps = network
                .neighbor(from, port)
                .is_some_and(|to| to.0 < hosts || wanted.has(to.0, block));
            if helps {
                wanted.set(from.0, block);
            }
            helps
        });
    }
    schedule.steps.retain(|step| !step.is_empty());
    Ok(schedule)
}

/// Puts a transfer into a step, which may not be there yet.
pub(super) fn put(steps: &mut Vec<Vec<Transfer>>, step: u64, transfer: Transfer) {
    let step = index(step);
    if steps.len() <= step {
        steps.resize(step + 1, Vec::new());
    }
    steps[step].push(transfer);
}
