//! `nestnet measure`: the exact numbers of a network, each with how it is known.

use crate::device::Device;
use crate::job::Job;
use crate::part::{BROKEN, Part, ShardOptions, asked};
use crate::ranks::{self, Ranks};
use crate::{Outcome, text};
use anyhow::{Context as _, bail, ensure};
use nestnet::job::{Shard, run as run_job};
use nestnet::measure::distance::{FromAll, FromSome, merge_distances};
use nestnet::measure::sweep::Sweeper;
use nestnet::measures::{
    Analysis, Answer, Fact, MEASURES, Measure, QUICK_STEPS, Sampling, Unanswered, choose,
};
use nestnet::{How, Spec};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::io::{self, Write as _};

#[derive(clap::Args, Serialize, Deserialize)]
#[command(after_help = "\
Examples:
  nestnet measure \"rdn(torus(5, 5), 2)\"
  nestnet measure \"rdn(torus(5, 5), 4)\" --only distances --json
  nestnet measure \"rsn(hypercube(4), 3)\" --only diameter --how symmetry
  nestnet measure 'file(\"edges.txt\")' --only all
  nestnet measure \"random_regular(100000, 6, 1)\" --only distances --device gpu

Without --only, all that answers in a moment; `nestnet measure --list` names everything.
Ctrl-C ends with what is finished.")]
pub struct Args {
    /// The network, such as "rdn(torus(5, 5), 2)"
    #[arg(required_unless_present = "list")]
    spec: Option<String>,
    /// What to measure: names or keys, with commas, or `all`
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    only: Vec<String>,
    /// Take the time that exact answers need: proofs have no limit of steps, and what is usually
    /// skipped because it takes long is measured too
    #[arg(long)]
    #[serde(default)]
    exact: bool,
    /// The method for distances; if omitted, the fastest that is exact: a theorem, then symmetry, then a search from
    /// every node
    #[arg(long, value_enum)]
    how: Option<Method>,
    /// Where searches from every node run; the answer is the same
    #[arg(long, value_enum, default_value_t, conflicts_with = "shard")]
    #[serde(skip)]
    device: Device,
    /// The mean distance from this many nodes drawn at random, with its interval of 95 %, instead of
    /// from all; results by theorem or symmetry stay exact
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..), conflicts_with = "shard")]
    sample: Option<u32>,
    /// The seed of the sample
    #[arg(long, value_name = "SEED", default_value_t = 1, requires = "sample")]
    seed: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// List what can be measured
    #[arg(long)]
    list: bool,
    #[command(flatten)]
    #[serde(skip)]
    shards: ShardOptions,
}

/// How distances are found.
#[derive(Clone, Copy, clap::ValueEnum, Serialize, Deserialize)]
enum Method {
    /// By a proven formula, at any size
    Theorem,
    /// By one search from each class of nodes that proven automorphisms join
    Symmetry,
    /// By a search from every node
    Exhaustive,
}

pub fn run(args: &Args, job: &Job) -> anyhow::Result<Outcome> {
    let Some(spec) = args.spec.as_ref().filter(|_| !args.list) else {
        match args.json {
            true => text::print_json(&listed())?,
            false => text::print(&list())?,
        }
        return Ok(Outcome::Done);
    };
    match args.shards.shard {
        Some(shard) => part(args, spec, shard, job),
        None => match Ranks::start()? {
            Some(ranks) => shared(args, spec, &ranks, job),
            None => answer(args, spec, None, job),
        },
    }
}

/// All distances by all ranks; the first of them answers.
fn shared(args: &Args, spec: &str, ranks: &Ranks, job: &Job) -> anyhow::Result<Outcome> {
    with_subject(args, spec, job, |spec, subject| {
        let watch = subject.limits.budget.watch;
        let mut merged = None;
        if asks_all_distances(args, &subject)?
            && let Some(csr) = subject.to_sweep()?
        {
            job.doing("distances");
            merged = job.in_time(ranks::run(ranks, &FromAll(csr), &watch))?;
        }
        match ranks.is_first() {
            true => answered(args, spec, subject, merged, job),
            false => Ok(Outcome::Done),
        }
    })
}

/// Calls `work` with the network, within the limits.
fn with_subject<T>(
    args: &Args,
    spec: &str,
    job: &Job,
    work: impl FnOnce(Spec, Analysis<'_>) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    args.device.with(job, |devices| with_subject_on(devices.sweeper, args, spec, job, work))
}

fn with_subject_on<T>(
    sweeper: &dyn Sweeper,
    args: &Args,
    spec: &str,
    job: &Job,
    work: impl FnOnce(Spec, Analysis<'_>) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let (spec, built) = job.build(spec)?;
    let how = args.how.map(|method| match method {
        Method::Theorem => How::Theorem,
        Method::Symmetry => How::Symmetry,
        Method::Exhaustive => How::Exhaustive,
    });
    job.with_limits(how, |mut measuring| {
        // Who asks for nothing in particular gets what answers in a moment.
        let is_quick = args.only.is_empty() && !args.exact;
        if is_quick {
            measuring.budget.steps = measuring.budget.steps.min(QUICK_STEPS);
        }
        let closing = |low: u64, high: u64| job.closing("bisection", low, high);
        let subject = Analysis::new(&built, measuring).reporting(&closing).sweeping_on(sweeper);
        let subject = if is_quick { subject } else { subject.proving_all() };
        let subject = match args.sample {
            Some(sources) => subject.sampled(Sampling { sources: sources.into(), seed: args.seed }),
            None => subject,
        };
        work(spec, subject)
    })
}

/// Answers; a search from every node that shards or ranks made is not made again.
fn answer(args: &Args, spec: &str, merged: Option<FromSome>, job: &Job) -> anyhow::Result<Outcome> {
    with_subject(args, spec, job, |spec, subject| answered(args, spec, subject, merged, job))
}

fn answered(
    args: &Args,
    spec: Spec,
    subject: Analysis<'_>,
    merged: Option<FromSome>,
    job: &Job,
) -> anyhow::Result<Outcome> {
    let subject = match merged {
        Some(merged) => {
            let csr = subject.to_sweep()?.context("it takes no search from every node")?;
            let swept = FromAll(csr).whole(merged, &subject.limits.budget.watch)?;
            let swept = swept.context("the parts are not those of this network")?;
            subject.swept(swept)
        }
        None => subject,
    };
    let questions = choose(&args.only, &subject)?;
    let mut open: Vec<&str> = questions.iter().map(|question| question.measure.name).collect();
    let mut object = Map::new();
    object.insert("spec".to_owned(), spec.to_string().into());
    if !args.json {
        text::print(&format!("{spec}\n"))?;
    }
    for question in questions {
        job.doing(question.measure.name);
        let facts = question.answer(&subject);
        if args.json {
            object.extend(facts.iter().map(|fact| (fact.key.to_owned(), to_json(fact, job))));
        } else {
            job.finish();
            text::print(&to_text(&facts, job))?;
        }
        // What is final is final, whenever it was found.
        if !job.is_over() || facts.iter().all(is_final) {
            open.remove(0);
        }
        if job.is_over() {
            break;
        }
    }
    job.finish();
    if !open.is_empty() {
        let why = format!("{}: {}", open.join(", "), job.why());
        if args.json {
            object.insert("not_finished".to_owned(), why.into());
        } else {
            text::print(&line("not finished", &why))?;
        }
    }
    if args.only.is_empty() {
        report_skipped(&subject);
    }
    let text = spec.to_string();
    let said = job.with_context(|context| nestnet::paper_formulas(&spec, &text, context))?;
    if args.json {
        if !said.is_empty() {
            object.insert("paper_says".to_owned(), json!(said));
        }
        text::print_json(&Value::Object(object))?;
    } else {
        let lines = said.iter().map(|said| line("its paper says", &text::paper_formula(said)));
        text::print(&lines.collect::<String>())?;
    }
    ensure!(open.is_empty() && !job.is_interrupted(), job.unfinished());
    Ok(Outcome::Done)
}

/// Whether more time would not give a better answer.
fn is_final(fact: &Fact) -> bool {
    match &fact.answer {
        Ok(Answer::Bounds { low, high, .. }) => low == high,
        Ok(_) => true,
        Err(why) => !why.is_unfinished(),
    }
}

/// Says on stderr which rows are not measured because they take long, and how they are asked for.
fn report_skipped(subject: &Analysis<'_>) {
    let rows = MEASURES.iter().filter(|row| !subject.is_exact() && row.is_skipped(subject));
    let names: Vec<&str> = rows.map(|row| row.name).collect();
    if !names.is_empty() {
        // When stderr is closed there is nobody to tell.
        let _ = writeln!(
            io::stderr(),
            "note: skipped because it takes longer: {} (--only {}, or --exact)",
            names.join(", "),
            names.join(",")
        );
    }
}

/// Whether all distances are asked for, which are what is cut up.
fn asks_all_distances(args: &Args, subject: &Analysis<'_>) -> anyhow::Result<bool> {
    let questions = choose(&args.only, subject)?;
    let all = ["radius", "average_distance", "distance_histogram"];
    Ok(questions.iter().flat_map(|question| &question.keys).any(|key| all.contains(key)))
}

/// Searches from the nodes of one shard.
fn part(args: &Args, spec: &str, shard: Shard, job: &Job) -> anyhow::Result<Outcome> {
    let found = with_subject(args, spec, job, |_, subject| {
        if !asks_all_distances(args, &subject)? {
            bail!("--shard: only the search for all distances is cut up (--only distances)");
        }
        // What a theorem or symmetry tells is left to the merge.
        let Some(csr) = subject.to_sweep()? else { return Ok(Value::Null) };
        job.doing("distances");
        let part = run_job(&FromAll(csr), shard, &subject.limits.budget.watch)?;
        Ok(serde_json::to_value(part)?)
    });
    job.finish();
    let found = job.in_time(found)?;
    let part =
        Part { verb: "measure".to_owned(), asked: serde_json::to_value(args)?, shard, found };
    part.write(args.shards.part.as_deref(), job)?;
    Ok(Outcome::Done)
}

/// Answers from the parts of all shards.
pub fn merge(parts: Vec<Part>, job: &Job) -> anyhow::Result<Outcome> {
    let args: Args = asked(&parts)?;
    let spec = args.spec.clone().context("a part without a network")?;
    let mut merged: Option<FromSome> = None;
    for part in parts.into_iter().filter(|part| !part.found.is_null()) {
        let found = serde_json::from_value(part.found).context(BROKEN)?;
        merged = Some(match merged {
            Some(merged) => merge_distances(merged, found),
            None => found,
        });
    }
    answer(&args, &spec, merged, job)
}

fn list() -> String {
    let rows: Vec<(&str, String)> = MEASURES
        .iter()
        .map(|measure| (measure.name, format!("{} ({})", measure.about, measure.keys.join(", "))))
        .collect();
    text::table(&rows)
}

/// A row of the list of measures.
#[derive(Serialize)]
struct MeasureRow {
    /// The name by which it is asked for.
    name: &'static str,
    /// What it is.
    about: &'static str,
    /// The keys that it answers.
    keys: &'static [&'static str],
}

/// The same as JSON.
fn listed() -> Value {
    let row = |row: &Measure| MeasureRow { name: row.name, about: row.about, keys: row.keys };
    json!({ "measures": MEASURES.iter().map(row).collect::<Vec<_>>() })
}

/// One answer as JSON.
pub fn to_json(fact: &Fact, job: &Job) -> Value {
    match &fact.answer {
        Ok(answer) => json!(answer),
        Err(error) => json!({ "none": why(error, job) }),
    }
}

/// Why there is no answer, with the option that may help.
fn why(error: &Unanswered, job: &Job) -> String {
    match error {
        // What is missing because it was stopped says by what.
        _ if job.is_over() => job.why(),
        Unanswered::NoTheorem => format!("{error}; see --how"),
        Unanswered::NoSymmetry => format!("{error}: try --how exhaustive"),
        Unanswered::TooLong { .. } => format!("{error} (--only, --max-time)"),
        _ => text::with_option(error.to_string()),
    }
}

/// A line for people; all keys are as wide as the widest.
fn line(key: &str, value: &str) -> String {
    format!("  {key:24}  {value}\n")
}

/// Answers as lines for people.
pub fn to_text(facts: &[Fact], job: &Job) -> String {
    let mut text = String::new();
    for fact in facts {
        let key = fact.key.replace('_', " ");
        let value = match &fact.answer {
            Ok(answer) => answer.to_string(),
            Err(error) => format!("– {}", why(error, job)),
        };
        text.push_str(&line(&key, &value));
    }
    text
}
