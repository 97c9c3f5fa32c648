//! All-to-all: every host has a block for every other, sent along the routes of a router.

use super::held::index;
use super::made::Packed;
use super::plan::{PlanError, afford_bytes};
use super::{Made, Ports, Schedule, Transfer};
use crate::route::walk::step;
use crate::{Budget, Header, Hop, Network, Node, Port, Router};
use std::collections::BinaryHeap;

/// A block on its way, ordered by how urgent it is: the farthest to go first, then by number, so that no two are equal.
///
/// The hops that are left, and in the lower bits the number of the block turned around.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Parcel(u64);

impl Parcel {
    const BITS: u32 = 40;
    const BLOCKS: u64 = (1 << Parcel::BITS) - 1;

    fn new(left: u64, block: u64) -> Self {
        Parcel((left << Parcel::BITS) | (Parcel::BLOCKS - block))
    }

    fn left(self) -> u64 {
        self.0 >> Parcel::BITS
    }

    fn block(self) -> u64 {
        Parcel::BLOCKS - (self.0 & Parcel::BLOCKS)
    }
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
    Ok(all_to_all_made(network, router, ports, budget)?.collect())
}

/// The same, in less memory.
pub(super) fn all_to_all_made(
    network: &dyn Network,
    router: &dyn Router,
    ports: Ports,
    budget: &Budget<'_>,
) -> Result<Made<'static>, PlanError> {
    let hosts = network.hosts();
    let width = network.ports() as usize;
    let pairs = u128::from(hosts).pow(2);
    let channels = u128::from(network.order()) * width as u128;
    // Every parcel waits in one queue, with what its router wrote, and makes at least one transfer.
    let parcel = if router.remembers() { 24 } else { 16 };
    afford_bytes(pairs * parcel + channels * 32, budget)?;
    let mut states = if router.remembers() { vec![0u64; index(hosts * hosts)] } else { Vec::new() };
    let mut queues: Vec<BinaryHeap<Parcel>> =
        vec![BinaryHeap::new(); index(network.order()) * width];
    let queue = |at: Node, port: Port| index(at.0) * width + port.0 as usize;
    let longest = router.longest().min(network.order());
    let mut hops = 0u128;
    let mut waiting = 0u64;
    for from in (0..hosts).map(Node) {
        budget.check()?;
        for to in (0..hosts).map(Node).filter(|&to| to != from) {
            let block = from.0 * hosts + to.0;
            let (left, first) = length(network, router, from, to, longest)?;
            if let Some(state) = states.get_mut(index(block)) {
                *state = first.header.state;
            }
            hops += u128::from(left);
            queues[queue(from, first.port)].push(Parcel::new(left, block));
            waiting += 1;
        }
    }
    afford_bytes(pairs * parcel + channels * 32 + hops * Packed::BYTES, budget)?;
    let mut steps = Packed::default();
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
            transfers.push(Transfer { from, port, block: parcel.block() });
            arrivals.push((to, parcel));
        }
        for (transfer, (to, parcel)) in transfers.iter().zip(arrivals) {
            busy[0][index(transfer.from.0)] = false;
            busy[1][index(to.0)] = false;
            let (left, block) = (parcel.left() - 1, parcel.block());
            if left == 0 {
                waiting -= 1;
                continue;
            }
            let state = states.get(index(block)).copied().unwrap_or(0);
            let (_, hop) = step(network, router, to, Header { to: Node(block % hosts), state })?;
            if let Some(state) = states.get_mut(index(block)) {
                *state = hop.header.state;
            }
            queues[queue(to, hop.port)].push(Parcel::new(left, block));
        }
        steps.push(&transfers);
    }
    Ok(steps.made())
}

/// The hops of a route, and the first of them.
fn length(
    network: &dyn Network,
    router: &dyn Router,
    from: Node,
    to: Node,
    most: u64,
) -> Result<(u64, Hop), PlanError> {
    let (mut at, mut hop) = step(network, router, from, router.start(from, to, 0))?;
    let (first, mut hops) = (hop, 1);
    while at != to {
        if hops >= most {
            // The whole route says what is wrong with it.
            crate::route::walk(network, router, from, to, 0, most)?;
        }
        (at, hop) = step(network, router, at, hop.header)?;
        hops += 1;
    }
    Ok((hops, first))
}
