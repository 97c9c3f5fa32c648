//! Collectives on a network with switches: from host to host, round by round.

use super::Args;
use crate::job::Job;
use crate::{Outcome, output, text};
use anyhow::{Context as _, bail};
use nestnet::collective::switched::{Message, Planned, Price, Request, Rounds, Tried};
use nestnet::collective::{Collective, PlanError, Ports};
use nestnet::{Built, Network, Node, Spec, routers};
use serde_json::{Map, Value, json};
use std::io::{self, BufWriter, Write};

/// What was found, and for whom.
struct Shown<'a> {
    args: &'a Args,
    spec: &'a Spec,
    network: &'a dyn Network,
    router: &'static str,
    collective: Collective,
    root: Node,
    best: Planned,
    tried: Tried,
}

pub fn run(
    args: &Args,
    job: &Job,
    spec: &Spec,
    built: &Built,
    collective: Collective,
    algorithm: Option<&'static str>,
    root: Node,
) -> anyhow::Result<Outcome> {
    if args.export.is_some() {
        bail!(
            "--export: the switches of {spec} are no hosts, and only transfers over links are written"
        );
    }
    let network = built.network.as_deref().with_context(|| text::without_ids(spec))?;
    let name = routers::default_name(built);
    let router = built.router(name).with_context(|| format!("{spec} has no router"))?;
    let found = job.with_budget(|budget| {
        job.doing(collective.name());
        let request = Request {
            network,
            router: &*router,
            ports: if args.ports == "one" { Ports::One } else { Ports::All },
            price: Price { alpha: args.alpha, beta: args.beta(), hop: args.hop },
            bytes: args.bytes,
            budget,
        };
        match algorithm {
            Some(name) => {
                let plan = request.plan(collective, name, root)?;
                let tried = vec![(name, Ok(plan.seconds))];
                Ok((plan, tried))
            }
            None => request.best(collective, root),
        }
    });
    job.finish();
    let (best, tried) = match found {
        Err(PlanError::Interrupted(_)) if job.is_interrupted() => return Ok(Outcome::Interrupted),
        Err(PlanError::Interrupted(_)) => bail!(job.why()),
        found => found?,
    };
    let shown = Shown { args, spec, network, router: name, collective, root, best, tried };
    let write = |out: &mut dyn Write| write_rounds(&shown.best.rounds, job, out);
    let to_stdout = args.output.is_none() && args.steps && !args.json;
    let mut complete = true;
    if let Some(path) = &args.output {
        let written = output::write_file(path, write);
        complete = written.with_context(|| format!("cannot write {}", path.display()))?;
    } else if to_stdout {
        complete = write(&mut BufWriter::new(io::stdout().lock()))?;
    }
    if !complete {
        return Ok(Outcome::Interrupted);
    }
    if args.json {
        text::print_json(&to_json(&shown, job)?)?;
    } else if !to_stdout {
        text::print(&to_text(&shown))?;
    }
    Ok(Outcome::Done)
}

/// One round a line, each message as `from>to:block`, and with `+n` where it carries n blocks; `false` when stopped.
pub fn write_rounds(rounds: &Rounds, job: &Job, out: &mut dyn Write) -> anyhow::Result<bool> {
    let mut messages = Vec::new();
    for number in 0..rounds.count() {
        if job.is_interrupted() {
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

/// Seconds that starts of messages alone take at least.
fn latency(shown: &Shown<'_>) -> f64 {
    shown.args.alpha * shown.best.bounds.rounds as f64
}

/// Seconds that bytes alone take at least.
fn bandwidth(shown: &Shown<'_>) -> f64 {
    shown.args.beta() * shown.args.bytes as f64 * shown.best.bounds.payloads
}

fn to_json(shown: &Shown<'_>, job: &Job) -> anyhow::Result<Value> {
    let Shown { args, best, tried, network, .. } = shown;
    let tried = tried.iter().map(|(name, result)| {
        let result = match result {
            Ok(seconds) => json!({ "seconds": seconds }),
            Err(error) => json!({ "error": error.to_string() }),
        };
        ((*name).to_owned(), result)
    });
    let mut object = json!({
        "spec": shown.spec.to_string(),
        "collective": shown.collective.name(),
        "root": shown.collective.has_root().then_some(shown.root.0),
        "hosts": network.hosts(),
        "router": shown.router,
        "ports": args.ports,
        "algorithm": best.algorithm,
        "rounds": best.cost.rounds,
        "messages": best.cost.messages,
        "blocks": best.cost.blocks,
        "busiest_load": best.cost.busiest,
        "load": best.cost.load,
        "hops": best.cost.hops,
        "held": best.cost.held,
        "rounds_lower_bound": best.bounds.rounds,
        "alpha": args.alpha,
        "beta": args.beta(),
        "hop": args.hop,
        "bytes": args.bytes,
        "block_bytes": best.block_bytes,
        "seconds": best.seconds,
        "latency_bound": latency(shown),
        "bandwidth_bound": bandwidth(shown),
        "algorithms": tried.collect::<Map<_, _>>(),
        "checked": true,
    });
    if args.steps && args.output.is_none() {
        let mut lines = Vec::new();
        write_rounds(&best.rounds, job, &mut lines)?;
        object["schedule"] = String::from_utf8(lines)?.lines().collect();
    }
    Ok(object)
}

fn to_text(shown: &Shown<'_>) -> String {
    let Shown { args, best, tried, network, .. } = shown;
    let count = |value: u64| text::grouped(&value.to_string());
    let ports = if args.ports == "one" { "one port" } else { "all ports" };
    let root = match shown.collective.has_root() {
        true => format!(", root {}", text::node(*network, shown.root)),
        false => String::new(),
    };
    let rounds = match best.cost.rounds == best.bounds.rounds {
        true => format!("{}, the fewest possible", count(best.cost.rounds)),
        false => {
            format!("{}, at least {}", count(best.cost.rounds), count(best.bounds.rounds))
        }
    };
    let seconds = |value: f64| format!("{} s", text::decimal(value));
    let mut rows = vec![
        ("algorithm", best.algorithm.to_owned()),
        ("rounds", rounds),
        (
            "messages",
            format!("{} between {} hosts", count(best.cost.messages), count(network.hosts())),
        ),
        ("routes", shown.router.to_owned()),
        ("busiest link", format!("{} blocks one way in a round", count(best.cost.busiest))),
        ("most blocks held", count(best.cost.held)),
        ("block", format!("{} bytes", best.block_bytes)),
        (
            "time",
            format!(
                "{}, with α = {:e} s, β = {:e} s a byte, {:e} s a hop",
                seconds(best.seconds),
                args.alpha,
                args.beta(),
                args.hop
            ),
        ),
        ("latency bound", seconds(latency(shown))),
        ("bandwidth bound", seconds(bandwidth(shown))),
        ("checked", "every message, its route, and the goal is achieved".to_owned()),
    ];
    if tried.len() > 1 {
        rows.extend(tried.iter().map(|(name, result)| {
            let said = match result {
                Ok(time) => seconds(*time),
                Err(error) => error.to_string(),
            };
            (*name, said)
        }));
    }
    let title = format!("{} on {}{root}, {ports}\n", shown.collective.name(), shown.spec);
    title + &text::table(&rows)
}
