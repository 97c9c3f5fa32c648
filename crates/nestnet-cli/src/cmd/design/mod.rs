//! `nestnet design`: which networks of a size does no other beat?

mod cluster;

use crate::cmd::report;
use crate::job::Job;
use crate::numbers::{ANY, counts, fraction};
use crate::plant::{self, PlantOptions};
use crate::{Outcome, figures, text};
use anyhow::bail;
use nestnet::design::{Design, DesignError, MOST_NODES, Objective, Question, Relaxed, Row, design};
use nestnet::figures::Range;
use nestnet::physical::tiles::{Wiring, wiring};
use nestnet::physical::{Packing, bill};
use nestnet::theory::Known;
use nestnet::throughput::uniform;
use num_bigint::BigUint;
use serde_json::{Value, json};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  nestnet design --hosts 4096 --radix 64
  nestnet design --hosts 10000 --radix 32 --min-throughput 0.5 --max-hops 5
  nestnet design --nodes 64 --max-degree 4 --max-vcs 2 --plant chip
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
    /// How many nodes are wanted, each a host and its own router; of networks with switches, how many hosts
    #[arg(long, value_name = "N", value_parser = counts::<u128>(1..=MOST_NODES), required_unless_present = "hosts")]
    nodes: Option<u128>,
    /// How many hosts are wanted, on switches of --radix ports: what is paid a host and what is got
    #[arg(long, value_name = "N", value_parser = counts::<u64>(2..=1 << 32), conflicts_with = "nodes", requires = "radix")]
    hosts: Option<u64>,
    /// Ports of a switch, for hosts and other switches
    #[arg(long, value_name = "R", value_parser = counts::<u64>(2..=1 << 16), requires = "hosts")]
    radix: Option<u64>,
    /// Hosts at a switch, or `any`: from an eighth of its ports on
    #[arg(long, value_name = "P", requires = "hosts")]
    hosts_per_switch: Option<String>,
    /// The most virtual channels that keep it free of deadlock
    #[arg(long, value_name = "N", value_parser = counts::<u16>(1..=u16::MAX.into()))]
    max_vcs: Option<u16>,
    /// The least uniform throughput, of 1
    #[arg(long, value_name = "PART", value_parser = fraction, requires = "hosts")]
    min_throughput: Option<f64>,
    /// The fewest links between two halves of the switches, for each host of one half
    #[arg(long, value_name = "PART", requires = "hosts")]
    min_bisection: Option<f64>,
    /// The most dollars a host
    #[arg(long, value_name = "DOLLARS", requires = "hosts")]
    max_price: Option<f64>,
    /// The most watts a host
    #[arg(long, value_name = "WATTS", requires = "hosts")]
    max_power: Option<f64>,
    /// The most links from host to host, in the mean
    #[arg(long, value_name = "LINKS", requires = "hosts")]
    max_hops: Option<f64>,
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
    /// How many constructions are nested at most [default: 2; 1 with --hosts]
    #[arg(long, alias = "max-depth", value_name = "N", value_parser = counts::<u8>(0..=4))]
    depth: Option<u8>,
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
    #[command(flatten)]
    plant: PlantOptions,
}

pub fn run(args: &Args, job: &Job) -> anyhow::Result<Outcome> {
    if let Some(hosts) = args.hosts {
        return cluster::run(args, hosts, job);
    }
    let Some(nodes) = args.nodes else { bail!("--nodes or --hosts must be given") };
    let mut objectives = args.objective.clone();
    let mut seen = Vec::new();
    objectives.retain(|objective| {
        let fresh = !seen.contains(objective);
        seen.push(*objective);
        fresh
    });
    let question = Question {
        nodes,
        tolerance: args.tolerance,
        max_degree: args.max_degree,
        max_diameter: args.max_diameter,
        max_vcs: args.max_vcs,
        objectives,
        sort: args.sort,
        depth: args.depth.unwrap_or(2).into(),
        max_base: args.max_base,
        max_frame: args.max_frame,
        max_nested_frame: args.max_nested_frame,
        families: args.family.clone(),
    };
    let page = match &args.report {
        Some(path) => Some(path.clone()),
        None if args.no_report || args.json || args.limit == 0 => None,
        None => Some(PathBuf::from(format!("design-{nodes}.html"))),
    };
    is_writable(page.as_deref())?;
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
    let page = page.filter(|_| !answer.front.is_empty());
    if args.json {
        let mut object = to_json(&question, &answer, args, job)?;
        if let Some(path) = &page {
            write_page(path, nodes, args, &answer, job)?;
            object["report"] = path.display().to_string().into();
        }
        text::print_json(&object)?;
    } else {
        text::print(&to_text(&question, &answer, args.limit))?;
        let best = if args.limit == 0 { None } else { recommended(&answer, args, job)? };
        if let Some((row, why)) = best {
            text::print(&format!("recommended: {}, {why}\n", row.figures.spec))?;
        }
        // Whoever watches wants to know; a file does not.
        if io::stderr().is_terminal() {
            let candidates = text::grouped(&answer.candidates.to_string());
            let _ = writeln!(io::stderr(), "{candidates} candidates in {seconds:.2} s");
        }
        if let Some(path) = &page {
            write_page(path, nodes, args, &answer, job)?;
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
fn write_page(
    path: &Path,
    nodes: u128,
    args: &Args,
    answer: &Design,
    job: &Job,
) -> anyhow::Result<()> {
    /// So many are compared.
    const COMPARED: usize = 6;
    let mut networks = Vec::new();
    let count = if args.limit == 0 { COMPARED } else { COMPARED.min(args.limit) };
    for row in answer.front.iter().take(count) {
        networks.push(job.build(&row.figures.spec.to_string())?.1);
    }
    let count = |number: u128| text::grouped(&number.to_string());
    let title = format!("Networks of {} nodes", count(nodes));
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

fn to_json(question: &Question, answer: &Design, args: &Args, job: &Job) -> anyhow::Result<Value> {
    let wanted = BigUint::from(question.nodes);
    let row = |row: &Row| -> anyhow::Result<Value> {
        let mut object = figures::to_json(&row.figures);
        let mut put = |key: &str, value: Value| object.insert(key.to_owned(), value);
        put("match", json!(row.figures.size_match(&wanted)));
        put("ties", json!(row.ties));
        let bought = bought(row, args, job)?;
        put("switches", text::number(&row.figures.nodes - &row.figures.hosts));
        put("radix", row.figures.degree.into());
        let all_hosts = row.figures.nodes == row.figures.hosts;
        put("hosts_per_switch", if all_hosts { 1.into() } else { Value::Null });
        put("price_per_host", json!(bought.price));
        put("throughput", json!(bought.throughput));
        put("kind", row.origin.name().into());
        if let Some(wiring) = bought.wiring {
            put("wiring", plant::wiring_to_json(&wiring));
        }
        Ok(Value::Object(object))
    };
    let front: anyhow::Result<Vec<Value>> = answer.front.iter().map(row).collect();
    let best = recommended(answer, args, job)?;
    let best = best.map(|(row, why)| json!({ "spec": row.figures.spec.to_string(), "why": why }));
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
        "front": front?,
        "recommended": best,
    });
    if let Some(relaxed) = &answer.relaxed {
        object["relax"] = json!({
            "max_degree": relaxed.max_degree,
            "max_diameter": relaxed.max_diameter,
            "tolerance": relaxed.tolerance,
        });
    }
    Ok(object)
}

/// What a network costs and carries, as far as that is known.
struct Bought {
    price: Option<f64>,
    throughput: Option<f64>,
    wiring: Option<Wiring>,
    /// Picojoules of a bit from host to host, in the mean.
    energy: Option<f64>,
}

/// Larger networks are not laid out.
const MOST_LAID_OUT: u64 = 1 << 14;

fn bought(row: &Row, args: &Args, job: &Job) -> anyhow::Result<Bought> {
    let none = Bought { price: None, throughput: None, wiring: None, energy: None };
    if row.figures.nodes > MOST_LAID_OUT.into() {
        return Ok(none);
    }
    let (spec, built) = job.build(&row.figures.spec.to_string())?;
    drop(spec);
    let Some(network) = &built.network else { return Ok(none) };
    let (plant, tiles) = (args.plant.plant()?, args.plant.tiles()?);
    let sides = built.logical.product_sides();
    Ok(job.with_budget(|budget| {
        let packing = Packing::new(&**network, &sides, &plant);
        let bill = bill(&**network, &packing, &plant, &budget).ok();
        let price = bill.filter(|_| tiles.is_none());
        let wiring = tiles.and_then(|tiles| wiring(&**network, &sides, &tiles, &budget).ok());
        let mean = row.figures.average_range().and_then(Range::exact);
        Bought {
            price: price.map(|bill| bill.price / bill.hosts.max(1) as f64),
            throughput: uniform(&built, &budget).ok().map(|theta| theta.value),
            energy: wiring.zip(mean).map(|(wiring, mean)| wiring.hop_energy * mean),
            wiring,
        }
    }))
}

/// The one to take, and why: on a chip what moves a bit with the least energy, elsewhere what comes first.
fn recommended<'a>(
    answer: &'a Design,
    args: &Args,
    job: &Job,
) -> anyhow::Result<Option<(&'a Row, String)>> {
    if args.plant.tiles()?.is_none() {
        let why = format!("the least {} of those that nothing beats", args.sort);
        return Ok(answer.front.first().map(|row| (row, why)));
    }
    let mut best: Option<(&Row, f64, f64)> = None;
    for row in &answer.front {
        let bought = bought(row, args, job)?;
        let Some((energy, wiring)) = bought.energy.zip(bought.wiring) else { continue };
        if best.is_none_or(|(_, least, _)| energy < least) {
            best = Some((row, energy, wiring.longest));
        }
    }
    Ok(best.map(|(row, energy, longest)| {
        let why = format!(
            "which moves a bit from tile to tile with the least energy of those that nothing beats, {energy:.2} pJ in the mean; its longest wire is {longest:.0} mm"
        );
        (row, why)
    }))
}

/// An error where a page cannot be written, before the work for it begins.
fn is_writable(page: Option<&Path>) -> anyhow::Result<()> {
    let Some(path) = page else { return Ok(()) };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    if !folder.is_dir() {
        bail!("the page cannot be written: there is no folder {} (--no-report)", folder.display());
    }
    if path.is_dir() {
        bail!("the page cannot be written: {} is a folder (--no-report)", path.display());
    }
    match tempfile::Builder::new().prefix(".nestnet-").tempfile_in(folder) {
        Ok(_) => Ok(()),
        Err(error) => bail!("the page cannot be written: {error} (--no-report)"),
    }
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
