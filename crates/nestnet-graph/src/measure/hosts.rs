//! How far are hosts from each other? Links of hosts count.

use super::distance::exhaustive;
use super::search::distances_from;
use super::{Interrupted, Watch};
use crate::fabric::Fabric;
use crate::{Distances, Network, Node, Orbit};
use rayon::prelude::*;
use std::sync::atomic::AtomicU64;

/// Ordered pairs of hosts by distance, each with itself at 0, by a search from every switch that has hosts.
///
/// Exact. O(switches/512 · diameter · links) where all switches have as many hosts, else O(switches · links).
///
/// ```
/// use nestnet_graph::Csr;
/// use nestnet_graph::fabric::Fabric;
/// use nestnet_graph::{BigUint, Budget, Watch};
/// use nestnet_graph::measure::hosts::host_distances;
///
/// let ring = Csr::from_links(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)], 1 << 20)?;
/// let fabric = Fabric::of(&ring, &Budget::default())?;
/// let pairs = host_distances(&fabric, &Watch::SILENT)?;
/// assert_eq!(pairs.counts(), [5u32, 10, 10].map(BigUint::from));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn host_distances(fabric: &Fabric, watch: &Watch<'_>) -> Result<Distances, Interrupted> {
    let extra = if fabric.has_host_links() { 2 } else { 0 };
    let everywhere = fabric.hosts.iter().all(|&hosts| hosts > 0);
    let pairs = match fabric.hosts_each() {
        Some(each) if everywhere => {
            let switches = exhaustive(&fabric.csr, watch)?.histogram;
            switches.scaled(&u64::from(each).pow(2).into())
        }
        _ => {
            let (done, sources) = (AtomicU64::new(0), fabric.with_hosts());
            let from = |&source: &u32| {
                watch.step(&done, sources.len() as u64)?;
                let distances = distances_from(&fabric.csr, Node(source.into()));
                let targets = distances.into_iter().zip(&fabric.hosts);
                let counts = counted(targets.map(|(distance, hosts)| (distance, *hosts)));
                Ok(counts.scaled(&fabric.hosts[source as usize].into()))
            };
            let none = || Ok(Distances::default());
            sources.par_iter().map(from).reduce(none, |a, b| Ok(a?.plus(&b?)))?
        }
    };
    let itself = Distances::new([fabric.at.len()]);
    Ok(pairs.shifted(extra).minus(&itself.shifted(extra)).plus(&itself))
}

/// The same by a search from one host of each class; the classes are proven by the caller, and of hosts alone.
pub fn host_distances_by_symmetry(
    network: &dyn Network,
    classes: &[Orbit],
    watch: &Watch<'_>,
) -> Result<Distances, Interrupted> {
    let hosts = usize::try_from(network.hosts()).unwrap_or(usize::MAX);
    let mut all = Distances::default();
    for class in classes {
        watch.check()?;
        let distances = distances_from(network, class.node);
        let counts = counted(distances.into_iter().take(hosts).map(|distance| (distance, 1)));
        all = all.plus(&counts.scaled(&class.size.into()));
    }
    Ok(all)
}

/// Counts by distance; what has no path is omitted.
fn counted(targets: impl Iterator<Item = (u32, u32)>) -> Distances {
    let mut counts: Vec<u64> = Vec::new();
    for (distance, hosts) in targets.filter(|&(distance, _)| distance != u32::MAX) {
        let at = distance as usize;
        counts.resize(counts.len().max(at + 1), 0);
        counts[at] += u64::from(hosts);
    }
    Distances::new(counts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::measure::samples::HostedRing;

    #[test]
    fn both_methods_agree_with_every_pair() {
        let ring = HostedRing { n: 6, p: 2 };
        let each: Vec<Orbit> = (0..12).map(|node| Orbit { node: Node(node), size: 1 }).collect();
        let plain = host_distances_by_symmetry(&ring, &each, &Watch::SILENT).unwrap();
        // Itself, its fellow, two switches at one and at two steps, one at three; two hosts each.
        assert_eq!(plain, Distances::new([12u32, 0, 12, 48, 48, 24]));
        let mut fabric = Fabric::of(&ring, &Budget::default()).unwrap();
        assert_eq!(host_distances(&fabric, &Watch::SILENT).unwrap(), plain);
        // One host less at one switch: no longer all alike.
        fabric.at.pop();
        fabric.hosts[5] = 1;
        let fewer = host_distances(&fabric, &Watch::SILENT).unwrap();
        assert_eq!(fewer, Distances::new([11u32, 0, 10, 40, 40, 20]));
    }
}
