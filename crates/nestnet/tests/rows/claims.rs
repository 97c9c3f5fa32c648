//! The claims of a paper: every verdict is as measured, and another would not be.

use nestnet::claim::{
    Check, Claim, Fit, Judged, Lab, Ledger, Parameter, Reading, Verdict, judge, judge_all,
};
use nestnet_seed::slow;
use std::collections::BTreeMap;

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

/// What holds, holds from the smallest parameters on: a number below the least that is tried gives a case that holds too,
/// or one that a condition of the row excludes, or no network.
pub fn smallest_cases(ledger: Ledger) {
    let lab = Lab::default();
    let mut tried = 0;
    for claim in &ledger.claims {
        for reading in claim.readings.iter().filter(|reading| reading.verdict == Verdict::Holds) {
            for check in reading.check.iter().flat_map(lowered) {
                let alone = Reading { check: vec![check], ..reading.clone() };
                let alone = Claim { readings: vec![alone], ..claim.clone() };
                for case in &judge(&alone, false, &lab).readings[0].cases {
                    // A single node is no network.
                    let holds = case.fit == Fit::Yes || case.nodes == 1.0;
                    assert!(holds, "{} does not hold for {}", claim.id, case.given);
                    tried += 1;
                }
            }
        }
    }
    assert!(tried >= 20, "{tried} cases were tried");
}

/// The check at numbers below those that it has, one case each.
fn lowered(check: &Check) -> Vec<Check> {
    let numbers = |parameter: &Parameter| match parameter {
        Parameter::Numbers(numbers) => numbers.clone(),
        Parameter::Number(number) => vec![*number],
        Parameter::Texts(_) | Parameter::Text(_) => Vec::new(),
    };
    let mut all = Vec::new();
    for (name, parameter) in &check.given {
        let least = numbers(parameter).into_iter().min().unwrap_or(0);
        let below = (0..least).filter(|&number| number < 4 || number == least - 1);
        let below = below.map(|number| BTreeMap::from([(name.clone(), Parameter::Number(number))]));
        let mut cases: Vec<BTreeMap<String, Parameter>> = below.collect();
        for (other, parameter) in check.given.iter().filter(|(other, _)| *other != name) {
            cases = { cases.iter() }
                .flat_map(|case| {
                    few(parameter).into_iter().map(|value| {
                        let mut case = case.clone();
                        case.insert(other.clone(), value);
                        case
                    })
                })
                .collect();
        }
        let alone = |given| Check { given, slow: BTreeMap::new(), ..check.clone() };
        all.extend(cases.into_iter().map(alone));
    }
    all
}

/// The two least numbers of a parameter, or its first two texts.
fn few(parameter: &Parameter) -> Vec<Parameter> {
    match parameter {
        Parameter::Numbers(numbers) => {
            let mut numbers = numbers.clone();
            numbers.sort_unstable();
            numbers.into_iter().take(2).map(Parameter::Number).collect()
        }
        Parameter::Texts(texts) => texts.iter().take(2).cloned().map(Parameter::Text).collect(),
        one => vec![one.clone()],
    }
}
