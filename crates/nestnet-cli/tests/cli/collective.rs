//! Collectives at the front end: files, what no one can plan, and what is said of it.

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
    let message = error(&["spread", "ring(4)"]);
    assert!(message.contains("[possible values: broadcast, scatter, gather, reduce"), "{message}");
    assert_eq!(
        error(&["allgather", "ring(4)", "--algorithm", "shift"]),
        "error: unknown algorithm `shift`: allgather has ring, doubling, greedy and best\n"
    );
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

/// Between hosts over switches: at the speed of the host links, by whatever router comes first.
#[test]
fn switches_forward_and_hosts_send() {
    let sums = json(&[
        "collective",
        "allreduce",
        "fat_tree(8)",
        "--bytes",
        "1GB",
        "--bandwidth",
        "400Gb/s",
        "--alpha",
        "2us",
        "--json",
    ]);
    let least = 2.0 * 127.0 / 128.0 * 1e9 * 8.0 / 400e9;
    let seconds = sums["seconds"].as_f64().unwrap();
    assert!(seconds >= least && seconds < 1.01 * least, "{seconds}, at least {least}");
    assert_eq!(sums["bandwidth_bound"].as_f64(), Some(least));
    assert_eq!((&sums["hosts"], &sums["alpha"]), (&128.into(), &2e-6.into()));
    let beta = json(&["collective", "allreduce", "fat_tree(4)", "--beta", "2e-11", "--json"]);
    let bandwidth =
        json(&["collective", "allreduce", "fat_tree(4)", "--bandwidth", "50GB/s", "--json"]);
    assert_eq!(beta["seconds"], bandwidth["seconds"]);
    // One crossbar: all pairs at once, and a tree in as many rounds as there are doublings.
    let all =
        json(&["collective", "all-to-all", "leaf_spine(1, 1, 16)", "--bytes", "16MB", "--json"]);
    assert_eq!((&all["rounds"], &all["load"]), (&15.into(), &15.0.into()));
    let steps = ["collective", "scatter", "leaf_spine(2, 1, 2)", "--root", "1", "--steps"];
    let Ended { code, stdout, .. } = nestnet(steps);
    assert_eq!((code, stdout.as_str()), (Some(0), "1>3:3+2\n1>2:2 3>0:0\n"));
    let root = error(&["reduce", "fat_tree(4)", "--root", "20"]);
    assert_eq!(root, "error: node 20 is a switch: a root is one of the hosts, 0 to 15\n");
    assert!(
        error(&["allreduce", "fat_tree(4)", "--algorithm", "greedy"])
            .contains("tree, exchange, ring, halving")
    );
    assert!(error(&["allreduce", "ring(4)", "--bandwidth", "fast"]).contains("such as 400Gb/s"));
    assert!(
        error(&["allreduce", "ring(4)", "--bandwidth", "1Gb/s", "--beta", "1"])
            .contains("cannot be used with")
    );
}

/// By the router that a design gives the network, or by any other; no order of the messages beats the bound of routes.
#[test]
fn messages_take_the_routes_of_a_router() {
    let rails = "rails(4, 2, 2, 2, 3)";
    let cases = [
        ("clos(4, 2)", None, "spread"),
        ("clos(4, 2)", Some("dmodk"), "dmodk"),
        ("planes(clos(4, 2), 2)", None, "spread"),
        ("planes(hosts(ring(4), 2), 2)", None, "shortest"),
        ("hosts(hyperx(3, 3), 3)", None, "ugal"),
        ("hosts(hyperx(3, 3), 3)", Some("valiant"), "valiant"),
        ("hosts(random_regular(12, 3, 1), 2)", None, "optimized"),
        (rails, None, "spread"),
        ("hosts(complete(1), 3)", None, "shortest"),
    ];
    for (spec, asked, router) in cases {
        let mut args = vec!["collective", "all-to-all", spec, "--json"];
        args.extend(asked.iter().flat_map(|name| ["--router", *name]));
        let found = json(&args);
        assert_eq!(found["router"], router, "{spec}");
        let number = |key: &str| found[key].as_f64().unwrap();
        assert!(number("load") >= number("link_load") * (1.0 - 1e-12), "{spec}");
        assert!(
            number("seconds") >= number("routes_bound").max(number("bandwidth_bound")),
            "{spec}"
        );
    }
    // Over both spines, and over one.
    let seconds = |router: &str| {
        let args = ["collective", "allreduce", rails, "--bytes", "1GB", "--router", router];
        json(&[&args[..], &["--json"]].concat())["seconds"].as_f64().unwrap()
    };
    assert!(seconds("spread") < 0.8 * seconds("shortest"));
    assert!(error(&["allreduce", "clos(4, 2)", "--router", "sprad"]).contains("`spread`"));
    assert!(error(&["stencil(4, 4)", "torus(4, 4)", "--router", "paper"]).contains("--router"));
}

#[test]
fn a_broadcast_reaches_hosts_alone() {
    let report = json(&["broadcast", "fat_tree(4)", "3", "--json"]);
    assert_eq!((&report["steps"], &report["lower_bound"]), (&4.into(), &4.into()));
    assert_eq!((&report["transfers"], &report["reached"]), (&15.into(), &16.into()));
    let Ended { code, stderr, .. } = nestnet(["broadcast", "fat_tree(4)", "20"]);
    assert_eq!(code, Some(2), "{stderr}");
    assert!(stderr.contains("node 20 is a switch"), "{stderr}");
}

/// Bus bandwidth by NCCL's definition, from the time and the payload.
#[test]
fn bus_bandwidth_is_that_of_nccls_tests() {
    let n = 8.0;
    for (collective, size, factor) in [
        ("allreduce", 1.0, 2.0 * (n - 1.0) / n),
        ("allgather", n, (n - 1.0) / n),
        ("all-to-all", 1.0, (n - 1.0) / n),
        ("broadcast", 1.0, 1.0),
        ("reduce", 1.0, 1.0),
    ] {
        for spec in ["ring(8)", "rails(4, 2, 4, 0, 4)"] {
            let found = json(&["collective", collective, spec, "--bytes", "1000000", "--json"]);
            let algbw = size * 1e6 / found["seconds"].as_f64().unwrap();
            for (key, value) in [("algbw", algbw), ("busbw", algbw * factor)] {
                let said = found[key].as_f64().unwrap();
                assert!((said - value).abs() <= 1e-9 * value, "{collective} {spec} {key}");
            }
        }
    }
    // Servers with wide links inside: a long vector is summed inside first.
    let args = ["collective", "allreduce", "rails(8, 8, 8, 0, 9)", "--bytes", "1GB", "--json"];
    let found = json(&args);
    assert_eq!(found["algorithm"], "hierarchical");
    let seconds = |name: &str| found["algorithms"][name]["seconds"].as_f64().unwrap();
    assert!(seconds("hierarchical") < 0.5 * seconds("ring"), "{found}");
    assert!(seconds("pipelined") < seconds("tree"), "{found}");
}

/// What is written as GOAL runs to its end: mini-apps, and collectives between hosts over switches.
#[test]
fn programs_are_written_and_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("app.goal");
    let file = path.to_str().unwrap();
    let apps = [
        ("stencil(4, 4)", "torus(4, 4)", 16 * 4),
        ("stencil(2, 2, 4)", "hypercube(4)", 16 * 6),
        ("all_to_all(8)", "fat_tree(4)", 8 * 7),
        ("allreduce(8)", "ring(8)", 8 * 14),
        ("training(2, 2, 4)", "fat_tree(4)", 16 * 2 * 4 * 2 + 12 * 4 * 2 + 16 * 2),
    ];
    for (app, spec, messages) in apps {
        let sizes = ["--bytes", "256", "--compute", "20", "--export", "goal", "-o", file, "--json"];
        let report = json(&[&["collective", app, spec][..], &sizes].concat());
        assert_eq!(report["messages"], messages, "{app}");
        let done = json(&["simulate", spec, "--goal", file, "--packet", "4", "--json"]);
        assert_eq!((&done["status"], &done["done"]), (&"ok".into(), &report["tasks"]), "{app}");
    }
    for algorithm in ["ring", "tree", "halving"] {
        let plan = ["--bytes", "4KiB", "--algorithm", algorithm, "--export", "goal", "-o", file];
        let Ended { code, stderr, .. } =
            nestnet([&["collective", "allreduce", "fat_tree(4)"][..], &plan].concat());
        assert_eq!(code, Some(0), "{stderr}");
        let done = json(&["simulate", "fat_tree(4)", "--goal", file, "--packet", "4", "--json"]);
        assert_eq!(done["status"], "ok", "{algorithm}");
    }
    assert!(error(&["stencil(4, 5)", "torus(4, 4)"]).contains("has 20 ranks"));
    assert!(error(&["jacobi(4, 4)", "torus(4, 4)"]).contains("there is no mini-app"));
    assert!(error(&["stencil(4, 4)", "torus(4, 4)", "--export", "msccl"]).contains("GOAL only"));
    assert!(error(&["allreduce", "ring(4)", "--compute", "3"]).contains("are for mini-apps"));
}
