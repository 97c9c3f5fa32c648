//! Routes: of one message, link by link, and what is found of all of them.

use crate::routers::default_name;
use nestnet_graph::measure::search::distances_from;
use nestnet_graph::{Address, Network, Node, Port, fields};
use nestnet_routing::Router;
use nestnet_routing::route::{
    Against, Ending, Faults, MAX_SEARCHED, Survey, WalkError, Worst, most_hops, walk,
};
use nestnet_topologies::family::Built;
use nestnet_topologies::family::built::AS_PRINTED;
use serde::{Serialize, Serializer};
use thiserror::Error;

/// The route of a message.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Route {
    /// The name of the router.
    pub router: String,
    /// Where the message starts.
    pub from: Node,
    /// Where it should go.
    pub to: Node,
    /// Where it was, from the source on.
    pub nodes: Vec<Node>,
    /// Their addresses.
    pub addresses: Vec<Address>,
    /// The links, unless a text is followed or there is no route.
    pub links: Option<Links>,
    /// The distance of both ends, where there is a route and the distance is known.
    pub distance: Option<u64>,
    /// How it ends; `None` where the router has no hop on from the last node.
    pub ending: Option<Ending>,
}

/// The links of a route, in order.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Links {
    /// The port of each at the node where it begins.
    pub ports: Vec<u32>,
    /// The level of each.
    pub levels: Vec<u16>,
    /// The virtual channel of each.
    pub vcs: Vec<u16>,
}

impl Route {
    /// Whether the message comes to its target.
    pub fn arrives(&self) -> bool {
        self.ending == Some(Ending::Arrives)
    }

    /// The same among what has not failed: the distance of both ends is that in what is left.
    #[must_use]
    pub fn around(self, network: &dyn Network, faults: &Faults) -> Self {
        let left = || distance_around(network, faults, self.from, self.to);
        let distance = self.ending.and_then(|_| left());
        Route { distance, ..self }
    }

    /// How many links it takes.
    pub fn hops(&self) -> usize {
        self.nodes.len().saturating_sub(1)
    }
}

impl Serialize for Route {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // A text that goes on from another node describes no path.
        let path = !matches!(self.ending, None | Some(Ending::NotForwarded));
        let links = self.links.as_ref();
        let printed = self.ending.filter(|_| links.is_none());
        fields!(
            serializer,
            "Route",
            router = self.router,
            from = self.from,
            to = self.to,
            /// The nodes on its way, both ends included; none where a printed text goes on from another node.
            path: Option<&Vec<Node>> = path.then_some(&self.nodes),
            /// Their addresses.
            [addresses]: &Vec<Address> = self.ending.map(|_| &self.addresses),
            /// The level of each link.
            [levels]: &Vec<u16> = links.map(|links| &links.levels),
            /// The port by which each node but the last sends.
            [ports]: &Vec<u32> = links.map(|links| &links.ports),
            /// The virtual channel of each link.
            [vcs]: &Vec<u16> = links.map(|links| &links.vcs),
            /// How many links it takes.
            hops: Option<usize> = self.ending.map(|_| self.hops()),
            distance = self.distance,
            /// How it ends, where it follows a printed text.
            [outcome]: &str = printed.map(Ending::words),
            /// The node at which it ends, where it follows a printed text.
            [ends_at]: &Node = self.nodes.last().filter(|_| links.is_none()),
        )
    }
}

/// Why there is no route to show.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RouteError {
    /// No text is followed to the letter.
    #[error(
        "no routing of this network is kept as printed; its routers are {routers}, and docs/procedures.md says which of \
         them are readings of its paper"
    )]
    NotPrinted {
        /// The names of all that it has.
        routers: String,
    },
    /// The router has fewer choices.
    #[error("`choice=` must be below {choices} for router `{router}`")]
    Choice {
        /// The router.
        router: String,
        /// How many it has.
        choices: u64,
    },
    /// The text has none for these ends.
    #[error("router `{router}`: there is no path")]
    None {
        /// The router.
        router: String,
    },
    /// The router breaks its contract.
    #[error("router `{router}`: {error}")]
    Walk {
        /// The router.
        router: String,
        /// What it did.
        error: WalkError,
    },
}

/// The name of the router that is asked for: the text of the paper, or by name, or the default of the network.
pub fn router_name<'a>(
    built: &Built,
    asked: Option<&'a str>,
    as_printed: bool,
) -> Result<&'a str, RouteError> {
    match (as_printed, asked) {
        (true, _) if built.procedure(AS_PRINTED).is_none() => {
            Err(RouteError::NotPrinted { routers: built.router_names().join(", ") })
        }
        (true, _) => Ok(AS_PRINTED),
        (false, Some(name)) => Ok(name),
        (false, None) => Ok(default_name(built)),
    }
}

/// The route by the text of a paper, also where it does not arrive; `None` where `router` is no such text.
pub fn by_text(
    built: &Built,
    router: &str,
    (from, to): (Node, Node),
    choice: u64,
) -> Result<Option<Route>, RouteError> {
    let Some((network, text)) = built.network.as_deref().zip(built.procedure(router)) else {
        return Ok(None);
    };
    let router = router.to_owned();
    if choice > 0 {
        return Err(RouteError::Choice { router, choices: 1 });
    }
    let Some(trace) = text.trace(from, to) else { return Err(RouteError::None { router }) };
    let addresses = trace.nodes.iter().map(|&node| network.address(node)).collect();
    let (nodes, ending) = (trace.nodes, Some(trace.ending));
    let distance = distance(network, from, to);
    Ok(Some(Route { router, from, to, nodes, addresses, links: None, distance, ending }))
}

/// The route by a router, which is called `name`.
pub fn by_router(
    network: &dyn Network,
    router: &dyn Router,
    name: &str,
    (from, to): (Node, Node),
    choice: u64,
) -> Result<Route, RouteError> {
    let choices = router.choices();
    let name = name.to_owned();
    if choice >= choices {
        return Err(RouteError::Choice { router: name, choices });
    }
    let found = match walk(network, router, from, to, choice, most_hops(router)) {
        Ok(found) => found,
        Err(WalkError::Ends { at }) => {
            let nodes = if at == from { vec![from] } else { vec![from, at] };
            let addresses = vec![network.address(from)];
            let (links, distance, ending) = (None, None, None);
            let router = name;
            return Ok(Route { router, from, to, nodes, addresses, links, distance, ending });
        }
        Err(error) => return Err(RouteError::Walk { router: name, error }),
    };
    let levels = found.nodes.iter().zip(&found.hops).map(|(&at, hop)| network.level(at, hop.port));
    Ok(Route {
        router: name,
        from,
        to,
        addresses: found.nodes.iter().map(|&node| network.address(node)).collect(),
        links: Some(Links {
            levels: levels.collect(),
            ports: found.hops.iter().map(|hop| hop.port.0).collect(),
            vcs: found.hops.iter().map(|hop| hop.vc.0).collect(),
        }),
        nodes: found.nodes,
        distance: distance(network, from, to),
        ending: Some(Ending::Arrives),
    })
}

/// By closed form, or by search where that is quick.
fn distance(network: &dyn Network, from: Node, to: Node) -> Option<u64> {
    network.distance(from, to).or_else(|| {
        let distances = (network.order() <= MAX_SEARCHED).then(|| distances_from(network, to))?;
        let distance = *distances.get(usize::try_from(from.0).ok()?)?;
        (distance != u32::MAX).then_some(distance.into())
    })
}

/// More links than these are not looked at for a distance.
const MOST_STEPS: u64 = 1 << 24;

/// The distance among nodes and links that have not failed, by search where that is quick.
fn distance_around(network: &dyn Network, faults: &Faults, from: Node, to: Node) -> Option<u64> {
    let order = Some(network.order()).filter(|&order| order <= MAX_SEARCHED)?;
    let mut seen = vec![false; usize::try_from(order).ok()?];
    let index = |node: Node| usize::try_from(node.0).unwrap_or(usize::MAX);
    *seen.get_mut(index(from))? = true;
    let (mut now, mut far, mut steps) = (vec![from], 0, 0);
    while !now.is_empty() && from != to {
        let mut next = Vec::new();
        far += 1;
        for at in now {
            network.for_each_neighbor(at, &mut |_, near| {
                steps += 1;
                if faults.passes(at, near) && !std::mem::replace(&mut seen[index(near)], true) {
                    next.push(near);
                }
            });
            if seen[index(to)] {
                return Some(far);
            }
            if steps > MOST_STEPS {
                return None;
            }
        }
        now = next;
    }
    (from == to).then_some(0)
}

/// The routes of all pairs of hosts by a router, or of a sample of them.
#[derive(Clone, Debug)]
pub struct RoutingReport {
    /// The router that was taken.
    pub router: String,
    /// How many virtual channels the router has.
    pub vcs: u16,
    /// How many routes of a pair the router chooses among.
    pub choices: u64,
    /// Bytes of state that the router keeps at a node.
    pub state_bytes: u64,
    /// Where there are faults: how many nodes and links, unless there are too many to ask.
    pub failed: Option<Option<(u64, u64)>>,
    /// Whether all pairs were walked, or a sample.
    pub how: String,
    /// What was found.
    pub survey: Survey,
}

/// The channel with the largest load.
#[derive(Clone, Copy, Debug, Serialize)]
struct Busiest {
    /// The node that sends over it.
    node: Node,
    /// The node at its other end.
    to: Node,
    /// Its port at `node`.
    port: Port,
}

/// A message that does not arrive.
#[derive(Clone, Debug, Serialize)]
struct Lost {
    /// The node that sends.
    from: Node,
    /// The node that the message is for.
    to: Node,
    /// Which of the choices of the router it takes.
    choice: u64,
    /// What happens to it.
    why: String,
}

impl Serialize for RoutingReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (survey, loads) = (&self.survey, self.survey.loads.as_ref());
        let intact = self.failed.map(|_| Against::Intact);
        fields!(
            serializer,
            "Routing",
            router = self.router,
            pairs = self.survey.pairs,
            arrived = self.survey.arrived,
            unreachable = self.survey.unreachable,
            /// Links of the longest route.
            max_hops: Option<u64> = survey.max_hops(),
            /// Links of a route, on average.
            mean_hops: Option<f64> = survey.mean_hops(),
            /// The largest ratio of a route to a shortest path of what is left.
            max_stretch: Option<f64> = survey.max_stretch(Against::Alive),
            /// The mean of this ratio.
            mean_stretch: Option<f64> = survey.mean_stretch(Against::Alive),
            how = self.how,
            /// Routes by their number of links, from 0 on.
            histogram: Vec<u64> = survey.histogram(),
            vcs = self.vcs,
            /// Virtual channels that routes use.
            vcs_used = self.survey.vcs_used,
            choices = self.choices,
            state_bytes = self.state_bytes,
            /// The load of the busiest channel when every host sends 1 to each other, where all pairs were
            /// walked.
            [max_load]: f64 = loads.map(|loads| loads.max()),
            /// The mean load of a channel.
            [mean_load]: Option<f64> = loads.map(|loads| loads.mean()),
            /// The largest load as a multiple of the mean.
            [load_ratio]: Option<f64> = loads.map(|loads| loads.ratio()),
            /// No routing has a busiest channel of less load; none where something has failed.
            [least_load]: f64 = loads.and_then(|loads| loads.least()),
            /// The busiest channel.
            [busiest]: Option<Busiest> = loads
                .map(|loads| { loads.busiest.map(|(node, port, to)| Busiest { node, to, port }) }),
            /// Nodes that have failed, where there are faults.
            [failed_nodes]: Option<u64> = self.failed.map(|failed| failed.map(|(nodes, _)| nodes)),
            /// Links that have failed, where there are faults.
            [failed_links]: Option<u64> = self.failed.map(|failed| failed.map(|(_, links)| links)),
            /// The largest ratio of a route to a shortest path of the intact network, where there are faults.
            [max_stretch_intact]: Option<f64> = intact.map(|intact| survey.max_stretch(intact)),
            /// The mean of this ratio.
            [mean_stretch_intact]: Option<f64> = intact.map(|intact| survey.mean_stretch(intact)),
            /// The pair with the largest stretch, where not all routes are shortest.
            [worst]: Worst = survey.worst.filter(|worst| worst.hops > worst.distance),
            /// The first message that does not arrive.
            [failure]: Lost = survey.failure.map(|lost| Lost {
                from: lost.from,
                to: lost.to,
                choice: lost.choice,
                why: lost.error.to_string(),
            }),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distance_is_that_among_what_is_left() {
        let built = nestnet_topologies::build("ring(8)").unwrap();
        let network = built.network.clone().unwrap();
        let mut faults = Faults::default();
        let left = |faults: &Faults| distance_around(&*network, faults, Node(0), Node(2));
        assert_eq!(left(&faults), Some(2));
        faults.fail_link(Node(0), Node(1));
        assert_eq!(left(&faults), Some(6));
        faults.fail_node(Node(5));
        assert_eq!(left(&faults), None);
    }
}
