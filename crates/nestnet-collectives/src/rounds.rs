//! Rounds of messages among hosts, through switches: trees, rings, doubling and shifts that know nothing of the network.

mod check;
mod loads;
mod phases;
#[cfg(test)]
mod tests;

use nestnet_graph::{Network, Node, index};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

pub use check::check_rounds;
pub(super) use phases::Phases;

/// Consecutive blocks from one host to another; after the last block comes block 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Message {
    /// Who sends.
    pub from: Node,
    /// Who receives.
    pub to: Node,
    /// The number of the first block.
    pub first: u64,
    /// How many blocks.
    pub blocks: u64,
}

/// Rounds of messages, made when they are asked for.
#[derive(Clone)]
pub struct Rounds {
    count: u64,
    make: Arc<Make>,
}

/// Appends the messages of a round.
type Make = dyn Fn(u64, &mut Vec<Message>) + Send + Sync;

impl fmt::Debug for Rounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rounds").field("count", &self.count).finish_non_exhaustive()
    }
}

impl Rounds {
    /// `count` rounds, of which `make` appends the messages.
    pub fn new(count: u64, make: impl Fn(u64, &mut Vec<Message>) + Send + Sync + 'static) -> Self {
        Rounds { count, make: Arc::new(make) }
    }

    /// Those that are given.
    pub fn given(rounds: Vec<Vec<Message>>) -> Self {
        let count = rounds.len() as u64;
        Rounds::new(count, move |round, out| out.extend(&rounds[index(round)]))
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Appends the messages of one round, from 0.
    pub fn round(&self, number: u64, out: &mut Vec<Message>) {
        (self.make)(number, out);
    }

    /// The last round first, and every message the other way.
    pub(super) fn reversed(self) -> Self {
        let Rounds { count, make } = self;
        Rounds::new(count, move |round, out| {
            let start = out.len();
            make(count - 1 - round, out);
            for message in &mut out[start..] {
                (message.from, message.to) = (message.to, message.from);
            }
        })
    }

    /// Backward, then forward.
    pub(super) fn both_ways(self) -> Self {
        let (first, back) = (self.count, self.clone().reversed());
        Rounds::new(2 * first, move |round, out| match round.checked_sub(first) {
            None => back.round(round, out),
            Some(later) => self.round(later, out),
        })
    }
}

/// How often 1 must be doubled to reach `hosts`.
fn doublings(hosts: u64) -> u64 {
    u64::from(hosts.next_power_of_two().ilog2())
}

/// Everyone who knows tells another: host root + v tells root + v + 2^r in round r.
pub(super) fn broadcast(hosts: u64, root: Node) -> Rounds {
    Rounds::new(doublings(hosts), move |round, out| {
        let host = |v: u64| Node((v + root.0) % hosts);
        let step = 1 << round;
        let tells = (0..step).filter(|v| v + step < hosts);
        out.extend(tells.map(|v| Message {
            from: host(v),
            to: host(v + step),
            first: 0,
            blocks: 1,
        }));
    })
}

/// Everyone hands on half of what it has for others, the largest part first (recursive halving).
pub(super) fn scatter(hosts: u64, root: Node) -> Rounds {
    let rounds = doublings(hosts);
    Rounds::new(rounds, move |round, out| {
        let half = 1u64 << (rounds - 1 - round);
        let host = |v: u64| (v + root.0) % hosts;
        let mut v = 0;
        while v + half < hosts {
            let blocks = half.min(hosts - v - half);
            let to = host(v + half);
            out.push(Message { from: Node(host(v)), to: Node(to), first: to, blocks });
            v += 2 * half;
        }
    })
}

/// An allgather round the hosts: everyone passes on what just arrived.
pub(super) fn ring(hosts: u64) -> Rounds {
    Rounds::new(hosts - 1, move |round, out| {
        out.extend((0..hosts).map(|host| Message {
            from: Node(host),
            to: Node((host + 1) % hosts),
            first: (host + hosts - round) % hosts,
            blocks: 1,
        }));
    })
}

/// An allgather in as few rounds as there can be: in round r everyone sends what it has, its own block and those after
/// it, to the host 2^r before it (J. Bruck, C.-T. Ho, S. Kipnis, E. Upfal, D. Weathersby, 1997).
pub(super) fn doubling(hosts: u64) -> Rounds {
    Rounds::new(doublings(hosts), move |round, out| {
        let step = 1u64 << round;
        let blocks = step.min(hosts - step);
        out.extend((0..hosts).map(|host| {
            let to = Node((host + hosts - step) % hosts);
            Message { from: Node(host), to, first: host, blocks }
        }));
    })
}

/// Sums at all hosts by exchanging them, bit by bit of the host's number; for powers of two.
pub(super) fn exchange(hosts: u64) -> Option<Rounds> {
    hosts.is_power_of_two().then(|| {
        Rounds::new(doublings(hosts), move |round, out| {
            out.extend((0..hosts).map(|host| {
                let to = Node(host ^ 1 << round);
                Message { from: Node(host), to, first: 0, blocks: 1 }
            }));
        })
    })
}

/// A broadcast of `segments` blocks along a binary tree: every host hands a block to its two children, one after the
/// other, before the next arrives. So a block follows the last every two rounds.
pub(super) fn pipelined(hosts: u64, root: Node, segments: u64) -> Rounds {
    // Host v of the tree has the children 2v + 1 and 2v + 2; it can send the first block in this round.
    let mut starts = vec![0u64; index(hosts)];
    for v in 1..hosts {
        starts[index(v)] = starts[index((v - 1) / 2)] + if v % 2 == 1 { 1 } else { 2 };
    }
    // The last block reaches each a round before it could send it.
    let last = starts.iter().copied().max().unwrap_or(0);
    let count = if hosts < 2 { 0 } else { last + 2 * (segments - 1) };
    Rounds::new(count, move |round, out| {
        let host = |v: u64| Node((v + root.0) % hosts);
        for v in 1..hosts {
            let Some(since) = (round + 1).checked_sub(starts[index(v)]) else { continue };
            let block = since / 2;
            if since % 2 == 0 && block < segments {
                let from = host((v - 1) / 2);
                out.push(Message { from, to: host(v), first: block, blocks: 1 });
            }
        }
    })
}

/// Hosts by the switch that each has most cables to, of equals the first: a server with its accelerators, or a leaf with
/// its hosts. `None` unless there are several such groups, all of one size of at least two.
pub(super) fn servers(network: &dyn Network) -> Option<Vec<Vec<Node>>> {
    let hosts = network.hosts();
    let mut groups: BTreeMap<Node, Vec<Node>> = BTreeMap::new();
    for host in (0..hosts).map(Node) {
        let mut switches: Vec<(Node, u64)> = Vec::new();
        network.for_each_neighbor(host, &mut |_, to| match switches
            .iter_mut()
            .find(|(switch, _)| *switch == to)
        {
            Some((_, cables)) => *cables += 1,
            None if to.0 >= hosts => switches.push((to, 1)),
            None => (),
        });
        // The first of the widest.
        let widest = switches.iter().map(|(_, cables)| *cables).max()?;
        let (switch, _) = switches.iter().find(|(_, cables)| *cables == widest)?;
        groups.entry(*switch).or_default().push(host);
    }
    let size = groups.values().next()?.len();
    let alike = groups.values().all(|group| group.len() == size);
    (alike && size > 1 && groups.len() > 1).then(|| groups.into_values().collect())
}

/// An allgather among `count` in blocks that follow each other: recursive doubling where they are a power of two, else
/// around a ring. Returns how many rounds it has, and whom `at` sends to in a round, the first block and how many.
fn in_line(count: u64, round: u64, at: u64) -> (u64, u64, u64) {
    match count.is_power_of_two() {
        true => (at ^ 1 << round, at >> round << round, 1 << round),
        false => ((at + 1) % count, (at + count - round) % count, 1),
    }
}

fn rounds_in_line(count: u64) -> u64 {
    if count.is_power_of_two() { doublings(count) } else { count - 1 }
}

/// The second half of an allreduce in servers: member i of every server gathers part i of the vector from its like in
/// the others, one block of each server; then the members of a server gather all parts. Backward it sums: inside the
/// server first, so that each member has one part of the sum, and then across.
pub(super) fn hierarchical(servers: Vec<Vec<Node>>) -> Rounds {
    let across = servers.len() as u64;
    let inside = servers.first().map_or(1, |server| server.len() as u64);
    let first = rounds_in_line(across);
    Rounds::new(first + rounds_in_line(inside), move |round, out| {
        for (s, server) in (0u64..).zip(&servers) {
            for (i, &from) in (0u64..).zip(server) {
                let (to, start, blocks) = match round.checked_sub(first) {
                    None => {
                        let (to, start, blocks) = in_line(across, round, s);
                        (servers[index(to)][index(i)], i * across + start, blocks)
                    }
                    Some(later) => {
                        let (to, start, blocks) = in_line(inside, later, i);
                        (server[index(to)], start * across, blocks * across)
                    }
                };
                out.push(Message { from, to, first: start, blocks });
            }
        }
    })
}

/// An all-to-all: everyone to the next host, then to the one after that, and so on.
pub(super) fn shift(hosts: u64) -> Rounds {
    Rounds::new(hosts - 1, move |round, out| {
        out.extend((0..hosts).map(|host| {
            let to = (host + round + 1) % hosts;
            Message { from: Node(host), to: Node(to), first: host * hosts + to, blocks: 1 }
        }));
    })
}
