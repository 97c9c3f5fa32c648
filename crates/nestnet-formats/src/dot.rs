//! DOT, the language of Graphviz: clusters within clusters by the levels of the network.
//!
//! Graphviz takes attributes with or without commas between them; the reader of Boost, which graph-tool has, wants them,
//! so that they are written. A list of attributes that would be empty is omitted.

use super::clusters::Clusters;
use super::costs::{Bandwidth, Latency};
use super::writing::{Found, Writing, put};
use super::{Format, Says, WriteError};
use std::io::Write;

/// The row of this format.
pub(super) const FORMAT: Format = Format {
    name: "dot",
    title: "DOT: Graphviz, graph-tool, with a box around every cluster",
    extensions: &["dot", "gv"],
    says: Says {
        hosts: true,
        levels: true,
        latency: true,
        bandwidth: true,
        addresses: true,
        ..Says::LINKS
    },
    streams: false,
    write: Some(write),
    read: None,
    sniff: is_dot,
};

/// What to do with a file of DOT.
pub(super) const INSTEAD: &str =
    "`gv2gml FILE > FILE.gml` of Graphviz makes GML of it, which is read";

/// Whether a text begins as DOT does, behind comments: `strict graph "name" {`.
fn is_dot(text: &[u8]) -> bool {
    let text = &text[..text.len().min(1 << 16)];
    let (mut first, mut rest) = word(behind_comments(text));
    if first.eq_ignore_ascii_case(b"strict") {
        (first, rest) = word(behind_comments(rest));
    }
    if !first.eq_ignore_ascii_case(b"graph") && !first.eq_ignore_ascii_case(b"digraph") {
        return false;
    }
    behind_comments(behind_name(behind_comments(rest))).starts_with(b"{")
}

/// What follows white space and comments.
fn behind_comments(mut text: &[u8]) -> &[u8] {
    loop {
        text = text.trim_ascii_start();
        let end = match text {
            [b'/', b'/', ..] | [b'#', ..] => text.iter().position(|&byte| byte == b'\n'),
            [b'/', b'*', ..] => text.windows(2).position(|two| two == b"*/").map(|at| at + 2),
            _ => return text,
        };
        text = &text[end.unwrap_or(text.len())..];
    }
}

/// The letters and digits with which a text begins, which may be a number, and what follows.
fn word(text: &[u8]) -> (&[u8], &[u8]) {
    let belongs =
        |byte: &u8| byte.is_ascii_alphanumeric() || *byte >= 0x80 || b"_.-".contains(byte);
    text.split_at(text.iter().position(|byte| !belongs(byte)).unwrap_or(text.len()))
}

/// What follows the name of a graph, if there is one: a word, a string, or HTML in brackets.
fn behind_name(text: &[u8]) -> &[u8] {
    match text {
        [b'"', inside @ ..] => {
            let mut escaped = false;
            let end = inside.iter().position(|&byte| {
                let ends = byte == b'"' && !escaped;
                escaped = byte == b'\\' && !escaped;
                ends
            });
            end.map_or(&[], |end| &inside[end + 1..])
        }
        [b'<', ..] => {
            let mut depth = 0u32;
            let end = text.iter().position(|&byte| {
                match byte {
                    b'<' => depth += 1,
                    b'>' => depth -= 1,
                    _ => (),
                }
                depth == 0
            });
            end.map_or(&[], |end| &text[end + 1..])
        }
        _ => word(text).1,
    }
}

fn write(writing: &Writing<'_>, output: &mut dyn Write) -> Result<(), WriteError> {
    let clusters = Clusters::of(writing)?;
    let nodes = writing.nodes();
    writing.budget.fits("the order of the nodes", 8 * u128::from(nodes))?;
    // Nodes of a cluster one after the other.
    let mut order: Vec<u64> = (0..nodes).collect();
    let index = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
    let path = |at: u64| clusters.levels.iter().rev().map(move |numbers| numbers[index(at)]);
    order.sort_by(|&a, &b| path(a).cmp(path(b)).then(a.cmp(&b)));
    let mut out = Vec::new();
    let mut title = Vec::new();
    put!(&mut title, writing.title);
    quote(&mut title, 0);
    put!(&mut out, "graph \"");
    out.extend_from_slice(&title);
    put!(&mut out, "\" {\n  node [shape=circle];\n");
    let addresses = writing.has_addresses();
    let mut open: Vec<u32> = Vec::new();
    let mut found = Found::default();
    for (round, &at) in (0u64..).zip(&order) {
        writing.budget.watch.check_each(round)?;
        let same = open.iter().copied().zip(path(at)).take_while(|(a, b)| a == b).count();
        while open.len() > same {
            open.pop();
            indent(&mut out, open.len());
            put!(&mut out, "}\n");
        }
        for number in path(at).skip(same) {
            indent(&mut out, open.len());
            open.push(number);
            put!(&mut out, "subgraph \"cluster");
            open.iter().for_each(|&number| put!(&mut out, "_", number));
            put!(&mut out, "\" {\n");
        }
        indent(&mut out, open.len());
        put!(&mut out, at);
        let mut sign = " [";
        if addresses {
            put!(&mut out, sign, "label=\"");
            let start = out.len();
            writing.put_address(at, &mut out);
            quote(&mut out, start);
            put!(&mut out, "\"");
            sign = ", ";
        }
        writing.unleveled().find(at, &mut found);
        let is_switch = found.hosts.is_empty() || writing.has_host_links();
        if is_switch {
            put!(&mut out, sign, "shape=box");
        }
        put!(&mut out, if addresses || is_switch { "];\n" } else { ";\n" });
        for &host in found.hosts.iter().filter(|_| writing.has_host_links()) {
            indent(&mut out, open.len());
            put!(&mut out, "h", host, " [shape=point];\n");
        }
        if out.len() > 1 << 16 {
            output.write_all(&out)?;
            out.clear();
        }
    }
    while open.pop().is_some() {
        indent(&mut out, open.len());
        put!(&mut out, "}\n");
    }
    output.write_all(&out)?;
    let end = |level: u16, latency: Option<Latency>, bandwidth: Option<Bandwidth>| {
        let mut end = format!(" [level={level}");
        if let Some(latency) = latency {
            end += &format!(", latency=\"{latency}\"");
        }
        if let Some(bandwidth) = bandwidth {
            end += &format!(", bandwidth=\"{bandwidth}\"");
        }
        end + "];\n"
    };
    let of_hosts = end(0, writing.host_latency(), writing.host_bandwidth());
    let ends =
        writing.by_level(|level| end(level, writing.latency(level), writing.bandwidth(level)));
    writing.each_node(output, |at, found, out| {
        for &host in found.hosts.iter().filter(|_| writing.has_host_links()) {
            put!(out, "  ", at, " -- h", host, &of_hosts);
        }
        for link in found.links.iter().filter(|link| link.to > at) {
            put!(out, "  ", at, " -- ", link.to, &ends[usize::from(link.level)]);
        }
    })?;
    output.write_all(b"}\n")?;
    Ok(output.flush()?)
}

fn indent(out: &mut Vec<u8>, depth: usize) {
    (0..=depth).for_each(|_| put!(out, "  "));
}

/// Makes what was written since `start` fit within quotes.
fn quote(out: &mut Vec<u8>, start: usize) {
    if out[start..].iter().any(|byte| matches!(byte, b'"' | b'\\') || *byte < 0x20 || *byte > 0x7e)
    {
        let text = String::from_utf8_lossy(&out[start..]).into_owned();
        out.truncate(start);
        for c in text.chars().map(nestnet_graph::sanitize::visible) {
            if matches!(c, '"' | '\\') {
                out.push(b'\\');
            }
            put!(out, c.encode_utf8(&mut [0; 4]) as &str);
        }
    }
}
