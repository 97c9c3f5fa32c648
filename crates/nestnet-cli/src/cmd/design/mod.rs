//! `nestnet design`: which networks of a size does no other dominate?

mod cluster;

use crate::cmd::report::{self, Found};
use crate::job::Job;
use crate::numbers::{ANY, counts};
use crate::options::{self, CostModelOptions, Given};
use crate::output::{self, OutputPath};
use crate::part::{BROKEN, Part, ShardOptions, asked};
use crate::{Outcome, text};
use anyhow::{Context as _, bail, ensure};
use nestnet::design::{
    Candidate, Cost, Design, DesignQuestion, DesignReport, FrontPoint, Narrowed, Question,
    Recommended, Relaxed, Row, design_of, design_part, design_watched, front_plot, recommended,
};
use nestnet::draw::Chart;
use nestnet::figures::Range;
use nestnet::job::Shard;
use nestnet::theory::Bounded;
use serde::{Deserialize, Serialize};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

#[derive(clap::Args, Serialize, Deserialize)]
#[command(after_help = "\
Examples:
  nestnet design --hosts 4096 --radix 64
  nestnet design --hosts 4096 --radix 64 --bill bill.csv
  nestnet design --hosts 10000 --radix 32 --min-throughput 0.5 --max-hops 3
  nestnet design --nodes 64 --max-degree 4 --max-vcs 2 --cost-model chip
  nestnet design --nodes 3000000 --max-degree 8
  nestnet design --nodes 1000000 --tolerance 25% --max-diameter 20 --objective links,vcs
  nestnet design --nodes 1000000000000 --max-degree 6 --family rdn --json

All families are searched, nested in each other; a network is on the Pareto front unless another is at least \
as good in every objective and better in one. Where a number is not known exactly, its worst bound \
counts. Of networks that agree in every objective the simplest is shown. A `links` objective counts \
links for each node, so that sizes compare. Exit code 1 says that nothing fits.
The objective vcs counts what rules guarantee: the fewest of its own routers, or of shortest routes as \
long as the diameter; the table shows what the routes need, which may be less.
The objectives connectivity, price, throughput, energy and longest_wire need networks built, not \
only their theory: those are built that may be on the Pareto front. Narrow a wide question with --family, \
--depth or --max-base. On a chip (--cost-model chip) energy, longest_wire, average_distance and throughput \
count where nothing else is said.
A page about the first networks of the list is written too (--report, --no-report).
Shards (--shard, without --hosts) give together the answer of the whole search; where not all networks can be measured, \
shards measure more of them.")]
pub struct Args {
    #[command(flatten)]
    design: Given<options::Design>,
    /// How many networks are shown, 0 for how many there are; JSON has all
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = counts::<usize>(ANY))]
    limit: usize,
    /// Where to write a page about the first networks of the list [default: design-N.html; none
    /// with --json]
    #[arg(long, value_name = "FILE")]
    report: Option<OutputPath>,
    /// Write no page
    #[arg(long, conflicts_with = "report")]
    no_report: bool,
    /// Where to write the bill of materials of the recommended network as CSV
    #[arg(long, value_name = "FILE", requires = "hosts", conflicts_with = "nodes")]
    #[serde(default)]
    bill: Option<OutputPath>,
    /// Print one JSON object, with integers of any length
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    cost_model: CostModelOptions,
    #[command(flatten)]
    #[serde(skip)]
    shards: ShardOptions,
}

impl Args {
    /// What is asked.
    fn question(&self) -> anyhow::Result<DesignQuestion> {
        Ok(DesignQuestion::read(self.design.iter().chain(self.cost_model.iter()))?)
    }
}

pub fn run(args: &Args, job: &Job) -> anyhow::Result<Outcome> {
    match (args.question()?, args.shards.shard) {
        (DesignQuestion::Hosts(_), Some(_)) => {
            bail!("--shard: only the search for --nodes is cut up")
        }
        (DesignQuestion::Hosts(question), None) => cluster::run(args, &question, job),
        (DesignQuestion::Nodes(question), Some(shard)) => part(args, &question, shard, job),
        (DesignQuestion::Nodes(question), None) => answer(args, &question, None, job),
    }
}

/// What one shard finds.
fn part(args: &Args, question: &Question, shard: Shard, job: &Job) -> anyhow::Result<Outcome> {
    job.doing("designing");
    let found = job.with_budget(|budget| design_part(question, shard, &budget));
    job.finish();
    let found = serde_json::to_value(job.answered(found)?)?;
    let asked = serde_json::to_value(args)?;
    let part = Part { verb: "design".to_owned(), asked, shard, found };
    part.write(args.shards.part.as_deref(), job)?;
    Ok(Outcome::Done)
}

/// Answers from the parts of all shards.
pub fn merge(parts: Vec<Part>, job: &Job) -> anyhow::Result<Outcome> {
    let args: Args = asked(&parts)?;
    let DesignQuestion::Nodes(question) = args.question()? else { bail!(BROKEN) };
    let parts = parts.into_iter().map(|part| serde_json::from_value(part.found));
    let parts = parts.collect::<Result<Vec<Narrowed>, _>>();
    answer(&args, &question, Some(parts.context(BROKEN)?), job)
}

/// Answers; what shards have searched is not searched again.
fn answer(
    args: &Args,
    question: &Question,
    parts: Option<Vec<Narrowed>>,
    job: &Job,
) -> anyhow::Result<Outcome> {
    let nodes = question.nodes;
    let page = page(args, &format!("design-{nodes}.html"))?;
    job.doing("designing");
    let start = Instant::now();
    let found = job.with_budget(|budget| match parts {
        Some(parts) => design_of(question, parts, &budget),
        None => design_watched(question, &budget, &|rows| {
            job.so_far(|| {
                let rows: Vec<Row> = rows();
                let front: Vec<Candidate<'_>> =
                    rows.iter().map(|row| Candidate { row, wanted: nodes }).collect();
                (rows.len(), text::value(&front))
            });
        }),
    });
    let seconds = start.elapsed().as_secs_f64();
    job.finish();
    let answer = job.answered(found)?;
    ensure!(answer.finished || !answer.front.is_empty(), job.unfinished());
    let fits = !answer.front.is_empty();
    let page = page.filter(|_| answer.finished && fits);
    let report = DesignReport { question, answer: &answer };
    let text = || to_text(question, &answer, args.limit);
    let write = |path: &Path| write_page(path, question, args.limit, &answer, job);
    show(args, job, &report, text, page, write)?;
    // Whoever watches wants to know; a file does not.
    if !args.json && io::stderr().is_terminal() {
        let candidates = text::grouped(&answer.candidates.to_string());
        let _ = writeln!(io::stderr(), "{candidates} candidates in {seconds:.2} s");
    }
    ended(answer.finished, fits, job)
}

/// Prints an answer, and writes the page about it where it is whole: else there is no time left for one.
fn show(
    args: &Args,
    job: &Job,
    report: &impl Serialize,
    text: impl FnOnce() -> String,
    page: Option<PathBuf>,
    write_page: impl FnOnce(&Path) -> anyhow::Result<bool>,
) -> anyhow::Result<()> {
    let is_written = |path: &Path| match write_page(path) {
        Ok(written) => written,
        Err(error) => job.wrote(Err(error)),
    };
    if args.json {
        let mut object = text::value(report)?;
        if let Some(path) = page
            && is_written(&path)
        {
            object["report"] = path.display().to_string().into();
        }
        return Ok(text::print_json(&object)?);
    }
    text::print(&text())?;
    if let Some(path) = page
        && is_written(&path)
    {
        text::print(&format!("report: {}\n", path.display()))?;
    }
    Ok(())
}

/// What an answer means for the exit code.
fn ended(finished: bool, fits: bool, job: &Job) -> anyhow::Result<Outcome> {
    ensure!(finished && !job.is_interrupted(), job.unfinished());
    Ok(if fits { Outcome::Done } else { Outcome::No })
}

/// Where the page about an answer goes; an error where it cannot be written, before the work for it begins.
fn page(args: &Args, usual: &str) -> anyhow::Result<Option<PathBuf>> {
    let page = match &args.report {
        Some(path) => Some(path.to_path_buf()),
        None if args.no_report || args.json || args.limit == 0 => None,
        None => Some(PathBuf::from(usual)),
    };
    // A place that nobody named, or that the parts of shards name, is looked at too.
    if let Some(path) = &page {
        let why = || format!("the page {} cannot be written (--no-report)", path.display());
        output::check(path).with_context(why)?;
    }
    Ok(page)
}

/// A page about the first networks of the list.
fn write_page(
    path: &Path,
    question: &Question,
    limit: usize,
    answer: &Design,
    job: &Job,
) -> anyhow::Result<bool> {
    /// So many are compared.
    const COMPARED: usize = 6;
    let mut networks = Vec::new();
    let count = if limit == 0 { COMPARED } else { COMPARED.min(limit) };
    for row in answer.front.iter().take(count) {
        networks.push((job.build(&row.figures.spec.to_string())?.1, question.cost_model));
    }
    let count = |number: u128| text::grouped(&number.to_string());
    let title = format!("Networks of {} nodes", count(question.nodes));
    let about = format!(
        "The first {} of {} networks that are Pareto-optimal among {} candidates, sorted by {}. Made by `nestnet design`.",
        networks.len(),
        answer.front.len(),
        text::grouped(&answer.candidates.to_string()),
        question.sort,
    );
    let charts = vec![pareto(question, answer)];
    let hosts = u64::try_from(question.nodes).unwrap_or(u64::MAX);
    let found = Found { networks: &networks, hosts };
    report::of_found(path, title, about, charts, Vec::new(), found, job)
}

/// The front over what a network costs and how far its nodes are apart: links a node, or on a chip
/// energy, and mean distance.
fn pareto(question: &Question, answer: &Design) -> Chart {
    let chip = question.tiles.is_some();
    let across = |row: &Row| match chip {
        true => row.cost.energy.unwrap_or(0.0),
        false => row.figures.links_per_host(),
    };
    let up = |row: &Row| row.figures.average_range().map_or(0.0, |range| range.high);
    let best = recommended(question, answer).map(|best| best.row.figures.spec.clone());
    let rows = answer.front.iter().map(|row| {
        let spec = &row.figures.spec;
        let point = FrontPoint::new(row.origin, (across(row), up(row)), spec.to_string());
        FrontPoint { recommended: Some(spec) == best.as_ref(), ..point }
    });
    front_plot(
        "networks that are Pareto-optimal: left and low is better",
        [if chip { "pJ a bit" } else { "links a node" }, "mean distance"],
        &rows.collect::<Vec<_>>(),
    )
}

fn to_text(question: &Question, answer: &Design, limit: usize) -> String {
    if let Some(relaxed) = &answer.relaxed {
        return nothing(question, relaxed);
    }
    let shown = &answer.front[..limit.min(answer.front.len())];
    let header =
        ["network", "nodes", "degree", "diameter", "average", "links", "cost", "CR", "VCs"];
    let mut header = header.map(str::to_owned).to_vec();
    if question.tiles.is_some() {
        header.extend(["pJ/bit", "mm", "uniform", "worst", "kind", "routing"].map(str::to_owned));
    }
    let mut rows = vec![header];
    let named = |row: &&Row| shown.iter().all(|known| known.figures.spec != row.figures.spec);
    rows.extend(shown.iter().chain(answer.references.iter().filter(named)).map(|row| {
        let mut cells = cells(row);
        if question.tiles.is_some() {
            let Cost { energy, wiring, throughput, .. } = row.cost;
            let number = |value: Option<f64>, digits: usize| {
                value.map_or("?".to_owned(), |value| format!("{value:.digits$}"))
            };
            cells.push(number(energy, 2));
            cells.push(number(wiring.map(|wiring| wiring.longest), 0));
            cells.push(number(throughput, 3));
            let routed = row.routed.as_ref();
            cells.push(number(routed.and_then(|one| one.worst), 3));
            cells.push(row.origin.name().to_owned());
            cells.push(routed.map_or("?", |one| one.name).to_owned());
        }
        cells
    }));
    let mut out = if shown.is_empty() { String::new() } else { text::columns(&rows) + "\n" };
    let names: Vec<&str> = question.objectives.iter().map(|objective| objective.name()).collect();
    let hidden = answer.front.len() - shown.len();
    let more = if hidden > 0 { format!(", {hidden} not shown (--limit)") } else { String::new() };
    let ties: usize = answer.front.iter().map(|row| row.ties).sum();
    out.push_str(&format!(
        "{} of {} candidates are Pareto-optimal in {}{more}; {ties} more tie with these\n",
        answer.front.len(),
        text::grouped(&answer.candidates.to_string()),
        names.join(", "),
    ));
    if answer.unmeasured > 0 {
        let count = text::grouped(&answer.unmeasured.to_string());
        out.push_str(&match answer.finished {
            true => format!("{count} were too many to measure: their worst bounds counted\n"),
            false => format!("{count} were not measured yet: others may be better\n"),
        });
    }
    out.push_str(&bounds(question));
    if let Some(best) = recommended(question, answer).filter(|_| limit > 0) {
        out.push_str(&advice(&best));
    }
    out
}

/// Which one to take, and which others for what.
fn advice(best: &Recommended<'_>) -> String {
    let Recommended { row, why, others, .. } = best;
    let mut out = format!("recommended: {}, {why}\n", row.figures.spec);
    if let Some(seen) = &row.simulated {
        out.push_str(&format!(
            "  simulated with the router of a chip and {} virtual channels, uniform traffic: saturates at {:.3}\n    {}\n",
            seen.vcs, seen.accepted, seen.command
        ));
    }
    for (other, better) in others {
        let seen = other.simulated.as_ref();
        let seen = seen.map(|seen| format!("; simulated, it saturates at {:.3}", seen.accepted));
        out.push_str(&format!(
            "  runner-up: {} is better at: {better}{}\n",
            other.figures.spec,
            seen.unwrap_or_default()
        ));
    }
    out
}

/// What was searched, and which options search more.
fn bounds(question: &Question) -> String {
    let Question { depth, max_base, .. } = question;
    let (frame, nested) = (question.largest_frame(), question.largest_nested_frame());
    format!(
        "searched: constructions to depth {depth} (--depth), bases of up to {max_base} nodes (--max-base), \
         frames of up to {frame} (--max-frame), {nested} around what is nested (--max-nested-frame)\n"
    )
}

fn cells(row: &Row) -> Vec<String> {
    let figures = &row.figures;
    let known = |known: Option<Bounded>| match known {
        Some(known) if known.low == known.high => text::count(&known.low),
        Some(known) => format!("{}–{}", text::count(&known.low), text::count(&known.high)),
        None => "?".to_owned(),
    };
    let range = |range: Option<Range>| match range {
        Some(range) if range.low == range.high => format!("{:.2}", range.low),
        Some(range) => format!("≤ {:.2}", range.high),
        None => "?".to_owned(),
    };
    vec![
        figures.spec.to_string(),
        text::count(&figures.hosts),
        text::grouped(&figures.degree.to_string()),
        known(figures.diameter.clone()),
        range(figures.average_range()),
        text::count(&figures.links),
        known(figures.cost()),
        range(figures.cr()),
        figures.routing.as_ref().map_or("?".to_owned(), |routing| routing.vcs.to_string()),
    ]
}

/// Which limit to relax, and by how much.
fn nothing(question: &Question, relaxed: &Relaxed) -> String {
    let degree = question.max_degree.map(|most| format!(" of degree ≤ {most}"));
    let diameter = question.max_diameter.map(|most| format!(" with diameter ≤ {most}"));
    let percent = |part: f64| {
        let text = format!("{:.1}", part * 100.0);
        text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
    };
    let mut limits = Vec::new();
    limits.extend(relaxed.max_diameter.map(|most| format!("--max-diameter to {most}")));
    limits.extend(relaxed.max_degree.map(|most| format!("--max-degree to {most}")));
    limits.extend(relaxed.tolerance.map(|part| format!("--tolerance to {}%", percent(part))));
    let advice = match limits.is_empty() {
        true => "no single limit that is relaxed helps".to_owned(),
        false => format!("relax {}", limits.join(", or ")),
    };
    format!(
        "no candidate{}{} at {} ± {} %: {advice}\n{}",
        degree.unwrap_or_default(),
        diameter.unwrap_or_default(),
        text::grouped(&question.nodes.to_string()),
        percent(question.tolerance),
        bounds(question),
    )
}
