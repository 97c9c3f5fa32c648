//! How much processor time and memory does something take?

use anyhow::Result;
use std::time::{Duration, Instant};

/// A job is done this often at most; peers keep the same rule.
const MAX_RUNS: u32 = 20;

/// The least time of several runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Time {
    /// Seconds of the processor.
    pub cpu: f64,
    /// Seconds of the clock on the wall.
    pub wall: f64,
    /// How often it was done.
    pub runs: u32,
}

/// Does `job` until `seconds` have passed, at least once, and gives its answer with the least time.
pub fn best_of<T>(seconds: f64, mut job: impl FnMut() -> Result<T>) -> Result<(T, Time)> {
    let begin = Instant::now();
    let mut time = Time { cpu: f64::INFINITY, wall: f64::INFINITY, runs: 0 };
    loop {
        let (cpu, wall) = (processor_time(), Instant::now());
        let answer = job()?;
        time.wall = time.wall.min(wall.elapsed().as_secs_f64());
        time.cpu = time.cpu.min((processor_time() - cpu).as_secs_f64());
        time.runs += 1;
        if time.runs == MAX_RUNS || begin.elapsed().as_secs_f64() > seconds {
            return Ok((answer, time));
        }
    }
}

/// What all threads of this process have used so far.
#[cfg(unix)]
fn processor_time() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::try_from(time).expect("processor time is not negative")
}

/// The wall clock, which is at least as much on one thread.
#[cfg(not(unix))]
fn processor_time() -> Duration {
    use std::sync::OnceLock;
    static BEGIN: OnceLock<Instant> = OnceLock::new();
    BEGIN.get_or_init(Instant::now).elapsed()
}

/// Bytes of memory at the highest point of this process, where the system tells.
pub fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    kibibytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_counted_and_the_least_time_is_kept() {
        let mut done = 0;
        let (answer, time) = best_of(60.0, || {
            done += 1;
            Ok(done)
        })
        .unwrap();
        assert_eq!((answer, time.runs), (MAX_RUNS, MAX_RUNS));
        assert!(time.wall >= 0.0 && time.wall.is_finite() && time.cpu.is_finite());
        let sleep = || {
            std::thread::sleep(Duration::from_millis(5));
            Ok(())
        };
        let (_, once) = best_of(0.0, sleep).unwrap();
        assert_eq!(once.runs, 1);
        assert!(once.wall >= 0.005);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn memory_has_a_peak() {
        let before = peak().unwrap();
        let much = std::hint::black_box(vec![1u8; 256 << 20]);
        assert!(peak().unwrap() >= before.max(much.len() as u64));
    }
}
