//! Walks the routes between all pairs of hosts and counts.

mod desk;
#[cfg(test)]
mod tests;

use super::report::Tally;
use super::wiring::Wiring;
use super::{Faults, Loads, Router, Survey};

use crate::{Budget, Interrupted, Network, Node, OverBudget};
use desk::Desk;
use rayon::prelude::*;
use std::sync::atomic::AtomicU64;
use thiserror::Error;

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

/// All routes between all ordered pairs of living hosts, with all choices, against the distance that a breadth-first
/// search finds among what is alive.
///
/// Exact; targets in parallel, and the result does not depend on how many. A router that remembers nothing takes
/// O(nodes · degree) for each target, any other one walks every route. Pairs without a path are only counted.
///
/// ```
/// use nestnet_core::route::{Against, Faults, Searched, survey};
/// use nestnet_core::{Budget, Csr};
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
    let by_rows = !router.remembers() && faults.is_empty();
    let road = if by_rows { Road::Rows } else { Road::Walks };
    survey_by(road, network, router, faults, budget)
}

/// How routes are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Road {
    /// All routes to a target at once: they are a tree.
    Rows,
    /// One by one: the twin, and the only one for routers that remember.
    Walks,
}

fn survey_by(
    road: Road,
    network: &dyn Network,
    router: &dyn Router,
    faults: &Faults,
    budget: &Budget<'_>,
) -> Result<Survey, SurveyError> {
    let (order, choices) = (network.order(), router.choices());
    let threads = rayon::current_num_threads();
    // The wiring, twice where something failed; for every thread its loads, a row and a few arrays over the nodes.
    let wirings = if faults.is_empty() { 1 } else { 2 };
    let parts = PARTS * threads;
    let memory = |channels: u128| {
        let arrays = 40 * u128::from(order) * (threads as u128 + 1);
        let need = arrays + (8 * (wirings + parts as u128)) * channels;
        // Channels are numbered in 32 bits.
        let need = if channels < 1 << 32 { need } else { u128::MAX };
        budget.fits("the load of every channel", need)
    };
    let pairs = u128::from(order) * u128::from(network.hosts());
    // A row looks at every neighbor of every node, by the judge and by the router, who takes longer. A walk of unknown
    // length is taken for as long as 64 steps more.
    let time = |channels: u128| {
        let looks = u128::from(network.hosts()) * channels;
        let steps = match road {
            Road::Rows => 8 * (looks + pairs),
            Road::Walks => 8 * (looks + 8 * pairs).saturating_mul(choices.into()),
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
    let ground = Ground { network, router, faults, alive, intact };
    let done = AtomicU64::new(0);
    let hosts = network.hosts();
    let part = hosts.div_ceil(parts as u64).max(1);
    let starts: Vec<u64> =
        (0..hosts).step_by(usize::try_from(part).unwrap_or(usize::MAX)).collect();
    let surveyed = starts.into_par_iter().map(|start| {
        let mut desk = Desk::new(&ground);
        for to in start..hosts.min(start + part) {
            let to = Node(to);
            if !faults.has_node(to) {
                match road {
                    Road::Rows => desk.count_row(to),
                    Road::Walks => desk.count_walks(to, &budget.watch)?,
                }
            }
            budget.watch.step(&done, hosts)?;
        }
        Ok((desk.tally, desk.loads))
    });
    let both = |(a, mut sum): Part, (b, loads): Part| {
        sum.iter_mut().zip(loads).for_each(|(sum, load)| *sum += load);
        Ok((a.plus(b), sum))
    };
    let none = (Tally::default(), vec![0; ground.alive.channels()]);
    let parts: Option<Result<Part, Interrupted>> = surveyed.try_reduce_with(both);
    let (tally, loads) = parts.transpose()?.unwrap_or(none);
    Ok(Survey { loads: Some(ground.loads(&loads, choices)), ..tally.finish() })
}

/// What one thread found: its tally and the routes over every channel.
type Part = (Tally, Vec<u64>);

/// Parts of the work for every thread, so that none waits long for the others.
const PARTS: usize = 4;

/// What all threads look at.
struct Ground<'a> {
    network: &'a dyn Network,
    router: &'a dyn Router,
    faults: &'a Faults,
    alive: Wiring,
    /// Where something failed: what it was before.
    intact: Option<Wiring>,
}

impl Ground<'_> {
    fn loads(&self, loads: &[u64], choices: u64) -> Loads {
        let most = loads.iter().copied().max().unwrap_or(0);
        let busiest = loads.iter().position(|&load| load == most).map(|channel| {
            let (from, port) = self.alive.start(channel);
            (from, port, Node(self.alive.to(channel).into()))
        });
        let (total, channels) = (loads.iter().sum(), loads.len() as u64);
        Loads { most, total, channels, choices, busiest }
    }
}
