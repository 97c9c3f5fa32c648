//! Edge lists as they are found: what is read, what is said of it, and how nodes are called.

use crate::{Ended, json, nestnet};
use std::fs;

/// A spec that reads a file with that text.
fn spec(folder: &tempfile::TempDir, text: &str) -> String {
    let path = folder.path().join("links.txt");
    fs::write(&path, text).unwrap();
    format!("file(\"{}\")", path.display())
}

fn remarks(info: &serde_json::Value) -> String {
    info["remarks"].to_string()
}

#[test]
fn lists_of_other_programs_are_read() {
    let folder = tempfile::tempdir().unwrap();
    for text in [
        "\u{feff}0 1\r\n1 2 # and so on\r\n",
        "0 1 {}\n1 2 {'weight': 2}\n",
        "source,target\n0,1\n1,2\n",
        "0;1;0.5\n1;2;0.25 // half\n",
        "% a path\n0\t1\n1\t2",
    ] {
        let spec = spec(&folder, text);
        let ended = nestnet(["edges", &spec]);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(0), "0 1\n1 2\n"), "{text:?}");
    }
    let weighted = json(&["info", &spec(&folder, "0 1 5\n1 2 7\n"), "--json"]);
    assert!(remarks(&weighted).contains("third column"), "{weighted}");
    let plain = json(&["info", &spec(&folder, "0 1\n1 2\n"), "--json"]);
    assert_eq!(remarks(&plain), "[]");
}

#[test]
fn names_are_addresses_in_every_verb() {
    let folder = tempfile::tempdir().unwrap();
    let spec = spec(&folder, "alice bob\nbob sw-1\nsw-1 sw-2\nsw-2 alice\n");
    let bob = json(&["neighbors", &spec, "bob", "--json"]);
    assert_eq!((bob["node"].as_u64(), bob["address"].as_str()), (Some(1), Some("bob")));
    assert_eq!(bob["neighbors"][0]["address"], "alice");
    let route = json(&["route", &spec, "alice", "sw-1", "--json"]);
    assert_eq!(route["hops"], 2);
    let around = json(&["route", &spec, "alice", "bob", "--faults", "alice-bob", "--json"]);
    assert_eq!(around["addresses"], serde_json::json!(["alice", "sw-2", "sw-1", "bob"]));
    let around = json(&["route", &spec, "alice", "sw-1", "--faults", "sw-2", "--json"]);
    assert_eq!(around["addresses"], serde_json::json!(["alice", "bob", "sw-1"]));
    let around = json(&[
        "route",
        &spec,
        "bob",
        "sw-2",
        "--faults",
        "sw-1-sw-2",
        "--router",
        "shortest",
        "--json",
    ]);
    assert_eq!(around["addresses"], serde_json::json!(["bob", "alice", "sw-2"]));
    assert_eq!(nestnet(["paths", &spec, "alice", "sw-1"]).code, Some(0));
    assert_eq!(nestnet(["broadcast", &spec, "sw-2"]).code, Some(0));
    // Also where it is the base of another.
    let nested = format!("rdn({spec}, 1)");
    let node = json(&["neighbors", &nested, "(0,bob,sw-1)", "--json"]);
    assert_eq!(node["address"], "(0,bob,sw-1)");
    let Ended { code, stderr, .. } = nestnet(["neighbors", &spec, "carol"]);
    assert_eq!(code, Some(2));
    assert!(
        stderr.contains("no node `carol`: give an id from 0 to 3 or an address such as `sw-2`")
    );
}

#[test]
fn lists_that_count_from_one_have_no_node_zero() {
    let folder = tempfile::tempdir().unwrap();
    let text = "1 2\n2 3\n3 1\n";
    let one = spec(&folder, text);
    let info = json(&["info", &one, "--json"]);
    assert_eq!((info["nodes"].as_u64(), &info["connected"]), (Some(3), &true.into()));
    assert!(remarks(&info).contains("counts from 1"), "{info}");
    // Addresses are the numbers of the file.
    let first = json(&["neighbors", &one, "1", "--json"]);
    assert_eq!((first["node"].as_u64(), first["address"].as_str()), (Some(0), Some("1")));
    // Whoever says that there are more nodes than that means node 0.
    let four = one.replace("\")", "\", nodes=4)");
    let info = json(&["info", &four, "--json"]);
    assert_eq!((info["nodes"].as_u64(), &info["connected"]), (Some(4), &false.into()));
    assert_eq!(remarks(&info), "[]");
    let two = one.replace("\")", "\", nodes=2)");
    assert!(nestnet(["info", &two]).stderr.contains("must be at least 3"));
}

#[test]
fn what_is_no_list_is_named() {
    let folder = tempfile::tempdir().unwrap();
    for (text, fault) in [
        (
            "0 1\n0 12345678901234567890\n",
            "line 2, column 3: node number 12345678901234567890 is too large",
        ),
        ("0 1\n\u{7f}ELF\u{1}\u{2}\n", "binary"),
        ("PK\u{3}\u{4}\u{0}\u{0}", "binary"),
        ("0 1\n1 2 3 4\n", "line 2, column 7"),
        ("%%MatrixMarket matrix coordinate\n2 2 1\n", "line 3, column 1: the file says 1 entries"),
    ] {
        let Ended { code, stderr, .. } = nestnet(["info", &spec(&folder, text)]);
        assert_eq!(code, Some(2), "{text:?}");
        assert!(stderr.contains(fault), "{text:?}: {stderr}");
    }
}
