//! What does a file say of a network, and which network is that?

use super::mark::Mark;
use nestnet_graph::named::{Named, Names};
use nestnet_graph::{Budget, Csr, CsrError, Identifiers, Network, NodeIdentifiers, kinds};
use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;
use thiserror::Error;

/// What a file says.
#[derive(Debug, Default)]
pub struct Reading {
    /// How many nodes it has: `0..nodes`.
    pub nodes: u64,
    /// Its links, in the order of the file and as often as there.
    pub links: Vec<(u32, u32)>,
    /// The level of each link; empty where the file says none.
    pub levels: Vec<u16>,
    /// The level of each link from its second end to its first, where a file has links whose directions differ.
    pub returning: Vec<u16>,
    /// Cycles on a link of each level; empty where the file says none.
    pub latencies: Vec<u16>,
    /// What its nodes are called.
    pub labels: Labels,
    /// Which nodes are hosts.
    pub hosts: Hosts,
    /// What hosts that hang at nodes are called, in the order of these; empty where they are called after their nodes.
    pub host_names: Vec<String>,
    /// What an InfiniBand fabric calls its nodes and ports, where the file says all of it.
    pub cabling: Option<Cabling>,
    /// What a reader of its numbers should know.
    pub remarks: Vec<Remark>,
    /// Whether nodes are known only by the links that name them, so that all below the largest number are nodes.
    pub is_padded: bool,
}

/// What an InfiniBand fabric calls its nodes and ports.
#[derive(Debug, Default)]
pub struct Cabling {
    /// Each node, in their order, without the ports.
    pub nodes: Vec<NodeIdentifiers>,
    /// The nodes and port numbers at both ends of each cable.
    pub cables: Vec<[(u32, u32); 2]>,
}

impl Cabling {
    /// Gives each node another number.
    fn renumber(&mut self, numbers: &[u32]) {
        let mut nodes = vec![NodeIdentifiers::default(); self.nodes.len()];
        for (node, &number) in self.nodes.drain(..).zip(numbers) {
            nodes[number as usize] = node;
        }
        self.nodes = nodes;
        for (node, _) in self.cables.iter_mut().flatten() {
            *node = numbers[*node as usize];
        }
    }

    /// The numbers of ports of a stored network; none where a link has other cables than the network has.
    fn identifiers(mut self, csr: &Csr) -> Option<Identifiers> {
        for ends in &mut self.cables {
            ends.sort_unstable();
        }
        self.cables.sort_unstable_by_key(|[(a, from), (b, to)]| (*a, *b, *from, *to));
        self.cables.dedup();
        let mut ports: Vec<Vec<(u32, usize, u32)>> = vec![Vec::new(); self.nodes.len()];
        // Cable k of a link is the k-th at both of its ends.
        for (rank, &[(a, from), (b, to)]) in self.cables.iter().enumerate() {
            ports[a as usize].push((b, rank, from));
            ports[b as usize].push((a, rank, to));
        }
        if csr.order() != self.nodes.len() as u64 {
            return None;
        }
        for (at, mut ports) in (0..).zip(ports) {
            ports.sort_unstable();
            let others = ports.iter().map(|(other, ..)| *other);
            let numbers: Vec<u32> = ports.iter().map(|(.., number)| *number).collect();
            let different: HashSet<&u32> = numbers.iter().collect();
            if different.len() < numbers.len() || !others.eq(csr.neighbors(at).iter().copied()) {
                return None;
            }
            self.nodes[at as usize].ports = numbers;
        }
        Some(Identifiers { nodes: self.nodes })
    }
}

/// What the nodes of a file are called.
#[derive(Debug, Default)]
pub enum Labels {
    /// By their numbers, from 0.
    #[default]
    Numbers,
    /// By their numbers, from 1.
    FromOne,
    /// By names, in the order of the nodes; those beyond the last have none.
    Names(Names),
}

/// Which nodes of a file are hosts.
#[derive(Debug, Default)]
pub enum Hosts {
    /// All of them.
    #[default]
    All,
    /// Those marked.
    Marked(Vec<bool>),
    /// None of them: so many hang at each.
    Hanging(Vec<u32>),
}

/// What was passed over, or taken in a way that is not the only one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Remark {
    /// The first line names the columns.
    Header,
    /// A third column of an edge list.
    ExtraColumn,
    /// Numbers from 1.
    CountedFromOne,
    /// Something that a network here does not have.
    PassedOver(&'static str),
    /// Links of a direction.
    Directed,
    /// Hosts are numbered before switches.
    HostsFirst,
    /// Links take longer in one direction than in the other.
    LatenciesDiffer,
    /// Links that were there before.
    Repeated(u64),
    /// Nodes that no link names, below the largest number of a list that has numbers alone.
    Padded(u64),
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Remark::Header => f.write_str("the first line of the file names its columns"),
            Remark::ExtraColumn => {
                f.write_str("the third column of the file is not read: links have no weights")
            }
            Remark::CountedFromOne => {
                f.write_str("the file counts from 1: addresses are its numbers, node ids one less")
            }
            Remark::PassedOver(what) => write!(f, "the file has {what}, which are not read"),
            Remark::Directed => {
                f.write_str("links of the file have a direction, which is not read")
            }
            Remark::HostsFirst => f.write_str(
                "hosts are numbered first, then switches, each in the order of the file",
            ),
            Remark::LatenciesDiffer => f.write_str(
                "latencies count in the direction of their line, as in BookSim2: some links take longer one way than \
                 back, 1 cycle where no line states it",
            ),
            Remark::Padded(1) => f.write_str("a node below the largest number has no link"),
            Remark::Padded(count) => {
                write!(f, "{count} nodes below the largest number have no links")
            }
            Remark::Repeated(1) => f.write_str("a link that the file has again counts once"),
            Remark::Repeated(count) => {
                write!(f, "{count} links that the file has again count once")
            }
        }
    }
}

/// Why what a file says is no network that can be stored.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// It does not fit.
    #[error(transparent)]
    Csr(#[from] CsrError),
    /// Fewer nodes were asked for than there are.
    #[error("must be at least {least}: the file {} {last}", if *from_one { "has nodes 1 to" } else { "has node" })]
    TooFew {
        /// How many there are.
        least: u64,
        /// The last one as the file calls it.
        last: u64,
        /// Whether the file counts from 1.
        from_one: bool,
    },
}

kinds!(StoreError {
    Invalid: TooFew;
    inner: Csr;
});

impl Reading {
    /// The next node, by its name.
    pub(super) fn named(names: Names) -> Self {
        let nodes = names.len();
        Reading { nodes, labels: Labels::Names(names), ..Reading::default() }
    }

    /// Says something once.
    pub fn remark(&mut self, remark: Remark) {
        if !self.remarks.contains(&remark) {
            self.remarks.push(remark);
        }
    }

    /// How many hosts there will be.
    pub fn host_count(&self) -> u64 {
        match &self.hosts {
            Hosts::All => self.nodes,
            Hosts::Marked(marked) => marked.iter().filter(|&&is_host| is_host).count() as u64,
            Hosts::Hanging(counts) => counts.iter().map(|&count| u64::from(count)).sum(),
        }
    }

    /// The network, and what is to be said of it. `nodes` are all nodes, where the last ones have no links.
    ///
    /// Hosts are numbered first, as every network has them.
    pub fn network(
        mut self,
        nodes: Option<u64>,
        budget: &Budget<'_>,
    ) -> Result<(Arc<dyn Network>, Vec<Remark>), StoreError> {
        let from_one = matches!(self.labels, Labels::FromOne);
        if let Some(nodes) = nodes {
            if nodes < self.nodes {
                let last = self.nodes - u64::from(!from_one);
                return Err(StoreError::TooFew { least: self.nodes, last, from_one });
            }
            self.nodes = nodes;
        }
        let hosts = self.hosts_first(budget)?;
        let given = self.links.len() as u64;
        let links = std::mem::take(&mut self.links);
        let csr = Csr::from_edges(self.nodes, &links, budget.memory)?;
        if csr.cables() < given && !self.levels.is_empty() {
            self.remark(Remark::Repeated(given - csr.cables()));
        }
        let levels = self.levels_of(&csr, &links, budget)?;
        drop(links);
        if self.is_padded && nodes.is_none() {
            let ends = csr.offsets().windows(2);
            let padded = ends.filter(|ends| ends[0] == ends[1]).count() as u64;
            if padded > 0 {
                self.remark(Remark::Padded(padded));
            }
        }
        let cabling = self.cabling.take();
        let identifiers = cabling.and_then(|cabling| cabling.identifiers(&csr));
        let plain = levels.is_empty() && self.latencies.is_empty() && hosts == self.nodes;
        let network: Arc<dyn Network> = match self.labels {
            Labels::Numbers if plain => Arc::new(csr),
            labels => {
                let named = match labels {
                    Labels::Numbers => Named::counted_from(csr, 0),
                    Labels::FromOne => Named::counted_from(csr, 1),
                    Labels::Names(names) => Named::new(csr, names),
                };
                let named = named.with_hosts(hosts).with_levels(levels);
                Arc::new(named.with_latencies(self.latencies).with_identifiers(identifiers))
            }
        };
        Ok((network, self.remarks))
    }

    /// Numbers hosts before switches, and gives how many there are.
    fn hosts_first(&mut self, budget: &Budget<'_>) -> Result<u64, StoreError> {
        let nodes = self.nodes;
        if nodes > 1 << 32 {
            return Err(CsrError::TooManyNodes { order: nodes }.into());
        }
        match std::mem::take(&mut self.hosts) {
            Hosts::All => Ok(nodes),
            Hosts::Marked(mut marked) => {
                budget.fits("the hosts", 9 * u128::from(nodes)).map_err(CsrError::from)?;
                marked.resize(usize::try_from(nodes).unwrap_or(0), false);
                let hosts = marked.iter().filter(|&&is_host| is_host).count() as u64;
                if marked.iter().is_sorted_by_key(|&is_host| !is_host) {
                    return Ok(hosts);
                }
                let (mut host, mut switch) = (0, u32::try_from(hosts).unwrap_or(u32::MAX));
                let number = |&is_host: &bool| {
                    let next = if is_host { &mut host } else { &mut switch };
                    *next += 1;
                    *next - 1
                };
                let numbers: Vec<u32> = marked.iter().map(number).collect();
                for (a, b) in &mut self.links {
                    (*a, *b) = (numbers[*a as usize], numbers[*b as usize]);
                }
                self.rename(&numbers);
                if let Some(cabling) = &mut self.cabling {
                    cabling.renumber(&numbers);
                }
                self.remark(Remark::HostsFirst);
                Ok(hosts)
            }
            Hosts::Hanging(counts) => {
                let hosts: u64 = counts.iter().map(|&count| u64::from(count)).sum();
                let all = hosts + nodes;
                budget.fits("the hosts", Csr::bytes(all, hosts.into())).map_err(CsrError::from)?;
                if all > 1 << 32 {
                    return Err(CsrError::TooManyNodes { order: all }.into());
                }
                let shift = u32::try_from(hosts).unwrap_or(u32::MAX);
                for (a, b) in &mut self.links {
                    (*a, *b) = (*a + shift, *b + shift);
                }
                let given = self.links.len();
                let mut host = 0;
                for (switch, &count) in (shift..).zip(&counts) {
                    self.links.extend((host..host + count).map(|host| (host, switch)));
                    host += count;
                }
                if !self.levels.is_empty() {
                    self.levels.resize(self.links.len(), 0);
                }
                debug_assert!(given <= self.links.len());
                self.nodes = all;
                self.name_hanging(&counts);
                Ok(hosts)
            }
        }
    }

    /// Gives each node the name that it had under another number.
    fn rename(&mut self, numbers: &[u32]) {
        let old = match std::mem::take(&mut self.labels) {
            Labels::Names(names) => names,
            labels => {
                // What counted in the file is kept as a name.
                let first = u64::from(matches!(labels, Labels::FromOne));
                let mut names = Names::default();
                (first..).zip(numbers).for_each(|(number, _)| {
                    names.id(&number.to_string());
                });
                names
            }
        };
        let mut by_number: Vec<(u32, u32)> = numbers.iter().copied().zip(0..).collect();
        by_number.sort_unstable();
        let mut names = Names::default();
        for (_, before) in by_number {
            if let Some(name) = old.name(before) {
                names.id(name);
            }
        }
        self.labels = Labels::Names(names);
    }

    /// Names for hosts: those that the file gives, else after their switches.
    fn name_hanging(&mut self, counts: &[u32]) {
        let given = std::mem::take(&mut self.host_names);
        let Labels::Names(switches) = std::mem::take(&mut self.labels) else { return };
        let mut names = Names::default();
        for name in &given {
            names.id(name);
        }
        let hosts: u64 = counts.iter().map(|&count| u64::from(count)).sum();
        let tells = names.len() == hosts && given.iter().all(|name| switches.find(name).is_none());
        if !tells {
            if !given.is_empty() {
                self.remark(Remark::PassedOver("addresses of hosts that do not tell them apart"));
            }
            names = Names::default();
            for (switch, &count) in (0..).zip(counts) {
                let Some(name) = switches.name(switch) else { break };
                for host in 0..count {
                    let mut made = host_name(name, host);
                    // A switch may be called so.
                    while switches.find(&made).is_some() || names.find(&made).is_some() {
                        made.push('\'');
                    }
                    names.id(&made);
                }
            }
        }
        for switch in 0..counts.len() {
            if let Some(name) = u32::try_from(switch).ok().and_then(|id| switches.name(id)) {
                names.id(name);
            }
        }
        let is_number = |(id, number): (u32, u64)| {
            names.name(id).is_some_and(|name| name == itoa::Buffer::new().format(number))
        };
        self.labels = match (0..).zip(0..self.nodes).all(is_number) {
            true => Labels::Numbers,
            false => Labels::Names(names),
        };
    }

    /// The level of every neighbor of the stored network; the lowest where a link is given more than once.
    fn levels_of(
        &self,
        csr: &Csr,
        links: &[(u32, u32)],
        budget: &Budget<'_>,
    ) -> Result<Vec<u16>, StoreError> {
        if self.levels.iter().chain(&self.returning).all(|&level| level == 0) {
            return Ok(Vec::new());
        }
        budget.fits("the levels", 4 * links.len() as u128).map_err(CsrError::from)?;
        let mut levels = vec![u16::MAX; csr.targets().len()];
        for (link, (&(a, b), &level)) in links.iter().zip(&self.levels).enumerate() {
            let back = self.returning.get(link).copied().unwrap_or(level);
            for (from, to, level) in [(a, b, level), (b, a, back)] {
                let start = usize::try_from(csr.offsets()[from as usize]).unwrap_or(usize::MAX);
                let neighbors = csr.neighbors(from);
                let first = neighbors.partition_point(|&other| other < to);
                let cables = neighbors[first..].iter().take_while(|&&other| other == to).count();
                for slot in &mut levels[start + first..start + first + cables] {
                    *slot = level.min(*slot);
                }
            }
        }
        Ok(levels)
    }
}

/// What a host is called after its switch: host 1 of `(3,4)` is `(3,4,1)`, of `sw` it is `sw.1`.
pub(super) fn host_name(switch: &str, host: u32) -> String {
    match switch.strip_suffix(')') {
        Some(open) if switch.starts_with('(') => format!("{open},{host})"),
        _ => format!("{switch}.{host}"),
    }
}

/// Limit: the highest level of a link in a file, so that levels can be counted.
pub(super) const MAX_LEVEL: u64 = 1 << 15;

/// A whole number in a file, at most `most`.
pub(super) fn number_at(
    text: &[u8],
    at: usize,
    word: &[u8],
    what: &'static str,
    most: u64,
) -> Result<u64, super::ReadError> {
    let digits = !word.is_empty() && word.iter().all(u8::is_ascii_digit);
    if !digits {
        return Err(super::ReadError::expected(text, at, word.len(), what));
    }
    let value = word
        .iter()
        .try_fold(0u64, |value, byte| value.checked_mul(10)?.checked_add(u64::from(byte - b'0')));
    value.filter(|&value| value <= most).ok_or_else(|| super::ReadError::TooLarge {
        at: Mark::of(text, at),
        what,
        text: super::mark::shown(word),
        most,
    })
}

/// Limit: the largest number of a node in a file: stored networks have 32 bits for it.
pub(super) const MAX_NODE: u64 = u32::MAX as u64;
