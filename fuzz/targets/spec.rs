//! The spec: what is read prints and reads back, and what is small is built.

#![no_main]

use libfuzzer_sys::fuzz_target;
use nestnet::{Budget, Context, Spec, build_with};

/// No more memory than this for a network that is stored.
const MAX_MEMORY: u64 = 1 << 20;

/// Building takes long where numbers are large; what is asked here is whether it ends in order.
fn is_small(text: &str) -> bool {
    let mut digits = 0;
    text.len() <= 80
        && text.bytes().all(|byte| {
            digits = if byte.is_ascii_digit() { digits + 1 } else { 0 };
            digits <= 2
        })
}

fuzz_target!(|text: &str| {
    let Ok(spec) = Spec::parse(text) else { return };
    let printed = spec.to_string();
    let again = Spec::parse(&printed).expect("what is printed can be read");
    assert_eq!(again.to_string(), printed);
    if is_small(text) {
        let read = |_: &str| Ok(b"0 1\n1 2\n".to_vec());
        let budget = Budget { memory: MAX_MEMORY, ..Budget::default() };
        let context = Context { read: &read, budget, ..Context::ALONE };
        if let Ok(built) = build_with(&spec, text, &context) {
            if let Some(network) = built.network.as_deref() {
                assert_eq!(built.theory.order(), network.order().into());
            }
        }
    }
});
