//! `nestnet emulate`: how many steps does a network take for one step of the product that it represents?

use crate::job::Job;
use crate::{Outcome, text};
use nestnet::emulation::{Emulation, emulate};

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  nestnet emulate \"rsn(hypercube(2), 3)\"
  nestnet emulate \"rsn(mesh(3, 4), 2)\" --dimension 3 --json

The guest is the product of the nuclei: hypercubes make a hypercube, complete graphs and \
generalized hypercubes a generalized hypercube, meshes a mesh. Its dimensions are counted from 1, \
least significant first. Every emulation is executed on data that only links move, and the data is \
checked.")]
pub struct Args {
    /// The network that emulates, such as "rsn(hypercube(2), 3)"
    host: String,
    /// One dimension alone
    #[arg(long, value_name = "J")]
    dimension: Option<usize>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args, job: &Job) -> anyhow::Result<Outcome> {
    let (spec, built) = job.build(&args.host)?;
    job.with_budget(|budget| {
        let found = job.answered(emulate(&built, args.dimension, &budget))?;
        job.finish();
        if args.json {
            text::print_json_of(&spec, &found)?;
        } else {
            text::print(&format!("{spec}\n{}", to_text(&found)))?;
        }
        Ok(if found.slowest() <= found.bound { Outcome::Done } else { Outcome::No })
    })
}

fn to_text(found: &Emulation) -> String {
    let sides: Vec<String> = found.sides.iter().rev().map(u64::to_string).collect();
    let kind = if found.sides.iter().all(|&side| side == 2) {
        format!("hypercube of {} dimensions", found.sides.len())
    } else {
        format!("{} dimensions of sides {}", found.sides.len(), sides.join(" × "))
    };
    let slowdown: Vec<String> = found
        .dimensions
        .iter()
        .map(|dimension| format!("{}:{}", dimension.number, dimension.spent.steps))
        .collect();
    let mut rows = vec![
        ("guest", kind),
        ("slowdown", format!("{}  (dimension:steps)", slowdown.join(" "))),
        ("slowest", format!("{} steps; at most {} by theorem", found.slowest(), found.bound)),
    ];
    if let Some(all) = found.all_ports {
        rows.push((
            "all at once",
            format!("{} steps on all ports; the busiest link needs {}", all.steps, all.busiest),
        ));
    }
    text::table(&rows)
}
