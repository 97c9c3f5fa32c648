//! What of a network is written into a file: switches with their hosts, links with their levels, and what they cost?
//!
//! Where every host has one link, and that to a switch, the *nodes* of a file are the switches, and hosts hang at them.
//! Elsewhere hosts also forward; then all nodes are nodes of the file, and each that is a host has one host: itself.

use super::WriteError;
use super::costs::{Bandwidth, Costs, Latency, Links};
use nestnet_graph::{Budget, Network, Node, Port};
use rayon::prelude::*;
use std::io::Write;

/// A network to be written, seen as its nodes, which forward, and their hosts.
#[derive(Clone, Copy, Debug)]
pub struct Writing<'a> {
    /// What it is called: its spec.
    pub title: &'a str,
    /// The network.
    pub network: &'a dyn Network,
    /// What its links cost.
    pub costs: &'a Costs,
    /// How far writing may go.
    pub budget: Budget<'a>,
    /// The node of the network that is node 0 here.
    first: u64,
    /// Whether hosts are numbered as the nodes are at which they hang.
    in_order: bool,
    /// Whether the levels of links are looked up.
    levels: bool,
    /// Whether a link of several cables is there as often.
    cables: bool,
}

/// One link of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// The node at the other end.
    pub to: u64,
    /// By which port of the network.
    pub port: Port,
    /// Its level, or 0 where levels are not looked up.
    pub level: u16,
    /// The place at which it arrives there, where [`Writing::each_arriving`] asks for it.
    pub place: u32,
}

/// What is found at a node, kept from one node to the next.
#[derive(Debug, Default)]
pub struct Found {
    /// Its links to other nodes, by the number of the other end.
    pub links: Vec<Link>,
    /// The numbers of its hosts, ascending.
    pub hosts: Vec<u64>,
}

/// What is said of a node or a host, by its number: appended to a text.
pub type Render<'r> = dyn Fn(u64, &mut Found, &mut Vec<u8>) + Sync + 'r;

impl<'a> Writing<'a> {
    /// Looks whether hosts hang at switches. O(hosts).
    pub fn new(
        title: &'a str,
        network: &'a dyn Network,
        costs: &'a Costs,
        budget: Budget<'a>,
    ) -> Result<Self, WriteError> {
        let hosts = network.hosts();
        let mut linked = hosts < network.order();
        let (mut last, mut in_order) = (Node(0), true);
        for host in 0..if linked { hosts } else { 0 } {
            budget.watch.check_each(host)?;
            let Some(switch) = hangs(network, Node(host)) else {
                linked = false;
                break;
            };
            in_order &= last <= switch;
            last = switch;
        }
        let first = if linked { hosts } else { 0 };
        let (in_order, levels) = (in_order || !linked, network.levels() > 1);
        Ok(Writing { title, network, costs, budget, first, in_order, levels, cables: true })
    }

    /// The same with all nodes of the network as nodes: for formats without hosts.
    #[must_use]
    pub fn plain(self) -> Self {
        Writing { first: 0, ..self }
    }

    /// The same without the levels of links: for formats without them.
    #[must_use]
    pub fn unleveled(self) -> Self {
        Writing { levels: false, ..self }
    }

    /// The same with every link once, however many cables it has.
    #[must_use]
    pub fn simple(self) -> Self {
        Writing { cables: false, ..self }
    }

    /// Whether a link has several cables. O(links), up to the first.
    pub fn has_trunks(&self) -> bool {
        let mut neighbors = Vec::new();
        (0..self.network.order()).map(Node).any(|at| {
            neighbors.clear();
            self.network.for_each_neighbor(at, &mut |_, to| neighbors.push(to));
            let count = neighbors.len();
            neighbors.sort_unstable();
            neighbors.dedup();
            neighbors.len() < count
        })
    }

    /// How many nodes the file has, without hosts that hang at them.
    pub fn nodes(&self) -> u64 {
        self.network.order() - self.first
    }

    /// How many hosts there are.
    pub fn hosts(&self) -> u64 {
        self.network.hosts()
    }

    /// Whether hosts hang at nodes by links of their own.
    pub fn has_host_links(&self) -> bool {
        self.first > 0
    }

    /// Whether hosts are numbered as the nodes are at which they hang.
    pub fn hosts_are_in_order(&self) -> bool {
        self.in_order
    }

    /// The node of the network that a node of the file is.
    pub fn node(&self, at: u64) -> Node {
        Node(self.first + at)
    }

    /// Adds its address to a text.
    pub fn put_address(&self, at: u64, out: &mut Vec<u8>) {
        self.network.put_address(self.node(at), out);
    }

    /// Whether a host that hangs at a node is called otherwise than after it, as whoever reads the nodes alone would call
    /// it. O(hosts), in parallel.
    pub(super) fn has_own_host_names(&self) -> Result<bool, WriteError> {
        if !self.has_host_links() {
            return Ok(false);
        }
        let own = |at: u64| {
            let mut found = Found::default();
            self.unleveled().find(at, &mut found);
            let switch = self.network.address(self.node(at)).to_string();
            let is_own = |(number, &host): (u32, &u64)| {
                let address = self.network.address(Node(host)).to_string();
                address != super::reading::host_name(&switch, number)
            };
            u64::from((0..).zip(&found.hosts).any(is_own))
        };
        // Mostly the first one tells.
        if own(self.node_of_host(0)) > 0 {
            return Ok(true);
        }
        Ok(self.over_nodes(&own, &|a, b| a | b)? > 0)
    }

    /// Adds the addresses of the hosts of a node to a text, as a list of JSON.
    pub(super) fn put_host_addresses(&self, found: &Found, out: &mut Vec<u8>) {
        for (i, &host) in found.hosts.iter().enumerate() {
            put!(out, if i == 0 { "[" } else { "," });
            let address = self.network.address(Node(host)).to_string();
            put!(out, &serde_json::to_string(&address).unwrap_or_default());
        }
        put!(out, "]");
    }

    /// The links and hosts of a node.
    pub fn find(&self, at: u64, found: &mut Found) {
        let Found { links, hosts } = found;
        links.clear();
        hosts.clear();
        let node = self.node(at);
        self.network.for_each_neighbor(node, &mut |port, to| match to.0.checked_sub(self.first) {
            Some(to) => links.push(Link { to, port, level: 0, place: 0 }),
            None => hosts.push(to.0),
        });
        if self.levels {
            links.iter_mut().for_each(|link| link.level = self.network.level(node, link.port));
        }
        if !links.is_sorted_by_key(|link| link.to) {
            links.sort_unstable_by_key(|link| (link.to, link.port));
        }
        if !self.cables {
            links.dedup_by_key(|link| link.to);
        }
        if self.first == 0 && at < self.network.hosts() {
            hosts.push(at);
        }
        hosts.sort_unstable();
    }

    /// How many hosts a node has: as many as [`Writing::find`] finds, without looking at its links.
    pub fn hosts_at(&self, at: u64) -> u64 {
        if !self.has_host_links() {
            return u64::from(at < self.network.hosts());
        }
        let mut hosts = 0;
        self.network.for_each_neighbor(self.node(at), &mut |_, to| {
            hosts += u64::from(to.0 < self.first);
        });
        hosts
    }

    /// How many links a node has to other nodes.
    pub fn degree(&self, at: u64) -> u64 {
        if !self.cables {
            let mut found = Found::default();
            self.unleveled().find(at, &mut found);
            return found.links.len() as u64;
        }
        let mut links = 0;
        self.network.for_each_neighbor(self.node(at), &mut |_, to| {
            links += u64::from(to.0 >= self.first);
        });
        links
    }

    /// How many links there are between nodes of the file.
    pub fn count_links(&self) -> Result<u64, WriteError> {
        Ok(self.over_nodes(&|at| self.degree(at), &|a, b| a + b)? / 2)
    }

    /// What `of` says of every node, joined: they are asked in parallel.
    pub fn over_nodes(
        &self,
        of: &(dyn Fn(u64) -> u64 + Sync),
        join: &(dyn Fn(u64, u64) -> u64 + Sync),
    ) -> Result<u64, WriteError> {
        const PIECE: u64 = 1 << 12;
        let nodes = self.nodes();
        let piece = |piece: u64| {
            self.budget.check()?;
            Ok((piece * PIECE..nodes.min((piece + 1) * PIECE)).map(of).fold(0, join))
        };
        let pieces = (0..nodes.div_ceil(PIECE)).into_par_iter().map(piece);
        let whole =
            pieces.try_reduce(|| 0, |a, b| Ok::<u64, nestnet_graph::Interrupted>(join(a, b)));
        Ok(whole?)
    }

    /// What `said` says of the links of each level, found once: it is the same for all of them.
    pub fn by_level(&self, said: impl Fn(u16) -> String) -> Vec<String> {
        (0..self.network.levels().max(1)).map(said).collect()
    }

    /// The latency of links of a level, if it is given, or the file says it from which the network was read.
    pub fn latency(&self, level: u16) -> Option<Latency> {
        if self.costs.has_latency() {
            return self.costs.latency(Links::Level(level));
        }
        let own = self.network.latencies();
        own.get(usize::from(level)).map(|&cycles| Latency::of_cycles(cycles))
    }

    /// Whether any latency is given.
    pub fn has_latency(&self) -> bool {
        self.costs.has_latency() || !self.network.latencies().is_empty()
    }

    /// The bandwidth of links of a level, if it is given.
    pub fn bandwidth(&self, level: u16) -> Option<Bandwidth> {
        self.costs.bandwidth(Links::Level(level))
    }

    /// The latency of a link of a host, if it is given.
    pub fn host_latency(&self) -> Option<Latency> {
        self.costs.latency(Links::OfHosts)
    }

    /// The bandwidth of a link of a host, if it is given.
    pub fn host_bandwidth(&self) -> Option<Bandwidth> {
        self.costs.bandwidth(Links::OfHosts)
    }

    /// Whether nodes are called by more than their numbers.
    ///
    /// The first nodes are asked, and those where hosts and switches begin and end: a family calls all of its nodes in one
    /// way, and nodes of a file that were numbered anew, hosts first, differ there if anywhere.
    pub fn has_addresses(&self) -> bool {
        const FIRST: u64 = 1 << 12;
        let (order, hosts) = (self.network.order(), self.network.hosts());
        let ends = [hosts.saturating_sub(1), hosts, order.saturating_sub(1)];
        let mut asked = (0..order.min(FIRST)).chain(ends).filter(|&at| at < order);
        asked.any(|at| self.network.address(Node(at)).as_number() != Some(at))
    }

    /// Whether the first or the last node has no link: then a list of links does not give the number of nodes.
    pub fn has_isolated(&self) -> bool {
        let last = self.network.order().saturating_sub(1);
        [0, last].into_iter().any(|at| {
            let mut links = 0;
            self.network.for_each_neighbor(Node(at), &mut |_, _| links += 1);
            links == 0
        })
    }

    /// Writes what `render` says of every node, in order. Nodes are rendered in parallel, a few thousand at a time.
    pub fn each_node(&self, output: &mut dyn Write, render: &Render<'_>) -> Result<(), WriteError> {
        self.each(self.nodes(), self.network.ports().into(), output, &|at, found, out| {
            self.find(at, found);
            render(at, found, out);
        })
    }

    /// As [`Writing::each_node`], and every link knows its place among the ends of the node at which it arrives: links
    /// in the order of where they come from, behind as many as `before` says. Four bytes a node.
    pub fn each_arriving(
        &self,
        before: &(dyn Fn(u64) -> u64 + Sync),
        output: &mut dyn Write,
        render: &Render<'_>,
    ) -> Result<(), WriteError> {
        let nodes = self.nodes();
        self.budget.fits("the places of links", 4 * u128::from(nodes))?;
        // Nodes come in order, so that the next link to arrive at a node has its next place.
        let place = |at: u64| u32::try_from(before(at)).unwrap_or(u32::MAX);
        let mut next: Vec<u32> = (0..nodes).into_par_iter().map(place).collect();
        let mut pieces: Vec<(Vec<Found>, Vec<u8>)> = Vec::new();
        pieces.resize_with(PIECES, Default::default);
        let size = self.piece(self.network.ports().into())?;
        let starts = (0..nodes).step_by(usize::try_from(size).unwrap_or(1));
        let starts: Vec<u64> = starts.collect();
        for batch in starts.chunks(PIECES) {
            self.budget.check()?;
            let range = |start: u64| start..(start + size).min(nodes);
            pieces.par_iter_mut().zip(batch).for_each(|((found, _), &start)| {
                found.resize_with(usize::try_from(size).unwrap_or(1), Found::default);
                range(start).zip(found).for_each(|(at, found)| self.find(at, found));
            });
            for ((found, _), &start) in pieces.iter_mut().zip(batch) {
                for link in range(start).zip(found).flat_map(|(_, found)| &mut found.links) {
                    if let Some(next) =
                        usize::try_from(link.to).ok().and_then(|to| next.get_mut(to))
                    {
                        link.place = *next;
                        *next += 1;
                    }
                }
            }
            pieces.par_iter_mut().zip(batch).for_each(|((found, out), &start)| {
                out.clear();
                range(start).zip(found).for_each(|(at, found)| render(at, found, out));
            });
            for ((_, out), &start) in pieces.iter().zip(batch) {
                output.write_all(out)?;
                (self.budget.watch.progress)(start as f64 / nodes as f64);
            }
        }
        Ok(())
    }

    /// The node at which a host hangs, or which it is.
    pub fn node_of_host(&self, host: u64) -> u64 {
        let mut above = host;
        if self.has_host_links() {
            self.network.for_each_neighbor(Node(host), &mut |_, to| above = to.0 - self.first);
        }
        above
    }

    /// Writes what `render` says of every host and the node at which it hangs, in order.
    pub fn each_host(
        &self,
        output: &mut dyn Write,
        render: &(dyn Fn(u64, u64, &mut Vec<u8>) + Sync),
    ) -> Result<(), WriteError> {
        self.each(self.hosts(), 1, output, &|host, _, out| {
            render(host, self.node_of_host(host), out);
        })
    }

    /// How many nodes are rendered by one thread before they are written, if each has about `width` links.
    fn piece(&self, width: u64) -> Result<u64, WriteError> {
        const LINKS: u64 = 1 << 13;
        // About two hundred characters a link.
        self.budget.fits("what is said of one node", u128::from(width) * 200)?;
        Ok((LINKS / width.max(1)).clamp(1, LINKS / 4))
    }

    /// Writes what `render` says of `0..count`, in order; `width` is about how many links it says of one.
    pub fn each(
        &self,
        count: u64,
        width: u64,
        output: &mut dyn Write,
        render: &Render<'_>,
    ) -> Result<(), WriteError> {
        let size = self.piece(width)?;
        let mut pieces: Vec<(Found, Vec<u8>)> = Vec::new();
        pieces.resize_with(PIECES, Default::default);
        for first in (0..count).step_by(usize::try_from(size * PIECES as u64).unwrap_or(1)) {
            self.budget.check()?;
            pieces.par_iter_mut().enumerate().for_each(|(piece, (found, out))| {
                out.clear();
                let start = first.saturating_add(piece as u64 * size).min(count);
                for at in start..start.saturating_add(size).min(count) {
                    render(at, found, out);
                }
            });
            for (_, out) in &pieces {
                output.write_all(out)?;
            }
            (self.budget.watch.progress)(first as f64 / count as f64);
        }
        Ok(())
    }
}

/// How many pieces of a file are in memory at once.
const PIECES: usize = 16;

/// The switch of a host that has one link, and that to a switch.
fn hangs(network: &dyn Network, host: Node) -> Option<Node> {
    let (mut links, mut above) = (0, None);
    network.for_each_neighbor(host, &mut |_, to| {
        links += 1;
        above = Some(to);
    });
    above.filter(|to| links == 1 && to.0 >= network.hosts())
}

/// A number as text, for one that is said several times.
#[derive(Clone, Copy)]
pub(super) struct Digits {
    text: [u8; Digits::MOST],
    length: usize,
}

impl Digits {
    /// Of the largest number.
    const MOST: usize = 20;

    pub(super) fn of(value: u64) -> Self {
        let mut buffer = itoa::Buffer::new();
        let digits = buffer.format(value).as_bytes();
        let mut text = [0; Digits::MOST];
        text[..digits.len()].copy_from_slice(digits);
        Digits { text, length: digits.len() }
    }

    pub(super) fn len(&self) -> usize {
        self.length
    }
}

impl Put for Digits {
    #[inline]
    fn put(self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.text[..self.length]);
    }
}

/// A number as text.
#[inline]
pub(super) fn number(out: &mut Vec<u8>, value: u64) {
    // Ports and levels, mostly.
    if let Ok(digit @ 0..10) = u8::try_from(value) {
        out.push(b'0' + digit);
        return;
    }
    out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
}

/// Pieces of text and numbers, one after the other.
macro_rules! put {
    ($out:expr, $($piece:expr),+ $(,)?) => {{
        $( $crate::writing::Put::put($piece, $out); )+
    }};
}
pub(super) use put;

/// What [`put`] takes.
pub(super) trait Put {
    /// Adds it to a text.
    fn put(self, out: &mut Vec<u8>);
}

impl Put for &str {
    #[inline]
    fn put(self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.as_bytes());
    }
}

impl Put for &String {
    #[inline]
    fn put(self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.as_bytes());
    }
}

impl Put for u64 {
    #[inline]
    fn put(self, out: &mut Vec<u8>) {
        number(out, self);
    }
}

impl Put for u32 {
    #[inline]
    fn put(self, out: &mut Vec<u8>) {
        number(out, self.into());
    }
}

impl Put for u16 {
    #[inline]
    fn put(self, out: &mut Vec<u8>) {
        number(out, self.into());
    }
}
