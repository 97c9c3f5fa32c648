//! Walks the routes between all pairs of hosts and counts.

#[cfg(test)]
mod tests;
mod worker;

use super::report::Tally;
use super::wiring::Wiring;
use super::{Faults, Loads, Router, Survey, load_bound};
use nestnet_graph::budget::product;
use nestnet_graph::fabric::Fabric;
use nestnet_graph::job::{Job, Shard, run};
use nestnet_graph::{Budget, Interrupted, Network, Node, OverBudget, Watch, kinds};
use serde::{Deserialize, Serialize};
use thiserror::Error;
use worker::{Ground, Worker};

/// Why there is no survey.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SurveyError {
    /// More memory or time than there is.
    #[error(transparent)]
    Budget(#[from] OverBudget),
    /// Stopped.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

kinds!(SurveyError {
    inner: Budget, Interrupted;
});

/// All routes between all ordered pairs of living hosts, with all choices, against the distance that a breadth-first
/// search finds among what is alive.
///
/// Exact; targets in parallel, and the result does not depend on how many. A router that remembers nothing takes
/// O(nodes · degree) for each target, any other one walks every route. Pairs without a path are only counted.
///
/// ```
/// use nestnet_routing::route::{Against, Faults, Searched, survey};
/// use nestnet_graph::{Budget, Csr};
/// use std::sync::Arc;
///
/// let ring = Arc::new(Csr::from_links(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)], 1 << 20).unwrap());
/// let router = Searched::new(ring.clone()).unwrap();
/// let found = survey(&*ring, &router, &Faults::default(), &Budget::default()).unwrap();
/// assert_eq!((found.pairs, found.arrived), (20, 20));
/// assert_eq!(found.mean_hops(), Some(1.5));
/// assert_eq!(found.max_stretch(Against::Alive), Some(1.0));
/// ```
pub fn survey(
    network: &dyn Network,
    router: &dyn Router,
    faults: &Faults,
    budget: &Budget<'_>,
) -> Result<Survey, SurveyError> {
    let job = Surveying::new(network, router, faults, budget)?;
    let all = run(&job, Shard::WHOLE, &budget.watch)?;
    Ok(job.finish(all))
}

/// How routes are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Method {
    /// All routes to a target at once: they are a tree.
    Rows,
    /// One by one: the reference version, and the only one for routers that remember.
    Walks,
}

/// A [`survey`] as a job: its units are blocks of targets.
pub struct Surveying<'a> {
    method: Method,
    ground: Ground<'a>,
}

/// The routes to some targets, counted.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Surveyed {
    tally: Tally,
    /// Routes over every channel; nothing where no target was looked at.
    loads: Vec<u64>,
}

/// Targets of a block: so many that adding up the loads of all channels takes no time besides.
const MOST_TARGETS: u64 = 64;

/// Blocks, where there are enough targets.
const BLOCKS: u64 = 64;

/// The targets of a block, of so many.
fn block(hosts: u64) -> u64 {
    hosts.div_ceil(BLOCKS).clamp(1, MOST_TARGETS)
}

impl<'a> Surveying<'a> {
    /// Looks whether it can be afforded, and writes the channels down.
    pub fn new(
        network: &'a dyn Network,
        router: &'a dyn Router,
        faults: &'a Faults,
        budget: &Budget<'_>,
    ) -> Result<Self, SurveyError> {
        let by_rows = !router.remembers() && faults.is_empty();
        let method = if by_rows { Method::Rows } else { Method::Walks };
        Surveying::by(method, network, router, faults, budget)
    }

    fn by(
        method: Method,
        network: &'a dyn Network,
        router: &'a dyn Router,
        faults: &'a Faults,
        budget: &Budget<'_>,
    ) -> Result<Self, SurveyError> {
        let (order, hosts, choices) = (network.order(), network.hosts(), router.choices());
        let threads = rayon::current_num_threads() as u128;
        // The wiring, twice where something failed; for every thread a row, a few arrays over the nodes, and the loads of
        // what waits to be added up.
        let wirings = if faults.is_empty() { 1 } else { 2 };
        let waiting = u128::from(hosts.div_ceil(block(hosts)).max(1).ilog2()) + 2;
        let memory = |channels: u128| {
            let arrays = 40 * u128::from(order) * (threads + 1);
            let need = arrays.saturating_add(product([8, wirings + waiting * threads, channels]));
            // Channels are numbered in 32 bits.
            let need = if channels < 1 << 32 { need } else { u128::MAX };
            budget.fits("the load of every channel", need)
        };
        let pairs = u128::from(order) * u128::from(hosts);
        // A row looks at every neighbor of every node, by the judge and by the router, who takes longer. A walk of
        // unknown length is taken for as long as 64 steps more.
        let time = |channels: u128| {
            let looks = product([hosts.into(), channels]);
            let steps = match method {
                Method::Rows => product([8, looks.saturating_add(pairs)]),
                Method::Walks => {
                    product([8, looks.saturating_add(product([8, pairs])), choices.into()])
                }
            };
            budget.affords("walking all routes", steps)
        };
        // What is too much for the nodes alone is refused before the links are counted.
        memory(order.into())?;
        time(order.into())?;
        let channels = Wiring::count(network);
        memory(channels)?;
        time(channels)?;
        let alive = Wiring::new(network, faults);
        let intact = (!faults.is_empty()).then(|| Wiring::new(network, &Faults::default()));
        Ok(Surveying { method, ground: Ground { network, router, faults, alive, intact } })
    }

    /// Whether a part can be one of this job, as far as its size tells.
    pub fn knows(&self, part: &Surveyed) -> bool {
        part.loads.is_empty() || part.loads.len() == self.ground.alive.channels()
    }

    /// What all units found together.
    pub fn finish(&self, mut all: Surveyed) -> Survey {
        all.loads.resize(self.ground.alive.channels(), 0);
        let survey = all.tally.finish();
        Survey {
            loads: Some(Loads { least: self.least(&survey), ..self.loads(&all.loads) }),
            ..survey
        }
    }

    fn loads(&self, loads: &[u64]) -> Loads {
        let most = loads.iter().copied().max().unwrap_or(0);
        let busiest = loads.iter().position(|&load| load == most).map(|channel| {
            let (from, port) = self.ground.alive.start(channel);
            (from, port, Node(self.ground.alive.to(channel).into()))
        });
        let (total, channels) = (loads.iter().sum(), loads.len() as u64);
        let choices = self.ground.router.choices();
        Loads { most, total, channels, choices, least: None, busiest }
    }

    /// Routes over the busiest channel of any routing with as many choices, at least.
    fn least(&self, survey: &Survey) -> Option<u64> {
        let Ground { network, faults, router, .. } = self.ground;
        let all = faults.is_empty() && survey.unreachable == 0 && survey.failure.is_none();
        let fabric = Fabric::of(network, &Budget::UNLIMITED).ok().filter(|_| all)?;
        // Links of hosts are no channels of the fabric. They bear all that one host sends.
        let (host_links, own) = match fabric.has_host_links() {
            true => (2, network.hosts().saturating_sub(1).saturating_mul(router.choices())),
            false => (0, 0),
        };
        let mut hops = 0;
        for (length, &routes) in &survey.counts {
            hops += u128::from(length.distance?.saturating_sub(host_links)) * u128::from(routes);
        }
        Some(load_bound(&fabric, hops, router.choices()).max(own))
    }
}

impl Job for Surveying<'_> {
    type Part = Surveyed;
    type Error = Interrupted;

    fn units(&self) -> u64 {
        let hosts = self.ground.network.hosts();
        hosts.div_ceil(block(hosts))
    }

    fn nothing(&self) -> Surveyed {
        Surveyed { tally: Tally::default(), loads: Vec::new() }
    }

    fn unit(&self, number: u64, watch: &Watch<'_>) -> Result<Surveyed, Interrupted> {
        let hosts = self.ground.network.hosts();
        let start = number * block(hosts);
        let mut worker = Worker::new(&self.ground);
        for to in (start..hosts.min(start + block(hosts))).map(Node) {
            watch.check()?;
            if !self.ground.faults.has_node(to) {
                match self.method {
                    Method::Rows => worker.count_row(to),
                    Method::Walks => worker.count_walks(to, watch)?,
                }
            }
        }
        Ok(Surveyed { tally: worker.tally, loads: worker.loads })
    }

    fn merge(&self, one: Surveyed, other: Surveyed) -> Surveyed {
        let (mut sum, loads) = (one.loads, other.loads);
        if sum.is_empty() {
            sum = loads;
        } else {
            sum.iter_mut().zip(loads).for_each(|(sum, load)| *sum += load);
        }
        Surveyed { tally: one.tally.plus(other.tally), loads: sum }
    }
}
