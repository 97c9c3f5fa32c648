//! Which routers, ports, queues and links are there? What does not change while a network is simulated.
//!
//! Ports of all routers are numbered one after the other, and so are queues and virtual channels: queue `k` of port `p`
//! is `p·slots + k`, virtual channel `v` behind it `p·vcs + v`. The queues of a port are ordered by the input of the
//! switch that they share, so that with input speedup the queues of one input still lie side by side.

use super::config::{Config, MAX_QUEUES, SimError};
use nestnet_graph::{Budget, Network, Node, Port};
use nestnet_routing::{Header, Router};

/// The other end of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Far {
    /// Which router, or [`HOST`].
    pub router: u32,
    /// Which of all ports; for a host its number.
    pub port: u32,
    /// Cycles on the link.
    pub latency: u16,
}

/// The end of a link that no router has.
pub(super) const HOST: u32 = u32::MAX;

/// The end of a link that a router of another part has; the port is then the place among [`Topology::cuts`].
pub(super) const CUT: u32 = u32::MAX - 1;

/// No such port.
const NONE: u16 = u16::MAX;

/// Cycles between a node that is a router and its own host.
const HOST_LATENCY: u16 = 1;

#[derive(Debug)]
pub(super) struct Topology {
    /// The node of router 0; the others follow.
    pub first: u64,
    /// Where the ports of each router begin; one entry more than routers.
    pub ports: Vec<u32>,
    pub far: Vec<Far>,
    /// For each host, its port among all, and its router.
    pub hosts: Vec<(u32, u32)>,
    /// For each router and port of its node, which of its ports that is.
    local: Vec<u16>,
    node_ports: usize,
    pub vcs: usize,
    /// Inputs of the switch that a port has.
    pub inputs: usize,
    /// Queues that share an input.
    pub group: usize,
    /// Queues of a port.
    pub slots: usize,
    /// The queue of a virtual channel, and back; `NONE` where an input has fewer.
    pub slot_of: [u8; 64],
    pub vc_of: [u8; 128],
    /// The most ports of a router.
    pub most_ports: usize,
    /// The longest latency.
    pub longest: u16,
    /// Millimeters of the link of each of all ports, where energy is asked for.
    pub lengths: Vec<f64>,
    /// Whether hosts are only ends of a link.
    has_ends: bool,
    /// Nodes of the whole network up to its last router.
    pub nodes: usize,
    /// Of a part: its first router and its first port among all of the network, and the numbers of its hosts.
    pub first_router: usize,
    pub first_port: usize,
    pub numbers: Vec<u32>,
    /// Of a part: its links to others.
    pub cuts: Vec<Cut>,
}

/// A link to another part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cut {
    /// Its port here.
    pub port: u32,
    /// Which part, and the place among the cuts there.
    pub part: u32,
    pub there: u32,
}

impl Topology {
    pub fn new(
        network: &dyn Network,
        config: &Config,
        budget: &Budget<'_>,
    ) -> Result<Self, SimError> {
        config.check()?;
        let order = network.order();
        let count = u32::try_from(order).ok().filter(|&order| order < CUT - 1);
        let order32 = count.ok_or(SimError::TooManyNodes { order })?;
        let hosts = u32::try_from(network.hosts()).unwrap_or(order32).min(order32);
        if hosts == 0 {
            return Err(SimError::NoHosts);
        }
        budget.fits("the simulator", u128::from(order) * 64)?;
        let (vcs, inputs) = (usize::from(config.vcs), usize::from(config.input_speedup));
        let group = vcs.div_ceil(inputs);
        let slots = group * inputs;
        let (mut slot_of, mut vc_of) = ([0; 64], [u8::MAX; 128]);
        for (vc, place) in slot_of.iter_mut().enumerate().take(vcs) {
            let slot = vc % inputs * group + vc / inputs;
            *place = u8::try_from(slot).unwrap_or(u8::MAX);
            vc_of[slot] = u8::try_from(vc).unwrap_or(u8::MAX);
        }
        let first = first_router(network, hosts, order32);
        let routers = usize::try_from(order32 - first).unwrap_or(0);
        let node_ports = usize::try_from(network.ports()).unwrap_or(usize::MAX);
        let mut wires = Topology {
            first: first.into(),
            ports: Vec::with_capacity(routers + 1),
            far: Vec::new(),
            hosts: vec![(HOST, HOST); usize::try_from(hosts).unwrap_or(0)],
            local: Vec::new(),
            node_ports,
            vcs,
            inputs,
            group,
            slots,
            slot_of,
            vc_of,
            most_ports: 0,
            longest: HOST_LATENCY,
            lengths: Vec::new(),
            has_ends: first > 0,
            nodes: usize::try_from(order32).unwrap_or(usize::MAX / 2),
            first_router: 0,
            first_port: 0,
            numbers: (0..hosts).collect(),
            cuts: Vec::new(),
        };
        wires.ports.push(0);
        budget.fits("the ports of the simulator", routers as u128 * node_ports as u128 * 2)?;
        wires.local = vec![NONE; routers * node_ports];
        let mut around: Vec<(Port, Node)> = Vec::new();
        for node in first..order32 {
            budget.watch.check_each(node.into())?;
            around.clear();
            network.for_each_neighbor(Node(node.into()), &mut |port, to| around.push((port, to)));
            let own = u32::from(first == 0 && node < hosts);
            let queues = (around.len() + own as usize) * slots;
            if queues > MAX_QUEUES {
                return Err(SimError::TooManyQueues { node: Node(node.into()), queues });
            }
            wires.add(network, config, node, &around, own == 1);
        }
        let bytes = wires.far.len() as u128
            * (64
                + slots as u128 * (32 + 8 * u128::from(config.most_of_queue()))
                + vcs as u128 * 12);
        budget.fits("the queues of the simulator", bytes)?;
        wires.join();
        Ok(wires)
    }

    /// Writes down the ports of one router; where they lead is still a node.
    fn add(
        &mut self,
        network: &dyn Network,
        config: &Config,
        node: u32,
        around: &[(Port, Node)],
        own: bool,
    ) {
        let index = self.ports.len() - 1;
        let router = node - u32::try_from(self.first).unwrap_or(0);
        for (place, &(port, to)) in around.iter().enumerate() {
            let local = u16::try_from(place).unwrap_or(NONE);
            self.local[index * self.node_ports + port.0 as usize] = local;
            let to32 = u32::try_from(to.0).unwrap_or(HOST);
            if config.energy {
                let level = network.level(Node(node.into()), port);
                self.lengths.push(config.energy_model.length_of(level));
            }
            if to.0 < self.first {
                let here = u32::try_from(self.far.len()).unwrap_or(HOST);
                let latency = config.latency_of(network.level(Node(node.into()), port));
                self.longest = self.longest.max(latency);
                self.hosts[to32 as usize] = (here, router);
                self.far.push(Far { router: HOST, port: to32, latency });
                continue;
            }
            let latency = config.latency_of(network.level(Node(node.into()), port));
            self.longest = self.longest.max(latency);
            let router = to32 - u32::try_from(self.first).unwrap_or(0);
            self.far.push(Far { router, port: HOST, latency });
        }
        if own {
            let here = u32::try_from(self.far.len()).unwrap_or(HOST);
            self.hosts[node as usize] = (here, router);
            // The host of a router is beside it.
            self.lengths.extend(config.energy.then_some(0.0));
            self.far.push(Far { router: HOST, port: node, latency: HOST_LATENCY });
        }
        let end = u32::try_from(self.far.len()).unwrap_or(HOST);
        self.most_ports = self.most_ports.max((end - self.ports[index]) as usize);
        self.ports.push(end);
    }

    /// Finds the port at the other end of every link.
    fn join(&mut self) {
        let routers = self.routers();
        let mut sorted: Vec<(u32, u32)> = Vec::with_capacity(self.far.len());
        for router in 0..routers {
            let own = self.ports[router]..self.ports[router + 1];
            let begin = sorted.len();
            sorted.extend(own.map(|port| (self.far[port as usize].router, port)));
            sorted[begin..].sort_unstable();
        }
        for router in 0..routers {
            let name = u32::try_from(router).unwrap_or(HOST);
            let own = &sorted[self.ports[router] as usize..self.ports[router + 1] as usize];
            for link in own.chunk_by(|a, b| a.0 == b.0).filter(|link| link[0].0 != HOST) {
                let there = link[0].0 as usize;
                let row = &sorted[self.ports[there] as usize..self.ports[there + 1] as usize];
                // Links are symmetric, by the contract of a network, and cable k is the k-th port at both ends.
                let first = row.partition_point(|&(router, _)| router < name);
                for (&(_, port), &(_, back)) in link.iter().zip(&row[first..]) {
                    self.far[port as usize].port = back;
                }
            }
        }
    }

    pub fn routers(&self) -> usize {
        self.ports.len() - 1
    }

    /// The first port of a router among all.
    #[inline(always)]
    pub fn base(&self, router: usize) -> usize {
        self.ports[router] as usize
    }

    /// How many ports a router has.
    #[inline(always)]
    pub fn count(&self, router: usize) -> usize {
        (self.ports[router + 1] - self.ports[router]) as usize
    }

    /// Which of all queues takes what a host sends by a virtual channel.
    pub fn queue_before(&self, host: usize, vc: usize) -> u32 {
        self.hosts[host].0 * u32::try_from(self.slots).unwrap_or(1) + u32::from(self.slot_of[vc])
    }

    /// How many virtual channels its links to other parts have.
    pub fn cut_channels(&self) -> usize {
        self.cuts.len() * self.vcs
    }

    /// The node that a router is.
    #[inline(always)]
    pub fn node(&self, router: usize) -> Node {
        Node(self.first + router as u64)
    }

    /// Which port of a router a port of its node is.
    #[inline(always)]
    pub fn local(&self, router: usize, port: Port) -> Option<usize> {
        let index = router * self.node_ports + port.0 as usize;
        self.local.get(index).filter(|&&local| local != NONE).map(|&local| local.into())
    }

    /// The ports of nodes.
    pub fn node_ports(&self) -> usize {
        self.node_ports
    }

    /// Whether hosts are only ends of a link.
    pub fn has_ends(&self) -> bool {
        self.has_ends
    }

    /// What a packet carries when it comes to the first router of a host. A host that is only the end of a link takes that
    /// link first. Routes around failures end at once where they begin at their target: those of a host to itself begin at
    /// its switch.
    #[inline(always)]
    pub fn first_header(
        &self,
        router: &dyn Router,
        host: usize,
        (from, to, choice): (Node, Node, u64),
        is_around: bool,
    ) -> Header {
        let header = router.start(from, to, choice);
        if !self.has_ends {
            return header;
        }
        if from != header.to {
            return router.next(from, header).map_or(header, |hop| hop.header);
        }
        match is_around && from == to {
            true => router.start(self.node(self.hosts[host].1 as usize), to, 0),
            false => header,
        }
    }

    /// So many parts at most, each of routers that follow each other and with about as many ports. O(ports).
    pub fn divide(&self, count: usize) -> Vec<Topology> {
        let begins = self.begins(count);
        let part_of = |router: u32| begins.partition_point(|&begin| begin <= router as usize) - 1;
        let ends = begins.iter().skip(1).copied().chain([self.routers()]);
        let mut parts: Vec<Topology> =
            begins.iter().zip(ends).map(|(&begin, end)| self.part(begin, end)).collect();
        // For each of all ports, its place among the cuts of its part.
        let mut places = vec![HOST; self.far.len()];
        for (part, own) in parts.iter_mut().enumerate() {
            for (port, own_far) in own.far.iter_mut().enumerate() {
                let far = self.far[own.first_port + port];
                if far.router != HOST && part_of(far.router) != part {
                    let place = u32::try_from(own.cuts.len()).unwrap_or(HOST);
                    places[own.first_port + port] = place;
                    (own_far.router, own_far.port) = (CUT, place);
                    let there = u32::try_from(part_of(far.router)).unwrap_or(HOST);
                    let here = u32::try_from(port).unwrap_or(HOST);
                    own.cuts.push(Cut { port: here, part: there, there: far.port });
                }
            }
        }
        for cut in parts.iter_mut().flat_map(|part| &mut part.cuts) {
            cut.there = places[cut.there as usize];
        }
        parts
    }

    /// The first routers of so many parts at most.
    fn begins(&self, count: usize) -> Vec<usize> {
        let (all, count) = (self.far.len() as u64, count.clamp(1, self.routers().max(1)) as u64);
        let at = |part: u64| {
            let port = u32::try_from(all * part / count).unwrap_or(HOST);
            self.ports.partition_point(|&begin| begin < port).min(self.routers() - 1)
        };
        let mut begins: Vec<usize> = (0..count).map(at).collect();
        begins.dedup();
        begins
    }

    /// Some routers, with links that lead out of them still as they are in the whole.
    fn part(&self, begin: usize, end: usize) -> Topology {
        let (first, last) = (self.base(begin), self.ports[end] as usize);
        let (begin32, first32) = (u32::try_from(begin).unwrap_or(0), self.ports[begin]);
        let numbers: Vec<u32> = (0..).take(self.hosts.len()).collect();
        let is_own = |&host: &u32| (begin..end).contains(&(self.hosts[host as usize].1 as usize));
        let numbers: Vec<u32> = numbers.into_iter().filter(is_own).collect();
        let host = |&number: &u32| {
            let (port, router) = self.hosts[number as usize];
            (port - first32, router - begin32)
        };
        let is_here = |router: u32| (begin..end).contains(&(router as usize));
        let far = |far: &Far| match far.router {
            HOST => {
                let place = numbers.partition_point(|&number| number < far.port);
                Far { port: u32::try_from(place).unwrap_or(HOST), ..*far }
            }
            router if is_here(router) => {
                Far { router: router - begin32, port: far.port - first32, ..*far }
            }
            _ => *far,
        };
        let lengths = self.lengths.get(first..last).unwrap_or_default();
        Topology {
            first: self.first + begin as u64,
            ports: self.ports[begin..=end].iter().map(|port| port - first32).collect(),
            far: self.far[first..last].iter().map(far).collect(),
            hosts: numbers.iter().map(host).collect(),
            local: self.local[begin * self.node_ports..end * self.node_ports].to_vec(),
            lengths: lengths.to_vec(),
            first_router: begin,
            first_port: first,
            numbers,
            cuts: Vec::new(),
            ..*self
        }
    }
}

/// Where there are switches and every host has one link, hosts are no routers.
fn first_router(network: &dyn Network, hosts: u32, order: u32) -> u32 {
    let has_one = |node: u32| {
        let (mut links, mut to_host) = (0, false);
        network.for_each_neighbor(Node(node.into()), &mut |_, to| {
            links += 1;
            to_host |= to.0 < hosts.into();
        });
        links == 1 && !to_host
    };
    if hosts < order && (0..hosts).all(has_one) { hosts } else { 0 }
}
