//! When is a cell of a network of any size informed by a broadcast, also where ids do not fit?
//!
//! Where clusters are of two kinds and node v of cluster c is linked to node c of cluster v, a broadcast follows from that:
//! inside the cluster of the root; from each of its nodes across, and on inside the clusters of the other kind; from each of
//! their nodes across to the other clusters of the first kind. Inside a cluster the same holds, down to a network that is
//! searched. Every node is informed exactly once, and sends over all its links at once.

use super::atlas::{Atlas, Part};
use super::view::MAX_CELL;
use nestnet_graph::measure::search::distances_from;
use num_bigint::BigUint;
use num_traits::{One, Zero};
use std::collections::HashMap;

/// How many nodes are informed in each step, from step 0 on, in which only the root knows.
pub type Steps = Vec<BigUint>;

/// A broadcast by the clusters of a construction.
#[derive(Debug)]
pub struct Broadcast<'a> {
    atlas: &'a Atlas,
    root: Vec<u64>,
    /// What was counted: how deep the part lies, its root, and the digits of the cell in it.
    known: HashMap<(usize, Vec<u64>, Vec<u64>), Option<Steps>>,
}

impl<'a> Broadcast<'a> {
    /// From the node at a whole path.
    pub fn new(atlas: &'a Atlas, root: &[u64]) -> Self {
        Broadcast { atlas, root: root.to_vec(), known: HashMap::new() }
    }

    /// How many nodes of a cell are informed in each step; `None` where the construction defines no broadcast.
    ///
    /// O(steps²) for each part of the nesting and each kind of cell in it, after one search of the innermost network for
    /// each of its nodes that is a root.
    pub fn informed(&mut self, cell: &[u64]) -> Option<Steps> {
        let whole = Part { plan: self.atlas.plan(), network: self.atlas.network() };
        let root = self.root.clone();
        self.within(0, whole, &root, cell)
    }

    fn within(
        &mut self,
        depth: usize,
        part: Part<'a>,
        root: &[u64],
        cell: &[u64],
    ) -> Option<Steps> {
        let key = (depth, root.to_vec(), cell.to_vec());
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let found = match part.bipartite() {
            Some((layers, inside)) => self.among(depth, part, (layers, inside), root, cell),
            None => searched(part, root, cell),
        };
        self.known.insert(key, found.clone());
        found
    }

    /// In clusters of two kinds.
    fn among(
        &mut self,
        depth: usize,
        part: Part<'a>,
        (layers, inside): (usize, Part<'a>),
        root: &[u64],
        cell: &[u64],
    ) -> Option<Steps> {
        let (kind, cluster) = part.kind_and_cluster(root)?;
        let at = &root[layers..];
        let (outer, inner) = cell.split_at(cell.len().min(layers));
        let mut all = Steps::new();
        // Where one digit distinguishes kind and cluster, it is all or nothing of them; else the first one is the kind.
        let kinds: Vec<(u64, Vec<u64>)> = match (layers, outer) {
            (_, []) => vec![(0, Vec::new()), (1, Vec::new())],
            (1, whole) => vec![part.kind_and_cluster(whole)?],
            (_, [kind, digits @ ..]) => vec![(*kind, digits.to_vec())],
        };
        for (own, digits) in kinds {
            let crossed = self.within(depth + 1, inside, at, &digits)?;
            if own != kind {
                // Node `c'` of the first cluster, across, and on from node `cluster`.
                let on = self.within(depth + 1, inside, &cluster, inner)?;
                add(&mut all, &product(&crossed, &on), 1);
                continue;
            }
            let first = self.within(depth + 1, inside, at, inner)?;
            let clusters = self.within(depth + 1, inside, &cluster, &digits)?;
            let mut others = product(&first, &clusters);
            if cluster.starts_with(&digits) {
                add(&mut all, &first, 0);
                // The first cluster is not informed from others.
                for (sum, own) in others.iter_mut().zip(&first) {
                    *sum -= own;
                }
            }
            add(&mut all, &others, 2);
        }
        Some(all)
    }
}

/// Adds counts that come some steps later.
fn add(all: &mut Steps, more: &[BigUint], later: usize) {
    let used = more.iter().rposition(|count| !count.is_zero()).map_or(0, |last| last + 1);
    if all.len() < used + later {
        all.resize(used + later, BigUint::ZERO);
    }
    for (sum, count) in all.iter_mut().skip(later).zip(more) {
        *sum += count;
    }
}

/// One after the other: for each pair the sum of both steps.
fn product(a: &[BigUint], b: &[BigUint]) -> Steps {
    let mut all = vec![BigUint::ZERO; (a.len() + b.len()).saturating_sub(1)];
    for (i, a) in a.iter().enumerate().filter(|(_, a)| !a.is_zero()) {
        for (j, b) in b.iter().enumerate() {
            all[i + j] += a * b;
        }
    }
    all
}

/// By distances, in a network that is small enough to be searched.
fn searched(part: Part<'_>, root: &[u64], cell: &[u64]) -> Option<Steps> {
    let network = part.network.filter(|network| network.order() <= MAX_CELL)?;
    let distances = distances_from(&**network, part.node(root)?);
    let mut all = Steps::new();
    for (at, &far) in (0..).zip(&distances) {
        if part.path(nestnet_graph::Node(at)).starts_with(cell) {
            // Where there is no path, nobody is informed.
            let far = usize::try_from(far).ok().filter(|_| far != u32::MAX)?;
            if all.len() <= far {
                all.resize(far + 1, BigUint::ZERO);
            }
            all[far] += BigUint::one();
        }
    }
    Some(all)
}
