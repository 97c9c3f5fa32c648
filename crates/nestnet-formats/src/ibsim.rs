//! The network file of ibsim, and what `ibnetdiscover` prints of a real fabric: switches and adapters, port by port.
//!
//! A node is a switch `S0`, `S1` …, a host an adapter `H0`, `H1` … with one port. The hosts of a switch have its first
//! ports, its links the ports behind them in the order of the other ends. A node that is a host itself is a switch with
//! one adapter; a comment in the first line says so, since the two are the same to a subnet manager.

use super::lines::{Line, utf8};
use super::mark::{Mark, shown};
use super::ports::Arrival;
use super::reading::{Cabling, Hosts, Labels, MAX_NODE, Reading, Remark, number_at};
use super::writing::{Writing, put};
use super::{Format, ReadError, Says, WriteError};
use nestnet_graph::NodeIdentifiers;
use nestnet_graph::named::Names;
use std::collections::{HashMap, HashSet};
use std::io::Write;

/// The row of this format.
pub(super) const FORMAT: Format = Format {
    name: "ibsim",
    title: "ibsim and ibnetdiscover: OpenSM and the tools of InfiniBand",
    extensions: &["net", "ibsim", "ibnetdiscover", "topo"],
    says: Says { hosts: true, addresses: true, ..Says::LINKS },
    streams: true,
    write: Some(write),
    read: Some(read),
    sniff: |text| {
        super::lines::lines(text).take(200).any(|line| {
            let starts = ["Switch", "Hca", "Ca", "vendid="].iter();
            let bytes = line.bytes;
            starts.clone().any(|start| bytes.starts_with(start.as_bytes()))
                && (bytes.contains(&b'"') || bytes.starts_with(b"vendid="))
        })
    },
};

/// Limit: ports of a switch in a file of ibsim, whose port numbers have 8 bits.
const MAX_PORTS: u64 = 255;

/// That nodes are hosts themselves.
const NODES_ARE_HOSTS: &str = "# every node is one switch and, where it is a host, its adapter";

fn write(writing: &Writing<'_>, output: &mut dyn Write) -> Result<(), WriteError> {
    let own = u64::from(!writing.has_host_links());
    let ports = u64::from(writing.network.ports()) + own;
    if ports > MAX_PORTS {
        return Err(WriteError::TooMany {
            format: "ibsim",
            what: "ports",
            count: ports,
            most: MAX_PORTS,
        });
    }
    if !writing.has_host_links() {
        writeln!(output, "{NODES_ARE_HOSTS}")?;
    }
    // Without them hosts and switches are called by their records, which is not what the network calls them.
    let addresses = writing.has_addresses() || writing.has_host_links();
    let comment = |out: &mut Vec<u8>, at: nestnet_graph::Node| {
        if addresses {
            put!(out, "\t# \"");
            writing.network.put_address(at, out);
            put!(out, "\"");
        }
        put!(out, "\n");
    };
    // Adapters first, so that the first port of the file is one of an adapter, and in order, as GUIDs are given.
    writing.each_host(output, &|host, at, out| {
        let place = Arrival::of_host(writing, host, at).place;
        put!(out, "Hca\t1 \"H", host, "\"");
        comment(out, nestnet_graph::Node(host));
        put!(out, "[1]\t\"S", at, "\"[", place + 1, "]\n\n");
    })?;
    let before = |at| writing.hosts_at(at);
    writing.unleveled().each_arriving(&before, output, &|at, found, out| {
        let hosts = found.hosts.len() as u64;
        // A switch needs a port, even where it has no link.
        put!(out, "Switch\t", (hosts + found.links.len() as u64).max(1), " \"S", at, "\"");
        comment(out, writing.node(at));
        for (port, &host) in (1u64..).zip(&found.hosts) {
            put!(out, "[", port, "]\t\"H", host, "\"[1]\n");
        }
        for (port, link) in (hosts + 1..).zip(&found.links) {
            put!(out, "[", port, "]\t\"S", link.to, "\"[", link.place + 1, "]\n");
        }
        put!(out, "\n");
    })?;
    Ok(output.flush()?)
}

/// What a record is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Switch,
    Adapter,
}

/// A name in quotes and what follows it.
fn quoted(line: &str) -> Option<(&str, &str)> {
    line.split_once('"')?.1.split_once('"')
}

/// A number to the base 16, up to what follows it.
fn hexadecimal(text: &str) -> Option<u64> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    let end = digits.find(|sign: char| !sign.is_ascii_hexdigit()).unwrap_or(digits.len());
    u64::from_str_radix(&digits[..end], 16).ok().filter(|&value| value > 0)
}

/// The local identifier that a comment says first.
fn lid(comment: &str) -> Option<u16> {
    let mut words = comment.split_whitespace().skip_while(|word| *word != "lid");
    words.nth(1)?.parse().ok().filter(|&lid| lid > 0)
}

/// What ibnetdiscover says of a node beside its links.
#[derive(Clone, Copy, Debug, Default)]
struct Described {
    guid: Option<u64>,
    /// Of the port of an adapter; the first of those in use.
    port_guid: Option<u64>,
    lid: Option<u16>,
    count: u32,
}

/// Reads switches and adapters, which are hosts, and their links; GUIDs, local identifiers and ports where all are there.
pub fn read(text: &[u8]) -> Result<Reading, ReadError> {
    let checked = utf8(text, "an ibsim file")?;
    let mut fabric = Fabric {
        text,
        ids: HashMap::new(),
        nodes: Vec::new(),
        order: Vec::new(),
        links: Vec::new(),
        joined: checked.starts_with(NODES_ARE_HOSTS),
        said: Vec::new(),
        cables: Vec::new(),
        guid: None,
    };
    let mut open = None;
    for line in super::lines::lines(text) {
        let content = &checked[line.at..line.end()];
        let first = content.trim_start();
        match first.split([' ', '\t']).next().unwrap_or_default() {
            "Switch" => open = Some(fabric.record(line, content, Kind::Switch)?),
            "Hca" | "Ca" | "Rt" | "Router" => {
                open = Some(fabric.record(line, content, Kind::Adapter)?)
            }
            _ if first.starts_with('[') => fabric.port(line, content, open)?,
            // Blank lines, comments, and what ibnetdiscover says of a node.
            "" => (),
            word if word.starts_with("switchguid=") || word.starts_with("caguid=") => {
                fabric.guid = word.split_once('=').and_then(|(_, guid)| hexadecimal(guid));
            }
            word if word.starts_with('#') || word.contains('=') || word == "DR" => (),
            word => {
                let at = line.at + (content.len() - first.len());
                let expected = "`Switch`, `Hca` or a port in brackets";
                return Err(ReadError::expected(text, at, word.len(), expected));
            }
        }
    }
    fabric.finish()
}

/// What has been read so far.
struct Fabric<'a> {
    text: &'a [u8],
    /// The number of each node by its name.
    ids: HashMap<&'a str, u32>,
    /// What each is, and what it is called besides; nothing before its record came.
    nodes: Vec<(Option<Kind>, &'a str, usize)>,
    /// Nodes in the order of their records; ports may name them before.
    order: Vec<u32>,
    links: Vec<(u32, u32)>,
    joined: bool,
    /// What is said of each node.
    said: Vec<Described>,
    /// The node and the port at both ends of each cable.
    cables: Vec<[(u32, u32); 2]>,
    /// The GUID of the next record.
    guid: Option<u64>,
}

impl<'a> Fabric<'a> {
    fn id(&mut self, name: &'a str, at: usize) -> Result<u32, ReadError> {
        if let Some(&id) = self.ids.get(name) {
            return Ok(id);
        }
        let id = u32::try_from(self.nodes.len()).ok().filter(|&id| u64::from(id) < MAX_NODE);
        let id = id.ok_or_else(|| ReadError::TooLarge {
            at: Mark::of(self.text, at),
            what: "the number of nodes",
            text: self.nodes.len().to_string(),
            most: MAX_NODE,
        })?;
        self.ids.insert(name, id);
        self.nodes.push((None, name, at));
        self.said.push(Described::default());
        Ok(id)
    }

    /// The line that begins a record.
    fn record(&mut self, line: Line<'a>, content: &'a str, kind: Kind) -> Result<u32, ReadError> {
        let ports = line.words().nth(1);
        let ports = ports
            .ok_or_else(|| ReadError::expected(self.text, line.end(), 0, "a number of ports"))?;
        let count = number_at(self.text, ports.at, ports.bytes, "a number of ports", MAX_PORTS)?;
        let Some((name, rest)) = quoted(content) else {
            return Err(ReadError::expected(self.text, line.end(), 0, "a name in quotes"));
        };
        let at = line.at + content.find('"').unwrap_or(0);
        if name.is_empty() || name.chars().any(char::is_control) {
            return Err(ReadError::expected(self.text, at, name.len() + 2, "a name"));
        }
        let id = self.id(name, at)?;
        let node = &mut self.nodes[id as usize];
        if node.0.is_some() {
            return Err(super::collect::twice(self.text, at, name));
        }
        // What a comment has in quotes is the name that people gave.
        let known = rest.split_once('#').and_then(|(_, comment)| quoted(comment));
        let known = known.map(|(known, _)| known).filter(|known| !known.trim().is_empty());
        *node = (Some(kind), known.unwrap_or(name), at);
        let guid = self.guid.take();
        let of_name = || hexadecimal(name.strip_prefix("S-").or(name.strip_prefix("H-"))?);
        let guid = guid.or_else(of_name);
        let said = &mut self.said[id as usize];
        said.guid = guid;
        said.count = u32::try_from(count).unwrap_or(u32::MAX);
        if kind == Kind::Switch {
            said.port_guid = guid;
            let comment = rest.split_once('#').map_or("", |(_, comment)| comment);
            said.lid = lid(quoted(comment).map_or(comment, |(_, behind)| behind));
        }
        self.order.push(id);
        Ok(id)
    }

    /// A line of a port.
    fn port(
        &mut self,
        line: Line<'a>,
        content: &'a str,
        open: Option<u32>,
    ) -> Result<(), ReadError> {
        let start = content.len() - content.trim_start().len();
        let Some(from) = open else {
            return Err(ReadError::expected(
                self.text,
                line.at + start,
                3,
                "`Switch` or `Hca` before a port",
            ));
        };
        let close = content
            .find(']')
            .ok_or_else(|| ReadError::expected(self.text, line.end(), 0, "`]`"))?;
        let port = &content.as_bytes()[start + 1..close];
        let port = number_at(self.text, line.at + start + 1, port, "a port", MAX_PORTS)?;
        let before = content.split('#').next().unwrap_or_default();
        let Some((name, behind)) = quoted(before) else {
            // A port that leads nowhere, unless a name is there without its quotes.
            let rest = before.get(close + 1..).unwrap_or_default();
            return match rest.contains('[') {
                true => {
                    let at = line.at + close + 1 + (rest.len() - rest.trim_start().len());
                    let length = rest.trim().len();
                    Err(ReadError::expected(self.text, at, length, "a name in quotes"))
                }
                false => Ok(()),
            };
        };
        let at = line.at + content.find('"').unwrap_or(0);
        let to = self.id(name, at)?;
        if to == from {
            return Err(ReadError::Loop {
                at: Mark::of(self.text, at),
                node: shown(name.as_bytes()),
            });
        }
        self.links.push((from, to));
        if let Some(back) = behind.trim().strip_prefix('[').and_then(|rest| rest.split_once(']'))
            && let (Ok(port), Ok(back)) = (u32::try_from(port), back.0.parse())
        {
            self.cables.push([(from, port), (to, back)]);
        }
        if self.nodes[from as usize].0 == Some(Kind::Adapter) {
            let said = &mut self.said[from as usize];
            let guid = before[close + 1..].strip_prefix('(').and_then(hexadecimal);
            said.port_guid = said.port_guid.or(guid);
            let comment = content.split_once('#').map_or("", |(_, comment)| comment);
            // Behind the name it is that of the other end.
            said.lid = said.lid.or_else(|| lid(comment.split('"').next().unwrap_or_default()));
        }
        Ok(())
    }

    /// Numbers nodes by their records.
    fn in_order(&mut self) {
        let mut numbers = vec![0; self.nodes.len()];
        for (number, &id) in (0..).zip(&self.order) {
            numbers[id as usize] = number;
        }
        self.nodes = self.order.iter().map(|&id| self.nodes[id as usize]).collect();
        self.said = self.order.iter().map(|&id| self.said[id as usize]).collect();
        for (node, _) in self.cables.iter_mut().flatten() {
            *node = numbers[*node as usize];
        }
        self.ids.values_mut().for_each(|id| *id = numbers[*id as usize]);
        for (a, b) in &mut self.links {
            (*a, *b) = (numbers[*a as usize], numbers[*b as usize]);
        }
    }

    fn finish(mut self) -> Result<Reading, ReadError> {
        // Where nodes are switches, adapters alone are none.
        let is_node =
            |(kind, ..): &(Option<Kind>, _, _)| !(self.joined && *kind == Some(Kind::Adapter));
        if !self.nodes.iter().any(is_node) {
            return Err(ReadError::Empty { expected: "records such as `Switch 4 \"S0\"`" });
        }
        if let Some((_, name, at)) = self.nodes.iter().find(|(kind, ..)| kind.is_none()) {
            return Err(super::collect::no_node(self.text, *at, name.as_bytes()));
        }
        self.in_order();
        if self.joined {
            return self.joined();
        }
        let cabling = self.cabling();
        let mut names = Names::default();
        self.called(|_| true).into_iter().for_each(|(_, name)| {
            names.id(name);
        });
        let marked = self.nodes.iter().map(|(kind, ..)| *kind == Some(Kind::Adapter)).collect();
        let mut reading = Reading::named(names);
        reading.links = self.links;
        reading.hosts = Hosts::Marked(marked);
        reading.cabling = cabling;
        if reading.cabling.is_none() {
            reading.remark(Remark::PassedOver("numbers of ports"));
        }
        Ok(reading)
    }

    /// What the fabric calls its nodes and ports, where all of it is known and tells them apart, and adapters have one
    /// port in use.
    fn cabling(&self) -> Option<Cabling> {
        let node = |((_, name, _), said): (&(_, &str, _), &Described)| {
            Some(NodeIdentifiers {
                name: (*name).to_owned(),
                guid: said.guid?,
                port_guid: said.port_guid?,
                lid: said.lid?,
                count: said.count,
                ports: Vec::new(),
            })
        };
        let nodes = self.nodes.iter().zip(&self.said).map(node).collect::<Option<Vec<_>>>()?;
        let lids: HashSet<u16> = nodes.iter().map(|node| node.lid).collect();
        let guids: HashSet<u64> = nodes.iter().map(|node| node.port_guid).collect();
        let cables = self.cables.clone();
        let mut used = vec![HashSet::new(); nodes.len()];
        for &(node, port) in cables.iter().flatten() {
            used[node as usize].insert(port);
        }
        let has_one_port = |(kind, ports): (&(Option<Kind>, _, _), &HashSet<u32>)| match kind.0 {
            Some(Kind::Adapter) => ports.len() == 1,
            _ => true,
        };
        let is_complete = lids.len() == nodes.len()
            && guids.len() == nodes.len()
            && cables.len() == self.links.len()
            && self.nodes.iter().zip(&used).all(has_one_port);
        is_complete.then_some(Cabling { nodes, cables })
    }

    /// The nodes of some kinds and how they are called: as people call them, unless two are alike.
    fn called(&self, is_kept: impl Fn(Kind) -> bool) -> Vec<(usize, &'a str)> {
        let mut by_record = vec![""; self.nodes.len()];
        self.ids.iter().for_each(|(&name, &id)| by_record[id as usize] = name);
        let nodes = self.nodes.iter().enumerate();
        let kept = nodes.filter(|(_, (kind, ..))| kind.is_some_and(&is_kept));
        let by_people: Vec<(usize, &str)> = kept.map(|(id, (_, name, _))| (id, *name)).collect();
        let different: HashSet<&str> = by_people.iter().map(|(_, name)| *name).collect();
        if different.len() == by_people.len() {
            return by_people;
        }
        by_people.into_iter().map(|(id, _)| (id, by_record[id])).collect()
    }

    /// The file of a network whose nodes are hosts themselves.
    fn joined(self) -> Result<Reading, ReadError> {
        let is_switch = |id: u32| self.nodes[id as usize].0 == Some(Kind::Switch);
        let mut numbers = vec![0; self.nodes.len()];
        let mut names = Names::default();
        let mut plain = true;
        for (id, name) in self.called(|kind| kind == Kind::Switch) {
            // There are no more names than records, and those are counted.
            let number = names.id(name).unwrap_or(u32::MAX);
            plain &= name == format!("S{number}");
            numbers[id] = number;
        }
        let mut marked = vec![false; usize::try_from(names.len()).unwrap_or(0)];
        let mut links = Vec::new();
        for &(a, b) in &self.links {
            match (is_switch(a), is_switch(b)) {
                (true, true) => links.push((numbers[a as usize], numbers[b as usize])),
                (true, false) => marked[numbers[a as usize] as usize] = true,
                (false, true) => marked[numbers[b as usize] as usize] = true,
                (false, false) => {
                    let at = Mark::of(self.text, self.nodes[a as usize].2);
                    let why = "the first line says that nodes are switches";
                    return Err(ReadError::Refused { at, what: "a link between adapters", why });
                }
            }
        }
        let mut reading = Reading::named(names);
        if plain {
            reading.labels = Labels::Numbers;
        }
        reading.links = links;
        if marked.contains(&false) {
            reading.hosts = Hosts::Marked(marked);
        }
        Ok(reading)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A blank comment is no name, and then the record's own may be what another node is called.
    #[test]
    fn names_that_are_alike_give_way_to_those_of_the_records() {
        let text = format!(
            "{NODES_ARE_HOSTS}\nSwitch\t2 \"S0\"\t# \" \"\n[1]\t\"S1\"[1]\n\n\
             Switch\t2 \"S1\"\t# \"S0\"\n[1]\t\"S0\"[1]\n"
        );
        let reading = read(text.as_bytes()).unwrap();
        // One cable, from both of its ends.
        assert_eq!((reading.nodes, &reading.links[..]), (2, &[(0, 1), (1, 0)][..]));
        assert!(matches!(reading.labels, Labels::Numbers));
        let called = text.replace("\" \"", "\"a\"");
        let Labels::Names(names) = read(called.as_bytes()).unwrap().labels else {
            panic!("both have names")
        };
        assert_eq!((names.name(0), names.name(1)), (Some("a"), Some("S0")));
    }

    #[test]
    fn adapters_alone_are_no_nodes() {
        let text = format!("{NODES_ARE_HOSTS}\nHca\t1 \"H0\"\n");
        let error = read(text.as_bytes()).unwrap_err().to_string();
        assert!(error.starts_with("no nodes in the file"), "{error}");
    }
}
