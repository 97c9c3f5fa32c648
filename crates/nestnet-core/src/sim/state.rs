//! What changes from cycle to cycle: queues, virtual channels, requests, events. Flat arrays, and indices into them.

use super::config::{Config, Policy, SimError};
use super::failure::Failure;
use super::mask::Bits;
use super::ring::Ring;
use super::source::{Parcel, Source, Supply};
use super::wires::{Far, Wires};
use crate::{Budget, Hop, Node, Router};
use std::collections::VecDeque;

/// What a packet is, besides its flits.
#[derive(Clone, Debug)]
pub(super) struct Packet {
    /// The cycle in which it was made.
    pub created: u64,
    /// The cycle in which its head left the source.
    pub entered: u64,
    /// What it carries for its router.
    pub state: u64,
    pub to: Node,
    pub source: u32,
    /// Links between routers that its head took.
    pub hops: u16,
    pub size: u16,
    /// How many failures its router knows of.
    pub epoch: u32,
    /// Which message it is a part of, where there are such.
    pub message: u32,
    /// It will not arrive.
    pub lost: bool,
}

/// A flit: the number of its packet, and whether it is the first or the last.
pub(super) type Flit = u64;
pub(super) const HEAD: Flit = 1 << 32;
pub(super) const TAIL: Flit = 1 << 33;

#[inline(always)]
pub(super) fn packet_of(flit: Flit) -> usize {
    usize::try_from(flit & 0xFFFF_FFFF).unwrap_or(0)
}

/// What a queue does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// It has no packet.
    Idle,
    /// Its head is being routed.
    Routing,
    /// Its head asks for a virtual channel.
    Asking,
    /// It has one.
    Active,
}

/// One queue of an input port.
#[derive(Clone, Copy, Debug)]
pub(super) struct Queue {
    pub head: u16,
    pub length: u16,
    /// Which port of its router its packet leaves by.
    pub port: u16,
    /// Which virtual channels its packet may ask for.
    pub class: u16,
    /// Where its round robin over virtual channels of all ports stands.
    pub accept: u16,
    /// The virtual channel that it has.
    pub vc: u8,
    pub stage: Stage,
    /// Where its credits go: which router, or [`HOST`], which of all virtual channels there, and how long that takes.
    pub back: u32,
    pub back_to: u32,
    pub back_after: u32,
}

/// A virtual channel of an output port.
#[derive(Clone, Copy, Debug)]
pub(super) struct Out {
    pub credits: u16,
    /// Which queue of the router has it, or [`NOBODY`].
    pub owner: u16,
    /// Where its round robin over queues stands.
    pub grant: u16,
    /// Which of all queues it leads to; at a host which of all virtual channels it is itself.
    pub to: u32,
}

pub(super) const NOBODY: u16 = u16::MAX;

/// An output port.
#[derive(Clone, Copy, Debug)]
pub(super) struct PortState<const W: usize> {
    /// Queues that ask for the switch and have a credit.
    pub wants: Bits<W>,
    /// Queues that ask for a virtual channel.
    pub asks: Bits<W>,
    /// Virtual channels that nobody has.
    pub free: u64,
    /// Flits that took it while it was measured.
    pub sent: u32,
    /// Where its round robin over inputs of the switch stands.
    pub grant: u16,
    /// Its link failed.
    pub dead: bool,
    /// Where its link leads; here, so that it lies beside the rest.
    pub far: Far,
}

/// An input of the switch.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Input {
    /// Where its round robin over outputs stands.
    pub accept: u16,
    /// Where its round robin over its queues stands.
    pub queue: u16,
}

/// A router: which of its ports have requests that could be granted.
#[derive(Clone, Copy, Debug)]
pub(super) struct RouterState<const W: usize> {
    pub switch: Bits<W>,
    pub vcs: Bits<W>,
    /// Its first port among all, and how many it has.
    pub base: u32,
    pub count: u32,
}

/// A flit that is received.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrival {
    pub router: u32,
    /// The queue; at a host the virtual channel by which it came.
    pub at: u32,
    pub flit: Flit,
}

/// A credit of a virtual channel, or a queue of a router.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event {
    pub router: u32,
    pub at: u32,
}

/// Pairs of an output and what it goes to; kept for their memory.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    pub granted: Vec<(usize, usize)>,
    pub accepted: Vec<(usize, usize)>,
    pub offers: Vec<(usize, u64)>,
    pub hops: Vec<Hop>,
}

/// Sums of delays that are needed for every flit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Delays {
    /// From winning the switch to being received, besides the link.
    pub crossed: u64,
    /// From winning the switch to when the credit can be used upstream or at a source, besides the link.
    pub credit: u64,
    pub source_credit: u64,
    /// From being received to when a head asks for a virtual channel.
    pub routed: u64,
    /// From the tail winning the switch to when the next head asks.
    pub next: u64,
}

impl Delays {
    fn new(config: &Config) -> Self {
        let switch = u64::from(config.switch_delay);
        let routed = u64::from(config.routing_delay) + u64::from(config.vc_delay) - 1;
        Delays {
            crossed: switch + u64::from(config.st_delay),
            credit: switch + u64::from(config.credit_delay),
            source_credit: switch,
            routed,
            next: switch + routed,
        }
    }
}

/// A network while it is simulated.
#[derive(Debug)]
pub(super) struct Engine<'a, const W: usize> {
    pub wires: &'a Wires,
    pub config: &'a Config,
    pub router: &'a dyn Router,
    pub delays: Delays,
    /// Of `wires` and `config`, at hand: virtual channels and queues of a port, queues and inputs of the switch, room.
    pub vcs: usize,
    pub slots: usize,
    pub group: usize,
    pub buffer: usize,
    pub now: u64,
    pub routers: Vec<RouterState<W>>,
    pub ports: Vec<PortState<W>>,
    pub inputs: Vec<Input>,
    pub queues: Vec<Queue>,
    pub outs: Vec<Out>,
    pub flits: Vec<Flit>,
    /// Routers with requests that could be granted.
    pub busy: Vec<u64>,
    /// For a queue of a router, its input of the switch.
    pub input_of: Vec<u16>,
    /// Virtual channels that each class of the router may take; the last is all of them.
    pub classes: Vec<u64>,
    /// For each router and target the port and the class, where a router remembers nothing and they are few; 0 where
    /// nobody asked yet.
    pub routes: Vec<u32>,
    pub targets: usize,
    pub packets: Vec<Packet>,
    pub unused: Vec<u32>,
    pub arrivals: Ring<Arrival>,
    pub ejections: Ring<Arrival>,
    pub credits: Ring<Event>,
    pub wakes: Ring<Event>,
    /// Credits for sources.
    pub returns: Ring<u32>,
    pub supply: Supply<'a>,
    pub sources: Vec<Source>,
    /// What each source sends, where that is not drawn by lot.
    pub parcels: Option<Vec<VecDeque<Parcel>>>,
    /// Credits of each virtual channel of each source.
    pub source_credits: Vec<u16>,
    /// Sources that have something to send.
    pub sending: Vec<u64>,
    /// When the others will.
    pub alarm: Ring<u32>,
    pub scratch: Scratch,
    /// What is still to fail, and how often something did.
    pub failures: &'a [Failure<'a>],
    pub epoch: u32,
    pub seen: Seen,
    /// What stopped it.
    pub broken: Option<SimError>,
}

/// What is counted in every cycle.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// Flits that crossed a switch.
    pub flit_hops: u64,
    /// Flits that left a source, and that came to a host.
    pub injected: u64,
    pub ejected: u64,
    /// Packets that left a source, and that came to a host whole.
    pub entered: u64,
    pub arrived: u64,
    /// The last cycle in which a flit crossed a switch.
    pub moved: u64,
    /// Messages of which a packet left its source in this cycle.
    pub sent: Vec<u32>,
    /// Packets that came to a host in this cycle.
    pub delivered: Vec<Packet>,
    /// The first cycle that is measured, and the one behind the last.
    pub window: (u64, u64),
    /// Packets made in the window that left their source, and their flits.
    pub marked: u64,
    pub marked_flits: u64,
    /// Packets that never arrive, those of them that were made in the window, and flits that were dropped.
    pub lost: u64,
    pub lost_marked: u64,
    pub dropped: u64,
}

/// More routes than this are asked for each time.
const MAX_ROUTES: usize = 1 << 21;

/// The masks of virtual channels of a router's classes, in equal shares, and all of them.
pub(super) fn classes(vcs: u16, used: u16) -> Result<Vec<u64>, SimError> {
    if used > vcs {
        return Err(SimError::TooFewVcs { needed: used, vcs });
    }
    let below = |end: u32| if end == 64 { u64::MAX } else { (1 << end) - 1 };
    let share = |class: u16| u32::from(class) * u32::from(vcs) / u32::from(used.max(1));
    let shares = (0..used).map(|class| below(share(class + 1)) & !below(share(class)));
    Ok(shares.chain([below(vcs.into())]).collect())
}

#[inline(always)]
pub(super) fn narrow(index: usize) -> u16 {
    u16::try_from(index & 0xFFFF).unwrap_or(0)
}

#[inline(always)]
pub(super) fn index32(index: usize) -> u32 {
    u32::try_from(index & 0xFFFF_FFFF).unwrap_or(0)
}

impl<'a, const W: usize> Engine<'a, W> {
    pub fn new(
        wires: &'a Wires,
        config: &'a Config,
        rule: &'a dyn Router,
        supply: Supply<'a>,
        budget: &Budget<'_>,
    ) -> Result<Self, SimError> {
        budget.check()?;
        let (ports, vcs, slots) = (wires.far.len(), wires.vcs, wires.slots);
        let hosts = wires.hosts.len();
        let (longest, credit) = (u64::from(wires.longest), u64::from(config.credit_delay));
        let stages = u64::from(config.switch_delay) + u64::from(config.st_delay);
        let wait = u64::from(config.switch_delay)
            + u64::from(config.routing_delay)
            + u64::from(config.vc_delay);
        let all = if vcs == 64 { u64::MAX } else { (1 << vcs) - 1 };
        let port = |&far: &Far| PortState {
            wants: [0; W],
            asks: [0; W],
            free: all,
            sent: 0,
            grant: 0,
            dead: false,
            far,
        };
        let queue = |index: usize| {
            let (back_to, far) = wires.credit_of(index);
            Queue {
                head: 0,
                length: 0,
                port: 0,
                class: 0,
                accept: 0,
                vc: 0,
                stage: Stage::Idle,
                back: far.router,
                back_to,
                back_after: far.latency,
            }
        };
        let out = |index: usize| {
            let to = wires.queue_behind(index);
            Out { credits: config.buffer, owner: NOBODY, grant: 0, to }
        };
        let router = |router: usize| RouterState {
            switch: [0; W],
            vcs: [0; W],
            base: wires.ports[router],
            count: index32(wires.count(router)),
        };
        let local = wires.most_ports * slots;
        let targets = wires.routers() + usize::try_from(wires.first).unwrap_or(usize::MAX / 2);
        let fixed = config.policy != Policy::Adaptive
            && !rule.remembers()
            && wires.routers().saturating_mul(targets) <= MAX_ROUTES;
        let mut engine = Engine {
            wires,
            config,
            router: rule,
            delays: Delays::new(config),
            vcs,
            slots,
            group: wires.group,
            buffer: usize::from(config.buffer),
            now: 0,
            routers: (0..wires.routers()).map(router).collect(),
            ports: wires.far.iter().map(port).collect(),
            inputs: vec![Input::default(); ports * wires.inputs],
            queues: (0..ports * slots).map(queue).collect(),
            outs: (0..ports * vcs).map(out).collect(),
            flits: vec![0; ports * slots * usize::from(config.buffer)],
            busy: vec![0; wires.routers().div_ceil(64)],
            input_of: (0..local).map(|slot| narrow(slot / wires.group)).collect(),
            classes: classes(config.vcs, rule.vcs())?,
            routes: vec![0; if fixed { wires.routers() * targets } else { 0 }],
            targets,
            packets: Vec::new(),
            unused: Vec::new(),
            arrivals: Ring::new(stages + longest),
            ejections: Ring::new(stages + longest),
            credits: Ring::new(u64::from(config.switch_delay) + longest + credit),
            wakes: Ring::new(wait),
            returns: Ring::new(u64::from(config.switch_delay) + longest),
            supply,
            sources: Vec::with_capacity(hosts),
            parcels: None,
            source_credits: vec![config.buffer; hosts * vcs],
            sending: vec![0; hosts.div_ceil(64)],
            alarm: Ring::new(1 << 10),
            scratch: Scratch::default(),
            failures: &[],
            epoch: 0,
            seen: Seen::default(),
            broken: None,
        };
        engine.start_sources();
        Ok(engine)
    }

    /// A place for a packet.
    #[inline]
    pub fn keep(&mut self, packet: Packet) -> u32 {
        match self.unused.pop() {
            Some(place) => {
                self.packets[place as usize] = packet;
                place
            }
            None => {
                self.packets.push(packet);
                index32(self.packets.len() - 1)
            }
        }
    }

    #[inline(always)]
    pub fn make_busy(&mut self, router: usize) {
        self.busy[router / 64] |= 1 << (router % 64);
    }
}
