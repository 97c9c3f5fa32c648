//! Readers that cannot be installed: what is written for them is read here by their own rules, and must be the network.

use crate::round_trip::written;
use nestnet::fabric::Fabric;
use nestnet::format::infiniband::Subnet;
use nestnet::format::tables;
use nestnet::format::{self, Costs, Writing};
use nestnet::{Budget, Network, build, routers};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

const SPECS: &[&str] = &[
    "ring(5)",
    "complete(1)",
    "rdn(petersen, 1)",
    "hosts(ring(5), 1)",
    "hosts(rdn(ring(3), 1), 3)",
    "hosts(complete(1), 4)",
    "fat_tree(4)",
    "bcube(3, 1)",
];

/// What every one of them must find: links between nodes, once each, and the node of each host.
#[derive(Debug, PartialEq, Eq)]
pub struct Wiring {
    pub nodes: u64,
    pub links: BTreeSet<(u64, u64)>,
    pub hosts: Vec<u64>,
}

fn wiring(network: &dyn Network) -> Wiring {
    let fabric = Fabric::of(network, &Budget::default()).unwrap();
    let nodes = fabric.csr.order();
    let mut links = BTreeSet::new();
    for at in 0..u32::try_from(nodes).unwrap() {
        links.extend(
            fabric
                .csr
                .neighbors(at)
                .iter()
                .filter(|&&to| to > at)
                .map(|&to| (at.into(), to.into())),
        );
    }
    Wiring { nodes, links, hosts: fabric.at.iter().map(|&at| at.into()).collect() }
}

pub fn text(name: &str, network: &dyn Network, costs: &Costs) -> String {
    String::from_utf8(written(format::find(name).unwrap(), network, costs).0).unwrap()
}

pub fn each(check: impl Fn(&str, &dyn Network, Wiring)) {
    for spec in SPECS {
        let network = build(spec).unwrap().network.unwrap();
        let wiring = wiring(&*network);
        check(spec, &*network, wiring);
    }
}

pub fn costs() -> Costs {
    let mut costs = Costs::default();
    costs.add_latency("2ns").unwrap();
    costs.add_latency("1=7ns").unwrap();
    costs.add_latency("host=5ns").unwrap();
    costs.add_bandwidth("100Gbps").unwrap();
    costs
}

/// BookSim2 splits lines at single spaces, takes a number after a router for the latency of that direction alone, and one
/// after a node for a link of routers; what begins a line is a router as soon as it is named.
#[test]
fn booksim_finds_the_links_and_both_latencies() {
    each(|spec, network, expected| {
        for (costs, plain) in [(costs(), false), (Costs::NONE, true)] {
            let text = text("anynet", network, &costs);
            let mut latencies: BTreeMap<(u64, u64), u64> = BTreeMap::new();
            let mut hosts: BTreeMap<u64, u64> = BTreeMap::new();
            let mut heads = Vec::new();
            for line in text.lines() {
                let words: Vec<&str> = line.split(' ').collect();
                assert!(words.iter().all(|word| !word.is_empty()), "{spec}: {line}");
                assert_eq!(words[0], "router", "{spec}");
                let at: u64 = words[1].parse().unwrap();
                heads.push(at);
                let mut rest = words[2..].iter().peekable();
                while let Some(kind) = rest.next() {
                    let id: u64 = rest.next().unwrap().parse().unwrap();
                    let number = rest.next_if(|word| word.parse::<u64>().is_ok());
                    match *kind {
                        "router" => {
                            let latency = number.map_or(1, |word| word.parse().unwrap());
                            assert_eq!(
                                latencies.insert((at, id), latency),
                                None,
                                "{spec}: doubled"
                            );
                        }
                        "node" => {
                            assert_eq!(number, None, "{spec}: a phantom link");
                            assert_eq!(hosts.insert(id, at), None, "{spec}: two routers");
                        }
                        other => panic!("{spec}: {other}"),
                    }
                }
            }
            assert_eq!(heads, (0..expected.nodes).collect::<Vec<_>>(), "{spec}");
            assert!(hosts.keys().copied().eq(0..hosts.len() as u64), "{spec}: contiguous");
            assert_eq!(hosts.into_values().collect::<Vec<_>>(), expected.hosts, "{spec}");
            let links = latencies.keys().filter(|(a, b)| a < b).copied().collect();
            assert_eq!(expected.links, links, "{spec}");
            for (&(a, b), latency) in &latencies {
                assert_eq!(latencies.get(&(b, a)), Some(latency), "{spec}: both directions");
                assert!(if plain { *latency == 1 } else { [2, 7].contains(latency) }, "{spec}");
            }
        }
    });
}

/// ns-3 as in ASTRA-sim: words in order; who is not named as a switch is a host, and only switches forward.
#[test]
fn ns3_reaches_every_host_through_switches() {
    each(|spec, network, expected| {
        let text = text("ns3", network, &costs());
        let mut words = text.split_whitespace();
        let mut number = |what: &str| words.next().unwrap().parse::<u64>().expect(what);
        let (nodes, switches, links) = (number("nodes"), number("switches"), number("links"));
        let hosts = expected.hosts.len() as u64;
        assert_eq!((nodes, switches), (hosts + expected.nodes, expected.nodes), "{spec}");
        let named: Vec<u64> = (0..switches).map(|_| number("a switch")).collect();
        assert_eq!(named, (hosts..nodes).collect::<Vec<_>>(), "{spec}");
        let (mut found, mut above) = (BTreeSet::new(), BTreeMap::new());
        for _ in 0..links {
            let ends = [words.next().unwrap(), words.next().unwrap()];
            let ends = ends.map(|word| word.parse::<u64>().unwrap());
            let (rate, delay, error) =
                (words.next().unwrap(), words.next().unwrap(), words.next().unwrap());
            assert_eq!((rate, error), ("100Gbps", "0"), "{spec}");
            match ends {
                [host, switch] if host < hosts => {
                    assert_eq!(delay, "5ns", "{spec}");
                    assert_eq!(above.insert(host, switch - hosts), None, "{spec}");
                }
                [a, b] => {
                    assert!(["2ns", "7ns"].contains(&delay), "{spec}: {delay}");
                    assert!(found.insert((a - hosts, b - hosts)), "{spec}: doubled");
                }
            }
        }
        assert_eq!(words.next(), None, "{spec}");
        assert_eq!(found, expected.links, "{spec}");
        assert_eq!(above.into_values().collect::<Vec<_>>(), expected.hosts, "{spec}");
    });
}

/// SST/macro numbers switches and nodes by the order of their names, and has every direction from its own end.
#[test]
fn sst_macro_finds_both_ends_of_every_port() {
    each(|spec, network, expected| {
        let file: Value = serde_json::from_str(&text("sst-macro", network, &Costs::NONE)).unwrap();
        let ordered = |part: &str| -> Vec<String> {
            let names: BTreeSet<String> = file[part].as_object().unwrap().keys().cloned().collect();
            names.into_iter().collect()
        };
        let (switches, nodes) = (ordered("switches"), ordered("nodes"));
        let place = |names: &[String], name: &str| names.iter().position(|other| other == name);
        assert_eq!(switches.len() as u64, expected.nodes, "{spec}");
        let mut links = BTreeSet::new();
        for (at, name) in switches.iter().enumerate() {
            for (port, end) in file["switches"][name]["outports"].as_object().unwrap() {
                let other = end["destination"].as_str().unwrap();
                let inport = end["inport"].to_string();
                let part = if other.starts_with('s') { "switches" } else { "nodes" };
                let back = &file[part][other]["outports"][&inport];
                assert_eq!(back["destination"].as_str(), Some(name.as_str()), "{spec}");
                assert_eq!(back["inport"].to_string(), *port, "{spec}");
                if let Some(to) = place(&switches, other) {
                    links.insert((at.min(to) as u64, at.max(to) as u64));
                }
            }
        }
        assert_eq!(links, expected.links, "{spec}");
        let hosts: Vec<u64> = nodes
            .iter()
            .map(|name| {
                let end = &file["nodes"][name]["outports"]["0"];
                place(&switches, end["destination"].as_str().unwrap()).unwrap() as u64
            })
            .collect();
        assert_eq!(hosts, expected.hosts, "{spec}");
        // Its tables lead every message to its node along these ports.
        let built = build(spec).unwrap();
        let name = routers::default_name(&built);
        let router = routers::find(&built, name).unwrap();
        if router.remembers() {
            return;
        }
        let none = Costs::NONE;
        let writing = Writing::new(spec, network, &none, Budget::UNLIMITED).unwrap();
        let mut out = Vec::new();
        let rule = tables::find("sst-macro").unwrap().write;
        rule(&writing, &*router, &mut out).unwrap();
        let table: Value = serde_json::from_slice(&out).unwrap();
        for node in &nodes {
            for start in &switches {
                let mut at = start.clone();
                for _ in 0..=expected.nodes {
                    let port = table["switches"][&at]["routes"][node].to_string();
                    at = file["switches"][&at]["outports"][&port]["destination"]
                        .as_str()
                        .unwrap_or_else(|| panic!("{spec}: {at} to {node}: port {port}"))
                        .to_owned();
                    if at.starts_with('n') {
                        break;
                    }
                }
                assert_eq!(&at, node, "{spec} from {start}");
            }
        }
    });
}

/// gem5 reads Python; internal links have one direction.
#[test]
fn garnet_has_every_link_in_both_directions() {
    each(|spec, network, expected| {
        let text = text("garnet", network, &costs());
        let list = |name: &str| -> Value {
            let start = text.find(&format!("{name} = [")).unwrap() + name.len() + 3;
            let end = start + text[start..].find("]\n").unwrap() + 1;
            let json = text[start..end].replace('(', "[").replace(')', "]").replace(",\n]", "\n]");
            serde_json::from_str(&json).unwrap_or_else(|error| panic!("{spec}: {error}: {json}"))
        };
        let hosts: Vec<u64> =
            list("HOSTS").as_array().unwrap().iter().map(|at| at.as_u64().unwrap()).collect();
        assert_eq!(hosts, expected.hosts, "{spec}");
        let all = list("LINKS");
        let ends: BTreeSet<(u64, u64)> = all
            .as_array()
            .unwrap()
            .iter()
            .map(|link| (link[0].as_u64().unwrap(), link[1].as_u64().unwrap()))
            .collect();
        assert_eq!(ends.len(), all.as_array().unwrap().len(), "{spec}: doubled");
        assert!(ends.iter().all(|&(a, b)| ends.contains(&(b, a))), "{spec}");
        assert_eq!(
            ends.into_iter().filter(|(a, b)| a < b).collect::<BTreeSet<_>>(),
            expected.links
        );
        assert!(text.contains(&format!("ROUTERS = {}\n", expected.nodes)), "{spec}");
        assert!(text.contains("HOST_LATENCY = 5\n"), "{spec}");
    });
}

/// OMNeT++ connects gates of modules that are declared, by channels that are declared.
#[test]
fn omnet_connects_what_is_declared() {
    each(|spec, network, expected| {
        let text = text("ned", network, &costs());
        assert_eq!(text.matches('{').count(), text.matches('}').count(), "{spec}");
        let (mut links, mut above) = (BTreeSet::new(), BTreeMap::new());
        for line in text.lines().filter(|line| line.contains("<-->")) {
            let parts: Vec<&str> = line.trim().trim_end_matches(';').split(" <--> ").collect();
            let [from, channel, to] = parts[..] else { panic!("{spec}: {line}") };
            assert!(text.contains(&format!("channel {channel} extends")), "{spec}: {channel}");
            let id = |end: &str| -> u64 { end.split(['[', ']']).nth(1).unwrap().parse().unwrap() };
            assert!(to.starts_with("router[") && to.ends_with("].port++"), "{spec}: {to}");
            if from.starts_with("host[") {
                assert!(from.ends_with("].port"), "{spec}");
                above.insert(id(from), id(to));
            } else {
                assert!(from.ends_with("].port++"), "{spec}");
                links.insert((id(from), id(to)));
            }
        }
        assert_eq!(links, expected.links, "{spec}");
        assert_eq!(above.into_values().collect::<Vec<_>>(), expected.hosts, "{spec}");
        assert!(text.contains(&format!("router[{}]: Router;", expected.nodes)), "{spec}");
    });
}

/// CAMINOS reads how many routers there are, and of each its number and its neighbors.
#[test]
fn caminos_finds_the_neighbors_of_every_router() {
    each(|spec, network, expected| {
        let text = text("caminos", network, &Costs::NONE);
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some(format!("NODOS {}", expected.nodes).as_str()), "{spec}");
        let degree: usize = lines.next().unwrap().strip_prefix("GRADO ").unwrap().parse().unwrap();
        let mut links = BTreeSet::new();
        for at in 0..expected.nodes {
            assert_eq!(lines.next(), Some(format!("N {at}").as_str()), "{spec}");
            let neighbors: Vec<u64> = lines
                .next()
                .unwrap()
                .split_whitespace()
                .map(|word| word.parse().unwrap())
                .collect();
            assert!(neighbors.len() <= degree, "{spec}");
            links.extend(neighbors.into_iter().map(|to| (at.min(to), at.max(to))));
        }
        assert_eq!((lines.next(), links), (None, expected.links), "{spec}");
    });
    // CAMINOS ends with a panic where its configuration lacks one of these.
    let docs = include_str!("../../../../docs/tools.md");
    let line = docs.lines().find(|line| line.contains("topology: File {")).unwrap();
    for key in ["filename: \"", "format: 0", "servers_per_router: "] {
        assert!(line.contains(key), "{key}: {line}");
    }
}

/// A list of Slurm: `h[0-2,5]` is `h0`, `h1`, `h2` and `h5`.
fn expand(list: &str) -> Vec<String> {
    let Some((name, ranges)) = list.split_once('[') else { return vec![list.to_owned()] };
    let mut all = Vec::new();
    for range in ranges.strip_suffix(']').expect("a bracket that is closed").split(',') {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let (first, last): (u64, u64) = (first.parse().unwrap(), last.parse().unwrap());
        all.extend((first..=last).map(|number| format!("{name}{number}")));
    }
    all
}

/// A tree of Slurm has one root, every switch one parent and every host one leaf.
fn one_tree(spec: &str, switches: &[(String, Vec<String>)], hosts: usize) {
    let names: BTreeSet<&String> = switches.iter().map(|(name, _)| name).collect();
    assert_eq!(names.len(), switches.len(), "{spec}: a switch twice");
    let held: Vec<&String> = switches.iter().flat_map(|(_, held)| held).collect();
    let distinct: BTreeSet<&String> = held.iter().copied().collect();
    assert_eq!(distinct.len(), held.len(), "{spec}: {switches:?}");
    let expected: BTreeSet<String> = (0..hosts).map(|host| format!("h{host}")).collect();
    let found = distinct.iter().filter(|name| name.starts_with('h')).map(|&name| name.clone());
    assert_eq!(found.collect::<BTreeSet<_>>(), expected, "{spec}");
    for (switch, held) in switches {
        assert_eq!(distinct.contains(switch), switch != "root", "{spec}: {switch}");
        assert!(held.iter().all(|name| name.starts_with('h') || names.contains(name)), "{spec}");
    }
}

/// `topology.yaml`, since Slurm 25.05.
#[test]
fn slurm_has_every_host_in_one_tree() {
    each(|spec, network, expected| {
        let text = text("slurm", network, &Costs::NONE);
        let mut switches: Vec<(String, Vec<String>)> = Vec::new();
        for line in text.lines() {
            let line = line.trim();
            if let Some(name) = line.strip_prefix("- switch: ") {
                switches.push((name.to_owned(), Vec::new()));
            } else if let Some(list) =
                line.strip_prefix("nodes: ").or(line.strip_prefix("children: "))
            {
                switches.last_mut().unwrap().1.extend(expand(list));
            }
        }
        one_tree(spec, &switches, expected.hosts.len());
    });
}

/// `topology.conf` as all versions read it: a switch a line, `#` begins a comment, keys and values without spaces; a
/// switch has nodes or switches, never both, and the switches below it may come before or after it.
#[test]
fn slurm_reads_the_same_tree_from_its_older_file() {
    each(|spec, network, expected| {
        let conf = text("slurm-conf", network, &Costs::NONE);
        let mut switches = Vec::new();
        for line in conf.lines() {
            let line = line.split('#').next().unwrap().trim();
            if line.is_empty() {
                continue;
            }
            let pairs: Vec<(&str, &str)> =
                line.split(' ').map(|pair| pair.split_once('=').expect(line)).collect();
            let [("SwitchName", name), ("Nodes" | "Switches", list)] = pairs[..] else {
                panic!("{spec}: {line}")
            };
            assert_eq!(pairs[1].0 == "Nodes", list.starts_with('h'), "{spec}: {line}");
            switches.push((name.to_owned(), expand(list)));
        }
        one_tree(spec, &switches, expected.hosts.len());
        // Both files have the same switches.
        let yaml = text("slurm", network, &Costs::NONE);
        let names = yaml.lines().filter_map(|line| line.trim().strip_prefix("- switch: "));
        assert!(names.eq(switches.iter().map(|(name, _)| name.as_str())), "{spec}");
    });
}

/// A table of routes has a way to every host from everywhere, of the length that the router has.
#[test]
fn rows_of_tables_lead_to_their_destinations() {
    for spec in SPECS {
        let built = build(spec).unwrap();
        let network: Arc<dyn Network> = built.network.clone().unwrap();
        let router = routers::find(&built, "min").unwrap();
        let none = Costs::NONE;
        let writing = Writing::new(spec, &*network, &none, Budget::UNLIMITED).unwrap();
        let mut out = Vec::new();
        (tables::find("csv").unwrap().write)(&writing, &*router, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let mut next: BTreeMap<(u64, u64), u64> = BTreeMap::new();
        for row in text.lines().skip(1) {
            // Addresses follow.
            let row: Vec<u64> = row.split(',').take(4).map(|word| word.parse().unwrap()).collect();
            next.insert((row[0], row[1]), row[3]);
        }
        for to in 0..network.hosts() {
            for from in 0..network.hosts() {
                let (mut at, mut hops) = (from, 0);
                while at != to {
                    at = next[&(to, at)];
                    hops += 1;
                }
                let route = nestnet::route::walk(
                    &*network,
                    &*router,
                    nestnet::Node(from),
                    nestnet::Node(to),
                    0,
                    99,
                );
                assert_eq!(hops, route.unwrap().hops.len(), "{spec}");
            }
        }
    }
}

/// Local identifiers as OpenSM loads them from its cache, `0xGUID 0xMIN 0xMAX` a line: every port once, with the
/// identifiers that all other tables for OpenSM have.
#[test]
fn opensm_gives_the_identifiers_that_the_tables_have() {
    for spec in SPECS {
        let built = build(spec).unwrap();
        let network: Arc<dyn Network> = built.network.clone().unwrap();
        let router = routers::find(&built, "min").unwrap();
        let none = Costs::NONE;
        let writing = Writing::new(spec, &*network, &none, Budget::UNLIMITED).unwrap();
        let table = |name: &str| {
            let mut out = Vec::new();
            (tables::find(name).unwrap().write)(&writing, &*router, &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        let hex = |word: &str| u64::from_str_radix(word.strip_prefix("0x").unwrap(), 16).unwrap();
        let mut given = BTreeMap::new();
        // An entry ends with an empty line, or the next is taken for more of it.
        let file = table("opensm-guid2lid");
        assert!(file.ends_with("\n\n"), "{spec}");
        for line in file.split_terminator("\n\n") {
            let words: Vec<u64> = line.split(' ').map(hex).collect();
            let [guid, least, most] = words[..] else { panic!("{spec}: {line}") };
            assert_eq!(least, most, "{spec}: one identifier a port");
            assert!((1..=0xbfff).contains(&least), "{spec}: {line}");
            assert_eq!(given.insert(guid, least), None, "{spec}: {line}");
        }
        let identifiers: BTreeSet<u64> = given.values().copied().collect();
        assert_eq!(identifiers.len(), given.len(), "{spec}");
        let expected = wiring(&*network);
        assert_eq!(given.len() as u64, expected.nodes + expected.hosts.len() as u64, "{spec}");
        // Of the subnet as it would be dumped.
        let subnet = Subnet::new(&*network, &*router, &Budget::UNLIMITED).unwrap();
        let mut links = Vec::new();
        subnet.write_links(&mut links).unwrap();
        let links = String::from_utf8(links).unwrap();
        for end in links.split("PortGUID:").skip(1) {
            let after = |word: &str| end.split(word).nth(1).unwrap().split(' ').next().unwrap();
            let guid = hex(&format!("0x{}", end.split(' ').next().unwrap()));
            assert_eq!(given.get(&guid), Some(&hex(&format!("0x{}", after("LID:")))), "{spec}");
        }
        // Of the forwarding tables.
        for line in table("opensm").lines().filter(|line| line.contains("portguid")) {
            let guid = line.split("portguid ").nth(1).unwrap().split(':').next().unwrap();
            let identifier = hex(line.split(' ').next().unwrap());
            assert_eq!(given.get(&hex(guid)), Some(&identifier), "{spec}: {line}");
        }
        // Of the lanes, which say both.
        for line in table("opensm-sl2vl").lines().filter(|line| line.contains("base LID")) {
            let (guid, identifier) = line.split_once(", base LID ").unwrap();
            let guid = hex(guid.rsplit(' ').next().unwrap());
            assert_eq!(given.get(&guid), Some(&identifier.parse().unwrap()), "{spec}: {line}");
        }
    }
}
