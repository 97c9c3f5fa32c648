//! Networks of any size through the verbs that list, compare and report: refused or answered, never a panic.

mod specs;

use proptest::prelude::*;

/// What once ran out of memory, or did not end.
#[test]
fn known_large_networks_are_answered() {
    for text in [
        "star(4294967296)",
        "hyperx(2147483648, 3, 8)",
        "complete(9223372036854775808)",
        "leaf_spine(1, 9007199254740992, 65535)",
    ] {
        assert!(specs::ask(text), "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: if nestnet_seed::slow() { 4096 } else { 64 }, ..nestnet_seed::config() })]

    #[test]
    fn any_network_is_answered_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
        specs::ask(&specs::spec(&bytes));
    }
}
