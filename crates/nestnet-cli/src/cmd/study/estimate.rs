//! How many points are there, and about how long do they take? A few of each question are tried against the clock.

use super::store::Store;
use crate::job::Job;
use crate::{Outcome, text};
use anyhow::ensure;
use nestnet::Watch;
use nestnet::job::{Shard, each};
use nestnet::study::{Estimate, Study};
use std::time::{Duration, Instant};

/// A question is tried no longer.
const TRIAL: Duration = Duration::from_millis(1500);

/// Nor more often.
const MOST: u64 = 16;

/// What a question takes.
struct Taken {
    name: &'static str,
    points: u64,
    missing: u64,
    tried: u64,
    /// Seconds of a core for all that are missing.
    seconds: f64,
    /// Whether no point ended in time, so that it takes longer than said.
    at_least: bool,
}

pub fn run(
    study: &Study,
    store: &Store,
    shard: Shard,
    as_json: bool,
    job: &Job,
) -> anyhow::Result<Outcome> {
    job.doing("trying points");
    let taken = job.with_budget(|budget| {
        let missing = each(study.points(), shard, &budget.watch, |number, _| {
            anyhow::Ok((number, store.read(&study.point(number)).is_none()))
        })?;
        let mut first = 0;
        let mut all = Vec::new();
        for (question, count) in study.points_of() {
            let own: Vec<(u64, bool)> = missing
                .iter()
                .copied()
                .filter(|(number, _)| (first..first + count).contains(number))
                .collect();
            first += count;
            let left = own.iter().filter(|(_, missing)| *missing).map(|(number, _)| *number);
            let left: Vec<u64> = left.collect();
            all.push(tried(study, question.name(), own.len() as u64, &left, &budget.watch));
        }
        anyhow::Ok(all)
    });
    job.finish();
    ensure!(!job.is_over(), job.unfinished());
    let taken = taken?;
    let missing: u64 = taken.iter().map(|taken| taken.missing).sum();
    let threads = rayon::current_num_threads();
    let seconds = taken.iter().map(|taken| taken.seconds).sum::<f64>() / threads as f64;
    let at_least = taken.iter().any(|taken| taken.at_least);
    if as_json {
        text::print_json(&Estimate {
            title: study.title.clone(),
            points: study.points(),
            shard,
            missing,
            of: study.counts(),
            seconds,
            at_least,
            threads,
        })?;
        return Ok(Outcome::Done);
    }
    let count = |number: u64| text::grouped(&number.to_string());
    let mut rows = vec![["question", "points", "missing", "about"].map(str::to_owned)];
    for one in &taken {
        let about = match (one.missing, one.tried) {
            (0, _) => "done".to_owned(),
            (_, 0) => "?".to_owned(),
            _ => duration_text(one.seconds / threads as f64, one.at_least),
        };
        rows.push([one.name.to_owned(), count(one.points), count(one.missing), about]);
    }
    let tried: u64 = taken.iter().map(|taken| taken.tried).sum();
    let about = duration_text(seconds, at_least);
    let ends = if missing == 0 {
        "nothing is missing\n".to_owned()
    } else {
        format!("about {about} on {threads} threads, by {} points that were tried\n", count(tried))
    };
    let all = count(study.points());
    let networks = study.specs().count();
    let some = if networks == 1 { "network" } else { "networks" };
    let title = format!("{}: {all} points of {networks} {some}\n", study.title);
    text::print(&format!("{title}{}{ends}", text::columns(&rows)))?;
    Ok(Outcome::Done)
}

/// Tries points that lie far from each other until the time is up.
fn tried(
    study: &Study,
    name: &'static str,
    points: u64,
    missing: &[u64],
    watch: &Watch<'_>,
) -> Taken {
    let begun = Instant::now();
    let all = missing.len() as u64;
    let (mut tried, mut ended) = (0u64, 0u64);
    let stop = || (watch.stop)() || begun.elapsed() > TRIAL;
    let short = Watch { stop: &stop, progress: &|_| () };
    // The golden section leaves no part of the list out.
    let mut place = 0.5;
    while tried < all.min(MOST) && !stop() {
        let at = (place * missing.len() as f64).floor();
        let at = missing.iter().enumerate().find(|(number, _)| *number as f64 >= at);
        if let Some((_, &number)) = at {
            tried += 1;
            ended += u64::from(study.point(number).answer(&short).is_ok());
        }
        place = (place + 0.618_033_988_749_895) % 1.0;
    }
    let each = begun.elapsed().as_secs_f64() / tried.max(1) as f64;
    Taken { name, points, missing: all, tried, seconds: each * all as f64, at_least: ended < tried }
}

/// A time for people.
fn duration_text(seconds: f64, at_least: bool) -> String {
    let (number, unit) = match seconds {
        s if s < 100.0 => (s, "seconds"),
        s if s < 6000.0 => (s / 60.0, "minutes"),
        s if s < 360_000.0 => (s / 3600.0, "hours"),
        s => (s / 86400.0, "days"),
    };
    let digits = usize::from(number < 10.0);
    let more = if at_least { " or more" } else { "" };
    format!("{number:.digits$} {unit}{more}")
}
