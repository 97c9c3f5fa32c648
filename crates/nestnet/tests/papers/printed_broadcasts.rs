//! The papers' own broadcasts, repaired and as printed, agree row by row with a second implementation of their text.

use nestnet::broadcasts::{Algorithm, account, broadcast, default_ports, run_printed};
use nestnet::collective::Account;
use nestnet::family::built::AS_PRINTED;
use nestnet::{Budget, Built, Node, build};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The name under which a reading is asked for.
fn asked(variant: &str) -> &'static str {
    match variant {
        "repaired" => "paper",
        "to the root" => "root",
        "to the top copy" => "top",
        "as printed" | "as printed, N_p2(p1) in 3.2 is the sender N_d2(p1)" => AS_PRINTED,
        // With Basic-Broadcasting and Basic-Routing corrected; to the letter they are in `to_the_letter`.
        "only S broadcasts" | "to the root, only the root broadcasts" => "as-printed-outer",
        // The second of two printed readings.
        "as printed, N_p2(p1) in 3.2 is N_plus(N_p1)" => "as-printed-plus",
        "as printed, with subscript u_1" => "as-printed-subscript",
        other => panic!("unknown reading {other}"),
    }
}

fn run(built: &Built, root: Node, name: &str) -> Account {
    let budget = Budget::UNLIMITED;
    if name != "paper" {
        return run_printed(built, root, name, &budget)
            .expect("it has a printed broadcast")
            .account;
    }
    let report = broadcast(built, root, Algorithm::Paper, default_ports(built), &budget);
    account(built, &*report.expect("it is its own").broadcast, root).expect("small")
}

#[test]
fn every_broadcast() {
    let rows: Vec<Value> =
        serde_json::from_str(include_str!("../data/broadcasts.json")).expect("valid JSON");
    let mut networks: BTreeMap<&str, Built> = BTreeMap::new();
    let (mut compared, mut wrong) = (0, Vec::new());
    for row in &rows {
        let text = |key: &str| row[key].as_str().expect("a text");
        let name = asked(text("variant"));
        let spec = text("spec");
        let built = networks.entry(spec).or_insert_with(|| build(spec).expect("a network"));
        let account = run(built, Node(row["from"].as_u64().expect("a node")), name);
        compared += 1;
        let ours = json!({
            "steps": account.steps,
            "nodes": account.reached + account.missed.len() as u64,
            "reached": account.reached,
            "told_twice": account.informed_twice,
            "extra_transfers": account.extra_transfers,
            "transfers_per_step": account.transfers_per_step,
        });
        if let Some(impossible) = row["impossible_transfers"].as_u64() {
            assert_eq!(impossible, account.impossible_transfers, "{row}");
        }
        let free = row["tie_fields"].as_array().cloned().unwrap_or_default();
        for (key, value) in ours.as_object().expect("an object") {
            if row[key] != *value && !free.contains(&json!(key)) {
                wrong.push(format!("{row}\n  {key}: {value}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!((rows.len(), compared), (94, 94));
}

#[test]
fn those_that_are_missed_are_named() {
    let missed = |spec: &str| {
        let built = build(spec).expect("a network");
        run_printed(&built, Node(0), AS_PRINTED, &Budget::UNLIMITED)
            .expect("it has a printed broadcast")
            .account
            .missed
    };
    // Cluster s_2 = 0 of type 1 is silent: of the clusters 1 and 2 of type 0, nobody tells node 0.
    assert_eq!(missed("rdn(ring(3), 1)"), [3, 6].map(Node));
    assert_eq!(missed("rdn(ring(3), 2)").len(), 648 - 497);
}
