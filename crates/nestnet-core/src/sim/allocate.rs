//! Who gets a virtual channel, and who the switch? Round robin, in one round.

use super::config::{Allocator, Switching};
use super::mask::{
    Bits, clear, each, each_in_word, first_from, first_in_word, has, is_empty, is_single, part,
    set, without,
};
use super::state::{Engine, RouterState, Stage, narrow, packet_of};

/// How far `at` lies behind `start` in a circle of `count`.
#[inline(always)]
fn behind(start: usize, at: usize, count: usize) -> usize {
    if at >= start { at - start } else { at + count - start }
}

impl<const W: usize> Engine<'_, W> {
    /// One cycle of a router; whether it has more to do without waiting for something.
    #[inline]
    pub fn allocate(&mut self, router: usize) -> bool {
        let mut me = self.routers[router];
        let base = me.base as usize;
        // Virtual channels first: so what the switch frees in this cycle is given away in the next. Queues that get one
        // now ask for the switch in the next cycle too.
        let mut fresh = [0; W];
        for port in each(me.vcs) {
            self.allocate_vcs(&mut me, base, port, &mut fresh);
        }
        if !is_empty(&me.switch) {
            self.seen.moved = self.now;
            match self.config.switch_allocator {
                Allocator::Islip => self.offer_switch(&mut me, router, &fresh),
                Allocator::SeparableInputFirst => self.request_switch(&mut me, router, &fresh),
            }
        }
        self.routers[router] = me;
        !is_empty(&me.switch) || !is_empty(&me.vcs)
    }

    /// Outputs choose first.
    #[inline(always)]
    fn offer_switch(&mut self, me: &mut RouterState<W>, router: usize, fresh: &Bits<W>) {
        let (base, group, switch) = (me.base as usize, self.group, me.switch);
        if is_single(&switch) {
            // Nobody else is asked.
            let port = first_from(&switch, 0);
            let state = &self.ports[base + port];
            let wants = without(&state.wants, fresh);
            if !is_empty(&wants) {
                let slot = first_from(&wants, usize::from(state.grant) * group);
                let input = usize::from(self.input_of[slot]);
                self.grant_switch(me, router, port, input, &wants);
            }
            return;
        }
        let mut granted = std::mem::take(&mut self.scratch.granted);
        granted.clear();
        let (mut taken, mut clash) = ([0u64; W], false);
        for port in each(switch) {
            let state = &self.ports[base + port];
            let wants = without(&state.wants, fresh);
            if is_empty(&wants) {
                continue;
            }
            let slot = first_from(&wants, usize::from(state.grant) * group);
            let input = usize::from(self.input_of[slot]);
            clash |= has(&taken, input);
            set(&mut taken, input);
            granted.push((port, input));
        }
        if clash {
            // Pointers move only when all have been read.
            let count = me.count as usize;
            let all = std::mem::take(&mut granted);
            let wins = |&(port, input): &(usize, usize)| {
                let start = usize::from(self.inputs[base * self.wires.inputs + input].accept);
                let near = |port| behind(start, port, count);
                let beats =
                    |&(other, with): &(usize, usize)| with == input && near(other) < near(port);
                !all.iter().any(beats)
            };
            granted.extend(all.iter().copied().filter(wins));
        }
        for &(port, input) in &granted {
            let wants = without(&self.ports[base + port].wants, fresh);
            self.grant_switch(me, router, port, input, &wants);
        }
        self.scratch.granted = granted;
    }

    /// Inputs choose first.
    fn request_switch(&mut self, me: &mut RouterState<W>, router: usize, fresh: &Bits<W>) {
        let (base, count) = (me.base as usize, me.count as usize);
        let inputs = count * self.wires.inputs;
        let mut requests = std::mem::take(&mut self.scratch.granted);
        requests.clear();
        for port in each(me.switch) {
            for slot in each(without(&self.ports[base + port].wants, fresh)) {
                let input = usize::from(self.input_of[slot]);
                let accept = usize::from(self.inputs[base * self.wires.inputs + input].accept);
                let near = |port| behind(accept, port, count);
                match requests.iter_mut().find(|(_, with)| *with == input) {
                    Some((chosen, _)) if near(port) < near(*chosen) => *chosen = port,
                    Some(_) => (),
                    None => requests.push((port, input)),
                }
            }
        }
        for &(port, input) in &requests {
            let start = usize::from(self.ports[base + port].grant);
            let near = |input| behind(start, input, inputs);
            let beaten = |&(at, other): &(usize, usize)| at == port && near(other) < near(input);
            if !requests.iter().any(beaten) {
                self.scratch.accepted.push((port, input));
            }
        }
        while let Some((port, input)) = self.scratch.accepted.pop() {
            let wants = without(&self.ports[base + port].wants, fresh);
            self.grant_switch(me, router, port, input, &wants);
        }
        self.scratch.granted = requests;
    }

    /// An output and an input are matched: the next queue of the input that wants it sends a flit.
    #[inline(always)]
    fn grant_switch(
        &mut self,
        me: &mut RouterState<W>,
        router: usize,
        port: usize,
        input: usize,
        wants: &Bits<W>,
    ) {
        let wires = self.wires;
        let (base, group, count) = (me.base as usize, self.group, me.count as usize);
        let first = input * group;
        let wants = part(wants, first, group);
        let own = &mut self.inputs[base * wires.inputs + input];
        let queue = first_in_word(wants, usize::from(own.queue));
        own.queue = if queue + 1 == group { 0 } else { narrow(queue + 1) };
        own.accept = if port + 1 == count { 0 } else { narrow(port + 1) };
        let next = if input + 1 == count * wires.inputs { 0 } else { narrow(input + 1) };
        self.ports[base + port].grant = next;
        self.cross(me, router, port, first + queue);
    }

    /// The virtual channels of one port.
    #[inline]
    fn allocate_vcs(
        &mut self,
        me: &mut RouterState<W>,
        base: usize,
        port: usize,
        fresh: &mut Bits<W>,
    ) {
        let asks = self.ports[base + port].asks;
        if is_single(&asks) {
            let slot = first_from(&asks, 0);
            let vcs = self.askable(base, port, slot);
            if vcs != 0 {
                let vc = first_in_word(vcs, self.start_vc(base, port, slot));
                self.grant_vc(me, port, slot, vc);
                set(fresh, slot);
                // It was the only one.
                clear(&mut me.vcs, port);
            } else if self.ports[base + port].free == 0 {
                clear(&mut me.vcs, port);
            }
            return;
        }
        match self.config.vc_allocator {
            Allocator::Islip => self.offer_vcs(me, base, port, fresh),
            Allocator::SeparableInputFirst => self.request_vcs(me, base, port, fresh),
        }
        let state = &self.ports[base + port];
        if state.free == 0 || is_empty(&state.asks) {
            clear(&mut me.vcs, port);
        }
    }

    /// The free virtual channels that a queue may have.
    #[inline(always)]
    fn askable(&self, base: usize, port: usize, slot: usize) -> u64 {
        let index = base * self.slots + slot;
        let queue = &self.queues[index];
        let vcs = self.ports[base + port].free & self.classes[usize::from(queue.class)];
        if self.config.switching == Switching::Wormhole {
            return vcs;
        }
        let buffer = self.buffer;
        let flit = self.flits[index * buffer + usize::from(queue.head)];
        let size = self.packets[packet_of(flit)].size;
        let first = (base + port) * self.vcs;
        let fits = |&vc: &usize| self.outs[first + vc].credits >= size;
        each_in_word(vcs).filter(fits).fold(0, |mask, vc| mask | 1 << vc)
    }

    /// Where the round robin of a queue begins at a port: a pointer at another port begins with the lowest.
    #[inline(always)]
    fn start_vc(&self, base: usize, port: usize, slot: usize) -> usize {
        let accept = usize::from(self.queues[base * self.slots + slot].accept);
        let vc = accept.wrapping_sub(port * self.vcs);
        if vc < self.vcs { vc } else { 0 }
    }

    /// Virtual channels choose first.
    fn offer_vcs(
        &mut self,
        me: &mut RouterState<W>,
        base: usize,
        port: usize,
        fresh: &mut Bits<W>,
    ) {
        let first = (base + port) * self.vcs;
        let asks = self.ports[base + port].asks;
        let slots = me.count as usize * self.slots;
        // With one class all queues ask for the same.
        let alike = self.classes.len() == 2 && self.config.switching == Switching::Wormhole;
        let mut offers = std::mem::take(&mut self.scratch.offers);
        offers.clear();
        for vc in each_in_word(self.ports[base + port].free) {
            let start = usize::from(self.outs[first + vc].grant);
            let slot = if alike {
                Some(first_from(&asks, start))
            } else {
                let may = |slot: &usize| self.askable(base, port, *slot) >> vc & 1 == 1;
                each(asks).filter(may).min_by_key(|&slot| behind(start, slot, slots))
            };
            let Some(slot) = slot else { continue };
            match offers.iter_mut().find(|(to, _)| *to == slot) {
                Some((_, vcs)) => *vcs |= 1 << vc,
                None => offers.push((slot, 1 << vc)),
            }
        }
        for &(slot, vcs) in &offers {
            let vc = first_in_word(vcs, self.start_vc(base, port, slot));
            self.grant_vc(me, port, slot, vc);
            set(fresh, slot);
        }
        self.scratch.offers = offers;
    }

    /// Queues choose first.
    fn request_vcs(
        &mut self,
        me: &mut RouterState<W>,
        base: usize,
        port: usize,
        fresh: &mut Bits<W>,
    ) {
        let first = (base + port) * self.vcs;
        let slots = me.count as usize * self.slots;
        let mut requests = std::mem::take(&mut self.scratch.granted);
        requests.clear();
        for slot in each(self.ports[base + port].asks) {
            let vcs = self.askable(base, port, slot);
            if vcs != 0 {
                requests.push((slot, first_in_word(vcs, self.start_vc(base, port, slot))));
            }
        }
        for &(slot, vc) in &requests {
            let start = usize::from(self.outs[first + vc].grant);
            let near = |slot| behind(start, slot, slots);
            let beaten = |&(other, of): &(usize, usize)| of == vc && near(other) < near(slot);
            if !requests.iter().any(beaten) {
                self.scratch.accepted.push((slot, vc));
            }
        }
        while let Some((slot, vc)) = self.scratch.accepted.pop() {
            self.grant_vc(me, port, slot, vc);
            set(fresh, slot);
        }
        self.scratch.granted = requests;
    }

    /// A queue gets a virtual channel, and asks for the switch from the next cycle on.
    #[inline(always)]
    fn grant_vc(&mut self, me: &mut RouterState<W>, port: usize, slot: usize, vc: usize) {
        let (base, count, vcs) = (me.base as usize, me.count as usize, self.vcs);
        let queue = &mut self.queues[base * self.slots + slot];
        queue.vc = u8::try_from(vc & 0xFF).unwrap_or(0);
        queue.stage = Stage::Active;
        let next = port * vcs + vc + 1;
        queue.accept = if next == count * vcs { 0 } else { narrow(next) };
        let out = &mut self.outs[(base + port) * vcs + vc];
        out.owner = narrow(slot);
        out.grant = if slot + 1 == count * self.slots { 0 } else { narrow(slot + 1) };
        let state = &mut self.ports[base + port];
        state.free &= !(1 << vc);
        clear(&mut state.asks, slot);
        if out.credits > 0 {
            set(&mut state.wants, slot);
            set(&mut me.switch, port);
        }
    }
}
