//! Who gets the switch? Round robin, in one round.

use super::config::Allocator;
use super::engine::Engine;
use super::mask::{behind, each, first_from, first_in_word, has, is_empty, is_single, part, set};
use super::state::{RouterState, narrow};

impl<const W: usize> Engine<'_, W> {
    /// One cycle of a router; whether it has more to do without waiting for something.
    #[inline(always)]
    pub fn allocate_switch(&mut self, router: usize) -> bool {
        let mut me = self.routers[router];
        match self.config.switch_allocator {
            Allocator::Islip => self.offer_switch(&mut me),
            Allocator::SeparableInputFirst => self.request_switch(&mut me),
        }
        self.routers[router].switch = me.switch;
        !is_empty(&me.switch)
    }

    /// Outputs choose first.
    #[inline(always)]
    fn offer_switch(&mut self, me: &mut RouterState<W>) {
        let (base, switch) = (me.base as usize, me.switch);
        if is_single(&switch) {
            // Nobody else is asked.
            let index = base + first_from(&switch, 0);
            let port = &self.ports[index];
            let slot = first_from(&port.wants, port.grant.into());
            self.grant_switch(me, index, slot);
            return;
        }
        let (mut taken, mut clash) = ([0u64; W], false);
        for port in each(switch) {
            let port = &mut self.ports[base + port];
            let slot = first_from(&port.wants, port.grant.into());
            let first = self.places[slot].first.into();
            port.chosen = narrow(slot);
            clash |= has(&taken, first);
            set(&mut taken, first);
        }
        if clash {
            self.accept_switch(me);
            return;
        }
        for port in each(switch) {
            let slot = self.ports[base + port].chosen.into();
            self.grant_switch(me, base + port, slot);
        }
    }

    /// Inputs that several outputs offer themselves to take the next of them.
    #[inline(never)]
    fn accept_switch(&mut self, me: &mut RouterState<W>) {
        let base = me.base as usize;
        let mut granted = std::mem::take(&mut self.scratch.granted);
        let offers = each(me.switch).map(|port| {
            let slot = usize::from(self.ports[base + port].chosen);
            (port, usize::from(self.places[slot].input))
        });
        granted.clear();
        granted.extend(offers);
        // Pointers move only when all have been read.
        let wins = |&(port, input): &(usize, usize)| {
            let start = usize::from(self.inputs[me.first_input as usize + input].accept);
            let near = |port| behind(start, port);
            let beats = |&(other, with): &(usize, usize)| with == input && near(other) < near(port);
            !granted.iter().any(beats)
        };
        self.scratch.accepted.extend(granted.iter().copied().filter(wins));
        while let Some((port, _)) = self.scratch.accepted.pop() {
            let slot = self.ports[base + port].chosen.into();
            self.grant_switch(me, base + port, slot);
        }
        self.scratch.granted = granted;
    }

    /// Inputs choose first.
    #[inline(never)]
    fn request_switch(&mut self, me: &mut RouterState<W>) {
        let base = me.base as usize;
        // An output and the first queue of an input that asks for it.
        let mut requests = std::mem::take(&mut self.scratch.granted);
        requests.clear();
        for port in each(me.switch) {
            for slot in each(self.ports[base + port].wants) {
                let place = self.places[slot];
                let own = &self.inputs[me.first_input as usize + usize::from(place.input)];
                let near = |port| behind(own.accept.into(), port);
                let first = usize::from(place.first);
                match requests.iter_mut().find(|(_, with)| *with == first) {
                    Some((chosen, _)) if near(port) < near(*chosen) => *chosen = port,
                    Some(_) => (),
                    None => requests.push((port, first)),
                }
            }
        }
        for &(port, first) in &requests {
            let start = usize::from(self.ports[base + port].grant);
            let near = |first| behind(start, first);
            let beaten = |&(at, other): &(usize, usize)| at == port && near(other) < near(first);
            if !requests.iter().any(beaten) {
                self.scratch.accepted.push((port, first));
            }
        }
        while let Some((port, first)) = self.scratch.accepted.pop() {
            self.grant_switch(me, base + port, first);
        }
        self.scratch.granted = requests;
    }

    /// An output and the input of a queue are matched: the next queue of the input that wants it sends a flit.
    #[inline(always)]
    fn grant_switch(&mut self, me: &mut RouterState<W>, index: usize, slot: usize) {
        let port = &mut self.ports[index];
        let place = self.places[slot];
        let first = usize::from(place.first);
        let own = &mut self.inputs[me.first_input as usize + usize::from(place.input)];
        let queue = first_in_word(part(&port.wants, first, self.group), own.queue.into());
        own.queue = narrow(queue + 1);
        own.accept = port.local + 1;
        port.grant = narrow(first + self.group);
        self.cross(me, index, first + queue);
    }
}
