//! How far is every node from one node? Breadth-first search without a stored network.

use super::{Interrupted, Watch};
use crate::bulk_neighbors::{Shifted, mark};
use crate::network::mark_neighbors;
use crate::{Csr, Network, Node};

/// Distances from `from`; `u32::MAX` where there is no path. Exact; O(nodes + links).
///
/// The slow obvious reference of [`levels_from`], for networks whose answer fits in memory.
///
/// ```
/// use nestnet_graph::Csr;
/// use nestnet_graph::Node;
/// use nestnet_graph::measure::search::distances_from;
///
/// let ring = Csr::from_links(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)], 1 << 20)?;
/// assert_eq!(distances_from(&ring, Node(0)), [0, 1, 2, 2, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn distances_from(network: &dyn Network, from: Node) -> Vec<u32> {
    let distances = watched_distances_from(network, from, &Watch::SILENT);
    distances.expect("nobody stops it")
}

/// Distances from a node of a stored network, in arrays that are used again: `u32::MAX` where there is no path, and the
/// nodes that are reached, nearest first. O(nodes + links).
pub fn distances_in_order(csr: &Csr, from: u32, distance: &mut [u32], order: &mut Vec<u32>) {
    distance.fill(u32::MAX);
    distance[from as usize] = 0;
    order.clear();
    order.push(from);
    let mut next = 0;
    while let Some(&at) = order.get(next) {
        next += 1;
        for &to in csr.neighbors(at) {
            if distance[to as usize] == u32::MAX {
                distance[to as usize] = distance[at as usize] + 1;
                order.push(to);
            }
        }
    }
}

/// The same, for searches that may take long.
pub fn watched_distances_from(
    network: &dyn Network,
    from: Node,
    watch: &Watch<'_>,
) -> Result<Vec<u32>, Interrupted> {
    let order = usize::try_from(network.order()).expect("the answer fits in memory");
    let mut distance = vec![u32::MAX; order];
    let index = |node: Node| usize::try_from(node.0).expect("a node of this network");
    distance[index(from)] = 0;
    let mut frontier = vec![from];
    let mut next = Vec::new();
    for step in 1.. {
        if frontier.is_empty() {
            break;
        }
        for (round, &at) in (1..).zip(&frontier) {
            watch.check_each(round)?;
            network.for_each_neighbor(at, &mut |_, to| {
                let seen = &mut distance[index(to)];
                if *seen == u32::MAX {
                    *seen = step;
                    next.push(to);
                }
            });
        }
        frontier.clear();
        std::mem::swap(&mut frontier, &mut next);
    }
    Ok(distance)
}

/// How many nodes are at each distance; those without a path are not among them.
pub fn spheres_of(distances: &[u32]) -> Vec<u64> {
    let mut counts = Vec::new();
    for &distance in distances.iter().filter(|&&distance| distance != u32::MAX) {
        let distance = distance as usize;
        counts.resize(counts.len().max(distance + 1), 0);
        counts[distance] += 1;
    }
    counts
}

/// Whether every node can be reached from node 0.
///
/// ```
/// use nestnet_graph::Csr;
/// use nestnet_graph::measure::search::is_connected;
///
/// let ring = Csr::from_links(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)], 1 << 20)?;
/// assert!(is_connected(&ring));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn is_connected(network: &dyn Network) -> bool {
    network.order() == 0 || distances_from(network, Node(0)).iter().all(|&d| d != u32::MAX)
}

/// How many nodes lie at each distance from one node, and one of the farthest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Levels {
    /// By distance; nodes without a path are not counted.
    pub sizes: Vec<u64>,
    /// The least of the nodes at the largest distance.
    pub farthest: Node,
}

/// Bytes that [`levels_from`] takes: three bits a node.
pub fn levels_bytes(order: u64) -> u128 {
    3 * u128::from(order.div_ceil(64)) * 8
}

/// How many nodes are handed to the network at once: the batch stays in the nearest cache.
const BATCH: usize = 256;

/// The levels of a breadth-first search from `from`, in three bits a node and no stored network.
///
/// The frontier is a set of bits, so that nodes come in ascending order: neighbors in the same copy of a base share
/// cache lines. New nodes are only marked; what was seen before is taken away once a level. Exact; O(nodes + links).
pub fn levels_from(
    network: &dyn Network,
    from: Node,
    watch: &Watch<'_>,
) -> Result<Levels, Interrupted> {
    let words = usize::try_from(network.order().div_ceil(64)).expect("the bits fit in memory");
    let (mut seen, mut next) = (vec![0u64; words], vec![0u64; words]);
    let mut frontier = vec![0u64; words];
    mark(&mut seen, from.0);
    mark(&mut frontier, from.0);
    let mut levels = Levels { sizes: vec![1], farthest: from };
    let mut batch = Vec::with_capacity(BATCH + 64);
    loop {
        let mut expand = |batch: &mut Vec<Shifted>| {
            mark_neighbors(network, batch, &mut next);
            batch.clear();
        };
        for (word, &bits) in (0u64..).zip(&frontier) {
            let mut bits = bits;
            while bits != 0 {
                let node = word * 64 + u64::from(bits.trailing_zeros());
                batch.push(Shifted { node, offset: 0 });
                bits &= bits - 1;
            }
            if batch.len() >= BATCH {
                expand(&mut batch);
                watch.check()?;
            }
        }
        expand(&mut batch);
        let size = settle(&mut seen, &mut frontier, &mut next);
        if size == 0 {
            return Ok(levels);
        }
        let first = (0u64..).zip(&frontier).find(|(_, bits)| **bits != 0);
        let first = first.map_or(0, |(word, bits)| word * 64 + u64::from(bits.trailing_zeros()));
        levels.farthest = Node(first);
        levels.sizes.push(size);
    }
}

/// Makes the marked nodes that were not seen before the frontier, clears the marks and counts.
fn settle(seen: &mut [u64], frontier: &mut [u64], next: &mut [u64]) -> u64 {
    let mut size = 0;
    for ((seen, frontier), next) in seen.iter_mut().zip(frontier).zip(next) {
        let new = *next & !*seen;
        *seen |= new;
        *frontier = new;
        *next = 0;
        size += u64::from(new.count_ones());
    }
    size
}
