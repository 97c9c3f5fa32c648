//! How busy is every channel when each node, or each host, sends to each other along shortest paths?
//!
//! A channel is a link in one direction. Each ordered pair of nodes sends 1, split equally over all shortest paths
//! between them; the load of a channel is what passes it. Half the sum of a link's two loads is its edge betweenness.

use super::{Interrupted, Watch, count, id};
use crate::{Csr, Orbit, kinds};
use std::ops::Range;
use std::sync::atomic::AtomicU64;
use thiserror::Error;

/// The loads of all channels.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ChannelLoad {
    /// The load of every channel, in the order of [`Csr::targets`]. Exact but for rounding (about 15 digits).
    pub loads: Vec<f64>,
    /// The largest load; 0 without links.
    pub max: f64,
    /// The first channel that bears it: its two ends.
    pub busiest: Option<(u32, u32)>,
    /// The mean load: the sum of all distances over the number of channels, from integers.
    pub mean: f64,
    /// The sum of the distances of all ordered pairs that have a path.
    pub total: u128,
    /// How many nodes send.
    pub nodes: u64,
}

impl ChannelLoad {
    fn new(csr: &Csr, loads: Vec<f64>, total: u128, nodes: u64) -> Self {
        let max = loads.iter().copied().fold(0.0, f64::max);
        // Equal loads differ in their last digits; the first of them bears the name.
        let busiest = loads.iter().position(|&load| load >= max * (1.0 - 1e-9));
        ChannelLoad {
            max,
            busiest: busiest.map(|channel| csr.ends(channel)),
            mean: if loads.is_empty() { 0.0 } else { total as f64 / loads.len() as f64 },
            loads,
            total,
            nodes,
        }
    }

    /// The largest load over the mean: 1 where all channels are equally busy.
    pub fn ratio(&self) -> f64 {
        if self.mean == 0.0 { 1.0 } else { self.max / self.mean }
    }

    /// Ideal throughput of uniform traffic: what each node can send per cycle, to all others alike, before the busiest
    /// channel is saturated, when a channel carries 1 per cycle. `None` without links.
    pub fn throughput(&self) -> Option<f64> {
        (self.max > 0.0).then(|| (self.nodes - 1) as f64 / self.max)
    }
}

/// The load of every channel by a search from every node.
///
/// U. Brandes, 2001; O(nodes · links). Sums are taken in one fixed order, so that the last bit does not depend on the
/// number of threads.
///
/// ```
/// use nestnet_graph::Csr;
/// use nestnet_graph::Watch;
/// use nestnet_graph::measure::load::channel_load;
///
/// let ring = Csr::from_links(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)], 1 << 20)?;
/// let found = channel_load(&ring, &Watch::SILENT)?;
/// assert_eq!((found.max, found.total), (3.0, 30));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn channel_load(csr: &Csr, watch: &Watch<'_>) -> Result<ChannelLoad, Interrupted> {
    channel_load_between(csr, count(csr) as u64, watch)
}

/// The same where only the first `hosts` nodes send, each to each other of them.
///
/// ```
/// use nestnet_graph::Csr;
/// use nestnet_graph::Watch;
/// use nestnet_graph::measure::load::channel_load_between;
///
/// // Hosts 0 to 2 at switch 3.
/// let star = Csr::from_links(4, &[(0, 3), (1, 3), (2, 3)], 1 << 20)?;
/// let found = channel_load_between(&star, 3, &Watch::SILENT)?;
/// assert_eq!((found.max, found.total, found.nodes), (2.0, 12, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn channel_load_between(
    csr: &Csr,
    hosts: u64,
    watch: &Watch<'_>,
) -> Result<ChannelLoad, Interrupted> {
    let done = AtomicU64::new(0);
    let sources = 0..count(csr).min(usize::try_from(hosts).unwrap_or(usize::MAX));
    let senders = sources.len();
    let block = senders.div_ceil(64).max(1);
    let sum = Sum { csr, senders, block, done: &done, watch }.over(sources)?;
    Ok(ChannelLoad::new(csr, sum.loads, sum.total, senders as u64))
}

/// Why classes of channels cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ClassError {
    /// It was stopped.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
    /// The classes do not belong to this network.
    #[error("{given} classes for {channels} channels")]
    WrongLength {
        /// How many were given.
        given: usize,
        /// How many channels there are.
        channels: usize,
    },
}

kinds!(ClassError {
    Internal: WrongLength;
    inner: Interrupted;
});

/// The load of every channel by one search from each class of nodes.
///
/// `orbits` and `classes` (the class of every channel, in the order of [`Csr::targets`]) must be the orbits of one and
/// the same group of automorphisms. Then an automorphism that carries one source to another of its class carries each
/// class of channels to itself, so every source of a class puts the same sum of loads on a class of channels; and the
/// loads of all channels in a class are equal, because an automorphism carries the one to the other.
pub fn channel_load_by_classes(
    csr: &Csr,
    orbits: &[Orbit],
    classes: &[u32],
    watch: &Watch<'_>,
) -> Result<ChannelLoad, ClassError> {
    let channels = csr.targets().len();
    if classes.len() != channels {
        return Err(ClassError::WrongLength { given: classes.len(), channels });
    }
    let entries = classes.iter().max().map_or(0, |&most| most as usize + 1);
    let mut sums = vec![0.0; entries];
    let mut total = 0;
    let mut pass = Pass::new(csr);
    let done = AtomicU64::new(0);
    for orbit in orbits {
        watch.step(&done, orbits.len() as u64)?;
        let mut part = Part { loads: vec![0.0; channels], total: 0 };
        let source = u32::try_from(orbit.node.0).expect("a node of the network");
        pass.add(csr, source, count(csr), &mut part);
        for (&class, load) in classes.iter().zip(part.loads) {
            sums[class as usize] += orbit.size as f64 * load;
        }
        total += part.total * u128::from(orbit.size);
    }
    let mut sizes = vec![0u64; entries];
    for &class in classes {
        sizes[class as usize] += 1;
    }
    let load = |&class: &u32| sums[class as usize] / sizes[class as usize] as f64;
    Ok(ChannelLoad::new(csr, classes.iter().map(load).collect(), total, count(csr) as u64))
}

/// What some sources put on all channels.
struct Part {
    loads: Vec<f64>,
    total: u128,
}

/// What the first nodes put on all channels.
struct Sum<'a> {
    csr: &'a Csr,
    /// So many send, each to each other of them.
    senders: usize,
    block: usize,
    done: &'a AtomicU64,
    watch: &'a Watch<'a>,
}

impl Sum<'_> {
    /// The sum over a range of sources: added as a binary tree, the first part first, however many threads there are.
    fn over(&self, sources: Range<usize>) -> Result<Part, Interrupted> {
        if sources.len() <= self.block {
            let mut part = Part { loads: vec![0.0; self.csr.targets().len()], total: 0 };
            let mut pass = Pass::new(self.csr);
            for source in sources {
                self.watch.step(self.done, self.senders as u64)?;
                pass.add(self.csr, id(source), self.senders, &mut part);
            }
            return Ok(part);
        }
        let middle = sources.start + sources.len() / 2;
        let (first, second) =
            rayon::join(|| self.over(sources.start..middle), || self.over(middle..sources.end));
        let (mut first, second) = (first?, second?);
        first.loads.iter_mut().zip(second.loads).for_each(|(sum, load)| *sum += load);
        first.total += second.total;
        Ok(first)
    }
}

/// One thread's arrays for the searches from one node after the other.
///
/// A *place* is a position in the order of the search: the nodes of a level stand together there, so that the inner
/// loops read and write few cache lines.
pub(super) struct Pass {
    /// The place of each node; `u32::MAX` where the search has not come.
    pub(super) place: Vec<u32>,
    /// The node at each place. One entry more than nodes, where what is not new is written and forgotten.
    pub(super) queue: Vec<u32>,
    /// The first place of each level, and the end of the last.
    pub(super) levels: Vec<usize>,
    /// The channels that lead from one level to the next, in the order of the search. Again one entry more.
    ahead: Vec<Ahead>,
    /// How many shortest paths lead to each place.
    paths: Vec<f64>,
    /// What each place receives and passes on, for each shortest path to it.
    share: Vec<f64>,
}

/// A channel that leads away from the source.
#[derive(Clone, Copy, Default)]
struct Ahead {
    /// The place where it begins.
    from: u32,
    /// The place where it ends.
    to: u32,
    /// Its index in [`Csr::targets`].
    channel: usize,
}

impl Pass {
    pub(super) fn new(csr: &Csr) -> Self {
        let n = count(csr);
        Pass {
            place: vec![u32::MAX; n],
            queue: vec![0; n + 1],
            levels: Vec::new(),
            ahead: vec![Ahead::default(); csr.targets().len() / 2 + 1],
            paths: vec![0.0; n],
            share: vec![0.0; n],
        }
    }

    /// Adds what `source` sends to all others of the first `senders` nodes.
    fn add(&mut self, csr: &Csr, source: u32, senders: usize, part: &mut Part) {
        let ahead = self.search(csr, source);
        let reached = self.levels.last().copied().unwrap_or(0);
        let receives = |node: u32| (node as usize) < senders;
        let sizes = self.levels.windows(2).map(|level| {
            let nodes = &self.queue[level[0]..level[1]];
            nodes.iter().filter(|&&node| receives(node)).count()
        });
        part.total +=
            (0..).zip(sizes).map(|(distance, size)| distance * size as u128).sum::<u128>();
        let (ahead, paths) = (&self.ahead[..ahead], &mut self.paths[..reached]);
        paths.fill(0.0);
        paths[0] = 1.0;
        for step in ahead {
            paths[step.to as usize] += paths[step.from as usize];
        }
        // A place's share is 1 for itself, where it receives, over the paths to it, and the shares of all places after it;
        // a channel bears the share of the place after it for every path to the place before it.
        let share = &mut self.share[..reached];
        for (share, (paths, &node)) in share.iter_mut().zip(paths.iter().zip(&self.queue)) {
            *share = if receives(node) { 1.0 / paths } else { 0.0 };
        }
        for step in ahead.iter().rev() {
            let beyond = share[step.to as usize];
            part.loads[step.channel] += paths[step.from as usize] * beyond;
            share[step.from as usize] += beyond;
        }
    }

    /// Puts the nodes in order and finds the channels that lead ahead; says how many there are.
    /// Written without branches in the inner loop: they would be guessed wrong too often.
    pub(super) fn search(&mut self, csr: &Csr, source: u32) -> usize {
        self.place.fill(u32::MAX);
        self.levels.clear();
        self.levels.push(0);
        self.place[source as usize] = 0;
        self.queue[0] = source;
        // Slices of their own, and counters as wide as what they are compared with, keep the loop tight.
        let (places, queue, found) =
            (&mut self.place[..], &mut self.queue[..], &mut self.ahead[..]);
        let (mut head, mut tail, mut ahead) = (0u32, 1u32, 0);
        while head < tail {
            let end = tail;
            self.levels.push(end as usize);
            while head < end {
                let at = queue[head as usize];
                let first = usize::try_from(csr.offsets()[at as usize]).expect("it is stored");
                for (channel, &to) in (first..).zip(csr.neighbors(at)) {
                    let known = places[to as usize];
                    let new = known == u32::MAX;
                    let place = known.min(tail);
                    places[to as usize] = place;
                    queue[tail as usize] = to;
                    found[ahead] = Ahead { from: head, to: place, channel };
                    tail += u32::from(new);
                    ahead += usize::from(place >= end);
                }
                head += 1;
            }
        }
        ahead
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Node;
    use crate::measure::search::distances_from;
    use crate::measure::{channels, nodes, splitmix64};
    use crate::network::transitive;
    use crate::samples::*;
    use proptest::prelude::*;

    fn of(csr: &Csr) -> ChannelLoad {
        channel_load(csr, &Watch::SILENT).unwrap()
    }

    /// The reference: every shortest path written out, once for each choice of cables.
    fn by_enumeration(csr: &Csr) -> Vec<f64> {
        let mut loads = vec![0.0; csr.targets().len()];
        for from in nodes(csr) {
            let distance = distances_from(csr, Node(from.into()));
            let mut paths = vec![vec![from]];
            while !paths.is_empty() {
                let mut longer: Vec<Vec<u32>> = Vec::new();
                for path in &paths {
                    let last = path[path.len() - 1];
                    let next = |&&to: &&u32| distance[to as usize] == distance[last as usize] + 1;
                    let extended = csr.neighbors(last).iter().filter(next);
                    longer.extend(extended.map(|&to| [path.as_slice(), &[to]].concat()));
                }
                paths = longer;
                for path in &paths {
                    let to = path[path.len() - 1];
                    let same = paths.iter().filter(|other| other[other.len() - 1] == to).count();
                    for step in path.windows(2) {
                        // The cables of a link bear the same.
                        let cables = channels(csr, step[0], step[1]);
                        let part = ((same * cables.len()) as f64).recip();
                        loads[cables].iter_mut().for_each(|sum| *sum += part);
                    }
                }
            }
        }
        loads
    }

    #[test]
    fn known_loads() {
        // On a path of three the middle passes everything on.
        let answer = of(&path(3));
        assert_eq!(answer.loads, [2.0, 2.0, 2.0, 2.0]);
        assert_eq!(answer.throughput(), Some(1.0));
        // In a cube each channel carries half of the nodes.
        let answer = of(&cube(4));
        assert!(answer.loads.iter().all(|load| (load - 8.0).abs() < 1e-12));
        assert!(answer.mean == 8.0 && (answer.ratio() - 1.0).abs() < 1e-12);
        assert_eq!(answer.busiest, Some((0, 1)));
        let answer = of(&path(1));
        assert_eq!((answer.max, answer.busiest, answer.throughput()), (0.0, None, None));
        // A star of four: each channel of the hub carries 3.
        let answer = of(&graph(4, &[(0, 1), (0, 2), (0, 3)]));
        assert_eq!((answer.max, answer.total), (3.0, 18));
    }

    #[test]
    fn only_hosts_send() {
        // Two switches joined by two cables, two hosts at each: 0 and 1 at 4, 2 and 3 at 5.
        let links = [(0, 4), (1, 4), (2, 5), (3, 5), (4, 5), (4, 5)];
        let csr = Csr::from_edges(6, &links, 1 << 20).unwrap();
        let found = channel_load_between(&csr, 4, &Watch::SILENT).unwrap();
        for (channel, &load) in found.loads.iter().enumerate() {
            let (from, to) = csr.ends(channel);
            let expected = if from.max(to) == 5 && from.min(to) == 4 { 2.0 } else { 3.0 };
            assert_eq!(load, expected, "{from} {to}");
        }
        // Four pairs are two hops apart and eight three.
        assert_eq!((found.nodes, found.total), (4, 4 * 2 + 8 * 3));
    }

    #[test]
    fn classes_give_the_same() {
        // A torus has two classes of channels, along each side.
        let csr = torus(4, 5);
        let classes: Vec<u32> = nodes(&csr)
            .flat_map(|a| csr.neighbors(a).iter().map(move |b| u32::from(a / 5 == b / 5)))
            .collect();
        let whole = of(&csr);
        let alike = transitive(20).unwrap();
        let quick = channel_load_by_classes(&csr, &alike, &classes, &Watch::SILENT).unwrap();
        for (a, b) in whole.loads.iter().zip(&quick.loads) {
            assert!((a - b).abs() < 1e-12, "{a} {b}");
        }
        assert_eq!((quick.total, quick.mean), (whole.total, whole.mean));
        let wrong = channel_load_by_classes(&csr, &alike, &[0], &Watch::SILENT);
        assert_eq!(wrong, Err(ClassError::WrongLength { given: 1, channels: 80 }));
    }

    #[test]
    fn threads_do_not_change_a_bit() {
        let csr = by_rule(120, |a, b| splitmix64(u64::from(a * 120 + b)).is_multiple_of(20));
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| of(&csr))
        };
        assert_eq!(run(1), run(3));
        let watch = Watch { stop: &|| true, ..Watch::SILENT };
        assert_eq!(channel_load(&csr, &watch), Err(Interrupted));
    }

    proptest! {
        #![proptest_config(nestnet_seed::config())]

        #[test]
        fn equals_its_reference(csr in any_multigraph(8)) {
            let answer = of(&csr);
            for (ours, load) in answer.loads.iter().zip(by_enumeration(&csr)) {
                prop_assert!((ours - load).abs() < 1e-9, "{ours} is not {load}");
            }
            let sum: f64 = answer.loads.iter().sum();
            prop_assert!((sum - answer.total as f64).abs() < 1e-9);
        }
    }
}
