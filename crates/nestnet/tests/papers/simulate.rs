//! The simulator agrees with BookSim 2.0, point by point, on the configurations that were run with both.

use crate::slow;
use nestnet::route::Minimal;
use nestnet::sim::{Allocator, Config, Own, Point, Random, RunLength, Simulation, Status, Window};
use nestnet::simulated::{Routed, Sent, Setup};
use nestnet::throughput::{Ask, throughput};
use nestnet::{Budget, Csr, Network, Node, Router, build, routers};
use rayon::prelude::*;
use serde_json::Value;
use std::sync::Arc;

/// A number of the file.
fn number(value: &Value, key: &str) -> f64 {
    value[key].as_f64().unwrap_or_else(|| panic!("{key} in {value}"))
}

fn small(value: &Value, key: &str) -> u16 {
    u16::try_from(value[key].as_u64().expect("a count")).expect("a small count")
}

fn allocator(value: &Value) -> Allocator {
    match value.as_str() {
        Some("islip") => Allocator::Islip,
        Some("separable_input_first") => Allocator::SeparableInputFirst,
        other => panic!("{other:?}"),
    }
}

fn config(params: &Value, packet: u16) -> Config {
    Config {
        vcs: small(params, "num_vcs"),
        buffer: small(params, "vc_buf_size"),
        routing_delay: small(params, "routing_delay"),
        vc_delay: small(params, "vc_alloc_delay"),
        switch_delay: small(params, "sw_alloc_delay"),
        st_delay: small(params, "st_final_delay"),
        credit_delay: small(params, "credit_delay"),
        input_speedup: small(params, "input_speedup"),
        vc_allocator: allocator(&params["vc_allocator"]),
        switch_allocator: allocator(&params["sw_allocator"]),
        packets: vec![(packet, 1.0)],
        ..Config::default()
    }
}

/// The network of a curve and its router.
fn network(topology: &str, file: &Value) -> (Arc<dyn Network>, Arc<dyn Router>) {
    let spec = match topology {
        "mesh4x4" => "mesh(4, 4)",
        "torus4x4x4" => "torus(4, 4, 4)",
        "heawood" => {
            // Its numbers decide which of several shortest paths is taken.
            let lines = file["heawood"].as_str().expect("a text").lines();
            let number = |word: &str| word.trim().parse::<u32>().expect("a number");
            let of_line = |line: &str| {
                let mut words = line.split("router ").skip(1);
                let at = number(words.next()?.split(" node").next()?);
                Some(words.map(|word| (at, number(word))).collect::<Vec<_>>())
            };
            let links: Vec<(u32, u32)> = lines.filter_map(of_line).flatten().collect();
            let network = Csr::from_links(14, &links, 1 << 20).expect("a graph");
            let network: Arc<dyn Network> = Arc::new(network);
            let router = Minimal::new(network.clone(), &Budget::UNLIMITED).expect("it is small");
            return (network, Arc::new(router));
        }
        other => panic!("{other}"),
    };
    let built = build(spec).expect("a network");
    let router = routers::find(&built, "dor").expect("a router");
    (built.network.expect("a small network"), router)
}

/// Where a message goes: to anyone, oneself too, or with the upper and lower bits exchanged.
fn destination(traffic: &str, hosts: u64) -> impl Fn(u64, u64, &mut Random) -> Option<Node> + Sync {
    let half = hosts.ilog2() / 2;
    let transposed = traffic == "transpose";
    move |from, _, random| {
        let turned = (from & ((1 << half) - 1)) << half | from >> half;
        Some(Node(if transposed { turned } else { random.below(hosts) }))
    }
}

/// How many times more cycles than the other simulator had.
const LONGER: u64 = 3;

fn simulate(curve: &Value, point: &Value, file: &Value, seed: u64) -> Point {
    let (network, router) = network(curve["topology"].as_str().expect("a name"), file);
    let config = config(
        &file["param_sets"][curve["params"].as_str().expect("a name")],
        small(curve, "packet_size"),
    );
    let period = point["period"].as_u64().expect("a count");
    let window = Window {
        warmup: period * point["warmup"].as_u64().expect("a count"),
        cycles: 3 * LONGER * period,
    };
    let traffic = destination(curve["traffic"].as_str().expect("a name"), network.hosts());
    let simulation = Simulation::new(&*network, &*router, &config, &Budget::UNLIMITED);
    let simulation = simulation.expect("a network that can be simulated");
    let load = number(point, "offered");
    simulation.point(&traffic, load, window, seed, &Budget::UNLIMITED).expect("it runs")
}

/// What is wrong with a point, if anything.
fn compare(curve: &Value, theirs: &Value, ours: &Point) -> Vec<String> {
    let sigma = (1.0 / number(theirs, "packets") + 1.0 / ours.packets as f64).sqrt();
    let rows = [
        ("packet latency", "packet_latency", ours.packet_latency.mean, 0.02f64.max(1.2 * sigma)),
        ("network latency", "network_latency", ours.network_latency, 0.02f64.max(1.2 * sigma)),
        ("accepted", "accepted", ours.accepted, 0.01f64.max(3.0 * sigma)),
        ("hops", "hops", ours.hops + 1.0, 0.005f64.max(1.5 * sigma)),
    ];
    let mut wrong = Vec::new();
    let name = format!(
        "{} {} {} x{} @{}",
        curve["topology"],
        curve["params"],
        curve["traffic"],
        curve["packet_size"],
        theirs["offered"]
    );
    for (what, key, value, tolerance) in rows {
        let expected = number(theirs, key);
        let off = value / expected - 1.0;
        if off.abs() > tolerance {
            wrong.push(format!("{name}: {what} {value} for {expected}, {:+.2} %", 100.0 * off));
        }
    }
    if !matches!(ours.status, Status::Ok | Status::NotConverged) {
        wrong.push(format!("{name}: {}", ours.status));
    }
    wrong
}

#[test]
fn points_are_those_of_booksim2() {
    let file: Value = serde_json::from_str(include_str!("../data/booksim2.json")).expect("JSON");
    let curves = file["curves"].as_array().expect("curves");
    let mut points = Vec::new();
    for (number_of_curve, curve) in curves.iter().enumerate() {
        let highest = number(curve, "highest_ok_rate");
        let good = curve["points"].as_array().expect("points").iter();
        let good = good
            .filter(|point| point["status"] == "ok" && number(point, "offered") <= 0.8 * highest);
        let good: Vec<&Value> = good.collect();
        let some = [good.len() / 2, good.len() - 1];
        let chosen =
            |place: usize| slow() || some.contains(&place) && number_of_curve.is_multiple_of(2);
        points.extend(
            (0..).zip(good).filter(|&(place, _)| chosen(place)).map(|(_, point)| (curve, point)),
        );
    }
    let check = |&(curve, point): &(&Value, &Value)| {
        compare(curve, point, &simulate(curve, point, &file, 1))
    };
    let wrong: Vec<String> = points.par_iter().flat_map_iter(check).collect();
    assert!(wrong.is_empty(), "of {} points:\n{}", points.len(), wrong.join("\n"));
}

#[test]
fn saturation_is_that_of_booksim2() {
    let file: Value = serde_json::from_str(include_str!("../data/booksim2.json")).expect("JSON");
    let curves = file["curves"].as_array().expect("curves");
    let check = |(place, curve): (usize, &Value)| {
        let all = curve["points"].as_array().expect("points").iter();
        let beyond: Vec<&Value> =
            all.filter(|point| point["status"] == "throughput_only").collect();
        if !(slow() || place.is_multiple_of(4)) {
            return None;
        }
        let accepted = |&point: &&Value| simulate(curve, point, &file, 1).accepted;
        let ours = beyond.iter().map(accepted).fold(0.0, f64::max);
        let theirs = number(curve, "saturation_accepted_flits");
        let off = ours / theirs - 1.0;
        (off.abs() > 0.03).then(|| {
            format!(
                "{} {} {} x{}: {ours} for {theirs}",
                curve["topology"], curve["params"], curve["traffic"], curve["packet_size"]
            )
        })
    };
    let wrong: Vec<String> = curves.par_iter().enumerate().filter_map(check).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// One load on a network by one of its routers, with as many virtual channels as that has.
fn run(spec: &str, router: &str, load: f64, cycles: u64, own: Own) -> Point {
    run_on(None, spec, router, load, cycles, own)
}

/// The same on that many virtual channels.
fn run_on(vcs: Option<u16>, spec: &str, router: &str, load: f64, cycles: u64, own: Own) -> Point {
    let built = build(spec).expect("a network");
    let routed = Routed { by: Some(router), vcs, ..Routed::default() };
    let config = Config { vcs: 1, buffer: 2, packets: vec![(4, 1.0)], ..Config::default() };
    let setup = Setup::new(&built, routed, config, &Budget::UNLIMITED).expect("a router");
    let length = RunLength::Fixed(Window { warmup: 0, cycles });
    let sent = Sent { own, loads: &[load], length, ..Sent::UNIFORM };
    let mut found = setup.run(&sent, &Budget::UNLIMITED).expect("it runs");
    found.curve.points.pop().expect("a point")
}

#[test]
fn the_published_virtual_channels_of_a_cube_of_rings_lock_up() {
    let point = run("rcr(2, 4, 2)", "paper", 1.0, 1_000_000, Own::Sent);
    assert_eq!(point.status, Status::Deadlock);
    assert!(point.deadlock_cycle.len() >= 2 && point.cycles < 1_000_000);
}

#[test]
fn the_repaired_ones_run_on_beyond_saturation() {
    let cycles = if slow() { 1_000_000 } else { 20_000 };
    let point = run("rcr(2, 4, 2)", "repaired", 1.0, cycles, Own::Sent);
    assert_eq!((point.status, point.cycles), (Status::Saturated, cycles));
    assert!(point.accepted > 0.1, "{}", point.accepted);
}

#[test]
fn a_ring_locks_up_on_one_virtual_channel_and_not_across_its_dateline() {
    for spec in ["ring(8)", "torus(5, 5)"] {
        let point = run_on(Some(1), spec, "shortest", 1.0, 1_000_000, Own::Sent);
        assert_eq!(point.status, Status::Deadlock, "{spec}");
        let cycles = if slow() { 1_000_000 } else { 20_000 };
        let point = run(spec, "shortest", 1.0, cycles, Own::Sent);
        assert_eq!((point.status, point.cycles), (Status::Saturated, cycles), "{spec}");
    }
}

/// Networks of all kinds whose saturation is held to what is proven.
const BOUNDED: [(&str, &str); 20] = [
    ("ring(8)", "shortest"),
    ("torus(4, 4)", "shortest"),
    ("torus(5, 5)", "shortest"),
    ("mesh(4, 4)", "shortest"),
    ("hypercube(4)", "shortest"),
    ("petersen", "shortest"),
    ("heawood", "shortest"),
    ("complete(8)", "shortest"),
    ("rdn(ring(3), 1)", "shortest"),
    ("rdn(ring(4), 1)", "paper"),
    ("rsn(ring(4), 2)", "paper"),
    ("hcn(2)", "shortest"),
    ("ccc(3)", "shortest"),
    ("rcr(2, 4, 2)", "repaired"),
    ("star_graph(4)", "shortest"),
    ("debruijn(2, 4)", "shortest"),
    ("kautz(2, 3)", "shortest"),
    ("dragonfly(4, 2)", "shortest"),
    ("random_regular(20, 3, 1)", "shortest"),
    ("hosts(ring(5), 2)", "shortest"),
];

#[test]
fn nothing_beats_what_throughput_proves() {
    let check = |&(spec, router): &(&str, &str)| {
        let built = build(spec).expect("a network");
        let ask = Ask { router, gap: None, ..Ask::default() };
        let proven = throughput(&built, &ask, &Budget::UNLIMITED).expect("it is known").theta.value;
        let cycles = if slow() { 40_000 } else { 4000 };
        let accepted = run(spec, router, 1.0, cycles, Own::LeftOut).accepted;
        // What is accepted beyond saturation is an average, and a permutation could pass; uniform traffic cannot but by
        // chance and by what leaves the queues.
        (accepted > 1.01 * proven).then(|| format!("{spec} {router}: {accepted} > {proven}"))
    };
    let wrong: Vec<String> = BOUNDED.par_iter().filter_map(check).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Networks of all papers and baselines, routers, flits of a packet and loads: some saturated, some that adapt.
const DIVIDED: [(&str, &str, u16, f64); 28] = [
    ("rdn(torus(3, 3), 1)", "shortest", 1, 0.1),
    ("rdn(hypercube(2), 1)", "shortest", 4, 0.9),
    ("rsn(hypercube(2), 2)", "shortest", 1, 0.2),
    ("rcr(2, 3, 1)", "shortest", 2, 0.3),
    ("hcn(2)", "shortest", 3, 0.2),
    ("folded(complete(3), 2)", "shortest", 1, 0.5),
    ("root_folded(complete(3), 2)", "shortest", 2, 0.2),
    ("ccc(3)", "shortest", 1, 0.2),
    ("heawood", "shortest", 1, 0.7),
    ("torus(4, 4)", "dor", 1, 0.3),
    ("torus(4, 4)", "dor", 8, 1.0),
    ("torus(3, 4, 5)", "adaptive", 2, 0.6),
    ("mesh(5, 4)", "dor", 5, 0.15),
    ("mesh(4, 4)", "valiant", 1, 0.2),
    ("ring(9)", "min", 8, 1.0),
    ("hypercube(5)", "shortest", 1, 0.4),
    ("dragonfly(4, 2)", "shortest", 1, 0.2),
    ("dragonfly(4, 2)", "ugal", 1, 0.4),
    ("fat_tree(4)", "shortest", 2, 0.5),
    ("fat_tree(4)", "adaptive", 1, 0.9),
    ("slimfly(5)", "shortest", 1, 0.3),
    ("hyperx(3, 4)", "shortest", 1, 0.5),
    ("debruijn(2, 4)", "shortest", 1, 0.2),
    ("kautz(2, 3)", "shortest", 3, 0.2),
    ("star_graph(4)", "shortest", 1, 0.3),
    ("random_regular(24, 4, 1)", "min", 2, 0.5),
    ("hosts(ring(6), 3)", "shortest", 1, 0.2),
    ("polarfly(3)", "polarized", 1, 0.4),
];

#[test]
fn threads_give_the_same_bytes_on_all_families() {
    let mut divided = 0;
    for (spec, router, packet, load) in DIVIDED {
        let built = build(spec).unwrap_or_else(|error| panic!("{spec}: {error}"));
        let routed = Routed { by: Some(router), ..Routed::default() };
        let config = Config { packets: vec![(packet, 1.0)], ..Config::default() };
        let setup = Setup::new(&built, routed, config, &Budget::UNLIMITED)
            .unwrap_or_else(|error| panic!("{spec} {router}: {error}"));
        let window = Window { warmup: 30, cycles: 60 };
        let on = |threads| {
            let simulation = setup.simulation(&Budget::UNLIMITED).expect("a simulation");
            let destination = destination("uniform", simulation.hosts());
            let simulation = simulation.on_threads(threads);
            let point = simulation.point(&destination, load, window, 3, &Budget::UNLIMITED);
            let point = point.unwrap_or_else(|error| panic!("{spec} {router}: {error}"));
            (serde_json::to_string(&point).expect("text"), simulation.is_divisible())
        };
        let one = on(1);
        divided += usize::from(one.1);
        assert!([2, 3].into_iter().all(|threads| on(threads) == one), "{spec} {router}: {one:?}");
    }
    assert_eq!(divided, DIVIDED.len() - 1, "but for ugal");
}
