//! `nestnet report`: one page about a network or several, which needs no other file.

use crate::cmd::compare::field;
use crate::job::Job;
use crate::options::CostModelOptions;
use crate::{Outcome, output, text};
use anyhow::ensure;
use nestnet::Budget;
use nestnet::Built;
use nestnet::budget::STEPS_PER_SECOND;
use nestnet::compare::{Matched, Options, bill_of, contender, cost_model_of};
use nestnet::draw::Chart;
use nestnet::files::Reported;
use nestnet::measures::Limits as Measuring;
use nestnet::physical::{CostModel, to_csv};
use nestnet::report::{Table, Topic, report, report_field};
use std::io::{self, Write as _};
use std::path::Path;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  nestnet report \"rdn(petersen, 1)\" -o report.html
  nestnet report \"rdn(torus(5, 5), 2)\" \"rsn(hypercube(4), 3)\" -o report.html --no-baselines
  nestnet report \"clos(64, 3, 1, 4096)\" -o report.html --bill bill.csv --switch-ports 64

The page has a picture, all numbers that are found in a moment, the distances, routing and deadlock, \
broadcasts, what the papers say of the family and what is true, and a comparison with baselines of \
the same size and degree. Of a network with switches it has the worst case, bisection, racks, \
cables by length and the bill of materials; such networks are built as a cluster unless --cost-model \
says otherwise. It needs no network access and no other file.")]
pub struct Args {
    /// The networks, such as "rdn(torus(5, 5), 2)"
    #[arg(required = true)]
    specs: Vec<String>,
    /// Where to write the page; `-` is stdout
    #[arg(short, long, value_name = "FILE")]
    output: output::OutputPath,
    /// Write the bill of materials of the first network as CSV; it has the ports in use alone, unless --switch-ports
    /// gives the radix of the switches, all ports of which are then paid, as in `design --radix`
    #[arg(long, value_name = "FILE")]
    bill: Option<output::OutputPath>,
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
    ensure!(
        !args.json || args.output.as_os_str() != "-",
        "--output -: with --json only the object is printed; name a file"
    );
    let mut fabrics = false;
    for spec in &args.specs {
        let theory = job.build(spec)?.1.theory;
        fabrics |= theory.hosts() < theory.order();
    }
    let cost_model = match fabrics {
        true => args.cost_model.cost_model_for_cluster()?,
        false => args.cost_model.cost_model()?,
    };
    ensure!(
        args.cost_model.tiles()?.is_none(),
        "--cost-model chip: only `nestnet compare` has a cost model of chips"
    );
    let by = (!args.no_baselines).then_some(Matched::Hosts);
    let field = field(&args.specs, by, &cost_model, job)?;
    job.with_limits(None, |limits| {
        let named = args.specs.len();
        let page = report_field(&field, named, cost_model, limits, &|what| job.doing(what));
        job.finish();
        ensure!(!job.is_over(), job.unfinished());
        let bill = match (&args.bill, field.networks.first()) {
            (Some(_), Some(built)) => Some(bill_of(built, &cost_model, &limits.budget)?),
            _ => None,
        };
        let named_stdout = args.output.as_os_str() == "-";
        let write = || output::write_bytes(&args.output, page.as_bytes());
        let printed = named_stdout || !job.wrote(write());
        let paid = field.networks.first().map(|built| cost_model_of(built, &cost_model));
        let bill = args.bill.as_ref().zip(bill).filter(|(path, bill)| {
            job.wrote(output::write_bytes(path, to_csv(&bill.items).as_bytes()))
        });
        if printed {
            // Also a page that could not be written is not lost.
            io::stdout().write_all(page.as_bytes())?;
        } else if args.json {
            let specs =
                field.networks[..named].iter().map(|built| built.spec().to_string()).collect();
            let file = args.output.display().to_string();
            text::print_json(&Reported { file, specs })?;
        } else {
            text::print(&format!("wrote {}\n", args.output.display()))?;
            if let Some((path, _)) = bill {
                let ports = ports_paid(&paid.unwrap_or(cost_model));
                text::print(&format!("bill of materials: {}, {ports}\n", path.display()))?;
            }
        }
        Ok(Outcome::Done)
    })
}

/// Which ports of a switch are in a bill, and how to have it otherwise.
fn ports_paid(cost_model: &CostModel) -> String {
    match cost_model.switch_ports / cost_model.breakout.max(1) {
        0 => "switches with the ports in use alone (--switch-ports N: all N ports, as `design --radix N`)".to_owned(),
        ports => format!("switches with all of their {ports} ports"),
    }
}

/// Networks that a search found.
pub struct Found<'a> {
    /// Each with the cost model by which it is priced.
    pub networks: &'a [(Built, CostModel)],
    /// As many hosts were asked for; prices are divided among no more.
    pub hosts: u64,
}

/// Writes a page about networks that a search found: all are compared, the first few shown. Says whether it did, and was
/// not interrupted.
pub fn of_found(
    path: &Path,
    title: String,
    about: String,
    charts: Vec<Chart>,
    tables: Vec<Table>,
    Found { networks, hosts }: Found<'_>,
    job: &Job,
) -> anyhow::Result<bool> {
    /// So many have a part of their own.
    const SHOWN: usize = 3;
    job.doing("report");
    let page = job.with_limits(None, |measuring| {
        // The answer is there already; the page must not take longer than it did.
        let steps = measuring.budget.steps.min(STEPS_PER_SECOND / 4);
        let limits = Measuring { budget: Budget { steps, ..measuring.budget }, ..measuring };
        let priced = |(built, cost_model): &(Built, CostModel)| {
            let cost_model = *cost_model;
            let options = Options { limits, cost_model, tiles: None, samples: 0, seed: 1 };
            let mut found = contender(built, &options);
            if let Ok(bill) = &mut found.bill {
                bill.hosts = bill.hosts.min(hosts);
            }
            found
        };
        let contenders = &networks.iter().map(priced).collect::<Vec<_>>();
        let first = networks.iter().take(SHOWN).map(|(built, _)| built.clone());
        let networks = &first.collect::<Vec<Built>>();
        report(&Topic { title, about, networks, contenders, left_out: &[], charts, tables }, limits)
    });
    job.finish();
    if job.is_interrupted() {
        return Ok(false);
    }
    output::write_bytes(path, page.as_bytes())?;
    Ok(true)
}
