//! A network while it is simulated: all its parts in flat arrays, and indices into them.

use super::boundary::Boundary;
use super::config::{Allocator, Config, MAX_CLASSES, SimError, Switching};
use super::congestion::CongestionWindow;
#[cfg(test)]
use super::energy::Events;
use super::failure::Failure;
use super::link_errors::LinkErrors;
use super::persist::persist;
use super::reply_queue::Replies;
use super::ring_routes::RingRoutes;
use super::shared_buffer::SharedBuffers;
use super::source::{Parcel, Source, Supply};
use super::speculation::Speculation;
use super::state::{
    Arrival, Candidate, Classes, Decision, Delays, Flit, Input, NOBODY, Out, Packet, Place, Places,
    PortState, Queue, Ring, Route, RouterState, Scratch, Stage, diagonals, index32, narrow,
};
use super::topology::{CUT, HOST, Topology};
use nestnet_graph::{Budget, Node};
use nestnet_routing::Router;
use std::collections::VecDeque;

/// A network while it is simulated.
#[derive(Debug)]
pub(super) struct Engine<'a, const W: usize> {
    pub wires: &'a Topology,
    pub config: &'a Config,
    pub router: &'a dyn Router,
    /// How many ways of sending a packet its router has to choose from.
    pub choices: u64,
    pub delays: Delays,
    /// Of `wires` and `config`, at hand: virtual channels of a port and those of requests, queues of an input of the switch
    /// and as many bits, room of a queue behind its first flit, whether packets are cut through.
    pub vcs: usize,
    pub request_vcs: usize,
    pub group: u16,
    pub group_mask: u64,
    pub room_behind: usize,
    pub cut_through: bool,
    /// Whether virtual channels and the switch are matched in general, and whether also where a single queue asks.
    pub matches_vcs: bool,
    pub matches_switch: bool,
    pub shares_vcs: bool,
    /// Where the wavefronts of ports and of routers begin.
    pub vc_diagonals: Vec<u32>,
    pub switch_diagonals: Vec<u32>,
    pub now: u64,
    pub routers: Vec<RouterState<W>>,
    pub ports: Vec<PortState<W>>,
    pub inputs: Vec<Input>,
    pub queues: Vec<Queue>,
    /// Virtual channels of all ports, and from `source_outs` on those of the sources.
    pub outs: Vec<Out>,
    pub source_outs: usize,
    /// The flits of each queue behind the first.
    pub flits: Vec<Flit>,
    /// Routers where a queue wants the switch.
    pub busy: Vec<u64>,
    /// Ports where a queue asks for a virtual channel and one is free.
    pub asking: Vec<u32>,
    /// For a queue of a router, its input of the switch.
    pub places: Places<W>,
    pub classes: Classes,
    /// The way from each router to each target, where a router remembers nothing and they are few.
    pub routes: Vec<Route>,
    pub targets: usize,
    /// Routes by digits, where no routes are kept and the router goes by dimension order.
    pub rings: Option<RingRoutes>,
    /// Whether the router adapts, and whether it has an escape; then for each queue the candidates among which its packet chooses, and the queues that ask
    /// and may ask another port in the next cycle.
    pub adapts: bool,
    /// Whether something is to be done where a packet gets a virtual channel.
    pub settles: bool,
    pub has_escape: bool,
    pub candidates: Vec<Vec<Candidate>>,
    pub decisions: Vec<Option<Box<Decision>>>,
    pub roaming: Vec<u32>,
    pub packets: Vec<Packet>,
    pub unused: Vec<u32>,
    pub arrivals: Ring<Arrival>,
    /// Credits, for which of all virtual channels.
    pub credits: Ring<u32>,
    /// Heads that ask for a virtual channel, in which of all queues.
    pub wakes: Ring<u32>,
    pub supply: Supply<'a>,
    pub sources: Vec<Source>,
    /// What each source sends, where that is not drawn at random.
    pub parcels: Option<Vec<VecDeque<Parcel>>>,
    /// Whether hosts answer, or their packets on the way are counted.
    pub is_closed_loop: bool,
    /// Packets of each host that are on the way, where they are limited, and how many may be.
    pub outstanding: Option<(Vec<u32>, u32)>,
    /// The windows of hosts, where marks change them.
    pub windows: Option<Vec<CongestionWindow>>,
    /// Heads that ask for the switch early, where they do.
    pub speculation: Option<Speculation>,
    /// What hosts answer, where they do.
    pub replies: Option<Replies>,
    /// Sources of a host, one for each message class.
    pub sources_of_host: usize,
    /// Which of them is next in turn, where there are several.
    pub turns_of_hosts: Vec<u8>,
    /// Sources that have something to send.
    pub sending: Vec<u64>,
    /// When the others will.
    pub alarm: Ring<u32>,
    pub scratch: Scratch,
    /// Pools of buffers, where virtual channels share them.
    pub shared: Option<SharedBuffers>,
    /// Links that corrupt flits, where they do.
    pub link_errors: Option<LinkErrors>,
    /// Links to other parts, where the network is divided.
    pub boundary: Option<Box<Boundary>>,
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
    /// The same of those made behind the window.
    pub later: u64,
    pub later_flits: u64,
    /// Flits of replies that were made, that left a host, and that came to one; all others above are of requests.
    pub replies_made: u64,
    pub replies_injected: u64,
    pub replies_ejected: u64,
    /// Flits of each message class that came to a host, where there are such.
    pub by_class: [u64; MAX_CLASSES as usize],
    /// Replies to requests of the window that never arrive.
    pub lost_replies: u64,
    /// Packets that never arrive, those of them that were made in the window, and flits that were dropped.
    pub lost: u64,
    pub lost_marked: u64,
    pub dropped: u64,
}

persist!(Seen {
    flit_hops,
    injected,
    ejected,
    entered,
    arrived,
    moved,
    sent,
    delivered,
    window,
    marked,
    marked_flits,
    later,
    later_flits,
    replies_made,
    replies_injected,
    replies_ejected,
    by_class,
    lost_replies,
    lost,
    lost_marked,
    dropped,
});

/// More routes than this are asked for each time.
const MAX_ROUTES: usize = 1 << 21;

/// The same where digits say the way: a table that is not in the cache is slower.
const MAX_ROUTES_OF_LINES: usize = 1 << 16;

impl<'a, const W: usize> Engine<'a, W> {
    pub fn new(
        wires: &'a Topology,
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
            + u64::from(config.routing_cycles())
            + u64::from(config.vc_delay);
        let sources_of_host = config.sources_of_host();
        let (delays, classes) = (Delays::new(config), Classes::new(config, rule)?);
        let (queues, room_behind) = (ports * slots, usize::from(config.most_of_queue()) - 1);
        let port = |router: usize, index: usize| PortState {
            wants: [0; W],
            asks: [0; W],
            free: classes.every,
            freed: 0,
            router: index32(router),
            first_queue: index32(wires.base(router) * slots),
            first_out: index32(index * vcs),
            sent: 0,
            grant: 0,
            chosen: Place::default(),
            // To another part a cycle before it is due.
            after: delays.crossed + wires.far[index].latency
                - u16::from(wires.far[index].router == CUT),
            local: narrow(index - wires.base(router)),
            listed: false,
            dead: false,
            special: config.link_errors > 0.0 || config.shared_buffer,
        };
        let class_vcs = usize::from(config.class_vcs());
        let class_of = |vc: usize| u8::try_from(vc / class_vcs * class_vcs).unwrap_or(0);
        let slot_vcs: Vec<(u32, u8)> =
            wires.vc_of[..slots].iter().map(|&vc| (vc.into(), class_of(vc.into()))).collect();
        let queues_of_port = |router: usize, index: usize, all: &mut Vec<Queue>| {
            let far = wires.far[index];
            let first = match far.router {
                HOST => index32(ports * vcs),
                CUT => index32((ports + hosts) * vcs),
                _ => 0,
            };
            let first = first + far.port * index32(vcs);
            let delay = if far.router == HOST { delays.source_credit } else { delays.credit };
            let back_after = far.latency + delay - u16::from(far.router == CUT);
            let router = index32(router);
            all.extend(slot_vcs.iter().map(|&(vc, class)| Queue {
                front: 0,
                may: 0,
                router,
                port: 0,
                back_to: first + vc,
                back_after,
                head: 0,
                length: 0,
                accept_port: 0,
                accept_vc: 0,
                vc: 0,
                class,
                stage: Stage::Idle,
            }));
        };
        let outs_of_port = |index: usize, all: &mut Vec<Out>| {
            let far = wires.far[index];
            let first = match far.router {
                CUT => queues + ports * vcs + far.port as usize * vcs,
                HOST => queues + index * vcs,
                _ => far.port as usize * slots,
            };
            let is_link = far.router < CUT;
            all.extend((0..vcs).map(|vc| {
                let to = first + if is_link { usize::from(wires.slot_of[vc]) } else { vc };
                let to = index32(to);
                Out { credits: config.most_of_queue(), owner: NOBODY, grant: 0, to }
            }));
        };
        let source_out = |index: usize| {
            let to = wires.queue_before(index / vcs, index % vcs);
            Out { credits: config.most_of_queue(), owner: NOBODY, grant: 0, to }
        };
        let router = |router: usize| RouterState {
            switch: [0; W],
            base: wires.ports[router],
            first_input: index32(wires.base(router) * wires.inputs),
        };
        let place = |slot: usize| Place {
            input: narrow(slot / wires.group),
            first: narrow(slot / wires.group * wires.group),
        };
        let of_router =
            |router: usize| wires.base(router)..wires.base(router) + wires.count(router);
        let mut all_queues = Vec::with_capacity(queues);
        let mut outs = Vec::with_capacity((ports + hosts) * vcs);
        for router in 0..wires.routers() {
            of_router(router).for_each(|port| queues_of_port(router, port, &mut all_queues));
        }
        (0..ports).for_each(|port| outs_of_port(port, &mut outs));
        outs.extend((0..hosts * vcs).map(source_out));
        let routers = 0..wires.routers();
        let targets = wires.nodes;
        let routes = wires.routers().saturating_mul(targets);
        let rings = (rule.remembers() || routes > MAX_ROUTES_OF_LINES)
            .then(|| RingRoutes::new(wires, rule))
            .flatten();
        let fixed = !rule.adapts() && !rule.remembers() && routes <= MAX_ROUTES && rings.is_none();
        let is_limited = config.outstanding.is_some() || config.ecn.is_some();
        let link_errors = (config.link_errors > 0.0)
            .then(|| LinkErrors::new(config.link_errors, wires, supply.seed));
        let mut engine = Engine {
            wires,
            config,
            router: rule,
            choices: rule.choices(),
            delays,
            vcs,
            request_vcs: class_vcs,
            group: narrow(wires.group),
            group_mask: u64::MAX >> (64 - wires.group),
            room_behind,
            cut_through: config.switching == Switching::CutThrough,
            matches_vcs: config.is_matched(config.vc_allocator),
            matches_switch: config.speculative || config.is_matched(config.switch_allocator),
            shares_vcs: config.switching == Switching::CutThrough
                || config.vc_allocator == Allocator::Wavefront,
            vc_diagonals: diagonals(config.vc_allocator, ports),
            switch_diagonals: diagonals(config.switch_allocator, wires.routers()),
            now: 0,
            routers: routers.clone().map(router).collect(),
            ports: routers
                .flat_map(|router| of_router(router).map(move |index| (router, index)))
                .map(|(router, index)| port(router, index))
                .collect(),
            inputs: vec![Input::default(); ports * wires.inputs],
            queues: all_queues,
            outs,
            source_outs: ports * vcs,
            flits: vec![0; queues * room_behind],
            busy: vec![0; wires.routers().div_ceil(64)],
            asking: Vec::new(),
            places: std::array::from_fn(|word| std::array::from_fn(|bit| place(word * 64 + bit))),
            classes,
            routes: vec![Route::default(); if fixed { routes } else { 0 }],
            targets,
            rings,
            adapts: rule.adapts(),
            settles: rule.adapts() || config.ecn.is_some(),
            has_escape: rule.escape().is_some(),
            candidates: vec![Vec::new(); if rule.adapts() { queues } else { 0 }],
            decisions: vec![None; if rule.adapts() { queues } else { 0 }],
            roaming: Vec::new(),
            packets: Vec::new(),
            unused: Vec::new(),
            arrivals: Ring::new(stages + longest),
            credits: Ring::new(u64::from(config.switch_delay) + longest + credit),
            wakes: Ring::new(wait),
            supply,
            sources: Vec::with_capacity(hosts),
            parcels: None,
            is_closed_loop: !config.replies.is_empty() || is_limited,
            outstanding: is_limited
                .then(|| (vec![0; hosts], config.outstanding.unwrap_or(u32::MAX))),
            windows: config.ecn.map(|_| vec![CongestionWindow::new(); hosts]),
            speculation: config.speculative.then(|| Speculation::new(ports, ports * wires.inputs)),
            replies: (!config.replies.is_empty()).then(|| Replies::new(config, hosts)),
            sources_of_host,
            turns_of_hosts: vec![0; if sources_of_host > 1 { hosts } else { 0 }],
            sending: vec![0; (hosts * sources_of_host).div_ceil(64)],
            alarm: Ring::new(1 << 10),
            scratch: Scratch::default(),
            shared: config.shared_buffer.then(|| SharedBuffers::new(config, (ports + hosts) * vcs)),
            link_errors,
            boundary: None,
            failures: &[],
            epoch: 0,
            seen: Seen::default(),
            broken: None,
        };
        engine.start_sources();
        Ok(engine)
    }

    /// What is measured of ports begins anew.
    pub fn restart(&mut self) {
        self.ports.iter_mut().for_each(|port| port.sent = 0);
        self.link_errors.iter_mut().for_each(LinkErrors::restart);
    }

    /// Flits that took a link since it was measured, those that were sent again too.
    pub fn carried(&self, port: usize) -> u64 {
        let again = self.link_errors.as_ref().map_or(0, |errors| errors.again(port));
        u64::from(self.ports[port].sent) + again
    }

    /// What was done since it was measured, for its energy.
    #[cfg(test)]
    pub fn events(&self) -> Events {
        Events { crossed: self.crossed(), millimeters: self.millimeters().sum() }
    }

    /// Flits that crossed a switch since it was measured.
    pub fn crossed(&self) -> u64 {
        self.ports.iter().map(|port| u64::from(port.sent)).sum()
    }

    /// What the flits of each link took together since it was measured.
    #[cfg(test)]
    pub fn millimeters(&self) -> impl Iterator<Item = f64> + '_ {
        let lengths = self.wires.lengths.iter().enumerate();
        lengths.map(|(port, length)| self.carried(port) as f64 * length)
    }

    /// A packet cannot be routed. Of several in a cycle the first is reported, by node and target.
    #[cold]
    pub fn break_at(&mut self, at: Node, to: Node) {
        let is_first = |error: &SimError| match *error {
            SimError::Unroutable { at: other, to: its } => (at, to) < (other, its),
            _ => false,
        };
        if self.broken.as_ref().is_none_or(is_first) {
            self.broken = Some(SimError::Unroutable { at, to });
        }
    }

    /// A place for a packet.
    #[inline(always)]
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
}
