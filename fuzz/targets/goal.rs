//! A program in GOAL.

#![no_main]

use libfuzzer_sys::fuzz_target;
use nestnet::traffic::goal;

fuzz_target!(|bytes: &[u8]| {
    if let Err(error) = goal::read(bytes) {
        assert!(!error.to_string().is_empty());
    }
});
