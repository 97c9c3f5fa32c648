//! How is it put together? Its components, its two colors if it is bipartite, its shortest cycle.

use super::{Interrupted, Watch, count, id, nodes};
use crate::{Csr, Orbit};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// The parts between which there is no path.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Components {
    /// The component of each node; components are numbered by their lowest node.
    pub of: Vec<u32>,
    /// How many nodes each has.
    pub sizes: Vec<u64>,
}

impl Components {
    /// Whether there is a path between any two nodes.
    pub fn connected(&self) -> bool {
        self.sizes.len() <= 1
    }
}

/// The components. O(nodes + links).
///
/// ```
/// use nestnet_graph::Csr;
/// use nestnet_graph::measure::structure::components;
///
/// let apart = Csr::from_links(5, &[(0, 1), (2, 3)], 1 << 20)?;
/// assert_eq!(components(&apart).sizes, [2, 2, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn components(csr: &Csr) -> Components {
    const NONE: u32 = u32::MAX;
    let mut of = vec![NONE; count(csr)];
    let mut sizes = Vec::new();
    let mut queue = Vec::new();
    for root in nodes(csr) {
        if of[root as usize] != NONE {
            continue;
        }
        let component = id(sizes.len());
        of[root as usize] = component;
        queue.push(root);
        let mut size = 0;
        while let Some(at) = queue.pop() {
            size += 1;
            for &to in csr.neighbors(at) {
                if of[to as usize] == NONE {
                    of[to as usize] = component;
                    queue.push(to);
                }
            }
        }
        sizes.push(size);
    }
    Components { of, sizes }
}

/// The two colors of a bipartite network, `false` at the lowest node of each component; `None` if there is an odd cycle.
/// O(nodes + links).
///
/// ```
/// use nestnet_graph::Csr;
/// use nestnet_graph::measure::structure::two_coloring;
///
/// let path = Csr::from_links(3, &[(0, 1), (1, 2)], 1 << 20)?;
/// assert_eq!(two_coloring(&path), Some(vec![false, true, false]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn two_coloring(csr: &Csr) -> Option<Vec<bool>> {
    let mut color: Vec<Option<bool>> = vec![None; count(csr)];
    let mut queue = Vec::new();
    for root in nodes(csr) {
        if color[root as usize].is_some() {
            continue;
        }
        color[root as usize] = Some(false);
        queue.push((root, false));
        while let Some((at, side)) = queue.pop() {
            for &to in csr.neighbors(at) {
                match color[to as usize] {
                    None => {
                        color[to as usize] = Some(!side);
                        queue.push((to, !side));
                    }
                    Some(other) if other == side => return None,
                    Some(_) => (),
                }
            }
        }
    }
    color.into_iter().collect()
}

/// The length of the shortest cycle, of which two cables of a link are one of length two; `None` in a forest.
///
/// Exact. A search from every node, cut off where it can find no cycle shorter than the best known: for girth g
/// each search stays within distance g/2. Nodes that lie on no cycle are peeled off first, and only branching nodes
/// are searched from, so that long chains and trees cost O(nodes + links).
/// With `orbits` (a partition into classes that automorphisms join) one node of each class is searched from:
/// an automorphism carries a shortest cycle through any node to one through the representative.
///
/// ```
/// use nestnet_graph::Csr;
/// use nestnet_graph::Watch;
/// use nestnet_graph::measure::structure::girth;
///
/// let ring = Csr::from_links(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)], 1 << 20)?;
/// assert_eq!(girth(&ring, None, &Watch::SILENT)?, Some(5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn girth(
    csr: &Csr,
    orbits: Option<&[Orbit]>,
    watch: &Watch<'_>,
) -> Result<Option<u32>, Interrupted> {
    if csr.has_trunks() {
        return Ok(Some(2));
    }
    let core = two_core(csr);
    let mut best = u32::MAX;
    let sources: Vec<u32> = match orbits {
        Some(orbits) => {
            let node = |orbit: &Orbit| u32::try_from(orbit.node.0).expect("a node of the network");
            orbits.iter().map(node).filter(|&v| core[v as usize] >= 2).collect()
        }
        None => {
            best = shortest_plain_ring(csr, &core);
            nodes(csr).filter(|&v| core[v as usize] >= 3).collect()
        }
    };
    let best = AtomicU32::new(best);
    let done = AtomicU64::new(0);
    let total = sources.len() as u64;
    sources.par_iter().try_for_each_init(
        || Search::new(count(csr)),
        |search, &source| {
            watch.step(&done, total)?;
            search.shorten(csr, &core, source, &best);
            Ok(())
        },
    )?;
    let best = best.into_inner();
    Ok((best != u32::MAX).then_some(best))
}

/// The degree that remains of each node when nodes of degree at most 1 are taken away again and again.
/// Every cycle survives.
fn two_core(csr: &Csr) -> Vec<u32> {
    let mut degree: Vec<u32> = nodes(csr).map(|v| id(csr.neighbors(v).len())).collect();
    let mut leaves: Vec<u32> = nodes(csr).filter(|&v| degree[v as usize] == 1).collect();
    while let Some(leaf) = leaves.pop() {
        if degree[leaf as usize] == 0 {
            continue;
        }
        degree[leaf as usize] = 0;
        for &to in csr.neighbors(leaf) {
            let rest = &mut degree[to as usize];
            if *rest > 0 {
                *rest -= 1;
                if *rest == 1 {
                    leaves.push(to);
                }
            }
        }
    }
    degree
}

/// The shortest component of the core that is a ring and nothing else.
fn shortest_plain_ring(csr: &Csr, core: &[u32]) -> u32 {
    let mut best = u32::MAX;
    let mut seen = vec![false; core.len()];
    let mut queue = Vec::new();
    for root in nodes(csr).filter(|&v| core[v as usize] == 2) {
        if seen[root as usize] {
            continue;
        }
        seen[root as usize] = true;
        queue.push(root);
        let (mut size, mut plain) = (0, true);
        while let Some(at) = queue.pop() {
            size += 1;
            for &to in csr.neighbors(at) {
                plain &= core[to as usize] <= 2;
                if core[to as usize] == 2 && !seen[to as usize] {
                    seen[to as usize] = true;
                    queue.push(to);
                }
            }
        }
        if plain {
            best = best.min(size);
        }
    }
    best
}

/// One thread's arrays.
struct Search {
    /// Distance from the source; `u32::MAX` where it has not come.
    distance: Vec<u32>,
    parent: Vec<u32>,
    queue: Vec<u32>,
}

impl Search {
    fn new(nodes: usize) -> Self {
        Search { distance: vec![u32::MAX; nodes], parent: vec![0; nodes], queue: Vec::new() }
    }

    /// Lowers `best` to the shortest cycle through `source`, if that is shorter.
    ///
    /// A link between two nodes that the search has reached closes a walk through the source that holds a cycle of
    /// at most its length, so no candidate is too short; on a shortest cycle through the source it is exact.
    fn shorten(&mut self, csr: &Csr, core: &[u32], source: u32, best: &AtomicU32) {
        self.distance[source as usize] = 0;
        self.queue.push(source);
        let mut head = 0;
        'search: while let Some(&at) = self.queue.get(head) {
            head += 1;
            let far = self.distance[at as usize];
            // What is found from here on is at least 2·far + 1 long.
            if far.saturating_mul(2).saturating_add(1) >= best.load(Ordering::Relaxed) {
                break;
            }
            for &to in csr.neighbors(at) {
                if core[to as usize] < 2 || (far > 0 && to == self.parent[at as usize]) {
                    continue;
                }
                let there = self.distance[to as usize];
                if there == u32::MAX {
                    self.distance[to as usize] = far + 1;
                    self.parent[to as usize] = at;
                    self.queue.push(to);
                } else {
                    best.fetch_min(far + there + 1, Ordering::Relaxed);
                    if there == far {
                        break 'search;
                    }
                }
            }
        }
        for &v in &self.queue {
            self.distance[v as usize] = u32::MAX;
        }
        self.queue.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Node;
    use crate::measure::search::distances_from;
    use crate::network::transitive;
    use crate::samples::*;
    use proptest::prelude::*;

    fn girth_of(csr: &Csr) -> Option<u32> {
        girth(csr, None, &Watch::SILENT).unwrap()
    }

    /// The reference: for every link, the shortest path around it, which is another cable of it where there is one.
    fn girth_by_removal(csr: &Csr) -> Option<u32> {
        if nodes(csr).any(|a| csr.neighbors(a).windows(2).any(|pair| pair[0] == pair[1])) {
            return Some(2);
        }
        let links: Vec<(u32, u32)> =
            nodes(csr).flat_map(|a| csr.neighbors(a).iter().map(move |&b| (a, b))).collect();
        let around = |&(a, b): &(u32, u32)| {
            let others: Vec<_> =
                links.iter().copied().filter(|&l| l != (a, b) && l != (b, a)).collect();
            let rest = Csr::from_links(count(csr) as u64, &others, 1 << 30).unwrap();
            let distance = distances_from(&rest, Node(a.into()))[b as usize];
            (distance != u32::MAX).then(|| distance + 1)
        };
        links.iter().filter_map(around).min()
    }

    #[test]
    fn known_girths() {
        assert_eq!(girth_of(&petersen()), Some(5));
        assert_eq!(girth_of(&cube(4)), Some(4));
        assert_eq!(girth_of(&complete(5)), Some(3));
        assert_eq!(girth_of(&ring(9)), Some(9));
        assert_eq!(girth_of(&path(9)), None);
        assert_eq!(girth_of(&path(1)), None);
        let of_edges = |n, edges: &[_]| girth_of(&Csr::from_edges(n, edges, 1 << 20).unwrap());
        assert_eq!(of_edges(2, &[(0, 1)]), None);
        assert_eq!(of_edges(2, &[(0, 1); 2]), Some(2));
        assert_eq!(of_edges(3, &[(0, 1), (0, 1), (1, 2), (2, 0)]), Some(2));
        assert_eq!(girth(&ring(8), transitive(8).as_deref(), &Watch::SILENT), Ok(Some(8)));
        // A ring with a tail, and a shorter ring on its own.
        let csr =
            graph(9, &[(0, 1), (1, 2), (2, 3), (3, 0), (3, 4), (4, 5), (6, 7), (7, 8), (8, 6)]);
        assert_eq!(girth_of(&csr), Some(3));
        // A ring of a million nodes with one chord: chains cost no search.
        let n = 1_000_000;
        let mut links: Vec<_> = (0..n).map(|i| (i, (i + 1) % n)).collect();
        links.push((0, 300_000));
        assert_eq!(girth_of(&graph(n, &links)), Some(300_001));
    }

    #[test]
    fn trees_are_taken_away() {
        // A ring of four with a tail of two at node 3 and a leaf at node 0; a path by itself.
        let links = [(0, 1), (1, 2), (2, 3), (3, 0), (3, 4), (4, 5), (0, 6), (7, 8), (8, 9)];
        assert_eq!(two_core(&graph(10, &links)), [2, 2, 2, 2, 0, 0, 0, 0, 0, 0]);
        assert_eq!(two_core(&petersen()), [3; 10]);
    }

    #[test]
    fn components_and_colors() {
        let two = graph(6, &[(0, 2), (2, 4), (1, 3)]);
        let parts = components(&two);
        assert_eq!(parts.of, [0, 1, 0, 1, 0, 2]);
        assert_eq!(parts.sizes, [3, 2, 1]);
        assert!(!parts.connected());
        assert_eq!(two_coloring(&two), Some(vec![false, false, true, true, false, false]));
        assert_eq!(two_coloring(&petersen()), None);
        assert!(two_coloring(&cube(3)).is_some());
        assert!(components(&path(1)).connected());
    }

    #[test]
    fn stops_on_request() {
        let watch = Watch { stop: &|| true, ..Watch::SILENT };
        assert_eq!(girth(&cube(3), None, &watch), Err(Interrupted));
    }

    proptest! {
        #![proptest_config(nestnet_seed::config())]

        #[test]
        fn girth_equals_its_reference(csr in any_multigraph(12)) {
            prop_assert_eq!(girth_of(&csr), girth_by_removal(&csr));
        }

        #[test]
        fn colors_differ_along_links(csr in any_multigraph(9)) {
            match two_coloring(&csr) {
                Some(color) => {
                    for a in nodes(&csr) {
                        for &b in csr.neighbors(a) {
                            prop_assert_ne!(color[a as usize], color[b as usize]);
                        }
                    }
                }
                // No coloring at all is proper.
                None => {
                    let n = count(&csr);
                    let proper = |mask: u32| nodes(&csr).all(|a| {
                        csr.neighbors(a).iter().all(|&b| (mask >> a ^ mask >> b) & 1 == 1)
                    });
                    prop_assert!(!(0..1u32 << n).any(proper));
                }
            }
        }

        #[test]
        fn components_are_what_search_reaches(csr in any_multigraph(12)) {
            let parts = components(&csr);
            for a in nodes(&csr) {
                let reach = distances_from(&csr, Node(a.into()));
                for b in nodes(&csr) {
                    let same = parts.of[a as usize] == parts.of[b as usize];
                    prop_assert_eq!(same, reach[b as usize] != u32::MAX);
                }
                let size = reach.iter().filter(|&&d| d != u32::MAX).count() as u64;
                prop_assert_eq!(parts.sizes[parts.of[a as usize] as usize], size);
            }
        }
    }
}
