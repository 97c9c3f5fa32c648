//! Forwarding tables as OpenSM loads them: `opensm -R file -U FILE`, for the fabric that the format `ibsim` writes, or for
//! that of the network's own file, where `ibnetdiscover` printed it.
//!
//! GUIDs, local identifiers and ports of such a file are kept. Elsewhere ports are those of that file, and so are GUIDs, as ibsim gives them: switches from 0x200000 on, adapters from 0x100000
//! on, two for each. Local identifiers count hosts first, then switches. OpenSM gives others unless it finds ours in the
//! file `guid2lid` of its cache: forwarding tables it loads by the GUIDs of ports, but lanes go by identifiers.
//!
//! Its file engine loads ports only. Virtual channels are said in two files beside it, as `ibdmchk` reads them: the
//! service level of every pair, and for every switch the lane of each level from port to port.

use super::{TableFormat, TablesError, check, hop};
use crate::WriteError;
use crate::infiniband::{MAX_IDS, Naming, Subnet, SubnetError};
use crate::writing::{Found, Writing, put};
use nestnet_routing::Router;
use std::io::Write;

/// The row of this format.
pub(super) const FORMAT: TableFormat = TableFormat {
    name: "opensm",
    title: "forwarding tables of OpenSM (-R file -U FILE), for the fabric of the format ibsim",
    says_vcs: false,
    says_cables: true,
    has_routes: false,
    write,
};

/// The row of the service levels.
pub(super) const LEVELS: TableFormat = TableFormat {
    name: "opensm-sl",
    title: "service levels of all pairs (ibdmchk -c FILE), for the fabric of the format ibsim",
    says_vcs: true,
    says_cables: true,
    has_routes: true,
    write: |writing, router, output| Ok(subnet(writing, router)?.write_levels(output)?),
};

/// The row of the virtual lanes.
pub(super) const LANES: TableFormat = TableFormat {
    name: "opensm-sl2vl",
    title: "the lane of each level from port to port (ibdmchk -d FILE), with `opensm-sl`",
    says_vcs: true,
    says_cables: true,
    has_routes: true,
    write: |writing, router, output| Ok(subnet(writing, router)?.write_lanes(output)?),
};

/// The row of the local identifiers.
pub(super) const IDENTIFIERS: TableFormat = TableFormat {
    name: "opensm-guid2lid",
    title: "local identifiers of all ports, for the cache of OpenSM (guid2lid in OSM_CACHE_DIR), as all tables for it have them",
    says_vcs: true,
    says_cables: true,
    has_routes: true,
    write: |writing, _, output| write_identifiers(writing, output),
};

/// OpenSM reads a GUID, the first and the last identifier of its port, and an empty line behind each.
fn write_identifiers(writing: &Writing<'_>, output: &mut dyn Write) -> Result<(), TablesError> {
    check_identifiers(writing)?;
    let (hosts, nodes) = (writing.hosts(), writing.nodes());
    let naming = Naming::of(writing);
    let of_hosts = (0..hosts).map(|host| (naming.host_port_guid(host), naming.host_id(host)));
    let of_switches = (0..nodes).map(|at| (naming.switch_guid(at), naming.switch_id(at)));
    for (guid, id) in of_hosts.chain(of_switches) {
        write!(output, "{guid:#018x} {id:#06x} {id:#06x}\n\n")?;
    }
    Ok(output.flush()?)
}

/// That a subnet has as many identifiers as there are hosts and switches.
fn check_identifiers(writing: &Writing<'_>) -> Result<(), TablesError> {
    let count = writing.hosts().saturating_add(writing.nodes());
    if count > MAX_IDS {
        let (format, what, most) = ("opensm", "hosts and switches", MAX_IDS);
        return Err(WriteError::TooMany { format, what, count, most }.into());
    }
    Ok(())
}

fn subnet<'a>(writing: &Writing<'a>, router: &dyn Router) -> Result<Subnet<'a>, TablesError> {
    Subnet::new(writing.network, router, &writing.budget).map_err(|error| match error {
        SubnetError::Interrupted(stopped) => WriteError::from(stopped).into(),
        error => error.into(),
    })
}

fn write(
    writing: &Writing<'_>,
    router: &dyn Router,
    output: &mut dyn Write,
) -> Result<(), TablesError> {
    check(writing, router, "opensm")?;
    check_identifiers(writing)?;
    let (hosts, nodes) = (writing.hosts(), writing.nodes());
    let naming = Naming::of(writing);
    let ids = || (0..hosts).map(|host| naming.host_id(host));
    let (least, most) = (ids().min().unwrap_or(1), ids().max().unwrap_or(hosts));
    writing.each(nodes, hosts, output, &|at, found, out| {
        writing.find(at, found);
        let _ = writeln!(
            out,
            "Unicast lids [0x{least:x}-0x{most:x}] of switch Lid {} guid 0x{:016x} ({}):",
            naming.switch_id(at),
            naming.switch_guid(at),
            naming.switch_name(at)
        );
        for host in 0..hosts {
            let Some(port) = port(writing, router, &naming, (at, host), found) else { continue };
            let guid = naming.host_port_guid(host);
            let _ = writeln!(
                out,
                "0x{:04x} {port:03} : (Channel Adapter portguid 0x{guid:016x}: '{}')",
                naming.host_id(host),
                naming.host_name(host)
            );
        }
        put!(out, "\n");
    })?;
    Ok(output.flush()?)
}

/// The number of the port of a switch toward a host.
fn port(
    writing: &Writing<'_>,
    router: &dyn Router,
    naming: &Naming<'_>,
    (at, host): (u64, u64),
    found: &Found,
) -> Option<u64> {
    if naming.is_known() {
        let hop = hop(writing, router, at, host)?;
        return naming.port(writing.node(at), hop.port).map(u64::from);
    }
    if let Ok(place) = found.hosts.binary_search(&host) {
        return Some(place as u64 + 1);
    }
    let hop = hop(writing, router, at, host)?;
    let place = found.links.iter().position(|link| link.port == hop.port)?;
    Some((found.hosts.len() + place) as u64 + 1)
}
