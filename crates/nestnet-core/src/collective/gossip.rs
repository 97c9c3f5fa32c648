//! Allgather on any network: in every step every link that can carries a block which is new at its other end.

use super::held::{Bits, index};
use super::made::Packed;
use super::plan::{PlanError, afford, afford_bytes, bits, pruned};
use super::wires::Wires;
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
    Ok(gossip_made(&Wires::new(network, budget)?, ports, budget)?.collect())
}

/// The same, in less memory.
pub(super) fn gossip_made(
    wires: &Wires,
    ports: Ports,
    budget: &Budget<'_>,
) -> Result<Made, PlanError> {
    let (order, hosts) = (wires.order(), wires.hosts());
    afford_bytes(u128::from(order) * u128::from(hosts) * Packed::BYTES, budget)?;
    let mut held = bits(order, hosts, budget)?;
    // What a node holds or is about to.
    let mut known = bits(order, hosts, budget)?;
    for host in 0..hosts {
        held.set(host, host);
        known.set(host, host);
    }
    let mut has: Vec<u64> = (0..order).map(|node| u64::from(node < hosts)).collect();
    let mut steps = Packed::default();
    let complete = |has: &[u64]| has[..index(hosts)].iter().all(|&count| count == hosts);
    let mut sends = bits(1, order, budget)?;
    let (mut step, mut arrivals, mut senders) = (Vec::new(), Vec::new(), Vec::new());
    while !complete(&has) {
        budget.check()?;
        let number = steps.count() as u64;
        let lacking = (0..order).filter(|&to| has[index(to)] < hosts);
        let mut receivers: Vec<_> =
            lacking.map(|to| (has[index(to)], scramble(to + number * order), to)).collect();
        receivers.sort_unstable();
        for to in receivers.into_iter().map(|(.., to)| Node(to)) {
            let dice = scramble(to.0 + number * order);
            senders.clear();
            senders.extend(
                wires.senders(to).map(|(from, port)| (scramble(from.0 ^ dice), from, port)),
            );
            senders.sort_unstable();
            for &(_, from, port) in &senders {
                if ports == Ports::One && sends.has(0, from.0) {
                    continue;
                }
                let Some(block) = new_block(&held, &known, from, to, hosts) else { continue };
                step.push(Transfer { from, port, block });
                arrivals.push(to);
                known.set(to.0, block);
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
        steps.push(&step);
        for (Transfer { from, block, .. }, to) in step.drain(..).zip(arrivals.drain(..)) {
            held.set(to.0, block);
            has[index(to.0)] += 1;
            sends.clear(0, from.0);
        }
    }
    if hosts == order {
        return Ok(steps.made());
    }
    Ok(pruned(wires, steps.made().collect(), hosts, budget)?.into())
}

/// A block that one holds and the other neither holds nor is about to; which one differs from receiver to receiver.
fn new_block(held: &Bits, known: &Bits, from: Node, to: Node, hosts: u64) -> Option<u64> {
    let (have, own) = (held.row(from.0), known.row(to.0));
    let new = |word: usize| have[word] & !own[word];
    let start = scramble(to.0) % hosts;
    let (first, bit) = (index(start / 64), start % 64);
    let at = |word: usize, bits: u64| {
        (bits != 0).then(|| word as u64 * 64 + u64::from(bits.trailing_zeros()))
    };
    at(first, new(first) & u64::MAX << bit)
        .or_else(|| (first + 1..have.len()).find_map(|word| at(word, new(word))))
        .or_else(|| (0..=first).find_map(|word| at(word, new(word))))
}
