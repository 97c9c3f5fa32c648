//! GML: keys and values in brackets, as NetworkX, igraph and Gephi read it.
//!
//! The `label` of a node is its address; where it has none, its `name`, as igraph writes it. `endpoints`, `level` and the
//! `hosts` of the graph are as in GraphML.

use super::clusters::Clusters;
use super::collect::{Collect, LINKED, NODES, endpoints_at, hosts_are, level_at, no_node, twice};
use super::lines::utf8;
use super::mark::{Mark, shown};
use super::reading::{Reading, Remark};
use super::writing::{Writing, put};
use super::{Format, ReadError, Says, WriteError};
use std::borrow::Cow;
use std::io::Write;

/// The row of this format.
pub(super) const FORMAT: Format = Format {
    name: "gml",
    title: "GML: NetworkX, igraph, Gephi",
    extensions: &["gml"],
    says: Says::ATTRIBUTES,
    streams: true,
    write: Some(write),
    read: Some(read),
    sniff: |text| {
        let start = text.trim_ascii_start();
        start.starts_with(b"Creator")
            || start
                .strip_prefix(b"graph")
                .is_some_and(|rest| rest.trim_ascii_start().starts_with(b"["))
    },
};

fn write(writing: &Writing<'_>, output: &mut dyn Write) -> Result<(), WriteError> {
    let clusters = Clusters::of(writing)?;
    let of_hosts = writing.has_own_host_names()?;
    let hosts = if writing.has_host_links() { LINKED } else { NODES };
    let mut name = Vec::new();
    put!(&mut name, writing.title);
    escape(&mut name, 0);
    let name = String::from_utf8_lossy(&name).into_owned();
    write!(
        output,
        "Creator \"nestnet\"\ngraph [\n  directed 0\n  name \"{name}\"\n  hosts \"{hosts}\"\n"
    )?;
    writing.each(writing.nodes(), 1, output, &|at, found, out| {
        put!(out, "  node [ id ", at, " label \"");
        let start = out.len();
        writing.put_address(at, out);
        escape(out, start);
        put!(out, "\" endpoints ", writing.hosts_at(at));
        if of_hosts && writing.hosts_at(at) > 0 {
            writing.unleveled().find(at, found);
            put!(out, " host_addresses \"");
            let start = out.len();
            writing.put_host_addresses(found, out);
            escape(out, start);
            put!(out, "\"");
        }
        if !clusters.is_empty() {
            put!(out, " cluster \"");
            clusters.path(at, out);
            put!(out, "\"");
        }
        put!(out, " ]\n");
    })?;
    let ends = writing.by_level(|level| {
        let mut end = format!(" level {level}");
        if let Some(latency) = writing.latency(level) {
            end += &format!(" latency {}", real(latency.nanoseconds()));
        }
        if let Some(bandwidth) = writing.bandwidth(level) {
            end += &format!(" bandwidth {}", real(bandwidth.gigabits()));
        }
        end + " ]\n"
    });
    writing.each_node(output, &|at, found, out| {
        for link in found.links.iter().filter(|link| link.to > at) {
            let end = &ends[usize::from(link.level)];
            put!(out, "  edge [ source ", at, " target ", link.to, end);
        }
    })?;
    output.write_all(b"]\n")?;
    Ok(output.flush()?)
}

/// A real number, which has a point.
fn real(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value}.0") } else { value.to_string() }
}

/// Writes what no string of GML may hold as numbers of characters.
fn escape(out: &mut Vec<u8>, start: usize) {
    let plain = |byte: &u8| matches!(byte, 0x20..=0x7e) && !matches!(byte, b'"' | b'&');
    if out[start..].iter().all(plain) {
        return;
    }
    let text = String::from_utf8_lossy(&out[start..]).into_owned();
    out.truncate(start);
    for c in text.chars().map(nestnet_graph::sanitize::visible) {
        match c {
            ' '..='~' if c != '"' && c != '&' => put!(out, c.encode_utf8(&mut [0; 4]) as &str),
            _ => put!(out, "&#", u64::from(u32::from(c)), ";"),
        }
    }
}

/// A piece of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token<'a> {
    Open,
    Close,
    Word(&'a str),
    Text(&'a str),
}

struct Tokens<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Tokens<'a> {
    /// The next piece and where it begins.
    fn next(&mut self) -> Result<Option<(usize, Token<'a>)>, ReadError> {
        let bytes = self.text.as_bytes();
        loop {
            while bytes.get(self.at).is_some_and(|byte| byte.is_ascii_whitespace()) {
                self.at += 1;
            }
            // A comment goes to the end of the line.
            if bytes.get(self.at) != Some(&b'#') {
                break;
            }
            let length = bytes[self.at..].iter().position(|&byte| byte == b'\n');
            self.at = length.map_or(bytes.len(), |length| self.at + length);
        }
        let at = self.at;
        let Some(first) = bytes.get(at) else { return Ok(None) };
        let token = match first {
            b'[' => Token::Open,
            b']' => Token::Close,
            b'"' => {
                let length = bytes[at + 1..].iter().position(|&byte| byte == b'"');
                let Some(length) = length else {
                    let end = Mark::of(bytes, bytes.len());
                    return Err(ReadError::Ends { at: end, expected: "the end of a string" });
                };
                self.at = at + length + 2;
                return Ok(Some((at, Token::Text(&self.text[at + 1..at + 1 + length]))));
            }
            _ => {
                let ends =
                    |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'[' | b']' | b'"');
                let length = bytes[at..].iter().position(ends).unwrap_or(bytes.len() - at);
                self.at = at + length;
                return Ok(Some((at, Token::Word(&self.text[at..at + length]))));
            }
        };
        self.at += 1;
        Ok(Some((at, token)))
    }
}

/// What is said of a node or a link until its bracket closes.
#[derive(Default)]
struct Attributes<'a> {
    id: Option<(usize, &'a str)>,
    label: Option<&'a str>,
    name: Option<&'a str>,
    host_addresses: Option<&'a str>,
    endpoints: Option<(usize, &'a str)>,
    source: Option<(usize, &'a str)>,
    target: Option<(usize, &'a str)>,
    level: Option<(usize, &'a str)>,
    latency: Option<&'a str>,
}

/// Limit: lists within each other in a GML file: deeper than any file of use.
const MAX_DEPTH: usize = 64;

/// Reads nodes, links, `label` or `name`, `endpoints`, `host_addresses`, `level` and `latency`; other keys are passed over.
pub fn read(text: &[u8]) -> Result<Reading, ReadError> {
    let text = utf8(text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text), "GML")?;
    let bytes = text.as_bytes();
    let mut tokens = Tokens { text, at: 0 };
    let mut collect = Collect::new();
    // The keys whose brackets are open.
    let mut open: Vec<&str> = Vec::new();
    let mut said = Attributes::default();
    while let Some((at, token)) = tokens.next()? {
        let key = match token {
            Token::Word(key) => key,
            Token::Close => {
                match &open[..] {
                    [] => return Err(ReadError::expected(bytes, at, 1, "a key")),
                    ["graph", "node"] => node(&mut collect, bytes, at, &said)?,
                    ["graph", "edge"] => edge(&mut collect, bytes, at, &said)?,
                    _ => (),
                }
                open.pop();
                continue;
            }
            Token::Open | Token::Text(_) => {
                return Err(ReadError::expected(bytes, at, 10, "a key"));
            }
        };
        let value = tokens.next()?;
        let (at, value) =
            value.ok_or_else(|| ReadError::expected(bytes, bytes.len(), 0, "a value"))?;
        match value {
            Token::Close => return Err(ReadError::expected(bytes, at, 1, "a value")),
            Token::Open => {
                if open.len() >= MAX_DEPTH {
                    return Err(ReadError::TooDeep { at: Mark::of(bytes, at), most: MAX_DEPTH });
                }
                open.push(key);
                if open.len() == 2 {
                    said = Attributes::default();
                }
            }
            Token::Word(word) | Token::Text(word) => {
                let word_at = at + usize::from(matches!(value, Token::Text(_)));
                let value = Some((word_at, word));
                match (&open[..], key) {
                    (["graph"], "hosts") => collect.hosts_are = hosts_are(word),
                    (["graph"], "directed") if word == "1" => collect.remark(Remark::Directed),
                    (["graph", "node"], "id") => said.id = value,
                    (["graph", "node"], "label") => said.label = Some(word),
                    (["graph", "node"], "name") => said.name = Some(word),
                    (["graph", "node"], "endpoints") => said.endpoints = value,
                    (["graph", "edge"], "source") => said.source = value,
                    (["graph", "edge"], "target") => said.target = value,
                    (["graph", "edge"], "level") => said.level = value,
                    (["graph", "edge"], "latency") => said.latency = Some(word),
                    (["graph", "node"], "host_addresses") => said.host_addresses = Some(word),
                    (["graph", "node"], "cluster") => (),
                    (["graph", "node"], _) => {
                        collect.remark(Remark::PassedOver("other attributes of nodes"));
                    }
                    (["graph", "edge"], _) => {
                        collect.remark(Remark::PassedOver("other attributes of links"));
                    }
                    // The graph itself may say where it is from.
                    ([] | ["graph"], _) => (),
                    (_, "source" | "target") => collect.unread = true,
                    _ => (),
                }
            }
        }
    }
    if !open.is_empty() {
        return Err(ReadError::expected(bytes, bytes.len(), 0, "`]`"));
    }
    collect.finish("graph [ node [ id 0 ] … ]", "edge [ source 0 target 1 ] in graph [ … ]")
}

fn node(
    collect: &mut Collect,
    text: &[u8],
    at: usize,
    said: &Attributes<'_>,
) -> Result<(), ReadError> {
    let missing = || ReadError::expected(text, at, 1, "the id of the node");
    let (id_at, id) = said.id.ok_or_else(missing)?;
    if !collect.node(id) {
        return Err(twice(text, id_at, id));
    }
    if let Some(address) = said.label.or(said.name) {
        collect.address(&unescaped(address));
    }
    if said.label.and(said.name).is_some() {
        collect.remark(Remark::PassedOver("other attributes of nodes"));
    }
    if let Some((at, count)) = said.endpoints {
        collect.endpoints(endpoints_at(text, at, count.as_bytes())?);
    }
    if let Some(list) = said.host_addresses
        && !collect.host_addresses(&unescaped(list))
    {
        collect.remark(Remark::PassedOver("other attributes of nodes"));
    }
    Ok(())
}

fn edge(
    collect: &mut Collect,
    text: &[u8],
    at: usize,
    said: &Attributes<'_>,
) -> Result<(), ReadError> {
    let end = |value: Option<(usize, &str)>| {
        let missing = || ReadError::expected(text, at, 1, "a source and a target");
        let (at, id) = value.ok_or_else(missing)?;
        let found = collect.find(id.as_bytes());
        found.map(|node| (at, node)).ok_or_else(|| no_node(text, at, id.as_bytes()))
    };
    let ((_, from), (to_at, to)) = (end(said.source)?, end(said.target)?);
    if from == to {
        let node = shown(said.target.map_or("", |(_, id)| id).as_bytes());
        return Err(ReadError::Loop { at: Mark::of(text, to_at), node });
    }
    collect.link(from, to);
    if let Some((at, level)) = said.level {
        collect.level(level_at(text, at, level.as_bytes())?);
    }
    if let Some(latency) = said.latency {
        collect.latency(latency);
    }
    Ok(())
}

/// A string without the marks that mean characters; what is no mark stays.
fn unescaped(text: &str) -> Cow<'_, str> {
    match quick_xml::escape::unescape(text) {
        Ok(plain) => plain,
        Err(_) => Cow::Borrowed(text),
    }
}
