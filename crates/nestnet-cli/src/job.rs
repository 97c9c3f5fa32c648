//! A long piece of work: Ctrl-C, the clock, the threads and the progress bar, which the libraries know nothing of.

use anyhow::Context as _;
use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};
use nestnet::How;
use nestnet::measure::Watch;
use nestnet::measures::{Limits as Measuring, STEPS_PER_SECOND};
use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long and on how many threads a verb may work.
#[derive(clap::Args)]
pub struct Options {
    /// The most seconds that it may take; what is finished by then is printed
    #[arg(long, value_name = "SECONDS", default_value_t = 600.0, value_parser = parse_seconds)]
    max_time: f64,
    /// How many threads work; all cores if left out. Results do not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
}

fn parse_seconds(text: &str) -> Result<f64, String> {
    let seconds: Option<f64> = text.parse().ok().filter(|s: &f64| s.is_finite() && *s > 0.0);
    seconds.ok_or_else(|| "expected a number of seconds above 0".to_owned())
}

/// Work under way.
pub struct Job {
    interrupted: Arc<AtomicBool>,
    deadline: Option<Instant>,
    seconds: f64,
    bar: ProgressBar,
}

impl Job {
    /// Starts the clock and listens for Ctrl-C.
    pub fn start(options: &Options) -> anyhow::Result<Self> {
        if let Some(threads) = options.threads {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.into());
            pool.build_global().context("cannot start the threads")?;
        }
        let interrupted = Arc::new(AtomicBool::new(false));
        let handler = interrupted.clone();
        ctrlc::set_handler(move || handler.store(true, Ordering::Relaxed))?;
        let time = Duration::try_from_secs_f64(options.max_time).ok();
        let deadline = time.and_then(|time| Instant::now().checked_add(time));
        Ok(Job { interrupted, deadline, seconds: options.max_time, bar: bar() })
    }

    /// Whether the user stopped it.
    pub fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// Whether it is to end, by the user or by the clock.
    pub fn is_over(&self) -> bool {
        self.is_interrupted() || self.deadline.is_some_and(|deadline| Instant::now() > deadline)
    }

    /// Why it ended.
    pub fn why(&self) -> String {
        if self.is_interrupted() {
            "stopped before the answer was found".to_owned()
        } else {
            format!("not finished within {} seconds (--max-time)", self.seconds)
        }
    }

    /// Says on stderr what is under way.
    pub fn doing(&self, what: &str) {
        self.bar.set_position(0);
        self.bar.reset_eta();
        self.bar.set_message(what.to_owned());
    }

    /// Runs `work` with the limits of this job.
    pub fn with_limits<T>(
        &self,
        how: Option<How>,
        max_memory: u64,
        work: impl FnOnce(Measuring<'_>) -> T,
    ) -> T {
        let stop = || self.is_over();
        let progress = |part: f64| self.bar.set_position(thousandths(part));
        let watch = Watch { stop: &stop, progress: &progress };
        // All cores together, and a little more than the clock allows, which has the last word.
        let cores = rayon::current_num_threads() as u128;
        let seconds = thousandths(self.seconds);
        let max_steps = u128::from(seconds) * STEPS_PER_SECOND * cores / 1000 * 2;
        work(Measuring { how, diameter_only: false, max_memory, max_steps, watch })
    }

    /// Takes the progress bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// A number as thousandths, as far as they can be counted.
fn thousandths(value: f64) -> u64 {
    Duration::try_from_secs_f64(value)
        .map_or(u64::MAX, |d| u64::try_from(d.as_millis()).unwrap_or(u64::MAX))
}

fn bar() -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = "{msg} {wide_bar} {percent} %, {eta} left";
    let style =
        ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(1000).with_style(style).with_finish(ProgressFinish::AndClear)
}
