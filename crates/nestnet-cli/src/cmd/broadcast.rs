//! `nestnet broadcast`: in how many steps does everybody know what one node knows?

use crate::cmd::collective::write_rounds;
use crate::job::{Job, parse_size};
use crate::{Outcome, output, text};
use anyhow::{Context as _, bail, ensure};
use nestnet::broadcasts::{
    Algorithm, BroadcastError, PrintedReport, Report, account, broadcast, default_ports,
    run_printed,
};
use nestnet::collective::broadcast::Modeled;
use nestnet::collective::switched::{Price, Request};
use nestnet::collective::{Account, PlanError, Ports, Schedule, Violation};
use nestnet::family::built::AS_PRINTED;
use nestnet::format::{goal, schedule};
use nestnet::{Built, Network, Node, Spec, locate, routers};
use serde_json::{Value, json};
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  nestnet broadcast \"rdn(ring(3), 2)\" 0
  nestnet broadcast \"rsn(hypercube(4), 3)\" 0 --ports all --json
  nestnet broadcast petersen 0 --steps
  nestnet broadcast \"root_folded(heawood, 2)\" 5 --algorithm root
  nestnet broadcast \"rdn(ring(3), 2)\" 0 --as-printed

--as-printed follows the text of the network's paper to the letter and says whom it misses; exit \
code 1 where it misses any. \
With one port a node sends at most one message and receives at most one in a step; with all ports \
one each way over every link. Where a network has switches, messages go from host to host along its \
routes, and a step is a round of them. Every schedule is checked, transfer by transfer, by code that does \
not know who made it.
--steps prints only the schedule, one step a line, each transfer as `from>to:0`. --export writes \
GOAL (LogGOPSim). Both go to FILE if there is one, and the report to stdout.")]
#[command(group = clap::ArgGroup::new("written_broadcast").args(["steps", "export"]))]
pub struct Args {
    /// The network, such as "rdn(torus(5, 5), 2)"
    spec: String,
    /// Who knows first: the id of a node, or its address as the network writes it
    #[arg(allow_hyphen_values = true)]
    from: String,
    /// How many links a node can use in a step [default: as its own broadcast needs, else one]
    #[arg(long, value_enum)]
    ports: Option<PortsName>,
    /// Its own, which is the paper's where it has one; the best that is known; or the paper's by way
    /// of the root or of the top copy [default: its own where it has one]
    #[arg(long, value_enum)]
    algorithm: Option<AlgorithmName>,
    /// Follow its paper's broadcast as it is printed, without our repairs
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
    /// Where to write the schedule; stdout if left out
    #[arg(short, long, value_name = "FILE", requires = "written_broadcast")]
    output: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum PortsName {
    /// One message out and one in
    One,
    /// One each way over every link
    All,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum AlgorithmName {
    /// Its own
    Paper,
    /// The quickest that is known
    Best,
    /// To the root of the network first, then down
    Root,
    /// To the top copy first, then down
    Top,
    /// A tree of links, for cubes of rings
    Links,
    /// As printed by its second reading, for the Heawood graph
    AsPrintedPlus,
    /// As printed by its second reading, for dual-nets
    AsPrintedSubscript,
}

pub fn run(args: &Args, job: &Job) -> anyhow::Result<Outcome> {
    let (spec, built) = job.build(&args.spec)?;
    let network = built.network.as_deref().with_context(|| text::without_ids(&spec))?;
    let root = locate(network, &args.from)?;
    let text = match args.algorithm {
        _ if args.as_printed => Some(AS_PRINTED),
        Some(AlgorithmName::Root) => Some("root"),
        Some(AlgorithmName::Top) => Some("top"),
        Some(AlgorithmName::Links) => Some("links"),
        Some(AlgorithmName::AsPrintedPlus) => Some("as-printed-plus"),
        Some(AlgorithmName::AsPrintedSubscript) => Some("as-printed-subscript"),
        _ => None,
    };
    if let Some(name) = text {
        ensure!(!args.steps && args.export.is_none(), "--steps and --export are for schedules");
        let informed =
            job.with_budget(|budget| anyhow::Ok(run_printed(&built, root, name, &budget)?))?;
        return print_informed(args.json, &spec, network, root, name, &informed);
    }
    let ports = match args.ports {
        Some(PortsName::One) => Ports::One,
        Some(PortsName::All) => Ports::All,
        None => default_ports(&built),
    };
    let algorithm = match args.algorithm {
        Some(AlgorithmName::Paper) => Algorithm::Paper,
        Some(_) => Algorithm::Best,
        // What its own cannot do the best can.
        None => match built.own_broadcast() {
            Some(own) if ports == Ports::All || own.ports() == Ports::One => Algorithm::Paper,
            _ => Algorithm::Best,
        },
    };
    if algorithm == Algorithm::Best && network.hosts() < network.order() {
        return between_hosts(args, job, &spec, &built, root, ports);
    }
    job.with_budget(|budget| {
        let report = match broadcast(&built, root, algorithm, ports, &budget) {
            Err(BroadcastError::Violation(Violation::Interrupted(_))) if job.is_interrupted() => {
                return Ok(Outcome::Interrupted);
            }
            Err(BroadcastError::Violation(Violation::Interrupted(_))) => bail!("{}", job.why()),
            report => report?,
        };
        let written = args.steps || args.export.is_some();
        let to_stdout = written && args.output.is_none();
        let write = |out: &mut dyn Write| match args.export {
            Some(_) => {
                let schedule = Schedule::collect(report.broadcast.from(root));
                goal::write(network, &schedule, args.bytes, out)?;
                Ok(true)
            }
            None => {
                let go_on = || !job.is_interrupted();
                anyhow::Ok(schedule::write(network, report.broadcast.from(root), out, go_on)?)
            }
        };
        let mut object = to_json(&spec, root, algorithm, &report);
        let modeled = report.broadcast.modeled(root);
        if let Some(Modeled { steps, missed }) = modeled {
            object["paper_model"] = json!({ "steps": steps, "missed": missed });
        }
        if let Some(account) =
            args.json.then(|| account(&built, &*report.broadcast, root)).flatten()
        {
            put_account(&mut object, network, &account);
        }
        let mut complete = true;
        if let Some(path) = &args.output {
            let done = output::write_file(path, write);
            complete = done.with_context(|| format!("cannot write {}", path.display()))?;
        } else if args.json && written {
            ensure!(args.export.is_none(), "--export with --json needs --output FILE");
            let mut lines = Vec::new();
            complete = write(&mut lines)?;
            object["schedule"] = String::from_utf8(lines)?.lines().collect();
        } else if written {
            complete = write(&mut BufWriter::new(io::stdout().lock()))?;
        }
        if !complete {
            return Ok(Outcome::Interrupted);
        }
        if args.json {
            text::print_json(&object)?;
        } else if !to_stdout {
            let head = format!("{spec}, from {}\n", text::node(network, root));
            text::print(&(head + &to_text(algorithm, &report, modeled)))?;
        }
        Ok(Outcome::Done)
    })
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
    let name = routers::default_name(built);
    let router = built.router(name).with_context(|| format!("{spec} has no router"))?;
    let price = Price { alpha: 0.0, beta: 0.0, hop: 0.0 };
    let plan = job.with_budget(|budget| {
        let (router, bytes) = (&*router, args.bytes);
        Request { network, router, ports, price, bytes, budget }.broadcast(root)
    });
    let plan = match plan {
        Err(PlanError::Interrupted(_)) if job.is_interrupted() => return Ok(Outcome::Interrupted),
        Err(PlanError::Interrupted(_)) => bail!("{}", job.why()),
        plan => plan?,
    };
    let write = |out: &mut dyn Write| write_rounds(&plan.rounds, job, out);
    let (cost, least) = (&plan.cost, plan.bounds.rounds);
    let mut object = json!({
        "spec": spec.to_string(),
        "from": root.0,
        "algorithm": algorithm_name(Algorithm::Best),
        "router": name,
        "ports": ports_name(ports),
        "steps": cost.rounds,
        "transfers": cost.messages,
        "reached": network.hosts(),
        "exactly_once": true,
        "lower_bound": least,
        "paper_bound": null,
        "gap": cost.rounds - least,
        "busiest_load": cost.busiest,
        "hops": cost.hops,
    });
    let to_stdout = args.steps && args.output.is_none();
    let mut complete = true;
    if let Some(path) = &args.output {
        let done = output::write_file(path, write);
        complete = done.with_context(|| format!("cannot write {}", path.display()))?;
    } else if args.json && args.steps {
        let mut lines = Vec::new();
        complete = write(&mut lines)?;
        object["schedule"] = String::from_utf8(lines)?.lines().collect();
    } else if to_stdout {
        complete = write(&mut BufWriter::new(io::stdout().lock()))?;
    }
    if !complete {
        return Ok(Outcome::Interrupted);
    }
    let count = |value: u64| text::grouped(&value.to_string());
    if args.json {
        text::print_json(&object)?;
    } else if !to_stdout {
        let steps = match cost.rounds - least {
            0 => format!("{}, the fewest there can be", count(cost.rounds)),
            gap => format!("{}, {gap} more than the lower bound of {least}", count(cost.rounds)),
        };
        let rows = [
            ("algorithm", algorithm_name(Algorithm::Best).to_owned()),
            ("ports", ports_name(ports).to_owned()),
            ("steps", steps),
            ("transfers", format!("{} from host to host, routes {name}", count(cost.messages))),
            ("busiest link", format!("{} messages one way in a step", count(cost.busiest))),
            ("reached", format!("{} hosts, exactly once", count(network.hosts()))),
            ("checked", "every message, its route, and what its sender knew".to_owned()),
        ];
        let head = format!("{spec}, from {}\n", text::node(network, root));
        text::print(&(head + &text::table(&rows)))?;
    }
    Ok(Outcome::Done)
}

/// What became of a text.
fn print_informed(
    json: bool,
    spec: &Spec,
    network: &dyn Network,
    root: Node,
    name: &str,
    informed: &PrintedReport,
) -> anyhow::Result<Outcome> {
    let account = &informed.account;
    let count = |value: u64| text::grouped(&value.to_string());
    let missed: Vec<u64> = account.missed.iter().map(|node| node.0).collect();
    if json {
        let mut object = json!({
            "spec": spec.to_string(),
            "from": root.0,
            "algorithm": name,
            "ports": ports_name(informed.ports),
            "steps": account.steps,
            "transfers": account.transfers_per_step.iter().sum::<u64>(),
            "reached": account.reached,
            "exactly_once": missed.is_empty() && account.extra_transfers == 0,
            "lower_bound": informed.lower_bound,
            "paper_bound": informed.claimed,
        });
        put_account(&mut object, network, account);
        text::print_json(&object)?;
    } else {
        let mut rows = vec![
            ("algorithm", name.to_owned()),
            ("ports", ports_name(informed.ports).to_owned()),
            ("steps", count(account.steps)),
        ];
        if let Some(claimed) = informed.claimed {
            rows.push(("its paper says", format!("at most {} steps", count(claimed))));
        }
        let each: Vec<String> = account.transfers_per_step.iter().map(u64::to_string).collect();
        rows.push(("transfers", each.join(" ")));
        let all = network.order();
        rows.push(("reached", format!("{} of {} nodes", count(account.reached), count(all))));
        let again = (count(account.informed_twice), count(account.extra_transfers));
        rows.push(("told again", format!("{} nodes, {} times in all", again.0, again.1)));
        if account.impossible_transfers > 0 {
            rows.push(("over no link", count(account.impossible_transfers)));
        }
        if !missed.is_empty() {
            let ids: Vec<String> = missed.iter().map(u64::to_string).collect();
            rows.push(("missed", ids.join(" ")));
        }
        let head = format!("{spec}, from {}\n", text::node(network, root));
        text::print(&(head + &text::table(&rows)))?;
    }
    Ok(if missed.is_empty() { Outcome::Done } else { Outcome::No })
}

/// What is counted of every broadcast.
fn put_account(object: &mut Value, network: &dyn Network, account: &Account) {
    object["nodes"] = network.order().into();
    object["missed"] = account.missed.iter().map(|node| node.0).collect();
    object["told_twice"] = account.informed_twice.into();
    object["extra_transfers"] = account.extra_transfers.into();
    object["transfers_per_step"] = account.transfers_per_step.iter().copied().collect();
    object["impossible_transfers"] = account.impossible_transfers.into();
}

fn algorithm_name(algorithm: Algorithm) -> &'static str {
    match algorithm {
        Algorithm::Paper => "paper",
        Algorithm::Best => "best",
    }
}

fn ports_name(ports: Ports) -> &'static str {
    match ports {
        Ports::One => "one",
        Ports::All => "all",
    }
}

fn to_json(spec: &Spec, root: Node, algorithm: Algorithm, report: &Report) -> Value {
    json!({
        "spec": spec.to_string(),
        "from": root.0,
        "algorithm": algorithm_name(algorithm),
        "ports": ports_name(report.ports),
        "steps": report.cost.steps,
        "transfers": report.cost.transfers,
        "reached": report.reached,
        "exactly_once": report.cost.repeats == 0,
        "lower_bound": report.lower_bound,
        "paper_bound": report.broadcast.claimed(),
        "gap": report.cost.steps - report.lower_bound,
        "busiest_load": report.cost.busiest,
    })
}

fn to_text(algorithm: Algorithm, report: &Report, modeled: Option<Modeled>) -> String {
    let count = |value: u64| text::grouped(&value.to_string());
    let cost = &report.cost;
    let steps = match cost.steps - report.lower_bound {
        0 => format!("{}, the fewest there can be", count(cost.steps)),
        gap => format!(
            "{}, {} more than the lower bound of {}",
            count(cost.steps),
            count(gap),
            count(report.lower_bound)
        ),
    };
    let once = match cost.repeats {
        0 => "exactly once".to_owned(),
        repeats => format!("{} times again", count(repeats)),
    };
    let mut rows = vec![
        ("algorithm", algorithm_name(algorithm).to_owned()),
        ("ports", ports_name(report.ports).to_owned()),
        ("steps", steps),
    ];
    if let Some(claimed) = report.broadcast.claimed() {
        rows.push(("its paper says", format!("at most {} steps", count(claimed))));
    }
    if let Some(Modeled { steps, missed }) = modeled {
        let misses = match missed {
            0 => String::new(),
            missed => format!(", and it misses {} nodes", count(missed)),
        };
        rows.push(("as its paper counts", format!("{} steps{misses}", count(steps))));
    }
    rows.push(("transfers", count(cost.transfers)));
    rows.push(("reached", format!("{} hosts, {once}", count(report.reached))));
    rows.push(("checked", "every transfer, by the links and by what its sender knew".to_owned()));
    text::table(&rows)
}
