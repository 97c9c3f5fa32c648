//! The channel dependency graph, as bits: for each channel, which channels of the next node follow it.

use super::{Channel, DeadlockError};
use crate::route::Vc;
use crate::{Budget, Network, Node, Port};
use std::sync::atomic::{AtomicU64, Ordering};

/// No node.
pub const NONE: u32 = u32::MAX;

/// The links of a network by node and port, for quick steps.
#[derive(Debug)]
pub struct Links {
    /// Where the ports of each node begin in `to`; one entry more than nodes.
    first: Vec<u32>,
    to: Vec<u32>,
}

impl Links {
    /// Writes them out, or refuses before it allocates.
    pub fn new(network: &dyn Network, limits: &Budget<'_>) -> Result<Self, DeadlockError> {
        let order = network.order();
        limits.fits("the dependencies", 4 * (u128::from(order) + 1))?;
        let mut slots = 0u64;
        for at in (0..order).map(Node) {
            limits.watch.check()?;
            let mut own = 0;
            network.for_each_neighbor(at, &mut |port, _| own = u64::from(port.0) + 1);
            slots += own;
        }
        // Slots are numbered in 32 bits; more of them would not fit into a graph of dependencies either.
        let countable = slots < NONE.into() && order < NONE.into();
        let need = 4 * (u128::from(order) + 1 + u128::from(slots));
        limits.fits("the dependencies", if countable { need } else { u128::MAX })?;
        let mut first = vec![0];
        let mut to = Vec::new();
        for at in (0..order).map(Node) {
            let begin = to.len();
            network.for_each_neighbor(at, &mut |port, next| {
                to.resize(begin + port.0 as usize, NONE);
                to.push(u32::try_from(next.0).expect("fewer than 2^32 nodes"));
            });
            first.push(u32::try_from(to.len()).expect("fewer than 2^32 slots"));
        }
        Ok(Links { first, to })
    }

    /// The number of nodes.
    pub fn order(&self) -> usize {
        self.first.len() - 1
    }

    /// Ports of all nodes before this one.
    pub fn first(&self, at: usize) -> usize {
        self.first[at] as usize
    }

    /// One more than the highest port of a node.
    pub fn ports(&self, at: usize) -> usize {
        self.first(at + 1) - self.first(at)
    }

    /// Ports of all nodes.
    pub fn slots(&self) -> usize {
        self.to.len()
    }

    /// The node of a slot.
    pub fn begins(&self, slot: usize) -> usize {
        self.first.partition_point(|&first| first as usize <= slot) - 1
    }

    /// Where the slot leads, or [`NONE`].
    pub fn target(&self, slot: usize) -> u32 {
        self.to[slot]
    }

    /// Where a port leads, if it is a link.
    pub fn follow(&self, at: usize, port: Port) -> Option<usize> {
        let port = port.0 as usize;
        let next = (port < self.ports(at)).then(|| self.to[self.first(at) + port])?;
        (next != NONE).then_some(next as usize)
    }
}

/// Channels by number, and bits for what follows them. Any thread may add.
#[derive(Debug)]
pub struct Graph<'a> {
    links: &'a Links,
    vcs: usize,
    /// For each slot, the first word of its rows, one row for each virtual channel.
    rows: Vec<usize>,
    bits: Vec<AtomicU64>,
    used: Vec<AtomicU64>,
    pairs: AtomicU64,
}

/// Words for a row of so many bits.
fn words(bits: usize) -> usize {
    bits.div_ceil(64)
}

impl<'a> Graph<'a> {
    /// Without dependencies, or an error where they would not fit.
    pub fn new(links: &'a Links, vcs: u16, limits: &Budget<'_>) -> Result<Self, DeadlockError> {
        let vcs = usize::from(vcs.max(1));
        let row = |slot: usize| match links.target(slot) {
            NONE => 0,
            next => vcs * words(links.ports(next as usize) * vcs),
        };
        let all: u128 = (0..links.slots()).map(|slot| row(slot) as u128).sum();
        let channels = links.slots() as u128 * vcs as u128;
        // Rows and their offsets, and what sorting and searching keep for each channel.
        limits.fits("the dependencies", 8 * all + 8 * links.slots() as u128 + 24 * channels)?;
        let mut rows = Vec::with_capacity(links.slots());
        let mut end = 0;
        for slot in 0..links.slots() {
            rows.push(end);
            end += row(slot);
        }
        let zeros = |count: usize| (0..count).map(|_| AtomicU64::new(0)).collect();
        let used = zeros(words(links.slots() * vcs));
        Ok(Graph { links, vcs, rows, bits: zeros(end), used, pairs: AtomicU64::new(0) })
    }

    /// The number of a channel.
    pub fn index(&self, at: usize, port: Port, vc: Vc) -> usize {
        (self.links.first(at) + port.0 as usize) * self.vcs + usize::from(vc.0)
    }

    /// The channel with that number.
    pub fn channel(&self, index: usize) -> Channel {
        let slot = index / self.vcs;
        let node = self.links.begins(slot);
        Channel {
            node: Node(node as u64),
            port: Port(u32::try_from(slot - self.links.first(node)).expect("slots have 32 bits")),
            vc: Vc(u16::try_from(index % self.vcs).expect("below the virtual channels")),
        }
    }

    /// How many numbers of channels there are, used or not.
    pub fn size(&self) -> usize {
        self.links.slots() * self.vcs
    }

    /// A message takes the channel.
    pub fn take(&self, channel: usize) {
        set(&self.used, channel);
    }

    /// A message takes `next` right after `channel`; both are taken.
    pub fn depend(&self, channel: usize, next: usize) {
        let (row, first) = self.row(channel);
        set(&self.bits[row], next - first);
    }

    /// A message that holds port `port` of node `at` takes `next` after it, by its port and virtual channel, or arrives.
    /// The same as [`take`](Graph::take) and [`depend`](Graph::depend), without a division.
    pub fn add(&self, at: usize, (port, vc): (Port, Vc), next: Option<(Port, Vc)>) {
        let slot = self.links.first(at) + port.0 as usize;
        set(&self.used, slot * self.vcs + usize::from(vc.0));
        if let Some((port, following)) = next {
            let end = self.links.target(slot) as usize;
            let length = words(self.links.ports(end) * self.vcs);
            let begin = self.rows[slot] + usize::from(vc.0) * length;
            let bit = port.0 as usize * self.vcs + usize::from(following.0);
            set(&self.bits[begin..begin + length], bit);
        }
    }

    /// Gives every node what was added at the node that stands for it, which has the same ports.
    pub fn copy(&self, least: &[u32]) {
        for (at, &from) in least.iter().enumerate().filter(|&(at, &from)| at != from as usize) {
            let from = from as usize;
            for port in 0..self.links.ports(at) {
                let (slot, other) = (self.links.first(at) + port, self.links.first(from) + port);
                for vc in 0..self.vcs {
                    let (channel, known) = (slot * self.vcs + vc, other * self.vcs + vc);
                    if !is_set(&self.used, known) {
                        continue;
                    }
                    set(&self.used, channel);
                    let rows = self.row(channel).0.zip(self.row(known).0);
                    for (to, from) in rows {
                        self.bits[to]
                            .store(self.bits[from].load(Ordering::Relaxed), Ordering::Relaxed);
                    }
                }
            }
        }
    }

    /// So many more pairs are routed.
    pub fn route(&self, pairs: u64) {
        self.pairs.fetch_add(pairs, Ordering::Relaxed);
    }

    /// The words of a channel's row, and the channel that its first bit stands for.
    fn row(&self, channel: usize) -> (std::ops::Range<usize>, usize) {
        let (slot, vc) = (channel / self.vcs, channel % self.vcs);
        let next = self.links.target(slot);
        if next == NONE {
            return (0..0, 0);
        }
        let next = next as usize;
        let length = words(self.links.ports(next) * self.vcs);
        let begin = self.rows[slot] + vc * length;
        (begin..begin + length, self.links.first(next) * self.vcs)
    }

    /// The channels that follow one, ascending.
    pub fn following(&self, channel: usize) -> impl Iterator<Item = usize> + '_ {
        let (row, first) = self.row(channel);
        ones(&self.bits[row]).map(move |bit| first + bit)
    }

    /// All channels that are used, ascending.
    pub fn taken(&self) -> impl Iterator<Item = usize> + '_ {
        ones(&self.used)
    }

    /// How many channels are used.
    pub fn channels(&self) -> u64 {
        count(&self.used)
    }

    /// How many dependencies there are.
    pub fn dependencies(&self) -> u64 {
        count(&self.bits)
    }

    /// How many pairs are routed.
    pub fn pairs(&self) -> u64 {
        self.pairs.load(Ordering::Relaxed)
    }

    /// One more than the highest virtual channel in use.
    pub fn vcs_used(&self) -> u16 {
        let highest = self.taken().map(|channel| channel % self.vcs + 1).max();
        u16::try_from(highest.unwrap_or(0)).expect("at most the virtual channels there are")
    }

    /// All channels that are used in topological order; or those that cannot be sorted, ascending.
    ///
    /// Sorted by the longest chain of dependencies that leads to a channel, then by number. Channels that automorphisms
    /// join have chains of the same length, so that they stand together between those before and those after them.
    pub fn order(&self) -> Result<Vec<usize>, Vec<usize>> {
        let mut before = vec![0u32; self.size()];
        for next in self.taken().flat_map(|channel| self.following(channel)) {
            before[next] += 1;
        }
        let mut ready: Vec<usize> = self.taken().filter(|&channel| before[channel] == 0).collect();
        let mut order = Vec::new();
        while !ready.is_empty() {
            let first = order.len();
            order.append(&mut ready);
            for next in order[first..].iter().flat_map(|&channel| self.following(channel)) {
                before[next] -= 1;
                if before[next] == 0 {
                    ready.push(next);
                }
            }
            ready.sort_unstable();
        }
        let stuck: Vec<usize> = self.taken().filter(|&channel| before[channel] > 0).collect();
        if stuck.is_empty() { Ok(order) } else { Err(stuck) }
    }
}

/// Sets a bit; a look first, since most are set already and writing would take the line from other threads.
fn set(words: &[AtomicU64], bit: usize) {
    if !is_set(words, bit) {
        words[bit / 64].fetch_or(1 << (bit % 64), Ordering::Relaxed);
    }
}

fn is_set(words: &[AtomicU64], bit: usize) -> bool {
    words[bit / 64].load(Ordering::Relaxed) >> (bit % 64) & 1 == 1
}

fn count(words: &[AtomicU64]) -> u64 {
    words.iter().map(|word| u64::from(word.load(Ordering::Relaxed).count_ones())).sum()
}

/// The bits that are set, ascending.
fn ones(words: &[AtomicU64]) -> impl Iterator<Item = usize> + '_ {
    words.iter().enumerate().flat_map(|(index, word)| {
        let mut rest = word.load(Ordering::Relaxed);
        std::iter::from_fn(move || {
            let bit = rest.trailing_zeros() as usize;
            (rest != 0).then(|| {
                rest &= rest - 1;
                index * 64 + bit
            })
        })
    })
}
