//! `nestnet grow`: what are the next sizes of a network, and what must be rewired on the way?

use crate::job::Job;
use crate::numbers::{ANY, counts};
use crate::options::CostModelOptions;
use crate::{Outcome, text};
use nestnet::Spec;
use nestnet::compare::cost_model_of;
use nestnet::expansion::{Expansion, GrowthPlan, SwitchPorts, Unbuildable, growth_plan};
use nestnet::grow::{Growing, GrowthBy, MAX_COUNTED, Rewiring};
use num_bigint::BigUint;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  nestnet grow \"rdn(petersen, 1)\"
  nestnet grow \"torus(8, 8)\" --json
  nestnet grow \"clos(64, 3, 2, 4096)\" --hosts 6144 --switch-ports 64

Each integer of the outermost family is made one larger, or as much as --hosts needs; of hosts on a network of \
switches, and of planes, each integer of that network too. The hosts of clos(…, hosts=N) become those that --hosts \
wants, or without it as many as its levels hold. A network that only gains cables grows without rewiring, where its \
nodes have ports free. Cables are looked up in both networks where the larger one has up to 2^20 nodes; one that \
moves is unplugged and used again. Of a network with switches the plan of the expansion follows: new switches and new \
cables, these at the average price of a cable of the larger network, and the price of it all, as a cluster unless \
--cost-model says otherwise. With --switch-ports what needs more ports is omitted, and the least that it would \
need is said; where nodes have no switches, those are a node's links and a port for its host, and ports that are \
broken out count as many times as --breakout says. Exit code 1 says that it cannot grow.")]
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
    let (spec, built) = job.build(&args.spec)?;
    let cost_model = cost_model_of(&built, &args.cost_model.cost_model_for_cluster()?);
    job.doing("counting links");
    let found =
        job.with_context(|context| growth_plan(&args.spec, args.hosts, &cost_model, context));
    job.finish();
    let found = job.answered(found)?;
    if args.json {
        text::print_json_of(&spec, &found)?;
    } else {
        text::print(&to_text(args, &spec, &found, cost_model.breakout))?;
    }
    Ok(if found.growing.next.is_empty() { Outcome::No } else { Outcome::Done })
}

fn to_text(args: &Args, spec: &Spec, found: &GrowthPlan, links_of_port: u64) -> String {
    let GrowthPlan { growing, plans, switches, left_out, .. } = found;
    let Growing { nodes, cables, next: growths, .. } = growing;
    let mut out = format!("{spec}: {} nodes, {}\n", text::count(nodes), in_cables(cables));
    if let Some(SwitchPorts { ports, least_used, most_used, .. }) = switches {
        let fewest =
            if least_used < most_used { format!("{least_used} to ") } else { String::new() };
        let not = if most_used > ports { ": it cannot be built of them" } else { "" };
        let broken_out = match links_of_port {
            1 => String::new(),
            links => format!(" ({}, each broken out into {links})", ports / links),
        };
        out.push_str(&format!(
            "  a switch uses {fewest}{most_used} of {ports} ports{broken_out}{not}\n"
        ));
    }
    if growths.is_empty() && left_out.is_empty() {
        out.push_str(&match args.hosts {
            None => "  none of its integers can be one larger\n".to_owned(),
            Some(hosts) => format!(
                "  none of its integers, made larger, gives {} hosts: `nestnet design --hosts {hosts}` finds others\n",
                text::grouped(&hosts.to_string())
            ),
        });
    }
    for (at, growth) in growths.iter().enumerate() {
        let (nodes, cables) = (text::count(&growth.nodes), in_cables(&growth.cables));
        let by = match growth.by {
            1 => "one".to_owned(),
            by => format!("by {}", text::grouped(&by.to_string())),
        };
        out.push_str(&format!(
            "  {} {by} larger: {}, {nodes} nodes, {}\n",
            growth.parameter, growth.spec, cables
        ));
        let line = match &growth.rewiring {
            Some(rewiring) => in_words(rewiring, *switches),
            None => format!("what must be rewired is not known beyond {MAX_COUNTED} nodes"),
        };
        out.push_str(&format!("    {line}\n"));
        if let Some(Some(plan)) = plans.get(at) {
            out.push_str(&format!("    expansion: {}\n", plan_in_words(plan)));
        }
    }
    out.push_str(&left_out_in_words(left_out, *switches));
    out
}

fn in_cables(count: &BigUint) -> String {
    let noun = if *count == BigUint::from(1u8) { "cable" } else { "cables" };
    format!("{} {noun}", text::count(count))
}

/// How many larger networks the switches are too small for, and the one that needs the fewest ports.
fn left_out_in_words(left_out: &[Unbuildable], switches: Option<SwitchPorts>) -> String {
    let least = left_out.iter().min_by_key(|one| one.ports);
    let Some((least, SwitchPorts { ports, .. })) = least.zip(switches) else {
        return String::new();
    };
    let needs = format!("{} needs {} of {ports} ports of a switch", least.spec, least.ports);
    match left_out.len() {
        1 => format!("  omitted: {needs}\n"),
        many => format!("  omitted: {many} larger networks, of which {needs}, the fewest\n"),
    }
}

fn plan_in_words(plan: &Expansion) -> String {
    let count = |value: u64| text::grouped(&value.to_string());
    let dollars = |value: f64| text::grouped(&format!("{value:.0}"));
    let cables = match plan.new_cables {
        Some(1) => "1 new cable".to_owned(),
        Some(new) => format!("{} new cables", count(new)),
        None => "cables not counted".to_owned(),
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

/// What becomes of the cables: those that stay, those that move and the new ones are all of the larger network.
fn in_words(rewiring: &Rewiring, switches: Option<SwitchPorts>) -> String {
    let Rewiring { kept, removed, added, how, .. } = rewiring;
    let how = match how {
        GrowthBy::Count => "every cable counted",
        GrowthBy::Construction => "by the construction",
    };
    let present = kept + removed;
    let moved = removed.min(added);
    let (new, spare) = (added - moved, removed - moved);
    let one = BigUint::from(1u8);
    let are = if new == one { "is" } else { "are" };
    let new = text::count(&new);
    let stay = match *removed == BigUint::ZERO {
        true => format!("no rewiring: all {} stay", in_cables(kept)),
        false => {
            let present = in_cables(&present);
            let verb = if *moved == one { "moves" } else { "move" };
            let moved = text::count(moved);
            format!("rewiring: of {present} {} stay and {moved} {verb}", text::count(kept))
        }
    };
    let spare = match spare == BigUint::ZERO {
        true => String::new(),
        false => format!(", {} are not needed", text::count(&spare)),
    };
    format!("{stay}{spare}, {new} {are} new; {}{how}", ports_in_words(rewiring, switches))
}

/// Ports that must be free at what there is, and how many are.
fn ports_in_words(rewiring: &Rewiring, switches: Option<SwitchPorts>) -> String {
    let free = |ports: u64| match ports {
        0 => "no free port".to_owned(),
        ports => format!("up to {} free {}", ports, if ports == 1 { "port" } else { "ports" }),
    };
    let has = switches.map_or_else(
        String::new,
        |SwitchPorts { ports, least_used, most_used, .. }| {
            let [fewest, most] = [most_used, least_used].map(|used| ports.saturating_sub(used));
            match fewest == most {
                true => format!(" and has {most}"),
                false => format!(" and has {fewest} to {most}"),
            }
        },
    );
    let hosts = match rewiring.host_ports {
        Some(ports @ 1..) => format!("each present host {}, ", free(ports)),
        _ => String::new(),
    };
    match (rewiring.switch_ports, rewiring.ports) {
        (Some(ports), _) => format!("each present switch needs {}{has}, {hosts}", free(ports)),
        (None, Some(ports)) => format!("each present node needs {}{has}, ", free(ports)),
        (None, None) => String::new(),
    }
}
