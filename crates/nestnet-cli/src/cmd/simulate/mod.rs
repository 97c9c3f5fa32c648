//! `nestnet simulate`: how long do messages take under load, and how much load is too much?

mod checkpoint;
mod options;
#[cfg(feature = "parquet")]
mod parquet;
mod program;
mod show;

use crate::job::Job;
use crate::{Outcome, output, picture, text};
use anyhow::{Context as _, ensure};
use checkpoint::Store;
use nestnet::files::setup;
use nestnet::picture::{Request, Show, draw};
use nestnet::sim::{Checkpoint, Device, FailingLink, Settings, Status, random_failures};
use nestnet::simulated::{Run, Sent};
use nestnet::{Budget, Built, locate};
use std::io;
use std::path::Path;
use std::time::Duration;

pub use options::Args;

/// How long the last state of a run that is stopped may take to be written.
const WRITING: Duration = Duration::from_secs(120);

pub fn run(args: &Args, job: &Job) -> anyhow::Result<Outcome> {
    if let Some(path) = &args.output
        && !is_csv(path)
        && args.goal.is_none()
    {
        picture::Format::among(path, ".svg, .png, .pdf, .tex or .csv")?;
    }
    if let Some(path) = &args.trace {
        check_trace(path)?;
    }
    if let Some(path) = &args.picture {
        picture::Format::of(path)?;
        ensure!(args.specs.len() == 1, "--picture: it shows one network, and here are several");
    }
    let is_drawn = args.output.as_ref().is_some_and(|path| !is_csv(path)) || args.picture.is_some();
    args.setting.needs(is_drawn, "-o FILE that is a picture, or --picture FILE")?;
    if let Some(path) = &args.goal {
        return program::run(args, path, job);
    }
    let store = args.checkpoint.as_deref().map(|path| Store::open(path, args.asked()));
    let store = store.transpose().context("--checkpoint")?;
    if store.is_some() {
        job.give_time(WRITING);
    }
    let done = args.device.with(job, |devices| {
        let device = devices.simulator;
        job.with_budget(|within| all_runs(args, job, (store.as_ref(), device), &within))
    });
    job.finish();
    if let Some(store) = store {
        job.wrote(store.finish().context("--checkpoint"));
    }
    let runs = job.in_time(done)?;
    if let Some(path) = &args.output {
        job.wrote(curve(args, path, &runs).and_then(|bytes| output::write_bytes(path, &bytes)));
    }
    if let Some(path) = &args.channels {
        job.wrote(output::write_bytes(path, show::channels(&runs).as_bytes()));
    }
    if let Some(path) = &args.histogram {
        job.wrote(output::write_bytes(path, show::histogram(&runs).as_bytes()));
    }
    if let Some(path) = &args.per_host {
        job.wrote(output::write_bytes(path, show::hosts(&runs).as_bytes()));
    }
    if let Some(path) = &args.per_flow {
        job.wrote(output::write_bytes(path, show::flows(&runs).as_bytes()));
    }
    if let Some(path) = &args.trace {
        job.wrote(trace(&runs, path).and_then(|bytes| output::write_bytes(path, &bytes)));
    }
    if let (Some(path), Some(run)) = (&args.picture, runs.last()) {
        let bytes = drawn(run, path, args.setting, job);
        job.wrote(bytes.and_then(|bytes| output::write_bytes(path, &bytes)));
    }
    if args.json {
        let mut object = show::to_json(&runs)?;
        if args.utilization {
            object["utilization"] = show::utilization(&runs);
        }
        text::print_json(&object)?;
    } else {
        text::print(&show::to_text(&runs))?;
    }
    let ended = |status| {
        runs.iter().flat_map(|run| &run.found.curve.points).any(|point| point.status == status)
    };
    ensure!(!ended(Status::Stopped) && !job.is_over(), job.unfinished());
    Ok(if ended(Status::Deadlock) { Outcome::No } else { Outcome::Done })
}

/// Latency over load, as CSV or drawn.
fn curve(args: &Args, path: &Path, runs: &[Run]) -> anyhow::Result<Vec<u8>> {
    if is_csv(path) {
        return Ok(show::csv(runs).into_bytes());
    }
    let format = picture::Format::of(path)?;
    let (theme, frame) = (args.setting.theme(format), args.setting.frame());
    format.convert(&show::svg(runs, theme, frame))
}

/// An error where this build has no such file of packets.
fn check_trace(path: &Path) -> anyhow::Result<()> {
    #[cfg(not(feature = "parquet"))]
    ensure!(!has_ending(path, "parquet"), "{}: {}", path.display(), crate::left_out("Parquet"));
    let _ = path;
    Ok(())
}

/// Every packet as CSV, or as Parquet where the name ends so.
fn trace(runs: &[Run], path: &Path) -> anyhow::Result<Vec<u8>> {
    check_trace(path)?;
    #[cfg(feature = "parquet")]
    if has_ending(path, "parquet") {
        return Ok(parquet::packets(runs)?);
    }
    Ok(show::packets(runs).into_bytes())
}

/// Every network by every router; what is stopped has those that were ready.
fn all_runs(
    args: &Args,
    job: &Job,
    by: (Option<&Store>, Option<&dyn Device>),
    within: &Budget<'_>,
) -> anyhow::Result<Vec<Run>> {
    let mut runs = Vec::new();
    for text in &args.specs {
        let note = |path: &str, bytes: &[u8]| by.0.map_or(Ok(()), |store| store.note(path, bytes));
        let (spec, built) = job.build_noting(text, &note)?;
        built.network.as_ref().with_context(|| text::without_ids(&spec))?;
        for name in args.routers(&built) {
            if !runs.is_empty() && job.is_over() {
                return Ok(runs);
            }
            runs.push(simulate(args, job, by, within, (&built, &name))?);
        }
    }
    Ok(runs)
}

/// The network, colored by how busy every link was at the last load.
fn drawn(run: &Run, path: &Path, setting: picture::Setting, job: &Job) -> anyhow::Result<Vec<u8>> {
    let point = run.found.curve.points.last().context("--picture: nothing was simulated")?;
    let (load, router, traffic) = (point.offered, &run.router, &run.found.traffic);
    let show = Show::Used {
        channels: point.used.clone(),
        when: format!("{traffic} traffic at load {load} by router {router}"),
    };
    let format = picture::Format::of(path)?;
    let (theme, frame) = (setting.theme(format), setting.frame());
    let request = Request { show, theme, frame, ..Request::default() };
    let (_, built) = job.build(&run.spec)?;
    let drawn = job.with_limits(None, |limits| draw(&built, &run.spec, &request, limits))?;
    format.convert(&drawn.svg)
}

fn is_csv(path: &Path) -> bool {
    has_ending(path, "csv")
}

fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|given| given.eq_ignore_ascii_case(ending))
}

fn simulate(
    args: &Args,
    job: &Job,
    (store, device): (Option<&Store>, Option<&dyn Device>),
    within: &Budget<'_>,
    (built, router): (&Built, &str),
) -> anyhow::Result<Run> {
    let settings = args.settings()?;
    let bytes = |path: &str| -> io::Result<Vec<u8>> {
        let bytes = job.read_file(path)?;
        store.map_or(Ok(()), |store| store.note(path, &bytes)).map_err(io::Error::other)?;
        Ok(bytes)
    };
    let setup = setup(built, Some(router), &settings, &bytes, within)?.on_device(device);
    let warning = setup.warning(within);
    let named = if args.fail_rate.is_some() { "--fail-rate" } else { "--fail" };
    let setup = setup.failing(failing(args, &settings, built, within)?).context(named)?;
    let setup = if settings.vcs.is_none() { setup.widened() } else { setup };
    let read = |path: &str| {
        let text = job.read_text(path)?;
        store.map_or(Ok(()), |store| store.note(path, text.as_bytes()))?;
        Ok(text)
    };
    job.doing("cycles");
    let loads = args.loads();
    let named = store.map(|store| store.of(&built.spec().to_string(), router));
    let checkpoint = named.as_ref().map(|named| named as &dyn Checkpoint);
    let sent = Sent { traffic: &args.traffic, loads: &loads, file: &read, ..Sent::UNIFORM };
    let sent = Sent { checkpoint, ..sent };
    let sent = sent.with(&settings);
    let warning = warning.map(|warning| format!("{warning} (see `nestnet deadlock`)"));
    let warnings = warning.into_iter().chain(setup.remarks(sent.length));
    let found = setup.run(&sent, within)?;
    let warnings: Vec<String> = warnings.chain(found.warning()).collect();
    Ok(Run {
        spec: built.spec().to_string(),
        router: setup.name,
        routers_vcs: setup.routers_vcs,
        vcs: setup.config.vcs,
        found,
        warning: (!warnings.is_empty()).then(|| warnings.join("; ")),
    })
}

/// When which link fails.
fn failing(
    args: &Args,
    settings: &Settings,
    built: &Built,
    within: &Budget<'_>,
) -> anyhow::Result<Vec<FailingLink>> {
    let Some(network) = built.network.as_deref() else { return Ok(Vec::new()) };
    let mut failing = Vec::new();
    if let Some(rate) = args.fail_rate {
        let before = settings.failures_before();
        failing = random_failures(network, rate, before, settings.seed, within)?;
    }
    for text in &args.fail {
        let (link, cycle) =
            text.split_once('@').with_context(|| format!("--fail {text}: expected LINK@CYCLE"))?;
        let cycle: u64 = cycle.trim().parse().with_context(|| format!("--fail {text}"))?;
        let ends = link.split_once('-').with_context(|| format!("--fail {text}: expected u-v"))?;
        let link = (locate(network, ends.0.trim())?, locate(network, ends.1.trim())?);
        failing.push((cycle, link));
    }
    Ok(failing)
}
