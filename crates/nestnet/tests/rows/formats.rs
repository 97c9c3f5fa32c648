//! Every example of a family, in every format that is both read and written.

use crate::round_trip::{both_ways, round_trip};
use crate::{make, specs};
use nestnet::family::Family;

/// Networks of every kind of hosts and levels, besides the examples of all families.
const NESTED: &[&str] = &[
    "complete(1)",
    "hosts(complete(1), 3)",
    "hosts(ring(5), 1)",
    "hosts(rdn(ring(3), 1), 2)",
    "hosts(rsn(complete(3), 3), 2)",
    "product(rdn(ring(3), 1), path(2))",
    "bcube(3, 1)",
    "dcell(3, 1)",
    "fat_tree(4)",
    "leaf_spine(4, 2, 3)",
    "leaf_spine(4, 2, 1)",
    "clos(8, 3)",
    "dcell(2, 2)",
    "sn(hypercube(6), 4, 1)",
];

/// What is read is what was written.
pub fn read_as_written(family: &'static Family) {
    let mut seen = 0;
    for spec in specs(family, NESTED) {
        let network = make(spec).unwrap_or_else(|error| panic!("{error}")).network;
        let Some(network) = network.filter(|network| network.order() <= 3000) else { continue };
        seen += 1;
        for format in both_ways() {
            if format.name == "ibsim" && network.ports() > 254 {
                continue;
            }
            round_trip(format, &*network, spec);
        }
    }
    assert!(seen > 0, "no example of {} is small", family.name);
}
