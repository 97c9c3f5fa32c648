//! How many paths lead from one node to another and share no node between? As many as there are (K. Menger, 1927).
//!
//! A flow in which every node lets one path through, one more path at a time. Only nodes near the paths are looked at
//! and stored, because the distance to the target guides the search: with a closed form of it the network may have any
//! size. No more paths are possible than the lower of the two degrees, so that the search ends there without a proof;
//! otherwise it ends when no further path is left on the side of one of the ends.

mod flow;
mod search;
#[cfg(test)]
mod tests;

use super::guide::Guide;
use super::shortest::shortest_path;
use flow::Flow;
use nestnet_graph::measure::{Interrupted, Watch};
use nestnet_graph::{Network, Node, fields, kinds};
use search::{Found, Potentials, any_more, cheapest_more};
use serde::{Serialize, Serializer};
use std::collections::HashSet;
use thiserror::Error;

/// Paths from one node to another that share only these two.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Disjoint {
    /// Where they begin.
    pub from: Node,
    /// Where they end.
    pub to: Node,
    /// Each from the first to the last node, the shortest first.
    pub paths: Vec<Vec<Node>>,
    /// There are no more than this, by the degrees of the two ends.
    pub bound: u64,
    /// Why there are no more.
    pub proof: Proof,
    /// Whether no other paths, as many, are shorter in total.
    pub shortest: bool,
}

/// Why a number of disjoint paths is the largest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// One of the ends has no more links.
    Degrees,
    /// A flow cannot be increased.
    Flow,
    /// It may not be: the budget is spent.
    Open,
}

impl Proof {
    /// In a word.
    fn name(self) -> &'static str {
        match self {
            Proof::Degrees => "degrees",
            Proof::Flow => "flow",
            Proof::Open => "budget spent",
        }
    }
}

impl Serialize for Disjoint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        fields!(
            serializer,
            "Paths",
            from = self.from,
            to = self.to,
            /// How many paths there are.
            count: usize = self.paths.len(),
            bound = self.bound,
            /// Whether no more are possible.
            exact: bool = self.proof != Proof::Open,
            /// How that is known.
            how: &str = self.proof.name(),
            shortest = self.shortest,
            /// How many links each path has.
            lengths: Vec<usize> = self.paths.iter().map(|path| path.len() - 1).collect(),
            paths = self.paths,
        )
    }
}

/// Why there are no disjoint paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DisjointError {
    /// There is nothing between a node and itself.
    #[error("paths lead from one node to another, not from node {node} to itself")]
    Same {
        /// Both.
        node: Node,
    },
    /// They could not be listed.
    #[error("nodes with {ports} ports have too many paths: at most {MAX_PORTS} ports")]
    TooManyPorts {
        /// Of a node, at most.
        ports: u32,
    },
    /// Stopped.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

kinds!(DisjointError {
    Invalid: Same;
    Unsupported: TooManyPorts;
    inner: Interrupted;
});

/// What is wrong with paths that should be disjoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum DisjointFlaw {
    /// It leads elsewhere.
    #[error("path {path} does not lead from the one to the other")]
    Ends {
        /// The number of the path.
        path: usize,
    },
    /// Two of its nodes that follow each other are not linked.
    #[error("path {path} goes from {from} to {to}, which are not linked")]
    NoLink {
        /// The number of the path.
        path: usize,
        /// Where it is wrong.
        from: Node,
        /// Where it goes.
        to: Node,
    },
    /// It shares a node with another, or comes through one twice.
    #[error("path {path} comes through {node}, where a path has been before")]
    Shared {
        /// The number of the path.
        path: usize,
        /// Which node.
        node: Node,
    },
    /// The direct link is used twice.
    #[error("path {path} is a direct link that is taken")]
    Repeated {
        /// The number of the path.
        path: usize,
    },
}

/// Limit: ports of a node between which disjoint paths are asked for: they could not be listed.
const MAX_PORTS: u32 = 1 << 20;

/// Without a closed form of the distance, networks of up to this many nodes are searched once from either end.
const MAX_GUIDED: u64 = 1 << 24;

/// So many places are looked at for a path of least total length, then for any path.
const CHEAPEST_LOOKS: u64 = 1 << 12;

/// As many paths as there are from `from` to `to` that share no other node, looking at up to `budget` places.
///
/// Exact unless the budget is spent. Each path takes one search of the flow's residual network: first by successive
/// cheapest paths, which keep the total length least (J. W. Suurballe, 1974), and where that looks at too much, for
/// any path, nearest to the target first; those are made shorter one by one.
///
/// ```
/// use nestnet_graph::measure::Watch;
/// use nestnet_routing::route::{Proof, check_disjoint, disjoint_paths};
/// use nestnet_graph::{Csr, Node};
///
/// let ring = Csr::from_links(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)], 1 << 20).unwrap();
/// let found = disjoint_paths(&ring, Node(0), Node(2), 1000, &Watch::SILENT).unwrap();
/// assert_eq!(found.paths, [vec![Node(0), Node(1), Node(2)], [0, 4, 3, 2].map(Node).to_vec()]);
/// assert_eq!((found.bound, found.proof, found.shortest), (2, Proof::Degrees, true));
/// assert_eq!(check_disjoint(&ring, Node(0), Node(2), &found.paths), Ok(()));
/// ```
pub fn disjoint_paths(
    network: &dyn Network,
    from: Node,
    to: Node,
    budget: u64,
    watch: &Watch<'_>,
) -> Result<Disjoint, DisjointError> {
    disjoint_paths_up_to(u64::MAX, network, from, to, budget, watch)
}

/// The same, but no more than `most` paths: the shortest such set where the budget allows.
///
/// ```
/// use nestnet_graph::{Csr, Node, Watch};
/// use nestnet_routing::route::disjoint_paths_up_to;
///
/// let ring = Csr::from_links(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)], 1 << 20)?;
/// let found = disjoint_paths_up_to(1, &ring, Node(0), Node(2), 1000, &Watch::SILENT)?;
/// assert_eq!(found.paths, [[0, 1, 2].map(Node).to_vec()]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn disjoint_paths_up_to(
    most: u64,
    network: &dyn Network,
    from: Node,
    to: Node,
    budget: u64,
    watch: &Watch<'_>,
) -> Result<Disjoint, DisjointError> {
    if from == to {
        return Err(DisjointError::Same { node: from });
    }
    let ports = network.ports();
    if ports > MAX_PORTS {
        return Err(DisjointError::TooManyPorts { ports });
    }
    let bound = degree(network, from).min(degree(network, to)).min(most);
    let mut ask = Ask {
        network,
        from,
        to,
        guide: Guide::new(network, from, to, MAX_GUIDED),
        back: None,
        budget,
        watch,
    };
    let mut flow = Flow::new(from, to);
    let (shortest, ended) = ask.increase(&mut flow, bound)?;
    if !shortest {
        ask.shorten(&mut flow)?;
    }
    let proof = match ended {
        _ if flow.paths() as u64 == bound => Proof::Degrees,
        Found::Nothing => Proof::Flow,
        _ => Proof::Open,
    };
    let mut paths = flow.trace();
    paths.sort_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
    Ok(Disjoint { from, to, paths, bound, proof, shortest })
}

/// Whether these are paths of the network from `from` to `to` that share no other node. Knows nothing of flows.
pub fn check_disjoint(
    network: &dyn Network,
    from: Node,
    to: Node,
    paths: &[Vec<Node>],
) -> Result<(), DisjointFlaw> {
    let mut seen = HashSet::from([from, to]);
    let mut direct = false;
    for (path, nodes) in paths.iter().enumerate() {
        if nodes.first() != Some(&from) || nodes.last() != Some(&to) || nodes.len() < 2 {
            return Err(DisjointFlaw::Ends { path });
        }
        for pair in nodes.windows(2) {
            let mut linked = false;
            network.for_each_neighbor(pair[0], &mut |_, next| linked |= next == pair[1]);
            if !linked {
                return Err(DisjointFlaw::NoLink { path, from: pair[0], to: pair[1] });
            }
        }
        if nodes.len() == 2 && std::mem::replace(&mut direct, true) {
            return Err(DisjointFlaw::Repeated { path });
        }
        let between = &nodes[1..nodes.len() - 1];
        if let Some(&node) = between.iter().find(|&&node| !seen.insert(node)) {
            return Err(DisjointFlaw::Shared { path, node });
        }
    }
    Ok(())
}

fn degree(network: &dyn Network, at: Node) -> u64 {
    let mut degree = 0;
    network.for_each_neighbor(at, &mut |_, _| degree += 1);
    degree
}

/// One question and what is left of its budget.
struct Ask<'a> {
    network: &'a dyn Network,
    from: Node,
    to: Node,
    guide: Guide,
    /// The distance to `from`, for searches from the other end.
    back: Option<Guide>,
    budget: u64,
    watch: &'a Watch<'a>,
}

impl Ask<'_> {
    /// Adds path after path. Whether all were cheapest, and how the last search ended.
    fn increase(&mut self, flow: &mut Flow, bound: u64) -> Result<(bool, Found), Interrupted> {
        let mut potentials = Potentials::default();
        while (flow.paths() as u64) < bound {
            self.watch.check()?;
            let mut looks = self.budget.min(CHEAPEST_LOOKS);
            self.budget -= looks;
            let found = cheapest_more(self.network, &self.guide, flow, &mut potentials, &mut looks);
            self.budget += looks;
            match found {
                Found::Path(path) => flow.apply(&path),
                Found::Nothing => return Ok((true, Found::Nothing)),
                Found::Spent => return Ok((false, self.increase_anyhow(flow, bound)?)),
            }
        }
        Ok((true, Found::Nothing))
    }

    fn increase_anyhow(&mut self, flow: &mut Flow, bound: u64) -> Result<Found, Interrupted> {
        while (flow.paths() as u64) < bound {
            match self.one_more(flow)? {
                Found::Path(path) => flow.apply(&path),
                ended => return Ok(ended),
            }
        }
        Ok(Found::Nothing)
    }

    /// Searches from both ends in turn, each time farther: one of them may be in a corner that is soon seen to be closed.
    fn one_more(&mut self, flow: &mut Flow) -> Result<Found, Interrupted> {
        let mut most = CHEAPEST_LOOKS;
        while self.budget > 0 {
            for backward in [false, true] {
                self.watch.check()?;
                let mut looks = self.budget.min(most);
                self.budget -= looks;
                let found = if backward {
                    let (network, from, to) = (self.network, self.from, self.to);
                    let guide =
                        self.back.get_or_insert_with(|| Guide::new(network, to, from, MAX_GUIDED));
                    any_more(network, guide, &flow.reversed(), &mut looks).reversed()
                } else {
                    any_more(self.network, &self.guide, flow, &mut looks)
                };
                self.budget += looks;
                if !matches!(found, Found::Spent) {
                    return Ok(found);
                }
            }
            most *= 4;
        }
        Ok(Found::Spent)
    }

    /// Takes each path away and puts the shortest one in its place that shares nothing with the others.
    fn shorten(&mut self, flow: &mut Flow) -> Result<(), Interrupted> {
        let mut paths = flow.trace();
        for i in 0..paths.len() {
            self.watch.check()?;
            let others = paths.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, path)| path);
            let taken: HashSet<Node> =
                others.clone().flat_map(|path| &path[1..path.len() - 1]).copied().collect();
            let direct = others.clone().any(|path| path.len() == 2);
            let passes = |at: Node, next: Node| {
                let is_direct = at == self.from && next == self.to;
                !(taken.contains(&next) || direct && is_direct)
            };
            let mut looks = CHEAPEST_LOOKS;
            let (network, from, to) = (self.network, self.from, self.to);
            let hops = shortest_path(network, &self.guide, from, to, &passes, &mut looks);
            if let Some(hops) = hops.filter(|hops| hops.len() + 1 < paths[i].len()) {
                paths[i] =
                    std::iter::once(from).chain(hops.into_iter().map(|(_, at)| at)).collect();
            }
        }
        flow.set(&paths);
        Ok(())
    }
}
