//! A command that is cut into shards says, once they are merged, byte for byte what it says whole.

use crate::{Ended, nestnet};
use std::fs;
use std::path::Path;

/// What all shards of a command say together, merged in another order than they were made in.
fn merged(command: &[&str], count: usize, folder: &Path) -> Ended {
    let parts: Vec<String> =
        (1..=count).map(|at| folder.join(format!("{at}.json")).display().to_string()).collect();
    for (at, part) in (1..).zip(&parts) {
        let shard = format!("{at}/{count}");
        let args = [command, &["--shard", &shard, "--part", part]].concat();
        let ended = nestnet(&args);
        assert_eq!(
            (ended.code, ended.stdout.as_str()),
            (Some(0), ""),
            "{args:?}: {}",
            ended.stderr
        );
    }
    nestnet(["merge"].into_iter().chain(parts.iter().rev().map(String::as_str)))
}

#[test]
fn merged_shards_are_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let commands: [&[&str]; 17] = [
        &["measure", "random_regular(9000, 3, 1)", "--only", "distances"],
        &["measure", "random_regular(5000, 3, 2)", "--only", "distances,quality,size", "--json"],
        &["measure", "torus(5, 5)", "--only", "distances,size", "--how", "exhaustive", "--json"],
        // What a theorem tells is not searched for.
        &["measure", "torus(5, 5)", "--only", "distances"],
        &["measure", "rcr(1, 1, 3)", "--only", "distances,structure"],
        &["routing", "rdn(petersen, 1)", "--router", "paper"],
        &["routing", "torus(9, 9)", "--random-faults", "0.05", "--seed", "3", "--json"],
        &["routing", "fat_tree(4)", "--router", "spread", "--json"],
        &["deadlock", "random_regular(80, 4, 1)", "--order"],
        &["deadlock", "random_regular(80, 4, 1)", "--vcs", "1", "--json"],
        &["deadlock", "rsn(hypercube(3), 1)", "--json"],
        &["deadlock", "torus(4, 4)", "--faults", "0-1", "--router", "valiant"],
        &["design", "--nodes", "24", "--max-degree", "4", "--max-base", "6", "--no-report"],
        &["design", "--nodes=24", "--max-degree=4", "--objective=vcs,cost", "--depth=1", "--json"],
        // Nothing fits: which limit must give is found by the whole.
        &["design", "--nodes=30", "--max-degree=2", "--max-diameter=3", "--depth=1", "--no-report"],
        &["claims", "--only", "li-2009.table-2,sun-2000.property-1", "--json"],
        &["claims", "li-2009", "--verdict", "misprint", "--json"],
    ];
    for command in commands {
        let whole = nestnet(command);
        for count in [1, 3] {
            let merged = merged(command, count, folder.path());
            let same = (whole.code, &whole.stdout, &whole.stderr)
                == (merged.code, &merged.stdout, &merged.stderr);
            assert!(
                same,
                "{command:?}\n{}{}\n{}{}",
                whole.stdout, whole.stderr, merged.stdout, merged.stderr
            );
        }
    }
}

#[test]
fn only_the_parts_of_one_command_are_merged() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let make = |spec: &str, shard: &str, name: &str| {
        let part = path(name);
        let ended =
            nestnet(["measure", spec, "--only", "distances", "--shard", shard, "--part", &part]);
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    };
    make("random_regular(60, 3, 1)", "1/2", "a");
    make("random_regular(60, 3, 1)", "2/2", "b");
    make("random_regular(60, 3, 2)", "2/2", "other");
    fs::write(path("torn"), &fs::read(path("b")).unwrap()[..40]).unwrap();
    fs::write(path("text"), "{}").unwrap();
    let fails = |parts: &[&str], why: &str| {
        let ended =
            nestnet(["merge".to_owned()].into_iter().chain(parts.iter().map(|name| path(name))));
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{parts:?}");
        assert!(ended.stderr.contains(why), "{parts:?}: {}", ended.stderr);
    };
    fails(&["a"], "shard 2/2 is missing");
    fails(&["a", "a"], "are both shard 1/2");
    fails(&["a", "other"], "are not parts of one command");
    fails(&["a", "torn"], "is not a part");
    fails(&["text"], "is not a part");
    fails(&["a", "nowhere"], "nowhere");
}

#[test]
fn what_is_not_cut_up_says_so() {
    let fails = |args: &[&str], why: &str| {
        let ended = nestnet(args);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{args:?}");
        assert!(ended.stderr.contains(why), "{args:?}: {}", ended.stderr);
    };
    fails(&["measure", "ring(5)", "--only", "size", "--shard", "1/2"], "--only distances");
    fails(&["measure", "ring(5)", "--shard", "3/2"], "such as 2/8");
    fails(&["measure", "ring(5)", "--sample", "4", "--shard", "1/2"], "cannot be used with");
    fails(&["routing", "ring(5)", "--sample", "4", "--shard", "1/2"], "cannot be used with");
    fails(&["claims", "--shard", "1/2"], "--json");
    fails(&["deadlock", "ring(5)", "--assign", "--shard", "1/2"], "cannot be used with");
    fails(&["deadlock", "--file", "routes.txt", "--shard", "1/2"], "cannot be used with");
}
