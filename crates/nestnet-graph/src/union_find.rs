//! Union-find: which nodes are joined, when links come one after the other, or from many threads at once?

use std::sync::atomic::{AtomicU32, Ordering};

/// Disjoint sets joined by size: find and join take nearly constant time.
#[derive(Clone, Debug)]
pub struct UnionFind {
    parent: Vec<u32>,
    size: Vec<u32>,
    classes: usize,
}

impl UnionFind {
    /// Every member by itself.
    pub fn new(members: usize) -> Self {
        UnionFind {
            parent: (0..u32::try_from(members).expect("at most 2^32 members")).collect(),
            size: vec![1; members],
            classes: members,
        }
    }

    /// How many members there are in all.
    pub fn members(&self) -> usize {
        self.parent.len()
    }

    /// How many sets there are.
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// The representative of a member's set.
    pub fn find(&mut self, member: u32) -> u32 {
        let mut at = member;
        while self.parent[at as usize] != at {
            let above = self.parent[self.parent[at as usize] as usize];
            self.parent[at as usize] = above;
            at = above;
        }
        at
    }

    /// Makes one set of those of two members.
    #[inline]
    pub fn join(&mut self, a: u32, b: u32) {
        // Most are known to be alike, and stand side by side.
        if self.parent[a as usize] == self.parent[b as usize] {
            return;
        }
        self.join_roots(a, b);
    }

    fn join_roots(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return;
        }
        let (large, small) =
            if self.size[a as usize] >= self.size[b as usize] { (a, b) } else { (b, a) };
        self.classes -= 1;
        self.parent[small as usize] = large;
        self.size[large as usize] += self.size[small as usize];
    }

    /// The size of a member's set.
    pub fn size(&mut self, member: u32) -> u32 {
        let root = self.find(member);
        self.size[root as usize]
    }
}

/// Disjoint sets of nodes, each called by its lowest node.
#[derive(Clone, Debug)]
pub struct MinUnionFind {
    /// A lower node of the same set, or the node itself.
    above: Vec<u32>,
}

impl MinUnionFind {
    /// Every node by itself.
    pub fn apart(nodes: u32) -> Self {
        MinUnionFind { above: (0..nodes).collect() }
    }

    /// The lowest node of a node's set.
    pub fn lowest(&mut self, mut at: u32) -> u32 {
        while self.above[at as usize] != at {
            let above = self.above[at as usize];
            self.above[at as usize] = self.above[above as usize];
            at = above;
        }
        at
    }

    /// Makes one set of those of two nodes.
    pub fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.lowest(a), self.lowest(b));
        self.above[a.max(b) as usize] = a.min(b);
    }

    /// The lowest node of every node's set.
    pub fn all_lowest(mut self) -> Vec<u32> {
        // Lower nodes come first, so that one look is enough.
        for at in 0..self.above.len() {
            self.above[at] = self.above[self.above[at] as usize];
        }
        self.above
    }

    /// The number of every node's set, from 0 on, by their lowest nodes.
    pub fn numbered(self) -> Vec<u32> {
        let mut next = 0;
        let mut numbers = self.all_lowest();
        for at in 0..numbers.len() {
            let lowest = numbers[at] as usize;
            if lowest == at {
                numbers[at] = next;
                next += 1;
            } else {
                numbers[at] = numbers[lowest];
            }
        }
        numbers
    }
}

/// A [`MinUnionFind`] that many threads join at once: the result does not depend on their order.
#[derive(Debug)]
pub struct ConcurrentUnionFind {
    above: Vec<AtomicU32>,
}

impl ConcurrentUnionFind {
    /// Every node by itself.
    pub fn apart(nodes: u32) -> Self {
        ConcurrentUnionFind { above: (0..nodes).map(AtomicU32::new).collect() }
    }

    /// What is above a node. It only ever sinks, so that an old answer is still one of the same set.
    fn above(&self, at: u32) -> u32 {
        self.above[at as usize].load(Ordering::Relaxed)
    }

    /// Whether `above`, as it was seen, could be replaced by a lower node.
    fn sink(&self, at: u32, above: u32, lower: u32) -> bool {
        let order = Ordering::Relaxed;
        self.above[at as usize].compare_exchange(above, lower, order, order).is_ok()
    }

    fn lowest(&self, mut at: u32) -> u32 {
        loop {
            let above = self.above(at);
            if above == at {
                return at;
            }
            let next = self.above(above);
            if next != above {
                self.sink(at, above, next);
            }
            at = above;
        }
    }

    /// Makes one set of those of two nodes.
    pub fn join(&self, a: u32, b: u32) {
        loop {
            let (a, b) = (self.lowest(a), self.lowest(b));
            if a == b || self.sink(a.max(b), a.max(b), a.min(b)) {
                return;
            }
        }
    }

    /// The sets when all have joined.
    pub fn done(self) -> MinUnionFind {
        MinUnionFind { above: self.above.into_iter().map(AtomicU32::into_inner).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::prelude::*;

    #[test]
    fn sets_are_called_by_their_lowest_nodes() {
        let mut joined = MinUnionFind::apart(7);
        for (a, b) in [(5, 6), (2, 5), (1, 3), (3, 1), (6, 2)] {
            joined.join(a, b);
        }
        assert_eq!((joined.lowest(6), joined.lowest(3), joined.lowest(4)), (2, 1, 4));
        assert_eq!(joined.clone().all_lowest(), [0, 1, 2, 1, 4, 2, 2]);
        assert_eq!(joined.numbered(), [0, 1, 2, 1, 3, 2, 2]);
    }

    #[test]
    fn threads_join_what_one_would() {
        // Every node but each fifth hangs at its third part: trees of all sizes.
        let nodes = 20_000;
        let links: Vec<(u32, u32)> =
            (1..nodes).filter(|at| at % 5 > 0).map(|at| (at, at / 3)).collect();
        let mut one = MinUnionFind::apart(nodes);
        links.iter().for_each(|&(a, b)| one.join(a, b));
        let many = ConcurrentUnionFind::apart(nodes);
        links.par_iter().for_each(|&(a, b)| many.join(a, b));
        assert_eq!(many.done().all_lowest(), one.all_lowest());
    }
}
