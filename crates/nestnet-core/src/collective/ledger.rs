//! Who holds what while a schedule is judged, and does what arrives fit? Exactly by bits, or quickly by counts.
//!
//! *Exact*: a bit for each node and block, and for sums a bit for each node, block and host whose part is in it. That is
//! n³ bits for n sums at n hosts.
//!
//! *Quick*: where parts of a sum are moved and never copied, the parts of a sum that are alive have nothing in common,
//! and together they are all contributions. So it is enough to count them: who sends its part has no live part any more,
//! and a sum of all hosts is complete and may be copied. A block of an all-to-all that is only ever sent on by whoever got
//! it last is at one place. Whatever does not keep to this is *undecided* here, never wrong, and is left to the bits.
//! Four bytes for each node and sum, five for each block of an all-to-all.

use super::check::Repeats;
use super::held::{Bits, index};
use super::schedule::{Goal, Violation};
use crate::{Budget, Network, Node};

/// How what is held is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    /// By bits.
    Exact,
    /// By counts, where they decide.
    Quick,
}

/// Why a schedule is not passed.
#[derive(Debug)]
pub(super) enum Fault {
    /// It is wrong.
    Violation(Violation),
    /// Counts do not tell.
    Undecided,
}

impl From<Violation> for Fault {
    fn from(violation: Violation) -> Self {
        Fault::Violation(violation)
    }
}

impl From<crate::Interrupted> for Fault {
    fn from(stopped: crate::Interrupted) -> Self {
        Fault::Violation(stopped.into())
    }
}

/// A block that arrives.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrival {
    pub from: Node,
    pub to: Node,
    pub block: u64,
}

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
    /// For each node and sum how many parts are in it, or [`MOVED`].
    Parts(Vec<u32>),
    /// Where each block of an all-to-all is, after how many hops, and how much each node has seen.
    Places { at: Vec<u32>, hops: Vec<u8>, seen: Vec<u64> },
}

/// A part that was sent on.
const MOVED: u32 = u32::MAX;

/// How many blocks a goal has.
pub(super) fn blocks_of(goal: Goal, hosts: u64) -> u64 {
    match goal {
        Goal::Broadcast { .. } => 1,
        Goal::Scatter { .. } | Goal::Gather { .. } | Goal::Allgather => hosts,
        Goal::Reduce { blocks, .. } | Goal::Allreduce { blocks } => blocks,
        Goal::AllToAll => hosts.saturating_mul(hosts),
    }
}

fn is_sum(goal: Goal) -> bool {
    matches!(goal, Goal::Reduce { .. } | Goal::Allreduce { .. })
}

impl Ledger {
    /// Bytes for `order` nodes that hold, of which the first `hosts` take part.
    pub fn bytes(order: u64, hosts: u64, goal: Goal, method: Method) -> u128 {
        let blocks = blocks_of(goal, hosts);
        let rows = u128::from(order).saturating_mul(blocks.into());
        match (method, goal) {
            (Method::Quick, Goal::AllToAll) => {
                u128::from(blocks).saturating_mul(5).saturating_add(8 * u128::from(order))
            }
            (Method::Quick, _) if is_sum(goal) => rows.saturating_mul(4),
            (Method::Exact, _) if is_sum(goal) => Bits::bytes(rows, hosts),
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
        let small = u32::try_from(order).is_ok_and(|order| order < MOVED);
        let method = if small { method } else { Method::Exact };
        let held = match (goal, method) {
            (Goal::AllToAll, Method::Quick) => {
                let host = |host: u64| u32::try_from(host).expect("fewer than 2^32");
                let at = (0..hosts).flat_map(|from| (0..hosts).map(move |_| host(from)));
                let seen = (0..order).map(|node| if node < hosts { hosts } else { 0 });
                let hops = vec![0; index(blocks)];
                Held::Places { at: at.collect(), hops, seen: seen.collect() }
            }
            (Goal::Reduce { .. } | Goal::Allreduce { .. }, Method::Quick) => {
                let mut parts = vec![0; index(order) * index(blocks)];
                parts[..index(hosts) * index(blocks)].fill(1);
                Held::Parts(parts)
            }
            _ => Ledger::bits(order, hosts, blocks, goal, budget)?,
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

    /// Whether a node may send a block.
    pub fn holds(&self, from: Node, block: u64) -> Result<bool, Fault> {
        Ok(match &self.held {
            Held::Copies(bits) => bits.has(from.0, block),
            Held::Sums(bits) => bits.count(from.0 * self.blocks + block) > 0,
            Held::Parts(parts) => match parts[index(from.0 * self.blocks + block)] {
                0 => false,
                MOVED => return Err(Fault::Undecided),
                _ => true,
            },
            Held::Places { at, .. } if u64::from(at[index(block)]) == from.0 => true,
            // It may have had it before.
            Held::Places { .. } => return Err(Fault::Undecided),
        })
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
            Held::Parts(parts) => move_parts(parts, self.blocks, self.hosts, arrivals).map(|()| 0),
            Held::Places { at, hops, seen } => {
                for &Arrival { from, to, block } in arrivals {
                    let (place, steps) = (&mut at[index(block)], &mut hops[index(block)]);
                    let source = block / self.hosts;
                    if u64::from(*place) != from.0 || *steps == u8::MAX || to.0 == source {
                        return Err(Fault::Undecided);
                    }
                    *place = u32::try_from(to.0).expect("fewer than 2^32");
                    *steps += 1;
                    seen[index(to.0)] += 1;
                }
                Ok(0)
            }
        }
    }

    /// Whether the goal is achieved; how many blocks, or sums in progress, the node has that has most.
    ///
    /// `network` tells how far apart hosts are, where a block may have come to a node twice.
    pub fn end(&self, steps: u64, network: Option<&dyn Network>) -> Result<u64, Fault> {
        let (order, hosts) = (self.order, self.hosts);
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
            Held::Parts(parts) => {
                let row = |node: u64| &parts[index(node * self.blocks)..][..index(self.blocks)];
                let complete = |node: u64| row(node).iter().all(|&count| u64::from(count) == hosts);
                let done = match self.goal {
                    Goal::Reduce { root, .. } => complete(root.0),
                    _ => (0..hosts).all(complete),
                };
                // Which part is missing only the bits know.
                if !done {
                    return Err(Fault::Undecided);
                }
                let some = |node| row(node).iter().filter(|&&count| count != 0).count() as u64;
                Ok((0..order).map(some).max().unwrap_or(0))
            }
            Held::Places { at, hops, seen } => {
                for from in 0..hosts {
                    let row = index(from * hosts)..index((from + 1) * hosts);
                    let arrived = (0..).zip(&at[row.clone()]).all(|(to, &at)| at == to);
                    // Two hops that do not end where they began meet no node twice, and neither does a shortest path.
                    let hops = &hops[row];
                    let simple = hops.iter().all(|&hops| hops <= 2)
                        || network.is_some_and(|network| {
                            let distance =
                                crate::measure::search::distances_from(network, Node(from));
                            hops.iter()
                                .zip(distance)
                                .all(|(&hops, far)| hops <= 2 || u32::from(hops) == far)
                        });
                    if !arrived || !simple {
                        return Err(Fault::Undecided);
                    }
                }
                Ok(seen.iter().copied().max().unwrap_or(0))
            }
        }
    }
}

/// Moves parts of sums that are counted. What is sent is what was there before the step.
fn move_parts(
    parts: &mut [u32],
    blocks: u64,
    hosts: u64,
    arrivals: &[Arrival],
) -> Result<(), Fault> {
    let place = |node: Node, block: u64| index(node.0 * blocks + block);
    let is_whole = |count: u32| u64::from(count) == hosts;
    // First whole sums are told from parts, by what was there before.
    let mut moved = Vec::with_capacity(arrivals.len());
    for &Arrival { from, to, block } in arrivals {
        let count = parts[place(from, block)];
        if is_whole(count) && is_whole(parts[place(to, block)]) {
            return Err(Fault::Undecided);
        }
        moved.push((place(from, block), place(to, block), count));
    }
    for &(from, _, count) in moved.iter().filter(|(_, _, count)| !is_whole(*count)) {
        // Sent twice in one step, or sent where something arrived before it in this loop.
        if parts[from] != count || count == MOVED {
            return Err(Fault::Undecided);
        }
        parts[from] = MOVED;
    }
    for &(_, to, count) in &moved {
        let own = parts[to];
        parts[to] = match own {
            // A whole sum arrives once, and nothing else with it.
            _ if is_whole(count) && !is_whole(own) => count,
            MOVED => return Err(Fault::Undecided),
            own if is_whole(count) || is_whole(own) => return Err(Fault::Undecided),
            own => own + count,
        };
    }
    Ok(())
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
