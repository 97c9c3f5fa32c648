//! `nestnet claims`: is what the papers say true?

mod show;

use crate::job::Job;
use crate::part::{Part, ShardOptions};
use crate::{Outcome, text};
use anyhow::{Context as _, anyhow, bail, ensure};
use clap::ValueEnum as _;
use nestnet::claim::{
    Claim, Finding, Judged, Lab, Ledger, LedgerError, QUANTITIES, Quantity, TEMPLATE, Totals,
    Verdict, judge_all, select,
};
use nestnet::fields;
use nestnet::job::Shard;
use nestnet::{Budget, Watch};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  nestnet claims
  nestnet claims li-2009
  nestnet claims --only li-2009.table-2-ccc
  nestnet claims --verdict fails --json
  nestnet claims --template > mine.toml
  nestnet claims --file mine.toml

Every row is a statement of a paper, and is measured in several cases (networks and parameters). Its \
verdict is `holds` if all cases confirm it, `fails` if a case contradicts it, `bound` if the printed \
equality is false and true as an upper bound, `misprint` if a reader corrects it at once, `open` if it \
cannot be decided. The statement as it is printed comes first and gives the verdict; `read as` is \
another reading of the same statement. `taken as` in a statement says how a sentence without numbers \
is measured. Of the cases a table shows the most informative one, and the \
nodes of the largest. The first column of cases says whether one confirms the statement: `yes`, `NO`, `less` \
(the printed equality is false there and true as an upper bound) or `open` (bounds that do not decide). \
A value is known `by our theorem` where the network is too large to search, `by arithmetic` where it \
follows from the printed numbers, and else it is `measured`. In the totals an error that a paper has \
at several places counts once, as in docs/errata.md. The exit code is 1 if a measurement disagrees \
with a verdict that is written down, and 2 if some were not finished within --max-time and \
--max-memory.
--file reads a ledger of your own, for any paper; --template prints one to begin with, --quantities \
lists what its formulas can measure, docs/ledgers.md explains both.")]
pub struct Args {
    /// The paper: shen-back-1993, jan-2004, li-2009, yeh-parhami-1996 or sun-2000; all if omitted
    paper: Option<String>,
    /// Only these rows: ids separated by commas, with or without the paper, or the beginning of ids; up to four rows are
    /// shown in full
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    only: Vec<String>,
    /// Only rows with this verdict, by the printed reading; other readings of these rows are listed below it
    #[arg(long, value_enum)]
    verdict: Option<VerdictName>,
    /// Add the cases that take minutes, up to millions of nodes
    #[arg(long)]
    slow: bool,
    /// Show every case of every row, not only the most informative one
    #[arg(long)]
    cases: bool,
    /// Read the claims from this file
    #[arg(long, value_name = "FILE", conflicts_with = "paper")]
    file: Option<String>,
    /// List the rows with the verdicts that are written down, without measuring them again
    #[arg(long, conflicts_with_all = ["slow", "cases", "quantities"])]
    list: bool,
    /// List the quantities that a claim can be about
    #[arg(long)]
    quantities: bool,
    /// Print a ledger to begin one of your own with
    #[arg(long, conflicts_with_all = ["paper", "only", "file", "list", "quantities", "json"])]
    template: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    shards: ShardOptions,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum VerdictName {
    /// True in all cases
    Holds,
    /// Fails as the equality that is printed, true as an upper bound
    Bound,
    /// Contradicted by a case, also where it is true as a bound
    Fails,
    /// False as printed, and fixed at once
    Misprint,
    /// Not decided
    Open,
}

impl VerdictName {
    fn verdict(self) -> Verdict {
        match self {
            VerdictName::Holds => Verdict::Holds,
            VerdictName::Bound => Verdict::Bound,
            VerdictName::Fails => Verdict::Fails,
            VerdictName::Misprint => Verdict::Misprint,
            VerdictName::Open => Verdict::Open,
        }
    }
}

pub fn run(args: &Args, job: &Job) -> anyhow::Result<Outcome> {
    if args.quantities {
        match args.json {
            true => text::print_json(&quantities_json())?,
            false => text::print(&quantities())?,
        }
        return Ok(Outcome::Done);
    }
    if args.template {
        text::print(TEMPLATE)?;
        return Ok(Outcome::Done);
    }
    let mut ledgers = match (&args.file, &args.paper) {
        (Some(path), _) => vec![from_file(path, job)?],
        (None, Some(paper)) => vec![Ledger::of(paper)?],
        (None, None) => Ledger::all()?,
    };
    let verdict = args.verdict.map(VerdictName::verdict);
    select(&mut ledgers, &args.only, verdict).map_err(|error| match error {
        LedgerError::NoClaim { .. } => anyhow!("--only: {error}"),
        error => error.into(),
    })?;
    if args.list {
        return show::list(&ledgers, args.json).map(|()| Outcome::Done);
    }
    if let Some(shard) = args.shards.shard {
        if !args.json {
            bail!("--shard: the parts of claims are merged to JSON (--json)");
        }
        return part(args, &ledgers, shard, job);
    }
    job.with_budget(|budget| {
        let total: usize = ledgers.iter().map(|ledger| ledger.claims.len()).sum();
        let finished = AtomicUsize::new(0);
        let progress = budget.watch.progress;
        // The bar counts claims; a measurement has none of its own.
        let watch = Watch { progress: &|_| (), ..budget.watch };
        let lab = Lab::new(Budget { watch, ..budget });
        let done = || {
            let finished = finished.fetch_add(1, Ordering::Relaxed) + 1;
            progress(finished as f64 / total as f64);
        };
        job.doing("claims");
        let ids = ids(&ledgers);
        let mut counts = Counts::default();
        let mut papers = Vec::new();
        for ledger in &ledgers {
            let claims: Vec<_> = ledger.claims.iter().collect();
            counts.claims += claims.len();
            counts.repeated += claims.iter().filter(|claim| claim.repeats_one_of(&ids)).count();
            if job.is_over() {
                continue;
            }
            let judged = judge_all(&claims, args.slow, &lab, &done);
            judged.iter().for_each(|judged| counts.add(judged, &ids));
            if args.json {
                papers.push(serde_json::to_value(PaperClaims::of(ledger, &judged))?);
            } else {
                job.finish();
                text::print(&show::to_text(ledger, &judged, args.cases))?;
            }
        }
        job.finish();
        if args.json {
            text::print_json(&json!({ "papers": papers, "counts": counts }))?;
        } else {
            text::print(&counts.to_text())?;
        }
        if job.is_interrupted() || job.is_over() && counts.unfinished() > 0 {
            bail!(job.unfinished());
        }
        counts.outcome()
    })
}

/// Measures the claims of one shard.
fn part(args: &Args, ledgers: &[Ledger], shard: Shard, job: &Job) -> anyhow::Result<Outcome> {
    let all: Vec<(&Ledger, &Claim)> = ledgers
        .iter()
        .flat_map(|ledger| ledger.claims.iter().map(move |claim| (ledger, claim)))
        .collect();
    let count = all.len() as u64;
    let own = (0..shard.units(count)).map(|own| shard.unit(own));
    let own: Vec<usize> = own.map(usize::try_from).collect::<Result<_, _>>()?;
    let claims: Vec<&Claim> = own.iter().map(|&number| all[number].1).collect();
    let rows = job.with_budget(|budget| {
        let (finished, progress) = (AtomicUsize::new(0), budget.watch.progress);
        let watch = Watch { progress: &|_| (), ..budget.watch };
        let lab = Lab::new(Budget { watch, ..budget });
        let done = || {
            let finished = finished.fetch_add(1, Ordering::Relaxed) + 1;
            progress(finished as f64 / claims.len() as f64);
        };
        job.doing("claims");
        let ids = ids(ledgers);
        let judged = judge_all(&claims, args.slow, &lab, &done);
        let row = |judged: &Judged<'_>| {
            // A claim that was not begun is not among them.
            let number = own.iter().find(|&&number| std::ptr::eq(all[number].1, judged.claim))?;
            let (ledger, _) = all[*number];
            Some(json!({
                "number": number,
                "paper": ledger.key,
                "title": ledger.title,
                "finding": judged.finding() as usize,
                "verdict": judged.claim.verdict().to_string(),
                "repeated": judged.claim.repeats_one_of(&ids),
                "claim": judged,
            }))
        };
        judged.iter().filter_map(row).collect::<Vec<Value>>()
    });
    job.finish();
    ensure!(!job.is_over(), job.unfinished());
    let verdict = args.verdict.and_then(|verdict| verdict.to_possible_value());
    let asked = json!({
        "paper": args.paper,
        "file": args.file,
        "only": args.only,
        "verdict": verdict.map(|verdict| verdict.get_name().to_owned()),
        "slow": args.slow,
    });
    let found = json!({ "claims": count, "rows": rows });
    let part = Part { verb: "claims".to_owned(), asked, shard, found };
    part.write(args.shards.part.as_deref(), job)?;
    Ok(Outcome::Done)
}

/// What the parts of all shards say together.
pub fn merge(parts: Vec<Part>) -> anyhow::Result<Outcome> {
    let claims = |part: &Part| part.found["claims"].as_u64();
    let count = parts.first().and_then(claims).context("a part that is not whole")?;
    if parts.iter().any(|part| claims(part) != Some(count)) {
        bail!("the parts are not of the same claims");
    }
    let mut counts = Counts { claims: usize::try_from(count)?, ..Counts::default() };
    let mut rows: Vec<Value> = Vec::new();
    for mut part in parts {
        if let Some(own) = part.found["rows"].as_array_mut() {
            rows.append(own);
        }
    }
    rows.sort_by_key(|row| row["number"].as_u64());
    let mut papers: Vec<Value> = Vec::new();
    for mut row in rows {
        let finding = row["finding"].as_u64().and_then(|place| usize::try_from(place).ok());
        let verdict = row["verdict"].as_str().and_then(|name| name.parse().ok());
        let (finding, verdict) = finding.zip(verdict).context("a part that is not whole")?;
        let repeated = row["repeated"] == true;
        counts.repeated += usize::from(repeated);
        counts.add_found(finding, verdict, repeated);
        if papers.last().is_none_or(|paper| paper["paper"] != row["paper"]) {
            let (paper, title) = (row["paper"].take(), row["title"].take());
            papers.push(json!({ "paper": paper, "title": title, "claims": [] }));
        }
        if let Some(claims) = papers.last_mut().and_then(|paper| paper["claims"].as_array_mut()) {
            claims.push(row["claim"].take());
        }
    }
    text::print_json(&json!({ "papers": papers, "counts": counts }))?;
    counts.outcome()
}

fn from_file(path: &str, job: &Job) -> anyhow::Result<Ledger> {
    let bytes = job.with_context(|context| (context.read)(path));
    let bytes = bytes.with_context(|| format!("cannot read {path}"))?;
    let text = String::from_utf8(bytes).with_context(|| format!("{path} is not text"))?;
    Ok(Ledger::parse(path, &text)?)
}

/// What a quantity takes, in words.
fn takes(quantity: &Quantity) -> Vec<String> {
    quantity.takes.iter().map(|takes| format!("{takes:?}").to_lowercase()).collect()
}

/// A row of the list of quantities.
#[derive(Serialize)]
struct QuantityRow {
    /// Its name in formulas.
    name: &'static str,
    /// Its arguments, in order: `network`, `node`, `number` or `word`.
    takes: Vec<String>,
    /// What it is.
    about: &'static str,
}

fn quantities_json() -> Value {
    let row = |row: &Quantity| QuantityRow { name: row.name, takes: takes(row), about: row.about };
    json!({ "quantities": QUANTITIES.iter().map(row).collect::<Vec<_>>() })
}

fn quantities() -> String {
    let rows: Vec<(String, String)> = QUANTITIES
        .iter()
        .map(|quantity| {
            let takes = takes(quantity).join(", ");
            (format!("{}({takes})", quantity.name), quantity.about.to_owned())
        })
        .collect();
    let rows: Vec<(&str, String)> =
        rows.iter().map(|(name, about)| (name.as_str(), about.clone())).collect();
    text::table(&rows)
}

/// The ids of all rows.
fn ids(ledgers: &[Ledger]) -> HashSet<&str> {
    let claims = ledgers.iter().flat_map(|ledger| &ledger.claims);
    claims.map(|claim| claim.id.as_str()).collect()
}

/// How many rows there are and how many of them are an error of another one at a further place, what we hold of those that
/// were looked at to the end, and what was found.
#[derive(Default)]
struct Counts {
    claims: usize,
    repeated: usize,
    totals: Totals,
    findings: [usize; 4],
}

impl Counts {
    fn add(&mut self, judged: &Judged<'_>, ids: &HashSet<&str>) {
        let claim = judged.claim;
        self.add_found(judged.finding() as usize, claim.verdict(), claim.repeats_one_of(ids));
    }

    /// What was found, by its place, and what is written down.
    fn add_found(&mut self, finding: usize, verdict: Verdict, repeated: bool) {
        if let Some(count) = self.findings.get_mut(finding) {
            *count += 1;
        }
        if finding != Finding::NotFinished as usize {
            self.totals.add(verdict, repeated);
        }
    }

    fn outcome(&self) -> anyhow::Result<Outcome> {
        match (self.of(Finding::NotAsMeasured), self.unfinished()) {
            (0, 0) => Ok(Outcome::Done),
            (0, count) => bail!("{count} of {} not finished within the limits", self.claims),
            _ => Ok(Outcome::No),
        }
    }

    fn of(&self, finding: Finding) -> usize {
        self.findings[finding as usize]
    }

    /// Verdicts that were measured, whatever came out.
    fn finished(&self) -> usize {
        self.of(Finding::AsMeasured) + self.of(Finding::NotAsMeasured)
    }

    /// Claims that were stopped, or not begun.
    fn unfinished(&self) -> usize {
        self.claims - self.finished() - self.of(Finding::NotRun)
    }

    fn to_text(&self) -> String {
        if self.claims == 0 {
            return "there is no such claim\n".to_owned();
        }
        let Totals { holds, bound, fails, misprints, open, .. } = self.totals;
        let statements = match self.claims - self.repeated {
            1 => "1 statement".to_owned(),
            many => format!("{many} statements"),
        };
        let repeats = match self.repeated {
            0 => String::new(),
            1 => " (a further row repeats an error counted above)".to_owned(),
            many => format!(" ({many} further rows repeat an error counted above)"),
        };
        let mut text = format!(
            "{statements}{repeats}: {holds} hold, {} fail ({bound} of them true as bounds), {misprints} are misprints, {open} are open",
            fails + bound
        );
        let (not_run, unfinished) = (self.of(Finding::NotRun), self.unfinished());
        if unfinished > 0 {
            text.push_str(&format!(", {unfinished} not finished"));
        }
        text.push('\n');
        if not_run > 0 {
            text.push_str(&format!("{not_run} were not measured\n"));
        }
        let finished = self.finished();
        text.push_str(&match (self.of(Finding::NotAsMeasured), unfinished) {
            (0, 0) => "every verdict agrees with the measurement\n".to_owned(),
            (0, _) => format!(
                "{finished} finished and agreed with the measurement, {unfinished} not finished\n"
            ),
            (1, _) => "1 verdict does NOT agree with the measurement\n".to_owned(),
            (many, _) => format!("{many} verdicts do NOT agree with the measurement\n"),
        });
        text
    }
}

impl Serialize for Counts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        fields!(
            serializer,
            "Counts",
            /// Rows of the ledgers.
            claims = self.claims,
            /// Rows without those that are an error of another row at a further place.
            statements: usize = self.claims - self.repeated,
            /// Rows that are an error of another row at a further place.
            repeated = self.repeated,
            holds = self.totals.holds,
            bound = self.totals.bound,
            fails = self.totals.fails,
            open = self.totals.open,
            misprints = self.totals.misprints,
            /// Rows that were measured to the end.
            finished: usize = self.finished(),
            /// Rows that were stopped, or not begun.
            not_finished: usize = self.unfinished(),
            /// Rows of which all cases take long, and were not asked for.
            not_run: usize = self.of(Finding::NotRun),
            /// Rows whose verdict is not that of the measurement.
            disagree: usize = self.of(Finding::NotAsMeasured),
        )
    }
}

/// The claims of a paper, with what was measured.
#[derive(Serialize)]
struct PaperClaims<'a> {
    /// Its key.
    paper: &'a str,
    /// Its title.
    title: &'a str,
    /// Its claims, in its order.
    claims: &'a [Judged<'a>],
}

impl<'a> PaperClaims<'a> {
    fn of(ledger: &'a Ledger, claims: &'a [Judged<'a>]) -> Self {
        PaperClaims { paper: &ledger.key, title: &ledger.title, claims }
    }
}
