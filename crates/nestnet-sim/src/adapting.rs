//! Which of several candidates does a packet take? By credits, in every cycle anew while it waits.
//!
//! A head asks one port a cycle; between two routes (UGAL) it decides in every cycle until it has a virtual channel.

use super::engine::Engine;
use super::mask::{clear, each, each_in_word, has, is_empty};
use super::routing::join_by;
use super::state::{Ahead, Candidate, Decision, NOBODY, Stage, at_mut, index32, packet_of};
use super::topology::HOST;
use nestnet_graph::Node;
use nestnet_routing::route::QueueInfo;
use nestnet_routing::{Header, Hop};
use smallvec::SmallVec;

impl<const W: usize> Engine<'_, W> {
    /// Heads that were routed learn their candidates, and these and those that were not served choose anew. All decide by the
    /// queues before any of them asks.
    #[inline(never)]
    pub fn wake_adapting(&mut self) {
        let wakes = self.wakes.take(self.now);
        let mut roaming = std::mem::take(&mut self.roaming);
        roaming.retain(|&index| self.queues[index as usize].stage == Stage::Asking);
        let mut queued = std::mem::take(&mut self.scratch.queued);
        queued.resize(self.ports.len(), (0, 0));
        let mut chosen = Vec::with_capacity(wakes.len() + roaming.len());
        for &index in &wakes {
            let header = self.learn_routes(index as usize, &mut queued);
            chosen.push((index, Some(header)));
        }
        let decided = |&index: &u32| (index, self.decided(index as usize, &mut queued));
        chosen.extend(roaming.iter().map(decided));
        self.scratch.queued = queued;
        for (number, (index, header)) in chosen.into_iter().enumerate() {
            let (is_new, index) = (number < wakes.len(), index as usize);
            if !is_new {
                self.leave(index);
            }
            if let Some(header) = header {
                self.decide(index, header, is_new);
            }
            self.queues[index].stage = Stage::Asking;
            let key = |candidate: &Candidate| (candidate.port, candidate.is_escape);
            let candidates = &self.candidates[index];
            let roams = candidates.iter().any(|candidate| key(candidate) != key(&candidates[0]));
            if is_new && (roams || self.decisions[index].is_some()) {
                roaming.push(index32(index));
            }
            self.ask_best(index, roams);
        }
        self.roaming = roaming;
        self.wakes.put(self.now, wakes);
    }

    /// What a packet that was routed carries, decided where there are two routes.
    fn learn_routes(&mut self, index: usize, queued: &mut [(u64, u64)]) -> Header {
        let queue = &self.queues[index];
        let (router, place) = (queue.router as usize, packet_of(queue.front));
        let header = self.header(router, place);
        self.decisions[index] = self.decision(index, header);
        self.decided(index, queued).unwrap_or(header)
    }

    /// The routes between which the packet of a queue decides, where there are such. Of the detours those that share the
    /// fewest links with the minimal route are compared.
    pub fn decision(&self, index: usize, carried: Header) -> Option<Box<Decision>> {
        let at = self.wires.node(self.queues[index].router as usize);
        let alternatives = self.router.queue_choice()?.alternatives(at, carried)?;
        let route = |header| self.route(at, header, alternatives.info);
        let (minimal, links) = route(alternatives.minimal);
        let detours = alternatives.detours.map(|header| {
            let (detour, own) = route(header);
            let shared = own.iter().filter(|link| links.contains(link)).count();
            (shared, (header, detour))
        });
        let least = detours.iter().map(|(shared, _)| *shared).min();
        let compared = detours.into_iter().filter(|(shared, _)| Some(*shared) == least);
        let detours = compared.map(|(_, detour)| detour).collect();
        let (last, since) = (carried, self.now);
        Some(Box::new(Decision { alternatives, minimal, detours, carried, last, since }))
    }

    /// A packet goes on with this header. What decides as in the last cycle has the same candidates.
    fn decide(&mut self, index: usize, header: Header, is_new: bool) {
        let decision = self.decisions[index].as_deref();
        let first = self.candidates[index].first();
        if let Some(first) =
            first.filter(|_| !is_new && decision.is_some_and(|one| one.last == header))
        {
            self.queues[index].port = first.port;
            return;
        }
        self.find_candidates(index, header);
        if let Some(decision) = self.decisions[index].as_deref_mut() {
            decision.last = header;
        }
    }

    /// Writes down where a packet may go with this header.
    fn find_candidates(&mut self, index: usize, header: Header) {
        let router = self.queues[index].router as usize;
        let mut hops = std::mem::take(&mut self.scratch.hops);
        hops.clear();
        let at = self.wires.node(router);
        self.router.hops(at, header, &mut hops);
        let mut candidates = std::mem::take(&mut self.candidates[index]);
        candidates.clear();
        let place = packet_of(self.queues[index].front);
        if hops.is_empty()
            && let Some(end) = self.end(router, place, header.to)
        {
            let may = self.classes.mask(self.classes.all) << self.queues[index].class;
            let (port, links, is_escape) = (end.port, 0, false);
            candidates.push(Candidate { header, may, port, links, is_escape, penalty: 0 });
        }
        let escape = self.router.escape().map_or(0, |escape| escape.vcs);
        let first = self.queues[index].class;
        for &hop in &hops {
            let penalty = self.router.penalty(at, header, hop.port);
            let candidate = self.candidate(router, hop, hop.vc.0 < escape, first);
            let penalty = u32::try_from(penalty).unwrap_or(u32::MAX);
            candidates.extend(candidate.map(|candidate| Candidate { penalty, ..candidate }));
        }
        match candidates.first() {
            Some(candidate) => self.queues[index].port = candidate.port,
            None => self.break_at(at, header.to),
        }
        self.scratch.hops = hops;
        self.candidates[index] = candidates;
    }

    /// A hop on the virtual channels from `first` on, those of a message class.
    fn candidate(&self, router: usize, hop: Hop, is_escape: bool, first: u8) -> Option<Candidate> {
        let port = self.wires.base(router) + self.wires.local(router, hop.port)?;
        let to_host = self.wires.far[port].router == HOST;
        let class = usize::from(hop.vc.0).min(self.classes.all);
        let may = self.classes.mask(if to_host { self.classes.all } else { class }) << first;
        let links = u8::from(!to_host);
        let (header, port) = (hop.header, index32(port));
        Some(Candidate { header, may, port, links, is_escape, penalty: 0 })
    }

    /// A head asks no port.
    fn leave(&mut self, index: usize) {
        let port = at_mut(&mut self.ports, self.queues[index].port as usize);
        clear(&mut port.asks, index - port.first_queue as usize);
    }

    /// Credits that a virtual channel must have for a packet to take it. One that has taken an adaptive channel no longer
    /// asks for the escape: so it takes none whose queue may keep it waiting, only one with room for all of it, or an empty
    /// one, where its head comes to the front and can ask.
    fn needed(&self, index: usize, is_escape: bool) -> u16 {
        let size = self.packets[packet_of(self.queues[index].front)].size;
        match (self.cut_through, self.has_escape && !is_escape) {
            (true, _) => size,
            (false, true) => size.min(self.config.buffer),
            (false, false) => 0,
        }
    }

    /// A head asks the port with the most credits of those where it could have a virtual channel now; the escape where
    /// there is no other. One that has a single port waits for it.
    fn ask_best(&mut self, index: usize, roams: bool) {
        let needed = [false, true].map(|is_escape| self.needed(index, is_escape));
        let needed = |candidate: &Candidate| needed[usize::from(candidate.is_escape)];
        let mut best: Option<(bool, i64, u32)> = None;
        for candidate in &self.candidates[index] {
            let port = &self.ports[candidate.port as usize];
            let free = (port.free | port.freed) & candidate.may;
            let needed = needed(candidate);
            let fits = |vc: usize| self.outs[port.first_out as usize + vc].credits >= needed;
            if !roams || each_in_word(free).any(fits) {
                let room = self.room(candidate.port as usize, candidate.may);
                let room = i64::try_from(room).unwrap_or(i64::MAX) - i64::from(candidate.penalty);
                let rank = (!candidate.is_escape, room);
                if best.is_none_or(|(regular, room, _)| rank > (regular, room)) {
                    best = Some((rank.0, rank.1, candidate.port));
                }
            }
        }
        let Some((regular, _, place)) = best else { return };
        let same = |candidate: &&Candidate| {
            candidate.port == place && (!roams || candidate.is_escape != regular)
        };
        let first = place as usize * self.vcs;
        let usable = |candidate: &Candidate| {
            let needed = if roams { needed(candidate) } else { 0 };
            let fits = |&vc: &usize| self.outs[first + vc].credits >= needed;
            each_in_word(candidate.may).filter(fits).fold(0, |may, vc| may | 1 << vc)
        };
        let candidates = self.candidates[index].iter().filter(same);
        let may = candidates.fold(0, |may, candidate| may | usable(candidate));
        let port = &mut self.ports[place as usize];
        if join_by(&mut self.queues[index], index, port, place, may) {
            self.asking.push(place);
        }
    }

    /// A queue got a virtual channel: its packet goes that candidate, and is marked where many flits go there.
    pub fn settle(&mut self, index: usize, port: usize) {
        if let Some(threshold) = self.config.ecn
            && self.flits_behind(port) > threshold.into()
        {
            self.packets[packet_of(self.queues[index].front)].marked = true;
        }
        if !self.adapts {
            return;
        }
        let vc = self.queues[index].vc;
        let took = |candidate: &&Candidate| {
            candidate.port as usize == port && candidate.may >> vc & 1 == 1
        };
        let Some(candidate) = self.candidates[index].iter().find(took) else { return };
        let packet = &mut self.packets[packet_of(self.queues[index].front)];
        packet.to = candidate.header.to;
        packet.state = candidate.header.state;
        packet.hops += u32::from(candidate.links);
    }

    /// Whether all who asked a listed port have left it.
    pub fn is_left(&mut self, index: usize) -> bool {
        let port = at_mut(&mut self.ports, index);
        let left = is_empty(&port.asks);
        port.listed &= !left;
        left
    }

    /// Heads that choose among candidates are routed anew.
    pub fn release(&mut self) {
        for index in std::mem::take(&mut self.roaming) {
            if self.queues[index as usize].stage == Stage::Asking {
                self.leave(index as usize);
                self.queues[index as usize].stage = Stage::Routing;
                self.wakes.push(self.now, index);
            }
        }
    }

    /// Credits of some virtual channels of a port.
    fn room(&self, port: usize, vcs: u64) -> u64 {
        let first = port * self.vcs;
        each_in_word(vcs).map(|vc| u64::from(self.outs[first + vc].credits)).sum()
    }

    /// Flits of the packets whose heads wait for a port, at its router.
    fn waiting(&self, port: usize) -> u64 {
        let state = &self.ports[port];
        let outs = &self.outs[port * self.vcs..][..self.vcs];
        let owners = outs.iter().map(|out| out.owner).filter(|&owner| owner != NOBODY);
        let asking = each(state.asks).chain(owners.map(usize::from));
        asking.map(|slot| self.size_of_front(state.first_queue as usize + slot)).sum()
    }

    /// Flits of the packet at the front of a queue.
    fn size_of_front(&self, index: usize) -> u64 {
        self.packets[packet_of(self.queues[index].front)].size.into()
    }

    /// The minimal route or the best detour, by the queues of this cycle.
    fn decided(&self, index: usize, queued: &mut [(u64, u64)]) -> Option<Header> {
        let decision = self.decisions[index].as_deref()?;
        let Decision { alternatives, minimal, detours, since, .. } = decision;
        let mut longest = |route: &Ahead| {
            let queues = route.ports.iter().map(|&port| self.queue(port as usize, index, queued));
            queues.max().unwrap_or(0)
        };
        let queue = longest(minimal);
        let compared = detours.iter().map(|(header, detour)| {
            let queue = longest(detour);
            (detour.hops * queue, queue, header, detour)
        });
        let (detour_cost, detour_queue, header, detour) = compared.min_by_key(|one| one.0)?;
        let shared = minimal.ports.first() == detour.ports.first();
        let cost = minimal.hops * queue;
        let waited = self.now - since;
        // One packet as long as its own is no queue.
        let size = self.size_of_front(index);
        let detour_cost = detour_cost + minimal.hops * size.saturating_sub(1);
        Some(if alternatives.prefers_detour(cost, detour_cost, waited) {
            *header
        } else if cost > alternatives.busy
            && (shared || alternatives.is_uneven(queue, detour_queue))
        {
            alternatives.reserved
        } else {
            alternatives.minimal
        })
    }

    /// Flits that are queued for a link and behind it, and those of the other packets that wait for it at its router. Nothing
    /// moves while packets decide: each queue is counted once in a cycle.
    fn queue(&self, port: usize, index: usize, queued: &mut [(u64, u64)]) -> u64 {
        let (cycle, flits) = &mut queued[port];
        if *cycle != self.now + 1 {
            let behind = self.flits_behind(port).saturating_sub(self.on_the_way(port));
            (*cycle, *flits) = (self.now + 1, behind + self.waiting(port));
        }
        let state = &self.ports[port];
        let slot = index.checked_sub(state.first_queue as usize).filter(|&slot| slot < 64 * W);
        match slot.filter(|&slot| has(&state.asks, slot)) {
            Some(_) => *flits - self.size_of_front(index),
            None => *flits,
        }
    }

    /// Credits that a long link has in use while it is never idle and nothing queues behind it, beyond those of a link of
    /// one cycle; at most half of all, so that a full queue is seen where buffers are small.
    fn on_the_way(&self, port: usize) -> u64 {
        let round_trip = 2 * u64::from(self.wires.far[port].latency.saturating_sub(1));
        round_trip.min(u64::from(self.config.buffer) * self.vcs as u64 / 2)
    }

    /// Flits on a link and behind it.
    fn flits_behind(&self, port: usize) -> u64 {
        if let Some(shared) = &self.shared {
            return shared.flits(port);
        }
        let most = u64::from(self.config.buffer) * self.vcs as u64;
        most - self.room(port, self.classes.every)
    }

    /// What a route has before it up to the last router, and all of its links.
    fn route(&self, mut at: Node, mut header: Header, info: QueueInfo) -> (Ahead, Links) {
        let (mut ports, mut links) = (SmallVec::new(), Links::new());
        while let Some(hop) = self.router.next(at, header) {
            let router = usize::try_from(at.0 - self.wires.first).unwrap_or(0);
            let Some(port) = self.wires.local(router, hop.port) else { break };
            let port = self.wires.base(router) + port;
            let far = self.wires.far[port];
            if far.router == HOST {
                break;
            }
            if links.is_empty() || info == QueueInfo::Global {
                ports.push(index32(port));
            }
            links.push(index32(port));
            (at, header) = (self.wires.node(far.router as usize), hop.header);
        }
        (Ahead { hops: links.len() as u64, ports }, links)
    }
}

/// Links of a route, by their ports.
type Links = SmallVec<[u32; 8]>;
