//! A router with several paths for each pair of switches, each with a weight.
//!
//! Virtual channels follow up*/down* layers as in [`UpDownLayers`](super::UpDownLayers): the virtual channel of a hop is
//! how many turns from down to up come after it, where a hop goes up when it leads to a switch of higher rank. So the
//! paths are free of deadlock whatever they are.

use super::assign::rankings;
use super::{Header, Hop, PathHop, PathSet, Router, Structure, Vc};
use nestnet_graph::fabric::Fabric;
use nestnet_graph::measure::{count, id};
use nestnet_graph::{Network, Node, Port, index};
use smallvec::SmallVec;
use std::ops::Range;

/// A path between two switches: its channels, and how many parts of the whole take it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightedPath {
    /// Channels in the order of [`nestnet_graph::Csr::targets`]; a few need no memory of their own.
    pub channels: SmallVec<[u32; 4]>,
    /// Parts of the whole that the paths of a pair sum to.
    pub weight: u32,
}

/// Paths for all ordered pairs of switches of a fabric.
#[derive(Debug)]
pub struct WeightedPaths {
    /// Switches are the nodes from here on; hosts that are nodes of their own come before.
    first: u64,
    switches: usize,
    /// The switch of each host that has a link of its own, and the ports of both ends: of the host, of the switch.
    hosts: Vec<(u32, Port, Port)>,
    /// Where the paths of a pair begin in `paths`: by source, then target.
    starts: Vec<u32>,
    /// Each ends before the next one begins in `hops`; `until` is the sum of weights with those before it of its pair.
    paths: Vec<Stored>,
    hops: Vec<PathHop>,
    whole: u32,
    vcs: u16,
    longest: u64,
}

/// The state of a message that has no path.
const NONE: u64 = u64::MAX;

#[derive(Clone, Copy, Debug)]
struct Stored {
    until: u32,
    hops: u32,
}

impl WeightedPaths {
    /// The router of paths that are given by source, then target. The weights of each pair must sum to `whole`; a
    /// switch has no paths to itself, and none leads where none is given. `None` where there are 2^32 hops or more.
    pub fn new(
        network: &dyn Network,
        fabric: &Fabric,
        given: &[Vec<WeightedPath>],
        whole: u32,
    ) -> Option<Self> {
        let n = count(&fabric.csr);
        let ports = ports_of(network, fabric);
        let from = sources(fabric);
        let ranks = best_ranks(fabric, &from, given);
        let mut made = WeightedPaths {
            first: fabric.first,
            switches: n,
            hosts: host_ports(network, fabric),
            starts: Vec::with_capacity(given.len() + 1),
            paths: Vec::new(),
            hops: Vec::new(),
            whole,
            vcs: 1,
            longest: 0,
        };
        for paths in given {
            made.starts.push(u32::try_from(made.paths.len()).ok()?);
            let mut until = 0;
            for WeightedPath { channels, weight } in paths {
                until += weight;
                made.paths.push(Stored { until, hops: u32::try_from(made.hops.len()).ok()? });
                let up = |at: u32| is_up(fabric, &from, &ranks, at);
                let mut vc = turns(channels.iter().map(|&at| up(at)));
                made.vcs = made.vcs.max(vc + 1);
                made.longest = made.longest.max(channels.len() as u64);
                for (place, &channel) in channels.iter().enumerate() {
                    vc -= u16::from(place > 0 && up(channel) && !up(channels[place - 1]));
                    let channel = channel as usize;
                    made.hops.push((from[channel], ports[channel], Vc(vc)));
                }
            }
        }
        made.starts.push(u32::try_from(made.paths.len()).ok()?);
        made.paths.push(Stored { until: 0, hops: u32::try_from(made.hops.len()).ok()? });
        if fabric.has_host_links() {
            made.longest += 2;
        }
        Some(made)
    }

    /// Where the paths between two switches are listed.
    fn range(&self, from: u32, to: u32) -> Range<usize> {
        let pair = from as usize * self.switches + to as usize;
        self.starts[pair] as usize..self.starts[pair + 1] as usize
    }

    /// The switch that a node is, or that its only link leads to.
    fn switch(&self, node: Node) -> u32 {
        match node.0.checked_sub(self.first) {
            Some(switch) => id(index(switch)),
            None => self.hosts[index(node)].0,
        }
    }
}

impl PathSet for WeightedPaths {
    fn whole(&self) -> u32 {
        self.whole
    }

    fn for_each(&self, from: u32, to: u32, visit: &mut dyn FnMut(u32, &[PathHop])) {
        let mut before = 0;
        for path in self.range(from, to) {
            let Stored { until, hops } = self.paths[path];
            visit(until - before, &self.hops[hops as usize..self.paths[path + 1].hops as usize]);
            before = until;
        }
    }
}

impl Router for WeightedPaths {
    fn vcs(&self) -> u16 {
        self.vcs
    }

    fn choices(&self) -> u64 {
        self.whole.into()
    }

    fn start(&self, from: Node, to: Node, choice: u64) -> Header {
        let paths = &self.paths[self.range(self.switch(from), self.switch(to))];
        let path = paths.partition_point(|path| u64::from(path.until) <= choice);
        Header { to, state: paths.get(path).map_or(NONE, |path| path.hops.into()) }
    }

    fn next(&self, at: Node, header: Header) -> Option<Hop> {
        if at == header.to {
            return None;
        }
        // Hosts of one switch need no path.
        if header.state == NONE && self.switch(at) != self.switch(header.to) {
            return None;
        }
        let Some(here) = at.0.checked_sub(self.first) else {
            return Some(Hop { port: self.hosts[index(at)].1, vc: Vc(0), header });
        };
        if here == u64::from(self.switch(header.to)) {
            return Some(Hop { port: self.hosts[index(header.to)].2, vc: Vc(0), header });
        }
        let &(from, port, vc) = self.hops.get(usize::try_from(header.state).ok()?)?;
        let header = Header { state: header.state + 1, ..header };
        (u64::from(from) == here).then_some(Hop { port, vc, header })
    }

    fn longest(&self) -> u64 {
        self.longest
    }

    fn remembers(&self) -> bool {
        true
    }

    /// Hosts that forward are switches here.
    fn structure(&self) -> Structure<'_> {
        let loads_by_switches = self.first > 0;
        Structure { weighted: Some(self), loads_by_switches, ..Structure::default() }
    }

    fn state_bytes(&self) -> u64 {
        self.hops.len() as u64 * 4 / (self.switches as u64).max(1)
    }
}

/// The port of every channel of a fabric: parallel cables in the order of their ports.
pub(crate) fn ports_of(network: &dyn Network, fabric: &Fabric) -> Vec<Port> {
    let mut ports = Vec::with_capacity(fabric.csr.targets().len());
    for at in 0..id(count(&fabric.csr)) {
        let mut here = Vec::new();
        network.for_each_neighbor(fabric.node(at), &mut |port, to| {
            if to.0 >= fabric.first {
                here.push((to, port));
            }
        });
        here.sort_unstable();
        ports.extend(here.into_iter().map(|(_, port)| port));
    }
    ports
}

/// For each host with a link of its own: its switch, its port, and the port of the switch that leads to it.
pub(crate) fn host_ports(network: &dyn Network, fabric: &Fabric) -> Vec<(u32, Port, Port)> {
    if !fabric.has_host_links() {
        return Vec::new();
    }
    let mut hosts: Vec<(u32, Port, Port)> =
        fabric.at.iter().map(|&at| (at, Port(0), Port(0))).collect();
    for (host, entry) in (0..).map(Node).zip(&mut hosts) {
        network.for_each_neighbor(host, &mut |port, _| entry.1 = port);
    }
    for at in 0..id(count(&fabric.csr)) {
        network.for_each_neighbor(fabric.node(at), &mut |port, to| {
            if to.0 < fabric.first {
                hosts[index(to)].2 = port;
            }
        });
    }
    hosts
}

/// Where every channel begins.
fn sources(fabric: &Fabric) -> Vec<u32> {
    let csr = &fabric.csr;
    let channels = (0..id(count(csr))).flat_map(|at| csr.neighbors(at).iter().map(move |_| at));
    channels.collect()
}

fn is_up(fabric: &Fabric, from: &[u32], ranks: &[u32], channel: u32) -> bool {
    let to = fabric.csr.targets()[channel as usize];
    ranks[to as usize] > ranks[from[channel as usize] as usize]
}

/// How often a path turns from down to up, by whether each of its hops goes up.
fn turns(ups: impl Iterator<Item = bool>) -> u16 {
    let (mut turns, mut down) = (0u16, false);
    for up in ups {
        turns = turns.saturating_add(u16::from(up && down));
        down = !up;
    }
    turns
}

/// Ranks of the switches for which the paths need the fewest virtual channels, of a few that are tried: by number, and
/// those of [`rankings`].
fn best_ranks(fabric: &Fabric, from: &[u32], given: &[Vec<WeightedPath>]) -> Vec<u32> {
    let by_number = (0..id(count(&fabric.csr))).collect();
    let vcs = |ranks: &Vec<u32>| {
        let paths = given.iter().flatten();
        let turns =
            paths.map(|path| turns(path.channels.iter().map(|&at| is_up(fabric, from, ranks, at))));
        turns.max().unwrap_or(0)
    };
    let tried = [by_number].into_iter().chain(rankings(&fabric.csr));
    tried.min_by_key(vcs).unwrap_or_default()
}
