//! Claims for people: a table of many, or all that is known of a few.

use crate::text;
use nestnet::claim::{
    Case, Check, Claim, Finding, Fit, Judged, JudgedReading, Ledger, Value, Verdict,
};
use serde::Serialize;
use serde_json::json;
use std::fmt::Write as _;

/// So few claims are shown in full.
const FEW: usize = 4;

/// The claims of a paper.
pub fn to_text(ledger: &Ledger, judged: &[Judged<'_>], all_cases: bool) -> String {
    let mut text = format!("{}\n", ledger.title);
    if judged.len() <= FEW {
        judged.iter().for_each(|judged| text.push_str(&in_full(judged)));
    } else {
        text.push_str(&table(ledger, judged, all_cases));
    }
    for judged in judged {
        for reading in &judged.readings {
            match reading.finding() {
                Finding::NotAsMeasured => text.push_str(&disagreement(judged, reading)),
                Finding::NotFinished => text.push_str(&unfinished(judged, reading)),
                Finding::AsMeasured | Finding::NotRun => (),
            }
        }
    }
    text.push('\n');
    text
}

/// The rows of a paper as they are written down.
#[derive(Serialize)]
struct ListedPaper<'a> {
    /// Its key.
    paper: &'a str,
    /// Its title.
    title: &'a str,
    /// Its rows, in its order.
    claims: Vec<ListedClaim<'a>>,
}

/// A row as it is written down.
#[derive(Serialize)]
struct ListedClaim<'a> {
    /// The name of the statement.
    id: &'a str,
    /// Where the paper says it.
    #[serde(rename = "where")]
    place: &'a str,
    /// What it says, in other words.
    says: &'a str,
    /// What kind of statement it is.
    kind: String,
    /// The verdict of its printed reading.
    verdict: String,
    /// What was found in one sentence, where it is among the findings that matter most.
    finding: Option<&'a str>,
    /// What is true instead, where it fails.
    repair: Option<&'a str>,
    /// How it is measured.
    formulas: Vec<ListedFormula<'a>>,
    /// How the repaired statement is measured.
    repaired_formulas: Vec<ListedFormula<'a>>,
    /// Commands that show the failure, separated by semicolons.
    show: Option<&'a str>,
}

/// What is measured, beside what the paper has.
#[derive(Serialize)]
struct ListedFormula<'a> {
    /// What is measured.
    measured: &'a str,
    /// How it should stand to what the paper has.
    is: &'static str,
    /// What the paper has.
    printed: &'a str,
}

impl<'a> ListedPaper<'a> {
    fn of(ledger: &'a Ledger) -> Self {
        let claims = ledger.claims.iter().map(ListedClaim::of).collect();
        ListedPaper { paper: &ledger.key, title: &ledger.title, claims }
    }
}

impl<'a> ListedClaim<'a> {
    fn of(claim: &'a Claim) -> Self {
        let formulas = |checks: &'a [Check]| {
            let formula = |check: &'a Check| ListedFormula {
                measured: &check.measured,
                is: check.is.sign(),
                printed: &check.printed,
            };
            checks.iter().map(formula).collect()
        };
        let reading = &claim.readings[0];
        ListedClaim {
            id: &claim.id,
            place: &claim.place,
            says: &claim.says,
            kind: claim.kind.to_string(),
            verdict: claim.verdict().to_string(),
            finding: claim.finding.as_ref().map(|(_, found)| found.as_str()),
            repair: reading.repair.as_deref(),
            formulas: formulas(&reading.check),
            repaired_formulas: formulas(&reading.repaired),
            show: reading.show.as_deref(),
        }
    }
}

/// The rows with the verdicts that are written down.
pub fn list(ledgers: &[Ledger], json: bool) -> anyhow::Result<()> {
    if json {
        let papers: Vec<_> = ledgers.iter().map(ListedPaper::of).collect();
        text::print_json(&json!({ "papers": papers }))?;
        return Ok(());
    }
    for ledger in ledgers {
        let row =
            |claim: &Claim| [claim.id.clone(), claim.verdict().to_string(), short(&claim.says, 80)];
        let rows: Vec<[String; 3]> = ledger.claims.iter().map(row).collect();
        text::print(&format!("{}\n{}\n", ledger.title, text::columns(&rows)))?;
    }
    Ok(())
}

/// A text of at most so many letters.
fn short(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most - 1).chain(['…']).collect()
}

fn value(value: &Value) -> String {
    short(&value.to_string(), 20)
}

fn fit(fit: Fit) -> &'static str {
    match fit {
        Fit::Yes => "yes",
        Fit::Slack => "less",
        Fit::Unknown => "open",
        Fit::No => "NO",
    }
}

/// The nodes of the largest network among the cases.
fn most_nodes(cases: &[Case]) -> String {
    match cases.iter().map(|case| case.nodes).fold(0.0, f64::max) {
        0.0 => String::new(),
        nodes if nodes < 1e9 => text::grouped(&format!("{nodes:.0}")),
        nodes => format!("{nodes:.0e}"),
    }
}

/// What is printed, with the relation that is stated: `at most 5`.
fn printed(case: &Case) -> String {
    format!("{}{}", case.relation.words(), value(&case.printed))
}

fn table(ledger: &Ledger, judged: &[Judged<'_>], all_cases: bool) -> String {
    let head =
        ["verdict", "id", "says", "where", "printed", "measured", "quantity", "cases", "max nodes"];
    let mut rows = vec![head.map(str::to_owned)];
    for judged in judged {
        let id = judged.claim.id.strip_prefix(&ledger.key).unwrap_or(&judged.claim.id);
        for (number, reading) in judged.readings.iter().enumerate() {
            let name = match number {
                0 => id.trim_start_matches('.').to_owned(),
                _ => format!("  read as {}", reading.reading.name),
            };
            let row = |verdict: String, case: Option<&Case>| {
                [
                    verdict,
                    short(&name, 34),
                    short(&judged.claim.says, 60),
                    short(&judged.claim.place, 30),
                    case.map_or_else(String::new, printed),
                    case.map_or_else(String::new, |case| value(&case.measured)),
                    case.map_or_else(String::new, |case| short(case.quantity(), 44)),
                    reading.cases.len().to_string(),
                    most_nodes(&reading.cases),
                ]
            };
            if all_cases && !reading.cases.is_empty() {
                let cases = reading.cases.iter();
                rows.extend(cases.map(|case| row(fit(case.fit).to_owned(), Some(case))));
            } else {
                let verdict = match reading.finding() {
                    Finding::NotFinished => "not finished".to_owned(),
                    _ => reading.reading.verdict.to_string(),
                };
                rows.push(row(verdict, reading.witness()));
            }
        }
    }
    text::columns(&rows)
}

fn in_full(judged: &Judged<'_>) -> String {
    let mut text = format!("\n{}\n", judged.claim.id);
    let places = std::iter::once(&judged.claim.place).chain(&judged.claim.also);
    let places: Vec<&str> = places.map(String::as_str).collect();
    let mut rows = vec![("where", places.join("; ")), ("says", judged.claim.says.clone())];
    for judged in &judged.readings {
        let reading = judged.reading;
        if !reading.name.is_empty() {
            rows.push(("read as", reading.name.clone()));
        }
        let verdict = reading.verdict;
        let found = match (judged.finding(), judged.found) {
            (Finding::NotFinished, _) => format!("{verdict} is written; not finished"),
            (Finding::NotRun, _) => format!("{verdict}; its cases are slow (--slow)"),
            (Finding::AsMeasured, _) => format!("{verdict}, confirmed by measurement"),
            (Finding::NotAsMeasured, Some(found)) if found != verdict => {
                format!("{verdict}, but measured {found}")
            }
            (Finding::NotAsMeasured, Some(_)) => format!("{verdict}, but its repair fails"),
            (Finding::NotAsMeasured, None) => format!("{verdict}, but it cannot be measured"),
        };
        rows.push(("verdict", found));
        let conditions = reading.conditions();
        if !conditions.is_empty() {
            rows.push(("cases where", conditions.join("; ")));
        }
        let others =
            [("true instead", &reading.repair), ("proof", &reading.proof), ("note", &reading.note)];
        let others = others.into_iter().filter_map(|(key, text)| Some((key, text.clone()?)));
        rows.extend(others);
        if reading.proof.is_none() && reading.verdict == Verdict::Holds {
            rows.push(("proof", "none here: true in the cases below".to_owned()));
        }
    }
    text.push_str(&text::table(&rows));
    for judged in &judged.readings {
        for (title, cases) in [("cases", &judged.cases), ("cases of the repair", &judged.repaired)]
        {
            if cases.is_empty() {
                continue;
            }
            let name = match judged.reading.name.as_str() {
                "" => String::new(),
                name => format!(", read as {name}"),
            };
            let _ = writeln!(text, "  {title}{name}");
            let head = ["", "printed", "measured", "quantity", "with", "known"].map(str::to_owned);
            let row = |case: &Case| {
                let given = case.given.clone();
                let (measured, how) = (value(&case.measured), case.basis.words().to_owned());
                let quantity = case.measured_by.clone();
                [fit(case.fit).to_owned(), printed(case), measured, quantity, given, how]
            };
            let rows: Vec<_> = std::iter::once(head).chain(cases.iter().map(row)).collect();
            text.push_str(&text::columns(&rows));
        }
        let command = judged.witness().and_then(|case| case.command.as_ref());
        if let Some(command) = judged.reading.show.as_ref().or(command) {
            let _ = writeln!(text, "  see   {command}");
        }
    }
    text
}

fn name(judged: &Judged<'_>, reading: &JudgedReading<'_>) -> String {
    match reading.reading.name.as_str() {
        "" => judged.claim.id.clone(),
        name => format!("{} ({name})", judged.claim.id),
    }
}

fn unfinished(judged: &Judged<'_>, reading: &JudgedReading<'_>) -> String {
    let mut text = format!("not finished {}\n", name(judged, reading));
    for error in reading.errors.iter().take(1) {
        let _ = writeln!(text, "  {error}");
    }
    text
}

fn disagreement(judged: &Judged<'_>, reading: &JudgedReading<'_>) -> String {
    let mut text = format!("NOT AS MEASURED {}", name(judged, reading));
    let found = reading.found.map_or_else(|| "nothing".to_owned(), |found| found.to_string());
    let _ = writeln!(text, ": it says {}, measured {found}", reading.reading.verdict);
    let bad = |case: &&Case| case.fit != Fit::Yes;
    let cases = reading.cases.iter().filter(bad).chain(reading.repaired.iter().filter(bad));
    for case in cases.take(4) {
        let Case { given, measured, printed, measured_by, .. } = case;
        let _ = writeln!(text, "  {given}: {measured} where {printed} was printed ({measured_by})");
    }
    for error in &reading.errors {
        let _ = writeln!(text, "  {error}");
    }
    text
}
