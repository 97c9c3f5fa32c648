//! Whatever a verb is asked, it keeps to its time, its memory, and the first signal.

use crate::{NESTNET, nestnet};
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A study of points that take hours.
const ENDLESS_STUDY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/endless.toml");

/// Each verb on something that would take minutes or more than all memory; `-o` goes to a folder of the test.
const ENDLESS: &[&[&str]] = &[
    &["info", "random_regular(40000000, 8, 1)"],
    &["neighbors", "complete(4000000000)", "0"],
    &["draw", "random_regular(3000000, 8, 1)", "-o", "x.svg"],
    &["view", "random_regular(40000000, 8, 1)"],
    &["serve", "--no-open"],
    &["edges", "hypercube(32)", "--max-links", "1000000000000", "-o", "x.txt"],
    &["edges", "rcr(0, 2, 61)", "-o", "x.txt"],
    &["export", "hypercube(32)", "--max-links", "1000000000000", "-o", "x.graphml"],
    &["export", "rcr(0, 2, 61)", "--max-links", "1000000000000000000000", "-o", "x.mtx"],
    &["import", "/dev/zero"],
    &["tables", "random_regular(20000, 6, 1)", "-o", "x.txt"],
    &["measure", "random_regular(100000, 6, 1)", "--only", "diameter,bisection"],
    &["measure", "random_regular(200000, 4, 1)", "--only", "connectivity"],
    &["measure", "hypercube(18)", "--only", "symmetry"],
    &["measure", "random_regular(30000, 6, 1)", "--only", "load,spectrum,faults"],
    &["cut", "rdn(hypercube(3), 2)"],
    &["throughput", "random_regular(3000, 8, 1)", "--traffic", "worst"],
    &["throughput", "random_regular(2000, 8, 1)", "--traffic", "permutation(1)", "--gap", "0"],
    &["route", "random_regular(30000000, 4, 1)", "0", "1"],
    &["routing", "random_regular(100000, 4, 1)", "--sample", "1000000"],
    &["paths", "random_regular(10000000, 4, 1)", "0", "1"],
    &["deadlock", "random_regular(20000, 6, 1)"],
    &["simulate", "torus(16, 16)", "--cycles", "1G", "--load", "0.3"],
    &["simulate", "random_regular(100000, 6, 1)"],
    &["broadcast", "hypercube(27)", "0", "--algorithm", "best"],
    &["run", "sort", "hypercube(24)"],
    &["emulate", "rsn(hypercube(5), 3)"],
    &["embed", "random_regular(4096, 4, 1)", "random_regular(4096, 4, 2)"],
    &["claims", "--slow"],
    &["compare", "random_regular(200000, 8, 1)", "--also", "bisection"],
    &["report", "random_regular(300000, 8, 1)", "-o", "x.html"],
    &["design", "--nodes", "1000000000000", "--max-degree", "16", "--no-report"],
    &["design", "--hosts", "1000000", "--radix", "64", "--depth", "3", "--no-report"],
    &["grow", "rsn(hypercube(4), 4)"],
    &["resilience", "random_regular(3000, 8, 1)", "--trials", "1M"],
    &["study", ENDLESS_STUDY, "--dir", "points"],
    &["merge", "/dev/zero"],
    &["collective", "allgather", "random_regular(3000, 4, 1)"],
];

/// Far more than a second, and far less than any of these takes: by the clock, and of the processor.
const SOON: Duration = Duration::from_secs(20);

/// By the clock alone, since on a busy machine the processor may be with others.
const EVER: Duration = Duration::from_secs(300);

/// How long the processor was with a process; where nobody tells, all the time since it began.
fn spent(child: &Child, begun: Instant) -> Duration {
    let stat = fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap_or_default();
    let after = stat.rsplit_once(')').map_or("", |(_, after)| after);
    // Hundredths of a second, for itself and for the system.
    let ticks = after.split_ascii_whitespace().skip(11).take(2).map(str::parse::<u64>);
    match ticks.collect::<Result<Vec<_>, _>>() {
        Ok(ticks) if ticks.len() == 2 => Duration::from_millis(10 * ticks.iter().sum::<u64>()),
        _ => begun.elapsed(),
    }
}

/// Kills what should have ended.
fn is_late(child: &mut Child, begun: Instant, spent_before: Duration) -> bool {
    let worked = spent(child, begun).saturating_sub(spent_before);
    let late = begun.elapsed() > SOON && worked > SOON || begun.elapsed() > EVER;
    if late {
        child.kill().expect("it is ours");
    }
    late
}

fn start(args: &[&str], folder: &Path) -> Child {
    let mut command = Command::new(NESTNET);
    command.args(args).current_dir(folder).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("the binary runs")
}

/// Waits for it to end, and fails where it does not.
fn end(mut child: Child, args: &[&str]) -> Option<i32> {
    let begun = Instant::now();
    let spent = spent(&child, begun);
    loop {
        if let Some(status) = child.try_wait().expect("it is ours") {
            return status.code();
        }
        assert!(!is_late(&mut child, begun, spent), "{args:?} does not end");
        sleep(Duration::from_millis(10));
    }
}

/// Nothing half-written is left in the folder.
fn is_clean(folder: &Path) -> bool {
    let names = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a name"));
    names.into_iter().all(|entry| !entry.file_name().to_string_lossy().starts_with(".nestnet-"))
}

#[test]
fn every_verb_ends_in_time() {
    let folder = tempfile::tempdir().expect("a folder");
    for args in ENDLESS {
        let limited = [*args, &["--max-time", "0.3"]].concat();
        let code = end(start(&limited, folder.path()), &limited);
        assert!(matches!(code, Some(0..=2)), "{args:?}: {code:?}");
        assert!(is_clean(folder.path()), "{args:?}");
    }
}

/// One rule for all verbs: what is finished is printed, the exit code is 2, and stderr names the limit.
#[test]
fn what_the_time_stops_has_one_exit_code() {
    let cut = "rdn(hypercube(3), 2)";
    for (args, printed) in [
        (["cut", cut].as_slice(), "not finished"),
        (&["measure", cut, "--only", "size,bisection"], "not finished"),
        (&["simulate", "torus(16, 16)", "--cycles", "1G", "--load", "0.3"], "stopped"),
        (&["claims", "li-2009", "--slow"], "not finished"),
        (&["routing", "random_regular(100000, 4, 1)", "--sample", "1000000"], ""),
    ] {
        let ended = nestnet([args, &["--max-time", "2"]].concat());
        assert_eq!(ended.code, Some(2), "{args:?}: {}{}", ended.stdout, ended.stderr);
        assert!(ended.stdout.contains(printed), "{args:?}: {}", ended.stdout);
        assert!(ended.stderr.contains("(--max-time)"), "{args:?}: {}", ended.stderr);
    }
}

/// Whether a process listens to both signals; where nobody tells, whether it had the time to.
#[cfg(unix)]
fn listens(child: &Child, begun: Instant) -> bool {
    const INT_AND_TERM: u64 = 1 << 1 | 1 << 14;
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    match caught.map(|mask| u64::from_str_radix(mask.trim(), 16)) {
        Some(Ok(mask)) => mask & INT_AND_TERM == INT_AND_TERM,
        _ => begun.elapsed() > Duration::from_secs(1),
    }
}

/// Waits until it is in the middle of its work, or waits itself. Whether it has not ended by then.
#[cfg(unix)]
fn is_at_work(child: &mut Child, args: &[&str]) -> bool {
    let begun = Instant::now();
    let mut since = None;
    while child.try_wait().expect("it is ours").is_none() {
        if since.is_none() && listens(child, begun) {
            since = Some(Instant::now());
        }
        let waited = since.is_some_and(|since: Instant| since.elapsed() > Duration::from_secs(1));
        if waited || since.is_some() && spent(child, begun) > Duration::from_millis(200) {
            return true;
        }
        assert!(!is_late(child, begun, Duration::ZERO), "{args:?} does not listen");
        sleep(Duration::from_millis(5));
    }
    false
}

#[cfg(unix)]
#[test]
fn every_verb_ends_at_the_first_signal() {
    let folder = tempfile::tempdir().expect("a folder");
    for (args, signal) in ENDLESS.iter().zip(["-TERM", "-INT"].into_iter().cycle()) {
        let mut child = start(args, folder.path());
        // One that has ended is not there to be stopped, and must have ended well.
        if is_at_work(&mut child, args) {
            let sent = Command::new("kill").args([signal, &child.id().to_string()]).status();
            assert!(sent.expect("it runs").success(), "{args:?}");
        }
        let code = end(child, args);
        assert!(matches!(code, Some(130 | 0..=2)), "{args:?}: {code:?}");
        assert!(is_clean(folder.path()), "{args:?}");
    }
}

/// The most memory that a process had so far, in bytes.
#[cfg(target_os = "linux")]
fn peak(child: &Child) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(target_os = "linux")]
#[test]
fn every_verb_keeps_to_its_memory() {
    const LIMIT: u64 = 30 << 20;
    let folder = tempfile::tempdir().expect("a folder");
    for args in ENDLESS {
        let limited = [*args, &["--max-memory", "30MiB", "--max-time", "1"]].concat();
        let mut child = start(&limited, folder.path());
        let (begun, mut most) = (Instant::now(), 0);
        while child.try_wait().expect("it is ours").is_none() {
            most = most.max(peak(&child).unwrap_or(0));
            assert!(!is_late(&mut child, begun, Duration::ZERO), "{args:?} does not end");
            sleep(Duration::from_millis(2));
        }
        assert!(most <= LIMIT + (100 << 20), "{args:?} took {} MiB", most >> 20);
    }
}

#[test]
fn random_faults_write_nothing_down() {
    let args = ["--random-faults", "0.1", "--max-memory", "10MB", "--max-time", "10"];
    let ended = nestnet(["route", "complete(100000)", "0", "1"].iter().chain(&args));
    assert!(matches!(ended.code, Some(0 | 2)), "{}", ended.stderr);
    assert!(!ended.stderr.contains("--max"), "{}", ended.stderr);
}

#[test]
fn long_specs_are_answered_at_once() {
    let phases = format!("re([{}], ring(5))", ["ring(4)"; 5000].join(", "));
    for spec in [
        "root_folded(star(5), 30000)",
        "flooded(path(2), 3000)",
        "hsn(path(2), 100000)",
        "rcr_cayley(12, 1, 0)",
        &phases,
    ] {
        let ended = nestnet(["info", spec, "--max-time", "10"]);
        let begin: String = spec.chars().take(40).collect();
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{begin}");
    }
}

#[test]
fn what_has_no_links_has_no_lines() {
    let ended = nestnet(["edges", "rcr(0, 1, 60)"]);
    assert_eq!((ended.code, ended.stdout.as_str(), ended.stderr.as_str()), (Some(0), "", ""));
}

#[cfg(unix)]
#[test]
fn devices_are_not_read_for_ever() {
    let ended = nestnet(["info", "file(\"/dev/zero\")"]);
    assert_eq!(ended.code, Some(2));
    assert!(ended.stderr.contains("binary"), "{}", ended.stderr);
}
