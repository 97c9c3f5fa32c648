//! `nestnet simulate`: loads, curves, deadlocks, failures and programs at the command line.

use crate::{Ended, json, nestnet};
use serde_json::Value;
use std::fs;

/// What is found of the one network and router.
fn the_curve(args: &[&str]) -> Value {
    let mut found = json(args);
    assert_eq!(found["curves"].as_array().map(Vec::len), Some(1), "{args:?}");
    found["curves"][0].take()
}

/// What is found at the one load.
fn the_point(args: &[&str]) -> Value {
    let mut found = the_curve(args);
    assert_eq!(found["points"].as_array().map(Vec::len), Some(1), "{args:?}");
    found["points"][0].take()
}

/// An answer has the same keys at the same places, whatever was asked for.
#[test]
fn one_load_and_several_have_one_shape() {
    let window = ["--warmup", "10", "--cycles", "50", "--json"];
    let ask = |asked: &[&str]| json(&[&["simulate"], asked, &window[..]].concat());
    let answers = [
        (ask(&["ring(5)", "--load", "0.1"]), [1, 1]),
        (ask(&["ring(5)", "--load", "0.1,0.2"]), [1, 2]),
        (ask(&["ring(5)", "ring(6)", "--load", "0.1"]), [2, 1]),
        (ask(&["ring(5)", "--load", "0.1,0.2", "--router", "shortest,valiant"]), [2, 2]),
    ];
    let keys =
        |value: &Value| -> Vec<String> { value.as_object().unwrap().keys().cloned().collect() };
    for (answer, [curves, points]) in &answers {
        assert_eq!(keys(answer), ["curves"]);
        assert_eq!(answer["curves"].as_array().unwrap().len(), *curves);
        for curve in answer["curves"].as_array().unwrap() {
            assert_eq!(keys(curve), keys(&answers[0].0["curves"][0]));
            assert_eq!(curve["points"].as_array().unwrap().len(), *points);
            assert!(
                curve["points"].as_array().unwrap().iter().all(|point| point["offered"].is_f64())
            );
        }
    }
}

#[test]
fn one_load_has_all_its_numbers() {
    let point =
        the_point(&["simulate", "mesh(4, 4)", "--router", "dor", "--load", "0.01", "--json"]);
    for key in ["offered", "accepted", "hops", "cycles", "flit_hops", "seed"] {
        assert!(point[key].is_number(), "{key}: {point}");
    }
    assert_eq!((&point["status"], &point["offered"]), (&"ok".into(), &0.01.into()));
    let latency = &point["packet_latency"];
    assert!(latency["mean"].is_number() && latency["p50"].is_u64() && latency["p99"].is_u64());
    assert!(point["network_latency"]["mean"].is_number());
    // Two and a half links on average, oneself included.
    let hops = point["hops"].as_f64().unwrap();
    assert!((hops - 2.5).abs() < 0.15, "{hops}");
}

/// Whether there is a GPU or not, the answer is the same; where there is none, one line says so.
#[test]
fn the_device_does_not_change_the_answer() {
    for spec in ["torus(4, 4)", "fat_tree(4)"] {
        let args = ["simulate", spec, "--load", "0.1,0.3", "--warmup", "200", "--cycles", "500"];
        let [cpu, auto, gpu] = ["cpu", "auto", "gpu"]
            .map(|device| nestnet([&args[..], &["--json", "--device", device]].concat()));
        assert_eq!((cpu.code, &cpu.stderr), (Some(0), &String::new()), "{spec}");
        assert_eq!(cpu.stdout, auto.stdout);
        assert_eq!((&cpu.stdout, gpu.code), (&gpu.stdout, Some(0)));
        let line = gpu.stderr.strip_prefix("note: no GPU: ").unwrap_or(&gpu.stderr);
        assert!(line.is_empty() || line.ends_with("; the CPU does it\n"), "{}", gpu.stderr);
        assert!(line.lines().count() <= 1, "{}", gpu.stderr);
    }
}

#[test]
fn tables_that_were_written_are_simulated() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("routes.txt").to_str().unwrap().to_owned();
    let tables = ["tables", "mesh(4, 4)", "--router", "shortest", "-o", &file];
    assert_eq!(nestnet(tables).code, Some(0));
    let at = |router: &str| {
        let args = ["simulate", "mesh(4, 4)", "--router", router, "--load", "0.2", "--json"];
        the_curve(&args)
    };
    let (ruled, tabled) = (at("shortest"), at(&format!("table({file})")));
    assert_eq!(tabled["router"], format!("table({file})"));
    for key in ["accepted", "hops", "packet_latency", "flit_hops"] {
        assert_eq!(ruled[key], tabled[key], "{key}");
    }
    let router = format!("table({file})");
    let refused = nestnet(["simulate", "mesh(4, 4)", "--router", &router, "--adaptive"]);
    assert!(refused.code == Some(2) && refused.stderr.contains("--adaptive"), "{}", refused.stderr);
}

#[test]
fn a_curve_ends_at_saturation() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (svg, csv, links) = (path("curve.svg"), path("curve.csv"), path("links.csv"));
    let args = ["simulate", "torus(4, 4)", "--warmup", "300", "--cycles", "600", "--json"];
    let curve = the_curve(&[&args[..], &["-o", &svg, "--channels", &links]].concat());
    let saturation = curve["saturation"].as_f64().unwrap();
    assert!((0.4..=1.0).contains(&saturation), "{saturation}");
    let points = curve["points"].as_array().unwrap();
    assert!(points.len() >= 11);
    assert!(
        points.windows(2).all(|pair| pair[0]["offered"].as_f64() < pair[1]["offered"].as_f64())
    );
    let drawn = fs::read_to_string(&svg).unwrap();
    // What is saturated is drawn by another shape, and the legend says so.
    assert!(drawn.contains("class=\"pl ") && drawn.contains("saturated: grows with the window"));
    assert!(drawn.contains("latency, cycles"), "{drawn}");
    let links = fs::read_to_string(&links).unwrap();
    assert_eq!(links.lines().count(), 1 + 64 * points.len());
    let two = [&args[..], &["--load", "0.1,0.2", "--router", "paper,valiant", "-o", &csv]].concat();
    let both = json(&two);
    assert_eq!(both["curves"].as_array().unwrap().len(), 2);
    assert_eq!(fs::read_to_string(&csv).unwrap().lines().count(), 1 + 4);
}

#[test]
fn what_is_simulated_is_also_measured_compared_reported_and_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let curve = the_curve(&["simulate", "petersen", "--json"]);
    let measured = json(&["measure", "petersen", "--only", "simulation", "--json"]);
    assert_eq!(measured["saturation"], curve["saturation"]);
    let first = curve["points"][0]["packet_latency"]["mean"].as_f64().unwrap();
    assert!((measured["unloaded_latency"].as_f64().unwrap() - first).abs() < 1e-6);
    let row = &json(&["compare", "petersen", "--also", "saturation", "--json"])["rows"][0];
    assert_eq!(row["saturation"], curve["saturation"]);
    let page = path("page.html");
    assert_eq!(nestnet(["report", "petersen", "-o", &page]).code, Some(0));
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("<h3>Under load</h3>") && page.contains("a load of "));
    let busy = path("busy.svg");
    let args = ["simulate", "ring(5)", "--load", "0.2", "--cycles", "500", "--picture", &busy];
    assert_eq!(nestnet(args).code, Some(0));
    assert!(fs::read_to_string(busy).unwrap().contains("uniform traffic at load 0.2"));
    let two = nestnet(["simulate", "ring(5)", "ring(6)", "--load", "0.2", "--picture", "x.svg"]);
    assert!(two.code == Some(2) && two.stderr.contains("--picture"), "{}", two.stderr);
    // Too long to wait for: it is said instead of done.
    let open = nestnet(["measure", "rdn(torus(5, 5), 2)", "--only", "saturation"]);
    assert!(open.stdout.contains("too long"), "{}", open.stdout);
}

#[test]
fn replies_deadlock_on_channels_of_requests_and_not_on_their_own() {
    let args = ["simulate", "torus(4, 4)", "--buffer", "2", "--replies", "4", "--reply-queue", "1"];
    let shared = ["--reply-channels", "shared", "--vcs", "4", "--load", "0.5"];
    let Ended { code, stdout, .. } = nestnet([&args[..], &shared].concat());
    assert_eq!(code, Some(1), "{stdout}");
    assert!(stdout.contains("waits for the host at"), "{stdout}");
    assert!(stdout.contains("requests and replies can deadlock"), "{stdout}");
    let point = the_point(&[&args[..], &["--load", "0.02", "--json"]].concat());
    let (mean, trip) = (&point["packet_latency"]["mean"], &point["replies"]["round_trip"]["mean"]);
    assert!(trip.as_f64().unwrap() > 2.0 * mean.as_f64().unwrap(), "{point}");
    assert_eq!(point["status"], "ok");
    let text = nestnet([&args[..], &["--load", "0.02"]].concat()).stdout;
    assert!(text.contains("replies at load 0.02: ") && text.contains("round trip "), "{text}");
    let odd = nestnet([&args[..], &["--vcs", "5", "--load", "0.02"]].concat());
    assert!(odd.code == Some(2) && odd.stderr.contains("5 is no multiple of 2"), "{}", odd.stderr);
}

#[test]
fn a_trace_is_written_as_parquet() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let args = ["simulate", "ring(5)", "--load", "0.1,0.2", "--warmup", "10", "--cycles", "100"];
    for name in ["trace.csv", "trace.parquet"] {
        let file = path(name);
        let all = [&args[..], &["--replies", "2", "--trace", file.to_str().unwrap()]].concat();
        assert_eq!(nestnet(all).code, Some(0));
    }
    let csv = fs::read_to_string(path("trace.csv")).unwrap();
    let (names, rows) = crate::study::parquet_rows(&path("trace.parquet"));
    let mut lines = csv.lines();
    assert_eq!(names.join(","), lines.next().unwrap());
    let unquoted: Vec<String> = lines.map(|line| line.replace('"', "")).collect();
    assert!(unquoted.len() > 100 && unquoted.iter().any(|line| line.contains(",reply,")));
    assert_eq!(rows.iter().map(|row| row.join(",")).collect::<Vec<_>>(), unquoted);
}

#[test]
fn energy_and_link_errors_are_reported() {
    let args = ["simulate", "torus(4, 4)", "--load", "0.2", "--warmup", "200", "--cycles", "2000"];
    let asked = ["--energy", "--link-length", "2", "--clock", "2", "--link-errors", "5%"];
    let point = the_point(&[&args[..], &asked, &["--json"]].concat());
    let number = |key: &str| point["energy"][key].as_f64().unwrap();
    let sum = number("buffers") + number("switches") + number("links");
    assert!((number("per_flit") / sum - 1.0).abs() < 1e-6, "{point}");
    // Flits of 128 bits, 0.06 pJ in queues and 0.04 in switches.
    assert!((number("buffers") / number("switches") - 1.5).abs() < 1e-6, "{point}");
    // 16 hosts at two gigahertz.
    let power = 2.0 * 16.0 * point["accepted"].as_f64().unwrap() * number("per_flit");
    assert!((number("power") / power - 1.0).abs() < 1e-3, "{point}");
    let errors = &point["link_errors"];
    let [flits, corrupted] = ["flits", "corrupted"].map(|key| errors[key].as_f64().unwrap());
    assert!((corrupted / flits - 0.05 / 0.95).abs() < 0.01, "{point}");
    let text = nestnet([&args[..], &asked].concat()).stdout;
    assert!(
        text.contains("energy at load 0.2: ") && text.contains("flits on links were sent again")
    );
    let plain = the_point(&[&args[..], &["--json"]].concat());
    let marks = the_point(&[&args[..], &["--json", "--ecn", "1"]].concat());
    assert!(plain.get("marked").is_none() && marks["marked"].as_f64().unwrap() > 0.0, "{marks}");
    let quick = the_point(&[&args[..], &["--json", "--lookahead", "--speculative"]].concat());
    let latency = |point: &Value| point["packet_latency"]["mean"].as_f64().unwrap();
    // Two cycles less at each router, of which packets pass the one of their source and one for each hop.
    let saved = (latency(&plain) - latency(&quick)) / (1.0 + plain["hops"].as_f64().unwrap());
    assert!((1.5..2.5).contains(&saved), "{saved}");
    assert!(plain.get("energy").is_none() && plain.get("link_errors").is_none(), "{plain}");
}

#[test]
fn traffic_changes_with_time() {
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("trace.csv").to_str().unwrap().to_owned();
    let plain = ["simulate", "ring(8)", "--load", "0.2", "--warmup", "0", "--cycles", "300"];
    let phases = ["--traffic", "phases(100*shift(1), 50*shift(3))"];
    the_point(&[&plain[..], &phases, &["--json", "--trace", &trace]].concat());
    let text = fs::read_to_string(&trace).unwrap();
    let mut seen = [0, 0];
    for row in text.lines().skip(1) {
        let cells: Vec<u64> = row.split(',').filter_map(|cell| cell.parse().ok()).collect();
        let [from, to, _flits, created, ..] = cells[..] else { panic!("{row}") };
        let late = created % 150 >= 100;
        seen[usize::from(late)] += 1;
        assert_eq!((to + 8 - from) % 8, if late { 3 } else { 1 }, "{row}");
    }
    assert!(seen[0] > 200 && seen[1] > 80, "{seen:?}");
    let args = ["simulate", "ring(8)", "--load", "0.2", "--json", "--traffic"];
    let point = the_point(&[&args[..], &["phases(3000*uniform, 200*shift(3))"]].concat());
    assert_eq!(point["window"]["cycles"].as_u64().unwrap() % 3200, 0, "{point}");
    let curve = the_curve(&[&args[..], &["onoff(uniform, 20, 60)"]].concat());
    assert_eq!(curve["traffic"], "onoff(uniform, 20, 60)");
    let accepted = curve["points"][0]["accepted"].as_f64().unwrap();
    assert!((accepted - 0.2).abs() < 0.02, "{accepted}");
    let both = nestnet([&args[..], &["onoff(uniform, 20, 60)", "--burst", "9"]].concat());
    assert!(both.code == Some(2) && both.stderr.contains("takes no --burst"), "{}", both.stderr);
}

#[test]
fn hosts_flows_and_packets_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (hosts, flows, trace) = (path("hosts.csv"), path("flows.csv"), path("trace.csv"));
    let args = ["simulate", "ring(5)", "--load", "0.2", "--cycles", "300", "--json"];
    let files = ["--per-host", &hosts, "--per-flow", &flows, "--trace", &trace];
    let mix = ["--traffic", "mix(0.8*uniform, 0.2*hotspot(1, 3))", "--replies", "1"];
    let curve = the_curve(&[&args[..], &files, &mix].concat());
    assert_eq!(curve["traffic"], "mix(0.8*uniform, 0.2*hotspot(1, 3))");
    let point = &curve["points"][0];
    let column = |path: &str, name: &str| -> Vec<String> {
        let text = fs::read_to_string(path).unwrap();
        let mut rows = text.lines().map(|line| line.rsplit('"').next().unwrap().to_owned());
        let head = rows.next().unwrap();
        let head: Vec<&str> = head.trim_start_matches("spec,router").split(',').collect();
        let at = head.iter().position(|cell| *cell == name).unwrap();
        rows.map(|row| row.split(',').nth(at).unwrap().to_owned()).collect()
    };
    let sum = |path: &str, name: &str| -> u64 {
        column(path, name).iter().map(|cell| cell.parse::<u64>().unwrap()).sum()
    };
    let kinds = column(&trace, "kind");
    let requests = kinds.iter().filter(|kind| *kind == "request").count() as u64;
    assert_eq!(Some(requests), point["packets"].as_u64());
    assert_eq!(sum(&hosts, "sent_packets"), kinds.len() as u64);
    assert_eq!(sum(&flows, "packets"), kinds.len() as u64);
    assert_eq!(column(&hosts, "host"), ["0", "1", "2", "3", "4"]);
    // Flits are those that arrived in the window, as in what is accepted.
    let accepted = |of: &Value| of["accepted"].as_f64().unwrap();
    let flits = (5.0 * 300.0 * (accepted(point) + accepted(&point["replies"]))).round();
    for (path, name) in [(&hosts, "sent_flits"), (&hosts, "received_flits"), (&flows, "flits")] {
        assert_eq!(sum(path, name) as f64, flits, "{name}");
    }
    // The hot host answers most.
    let sent: Vec<u64> =
        column(&hosts, "sent_packets").iter().map(|cell| cell.parse().unwrap()).collect();
    assert_eq!(sent.iter().max(), Some(&sent[3]));
}

#[test]
fn loads_may_be_found() {
    let args = ["simulate", "petersen", "--warmup", "200", "--cycles", "400", "--json"];
    let curve = the_curve(&args);
    for given in [["--load", "auto"], ["--loads", "auto"]] {
        assert_eq!(the_curve(&[&args[..], &given].concat()), curve);
    }
    let points = curve["points"].as_array().unwrap();
    let hops = |point: &serde_json::Value| point["flit_hops"].as_u64().unwrap();
    assert!(curve["flit_hops"].as_u64().unwrap() > points.iter().map(hops).sum());
}

#[test]
fn a_deadlock_is_reported_and_predicted() {
    let args = ["simulate", "ring(8)", "--vcs", "1", "--packet", "8", "--buffer", "2"];
    let Ended { code, stdout, .. } = nestnet([&args[..], &["--load", "0.9"]].concat());
    assert_eq!(code, Some(1), "{stdout}");
    assert!(stdout.contains("in a dependency cycle:\n    1. the packet from "), "{stdout}");
    assert!(stdout.contains("warning           messages can deadlock"), "{stdout}");
    let free = nestnet(["simulate", "ring(8)", "--packet", "8", "--buffer", "2", "--load", "0.9"]);
    assert_eq!(free.code, Some(0), "{}", free.stdout);
    assert!(!free.stdout.contains("warning"), "{}", free.stdout);
}

#[test]
fn links_fail_and_programs_run() {
    let args = ["simulate", "torus(4, 4)", "--load", "0.1", "--json", "--fail", "0-1@4000"];
    let point = the_point(&args);
    assert!(point["failures"]["latency_after"].is_number(), "{point}");
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (goal, svg) = (path("pair.goal"), path("pair.svg"));
    let text = "num_ranks 2\nrank 0 {\na: send 160b to 1\n}\nrank 1 {\na: recv 160b from 0\n}\n";
    fs::write(&goal, text).unwrap();
    let done =
        json(&["simulate", "ring(5)", "--goal", &goal, "--packet", "10", "-o", &svg, "--json"]);
    assert_eq!((&done["status"], &done["done"]), (&"ok".into(), &2.into()));
    // Ten flits over one link and two routers, and the cycle in which that is heard.
    assert_eq!(done["cycles"], 2 + 10 + 9 + 1);
    assert!(fs::read_to_string(&svg).unwrap().contains("<rect"));
    assert_eq!((&done["messages"], &done["message_latency"]["mean"]), (&1.into(), &21.0.into()));
    let (tasks, messages) = (path("tasks.csv"), path("messages.csv"));
    let files = ["--goal", &goal, "--packet", "10", "-o", &tasks, "--trace", &messages];
    let args = [&["simulate", "ring(5)"][..], &files].concat();
    assert!(nestnet(&args).stdout.contains("message latency  21.00 cycles (median 21, p99 21)"));
    let tasks = fs::read_to_string(&tasks).unwrap();
    let head = "rank,task,action,peer,bytes,tag,begin,end\n";
    assert_eq!(tasks, format!("{head}0,0,send,1,160,0,0,9\n1,0,receive,0,160,0,0,21\n"));
    let messages = fs::read_to_string(&messages).unwrap();
    assert_eq!(messages, "from,to,tag,bytes,created,left,arrived\n0,1,0,160,0,9,21\n");
    let parquet = ["simulate", "ring(5)", "--goal", &goal, "--trace", "x.parquet"];
    assert!(nestnet(parquet).stderr.contains("must end in .csv"));
}

#[test]
fn what_is_not_understood_is_refused() {
    for (args, message) in [
        (&["ring(5)", "--load", "2"][..], "expected a part from 0 to 1"),
        (&["ring(5)", "--load", "0.1", "--router", "magic"], "unknown router `magic`"),
        (
            &["ring(5)", "--load", "0.1", "--router", "magic"],
            "adaptive, minimal_adaptive, ugal, ugal_l, ugal_g, par, progressive_adaptive, polarized, min, min_hops, dor",
        ),
        (&["ring(5)", "--load", "0.1", "--precision", "2"], "such as 2% or 0.02"),
        (&["ring(5)", "--load", "0.1", "--traffic", "magic"], "unknown traffic `magic`"),
        (&["petersen", "--load", "0.1", "--router", "dor"], "`dor` needs a mesh or a torus"),
        (&["ring(5)", "--load", "0.1", "--fail", "0-2@10"], "--fail"),
        (&["ring(5)", "--load", "0.1", "-o", "x.txt"], ".svg, .png, .pdf, .tex or .csv"),
        (&["ring(5)", "--load", "0.1", "-o", "x.csv", "--width", "85"], "--width needs -o FILE"),
        (&["ring(5)", "--load", "0.1", "--no-title"], "--no-title needs -o FILE"),
        (
            &["ring(5)", "--load", "0.1", "--packet", "9", "--switching", "cut-through"],
            "cut-through needs room",
        ),
    ] {
        let ended = nestnet([&["simulate"], args].concat());
        assert_eq!(ended.code, Some(2), "{args:?}: {}", ended.stdout);
        assert!(ended.stderr.contains(message), "{args:?}: {}", ended.stderr);
    }
}

#[test]
fn windows_are_found_for_a_precision() {
    let args = ["simulate", "mesh(4, 4)", "--router", "dor", "--load", "0.3", "--json"];
    let ask = |more: &[&str]| the_point(&[&args[..], more].concat());
    let usual = ask(&[]);
    assert!(usual["window"]["warmup"].as_u64() >= Some(1024), "{usual}");
    let sharp = ask(&["--precision", "0.2%"]);
    let latency = &sharp["packet_latency"];
    let (mean, ci95) = (latency["mean"].as_f64().unwrap(), latency["ci95"].as_f64().unwrap());
    assert!(sharp["status"] == "ok" && ci95 <= 0.002 * mean, "{sharp}");
    let short = ask(&["--precision", "0.2%", "--max-cycles", "3000"]);
    assert_eq!(short["status"], "not converged");
    assert_eq!(short["reason"], "the interval is wider than the precision");
    let fixed = ask(&["--warmup", "100", "--cycles", "700"]);
    assert!(fixed["window"].is_null() && fixed["cycles"].as_u64() < Some(1000), "{fixed}");
}

#[test]
fn percentiles_are_those_of_the_histogram() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("latencies.csv").to_str().unwrap().to_owned();
    let args = ["simulate", "mesh(4, 4)", "--load", "0.3", "--cycles", "2000", "--json"];
    let asked = ["--percentiles", "50,99,99.9", "--histogram", &path];
    let point = the_point(&[&args[..], &asked].concat());
    let found = |at: usize| point["percentiles"][at]["latency"].as_u64().unwrap();
    let latency = &point["packet_latency"];
    assert_eq!(
        (Some(found(0)), Some(found(1))),
        (latency["p50"].as_u64(), latency["p99"].as_u64())
    );
    let text = fs::read_to_string(&path).unwrap();
    let counts: Vec<(u64, u64)> = text
        .lines()
        .skip(1)
        .map(|line| {
            let mut cells = line.rsplit(',').map(|cell| cell.parse::<u64>());
            let (count, cycles) = (cells.next().unwrap().unwrap(), cells.next().unwrap().unwrap());
            (cycles, count)
        })
        .collect();
    let all: u64 = counts.iter().map(|(_, count)| count).sum();
    assert_eq!(Some(all), point["packets"].as_u64());
    let within: u64 = counts.iter().filter(|(cycles, _)| *cycles <= found(2)).map(|(_, n)| n).sum();
    let below: u64 = counts.iter().filter(|(cycles, _)| *cycles < found(2)).map(|(_, n)| n).sum();
    let rank = 0.999 * all as f64;
    assert!(within as f64 >= rank && (below as f64) < rank, "{point}");
}

#[test]
fn min_takes_the_path_that_is_shortest_by_latency() {
    let args = ["simulate", "dragonfly(4, 2)", "--load", "0.02", "--cycles", "3000", "--json"];
    let hops = |router: &str, latency: &str| {
        let asked = ["--router", router, "--latency", latency];
        the_point(&[&args[..], &asked].concat())["hops"].as_f64().unwrap()
    };
    assert_eq!(hops("min", "1"), hops("min_hops", "1"));
    assert_eq!(hops("min_hops", "0=40,1=1"), hops("min_hops", "1"));
    assert!(hops("min", "0=40,1=1") > hops("min_hops", "1"));
}

/// Three routers, of which 0 and 2 are far apart: BookSim2 sends by latency, and so does `min`.
#[test]
fn latencies_of_a_file_are_those_of_its_links() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let file = path("three.anynet");
    let text = "router 0 node 0 router 1 2 router 2 20\nrouter 1 node 1 router 0 2 router 2 3\n\
                router 2 node 2 router 0 20 router 1 3\n";
    fs::write(&file, text).unwrap();
    fs::write(path("far.txt"), "0 2 1\n").unwrap();
    let at = |spec: &str, more: &[&str]| {
        let traffic = format!("matrix({})", path("far.txt"));
        let args = ["simulate", spec, "--load", "0.01", "--cycles", "3000", "--traffic", &traffic];
        let point = the_point(&[&args[..], &["--packet", "1", "--json"], more].concat());
        (point["hops"].as_f64().unwrap(), point["packet_latency"]["p50"].as_u64().unwrap())
    };
    let spec = format!("file(\"{file}\")");
    // Two cycles, and of every router its four stages and its link; that of the last router to its host takes one.
    let cycles = |links: &[u64]| 2 + links.iter().map(|link| 4 + link).sum::<u64>() + 4 + 1;
    assert_eq!(at(&spec, &["--router", "min"]), (2.0, cycles(&[2, 3])));
    assert_eq!(at(&spec, &["--router", "min_hops"]), (1.0, cycles(&[20])));
    assert_eq!(at(&spec, &["--router", "min", "--latency", "1"]), (1.0, cycles(&[1])));
    // As other formats keep them.
    for format in ["graphml", "gml", "node-link"] {
        let other = path(format);
        assert_eq!(nestnet(["export", &spec, "--format", format, "-o", &other]).code, Some(0));
        let spec = format!("file(\"{other}\", format=\"{format}\")");
        assert_eq!(at(&spec, &["--router", "min"]), (2.0, cycles(&[2, 3])), "{format}");
    }
}

#[test]
fn what_has_no_effect_is_said() {
    let said =
        |args: &[&str]| the_curve(&[&["simulate"], args, &["--json"]].concat())["warning"].clone();
    let late = said(&["torus(4, 4)", "--load", "0.1", "--fail", "0-1@9000"]);
    assert_eq!(late, "a link fails after the last measured cycle, 9000");
    let level = said(&["rdn(ring(3), 1)", "--load", "0.1", "--latency", "0=1,4=9"]);
    assert_eq!(level, "a latency is given for level 4, and the highest level of a link is 1");
    assert!(said(&["rdn(ring(3), 1)", "--load", "0.1", "--latency", "0=1,1=9"]).is_null());
}

#[test]
fn links_fail_at_random() {
    let args = ["simulate", "torus(5, 5)", "--load", "0.1", "--cycles", "2000", "--json"];
    let ask = |rate: &str| the_point(&[&args[..], &["--fail-rate", rate]].concat());
    let failed = ask("1e-5");
    assert!(failed["failures"]["latency_after"].is_number(), "{failed}");
    assert_eq!(failed, ask("1e-5"));
    assert!(ask("0")["failures"].is_null());
    let Ended { code, stderr, .. } = nestnet(["simulate", "torus(20, 20)", "--fail-rate", "1"]);
    assert!(code == Some(2) && stderr.contains("--fail-rate"), "{stderr}");
}

#[test]
fn latencies_of_no_packets_are_none() {
    let point = the_point(&["simulate", "ring(4)", "--load", "0", "--cycles", "20", "--json"]);
    assert_eq!((&point["packets"], &point["hops"]), (&0.into(), &Value::Null));
    for key in ["mean", "p50", "p99", "ci95"] {
        assert_eq!(point["packet_latency"][key], Value::Null, "{key}");
    }
    assert_eq!(point["network_latency"]["mean"], Value::Null);
}
