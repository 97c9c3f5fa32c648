//! An all-to-all in phases: which groups of hosts send to which at once, so that no channel between them carries more than
//! it must?
//!
//! A group are the hosts of a switch, p of them. In a phase every group sends to at most p groups and receives from at most
//! p, by p *slots* in each of which it sends to one and receives from one. A phase has p² rounds, so that every host of a
//! group sends to every host of the group of each slot, one message a round. Every pair of groups is in one phase.

use super::loads::Routes;
use super::{Message, Rounds};
use crate::plan::{PlanError, Price};
use nestnet_graph::{Address, Budget, Network, Node, index};
use nestnet_routing::Router;
use rayon::prelude::*;
use std::collections::BTreeSet;

/// The groups, and what routes between them load.
pub(crate) struct Phases<'a> {
    groups: Vec<Vec<Node>>,
    routes: Routes<'a>,
    channels: usize,
    /// Seconds for every round, and for every block on its busiest channel.
    alpha: f64,
    block: f64,
    budget: &'a Budget<'a>,
}

/// For each phase and slot the target of every group; [`NONE`] where it has none.
type Slots = Vec<Vec<Vec<u32>>>;

/// No target.
const NONE: u32 = u32::MAX;

/// What a message of one block from each group to each other puts on channels.
struct Table {
    /// For each group where its entries begin: by target.
    starts: Vec<Vec<usize>>,
    entries: Vec<Vec<(u32, f32)>>,
}

impl Table {
    fn of(&self, from: usize, to: usize) -> &[(u32, f32)] {
        &self.entries[from][self.starts[from][to]..self.starts[from][to + 1]]
    }
}

/// Loads of channels that are added up and taken back again.
struct Sums {
    loads: Vec<f32>,
    used: Vec<u32>,
    most: f32,
}

impl Sums {
    fn new(channels: usize) -> Self {
        Sums { loads: vec![0.0; channels], used: Vec::new(), most: 0.0 }
    }

    fn add(&mut self, entries: &[(u32, f32)]) {
        for &(channel, part) in entries {
            let load = &mut self.loads[channel as usize];
            if *load == 0.0 {
                self.used.push(channel);
            }
            *load += part;
            self.most = self.most.max(*load);
        }
    }

    fn clear(&mut self) {
        for channel in self.used.drain(..) {
            self.loads[channel as usize] = 0.0;
        }
        self.most = 0.0;
    }
}

impl<'a> Phases<'a> {
    /// Of groups of one size, along the routes of a router, for blocks of so many bytes.
    pub fn new(
        network: &'a dyn Network,
        router: &'a dyn Router,
        groups: Vec<Vec<Node>>,
        price: Price,
        block_bytes: f64,
        budget: &'a Budget<'a>,
    ) -> Self {
        let channels = index(network.order()) * network.ports() as usize;
        let routes = Routes::new(network, router);
        let (alpha, block) = (price.alpha, price.beta * block_bytes);
        Phases { groups, routes, channels, alpha, block, budget }
    }

    /// How many hosts a group has.
    fn size(&self) -> usize {
        self.groups[0].len()
    }

    /// The time of so many rounds whose busiest channel carries so many blocks; a host sends one.
    fn seconds(&self, rounds: usize, blocks: f32) -> f64 {
        rounds as f64 * (self.alpha + self.block * f64::from(blocks.max(1.0)))
    }

    /// The channels between two groups, by the routes between their first hosts.
    fn entries(&self, from: usize, to: usize) -> Result<Vec<(u32, f32)>, PlanError> {
        if from == to {
            return Ok(Vec::new());
        }
        let shares = self.routes.shares(self.groups[from][0], self.groups[to][0])?;
        let part = |part: f64| narrow(part / self.routes.choices as f64);
        let channel = |at: usize| u32::try_from(at).expect("channels are stored");
        Ok(shares.middle.iter().map(|&(at, load)| (channel(at), part(load))).collect())
    }

    /// Whether phases may take less time than shifts, where everyone sends to the next host, then to the one after it:
    /// these are left alone where they are within a fiftieth of what any order of the messages takes.
    pub fn may_gain(&self) -> Result<bool, PlanError> {
        /// As near to the bound.
        const NEAR: f64 = 1.02;
        let (count, size) = (self.groups.len(), self.size());
        let mut total = vec![0f32; self.channels];
        let mut sums = Sums::new(self.channels);
        let mut shifts = 0.0;
        for shift in 0..count {
            self.budget.check()?;
            let all = (0..count).into_par_iter().map(|at| self.entries(at, (at + shift) % count));
            for entries in all.collect::<Result<Vec<_>, _>>()? {
                sums.add(&entries);
                entries.iter().for_each(|&(at, part)| total[at as usize] += part);
            }
            shifts += self.seconds(size, sums.most * narrow(size as f64));
            sums.clear();
        }
        let (hosts, most) = ((count * size) as f64, total.into_iter().fold(0.0, f32::max));
        let blocks = hosts.max(f64::from(most) * (size * size) as f64);
        Ok(shifts > NEAR * (self.alpha * hosts + self.block * blocks))
    }

    /// The rounds of the phases that take the least time of those that are tried: runs of translations of the groups by
    /// the digits of their addresses, and pairs of groups one by one, those first whose channels have most left to carry.
    /// O(groups³) for the latter, which large networks do without.
    pub fn rounds(self, network: &dyn Network) -> Result<Rounds, PlanError> {
        let table = self.table()?;
        let hosts = network.hosts();
        let (sides, ranks) = digits(network, &self.groups);
        let mut best: Option<(f64, Slots)> = None;
        let mut sequences = vec![diagonals(&sides)];
        sequences.push((0..self.groups.len()).collect());
        for sequence in sequences {
            let found = self.runs(&table, &sides, &ranks, &sequence)?;
            if best.as_ref().is_none_or(|best| found.0 < best.0) {
                best = Some(found);
            }
        }
        let (seconds, mut slots) = best.expect("there are sequences");
        if let Some((one_by_one, pairs)) = self.one_by_one(&table)?
            && one_by_one < seconds
        {
            slots = pairs;
        }
        let groups = self.groups;
        let size = groups[0].len() as u64;
        Ok(Rounds::new(slots.len() as u64 * size * size, move |round, out| {
            let (phase, first, second) =
                (index(round / (size * size)), round / size % size, round % size);
            for (slot, targets) in (0u64..).zip(&slots[phase]) {
                let [i, j] = [first, second].map(|by| index((slot + by) % size));
                for (group, &target) in groups.iter().zip(targets) {
                    let Some(target) = groups.get(target as usize) else { continue };
                    let (from, to) = (group[i], target[j]);
                    if from != to {
                        out.push(Message { from, to, first: from.0 * hosts + to.0, blocks: 1 });
                    }
                }
            }
        }))
    }

    fn table(&self) -> Result<Table, PlanError> {
        let count = self.groups.len();
        let (mut starts, mut all) = (Vec::new(), Vec::new());
        let mut bytes = 0u128;
        for from in 0..count {
            self.budget.check()?;
            let rows = (0..count).into_par_iter().map(|to| self.entries(from, to));
            let rows = rows.collect::<Result<Vec<_>, _>>()?;
            let (mut start, mut entries) = (vec![0], Vec::new());
            for row in rows {
                entries.extend(row);
                start.push(entries.len());
            }
            bytes += 8 * (start.len() + entries.len()) as u128;
            // As much again for what is made of it.
            self.budget.fits("routes between all groups of hosts", 2 * bytes)?;
            starts.push(start);
            all.push(entries);
        }
        Ok(Table { starts, entries: all })
    }

    /// Translations in a sequence that is cut into phases, where the time is least: each as a slot. The time, and the slots.
    fn runs(
        &self,
        table: &Table,
        sides: &[usize],
        ranks: &[usize],
        sequence: &[usize],
    ) -> Result<(f64, Slots), PlanError> {
        let (count, size) = (self.groups.len(), self.size());
        let mut at_rank = vec![0; count];
        ranks.iter().enumerate().for_each(|(group, &rank)| at_rank[rank] = group);
        let target = |group: usize, by: usize| at_rank[translated(ranks[group], by, sides)];
        // The least time before each place of the sequence, and where the last phase begins.
        let mut best = vec![(f64::INFINITY, 0); count + 1];
        best[0].0 = 0.0;
        let mut sums = Sums::new(self.channels);
        for start in 0..count {
            self.budget.check()?;
            sums.clear();
            for end in start + 1..=(start + size).min(count) {
                for group in 0..count {
                    sums.add(table.of(group, target(group, sequence[end - 1])));
                }
                let seconds = best[start].0 + self.seconds(size * size, sums.most);
                if seconds < best[end].0 {
                    best[end] = (seconds, start);
                }
            }
        }
        let mut phases = Vec::new();
        let mut end = count;
        while end > 0 {
            let start = best[end].1;
            let slot = |&by: &usize| {
                let targets = (0..count).map(|group| target(group, by));
                targets.map(|to| u32::try_from(to).unwrap_or(NONE)).collect()
            };
            phases.push(sequence[start..end].iter().map(slot).collect());
            end = start;
        }
        phases.reverse();
        Ok((best[count].0, phases))
    }

    /// Pairs of groups one by one: in every phase each group takes in turn the target whose channels, or ports, have most
    /// left to carry, of those that load none with more than a block. The time and the slots; none for large networks.
    fn one_by_one(&self, table: &Table) -> Result<Option<(f64, Slots)>, PlanError> {
        /// More pairs of a group and two others take long.
        const MOST: u128 = 1 << 29;
        /// Sums of parts are off by less.
        const ROUNDING: f32 = 1e-4;
        let (count, size) = (self.groups.len(), self.size());
        if (count as u128).pow(3) > MOST {
            return Ok(None);
        }
        let mut left = vec![0f32; self.channels];
        for from in 0..count {
            for to in 0..count {
                table.of(from, to).iter().for_each(|&(at, part)| left[at as usize] += part);
            }
        }
        // What is left to be received, as if by one channel.
        let mut expected = vec![count; count];
        let mut targets: Vec<Vec<u32>> = vec![(0..).take(count).collect(); count];
        let mut sums = Sums::new(self.channels);
        let (mut phases, mut seconds, mut pairs) = (Slots::new(), 0.0, count * count);
        while pairs > 0 {
            self.budget.check()?;
            sums.clear();
            let mut phase = Coloring::new(count, size);
            let mut received = vec![0; count];
            for turn in 0..size {
                for step in 0..count {
                    let from = (step + turn + phases.len()) % count;
                    let fits = |to: usize| {
                        let mut entries = table.of(from, to).iter();
                        received[to] < size
                            && entries.all(|&(at, part)| {
                                let load = sums.loads[at as usize];
                                load == 0.0 || load + part <= 1.0 + ROUNDING
                            })
                    };
                    let urgency = |to: usize| {
                        let entries = table.of(from, to).iter();
                        let most = entries.map(|&(at, _)| left[at as usize]).fold(0.0, f32::max);
                        most.max(narrow(expected[to] as f64 / size as f64))
                    };
                    let fitting = targets[from].iter().enumerate();
                    let fitting = fitting.filter(|&(_, &to)| fits(to as usize));
                    let found = fitting
                        .map(|(place, &to)| (urgency(to as usize), place))
                        .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
                    let Some((_, place)) = found else { continue };
                    let to = targets[from].swap_remove(place) as usize;
                    sums.add(table.of(from, to));
                    table.of(from, to).iter().for_each(|&(at, part)| left[at as usize] -= part);
                    received[to] += 1;
                    expected[to] -= 1;
                    pairs -= 1;
                    phase.add(from, to);
                }
            }
            seconds += self.seconds(size * size, sums.most);
            phases.push(phase.slots());
        }
        Ok(Some((seconds, phases)))
    }
}

#[allow(clippy::cast_possible_truncation)]
fn narrow(value: f64) -> f32 {
    value as f32
}

/// Pairs of senders and receivers with a slot each, so that none has two of a slot: an edge coloring of a bipartite graph
/// with as many colors as its degree (D. König, 1916).
struct Coloring {
    size: usize,
    /// By sender and slot the receiver, and the other way around.
    to: Vec<u32>,
    from: Vec<u32>,
}

impl Coloring {
    fn new(count: usize, size: usize) -> Self {
        Coloring { size, to: vec![NONE; count * size], from: vec![NONE; count * size] }
    }

    fn free(&self, row: &[u32], at: usize) -> usize {
        let slots = &row[at * self.size..][..self.size];
        slots.iter().position(|&other| other == NONE).expect("no more pairs than slots")
    }

    /// One more pair, of two that have fewer than all slots.
    fn add(&mut self, from: usize, to: usize) {
        let size = self.size;
        let (first, second) = (self.free(&self.to, from), self.free(&self.from, to));
        // Along a path of both slots from the receiver these are exchanged, so that the first gets free.
        let (mut path, mut at, mut slots) = (Vec::new(), to, [first, second]);
        let mut is_receiver = true;
        loop {
            let row = if is_receiver { &self.from } else { &self.to };
            let next = row[at * size + slots[0]];
            if next == NONE {
                break;
            }
            let next = next as usize;
            path.push(if is_receiver { (next, at, slots) } else { (at, next, slots) });
            (at, is_receiver) = (next, !is_receiver);
            slots.swap(0, 1);
        }
        for &(from, to, [old, _]) in &path {
            self.to[from * size + old] = NONE;
            self.from[to * size + old] = NONE;
        }
        for (from, to, [_, new]) in path {
            self.set(from, to, new);
        }
        self.set(from, to, first);
    }

    fn set(&mut self, from: usize, to: usize, slot: usize) {
        self.to[from * self.size + slot] = u32::try_from(to).unwrap_or(NONE);
        self.from[to * self.size + slot] = u32::try_from(from).unwrap_or(NONE);
    }

    /// For each slot the receiver of every sender.
    fn slots(&self) -> Vec<Vec<u32>> {
        let slot = |slot| self.to.iter().skip(slot).step_by(self.size).copied().collect();
        (0..self.size).map(slot).collect()
    }
}

/// The digits of groups: sides, and the number of every group by them. Those of the addresses of their switches where
/// these are all numbers of some sides, else one digit.
fn digits(network: &dyn Network, groups: &[Vec<Node>]) -> (Vec<usize>, Vec<usize>) {
    let plain = || (vec![groups.len()], (0..groups.len()).collect());
    let mut rows: Vec<Vec<u64>> = Vec::new();
    for group in groups {
        let mut switch = None;
        network.for_each_neighbor(group[0], &mut |_, to| switch = switch.or(Some(to)));
        let mut row = Vec::new();
        if !switch.is_some_and(|switch| flatten(&network.address(switch), &mut row)) {
            return plain();
        }
        rows.push(row);
    }
    let width = rows[0].len();
    if rows.iter().any(|row| row.len() != width) {
        return plain();
    }
    let mut ranks = vec![0; groups.len()];
    let mut sides = Vec::new();
    let mut product = 1usize;
    for place in 0..width {
        let values: BTreeSet<u64> = rows.iter().map(|row| row[place]).collect();
        if values.len() == 1 {
            continue;
        }
        product = product.saturating_mul(values.len());
        sides.push(values.len());
        for (rank, row) in ranks.iter_mut().zip(&rows) {
            *rank = *rank * values.len() + values.range(..row[place]).count();
        }
    }
    let different: BTreeSet<usize> = ranks.iter().copied().collect();
    match product == groups.len() && different.len() == groups.len() {
        true => (sides, ranks),
        false => plain(),
    }
}

/// The numbers of an address in their order; `false` where it has others than numbers.
fn flatten(address: &Address, out: &mut Vec<u64>) -> bool {
    match (address.as_number(), address.as_tuple()) {
        (Some(number), _) => {
            out.push(number);
            true
        }
        (None, Some(parts)) => parts.iter().all(|part| flatten(part, out)),
        (None, None) => false,
    }
}

/// A number of mixed radix plus another, digit by digit.
fn translated(mut at: usize, mut by: usize, sides: &[usize]) -> usize {
    let (mut sum, mut place) = (0, 1);
    for &side in sides.iter().rev() {
        sum += (at % side + by % side) % side * place;
        (at, by, place) = (at / side, by / side, place * side);
    }
    sum
}

/// All numbers of mixed radix, along diagonals: neighbors differ in every digit.
fn diagonals(sides: &[usize]) -> Vec<usize> {
    let count: usize = sides.iter().product();
    let ones = sides.iter().fold(0, |ones, &side| ones * side + usize::from(side > 1));
    let mut seen = vec![false; count];
    let mut sequence = Vec::with_capacity(count);
    for start in 0..count {
        let mut at = start;
        while !std::mem::replace(&mut seen[at], true) {
            sequence.push(at);
            at = translated(at, ones, sides);
        }
    }
    sequence
}
