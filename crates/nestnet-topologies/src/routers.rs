//! Which routers a network has, by name: its own, and those that are made of them.
//!
//! Those that are made are rows of [`ROUTERS`].

use crate::family::Built;
use nestnet_graph::{Budget, Network};
use nestnet_routing::Router;
use nestnet_routing::route::{Cached, Dimensions, Minimal, Table, TableError, Valiant};
use std::sync::Arc;
use thiserror::Error;

/// Why there is no such router.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RouterError {
    /// The network is too large for node ids.
    #[error("it cannot be routed: it has no node ids, more than 2^63 nodes or 2^32 ports")]
    NotBuilt,
    /// Not one of those it has.
    #[error("unknown router `{name}`: this network has {}", known.join(", "))]
    Unknown {
        /// What was asked for.
        name: String,
        /// What there is.
        known: Vec<String>,
    },
    /// It does not fit into a table.
    #[error("router `{name}`: {error}")]
    Table {
        /// What was asked for.
        name: String,
        /// What a table cannot hold.
        error: TableError,
    },
    /// It cannot be two legs of a longer route.
    #[error("router `{name}`: {inner} keeps a state of its own, so that it cannot be a leg")]
    Leg {
        /// What was asked for.
        name: String,
        /// The router of the legs.
        inner: String,
    },
}

/// A router that is made for any network that has what it needs, beside those that a family brings along.
#[derive(Clone, Copy, Debug)]
pub struct RouterEntry {
    /// Its name; where it takes another router, `name(INNER)`, and `name` alone takes `shortest`.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
    /// Which networks have it.
    pub needs: &'static str,
    /// Whether it takes another router.
    pub wraps: bool,
    /// Whether it is listed among the routers of a network; what is not is there for comparison with simulators.
    pub listed: bool,
    /// When it is free of deadlock by construction.
    pub deadlock_free: &'static str,
    make: fn(&Maker<'_>) -> Result<Arc<dyn Router>, RouterError>,
}

/// What a router is made of.
struct Maker<'a> {
    built: &'a Built,
    network: &'a Arc<dyn Network>,
    /// As it was asked for.
    name: &'a str,
    /// The router inside, and its name; `shortest` where a row takes none.
    inner: &'a str,
    budget: &'a Budget<'a>,
}

/// All routers that are made.
pub static ROUTERS: &[RouterEntry] = &[
    RouterEntry {
        name: "valiant",
        about: "to a random intermediate node, and from there to the target",
        needs: "a router whose messages carry no state",
        wraps: true,
        listed: true,
        deadlock_free: "where the router inside is: each leg has its own virtual channels",
        make: valiant,
    },
    RouterEntry {
        name: "table",
        about: "the same hops from a table at every node",
        needs: "a router whose hops depend on the target alone",
        wraps: true,
        listed: true,
        deadlock_free: "where the router inside is",
        make: table,
    },
    RouterEntry {
        name: "min",
        about: "one fixed shortest path for every pair, on all virtual channels",
        needs: "a network that fits in memory",
        wraps: false,
        listed: false,
        deadlock_free: "not by construction",
        make: minimal,
    },
    RouterEntry {
        name: "dor",
        about: "dimension order, ties around a ring at random; two classes of virtual channels on rings",
        needs: "a mesh or a torus",
        wraps: false,
        listed: false,
        deadlock_free: "on meshes; on tori with two virtual channels or more",
        make: dimension_order,
    },
];

/// The names of all routers of a network.
pub fn names(built: &Built) -> Vec<String> {
    let own = built.router_names();
    let made = |maker: &str| match built.router("shortest") {
        Some(_) => maker.to_owned(),
        None => format!("{maker}({})", own.first().unwrap_or(&"paper")),
    };
    let mut names: Vec<String> = own.iter().map(|name| (*name).to_owned()).collect();
    if !own.is_empty() {
        names.extend(ROUTERS.iter().filter(|row| row.listed).map(|row| made(row.name)));
    }
    names
}

/// The router that is used where none is named: `shortest` where there is one.
pub fn default_name(built: &Built) -> &'static str {
    if built.router("shortest").is_some() {
        return "shortest";
    }
    built.router_names().first().copied().unwrap_or("paper")
}

/// The router of that name; a table takes at most a gigabyte, see [`find_within`].
///
/// ```
/// use nestnet_graph::Node;
/// use nestnet_topologies::{build, routers};
/// use nestnet_routing::route;
///
/// let built = build("rdn(petersen, 1)").unwrap();
/// let router = routers::find(&built, "paper").unwrap();
/// let network = built.network.unwrap();
/// let walk = route::walk(&*network, &*router, Node(3), Node(157), 0, 100).unwrap();
/// assert_eq!(Some(walk.hops.len() as u64), network.distance(Node(3), Node(157)));
/// ```
pub fn find(built: &Built, name: &str) -> Result<Arc<dyn Router>, RouterError> {
    find_within(built, name, &Budget::default())
}

/// The router of that name; a table is written out within the budget.
pub fn find_within(
    built: &Built,
    name: &str,
    budget: &Budget<'_>,
) -> Result<Arc<dyn Router>, RouterError> {
    let network = built.network.as_ref().ok_or(RouterError::NotBuilt)?;
    if let Some(own) = built.router(name) {
        return Ok(own);
    }
    let unknown = || unknown(built, name);
    let (maker, inner) = match name.split_once('(') {
        Some((maker, inner)) => (maker.trim(), Some(inner.strip_suffix(')').ok_or_else(unknown)?)),
        None => (name, None),
    };
    let row = ROUTERS.iter().find(|row| row.name == maker && (row.wraps || inner.is_none()));
    let row = row.ok_or_else(unknown)?;
    let inner = inner.map_or("shortest", str::trim);
    (row.make)(&Maker { built, network, name, inner, budget })
}

fn unknown(built: &Built, name: &str) -> RouterError {
    RouterError::Unknown { name: name.to_owned(), known: names(built) }
}

impl Maker<'_> {
    /// The router inside. A leg does not know where the whole route began, nor does a row of a table.
    fn inner(&self) -> Result<Arc<dyn Router>, RouterError> {
        self.built.leg_router(self.inner).ok_or_else(|| unknown(self.built, self.name))
    }

    fn failed(&self, error: TableError) -> RouterError {
        RouterError::Table { name: self.name.to_owned(), error }
    }
}

fn valiant(maker: &Maker<'_>) -> Result<Arc<dyn Router>, RouterError> {
    let network = &**maker.network;
    // Each leg is asked for again and again.
    let legs = Cached::speed_up(maker.inner()?, network);
    // A host that only sends is no place to go through.
    let all_hosts = network.hosts() == network.order();
    let middles = if all_hosts { 0 } else { network.hosts() }..network.order();
    let leg = || RouterError::Leg { name: maker.name.to_owned(), inner: maker.inner.to_owned() };
    Ok(Arc::new(Valiant::new(legs, middles).ok_or_else(leg)?))
}

fn table(maker: &Maker<'_>) -> Result<Arc<dyn Router>, RouterError> {
    let table = Table::new(&**maker.network, &*maker.inner()?, maker.budget);
    Ok(Arc::new(table.map_err(|error| maker.failed(error))?))
}

fn minimal(maker: &Maker<'_>) -> Result<Arc<dyn Router>, RouterError> {
    let minimal = Minimal::new(maker.network.clone(), maker.budget);
    Ok(Arc::new(minimal.map_err(|error| maker.failed(error.into()))?))
}

fn dimension_order(maker: &Maker<'_>) -> Result<Arc<dyn Router>, RouterError> {
    let sides = maker.built.logical.product_sides();
    let sides = if sides.is_empty() { vec![maker.network.order()] } else { sides };
    let router = Dimensions::new(&**maker.network, &sides);
    Ok(Arc::new(router.ok_or_else(|| unknown(maker.built, maker.name))?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build;
    use nestnet_graph::Node;
    use nestnet_routing::Header;
    use nestnet_routing::route::{Entry, Greedy};

    #[test]
    fn rows_of_closed_distances_are_what_each_node_says() {
        for spec in ["debruijn(2, 5)", "kautz(2, 4)", "folded_hypercube(4)", "rdn(petersen, 1)"] {
            let network = build(spec).unwrap().network.unwrap();
            let greedy = Greedy::new(network.clone()).unwrap();
            let mut row = vec![Entry::NONE; usize::try_from(network.order()).unwrap()];
            for to in (0..network.order()).map(Node) {
                greedy.fill(to, &mut row);
                for (at, entry) in (0..).map(Node).zip(&row) {
                    let hop = greedy.next(at, Header { to, state: 0 });
                    assert_eq!(entry.get(), hop.map(|hop| (hop.port, hop.vc)), "{spec}");
                }
            }
        }
    }
}
