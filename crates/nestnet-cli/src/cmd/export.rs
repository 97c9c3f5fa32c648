//! `nestnet export`: a network in the file format of another tool.

use crate::job::Job;
use crate::numbers::{ANY, counts};
use crate::{Outcome, output, text};
use anyhow::{Context as _, anyhow, bail, ensure};
use nestnet::files::{Exported, network_format, written_formats};
use nestnet::format::{self, Costs, FORMATS, Format, WriteError, Writing};
use num_bigint::BigUint;
use std::fmt::Write as _;
use std::io::{self, Write};

#[derive(clap::Args)]
#[command(after_help = after_help())]
pub struct Args {
    /// The network, such as "hosts(rdn(petersen, 1), 2)"
    spec: String,
    /// The format, see below; by the ending of FILE if omitted
    #[arg(short, long, value_name = "FORMAT")]
    format: Option<String>,
    /// Where to write; stdout if omitted
    #[arg(short, long, value_name = "FILE")]
    output: Option<output::OutputPath>,
    /// The latency of all links or of a level, such as 500ns, 2=1.5us or host=100ns; may be repeated
    #[arg(long, value_name = "[LEVEL=]TIME")]
    latency: Vec<String>,
    /// The bandwidth of all links or of a level, such as 100Gbps or 0=900GBps; may be repeated
    #[arg(long, value_name = "[LEVEL=]RATE")]
    bandwidth: Vec<String>,
    /// The most links that are written
    #[arg(long, value_name = "N", default_value_t = 2_000_000_000, value_parser = counts::<u64>(ANY))]
    max_links: u64,
    /// Print one JSON object about the file
    #[arg(long, requires = "output")]
    json: bool,
}

/// Examples, and all formats that are written.
fn after_help() -> String {
    let mut help = "\
Examples:
  nestnet export \"rdn(petersen, 1)\" -o rdn.graphml
  nestnet export \"hosts(torus(4, 4), 2)\" --format anynet --latency 3ns -o torus.anynet
  nestnet export \"rdn(ring(3), 1)\" --format ibsim | head

Formats:
"
    .to_owned();
    let written = || FORMATS.iter().filter(|format| format.write.is_some());
    let width = written().map(|format| format.name.len()).max().unwrap_or(0);
    for format in written() {
        let _ = writeln!(help, "  {:width$}  {}", format.name, format.title);
    }
    help += "\nWhat a format has no field for is named on stderr. A FILE appears only when it is complete.";
    help
}

pub fn run(args: &Args, job: &Job) -> anyhow::Result<Outcome> {
    let format = asked(args)?;
    let rule = format.write.with_context(|| format!("{} is not written", format.name))?;
    let costs = costs(&args.latency, &args.bandwidth)?;
    let (spec, built) = job.build(&args.spec)?;
    let links = built.theory.degrees().links;
    if links > BigUint::from(args.max_links) {
        let (links, limit) = (text::count(&links), text::grouped(&args.max_links.to_string()));
        bail!("{spec} has {links} links, over the limit of {limit}: --max-links raises it");
    }
    let network = built.network.with_context(|| text::without_ids(&spec))?;
    job.doing("links");
    let mut losses = Vec::new();
    let title = spec.to_string();
    let written = job.with_budget(|budget| -> anyhow::Result<bool> {
        let writing = Writing::new(&title, &*network, &costs, budget)?;
        losses = format.losses(&writing);
        for loss in &losses {
            // Where nobody listens there is nobody to tell.
            let _ = writeln!(io::stderr(), "note: {} has no field for {loss}", format.name);
        }
        let write = |out: &mut dyn Write| match rule(&writing, out) {
            Err(WriteError::Interrupted(_)) => Ok(false),
            Err(WriteError::Io(error)) => Err(error.into()),
            written => Ok(written.map(|()| true)?),
        };
        match &args.output {
            None => {
                let mut out = text::stdout();
                let complete = write(&mut *out)?;
                out.flush()?;
                Ok(complete)
            }
            Some(path) => output::write_file(path, write)
                .with_context(|| format!("cannot write {}", path.display())),
        }
    });
    job.finish();
    let complete = match written {
        Err(error) if is_interrupt(&error) => false,
        written => written?,
    };
    if args.json && complete {
        let file = args.output.as_ref().map(|path| path.to_string_lossy().into_owned());
        text::print_json(&Exported::new(spec.to_string(), format, file, &losses))?;
    }
    ensure!(complete, job.unfinished());
    Ok(Outcome::Done)
}

fn is_interrupt(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(WriteError::Interrupted(_)))
}

/// The format that is named, or that the end of the file tells.
fn asked(args: &Args) -> anyhow::Result<&'static Format> {
    match (&args.format, &args.output) {
        (Some(name), _) => Ok(network_format(name)?),
        (None, Some(path)) => format::by_extension(&path.to_string_lossy()).ok_or_else(|| {
            anyhow!(
                "the end of {} names no format; --format does: {}",
                path.display(),
                written_formats()
            )
        }),
        (None, None) => bail!("which format? --format names one: {}", written_formats()),
    }
}

/// Latencies and bandwidths as they are asked for.
pub fn costs(latencies: &[String], bandwidths: &[String]) -> anyhow::Result<Costs> {
    let mut costs = Costs::default();
    for latency in latencies {
        costs.add_latency(latency).context("--latency")?;
    }
    for bandwidth in bandwidths {
        costs.add_bandwidth(bandwidth).context("--bandwidth")?;
    }
    Ok(costs)
}
