//! Does a schedule among hosts keep to their ports and to the routes, does it achieve its goal, and what does it load?
//! Knows no generator.

use super::loads::{Loads, RoundLoad};
use super::{Message, Rounds};
use crate::arrival::{Arrival, Fault, Method};
use crate::bounds::degree;
use crate::check::by_counts_or_bits;
use crate::ledger::Ledger;
use crate::schedule::{Ports, Repeats};
use crate::{Cost, Goal, Violation};
use nestnet_graph::{Budget, Network, Node, index};
use nestnet_routing::Router;

/// Judges a schedule by walking it. Every message goes from a host to another that lacks what it carries, divided evenly
/// over the routes of all choices of the router, or on the minimal route where it adapts; with one port a host sends at
/// most one message a round and receives at most one, with all ports one for each of its links. What goes over a link of a
/// host with several cables is spread over them. O(blocks, and hops of all choices); with
/// [`Structure::loads_by_switches`](nestnet_routing::route::Structure) those of one choice, and of all choices for each two switches.
pub fn check_rounds(
    network: &dyn Network,
    router: &dyn Router,
    ports: Ports,
    goal: Goal,
    rounds: &Rounds,
    budget: &Budget<'_>,
) -> Result<Cost, Violation> {
    by_counts_or_bits(|method| judged(network, router, ports, goal, rounds, method, budget))
}

pub(super) fn judged(
    network: &dyn Network,
    router: &dyn Router,
    ports: Ports,
    goal: Goal,
    rounds: &Rounds,
    method: Method,
    budget: &Budget<'_>,
) -> Result<Cost, Fault> {
    let hosts = network.hosts();
    let channels = u128::from(network.order()) * u128::from(network.ports());
    let need = Ledger::bytes(hosts, hosts, goal, method).saturating_add(Loads::bytes(channels));
    budget.fits("the check", need).map_err(Violation::from)?;
    let mut ledger = Ledger::new([hosts, hosts], goal, method, budget)?;
    let mut loads = Loads::new(network, router, budget);
    let limits: Vec<u64> = match ports {
        Ports::One => vec![1; index(hosts)],
        Ports::All => (0..hosts).map(|host| degree(network, Node(host))).collect(),
    };
    let (mut sends, mut receives) = (vec![0u64; index(hosts)], vec![0u64; index(hosts)]);
    let mut cost = Cost::default();
    let mut messages = Vec::new();
    let mut most = 0f64;
    for number in 0..rounds.count() {
        budget.check()?;
        messages.clear();
        rounds.round(number, &mut messages);
        let step = number + 1;
        cost.transfers += messages.len() as u64;
        for &Message { from, to, first, blocks } in &messages {
            let total = ledger.blocks;
            if let Some(node) = [from, to].into_iter().find(|node| node.0 >= hosts) {
                return Err(Violation::NotHost { step, node }.into());
            }
            if first >= total || blocks > total || blocks == 0 {
                return Err(Violation::NoBlock { step, from, block: first, blocks: total }.into());
            }
            for (node, busy, error) in [
                (from, &mut sends, Violation::SendsTooMuch { step, node: from }),
                (to, &mut receives, Violation::ReceivesTooMuch { step, node: to }),
            ] {
                let count = &mut busy[index(node.0)];
                *count += 1;
                if *count > limits[index(node.0)] {
                    return Err(error.into());
                }
            }
            cost.blocks += blocks;
        }
        for message in &messages {
            sends[index(message.from.0)] = 0;
            receives[index(message.to.0)] = 0;
        }
        let RoundLoad { hops, busiest } = loads.add(&messages, step)?;
        cost.hops += hops;
        cost.load += busiest;
        most = most.max(busiest);
        arrive(&mut ledger, &messages, step)?;
    }
    let count = rounds.count();
    let (held, link_load) = (ledger.end(count, None)?, loads.busiest_in_all());
    Ok(Cost { steps: count, rounds: count, held, busiest: whole(most), link_load, ..cost })
}

/// Rounded up.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn whole(blocks: f64) -> u64 {
    blocks.ceil() as u64
}

/// So many blocks are looked at together; blocks do not depend on each other.
const TOGETHER: u64 = 1 << 20;

/// All blocks of a round are seen to be there, then they arrive, some numbers of blocks after the other.
fn arrive(ledger: &mut Ledger, messages: &[Message], step: u64) -> Result<(), Fault> {
    let total = ledger.blocks;
    let carried: u64 = messages.iter().map(|message| message.blocks).sum();
    let slices = carried.div_ceil(TOGETHER).clamp(1, total.max(1));
    let width = total.div_ceil(slices).max(1);
    let mut arrivals = Vec::new();
    for slice in 0..slices {
        let (low, high) = (slice * width, ((slice + 1) * width).min(total));
        arrivals.clear();
        for &Message { from, to, first, blocks } in messages {
            // Up to the last block, and what is left from block 0 on.
            let end = (first + blocks).min(total);
            let rest = first + blocks - end;
            for (start, end) in [(first, end), (0, rest)] {
                let inside = start.max(low)..end.min(high);
                arrivals.extend(inside.map(|block| Arrival { from, to, block }));
            }
        }
        for &Arrival { from, block, .. } in &arrivals {
            if !ledger.holds(from, block) {
                return Err(Violation::NotHeld { step, from, block }.into());
            }
        }
        ledger.arrive(step, Repeats::Forbidden, &arrivals)?;
    }
    Ok(())
}
