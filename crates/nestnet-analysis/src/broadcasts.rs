//! Which broadcast a network uses: its paper's, or the best that is known.

use crate::routers::default_name;
use nestnet_collectives::broadcast::{Modeled, lower_bound};
use nestnet_collectives::least::least;
use nestnet_collectives::printed_broadcast::{follow, follow_over, printed_steps};
use nestnet_collectives::{
    self as collective, Account, Broadcast, Collective, Cost, Fabric, Goal, LeastOnePort, Model,
    PlanError, Planned, Ports, Price, Repeats, Request, Violation, check, check_bytes,
};
use nestnet_graph::{Budget, Node, fields, kinds};
use nestnet_topologies::family::{Built, NoNodeIds};
use serde::{Serialize, Serializer};
use std::sync::Arc;
use thiserror::Error;

/// Which of its broadcasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// Its own: the paper's where it has one.
    Paper,
    /// The quickest of all that are known.
    Best,
    /// One of ours, which the network has under this name.
    Named(&'static str),
}

/// Why there is none.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BroadcastError {
    /// The network is too large for node ids.
    #[error(transparent)]
    NotBuilt(#[from] NoNodeIds),
    /// Nothing can reach everybody.
    #[error("the network is not connected")]
    Disconnected,
    /// Its paper gives none.
    #[error("this network has no broadcast of its own, only `best`")]
    NoPaper,
    /// No such text.
    #[error("this network has no broadcast `{name}`, but {}", known.join(", "))]
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

kinds!(BroadcastError {
    Unknown: NoText;
    Unsupported: Disconnected, NoPaper, AllPorts, TooLarge;
    inner: NotBuilt, Violation;
});

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

impl Algorithm {
    /// All of them; what a paper prints in other readings has names of its own.
    pub const ALL: [Algorithm; 2] = [Algorithm::Paper, Algorithm::Best];

    /// The one of that name.
    pub fn named(name: &str) -> Option<Self> {
        Algorithm::ALL.into_iter().find(|one| one.name() == name)
    }

    /// The one of that name that a network has: `paper`, `best`, or one of ours.
    pub fn of(built: &Built, name: &str) -> Option<Self> {
        let ours = || built.schedules().iter().find(|(known, _)| *known == name);
        Algorithm::named(name).or_else(|| ours().map(|(known, _)| Algorithm::Named(known)))
    }

    /// In one word.
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Paper => "paper",
            Algorithm::Best => "best",
            Algorithm::Named(name) => name,
        }
    }
}

/// The numbers of a broadcast, however it was made.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Summary {
    /// Who knows first.
    pub from: Node,
    /// Which broadcast.
    pub algorithm: String,
    /// By whose routes messages go from host to host.
    pub router: Option<&'static str>,
    /// How much a node can do in a step.
    pub ports: Ports,
    /// How many steps.
    pub steps: u64,
    /// How many transfers.
    pub transfers: u64,
    /// How many know in the end.
    pub reached: u64,
    /// Whether each is informed once.
    pub exactly_once: bool,
    /// No broadcast takes fewer steps.
    pub lower_bound: u64,
    /// How many steps its paper says it takes at most.
    pub paper_bound: Option<u64>,
    /// What a link carries in one direction at most.
    pub busiest_load: Option<u64>,
    /// The hops of the longest routes, from host to host.
    pub hops: Option<u64>,
    /// In the model of its paper.
    pub paper_model: Option<Modeled>,
    /// How many nodes there are, and what was counted of each transfer.
    pub account: Option<(u64, Account)>,
    /// Where a text never ends: the step after which what it does repeats.
    pub repeats_after: Option<u64>,
}

impl Serialize for Summary {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let account = self.account.as_ref().map(|(_, account)| account);
        fields!(
            serializer,
            "Broadcast",
            from = self.from,
            algorithm = self.algorithm,
            [router] = self.router,
            ports = self.ports,
            steps = self.steps,
            transfers = self.transfers,
            reached = self.reached,
            exactly_once = self.exactly_once,
            lower_bound = self.lower_bound,
            paper_bound = self.paper_bound,
            /// Steps beyond the lower bound.
            [gap]: u64 = self.busiest_load.map(|_| self.steps - self.lower_bound),
            [busiest_load] = self.busiest_load,
            [hops] = self.hops,
            [paper_model] = self.paper_model,
            /// How many nodes there are, where a printed text was followed.
            [nodes]: &u64 = self.account.as_ref().map(|(nodes, _)| nodes),
            /// Nodes that are never informed, where a printed text was followed.
            [missed]: Vec<Node> = account.map(|account| &account.missed),
            /// Nodes that are informed again, where a printed text was followed.
            [told_twice]: u64 = account.map(|account| account.informed_twice),
            /// How often a node is informed again, where a printed text was followed.
            [extra_transfers]: u64 = account.map(|account| account.extra_transfers),
            /// Transfers of each step, where a printed text was followed.
            [transfers_per_step]: Vec<u64> = account.map(|account| &account.transfers_per_step),
            /// Transfers between nodes that are not linked, where a printed text was followed.
            [impossible_transfers]: u64 = account.map(|account| account.impossible_transfers),
            [repeats_after] = self.repeats_after,
        )
    }
}

impl Report {
    /// Its numbers.
    pub fn summary(&self, root: Node, algorithm: Algorithm) -> Summary {
        Summary {
            from: root,
            algorithm: algorithm.name().to_owned(),
            router: None,
            ports: self.ports,
            steps: self.cost.steps,
            transfers: self.cost.transfers,
            reached: self.reached,
            exactly_once: self.cost.repeats == 0,
            lower_bound: self.lower_bound,
            paper_bound: self.broadcast.claimed(),
            busiest_load: Some(self.cost.busiest),
            hops: None,
            paper_model: self.broadcast.modeled(root),
            account: None,
            repeats_after: None,
        }
    }
}

impl PrintedReport {
    /// Its numbers, in a network of so many nodes.
    pub fn summary(&self, root: Node, name: &str, nodes: u64) -> Summary {
        let account = &self.account;
        Summary {
            from: root,
            algorithm: name.to_owned(),
            router: None,
            ports: self.ports,
            steps: account.steps,
            transfers: account.transfers_per_step.iter().sum(),
            reached: account.reached,
            exactly_once: account.missed.is_empty() && account.extra_transfers == 0,
            lower_bound: self.lower_bound,
            paper_bound: self.claimed,
            busiest_load: None,
            hops: None,
            paper_model: None,
            account: Some((nodes, account.clone())),
            repeats_after: self.repeats_after,
        }
    }
}

/// From host to host along the routes of a network with switches: the plan, and its numbers.
pub fn between_hosts(
    built: &Built,
    root: Node,
    ports: Ports,
    bytes: u64,
    budget: &Budget<'_>,
) -> Result<(Planned, Summary), PlanError> {
    let network = built.network.as_deref().ok_or(PlanError::NoRouter)?;
    let name = default_name(built);
    let router = built.router(name).ok_or(PlanError::NoRouter)?;
    let request = Request {
        network,
        fabric: Fabric::Switched,
        router: Some(&*router),
        collective: Collective::Broadcast,
        root,
        ports,
        price: Price::default(),
        bytes,
        budget: *budget,
    };
    let plan = request.plan(collective::Algorithm::Tree)?;
    let summary = Summary {
        from: root,
        algorithm: Algorithm::Best.name().to_owned(),
        router: Some(name),
        ports,
        steps: plan.cost.rounds,
        transfers: plan.cost.transfers,
        reached: network.hosts(),
        exactly_once: true,
        lower_bound: plan.bounds.rounds,
        paper_bound: None,
        busiest_load: Some(plan.cost.busiest),
        hops: Some(plan.cost.hops),
        paper_model: None,
        account: None,
        repeats_after: None,
    };
    Ok((plan, summary))
}

/// The broadcasts that are tried, for a network that fits in memory.
fn candidates(
    built: &Built,
    algorithm: Algorithm,
    ports: Ports,
) -> Result<Vec<Arc<dyn Broadcast>>, BroadcastError> {
    let network = &**built.with_ids()?;
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
        Algorithm::Named(name) => {
            let ours = built.schedules().iter().find(|(known, _)| *known == name);
            let (_, ours) = ours.ok_or(BroadcastError::NoPaper)?;
            if allowed(ours) { Ok(vec![ours.clone()]) } else { Err(BroadcastError::AllPorts) }
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
/// use nestnet_analysis::broadcasts::{Algorithm, broadcast};
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
    let network = &**built.with_ids()?;
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
    /// Where the text never ends: the step after which what it does repeats, up to the last that was followed.
    pub repeats_after: Option<u64>,
}

/// The broadcast of that name as its text has it, from `root`: `root` and `top` by way of the root or of the top copy,
/// `as-printed` to the letter.
///
/// ```
/// use nestnet_analysis::broadcasts::run_printed;
/// use nestnet_graph::{Budget, Node};
/// use nestnet_topologies::build;
///
/// let built = build("rdn(ring(3), 2)").unwrap();
/// let printed = run_printed(&built, Node(0), "as-printed", &Budget::default()).unwrap();
/// assert_eq!((printed.account.reached, printed.account.missed.len()), (497, 151));
/// ```
pub fn run_printed(
    built: &Built,
    root: Node,
    name: &str,
    budget: &Budget<'_>,
) -> Result<PrintedReport, BroadcastError> {
    let network = &**built.with_ids()?;
    let printed = built.informed(name).ok_or_else(|| BroadcastError::NoText {
        name: name.to_owned(),
        known: {
            let own = built.own_broadcast().map(|_| Algorithm::Paper.name());
            let ours = built.schedules().iter().map(|(name, _)| *name);
            let all = own.into_iter().chain([Algorithm::Best.name()]).chain(ours);
            all.chain(built.printed_broadcast_names()).collect()
        },
    })?;
    let need = u128::from(network.order()) * u128::from(network.ports()) * BYTES_A_LINK;
    budget.fits("the broadcast as its text has it", need).map_err(Violation::from)?;
    let account = follow_over(network, root, &printed.from(root), printed.crosses());
    let (ports, claimed) = (printed.ports(), printed.claimed());
    let (lower_bound, repeats_after) =
        (lower_bound(network, root, ports), printed.repeats_after(root));
    Ok(PrintedReport { account, ports, claimed, lower_bound, repeats_after })
}

/// What becomes of a broadcast when it is followed as a text would be; `None` for networks too large to list.
pub fn account(built: &Built, broadcast: &dyn Broadcast, root: Node) -> Option<Account> {
    /// Every node and link has a place in memory; larger networks are not listed.
    const MAX_LISTED: u64 = 1 << 22;
    let network = built.network.as_deref().filter(|network| network.order() <= MAX_LISTED)?;
    Some(follow(network, root, &printed_steps(network, broadcast, root)))
}

/// A text may run_printed a node over each of its links, and again.
const BYTES_A_LINK: u128 = 64;

/// What making a schedule takes at most, for each node: transfers, trees and the searches beside them.
const BYTES_A_NODE: u128 = 256;
