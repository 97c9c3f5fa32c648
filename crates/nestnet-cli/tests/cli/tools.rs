//! To other tools and back: what is exported can be used again, what is lost is named, and tables are followed.

use crate::{Ended, json, nestnet};
use std::fs;

fn path(folder: &tempfile::TempDir, name: &str) -> String {
    folder.path().join(name).to_str().unwrap().to_owned()
}

#[test]
fn what_is_exported_is_used_again() {
    let folder = tempfile::tempdir().unwrap();
    let spec = "hosts(rdn(ring(3), 1), 2)";
    for name in ["x.graphml", "x.gml", "x.json", "x.net", "x.xml"] {
        let file = path(&folder, name);
        let ended = nestnet(["export", spec, "-o", &file]);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(0), ""), "{name}: {}", ended.stderr);
        let imported = json(&["import", &file, "--json"]);
        assert_eq!(imported["nodes"], 54, "{name}");
        assert_eq!(imported["hosts"], 36, "{name}");
        let used = imported["spec"].as_str().unwrap();
        let info = json(&["info", used, "--json"]);
        assert_eq!(info["nodes"], 54, "{name}");
        // The same distances between hosts as those of what was written.
        let throughput = |spec: &str| json(&["throughput", spec, "--router", "min", "--json"]);
        assert_eq!(throughput(used)["theta"], throughput(spec)["theta"], "{name}");
    }
    let plain = path(&folder, "x.mtx");
    let ended = nestnet(["export", "petersen", "-o", &plain]);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
    let nested = format!("rdn(file(\"{plain}\"), 1)");
    assert_eq!(json(&["info", &nested, "--json"])["nodes"], 200);
}

#[test]
fn what_a_format_cannot_say_is_named() {
    let ended = nestnet([
        "export",
        "hosts(rdn(ring(3), 1), 1)",
        "--format",
        "anynet",
        "--latency",
        "1=2500ps",
        "--bandwidth",
        "100Gbps",
    ]);
    assert_eq!(ended.code, Some(0));
    for lost in ["switch itself", "levels", "parts of a cycle", "bandwidths", "addresses"] {
        assert!(ended.stderr.contains(lost), "{lost}: {}", ended.stderr);
    }
    assert_eq!(ended.stdout.lines().next(), Some("router 0 node 0 router 1 3 router 2 3 router 9"));
    let nothing_lost = nestnet(["export", "ring(5)", "--format", "graph6"]);
    assert_eq!((nothing_lost.stdout.as_str(), nothing_lost.stderr.as_str()), ("Dhc\n", ""));
}

#[test]
fn what_is_no_format_gets_the_list_of_formats() {
    for (args, expected) in [
        (&["export", "ring(5)", "--format", "pajek"][..], "unknown format `pajek`: graphml"),
        (&["export", "ring(5)", "-o", "x.pajek"], "names no format; --format does: graphml"),
        (&["export", "ring(5)"], "which format?"),
        (&["export", "ring(5)", "--format", "gml", "--latency", "5"], "expected a time"),
        (&["tables", "ring(5)", "--format", "pajek"], "unknown format `pajek`: routes, csv"),
        (&["import", "/nowhere/x.gml"], "cannot read"),
    ] {
        let Ended { code, stderr, .. } = nestnet(args);
        assert_eq!(code, Some(2), "{args:?}");
        assert!(stderr.contains(expected), "{args:?}: {stderr}");
    }
    let folder = tempfile::tempdir().unwrap();
    let bad = path(&folder, "bad.gml");
    fs::write(&bad, "graph [\n node [ id 0 ]\n node [ id 0 ]\n]\n").unwrap();
    for args in [&["import", &bad][..], &["info", &format!("file(\"{bad}\")")]] {
        let Ended { code, stderr, .. } = nestnet(args);
        assert_eq!(code, Some(2), "{args:?}");
        assert!(stderr.contains("line 3, column 12: node `0` was there before"), "{stderr}");
    }
}

/// What another tool wrote and is not read as it is: it is named, with what to do.
#[test]
fn files_of_other_formats_are_known() {
    let folder = tempfile::tempdir().unwrap();
    let pajek = path(&folder, "karate.net");
    fs::write(&pajek, "*vertices 3\n1 a 0.0 0.0 ellipse\n2 b\n3 c\n*edges\n1 2 1.0\n2 3 1.0\n")
        .unwrap();
    let imported = json(&["import", &pajek, "--json"]);
    assert_eq!((imported["format"].as_str(), imported["links"].as_u64()), (Some("pajek"), Some(2)));
    let adjacency = path(&folder, "karate.json");
    let text = r#"{"directed": false, "multigraph": false, "graph": [["name", "x"]], "nodes": [{"id": 0}, {"id": 1}], "adjacency": [[{"id": 1}], [{"id": 0}]]}"#;
    fs::write(&adjacency, text).unwrap();
    assert_eq!(json(&["import", &adjacency, "--json"])["links"], 1);
    fs::write(&adjacency, text.replace("adjacency", "lists")).unwrap();
    let dot = path(&folder, "a.dot");
    fs::write(&dot, "strict graph \"x\" {\n0;\n0 -- 1;\n}\n").unwrap();
    for (file, expected) in [
        (&dot, "DOT is not read: `gv2gml FILE"),
        (&adjacency, "no links in the file: expected `edges`"),
    ] {
        for args in [&["import", file][..], &["info", &format!("file(\"{file}\")")]] {
            let Ended { code, stderr, .. } = nestnet(args);
            assert_eq!(code, Some(2), "{args:?}");
            assert!(stderr.contains(expected), "{args:?}: {stderr}");
        }
    }
}

/// A host that forwards is written for BookSim as a router with a host: one link more, and that is announced.
#[test]
fn hosts_that_forward_are_said_to_get_a_link_more() {
    for spec in ["bcube(3, 1)", "dcell(3, 1)"] {
        let ended = nestnet(["export", spec, "--format", "anynet"]);
        assert!(ended.stderr.contains("has no field for hosts that forward"), "{}", ended.stderr);
        let exact = nestnet(["export", spec, "--format", "graphml"]);
        assert_eq!(exact.stderr, "");
    }
}

#[test]
fn a_format_may_be_given_in_the_spec() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(&folder, "links");
    fs::write(&file, "3 2\n2\n1 3\n2\n").unwrap();
    let imported = json(&["import", &file, "--format", "metis", "--json"]);
    assert_eq!((imported["nodes"].as_u64(), imported["links"].as_u64()), (Some(3), Some(2)));
    let spec = imported["spec"].as_str().unwrap();
    assert_eq!(spec, format!("file(\"{file}\", format=\"metis\")"));
    assert_eq!(nestnet(["edges", spec]).stdout, "0 1\n1 2\n");
    let Ended { stderr, .. } = nestnet(["edges", &format!("file(\"{file}\", format=\"dot\")")]);
    assert!(stderr.contains("\"dot\" is not one that is read: graphml"), "{stderr}");
}

#[test]
fn tables_are_followed_again() {
    let folder = tempfile::tempdir().unwrap();
    let (spec, file) = ("rdn(ring(3), 1)", path(&folder, "routes.txt"));
    let written = json(&["tables", spec, "-o", &file, "--json"]);
    assert_eq!(written["router"], "shortest");
    assert!(written["interval_bytes"].as_u64().unwrap() > 0);
    assert_eq!(fs::read_to_string(&file).unwrap().lines().count(), 18 * 17);
    let own = json(&["deadlock", spec, "--json"]);
    let read = json(&["deadlock", spec, "--file", &file, "--json"]);
    assert_eq!((&read["verdict"], &read["vcs"]), (&own["verdict"], &own["vcs"]));
    let router = format!("table({file})");
    let own = json(&["route", spec, "0", "17", "--json"]);
    let again = json(&["route", spec, "0", "17", "--router", &router, "--json"]);
    assert_eq!(again["nodes"], own["nodes"]);
    let own = json(&["routing", spec, "--json"]);
    let again = json(&["routing", spec, "--router", &router, "--json"]);
    assert_eq!(again["average"], own["average"]);
    let said = nestnet(["tables", "hypercube(6)", "-o", &file]).stdout;
    assert!(said.starts_with("a switch needs 64 bytes: 64 destinations, 1 bytes each"), "{said}");
}
