//! Commands that once said something false, ended in a panic or kept what they had found for themselves.

use crate::{json, nestnet};
use std::fs;

/// A row that costs 2,820 $ a host is not lost by a limit of 5,000 $.
#[test]
fn a_limit_on_the_price_keeps_what_costs_less() {
    let question = "design --hosts 64 --radix 16 --depth 0 --copper 100000,0,0.1 \
                    --active-copper 1,0,1000 --fiber 100000,0,0 --json";
    let words: Vec<&str> = question.split_whitespace().collect();
    let prices = |more: &[&str]| -> Vec<f64> {
        let answer = json(&[&words[..], more].concat());
        let rows = answer["front"].as_array().unwrap();
        rows.iter().map(|row| row["price_per_host"].as_f64().unwrap()).collect()
    };
    let all = prices(&[]);
    let cheap = |prices: &[f64]| prices.iter().filter(|price| **price <= 5000.0).count();
    assert!(cheap(&all) > 0);
    let limited = prices(&["--max-price", "5000"]);
    assert_eq!((cheap(&limited), limited.len()), (cheap(&all), cheap(&all)));
}

#[test]
fn ugal_runs_on_as_few_channels_as_are_asked_for() {
    let args =
        ["simulate", "torus(4, 4)", "--router", "ugal", "--vcs", "2", "--load", "0.1", "--json"];
    let found = &json(&args)["curves"][0];
    assert_eq!((&found["vcs"], &found["points"][0]["offered"]), (&2.into(), &0.1.into()));
}

#[test]
fn a_network_that_is_not_connected_is_named_so() {
    for load in [&[][..], &["--load", "0.1"]] {
        let ended = nestnet([&["simulate", "rcr(0, 4, 4)"], load].concat());
        assert_eq!(ended.code, Some(2));
        assert!(ended.stderr.contains("the network is not connected"), "{}", ended.stderr);
    }
}

/// Property 1 of the paper: k + 2 links for r > 2, k + r - 1 for fewer.
#[test]
fn the_degree_that_the_paper_prints_is_the_one_for_its_r() {
    for (spec, degree) in [("rcr(2, 1, 2)", 2), ("rcr(2, 2, 2)", 3), ("rcr(2, 3, 2)", 4)] {
        let info = json(&["info", spec, "--json"]);
        let said = info["paper_says"].as_array().unwrap();
        let degrees = said.iter().find(|said| said["what"] == "degree").unwrap();
        assert_eq!((&degrees["value"], &degrees["where"]), (&degree.into(), &"Property 1".into()));
    }
}

/// The virtual channels of a row are those of the routing that it names.
#[test]
fn comparing_and_certifying_agree_on_the_channels() {
    for spec in ["hosts(hyperx(4, 4), 4)", "torus(4, 4)", "dragonfly_plus(2, 2, 2)"] {
        let row = json(&["compare", spec, "--json"])["rows"][0].clone();
        let routing = row["routing"].as_str().unwrap();
        assert_eq!(row["router"], row["routing"], "{spec}");
        let certified = json(&["deadlock", spec, "--router", routing, "--json"]);
        assert_eq!(row["vcs"], certified["vcs"], "{spec} by {routing}");
    }
}

/// As many virtual channels as the routes between hosts use, by both verbs.
#[test]
fn comparing_and_certifying_agree_on_the_channels_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    for (number, spec) in
        ["leaf_spine(4, 4, 4)", "clos(8, 3)", "hosts(torus(4, 4), 2)"].into_iter().enumerate()
    {
        let path = folder.path().join(format!("{number}.graphml")).display().to_string();
        assert_eq!(nestnet(["export", spec, "-o", &path]).code, Some(0));
        let file = format!("file({path:?})");
        let compared = json(&["compare", &file, "--json"]);
        let row = &compared["rows"][0];
        let routing = row["routing"].as_str().unwrap();
        let certified = json(&["deadlock", &file, "--router", routing, "--json"]);
        assert_eq!(row["vcs"], certified["vcs"], "{spec} by {routing}");
    }
}

#[test]
fn a_bound_says_what_it_bounds() {
    let ended = nestnet(["throughput", "torus(4, 4)", "--traffic", "bit_complement"]);
    let line = ended.stdout.lines().find(|line| line.contains("worst case")).unwrap();
    assert!(line.contains("with any routing under its worst permutation"), "{line}");
}

/// Nothing that grows with the arguments is listed.
#[test]
fn the_largest_networks_are_compared_and_reported() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("x.html").display().to_string();
    let ends = |args: &[&str]| {
        let ended = nestnet([args, &["--max-memory", "1GB", "--max-time", "60"]].concat());
        assert_eq!(ended.code, Some(0), "{args:?}: {}", ended.stderr);
    };
    ends(&["compare", "star(4294967296)", "--match-nodes"]);
    ends(&["compare", "hyperx(2147483648, 3, 8)", "--match-nodes"]);
    ends(&["report", "complete(9223372036854775808)", "-o", &page]);
    ends(&["report", "leaf_spine(1, 9007199254740992, 65535)", "-o", &page]);
}

/// A part is what a shard wrote, to the last byte.
#[test]
fn a_part_that_was_edited_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("part.json").display().to_string();
    let question = ["design", "--nodes", "24", "--max-degree", "4", "--no-report"];
    let shard = ["--shard", "1/1", "--part", &path];
    assert_eq!(nestnet([&question[..], &shard].concat()).code, Some(0));
    assert_eq!(nestnet(["merge", &path]).code, Some(0));
    let written = fs::read_to_string(&path).unwrap();
    let start = written.find("\"candidates\":").unwrap() + "\"candidates\":".len();
    let end = start + written[start..].find(',').unwrap();
    for number in ["0", "18446744073709551615", "-1"] {
        fs::write(&path, [&written[..start], number, &written[end..]].concat()).unwrap();
        let ended = nestnet(["merge", &path]);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""));
        assert!(ended.stderr.contains("its checksum does not match"), "{}", ended.stderr);
    }
}

#[test]
fn the_manual_makes_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("man").join("man1");
    let ended = nestnet(["man", "--folder", &inner.display().to_string()]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(inner.join("nestnet-design.1").exists());
}

/// What is finished when the time is over is printed, and what is not is said.
#[test]
fn a_comparison_that_is_stopped_prints_its_rows() {
    let slow = "random_regular(60000, 8, 1)";
    let ended = nestnet(["compare", "ring(5)", slow, "--also", "bisection", "--max-time", "3"]);
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    assert!(ended.stdout.contains("ring(5)") && !ended.stdout.contains(slow), "{}", ended.stdout);
    assert!(ended.stderr.contains("not finished within 3 seconds"), "{}", ended.stderr);
}

/// Flits on a long link and their credits on the way back are no queue: at low load UGAL keeps to the minimal route.
#[test]
fn long_links_are_no_reason_for_a_detour() {
    let hops = |packet: &str, router: &str, vcs: &str| {
        let delays = ["--latency", "0=1,1=10,2=100", "--buffer", "256", "--packet", packet];
        let window = ["--load", "0.1", "--warmup", "2000", "--cycles", "3000", "--json"];
        let network = ["simulate", "hosts(dragonfly(4, 2), 2)", "--router", router, "--vcs", vcs];
        let found = json(&[&network[..], &delays, &window].concat());
        found["curves"][0]["points"][0]["hops"].as_f64().unwrap()
    };
    for packet in ["1", "10"] {
        let (minimal, ugal) = (hops(packet, "minimal", "2"), hops(packet, "ugal(minimal)", "6"));
        assert!((ugal / minimal - 1.0).abs() < 0.03, "{packet}: {ugal} {minimal}");
    }
}
