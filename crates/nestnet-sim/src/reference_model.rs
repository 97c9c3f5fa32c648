//! The simulator once more, slowly: plain objects, one flit at a time, no masks.
//!
//! Routers, ports and queues are structs in vectors, links are queues of flits and credits with the cycle in which they
//! are received, and allocators are matrices of requests. Only the streams of random numbers are shared.

use super::config::{Allocator, Config, Priority, Switching};
use super::congestion::CongestionWindow;
use super::link_errors::LINKS;
use super::random::Random;
use super::source::{Destination, Source, Supply};
use nestnet_graph::{Network, Node};
use nestnet_routing::route::QueueInfo;
use nestnet_routing::{Header, Router};
use std::collections::VecDeque;

#[derive(Clone, Debug)]
pub(super) struct ReferencePacket {
    pub source: u64,
    pub to: Node,
    pub created: u64,
    pub entered: u64,
    pub arrived: Option<u64>,
    pub hops: u64,
    header: Header,
    size: u16,
    pub is_reply: bool,
    pub class: usize,
    /// When the request was made.
    pub asked: u64,
    pub marked: bool,
    /// When it entered, or the request did.
    sent: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ReferenceFlit {
    pub packet: usize,
    pub number: u16,
    tail: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Idle,
    /// Asks for a virtual channel from that cycle on.
    Waits {
        from: u64,
        route: Option<Asks>,
    },
    /// Has one, and asks for the switch from that cycle on.
    Has {
        port: usize,
        vc: usize,
        from: u64,
    },
}

/// A hop that a packet may take: port, virtual channels, what the packet carries then, whether it is a link to a router and
/// whether it is the escape.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ReferenceCandidate {
    port: usize,
    vcs: Vec<usize>,
    header: Header,
    is_link: bool,
    is_escape: bool,
    penalty: i64,
}

/// A port, some of its virtual channels and the candidates that these are.
type Asks = (usize, Vec<usize>, Vec<ReferenceCandidate>);

#[derive(Debug)]
struct InputVc {
    /// The packet that was routed last.
    packet: usize,
    flits: VecDeque<ReferenceFlit>,
    step: Step,
    /// Over all virtual channels of all ports.
    pointer: usize,
}

#[derive(Debug)]
struct OutputVc {
    /// Flits on the link and behind it, and how many more may be sent.
    used: usize,
    credits: usize,
    taken: bool,
    /// Over all queues of all ports, in the order of switch inputs.
    pointer: usize,
}

/// What is at the other end of a port.
#[derive(Clone, Copy, Debug)]
enum End {
    Port { router: usize, port: usize },
    Host(usize),
}

#[derive(Debug)]
struct ReferencePort {
    end: End,
    latency: u64,
    queues: Vec<InputVc>,
    out: Vec<OutputVc>,
    /// Where the wavefront over its virtual channels begins.
    diagonal: usize,
    /// Of the output, over switch inputs.
    grant: usize,
    /// Of each switch input of the port: over outputs, and over its queues.
    accept: Vec<usize>,
    turn: Vec<usize>,
    /// On their way to this port: flits with their virtual channel, credits.
    flits: Vec<(u64, usize, ReferenceFlit)>,
    credits: Vec<(u64, usize)>,
    /// Round robins of bids: of the output, and of each switch input.
    bid_grant: usize,
    bid_accept: Vec<usize>,
    bid_turn: Vec<usize>,
    /// Of its link: what corrupts flits, when the last arrived, and millimeters.
    errors: Random,
    last_arrival: Option<u64>,
    length: f64,
}

/// A reply that waits.
#[derive(Clone, Copy, Debug)]
struct ReferenceReply {
    to: Node,
    size: u16,
    created: u64,
    asked: u64,
    marked: bool,
    sent: u64,
}

#[derive(Debug)]
struct ReferenceHost {
    router: usize,
    port: usize,
    /// Of each message class: what it makes, the virtual channel it took last, the packet it sends and how much of it.
    sources: Vec<Source>,
    last: Vec<Option<usize>>,
    sends: Vec<Option<(usize, u16)>>,
    class_turn: usize,
    used: Vec<usize>,
    credits: Vec<usize>,
    coming: Vec<(u64, usize)>,
    flits: Vec<(u64, usize, ReferenceFlit)>,
    /// Replies that wait; the one that is being sent, its virtual channel.
    replies: VecDeque<ReferenceReply>,
    reply: Option<(usize, u16)>,
    reply_vc: Option<usize>,
    /// What was received and is not taken.
    held: Vec<VecDeque<ReferenceFlit>>,
    turn: usize,
    /// Packets on the way, or not answered, and how many may be.
    outstanding: u32,
    window: CongestionWindow,
}

pub(super) struct ReferenceModel<'a> {
    /// For each router, where the wavefront over its switch begins.
    diagonals: Vec<usize>,
    config: &'a Config,
    router: &'a dyn Router,
    supply: Supply<'a>,
    first: u64,
    routers: Vec<Vec<ReferencePort>>,
    node_ports: Vec<Vec<Option<usize>>>,
    hosts: Vec<ReferenceHost>,
    pub packets: Vec<ReferencePacket>,
    /// Every flit that reached a host, in order.
    pub ejected: Vec<(u64, ReferenceFlit)>,
    pub flit_hops: u64,
    /// How often flits were corrupted on links, and how far all were moved.
    pub corrupted: u64,
    pub millimeters: f64,
    now: u64,
}

impl<'a> ReferenceModel<'a> {
    pub fn new(
        network: &dyn Network,
        router: &'a dyn Router,
        config: &'a Config,
        destination: Destination<'a>,
        load: f64,
        seed: u64,
    ) -> Self {
        let supply = Supply::new(config, destination, load, seed).unwrap();
        let (order, hosts) = (network.order(), network.hosts());
        let degree = |node| nestnet_graph::network::sorted_neighbors(network, Node(node)).len();
        let ends = hosts < order && (0..hosts).all(|host| degree(host) == 1);
        let first = if ends { hosts } else { 0 };
        let (vcs, speedup) = (usize::from(config.vcs), usize::from(config.input_speedup));
        let fresh = credits_of(config, &vec![0; vcs]);
        let port = |end, latency: u16| ReferencePort {
            end,
            latency: latency.into(),
            queues: (0..vcs)
                .map(|_| InputVc {
                    packet: 0,
                    flits: VecDeque::new(),
                    step: Step::Idle,
                    pointer: 0,
                })
                .collect(),
            out: (0..vcs)
                .map(|vc| OutputVc { used: 0, credits: fresh[vc], taken: false, pointer: 0 })
                .collect(),
            diagonal: 0,
            grant: 0,
            accept: vec![0; speedup],
            turn: vec![0; speedup],
            flits: Vec::new(),
            credits: Vec::new(),
            bid_grant: 0,
            bid_accept: vec![0; speedup],
            bid_turn: vec![0; speedup],
            errors: Random::new(0, 0),
            last_arrival: None,
            length: 0.0,
        };
        let index = |node: u64| usize::try_from(node).unwrap();
        let mut routers = Vec::new();
        let mut node_ports = Vec::new();
        let mut places = vec![(0, 0); index(hosts)];
        for node in first..order {
            let mut ports = Vec::new();
            let mut of_node = vec![None; network.ports() as usize];
            network.for_each_neighbor(Node(node), &mut |at, to| {
                of_node[at.0 as usize] = Some(ports.len());
                let latency = config.latency_of(network.level(Node(node), at));
                let end = if to.0 < first {
                    places[index(to.0)] = (index(node - first), ports.len());
                    End::Host(index(to.0))
                } else {
                    // Which port of the other side it is is found below.
                    End::Port { router: index(to.0 - first), port: usize::MAX }
                };
                let length = config.energy_model.length_of(network.level(Node(node), at));
                ports.push(ReferencePort { length, ..port(end, latency) });
            });
            if first == 0 && node < hosts {
                places[index(node)] = (index(node), ports.len());
                ports.push(port(End::Host(index(node)), 1));
            }
            routers.push(ports);
            node_ports.push(of_node);
        }
        let ends: Vec<Vec<End>> =
            routers.iter().map(|ports| ports.iter().map(|port| port.end).collect()).collect();
        for (here, ports) in routers.iter_mut().enumerate() {
            for port in ports {
                if let End::Port { router, port: at } = &mut port.end {
                    let back =
                        |end: &End| matches!(end, End::Port { router, .. } if *router == here);
                    *at = ends[*router].iter().position(back).unwrap();
                }
            }
        }
        for (number, port) in routers.iter_mut().flatten().enumerate() {
            port.errors = Random::new(seed ^ LINKS, number as u64);
        }
        let host = |(host, (router, port))| ReferenceHost {
            router,
            port,
            sources: supply.sources(host).collect(),
            last: vec![None; config.sources_of_host()],
            sends: vec![None; config.sources_of_host()],
            class_turn: 0,
            used: vec![0; vcs],
            credits: fresh.clone(),
            coming: Vec::new(),
            flits: Vec::new(),
            replies: VecDeque::new(),
            reply: None,
            reply_vc: None,
            held: vec![VecDeque::new(); vcs],
            turn: 0,
            outstanding: 0,
            window: CongestionWindow::new(),
        };
        let hosts = (0..).zip(places).map(host).collect();
        ReferenceModel {
            diagonals: vec![0; routers.len()],
            config,
            router,
            supply,
            first,
            routers,
            node_ports,
            hosts,
            packets: Vec::new(),
            ejected: Vec::new(),
            flit_hops: 0,
            corrupted: 0,
            millimeters: 0.0,
            now: 0,
        }
    }

    pub fn cycle(&mut self) {
        self.receive();
        self.route();
        self.inject();
        for router in 0..self.routers.len() {
            // All see the state at the beginning of the cycle.
            let vcs = self.match_vcs(router);
            let switch = self.match_switch(router);
            let bids = self.match_bids(router);
            for &(port, queue, out, vc, round) in &vcs {
                self.give(router, port, queue, out, vc, round == 0);
            }
            // Who sends is chosen before anything moves.
            let sender = |&(input, out, round): &(usize, usize, u16)| {
                (input, out, self.sender(router, input, out).unwrap(), round)
            };
            let switch: Vec<_> = switch.iter().map(sender).collect();
            for &(input, out, vc, round) in &switch {
                self.cross_in_round(router, input, out, vc, round);
            }
            for (port, queue, out, _, _) in vcs {
                self.mark(router, port, queue, out);
            }
            for (input, out, queue) in bids {
                let is_used = switch.iter().any(|&(i, o, ..)| i == input || o == out);
                self.cross_bid(router, input, out, queue, is_used);
            }
        }
        self.now += 1;
    }

    /// Round robins move by the first round alone.
    fn cross_in_round(&mut self, router: usize, input: usize, out: usize, vc: usize, round: u16) {
        let speedup = usize::from(self.config.input_speedup);
        let ports = &self.routers[router];
        let (grant, accept) = (ports[out].grant, ports[input / speedup].accept[input % speedup]);
        self.cross(router, input, out, vc);
        if round > 0 {
            let ports = &mut self.routers[router];
            ports[out].grant = grant;
            ports[input / speedup].accept[input % speedup] = accept;
        }
    }

    /// The packet of a queue that got a virtual channel is marked where many flits are behind the port.
    fn mark(&mut self, router: usize, port: usize, queue: usize, out: usize) {
        let ports = &self.routers[router];
        let flits: usize = ports[out].out.iter().map(|vc| vc.used).sum();
        if self.config.ecn.is_some_and(|threshold| flits > threshold as usize) {
            let packet = ports[port].queues[queue].flits[0].packet;
            self.packets[packet].marked = true;
        }
    }

    /// Heads that ask for the switch besides a virtual channel, and won: input, output, queue.
    fn match_bids(&self, router: usize) -> Vec<(usize, usize, usize)> {
        if !self.config.speculative {
            return Vec::new();
        }
        let ports = &self.routers[router];
        let (vcs, speedup) = (usize::from(self.config.vcs), usize::from(self.config.input_speedup));
        let group = vcs.div_ceil(speedup);
        let bids = |port: &ReferencePort, vc: usize, out: usize| {
            let queue = &port.queues[vc];
            let Step::Waits { from, route: Some((to, allowed, _)) } = &queue.step else {
                return false;
            };
            let needed = match self.config.switching {
                Switching::Wormhole => 1,
                Switching::CutThrough => self.packets[queue.flits[0].packet].size.into(),
            };
            let is_open = |&vc: &usize| {
                let state = &ports[out].out[vc];
                !state.taken && state.credits >= needed
            };
            *from <= self.now && *to == out && allowed.iter().any(is_open)
        };
        let queue_of = |input: usize, out: usize| {
            let (port, side) = (&ports[input / speedup], input % speedup);
            let order = (0..group).map(|step| (port.bid_turn[side] + step) % group);
            let order = order.map(|place| place * speedup + side).filter(|&vc| vc < vcs);
            let bidding = order.filter(|&vc| bids(port, vc, out));
            bidding.min_by_key(|&vc| self.age(port.queues[vc].flits[0]))
        };
        let row = |input: usize| -> Vec<Option<u64>> {
            let age = |vc: usize| self.age(ports[input / speedup].queues[vc].flits[0]);
            (0..ports.len()).map(|out| queue_of(input, out).map(age)).collect()
        };
        let requests: Vec<_> = (0..ports.len() * speedup).map(row).collect();
        let accept: Vec<usize> = ports.iter().flat_map(|port| port.bid_accept.clone()).collect();
        let grant: Vec<usize> = ports.iter().map(|port| port.bid_grant).collect();
        let allocator = Allocator::SeparableOutputFirst;
        let matched = matching(self.config, allocator, &requests, &accept, &grant);
        matched.into_iter().map(|(i, o, _)| (i, o, queue_of(i, o).unwrap())).collect()
    }

    /// A bid that won crosses where nobody else uses the switch and it got a virtual channel with a credit.
    fn cross_bid(&mut self, router: usize, input: usize, out: usize, vc: usize, is_used: bool) {
        let speedup = usize::from(self.config.input_speedup);
        let group = usize::from(self.config.vcs).div_ceil(speedup);
        let (port, side) = (input / speedup, input % speedup);
        let ports = &mut self.routers[router];
        let (count, inputs) = (ports.len(), ports.len() * speedup);
        ports[out].bid_grant = (input + 1) % inputs;
        ports[port].bid_accept[side] = (out + 1) % count;
        ports[port].bid_turn[side] = (vc / speedup + 1) % group;
        let Step::Has { port: to, vc: taken, .. } = ports[port].queues[vc].step else { return };
        if is_used || to != out || ports[out].out[taken].credits == 0 {
            return;
        }
        let before = (ports[out].grant, ports[port].accept[side], ports[port].turn[side]);
        self.cross(router, input, out, vc);
        let ports = &mut self.routers[router];
        (ports[out].grant, ports[port].accept[side], ports[port].turn[side]) = before;
    }

    fn receive(&mut self) {
        let now = self.now;
        for number in 0..self.hosts.len() {
            let host = &mut self.hosts[number];
            host.coming.retain(|&(at, vc)| {
                host.used[vc] -= usize::from(at == now);
                at != now
            });
            host.credits = credits_of(self.config, &host.used);
            let due: Vec<_> = host.flits.extract_if(.., |flit| flit.0 == now).collect();
            for (_, vc, flit) in due {
                self.hosts[number].held[vc].push_back(flit);
                self.take(number, vc);
            }
        }
        let wait = u64::from(self.config.routing_cycles()) + u64::from(self.config.vc_delay) - 1;
        for port in self.routers.iter_mut().flatten() {
            for (_, vc) in port.credits.extract_if(.., |credit| credit.0 == now) {
                port.out[vc].used -= 1;
            }
            port.recount(self.config);
            for (_, vc, flit) in port.flits.extract_if(.., |flit| flit.0 == now) {
                let queue = &mut port.queues[vc];
                queue.flits.push_back(flit);
                let (most, vcs) = (usize::from(self.config.buffer), usize::from(self.config.vcs));
                let of_queue = if self.config.shared_buffer { (most - 1) * vcs + 1 } else { most };
                assert!(queue.flits.len() <= of_queue, "more flits than room");
                if queue.step == Step::Idle {
                    queue.step = Step::Waits { from: now + wait, route: None };
                }
            }
        }
    }

    /// A host takes what came by a virtual channel, up to a request whose reply has no room.
    fn take(&mut self, number: usize, vc: usize) -> bool {
        let mut took = false;
        while let Some(&flit) = self.hosts[number].held[vc].front() {
            let asks =
                flit.tail && !self.packets[flit.packet].is_reply && !self.config.replies.is_empty();
            let limit = self.config.reply_queue.unwrap_or(u32::MAX) as usize;
            let host = &mut self.hosts[number];
            if asks && host.replies.len() >= limit {
                break;
            }
            host.held[vc].pop_front();
            took = true;
            self.ejected.push((self.now, flit));
            let packet = &mut self.packets[flit.packet];
            let mut done = None;
            if flit.tail {
                packet.arrived = Some(self.now);
                done = match (packet.is_reply, self.config.replies.is_empty()) {
                    (true, _) => Some(usize::try_from(packet.to.0).unwrap()),
                    (false, true) => Some(usize::try_from(packet.source).unwrap()),
                    (false, false) => None,
                };
            }
            if asks {
                let sizes = &self.config.replies;
                let total: f64 = sizes.iter().map(|size| size.1).sum();
                let mut part = if sizes.len() > 1 { host.sources[0].random.part() } else { 0.0 };
                let drawn = sizes.iter().find(|size| {
                    part -= size.1 / total;
                    part < 0.0
                });
                let size = drawn.unwrap_or(&sizes[sizes.len() - 1]).0;
                host.replies.push_back(ReferenceReply {
                    to: Node(packet.source),
                    size,
                    created: self.now,
                    asked: packet.created,
                    marked: packet.marked,
                    sent: packet.sent,
                });
            }
            let port = &mut self.routers[host.router][host.port];
            let delay = u64::from(self.config.credit_delay);
            port.credits.push((self.now + 1 + port.latency + delay, vc));
            let (marked, sent) = (packet.marked, packet.sent);
            if let Some(host) = done {
                self.hosts[host].outstanding -= 1;
                self.hosts[host].window.learn(marked, sent, self.now);
            }
        }
        took
    }

    /// The virtual channels of a message class.
    fn channels(&self, message: usize) -> std::ops::Range<usize> {
        let each = usize::from(self.config.vcs / self.config.message_classes());
        message * each..(message + 1) * each
    }

    /// The message class of replies.
    fn reply_class(&self) -> usize {
        usize::from(self.config.message_classes()) - 1
    }

    /// The virtual channels of a class of the router.
    fn class(&self, class: usize, message: usize) -> Vec<usize> {
        let own = self.channels(message);
        let (vcs, used) = (own.len(), usize::from(self.router.vcs()));
        let class = self.share(class, vcs, used);
        class.into_iter().map(|vc| own.start + vc).collect()
    }

    fn share(&self, class: usize, vcs: usize, used: usize) -> Vec<usize> {
        match self.router.escape() {
            Some(escape) => {
                let each = (vcs / 2 / usize::from(escape.vcs)).max(1);
                let end = if class < escape.vcs.into() { (class + 1) * each } else { vcs };
                (class * each..end).collect()
            }
            None => (class * vcs / used..(class + 1) * vcs / used).collect(),
        }
    }

    /// Flits on a link and behind it, and those of other packets that wait for it.
    fn queue(&self, router: usize, out: usize, own: (usize, usize)) -> u64 {
        let ports = &self.routers[router];
        let used: usize = ports[out].out.iter().map(|vc| vc.used).sum();
        let round_trip = 2 * usize::try_from(ports[out].latency.saturating_sub(1)).unwrap();
        let most = usize::from(self.config.buffer) * ports[out].out.len();
        let mut flits = used.saturating_sub(round_trip.min(most / 2));
        for (at, port) in ports.iter().enumerate() {
            for (vc, queue) in port.queues.iter().enumerate() {
                let waits = match &queue.step {
                    Step::Waits { route: Some((port, ..)), .. } => *port == out,
                    Step::Has { port, .. } => *port == out,
                    _ => false,
                };
                if waits && (at, vc) != own {
                    flits += usize::from(self.packets[queue.packet].size);
                }
            }
        }
        flits as u64
    }

    /// The queue of a route, and its links: routers and ports.
    fn ahead(
        &self,
        router: usize,
        mut header: Header,
        info: QueueInfo,
        own: (usize, usize),
    ) -> (u64, Vec<(usize, usize)>) {
        let (mut here, mut queue, mut links) = (router, 0, Vec::new());
        while let Some(hop) = self.router.next(Node(self.first + here as u64), header) {
            let out = self.node_ports[here][hop.port.0 as usize].unwrap();
            let End::Port { router: next, .. } = self.routers[here][out].end else { break };
            if links.is_empty() || info == QueueInfo::Global {
                let own = if here == router { own } else { (usize::MAX, 0) };
                queue = self.queue(here, out, own).max(queue);
            }
            links.push((here, out));
            (here, header) = (next, hop.header);
        }
        (queue, links)
    }

    /// What a head asks for in this cycle where the router adapts: nothing where no virtual channel is free.
    fn adapt(&self, router: usize, port: usize, vc: usize, waited: u64) -> Option<Asks> {
        let packet = &self.packets[self.routers[router][port].queues[vc].flits[0].packet];
        let (at, mut header) = (Node(self.first + router as u64), packet.header);
        let choice = self.router.queue_choice();
        if let Some(two) = choice.and_then(|choice| choice.alternatives(at, header)) {
            let ahead = |header| self.ahead(router, header, two.info, (port, vc));
            let (queue, links) = ahead(two.minimal);
            let detours = two.detours.map(|header| {
                let (queue, detour) = ahead(header);
                let shared = detour.iter().filter(|link| links.contains(link)).count();
                (shared, detour.len() as u64 * queue, queue, detour.first().copied(), header)
            });
            // The first of the best, of those that share as few links with the minimal route as any.
            let best = detours.into_iter().min_by_key(|detour| (detour.0, detour.1)).unwrap();
            let (_, detour_cost, detour_queue, detour_first, detour) = best;
            let uneven = links.first().copied() == detour_first || queue > 2 * detour_queue;
            let cost = links.len() as u64 * queue;
            let threshold = two.threshold + links.len() as u64 * u64::from(packet.size - 1);
            header = if cost * two.patience + waited > (detour_cost + threshold) * two.patience {
                detour
            } else if cost > two.busy && uneven {
                two.reserved
            } else {
                two.minimal
            };
        }
        let mut hops = Vec::new();
        self.router.hops(at, header, &mut hops);
        let all: Vec<usize> = self.channels(packet.class).collect();
        let escape = self.router.escape().map_or(0, |escape| escape.vcs);
        let mut candidates: Vec<ReferenceCandidate> = Vec::new();
        for hop in hops {
            let port = self.node_ports[router][hop.port.0 as usize].unwrap();
            let is_link = matches!(self.routers[router][port].end, End::Port { .. });
            let vcs = if is_link { self.class(hop.vc.0.into(), packet.class) } else { all.clone() };
            let is_escape = hop.vc.0 < escape;
            candidates.push(ReferenceCandidate {
                port,
                vcs,
                header: hop.header,
                is_link,
                is_escape,
                penalty: i64::try_from(self.router.penalty(at, header, hop.port)).unwrap(),
            });
        }
        if candidates.is_empty() {
            let port = self.routers[router].len() - 1;
            candidates.push(ReferenceCandidate {
                port,
                vcs: all,
                header,
                is_link: false,
                is_escape: false,
                penalty: 0,
            });
        }
        let kind = |candidate: &ReferenceCandidate| (candidate.port, candidate.is_escape);
        let several = candidates.iter().any(|candidate| kind(candidate) != kind(&candidates[0]));
        let size = usize::from(packet.size);
        let needed = |candidate: &ReferenceCandidate| match self.config.switching {
            Switching::CutThrough => size,
            // A packet must not wait for an adaptive channel, where it cannot ask for the escape.
            _ if escape > 0 && !candidate.is_escape => size.min(self.config.buffer.into()),
            Switching::Wormhole => 0,
        };
        let mut best: Option<(bool, i64, usize)> = None;
        for candidate in &candidates {
            let out = &self.routers[router][candidate.port].out;
            let is_free = |&vc: &usize| !out[vc].taken && out[vc].credits >= needed(candidate);
            let room: usize = candidate.vcs.iter().map(|&vc| out[vc].credits).sum();
            let room = i64::try_from(room).unwrap() - candidate.penalty;
            let better = best
                .is_none_or(|(regular, most, _)| (!candidate.is_escape, room) > (regular, most));
            if (!several || candidate.vcs.iter().any(is_free)) && better {
                best = Some((!candidate.is_escape, room, candidate.port));
            }
        }
        let (regular, _, port) = best?;
        candidates.retain(|candidate| {
            candidate.port == port && (!several || candidate.is_escape != regular)
        });
        for candidate in candidates.iter_mut().filter(|_| several) {
            let least = needed(candidate);
            let out = &self.routers[router][port].out;
            candidate.vcs.retain(|&vc| out[vc].credits >= least);
        }
        Some((
            port,
            candidates.iter().flat_map(|candidate| candidate.vcs.clone()).collect(),
            candidates,
        ))
    }

    /// Where the router adapts, all heads that wait choose anew, by what the others asked for in the last cycle.
    fn route_adapting(&mut self) {
        let mut chosen = Vec::new();
        for (router, ports) in self.routers.iter().enumerate() {
            for (port, state) in ports.iter().enumerate() {
                for (vc, queue) in state.queues.iter().enumerate() {
                    if let Step::Waits { from, .. } = queue.step
                        && from <= self.now
                    {
                        let route = self.adapt(router, port, vc, self.now - from);
                        chosen.push((router, port, vc, from, route));
                    }
                }
            }
        }
        for (router, port, vc, from, route) in chosen {
            let queue = &mut self.routers[router][port].queues[vc];
            queue.packet = queue.flits[0].packet;
            queue.step = Step::Waits { from, route };
        }
    }

    /// Heads whose time has come learn their port and virtual channels.
    fn route(&mut self) {
        if self.router.adapts() {
            return self.route_adapting();
        }
        let vcs = usize::from(self.config.vcs);
        for router in 0..self.routers.len() {
            for port in 0..self.routers[router].len() {
                for vc in 0..vcs {
                    let queue = &self.routers[router][port].queues[vc];
                    let Step::Waits { from, route: None } = queue.step else { continue };
                    if from > self.now {
                        continue;
                    }
                    let place = queue.flits[0].packet;
                    let message = self.packets[place].class;
                    let all: Vec<usize> = self.channels(message).collect();
                    let at = Node(self.first + router as u64);
                    let route = match self.router.next(at, self.packets[place].header) {
                        None => (self.routers[router].len() - 1, all, Vec::new()),
                        Some(hop) => {
                            self.packets[place].header = hop.header;
                            let out = self.node_ports[router][hop.port.0 as usize].unwrap();
                            if let End::Host(_) = self.routers[router][out].end {
                                (out, all, Vec::new())
                            } else {
                                self.packets[place].hops += 1;
                                (out, self.class(hop.vc.0.into(), message), Vec::new())
                            }
                        }
                    };
                    self.routers[router][port].queues[vc].step =
                        Step::Waits { from, route: Some(route) };
                }
            }
        }
    }

    fn inject(&mut self) {
        for number in 0..self.hosts.len() {
            if self.send_reply(number) {
                continue;
            }
            let count = self.config.sources_of_host();
            let begin = match self.config.priority {
                Priority::Class => 0,
                _ => self.hosts[number].class_turn,
            };
            for class in (0..count).map(|step| (begin + step) % count) {
                if self.send(number, class) {
                    self.hosts[number].class_turn = (class + 1) % count;
                    break;
                }
            }
        }
    }

    /// A host sends a flit of a message class if it can.
    fn send(&mut self, number: usize, class: usize) -> bool {
        let own = self.channels(class);
        let now = self.now;
        let host = &mut self.hosts[number];
        let source = &mut host.sources[class];
        let may = self.config.outstanding.is_none_or(|most| host.outstanding < most)
            && (self.config.ecn.is_none() || host.window.allows(host.outstanding));
        if host.sends[class].is_none() && source.next <= now && may {
            let size = source.size;
            let needed = match self.config.switching {
                Switching::Wormhole => 1,
                Switching::CutThrough => usize::from(size),
            };
            let begin = host.last[class].map_or(0, |last| last + 1 - own.start);
            let mut turn = (0..own.len()).map(|step| own.start + (begin + step) % own.len());
            let taken = host.reply.and(host.reply_vc);
            let free = |&vc: &usize| host.credits[vc] >= needed && taken != Some(vc);
            let Some(vc) = turn.find(free) else { return false };
            host.last[class] = Some(vc);
            let from = Node(number as u64);
            let random: &mut Random = &mut source.random;
            let made = source.next;
            let Some(to) = (self.supply.destination)(from.0, made, random) else {
                self.supply.draw(source);
                return false;
            };
            let choices = self.router.choices();
            let choice = if choices > 1 { random.below(choices) } else { 0 };
            let mut header = self.router.start(from, to, choice);
            if self.first > 0 && from != to {
                header = self.router.next(from, header).unwrap().header;
            }
            host.sends[class] = Some((self.packets.len(), 0));
            host.outstanding += 1;
            self.packets.push(ReferencePacket {
                source: from.0,
                to,
                created: made,
                entered: now,
                arrived: None,
                hops: 0,
                header,
                size,
                is_reply: false,
                class,
                asked: made,
                marked: false,
                sent: now,
            });
        }
        let Some((packet, sent)) = host.sends[class] else { return false };
        let vc = host.last[class].unwrap();
        if host.credits[vc] == 0 {
            return false;
        }
        host.used[vc] += 1;
        host.credits = credits_of(self.config, &host.used);
        let tail = sent + 1 == self.packets[packet].size;
        let port = &mut self.routers[host.router][host.port];
        let flit = ReferenceFlit { packet, number: sent, tail };
        port.flits.push((now + 1 + port.latency, vc, flit));
        host.sends[class] = Some((packet, sent + 1));
        if tail {
            host.sends[class] = None;
            self.supply.draw(&mut host.sources[class]);
        }
        true
    }

    /// A host sends a flit of a reply if it can; then it takes what it held where there is room for replies again.
    fn send_reply(&mut self, number: usize) -> bool {
        let (own, class) = (self.channels(self.reply_class()), self.reply_class());
        let host = &mut self.hosts[number];
        if host.reply.is_none() {
            let Some(&reply) = host.replies.front() else { return false };
            let ReferenceReply { to, size, created, asked, marked, sent } = reply;
            let needed = match self.config.switching {
                Switching::Wormhole => 1,
                Switching::CutThrough => usize::from(size),
            };
            let begin = host.reply_vc.map_or(0, |last| last + 1 - own.start);
            let taken = host.sends[0].and(host.last[0]);
            let mut turn = (0..own.len()).map(|step| own.start + (begin + step) % own.len());
            let free = |&vc: &usize| host.credits[vc] >= needed && taken != Some(vc);
            let Some(vc) = turn.find(free) else { return false };
            let from = Node(number as u64);
            let choices = self.router.choices();
            let choice = if choices > 1 { host.sources[0].random.below(choices) } else { 0 };
            let mut header = self.router.start(from, to, choice);
            if self.first > 0 && from != to {
                header = self.router.next(from, header).unwrap().header;
            }
            host.reply_vc = Some(vc);
            host.reply = Some((self.packets.len(), 0));
            self.packets.push(ReferencePacket {
                source: from.0,
                to,
                created,
                entered: self.now,
                arrived: None,
                hops: 0,
                header,
                size,
                is_reply: true,
                class,
                asked,
                marked,
                sent,
            });
        }
        let ((packet, sent), vc) = (host.reply.unwrap(), host.reply_vc.unwrap());
        if host.credits[vc] == 0 {
            return false;
        }
        host.used[vc] += 1;
        host.credits = credits_of(self.config, &host.used);
        let tail = sent + 1 == self.packets[packet].size;
        host.reply = (!tail).then_some((packet, sent + 1));
        let port = &mut self.routers[host.router][host.port];
        let flit = ReferenceFlit { packet, number: sent, tail };
        port.flits.push((self.now + 1 + port.latency, vc, flit));
        if tail {
            host.replies.pop_front();
            let (turn, vcs) = (host.turn, host.held.len());
            for vc in (0..vcs).map(|step| (turn + step) % vcs) {
                if self.take(number, vc) {
                    self.hosts[number].turn = (vc + 1) % vcs;
                }
            }
        }
        true
    }

    /// The number of a queue among those of its router, in the order of switch inputs.
    fn rank(&self, port: usize, vc: usize) -> usize {
        let (speedup, vcs) = (usize::from(self.config.input_speedup), usize::from(self.config.vcs));
        let group = vcs.div_ceil(speedup);
        (port * speedup + vc % speedup) * group + vc / speedup
    }

    /// Who gets which virtual channel: port and queue, then output port and virtual channel.
    fn match_vcs(&mut self, router: usize) -> Vec<(usize, usize, usize, usize, u16)> {
        let ports = &self.routers[router];
        let (vcs, speedup) = (usize::from(self.config.vcs), usize::from(self.config.input_speedup));
        let slots = ports.len() * speedup * vcs.div_ceil(speedup);
        let mut inputs = vec![None; slots];
        let outputs = ports.len() * vcs;
        let mut requests = vec![vec![None; outputs]; slots];
        for (at, port) in ports.iter().enumerate() {
            for (vc, queue) in port.queues.iter().enumerate() {
                let rank = self.rank(at, vc);
                inputs[rank] = Some((at, vc, queue.pointer));
                let Step::Waits { from, route: Some((out, allowed, _)) } = &queue.step else {
                    continue;
                };
                if *from > self.now {
                    continue;
                }
                let size = match self.config.switching {
                    Switching::Wormhole => 0,
                    Switching::CutThrough => usize::from(self.packets[queue.flits[0].packet].size),
                };
                for &vc in allowed {
                    let free = &ports[*out].out[vc];
                    let age = self.age(queue.flits[0]);
                    requests[rank][*out * vcs + vc] =
                        (!free.taken && free.credits >= size).then_some(age);
                }
            }
        }
        let pointers_in: Vec<usize> = inputs.iter().map(|input| input.map_or(0, |i| i.2)).collect();
        let pointers_out: Vec<usize> =
            ports.iter().flat_map(|port| port.out.iter().map(|out| out.pointer)).collect();
        let named = |(input, output, round): (usize, usize, u16)| {
            let (port, vc, _) = inputs[input].unwrap();
            (port, vc, output / vcs, output % vcs, round)
        };
        if self.config.vc_allocator == Allocator::Wavefront {
            // Each port for itself.
            let mut all = Vec::new();
            for port in 0..ports.len() {
                let of_port = |row: &Vec<Option<u64>>| row[port * vcs..(port + 1) * vcs].to_vec();
                let part: Vec<_> = requests.iter().map(of_port).collect();
                let found = wavefront(&part, slots, &mut self.routers[router][port].diagonal);
                all.extend(found.into_iter().map(|(input, vc)| (input, port * vcs + vc, 0)));
            }
            return all.into_iter().map(named).collect();
        }
        let config = self.config;
        let matched = matching(config, config.vc_allocator, &requests, &pointers_in, &pointers_out);
        matched.into_iter().map(named).collect()
    }

    /// What decides who goes first before any round robin.
    fn age(&self, flit: ReferenceFlit) -> u64 {
        match self.config.priority {
            Priority::RoundRobin => 0,
            Priority::Age => self.packets[flit.packet].created,
            Priority::Class => self.packets[flit.packet].class as u64,
        }
    }

    fn give(
        &mut self,
        router: usize,
        port: usize,
        queue: usize,
        out: usize,
        vc: usize,
        moves_pointers: bool,
    ) {
        let count = self.routers[router].len();
        let (vcs, speedup) = (usize::from(self.config.vcs), usize::from(self.config.input_speedup));
        let slots = count * speedup * vcs.div_ceil(speedup);
        let rank = self.rank(port, queue);
        let ports = &mut self.routers[router];
        let own = &mut ports[port].queues[queue];
        if let Step::Waits { route: Some((_, _, candidates)), .. } = &own.step
            && let Some(candidate) = candidates.iter().find(|candidate| candidate.vcs.contains(&vc))
        {
            let packet = &mut self.packets[own.packet];
            packet.header = candidate.header;
            packet.hops += u64::from(candidate.is_link);
        }
        own.step = Step::Has { port: out, vc, from: self.now + 1 };
        if moves_pointers {
            own.pointer = (out * vcs + vc + 1) % (count * vcs);
            ports[out].out[vc].pointer = (rank + 1) % slots;
        }
        ports[out].out[vc].taken = true;
    }

    /// The queue of a switch input that would send to an output.
    fn sender(&self, router: usize, input: usize, out: usize) -> Option<usize> {
        let (vcs, speedup) = (usize::from(self.config.vcs), usize::from(self.config.input_speedup));
        let group = vcs.div_ceil(speedup);
        let (port, side) = (input / speedup, input % speedup);
        let ports = &self.routers[router];
        let turn = ports[port].turn[side];
        let wants = |&vc: &usize| {
            let queue = &ports[port].queues[vc];
            match queue.step {
                Step::Has { port, vc, from } => {
                    port == out
                        && from <= self.now
                        && !queue.flits.is_empty()
                        && ports[out].out[vc].credits > 0
                }
                _ => false,
            }
        };
        let order = (0..group).map(|step| (turn + step) % group * speedup + side);
        let wanting = order.filter(|&vc| vc < vcs).filter(wants);
        wanting.min_by_key(|&vc| self.age(ports[port].queues[vc].flits[0]))
    }

    /// Who gets the switch: inputs and outputs, and in which round.
    fn match_switch(&mut self, router: usize) -> Vec<(usize, usize, u16)> {
        let config = self.config;
        let ports = &self.routers[router];
        let speedup = usize::from(self.config.input_speedup);
        let inputs = ports.len() * speedup;
        let age = |input: usize, vc: usize| self.age(ports[input / speedup].queues[vc].flits[0]);
        let row = |input| {
            let request = |out| self.sender(router, input, out).map(|vc| age(input, vc));
            (0..ports.len()).map(request).collect()
        };
        let requests: Vec<Vec<Option<u64>>> = (0..inputs).map(row).collect();
        if config.switch_allocator == Allocator::Wavefront {
            let found = wavefront(&requests, inputs, &mut self.diagonals[router]);
            return found.into_iter().map(|(input, out)| (input, out, 0)).collect();
        }
        let accept: Vec<usize> = ports.iter().flat_map(|port| port.accept.clone()).collect();
        let grant: Vec<usize> = ports.iter().map(|port| port.grant).collect();
        matching(config, config.switch_allocator, &requests, &accept, &grant)
    }

    fn cross(&mut self, router: usize, input: usize, out: usize, vc: usize) {
        let speedup = usize::from(self.config.input_speedup);
        let group = usize::from(self.config.vcs).div_ceil(speedup);
        let (config, now) = (self.config, self.now);
        let ports = &mut self.routers[router];
        let (inputs, count) = (ports.len() * speedup, ports.len());
        let (port, side) = (input / speedup, input % speedup);
        ports[out].grant = (input + 1) % inputs;
        ports[port].accept[side] = (out + 1) % count;
        ports[port].turn[side] = (vc / speedup + 1) % group;
        let switched = now + u64::from(config.switch_delay);
        let queue = &mut ports[port].queues[vc];
        let flit = queue.flits.pop_front().unwrap();
        let Step::Has { vc: to, .. } = queue.step else { panic!("it has a virtual channel") };
        if flit.tail {
            let wait = u64::from(config.routing_cycles()) + u64::from(config.vc_delay) - 1;
            queue.step = match queue.flits.is_empty() {
                true => Step::Idle,
                false => Step::Waits { from: switched + wait, route: None },
            };
            ports[out].out[to].taken = false;
        }
        ports[out].out[to].used += 1;
        ports[out].recount(config);
        self.flit_hops += 1;
        self.millimeters += ports[out].length;
        let received = switched + u64::from(config.st_delay) + ports[out].latency;
        let returned = switched + ports[port].latency;
        let (front, back) = (ports[out].end, ports[port].end);
        match front {
            End::Host(host) => self.hosts[host].flits.push((received, to, flit)),
            End::Port { router: next, port } => {
                let link = &mut self.routers[router][out];
                // Behind the flit before, and a round trip for each time that it is corrupted.
                let mut at = link.last_arrival.map_or(received, |last| received.max(last + 1));
                while config.link_errors > 0.0 && link.errors.part() < config.link_errors {
                    at += 2 * link.latency;
                    self.corrupted += 1;
                    self.millimeters += link.length;
                }
                link.last_arrival = Some(at);
                self.routers[next][port].flits.push((at, to, flit))
            }
        }
        match back {
            End::Host(host) => self.hosts[host].coming.push((returned, vc)),
            End::Port { router, port } => {
                let usable = returned + u64::from(config.credit_delay);
                self.routers[router][port].credits.push((usable, vc));
            }
        }
    }
}

impl ReferencePort {
    fn recount(&mut self, config: &Config) {
        let used: Vec<usize> = self.out.iter().map(|vc| vc.used).collect();
        for (vc, credits) in self.out.iter_mut().zip(credits_of(config, &used)) {
            vc.credits = credits;
        }
    }
}

/// How many flits each virtual channel may send that has so many on the link and behind it.
fn credits_of(config: &Config, used: &[usize]) -> Vec<usize> {
    let buffer = usize::from(config.buffer);
    if !config.shared_buffer {
        return used.iter().map(|used| buffer - used).collect();
    }
    let pooled: usize = used.iter().map(|used| used.saturating_sub(1)).sum();
    let room = used.len() * (buffer - 1) - pooled;
    used.iter().map(|&used| usize::from(used == 0) + room).collect()
}

/// The rounds of an allocator over a matrix of requests with their ages: input, output, round.
fn matching(
    config: &Config,
    allocator: Allocator,
    requests: &[Vec<Option<u64>>],
    of_inputs: &[usize],
    of_outputs: &[usize],
) -> Vec<(usize, usize, u16)> {
    let (inputs, outputs) = (of_inputs.len(), of_outputs.len());
    let around = |begin: usize, count: usize| (0..count).map(move |step| (begin + step) % count);
    let (mut free_inputs, mut free_outputs) = (vec![true; inputs], vec![true; outputs]);
    let rounds = if allocator == Allocator::Islip { config.iterations } else { 1 };
    let mut all = Vec::new();
    for round in 0..rounds {
        let age = |i: usize, o: usize| requests[i][o].filter(|_| free_inputs[i] && free_outputs[o]);
        // The oldest, and of equals the first in turn.
        let input_of = |o: usize, may: &dyn Fn(usize) -> bool| {
            let asking = around(of_outputs[o], inputs).filter(|&i| may(i) && age(i, o).is_some());
            asking.min_by_key(|&i| age(i, o))
        };
        let output_of = |i: usize, may: &dyn Fn(usize) -> bool| {
            let asked = around(of_inputs[i], outputs).filter(|&o| may(o) && age(i, o).is_some());
            asked.min_by_key(|&o| age(i, o))
        };
        let found: Vec<(usize, usize)> = match allocator {
            Allocator::Islip | Allocator::SeparableOutputFirst => {
                let offers: Vec<_> = (0..outputs).map(|o| input_of(o, &|_| true)).collect();
                let accept = |i: usize| output_of(i, &|o| offers[o] == Some(i));
                (0..inputs).filter_map(|i| Some((i, accept(i)?))).collect()
            }
            Allocator::SeparableInputFirst => {
                let asks: Vec<_> = (0..inputs).map(|i| output_of(i, &|_| true)).collect();
                let take = |o: usize| input_of(o, &|i| asks[i] == Some(o));
                (0..outputs).filter_map(|o| Some((take(o)?, o))).collect()
            }
            Allocator::Wavefront => panic!("a wavefront has no rounds"),
        };
        for (i, o) in found {
            (free_inputs[i], free_outputs[o]) = (false, false);
            all.push((i, o, round));
        }
    }
    all
}

/// Cell by cell along the diagonals of a square.
fn wavefront(requests: &[Vec<Option<u64>>], size: usize, first: &mut usize) -> Vec<(usize, usize)> {
    let mut matched: Vec<(usize, usize)> = Vec::new();
    for diagonal in (*first..size).chain(0..*first) {
        for input in 0..size {
            let output = (diagonal + size - input) % size;
            let asks = requests.get(input).and_then(|row| row.get(output)).copied().flatten();
            if asks.is_some() && matched.iter().all(|&(i, o)| i != input && o != output) {
                if matched.is_empty() {
                    *first = (diagonal + 1) % size;
                }
                matched.push((input, output));
            }
        }
    }
    matched
}
