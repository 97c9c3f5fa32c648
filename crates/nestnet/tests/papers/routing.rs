//! Routings of real networks: judged by distances that were computed independently, around faults, and disjoint paths.

use nestnet::measure::Watch;
use nestnet::random::{self, Failing};
use nestnet::route::{
    Against, Detouring, Faults, Proof, Survey, check_disjoint, disjoint_paths, sample, survey,
};
use nestnet::{Budget, Built, Node, Router, build, routers};
use std::sync::Arc;

fn router(built: &Built, name: &str) -> Arc<dyn Router> {
    routers::find(built, name).expect("a router of this network")
}

fn all_pairs(built: &Built, router: &dyn Router, faults: &Faults) -> Survey {
    let network = built.network.as_deref().expect("a small network");
    survey(network, router, faults, &Budget::UNLIMITED).expect("nothing stops it")
}

/// Slow tests search larger instances too.
fn most_nodes() -> u64 {
    if crate::slow() { 3000 } else { 300 }
}

#[test]
fn all_routes_arrive_and_shortest_ones_are_as_long_as_the_oracle_says() {
    let instances = crate::oracle_instances();
    let mut compared = 0;
    for instance in &instances {
        let spec = instance["spec"].as_str().expect("a spec");
        if instance["nodes"].as_u64().is_none_or(|nodes| nodes > most_nodes()) {
            continue;
        }
        let built = build(spec).expect("it is built");
        let network = built.network.as_deref().expect("a small network");
        if built.router("shortest").is_none() || network.hosts() < network.order() {
            continue;
        }
        for name in routers::names(&built) {
            // Those with many choices have many routes.
            if ["valiant", "ecmp", "optimized"].contains(&name.as_str()) && network.order() > 32 {
                continue;
            }
            let found = all_pairs(&built, &*router(&built, &name), &Faults::default());
            assert_eq!(found.arrived, found.pairs, "{spec}: {name}: {:?}", found.failure);
        }
        let found = all_pairs(&built, &*router(&built, "shortest"), &Faults::default());
        assert_eq!(found.arrived, found.pairs, "{spec}: {:?}", found.failure);
        if let Some(stretch) = found.max_stretch(Against::Alive) {
            assert_eq!(stretch, 1.0, "{spec}: {:?}", found.worst);
        }
        if let Some(oracle) = instance["distance_histogram"].as_array() {
            // A node's distance to itself is no route.
            let oracle = oracle.iter().skip(1).map(|count| count.as_u64().expect("a count"));
            let ours = found.histogram().into_iter().skip(1);
            assert!(ours.eq(oracle), "{spec}: {:?}", found.histogram());
            compared += 1;
        }
    }
    assert!(compared > 20, "only {compared} instances were compared");
}

#[test]
fn detours_deliver_all_that_is_connected() {
    for spec in
        ["rdn(petersen, 1)", "rsn(hypercube(2), 2)", "torus(7, 8)", "hypercube(6)", "ccc(4)"]
    {
        let built = build(spec).unwrap();
        let network = built.network.clone().unwrap();
        for (percent, failing) in [
            (2, Failing::Both),
            (5, Failing::Links),
            (5, Failing::Nodes),
            (10, Failing::Both),
            (30, Failing::Both),
        ] {
            let probability = f64::from(percent) / 100.0;
            let faults = random::faults(probability, failing, 11).unwrap();
            let inner = router(&built, "shortest");
            let around = Detouring::new(network.clone(), inner, Arc::new(faults.clone())).unwrap();
            let found = all_pairs(&built, &around, &faults);
            let case = format!("{spec}, {percent} % of {failing:?}: {:?}", found.failure);
            assert_eq!(found.arrived, found.pairs, "{case}");
            let hosts = network.hosts() - faults.count(&*network, &Watch::SILENT).unwrap().0;
            assert_eq!(found.pairs + found.unreachable, hosts * (hosts - 1), "{case}");
            let before = found.mean_stretch(Against::Intact);
            assert!(found.mean_stretch(Against::Alive) <= before, "{case}");
        }
    }
}

/// A plain router loses what a detour delivers.
#[test]
fn without_detours_messages_are_lost() {
    let built = build("torus(7, 8)").unwrap();
    let faults = random::faults(0.05, Failing::Links, 11).unwrap();
    let found = all_pairs(&built, &*router(&built, "shortest"), &faults);
    assert!(found.arrived < found.pairs, "{} of {}", found.arrived, found.pairs);
}

#[test]
fn huge_networks_are_sampled() {
    for spec in ["rdn(torus(5, 5), 3)", "rsn(hypercube(4), 4)", "hypercube(60)"] {
        let built = build(spec).unwrap();
        let network = built.network.clone().unwrap();
        let router = router(&built, "shortest");
        let none = Faults::default();
        let pairs = random::pairs(&*network, &*router, &none, 200, 5).unwrap();
        let found = sample(&*network, &*router, &none, &pairs, &Budget::UNLIMITED).unwrap();
        assert_eq!((found.pairs, found.arrived, found.loads), (200, 200, None), "{spec}");
        assert_eq!(found.max_stretch(Against::Alive), Some(1.0), "{spec}");
    }
}

/// A fault in the middle of a route of a network that nobody can search.
#[test]
fn detours_need_no_search_of_the_whole() {
    let built = build("rdn(torus(5, 5), 3)").unwrap();
    let network = built.network.clone().unwrap();
    let inner = router(&built, "shortest");
    let (from, to) = (Node(7), Node(19_000_000_000_000));
    let plain = nestnet::route::walk(&*network, &*inner, from, to, 0, 1000).unwrap();
    let mut faults = Faults::default();
    for step in plain.nodes[1..].windows(2).step_by(3) {
        faults.fail_link(step[0], step[1]);
    }
    faults.check(&*network).unwrap();
    let around = Detouring::new(network.clone(), inner, Arc::new(faults.clone())).unwrap();
    let found = nestnet::route::walk(&*network, &around, from, to, 0, 1000).unwrap();
    assert!(found.nodes.windows(2).all(|step| faults.passes(step[0], step[1])));
    assert!(found.hops.len() > plain.hops.len());
    assert!(found.hops.len() <= 2 * plain.hops.len(), "{}", found.hops.len());
}

#[test]
fn huge_networks_have_as_many_paths_as_links() {
    for (spec, from, to) in [
        ("rdn(torus(5, 5), 3)", 0, 19_531_249_999_999),
        ("rdn(petersen, 3)", 12_345, 12_799_999_999),
        ("rsn(hypercube(4), 4)", 0x1234_5678, 0xfeed_beef),
        ("rsn(hypercube(4), 4)", 0, u64::from(u32::MAX)),
        ("rsn(hypercube(4), 4)", 0x1234_5678, 0x5678_1234),
        ("re(torus(4, 4), torus(4, 4), 14)", 3, 1_000_000_000_000_000_000),
        ("hypercube(60)", 0, (1 << 60) - 1),
    ] {
        let network = build(spec).unwrap().network.unwrap();
        let (from, to) = (Node(from), Node(to));
        let found = disjoint_paths(&*network, from, to, 1 << 20, &Watch::SILENT).unwrap();
        assert_eq!(found.proof, Proof::Degrees, "{spec}: {} of {}", found.paths.len(), found.bound);
        assert_eq!(check_disjoint(&*network, from, to, &found.paths), Ok(()), "{spec}");
        let distance = network.distance(from, to).unwrap();
        assert!(found.paths.iter().all(|path| path.len() as u64 > distance), "{spec}");
    }
}

/// Where a network hangs on a node, a flow proves it.
#[test]
fn bottlenecks_are_proven() {
    let network = build("root_folded(heawood, 10)").unwrap().network.unwrap();
    let found = disjoint_paths(&*network, Node(5), Node(289_254_654_975), 1 << 20, &Watch::SILENT);
    let found = found.unwrap();
    assert_eq!((found.paths.len(), found.proof), (1, Proof::Flow));
    assert!(found.bound > 1);
}
