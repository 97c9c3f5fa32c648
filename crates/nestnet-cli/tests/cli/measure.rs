//! Measuring within limits: methods, threads, time, memory, and what is said when there is no answer.

use crate::{json, nestnet};

/// The one answer that is asked for, or why there is none.
fn one(spec: &str, key: &str, options: &[&str]) -> serde_json::Value {
    let args = [&["measure", spec, "--only", key, "--json"], options].concat();
    json(&args)[key].clone()
}

#[test]
fn every_method_gives_the_same_diameter() {
    for how in ["theorem", "symmetry", "exhaustive"] {
        let diameter = one("rdn(ring(5), 2)", "diameter", &["--how", how]);
        assert_eq!(diameter, serde_json::json!({ "low": 14, "high": 14, "how": how }));
    }
}

#[test]
fn a_method_that_is_not_available_says_so() {
    let why = one("kautz(3, 7)", "distance_histogram", &["--how", "theorem"]);
    assert_eq!(why["none"], "no theorem says it; see --how");
    let why = one("random_regular(3000, 3, 1)", "radius", &["--how", "symmetry"]);
    assert_eq!(why["none"], "it declares no automorphisms: try --how exhaustive");
}

/// Whether there is a GPU or not, the answer is the same; where there is none, one line says so.
#[test]
fn the_device_does_not_change_the_answer() {
    for spec in ["random_regular(700, 4, 1)", "fat_tree(4)", "dragonfly_plus(2, 2, 1)"] {
        let args = ["measure", spec, "--only", "distances,hosts", "--how", "exhaustive"];
        let [cpu, auto, gpu] = ["cpu", "auto", "gpu"]
            .map(|device| nestnet([&args[..], &["--device", device]].concat()));
        assert_eq!((cpu.code, &cpu.stderr), (Some(0), &String::new()), "{spec}");
        assert_eq!(cpu.stdout, auto.stdout);
        assert_eq!(cpu.stdout, gpu.stdout);
        assert_eq!(gpu.code, Some(0));
        let line = gpu.stderr.strip_prefix("note: no GPU: ").unwrap_or(&gpu.stderr);
        assert!(line.is_empty() || line.ends_with("; the CPU does it\n"), "{}", gpu.stderr);
        assert!(line.lines().count() <= 1, "{}", gpu.stderr);
    }
}

/// The driver takes memory too, and that is counted before it is loaded.
#[test]
fn a_gpu_is_not_used_where_its_driver_does_not_fit() {
    let args = ["measure", "random_regular(300, 4, 1)", "--only", "radius", "--device", "gpu"];
    let little = nestnet([&args[..], &["--max-memory", "500MB"]].concat());
    assert_eq!(little.code, Some(0));
    let said = "the driver of a GPU needs 1073741824 bytes, over the limit of 500000000 bytes (--max-memory)";
    assert_eq!(little.stderr, format!("note: {said}; the CPU does it\n"));
}

#[test]
fn what_is_too_large_is_refused_beforehand() {
    let why = one("wk(4, 14)", "radius", &["--max-time", "1"]);
    assert!(why["none"].as_str().unwrap().contains("too long (--only, --max-time)"), "{why}");
    let why = one("wk(4, 8)", "girth", &["--max-memory", "1kB"]);
    assert!(why["none"].as_str().unwrap().contains("(--max-memory)"), "{why}");
    let why = one("rdn(torus(5, 5), 4)", "girth", &[]);
    assert!(why["none"].as_str().unwrap().contains("no node ids"), "{why}");
}

#[test]
fn a_sample_says_that_it_is_one() {
    let spec = "random_regular(3000, 4, 1)";
    let exact = one(spec, "average_distance", &[]);
    assert_eq!(exact["how"], "exhaustive");
    let sampled = one(spec, "average_distance", &["--sample", "40", "--seed", "7"]);
    assert_eq!(sampled["how"], "sampled");
    assert_eq!((&sampled["sources"], &sampled["seed"]), (&40.into(), &7.into()));
    let of = |key: &str| sampled[key].as_f64().unwrap();
    assert!(of("low") < of("value") && of("value") < of("high"));
    assert!(
        (exact["value"].as_f64().unwrap() - of("value")).abs() < 2.0 * (of("high") - of("low"))
    );
    let args = ["measure", spec, "--only", "average_distance", "--sample", "40", "--seed", "7"];
    let text = nestnet(args).stdout;
    assert!(text.contains("(95 %), sampled from 40 nodes, seed 7"), "{text}");
    // A theorem needs no sample, and without a sample there is no seed.
    assert_eq!(one("rdn(ring(5), 2)", "average_distance", &["--sample", "9"])["how"], "theorem");
    assert_eq!(nestnet(["measure", spec, "--seed", "7"]).code, Some(2));
}

#[test]
fn the_clock_ends_it_with_what_is_finished() {
    let args = [
        "measure",
        "random_regular(20000, 5, 1)",
        "--only",
        "nodes,radius",
        "--json",
        "--max-time",
        "0.4",
    ];
    let ended = nestnet(args);
    let found: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!(found["nodes"], 20000);
    // A quick machine may be finished by then.
    match found["radius"]["none"].as_str() {
        Some(why) => assert!(why.contains("--max-time"), "{why}"),
        None => assert_eq!(found["radius"]["how"], "exhaustive"),
    }
    assert_eq!(ended.code, Some(if found.get("not_finished").is_some() { 2 } else { 0 }));
}

/// Networks on which the frontier search alone takes all memory that it may, and which are proven within seconds.
#[test]
fn bisections_of_a_hundred_nodes_are_proven_without_being_asked_for() {
    for (spec, links) in [("rcr(2, 7, 2)", 24), ("rcr(3, 6, 1)", 32), ("rcr(4, 7, 0)", 40)] {
        let found = json(&["measure", spec, "--json"]);
        let bounds = (&found["bisection"]["low"], &found["bisection"]["high"]);
        assert_eq!(bounds, (&links.into(), &links.into()), "{spec}");
    }
}

/// The JSON object of what the time stopped, which the exit code says.
fn stopped(args: &[&str]) -> serde_json::Value {
    let ended = nestnet(args);
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    assert!(ended.stderr.contains("(--max-time)"), "{}", ended.stderr);
    serde_json::from_str(&ended.stdout).expect("one JSON object")
}

#[test]
fn a_proof_that_is_stopped_leaves_its_bounds() {
    let spec = "random_regular(120, 8, 1)";
    for verb in [&["measure", spec, "--only", "bisection"][..], &["cut", spec]] {
        let args = [verb, &["--max-time", "2"]].concat();
        let ended = nestnet(&args);
        assert_eq!(ended.code, Some(2), "{}", ended.stderr);
        assert!(ended.stdout.contains("not finished within 2 seconds"), "{}", ended.stdout);
        let found = stopped(&[&args[..], &["--json"]].concat());
        let bounds = if verb[0] == "cut" { &found } else { &found["bisection"] };
        let [low, high] = ["low", "high"].map(|key| bounds[key].as_u64().unwrap());
        assert!(0 < low && low < high, "{found}");
    }
    let found = stopped(&["measure", spec, "--only", "bisection", "--max-time", "2", "--json"]);
    let why = found["not_finished"].as_str().unwrap();
    assert!(why.starts_with("bisection: ") && why.contains("--max-time"), "{why}");
    // What is finished does not report that it is not.
    let found = json(&["measure", "petersen", "--only", "bisection", "--json"]);
    assert!(found.get("not_finished").is_none(), "{found}");
}

#[test]
fn what_takes_longer_is_skipped_and_says_how_to_ask_for_it() {
    let ended = nestnet(["measure", "random_regular(200, 3, 1)", "--json"]);
    let found: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
    assert!(found.get("bisection").is_none() && found.get("lambda2").is_some(), "{found}");
    assert!(ended.stderr.contains("bisection (--only bisection, or --exact)"), "{}", ended.stderr);
    let ended = nestnet(["measure", "ring(200)", "--exact", "--json"]);
    let found: serde_json::Value = serde_json::from_str(&ended.stdout).unwrap();
    assert_eq!((&found["bisection"]["low"], &found["bisection"]["high"]), (&2.into(), &2.into()));
    assert!(found.get("saturation").is_none() && ended.stderr.is_empty(), "{}", ended.stderr);
    // Nothing is omitted of a small one.
    assert_eq!(nestnet(["measure", "ring(9)"]).stderr, "");
}

#[test]
fn unknown_measures_are_named() {
    let ended = nestnet(["measure", "ring(5)", "--only", "diamter"]);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""));
    assert!(ended.stderr.contains("did you mean `diameter`?"), "{}", ended.stderr);
    let ended = nestnet(["measure"]);
    assert_eq!(ended.code, Some(2));
}

/// A leaf of a fat tree has two links up; a host has one.
#[test]
fn links_between_switches_are_counted_without_hosts() {
    let found = |spec: &str| json(&["measure", spec, "--only", "connectivity", "--json"]);
    let tree = found("fat_tree(4)");
    assert_eq!(tree["edge_connectivity"]["high"], 1);
    assert_eq!(tree["switch_edge_connectivity"]["low"], 2);
    assert_eq!(found("hosts(hypercube(4), 3)")["switch_edge_connectivity"]["high"], 4);
    for spec in ["ring(5)", "planes(clos(4, 2), 2)"] {
        assert!(found(spec)["switch_edge_connectivity"].is_null(), "{spec}");
    }
}

#[test]
fn an_imported_network_is_measured_like_any_other() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("edges.txt");
    std::fs::write(&path, nestnet(["edges", "rdn(petersen, 1)"]).stdout).unwrap();
    let spec = format!("file(\"{}\")", path.display());
    for (key, value) in [("diameter", 6), ("vertex_connectivity", 4), ("edge_connectivity", 4)] {
        let found = one(&spec, key, &[]);
        assert_eq!((&found["low"], &found["high"]), (&value.into(), &value.into()), "{key}");
        assert_eq!(found["how"], "exhaustive");
    }
}
