//! A SimGrid platform whose routes are given, one for every ordered pair of hosts, link by link.

use super::{TableFormat, TablesError, most_hops};
use crate::simgrid::{head, put_hop, write_parts};
use crate::writing::{Digits, Writing, put};
use nestnet_graph::Node;
use nestnet_routing::Router;
use nestnet_routing::route::{WalkError, walk};
use std::io::Write;
use std::sync::Mutex;

/// The row of this format.
pub(super) const FORMAT: TableFormat = TableFormat {
    name: "simgrid",
    title: "SimGrid platform with a route for every pair of hosts",
    says_vcs: false,
    says_cables: false,
    has_routes: true,
    write,
};

fn write(
    writing: &Writing<'_>,
    router: &dyn Router,
    output: &mut dyn Write,
) -> Result<(), TablesError> {
    let writing = writing.plain();
    let (hosts, most) = (writing.hosts(), most_hops(&writing, router));
    output.write_all(head(&writing, "Full").as_bytes())?;
    write_parts(&writing, output)?;
    // The first fault, of whatever source.
    let fault: Mutex<Option<TablesError>> = Mutex::new(None);
    let far = writing.network.order().ilog2().max(1);
    writing.each(hosts, hosts.saturating_mul(far.into()), output, &|from, _, out| {
        for to in (0..hosts).filter(|&to| to != from) {
            match walk(writing.network, router, Node(from), Node(to), 0, most) {
                Ok(route) => {
                    put!(out, "  <route src=\"h", from, "\" dst=\"h", to, "\" symmetrical=\"NO\">");
                    for hop in route.nodes.windows(2) {
                        let ends = [hop[0].0, hop[1].0];
                        put_hop(out, ends, ends.map(Digits::of));
                    }
                    put!(out, "</route>\n");
                }
                // A pair without a path has no route.
                Err(WalkError::Ends { at }) if at == Node(from) => (),
                Err(error) => {
                    let (from, to) = (Node(from), Node(to));
                    let mut first = fault.lock().unwrap_or_else(|held| held.into_inner());
                    first.get_or_insert(TablesError::Walk { from, to, error });
                }
            }
        }
    })?;
    if let Some(fault) = fault.into_inner().unwrap_or_else(|held| held.into_inner()) {
        return Err(fault);
    }
    output.write_all(b" </zone>\n</platform>\n")?;
    Ok(output.flush()?)
}
