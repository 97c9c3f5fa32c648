//! `nestnet resilience`: how does a network hold when parts of it fail by lot?

use crate::job::Job;
use crate::numbers::{ANY, POSITIVE, counts, fraction};
use crate::{Outcome, output, picture, text};
use anyhow::{Context as _, bail};
use nestnet::draw::{Chart, Series, chart};
use nestnet::fabric::Fabric;
use nestnet::route::resilience::{
    Failing, Resilience, Spread, falls_apart, reliability, resilience,
};
use nestnet::study::json;
use serde_json::{Value, json};
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  nestnet resilience \"rdn(ring(5), 2)\"
  nestnet resilience \"hosts(slimfly(5), 4)\" --fail nodes --at 1%,5%,10% --trials 1000
  nestnet resilience petersen --at 0.1 --json
  nestnet resilience \"rsn(hypercube(3), 2)\" \"random_regular(64, 4, 1)\" -o curves.svg

A trial fails every link between routers, or every router with its hosts, with the same probability; \
trial i has the seed S + i, and `routing --random-faults` with that seed fails the same. What is left \
is the part with the most hosts: how many hosts it lacks, and how far its hosts are apart. ± is half \
of the interval that has the true mean with 95 %. Of networks with up to 20 links the probability to \
fall apart is exact too, from all sets of links.")]
pub struct Args {
    /// The networks, such as \"rdn(torus(5, 5), 2)\"
    #[arg(required = true)]
    specs: Vec<String>,
    /// What fails
    #[arg(long, value_enum, default_value_t = What::Links)]
    fail: What,
    /// With which probabilities, with commas
    #[arg(long, value_name = "PARTS", value_delimiter = ',', value_parser = fraction, default_values_t = [0.01, 0.02, 0.05, 0.1])]
    at: Vec<f64>,
    /// How many trials at each
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = counts::<u64>(POSITIVE))]
    trials: u64,
    /// The seed of the first trial
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = counts::<u64>(ANY))]
    seed: u64,
    /// Draw how probable it is that hosts are cut off (SVG, PNG or PDF)
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum What {
    /// Links between routers
    Links,
    /// Routers with their hosts
    Nodes,
}

/// One network.
struct Held {
    spec: String,
    hosts: u64,
    rows: Vec<Resilience>,
    /// The exact probability to fall apart at each rate.
    exact: Option<Vec<f64>>,
}

pub fn run(args: &Args, job: &Job) -> anyhow::Result<Outcome> {
    let format = args.output.as_deref().map(picture::Format::of).transpose()?;
    let mut all = Vec::new();
    for spec in &args.specs {
        match held(args, spec, job) {
            Ok(held) => all.push(held),
            Err(_) if job.is_interrupted() => return Ok(Outcome::Interrupted),
            Err(_) if job.is_over() => bail!(job.why()),
            Err(error) => return Err(error),
        }
    }
    job.finish();
    if let Some((path, format)) = args.output.as_deref().zip(format) {
        let bytes = format.convert(&svg(args, &all))?;
        output::write_file(path, |out| {
            out.write_all(&bytes)?;
            Ok(true)
        })
        .with_context(|| format!("cannot write {}", path.display()))?;
    }
    if args.json {
        let networks: Vec<Value> = all.iter().map(|held| to_json(args, held)).collect();
        text::print_json(&json!({ "fail": word(args.fail), "networks": networks }))?;
    } else {
        let texts: Vec<String> = all.iter().map(|held| to_text(args, held)).collect();
        text::print(&texts.join("\n"))?;
    }
    Ok(Outcome::Done)
}

fn held(args: &Args, spec: &str, job: &Job) -> anyhow::Result<Held> {
    let (spec, built) = job.build(spec)?;
    let network = built.network.as_ref().with_context(|| text::without_ids(&spec))?;
    let what = match args.fail {
        What::Links => Failing::Links,
        What::Nodes => Failing::Nodes,
    };
    job.with_budget(|budget| {
        job.doing(&spec.to_string());
        let fabric = Fabric::of(&**network, &budget)?;
        let mut rows = Vec::new();
        for &rate in &args.at {
            rows.push(resilience(&fabric, what, rate, args.trials, args.seed, &budget)?);
        }
        let counts = match what {
            Failing::Links => reliability(&fabric, &budget.watch)?,
            _ => None,
        };
        let exact =
            counts.map(|counts| args.at.iter().map(|&rate| falls_apart(&counts, rate)).collect());
        Ok(Held { spec: spec.to_string(), hosts: network.hosts(), rows, exact })
    })
}

fn word(what: What) -> &'static str {
    match what {
        What::Links => "links",
        What::Nodes => "nodes",
    }
}

fn to_json(args: &Args, held: &Held) -> Value {
    let rows = held.rows.iter().enumerate().map(|(at, row)| {
        json::resilience(row, args.seed, held.exact.as_ref().map(|exact| exact[at]))
    });
    json!({ "spec": held.spec, "hosts": held.hosts, "rows": rows.collect::<Vec<_>>() })
}

fn to_text(args: &Args, held: &Held) -> String {
    let titles = ["fail", "failed", "falls apart", "hosts lost", "diameter", "average"];
    let mut table = vec![titles.map(str::to_owned).to_vec()];
    if held.exact.is_some() {
        table[0].insert(3, "exactly".to_owned());
    }
    let about = |spread: &Spread| format!("{:.2} ± {:.2}", spread.mean, spread.ci95);
    for (at, row) in held.rows.iter().enumerate() {
        let (low, high) = row.fell_apart_between();
        let mut cells = vec![
            format!("{} %", text::short_number(row.rate * 100.0)),
            about(&row.failed),
            format!("{:.4} ({low:.4}–{high:.4})", row.fell_apart as f64 / row.trials as f64),
            about(&row.hosts_lost),
            about(&row.diameter),
            about(&row.mean_distance),
        ];
        if let Some(exact) = &held.exact {
            cells.insert(3, format!("{:.6}", exact[at]));
        }
        table.push(cells);
    }
    format!(
        "{}: {} hosts, {} fail, {} trials at each, seed {}\n{}",
        held.spec,
        text::grouped(&held.hosts.to_string()),
        word(args.fail),
        text::grouped(&args.trials.to_string()),
        args.seed,
        text::columns(&table),
    )
}

fn svg(args: &Args, all: &[Held]) -> String {
    let series = all.iter().map(|held| {
        let part = |row: &Resilience| row.fell_apart as f64 / row.trials as f64;
        let points = held.rows.iter().map(|row| (row.rate, part(row))).collect();
        Series::line(held.spec.clone(), points)
    });
    chart(&Chart {
        title: "how probable it is that hosts are cut off".to_owned(),
        across: format!("part of the {} that fail", word(args.fail)),
        up: "falls apart".to_owned(),
        series: series.collect(),
        most: Some(1.0),
    })
}
