//! How does a network hold when parts of it fail by lot?
//!
//! A trial fails every link between routers, or every router with its hosts, with the same probability, by the lot of
//! [`Faults`]: the same seed fails the same links there. What is left is the part with the most
//! hosts.

use super::{Faults, Lot};
use crate::distances::ratio;
use crate::fabric::Fabric;
use crate::job::{self, Shard};
use crate::measure::hosts::host_distances;
use crate::measure::{count, id};
use crate::{Budget, Csr, Interrupted, Watch};

/// What fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failing {
    /// Links between routers.
    Links,
    /// Routers, and with them their hosts.
    Nodes,
}

/// What one trial left.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Trial {
    /// How many links or routers failed.
    pub failed: u64,
    /// Whether all hosts that did not fail can still reach each other.
    pub connected: bool,
    /// Hosts outside of the largest part, those that failed among them.
    pub hosts_lost: u64,
    /// The longest way between hosts of the largest part.
    pub diameter: u64,
    /// The mean way; 0 where a single host is left.
    pub mean: f64,
}

/// A mean over trials.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// Half of the interval that has the true mean with 95 %, by the normal law.
    pub ci95: f64,
    /// The largest that was seen.
    pub most: f64,
}

/// What many trials left.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Resilience {
    /// With which probability each part failed.
    pub rate: f64,
    /// How many trials there were.
    pub trials: u64,
    /// In how many the network fell apart.
    pub fell_apart: u64,
    /// Parts that failed.
    pub failed: Spread,
    /// Hosts outside of the largest part.
    pub hosts_lost: Spread,
    /// The longest way that was left.
    pub diameter: Spread,
    /// The mean way that was left.
    pub mean_distance: Spread,
}

impl Resilience {
    /// The interval that has the probability of falling apart with 95 %.
    pub fn fell_apart_between(&self) -> (f64, f64) {
        wilson(self.fell_apart as f64, self.trials as f64)
    }
}

/// The interval that has a probability with 95 %, where something happened so often in so many trials (E. Wilson, 1927).
pub fn wilson(happened: f64, trials: f64) -> (f64, f64) {
    const Z: f64 = 1.959_963_984_540_054;
    let n = trials;
    let part = happened / n;
    let below = 1.0 + Z * Z / n;
    let middle = (part + Z * Z / (2.0 * n)) / below;
    let half = Z * (part * (1.0 - part) / n + Z * Z / (4.0 * n * n)).sqrt() / below;
    ((middle - half).max(0.0), (middle + half).min(1.0))
}

/// Trials with the seeds from `seed` on. O(trials · what all distances take).
pub fn resilience(
    fabric: &Fabric,
    what: Failing,
    rate: f64,
    trials: u64,
    seed: u64,
    budget: &Budget<'_>,
) -> Result<Resilience, Interrupted> {
    let all = job::each(trials, Shard::WHOLE, &budget.watch, |number, watch| {
        trial(fabric, what, rate, seed.wrapping_add(number), watch)
    })?;
    let spread = |value: &dyn Fn(&Trial) -> f64| {
        let n = all.len().max(1) as f64;
        let mean = all.iter().map(value).sum::<f64>() / n;
        let square = all.iter().map(|trial| (value(trial) - mean).powi(2)).sum::<f64>();
        let deviation = if n > 1.0 { (square / (n - 1.0)).sqrt() } else { 0.0 };
        let most = all.iter().map(value).fold(0.0, f64::max);
        Spread { mean, ci95: 1.96 * deviation / n.sqrt(), most }
    };
    Ok(Resilience {
        rate,
        trials,
        fell_apart: all.iter().filter(|trial| !trial.connected).count() as u64,
        failed: spread(&|trial| trial.failed as f64),
        hosts_lost: spread(&|trial| trial.hosts_lost as f64),
        diameter: spread(&|trial| trial.diameter as f64),
        mean_distance: spread(&|trial| trial.mean),
    })
}

/// One trial.
pub fn trial(
    fabric: &Fabric,
    what: Failing,
    rate: f64,
    seed: u64,
    watch: &Watch<'_>,
) -> Result<Trial, Interrupted> {
    watch.check()?;
    let csr = &fabric.csr;
    let (nodes, links) = match what {
        Failing::Links => (0.0, rate),
        Failing::Nodes => (rate, 0.0),
    };
    let mut faults = Faults::default();
    faults.draw(Lot { seed, nodes, links });
    let is_up: Vec<bool> =
        (0..id(count(csr))).map(|at| !faults.has_node(fabric.node(at))).collect();
    let mut left = Vec::new();
    let mut failed = is_up.iter().filter(|up| !**up).count() as u64;
    for from in 0..id(count(csr)) {
        for &to in csr.neighbors(from).iter().filter(|&&to| to > from) {
            if faults.has_link(fabric.node(from), fabric.node(to)) {
                failed += 1;
            } else if is_up[from as usize] && is_up[to as usize] {
                left.push((from, to));
            }
        }
    }
    let part_of = parts(count(csr), &left);
    let mut hosts_of = vec![0u64; count(csr)];
    for (at, &hosts) in fabric.hosts.iter().enumerate().filter(|(at, _)| is_up[*at]) {
        hosts_of[part_of[at] as usize] += u64::from(hosts);
    }
    let up: u64 = hosts_of.iter().sum();
    // Of equal parts the first.
    let largest = (0..hosts_of.len()).rev().max_by_key(|&part| hosts_of[part]).unwrap_or(0);
    let inside = |at: u32| is_up[at as usize] && part_of[at as usize] as usize == largest;
    let mut names = vec![u32::MAX; count(csr)];
    let members: Vec<u32> = (0..id(count(csr))).filter(|&at| inside(at)).collect();
    for (name, &at) in (0..).zip(&members) {
        names[at as usize] = name;
    }
    let links: Vec<(u32, u32)> = left
        .iter()
        .filter(|(from, _)| inside(*from))
        .map(|&(from, to)| (names[from as usize], names[to as usize]))
        .collect();
    let rest =
        Csr::from_links(members.len() as u64, &links, u64::MAX).expect("a part of what was stored");
    let hosts: Vec<u32> = members.iter().map(|&at| fabric.hosts[at as usize]).collect();
    let at = (0..).zip(&hosts).flat_map(|(at, &hosts)| (0..hosts).map(move |_| at)).collect();
    let rest = Fabric { csr: rest, first: fabric.first, at, hosts };
    let distances = host_distances(&rest, watch)?;
    let total: u64 = fabric.hosts.iter().map(|&hosts| u64::from(hosts)).sum();
    Ok(Trial {
        failed,
        connected: hosts_of[largest] == up,
        hosts_lost: total - hosts_of[largest],
        diameter: distances.longest(),
        mean: distances.mean().map_or(0.0, |(sum, pairs)| ratio(&sum, &pairs)),
    })
}

/// For each of so many nodes the lowest node that these links join it to.
fn parts(nodes: usize, links: &[(u32, u32)]) -> Vec<u32> {
    let mut above: Vec<u32> = (0..id(nodes)).collect();
    fn root(above: &mut [u32], mut at: u32) -> u32 {
        while above[at as usize] != at {
            above[at as usize] = above[above[at as usize] as usize];
            at = above[at as usize];
        }
        at
    }
    for &(from, to) in links {
        let (a, b) = (root(&mut above, from), root(&mut above, to));
        above[a.max(b) as usize] = a.min(b);
    }
    (0..id(nodes)).map(|at| root(&mut above, at)).collect()
}

/// More links than this are too many to try all sets of.
pub const MOST_EXACT: u64 = 20;

/// How many sets of `k` links keep all hosts joined, for every `k`; `None` with more than [`MOST_EXACT`] links.
///
/// The probability that a network holds, where each link fails with probability p, is the sum of
/// `counts[k] · (1 − p)^k · p^(links − k)`. O(2^links · links).
pub fn reliability(fabric: &Fabric, watch: &Watch<'_>) -> Result<Option<Vec<u64>>, Interrupted> {
    let csr = &fabric.csr;
    if csr.links() > MOST_EXACT {
        return Ok(None);
    }
    let all = (0..id(count(csr)))
        .flat_map(|from| csr.neighbors(from).iter().map(move |&to| (from, to)))
        .filter(|(from, to)| from < to);
    let all: Vec<(u32, u32)> = all.collect();
    let mut counts = vec![0; all.len() + 1];
    let mut kept = Vec::new();
    for set in 0u64..1 << all.len() {
        watch.check_each(set)?;
        kept.clear();
        kept.extend(
            all.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1).map(|(_, link)| *link),
        );
        let part_of = parts(count(csr), &kept);
        let mut with_hosts = fabric.with_hosts().into_iter().map(|at| part_of[at as usize]);
        let first = with_hosts.next();
        counts[kept.len()] += u64::from(with_hosts.all(|part| Some(part) == first));
    }
    Ok(Some(counts))
}

/// With which probability a network falls apart, by what [`reliability`] counts.
pub fn falls_apart(counts: &[u64], rate: f64) -> f64 {
    let links = counts.len().saturating_sub(1);
    let power = |base: f64, exponent: usize| base.powi(i32::try_from(exponent).unwrap_or(i32::MAX));
    let holds = counts
        .iter()
        .enumerate()
        .map(|(kept, &count)| count as f64 * power(1.0 - rate, kept) * power(rate, links - kept));
    (1.0 - holds.sum::<f64>()).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::samples::{petersen, ring};
    use crate::{Network, Node};

    fn fabric(network: &dyn Network) -> Fabric {
        Fabric::of(network, &Budget::default()).unwrap()
    }

    /// A ring holds while at most one link fails.
    #[test]
    fn a_ring_is_counted_by_hand() {
        let ring = fabric(&ring(6));
        let counts = reliability(&ring, &Watch::SILENT).unwrap().unwrap();
        assert_eq!(counts, [0, 0, 0, 0, 0, 6, 1]);
        let by_hand = 1.0 - 0.9f64.powi(6) - 6.0 * 0.9f64.powi(5) * 0.1;
        assert!((falls_apart(&counts, 0.1) - by_hand).abs() < 1e-12);
        let found = resilience(&ring, Failing::Links, 0.1, 4000, 1, &Budget::default()).unwrap();
        let (low, high) = found.fell_apart_between();
        assert!(low <= by_hand && by_hand <= high, "{low} to {high}, {by_hand}");
        // A path of six where one failed, or a shorter one.
        assert!(found.diameter.most <= 5.0 && found.failed.mean > 0.5 && found.failed.mean < 0.7);
    }

    #[test]
    fn petersen_has_two_thousand_spanning_trees() {
        let counts = reliability(&fabric(&petersen()), &Watch::SILENT).unwrap().unwrap();
        assert_eq!((counts[9], counts[15], counts[14], counts[8]), (2000, 1, 15, 0));
    }

    #[test]
    fn nothing_fails_and_everything_fails() {
        let petersen = fabric(&petersen());
        let whole = trial(&petersen, Failing::Links, 0.0, 1, &Watch::SILENT).unwrap();
        assert_eq!((whole.failed, whole.connected, whole.hosts_lost), (0, true, 0));
        assert_eq!((whole.diameter, whole.mean), (2, 5.0 / 3.0));
        let cut = trial(&petersen, Failing::Links, 1.0, 1, &Watch::SILENT).unwrap();
        assert_eq!((cut.failed, cut.connected, cut.hosts_lost, cut.mean), (15, false, 9, 0.0));
        let gone = trial(&petersen, Failing::Nodes, 1.0, 1, &Watch::SILENT).unwrap();
        assert_eq!((gone.failed, gone.hosts_lost), (10, 10));
    }

    /// What a trial fails is what faults of the same seed fail.
    #[test]
    fn trials_are_faults_of_their_seed() {
        let network = petersen();
        for seed in 0..20 {
            let mut faults = Faults::default();
            faults.draw(Lot { seed, nodes: 0.0, links: 0.3 });
            let (_, links) = faults.count(&network, &Watch::SILENT).unwrap();
            let found =
                trial(&fabric(&network), Failing::Links, 0.3, seed, &Watch::SILENT).unwrap();
            assert_eq!(found.failed, links);
            // What is left is joined exactly where a search from the first node reaches everyone.
            let reached = reach(&network, &faults);
            assert_eq!(found.connected, reached == 10, "{seed}");
        }
    }

    /// The slow way: whom node 0 reaches.
    fn reach(network: &Csr, faults: &Faults) -> usize {
        let mut seen = vec![Node(0)];
        let mut next = 0;
        while let Some(&at) = seen.get(next) {
            next += 1;
            network.for_each_neighbor(at, &mut |_, to| {
                if faults.passes(at, to) && !seen.contains(&to) {
                    seen.push(to);
                }
            });
        }
        seen.len()
    }
}
