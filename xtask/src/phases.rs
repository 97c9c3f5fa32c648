//! What goes on during a long run? Phases by number with their times, and a line every few seconds.

use crate::setup::Skipped;
use anyhow::Result;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
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
    skipped: Vec<Skipped>,
    is_over: bool,
}

impl Phases {
    /// A run of so many phases.
    pub fn new(total: usize) -> Self {
        Phases { total, state: Mutex::default(), ended: Condvar::new() }
    }

    /// Runs phases while the running ones are named every few seconds, and names at the end what was skipped.
    pub fn with_beats(&self, run: impl FnOnce() -> Result<()>) -> Result<()> {
        let begin = Instant::now();
        let result = thread::scope(|scope| {
            scope.spawn(|| self.beat());
            let result = run();
            self.state().is_over = true;
            self.ended.notify_all();
            result
        });
        for one in &self.state().skipped {
            eprintln!("== {one}");
        }
        eprintln!("== {} in all", time(begin.elapsed()));
        result
    }

    /// Runs a phase, and says when it begins and how long it took.
    pub fn run(
        &self,
        name: &'static str,
        work: impl FnOnce() -> Result<Vec<Skipped>>,
    ) -> Result<()> {
        let begin = Instant::now();
        let number = {
            let mut state = self.state();
            state.begun += 1;
            let number = state.begun;
            state.running.push((number, name, begin));
            number
        };
        let total = self.total;
        eprintln!("== [{number}/{total}] {name}");
        let result = work();
        let mut state = self.state();
        state.running.retain(|(running, ..)| *running != number);
        let end = if result.is_ok() { "done" } else { "FAILED" };
        eprintln!("== [{number}/{total}] {name}: {end} after {}", time(begin.elapsed()));
        state.skipped.extend(result?);
        Ok(())
    }

    /// Names the running phases every few seconds until all are over.
    fn beat(&self) {
        let mut state = self.state();
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

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A time to the second.
fn time(duration: Duration) -> String {
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
    fn what_is_skipped_is_kept_where_a_later_phase_fails() {
        let phases = Phases::new(2);
        let skipped = Skipped::new("a check", "there is no tool");
        let result = phases.with_beats(|| {
            phases.run("one", || Ok(vec![skipped.clone()]))?;
            phases.run("two", || anyhow::bail!("no"))
        });
        assert!(result.is_err());
        assert_eq!(phases.state().skipped, [skipped]);
    }
}
