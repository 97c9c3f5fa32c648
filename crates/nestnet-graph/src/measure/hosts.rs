//! How far are hosts from each other? Links of hosts count.

use super::search::distances_from;
use super::sweep::{Source, Sweeper, Threads};
use super::{Interrupted, Watch};
use crate::fabric::Fabric;
use crate::{Distances, Network, Orbit};

/// Ordered pairs of hosts by distance, each with itself at 0, by a search from every switch that has hosts.
///
/// Exact; O(switches/512 · diameter · links) row operations.
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
    host_distances_by(&Threads, fabric, watch)
}

/// The same on threads or on a GPU, with the same result.
pub fn host_distances_by(
    sweeper: &dyn Sweeper,
    fabric: &Fabric,
    watch: &Watch<'_>,
) -> Result<Distances, Interrupted> {
    let extra = if fabric.has_host_links() { 2 } else { 0 };
    let source = |node: u32| Source { node, weight: fabric.hosts[node as usize].into() };
    let mut sources: Vec<Source> = fabric.with_hosts().into_iter().map(source).collect();
    // Sources of one weight are counted together.
    sources.sort_by_key(|source| source.weight);
    let swept = sweeper.sweep(&fabric.csr, &sources, Some(&fabric.hosts), watch)?;
    let pairs = Distances::new(swept.pairs);
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
    use crate::Node;
    use crate::budget::Budget;
    use crate::samples::HostedRing;

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
