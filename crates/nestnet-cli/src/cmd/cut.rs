//! `nestnet cut`: a bisection with few links, as a certificate that is checked again.

use crate::job::Job;
use crate::{Outcome, text};
use anyhow::ensure;
use nestnet::measures::{Analysis, cut as find_cut};

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  nestnet cut \"rdn(ring(3), 1)\"
  nestnet cut \"rsn(hypercube(2), 3)\" --side

The upper bound is a side whose links are counted again, one by one, a link of several cables as \
often; the lower bound says how it is known. The proof that they are equal goes on until it is done; Ctrl-C and --max-time end it with \
the bounds reached by then.")]
pub struct Args {
    /// The network, such as "rdn(torus(5, 5), 2)"
    spec: String,
    /// Print the nodes of one side
    #[arg(long)]
    side: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args, job: &Job) -> anyhow::Result<Outcome> {
    let (spec, built) = job.build(&args.spec)?;
    job.with_limits(None, |measuring| {
        let closing = |low: u64, high: u64| job.closing("bisection", low, high);
        let subject = Analysis::new(&built, measuring).reporting(&closing).proving_all();
        job.doing("bisection");
        let found = find_cut(&subject);
        job.finish();
        let mut cut = found?;
        cut.side = cut.side.filter(|_| args.side);
        if args.json {
            text::print_json_of(&spec, &cut)?;
        } else {
            let sizes = format!("{} and {} nodes", cut.sizes[0], cut.sizes[1]);
            let (low, high) = (text::by(cut.low_by), text::by(cut.high_by));
            let mut rows = vec![
                ("at least", format!("{}, by {low}", links(cut.low))),
                ("at most", format!("{}, by {high}", links(cut.high))),
                ("parts", sizes),
                ("checked", format!("{} between them, counted one by one", links(cut.high))),
            ];
            if !cut.finished {
                rows.push(("not finished", job.why()));
            }
            if let Some(side) = &cut.side {
                let nodes: Vec<String> = side.iter().map(usize::to_string).collect();
                rows.push(("side", nodes.join(" ")));
            }
            text::print(&format!("{spec}\n{}", text::table(&rows)))?;
        }
        ensure!(cut.finished && !job.is_interrupted(), job.unfinished());
        Ok(Outcome::Done)
    })
}

fn links(count: u64) -> String {
    if count == 1 { "1 link".to_owned() } else { format!("{count} links") }
}
