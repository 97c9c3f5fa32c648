//! Devices: whoever runs the cycles of a simulation in place of threads, such as a GPU, with the same results.
//!
//! A device gets a [`Model`]: all that does not change, as plain numbers. It makes exactly the decisions of the engine on
//! the CPU, and gives back what is counted and the packets that arrived; what is measured of them is the same code.

use super::config::{Allocator, Config, Own, Record, SimError, Switching};
use super::source::Supply;
use super::state::{Classes, Delays};
use super::topology::{HOST, Topology};
use nestnet_routing::Router;
use nestnet_routing::traffic::{Pattern, Traffic};
use std::fmt;

/// Something that runs simulations.
pub trait Device: fmt::Debug + Sync {
    /// Bytes that may be used on it.
    fn room(&self) -> Result<u64, SimError>;

    /// A network before its first cycle.
    fn start<'d>(&'d self, model: &Model<'_>) -> Result<Box<dyn DeviceCycles + 'd>, SimError>;
}

/// A network while a device simulates it.
pub trait DeviceCycles {
    /// So many cycles it runs at once, at most.
    fn most_cycles(&self) -> u64;

    /// Runs all cycles from one to before another. Packets made in `window` are counted as marked, those behind it as
    /// later. `given` are the packets of hosts, where the device does not make them itself. Those that arrived are written
    /// to `arrived`, in any order.
    fn run(
        &mut self,
        cycles: std::ops::Range<u64>,
        window: (u64, u64),
        given: Option<&GivenPackets>,
        arrived: &mut Vec<ArrivedPacket>,
    ) -> Result<Counts, SimError>;

    /// For each host, the cycle in which the packet is made that it sends next; `u64::MAX` where there is none.
    fn next_packets(&self) -> Result<Vec<u64>, SimError>;

    /// For each host, how many packets it took, where these are given.
    fn taken(&self) -> Result<Vec<u32>, SimError>;

    /// For each of all ports, the flits that took it from the first cycle on.
    fn sent(&self) -> Result<Vec<u32>, SimError>;

    /// Whether packets wait in a dependency cycle.
    fn is_deadlocked(&self) -> Result<bool, SimError>;

    /// The state of all queues and virtual channels, to tell such a cycle.
    fn snapshot(&self) -> Result<Snapshot, SimError>;
}

/// What is counted from the first cycle on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Flits that left a source.
    pub injected: u64,
    /// Flits that came to a host.
    pub ejected: u64,
    /// Packets that left a source.
    pub entered: u64,
    /// Packets that came to a host whole.
    pub arrived: u64,
    /// Packets made in the window that left their source.
    pub marked: u64,
    /// Their flits.
    pub marked_flits: u64,
    /// Packets made behind the window that left their source.
    pub later: u64,
    /// Their flits.
    pub later_flits: u64,
    /// The cycles in which packets entered, less those in which they arrived, summed modulo 2^64.
    pub times: u64,
    /// The last cycle in which a flit crossed a switch.
    pub moved: u64,
    /// Packets that found no route around what failed, and left the network where they were.
    pub lost: u64,
    /// Those of them that were made in the window.
    pub lost_marked: u64,
    /// Their flits, in all.
    pub dropped: u64,
    /// The router where a packet could not go on in the last cycle, and its target: the first of them.
    pub broken: Option<(u64, u64)>,
}

/// A packet that arrived: target and source; the cycles in which it was made and entered, each modulo 2^32; the cycle in
/// which it arrived, modulo 2^32, and from bit 32 on its links and from bit 48 on its flits. Where packets are named
/// ([`Model::names_packets`]), every flit that arrives from the begin of the window on is one such row, whose flits are 0
/// unless it is the last of its packet.
pub type ArrivedPacket = [u64; 3];

/// The packets that hosts send next, where the device does not make them itself: packet `k` of a host is in row
/// `k % depth`, at the place of the host.
#[derive(Clone, Debug, Default)]
pub struct GivenPackets {
    /// Rows.
    pub depth: u64,
    /// The cycle in which it is made.
    pub created: Vec<u64>,
    /// Its target, [`NO_TARGET`] where it is not sent, and from bit 32 on its header.
    pub target: Vec<u64>,
    /// Its flits.
    pub flits: Vec<u64>,
}

/// A packet that is not sent: its host loses the cycle.
pub const NO_TARGET: u64 = 0xFFFF_FFFF;

/// The state of a network, by port, queue and virtual channel of all.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// For each queue.
    pub queues: Vec<QueueSnapshot>,
    /// For each virtual channel of each port, its credits and the queue of the router that has it.
    pub outs: Vec<(u16, Option<u16>)>,
    /// For each port, its virtual channels that nobody has.
    pub free: Vec<u64>,
}

/// The state of a queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueueSnapshot {
    /// What it does: 0 idle, 1 its head is being routed, 2 its head asks for a virtual channel, 3 it has one.
    pub stage: u8,
    /// Flits in it.
    pub length: u16,
    /// The port of its router by which its packet leaves.
    pub port: u16,
    /// The virtual channel that it has.
    pub vc: u8,
    /// The class of virtual channels that it may take.
    pub class: u8,
    /// The source of its packet.
    pub source: u32,
    /// The target of its packet.
    pub to: u32,
}

/// The other end of a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FarEnd {
    /// A port of a router.
    Router {
        /// Which.
        router: u32,
        /// Its port.
        port: u32,
    },
    /// A host.
    Host(u32),
}

/// How routes are found.
#[derive(Clone, Debug)]
pub enum Routes {
    /// By target and router, or by the number of a header at a router: port and, from bit 16 on, class; [`NO_ROUTE`] where
    /// there is none.
    Table {
        /// Row by row.
        hops: Vec<u32>,
        /// Where headers have numbers, that of the header at the next router, and the target of each.
        next: Option<(Vec<u32>, Vec<u32>)>,
    },
    /// The first digit that differs goes first.
    Digits(Vec<DigitRoutes>),
    /// Two types of `n` clusters of `n` nodes each, as [`ClosedForm::Clusters`](nestnet_routing::route::ClosedForm) has it.
    Clusters {
        /// Nodes of a cluster.
        n: u64,
        /// The port of the link between clusters, of a node.
        cross: u32,
        /// Virtual channels of a set.
        width: u32,
        /// For every two nodes of a cluster, port of a node and from bit 16 on virtual channel.
        legs: Vec<u32>,
    },
    /// Dimension order with a state that is kept on a ring.
    Rings {
        /// Side, stride and whether it is a ring, the least significant first.
        lines: Vec<(u64, u64, bool)>,
        /// By dimension, up and down, and router: the port of the router.
        ports: Vec<u32>,
    },
}

/// The routes of one digit.
#[derive(Clone, Debug)]
pub struct DigitRoutes {
    /// How many values it has.
    pub side: u64,
    /// What it is multiplied by.
    pub stride: u64,
    /// For every two values, port of a node and from bit 16 on virtual channel.
    pub hops: Vec<u32>,
}

/// A packet does not go on from there.
pub const NO_ROUTE: u32 = u32::MAX;

/// Where packets of a host go, as far as a device can know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Making {
    /// Only whoever asks the traffic knows.
    Asked,
    /// To all hosts alike, among them to itself where that is sent.
    Uniform(Own),
    /// For each host where it sends all, if it does.
    Fixed(Vec<Option<u32>>),
}

impl Making {
    /// What a traffic is, as [`destinations`](super::destinations) draws it.
    pub fn of(traffic: &Traffic, own: Own) -> Self {
        match &traffic.pattern {
            Pattern::Uniform if own == Own::Sent || traffic.hosts > 1 => Making::Uniform(own),
            Pattern::Permuted(permutation) => {
                let target = |from: u64| {
                    let to = permutation.target(from);
                    u32::try_from(to).ok().filter(|_| own == Own::Sent || to != from)
                };
                Making::Fixed((0..traffic.hosts).map(target).collect())
            }
            _ => Making::Asked,
        }
    }
}

/// How a device makes packets.
#[derive(Clone, Debug)]
pub struct Sources {
    /// Where they go; it is not [`Making::Asked`].
    pub making: Making,
    /// For each binary digit of the cycles between packets its probability in parts of 2^64, the lowest first.
    pub digits: Vec<u64>,
    /// Sizes, and up to which of 2^53 draws each is meant.
    pub sizes: Vec<(u16, u64)>,
    /// How many ways the router has to start.
    pub choices: u64,
    /// For each host where its random numbers stand, when its first packet is made, and its flits.
    pub first: Vec<(u64, u64, u16)>,
}

/// A network as a device simulates it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Model<'a> {
    wires: &'a Topology,
    /// Virtual channels of a link.
    pub vcs: u32,
    /// Inputs of the switch that a port has.
    pub inputs: u32,
    /// Queues that share an input.
    pub group: u32,
    /// Queues of a port.
    pub slots: u32,
    /// Flits of a queue.
    pub buffer: u32,
    /// Flits of the largest packet.
    pub longest_packet: u16,
    /// Cycles from winning the switch to being received, besides the link.
    pub crossed: u64,
    /// Cycles from winning the switch to when the credit can be used upstream, besides the link.
    pub credit: u64,
    /// The same at a source.
    pub source_credit: u64,
    /// Cycles from when a host takes a flit to when the credit can be used, besides the link.
    pub host_credit: u64,
    /// Cycles from being received to when a head asks for a virtual channel.
    pub routed: u64,
    /// Cycles from the tail winning the switch to when the next head asks.
    pub next: u64,
    /// Whether a packet goes on only where there is room for all of it.
    pub cut_through: bool,
    /// Whether queues choose first when virtual channels are given.
    pub vcs_input_first: bool,
    /// Whether inputs choose first when the switch is given.
    pub switch_input_first: bool,
    /// The virtual channels of each class.
    pub masks: Vec<u64>,
    /// Whether a packet without a route leaves the network where it is, as links have failed before the first cycle.
    pub loses: bool,
    /// Whether source and target of packets that arrive are needed, and every flit of the window: see [`ArrivedPacket`].
    pub names_packets: bool,
    /// How routes are found.
    pub routes: Routes,
    /// Virtual channels of the router from this on are folded into the one before.
    pub fold: u32,
    /// How packets are made; none where they are given.
    pub sources: Option<Sources>,
    /// Rows of [`GivenPackets`], where they are given: a device runs fewer cycles at once.
    pub depth: u64,
}

/// Packets that a host is given at once.
const DEPTH: u64 = 33;

impl<'a> Model<'a> {
    /// What a device can simulate; an error that names what it cannot.
    pub(super) fn new(
        wires: &'a Topology,
        config: &Config,
        router: &dyn Router,
        supply: &Supply<'_>,
        (making, routes): (&Making, Routes),
        loses: bool,
    ) -> Result<Self, SimError> {
        let (delays, classes) = (Delays::new(config), Classes::new(config, router)?);
        let masks = (0..=classes.all).map(|class| classes.mask(class)).collect();
        let wide = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
        let input_first = |allocator| allocator == Allocator::SeparableInputFirst;
        Ok(Model {
            wires,
            vcs: wide(wires.vcs),
            inputs: wide(wires.inputs),
            group: wide(wires.group),
            slots: wide(wires.slots),
            buffer: config.buffer.into(),
            longest_packet: config.longest_packet(),
            crossed: delays.crossed.into(),
            credit: delays.credit.into(),
            source_credit: delays.source_credit.into(),
            host_credit: 1 + u64::from(config.credit_delay),
            routed: delays.routed,
            next: delays.next,
            cut_through: config.switching == Switching::CutThrough,
            vcs_input_first: input_first(config.vc_allocator),
            switch_input_first: input_first(config.switch_allocator),
            masks,
            loses,
            names_packets: config.record != Record::default(),
            routes,
            fold: router.vcs().max(1).into(),
            sources: sources(wires, router, supply, making),
            depth: DEPTH,
        })
    }

    /// How many routers there are.
    pub fn routers(&self) -> usize {
        self.wires.routers()
    }

    /// How many hosts there are.
    pub fn hosts(&self) -> usize {
        self.wires.hosts.len()
    }

    /// The most ports of a router.
    pub fn most_ports(&self) -> usize {
        self.wires.most_ports
    }

    /// The longest latency of a link.
    pub fn longest(&self) -> u64 {
        self.wires.longest.into()
    }

    /// The ports of a router among all.
    pub fn ports(&self, router: usize) -> std::ops::Range<usize> {
        self.wires.base(router)..self.wires.base(router) + self.wires.count(router)
    }

    /// The other end of one of all ports, and the cycles on the link.
    pub fn far(&self, port: usize) -> (FarEnd, u16) {
        let far = self.wires.far[port];
        let end = match far.router {
            HOST => FarEnd::Host(far.port),
            router => {
                let first = self.wires.ports[router as usize];
                FarEnd::Router { router, port: far.port - first }
            }
        };
        (end, far.latency)
    }

    /// The router of a host, its port there, and the cycles between them.
    pub fn host(&self, host: usize) -> (u32, u32, u16) {
        let (port, router) = self.wires.hosts[host];
        let first = self.wires.ports[router as usize];
        (router, port - first, self.wires.far[port as usize].latency)
    }

    /// The queue of a port for a virtual channel.
    pub fn slot_of(&self, vc: usize) -> u8 {
        self.wires.slot_of[vc]
    }

    /// The virtual channel of a queue of a port.
    pub fn vc_of(&self, slot: usize) -> u8 {
        self.wires.vc_of[slot]
    }

    /// The ports of nodes.
    pub fn node_ports(&self) -> usize {
        self.wires.node_ports()
    }

    /// Which port of a router a port of its node is.
    pub fn local(&self, router: usize, port: u32) -> Option<usize> {
        self.wires.local(router, nestnet_graph::Port(port))
    }
}

/// How packets are made, where a device can.
fn sources(
    wires: &Topology,
    router: &dyn Router,
    supply: &Supply<'_>,
    making: &Making,
) -> Option<Sources> {
    // Where a start depends on a choice, it is kept in the header: only that of rings is known to a device.
    let is_plain = !router.remembers() || router.choices() == 1 || has_rings(router);
    if *making == Making::Asked || !is_plain || supply.is_bursty() {
        return None;
    }
    if router.remembers() && !has_rings(router) || wires.has_ends() && router.remembers() {
        return None;
    }
    let digits = supply.rate().gap.digits()?.to_vec();
    let whole = (1u64 << 53) as f64;
    let size = |&(size, most): &(u16, f64)| (size, super::random::whole((most * whole).ceil()));
    let first = (0..).take(wires.hosts.len()).map(|host| {
        let source = supply.source(host);
        (source.random.counter(), source.next, source.size)
    });
    Some(Sources {
        making: making.clone(),
        digits,
        sizes: supply.rate().sizes.iter().map(size).collect(),
        choices: router.choices(),
        first: first.collect(),
    })
}

/// Whether the state of headers is that of rings.
fn has_rings(router: &dyn Router) -> bool {
    let mut has = false;
    router.closed_form(&mut |form| {
        has = matches!(form, nestnet_routing::route::ClosedForm::Rings { .. });
    });
    has
}

/// What a device has no model of, by the name of its option.
pub(super) fn refused(config: &Config, router: &dyn Router) -> Option<&'static str> {
    let rows = [
        (router.queue_choice().is_some(), "a router that compares queues, such as `router=ugal`"),
        (router.adapts(), "a router that adapts, such as `router=adaptive`"),
    ];
    let of_router = || rows.into_iter().find(|(is_asked, _)| *is_asked).map(|(_, name)| name);
    config.refused_by_devices().or_else(of_router)
}
