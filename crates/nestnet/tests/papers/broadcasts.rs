//! Every broadcast informs every node exactly once, from every root, and none is quicker than possible.

use nestnet::broadcasts::{Algorithm, broadcast, default_ports};
use nestnet::collective::broadcast::lower_bound;
use nestnet::collective::{Goal, Model, Ports, Repeats, Schedule, check};
use nestnet::{Budget, Built, Node, build};
use serde_json::Value;

fn specs(most: u64) -> Vec<String> {
    let instances = crate::oracle_instances();
    let small = |instance: &&Value| instance["nodes"].as_u64().is_some_and(|nodes| nodes <= most);
    let spec = |instance: &Value| instance["spec"].as_str().expect("a spec").to_owned();
    instances.iter().filter(small).map(spec).collect()
}

/// The steps of its own broadcast from `root`, or of ours where its paper goes to a root first, which must inform every
/// node once.
fn own_steps(built: &Built, spec: &str, root: Node) -> u64 {
    let network = built.network.as_deref().expect("small");
    let ours = built.schedules().first().map(|(_, ours)| ours.clone());
    let own = ours.or_else(|| built.own_broadcast()).expect("it has one");
    let model = Model { ports: own.ports(), repeats: Repeats::Forbidden };
    let goal = Goal::Broadcast { root };
    let cost = check(network, model, goal, own.from(root), &Budget::UNLIMITED);
    let cost = cost.unwrap_or_else(|error| panic!("{spec} from {root}: {error}"));
    assert_eq!(cost.transfers, network.order() - 1, "{spec} from {root}");
    assert!(cost.steps >= lower_bound(network, root, own.ports()), "{spec} from {root}");
    cost.steps
}

#[test]
fn every_own_broadcast_informs_every_node_once_from_every_root() {
    let slow = crate::slow();
    let mut seen = 0;
    for spec in specs(if slow { 700 } else { 130 }) {
        let built = build(&spec).expect("a network");
        if built.own_broadcast().is_none() {
            continue;
        }
        let order = built.network.as_deref().expect("small").order();
        (0..order).for_each(|root| _ = own_steps(&built, &spec, Node(root)));
        seen += 1;
    }
    assert!(seen > 100, "only {seen} networks have a broadcast");
}

#[test]
fn the_best_is_no_slower_than_the_paper_s() {
    for spec in specs(100) {
        let built = build(&spec).expect("a network");
        if !built.theory.connected() {
            continue;
        }
        for ports in [Ports::One, Ports::All] {
            let run = |algorithm| broadcast(&built, Node(0), algorithm, ports, &Budget::UNLIMITED);
            let best = run(Algorithm::Best).unwrap_or_else(|error| panic!("{spec}: {error}"));
            assert!(best.cost.steps >= best.lower_bound, "{spec}");
            assert_eq!(best.cost.repeats, 0, "{spec}");
            if let Ok(paper) = run(Algorithm::Paper) {
                assert!(best.cost.steps <= paper.cost.steps, "{spec}");
            }
            if ports == Ports::All {
                assert_eq!(best.cost.steps, best.lower_bound, "{spec}");
            }
        }
    }
}

/// The steps of a network's own broadcast from its worst root.
fn worst(spec: &str) -> u64 {
    let built = build(spec).expect("a network");
    let order = built.network.as_deref().expect("small").order();
    (0..order).map(|root| own_steps(&built, spec, Node(root))).max().unwrap_or(0)
}

#[test]
fn steps_are_what_the_papers_say_where_they_are_right() {
    // Theorem 3 of dual-nets, with equality from every root: 2^k·B + 2^(k+1) - 2.
    for (spec, steps) in [
        ("rdn(ring(3), 1)", 6),
        ("rdn(ring(3), 2)", 14),
        ("rdn(ring(5), 1)", 8),
        ("dual_cube(4)", 8),
        ("rdn(complete(4), 1)", 6),
    ] {
        let built = build(spec).expect("a network");
        assert_eq!(built.own_broadcast().expect("its own").claimed(), Some(steps), "{spec}");
        let order = built.network.as_deref().expect("small").order();
        for root in (0..order).map(Node) {
            assert_eq!(own_steps(&built, spec, root), steps, "{spec} from {root}");
        }
    }
    // Basic-Broadcasting takes three steps, in each of n dimensions.
    assert_eq!(worst("heawood"), 3);
    assert_eq!(worst("folded(heawood, 2)"), 6);
    // Root-folded networks, copy by copy: from the farthest node to the top copy and from there to the farthest.
    assert_eq!(worst("root_folded(heawood, 2)"), 9);
    assert_eq!(worst("flooded(heawood, 2)"), 9);
}

/// RFH_n- and σFH_n-Broadcasting go to the root and from there to everybody: up to 6n steps, and those on the way are
/// informed again. That is `paper`; ours goes copy by copy and is `copies`.
#[test]
fn the_paper_s_broadcast_goes_through_the_root() {
    for spec in ["root_folded(heawood, 2)", "flooded(heawood, 2)"] {
        let built = build(spec).expect("a network");
        let order = built.network.as_deref().expect("small").order();
        let run = |name: &str, root| {
            let algorithm = Algorithm::of(&built, name).expect("a known one");
            let budget = Budget::UNLIMITED;
            broadcast(&built, Node(root), algorithm, Ports::All, &budget)
                .expect("it reaches all")
                .cost
        };
        let worst = |name: &str| (0..order).map(|root| run(name, root).steps).max();
        assert_eq!((worst("paper"), worst("copies")), (Some(12), Some(9)), "{spec}");
        assert!((0..order).any(|root| run("paper", root).repeats > 0), "{spec}");
        assert!((0..order).all(|root| run("copies", root).repeats == 0), "{spec}");
    }
}

#[test]
fn the_bound_for_cubes_of_rings_is_one_of_their_model() {
    let compare = |spec: &str| {
        let built = build(spec).expect("a network");
        let own = built.own_broadcast().expect("its own");
        let modeled = own.modeled(Node(0)).expect("a model");
        (worst(spec), modeled, own.claimed().expect("Theorem 2"))
    };
    // h - 1 levels and a step in the rings, where the theorem says one more.
    let (links, modeled, claimed) = compare("rcr(2, 2, 2)");
    assert_eq!((modeled.steps, modeled.missed, claimed), (5, 0, 6));
    assert!(links > modeled.steps, "{links}");
    let (_, modeled, claimed) = compare("rcr(2, 4, 3)");
    assert!(modeled.steps <= claimed && modeled.missed == 0, "{modeled:?} of {claimed}");
    // In links no broadcast is quicker than the way to the farthest node, which is longer than the bound.
    let built = build("ccc(8)").expect("a network");
    let claimed = built.own_broadcast().expect("its own").claimed().expect("Theorem 2");
    assert!(built.theory.diameter().expect("known").low > claimed.into());
}

#[test]
fn a_paper_s_ports_are_its_own() {
    let ports = |spec: &str| default_ports(&build(spec).expect("a network"));
    assert_eq!(ports("rdn(petersen, 1)"), Ports::One);
    assert_eq!(ports("heawood"), Ports::All);
    assert_eq!(ports("rsn(ring(3), 2)"), Ports::One);
    let heawood = build("heawood").expect("a network");
    let one = broadcast(&heawood, Node(0), Algorithm::Paper, Ports::One, &Budget::UNLIMITED);
    assert!(one.unwrap_err().to_string().contains("all ports"));
}

#[test]
fn one_transfer_less_or_twice_or_elsewhere_is_caught() {
    let built = build("rdn(ring(3), 1)").expect("a network");
    let network = built.network.as_deref().expect("small");
    let own = built.own_broadcast().expect("its own");
    let model = Model { ports: Ports::One, repeats: Repeats::Forbidden };
    let whole = Schedule::collect(own.from(Node(4)));
    let judge = |schedule: &Schedule| {
        let goal = Goal::Broadcast { root: Node(4) };
        check(network, model, goal, schedule.stream(), &Budget::UNLIMITED)
    };
    assert!(judge(&whole).is_ok());
    for (i, step) in whole.steps.iter().enumerate() {
        for (j, &transfer) in step.iter().enumerate() {
            let changed = |change: &dyn Fn(&mut Schedule)| {
                let mut schedule = whole.clone();
                change(&mut schedule);
                judge(&schedule).expect_err("it is wrong").to_string()
            };
            let removed = changed(&|schedule| _ = schedule.steps[i].remove(j));
            assert!(removed.contains("not hold"), "{removed}");
            let doubled = changed(&|schedule| schedule.steps[i].push(transfer));
            let from = transfer.from;
            assert!(doubled.contains(&format!("from {from} to")), "{doubled}");
            let again = changed(&|schedule| schedule.steps.push(vec![transfer]));
            assert!(again.contains("holds it already"), "{again}");
            let nowhere = changed(&|schedule| schedule.steps[i][j].port.0 = 7);
            assert_eq!(nowhere, format!("step {}: node {from} has no link at port 7", i + 1));
        }
    }
}
