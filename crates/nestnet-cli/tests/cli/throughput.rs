//! `nestnet throughput`: its certificates, read by a second program.

use crate::{json, nestnet};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Bounds for any routing come near to each other, and what proves them is true by a program that shares nothing with us.
#[test]
fn a_second_program_believes_the_bounds() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("python3 is missing: certificates are not read by a second program");
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the workspace");
    let checker = root.join("xtask").join("certificate.py");
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [proof, links, answer, bad] = ["proof.json", "links", "answer.json", "bad.json"].map(path);
    for (spec, traffic, most) in [
        ("hosts(dragonfly(4, 2), 2)", "uniform", 0.02),
        ("rsn(ring(5), 2)", "uniform", 0.02),
        ("rcr(2, 2, 2)", "worst", 0.06),
        ("mesh(4, 4)", "worst", 0.06),
    ] {
        let args = ["throughput", spec, "--traffic", traffic, "--certificate", &proof, "--json"];
        let found = json(&args);
        let bound = |end: &str| found["any_routing"][end].as_f64().unwrap();
        assert!(bound("high") <= bound("low") * (1.0 + most), "{spec}: {}", found["any_routing"]);
        fs::write(&answer, found.to_string()).unwrap();
        fs::write(&links, nestnet(["edges", spec]).stdout).unwrap();
        let hosts = found["hosts"].to_string();
        let check = |proof: &str| {
            let mut command = Command::new("python3");
            let command = command.arg(&checker).args([proof, &links, &hosts]);
            // Only permutations are named: uniform traffic needs no word.
            let command = if traffic == "uniform" { command } else { command.arg(&answer) };
            command.output().expect("Python runs")
        };
        let ended = check(&proof);
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert!(ended.status.success(), "{spec}: {said}");
        // A bound that is claimed better than it is proven, and a flow that loses something, are seen.
        let mut proof: serde_json::Value =
            serde_json::from_str(&fs::read_to_string(&proof).unwrap()).unwrap();
        proof["low"] = (proof["low"].as_f64().unwrap() * 1.01).into();
        fs::write(&bad, proof.to_string()).unwrap();
        assert!(!check(&bad).status.success(), "{spec}: a low bound that is too high");
        proof["low"] = 0.0.into();
        proof["flow"][0]["flow"] = serde_json::json!([]);
        fs::write(&bad, proof.to_string()).unwrap();
        assert!(!check(&bad).status.success(), "{spec}: a flow that loses something");
    }
}
