//! Allgather on any network: in every step every link that can carries a block which is new at its other end.

use super::lazy_schedule::Packed;
use super::plan::{PlanError, afford, afford_bytes, bits, pruned};
use super::topology::Wires;
use super::{LazySchedule, Ports, Schedule, Transfer};
use nestnet_graph::budget::product;
use nestnet_graph::measure::splitmix64;
use nestnet_graph::{Budget, Network, Node, index};

/// A greedy allgather. With one port those who lack most choose first from whom they receive.
///
/// A heuristic; O(nodes · hosts² / 64) or a little more. Every transfer brings something new, so that the schedule
/// can be turned around, see [`there_and_back`](super::there_and_back).
///
/// ```
/// use nestnet_graph::Csr;
/// use nestnet_collectives::{Ports, gossip};
/// use nestnet_graph::Budget;
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
) -> Result<LazySchedule, PlanError> {
    let (order, hosts) = (wires.order(), wires.hosts());
    afford_bytes(product([order.into(), hosts.into(), Packed::BYTES]), budget)?;
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
    let mut lookouts: Vec<Lookout> = (0..order).map(|to| Lookout::new(to, hosts)).collect();
    let (mut step, mut arrivals, mut senders) = (Vec::new(), Vec::new(), Vec::new());
    while !complete(&has) {
        budget.check()?;
        let number = steps.count() as u64;
        let lacking = (0..order).filter(|&to| has[index(to)] < hosts);
        let mut receivers: Vec<_> =
            lacking.map(|to| (has[index(to)], splitmix64(to + number * order), to)).collect();
        receivers.sort_unstable();
        for to in receivers.into_iter().map(|(.., to)| Node(to)) {
            let dice = splitmix64(to.0 + number * order);
            senders.clear();
            senders.extend(
                wires.senders(to).map(|(from, port)| (splitmix64(from.0 ^ dice), from, port)),
            );
            senders.sort_unstable();
            for &(_, from, port) in &senders {
                if ports == Ports::One && sends.has(0, from.0) {
                    continue;
                }
                let lookout = &mut lookouts[index(to.0)];
                let found = lookout.find(held.row(from.0), known.row(to.0), hosts);
                let Some(block) = found else { continue };
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
        return Ok(steps.into_lazy());
    }
    Ok(pruned(wires, steps.into_lazy().collect(), hosts, budget)?.into())
}

/// Where a receiver looks for blocks: word by word from a place of its own on, and at last before it.
struct Lookout {
    /// Where it begins: a word, and a bit in it.
    first: usize,
    bit: u64,
    /// So many words have nothing more for it.
    done: usize,
}

impl Lookout {
    fn new(to: u64, hosts: u64) -> Self {
        let start = splitmix64(to) % hosts;
        Lookout { first: index(start / 64), bit: start % 64, done: 0 }
    }

    /// The word that comes after so many, and the bits of it that count.
    fn word(&self, after: usize, words: usize) -> (usize, u64) {
        let mask = if after == 0 { u64::MAX << self.bit } else { u64::MAX };
        ((self.first + after) % words, mask)
    }

    /// A block that one holds and the receiver neither holds nor is about to.
    fn find(&mut self, have: &[u64], known: &[u64], hosts: u64) -> Option<u64> {
        let words = have.len();
        let valid = |word: usize| match hosts % 64 {
            rest if word + 1 == words && rest > 0 => (1 << rest) - 1,
            _ => u64::MAX,
        };
        while self.done <= words {
            let (word, mask) = self.word(self.done, words);
            if mask & valid(word) & !known[word] != 0 {
                break;
            }
            self.done += 1;
        }
        (self.done..=words).find_map(|after| {
            let (word, mask) = self.word(after, words);
            let new = have[word] & !known[word] & mask;
            (new != 0).then(|| word as u64 * 64 + u64::from(new.trailing_zeros()))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(nestnet_seed::config())]

        /// What is new comes in order from the start on, whatever was skipped before.
        #[test]
        fn nothing_is_skipped(to in any::<u64>(), hosts in 1u64..200, have in any::<[u64; 4]>()) {
            let words = index(hosts.div_ceil(64));
            let (mut have, mut known) = (have[..words].to_vec(), vec![0; words]);
            let has = |words: &[u64], at: u64| words[index(at / 64)] >> (at % 64) & 1 == 1;
            (hosts..words as u64 * 64).for_each(|at| have[index(at / 64)] &= !(1 << (at % 64)));
            let start = splitmix64(to) % hosts;
            let expected: Vec<u64> =
                (start..hosts).chain(0..start).filter(|&at| has(&have, at)).collect();
            let mut lookout = Lookout::new(to, hosts);
            let mut found = Vec::new();
            while let Some(block) = lookout.find(&have, &known, hosts) {
                known[index(block / 64)] |= 1 << (block % 64);
                found.push(block);
            }
            prop_assert_eq!(found, expected);
        }
    }
}
