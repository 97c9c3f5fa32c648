//! Collectives on a network with switches: from host to host, round by round.

use super::Args;
use crate::job::Job;
use crate::{Outcome, output, text};
use anyhow::Context as _;
use nestnet::collective::switched::{Message, Planned, Rounds};
use nestnet::collectives::CollectivePlan;
use nestnet::{Network, Spec};
use serde_json::Value;
use std::io::{self, BufWriter, Write};

/// What was found, and for whom.
pub struct Shown<'a> {
    pub args: &'a Args,
    pub spec: &'a Spec,
    pub network: &'a dyn Network,
    pub router: &'a str,
    pub found: &'a CollectivePlan,
    pub best: &'a Planned,
}

impl Shown<'_> {
    pub fn print(&self, job: &Job) -> anyhow::Result<Outcome> {
        let args = self.args;
        let write = |out: &mut dyn Write| write_rounds(&self.best.rounds, job, out);
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
            text::print_json(&to_json(self, job)?)?;
        } else if !to_stdout {
            text::print(&to_text(self))?;
        }
        Ok(Outcome::Done)
    }
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

fn to_json(shown: &Shown<'_>, job: &Job) -> anyhow::Result<Value> {
    let mut object = text::value_of(shown.spec, shown.found)?;
    if shown.args.steps && shown.args.output.is_none() {
        let mut lines = Vec::new();
        write_rounds(&shown.best.rounds, job, &mut lines)?;
        object["schedule"] = String::from_utf8(lines)?.lines().collect();
    }
    Ok(object)
}

fn to_text(shown: &Shown<'_>) -> String {
    let Shown { args, best, found, network, .. } = shown;
    let tried = found.attempts();
    let count = |value: u64| text::grouped(&value.to_string());
    let ports = if args.ports == "one" { "one port" } else { "all ports" };
    let root = match found.root {
        Some(root) => format!(", root {}", text::node(*network, root)),
        None => String::new(),
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
        ("latency bound", seconds(found.latency_bound())),
        ("bandwidth bound", seconds(found.bandwidth_bound())),
        ("checked", "every message, its route, and the goal is achieved".to_owned()),
    ];
    if tried.len() > 1 {
        rows.extend(tried.into_iter().map(|(name, attempt)| {
            (name, attempt.error.or(attempt.seconds.map(seconds)).unwrap_or_default())
        }));
    }
    let title = format!("{} on {}{root}, {ports}\n", found.collective.name(), shown.spec);
    title + &text::table(&rows)
}
