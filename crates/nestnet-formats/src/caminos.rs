//! The `File` topology of CAMINOS: how many routers, their largest degree, and the neighbors of each.
//!
//! How many servers a router has is written in the configuration (`servers_per_router`), not in this file.

use super::writing::{Writing, put};
use super::{Format, Says, WriteError};
use std::io::Write;

/// The row of this format.
pub(super) const FORMAT: Format = Format {
    name: "caminos",
    title: "File topology of CAMINOS",
    extensions: &["caminos"],
    says: Says { width: false, ..Says::LINKS },
    streams: true,
    write: Some(write),
    read: None,
    sniff: |_| false,
};

fn write(writing: &Writing<'_>, output: &mut dyn Write) -> Result<(), WriteError> {
    let writing = writing.simple();
    let degree = writing.over_nodes(&|at| writing.degree(at), &u64::max)?;
    write!(output, "NODOS {}\nGRADO {degree}\n", writing.nodes())?;
    writing.unleveled().each_node(output, &|at, found, out| {
        put!(out, "N ", at, "\n");
        for (i, link) in found.links.iter().enumerate() {
            put!(out, if i > 0 { " " } else { "" }, link.to);
        }
        put!(out, "\n");
    })?;
    Ok(output.flush()?)
}
