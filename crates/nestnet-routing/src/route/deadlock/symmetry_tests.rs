//! Certificates of one target a class against those of all targets, and declarations that are not true.

use super::*;
use crate::route::{Header, Hop, VcLimited};
use nestnet_graph::network::Automorphism;
use std::sync::Arc;

/// A cube of so many dimensions, by rule.
#[derive(Debug)]
struct Cube(u32);

impl Network for Cube {
    fn order(&self) -> u64 {
        1 << self.0
    }

    fn ports(&self) -> u32 {
        self.0
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        Some(Node(at.0 ^ 1 << port.0))
    }
}

/// A rule for the bits in which two nodes of a cube differ, and what it says that it commutes with.
struct ByBits {
    rule: fn(at: u64, differ: u64) -> (u32, u16),
    declared: Vec<Automorphism>,
}

impl fmt::Debug for ByBits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ByBits")
    }
}

impl Router for ByBits {
    fn vcs(&self) -> u16 {
        2
    }

    fn next(&self, at: Node, header: Header) -> Option<Hop> {
        let differ = at.0 ^ header.to.0;
        let (port, vc) = (differ != 0).then(|| (self.rule)(at.0, differ))?;
        Some(Hop { port: Port(port), vc: Vc(vc), header })
    }

    fn commutes_with(&self) -> Vec<Automorphism> {
        self.declared.clone()
    }
}

/// The bits of `mask` that exist, each flipped.
fn flips(dimensions: u32, mask: u64) -> Vec<Automorphism> {
    let bits = (0..dimensions).filter(|bit| mask >> bit & 1 == 1);
    bits.map(|bit| Arc::new(move |id: u64| id ^ 1 << bit) as Automorphism).collect()
}

fn lowest(_: u64, differ: u64) -> (u32, u16) {
    (differ.trailing_zeros(), 0)
}

/// The highest bit where three or more differ, else the lowest: one channel is not enough for that.
fn mixed(_: u64, differ: u64) -> (u32, u16) {
    let highest = differ.ilog2();
    if differ.count_ones() > 2 { (highest, 0) } else { (differ.trailing_zeros(), 1) }
}

/// Looks at the lowest bit of where it is.
fn by_place(at: u64, differ: u64) -> (u32, u16) {
    if at & 1 == 0 { (differ.trailing_zeros(), 0) } else { (differ.ilog2(), 0) }
}

/// Looks at the lowest bit of where it goes.
fn by_target(at: u64, differ: u64) -> (u32, u16) {
    by_place(at ^ differ, differ)
}

/// The same without symmetry.
fn plainly(router: &ByBits) -> ByBits {
    ByBits { rule: router.rule, declared: Vec::new() }
}

fn certified(network: &dyn Network, router: &dyn Router) -> Certificate {
    let certificate = certify(network, router, &Budget::UNLIMITED).unwrap();
    check(network, router, &certificate, &Budget::UNLIMITED).unwrap();
    certificate
}

#[test]
fn one_target_represents_all() {
    for (rule, mask) in
        [(lowest as fn(u64, u64) -> _, !0), (mixed, !0), (mixed, 0b101), (by_place, !1)]
    {
        for dimensions in 1..6 {
            let cube = Cube(dimensions);
            let router = ByBits { rule, declared: flips(dimensions, mask) };
            let plain = plainly(&router);
            for vcs in 1..3 {
                let [fast, slow] = [&router, &plain].map(|router| {
                    let declared = router.declared.clone();
                    let inner = Arc::new(ByBits { rule: router.rule, declared });
                    certified(&cube, &VcLimited::new(inner, vcs))
                });
                let symmetric = dimensions > 1 || mask & 1 == 1;
                assert_eq!(fast.how == How::Symmetry, symmetric);
                assert_eq!(Certificate { how: How::Exhaustive, ..fast }, slow);
            }
        }
    }
    let router = Arc::new(ByBits { rule: mixed, declared: flips(3, !0) });
    assert!(certified(&Cube(3), &*router).is_free());
    assert!(!certified(&Cube(3), &VcLimited::new(router, 1)).is_free());
}

#[test]
fn large_ones_are_checked_by_classes() {
    let cube = Cube(11);
    let router = ByBits { rule: lowest, declared: flips(11, !0) };
    let certificate = certify(&cube, &router, &Budget::UNLIMITED).unwrap();
    let judged = |router: &ByBits, certificate: &Certificate| {
        check(&cube, router, certificate, &Budget::UNLIMITED)
    };
    assert_eq!(judged(&router, &certificate), Ok(How::Symmetry));
    assert_eq!(judged(&plainly(&router), &certificate), Ok(How::Exhaustive));
    // Up to 1,024 hosts every route is walked.
    let (small, lower) = (Cube(10), ByBits { rule: lowest, declared: flips(10, !0) });
    let of_small = certify(&small, &lower, &Budget::UNLIMITED).unwrap();
    assert_eq!(check(&small, &lower, &of_small, &Budget::UNLIMITED), Ok(How::Exhaustive));
    let fewer = Certificate { pairs: certificate.pairs - 1, ..certificate.clone() };
    assert!(matches!(judged(&router, &fewer), Err(CheckError::Count { what: "pairs", .. })));

    let Deadlock::Free { order } = &certificate.verdict else { panic!("{certificate:?}") };
    let with = |order: Vec<Channel>| {
        let channels = order.len() as u64;
        Certificate { verdict: Deadlock::Free { order }, channels, ..certificate.clone() }
    };
    // Two channels of one class may change places.
    let mut other = order.clone();
    other.swap(0, 1);
    assert_eq!(judged(&router, &with(other)), Ok(How::Symmetry));
    // One channel of port 0 leads to this one of port 1: it may follow at once, and its class is torn apart.
    let is =
        |at, port| move |channel: &Channel| (channel.node, channel.port) == (Node(at), Port(port));
    let mut torn = order.clone();
    for (place, channel) in [(0, (1, 0)), (1, (0, 1))] {
        let from = torn.iter().position(is(channel.0, channel.1)).unwrap();
        let moved = torn.remove(from);
        torn.insert(place, moved);
    }
    assert_eq!(judged(&router, &with(torn)), Ok(How::Exhaustive));
    let reversed = order.iter().rev().copied().collect();
    assert!(matches!(judged(&router, &with(reversed)), Err(CheckError::AgainstOrder { .. })));
    let mut missing = order.clone();
    missing.remove(1000);
    assert!(matches!(judged(&router, &with(missing)), Err(CheckError::NotInOrder { .. })));
}

#[test]
fn what_is_not_true_of_links_is_omitted() {
    let no_port: Automorphism = Arc::new(|id| id & !3 | (id & 1) << 1 | (id >> 1 & 1));
    let not_one_to_one: Automorphism = Arc::new(|id| id & !1);
    let outside: Automorphism = Arc::new(|id| id + 1);
    let router = ByBits { rule: lowest, declared: vec![no_port, not_one_to_one, outside] };
    assert_eq!(certified(&Cube(4), &router).how, How::Exhaustive);
}

#[test]
fn a_router_that_does_not_commute_is_found_out() {
    // On the way to node 0 both rise with their ports, or seem to; to other targets they do not.
    for (dimensions, rule) in [(5, by_place as fn(u64, u64) -> _), (5, by_target), (11, by_target)]
    {
        let cube = Cube(dimensions);
        let router = ByBits { rule, declared: flips(dimensions, !0) };
        let nodes = cube.order();
        let certificate = Certificate {
            verdict: Deadlock::Free { order: all_channels(&cube) },
            vcs: 1,
            channels: u64::from(dimensions) * nodes,
            dependencies: 0,
            pairs: nodes * (nodes - 1),
            how: How::Symmetry,
        };
        let found = check(&cube, &router, &certificate, &Budget::UNLIMITED);
        assert!(matches!(found, Err(CheckError::AgainstOrder { .. })), "{found:?}");
        let honest = ByBits { rule: lowest, ..router };
        assert!(check(&cube, &honest, &certificate, &Budget::UNLIMITED).is_ok());
    }
}

/// The lowest bit first, on the virtual channel of the lowest bit of where it goes.
fn lowest_by_target(at: u64, differ: u64) -> (u32, u16) {
    let target = at ^ differ;
    (differ.trailing_zeros(), u16::from(target & 1 == 1))
}

/// What is free all the same, but on other channels at the image, is no symmetry: all routes are walked.
#[test]
fn channels_that_are_not_carried_are_found_out() {
    let cube = Cube(11);
    let each = |port: u32| {
        let channel = move |at, vc| Channel { node: Node(at), port: Port(port), vc: Vc(vc) };
        (0..2).flat_map(move |vc| (0..2048).map(move |at| channel(at, vc)))
    };
    let certificate = Certificate {
        verdict: Deadlock::Free { order: (0..11).flat_map(each).collect() },
        vcs: 2,
        channels: 2 * 11 * 2048,
        dependencies: 0,
        pairs: 2048 * 2047,
        how: How::Symmetry,
    };
    for (mask, how) in [(!0, How::Exhaustive), (!1, How::Symmetry)] {
        let router = ByBits { rule: lowest_by_target, declared: flips(11, mask) };
        assert_eq!(check(&cube, &router, &certificate, &Budget::UNLIMITED), Ok(how));
    }
    // What moves nobody joins nobody: every target represents itself and is walked to.
    let router = ByBits { rule: lowest_by_target, declared: vec![Arc::new(|id| id)] };
    let found = check(&cube, &router, &certificate, &Budget::UNLIMITED);
    assert_eq!(found, Ok(How::Exhaustive));
}

/// By port, then by node: right for the lowest bit first, and for nothing else.
fn all_channels(cube: &Cube) -> Vec<Channel> {
    let of_port = |port| (0..cube.order()).map(move |at| (port, at));
    let all = (0..cube.ports()).flat_map(of_port);
    all.map(|(port, at)| Channel { node: Node(at), port: Port(port), vc: Vc(0) }).collect()
}

/// A ring whose port 0 leads up, the direction of all messages; it declares turns by `step`, and none by 0.
#[derive(Debug)]
struct Upward {
    order: u64,
    step: u64,
}

impl Network for Upward {
    fn order(&self) -> u64 {
        self.order
    }

    fn ports(&self) -> u32 {
        2
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        let up = if port.0 == 0 { 1 } else { self.order - 1 };
        Some(Node((at.0 + up) % self.order))
    }
}

impl Router for Upward {
    fn vcs(&self) -> u16 {
        1
    }

    fn next(&self, at: Node, header: Header) -> Option<Hop> {
        (at != header.to).then_some(Hop { port: Port(0), vc: Vc(0), header })
    }

    fn commutes_with(&self) -> Vec<Automorphism> {
        let (n, step) = (self.order, self.step);
        if step == 0 { Vec::new() } else { vec![Arc::new(move |i| (i + step) % n)] }
    }
}

#[test]
fn rotations_of_a_ring_are_equivalent() {
    for (order, step) in (3..10).flat_map(|order| (1..order).map(move |step| (order, step))) {
        let [fast, slow] = [step, 0].map(|step| {
            let ring = Upward { order, step };
            certified(&ring, &ring)
        });
        assert_eq!((fast.how, fast.is_free()), (How::Symmetry, false));
        assert_eq!(Certificate { how: How::Exhaustive, ..fast }, slow);
    }
}
