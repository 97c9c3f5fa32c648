//! One cycle: what arrives, what is routed, what is sent on.

use super::engine::Engine;
use super::mask::{Bits, clear, first_in_word, is_empty, part, set};
use super::state::{
    Arrival, Flit, NO_CREDIT, NOBODY, Place, Places, PortState, Stage, TAIL, at, at_mut, index32,
    narrow, packet_of,
};

impl<const W: usize> Engine<'_, W> {
    /// Runs the cycle `now`, and goes to the next.
    pub fn cycle(&mut self) {
        self.fail();
        if self.shared.is_some() {
            self.take_shared_credits();
        } else {
            self.take_credits();
        }
        if self.link_errors.is_some() {
            self.take_late();
        }
        self.take_arrivals();
        self.wake();
        self.inject();
        self.allocate_switches();
        // Behind the switch: so queues that get a virtual channel now want the switch in the next cycle.
        if self.speculation.is_some() {
            self.collect_bids();
            self.allocate_vcs();
            self.speculate();
        } else {
            self.allocate_vcs();
        }
        if self.shared.is_some() {
            self.recount_touched();
        }
        self.now += 1;
    }

    #[inline(never)]
    fn take_credits(&mut self) {
        let credits = self.credits.take(self.now);
        for &at in &credits {
            self.take_credit(at as usize);
        }
        self.credits.put(self.now, credits);
    }

    /// A virtual channel gets a credit, here or in another part, unless it is [`NO_CREDIT`].
    #[inline(always)]
    fn take_credit(&mut self, index: usize) {
        let Some(out) = self.outs.get_mut(index) else {
            if index != NO_CREDIT as usize {
                self.send_credit(index);
            }
            return;
        };
        out.credits += 1;
        if out.credits == 1 && out.owner != NOBODY {
            self.go_on(index);
        }
    }

    /// The queue that waits for a credit of a virtual channel has one.
    #[inline(never)]
    fn go_on(&mut self, index: usize) {
        let (port, slot) = (index / self.vcs, usize::from(self.outs[index].owner));
        if self.queues[self.ports[port].first_queue as usize + slot].length > 0 {
            self.want(port, slot);
        }
    }

    #[inline(never)]
    fn take_arrivals(&mut self) {
        let arrivals = self.arrivals.take(self.now);
        let routed = self.now + self.delays.routed;
        let mut woken = self.wakes.take(routed);
        for &Arrival { at, credit, flit } in &arrivals {
            self.take_credit(credit as usize);
            let Some(queue) = self.queues.get_mut(at as usize) else {
                self.eject(at as usize - self.queues.len(), flit);
                continue;
            };
            if queue.stage == Stage::Idle {
                queue.front = flit;
                queue.length = 1;
                queue.stage = Stage::Routing;
                woken.push(at);
            } else {
                self.append(at as usize, flit);
            }
        }
        self.wakes.keep(routed, woken);
        self.arrivals.put(self.now, arrivals);
    }

    /// A flit comes to a queue that has a packet.
    #[inline]
    fn append(&mut self, index: usize, flit: Flit) {
        let queue = at_mut(&mut self.queues, index);
        queue.length += 1;
        if queue.length == 1 {
            queue.front = flit;
            let (port, vc) = (queue.port as usize, usize::from(queue.vc));
            let state = at(&self.ports, port);
            if queue.stage == Stage::Active && self.outs[state.first_out as usize + vc].credits > 0
            {
                self.want(port, index - state.first_queue as usize);
            }
        } else {
            let place = usize::from(queue.head) + usize::from(queue.length) - 2;
            let place = if place >= self.room_behind { place - self.room_behind } else { place };
            self.flits[index * self.room_behind + place] = flit;
        }
    }

    /// A flit comes to a host by that of all virtual channels, or leaves for another part.
    #[inline]
    fn eject(&mut self, out: usize, flit: Flit) {
        if out >= self.source_outs {
            self.send_flit(out - self.source_outs, flit);
        } else if self.is_closed_loop {
            self.receive(out, flit);
        } else {
            self.take_flit(out, flit);
        }
    }

    /// A host takes a flit.
    #[inline(always)]
    pub fn take_flit(&mut self, out: usize, flit: Flit) {
        let latency = at(&self.wires.far, out / self.vcs).latency;
        let sent = self.now + 1 + u64::from(self.config.credit_delay);
        self.credits.push(sent + u64::from(latency), index32(out));
        let place = packet_of(flit);
        let packet = at_mut(&mut self.packets, place);
        if packet.lost {
            self.take_lost(flit);
            return;
        }
        packet.taken += 1;
        self.seen.ejected += 1;
        if self.sources_of_host > 1 {
            self.seen.by_class[usize::from(packet.class)] += 1;
        }
        if flit & TAIL != 0 {
            self.seen.arrived += 1;
            self.seen.delivered.push(packet.clone());
            self.unused.push(index32(place));
        }
    }

    /// A queue with a flit and a credit wants the switch.
    #[inline(always)]
    pub fn want(&mut self, port: usize, slot: usize) {
        let port = at_mut(&mut self.ports, port);
        set(&mut port.wants, slot);
        let (router, local) = (port.router as usize, port.local.into());
        self.make_busy(router, local);
    }

    /// A port of a router is wanted.
    #[inline(always)]
    pub fn make_busy(&mut self, router: usize, port: usize) {
        set(&mut at_mut(&mut self.routers, router).switch, port);
        *at_mut(&mut self.busy, router / 64) |= 1 << (router % 64);
    }

    /// An output, that of all ports, and an input of the switch are matched: the next queue of the input that wants the
    /// output sends a flit. A port that nobody wants any more leaves `switch`.
    #[inline(always)]
    pub fn cross(
        &mut self,
        first_input: usize,
        switch: &mut Bits<W>,
        index: usize,
        choose: impl Fn(&PortState<W>, &Places<W>) -> Place,
    ) {
        let now = self.now;
        let port = at_mut(&mut self.ports, index);
        let Place { input, first } = choose(port, &self.places);
        let own = at_mut(&mut self.inputs, first_input + usize::from(input));
        port.grant = first + self.group;
        let first = usize::from(first);
        let chosen = first_in_word(part(&port.wants, first, self.group_mask), own.queue.into());
        own.queue = narrow(chosen + 1);
        own.accept = port.local + 1;
        let slot = first + chosen;
        let index_of_queue = port.first_queue as usize + slot;
        let queue = at_mut(&mut self.queues, index_of_queue);
        let flit = queue.front;
        let vc = usize::from(queue.vc);
        let out = at_mut(&mut self.outs, port.first_out as usize + vc);
        out.credits -= 1;
        port.sent += 1;
        self.seen.flit_hops += 1;
        let mut credit = queue.back_to;
        if queue.back_after != port.after {
            self.credits.push(now + u64::from(queue.back_after), credit);
            credit = NO_CREDIT;
        }
        queue.length -= 1;
        let is_empty_now = queue.length == 0;
        if !is_empty_now {
            let place = usize::from(queue.head);
            queue.front = *at(&self.flits, index_of_queue * self.room_behind + place);
            queue.head = if place + 1 == self.room_behind { 0 } else { narrow(place + 1) };
        }
        let mut goes_on = !is_empty_now && out.credits > 0;
        if flit & TAIL != 0 {
            goes_on = false;
            out.owner = NOBODY;
            port.freed |= 1 << vc;
            if !port.listed && !is_empty(&port.asks) {
                port.listed = true;
                self.asking.push(index32(index));
            }
            queue.stage = Stage::Idle;
            if !is_empty_now {
                queue.stage = Stage::Routing;
                self.wakes.push(now + self.delays.next, index32(index_of_queue));
            }
        }
        if !goes_on {
            clear(&mut port.wants, slot);
            if is_empty(&port.wants) {
                clear(switch, port.local.into());
            }
        }
        let (received, to) = (now + u64::from(port.after), out.to);
        let arrival = Arrival { at: to, credit, flit };
        if port.special {
            self.take_special_link(index, vc, arrival);
        } else {
            self.arrivals.push(received, arrival);
        }
    }
}
