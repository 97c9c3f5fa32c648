//! The formula: whatever is read has a value or says why not, within a small budget.

#![no_main]

use libfuzzer_sys::fuzz_target;
use nestnet::claim::Expression;

fuzz_target!(|text: &str| {
    let _ = Expression::parse(text);
});
