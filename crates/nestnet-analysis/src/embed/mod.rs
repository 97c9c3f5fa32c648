//! How well does one network fit into another? Dilation, congestion, expansion and load of an embedding.

mod heuristic;

use nestnet_collectives::program::Layout;
use nestnet_graph::measure::search::distances_from;
use nestnet_graph::measure::{Interrupted, Watch};
use nestnet_graph::{Budget, Network, Node, OverBudget, fields, index, kinds};
use nestnet_routing::route::{WalkError, walk};
use nestnet_topologies::family::{Built, Grain};
use nestnet_topologies::spec::Spec;
use serde::{Serialize, Serializer};
use thiserror::Error;

/// Where the map comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Map {
    /// The host emulates the guest: logical addresses are its ids.
    Natural,
    /// Node i of the guest is node i of the host, improved by exchanges.
    Identity,
    /// Nodes in the order of a breadth-first search of both, improved by exchanges.
    Search,
    /// A tree row by row, with exchanges along chains: ours, after the idea of the host's paper.
    Paper,
}

/// How a map is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// By the layout of the host, or else by exchanges, at most so many.
    Best {
        /// How many exchanges are tried.
        exchanges: u64,
    },
    /// A complete binary tree, after the idea of the host's paper. Lemma 1 of the cubes of rings has a partition of the
    /// tree onto cube planes, which is not followed; its exchanges along chains are.
    Paper,
}

impl Map {
    /// A word for it.
    pub fn name(self) -> &'static str {
        match self {
            Map::Natural => "natural",
            Map::Identity => "identity, improved",
            Map::Search => "breadth first, improved",
            Map::Paper => "row by row with exchanges along chains, ours after the paper's idea",
        }
    }
}

/// How good an embedding is.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Embedding {
    /// Where the map comes from.
    pub map: Map,
    /// The image of each node of the guest.
    pub images: Vec<Node>,
    /// Links of the guest.
    pub links: u64,
    /// The longest distance, in links, between the images of two linked nodes.
    pub dilation: u64,
    /// The sum of these distances over all links.
    pub total: u64,
    /// Links of the guest, each in both directions, routed over the busiest channel of the host.
    pub congestion: u64,
    /// The most nodes of the guest at one node of the host.
    pub load: u64,
}

/// How well a guest fits into a host.
#[derive(Clone, Copy, Debug)]
pub struct Embedded<'a> {
    /// The network that is embedded.
    pub guest: &'a Built,
    /// The network that it is embedded in.
    pub host: &'a Built,
    /// The embedding.
    pub found: &'a Embedding,
    /// The node of the host for every node of the guest, where it is wanted.
    pub images: Option<&'a [Node]>,
}

impl Embedded<'_> {
    /// How many nodes the guest and the host have.
    pub fn nodes(&self) -> (u64, u64) {
        let order = |built: &Built| built.network.as_ref().map_or(0, |network| network.order());
        (order(self.guest), order(self.host))
    }

    /// Nodes of the host for each of the guest.
    pub fn expansion(&self) -> f64 {
        let (guests, hosts) = self.nodes();
        hosts as f64 / guests as f64
    }
}

impl Serialize for Embedded<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (guests, hosts) = self.nodes();
        fields!(
            serializer,
            "Embedding",
            /// The network that is embedded.
            guest: &Spec = self.guest.spec(),
            /// The network that it is embedded in.
            host: &Spec = self.host.spec(),
            /// Where the map comes from.
            map: &str = self.found.map.name(),
            /// Nodes of the guest.
            guest_nodes: u64 = guests,
            /// Nodes of the host.
            host_nodes: u64 = hosts,
            guest_links = self.found.links,
            dilation = self.found.dilation,
            /// The mean of these distances.
            mean_dilation: f64 = self.found.mean_dilation(),
            congestion = self.found.congestion,
            /// Nodes of the host for each node of the guest.
            expansion: f64 = self.expansion(),
            load = self.found.load,
            [images] = self.images,
        )
    }
}

impl Embedding {
    /// The mean distance between the images of two linked nodes; 0 without links.
    pub fn mean_dilation(&self) -> f64 {
        if self.links == 0 { 0.0 } else { self.total as f64 / self.links as f64 }
    }
}

/// Why there is no embedding.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EmbedError {
    /// One of the two is too large for node ids.
    #[error("the {which} has no node ids: more than 2^63 nodes or 2^32 ports")]
    NotBuilt {
        /// Guest or host.
        which: &'static str,
    },
    /// The paper of the host embeds no trees.
    #[error("the paper of the host gives no embedding")]
    NoPaper,
    /// The paper embeds complete binary trees alone.
    #[error("the paper of the host embeds complete binary trees, and the guest is none")]
    NoTree,
    /// It has more nodes than the host.
    #[error("the guest has {guest} nodes and the host {host}: at most one of it goes to a node")]
    TooLarge {
        /// Nodes of the guest.
        guest: u64,
        /// Nodes of the host, or how many it may have.
        host: u64,
    },
    /// More memory or time than there is.
    #[error(transparent)]
    Budget(#[from] OverBudget),
    /// The host has no rule of its own, and is too large to be searched.
    #[error("the host cannot be routed: it has no rule, and {order} nodes are too many to search")]
    NoRouter {
        /// How many nodes it has.
        order: u64,
    },
    /// The host is in parts.
    #[error("the host has no path from node {from} to node {to}")]
    NoWay {
        /// Where a link of the guest begins.
        from: Node,
        /// Where it ends.
        to: Node,
    },
    /// Its router fails.
    #[error("the host cannot be routed: {0}")]
    Walk(#[from] WalkError),
    /// Stopped.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

kinds!(EmbedError {
    Unsupported: NotBuilt, NoPaper, NoTree, TooLarge, NoRouter, NoWay;
    inner: Budget, Walk, Interrupted;
});

/// Up to this many nodes all distances of a host are kept, so that exchanges can be tried.
const MAX_TABLED: u64 = 1 << 12;

/// Maps the guest into the host and measures the map.
///
/// Where the host emulates a product that has all links of the guest, the map is that of its layout; else the better of
/// two heuristic maps is improved by exchanging images, at most `exchanges` times. Exact measures of that map;
/// nothing says that no other map is better. O(links · distance), and a search for each node of the guest where the
/// host has no closed distance.
///
/// ```
/// use nestnet_graph::Budget;
/// use nestnet_analysis::embed::{Algorithm, Map, embed};
/// use nestnet_topologies::build;
///
/// let [cube, hcn] = ["hypercube(4)", "hcn(2)"].map(|spec| build(spec).unwrap());
/// let best = Algorithm::Best { exchanges: 1 << 20 };
/// let found = embed(&cube, &hcn, best, &Budget::default()).unwrap();
/// assert_eq!((found.map, found.dilation), (Map::Natural, 3));
/// ```
pub fn embed(
    guest: &Built,
    host: &Built,
    algorithm: Algorithm,
    budget: &Budget<'_>,
) -> Result<Embedding, EmbedError> {
    let guest = guest.network.as_deref().ok_or(EmbedError::NotBuilt { which: "guest" })?;
    let network = host.network.as_deref().ok_or(EmbedError::NotBuilt { which: "host" })?;
    let channels = u128::from(network.order()) * u128::from(network.ports());
    let links = u128::from(guest.order()) * u128::from(guest.ports());
    let tabled = if network.order() <= MAX_TABLED { network.order() } else { 4 };
    let need = channels * 4 + links * 16 + u128::from(network.order()) * u128::from(tabled) * 4;
    budget.fits("the embedding", need)?;
    let router = host.router("shortest").or_else(|| host.router("paper"));
    let router = router.ok_or(EmbedError::NoRouter { order: network.order() })?;
    let closed = network.distance(Node(0), Node(network.order() - 1)).is_some();
    // Searches for distances and for routes, and the routes themselves.
    let searches = match closed {
        _ if network.order() <= MAX_TABLED => u128::from(network.order()),
        true => 0,
        false => 2 * u128::from(guest.order()),
    };
    let steps = searches * channels + links * 64;
    budget.affords("the embedding", steps)?;
    let exchanges = match algorithm {
        Algorithm::Best { exchanges } => exchanges,
        Algorithm::Paper => 0,
    };
    let mut work =
        Work { guest, network, far: Far::new(network, &budget.watch)?, exchanges, budget };
    let same_size = guest.order() == network.order();
    let natural =
        [Grain::Digits, Grain::Bits].into_iter().filter(|_| same_size).find_map(|grain| {
            let layout = host.layout(grain)?;
            is_part(guest, &*layout).then(|| by_layout(&*layout, network.order()))
        });
    let (map, images) = match (algorithm, natural) {
        (Algorithm::Paper, _) => (Map::Paper, embedded(guest, host, budget)?),
        (_, Some(images)) => (Map::Natural, images),
        (_, None) => work.heuristic()?,
    };
    let (links, dilation, total) = work.dilation(&images)?;
    let mut used = vec![0u32; index(u64::try_from(channels).expect("it fits in memory"))];
    // Target by target, for which a router by search makes its rows.
    for to in (0..guest.order()).map(Node) {
        budget.check()?;
        for from in neighbors(guest, to) {
            let (from, to) = (images[index(from.0)], images[index(to.0)]);
            let route = walk(network, &*router, from, to, 0, network.order().saturating_mul(2))?;
            for (at, hop) in route.nodes.iter().zip(&route.hops) {
                used[index(at.0) * network.ports() as usize + hop.port.0 as usize] += 1;
            }
        }
    }
    let congestion = used.into_iter().max().unwrap_or(0).into();
    let mut at = vec![0u64; index(network.order())];
    images.iter().for_each(|image| at[index(image.0)] += 1);
    let load = at.into_iter().max().unwrap_or(0);
    Ok(Embedding { map, images, links, dilation, total, congestion, load })
}

/// A complete binary tree, after the idea of the host's paper.
fn embedded(
    guest: &dyn Network,
    host: &Built,
    budget: &Budget<'_>,
) -> Result<Vec<Node>, EmbedError> {
    let tree_embedding = host.tree_embedding().ok_or(EmbedError::NoPaper)?;
    let size = guest.order();
    let height = (size + 1).ilog2();
    let parent = |x: &u64| *x == 0 || neighbors(guest, Node(*x)).contains(&Node((*x - 1) / 2));
    let degrees = (0..size).map(|x| neighbors(guest, Node(x)).len() as u64).sum::<u64>();
    if size + 1 != 1 << height || degrees != 2 * (size - 1) || !(0..size).all(|x| parent(&x)) {
        return Err(EmbedError::NoTree);
    }
    let hosts = host.network.as_ref().map_or(0, |network| network.order());
    let images = tree_embedding.embed(Node(0), height, &budget.watch)?;
    images.ok_or(EmbedError::TooLarge { guest: size, host: hosts })
}

/// Whether all links of a network, by ids, are links of the guest of a layout.
fn is_part(guest: &dyn Network, layout: &dyn Layout) -> bool {
    let has = |from: u64, to: u64| {
        let (mut from, mut to) = (from, to);
        let mut changes = 0;
        for factor in layout.factors() {
            let side = factor.order();
            let (a, b) = (from % side, to % side);
            if a != b {
                changes += 1;
                if !neighbors(&**factor, Node(a)).contains(&Node(b)) {
                    return false;
                }
            }
            (from, to) = (from / side, to / side);
        }
        changes == 1
    };
    (0..guest.order())
        .all(|from| neighbors(guest, Node(from)).into_iter().all(|to| has(from, to.0)))
}

/// The node of each logical address.
fn by_layout(layout: &dyn Layout, order: u64) -> Vec<Node> {
    let mut images = vec![Node(0); index(order)];
    for at in (0..order).map(Node) {
        images[index(layout.logical(at))] = at;
    }
    images
}

struct Work<'a> {
    guest: &'a dyn Network,
    network: &'a dyn Network,
    far: Far,
    exchanges: u64,
    budget: &'a Budget<'a>,
}

/// How far nodes of the host are apart.
enum Far {
    /// Rows of all distances.
    Tabled { order: u64, rows: Vec<u32> },
    /// By closed form.
    Closed,
    /// By a search when asked.
    Searched { from: Option<Node>, row: Vec<u32> },
}

impl Far {
    fn new(network: &dyn Network, watch: &Watch<'_>) -> Result<Self, EmbedError> {
        let order = network.order();
        if order <= MAX_TABLED {
            let mut rows = Vec::new();
            for at in (0..order).map(Node) {
                watch.check()?;
                rows.extend(distances_from(network, at));
            }
            return Ok(Far::Tabled { order, rows });
        }
        Ok(match network.distance(Node(0), Node(order - 1)) {
            Some(_) => Far::Closed,
            None => Far::Searched { from: None, row: Vec::new() },
        })
    }

    /// The distance, if there is a way.
    fn between(&mut self, network: &dyn Network, from: Node, to: Node) -> Option<u64> {
        let known = |distance: u32| (distance != u32::MAX).then(|| distance.into());
        match self {
            Far::Tabled { order, rows } => known(rows[index(from.0 * *order + to.0)]),
            Far::Closed => network.distance(from, to),
            Far::Searched { from: last, row } => {
                if *last != Some(from) {
                    (*row, *last) = (distances_from(network, from), Some(from));
                }
                known(row[index(to.0)])
            }
        }
    }
}

impl Work<'_> {
    fn distance(&mut self, from: Node, to: Node) -> Result<u64, EmbedError> {
        let far = self.far.between(self.network, from, to);
        far.ok_or(EmbedError::NoWay { from, to })
    }

    /// Links, the longest image of a link, and the sum of all.
    fn dilation(&mut self, images: &[Node]) -> Result<(u64, u64, u64), EmbedError> {
        let (mut links, mut most, mut total) = (0, 0, 0);
        for from in (0..self.guest.order()).map(Node) {
            self.budget.check()?;
            for to in neighbors(self.guest, from).into_iter().filter(|&to| to > from) {
                let far = self.distance(images[index(from.0)], images[index(to.0)])?;
                (links, most, total) = (links + 1, most.max(far), total + far);
            }
        }
        Ok((links, most, total))
    }
}

fn neighbors(network: &dyn Network, at: Node) -> Vec<Node> {
    nestnet_graph::network::sorted_neighbors(network, at)
}

#[cfg(test)]
mod tests;
