//! Is what a paper says true? Every statement of a ledger is measured.

use nestnet::claim::{Lab, Ledger, judge};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let ledger = Ledger::of("li-2009")?;
    let lab = Lab::default();
    for claim in ledger.claims.iter().filter(|claim| claim.id.contains("table-2")) {
        let judged = judge(claim, false, &lab);
        println!("{}: as measured: {}", claim.id, judged.agrees());
    }
    Ok(())
}
