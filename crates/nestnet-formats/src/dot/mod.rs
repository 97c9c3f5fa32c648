//! DOT, the language of Graphviz: clusters within clusters by the levels of the network.
//!
//! Graphviz takes attributes with or without commas between them; the reader of Boost, which graph-tool has, wants them,
//! so that they are written. A list of attributes that would be empty is omitted. The attribute `hosts` of the graph says
//! which nodes are hosts, for our own reader: `nodes`, all but boxes, or `linked`, the points.

mod read;
mod write;

use super::{Format, Says};

/// The row of this format.
pub(super) const FORMAT: Format = Format {
    name: "dot",
    title: "DOT: Graphviz, graph-tool, NetworkX, with a box around every cluster",
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
    write: Some(write::write),
    read: Some(read::read),
    sniff: is_dot,
};

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
