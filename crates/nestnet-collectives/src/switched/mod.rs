//! Collectives among the hosts of a network with switches: who sends what to whom, and how long does it take?
//!
//! A switch forwards and does not store. A message goes from host to host along the route of a router; those of a round go
//! at the same time, and what they carry was there before the round. A round takes α, then for every hop of its longest
//! route a time, then β for every byte on its busiest link.

mod check;
mod make;
#[cfg(test)]
mod tests;

use super::held::index;
use super::{Collective, Goal, PlanError, Ports};
use nestnet_graph::{Budget, Network, Node};
use nestnet_routing::Router;
use std::fmt;

pub use check::{Cost, check};

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
pub struct Rounds {
    count: u64,
    make: Box<Make>,
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
        Rounds { count, make: Box::new(make) }
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
    fn reversed(self) -> Self {
        let Rounds { count, make } = self;
        Rounds::new(count, move |round, out| {
            let start = out.len();
            make(count - 1 - round, out);
            for message in &mut out[start..] {
                (message.from, message.to) = (message.to, message.from);
            }
        })
    }

    /// These rounds, then those.
    fn then(self, next: Rounds) -> Self {
        let first = self.count;
        Rounds::new(first + next.count, move |round, out| match round.checked_sub(first) {
            None => self.round(round, out),
            Some(later) => next.round(later, out),
        })
    }
}

/// What messages cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Price {
    /// Seconds for every round.
    pub alpha: f64,
    /// Seconds for every byte on a link.
    pub beta: f64,
    /// Seconds for every hop.
    pub hop: f64,
}

/// What no schedule can beat, in whatever network: each host has its links and no more.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Bounds {
    /// Rounds.
    pub rounds: u64,
    /// Payloads of one host that the busiest link of a host must carry.
    pub payloads: f64,
}

/// A plan that was checked.
#[derive(Debug)]
#[non_exhaustive]
pub struct Planned {
    /// Who made it.
    pub algorithm: &'static str,
    /// What it achieves.
    pub goal: Goal,
    /// All of it.
    pub rounds: Rounds,
    /// What the checker counted.
    pub cost: Cost,
    /// Bytes of a block.
    pub block_bytes: f64,
    /// How long it takes.
    pub seconds: f64,
    /// What no schedule for this goal can beat.
    pub bounds: Bounds,
}

/// How every algorithm fared: its name, and its seconds or why it has no plan.
pub type Tried = Vec<(&'static str, Result<f64, PlanError>)>;

/// What is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// On which network.
    pub network: &'a dyn Network,
    /// By whose routes, each by its first choice.
    pub router: &'a dyn Router,
    /// How much a host can do in a round.
    pub ports: Ports,
    /// What messages cost.
    pub price: Price,
    /// The payload of one host.
    pub bytes: u64,
    /// How far it may go.
    pub budget: Budget<'a>,
}

/// The names of the algorithms of a collective.
///
/// `tree` doubles those who know with every round, `ring` goes round the hosts in order of their numbers, `doubling` and
/// `halving` double what is sent and how far it goes, `exchange` does so with the whole vector, `shift` sends to the next
/// host but one, but two and so on.
pub fn algorithms(collective: Collective) -> &'static [&'static str] {
    match collective {
        Collective::Scatter | Collective::Gather | Collective::Reduce => &["tree"],
        Collective::Allgather => &["ring", "doubling"],
        Collective::Allreduce => &["tree", "exchange", "ring", "halving"],
        Collective::AllToAll => &["shift"],
    }
}

impl Request<'_> {
    /// A broadcast from a host.
    pub fn broadcast(&self, root: Node) -> Result<Planned, PlanError> {
        let hosts = self.network.hosts();
        if root.0 >= hosts {
            return Err(PlanError::NotHost { node: root, hosts });
        }
        self.judged("tree", Goal::Broadcast { root }, make::broadcast(hosts, root))
    }

    /// The plan of one algorithm, which must be one of [`algorithms`]; `root` is of no use where there is none.
    pub fn plan(
        &self,
        collective: Collective,
        algorithm: &'static str,
        root: Node,
    ) -> Result<Planned, PlanError> {
        let hosts = self.network.hosts();
        if collective.has_root() && root.0 >= hosts {
            return Err(PlanError::NotHost { node: root, hosts });
        }
        let (goal, rounds) = match (collective, algorithm) {
            (Collective::Scatter, _) => (Goal::Scatter { root }, make::scatter(hosts, root)),
            (Collective::Gather, _) => {
                (Goal::Gather { root }, make::scatter(hosts, root).reversed())
            }
            (Collective::Reduce, _) => {
                (Goal::Reduce { root, blocks: 1 }, make::broadcast(hosts, root).reversed())
            }
            (Collective::Allgather, "ring") => (Goal::Allgather, make::ring(hosts)),
            (Collective::Allgather, _) => (Goal::Allgather, make::doubling(hosts)),
            (Collective::Allreduce, "tree") => {
                let there = make::broadcast(hosts, Node(0)).reversed();
                (Goal::Allreduce { blocks: 1 }, there.then(make::broadcast(hosts, Node(0))))
            }
            (Collective::Allreduce, "exchange") => {
                (Goal::Allreduce { blocks: 1 }, make::exchange(hosts).ok_or(PlanError::NoPower)?)
            }
            (Collective::Allreduce, "ring") => (
                Goal::Allreduce { blocks: hosts },
                make::ring(hosts).reversed().then(make::ring(hosts)),
            ),
            (Collective::Allreduce, _) => {
                let there = make::doubling(hosts).reversed();
                (Goal::Allreduce { blocks: hosts }, there.then(make::doubling(hosts)))
            }
            (Collective::AllToAll, _) => (Goal::AllToAll, make::shift(hosts)),
        };
        self.judged(algorithm, goal, rounds)
    }

    /// The plan that takes the least time, of equals the first; and how all fared.
    pub fn best(&self, collective: Collective, root: Node) -> Result<(Planned, Tried), PlanError> {
        let mut best: Option<Planned> = None;
        let mut tried = Tried::new();
        for &algorithm in algorithms(collective) {
            match self.plan(collective, algorithm, root) {
                Err(error @ PlanError::Interrupted(_)) => return Err(error),
                Err(error) => tried.push((algorithm, Err(error))),
                Ok(plan) => {
                    tried.push((algorithm, Ok(plan.seconds)));
                    if best.as_ref().is_none_or(|best| plan.seconds < best.seconds) {
                        best = Some(plan);
                    }
                }
            }
        }
        match (best, tried.last()) {
            (Some(best), _) => Ok((best, tried)),
            (None, Some(&(_, Err(error)))) => Err(error),
            (None, _) => unreachable!("every collective has an algorithm, and none has a plan"),
        }
    }

    fn judged(
        &self,
        algorithm: &'static str,
        goal: Goal,
        rounds: Rounds,
    ) -> Result<Planned, PlanError> {
        let cost = check(self.network, self.router, self.ports, goal, &rounds, &self.budget)?;
        let pieces = match goal {
            Goal::Reduce { blocks, .. } | Goal::Allreduce { blocks } => blocks,
            Goal::AllToAll => self.network.hosts(),
            _ => 1,
        };
        let block_bytes = self.bytes as f64 / pieces.max(1) as f64;
        let Price { alpha, beta, hop } = self.price;
        let seconds = alpha * cost.rounds as f64
            + hop * cost.hops as f64
            + beta * block_bytes * cost.load as f64;
        let bounds = bounds(self.network, goal, self.ports);
        Ok(Planned { algorithm, goal, rounds, cost, block_bytes, seconds, bounds })
    }
}

/// What no schedule can beat.
///
/// - Rounds: with k links a host, those who know, or whose part is known, are at most k + 1 times as many after a round.
/// - Payloads: what a host must send or receive, over its links; every sum at every host takes 2(n − 1) messages, which n
///   hosts share (P. Patarasuk, X. Yuan, 2009).
pub fn bounds(network: &dyn Network, goal: Goal, ports: Ports) -> Bounds {
    let hosts = network.hosts();
    if hosts < 2 {
        return Bounds { rounds: 0, payloads: 0.0 };
    }
    let degrees = || (0..hosts).map(|host| degree(network, Node(host)));
    let (least, most) = match ports {
        Ports::One => (1, 1),
        Ports::All => (degrees().min().unwrap_or(1).max(1), degrees().max().unwrap_or(1).max(1)),
    };
    let (mut rounds, mut known) = (0, 1u64);
    while known < hosts {
        known = known.saturating_mul(most + 1);
        rounds += 1;
    }
    let n = hosts as f64;
    let (payloads, width) = match goal {
        Goal::Broadcast { .. } | Goal::Reduce { .. } => (1.0, most),
        Goal::Scatter { .. } | Goal::Gather { .. } => (n - 1.0, most),
        Goal::Allgather => (n - 1.0, least),
        Goal::Allreduce { .. } => (2.0 * (n - 1.0) / n, most),
        Goal::AllToAll => ((n - 1.0) / n, least),
    };
    Bounds { rounds, payloads: payloads / width as f64 }
}

/// How many links a node has.
fn degree(network: &dyn Network, node: Node) -> u64 {
    let mut degree = 0;
    network.for_each_neighbor(node, &mut |_, _| degree += 1);
    degree
}
