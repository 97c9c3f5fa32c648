//! Tables as CSV: a row for each destination and node, with the port, the node that it leads to and the virtual channel.

use super::{TableFormat, TablesError, check};
use crate::writing::{Writing, put};
use nestnet_graph::Node;
use nestnet_routing::Router;
use nestnet_routing::route::Entry;
use std::io::Write;

/// The row of this format.
pub(super) const FORMAT: TableFormat = TableFormat {
    name: "csv",
    title: "a row `destination,node,port,next,vc` for every host and node",
    says_vcs: true,
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
    output.write_all(b"destination,node,port,next,vc\n")?;
    writing.each(writing.hosts(), order, output, |to, _, out| {
        let mut row = vec![Entry::NONE; usize::try_from(order).unwrap_or(0)];
        router.fill(Node(to), &mut row);
        for (at, entry) in (0u64..).zip(&row) {
            if let Some((port, vc)) = entry.get()
                && let Some(next) = writing.network.neighbor(Node(at), port)
            {
                put!(out, to, ",", at, ",", port.0, ",", next.0, ",", vc.0, "\n");
            }
        }
    })?;
    Ok(output.flush()?)
}
