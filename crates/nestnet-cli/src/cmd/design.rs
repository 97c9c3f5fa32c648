//! `nestnet design`: which networks of a size does no other beat?

use crate::cmd::report;
use crate::job::Job;
use crate::numbers::{ANY, counts, fraction};
use crate::{Outcome, figures, text};
use anyhow::bail;
use nestnet::design::{Design, DesignError, MOST_NODES, Objective, Question, Relaxed, Row, design};
use nestnet::figures::Range;
use nestnet::theory::Known;
use num_bigint::BigUint;
use serde_json::{Value, json};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  nestnet design --nodes 3000000 --max-degree 8
  nestnet design --nodes 1000000 --tolerance 25% --max-diameter 20 --objective links,vcs
  nestnet design --nodes 1000000000000 --max-degree 6 --family rdn --json

All families are searched, nested in each other; a network is on the front unless another is at least \
as good in every objective and better in one. Where a number is not known exactly, its worst bound \
counts. Of networks that agree in every objective the simplest is shown. A `links` objective counts \
links for each node, so that sizes compare. Exit code 1 says that nothing fits.
The objectives vcs and connectivity need every network that fits built, not only its theory: minutes \
for a wide question, so narrow it with --family, --depth or --max-base.
A page about the first networks of the list is written too (--report, --no-report).")]
pub struct Args {
    /// How many nodes are wanted; of networks with switches, how many hosts
    #[arg(long, value_name = "N", value_parser = counts::<u128>(1..=MOST_NODES))]
    nodes: u128,
    /// How many more or fewer there may be
    #[arg(long, value_name = "PERCENT", default_value = "10%", value_parser = fraction)]
    tolerance: f64,
    /// The most links at a node
    #[arg(long, value_name = "D", value_parser = counts::<u64>(ANY))]
    max_degree: Option<u64>,
    /// The longest diameter
    #[arg(long, value_name = "K", value_parser = counts::<u64>(ANY))]
    max_diameter: Option<u64>,
    /// What counts: degree, diameter, average_distance, links, cost, cr,
    /// moore_efficiency, vcs, connectivity, match
    #[arg(long, value_name = "KEYS", value_delimiter = ',', default_values_t = Objective::DEFAULT)]
    objective: Vec<Objective>,
    /// What the list is sorted by, one of the objectives; those that count follow
    #[arg(long, value_name = "KEY", default_value_t = Objective::Cr)]
    sort: Objective,
    /// How many constructions are nested at most
    #[arg(long, alias = "max-depth", value_name = "N", default_value_t = 2, value_parser = counts::<u8>(0..=4))]
    depth: u8,
    /// The nodes of the largest base
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = counts::<u64>(2..=4096))]
    max_base: u64,
    /// The nodes of the largest frame and unit of an expansion [default: 16, or --max-base]
    #[arg(long, value_name = "N", value_parser = counts::<u64>(2..=4096))]
    max_frame: Option<u64>,
    /// The nodes of the largest frame around what is nested itself [default: 5, or --max-base]
    #[arg(long, value_name = "N", value_parser = counts::<u64>(2..=4096))]
    max_nested_frame: Option<u64>,
    /// The families to search for the outermost network; all if left out
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    family: Vec<String>,
    /// How many networks are shown, 0 for how many there are; JSON has all
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = counts::<usize>(ANY))]
    limit: usize,
    /// Where to write a page about the first networks of the list [default: design-N.html; none
    /// with --json]
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Write no page
    #[arg(long, conflicts_with = "report")]
    no_report: bool,
    /// Print one JSON object, with integers of any length
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args, job: &Job) -> anyhow::Result<Outcome> {
    let mut objectives = args.objective.clone();
    let mut seen = Vec::new();
    objectives.retain(|objective| {
        let fresh = !seen.contains(objective);
        seen.push(*objective);
        fresh
    });
    let question = Question {
        nodes: args.nodes,
        tolerance: args.tolerance,
        max_degree: args.max_degree,
        max_diameter: args.max_diameter,
        objectives,
        sort: args.sort,
        depth: args.depth.into(),
        max_base: args.max_base,
        max_frame: args.max_frame,
        max_nested_frame: args.max_nested_frame,
        families: args.family.clone(),
    };
    job.doing("designing");
    let start = Instant::now();
    let found = job.with_budget(|budget| design(&question, &budget));
    let seconds = start.elapsed().as_secs_f64();
    job.finish();
    let answer = match found {
        Err(DesignError::Interrupted(_)) if job.is_interrupted() => {
            return Ok(Outcome::Interrupted);
        }
        Err(DesignError::Interrupted(_)) => bail!(job.why()),
        found => found?,
    };
    let page = match &args.report {
        Some(path) => Some(path.clone()),
        None if args.no_report || args.json || args.limit == 0 => None,
        None => Some(PathBuf::from(format!("design-{}.html", args.nodes))),
    };
    let page = page.filter(|_| !answer.front.is_empty());
    if args.json {
        let mut object = to_json(&question, &answer);
        if let Some(path) = &page {
            write_page(path, args, &answer, job)?;
            object["report"] = path.display().to_string().into();
        }
        text::print_json(&object)?;
    } else {
        text::print(&to_text(&question, &answer, args.limit))?;
        // Whoever watches wants to know; a file does not.
        if io::stderr().is_terminal() {
            let candidates = text::grouped(&answer.candidates.to_string());
            let _ = writeln!(io::stderr(), "{candidates} candidates in {seconds:.2} s");
        }
        if let Some(path) = &page {
            write_page(path, args, &answer, job)?;
            if !job.is_interrupted() {
                text::print(&format!("report: {}\n", path.display()))?;
            }
        }
    }
    if job.is_interrupted() {
        return Ok(Outcome::Interrupted);
    }
    Ok(if answer.front.is_empty() { Outcome::No } else { Outcome::Done })
}

/// A page about the first networks of the list.
fn write_page(path: &Path, args: &Args, answer: &Design, job: &Job) -> anyhow::Result<()> {
    /// So many are compared.
    const COMPARED: usize = 6;
    let mut networks = Vec::new();
    let count = if args.limit == 0 { COMPARED } else { COMPARED.min(args.limit) };
    for row in answer.front.iter().take(count) {
        networks.push(job.build(&row.figures.spec.to_string())?.1);
    }
    let count = |number: u128| text::grouped(&number.to_string());
    let title = format!("Networks of {} nodes", count(args.nodes));
    let about = format!(
        "The first {} of {} networks that none of {} candidates beats, sorted by {}. Made by `nestnet design`.",
        networks.len(),
        answer.front.len(),
        text::grouped(&answer.candidates.to_string()),
        args.sort,
    );
    job.doing("report");
    let page =
        job.with_limits(None, |measuring| report::of_found(title, about, &networks, measuring));
    job.finish();
    if job.is_interrupted() {
        return Ok(());
    }
    report::write(path, &page)
}

fn to_json(question: &Question, answer: &Design) -> Value {
    let wanted = BigUint::from(question.nodes);
    let row = |row: &Row| {
        let mut object = figures::to_json(&row.figures);
        object.insert("match".to_owned(), json!(row.figures.size_match(&wanted)));
        object.insert("ties".to_owned(), json!(row.ties));
        Value::Object(object)
    };
    let mut object = json!({
        "nodes": text::number(question.nodes),
        "tolerance": question.tolerance,
        "max_degree": question.max_degree,
        "max_diameter": question.max_diameter,
        "objectives": question.objectives.iter().map(|o| o.name()).collect::<Vec<_>>(),
        "searched": {
            "depth": question.depth,
            "max_base": question.max_base,
            "max_frame": question.largest_frame(),
            "max_nested_frame": question.largest_nested_frame(),
            "families": question.families,
        },
        "candidates": answer.candidates,
        "fitting": answer.fitting,
        "front": answer.front.iter().map(row).collect::<Vec<_>>(),
    });
    if let Some(relaxed) = &answer.relaxed {
        object["relax"] = json!({
            "max_degree": relaxed.max_degree,
            "max_diameter": relaxed.max_diameter,
            "tolerance": relaxed.tolerance,
        });
    }
    object
}

fn to_text(question: &Question, answer: &Design, limit: usize) -> String {
    if let Some(relaxed) = &answer.relaxed {
        return nothing(question, relaxed);
    }
    let shown = &answer.front[..limit.min(answer.front.len())];
    let header =
        ["network", "nodes", "degree", "diameter", "average", "links", "cost", "CR", "VCs"];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    rows.extend(shown.iter().map(cells));
    let mut out = if shown.is_empty() { String::new() } else { text::columns(&rows) + "\n" };
    let names: Vec<&str> = question.objectives.iter().map(|objective| objective.name()).collect();
    let hidden = answer.front.len() - shown.len();
    let more = if hidden > 0 { format!(", {hidden} not shown (--limit)") } else { String::new() };
    let ties: usize = answer.front.iter().map(|row| row.ties).sum();
    out.push_str(&format!(
        "{} of {} candidates that nothing beats in {}{more}; {ties} more tie with these\n",
        answer.front.len(),
        text::grouped(&answer.candidates.to_string()),
        names.join(", "),
    ));
    out.push_str(&bounds(question));
    out
}

/// What was searched, and which options search more.
fn bounds(question: &Question) -> String {
    let Question { depth, max_base, .. } = question;
    let (frame, nested) = (question.largest_frame(), question.largest_nested_frame());
    format!(
        "searched: {depth} constructions deep (--depth), bases of up to {max_base} nodes (--max-base), \
         frames of up to {frame} (--max-frame), {nested} around what is nested (--max-nested-frame)\n"
    )
}

fn cells(row: &Row) -> Vec<String> {
    let figures = &row.figures;
    let known = |known: Option<Known>| match known {
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
    let mut ways = Vec::new();
    ways.extend(relaxed.max_diameter.map(|most| format!("--max-diameter to {most}")));
    ways.extend(relaxed.max_degree.map(|most| format!("--max-degree to {most}")));
    ways.extend(relaxed.tolerance.map(|part| format!("--tolerance to {}%", percent(part))));
    let ways = match ways.is_empty() {
        true => "no single limit that is relaxed helps".to_owned(),
        false => format!("relax {}", ways.join(", or ")),
    };
    format!(
        "no candidate{}{} at {} ± {} %: {ways}\n{}",
        degree.unwrap_or_default(),
        diameter.unwrap_or_default(),
        text::grouped(&question.nodes.to_string()),
        percent(question.tolerance),
        bounds(question),
    )
}
