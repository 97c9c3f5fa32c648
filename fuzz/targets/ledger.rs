//! The ledger: whatever is read is judged, within a small budget.

#![no_main]

use libfuzzer_sys::fuzz_target;
use nestnet::claim::Ledger;

fuzz_target!(|text: &str| {
    let _ = Ledger::parse("fuzz", text);
});
