//! `nestnet edges`: every link of a network, written once, sorted.

use crate::job::Job;
use crate::numbers::{ANY, counts};
use crate::{Outcome, output, text};
use anyhow::{Context as _, bail, ensure};
use nestnet::Node;
use nestnet::format::edges;
use num_bigint::BigUint;
use std::io::{self, Write};

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  nestnet edges \"rdn(torus(5, 5), 2)\" -o edges.txt
  nestnet edges \"hypercube(40)\" --max-links 100000000000000 | head

Lines are `u v` with u < v, ascending. A FILE appears only when it is complete.")]
pub struct Args {
    /// The network, such as "rdn(torus(5, 5), 2)"
    spec: String,
    /// Where to write; stdout if omitted
    #[arg(short, long, value_name = "FILE")]
    output: Option<output::OutputPath>,
    /// The most links that are written
    #[arg(long, value_name = "N", default_value_t = 2_000_000_000, value_parser = counts::<u64>(ANY))]
    max_links: u64,
}

pub fn run(args: &Args, job: &Job) -> anyhow::Result<Outcome> {
    let (spec, built) = job.build(&args.spec)?;
    let links = built.theory.degrees().links;
    if links > BigUint::from(args.max_links) {
        let (links, limit) = (text::count(&links), text::grouped(&args.max_links.to_string()));
        bail!("{spec} has {links} links, over the limit of {limit}: --max-links raises it");
    }
    let network = built.network.with_context(|| text::without_ids(&spec))?;
    job.doing("links");
    let nodes = network.order();
    let write = |out: &mut dyn Write| {
        // Nodes without links are many or few; there is nothing to say of them.
        let go_on = |at: Node| {
            job.progress(at.0 as f64 / nodes as f64);
            !job.is_over()
        };
        Ok(links == BigUint::ZERO || edges::write(&*network, out, go_on)?)
    };
    let complete = match &args.output {
        None => write(&mut io::stdout().lock())?,
        Some(path) => output::write_file(path, write)
            .with_context(|| format!("cannot write {}", path.display()))?,
    };
    job.finish();
    ensure!(complete, job.unfinished());
    Ok(Outcome::Done)
}
