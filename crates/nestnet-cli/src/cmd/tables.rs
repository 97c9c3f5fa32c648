//! `nestnet tables`: where each switch sends what, in the form of another tool, and how much memory that takes.

use crate::faults::FaultOptions;
use crate::job::Job;
use crate::routing::RouterOptions;
use crate::{Outcome, output, text};
use anyhow::{Context as _, bail, ensure};
use nestnet::files::{TablesWritten, fabric_of_tables, table_format, table_losses};
use nestnet::format::tables::{self, TABLES, TableSize, TablesError};
use nestnet::format::{WriteError, Writing};
use nestnet::route::Detouring;
use nestnet::routers::with_assigned_vcs;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::sync::Arc;

#[derive(clap::Args)]
#[command(after_help = after_help())]
pub struct Args {
    /// The network, such as "hosts(rdn(petersen, 1), 2)"
    spec: String,
    #[command(flatten)]
    router: RouterOptions,
    /// Put the routes on the virtual channels that `deadlock --assign` finds
    #[arg(long)]
    assign: bool,
    #[command(flatten)]
    faults: FaultOptions,
    /// The format, see below
    #[arg(short, long, value_name = "FORMAT", default_value = "routes")]
    format: String,
    /// Where to write; stdout if omitted
    #[arg(short, long, value_name = "FILE")]
    output: Option<output::OutputPath>,
    /// The latency of all links or of a level, where the format has it; may be repeated
    #[arg(long, value_name = "[LEVEL=]TIME")]
    latency: Vec<String>,
    /// The bandwidth of all links or of a level, where the format has it; may be repeated
    #[arg(long, value_name = "[LEVEL=]RATE")]
    bandwidth: Vec<String>,
    /// Print one JSON object about the file
    #[arg(long, requires = "output")]
    json: bool,
}

/// Examples, and all formats.
fn after_help() -> String {
    let mut help = "\
Examples:
  nestnet tables \"rdn(petersen, 1)\" -o routes.txt
  nestnet deadlock \"rdn(petersen, 1)\" --file routes.txt
  nestnet routing \"rdn(petersen, 1)\" --router 'table(routes.txt)'
  nestnet tables \"hypercube(4)\" --format opensm -o tables.lft
  nestnet tables \"clos(4, 2)\" --faults 12 -o routes.txt

Formats:
"
    .to_owned();
    let width = TABLES.iter().map(|format| format.name.len()).max().unwrap_or(0);
    for format in TABLES {
        let _ = writeln!(help, "  {:width$}  {}", format.name, format.title);
    }
    help += "\nWhat a switch needs is printed on stdout, or on stderr where the tables are. A FILE appears only when it is complete.";
    help += "\nWith faults the routes are those around them, between hosts that still reach each other; failed nodes have none.";
    help
}

pub fn run(args: &Args, job: &Job) -> anyhow::Result<Outcome> {
    let format = table_format(&args.format)?;
    if args.faults.is_asked() && !format.has_routes {
        bail!(
            "--faults: the next hop around a failure also depends on the source of a packet, and {} has one port for \
             each switch and destination; {} have whole routes",
            format.name,
            with_routes()
        );
    }
    let costs = super::export::costs(&args.latency, &args.bandwidth)?;
    let (spec, built) = job.build(&args.spec)?;
    let network = built.network.clone().with_context(|| text::without_ids(&spec))?;
    let title = spec.to_string();
    let name = args.router.name(&built);
    // Where nobody listens there is nobody to tell.
    let note = |said: &str| {
        let _ = writeln!(io::stderr(), "note: {said}");
    };
    let mut needs = None;
    let written = job.with_budget(|budget| -> anyhow::Result<bool> {
        let mut router = args.router.find(&built, job, &budget)?;
        if let Some(faults) = args.faults.faults(&*network)? {
            let around = Detouring::new(network.clone(), router, Arc::new(faults));
            router = Arc::new(around.context("detours around faults")?.arriving());
        }
        if args.assign {
            router = with_assigned_vcs(&built, name, &router, &budget)?;
        }
        let writing = Writing::new(&title, &*network, &costs, budget)?;
        for loss in table_losses(format, &*router, name, &writing) {
            note(&loss);
        }
        if !router.remembers() {
            job.doing("sizes");
            match tables::size(&writing, &*router) {
                Ok(size) if args.output.is_some() => needs = Some(size),
                Ok(size) => note(&size_text(&size)),
                Err(TablesError::Write(WriteError::Interrupted(_))) => return Ok(false),
                // What is too large to be counted is written all the same.
                Err(_) => (),
            }
        }
        job.doing("tables");
        let write = |out: &mut dyn Write| match (format.write)(&writing, &*router, out) {
            Err(TablesError::Write(WriteError::Interrupted(_))) => Ok(false),
            Err(TablesError::Write(WriteError::Io(error))) => Err(error.into()),
            written => Ok(written.map(|()| true)?),
        };
        let written = match &args.output {
            None => {
                let mut out = text::stdout();
                let complete = write(&mut *out)?;
                out.flush()?;
                Ok(complete)
            }
            Some(path) => {
                let buffered =
                    |out: &mut dyn Write| write(&mut io::BufWriter::with_capacity(1 << 16, out));
                output::write_file(path, buffered)
                    .with_context(|| format!("cannot write {}", path.display()))
            }
        };
        if matches!(written, Ok(true))
            && let Some(fabric) = fabric_of_tables(format, &built)
        {
            note(fabric);
        }
        written
    });
    job.finish();
    let complete = match written {
        Err(_) if job.is_over() => false,
        written => written?,
    };
    match needs.filter(|_| complete) {
        _ if args.json && complete => {
            let file = args.output.as_ref().map(|path| path.to_string_lossy().into_owned());
            let (spec, router) = (title.clone(), name.to_owned());
            text::print_json(&TablesWritten { spec, router, format: format.name, file, needs })?;
        }
        Some(needs) => text::print(&format!("{}\n", size_text(&needs)))?,
        None => (),
    }
    ensure!(complete, job.unfinished());
    Ok(Outcome::Done)
}

/// The formats that have whole routes, as they are said.
fn with_routes() -> String {
    let names = TABLES.iter().filter(|format| format.has_routes).map(|format| format.name);
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// How much memory a switch needs, for people.
fn size_text(size: &TableSize) -> String {
    let count = |value: u64| text::grouped(&value.to_string());
    let (whole, parts) = (size.whole(), size.by_intervals());
    let mut said = format!(
        "a switch needs {} bytes: {} destinations, {} bytes each",
        count(whole),
        count(size.destinations),
        size.entry
    );
    if parts < whole {
        let _ = write!(
            said,
            "; as intervals at most {} bytes: {} entries, {} bytes each",
            count(parts),
            count(size.intervals),
            size.entry + size.bound
        );
    }
    said
}
