//! The address: whatever names a node names one of the network, and its own address names it again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use nestnet::{Built, build, locate};
use std::sync::LazyLock;

/// Addresses of every kind: numbers, words, tuples, nested ones, pairs with a class.
const SPECS: &[&str] = &[
    "ring(5)",
    "hypercube(4)",
    "torus(3, 4)",
    "star(4)",
    "debruijn(2, 4)",
    "rdn(ring(5), 1)",
    "rdn(torus(3, 3), 2)",
    "hsn(hypercube(2), 3)",
    "rcr(2, 1, 2)",
    "re(petersen, hypercube(2), 1)",
    "dual_cube(3)",
    "hypercube(62)",
];

static NETWORKS: LazyLock<Vec<Built>> =
    LazyLock::new(|| SPECS.iter().filter_map(|spec| build(spec).ok()).collect());

fuzz_target!(|input: (u8, &str)| {
    let (which, text) = input;
    let built = &NETWORKS[usize::from(which) % NETWORKS.len()];
    let Some(network) = built.network.as_deref() else { return };
    let Ok(node) = locate(network, text) else { return };
    assert!(node.0 < network.order(), "{text} is {node} of {}", network.order());
    let address = network.address(node);
    assert_eq!(locate(network, &address.to_string()), Ok(node), "{text}, {address}");
});
