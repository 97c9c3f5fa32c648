//! Checking a routing and finding disjoint paths: what is printed, what is refused, and the exit code.

use crate::{json, nestnet};

/// Runs `args`, which must fail, and gives what they say.
fn error(args: &[&str]) -> String {
    let ended = nestnet(args);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{args:?}: {}", ended.stderr);
    assert!(ended.stderr.starts_with("error: "), "{args:?}: {}", ended.stderr);
    ended.stderr
}

#[test]
fn a_torus_in_numbers() {
    let found = json(&["routing", "torus(4, 4)", "--json"]);
    for (key, value) in [("pairs", 240), ("arrived", 240), ("max_hops", 4), ("unreachable", 0)] {
        assert_eq!(found[key], value, "{key}");
    }
    assert_eq!(found["router"], "shortest");
    assert_eq!(found["how"], "exhaustive");
    assert_eq!(found["histogram"], serde_json::json!([0, 64, 96, 64, 16]));
    let number = |key: &str| found[key].as_f64().unwrap();
    assert_eq!(number("max_stretch"), 1.0);
    assert_eq!(number("mean_stretch"), 1.0);
    assert_eq!(number("mean_hops"), 512.0 / 240.0);
    assert_eq!(number("mean_load"), 8.0);
    assert_eq!(number("load_ratio"), number("max_load") / 8.0);
    assert!(found["busiest"]["node"].is_u64() && found["state_bytes"].is_u64());
}

/// ROUTRCN has no base case, so that nothing arrives; with that of the sketch some do.
#[test]
fn endings_of_a_text_are_counted() {
    let ask = |args: &[&str]| {
        let ended = nestnet([&["routing"], args].concat());
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(1), ""), "{args:?}");
        ended.stdout
    };
    let spec = "re(complete(3), ring(3), 2)";
    let printed = ask(&[spec, "--as-printed"]);
    assert!(printed.starts_with("re(complete(3), ring(3), 2), router as-printed\n"), "{printed}");
    assert!(printed.contains("702, exhaustive") && !printed.contains("arrives"), "{printed}");
    let sketch = ask(&[spec, "--router", "as-printed-sketch", "--json"]);
    let found: serde_json::Value = serde_json::from_str(&sketch).unwrap();
    assert_eq!((&found["pairs"], &found["arrived"]), (&702.into(), &108.into()));
    let outcomes = found["outcomes"].as_array().unwrap();
    assert_eq!(outcomes.iter().map(|found| found["pairs"].as_u64().unwrap()).sum::<u64>(), 702);
    assert!(error(&["routing", "ring(5)", "--as-printed"]).contains("no routing of this network"));
    let unknown = error(&["routing", spec, "--router", "as-printed-zeros"]);
    assert!(unknown.contains("as-printed-zeros"), "{unknown}");
}

#[test]
fn samples_say_so_and_repeat() {
    let ask = |seed| {
        let args = ["routing", "rdn(torus(5, 5), 3)", "--sample", "50", "--seed", seed, "--json"];
        json(&args)
    };
    let found = ask("3");
    assert_eq!(found["how"], "sampled (50 pairs, seed 3)");
    assert_eq!((&found["pairs"], &found["arrived"]), (&50.into(), &50.into()));
    assert_eq!(found.get("max_load"), None);
    assert_eq!(found, ask("3"));
    assert_ne!(found["histogram"], ask("4")["histogram"]);
}

#[test]
fn what_is_too_large_is_refused_with_a_way_out() {
    let message = error(&["routing", "torus(2000, 2000)"]);
    assert!(message.contains("(--max-time); --sample N walks N pairs"), "{message}");
    let message = error(&["routing", "torus(40, 40)", "--max-memory", "10kB"]);
    assert!(message.contains("(--max-memory); --sample N walks N pairs"), "{message}");
    let message = error(&["routing", "rdn(torus(5, 5), 3)"]);
    assert!(message.contains("--sample"), "{message}");
    assert!(error(&["routing", "rdn(torus(5, 5), 4)"]).contains("has no node ids"));
}

#[test]
fn routers_are_named() {
    let message = error(&["routing", "ring(5)", "--router", "psychic"]);
    assert!(message.contains("unknown router `psychic`: this network has "), "{message}");
    assert!(message.contains("shortest"), "{message}");
    let found = json(&["routing", "ring(5)", "--router", "valiant", "--json"]);
    assert_eq!((&found["choices"], &found["arrived"]), (&5.into(), &20.into()));
}

#[test]
fn faults_by_id_and_by_address() {
    let ask = |list: &str| json(&["routing", "torus(4, 4)", "--faults", list, "--json"]);
    let found = ask("5,1-2");
    assert_eq!((&found["failed_nodes"], &found["failed_links"]), (&1.into(), &1.into()));
    assert_eq!((&found["pairs"], &found["arrived"]), (&210.into(), &210.into()));
    assert_eq!(found, ask("(1,1);(0,1)-(0,2)"));
    let twice = ["routing", "torus(4, 4)", "--faults", "5", "--faults", "1-2", "--json"];
    assert_eq!(found, json(&twice));
    // Four nodes around one cut it off: 12 living hosts, 11 of them connected.
    let cut = ask("1,3,4,12");
    assert_eq!((&cut["pairs"], &cut["unreachable"]), (&110.into(), &22.into()));
    assert_eq!(cut["arrived"], 110);
}

#[test]
fn faults_that_cannot_be() {
    let ask = |list| error(&["routing", "torus(4, 4)", "--faults", list]);
    assert!(ask("16").contains("--faults `16`: no node `16`: give an id from 0 to 15"));
    assert!(ask("0-5").contains("link 0-5 cannot fail: these nodes are not linked"));
    assert!(ask("0-1-2").contains("expected a node `u` or a link `u-v`"));
    assert!(ask("5,").contains("no node ``"));
    for p in ["1.5", "-0.1", "often", "nan"] {
        let message = error(&["routing", "torus(4, 4)", "--random-faults", p]);
        assert!(message.contains("expected a part from 0 to 1, such as 0.05 or 5%"), "{message}");
    }
    let message = error(&["routing", "ring(3)", "--faults", "0,1", "--sample", "3"]);
    assert!(message.contains("1 of 3 hosts are alive"), "{message}");
}

#[test]
fn what_does_not_arrive_is_a_no() {
    // Nobody searches two million nodes to see that without the hub there is no path.
    let args = ["routing", "star(2000000)", "--faults", "0", "--sample", "3", "--json"];
    let ended = nestnet(args);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(1), ""));
    let found: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!((&found["pairs"], &found["arrived"]), (&3.into(), &0.into()));
    let why = found["failure"]["why"].as_str().unwrap();
    assert!(why.starts_with("the route ends at node "), "{why}");
    assert!(found["max_stretch"].is_null() && found["mean_hops"].is_null());
}

#[test]
fn pairs_without_a_path_are_no_failures() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("edges.txt");
    std::fs::write(&path, "0 1\n2 3\n").unwrap();
    let spec = format!("file(\"{}\")", path.display());
    let found = json(&["routing", &spec, "--json"]);
    assert_eq!((&found["pairs"], &found["arrived"]), (&4.into(), &4.into()));
    assert_eq!(found["unreachable"], 8);
    let found = json(&["paths", &spec, "0", "3", "--json"]);
    assert_eq!((&found["count"], &found["exact"]), (&0.into(), &true.into()));
    assert_eq!(found["how"], "flow");
}

#[test]
fn disjoint_paths_of_a_huge_network() {
    let found = json(&["paths", "rdn(torus(5, 5), 3)", "0", "10000000000000", "--json"]);
    assert_eq!((&found["count"], &found["bound"]), (&7.into(), &7.into()));
    assert_eq!((&found["exact"], &found["how"]), (&true.into(), &"degrees".into()));
    assert_eq!(found["lengths"].as_array().unwrap().len(), 7);
    for path in found["paths"].as_array().unwrap() {
        let path = path.as_array().unwrap();
        assert_eq!(path.first(), Some(&0.into()));
        assert_eq!(path.last(), Some(&10_000_000_000_000u64.into()));
    }
}

#[test]
fn paths_that_cannot_be_asked_for() {
    let message = error(&["paths", "ring(5)", "2", "2"]);
    assert!(message.contains("not from node 2 to itself"), "{message}");
    assert!(error(&["paths", "ring(5)", "0", "5"]).contains("no node `5`"));
    assert!(error(&["paths", "ring(5)", "-1", "3"]).contains("no node `-1`"));
    assert!(error(&["paths", "ring(5)", "0", "3", "--budget", "0"]).contains("--budget"));
    let few = json(&["paths", "torus(30, 30)", "0", "465", "--budget", "40", "--json"]);
    assert_eq!((&few["exact"], &few["how"]), (&false.into(), &"budget spent".into()));
}
