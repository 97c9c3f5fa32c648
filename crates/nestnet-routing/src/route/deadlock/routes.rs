//! The same question for routes that were written down by others.

use super::check;
use super::flaw::CheckError;
use super::graph::{Graph, Layout, Links};
use super::places::Places;
use super::{Certificate, Channel, Deadlock, DeadlockError, Dependency, Message, cycle};
use crate::Vc;
use nestnet_graph::theory::How;
use nestnet_graph::{Budget, Csr, CsrError, Network, Node, Port, index};
use std::collections::{HashMap, HashSet};

/// One route, as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// Where it stands; 1-based.
    pub line: u64,
    /// At least two, each with the next a link.
    pub nodes: Vec<Node>,
    /// One fewer than nodes.
    pub vcs: Vec<Vc>,
}

/// The network of all links that the routes take, in either direction.
pub fn links_of(routes: &[Route], limit: u64) -> Result<Csr, CsrError> {
    let nodes = || routes.iter().flat_map(|route| &route.nodes);
    let order = nodes().map(|node| node.0 + 1).max().unwrap_or(0);
    let hops = routes.iter().flat_map(|route| route.nodes.windows(2));
    let links: Result<Vec<(u32, u32)>, CsrError> = hops
        .map(|hop| match (u32::try_from(hop[0].0), u32::try_from(hop[1].0)) {
            (Ok(from), Ok(to)) => Ok((from.min(to), from.max(to))),
            _ => Err(CsrError::TooManyNodes { order }),
        })
        .collect();
    let mut links = links?;
    links.sort_unstable();
    links.dedup();
    Csr::from_links(order, &links, limit)
}

/// Whether messages on these routes can deadlock. Every hop must be a link of the network.
///
/// The message of a dependency is the first route that makes it, and its choice is the line of that route.
/// [`links_of`] gives the network of all links that the routes take.
///
/// ```
/// use nestnet_graph::Budget;
/// use nestnet_routing::route::deadlock::{certify_routes, check_routes, links_of};
/// use nestnet_routing::route::route_list;
///
/// let routes = route_list::read("0 1 2\n1 2 0\n2 0 1\n".as_bytes())?;
/// let network = links_of(&routes, 1 << 20)?;
/// let certificate = certify_routes(&network, &routes, &Budget::UNLIMITED)?;
/// assert!(!certificate.is_free());
/// check_routes(&network, &routes, &certificate, &Budget::UNLIMITED)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn certify_routes(
    network: &dyn Network,
    routes: &[Route],
    limits: &Budget<'_>,
) -> Result<Certificate, DeadlockError> {
    let links = Links::new(network, limits)?;
    let ports = ports(network, routes)?;
    let vcs = routes.iter().flat_map(|route| &route.vcs).map(|vc| vc.0 + 1).max().unwrap_or(1);
    let layout = Layout::new(links, vcs, limits)?;
    let mut seen = layout.blank();
    let mut pairs = HashSet::new();
    let number = |hop: (&[Node], Vc)| {
        let port = ports[&(hop.0[0], hop.0[1])];
        layout.index(index(hop.0[0]), port, hop.1)
    };
    for route in routes {
        limits.watch.check()?;
        let mut last = None;
        for hop in route.nodes.windows(2).zip(route.vcs.iter().copied()) {
            let channel = number(hop);
            seen.take(channel);
            if let Some(last) = last {
                seen.depend(&layout, last, channel);
            }
            last = Some(channel);
        }
        pairs.insert((route.nodes[0], route.nodes[route.nodes.len() - 1]));
    }
    let graph = Graph::new(&layout, seen);
    let verdict = match graph.order() {
        Ok(order) => {
            Deadlock::Free { order: order.into_iter().map(|c| graph.channel(c)).collect() }
        }
        Err(stuck) => {
            let cycle = cycle::shortest(&graph, &stuck, &limits.watch)?;
            let mut makers: HashMap<(usize, usize), Message> = HashMap::new();
            for route in routes.iter().rev() {
                let hops: Vec<usize> =
                    route.nodes.windows(2).zip(route.vcs.iter().copied()).map(number).collect();
                let to = route.nodes[route.nodes.len() - 1];
                let message = Message { from: route.nodes[0], to, choice: route.line };
                makers.extend(hops.windows(2).map(|pair| ((pair[0], pair[1]), message)));
            }
            let dependency = |i: usize| {
                let (channel, next) = (cycle[i], cycle[(i + 1) % cycle.len()]);
                let message = makers[&(channel, next)];
                Dependency { channel: graph.channel(channel), next: graph.channel(next), message }
            };
            Deadlock::Cycle((0..cycle.len()).map(dependency).collect())
        }
    };
    Ok(Certificate {
        verdict,
        vcs: graph.vcs_used(),
        channels: graph.channels(),
        dependencies: graph.dependencies(),
        pairs: pairs.len() as u64,
        how: How::Exhaustive,
    })
}

/// The port of every hop.
fn ports(
    network: &dyn Network,
    routes: &[Route],
) -> Result<HashMap<(Node, Node), Port>, DeadlockError> {
    let mut ports = HashMap::new();
    let mut asked = HashSet::new();
    for route in routes {
        for hop in route.nodes.windows(2) {
            let (from, to) = (hop[0], hop[1]);
            if from.0 < network.order() && asked.insert(from) {
                network.for_each_neighbor(from, &mut |port, next| {
                    ports.insert((from, next), port);
                });
            }
            if !ports.contains_key(&(from, to)) {
                return Err(DeadlockError::NoLink { line: route.line, from, to });
            }
        }
    }
    Ok(ports)
}

/// Follows every route once more and sees that its channels rise in the order; or that every dependency of the cycle
/// is made by the route of its line.
pub fn check_routes(
    network: &dyn Network,
    routes: &[Route],
    certificate: &Certificate,
    limits: &Budget<'_>,
) -> Result<(), CheckError> {
    let mut known: HashMap<Node, HashMap<Node, Port>> = HashMap::new();
    let mut channels = |route: &Route| -> Vec<Channel> {
        let hops = route.nodes.windows(2).zip(&route.vcs);
        hops.map(|(ends, &vc)| {
            let own = known.entry(ends[0]).or_insert_with(|| {
                let mut own = HashMap::new();
                network.for_each_neighbor(ends[0], &mut |port, next| {
                    own.insert(next, port);
                });
                own
            });
            // A hop that is no link has a port that no order holds.
            let port = own.get(&ends[1]).copied().unwrap_or(Port(u32::MAX));
            Channel { node: ends[0], port, vc }
        })
        .collect()
    };
    match &certificate.verdict {
        Deadlock::Free { order } => {
            let places = Places::new(network, order, limits)?;
            check::counts_of_order(certificate, order)?;
            let mut pairs = HashSet::new();
            for route in routes {
                let (from, to) = (route.nodes[0], route.nodes[route.nodes.len() - 1]);
                pairs.insert((from, to));
                let mut last = 0;
                for channel in channels(route) {
                    let place = places.of(channel, to)?;
                    if place <= last {
                        return Err(CheckError::AgainstOrder { from, to, channel });
                    }
                    last = place;
                }
            }
            check::count("pairs", certificate.pairs, pairs.len() as u64)
        }
        Deadlock::Cycle(cycle) => {
            check::closes(cycle)?;
            for dependency in cycle {
                let mut lines = routes.iter().filter(|r| r.line == dependency.message.choice);
                let route = lines.next().map(&mut channels).unwrap_or_default();
                let made = [dependency.channel, dependency.next];
                if !route.windows(2).any(|pair| pair == made) {
                    return Err(CheckError::NotMade(*dependency));
                }
            }
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nestnet_seed::samples::ring;

    /// Nodes are 0 to 2: what is written of node 3 is no link, wherever it stands.
    #[test]
    fn routes_of_nodes_that_are_not_there_are_refused() {
        for (nodes, from, to) in [([3, 0], 3, 0), ([0, 3], 0, 3), ([4, 3], 4, 3)] {
            let first = Route { line: 1, nodes: vec![Node(0), Node(1)], vcs: vec![Vc(0)] };
            let route = Route { line: 2, nodes: nodes.map(Node).to_vec(), vcs: vec![Vc(0)] };
            let found = certify_routes(&ring(3), &[first, route], &Budget::UNLIMITED);
            let (from, to) = (Node(from), Node(to));
            assert_eq!(found, Err(DeadlockError::NoLink { line: 2, from, to }));
        }
    }
}
