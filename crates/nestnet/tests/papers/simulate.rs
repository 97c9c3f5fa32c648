//! The simulator agrees with BookSim 2.0, point by point, on the configurations that were run with both.

use crate::slow;
use nestnet::sim::{Allocator, Config, Point, Random, Simulation, Status, Window};
use nestnet::{Budget, Built, Node, build, routers};
use rayon::prelude::*;
use serde_json::Value;

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

/// The network of a curve and the name of its router.
fn network(topology: &str) -> (Built, &'static str) {
    let (spec, router) = match topology {
        "mesh4x4" => ("mesh(4, 4)", "dor"),
        "torus4x4x4" => ("torus(4, 4, 4)", "dor"),
        "heawood" => ("heawood", "min"),
        other => panic!("{other}"),
    };
    (build(spec).expect("a network"), router)
}

/// Where a message goes: to anyone, oneself too, or with the halves of the bits exchanged.
fn destination(traffic: &str, hosts: u64) -> impl Fn(u64, &mut Random) -> Option<Node> + Sync {
    let half = hosts.ilog2() / 2;
    let transposed = traffic == "transpose";
    move |from, random| {
        let turned = (from & ((1 << half) - 1)) << half | from >> half;
        Some(Node(if transposed { turned } else { random.below(hosts) }))
    }
}

/// How many times more cycles than the other simulator had.
const LONGER: u64 = 3;

fn simulate(curve: &Value, point: &Value, params: &Value, seed: u64) -> Point {
    let (built, router) = network(curve["topology"].as_str().expect("a name"));
    let network = built.network.clone().expect("a small network");
    let router = routers::find(&built, router).expect("a router");
    let config = config(&params[curve["params"].as_str().expect("a name")], small(curve, "packet_size"));
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
        curve["topology"], curve["params"], curve["traffic"], curve["packet_size"], theirs["offered"]
    );
    for (what, key, value, tolerance) in rows {
        let expected = number(theirs, key);
        let off = value / expected - 1.0;
        if std::env::var_os("SHOW").is_some() {
            println!("{name}: {what} {value:.4} for {expected:.4}, {:+.2} %", 100.0 * off);
        }
        if off.abs() > tolerance {
            wrong.push(format!("{name}: {what} {value} for {expected}, {:+.2} %", 100.0 * off));
        }
    }
    if ours.status != Status::Ok {
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
        let good = good.filter(|point| point["status"] == "ok" && number(point, "offered") <= 0.8 * highest);
        let good: Vec<&Value> = good.collect();
        let some = [good.len() / 2, good.len() - 1];
        let chosen = |place: usize| slow() || some.contains(&place) && number_of_curve.is_multiple_of(2);
        points.extend((0..).zip(good).filter(|&(place, _)| chosen(place)).map(|(_, point)| (curve, point)));
    }
    let check = |&(curve, point): &(&Value, &Value)| {
        compare(curve, point, &simulate(curve, point, &file["param_sets"], 1))
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
        let beyond: Vec<&Value> = all.filter(|point| point["status"] == "throughput_only").collect();
        if !(slow() || place.is_multiple_of(4)) {
            return None;
        }
        let accepted = |&point: &&Value| simulate(curve, point, &file["param_sets"], 1).accepted;
        let ours = beyond.iter().map(accepted).fold(0.0, f64::max);
        let theirs = number(curve, "saturation_accepted_flits");
        let off = ours / theirs - 1.0;
        (off.abs() > 0.03).then(|| {
            format!("{} {} {} x{}: {ours} for {theirs}", curve["topology"], curve["params"], curve["traffic"], curve["packet_size"])
        })
    };
    let wrong: Vec<String> = curves.par_iter().enumerate().filter_map(check).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
