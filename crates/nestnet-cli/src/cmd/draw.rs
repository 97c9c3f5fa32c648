//! `nestnet draw`: what does a network look like?

use crate::job::Job;
use crate::numbers::{ANY, counts};
use crate::{Outcome, output, picture, text};
use anyhow::{Context as _, bail};
use nestnet::draw::{Fold, Frame, Labels, Options};
use nestnet::files::Drawn;
use nestnet::picture::{Request, Show, draw};
use nestnet::{Built, Network, Spec, locate};

#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  nestnet draw \"rdn(ring(5), 1)\" -o rdn.svg
  nestnet draw \"rsn(hypercube(2), 3)\" -o route.pdf --route 0 255
  nestnet draw \"rdn(ring(3), 2)\" -o step.png --broadcast 0 --step 5
  nestnet draw \"rcr(2, 2, 2)\" -o deadlock.svg --deadlock --router paper
  nestnet draw \"rdn(torus(5, 5), 3)\" -o folded.svg

Nodes lie where the construction puts them: clusters in clusters, colors by the level of a link. \
What is too large is folded: a cluster becomes a dot, and all links between two of them one line, \
wider the more there are. The picture says how many links it does not draw.")]
#[command(group = clap::ArgGroup::new("shown").args(["route", "broadcast", "load", "deadlock"]))]
pub struct Args {
    /// The network, such as "rdn(torus(5, 5), 2)"
    spec: String,
    /// Where to draw it: a file that ends in .svg, .png, .pdf or .tex (TikZ)
    #[arg(short, long, value_name = "FILE")]
    output: output::OutputPath,
    /// After which plan, where a family has several, such as `planes` for `rcr`
    #[arg(long, value_name = "NAME")]
    plan: Option<String>,
    /// Make dots of what only has links below LEVEL; 0 folds nothing [default: as little as fits]
    #[arg(long, value_name = "LEVEL")]
    fold: Option<u16>,
    /// The most dots
    #[arg(long, value_name = "N", default_value_t = Options::default().max_nodes,
        value_parser = counts::<u64>(1..=1 << 20))]
    max_nodes: u64,
    /// The most lines
    #[arg(long, value_name = "N", default_value_t = Options::default().max_links,
        value_parser = counts::<u64>(1..=1 << 24))]
    max_links: u64,
    /// Draw the route of a message on top: ids or addresses
    #[arg(long, num_args = 2, value_names = ["FROM", "TO"], allow_hyphen_values = true)]
    route: Option<Vec<String>>,
    /// The router of --route or --deadlock, as in `nestnet route`
    #[arg(long, value_name = "NAME")]
    router: Option<String>,
    /// Draw one step of the broadcast of a node on top
    #[arg(long, value_name = "FROM", allow_hyphen_values = true)]
    broadcast: Option<String>,
    /// Which step of --broadcast; 0 is before the first
    #[arg(long, value_name = "K", requires = "broadcast", default_value_t = 1, value_parser = counts::<u64>(ANY))]
    step: u64,
    /// Color links by their load when each host sends to each other along shortest paths
    #[arg(long)]
    load: bool,
    /// Draw a dependency cycle of the routing, where there is one
    #[arg(long)]
    deadlock: bool,
    /// What nodes are called [default: addresses where these can be read, else ids, else nothing]
    #[arg(long, value_enum)]
    labels: Option<LabelsName>,
    /// Do not name nodes: --labels none
    #[arg(long, conflicts_with = "labels")]
    no_labels: bool,
    #[command(flatten)]
    setting: picture::Setting,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum LabelsName {
    /// By their addresses
    Address,
    /// By their ids
    Id,
    /// Not at all
    None,
}

pub fn run(args: &Args, job: &Job) -> anyhow::Result<Outcome> {
    let format = picture::Format::of(&args.output)?;
    let (spec, built) = job.build(&args.spec)?;
    let request = Request {
        options: Options {
            fold: args.fold.map_or(Fold::Automatic, Fold::Level),
            max_nodes: args.max_nodes,
            max_links: args.max_links,
        },
        theme: args.setting.theme(format),
        plan: args.plan.clone(),
        show: args.show(&built, &spec)?,
        frame: Frame { labels: args.labels(), ..args.setting.frame() },
    };
    job.with_limits(None, |measuring| {
        let picture = job.answered(draw(&built, &spec.to_string(), &request, measuring))?;
        let bytes = format.convert(&picture.svg)?;
        output::write_bytes(&args.output, &bytes)?;
        job.finish();
        if args.json {
            let (spec, file) = (spec.to_string(), args.output.to_string_lossy().into_owned());
            text::print_json(&Drawn { spec, file, picture })?;
        } else {
            let count = |value: u64| text::grouped(&value.to_string());
            let (dots, lines) = (count(picture.dots), count(picture.lines));
            let mut said =
                format!("{spec}: {dots} dots, {lines} lines, in {}\n", args.output.display());
            for note in &picture.notes {
                said.push_str(&format!("  {note}\n"));
            }
            text::print(&said)?;
        }
        Ok(Outcome::Done)
    })
}

impl Args {
    fn labels(&self) -> Labels {
        match self.labels {
            Some(LabelsName::Address) => Labels::Addresses,
            Some(LabelsName::Id) => Labels::Ids,
            Some(LabelsName::None) => Labels::None,
            None if self.no_labels => Labels::None,
            None => Labels::Automatic,
        }
    }

    fn show(&self, built: &Built, spec: &Spec) -> anyhow::Result<Show> {
        if self.router.is_some() && self.route.is_none() && !self.deadlock {
            bail!("--router NAME needs --route FROM TO or --deadlock");
        }
        if self.deadlock {
            return Ok(Show::Deadlock { router: self.router.clone() });
        }
        if let Some([from, to]) = self.route.as_deref() {
            let network = with_ids(built, spec)?;
            let (from, to) = (locate(network, from)?, locate(network, to)?);
            return Ok(Show::Route { from, to, router: self.router.clone() });
        }
        if let Some(from) = &self.broadcast {
            let from = locate(with_ids(built, spec)?, from)?;
            return Ok(Show::Broadcast { from, step: self.step });
        }
        Ok(if self.load { Show::Load } else { Show::Network })
    }
}

/// What is drawn on top of a network is named by its nodes.
fn with_ids<'a>(built: &'a Built, spec: &Spec) -> anyhow::Result<&'a dyn Network> {
    built.network.as_deref().with_context(|| text::without_ids(spec))
}
