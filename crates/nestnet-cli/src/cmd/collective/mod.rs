//! `nestnet collective`: a schedule for many nodes at once, checked, with its time and what no schedule can beat.

mod switched;

pub use switched::write_rounds;

use crate::job::{Job, parse_size};
use crate::numbers::{seconds, seconds_a_byte};
use crate::{Outcome, output, text};
use anyhow::{Context as _, bail};
use nestnet::collective::switched::Price;
use nestnet::collective::{Choice, Collective, PlanError, Planned, Ports};
use nestnet::collectives::{self, Ask, CollectiveError, CollectivePlan, Plan};
use nestnet::format::{goal, msccl, schedule};
use nestnet::{Network, Spec, locate};
use serde_json::Value;
use std::io::{self, Write};
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  nestnet collective allreduce \"hypercube(6)\"
  nestnet collective scatter \"rdn(petersen, 1)\" --root 7 --ports all
  nestnet collective all-to-all \"torus(4, 4)\" --bytes 1MiB --json
  nestnet collective allgather \"ring(8)\" --export msccl -o ring.xml
  nestnet collective allreduce \"fat_tree(8)\" --bytes 1GB --bandwidth 400Gb/s --alpha 2us

A link carries one block a step in each direction; with one port a node sends at most one and \
receives at most one. A message of b bytes takes α + β·b seconds; steps that only go on with what \
was there before share one message. --bytes is the payload of one host: its block, its vector to be \
summed, or all that it has for the others.
Where a network has switches, messages go from host to host along its routes: a round takes α, \
--hop for each hop of its longest route, and β for every byte on its busiest link, and the ports are \
those of the hosts.
--steps prints only the schedule, one step a line, each transfer as `from>to:block`. --export \
writes GOAL (LogGOPSim) or an MSCCL algorithm (allgather, allreduce and all-to-all). Both go to FILE \
if there is one, and the report to stdout.")]
#[command(group = clap::ArgGroup::new("written").args(["steps", "export"]))]
pub struct Args {
    /// scatter, gather, reduce, allgather, allreduce or all-to-all
    #[arg(value_parser = names())]
    goal: String,
    /// The network, such as "rdn(torus(5, 5), 1)"
    spec: String,
    /// The root of a scatter, gather or reduce: the id of a node, or its address [default: 0]
    #[arg(long, value_name = "NODE", allow_hyphen_values = true)]
    root: Option<String>,
    /// How much a node can do in a step
    #[arg(long, default_value = "one", value_parser = ["one", "all"])]
    ports: String,
    /// Which algorithm; `best` takes the one with the least time
    #[arg(long, value_name = "NAME", default_value = "best")]
    algorithm: String,
    /// The time of every message, such as 2us; a number alone is in seconds
    #[arg(long, value_name = "TIME", default_value = "1e-6", value_parser = seconds, allow_hyphen_values = true)]
    alpha: f64,
    /// Seconds for every byte
    #[arg(long, value_name = "SECONDS", default_value = "1e-10", value_parser = seconds, allow_hyphen_values = true)]
    beta: f64,
    /// The bandwidth of a link in one direction, such as 400Gb/s: another way to say --beta
    #[arg(long, value_name = "BANDWIDTH", value_parser = seconds_a_byte, allow_hyphen_values = true, conflicts_with = "beta")]
    bandwidth: Option<f64>,
    /// The time of every hop of a message, where switches forward it
    #[arg(long, value_name = "TIME", default_value = "0", value_parser = seconds, allow_hyphen_values = true)]
    hop: f64,
    /// The payload of one host
    #[arg(long, value_name = "SIZE", default_value = "1MiB", value_parser = parse_size)]
    bytes: u64,
    /// Print the schedule, one step a line
    #[arg(long)]
    steps: bool,
    /// Write the schedule for another tool
    #[arg(long, value_name = "FORMAT", value_parser = ["msccl", "goal"])]
    export: Option<String>,
    /// Where to write the schedule; stdout if omitted
    #[arg(short, long, value_name = "FILE", requires = "written")]
    output: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

fn names() -> clap::builder::PossibleValuesParser {
    Collective::ALL.map(Collective::name).into()
}

impl Args {
    /// Seconds for every byte.
    fn beta(&self) -> f64 {
        self.bandwidth.unwrap_or(self.beta)
    }
}

/// What was found, and for whom.
struct Shown<'a> {
    args: &'a Args,
    spec: Spec,
    network: &'a dyn Network,
    found: &'a CollectivePlan,
    choice: &'a Choice,
}

pub fn run(args: &Args, job: &Job) -> anyhow::Result<Outcome> {
    let collective = collectives::collective(&args.goal)?;
    if args.json && args.output.is_none() && args.export.is_some() {
        bail!("--export with --json needs a FILE to write to (-o)");
    }
    if args.root.is_some() && !collective.has_root() {
        bail!("--root: {} has no root", collective.name());
    }
    let (spec, built) = job.build(&args.spec)?;
    let network = built.network.as_deref().with_context(|| text::without_ids(&spec))?;
    if network.hosts() < network.order() && args.export.is_some() {
        bail!(
            "--export: the switches of {spec} are no hosts, and only transfers over links are written"
        );
    }
    let ask = Ask {
        collective,
        algorithm: &args.algorithm,
        root: args.root.as_deref().map(|root| locate(network, root)).transpose()?,
        ports: if args.ports == "one" { Ports::One } else { Ports::All },
        price: Price { alpha: args.alpha, beta: args.beta(), hop: args.hop },
        bytes: args.bytes,
    };
    let found = job.with_budget(|budget| {
        job.doing(collective.name());
        collectives::plan(&built, &ask, &budget)
    });
    job.finish();
    let found = match found {
        Err(CollectiveError::Plan(PlanError::Interrupted(_))) if job.is_interrupted() => {
            return Ok(Outcome::Interrupted);
        }
        Err(CollectiveError::Plan(PlanError::Interrupted(_))) => bail!(job.why()),
        found => found?,
    };
    let choice = match &found.plan {
        Plan::Direct(choice) => choice,
        Plan::Switched { router, best, .. } => {
            let shown = switched::Shown { args, spec: &spec, network, router, found: &found, best };
            return shown.print(job);
        }
    };
    let answer = Shown { args, spec, network, found: &found, choice };
    let to_stdout = args.output.is_none() && (args.export.is_some() || args.steps && !args.json);
    let mut complete = true;
    if let Some(path) = &args.output {
        let write = |file: &mut dyn Write| write_schedule(&answer, job, file);
        let written = output::write_file(path, write);
        complete = written.with_context(|| format!("cannot write {}", path.display()))?;
    } else if to_stdout {
        complete = write_schedule(&answer, job, &mut io::stdout().lock())?;
    }
    if !complete {
        return Ok(Outcome::Interrupted);
    }
    if args.json {
        text::print_json(&to_json(&answer)?)?;
    } else if !to_stdout {
        text::print(&to_text(&answer))?;
    }
    Ok(Outcome::Done)
}

/// The schedule in the format that was asked for; `false` when the user stopped it.
fn write_schedule(answer: &Shown<'_>, job: &Job, file: &mut dyn Write) -> anyhow::Result<bool> {
    let Shown { network, choice: Choice { best, .. }, .. } = answer;
    match answer.args.export.as_deref() {
        Some("msccl") => {
            let name =
                format!("{} {} {}", answer.found.collective.name(), answer.spec, best.algorithm);
            msccl::write(*network, best.goal, &best.schedule.collect(), &name, file)?;
        }
        Some(_) => goal::write(*network, &best.schedule.collect(), whole_bytes(best), file)?,
        None => {
            let go_on = || !job.is_interrupted();
            return Ok(schedule::write(*network, best.schedule.stream(), file, go_on)?);
        }
    }
    Ok(true)
}

/// The bytes of a block, rounded up; a message has at least one.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn whole_bytes(plan: &Planned) -> u64 {
    plan.block_bytes.ceil().max(1.0) as u64
}

fn to_json(answer: &Shown<'_>) -> anyhow::Result<Value> {
    let mut object = text::value_of(&answer.spec, answer.found)?;
    if answer.args.steps && answer.args.output.is_none() {
        let mut lines = Vec::new();
        let stream = answer.choice.best.schedule.stream();
        schedule::write(answer.network, stream, &mut lines, || true)?;
        object["schedule"] = String::from_utf8(lines)?.lines().collect();
    }
    Ok(object)
}

fn to_text(answer: &Shown<'_>) -> String {
    let Shown { args, found, choice: Choice { best, tried }, .. } = answer;
    let count = |value: u64| text::grouped(&value.to_string());
    let ports = if args.ports == "one" { "one port" } else { "all ports" };
    let root = match found.root {
        Some(root) => format!(", root {}", text::node(answer.network, root)),
        None => String::new(),
    };
    let bound = |value: u64, least: u64| match value == least {
        true => format!("{}, the fewest possible", count(value)),
        false => format!("{}, at least {}", count(value), count(least)),
    };
    let seconds = |value: f64| format!("{} s", text::decimal(value));
    let mut rows = vec![
        ("algorithm", best.algorithm.to_owned()),
        ("steps", bound(best.cost.steps, best.bounds.steps)),
        ("rounds", bound(best.time.rounds, best.bounds.rounds)),
        ("transfers", count(best.cost.transfers)),
        ("busiest link", format!("{} blocks one way", count(best.cost.busiest))),
        ("most blocks held", count(best.cost.held)),
        ("block", format!("{} bytes", best.block_bytes)),
        (
            "time",
            format!(
                "{}, with α = {:e} s, β = {:e} s a byte",
                seconds(best.time.seconds),
                found.price.alpha,
                found.price.beta
            ),
        ),
        ("latency bound", seconds(found.latency_bound())),
        ("bandwidth bound", seconds(found.bandwidth_bound())),
        ("checked", "every transfer, and the goal is achieved".to_owned()),
    ];
    if tried.len() > 1 {
        rows.extend(tried.iter().map(|(name, result)| {
            let said = match result {
                Ok(time) => format!("{}, {} steps", seconds(time.seconds), count(time.steps)),
                Err(error) => error.to_string(),
            };
            (*name, said)
        }));
    }
    let title = format!("{} on {}{root}, {ports}\n", answer.found.collective.name(), answer.spec);
    title + &text::table(&rows)
}
