//! What goes on during a long run? Phases by number with their times, and a line every few seconds.

use anyhow::Result;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often a phase that has not ended is named.
const BEAT: Duration = Duration::from_secs(10);

/// The phases of a run, numbered as they begin.
pub struct Phases {
    total: usize,
    state: Mutex<State>,
    ended: Condvar,
}

#[derive(Default)]
struct State {
    begun: usize,
    running: Vec<(usize, &'static str, Instant)>,
    is_over: bool,
}

impl Phases {
    /// A run of so many phases.
    pub fn new(total: usize) -> Self {
        Phases { total, state: Mutex::default(), ended: Condvar::new() }
    }

    /// Runs a phase, and says when it begins and how long it took.
    pub fn run<T>(&self, name: &'static str, work: impl FnOnce() -> Result<T>) -> Result<T> {
        let begin = Instant::now();
        let number = {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            state.begun += 1;
            let number = state.begun;
            state.running.push((number, name, begin));
            number
        };
        let total = self.total;
        eprintln!("== [{number}/{total}] {name}");
        let result = work();
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.running.retain(|(running, ..)| *running != number);
        let end = if result.is_ok() { "done" } else { "FAILED" };
        eprintln!("== [{number}/{total}] {name}: {end} after {}", time(begin.elapsed()));
        result
    }

    /// Names the running phases every few seconds until `end`.
    pub fn beat(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        while !state.is_over {
            let waited = self.ended.wait_timeout(state, BEAT);
            let (guard, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
            state = guard;
            if timeout.timed_out() {
                let name = |(number, name, begin): &(usize, &str, Instant)| {
                    format!("[{number}/{}] {name}: {}", self.total, time(begin.elapsed()))
                };
                let names: Vec<String> = state.running.iter().map(name).collect();
                if !names.is_empty() {
                    eprintln!("   {}", names.join(", "));
                }
            }
        }
    }

    /// Ends what names them.
    pub fn end(&self) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).is_over = true;
        self.ended.notify_all();
    }
}

/// A time to the second.
pub fn time(duration: Duration) -> String {
    match duration.as_secs() {
        seconds @ ..60 => format!("{seconds} s"),
        seconds => format!("{} min {} s", seconds / 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_at_once() {
        assert_eq!(time(Duration::from_millis(59_900)), "59 s");
        assert_eq!(time(Duration::from_secs(61)), "1 min 1 s");
    }

    #[test]
    fn a_phase_gives_what_its_work_gives() {
        let phases = Phases::new(2);
        assert_eq!(phases.run("one", || Ok(1)).unwrap(), 1);
        assert!(phases.run("two", || -> Result<()> { anyhow::bail!("no") }).is_err());
        phases.end();
        phases.beat();
    }
}
