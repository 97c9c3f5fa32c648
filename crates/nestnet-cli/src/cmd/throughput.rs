//! `nestnet throughput`: how much hosts can send before a channel is saturated, and what any routing could do.

use crate::job::Job;
use crate::{Outcome, numbers, output, text};
use anyhow::Context as _;
use nestnet::number_format;
use nestnet::throughput::{AnyRouting, Ask, Throughput, WithoutLoads, throughput};
use nestnet::traffic::TRAFFIC;
use serde::Serialize;
use serde_json::json;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  nestnet throughput \"fat_tree(8)\"
  nestnet throughput \"torus(8, 8)\" --traffic tornado
  nestnet throughput \"hosts(dragonfly(4, 2), 2)\" --traffic worst
  nestnet throughput \"hosts(slimfly(5), 4)\" --traffic worst --router valiant
  nestnet throughput --list
  nestnet resilience \"fat_tree(8)\" --at 5% --trials 100 --throughput

Every link carries 1 in each direction. Fabric throughput is what each host can send before a link \
between switches is saturated; saturation throughput (θ) is the lower of that and 1, what a host \
injects and receives. No host sends to itself.

Nothing has failed here. `nestnet resilience --throughput` fails links or switches at random, as often as \
--trials says, each trial with a seed of its own, and measures what the rest carries.")]
pub struct Args {
    /// The network, such as "hosts(dragonfly(4, 2), 2)"
    #[arg(required_unless_present = "list")]
    spec: Option<String>,
    /// Who sends to whom, such as `uniform`, `tornado`, `shift(3)`, `matrix(FILE)`; `worst` is the
    /// permutation that is worst for the router
    #[arg(long, value_name = "TRAFFIC", default_value = "uniform")]
    traffic: String,
    /// How messages go: `all_paths` (ECMP per path: all shortest paths equally), `per_hop` or `ecmp`
    /// (ECMP per hop: each switch divides equally), `lowest` (the nearer neighbor of lowest number), or
    /// a router as in `route`
    #[arg(long, value_name = "NAME", default_value = "all_paths")]
    router: String,
    /// How near the bounds for any routing should come
    #[arg(long, value_name = "FRACTION", default_value = "1%", value_parser = numbers::fraction)]
    gap: f64,
    /// Skip the bounds over all routings
    #[arg(long)]
    no_bounds: bool,
    /// Write the flow and the lengths that prove the bounds for any routing to this file, as JSON
    #[arg(long, value_name = "FILE", conflicts_with = "no_bounds")]
    certificate: Option<output::OutputPath>,
    /// Print the load of every channel, in each direction: those between switches, then the links of hosts
    #[arg(long)]
    loads: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// List the traffic that there is
    #[arg(long)]
    list: bool,
}

/// A row of the list of traffic patterns.
#[derive(Serialize)]
struct TrafficRow {
    /// How it is written.
    usage: &'static str,
    /// Where each host sends.
    about: String,
}

pub fn run(args: &Args, job: &Job) -> anyhow::Result<Outcome> {
    let Some(spec) = args.spec.as_ref().filter(|_| !args.list) else {
        let rows = TRAFFIC.iter().map(|row| (row.usage, row.about.to_owned()));
        let worst = ("worst", "the permutation that is worst for the router".to_owned());
        let rows = rows.chain([worst]);
        if args.json {
            let rows = rows.map(|(usage, about)| TrafficRow { usage, about });
            text::print_json(&json!({ "traffic": rows.collect::<Vec<_>>() }))?;
        } else {
            text::print(&text::table(&rows.collect::<Vec<_>>()))?;
        }
        return Ok(Outcome::Done);
    };
    let (spec, built) = job.build(spec)?;
    let found = job.with_budget(|budget| {
        job.doing("throughput");
        let file = |path: &str| job.read_text(path);
        let gap = (!args.no_bounds).then_some(args.gap);
        let ask = Ask { traffic: &args.traffic, router: &args.router, gap, file: &file };
        throughput(&built, &ask, &budget)
    });
    job.finish();
    let found = job.answered(found)?;
    if let Some(path) = &args.certificate {
        let none = "there is no flow to write: the bounds follow from distances";
        let proof = found.proof().context(none);
        job.wrote(proof.and_then(|proof| {
            let proof = serde_json::to_vec(&text::value_of(&spec, &proof)?)?;
            output::write_bytes(path, &proof)
        }));
    }
    if args.json {
        match args.loads {
            true => text::print_json_of(&spec, &found)?,
            false => text::print_json_of(&spec, &WithoutLoads(&found))?,
        }
    } else {
        text::print(&format!("{spec}\n{}", to_text(&found, args)))?;
    }
    Ok(Outcome::Done)
}

fn to_text(found: &Throughput, args: &Args) -> String {
    let mut rows = vec![
        (
            "traffic",
            format!("{}, {} hosts", found.traffic, number_format::count(&found.hosts.into())),
        ),
        ("routing", found.router.clone()),
        ("saturation throughput", found.theta.to_string()),
    ];
    rows.push(match &found.network_theta {
        Some(network) => ("fabric throughput", network.to_string()),
        None => ("fabric throughput", "– no link between switches is used".to_owned()),
    });
    if let Some(busiest) = &found.busiest {
        let ends = format!("node {} to node {}", busiest.from, busiest.to);
        rows.push(("busiest link", format!("{ends}, load {}", busiest.load)));
    }
    for row in found.full.iter().filter(|row| row.full > 0) {
        let (full, all) =
            (number_format::count(&row.full.into()), number_format::count(&row.channels.into()));
        rows.push(("saturated links", format!("{full} of {all} channels of level {}", row.level)));
    }
    match &found.any_routing {
        Some(Ok(AnyRouting { low, high, how, .. })) => {
            let [low, high] = [low, high].map(|value| number_format::short_decimal(*value));
            let value = if low == high { low } else { format!("{low} to {high}") };
            rows.push(("any routing", format!("{value}, by {how}")));
        }
        Some(Err(error)) => {
            rows.push(("any routing", format!("– {}", text::with_option(error.to_string()))))
        }
        None => {}
    }
    match &found.tub {
        Some(Ok(bound)) => {
            let (theta, how) = (bound.theta.to_string(), bound.how);
            let text =
                format!("at most {theta} with any routing under its worst permutation, by {how}");
            rows.push(("worst case", text));
        }
        Some(Err(error)) => {
            rows.push(("worst case", format!("– {}", text::with_option(error.to_string()))))
        }
        None => {}
    }
    if let Some(permutation) = &found.permutation {
        const SHOWN: usize = 24;
        let shown: Vec<String> = permutation.iter().take(SHOWN).map(u64::to_string).collect();
        let more = if permutation.len() > SHOWN { " … (--json has all)" } else { "" };
        rows.push(("permutation", shown.join(" ") + more));
    }
    let mut text = text::table(&rows);
    if args.loads {
        for (from, to, load) in found.all_channels() {
            text.push_str(&format!("{from} {to} {}\n", number_format::short_decimal(load)));
        }
    }
    text
}
