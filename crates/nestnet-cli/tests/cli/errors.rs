//! What cannot be answered is said on stderr, with the place and a way out, and exit code 2.

use crate::{Ended, json, nestnet};
use std::fs;
use std::path::{Path, PathBuf};

/// Runs `args`, which must fail, and gives what they say.
fn error(args: &[&str]) -> String {
    let Ended { code, stdout, stderr } = nestnet(args);
    assert_eq!((code, stdout.as_str()), (Some(2), ""), "{args:?}: {stderr}");
    assert!(stderr.starts_with("error: "), "{args:?}: {stderr}");
    stderr
}

fn file(folder: &Path, text: &str) -> PathBuf {
    let path = folder.join("edges.txt");
    fs::write(&path, text).expect("a file is written");
    path
}

/// A spec that reads `path`.
fn file_spec(path: &Path) -> String {
    format!("file(\"{}\")", path.display())
}

#[test]
fn a_typo_gets_a_suggestion_and_a_caret() {
    assert_eq!(
        error(&["info", "rdn(torsu(5, 5), 2)"]),
        "error: unknown network `torsu`: did you mean `torus`?\n  rdn(torsu(5, 5), 2)\n      ^^^^^\n"
    );
    assert_eq!(error(&["families", "rnd"]), "error: unknown network `rnd`: did you mean `rdn`?\n");
    assert_eq!(
        error(&["families", "unicorns"]),
        "error: unknown network `unicorns`: `nestnet families` lists them\n"
    );
}

#[test]
fn a_broadcast_that_does_not_fit_is_refused_before_it_is_made() {
    for (spec, algorithm) in [("rdn(hypercube(3), 4)", "paper"), ("hypercube(24)", "best")] {
        let args = ["broadcast", spec, "0", "--algorithm", algorithm, "--max-memory", "100MB"];
        assert!(error(&args).contains("--max-memory"), "{spec}");
    }
}

#[test]
fn errors_leave_stdout_to_json() {
    let json = error(&["info", "rdn(torsu(5, 5), 2)", "--json"]);
    assert_eq!(json, error(&["info", "rdn(torsu(5, 5), 2)"]));
}

#[test]
fn arguments_out_of_range_are_pointed_at() {
    assert_eq!(
        error(&["info", "ring(0)"]),
        "error: ring: n must be between 1 and 9223372036854775808\n  ring(0)\n       ^\n"
    );
    assert_eq!(
        error(&["info", "hypercube(-1)"]),
        "error: hypercube: n must be between 0 and 131072\n  hypercube(-1)\n            ^^\n"
    );
    assert_eq!(
        error(&["edges", "rdn(ring(3), 99)"]),
        "error: rdn: k must be between 0 and 64\n  rdn(ring(3), 99)\n               ^^\n"
    );
    assert!(error(&["info", "rdn(ring(3), 64)"]).contains("k must be below"));
    assert!(error(&["info", "rdn(ring(3)"]).contains("expected `,` or `)`"));
}

#[test]
fn nodes_that_are_not_there() {
    for node in ["(0,1,9)", "(0,1)", "50", "-3", "x", "", "[0; 1]", "99999999999999999999999"] {
        assert_eq!(
            error(&["neighbors", "rdn(ring(5), 1)", node]),
            format!(
                "error: no node `{node}`: give an id from 0 to 49 or an address such as `(1,4,4)`\n"
            )
        );
    }
    let message = error(&["neighbors", "rdn(torus(5, 5), 4)", "0"]);
    assert!(message.contains("has no node ids"), "{message}");
}

/// Bits and digits of a paper are not ids; a tuple may lack its outer brackets.
#[test]
fn a_number_with_leading_zeros_is_an_address_or_nothing() {
    for (spec, node, example) in
        [("wk(4, 3)", "011", "(3,3,3)"), ("rsn(hypercube(2), 2)", "0011", "(11,11)")]
    {
        assert_eq!(
            error(&["neighbors", spec, node]),
            format!(
                "error: no node `{node}`: an id has no leading zeros, and an address is written `{example}`\n"
            )
        );
    }
    let at =
        |spec: &str, node: &str| crate::json(&["neighbors", spec, node, "--json"])["node"].clone();
    assert_eq!(at("hypercube(4)", "0011"), 3);
    assert_eq!(at("wk(4, 3)", "0,1,1"), 5);
    assert_eq!(at("rsn(hypercube(2), 2)", "01,10"), 6);
    assert_eq!(at("ring(5)", "0"), 0);
}

#[test]
fn files_that_are_no_networks() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing.txt");
    let message = error(&["info", &file_spec(&missing)]);
    assert!(message.contains("missing.txt\": No such file or directory"), "{message}");
    for (text, fault) in [
        (
            "0 1\n1 two\n",
            "line 2, column 3: expected a node number as in the first link, found `two`",
        ),
        ("0 1\n3 3\n", "line 2, column 3: node 3 cannot be linked to itself"),
        ("# nothing\n", "no links: expected lines `u v`"),
        ("0 -1\n", "line 1, column 3: node numbers are whole and from 0 on, not -1"),
    ] {
        let spec = file_spec(&file(folder.path(), text));
        for args in [["info", &spec], ["edges", &spec]] {
            let message = error(&args);
            assert!(message.contains(fault), "{message}");
            assert!(message.lines().last().unwrap().contains('^'), "{message}");
        }
    }
}

#[test]
fn a_disconnected_base_is_refused_and_a_disconnected_network_described() {
    let folder = tempfile::tempdir().unwrap();
    let spec = file_spec(&file(folder.path(), "0 1\n2 3\n"));
    let message = error(&["info", &format!("rdn({spec}, 1)")]);
    assert!(message.contains("base must be connected, and this network is not"), "{message}");
    let info = json(&["info", &spec, "--json"]);
    assert_eq!(info["connected"], false);
    assert_eq!(info.get("diameter"), None);
    assert_eq!(info.get("average_distance"), None);
    assert!(nestnet(["info", &spec]).stdout.contains("connected  no"));
}

#[test]
fn memory_is_limited() {
    let folder = tempfile::tempdir().unwrap();
    let spec = file_spec(&file(folder.path(), "0 1\n1 99999\n"));
    let message = error(&["info", &spec, "--max-memory", "100kB"]);
    assert!(
        message.contains("800024 bytes, over the limit of 100000 bytes (--max-memory)"),
        "{message}"
    );
    let message = error(&["--max-memory", "5", "info", &spec]);
    assert!(message.contains("the file is larger than 5 B (--max-memory)"), "{message}");
    assert!(error(&["info", "ring(3)", "--max-memory", "lots"]).contains("such as 500MB or 4GiB"));
    assert_eq!(nestnet(["info", &spec, "--max-memory", "1MiB"]).code, Some(0));
}

#[test]
fn options_that_messages_name_are_flags() {
    let simulate = ["simulate", "ring(8)", "--load", "0.1"];
    for (more, said) in [
        (&["--priority", "class"][..], "priority by class needs message classes (--classes)"),
        (
            &["--classes", "0.5,0.5", "--vcs", "4", "--outstanding", "3"],
            "hosts that send without replies, --outstanding and --ecn",
        ),
    ] {
        let message = error(&[&simulate[..], more].concat());
        assert!(message.contains(said) && !message.contains("=`"), "{message}");
    }
    let message =
        error(&["draw", "hypercube(14)", "--fold", "0", "--max-nodes", "10", "-o", "x.svg"]);
    assert!(message.contains("or raise --max-nodes"), "{message}");
}

#[test]
fn usage_errors_end_with_2() {
    assert!(error(&["info"]).contains("<SPEC>"));
    assert!(error(&["inof", "ring(3)"]).contains("'info'"));
    assert!(error(&["info", "rdn(ring(3),", "2)"]).contains("unexpected argument"));
    assert_eq!(nestnet([""; 0]).code, Some(2));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_of_every_verb() {
    use std::process::{Command, Stdio};
    for args in [
        ["info", "ring(3)"].as_slice(),
        &["info", "ring(3)", "--json"],
        &["neighbors", "ring(3)", "0"],
        &["neighbors", "ring(3)", "0", "--json"],
        &["families"],
        &["families", "ring"],
        &["edges", "ring(3)"],
        &["edges", "ring(3)", "-o", "/dev/full"],
        &["--help"],
        &["--version"],
        &["info", "--help"],
        &["help", "info"],
        &["man"],
        &["completions", "bash"],
    ] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let mut command = Command::new(crate::NESTNET);
        let ended: Ended = command.args(args).stdout(Stdio::from(full)).output().unwrap().into();
        assert_eq!(ended.code, Some(2), "{args:?}");
        assert!(ended.stderr.contains("No space left on device"), "{args:?}: {}", ended.stderr);
    }
}

/// Every option that names a file to write, with a verb that would work for minutes or write something first.
const OUTPUTS: &[&[&str]] = &[
    &["edges", "ring(3)", "-o"],
    &["export", "ring(3)", "--format", "graphml", "-o"],
    &["tables", "ring(3)", "-o"],
    &["draw", "ring(3)", "-o"],
    &["report", "ring(3)", "-o"],
    &["report", "ring(3)", "-o", "-", "--bill"],
    &["design", "--nodes", "1000000", "--max-degree", "8", "--report"],
    &["design", "--hosts", "4096", "--radix", "64", "--no-report", "--bill"],
    &["design", "--nodes", "1000000", "--max-degree", "8", "--shard", "1/2", "--part"],
    &["resilience", "torus(16, 16)", "--trials", "100000", "-o"],
    &["throughput", "torus(16, 16)", "--certificate"],
    &["collective", "allreduce", "torus(4, 4)", "--steps", "-o"],
    &["broadcast", "torus(4, 4)", "0", "--steps", "-o"],
    &["simulate", "torus(16, 16)", "-o"],
    &["simulate", "torus(16, 16)", "--channels"],
    &["simulate", "torus(16, 16)", "--histogram"],
    &["simulate", "torus(16, 16)", "--per-host"],
    &["simulate", "torus(16, 16)", "--per-flow"],
    &["simulate", "torus(16, 16)", "--trace"],
    &["simulate", "torus(16, 16)", "--picture"],
    &["simulate", "torus(16, 16)", "--checkpoint"],
];

#[test]
fn a_file_that_cannot_be_written_is_refused_before_the_work() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("folder.svg")).unwrap();
    let long = "x".repeat(300) + ".svg";
    for (name, why) in [
        ("missing/x.svg", "there is no folder"),
        ("folder.svg", "it is a folder"),
        ("x.svg/", "it is no name of a file"),
        (&*long, "too long"),
    ] {
        let path = folder.path().join(name).display().to_string();
        for args in OUTPUTS {
            let checkpoint = args.contains(&"--checkpoint");
            if checkpoint && !name.contains("missing") {
                continue;
            }
            let start = std::time::Instant::now();
            let ended = nestnet(args.iter().copied().chain([path.as_str()]));
            let said = format!("{args:?} {name}: {}", ended.stderr);
            assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{said}");
            assert!(ended.stderr.to_lowercase().contains(why), "{said}");
            let option = args[args.len() - 1];
            let option = if option == "-o" { "--output" } else { option };
            assert!(ended.stderr.contains(option), "{said}");
            assert!(start.elapsed().as_secs() < 20, "{said}");
        }
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_study_looks_whether_it_can_write_first() {
    let folder = tempfile::tempdir().unwrap();
    let study = folder.path().join("study.toml");
    fs::write(&study, "specs = [\"ring(5)\"]\n[measure]\nkeys = [\"diameter\"]\n").unwrap();
    let study = study.to_str().unwrap();
    // No answer is there, and none is looked for.
    let missing = folder.path().join("missing/name").display().to_string();
    let ended = nestnet(["study", "collect", study, "-o", &missing]);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""));
    assert!(ended.stderr.contains("there is no folder"), "{}", ended.stderr);
    // A folder of the name is none of its files.
    assert_eq!(nestnet(["study", study]).code, Some(0));
    let name = folder.path().join("name");
    fs::create_dir(&name).unwrap();
    let ended = nestnet(["study", "collect", study, "-o", name.to_str().unwrap()]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    let ended = nestnet(["study", study, "--dir", &format!("{study}/store")]);
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
}

/// A disk that is full at the end costs the file, not the answer.
#[cfg(target_os = "linux")]
#[test]
fn an_answer_is_printed_even_where_its_file_cannot_be_written() {
    let simulate = ["simulate", "ring(5)", "--load", "0.1"];
    let answers: &[(&[&str], &[&str], &str)] = &[
        (&simulate, &["--per-host", "/dev/full", "--channels", "/dev/full"], "ring(5)"),
        (&simulate, &["--trace", "/dev/full", "--json"], "{\"curves\""),
        (&["collective", "allreduce", "ring(5)", "--steps"], &["-o", "/dev/full"], "allreduce on"),
        (
            &["measure", "petersen", "--only", "distances", "--shard", "1/2"],
            &["--part", "/dev/full"],
            "{\"nestnet\"",
        ),
        (&["report", "ring(5)", "--no-baselines"], &["-o", "/dev/full"], "<!DOCTYPE html>"),
    ];
    for (args, outputs, start) in answers {
        let ended = nestnet(args.iter().chain(outputs.iter()));
        let said = format!("{args:?}: {}", ended.stderr);
        assert_eq!(ended.code, Some(2), "{said}");
        assert!(
            ended.stdout.to_lowercase().starts_with(&start.to_lowercase()),
            "{said}{}",
            ended.stdout
        );
        let lost = outputs.iter().filter(|word| **word == "/dev/full").count();
        assert_eq!(ended.stderr.matches("No space left on device").count(), lost, "{said}");
    }
}

/// What a file calls its nodes cannot turn the direction of a line.
#[test]
fn no_label_of_a_file_reaches_the_terminal_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("labels.dot");
    fs::write(&path, "graph { \"a\u{202e}b\" -- \"c\u{61c}d\"; \"c\u{61c}d\" -- \"e\u{200b}\"}\n")
        .unwrap();
    let (spec, path) = (file_spec(&path), path.display().to_string());
    for args in [
        ["info", &spec].as_slice(),
        &["import", &path],
        &["neighbors", &spec, "0"],
        &["neighbors", &spec, "1", "--json"],
        &["route", &spec, "0", "2"],
        &["paths", &spec, "0", "2"],
        &["measure", &spec],
        &["view", &spec],
        &["broadcast", &spec, "0"],
        &["deadlock", &spec],
        &["neighbors", &spec, "x\u{202e}y"],
    ] {
        let ended = nestnet(args);
        let said = format!("{}{}", ended.stdout, ended.stderr);
        assert!(!said.contains(['\u{202e}', '\u{61c}', '\u{200b}']), "{args:?}: {said}");
    }
}
