//! Deadlock at the front end: the story of a cycle, routes from a file, and what cannot be answered.

use crate::{Ended, nestnet};
use serde_json::{Value, json};
use std::fs;

/// The JSON object of a cycle, which is the answer no.
fn cycle(args: &[&str]) -> Value {
    let Ended { code, stdout, stderr } = nestnet([&["deadlock"], args, &["--json"]].concat());
    assert_eq!((code, stderr.as_str()), (Some(1), ""), "{args:?}");
    serde_json::from_str(&stdout).expect("one JSON object")
}

fn error(args: &[&str]) -> String {
    let Ended { code, stdout, stderr } = nestnet([&["deadlock"], args].concat());
    assert_eq!((code, stdout.as_str()), (Some(2), ""), "{args:?}: {stderr}");
    stderr
}

#[test]
fn a_cycle_is_reported_with_its_messages() {
    let Ended { code, stdout, .. } = nestnet(["deadlock", "ring(3)", "--vcs", "1"]);
    // Three nodes are all linked.
    assert_eq!(code, Some(0), "{stdout}");
    let Ended { code, stdout, stderr } = nestnet(["deadlock", "torus(4, 4)", "--vcs", "1"]);
    assert_eq!((code, stderr.as_str()), (Some(1), ""));
    let story = "  4 channels in a dependency cycle:
    1. 0 = (0,0) → 4 = (1,0), port 0, vc 0
       the message from 0 = (0,0) to 8 = (2,0) holds it while it waits for channel 2 of this list.
    2. 4 = (1,0) → 8 = (2,0), port 0, vc 0
";
    assert!(stdout.contains(story), "{stdout}");
    assert!(stdout.ends_with("holds it while it waits for channel 1 of this list.\n"), "{stdout}");
}

#[test]
fn a_cycle_closes_in_json() {
    let found = cycle(&["torus(4, 4)", "--vcs", "1"]);
    assert_eq!(found["verdict"], "cycle");
    assert_eq!((&found["vcs"], &found["checked"]), (&json!(1), &json!(true)));
    let cycle = found["cycle"].as_array().expect("a list");
    assert_eq!(cycle.len(), 4);
    for (held, wanted) in cycle.iter().zip(cycle.iter().cycle().skip(1)) {
        assert_eq!(held["to"], wanted["node"]);
    }
    assert_eq!(cycle[0]["message"], json!({ "from": 0, "to": 8, "choice": 0 }));
}

#[test]
fn routes_of_others_are_certified() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("routes.txt");
    let path = path.to_str().expect("a plain path");
    fs::write(path, "0 1 2\n1 2 3\n2 3 0\n3 0 1\n").expect("a file");
    for spec in [&[][..], &["ring(4)"]] {
        let found = cycle(&[spec, &["--file", path]].concat());
        assert_eq!((&found["channels"], &found["pairs"]), (&json!(4), &json!(4)));
        assert_eq!(found["cycle"][3]["message"], json!({ "from": 3, "to": 1, "line": 4 }));
    }
    assert_eq!(
        error(&["path(4)", "--file", path]),
        format!("error: {path}: line 3: nodes 3 and 0 are not linked\n")
    );
    fs::write(path, "0 1 2\n1 2 3\n2 3 0 : 0 1\n3 0 1 : 1 1\n").expect("a file");
    let Ended { code, stdout, .. } = nestnet(["deadlock", "--file", path]);
    assert_eq!(code, Some(0), "{stdout}");
    fs::write(path, "0 1\n1 x\n").expect("a file");
    assert_eq!(
        error(&["--file", path]),
        format!("error: {path}: line 2: expected the number of a node, found `x`\n")
    );
    assert!(error(&["--file", "no/such/file"]).starts_with("error: cannot read no/such/file"));
}

#[test]
fn what_cannot_be_answered_says_why() {
    let unknown = error(&["ring(5)", "--router", "magic"]);
    assert!(unknown.starts_with("error: unknown router `magic`: this network has "), "{unknown}");
    assert!(unknown.contains("shortest"), "{unknown}");
    let long = error(&["wk(4, 10)", "--max-time", "1"]);
    assert!(long.contains("(--max-time)"), "{long}");
    let large = error(&["ring(1000)", "--max-memory", "1kB"]);
    assert!(large.contains("(--max-memory)"), "{large}");
    let none = error(&["rdn(torus(5, 5), 4)"]);
    assert!(none.contains("no node ids"), "{none}");
    let few = error(&["random_regular(50, 3, 1)", "--assign", "--vcs", "1"]);
    assert!(few.contains("virtual channels are the fewest found for `shortest`"), "{few}");
    assert!(error(&["ring(5)", "--vcs", "0"]).contains("--vcs"));
    assert!(error(&["ring(5)", "--assign", "--file", "x"]).contains("--file"));
}

/// Routes around faults are certified as any others, also where faults cut hosts off.
#[test]
fn routes_around_faults_are_certified() {
    for faults in ["--faults=0-1", "--faults=7,12-13", "--random-faults=0.2", "--faults=1,4,5,20"] {
        let own = nestnet(["deadlock", "torus(5, 5)", "--json", faults]);
        let own: Value = serde_json::from_str(&own.stdout).unwrap();
        assert!(own["router"].as_str().unwrap().contains(" around "), "{own}");
        assert_eq!(own["checked"], true);
        // Whatever they are by themselves, assigned virtual channels are proven free.
        let found = crate::json(&["deadlock", "torus(5, 5)", "--json", "--assign", faults]);
        assert_eq!((&found["verdict"], &found["pairs"]), (&"free".into(), &own["pairs"]));
    }
    // All around node 0 has failed: the 20 others reach each other.
    let cut =
        crate::json(&["deadlock", "torus(5, 5)", "--json", "--assign", "--faults", "1,4,5,20"]);
    assert_eq!(cut["pairs"], 20 * 19);
    let ended = nestnet(["deadlock", "--file", "routes.txt", "--faults", "0"]);
    assert_eq!(ended.code, Some(2));
}

/// All hosts of a switch take its routes, so that a network of many hosts is certified between its switches.
#[test]
fn many_hosts_are_certified_between_their_switches() {
    let ask = |hosts: &str| {
        let spec = format!("hosts(torus(4, 4), {hosts})");
        let args = ["deadlock", &spec, "--router", "shortest", "--json"];
        let Ended { code, stdout, stderr } = nestnet(args);
        assert_eq!((code, stderr.as_str()), (Some(0), ""), "{hosts}");
        serde_json::from_str::<Value>(&stdout).expect("one JSON object")
    };
    let [few, many] = ["2", "40"].map(ask);
    assert_eq!((&few["switches"], &many["switches"]), (&Value::Null, &json!("torus(4, 4)")));
    assert_eq!((&many["spec"], &many["pairs"]), (&json!("hosts(torus(4, 4), 40)"), &json!(240)));
    for key in ["verdict", "vcs", "map"] {
        assert_eq!(few[key], many[key], "{key}");
    }
}
