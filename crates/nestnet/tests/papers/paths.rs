//! The papers' own procedures take the very paths that a second implementation of their text took, hop by hop.

use nestnet::family::built::AS_PRINTED;
use nestnet::route::{Ending, walk};
use nestnet::{Built, Node, build, routers};
use serde_json::Value;
use std::collections::BTreeMap;

/// The name under which a reading is asked for, and its choice; of the alternative the last one.
fn asked(row: &Value) -> (&str, Option<u64>) {
    let variant = row["variant"].as_str().expect("a variant");
    match variant {
        "via zero" => ("via-zero", Some(0)),
        "through" => ("through", Some(0)),
        "nearest" => ("hop_plane(nearest)", Some(0)),
        "highest bit" => ("hop_plane(highest)", Some(0)),
        "lowest bit" => ("hop_plane(lowest)", Some(0)),
        "ascending" => ("hop_plane(ascending)", Some(0)),
        "destination-aware" => ("hop_plane(aware)", Some(0)),
        "initiate" => ("paper", None),
        // The second implementation calls a corrected Basic-Routing; to the letter they are in `to_the_letter`.
        "as printed" if row["procedure"] == "RFH-Routing" => ("as-printed-outer", Some(0)),
        "as printed" if row["paper"] == "jan-2004" => (AS_PRINTED, Some(0)),
        "repaired" | "straight" | "as printed" => ("paper", Some(0)),
        _ => {
            let pointer = variant.strip_prefix("pointer=").expect("a known reading");
            ("paper", Some(pointer.parse().expect("a number")))
        }
    }
}

/// The path under the name of the reading, and how it ends.
fn path(built: &Built, row: &Value) -> Result<(Option<Vec<Node>>, &'static str), String> {
    let (name, choice) = asked(row);
    let end = |key: &str| Node(row[key].as_u64().expect("a node"));
    let (from, to) = (end("from"), end("to"));
    let network = built.network.as_deref().ok_or("not built")?;
    if let Some(procedure) = built.procedure(name) {
        let trace = procedure.trace(from, to).ok_or("no path")?;
        for pair in trace.nodes.windows(2) {
            let mut linked = false;
            network.for_each_neighbor(pair[0], &mut |_, to| linked |= to == pair[1]);
            if !linked {
                return Err(format!("{} and {} are not linked", pair[0], pair[1]));
            }
        }
        let forwarded = trace.ending != Ending::NotForwarded;
        return Ok((forwarded.then_some(trace.nodes), trace.ending.words()));
    }
    let router = routers::find(built, name).map_err(|error| error.to_string())?;
    let choice = choice.unwrap_or(router.choices() - 1);
    let route = walk(network, &*router, from, to, choice, 10_000);
    let route = route.map_err(|error| error.to_string())?;
    Ok((Some(route.nodes), "arrives"))
}

#[test]
fn every_path() {
    let text = include_str!("../data/paths.json");
    let rows: Vec<Value> = serde_json::from_str(text).expect("valid JSON");
    let mut networks: BTreeMap<&str, Built> = BTreeMap::new();
    let (mut agree, mut bound, mut wrong) = (0, 0, Vec::new());
    for row in &rows {
        let spec = row["spec"].as_str().expect("a spec");
        let built = networks.entry(spec).or_insert_with(|| build(spec).expect("a network"));
        let expected: Option<Vec<Node>> = row["path"]
            .as_array()
            .map(|path| path.iter().map(|node| Node(node.as_u64().expect("a node"))).collect());
        let outcome = row["outcome"].as_str().unwrap_or("arrives");
        let ours = path(built, row);
        let same = ours.as_ref().is_ok_and(|ours| *ours == (expected, outcome));
        // Where the text leaves a choice open that changes the path, ours need not be the same.
        let binds = row["tie"] != true;
        bound += u32::from(binds);
        agree += u32::from(same);
        if !same && binds {
            wrong.push(format!("{row}\n  ours {ours:?}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {bound}:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(12)].join("\n")
    );
    assert_eq!((rows.len(), bound, agree), (1882, 1837, 1882));
}
