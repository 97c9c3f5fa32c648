//! How much hosts can send, against loads and linear programs that were computed independently, as exact fractions.

use nestnet::measures::{Analysis, Limits};
use nestnet::throughput::{Ask, Exact, Throughput, throughput};
use nestnet::{Budget, Distances, Node, build};
use serde_json::Value;
use std::fs;

fn data() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/throughput.json");
    serde_json::from_slice(&fs::read(path).expect("the data is there")).expect("JSON")
}

fn ask(spec: &str, traffic: &str, router: &str, gap: Option<f64>) -> Throughput {
    let built = build(spec).unwrap_or_else(|error| panic!("{spec}: {error}"));
    let ask = Ask { traffic, router, gap, ..Ask::default() };
    let found = throughput(&built, &ask, &Budget::UNLIMITED);
    found.unwrap_or_else(|error| panic!("{spec} {traffic} {router}: {error}"))
}

fn fraction(exact: &Exact) -> String {
    exact.fraction.as_ref().expect("an exact fraction").to_string()
}

fn network_theta(found: &Throughput) -> String {
    fraction(found.network_theta.as_ref().expect("links are used"))
}

/// The networks of the data, with their specs.
fn networks(data: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let all = data["networks"].as_array().expect("a list").iter();
    all.map(|network| (network["spec"].as_str().expect("a spec"), network))
}

#[test]
fn uniform_and_worst_loads_are_exact() {
    let data = data();
    for (spec, network) in networks(&data) {
        for (router, theta) in network["uniform"].as_object().unwrap() {
            let found = ask(spec, "uniform", router, None);
            assert_eq!(network_theta(&found), theta.as_str().unwrap(), "{spec} {router}");
            assert_eq!(found.hosts, network["hosts"].as_u64().unwrap(), "{spec}");
            let links = network["switch_links"].as_u64().unwrap();
            assert_eq!(found.fabric.csr.links(), links, "{spec}");
        }
        for (router, theta) in network["worst"].as_object().into_iter().flatten() {
            let found = ask(spec, "worst", router, None);
            assert_eq!(network_theta(&found), theta.as_str().unwrap(), "{spec} {router}");
            let mut to = found.permutation.expect("the certificate");
            to.sort_unstable();
            assert!(to.into_iter().eq(0..found.hosts), "{spec}");
        }
    }
}

/// Within the time of a test the bounds are wide on some, and must hold the optimum all the same.
#[test]
fn bounds_for_any_routing_hold_the_optimum() {
    let data = data();
    for (spec, network) in networks(&data) {
        let built = build(spec).unwrap();
        let budget = Budget { steps: Budget::default().steps / 40, ..Budget::default() };
        let ask = Ask { gap: Some(0.02), ..Ask::default() };
        let found = throughput(&built, &ask, &budget).unwrap();
        let tub = found.tub.expect("asked for").expect("small");
        assert_eq!(fraction(&tub.theta), network["tub"].as_str().unwrap(), "{spec}");
        let bounds = found.any_routing.expect("links are used").expect("small");
        if let Some(optimum) = network["mcf_uniform"].as_f64() {
            let holds =
                bounds.low <= optimum * (1.0 + 1e-6) && optimum <= bounds.high * (1.0 + 1e-6);
            assert!(holds, "{spec}: {optimum} is not in {} to {}", bounds.low, bounds.high);
        }
    }
}

#[test]
fn textbook_values_agree() {
    let data = data();
    let rows = |key: &str| data["textbook"][key].as_array().unwrap().clone();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    for row in rows("tornado_ring") {
        let found = ask(&text(&row["spec"]), "tornado", "all_paths", None);
        assert_eq!(network_theta(&found), text(&row["network_theta_shortest"]), "{row}");
    }
    for row in rows("uniform_torus") {
        let found = ask(&text(&row["spec"]), "uniform", "all_paths", None);
        assert_eq!(network_theta(&found), text(&row["network_theta_self_excluded"]), "{row}");
        assert_eq!(fraction(&found.theta), text(&row["theta_self_excluded"]), "{row}");
        let per_hop = ask(&text(&row["spec"]), "uniform", "per_hop", None);
        assert_eq!(network_theta(&per_hop), text(&row["per_hop_equal_split"]), "{row}");
    }
    for row in rows("uniform_hypercube") {
        for router in ["all_paths", "per_hop", "shortest"] {
            let found = ask(&text(&row["spec"]), "uniform", router, None);
            assert_eq!(network_theta(&found), text(&row["network_theta_self_excluded"]), "{row}");
        }
    }
    for row in rows("named_permutations") {
        let spec = text(&row["spec"]);
        for (traffic, values) in row.as_object().unwrap().iter().filter(|(key, _)| *key != "spec") {
            for router in ["all_paths", "per_hop"] {
                let Some(theta) = values[router].as_str() else { continue };
                let found = ask(&spec, traffic, router, None);
                assert_eq!(network_theta(&found), theta, "{spec} {traffic} {router}");
            }
        }
    }
}

#[test]
fn valiant_gives_every_permutation_the_same() {
    for traffic in ["bit_complement", "shift(1)", "shift(5)"] {
        let found = ask("hypercube(4)", traffic, "valiant", None);
        assert_eq!(network_theta(&found), "1", "{traffic}");
    }
}

#[test]
fn a_crossbar_carries_every_permutation() {
    for traffic in ["uniform", "tornado", "bit_reverse", "permutation(3)"] {
        let found = ask("hosts(complete(1), 16)", traffic, "all_paths", Some(0.01));
        assert_eq!(
            (fraction(&found.theta).as_str(), found.network_theta),
            ("1", None),
            "{traffic}"
        );
        assert!(found.any_routing.is_none() && found.tub.is_none());
    }
}

#[test]
fn what_hosts_receive_counts_too() {
    // Half of what all others send ends at one host.
    let found = ask("hosts(complete(1), 5)", "hotspot(50%)", "all_paths", None);
    // 4 · (1/2 + 1/2 · 1/4) = 5/2.
    assert_eq!(fraction(&found.theta), "2/5");
}

/// Between hosts of hosts(B, p), against a search from every host in the links themselves.
#[test]
fn hosts_of_every_instance_are_as_far_apart_as_links_say() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/instances.json");
    let all: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    let instances = all.as_array().or_else(|| all["instances"].as_array()).expect("a list");
    let most = if std::env::var_os("SLOW_TESTS").is_some() { 3000 } else { 200 };
    let mut seen = 0;
    for instance in instances {
        let spec = instance["spec"].as_str().expect("a spec");
        let Ok(base) = build(spec) else { continue };
        let fits = base.network.as_ref().is_some_and(|network| network.order() <= most);
        if !fits || !base.theory.connected() || base.theory.hosts() != base.theory.order() {
            continue;
        }
        for p in [1, 3] {
            let spec = format!("hosts({spec}, {p})");
            let built = build(&spec).unwrap_or_else(|error| panic!("{spec}: {error}"));
            let network = built.network.as_ref().unwrap();
            let hosts = usize::try_from(network.hosts()).unwrap();
            let mut counts: Vec<u64> = Vec::new();
            for from in (0..network.hosts()).map(Node) {
                let distances = nestnet::measure::search::distances_from(&**network, from);
                for &distance in &distances[..hosts] {
                    let at = distance as usize;
                    counts.resize(counts.len().max(at + 1), 0);
                    counts[at] += 1;
                }
            }
            let plain = Distances::new(counts);
            let subject = Analysis::new(&built, Limits::default());
            let found = subject.between_hosts();
            let (histogram, _) = found.histogram.as_ref().unwrap_or_else(|| panic!("{spec}"));
            assert_eq!(histogram, &plain, "{spec}");
            let diameter = found.diameter.as_ref().and_then(|known| known.exact()).cloned();
            assert_eq!(diameter, Some(plain.longest().into()), "{spec}");
            seen += 1;
        }
    }
    assert!(seen > 100, "only {seen} networks were looked at");
}

/// What hosts send and receive over their own links is counted beside what links between switches carry.
#[test]
fn links_of_hosts_have_loads_too() {
    let found = ask("clos(8, 2)", "uniform", "all_paths", None);
    let fabric: Vec<_> = found.channels().collect();
    assert!(
        fabric.len() == 64 && fabric.iter().all(|(.., load)| (load - 28.0 / 31.0).abs() < 1e-12)
    );
    let hosts: Vec<_> = found.host_channels().collect();
    assert!(hosts.len() == 64 && hosts.iter().all(|&(.., load)| load == 1.0), "{hosts:?}");
    assert_eq!(hosts[..2], [(Node(0), Node(32), 1.0), (Node(32), Node(0), 1.0)]);
    assert_eq!(found.all_channels().count(), 128);
    // Half of what every host sends goes to host 1, which receives more than it sends.
    let found = ask("hosts(ring(3), 2)", "hotspot(0.5, 1)", "all_paths", None);
    let hosts: Vec<_> = found.host_channels().map(|(.., load)| load).collect();
    assert!(hosts.iter().step_by(2).all(|&sent| (sent - 1.0).abs() < 1e-12), "{hosts:?}");
    let most = hosts.iter().copied().fold(0.0, f64::max);
    assert!(hosts[3] == most && (most - found.theta.value.recip()).abs() < 1e-9, "{hosts:?}");
    // Where all nodes are hosts there are no other links.
    assert_eq!(ask("petersen", "uniform", "all_paths", None).host_channels().count(), 0);
}
