//! How far may a call go, and who stops it? Ctrl-C, the clock, memory and the progress bar.
//!
//! The work runs in a thread of its own while the caller holds no lock of Python and looks every moment whether a
//! signal came. The libraries are asked to stop and mostly do so at once; whatever does not is left behind, and ends
//! when it next looks.

use crate::fault::Fault;
use crate::graphs;
use nestnet::budget::STEPS_PER_SECOND;
use nestnet::measures::Limits;
use nestnet::{Budget, Built, Context, Network, Router, Spec, Watch, build_with};
use pyo3::prelude::*;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// How often a signal is looked for.
const LOOK: Duration = Duration::from_millis(50);

/// How long the libraries have to end by themselves once they are asked to.
const GRACE: Duration = Duration::from_millis(500);

/// As deep as a nested network may be.
const STACK: usize = 64 << 20;

/// What a call may use.
#[pyclass(frozen, module = "nestnet._nestnet")]
#[derive(Debug)]
pub struct Job {
    memory: u64,
    seconds: f64,
    progress: Option<Py<PyAny>>,
}

#[pymethods]
impl Job {
    #[new]
    #[pyo3(signature = (memory, seconds, progress=None))]
    fn new(memory: u64, seconds: f64, progress: Option<Py<PyAny>>) -> Self {
        Job { memory, seconds, progress }
    }
}

/// What the worker and the caller share.
struct Shared {
    stopped: AtomicBool,
    part: AtomicU64,
    deadline: Option<Instant>,
}

impl Shared {
    fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() > deadline)
    }

    fn is_over(&self) -> bool {
        self.stopped.load(Ordering::Relaxed) || self.is_late()
    }
}

impl Job {
    /// Runs `work` in a thread; an error of Python where a signal came first.
    pub fn run<T: Send + 'static>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Budget<'_>) -> Result<T, Fault> + Send + 'static,
    ) -> PyResult<T> {
        let time = Duration::try_from_secs_f64(self.seconds).ok();
        let deadline = time.and_then(|time| Instant::now().checked_add(time));
        let (stopped, part) = (AtomicBool::new(false), AtomicU64::new(0));
        let shared = Arc::new(Shared { stopped, part, deadline });
        let (sender, receiver) = channel();
        let (inside, memory, steps) = (shared.clone(), self.memory, steps(self.seconds));
        let worker = move || {
            let stop = || inside.is_over();
            let progress = |part: f64| inside.part.store(part.to_bits(), Ordering::Relaxed);
            let watch = Watch { stop: &stop, progress: &progress };
            let budget = Budget { memory, steps, watch };
            let result = catch_unwind(AssertUnwindSafe(|| work(&budget)));
            // Whoever asked may have left.
            let _ = sender.send(result);
        };
        let spawned = thread::Builder::new().name("nestnet".to_owned()).stack_size(STACK);
        spawned.spawn(worker).map_err(Fault::from)?;
        let receiver = Mutex::new(receiver);
        let wait = |time: Duration| match receiver.lock() {
            Ok(receiver) => receiver.recv_timeout(time),
            Err(_) => Err(RecvTimeoutError::Disconnected),
        };
        loop {
            match py.detach(|| wait(LOOK)) {
                Ok(Ok(Ok(answer))) => return Ok(answer),
                Ok(Ok(Err(_))) if shared.is_late() => return Err(self.late().into()),
                Ok(Ok(Err(fault))) => return Err(fault.into()),
                Ok(Err(panic)) => return Err(Fault::ours(&panic_text(&*panic)).into()),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Fault::ours("a worker vanished").into());
                }
                Err(RecvTimeoutError::Timeout) => {
                    let stopped = py.check_signals().and_then(|()| self.tell(py, &shared));
                    if let Err(error) = stopped {
                        shared.stopped.store(true, Ordering::Relaxed);
                        let _ = py.detach(|| wait(GRACE));
                        return Err(error);
                    }
                    if shared.deadline.is_some_and(|deadline| Instant::now() > deadline + GRACE) {
                        shared.stopped.store(true, Ordering::Relaxed);
                        return Err(self.late().into());
                    }
                }
            }
        }
    }

    /// The same at once where the work is small, since a thread takes longer to start than that.
    pub fn run_unless<T: Send + 'static>(
        &self,
        is_small: bool,
        py: Python<'_>,
        work: impl FnOnce(&Budget<'_>) -> Result<T, Fault> + Send + 'static,
    ) -> PyResult<T> {
        if !is_small {
            return self.run(py, work);
        }
        let (memory, steps, watch) = (self.memory, steps(self.seconds), Watch::SILENT);
        let budget = Budget { memory, steps, watch };
        py.detach(|| at_once(|| work(&budget)))
    }

    /// Says what part is done to whoever shows it.
    fn tell(&self, py: Python<'_>, shared: &Shared) -> PyResult<()> {
        let part = f64::from_bits(shared.part.load(Ordering::Relaxed));
        match &self.progress {
            Some(progress) => progress.call1(py, (part,)).map(|_| ()),
            None => Ok(()),
        }
    }

    fn late(&self) -> Fault {
        Fault::limit(format!("not finished within {} seconds (max_time=)", self.seconds))
    }
}

/// Twice what the clock allows, which has the last word, as at the command line.
fn steps(seconds: f64) -> u128 {
    let time = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
    time.as_millis().saturating_mul(STEPS_PER_SECOND) / 1000 * 2
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "it broke".to_owned())
}

/// What is short enough to be done at once; a panic becomes an error.
pub fn at_once<T>(work: impl FnOnce() -> Result<T, Fault>) -> PyResult<T> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(answer) => Ok(answer?),
        Err(panic) => Err(Fault::ours(&panic_text(&*panic)).into()),
    }
}

/// Limits of measuring within a budget.
pub fn limits<'a>(budget: &Budget<'a>) -> Limits<'a> {
    Limits { how: None, budget: *budget }
}

/// Graphs in memory that a network depends on, which must live as long as it.
pub type Retained = Vec<Arc<dyn Network>>;

/// Runs `work` where specs may name files, and graphs that Python holds; those that were found must be kept.
pub fn with_context<T>(
    budget: &Budget<'_>,
    work: impl FnOnce(&Context<'_>) -> Result<T, Fault>,
) -> Result<(T, Retained), Fault> {
    let kept = Mutex::new(Vec::new());
    let known = |name: &str| {
        let network = graphs::find(name)?;
        if let Ok(mut kept) = kept.lock() {
            kept.push(network.clone());
        }
        Some(network)
    };
    let read = |path: &str| read_file(path, budget);
    let context = Context { read: &read, given: &known, budget: *budget };
    let done = work(&context)?;
    let kept = kept.into_inner().unwrap_or_default();
    Ok((done, kept))
}

/// The network of the spec `text`.
pub fn build(text: &str, budget: &Budget<'_>) -> Result<(Built, Retained), Fault> {
    with_context(budget, |context| Ok(build_with(&Spec::parse(text)?, text, context)?))
}

/// A file whole, if it is no larger than memory allows.
pub fn read_file(path: &str, budget: &Budget<'_>) -> io::Result<Vec<u8>> {
    let large = || {
        let limit = budget.memory;
        io::Error::other(format!("the file is larger than {limit} bytes (max_memory=)"))
    };
    if std::fs::metadata(path)?.len() > budget.memory {
        return Err(large());
    }
    std::fs::read(path)
}

/// The router of that name; `table(FILE)` follows the routes of a file.
pub fn find_router(
    built: &Built,
    name: &str,
    budget: &Budget<'_>,
) -> Result<Arc<dyn Router>, Fault> {
    Ok(nestnet::files::find_router(built, name, &|path| read_file(path, budget), budget)?)
}

/// The text of a file, for traffic that is read from one.
pub fn read_text(path: &str, budget: &Budget<'_>) -> Result<String, String> {
    let bytes = read_file(path, budget).map_err(|error| error.to_string())?;
    String::from_utf8(bytes).map_err(|_| "it is not text".to_owned())
}
