//! Tables as CSV: a row for each destination and node, with the port, the node that it leads to and the virtual channel.
//!
//! Nodes are numbers; where they have addresses, those of all three follow in columns of their own.

use super::{TableFormat, TablesError, check};
use crate::writing::{Writing, put};
use nestnet_graph::Node;
use nestnet_routing::Router;
use nestnet_routing::route::Entry;
use std::io::Write;

/// The row of this format.
pub(super) const FORMAT: TableFormat = TableFormat {
    name: "csv",
    title: "a row `destination,node,port,next,vc` for every host and node, and their addresses behind",
    says_vcs: true,
    says_cables: true,
    has_routes: false,
    write,
};

fn write(
    writing: &Writing<'_>,
    router: &dyn Router,
    output: &mut dyn Write,
) -> Result<(), TablesError> {
    check(writing, router, "csv")?;
    let order = writing.network.order();
    let addresses = writing.has_addresses();
    output.write_all(b"destination,node,port,next,vc")?;
    let more = ",destination_address,node_address,next_address\n";
    output.write_all(if addresses { more } else { "\n" }.as_bytes())?;
    writing.each(writing.hosts(), order, output, &|to, _, out| {
        let mut row = vec![Entry::NONE; usize::try_from(order).unwrap_or(0)];
        router.fill(Node(to), &mut row);
        for (at, entry) in (0u64..).zip(&row) {
            if let Some((port, vc)) = entry.get()
                && let Some(next) = writing.network.neighbor(Node(at), port)
            {
                put!(out, to, ",", at, ",", port.0, ",", next.0, ",", vc.0);
                if addresses {
                    for node in [Node(to), Node(at), next] {
                        put_address(writing, node, out);
                    }
                }
                put!(out, "\n");
            }
        }
    })?;
    Ok(output.flush()?)
}

/// A field with the address of a node, in quotes where it needs them.
fn put_address(writing: &Writing<'_>, node: Node, out: &mut Vec<u8>) {
    out.push(b',');
    let start = out.len();
    writing.network.put_address(node, out);
    if out[start..].iter().any(|byte| matches!(byte, b',' | b'"' | b'\n' | b'\r')) {
        let address = out.split_off(start);
        out.push(b'"');
        for byte in address {
            out.push(byte);
            if byte == b'"' {
                out.push(b'"');
            }
        }
        out.push(b'"');
    }
}
