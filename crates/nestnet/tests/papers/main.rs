//! The papers' networks, held to the oracle, to the laws and to the claims: one binary, one module a question.

#[path = "../shared/atlas.rs"]
mod atlas;
mod baselines;
mod bills;
mod broadcasts;
mod claims;
mod collectives;
mod commuting;
mod constructions;
mod design;
mod dot;
mod examples;
mod foreign;
mod formats;
mod identities;
mod instances;
mod judge;
mod large;
mod measures;
mod oracle;
mod paths;
mod pictures;
mod printed_broadcasts;
mod readers;
mod resilience;
#[path = "../shared/round_trip.rs"]
mod round_trip;
mod routes;
mod routing;
#[path = "../shared/scene.rs"]
mod scene;
mod simulate;
mod spec_texts;
mod symmetry;
mod theories;
mod throughput;
mod to_the_letter;
#[path = "../shared/truth.rs"]
mod truth;
mod views;

use nestnet_seed::slow;
use serde_json::Value;

/// The instances that were computed independently, in the order of the file.
fn oracle_instances() -> Vec<Value> {
    let text = include_str!("../data/instances.json");
    serde_json::from_str(text).expect("the oracle is valid JSON")
}
