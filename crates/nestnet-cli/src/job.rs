//! How far a command may go: Ctrl-C, the clock, memory, threads and the progress bar, which the libraries know nothing of.
//!
//! The libraries are asked to stop and mostly do so at once, with what they have. A watchman makes sure: whatever still
//! runs a moment later, or takes more memory than allowed, is ended by it.

use crate::options::{Given, Limits};
use crate::output::{Outcome, is_closed_pipe};
use crate::progress::{Progress, Reader};
use crate::{output, ranks};
use anyhow::{Context as _, anyhow};
use bytesize::ByteSize;
use nestnet::budget::STEPS_PER_SECOND;
pub use nestnet::numbers::bytes as parse_size;
use nestnet::sanitize::visible_lines;

use nestnet::measures::Limits as Measuring;
use nestnet::options::DEFAULT_SECONDS;
use nestnet::{
    Budget, Built, Context, ErrorKind, HasKind, How, Interrupted, Spec, SpecError, Watch,
    build_with,
};
use serde_json::Value;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// The options that every verb shares.
#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    limits: Given<Limits>,
    /// Answer the page: errors as JSON, and files only below this folder; `-` is none
    #[arg(long, global = true, value_name = "FOLDER", hide = true)]
    served: Option<PathBuf>,
    /// Say on stderr how far it is and what was found so far, as lines of JSON
    #[arg(long, global = true, hide = true)]
    report_progress: bool,
}

impl Options {
    /// Whether it is the page that asks.
    pub fn is_served(&self) -> bool {
        self.served.is_some()
    }
}

/// How long the libraries have to end by themselves once they are asked to, and how much longer for each GiB of memory that
/// they have to look through and give back, and for each second of the time that has ended: who waits for minutes waits
/// for what was found.
const GRACE: Duration = Duration::from_millis(700);
const GRACE_OF_TIME: f64 = 0.03;
const GRACE_OF_GIB: Duration = Duration::from_millis(500);

/// How often the watchman looks.
const LOOK: Duration = Duration::from_millis(10);

/// How progress is reported.
const BAR: &str = "{msg} {wide_bar} {percent} %, {eta} left";

/// What the program itself takes, and what may come between two looks.
const SLACK: u64 = 64 << 20;

/// When to stop, as all threads see it.
struct Stop {
    interrupted: AtomicBool,
    deadline: Option<Instant>,
    seconds: f64,
    /// Milliseconds that what is kept may take to be written besides.
    writing: AtomicU64,
}

impl Stop {
    fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    fn is_over(&self) -> bool {
        // Files that are not complete are removed within the time too.
        let now = || Instant::now() + output::removal_time();
        self.is_interrupted() || self.deadline.is_some_and(|deadline| now() > deadline)
    }

    fn why(&self) -> String {
        if self.is_interrupted() {
            "stopped before the answer was found".to_owned()
        } else {
            format!("not finished within {} seconds (--max-time)", self.seconds)
        }
    }
}

/// Is shown the path and the bytes of each file that is read, and may refuse it.
pub type Note<'a> = &'a (dyn Fn(&str, &[u8]) -> Result<(), String> + Sync);

/// Work under way.
pub struct Job {
    stop: Arc<Stop>,
    memory: u64,
    /// The folder below which files may be read, where not all may.
    root: Option<PathBuf>,
    bar: Progress,
    /// Whether some file could not be written.
    unwritten: AtomicBool,
}

impl Job {
    /// Starts the clock and the watchman, and listens for Ctrl-C.
    ///
    /// Where it is unhurried, only a time that the user sets ends it.
    pub fn start(options: &Options, unhurried: bool) -> anyhow::Result<Self> {
        let limits = options.limits.settings()?;
        // Ranks are given a number of threads; where they are not, each has its own core.
        let alone = ranks::is_ranked().then_some(1);
        if let Some(threads) = limits.threads.or(alone) {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.into());
            pool.build_global().context("cannot start the threads")?;
        }
        let seconds = limits.seconds.unwrap_or(DEFAULT_SECONDS);
        let timed = !unhurried || limits.seconds.is_some();
        let time = Duration::try_from_secs_f64(seconds).ok().filter(|_| timed);
        let deadline = time.and_then(|time| Instant::now().checked_add(time));
        let stop = Arc::new(Stop {
            interrupted: AtomicBool::new(false),
            deadline,
            seconds,
            writing: AtomicU64::new(0),
        });
        let handler = stop.clone();
        ctrlc::set_handler(move || handler.interrupted.store(true, Ordering::Relaxed))?;
        let memory = limits.memory.unwrap_or_else(most_of_memory);
        let watched = stop.clone();
        thread::Builder::new()
            .name("watchman".to_owned())
            .spawn(move || keep_watch(&watched, memory))
            .context("cannot start the watchman")?;
        let reader = if options.report_progress { Reader::Program } else { Reader::Person };
        let bar = Progress::new(1000, BAR, reader);
        Ok(Job {
            stop,
            memory,
            root: options.served.clone(),
            bar,
            unwritten: AtomicBool::new(false),
        })
    }

    /// Once it is stopped it may take this longer, to write what it keeps.
    pub fn give_time(&self, time: Duration) {
        self.stop.writing.store(thousandths(time.as_secs_f64()), Ordering::Relaxed);
    }

    /// Whether the user stopped it.
    pub fn is_interrupted(&self) -> bool {
        self.stop.is_interrupted()
    }

    /// Whether it is to end, by the user or by the clock.
    pub fn is_over(&self) -> bool {
        self.stop.is_over()
    }

    /// Why it ended.
    pub fn why(&self) -> String {
        self.stop.why()
    }

    /// The same as an error; where the user stopped it, the exit code is all that says so.
    pub fn unfinished(&self) -> anyhow::Error {
        if self.is_interrupted() { Interrupted.into() } else { anyhow!(self.why()) }
    }

    /// What was found, or that it was stopped.
    pub fn answered<T, E>(&self, found: Result<T, E>) -> anyhow::Result<T>
    where
        E: HasKind + Send + Sync + 'static,
    {
        found.map_err(|error| match error.kind() {
            ErrorKind::Stopped => self.unfinished(),
            _ => error.into(),
        })
    }

    /// What was found; whatever fails when it is to end was stopped.
    pub fn in_time<T>(&self, found: anyhow::Result<T>) -> anyhow::Result<T> {
        found.map_err(|error| if self.is_over() { self.unfinished() } else { error })
    }

    /// The most memory that it may take, in bytes.
    #[cfg(any(feature = "page", feature = "gpu"))]
    pub fn memory(&self) -> u64 {
        self.memory
    }

    /// Says on stderr what is under way.
    pub fn doing(&self, what: &str) {
        self.bar.doing(what);
    }

    /// Says on stderr what part is done.
    pub fn progress(&self, part: f64) {
        self.bar.set(thousandths(part));
    }

    /// Says on stderr what was found so far; collected only where somebody reads it.
    pub fn so_far(&self, found: impl FnOnce() -> (usize, serde_json::Result<Value>)) {
        self.bar.so_far(found);
    }

    /// Says on stderr how far two bounds are apart.
    pub fn closing(&self, what: &str, low: u64, high: u64) {
        self.progress(low as f64 / high.max(1) as f64);
        self.bar.say(&format!("{what} {low} … {high}"));
    }

    /// Runs `work` within what this job may use.
    pub fn with_budget<T>(&self, work: impl FnOnce(Budget<'_>) -> T) -> T {
        let stop = || self.is_over();
        let progress = |part: f64| self.progress(part);
        let watch = Watch { stop: &stop, progress: &progress };
        // Twice what the clock allows, which has the last word; the same on any number of cores.
        let seconds = thousandths(self.stop.seconds);
        let steps = u128::from(seconds) * STEPS_PER_SECOND / 1000 * 2;
        work(Budget { memory: self.memory, steps, watch })
    }

    /// Runs `work` with the limits of this job, for distances by one method or by the best.
    pub fn with_limits<T>(&self, how: Option<How>, work: impl FnOnce(Measuring<'_>) -> T) -> T {
        self.with_budget(|budget| work(Measuring { how, budget }))
    }

    /// Calls `ask` with a context that reads files within the limits.
    pub fn with_context<T>(&self, ask: impl FnOnce(&Context<'_>) -> T) -> T {
        self.with_budget(|budget| {
            ask(&Context { read: &|path| self.read_file(path), budget, ..Context::ALONE })
        })
    }

    /// The network that `text` means, and its canonical spec.
    pub fn build(&self, text: &str) -> Result<(Spec, Built), SpecError> {
        self.build_noting(text, &|_, _| Ok(()))
    }

    /// The same, where `note` is shown each file that is read for it and may refuse it.
    pub fn build_noting(&self, text: &str, note: Note<'_>) -> Result<(Spec, Built), SpecError> {
        let spec = Spec::parse(text)?;
        let read = |path: &str| {
            let bytes = self.read_file(path)?;
            note(path, &bytes).map_err(io::Error::other)?;
            Ok(bytes)
        };
        let built = self.with_budget(|budget| {
            build_with(&spec, text, &Context { read: &read, budget, ..Context::ALONE })
        })?;
        Ok((built.spec().clone(), built))
    }

    /// The text of a file, or why there is none.
    pub fn read_text(&self, path: &str) -> Result<String, String> {
        let bytes = self.read_file(path).map_err(|error| error.to_string())?;
        String::from_utf8(bytes).map_err(|_| "it is not text".to_owned())
    }

    /// A file whole; the first part tells whether it is text, so that no device is read for ever.
    pub fn read_file(&self, path: &str) -> io::Result<Vec<u8>> {
        let too_large = || {
            let limit = ByteSize(self.memory).display().iec();
            io::Error::other(format!("the file is larger than {limit} (--max-memory)"))
        };
        let mut file = File::open(self.allowed(path)?)?;
        if file.metadata()?.len() > self.memory {
            return Err(too_large());
        }
        // A pipe or a device does not report how much will come.
        let mut bytes = Vec::new();
        loop {
            if self.is_over() {
                return Err(io::Error::other(self.why()));
            }
            let before = bytes.len();
            (&mut file).take(1 << 20).read_to_end(&mut bytes)?;
            if bytes.len() == before {
                return Ok(bytes);
            }
            if bytes[before..].contains(&0) {
                return Err(io::Error::other("it is binary, and a text is expected"));
            }
            if bytes.len() as u64 > self.memory {
                return Err(too_large());
            }
        }
    }

    /// The path itself, or where it lies below the folder to which files are held.
    fn allowed(&self, path: &str) -> io::Result<PathBuf> {
        let Some(root) = &self.root else { return Ok(path.into()) };
        let denied = || {
            let why = "files are read only below the folder of `nestnet serve --root`";
            io::Error::new(io::ErrorKind::PermissionDenied, why)
        };
        if root.as_os_str() == "-" {
            return Err(denied());
        }
        // What cannot be found is not distinguished from what may not be read.
        let file = root.join(path).canonicalize().map_err(|_| denied())?;
        if file.starts_with(root) && file.is_file() { Ok(file) } else { Err(denied()) }
    }

    /// Whether a file was written. Where it was not, this says why; the answer is printed all the same, and the exit code
    /// tells.
    pub fn wrote(&self, written: anyhow::Result<()>) -> bool {
        let Err(error) = written else { return true };
        // Whoever reads our output has seen enough.
        if !is_closed_pipe(&error) {
            self.finish();
            self.unwritten.store(true, Ordering::Relaxed);
            // When even stderr is closed, the exit code is all that is left to say.
            let _ = writeln!(io::stderr(), "error: {}", visible_lines(&format!("{error:#}")));
        }
        false
    }

    /// How a command ended that ended so but for files that could not be written.
    pub fn ended(&self, outcome: anyhow::Result<Outcome>) -> anyhow::Result<Outcome> {
        match outcome {
            Ok(Outcome::Done | Outcome::No) if self.unwritten.load(Ordering::Relaxed) => {
                Ok(Outcome::Unwritten)
            }
            Err(error) if self.is_interrupted() && error.is::<Interrupted>() => {
                Ok(Outcome::Interrupted)
            }
            outcome => outcome,
        }
    }

    /// Takes the progress bar away.
    pub fn finish(&self) {
        self.bar.clear();
    }
}

/// Ends the process where it does not end by itself.
fn keep_watch(stop: &Stop, memory: u64) {
    let most = memory.saturating_add(SLACK);
    let mut asked: Option<Instant> = None;
    loop {
        thread::sleep(LOOK);
        let held = resident().unwrap_or(0);
        if held > most {
            let limit = ByteSize(memory).display().iec();
            end(2, &format!("it takes more than {limit} of memory (--max-memory)"));
        }
        let gibs = u32::try_from(held >> 30).unwrap_or(u32::MAX);
        let writing = Duration::from_millis(stop.writing.load(Ordering::Relaxed));
        let mut grace = GRACE + GRACE_OF_GIB.saturating_mul(gibs) + writing;
        if !stop.is_interrupted() {
            let more = Duration::try_from_secs_f64(GRACE_OF_TIME * stop.seconds);
            grace = grace.saturating_add(more.unwrap_or_default());
        }
        if stop.is_over() && asked.get_or_insert_with(Instant::now).elapsed() > grace {
            end(if stop.is_interrupted() { 130 } else { 2 }, &stop.why());
        }
    }
}

/// The last word of a process.
fn end(code: i32, why: &str) -> ! {
    output::remove_unfinished();
    // When even stderr is closed, the exit code is all that is left to say.
    let _ = writeln!(io::stderr(), "error: {why}");
    std::process::exit(code)
}

/// Bytes of memory that this process holds, where the system says so.
fn resident() -> Option<u64> {
    const PAGE: u64 = 4096;
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some(pages * PAGE)
}

/// Bytes that may be taken where the system tells no number, as in a root folder without `/proc`.
const UNKNOWN_MEMORY: u64 = 4 << 30;

fn most_of_memory() -> u64 {
    let memory = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(memory);
    // Asked for limits where it knows no memory, `sysinfo` panics.
    let machine = Some(system.total_memory()).filter(|&bytes| bytes > 0);
    // A container may be granted less than the machine has.
    let granted = machine.and_then(|_| system.cgroup_limits()).map(|limits| limits.total_memory);
    most_of(machine, granted)
}

/// Four fifths of what there is.
fn most_of(machine: Option<u64>, granted: Option<u64>) -> u64 {
    let Some(machine) = machine else { return UNKNOWN_MEMORY };
    granted.map_or(machine, |granted| granted.min(machine)) / 5 * 4
}

/// A number as thousandths, as far as they can be counted.
fn thousandths(value: f64) -> u64 {
    Duration::try_from_secs_f64(value)
        .map_or(u64::MAX, |d| u64::try_from(d.as_millis()).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_four_fifths_of_what_is_granted_or_a_default() {
        assert_eq!(most_of(None, None), UNKNOWN_MEMORY);
        assert_eq!(most_of(Some(1000), None), 800);
        assert_eq!(most_of(Some(1000), Some(500)), 400);
        assert_eq!(most_of(Some(1000), Some(u64::MAX)), 800);
    }

    /// An hour is left, and the file that would have to be removed takes longer than that.
    #[test]
    fn the_removal_of_a_file_counts_in_the_time() {
        let deadline = Some(Instant::now() + std::time::Duration::from_secs(3600));
        let stop = Stop {
            interrupted: AtomicBool::new(false),
            deadline,
            seconds: 3600.0,
            writing: AtomicU64::new(0),
        };
        output::count_written(1 << 30);
        assert!(!stop.is_over());
        output::count_written(1 << 50);
        assert!(stop.is_over());
        output::count_written(0);
    }
}
