//! Which nodes belong together at each level of a network?
//!
//! The clusters of a level are what its links and those of all lower levels join. They nest: a cluster lies within one
//! cluster of the next level, and the last level joins all that is joined at all, so that it has no clusters.

use super::WriteError;
use super::writing::Writing;
use nestnet_graph::index;
use nestnet_graph::union_find::{ConcurrentUnionFind, MinUnionFind};
use std::sync::atomic::{AtomicBool, Ordering};

/// Clusters within clusters.
#[derive(Debug)]
pub struct Clusters {
    /// For each level that has some, the innermost first: the number of the cluster of every node.
    pub levels: Vec<Vec<u32>>,
}

impl Clusters {
    /// Those of a network, numbered by their first nodes. O(links) nearly; four bytes a node and level.
    pub fn of(writing: &Writing<'_>) -> Result<Self, WriteError> {
        let none = Clusters { levels: Vec::new() };
        let count = usize::from(writing.network.levels()).saturating_sub(1);
        let nodes = writing.nodes();
        if count == 0 || nodes > u64::from(u32::MAX) {
            return Ok(none);
        }
        writing.budget.fits("the clusters", 4 * u128::from(nodes) * count as u128)?;
        let joining: Vec<ConcurrentUnionFind> =
            (0..count).map(|_| ConcurrentUnionFind::apart(id(nodes))).collect();
        let has_links: Vec<AtomicBool> = (0..=count).map(|_| AtomicBool::new(false)).collect();
        let first = writing.node(0).0;
        let join = |at: u64| {
            let node = writing.node(at);
            writing.network.for_each_neighbor(node, &mut |port, to| {
                let Some(to) = to.0.checked_sub(first).filter(|&to| to > at) else { return };
                let level = usize::from(writing.network.level(node, port)).min(count);
                if !has_links[level].load(Ordering::Relaxed) {
                    has_links[level].store(true, Ordering::Relaxed);
                }
                if let Some(joining) = joining.get(level) {
                    joining.join(id(at), id(to));
                }
            });
            0
        };
        writing.over_nodes(&join, &|_, _| 0)?;
        let mut parents: Vec<MinUnionFind> =
            joining.into_iter().map(ConcurrentUnionFind::done).collect();
        // What a level joins is joined at all higher ones.
        for level in 1..count {
            let (lower, higher) = parents.split_at_mut(level);
            for at in 0..id(nodes) {
                let lowest = lower[level - 1].lowest(at);
                higher[0].join(at, lowest);
            }
        }
        let mut levels: Vec<Vec<u32>> = parents.into_iter().map(MinUnionFind::numbered).collect();
        // A level without links, or that joins everything, tells nothing apart.
        let mut has_links = has_links.into_iter().map(AtomicBool::into_inner);
        levels.retain(|numbers| {
            let tells = numbers.iter().any(|&cluster| cluster > 0);
            has_links.next() == Some(true) && tells
        });
        levels.dedup();
        Ok(Clusters { levels })
    }

    /// The clusters of a node, outermost first, with dots between them.
    pub fn path(&self, at: u64, out: &mut Vec<u8>) {
        for (i, numbers) in self.levels.iter().rev().enumerate() {
            if i > 0 {
                out.push(b'.');
            }
            super::writing::number(out, numbers[index(at)].into());
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.levels.is_empty()
    }
}

fn id(at: u64) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
