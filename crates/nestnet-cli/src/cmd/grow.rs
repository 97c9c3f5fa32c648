//! `nestnet grow`: what are the next sizes of a network, and what must be rewired on the way?

use crate::job::Job;
use crate::numbers::{ANY, counts};
use crate::options::CostModelOptions;
use crate::{Outcome, text};
use anyhow::bail;
use nestnet::Spec;
use nestnet::expansion::{Expansion, GrowthPlan, growth_plan};
use nestnet::grow::{GrowError, Growing, GrowthBy, MAX_COUNTED, Rewiring};
use num_bigint::BigUint;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  nestnet grow \"rdn(petersen, 1)\"
  nestnet grow \"torus(8, 8)\" --json
  nestnet grow \"clos(64, 3, 2, 4096)\" --hosts 6144 --switch-ports 64

Each integer of the outermost family is made one larger, or as much as --hosts needs; of hosts on a network of \
switches each integer of that network too. A network that only gains links grows \
without rewiring, where its nodes have ports free. Links are looked up in both networks where the \
larger one has up to 2^20 nodes. Of a network with switches the plan of the expansion follows: new boxes, cables that \
move and that are new, at the average price of a cable of the larger network, and the price of it all, as a cluster \
unless --cost-model says otherwise. Exit code 1 says that it cannot grow.")]
pub struct Args {
    /// The network, such as "rdn(torus(5, 5), 2)"; `nestnet families` lists the names
    spec: String,
    /// How many hosts are wanted at least
    #[arg(long, value_name = "N", value_parser = counts::<u64>(ANY))]
    hosts: Option<u64>,
    /// Print one JSON object, with integers of any length
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    cost_model: CostModelOptions,
}

pub fn run(args: &Args, job: &Job) -> anyhow::Result<Outcome> {
    let (spec, _) = job.build(&args.spec)?;
    let cost_model = args.cost_model.cost_model_for_cluster()?;
    job.doing("counting links");
    let found =
        job.with_context(|context| growth_plan(&args.spec, args.hosts, &cost_model, context));
    job.finish();
    let found = match found {
        Err(GrowError::Interrupted(_)) if job.is_interrupted() => return Ok(Outcome::Interrupted),
        Err(GrowError::Interrupted(_)) => bail!(job.why()),
        found => found?,
    };
    if args.json {
        text::print_json_of(&spec, &found)?;
    } else {
        text::print(&to_text(&spec, &found))?;
    }
    Ok(if found.growing.next.is_empty() { Outcome::No } else { Outcome::Done })
}

fn to_text(spec: &Spec, found: &GrowthPlan) -> String {
    let GrowthPlan { growing: Growing { nodes, links, next: growths }, plans } = found;
    let mut out = format!("{spec}: {} nodes, {} links\n", text::count(nodes), text::count(links));
    if growths.is_empty() {
        out.push_str("  none of its integers can be one larger\n");
    }
    for (at, growth) in growths.iter().enumerate() {
        let nodes = text::count(&growth.nodes);
        let by = match growth.by {
            1 => "one".to_owned(),
            by => format!("by {}", text::grouped(&by.to_string())),
        };
        out.push_str(&format!(
            "  {} {by} larger: {}, {nodes} nodes\n",
            growth.parameter, growth.spec
        ));
        let line = match &growth.rewiring {
            Some(rewiring) => in_words(rewiring),
            None => format!("what must be rewired is not known beyond {MAX_COUNTED} nodes"),
        };
        out.push_str(&format!("    {line}\n"));
        if let Some(Some(plan)) = plans.get(at) {
            out.push_str(&format!("    expansion: {}\n", plan_in_words(plan)));
        }
    }
    out
}

fn plan_in_words(plan: &Expansion) -> String {
    let count = |value: u64| text::grouped(&value.to_string());
    let dollars = |value: f64| text::grouped(&format!("{value:.0}"));
    let cables = match (plan.cables_moved, plan.new_cables) {
        (Some(moved), Some(new)) => {
            format!("{} cables move, {} are new", count(moved), count(new))
        }
        _ => "cables not counted".to_owned(),
    };
    let price = match plan.price {
        Some(price) => format!("{} $ in all", dollars(price)),
        None => "no price without the cables".to_owned(),
    };
    let each = plan
        .price_per_new_host
        .map_or_else(String::new, |each| format!(", {} $ for each new host", dollars(each)));
    format!(
        "{} hosts ({} new), {} switches ({} new), {cables}; {price}{each}",
        count(plan.hosts),
        count(plan.new_hosts),
        count(plan.switches),
        count(plan.new_switches),
    )
}

fn in_words(rewiring: &Rewiring) -> String {
    let Rewiring { kept, removed, added, ports, how, .. } = rewiring;
    let how = match how {
        GrowthBy::Count => "every link counted",
        GrowthBy::Construction => "by the construction",
    };
    let ports = match ports {
        Some(ports) => format!("up to {ports} free ports at a present node, "),
        None => String::new(),
    };
    let (kept, added) = (text::count(kept), text::count(added));
    match *removed == BigUint::ZERO {
        true => format!("no rewiring: all {kept} links stay, {added} are new, {ports}{how}"),
        false => format!(
            "rewiring: {} links must go, {kept} stay, {added} are new, {ports}{how}",
            text::count(removed)
        ),
    }
}
