//! Files that NetworkX and igraph wrote (`data/make.py`) are read, and DOT as people write it and as it is written here;
//! what is no DOT is refused with its place.

use nestnet_formats::reading::{Hosts, Labels};
use nestnet_formats::{self as format, Costs, Loss, Reading, Remark, Writing};
use nestnet_graph::named::Names;
use nestnet_graph::{Budget, Network, Node};
use proptest::collection;
use proptest::prelude::*;
use std::path::Path;
use std::sync::Arc;

fn reading(file: &str) -> Reading {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(file);
    let text = std::fs::read(&path).unwrap_or_else(|error| panic!("{file}: {error}"));
    let known = format::of_file(file, &text);
    format::read(known, &text, None).unwrap_or_else(|error| panic!("{file}: {error}"))
}

fn network(reading: Reading) -> Arc<dyn Network> {
    reading.network(None, &Budget::default()).unwrap().0
}

/// Every cable once, by the addresses of its ends.
fn cables(network: &dyn Network) -> Vec<(String, String)> {
    let mut cables = Vec::new();
    for at in (0..network.order()).map(Node) {
        network.for_each_neighbor(at, &mut |_, to| {
            if at < to {
                cables.push((network.address(at).to_string(), network.address(to).to_string()));
            }
        });
    }
    cables.sort();
    cables
}

const ENDS: [&str; 6] = ["gexf", "dot", "net", "graphml", "json", "adjlist"];

#[test]
fn the_petersen_graph_of_networkx_is_read() {
    let links =
        ["01", "04", "05", "12", "16", "23", "27", "34", "38", "49", "57", "58", "68", "69", "79"];
    let expected: Vec<(String, String)> =
        links.iter().map(|link| (link[..1].to_owned(), link[1..].to_owned())).collect();
    for end in ENDS {
        let network = network(reading(&format!("petersen.{end}")));
        assert_eq!((network.order(), cables(&*network)), (10, expected.clone()), "{end}");
    }
}

#[test]
fn names_parallel_links_and_single_nodes_are_kept() {
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    let expected = vec![
        pair("leaf-2", "é"),
        pair("spine", "leaf-1"),
        pair("spine", "leaf-1"),
        pair("spine", "leaf-2"),
    ];
    for end in ENDS {
        let reading = reading(&format!("multi.{end}"));
        // Lists of neighbors and of JSON pass over what they have besides without a word on each.
        let passed = reading.remarks.iter().any(|remark| matches!(remark, Remark::PassedOver(_)));
        assert_eq!(passed, !matches!(end, "adjlist" | "json"), "{end}: {:?}", reading.remarks);
        let network = network(reading);
        assert_eq!((network.order(), cables(&*network)), (5, expected.clone()), "{end}");
        assert_eq!(network.address(Node(4)).to_string(), "alone", "{end}");
    }
}

#[test]
fn a_link_in_both_directions_is_one() {
    let expected = [("a", "b"), ("b", "c")].map(|(a, b)| (a.to_owned(), b.to_owned()));
    for end in ENDS {
        let reading = reading(&format!("directed.{end}"));
        // Lists of neighbors do not tell.
        let directed = reading.remarks.contains(&Remark::Directed);
        assert_eq!(directed, end != "adjlist", "{end}: {:?}", reading.remarks);
        let network = network(reading);
        assert_eq!((network.order(), cables(&*network)), (3, expected.to_vec()), "{end}");
    }
}

#[test]
fn the_name_of_igraph_is_the_address() {
    for (end, names) in [
        ("graphml", ["sw a", "sw b", "sw c"]),
        ("gml", ["sw a", "sw b", "sw c"]),
        ("net", ["sw a", "sw b", "sw c"]),
        ("dot", ["0", "1", "2"]),
    ] {
        let network = network(reading(&format!("igraph.{end}")));
        let found: Vec<String> = (0..3).map(|at| network.address(Node(at)).to_string()).collect();
        assert_eq!(found, names, "{end}");
        assert_eq!(cables(&*network).len(), 3, "{end}");
    }
    // Where a node has a label too, that is its address.
    let gml = "graph [ node [ id 0 label \"a\" name \"x\" ] node [ id 1 name \"y\" label \"b\" ] \
               edge [ source 0 target 1 ] ]";
    let both = format::read(format::find("gml").unwrap(), gml.as_bytes(), None).unwrap();
    assert_eq!(both.remarks, [Remark::PassedOver("other attributes of nodes")]);
    assert_eq!(cables(&*network(both)), [("a".to_owned(), "b".to_owned())]);
    // Ids that say something stay.
    let file = |keys: &str, data: &str, id: &str| {
        format!(
            "<graphml>{keys}<graph><node id=\"{id}\">{data}</node><node id=\"z\"/>\
             <edge source=\"{id}\" target=\"z\"/></graph></graphml>"
        )
    };
    let key = "<key id=\"n\" for=\"node\" attr.name=\"name\"/>";
    let text = file(key, "<data key=\"n\">other</data>", "a");
    let graphml = format::find("graphml").unwrap();
    let own = network(format::read(graphml, text.as_bytes(), None).unwrap());
    assert_eq!(own.address(Node(0)).to_string(), "a");
}

/// A text in DOT: how many nodes, and its cables.
fn dot(text: &str) -> Result<(u64, Vec<(String, String)>), String> {
    let dot = format::find("dot").unwrap();
    assert_eq!(format::of_file("x", text.as_bytes()).name, "dot", "{text}");
    let reading = format::read(dot, text.as_bytes(), None).map_err(|error| error.to_string())?;
    let network = network(reading);
    Ok((network.order(), cables(&*network)))
}

#[test]
fn dot_is_read_as_people_write_it() {
    for (text, nodes, links) in [
        ("graph { a -- b }", 2, "a-b"),
        ("digraph{a->b->c; c->a}", 3, "a-b a-c b-c"),
        (
            "// by hand\n/* and\n more */\n# 1 \"x\"\nGRAPH \"x y\" {\n\ta -- b\n b -- c\n}\n",
            3,
            "a-b b-c",
        ),
        (
            "graph G { node [shape=box]; edge [color=\"red\", len=2]; rankdir=LR; a -- b [w=1][c=2] }",
            2,
            "a-b",
        ),
        ("graph { a:p:n -- b:s; c [label=<<b>x</b>>]; }", 3, "a-b"),
        ("graph { subgraph cluster_0 { label=\"rack\"; a; b } { c } a -- b -- c }", 3, "a-b b-c"),
        ("graph { \"a \\\"b\\\"\" -- \"c\" + \"d\" }", 2, "a \"b\"-cd"),
        ("graph { a -- b; a -- b; b -- a }", 2, "a-b a-b"),
        ("strict graph { a -- b; a -- b; b -- a }", 2, "a-b"),
        ("\u{feff}graph { 1 -- 0; 2 -- 0 }", 3, "0-1 0-2"),
        ("graph { -1.5 -- .5 }", 2, "-1.5-.5"),
        ("graph { a [label=x]; b [label=y]; a -- b }", 2, "x-y"),
        ("graph { a [label=x]; b [label=x]; a -- b }", 2, "a-b"),
        ("graph { a }", 1, ""),
        ("digraph { édge -> subgraphs }", 2, "édge-subgraphs"),
    ] {
        let (order, found) = dot(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let found: Vec<String> = found.iter().map(|(a, b)| format!("{a}-{b}")).collect();
        assert_eq!((order, found.join(" ").as_str()), (nodes, links), "{text}");
    }
}

#[test]
fn what_is_no_dot_is_refused_with_its_place() {
    for (text, expected) in [
        ("graph {", "line 1, column 8: the file ends, and `}` is missing"),
        ("graph { }", "no nodes in the file"),
        ("graph { a -- a }", "line 1, column 14: node a cannot be linked to itself"),
        (
            "graph {\n a -- { b c } }",
            "line 2, column 7: a subgraph as an end of links cannot be read",
        ),
        ("graph { {a b} -- c }", "line 1, column 13: a subgraph as an end of links cannot be read"),
        ("graph { a -- subgraph s { b } }", "a subgraph as an end of links cannot be read"),
        ("graph { a -- }", "line 1, column 14: expected a node, found `}`"),
        ("graph { a [b] }", "line 1, column 13: expected `=` and the value of an attribute"),
        ("graph { a [b=] }", "line 1, column 14: expected a value"),
        ("graph { \"a }", "the end of a string is missing"),
        ("graph { a /* }", "the end of a comment is missing"),
        ("graph { a [b=<<x>] }", "the end of HTML in brackets is missing"),
        ("graph { a } graph { b }", "line 1, column 13: a second graph cannot be read"),
        ("graph { a -- b [level=x] }", "line 1, column 23: expected a level, found `x`"),
        ("graph { a -- b [level=99999] }", "too large"),
        ("graph { ] }", "line 1, column 9: expected a node, a link or an attribute"),
        ("graph { a - b }", "line 1, column 11: expected a name, `--` or `->`"),
        ("graph { a -- @ }", "line 1, column 14: expected a name or a sign of DOT"),
        ("graph { \"\" }", "line 1, column 9: expected a name of visible characters"),
        ("graph { \"a\" + b }", "line 1, column 15: expected a string behind `+`"),
    ] {
        let error = dot(text).expect_err(text);
        assert!(error.contains(expected), "{text}: {error}");
    }
}

#[test]
fn what_is_no_gexf_or_adjacency_list_is_refused_with_its_place() {
    for (name, text, expected) in [
        (
            "gexf",
            "<gexf><graph><nodes><node id=\"a\"/><node id=\"a\"/></nodes></graph></gexf>",
            "line 1, column 35: node `a` was there before",
        ),
        (
            "gexf",
            "<gexf><graph>\n<nodes><node id=\"a\"/></nodes><edges><edge source=\"a\" target=\"b\"/></edges></graph></gexf>",
            "line 2, column 37: there is no node `b` in the file",
        ),
        (
            "gexf",
            "<gexf><graph><nodes><node id=\"a\"><nodes><node id=\"b\"/></nodes></node></nodes></graph></gexf>",
            "a node within a node cannot be read: networks are flat",
        ),
        (
            "gexf",
            "<gexf><graph><nodes><node id=\"a\"/></nodes><edges><edge source=\"a\" target=\"a\"/></edges></graph></gexf>",
            "node a cannot be linked to itself",
        ),
        ("gexf", "<gexf><graph></graph></gexf>", "no nodes in the file"),
        ("adjlist", "# nothing\n", "no nodes in the file"),
        ("adjlist", "a b\nb b\n", "line 2, column 3: node b cannot be linked to itself"),
        (
            "adjlist",
            "a 1\nb {}\nb 0\n",
            "line 2, column 3: a multi-line adjacency list cannot be read: write the neighbors of a node on \
             its line, as nx.write_adjlist does",
        ),
        (
            "edges",
            "0 1\n1 {}\n",
            "line 2, column 3: expected a node number as in the first link, found `{}`",
        ),
        ("adjlist", "a \u{1}\n", "line 1, column 3: byte 0x01"),
    ] {
        let error = format::read(format::find(name).unwrap(), text.as_bytes(), None);
        let error = error.map(|_| ()).expect_err(text).to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
}

#[test]
fn values_of_gexf_have_their_meaning() {
    let text = "<gexf><graph><attributes class=\"node\"><attribute id=\"0\" title=\"endpoints\"/>\
                <attribute id=\"1\" title=\"address\"/></attributes><attributes class=\"edge\">\
                <attribute id=\"0\" title=\"level\"/></attributes><nodes>\
                <node id=\"a\" label=\"x\"><attvalues><attvalue for=\"0\" value=\"2\"></attvalue>\
                <attvalue for=\"1\" value=\"(0)\"/></attvalues></node>\
                <node id=\"b\" label=\"y\"><attvalues><attvalue for=\"1\" value=\"(1)\"/></attvalues></node>\
                </nodes><edges><edge source=\"a\" target=\"b\"><attvalues>\
                <attvalue for=\"0\" value=\"3\"/></attvalues></edge></edges></graph></gexf>";
    let network =
        network(format::read(format::find("gexf").unwrap(), text.as_bytes(), None).unwrap());
    assert_eq!((network.order(), network.hosts(), network.levels()), (4, 2, 4));
    let addresses: Vec<String> = (0..4).map(|at| network.address(Node(at)).to_string()).collect();
    assert_eq!(addresses, ["(0,0)", "(0,1)", "(0)", "(1)"]);
}

#[test]
fn adjacency_lists_may_count_from_one() {
    let read = |text: &str| format::read(format::find("adjlist").unwrap(), text.as_bytes(), None);
    let from_one = read("1 2 # a link\n2\n3 1\n").unwrap();
    assert_eq!(from_one.remarks, [Remark::CountedFromOne]);
    assert_eq!(from_one.links, [(0, 1), (2, 0)]);
    assert_eq!(read("2 0\n1 2\n").unwrap().links, [(2, 0), (1, 2)]);
}

/// Nodes with names, hosts of any kind, links with levels and several cables.
fn any_reading() -> impl Strategy<Value = Reading> {
    let links = collection::vec((0u32..9, 0u32..9, 0u16..3), 0..20);
    (1u32..9, links, 0u8..3, collection::vec(0u32..3, 9), any::<bool>()).prop_map(
        |(nodes, links, kind, counts, named)| {
            let mut reading = Reading { nodes: nodes.into(), ..Reading::default() };
            for (a, b, level) in links {
                let (a, b) = (a % nodes, b % nodes);
                let known = reading.links.iter().position(|&link| link == (a, b));
                // Cables of one link are of one level.
                let level = known.map_or(level, |at| reading.levels[at]);
                if a < b {
                    reading.links.push((a, b));
                    reading.levels.push(level);
                }
            }
            let counts = &counts[..nodes as usize];
            reading.hosts = match kind {
                0 => Hosts::All,
                1 => Hosts::Marked(counts.iter().map(|&count| count > 0).collect()),
                _ => Hosts::Hanging(counts.to_vec()),
            };
            if named {
                let mut names = Names::default();
                for (node, count) in (0..nodes).zip(counts) {
                    let sign = ["\\", "\"", " é"][*count as usize];
                    names.id(&format!("n{sign}{node}"));
                }
                reading.labels = Labels::Names(names);
            }
            reading
        },
    )
}

/// All that a file can say of a network, with levels where these count.
fn facts(network: &dyn Network, levels: bool) -> (u64, Vec<String>, Vec<(u64, u64, u16)>) {
    let nodes = || (0..network.order()).map(Node);
    let mut links = Vec::new();
    for at in nodes() {
        network.for_each_neighbor(at, &mut |port, to| {
            links.push((at.0, to.0, if levels { network.level(at, port) } else { 0 }));
        });
    }
    links.sort_unstable();
    (network.hosts(), nodes().map(|at| network.address(at).to_string()).collect(), links)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..nestnet_seed::config() })]

    #[test]
    fn dot_is_read_as_it_was_written(reading in any_reading()) {
        let before = network(reading);
        let dot = format::find("dot").unwrap();
        let costs = Costs::NONE;
        let writing = Writing::new("a \"title\"", &*before, &costs, Budget::UNLIMITED).unwrap();
        let mut text = Vec::new();
        dot.write.unwrap()(&writing, &mut text).unwrap();
        let shown = String::from_utf8_lossy(&text).into_owned();
        let again = format::read(dot, &text, None);
        prop_assert!(again.is_ok(), "{}\n{shown}", again.unwrap_err());
        let again = again.unwrap();
        prop_assert_eq!(&again.remarks, &[], "{}", shown);
        // Levels of the links of hosts are not written, and that is said.
        let levels = !dot.losses(&writing).contains(&Loss::Levels);
        prop_assert_eq!(facts(&*network(again), levels), facts(&*before, levels), "{}", shown);
    }
}
