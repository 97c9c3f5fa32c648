//! How are nodes and links gathered from a file that declares both, with attributes?

use super::mark::{Mark, shown};
use super::reading::{Hosts, Labels, MAX_LEVEL, MAX_NODE, Reading, Remark};
use super::{ReadError, reading::number_at};
use nestnet_graph::named::Names;
use num_traits::ToPrimitive as _;
use std::collections::BTreeSet;

/// How the nodes of a file are called, as far as it is read.
enum Ids {
    /// As they are counted, behind letters that all of them share: `n0`, `n1` …
    Counted { prefix: Vec<u8>, count: u32 },
    /// Each in its own way.
    Named(Names),
}

/// What the file says that hosts are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HostsAre {
    /// Nodes of the file: those with an endpoint.
    Nodes,
    /// Not in the file: they hang at its nodes.
    Linked,
}

/// The word for it in files.
pub(super) const NODES: &str = "nodes";
/// The word for it in files.
pub(super) const LINKED: &str = "linked";

/// What has been read so far.
pub(super) struct Collect {
    ids: Option<Ids>,
    count: u64,
    /// Names besides ids, while every node so far has one of its own.
    addresses: Option<Names>,
    /// Whether these are only used where ids say nothing.
    are_names: bool,
    endpoints: Vec<u32>,
    /// What the hosts of a node are called, by its number, where that is said.
    host_addresses: Vec<(u64, Vec<String>)>,
    links: Vec<(u32, u32)>,
    levels: Vec<u16>,
    /// Cycles on each link, 0 where the file lacks them; empty where it says none.
    latencies: Vec<u16>,
    /// Whether there is something that could be links and is not read.
    pub unread: bool,
    pub hosts_are: Option<HostsAre>,
    pub remarks: Vec<Remark>,
}

impl Collect {
    pub fn new() -> Self {
        Collect {
            ids: None,
            count: 0,
            addresses: Some(Names::default()),
            are_names: false,
            endpoints: Vec::new(),
            host_addresses: Vec::new(),
            links: Vec::new(),
            levels: Vec::new(),
            latencies: Vec::new(),
            unread: false,
            hosts_are: None,
            remarks: Vec::new(),
        }
    }

    /// One more node. False where it was there before or there are too many.
    pub fn node(&mut self, id: &str) -> bool {
        if self.count > MAX_NODE {
            return false;
        }
        let bytes = id.as_bytes();
        let ids = self.ids.get_or_insert_with(|| {
            let digits = bytes.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
            let prefix = bytes[..bytes.len() - digits].to_vec();
            if &bytes[prefix.len()..] == b"0" {
                Ids::Counted { prefix, count: 0 }
            } else {
                Ids::Named(Names::default())
            }
        });
        if let Ids::Counted { prefix, count } = ids {
            if counted(prefix, bytes) == Some(*count) {
                *count += 1;
                self.count += 1;
                return true;
            }
            let mut names = Names::default();
            for number in 0..*count {
                let name = format!("{}{number}", String::from_utf8_lossy(prefix));
                names.id(&name);
            }
            *ids = Ids::Named(names);
        }
        if let Ids::Named(names) = ids {
            if names.find(id).is_some() || names.id(id).is_none() {
                return false;
            }
            self.count += 1;
        }
        true
    }

    /// What the last node is called besides.
    pub fn address(&mut self, address: &str) {
        let Some(names) = &mut self.addresses else { return };
        let is_plain = !address.is_empty() && !address.chars().any(char::is_control);
        // Names that do not tell nodes apart are of no use.
        if !is_plain || names.len() + 1 != self.count || names.find(address).is_some() {
            self.addresses = None;
        } else {
            names.id(address);
        }
    }

    /// The same, where nodes are counted: an id of their own says more.
    pub fn name(&mut self, name: &str) {
        self.are_names = true;
        self.address(name);
    }

    /// How many hosts the last node has.
    pub fn endpoints(&mut self, count: u32) {
        let nodes = usize::try_from(self.count).unwrap_or(usize::MAX);
        self.endpoints.resize(nodes.saturating_sub(1), 0);
        self.endpoints.push(count);
    }

    /// What the hosts of the last node are called: a list of JSON. False where it is none.
    pub fn host_addresses(&mut self, list: &str) -> bool {
        let Ok(names) = serde_json::from_str::<Vec<String>>(list) else { return false };
        self.host_addresses.push((self.count.saturating_sub(1), names));
        true
    }

    /// The names of all hosts that hang at nodes, where they are given and as many as there are hosts.
    fn host_names(&mut self, counts: &[u32]) -> Vec<String> {
        let mut given = std::mem::take(&mut self.host_addresses).into_iter().peekable();
        if given.peek().is_none() {
            return Vec::new();
        }
        let mut names = Vec::new();
        for (node, &count) in (0..).zip(counts) {
            let here = given.next_if(|(at, _)| *at == node).map_or(Vec::new(), |(_, here)| here);
            let is_plain = |name: &String| !name.is_empty() && !name.chars().any(char::is_control);
            if here.len() as u64 != u64::from(count) || !here.iter().all(is_plain) {
                self.remark(Remark::PassedOver("addresses of hosts that are not one for each"));
                return Vec::new();
            }
            names.extend(here);
        }
        names
    }

    /// How many nodes there are so far.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The number of a node that is there.
    pub fn find(&self, id: &[u8]) -> Option<u32> {
        match self.ids.as_ref()? {
            Ids::Counted { prefix, count } => counted(prefix, id).filter(|number| number < count),
            Ids::Named(names) => names.find(std::str::from_utf8(id).ok()?),
        }
    }

    /// The nodes of the two ends of a link at a place of the text: both are known, and they are not the same.
    pub fn ends(
        &self,
        text: &[u8],
        at: usize,
        (from, to): (&str, &str),
    ) -> Result<(u32, u32), ReadError> {
        let find =
            |id: &str| self.find(id.as_bytes()).ok_or_else(|| no_node(text, at, id.as_bytes()));
        let ends = (find(from)?, find(to)?);
        if ends.0 == ends.1 {
            let node = shown(from.as_bytes());
            return Err(ReadError::Loop { at: Mark::of(text, at), node });
        }
        Ok(ends)
    }

    /// One more link.
    pub fn link(&mut self, from: u32, to: u32) {
        if !self.levels.is_empty() {
            self.levels.push(0);
        }
        self.links.push((from, to));
    }

    /// The level of the last link.
    pub fn level(&mut self, level: u16) {
        if level > 0 || !self.levels.is_empty() {
            self.levels.resize(self.links.len(), 0);
            if let Some(last) = self.levels.last_mut() {
                *last = level;
            }
        }
    }

    /// The latency of the last link, in nanoseconds, each a cycle. What is none is passed over.
    pub fn latency(&mut self, nanoseconds: &str) {
        let given = nanoseconds.trim().parse::<f64>().ok().filter(|given| *given >= 0.0);
        let Some(cycles) = given.and_then(|given| given.ceil().to_u16()) else {
            self.remark(Remark::PassedOver("latencies that are no nanoseconds up to 65535"));
            return;
        };
        self.latencies.resize(self.links.len(), 0);
        if let Some(last) = self.latencies.last_mut() {
            *last = cycles.max(1);
        }
    }

    /// Cycles of each level. Links without levels get one for each latency, the lowest first, and links of hosts that hang
    /// at nodes, which have none in the file, take one cycle.
    fn latencies_by_level(&mut self, hang: bool) -> Vec<u16> {
        if self.latencies.iter().all(|&cycles| cycles <= 1) {
            return Vec::new();
        }
        self.latencies.resize(self.links.len(), 0);
        let cycles: Vec<u16> = self.latencies.iter().map(|&cycles| cycles.max(1)).collect();
        if self.levels.is_empty() {
            let own = cycles.iter().copied().chain(hang.then_some(1));
            let latencies: Vec<u16> = own.collect::<BTreeSet<_>>().into_iter().collect();
            // There are no more levels than numbers of cycles.
            let level = |cycles: &u16| latencies.binary_search(cycles).unwrap_or_default();
            let levels = cycles.iter().map(|cycles| u16::try_from(level(cycles)).unwrap_or(0));
            self.levels = levels.collect();
            return latencies;
        }
        self.levels.resize(self.links.len(), 0);
        let most = self.levels.iter().copied().max().unwrap_or(0);
        let mut latencies = vec![0; usize::from(most) + 1];
        for (&level, &cycles) in self.levels.iter().zip(&cycles) {
            let own: &mut u16 = &mut latencies[usize::from(level)];
            if *own > 0 && *own != cycles {
                self.remark(Remark::PassedOver("latencies that differ among links of a level"));
                return Vec::new();
            }
            *own = cycles;
        }
        latencies.iter_mut().for_each(|cycles| *cycles = (*cycles).max(1));
        latencies
    }

    /// Something that is said once.
    pub fn remark(&mut self, remark: Remark) {
        if !self.remarks.contains(&remark) {
            self.remarks.push(remark);
        }
    }

    /// All that was read. Without any link, something unread that could be links is a fault: `links` says how they are
    /// given.
    pub fn finish(
        mut self,
        expected: &'static str,
        links: &'static str,
    ) -> Result<Reading, ReadError> {
        if self.count == 0 {
            return Err(ReadError::Empty { expected });
        }
        if self.links.is_empty() && self.unread {
            return Err(ReadError::NoLinks { expected: links });
        }
        let nodes = self.count;
        let named = matches!(self.ids, Some(Ids::Named(_)));
        if self.are_names && named {
            self.addresses = None;
            self.remark(Remark::PassedOver("other attributes of nodes"));
        }
        let all = self.addresses.take().filter(|names| names.len() == nodes);
        let numbers = |names: &Names| {
            (0..).zip(0..nodes).all(|(id, number): (u32, u64)| {
                names.name(id).is_some_and(|name| name == itoa::Buffer::new().format(number))
            })
        };
        let hosts = if self.endpoints.is_empty() {
            Hosts::All
        } else {
            self.endpoints.resize(usize::try_from(nodes).unwrap_or(0), 0);
            let one_each = self.endpoints.iter().all(|&count| count == 1);
            match self.hosts_are {
                Some(HostsAre::Linked) => Hosts::Hanging(std::mem::take(&mut self.endpoints)),
                _ if one_each => Hosts::All,
                Some(HostsAre::Nodes) => {
                    Hosts::Marked(self.endpoints.iter().map(|&count| count > 0).collect())
                }
                None => Hosts::Hanging(std::mem::take(&mut self.endpoints)),
            }
        };
        let host_names = match &hosts {
            Hosts::Hanging(counts) => self.host_names(counts),
            _ => Vec::new(),
        };
        let hang =
            matches!(&hosts, Hosts::Hanging(counts) if counts.iter().any(|&count| count > 0));
        let labels = match (all, self.ids.take()) {
            // Hosts that hang at nodes take the first numbers, so that these are names.
            (Some(names), _) if !hang && numbers(&names) => Labels::Numbers,
            (Some(names), _) => Labels::Names(names),
            (None, Some(Ids::Named(names))) => Labels::Names(names),
            (None, _) => Labels::Numbers,
        };
        let latencies = self.latencies_by_level(hang);
        let Collect { links, levels, remarks, .. } = self;
        Ok(Reading {
            nodes,
            links,
            levels,
            latencies,
            labels,
            hosts,
            host_names,
            remarks,
            ..Reading::default()
        })
    }
}

/// The number behind a prefix, written as numbers are.
fn counted(prefix: &[u8], id: &[u8]) -> Option<u32> {
    let digits = id.strip_prefix(prefix)?;
    if digits.is_empty() || digits.len() > 10 || (digits[0] == b'0' && digits.len() > 1) {
        return None;
    }
    let value = digits.iter().try_fold(0u64, |value, byte| {
        byte.is_ascii_digit().then(|| value * 10 + u64::from(byte - b'0'))
    });
    u32::try_from(value?).ok()
}

/// What hosts are, by the word in a file.
pub(super) fn hosts_are(word: &str) -> Option<HostsAre> {
    match word {
        LINKED => Some(HostsAre::Linked),
        NODES => Some(HostsAre::Nodes),
        _ => None,
    }
}

/// The level that a text says: whole, also where it is written with a point.
pub(super) fn level_at(text: &[u8], at: usize, word: &[u8]) -> Result<u16, ReadError> {
    let word = word.trim_ascii();
    let whole = word.strip_suffix(b".0").unwrap_or(word);
    let level = number_at(text, at, whole, "a level", MAX_LEVEL)?;
    Ok(u16::try_from(level).unwrap_or(u16::MAX))
}

/// The number of hosts that a text says.
pub(super) fn endpoints_at(text: &[u8], at: usize, word: &[u8]) -> Result<u32, ReadError> {
    let word = word.trim_ascii();
    let whole = word.strip_suffix(b".0").unwrap_or(word);
    let count = number_at(text, at, whole, "a number of endpoints", MAX_NODE)?;
    Ok(u32::try_from(count).unwrap_or(u32::MAX))
}

/// That a node was there before.
pub(super) fn twice(text: &[u8], at: usize, name: &str) -> ReadError {
    ReadError::Twice { at: Mark::of(text, at), name: shown(name.as_bytes()) }
}

/// That a node is not there.
pub(super) fn no_node(text: &[u8], at: usize, name: &[u8]) -> ReadError {
    ReadError::NoNode { at: Mark::of(text, at), name: shown(name) }
}
