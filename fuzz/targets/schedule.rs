//! The schedule: read, written and read again, it is the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use nestnet::collective::schedule::text;
use nestnet::{Built, build};
use std::sync::LazyLock;

static RING: LazyLock<Built> = LazyLock::new(|| build("rdn(ring(3), 1)").expect("a network"));

fuzz_target!(|bytes: &[u8]| {
    let network = RING.network.as_deref().expect("it is small");
    let Ok(found) = text::read(network, bytes) else { return };
    let mut written = Vec::new();
    let whole = text::write(network, found.stream(), &mut written, || true);
    assert!(whole.expect("memory takes all"));
    let again = text::read(network, written.as_slice()).expect("what is written can be read");
    assert_eq!(again, found);
});
