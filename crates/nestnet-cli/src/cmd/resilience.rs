//! `nestnet resilience`: how does a network hold when parts of it fail at random?

use crate::job::Job;
use crate::numbers::{ANY, POSITIVE, counts, fraction};
use crate::{Outcome, output, picture, text};
use anyhow::{Context as _, bail};
use nestnet::draw::{Chart, Series, charts};
use nestnet::fabric::Fabric;
use nestnet::resilience::adversary::worst_faults;
use nestnet::resilience::{
    Also, Failing, Resilience, ResilienceRow, Spread, Trial, after, falls_apart, reliability,
    resilience_and, wilson,
};
use nestnet::route::Faults;
use nestnet::routers;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  nestnet resilience \"rdn(ring(5), 2)\"
  nestnet resilience \"hosts(slimfly(5), 4)\" --fail nodes --at 1%,5%,10% --trials 1000
  nestnet resilience petersen --at 0.1 --json
  nestnet resilience \"torus(5, 5)\" --trials 100 --throughput --detours --adversary
  nestnet resilience \"rsn(hypercube(3), 2)\" \"random_regular(64, 4, 1)\" -o curves.svg

A trial fails every link between routers, or every router with its hosts, with the same probability; \
a link fails with all its cables. Trial i has the seed S + i, so that a trial can be repeated. What is left \
is the component with the most hosts: how many hosts it lacks, and how far its hosts are apart. ± is half \
of the interval that has the true mean with 95 %. Of networks with up to 20 links the probability to \
fall apart is exact too, from all sets of links. The worst faults are what --adversary finds: a proof \
that it can get so bad, not that it cannot get worse.")]
pub struct Args {
    /// The networks, such as "rdn(torus(5, 5), 2)"
    #[arg(required = true)]
    specs: Vec<String>,
    /// What fails
    #[arg(long, value_enum, default_value_t = What::Links)]
    fail: What,
    /// With which probabilities, with commas
    #[arg(long, value_name = "FRACTIONS", value_delimiter = ',', value_parser = fraction, default_values_t = [0.01, 0.02, 0.05, 0.1])]
    at: Vec<f64>,
    /// How many trials at each
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = counts::<u64>(POSITIVE))]
    trials: u64,
    /// The seed of the first trial
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = counts::<u64>(ANY))]
    seed: u64,
    /// What each host of what is left can send to all others before a channel is full: θ by shortest
    /// paths
    #[arg(long)]
    throughput: bool,
    /// How much longer the detours of the default router are than the shortest path that is left, in
    /// how many trials they are free of deadlock by themselves, and how many virtual channels prove
    /// them free
    #[arg(long)]
    detours: bool,
    /// The worst faults that are found, as many as fail at random on average, with what they cut off
    #[arg(long)]
    adversary: bool,
    /// Draw a curve of each number that is measured (SVG, PNG or PDF)
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
    /// The worst faults that were found at each rate, and what they leave.
    worst: Vec<Option<(Faults, Trial)>>,
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
        output::write_bytes(path, &bytes)?;
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
        let router = match args.detours {
            true => Some(routers::find_within(&built, routers::default_name(&built), &budget)?),
            false => None,
        };
        let detours = router.as_ref().map(|router| (network, router));
        let also = Also { throughput: args.throughput, detours };
        let mut rows = Vec::new();
        let mut worst = Vec::new();
        for &rate in &args.at {
            let (trials, seed) = (args.trials, args.seed);
            rows.push(resilience_and(&fabric, what, rate, trials, seed, also, &budget)?);
            if args.adversary {
                let all = match what {
                    Failing::Links => fabric.csr.links(),
                    Failing::Nodes => fabric.hosts.len() as u64,
                };
                let most = share(rate, all);
                let found = worst_faults(&fabric, what, most, &budget.watch)?;
                let left = |faults: Faults| {
                    let left = after(&fabric, &faults, Also::default(), &budget)?;
                    anyhow::Ok((faults, left))
                };
                worst.push(found.map(left).transpose()?);
            }
        }
        let counts = match what {
            Failing::Links => reliability(&fabric, &budget.watch)?,
            _ => None,
        };
        let exact =
            counts.map(|counts| args.at.iter().map(|&rate| falls_apart(&counts, rate)).collect());
        Ok(Held { spec: spec.to_string(), hosts: network.hosts(), rows, exact, worst })
    })
}

/// As many of all as fail on average, to the nearest.
fn share(rate: f64, all: u64) -> u64 {
    (0..=all).find(|&some| some as f64 + 0.5 > rate * all as f64).unwrap_or(all)
}

fn word(what: What) -> &'static str {
    match what {
        What::Links => "links",
        What::Nodes => "nodes",
    }
}

fn to_json(args: &Args, held: &Held) -> Value {
    let rows = held.rows.iter().enumerate().map(|(at, row)| ResilienceRow {
        row,
        seed: args.seed,
        exact: held.exact.as_ref().map(|exact| exact[at]),
        worst: held.worst.get(at).map(Option::as_ref),
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
    let some = |spread: &Option<Spread>| spread.as_ref().map_or("–".to_owned(), about);
    if args.throughput {
        table[0].push("throughput".to_owned());
    }
    if args.detours {
        table[0].extend(["stretch", "free", "VCs"].map(str::to_owned));
    }
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
        if args.throughput {
            cells.push(some(&row.throughput));
        }
        if args.detours {
            let free = row.free.unwrap_or(0) as f64 / row.trials as f64;
            cells.extend([some(&row.stretch), format!("{free:.4}"), some(&row.vcs)]);
        }
        table.push(cells);
    }
    let mut worst = String::new();
    for (row, found) in held.rows.iter().zip(&held.worst) {
        let rate = text::short_number(row.rate * 100.0);
        let _ = match found {
            Some((faults, left)) => writeln!(
                worst,
                "  {rate} %, worst found: {} fail and {} hosts are lost, {}",
                left.failed, left.hosts_lost, faults
            ),
            None => writeln!(worst, "  {rate} %, worst found: as many cut no host off"),
        };
    }
    format!(
        "{}: {} hosts, {} fail, {} trials at each, seed {}\n{}{worst}",
        held.spec,
        text::grouped(&held.hosts.to_string()),
        word(args.fail),
        text::grouped(&args.trials.to_string()),
        args.seed,
        text::columns(&table),
    )
}

/// A number at one rate, and between which values it is likely to lie.
type Shown = (f64, (f64, f64));

/// What is shown of a rate, where it was measured.
type Shows = fn(&Resilience) -> Option<Shown>;

/// A chart for each number that was measured, a line for each network.
fn svg(args: &Args, all: &[Held]) -> String {
    fn part(row: &Resilience, count: u64) -> Shown {
        let (count, trials) = (count as f64, row.trials as f64);
        (count / trials, wilson(count, trials))
    }
    fn about(spread: &Spread) -> Shown {
        (spread.mean, (spread.mean - spread.ci95, spread.mean + spread.ci95))
    }
    let shown: [(&str, Shows); 8] = [
        ("falls apart: some hosts are cut off", |row| Some(part(row, row.fell_apart))),
        ("hosts lost", |row| Some(about(&row.hosts_lost))),
        ("diameter of what is left", |row| Some(about(&row.diameter))),
        ("mean distance of what is left", |row| Some(about(&row.mean_distance))),
        ("throughput of what is left", |row| row.throughput.as_ref().map(about)),
        ("stretch of detours", |row| row.stretch.as_ref().map(about)),
        ("detours free of deadlock by themselves", |row| row.free.map(|free| part(row, free))),
        ("virtual channels that prove detours free", |row| row.vcs.as_ref().map(about)),
    ];
    let drawn = shown.iter().filter_map(|(title, value)| {
        let series = all.iter().map(|held| {
            let points = held.rows.iter().filter_map(|row| Some((row.rate, value(row)?)));
            let (points, bars) = points.map(|(rate, (mean, bar))| ((rate, mean), bar)).unzip();
            Series::line(held.spec.clone(), points).between(bars)
        });
        let series: Vec<Series> = series.collect();
        let across = format!("part of the {} that fail", word(args.fail));
        let measured = series.iter().any(|series| !series.points.is_empty());
        let chart = Chart { title: (*title).to_owned(), across, series, ..Chart::default() };
        measured.then_some(chart)
    });
    charts(&drawn.collect::<Vec<_>>())
}
