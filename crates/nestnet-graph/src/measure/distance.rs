//! How far are nodes from each other? Diameter, radius, mean and the whole histogram, by symmetry or from all nodes.

use super::search::{Levels, distances_from, levels_from};
use super::sweep::{Source, Sweeper, Swept, Threads, WIDTH, sweep};
use super::{Interrupted, Watch, nodes};
use crate::job::Job;
use crate::{Csr, Distances, How, Network, Node, Orbit};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::sync::atomic::AtomicU64;

/// All distances of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AllDistances {
    /// Ordered pairs by distance.
    pub histogram: Distances,
    /// Whether there is a path between any two nodes; if not, the rest counts only pairs that have one.
    pub connected: bool,
    /// The largest distance.
    pub diameter: u64,
    /// The least eccentricity of a node.
    pub radius: u64,
    /// Two nodes that are the diameter apart.
    pub farthest: (Node, Node),
    /// Which method was taken.
    pub how: How,
}

/// By a search from every node, 512 at a time.
///
/// ```
/// use nestnet_graph::Csr;
/// use nestnet_graph::Watch;
/// use nestnet_graph::measure::distance::exhaustive;
///
/// let ring = Csr::from_links(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)], 1 << 20)?;
/// let found = exhaustive(&ring, &Watch::SILENT)?;
/// assert_eq!((found.diameter, found.radius), (2, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn exhaustive(csr: &Csr, watch: &Watch<'_>) -> Result<AllDistances, Interrupted> {
    exhaustive_by(&Threads, csr, watch)
}

/// The same on threads or on a GPU, with the same result.
pub fn exhaustive_by(
    sweeper: &dyn Sweeper,
    csr: &Csr,
    watch: &Watch<'_>,
) -> Result<AllDistances, Interrupted> {
    let sources: Vec<Source> = nodes(csr).map(|node| Source { node, weight: 1 }).collect();
    let swept = sweeper.sweep(csr, &sources, None, watch)?;
    from_swept(csr, &sources, swept, How::Exhaustive, watch)
}

/// Sources of one unit of [`FromAll`]: enough that a unit takes longer than handing it out.
const BLOCK: u64 = 8 * WIDTH as u64;

/// The search of [`exhaustive`] as a job: its units are blocks of nodes to search from.
#[derive(Clone, Copy, Debug)]
pub struct FromAll<'a>(pub &'a Csr);

/// Distances from some nodes to all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FromSome {
    /// Ordered pairs by distance.
    pairs: Vec<u128>,
    /// Whether each of these nodes reaches all.
    connected: bool,
    /// The largest distance, and the lowest of these nodes that has it.
    farthest: Option<(u32, u32)>,
    /// The least eccentricity.
    radius: Option<u32>,
}

impl Job for FromAll<'_> {
    type Part = FromSome;
    type Error = Interrupted;

    fn units(&self) -> u64 {
        self.0.order().div_ceil(BLOCK)
    }

    fn nothing(&self) -> FromSome {
        FromSome { pairs: Vec::new(), connected: true, farthest: None, radius: None }
    }

    fn unit(&self, number: u64, watch: &Watch<'_>) -> Result<FromSome, Interrupted> {
        let block = number * BLOCK..((number + 1) * BLOCK).min(self.0.order());
        let node = |node: u64| u32::try_from(node).expect("a stored node");
        let sources: Vec<Source> = block.map(|at| Source { node: node(at), weight: 1 }).collect();
        let swept = sweep(self.0, &sources, watch)?;
        let mut part =
            FromSome { pairs: swept.pairs, connected: swept.connected, ..self.nothing() };
        for (source, &eccentricity) in sources.iter().zip(&swept.eccentricities) {
            part.farthest = farther(part.farthest, Some((eccentricity, source.node)));
            part.radius = Some(part.radius.map_or(eccentricity, |radius| radius.min(eccentricity)));
        }
        Ok(part)
    }

    fn merge(&self, one: FromSome, other: FromSome) -> FromSome {
        merge_distances(one, other)
    }
}

/// The distances from the nodes of both.
pub fn merge_distances(mut one: FromSome, mut other: FromSome) -> FromSome {
    if one.pairs.len() < other.pairs.len() {
        std::mem::swap(&mut one, &mut other);
    }
    one.pairs.iter_mut().zip(&other.pairs).for_each(|(sum, pairs)| *sum += pairs);
    one.connected &= other.connected;
    one.farthest = farther(one.farthest, other.farthest);
    one.radius = one.radius.into_iter().chain(other.radius).min();
    one
}

/// Of the larger distance, and of equal ones the lower node.
fn farther(one: Option<(u32, u32)>, other: Option<(u32, u32)>) -> Option<(u32, u32)> {
    one.into_iter().chain(other).max_by_key(|&(distance, node)| (distance, Reverse(node)))
}

impl FromAll<'_> {
    /// What the merged parts of all units say: the same as [`exhaustive`]. `None` where they are not those of this
    /// network.
    pub fn whole(
        &self,
        all: FromSome,
        watch: &Watch<'_>,
    ) -> Result<Option<AllDistances>, Interrupted> {
        let (Some((diameter, from)), Some(radius)) = (all.farthest, all.radius) else {
            return Ok(None);
        };
        let order = self.0.order();
        let every_node = all.pairs.first() == Some(&order.into());
        if u64::from(from) >= order || !every_node {
            return Ok(None);
        }
        let from = Node(from.into());
        let farthest = levels_from(self.0, from, watch)?.farthest;
        Ok(Some(AllDistances {
            histogram: Distances::new(all.pairs),
            connected: all.connected,
            diameter: diameter.into(),
            radius: radius.into(),
            farthest: (from, farthest),
            how: How::Exhaustive,
        }))
    }
}

/// By a search from one node of each class, 512 at a time; the classes are proven by the caller.
///
/// ```
/// use nestnet_graph::Csr;
/// use nestnet_graph::Watch;
/// use nestnet_graph::network::transitive;
/// use nestnet_graph::measure::distance::by_symmetry;
///
/// let ring = Csr::from_links(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)], 1 << 20)?;
/// let alike = transitive(5).unwrap();
/// let found = by_symmetry(&ring, &alike, &Watch::SILENT)?;
/// assert_eq!((found.diameter, found.histogram.longest()), (2, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn by_symmetry(
    csr: &Csr,
    orbits: &[Orbit],
    watch: &Watch<'_>,
) -> Result<AllDistances, Interrupted> {
    let source = |orbit: &Orbit| Source {
        node: u32::try_from(orbit.node.0).expect("a stored node"),
        weight: orbit.size,
    };
    let mut sources: Vec<Source> = orbits.iter().map(source).collect();
    // Sources of one weight are counted together.
    sources.sort_by_key(|source| (source.weight, source.node));
    let swept = sweep(csr, &sources, watch)?;
    from_swept(csr, &sources, swept, How::Symmetry, watch)
}

/// By a search from one node of each class, one at a time, without a stored network.
pub fn by_symmetry_implicit(
    network: &dyn Network,
    orbits: &[Orbit],
    watch: &Watch<'_>,
) -> Result<AllDistances, Interrupted> {
    let done = AtomicU64::new(0);
    let mut all: Option<AllDistances> = None;
    for orbit in orbits {
        let Levels { sizes, farthest } = levels_from(network, orbit.node, watch)?;
        let eccentricity = sizes.len() as u64 - 1;
        let connected = sizes.iter().sum::<u64>() == network.order();
        let histogram = Distances::new(sizes).scaled(&orbit.size.into());
        let one = AllDistances {
            histogram,
            connected,
            diameter: eccentricity,
            radius: eccentricity,
            farthest: (orbit.node, farthest),
            how: How::Symmetry,
        };
        all = Some(match all {
            None => one,
            Some(all) => AllDistances {
                histogram: all.histogram.plus(&one.histogram),
                connected: all.connected && one.connected,
                diameter: all.diameter.max(one.diameter),
                radius: all.radius.min(one.radius),
                farthest: if one.diameter > all.diameter { one.farthest } else { all.farthest },
                how: How::Symmetry,
            },
        });
        watch.step(&done, orbits.len() as u64)?;
    }
    Ok(all.expect("a network has at least one node"))
}

/// A diameter between its bounds, and two nodes that are the lower one apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diameter {
    /// At least this.
    pub low: u64,
    /// At most this.
    pub high: u64,
    /// Two nodes that are `low` apart.
    pub farthest: (Node, Node),
}

/// The diameter alone and two nodes that attain it; `None` if it is not connected.
///
/// From a node in the middle of a long shortest path, nodes are searched from level by level, the farthest first, 512
/// at a time; once a distance as large as twice the next level is known, no pair of nearer nodes can be farther apart.
/// Often a few searches, all nodes at worst. (P. Crescenzi et al., 2013.)
/// Exact where the levels that matter take at most `max_steps` row operations; bounds where they take more.
///
/// ```
/// use nestnet_graph::Csr;
/// use nestnet_graph::Watch;
/// use nestnet_graph::measure::distance::diameter_by_bounds;
///
/// let ring = Csr::from_links(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)], 1 << 20)?;
/// let found = diameter_by_bounds(&ring, 1 << 20, &Watch::SILENT)?.unwrap();
/// assert_eq!((found.low, found.high), (2, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn diameter_by_bounds(
    csr: &Csr,
    max_steps: u128,
    watch: &Watch<'_>,
) -> Result<Option<Diameter>, Interrupted> {
    let start = nodes(csr).max_by_key(|&at| csr.neighbors(at).len()).unwrap_or(0);
    let one_end = levels_from(csr, Node(start.into()), watch)?.farthest;
    let far = distances_from(csr, one_end);
    if far.contains(&u32::MAX) {
        return Ok(None);
    }
    watch.check()?;
    let other_end = nodes(csr).max_by_key(|&at| far[at as usize]).unwrap_or(0);
    let mut best = far[other_end as usize];
    let mut pair = (one_end, Node(other_end.into()));
    // Halfway back along a shortest path.
    let mut middle = other_end;
    while far[middle as usize] > best / 2 {
        let nearer = |to: &&u32| far[**to as usize] < far[middle as usize];
        middle = *csr.neighbors(middle).iter().find(nearer).expect("a node before it");
    }
    let level = distances_from(csr, Node(middle.into()));
    let rows = u128::from(csr.order()) + 2 * u128::from(csr.links());
    let mut steps_left = max_steps;
    let mut high = 2 * level.iter().copied().max().unwrap_or(0);
    for distance in (1..=high / 2).rev() {
        high = 2 * distance;
        if best >= high {
            break;
        }
        let fringe = nodes(csr).filter(|&at| level[at as usize] == distance);
        let fringe: Vec<Source> = fringe.map(|node| Source { node, weight: 1 }).collect();
        let batches = fringe.len().div_ceil(WIDTH) as u128;
        let steps = rows.saturating_mul(batches).saturating_mul(u128::from(best) + 1);
        if steps > steps_left {
            break;
        }
        steps_left -= steps;
        let swept = sweep(csr, &fringe, watch)?;
        for (source, &eccentricity) in fringe.iter().zip(&swept.eccentricities) {
            if eccentricity > best {
                best = eccentricity;
                let from = Node(source.node.into());
                pair = (from, levels_from(csr, from, watch)?.farthest);
            }
        }
        high = 2 * (distance - 1);
    }
    let (low, high) = (best.into(), high.max(best).into());
    Ok(Some(Diameter { low, high, farthest: pair }))
}

fn from_swept(
    csr: &Csr,
    sources: &[Source],
    swept: Swept,
    how: How,
    watch: &Watch<'_>,
) -> Result<AllDistances, Interrupted> {
    let ends = swept.eccentricities.iter().copied();
    let diameter = ends.clone().max().unwrap_or(0);
    let at = ends.clone().position(|eccentricity| eccentricity == diameter).unwrap_or(0);
    let from = Node(sources[at].node.into());
    let farthest = levels_from(csr, from, watch)?.farthest;
    Ok(AllDistances {
        histogram: Distances::new(swept.pairs),
        connected: swept.connected,
        diameter: diameter.into(),
        radius: ends.min().unwrap_or(0).into(),
        farthest: (from, farthest),
        how,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Shards and their merge say what one search from all nodes says, farthest nodes included.
    #[test]
    fn shards_say_what_the_whole_says() {
        use crate::job::{Shard, run};
        let links: Vec<(u32, u32)> = (0..9000)
            .map(|at| (at, at + 1))
            .chain((0..8000).step_by(7).map(|at| (at, at + 900)))
            .collect();
        for (order, links) in [(9001, &links[..]), (9100, &links[..]), (1, &[][..])] {
            let csr = Csr::from_links(order, links, u64::MAX).unwrap();
            let job = FromAll(&csr);
            let whole = exhaustive(&csr, &Watch::SILENT).unwrap();
            for count in [1, 2, 3, 5] {
                let part =
                    |number| run(&job, Shard::new(number, count).unwrap(), &Watch::SILENT).unwrap();
                // The last first: the order does not matter, nor does the way through a file.
                let parts = (1..=count).rev().map(part).map(|part| {
                    serde_json::from_str(&serde_json::to_string(&part).unwrap()).unwrap()
                });
                let all = parts.fold(job.nothing(), |one, other| job.merge(one, other));
                assert_eq!(job.whole(all, &Watch::SILENT).unwrap().as_ref(), Some(&whole));
            }
            let nothing = job.whole(job.nothing(), &Watch::SILENT).unwrap();
            assert_eq!(nothing, None);
        }
    }

    /// Parts of another network, or what no network has, are no answer.
    #[test]
    fn parts_of_another_network_are_refused() {
        let path = |order: u32| {
            let links: Vec<(u32, u32)> = (1..order).map(|at| (at - 1, at)).collect();
            Csr::from_links(order.into(), &links, 1 << 20).unwrap()
        };
        let (three, four) = (path(3), path(4));
        let all = FromAll(&four).unit(0, &Watch::SILENT).unwrap();
        let whole = |csr: &Csr, all: &FromSome| FromAll(csr).whole(all.clone(), &Watch::SILENT);
        assert_eq!(whole(&three, &all), Ok(None));
        assert_eq!(whole(&four, &all), Ok(Some(exhaustive(&four, &Watch::SILENT).unwrap())));
        // Every node was searched from, but the farthest is none of them.
        let beyond = FromSome { farthest: Some((3, 4)), ..all };
        assert_eq!(whole(&four, &beyond), Ok(None));
    }

    /// From every node by itself: the slow obvious version.
    fn plain(csr: &Csr) -> AllDistances {
        let mut counts: Vec<u64> = Vec::new();
        let mut eccentricities = Vec::new();
        let mut connected = true;
        for at in (0..csr.order()).map(Node) {
            let mut eccentricity = 0;
            for distance in distances_from(csr, at) {
                if distance == u32::MAX {
                    connected = false;
                    continue;
                }
                counts.resize(counts.len().max(distance as usize + 1), 0);
                counts[distance as usize] += 1;
                eccentricity = eccentricity.max(u64::from(distance));
            }
            eccentricities.push(eccentricity);
        }
        let diameter = *eccentricities.iter().max().unwrap();
        let from = eccentricities.iter().position(|&e| e == diameter).unwrap() as u64;
        let distances = distances_from(csr, Node(from));
        let to = distances.iter().position(|&d| u64::from(d) == diameter).unwrap() as u64;
        AllDistances {
            histogram: Distances::new(counts),
            connected,
            diameter,
            radius: *eccentricities.iter().min().unwrap(),
            farthest: (Node(from), Node(to)),
            how: How::Exhaustive,
        }
    }

    proptest! {
        #![proptest_config(nestnet_seed::config())]

        #[test]
        fn bit_parallel_equals_plain(
            order in 1u32..1400,
            links in proptest::collection::vec((any::<u32>(), any::<u32>()), 0..3000),
        ) {
            let links = links.iter().map(|(a, b)| (a % order, b % order)).filter(|(a, b)| a != b);
            let csr = Csr::from_links(order.into(), &links.collect::<Vec<_>>(), 1 << 30).unwrap();
            let plain = plain(&csr);
            prop_assert_eq!(&exhaustive(&csr, &Watch::SILENT).unwrap(), &plain);
            for max_steps in [u128::MAX, 100_000] {
                let bounded = diameter_by_bounds(&csr, max_steps, &Watch::SILENT).unwrap();
                prop_assert_eq!(bounded.is_some(), plain.connected);
                if let Some(Diameter { low, high, farthest: (from, to) }) = bounded {
                    prop_assert!(low <= plain.diameter && plain.diameter <= high);
                    prop_assert!(low == high || max_steps < u128::MAX);
                    let to = usize::try_from(to.0).unwrap();
                    prop_assert_eq!(u64::from(distances_from(&csr, from)[to]), low);
                }
            }
            let each = |node| Orbit { node: Node(node), size: 1 };
            let orbits: Vec<Orbit> = (0..csr.order()).map(each).collect();
            let implicit = by_symmetry_implicit(&csr, &orbits, &Watch::SILENT).unwrap();
            prop_assert_eq!(&implicit, &AllDistances { how: How::Symmetry, ..plain });
        }
    }

    #[test]
    fn weights_count() {
        // A star of five: the hub, and a leaf for all four.
        let csr = Csr::from_links(5, &[(0, 1), (0, 2), (0, 3), (0, 4)], 1 << 20).unwrap();
        let orbits = [Orbit { node: Node(0), size: 1 }, Orbit { node: Node(1), size: 4 }];
        let all = by_symmetry(&csr, &orbits, &Watch::SILENT).unwrap();
        assert_eq!(all.histogram, Distances::new([5u8, 8, 12]));
        assert_eq!((all.diameter, all.radius), (2, 1));
    }

    /// In a ring of seven two levels are searched from, each in a batch of four steps over seven nodes and their ends:
    /// what is allowed decides between which bounds the diameter is left.
    #[test]
    fn bounds_are_as_good_as_the_steps_allow() {
        let links: Vec<(u32, u32)> = (0..7).map(|at| (at, (at + 1) % 7)).collect();
        let csr = Csr::from_links(7, &links, 1 << 20).unwrap();
        let level = (7 + 14) * 4;
        for (max_steps, high) in
            [(0, 6), (level - 1, 6), (level, 4), (2 * level - 1, 4), (2 * level, 3)]
        {
            let found = diameter_by_bounds(&csr, max_steps, &Watch::SILENT).unwrap().unwrap();
            assert_eq!((found.low, found.high), (3, high), "{max_steps}");
        }
    }

    #[test]
    fn it_stops_on_request() {
        let csr = Csr::from_links(2, &[(0, 1)], 1 << 20).unwrap();
        let watch = Watch { stop: &|| true, ..Watch::SILENT };
        assert_eq!(exhaustive(&csr, &watch), Err(Interrupted));
    }
}
