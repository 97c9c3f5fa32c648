//! `nestnet broadcast`: in how many steps does everybody know what one node knows?

use crate::cmd::collective::{Shown, write_moves};
use crate::job::{Job, parse_size};
use crate::numbers::counts;
use crate::output::OutputPath;
use crate::{Outcome, text};
use anyhow::{Context as _, bail, ensure};
use nestnet::broadcasts::{
    self, Algorithm, PrintedReport, Report, Summary, account, broadcast, default_algorithm,
    default_ports, run_printed,
};
use nestnet::cells;
use nestnet::collective::broadcast::Modeled;
use nestnet::collective::{Ports, Schedule, schedule};
use nestnet::draw::view::Most;
use nestnet::family::built::AS_PRINTED;
use nestnet::traffic::goal;
use nestnet::{Built, Network, Node, Spec, locate};
use std::fmt::Write as _;
use std::io::Write;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  nestnet broadcast \"rdn(ring(3), 2)\" 0
  nestnet broadcast \"rsn(hypercube(4), 3)\" 0 --ports all --json
  nestnet broadcast petersen 0 --steps
  nestnet broadcast \"root_folded(heawood, 2)\" 5 --algorithm root
  nestnet broadcast \"rdn(ring(3), 2)\" 0 --as-printed
  nestnet broadcast \"rdn(torus(5, 5), 4)\" 0

--as-printed follows the text of the network's paper as printed, with the procedures that it \
calls, and lists the nodes that it misses; a text that never ends is cut off where it repeats. Exit \
code 1 where it misses any or never ends. Where the text has two readings, --as-printed takes the one \
that a reader would correct to (in Algorithm 2 of dual-nets the misprinted subscript u_1 is u'_1), and \
--algorithm takes the other, such as `as-printed-subscript` with u_1 as it is printed. The report \
names the readings that a network has, and docs/procedures.md explains each. \
With one port a node sends at most one message and receives at most one in a step; with all ports \
one in each direction over every link. Where a network has switches, messages go from host to host along its \
routes, and a step is a round of them. Every schedule is checked, transfer by transfer, by a \
checker that is independent of the generator.
--steps prints only the schedule, one step a line, each transfer as `from>to:0`. --export writes \
GOAL (LogGOPSim). Both go to FILE if there is one, and the report to stdout.
Where nodes have no ids that fit, the broadcast follows from the clusters of the construction, with all ports, and it is \
counted how many nodes each step informs; --json has that of the cells inside one too (--inside).")]
#[command(group = clap::ArgGroup::new("written_broadcast").args(["steps", "export"]))]
pub struct Args {
    /// The network, such as "rdn(torus(5, 5), 2)"
    spec: String,
    /// The root: the id of a node, or its address as the network writes it
    #[arg(allow_hyphen_values = true)]
    from: String,
    /// How many links a node can use in a step [default: as its own broadcast needs, else one]
    #[arg(long, value_enum)]
    ports: Option<PortsName>,
    /// `paper`, the broadcast of its paper; `best`, the fastest that is known; or another reading of
    /// its paper or one of ours, which an unknown name lists [default: paper where it has one]
    #[arg(long, value_name = "NAME")]
    algorithm: Option<String>,
    /// Follow its paper's broadcast as it is printed, without our corrections; `--algorithm as-printed` is the same
    #[arg(long, conflicts_with_all = ["algorithm", "ports", "written_broadcast"])]
    as_printed: bool,
    /// Print the schedule, one step a line
    #[arg(long)]
    steps: bool,
    /// Write the schedule for another tool
    #[arg(long, value_name = "FORMAT", value_parser = ["goal"])]
    export: Option<String>,
    /// The bytes of the message, for --export
    #[arg(long, value_name = "SIZE", default_value = "1MiB", value_parser = parse_size)]
    bytes: u64,
    /// Where to write the schedule; stdout if omitted
    #[arg(short, long, value_name = "FILE", requires = "written_broadcast")]
    output: Option<OutputPath>,
    /// Of a network without ids: the cell whose parts are listed in JSON, as `view` names it [default: the whole]
    #[arg(long, value_name = "PATH", requires = "json")]
    inside: Option<String>,
    /// The most parts that are listed there
    #[arg(long, value_name = "N", value_parser = counts::<u64>(1..=5000), requires = "json")]
    most: Option<u64>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum PortsName {
    /// One message out and one in
    One,
    /// One in each direction over every link
    All,
}

/// By address, where there are more nodes than ids.
fn by_cells(args: &Args, job: &Job, spec: &Spec, built: &Built) -> anyhow::Result<Outcome> {
    let one_port = matches!(args.ports, Some(PortsName::One));
    if one_port
        || args.as_printed
        || args.steps
        || args.export.is_some()
        || args.algorithm.is_some()
    {
        let why = text::without_ids(spec);
        bail!("{why}; --ports one, --algorithm, --as-printed, --steps and --export need them");
    }
    let path = args.inside.as_deref().unwrap_or_default();
    let most = args.most.map_or_else(Most::default, Most::dots);
    let found =
        job.with_budget(|budget| cells::broadcast(built, &args.from, path, most, &budget.watch));
    let found = job.answered(found)?.with_context(|| text::without_ids(spec))?;
    if args.json {
        text::print_json_of(spec, &found)?;
        return Ok(Outcome::Done);
    }
    let rows = [
        ("algorithm", format!("by its {}", found.algorithm)),
        ("ports", Ports::All.name().to_owned()),
        ("steps", count(found.steps as u64)),
        ("reached", format!("{} nodes, exactly once", text::count(&found.nodes))),
    ];
    let mut out = format!("{spec}, from {}\n", found.from) + &text::table(&rows);
    out.push_str("\nstep  informed\n");
    for (step, informed) in found.informed_per_step.iter().enumerate() {
        let _ = writeln!(out, "{step:4}  {}", text::grouped(&informed.0.to_string()));
    }
    text::print(&out)?;
    Ok(Outcome::Done)
}

pub fn run(args: &Args, job: &Job) -> anyhow::Result<Outcome> {
    let (spec, built) = job.build(&args.spec)?;
    let Some(network) = built.network.as_deref() else {
        return by_cells(args, job, &spec, &built);
    };
    ensure!(
        args.inside.is_none() && args.most.is_none(),
        "--inside and --most are for networks without ids; {spec} has a schedule: --steps"
    );
    let root = locate(network, &args.from)?;
    let text = match args.algorithm.as_deref() {
        _ if args.as_printed => Some(AS_PRINTED),
        named => named.filter(|name| Algorithm::of(&built, name).is_none()),
    };
    if let Some(name) = text {
        ensure!(!args.steps && args.export.is_none(), "--steps and --export are for schedules");
        let informed =
            job.with_budget(|budget| anyhow::Ok(run_printed(&built, root, name, &budget)?))?;
        let others: Vec<&str> =
            built.printed_broadcast_names().into_iter().filter(|other| *other != name).collect();
        return print_informed(args.json, &spec, network, root, (name, &others), &informed);
    }
    let ports = match args.ports {
        Some(PortsName::One) => Ports::One,
        Some(PortsName::All) => Ports::All,
        None => default_ports(&built),
    };
    let named = args.algorithm.as_deref().and_then(|name| Algorithm::of(&built, name));
    let algorithm = named.unwrap_or_else(|| default_algorithm(&built, ports));
    if algorithm == Algorithm::Best && network.hosts() < network.order() {
        return between_hosts(args, job, &spec, &built, root, ports);
    }
    if args.json && args.export.is_some() && args.output.is_none() {
        bail!("--export with --json needs --output FILE");
    }
    job.with_budget(|budget| {
        let report = job.answered(broadcast(&built, root, algorithm, ports, &budget))?;
        let write = |out: &mut dyn Write| match args.export {
            Some(_) => {
                let schedule = Schedule::collect(report.broadcast.from(root));
                goal::write(&schedule.program(network, args.bytes), out)?;
                Ok(true)
            }
            None => {
                let go_on = || !job.is_interrupted();
                anyhow::Ok(schedule::text::write(network, report.broadcast.from(root), out, go_on)?)
            }
        };
        let mut summary = report.summary(root, algorithm);
        let counted = args.json.then(|| account(&built, &*report.broadcast, root)).flatten();
        summary.account = counted.map(|account| (network.order(), account));
        args.shown(&spec, &summary)?.print(job, write, || {
            let head = format!("{spec}, from {}\n", text::node(network, root));
            head + &to_text(&report, &summary)
        })
    })
}

impl Args {
    fn shown(&self, spec: &Spec, summary: &Summary) -> anyhow::Result<Shown<'_>> {
        let json = self.json.then(|| text::value_of(spec, summary)).transpose()?;
        let schedule = self.steps || self.export.is_some();
        Ok(Shown { json, schedule, output: self.output.as_deref() })
    }
}

/// From host to host, where others only switch.
fn between_hosts(
    args: &Args,
    job: &Job,
    spec: &Spec,
    built: &Built,
    root: Node,
    ports: Ports,
) -> anyhow::Result<Outcome> {
    ensure!(
        args.export.is_none(),
        "--export: the switches of {spec} are no hosts, and only transfers over links are written"
    );
    let network = built.network.as_deref().with_context(|| text::without_ids(spec))?;
    let plan = job
        .with_budget(|budget| broadcasts::between_hosts(built, root, ports, args.bytes, &budget));
    let (plan, summary) = job.answered(plan)?;
    let write = |out: &mut dyn Write| write_moves(network, &plan.moves, job, out);
    args.shown(spec, &summary)?.print(job, write, || {
        let (cost, name) = (&plan.cost, summary.router.unwrap_or_default());
        let rows = [
            ("algorithm", summary.algorithm.clone()),
            ("ports", ports.name().to_owned()),
            ("steps", steps(&summary)),
            ("transfers", format!("{} from host to host, routes {name}", count(cost.transfers))),
            ("busiest link", format!("{} messages one way in a step", count(cost.busiest))),
            ("reached", format!("{} hosts, exactly once", count(network.hosts()))),
            ("checked", "every message, its route, and what its sender knew".to_owned()),
        ];
        format!("{spec}, from {}\n", text::node(network, root)) + &text::table(&rows)
    })
}

/// What became of a text.
fn print_informed(
    json: bool,
    spec: &Spec,
    network: &dyn Network,
    root: Node,
    (name, others): (&str, &[&str]),
    informed: &PrintedReport,
) -> anyhow::Result<Outcome> {
    let account = &informed.account;
    let missed: Vec<u64> = account.missed.iter().map(|node| node.0).collect();
    if json {
        text::print_json_of(spec, &informed.summary(root, name, network.order()))?;
    } else {
        let mut rows = vec![
            ("algorithm", name.to_owned()),
            ("ports", informed.ports.name().to_owned()),
            ("steps", count(account.steps)),
        ];
        if let Some(before) = informed.repeats_after {
            let (first, last) = (count(before + 1), count(account.steps));
            let ends = format!("never: steps {first} to {last} repeat, cut off after step {last}");
            rows.push(("ends", ends));
        }
        if let Some(claimed) = informed.claimed {
            rows.push(("its paper says", format!("at most {} steps", count(claimed))));
        }
        let each: Vec<String> = account.transfers_per_step.iter().map(u64::to_string).collect();
        rows.push(("transfers per step", each.join(" ")));
        let all = network.order();
        rows.push(("reached", format!("{} of {} nodes", count(account.reached), count(all))));
        let again = (count(account.informed_twice), count(account.extra_transfers));
        rows.push(("informed again", format!("{} nodes, {} times in all", again.0, again.1)));
        if account.impossible_transfers > 0 {
            rows.push(("over no link", count(account.impossible_transfers)));
        }
        if !missed.is_empty() {
            let ids: Vec<String> = missed.iter().map(u64::to_string).collect();
            rows.push(("missed", ids.join(" ")));
        }
        if !others.is_empty() {
            rows.push(("other algorithms", format!("--algorithm {}", others.join(", "))));
        }
        let head = format!("{spec}, from {}\n", text::node(network, root));
        text::print(&(head + &text::table(&rows)))?;
    }
    let complete = missed.is_empty() && informed.repeats_after.is_none();
    Ok(if complete { Outcome::Done } else { Outcome::No })
}

fn count(value: u64) -> String {
    text::grouped(&value.to_string())
}

fn steps(summary: &Summary) -> String {
    let least = summary.lower_bound;
    match summary.steps - least {
        0 => format!("{}, the fewest there can be", count(summary.steps)),
        gap => {
            let (steps, gap, least) = (count(summary.steps), count(gap), count(least));
            format!("{steps}, {gap} more than the lower bound of {least}")
        }
    }
}

fn to_text(report: &Report, summary: &Summary) -> String {
    let cost = &report.cost;
    let once = match cost.repeats {
        0 => "exactly once".to_owned(),
        repeats => format!("{} times again", count(repeats)),
    };
    let mut rows = vec![
        ("algorithm", summary.algorithm.clone()),
        ("ports", summary.ports.name().to_owned()),
        ("steps", steps(summary)),
    ];
    if let Some(claimed) = summary.paper_bound {
        rows.push(("its paper says", format!("at most {} steps", count(claimed))));
    }
    if let Some(Modeled { steps, missed }) = summary.paper_model {
        let misses = match missed {
            0 => String::new(),
            missed => format!(", and it misses {} nodes", count(missed)),
        };
        rows.push(("as its paper seems to count", format!("{} steps{misses}", count(steps))));
    }
    rows.push(("transfers", count(cost.transfers)));
    rows.push(("reached", format!("{} hosts, {once}", count(report.reached))));
    rows.push(("checked", "every transfer, by the links and by what its sender knew".to_owned()));
    text::table(&rows)
}
