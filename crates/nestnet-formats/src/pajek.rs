//! The network file of Pajek, which NetworkX, igraph and Gephi write too: sections that begin with an asterisk.
//!
//! `*Vertices` says how many nodes there are, counted from 1, and what they are called; `*Edges` and `*Arcs` have a link
//! a line, `*Edgeslist` and `*Arcslist` a node and its neighbors. Such files end in `.net` as those of ibsim do.

use super::lines::{Line, lines, utf8};
use super::mark::{Mark, shown};
use super::reading::{Labels, MAX_NODE, Reading, Remark, number_at};
use super::{Format, ReadError, Says};
use nestnet_graph::named::Names;

/// The row of this format.
pub(super) const FORMAT: Format = Format {
    name: "pajek",
    title: "Pajek: NetworkX, igraph, Gephi",
    extensions: &["pajek", "paj"],
    says: Says { addresses: true, ..Says::LINKS },
    streams: false,
    write: None,
    read: Some(read),
    sniff: |text| {
        let first = lines(text).take(1000).find(|line| !is_blank(*line));
        first.is_some_and(|line| {
            let is = |name: &[u8]| {
                let start = line.bytes.trim_ascii_start().get(..name.len());
                start.is_some_and(|start| start.eq_ignore_ascii_case(name))
            };
            is(b"*vertices") || is(b"*network")
        })
    },
};

/// Whether a line is empty or a comment.
fn is_blank(line: Line<'_>) -> bool {
    matches!(line.bytes.trim_ascii_start(), [] | [b'%', ..])
}

/// What the lines of a section are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    /// A node and its name.
    Nodes,
    /// The two ends of a link.
    Pairs,
    /// A node and its neighbors.
    Lists,
}

/// Reads nodes with their names, and links; directions and weights are passed over.
pub fn read(text: &[u8]) -> Result<Reading, ReadError> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let checked = utf8(text, "a Pajek file")?;
    let mut reading = Reading::default();
    let mut section = None;
    let mut names: Vec<(u32, &str)> = Vec::new();
    for line in lines(text).filter(|line| !is_blank(*line)) {
        let mut words = line.words();
        let Some(first) = words.next() else { continue };
        if first.bytes.starts_with(b"*") {
            let counted = section.is_some();
            let name = first.bytes.to_ascii_lowercase();
            section = match &name[..] {
                b"*network" if !counted => continue,
                b"*vertices" if !counted => {
                    let end = line.end();
                    let missing = || ReadError::expected(text, end, 0, "a number of nodes");
                    let count = words.next().ok_or_else(missing)?;
                    reading.nodes =
                        number_at(text, count.at, count.bytes, "a number of nodes", MAX_NODE)?;
                    if let Some(second) = words.next() {
                        let at = Mark::of(text, second.at);
                        let why = "its nodes are of two kinds";
                        return Err(ReadError::Refused { at, what: "a network of two modes", why });
                    }
                    Some(Section::Nodes)
                }
                b"*edges" if counted => Some(Section::Pairs),
                b"*edgeslist" if counted => Some(Section::Lists),
                b"*arcs" | b"*arcslist" if counted => {
                    reading.remark(Remark::Directed);
                    let pairs = &name[..] == b"*arcs";
                    Some(if pairs { Section::Pairs } else { Section::Lists })
                }
                b"*matrix" if counted => {
                    let (at, why) = (Mark::of(text, first.at), "links are, as `*Edges` has them");
                    return Err(ReadError::Refused { at, what: "a matrix", why });
                }
                _ => {
                    let expected = match counted {
                        true => "`*Edges`, `*Arcs`, `*Edgeslist` or `*Arcslist`",
                        false => "`*Vertices` and a number",
                    };
                    let length = first.bytes.len();
                    return Err(ReadError::expected(text, first.at, length, expected));
                }
            };
            continue;
        }
        let node = |at: usize, bytes: &[u8]| {
            let number = number_at(text, at, bytes, "a node", reading.nodes)?;
            let id = number.checked_sub(1).and_then(|id| u32::try_from(id).ok());
            id.ok_or_else(|| ReadError::expected(text, at, bytes.len(), "a node from 1 on"))
        };
        match section {
            None => {
                let expected = "`*Vertices` and a number";
                return Err(ReadError::expected(text, first.at, first.bytes.len(), expected));
            }
            Some(Section::Nodes) => {
                let id = node(first.at, first.bytes)?;
                let rest = &checked[first.at + first.bytes.len()..line.end()];
                if let Some(name) = label(rest) {
                    names.push((id, name));
                }
            }
            Some(section) => {
                let from = node(first.at, first.bytes)?;
                let missing = || ReadError::expected(text, line.end(), 0, "a second node");
                let mut to = Some(words.next().ok_or_else(missing)?);
                let mut weights = false;
                while let Some(word) = to {
                    let other = node(word.at, word.bytes)?;
                    if other == from {
                        let at = Mark::of(text, word.at);
                        return Err(ReadError::Loop { at, node: shown(word.bytes) });
                    }
                    reading.links.push((from, other));
                    to = words.next();
                    if section == Section::Pairs {
                        weights = to.take().is_some();
                    }
                }
                if weights {
                    reading.remark(Remark::PassedOver("weights of links"));
                }
            }
        }
    }
    if reading.nodes == 0 {
        let expected = "`*Vertices` and a number, then `*Edges`";
        return Err(ReadError::Empty { expected });
    }
    reading.labels = labels(reading.nodes, names);
    Ok(reading)
}

/// The name of a node: in quotes, or a word.
fn label(rest: &str) -> Option<&str> {
    let rest = rest.trim_start();
    let name = match rest.strip_prefix('"') {
        Some(open) => open.split('"').next(),
        None => rest.split([' ', '\t', '\r']).next(),
    };
    name.filter(|name| !name.is_empty() && !name.chars().any(char::is_control))
}

/// Names of all nodes, where each has one of its own; else their numbers from 1.
fn labels(nodes: u64, mut given: Vec<(u32, &str)>) -> Labels {
    given.sort_by_key(|&(id, _)| id);
    let mut names = Names::default();
    let whole = given.len() as u64 == nodes
        && (0..).zip(&given).all(|(number, &(id, _))| number == id)
        && (0..).zip(&given).all(|(number, &(_, name))| names.id(name) == Some(number));
    if whole { Labels::Names(names) } else { Labels::FromOne }
}
