//! `nestnet simulate`: how long do messages take under load, and how much load is too much?

mod options;
mod program;
mod show;

use crate::job::Job;
use crate::{Outcome, output, picture, text};
use anyhow::{Context as _, bail};
use nestnet::budget::STEPS_PER_SECOND;
use nestnet::route::{Capped, Detouring, Faults, deadlock};
use nestnet::sim::{
    Curve, Failure, Policy, Simulation, Status, destinations, random_failures, sweep,
};
use nestnet::simulated::{router_of, traffic_of};
use nestnet::{Budget, Built, Network, Node, Router, locate, routers};
use std::path::Path;
use std::sync::Arc;

pub use options::Args;

/// What was simulated.
struct Run {
    spec: String,
    router: String,
    traffic: String,
    hosts: u64,
    routers_vcs: u16,
    vcs: u16,
    curve: Curve,
    /// Whether the loads were chosen by the program.
    swept: bool,
    warning: Option<String>,
}

pub fn run(args: &Args, job: &Job) -> anyhow::Result<Outcome> {
    if let Some(path) = &args.output
        && !is_csv(path)
    {
        picture::Format::of(path)?;
    }
    if let Some(path) = &args.goal {
        return program::run(args, path, job);
    }
    let done = job.with_budget(|within| all_runs(args, job, &within));
    job.finish();
    let runs = match done {
        Err(_) if job.is_interrupted() => return Ok(Outcome::Interrupted),
        Err(_) if job.is_over() => bail!(job.why()),
        done => done?,
    };
    if let Some(path) = &args.output {
        let bytes = match is_csv(path) {
            true => show::csv(&runs).into_bytes(),
            false => picture::Format::of(path)?.convert(&show::svg(&runs))?,
        };
        output::write_bytes(path, &bytes)?;
    }
    if let Some(path) = &args.channels {
        output::write_bytes(path, show::channels(&runs).as_bytes())?;
    }
    if args.json {
        let mut object = show::to_json(&runs);
        if args.utilization {
            object["utilization"] = show::utilization(&runs);
        }
        text::print_json(&object)?;
    } else {
        text::print(&show::to_text(&runs))?;
    }
    if job.is_interrupted() {
        return Ok(Outcome::Interrupted);
    }
    let ended =
        |status| runs.iter().flat_map(|run| &run.curve.points).any(|point| point.status == status);
    if ended(Status::Stopped) || job.is_over() {
        bail!(job.why());
    }
    Ok(if ended(Status::Deadlock) { Outcome::No } else { Outcome::Done })
}

/// Every network by every router; what is stopped has those that were ready.
fn all_runs(args: &Args, job: &Job, within: &Budget<'_>) -> anyhow::Result<Vec<Run>> {
    let mut runs = Vec::new();
    for text in &args.specs {
        let (spec, built) = job.build(text)?;
        let network = built.network.clone().with_context(|| text::without_ids(&spec))?;
        let names: Vec<&str> = match &args.router[..] {
            [] => vec![routers::default_name(&built)],
            names => names.iter().map(String::as_str).collect(),
        };
        for name in names {
            if !runs.is_empty() && job.is_over() {
                return Ok(runs);
            }
            runs.push(simulate(args, job, within, (&built, &network), name)?);
        }
    }
    Ok(runs)
}

fn is_csv(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("csv"))
}

fn simulate(
    args: &Args,
    job: &Job,
    within: &Budget<'_>,
    (built, network): (&Built, &Arc<dyn Network>),
    name: &str,
) -> anyhow::Result<Run> {
    let (router, policy) = router(args, name, built, within)?;
    let mut config = args.config();
    config.policy = policy;
    config.vcs = args.vcs.unwrap_or(router.vcs().max(4));
    let own = router.vcs();
    let router: Arc<dyn Router> =
        if own > config.vcs { Arc::new(Capped::new(router, config.vcs)) } else { router };
    let read = |path: &str| job.read_text(path);
    let traffic = traffic_of(built, &args.traffic, name, &read, within)?;
    let warning = warning(&**network, &*router, within);
    let detours = detours(args, network, &router, within)?;
    let failing = detours.iter().map(|(cycle, link, router)| Failure {
        cycle: *cycle,
        links: vec![*link],
        router: &**router,
    });
    if let Some((_, _, detour)) = detours.last()
        && args.vcs.is_none()
    {
        config.vcs = config.vcs.max(detour.vcs());
    }
    let simulation = Simulation::new(&**network, &*router, &config, within)?;
    let simulation = simulation.with_failures(failing.collect())?;
    let destination = destinations(&traffic, args.own());
    let (window, seed) = (args.window(), args.seed);
    job.doing("cycles");
    let curve = match &args.load[..] {
        [] => sweep(&simulation, &destination, window, seed, within)?,
        loads => simulation.points(&destination, loads, window, seed, within)?,
    };
    Ok(Run {
        spec: built.spec().to_string(),
        router: name.to_owned(),
        traffic: traffic.name.clone(),
        hosts: simulation.hosts(),
        routers_vcs: own,
        vcs: config.vcs,
        curve,
        swept: args.load.is_empty(),
        warning,
    })
}

/// The router of that name, and how packets choose among its ways.
fn router(
    args: &Args,
    name: &str,
    built: &Built,
    within: &Budget<'_>,
) -> anyhow::Result<(Arc<dyn Router>, Policy)> {
    let (router, policy) = router_of(built, name, within)?;
    match (args.adaptive, policy) {
        (true, Policy::Oblivious) if router.adapts() => Ok((router, Policy::Adaptive)),
        (true, Policy::Oblivious) => {
            bail!("--adaptive: router `{name}` has only one way to go on")
        }
        _ => Ok((router, policy)),
    }
}

/// For each link that fails, in the order of cycles, a router that knows of it and of those before.
fn detours(
    args: &Args,
    network: &Arc<dyn Network>,
    router: &Arc<dyn Router>,
    within: &Budget<'_>,
) -> anyhow::Result<Vec<Detour>> {
    /// Each needs a router of its own.
    const MOST: usize = 1 << 8;
    let mut failing = Vec::new();
    if let Some(rate) = args.fail_rate {
        let window = args.window();
        let cycles = window.warmup.saturating_add(window.cycles);
        failing = random_failures(&**network, rate, cycles, args.seed, within)?;
        if failing.len() > MOST {
            bail!(
                "--fail-rate {rate}: {} links would fail in {cycles} cycles, at most {MOST} may",
                failing.len()
            );
        }
    }
    for text in &args.fail {
        let (link, cycle) =
            text.split_once('@').with_context(|| format!("--fail {text}: expected LINK@CYCLE"))?;
        let cycle: u64 = cycle.trim().parse().with_context(|| format!("--fail {text}"))?;
        let ends = link.split_once('-').with_context(|| format!("--fail {text}: expected u-v"))?;
        let link = (locate(&**network, ends.0.trim())?, locate(&**network, ends.1.trim())?);
        failing.push((cycle, link));
    }
    failing.sort_unstable();
    let mut faults = Faults::default();
    let mut detours = Vec::new();
    for (cycle, link) in failing {
        faults.fail_link(link.0, link.1);
        faults.check(&**network).context("--fail")?;
        let faults = Arc::new(faults.clone());
        let detour = Detouring::new(network.clone(), router.clone(), faults)?;
        detours.push((cycle, link, Arc::new(detour) as Arc<dyn Router>));
    }
    Ok(detours)
}

/// When which link fails, and how to go around it.
type Detour = (u64, (Node, Node), Arc<dyn Router>);

/// What the certifier says, where that takes no more than a moment.
fn warning(network: &dyn Network, router: &dyn Router, within: &Budget<'_>) -> Option<String> {
    let moment = Budget { steps: (STEPS_PER_SECOND / 4).min(within.steps), ..*within };
    match deadlock::certify(network, router, &moment) {
        Ok(certificate) if !certificate.is_free() => {
            Some("messages can wait for each other in a circle (see `nestnet deadlock`)".to_owned())
        }
        _ => None,
    }
}
