//! Which broadcast a network uses: its paper's, or the best that is known.

use crate::family::Built;
use nestnet_collectives::broadcast::lower_bound;
use nestnet_collectives::least::least;
use nestnet_collectives::printed_broadcast::{follow, tales};
use nestnet_collectives::{
    Account, Broadcast, Cost, Goal, LeastOnePort, Model, Ports, Repeats, Violation, check,
    check_bytes,
};
use nestnet_graph::{Budget, Node};
use std::sync::Arc;
use thiserror::Error;

/// Which of its broadcasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// Its own: the paper's where it has one.
    Paper,
    /// The quickest of all that are known.
    Best,
}

/// Why there is none.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BroadcastError {
    /// The network is too large for node ids.
    #[error("it has no node ids: more than 2^63 nodes or 2^32 ports")]
    NotBuilt,
    /// Nothing can reach everybody.
    #[error("the network is not connected")]
    Disconnected,
    /// Its paper gives none.
    #[error("this network has no broadcast of its own, only `best`")]
    NoPaper,
    /// No such text.
    #[error(
        "this network has no broadcast `{name}`{}",
        if known.is_empty() { String::new() } else { format!(", but {}", known.join(", ")) }
    )]
    NoText {
        /// What was asked for.
        name: String,
        /// What there is.
        known: Vec<&'static str>,
    },
    /// Its own needs more of a node.
    #[error("the broadcast of this network needs all ports, and one is allowed")]
    AllPorts,
    /// No schedule fits in memory.
    #[error("{order} nodes are too many for a schedule in memory")]
    TooLarge {
        /// How many there are.
        order: u64,
    },
    /// The schedule is wrong or its check was stopped.
    #[error(transparent)]
    Violation(#[from] Violation),
}

/// A broadcast that was made and judged.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Report {
    /// The quickest of those that were tried.
    pub broadcast: Arc<dyn Broadcast>,
    /// What it costs.
    pub cost: Cost,
    /// How many hosts know in the end: all.
    pub reached: u64,
    /// No broadcast takes fewer steps.
    pub lower_bound: u64,
    /// What was allowed.
    pub ports: Ports,
}

/// The ports for which a network has its broadcast; one where it has none.
pub fn default_ports(built: &Built) -> Ports {
    built.own_broadcast().map_or(Ports::One, |own| own.ports())
}

/// The broadcast that is used where none is named: its own where these ports suffice for it, else the best.
pub fn default_algorithm(built: &Built, ports: Ports) -> Algorithm {
    match built.own_broadcast() {
        Some(own) if ports == Ports::All || own.ports() == Ports::One => Algorithm::Paper,
        _ => Algorithm::Best,
    }
}

/// The broadcasts that are tried, for a network that fits in memory.
fn candidates(
    built: &Built,
    algorithm: Algorithm,
    ports: Ports,
) -> Result<Vec<Arc<dyn Broadcast>>, BroadcastError> {
    let network = built.network.as_deref().ok_or(BroadcastError::NotBuilt)?;
    if !built.theory.connected() {
        return Err(BroadcastError::Disconnected);
    }
    // What needs one port may have more.
    let allowed = |own: &Arc<dyn Broadcast>| ports == Ports::All || own.ports() == Ports::One;
    let own = built.own_broadcast();
    match algorithm {
        Algorithm::Paper => {
            let own = own.ok_or(BroadcastError::NoPaper)?;
            if allowed(&own) { Ok(vec![own]) } else { Err(BroadcastError::AllPorts) }
        }
        Algorithm::Best => {
            let least = built.network.clone().and_then(LeastOnePort::new);
            let least = least.map(|least| Arc::new(least) as Arc<dyn Broadcast>);
            let least = least.filter(|_| ports == Ports::One);
            let own = own.filter(allowed).into_iter();
            let all: Vec<_> = own.chain(built.any_broadcast(ports)).chain(least).collect();
            let too_large = BroadcastError::TooLarge { order: network.order() };
            if all.is_empty() { Err(too_large) } else { Ok(all) }
        }
    }
}

/// The broadcast from `root` and what the checker says of it.
///
/// ```
/// use nestnet_topologies::broadcasts::{Algorithm, broadcast};
/// use nestnet_collectives::Ports;
/// use nestnet_graph::{Budget, Node};
/// use nestnet_topologies::build;
///
/// let built = build("rdn(ring(3), 2)").unwrap();
/// let report = broadcast(&built, Node(5), Algorithm::Paper, Ports::One, &Budget::default());
/// let report = report.unwrap();
/// assert_eq!((report.cost.steps, report.cost.transfers), (14, 647));
/// ```
pub fn broadcast(
    built: &Built,
    root: Node,
    algorithm: Algorithm,
    ports: Ports,
    budget: &Budget<'_>,
) -> Result<Report, BroadcastError> {
    let network = built.network.as_deref().ok_or(BroadcastError::NotBuilt)?;
    let candidates = candidates(built, algorithm, ports)?;
    let goal = Goal::Broadcast { root };
    let making = u128::from(network.order()) * BYTES_A_NODE;
    let need = check_bytes(network, goal).saturating_add(making);
    budget.fits("the broadcast and its check", need).map_err(Violation::from)?;
    let model = Model { ports, repeats: Repeats::Allowed };
    let mut best: Option<(Cost, Arc<dyn Broadcast>)> = None;
    for candidate in candidates {
        let cost = check(network, model, goal, candidate.from(root), budget)?;
        if best.as_ref().is_none_or(|(best, _)| cost.steps < best.steps) {
            best = Some((cost, candidate));
        }
    }
    let (cost, broadcast) = best.ok_or(BroadcastError::NoPaper)?;
    let mut lower_bound = lower_bound(network, root, ports);
    // Of a small network the search that found the quickest knows that none is quicker.
    if ports == Ports::One
        && algorithm == Algorithm::Best
        && let Some(found) = built.network.as_ref().and_then(|network| least(network, root))
    {
        lower_bound = lower_bound.max(found.low);
    }
    Ok(Report { broadcast, cost, reached: network.hosts(), lower_bound, ports })
}

/// A broadcast as its text has it, followed to the end.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PrintedReport {
    /// What became of it.
    pub account: Account,
    /// What it needs of a node.
    pub ports: Ports,
    /// How many steps its paper says it takes at most.
    pub claimed: Option<u64>,
    /// No broadcast takes fewer steps.
    pub lower_bound: u64,
}

/// The broadcast of that name as its text has it, from `root`: `root` and `top` by way of the root or of the top copy,
/// `as-printed` to the letter.
///
/// ```
/// use nestnet_topologies::broadcasts::run_printed;
/// use nestnet_graph::{Budget, Node};
/// use nestnet_topologies::build;
///
/// let built = build("rdn(ring(3), 2)").unwrap();
/// let told = run_printed(&built, Node(0), "as-printed", &Budget::default()).unwrap();
/// assert_eq!((told.account.reached, told.account.missed.len()), (497, 151));
/// ```
pub fn run_printed(
    built: &Built,
    root: Node,
    name: &str,
    budget: &Budget<'_>,
) -> Result<PrintedReport, BroadcastError> {
    let network = built.network.as_deref().ok_or(BroadcastError::NotBuilt)?;
    let telling = built.informed(name).ok_or_else(|| BroadcastError::NoText {
        name: name.to_owned(),
        known: built.printed_broadcast_names(),
    })?;
    let need = u128::from(network.order()) * u128::from(network.ports()) * BYTES_A_LINK;
    budget.fits("the broadcast as its text has it", need).map_err(Violation::from)?;
    let account = follow(network, root, &telling.from(root));
    let (ports, claimed) = (telling.ports(), telling.claimed());
    let lower_bound = lower_bound(network, root, ports);
    Ok(PrintedReport { account, ports, claimed, lower_bound })
}

/// What becomes of a broadcast when it is followed as a text would be; `None` for networks too large to list.
pub fn account(built: &Built, broadcast: &dyn Broadcast, root: Node) -> Option<Account> {
    const MAX_LISTED: u64 = 1 << 22;
    let network = built.network.as_deref().filter(|network| network.order() <= MAX_LISTED)?;
    Some(follow(network, root, &tales(network, broadcast, root)))
}

/// A text may run_printed a node over each of its links, and again.
const BYTES_A_LINK: u128 = 64;

/// What making a schedule takes at most, for each node: transfers, trees and the searches beside them.
const BYTES_A_NODE: u128 = 256;
