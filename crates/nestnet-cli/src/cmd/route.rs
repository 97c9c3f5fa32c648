//! `nestnet route`: which way does a message take, link by link?

use crate::faults::FaultOptions;
use crate::job::Job;
use crate::numbers::{ANY, counts};
use crate::routing::RouterOptions;
use crate::{Outcome, text};
use anyhow::{Context as _, bail, ensure};
use nestnet::family::built::AS_PRINTED;
use nestnet::measure::search::distances_from;
use nestnet::route::{Detouring, Ending, MAX_SEARCHED, Procedure, Trace, Walk, WalkError, walk};
use nestnet::{Built, Network, Node, Spec, locate};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::sync::Arc;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  nestnet route \"rdn(petersen, 1)\" 3 157
  nestnet route \"rdn(torus(5, 5), 3)\" 0 19531249999999 --router paper
  nestnet route \"rsn(hypercube(2), 2)\" 0001 1110 --router valiant --choice 7 --json
  nestnet route \"torus(4, 4)\" 0 10 --faults \"(1,0);(0,0)-(0,1)\"
  nestnet route \"root_folded(heawood, 2)\" 16 20 --router via-zero
  nestnet route heawood 0 3 --as-printed

--as-printed follows the text of the network's paper to the letter, also where it does not arrive. \
A node that could be read as an address and as an id is an address. Exit code 1 where there is no \
way to the target.")]
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
    /// Follow its paper's routing as it is printed, without our repairs
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

/// Longer routes are not followed, unless the router says that it has such.
const MOST_HOPS: u64 = 1 << 24;

/// What was asked.
struct Question<'a> {
    spec: &'a Spec,
    network: &'a dyn Network,
    name: &'a str,
    from: Node,
    to: Node,
}

pub fn run(args: &Args, job: &Job) -> anyhow::Result<Outcome> {
    let (spec, built) = job.build(&args.spec)?;
    let network = built.network.clone().with_context(|| text::without_ids(&spec))?;
    let (from, to) = (locate(&*network, &args.from)?, locate(&*network, &args.to)?);
    let text = args.as_printed || args.faults.faults(&*network)?.is_none();
    if let Some((name, procedure)) = text.then(|| procedure(args, &built)).transpose()?.flatten() {
        ensure!(args.choice == 0, "--choice must be below 1 for router `{name}`");
        let trace = procedure.trace(from, to);
        let trace = trace.with_context(|| format!("router `{name}`: there is no way"))?;
        let question = Question { spec: &spec, network: &*network, name, from, to };
        question.print_trace(&trace, args.json)?;
        return Ok(if trace.ending == Ending::Arrives { Outcome::Done } else { Outcome::No });
    }
    job.with_budget(|budget| {
        let mut router = args.router.find(&built, &budget)?;
        if let Some(faults) = args.faults.faults(&*network)? {
            faults.check_ends(from, to)?;
            let around = Detouring::new(network.clone(), router, Arc::new(faults));
            router = Arc::new(around.context("detours around faults")?);
        }
        let choices = router.choices();
        let name = args.router.name(&built);
        ensure!(args.choice < choices, "--choice must be below {choices} for router `{name}`");
        let most = Some(router.longest()).filter(|&most| most < u64::MAX).unwrap_or(MOST_HOPS);
        let question = Question { spec: &spec, network: &*network, name, from, to };
        let way = walk(&*network, &*router, from, to, args.choice, most);
        match way {
            Err(WalkError::Ends { at }) => {
                question.print_none(at, args.json)?;
                Ok(Outcome::No)
            }
            Err(error) => bail!("router `{name}`: {error}"),
            Ok(way) => {
                question.print(&way, args.json)?;
                Ok(Outcome::Done)
            }
        }
    })
}

/// The routing that is asked for as its text has it, if it is one of those.
fn procedure<'a>(
    args: &'a Args,
    built: &Built,
) -> anyhow::Result<Option<(&'a str, Arc<dyn Procedure>)>> {
    if !args.as_printed {
        let name = args.router.name(built);
        return Ok(built.procedure(name).map(|procedure| (name, procedure)));
    }
    if let Some(printed) = built.procedure(AS_PRINTED) {
        return Ok(Some((AS_PRINTED, printed)));
    }
    bail!("no routing of this network is kept as printed: `paper` is its paper's, if it gives one");
}

impl Question<'_> {
    /// A way that may pass its target or never come there.
    fn print_trace(&self, trace: &Trace, json: bool) -> std::io::Result<()> {
        let forwarded = trace.ending != Ending::NotForwarded;
        let hops = trace.nodes.len() - 1;
        let last = trace.nodes[hops];
        if json {
            let ids = || trace.nodes.iter().map(|node| node.0).collect::<Vec<_>>();
            let addresses = trace.nodes.iter().map(|&node| self.network.address(node).to_string());
            return text::print_json(&json!({
                "spec": self.spec.to_string(),
                "router": self.name,
                "from": self.from.0,
                "to": self.to.0,
                "path": forwarded.then(ids),
                "addresses": addresses.collect::<Vec<_>>(),
                "hops": hops,
                "distance": self.distance(),
                "outcome": trace.ending.words(),
                "ends_at": last.0,
            }));
        }
        let mut out = self.head();
        let distance = self.distance().map_or("unknown".to_owned(), |d| d.to_string());
        let _ = writeln!(out, "  {hops} hops, distance {distance}, {}", trace.ending.words());
        for &node in &trace.nodes {
            let _ = writeln!(out, "  {}", text::node(self.network, node));
        }
        match trace.ending {
            Ending::Arrives => {}
            Ending::NotForwarded => {
                let at = text::node(self.network, last);
                let _ = writeln!(out, "  the text goes on from another node than {at}");
            }
            _ => {
                let _ = writeln!(out, "  the text ends before the target");
            }
        }
        text::print(&out)
    }

    fn print(&self, way: &Walk, json: bool) -> std::io::Result<()> {
        if json { text::print_json(&self.to_json(way)) } else { text::print(&self.to_text(way)) }
    }

    fn print_none(&self, at: Node, json: bool) -> std::io::Result<()> {
        if json {
            let (from, to) = (self.from.0, self.to.0);
            let spec = self.spec.to_string();
            return text::print_json(&json!({
                "spec": spec, "router": self.name, "from": from, "to": to,
                "path": null, "hops": null, "distance": null, "ends_at": at.0,
            }));
        }
        let none = format!("  there is no way on from {}\n", text::node(self.network, at));
        text::print(&(self.head() + &none))
    }

    fn head(&self) -> String {
        let [from, to] = [self.from, self.to].map(|node| text::node(self.network, node));
        format!("{}, router {}, from {from} to {to}\n", self.spec, self.name)
    }

    /// By closed form, or by search where that is quick.
    fn distance(&self) -> Option<u64> {
        let closed = self.network.distance(self.from, self.to);
        closed.or_else(|| {
            let small = self.network.order() <= MAX_SEARCHED;
            let distances = small.then(|| distances_from(self.network, self.to))?;
            let distance = *distances.get(usize::try_from(self.from.0).ok()?)?;
            (distance != u32::MAX).then_some(distance.into())
        })
    }

    fn levels(&self, way: &Walk) -> Vec<u16> {
        let links = way.nodes.iter().zip(&way.hops);
        links.map(|(&at, hop)| self.network.level(at, hop.port)).collect()
    }

    fn to_json(&self, way: &Walk) -> Value {
        let addresses = way.nodes.iter().map(|&node| self.network.address(node).to_string());
        json!({
            "spec": self.spec.to_string(),
            "router": self.name,
            "from": self.from.0,
            "to": self.to.0,
            "path": way.nodes.iter().map(|node| node.0).collect::<Vec<_>>(),
            "addresses": addresses.collect::<Vec<_>>(),
            "levels": self.levels(way),
            "ports": way.hops.iter().map(|hop| hop.port.0).collect::<Vec<_>>(),
            "vcs": way.hops.iter().map(|hop| hop.vc.0).collect::<Vec<_>>(),
            "hops": way.hops.len(),
            "distance": self.distance(),
        })
    }

    fn to_text(&self, way: &Walk) -> String {
        let mut out = self.head();
        let distance = self.distance().map_or("unknown".to_owned(), |d| d.to_string());
        let _ = writeln!(out, "  {} hops, distance {distance}", way.hops.len());
        let ids = way.nodes.iter().map(|node| node.to_string().len()).max().unwrap_or(0).max(4);
        let _ = writeln!(out, "  {:>ids$}  port  level  vc  address", "node");
        let mut links = way.hops.iter().zip(self.levels(way));
        for &node in &way.nodes {
            let address = self.network.address(node);
            let _ = match links.next() {
                Some((hop, level)) => {
                    let (port, vc) = (hop.port.0, hop.vc.0);
                    writeln!(out, "  {:>ids$}  {port:4}  {level:5}  {vc:2}  {address}", node.0)
                }
                None => {
                    writeln!(out, "  {:>ids$}  {:4}  {:5}  {:2}  {address}", node.0, "", "", "")
                }
            };
        }
        out
    }
}
