//! How few steps can any schedule have, and how few bytes can the busiest place carry?

use super::{Goal, PlanError, Ports};
use nestnet_graph::measure::Watch;
use nestnet_graph::measure::search::distances_from;
use nestnet_graph::{Network, Node, index};

/// What no schedule can beat. Proven, and not always attained.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Bounds {
    /// Steps, where a link carries one block in each direction a step.
    pub steps: u64,
    /// Rounds: messages that must follow each other, however long they are.
    pub rounds: u64,
    /// Payloads of one host, or of the root, that the busiest place must carry, however they are cut.
    pub payloads: f64,
}

/// The bounds of a goal. A payload is the one block of a broadcast, a scatter, a gather or an allgather, all sums of a
/// reduction, and all blocks of one host in an all-to-all.
///
/// - Rounds: the distance to the farthest host, and with one port ⌈log2 hosts⌉, as who knows at most doubles.
/// - Steps: rounds, and the blocks that a host must send or receive, by its one port or its degree.
/// - Every sum at every host takes at least 2(n − 1) transfers (F. Harary and A. J. Schwenk, 1974, for one-way calls);
///   an all-to-all takes as many as all distances together. A step makes as many as there are nodes or channels.
///
/// ```
/// use nestnet_collectives::{Goal, Ports, lower_bounds};
/// use nestnet_graph::measure::Watch;
/// use nestnet_graph::{Csr, Node};
///
/// let ring = Csr::from_links(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)], 1 << 20)?;
/// let scatter = Goal::Scatter { root: Node(0) };
/// assert_eq!(lower_bounds(&ring, scatter, Ports::One, &Watch::SILENT)?.steps, 4);
/// assert_eq!(lower_bounds(&ring, scatter, Ports::All, &Watch::SILENT)?.steps, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn lower_bounds(
    network: &dyn Network,
    goal: Goal,
    ports: Ports,
    watch: &Watch<'_>,
) -> Result<Bounds, PlanError> {
    let (order, hosts) = (network.order(), network.hosts());
    let degree = |node| degree(network, node);
    let root = match goal {
        Goal::Broadcast { root }
        | Goal::Scatter { root }
        | Goal::Gather { root }
        | Goal::Reduce { root, .. } => Some(root),
        Goal::Allgather | Goal::Allreduce { .. } | Goal::AllToAll => None,
    };
    if let Some(node) = root.filter(|root| root.0 >= order) {
        return Err(PlanError::NoNode { node });
    }
    // Whom the root must reach; without a root, whom every host must reach.
    let others = hosts - u64::from(root.is_none_or(|root| root.0 < hosts) && hosts > 0);
    if others == 0 {
        return Ok(Bounds { steps: 0, rounds: 0, payloads: 0.0 });
    }
    let far = match root {
        Some(root) => farthest(network, root)?.1,
        // The longest distance or less: from a farthest host to a farthest host.
        None => farthest(network, farthest(network, Node(0))?.0)?.1,
    };
    // How many blocks the one place takes in a step, and how many transfers all make.
    let (wide, channels) = match (ports, root) {
        (Ports::One, _) => (1, u128::from(order)),
        (Ports::All, root) => {
            let least = (0..hosts).map(|host| degree(Node(host))).min().unwrap_or(1);
            let place = match (goal, root) {
                (Goal::Broadcast { .. }, _) | (_, None) => least,
                (_, Some(root)) => degree(root),
            };
            (place, (0..order).map(|node| u128::from(degree(Node(node)))).sum())
        }
    };
    let wide = wide.max(1);
    let doubling = u64::from((others + 1).next_power_of_two().ilog2());
    let rounds = if ports == Ports::One { far.max(doubling) } else { far };
    let in_all = |transfers: u128| {
        let steps = transfers.div_ceil(channels.max(1));
        (u64::try_from(steps).unwrap_or(u64::MAX), transfers as f64 / channels.max(1) as f64)
    };
    let (blocks, one_payload) = match goal {
        Goal::Broadcast { .. } => (1, 1),
        Goal::Scatter { .. } | Goal::Gather { .. } | Goal::Allgather => (others, 1),
        Goal::Reduce { blocks, .. } | Goal::Allreduce { blocks } => (blocks, blocks.max(1)),
        Goal::AllToAll => (others, hosts),
    };
    let (all_steps, all_blocks) = match goal {
        Goal::Allreduce { blocks } => in_all(2 * u128::from(blocks) * u128::from(others)),
        Goal::AllToAll => in_all(distances(network, watch)?),
        _ => (0, 0.0),
    };
    let steps = rounds.max(blocks.div_ceil(wide)).max(all_steps);
    let busiest = all_blocks.max(blocks as f64 / wide as f64);
    Ok(Bounds { steps, rounds, payloads: busiest / one_payload as f64 })
}

/// The bounds of a goal among hosts behind switches, in whatever network: each host has its links and no more. A step is a
/// round.
///
/// - Rounds: with k links a host, those who know, or whose part is known, are at most k + 1 times as many after a round.
/// - Payloads: what a host must send or receive, over its links; every sum at every host takes 2(n − 1) messages, which n
///   hosts share (P. Patarasuk, X. Yuan, 2009).
pub fn host_bounds(network: &dyn Network, goal: Goal, ports: Ports) -> Bounds {
    let hosts = network.hosts();
    if hosts < 2 {
        return Bounds { steps: 0, rounds: 0, payloads: 0.0 };
    }
    // One message may be divided over all links of a host.
    let degrees = || (0..hosts).map(|host| degree(network, Node(host)));
    let (least, most) = (degrees().min().unwrap_or(1).max(1), degrees().max().unwrap_or(1).max(1));
    let at_once = if ports == Ports::One { 1 } else { most };
    let (mut rounds, mut known) = (0, 1u64);
    while known < hosts {
        known = known.saturating_mul(at_once + 1);
        rounds += 1;
    }
    let n = hosts as f64;
    let (payloads, width) = match goal {
        Goal::Broadcast { .. } | Goal::Reduce { .. } => (1.0, most),
        Goal::Scatter { .. } | Goal::Gather { .. } => (n - 1.0, most),
        Goal::Allgather => (n - 1.0, least),
        Goal::Allreduce { .. } => (2.0 * (n - 1.0) / n, most),
        Goal::AllToAll => ((n - 1.0) / n, least),
    };
    Bounds { steps: rounds, rounds, payloads: payloads / width as f64 }
}

/// How many links a node has.
pub(super) fn degree(network: &dyn Network, node: Node) -> u64 {
    let mut degree = 0;
    network.for_each_neighbor(node, &mut |_, _| degree += 1);
    degree
}

/// The farthest host from a node, and how far it is.
fn farthest(network: &dyn Network, from: Node) -> Result<(Node, u64), PlanError> {
    let distance = distances_from(network, from);
    let hosts = &distance[..index(network.hosts())];
    if let Some(node) = hosts.iter().position(|&distance| distance == u32::MAX) {
        return Err(PlanError::NoPath { from, node: Node(node as u64) });
    }
    let far = hosts.iter().copied().max().unwrap_or(0);
    let node = hosts.iter().position(|&distance| distance == far).unwrap_or(0);
    Ok((Node(node as u64), far.into()))
}

/// The distances between all ordered pairs of hosts together.
fn distances(network: &dyn Network, watch: &Watch<'_>) -> Result<u128, PlanError> {
    let mut sum = 0;
    for from in (0..network.hosts()).map(Node) {
        watch.check()?;
        let distance = distances_from(network, from);
        sum += distance[..index(network.hosts())].iter().map(|&d| u128::from(d)).sum::<u128>();
    }
    Ok(sum)
}
