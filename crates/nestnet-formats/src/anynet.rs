//! anynet, the network file of BookSim2: one line a router, with its nodes and the routers it is linked to.
//!
//! What its reader does decides what is written: only lines that begin with `router`; a latency counts for one direction,
//! so that both lines state it; none after a `node`, where it would become a link; one space between words; nodes
//! counted from 0. A latency is in cycles, of a nanosecond each; one that is not stated is 1, and 0 is read as 1.

use super::lines::{Word, check_text, lines};
use super::mark::Mark;
use super::reading::{Hosts, MAX_NODE, Reading, Remark, number_at};
use super::writing::{Writing, put};
use super::{Format, ReadError, Says, WriteError};
use std::collections::{BTreeSet, HashMap};
use std::io::Write;

/// The row of this format.
pub(super) const FORMAT: Format = Format {
    name: "anynet",
    title: "anynet: BookSim2",
    extensions: &["anynet"],
    says: Says {
        hosts: true,
        latency: true,
        one_host_each: false,
        host_links: false,
        width: false,
        cycles: true,
        ..Says::LINKS
    },
    streams: true,
    write: Some(write),
    read: Some(read),
    sniff: |text| {
        // A list of links may have nodes of that name.
        let rest = text.strip_prefix(b"router ").or_else(|| text.strip_prefix(b"node "));
        rest.is_some_and(|rest| rest.first().is_some_and(u8::is_ascii_digit))
            && (super::contains(text, b" router ") || super::contains(text, b" node "))
    },
};

fn write(writing: &Writing<'_>, output: &mut dyn Write) -> Result<(), WriteError> {
    writing.simple().each_node(output, &|at, found, out| {
        put!(out, "router ", at);
        for &host in &found.hosts {
            put!(out, " node ", host);
        }
        for link in &found.links {
            put!(out, " router ", link.to);
            if let Some(latency) = writing.latency(link.level) {
                put!(out, " ", latency.cycles());
            }
        }
        put!(out, "\n");
    })?;
    Ok(output.flush()?)
}

/// Reads routers and nodes. Where every router has the node of its own number and no other, routers are the hosts.
pub fn read(text: &[u8]) -> Result<Reading, ReadError> {
    check_text(text, "an anynet file")?;
    let mut parts =
        Parts { text, links: Vec::new(), above: Vec::new(), routers: 0, is_node_slow: false };
    for line in lines(text) {
        parts.line(line.words())?;
    }
    parts.finish()
}

/// What has been read so far.
struct Parts<'a> {
    text: &'a [u8],
    /// From, to, and the cycles in that direction, if they are said.
    links: Vec<(u32, u32, Option<u16>)>,
    /// Each node and its router, and where that is said.
    above: Vec<(u32, u32, usize)>,
    /// One more than the largest router.
    routers: u64,
    /// Whether a latency stands behind a node.
    is_node_slow: bool,
}

/// What a line is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Router,
    Node,
}

impl Parts<'_> {
    fn kind(&self, word: Word<'_>) -> Result<Kind, ReadError> {
        match word.bytes {
            b"router" => Ok(Kind::Router),
            b"node" => Ok(Kind::Node),
            other => {
                Err(ReadError::expected(self.text, word.at, other.len(), "`router` or `node`"))
            }
        }
    }

    fn id<'w>(
        &self,
        words: &mut impl Iterator<Item = Word<'w>>,
        after: Word<'_>,
    ) -> Result<(usize, u32), ReadError> {
        let expected = "a number";
        let end = after.at + after.bytes.len();
        let word = words.next().ok_or_else(|| ReadError::expected(self.text, end, 0, expected))?;
        let id = number_at(self.text, word.at, word.bytes, expected, MAX_NODE - 1)?;
        Ok((word.at, u32::try_from(id).unwrap_or(u32::MAX)))
    }

    fn line<'w>(&mut self, words: impl Iterator<Item = Word<'w>>) -> Result<(), ReadError> {
        let mut words = words.peekable();
        let Some(first) = words.next() else { return Ok(()) };
        let head = self.kind(first)?;
        let (_, id) = self.id(&mut words, first)?;
        if head == Kind::Router {
            self.routers = self.routers.max(u64::from(id) + 1);
        }
        while let Some(word) = words.next() {
            let kind = self.kind(word)?;
            let (at, other) = self.id(&mut words, word)?;
            match (head, kind) {
                (Kind::Router, Kind::Router) => {
                    if other == id {
                        let at = Mark::of(self.text, at);
                        return Err(ReadError::Loop { at, node: id.to_string() });
                    }
                    self.routers = self.routers.max(u64::from(other) + 1);
                    self.links.push((id, other, None));
                }
                (Kind::Router, Kind::Node) => self.above.push((other, id, at)),
                (Kind::Node, Kind::Router) => {
                    self.routers = self.routers.max(u64::from(other) + 1);
                    self.above.push((id, other, at));
                }
                (Kind::Node, Kind::Node) => {
                    let (at, why) = (Mark::of(self.text, at), "a node has a router");
                    return Err(ReadError::Refused { at, what: "a link between nodes", why });
                }
            }
            if let Some(latency) =
                words.next_if(|word| word.bytes.first().is_some_and(u8::is_ascii_digit))
            {
                let most = u64::from(u16::MAX);
                let cycles = number_at(self.text, latency.at, latency.bytes, "a latency", most)?;
                match self.links.last_mut().filter(|_| (head, kind) == (Kind::Router, Kind::Router))
                {
                    Some(link) => link.2 = u16::try_from(cycles.max(1)).ok(),
                    None => self.is_node_slow |= cycles > 1,
                }
            }
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Reading, ReadError> {
        let expected = "lines such as `router 0 node 0 router 1`";
        if self.routers == 0 {
            return Err(ReadError::Empty { expected });
        }
        let mut remarks = Vec::new();
        if self.is_node_slow {
            remarks.push(Remark::PassedOver("latencies of nodes"));
        }
        self.above.sort_unstable();
        self.above.dedup_by_key(|&mut (node, router, _)| (node, router));
        for (number, &(node, _, at)) in (0..).zip(&self.above) {
            if node < number {
                return Err(super::collect::twice(self.text, at, &format!("node {node}")));
            }
            if node > number {
                return Err(super::collect::no_node(
                    self.text,
                    at,
                    format!("node {number}").as_bytes(),
                ));
            }
        }
        let hosts = self.above.len() as u64;
        let own = self.above.iter().all(|&(node, router, _)| node == router);
        if own && hosts == self.routers {
            let timed = Timed::of(&self.links, 0, &mut remarks);
            return Ok(timed.reading(self.routers, remarks));
        }
        let most = MAX_NODE + 1;
        if hosts + self.routers > most {
            let text = (hosts + self.routers).to_string();
            let at = Mark::of(self.text, self.text.len());
            return Err(ReadError::TooLarge { at, what: "the number of nodes", text, most });
        }
        // Nodes first, then routers, as every network has its hosts.
        let shift = u32::try_from(hosts).unwrap_or(u32::MAX);
        for link in &mut self.links {
            (link.0, link.1) = (link.0 + shift, link.1 + shift);
        }
        let beside = self.above.iter().map(|&(node, router, _)| (node, router + shift, Some(1)));
        self.links.extend(beside);
        let timed = Timed::of(&self.links, hosts, &mut remarks);
        let marked = Hosts::Marked(vec![true; self.above.len()]);
        Ok(Reading { hosts: marked, ..timed.reading(hosts + self.routers, remarks) })
    }
}

/// Links with their levels: those of a level have the same latency, the lowest first.
#[derive(Default)]
struct Timed {
    links: Vec<(u32, u32)>,
    levels: Vec<u16>,
    returning: Vec<u16>,
    latencies: Vec<u16>,
}

impl Timed {
    /// A direction of which no line states a latency takes one cycle; of several lines the last counts. Links of the first
    /// `hosts` nodes take as long in both directions. O(links · log links).
    fn of(given: &[(u32, u32, Option<u16>)], hosts: u64, remarks: &mut Vec<Remark>) -> Self {
        let mut links: Vec<(u32, u32)> = given.iter().map(|&(a, b, _)| (a, b)).collect();
        let is_router = |node: u32| u64::from(node) >= hosts;
        let between = given.iter().filter(|&&(a, ..)| is_router(a));
        if between.clone().all(|link| link.2.is_none()) {
            return Timed { links, ..Timed::default() };
        }
        let said: HashMap<(u32, u32), u16> =
            between.filter_map(|&(a, b, cycles)| Some(((a, b), cycles?))).collect();
        let cycles = |from, to| said.get(&(from, to)).copied().unwrap_or(1);
        // One line a link, whichever end has it.
        links.iter_mut().filter(|link| link.0 > link.1 && is_router(link.1)).for_each(|link| {
            (link.0, link.1) = (link.1, link.0);
        });
        links.sort_unstable();
        links.dedup();
        let both = links.iter().flat_map(|&(a, b)| [cycles(a, b), cycles(b, a)]);
        let latencies: Vec<u16> = both.collect::<BTreeSet<_>>().into_iter().collect();
        if latencies == [1] {
            return Timed { links, ..Timed::default() };
        }
        let level = |from, to| {
            let level = latencies.partition_point(|&lower| lower < cycles(from, to));
            u16::try_from(level).unwrap_or(u16::MAX)
        };
        let levels = links.iter().map(|&(a, b)| level(a, b)).collect();
        let returning = links.iter().map(|&(a, b)| level(b, a)).collect();
        if links.iter().any(|&(a, b)| cycles(a, b) != cycles(b, a)) {
            remarks.push(Remark::LatenciesDiffer);
        }
        Timed { links, levels, returning, latencies }
    }

    fn reading(self, nodes: u64, remarks: Vec<Remark>) -> Reading {
        let Timed { links, levels, returning, latencies } = self;
        Reading { nodes, links, levels, returning, latencies, remarks, ..Reading::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nestnet_graph::{Budget, Network, Node};
    use std::sync::Arc;

    fn network(text: &str) -> (Arc<dyn Network>, Vec<Remark>) {
        read(text.as_bytes()).unwrap().network(None, &Budget::default()).unwrap()
    }

    /// Cycles from one router to another.
    fn cycles(network: &dyn Network, from: u64, to: u64) -> u16 {
        let mut found = None;
        network.for_each_neighbor(Node(from), &mut |port, other| {
            if other == Node(to) {
                let latency = network.latencies()[usize::from(network.level(Node(from), port))];
                assert_eq!(found.replace(latency), None, "one link");
            }
        });
        found.unwrap()
    }

    #[test]
    fn a_latency_counts_in_the_direction_of_its_line() {
        let text = "router 0 node 0 router 1 5 router 2 9\nrouter 1 node 1 router 0 5 router 2 7\n\
                    router 2 node 2 router 1 7\n";
        let (three, remarks) = network(text);
        assert_eq!((three.order(), three.hosts()), (3, 3));
        assert_eq!(three.latencies(), [1, 5, 7, 9]);
        assert_eq!((cycles(&*three, 0, 1), cycles(&*three, 1, 0)), (5, 5));
        assert_eq!((cycles(&*three, 1, 2), cycles(&*three, 2, 1)), (7, 7));
        // No line states the way back.
        assert_eq!((cycles(&*three, 0, 2), cycles(&*three, 2, 0)), (9, 1));
        assert_eq!(remarks, [Remark::LatenciesDiffer]);
    }

    #[test]
    fn hosts_are_beside_their_routers() {
        let text = "router 0 node 0 node 1 router 1 4\nrouter 1 node 2 router 0 4\n";
        let (two, remarks) = network(text);
        assert_eq!((two.order(), two.hosts(), two.latencies()), (5, 3, vec![1, 4]));
        assert_eq!((cycles(&*two, 3, 4), cycles(&*two, 4, 3)), (4, 4));
        assert_eq!((cycles(&*two, 0, 3), cycles(&*two, 3, 0)), (1, 1));
        assert!(remarks.is_empty());
        // Latencies of one cycle are none.
        let (plain, _) = network("router 0 node 0 router 1 1\nrouter 1 node 1 router 0 1\n");
        assert!(plain.latencies().is_empty() && plain.levels() == 1);
        let (_, remarks) = network("router 0 node 0 3 router 1\nrouter 1 node 1\n");
        assert_eq!(remarks, [Remark::PassedOver("latencies of nodes")]);
    }

    #[test]
    fn what_is_read_is_written_again() {
        let text = "router 0 node 0 router 1 5 router 2 9\nrouter 1 node 1 router 0 5 router 2 1\n\
                    router 2 node 2 router 0 9 router 1 1\n";
        let (three, _) = network(text);
        let costs = crate::costs::Costs::NONE;
        let writing = Writing::new("three", &*three, &costs, Budget::default()).unwrap();
        let mut written = Vec::new();
        write(&writing, &mut written).unwrap();
        assert_eq!(String::from_utf8(written).unwrap(), text);
    }
}
