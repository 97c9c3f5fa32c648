//! Rounds of messages among hosts, through switches: trees, rings, doubling and shifts that know nothing of the network.

mod check;
#[cfg(test)]
mod tests;

use nestnet_graph::{Node, index};
use std::fmt;
use std::sync::Arc;

pub use check::check_rounds;

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

/// An all-to-all: everyone to the next host, then to the one after that, and so on.
pub(super) fn shift(hosts: u64) -> Rounds {
    Rounds::new(hosts - 1, move |round, out| {
        out.extend((0..hosts).map(|host| {
            let to = (host + round + 1) % hosts;
            Message { from: Node(host), to: Node(to), first: host * hosts + to, blocks: 1 }
        }));
    })
}
