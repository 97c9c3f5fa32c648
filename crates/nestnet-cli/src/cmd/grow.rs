//! `nestnet grow`: what are the next sizes of a network, and what must be rewired on the way?

use crate::job::Job;
use crate::{Outcome, text};
use anyhow::bail;
use nestnet::Spec;
use nestnet::grow::{GrowError, Growing, GrowthBy, MAX_COUNTED, Rewiring, grow};
use num_bigint::BigUint;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  nestnet grow \"rdn(petersen, 1)\"
  nestnet grow \"torus(8, 8)\" --json

Each integer of the outermost family is made one larger. A network that only gains links grows \
without rewiring, where its nodes have ports free. Links are looked up in both networks where the \
larger one has up to 2^20 nodes. Exit code 1 says that it cannot grow.")]
pub struct Args {
    /// The network, such as "rdn(torus(5, 5), 2)"; `nestnet families` lists the names
    spec: String,
    /// Print one JSON object, with integers of any length
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args, job: &Job) -> anyhow::Result<Outcome> {
    let (spec, built) = job.build(&args.spec)?;
    job.doing("counting links");
    let found = job.with_context(|context| grow(&args.spec, context));
    job.finish();
    let next = match found {
        Err(GrowError::Interrupted(_)) if job.is_interrupted() => return Ok(Outcome::Interrupted),
        Err(GrowError::Interrupted(_)) => bail!(job.why()),
        found => found?,
    };
    let (nodes, links) = (built.order(), built.theory.degrees().links);
    let growing = Growing { nodes, links, next };
    if args.json {
        text::print_json_of(&spec, &growing)?;
    } else {
        text::print(&to_text(&spec, &growing))?;
    }
    Ok(if growing.next.is_empty() { Outcome::No } else { Outcome::Done })
}

fn to_text(spec: &Spec, growing: &Growing) -> String {
    let Growing { nodes, links, next: growths } = growing;
    let mut out = format!("{spec}: {} nodes, {} links\n", text::count(nodes), text::count(links));
    if growths.is_empty() {
        out.push_str("  none of its integers can be one larger\n");
    }
    for growth in growths {
        let nodes = text::count(&growth.nodes);
        out.push_str(&format!(
            "  {} one larger: {}, {nodes} nodes\n",
            growth.parameter, growth.spec
        ));
        let line = match &growth.rewiring {
            Some(rewiring) => in_words(rewiring),
            None => format!("what must be rewired is not known beyond {MAX_COUNTED} nodes"),
        };
        out.push_str(&format!("    {line}\n"));
    }
    out
}

fn in_words(rewiring: &Rewiring) -> String {
    let Rewiring { kept, removed, added, ports, how, .. } = rewiring;
    let how = match how {
        GrowthBy::Count => "every link counted",
        GrowthBy::Construction => "by the construction",
    };
    let ports = match ports {
        Some(ports) => format!("up to {ports} free ports at a present node, "),
        None => String::new(),
    };
    let (kept, added) = (text::count(kept), text::count(added));
    match *removed == BigUint::ZERO {
        true => format!("no rewiring: all {kept} links stay, {added} are new, {ports}{how}"),
        false => format!(
            "rewiring: {} links must go, {kept} stay, {added} are new, {ports}{how}",
            text::count(removed)
        ),
    }
}
