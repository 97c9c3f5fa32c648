//! anynet, the network file of BookSim2: one line a router, with its nodes and the routers it is linked to.
//!
//! What its reader does decides what is written: only lines that begin with `router`; a latency counts for one direction,
//! so that both lines state it; none after a `node`, where it would become a link; one space between words; nodes
//! counted from 0. A latency is in cycles, of a nanosecond each.

use super::lines::{Word, check_text, lines};
use super::mark::Mark;
use super::reading::{Hosts, MAX_NODE, Reading, Remark, number_at};
use super::writing::{Writing, put};
use super::{Format, ReadError, Says, WriteError};
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
    writing.simple().each_node(output, |at, found, out| {
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
        Parts { text, links: Vec::new(), above: Vec::new(), routers: 0, latency: false };
    for line in lines(text) {
        parts.line(line.words())?;
    }
    parts.finish()
}

/// What has been read so far.
struct Parts<'a> {
    text: &'a [u8],
    links: Vec<(u32, u32)>,
    /// Each node and its router, and where that is said.
    above: Vec<(u32, u32, usize)>,
    /// One more than the largest router.
    routers: u64,
    latency: bool,
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
                    self.links.push((id, other));
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
                number_at(self.text, latency.at, latency.bytes, "a latency", u64::MAX)?;
                self.latency = true;
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
        if self.latency {
            remarks.push(Remark::PassedOver("latencies"));
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
            let (nodes, links) = (self.routers, self.links);
            return Ok(Reading { nodes, links, remarks, ..Reading::default() });
        }
        let most = MAX_NODE + 1;
        if hosts + self.routers > most {
            let text = (hosts + self.routers).to_string();
            let at = Mark::of(self.text, self.text.len());
            return Err(ReadError::TooLarge { at, what: "the number of nodes", text, most });
        }
        // Nodes first, then routers, as every network has its hosts.
        let shift = u32::try_from(hosts).unwrap_or(u32::MAX);
        let mut links: Vec<(u32, u32)> =
            self.links.iter().map(|&(a, b)| (a + shift, b + shift)).collect();
        links.extend(self.above.iter().map(|&(node, router, _)| (node, router + shift)));
        let marked = Hosts::Marked(vec![true; self.above.len()]);
        Ok(Reading {
            nodes: hosts + self.routers,
            links,
            hosts: marked,
            remarks,
            ..Reading::default()
        })
    }
}
