//! `nestnet simulate --checkpoint`: runs that are stopped and go on, and files that are refused.

use crate::{NESTNET, nestnet};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// A run of some seconds, with what is written down of it.
const LONG: [&str; 12] = [
    "simulate",
    "torus(8, 8)",
    "--router",
    "shortest,adaptive",
    "--load",
    "0.1,0.3",
    "--warmup",
    "1000",
    "--cycles",
    "30000",
    "--json",
    "--replies",
];

fn name(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_owned()
}

/// What it prints when it is given again and again until it is done, after it was stopped at least once.
fn again(args: &[&str], stop: impl Fn(&[&str]) -> Option<i32>) -> String {
    let mut times = 0;
    while stop(args).is_some_and(|code| code != 0) {
        times += 1;
        assert!(times < 100, "{args:?} does not get on");
    }
    assert!(times > 0, "{args:?} was never stopped");
    nestnet(args).stdout
}

#[test]
fn a_run_that_is_stopped_by_the_clock_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let (state, flows) = (name(folder.path(), "state"), name(folder.path(), "flows.csv"));
    let plain = [&LONG[..], &["2", "--per-flow", &flows]].concat();
    let expected = nestnet(&plain);
    assert_eq!(expected.code, Some(0), "{}", expected.stderr);
    let expected_flows = fs::read(&flows).unwrap();
    let kept = [&plain[..], &["--checkpoint", &state]].concat();
    let stopped = |args: &[&str]| nestnet([args, &["--max-time", "0.5"]].concat()).code;
    assert_eq!(again(&kept, stopped), expected.stdout);
    assert_eq!(fs::read(&flows).unwrap(), expected_flows);
    // On one thread too, where all has ended.
    let one = nestnet([&kept[..], &["--threads", "1"]].concat());
    assert_eq!((one.code, one.stdout), (Some(0), expected.stdout));
}

/// A length that is found, and loads that are.
#[test]
fn a_sweep_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let state = name(folder.path(), "state");
    let plain =
        ["simulate", "torus(4, 4)", "--precision", "2%", "--max-cycles", "100000", "--json"];
    let kept = [&plain[..], &["--checkpoint", &state]].concat();
    let stopped = |args: &[&str]| nestnet([args, &["--max-time", "0.5"]].concat()).code;
    assert_eq!(again(&kept, stopped), nestnet(plain).stdout);
}

#[cfg(unix)]
#[test]
fn an_interrupt_keeps_the_state() {
    let folder = tempfile::tempdir().unwrap();
    let state = name(folder.path(), "state");
    let plain = [&LONG[..], &["1"]].concat();
    let kept = [&plain[..], &["--checkpoint", &state]].concat();
    let mut child = Command::new(NESTNET)
        .args(&kept)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while !Path::new(&state).exists() {
        sleep(Duration::from_millis(5));
    }
    sleep(Duration::from_millis(300));
    let empty = fs::metadata(&state).unwrap().len();
    let kill = Command::new("sh").args(["-c", &format!("kill -INT {}", child.id())]).status();
    assert!(kill.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let length = fs::metadata(&state).unwrap().len();
    assert!(length > empty + 1000, "{length} {empty}");
    assert_eq!(nestnet(&kept).stdout, nestnet(&plain).stdout);
}

#[test]
fn a_file_of_another_run_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (state, matrix) = (name(folder.path(), "state"), name(folder.path(), "matrix.txt"));
    fs::write(&matrix, "0 1 1\n1 2 1\n2 0 1\n").unwrap();
    let traffic = format!("matrix({matrix})");
    let args =
        ["simulate", "ring(3)", "--load", "0.1", "--traffic", &traffic, "--checkpoint", &state];
    let first = nestnet(args);
    assert_eq!(first.code, Some(0), "{}", first.stderr);
    let refused = |args: &[&str], why: &str| {
        let ended = nestnet(args);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""));
        assert!(
            ended.stderr.contains("--checkpoint") || ended.stderr.contains("matrix"),
            "{}",
            ended.stderr
        );
        assert!(ended.stderr.contains(why), "{}", ended.stderr);
    };
    let other = [&args[..], &["--seed", "7", "--vcs", "3"]].concat();
    refused(&other, "it is of another run: --seed was not given, is 7, --vcs was not given, is 3");
    // What is as by default is as if it was not given.
    assert_eq!(nestnet([&args[..], &["--seed", "1"]].concat()).stdout, first.stdout);
    fs::write(&matrix, "0 2 1\n1 0 1\n2 1 1\n").unwrap();
    refused(&args, "it has changed since");
    let goal = ["simulate", "ring(3)", "--goal", "x.goal", "--checkpoint", &state];
    refused(&goal, "--goal");
}

#[test]
fn a_damaged_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let state = name(folder.path(), "state");
    let args = ["simulate", "ring(3)", "--load", "0.1", "--checkpoint", &state];
    assert_eq!(nestnet(args).code, Some(0));
    let whole = fs::read(&state).unwrap();
    let refused = |bytes: &[u8], why: &str| {
        fs::write(&state, bytes).unwrap();
        let ended = nestnet(args);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{}", bytes.len());
        assert!(ended.stderr.contains(why), "{}", ended.stderr);
    };
    refused(b"", "it is not a checkpoint");
    refused(b"a text\n", "it is not a checkpoint");
    for place in (19..whole.len()).step_by(whole.len() / 9) {
        refused(&whole[..place], "it is damaged");
        let mut other = whole.clone();
        other[place] ^= 4;
        refused(&other, "it is damaged");
    }
    fs::write(&state, &whole).unwrap();
    assert_eq!(nestnet(args).code, Some(0));
}
