//! Is what a paper states true? Every statement of a ledger is measured.

use nestnet::claim::{Lab, Ledger, judge};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (ledger, lab) = (Ledger::of("li-2009")?, Lab::default());
    for claim in ledger.claims.iter().filter(|claim| claim.id.contains("table-2")) {
        println!("{}: as measured: {}", claim.id, judge(claim, false, &lab).agrees());
    }
    Ok(())
}
