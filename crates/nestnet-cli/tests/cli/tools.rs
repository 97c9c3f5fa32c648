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
    for lost in ["one host of each switch", "levels", "parts of a cycle", "bandwidths", "addresses"]
    {
        assert!(ended.stderr.contains(lost), "{lost}: {}", ended.stderr);
    }
    assert_eq!(
        ended.stdout.lines().next(),
        Some("router 0 node 0 router 1 3 router 2 3 router 9 3")
    );
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
        (
            &["tables", "ring(5)", "--format", "booksim"],
            "anynet is one of networks, which `nestnet export`",
        ),
        (
            &["export", "ring(5)", "--format", "OpenSM"],
            "opensm is one of routing tables, which `nestnet tables`",
        ),
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
    assert_eq!(json(&["import", &dot, "--json"])["links"], 1);
    let lists = path(&folder, "a.adjlist");
    fs::write(&lists, "0 1 2\n1\n2\n").unwrap();
    assert_eq!(json(&["import", &lists, "--json"])["links"], 2);
    fs::write(&dot, "strict graph \"x\" {\n0 -- {1 2};\n}\n").unwrap();
    for (file, expected) in [
        (&dot, "line 2, column 6: a subgraph as an end of links cannot be read"),
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
    let Ended { stderr, .. } = nestnet(["edges", &format!("file(\"{file}\", format=\"ned\")")]);
    assert!(stderr.contains("\"ned\" is not one that is read: graphml"), "{stderr}");
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

/// ECMP has several ports for a destination: what a table of one port cannot hold is said once, with what can be done.
#[test]
fn what_no_table_of_one_port_holds_is_said_with_alternatives() {
    for format in ["opensm", "csv"] {
        let ended = nestnet(["tables", "clos(4, 2)", "--router", "spread", "-f", format]);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{}", ended.stderr);
        assert!(!ended.stderr.contains("note:"), "{}", ended.stderr);
        for alternative in ["`routes`", "`dmodk`", "`balanced`"] {
            assert!(ended.stderr.contains(alternative), "{}", ended.stderr);
        }
        for router in ["dmodk", "balanced"] {
            let ended = nestnet(["tables", "clos(4, 2)", "--router", router, "-f", format]);
            assert_eq!(ended.code, Some(0), "{router}: {}", ended.stderr);
        }
    }
    let whole = nestnet(["tables", "clos(4, 2)", "--router", "spread"]);
    assert_eq!(whole.code, Some(0), "{}", whole.stderr);
    assert!(whole.stdout.contains("0 8 12 9 2") && whole.stdout.contains("0 8 13 9 2"));
}

/// Hosts 0 to 7, switches 8 to 11, spines 12 and 13: of a failed spine nothing is left, and a failed host has no rows.
#[test]
fn tables_go_around_faults() {
    let table = |more: &[&str]| {
        let ended = nestnet([&["tables", "clos(4, 2)", "--faults", "12,0"], more].concat());
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        ended.stdout
    };
    let routes = table(&[]);
    assert_eq!(routes.lines().count(), 7 * 6);
    for line in routes.lines() {
        let (nodes, vcs) = line.split_once(" : ").unwrap();
        assert!(!nodes.split(' ').any(|node| node == "12" || node == "0"), "{line}");
        assert!(vcs.split(' ').all(|vc| vc == "0"), "{line}");
    }
    assert!(table(&["--assign"]).lines().count() == 7 * 6);
    assert!(!table(&["--format", "simgrid"]).contains("src=\"h0\""));
    for (faults, format, why) in [
        ("12", "opensm", "--faults: the next hop around a failure"),
        ("12", "csv", "`routes`"),
        ("99", "routes", "--faults `99`"),
    ] {
        let ended = nestnet(["tables", "clos(4, 2)", "--faults", faults, "-f", format]);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{}", ended.stderr);
        assert!(ended.stderr.contains(why), "{}", ended.stderr);
    }
}

#[test]
fn formats_are_known_by_the_names_of_their_tools() {
    for (alias, name) in [
        ("booksim", "anynet"),
        ("booksim2", "anynet"),
        ("omnet", "ned"),
        ("omnetpp", "ned"),
        ("omnet++", "ned"),
        ("ns-3", "ns3"),
        ("SimGrid", "simgrid"),
    ] {
        let written = |format: &str| nestnet(["export", "ring(5)", "--format", format]);
        let (ended, expected) = (written(alias), written(name));
        assert_eq!((ended.code, ended.stdout), (Some(0), expected.stdout), "{alias}");
    }
}

/// Switches with links of two and of three cables.
const TRUNKED: &str = "pgft([4, 2, 2], [1, 2, 2], [1, 2, 3])";

#[test]
fn a_link_of_a_file_has_as_many_cables_as_it_is_listed() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(&folder, "links.txt");
    fs::write(&file, "a b\na b\nb c\nc a\n").unwrap();
    let spec = format!("file(\"{file}\")");
    for found in [json(&["info", &spec, "--json"]), json(&["import", &file, "--json"])] {
        assert_eq!((&found["links"], &found["cables"]), (&3.into(), &4.into()), "{found}");
    }
    let widths = nestnet(["measure", &spec, "--only", "width_histogram"]);
    assert!(widths.stdout.contains("2 × 1, 1 × 2"), "{}", widths.stdout);
}

#[test]
fn cables_are_written_and_read() {
    let folder = tempfile::tempdir().unwrap();
    let cables = "how many cables a link has: each is written once";
    for format in [
        "graphml",
        "gml",
        "node-link",
        "sparse6",
        "edges",
        "ibsim",
        "simgrid",
        "graph6",
        "metis",
        "mtx",
        "anynet",
    ] {
        let file = path(&folder, format);
        let ended = nestnet(["export", TRUNKED, "--format", format, "-o", &file]);
        assert_eq!(ended.code, Some(0), "{format}: {}", ended.stderr);
        let found = json(&["import", &file, "--format", format, "--json"]);
        let lost = matches!(format, "graph6" | "metis" | "mtx" | "anynet");
        let said = ended.stderr.lines().filter(|line| line.contains(cables)).count();
        assert_eq!(said, usize::from(lost), "{format}: {}", ended.stderr);
        let expected = if lost { 32 } else { 56 };
        assert_eq!((&found["links"], &found["cables"]), (&32.into(), &expected.into()), "{format}");
    }
    let dot = nestnet(["export", TRUNKED, "--format", "dot"]);
    assert_eq!(dot.stdout.matches(" -- ").count(), 56);
    let simgrid = nestnet(["export", TRUNKED, "--format", "simgrid", "--bandwidth", "100Gbps"]);
    let wide = |rate: &str| simgrid.stdout.matches(&format!("bandwidth=\"{rate}\"")).count();
    assert_eq!(["100Gbps", "200Gbps", "300Gbps"].map(wide), [16, 8, 8]);
}

/// A second program counts the cables: NetworkX has a multigraph of them.
#[test]
fn networkx_reads_cables_as_edges() {
    let python = |script: &str| std::process::Command::new("python3").args(["-c", script]).output();
    if !python("import networkx").is_ok_and(|ended| ended.status.success()) {
        eprintln!("networkx is missing: cables are not counted by a second program");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (nodes, graphml) = (path(&folder, "x.json"), path(&folder, "x.graphml"));
    for file in [&nodes, &graphml] {
        assert_eq!(nestnet(["export", TRUNKED, "-o", file]).code, Some(0));
    }
    let script = format!(
        "import json, networkx as nx\n\
         data = json.load(open({nodes:?}))\n\
         data['edges'] = data.pop('links') if 'links' in data else data['edges']\n\
         for graph in nx.node_link_graph(data, edges='edges'), nx.read_graphml({graphml:?}):\n \
         print(graph.is_multigraph(), graph.number_of_nodes(), graph.number_of_edges())\n"
    );
    let ended = python(&script).unwrap();
    let said = String::from_utf8_lossy(&ended.stdout).into_owned();
    // Hosts are counted at their switches there: 12 switches, and 8 links of 2 and 8 of 3 cables.
    let why = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert_eq!(said, "True 12 40\nTrue 12 40\n", "{why}");
}

/// By the port numbers of the exported fabric, OpenSM's tables take the cable that the router takes, and so do ours.
#[test]
fn tables_name_the_cable() {
    let csv = nestnet(["tables", TRUNKED, "--format", "csv"]);
    let mut lines = csv.stdout.lines();
    let head = "destination,node,port,next,vc,destination_address,node_address,next_address";
    assert_eq!(lines.next(), Some(head));
    // Ports that are used of each pair of neighbors, and of each switch and destination the place among its ports.
    let mut used = std::collections::BTreeMap::<(u64, u64), std::collections::BTreeSet<u64>>::new();
    let mut entries = std::collections::BTreeMap::new();
    for line in lines {
        let fields: Vec<u64> =
            line.split(',').take(4).map(|field| field.parse().unwrap()).collect();
        used.entry((fields[1], fields[3])).or_default().insert(fields[2]);
        entries.insert((fields[1], fields[0]), fields[2]);
    }
    // Both cables of every link of two; three cables have fewer destinations than would use all of them.
    assert!(used.iter().all(|(&(a, b), ports)| ports.len() == if a.min(b) < 16 { 1 } else { 2 }));
    // The first switches have their 4 hosts below and no others, so that OpenSM counts ports as the network does, from 1.
    let opensm = nestnet(["tables", TRUNKED, "--format", "opensm"]);
    let mut checked = 0;
    for block in opensm.stdout.split("\n\n").filter(|block| !block.trim().is_empty()).take(4) {
        let at: u64 = block.split("(S").nth(1).unwrap().split(')').next().unwrap().parse().unwrap();
        let rows = json(&["neighbors", TRUNKED, &(16 + at).to_string(), "--json"]);
        let number = |row: &serde_json::Value, key: &str| row[key].as_u64().unwrap();
        let rows = rows["neighbors"].as_array().unwrap().iter();
        let mut ends: Vec<_> = rows.map(|row| (number(row, "node"), number(row, "port"))).collect();
        ends.sort_unstable();
        for line in block.lines().skip(1) {
            let to = u64::from_str_radix(&line[2..6], 16).unwrap() - 1;
            let port: u64 = line[7..10].parse().unwrap();
            let place = usize::try_from(port - 1).unwrap();
            assert_eq!(ends[place].1, entries[&(16 + at, to)], "S{at} to {to}");
            checked += 1;
        }
    }
    assert_eq!(checked, 4 * 16);
    for (format, says) in
        [("routes", false), ("simgrid", false), ("csv", true), ("sst-macro", true)]
    {
        let ended = nestnet(["tables", TRUNKED, "--format", format]);
        let note = format!("{format} has no field for which cable of a link is taken");
        assert_eq!(
            (ended.code, ended.stderr.contains(&note)),
            (Some(0), !says),
            "{}",
            ended.stderr
        );
    }
}
