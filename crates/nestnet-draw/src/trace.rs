//! Which route leads from one address to another in a network of any size, also where ids do not fit?
//!
//! Where clusters are of two kinds and node v of cluster c is linked to node c of cluster v, a route follows from that:
//! inside a cluster to the node that is linked to the wanted one, across, and on inside it; twice across between clusters
//! of one kind. Inside a cluster the same holds, down to a network that is searched.

use super::atlas::{Atlas, Part};
use super::view::{Beside, MAX_CELL};
use nestnet_graph::Node;
use nestnet_graph::measure::search::distances_from;

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
