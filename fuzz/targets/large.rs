//! Specs with arguments of any size: compare, report, grow and design answer or refuse.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/nestnet/tests/papers/large/specs.rs"]
mod specs;

fuzz_target!(|bytes: &[u8]| {
    specs::ask(&specs::spec(bytes));
});
