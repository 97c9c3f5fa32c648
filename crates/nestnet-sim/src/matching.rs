//! Matchings beyond one round of round robins: several rounds, by age, and wavefronts.
//!
//! Slower than the allocators of `channels` and `switch`, and used only where one of these is asked for.

use super::channels::start_vc;
use super::config::{Allocator, Priority};
use super::engine::Engine;
use super::mask::{Bits, behind, each, each_in_word};
use super::state::{Place, index32, narrow, packet_of};
use super::switch::place;

/// An input that asks for an output. The lowest goes first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Request {
    pub input: usize,
    pub output: usize,
    /// The packet was made in this cycle, or its class; 0 where neither matters.
    pub age: u64,
    /// How far it is in the turn of the input, and of the output.
    pub input_turn: usize,
    pub output_turn: usize,
    /// The queue of the input.
    pub queue: usize,
}

/// Of each group those that no other goes before, in their order.
fn firsts(
    requests: &[Request],
    group: impl Fn(&Request) -> usize,
    rank: impl Fn(&Request) -> (u64, usize),
) -> Vec<Request> {
    let groups = requests.iter().map(&group).max().map_or(0, |last| last + 1);
    let mut least = vec![(u64::MAX, usize::MAX); groups];
    for request in requests {
        let least = &mut least[group(request)];
        *least = rank(request).min(*least);
    }
    let is_first = |one: &&Request| rank(one) == least[group(one)];
    requests.iter().filter(is_first).copied().collect()
}

/// Adds a request to others of the same router, which come by output and queue: of the queues of an input that ask for the
/// same output the first in its turn is kept.
pub(super) fn add_request(requests: &mut Vec<Request>, request: Request, turn: usize) {
    let rank = |one: &Request| (one.age, behind(turn, one.queue));
    let same =
        |other: &&mut Request| (other.input, other.output) == (request.input, request.output);
    match requests.last_mut().filter(same) {
        Some(other) if rank(&request) < rank(other) => *other = request,
        Some(_) => (),
        None => requests.push(request),
    }
}

/// Outputs offer and inputs accept, or inputs ask and outputs take, in rounds; what is matched, and in which round.
pub(super) fn separable(
    requests: &[Request],
    allocator: Allocator,
    rounds: u16,
) -> Vec<(Request, u16)> {
    let mut matched: Vec<(Request, u16)> = Vec::new();
    let by_input = |request: &Request| (request.age, request.input_turn);
    let by_output = |request: &Request| (request.age, request.output_turn);
    for round in 0..rounds {
        let is_free = |request: &&Request| {
            let is_met = |(other, _): &(Request, u16)| {
                other.input == request.input || other.output == request.output
            };
            !matched.iter().any(is_met)
        };
        let open: Vec<Request> = requests.iter().filter(is_free).copied().collect();
        let best_of_outputs = |from: &[Request]| firsts(from, |one| one.output, by_output);
        let best_of_inputs = |from: &[Request]| firsts(from, |one| one.input, by_input);
        let found = match allocator {
            Allocator::SeparableInputFirst => best_of_outputs(&best_of_inputs(&open)),
            _ => best_of_inputs(&best_of_outputs(&open)),
        };
        if found.is_empty() {
            break;
        }
        matched.extend(found.into_iter().map(|request| (request, round)));
    }
    matched
}

/// Diagonals of a square matrix from one on; what is matched, and where to begin the next time.
fn wavefront(requests: &[Request], size: usize, first: &mut u32) -> Vec<(Request, u16)> {
    let mut matched: Vec<(Request, u16)> = Vec::new();
    let begin = *first as usize;
    for step in 0..size {
        let diagonal = (begin + step) % size;
        for request in requests.iter().filter(|one| (one.input + one.output) % size == diagonal) {
            let is_met = |(other, _): &(Request, u16)| {
                other.input == request.input || other.output == request.output
            };
            if matched.iter().any(is_met) {
                continue;
            }
            if matched.is_empty() {
                *first = index32((diagonal + 1) % size);
            }
            matched.push((*request, 0));
        }
    }
    matched
}

impl<const W: usize> Engine<'_, W> {
    fn rounds(&self, allocator: Allocator) -> u16 {
        if allocator == Allocator::Islip { self.config.iterations } else { 1 }
    }

    /// What goes before any round robin, the lowest first: when the first packet of a queue was made, or its class.
    pub fn age(&self, queue: usize) -> u64 {
        match self.config.priority {
            Priority::RoundRobin => 0,
            Priority::Age => self.packets[packet_of(self.queues[queue].front)].created,
            Priority::Class => self.queues[queue].class.into(),
        }
    }

    /// Gives away the virtual channels of a port.
    #[inline(never)]
    pub fn match_vcs(&mut self, index: usize) {
        let port = &self.ports[index];
        let (first_queue, first_out) = (port.first_queue as usize, port.first_out as usize);
        let mut requests = Vec::new();
        for slot in each(port.asks) {
            let queue = first_queue + slot;
            let start = start_vc(port, &self.queues[queue]);
            requests.extend(each_in_word(self.askable(index, slot)).map(|vc| Request {
                input: slot,
                output: vc,
                age: self.age(queue),
                input_turn: behind(start, vc),
                output_turn: behind(self.outs[first_out + vc].grant.into(), slot),
                queue,
            }));
        }
        let allocator = self.config.vc_allocator;
        let matched = match self.vc_diagonals.get_mut(index) {
            Some(first) => {
                let size = self.wires.count(port.router as usize) * self.wires.slots;
                wavefront(&requests, size.max(self.vcs), first)
            }
            None => separable(&requests, allocator, self.rounds(allocator)),
        };
        for (Request { input, output, queue, .. }, round) in matched {
            let own = &self.queues[queue];
            let (accept_port, accept_vc) = (own.accept_port, own.accept_vc);
            let grant = self.outs[first_out + output].grant;
            self.give_vc(index, input, output);
            if round > 0 {
                let own = &mut self.queues[queue];
                (own.accept_port, own.accept_vc) = (accept_port, accept_vc);
                self.outs[first_out + output].grant = grant;
            }
        }
    }

    /// One cycle of the switch of a router, as the other allocators have it.
    #[inline(never)]
    pub fn match_switch(&mut self, switch: Bits<W>, base: usize, inputs: usize) -> Bits<W> {
        let mut requests: Vec<Request> = Vec::new();
        for local in each(switch) {
            let port = &self.ports[base + local];
            for slot in each(port.wants) {
                let Place { input, first } = place(&self.places, slot);
                let own = &self.inputs[inputs + usize::from(input)];
                let queue = slot - usize::from(first);
                let request = Request {
                    input: input.into(),
                    output: local,
                    age: self.age(port.first_queue as usize + slot),
                    input_turn: behind(own.accept.into(), local),
                    output_turn: behind(port.grant.into(), first.into()),
                    queue,
                };
                add_request(&mut requests, request, own.queue.into());
            }
        }
        let allocator = self.config.switch_allocator;
        let router = self.ports[base].router as usize;
        let matched = match self.switch_diagonals.get_mut(router) {
            Some(first) => {
                wavefront(&requests, self.wires.count(router) * self.wires.inputs, first)
            }
            None => separable(&requests, allocator, self.rounds(allocator)),
        };
        let mut left = switch;
        let group = self.group;
        for (request, round) in matched {
            let (input, local) = (inputs + request.input, base + request.output);
            let (accept, grant) = (self.inputs[input].accept, self.ports[local].grant);
            if let Some(speculation) = &mut self.speculation {
                speculation.use_switch(self.now, local, input);
            }
            self.inputs[input].queue = narrow(request.queue);
            let number = narrow(request.input);
            let chosen = Place { input: number, first: number * group };
            self.cross(inputs, &mut left, local, |_, _| chosen);
            if round > 0 {
                self.inputs[input].accept = accept;
                self.ports[local].grant = grant;
            }
        }
        left
    }
}
