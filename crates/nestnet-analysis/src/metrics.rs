//! The table of metrics: every number that is said of a network, by its key.
//!
//! A key has one row here: its heading, its unit, which way is better, what it is, its form, and what it is computed from. The
//! measures that answer keys, the columns of comparisons, the basis of claims and `docs/metrics.md` all read it, and a
//! key that is not here does not compile.

/// Which of two values is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// The smaller.
    Less,
    /// The larger.
    More,
    /// Neither.
    Neither,
}

/// What a value is computed from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The theory of the network, which counts nodes and links at any size.
    Theory,
    /// Another metric, of this key.
    Key(&'static str),
    /// A search, a count or a run; its answer says how it is known.
    Answer,
}

/// The form of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// An integer of any length.
    Integer,
    /// A decimal number.
    Number,
    /// Yes or no.
    Truth,
    /// An integer between two bounds.
    Bounds,
    /// A mean as a fraction, or by a sample.
    Mean,
    /// Pairs by distance.
    Histogram,
    /// How many there are of each.
    Counts,
    /// The load of channels.
    Load,
    /// Two nodes.
    Pair,
}

/// A number of a network.
#[derive(Clone, Copy, Debug)]
pub struct Metric {
    /// Its key: in JSON, in questions and in claims.
    pub key: &'static str,
    /// Its heading in a table.
    pub title: &'static str,
    /// Its unit; empty where it has none.
    pub unit: &'static str,
    /// Which way is better.
    pub better: Better,
    /// What it is, in a few words.
    pub about: &'static str,
    /// What it is computed from.
    pub from: Source,
    /// Its form, where it is measured.
    pub value: Value,
}

/// A row whose heading is its key.
const fn row(
    key: &'static str,
    unit: &'static str,
    better: Better,
    from: Source,
    value: Value,
    about: &'static str,
) -> Metric {
    Metric { key, title: key, unit, better, about, from, value }
}

impl Metric {
    /// The same row with a short heading.
    const fn titled(self, title: &'static str) -> Self {
        Metric { title, ..self }
    }
}

use Better::{Less, More, Neither};
use Source::{Answer, Key, Theory};
use Value::{Bounds, Counts, Histogram, Integer, Load, Mean, Number, Pair, Truth};

/// All metrics.
pub const METRICS: &[Metric] = &[
    row("nodes", "", Neither, Theory, Integer, "number of nodes"),
    row("links", "", Neither, Theory, Integer, "number of links"),
    row("cables", "", Neither, Theory, Integer, "number of cables; a link of width w is w cables"),
    row("width_histogram", "", Neither, Answer, Counts, "number of links of each width"),
    row("degree_histogram", "", Neither, Theory, Counts, "number of nodes of each degree"),
    row("degree_min", "", Neither, Theory, Integer, "least number of cables at a node"),
    row("degree_max", "", Less, Theory, Integer, "largest number of cables at a node"),
    row("degree", "", Less, Theory, Number, "largest number of cables at a node"),
    row("degree_mean", "", Less, Theory, Number, "mean number of cables at a node"),
    row("regular", "", Neither, Theory, Truth, "whether all nodes have the same degree"),
    row("components", "", Less, Answer, Integer, "number of connected components"),
    row("connected", "", Neither, Theory, Truth, "whether there is a path between any two nodes"),
    row("bipartite", "", Neither, Answer, Truth, "whether two colors suffice"),
    row(
        "girth",
        "links",
        More,
        Answer,
        Integer,
        "length of the shortest cycle; two cables of a link are a cycle of two",
    ),
    row("diameter", "links", Less, Answer, Bounds, "largest distance between two nodes"),
    row("radius", "links", Less, Answer, Bounds, "least eccentricity of a node"),
    row(
        "average_distance",
        "links",
        Less,
        Answer,
        Mean,
        "mean distance between two different nodes",
    )
    .titled("average"),
    row(
        "distance_histogram",
        "",
        Neither,
        Answer,
        Histogram,
        "number of ordered pairs at each distance",
    ),
    row("farthest", "", Neither, Answer, Pair, "two nodes whose distance is the diameter"),
    row("hosts", "", Neither, Theory, Integer, "number of hosts"),
    row(
        "switches",
        "",
        Neither,
        Theory,
        Number,
        "number of switches; 0 where every node is a host",
    ),
    row(
        "host_diameter",
        "links",
        Less,
        Answer,
        Bounds,
        "largest distance between two hosts, host links included",
    ),
    row(
        "host_average_distance",
        "links",
        Less,
        Answer,
        Mean,
        "mean distance between two different hosts, host links included",
    ),
    row(
        "host_distance_histogram",
        "",
        Neither,
        Answer,
        Histogram,
        "number of ordered pairs of hosts at each distance",
    ),
    row(
        "switches_passed",
        "nodes",
        Less,
        Answer,
        Mean,
        "number of nodes between two hosts, on average",
    ),
    row(
        "moore_bound",
        "nodes",
        Neither,
        Key("diameter"),
        Integer,
        "most nodes that any network of this degree and diameter has",
    ),
    row(
        "moore_efficiency",
        "",
        More,
        Key("diameter"),
        Number,
        "nodes as a fraction of the Moore bound",
    )
    .titled("Moore"),
    row(
        "average_distance_bound",
        "links",
        Neither,
        Theory,
        Number,
        "least mean distance of any network of this size and degree",
    ),
    row(
        "average_distance_gap",
        "",
        Less,
        Key("average_distance"),
        Number,
        "mean distance minus its lower bound",
    ),
    row("cost", "", Less, Key("diameter"), Integer, "degree times diameter").titled("d×D"),
    row("cr", "", Less, Key("diameter"), Number, "cost ratio, (degree + diameter) / log2(nodes)")
        .titled("CR"),
    row("links_per_node", "", Less, Theory, Number, "links for each node"),
    row("links_per_host", "", Less, Theory, Number, "links for each host").titled("links/host"),
    row(
        "vertex_connectivity",
        "nodes",
        More,
        Answer,
        Bounds,
        "least number of nodes whose failure disconnects the rest",
    )
    .titled("conn."),
    row(
        "edge_connectivity",
        "links",
        More,
        Answer,
        Bounds,
        "least number of links whose failure disconnects it; a link of several cables counts as often",
    ),
    row(
        "switch_edge_connectivity",
        "links",
        More,
        Answer,
        Bounds,
        "least number of links between switches, a link of several cables as often, whose failure disconnects the switches; hosts removed",
    ),
    row(
        "maximally_fault_tolerant",
        "",
        Neither,
        Answer,
        Truth,
        "whether the connectivity equals the least degree",
    ),
    row("vertex_orbits", "", Less, Answer, Integer, "orbits of nodes under all automorphisms"),
    row("edge_orbits", "", Less, Answer, Integer, "orbits of links under all automorphisms"),
    row("automorphisms", "", More, Answer, Integer, "number of automorphisms"),
    row("vertex_transitive", "", Neither, Answer, Truth, "whether there is one orbit of nodes"),
    row("edge_transitive", "", Neither, Answer, Truth, "whether there is one orbit of links"),
    row(
        "channel_load",
        "",
        Less,
        Answer,
        Load,
        "load of the busiest channel, uniform traffic split over all shortest paths",
    ),
    row(
        "throughput",
        "",
        More,
        Answer,
        Number,
        "fraction of the full rate at which the busiest channel saturates, uniform traffic",
    ),
    row(
        "forwarding_index",
        "",
        Less,
        Answer,
        Bounds,
        "number of shortest paths, one for each pair, over the busiest cable, both directions together",
    ),
    row("lambda2", "", More, Answer, Number, "second least eigenvalue of the Laplacian"),
    row(
        "spectral_gap",
        "",
        More,
        Answer,
        Number,
        "largest minus second largest eigenvalue of the adjacency matrix",
    ),
    row(
        "bisection",
        "links",
        More,
        Answer,
        Bounds,
        "bisection width: least number of links between two equal parts; a link of several cables counts as often",
    ),
    row(
        "fault_diameter",
        "links",
        Less,
        Answer,
        Bounds,
        "largest diameter after as many failures as it tolerates",
    ),
    row("unloaded_latency", "cycles", Less, Answer, Number, "simulated latency at the least load"),
    row(
        "saturation",
        "flits/cycle/host",
        More,
        Answer,
        Number,
        "saturation: the highest simulated load at which all that was offered was accepted",
    ),
    row(
        "worst_case",
        "",
        More,
        Answer,
        Number,
        "fraction of the full rate that the routing carries of its worst permutation",
    )
    .titled("worst"),
    row(
        "bisection_fraction",
        "",
        More,
        Answer,
        Number,
        "cables across a bisection for each host of one side, by the best cut that is known",
    )
    .titled("bisection"),
    row("vcs", "", Less, Answer, Number, "virtual channels that keep the routing free of deadlock"),
    row(
        "table_bytes",
        "bytes",
        Less,
        Answer,
        Number,
        "routing table of a node; 0 where addresses suffice",
    )
    .titled("table"),
    row("levels", "", Neither, Theory, Number, "levels of modules within modules"),
    row("inside_racks", "", More, Answer, Number, "links inside racks, as a fraction")
        .titled("in rack"),
    row("cable_per_host", "m", Less, Answer, Number, "cable for each host").titled("m/host"),
    row("longest_cable", "m", Less, Answer, Number, "the longest cable").titled("longest"),
    row("price_per_host", "$", Less, Answer, Number, "cables and ports for each host")
        .titled("$/host"),
    row("power_per_host", "W", Less, Answer, Number, "cables and ports for each host")
        .titled("W/host"),
    row("wire", "mm", Less, Answer, Number, "wire of all links on a chip").titled("wire mm"),
    row("longest_wire", "mm", Less, Answer, Number, "the longest link on a chip")
        .titled("longest mm"),
    row("wire_area", "mm²", Less, Answer, Number, "wire area on a chip, both directions")
        .titled("wire mm²"),
    row(
        "energy_per_bit",
        "pJ",
        Less,
        Answer,
        Number,
        "mean energy of a bit from node to node on a chip, all links used alike",
    )
    .titled("pJ/bit"),
];

/// The row of a key, while the program is built or when it runs.
///
/// ```
/// use nestnet_analysis::metrics::{Better, find};
///
/// assert_eq!(find("bisection").unwrap().better, Better::More);
/// const _: () = assert!(find("average_distance").is_some() && find("mean_distance").is_none());
/// ```
pub const fn find(key: &str) -> Option<&'static Metric> {
    let mut at = 0;
    while at < METRICS.len() {
        if is_same(METRICS[at].key.as_bytes(), key.as_bytes()) {
            return Some(&METRICS[at]);
        }
        at += 1;
    }
    None
}

/// The row of a key that is known when the program is built.
pub const fn metric(key: &str) -> &'static Metric {
    match find(key) {
        Some(metric) => metric,
        None => panic!("no metric has this key"),
    }
}

const fn is_same(one: &[u8], other: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

// What is computed from another metric names one that there is.
const _: () = {
    let mut at = 0;
    while at < METRICS.len() {
        if let Source::Key(key) = METRICS[at].from {
            assert!(find(key).is_some(), "a metric is computed from a key that no metric has");
        }
        at += 1;
    }
};

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn keys_are_unique() {
        let keys: BTreeSet<&str> = METRICS.iter().map(|metric| metric.key).collect();
        assert_eq!(keys.len(), METRICS.len());
    }
}
