//! Does a schedule keep to the links and the ports, and does it achieve its goal? Knows no generator.

use super::held::{Bits, index};
use super::schedule::{Goal, Stream, Transfer, Violation};
use crate::{Budget, Network, Node};

/// How much a node can do in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ports {
    /// It sends at most one message and receives at most one.
    One,
    /// One message each way over every link.
    All,
}

/// What becomes of a transfer that brings nothing new.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeats {
    /// It is a violation.
    Forbidden,
    /// It is counted.
    Allowed,
}

/// What is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Model {
    /// How much a node can do in a step.
    pub ports: Ports,
    /// What becomes of a transfer that brings nothing new.
    pub repeats: Repeats,
}

/// What a valid schedule costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cost {
    /// How many steps, empty ones included.
    pub steps: u64,
    /// How many transfers.
    pub transfers: u64,
    /// Transfers over the busiest link in one direction.
    pub busiest: u64,
    /// Blocks, or sums in progress, at the node that holds most in the end.
    pub held: u64,
    /// Transfers that brought nothing new.
    pub repeats: u64,
}

/// Judges a schedule by walking it. O(transfers), for sums times the hosts; memory for a bit for each node and block,
/// for each part of a sum, and eight bytes a channel.
///
/// ```
/// use nestnet_core::collective::{Goal, Model, Ports, Repeats, Schedule, Transfer, check};
/// use nestnet_core::Budget;
/// use nestnet_core::{Csr, Node, Port};
///
/// let path = Csr::from_links(3, &[(0, 1), (1, 2)], 1 << 20)?;
/// let send = |from, port| Transfer { from: Node(from), port: Port(port), block: 0 };
/// let schedule = Schedule { steps: vec![vec![send(1, 0)], vec![send(1, 1)]] };
/// let model = Model { ports: Ports::One, repeats: Repeats::Forbidden };
/// let goal = Goal::Broadcast { root: Node(1) };
/// let cost = check(&path, model, goal, schedule.stream(), &Budget::default())?;
/// assert_eq!((cost.steps, cost.transfers), (2, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check(
    network: &dyn Network,
    model: Model,
    goal: Goal,
    mut schedule: impl Stream,
    budget: &Budget<'_>,
) -> Result<Cost, Violation> {
    let mut judge = Judge::new(network, model, goal, budget)?;
    let mut step = Vec::new();
    while schedule.next_step(&mut step) {
        budget.check()?;
        judge.step(&step)?;
        step.clear();
    }
    judge.end()
}

/// Bytes that [`check`] takes for a goal, besides the schedule.
pub fn check_bytes(network: &dyn Network, goal: Goal) -> u128 {
    Size::of(network, goal).need
}

/// What must be kept in mind for a goal.
struct Size {
    blocks: u64,
    sums: bool,
    rows: u128,
    columns: u64,
    channels: u128,
    need: u128,
}

impl Size {
    fn of(network: &dyn Network, goal: Goal) -> Self {
        let (order, hosts) = (network.order(), network.hosts());
        let channels = u128::from(order) * u128::from(network.ports());
        let blocks = match goal {
            Goal::Broadcast { .. } => 1,
            Goal::Scatter { .. } | Goal::Gather { .. } | Goal::Allgather => hosts,
            Goal::Reduce { blocks, .. } | Goal::Allreduce { blocks } => blocks,
            Goal::AllToAll => hosts.saturating_mul(hosts),
        };
        let sums = matches!(goal, Goal::Reduce { .. } | Goal::Allreduce { .. });
        let (rows, columns) = if sums {
            (u128::from(order) * u128::from(blocks), hosts)
        } else {
            (order.into(), blocks)
        };
        // Either may be as large as can be said.
        let need = Bits::bytes(rows, columns)
            .saturating_add(2 * Bits::bytes(1, order))
            .saturating_add(8 * channels);
        Size { blocks, sums, rows, columns, channels, need }
    }
}

struct Judge<'a> {
    network: &'a dyn Network,
    model: Model,
    goal: Goal,
    blocks: u64,
    held: Held,
    /// Who has sent, and received, in this step.
    busy: [Bits; 2],
    /// For each channel the step that used it last, and how often it was used.
    used: Vec<(u32, u32)>,
    cost: Cost,
}

/// Blocks that are copied, or sums that are added up.
enum Held {
    /// A row for each node, a bit for each block.
    Copies(Bits),
    /// A row for each node and sum, a bit for each host whose part is in it.
    Sums(Bits),
}

impl<'a> Judge<'a> {
    fn new(
        network: &'a dyn Network,
        model: Model,
        goal: Goal,
        budget: &Budget<'_>,
    ) -> Result<Self, Violation> {
        let (order, hosts) = (network.order(), network.hosts());
        let Size { blocks, sums, rows, columns, channels, need } = Size::of(network, goal);
        budget.fits("the check", need)?;
        if let Goal::Broadcast { root }
        | Goal::Scatter { root }
        | Goal::Gather { root }
        | Goal::Reduce { root, .. } = goal
            && root.0 >= order
        {
            return Err(Violation::NoNode { step: 0, node: root });
        }
        let mut bits = Bits::new(rows, columns, budget)?;
        match goal {
            Goal::Broadcast { root } | Goal::Scatter { root } => {
                (0..blocks).for_each(|block| _ = bits.set(root.0, block));
            }
            Goal::Gather { .. } | Goal::Allgather => {
                (0..hosts).for_each(|host| _ = bits.set(host, host));
            }
            Goal::AllToAll => (0..hosts)
                .flat_map(|host| (0..hosts).map(move |to| (host, to)))
                .for_each(|(host, to)| _ = bits.set(host, host * hosts + to)),
            Goal::Reduce { .. } | Goal::Allreduce { .. } => (0..hosts)
                .flat_map(|host| (0..blocks).map(move |block| (host, block)))
                .for_each(|(host, block)| _ = bits.set(host * blocks + block, host)),
        }
        let held = if sums { Held::Sums(bits) } else { Held::Copies(bits) };
        let busy = [Bits::new(1, order, budget)?, Bits::new(1, order, budget)?];
        let channels = usize::try_from(channels).expect("it fits in memory");
        let cost = Cost { steps: 0, transfers: 0, busiest: 0, held: 0, repeats: 0 };
        let used = vec![(0, 0); channels];
        Ok(Judge { network, model, goal, blocks, held, busy, used, cost })
    }

    /// Where a transfer leads, if it may be made in this step.
    fn allowed(&mut self, transfer: Transfer) -> Result<Node, Violation> {
        let Transfer { from, port, block } = transfer;
        let step = self.cost.steps;
        if from.0 >= self.network.order() {
            return Err(Violation::NoNode { step, node: from });
        }
        let in_range = port.0 < self.network.ports();
        let to = in_range.then(|| self.network.neighbor(from, port)).flatten();
        let to = to.ok_or(Violation::NoLink { step, from, port })?;
        if block >= self.blocks {
            return Err(Violation::NoBlock { step, from, block, blocks: self.blocks });
        }
        let holds = match &self.held {
            Held::Copies(bits) => bits.has(from.0, block),
            Held::Sums(bits) => bits.count(from.0 * self.blocks + block) > 0,
        };
        if !holds {
            return Err(Violation::NotHeld { step, from, block });
        }
        let channel = index(from.0) * self.network.ports() as usize + port.0 as usize;
        let (last, times) = &mut self.used[channel];
        let now = u32::try_from(step).unwrap_or(u32::MAX);
        if *last == now {
            return Err(Violation::LinkTwice { step, from, to });
        }
        (*last, *times) = (now, times.saturating_add(1));
        self.cost.busiest = self.cost.busiest.max((*times).into());
        if self.model.ports == Ports::One {
            if !self.busy[0].set(0, from.0) {
                return Err(Violation::SendsTwice { step, node: from });
            }
            if !self.busy[1].set(0, to.0) {
                return Err(Violation::ReceivesTwice { step, node: to });
            }
        }
        Ok(to)
    }

    /// One step: first everything is seen to be there, then everything arrives.
    fn step(&mut self, transfers: &[Transfer]) -> Result<(), Violation> {
        self.cost.steps += 1;
        self.cost.transfers += transfers.len() as u64;
        let ends: Vec<Node> =
            transfers.iter().map(|&t| self.allowed(t)).collect::<Result<_, _>>()?;
        for (transfer, to) in transfers.iter().zip(&ends) {
            self.busy[0].clear(0, transfer.from.0);
            self.busy[1].clear(0, to.0);
        }
        let step = self.cost.steps;
        let blocks = self.blocks;
        match &mut self.held {
            Held::Copies(bits) => {
                for (&Transfer { from, block, .. }, &to) in transfers.iter().zip(&ends) {
                    if !bits.set(to.0, block) {
                        self.cost.repeats += 1;
                        if self.model.repeats == Repeats::Forbidden {
                            return Err(Violation::Repeats { step, from, to, block });
                        }
                    }
                }
            }
            Held::Sums(bits) => {
                // What is sent is what was there before the step.
                let row = |t: &Transfer| bits.row(t.from.0 * blocks + t.block).to_vec();
                let sent: Vec<Vec<u64>> = transfers.iter().map(row).collect();
                let sum = |i: &usize| (ends[*i].0, transfers[*i].block);
                let mut order: Vec<usize> = (0..transfers.len()).collect();
                order.sort_by_key(sum);
                for together in order.chunk_by(|a, b| sum(a) == sum(b)) {
                    let (to, block) = sum(&together[0]);
                    let own = bits.row_mut(to * blocks + block);
                    let parts: Vec<&[u64]> = together.iter().map(|&i| &*sent[i]).collect();
                    let repeats = add(own, &parts).map_err(|bad| {
                        let from = transfers[together[bad]].from;
                        Violation::CountedTwice { step, from, to: Node(to), block }
                    })?;
                    self.cost.repeats += repeats.len() as u64;
                    if let (Repeats::Forbidden, Some(&first)) =
                        (self.model.repeats, repeats.first())
                    {
                        let from = transfers[together[first]].from;
                        return Err(Violation::Repeats { step, from, to: Node(to), block });
                    }
                }
            }
        }
        Ok(())
    }

    fn end(mut self) -> Result<Cost, Violation> {
        let steps = self.cost.steps;
        let (order, hosts) = (self.network.order(), self.network.hosts());
        let all = || (0..hosts).map(Node);
        match &self.held {
            Held::Copies(bits) => {
                let has = |node: Node, block: u64| {
                    let missing = Violation::Missing { steps, node, block };
                    bits.has(node.0, block).then_some(()).ok_or(missing)
                };
                match self.goal {
                    Goal::Broadcast { .. } => all().try_for_each(|node| has(node, 0))?,
                    Goal::Scatter { .. } => all().try_for_each(|node| has(node, node.0))?,
                    Goal::Gather { root } => (0..hosts).try_for_each(|block| has(root, block))?,
                    Goal::AllToAll => all().try_for_each(|node| {
                        (0..hosts).try_for_each(|from| has(node, from * hosts + node.0))
                    })?,
                    _ => all()
                        .try_for_each(|node| (0..hosts).try_for_each(|block| has(node, block)))?,
                }
                self.cost.held = (0..order).map(|node| bits.count(node)).max().unwrap_or(0);
            }
            Held::Sums(bits) => {
                let complete = |node: Node| {
                    (0..self.blocks).try_for_each(|block| {
                        match bits.first_clear(node.0 * self.blocks + block, hosts) {
                            Some(without) => {
                                let without = Node(without);
                                Err(Violation::Incomplete { steps, node, block, without })
                            }
                            None => Ok(()),
                        }
                    })
                };
                match self.goal {
                    Goal::Reduce { root, .. } => complete(root)?,
                    _ => all().try_for_each(complete)?,
                }
                let some = |node: u64| {
                    let rows = node * self.blocks..(node + 1) * self.blocks;
                    rows.filter(|&row| bits.count(row) > 0).count() as u64
                };
                self.cost.held = (0..order).map(some).max().unwrap_or(0);
            }
        }
        Ok(self.cost)
    }
}

/// Adds parts that arrive together to a sum: those that brought nothing new, or the first that cannot be added.
///
/// In whatever order they are given, the verdict is the same: parts that differ must have nothing in common, and a
/// part that shares a contribution with the sum must contain all of it.
fn add(own: &mut [u64], parts: &[&[u64]]) -> Result<Vec<usize>, usize> {
    let apart = |a: &[u64], b: &[u64]| a.iter().zip(b).all(|(a, b)| a & b == 0);
    let within = |a: &[u64], b: &[u64]| a.iter().zip(b).all(|(a, b)| a & !b == 0);
    let mut repeats = Vec::new();
    for (number, part) in parts.iter().enumerate() {
        let mut before = parts[..number].iter().filter(|other| **other != own);
        if own == *part || before.clone().any(|other| other == part) {
            repeats.push(number);
        } else if !before.all(|other| apart(other, part))
            || !(apart(own, part) || within(own, part))
        {
            return Err(number);
        }
    }
    for part in parts {
        own.iter_mut().zip(*part).for_each(|(own, part)| *own |= part);
    }
    Ok(repeats)
}

#[cfg(test)]
mod tests;
