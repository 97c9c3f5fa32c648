//! How far is the farthest node from each node?

use super::{Interrupted, Watch, count, id, nodes};
use crate::Csr;
use rayon::prelude::*;
use std::sync::atomic::AtomicU64;

/// What a search from one node saw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Eccentricity {
    /// The largest distance of a node that can be reached.
    pub farthest: u32,
    /// How many nodes can be reached, itself included.
    pub reached: u32,
}

/// The eccentricity of every node, by a search from each. Exact; O(nodes · (nodes + links)).
pub fn eccentricities(csr: &Csr, watch: &Watch<'_>) -> Result<Vec<Eccentricity>, Interrupted> {
    let done = AtomicU64::new(0);
    let sources: Vec<u32> = nodes(csr).collect();
    let start = || Desk { seen: vec![0; count(csr)], queue: Vec::new(), number: 0 };
    let one = |desk: &mut Desk, &from: &u32| {
        watch.step(&done, sources.len() as u64)?;
        Ok(desk.search(csr, from))
    };
    sources.par_iter().map_init(start, one).collect()
}

/// What a thread keeps from one search to the next.
struct Desk {
    /// The last search that saw each node.
    seen: Vec<u32>,
    queue: Vec<u32>,
    number: u32,
}

impl Desk {
    fn search(&mut self, csr: &Csr, from: u32) -> Eccentricity {
        self.number += 1;
        self.queue.clear();
        self.queue.push(from);
        self.seen[from as usize] = self.number;
        let (mut farthest, mut first) = (0, 0);
        loop {
            let level = first..self.queue.len();
            for index in level.clone() {
                for &to in csr.neighbors(self.queue[index]) {
                    if self.seen[to as usize] != self.number {
                        self.seen[to as usize] = self.number;
                        self.queue.push(to);
                    }
                }
            }
            if self.queue.len() == level.end {
                return Eccentricity { farthest, reached: id(level.end) };
            }
            farthest += 1;
            first = level.end;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{any_graph, path};
    use super::super::search::distances_from;
    use super::*;
    use crate::Node;
    use proptest::prelude::*;

    #[test]
    fn the_ends_of_a_path_see_farthest() {
        let found = eccentricities(&path(5), &Watch::SILENT).unwrap();
        assert_eq!(found.iter().map(|one| one.farthest).collect::<Vec<_>>(), [4, 3, 2, 3, 4]);
        assert!(found.iter().all(|one| one.reached == 5));
    }

    proptest! {
        #![proptest_config(nestnet_seed::config())]
        #[test]
        fn every_node_sees_as_far_as_a_search_from_it(csr in any_graph(20)) {
            for (at, one) in (0..).zip(eccentricities(&csr, &Watch::SILENT).unwrap()) {
                let distances = distances_from(&csr, Node(at));
                let there = || distances.iter().copied().filter(|&distance| distance != u32::MAX);
                prop_assert_eq!(one.farthest, there().max().unwrap());
                prop_assert_eq!(one.reached as usize, there().count());
            }
        }
    }
}
