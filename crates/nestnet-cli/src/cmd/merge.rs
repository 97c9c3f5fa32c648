//! `nestnet merge`: the answer of a command that was cut into shards, byte for byte as if it had been whole.

use crate::job::Job;
use crate::part::{Part, whole};
use crate::{Outcome, cmd};
use anyhow::bail;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  nestnet measure 'file(\"graph.txt\")' --only distances --shard 1/2 --part one.json
  nestnet measure 'file(\"graph.txt\")' --only distances --shard 2/2 --part two.json
  nestnet merge one.json two.json
  nestnet claims --json --shard 1/4 --part claims-1.json

The parts may come in any order and from different machines; each shard must be there once. What is \
printed, and the exit code, are those of the same command without --shard. The shards of a study \
share its store instead: see `nestnet study`.")]
pub struct Args {
    /// What `--shard … --part FILE` wrote
    #[arg(required = true, value_name = "FILE")]
    parts: Vec<String>,
}

pub fn run(args: &Args, job: &Job) -> anyhow::Result<Outcome> {
    let mut parts = Vec::new();
    for path in &args.parts {
        let text = job.read_text(path).map_err(|error| anyhow::anyhow!("{path}: {error}"))?;
        parts.push((path.clone(), Part::read(path, &text)?));
    }
    let parts = whole(parts)?;
    match parts.first().map(|part| part.verb.as_str()) {
        Some("measure") => cmd::measure::merge(parts, job),
        Some("design") => cmd::design::merge(parts, job),
        Some("routing") => cmd::routing::merge(parts, job),
        Some("deadlock") => cmd::deadlock::merge(parts, job),
        Some("claims") => cmd::claims::merge(parts),
        verb => bail!("there are no parts of `{}`", verb.unwrap_or_default()),
    }
}
