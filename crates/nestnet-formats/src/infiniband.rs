//! A network and its routes as the files of an InfiniBand subnet: what OpenSM dumps and `ibdmchk` judges.
//!
//! Switches, adapters and their ports are those of the fabric that `ibnetdiscover` described, where the network is read
//! from what it prints and that is complete. Else they are those of the fabric that the format `ibsim` writes: a host that hangs at a
//! switch is an adapter there; a node that is a host itself is a switch with an adapter on port 1.
//! A packet keeps its *service level*, and each switch chooses its *virtual lane* from the level, the port where it came
//! in and the port where it goes out. Virtual channels that change along a route can be said in these terms as long as
//! 16 levels are enough to tell the routes apart, which is tried route by route and not proven impossible where it fails.

use super::writing::Writing;
use super::{Costs, WriteError};
use nestnet_graph::budget::product;
use nestnet_graph::measure::Interrupted;
use nestnet_graph::{Budget, Identifiers, Network, Node, NodeIdentifiers, Port, index};
use nestnet_routing::route::assign::Turning;
use nestnet_routing::route::deadlock::{DeadlockError, Links, NONE};
use nestnet_routing::route::{Router, Table, TableError, WalkError, walk};
use std::io::{self, Write};
use thiserror::Error;

/// A subnet in memory, ready to be written.
#[derive(Debug)]
pub struct Subnet<'a> {
    network: &'a dyn Network,
    naming: Naming<'a>,
    hosts: usize,
    /// The first node that is a switch.
    first: usize,
    turning: Turning,
    /// The number in the files of the port of each slot; none of a slot that leads nowhere.
    numbers: Vec<u32>,
    /// By target and then node: the port toward it and the hops that are left.
    forwarding: Vec<Option<(Port, u32)>>,
    /// By target and then source.
    levels: Vec<u8>,
    /// For each level the lane of every turn, then of every first hop.
    lanes: Vec<Vec<u8>>,
}

/// Limit: service levels of an InfiniBand packet, which have 4 bits.
pub const MAX_LEVELS: usize = 16;

/// Limit: virtual lanes for data of an InfiniBand link; the sixteenth is for management.
pub const MAX_LANES: u16 = 15;

/// Limit: ports of an InfiniBand switch, the one of its host included: port numbers have 8 bits.
pub const MAX_PORTS: u32 = 254;

/// Limit: local identifiers of an InfiniBand subnet for single ports; those above are for multicast.
pub(super) const MAX_IDS: u64 = 0xbfff;

/// A lane that no route has asked for.
const OPEN: u8 = u8::MAX;

/// Which of the levels that a route can have it gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Search {
    /// The first one from the number of its first lane on.
    NearLane,
    /// The one that has most of its turns already; a new one only where none fits.
    MostAlike,
}

/// Why routes cannot be those of a subnet.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SubnetError {
    /// Local identifiers have 16 bits.
    #[error("{order} nodes and {hosts} hosts are too many for a subnet: at most {MAX_IDS} in all")]
    TooManyNodes {
        /// Switches.
        order: u64,
        /// Channel adapters.
        hosts: u64,
    },
    /// Ports have 8 bits.
    #[error("{ports} ports are too many for a switch: at most {}", MAX_PORTS - 1)]
    TooManyPorts {
        /// Of a node.
        ports: u32,
    },
    /// Lanes have 4 bits.
    #[error("{vcs} virtual channels are too many for a link: at most {MAX_LANES}")]
    TooManyLanes {
        /// Of a link.
        vcs: u16,
    },
    /// A switch looks at the target alone.
    #[error("messages to node {to} leave node {at} by more than one port")]
    NotByTarget {
        /// The node where the message is.
        at: Node,
        /// Where they go.
        to: Node,
    },
    /// Levels have 4 bits.
    #[error("the virtual channels need more than {MAX_LEVELS} service levels")]
    TooManyLevels,
    /// The router breaks its contract.
    #[error("the message from node {from} to node {to}: {error}")]
    Walk {
        /// Where it starts.
        from: Node,
        /// Where it goes.
        to: Node,
        /// What is wrong.
        error: WalkError,
    },
    /// The routes cannot be written out.
    #[error(transparent)]
    Deadlock(#[from] DeadlockError),
    /// The network cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// Stopped.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

impl<'a> Subnet<'a> {
    /// The first of its choices for every pair of hosts. O(hops of all routes · levels).
    ///
    /// ```
    /// use nestnet_graph::Budget;
    /// use nestnet_formats::infiniband::Subnet;
    /// use nestnet_routing::route::Searched;
    /// use nestnet_graph::{Csr, Network};
    /// use std::sync::Arc;
    ///
    /// let path: Arc<dyn Network> = Arc::new(Csr::from_links(3, &[(0, 1), (1, 2)], 1 << 20)?);
    /// let router = Searched::new(path.clone()).unwrap();
    /// let subnet = Subnet::new(&*path, &router, &Budget::UNLIMITED)?;
    /// let mut text = Vec::new();
    /// subnet.write_forwarding(&mut text)?;
    /// let text = String::from_utf8(text)?;
    /// assert!(text.starts_with("dump_ucast_routes: Switch 0x0000000000200000\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(
        network: &'a dyn Network,
        router: &dyn Router,
        limits: &Budget<'_>,
    ) -> Result<Self, SubnetError> {
        let (order, hosts, ports) = (network.order(), network.hosts(), network.ports());
        if order.saturating_add(hosts) > MAX_IDS {
            return Err(SubnetError::TooManyNodes { order, hosts });
        }
        if ports >= MAX_PORTS {
            return Err(SubnetError::TooManyPorts { ports });
        }
        let pairs = u128::from(hosts) * u128::from(order);
        limits
            .affords("following all routes", product([64, pairs]))
            .map_err(DeadlockError::from)?;
        limits.fits("all paths", product([16, pairs])).map_err(DeadlockError::from)?;
        let table = match Table::new(network, router, limits) {
            Err(TableError::Interrupted(stopped)) => return Err(stopped.into()),
            table => table.ok(),
        };
        let turning = Turning::new(Links::new(network, limits)?, limits)?;
        let size = |count: u64| usize::try_from(count).expect("at most 2^16");
        let first = index(Writing::new("", network, &Costs::NONE, *limits)?.node(0));
        let naming = Naming::new(network, first > 0);
        let mut subnet = Subnet {
            network,
            naming,
            hosts: size(hosts),
            first,
            numbers: numbers(&turning.links, first, size(hosts), &naming),
            forwarding: vec![None; size(hosts) * size(order)],
            levels: vec![0; size(hosts) * size(hosts)],
            lanes: Vec::new(),
            turning,
        };
        let router = table.as_ref().map_or(router, |table| table as &dyn Router);
        // Lanes that a message keeps are found by the first search, lanes that change mostly by the second.
        for search in [Search::NearLane, Search::MostAlike] {
            subnet.lanes.clear();
            match subnet.add_all(router, search, limits) {
                Err(SubnetError::TooManyLevels) if search == Search::NearLane => (),
                added => return added.map(|()| subnet),
            }
        }
        Err(SubnetError::TooManyLevels)
    }

    fn add_all(
        &mut self,
        router: &dyn Router,
        search: Search,
        limits: &Budget<'_>,
    ) -> Result<(), SubnetError> {
        let hosts = || (0..self.network.hosts()).map(Node);
        for (to, from) in hosts().flat_map(|to| hosts().map(move |from| (to, from))) {
            if from != to {
                limits.watch.check()?;
                self.add(router, from, to, search)?;
            }
        }
        Ok(())
    }

    /// Adds one route.
    fn add(
        &mut self,
        router: &dyn Router,
        from: Node,
        to: Node,
        search: Search,
    ) -> Result<(), SubnetError> {
        let order = self.turning.links.order();
        let route = match walk(self.network, router, from, to, 0, order as u64 * 8) {
            Ok(route) => route,
            Err(WalkError::Ends { at }) if at == from => return Ok(()),
            Err(error) => return Err(SubnetError::Walk { from, to, error }),
        };
        let mut asked: Vec<(usize, u8)> = Vec::new();
        let mut last = None;
        let length = u32::try_from(route.hops.len()).unwrap_or(u32::MAX);
        for ((&at, hop), left) in route.nodes.iter().zip(&route.hops).zip((0..length).rev()) {
            let entry = &mut self.forwarding[index(to) * order + index(at)];
            if entry.is_some_and(|(port, _)| port != hop.port) {
                return Err(SubnetError::NotByTarget { at, to });
            }
            *entry = Some((hop.port, left));
            let lane = u8::try_from(hop.vc.0).ok().filter(|&lane| u16::from(lane) < MAX_LANES);
            let lane = lane.ok_or(SubnetError::TooManyLanes { vcs: hop.vc.0 + 1 })?;
            let slot = self.turning.slot(index(at), hop.port);
            let turn = match last {
                Some(last) => self.turning.between(last, slot),
                None => self.turning.count() + slot,
            };
            asked.push((turn, lane));
            last = Some(slot);
        }
        let level = self.level(&asked, search).ok_or(SubnetError::TooManyLevels)?;
        self.levels[index(to) * self.hosts + index(from)] = level;
        Ok(())
    }

    /// A level where all these turns are on these lanes, or can be.
    fn level(&mut self, asked: &[(usize, u8)], search: Search) -> Option<u8> {
        let turns = self.turning.count() + self.turning.links.slots();
        let fits = |lanes: &Vec<u8>| {
            asked.iter().all(|&(turn, lane)| lanes[turn] == OPEN || lanes[turn] == lane)
        };
        let alike =
            |lanes: &Vec<u8>| asked.iter().filter(|&&(turn, lane)| lanes[turn] == lane).count();
        let lane = asked.first().map_or(0, |&(_, lane)| usize::from(lane));
        let chosen = match search {
            Search::NearLane => {
                let mut near = (0..MAX_LEVELS).map(|level| (lane + level) % MAX_LEVELS);
                near.find(|&level| self.lanes.get(level).is_none_or(fits))?
            }
            Search::MostAlike => {
                let known = (0..self.lanes.len()).filter(|&level| fits(&self.lanes[level]));
                let best =
                    known.max_by_key(|&level| (alike(&self.lanes[level]), MAX_LEVELS - level));
                best.or((self.lanes.len() < MAX_LEVELS).then_some(self.lanes.len()))?
            }
        };
        while self.lanes.len() <= chosen {
            self.lanes.push(vec![OPEN; turns]);
        }
        asked.iter().for_each(|&(turn, lane)| self.lanes[chosen][turn] = lane);
        u8::try_from(chosen).ok()
    }

    /// How many service levels tell the routes apart.
    pub fn levels(&self) -> usize {
        self.lanes.len()
    }

    /// All links, from both sides: `opensm-subnet.lst`.
    pub fn write_links(&self, mut output: impl Write) -> io::Result<()> {
        for at in self.switches() {
            let switch = self.switch(at);
            if self.has_own_adapter(at) {
                let host = self.host(at);
                writeln!(output, "{{ {host} PN:01 }} {{ {switch} PN:01 }} {LINK}")?;
                writeln!(output, "{{ {switch} PN:01 }} {{ {host} PN:01 }} {LINK}")?;
            }
            for slot in self.slots(at) {
                let (port, to) = (self.numbers[slot], self.turning.links.target(slot) as usize);
                if to < self.first {
                    let (host, own) = (self.host(to), self.host_port(to));
                    writeln!(
                        output,
                        "{{ {host} PN:{own:02X} }} {{ {switch} PN:{port:02X} }} {LINK}"
                    )?;
                    writeln!(
                        output,
                        "{{ {switch} PN:{port:02X} }} {{ {host} PN:{own:02X} }} {LINK}"
                    )?;
                } else {
                    let (other, back) = (self.switch(to), self.numbers[self.back(slot)]);
                    writeln!(
                        output,
                        "{{ {switch} PN:{port:02X} }} {{ {other} PN:{back:02X} }} {LINK}"
                    )?;
                }
            }
        }
        output.flush()
    }

    /// The forwarding table of every switch: `opensm.fdbs`.
    pub fn write_forwarding(&self, mut output: impl Write) -> io::Result<()> {
        let order = self.turning.links.order();
        // Where nodes are hosts the link of the adapter is one hop more.
        let behind = if self.first == 0 { 2 } else { 1 };
        for at in self.switches() {
            writeln!(output, "dump_ucast_routes: Switch {:#018x}", self.switch_guid(at))?;
            writeln!(output, "LID    : Port : Hops : Optimal")?;
            for to in 0..self.hosts {
                let id = self.naming.host_id(to as u64);
                if to == at {
                    writeln!(output, "0x{id:04X} : 001  : 01   : yes")?;
                } else if let Some((port, left)) = self.forwarding[to * order + at] {
                    let (port, hops) = (self.numbers[self.turning.slot(at, port)], left + behind);
                    writeln!(output, "0x{id:04X} : {port:03}  : {hops:02}   : yes")?;
                }
            }
        }
        output.flush()
    }

    /// The service level of every pair: `path_sl.txt`.
    pub fn write_levels(&self, mut output: impl Write) -> io::Result<()> {
        for (from, to) in (0..self.hosts).flat_map(|from| (0..self.hosts).map(move |to| (from, to)))
        {
            let level = self.levels[to * self.hosts + from];
            let guid = self.naming.host_guid(from as u64);
            let id = self.naming.host_id(to as u64);
            writeln!(output, "{guid:#018x} {id} {level}")?;
        }
        output.flush()
    }

    /// The virtual lane of every level, port in and port out of every switch: `sl2vl.txt`.
    pub fn write_lanes(&self, mut output: impl Write) -> io::Result<()> {
        let own = " 0".repeat(MAX_LEVELS);
        for host in 0..self.hosts {
            // This file has the GUID of its port, the one of levels that of the adapter.
            let guid = self.naming.host_port_guid(host as u64);
            let id = self.naming.host_id(host as u64);
            writeln!(output, "Channel Adapter {guid:#018x}, base LID {id}")?;
            // Where a host hangs at a switch its link has lanes as any other has.
            let slot = self.slots(host).next().filter(|_| self.first > 0);
            let lanes = slot.map_or(own.clone(), |slot| self.lanes_of(self.turning.count() + slot));
            writeln!(output, "0 0 :{lanes}")?;
        }
        for at in self.switches() {
            let (guid, id) = (self.switch_guid(at), self.switch_id(at));
            writeln!(output, "Switch {guid:#018x}, base LID {id}")?;
            // Where packets come in: the own host, then the slots of the neighbors that lead here.
            let from_host = self.has_own_adapter(at).then_some((1, None));
            let links = self.slots(at).map(|slot| (self.numbers[slot], Some(self.back(slot))));
            for (port_in, from) in from_host.into_iter().chain(links) {
                if from_host.is_some() {
                    writeln!(output, "{port_in} 1 :{own}")?;
                }
                for slot in self.slots(at) {
                    let turn = match from {
                        Some(from) => self.turning.between(from, slot),
                        None => self.turning.count() + slot,
                    };
                    let lanes = self.lanes_of(turn);
                    writeln!(output, "{port_in} {} :{lanes}", self.numbers[slot])?;
                }
            }
        }
        output.flush()
    }

    /// The lane of a turn, or of a first hop, on every level.
    fn lanes_of(&self, turn: usize) -> String {
        let lane = |level: usize| self.lanes.get(level).map_or(OPEN, |lanes| lanes[turn]);
        let known = |lane: u8| if lane == OPEN { 0 } else { lane };
        (0..MAX_LEVELS).map(|level| format!(" {}", known(lane(level)))).collect()
    }

    /// All nodes that are switches.
    fn switches(&self) -> std::ops::Range<usize> {
        self.first..self.turning.links.order()
    }

    /// The slots of a node that lead somewhere.
    fn slots(&self, at: usize) -> impl Iterator<Item = usize> {
        let links = &self.turning.links;
        (links.first(at)..links.first(at + 1)).filter(|&slot| links.target(slot) != NONE)
    }

    /// The slot of the same cable at its other end: of several between two nodes, the one of the same rank.
    fn back(&self, slot: usize) -> usize {
        let links = &self.turning.links;
        let (at, to) = (links.begins(slot), links.target(slot) as usize);
        let before = |&own: &usize| own < slot && links.target(own) as usize == to;
        let rank = self.slots(at).filter(before).count();
        let mut back = self.slots(to).filter(|&back| links.target(back) as usize == at);
        back.nth(rank).expect("links go both ways")
    }

    /// Whether a switch is a host itself.
    fn has_own_adapter(&self, at: usize) -> bool {
        self.first == 0 && at < self.hosts
    }

    fn switch(&self, at: usize) -> String {
        let own = u32::from(self.first == 0);
        let (switch, guid) = ((at - self.first) as u64, self.switch_guid(at));
        let known = self.naming.of_switch(switch).map(|known| known.count);
        let ports = known.unwrap_or(self.network.ports() + own);
        let name = self.naming.switch_name(switch);
        described("SW", ports, guid, guid, &name, self.switch_id(at))
    }

    fn host(&self, at: usize) -> String {
        let (host, naming) = (at as u64, &self.naming);
        let (guid, port) = (naming.host_guid(host), naming.host_port_guid(host));
        let ports = naming.of_host(host).map_or(1, |known| known.count);
        described("CA", ports, guid, port, &naming.host_name(host), naming.host_id(host))
    }

    /// The number of the port of an adapter.
    fn host_port(&self, at: usize) -> u32 {
        let known = self.naming.of_host(at as u64).and_then(|known| known.ports.first().copied());
        known.unwrap_or(1)
    }

    fn switch_id(&self, at: usize) -> u64 {
        self.naming.switch_id((at - self.first) as u64)
    }

    fn switch_guid(&self, at: usize) -> u64 {
        self.naming.switch_guid((at - self.first) as u64)
    }
}

/// What files of a subnet call its switches, adapters and ports.
#[derive(Clone, Copy, Debug)]
pub(super) struct Naming<'a> {
    known: Option<&'a Identifiers>,
    hosts: u64,
}

impl<'a> Naming<'a> {
    /// Those of the file that the network comes from, if it has them; else those of the fabric that `ibsim` makes.
    pub(super) fn of(writing: &Writing<'a>) -> Self {
        Naming::new(writing.network, writing.has_host_links())
    }

    fn new(network: &'a dyn Network, has_host_links: bool) -> Self {
        let known = network.identifiers().filter(|_| has_host_links);
        Naming { known, hosts: network.hosts() }
    }

    /// Whether they are those of a file.
    pub(super) fn is_known(&self) -> bool {
        self.known.is_some()
    }

    fn of_host(&self, host: u64) -> Option<&'a NodeIdentifiers> {
        self.known?.of(Node(host))
    }

    fn of_switch(&self, switch: u64) -> Option<&'a NodeIdentifiers> {
        // Hosts come first.
        self.known?.of(Node(self.hosts + switch))
    }

    /// The number of a port of a node of the network, where the file has it.
    pub(super) fn port(&self, at: Node, port: Port) -> Option<u32> {
        self.known?.port(at, port)
    }

    /// The GUID of an adapter.
    fn host_guid(&self, host: u64) -> u64 {
        self.of_host(host).map_or(0x10_0000 + 2 * host, |known| known.guid)
    }

    /// That of the port of an adapter.
    pub(super) fn host_port_guid(&self, host: u64) -> u64 {
        self.of_host(host).map_or(0x10_0000 + 2 * host + 1, |known| known.port_guid)
    }

    /// That of a switch and its port 0.
    pub(super) fn switch_guid(&self, switch: u64) -> u64 {
        self.of_switch(switch).map_or(0x20_0000 + switch, |known| known.guid)
    }

    /// The local identifier of a host.
    pub(super) fn host_id(&self, host: u64) -> u64 {
        self.of_host(host).map_or(host + 1, |known| known.lid.into())
    }

    /// That of a switch: without those of a file they are numbered behind the hosts.
    pub(super) fn switch_id(&self, switch: u64) -> u64 {
        self.of_switch(switch).map_or(self.hosts + switch + 1, |known| known.lid.into())
    }

    /// What a host is called.
    pub(super) fn host_name(&self, host: u64) -> String {
        self.of_host(host).map_or_else(|| format!("H{host}"), |known| known.name.clone())
    }

    /// What a switch is called.
    pub(super) fn switch_name(&self, switch: u64) -> String {
        self.of_switch(switch).map_or_else(|| format!("S{switch}"), |known| known.name.clone())
    }
}

/// The numbers of ports: hosts first, then links by the other end, as the format `ibsim` has them.
fn numbers(links: &Links, first: usize, hosts: usize, naming: &Naming<'_>) -> Vec<u32> {
    let mut numbers = vec![0; links.slots()];
    if naming.is_known() {
        for at in 0..links.order() {
            for (port, slot) in (0..).map(Port).zip(links.first(at)..links.first(at + 1)) {
                numbers[slot] = naming.port(Node(at as u64), port).unwrap_or(0);
            }
        }
        return numbers;
    }
    for at in 0..links.order() {
        let mut slots: Vec<usize> = (links.first(at)..links.first(at + 1)).collect();
        slots.retain(|&slot| links.target(slot) != NONE);
        slots.sort_by_key(|&slot| links.target(slot));
        let own = u32::from(first == 0 && at < hosts);
        for (number, slot) in (own + 1..).zip(slots) {
            numbers[slot] = number;
        }
    }
    numbers
}

/// A link that is up, of any width and speed.
const LINK: &str = "PHY=4x LOG=ACT SPD=2.5";

fn described(kind: &str, ports: u32, node: u64, port: u64, name: &str, id: u64) -> String {
    format!(
        "{kind} Ports:{ports:02X} SystemGUID:{node:016x} NodeGUID:{node:016x} PortGUID:{port:016x} \
         VenID:000000 DevID:0000 Rev:000000A1 {{{name}}} LID:{id:04X}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use nestnet_routing::route::assign::{Grain, layer};
    use nestnet_routing::route::{Header, Hop, Searched, UpDownLayers, Vc};
    use nestnet_seed::samples;
    use std::sync::Arc;

    fn text(write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> String {
        let mut out = Vec::new();
        write(&mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn files_look_as_dumped() {
        let path = Arc::new(samples::path(3));
        let router = Searched::new(path.clone()).unwrap();
        let subnet = Subnet::new(&*path, &router, &Budget::UNLIMITED).unwrap();
        assert_eq!(subnet.levels(), 1);
        let links = text(|out| subnet.write_links(out));
        // A host for each of three nodes, and two links, from both sides.
        assert_eq!(links.lines().count(), 2 * 3 + 2 * 2);
        assert_eq!(
            links.lines().nth(2).unwrap(),
            "{ SW Ports:03 SystemGUID:0000000000200000 NodeGUID:0000000000200000 \
             PortGUID:0000000000200000 VenID:000000 DevID:0000 Rev:000000A1 {S0} LID:0004 PN:02 } \
             { SW Ports:03 SystemGUID:0000000000200001 NodeGUID:0000000000200001 \
             PortGUID:0000000000200001 VenID:000000 DevID:0000 Rev:000000A1 {S1} LID:0005 PN:02 } \
             PHY=4x LOG=ACT SPD=2.5"
        );
        let forwarding = text(|out| subnet.write_forwarding(out));
        let first = "dump_ucast_routes: Switch 0x0000000000200000\n\
                     LID    : Port : Hops : Optimal\n\
                     0x0001 : 001  : 01   : yes\n\
                     0x0002 : 002  : 02   : yes\n\
                     0x0003 : 002  : 03   : yes\n";
        assert!(forwarding.starts_with(first), "{forwarding}");
        let levels = text(|out| subnet.write_levels(out));
        assert_eq!(levels.lines().nth(1).unwrap(), "0x0000000000100000 2 0");
    }

    #[test]
    fn lanes_that_change_on_the_route_are_written_by_levels() {
        let ring: Arc<dyn Network> = Arc::new(samples::ring(5));
        let inner: Arc<dyn Router> = Arc::new(Searched::new(ring.clone()).unwrap());
        let turns = UpDownLayers::new(ring.clone(), inner.clone(), None);
        let subnet = Subnet::new(&*ring, &turns, &Budget::UNLIMITED).unwrap();
        assert_eq!(subnet.levels(), 2);
        assert!(text(|out| subnet.write_lanes(out)).contains(": 0 1"));
        // A lane that a message keeps is its level.
        let pairs = layer(&ring, &inner, Grain::Pair, &Budget::UNLIMITED).unwrap().unwrap();
        let subnet = Subnet::new(&*ring, &pairs, &Budget::UNLIMITED).unwrap();
        assert_eq!(subnet.levels(), usize::from(pairs.vcs()));
    }

    #[test]
    fn what_no_subnet_has_is_named() {
        /// As many virtual channels as are asked for.
        #[derive(Debug)]
        struct Many(Searched, u16);
        impl Router for Many {
            fn vcs(&self) -> u16 {
                self.1
            }

            fn next(&self, at: Node, header: Header) -> Option<Hop> {
                let hop = self.0.next(at, header)?;
                Some(Hop { vc: Vc(self.1 - 1), ..hop })
            }
        }
        let ring = Arc::new(samples::ring(5));
        let many = |vcs| Many(Searched::new(ring.clone()).unwrap(), vcs);
        assert!(Subnet::new(&*ring, &many(15), &Budget::UNLIMITED).is_ok());
        let error = Subnet::new(&*ring, &many(16), &Budget::UNLIMITED).unwrap_err().to_string();
        assert_eq!(error, "16 virtual channels are too many for a link: at most 15");
        let star = Arc::new(samples::by_rule(300, |a, _| a == 0));
        let router = Searched::new(star.clone()).unwrap();
        let error = Subnet::new(&*star, &router, &Budget::UNLIMITED).unwrap_err().to_string();
        assert_eq!(error, "299 ports are too many for a switch: at most 253");
    }
}
