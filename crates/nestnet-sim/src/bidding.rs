//! Who crosses the switch early? Bids of heads, collected before virtual channels are given and used behind.

use super::config::Allocator;
use super::engine::Engine;
use super::mask::{behind, each, each_in_word};
use super::matching::{Request, add_request, separable};
use super::speculation::{Bid, Speculation};
use super::state::{Place, Stage, narrow};
use super::switch::place;

impl<const W: usize> Engine<'_, W> {
    /// Writes down who bids, before virtual channels are given.
    #[inline(never)]
    pub fn collect_bids(&mut self) {
        let mut bids = Vec::new();
        for &index in &self.asking {
            let port = &self.ports[index as usize];
            for slot in each(port.asks) {
                let vcs = self.askable(index as usize, slot);
                let has_credit = |vc: usize| self.outs[port.first_out as usize + vc].credits > 0;
                if each_in_word(vcs).any(has_credit) {
                    bids.push(Bid { router: port.router, port: index, slot: narrow(slot) });
                }
            }
        }
        bids.sort_by_key(|bid| (bid.router, bid.port, bid.slot));
        if let Some(speculation) = &mut self.speculation {
            speculation.bids = bids;
        }
    }

    /// Matches the bids, and lets those cross that may.
    #[inline(never)]
    pub fn speculate(&mut self) {
        let Some(mut own) = self.speculation.take() else { return };
        let bids = std::mem::take(&mut own.bids);
        for of_router in bids.chunk_by(|a, b| a.router == b.router) {
            self.speculate_at(of_router, &mut own);
        }
        self.speculation = Some(own);
    }

    fn speculate_at(&mut self, bids: &[Bid], own: &mut Speculation) {
        let router = bids[0].router as usize;
        let state = &self.routers[router];
        let (base, inputs) = (state.base as usize, state.first_input as usize);
        let mut requests: Vec<Request> = Vec::new();
        for bid in bids {
            let (slot, port) = (usize::from(bid.slot), bid.port as usize);
            let Place { input, first } = place(&self.places, slot);
            let (input, output) = (usize::from(input), port - base);
            let request = Request {
                input,
                output,
                age: self.age(self.ports[port].first_queue as usize + slot),
                input_turn: behind(own.accept[inputs + input].into(), output),
                output_turn: behind(own.grant[port].into(), input),
                queue: slot - usize::from(first),
            };
            add_request(&mut requests, request, own.queue[inputs + input].into());
        }
        for (Request { input, output, queue, .. }, _) in
            separable(&requests, Allocator::SeparableOutputFirst, 1)
        {
            let (port, of_all) = (base + output, inputs + input);
            own.grant[port] = narrow(input + 1);
            own.accept[of_all] = narrow(output + 1);
            own.queue[of_all] = narrow(queue + 1);
            if !own.is_used(self.now, port, of_all) && self.may_cross(port, input, queue) {
                self.cross_bid(port, inputs, input, queue);
            }
        }
    }

    /// Whether a head that bid has a virtual channel of the port now, with a credit.
    fn may_cross(&self, port: usize, input: usize, queue: usize) -> bool {
        let state = &self.ports[port];
        let slot = input * usize::from(self.group) + queue;
        let own = &self.queues[state.first_queue as usize + slot];
        let out = &self.outs[state.first_out as usize + usize::from(own.vc)];
        own.stage == Stage::Active && own.port as usize == port && out.credits > 0
    }

    /// Lets it cross; the round robins of requests stay.
    fn cross_bid(&mut self, port: usize, inputs: usize, input: usize, queue: usize) {
        let of_all = inputs + input;
        let (before, grant) = (self.inputs[of_all], self.ports[port].grant);
        self.inputs[of_all].queue = narrow(queue);
        let router = self.ports[port].router as usize;
        let mut switch = self.routers[router].switch;
        let number = narrow(input);
        let chosen = Place { input: number, first: number * self.group };
        self.cross(inputs, &mut switch, port, |_, _| chosen);
        self.routers[router].switch = switch;
        self.inputs[of_all] = before;
        let state = &mut self.ports[port];
        state.grant = grant;
        // Virtual channels of this cycle are given: what a tail freed is free in the next.
        state.free |= state.freed;
        state.freed = 0;
    }
}
