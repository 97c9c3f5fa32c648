//! The errata: what fails, what is only a bound, and the papers' tables with true values, as one page.

use super::{
    Basis, Case, Claim, Fit, Judged, JudgedReading, Ledger, Relation, Standing, Totals, Verdict,
};
use std::fmt::Write as _;

/// The day of this edition, which `CITATION.cff` has too.
pub const EDITION: &str = "2026-11-18";

/// The page in Markdown, from all claims of all papers.
pub fn page(papers: &[(&Ledger, Vec<Judged<'_>>)]) -> String {
    let mut page = format!(
        "# Errata of five papers on nested networks\n\n\
         Nestnet {}, edition of {EDITION}. To cite it: [Cite](cite.md); an entry has its id as its \
         anchor.\n",
        env!("CARGO_PKG_VERSION")
    );
    summary(&mut page, papers);
    page.push_str(RULE);
    page.push_str(READING);
    page.push_str(
        "\n## How many\n\n\
         By the printed reading. One error at several places is one entry and counted once.\n\n\
         | paper | statements | hold | fail | of them true as a bound | misprints | open |\n\
         |---|---|---|---|---|---|---|\n",
    );
    for (ledger, _) in papers {
        let (key, totals) = (&ledger.key, Totals::of(&ledger.claims));
        let Totals { holds, bound, fails, misprints, open, .. } = totals;
        let (total, fails) = (totals.statements(), fails + bound);
        let _ = writeln!(
            page,
            "| [{key}](#{key}) | {total} | {holds} | {fails} | {bound} | {misprints} | {open} |"
        );
    }
    for (ledger, judged) in papers {
        let _ = write!(page, "\n## {}\n\n{}.", ledger.key, ledger.title);
        if let Some(venue) = &ledger.venue {
            let _ = write!(page, " {venue}.");
        }
        if let Some(doi) = &ledger.doi {
            let _ = write!(page, " [doi:{doi}](https://doi.org/{doi}).");
        }
        page.push('\n');
        if let Some(text) = &ledger.text {
            let _ = write!(page, "\n*The text.* {text}\n");
        }
        if let Some(corrections) = &ledger.corrections {
            let _ = write!(page, "\n*Earlier corrections.* {corrections}\n");
        }
        of_paper(&mut page, ledger, judged);
    }
    page
}

/// By which a statement is judged.
const RULE: &str = "\n## The rule\n\n\
    1. The **printed reading** is judged first, always: to the letter, and where a procedure calls others, those to the \
    letter too. It gives the verdict. What may have been meant comes after it, as further readings.\n\
    2. A statement **holds** where it is true in every case that was measured, and **fails** where one case contradicts it. \
    Every quantifier is tried from its smallest cases on; a single node is no network. A statement that holds for larger cases \
    alone fails, with the restricted reading after it, unless the paper restricts it too. What holds is on [a page of its \
    own](ledger.md), with its restrictions. \
    An equality of two quantities that is false and never exceeded fails too, and is marked *true as a bound* (`bound` in `nestnet claims --list`); that a \
    procedure serves all, or which node a line names, is no such equality.\n\
    3. It is a **misprint** where a reader corrects it at once from the same page: a letter, an index, a sign, a bracket, \
    a name, a missing word; or at once from an equation that it cites. A slip is one also where the sentence happens to \
    be true as it stands.\n\
    4. It is **open** where it cannot be decided here; so is what rests on a figure that was not seen.\n\
    5. A definition cannot fail. What a paper does not state is no entry, unless it follows from what is stated: that is \
    marked *Implied*. Where a statement has no number, such as a small diameter, a threshold or a rounding of ours makes it \
    one that can be measured, and the entry says that it is ours.\n\
    6. Costs are counted as the paper counts them before they are counted in any other way; where it does not define how, in \
    the cost model that we infer, and the reading says so.\n";

/// What a reader must know before the first entry.
const READING: &str = "\n## How to read an entry\n\n\
    This page is written by `cargo xtask generate` from the same rows that `nestnet claims` measures \
    (`crates/nestnet-claims/claims/*.toml`). Each entry names the place in the paper and says in our words, with the \
    paper's symbols, what is printed there; nothing is quoted. A counterexample gives the relation that is stated and the \
    value that was found, and says what that value rests on: *measured* is a search, a count or a run on the network \
    itself, *by our theorem* a formula for networks too large to search, with its proof in [proofs.md](proofs.md), *by \
    arithmetic* a computation from the printed numbers alone. Distances in networks of up to 4,096 nodes are searched \
    from every node, whatever a theorem says; `--how exhaustive` in a command asks for that search. Theorems of ours on distances, by network: [recursive \
    expansion](proofs.md#re-distance) and [σH_n](proofs.md#re-heawood), [folded networks, tori, meshes and \
    cubes](proofs.md#product), [root-folded](proofs.md#root-folded) and [flooded networks](proofs.md#flooded), \
    [dual-nets](proofs.md#rdn-distance), [swapped networks](proofs.md#rsn-diameter) and [HCN](proofs.md#hcn-diameter), [WK-recursive \
    networks](proofs.md#wk), [cubes of rings](proofs.md#rcr-distance) and [cube-connected \
    cycles](proofs.md#cor-diameter); sizes and degrees follow from the definitions. The procedures, as printed and corrected, are in \
    [procedures.md](procedures.md).\n\n\
    Papers count nodes, phases and digits as they please, RELLN and ROUTRCN from 1. Where an entry says *node i* it is the \
    paper's; ids in commands and specs are ours and count from 0, so that node i of RELLN is id i-1.\n\n\
    The texts are scans, read by machine: some figures, tables and signs are lost, as each paper's part says. Where a \
    sign could be either of two, we take the one with which the paper's own examples come out. For cubes of rings the \
    function f is taken as f(a, m) = -a mod m (`positions=cyclic`). The worked examples do not decide that: all have r = 2, \
    where the printed form, `positions=literal`, agrees. The printed form disconnects networks that the paper names as \
    special cases. It is judged first where a reading names it: degrees, links, planes, connection, symmetry, fault tolerance, \
    Property 1.4, Property 5 and Theorem 1. All other statements on cubes of rings were measured with cyclic positions alone. \
    Of those that fail, a counterexample has r ≤ 2 or j = 0, where both forms give the same network, or does not depend on f. \
    Those that hold may fail by the printed form, and other values of distances are those of cyclic positions: RCR(2, 3, 2) has \
    diameter 6, by the printed form 7. Venues of the papers are as they are generally cited; \
    DOIs were not at hand.\n";

/// The findings that matter most, in the order of their rank: what fails, how badly, what to use instead.
fn summary(page: &mut String, papers: &[(&Ledger, Vec<Judged<'_>>)]) {
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
    page.push_str("\n## Summary\n\n| | what fails, and how badly | use instead | entry |\n|---|---|---|---|\n");
    for (number, (_, text, claim)) in ranked.iter().enumerate() {
        let instead = claim.instead.as_deref().unwrap_or_default();
        let _ = writeln!(
            page,
            "| {} | {} | {} | [{}](#{}) |",
            number + 1,
            cell(text),
            cell(instead),
            claim.id,
            claim.id
        );
    }
}

fn of_paper(page: &mut String, ledger: &Ledger, judged: &[Judged<'_>]) {
    let entries = || judged.iter().filter(|judged| judged.claim.same_as.is_none());
    page.push_str("\n### What fails\n");
    let failures = || entries().filter(|judged| judged.claim.verdict().is_failure());
    // What has one cause is together, in the order in which the causes occur; then the rest, kind by kind.
    let mut causes: Vec<&str> = Vec::new();
    for cause in failures().filter_map(|judged| judged.claim.cause.as_deref()) {
        if !causes.contains(&cause) {
            causes.push(cause);
        }
    }
    for cause in causes {
        let _ = write!(page, "\n**One cause: {cause}**\n");
        for one in failures().filter(|one| one.claim.cause.as_deref() == Some(cause)) {
            entry_of(page, one, judged);
        }
    }
    let mut others: Vec<&Judged<'_>> = failures().filter(|one| one.claim.cause.is_none()).collect();
    others.sort_by_key(|judged| judged.claim.kind);
    if failures().any(|one| one.claim.cause.is_some()) && !others.is_empty() {
        page.push_str("\n**Each for itself**\n");
    }
    others.into_iter().for_each(|one| entry_of(page, one, judged));
    let fails_elsewhere = |judged: &&Judged<'_>| {
        let others = judged.readings.iter().skip(1);
        judged.claim.verdict() == Verdict::Holds && { others }
            .any(|one| one.reading.verdict.is_failure())
    };
    if entries().any(|judged| fails_elsewhere(&judged)) {
        page.push_str("\n### What holds as printed and fails in another reading\n");
        entries().filter(fails_elsewhere).for_each(|one| entry_of(page, one, judged));
    }
    if entries().any(|one| one.claim.verdict() == Verdict::Misprint) {
        page.push_str("\n### Misprints\n");
        let misprints = entries().filter(|one| one.claim.verdict() == Verdict::Misprint);
        misprints.for_each(|one| entry_of(page, one, judged));
    }
    let open = || entries().filter(|one| one.claim.verdict() == Verdict::Open);
    if open().next().is_some() {
        page.push_str("\n### What is open\n");
        open().for_each(|one| entry_of(page, one, judged));
    }
    tables(page, ledger, judged);
}

/// A text in a cell of a table.
pub(super) fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// All places of a claim.
pub(super) fn places(claim: &Claim) -> String {
    let all = std::iter::once(&claim.place).chain(&claim.also);
    all.map(String::as_str).collect::<Vec<_>>().join("; ")
}

/// One entry, with the same error at other places.
fn entry_of(page: &mut String, judged: &Judged<'_>, all: &[Judged<'_>]) {
    let Claim { id, says, kind, .. } = judged.claim;
    let _ = write!(
        page,
        "\n<a id=\"{id}\"></a>\n\n#### {} ({kind})\n\n`{id}` · {says}\n\n",
        places(judged.claim)
    );
    let many = judged.readings.len() > 1;
    for reading in &judged.readings {
        reading_of(page, id, reading, many);
    }
    for same in all.iter().filter(|other| other.claim.same_as.as_deref() == Some(id)) {
        let Claim { id, says, .. } = same.claim;
        let _ = writeln!(
            page,
            "- <a id=\"{id}\"></a>The same, {} (`{id}`): {says}",
            places(same.claim)
        );
        let many = same.readings.len() > 1;
        same.readings.iter().for_each(|reading| reading_of(page, id, reading, many));
    }
}

/// The cases that contradict a reading.
fn contradicting<'a>(reading: &'a JudgedReading<'_>) -> Vec<&'a Case> {
    let bad = match reading.reading.verdict {
        Verdict::Bound => Fit::Slack,
        _ => Fit::No,
    };
    reading.cases.iter().filter(|case| case.fit == bad).collect()
}

fn reading_of(page: &mut String, id: &str, reading: &JudgedReading<'_>, many: bool) {
    let (name, verdict) = (&reading.reading.name, reading.reading.verdict);
    if many {
        let _ = writeln!(page, "- Read as *{name}*: **{}**.", verdict.words());
    } else {
        let _ = writeln!(page, "- Verdict: **{}**.", verdict.words());
    }
    if verdict == Verdict::Holds {
        if let Some(note) = &reading.reading.note {
            let _ = writeln!(page, "- {note}");
        }
        return;
    }
    let bad = contradicting(reading);
    counterexamples(page, &bad);
    match &reading.reading.repair {
        Some(repair) => {
            let _ = writeln!(page, "- True instead: {repair}{}", checked(&reading.repaired));
        }
        None if verdict == Verdict::Bound => {
            let _ = writeln!(page, "- Never exceeded{}.", checked(&reading.cases));
        }
        None => {}
    }
    if let Some(proof) = &reading.reading.proof {
        let _ = writeln!(page, "- Proof: {}.", linked(proof));
    }
    if let Some(note) = &reading.reading.note {
        let _ = writeln!(page, "- {note}");
    }
    if reading.reading.check.is_empty() {
        return;
    }
    // What is computed from printed numbers no command shows.
    let measured = bad.first().filter(|case| case.basis != Basis::Arithmetic);
    let direct = measured.and_then(|case| Some(searched(case, case.command.as_ref()?)));
    let direct = reading.reading.show.clone().or(direct);
    let direct = direct.map(|show| format!(" and {}", commands(&show))).unwrap_or_default();
    let _ = writeln!(page, "- Reproduce: `nestnet claims --only {id}`{direct}");
}

/// Commands that are separated by semicolons, each for itself; an address may have one too.
fn commands(show: &str) -> String {
    format!("`{}`", show.replace("; nestnet ", "`, `nestnet "))
}

/// The command, by a search where that is what the value rests on.
fn searched(case: &Case, command: &str) -> String {
    const BY_DISTANCES: [&str; 5] = ["diameter", "radius", "average_distance", "cost", "cr"];
    let of_distances = command
        .split_once(" --only ")
        .is_some_and(|(_, names)| names.split(',').any(|name| BY_DISTANCES.contains(&name.trim())));
    let how = if of_distances && case.basis == Basis::Measured { " --how exhaustive" } else { "" };
    format!("{command}{how}")
}

/// A proof as it is shown: `proofs.md#anchor` is a link.
pub(super) fn linked(proof: &str) -> String {
    let proof = proof.trim_end_matches('.');
    match proof.strip_prefix("proofs.md#") {
        Some(rest) => {
            let (anchor, words) = rest.split_once(": ").unwrap_or((rest, rest));
            format!("[{words}](proofs.md#{anchor})")
        }
        None => proof.to_owned(),
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
        large if large > 1e15 => {
            format!(", the largest of about 10^{} nodes", large.log10().round())
        }
        nodes => format!(" of up to {nodes} nodes"),
    };
    match repaired.len() {
        0 => String::new(),
        1 => format!(" (tested on 1 case{size})"),
        count => format!(" (tested on {count} cases{size})"),
    }
}

/// The tables of a paper, true values beside the printed ones where they differ.
fn tables(page: &mut String, ledger: &Ledger, judged: &[Judged<'_>]) {
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
        let printed = ledger.legends.get(name).map_or("Printed values", String::as_str);
        let _ = write!(
            page,
            "\n### {name}, with true values\n\n\
             {printed}; where the true one differs, it follows in bold. A bold value alone stands where the printed one is \
             not in the text that we have.\n\n\
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
    // A bound that holds may still be another value.
    let as_printed = |case: &Case| {
        let equality =
            matches!(case.relation, Relation::Equal | Relation::Worst | Relation::Rounds);
        let equal = || case.measured.stands(&case.printed) == Some(Standing::Equal);
        case.fit == Fit::Yes && (equality || equal())
    };
    let printed = reading.cases.iter().filter(of).map(|case| match as_printed(case) {
        true => shown(case, case.printed.to_string()),
        false => shown(case, format!("{} → **{}**", case.printed, case.measured)),
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
