//! `nestnet routing`: does a routing arrive, how long are its routes, and how even is its load? How do messages end by a
//! paper's text?

use crate::faults::FaultOptions;
use crate::job::Job;
use crate::numbers::counts;
use crate::part::{BROKEN, Part, ShardOptions, asked};
use crate::ranks::{self, Ranks};
use crate::routing::{RouterOptions, report_note};
use crate::{Outcome, text};
use anyhow::{Context as _, anyhow, bail};
use nestnet::budget::STEPS_PER_SECOND;
use nestnet::family::built::AS_PRINTED;
use nestnet::job::{Job as _, Shard, run as run_job};
use nestnet::route::{Against, Loads, SurveyError, Surveyed, Surveying};
use nestnet::routes::{RoutingReport, router_name};
use nestnet::routing_survey::{Routing, SampleError, follow};
use nestnet::{Budget, Interrupted, Network, Node, OverBudget, Spec};
use serde::{Deserialize, Serialize};

#[derive(clap::Args, Serialize, Deserialize)]
#[command(after_help = "\
Examples:
  nestnet routing \"rdn(petersen, 1)\" --router paper
  nestnet routing \"rdn(torus(5, 5), 3)\" --sample 10000 --seed 1 --json
  nestnet routing \"torus(16, 16)\" --random-faults 0.02
  nestnet routing \"torus(4, 4)\" --faults \"5;(0,1)-(0,2)\"
  nestnet routing \"rdn(ring(5), 2)\" --shard 1/4 --part one.json
  nestnet routing \"re(complete(3), ring(3), 2)\" --as-printed

The traffic is uniform: every ordered pair of hosts sends one message, split evenly over the \
choices of the router. With faults a choice whose path is dead is replaced by one that is left, \
evenly; where none is left a message makes detours around what it meets. Only pairs of living hosts \
with a path between them count; \"intact\" compares with the distance before the faults. \
Beyond 2^20 nodes a sample cannot tell who is cut off by faults. \
--as-printed follows the text of the network's paper from every node to every other one, and counts \
how that ends; so does --router with another text of docs/procedures.md, such as `as-printed-sketch`. \
Exit code 1 where some pair does not arrive.")]
pub struct Args {
    /// The network, such as "rdn(torus(5, 5), 2)"
    spec: String,
    #[command(flatten)]
    router: RouterOptions,
    /// Follow its paper's routing as it is printed, without our corrections, and count how routes end
    #[arg(long, conflicts_with_all = ["router", "sample", "faults", "random_faults", "shard"])]
    #[serde(skip)]
    as_printed: bool,
    /// Walk only this many random pairs, in networks of any size
    #[arg(long, value_name = "N", conflicts_with = "shard",
        value_parser = counts::<u32>(1..=u32::MAX.into()))]
    sample: Option<u32>,
    #[command(flatten)]
    faults: FaultOptions,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    #[serde(skip)]
    shards: ShardOptions,
}

/// What was found, and where.
struct Shown<'a> {
    spec: &'a Spec,
    network: &'a dyn Network,
    report: RoutingReport,
}

pub fn run(args: &Args, job: &Job) -> anyhow::Result<Outcome> {
    match args.shards.shard {
        Some(shard) => part(args, shard, job),
        None => {
            let ranks = Ranks::start()?;
            // A sample, or a text, is the work of one.
            let is_alone = args.sample.is_some() || args.is_text();
            match ranks.as_ref() {
                Some(ranks) if is_alone && !ranks.is_first() => Ok(Outcome::Done),
                _ if args.is_text() => follow_text(args, job),
                ranks => answer(args, None, ranks, job),
            }
        }
    }
}

impl Args {
    /// Whether a text is followed, which has no faults, samples or virtual channels.
    fn is_text(&self) -> bool {
        let named = self.router.asked().is_some_and(|name| name.starts_with(AS_PRINTED));
        self.as_printed || named && self.sample.is_none() && !self.faults.is_asked()
    }
}

/// How messages end by the text of the network's paper.
fn follow_text(args: &Args, job: &Job) -> anyhow::Result<Outcome> {
    let (spec, built) = job.build(&args.spec)?;
    let network = built.network.as_deref().with_context(|| text::without_ids(&spec))?;
    let name = router_name(&built, args.router.asked(), args.as_printed)?;
    let Some(printed) = built.procedure(name) else {
        // Says which names there are.
        args.router.find(&built, job, &Budget::default())?;
        bail!("router `{name}` is not a text");
    };
    job.doing("routes");
    let found = job.with_budget(|budget| follow(network, &*printed, name, &budget));
    job.finish();
    let report = job.answered(found)?;
    if args.json {
        text::print_json_of(&spec, &report)?;
    } else {
        let mut rows = vec![("pairs", format!("{}, {}", count(report.pairs), report.how))];
        rows.extend(report.outcomes.iter().map(|found| (found.outcome, count(found.pairs))));
        if let (Some(max), Some(mean)) = (report.max_hops, report.mean_hops) {
            rows.push(("hops", format!("{max} at most, {} on average", text::decimal(mean))));
        }
        text::print(&format!("{spec}, router {name}\n{}", text::table(&rows)))?;
    }
    Ok(if report.arrived == report.pairs { Outcome::Done } else { Outcome::No })
}

/// A network and what moves in it.
struct Scene {
    spec: Spec,
    routing: Routing,
    /// Of the router.
    note: Option<String>,
}

impl Scene {
    /// The network, with its router that goes around what failed.
    fn new(args: &Args, job: &Job, budget: &Budget<'_>) -> anyhow::Result<Self> {
        let (spec, built) = job.build(&args.spec)?;
        let network = built.network.clone().with_context(|| text::without_ids(&spec))?;
        let router = args.router.find(&built, job, budget)?;
        let faults = args.faults.faults(&*network)?;
        let routing = Routing::new(network, router, args.router.name(&built), faults);
        job.doing("routes");
        let note = args.router.note(&built);
        Ok(Scene { spec, routing: routing.context("detours around faults")?, note })
    }

    /// Why there is no survey, or that it was stopped.
    fn ended(&self, error: &SurveyError, args: &Args, job: &Job) -> anyhow::Error {
        job.finish();
        match error {
            SurveyError::Interrupted(_) => job.unfinished(),
            error => anyhow!(refusal(error, args, self.routing.network.hosts())),
        }
    }
}

/// The routes to the targets of one shard.
fn part(args: &Args, shard: Shard, job: &Job) -> anyhow::Result<Outcome> {
    job.with_budget(|budget| {
        let scene = Scene::new(args, job, &budget)?;
        let Routing { network, router, .. } = &scene.routing;
        let faults = scene.routing.failed();
        let found = Surveying::new(&**network, &**router, &faults, &budget);
        let found = found.and_then(|survey| Ok(run_job(&survey, shard, &budget.watch)?));
        let found = found.map_err(|error| scene.ended(&error, args, job))?;
        job.finish();
        let (asked, found) = (serde_json::to_value(args)?, serde_json::to_value(found)?);
        let part = Part { verb: "routing".to_owned(), asked, shard, found };
        part.write(args.shards.part.as_deref(), job)?;
        Ok(Outcome::Done)
    })
}

/// Answers from the parts of all shards.
pub fn merge(parts: Vec<Part>, job: &Job) -> anyhow::Result<Outcome> {
    let args: Args = asked(&parts)?;
    let parts = parts.into_iter().map(|part| serde_json::from_value(part.found));
    let parts = parts.collect::<Result<Vec<Surveyed>, _>>().context(BROKEN)?;
    answer(&args, Some(parts), None, job)
}

/// Answers; what shards have walked is not walked again, and where there are ranks all of them walk.
fn answer(
    args: &Args,
    parts: Option<Vec<Surveyed>>,
    ranks: Option<&Ranks>,
    job: &Job,
) -> anyhow::Result<Outcome> {
    job.with_budget(|budget| {
        let scene = Scene::new(args, job, &budget)?;
        let Routing { network, router, .. } = &scene.routing;
        let failed = scene.routing.failed();
        let sampled = args.sample.map(usize::try_from).transpose()?;
        let sampled = sampled.map(|pairs| (pairs, args.faults.seed()));
        let found = match (sampled, parts) {
            (Some((pairs, seed)), _) => match scene.routing.sample(pairs, seed, &budget) {
                Ok(found) => Ok(found),
                Err(SampleError::Survey(error)) => Err(error),
                Err(error) => return Err(error).context("--sample"),
            },
            (None, None) => match ranks {
                None => scene.routing.all(&budget),
                Some(ranks) => {
                    let survey = Surveying::new(&**network, &**router, &failed, &budget)?;
                    match ranks::run(ranks, &survey, &budget.watch) {
                        Err(_) if job.is_over() => Err(Interrupted.into()),
                        all => match all? {
                            Some(all) => Ok(survey.finish(all)),
                            None => return Ok(Outcome::Done),
                        },
                    }
                }
            },
            (None, Some(parts)) => {
                let survey = Surveying::new(&**network, &**router, &failed, &budget)?;
                if !parts.iter().all(|part| survey.knows(part)) {
                    bail!("the parts are not those of this network");
                }
                let all = parts.into_iter().reduce(|one, other| survey.merge(one, other));
                Ok(survey.finish(all.unwrap_or_else(|| survey.nothing())))
            }
        };
        let survey = found.map_err(|error| scene.ended(&error, args, job))?;
        job.finish();
        let report = scene.routing.report(survey, sampled, &budget.watch);
        let arrives = report.survey.arrived == report.survey.pairs;
        if args.json {
            text::print_json_of(&scene.spec, &report)?;
        } else {
            let shown = Shown { spec: &scene.spec, network: &**network, report };
            text::print(&shown.to_text())?;
            report_note(scene.note.as_deref());
        }
        Ok(if arrives { Outcome::Done } else { Outcome::No })
    })
}

/// Why it is not begun, and what can be done instead.
fn refusal(error: &SurveyError, args: &Args, hosts: u64) -> String {
    let instead = if args.sample.is_none() { "; --sample N walks N pairs" } else { "" };
    let SurveyError::Budget(OverBudget::Steps { need: steps, .. }) = error else {
        return format!("{error}{instead}");
    };
    let pairs =
        args.sample.map_or(u128::from(hosts) * u128::from(hosts.saturating_sub(1)), u128::from);
    let seconds = steps.div_ceil(STEPS_PER_SECOND);
    format!(
        "the routes of {pairs} pairs would take about {seconds} seconds, which is too long \
         (--max-time){instead}"
    )
}

impl Shown<'_> {
    fn to_text(&self) -> String {
        let RoutingReport { survey, choices, .. } = &self.report;
        let number = |value: Option<f64>| value.map_or("–".to_owned(), text::decimal);
        let both = |max, mean| format!("{} at most, {} on average", number(max), number(mean));
        let mut rows = Vec::new();
        if let Some(failed) = self.report.failed {
            rows.push(match failed {
                Some((nodes, links)) => ("failed", format!("{nodes} nodes and {links} links")),
                None => ("failed", "too many nodes to count those that failed".to_owned()),
            });
        }
        rows.push(("pairs", format!("{}, {}", count(survey.pairs), self.report.how)));
        if survey.unreachable > 0 {
            rows.push(("without a path", count(survey.unreachable)));
        }
        rows.push(("arrived", count(survey.arrived)));
        if let Some(failure) = &survey.failure {
            let (from, to) = (self.node(failure.from), self.node(failure.to));
            let choice = match choices {
                1 => String::new(),
                _ => format!(" with choice {}", failure.choice),
            };
            rows.push(("lost", format!("from {from} to {to}{choice}: {}", failure.error)));
        }
        if let (Some(max), mean) = (survey.max_hops(), survey.mean_hops()) {
            rows.push(("hops", format!("{max} at most, {} on average", number(mean))));
            rows.push(("histogram", histogram(&survey.histogram())));
        }
        let stretch = |against| match survey.mean_stretch(against) {
            Some(mean) => both(survey.max_stretch(against), Some(mean)),
            None => "– the distance is not known at this size".to_owned(),
        };
        if !survey.counts.is_empty() {
            rows.push(("stretch", stretch(Against::Alive)));
            if self.report.failed.is_some() {
                rows.push(("stretch, intact", stretch(Against::Intact)));
            }
        }
        if let Some(worst) = survey.worst.as_ref().filter(|worst| worst.hops > worst.distance) {
            let (from, to) = (self.node(worst.from), self.node(worst.to));
            let (hops, distance) = (worst.hops, worst.distance);
            rows.push(("worst", format!("from {from} to {to}: {hops} hops, distance {distance}")));
        }
        if let Some(loads) = &survey.loads {
            rows.extend(self.load_rows(loads));
        }
        let used = format!("{} used of {}", survey.vcs_used, self.report.vcs);
        rows.push(("virtual channels", used));
        if *choices > 1 {
            rows.push(("choices", count(*choices)));
        }
        rows.push(("state", format!("{} bytes per node", count(self.report.state_bytes))));
        format!("{}, router {}\n{}", self.spec, self.report.router, text::table(&rows))
    }

    fn load_rows(&self, loads: &Loads) -> Vec<(&'static str, String)> {
        let (Some(mean), Some(ratio)) = (loads.mean(), loads.ratio()) else { return Vec::new() };
        let [max, mean, ratio] = [loads.max(), mean, ratio].map(text::decimal);
        let mut rows = vec![("load", format!("{max} at most, {mean} on average, ratio {ratio}"))];
        if let Some(least) = loads.least() {
            rows.push((
                "any routing",
                format!("{} or more over its busiest link", text::decimal(least)),
            ));
        }
        if let Some((from, port, to)) = loads.busiest {
            let (from, to) = (self.node(from), self.node(to));
            rows.push(("busiest", format!("from {from} over port {port} to {to}")));
        }
        rows
    }

    fn node(&self, at: Node) -> String {
        text::node(self.network, at)
    }
}

fn count(value: u64) -> String {
    text::grouped(&value.to_string())
}

fn histogram(counts: &[u64]) -> String {
    /// More entries than these are left to JSON.
    const MAX_SHOWN: usize = 40;
    let first = counts.iter().take_while(|&&count| count == 0).count();
    let shown: Vec<String> = counts[first..].iter().take(MAX_SHOWN).map(|&c| count(c)).collect();
    let more = if counts.len() - first > MAX_SHOWN { " … (--json has all)" } else { "" };
    format!("from {first} hops on: {}{more}", shown.join("  "))
}
