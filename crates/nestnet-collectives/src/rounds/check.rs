//! Does a schedule among hosts keep to their ports and to the routes, does it achieve its goal, and what does it load?
//! Knows no generator.

use super::{Message, Rounds};
use crate::arrival::{Arrival, Fault, Method};
use crate::bounds::degree;
use crate::check::by_counts_or_bits;
use crate::ledger::Ledger;
use crate::schedule::{Ports, Repeats};
use crate::{Cost, Goal, Violation};
use nestnet_graph::{Budget, Network, Node, index};
use nestnet_routing::{Header, Router};
use rayon::prelude::*;
use std::collections::HashMap;

/// Judges a schedule by walking it. Every message goes from a host to another that lacks what it carries, along the
/// route of the router's first choice; with one port a host sends at most one message a round and receives at most one,
/// with all ports one for each of its links. What goes over a link of a host with several cables is spread over them.
/// O(blocks and hops).
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
    let need = Ledger::bytes(hosts, hosts, goal, method).saturating_add(8 * channels);
    budget.fits("the check", need).map_err(Violation::from)?;
    let mut ledger = Ledger::new([hosts, hosts], goal, method, budget)?;
    let mut methods = Methods::new(network, router);
    let limits: Vec<u64> = match ports {
        Ports::One => vec![1; index(hosts)],
        Ports::All => (0..hosts).map(|host| degree(network, Node(host))).collect(),
    };
    let (mut sends, mut receives) = (vec![0u64; index(hosts)], vec![0u64; index(hosts)]);
    let mut cost = Cost::default();
    let mut messages = Vec::new();
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
        let (hops, load) = methods.load(&messages, step)?;
        cost.hops += hops;
        cost.load += load;
        cost.busiest = cost.busiest.max(load);
        arrive(&mut ledger, &messages, step)?;
    }
    let count = rounds.count();
    Ok(Cost { steps: count, rounds: count, held: ledger.end(count, None)?, ..cost })
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

/// What messages load.
struct Methods<'a> {
    network: &'a dyn Network,
    router: &'a dyn Router,
    /// Blocks on each channel in this round.
    blocks: Vec<u64>,
    /// Channels of links of hosts with several cables: the first channel of the link, and how many there are.
    wide: HashMap<usize, (usize, u64)>,
    used: Vec<usize>,
    /// The messages of the round before, without what they carry, and what was found of them.
    before: Vec<(Node, Node, u64)>,
    found: (u64, u64),
}

impl<'a> Methods<'a> {
    fn new(network: &'a dyn Network, router: &'a dyn Router) -> Self {
        let channels = index(network.order()) * network.ports() as usize;
        let (blocks, used, before) = (vec![0; channels], Vec::new(), Vec::new());
        let wide = wide_links(network);
        Methods { network, router, blocks, wide, used, before, found: (0, 0) }
    }

    /// The hops of the longest route, and the blocks on the busiest link.
    fn load(&mut self, messages: &[Message], step: u64) -> Result<(u64, u64), Violation> {
        let same = |message: &Message| (message.from, message.to, message.blocks);
        if self.before.iter().copied().eq(messages.iter().map(same)) {
            return Ok(self.found);
        }
        /// Enough of them to be worth a thread.
        const PART: usize = 512;
        let parts = messages.par_chunks(PART).map(|part| self.walked(part, step));
        // The first violation, whichever thread was quicker.
        let parts: Vec<Part> = parts.collect::<Vec<_>>().into_iter().collect::<Result<_, _>>()?;
        let longest = parts.iter().map(|part| part.longest).max().unwrap_or(0);
        let mut busiest = 0;
        for (channel, blocks) in parts.into_iter().flat_map(|part| part.used) {
            let (channel, cables) = self.wide.get(&channel).copied().unwrap_or((channel, 1));
            let load = &mut self.blocks[channel];
            if *load == 0 {
                self.used.push(channel);
            }
            *load += blocks;
            busiest = busiest.max(load.div_ceil(cables));
        }
        for channel in self.used.drain(..) {
            self.blocks[channel] = 0;
        }
        self.before = messages.iter().map(same).collect();
        self.found = (longest, busiest);
        Ok(self.found)
    }

    /// The routes of some messages.
    fn walked(&self, messages: &[Message], step: u64) -> Result<Part, Violation> {
        let ports = self.network.ports() as usize;
        let most = self.router.longest().min(self.network.order());
        let mut part = Part::default();
        for &Message { from, to, blocks, .. } in messages {
            let no_route = Violation::NoRoute { step, from, to };
            let mut header: Header = self.router.start(from, to, 0);
            let (mut at, mut hops) = (from, 0);
            while let Some(hop) = self.router.next(at, header) {
                hops += 1;
                let next = self.network.neighbor(at, hop.port).filter(|_| hops <= most);
                part.used.push((index(at.0) * ports + hop.port.0 as usize, blocks));
                at = next.ok_or(no_route)?;
                header = hop.header;
            }
            if at != to || from == to {
                return Err(no_route);
            }
            part.longest = part.longest.max(hops);
        }
        Ok(part)
    }
}

/// The cables of one link of a host are used together: what goes over it is spread over all of them.
fn wide_links(network: &dyn Network) -> HashMap<usize, (usize, u64)> {
    let ports = network.ports() as usize;
    let mut wide = HashMap::new();
    let mut both_ends = |from: Node, to: Node| {
        let mut channels = Vec::new();
        network.for_each_neighbor(from, &mut |port, end| {
            if end == to {
                channels.push(index(from.0) * ports + port.0 as usize);
            }
        });
        let cables = channels.len() as u64;
        wide.extend(channels.iter().map(|&channel| (channel, (channels[0], cables))));
    };
    for host in (0..network.hosts()).map(Node) {
        let mut ends = Vec::new();
        network.for_each_neighbor(host, &mut |_, to| ends.push(to));
        ends.sort_unstable();
        let doubled = ends.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]);
        let mut doubled: Vec<Node> = doubled.collect();
        doubled.dedup();
        for to in doubled {
            both_ends(host, to);
            both_ends(to, host);
        }
    }
    wide
}

/// The routes of some messages of a round.
#[derive(Default)]
struct Part {
    /// Channels in the order in which they are taken, with the blocks that go over them.
    used: Vec<(usize, u64)>,
    /// The hops of the longest route.
    longest: u64,
}
