//! One cycle: what arrives, what is routed, what is sent on.

use super::config::{Policy, SimError};
use super::mask::{clear, each_in_word, is_empty, set};
use super::state::{
    Arrival, Engine, Event, NOBODY, RouterState, Stage, TAIL, index32, narrow, packet_of,
};
use super::wires::HOST;
use crate::{Header, Node};

impl<const W: usize> Engine<'_, W> {
    /// Runs the cycle `now`, and goes to the next.
    pub fn cycle(&mut self) {
        self.fail();
        self.take_credits();
        self.take_ejections();
        self.take_arrivals();
        let wakes = self.wakes.take(self.now);
        for &Event { router, at } in &wakes {
            self.ask(router as usize, at as usize);
        }
        self.wakes.put(self.now, wakes);
        self.inject();
        for word in 0..self.busy.len() {
            let routers = self.busy[word];
            if routers != 0 {
                let mut left = 0;
                for bit in each_in_word(routers) {
                    left |= u64::from(self.allocate(word * 64 + bit)) << bit;
                }
                self.busy[word] = left;
            }
        }
        self.now += 1;
    }

    fn take_credits(&mut self) {
        let credits = self.credits.take(self.now);
        for &Event { router, at } in &credits {
            let out = &mut self.outs[at as usize];
            out.credits += 1;
            if out.credits == 1 && out.owner != NOBODY {
                let (router, slot) = (router as usize, usize::from(out.owner));
                let base = self.wires.base(router);
                let queue = &self.queues[base * self.slots + slot];
                if queue.length > 0 {
                    let port = usize::from(queue.port);
                    self.want(router, base, port, slot);
                }
            }
        }
        self.credits.put(self.now, credits);
        let returns = self.returns.take(self.now);
        for &at in &returns {
            self.source_credits[at as usize] += 1;
        }
        self.returns.put(self.now, returns);
    }

    fn take_ejections(&mut self) {
        let ejections = self.ejections.take(self.now);
        let sent = self.now + 1 + u64::from(self.config.credit_delay);
        for &Arrival { router, at, flit } in &ejections {
            let link = self.ports[at as usize / self.vcs].far;
            self.credits.push(sent + u64::from(link.latency), Event { router, at });
            if self.packets[packet_of(flit)].lost {
                self.take_lost(Arrival { router, at, flit });
                continue;
            }
            self.seen.ejected += 1;
            if flit & TAIL != 0 {
                let place = packet_of(flit);
                self.seen.arrived += 1;
                self.seen.delivered.push(self.packets[place].clone());
                self.unused.push(index32(place));
            }
        }
        self.ejections.put(self.now, ejections);
    }

    fn take_arrivals(&mut self) {
        let arrivals = self.arrivals.take(self.now);
        let (buffer, wait) = (self.buffer, self.delays.routed);
        for &Arrival { router, at, flit } in &arrivals {
            let index = at as usize;
            let queue = &mut self.queues[index];
            let place = usize::from(queue.head) + usize::from(queue.length);
            let place = if place >= buffer { place - buffer } else { place };
            self.flits[index * buffer + place] = flit;
            queue.length += 1;
            match queue.stage {
                Stage::Idle => {
                    queue.stage = Stage::Routing;
                    let base = self.routers[router as usize].base as usize;
                    let slot = index - base * self.slots;
                    if wait == 0 {
                        self.ask(router as usize, slot);
                    } else {
                        self.wakes.push(self.now + wait, Event { router, at: index32(slot) });
                    }
                }
                Stage::Active if queue.length == 1 => {
                    let router = router as usize;
                    let (base, port) = (self.wires.base(router), usize::from(queue.port));
                    let slot = index - base * self.slots;
                    let vc = (base + port) * self.vcs + usize::from(queue.vc);
                    if self.outs[vc].credits > 0 {
                        self.want(router, base, port, slot);
                    }
                }
                _ => (),
            }
        }
        self.arrivals.put(self.now, arrivals);
    }

    /// A queue with a flit and a credit asks for the switch.
    #[inline(always)]
    pub fn want(&mut self, router: usize, base: usize, port: usize, slot: usize) {
        set(&mut self.ports[base + port].wants, slot);
        set(&mut self.routers[router].switch, port);
        self.make_busy(router);
    }

    /// A head whose route is known asks for a virtual channel.
    #[inline]
    fn ask(&mut self, router: usize, slot: usize) {
        let base = self.routers[router].base as usize;
        let index = base * self.slots + slot;
        let queue = &mut self.queues[index];
        let place = packet_of(self.flits[index * self.buffer + usize::from(queue.head)]);
        let mut known = 0;
        if !self.routes.is_empty() {
            let packet = &mut self.packets[place];
            let to = usize::try_from(packet.to.0).unwrap_or(usize::MAX);
            known = self.routes[router * self.targets + to];
            if known >> 16 != 0 {
                let all = self.classes.len();
                packet.hops = packet.hops.saturating_add(u16::from(((known >> 16) as usize) < all));
            }
        }
        let (port, class) = if known != 0 {
            ((known & 0xFFFF) as usize, (known >> 16) as usize - 1)
        } else {
            let Some(found) = self.find_route(router, place) else { return };
            found
        };
        let queue = &mut self.queues[index];
        queue.port = narrow(port);
        queue.class = narrow(class);
        queue.stage = Stage::Asking;
        let state = &mut self.ports[base + port];
        set(&mut state.asks, slot);
        if state.free != 0 {
            set(&mut self.routers[router].vcs, port);
            self.make_busy(router);
        }
    }

    /// The same, by asking the router.
    fn find_route(&mut self, router: usize, place: usize) -> Option<(usize, usize)> {
        let wires = self.wires;
        let at = wires.node(router);
        let packet = &mut self.packets[place];
        let mut header = Header { to: packet.to, state: packet.state };
        if packet.epoch != self.epoch {
            // To a router that knows more of what failed it begins here.
            packet.epoch = self.epoch;
            header = self.router.start(at, header.to, 0);
        }
        let all = self.classes.len() - 1;
        let hop = match self.config.policy {
            Policy::Adaptive => self.best_hop(router, header),
            _ => self.router.next(at, header),
        };
        let Some(hop) = hop else {
            let own = wires.count(router) - 1;
            if at == header.to {
                self.learn(router, header.to, own, all);
                return Some((own, all));
            }
            if self.epoch > 0 && wires.far[wires.base(router) + own].router == HOST {
                self.packets[place].lost = true;
                return Some((own, all));
            }
            self.broken = Some(SimError::Unroutable { at, to: header.to });
            return None;
        };
        let Some(port) = wires.local(router, hop.port) else {
            self.broken = Some(SimError::Unroutable { at, to: header.to });
            return None;
        };
        let to_host = wires.far[wires.base(router) + port].router == HOST;
        let class = if to_host { all } else { usize::from(hop.vc.0).min(all) };
        if hop.header == header {
            self.learn(router, header.to, port, class);
        }
        let packet = &mut self.packets[place];
        packet.to = hop.header.to;
        packet.state = hop.header.state;
        packet.hops = packet.hops.saturating_add(u16::from(!to_host));
        Some((port, class))
    }

    /// Writes a route down where routes are kept.
    fn learn(&mut self, router: usize, to: Node, port: usize, class: usize) {
        if !self.routes.is_empty() {
            let to = usize::try_from(to.0).unwrap_or(usize::MAX);
            self.routes[router * self.targets + to] = index32((class + 1) << 16 | port);
        }
    }

    /// Of all hops the first with the most credits in its virtual channels.
    fn best_hop(&mut self, router: usize, header: Header) -> Option<crate::Hop> {
        let mut hops = std::mem::take(&mut self.scratch.hops);
        hops.clear();
        self.router.hops(self.wires.node(router), header, &mut hops);
        let mut best = None;
        for &hop in &hops {
            let Some(port) = self.wires.local(router, hop.port) else { continue };
            let class = self.classes[usize::from(hop.vc.0).min(self.classes.len() - 1)];
            let free = self.room(self.wires.base(router) + port, class);
            if best.is_none_or(|(most, _)| free > most) {
                best = Some((free, hop));
            }
        }
        self.scratch.hops = hops;
        best.map(|(_, hop)| hop)
    }

    /// Credits of some virtual channels of a port.
    pub fn room(&self, port: usize, vcs: u64) -> u64 {
        let first = port * self.vcs;
        each_in_word(vcs).map(|vc| u64::from(self.outs[first + vc].credits)).sum()
    }

    /// A flit that won the switch leaves its queue.
    #[inline(always)]
    pub fn cross(&mut self, me: &mut RouterState<W>, router: usize, port: usize, slot: usize) {
        let (now, base) = (self.now, me.base as usize);
        let index = base * self.slots + slot;
        let queue = &mut self.queues[index];
        let place = usize::from(queue.head);
        let flit = self.flits[index * self.buffer + place];
        queue.head = if place + 1 == self.buffer { 0 } else { narrow(place + 1) };
        queue.length -= 1;
        let vc = usize::from(queue.vc);
        let here = base + port;
        let out = &mut self.outs[here * self.vcs + vc];
        out.credits -= 1;
        let at = out.to;
        let state = &mut self.ports[here];
        state.sent += 1;
        self.seen.flit_hops += 1;
        let returned = now + u64::from(queue.back_after);
        if queue.back == HOST {
            self.returns.push(returned + self.delays.source_credit, queue.back_to);
        } else {
            let event = Event { router: queue.back, at: queue.back_to };
            self.credits.push(returned + self.delays.credit, event);
        }
        let mut goes_on = queue.length > 0 && out.credits > 0;
        if flit & TAIL != 0 {
            goes_on = false;
            out.owner = NOBODY;
            state.free |= 1 << vc;
            if !is_empty(&state.asks) {
                set(&mut me.vcs, port);
            }
            if queue.length > 0 {
                queue.stage = Stage::Routing;
                let event = Event { router: index32(router), at: index32(slot) };
                self.wakes.push(now + self.delays.next, event);
            } else {
                queue.stage = Stage::Idle;
            }
        }
        if !goes_on {
            clear(&mut state.wants, slot);
            if is_empty(&state.wants) {
                clear(&mut me.switch, port);
            }
        }
        let far = state.far;
        let received = now + self.delays.crossed + u64::from(far.latency);
        if state.dead && self.is_lost(flit) {
            self.drop_flit(router, here * self.vcs + vc, flit);
        } else if far.router == HOST {
            self.ejections.push(received, Arrival { router: index32(router), at, flit });
        } else {
            self.arrivals.push(received, Arrival { router: far.router, at, flit });
        }
    }
}
