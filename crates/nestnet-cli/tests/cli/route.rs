//! `route` at the front end: what it prints agrees with itself, and what it refuses is named.

use crate::{json, nestnet};
use serde_json::Value;

fn error(args: &[&str]) -> String {
    let ended = nestnet(args);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{args:?}");
    ended.stderr
}

#[test]
fn the_lists_of_a_route_belong_together() {
    let spec = "rdn(rsn(heawood, 2), 1)";
    for router in ["paper", "shortest", "valiant", "table(paper)"] {
        let spec = if router.starts_with("table") { "rdn(petersen, 1)" } else { spec };
        let route = json(&["route", spec, "5", "199", "--router", router, "--json"]);
        let count = |key: &str| route[key].as_array().expect("a list").len() as u64;
        let hops = route["hops"].as_u64().expect("a number");
        for key in ["levels", "ports", "vcs"] {
            assert_eq!(count(key), hops, "{key}");
        }
        for key in ["path", "addresses"] {
            assert_eq!(count(key), hops + 1, "{key}");
        }
        assert_eq!((&route["path"][0], &route["router"]), (&Value::from(5), &Value::from(router)));
        assert!(route["distance"].as_u64().expect("a number") <= hops);
    }
}

#[test]
fn a_network_of_no_paper_says_what_its_router_paper_is() {
    let note = "note: torus(4, 4) is of no paper; its router `paper` is `shortest`\n";
    for (args, said) in [
        (&["route", "torus(4, 4)", "0", "10", "--router", "paper"][..], note),
        (&["routing", "torus(4, 4)", "--router", "paper"], note),
        (&["route", "torus(4, 4)", "0", "10"], ""),
        (&["route", "rdn(ring(3), 1)", "0", "10", "--router", "paper"], ""),
        (&["route", "dragonfly(2, 1)", "0", "5", "--router", "paper"], ""),
    ] {
        let ended = nestnet(args);
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), said), "{args:?}");
    }
}

#[test]
fn what_cannot_be_routed_is_named() {
    assert_eq!(
        error(&["route", "ring(5)", "0", "2", "--router", "foo"]),
        "error: unknown router `foo`: this network has paper, shortest, valiant, table, balanced, ecmp, \
         optimized, assigned, adaptive, minimal_adaptive, ugal, ugal_l, ugal_g, par, progressive_adaptive, polarized, min, \
         min_hops, dor\n"
    );
    // The same text from every verb.
    for verb in ["simulate", "throughput", "deadlock", "routing", "tables"] {
        let unknown = error(&[verb, "mesh(4, 4)", "--router", "minimal_adaptiv"]);
        let near = "unknown router `minimal_adaptiv`: did you mean `minimal_adaptive`? this network has paper, ";
        assert!(unknown.contains(near) && unknown.contains("min_hops, dor"), "{verb}: {unknown}");
    }
    assert!(error(&["throughput", "ring(5)", "--router", "all_path"]).contains("`all_paths`"));
    assert!(error(&["route", "ccc(3)", "0", "1", "--router", "x"]).contains("repaired"));
    assert!(error(&["route", "ring(5)", "0", "5"]).contains("no node `5`"));
    assert!(error(&["route", "ring(5)", "0", "2", "--choice", "1"]).contains("--choice"));
    assert!(error(&["route", "ring(5)", "0", "2", "--faults", "2"]).contains("2"));
    let named = ["route", "rdn(torus(5, 5), 4)", "0", "2", "--router", "valiant"];
    assert!(error(&named).contains("no node ids"));
    let large = error(&["route", "hypercube(40)", "0", "2", "--router", "table"]);
    assert!(large.contains("--max-memory"), "{large}");
}

#[test]
fn no_way_is_an_answer() {
    let ended = nestnet(["route", "rcr(1, 1, 3)", "0", "4"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(1), ""));
    assert!(ended.stdout.contains("no path"), "{}", ended.stdout);
    let ended = nestnet(["route", "path(3)", "0", "2", "--faults", "1", "--json"]);
    assert_eq!(ended.code, Some(1));
    let answer: Value = serde_json::from_str(&ended.stdout).expect("one object");
    assert_eq!(answer["path"], Value::Null);
}
