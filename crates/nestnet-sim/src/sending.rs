//! How do hosts send? Packets are made, wait at their source and enter their router flit by flit.

use super::config::{Priority, Switching};
use super::engine::Engine;
use super::mask::each_in_word;
use super::source::{NEVER, Parcel};
use super::state::{Arrival, HEAD, NO_CREDIT, Packet, TAIL, at, at_mut, index32};
use nestnet_graph::Node;
use nestnet_routing::Header;

impl<const W: usize> Engine<'_, W> {
    pub fn start_sources(&mut self) {
        for host in 0..self.wires.hosts.len() {
            for mut source in self.supply.sources(self.wires.numbers[host]) {
                source.after = 1 + self.wires.far[self.wires.hosts[host].0 as usize].latency;
                if source.next != NEVER {
                    self.alarm.push(source.next, index32(self.sources.len()));
                }
                self.sources.push(source);
            }
        }
    }

    /// Every host that can sends a flit.
    #[inline(never)]
    pub fn inject(&mut self) {
        let due = self.alarm.take(self.now);
        let mut later = Vec::new();
        for &number in &due {
            if at(&self.sources, number as usize).next <= self.now {
                *at_mut(&mut self.sending, number as usize / 64) |= 1 << (number % 64);
            } else {
                later.push(number);
            }
        }
        self.alarm.put(self.now, due);
        for number in later {
            self.alarm.push(self.now, number);
        }
        if self.sources_of_host > 1 {
            return self.inject_by_class();
        }
        for word in 0..self.sending.len() {
            let answering = self.replies.as_ref().map_or(0, |replies| replies.waiting[word]);
            for bit in each_in_word(self.sending[word] | answering) {
                self.send(word * 64 + bit);
            }
        }
    }

    /// The same where hosts have several message classes: the first that can send, by priority or in turn.
    #[inline(never)]
    fn inject_by_class(&mut self) {
        let count = self.sources_of_host;
        for host in 0..self.turns_of_hosts.len() {
            let by_class = self.config.priority == Priority::Class;
            let turn = if by_class { 0 } else { usize::from(self.turns_of_hosts[host]) };
            let sends = (turn..count).chain(0..turn).find(|class| {
                let number = host * count + class;
                self.sending[number / 64] >> (number % 64) & 1 == 1 && self.send_of(number, host)
            });
            if let Some(class) = sends {
                self.turns_of_hosts[host] = u8::try_from((class + 1) % count).unwrap_or(0);
            }
        }
    }

    #[inline]
    fn send(&mut self, host: usize) {
        if self.is_closed_loop && self.send_reply(host) {
            return;
        }
        self.send_of(host, host);
    }

    /// A source of a host sends a flit if it can.
    #[inline(always)]
    fn send_of(&mut self, number: usize, host: usize) -> bool {
        if at(&self.sources, number).left == 0 && !self.start_packet(number, host) {
            return false;
        }
        let source = at_mut(&mut self.sources, number);
        let vc = usize::from(source.vc);
        let out = at_mut(&mut self.outs, self.source_outs + host * self.vcs + vc);
        if out.credits == 0 {
            return false;
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
            self.after_packet(number);
        }
        true
    }

    /// A source has sent a packet, or will not.
    #[inline(always)]
    fn after_packet(&mut self, number: usize) {
        let source = at_mut(&mut self.sources, number);
        match &mut self.parcels {
            None => self.supply.draw(source),
            Some(parcels) => {
                // Programs have one message class.
                let sent = parcels[number].pop_front();
                self.seen.sent.extend(sent.map(|parcel| parcel.message));
                let next = parcels[number].front();
                source.next = next.map_or(NEVER, |parcel| parcel.created);
                source.size = next.map_or(0, |parcel| parcel.size);
            }
        }
        self.rest(number);
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
    #[inline(always)]
    fn rest(&mut self, number: usize) {
        let next = at(&self.sources, number).next;
        if next > self.now + 1 {
            *at_mut(&mut self.sending, number / 64) &= !(1 << (number % 64));
            if next != NEVER {
                self.alarm.push(next, index32(number));
            }
        }
    }

    /// Takes the next packet of a source, if it is made and there is a virtual channel for it.
    #[inline(always)]
    fn start_packet(&mut self, number: usize, host: usize) -> bool {
        let source = at_mut(&mut self.sources, number);
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
        let outs = &self.outs[first..first + self.vcs];
        let own = usize::from(source.class) * self.request_vcs;
        let own = own..own + self.request_vcs;
        let next = usize::from(source.vc.wrapping_add(1));
        let next = if own.contains(&next) { next } else { own.start };
        let mut order = (next..own.end).chain(own.start..next);
        let is_free = |&vc: &usize| outs[vc].credits >= needed && taken != Some(vc);
        let Some(vc) = order.find(is_free) else { return false };
        source.vc = u8::try_from(vc).unwrap_or(0);
        let (own_number, class) = (source.number, source.class);
        let from = Node(own_number.into());
        let parcel = self.parcels.as_ref().and_then(|parcels| parcels[host].front());
        let to = match parcel {
            Some(parcel) => Some(parcel.to),
            None => (self.supply.destination)(from.0, source.next, &mut source.random),
        };
        let message = parcel.map_or(0, |parcel| parcel.message);
        let Some(to) = to else {
            self.after_packet(number);
            return false;
        };
        let (size, created) = (source.size, source.next);
        let header = self.start_header(number, host, from, to);
        let packet = Packet::new(header, own_number, size, created, self.now, self.epoch);
        let place = self.keep(Packet { message, class, ..packet });
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
        let source = &mut self.sources[number];
        source.packet = place;
        source.left = size;
        true
    }

    /// A packet has arrived: its host may send another, where packets are answered when it has the reply.
    pub fn end_outstanding(&mut self, place: usize) {
        let packet = &self.packets[place];
        let (marked, sent) = (packet.marked, packet.sent());
        if self.replies.is_none() || packet.is_reply {
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
    #[inline(always)]
    pub fn start_header(&mut self, number: usize, host: usize, from: Node, to: Node) -> Header {
        let random = &mut self.sources[number].random;
        let choice = if self.choices > 1 { random.below(self.choices) } else { 0 };
        self.wires.first_header(self.router, host, (from, to, choice), self.epoch > 0)
    }
}
