//! `nestnet resilience`: how does a network hold when parts of it fail at random?

use crate::job::Job;
use crate::options::{self, Given};
use crate::{Outcome, output, picture, text};
use anyhow::Context as _;
use nestnet::draw::{Chart, Scale, Series, Theme, charts};
use nestnet::fault_survey::{FaultModel, FaultReport, FaultSurvey, fault_survey};
use nestnet::resilience::{Failing, Resilience, ResilienceRow, Spread, wilson};
use std::fmt::Write as _;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  nestnet resilience \"rdn(ring(5), 2)\"
  nestnet resilience \"hosts(slimfly(5), 4)\" --fail switches --at 1%,5%,10% --trials 1000
  nestnet resilience \"planes(clos(8, 2), 2)\" --fail hosts --at 5%
  nestnet resilience \"hosts(slimfly(5), 4)\" --at 5% --trials 100 --seed 7
  nestnet resilience petersen --at 0.1 --json
  nestnet resilience \"torus(5, 5)\" --trials 100 --throughput --detours --adversary
  nestnet resilience \"rsn(hypercube(3), 2)\" \"random_regular(64, 4, 1)\" -o curves.svg

What fails: --fail links (if omitted) every cable, except those of hosts where each host has a single one, to a switch; \
--fail switches every node that is no host; --fail hosts every host; --fail nodes both, hosts and switches. \
Where all nodes are host and switch at once, as in a torus, the last three are the same. A host is lost \
when it fails, and with the last of its switches: of a network of planes with its switch of every plane. In a \
trial each fails independently with the probability of --at; a link of several cables goes on with those that are left, and \
is lost when all of them have failed. Of each probability there are --trials trials. Trial i, from 0 on, \
draws with the seed S + i, and so `--trials 1 --seed N` repeats one of them: with --at 5% --trials 100 --seed 7 \
every link fails with a probability of 5 %, in 100 trials with the seeds 7 to 106.

What is left \
is the component with the most hosts: how many hosts it lacks, and how far its hosts are apart. ± is half \
of the interval that has the true mean with 95 %. Of networks with up to 20 links the probability to \
fall apart is exact too, from all sets of links. The worst faults are what --adversary finds: a proof \
that it can get so bad, not that it cannot get worse.")]
pub struct Args {
    /// The networks, such as "rdn(torus(5, 5), 2)"
    #[arg(required = true)]
    specs: Vec<String>,
    #[command(flatten)]
    faults: Given<options::Faults>,
    /// Draw a curve of each number that is measured (SVG, PNG, PDF or TikZ)
    #[arg(short, long, value_name = "FILE")]
    output: Option<output::OutputPath>,
    #[command(flatten)]
    setting: picture::Setting,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args, job: &Job) -> anyhow::Result<Outcome> {
    let format = args.output.as_deref().map(picture::Format::of).transpose()?;
    args.setting.needs(format.is_some(), "-o FILE")?;
    let model = args.faults.settings()?;
    let mut all = Vec::new();
    for spec in &args.specs {
        all.push(job.in_time(survey(&model, spec, job))?);
    }
    job.finish();
    if let Some((path, format)) = args.output.as_deref().zip(format) {
        let bytes = format.convert(&svg(args, model.fail, &all, args.setting.theme(format)));
        job.wrote(bytes.and_then(|bytes| output::write_bytes(path, &bytes)));
    }
    if args.json {
        text::print_json(&FaultReport { fail: model.fail, networks: all })?;
    } else {
        let texts: Vec<String> = all.iter().map(|found| to_text(&model, found)).collect();
        text::print(&texts.join("\n"))?;
    }
    Ok(Outcome::Done)
}

fn survey(model: &FaultModel, spec: &str, job: &Job) -> anyhow::Result<FaultSurvey> {
    let (spec, built) = job.build(spec)?;
    built.network.as_ref().with_context(|| text::without_ids(&spec))?;
    job.with_budget(|budget| {
        job.doing(&spec.to_string());
        Ok(fault_survey(&built, model, &budget)?)
    })
}

fn to_text(model: &FaultModel, found: &FaultSurvey) -> String {
    let titles = ["fail", "failed", "falls apart", "hosts lost", "diameter", "average"];
    let mut table = vec![titles.map(str::to_owned).to_vec()];
    if found.rows.iter().any(|row| row.exact.is_some()) {
        table[0].insert(3, "exactly".to_owned());
    }
    let about = |spread: &Spread| format!("{:.2} ± {:.2}", spread.mean, spread.ci95);
    let some = |spread: &Option<Spread>| spread.as_ref().map_or("–".to_owned(), about);
    if model.throughput {
        table[0].push("throughput".to_owned());
    }
    if model.detours {
        table[0].extend(["stretch", "free", "VCs"].map(str::to_owned));
    }
    for ResilienceRow { row, exact, .. } in &found.rows {
        let (low, high) = row.fell_apart_between();
        let mut cells = vec![
            format!("{} %", text::short_number(row.rate * 100.0)),
            about(&row.failed),
            format!("{:.4} ({low:.4}–{high:.4})", row.fell_apart as f64 / row.trials as f64),
            about(&row.hosts_lost),
            about(&row.diameter),
            about(&row.mean_distance),
        ];
        if let Some(exact) = exact {
            cells.insert(3, format!("{exact:.6}"));
        }
        if model.throughput {
            cells.push(some(&row.throughput));
        }
        if model.detours {
            let free = row.free.unwrap_or(0) as f64 / row.trials as f64;
            cells.extend([some(&row.stretch), format!("{free:.4}"), some(&row.vcs)]);
        }
        table.push(cells);
    }
    let mut worst = String::new();
    for ResilienceRow { row, worst: sought, .. } in &found.rows {
        let Some(found) = sought else { continue };
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
        found.spec,
        text::grouped(&found.hosts.to_string()),
        model.fail.name(),
        text::grouped(&model.trials.to_string()),
        model.seed,
        text::columns(&table),
    )
}

/// Rates that differ by a factor of a hundred are on a log axis.
fn rate_scales(series: &[Series]) -> [Scale; 2] {
    let rates = || series.iter().flat_map(|series| series.points.iter().map(|point| point.0));
    let (low, high) = (rates().fold(f64::INFINITY, f64::min), rates().fold(0.0, f64::max));
    [if low > 0.0 && high >= 99.0 * low { Scale::Log } else { Scale::Linear }, Scale::Linear]
}

/// A number at one rate, and between which values it is likely to lie.
type Shown = (f64, (f64, f64));

/// What is shown of a rate, where it was measured.
type Shows = fn(&Resilience) -> Option<Shown>;

/// A chart for each number that was measured, a line for each network.
fn svg(args: &Args, fail: Failing, all: &[FaultSurvey], theme: Theme) -> String {
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
        let series = all.iter().map(|found| {
            let rows = found.rows.iter().map(|ResilienceRow { row, .. }| row);
            let points = rows.filter_map(|row| Some((row.rate, value(row)?)));
            let (points, bars) = points.map(|(rate, (mean, bar))| ((rate, mean), bar)).unzip();
            Series::line(found.spec.clone(), points).between(bars)
        });
        let series: Vec<Series> = series.collect();
        let across = format!("fraction of the {} that fail", fail.name());
        let (scales, frame) = (rate_scales(&series), args.setting.frame());
        let measured = series.iter().any(|series| !series.points.is_empty());
        let title = (*title).to_owned();
        // Each panel keeps its name.
        let up = if frame.no_title { title.clone() } else { String::new() };
        let chart = Chart { title, across, up, series, scales, theme, frame, ..Chart::default() };
        measured.then_some(chart)
    });
    charts(&drawn.collect::<Vec<_>>())
}
