//! How do hosts send? Packets are made, wait at their source and enter their router flit by flit.

use super::config::Switching;
use super::engine::Engine;
use super::mask::each_in_word;
use super::source::{NEVER, Parcel};
use super::state::{Arrival, HEAD, NO_CREDIT, Packet, TAIL, at, at_mut, index32};
use nestnet_graph::Node;
use nestnet_routing::Header;

impl<const W: usize> Engine<'_, W> {
    pub fn start_sources(&mut self) {
        for host in 0..self.wires.hosts.len() {
            let mut source = self.supply.source(self.wires.numbers[host]);
            source.after = 1 + self.wires.far[self.wires.hosts[host].0 as usize].latency;
            if source.next != NEVER {
                self.alarm.push(source.next, index32(host));
            }
            self.sources.push(source);
        }
    }

    /// Every source that can sends a flit.
    #[inline(never)]
    pub fn inject(&mut self) {
        let due = self.alarm.take(self.now);
        let mut later = Vec::new();
        for &host in &due {
            if at(&self.sources, host as usize).next <= self.now {
                *at_mut(&mut self.sending, host as usize / 64) |= 1 << (host % 64);
            } else {
                later.push(host);
            }
        }
        self.alarm.put(self.now, due);
        for host in later {
            self.alarm.push(self.now, host);
        }
        for word in 0..self.sending.len() {
            let answering = self.replies.as_ref().map_or(0, |replies| replies.waiting[word]);
            for bit in each_in_word(self.sending[word] | answering) {
                self.send(word * 64 + bit);
            }
        }
    }

    #[inline]
    fn send(&mut self, host: usize) {
        if self.is_closed_loop && self.send_reply(host) {
            return;
        }
        if at(&self.sources, host).left == 0 && !self.start_packet(host) {
            return;
        }
        let source = at_mut(&mut self.sources, host);
        let vc = usize::from(source.vc);
        let out = at_mut(&mut self.outs, self.source_outs + host * self.vcs + vc);
        if out.credits == 0 {
            return;
        }
        out.credits -= 1;
        let packet = u64::from(source.packet);
        let head = if source.left == source.size { HEAD } else { 0 };
        source.left -= 1;
        let tail = if source.left == 0 { TAIL } else { 0 };
        let received = self.now + u64::from(source.after);
        let flit = packet | head | tail;
        self.arrivals.push(received, Arrival { at: out.to, credit: NO_CREDIT, flit });
        self.seen.injected += 1;
        if let Some(shared) = &mut self.shared {
            shared.take(self.source_outs + host * self.vcs + vc);
        }
        if tail != 0 {
            self.after_packet(host);
        }
    }

    /// A source has sent a packet, or will not.
    #[inline(always)]
    fn after_packet(&mut self, host: usize) {
        let source = at_mut(&mut self.sources, host);
        match &mut self.parcels {
            None => self.supply.draw(source),
            Some(parcels) => {
                let sent = parcels[host].pop_front();
                self.seen.sent.extend(sent.map(|parcel| parcel.message));
                let next = parcels[host].front();
                source.next = next.map_or(NEVER, |parcel| parcel.created);
                source.size = next.map_or(0, |parcel| parcel.size);
            }
        }
        self.rest(host);
    }

    /// One more packet for a host to send.
    pub fn offer(&mut self, host: usize, parcel: Parcel) {
        let Some(parcels) = &mut self.parcels else { return };
        parcels[host].push_back(parcel);
        let source = &mut self.sources[host];
        if source.next == NEVER {
            source.next = parcel.created;
            source.size = parcel.size;
            self.sending[host / 64] |= 1 << (host % 64);
        }
    }

    /// A source whose next packet is not made yet waits for it.
    fn rest(&mut self, host: usize) {
        let next = at(&self.sources, host).next;
        if next > self.now + 1 {
            *at_mut(&mut self.sending, host / 64) &= !(1 << (host % 64));
            if next != NEVER {
                self.alarm.push(next, index32(host));
            }
        }
    }

    /// Takes the next packet of a source, if it is made and there is a virtual channel for it.
    fn start_packet(&mut self, host: usize) -> bool {
        let source = at_mut(&mut self.sources, host);
        let needed = match self.config.switching {
            Switching::Wormhole => 1,
            Switching::CutThrough => source.size,
        };
        if source.next > self.now {
            return false;
        }
        let mut taken = None;
        if self.is_closed_loop {
            let on_the_way = self.outstanding.as_ref().map_or(0, |(counts, _)| counts[host]);
            let window = self.windows.as_ref().map(|windows| &windows[host]);
            if self.outstanding.as_ref().is_some_and(|&(_, limit)| on_the_way >= limit)
                || window.is_some_and(|window| !window.allows(on_the_way))
            {
                return false;
            }
            // On one virtual channel packets follow each other.
            taken = self.replies.as_ref().and_then(|replies| replies.sends_by(host));
        }
        let first = self.source_outs + host * self.vcs;
        let outs = &self.outs[first..first + self.request_vcs];
        let next = usize::from(source.vc.wrapping_add(1));
        let next = if next == self.request_vcs { 0 } else { next };
        let mut order = (next..self.request_vcs).chain(0..next);
        let is_free = |&vc: &usize| outs[vc].credits >= needed && taken != Some(vc);
        let Some(vc) = order.find(is_free) else { return false };
        source.vc = u8::try_from(vc).unwrap_or(0);
        let number = source.number;
        let from = Node(number.into());
        let parcel = self.parcels.as_ref().and_then(|parcels| parcels[host].front());
        let to = match parcel {
            Some(parcel) => Some(parcel.to),
            None => (self.supply.destination)(from.0, source.next, &mut source.random),
        };
        let message = parcel.map_or(0, |parcel| parcel.message);
        let Some(to) = to else {
            self.after_packet(host);
            return false;
        };
        let (size, created) = (source.size, source.next);
        let header = self.start_header(host, from, to);
        let packet =
            Packet { message, ..Packet::new(header, number, size, created, self.now, self.epoch) };
        let place = self.keep(packet);
        if let Some((counts, _)) = &mut self.outstanding {
            counts[host] += 1;
        }
        self.seen.entered += 1;
        if (self.seen.window.0..self.seen.window.1).contains(&created) {
            self.seen.marked += 1;
            self.seen.marked_flits += u64::from(size);
        } else if created >= self.seen.window.1 {
            self.seen.later += 1;
            self.seen.later_flits += u64::from(size);
        }
        let source = &mut self.sources[host];
        source.packet = place;
        source.left = size;
        true
    }

    /// A packet has arrived: its host may send another, where packets are answered when it has the reply.
    pub fn end_outstanding(&mut self, place: usize) {
        let Packet { is_reply, marked, sent, .. } = self.packets[place];
        if self.replies.is_none() || is_reply {
            let host = self.forget_outstanding(place);
            if let Some(windows) = &mut self.windows {
                windows[host].learn(marked, sent, self.now);
            }
        }
    }

    /// A packet or its reply has arrived or will not; whose it was.
    pub fn forget_outstanding(&mut self, place: usize) -> usize {
        let Packet { is_reply, source, to, .. } = self.packets[place];
        let host = if is_reply { usize::try_from(to.0).unwrap_or(0) } else { source as usize };
        if let Some((counts, _)) = &mut self.outstanding {
            counts[host] -= 1;
        }
        host
    }

    /// What a packet carries when it comes to its first router.
    #[inline]
    pub fn start_header(&mut self, host: usize, from: Node, to: Node) -> Header {
        let choices = self.router.choices();
        let random = &mut self.sources[host].random;
        let choice = if choices > 1 { random.below(choices) } else { 0 };
        let header = self.router.start(from, to, choice);
        if !self.wires.has_ends() {
            return header;
        }
        if from == to {
            // Routes around failures end at once where they begin at the target: this one begins at the switch.
            let queue = self.wires.queue_before(host, 0) as usize;
            let switch = self.wires.node(self.queues[queue].router as usize);
            return if self.epoch > 0 { self.router.start(switch, to, 0) } else { header };
        }
        // A host that is only the end of a link takes that link first.
        self.router.next(from, header).map_or(header, |hop| hop.header)
    }
}
