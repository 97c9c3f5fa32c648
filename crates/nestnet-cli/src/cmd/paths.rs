//! `nestnet paths`: how many paths lead from one node to another and share no node between?

use crate::job::Job;
use crate::numbers::{POSITIVE, counts};
use crate::{Outcome, text};
use anyhow::Context as _;
use nestnet::route::{Disjoint, Proof, check_disjoint, disjoint_paths};
use nestnet::{Network, locate};

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  nestnet paths \"rdn(petersen, 1)\" 3 157
  nestnet paths \"rsn(hypercube(4), 4)\" 0 4294967295 --json

There are never more paths than the lower of the two degrees. The paths that are found are checked \
again, link by link.")]
pub struct Args {
    /// The network, such as "rdn(torus(5, 5), 2)"
    spec: String,
    /// Where they begin: the id of a node, or its address as the network writes it
    #[arg(allow_hyphen_values = true)]
    from: String,
    /// Where they end
    #[arg(allow_hyphen_values = true)]
    to: String,
    /// The most search steps
    #[arg(long, value_name = "N", default_value_t = 1 << 20, value_parser = counts::<u64>(POSITIVE))]
    budget: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args, job: &Job) -> anyhow::Result<Outcome> {
    let (spec, built) = job.build(&args.spec)?;
    let network = built.network.as_deref().with_context(|| text::without_ids(&spec))?;
    let (from, to) = (locate(network, &args.from)?, locate(network, &args.to)?);
    job.with_budget(|budget| {
        let found = job.answered(disjoint_paths(network, from, to, args.budget, &budget.watch))?;
        check_disjoint(network, from, to, &found.paths)
            .context("the paths that were found are not disjoint")?;
        if args.json {
            text::print_json_of(&spec, &found)?;
        } else {
            let head = format!(
                "{spec}, from {} to {}\n",
                text::node(network, from),
                text::node(network, to)
            );
            text::print(&(head + &to_text(network, &found)))?;
        }
        Ok(Outcome::Done)
    })
}

fn to_text(network: &dyn Network, found: &Disjoint) -> String {
    let (count, bound) = (found.paths.len(), found.bound);
    let known = match found.proof {
        Proof::Degrees => format!("{count}, as many as the degrees allow"),
        Proof::Flow => format!("{count}, by flow; the degrees allow {bound}"),
        Proof::Open => format!("at least {count}, at most {bound}: the budget is spent (--budget)"),
    };
    let lengths: Vec<usize> = found.paths.iter().map(|path| path.len() - 1).collect();
    let each: Vec<String> = lengths.iter().map(usize::to_string).collect();
    let least = if found.shortest { ", the least" } else { "" };
    let total: usize = lengths.iter().sum();
    let mut rows = vec![("paths", known)];
    if count > 0 {
        rows.push(("lengths", format!("{}; {total} in total{least}", each.join("  "))));
    }
    let mut text = text::table(&rows);
    let width = network.order().saturating_sub(1).to_string().len();
    for (number, path) in (1..).zip(&found.paths) {
        text.push_str(&format!("  path {number}\n"));
        for &at in path {
            text.push_str(&format!("    {:width$}  {}\n", at.0, network.address(at)));
        }
    }
    text
}
