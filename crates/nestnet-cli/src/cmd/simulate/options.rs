//! What can be said to `nestnet simulate`.

use crate::device::Device;
use crate::numbers::fraction;
use crate::options::{Given, Simulator};
use crate::output::OutputPath;
use crate::picture::Setting;
use nestnet::Built;
use nestnet::routers::default_name;
use nestnet::sim::{OPTIONS, Record, Settings};
use serde_json::{Map, Value};
use std::path::PathBuf;

/// A load, or all up to saturation.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Load {
    Auto,
    At(f64),
}

fn load(text: &str) -> Result<Load, String> {
    if text.trim() == "auto" { Ok(Load::Auto) } else { fraction(text).map(Load::At) }
}

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  nestnet simulate \"rdn(torus(5, 5), 1)\"
  nestnet simulate \"rdn(ring(5), 1)\" --router paper,valiant -o curve.svg
  nestnet simulate \"torus(8, 8)\" --load 0.1,0.2,0.4 --traffic tornado --router valiant
  nestnet simulate \"mesh(8, 8)\" --router dor --vcs 8 --load 0.2 --json
  nestnet simulate \"mesh(8, 8)\" --load 0.3 --precision 1%
  nestnet simulate \"hosts(torus(4, 4), 2)\" --load 0.2 --packet 1:1,5:1
  nestnet simulate \"ring(8)\" --vcs 1 --load 0.9 --packet 8
  nestnet simulate \"torus(4, 4)\" --load 0.1 --replies 4 --reply-queue 2
  nestnet simulate \"torus(4, 4)\" --load 0.3 --traffic \"mix(0.8*uniform, 0.2*hotspot(3))\"
  nestnet simulate \"torus(4, 4)\" --load 0.2 --traffic \"phases(1000*uniform, 500*tornado)\"
  nestnet simulate \"torus(4, 4)\" --load 0.2 --traffic \"onoff(uniform, 20, 60)\"
  nestnet simulate \"torus(4, 4)\" --load 0.2 --per-host hosts.csv --trace packets.csv
  nestnet simulate \"torus(5, 5)\" --load 0.2 --fail 0-1@5000
  nestnet simulate \"torus(4, 4)\" --load 0.2 --link-errors 1e-3
  nestnet simulate \"torus(4, 4)\" --load 0.5 --ecn 16
  nestnet simulate \"torus(4, 4)\" --load 0.5 --shared-buffer --buffer 4
  nestnet simulate \"mesh(8, 8)\" --load 0.2 --lookahead --speculative
  nestnet simulate \"mesh(8, 8)\" --load 0.2 --energy --link-length 1.5 --clock 2
  nestnet simulate \"torus(5, 5)\" --load 0.2 --fail-rate 1e-6
  nestnet simulate \"torus(72, 72)\" --load 0.2 --precision 1% --checkpoint torus.state
  nestnet simulate \"rdn(ring(3), 1)\" --load 0.3 --traffic worst --picture busy.svg
  nestnet simulate \"torus(37, 37, 37)\" --load 0.05 --device gpu

Routers have queues at their inputs, virtual channels and credits; every packet is followed flit by \
flit. Besides the routers of `nestnet routing` there are `min`, one fixed shortest path for every \
pair on all virtual channels, by the latencies of links (`min_hops`: by their number), `dor`, dimension order on meshes and tori, `adaptive`, any shortest \
hop by credits with an escape, and `ugal`, `ugal_g` and `par`, the shortest path or a path through a \
random node, by queue length, and `polarized`, routes that lead away from the source and then towards \
the target. A load is what a host offers, in flits a cycle.
Warm-up and measured cycles are found: the window doubles until the mean latency is known to 5 %, or \
to --precision; --warmup and --cycles fix them.
Exit code 1 where packets deadlock.")]
pub struct Args {
    /// The network, such as "rdn(torus(5, 5), 1)", or several to compare
    #[arg(required = true, value_name = "SPEC")]
    pub specs: Vec<String>,
    /// Flits per host and cycle, one or several; `auto`, or if omitted: all up to saturation and one
    /// beyond it
    #[arg(long, value_name = "LOAD", visible_alias = "loads", value_delimiter = ',', value_parser = load)]
    load: Vec<Load>,
    /// Find the load-latency curve and where it ends; so also if no load is given
    #[arg(long, conflicts_with = "load")]
    pub sweep: bool,
    /// Who sends to whom, as in `nestnet throughput`: uniform, tornado, shift(3), worst …
    #[arg(long, value_name = "PATTERN", default_value = "uniform")]
    pub traffic: String,
    /// Which router, or several to compare, such as paper,valiant; `shortest` if omitted, where
    /// there is one
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub router: Vec<String>,
    /// Put the routes on the virtual channels that `deadlock --assign` finds: router NAME is then
    /// `assigned(NAME)`
    #[arg(long)]
    pub assign: bool,
    #[command(flatten)]
    options: Given<Simulator>,
    /// Where cycles run; the answer is the same. What a GPU does not do is refused by name
    #[arg(long, value_enum, default_value_t, conflicts_with = "goal")]
    pub device: Device,
    /// A link between two nodes and the cycle in which it fails, such as 3-7@2000; may be repeated
    #[arg(long, value_name = "LINK@CYCLE", value_delimiter = ',', requires = "load")]
    pub fail: Vec<String>,
    /// With which probability every link between routers fails in a cycle, such as 1e-6
    #[arg(long, value_name = "FRACTION", value_parser = fraction)]
    pub fail_rate: Option<f64>,
    /// Run the messages of a file in GOAL, such as `nestnet collective` writes, instead of a load;
    /// a picture then shows who is busy when, and -o FILE.csv has every task
    #[arg(long, value_name = "FILE", conflicts_with_all = ["load", "sweep", "traffic", "fail", "fail_rate", "channels", "histogram", "per_host", "per_flow", "picture"])]
    pub goal: Option<String>,
    /// Keep the state of all runs in a file, every 30 seconds and when they are stopped; the same
    /// command goes on from there and prints what it would have printed
    #[arg(long, value_name = "FILE", conflicts_with = "goal")]
    pub checkpoint: Option<PathBuf>,
    /// Write the curve to a file that ends in .svg, .png, .pdf, .tex (TikZ) or .csv
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<OutputPath>,
    #[command(flatten)]
    pub setting: Setting,
    /// Write how busy every link was at every load, as CSV
    #[arg(long, value_name = "FILE")]
    pub channels: Option<OutputPath>,
    /// Write how many packets had which latency at every load, as CSV
    #[arg(long, value_name = "FILE")]
    pub histogram: Option<OutputPath>,
    /// Write what every host sent and received at every load, as CSV: packets of the window and their
    /// latency, and all flits that arrived in the window
    #[arg(long, value_name = "FILE")]
    pub per_host: Option<OutputPath>,
    /// Write what every host sent to every other at every load, as CSV: packets of the window and
    /// their latency, and all flits that arrived in the window
    #[arg(long, value_name = "FILE")]
    pub per_flow: Option<OutputPath>,
    /// Write every packet of the window: when it was made, entered the network and arrived, as CSV,
    /// or as Parquet to a file that ends in .parquet; with --goal every message, as CSV
    #[arg(long, value_name = "FILE")]
    pub trace: Option<OutputPath>,
    /// Draw the network to a file that ends in .svg, .png, .pdf or .tex, colored by how busy every link
    /// was at the last load
    #[arg(long, value_name = "FILE")]
    pub picture: Option<OutputPath>,
    /// Add to the JSON how busy every link was at the last load: from, to, fraction of the cycles
    #[arg(long, requires = "json")]
    pub utilization: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

impl Args {
    /// The routers by name: the usual one of a network where none is asked for.
    pub fn routers(&self, built: &Built) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for part in &self.router {
            // What a name has in parentheses may have commas too.
            let open = |name: &&mut String| name.matches('(').count() > name.matches(')').count();
            match names.last_mut().filter(open) {
                Some(name) => *name += &format!(",{part}"),
                None => names.push(part.trim().to_owned()),
            }
        }
        if names.is_empty() {
            names.push(default_name(built).to_owned());
        }
        if self.assign {
            names.iter_mut().for_each(|name| *name = format!("assigned({name})"));
        }
        names
    }

    /// The loads; none where saturation is looked for.
    pub fn loads(&self) -> Vec<f64> {
        let known = |load: &Load| match load {
            Load::Auto => None,
            Load::At(load) => Some(*load),
        };
        self.load.iter().map(known).collect::<Option<_>>().unwrap_or_default()
    }

    /// All that the state of a run depends on, but for the files that are read: options and values, those that are as by
    /// default omitted.
    pub fn asked(&self) -> Map<String, Value> {
        let flag = |key: &str| format!("--{}", key.replace('_', "-"));
        let usual =
            |key: &str| OPTIONS.iter().find(|row| row.key == key).and_then(|row| row.default());
        let given = self.options.iter().filter(|&(key, value)| usual(key) != Some(value));
        let mut asked: Map<String, Value> =
            given.map(|(key, value)| (flag(key), value.into())).collect();
        let flags = [
            ("--assign", self.assign),
            ("--per-host", self.per_host.is_some()),
            ("--per-flow", self.per_flow.is_some()),
            ("--trace", self.trace.is_some()),
        ];
        asked.extend(
            flags.into_iter().filter(|flag| flag.1).map(|(key, _)| (key.into(), true.into())),
        );
        let lists = [
            ("SPEC", self.specs.join(", ")),
            ("--load", self.loads().iter().map(f64::to_string).collect::<Vec<_>>().join(",")),
            ("--traffic", self.traffic.trim().to_owned()),
            ("--router", self.router.join(",")),
            ("--fail", self.fail.join(",")),
            ("--fail-rate", self.fail_rate.map_or_else(String::new, |rate| rate.to_string())),
        ];
        let lists = lists.into_iter().filter(|(_, text)| !text.is_empty());
        asked.extend(lists.map(|(key, text)| (key.to_owned(), text.into())));
        asked
    }

    /// The router model, the cycles, the seed, and what is written down.
    pub fn settings(&self) -> anyhow::Result<Settings> {
        let mut settings = self.options.settings()?;
        settings.config.record = Record {
            hosts: self.per_host.is_some(),
            flows: self.per_flow.is_some(),
            packets: self.trace.is_some(),
        };
        Ok(settings)
    }
}
