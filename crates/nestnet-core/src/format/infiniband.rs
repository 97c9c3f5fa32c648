//! A network and its routes as the files of an InfiniBand subnet: what OpenSM dumps and `ibdmchk` judges.
//!
//! Every node becomes a switch, and every host also a channel adapter on port 1 of its switch; port `p` of a node is
//! port `p + 2`. A packet keeps its *service level*, and each switch chooses its *virtual lane* from the level, the
//! port where it came in and the port where it goes out. Virtual channels that change along a route can be said in
//! these terms as long as 16 levels are enough to tell the routes apart, which is tried route by route.

use crate::measure::Interrupted;
use crate::route::assign::Turning;
use crate::route::deadlock::{DeadlockError, Limits, Links};
use crate::route::{Router, Table, TableError, WalkError, walk};
use crate::{Network, Node, Port};
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

/// Why routes cannot be those of a subnet.
#[derive(Debug, Error)]
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
        /// Where.
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
    pub fn new(
        network: &'a dyn Network,
        router: &dyn Router,
        limits: &Limits<'_>,
    ) -> Result<Self, SubnetError> {
        let (order, hosts, ports) = (network.order(), network.hosts(), network.ports());
        if order.saturating_add(hosts) > MAX_IDS {
            return Err(SubnetError::TooManyNodes { order, hosts });
        }
        if ports >= MAX_PORTS {
            return Err(SubnetError::TooManyPorts { ports });
        }
        let pairs = u128::from(hosts) * u128::from(order);
        limits.affords(64 * pairs)?;
        limits.fits(16 * pairs)?;
        let table = match Table::new(network, router, limits.max_memory, &limits.watch) {
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
        for to in (0..hosts).map(Node) {
            limits.watch.check()?;
            for from in (0..hosts).map(Node).filter(|&from| from != to) {
                subnet.add(router, from, to)?;
            }
        }
        Ok(subnet)
    }

    /// Adds one route.
    fn add(&mut self, router: &dyn Router, from: Node, to: Node) -> Result<(), SubnetError> {
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
        let level = self.level(&asked).ok_or(SubnetError::TooManyLevels)?;
        self.levels[index(to) * self.hosts + index(from)] = level;
        Ok(())
    }

    /// The first level where all these turns are on these lanes, or can be.
    fn level(&mut self, asked: &[(usize, u8)]) -> Option<u8> {
        for level in 0..MAX_LEVELS {
            if level == self.lanes.len() {
                let turns = self.turning.count() + self.turning.links.slots();
                self.lanes.push(vec![OPEN; turns]);
            }
            let lanes = &mut self.lanes[level];
            if asked.iter().all(|&(turn, lane)| lanes[turn] == OPEN || lanes[turn] == lane) {
                asked.iter().for_each(|&(turn, lane)| lanes[turn] = lane);
                return u8::try_from(level).ok();
            }
        }
        None
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
