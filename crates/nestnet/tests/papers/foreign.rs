//! Files that other tools write and Nestnet does not: they are read, or refused with what to do instead.

use crate::formats::error;
use crate::round_trip::{links, read, written};
use nestnet::format::{self, Costs};
use nestnet::{Budget, Network, Node, build};
use std::sync::Arc;

/// What is read from a file of whatever format it seems to be.
fn taken(path: &str, text: &str) -> Result<Arc<dyn Network>, String> {
    let format = format::of_file(path, text.as_bytes());
    let reading = format::read(format, text.as_bytes(), None).map_err(|error| error.to_string())?;
    reading.network(None, &Budget::default()).map(|(network, _)| network).map_err(|e| e.to_string())
}

/// `json.dumps(nx.adjacency_data(graph))`: a list of neighbors for each node, in the order of `nodes`.
#[test]
fn adjacency_data_of_networkx_is_read() {
    let both = |pairs: &[(u64, u64)]| {
        let mut both: Vec<_> = pairs.iter().flat_map(|&(a, b)| [(a, b, 0), (b, a, 0)]).collect();
        both.sort_unstable();
        both
    };
    for (text, nodes, pairs) in [
        (
            // nx.path_graph(3)
            r#"{"directed": false, "multigraph": false, "graph": [], "nodes": [{"id": 0}, {"id": 1}, {"id": 2}], "adjacency": [[{"id": 1}], [{"id": 0}, {"id": 2}], [{"id": 1}]]}"#,
            3,
            &[(0, 1), (1, 2)][..],
        ),
        (
            // A multigraph with a weight and the attributes of a graph.
            r#"{"directed": false, "multigraph": true, "graph": [["name", "x"], ["y", 1]], "nodes": [{"club": "Mr. Hi", "id": 0}, {"id": 1}, {"id": 2}], "adjacency": [[{"weight": 4, "id": 1, "key": 0}, {"id": 1, "key": 1}], [{"id": 0, "key": 0}, {"id": 0, "key": 1}, {"id": 2, "key": 0}], [{"id": 1, "key": 0}]]}"#,
            3,
            &[(0, 1), (0, 1), (1, 2)],
        ),
        (
            // nx.DiGraph([("a", "b"), ("c", "b")]): a link is in one list alone.
            r#"{"directed": true, "multigraph": false, "graph": [], "nodes": [{"id": "a"}, {"id": "b"}, {"id": "c"}], "adjacency": [[{"id": "b"}], [], [{"id": "b"}]]}"#,
            3,
            &[(0, 1), (1, 2)],
        ),
        (r#"{"nodes": [{"id": 0}, {"id": 1}], "adjacency": [[], []]}"#, 2, &[]),
    ] {
        let network = taken("x.json", text).unwrap();
        assert_eq!((network.order(), links(&*network, false)), (nodes, both(pairs)), "{text}");
    }
    let leveled = r#"{"nodes": [{"id": 0}, {"id": 1}], "adjacency": [[{"id": 1, "level": 2}], [{"id": 0, "level": 2}]]}"#;
    let format = format::find("node-link").unwrap();
    let reading = format::read(format, leveled.as_bytes(), None).unwrap();
    assert_eq!(reading.remarks, []);
    let (network, remarks) = reading.network(None, &Budget::default()).unwrap();
    assert_eq!((links(&*network, true), remarks), (vec![(0, 1, 2), (1, 0, 2)], vec![]));
    for (text, expected) in [
        (r#"{"nodes":[{"id":0},{"id":1}],"adjacency":[[{"id":7}],[]]}"#, "no node `7` before this"),
        (
            r#"{"nodes":[{"id":0},{"id":1}],"adjacency":[[{"id":1}]]}"#,
            "1 lists of neighbors for 2 nodes",
        ),
        (r#"{"nodes":[{"id":0}],"adjacency":[[],[]]}"#, "2 lists of neighbors for 1 nodes"),
        (r#"{"nodes":[{"id":0}],"adjacency":[[{"id":0}]]}"#, "node 0 cannot be linked to itself"),
        (
            r#"{"nodes":[{"id":0}],"adjacency":[{"0":{}}]}"#,
            "expected a list of the neighbors of a node",
        ),
    ] {
        let message = error("node-link", text);
        assert!(message.contains(expected), "{text}: {message}");
    }
}

/// A file with nodes of which no link is understood, although it has something that could be links.
#[test]
fn a_file_whose_links_are_not_understood_is_refused() {
    for (name, text, expected) in [
        (
            "node-link",
            r#"{"directed": false, "nodes": [{"id": 0}, {"id": 1}], "neighbors": [[1], [0]]}"#,
            "no links in the file: expected `edges` or `links`, as by nx.node_link_data",
        ),
        ("node-link", r#"{"nodes": [{"id": 0}, {"id": 1}]}"#, "no links in the file"),
        (
            "graphml",
            r#"<graphml><graph><node id="0"/><node id="1"/><link source="0" target="1"/></graph></graphml>"#,
            "no links in the file: expected <edge",
        ),
        (
            "graphml",
            r#"<graphml><graph><node id="0"/><node id="1"><edge source="0" target="1"/></node></graph></graphml>"#,
            "no links in the file",
        ),
        (
            "graphml",
            r#"<graphml><graph><node id="0"/><node id="1"/></graph><edge source="0" target="1"/></graphml>"#,
            "no links in the file",
        ),
        (
            "gml",
            "graph [ node [ id 0 ] node [ id 1 ] link [ source 0 target 1 ] ]",
            "no links in the file: expected edge [ source",
        ),
        ("gml", "graph [ node [ id 0 ] node [ id 1 ] ] edge [ source 0 target 1 ]", "no links"),
        (
            "simgrid",
            r#"<platform><zone><host id="a"/><host id="b"/><link id="l"/><link id="m"/><route src="a" dst="b"><link_ctn id="l"/><link_ctn id="m"/></route></zone></platform>"#,
            "no links in the file: expected a <route> of one",
        ),
        (
            "simgrid",
            r#"<platform><zone><host id="a"/><host id="b"/><link id="l"/></zone></platform>"#,
            "no links in the file",
        ),
        (
            "ibsim",
            "Switch 2 \"S0\"\n[1] S1[1]\n\nSwitch 2 \"S1\"\n[1] S0[1]\n",
            "line 2, column 5: expected a name in quotes",
        ),
        ("pajek", "*Vertices 2\n1 \"a\"\n2 \"b\"\n*Lines\n1 2\n", "line 4, column 1: expected"),
    ] {
        let message = error(name, text);
        assert!(message.contains(expected), "{name} {text:?}: {message}");
    }
    // What says that it has none is a network of single nodes.
    for (name, text) in [
        ("node-link", r#"{"nodes": [{"id": 0}, {"id": 1}], "links": []}"#),
        ("node-link", r#"{"nodes": [{"id": 0}, {"id": 1}], "edges": [], "elements": {}}"#),
        ("graphml", r#"<graphml><graph><node id="0"/><node id="1"/></graph></graphml>"#),
        ("gml", "graph [ node_default [ color 1 ] node [ id 0 ] node [ id 1 ] ]"),
        ("simgrid", r#"<platform><zone><host id="a"/><host id="b"/></zone></platform>"#),
        ("ibsim", "Switch 2 \"S0\"\n[1]\n\nSwitch 2 \"S1\"\n"),
        ("pajek", "*Vertices 2\n*Edges\n"),
    ] {
        let network = read(format::find(name).unwrap(), text.as_bytes(), None);
        assert_eq!((network.order(), links(&*network, false).len()), (2, 0), "{name} {text}");
    }
}

/// Files as `nx.write_pajek` and Pajek itself write them, which end in `.net` as those of ibsim do.
#[test]
fn pajek_is_read() {
    for (text, nodes, pairs, names) in [
        (
            "*vertices 3\n1 0 0.0 0.0 ellipse\n2 1 0.0 0.0 ellipse\n3 2 0.0 0.0 ellipse\n*edges\n1 2 1.0\n2 3 1.0\n",
            3,
            &[(0, 1), (1, 2)][..],
            ["0", "1", "2"],
        ),
        (
            "*vertices 3\n1 \"a b\" 0.0 0.0 ellipse\n2 2 0.0 0.0 ellipse\n3 \"é\" 0.0 0.0 ellipse\n*arcs\n1 2 1.0\n3 2 1.0\n",
            3,
            &[(0, 1), (1, 2)],
            ["a b", "2", "é"],
        ),
        (
            "% a comment\r\n*Network x\r\n*Vertices     3\r\n*Edgeslist\r\n 1 2 3\r\n*Arcs :1 \"r\"\r\n",
            3,
            &[(0, 1), (0, 2)],
            ["1", "2", "3"],
        ),
    ] {
        let network = taken("x.net", text).unwrap();
        let found: Vec<(u64, u64)> = links(&*network, false)
            .into_iter()
            .filter_map(|(a, b, _)| (a < b).then_some((a, b)))
            .collect();
        assert_eq!((network.order(), &found[..]), (nodes, pairs), "{text}");
        for (at, name) in (0..).map(Node).zip(names) {
            assert_eq!(network.address(at).to_string(), name, "{text}");
        }
    }
    for (text, expected) in [
        ("*Vertices x\n", "line 1, column 11: expected a number of nodes, found `x`"),
        ("*Vertices 99999999999\n", "too large"),
        ("*Vertices 4294967295\n*Edges\n", "over the limit"),
        ("*Vertices 2\n3 \"c\"\n", "line 2, column 1: a node 3 is too large, the largest is 2"),
        ("*Vertices 2\n*Edges\n1 3\n", "line 3, column 3: a node 3 is too large, the largest is 2"),
        ("*Vertices 2\n*Edges\n0 1\n", "line 3, column 1: expected a node from 1 on"),
        (
            "*Vertices 2\n*Edges\n1\n",
            "line 3, column 2: the line ends, and a second node is missing",
        ),
        ("*Vertices 2\n*Edges\n1 1\n", "line 3, column 3: node 1 cannot be linked to itself"),
        ("*Vertices 2\n*Matrix\n0 1\n1 0\n", "line 2, column 1: a matrix cannot be read"),
        ("*Edges\n1 2\n", "line 1, column 1: expected `*Vertices`"),
        ("*Vertices 0\n", "no nodes in the file"),
        (
            "*Vertices 2 1\n*Edges\n1 2\n",
            "line 1, column 13: a network of two modes cannot be read",
        ),
    ] {
        let message = error("pajek", text);
        assert!(message.contains(expected), "{text:?}: {message}");
    }
}

/// DOT is known by how it begins, whatever the file is called.
#[test]
fn dot_is_known_by_how_it_begins() {
    for (text, nodes) in [
        ("graph { a -- b }\n", 2),
        ("digraph{a->b}", 2),
        ("strict graph \"x y\" {\n0;\n0 -- 1;\n}\n", 2),
        ("strict graph {\n0;\n1;\n0 -- 1;\n}\n", 2),
        (
            "// made by a tool\n/* and\n more */\n# line 1\ngraph G {\n\tgraph [bb=\"0,0,54,180\"];\n\ta -- b;\n}\n",
            2,
        ),
        ("\u{feff}DiGraph <<b>x</b>>\n{ a -> b }", 2),
        ("digraph -1.5{a}", 1),
    ] {
        for path in ["x.dot", "x.gv", "x.txt", "x.net", "x"] {
            assert_eq!(format::of_file(path, text.as_bytes()).name, "dot", "{text}");
            assert_eq!(taken(path, text).unwrap().order(), nodes, "{text}");
        }
    }
    let (text, _) = written(
        format::find("dot").unwrap(),
        &*build("ring(5)").unwrap().network.unwrap(),
        &Costs::NONE,
    );
    assert_eq!(format::of_file("x", &text).name, "dot");
    for text in ["graph node\nnode graph\n", "graph [ node [ id 0 ] ]", "strict graph\n"] {
        assert_ne!(format::of_file("x", text.as_bytes()).name, "dot", "{text}");
    }
}
