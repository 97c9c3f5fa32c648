//! Programs, emulation and embedding at the front end: figures that agree, and refusals that say what is allowed.

use crate::{json, nestnet};

fn error(args: &[&str]) -> String {
    let ended = nestnet(args);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{args:?}");
    ended.stderr
}

#[test]
fn programs_give_the_right_data_in_the_steps_of_the_recurrence() {
    for program in ["fft", "sort", "scan", "transpose"] {
        for spec in ["rsn(hypercube(2), 3)", "hcn(4)", "dual_cube(4)"] {
            let ran = json(&["run", program, spec, "--json", "--seed", "3"]);
            assert_eq!(ran["agrees"], true, "{program} {spec}");
            assert_eq!(ran["steps"], ran["recurrence"], "{program} {spec}");
        }
    }
    let ran = json(&["run", "fft", "rsn(hypercube(2), 3)", "--json"]);
    assert_eq!((&ran["nodes"], &ran["steps"]), (&256.into(), &14.into()));
}

#[test]
fn networks_without_a_program_get_the_list_of_those_that_have_one() {
    let message = error(&["run", "fft", "petersen"]);
    for name in ["hypercube", "rsn", "hsn", "hcn", "dual_cube"] {
        assert!(message.contains(name), "{message}");
    }
    assert!(
        error(&["run", "fft", "hypercube(40)", "--max-memory", "1GiB"]).contains("--max-memory")
    );
    assert!(error(&["run", "fft", "rdn(hypercube(9), 4)"]).contains("no node ids"));
    assert!(error(&["run", "fold", "hypercube(4)"]).contains("fft, sort, scan, transpose"));
}

#[test]
fn dimensions_are_counted_from_one() {
    let found = json(&["emulate", "rsn(hypercube(2), 3)", "--dimension", "8", "--json"]);
    assert_eq!((&found["slowest"], &found["bound"]), (&5.into(), &5.into()));
    for dimension in ["0", "9"] {
        let message = error(&["emulate", "rsn(hypercube(2), 3)", "--dimension", dimension]);
        assert!(message.contains("dimensions 1 to 8"), "{message}");
    }
    assert!(error(&["emulate", "hypercube(40)", "--max-memory", "1GiB"]).contains("--max-memory"));
}

#[test]
fn an_embedding_says_which_network_is_at_fault() {
    assert!(error(&["embed", "rign(4)", "ring(4)"]).contains("GUEST"));
    assert!(error(&["embed", "ring(4)", "rign(4)"]).contains("HOST"));
    assert!(
        error(&["embed", "ring(4)", "rdn(torus(5, 5), 4)"]).contains("the host has no node ids")
    );
    assert!(error(&["embed", "ring(4)", "rcr(1, 1, 3)"]).contains("no path"));
}

#[test]
fn a_guest_may_be_larger_than_its_host() {
    let found = json(&["embed", "ring(20)", "petersen", "--json"]);
    assert_eq!((&found["load"], &found["expansion"]), (&2.into(), &0.5.into()));
}
