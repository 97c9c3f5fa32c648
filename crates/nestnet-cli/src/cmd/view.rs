//! `nestnet view`: what is inside a cluster, and where is a node, at any size?

use crate::job::Job;
use crate::numbers::counts;
use crate::{Outcome, text};
use nestnet::Built;
use nestnet::cells::{Inside, inside, smaller};
use nestnet::draw::view::Most;
use std::fmt::Write as _;

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  nestnet view \"rdn(torus(5, 5), 4)\"
  nestnet view \"rdn(torus(5, 5), 4)\" 1.0.0
  nestnet view \"rdn(ring(5), 2)\" --find 4711 --find \"(0,(1,2,3),(0,0,0))\"

A PATH is the digits of a cell, outermost first, with points between them; the longest are nodes. \
What is too many for one view is folded, and links are bundled between what is shown. It works for \
any size, also where nodes have no ids that fit. `nestnet serve` shows the same in the browser.")]
pub struct Args {
    /// The network, such as "rdn(torus(5, 5), 4)"
    spec: String,
    /// Which cell; the whole network if omitted
    #[arg(default_value = "")]
    path: String,
    /// The path of a node by its id or address; may be repeated
    #[arg(long, value_name = "NODE", allow_hyphen_values = true)]
    find: Vec<String>,
    /// The most cells and nodes shown
    #[arg(long, value_name = "N", default_value_t = Most::default().dots, value_parser = counts::<u64>(1..=5000))]
    most: u64,
    /// Name the largest smaller network of the family that has no more nodes
    #[arg(long, value_name = "N", value_parser = counts::<u64>(1..=u64::MAX.into()))]
    smaller: Option<u64>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args, job: &Job) -> anyhow::Result<Outcome> {
    let (_, built) = job.build(&args.spec)?;
    let most = Most::dots(args.most);
    let found =
        job.with_budget(|budget| inside(&built, &args.path, most, &args.find, &budget.watch));
    let mut found = job.answered(found)?;
    if let Some(most) = args.smaller {
        let fits = |built: &Built| built.order() <= most.into();
        found.small = job.with_context(|context| smaller(&built, context, &fits));
    }
    job.finish();
    match args.json {
        true => text::print_json(&found)?,
        false => text::print(&to_text(&found))?,
    }
    Ok(Outcome::Done)
}

fn to_text(view: &Inside) -> String {
    const MOST: usize = 20;
    let nodes = text::grouped(&view.nodes.to_string());
    let mut said = format!("{}: {nodes} nodes\n", view.spec);
    let name = view.trail.last().map_or("", |cell| &cell.name);
    let _ = writeln!(said, "  inside {name}");
    if let Some(node) = &view.node {
        let _ = writeln!(said, "  id {}", node.id.as_deref().unwrap_or("unknown"));
        for near in view.neighbors.iter().flatten().flatten() {
            let name = near.address.as_ref().unwrap_or(&near.path);
            let level = near.level.unwrap_or_default();
            let _ = writeln!(said, "  level {level}  {name}  at {}", near.path);
        }
    } else {
        let each = text::grouped(&view.nodes_a_spot.to_string());
        let _ = writeln!(
            said,
            "  {} cells of {}{each} nodes, {} lines",
            view.spots.len(),
            if view.alike { "" } else { "at most " },
            view.lines.len()
        );
        for spot in view.spots.iter().take(MOST) {
            let _ = writeln!(said, "  {}  {}", spot.cell.path, spot.cell.name);
        }
        if view.spots.len() > MOST {
            let _ = writeln!(said, "  … and {} more (--json has all)", view.spots.len() - MOST);
        }
        if !view.linked {
            said.push_str(
                "  the links between them are not known: no rule says them at this size\n",
            );
        }
    }
    if let Some(small) = &view.small {
        let _ = writeln!(said, "  smaller: {small}");
    }
    for node in &view.found {
        let _ = writeln!(said, "  {} is at {}", node.text.as_deref().unwrap_or(""), node.path);
    }
    said
}
