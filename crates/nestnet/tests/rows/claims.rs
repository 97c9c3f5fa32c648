//! The claims of a paper: every verdict is as measured, and another would not be.

use nestnet::claim::{Claim, Judged, Lab, Ledger, Verdict, judge, judge_all};
use nestnet_seed::slow;

/// What is written down is what is measured.
pub fn verdicts(ledger: Ledger) {
    let claims: Vec<&Claim> = ledger.claims.iter().collect();
    let judged = judge_all(&claims, slow(), &Lab::default(), &|| ());
    assert_eq!(judged.len(), claims.len());
    let wrong: Vec<&Judged<'_>> = judged.iter().filter(|judged| !judged.agrees()).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// No other verdict could be written down.
pub fn other_verdicts(ledger: Ledger) {
    const ALL: [Verdict; 5] =
        [Verdict::Holds, Verdict::Bound, Verdict::Fails, Verdict::Misprint, Verdict::Open];
    let lab = Lab::default();
    // Slow rows that are not measured cannot disagree; all others can. A prime step meets every kind of row.
    let step = if slow() { 1 } else { 7 };
    let mut tried = 0;
    for claim in ledger.claims.iter().step_by(step) {
        for number in 0..claim.readings.len() {
            if judge(claim, false, &lab).readings[number].found.is_none() {
                continue;
            }
            let written = claim.readings[number].verdict;
            // A misprint is measured as what fails, and where nothing can be measured what is open could be one: which
            // of the two it is no measurement tells.
            let unmeasured = claim.readings[number].check.is_empty();
            let like = if unmeasured { Verdict::Open } else { Verdict::Fails };
            let alike = |other: Verdict| {
                let both = [other, written];
                other == written || both.iter().all(|one| [like, Verdict::Misprint].contains(one))
            };
            for other in ALL.into_iter().filter(|&it| !alike(it)) {
                let mut changed = claim.clone();
                changed.readings[number].verdict = other;
                assert!(!judge(&changed, false, &lab).agrees(), "{}: {other}", claim.id);
                tried += 1;
            }
        }
    }
    assert!(tried >= 10, "{tried} verdicts were changed");
}
