//! Who gets the switch? Round robin, in one round.

use super::config::Allocator;
use super::engine::Engine;
use super::mask::{
    Bits, behind, clear, each, each_in_word, first_from, has, is_empty, is_single, set,
};
use super::state::{Place, Places, PortState, RouterState, at, at_mut};

impl<const W: usize> Engine<'_, W> {
    /// One cycle of all routers.
    #[inline(never)]
    pub fn allocate_switches(&mut self) {
        for word in 0..self.busy.len() {
            let routers = self.busy[word];
            if routers != 0 {
                self.seen.moved = self.now;
                self.busy[word] = match self.config.switch_allocator {
                    _ if self.matches_switch => {
                        self.allocate_word(word, routers, Self::match_switch)
                    }
                    Allocator::Islip | Allocator::SeparableOutputFirst | Allocator::Wavefront => {
                        self.allocate_word(word, routers, Self::offer_switch)
                    }
                    Allocator::SeparableInputFirst => {
                        self.allocate_word(word, routers, Self::request_switch)
                    }
                };
            }
        }
    }

    /// One cycle of some routers of a word; which of them have more to do without waiting for something.
    #[inline(always)]
    fn allocate_word(
        &mut self,
        word: usize,
        routers: u64,
        allocate: impl Fn(&mut Self, Bits<W>, usize, usize) -> Bits<W>,
    ) -> u64 {
        let mut left = 0;
        for bit in each_in_word(routers) {
            let router = word * 64 + bit;
            let RouterState { switch, base, first_input } = *at(&self.routers, router);
            let switch = allocate(self, switch, base as usize, first_input as usize);
            at_mut(&mut self.routers, router).switch = switch;
            if !is_empty(&switch) {
                left |= 1 << bit;
            }
        }
        left
    }

    /// Outputs choose first. Given and left are the ports of the router that queues want; `base` is its first port,
    /// `inputs` its first input.
    #[inline(always)]
    fn offer_switch(&mut self, switch: Bits<W>, base: usize, inputs: usize) -> Bits<W> {
        let mut left = switch;
        if is_single(&left) {
            // Nobody else is asked.
            let port = base + first_from(&left, 0);
            self.cross(inputs, &mut left, port, choose);
            return left;
        }
        let (mut taken, mut clash) = ([0u64; W], false);
        for port in each(switch) {
            let port = at_mut(&mut self.ports, base + port);
            let place = choose(port, &self.places);
            port.chosen = place;
            clash |= has(&taken, place.first.into());
            set(&mut taken, place.first.into());
        }
        if clash {
            return self.accept_switch(switch, base, inputs);
        }
        for port in each(switch) {
            self.cross(inputs, &mut left, base + port, |port, _| port.chosen);
        }
        left
    }

    /// Inputs that several outputs offer themselves to take the next of them.
    #[inline(never)]
    fn accept_switch(&mut self, switch: Bits<W>, base: usize, inputs: usize) -> Bits<W> {
        let mut left = switch;
        // Pointers move only when all have been read.
        let (mut winners, mut taken) = ([0; W], [0; W]);
        for port in each(switch) {
            let Place { input, first } = at(&self.ports, base + port).chosen;
            if has(&taken, first.into()) {
                let is_same = |other: &usize| at(&self.ports, base + other).chosen.input == input;
                let other = each(winners).find(is_same).unwrap_or(port);
                let start = usize::from(at(&self.inputs, inputs + usize::from(input)).accept);
                if behind(start, other) < behind(start, port) {
                    continue;
                }
                clear(&mut winners, other);
            }
            set(&mut taken, first.into());
            set(&mut winners, port);
        }
        for port in each(winners) {
            self.cross(inputs, &mut left, base + port, |port, _| port.chosen);
        }
        left
    }

    /// Inputs choose first.
    #[inline(never)]
    fn request_switch(&mut self, switch: Bits<W>, base: usize, inputs: usize) -> Bits<W> {
        let mut left = switch;
        // An output and a queue of an input that asks for it.
        let mut requests = std::mem::take(&mut self.scratch.granted);
        requests.clear();
        for port in each(switch) {
            for slot in each(self.ports[base + port].wants) {
                let Place { input, first } = place(&self.places, slot);
                let own = &self.inputs[inputs + usize::from(input)];
                let near = |port| behind(own.accept.into(), port);
                match requests.iter_mut().find(|(_, with)| *with == usize::from(first)) {
                    Some((chosen, _)) if near(port) < near(*chosen) => *chosen = port,
                    Some(_) => (),
                    None => requests.push((port, first.into())),
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
            self.cross(inputs, &mut left, base + port, |_, places| place(places, first));
        }
        self.scratch.granted = requests;
        left
    }
}

/// The next input for an output.
#[inline(always)]
fn choose<const W: usize>(port: &PortState<W>, places: &Places<W>) -> Place {
    place(places, first_from(&port.wants, port.grant.into()))
}

/// The input of a queue.
#[inline(always)]
pub(super) fn place<const W: usize>(places: &Places<W>, slot: usize) -> Place {
    places[slot / 64 % W][slot % 64]
}
