//! The fast count against walks one by one.

use super::*;
use crate::route::{Against, Failure, Header, Hop, Length, Searched, Valiant, Vc, WalkError, walk};
use nestnet_graph::{Csr, Interrupted, Port, Watch, index};
use nestnet_seed::samples::*;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

const LIMITS: &Budget<'static> = &Budget { memory: 1 << 30, steps: 1 << 40, watch: Watch::SILENT };

fn by(method: Method, csr: &Csr, router: &dyn Router) -> Survey {
    let none = Faults::default();
    let job = Surveying::by(method, csr, router, &none, LIMITS).unwrap();
    job.finish(run(&job, Shard::WHOLE, &Watch::SILENT).unwrap())
}

/// Any ports at all: they may run in cycles, end early or lead nowhere.
#[derive(Debug)]
struct Arbitrary {
    order: u64,
    ports: Vec<Option<u32>>,
}

impl Router for Arbitrary {
    fn vcs(&self) -> u16 {
        3
    }

    fn next(&self, at: Node, header: Header) -> Option<Hop> {
        let port = self.ports[index(Node(at.0 * self.order + header.to.0))]?;
        Some(Hop { port: Port(port), vc: Vc(u16::try_from(port % 3).unwrap()), header })
    }
}

/// The definition: `walk` for every pair, and a map of loads.
fn slowly(csr: &Csr, router: &dyn Router) -> (Survey, BTreeMap<(Node, Port), u64>) {
    let mut tally = Tally::default();
    let mut loads = BTreeMap::new();
    for at in (0..csr.order()).map(Node) {
        csr.for_each_neighbor(at, &mut |port, _| {
            loads.insert((at, port), 0);
        });
    }
    for from in (0..csr.order()).map(Node) {
        let distance = nestnet_graph::measure::search::distances_from(csr, from);
        for to in (0..csr.order()).map(Node).filter(|&to| to != from) {
            if distance[index(to)] == u32::MAX {
                tally.survey.unreachable += 1;
                continue;
            }
            tally.survey.pairs += 1;
            let mut all = true;
            for choice in 0..router.choices() {
                match walk(csr, router, from, to, choice, 1000) {
                    Ok(walk) => {
                        let distance = Some(u64::from(distance[index(to)]));
                        let hops = walk.hops.len() as u64;
                        tally.route(from, to, Length { hops, distance, intact: distance });
                        for (at, hop) in walk.nodes.iter().zip(walk.hops) {
                            *loads.get_mut(&(*at, hop.port)).unwrap() += 1;
                            let vcs = &mut tally.survey.vcs_used;
                            *vcs = (*vcs).max(hop.vc.0 + 1);
                        }
                    }
                    Err(error) => {
                        tally.failed(Failure { from, to, choice, error });
                        all = false;
                    }
                }
            }
            tally.survey.arrived += u64::from(all);
        }
    }
    (tally.finish(), loads)
}

/// Compares everything but the number of hops after which a cycle is given up.
fn check(found: &Survey, csr: &Csr, router: &dyn Router) {
    let (slow, loads) = slowly(csr, router);
    let most = loads.values().copied().max().unwrap_or(0);
    let busiest = loads.iter().find(|(_, load)| **load == most);
    let busiest = busiest.map(|(&(at, port), _)| (at, port, csr.neighbor(at, port).unwrap()));
    let (total, channels) = (loads.values().sum(), loads.len() as u64);
    let choices = router.choices();
    let least = found.loads.unwrap().least;
    assert!(least.is_none_or(|least| least <= most));
    assert_eq!(least.is_some(), found.unreachable == 0 && found.failure.is_none());
    assert_eq!(found.loads, Some(Loads { most, total, channels, choices, least, busiest }));
    let place = |survey: &Survey| {
        survey.failure.map(|Failure { from, to, choice, error }| {
            let kind = match error {
                WalkError::TooLong { .. } => None,
                other => Some(other),
            };
            (from, to, choice, kind)
        })
    };
    assert_eq!(place(found), place(&slow));
    let rest = |survey: &Survey| Survey { loads: None, failure: None, ..survey.clone() };
    assert_eq!(rest(found), rest(&slow));
}

#[test]
fn shortest_routes_have_no_stretch() {
    for csr in [petersen(), cube(4), torus(4, 5), graph(5, &[(0, 1), (1, 2), (3, 4)])] {
        let router = Searched::new(Arc::new(csr.clone())).unwrap();
        let found = by(Method::Rows, &csr, &router);
        assert_eq!(found, by(Method::Walks, &csr, &router));
        assert_eq!(found.max_stretch(Against::Alive), Some(1.0));
        assert_eq!(found.arrived, found.pairs);
        check(&found, &csr, &router);
    }
}

#[test]
fn all_choices_are_walked() {
    let csr = ring(7);
    let inner = Searched::new(Arc::new(csr.clone())).unwrap();
    let valiant = Valiant::new(Arc::new(inner), 0..7).unwrap();
    let found = survey(&csr, &valiant, &Faults::default(), LIMITS).unwrap();
    assert_eq!((found.routes(), found.arrived), (42 * 7, 42));
    check(&found, &csr, &valiant);
}

#[test]
fn a_middle_that_cannot_be_reached_is_omitted() {
    let csr = graph(6, &[(0, 1), (1, 2), (2, 0), (3, 4)]);
    let inner = Searched::new(Arc::new(csr.clone())).unwrap();
    let valiant = Valiant::new(Arc::new(inner), 0..6).unwrap();
    let found = survey(&csr, &valiant, &Faults::default(), LIMITS).unwrap();
    assert_eq!((found.pairs, found.arrived, found.unreachable), (8, 8, 22));
    check(&found, &csr, &valiant);
}

#[test]
fn too_much_is_refused_and_a_stop_obeyed() {
    let csr = ring(50);
    let router = Searched::new(Arc::new(csr.clone())).unwrap();
    let faults = Faults::default();
    let limits = Budget { steps: 1000, ..*LIMITS };
    let refused = survey(&csr, &router, &faults, &limits);
    assert!(matches!(refused, Err(SurveyError::Budget(OverBudget::Steps { limit: 1000, .. }))));
    let limits = Budget { memory: 1000, ..*LIMITS };
    let refused = survey(&csr, &router, &faults, &limits);
    assert!(matches!(refused, Err(SurveyError::Budget(OverBudget::Memory { limit: 1000, .. }))));
    let watch = Watch { stop: &|| true, ..Watch::SILENT };
    let stopped = survey(&csr, &router, &faults, &Budget { watch, ..*LIMITS });
    assert_eq!(stopped, Err(SurveyError::Interrupted(Interrupted)));
}

/// What a survey of a ring of 50 says that it needs on one thread, worked out by hand: 100 channels, 2,500 pairs.
#[test]
fn what_is_needed_is_known_before() {
    let csr = ring(50);
    let router: Arc<dyn Router> = Arc::new(Searched::new(Arc::new(csr.clone())).unwrap());
    let valiant = Valiant::new(router.clone(), 0..50).unwrap();
    let mut broken = Faults::default();
    broken.fail_node(Node(3));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let needs = |router: &dyn Router, faults: &Faults, memory: u64, steps: u128| {
        let limits = Budget { memory, steps, ..*LIMITS };
        match pool.install(|| survey(&csr, router, faults, &limits)) {
            Err(SurveyError::Budget(OverBudget::Memory { need, .. })) => Some(need),
            Err(SurveyError::Budget(OverBudget::Steps { need, .. })) => Some(need),
            other => other.map(|_| None).unwrap(),
        }
    };
    // Arrays of 40 bytes a node, twice; a wiring and seven sums of loads, eight bytes a channel. A look at every channel
    // and every node for each target, eight steps long.
    let (memory, steps) = (2 * 40 * 50 + 8 * 8 * 100, 8 * (50 * 100 + 50 * 50));
    let whole = Faults::default();
    assert_eq!(needs(&*router, &whole, memory - 1, steps), Some(memory.into()));
    assert_eq!(needs(&*router, &whole, memory, steps - 1), Some(steps));
    assert_eq!(needs(&*router, &whole, memory, steps), None);
    // Walked one by one, for each of 50 choices: a walk counts as eight looks.
    let steps = 50 * 8 * (50 * 100 + 8 * 50 * 50);
    assert_eq!(needs(&valiant, &whole, memory, steps - 1), Some(steps));
    assert_eq!(needs(&valiant, &whole, memory, steps), None);
    // With faults a second wiring, and one choice.
    let (memory, steps) = (memory + 8 * 100, steps / 50);
    assert_eq!(needs(&*router, &broken, memory - 1, steps), Some(memory.into()));
    assert_eq!(needs(&*router, &broken, memory, steps - 1), Some(steps));
}

/// What three shards found, each written down and read back, in another order: as if nobody had cut it up.
#[test]
fn shards_together_are_the_whole() {
    let csr = ring(50);
    let router: Arc<dyn Router> = Arc::new(Searched::new(Arc::new(csr.clone())).unwrap());
    let ports = (0..2500u32).map(|at| (at % 7 > 0).then_some(at % 2)).collect();
    let lossy = Arbitrary { order: 50, ports };
    let (none, mut broken) = (Faults::default(), Faults::default());
    broken.fail_node(Node(3));
    for (router, faults) in [(&*router, &none), (&lossy, &none), (&*router, &broken)] {
        let job = Surveying::new(&csr, router, faults, LIMITS).unwrap();
        let mut all = job.nothing();
        for number in [2, 3, 1] {
            let part = run(&job, Shard::new(number, 3).unwrap(), &Watch::SILENT).unwrap();
            let text = serde_json::to_string(&part).unwrap();
            let part = serde_json::from_str(&text).unwrap();
            assert!(job.knows(&part));
            all = job.merge(all, part);
        }
        assert_eq!(job.finish(all), survey(&csr, router, faults, LIMITS).unwrap());
    }
    let small = ring(5);
    let other = Surveying::new(&small, &*router, &none, LIMITS).unwrap();
    let part = other.unit(0, &Watch::SILENT).unwrap();
    assert!(!Surveying::new(&csr, &*router, &none, LIMITS).unwrap().knows(&part));
}

proptest! {
    #![proptest_config(nestnet_seed::config())]

    #[test]
    fn any_router_is_judged_as_its_walks_are(
        csr in any_multigraph(8),
        ports in proptest::collection::vec(proptest::option::weighted(0.95, 0..4u32), 64),
    ) {
        let router = Arbitrary { order: csr.order(), ports };
        let found = by(Method::Rows, &csr, &router);
        check(&found, &csr, &router);
        let walked = by(Method::Walks, &csr, &router);
        check(&walked, &csr, &router);
    }
}
