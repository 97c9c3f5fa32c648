//! A network as DOT: nodes in their clusters, then links.

use crate::WriteError;
use crate::clusters::Clusters;
use crate::collect::{LINKED, NODES};
use crate::costs::{Bandwidth, Latency};
use crate::writing::{Found, Writing, put};
use nestnet_graph::Node;
use std::io::Write;

pub(super) fn write(writing: &Writing<'_>, output: &mut dyn Write) -> Result<(), WriteError> {
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
    let hosts = if writing.has_host_links() { LINKED } else { NODES };
    put!(&mut out, "\" {\n  graph [hosts=", hosts, "];\n  node [shape=circle];\n");
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
            put!(&mut out, "h", host, " [shape=point");
            if addresses {
                put!(&mut out, ", label=\"");
                let start = out.len();
                writing.network.put_address(Node(host), &mut out);
                quote(&mut out, start);
                put!(&mut out, "\"");
            }
            put!(&mut out, "];\n");
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
    writing.each_node(output, &|at, found, out| {
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
