//! Verdicts against a slow reference version, and certificates that are not true.

use super::*;
use crate::route::{Header, Hop, Searched, UpDownLayers, Valiant, VcLimited, walk};
use nestnet_graph::{Budget, Csr, index};
use nestnet_seed::samples;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// All hops that lead nearer, by search; a virtual channel for each step that is left when `layers` is set.
#[derive(Debug)]
struct Adaptive {
    network: Csr,
    layers: bool,
}

impl Adaptive {
    fn distance(&self, to: Node) -> Vec<u32> {
        nestnet_graph::measure::search::distances_from(&self.network, to)
    }
}

impl Router for Adaptive {
    fn vcs(&self) -> u16 {
        if self.layers { 64 } else { 1 }
    }

    fn next(&self, at: Node, header: Header) -> Option<Hop> {
        let mut hops = Vec::new();
        self.hops(at, header, &mut hops);
        hops.first().copied()
    }

    fn hops(&self, at: Node, header: Header, out: &mut Vec<Hop>) {
        let distance = self.distance(header.to);
        let far = |node: Node| distance[index(node)];
        let vc = Vc(if self.layers { u16::try_from(far(at).min(63)).unwrap() } else { 0 });
        self.network.for_each_neighbor(at, &mut |port, next| {
            if far(next) < far(at) {
                out.push(Hop { port, vc, header });
            }
        });
    }

    fn adapts(&self) -> bool {
        true
    }
}

/// A ring of which only the first nodes are hosts.
#[derive(Debug)]
struct Few {
    ring: Csr,
    hosts: u64,
}

impl Network for Few {
    fn order(&self) -> u64 {
        self.ring.order()
    }

    fn ports(&self) -> u32 {
        self.ring.ports()
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        self.ring.neighbor(at, port)
    }

    fn hosts(&self) -> u64 {
        self.hosts
    }
}

/// Every pair is walked, every dependency kept in a map, and a cycle sought depth first.
fn slowly(network: &dyn Network, router: &dyn Router) -> (bool, u64, u64, u64) {
    let mut after: BTreeMap<Channel, BTreeSet<Channel>> = BTreeMap::new();
    let mut pairs = 0;
    for (from, to) in (0..network.hosts()).flat_map(|a| (0..network.hosts()).map(move |b| (a, b))) {
        let (from, to) = (Node(from), Node(to));
        let mut routed = false;
        for choice in 0..router.choices() {
            let Ok(route) = walk(network, router, from, to, choice, 1000) else { continue };
            let channels: Vec<Channel> = route
                .nodes
                .iter()
                .zip(&route.hops)
                .map(|(&node, hop)| Channel { node, port: hop.port, vc: hop.vc })
                .collect();
            routed |= !channels.is_empty();
            for &channel in &channels {
                after.entry(channel).or_default();
            }
            for pair in channels.windows(2) {
                after.entry(pair[0]).or_default().insert(pair[1]);
            }
        }
        pairs += u64::from(routed);
    }
    fn is_free(
        channel: Channel,
        after: &BTreeMap<Channel, BTreeSet<Channel>>,
        known: &mut HashMap<Channel, bool>,
    ) -> bool {
        if let Some(&finished) = known.get(&channel) {
            return finished;
        }
        known.insert(channel, false);
        let free = after[&channel].iter().all(|&next| is_free(next, after, known));
        known.insert(channel, free);
        free
    }
    let mut known = HashMap::new();
    let free = after.keys().all(|&channel| is_free(channel, &after, &mut known));
    let dependencies = after.values().map(|next| next.len() as u64).sum();
    (free, after.len() as u64, dependencies, pairs)
}

fn certified(network: &dyn Network, router: &dyn Router) -> Certificate {
    let certificate = certify(network, router, &Budget::UNLIMITED).unwrap();
    check(network, router, &certificate, &Budget::UNLIMITED).unwrap();
    certificate
}

fn summary(certificate: &Certificate) -> (bool, u64, u64, u64) {
    let Certificate { channels, dependencies, pairs, .. } = *certificate;
    (certificate.is_free(), channels, dependencies, pairs)
}

fn shortest(network: &Arc<dyn Network>) -> Arc<dyn Router> {
    Arc::new(Searched::new(network.clone()).unwrap())
}

#[test]
fn a_ring_with_one_channel_deadlocks_and_with_turns_does_not() {
    let ring: Arc<dyn Network> = Arc::new(samples::ring(6));
    let plain = shortest(&ring);
    let certificate = certified(&*ring, &*plain);
    let Deadlock::Cycle(cycle) = &certificate.verdict else { panic!("{certificate:?}") };
    assert_eq!(cycle.len(), 6);
    assert_eq!((certificate.vcs, certificate.pairs), (1, 30));
    let turns: Arc<dyn Router> = Arc::new(UpDownLayers::new(ring.clone(), plain, None));
    let certificate = certified(&*ring, &*turns);
    assert!(certificate.is_free());
    assert_eq!(certificate.vcs, 2);
    let folded = VcLimited::new(turns, 1);
    assert!(!certified(&*ring, &folded).is_free());
}

#[test]
fn dimension_order_is_free_in_a_cube() {
    #[derive(Debug)]
    struct DimensionOrder(Csr);
    impl Router for DimensionOrder {
        fn vcs(&self) -> u16 {
            1
        }

        fn next(&self, at: Node, header: Header) -> Option<Hop> {
            let differ = at.0 ^ header.to.0;
            let next = at.0 ^ (differ & differ.wrapping_neg());
            let mut hop = None;
            self.0.for_each_neighbor(at, &mut |port, to| {
                if to.0 == next {
                    hop = Some(Hop { port, vc: Vc(0), header });
                }
            });
            hop
        }
    }
    let cube = samples::cube(4);
    let certificate = certified(&cube, &DimensionOrder(cube.clone()));
    assert!(certificate.is_free());
    assert_eq!((certificate.channels, certificate.pairs), (64, 240));
}

#[test]
fn all_hops_of_an_adaptive_router_count() {
    let network = samples::torus(4, 4);
    let one = Adaptive { network: network.clone(), layers: false };
    assert!(!certified(&network, &one).is_free());
    let many = Adaptive { network: network.clone(), layers: true };
    let certificate = certified(&network, &many);
    assert!(certificate.is_free());
    assert_eq!(certificate.vcs, 5);
    // A single route for each pair takes fewer channels.
    let first: Arc<dyn Network> = Arc::new(network);
    assert!(certified(&*first, &*shortest(&first)).dependencies < certificate.dependencies);
}

#[test]
fn only_hosts_send() {
    let few = Few { ring: samples::ring(8), hosts: 3 };
    let whole: Arc<dyn Network> = Arc::new(samples::ring(8));
    let router = shortest(&whole);
    let certificate = certified(&few, &*router);
    assert_eq!(summary(&certificate), slowly(&few, &*router));
    assert_eq!(summary(&certificate), (true, 4, 2, 6));
}

#[test]
fn both_legs_of_a_random_way_count() {
    let ring: Arc<dyn Network> = Arc::new(samples::ring(5));
    let turns = Arc::new(UpDownLayers::new(ring.clone(), shortest(&ring), None));
    let once = Valiant::new(shortest(&ring), 0..5).unwrap();
    assert_eq!((once.vcs(), turns.vcs()), (2, 2));
    let valiant: Arc<dyn Router> = Arc::new(Valiant::new(turns, 0..5).unwrap());
    assert_eq!(valiant.vcs(), 4);
    let certificate = certified(&*ring, &*valiant);
    assert_eq!(summary(&certificate), slowly(&*ring, &*valiant));
    assert!(certificate.is_free());
    let folded = VcLimited::new(valiant, 2);
    let certificate = certified(&*ring, &folded);
    assert_eq!(summary(&certificate), slowly(&*ring, &folded));
    assert!(!certificate.is_free());
}

#[test]
fn a_false_certificate_is_seen() {
    let ring: Arc<dyn Network> = Arc::new(samples::ring(6));
    let plain = shortest(&ring);
    let turns = UpDownLayers::new(ring.clone(), plain.clone(), None);
    let refused = |router: &dyn Router, certificate: &Certificate| {
        check(&*ring, router, certificate, &Budget::UNLIMITED).unwrap_err()
    };

    let free = certified(&*ring, &turns);
    let Deadlock::Free { order } = &free.verdict else { panic!("{free:?}") };
    for i in 0..order.len() {
        let mut without = order.clone();
        let gone = without.remove(i);
        let certificate = Certificate {
            channels: free.channels - 1,
            verdict: Deadlock::Free { order: without },
            ..free.clone()
        };
        let error = refused(&turns, &certificate);
        assert!(matches!(error, CheckError::NotInOrder { channel, .. } if channel == gone));
        let mut twice = order.clone();
        twice[i] = order[(i + 1) % order.len()];
        let certificate = Certificate { verdict: Deadlock::Free { order: twice }, ..free.clone() };
        assert!(matches!(refused(&turns, &certificate), CheckError::Twice { .. }));
    }
    let reversed = order.iter().rev().copied().collect();
    let certificate = Certificate { verdict: Deadlock::Free { order: reversed }, ..free.clone() };
    assert!(matches!(refused(&turns, &certificate), CheckError::AgainstOrder { .. }));
    // The same order says nothing of other routes.
    assert!(check(&*ring, &*plain, &free, &Budget::UNLIMITED).is_err());

    let stuck = certified(&*ring, &*plain);
    let Deadlock::Cycle(cycle) = &stuck.verdict else { panic!("{stuck:?}") };
    for i in 0..cycle.len() {
        let mut open = cycle.clone();
        open.remove(i);
        let certificate = Certificate { verdict: Deadlock::Cycle(open), ..stuck.clone() };
        assert!(matches!(refused(&*plain, &certificate), CheckError::Broken { .. }));
        let mut other = cycle.clone();
        let Message { from, to, choice } = other[i].message;
        other[i].message = Message { from: to, to: from, choice };
        let certificate = Certificate { verdict: Deadlock::Cycle(other), ..stuck.clone() };
        assert!(matches!(refused(&*plain, &certificate), CheckError::NotMade(_)));
    }
    // Messages that nobody can send.
    let Message { from, to, choice } = cycle[0].message;
    for message in [
        Message { from: Node(6), to, choice },
        Message { from, to: Node(6), choice },
        Message { from, to, choice: 1 },
        Message { from, to: from, choice },
    ] {
        let mut other = cycle.clone();
        other[0].message = message;
        let certificate = Certificate { verdict: Deadlock::Cycle(other), ..stuck.clone() };
        assert_eq!(
            refused(&*plain, &certificate).to_string(),
            CheckError::NotMade(Dependency { message, ..cycle[0] }).to_string()
        );
    }
    let none = Certificate { verdict: Deadlock::Cycle(Vec::new()), ..stuck.clone() };
    assert!(check(&*ring, &*plain, &none, &Budget::UNLIMITED).is_err());
    // Routes with turns do not make the cycle.
    assert!(matches!(refused(&turns, &stuck), CheckError::NotMade(_)));
}

/// Every channel that a message may take and every one that may come right after it, state by state.
fn dependencies(network: &dyn Network, router: &dyn Router) -> BTreeSet<(Channel, Channel)> {
    let mut found = BTreeSet::new();
    for (from, to) in (0..network.hosts()).flat_map(|a| (0..network.hosts()).map(move |b| (a, b))) {
        let start = |choice| (Node(from), router.start(Node(from), Node(to), choice), None);
        let mut open: Vec<_> = (0..router.choices()).map(start).collect();
        let mut seen: BTreeSet<_> = open.iter().copied().collect();
        while let Some((at, header, last)) = open.pop() {
            let mut hops = Vec::new();
            router.hops(at, header, &mut hops);
            for hop in hops {
                let channel = Channel { node: at, port: hop.port, vc: hop.vc };
                found.extend(last.map(|last| (last, channel)));
                let state = (network.neighbor(at, hop.port).unwrap(), hop.header, Some(channel));
                if seen.insert(state) {
                    open.push(state);
                }
            }
        }
    }
    found
}

/// Two channels exchanged, near and far: the order is accepted exactly where every dependency still rises in it.
fn sees_every_exchange(network: &dyn Network, router: &dyn Router) -> u64 {
    let certificate = certified(network, router);
    let Deadlock::Free { order } = &certificate.verdict else { panic!("{certificate:?}") };
    let dependencies = dependencies(network, router);
    assert_eq!(certificate.dependencies, dependencies.len() as u64);
    let mut refused = 0;
    let apart = [1, 3, order.len() / 4, order.len() / 2];
    let pairs = apart.iter().flat_map(|apart| (*apart..order.len()).map(move |j| (j - apart, j)));
    for (i, j) in pairs {
        let mut order = order.clone();
        order.swap(i, j);
        let place: HashMap<Channel, usize> = order.iter().copied().zip(0..).collect();
        let rises = dependencies.iter().all(|(one, next)| place[one] < place[next]);
        let exchanged = Certificate { verdict: Deadlock::Free { order }, ..certificate.clone() };
        match check(network, router, &exchanged, &Budget::UNLIMITED) {
            Ok(_) => assert!(rises, "{i} and {j} exchanged"),
            Err(CheckError::AgainstOrder { .. }) => {
                assert!(!rises, "{i} and {j} exchanged");
                refused += 1;
            }
            Err(error) => panic!("{error}"),
        }
    }
    refused
}

/// The three methods to walk: rows of hops, several hops at a node, and hops that depend on a state.
fn three_ways(network: &Csr) -> [Arc<dyn Router>; 3] {
    let shared: Arc<dyn Network> = Arc::new(network.clone());
    let turns: Arc<dyn Router> =
        Arc::new(UpDownLayers::new(shared.clone(), shortest(&shared), None));
    let adaptive = Arc::new(Adaptive { network: network.clone(), layers: true });
    let valiant = Arc::new(Valiant::new(turns.clone(), 0..network.order()).unwrap());
    [turns, adaptive, valiant]
}

#[test]
fn an_order_that_does_not_rise_is_seen_for_every_kind_of_router() {
    for network in [samples::ring(5), samples::torus(3, 3), samples::path(4)] {
        for router in three_ways(&network) {
            assert!(sees_every_exchange(&network, &*router) > 0, "{router:?}");
        }
    }
}

#[test]
fn counts_that_are_not_true_are_seen_for_every_kind_of_router() {
    let network = samples::ring(5);
    for router in three_ways(&network) {
        let right = certified(&network, &*router);
        for (what, wrong) in [
            ("pairs", Certificate { pairs: right.pairs - 1, ..right.clone() }),
            ("pairs", Certificate { pairs: right.pairs + 1, ..right.clone() }),
            ("channels", Certificate { channels: right.channels + 1, ..right.clone() }),
            ("virtual channels", Certificate { vcs: right.vcs + 1, ..right.clone() }),
        ] {
            let error = check(&network, &*router, &wrong, &Budget::UNLIMITED).unwrap_err();
            assert!(
                matches!(error, CheckError::Count { what: said, .. } if said == what),
                "{error}"
            );
        }
    }
}

/// A message that ends before its target, and one that the network does not have a link for.
#[test]
fn routes_that_break_off_are_seen_for_every_kind_of_router() {
    #[derive(Debug)]
    struct Broken {
        inner: Arc<dyn Router>,
        at: Node,
        port: Option<Port>,
    }
    impl Router for Broken {
        fn vcs(&self) -> u16 {
            self.inner.vcs()
        }

        fn choices(&self) -> u64 {
            self.inner.choices()
        }

        fn start(&self, from: Node, to: Node, choice: u64) -> Header {
            self.inner.start(from, to, choice)
        }

        fn next(&self, at: Node, header: Header) -> Option<Hop> {
            let hop = self.inner.next(at, header)?;
            if at != self.at { Some(hop) } else { self.port.map(|port| Hop { port, ..hop }) }
        }

        fn hops(&self, at: Node, header: Header, out: &mut Vec<Hop>) {
            if at == self.at {
                out.extend(self.next(at, header));
            } else {
                self.inner.hops(at, header, out);
            }
        }

        fn adapts(&self) -> bool {
            self.inner.adapts()
        }

        fn remembers(&self) -> bool {
            self.inner.remembers()
        }
    }
    let network = samples::path(4);
    for inner in three_ways(&network) {
        let certificate = certified(&network, &*inner);
        let broken = |port| Broken { inner: inner.clone(), at: Node(1), port };
        let error = check(&network, &broken(None), &certificate, &Budget::UNLIMITED).unwrap_err();
        assert!(matches!(error, CheckError::Ends { at: Node(1), .. }), "{error}");
        let router = broken(Some(Port(7)));
        let error = check(&network, &router, &certificate, &Budget::UNLIMITED).unwrap_err();
        let is_hop = |channel: Channel| (channel.node, channel.port) == (Node(1), Port(7));
        // One that walks routes misses the link, one that compares them misses its place.
        let (CheckError::NoLink { channel } | CheckError::NotInOrder { channel, .. }) = error
        else {
            panic!("{error}")
        };
        assert!(is_hop(channel), "{channel}");
    }
}

#[test]
fn too_much_is_refused_before_it_starts() {
    let ring: Arc<dyn Network> = Arc::new(samples::ring(6));
    let router = shortest(&ring);
    let limits = Budget { memory: 100, ..Budget::UNLIMITED };
    let error = certify(&*ring, &*router, &limits).unwrap_err();
    assert!(
        matches!(error, DeadlockError::Budget(OverBudget::Memory { limit: 100, .. })),
        "{error}"
    );
    let limits = Budget { steps: 100, ..Budget::UNLIMITED };
    let error = certify(&*ring, &*router, &limits).unwrap_err();
    assert!(
        matches!(error, DeadlockError::Budget(OverBudget::Steps { limit: 100, .. })),
        "{error}"
    );
}

#[test]
fn a_router_that_breaks_its_contract_is_named() {
    #[derive(Debug)]
    struct Lost;
    impl Router for Lost {
        fn vcs(&self) -> u16 {
            1
        }

        fn next(&self, at: Node, header: Header) -> Option<Hop> {
            (at.0 == 0).then_some(Hop { port: Port(0), vc: Vc(0), header })
        }
    }
    let error = certify(&samples::ring(4), &Lost, &Budget::UNLIMITED).unwrap_err();
    let ends = WalkError::Ends { at: Node(1) };
    assert_eq!(error, DeadlockError::Walk { to: Node(2), error: ends });
}

proptest! {
    #![proptest_config(nestnet_seed::config())]

    #[test]
    fn agrees_with_the_slow_reference(csr in samples::any_multigraph(9), vcs in 1u16..4) {
        let network: Arc<dyn Network> = Arc::new(csr);
        let plain = shortest(&network);
        let turns: Arc<dyn Router> = Arc::new(UpDownLayers::new(network.clone(), plain.clone(), None));
        let valiant = Valiant::new(turns.clone(), 0..network.order()).unwrap();
        let capped = VcLimited::new(turns.clone(), vcs);
        let routers: [&dyn Router; 4] = [&*plain, &*turns, &capped, &valiant];
        for router in routers {
            // Through a node in another part no message arrives.
            if router.remembers() && !nestnet_graph::measure::search::is_connected(&*network) {
                continue;
            }
            let certificate = certified(&*network, router);
            prop_assert_eq!(summary(&certificate), slowly(&*network, router));
        }
    }
}
