//! `nestnet edges`: every link of a network, written once, sorted.

use crate::limits::Limits;
use crate::{Outcome, output, text};
use anyhow::{Context as _, bail};
use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};
use nestnet::format::edges;
use nestnet::{Network, Node};
use num_bigint::BigUint;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  nestnet edges \"rdn(torus(5, 5), 2)\" -o edges.txt
  nestnet edges \"hypercube(40)\" --max-links 100000000000000 | head

Lines are `u v` with u < v, ascending. A FILE appears only when it is complete.")]
pub struct Args {
    /// The network, such as "rdn(torus(5, 5), 2)"
    spec: String,
    /// Where to write; stdout if left out
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The most links that are written
    #[arg(long, value_name = "N", default_value_t = 2_000_000_000)]
    max_links: u64,
}

pub fn run(args: &Args, limits: &Limits) -> anyhow::Result<Outcome> {
    let (spec, built) = limits.build(&args.spec)?;
    let links = built.theory.degrees().links;
    if links > BigUint::from(args.max_links) {
        let (links, limit) = (text::count(&links), text::grouped(&args.max_links.to_string()));
        bail!("{spec} has {links} links, over the limit of {limit}: --max-links raises it");
    }
    let network = built.network.with_context(|| text::without_ids(&spec))?;
    let complete = match &args.output {
        // Without a file there is nothing to clean up, and Ctrl-C may simply end the process.
        None => edges::write(&*network, io::stdout().lock(), |_| true)?,
        Some(path) => {
            let write = || write_file(&*network, path);
            write().with_context(|| format!("cannot write {}", path.display()))?
        }
    };
    Ok(if complete { Outcome::Done } else { Outcome::Interrupted })
}

/// Writes all links to `path`; `false` when the user stopped it, and then there is no such file.
fn write_file(network: &dyn Network, path: &Path) -> anyhow::Result<bool> {
    let stopped = Arc::new(AtomicBool::new(false));
    let handler = stopped.clone();
    ctrlc::set_handler(move || handler.store(true, Ordering::Relaxed))?;
    let progress = progress(network.order());
    let go_on = |at: Node| {
        progress.set_position(at.0);
        !stopped.load(Ordering::Relaxed)
    };
    output::write_file(path, |file| Ok(edges::write(network, file, go_on)?))
}

fn progress(nodes: u64) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = "{wide_bar} {human_pos} of {human_len} nodes, {eta} left";
    let style =
        ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(nodes).with_style(style).with_finish(ProgressFinish::AndClear)
}
