//! Lanes of all kinds are free, keep the routes, and answer alike in both ways to ask.

use super::*;
use crate::Vc;
use crate::route::deadlock::check;
use crate::route::{Entry, Header, Hop, Searched, Valiant, VcLimited, walk};
use nestnet_graph::Budget;
use nestnet_seed::samples;
use proptest::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

fn shortest(network: &Arc<dyn Network>) -> Arc<dyn Router> {
    Arc::new(Searched::new(network.clone()).unwrap())
}

/// Free, checked again, on the same nodes, and `fill` says what `next` does.
fn holds(network: &Arc<dyn Network>, inner: &dyn Router, router: &dyn Router) -> u16 {
    let certificate = certify(&**network, router, &Budget::UNLIMITED).unwrap();
    assert!(certificate.is_free(), "{network:?}");
    check(&**network, router, &certificate, &Budget::UNLIMITED).unwrap();
    for (from, to) in (0..network.order()).flat_map(|a| (0..network.order()).map(move |b| (a, b))) {
        let route = |router: &dyn Router| {
            walk(&**network, router, Node(from), Node(to), 0, 99).map(|walk| walk.nodes)
        };
        assert_eq!(route(router), route(inner));
    }
    let mut row = vec![Entry::NONE; usize::try_from(network.order()).unwrap()];
    for to in (0..network.order()).map(Node).filter(|_| !router.remembers()) {
        router.fill(to, &mut row);
        for (at, &entry) in (0..).map(Node).zip(&row) {
            assert_eq!(entry, Entry::of(router.next(at, Header { to, state: 0 })));
        }
    }
    assert!(certificate.vcs <= router.vcs());
    certificate.vcs
}

#[test]
fn a_ring_takes_two_lanes() {
    let ring: Arc<dyn Network> = Arc::new(samples::ring(9));
    let inner = shortest(&ring);
    let assigned = assign(&ring, &inner, &Budget::UNLIMITED).unwrap();
    assert_eq!(assigned.how, AssignedBy::Stepped);
    assert_eq!(holds(&ring, &*inner, &*assigned.router), 2);
    let pairs = layer(&ring, &inner, Grain::Pair, &Budget::UNLIMITED).unwrap().unwrap();
    assert_eq!(holds(&ring, &*inner, &pairs), 2);
    assert_eq!(pairs.next(Node(0), pairs.start(Node(0), Node(1), 0)).unwrap().vc, Vc(0));
}

#[test]
fn a_free_map_stays() {
    let path: Arc<dyn Network> = Arc::new(samples::path(5));
    let inner = shortest(&path);
    let assigned = assign(&path, &inner, &Budget::UNLIMITED).unwrap();
    assert_eq!((assigned.how, assigned.certificate.vcs), (AssignedBy::Own, 1));
    assert!(Arc::ptr_eq(&assigned.router, &inner));
}

#[test]
fn a_router_that_remembers_is_walked() {
    let ring: Arc<dyn Network> = Arc::new(samples::ring(6));
    let valiant: Arc<dyn Router> = Arc::new(Valiant::new(shortest(&ring), 0..6).unwrap());
    let assigned = assign(&ring, &valiant, &Budget::UNLIMITED).unwrap();
    assert!(assigned.certificate.is_free());
    holds(&ring, &*valiant, &*assigned.router);
    let refused = layer(&ring, &valiant, Grain::Target, &Budget::UNLIMITED);
    assert_eq!(refused.unwrap_err(), AssignError::Remembers);
}

/// A router that counts the messages that start.
#[derive(Debug)]
struct Counted {
    inner: VcLimited,
    starts: AtomicU64,
}

impl Router for Counted {
    fn vcs(&self) -> u16 {
        self.inner.vcs()
    }

    fn choices(&self) -> u64 {
        self.inner.choices()
    }

    fn start(&self, from: Node, to: Node, choice: u64) -> Header {
        self.starts.fetch_add(1, Ordering::Relaxed);
        self.inner.start(from, to, choice)
    }

    fn next(&self, at: Node, header: Header) -> Option<Hop> {
        self.inner.next(at, header)
    }

    fn remembers(&self) -> bool {
        self.inner.remembers()
    }
}

/// Routes that must be walked one by one are walked once for each lane: one preference is tried and no other lanes.
#[test]
fn a_router_that_remembers_is_walked_once_a_lane() {
    let ring: Arc<dyn Network> = Arc::new(samples::ring(6));
    let valiant = Valiant::new(shortest(&ring), 0..6).unwrap();
    // Both legs on one virtual channel form a dependency cycle.
    let inner = VcLimited::new(Arc::new(valiant), 1);
    let counted = Arc::new(Counted { inner, starts: AtomicU64::new(0) });
    let router: Arc<dyn Router> = counted.clone();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let starts = || counted.starts.swap(0, Ordering::Relaxed);
    let own = pool.install(|| certify(&*ring, &*router, &Budget::UNLIMITED)).unwrap();
    assert!(!own.is_free());
    let for_own = starts();
    let assigned = pool.install(|| assign(&ring, &router, &Budget::UNLIMITED)).unwrap();
    let for_all = starts();
    let lanes = u64::from(assigned.router.vcs());
    holds(&ring, &*router, &*assigned.router);
    starts();
    pool.install(|| certify(&*ring, &*assigned.router, &Budget::UNLIMITED)).unwrap();
    // Six choices for each of 30 pairs.
    assert_eq!(for_all, for_own + lanes * 6 * 30 + starts());
    assert_eq!(assigned.how, AssignedBy::Stepped);
}

proptest! {
    #![proptest_config(nestnet_seed::config())]

    #[test]
    fn all_lanes_are_free(csr in samples::any_multigraph(10)) {
        let network: Arc<dyn Network> = Arc::new(csr);
        let inner = shortest(&network);
        let assigned = assign(&network, &inner, &Budget::UNLIMITED).unwrap();
        holds(&network, &*inner, &*assigned.router);
        for grain in [Grain::Target, Grain::Pair] {
            let layered = layer(&network, &inner, grain, &Budget::UNLIMITED).unwrap().unwrap();
            holds(&network, &*inner, &layered);
        }
    }
}
