//! GEXF, the format of Gephi, which NetworkX writes too: nodes with labels, links, and values of declared attributes.

use super::collect::{Collect, endpoints_at, level_at, twice};
use super::mark::Mark;
use super::reading::{Reading, Remark};
use super::xml::{Item, Xml};
use super::{Format, ReadError, Says};
use std::collections::HashMap;

/// The row of this format.
pub(super) const FORMAT: Format = Format {
    name: "gexf",
    title: "GEXF: Gephi, NetworkX",
    extensions: &["gexf"],
    says: Says::ATTRIBUTES,
    streams: false,
    write: None,
    read: Some(read),
    sniff: |text| super::contains(text, b"<gexf"),
};

/// What a value means.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meaning {
    Endpoints,
    Address,
    Level,
    Other,
}

/// Where we are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    File,
    Graph,
    /// Declarations of attributes of nodes.
    OfNodes,
    /// Declarations of attributes of links.
    OfEdges,
    Node,
    Edge,
}

/// Reads nodes with their labels, links, `endpoints`, `address` and `level`; other values are passed over.
pub fn read(text: &[u8]) -> Result<Reading, ReadError> {
    let mut xml = Xml::new(text, "GEXF")?;
    let text = xml.text();
    let mut collect = Collect::new();
    // By what they belong to, and their id.
    let mut meanings: HashMap<(bool, String), Meaning> = HashMap::new();
    let mut open = vec![(Inside::File, false)];
    let mut label: Option<String> = None;
    let refused = |at: usize, what, why| ReadError::Refused { at: Mark::of(text, at), what, why };
    loop {
        let (start, closed) = match xml.next()? {
            Item::End => break,
            Item::Text(_) => continue,
            Item::Close => {
                // A node ends, not something in it.
                if open.pop() == Some((Inside::Node, true))
                    && let Some(label) = label.take()
                {
                    collect.address(&label);
                }
                continue;
            }
            Item::Open(start, closed) => (start, closed),
        };
        let inside = open.last().map_or(Inside::File, |(inside, _)| *inside);
        let mut next = inside;
        match start.local_name().into_inner() {
            "graph" if inside == Inside::File => {
                if xml.attribute(&start, "defaultedgetype")?.as_deref() == Some("directed") {
                    collect.remark(Remark::Directed);
                }
                if xml.attribute(&start, "mode")?.as_deref() == Some("dynamic") {
                    collect.remark(Remark::PassedOver("times of nodes and links"));
                }
                next = Inside::Graph;
            }
            "attributes" if inside == Inside::Graph => {
                let of = xml.needs(&start, "class", "attributes with a class")?;
                next = if &*of == "edge" { Inside::OfEdges } else { Inside::OfNodes };
            }
            "attribute" if matches!(inside, Inside::OfNodes | Inside::OfEdges) => {
                let id = xml.needs(&start, "id", "an attribute with an id")?;
                let title = xml.needs(&start, "title", "an attribute with a title")?;
                let of_edges = inside == Inside::OfEdges;
                let meaning = match (of_edges, &*title) {
                    (false, "endpoints") => Meaning::Endpoints,
                    (false, "address") => Meaning::Address,
                    (true, "level") => Meaning::Level,
                    _ => Meaning::Other,
                };
                meanings.insert((of_edges, id.into_owned()), meaning);
            }
            "node" if inside == Inside::Graph => {
                let id = xml.needs(&start, "id", "a node with an id")?;
                if !collect.node(&id) {
                    return Err(twice(text, xml.at, &id));
                }
                label = xml.attribute(&start, "label")?.map(|label| label.into_owned());
                if closed && let Some(label) = label.take() {
                    collect.address(&label);
                }
                next = Inside::Node;
            }
            "node" => return Err(refused(xml.at, "a node within a node", "networks are flat")),
            "edge" if inside == Inside::Graph => {
                let expected = "an edge with a source and a target";
                let from = xml.needs(&start, "source", expected)?;
                let to = xml.needs(&start, "target", expected)?;
                let ends = collect.ends(text, xml.at, (&from, &to))?;
                let kind = xml.attribute(&start, "type")?;
                if let Some("directed" | "mutual") = kind.as_deref() {
                    collect.remark(Remark::Directed);
                }
                if xml.attribute(&start, "weight")?.is_some() {
                    collect.remark(Remark::PassedOver("weights of links"));
                }
                collect.link(ends.0, ends.1);
                next = Inside::Edge;
            }
            "attvalue" if matches!(inside, Inside::Node | Inside::Edge) => {
                let expected = "an attvalue with `for` and `value`";
                let key = match xml.attribute(&start, "for")? {
                    Some(key) => key,
                    // As the first version of the format called it.
                    None => xml.needs(&start, "id", expected)?,
                };
                let value = xml.needs(&start, "value", expected)?;
                let of_edges = inside == Inside::Edge;
                let meaning = meanings.get(&(of_edges, key.into_owned())).copied();
                match (meaning.unwrap_or(Meaning::Other), of_edges) {
                    (Meaning::Endpoints, _) => {
                        collect.endpoints(endpoints_at(text, xml.at, value.as_bytes())?);
                    }
                    (Meaning::Address, _) => label = Some(value.into_owned()),
                    (Meaning::Level, _) => {
                        collect.level(level_at(text, xml.at, value.as_bytes())?);
                    }
                    (Meaning::Other, false) => {
                        collect.remark(Remark::PassedOver("other attributes of nodes"));
                    }
                    (Meaning::Other, true) => {
                        collect.remark(Remark::PassedOver("other attributes of links"));
                    }
                }
            }
            _ => {
                let has = |name| matches!(xml.attribute(&start, name), Ok(Some(_)));
                collect.unread |= has("source") || has("target");
            }
        }
        if !closed {
            open.push((next, next != inside));
        }
    }
    collect.finish(
        "<gexf> with a <graph> of <nodes> and <edges>",
        "<edge source=\"0\" target=\"1\"/> in <edges>",
    )
}
