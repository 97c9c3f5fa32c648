//! `nestnet collective`: a schedule for many nodes at once, checked, with its time and what no schedule can beat.

use crate::job::{Job, parse_size};
use crate::options::{self, Given};
use crate::{Outcome, output, text};
use anyhow::{Context as _, bail, ensure};
use nestnet::collective::{
    ALGORITHMS, Choice, Collective, Fabric, Message, Moves, Planned, Ports, Price, blocks_of,
    msccl, schedule,
};
use nestnet::collectives::{self, Ask, CollectivePlan};
use nestnet::mini_apps::{self, Amounts, MiniApp};
use nestnet::traffic::goal;
use nestnet::{Network, locate, routers};
use serde_json::Value;
use std::io::{self, BufWriter, Write};
use std::path::Path;

const HELP: &str = "\
Examples:
  nestnet collective allreduce \"hypercube(6)\"
  nestnet collective scatter \"rdn(petersen, 1)\" --root 7 --ports all
  nestnet collective all-to-all \"torus(4, 4)\" --bytes 1MiB --json
  nestnet collective allgather \"ring(8)\" --export msccl -o ring.xml
  nestnet collective allreduce \"fat_tree(8)\" --bytes 1GB --bandwidth 400Gb/s --alpha 2us
  nestnet collective \"stencil(4, 4)\" \"torus(4, 4)\" --bytes 4KiB --compute 500 --repeat 3 --export goal -o halo.goal
  nestnet collective \"training(2, 2, 4)\" \"fat_tree(4)\" --bytes 16KiB --gradient 64KiB --export goal -o step.goal

A link carries one block a step in each direction; with one port a node sends at most one and \
receives at most one. A message of b bytes takes α + β·b seconds; steps that \
follow each other on the same links, and send nothing that arrived since the first of them, share one message. --bytes is the payload of one host: its block, its vector to be \
summed, or all that it has for the others.
Where a network has switches, messages go from host to host along its routes, each divided over all routes that --router \
has for it: a round takes α, --hop for each hop of its longest route, and β for every byte on its busiest link, and the \
ports are those of the hosts. The bound by routes is what the busiest link carries in all rounds together: the same messages \
in another order take no less. `phased` orders an all-to-all so that few of a round share a link.
Bus bandwidth is as NCCL's tests define it: the size over the time, times 2(n-1)/n of an allreduce, (n-1)/n of an \
allgather, scatter, gather and all-to-all, 1 of a broadcast and reduce; the size of an allgather, scatter and gather is \
that of all blocks.
`hierarchical` sums inside every server over its links, then across, then gathers inside; the cables of a host's link are \
used together.
Mini-apps are programs of messages for `nestnet simulate --goal`: stencil(x, y) and stencil(x, y, z), a halo exchange on a \
periodic grid; all_to_all(n); allreduce(n), around a ring; training(d, t, p, m), a step of d replicas of p pipeline stages \
of t ranks each on m micro-batches (p if omitted): the ranks of a stage sum after each pass, the replicas their gradients \
at the end. --bytes is then the size of a message, of the vector to be summed or of the activations.
--steps prints only the schedule, one step a line, each transfer as `from>to:block`. --export \
writes GOAL (LogGOPSim) or an MSCCL algorithm (allgather, allreduce and all-to-all). Both go to FILE \
if there is one, and the report to stdout.";

#[derive(clap::Args)]
#[command(after_help = format!("{HELP}\n\n{}", algorithms()))]
#[command(group = clap::ArgGroup::new("written").args(["steps", "export"]))]
pub struct Args {
    /// broadcast, scatter, gather, reduce, allgather, allreduce or all-to-all; or a mini-app, such as "stencil(4, 4)"
    #[arg(value_parser = GoalParser)]
    goal: String,
    /// The network, such as "rdn(torus(5, 5), 1)"
    spec: String,
    /// The root of a scatter, gather or reduce: the id of a node, or its address [default: 0]
    #[arg(long, value_name = "NODE", allow_hyphen_values = true)]
    root: Option<String>,
    #[command(flatten)]
    plan: Given<options::Collective>,
    /// Of a mini-app: the gradients of a rank [default: as --bytes]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    gradient: Option<u64>,
    /// Of a mini-app: cycles of computing, of a repetition or of a forward pass [default: 0]
    #[arg(long, value_name = "CYCLES")]
    compute: Option<u64>,
    /// Of a mini-app: how often it is done [default: 1]
    #[arg(long, value_name = "N")]
    repeat: Option<u64>,
    /// Print the schedule, one step a line
    #[arg(long)]
    steps: bool,
    /// Write the schedule for another tool
    #[arg(long, value_name = "FORMAT", value_parser = ["msccl", "goal"])]
    export: Option<String>,
    /// Where to write the schedule; stdout if omitted
    #[arg(short, long, value_name = "FILE", requires = "written")]
    output: Option<output::OutputPath>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The name of a collective, or a mini-app with its numbers.
#[derive(Clone)]
struct GoalParser;

impl GoalParser {
    fn names() -> clap::builder::PossibleValuesParser {
        Collective::ALL.map(Collective::name).into()
    }
}

impl clap::builder::TypedValueParser for GoalParser {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<String, clap::Error> {
        match value.to_str() {
            Some(text) if MiniApp::is_meant(text) => Ok(text.to_owned()),
            _ => Self::names().parse_ref(command, arg, value),
        }
    }

    fn possible_values(
        &self,
    ) -> Option<Box<dyn Iterator<Item = clap::builder::PossibleValue> + '_>> {
        Some(Box::new(Collective::ALL.map(Collective::name).map(Into::into).into_iter()))
    }
}

/// The table of algorithms, for people.
fn algorithms() -> String {
    let mut help = "Algorithms:\n".to_owned();
    for row in &ALGORITHMS {
        let names: Vec<&str> = row.collectives.iter().map(|one| one.name()).collect();
        let place = match row.fabric {
            Fabric::Direct => "over links",
            Fabric::Switched => "from host to host",
        };
        let needs = row.needs.map(|what| format!("; needs {what}")).unwrap_or_default();
        let name = row.algorithm.name();
        let also = match row.algorithm.aliases() {
            [] => String::new(),
            others => format!(" (also {})", others.join(", ")),
        };
        help += &format!("  {name:<9} {place}: {}{needs}{also}\n", names.join(", "));
    }
    help.truncate(help.trim_end().len());
    help
}

pub fn run(args: &Args, job: &Job) -> anyhow::Result<Outcome> {
    if MiniApp::is_meant(&args.goal) {
        return mini_app(args, job);
    }
    let collective = collectives::collective(&args.goal)?;
    if args.gradient.is_some() || args.compute.is_some() || args.repeat.is_some() {
        bail!("--gradient, --compute and --repeat are for mini-apps, such as \"stencil(4, 4)\"");
    }
    if args.json && args.output.is_none() && args.export.is_some() {
        bail!("--export with --json needs a FILE to write to (-o)");
    }
    if args.root.is_some() && !collective.has_root() {
        bail!("--root: {} has no root", collective.name());
    }
    let (spec, built) = job.build(&args.spec)?;
    let network = built.network.as_deref().with_context(|| text::without_ids(&spec))?;
    if network.hosts() < network.order() && args.export.as_deref() == Some("msccl") {
        bail!(
            "--export: the switches of {spec} are no hosts, and only transfers over links are written"
        );
    }
    let root = args.root.as_deref().map(|root| locate(network, root)).transpose()?;
    let ask = Ask { collective, root, ..args.plan.settings()? };
    let found = job.with_budget(|budget| {
        job.doing(collective.name());
        collectives::plan(&built, &ask, &budget)
    });
    job.finish();
    let found = job.answered(found)?;
    let best = &found.choice.best;
    let write = |file: &mut dyn Write| {
        let name = format!("{} {spec} {}", collective.name(), best.algorithm.name());
        match (&best.moves, args.export.as_deref()) {
            (Moves::Links(moves), Some("msccl")) => {
                msccl::write(network, best.goal, &moves.collect(), &name, file)?;
            }
            (Moves::Links(moves), Some(_)) => {
                goal::write(&moves.collect().program(network, whole_bytes(best)), file)?;
            }
            (Moves::Routes(rounds), Some(_)) => {
                let (hosts, bytes) = (network.hosts(), whole_bytes(best));
                goal::write(&rounds.program(hosts, blocks_of(best.goal, hosts), bytes), file)?;
            }
            (moves, None) => return write_moves(network, moves, job, file),
        }
        Ok(true)
    };
    let shown = Shown {
        json: args.json.then(|| text::value_of(&spec, &found)).transpose()?,
        schedule: args.steps || args.export.is_some(),
        output: args.output.as_deref(),
    };
    shown.print(job, write, || {
        let root = match found.root {
            Some(root) => format!(", root {}", text::node(network, root)),
            None => String::new(),
        };
        let ports = if ask.ports == Ports::One { "one port" } else { "all ports" };
        format!("{} on {spec}{root}, {ports}\n", collective.name()) + &to_text(&found)
    })
}

/// The program of a mini-app, on hosts that are enough for its ranks.
fn mini_app(args: &Args, job: &Job) -> anyhow::Result<Outcome> {
    let ask = args.plan.settings()?;
    if args.steps || args.root.is_some() || ask.router.is_some() || ask.algorithm != "best" {
        bail!("--steps, --root, --router and --algorithm are not for mini-apps");
    }
    if args.export.as_deref() == Some("msccl") {
        bail!("a mini-app is written as GOAL only");
    }
    if args.json && args.output.is_none() && args.export.is_some() {
        bail!("--export with --json needs a FILE to write to (-o)");
    }
    let (spec, built) = job.build(&args.spec)?;
    let amounts = Amounts {
        bytes: ask.bytes,
        gradient: args.gradient.unwrap_or(ask.bytes),
        compute: args.compute.unwrap_or(0),
        repeat: args.repeat.unwrap_or(1),
    };
    let plan = mini_apps::plan(&built, &args.goal, &amounts)?;
    job.finish();
    let shown = Shown {
        json: args.json.then(|| text::value_of(&spec, &plan)).transpose()?,
        schedule: args.export.is_some(),
        output: args.output.as_deref(),
    };
    let write = |file: &mut dyn Write| {
        goal::write(&plan.program, file)?;
        Ok(true)
    };
    shown.print(job, write, || {
        let count = |value: u64| text::grouped(&value.to_string());
        let rows = [
            ("ranks", format!("{} of {} hosts", count(plan.ranks), count(plan.hosts))),
            ("tasks", count(plan.tasks)),
            ("messages", count(plan.messages)),
            ("bytes sent", count(plan.bytes)),
        ];
        format!("{} on {spec}\n{}", args.goal, text::table(&rows))
    })
}

/// What is shown of a schedule.
pub(super) struct Shown<'a> {
    /// The report, where it is asked for as JSON.
    pub json: Option<Value>,
    /// Whether the schedule is asked for.
    pub schedule: bool,
    /// Where it goes.
    pub output: Option<&'a Path>,
}

impl Shown<'_> {
    /// Writes the schedule to its file, into the object or in place of the report; then the report.
    pub fn print(
        self,
        job: &Job,
        write: impl Fn(&mut dyn Write) -> anyhow::Result<bool>,
        report: impl FnOnce() -> String,
    ) -> anyhow::Result<Outcome> {
        let Shown { mut json, schedule, output } = self;
        let complete = match (output, &mut json) {
            (Some(path), _) => {
                let written = output::write_file(path, write);
                let written = written.with_context(|| format!("cannot write {}", path.display()));
                // What could not be written has been tried to its end.
                let complete = !matches!(written, Ok(false));
                job.wrote(written.map(drop));
                complete
            }
            (None, Some(object)) if schedule => {
                let mut lines = Vec::new();
                let complete = write(&mut lines)?;
                object["schedule"] = String::from_utf8(lines)?.lines().collect();
                complete
            }
            (None, None) if schedule => write(&mut BufWriter::new(io::stdout().lock()))?,
            (None, _) => true,
        };
        ensure!(complete, job.unfinished());
        match json {
            Some(object) => text::print_json(&object)?,
            None if schedule && output.is_none() => {}
            None => text::print(&report())?,
        }
        Ok(Outcome::Done)
    }
}

/// One step a line, each transfer as `from>to:block`, and with `+n` where a message carries n blocks; `false` when stopped.
pub(super) fn write_moves(
    network: &dyn Network,
    moves: &Moves,
    job: &Job,
    out: &mut dyn Write,
) -> anyhow::Result<bool> {
    let go_on = || !job.is_interrupted();
    let rounds = match moves {
        Moves::Links(moves) => {
            return Ok(schedule::text::write(network, moves.stream(), out, go_on)?);
        }
        Moves::Routes(rounds) => rounds,
    };
    let mut messages = Vec::new();
    for number in 0..rounds.count() {
        if !go_on() {
            return Ok(false);
        }
        messages.clear();
        rounds.round(number, &mut messages);
        for (place, Message { from, to, first, blocks }) in messages.iter().enumerate() {
            let gap = if place == 0 { "" } else { " " };
            write!(out, "{gap}{from}>{to}:{first}")?;
            if *blocks > 1 {
                write!(out, "+{blocks}")?;
            }
        }
        writeln!(out)?;
    }
    Ok(true)
}

/// The bytes of a block, rounded up; a message has at least one.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn whole_bytes(plan: &Planned) -> u64 {
    plan.block_bytes.ceil().max(1.0) as u64
}

fn to_text(found: &CollectivePlan) -> String {
    let Choice { best, tried } = &found.choice;
    let Planned { cost, bounds, .. } = best;
    let count = |value: u64| text::grouped(&value.to_string());
    let bound = |value: u64, least: u64| match value == least {
        true => format!("{}, the fewest possible", count(value)),
        false => format!("{}, at least {}", count(value), count(least)),
    };
    let seconds = |value: f64| format!("{} s", text::decimal(value));
    let bandwidth = |value: Option<f64>| {
        let value = value.map(|bytes| format!("{} GB/s", text::decimal(bytes / 1e9)));
        value.unwrap_or_else(|| "–".to_owned())
    };
    let rounds = ("rounds", bound(cost.rounds, bounds.rounds));
    let mut rows = vec![("algorithm", best.algorithm.name().to_owned())];
    let mut by_routes = None;
    let (each, hop, checked) = match &found.router {
        None => {
            rows.push(("steps", bound(cost.steps, bounds.steps)));
            rows.extend([rounds, ("transfers", count(cost.transfers))]);
            ("", String::new(), "every transfer, and the goal is achieved")
        }
        Some(router) => {
            let (messages, hosts) = (count(cost.transfers), count(found.hosts));
            rows.extend([rounds, ("messages", format!("{messages} between {hosts} hosts"))]);
            rows.push((
                "routes",
                match routers::between(router) {
                    Some(_) => format!("{router}, the minimal ones"),
                    None => router.clone(),
                },
            ));
            by_routes = Some(("bound by routes", seconds(found.routes_bound())));
            let hop = format!(", {:e} s a hop", found.price.hop);
            (" in a round", hop, "every message, its route, and the goal is achieved")
        }
    };
    let Price { alpha, beta, .. } = found.price;
    let taken = seconds(best.time.seconds);
    rows.extend([
        ("busiest link", format!("{} blocks one way{each}", count(cost.busiest))),
        ("most blocks held", count(cost.held)),
        ("block", format!("{} bytes", best.block_bytes)),
        ("time", format!("{taken}, with α = {alpha:e} s, β = {beta:e} s a byte{hop}")),
        ("latency bound", seconds(found.latency_bound())),
        ("bandwidth bound", seconds(found.bandwidth_bound())),
    ]);
    rows.extend(by_routes);
    rows.extend([
        ("bus bandwidth", bandwidth(found.bus_bandwidth())),
        ("algorithm bandwidth", bandwidth(found.algorithm_bandwidth())),
        ("checked", checked.to_owned()),
    ]);
    if tried.len() > 1 {
        rows.extend(tried.iter().map(|(algorithm, result)| {
            let said = match result {
                Ok(time) if found.router.is_some() => seconds(time.seconds),
                Ok(time) => format!("{}, {} steps", seconds(time.seconds), count(time.steps)),
                Err(error) => text::with_option(error.to_string()),
            };
            (algorithm.name(), said)
        }));
    }
    text::table(&rows)
}
