//! Is the table of formats sound, and is what a format writes taken for what it is?

use super::reading::{Hosts, Reading};
use super::writing::Writing;
use super::*;
use nestnet_graph::{Budget, Network};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Two triangles with a link of level 1 between them, and two hosts at each node.
fn nested(hosts: Hosts) -> Arc<dyn Network> {
    let links = vec![(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5), (0, 3)];
    let levels = vec![0, 0, 0, 0, 0, 0, 1];
    let reading = Reading { nodes: 6, links, levels, hosts, ..Reading::default() };
    reading.network(None, &Budget::default()).unwrap().0
}

#[test]
fn names_and_ends_are_distinguished() {
    let names: BTreeSet<&str> = FORMATS.iter().map(|format| format.name).collect();
    assert_eq!(names.len(), FORMATS.len());
    let ends: Vec<&str> = FORMATS.iter().flat_map(|format| format.extensions).copied().collect();
    assert_eq!(ends.iter().collect::<BTreeSet<_>>().len(), ends.len());
    assert_eq!(FORMATS[EDGES].name, "edges");
    assert_eq!(by_extension("a.infragraph.json").map(|format| format.name), Some("infragraph"));
    assert_eq!(by_extension("a.JSON").map(|format| format.name), Some("node-link"));
    assert!(by_extension("json").is_none());
}

#[test]
fn what_is_written_is_taken_for_what_it_is() {
    let costs = Costs::NONE;
    let network = nested(Hosts::Hanging(vec![2; 6]));
    let writing = Writing::new("nested", &*network, &costs, Budget::UNLIMITED).unwrap();
    for format in FORMATS.iter().filter(|format| format.read.is_some()) {
        let Some(write) = format.write else { continue };
        let mut out = Vec::new();
        write(&writing, &mut out).unwrap();
        let name = format!("x.{}", format.extensions[0]);
        assert_eq!(of_file(&name, &out).name, format.name);
        assert_eq!(by_extension(&name).unwrap().name, format.name);
    }
}

#[test]
fn clusters_are_what_lower_levels_join() {
    let costs = Costs::NONE;
    for hosts in [Hosts::All, Hosts::Hanging(vec![1; 6])] {
        let network = nested(hosts);
        let writing = Writing::new("nested", &*network, &costs, Budget::UNLIMITED).unwrap();
        let clusters = Clusters::of(&writing).unwrap();
        assert_eq!(clusters.levels, [[0, 0, 0, 1, 1, 1]]);
        let mut path = Vec::new();
        clusters.path(4, &mut path);
        assert_eq!(path, b"1");
    }
}

#[test]
fn hosts_hang_where_they_were_said_to() {
    let costs = Costs::NONE;
    let network = nested(Hosts::Hanging(vec![2, 0, 1, 0, 0, 3]));
    let writing = Writing::new("nested", &*network, &costs, Budget::UNLIMITED).unwrap();
    assert_eq!((writing.nodes(), writing.hosts(), writing.count_links().unwrap()), (6, 6, 7));
    let above: Vec<u64> = (0..6).map(|host| writing.node_of_host(host)).collect();
    assert_eq!(above, [0, 0, 2, 5, 5, 5]);
    assert!(writing.hosts_are_in_order());
    // Links of hosts are level 0, as in every network that has hosts of its own.
    assert_eq!(network.levels(), 2);
}

/// Four switches with two hosts each, in a ring whose links have 1, 2, 3 and 1 cables; the last of level 1.
fn trunked() -> Arc<dyn Network> {
    let links = vec![(0, 1), (1, 2), (1, 2), (2, 3), (2, 3), (2, 3), (3, 0)];
    let levels = vec![0, 0, 0, 0, 0, 0, 1];
    let hosts = Hosts::Hanging(vec![2; 4]);
    let reading = Reading { nodes: 4, links, levels, hosts, ..Reading::default() };
    reading.network(None, &Budget::default()).unwrap().0
}

/// Both ends of every cable, in order.
fn cables(network: &dyn Network) -> Vec<(u64, u64)> {
    let nodes = (0..network.order()).map(nestnet_graph::Node);
    let mut cables: Vec<(u64, u64)> =
        nodes.flat_map(|at| network.neighbors(at).map(move |to| (at.0, to.0))).collect();
    cables.sort_unstable();
    cables
}

#[test]
fn a_link_that_is_listed_twice_has_two_cables() {
    let reading = read(&FORMATS[EDGES], b"a b\na b\nb c\nc a\n", None).unwrap();
    let network = reading.network(None, &Budget::default()).unwrap().0;
    let mut found = cables(&*network);
    assert_eq!(found.len(), 2 * 4);
    found.dedup();
    assert_eq!(found.len(), 2 * 3);
}

/// Read again, a network has the same cables, or one for each link where the format has no field for their number and
/// says so.
#[test]
fn cables_come_back() {
    let (costs, network) = (Costs::NONE, trunked());
    let writing = Writing::new("trunked", &*network, &costs, Budget::UNLIMITED).unwrap();
    let mut without = BTreeSet::new();
    for format in FORMATS {
        let lost = format.losses(&writing).contains(&Loss::Width);
        if lost {
            without.insert(format.name);
        }
        let (Some(write), Some(_)) = (format.write, format.read) else { continue };
        let mut out = Vec::new();
        write(&writing, &mut out).unwrap();
        let again = read(format, &out, None).unwrap().network(None, &Budget::default()).unwrap().0;
        let mut expected = cables(&*network);
        if lost {
            expected.dedup();
        }
        assert_eq!(cables(&*again), expected, "{}", format.name);
        // What comes back is written as before.
        if format.says.hosts && !lost {
            let again = Writing::new("trunked", &*again, &costs, Budget::UNLIMITED).unwrap();
            let mut twice = Vec::new();
            write(&again, &mut twice).unwrap();
            assert_eq!(twice.len(), out.len(), "{}", format.name);
        }
    }
    for name in ["graph6", "metis", "mtx", "anynet", "caminos"] {
        assert!(without.contains(name), "{name}: {without:?}");
    }
    let text = |name: &str| {
        let mut out = Vec::new();
        find(name).unwrap().write.unwrap()(&writing, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    };
    assert_eq!(text("dot").matches(" -- ").count(), 7 + 8);
    assert!(text("node-link").contains("\"multigraph\":true"));
    let simgrid = text("simgrid");
    assert!(simgrid.contains("id=\"l10-11\" bandwidth=\"300Gbps\" latency=\"500ns\""), "{simgrid}");
    assert_eq!(simgrid.matches("<link ").count(), 4 + 8);
}

/// Tables for a fabric that `ibnetdiscover` printed name its own GUIDs, local identifiers and ports.
#[test]
fn tables_fit_the_fabric_of_the_file() {
    use crate::tables;
    use nestnet_graph::{Node, Port};
    use nestnet_routing::route::Searched;
    let text = "\
switchguid=0xe41d01(e41d01)
Switch\t36 \"S-00000000e41d01\"\t\t# \"leaf\" enhanced port 0 lid 12 lmc 0
[17]\t\"H-0000000002c901\"[1](2c902)\t\t# \"node1 HCA-1\" lid 31 4xHDR
[4]\t\"S-00000000e41d02\"[9]\t\t# \"spine\" lid 2 4xHDR
[5]\t\"S-00000000e41d02\"[7]\t\t# \"spine\" lid 2 4xHDR

switchguid=0xe41d02(e41d02)
Switch\t36 \"S-00000000e41d02\"\t\t# \"spine\" enhanced port 0 lid 2 lmc 0
[3]\t\"H-0000000002c903\"[2](2c904)\t\t# \"node2 HCA-1\" lid 40 4xHDR
[7]\t\"S-00000000e41d01\"[5]\t\t# \"leaf\" lid 12 4xHDR
[9]\t\"S-00000000e41d01\"[4]\t\t# \"leaf\" lid 12 4xHDR

caguid=0x2c901
Ca\t1 \"H-0000000002c901\"\t\t# \"node1 HCA-1\"
[1](2c902)\t\"S-00000000e41d01\"[17]\t\t# lid 31 lmc 0 \"leaf\" lid 12 4xHDR

caguid=0x2c903
Ca\t2 \"H-0000000002c903\"\t\t# \"node2 HCA-1\"
[2](2c904)\t\"S-00000000e41d02\"[3]\t\t# lid 40 lmc 0 \"spine\" lid 2 4xHDR
";
    let ibsim = find("ibsim").unwrap();
    let of = |text: &str| {
        let reading = read(ibsim, text.as_bytes(), None).unwrap();
        reading.network(None, &Budget::default()).unwrap()
    };
    let (network, remarks) = of(text);
    assert!(remarks.iter().all(|remark| !remark.to_string().contains("ports")), "{remarks:?}");
    let known = network.identifiers().unwrap();
    // Cable k of a link is the k-th at both of its ends.
    assert_eq!(known.of(Node(2)).unwrap().ports, [17, 4, 5]);
    assert_eq!(known.of(Node(3)).unwrap().ports, [3, 9, 7]);
    assert_eq!(known.port(Node(1), Port(0)), Some(2));
    let router = Searched::new(network.clone()).unwrap();
    let written = |format: &str| {
        let mut out = Vec::new();
        let costs = Costs::NONE;
        let writing = Writing::new("fabric", &*network, &costs, Budget::UNLIMITED).unwrap();
        (tables::find(format).unwrap().write)(&writing, &router, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    };
    let lft = written("opensm");
    let leaf = "Unicast lids [0x1f-0x28] of switch Lid 12 guid 0x0000000000e41d01 (leaf):\n\
        0x001f 017 : (Channel Adapter portguid 0x000000000002c902: 'node1 HCA-1')\n";
    assert!(lft.starts_with(leaf), "{lft}");
    let spine = "of switch Lid 2 guid 0x0000000000e41d02 (spine):\n";
    assert!(lft.contains(spine), "{lft}");
    assert!(lft.contains("0x0028 003 : (Channel Adapter portguid 0x000000000002c904"), "{lft}");
    let lids = written("opensm-guid2lid");
    for line in ["0x000000000002c902 0x001f 0x001f", "0x0000000000e41d01 0x000c 0x000c"] {
        assert!(lids.contains(line), "{lids}");
    }
    let levels = written("opensm-sl");
    assert!(levels.contains("0x000000000002c901 40 0"), "{levels}");
    let lanes = written("opensm-sl2vl");
    assert!(lanes.contains("Switch 0x0000000000e41d01, base LID 12\n17 17 :"), "{lanes}");
    assert!(lanes.contains("\n17 4 :") && lanes.contains("\n9 3 :"), "{lanes}");
    // Where one of them is missing none is kept, and a remark says so.
    for part in [" enhanced port 0 lid 12 lmc 0", " lid 31 lmc 0", "(2c902)"] {
        let (network, remarks) = of(&text.replace(part, ""));
        assert!(network.identifiers().is_none(), "{part}");
        assert!(remarks.iter().any(|remark| remark.to_string().contains("ports")), "{part}");
    }
}

/// What `ibnetdiscover` prints of two switches with three cables between them.
#[test]
fn trunks_of_a_fabric_come_back() {
    let text = "\
Switch\t36 \"S-1\"\t\t# \"leaf\" enhanced port 0 lid 1 lmc 0
[1]\t\"H-1\"[1](1)\t\t# \"node1 HCA-1\" lid 3 4xHDR
[4]\t\"S-2\"[9]\t\t# \"spine\" lid 2 4xHDR
[5]\t\"S-2\"[7]\t\t# \"spine\" lid 2 4xHDR
[6]\t\"S-2\"[8]\t\t# \"spine\" lid 2 4xHDR

Switch\t36 \"S-2\"\t\t# \"spine\" enhanced port 0 lid 2 lmc 0
[2]\t\"H-2\"[1](2)\t\t# \"node2 HCA-1\" lid 4 4xHDR
[7]\t\"S-1\"[5]\t\t# \"leaf\" lid 1 4xHDR
[8]\t\"S-1\"[6]\t\t# \"leaf\" lid 1 4xHDR
[9]\t\"S-1\"[4]\t\t# \"leaf\" lid 1 4xHDR

Ca\t1 \"H-1\"\t\t# \"node1 HCA-1\"
[1](1)\t\"S-1\"[1]\t\t# lid 3 lmc 0 \"leaf\" lid 1 4xHDR

Ca\t1 \"H-2\"\t\t# \"node2 HCA-1\"
[1](2)\t\"S-2\"[2]\t\t# lid 4 lmc 0 \"spine\" lid 2 4xHDR
";
    let ibsim = find("ibnetdiscover").unwrap();
    let stored =
        |text: &[u8]| read(ibsim, text, None).unwrap().network(None, &Budget::default()).unwrap().0;
    let network = stored(text.as_bytes());
    assert_eq!((network.hosts(), network.order()), (2, 4));
    assert_eq!(cables(&*network).len(), 2 * (3 + 2));
    let costs = Costs::NONE;
    let written = |network: &dyn Network| {
        let mut out = Vec::new();
        let writing = Writing::new("fabric", network, &costs, Budget::UNLIMITED).unwrap();
        ibsim.write.unwrap()(&writing, &mut out).unwrap();
        out
    };
    let out = written(&*network);
    let again = stored(&out);
    assert_eq!(cables(&*again), cables(&*network));
    assert_eq!(written(&*again), out);
    for at in (0..4).map(nestnet_graph::Node) {
        assert_eq!(again.address(at).to_string(), network.address(at).to_string());
    }
}

#[test]
fn formats_are_found_by_the_names_of_their_tools() {
    for (name, format) in ALIASES {
        assert_eq!(find(&name.to_uppercase()).map(|format| format.name), Some(*format));
        assert!(FORMATS.iter().all(|format| format.name != *name), "{name}");
    }
}

/// A port has one number in all files of a fabric; ibsim, and with it OpenSM, counts from 1.
#[test]
fn ports_have_the_same_numbers_in_infragraph_and_ibsim() {
    let number = |text: &str| -> u64 { text.split(['[', ']']).nth(1).unwrap().parse().unwrap() };
    let costs = Costs::NONE;
    for hosts in [Hosts::All, Hosts::Hanging(vec![2, 0, 1, 0, 0, 3])] {
        let network = nested(hosts);
        let writing = Writing::new("nested", &*network, &costs, Budget::UNLIMITED).unwrap();
        let written = |name: &str| {
            let format = FORMATS.iter().find(|format| format.name == name).unwrap();
            let mut out = Vec::new();
            format.write.unwrap()(&writing, &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        let mut wanted = BTreeSet::new();
        let mut from = String::new();
        for line in written("ibsim").lines() {
            let Some(name) = line.split('"').nth(1) else { continue };
            match line.split_once('\t').filter(|_| line.starts_with('[')) {
                Some((port, to)) => {
                    let mut ends = [(from.clone(), number(port)), (name.to_owned(), number(to))];
                    ends.sort_unstable();
                    wanted.insert(ends);
                }
                None => from = name.to_owned(),
            }
        }
        let graph: serde_json::Value = serde_json::from_str(&written("infragraph")).unwrap();
        let edges = graph["edges"].as_array().unwrap().iter().map(|edge| {
            let mut ends = ["ep1", "ep2"].map(|end| {
                let part = |key: &str| edge[end][key].as_str().unwrap();
                let kind = if part("instance").starts_with("host") { "H" } else { "S" };
                let name = format!("{kind}{}", number(part("instance")));
                (name, number(part("component")) + 1)
            });
            ends.sort_unstable();
            ends
        });
        assert_eq!(edges.collect::<BTreeSet<_>>(), wanted);
    }
}
