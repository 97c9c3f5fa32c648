//! Node-link JSON, as NetworkX, D3 and TopoHub have it: `nodes` and `edges`, each with attributes.
//!
//! Links are written as `edges`; both `edges` and `links`, the older name, are read, and so is `adjacency`, a list of
//! neighbors for every node, as `nx.adjacency_data` has it.

use super::clusters::Clusters;
use super::collect::{Collect, LINKED, NODES, hosts_are};
use super::lines::utf8;
use super::mark::{Mark, shown};
use super::reading::{MAX_LEVEL, Reading, Remark};
use super::writing::{Writing, put};
use super::{Format, ReadError, Says, WriteError};
use serde::Deserialize;
use serde::de::{
    DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor,
};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;
use std::io::Write;

/// The row of this format.
pub(super) const FORMAT: Format = Format {
    name: "node-link",
    title: "Node-link JSON: NetworkX, D3, TopoHub",
    extensions: &["json"],
    says: Says::ATTRIBUTES,
    streams: true,
    write: Some(write),
    read: Some(read),
    sniff: |text| text.trim_ascii_start().starts_with(b"{") && super::contains(text, b"\"nodes\""),
};

fn write(writing: &Writing<'_>, output: &mut dyn Write) -> Result<(), WriteError> {
    let clusters = Clusters::of(writing)?;
    let hosts = if writing.has_host_links() { LINKED } else { NODES };
    let title: String = writing.title.chars().map(nestnet_graph::sanitize::visible).collect();
    let title = serde_json::to_string(&title).unwrap_or_else(|_| "\"\"".to_owned());
    let multigraph = writing.has_trunks();
    write!(
        output,
        "{{\"directed\":false,\"multigraph\":{multigraph},\"graph\":{{\"name\":{title},\"hosts\":\"{hosts}\"}},\n\"nodes\":["
    )?;
    let addresses = writing.has_addresses();
    let of_hosts = addresses && writing.has_own_host_names()?;
    writing.each(writing.nodes(), 1, output, &|at, found, out| {
        put!(out, if at == 0 { "\n" } else { ",\n" });
        put!(out, "{\"id\":", at, ",\"endpoints\":", writing.hosts_at(at));
        if addresses {
            put!(out, ",\"address\":\"");
            let start = out.len();
            writing.put_address(at, out);
            escape(out, start);
            put!(out, "\"");
        }
        if of_hosts && writing.hosts_at(at) > 0 {
            writing.unleveled().find(at, found);
            put!(out, ",\"host_addresses\":");
            writing.put_host_addresses(found, out);
        }
        if !clusters.is_empty() {
            put!(out, ",\"cluster\":\"");
            clusters.path(at, out);
            put!(out, "\"");
        }
        put!(out, "}");
    })?;
    output.write_all(b"\n],\n\"edges\":[")?;
    // Which node has the first link, before which there is no comma.
    let first = first_with_links(writing)?;
    let ends = writing.by_level(|level| {
        let mut end = format!(",\"level\":{level}");
        if let Some(latency) = writing.latency(level) {
            end += &format!(",\"latency\":{}", latency.nanoseconds());
        }
        if let Some(bandwidth) = writing.bandwidth(level) {
            end += &format!(",\"bandwidth\":{}", bandwidth.gigabits());
        }
        end + "}"
    });
    writing.each_node(output, &|at, found, out| {
        let mut is_first = Some(at) == first;
        for link in found.links.iter().filter(|link| link.to > at) {
            put!(out, if is_first { "\n" } else { ",\n" });
            is_first = false;
            let end = &ends[usize::from(link.level)];
            put!(out, "{\"source\":", at, ",\"target\":", link.to, end);
        }
    })?;
    output.write_all(b"\n]}\n")?;
    Ok(output.flush()?)
}

/// Writes what was written since `start` as it stands within quotes.
fn escape(out: &mut Vec<u8>, start: usize) {
    let plain = |byte: &u8| matches!(byte, 0x20..=0x7e) && !matches!(byte, b'"' | b'\\');
    if out[start..].iter().all(plain) {
        return;
    }
    let text = String::from_utf8_lossy(&out[start..]).into_owned();
    out.truncate(start);
    let quoted = serde_json::to_string(&text).unwrap_or_default();
    put!(out, quoted.strip_prefix('"').unwrap_or_default());
    // The last quote is the writer's.
    out.pop();
}

/// The first node that has a link.
fn first_with_links(writing: &Writing<'_>) -> Result<Option<u64>, WriteError> {
    let mut found = super::writing::Found::default();
    for at in 0..writing.nodes() {
        writing.budget.watch.check_each(at)?;
        writing.find(at, &mut found);
        if !found.links.is_empty() {
            return Ok(Some(at));
        }
    }
    Ok(None)
}

/// Reads nodes, links, `endpoints`, `address`, `host_addresses` and `level`; nodes come before links, as they are always written.
pub fn read(text: &[u8]) -> Result<Reading, ReadError> {
    let text = utf8(text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text), "node-link JSON")?;
    let mut collect = Collect::new();
    let mut json = serde_json::Deserializer::from_str(text);
    let read = File(&mut collect).deserialize(&mut json).and_then(|()| json.end());
    read.map_err(|error| {
        let why = error.to_string();
        let why = super::xml::message(why.split(" at line ").next().unwrap_or_default());
        let at = Mark { line: error.line() as u64, column: error.column() };
        ReadError::Markup { at, why }
    })?;
    collect.finish(
        "an object with `nodes` and `edges`",
        "`edges` or `links`, as by nx.node_link_data, or `adjacency`, as by nx.adjacency_data",
    )
}

/// The whole file.
struct File<'c>(&'c mut Collect);

impl<'de> DeserializeSeed<'de> for File<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, input: D) -> Result<(), D::Error> {
        input.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for File<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with `nodes` and `edges`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut has_links = false;
        while let Some(key) = map.next_key::<Cow<'de, str>>()? {
            match &*key {
                "directed" => {
                    if map.next_value()? {
                        self.0.remark(Remark::Directed);
                    }
                }
                "graph" => {
                    let raw: &RawValue = map.next_value()?;
                    // Adjacency data has a list of pairs there, with nothing of ours.
                    if raw.get().starts_with('{') {
                        let graph: GraphSaid =
                            serde_json::from_str(raw.get()).map_err(A::Error::custom)?;
                        let word = graph.hosts.as_ref().and_then(|raw| plain(raw));
                        self.0.hosts_are = word.and_then(|word| hosts_are(&word));
                    }
                }
                "nodes" => map.next_value_seed(List { collect: self.0, add: add_node })?,
                "edges" | "links" => {
                    has_links = true;
                    map.next_value_seed(List { collect: self.0, add: add_link })?;
                }
                "adjacency" => {
                    has_links = true;
                    let mut rows = Rows::default();
                    map.next_value_seed(Neighbors { collect: self.0, rows: &mut rows })?;
                    rows.finish(self.0).map_err(A::Error::custom)?;
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        self.0.unread |= !has_links;
        Ok(())
    }
}

/// An array whose elements are taken one by one.
struct List<'c, T> {
    collect: &'c mut Collect,
    add: fn(&mut Collect, T) -> Result<(), String>,
}

impl<'de, T: Deserialize<'de>> DeserializeSeed<'de> for List<'_, T> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, input: D) -> Result<(), D::Error> {
        input.deserialize_seq(self)
    }
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for List<'_, T> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(element) = list.next_element::<T>()? {
            (self.add)(self.collect, element).map_err(A::Error::custom)?;
        }
        Ok(())
    }
}

/// Links as lists of neighbors, gathered: an undirected link is in the lists of both ends.
#[derive(Default)]
struct Rows {
    count: u64,
    /// The smaller end, the larger end, whether the larger one lists it, the level.
    links: Vec<(u32, u32, bool, u16)>,
}

impl Rows {
    /// Every cable once: a link has as many as the end that lists it more often.
    fn finish(mut self, collect: &mut Collect) -> Result<(), String> {
        let (rows, nodes) = (self.count, collect.count());
        if rows != nodes {
            return Err(format!("{rows} lists of neighbors for {nodes} nodes before them"));
        }
        self.links.sort_unstable();
        for link in self.links.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let (one, other) = link.split_at(link.partition_point(|&(_, _, back, _)| !back));
            for &(a, b, _, level) in if one.len() < other.len() { other } else { one } {
                collect.link(a, b);
                collect.level(level);
            }
        }
        Ok(())
    }
}

/// The list of the lists of neighbors.
struct Neighbors<'c> {
    collect: &'c Collect,
    rows: &'c mut Rows,
}

impl<'de> DeserializeSeed<'de> for Neighbors<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, input: D) -> Result<(), D::Error> {
        input.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Neighbors<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of neighbors for each node")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let Neighbors { collect, rows } = self;
        while list.next_element_seed(Row { collect, rows: &mut *rows })?.is_some() {
            rows.count += 1;
        }
        Ok(())
    }
}

/// The neighbors of one node.
struct Row<'c> {
    collect: &'c Collect,
    rows: &'c mut Rows,
}

impl<'de> DeserializeSeed<'de> for Row<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, input: D) -> Result<(), D::Error> {
        input.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Row<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of the neighbors of a node")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let Row { collect, rows } = self;
        while let Some(neighbor) = list.next_element::<NeighborSaid<'_>>()? {
            let from = u32::try_from(rows.count).ok().filter(|_| rows.count < collect.count());
            let Some(from) = from else {
                let nodes = collect.count();
                let why =
                    format!("{} lists of neighbors for {nodes} nodes before them", rows.count + 1);
                return Err(A::Error::custom(why));
            };
            let to = end_of(collect, neighbor.id).map_err(A::Error::custom)?;
            if from == to {
                return Err(A::Error::custom(looped(neighbor.id)));
            }
            let level = neighbor.level.map_or(Ok(0), level_of).map_err(A::Error::custom)?;
            rows.links.push((from.min(to), from.max(to), from > to, level));
        }
        Ok(())
    }
}

/// What is said of a neighbor.
#[derive(Deserialize)]
struct NeighborSaid<'a> {
    #[serde(borrow)]
    id: &'a RawValue,
    #[serde(borrow, default)]
    level: Option<&'a RawValue>,
}

/// What is said of the graph.
#[derive(Deserialize)]
struct GraphSaid<'a> {
    #[serde(borrow, default)]
    hosts: Option<&'a RawValue>,
}

/// What is said of a node.
#[derive(Deserialize)]
struct NodeSaid<'a> {
    #[serde(borrow)]
    id: &'a RawValue,
    #[serde(borrow, default)]
    address: Option<&'a RawValue>,
    #[serde(borrow, default)]
    endpoints: Option<&'a RawValue>,
    #[serde(borrow, default)]
    host_addresses: Option<&'a RawValue>,
}

/// What is said of a link.
#[derive(Deserialize)]
struct LinkSaid<'a> {
    #[serde(borrow)]
    source: &'a RawValue,
    #[serde(borrow)]
    target: &'a RawValue,
    #[serde(borrow, default)]
    level: Option<&'a RawValue>,
    #[serde(borrow, default)]
    latency: Option<&'a RawValue>,
}

/// A text, or a number or list as it is written.
fn plain(raw: &RawValue) -> Option<Cow<'_, str>> {
    let text = raw.get();
    match text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
        Some(inner) if !inner.contains('\\') => Some(Cow::Borrowed(inner)),
        Some(_) => serde_json::from_str(text).ok().map(Cow::Owned),
        None if text.starts_with('{') => None,
        None => Some(Cow::Borrowed(text)),
    }
}

fn add_node(collect: &mut Collect, node: NodeSaid<'_>) -> Result<(), String> {
    let id = plain(node.id).filter(|id| !id.chars().any(char::is_control));
    let id = id.ok_or("the id of a node is a number or a text")?;
    if !collect.node(&id) {
        return Err(format!("node `{}` was there before", shown(id.as_bytes())));
    }
    if let Some(address) = node.address.and_then(plain) {
        collect.address(&address);
    }
    if let Some(raw) = node.endpoints {
        let count = plain(raw).and_then(|text| text.parse::<u32>().ok());
        let found =
            || format!("expected a number of endpoints, found `{}`", shown(raw.get().as_bytes()));
        collect.endpoints(count.ok_or_else(found)?);
    }
    if let Some(list) = node.host_addresses
        && !collect.host_addresses(list.get())
    {
        collect.remark(Remark::PassedOver("other attributes of nodes"));
    }
    Ok(())
}

fn add_link(collect: &mut Collect, link: LinkSaid<'_>) -> Result<(), String> {
    let (from, to) = (end_of(collect, link.source)?, end_of(collect, link.target)?);
    if from == to {
        return Err(looped(link.source));
    }
    collect.link(from, to);
    if let Some(raw) = link.level {
        collect.level(level_of(raw)?);
    }
    if let Some(latency) = link.latency.and_then(plain) {
        collect.latency(&latency);
    }
    Ok(())
}

/// The number of the node that is an end of a link.
fn end_of(collect: &Collect, raw: &RawValue) -> Result<u32, String> {
    let found = plain(raw).and_then(|id| collect.find(id.as_bytes()));
    found.ok_or_else(|| format!("there is no node `{}` before this", shown(raw.get().as_bytes())))
}

/// That both ends of a link are one node.
fn looped(raw: &RawValue) -> String {
    format!("node {} cannot be linked to itself", shown(raw.get().as_bytes()))
}

fn level_of(raw: &RawValue) -> Result<u16, String> {
    let level = raw.get().parse().ok().filter(|&level: &u16| u64::from(level) <= MAX_LEVEL);
    level.ok_or_else(|| format!("expected a level, found `{}`", shown(raw.get().as_bytes())))
}
