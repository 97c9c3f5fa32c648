//! Every instance that was computed independently by brute force agrees: nodes, links, degrees, the very links.

use nestnet::format::edges;
use nestnet::{Degrees, Network, build};
use serde_json::Value;
use sha2::{Digest, Sha256};

fn edges_sha256(network: &dyn Network) -> String {
    let mut text = Vec::new();
    edges::write(network, &mut text, |_| true).expect("writing to memory");
    Sha256::digest(&text).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn check(instance: &Value) -> Result<(), String> {
    let spec = instance["spec"].as_str().expect("a spec");
    let built = build(spec).map_err(|error| error.to_string())?;
    let network = built.network.as_deref().ok_or("not built")?;
    let same = |what: &str, ours: String, oracle: &Value| {
        let oracle = oracle.to_string();
        (ours == oracle).then_some(()).ok_or(format!("{what}: {ours}, oracle {oracle}"))
    };
    same("nodes", network.order().to_string(), &instance["nodes"])?;
    same("nodes by theory", built.theory.order().to_string(), &instance["nodes"])?;
    let measured = Degrees::measured(network);
    same("links", measured.links.to_string(), &instance["links"])?;
    let counts = measured.counts.clone().expect("measured");
    let histogram: serde_json::Map<String, Value> = counts
        .iter()
        .map(|(degree, count)| (degree.to_string(), count.to_string().parse().expect("a number")))
        .collect();
    if Value::Object(histogram) != instance["degree_histogram"] {
        return Err(format!("degrees: {counts:?}, oracle {}", instance["degree_histogram"]));
    }
    if measured != built.theory.degrees() {
        return Err(format!(
            "degrees by theory: {:?}, counted {measured:?}",
            built.theory.degrees()
        ));
    }
    same("connected", built.theory.connected().to_string(), &instance["connected"])?;
    if let Some(diameter) = instance["diameter"].as_u64()
        && let Some(known) = built.theory.diameter()
        && !(known.low <= diameter.into() && known.high >= diameter.into())
    {
        return Err(format!("diameter: {known:?}, oracle {diameter}"));
    }
    if let (Some(oracle), Some(ours)) =
        (instance["distance_histogram"].as_array(), built.theory.distances())
    {
        let oracle: Vec<String> = oracle.iter().map(Value::to_string).collect();
        let ours: Vec<String> = ours.counts().iter().map(ToString::to_string).collect();
        if ours != oracle {
            return Err(format!("distances: {ours:?}, oracle {oracle:?}"));
        }
    }
    for probe in instance["probe_distances"].as_array().into_iter().flatten() {
        let at = |i: usize| probe[i].as_u64().expect("a number");
        let ours = network.distance(nestnet::Node(at(0)), nestnet::Node(at(1)));
        if ours.is_some_and(|ours| ours != at(2)) {
            return Err(format!("distance of {probe}: {ours:?}"));
        }
    }
    if let Some(sha256) = instance["edges_sha256"].as_str()
        && edges_sha256(network) != sha256
    {
        return Err("the links differ".to_owned());
    }
    Ok(())
}

#[test]
fn every_instance_agrees() {
    let instances = crate::oracle_instances();
    assert_eq!(instances.len(), 571);
    let failures: Vec<String> = instances
        .iter()
        .filter_map(|instance| {
            check(instance).err().map(|error| format!("{}: {error}", instance["spec"]))
        })
        .collect();
    assert!(failures.is_empty(), "{} of 571 fail:\n{}", failures.len(), failures.join("\n"));
}
