//! `nestnet deadlock`: can messages wait in a dependency cycle? With a certificate that is checked again.

use crate::faults::FaultOptions;
use crate::job::Job;
use crate::part::{BROKEN, Part, ShardOptions, asked};
use crate::ranks::{self, Ranks};
use crate::{Outcome, text};
use anyhow::{Context as _, anyhow, bail};
use nestnet::Budget;
use nestnet::deadlocks::{self, Certified, CertifyError, FROM_FILE, WithoutOrder, limited};
use nestnet::files::find_router;
use nestnet::job::{Job as _, Shard};
use nestnet::route::deadlock::{
    self, Certificate, Channel, Deadlock, DeadlockError, Dependency, Explored, Exploring, Message,
};
use nestnet::route::{Detouring, route_list};
use nestnet::{How, Network, Router, routers};
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;
use std::sync::Arc;

#[derive(clap::Args, Serialize, Deserialize)]
#[command(after_help = "\
Examples:
  nestnet deadlock \"rdn(petersen, 1)\"
  nestnet deadlock \"torus(5, 5)\" --router paper --vcs 1
  nestnet deadlock \"random_regular(200, 4, 1)\" --assign
  nestnet deadlock \"torus(4, 4)\" --file routes.txt
  nestnet deadlock \"torus(5, 5)\" --faults 0-1,7 --assign
  nestnet deadlock \"random_regular(2000, 4, 1)\" --shard 1/4 --part one.json

All messages between all ordered pairs are followed, with all choices; where automorphisms map the \
routes to routes, those to one node of each orbit. A file of routes has one a \
line, its nodes and then the virtual channel of every hop: `0 5 7 : 0 1`; without a SPEC the \
network is all links that they take. With faults, the routes are those around them, between hosts \
that still reach each other; --assign finds virtual channels with which these are proven free.
Exit code 1 on a cycle.")]
pub struct Args {
    /// The network, such as "rdn(torus(5, 5), 1)"
    #[arg(required_unless_present = "file")]
    spec: Option<String>,
    /// Which of its routers; `shortest` if omitted, where there is one
    #[arg(long, value_name = "NAME", conflicts_with = "file")]
    router: Option<String>,
    /// The most virtual channels of a link; those beyond are folded into the last
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), conflicts_with = "file")]
    vcs: Option<u16>,
    /// Find virtual channels without a cycle, and few of them
    #[arg(long, conflicts_with_all = ["file", "shard"])]
    assign: bool,
    /// Certify routes made by others instead of a router
    #[arg(long, value_name = "ROUTES", conflicts_with = "shard")]
    file: Option<String>,
    #[command(flatten)]
    faults: FaultOptions,
    /// Print the order of the channels that proves the absence of a cycle
    #[arg(long)]
    order: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    #[serde(skip)]
    shards: ShardOptions,
}

/// Bytes in memory for each byte of a file of routes: a short one takes the most.
const ROUTE_BYTES: u128 = 32;

/// The network, unless it is all links of a file, and what was certified.
type Answer = (Option<String>, Certified, Between);

/// The switches between which routes were followed, where these were not followed between hosts.
type Between = Option<String>;

/// Who follows the routes.
enum By<'a> {
    /// This process.
    Itself,
    /// All ranks of this run.
    Ranks(&'a Ranks),
    /// Shards that ended.
    Shards(Vec<Explored>),
}

pub fn run(args: &Args, job: &Job) -> anyhow::Result<Outcome> {
    if let Some(shard) = args.shards.shard {
        return part(args, shard, job);
    }
    match Ranks::start()?.as_ref() {
        None => answer(args, By::Itself, job),
        // These are the work of one.
        Some(ranks) if args.assign || args.file.is_some() => match ranks.is_first() {
            true => answer(args, By::Itself, job),
            false => Ok(Outcome::Done),
        },
        Some(ranks) => answer(args, By::Ranks(ranks), job),
    }
}

/// Answers from the parts of all shards.
pub fn merge(parts: Vec<Part>, job: &Job) -> anyhow::Result<Outcome> {
    let args: Args = asked(&parts)?;
    let parts = parts.into_iter().map(|part| serde_json::from_value(part.found));
    let parts = parts.collect::<Result<Vec<Explored>, _>>().context(BROKEN)?;
    answer(&args, By::Shards(parts), job)
}

/// Follows the routes to the targets of one shard.
fn part(args: &Args, shard: Shard, job: &Job) -> anyhow::Result<Outcome> {
    let found = within(job, |within| {
        let scene = Scene::new(args, job, &within)?;
        let (router, _) = limited(scene.router, args.vcs);
        let exploring = Exploring::new(&*scene.network, &*router, &within)?;
        Ok(serde_json::to_value(exploring.explore(shard, &within)?)?)
    })?;
    let asked = serde_json::to_value(args)?;
    let part = Part { verb: "deadlock".to_owned(), asked, shard, found };
    part.write(args.shards.part.as_deref(), job)?;
    Ok(Outcome::Done)
}

fn answer(args: &Args, by: By<'_>, job: &Job) -> anyhow::Result<Outcome> {
    let answer = within(job, |within| match &args.file {
        Some(path) => of_file(args, path, job, &within).map(Some),
        None => of_router(args, by, job, &within),
    })?;
    // Another rank answers.
    let Some((spec, answer, between)) = answer else { return Ok(Outcome::Done) };
    if args.json {
        let mut object = match args.order {
            true => text::value_of(&spec, &answer)?,
            false => text::value_of(&spec, &WithoutOrder(&answer))?,
        };
        if let Some(between) = between {
            object["switches"] = between.into();
        }
        text::print_json(&object)?;
    } else {
        text::print(&to_text(spec.as_deref(), &answer, between.as_deref(), args))?;
    }
    Ok(if answer.certificate.is_free() { Outcome::Done } else { Outcome::No })
}

/// What `work` finds within the limits.
fn within<T>(job: &Job, work: impl FnOnce(Budget<'_>) -> anyhow::Result<T>) -> anyhow::Result<T> {
    job.doing("dependencies");
    let found = job.with_budget(work);
    job.finish();
    job.in_time(found)
}

/// A network and what moves in it.
struct Scene {
    spec: String,
    network: Arc<dyn Network>,
    router: Arc<dyn Router>,
    /// The router, and what it goes around.
    name: String,
    between: Between,
}

impl Scene {
    fn new(args: &Args, job: &Job, within: &Budget<'_>) -> anyhow::Result<Self> {
        let (spec, mut built) = job.build(args.spec.as_deref().unwrap_or_default())?;
        let name = args.router.as_deref().unwrap_or(routers::default_name(&built));
        let mut between = None;
        if !args.assign
            && !args.faults.is_asked()
            && let Some(switches) = deadlocks::switches_of(&built, name, within)
        {
            between = Some(switches.spec().to_string());
            built = switches;
        }
        let network = built.network.clone().with_context(|| text::without_ids(&spec))?;
        let read = |path: &str| job.read_file(path);
        let mut router = find_router(&built, name, &read, within)?;
        let mut name = name.to_owned();
        if let Some(faults) = args.faults.faults(&*network)? {
            let (nodes, links) = faults.count(&*network, &within.watch)?;
            let detours = Detouring::new(network.clone(), router, Arc::new(faults))?;
            router = Arc::new(detours.arriving());
            name += &format!(" around {nodes} failed nodes and {links} failed links");
        }
        Ok(Scene { spec: spec.to_string(), network, router, name, between })
    }
}

/// Nothing where another rank answers.
fn of_router(
    args: &Args,
    by: By<'_>,
    job: &Job,
    within: &Budget<'_>,
) -> anyhow::Result<Option<Answer>> {
    let scene = Scene::new(args, job, within)?;
    let network = scene.network.clone();
    let name = scene.name.as_str();
    let certified = if args.assign {
        let found = deadlocks::assigned(&network, (&scene.router, name), args.vcs, within);
        found.map_err(|error| match error {
            CertifyError::TooFew { .. } => anyhow!("--{error}"),
            error => error.into(),
        })?
    } else {
        let (router, map) = limited(scene.router, args.vcs);
        let exploring = Exploring::new(&*network, &*router, within)?;
        let all = match by {
            By::Itself => Some(exploring.explore(Shard::WHOLE, within)?),
            By::Ranks(ranks) => ranks::run(ranks, &exploring, &within.watch)?,
            By::Shards(parts) => {
                if !parts.iter().all(|part| exploring.knows(part)) {
                    bail!("the parts are not those of this network");
                }
                parts.into_iter().reduce(|one, other| exploring.merge(one, other))
            }
        };
        let Some(all) = all else { return Ok(None) };
        let certificate = exploring.finish(all, within)?;
        Certified::checked(&network, (&*router, name), map.to_owned(), certificate, within)?
    };
    Ok(Some((Some(scene.spec), certified, scene.between)))
}

fn of_file(args: &Args, path: &str, job: &Job, within: &Budget<'_>) -> anyhow::Result<Answer> {
    if args.faults.is_asked() {
        bail!("--faults: the routes of a file are as they are");
    }
    let bytes = job.with_context(|context| (context.read)(path));
    let bytes = bytes.with_context(|| format!("cannot read {path}"))?;
    let need = bytes.len() as u128 * ROUTE_BYTES;
    if need > within.memory.into() {
        bail!("{path}: its routes may take {need} bytes, over the limit (--max-memory)");
    }
    let routes = route_list::read(bytes.as_slice()).with_context(|| path.to_owned())?;
    let (spec, network): (_, Arc<dyn Network>) = match &args.spec {
        Some(spec) => {
            let (spec, built) = job.build(spec)?;
            let network = built.network.with_context(|| text::without_ids(&spec))?;
            (Some(spec.to_string()), network)
        }
        None => (None, Arc::new(deadlock::links_of(&routes, within.memory)?)),
    };
    let certificate = deadlock::certify_routes(&*network, &routes, within);
    let certificate = certificate.map_err(|error| match error {
        DeadlockError::NoLink { .. } => anyhow!("{path}: {error}"),
        error => error.into(),
    })?;
    let checked = deadlock::check_routes(&*network, &routes, &certificate, within);
    checked.map_err(CertifyError::Check)?;
    let (router, map) = (path.to_owned(), FROM_FILE.to_owned());
    Ok((spec, Certified::new(network, router, map, certificate, How::Exhaustive), None))
}

fn to_text(spec: Option<&str>, answer: &Certified, between: Option<&str>, args: &Args) -> String {
    let Certificate { verdict, vcs, channels, dependencies, pairs, how } = &answer.certificate;
    let count = |value: &u64| text::grouped(&value.to_string());
    let (said, checked) = match verdict {
        Deadlock::Free { .. } => (
            "free: the channels have an order that every message follows",
            match answer.checked {
                How::Symmetry => {
                    "routes to one node of each class and to some drawn at random were walked again, \
                     and rise in that order"
                }
                _ => "every route was walked again, and rises in that order",
            },
        ),
        Deadlock::Cycle(_) => (
            "cycle: messages can deadlock",
            "every message below was walked again, and waits as it says",
        ),
    };
    let map = match answer.map.as_str() {
        "own" => "as the router assigns them".to_owned(),
        "escape" => "of the escape; all others are adaptive".to_owned(),
        "folded" => "those beyond folded into the last".to_owned(),
        "file" => "as the file says".to_owned(),
        "stepped" => "assigned, one lower at each turn that a lane refuses".to_owned(),
        how => how.to_owned(),
    };
    let by = match how {
        How::Symmetry => ", by symmetry",
        _ => "",
    };
    let between = between
        .map(|switches| format!("the switches, {switches}: hosts take the routes of theirs"));
    let mut rows = vec![
        ("router", answer.router.clone()),
        ("verdict", said.to_owned()),
        ("virtual channels", format!("{vcs}, {map}")),
        ("pairs", format!("{}, all that can be routed{by}", count(pairs))),
        ("channels", count(channels)),
        ("dependencies", count(dependencies)),
        ("checked", checked.to_owned()),
    ];
    rows.extend(between.map(|between| ("between", between)));
    let title = spec.unwrap_or("all links of the routes");
    let mut out = format!("{title}\n{}", text::table(&rows));
    match verdict {
        Deadlock::Cycle(cycle) => story(&mut out, answer, args, cycle),
        Deadlock::Free { order } if args.order => {
            let _ = writeln!(out, "  the order, each channel before all that follow it:");
            for channel in order {
                let _ = writeln!(out, "    {}", place(answer, channel));
            }
        }
        Deadlock::Free { .. } => (),
    }
    out
}

/// Who holds what, and waits for what.
fn story(out: &mut String, answer: &Certified, args: &Args, cycle: &[Dependency]) {
    let name = |node| text::node(&*answer.network, node);
    let _ = writeln!(out, "  {} channels in a dependency cycle:", cycle.len());
    for (number, Dependency { channel, message, .. }) in (1..).zip(cycle) {
        let next = if number == cycle.len() { 1 } else { number + 1 };
        let Message { from, to, choice } = *message;
        let which = match (&args.file, choice) {
            (Some(_), line) => format!(" (line {line})"),
            (None, 0) => String::new(),
            (None, choice) => format!(" (choice {choice})"),
        };
        let (from, to) = (name(from), name(to));
        let _ = writeln!(out, "  {number:3}. {}", place(answer, channel));
        let _ = writeln!(
            out,
            "       the message from {from} to {to}{which} holds it while it waits for channel {next} of this list."
        );
    }
}

/// A channel with both of its ends.
fn place(answer: &Certified, channel: &Channel) -> String {
    let to = answer.network.neighbor(channel.node, channel.port);
    let to = to.map_or_else(|| "nowhere".to_owned(), |to| text::node(&*answer.network, to));
    let from = text::node(&*answer.network, channel.node);
    format!("{from} → {to}, port {}, vc {}", channel.port, channel.vc)
}
