//! The errata: what fails, what is only a bound, and the papers' tables with true values, as one page.

use super::{Case, Claim, Fit, Judged, JudgedReading, Ledger, Verdict};
use std::fmt::Write as _;

/// The page in Markdown, from all claims of all papers.
pub fn page(papers: &[(&Ledger, Vec<Judged<'_>>)]) -> String {
    let mut page = String::from(INTRODUCTION);
    findings(&mut page, papers);
    page.push_str(
        "\n## How many\n\n\
         As we read each statement first, which is as it is printed wherever that can be run. What holds or fails by \
         the reading is counted where its first reading puts it, and listed apart.\n\n\
         | paper | statements | hold | bounds | fail | misprints | open |\n|---|---|---|---|---|---|---|\n",
    );
    for (ledger, _) in papers {
        let count = |wanted: Verdict| {
            ledger.claims.iter().filter(|claim| claim.verdict() == wanted).count()
        };
        let [holds, bound, fails, misprint, open] =
            [Verdict::Holds, Verdict::Bound, Verdict::Fails, Verdict::Misprint, Verdict::Open]
                .map(count);
        let (key, total) = (&ledger.key, ledger.claims.len());
        let _ = writeln!(
            page,
            "| [{key}](#{key}) | {total} | {holds} | {bound} | {fails} | {misprint} | {open} |"
        );
    }
    for (ledger, judged) in papers {
        let _ = write!(page, "\n## {}\n\n{}\n", ledger.key, ledger.title);
        if let Some(text) = &ledger.text {
            let _ = write!(page, "\n*The text.* {text}\n");
        }
        if let Some(corrections) = &ledger.corrections {
            let _ = write!(page, "\n*Earlier corrections.* {corrections}\n");
        }
        of_paper(&mut page, judged);
    }
    page
}

/// What a reader must know before the first entry.
const INTRODUCTION: &str = "# Errata\n\n\
    What five papers state and measurement contradicts, each with a counterexample and the command that shows it. \
    This page is written by `cargo xtask generate` from the same rows that `nestnet claims` measures \
    (`crates/nestnet-claims/claims/*.toml`).\n\n\
    Each entry names the place in the paper and says in our words, with the paper's symbols, what is printed there; nothing \
    is quoted. A statement **holds** where it is true in every case that was measured, is a **bound** where it is stated \
    as an equality and is never exceeded but not always reached, **fails** where a case contradicts it, is a \
    **misprint** where the correction is obvious, and is **open** where it cannot be decided here. A counterexample \
    gives the relation that is stated and the value that was found, and says what that value rests on: *measured* is a \
    search, a count or a run on the network itself, *by our theorem* a formula proven in the comments of the source, \
    for networks too large to search, *by arithmetic* a computation from the printed numbers alone. Distances in \
    networks of up to 4,096 nodes are searched from every node, whatever a theorem says.\n\n\
    The texts are scans, read by machine: some figures, tables and signs are lost, as each paper's part says. Where a \
    sign could be either of two, we take the one with which the paper's own examples come out. For cubes of rings the \
    function f is taken as f(a, m) = -a mod m (`positions=cyclic`), since all worked examples agree with it and the \
    printed form, `positions=literal`, disconnects networks that the paper names as special cases.\n";

/// The findings that matter most, in the order of their rank.
fn findings(page: &mut String, papers: &[(&Ledger, Vec<Judged<'_>>)]) {
    let claims = papers.iter().flat_map(|(ledger, _)| &ledger.claims);
    let mut ranked: Vec<(u8, &str, &Claim)> = claims
        .filter_map(|claim| {
            claim.finding.as_ref().map(|(rank, text)| (*rank, text.as_str(), claim))
        })
        .collect();
    ranked.sort_by_key(|(rank, _, claim)| (*rank, claim.id.as_str()));
    if ranked.is_empty() {
        return;
    }
    page.push_str("\n## What matters most\n\n");
    for (number, (_, text, claim)) in ranked.iter().enumerate() {
        let paper = claim.id.split('.').next().unwrap_or_default();
        let _ = writeln!(page, "{}. {text} ({paper}, {}; `{}`)", number + 1, claim.place, claim.id);
    }
}

fn of_paper(page: &mut String, judged: &[Judged<'_>]) {
    let first =
        |wanted: Verdict| judged.iter().filter(move |judged| judged.claim.verdict() == wanted);
    page.push_str("\n### What fails\n");
    // What has one cause stands together, in the order in which the causes occur; then the rest, kind by kind.
    let mut causes: Vec<&str> = Vec::new();
    for cause in first(Verdict::Fails).filter_map(|judged| judged.claim.cause.as_deref()) {
        if !causes.contains(&cause) {
            causes.push(cause);
        }
    }
    for cause in causes {
        let _ = write!(page, "\n**One cause: {cause}**\n");
        for judged in first(Verdict::Fails) {
            if judged.claim.cause.as_deref() == Some(cause) {
                failing(page, judged);
            }
        }
    }
    let mut others: Vec<&Judged<'_>> =
        first(Verdict::Fails).filter(|judged| judged.claim.cause.is_none()).collect();
    others.sort_by_key(|judged| judged.claim.kind);
    others.into_iter().for_each(|judged| failing(page, judged));
    let fails_elsewhere = |judged: &&Judged<'_>| {
        let others = judged.readings.iter().skip(1);
        judged.claim.verdict() != Verdict::Fails && { others }
            .any(|one| one.reading.verdict == Verdict::Fails)
    };
    if judged.iter().any(|judged| fails_elsewhere(&judged)) {
        page.push_str("\n### What depends on the reading\n");
        judged.iter().filter(fails_elsewhere).for_each(|judged| failing(page, judged));
    }
    if first(Verdict::Misprint).next().is_some() {
        page.push_str("\n### Misprints\n\n");
        for judged in first(Verdict::Misprint) {
            let repair = judged.readings[0].reading.repair.as_deref().unwrap_or_default();
            let Claim { place, says, .. } = judged.claim;
            let _ = writeln!(page, "- {place}: {says} *{repair}*");
        }
    }
    page.push_str("\n### What is only a bound\n\n");
    page.push_str("| where | statement | stated | found | of |\n|---|---|---|---|---|\n");
    let having = |wanted: Verdict| {
        judged
            .iter()
            .filter(move |judged| judged.readings.iter().any(|one| one.reading.verdict == wanted))
    };
    for judged in having(Verdict::Bound) {
        let bounds = judged.readings.iter().filter(|one| one.reading.verdict == Verdict::Bound);
        for (reading, case) in bounds.filter_map(|one| Some((one, one.witness()?))) {
            let _ = writeln!(
                page,
                "| {} | {}{} | {} | {} | {} |",
                cell(&judged.claim.place),
                cell(&judged.claim.says),
                as_read(reading),
                cell(&case.printed.to_string()),
                cell(&case.measured.to_string()),
                cell(&quantity(case))
            );
        }
    }
    if having(Verdict::Open).next().is_some() {
        page.push_str("\n### What is open\n\n");
    }
    for judged in having(Verdict::Open) {
        let open = judged.readings.iter().filter(|one| one.reading.verdict == Verdict::Open);
        for reading in open {
            let note = reading.reading.note.as_deref().unwrap_or_default();
            let Claim { place, says, .. } = judged.claim;
            let _ = writeln!(page, "- {place}: {says}{} *{note}*", as_read(reading));
        }
    }
    tables(page, judged);
}

fn as_read(reading: &JudgedReading<'_>) -> String {
    match reading.reading.name.as_str() {
        "" => String::new(),
        name => format!(" (read as: {name})"),
    }
}

/// A text in a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

fn failing(page: &mut String, judged: &Judged<'_>) {
    let Claim { id, place, says, kind, .. } = judged.claim;
    let _ = write!(page, "\n#### {place} ({kind})\n\n{says}\n\n");
    let many = judged.readings.len() > 1;
    for reading in &judged.readings {
        let (name, verdict) = (&reading.reading.name, reading.reading.verdict);
        if many {
            let _ = writeln!(page, "- Read as *{name}*: **{verdict}**.");
        }
        if verdict == Verdict::Fails {
            let bad: Vec<&Case> = reading.cases.iter().filter(|case| case.fit == Fit::No).collect();
            counterexamples(page, &bad);
            if let Some(repair) = &reading.reading.repair {
                let _ = writeln!(page, "- True instead: {repair}{}", checked(&reading.repaired));
            }
            if let Some(proof) = &reading.reading.proof {
                let _ = writeln!(page, "- Proven: {}.", proof.trim_end_matches('.'));
            }
            if let Some(note) = &reading.reading.note {
                let _ = writeln!(page, "- {note}");
            }
            let direct = bad.first().and_then(|case| case.command.as_ref());
            let direct = direct.map(|command| format!(", or `{command}`")).unwrap_or_default();
            let _ = writeln!(page, "- Reproduce: `nestnet claims --only {id}`{direct}");
        }
    }
}

/// What was measured: in words, or as the formula that it is.
fn quantity(case: &Case) -> String {
    match &case.what {
        Some(words) => words.clone(),
        None => format!("`{}`", case.measured_by),
    }
}

/// The first cases that contradict, one for each column of a table.
fn counterexamples(page: &mut String, bad: &[&Case]) {
    /// More than these say nothing new.
    const MOST: usize = 3;
    for case in bad.iter().take(MOST) {
        let column = case.column.as_ref().map(|name| format!("{name}: ")).unwrap_or_default();
        let given = match case.given.as_str() {
            "" => String::new(),
            given => format!(" ({given})"),
        };
        let _ = writeln!(
            page,
            "- Counterexample: {column}{}{given}: stated {}{}, found **{}** ({}).",
            quantity(case),
            case.relation.words(),
            case.printed,
            case.measured,
            case.basis.words()
        );
    }
    match bad.len().saturating_sub(MOST) {
        0 => {}
        1 => page.push_str("- One further case contradicts it.\n"),
        more => {
            let _ = writeln!(page, "- {more} further cases contradict it.");
        }
    }
}

/// On how many cases the repaired statement was tested.
fn checked(repaired: &[Case]) -> String {
    let largest = repaired.iter().map(|case| case.nodes).fold(0.0, f64::max);
    let size = match largest {
        0.0 => String::new(),
        // Beyond this a double has not all digits.
        large if large > 1e15 => format!(" of more than 10^{} nodes", large.log10().floor()),
        nodes => format!(" of up to {nodes} nodes"),
    };
    match repaired.len() {
        0 => String::new(),
        1 => format!(" (tested on 1 case{size})"),
        count => format!(" (tested on {count} cases{size})"),
    }
}

/// The tables of a paper, true values beside the printed ones where they differ.
fn tables(page: &mut String, judged: &[Judged<'_>]) {
    let mut tables: Vec<(&str, Vec<(&str, &JudgedReading<'_>)>)> = Vec::new();
    for judged in judged {
        let Some((table, row)) = &judged.claim.row else { continue };
        let entry = (row.as_str(), &judged.readings[0]);
        match tables.iter_mut().find(|(name, _)| name == table) {
            Some((_, rows)) => rows.push(entry),
            None => tables.push((table, vec![entry])),
        }
    }
    for (name, rows) in tables {
        let mut columns: Vec<&str> = Vec::new();
        for case in
            rows.iter().flat_map(|(_, reading)| reading.cases.iter().chain(&reading.repaired))
        {
            if let Some(column) = case.column.as_deref().filter(|one| !columns.contains(one)) {
                columns.push(column);
            }
        }
        let _ = write!(
            page,
            "\n### {name}, with true values\n\n\
             Printed values; where measurement differs, the measured one follows in bold. A bold value alone stands where the \
             printed one is not in the text that we have.\n\n\
             | | {} |\n|---|{}\n",
            columns.join(" | "),
            "---|".repeat(columns.len())
        );
        for (label, reading) in rows {
            let cells: Vec<String> = columns.iter().map(|column| entry(reading, column)).collect();
            let _ = writeln!(page, "| {} | {} |", cell(label), cells.join(" | "));
        }
    }
}

/// One cell of a table: each case of the column, or the true values where nothing is printed.
fn entry(reading: &JudgedReading<'_>, column: &str) -> String {
    let of = |case: &&Case| case.column.as_deref() == Some(column);
    let shown = |case: &Case, value: String| match case.given.as_str() {
        "" => value,
        given => format!("{given}: {value}"),
    };
    let printed = reading.cases.iter().filter(of).map(|case| match case.fit {
        Fit::Yes => shown(case, case.printed.to_string()),
        _ => shown(case, format!("{} → **{}**", case.printed, case.measured)),
    });
    let mut values: Vec<String> = printed.collect();
    if values.is_empty() {
        let lost = reading.repaired.iter().filter(of);
        values.extend(lost.map(|case| shown(case, format!("**{}**", case.measured))));
    }
    // Several statements may be about one value.
    let mut seen = std::collections::HashSet::new();
    values.retain(|value| seen.insert(value.clone()));
    cell(&values.join("; "))
}

#[cfg(test)]
mod tests {
    use super::super::{LEDGERS, Ledger, Verdict};

    #[test]
    fn what_the_page_shows_can_be_read() {
        let loops = ["sum(", "largest(", "smallest(", "all(", "if("];
        for (key, text) in LEDGERS {
            let ledger = Ledger::parse(key, text).expect("our own ledger");
            for claim in &ledger.claims {
                let shown = [Verdict::Fails, Verdict::Bound];
                let readings =
                    { &claim.readings }.iter().filter(|one| shown.contains(&one.verdict));
                for check in readings.flat_map(|reading| &reading.check) {
                    let hard = loops.iter().any(|word| check.measured.contains(word));
                    assert!(!hard || check.what.is_some(), "{}: {}", claim.id, check.measured);
                }
            }
        }
    }
}
