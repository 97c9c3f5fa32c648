//! GraphML: nodes and links with attributes, as NetworkX, igraph, Gephi and yEd read it.
//!
//! What is written is also what the any-topology loader of SST merlin accepts: undirected, nodes in the order of their
//! numbers, each with the integer `endpoints`. Hosts that hang at switches are only counted there; the attribute `hosts`
//! of the graph tells whether they do.

use super::clusters::Clusters;
use super::collect::{Collect, LINKED, NODES, endpoints_at, hosts_are, level_at, twice};
use super::mark::Mark;
use super::reading::{Reading, Remark};
use super::writing::{Writing, put};
use super::xml::{Item, Xml, escaped, put_escaped};
use super::{Format, ReadError, Says, WriteError};
use std::collections::HashMap;
use std::io::Write;

/// The row of this format.
pub(super) const FORMAT: Format = Format {
    name: "graphml",
    title: "GraphML: NetworkX, igraph, Gephi, yEd, SST merlin",
    extensions: &["graphml"],
    says: Says::ATTRIBUTES,
    streams: true,
    write: Some(write),
    read: Some(read),
    sniff: |text| super::contains(text, b"<graphml"),
};

const NAME: &str = "GraphML";

fn write(writing: &Writing<'_>, output: &mut dyn Write) -> Result<(), WriteError> {
    let clusters = Clusters::of(writing)?;
    let of_hosts = writing.has_addresses() && writing.has_own_host_names()?;
    let mut head = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n",
    );
    let keys = [
        ("hosts", "graph", "string", true),
        ("name", "graph", "string", true),
        ("endpoints", "node", "int", true),
        ("address", "node", "string", writing.has_addresses()),
        ("host_addresses", "node", "string", of_hosts),
        ("cluster", "node", "string", !clusters.is_empty()),
        ("level", "edge", "int", true),
        ("latency", "edge", "double", writing.has_latency()),
        ("bandwidth", "edge", "double", writing.costs.has_bandwidth()),
    ];
    for (name, place, kind, used) in keys {
        if used {
            head += &format!(
                " <key id=\"{name}\" for=\"{place}\" attr.name=\"{name}\" attr.type=\"{kind}\"/>\n"
            );
        }
    }
    let hosts = if writing.has_host_links() { LINKED } else { NODES };
    head += &format!(
        " <graph id=\"G\" edgedefault=\"undirected\">\n  <data key=\"hosts\">{hosts}</data>\n  \
         <data key=\"name\">{}</data>\n",
        escaped(writing.title)
    );
    output.write_all(head.as_bytes())?;
    let addresses = writing.has_addresses();
    writing.each(writing.nodes(), 1, output, &|at, found, out| {
        put!(
            out,
            "  <node id=\"",
            at,
            "\"><data key=\"endpoints\">",
            writing.hosts_at(at),
            "</data>"
        );
        if addresses {
            put!(out, "<data key=\"address\">");
            let start = out.len();
            writing.put_address(at, out);
            put_escaped(out, start);
            put!(out, "</data>");
        }
        if of_hosts && writing.hosts_at(at) > 0 {
            writing.unleveled().find(at, found);
            put!(out, "<data key=\"host_addresses\">");
            let start = out.len();
            writing.put_host_addresses(found, out);
            put_escaped(out, start);
            put!(out, "</data>");
        }
        if !clusters.is_empty() {
            put!(out, "<data key=\"cluster\">");
            clusters.path(at, out);
            put!(out, "</data>");
        }
        put!(out, "</node>\n");
    })?;
    let ends = writing.by_level(|level| {
        let mut end = format!("\"><data key=\"level\">{level}</data>");
        if let Some(latency) = writing.latency(level) {
            end += &format!("<data key=\"latency\">{}</data>", latency.nanoseconds());
        }
        if let Some(bandwidth) = writing.bandwidth(level) {
            end += &format!("<data key=\"bandwidth\">{}</data>", bandwidth.gigabits());
        }
        end + "</edge>\n"
    });
    writing.each_node(output, &|at, found, out| {
        for link in found.links.iter().filter(|link| link.to > at) {
            let end = &ends[usize::from(link.level)];
            put!(out, "  <edge source=\"", at, "\" target=\"", link.to, end);
        }
    })?;
    output.write_all(b" </graph>\n</graphml>\n")?;
    Ok(output.flush()?)
}

/// What a key means.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meaning {
    Hosts,
    Endpoints,
    Address,
    /// The address of files by igraph, whose ids are numbers.
    Name,
    HostAddresses,
    Level,
    Latency,
    /// What is ours but not read.
    Ours,
    Other,
}

/// Where we are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    File,
    Graph,
    Node,
    Edge,
}

/// Reads nodes, links, `endpoints`, `level`, `latency`, `address` and `host_addresses`; other attributes are passed over. Where nodes
/// are counted and have no `address`, their `name` is it, as igraph writes it.
pub fn read(text: &[u8]) -> Result<Reading, ReadError> {
    let mut xml = Xml::new(text, NAME)?;
    let text = xml.text();
    let mut collect = Collect::new();
    let mut keys: HashMap<String, Meaning> = HashMap::new();
    let mut addressed = false;
    let mut open = vec![Inside::File];
    let mut data: Option<(Meaning, usize, String)> = None;
    let refused = |at: usize, what, why| ReadError::Refused { at: Mark::of(text, at), what, why };
    loop {
        match xml.next()? {
            Item::End => break,
            Item::Text(words) => {
                if let Some((_, at, data)) = &mut data {
                    if data.is_empty() {
                        *at = xml.at;
                    }
                    data.push_str(&words);
                }
            }
            Item::Close => {
                if let Some((meaning, at, data)) = data.take() {
                    let inside = open.last().copied().unwrap_or(Inside::File);
                    attribute(&mut collect, text, inside, meaning, at, &data)?;
                } else {
                    open.pop();
                }
            }
            Item::Open(start, closed) => {
                let inside = open.last().copied().unwrap_or(Inside::File);
                let mut next = inside;
                match start.local_name().into_inner() {
                    "key" => {
                        let id = xml.needs(&start, "id", "a key with an id")?;
                        let name = xml.attribute(&start, "attr.name")?;
                        let place = xml.attribute(&start, "for")?;
                        let meaning = match (place.as_deref(), name.as_deref()) {
                            (Some("graph"), Some("hosts")) => Meaning::Hosts,
                            (Some("node" | "all"), Some("endpoints")) => Meaning::Endpoints,
                            (Some("node" | "all"), Some("address")) => {
                                keys.retain(|_, meaning| *meaning != Meaning::Name);
                                addressed = true;
                                Meaning::Address
                            }
                            (Some("node" | "all"), Some("name")) if !addressed => Meaning::Name,
                            (Some("node" | "all"), Some("host_addresses")) => {
                                Meaning::HostAddresses
                            }
                            (Some("edge" | "all"), Some("level")) => Meaning::Level,
                            (Some("edge" | "all"), Some("latency")) => Meaning::Latency,
                            (Some("graph"), Some("name")) | (Some("node"), Some("cluster")) => {
                                Meaning::Ours
                            }
                            _ => Meaning::Other,
                        };
                        keys.insert(id.into_owned(), meaning);
                    }
                    "graph" if inside == Inside::File => {
                        if xml.attribute(&start, "edgedefault")?.as_deref() == Some("directed") {
                            collect.remark(Remark::Directed);
                        }
                        next = Inside::Graph;
                    }
                    "graph" => {
                        return Err(refused(xml.at, "a graph within a node", "networks are flat"));
                    }
                    "hyperedge" => {
                        return Err(refused(xml.at, "a hyperedge", "a link has two ends"));
                    }
                    "node" if inside == Inside::Graph => {
                        let id = xml.needs(&start, "id", "a node with an id")?;
                        if !collect.node(&id) {
                            return Err(twice(text, xml.at, &id));
                        }
                        next = Inside::Node;
                    }
                    "edge" if inside == Inside::Graph => {
                        let expected = "an edge with a source and a target";
                        let from = xml.needs(&start, "source", expected)?;
                        let to = xml.needs(&start, "target", expected)?;
                        let ends = collect.ends(text, xml.at, (&from, &to))?;
                        collect.link(ends.0, ends.1);
                        next = Inside::Edge;
                    }
                    "data" if inside != Inside::File && !closed => {
                        let key = xml.needs(&start, "key", "data with a key")?;
                        let meaning = keys.get(&*key).copied().unwrap_or(Meaning::Other);
                        data = Some((meaning, xml.at, String::new()));
                        continue;
                    }
                    _ => {
                        let has = |name| matches!(xml.attribute(&start, name), Ok(Some(_)));
                        collect.unread |= has("source") || has("target");
                    }
                }
                if !closed {
                    open.push(next);
                }
            }
        }
    }
    collect.finish(
        "<graphml> with a <graph> of <node> and <edge>",
        "<edge source=\"0\" target=\"1\"/> in the <graph>",
    )
}

/// Takes what an attribute says.
fn attribute(
    collect: &mut Collect,
    text: &[u8],
    inside: Inside,
    meaning: Meaning,
    at: usize,
    data: &str,
) -> Result<(), ReadError> {
    match (inside, meaning) {
        (Inside::Graph, Meaning::Hosts) => collect.hosts_are = hosts_are(data),
        (Inside::Node, Meaning::Endpoints) => {
            collect.endpoints(endpoints_at(text, at, data.as_bytes())?);
        }
        (Inside::Node, Meaning::Address) => collect.address(data),
        (Inside::Node, Meaning::Name) => collect.name(data),
        (Inside::Node, Meaning::HostAddresses) if collect.host_addresses(data) => (),
        (Inside::Edge, Meaning::Level) => collect.level(level_at(text, at, data.as_bytes())?),
        (Inside::Edge, Meaning::Latency) => collect.latency(data),
        (_, Meaning::Ours) => (),
        (Inside::Node, _) => collect.remark(Remark::PassedOver("other attributes of nodes")),
        (Inside::Edge, _) => collect.remark(Remark::PassedOver("other attributes of links")),
        _ => (),
    }
    Ok(())
}
