//! Which router and which traffic does a simulation run with, by their names?

use crate::family::Built;
use crate::routers::{self, RouterError};
use crate::throughput::{Ask, ThroughputError, read_traffic, throughput};
use nestnet_core::fabric::Fabric;
use nestnet_core::route::assign::{AssignError, assign};
use nestnet_core::route::{Cached, DetourError, Detouring, Faults, Lot};
use nestnet_core::sim::Policy;
use nestnet_core::traffic::Traffic;
use nestnet_core::{Budget, CsrError, Network, Node, Router};
use std::sync::Arc;
use thiserror::Error;

/// The router of that name, quick to ask, and how packets choose among its ways; `ugal` is the shortest way or one
/// through any node, by the queues.
pub fn router_of(
    built: &Built,
    name: &str,
    budget: &Budget<'_>,
) -> Result<(Arc<dyn Router>, Policy), RouterError> {
    let network = built.network.as_ref().ok_or(RouterError::NotBuilt)?;
    let (name, policy) = match name {
        "ugal" => ("valiant", Policy::Ugal),
        name => (name, Policy::Oblivious),
    };
    let router = routers::find_within(built, name, budget)?;
    Ok((Cached::speed_up(router, &**network), policy))
}

/// Who sends to whom; `worst` is the permutation that is worst for the router.
pub fn traffic_of(
    built: &Built,
    traffic: &str,
    router: &str,
    file: &dyn Fn(&str) -> Result<String, String>,
    budget: &Budget<'_>,
) -> Result<Traffic, ThroughputError> {
    let router = if router == "ugal" { "shortest" } else { router };
    let ask = Ask { traffic, router, gap: None, file };
    if traffic.trim() != "worst" {
        return read_traffic(built, &ask, budget);
    }
    let found = throughput(built, &ask, budget)?;
    let worst = found.permutation.ok_or(ThroughputError::NoWorst)?;
    Ok(Traffic::permutation("worst", worst))
}

/// Links that failed, and routes around them that cannot deadlock.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Rerouted {
    /// What failed.
    pub links: Vec<(Node, Node)>,
    /// The routes, on virtual channels that are proven free of cycles.
    pub router: Arc<dyn Router>,
}

/// Why there are no routes around faults.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum RerouteError {
    /// It cannot be written out.
    #[error(transparent)]
    Csr(#[from] CsrError),
    /// Too large for detours.
    #[error(transparent)]
    Detour(#[from] DetourError),
    /// No virtual channels, or no path.
    #[error(transparent)]
    Assign(#[from] AssignError),
}

/// Each link between routers fails with probability `rate`, by the lot of `seed`, as in
/// [`resilience`](nestnet_core::route::resilience); routes go around what failed, and virtual channels are assigned that
/// are proven free.
pub fn reroute(
    network: &Arc<dyn Network>,
    router: &Arc<dyn Router>,
    rate: f64,
    seed: u64,
    budget: &Budget<'_>,
) -> Result<Rerouted, RerouteError> {
    let fabric = Fabric::of(&**network, budget)?;
    let mut lot = Faults::default();
    lot.draw(Lot { seed, nodes: 0.0, links: rate });
    let ends = (0u32..).take(fabric.hosts.len());
    let ends = ends.flat_map(|from| fabric.csr.neighbors(from).iter().map(move |&to| (from, to)));
    let links: Vec<(Node, Node)> = ends
        .filter(|(from, to)| from < to)
        .map(|(from, to)| (fabric.node(from), fabric.node(to)))
        .filter(|&(from, to)| lot.has_link(from, to))
        .collect();
    let mut faults = Faults::default();
    links.iter().for_each(|&(from, to)| faults.fail_link(from, to));
    let detours = Detouring::new(network.clone(), router.clone(), Arc::new(faults))?;
    let detours: Arc<dyn Router> = Arc::new(detours.arriving());
    let assigned = assign(network, &detours, budget)?;
    Ok(Rerouted { links, router: assigned.router })
}
