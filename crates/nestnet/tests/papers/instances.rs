//! Every measure of every instance that was computed independently agrees.

use nestnet::measure::Watch;
use nestnet::measure::connectivity::{edge_connectivity, vertex_connectivity};
use nestnet::measure::structure::{components, girth};
use nestnet::measure::symmetry::{Symmetry, symmetry};
use nestnet::{Budget, Csr, Network, Orbit, build};
use serde_json::Value;

/// What differs between our measures and the instance.
fn differences(instance: &Value) -> Vec<String> {
    let spec = instance["spec"].as_str().expect("a spec");
    let Some(network) = build(spec).ok().and_then(|built| built.network) else {
        return vec![format!("{spec}: not built")];
    };
    let csr = Csr::from_network(&*network, &Budget::UNLIMITED).expect("it fits");
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
    if csr.order() <= 4096 {
        let symmetry = symmetry(&csr, &watch).expect("not stopped");
        same("vertex_orbits", &|| symmetry.nodes.count.to_string());
        same("edge_orbits", &|| symmetry.edge_orbits.to_string());
        if orbits.is_some_and(|orbits| !are_true(orbits, &symmetry)) {
            differ.push(format!("{spec}: its orbits are not made of true ones"));
        }
    }
    differ
}

/// Whether declared classes can be what automorphisms join: those in one true class have its size together.
fn are_true(declared: &[Orbit], symmetry: &Symmetry) -> bool {
    let mut found = symmetry.orbits();
    for orbit in declared {
        let node = usize::try_from(orbit.node.0).expect("a small network");
        let Some(class) = symmetry.nodes.of.get(node) else { return false };
        let left = &mut found[*class as usize].size;
        let Some(rest) = left.checked_sub(orbit.size) else { return false };
        *left = rest;
    }
    found.iter().all(|orbit| orbit.size == 0)
}

#[test]
fn every_instance_agrees() {
    let failures: Vec<String> = crate::oracle_instances().iter().flat_map(differences).collect();
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n"));
}
