//! What is left after faults is what NetworkX finds, trial by trial (`xtask/resilience.py`).

use nestnet::fabric::Fabric;
use nestnet::resilience::{Also, Failing, trial_and};
use nestnet::{Budget, build};
use serde_json::Value;

#[test]
fn ten_networks_are_left_as_networkx_says() {
    let text = include_str!("../data/resilience.json");
    let instances: Vec<Value> = serde_json::from_str(text).expect("JSON");
    assert_eq!(instances.len(), 10);
    for instance in &instances {
        let spec = instance["spec"].as_str().expect("a spec");
        let network = build(spec).unwrap().network.unwrap();
        let fabric = Fabric::of(&*network, &Budget::default()).unwrap();
        let what = Failing::named(instance["fail"].as_str().expect("a name")).expect("what fails");
        let rate = instance["rate"].as_f64().expect("a rate");
        let also = Also { throughput: true, ..Also::default() };
        for (seed, oracle) in (1..).zip(instance["trials"].as_array().expect("trials")) {
            let found = trial_and(&fabric, what, rate, seed, also, &Budget::default()).unwrap();
            let near = |ours: f64, key: &str| {
                let theirs = oracle[key].as_f64().expect("a number");
                assert!((ours - theirs).abs() < 1e-9, "{spec} {seed} {key}: {ours}, {theirs}");
            };
            near(found.failed as f64, "failed");
            near(found.hosts_lost as f64, "hosts_lost");
            near(found.diameter as f64, "diameter");
            near(found.mean, "mean");
            near(found.more.throughput.expect("asked for"), "throughput");
            assert_eq!(oracle["connected"], found.connected, "{spec} {seed}");
        }
    }
}
