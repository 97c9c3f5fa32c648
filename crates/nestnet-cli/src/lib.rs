//! The command line: which verb, within which limits, and what the exit code says.

mod cli;
mod cmd;
mod device;
mod faults;
mod job;

mod options;
mod output;
#[cfg(feature = "page")]
mod page;
mod part;
mod picture;
mod progress;
mod ranks;
mod routing;
mod text;
#[cfg(feature = "raster")]
mod tikz;

use clap::{Parser, Subcommand};
use job::Job;
use nestnet::sanitize::visible_lines;
use nestnet::spec::Literal;
use nestnet::{SpecError, numbers};
pub(crate) use output::Outcome;
use output::is_closed_pipe;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::OnceLock;

const EXAMPLES: &str = "\
Examples (quote the SPEC, or the shell trips over its brackets):
  nestnet design --nodes 3000000 --max-degree 8
  nestnet design --nodes 1000000 --max-degree 8
  nestnet info \"rdn(torus(5, 5), 2)\"
  nestnet neighbors \"rdn(ring(5), 1)\" \"(0,1,2)\"
  nestnet families rdn
  nestnet edges \"hypercube(10)\" -o edges.txt
  nestnet measure \"rsn(hypercube(4), 3)\"
  nestnet route \"rdn(petersen, 1)\" 3 157
  nestnet broadcast \"rdn(ring(3), 2)\" 0
  nestnet routing \"rdn(petersen, 1)\"
  nestnet paths \"rdn(torus(5, 5), 3)\" 0 10000000000000
  nestnet compare \"rdn(ring(5), 2)\" --match-nodes
  nestnet draw \"rdn(ring(5), 1)\" -o rdn.svg
  nestnet claims li-2009
  nestnet info 'file(\"edges.txt\")' --json

Exit codes: 0 done or yes; 1 the answer is no; 2 no answer, or not all of it (a bad argument, a limit, \
--max-time, which also prints what is finished); 130 stopped by Ctrl-C.";

/// Networks nested in networks, from one line of text.
#[derive(Parser)]
#[command(name = "nestnet", version = env!("NESTNET_VERSION"), after_help = EXAMPLES, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
    #[command(flatten)]
    options: job::Options,
}

#[derive(Subcommand)]
enum Verb {
    /// Show what is known of a network, at any size, at once
    Info(cmd::info::Args),
    /// List the neighbors of a node
    Neighbors(cmd::neighbors::Args),
    /// List the networks that a SPEC can name, or explain one
    Families(cmd::families::Args),
    /// Draw a network as SVG, PNG, PDF or TikZ, with routes, broadcasts or loads on top
    Draw(cmd::draw::Args),
    /// Show what is inside a cluster and where a node is, at any size
    View(cmd::view::Args),
    /// Open a page in the browser: explore networks, watch routes, choose designs, check claims
    #[cfg(feature = "page")]
    Serve(page::Args),
    /// Draw a plot that the page asks for, from stdin to stdout
    #[cfg(feature = "page")]
    #[command(hide = true)]
    Plot(page::plot::Args),
    /// Write every link, one `u v` a line
    Edges(cmd::edges::Args),
    /// Write a network in the format of another tool: GraphML, anynet, ibsim, SimGrid …
    Export(cmd::export::Args),
    /// Describe a file of another tool, and how to use it here
    Import(cmd::import::Args),
    /// Write routing tables for another tool, with the memory a switch needs
    Tables(cmd::tables::Args),
    /// Measure exactly: distances, connectivity, load, bisection …
    Measure(cmd::measure::Args),
    /// Find a bisection with few links, and check it again
    Cut(cmd::cut::Args),
    /// Compute saturation throughput by traffic and routing, and bounds over all routings
    Throughput(cmd::throughput::Args),
    /// Show the route of a message, link by link
    Route(cmd::route::Args),
    /// Check a routing: arrival, hops, stretch and load, also around faults
    Routing(cmd::routing::Args),
    /// Find the largest set of node-disjoint paths between two nodes
    Paths(cmd::paths::Args),
    /// Prove that a routing is free of deadlock, or show a dependency cycle
    Deadlock(cmd::deadlock::Args),
    /// Simulate messages flit by flit: latency over load, saturation, deadlock
    Simulate(cmd::simulate::Args),
    /// Broadcast from one node to all in few steps, and check every transfer
    Broadcast(cmd::broadcast::Args),
    /// Run a parallel program whose data moves over links alone, and check the result
    Run(cmd::run::Args),
    /// Emulate the product that a network represents, dimension by dimension
    Emulate(cmd::emulate::Args),
    /// Embed one network in another: dilation, congestion, expansion, load
    Embed(cmd::embed::Args),
    /// Check the claims of the papers, one by one
    Claims(cmd::claims::Args),
    /// Compare networks in one table, also with baselines of equal cost
    Compare(cmd::compare::Args),
    /// Write one page about networks: picture, numbers, claims, comparison
    Report(cmd::report::Args),
    /// Search for Pareto-optimal networks for a number of hosts or nodes
    Design(Box<cmd::design::Args>),
    /// Show the next sizes of a network, and what must be rewired
    Grow(cmd::grow::Args),
    /// Measure resilience: what random failures of links or routers leave
    Resilience(cmd::resilience::Args),
    /// Sweep over networks, routers, traffics, loads, seeds and faults; resumable
    Study(Box<cmd::study::Args>),
    /// Join the parts of a command that was cut into shards
    Merge(cmd::merge::Args),
    /// Plan a collective: broadcast, scatter, gather, reduce, allgather, allreduce, all-to-all
    Collective(cmd::collective::Args),
    /// Print completions for a shell
    Completions(cmd::completions::Args),
    /// Print the manual, or write all its pages to a folder
    Man(cmd::man::Args),
}

/// How this program is started again, where it is not a file of its own; `serve` answers by it.
static LAUNCHER: OnceLock<Vec<OsString>> = OnceLock::new();

/// Does what the words behind the program's name ask for.
pub fn main() -> ExitCode {
    ExitCode::from(run(std::env::args_os()))
}

/// The same inside of another program, once in a process: `words` begins with the program's name, and `launcher` are the
/// words that start it again. The exit code.
pub fn main_within(words: Vec<OsString>, launcher: Vec<OsString>) -> u8 {
    let _ = LAUNCHER.set(launcher);
    run(words)
}

/// Why something is not in this build, and how to get it.
#[cfg(not(all(feature = "raster", feature = "parquet", feature = "gpu")))]
fn left_out(what: &str) -> String {
    format!("this build has no {what}: `cargo build --release --features full` makes one that has")
}

/// The words that start this program.
#[cfg(feature = "page")]
fn launcher() -> io::Result<Vec<OsString>> {
    match LAUNCHER.get() {
        Some(words) => Ok(words.clone()),
        None => Ok(vec![std::env::current_exe()?.into()]),
    }
}

fn run(words: impl IntoIterator<Item = OsString>) -> u8 {
    let cli = match cli::parse(words) {
        Ok(cli) => cli,
        Err(code) => return code,
    };
    // Links are written for as long as somebody reads them, and a study takes as long as it takes.
    let unhurried = match cli.verb {
        Verb::Edges(_) | Verb::Export(_) | Verb::Tables(_) | Verb::Study(_) => true,
        #[cfg(feature = "page")]
        Verb::Serve(_) => true,
        _ => false,
    };
    let outcome =
        Job::start(&cli.options, unhurried).and_then(|job| job.ended(answer(&cli.verb, &job)));
    match outcome {
        Ok(Outcome::Done) => 0,
        Ok(Outcome::No) => 1,
        Ok(Outcome::Unwritten) => 2,
        Ok(Outcome::Interrupted) => 130,
        // Whoever reads our output has seen enough, as in `nestnet edges … | head`.
        Err(error) if is_closed_pipe(&error) => 0,
        Err(error) => {
            // When even stderr is closed, the exit code is all that is left to say.
            let message = format!("{error:#}");
            if cli.options.is_served() {
                let _ = writeln!(io::stderr(), "{}", for_the_page(&error, &message));
                return 2;
            }
            let message = text::with_option(message) + &file_hint(&error).unwrap_or_default();
            let _ = writeln!(io::stderr(), "error: {}", visible_lines(&message));
            2
        }
    }
}

fn answer(verb: &Verb, job: &Job) -> anyhow::Result<Outcome> {
    match verb {
        Verb::Info(args) => cmd::info::run(args, job),
        Verb::Neighbors(args) => cmd::neighbors::run(args, job),
        Verb::Families(args) => cmd::families::run(args),
        Verb::Draw(args) => cmd::draw::run(args, job),
        Verb::View(args) => cmd::view::run(args, job),
        #[cfg(feature = "page")]
        Verb::Serve(args) => page::run(args, job),
        #[cfg(feature = "page")]
        Verb::Plot(args) => page::plot::run(args),
        Verb::Edges(args) => cmd::edges::run(args, job),
        Verb::Export(args) => cmd::export::run(args, job),
        Verb::Import(args) => cmd::import::run(args, job),
        Verb::Tables(args) => cmd::tables::run(args, job),
        Verb::Measure(args) => cmd::measure::run(args, job),
        Verb::Cut(args) => cmd::cut::run(args, job),
        Verb::Throughput(args) => cmd::throughput::run(args, job),
        Verb::Route(args) => cmd::route::run(args, job),
        Verb::Routing(args) => cmd::routing::run(args, job),
        Verb::Paths(args) => cmd::paths::run(args, job),
        Verb::Deadlock(args) => cmd::deadlock::run(args, job),
        Verb::Simulate(args) => cmd::simulate::run(args, job),
        Verb::Broadcast(args) => cmd::broadcast::run(args, job),
        Verb::Run(args) => cmd::run::run(args, job),
        Verb::Emulate(args) => cmd::emulate::run(args, job),
        Verb::Embed(args) => cmd::embed::run(args, job),
        Verb::Claims(args) => cmd::claims::run(args, job),
        Verb::Compare(args) => cmd::compare::run(args, job),
        Verb::Report(args) => cmd::report::run(args, job),
        Verb::Design(args) => cmd::design::run(args, job),
        Verb::Grow(args) => cmd::grow::run(args, job),
        Verb::Resilience(args) => cmd::resilience::run(args, job),
        Verb::Study(args) => cmd::study::run(args, job),
        Verb::Merge(args) => cmd::merge::run(args, job),
        Verb::Collective(args) => cmd::collective::run(args, job),
        Verb::Completions(args) => cmd::completions::run(args),
        Verb::Man(args) => cmd::man::run(args),
    }
}

/// An error as the page shows it: what is wrong, and from where to where in a spec, counted as a browser does.
fn for_the_page(error: &anyhow::Error, message: &str) -> String {
    let spec = error.chain().find_map(|cause| cause.downcast_ref::<SpecError>());
    let Some(spec) = spec else {
        let message = text::with_titles(message);
        return text::json(&serde_json::json!({ "error": visible_lines(&message) }));
    };
    let units = |end: usize| spec.text.get(..end).map(|text| text.encode_utf16().count());
    let at = units(spec.span.start).zip(units(spec.span.end)).map(|(start, end)| [start, end]);
    let message = text::with_titles(&spec.message);
    let said = serde_json::json!({ "error": visible_lines(&message), "spec": spec.text, "at": at });
    text::json(&said)
}

/// What to write where the name of a file was given for a network.
fn file_hint(error: &anyhow::Error) -> Option<String> {
    let spec = error.chain().find_map(|cause| cause.downcast_ref::<SpecError>())?;
    // One that is written like a file is refused by the parser.
    let is_file = !spec.message.contains("did you mean `file(") && Path::new(&spec.text).is_file();
    let path = Literal::Text(spec.text.clone());
    is_file.then(|| format!("\n  there is a file of that name: did you mean `file({path})`?"))
}
