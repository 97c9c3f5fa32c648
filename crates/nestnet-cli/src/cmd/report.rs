//! `nestnet report`: one page about a network or several, which needs no other file.

use crate::cmd::compare::{Field, field};
use crate::cost_model::CostModelOptions;
use crate::job::Job;
use crate::{Outcome, output, text};
use anyhow::{bail, ensure};
use nestnet::Budget;
use nestnet::Built;
use nestnet::budget::STEPS_PER_SECOND;
use nestnet::compare::{Matched, Options, contender};
use nestnet::draw::Chart;
use nestnet::files::Reported;
use nestnet::measures::Limits as Measuring;
use nestnet::physical::CostModel;
use nestnet::report::{Topic, report};
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  nestnet report \"rdn(petersen, 1)\" -o report.html
  nestnet report \"rdn(torus(5, 5), 2)\" \"rsn(hypercube(4), 3)\" -o report.html --no-baselines

The page has a picture, all numbers that are found in a moment, the distances, routing and deadlock, \
broadcasts, what the papers say of the family and what is true, and a comparison with baselines of \
the same size and degree. It needs no network access and no other file.")]
pub struct Args {
    /// The networks, such as "rdn(torus(5, 5), 2)"
    #[arg(required = true)]
    specs: Vec<String>,
    /// Where to write the page
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Compare only the networks that are named
    #[arg(long)]
    no_baselines: bool,
    /// Print one JSON object that names the page
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    cost_model: CostModelOptions,
}

pub fn run(args: &Args, job: &Job) -> anyhow::Result<Outcome> {
    let cost_model = args.cost_model.cost_model()?;
    ensure!(
        args.cost_model.tiles()?.is_none(),
        "--cost-model chip: only `nestnet compare` has a cost model of chips"
    );
    let by = (!args.no_baselines).then_some(Matched::Hosts);
    let Field { networks, left_out } = field(&args.specs, by, &cost_model, job)?;
    job.with_limits(None, |measuring| {
        let named = &networks[..args.specs.len()];
        let title = match named {
            [built] => built.spec().to_string(),
            many => format!("{} networks", many.len()),
        };
        let mut contenders = Vec::new();
        // What takes longer than a few seconds is left to `measure` and `compare`.
        let limits = hurried(measuring, networks.len());
        for built in &networks {
            job.doing(&built.spec().to_string());
            let options = Options { limits, cost_model, tiles: None, samples: 16, seed: 1 };
            contenders.push(contender(built, &options));
            if job.is_over() {
                break;
            }
        }
        job.doing("page");
        let topic = Topic {
            title,
            about: "What is known, measured exactly.".to_owned(),
            networks: named,
            contenders: &contenders,
            left_out: &left_out,
            charts: Vec::new(),
        };
        let page = report(&topic, limits);
        job.finish();
        if job.is_interrupted() {
            return Ok(Outcome::Interrupted);
        }
        if job.is_over() {
            bail!(job.why());
        }
        output::write_bytes(&args.output, page.as_bytes())?;
        if args.json {
            let specs = named.iter().map(|built| built.spec().to_string()).collect();
            let file = args.output.display().to_string();
            text::print_json(&Reported { file, specs })?;
        } else {
            text::print(&format!("wrote {}\n", args.output.display()))?;
        }
        Ok(Outcome::Done)
    })
}

/// Limits of each of several networks, so that a page is there within seconds.
pub fn hurried(measuring: Measuring<'_>, networks: usize) -> Measuring<'_> {
    /// Row operations for a network: some seconds.
    const STEPS: u128 = 4 * STEPS_PER_SECOND;
    let share = measuring.budget.steps / networks.max(1) as u128;
    let budget = Budget { steps: share.min(STEPS), ..measuring.budget };
    Measuring { budget, ..measuring }
}

/// A page about the networks that a search found: all are compared, the first few shown.
pub fn of_found(
    title: String,
    about: String,
    charts: Vec<Chart>,
    networks: &[Built],
    cost_model: CostModel,
    measuring: Measuring<'_>,
) -> String {
    /// So many have a part of their own.
    const SHOWN: usize = 3;
    // The answer is there already; the page must not take longer than it did.
    let steps = measuring.budget.steps.min(STEPS_PER_SECOND / 4);
    let limits = Measuring { budget: Budget { steps, ..measuring.budget }, ..measuring };
    let options = Options { limits, cost_model, tiles: None, samples: 0, seed: 1 };
    let contenders: Vec<_> = networks.iter().map(|built| contender(built, &options)).collect();
    let networks = &networks[..networks.len().min(SHOWN)];
    let contenders = &contenders;
    report(&Topic { title, about, networks, contenders, left_out: &[], charts }, limits)
}
