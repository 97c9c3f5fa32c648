//! Virtual channels for any routes, so that they cannot deadlock, and few of them.

mod acyclic;
mod dependencies;
mod layered;
mod stepped;
#[cfg(test)]
mod tests;

pub use layered::{Grain, Layered};
pub use stepped::Stepped;

pub use dependencies::Turning;

use super::deadlock::{Certificate, DeadlockError, Links, certify};
use super::{Router, Table};
use nestnet_graph::budget::product;
use nestnet_graph::measure::search::distances_from;
use nestnet_graph::{Budget, Network, Node, kinds};
use std::cmp::Reverse;
use std::fmt;
use std::sync::Arc;
use stepped::Preference;
use thiserror::Error;

/// How virtual channels were assigned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssignedBy {
    /// The router's own were free of cycles, and no others are fewer.
    Own,
    /// They fall along a route: see [`Stepped`].
    Stepped,
    /// A message keeps one: see [`Layered`].
    Layered(Grain),
}

impl fmt::Display for AssignedBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            AssignedBy::Own => "own",
            AssignedBy::Stepped => "stepped",
            AssignedBy::Layered(Grain::Target) => "a lane for each target",
            AssignedBy::Layered(Grain::Pair) => "a lane for each pair",
        })
    }
}

/// Routes that cannot deadlock.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Assigned {
    /// The same routes on other virtual channels.
    pub router: Arc<dyn Router>,
    /// How they were found.
    pub how: AssignedBy,
    /// That they are free of cycles.
    pub certificate: Certificate,
}

/// Why there are no virtual channels for a router.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum AssignError {
    /// Its messages may go several ways.
    #[error("the router adapts to the traffic, and its messages have no route to be put on lanes")]
    Adapts,
    /// A lane for each target or pair needs routes that depend on it alone.
    #[error("the router remembers, and its messages cannot be put on lanes by their target")]
    Remembers,
    /// The routes cannot be followed.
    #[error(transparent)]
    Deadlock(#[from] DeadlockError),
}

kinds!(AssignError {
    Unsupported: Adapts, Remembers;
    inner: Deadlock;
});

/// More virtual channels than this are not tried.
const MAX_LANES: u16 = 256;

/// Steps to walk a route once for each lane.
const WALK_STEPS: u128 = 256;

/// The routes of `router` on virtual channels without a cycle, as few as are found; the certificate is that of the
/// result.
///
/// Tried are the router's own map and lanes that fall along the routes. Where the own map has a cycle, several
/// preferences of what such lanes accept are tried, and lanes that a message keeps. The result is always free; that it
/// is the fewest is not proven. O(hosts · nodes · lanes) for each preference.
///
/// ```
/// use nestnet_graph::Budget;
/// use nestnet_routing::route::{Searched, assign};
/// use nestnet_graph::{Csr, Network};
/// use nestnet_routing::Router;
/// use std::sync::Arc;
///
/// let links = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)];
/// let ring: Arc<dyn Network> = Arc::new(Csr::from_links(5, &links, 1 << 20)?);
/// let shortest: Arc<dyn Router> = Arc::new(Searched::new(ring.clone()).unwrap());
/// let assigned = assign::assign(&ring, &shortest, &Budget::UNLIMITED)?;
/// assert!(assigned.certificate.is_free());
/// assert_eq!(assigned.certificate.vcs, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn assign(
    network: &Arc<dyn Network>,
    router: &Arc<dyn Router>,
    limits: &Budget<'_>,
) -> Result<Assigned, AssignError> {
    let own = certify(&**network, &**router, limits)?;
    let is_free = own.is_free();
    let own = Assigned { router: router.clone(), how: AssignedBy::Own, certificate: own };
    // One virtual channel cannot be undercut.
    if is_free && own.certificate.vcs <= 1 {
        return Ok(own);
    }
    if router.adapts() {
        return if is_free { Ok(own) } else { Err(AssignError::Adapts) };
    }
    let most = if is_free { own.certificate.vcs - 1 } else { MAX_LANES };
    // A map that is there already, or routes that must be walked one by one, are not worth all of it.
    let effort = if is_free || router.remembers() { Effort::Once } else { Effort::Thorough };
    match fewest(network, router, most, effort, limits)? {
        Some((router, how)) => {
            let certificate = certify(&**network, &*router, limits)?;
            Ok(Assigned { router, how, certificate })
        }
        None => Ok(own),
    }
}

/// A router with lanes of ours, and how they were found.
type Found = (Arc<dyn Router>, AssignedBy);

/// At most so many lanes, or `None`.
fn fewest(
    network: &Arc<dyn Network>,
    router: &Arc<dyn Router>,
    mut most: u16,
    effort: Effort,
    limits: &Budget<'_>,
) -> Result<Option<Found>, AssignError> {
    if router.remembers() {
        let hosts = u128::from(network.hosts());
        limits
            .affords(
                "following all routes",
                product([hosts, hosts, router.choices().into(), WALK_STEPS]),
            )
            .map_err(DeadlockError::from)?;
    }
    let (inner, turning) = prepare(network, router, limits)?;
    let mut best: Option<Found> = None;
    let preferences = match effort {
        Effort::Once => vec![Preference::Weight],
        Effort::Thorough => preferences(&**network),
    };
    for preference in preferences {
        let (turning, inner) = (turning.clone(), inner.clone());
        if let Some(found) = Stepped::new(&**network, turning, inner, &preference, most, limits)? {
            // The next one must be better.
            most = found.vcs() - 1;
            best = Some((Arc::new(found.with_inner(router.clone())), AssignedBy::Stepped));
        }
    }
    for grain in [Grain::Target, Grain::Pair] {
        // One lane would have been found above.
        if effort == Effort::Once || most < 2 {
            break;
        }
        let found = Layered::new(&**network, &turning, inner.clone(), grain, most, limits)?;
        if let Some(found) = found {
            most = found.vcs() - 1;
            best = Some((Arc::new(found.with_inner(router.clone())), AssignedBy::Layered(grain)));
        }
    }
    Ok(best)
}

/// How much is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effort {
    /// What is best on most networks.
    Once,
    /// All there is.
    Thorough,
}

/// A lane for each target or each pair, which a message keeps.
pub fn layer(
    network: &Arc<dyn Network>,
    router: &Arc<dyn Router>,
    grain: Grain,
    limits: &Budget<'_>,
) -> Result<Option<Layered>, AssignError> {
    if router.adapts() {
        return Err(AssignError::Adapts);
    }
    if router.remembers() {
        return Err(AssignError::Remembers);
    }
    let (inner, turning) = prepare(network, router, limits)?;
    let found = Layered::new(&**network, &turning, inner, grain, MAX_LANES, limits)?;
    Ok(found.map(|found| found.with_inner(router.clone())))
}

/// The router in a table where that fits, and the numbers of its dependencies.
fn prepare(
    network: &Arc<dyn Network>,
    router: &Arc<dyn Router>,
    limits: &Budget<'_>,
) -> Result<(Arc<dyn Router>, Arc<Turning>), AssignError> {
    let links = Links::new(&**network, limits)?;
    let turning = Arc::new(Turning::new(links, limits)?);
    let half = Budget { memory: limits.memory / 2, ..*limits };
    let table = Table::new(&**network, &**router, &half);
    let inner = table.map_or_else(|_| router.clone(), |table| Arc::new(table) as Arc<dyn Router>);
    Ok((inner, turning))
}

/// What to accept first: the dependencies of most routes; or none that go down and up again in one of the rankings.
fn preferences(network: &dyn Network) -> Vec<Preference> {
    let ranked = rankings(network).into_iter().map(Preference::Ranking);
    [Preference::Weight].into_iter().chain(ranked).collect()
}

/// Ranks of all nodes by which routes may go up and down: toward the node of most links, as in up*/down* routing; by
/// links.
pub(super) fn rankings(network: &dyn Network) -> [Vec<u32>; 2] {
    let order = u32::try_from(network.order()).expect("its links are in memory");
    let ranking = |keys: Vec<(u32, u32)>| {
        let mut nodes: Vec<u32> = (0..order).collect();
        nodes.sort_by_key(|&node| (keys[node as usize], node));
        let mut ranks = vec![0; nodes.len()];
        (0..).zip(nodes).for_each(|(rank, node)| ranks[node as usize] = rank);
        ranks
    };
    let mut degree = vec![0u32; order as usize];
    for (at, degree) in (0..).map(Node).zip(&mut degree) {
        network.for_each_neighbor(at, &mut |_, _| *degree += 1);
    }
    let root = (0..order).min_by_key(|&node| Reverse(degree[node as usize]));
    let depth = root.map_or_else(Vec::new, |root| distances_from(network, Node(root.into())));
    let by_depth =
        depth.iter().zip(&degree).map(|(&depth, &degree)| (u32::MAX - depth, u32::MAX - degree));
    [ranking(by_depth.collect()), ranking(degree.iter().map(|&degree| (degree, 0)).collect())]
}
