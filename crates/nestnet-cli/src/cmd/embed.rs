//! `nestnet embed`: how well does one network fit into another?

use crate::job::Job;
use crate::numbers::{ANY, counts};
use crate::{Outcome, text};
use anyhow::Context as _;
use nestnet::embed::{Algorithm, Embedded, embed};

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  nestnet embed \"hypercube(8)\" \"rsn(hypercube(2), 3)\"
  nestnet embed \"ring(16)\" \"hypercube(4)\" --map --json
  nestnet embed \"tree(7)\" \"rcr(2, 4, 3)\" --algorithm paper

A network that emulates the guest by addresses gets that map, the natural one. Else the better of \
two maps, by number and by breadth-first search, is improved by exchanges; another map may be \
better still. Congestion counts each link of the guest in both directions.")]
pub struct Args {
    /// The network to embed
    guest: String,
    /// The network that it is embedded in
    host: String,
    /// The best that is known, or the tree embedding after the host's paper
    #[arg(long, value_enum, default_value = "best")]
    algorithm: AlgorithmName,
    /// Print the image of each node
    #[arg(long)]
    map: bool,
    /// The most exchanges to try
    #[arg(long, value_name = "N", default_value_t = 1 << 20, value_parser = counts::<u64>(ANY))]
    budget: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum AlgorithmName {
    /// By addresses where the host emulates the guest, else by exchanges
    Best,
    /// A complete binary tree, row by row with exchanges along chains: ours, after the idea of the
    /// transitive exchange of Sun, Cheung and Lin, whose partition onto cube planes is not followed
    Paper,
}

pub fn run(args: &Args, job: &Job) -> anyhow::Result<Outcome> {
    let (guest, guest_built) = job.build(&args.guest).context("GUEST")?;
    let (host, host_built) = job.build(&args.host).context("HOST")?;
    job.with_budget(|budget| {
        let algorithm = match args.algorithm {
            AlgorithmName::Best => Algorithm::Best { exchanges: args.budget },
            AlgorithmName::Paper => Algorithm::Paper,
        };
        let found = job.answered(embed(&guest_built, &host_built, algorithm, &budget))?;
        job.finish();
        let images = args.map.then_some(&found.images[..]);
        let shown = Embedded { guest: &guest_built, host: &host_built, found: &found, images };
        if args.json {
            text::print_json(&shown)?;
        } else {
            let (guests, hosts) = shown.nodes();
            let expansion = shown.expansion();
            let mean = text::decimal(found.mean_dilation());
            let mut rows = vec![
                ("map", found.map.name().to_owned()),
                ("dilation", format!("{}, on average {mean}", found.dilation)),
                ("congestion", format!("{} over the busiest channel", found.congestion)),
                ("expansion", format!("{} ({hosts} / {guests} nodes)", text::decimal(expansion))),
                ("load", format!("{} of the guest at a node", found.load)),
            ];
            if let Some(images) = images {
                let images: Vec<String> = images.iter().map(ToString::to_string).collect();
                rows.push(("images", images.join(" ")));
            }
            text::print(&format!("{guest} into {host}\n{}", text::table(&rows)))?;
        }
        Ok(Outcome::Done)
    })
}
