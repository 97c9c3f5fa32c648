//! Walks the routes of some pairs only, in networks of any size.

use super::report::Tally;
use super::search::MAX_SEARCHED;
use super::survey::SurveyError;
use super::walk::step;
use super::wiring::{FAR, Wiring};
use super::{Failure, Faults, Length, Router, Survey, WalkError};
use nestnet_graph::measure::Watch;
use nestnet_graph::{Budget, Interrupted, Network, Node};
use rayon::prelude::*;
use std::sync::atomic::AtomicU64;

/// A route that is to be walked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Where it starts: a living host.
    pub from: Node,
    /// Where it goes: another one.
    pub to: Node,
    /// With which choice of the router.
    pub choice: u64,
}

/// The routes of the given pairs.
///
/// The distance is the closed form of the network, or else found by a breadth-first search where there are at most
/// [`MAX_SEARCHED`] nodes, and always so where something failed. In larger networks it is omitted, and with it what
/// rests on it: pairs that the faults have cut off are then taken for pairs that do not arrive. There are no loads.
pub fn sample(
    network: &dyn Network,
    router: &dyn Router,
    faults: &Faults,
    pairs: &[Pair],
    budget: &Budget<'_>,
) -> Result<Survey, SurveyError> {
    let is_closed =
        pairs.first().is_some_and(|pair| network.distance(pair.from, pair.to).is_some());
    let needed = !is_closed || !faults.is_empty();
    let mut searched = None;
    if needed && network.order() <= MAX_SEARCHED {
        let steps = (Wiring::count(network) + u128::from(network.order())) * pairs.len() as u128;
        budget.affords("searching from every pair", steps)?;
        let intact = (!is_closed).then(|| Wiring::new(network, &Faults::default()));
        searched = Some((Wiring::new(network, faults), intact));
    }
    let judge = Judge { network, faults, searched };
    let done = AtomicU64::new(0);
    let walked = pairs.par_iter().map_init(Buffers::default, |buffers, &pair| {
        budget.watch.step(&done, pairs.len() as u64)?;
        let mut tally = Tally::default();
        let Some((distance, intact)) = judge.distances(pair, buffers) else {
            tally.survey.unreachable += 1;
            return Ok(tally);
        };
        tally.survey.pairs += 1;
        let Pair { from, to, choice } = pair;
        match hops(
            network,
            router,
            faults,
            pair,
            distance,
            &mut tally.survey.vcs_used,
            &budget.watch,
        )? {
            Ok(hops) => {
                tally.survey.arrived += 1;
                tally.route(from, to, Length { hops, distance, intact });
            }
            Err(error) => tally.failed(Failure { from, to, choice, error }),
        }
        Ok(tally)
    });
    let sum: Result<Tally, Interrupted> = walked.try_reduce(Tally::default, |a, b| Ok(a.plus(b)));
    Ok(sum?.finish())
}

/// Who says how far it is.
struct Judge<'a> {
    network: &'a dyn Network,
    faults: &'a Faults,
    /// What is alive, and what was before where there is no closed form.
    searched: Option<(Wiring, Option<Wiring>)>,
}

#[derive(Default)]
struct Buffers {
    distance: Vec<u32>,
    queue: Vec<u32>,
}

impl Judge<'_> {
    /// The distance among what is alive and in the intact network, as far as they are known; `None` without a path.
    fn distances(&self, pair: Pair, buffers: &mut Buffers) -> Option<(Option<u64>, Option<u64>)> {
        let closed = self.network.distance(pair.from, pair.to);
        let Some((alive, intact)) = &self.searched else {
            return Some((closed.filter(|_| self.faults.is_empty()), closed));
        };
        let mut far = |wiring: &Wiring| {
            let to = u32::try_from(pair.to.0).expect("at most 2^20 nodes");
            wiring.distances_to(to, &mut buffers.distance, &mut buffers.queue);
            let from = usize::try_from(pair.from.0).expect("at most 2^20 nodes");
            Some(buffers.distance[from]).filter(|&far| far != FAR).map(u64::from)
        };
        let distance = far(alive)?;
        let before = match intact {
            Some(_) if self.faults.is_empty() => Some(distance),
            Some(intact) => far(intact),
            None => closed,
        };
        Some((Some(distance), before))
    }
}

/// Routes that are longer than this, and than 16 times the distance, do not end.
const MOST_HOPS: u64 = 1 << 24;

/// So many hops are made before the watch is asked. Some routers look at the whole rest of the route for each.
const STRIDE: u64 = 1 << 6;

/// How long a route over living links is. Nothing of it is stored.
fn hops(
    network: &dyn Network,
    router: &dyn Router,
    faults: &Faults,
    pair: Pair,
    distance: Option<u64>,
    vcs: &mut u16,
    watch: &Watch<'_>,
) -> Result<Result<u64, WalkError>, Interrupted> {
    let most = distance.unwrap_or(0).saturating_mul(16).max(MOST_HOPS);
    let mut header = router.start(pair.from, pair.to, pair.choice);
    let (mut at, mut hops) = (pair.from, 0u64);
    while at != pair.to {
        if hops == most {
            return Ok(Err(WalkError::TooLong { hops }));
        }
        if hops.is_multiple_of(STRIDE) {
            watch.check()?;
        }
        let (next, hop) = match step(network, router, at, header) {
            Ok(step) => step,
            Err(error) => return Ok(Err(error)),
        };
        if !faults.passes(at, next) {
            return Ok(Err(WalkError::NoLink { at, hop }));
        }
        *vcs = (*vcs).max(hop.vc.0.saturating_add(1));
        (at, header) = (next, hop.header);
        hops += 1;
    }
    Ok(Ok(hops))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::{Detouring, Searched, survey};
    use nestnet_graph::{Csr, Port};
    use nestnet_seed::samples::*;
    use std::sync::Arc;

    const LIMITS: &Budget<'static> =
        &Budget { memory: 1 << 30, steps: 1 << 40, watch: Watch::SILENT };

    fn all_pairs(hosts: u64, faults: &Faults) -> Vec<Pair> {
        let alive = || (0..hosts).map(Node).filter(|&at| !faults.has_node(at));
        let pairs = alive().flat_map(|from| alive().map(move |to| Pair { from, to, choice: 0 }));
        pairs.filter(|pair| pair.from != pair.to).collect()
    }

    /// A sample of all pairs is the survey.
    #[test]
    fn equals_the_survey() {
        let mut some = Faults::default();
        some.fail_node(Node(7));
        some.fail_link(Node(0), Node(1));
        some.fail_link(Node(0), Node(5));
        let mut many = some.clone();
        (1..5).for_each(|node| many.fail_node(Node(node)));
        for faults in [Faults::default(), some, many] {
            let csr = Arc::new(petersen());
            let inner = Arc::new(Searched::new(csr.clone()).unwrap());
            let router = Detouring::new(csr.clone(), inner, Arc::new(faults.clone())).unwrap();
            let pairs = all_pairs(10, &faults);
            let found = sample(&*csr, &router, &faults, &pairs, LIMITS).unwrap();
            let full = survey(&*csr, &router, &faults, LIMITS).unwrap();
            assert_eq!(found, Survey { loads: None, ..full });
        }
    }

    #[test]
    fn a_plain_router_runs_into_faults() {
        let csr: Arc<Csr> = Arc::new(ring(6));
        let router = Searched::new(csr.clone()).unwrap();
        let mut faults = Faults::default();
        faults.fail_node(Node(1));
        let pairs = [Pair { from: Node(0), to: Node(2), choice: 0 }];
        let found = sample(&*csr, &router, &faults, &pairs, LIMITS).unwrap();
        assert_eq!((found.pairs, found.arrived), (1, 0));
        let error = found.failure.unwrap().error;
        assert!(matches!(error, WalkError::NoLink { at: Node(0), hop } if hop.port == Port(0)));
    }
}
