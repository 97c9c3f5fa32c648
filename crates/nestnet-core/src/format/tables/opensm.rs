//! Forwarding tables as OpenSM loads them: `opensm -R file -U FILE`, for the fabric that the format `ibsim` writes.
//!
//! Ports are those of that file, and so are GUIDs, as ibsim gives them: switches from 0x200000 on, adapters from 0x100000
//! on, two for each. Local identifiers are those of the file alone: OpenSM finds its own by the GUID of the port.
//!
//! Its file engine loads ports only. Virtual channels are said in two files beside it, as `ibdmchk` reads them: the
//! service level of every pair, and for every switch the lane of each level from port to port.

use super::{TableFormat, TablesError, check, hop};
use crate::Router;
use crate::format::WriteError;
use crate::format::infiniband::{Subnet, SubnetError};
use crate::format::writing::{Writing, put};
use std::io::Write;

/// The row of this format.
pub(super) const FORMAT: TableFormat = TableFormat {
    name: "opensm",
    title: "forwarding tables of OpenSM (-R file -U FILE), for the fabric of `export --format ibsim`",
    says_vcs: false,
    has_routes: false,
    write,
};

/// The row of the service levels.
pub(super) const LEVELS: TableFormat = TableFormat {
    name: "opensm-sl",
    title: "service levels of all pairs (ibdmchk -c FILE), for the fabric of `export --format ibsim`",
    says_vcs: true,
    has_routes: true,
    write: |writing, router, output| Ok(subnet(writing, router)?.write_levels(output)?),
};

/// The row of the virtual lanes.
pub(super) const LANES: TableFormat = TableFormat {
    name: "opensm-sl2vl",
    title: "the lane of each level from port to port (ibdmchk -d FILE), with `opensm-sl`",
    says_vcs: true,
    has_routes: true,
    write: |writing, router, output| Ok(subnet(writing, router)?.write_lanes(output)?),
};

fn subnet<'a>(writing: &Writing<'a>, router: &dyn Router) -> Result<Subnet<'a>, TablesError> {
    Subnet::new(writing.network, router, &writing.budget).map_err(|error| match error {
        SubnetError::Interrupted(stopped) => WriteError::from(stopped).into(),
        error => error.into(),
    })
}

/// Local identifiers of one subnet.
const MAX_IDS: u64 = 0xbfff;

fn write(
    writing: &Writing<'_>,
    router: &dyn Router,
    output: &mut dyn Write,
) -> Result<(), TablesError> {
    check(writing, router, "opensm")?;
    let (hosts, nodes) = (writing.hosts(), writing.nodes());
    if hosts + nodes > MAX_IDS {
        let (count, most) = (hosts + nodes, MAX_IDS);
        return Err(WriteError::TooMany {
            format: "opensm",
            what: "hosts and switches",
            count,
            most,
        }
        .into());
    }
    writing.each(nodes, hosts, output, |at, found, out| {
        writing.find(at, found);
        let _ = writeln!(
            out,
            "Unicast lids [0x1-0x{hosts:x}] of switch Lid {} guid 0x{:016x} (S{at}):",
            hosts + at + 1,
            0x20_0000 + at
        );
        for host in 0..hosts {
            let port = match found.hosts.binary_search(&host) {
                Ok(place) => place as u64 + 1,
                Err(_) => {
                    let Some(hop) = hop(writing, router, at, host) else { continue };
                    let place = found.links.iter().position(|link| link.port == hop.port);
                    let Some(place) = place else { continue };
                    (found.hosts.len() + place) as u64 + 1
                }
            };
            let guid = 0x10_0000 + 2 * host + 1;
            let _ = writeln!(
                out,
                "0x{:04x} {port:03} : (Channel Adapter portguid 0x{guid:016x}: 'H{host}')",
                host + 1
            );
        }
        put!(out, "\n");
    })?;
    Ok(output.flush()?)
}
