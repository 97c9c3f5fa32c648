//! Every verb says the same, byte by byte, on 1, 2 and 8 threads and when it is asked again.

use crate::{Ended, NESTNET, nestnet};
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// A command for each way in which a verb works; `{file}` is a file that it writes, and that must be the same too.
const COMMANDS: &[&[&str]] = &[
    &["info", "rdn(torus(5, 5), 2)"],
    &["info", "re(ring(4), path(3), 2, pivots=degree)"],
    &["neighbors", "rdn(ring(5), 1)", "7"],
    &["families"],
    &["draw", "rdn(ring(3), 1)", "--route", "0", "11", "--output", "{file}.svg"],
    &["view", "rdn(torus(5, 5), 4)", "1.0.0", "--find", "4711"],
    &["draw", "petersen", "--load", "--output", "{file}.svg"],
    &[
        "export",
        "hosts(rdn(torus(5, 5), 1), 2)",
        "--format",
        "graphml",
        "--output",
        "{file}.graphml",
    ],
    &["export", "rdn(ring(3), 2)", "--format", "dot", "--output", "{file}.dot"],
    &["import", "{file}.graphml"],
    &["tables", "rdn(petersen, 1)", "--format", "csv", "--output", "{file}.csv"],
    &["measure", "rsn(ring(5), 2)"],
    &["measure", "random_regular(40, 3, 1)"],
    // What takes too long is refused in the same words.
    &["measure", "rdn(ring(3), 2)", "--only", "fault_diameter", "--max-time", "60"],
    &["measure", "wk(4, 14)", "--only", "distances", "--max-time", "1"],
    &["routing", "wk(4, 9)", "--max-time", "1"],
    &["cut", "rdn(ring(3), 1)"],
    &["cut", "random_regular(60, 4, 2)"],
    &["throughput", "hosts(dragonfly(4, 2), 2)", "--traffic", "worst"],
    &["throughput", "random_regular(40, 4, 1)", "--traffic", "permutation(2)", "--loads"],
    &["throughput", "fat_tree(4)", "--router", "spread", "--traffic", "shift(3)"],
    &["route", "ccc(3)", "0", "23", "--router", "valiant", "--choice", "7"],
    &["route", "torus(6, 6)", "0", "20", "--random-faults", "0.1"],
    &["routing", "rdn(ring(4), 1)", "--random-faults", "0.1"],
    &["routing", "random_regular(60, 3, 1)", "--router", "valiant"],
    &["routing", "rdn(torus(5, 5), 3)", "--sample", "100"],
    &["paths", "rdn(petersen, 1)", "3", "157"],
    &["deadlock", "random_regular(80, 4, 1)", "--order"],
    &["deadlock", "random_regular(80, 4, 1)", "--vcs", "1"],
    &["deadlock", "random_regular(80, 4, 1)", "--assign", "--order"],
    &["deadlock", "wk(4, 10)", "--max-time", "1"],
    &["simulate", "rdn(ring(3), 1)", "--cycles", "500", "--output", "{file}.svg"],
    &["simulate", "torus(4, 4)", "--load", "0.3", "--router", "valiant", "--burst", "8"],
    &["broadcast", "random_regular(60, 4, 1)", "0", "--steps"],
    &["run", "sort", "hcn(4)", "--seed", "7"],
    &["emulate", "rsn(mesh(2, 3), 2)"],
    &["embed", "ring(20)", "petersen"],
    &["claims", "--only", "li-2009.table-2-ccc"],
    &["compare", "rdn(ring(5), 1)", "random_regular(50, 3, 1)", "--match-nodes"],
    &["report", "rdn(ring(3), 1)", "--output", "{file}.html"],
    &["design", "--nodes", "18", "--depth", "1", "--max-base", "4", "--max-degree", "4"],
    &["design", "--hosts", "60", "--radix", "10", "--depth", "0"],
    &["grow", "rdn(petersen, 1)"],
    &["resilience", "rdn(ring(3), 1)", "--trials", "50", "--at", "5%,20%"],
    &["study", "tests/data/study.toml", "--dir", "{file}.points"],
    &["study", "collect", "tests/data/study.toml", "--dir", "{file}.points", "-o", "{file}.csv"],
    &["collective", "allreduce", "torus(4, 4)"],
    &["collective", "all-to-all", "random_regular(20, 3, 1)", "--steps"],
];

/// A command of each verb that cannot be answered: refusals are the same words too.
const REFUSED: &[&[&str]] = &[
    &["info", "rdn(ring(2), 1)"],
    &["neighbors", "ring(5)", "7"],
    &["families", "hyprcube"],
    &["draw", "rcr(0, 4, 4)", "--route", "46", "12", "--output", "{file}.svg"],
    &["view", "ring(5)", "9.9"],
    &["export", "ring(5)", "--format", "grphml", "--output", "{file}.graphml"],
    &["import", "{file}.missing"],
    &["tables", "rcr(0, 4, 4)", "--format", "ibsim", "--output", "{file}.txt"],
    &["measure", "rcr(0, 4, 4)", "--only", "average_distance,diameters"],
    &["cut", "rdn(torus(5, 5), 4)"],
    &["throughput", "rcr(0, 4, 4)"],
    &["throughput", "torus(4, 4)", "--traffic", "transpose(3)"],
    &["route", "rcr(0, 4, 4)", "46", "12"],
    &["routing", "rcr(0, 4, 4)"],
    &["paths", "rcr(0, 4, 4)", "46", "12"],
    &["deadlock", "rcr(0, 4, 4)", "--assign", "--vcs", "0"],
    &["simulate", "rcr(0, 4, 4)"],
    &["simulate", "rcr(0, 4, 4)", "--load", "0.1,0.2,0.3"],
    &["broadcast", "rcr(0, 4, 4)", "0"],
    &["run", "sort", "rcr(0, 4, 4)"],
    &["emulate", "rcr(0, 4, 4)"],
    &["embed", "ring(20)", "rcr(0, 4, 4)"],
    &["claims", "--only", "li-2009.theorem-99"],
    &["compare", "rcr(0, 4, 4)", "--columns", "costs"],
    &["report", "rdn(torus(5, 5), 2", "--output", "{file}.html"],
    &["design", "--nodes", "30", "--max-degree", "2", "--max-diameter", "3", "--depth", "1"],
    &["design", "--hosts", "64", "--radix", "16", "--max-price", "1", "--depth", "0"],
    &["grow", "rdn(petersen)"],
    &["resilience", "rcr(0, 4, 4)", "--trials", "50", "--at", "5%,20%"],
    &["study", "tests/data/missing.toml", "--dir", "{file}.none"],
    &["collective", "allreduce", "rcr(0, 4, 4)"],
];

/// What a command says, and what it writes.
fn ask(command: &[&str], threads: &str, folder: &tempfile::TempDir) -> (Ended, Vec<u8>) {
    let stem = folder.path().join("out");
    let stem = stem.to_str().expect("a plain path");
    let args = command.iter().map(|arg| arg.replace("{file}", stem));
    // Verbs without an option for it use the threads that their pool starts with.
    let more: &[&str] = if has(command[0], "--threads") { &["--threads", threads] } else { &[] };
    let mut run = Command::new(NESTNET);
    run.args(args).arg("--json").args(more).env("RAYON_NUM_THREADS", threads);
    let ended = run.output().expect("the binary runs").into();
    let written = command.last().filter(|arg| arg.starts_with("{file}"));
    let written = written.map(|arg| PathBuf::from(arg.replace("{file}", stem)));
    // What is in a store is compared once it is collected.
    let written = written.filter(|path| !path.is_dir());
    // Of what is refused nothing is written.
    let written = written.and_then(|path| fs::read(path).ok());
    (ended, written.unwrap_or_default())
}

fn has(verb: &str, option: &str) -> bool {
    let help = nestnet([verb, "--help"]).stdout;
    help.lines().any(|line| line.trim_start().starts_with(option))
}

#[test]
fn every_verb_says_the_same_on_any_number_of_threads() {
    let folder = tempfile::tempdir().expect("a folder");
    for command in COMMANDS {
        let (first, written) = ask(command, "1", &folder);
        assert!(matches!(first.code, Some(0..=2)), "{command:?}: {}", first.stderr);
        let writes = command.last().is_some_and(|arg| arg.starts_with("{file}."));
        assert!(!writes || !written.is_empty() || command[0] == "study", "{command:?}");
        for threads in ["2", "8"] {
            let (again, rewritten) = ask(command, threads, &folder);
            let same = (first.code, &first.stdout, &first.stderr)
                == (again.code, &again.stdout, &again.stderr);
            let (one, other) = (first.stdout.as_str(), again.stdout.as_str());
            assert!(same, "{command:?} on {threads} threads:\n{one}{}\n{other}", first.stderr);
            assert!(written == rewritten, "{command:?} on {threads} threads writes another file");
        }
    }
}

#[test]
fn every_refusal_is_the_same_on_any_number_of_threads() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut refused = 0;
    for command in REFUSED {
        let (first, _) = ask(command, "1", &folder);
        assert!(matches!(first.code, Some(0..=2)), "{command:?}: {}", first.stderr);
        refused += u32::from(first.code != Some(0));
        for threads in ["2", "8", "2"] {
            let (again, _) = ask(command, threads, &folder);
            let said = |ended: &Ended| (ended.code, ended.stdout.clone(), ended.stderr.clone());
            assert_eq!(said(&first), said(&again), "{command:?} on {threads} threads");
        }
    }
    // What only shows is no refusal; nearly all are.
    assert!(refused as usize + 8 >= REFUSED.len(), "{refused} of {}", REFUSED.len());
}

#[test]
fn no_verb_is_omitted() {
    let help = nestnet(["--help"]).stdout;
    // A verb is at the beginning of its line; a word that is none has no help.
    let words = help.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let verbs: BTreeSet<&str> = words.filter(|word| has(word, "--json")).collect();
    for list in [COMMANDS, REFUSED] {
        let tried: BTreeSet<&str> = list.iter().map(|command| command[0]).collect();
        assert_eq!(tried, verbs);
    }
}
