//! Which faults hurt most? The worst set that is found, to be checked by whoever doubts it.
//!
//! To cut hosts off, an adversary fails all links around some routers, or all next to them that can fail. From every router,
//! or from many, such a set grows by the neighbor that leaves the fewest links or routers around it; each set on the way
//! that the adversary can afford is a candidate. The least cut of all is one too. What is found is a set of faults, and
//! [`after`](super::after) says what it leaves: a certificate of how bad it can get, not of how bad at most.

use super::{Failing, stranded};
use crate::route::Faults;
use nestnet_graph::fabric::Fabric;
use nestnet_graph::measure::connectivity::edge_connectivity;
use nestnet_graph::measure::{count, id};
use nestnet_graph::union_find::MinUnionFind;
use nestnet_graph::{Interrupted, Watch};
use std::sync::atomic::AtomicU64;

/// Sets grow from at most so many routers, evenly spread.
const STARTS: usize = 64;

/// The set of at most `most` links or routers that is found to cut the most hosts off from the rest, the smallest of
/// those; `None` where none that is found cuts any off. O(starts · nodes · links of what grows).
///
/// ```
/// use nestnet_graph::fabric::Fabric;
/// use nestnet_graph::{Budget, Csr, Node, Watch};
/// use nestnet_routing::resilience::Failing;
/// use nestnet_routing::resilience::adversary::worst_faults;
///
/// let path = Csr::from_links(4, &[(0, 1), (1, 2), (2, 3)], 1 << 20)?;
/// let fabric = Fabric::of(&path, &Budget::default())?;
/// let worst = worst_faults(&fabric, Failing::Links, 1, &Watch::SILENT)?.unwrap();
/// assert_eq!(worst.links().collect::<Vec<_>>(), [(Node(1), Node(2))]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn worst_faults(
    fabric: &Fabric,
    what: Failing,
    most: u64,
    watch: &Watch<'_>,
) -> Result<Option<Faults>, Interrupted> {
    let csr = &fabric.csr;
    let nodes = count(csr);
    let total: u64 = fabric.hosts.iter().map(|&hosts| u64::from(hosts)).sum();
    let mut best: Option<(u64, u64, Vec<bool>)> = None;
    let mut consider = |inside: &[bool]| {
        let hosts = |wanted: &dyn Fn(usize) -> bool| -> u64 {
            (0..nodes).filter(|&at| wanted(at)).map(|at| u64::from(fabric.hosts[at])).sum()
        };
        let (spent, lost) = match what {
            Failing::Links => {
                let own = hosts(&|at| inside[at]);
                (around(fabric, inside), own.min(total - own))
            }
            Failing::Switches | Failing::Hosts | Failing::Nodes => {
                let failed = border(fabric, what, inside);
                let spent = failed.iter().filter(|failed| **failed).count() as u64;
                if spent > most {
                    return;
                }
                let hosts_of = hosts_of_parts(fabric, &failed);
                let largest = hosts_of.iter().copied().max().unwrap_or(0);
                // Where one part has all hosts that are left, nothing is cut off.
                if hosts_of.iter().filter(|hosts| **hosts > 0).count() < 2 {
                    return;
                }
                (spent, total - largest)
            }
        };
        let better = match &best {
            Some((known, cost, _)) => lost > *known || (lost == *known && spent < *cost),
            None => lost > 0,
        };
        if spent <= most && better {
            best = Some((lost, spent, inside.to_vec()));
        }
    };
    if what == Failing::Links && nodes > 1 {
        let quiet = Watch { progress: &|_| (), ..*watch };
        let cut = edge_connectivity(csr, None, &quiet)?;
        let mut inside = vec![false; nodes];
        cut.side.iter().for_each(|&at| inside[at as usize] = true);
        consider(&inside);
    }
    let done = AtomicU64::new(0);
    let starts: Vec<usize> = (0..nodes).step_by(nodes.div_ceil(STARTS).max(1)).collect();
    for &start in &starts {
        watch.step(&done, starts.len() as u64)?;
        let mut inside = vec![false; nodes];
        // Of each router outside: how many of its links lead inside.
        let mut pulled = vec![0usize; nodes];
        let mut next = Some(start);
        let mut size = 0;
        while let Some(at) = next.filter(|_| size * 2 <= nodes) {
            watch.check_each(size as u64)?;
            inside[at] = true;
            size += 1;
            for &to in csr.neighbors(id(at)) {
                pulled[to as usize] += 1;
            }
            consider(&inside);
            // Who adds the fewest links around; of those the first.
            let added = |at: &usize| csr.neighbors(id(*at)).len() as i64 - 2 * pulled[*at] as i64;
            next = (0..nodes).filter(|&at| !inside[at] && pulled[at] > 0).min_by_key(added);
        }
    }
    Ok(best.map(|(_, _, inside)| faults(fabric, what, &inside)))
}

/// How many links lead out of a set.
fn around(fabric: &Fabric, inside: &[bool]) -> u64 {
    let out = |at: usize| {
        let to = fabric.csr.neighbors(id(at)).iter();
        to.filter(|&&to| !inside[to as usize]).count() as u64
    };
    (0..inside.len()).filter(|&at| inside[at]).map(out).sum()
}

/// Who is next to a set, not in it, and can fail.
fn border(fabric: &Fabric, what: Failing, inside: &[bool]) -> Vec<bool> {
    let is_next = |at: usize| {
        !inside[at]
            && what.has_router(fabric, id(at))
            && fabric.csr.neighbors(id(at)).iter().any(|&to| inside[to as usize])
    };
    (0..inside.len()).map(is_next).collect()
}

/// The hosts of each part that these routers leave; hosts that lost the last of their switches are in none.
fn hosts_of_parts(fabric: &Fabric, failed: &[bool]) -> Vec<u64> {
    let mut is_up: Vec<bool> = failed.iter().map(|failed| !failed).collect();
    stranded(fabric, &is_up).into_iter().for_each(|at| is_up[at as usize] = false);
    let mut joined = MinUnionFind::apart(id(failed.len()));
    for at in (0..failed.len()).filter(|&at| is_up[at]) {
        let up = fabric.csr.neighbors(id(at)).iter().filter(|&&to| is_up[to as usize]);
        up.for_each(|&to| joined.join(id(at), to));
    }
    let part_of = joined.all_lowest();
    let mut hosts = vec![0; failed.len()];
    for at in (0..failed.len()).filter(|&at| is_up[at]) {
        hosts[part_of[at] as usize] += u64::from(fabric.hosts[at]);
    }
    hosts
}

fn faults(fabric: &Fabric, what: Failing, inside: &[bool]) -> Faults {
    let mut faults = Faults::default();
    match what {
        Failing::Links => {
            for at in (0..inside.len()).filter(|&at| inside[at]).map(id) {
                for &to in fabric.csr.neighbors(at).iter().filter(|&&to| !inside[to as usize]) {
                    faults.fail_link(fabric.node(at), fabric.node(to));
                }
            }
        }
        Failing::Switches | Failing::Hosts | Failing::Nodes => {
            for (at, _) in (0..).zip(border(fabric, what, inside)).filter(|(_, failed)| *failed) {
                faults.fail_node(fabric.node(at));
            }
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resilience::tests::LeafSpine;
    use crate::resilience::{Also, after};
    use nestnet_graph::{Budget, Network};
    use nestnet_seed::samples::{by_rule, petersen, ring};

    fn lost(network: &dyn Network, what: Failing, most: u64) -> Option<u64> {
        let fabric = Fabric::of(network, &Budget::default()).unwrap();
        let found = worst_faults(&fabric, what, most, &Watch::SILENT).unwrap()?;
        let left = after(&fabric, &found, Also::default(), &Budget::default()).unwrap();
        assert!(left.failed <= most && !left.connected);
        Some(left.hosts_lost)
    }

    #[test]
    fn rings_are_halved_by_two() {
        assert_eq!(lost(&ring(10), Failing::Links, 1), None);
        assert_eq!(lost(&ring(10), Failing::Links, 2), Some(5));
        // Two routers and four of the others; five are left.
        assert_eq!(lost(&ring(11), Failing::Switches, 2), Some(6));
        assert_eq!(lost(&ring(11), Failing::Nodes, 1), None);
    }

    /// Every second of 81 routers is a start; node 1 is none, and hangs on node 0 by the only link that can be afforded.
    #[test]
    fn the_least_cut_is_found_between_the_starts() {
        let network = by_rule(81, |a, b| if b == 1 { a == 0 } else { a != 1 });
        assert_eq!(lost(&network, Failing::Links, 1), Some(1));
        assert_eq!(lost(&network, Failing::Links, 0), None);
    }

    #[test]
    fn petersen_loses_one_for_three_and_half_for_five() {
        let of = |most| lost(&petersen(), Failing::Links, most);
        assert_eq!((of(2), of(3), of(4), of(5)), (None, Some(1), Some(2), Some(5)));
        assert_eq!(lost(&petersen(), Failing::Nodes, 2), None);
        assert_eq!(lost(&petersen(), Failing::Nodes, 3), Some(4));
    }

    /// Two spines of a plane and a leaf of the other cut two hosts off; leaves of both planes take theirs with them.
    #[test]
    fn switches_of_planes_cut_few_hosts_off() {
        let of = |what, most| lost(&LeafSpine { planes: 2 }, what, most);
        assert_eq!((of(Failing::Switches, 2), of(Failing::Switches, 3)), (None, Some(2)));
        assert_eq!(of(Failing::Hosts, 8), None);
        // Both spines leave four leaves apart from each other.
        assert_eq!(lost(&LeafSpine { planes: 1 }, Failing::Switches, 2), Some(6));
    }
}
