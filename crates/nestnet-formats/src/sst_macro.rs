//! The file topology of SST/macro: every port of every switch and node, in both directions.
//!
//! Its reader numbers switches and nodes by the order of their names, so that numbers in names have zeros before them.
//! The links of a switch have its first ports, its hosts the ports behind them. `avg_num_hops`, by which SST/macro sizes
//! its buffers only, is the least that a network of this size and degree could have.

use super::ports::{Arrival, digits, padded};
use super::writing::{Writing, put};
use super::{Format, Says, WriteError};
use std::io::Write;

/// The row of this format.
pub(super) const FORMAT: Format = Format {
    name: "sst-macro",
    title: "File topology of SST/macro",
    extensions: &["sst.json"],
    says: Says { hosts: true, one_host_each: false, ..Says::LINKS },
    streams: true,
    write: Some(write),
    read: None,
    sniff: |_| false,
};

/// A name of fixed length.
pub(super) fn put_name(out: &mut Vec<u8>, letter: &str, number: u64, width: usize) {
    put!(out, letter);
    padded(out, number, width);
}

fn write(writing: &Writing<'_>, output: &mut dyn Write) -> Result<(), WriteError> {
    let (nodes, hosts) = (writing.nodes(), writing.hosts());
    let (s, n) = (digits(nodes), digits(hosts));
    let degree = u64::from(writing.network.ports()).max(2);
    let hops = nodes.checked_ilog(degree).unwrap_or(0) + 1;
    write!(output, "{{\"avg_num_hops\":{hops},\n\"switches\":{{")?;
    writing.unleveled().each_arriving(&|_| 0, output, &|at, found, out| {
        put!(out, if at == 0 { "\n\"" } else { ",\n\"" });
        put_name(out, "s", at, s);
        put!(out, "\":{\"outports\":{");
        for (port, link) in (0u64..).zip(&found.links) {
            put!(out, if port == 0 { "\"" } else { ",\"" }, port, "\":{\"destination\":\"");
            put_name(out, "s", link.to, s);
            put!(out, "\",\"inport\":", link.place, "}");
        }
        for (port, &host) in (found.links.len() as u64..).zip(&found.hosts) {
            put!(out, if port == 0 { "\"" } else { ",\"" }, port, "\":{\"destination\":\"");
            put_name(out, "n", host, n);
            put!(out, "\",\"inport\":0}");
        }
        put!(out, "}}");
    })?;
    output.write_all(b"\n},\n\"nodes\":{")?;
    writing.each_host(output, &|host, at, out| {
        put!(out, if host == 0 { "\n\"" } else { ",\n\"" });
        put_name(out, "n", host, n);
        put!(out, "\":{\"outports\":{\"0\":{\"destination\":\"");
        put_name(out, "s", at, s);
        let arrival = Arrival::of_host(writing, host, at);
        put!(out, "\",\"inport\":", arrival.links + arrival.place, "}}}");
    })?;
    output.write_all(b"\n}}\n")?;
    Ok(output.flush()?)
}
