//! `nestnet route`: which route does a message take, link by link?

use crate::faults::FaultOptions;
use crate::job::Job;
use crate::numbers::{ANY, counts};
use crate::routing::{RouterOptions, report_note};
use crate::{Outcome, text};
use anyhow::{Context as _, bail};
use nestnet::cells;
use nestnet::route::{Detouring, Ending};
use nestnet::routes::{Links, Route, by_router, by_text, router_name};
use nestnet::{Built, Network, Spec, locate};
use std::fmt::Write as _;
use std::sync::Arc;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  nestnet route \"rdn(petersen, 1)\" 3 157
  nestnet route \"rdn(torus(5, 5), 3)\" 0 19531249999999 --router paper
  nestnet route \"rsn(hypercube(2), 2)\" \"(00,01)\" \"(11,10)\" --router valiant --choice 7 --json
  nestnet route \"torus(4, 4)\" 0 10 --faults \"(1,0);(0,0)-(0,1)\"
  nestnet route \"root_folded(heawood, 2)\" 16 20 --router via-zero
  nestnet route heawood 0 3 --as-printed

Where nodes have no ids that fit, the route follows from the clusters of the construction, with \
a shortest detour around each of --faults.
--as-printed follows the text of the network's paper as printed, with the procedures that it \
calls, also where it does not arrive; a text that never ends is cut off where it repeats. Where a text \
has two readings, --router takes the other, such as `as-printed-zeros`; docs/procedures.md lists them. \
A node that could be read as an address and as an id is an address. Exit code 1 where there is no \
path to the target.")]
pub struct Args {
    /// The network, such as "rdn(torus(5, 5), 2)"
    spec: String,
    /// Where the message starts: the id of a node, or its address as the network writes it
    #[arg(allow_hyphen_values = true)]
    from: String,
    /// Where it goes
    #[arg(allow_hyphen_values = true)]
    to: String,
    #[command(flatten)]
    router: RouterOptions,
    /// Follow its paper's routing as it is printed, without our corrections
    #[arg(long, conflicts_with_all = ["router", "choice", "faults"])]
    as_printed: bool,
    /// Which of the router's choices, from 0 on; `nestnet routing` says how many there are
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = counts::<u64>(ANY))]
    choice: u64,
    #[command(flatten)]
    faults: FaultOptions,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args, job: &Job) -> anyhow::Result<Outcome> {
    let (spec, built) = job.build(&args.spec)?;
    let Some(network) = built.network.clone() else { return by_cells(args, &spec, &built) };
    let (from, to) = (locate(&*network, &args.from)?, locate(&*network, &args.to)?);
    let faults = args.faults.faults(&*network)?;
    let name = router_name(&built, args.router.asked(), args.as_printed)?;
    let printed = match &faults {
        Some(_) if !args.as_printed => None,
        _ => by_text(&built, name, (from, to), args.choice)?,
    };
    let route = match printed {
        Some(route) => route,
        None => job.with_budget(|budget| {
            let mut router = args.router.find(&built, job, &budget)?;
            if let Some(faults) = faults {
                faults.check_ends(from, to)?;
                let faults = Arc::new(faults);
                let around = Detouring::new(network.clone(), router, faults.clone());
                router = Arc::new(around.context("detours around faults")?);
                let route = by_router(&*network, &*router, name, (from, to), args.choice)?;
                return anyhow::Ok(route.around(&*network, &faults));
            }
            anyhow::Ok(by_router(&*network, &*router, name, (from, to), args.choice)?)
        })?,
    };
    if args.json {
        text::print_json_of(&spec, &route)?;
    } else {
        text::print(&to_text(&spec, &*network, &route))?;
        report_note(args.router.note(&built).as_deref());
    }
    Ok(if route.arrives() { Outcome::Done } else { Outcome::No })
}

/// By address, where there are more nodes than ids.
fn by_cells(args: &Args, spec: &Spec, built: &Built) -> anyhow::Result<Outcome> {
    let plain = args.router.asked().is_none() && !args.as_printed && args.choice == 0;
    if !plain || args.faults.is_random() {
        let why = text::without_ids(spec);
        bail!("{why}; --router, --choice, --random-faults and --as-printed need them");
    }
    let faults = args.faults.named();
    let found = match faults.is_empty() {
        true => cells::route(built, &args.from, &args.to)?,
        false => cells::around(built, &args.from, &args.to, &faults).context("--faults")?,
    };
    let route = found.with_context(|| text::without_ids(spec))?;
    if args.json {
        text::print_json_of(spec, &route)?;
        return Ok(Outcome::Done);
    }
    let (from, to) = (&args.from, &args.to);
    let mut out =
        format!("{spec}, by its {}, from {from} to {to}\n  {} hops\n", route.router, route.hops);
    for (at, address) in route.addresses.iter().enumerate() {
        let level = at.checked_sub(1).map(|link| route.levels[link].to_string());
        let _ = writeln!(out, "  level {:>2}  {address}", level.unwrap_or_default());
    }
    text::print(&out)?;
    Ok(Outcome::Done)
}

fn to_text(spec: &Spec, network: &dyn Network, route: &Route) -> String {
    let name = |node| text::node(network, node);
    let (from, to) = (name(route.from), name(route.to));
    let mut out = format!("{spec}, router {}, from {from} to {to}\n", route.router);
    let last = || route.nodes.last().copied().map(name).unwrap_or_default();
    let Some(ending) = route.ending else {
        let _ = writeln!(out, "  there is no path on from {}", last());
        return out;
    };
    let distance = route.distance.map_or("unknown".to_owned(), |d| d.to_string());
    let _ = write!(out, "  {} hops, distance {distance}", route.hops());
    if let Some(links) = &route.links {
        table(&mut out, route, links);
        return out;
    }
    let _ = writeln!(out, ", {}", ending.words());
    for &node in &route.nodes {
        let _ = writeln!(out, "  {}", name(node));
    }
    let _ = match ending {
        Ending::Arrives => Ok(()),
        Ending::NotForwarded => {
            writeln!(out, "  the text goes on from another node than {}", last())
        }
        Ending::Endless => writeln!(out, "  the text never ends; it is cut off at {}", last()),
        Ending::Undefined => {
            writeln!(out, "  the text goes on to a node that it does not define, from {}", last())
        }
        _ => writeln!(out, "  the text ends before the target"),
    };
    out
}

/// One node a line, with the link on from it.
fn table(out: &mut String, route: &Route, links: &Links) {
    let ids = route.nodes.iter().map(|node| node.to_string().len()).max().unwrap_or(0).max(4);
    let _ = writeln!(out, "\n  {:>ids$}  port  level  vc  address", "node");
    let mut links = links.ports.iter().zip(&links.levels).zip(&links.vcs);
    for (node, address) in route.nodes.iter().zip(&route.addresses) {
        let _ = match links.next() {
            Some(((port, level), vc)) => {
                writeln!(out, "  {:>ids$}  {port:4}  {level:5}  {vc:2}  {address}", node.0)
            }
            None => writeln!(out, "  {:>ids$}  {:4}  {:5}  {:2}  {address}", node.0, "", "", ""),
        };
    }
}
