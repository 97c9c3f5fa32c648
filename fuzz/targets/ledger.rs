//! The ledger: whatever is read is judged, within a small budget.

#![no_main]

use libfuzzer_sys::fuzz_target;
use nestnet::claim::{Finding, Lab, Ledger, judge};
use nestnet::{Budget, Watch};

fuzz_target!(|text: &str| {
    let Ok(ledger) = Ledger::parse("fuzz", text) else { return };
    let lab = Lab::new(Budget { memory: 1 << 20, steps: 1 << 16, watch: Watch::SILENT });
    for claim in &ledger.claims {
        let judged = judge(claim, true, &lab);
        assert_eq!(judged.agrees(), judged.finding() <= Finding::AsMeasured, "{judged:?}");
    }
});
