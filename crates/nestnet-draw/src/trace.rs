//! Which route leads from one address to another in a network of any size, also where ids do not fit?
//!
//! Where clusters are of two kinds and node v of cluster c is linked to node c of cluster v, a route follows from that:
//! inside a cluster to the node that is linked to the wanted one, across, and on inside it; twice across between clusters
//! of one kind. Inside a cluster the same holds, down to a network that is searched. Around what has failed it is searched
//! from both sides.

use super::atlas::{Atlas, Part};
use super::view::{Beside, MAX_CELL, neighbors};
use nestnet_graph::Node;
use nestnet_graph::measure::search::distances_from;
use std::collections::{BTreeMap, BTreeSet};

/// The nodes of a route after the first, each with the level of the link to it; `None` where the construction says none.
///
/// Both are whole paths. O(hops + links of the innermost network).
pub fn trace(atlas: &Atlas, from: &[u64], to: &[u64]) -> Option<Vec<Beside>> {
    let whole = Part { plan: atlas.plan(), network: atlas.network() };
    let layers = whole.plan.layers().len();
    (from.len() == layers && to.len() == layers).then(|| hops(whole, from, to))?
}

fn hops(part: Part<'_>, from: &[u64], to: &[u64]) -> Option<Vec<Beside>> {
    if from == to {
        return Some(Vec::new());
    }
    let Some((layers, inside)) = part.bipartite() else { return searched(part, from, to) };
    let level = part.plan.layers().first()?.level;
    let (kind, cluster) = part.kind_and_cluster(from)?;
    let (last_kind, last_cluster) = part.kind_and_cluster(to)?;
    let (at, end) = (&from[layers..], &to[layers..]);
    let mut all = Vec::new();
    let within = |all: &mut Vec<Beside>, kind: u64, cluster: &[u64], at: &[u64], end: &[u64]| {
        let outer = part.cluster_digits(kind, cluster)?;
        all.extend(hops(inside, at, end)?.into_iter().map(|hop| Beside {
            path: outer.iter().copied().chain(hop.path).collect(),
            level: hop.level,
        }));
        Some(())
    };
    // From node `at` of a cluster to the node of the other kind that is linked to it.
    let across = |all: &mut Vec<Beside>, kind: u64, cluster: &[u64], at: &[u64]| {
        let digits = part.cluster_digits(1 - kind, at)?;
        let path = digits.into_iter().chain(cluster.iter().copied()).collect();
        all.push(Beside { path, level });
        Some(())
    };
    if kind != last_kind {
        within(&mut all, kind, &cluster, at, &last_cluster)?;
        across(&mut all, kind, &cluster, &last_cluster)?;
        within(&mut all, last_kind, &last_cluster, &cluster, end)?;
    } else if cluster == last_cluster {
        within(&mut all, kind, &cluster, at, end)?;
    } else {
        across(&mut all, kind, &cluster, at)?;
        within(&mut all, 1 - kind, at, &cluster, &last_cluster)?;
        across(&mut all, 1 - kind, at, &last_cluster)?;
        within(&mut all, kind, &last_cluster, at, end)?;
    }
    Some(all)
}

/// A shortest path in a network that is small enough to be searched.
fn searched(part: Part<'_>, from: &[u64], to: &[u64]) -> Option<Vec<Beside>> {
    let network = part.network.filter(|network| network.order() <= MAX_CELL)?;
    let (mut at, to) = (part.node(from)?, part.node(to)?);
    let left = distances_from(&**network, to);
    let far = |node: Node| usize::try_from(node.0).ok().and_then(|at| left.get(at).copied());
    let mut all = Vec::new();
    while at != to {
        let now = far(at)?;
        let mut next = None;
        network.for_each_neighbor(at, &mut |port, near| {
            if next.is_none() && far(near).is_some_and(|left| left < now) {
                next = Some((near, network.level(at, port)));
            }
        });
        let (near, level) = next?;
        all.push(Beside { path: part.path(near), level });
        at = near;
    }
    Some(all)
}

/// Nodes and links that do not work, by whole paths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Failed {
    nodes: BTreeSet<Vec<u64>>,
    /// Each with the lower end first.
    links: BTreeSet<(Vec<u64>, Vec<u64>)>,
}

impl Failed {
    /// A node fails, with all its links.
    pub fn node(&mut self, at: Vec<u64>) {
        self.nodes.insert(at);
    }

    /// The link between two nodes fails, both ways.
    pub fn link(&mut self, a: Vec<u64>, b: Vec<u64>) {
        self.links.insert(if a <= b { (a, b) } else { (b, a) });
    }

    /// Whether a node has failed.
    pub fn has(&self, at: &[u64]) -> bool {
        self.nodes.contains(at)
    }

    /// Whether a message can go from a node that works over a link to another.
    fn passes(&self, from: &[u64], to: &[u64]) -> bool {
        let ends = if from <= to { (from, to) } else { (to, from) };
        // A set of pairs cannot be asked by slices.
        let failed = self.links.iter().any(|(a, b)| (&a[..], &b[..]) == ends);
        !failed && !self.has(to)
    }
}

/// So many nodes at most are visited for one detour.
const MOST_VISITED: usize = 1 << 17;

/// A route that avoids what has failed: `route` from `from` on, with a shortest detour wherever it meets a fault, from
/// the last node before it to the first node behind it that works. `None` where a detour visits too many nodes, or there
/// is none.
///
/// O(hops + nodes visited), by searches from both sides of each fault.
pub fn around(
    atlas: &Atlas,
    from: &[u64],
    route: Vec<Beside>,
    failed: &Failed,
) -> Option<Vec<Beside>> {
    let mut all: Vec<Beside> = Vec::new();
    let mut rest = route.into_iter();
    while let Some(next) = rest.next() {
        let at = all.last().map_or(from, |hop| &hop.path).to_vec();
        if failed.passes(&at, &next.path) {
            all.push(next);
            continue;
        }
        let works = |hop: &Beside| !failed.has(&hop.path);
        let behind = if works(&next) { next } else { rest.find(works)? };
        all.extend(detour(atlas, &at, &behind.path, failed)?);
    }
    Some(without_loops(from, all))
}

/// A route that comes back to a node goes on from there at once.
fn without_loops(from: &[u64], route: Vec<Beside>) -> Vec<Beside> {
    let mut kept: Vec<Beside> = Vec::new();
    for hop in route {
        if hop.path == from {
            kept.clear();
        } else if let Some(before) = kept.iter().position(|known| known.path == hop.path) {
            kept.truncate(before + 1);
        } else {
            kept.push(hop);
        }
    }
    kept
}

/// A shortest path among what works, searched from both ends.
fn detour(atlas: &Atlas, from: &[u64], to: &[u64], failed: &Failed) -> Option<Vec<Beside>> {
    // From where a node was reached, and the level of the link.
    type Reached = BTreeMap<Vec<u64>, Option<(Vec<u64>, u16)>>;
    let mut reached: [Reached; 2] = [from, to].map(|end| Reached::from([(end.to_vec(), None)]));
    let mut fronts = [vec![from.to_vec()], vec![to.to_vec()]];
    let meeting = loop {
        let side = usize::from(fronts[1].len() < fronts[0].len());
        let front = std::mem::take(&mut fronts[side]);
        let mut met = None;
        for at in front {
            for near in neighbors(atlas, &at)? {
                let passes = !failed.has(&near.path) && failed.passes(&at, &near.path);
                if !passes || reached[side].contains_key(&near.path) {
                    continue;
                }
                reached[side].insert(near.path.clone(), Some((at.clone(), near.level)));
                if met.is_none() && reached[1 - side].contains_key(&near.path) {
                    met = Some(near.path.clone());
                }
                fronts[side].push(near.path);
            }
        }
        if let Some(met) = met {
            break met;
        }
        let visited = reached[0].len() + reached[1].len();
        if fronts[side].is_empty() || visited > MOST_VISITED {
            return None;
        }
    };
    // Back to the beginning, then on to the end.
    let mut before = Vec::new();
    let mut at = meeting.clone();
    while let Some((last, level)) = reached[0].get(&at)?.clone() {
        before.push(Beside { path: at, level });
        at = last;
    }
    before.reverse();
    let mut at = meeting;
    while let Some((next, level)) = reached[1].get(&at)?.clone() {
        before.push(Beside { path: next.clone(), level });
        at = next;
    }
    Some(before)
}
