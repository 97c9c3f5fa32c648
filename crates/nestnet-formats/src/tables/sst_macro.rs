//! The routing table of SST/macro (`router { name = table }`), for the topology that the format `sst-macro` writes.

use super::{TableFormat, TablesError, check, hop};
use crate::ports::digits;
use crate::sst_macro::put_name;
use crate::writing::{Writing, put};
use nestnet_routing::Router;
use std::io::Write;

/// The row of this format.
pub(super) const FORMAT: TableFormat = TableFormat {
    name: "sst-macro",
    title: "routing table of SST/macro, for the topology of the format sst-macro",
    says_vcs: false,
    says_cables: true,
    has_routes: false,
    write,
};

fn write(
    writing: &Writing<'_>,
    router: &dyn Router,
    output: &mut dyn Write,
) -> Result<(), TablesError> {
    check(writing, router, "sst-macro")?;
    let (nodes, hosts) = (writing.nodes(), writing.hosts());
    let (s, n) = (digits(nodes), digits(hosts));
    output.write_all(b"{\"switches\":{")?;
    writing.each(nodes, hosts, output, &|at, found, out| {
        writing.find(at, found);
        put!(out, if at == 0 { "\n\"" } else { ",\n\"" });
        put_name(out, "s", at, s);
        put!(out, "\":{\"routes\":{");
        let mut is_first = true;
        for host in 0..hosts {
            // Links have the first ports, hosts those behind them.
            let port = match found.hosts.binary_search(&host) {
                Ok(place) => Some(found.links.len() + place),
                Err(_) => hop(writing, router, at, host)
                    .and_then(|hop| found.links.iter().position(|link| link.port == hop.port)),
            };
            if let Some(port) = port {
                put!(out, if is_first { "\"" } else { ",\"" });
                is_first = false;
                put_name(out, "n", host, n);
                put!(out, "\":", port as u64);
            }
        }
        put!(out, "}}");
    })?;
    output.write_all(b"\n}}\n")?;
    Ok(output.flush()?)
}
