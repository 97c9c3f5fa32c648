//! Results of verbs that write or read files: which file, of which network, and what it has no field for.
//!
//! Nothing here touches a file: front ends write and read them, and fill in the names.

use crate::picture::Picture;
use nestnet_analysis::routers::{RouterError, find_within, is_made};
use nestnet_analysis::simulated::{Setup, SetupError};
use nestnet_formats::tables::{self, TABLES, TableFormat, TableSize};
use nestnet_formats::{FORMATS, Format, Loss, Remark, Writing, find};
use nestnet_graph::measure::search::is_connected;
use nestnet_graph::theory::Degrees;
use nestnet_graph::{Budget, Network, OverBudget, fields};
use nestnet_routing::Router;
use nestnet_routing::route::route_list::{self, RoutesError};
use nestnet_routing::route::{ExplicitRoutes, ExplicitRoutesError};
use nestnet_sim::Settings;
use nestnet_topologies::Built;
use nestnet_topologies::spec::{Literal, Spec};
use num_bigint::BigUint;
use num_traits::ToPrimitive as _;
use serde::{Serialize, Serializer};
use std::io;
use std::sync::Arc;
use thiserror::Error;

/// No format of networks, or of routing tables, is called so.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FormatError {
    /// Nothing is.
    #[error("unknown format `{name}`: {known}")]
    Unknown {
        /// What was asked for.
        name: String,
        /// Those that there are.
        known: String,
    },
    /// A format of routing tables is.
    #[error(
        "unknown format `{name}`: {tables} is one of routing tables, which `nestnet tables` writes; of networks: {known}"
    )]
    IsTables {
        /// What was asked for.
        name: String,
        /// Its name among routing tables.
        tables: &'static str,
        /// Those of networks.
        known: String,
    },
    /// A format of networks is.
    #[error(
        "unknown format `{name}`: {network} is one of networks, which `nestnet export` writes; of tables: {known}"
    )]
    IsNetwork {
        /// What was asked for.
        name: String,
        /// Its name among those of networks.
        network: &'static str,
        /// Those of routing tables.
        known: String,
    },
}

/// The names of all formats in which networks are written.
pub fn written_formats() -> String {
    let written = FORMATS.iter().filter(|format| format.write.is_some());
    written.map(|format| format.name).collect::<Vec<_>>().join(", ")
}

/// The format of that name in which networks are written.
///
/// ```
/// use nestnet::files::network_format;
///
/// assert_eq!(network_format("graphml")?.name, "graphml");
/// assert!(network_format("opensm").is_err());
/// # Ok::<(), nestnet::files::FormatError>(())
/// ```
pub fn network_format(name: &str) -> Result<&'static Format, FormatError> {
    if let Some(found) = find(name).filter(|format| format.write.is_some()) {
        return Ok(found);
    }
    let (name, known) = (name.to_owned(), written_formats());
    Err(match tables::find(&name) {
        Some(found) => FormatError::IsTables { name, tables: found.name, known },
        None => FormatError::Unknown { name, known },
    })
}

/// The format of that name in which routing tables are written.
pub fn table_format(name: &str) -> Result<&'static TableFormat, FormatError> {
    if let Some(found) = tables::find(name) {
        return Ok(found);
    }
    let known: Vec<&str> = TABLES.iter().map(|format| format.name).collect();
    let (name, known) = (name.to_owned(), known.join(", "));
    Err(match find(&name).filter(|format| format.write.is_some()) {
        Some(found) => FormatError::IsNetwork { name, network: found.name, known },
        None => FormatError::Unknown { name, known },
    })
}

/// Why a router could not be found, or could not be made of the routes of a file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RoutesFileError {
    /// The file cannot be read.
    #[error("router `{name}`: {}{error}", match error.kind() {
        io::ErrorKind::NotFound => format!("no router of this network is called `{file}`, and no file can be read: "),
        _ => format!("{file}: "),
    })]
    Read {
        /// What was asked for.
        name: String,
        /// What is in its parentheses.
        file: String,
        /// What is wrong.
        error: io::Error,
    },
    /// It has no list of routes.
    #[error("{file}: {error}")]
    Format {
        /// The file.
        file: String,
        /// What is wrong.
        error: RoutesError,
    },
    /// Its routes are not those of the network.
    #[error("{file}: {error}")]
    Routes {
        /// The file.
        file: String,
        /// What is wrong.
        error: ExplicitRoutesError,
    },
    /// It is too large.
    #[error(transparent)]
    Limit(#[from] OverBudget),
    /// There is no such router.
    #[error(transparent)]
    Router(#[from] RouterError),
    /// Hops of a file are not chosen by queues.
    #[error("`adaptive=`: the routes of a file are followed as they are")]
    Adaptive,
    /// The network cannot be simulated by the router.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

/// The file that a router `table(FILE)` follows; none for every other router, also for `table(paper)` and the like.
///
/// ```
/// use nestnet::files::routes_file;
///
/// let built = nestnet::build("torus(3, 3)")?;
/// assert_eq!(routes_file(&built, "table(routes.txt)"), Some("routes.txt"));
/// assert_eq!(routes_file(&built, "table(shortest)"), None);
/// assert_eq!(routes_file(&built, "table(valiant)"), None);
/// # Ok::<(), nestnet::SpecError>(())
/// ```
pub fn routes_file<'a>(built: &Built, name: &'a str) -> Option<&'a str> {
    let inner = name.trim().strip_prefix("table(")?.strip_suffix(')')?.trim();
    let path = inner.strip_prefix('"').and_then(|path| path.strip_suffix('"')).unwrap_or(inner);
    let is_router = path.is_empty() || built.leg_router(path).is_some() || is_made(path);
    (!is_router && built.network.is_some()).then_some(path)
}

/// The router of that name, also `table(FILE)`, which follows the routes of a file in the format `routes`; `read` gives
/// the bytes of the file.
///
/// ```
/// use nestnet::Budget;
/// use nestnet::files::find_router;
/// use nestnet::prelude::*;
///
/// let built = build("ring(3)")?;
/// let text = "0 1\n0 1 2\n1 0\n1 2\n2 0\n2 1\n";
/// let read = |_: &str| Ok(text.as_bytes().to_vec());
/// let router = find_router(&built, "table(routes.txt)", &read, &Budget::default()).unwrap();
/// let network = built.network.as_deref().unwrap();
/// let walk = nestnet::route::walk(network, &*router, Node(0), Node(2), 0, 9).unwrap();
/// assert_eq!(walk.hops.len(), 2);
/// # Ok::<(), Error>(())
/// ```
pub fn find_router(
    built: &Built,
    name: &str,
    read: &dyn Fn(&str) -> io::Result<Vec<u8>>,
    budget: &Budget<'_>,
) -> Result<Arc<dyn Router>, RoutesFileError> {
    /// Bytes in memory for each byte of a file of routes: a short one takes the most.
    const ROUTE_BYTES: u128 = 64;
    let (Some(file), Some(network)) = (routes_file(built, name), &built.network) else {
        return Ok(find_within(built, name, budget)?);
    };
    let (name, file) = (name.to_owned(), file.to_owned());
    let bytes = match read(&file) {
        Ok(bytes) => bytes,
        Err(error) => return Err(RoutesFileError::Read { name, file, error }),
    };
    budget.fits("its routes", bytes.len() as u128 * ROUTE_BYTES)?;
    let routes = match route_list::read(bytes.as_slice()) {
        Ok(routes) => routes,
        Err(error) => return Err(RoutesFileError::Format { file, error }),
    };
    match ExplicitRoutes::new(&**network, &routes) {
        Ok(router) => Ok(Arc::new(router)),
        Err(error) => Err(RoutesFileError::Routes { file, error }),
    }
}

/// A network made ready for the simulator, by a router as [`find_router`] finds it, or by the usual one.
pub fn setup<'a>(
    built: &'a Built,
    router: Option<&str>,
    settings: &Settings,
    read: &dyn Fn(&str) -> io::Result<Vec<u8>>,
    budget: &Budget<'_>,
) -> Result<Setup<'a>, RoutesFileError> {
    let Some(name) = router.filter(|name| routes_file(built, name).is_some()) else {
        return Ok(Setup::of(built, router, settings, budget)?);
    };
    if settings.adaptive {
        return Err(RoutesFileError::Adaptive);
    }
    let found = find_router(built, name, read, budget)?;
    let config = settings.config.clone();
    Ok(Setup::by_router(built, name.to_owned(), found, settings.vcs, config)?)
}

/// What a format of routing tables has no field for, of a router of that name.
pub fn table_losses(
    format: &TableFormat,
    router: &dyn Router,
    name: &str,
    writing: &Writing<'_>,
) -> Vec<String> {
    let mut losses = Vec::new();
    let said = format.name;
    // Nobody sends to a switch.
    let vcs = router.host_vcs();
    if vcs > 1 && !format.says_vcs {
        losses.push(format!("{said} has no field for virtual channels: `{name}` has {vcs}"));
    }
    if !format.says_cables && writing.has_trunks() {
        losses.push(format!("{said} has no field for which cable of a link is taken"));
    }
    // What cannot be written at all loses nothing.
    if router.choices() > 1 && said != "routes" && !router.remembers() {
        losses.push(format!("{said} has the first of {} choices", router.choices()));
    }
    losses
}

/// Which fabric tables for an InfiniBand subnet fit; none of any other format.
///
/// ```
/// use nestnet::files::{fabric_of_tables, table_format};
///
/// let clos = nestnet::build("clos(4, 2)")?;
/// assert!(fabric_of_tables(table_format("opensm").unwrap(), &clos).unwrap().contains("not a real one"));
/// assert_eq!(fabric_of_tables(table_format("csv").unwrap(), &clos), None);
/// # Ok::<(), nestnet::SpecError>(())
/// ```
pub fn fabric_of_tables(format: &TableFormat, built: &Built) -> Option<&'static str> {
    let network = built.network.as_ref()?;
    if !format.name.starts_with("opensm") {
        return None;
    }
    if !has_text(built.spec()) {
        return Some(
            "GUIDs and LIDs are made up: the tables fit the fabric that the format ibsim \
             writes, not a real one; of a real one read what `ibnetdiscover` prints, \
             `file(FABRIC.ibnetdiscover)`",
        );
    }
    Some(match network.identifiers() {
        Some(_) => {
            "GUIDs, LIDs and numbers of ports are those of the file: the tables fit its fabric, \
             and not what the format ibsim makes of it"
        }
        None => {
            "the file does not give every GUID, LID and number of a port, one port of each \
             adapter in use: these tables have others in their place and fit only the fabric \
             that the format ibsim writes, not a real one"
        }
    })
}

/// Whether a text, such as the name of a file, is part of a spec.
fn has_text(spec: &Spec) -> bool {
    fn of(value: &Literal) -> bool {
        match value {
            Literal::Text(_) => true,
            Literal::Spec(spec) => has_text(spec),
            Literal::List(items) => items.iter().any(|item| of(&item.value)),
            Literal::Integer(_) => false,
        }
    }
    spec.args.iter().any(|arg| of(&arg.value))
}

/// A network in the format of another tool.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Exported {
    /// The network.
    pub spec: String,
    /// The format by its name.
    pub format: &'static str,
    /// The file; none where it was printed.
    pub file: Option<String>,
    /// What the format has no field for.
    #[serde(rename = "does_not_say")]
    pub losses: Vec<String>,
}

impl Exported {
    /// The result of writing `spec` in `format`.
    pub fn new(spec: String, format: &Format, file: Option<String>, losses: &[Loss]) -> Self {
        let losses = losses.iter().map(ToString::to_string).collect();
        Exported { spec, format: format.name, file, losses }
    }
}

/// A file of another tool, described.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Imported {
    /// The file.
    pub file: String,
    /// Its format by its name.
    pub format: &'static str,
    /// The number of nodes.
    pub nodes: u64,
    /// The number of nodes that inject and receive.
    pub hosts: u64,
    /// The number of links.
    pub links: u64,
    /// The number of their cables.
    pub cables: u64,
    /// How many levels of links there are.
    pub levels: u16,
    /// The least and the largest degree.
    pub degree: DegreeRange,
    /// Whether there is a path between any two nodes.
    pub connected: bool,
    /// The spec that means it.
    pub spec: String,
    /// What a reader of the file should know.
    pub remarks: Vec<String>,
}

/// The least and the largest number of links at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct DegreeRange {
    /// The least.
    pub min: u64,
    /// The largest.
    pub max: u64,
}

impl Imported {
    /// What `network` is, which was read from `file` in `format`. O(links).
    pub fn new(
        file: String,
        format: &Format,
        spec: String,
        network: &dyn Network,
        remarks: &[Remark],
    ) -> Self {
        let Degrees { links, cables, min, max, .. } = Degrees::measured(network);
        // A network that is stored has fewer than 2^64 of them.
        let count = |number: BigUint| number.to_u64().unwrap_or(u64::MAX);
        Imported {
            file,
            format: format.name,
            nodes: network.order(),
            hosts: network.hosts(),
            links: count(links),
            cables: count(cables),
            levels: network.levels(),
            degree: DegreeRange { min, max },
            connected: is_connected(network),
            spec,
            remarks: remarks.iter().map(ToString::to_string).collect(),
        }
    }
}

/// Routing tables for another tool.
#[derive(Clone, Debug)]
pub struct TablesWritten {
    /// The network.
    pub spec: String,
    /// The router by its name.
    pub router: String,
    /// The format by its name.
    pub format: &'static str,
    /// The file; none where it was printed.
    pub file: Option<String>,
    /// What a switch needs, where that was counted.
    pub needs: Option<TableSize>,
}

impl Serialize for TablesWritten {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        fields!(
            serializer,
            "TablesWritten",
            spec = self.spec,
            router = self.router,
            format = self.format,
            file = self.file,
            /// Bytes of a table with an entry for every destination, at a switch; none where that was not
            /// counted.
            bytes: Option<u64> = self.needs.map(|size| size.whole()),
            /// Bytes of a table of intervals, at a switch.
            interval_bytes: Option<u64> = self.needs.map(|size| size.by_intervals()),
            /// Intervals of destinations with the same port and virtual channel, at the switch that has most.
            intervals: Option<u64> = self.needs.map(|size| size.intervals),
        )
    }
}

/// A picture in a file.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// The network.
    pub spec: String,
    /// The file.
    pub file: String,
    /// What it shows.
    pub picture: Picture,
}

impl Serialize for Drawn {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        fields!(
            serializer,
            "Drawn",
            spec = self.spec,
            file = self.file,
            dots = self.picture.dots,
            lines = self.picture.lines,
            nodes_a_dot = self.picture.nodes_a_dot,
            notes = self.picture.notes,
        )
    }
}

/// A page in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reported {
    /// The file.
    #[serde(rename = "report")]
    pub file: String,
    /// The networks that it is about.
    pub specs: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use nestnet_formats::Costs;

    /// A note counts the virtual channels of routes between hosts, as `deadlock` does.
    #[test]
    fn tables_lose_the_virtual_channels_of_hosts_alone() {
        let format = table_format("opensm").unwrap();
        for (spec, vcs) in [("hosts(complete(8), 8)", 1), ("hosts(petersen, 2)", 2)] {
            let built = nestnet_topologies::build(spec).unwrap();
            let network = built.network.clone().unwrap();
            let router = find_within(&built, "balanced", &Budget::default()).unwrap();
            let costs = Costs::NONE;
            let writing = Writing::new(spec, &*network, &costs, Budget::default()).unwrap();
            let losses = table_losses(format, &*router, "balanced", &writing);
            let of_vcs = losses.iter().filter(|loss| loss.contains("virtual channels")).count();
            assert_eq!(of_vcs, usize::from(vcs > 1), "{spec}: {losses:?}");
            assert_eq!(router.host_vcs(), vcs, "{spec}");
        }
    }
}
