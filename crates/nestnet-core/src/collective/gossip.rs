//! Allgather on any network: in every step every link that can carries a block which is new at its other end.

use super::held::{Bits, index};
use super::made::Packed;
use super::plan::{PlanError, afford, afford_bytes, bits, pruned};
use super::{Made, Ports, Schedule, Transfer};
use crate::measure::scramble;
use crate::{Budget, Network, Node};

/// A greedy allgather. With one port those who lack most choose first from whom they receive.
///
/// A heuristic; O(nodes · hosts² / 64) or a little more. Every transfer brings something new, so that the schedule
/// can be turned around, see [`there_and_back`](super::there_and_back).
///
/// ```
/// use nestnet_core::Csr;
/// use nestnet_core::collective::{Ports, gossip};
/// use nestnet_core::Budget;
///
/// let ring = Csr::from_links(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)], 1 << 20)?;
/// let schedule = gossip(&ring, Ports::All, &Budget::default())?;
/// assert_eq!(schedule.steps.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn gossip(
    network: &dyn Network,
    ports: Ports,
    budget: &Budget<'_>,
) -> Result<Schedule, PlanError> {
    let (order, hosts) = (network.order(), network.hosts());
    afford(u128::from(order) * u128::from(hosts), budget)?;
    Ok(gossip_made(network, ports, budget)?.collect())
}

/// The same, in less memory.
pub(super) fn gossip_made(
    network: &dyn Network,
    ports: Ports,
    budget: &Budget<'_>,
) -> Result<Made<'static>, PlanError> {
    let (order, hosts) = (network.order(), network.hosts());
    afford_bytes(u128::from(order) * u128::from(hosts) * Packed::BYTES, budget)?;
    let mut held = bits(order, hosts, budget)?;
    let mut coming = bits(order, hosts, budget)?;
    (0..hosts).for_each(|host| _ = held.set(host, host));
    let mut has: Vec<u64> = (0..order).map(|node| u64::from(node < hosts)).collect();
    let mut steps = Packed::default();
    let complete = |has: &[u64]| has[..index(hosts)].iter().all(|&count| count == hosts);
    let mut sends = bits(1, order, budget)?;
    while !complete(&has) {
        budget.check()?;
        let number = steps.count() as u64;
        let mut step = Vec::new();
        let mut receivers: Vec<u64> = (0..order).filter(|&to| has[index(to)] < hosts).collect();
        receivers.sort_by_key(|&to| (has[index(to)], scramble(to + number * order)));
        for to in receivers.into_iter().map(Node) {
            let mut senders = Vec::new();
            network.for_each_neighbor(to, &mut |_, from| senders.push(from));
            senders.sort_by_key(|from| scramble(from.0 ^ scramble(to.0 + number * order)));
            for from in senders {
                if ports == Ports::One && sends.has(0, from.0) {
                    continue;
                }
                let Some(block) = new_block(&held, &coming, from, to, hosts) else { continue };
                let port = super::plan::port_to(network, from, to).expect("links are symmetric");
                step.push(Transfer { from, port, block });
                coming.set(to.0, block);
                if ports == Ports::One {
                    sends.set(0, from.0);
                    break;
                }
            }
        }
        if step.is_empty() {
            let without = has.iter().position(|&count| count < hosts).unwrap_or(0) as u64;
            let from = held.first_clear(without, hosts).unwrap_or(0);
            return Err(PlanError::NoPath { from: Node(from), node: Node(without) });
        }
        for &Transfer { from, port, block } in &step {
            let to = network.neighbor(from, port).expect("it was found as a neighbor");
            held.set(to.0, block);
            coming.clear(to.0, block);
            has[index(to.0)] += 1;
            sends.clear(0, from.0);
        }
        steps.push(&step);
    }
    if hosts == order {
        return Ok(steps.made());
    }
    Ok(pruned(network, steps.made().collect(), hosts, budget)?.into())
}

/// A block that one holds and the other neither holds nor is about to; which one differs from receiver to receiver.
fn new_block(held: &Bits, coming: &Bits, from: Node, to: Node, hosts: u64) -> Option<u64> {
    let (have, own, soon) = (held.row(from.0), held.row(to.0), coming.row(to.0));
    let new = |word: usize| have[word] & !own[word] & !soon[word];
    let start = scramble(to.0) % hosts;
    let (first, bit) = (index(start / 64), start % 64);
    let at = |word: usize, bits: u64| {
        (bits != 0).then(|| word as u64 * 64 + u64::from(bits.trailing_zeros()))
    };
    at(first, new(first) & u64::MAX << bit)
        .or_else(|| (first + 1..have.len()).find_map(|word| at(word, new(word))))
        .or_else(|| (0..=first).find_map(|word| at(word, new(word))))
}
