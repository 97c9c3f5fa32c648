//! How many spanning trees can share no link? As many as there are, by matroid union.

use super::PlanError;
use nestnet_graph::Csr;
use nestnet_graph::measure::{Watch, count, nodes};
use thiserror::Error;

/// Spanning trees without a common link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreePacking {
    /// Each tree by its links.
    pub trees: Vec<Vec<(u32, u32)>>,
    /// No packing has more: the links divided by those of one tree, or the least degree.
    pub bound: u64,
}

/// Why something is no packing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PackingFlaw {
    /// A link that is not there.
    #[error("tree {tree}: nodes {from} and {to} are not linked")]
    NoLink {
        /// Which tree.
        tree: usize,
        /// One end.
        from: u32,
        /// The other.
        to: u32,
    },
    /// A link in two trees, or twice in one.
    #[error("tree {tree}: the link {from} {to} is used before")]
    Shared {
        /// Which tree.
        tree: usize,
        /// One end.
        from: u32,
        /// The other.
        to: u32,
    },
    /// A tree that is none, or leaves nodes out.
    #[error("tree {tree} has {links} links and joins {joined} nodes")]
    NoTree {
        /// Which tree.
        tree: usize,
        /// How many links it has.
        links: usize,
        /// How many nodes it joins to node 0.
        joined: usize,
    },
}

/// As many spanning trees without a common link as there are. Exact.
///
/// Links are added one by one to a union of forests; one that closes a cycle in each of them may push others from
/// forest to forest until there is room (J. Edmonds, 1965; J. Roskind and R. E. Tarjan, 1985). By C. Nash-Williams and
/// W. Tutte (1961) at least half as many trees exist as the edge connectivity. O(links · trees · nodes) a search at
/// worst, and mostly far less.
///
/// ```
/// use nestnet_graph::Csr;
/// use nestnet_collectives::{check_packing, pack_trees};
/// use nestnet_graph::measure::Watch;
///
/// let complete = Csr::from_links(4, &[(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)], 1 << 20)?;
/// let packing = pack_trees(&complete, &Watch::SILENT)?;
/// assert_eq!((packing.trees.len(), packing.bound), (2, 2));
/// check_packing(&complete, &packing.trees)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn pack_trees(csr: &Csr, watch: &Watch<'_>) -> Result<TreePacking, PlanError> {
    let order = count(csr);
    let least = nodes(csr).map(|node| csr.neighbors(node).len()).min().unwrap_or(0);
    if order < 2 {
        return Ok(TreePacking { trees: Vec::new(), bound: 0 });
    }
    let bound = (csr.links() / (order as u64 - 1)).min(least as u64);
    let mut links: Vec<(u32, u32)> = nodes(csr)
        .flat_map(|a| csr.neighbors(a).iter().map(move |&b| (a, b)).filter(|(a, b)| a < b))
        .collect();
    // Neighbors in number are mostly neighbors in one copy; apart from each other they fill the forests evenly.
    links.sort_by_key(|&(a, b)| {
        nestnet_graph::measure::splitmix64(u64::from(a) << 32 | u64::from(b))
    });
    for trees in (1..=bound).rev() {
        let trees = usize::try_from(trees).expect("at most the degree");
        let mut union = Union::new(order, &links, trees);
        for link in 0..links.len() {
            watch.check()?;
            if union.size == trees * (order - 1) {
                break;
            }
            union.add(link);
        }
        if union.size == trees * (order - 1) {
            return Ok(TreePacking { trees: union.forests(), bound });
        }
    }
    Ok(TreePacking { trees: Vec::new(), bound })
}

/// Forests without a common link.
struct Union<'a> {
    links: &'a [(u32, u32)],
    order: usize,
    /// For each forest and node the links there.
    at: Vec<Vec<Vec<usize>>>,
    /// In which forest each link is.
    of: Vec<Option<usize>>,
    size: usize,
    /// Sets of nodes that every forest joins within: a link in one of them can never be added.
    full: Vec<u32>,
}

impl<'a> Union<'a> {
    fn new(order: usize, links: &'a [(u32, u32)], trees: usize) -> Self {
        let full = (0..order).map(nestnet_graph::measure::id).collect();
        let at = vec![vec![Vec::new(); order]; trees];
        Union { links, order, at, of: vec![None; links.len()], size: 0, full }
    }

    fn full_of(&mut self, node: u32) -> u32 {
        let mut at = node;
        while self.full[at as usize] != at {
            self.full[at as usize] = self.full[self.full[at as usize] as usize];
            at = self.full[at as usize];
        }
        at
    }

    /// Adds a link if the union can hold it, by a shortest chain of exchanges.
    fn add(&mut self, link: usize) {
        let (a, b) = self.links[link];
        if self.full_of(a) == self.full_of(b) {
            return;
        }
        // Which link each one would make room for.
        let mut before: Vec<Option<usize>> = vec![None; self.links.len()];
        let mut seen = vec![false; self.links.len()];
        seen[link] = true;
        let mut queue = std::collections::VecDeque::from([link]);
        while let Some(current) = queue.pop_front() {
            for forest in 0..self.at.len() {
                if self.of[current] == Some(forest) {
                    continue;
                }
                match self.between(forest, self.links[current]) {
                    None => return self.shift(current, forest, &before),
                    Some(path) => {
                        for on_path in path {
                            if !std::mem::replace(&mut seen[on_path], true) {
                                before[on_path] = Some(current);
                                queue.push_back(on_path);
                            }
                        }
                    }
                }
            }
        }
        // Within the nodes of all these links every forest is a tree already.
        for at in (0..seen.len()).filter(|&at| seen[at]) {
            let (a, b) = self.links[at];
            let (a, b) = (self.full_of(a), self.full_of(b));
            self.full[a as usize] = b;
        }
    }

    /// Moves the last link of a chain into a forest, and each one before it into the place that is left.
    fn shift(&mut self, mut link: usize, mut forest: usize, before: &[Option<usize>]) {
        loop {
            let left = self.of[link].replace(forest);
            let (a, b) = self.links[link];
            for node in [a as usize, b as usize] {
                if let Some(left) = left {
                    self.at[left][node].retain(|&other| other != link);
                }
                self.at[forest][node].push(link);
            }
            match (before[link], left) {
                (Some(next), Some(left)) => (link, forest) = (next, left),
                _ => break,
            }
        }
        self.size += 1;
    }

    /// The links of a forest between two nodes, if it joins them.
    fn between(&self, forest: usize, (from, to): (u32, u32)) -> Option<Vec<usize>> {
        let mut reached: Vec<Option<usize>> = vec![None; self.order];
        let mut stack = vec![from];
        while let Some(node) = stack.pop() {
            if node == to {
                let mut path = Vec::new();
                let mut node = to;
                while node != from {
                    let link = reached[node as usize].expect("it was reached by a link");
                    path.push(link);
                    node = self.other(link, node);
                }
                return Some(path);
            }
            for &link in &self.at[forest][node as usize] {
                let next = self.other(link, node);
                if next != from && reached[next as usize].is_none() {
                    reached[next as usize] = Some(link);
                    stack.push(next);
                }
            }
        }
        None
    }

    fn other(&self, link: usize, node: u32) -> u32 {
        let (a, b) = self.links[link];
        if a == node { b } else { a }
    }

    fn forests(&self) -> Vec<Vec<(u32, u32)>> {
        let mut forests = vec![Vec::new(); self.at.len()];
        for (link, forest) in self.links.iter().zip(&self.of) {
            forests[..]
                .get_mut(forest.unwrap_or(usize::MAX))
                .into_iter()
                .for_each(|f| f.push(*link));
        }
        forests.iter_mut().for_each(|forest| forest.sort_unstable());
        forests
    }
}

/// Whether these are spanning trees without a common link; knows nothing of how they were found.
pub fn check_packing(csr: &Csr, trees: &[Vec<(u32, u32)>]) -> Result<(), PackingFlaw> {
    let order = count(csr);
    let mut used = std::collections::BTreeSet::new();
    for (tree, links) in trees.iter().enumerate() {
        let mut neighbors: Vec<Vec<u32>> = vec![Vec::new(); order];
        for &(from, to) in links {
            let inside = (from as usize) < order && (to as usize) < order;
            if !inside || csr.neighbors(from).binary_search(&to).is_err() {
                return Err(PackingFlaw::NoLink { tree, from, to });
            }
            if !used.insert((from.min(to), from.max(to))) {
                return Err(PackingFlaw::Shared { tree, from, to });
            }
            neighbors[from as usize].push(to);
            neighbors[to as usize].push(from);
        }
        let mut seen = vec![false; order];
        let mut stack: Vec<u32> = (order > 0).then_some(0).into_iter().collect();
        seen.iter_mut().take(1).for_each(|first| *first = true);
        let mut joined = stack.len();
        while let Some(node) = stack.pop() {
            for &to in &neighbors[node as usize] {
                if !std::mem::replace(&mut seen[to as usize], true) {
                    joined += 1;
                    stack.push(to);
                }
            }
        }
        // As many links as nodes less one that join all of them have no cycle.
        if joined != order || links.len() + 1 != order {
            return Err(PackingFlaw::NoTree { tree, links: links.len(), joined });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use nestnet_graph::Network;
    use nestnet_graph::measure::connectivity::edge_connectivity;
    use nestnet_seed::samples::{any_graph, complete, cube, path, petersen, ring, torus};
    use proptest::prelude::*;

    fn trees(csr: &Csr) -> (usize, u64) {
        let packing = pack_trees(csr, &Watch::SILENT).unwrap();
        check_packing(csr, &packing.trees).unwrap();
        (packing.trees.len(), packing.bound)
    }

    #[test]
    fn known_packings() {
        assert_eq!(trees(&path(1)), (0, 0));
        assert_eq!(trees(&path(4)), (1, 1));
        assert_eq!(trees(&ring(7)), (1, 1));
        assert_eq!(trees(&complete(9)), (4, 4));
        assert_eq!(trees(&petersen()), (1, 1));
        assert_eq!(trees(&torus(6, 7)), (2, 2));
        // The cube of n dimensions has ⌊n/2⌋.
        for dimensions in 1..8 {
            assert_eq!(trees(&cube(dimensions)).0, (dimensions as usize / 2).max(1));
        }
    }

    /// By Nash-Williams and Tutte: the least of the links between the parts of a partition, divided by the parts less
    /// one.
    fn by_partitions(csr: &Csr) -> usize {
        let order = count(csr);
        let mut least = usize::MAX;
        let mut parts = vec![0usize; order];
        loop {
            let count = parts.iter().max().unwrap() + 1;
            if count > 1 {
                let crossing =
                    nodes(csr).flat_map(|a| csr.neighbors(a).iter().map(move |&b| (a, b)));
                let crossing =
                    crossing.filter(|&(a, b)| a < b && parts[a as usize] != parts[b as usize]);
                least = least.min(crossing.count() / (count - 1));
            }
            // The next in order, each part numbered by its first node.
            let grows =
                |at: &usize| parts[..*at].iter().max().is_some_and(|&most| parts[*at] <= most);
            let Some(at) = (1..order).rev().find(grows) else { return least };
            parts[at] += 1;
            parts[at + 1..].fill(0);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 128, ..nestnet_seed::config() })]

        #[test]
        fn as_many_as_the_partitions_allow(graph in any_graph(7)) {
            prop_assume!(graph.order() > 1);
            let (found, bound) = trees(&graph);
            prop_assert_eq!(found, by_partitions(&graph));
            prop_assert!(found as u64 <= bound);
            let connectivity = edge_connectivity(&graph, None, &Watch::SILENT).unwrap().value;
            prop_assert!(found >= connectivity as usize / 2);
        }
    }

    #[test]
    fn flaws_are_named() {
        let square = ring(4);
        let flaw = |trees: &[Vec<(u32, u32)>]| check_packing(&square, trees).unwrap_err();
        assert_eq!(flaw(&[vec![(0, 2)]]), PackingFlaw::NoLink { tree: 0, from: 0, to: 2 });
        assert_eq!(
            flaw(&[vec![(0, 1), (1, 2), (2, 3)], vec![(1, 0)]]),
            PackingFlaw::Shared { tree: 1, from: 1, to: 0 }
        );
        assert_eq!(
            flaw(&[vec![(0, 1), (2, 3)]]),
            PackingFlaw::NoTree { tree: 0, links: 2, joined: 2 }
        );
        assert_eq!(
            flaw(&[vec![(0, 1), (1, 2), (2, 3), (3, 0)]]),
            PackingFlaw::NoTree { tree: 0, links: 4, joined: 4 }
        );
    }
}
