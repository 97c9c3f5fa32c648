//! `nestnet edges`: every link of a network, written once, sorted.

use crate::limits::Limits;
use crate::{Outcome, text};
use anyhow::{Context as _, bail};
use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};
use nestnet::format::edges;
use nestnet::{Network, Node};
use num_bigint::BigUint;
use std::fs::{self, File};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tempfile::NamedTempFile;

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
    // A device, a pipe or another name for stdout is not to be replaced by a file.
    if path.starts_with("/dev") || fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return Ok(edges::write(network, File::options().append(true).open(path)?, go_on)?);
    }
    // A link is followed, so that it still is one afterwards.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    if !folder.is_dir() {
        bail!("there is no folder {}", folder.display());
    }
    let mut file = new_file(folder)?;
    let complete = edges::write(network, &mut file, go_on)?;
    if complete {
        file.flush()?;
        file.persist(&path).map_err(|error| error.error)?;
    }
    Ok(complete)
}

/// A file that vanishes unless it is given a name.
fn new_file(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".nestnet-");
    #[cfg(unix)]
    {
        // As any new file, where a temporary one would be closed to all others.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
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
