//! Which routers a network has, by name: its own, and those that are made of them.
//!
//! Those that are made are rows of [`ROUTERS`].

use nestnet_graph::fabric::Fabric;
use nestnet_graph::{Budget, Network, kinds};
use nestnet_routing::Router;
use nestnet_routing::flow::{DEFAULT_PATHS, Demands, FlowError, MAX_PATHS, optimize};
use nestnet_routing::route::assign::{AssignError, assign};
use nestnet_routing::route::{
    Adaptive, Balanced, Cached, Dimensions, Ecmp, Minimal, Polarized, Table, TableError, Ugal,
    UgalRule, UpDownLayers, Valiant,
};
use nestnet_routing::traffic::{self, Groups, Source, Traffic, TrafficError};
use nestnet_topologies::family::{Built, closest, did_you_mean};
use std::ops::Range;
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
    #[error("unknown router `{name}`: {}this network has {}", did_you_mean(near.as_deref()), known.join(", "))]
    Unknown {
        /// What was asked for.
        name: String,
        /// The name that is most like it, if any is.
        near: Option<String>,
        /// What there is.
        known: Vec<String>,
    },
    /// The router in parentheses is no leg of a route.
    #[error("router `{name}`: `{inner}` cannot be in parentheses: {}there can be {}", did_you_mean(near.as_deref()), known.join(", "))]
    Inner {
        /// What was asked for.
        name: Box<str>,
        /// The router in parentheses.
        inner: Box<str>,
        /// The name that is most like it, if any is.
        near: Option<Box<str>>,
        /// What there can be.
        known: Vec<String>,
    },
    /// The network is not one that has it.
    #[error("router `{name}` needs {needs}")]
    Needs {
        /// What was asked for.
        name: String,
        /// Which networks have it.
        needs: &'static str,
    },
    /// It does not fit into a table.
    #[error("router `{name}`: {error}")]
    Table {
        /// What was asked for.
        name: String,
        /// What a table cannot hold.
        error: TableError,
    },
    /// The traffic that it is made for is unknown.
    #[error("router `{name}`: {error}")]
    Traffic {
        /// What was asked for.
        name: String,
        /// What is wrong.
        error: Box<TrafficError>,
    },
    /// More paths a pair than there can be, or none.
    #[error("router `{name}`: a pair of switches has 1 to {MAX_PATHS} paths, not {given}")]
    Paths {
        /// What was asked for.
        name: String,
        /// How many were asked for.
        given: u64,
    },
    /// No paths were found for it.
    #[error("router `{name}`: {error}")]
    Flow {
        /// What was asked for.
        name: String,
        /// What is wrong.
        error: Box<FlowError>,
    },
    /// No virtual channels were found for it.
    #[error("router `{name}`: {error}")]
    Assign {
        /// What was asked for.
        name: String,
        /// What is wrong.
        error: Box<AssignError>,
    },
    /// It cannot be a leg of a longer route, or an escape.
    #[error(
        "router `{name}`: {inner} keeps a state of its own, so that it cannot be a leg or an escape"
    )]
    Leg {
        /// What was asked for.
        name: String,
        /// The router of the legs.
        inner: String,
    },
}

kinds!(RouterError {
    Unknown: Unknown, Inner;
    Unsupported: NotBuilt, Needs, Paths, Leg;
    inner: Table.error, Traffic.error, Flow.error, Assign.error;
});

/// A router, or why there is none.
type RouterResult = Result<Arc<dyn Router>, RouterError>;

/// A router that is made for any network that has what it needs, beside those that a family brings along.
#[derive(Clone, Copy, Debug)]
pub struct RouterEntry {
    /// Its name.
    pub name: &'static str,
    /// Other names that are understood.
    pub aliases: &'static [&'static str],
    /// What it does.
    pub about: &'static str,
    /// Which networks have it.
    pub needs: &'static str,
    /// What it takes in parentheses.
    pub takes: Takes,
    /// Whether it is listed among the routers of a network of that many nodes; what never is, is there for comparison
    /// with simulators.
    pub listed: fn(u64) -> bool,
    /// When it is free of deadlock by construction.
    pub deadlock_free: &'static str,
    make: fn(&Maker<'_>) -> RouterResult,
}

/// What a router takes in parentheses after its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// Nothing.
    Nothing,
    /// Another router; without one, `shortest`.
    Router,
    /// A traffic, a number of paths or both; without, uniform traffic and eight paths a pair of switches.
    Traffic,
}

/// What a router is made of.
struct Maker<'a> {
    built: &'a Built,
    network: &'a Arc<dyn Network>,
    /// As it was asked for.
    name: &'a str,
    /// What is in parentheses, if anything.
    inner: Option<&'a str>,
    /// Cycles on a link of each level, as in [`Minimal::by_length`]; all alike where there are none.
    lengths: &'a [u16],
    budget: &'a Budget<'a>,
}

/// Larger networks list no tables of balanced routes; they are made where the budget allows.
const MAX_BALANCED: u64 = 1 << 14;

/// Larger networks list no optimized paths; they are made where the budget allows.
const MAX_OPTIMIZED: u64 = 1 << 13;

/// All routers that are made for any network that they fit; [`Built::router_names`] are those that a family brings along,
/// and [`default_name`] is the one that is taken where none is named.
///
/// ```
/// use nestnet_analysis::routers::ROUTERS;
///
/// let names: Vec<&str> = ROUTERS.iter().map(|row| row.name).collect();
/// let all = "valiant table balanced ecmp optimized assigned adaptive ugal ugal_g par polarized min min_hops dor";
/// assert_eq!(names.join(" "), all);
/// ```
pub static ROUTERS: &[RouterEntry] = &[
    RouterEntry {
        name: "valiant",
        aliases: &[],
        about: "to a random intermediate node, and from there to the target",
        needs: "a router whose messages carry no state",
        takes: Takes::Router,
        listed: |_| true,
        deadlock_free: "where the router inside is: each leg has its own virtual channels",
        make: valiant,
    },
    RouterEntry {
        name: "table",
        aliases: &[],
        about: "the same hops from a table at every node",
        needs: "a router whose hops depend on the target alone",
        takes: Takes::Router,
        listed: |_| true,
        deadlock_free: "where the router inside is",
        make: table,
    },
    RouterEntry {
        name: "balanced",
        aliases: &[],
        about: "one shortest path for each source and target that avoids busy links, by a local search for uniform traffic; the next hop depends on the target",
        needs: "a network whose table fits in memory",
        takes: Takes::Nothing,
        listed: |nodes| nodes <= MAX_BALANCED,
        deadlock_free: "always: a virtual channel for each up*/down* segment of a path",
        make: balanced,
    },
    RouterEntry {
        name: "ecmp",
        aliases: &[],
        about: "equal-cost multipath: shortest paths, each flow hashed at every switch",
        needs: "a network whose distances fit in memory",
        takes: Takes::Nothing,
        listed: |nodes| nodes <= MAX_BALANCED,
        deadlock_free: "always: a virtual channel for each up*/down* segment of a path",
        make: ecmp,
    },
    RouterEntry {
        name: "optimized",
        aliases: &[],
        about: "at most K weighted paths a pair of switches that carry nearly as much of a traffic as any routing can",
        needs: "a network with paths for all pairs of switches in memory",
        takes: Takes::Traffic,
        listed: |nodes| nodes <= MAX_OPTIMIZED,
        deadlock_free: "always: a virtual channel for each up*/down* segment of a path",
        make: optimized,
    },
    RouterEntry {
        name: "assigned",
        aliases: &[],
        about: "the same routes on virtual channels that `deadlock` assigns",
        needs: "a router with one route for each pair and choice",
        takes: Takes::Router,
        listed: |_| false,
        deadlock_free: "always: by the certificate of the assignment",
        make: assigned,
    },
    RouterEntry {
        name: "adaptive",
        aliases: &["minimal_adaptive"],
        about: "any shortest hop, by credits, on adaptive virtual channels; the router inside is the escape",
        needs: "a router whose messages carry no state, for the escape",
        takes: Takes::Router,
        listed: |_| false,
        deadlock_free: "where the router inside is: Duato's protocol, and who took the escape stays on it",
        make: adaptive,
    },
    RouterEntry {
        name: "ugal",
        aliases: &["ugal_l"],
        about: "the minimal route or one through a random node, by the queues of the first router (UGAL-L)",
        needs: "a router whose messages carry no state",
        takes: Takes::Router,
        listed: |_| false,
        deadlock_free: "where the router inside is: each leg has its own virtual channels, and a minimal route rises through them",
        make: |maker| ugal(maker, UgalRule::LOCAL),
    },
    RouterEntry {
        name: "ugal_g",
        aliases: &[],
        about: "the minimal route or one through a random node, by the queues of both routes (UGAL-G)",
        needs: "a router whose messages carry no state",
        takes: Takes::Router,
        listed: |_| false,
        deadlock_free: "where the router inside is: each leg has its own virtual channels, and a minimal route rises through them",
        make: |maker| ugal(maker, UgalRule::GLOBAL),
    },
    RouterEntry {
        name: "par",
        aliases: &["progressive_adaptive"],
        about: "as `ugal`, and a minimal route may still be left behind its first hop",
        needs: "a router whose messages carry no state",
        takes: Takes::Router,
        listed: |_| false,
        deadlock_free: "where the router inside is from every node at which a detour begins, not only from hosts: three sets of virtual channels, and a route rises through them",
        make: |maker| ugal(maker, UgalRule::PROGRESSIVE),
    },
    RouterEntry {
        name: "polarized",
        aliases: &[],
        about: "any hop that leads away from the source or towards the target by Polarized routing, by credits; from corners the shortest",
        needs: "a network that fits in memory",
        takes: Takes::Nothing,
        listed: |_| false,
        deadlock_free: "always: the class of a virtual channel is the number of the hop",
        make: polarized,
    },
    RouterEntry {
        name: "min",
        aliases: &[],
        about: "one fixed shortest path for every pair by the latencies of links, on all virtual channels",
        needs: "a network that fits in memory",
        takes: Takes::Nothing,
        listed: |_| false,
        deadlock_free: "not by construction",
        make: |maker| minimal(maker, maker.lengths),
    },
    RouterEntry {
        name: "min_hops",
        aliases: &[],
        about: "one fixed path with the fewest links for every pair, on all virtual channels",
        needs: "a network that fits in memory",
        takes: Takes::Nothing,
        listed: |_| false,
        deadlock_free: "not by construction",
        make: |maker| minimal(maker, &[]),
    },
    RouterEntry {
        name: "dor",
        aliases: &[],
        about: "dimension order, ties around a ring at random; two classes of virtual channels on rings",
        needs: "a mesh or a torus",
        takes: Takes::Nothing,
        listed: |_| false,
        deadlock_free: "on meshes; on tori with two virtual channels or more",
        make: dimension_order,
    },
];

/// The names of the routers that a network lists.
pub fn names(built: &Built) -> Vec<String> {
    names_of(built, |row, nodes| (row.listed)(nodes), false)
}

/// The names of all routers that a network can use: also those that it does not list, and aliases.
///
/// ```
/// use nestnet_analysis::routers::all_names;
/// use nestnet_topologies::build;
///
/// let has = |spec, name: &str| all_names(&build(spec).unwrap()).iter().any(|known| known == name);
/// assert!(has("mesh(4, 4)", "dor") && has("mesh(4, 4)", "minimal_adaptive"));
/// assert!(has("clos(4, 2)", "ugal") && !has("clos(4, 2)", "dor"));
/// ```
pub fn all_names(built: &Built) -> Vec<String> {
    // In a larger network the links of every node are not looked at.
    let has_dimensions = |nodes| match nodes > MAX_BALANCED {
        true => !built.logical.product_sides().is_empty(),
        false => built.network.as_deref().is_some_and(|all| dimensions(built, all).is_some()),
    };
    names_of(built, |row, nodes| row.name != "dor" || has_dimensions(nodes), true)
}

/// The routers that a family brings along and the rows that it can use, with their aliases or without.
fn names_of(
    built: &Built,
    can_use: impl Fn(&RouterEntry, u64) -> bool,
    aliases: bool,
) -> Vec<String> {
    let own = built.router_names();
    let mut names: Vec<String> = own.iter().map(|name| (*name).to_owned()).collect();
    let Some(network) = built.network.as_ref().filter(|_| !own.is_empty()) else { return names };
    let needs_leg = built.router(USUAL_LEG).is_none();
    for row in ROUTERS.iter().filter(|row| can_use(row, network.order())) {
        let aliases = if aliases { row.aliases } else { &[] };
        names.extend([row.name].iter().chain(aliases).map(|name| match needs_leg {
            true if row.takes == Takes::Router => {
                format!("{name}({})", own.first().unwrap_or(&"paper"))
            }
            _ => (*name).to_owned(),
        }));
    }
    names
}

/// The router that is used where none is named: `balanced` for a network from a file, elsewhere `shortest` where there
/// is one.
pub fn default_name(built: &Built) -> &'static str {
    let is_small = |network: &Arc<dyn Network>| network.order() <= MAX_BALANCED;
    if built.is_imported() && built.network.as_ref().is_some_and(is_small) {
        return "balanced";
    }
    if built.router("shortest").is_some() {
        return "shortest";
    }
    built.router_names().first().copied().unwrap_or("paper")
}

/// The router of that name; a table takes at most a gigabyte, see [`find_within`].
///
/// ```
/// use nestnet_graph::Node;
/// use nestnet_analysis::routers;
/// use nestnet_topologies::build;
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
    find_by_length(built, name, &[], budget)
}

/// The same where links of each level take so many cycles, which `min` goes by; those beyond are as the last.
///
/// ```
/// use nestnet_graph::Budget;
/// use nestnet_analysis::routers;
/// use nestnet_topologies::build;
///
/// let built = build("rdn(ring(5), 1)").unwrap();
/// assert!(routers::find_by_length(&built, "min", &[1, 10], &Budget::default()).is_ok());
/// ```
pub fn find_by_length(
    built: &Built,
    name: &str,
    lengths: &[u16],
    budget: &Budget<'_>,
) -> Result<Arc<dyn Router>, RouterError> {
    let network = built.network.as_ref().ok_or(RouterError::NotBuilt)?;
    if let Some(own) = built.router(name) {
        return Ok(own);
    }
    let (row, inner) = made_by(name).ok_or_else(|| unknown(name, all_names(built)))?;
    let own = if lengths.is_empty() { network.latencies() } else { Vec::new() };
    let lengths = if own.is_empty() { lengths } else { &own };
    (row.make)(&Maker { built, network, name, inner, lengths, budget })
}

/// The row that makes a router of that name, and what is in its brackets.
fn made_by(name: &str) -> Option<(&'static RouterEntry, Option<&str>)> {
    let (maker, inner) = match name.split_once('(') {
        Some((maker, inner)) => (maker.trim(), Some(inner.strip_suffix(')')?.trim())),
        None => (name, None),
    };
    let takes = |row: &RouterEntry| row.takes != Takes::Nothing || inner.is_none();
    let is_named = |row: &RouterEntry| row.name == maker || row.aliases.contains(&maker);
    let row = ROUTERS.iter().find(|row| is_named(row) && takes(row))?;
    Some((row, inner))
}

/// Whether a row of [`ROUTERS`] has that name, with or without what it takes.
///
/// ```
/// use nestnet_analysis::routers::is_made;
///
/// assert!(is_made("polarized") && is_made("par(shortest)") && is_made("minimal_adaptive"));
/// assert!(!is_made("paper"));
/// ```
pub fn is_made(name: &str) -> bool {
    made_by(name.trim()).is_some()
}

/// The names of the minimal router and of Valiant's between which a router of that name chooses by queues; none for others.
///
/// ```
/// use nestnet_analysis::routers::between;
///
/// assert_eq!(between("ugal").unwrap(), ["shortest", "valiant(shortest)"]);
/// assert!(between("shortest").is_none());
/// ```
pub fn between(name: &str) -> Option<[String; 2]> {
    const BY_QUEUES: [&str; 3] = ["ugal", "ugal_g", "par"];
    let (row, inner) = made_by(name.trim())?;
    let inner = inner.unwrap_or(USUAL_LEG);
    BY_QUEUES.contains(&row.name).then(|| [inner.to_owned(), format!("valiant({inner})")])
}

/// The router inside where none is named.
const USUAL_LEG: &str = "shortest";

/// The error where a name is not one of these.
pub fn unknown(name: &str, known: Vec<String>) -> RouterError {
    RouterError::Unknown { name: name.to_owned(), near: near(name, &known), known }
}

fn near(name: &str, known: &[String]) -> Option<String> {
    closest(name, known.iter().map(String::as_str)).map(str::to_owned)
}

impl Maker<'_> {
    /// The router inside. A leg does not know where the whole route began, nor does a row of a table.
    fn inner(&self) -> Result<Arc<dyn Router>, RouterError> {
        let inner = self.inner_name();
        self.built.leg_router(inner).ok_or_else(|| {
            let known = names_of(self.built, |_, _| false, false);
            let near = near(inner, &known).map(String::into_boxed_str);
            RouterError::Inner { name: self.name.into(), inner: inner.into(), near, known }
        })
    }

    fn inner_name(&self) -> &str {
        self.inner.unwrap_or(USUAL_LEG)
    }

    /// The router of both legs, asked for again and again, and the nodes between them: a host that only sends is no
    /// place to go through.
    fn legs(&self) -> Result<(Arc<dyn Router>, Range<u64>), RouterError> {
        let network = &**self.network;
        let all_hosts = network.hosts() == network.order();
        let first = if all_hosts { 0 } else { network.hosts() };
        Ok((Cached::speed_up(self.inner()?, network), first..network.order()))
    }

    fn no_leg(&self) -> RouterError {
        RouterError::Leg { name: self.name.to_owned(), inner: self.inner_name().to_owned() }
    }

    /// Routes on virtual channels that cannot deadlock, as many as they turn up again.
    fn layered(&self, routes: Result<impl Router + 'static, TableError>) -> RouterResult {
        let routes = Arc::new(routes.map_err(|error| self.failed(error))?);
        Ok(Arc::new(UpDownLayers::new(self.network.clone(), routes, None)))
    }

    fn failed(&self, error: TableError) -> RouterError {
        RouterError::Table { name: self.name.to_owned(), error }
    }
}

fn valiant(maker: &Maker<'_>) -> RouterResult {
    let (legs, middles) = maker.legs()?;
    Ok(Arc::new(Valiant::new(legs, middles).ok_or_else(|| maker.no_leg())?))
}

fn ugal(maker: &Maker<'_>, rule: UgalRule) -> RouterResult {
    let (legs, middles) = maker.legs()?;
    Ok(Arc::new(Ugal::new(legs, middles, rule).ok_or_else(|| maker.no_leg())?))
}

fn adaptive(maker: &Maker<'_>) -> RouterResult {
    // Any router that keeps no state, also one that is made; a network without `shortest` escapes by `balanced`.
    let usual = if maker.built.router("shortest").is_some() { "shortest" } else { "balanced" };
    let name = maker.inner.unwrap_or(usual);
    let escape = match maker.built.leg_router(name) {
        Some(own) => own,
        None => find_by_length(maker.built, name, maker.lengths, maker.budget)?,
    };
    let escape = Cached::speed_up(escape, &**maker.network);
    let router = Adaptive::new(&**maker.network, escape, maker.budget);
    let router = router.map_err(|error| maker.failed(error))?;
    let no_escape = || RouterError::Leg { name: maker.name.to_owned(), inner: name.to_owned() };
    Ok(Arc::new(router.ok_or_else(no_escape)?))
}

fn polarized(maker: &Maker<'_>) -> RouterResult {
    let router = Polarized::new(&**maker.network, maker.budget);
    Ok(Arc::new(router.map_err(|error| maker.failed(error))?))
}

fn table(maker: &Maker<'_>) -> RouterResult {
    let table = Table::new(&**maker.network, &*maker.inner()?, maker.budget);
    Ok(Arc::new(table.map_err(|error| maker.failed(error))?))
}

fn assigned(maker: &Maker<'_>) -> RouterResult {
    let inner = find_by_length(maker.built, maker.inner_name(), maker.lengths, maker.budget)?;
    with_assigned_vcs(maker.built, maker.name, &inner, maker.budget)
}

/// The routes of a router on virtual channels that cannot deadlock, as few as are found; `name` is for errors.
pub fn with_assigned_vcs(
    built: &Built,
    name: &str,
    router: &Arc<dyn Router>,
    budget: &Budget<'_>,
) -> RouterResult {
    let network = built.network.as_ref().ok_or(RouterError::NotBuilt)?;
    let found = assign(network, router, budget);
    let found = found
        .map_err(|error| RouterError::Assign { name: name.to_owned(), error: Box::new(error) })?;
    Ok(found.router)
}

fn balanced(maker: &Maker<'_>) -> RouterResult {
    maker.layered(Balanced::new(&**maker.network, maker.budget))
}

fn ecmp(maker: &Maker<'_>) -> RouterResult {
    maker.layered(Ecmp::new(&**maker.network, maker.budget))
}

fn optimized(maker: &Maker<'_>) -> RouterResult {
    let (mut text, mut paths) = ("uniform", DEFAULT_PATHS);
    let given = maker.inner.unwrap_or("");
    // The number of paths comes last; what a traffic has in parentheses is its own.
    let (before, last) = given.rsplit_once(',').unwrap_or(("", given));
    match last.trim().parse::<u64>() {
        Ok(number) => {
            let wanted = usize::try_from(number).ok().filter(|most| (1..=MAX_PATHS).contains(most));
            let wrong = || RouterError::Paths { name: maker.name.to_owned(), given: number };
            paths = wanted.ok_or_else(wrong)?;
            text = if before.is_empty() { text } else { before.trim() };
        }
        Err(_) if !given.is_empty() => text = given,
        Err(_) => {}
    }
    let failed = |error| {
        let (name, error) = (maker.name.to_owned(), Box::new(error));
        RouterError::Traffic { name, error }
    };
    let no_file = |_: &str| Err("a router's traffic is not read from a file".to_owned());
    let traffic = read_traffic(maker.built, text, &no_file, maker.budget).map_err(failed)?;
    optimized_for(maker.built, &traffic, paths, maker.budget).map_err(|error| match error {
        RouterError::Flow { error, .. } => RouterError::Flow { name: maker.name.to_owned(), error },
        error => error,
    })
}

/// The router `optimized` for a traffic that is known already, with at most so many paths a pair of switches.
pub fn optimized_for(
    built: &Built,
    traffic: &Traffic,
    paths: usize,
    budget: &Budget<'_>,
) -> RouterResult {
    let network = built.network.as_ref().ok_or(RouterError::NotBuilt)?;
    let failed = |error| RouterError::Flow { name: "optimized".to_owned(), error: Box::new(error) };
    let fabric = Fabric::of(&**network, budget).map_err(|error| failed(error.into()))?;
    let demands = Demands::of(&fabric, traffic, budget).map_err(failed)?;
    let router = optimize(&**network, &fabric, &demands, paths, budget).map_err(failed)?;
    Ok(Arc::new(router))
}

/// The traffic that a text names, for the hosts of a network; `file` has the text of a file.
pub fn read_traffic(
    built: &Built,
    text: &str,
    file: &dyn Fn(&str) -> Result<String, String>,
    budget: &Budget<'_>,
) -> Result<Traffic, TrafficError> {
    let ends = built.ends();
    let groups = || match &built.network {
        Some(network) => Groups::of(&**network, budget),
        None => Ok(Groups::new(Vec::new())),
    };
    let source = Source { ends: &ends, file, groups: &groups, memory: budget.memory };
    traffic::read(text, &source)
}

fn minimal(maker: &Maker<'_>, lengths: &[u16]) -> RouterResult {
    let minimal = Minimal::new(maker.network.clone(), maker.budget);
    Ok(Arc::new(minimal.map_err(|error| maker.failed(error.into()))?.by_length(lengths)))
}

/// Dimension order, where every node is a router of a product of lines and rings.
fn dimensions(built: &Built, network: &dyn Network) -> Option<Dimensions> {
    let sides = built.logical.product_sides();
    let sides = if sides.is_empty() { vec![network.order()] } else { sides };
    Dimensions::new(network, &sides)
}

fn dimension_order(maker: &Maker<'_>) -> RouterResult {
    let router = dimensions(maker.built, &**maker.network);
    let none = || RouterError::Needs {
        name: maker.name.to_owned(),
        needs: "a mesh or a torus, each node a router of its own",
    };
    Ok(Arc::new(router.ok_or_else(none)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nestnet_graph::Node;
    use nestnet_routing::Header;
    use nestnet_routing::route::{Entry, Greedy};
    use nestnet_topologies::build;

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

    /// Networks with and without hosts of their own, with parallel cables, and with hosts that forward.
    const MADE_FOR: [&str; 6] = [
        "rdn(petersen, 1)",
        "hosts(random_regular(20, 4, 1), 3)",
        "clos(8, 3, 2, 50)",
        "pgft([2, 4], [1, 2], [1, 2])",
        "bcube(3, 1)",
        "path(5)",
    ];

    /// The same routes, as a router without weighted paths.
    #[derive(Debug)]
    struct Walked(Arc<dyn Router>);

    impl Router for Walked {
        fn vcs(&self) -> u16 {
            self.0.vcs()
        }

        fn choices(&self) -> u64 {
            self.0.choices()
        }

        fn start(&self, from: Node, to: Node, choice: u64) -> Header {
            self.0.start(from, to, choice)
        }

        fn next(&self, at: Node, header: Header) -> Option<nestnet_routing::Hop> {
            self.0.next(at, header)
        }

        fn remembers(&self) -> bool {
            true
        }
    }

    #[test]
    fn made_routers_arrive_and_are_free_of_deadlock() {
        use nestnet_routing::route::deadlock::{certify, check};
        for spec in MADE_FOR {
            let built = build(spec).unwrap();
            let network = built.network.clone().unwrap();
            for name in ["balanced", "ecmp", "optimized", "optimized(3)", "optimized(shift(2), 2)"]
            {
                let router = find(&built, name).unwrap();
                let certificate = certify(&*network, &*router, &Budget::UNLIMITED).unwrap();
                assert!(certificate.is_free(), "{spec} {name}");
                check(&*network, &*router, &certificate, &Budget::UNLIMITED).unwrap();
                assert!(certificate.vcs <= router.vcs(), "{spec} {name}");
            }
        }
    }

    #[test]
    fn loads_of_weighted_paths_are_those_of_walks() {
        use nestnet_routing::flow::{routed_loads, worst_of_router};
        let budget = Budget::UNLIMITED;
        for spec in MADE_FOR {
            let built = build(spec).unwrap();
            let network = built.network.clone().unwrap();
            let router = find(&built, "optimized(4)").unwrap();
            let walked = Walked(router.clone());
            let fabric = Fabric::of(&*network, &budget).unwrap();
            for text in ["uniform", "shift(1)"] {
                let no_file = |_: &str| Err(String::new());
                let traffic = read_traffic(&built, text, &no_file, &budget).unwrap();
                let demands = Demands::between_hosts(&traffic, &budget).unwrap();
                let loads = |router: &dyn Router| {
                    let found =
                        routed_loads(&*network, router, &fabric, &demands, &budget).unwrap();
                    (found.loads, found.whole)
                };
                assert_eq!(loads(&*router), loads(&walked), "{spec} {text}");
            }
            if fabric.hosts_each().is_some() && network.hosts() <= 64 {
                let worst = |router: &dyn Router| {
                    let found = worst_of_router(&*network, router, &fabric, None, &budget);
                    found.unwrap().unwrap().load
                };
                assert!((worst(&*router) - worst(&walked)).abs() < 1e-9, "{spec}");
            }
        }
    }

    /// The last of the three is the traffic that is worst for the shortest paths of a dragonfly.
    #[test]
    fn optimized_paths_come_near_the_bound() {
        use nestnet_routing::flow::{concurrent, routed_loads};
        let budget = Budget { steps: 1 << 31, ..Budget::UNLIMITED };
        let cases = [
            ("hosts(random_regular(24, 5, 3), 3)", "uniform"),
            ("rcr(2, 3, 1)", "uniform"),
            ("hosts(dragonfly(4, 2), 2)", "shift(8)"),
        ];
        for (spec, text) in cases {
            let built = build(spec).unwrap();
            let network = built.network.clone().unwrap();
            let no_file = |_: &str| Err(String::new());
            let traffic = read_traffic(&built, text, &no_file, &budget).unwrap();
            let fabric = Fabric::of(&*network, &budget).unwrap();
            let between = Demands::of(&fabric, &traffic, &budget).unwrap();
            let bounds = concurrent(&fabric, &between, 0.02, &budget).unwrap().unwrap();
            let router = optimized_for(&built, &traffic, DEFAULT_PATHS, &budget).unwrap();
            let demands = Demands::between_hosts(&traffic, &budget).unwrap();
            let found = routed_loads(&*network, &*router, &fabric, &demands, &budget).unwrap();
            let busiest = *found.loads.iter().max().unwrap();
            let theta = found.whole as f64 / busiest as f64;
            assert!(theta >= 0.97 * bounds.low, "{spec}: {theta} of {}", bounds.low);
            assert!(theta <= bounds.high * (1.0 + 1e-9), "{spec}: {theta} of {}", bounds.high);
        }
    }

    /// One table for all hosts of a Clos keeps its links even.
    #[test]
    fn balanced_routes_of_a_clos_carry_all() {
        use nestnet_routing::flow::routed_loads;
        let budget = Budget::UNLIMITED;
        let built = build("clos(8, 3)").unwrap();
        let network = built.network.clone().unwrap();
        let fabric = Fabric::of(&*network, &budget).unwrap();
        let traffic = Traffic::uniform(network.hosts());
        let demands = Demands::between_hosts(&traffic, &budget).unwrap();
        let router = find(&built, "balanced").unwrap();
        let found = routed_loads(&*network, &*router, &fabric, &demands, &budget).unwrap();
        assert!(*found.loads.iter().max().unwrap() <= found.whole);
        assert!(Table::new(&*network, &*router, &budget).is_ok());
    }

    #[test]
    fn errors_name_what_is_wrong() {
        let built = build("hosts(ring(5), 2)").unwrap();
        let error = |name: &str| find(&built, name).unwrap_err().to_string();
        assert!(error("optimized(nothing)").contains("unknown traffic `nothing`"));
        assert!(error("optimized(65)").contains("1 to 64 paths, not 65"));
        assert!(error("balanced(shortest)").contains("unknown router"));
        assert!(error("fastest").contains("balanced, ecmp, optimized"));
        assert!(error("ugla").contains("did you mean `ugal`? this network has"));
        assert!(
            error("valiant(shortst)")
                .contains("`shortst` cannot be in parentheses: did you mean `shortest`?")
        );
    }

    #[test]
    fn all_names_are_of_routers_that_are_there() {
        for spec in [
            "mesh(4, 4)",
            "ring(8)",
            "hypercube(4)",
            "clos(4, 2)",
            "hosts(dragonfly(4, 2), 2)",
            "dragonfly(4, 2)",
            "ccc(3)",
            "hcn(2)",
            "random_regular(12, 3, 1)",
        ] {
            let built = build(spec).unwrap();
            let names = all_names(&built);
            for name in &names {
                assert!(find(&built, name).is_ok(), "{spec} {name} {:?}", find(&built, name));
            }
            for row in ROUTERS.iter().filter(|row| find(&built, row.name).is_ok()) {
                assert!(names.iter().any(|name| name == row.name), "{spec} {}", row.name);
            }
        }
    }
}
