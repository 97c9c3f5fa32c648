//! Which routers a network has, by name: its own, and those that are made of them.
//!
//! `valiant` and `table` mean `valiant(shortest)` and `table(shortest)`. `min` is one fixed shortest path for every
//! pair on one virtual channel, `dor` dimension order on meshes and tori, both as simulators usually have them; they are
//! there for comparison and not among [`names`].

use crate::family::Built;
use nestnet_graph::Budget;
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
    /// It cannot be two legs of a longer way.
    #[error("router `{name}`: {inner} keeps a state of its own, so that it cannot be a leg")]
    Leg {
        /// What was asked for.
        name: String,
        /// The router of the legs.
        inner: String,
    },
}

/// The names of all routers of a network.
pub fn names(built: &Built) -> Vec<String> {
    let own = built.router_names();
    let made = |maker: &str| match built.router("shortest") {
        Some(_) => maker.to_owned(),
        None => format!("{maker}({})", own.first().unwrap_or(&"paper")),
    };
    let mut names: Vec<String> = own.iter().map(|name| (*name).to_owned()).collect();
    if !own.is_empty() {
        names.extend(["valiant", "table"].map(made));
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
    let unknown = || RouterError::Unknown { name: name.to_owned(), known: names(built) };
    if let Some(own) = built.router(name) {
        return Ok(own);
    }
    let (maker, inner) = match name.split_once('(') {
        Some((maker, inner)) => (maker, inner.strip_suffix(')').ok_or_else(unknown)?),
        None if ["valiant", "table"].contains(&name) => (name, "shortest"),
        None if name == "min" => {
            let minimal = Minimal::new(network.clone(), budget).map_err(TableError::from);
            let failed = |error| RouterError::Table { name: name.to_owned(), error };
            return minimal.map(|router| Arc::new(router) as Arc<dyn Router>).map_err(failed);
        }
        None if name == "dor" => {
            let sides = built.logical.product_sides();
            let sides = if sides.is_empty() { vec![network.order()] } else { sides };
            let router = Dimensions::new(&**network, &sides).ok_or_else(unknown)?;
            return Ok(Arc::new(router));
        }
        None => return Err(unknown()),
    };
    // A leg does not know where the whole way began, nor does a row of a table.
    let inner_router = built.leg_router(inner.trim()).ok_or_else(unknown)?;
    match maker.trim() {
        "valiant" => {
            // Each leg is asked for again and again.
            let legs = Cached::speed_up(inner_router, &**network);
            // A host that only sends is no place to go through.
            let all_hosts = network.hosts() == network.order();
            let middles = if all_hosts { 0 } else { network.hosts() }..network.order();
            let valiant = Valiant::new(legs, middles);
            let leg = || RouterError::Leg { name: name.to_owned(), inner: inner.to_owned() };
            valiant.map(|valiant| Arc::new(valiant) as Arc<dyn Router>).ok_or_else(leg)
        }
        "table" => {
            let table = Table::new(&**network, &*inner_router, budget);
            let failed = |error| RouterError::Table { name: name.to_owned(), error };
            table.map(|table| Arc::new(table) as Arc<dyn Router>).map_err(failed)
        }
        _ => Err(unknown()),
    }
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
