//! Routing tables for other tools: for every switch and destination the port and the virtual channel, or whole routes.
//!
//! [`TABLES`] is the one table of them. All are written destination by destination, switch by switch or source by
//! source, without keeping them.

mod csv;
mod opensm;
mod simgrid;
mod size;
mod sst_macro;

pub use size::{TableSize, size};

use super::WriteError;
use super::infiniband::SubnetError;
use super::writing::Writing;
use nestnet_graph::Node;
use nestnet_routing::route::{Entry, WalkError, route_list};
use nestnet_routing::{Header, Router};
use std::io::Write;
use thiserror::Error;

/// A format of routing tables.
#[derive(Clone, Copy, Debug)]
pub struct TableFormat {
    /// What it is asked for by.
    pub name: &'static str,
    /// What it is, and who reads it.
    pub title: &'static str,
    /// Whether it says which virtual channel is taken.
    pub says_vcs: bool,
    /// Whether it says which cable of a link is taken.
    pub says_cables: bool,
    /// Whether it has whole routes, also of a router that remembers.
    pub has_routes: bool,
    /// Writes the tables.
    pub write: TableRule,
}

/// How tables are written.
pub type TableRule = fn(&Writing<'_>, &dyn Router, &mut dyn Write) -> Result<(), TablesError>;

/// All formats of tables.
pub static TABLES: &[TableFormat] = &[
    TableFormat {
        name: "routes",
        title: "one route a line, its nodes and virtual channels; `deadlock` reads it back",
        says_vcs: true,
        says_cables: false,
        has_routes: true,
        write: write_routes,
    },
    csv::FORMAT,
    opensm::FORMAT,
    opensm::LEVELS,
    opensm::LANES,
    opensm::IDENTIFIERS,
    sst_macro::FORMAT,
    simgrid::FORMAT,
];

/// What people call a format besides.
const ALIASES: &[(&str, &str)] = &[
    ("lft", "opensm"),
    ("infiniband", "opensm"),
    ("smpi", "simgrid"),
    ("sst", "sst-macro"),
    ("sstmacro", "sst-macro"),
];

/// The format of that name, or of another name that it is known by. Capitals do not matter.
pub fn find(name: &str) -> Option<&'static TableFormat> {
    let name = name.to_ascii_lowercase();
    let alias = ALIASES.iter().find(|(alias, _)| *alias == name);
    let name = alias.map_or(name.as_str(), |(_, format)| format);
    TABLES.iter().find(|format| format.name == name)
}

/// Why tables could not be written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TablesError {
    /// The next hop depends on more than the switch and the destination.
    #[error(
        "{format} has one port for each switch and destination, and this router needs more: its next hop also depends on \
         the path that a packet took or chose at its source; the format `routes` has whole paths, and routers such as \
         `balanced`, on folded Clos networks `dmodk`, need one port"
    )]
    Remembers {
        /// The format.
        format: &'static str,
    },
    /// More channels than an entry holds.
    #[error("{ports} ports and {vcs} virtual channels are too many for a table")]
    TooManyChannels {
        /// Ports of a node.
        ports: u32,
        /// Virtual channels of a link.
        vcs: u16,
    },
    /// The router breaks its contract.
    #[error("the message from node {from} to node {to}: {error}")]
    Walk {
        /// Where it starts.
        from: Node,
        /// Where it goes.
        to: Node,
        /// What is wrong.
        error: WalkError,
    },
    /// No subnet has such routes.
    #[error(transparent)]
    Subnet(#[from] SubnetError),
    /// It could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

impl From<route_list::WriteError> for TablesError {
    fn from(error: route_list::WriteError) -> Self {
        match error {
            route_list::WriteError::Walk { from, to, error } => {
                TablesError::Walk { from, to, error }
            }
            route_list::WriteError::Interrupted(stopped) => WriteError::from(stopped).into(),
            route_list::WriteError::Io(error) => WriteError::from(error).into(),
        }
    }
}

impl From<std::io::Error> for TablesError {
    fn from(error: std::io::Error) -> Self {
        WriteError::from(error).into()
    }
}

/// The most hops of a route that is followed.
fn most_hops(writing: &Writing<'_>, router: &dyn Router) -> u64 {
    let longest = router.longest();
    if longest < u64::MAX { longest } else { writing.network.order().saturating_mul(8) }
}

fn write_routes(
    writing: &Writing<'_>,
    router: &dyn Router,
    output: &mut dyn Write,
) -> Result<(), TablesError> {
    let hosts = writing.hosts();
    let go_on = |from: Node| {
        (writing.budget.watch.progress)(from.0 as f64 / hosts as f64);
        writing.budget.check().is_ok()
    };
    let most = most_hops(writing, router);
    Ok(route_list::write(writing.network, router, most, output, go_on)?)
}

/// That a router can be written as a table of one entry for each pair.
fn check(
    writing: &Writing<'_>,
    router: &dyn Router,
    format: &'static str,
) -> Result<(), TablesError> {
    let (ports, vcs) = (writing.network.ports(), router.vcs());
    if router.remembers() {
        return Err(TablesError::Remembers { format });
    }
    if ports >= Entry::MAX_PORTS || vcs > Entry::MAX_VCS {
        return Err(TablesError::TooManyChannels { ports, vcs });
    }
    Ok(())
}

/// The hop at a node of the file towards a host.
fn hop(
    writing: &Writing<'_>,
    router: &dyn Router,
    at: u64,
    host: u64,
) -> Option<nestnet_routing::Hop> {
    router.next(writing.node(at), Header { to: Node(host), state: 0 })
}
