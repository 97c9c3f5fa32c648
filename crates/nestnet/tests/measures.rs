//! Every measure of every instance that was computed independently agrees.

use nestnet::measure::Watch;
use nestnet::measure::connectivity::{edge_connectivity, vertex_connectivity};
use nestnet::measure::structure::{components, girth};
use nestnet::{Csr, build};
use serde_json::Value;

fn instances() -> Vec<Value> {
    let text = include_str!("data/instances.json");
    serde_json::from_str(text).expect("the oracle is valid JSON")
}

/// What differs between our measures and the instance.
fn differences(instance: &Value) -> Vec<String> {
    let spec = instance["spec"].as_str().expect("a spec");
    let Some(network) = build(spec).ok().and_then(|built| built.network) else {
        return vec![format!("{spec}: not built")];
    };
    let csr = Csr::from_network(&*network, 1 << 32).expect("it fits");
    let orbits = network.orbits();
    let orbits = orbits.as_deref();
    let watch = Watch::SILENT;
    let mut differ = Vec::new();
    let mut same = |what: &str, ours: &dyn Fn() -> String| {
        if let Some(oracle) = instance.get(what) {
            let (ours, oracle) = (ours(), oracle.to_string());
            if ours != oracle {
                differ.push(format!("{spec}: {what} is {ours}, oracle {oracle}"));
            }
        }
    };
    let number = |value: Option<u32>| value.map_or("null".to_owned(), |value| value.to_string());
    same("connected", &|| components(&csr).connected().to_string());
    same("components", &|| components(&csr).sizes.len().to_string());
    for orbits in [None, orbits] {
        same("girth", &|| number(girth(&csr, orbits, &watch).expect("not stopped")));
        same("edge_connectivity", &|| {
            edge_connectivity(&csr, orbits, &watch).expect("not stopped").value.to_string()
        });
        same("vertex_connectivity", &|| {
            vertex_connectivity(&csr, orbits, &watch).expect("not stopped").value.to_string()
        });
    }
    differ
}

#[test]
fn every_instance_agrees() {
    let failures: Vec<String> = instances().iter().flat_map(differences).collect();
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n"));
}
