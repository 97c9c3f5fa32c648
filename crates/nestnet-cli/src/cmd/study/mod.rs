//! `nestnet study`: a sweep over networks, routers, traffics, loads, seeds and faults, of which nothing is lost.

mod collect;
mod estimate;
#[cfg(feature = "parquet")]
mod parquet;
mod store;

use crate::device::Device;
use crate::job::Job;
use crate::ranks::Ranks;
use crate::{Outcome, text};
use anyhow::Context as _;
use nestnet::Watch;
use nestnet::job::{Shard, each};
use nestnet::study::{Answer, Devices, Progress, Study};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use store::Store;

#[derive(clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    disable_help_subcommand = true,
    after_help = "\
Examples:
  nestnet study sweep.toml --dry-run
  nestnet study sweep.toml
  nestnet study sweep.toml --dir store --shard 2/8
  nestnet study sweep.toml --slurm > sweep.sh
  nestnet study collect sweep.toml -o sweep

A study lists what is swept over and what is asked; every combination is a point:
  specs = [\"torus(4, 4)\", \"rdn(ring(5), 1)\"]
  seeds = 3
  [measure]
  keys = [\"diameter\", \"average_distance\"]
  [simulate]
  routers = [\"shortest\", \"valiant\"]
  loads = { from = 0.1, to = 0.5, step = 0.1 }
  [resilience]
  faults = [\"1%\", \"5%\"]
The answer of a point is one file, named by the hash of all that determines it and written whole or \
not at all. Whatever ends a run, the next one does only what is missing; a file that was torn or \
edited is noticed and made anew. `collect` makes CSV, Parquet and a page of plots. docs/studies.md \
has every key."
)]
pub struct Args {
    #[command(subcommand)]
    verb: Option<Sub>,
    /// The study
    #[arg(required = true)]
    file: Option<PathBuf>,
    /// Where answers are kept [default: the name of the file with `.points`]
    #[arg(long, value_name = "STORE")]
    dir: Option<PathBuf>,
    /// Say how many points there are and about how long they take, and do nothing
    #[arg(long)]
    dry_run: bool,
    /// Do only what is missing; always so
    #[arg(long)]
    resume: bool,
    /// Do every n-th point from the i-th on, such as 2/8: for arrays of jobs that share a store
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE)]
    shard: Shard,
    /// Print a script for Slurm that does this many shards, and do nothing
    #[arg(long, value_name = "SHARDS", num_args = 0..=1, require_equals = true, default_missing_value = "8", value_parser = crate::numbers::counts::<u64>(1..=1 << 20))]
    slurm: Option<u64>,
    /// Where searches from every node and simulations run; answers do not depend on it
    #[arg(long, value_enum, default_value_t)]
    device: Device,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(clap::Subcommand)]
enum Sub {
    /// Collect the answers of a study: CSV, Parquet, a page of plots and tables
    Collect(collect::Args),
}

pub fn run(args: &Args, job: &Job) -> anyhow::Result<Outcome> {
    if let Some(Sub::Collect(args)) = &args.verb {
        return collect::run(args, job);
    }
    let file = args.file.as_deref().context("a study is a file")?;
    let study = job.in_time(load(file, job))?;
    let folder = folder(file, args.dir.as_deref());
    if let Some(shards) = args.slurm {
        text::print(&slurm(file, &folder, shards))?;
        return Ok(Outcome::Done);
    }
    if args.dry_run {
        return estimate::run(&study, &Store::at(&folder), args.shard, args.json, job);
    }
    let ranks = Ranks::start()?;
    let store = Store::create(&folder)?;
    let done = args.device.with(job, |devices| match &ranks {
        Some(ranks) => shared(&study, &store, args.shard, ranks, &devices, job),
        None => sweep(&study, &store, args.shard, &devices, job),
    });
    job.finish();
    if ranks.is_some_and(|ranks| !ranks.is_first()) {
        return Ok(Outcome::Done);
    }
    if done.is_err() && job.is_over() {
        report(&study, &store);
    }
    show(args, &study, &store, &job.in_time(done)?)?;
    Ok(Outcome::Done)
}

/// What a run did.
struct Done {
    /// Points of the shard.
    points: u64,
    /// Those that were missing.
    made: u64,
    /// Those that have no answer at all.
    none: u64,
}

/// Does what is missing.
fn sweep(
    study: &Study,
    store: &Store,
    shard: Shard,
    devices: &Devices<'_>,
    job: &Job,
) -> anyhow::Result<Done> {
    job.with_budget(|budget| {
        let watch = &budget.watch;
        job.doing("looking for what is there");
        let none = AtomicU64::new(0);
        let is_none = |answer: &Answer| {
            none.fetch_add(u64::from(answer.is_missing()), Ordering::Relaxed);
        };
        let missing = each(study.points(), shard, watch, |number, _| {
            let found = store.read(&study.point(number));
            if let Some(answer) = &found {
                is_none(answer);
            }
            anyhow::Ok(found.is_none().then_some(number))
        })?;
        let points = missing.len() as u64;
        let missing: Vec<u64> = missing.into_iter().flatten().collect();
        job.doing("points");
        let made = each(missing.len() as u64, Shard::WHOLE, watch, |at, watch| {
            let place = usize::try_from(at)?;
            let point = study.point(missing[place]);
            // Another run may share the store.
            let answer = match store.read(&point) {
                Some(answer) => answer,
                None => {
                    let answer = point.answer_on(devices, watch)?;
                    store.write(&point, &answer)?;
                    answer
                }
            };
            is_none(&answer);
            anyhow::Ok(())
        })?;
        Ok(Done { points, made: made.len() as u64, none: none.into_inner() })
    })
}

/// Does what is missing by all ranks: the first looks for it and hands it out.
fn shared(
    study: &Study,
    store: &Store,
    shard: Shard,
    ranks: &Ranks,
    devices: &Devices<'_>,
    job: &Job,
) -> anyhow::Result<Done> {
    job.with_budget(|budget| {
        let watch = &budget.watch;
        let (mut points, mut none, mut missing) = (0, 0, Vec::new());
        if ranks.is_first() {
            let found = each(study.points(), shard, watch, |number, _| {
                anyhow::Ok((number, store.read(&study.point(number))))
            })?;
            points = found.len() as u64;
            for (number, answer) in found {
                match answer {
                    Some(answer) => none += u64::from(answer.is_missing()),
                    None => missing.push(number),
                }
            }
        }
        job.doing("points");
        let quiet = Watch { progress: &|_| (), ..*watch };
        let work = |number: u64| {
            let point = study.point(number);
            let answer = point.answer_on(devices, &quiet)?;
            store.write(&point, &answer)?;
            Ok(vec![u8::from(answer.is_missing())])
        };
        let (all, mut made) = (missing.len() as u64, 0);
        let mut take = |found: Vec<u8>| {
            made += 1;
            none += u64::from(found == [1]);
            (watch.progress)(made as f64 / all as f64);
            Ok(())
        };
        ranks.hand_out(missing, &work, &mut take)?;
        Ok(Done { points, made, none })
    })
}

/// Where a run was ended: how to go on.
fn report(study: &Study, store: &Store) {
    let there = store.count();
    let points = text::grouped(&study.points().to_string());
    eprintln!(
        "{} answers are in {}, of {points} points; the same command goes on from there",
        text::grouped(&there.to_string()),
        store.folder().display()
    );
}

fn show(args: &Args, study: &Study, store: &Store, done: &Done) -> anyhow::Result<()> {
    let count = |number: u64| text::grouped(&number.to_string());
    if args.json {
        text::print_json(&Progress {
            title: study.title.clone(),
            points: study.points(),
            shard: args.shard,
            done: done.points,
            none: done.none,
            of: study.counts(),
        })?;
        return Ok(());
    }
    let of_shard = match args.shard {
        Shard::WHOLE => String::new(),
        shard => format!(" of shard {shard}"),
    };
    let mut out = format!(
        "{}: {} points{of_shard}, {} made, {} were there, in {}\n",
        study.title,
        count(done.points),
        count(done.made),
        count(done.points - done.made),
        store.folder().display()
    );
    if done.none > 0 {
        out.push_str(&format!("{} of them have no answer, and say why\n", count(done.none)));
    }
    text::print(&out)?;
    Ok(())
}

/// The study of a file.
fn load(path: &Path, job: &Job) -> anyhow::Result<Study> {
    let name = path.to_string_lossy();
    let text = job.read_text(&name).map_err(|error| anyhow::anyhow!("{name}: {error}"))?;
    job.doing("networks");
    let study = job.with_context(|context| Study::read(&text, context));
    job.finish();
    study.with_context(|| name.into_owned())
}

/// Where answers are kept.
fn folder(file: &Path, dir: Option<&Path>) -> PathBuf {
    dir.map_or_else(|| file.with_extension("points"), Path::to_owned)
}

/// A script that does a shard in every task of an array.
fn slurm(file: &Path, folder: &Path, shards: u64) -> String {
    let quoted = |path: &Path| format!("'{}'", path.to_string_lossy().replace('\'', "'\\''"));
    let (study, store) = (quoted(file), quoted(folder));
    format!(
        "#!/bin/sh\n\
         #SBATCH --job-name=nestnet-study\n\
         #SBATCH --array=1-{shards}\n\
         #SBATCH --cpus-per-task=4\n\
         #SBATCH --time=04:00:00\n\
         # A task that is ended by its time is queued again and goes on where it was.\n\
         #SBATCH --requeue\n\
         exec nestnet study {study} --dir {store} \\\n  \
         --shard \"$SLURM_ARRAY_TASK_ID/{shards}\" --threads \"${{SLURM_CPUS_PER_TASK:-1}}\"\n\
         # Once all tasks have ended: nestnet study collect {study} --dir {store} -o NAME\n"
    )
}
