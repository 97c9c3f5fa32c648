//! Collectives at the door: files, what no one can plan, and what is said of it.

use crate::{Ended, json, nestnet};
use std::fs;

fn error(args: &[&str]) -> String {
    let Ended { code, stdout, stderr } = nestnet([&["collective"], args].concat());
    assert_eq!((code, stdout.as_str()), (Some(2), ""), "{args:?}: {stderr}");
    stderr
}

#[test]
fn what_cannot_be_planned_says_why() {
    assert_eq!(
        error(&["allgather", "ring(4)", "--root", "1"]),
        "error: --root: allgather has no root\n"
    );
    assert_eq!(
        error(&["allgather", "ring(4)", "--algorithm", "tree"]),
        "error: unknown algorithm `tree`: allgather has ring, doubling, greedy and best\n"
    );
    assert_eq!(
        error(&["scatter", "ring(4)", "--root", "4"]),
        "error: no node `4`: give an id from 0 to 3 or an address such as `3`\n"
    );
    assert_eq!(
        error(&["allgather", "petersen", "--algorithm", "ring"]),
        "error: no cycle through all nodes was found\n"
    );
    assert_eq!(
        error(&["allreduce", "ring(6)", "--algorithm", "exchange"]),
        "error: it is no binary cube: not every bit of the node number is flipped by a link\n"
    );
    assert_eq!(
        error(&["gather", "rcr(1, 1, 3)"]),
        "error: the network is not connected: there is no path from node 0 to node 1\n"
    );
    assert_eq!(
        error(&["gather", "ring(4)", "--export", "msccl"]),
        "error: MSCCL algorithms are written for allgather, allreduce and all-to-all only\n"
    );
    assert!(error(&["allgather", "fat_tree(4)", "--export", "msccl"]).contains("are no hosts"));
    assert_eq!(
        error(&["gather", "ring(4)", "--export", "goal", "--json"]),
        "error: --export with --json needs a FILE to write to (-o)\n"
    );
    let message = error(&["all-to-all", "ring(3000)", "--max-memory", "1MB"]);
    assert!(message.contains("over the limit of 1000000 bytes (--max-memory)"), "{message}");
    assert!(error(&["scatter", "rdn(torus(5, 5), 4)"]).contains("has no node ids"));
    assert!(error(&["spread", "ring(4)"]).contains("[possible values: scatter, gather, reduce"));
    assert!(error(&["gather", "ring(4)", "--alpha", "-1"]).contains("such as 1e-6"));
    assert!(error(&["gather", "ring(4)", "-o", "x"]).contains("--steps"));
}

#[test]
fn a_file_holds_the_schedule_and_stdout_the_report() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("steps.txt");
    let file = path.to_str().unwrap();
    let report = json(&["collective", "scatter", "path(4)", "--steps", "-o", file, "--json"]);
    assert_eq!((&report["steps"], &report["lower_bound"]), (&3.into(), &3.into()));
    assert_eq!(fs::read_to_string(&path).unwrap(), "0>1:3\n1>2:3 0>1:2\n2>3:3 1>2:2 0>1:1\n");
    let missing = folder.path().join("no/steps.txt");
    let message = error(&["scatter", "path(4)", "--steps", "-o", missing.to_str().unwrap()]);
    assert!(message.contains("there is no folder"), "{message}");
}
