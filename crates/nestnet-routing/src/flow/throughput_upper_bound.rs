//! What can no routing pass for the worst permutation?

use super::{FlowError, best_assignment};
use nestnet_graph::fabric::Fabric;
use nestnet_graph::measure::{count, id, search::distances_from};
use nestnet_graph::{Budget, Node, index};
use rayon::prelude::*;

/// A bound on the θ of the worst permutation, whatever the routing, and a permutation that proves it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ThroughputUpperBound {
    /// All capacity, twice the links: the upper part of the bound.
    pub capacity: u64,
    /// What the permutation needs of it at rate 1, at least: the lower part.
    pub needed: u64,
    /// Where each node of [`ThroughputUpperBound::nodes`] sends, by its place there.
    pub to: Vec<usize>,
    /// The nodes of the fabric that have hosts.
    pub nodes: Vec<u32>,
}

impl ThroughputUpperBound {
    /// The bound; infinite where nothing needs a link.
    pub fn theta(&self) -> f64 {
        self.capacity as f64 / self.needed as f64
    }
}

/// The throughput upper bound: a unit of traffic between nodes L apart takes at least L of the capacity, so that
/// θ ≤ 2E / max Σ L(u, π(u)) · min(hosts). (P. Namyar et al., 2021.)
///
/// It bounds the worst case, not uniform traffic, and counts no host links. One assignment problem on all distances:
/// O(n³).
///
/// ```
/// use nestnet_graph::fabric::Fabric;
/// use nestnet_graph::{Budget, Csr};
/// use nestnet_routing::flow::throughput_upper_bound;
///
/// let ring = Csr::from_links(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)], 1 << 20)?;
/// let fabric = Fabric::of(&ring, &Budget::default())?;
/// // Ten channels, and every host may send two hops away.
/// let bound = throughput_upper_bound(&fabric, &Budget::default())?;
/// assert_eq!((bound.capacity, bound.needed), (10, 10));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn throughput_upper_bound(
    fabric: &Fabric,
    budget: &Budget<'_>,
) -> Result<ThroughputUpperBound, FlowError> {
    let nodes = fabric.with_hosts();
    let n = nodes.len();
    let (searched, all) = (n as u128, count(&fabric.csr) as u128);
    budget.fits("distances between all switches", searched * searched * 4 + all * 16)?;
    // Augmenting paths are short where many distances are alike.
    budget.affords(
        "the bound on the worst case",
        searched.pow(2).saturating_mul(searched.max(64)) / 16,
    )?;
    let rows: Result<Vec<Vec<u32>>, FlowError> = nodes
        .par_iter()
        .map(|&from| {
            budget.check()?;
            let distance = distances_from(&fabric.csr, Node(from.into()));
            let row: Vec<u32> = nodes.iter().map(|&to| distance[to as usize]).collect();
            match row.iter().position(|&distance| distance == u32::MAX) {
                Some(to) => Err(FlowError::NoPath { from, to: nodes[to] }),
                None => Ok(row),
            }
        })
        .collect();
    let rows = rows?;
    let weight = |from: usize, to: usize| {
        let hosts = |at: usize| fabric.hosts[nodes[at] as usize];
        f64::from(rows[from][to]) * f64::from(hosts(from).min(hosts(to)))
    };
    let (to, sum) = best_assignment(n, weight, &budget.watch)?;
    let capacity = fabric.csr.targets().len() as u64;
    // A sum of whole numbers.
    let needed = format!("{sum:.0}").parse().unwrap_or(u64::MAX);
    Ok(ThroughputUpperBound { capacity, needed, to, nodes })
}

impl ThroughputUpperBound {
    /// The same permutation among hosts: the i-th host of a node to the i-th of the other; those that have none stay.
    pub fn of_hosts(&self, fabric: &Fabric) -> Vec<u64> {
        of_hosts(fabric, &self.nodes, &self.to)
    }
}

/// A permutation of nodes with hosts as one of hosts.
pub(super) fn of_hosts(fabric: &Fabric, nodes: &[u32], to: &[usize]) -> Vec<u64> {
    let mut hosts: Vec<Vec<u64>> = vec![Vec::new(); count(&fabric.csr)];
    for (host, &at) in (0..).zip(&fabric.at) {
        hosts[at as usize].push(host);
    }
    let mut permutation: Vec<u64> = (0..fabric.at.len() as u64).collect();
    for (&from, &to) in nodes.iter().zip(to) {
        let (here, there) = (&hosts[from as usize], &hosts[nodes[to] as usize]);
        for (&from, &to) in here.iter().zip(there) {
            permutation[index(from)] = to;
        }
    }
    // Where numbers of hosts differ, some are named twice and some never; the latter take the place of what is left.
    let mut taken = vec![false; permutation.len()];
    let mut homeless = Vec::new();
    for (from, to) in permutation.iter().enumerate() {
        if std::mem::replace(&mut taken[index(*to)], true) {
            homeless.push(from);
        }
    }
    let free: Vec<usize> = (0..taken.len()).filter(|&to| !taken[to]).collect();
    for (from, to) in homeless.into_iter().zip(free) {
        permutation[from] = id(to).into();
    }
    permutation
}
