//! Networks of any size through the verbs that list, compare and report: refused or answered, never a panic.

pub mod specs;

use proptest::prelude::*;

/// What once ran out of memory, or did not end.
#[test]
fn known_large_networks_are_answered() {
    for text in [
        "star(4294967296)",
        "hyperx(2147483648, 3, 8)",
        "complete(9223372036854775808)",
        "leaf_spine(1, 9007199254740992, 65535)",
        "ring(9223372036854775808)",
    ] {
        assert!(specs::ask(text), "{text}");
    }
}

/// More than 2^64 links at a node are as many as are counted, whatever is added to them.
#[test]
fn degrees_end_where_they_are_not_counted() {
    let base = "hyperx(9223372036854775808, 9223372036854775808, 9223372036854775808)";
    for around in [
        "rdn(B, 1)",
        "flooded(B, 3)",
        "root_folded(B, 2)",
        "folded(B, 2)",
        "hosts(B, 7)",
        "rsn(B, 2)",
        "hsn(B, 3)",
        "sn(B, 2)",
        "re(B, ring(5), 2)",
    ] {
        specs::ask(&around.replace('B', base));
    }
}

/// Routes of all pairs are more than 128 bits can count: refused, not counted wrongly.
#[test]
fn all_pairs_of_the_largest_networks_are_too_many() {
    use nestnet::route::deadlock::certify;
    use nestnet::{Budget, build, routers};
    for text in ["ring(9223372036854775808)", "hypercube(63)", "torus(3037000499, 3037000499)"] {
        let built = build(text).unwrap();
        let router = routers::find(&built, "shortest").unwrap();
        let network = built.network.as_deref().unwrap();
        assert!(certify(network, &*router, &Budget::default()).is_err(), "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: if nestnet_seed::slow() { 512 } else { 64 }, ..nestnet_seed::config() })]

    #[test]
    fn any_network_is_answered_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
        specs::ask(&specs::spec(&bytes));
    }
}
