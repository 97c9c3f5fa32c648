//! How does a network hold when parts of it fail at random?
//!
//! A trial fails every cable, switch, host or node with the same probability, by the random sample of [`Faults`]: the same
//! seed fails the same links there. A link of several cables is narrower by those that failed, and fails with the last of
//! them. A host is lost with the last of its switches. What is left is the part with the most hosts.

pub mod adversary;

use crate::flow::{Demands, FlowError, Split, loads};
use crate::route::assign::{AssignError, assign};
use crate::route::deadlock::{DeadlockError, certify};
use crate::route::{
    Against, DetourError, Detouring, FaultSample, Faults, Router, SurveyError, survey,
};
use crate::traffic::Traffic;
use nestnet_graph::distances::ratio;
use nestnet_graph::fabric::Fabric;
use nestnet_graph::job::{self, Shard};
use nestnet_graph::measure::hosts::host_distances;
use nestnet_graph::measure::{count, id};
use nestnet_graph::union_find::MinUnionFind;
use nestnet_graph::{Budget, Csr, Interrupted, Network, Node, Watch, fields};
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::sync::Arc;
use thiserror::Error;

/// What fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Failing {
    /// Cables, except those of hosts where each host has a single one, to a switch.
    Links,
    /// Nodes that are no hosts; all nodes where every node is host and switch.
    Switches,
    /// Hosts alone: the nodes that send and receive.
    Hosts,
    /// Hosts and switches, each for itself.
    Nodes,
}

impl Failing {
    /// All of them.
    pub const ALL: [Failing; 4] =
        [Failing::Links, Failing::Switches, Failing::Hosts, Failing::Nodes];

    /// `links`, `switches`, `hosts` or `nodes`.
    pub fn name(self) -> &'static str {
        match self {
            Failing::Links => "links",
            Failing::Switches => "switches",
            Failing::Hosts => "hosts",
            Failing::Nodes => "nodes",
        }
    }

    /// The one with that name.
    pub fn named(name: &str) -> Option<Failing> {
        Failing::ALL.into_iter().find(|failing| failing.name() == name)
    }

    /// All names, with commas.
    pub fn names() -> String {
        Failing::ALL.map(Failing::name).join(", ")
    }

    /// How many can fail.
    pub fn count(self, fabric: &Fabric) -> u64 {
        match self {
            Failing::Links => fabric.csr.cables(),
            _ => {
                let switches =
                    (0..id(count(&fabric.csr))).filter(|&at| self.has_router(fabric, at));
                switches.count() as u64 + self.host_ids(fabric).count() as u64
            }
        }
    }

    /// Whether this node of the fabric can fail.
    fn has_router(self, fabric: &Fabric, at: u32) -> bool {
        match self {
            Failing::Links => false,
            Failing::Switches => fabric.is_switch(at),
            Failing::Hosts => fabric.is_host(at),
            Failing::Nodes => true,
        }
    }

    /// The hosts that can fail and are no nodes of the fabric.
    fn host_ids(self, fabric: &Fabric) -> impl Iterator<Item = Node> + use<> {
        let hosts = match self {
            Failing::Hosts | Failing::Nodes => fabric.first,
            Failing::Links | Failing::Switches => 0,
        };
        (0..hosts).map(Node)
    }
}

/// What one trial left.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Trial {
    /// How many cables or nodes failed.
    pub failed: u64,
    /// Whether all hosts that did not fail, and have a switch that did not, can still reach each other.
    pub connected: bool,
    /// Hosts outside of the largest part, those that failed among them.
    pub hosts_lost: u64,
    /// The longest path between hosts of the largest part.
    pub diameter: u64,
    /// The mean path; 0 where a single host is left.
    pub mean: f64,
    /// What else was asked for.
    pub more: More,
}

/// What else is asked of every trial; each takes longer than all the rest.
#[derive(Clone, Copy, Debug, Default)]
pub struct Also<'a> {
    /// θ of uniform traffic among the hosts of the largest part.
    pub throughput: bool,
    /// How this router of this network gets around what failed.
    pub detours: Option<Routed<'a>>,
}

/// A network and one of its routers.
pub type Routed<'a> = (&'a Arc<dyn Network>, &'a Arc<dyn Router>);

/// What else one trial left.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct More {
    /// What each host of the largest part can send to all others before a channel is saturated, on all shortest paths.
    pub throughput: Option<f64>,
    /// The detours.
    pub detours: Option<Detours>,
}

/// How messages got around what failed.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Detours {
    /// The mean of how much longer a route is than the shortest that is left.
    pub stretch: f64,
    /// Whether they are free of deadlock on the virtual channels that they take by themselves.
    pub free: bool,
    /// With how many virtual channels they are proven free.
    pub vcs: u16,
}

/// A mean over trials.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// Half of its interval of 95 %, by the normal law.
    pub ci95: f64,
    /// The largest value that was seen.
    pub most: f64,
}

/// What many trials left.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Resilience {
    /// With which probability each part failed.
    pub rate: f64,
    /// How many trials there were.
    pub trials: u64,
    /// In how many the network fell apart.
    pub fell_apart: u64,
    /// Parts that failed.
    pub failed: Spread,
    /// Hosts outside of the largest part.
    pub hosts_lost: Spread,
    /// The longest path that was left.
    pub diameter: Spread,
    /// The mean path that was left.
    pub mean_distance: Spread,
    /// θ of what was left, where it was asked for.
    pub throughput: Option<Spread>,
    /// How much longer detours are than the shortest path that was left, where they were asked for.
    pub stretch: Option<Spread>,
    /// In how many trials detours were free of deadlock by themselves.
    pub free: Option<u64>,
    /// How many virtual channels prove them free.
    pub vcs: Option<Spread>,
}

/// What trials at one rate of faults leave.
#[derive(Clone, Debug)]
pub struct ResilienceRow {
    /// What many trials left.
    pub row: Resilience,
    /// The seed of the trials.
    pub seed: u64,
    /// The exact probability to fall apart, where it is known.
    pub exact: Option<f64>,
    /// The worst faults that were found and what they leave, where they were sought.
    pub worst: Option<Option<(Faults, Trial)>>,
}

/// A probability with its interval of 95 %.
#[derive(Clone, Copy, Debug, Serialize)]
struct Probability {
    /// Trials in which it happened, as a fraction.
    value: f64,
    /// The lower end of the interval of 95 %.
    low: f64,
    /// The upper end of the interval of 95 %.
    high: f64,
    /// The probability over all sets of links; none where these were not counted.
    exact: Option<f64>,
}

/// The worst faults that were found, and what they leave.
#[derive(Clone, Debug, Serialize)]
struct Worst {
    /// The links or nodes that fail.
    faults: String,
    /// How many they are.
    failed: u64,
    /// Hosts that are not in the largest part that is left.
    hosts_lost: u64,
    /// The longest distance that is left, in links.
    diameter: u64,
    /// The average distance that is left, in links.
    average_distance: f64,
}

impl Serialize for ResilienceRow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let row = &self.row;
        let (low, high) = row.fell_apart_between();
        let value = row.fell_apart as f64 / row.trials as f64;
        let worst = |(faults, left): &(Faults, Trial)| Worst {
            faults: faults.to_string(),
            failed: left.failed,
            hosts_lost: left.hosts_lost,
            diameter: left.diameter,
            average_distance: left.mean,
        };
        fields!(
            serializer,
            "Resilience",
            /// The probability of each link or node to fail.
            rate = self.row.rate,
            /// How many sets of faults were sampled.
            trials = self.row.trials,
            /// The random seed.
            seed = self.seed,
            /// Trials in which the network fell apart.
            fell_apart = self.row.fell_apart,
            /// The probability of that.
            falls_apart: Probability = Probability { value, low, high, exact: self.exact },
            /// How many links or nodes failed.
            failed = self.row.failed,
            /// Hosts that are not in the largest part that is left.
            hosts_lost = self.row.hosts_lost,
            /// The longest distance that is left.
            diameter = self.row.diameter,
            /// The average distance that is left.
            average_distance = self.row.mean_distance,
            [throughput] = self.row.throughput,
            [stretch] = self.row.stretch,
            /// Virtual channels that prove detours free of deadlock, where detours were asked for.
            [vcs] = self.row.vcs,
            /// Trials in which detours are free of deadlock by themselves, where detours were asked for.
            [deadlock_free] = self.row.free,
            /// The worst faults that were found and what they leave, where they were sought.
            [worst]: Option<Worst> = self.worst.as_ref().map(|found| found.as_ref().map(worst)),
        )
    }
}

impl Resilience {
    /// The interval that has the probability of falling apart with 95 %.
    pub fn fell_apart_between(&self) -> (f64, f64) {
        wilson(self.fell_apart as f64, self.trials as f64)
    }
}

/// The interval that has a probability with 95 %, where something happened so often in so many trials (E. Wilson, 1927).
pub fn wilson(happened: f64, trials: f64) -> (f64, f64) {
    const Z: f64 = 1.959_963_984_540_054;
    let n = trials;
    let part = happened / n;
    let below = 1.0 + Z * Z / n;
    let middle = (part + Z * Z / (2.0 * n)) / below;
    let half = Z * (part * (1.0 - part) / n + Z * Z / (4.0 * n * n)).sqrt() / below;
    ((middle - half).max(0.0), (middle + half).min(1.0))
}

/// Trials with the seeds from `seed` on. O(trials · what all distances take).
///
/// ```
/// use nestnet_graph::fabric::Fabric;
/// use nestnet_graph::{Budget, Csr};
/// use nestnet_routing::resilience::{Failing, resilience};
///
/// let ring = Csr::from_links(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)], 1 << 20)?;
/// let fabric = Fabric::of(&ring, &Budget::default())?;
/// let found = resilience(&fabric, Failing::Links, 1.0, 10, 1, &Budget::default())?;
/// assert_eq!((found.trials, found.fell_apart), (10, 10));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn resilience(
    fabric: &Fabric,
    what: Failing,
    rate: f64,
    trials: u64,
    seed: u64,
    budget: &Budget<'_>,
) -> Result<Resilience, TrialError> {
    resilience_and(fabric, what, rate, trials, seed, Also::default(), budget)
}

/// Why there is no trial.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum TrialError {
    /// Too large for detours.
    #[error(transparent)]
    Detour(#[from] DetourError),
    /// The routes are not known.
    #[error(transparent)]
    Survey(#[from] SurveyError),
    /// No verdict about detours.
    #[error(transparent)]
    Deadlock(#[from] DeadlockError),
    /// No virtual channels for detours.
    #[error(transparent)]
    Assign(#[from] AssignError),
    /// The loads are not known.
    #[error(transparent)]
    Flow(#[from] FlowError),
    /// Stopped.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

/// The same with more that is asked of every trial.
pub fn resilience_and(
    fabric: &Fabric,
    what: Failing,
    rate: f64,
    trials: u64,
    seed: u64,
    also: Also<'_>,
    budget: &Budget<'_>,
) -> Result<Resilience, TrialError> {
    let all = job::each(trials, Shard::WHOLE, &budget.watch, |number, watch| {
        let seed = seed.wrapping_add(number);
        trial_and(fabric, what, rate, seed, also, &Budget { watch: *watch, ..*budget })
    })?;
    let spread = |value: &dyn Fn(&Trial) -> Option<f64>| -> Option<Spread> {
        let all: Vec<f64> = all.iter().filter_map(value).collect();
        let n = all.len() as f64;
        let mean = all.iter().sum::<f64>() / n;
        let square = all.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
        let deviation = if n > 1.0 { (square / (n - 1.0)).sqrt() } else { 0.0 };
        let most = all.iter().copied().fold(0.0, f64::max);
        (!all.is_empty()).then(|| Spread { mean, ci95: 1.96 * deviation / n.sqrt(), most })
    };
    let always =
        |value: &dyn Fn(&Trial) -> f64| spread(&|trial| Some(value(trial))).unwrap_or_default();
    let detours =
        |value: &dyn Fn(&Detours) -> f64| spread(&|trial| trial.more.detours.as_ref().map(value));
    let is_free = |trial: &&Trial| trial.more.detours.is_some_and(|detours| detours.free);
    Ok(Resilience {
        rate,
        trials,
        fell_apart: all.iter().filter(|trial| !trial.connected).count() as u64,
        failed: always(&|trial| trial.failed as f64),
        hosts_lost: always(&|trial| trial.hosts_lost as f64),
        diameter: always(&|trial| trial.diameter as f64),
        mean_distance: always(&|trial| trial.mean),
        throughput: spread(&|trial| trial.more.throughput),
        stretch: detours(&|detours| detours.stretch),
        free: also.detours.map(|_| all.iter().filter(is_free).count() as u64),
        vcs: detours(&|detours| detours.vcs.into()),
    })
}

/// One trial.
pub fn trial(
    fabric: &Fabric,
    what: Failing,
    rate: f64,
    seed: u64,
    watch: &Watch<'_>,
) -> Result<Trial, TrialError> {
    let budget = Budget { watch: *watch, ..Budget::UNLIMITED };
    trial_and(fabric, what, rate, seed, Also::default(), &budget)
}

/// One trial with more that is asked of it.
pub fn trial_and(
    fabric: &Fabric,
    what: Failing,
    rate: f64,
    seed: u64,
    also: Also<'_>,
    budget: &Budget<'_>,
) -> Result<Trial, TrialError> {
    let (nodes, links) = match what {
        Failing::Links => (0.0, rate),
        Failing::Switches | Failing::Hosts | Failing::Nodes => (rate, 0.0),
    };
    let sample = FaultSample { seed, nodes, links };
    // The only link of a host is its end: cables of the fabric alone fail.
    let (mut faults, mut narrowed) = (Faults::default(), Narrowed::new());
    what.host_ids(fabric).filter(|&host| sample.has_node(host)).for_each(|at| faults.fail_node(at));
    for from in 0..id(count(&fabric.csr)) {
        let at = fabric.node(from);
        if what.has_router(fabric, from) && sample.has_node(at) {
            faults.fail_node(at);
        }
        for (to, width) in links_above(fabric, from) {
            match sample.failed_cables(at, fabric.node(to), width) {
                0 => (),
                failed if failed == width => faults.fail_link(at, fabric.node(to)),
                failed => _ = narrowed.insert((from, to), failed),
            }
        }
    }
    left_by(fabric, &faults, &narrowed, also, budget)
}

/// How many cables have failed of links that have others left.
type Narrowed = BTreeMap<(u32, u32), usize>;

/// The links of a router to those above it, with their numbers of cables.
fn links_above(fabric: &Fabric, from: u32) -> impl Iterator<Item = (u32, usize)> + '_ {
    let links = fabric.csr.neighbors(from).chunk_by(|a, b| a == b);
    links.map(|cables| (cables[0], cables.len())).filter(move |(to, _)| *to > from)
}

/// What these faults of a fabric leave.
pub fn after(
    fabric: &Fabric,
    faults: &Faults,
    also: Also<'_>,
    budget: &Budget<'_>,
) -> Result<Trial, TrialError> {
    left_by(fabric, faults, &Narrowed::new(), also, budget)
}

fn left_by(
    fabric: &Fabric,
    faults: &Faults,
    narrowed: &Narrowed,
    also: Also<'_>,
    budget: &Budget<'_>,
) -> Result<Trial, TrialError> {
    let watch = &budget.watch;
    watch.check()?;
    let csr = &fabric.csr;
    let mut is_up: Vec<bool> =
        (0..id(count(csr))).map(|at| !faults.has_node(fabric.node(at))).collect();
    let mut left = Vec::new();
    let mut failed = is_up.iter().filter(|up| !**up).count() as u64;
    // A host that is no node of the fabric takes nothing with it.
    let mut own_hosts = fabric.hosts.clone();
    for (host, &at) in (0..fabric.first).zip(&fabric.at) {
        if faults.has_node(Node(host)) {
            own_hosts[at as usize] -= 1;
            failed += 1;
        }
    }
    stranded(fabric, &is_up).into_iter().for_each(|at| is_up[at as usize] = false);
    for from in 0..id(count(csr)) {
        for (to, width) in links_above(fabric, from) {
            let lost = match faults.has_link(fabric.node(from), fabric.node(to)) {
                true => width,
                false => narrowed.get(&(from, to)).copied().unwrap_or(0),
            };
            failed += lost as u64;
            if is_up[from as usize] && is_up[to as usize] {
                left.extend(std::iter::repeat_n((from, to), width - lost));
            }
        }
    }
    let part_of = parts(count(csr), &left);
    let mut hosts_of = vec![0u64; count(csr)];
    for (at, &hosts) in own_hosts.iter().enumerate().filter(|(at, _)| is_up[*at]) {
        hosts_of[part_of[at] as usize] += u64::from(hosts);
    }
    let up: u64 = hosts_of.iter().sum();
    // Of equal parts the first.
    let largest = (0..hosts_of.len()).rev().max_by_key(|&part| hosts_of[part]).unwrap_or(0);
    let inside = |at: u32| is_up[at as usize] && part_of[at as usize] as usize == largest;
    let mut names = vec![u32::MAX; count(csr)];
    let members: Vec<u32> = (0..id(count(csr))).filter(|&at| inside(at)).collect();
    for (name, &at) in (0..).zip(&members) {
        names[at as usize] = name;
    }
    let links: Vec<(u32, u32)> = left
        .iter()
        .filter(|(from, _)| inside(*from))
        .map(|&(from, to)| (names[from as usize], names[to as usize]))
        .collect();
    let rest =
        Csr::from_edges(members.len() as u64, &links, u64::MAX).expect("a part of what was stored");
    let hosts: Vec<u32> = members.iter().map(|&at| own_hosts[at as usize]).collect();
    let at = (0..).zip(&hosts).flat_map(|(at, &hosts)| (0..hosts).map(move |_| at)).collect();
    let rest = Fabric { csr: rest, first: fabric.first, at, hosts };
    let distances = host_distances(&rest, watch)?;
    let total: u64 = fabric.hosts.iter().map(|&hosts| u64::from(hosts)).sum();
    let throughput = match also.throughput {
        true => Some(theta(&rest, hosts_of[largest], budget)?),
        false => None,
    };
    let detours = match also.detours {
        Some((network, router)) => detours(network, router, faults, budget)?,
        None => None,
    };
    Ok(Trial {
        failed,
        connected: hosts_of[largest] == up,
        hosts_lost: total - hosts_of[largest],
        diameter: distances.longest(),
        mean: distances.mean().map_or(0.0, |(sum, pairs)| ratio(&sum, &pairs)),
        more: More { throughput, detours },
    })
}

/// The hosts among the nodes of the fabric that lost the last of their switches.
fn stranded(fabric: &Fabric, is_up: &[bool]) -> Vec<u32> {
    let is_stranded = |&at: &u32| {
        let around = fabric.csr.neighbors(at);
        let is_failed = |&to: &u32| fabric.is_switch(to) && !is_up[to as usize];
        !fabric.is_switch(at) && !around.is_empty() && around.iter().all(is_failed)
    };
    (0..id(is_up.len())).filter(is_stranded).collect()
}

/// θ of uniform traffic: at most what a host injects.
fn theta(rest: &Fabric, hosts: u64, budget: &Budget<'_>) -> Result<f64, FlowError> {
    if hosts < 2 {
        return Ok(0.0);
    }
    let quiet = Watch { progress: &|_| (), ..budget.watch };
    let demands = Demands::of(rest, &Traffic::uniform(hosts), budget)?;
    let most = loads(rest, &demands, Split::AllPaths, &quiet)?.into_iter().fold(1.0, f64::max);
    Ok(1.0 / most)
}

/// How a router gets around faults, between hosts that still reach each other; `None` where no two do.
fn detours(
    network: &Arc<dyn Network>,
    router: &Arc<dyn Router>,
    faults: &Faults,
    budget: &Budget<'_>,
) -> Result<Option<Detours>, TrialError> {
    let around = Detouring::new(network.clone(), router.clone(), Arc::new(faults.clone()))?;
    let around: Arc<dyn Router> = Arc::new(around.arriving());
    let Some(stretch) = survey(&**network, &*around, faults, budget)?.mean_stretch(Against::Alive)
    else {
        return Ok(None);
    };
    let own = certify(&**network, &*around, budget)?;
    let free = own.is_free();
    // Where they are not free by themselves, virtual channels are sought with which that is proven.
    let vcs = if free { own.vcs } else { assign(network, &around, budget)?.certificate.vcs };
    Ok(Some(Detours { stretch, free, vcs }))
}

/// For each of so many nodes the lowest node that these links join it to.
fn parts(nodes: usize, links: &[(u32, u32)]) -> Vec<u32> {
    let mut joined = MinUnionFind::apart(id(nodes));
    links.iter().for_each(|&(from, to)| joined.join(from, to));
    joined.all_lowest()
}

/// More cables than this are too many to try all sets of.
pub const MOST_EXACT: u64 = 20;

/// How many sets of `k` cables keep all hosts joined, for every `k`; `None` with more than [`MOST_EXACT`] cables.
///
/// The probability that a network holds, where each cable fails with probability p, is the sum of
/// `counts[k] · (1 − p)^k · p^(cables − k)`. O(2^cables · cables).
///
/// ```
/// use nestnet_graph::fabric::Fabric;
/// use nestnet_graph::{Budget, Csr, Watch};
/// use nestnet_routing::resilience::reliability;
///
/// let ring = Csr::from_links(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)], 1 << 20)?;
/// let fabric = Fabric::of(&ring, &Budget::default())?;
/// // All five links, or any four.
/// assert_eq!(reliability(&fabric, &Watch::SILENT)?, Some(vec![0, 0, 0, 0, 5, 1]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn reliability(fabric: &Fabric, watch: &Watch<'_>) -> Result<Option<Vec<u64>>, Interrupted> {
    let csr = &fabric.csr;
    if csr.cables() > MOST_EXACT {
        return Ok(None);
    }
    let all = (0..id(count(csr)))
        .flat_map(|from| csr.neighbors(from).iter().map(move |&to| (from, to)))
        .filter(|(from, to)| from < to);
    let all: Vec<(u32, u32)> = all.collect();
    let mut counts = vec![0; all.len() + 1];
    let mut kept = Vec::new();
    for set in 0u64..1 << all.len() {
        watch.check_each(set)?;
        kept.clear();
        kept.extend(
            all.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1).map(|(_, link)| *link),
        );
        let part_of = parts(count(csr), &kept);
        let mut with_hosts = fabric.with_hosts().into_iter().map(|at| part_of[at as usize]);
        let first = with_hosts.next();
        counts[kept.len()] += u64::from(with_hosts.all(|part| Some(part) == first));
    }
    Ok(Some(counts))
}

/// With which probability a network falls apart, by what [`reliability`] counts.
pub fn falls_apart(counts: &[u64], rate: f64) -> f64 {
    let links = counts.len().saturating_sub(1);
    let power = |base: f64, exponent: usize| base.powi(i32::try_from(exponent).unwrap_or(i32::MAX));
    let holds = counts
        .iter()
        .enumerate()
        .map(|(kept, &count)| count as f64 * power(1.0 - rate, kept) * power(rate, links - kept));
    (1.0 - holds.sum::<f64>()).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nestnet_graph::Port;
    use nestnet_seed::samples::{petersen, ring};

    fn fabric(network: &dyn Network) -> Fabric {
        Fabric::of(network, &Budget::default()).unwrap()
    }

    /// A ring holds while at most one link fails.
    #[test]
    fn a_ring_is_counted_by_hand() {
        let ring = fabric(&ring(6));
        let counts = reliability(&ring, &Watch::SILENT).unwrap().unwrap();
        assert_eq!(counts, [0, 0, 0, 0, 0, 6, 1]);
        let by_hand = 1.0 - 0.9f64.powi(6) - 6.0 * 0.9f64.powi(5) * 0.1;
        assert!((falls_apart(&counts, 0.1) - by_hand).abs() < 1e-12);
        let found = resilience(&ring, Failing::Links, 0.1, 4000, 1, &Budget::default()).unwrap();
        let (low, high) = found.fell_apart_between();
        assert!(low <= by_hand && by_hand <= high, "{low} to {high}, {by_hand}");
        // A path of six where one failed, or a shorter one.
        assert!(found.diameter.most <= 5.0 && found.failed.mean > 0.5 && found.failed.mean < 0.7);
    }

    /// A ring of six without a link is a path: three of each half send across its middle.
    #[test]
    fn what_is_left_of_a_ring_is_a_path() {
        let network: Arc<dyn Network> = Arc::new(ring(6));
        let router: Arc<dyn Router> =
            Arc::new(crate::route::Searched::new(network.clone()).unwrap());
        let also = Also { throughput: true, detours: Some((&network, &router)) };
        let mut faults = Faults::default();
        let whole = after(&fabric(&*network), &faults, also, &Budget::default()).unwrap();
        assert_eq!(whole.more.throughput, Some(1.0 / 0.9_f64.max(1.0)));
        // Shortest paths around a ring form a dependency cycle on one virtual channel; two prove them free.
        let found = whole.more.detours.unwrap();
        assert_eq!((found.stretch, found.free, found.vcs), (1.0, false, 2));
        faults.fail_link(Node(5), Node(0));
        let path = after(&fabric(&*network), &faults, also, &Budget::default()).unwrap();
        assert_eq!((path.connected, path.diameter, path.hosts_lost), (true, 5, 0));
        // 9 of 30 pairs cross the middle in each direction, and a host sends a fifth to each other.
        assert_eq!(path.more.throughput, Some(5.0 / 9.0));
        assert!(path.more.detours.unwrap().stretch > 1.0);
        faults.fail_link(Node(2), Node(3));
        let parts = after(&fabric(&*network), &faults, also, &Budget::default()).unwrap();
        assert_eq!((parts.connected, parts.hosts_lost), (false, 3));
        assert_eq!(parts.more.throughput, Some(1.0));
        assert!(parts.more.detours.is_some());
    }

    /// A ring of four whose links have two cables each: a link fails with both, and is half as wide with one.
    #[test]
    fn cables_fail_and_not_bundles() {
        let cables = [(0, 1), (1, 2), (2, 3), (0, 3)].repeat(2);
        let wide = fabric(&Csr::from_edges(4, &cables, u64::MAX).unwrap());
        let counts = reliability(&wide, &Watch::SILENT).unwrap().unwrap();
        // Two that fail leave at most one link without a cable.
        assert_eq!((counts[8], counts[7], counts[6]), (1, 8, 28));
        // A link is gone with probability p², and the ring falls apart where two of four are.
        let gone = 0.2f64.powi(2);
        let by_hand = 1.0 - (1.0 - gone).powi(4) - 4.0 * gone * (1.0 - gone).powi(3);
        assert!((falls_apart(&counts, 0.2) - by_hand).abs() < 1e-12);
        let found = resilience(&wide, Failing::Links, 0.2, 20_000, 1, &Budget::default()).unwrap();
        let (low, high) = found.fell_apart_between();
        assert!(low <= by_hand && by_hand <= high, "{low} to {high}, {by_hand}");
        assert!((found.failed.mean - 1.6).abs() < 0.05, "{:?}", found.failed);
        // Across the middle of a path of four go four thirds: on two cables all, on one three quarters.
        let path = [(0, 1), (1, 2), (2, 3)].repeat(2);
        let path = fabric(&Csr::from_edges(4, &path, u64::MAX).unwrap());
        let also = Also { throughput: true, detours: None };
        let left = |narrowed: &Narrowed| {
            left_by(&path, &Faults::default(), narrowed, also, &Budget::default()).unwrap()
        };
        let (whole, narrow) = (left(&Narrowed::new()), left(&Narrowed::from([((1, 2), 1)])));
        assert_eq!((whole.failed, whole.more.throughput), (0, Some(1.0)));
        assert_eq!((narrow.failed, narrow.connected, narrow.diameter), (1, true, 3));
        assert_eq!(narrow.more.throughput, Some(0.75));
    }

    #[test]
    fn petersen_has_two_thousand_spanning_trees() {
        let counts = reliability(&fabric(&petersen()), &Watch::SILENT).unwrap().unwrap();
        assert_eq!((counts[9], counts[15], counts[14], counts[8]), (2000, 1, 15, 0));
    }

    #[test]
    fn nothing_fails_and_everything_fails() {
        let petersen = fabric(&petersen());
        let whole = trial(&petersen, Failing::Links, 0.0, 1, &Watch::SILENT).unwrap();
        assert_eq!((whole.failed, whole.connected, whole.hosts_lost), (0, true, 0));
        assert_eq!((whole.diameter, whole.mean), (2, 5.0 / 3.0));
        let cut = trial(&petersen, Failing::Links, 1.0, 1, &Watch::SILENT).unwrap();
        assert_eq!((cut.failed, cut.connected, cut.hosts_lost, cut.mean), (15, false, 9, 0.0));
        // Every node is host and switch.
        for what in [Failing::Switches, Failing::Hosts, Failing::Nodes] {
            let gone = trial(&petersen, what, 1.0, 1, &Watch::SILENT).unwrap();
            assert_eq!((gone.failed, gone.hosts_lost), (10, 10));
        }
    }

    /// Leaf-spine planes around the same hosts: two hosts on each of four leaves, and two spines.
    #[derive(Debug)]
    pub struct LeafSpine {
        pub planes: u64,
    }

    impl Network for LeafSpine {
        fn order(&self) -> u64 {
            8 + 6 * self.planes
        }

        fn hosts(&self) -> u64 {
            8
        }

        fn ports(&self) -> u32 {
            4
        }

        fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
            let (planes, port) = (self.planes, u64::from(port.0));
            let Some(switch) = at.0.checked_sub(8) else {
                return (port < planes).then(|| Node(8 + 6 * port + at.0 / 2));
            };
            let first = 8 + switch / 6 * 6;
            match switch % 6 {
                leaf @ 0..4 if port < 2 => Some(Node(2 * leaf + port)),
                0..4 => (port < 4).then(|| Node(first + 4 + port - 2)),
                _ => (port < 4).then(|| Node(first + port)),
            }
        }
    }

    #[test]
    fn switches_and_hosts_fail_apart_from_each_other() {
        for planes in [1, 2] {
            let fabric = fabric(&LeafSpine { planes });
            let counts = Failing::ALL.map(|what| what.count(&fabric));
            let cables = if planes == 1 { 8 } else { 32 };
            assert_eq!(counts, [cables, 6 * planes, 8, 8 + 6 * planes]);
            let after = |failed: &[u64]| {
                let mut faults = Faults::default();
                failed.iter().for_each(|&node| faults.fail_node(Node(node)));
                let left = after(&fabric, &faults, Also::default(), &Budget::default()).unwrap();
                (left.failed, left.hosts_lost, left.connected)
            };
            // One host; the leaf of the first two hosts; all leaves and spines of the first plane.
            assert_eq!(after(&[5]), (1, 1, true));
            assert_eq!(after(&[8]), (1, if planes == 1 { 2 } else { 0 }, true));
            let plane = after(&[8, 9, 10, 11, 12, 13]);
            assert_eq!(plane, (6, if planes == 1 { 8 } else { 0 }, true));
            if planes == 2 {
                // Both leaves of the first two hosts, which are lost with them and not cut off.
                assert_eq!(after(&[8, 14]), (2, 2, true));
                assert_eq!(after(&[8, 14, 0, 7]), (4, 3, true));
            }
            let all = |what| {
                let all = trial(&fabric, what, 1.0, 1, &Watch::SILENT).unwrap();
                (all.failed, all.hosts_lost)
            };
            assert_eq!(all(Failing::Switches), (6 * planes, 8));
            assert_eq!(all(Failing::Hosts), (8, 8));
            assert_eq!(all(Failing::Nodes), (8 + 6 * planes, 8));
        }
    }

    /// A host is lost where all its leaves fail: with probability p in one plane, p² in two.
    #[test]
    fn switches_of_planes_take_few_hosts_with_them() {
        for (planes, each) in [(1, 0.1), (2, 0.01)] {
            let fabric = fabric(&LeafSpine { planes });
            let of = |what| resilience(&fabric, what, 0.1, 20_000, 1, &Budget::default()).unwrap();
            let (switches, hosts) = (of(Failing::Switches), of(Failing::Hosts));
            let near = |spread: &Spread, mean: f64| {
                assert!(
                    (spread.mean - mean).abs() < 2.0 * spread.ci95,
                    "{planes} {spread:?} {mean}"
                );
            };
            near(&switches.failed, 0.6 * planes as f64);
            // Two spines of a plane that fail cut its leaves off: of one plane a host or two more.
            let lost = &switches.hosts_lost;
            assert!(
                lost.mean >= 8.0 * each - lost.ci95 && lost.mean < 8.0 * each + 0.1,
                "{lost:?}"
            );
            near(&hosts.hosts_lost, 0.8);
            near(&hosts.failed, 0.8);
            assert_eq!(hosts.fell_apart, 0);
        }
    }

    #[test]
    fn names_are_those_of_the_answers() {
        for what in Failing::ALL {
            assert_eq!(Failing::named(what.name()), Some(what));
        }
        assert_eq!((Failing::named("wires"), Failing::names().split(", ").count()), (None, 4));
    }

    /// What a trial fails is what faults of the same seed fail.
    #[test]
    fn trials_are_faults_of_their_seed() {
        let network = petersen();
        for seed in 0..20 {
            let mut faults = Faults::default();
            faults.draw(FaultSample { seed, nodes: 0.0, links: 0.3 });
            let (_, links) = faults.count(&network, &Watch::SILENT).unwrap();
            let found =
                trial(&fabric(&network), Failing::Links, 0.3, seed, &Watch::SILENT).unwrap();
            assert_eq!(found.failed, links);
            // What is left is joined exactly where a search from the first node reaches everyone.
            let reached = reach(&network, &faults);
            assert_eq!(found.connected, reached == 10, "{seed}");
        }
    }

    /// The slow way: whom node 0 reaches.
    fn reach(network: &Csr, faults: &Faults) -> usize {
        let mut seen = vec![Node(0)];
        let mut next = 0;
        while let Some(&at) = seen.get(next) {
            next += 1;
            network.for_each_neighbor(at, &mut |_, to| {
                if faults.passes(at, to) && !seen.contains(&to) {
                    seen.push(to);
                }
            });
        }
        seen.len()
    }
}
