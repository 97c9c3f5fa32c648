//! The statements that hold, as one page: what was tested, and to which cases a statement is restricted.

use super::errata::{cell, linked, places};
use super::{Basis, Case, Judged, JudgedReading, Ledger, Reading, Verdict};
use std::fmt::Write as _;

/// The page in Markdown, from all claims of all papers.
pub fn page(papers: &[(&Ledger, Vec<Judged<'_>>)]) -> String {
    let mut page = String::from(HEAD);
    for (ledger, judged) in papers {
        let _ = write!(page, "\n## {}\n\n{}.\n", ledger.key, ledger.title);
        let as_printed = |judged: &&Judged<'_>| judged.claim.verdict() == Verdict::Holds;
        page.push_str("\n### What holds as printed\n\n");
        page.push_str("| id | statement | place | for | known by |\n|---|---|---|---|---|\n");
        for judged in judged.iter().filter(as_printed) {
            let id = &judged.claim.id;
            row(&mut page, &format!("<a id=\"{id}\"></a>`{id}`"), judged, &judged.readings[0]);
        }
        let corrected = judged.iter().filter(|judged| !as_printed(judged));
        let corrected: Vec<(&Judged<'_>, &JudgedReading<'_>)> = corrected
            .flat_map(|judged| judged.readings.iter().map(move |reading| (judged, reading)))
            .filter(|(_, reading)| reading.reading.verdict == Verdict::Holds)
            .collect();
        if corrected.is_empty() {
            continue;
        }
        page.push_str("\n### What holds in another reading only\n\n");
        page.push_str("| entry of the errata | statement | place | read as | known by |\n|---|---|---|---|---|\n");
        for (judged, reading) in corrected {
            let (id, verdict) = (&judged.claim.id, judged.claim.verdict().words());
            row(&mut page, &format!("[`{id}`](errata.md#{id}): {verdict}"), judged, reading);
        }
    }
    page
}

/// What a reader must know before the first row.
const HEAD: &str = "# What holds of five papers on nested networks\n\n\
    The statements of the five papers that are true in every case that was measured. Those that are not, and those that are open, are in \
    the [errata](errata.md), by the same rule: the printed reading gives the verdict. This page is written by \
    `cargo xtask generate` from the rows that `nestnet claims` measures (`crates/nestnet-claims/claims/*.toml`). It is for \
    readers who want to cite a statement: a statement of all networks of a kind is proven where the last column links to a \
    proof, and is otherwise confirmed by the cases that it counts, no more.\n\n\
    *for* has the restrictions: how the statement is read, and in code which of the parameters that were tried are cases. What is not \
    restricted was tried from the smallest parameters on that the networks allow; networks of a single node are omitted.\n";

/// A row of a table.
fn row(page: &mut String, name: &str, judged: &Judged<'_>, reading: &JudgedReading<'_>) {
    let says = cell(&judged.claim.says);
    let (place, restricted) = (cell(&places(judged.claim)), cell(&restricted(reading.reading)));
    let _ =
        writeln!(page, "| {name} | {says} | {place} | {restricted} | {} |", cell(&known(reading)));
}

/// To what a reading is restricted: its name, and the conditions of its checks.
fn restricted(reading: &Reading) -> String {
    let conditions = reading.conditions().into_iter().map(|only| format!("`{only}`"));
    let name = Some(reading.name.clone()).filter(|name| !name.is_empty());
    name.into_iter().chain(conditions).collect::<Vec<_>>().join("; ")
}

/// How a reading is known: by a proof, and by how many cases of which size.
fn known(reading: &JudgedReading<'_>) -> String {
    let cases = &reading.cases;
    let count = |basis: Basis| cases.iter().filter(|case| case.basis == basis).count();
    let bases = [Basis::Measured, Basis::Theorem, Basis::Arithmetic]
        .map(|basis| (count(basis), basis.words()));
    let counts = bases.iter().filter(|(count, _)| *count > 0);
    let counts: Vec<String> = counts.map(|(count, words)| format!("{count} {words}")).collect();
    let proof = reading.reading.proof.as_deref().map(|proof| format!("; {}", linked(proof)));
    format!(
        "{}: {}{}{}",
        if cases.len() == 1 { "1 case" } else { "cases" },
        counts.join(", "),
        size(cases),
        proof.unwrap_or_default()
    )
}

/// The nodes of the largest network among the cases that were searched.
fn size(cases: &[Case]) -> String {
    let searched = cases.iter().filter(|case| case.basis == Basis::Measured);
    match searched.map(|case| case.nodes).fold(0.0, f64::max) {
        0.0 => String::new(),
        // Beyond this a double has not all digits.
        large if large > 1e15 => format!(", up to about 10^{} nodes", large.log10().round()),
        nodes => format!(", up to {nodes} nodes"),
    }
}
