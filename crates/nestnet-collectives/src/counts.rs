//! Who holds what by counts, where they tell: four bytes for each node and sum, or for each block of an all-to-all.
//!
//! Where parts of a sum are moved and never copied, the parts of a sum that are alive have nothing in common, and together
//! they are all contributions. So it is enough to count them: who sends its part has no live part any more, and a sum of
//! all hosts is complete and may be copied. A block of an all-to-all that is only ever sent on by whoever got it last is
//! at one place. Whatever does not keep to this is *undecided* here, never wrong.
//!
//! Blocks do not depend on each other. So what is sent waits until there is much of it, and is then judged a slice of
//! blocks after the other, each in a part of the table that stays in the cache.

use super::arrival::{Arrival, Fault, blocks_of, is_sum};
use super::schedule::Goal;
use nestnet_graph::measure::search::distances_from;
use nestnet_graph::{Network, Node};
use rayon::prelude::*;

/// What is counted.
pub(super) struct Counts {
    goal: Goal,
    hosts: u32,
    /// For sums how many nodes there are, and a count of parts for each block and node; else 1, and a [`Place`] for each
    /// block.
    each: usize,
    table: Vec<u32>,
    /// How many blocks make a slice.
    width: usize,
    /// What was sent and is not judged yet, by slices.
    waiting: Vec<Vec<Sent>>,
    /// How much of it, and how much it may be.
    count: usize,
    most: usize,
    /// How many blocks each node has seen.
    seen: Vec<u64>,
}

/// A block on a link.
#[derive(Clone, Copy)]
struct Sent {
    step: u32,
    from: u32,
    to: u32,
    block: u32,
}

/// A part that was sent on.
const MOVED: u32 = u32::MAX;

/// The node where a block is, and in the lowest bits how many hops it took to get there.
#[derive(Clone, Copy)]
struct Place(u32);

impl Place {
    const HOPS: u32 = (1 << 8) - 1;
    /// Nodes whose numbers fit.
    const NODES: u32 = 1 << 24;

    fn new(node: u32, hops: u32) -> Self {
        Place(node << 8 | hops)
    }

    fn node(self) -> u32 {
        self.0 >> 8
    }

    fn hops(self) -> u32 {
        self.0 & Place::HOPS
    }
}

impl Counts {
    /// As many entries of the table stay in the cache.
    const SLICE: usize = 1 << 17;
    /// So much waits at most.
    const WINDOW: usize = 1 << 21;

    /// Whether a goal can be counted.
    pub fn are_for(goal: Goal) -> bool {
        is_sum(goal) || goal == Goal::AllToAll
    }

    /// Bytes for `order` nodes that hold: a table, and what waits, of which there is room for at most as much.
    pub fn bytes(order: u64, hosts: u64, goal: Goal) -> u128 {
        let each = if is_sum(goal) { order } else { 1 };
        let table = u128::from(each).saturating_mul(blocks_of(goal, hosts).into());
        table.saturating_mul(8).saturating_add(8 * u128::from(order))
    }

    /// As everything is at first. `None` where numbers are too large to count with.
    pub fn new(order: u64, hosts: u64, goal: Goal) -> Option<Self> {
        let blocks = u32::try_from(blocks_of(goal, hosts)).ok()?;
        let (nodes, hosts) = (u32::try_from(order).ok()?, u32::try_from(hosts).ok()?);
        let size = usize::try_from(order).ok()?;
        let mut table = Vec::new();
        let each = if is_sum(goal) {
            if nodes == MOVED {
                return None;
            }
            table.reserve_exact(blocks as usize * size);
            for _ in 0..blocks {
                let start = table.len();
                table.resize(start + hosts as usize, 1);
                table.resize(start + size, 0);
            }
            size
        } else {
            if nodes > Place::NODES {
                return None;
            }
            table.reserve_exact(blocks as usize);
            for host in 0..hosts {
                table.resize(table.len() + hosts as usize, Place::new(host, 0).0);
            }
            1
        };
        let width = (Counts::SLICE / each.max(1)).max(1);
        let waiting = vec![Vec::new(); (blocks as usize).div_ceil(width)];
        let most = (table.len() / 8).clamp(1, Counts::WINDOW);
        let seen = (0..nodes).map(|node| if node < hosts { hosts.into() } else { 0 }).collect();
        Some(Counts { goal, hosts, each, table, width, waiting, count: 0, most, seen })
    }

    /// Everything of one step is sent.
    pub fn arrive(&mut self, step: u64, arrivals: &[Arrival]) -> Result<(), Fault> {
        let narrow = |value: u64| u32::try_from(value).map_err(|_| Fault::Undecided);
        // Only informed by its neighbors.
        let step = narrow(step & u64::from(u32::MAX))?;
        for &Arrival { from, to, block } in arrivals {
            let (from, to, block) = (narrow(from.0)?, narrow(to.0)?, narrow(block)?);
            self.seen[to as usize] += 1;
            self.waiting[block as usize / self.width].push(Sent { step, from, to, block });
        }
        self.count += arrivals.len();
        if self.count >= self.most { self.settle() } else { Ok(()) }
    }

    /// Judges what waits.
    fn settle(&mut self) -> Result<(), Fault> {
        let (hosts, each) = (self.hosts, self.each);
        let slices = self.table.par_chunks_mut((self.width * each).max(1));
        let all = slices.zip(&mut self.waiting).enumerate();
        let judge = |(slice, (table, sent)): (usize, (&mut [u32], &mut Vec<Sent>))| {
            let first = slice * self.width;
            let mut moved = Vec::new();
            for step in sent.chunk_by(|a, b| a.step == b.step) {
                match each {
                    1 if !is_sum(self.goal) => move_blocks(table, first, hosts, step)?,
                    _ => move_parts(table, first, [hosts as usize, each], step, &mut moved)?,
                }
            }
            sent.clear();
            Ok::<_, Fault>(())
        };
        // The first fault, whichever thread was quicker.
        let fault = all.map(judge).find_map_first(Result::err);
        self.count = 0;
        fault.map_or(Ok(()), Err)
    }

    /// Whether the goal is achieved; how many blocks, or sums in progress, the node has that has most.
    ///
    /// `network` tells how far apart hosts are, where a block may have come to a node twice.
    pub fn end(&mut self, network: Option<&dyn Network>) -> Result<u64, Fault> {
        self.settle()?;
        let hosts = self.hosts;
        if is_sum(self.goal) {
            let mut some = vec![0; self.each];
            for row in self.table.chunks(self.each.max(1)) {
                let done = match self.goal {
                    Goal::Reduce { root, .. } => {
                        usize::try_from(root.0).is_ok_and(|root| row.get(root) == Some(&hosts))
                    }
                    _ => row[..hosts as usize].iter().all(|&count| count == hosts),
                };
                // Which part is missing only the bits know.
                if !done {
                    return Err(Fault::Undecided);
                }
                some.iter_mut().zip(row).for_each(|(some, &count)| *some += u64::from(count != 0));
            }
            return Ok(some.into_iter().max().unwrap_or(0));
        }
        let rows = self.table.par_chunks(hosts.max(1) as usize).enumerate();
        rows.try_for_each(|(from, row)| {
            let arrived = (0..).zip(row).all(|(to, &place)| Place(place).node() == to);
            // Two hops that do not end where they began meet no node twice, and neither does a shortest path.
            let short = |place: &u32| Place(*place).hops() <= 2;
            let simple = row.iter().all(short)
                || network.is_some_and(|network| {
                    let mut both = row.iter().zip(distances_from(network, Node(from as u64)));
                    both.all(|(place, far)| short(place) || Place(*place).hops() == far)
                });
            if arrived && simple { Ok(()) } else { Err(Fault::Undecided) }
        })?;
        Ok(self.seen.iter().copied().max().unwrap_or(0))
    }
}

/// Moves parts of sums in one step, in the table of the blocks from `first` on. What is sent is what was there before.
fn move_parts(
    table: &mut [u32],
    first: usize,
    [hosts, each]: [usize; 2],
    step: &[Sent],
    moved: &mut Vec<(usize, usize, u32)>,
) -> Result<(), Fault> {
    let is_whole = |count: u32| count as usize == hosts;
    // First whole sums are distinguished from parts, by what was there before.
    moved.clear();
    for &Sent { from, to, block, .. } in step {
        let row = (block as usize - first) * each;
        let (from, to) = (row + from as usize, row + to as usize);
        let count = table[from];
        if count == 0 || count == MOVED || is_whole(count) && is_whole(table[to]) {
            return Err(Fault::Undecided);
        }
        moved.push((from, to, count));
    }
    for &(from, _, count) in moved.iter().filter(|(_, _, count)| !is_whole(*count)) {
        // Sent twice in one step.
        if table[from] != count {
            return Err(Fault::Undecided);
        }
        table[from] = MOVED;
    }
    for &(_, to, count) in &*moved {
        let own = table[to];
        table[to] = match own {
            // A whole sum arrives once, and nothing else with it.
            _ if is_whole(count) && !is_whole(own) => count,
            MOVED => return Err(Fault::Undecided),
            own if is_whole(count) || is_whole(own) => return Err(Fault::Undecided),
            own => own + count,
        };
    }
    Ok(())
}

/// Moves blocks of an all-to-all in one step.
fn move_blocks(table: &mut [u32], first: usize, hosts: u32, step: &[Sent]) -> Result<(), Fault> {
    // Where it was before the step; it may have been there earlier too.
    let is_there = |sent: &Sent| Place(table[sent.block as usize - first]).node() == sent.from;
    if !step.iter().all(is_there) {
        return Err(Fault::Undecided);
    }
    for &Sent { from, to, block, .. } in step {
        let place = &mut table[block as usize - first];
        let hops = Place(*place).hops();
        // Sent twice in one step, of which one is not from where it is.
        if Place(*place).node() != from || hops == Place::HOPS || to == block / hosts {
            return Err(Fault::Undecided);
        }
        *place = Place::new(to, hops + 1).0;
    }
    Ok(())
}
