//! Who holds what while a schedule is judged, and does what arrives fit? Exactly by bits, or quickly by counts.
//!
//! *Exact*: a bit for each node and block, and for sums a bit for each node, block and host whose part is in it. That is
//! n³ bits for n sums at n hosts.
//!
//! *Quick*: by [counts](super::counts), where they decide.

use super::arrival::{Arrival, Fault, Method, blocks_of, is_sum};
use super::bits::Bits;
use super::counts::Counts;
use super::schedule::{Goal, Repeats, Violation};
use nestnet_graph::{Budget, Network, Node};

/// Who holds what.
pub(super) struct Ledger {
    goal: Goal,
    order: u64,
    hosts: u64,
    pub blocks: u64,
    held: Held,
}

enum Held {
    /// A row for each node, a bit for each block.
    Copies(Bits),
    /// A row for each node and sum, a bit for each host whose part is in it.
    Sums(Bits),
    /// By counts, judged some time after it was sent.
    Counted(Counts),
}

impl Ledger {
    /// Bytes for `order` nodes that hold, of which the first `hosts` take part.
    pub fn bytes(order: u64, hosts: u64, goal: Goal, method: Method) -> u128 {
        let blocks = blocks_of(goal, hosts);
        let rows = u128::from(order).saturating_mul(blocks.into());
        match method {
            Method::Quick if Counts::are_for(goal) => Counts::bytes(order, hosts, goal),
            Method::Exact if is_sum(goal) => Bits::bytes(rows, hosts),
            _ => Bits::bytes(order.into(), blocks),
        }
    }

    pub fn new(
        [order, hosts]: [u64; 2],
        goal: Goal,
        method: Method,
        budget: &Budget<'_>,
    ) -> Result<Self, Violation> {
        let blocks = blocks_of(goal, hosts);
        budget.fits("the check", Ledger::bytes(order, hosts, goal, method))?;
        if let Goal::Broadcast { root }
        | Goal::Scatter { root }
        | Goal::Gather { root }
        | Goal::Reduce { root, .. } = goal
            && root.0 >= order
        {
            return Err(Violation::NoNode { step: 0, node: root });
        }
        let is_quick = method == Method::Quick && Counts::are_for(goal);
        let counts = is_quick.then(|| Counts::new(order, hosts, goal)).flatten();
        let held = match counts {
            Some(counts) => Held::Counted(counts),
            None => Ledger::bits(order, hosts, blocks, goal, budget)?,
        };
        Ok(Ledger { goal, order, hosts, blocks, held })
    }

    fn bits(
        order: u64,
        hosts: u64,
        blocks: u64,
        goal: Goal,
        budget: &Budget<'_>,
    ) -> Result<Held, Violation> {
        let sums = is_sum(goal);
        let (rows, columns) = match sums {
            true => (u128::from(order) * u128::from(blocks), hosts),
            false => (order.into(), blocks),
        };
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
        Ok(if sums { Held::Sums(bits) } else { Held::Copies(bits) })
    }

    /// Whether a node may send a block, as far as it is known at once.
    pub fn holds(&self, from: Node, block: u64) -> bool {
        match &self.held {
            Held::Copies(bits) => bits.has(from.0, block),
            Held::Sums(bits) => bits.count(from.0 * self.blocks + block) > 0,
            Held::Counted(_) => true,
        }
    }

    /// Everything of one step arrives, and was held before; how many brought nothing new.
    pub fn arrive(
        &mut self,
        step: u64,
        repeats: Repeats,
        arrivals: &[Arrival],
    ) -> Result<u64, Fault> {
        match &mut self.held {
            Held::Copies(bits) => {
                let mut again = 0;
                for &Arrival { from, to, block } in arrivals {
                    if !bits.set(to.0, block) {
                        again += 1;
                        if repeats == Repeats::Forbidden {
                            return Err(Violation::Repeats { step, from, to, block }.into());
                        }
                    }
                }
                Ok(again)
            }
            Held::Sums(bits) => Ok(add_up(bits, self.blocks, step, repeats, arrivals)?),
            Held::Counted(counts) => counts.arrive(step, arrivals).map(|()| 0),
        }
    }

    /// Whether the goal is achieved; how many blocks, or sums in progress, the node has that has most.
    ///
    /// `network` tells how far apart hosts are, where a block may have come to a node twice.
    pub fn end(&mut self, steps: u64, network: Option<&dyn Network>) -> Result<u64, Fault> {
        let (order, hosts) = (self.order, self.hosts);
        let all = || (0..hosts).map(Node);
        match &mut self.held {
            Held::Counted(counts) => counts.end(network),
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
                Ok((0..order).map(|node| bits.count(node)).max().unwrap_or(0))
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
                Ok((0..order).map(some).max().unwrap_or(0))
            }
        }
    }
}

/// Adds the parts that arrive to the sums of bits; how many brought nothing new.
fn add_up(
    bits: &mut Bits,
    blocks: u64,
    step: u64,
    repeats: Repeats,
    arrivals: &[Arrival],
) -> Result<u64, Violation> {
    // What is sent is what was there before the step.
    let row = |a: &Arrival| bits.row(a.from.0 * blocks + a.block).to_vec();
    let sent: Vec<Vec<u64>> = arrivals.iter().map(row).collect();
    let sum = |i: &usize| (arrivals[*i].to, arrivals[*i].block);
    let mut order: Vec<usize> = (0..arrivals.len()).collect();
    order.sort_by_key(sum);
    let mut again = 0;
    for together in order.chunk_by(|a, b| sum(a) == sum(b)) {
        let (to, block) = sum(&together[0]);
        let own = bits.row_mut(to.0 * blocks + block);
        let parts: Vec<&[u64]> = together.iter().map(|&i| &*sent[i]).collect();
        let nothing_new = add(own, &parts).map_err(|bad| {
            let from = arrivals[together[bad]].from;
            Violation::CountedTwice { step, from, to, block }
        })?;
        again += nothing_new.len() as u64;
        if let (Repeats::Forbidden, Some(&first)) = (repeats, nothing_new.first()) {
            let from = arrivals[together[first]].from;
            return Err(Violation::Repeats { step, from, to, block });
        }
    }
    Ok(again)
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
