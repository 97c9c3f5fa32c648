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
