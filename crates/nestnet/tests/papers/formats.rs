//! Every format that is both read and written: any network is read as it was written; what is no file of it is refused
//! with its place, whatever it is.

use crate::round_trip::{both_ways, read, round_trip, written};
use nestnet::format::reading::{Hosts, Labels, Reading};
use nestnet::format::{self, Costs, FORMATS, Format, Loss};
use nestnet::{Budget, Network, Node};
use proptest::prelude::*;
use std::sync::Arc;

#[test]
fn levels_of_the_links_of_hosts_are_said_to_be_lost() {
    let hosts = Hosts::Marked(vec![true, false]);
    let reading =
        Reading { nodes: 2, links: vec![(0, 1)], levels: vec![2], hosts, ..Reading::default() };
    let (network, _) = reading.network(None, &Budget::default()).unwrap();
    for format in both_ways() {
        let (_, losses) = written(format, &*network, &Costs::NONE);
        assert!(losses.contains(&Loss::Levels), "{}: {losses:?}", format.name);
        round_trip(format, &*network, "a host and its switch");
    }
}

/// A file of any kind: links, levels, names and hosts.
fn any_network() -> impl Strategy<Value = Arc<dyn Network>> {
    let sizes = (1u32..14, 0usize..24, any::<u64>(), 0u8..3, any::<bool>(), any::<bool>());
    sizes.prop_map(|(nodes, count, seed, kind, levels, names)| {
        let mut state = seed;
        let mut draw = |below: u32| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            u32::try_from((state >> 33) % u64::from(below)).unwrap()
        };
        let mut all: Vec<(u32, u32)> = Vec::new();
        for _ in 0..count {
            let (a, b) = (draw(nodes), draw(nodes));
            if a != b && !all.contains(&(a.min(b), a.max(b))) {
                all.push((a.min(b), a.max(b)));
            }
        }
        let mut reading = Reading { nodes: nodes.into(), ..Reading::default() };
        if levels {
            reading.levels = all.iter().map(|_| u16::try_from(draw(4)).unwrap()).collect();
        }
        reading.links = all;
        reading.hosts = match kind {
            0 => Hosts::All,
            1 => Hosts::Marked((0..nodes).map(|_| draw(3) > 0).collect()),
            _ => Hosts::Hanging((0..nodes).map(|_| draw(4)).collect()),
        };
        if names {
            let mut given = nestnet::named::Names::default();
            (0..nodes).for_each(|i| {
                let sign = ["<", "&", "\"", "'", " ", "é", "]", "\\", "#"]
                    [usize::try_from(draw(9)).unwrap()];
                // Quotes cannot be written in quotes everywhere.
                given.id(&format!("n{sign}{i}").replace('"', "“"));
            });
            reading.labels = Labels::Names(given);
        }
        reading.network(None, &Budget::default()).unwrap().0
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..nestnet_seed::config() })]

    #[test]
    fn any_network_is_read_as_it_was_written(network in any_network()) {
        for format in both_ways() {
            round_trip(format, &*network, "a drawn network");
        }
    }

    #[test]
    fn damaged_files_are_refused_or_read(network in any_network(), cut in 0usize..1000, byte: u8, at in 0usize..1000) {
        for format in both_ways() {
            let (mut text, _) = written(format, &*network, &Costs::NONE);
            let place = |part: usize| text.len() * part / 1000;
            let (cut, at) = (place(cut), place(at));
            refused_well(format, &text[..cut]);
            if let Some(there) = text.get_mut(at) {
                *there = byte;
                refused_well(format, &text);
            }
        }
    }

    #[test]
    fn any_bytes_are_refused_or_read(bytes: Vec<u8>) {
        for format in FORMATS.iter().filter(|format| format.read.is_some()) {
            refused_well(format, &bytes);
        }
    }
}

/// Whatever it is, it is read or refused in words, and what is read can be stored or refused in words.
fn refused_well(format: &Format, text: &[u8]) {
    match format::read(format, text, None) {
        Ok(reading) => {
            let budget = Budget { memory: 1 << 24, ..Budget::default() };
            match reading.network(None, &budget) {
                Ok((network, _)) => assert!(network.hosts() <= network.order()),
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        }
        Err(error) => {
            let message = error.to_string();
            let placed = message.contains("line ") || message.starts_with("no ");
            assert!(placed, "{}: {message}", format.name);
            assert!(!message.contains(|c: char| c.is_control()), "{}: {message:?}", format.name);
        }
    }
}

pub fn error(name: &str, text: &str) -> String {
    let format = format::find(name).unwrap();
    let read = format::read(format, text.as_bytes(), None);
    match read.map(|reading| reading.network(None, &Budget::default())) {
        Ok(Ok(_)) => format!("{name} reads {text:?}"),
        Ok(Err(error)) => error.to_string(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn hostile_files_are_refused_with_their_place() {
    for (name, text, expected) in [
        (
            "graphml",
            "<graphml><graph><node id=\"a\"/><node id=\"a\"/></graph></graphml>",
            "line 1, column 31: node `a` was there before",
        ),
        (
            "graphml",
            "<graphml><graph>\n<node id=\"a\"/><edge source=\"a\" target=\"b\"/></graph></graphml>",
            "line 2, column 15: there is no node `b` in the file",
        ),
        (
            "graphml",
            "<graphml><graph>\n<node id=\"0\"/>",
            "line 2, column 15: the file ends, and the end of an element is missing",
        ),
        (
            "graphml",
            "<graphml><graph><hyperedge/></graph></graphml>",
            "line 1, column 17: a hyperedge cannot be read: a link has two ends",
        ),
        (
            "graphml",
            "<key id=\"e\" for=\"node\" attr.name=\"endpoints\"/><graph><node id=\"0\"><data key=\"e\">99999999999</data></node></graph>",
            "too large",
        ),
        (
            "graphml",
            "<key id=\"e\" for=\"node\" attr.name=\"endpoints\"/><graph><node id=\"0\"><data key=\"e\">4000000000</data></node></graph>",
            "over the limit",
        ),
        ("gml", "graph [ node [ id 0 ]", "line 1, column 22: the file ends, and `]` is missing"),
        ("gml", "graph [ node [ label \"a\" ] ]", "the id of the node"),
        ("gml", "graph [ node [ id 0 label \"a ] ]", "the end of a string is missing"),
        ("gml", "graph [ ] ]", "line 1, column 11: expected a key, found `]`"),
        (
            "gml",
            "graph [\n node [ id 0 ]\n edge [ source 0 target 0 ] ]",
            "line 3, column 25: node 0 cannot be linked to itself",
        ),
        (
            "node-link",
            "{\"nodes\":[{\"id\":0},{\"id\":0}]}",
            "line 1, column 28: node `0` was there before",
        ),
        (
            "node-link",
            "{\"nodes\":[{\"id\":0}],\"links\":[{\"source\":0,\"target\":7}]}",
            "there is no node `7` before this",
        ),
        ("node-link", "{\"nodes\":[", "line 1, column 10: EOF"),
        ("node-link", "[1]", "expected an object"),
        ("graph6", "B", "the file says 1 characters of links, and has 0"),
        ("graph6", "~~?????", "the number of nodes is missing"),
        ("graph6", "~~~~~~~~", "too large"),
        ("graph6", "B\u{1}", "line 1, column 2: expected a character from ? to ~"),
        ("sparse6", "Bw", "line 1, column 1: expected a colon"),
        ("sparse6", ":~~?~~~~~", "over the limit"),
        ("metis", "3 2\n2\n1 3\n", "line 4, column 1: the file says 3 lines of nodes, and has 2"),
        ("metis", "2 1\n2\n\n", "links, each on the lines of both ends"),
        ("metis", "2 1\n3\n1\n", "line 2, column 1: a neighbor 3 is too large, the largest is 2"),
        ("metis", "2 1 1\n2\n1 1\n", "the weight of a link"),
        (
            "metis",
            "99999999999 1\n",
            "line 1, column 1: the number of nodes 99999999999 is too large",
        ),
        (
            "mtx",
            "%%MatrixMarket matrix array real general\n2 2\n1\n",
            "line 1, column 23: a matrix with all entries cannot be read",
        ),
        (
            "mtx",
            "%%MatrixMarket matrix coordinate pattern symmetric\n2 3 1\n1 2\n",
            "line 2, column 1: a matrix that is not square",
        ),
        (
            "mtx",
            "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 2\n2 1\n",
            "line 4, column 1: the file says 2 entries, and has 1",
        ),
        (
            "mtx",
            "%%MatrixMarket matrix coordinate pattern symmetric\n4294967295 4294967295 1\n2 1\n",
            "over the limit",
        ),
        (
            "mtx",
            "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n0 1\n",
            "line 3, column 1: expected a number from 1 on, found `0`",
        ),
        (
            "anynet",
            "router 0 node 0 router 0\n",
            "line 1, column 24: node 0 cannot be linked to itself",
        ),
        ("anynet", "router 0 node 1\n", "line 1, column 15: there is no node `node 0` in the file"),
        (
            "anynet",
            "router 0 node 0\nrouter 1 node 0\n",
            "line 2, column 15: node `node 0` was there before",
        ),
        (
            "anynet",
            "router 0 host 1\n",
            "line 1, column 10: expected `router` or `node`, found `host`",
        ),
        ("anynet", "router 4000000000 router 1\n", "over the limit"),
        (
            "ibsim",
            "Switch 4 \"S0\"\n[1] \"S1\"[1]\n",
            "line 2, column 5: there is no node `S1` in the file",
        ),
        ("ibsim", "[1] \"S1\"[1]\n", "`Switch` or `Hca` before a port"),
        (
            "ibsim",
            "Switch 999 \"S0\"\n",
            "line 1, column 8: a number of ports 999 is too large, the largest is 255",
        ),
        (
            "ibsim",
            "Switch 1 S0\n",
            "line 1, column 12: the line ends, and a name in quotes is missing",
        ),
        ("simgrid", "<platform><zone><zone/></zone></platform>", "a second zone cannot be read"),
        (
            "simgrid",
            "<platform><zone><host id=\"a\"/><route src=\"a\" dst=\"b\"/></zone></platform>",
            "there is no node `b`",
        ),
        ("edges", "0 1\n1 x\n", "line 2, column 3"),
    ] {
        let message = error(name, text);
        assert!(message.contains(expected), "{name} {text:?}: {message}");
    }
    let deep = "<a>".repeat(1000);
    assert!(error("graphml", &deep).contains("nested deeper than 64"));
    assert!(error("gml", &"a [ ".repeat(1000)).contains("nested deeper than 64"));
    // What is passed over may be as deep as it likes; what is read may not.
    assert!(error("node-link", &"{\"a\":[".repeat(1000)).contains("line 1, column 6000: EOF"));
    let deep = format!("{{\"graph\":{}", "{\"hosts\":[".repeat(1000));
    assert!(error("node-link", &deep).contains("line 1, column"));
}

#[test]
fn files_of_other_tools_are_read() {
    for (name, text, nodes, hosts) in [
        (
            "graphml",
            "<?xml version='1.0'?><graphml><key id=\"d0\" for=\"node\" attr.name=\"endpoints\" attr.type=\"long\"/><graph edgedefault=\"undirected\"><node id=\"0\"><data key=\"d0\">2</data></node><node id=\"1\"><data key=\"d0\">2</data></node><edge source=\"0\" target=\"1\"/></graph></graphml>",
            6,
            4,
        ),
        (
            "gml",
            "Creator \"igraph\"\ngraph\n[\n  directed 0\n  node\n  [\n    id 7\n    name \"a\"\n  ]\n  node [ id 9 ]\n  edge [ source 9 target 7 weight 2.5 ]\n]\n",
            2,
            2,
        ),
        (
            "node-link",
            "{\"directed\": false, \"multigraph\": false, \"graph\": {}, \"nodes\": [{\"id\": \"x\", \"pos\": [1, 2]}, {\"id\": [0, 1]}], \"links\": [{\"source\": \"x\", \"target\": [0, 1], \"dist\": 3.5}]}",
            2,
            2,
        ),
        ("graph6", ">>graph6<<Bw\n", 3, 3),
        ("sparse6", ":Fa@x^\n", 7, 7),
        ("metis", "% weights\n3 2 011\n5 2 1\n5 1 1 3 9\n5 2 9\n", 3, 3),
        (
            "mtx",
            "%%MatrixMarket matrix coordinate real general\n%\n3 3 4\n1 2 1.0\n2 1 1.0\n2 3 0.5\n3 2 0.5\n",
            3,
            3,
        ),
        (
            "anynet",
            "router 0 node 0 node 1 router 1 3 router 2\nrouter 1 node 2 node 3 router 0 3 router 2\nrouter 2 node 4 node 5 router 0 router 1\n",
            9,
            6,
        ),
        (
            "ibsim",
            "#\n# Topology file: generated on Mon Jan 1\n#\nvendid=0x2c9\ndevid=0xb924\nsysimgguid=0x2c9\nswitchguid=0x2c902(2c902)\nSwitch\t24 \"S-0002c902\"\t\t# \"Infiniscale\" base port 0 lid 6 lmc 0\n[1]\t\"H-0002c903\"[1](2c903) \t\t# \"node1 HCA-1\" lid 4 4xSDR\n[24]\t\"H-0002c904\"[1](2c904)\n\nvendid=0x2c9\ncaguid=0x2c903\nCa\t2 \"H-0002c903\"\t\t# \"node1 HCA-1\"\n[1](2c903) \t\"S-0002c902\"[1]\t\t# lid 4 lmc 0 \"Infiniscale\" lid 6 4xSDR\n\nCa\t1 \"H-0002c904\"\t\t# \"node2 HCA-1\"\n[1](2c904) \t\"S-0002c902\"[24]\n",
            3,
            2,
        ),
    ] {
        let network = read(format::find(name).unwrap(), text.as_bytes(), None);
        assert_eq!((network.order(), network.hosts()), (nodes, hosts), "{name}");
        assert_eq!(
            format::of_file("", text.as_bytes()).name,
            if matches!(name, "metis") { "edges" } else { name }
        );
    }
    let fabric = read(
        format::find("ibsim").unwrap(),
        b"Switch 2 \"S\" # \"top\"\n[1] \"H\"[1]\n\nHca 1 \"H\" # \"a b\"\n[1] \"S\"[1]\n",
        None,
    );
    assert_eq!(fabric.address(Node(0)).to_string(), "a b");
    assert_eq!(fabric.address(Node(1)).to_string(), "top");
}
