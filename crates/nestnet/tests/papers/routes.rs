//! Every router of every instance delivers every message, `shortest` by shortest paths, and none can deadlock on
//! its own virtual channels.

use nestnet::measure::search::distances_from;
use nestnet::route::deadlock::{self, certify};
use nestnet::route::walk;
use nestnet::{Budget, Built, Network, Node, Router, build};
use std::collections::{BTreeMap, BTreeSet};

/// What a slow obvious walk of all pairs finds.
struct Seen {
    /// How many hops over the distance the longest detour has.
    detour: u64,
    longest: u64,
    vcs: BTreeSet<u16>,
    acyclic: bool,
}

type Channel = (u64, u32, u16);

fn survey(network: &dyn Network, router: &dyn Router) -> Result<Seen, String> {
    let order = network.order();
    let mut seen = Seen { detour: 0, longest: 0, vcs: BTreeSet::new(), acyclic: true };
    let mut follows: BTreeMap<Channel, BTreeSet<Channel>> = BTreeMap::new();
    for to in (0..order).map(Node) {
        let distance = distances_from(network, to);
        for from in (0..order).map(Node) {
            let least = distance[usize::try_from(from.0).expect("small")];
            for choice in 0..router.choices() {
                if least == u32::MAX {
                    continue;
                }
                let route = walk(network, router, from, to, choice, 10_000)
                    .map_err(|error| format!("{from} to {to} by {choice}: {error}"))?;
                let hops = route.hops.len() as u64;
                seen.longest = seen.longest.max(hops);
                seen.detour = seen.detour.max(hops - u64::from(least));
                let channels = route.nodes.iter().zip(&route.hops);
                let channels: Vec<Channel> =
                    channels.map(|(at, hop)| (at.0, hop.port.0, hop.vc.0)).collect();
                seen.vcs.extend(channels.iter().map(|channel| channel.2));
                for pair in channels.windows(2) {
                    follows.entry(pair[0]).or_default().insert(pair[1]);
                }
            }
        }
    }
    if seen.vcs.last().is_some_and(|&vc| vc >= router.vcs()) {
        return Err(format!("virtual channels {:?} of {}", seen.vcs, router.vcs()));
    }
    seen.acyclic = is_acyclic(&follows);
    Ok(seen)
}

fn is_acyclic(follows: &BTreeMap<Channel, BTreeSet<Channel>>) -> bool {
    let mut waiting: BTreeMap<Channel, usize> = BTreeMap::new();
    for next in follows.values().flatten() {
        *waiting.entry(*next).or_default() += 1;
    }
    let mut free: Vec<Channel> =
        follows.keys().filter(|channel| !waiting.contains_key(channel)).copied().collect();
    while let Some(channel) = free.pop() {
        for next in follows.get(&channel).into_iter().flatten() {
            let left = waiting.get_mut(next).expect("counted before");
            *left -= 1;
            if *left == 0 {
                waiting.remove(next);
                free.push(*next);
            }
        }
    }
    waiting.is_empty()
}

/// A cube of rings, the only family whose paper publishes virtual channels: they are as published.
fn publishes_channels(built: &Built) -> bool {
    built.router_names().contains(&"repaired")
}

fn check(built: &Built, spec: &str) -> Vec<String> {
    let Some(network) = &built.network else { return vec![format!("{spec}: not built")] };
    let mut wrong = Vec::new();
    if !built.router_names().contains(&"shortest") {
        wrong.push(format!("{spec}: routers {:?}", built.router_names()));
    }
    for name in built.router_names() {
        let router = built.router(name).expect("one of its routers");
        let seen = match survey(&**network, &*router) {
            Ok(seen) => seen,
            Err(error) => {
                wrong.push(format!("{spec}: {name}: {error}"));
                continue;
            }
        };
        let mut must = |holds: bool, what: &str| {
            if !holds {
                wrong.push(format!("{spec}: {name}: {what}"));
            }
        };
        must(name != "shortest" || seen.detour == 0, "is not shortest");
        must(seen.longest <= router.longest(), "is longer than it says");
        let published = ["paper", "walk"].contains(&name) || name.starts_with("hop_plane");
        must(seen.acyclic || (published && publishes_channels(built)), "can deadlock");
        let certificate = certify(&**network, &*router, &Budget::UNLIMITED).expect("it is small");
        must(certificate.is_free() == seen.acyclic, "is judged wrongly");
        let again = deadlock::check(&**network, &*router, &certificate, &Budget::UNLIMITED);
        must(again.is_ok(), "has a certificate that does not hold");
    }
    wrong
}

#[test]
fn every_instance() {
    let most = if crate::slow() { 300 } else { 128 };
    let mut wrong = Vec::new();
    for instance in crate::oracle_instances() {
        let spec = instance["spec"].as_str().expect("a spec");
        if instance["nodes"].as_u64().expect("a number") <= most {
            wrong.extend(check(&build(spec).expect("a network"), spec));
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

/// The most hops between any two nodes, with any choice.
fn longest(spec: &str, name: &str) -> (u64, u64) {
    let built = build(spec).expect("a network");
    let (network, router) = (built.network.clone().expect("small"), built.router(name));
    let router = router.expect("one of its routers");
    let seen = survey(&*network, &*router).expect("it arrives");
    (seen.longest, router.longest())
}

#[test]
fn the_bounds_of_the_papers_are_reached() {
    let reached: &[(&str, u64)] = &[
        // Theorem 2 of dual-nets: 2^k·D + 2^(k+1) - 2.
        ("rdn(ring(3), 1)", 4),
        ("rdn(ring(5), 1)", 6),
        ("rdn(path(3), 1)", 6),
        ("rdn(petersen, 1)", 6),
        ("rdn(hypercube(1), 2)", 10),
        ("dual_cube(4)", 8),
        // Equation 4 of swapped networks: 2^(l-1)·(D+1) - 1.
        ("rsn(complete(3), 3)", 7),
        ("rsn(ring(5), 2)", 5),
        ("rsn(hypercube(2), 2)", 5),
        ("hcn(3)", 7),
        ("hfn(3)", 5),
        // Basic-Routing, and its networks.
        ("heawood", 3),
        ("folded(petersen, 2)", 4),
        ("root_folded(petersen, 2)", 6),
    ];
    for &(spec, bound) in reached {
        assert_eq!(longest(spec, "paper").0, bound, "{spec}");
    }
    // Of these the paper gives no routing.
    let ours = [
        ("hsn(hypercube(2), 3)", "digits", 8),
        ("wk(4, 3)", "direct", 7),
        ("symmetric_hypernet(hypercube(3), 2)", "direct", 7),
    ];
    for (spec, name, bound) in ours {
        assert_eq!(longest(spec, name).0, bound, "{spec}");
        assert!(build(spec).expect("a network").router("paper").is_none(), "{spec}");
    }
    // ROUTRCN: for every phase to its pivot and through its frame, and a last walk in the unit.
    for (spec, bound) in
        [("re(ring(4), ring(5), 2)", 2 * (2 + 2) + 2), ("re_heawood(2)", 3 + 3 + 3)]
    {
        let (found, said) = longest(spec, "paper");
        assert!(found <= bound && bound <= said, "{spec}: {found}, {bound}, {said}");
    }
}

/// Legs of a dual-net before its last cross link take the first set of the base's virtual channels, that link and the
/// leg behind it the second.
#[test]
fn the_legs_of_dual_nets_are_kept_apart() {
    for base in ["path(3)", "ring(4)", "ring(5)", "hypercube(2)", "mesh(2, 3)", "star(4)"] {
        let (inner, whole) = (build(base), build(&format!("rdn({base}, 1)")));
        let (inner, whole) = (inner.expect("a base"), whole.expect("a network"));
        let network = whole.network.clone().expect("small");
        let cross = inner.network.as_ref().expect("small").ports();
        for name in ["shortest"] {
            let width = inner.router(name).expect("one of its routers").vcs();
            let router = whole.router(name).expect("one of its routers");
            assert_eq!(router.vcs(), 2 * width, "{base}: {name}");
            let mut used = BTreeSet::new();
            for (from, to) in
                (0..network.order()).flat_map(|a| (0..network.order()).map(move |b| (a, b)))
            {
                let path = walk(&*network, &*router, Node(from), Node(to), 0, 100);
                let hops = path.expect("it arrives").hops;
                let last = hops.iter().rposition(|hop| hop.port.0 == cross).unwrap_or(0);
                for (place, hop) in hops.iter().enumerate() {
                    let class = u16::from(place >= last);
                    assert_eq!(hop.vc.0 / width, class, "{base}: {from} to {to}, hop {place}");
                    // A cross link has one channel of its class, a base all of them.
                    assert!(hop.port.0 != cross || hop.vc.0 % width == 0, "{base}: {from} to {to}");
                    used.insert(hop.vc.0);
                }
            }
            // The base's own channels are distinguished within each class.
            let own = certify(
                &**inner.network.as_ref().expect("small"),
                &*inner.router(name).expect("known"),
                &Budget::UNLIMITED,
            );
            assert_eq!(used.len(), 2 * usize::from(own.expect("small").vcs), "{base}: {name}");
        }
        assert_eq!(check(&whole, base), Vec::<String>::new());
    }
}

#[test]
fn the_routing_of_cubes_of_rings_is_shortest_and_can_deadlock() {
    let mut cycles = 0;
    for spec in ["rcr(2, 3, 2)", "rcr(1, 4, 3)", "rcr(2, 2, 2)", "ccc(3)", "ccc(4)"] {
        let built = build(spec).expect("a network");
        let network = built.network.clone().expect("small");
        let verdict = |name| {
            let router = built.router(name).expect("one of its routers");
            assert_eq!(survey(&*network, &*router).expect("it arrives").detour, 0, "{spec}");
            certify(&*network, &*router, &Budget::UNLIMITED).expect("small").is_free()
        };
        cycles += u32::from(!verdict("walk"));
        assert!(verdict("repaired"), "{spec}");
    }
    assert_eq!(cycles, 5);
}

/// `paper` is the routing of the paper, hop-plane, which is not shortest; the exact walk has a name of its own.
#[test]
fn the_paper_of_cubes_of_rings_hops_from_plane_to_plane() {
    let built = build("rcr(1, 4, 3)").expect("a network");
    let hops = |name: &str| {
        let router = built.router(name).expect("one of its routers");
        let network = built.network.as_deref().expect("small");
        walk(network, &*router, Node(0), Node(21), 0, 100).expect("it arrives").hops.len()
    };
    assert_eq!((hops("paper"), hops("hop_plane(nearest)"), hops("walk")), (7, 7, 5));
}

#[test]
fn huge_networks_are_routed_from_addresses() {
    for (spec, name) in [
        ("rdn(hypercube(3), 4)", "paper"),
        ("rdn(hypercube(3), 4)", "shortest"),
        ("rsn(hypercube(7), 4)", "paper"),
        ("rsn(hypercube(7), 4)", "shortest"),
        ("re(torus(4, 4), torus(4, 4), 14)", "paper"),
        ("re(torus(4, 4), torus(4, 4), 14)", "shortest"),
        ("rcr(2, 21, 40)", "shortest"),
        ("rdn(rsn(heawood, 3), 1)", "shortest"),
        ("root_folded(heawood, 16)", "paper"),
        ("flooded(heawood, 16)", "shortest"),
        ("hsn(hypercube(4), 15)", "digits"),
        ("hypernet(6, 4)", "direct"),
        ("re_heawood2(15)", "paper"),
    ] {
        let built = build(spec).expect("a network");
        let network = built.network.clone().expect("it fits");
        let router = built.router(name).expect("one of its routers");
        let order = network.order();
        for i in 0..40u64 {
            let from = Node(i.wrapping_mul(0x9e37_79b9_7f4a_7c15) % order);
            let to = Node((i + 7).wrapping_mul(0xd1b5_4a32_d192_ed03) % order);
            let path = walk(&*network, &*router, from, to, 0, router.longest().min(1 << 20));
            let hops = path.unwrap_or_else(|error| panic!("{spec}: {from} to {to}: {error}")).hops;
            if name == "shortest" {
                assert_eq!(network.distance(from, to), Some(hops.len() as u64), "{spec}");
            }
        }
    }
}
