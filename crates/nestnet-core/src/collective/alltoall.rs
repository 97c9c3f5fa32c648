//! All-to-all: every host has a block for every other, sent along the routes of a router.

use super::held::index;
use super::plan::{PlanError, afford_bytes};
use super::{Ports, Schedule, Transfer};
use crate::route::walk::step;
use crate::{Budget, Header, Network, Node, Port, Router};
use std::collections::BinaryHeap;

/// A block on its way, ordered by how urgent it is: the farthest to go first, then by number, so that no two are equal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Parcel {
    left: u64,
    block: std::cmp::Reverse<u64>,
    header: Header,
}

/// All blocks by the routes of a router, stored and forwarded: in every step every link carries the block that has the
/// farthest to go. With one port the links are matched greedily in that order.
///
/// A heuristic, as short as its routes allow within a small factor; O(hops · log nodes). A route longer than `most`
/// hops is an error.
///
/// ```
/// use nestnet_core::collective::{Ports, all_to_all};
/// use nestnet_core::Budget;
/// use nestnet_core::{Csr, route::Searched};
/// use std::sync::Arc;
///
/// let links = [(0, 1), (1, 2), (2, 3), (3, 0)];
/// let ring = Arc::new(Csr::from_links(4, &links, 1 << 20)?);
/// let router = Searched::new(ring.clone()).expect("a small network");
/// let schedule = all_to_all(&*ring, &router, Ports::All, &Budget::default())?;
/// assert_eq!(schedule.steps.iter().map(Vec::len).sum::<usize>(), 16);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn all_to_all(
    network: &dyn Network,
    router: &dyn Router,
    ports: Ports,
    budget: &Budget<'_>,
) -> Result<Schedule, PlanError> {
    let hosts = network.hosts();
    let width = network.ports() as usize;
    let pairs = u128::from(hosts).pow(2);
    let channels = u128::from(network.order()) * width as u128;
    // Every parcel waits in one queue, and makes at least one transfer.
    afford_bytes(pairs * 64 + channels * 32, budget)?;
    let mut queues: Vec<BinaryHeap<Parcel>> =
        vec![BinaryHeap::new(); index(network.order()) * width];
    let queue = |at: Node, port: Port| index(at.0) * width + port.0 as usize;
    let longest = router.longest().min(network.order());
    let mut hops = 0u128;
    let mut waiting = 0u64;
    for from in (0..hosts).map(Node) {
        budget.check()?;
        for to in (0..hosts).map(Node).filter(|&to| to != from) {
            let route = crate::route::walk(network, router, from, to, 0, longest)?;
            let parcel = Parcel {
                left: route.hops.len() as u64,
                block: std::cmp::Reverse(from.0 * hosts + to.0),
                header: route.hops[0].header,
            };
            hops += route.hops.len() as u128;
            queues[queue(from, route.hops[0].port)].push(parcel);
            waiting += 1;
        }
    }
    afford_bytes(pairs * 64 + channels * 32 + hops * size_of::<Transfer>() as u128, budget)?;
    let mut steps = Vec::new();
    let mut busy = [vec![false; index(network.order())], vec![false; index(network.order())]];
    while waiting > 0 {
        budget.check()?;
        let mut ready: Vec<(Parcel, usize)> = (0..queues.len())
            .filter_map(|channel| queues[channel].peek().map(|&parcel| (parcel, channel)))
            .collect();
        if ports == Ports::One {
            ready.sort_by(|a, b| b.cmp(a));
        }
        let mut transfers = Vec::new();
        let mut arrivals = Vec::new();
        for (parcel, channel) in ready {
            let from = Node((channel / width) as u64);
            let port = Port(u32::try_from(channel % width).expect("a port"));
            let to = network.neighbor(from, port).expect("the router takes links");
            if ports == Ports::One {
                if busy[0][index(from.0)] || busy[1][index(to.0)] {
                    continue;
                }
                busy[0][index(from.0)] = true;
                busy[1][index(to.0)] = true;
            }
            queues[channel].pop();
            transfers.push(Transfer { from, port, block: parcel.block.0 });
            arrivals.push((to, parcel));
        }
        for (transfer, (to, mut parcel)) in transfers.iter().zip(arrivals) {
            busy[0][index(transfer.from.0)] = false;
            busy[1][index(to.0)] = false;
            parcel.left -= 1;
            if parcel.left == 0 {
                waiting -= 1;
                continue;
            }
            let (_, hop) = step(network, router, to, parcel.header)?;
            parcel.header = hop.header;
            queues[queue(to, hop.port)].push(parcel);
        }
        steps.push(transfers);
    }
    Ok(Schedule { steps })
}
