//! A network and its routes as the files of an InfiniBand subnet: what OpenSM dumps and `ibdmchk` judges.
//!
//! Every node becomes a switch, and every host also a channel adapter on port 1 of its switch; port `p` of a node is
//! port `p + 2`. A packet keeps its *service level*, and each switch chooses its *virtual lane* from the level, the
//! port where it came in and the port where it goes out. Virtual channels that change along a route can be said in
//! these terms as long as 16 levels are enough to tell the routes apart, which is tried route by route and not proven
//! impossible where it fails.

use crate::measure::Interrupted;
use crate::route::assign::Turning;
use crate::route::deadlock::{DeadlockError, Links};
use crate::route::{Router, Table, TableError, WalkError, walk};
use crate::{Budget, Network, Node, Port};
use std::io::{self, Write};
use thiserror::Error;

/// A subnet in memory, ready to be written.
#[derive(Debug)]
pub struct Subnet<'a> {
    network: &'a dyn Network,
    hosts: usize,
    turning: Turning,
    /// By target and then node: the port toward it and the hops that are left.
    forwarding: Vec<Option<(Port, u32)>>,
    /// By target and then source.
    levels: Vec<u8>,
    /// For each level the lane of every turn, then of every first hop.
    lanes: Vec<Vec<u8>>,
}

/// Service levels of a packet.
pub const MAX_LEVELS: usize = 16;

/// Virtual lanes for data.
pub const MAX_LANES: u16 = 15;

/// Ports of a switch, the one of its host included.
pub const MAX_PORTS: u32 = 254;

/// Addresses for single ports.
const MAX_IDS: u64 = 0xbfff;

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
    /// Stopped.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

impl<'a> Subnet<'a> {
    /// The first of its choices for every pair of hosts. O(hops of all routes · levels).
    ///
    /// ```
    /// use nestnet_core::Budget;
    /// use nestnet_core::format::infiniband::Subnet;
    /// use nestnet_core::route::Searched;
    /// use nestnet_core::{Csr, Network};
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
        limits.affords("following all routes", 64 * pairs).map_err(DeadlockError::from)?;
        limits.fits("all paths", 16 * pairs).map_err(DeadlockError::from)?;
        let table = match Table::new(network, router, limits) {
            Err(TableError::Interrupted(stopped)) => return Err(stopped.into()),
            table => table.ok(),
        };
        let turning = Turning::new(Links::new(network, limits)?, limits)?;
        let size = |count: u64| usize::try_from(count).expect("at most 2^16");
        let mut subnet = Subnet {
            network,
            hosts: size(hosts),
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
        for at in (0..self.network.order()).map(Node) {
            let switch = self.switch(at);
            if index(at) < self.hosts {
                let host = self.host(at);
                writeln!(output, "{{ {host} PN:01 }} {{ {switch} PN:01 }} {LINK}")?;
                writeln!(output, "{{ {switch} PN:01 }} {{ {host} PN:01 }} {LINK}")?;
            }
            let mut links = Vec::new();
            self.network.for_each_neighbor(at, &mut |port, next| links.push((port, next)));
            for (port, next) in links {
                let mut back = Port(0);
                self.network.for_each_neighbor(next, &mut |port, to| {
                    if to == at {
                        back = port;
                    }
                });
                let (port, back) = (outer(port), outer(back));
                let other = self.switch(next);
                writeln!(
                    output,
                    "{{ {switch} PN:{port:02X} }} {{ {other} PN:{back:02X} }} {LINK}"
                )?;
            }
        }
        output.flush()
    }

    /// The forwarding table of every switch: `opensm.fdbs`.
    pub fn write_forwarding(&self, mut output: impl Write) -> io::Result<()> {
        let order = self.turning.links.order();
        for at in 0..order {
            writeln!(output, "dump_ucast_routes: Switch {:#018x}", switch_guid(at))?;
            writeln!(output, "LID    : Port : Hops : Optimal")?;
            for to in 0..self.hosts {
                let id = host_id(to);
                if to == at {
                    writeln!(output, "0x{id:04X} : 001  : 01   : yes")?;
                } else if let Some((port, left)) = self.forwarding[to * order + at] {
                    let (port, hops) = (outer(port), left + 2);
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
            writeln!(output, "{:#018x} {} {level}", host_guid(from), host_id(to))?;
        }
        output.flush()
    }

    /// The virtual lane of every level, port in and port out of every switch: `sl2vl.txt`.
    pub fn write_lanes(&self, mut output: impl Write) -> io::Result<()> {
        let links = &self.turning.links;
        for host in 0..self.hosts {
            writeln!(
                output,
                "Channel Adapter {:#018x}, base LID {}",
                host_guid(host),
                host_id(host)
            )?;
            writeln!(output, "0 0 :{}", " 0".repeat(MAX_LEVELS))?;
        }
        for at in 0..links.order() {
            writeln!(output, "Switch {:#018x}, base LID {}", switch_guid(at), self.switch_id(at))?;
            // Where packets come in: the own host, then the slots of the neighbors that lead here.
            let mut ways_in = vec![(1, None)];
            self.network.for_each_neighbor(Node(at as u64), &mut |port, neighbor| {
                self.network.for_each_neighbor(neighbor, &mut |back, to| {
                    if index(to) == at {
                        ways_in.push((outer(port), Some(self.turning.slot(index(neighbor), back))));
                    }
                });
            });
            for (port_in, from) in ways_in {
                writeln!(output, "{port_in} 1 :{}", " 0".repeat(MAX_LEVELS))?;
                for slot in links.first(at)..links.first(at + 1) {
                    let turn = match from {
                        Some(from) => self.turning.between(from, slot),
                        None => self.turning.count() + slot,
                    };
                    write!(output, "{port_in} {} :", slot - links.first(at) + 2)?;
                    for level in 0..MAX_LEVELS {
                        let lane = self.lanes.get(level).map_or(OPEN, |lanes| lanes[turn]);
                        write!(output, " {}", if lane == OPEN { 0 } else { lane })?;
                    }
                    writeln!(output)?;
                }
            }
        }
        output.flush()
    }

    fn switch(&self, at: Node) -> String {
        let (ports, guid, id) = (self.network.ports() + 1, switch_guid(index(at)), index(at));
        let local = self.switch_id(id);
        described("SW", ports, guid, guid, &format!("S{id}"), local)
    }

    fn host(&self, at: Node) -> String {
        let (guid, id) = (host_guid(index(at)), index(at));
        described("CA", 1, guid, guid, &format!("H{id}"), host_id(id))
    }

    /// Switches are numbered behind the hosts.
    fn switch_id(&self, at: usize) -> usize {
        self.hosts + at + 1
    }
}

/// A link that is up, of any width and speed.
const LINK: &str = "PHY=4x LOG=ACT SPD=2.5";

fn described(kind: &str, ports: u32, node: u64, port: u64, name: &str, id: usize) -> String {
    format!(
        "{kind} Ports:{ports:02X} SystemGUID:{node:016x} NodeGUID:{node:016x} PortGUID:{port:016x} \
         VenID:000000 DevID:0000 Rev:000000A1 {{{name}}} LID:{id:04X}"
    )
}

fn switch_guid(at: usize) -> u64 {
    0x20_0000 + at as u64
}

fn host_guid(at: usize) -> u64 {
    0x10_0000 + at as u64
}

/// The local identifier of a host.
fn host_id(at: usize) -> usize {
    at + 1
}

/// The number of a port on its switch.
fn outer(port: Port) -> u32 {
    port.0 + 2
}

fn index(node: Node) -> usize {
    usize::try_from(node.0).expect("at most 2^16 nodes")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::samples;
    use crate::route::assign::{Grain, layer};
    use crate::route::{Header, Hop, Searched, Turns, Vc};
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
    fn lanes_that_change_on_the_way_are_told_by_levels() {
        let ring: Arc<dyn Network> = Arc::new(samples::ring(5));
        let inner: Arc<dyn Router> = Arc::new(Searched::new(ring.clone()).unwrap());
        let turns = Turns::new(ring.clone(), inner.clone(), None);
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
