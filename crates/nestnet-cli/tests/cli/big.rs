//! Sizes that no machine can hold are answered exactly, in one JSON object.

use crate::{json, nestnet};
use num_bigint::BigUint;

fn integer(value: &serde_json::Value) -> BigUint {
    value.to_string().parse().expect("a plain integer")
}

#[test]
fn the_order_of_a_deep_dual_net_is_exact() {
    let info = json(&["info", "rdn(torus(5,5), 4)", "--json"]);
    let order = (0..4).fold(BigUint::from(25u8), |n, _| &n * &n * 2u8);
    assert_eq!(integer(&info["nodes"]), order);
    // Four links in the torus, and a cross link for each level.
    assert_eq!(integer(&info["links"]), order * 8u8 / 2u8);
    assert_eq!((&info["degree_min"], &info["degree_max"]), (&8.into(), &8.into()));
    assert_eq!(info["built"], false);
    assert_eq!(info.get("levels"), None);
    // D_k = 2·D_{k-1} + 2, from 4.
    assert_eq!(info["diameter"]["high"], 94);
    assert_eq!(info["diameter"]["how"], "theorem");
}

#[test]
fn integers_of_thousands_of_digits_are_whole() {
    let info = json(&["info", "hypercube(20000)", "--json"]);
    assert_eq!(integer(&info["nodes"]), BigUint::from(1u8) << 20_000);
    let text = nestnet(["info", "hypercube(20000)"]).stdout;
    assert!(text.contains("≈ 3.98×10^6020 (6,021 digits)"), "{text}");
}

#[test]
fn the_mean_is_a_fraction_and_its_value() {
    let info = json(&["info", "rdn(torus(5, 5), 2)", "--json"]);
    let average = &info["average_distance"];
    let value: f64 = average["value"].to_string().parse().expect("a number");
    assert!((value - 14.019204486145).abs() < 1e-12, "{value}");
    let parts = (average["numerator"].to_string(), average["denominator"].to_string());
    assert_eq!(parts, ("43810000".to_owned(), "3124999".to_owned()));
}

#[test]
fn a_node_of_a_network_with_2_to_the_63_nodes() {
    let object = json(&["neighbors", "hypercube(63)", "9223372036854775807", "--json"]);
    assert_eq!(object["neighbors"].as_array().map(Vec::len), Some(63));
    assert_eq!(object["neighbors"][0]["node"].to_string(), "9223372036854775806");
    assert_eq!(object["address"], "1".repeat(63));
}
