//! The channel dependency graph, as bits: for each channel, which channels of the next node follow it.

use super::{Channel, DeadlockError};
use crate::route::Vc;
use nestnet_graph::{Budget, Network, Node, Port};
use serde::{Deserialize, Serialize};
use std::ops::Range;

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

/// Where the bits of every channel are: its own, and a row of those that may follow it.
#[derive(Debug)]
pub struct Layout {
    pub links: Links,
    vcs: usize,
    /// For each slot the first word of its rows, one row for each virtual channel; one entry more than slots.
    rows: Vec<usize>,
}

/// What was seen on some routes: which channels are taken, and which of them right after which.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Explored {
    /// A bit for each channel; nothing where no route was looked at.
    #[serde(with = "hexadecimal")]
    used: Vec<u64>,
    /// For each channel a row of bits, one for each channel of the next node.
    #[serde(with = "hexadecimal")]
    after: Vec<u64>,
    /// How many pairs are routed.
    pairs: u64,
}

/// The whole of it.
#[derive(Debug)]
pub struct Graph<'a> {
    layout: &'a Layout,
    seen: Explored,
}

/// Words for a row of so many bits.
fn words(bits: usize) -> usize {
    bits.div_ceil(64)
}

impl Layout {
    /// Places for all channels, or an error where what is seen of them would not fit.
    pub fn new(links: Links, vcs: u16, limits: &Budget<'_>) -> Result<Self, DeadlockError> {
        let vcs = usize::from(vcs.max(1));
        let row = |slot: usize| match links.target(slot) {
            NONE => 0,
            next => vcs * words(links.ports(next as usize) * vcs),
        };
        let all: u128 = (0..links.slots()).map(|slot| row(slot) as u128).sum();
        let channels = links.slots() as u128 * vcs as u128;
        // Rows and their offsets, and what sorting and searching keep for each channel.
        limits.fits("the dependencies", 8 * all + 8 * links.slots() as u128 + 24 * channels)?;
        let mut rows = Vec::with_capacity(links.slots() + 1);
        let mut end = 0;
        rows.push(end);
        for slot in 0..links.slots() {
            end += row(slot);
            rows.push(end);
        }
        Ok(Layout { links, vcs, rows })
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
    fn size(&self) -> usize {
        self.links.slots() * self.vcs
    }

    /// The words of all rows.
    fn end(&self) -> usize {
        self.rows.last().copied().unwrap_or(0)
    }

    /// The words of all that may be seen.
    pub fn words(&self) -> usize {
        words(self.size()) + self.end()
    }

    /// Room for all that may be seen.
    pub fn blank(&self) -> Explored {
        Explored { used: vec![0; words(self.size())], after: vec![0; self.end()], pairs: 0 }
    }

    /// The words of a channel's row, and the channel that its first bit represents.
    fn row(&self, channel: usize) -> (Range<usize>, usize) {
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

    /// Whether it can be what was seen here, where `stands` is the node at which things are noted that are seen at
    /// another: only channels that there are, and only taken ones after others.
    pub fn holds(&self, seen: &Explored, stands: impl Fn(usize) -> usize) -> bool {
        let is_taken = |channel: usize| {
            let Channel { node, port, vc } = self.channel(channel);
            let noted = usize::try_from(node.0).map(|at| self.index(stands(at), port, vc));
            noted.is_ok_and(|noted| is_set(&seen.used, noted))
        };
        let keeps = |channel: usize| {
            let (row, first) = self.row(channel);
            let next = self.links.target(channel / self.vcs);
            let ports = if next == NONE { 0 } else { self.links.ports(next as usize) };
            ones(&seen.after[row]).all(|bit| bit < ports * self.vcs && is_taken(first + bit))
        };
        (seen.used.len(), seen.after.len()) == (words(self.size()), self.end())
            && ones(&seen.used).all(|channel| channel < self.size() && keeps(channel))
    }
}

impl Explored {
    /// Of no routes.
    pub const NOTHING: Explored = Explored { used: Vec::new(), after: Vec::new(), pairs: 0 };

    /// A message takes the channel.
    pub fn take(&mut self, channel: usize) {
        set(&mut self.used, channel);
    }

    /// A message takes `next` right after `channel`; both are taken.
    pub fn depend(&mut self, layout: &Layout, channel: usize, next: usize) {
        let (row, first) = layout.row(channel);
        set(&mut self.after[row], next - first);
    }

    /// A message that holds port `port` of node `at` takes `next` after it, by its port and virtual channel, or arrives.
    /// The same as [`take`](Explored::take) and [`depend`](Explored::depend), without a division.
    pub fn add(
        &mut self,
        layout: &Layout,
        at: usize,
        (port, vc): (Port, Vc),
        next: Option<(Port, Vc)>,
    ) {
        let slot = layout.links.first(at) + port.0 as usize;
        set(&mut self.used, slot * layout.vcs + usize::from(vc.0));
        if let Some((port, following)) = next {
            let end = layout.links.target(slot) as usize;
            let length = words(layout.links.ports(end) * layout.vcs);
            let begin = layout.rows[slot] + usize::from(vc.0) * length;
            let bit = port.0 as usize * layout.vcs + usize::from(following.0);
            set(&mut self.after[begin..begin + length], bit);
        }
    }

    /// So many more pairs are routed.
    pub fn route(&mut self, pairs: u64) {
        self.pairs = self.pairs.saturating_add(pairs);
    }

    /// What was seen here or there.
    pub fn join(mut self, other: Explored) -> Explored {
        if self.used.is_empty() {
            return Explored { pairs: self.pairs.saturating_add(other.pairs), ..other };
        }
        let unite = |to: &mut [u64], from: &[u64]| {
            to.iter_mut().zip(from).for_each(|(to, from)| *to |= from);
        };
        unite(&mut self.used, &other.used);
        unite(&mut self.after, &other.after);
        self.route(other.pairs);
        self
    }

    /// Gives every node what was added at the node that represents it, which has the same ports.
    pub fn copy(&mut self, layout: &Layout, least: &[u32]) {
        for (at, &from) in least.iter().enumerate().filter(|&(at, &from)| at != from as usize) {
            let from = from as usize;
            for port in 0..layout.links.ports(at) {
                let (slot, other) =
                    (layout.links.first(at) + port, layout.links.first(from) + port);
                for vc in 0..layout.vcs {
                    let (channel, known) = (slot * layout.vcs + vc, other * layout.vcs + vc);
                    if is_set(&self.used, known) {
                        set(&mut self.used, channel);
                        self.after.copy_within(layout.row(known).0, layout.row(channel).0.start);
                    }
                }
            }
        }
    }
}

impl<'a> Graph<'a> {
    /// All that was seen.
    pub fn new(layout: &'a Layout, seen: Explored) -> Self {
        Graph { layout, seen }
    }

    /// The channel with that number.
    pub fn channel(&self, index: usize) -> Channel {
        self.layout.channel(index)
    }

    /// How many numbers of channels there are, used or not.
    pub fn size(&self) -> usize {
        self.layout.size()
    }

    /// The channels that follow one, ascending.
    pub fn following(&self, channel: usize) -> impl Iterator<Item = usize> + '_ {
        let (row, first) = self.layout.row(channel);
        ones(&self.seen.after[row]).map(move |bit| first + bit)
    }

    /// All channels that are used, ascending.
    pub fn taken(&self) -> impl Iterator<Item = usize> + '_ {
        ones(&self.seen.used)
    }

    /// How many channels are used.
    pub fn channels(&self) -> u64 {
        count(&self.seen.used)
    }

    /// How many dependencies there are.
    pub fn dependencies(&self) -> u64 {
        count(&self.seen.after)
    }

    /// How many pairs are routed.
    pub fn pairs(&self) -> u64 {
        self.seen.pairs
    }

    /// One more than the highest virtual channel in use.
    pub fn vcs_used(&self) -> u16 {
        let highest = self.taken().map(|channel| channel % self.layout.vcs + 1).max();
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

fn set(words: &mut [u64], bit: usize) {
    words[bit / 64] |= 1 << (bit % 64);
}

fn is_set(words: &[u64], bit: usize) -> bool {
    words[bit / 64] >> (bit % 64) & 1 == 1
}

fn count(words: &[u64]) -> u64 {
    words.iter().map(|word| u64::from(word.count_ones())).sum()
}

/// The bits that are set, ascending.
fn ones(words: &[u64]) -> impl Iterator<Item = usize> + '_ {
    words.iter().enumerate().flat_map(|(index, &word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            let bit = rest.trailing_zeros() as usize;
            (rest != 0).then(|| {
                rest &= rest - 1;
                index * 64 + bit
            })
        })
    })
}

/// Many bits as text: sixteen digits for a word, which is shorter and quicker than a list of numbers.
mod hexadecimal {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    const DIGITS: &[u8; 16] = b"0123456789abcdef";

    /// All words in one text.
    pub fn serialize<S: Serializer>(words: &[u64], to: S) -> Result<S::Ok, S::Error> {
        let digits =
            |word: u64| (0..16).rev().map(move |at| DIGITS[(word >> (4 * at) & 15) as usize]);
        let text = words.iter().flat_map(|&word| digits(word)).map(char::from).collect::<String>();
        to.serialize_str(&text)
    }

    /// The words of a text.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u64>, D::Error> {
        let text = String::deserialize(from)?;
        let word = |digits: &[u8]| {
            let digits = str::from_utf8(digits).ok().filter(|digits| digits.len() == 16)?;
            u64::from_str_radix(digits, 16).ok()
        };
        let words: Option<Vec<u64>> = text.as_bytes().chunks(16).map(word).collect();
        words.ok_or_else(|| D::Error::custom("expected words of sixteen hexadecimal digits"))
    }

    #[cfg(test)]
    mod tests {
        fn read(json: &str) -> Result<Vec<u64>, serde_json::Error> {
            super::deserialize(&mut serde_json::Deserializer::from_str(json))
        }

        #[test]
        fn words_are_read_as_they_are_written() {
            let words = [0, 1, 0x0123_4567_89ab_cdef, u64::MAX];
            let mut json = Vec::new();
            super::serialize(&words, &mut serde_json::Serializer::new(&mut json)).unwrap();
            let json = String::from_utf8(json).unwrap();
            assert!(
                json.starts_with("\"000000000000000000000000000000010123456789abcdef"),
                "{json}"
            );
            assert_eq!(read(&json).unwrap(), words);
            assert!(read("\"\"").unwrap().is_empty());
            for broken in
                ["\"0\"", "\"000000000000000g\"", "\"00000000000000000\"", "[0]", "\"äääääääää\""]
            {
                assert!(read(broken).is_err(), "{broken}");
            }
        }
    }
}
