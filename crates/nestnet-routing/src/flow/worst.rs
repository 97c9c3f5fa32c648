//! Which permutation is worst for a routing?
//!
//! For every channel one assignment problem: which host should send to which so that this channel bears the most
//! (B. Towles, W. J. Dally, 2002)? The largest over all channels is the worst case. Where the routing commutes with
//! automorphisms, one channel of each class is enough. A channel whose bound, a sum of the largest parts of
//! senders and of receivers, does not pass what another bears is omitted.

use super::routed::{Ground, channels_by_port};
use super::split::{Pass, Split};
use super::throughput_upper_bound::of_hosts;
use super::{FlowError, best_assignment};
use crate::Router;
use crate::route::PathSet;
use nestnet_graph::fabric::Fabric;
use nestnet_graph::measure::{count, id};
use nestnet_graph::{Budget, Csr, Network, Node, index};
use std::collections::BTreeMap;

/// The worst permutation.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Worst {
    /// What the busiest channel bears when each host sends 1, but for rounding.
    pub load: f64,
    /// That channel: two nodes of the fabric.
    pub channel: (u32, u32),
    /// Where each host sends.
    pub permutation: Vec<u64>,
}

/// Which part of what one sends to another takes a channel: senders and receivers by number.
type Entries = Vec<(u32, u32, f64)>;

/// The worst permutation when traffic is divided over shortest paths. `classes` has the class of every channel under
/// automorphisms that carry hosts to hosts; without, every channel is looked at. `None` without channels.
///
/// Between switches: with as many hosts at each, a permutation of hosts is a sum of permutations of switches.
///
/// ```
/// use nestnet_graph::fabric::Fabric;
/// use nestnet_graph::{Budget, Csr};
/// use nestnet_routing::flow::{Split, worst_of_split};
///
/// let ring = Csr::from_links(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)], 1 << 20)?;
/// let fabric = Fabric::of(&ring, &Budget::default())?;
/// let worst = worst_of_split(&fabric, Split::AllPaths, None, &Budget::default())?;
/// assert_eq!(worst.unwrap().load, 2.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn worst_of_split(
    fabric: &Fabric,
    split: Split,
    classes: Option<&[u32]>,
    budget: &Budget<'_>,
) -> Result<Option<Worst>, FlowError> {
    let nodes = fabric.with_hosts();
    let Some(each) = fabric.hosts_each() else {
        // Hosts are distinguished where switches have different numbers of them.
        return Err(FlowError::Uneven);
    };
    let n = count(&fabric.csr);
    budget.fits("all pairs of switches", (n as u128).pow(2) * 12)?;
    let channels = representatives(&fabric.csr, classes.filter(|_| split != Split::Lowest));
    let looks = (n as u128).pow(2).saturating_mul(channels.len() as u128);
    budget.affords("the worst permutation", looks)?;
    let all = Pairs::new(&fabric.csr, budget)?;
    let mut place = vec![u32::MAX; n];
    (0..).zip(&nodes).for_each(|(at, &node)| place[node as usize] = at);
    let mut search = Search::new(nodes.len());
    for (from, to) in channels {
        budget.check()?;
        let mut entries: Entries = Vec::new();
        all.parts(&fabric.csr, split, (from, to), &mut |a, b, part| {
            let (a, b) = (place[a as usize], place[b as usize]);
            if a != u32::MAX && b != u32::MAX {
                entries.push((a, b, part));
            }
        });
        search.look((from, to), &entries, budget)?;
    }
    Ok(search.best.map(|(load, channel, to)| Worst {
        load: load * f64::from(each),
        channel,
        permutation: of_hosts(fabric, &nodes, &to),
    }))
}

/// The worst permutation for a router. Every choice of every pair is walked, once.
pub fn worst_of_router(
    network: &dyn Network,
    router: &dyn Router,
    fabric: &Fabric,
    classes: Option<&[u32]>,
    budget: &Budget<'_>,
) -> Result<Option<Worst>, FlowError> {
    if let (Some(paths), Some(each)) = (router.structure().weighted, fabric.hosts_each()) {
        return worst_of_paths(network, paths, fabric, each, budget);
    }
    let hosts = network.hosts();
    let choices = router.choices();
    let walks = u128::from(hosts).pow(2).saturating_mul(choices.into());
    budget.affords("walking every choice of every pair", walks.saturating_mul(64))?;
    let mut wanted = vec![false; fabric.csr.targets().len()];
    for (from, to) in representatives(&fabric.csr, classes) {
        wanted[nestnet_graph::measure::channels(&fabric.csr, from, to)].fill(true);
    }
    let mut takes: Vec<BTreeMap<(u32, u32), u64>> = vec![BTreeMap::new(); wanted.len()];
    let mut ground = Ground::new(network, fabric, budget);
    let mut listed = 0u128;
    for from in 0..hosts {
        budget.fits("which routes take which channel", listed * 48)?;
        for to in (0..hosts).filter(|&to| to != from) {
            for choice in 0..choices {
                ground.walk(router, Node(from), Node(to), choice, &mut |_, channel| {
                    if wanted[channel] {
                        let entry = takes[channel].entry((id(index(from)), id(index(to))));
                        *entry.or_insert_with(|| {
                            listed += 1;
                            0
                        }) += 1;
                    }
                })?;
            }
        }
    }
    let part = |((from, to), count): ((u32, u32), u64)| (from, to, count as f64 / choices as f64);
    let entries = takes.into_iter().map(|takes| takes.into_iter().map(part).collect());
    let best = worst_channel(&fabric.csr, index(hosts), &entries.collect::<Vec<_>>(), budget)?;
    Ok(best.map(|(load, channel, to)| Worst {
        load,
        channel,
        permutation: to.into_iter().map(|to| to as u64).collect(),
    }))
}

/// The same for weighted paths between switches: with as many hosts at each, a permutation of hosts is a sum of
/// permutations of switches.
fn worst_of_paths(
    network: &dyn Network,
    paths: &dyn PathSet,
    fabric: &Fabric,
    each: u32,
    budget: &Budget<'_>,
) -> Result<Option<Worst>, FlowError> {
    let nodes = fabric.with_hosts();
    let channels = channels_by_port(network, fabric);
    let mut takes: Vec<Entries> = vec![Vec::new(); channels.len()];
    let mut listed = 0u128;
    let whole = f64::from(paths.whole());
    for (from, &a) in (0..).zip(&nodes) {
        budget.check()?;
        budget.fits("which paths take which channel", listed * 16)?;
        for (to, &b) in (0..).zip(&nodes).filter(|(to, _)| *to != from) {
            paths.for_each(a, b, &mut |part, hops| {
                for &(at, port, _) in hops {
                    let part = f64::from(part) / whole;
                    let entries = &mut takes[channels[&(at, port)]];
                    match entries.last_mut() {
                        Some((last_from, last_to, sum)) if (*last_from, *last_to) == (from, to) => {
                            *sum += part;
                        }
                        _ => {
                            entries.push((from, to, part));
                            listed += 1;
                        }
                    }
                }
            });
        }
    }
    let best = worst_channel(&fabric.csr, nodes.len(), &takes, budget)?;
    Ok(best.map(|(load, channel, to)| Worst {
        load: load * f64::from(each),
        channel,
        permutation: of_hosts(fabric, &nodes, &to),
    }))
}

/// One channel of each class, or all.
fn representatives(csr: &Csr, classes: Option<&[u32]>) -> Vec<(u32, u32)> {
    let mut seen = vec![false; csr.targets().len()];
    let first = |channel: &usize| match classes {
        Some(classes) => !std::mem::replace(&mut seen[classes[*channel] as usize], true),
        None => true,
    };
    (0..csr.targets().len()).filter(first).map(|channel| csr.ends(channel)).collect()
}

/// What a channel bears, the channel, and where each sends.
type Best = (f64, (u32, u32), Vec<usize>);

/// The worst channel of those whose entries are listed, among `n` senders: those with the largest bounds first, so that
/// few assignment problems are solved.
fn worst_channel(
    csr: &Csr,
    n: usize,
    takes: &[Entries],
    budget: &Budget<'_>,
) -> Result<Option<Best>, FlowError> {
    let bounds: Vec<f64> = takes.iter().map(|entries| bound(n, entries)).collect();
    let mut order: Vec<usize> = (0..takes.len()).filter(|&at| bounds[at] > 0.0).collect();
    order.sort_by(|&a, &b| bounds[b].total_cmp(&bounds[a]));
    let mut search = Search::new(n);
    for channel in order {
        if bounds[channel] <= search.enough() {
            break;
        }
        search.look(csr.ends(channel), &takes[channel], budget)?;
    }
    Ok(search.best)
}

/// No permutation puts more on a channel.
///
/// The channel of two switches is mostly taken by what one of them sends and by what the other receives, and a permutation
/// has one of each. So these two count once, and only of the rest the largest parts are added.
fn bound(n: usize, entries: &Entries) -> f64 {
    let all = Largest::of(n, entries.iter());
    let mut counts = [vec![0u32; n], vec![0u32; n]];
    for &(from, to, _) in entries {
        counts[0][from as usize] += 1;
        counts[1][to as usize] += 1;
    }
    let most = |side: &Vec<u32>| (0..n).max_by_key(|&at| side[at]).unwrap_or(0);
    let [from, to] = [most(&counts[0]), most(&counts[1])];
    let is_other = |entry: &&(u32, u32, f64)| entry.0 as usize != from && entry.1 as usize != to;
    let rest = Largest::of(n, entries.iter().filter(is_other)).bound();
    let once = |side: &Vec<f64>, at: usize| side.get(at).copied().unwrap_or(0.0);
    all.bound().min(once(&all.0[0], from) + once(&all.0[1], to) + rest)
}

/// The largest part of each sender and of each receiver.
struct Largest([Vec<f64>; 2]);

impl Largest {
    fn of<'a>(n: usize, entries: impl Iterator<Item = &'a (u32, u32, f64)>) -> Self {
        let mut largest = [vec![0.0f64; n], vec![0.0f64; n]];
        for &(from, to, part) in entries {
            for (side, at) in largest.iter_mut().zip([from, to]) {
                side[at as usize] = side[at as usize].max(part);
            }
        }
        Largest(largest)
    }

    /// The sum of the largest parts of all senders or of all receivers, whichever is less.
    fn bound(&self) -> f64 {
        self.0.iter().map(|side| side.iter().sum::<f64>()).fold(f64::MAX, f64::min)
    }

    /// Only those that take the channel at all: senders and receivers.
    fn taking(&self) -> [Vec<usize>; 2] {
        let taking = |side: &Vec<f64>| (0..side.len()).filter(|&at| side[at] > 0.0).collect();
        [taking(&self.0[0]), taking(&self.0[1])]
    }
}

/// The worst so far.
struct Search {
    n: usize,
    best: Option<Best>,
}

impl Search {
    fn new(n: usize) -> Self {
        Search { n, best: None }
    }

    /// What does not pass this is not worse.
    fn enough(&self) -> f64 {
        self.best.as_ref().map_or(0.0, |(load, ..)| *load) * (1.0 + 1e-12)
    }

    fn look(
        &mut self,
        channel: (u32, u32),
        entries: &Entries,
        budget: &Budget<'_>,
    ) -> Result<(), FlowError> {
        if bound(self.n, entries) <= self.enough() {
            return Ok(());
        }
        let [senders, receivers] = Largest::of(self.n, entries.iter()).taking();
        let size = senders.len().max(receivers.len());
        let steps = (size as u128).pow(3) / 8;
        budget.affords("one assignment problem", steps)?;
        budget.fits("one assignment problem", (size as u128).pow(2) * 8)?;
        let mut weights = vec![0.0; size * size];
        let mut place = [vec![0; self.n], vec![0; self.n]];
        senders.iter().enumerate().for_each(|(at, &sender)| place[0][sender] = at);
        receivers.iter().enumerate().for_each(|(at, &receiver)| place[1][receiver] = at);
        for &(from, to, part) in entries {
            weights[place[0][from as usize] * size + place[1][to as usize]] = part;
        }
        let weight = |from: usize, to: usize| weights[from * size + to];
        let (to, load) = best_assignment(size, weight, &budget.watch)?;
        if load <= self.enough() {
            return Ok(());
        }
        let mut permutation = vec![usize::MAX; self.n];
        let mut taken = vec![false; self.n];
        for (at, &sender) in senders.iter().enumerate() {
            if let Some(&receiver) = receivers.get(to[at]).filter(|_| weight(at, to[at]) > 0.0) {
                permutation[sender] = receiver;
                taken[receiver] = true;
            }
        }
        // The rest send anywhere: it can only add. Backward, so that few are left with themselves.
        let mut free = (0..self.n).rev().filter(|&to| !taken[to]);
        for to in permutation.iter_mut().filter(|to| **to == usize::MAX) {
            *to = free.next().expect("as many receivers as senders");
        }
        self.best = Some((load, channel, permutation));
        Ok(())
    }
}

/// Distances and numbers of shortest paths between all nodes.
struct Pairs {
    n: usize,
    distance: Vec<u32>,
    paths: Vec<f64>,
}

impl Pairs {
    fn new(csr: &Csr, budget: &Budget<'_>) -> Result<Self, FlowError> {
        let n = count(csr);
        let (mut distance, mut paths) = (Vec::with_capacity(n * n), Vec::with_capacity(n * n));
        let mut pass = Pass::new(csr);
        for at in 0..id(n) {
            budget.check()?;
            pass.search(csr, at);
            pass.count_paths(csr);
            distance.extend_from_slice(&pass.distance);
            paths.extend_from_slice(pass.paths());
        }
        Ok(Pairs { n, distance, paths })
    }

    fn at(&self, from: u32, to: u32) -> usize {
        from as usize * self.n + to as usize
    }

    /// Visits all pairs of which a part takes the channel.
    fn parts(
        &self,
        csr: &Csr,
        split: Split,
        (from, to): (u32, u32),
        visit: &mut dyn FnMut(u32, u32, f64),
    ) {
        let far = |a: u32, b: u32| self.distance[self.at(a, b)];
        for target in 0..id(self.n) {
            let behind = far(to, target);
            if behind == u32::MAX || far(from, target) != behind + 1 {
                continue;
            }
            match split {
                Split::AllPaths => {
                    for source in 0..id(self.n) {
                        let before = far(source, from);
                        if before != u32::MAX && far(source, target) == before + 1 + behind {
                            let through =
                                self.paths[self.at(source, from)] * self.paths[self.at(to, target)];
                            visit(source, target, through / self.paths[self.at(source, target)]);
                        }
                    }
                }
                Split::PerHop | Split::Lowest => {
                    self.upward(csr, split, (from, to), target, visit);
                }
            }
        }
    }

    /// From the channel away from the target: which part of what passes a node takes it.
    fn upward(
        &self,
        csr: &Csr,
        split: Split,
        (from, to): (u32, u32),
        target: u32,
        visit: &mut dyn FnMut(u32, u32, f64),
    ) {
        let far = |at: u32| self.distance[self.at(at, target)];
        let nearer = |at: u32| {
            csr.neighbors(at).iter().copied().filter(move |&next| far(next) + 1 == far(at))
        };
        let part = |at: u32, next: u32| match split {
            Split::PerHop => 1.0 / nearer(at).count() as f64,
            _ => f64::from(u8::from(nearer(at).next() == Some(next))),
        };
        let mut parts = BTreeMap::from([(from, part(from, to))]);
        let mut before = vec![from];
        let mut next = 0;
        while let Some(&at) = before.get(next) {
            next += 1;
            let here = parts[&at];
            if here == 0.0 {
                continue;
            }
            visit(at, target, here);
            for &source in csr.neighbors(at).iter().filter(|&&source| far(source) == far(at) + 1) {
                let share = part(source, at) * here;
                if share > 0.0 {
                    *parts.entry(source).or_insert_with(|| {
                        before.push(source);
                        0.0
                    }) += share;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nestnet_graph::Watch;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(nestnet_seed::config())]

        /// No assignment passes the bound, and of two stars that meet it is exact.
        #[test]
        fn an_assignment_keeps_within_the_bound(
            given in prop::collection::btree_map((0u32..7, 0u32..7), 0.0..1.0f64, 1..30),
        ) {
            let entries: Entries = given.iter().map(|(&(from, to), &part)| (from, to, part)).collect();
            let weight = |from, to| given.get(&(id(from), id(to))).copied().unwrap_or(0.0);
            let (_, load) = best_assignment(7, weight, &Watch::SILENT).unwrap();
            prop_assert!(load <= bound(7, &entries) * (1.0 + 1e-12));
        }
    }

    /// Whatever node 0 sends and node 1 receives.
    #[test]
    fn what_two_nodes_send_and_receive_counts_once() {
        let sends = (2..9).map(|to| (0, to, 0.5));
        let receives = (2..9).map(|from| (from, 1, 0.25));
        assert_eq!(bound(9, &sends.chain(receives).collect()), 0.75);
    }
}
