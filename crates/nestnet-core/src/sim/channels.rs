//! Who gets a virtual channel? Round robin, in one round, each port for itself.

use super::config::{Allocator, Switching};
use super::engine::Engine;
use super::mask::{
    behind, clear, each, each_in_word, first_from, first_in_word, is_empty, is_single,
};
use super::state::{Stage, narrow, packet_of};

impl<const W: usize> Engine<'_, W> {
    /// One cycle of all ports.
    pub fn allocate_vcs(&mut self) {
        let mut asking = std::mem::take(&mut self.asking);
        asking.retain(|&port| self.allocate_port(port as usize));
        self.asking = asking;
    }

    /// One cycle of a port; whether it has more to do without waiting for something.
    #[inline(always)]
    fn allocate_port(&mut self, index: usize) -> bool {
        let port = &mut self.ports[index];
        if is_single(&port.asks) {
            let slot = first_from(&port.asks, 0);
            let vcs = self.askable(index, slot);
            if vcs != 0 {
                self.grant_vc(index, slot, vcs);
            }
        } else {
            match self.config.vc_allocator {
                Allocator::Islip => self.offer_vcs(index),
                Allocator::SeparableInputFirst => self.request_vcs(index),
            }
        }
        let port = &mut self.ports[index];
        // What the switch freed in this cycle is given away in the next.
        port.free |= port.freed;
        port.freed = 0;
        port.listed = port.free != 0 && !is_empty(&port.asks);
        port.listed
    }

    /// The free virtual channels that a queue may have.
    #[inline(always)]
    fn askable(&self, index: usize, slot: usize) -> u64 {
        let port = &self.ports[index];
        let queue = &self.queues[port.first_queue as usize + slot];
        let vcs = port.free & queue.may;
        if self.config.switching == Switching::Wormhole {
            return vcs;
        }
        let size = self.packets[packet_of(queue.front)].size;
        let fits = |&vc: &usize| self.outs[port.first_out as usize + vc].credits >= size;
        each_in_word(vcs).filter(fits).fold(0, |mask, vc| mask | 1 << vc)
    }

    /// The next of some virtual channels for a queue: a pointer at another port begins with the lowest.
    #[inline(always)]
    fn next_vc(&self, index: usize, slot: usize, vcs: u64) -> usize {
        let port = &self.ports[index];
        let queue = &self.queues[port.first_queue as usize + slot];
        let start = if queue.accept_port == port.local { queue.accept_vc } else { 0 };
        first_in_word(vcs, start.into())
    }

    /// Virtual channels choose first.
    #[inline(never)]
    fn offer_vcs(&mut self, index: usize) {
        let port = &self.ports[index];
        let (asks, first) = (port.asks, port.first_out as usize);
        // With one class all queues ask for the same.
        let alike = self.classes.all == 1 && self.config.switching == Switching::Wormhole;
        let mut offers = std::mem::take(&mut self.scratch.offers);
        offers.clear();
        for vc in each_in_word(port.free) {
            let start = usize::from(self.outs[first + vc].grant);
            let slot = if alike {
                Some(first_from(&asks, start))
            } else {
                let may = |slot: &usize| self.askable(index, *slot) >> vc & 1 == 1;
                each(asks).filter(may).min_by_key(|&slot| behind(start, slot))
            };
            let Some(slot) = slot else { continue };
            match offers.iter_mut().find(|(to, _)| *to == slot) {
                Some((_, vcs)) => *vcs |= 1 << vc,
                None => offers.push((slot, 1 << vc)),
            }
        }
        for &(slot, vcs) in &offers {
            self.grant_vc(index, slot, vcs);
        }
        self.scratch.offers = offers;
    }

    /// Queues choose first.
    #[inline(never)]
    fn request_vcs(&mut self, index: usize) {
        let port = &self.ports[index];
        let (asks, first) = (port.asks, port.first_out as usize);
        let mut requests = std::mem::take(&mut self.scratch.granted);
        requests.clear();
        for slot in each(asks) {
            let vcs = self.askable(index, slot);
            if vcs != 0 {
                requests.push((slot, self.next_vc(index, slot, vcs)));
            }
        }
        for &(slot, vc) in &requests {
            let start = usize::from(self.outs[first + vc].grant);
            let near = |slot| behind(start, slot);
            let beaten = |&(other, of): &(usize, usize)| of == vc && near(other) < near(slot);
            if !requests.iter().any(beaten) {
                self.scratch.accepted.push((slot, vc));
            }
        }
        while let Some((slot, vc)) = self.scratch.accepted.pop() {
            self.grant_vc(index, slot, 1 << vc);
        }
        self.scratch.granted = requests;
    }

    /// A queue gets the next of some virtual channels, and wants the switch from the next cycle on.
    #[inline(always)]
    fn grant_vc(&mut self, index: usize, slot: usize, vcs: u64) {
        let vc = self.next_vc(index, slot, vcs);
        let port = &mut self.ports[index];
        let queue = &mut self.queues[port.first_queue as usize + slot];
        queue.vc = u8::try_from(vc & 0xFF).unwrap_or(0);
        queue.stage = Stage::Active;
        queue.accept_port = port.local;
        queue.accept_vc = queue.vc + 1;
        let out = &mut self.outs[port.first_out as usize + vc];
        out.owner = narrow(slot);
        out.grant = narrow(slot + 1);
        port.free &= !(1 << vc);
        clear(&mut port.asks, slot);
        if out.credits > 0 {
            self.seen.moved = self.now;
            self.want(index, slot);
        }
    }
}
