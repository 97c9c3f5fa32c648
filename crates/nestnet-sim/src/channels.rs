//! Who gets a virtual channel? Round robin, in one round, each port for itself.

use super::config::Allocator;
use super::engine::Engine;
use super::mask::{
    Bits, behind, clear, each, each_from, each_in_word, first_from, first_in_word, is_empty,
    is_single, set,
};
use super::state::{Out, PortState, Queue, Stage, at, at_mut, narrow, packet_of};

impl<const W: usize> Engine<'_, W> {
    /// One cycle of all ports.
    pub fn allocate_vcs(&mut self) {
        if self.settles { self.allocate_ports::<true>() } else { self.allocate_ports::<false>() }
    }

    /// The same; `SETTLES` where packets choose among candidates or are marked.
    #[inline(never)]
    fn allocate_ports<const SETTLES: bool>(&mut self) {
        let spare = std::mem::take(&mut self.scratch.asking);
        let mut asking = std::mem::replace(&mut self.asking, spare);
        for &port in &asking {
            if SETTLES && self.adapts && self.is_left(port as usize) {
                continue;
            }
            if self.allocate_port::<SETTLES>(port as usize) {
                self.asking.push(port);
            }
        }
        asking.clear();
        self.scratch.asking = asking;
    }

    /// One cycle of a port; whether it has more to do without waiting for something.
    #[inline(always)]
    fn allocate_port<const SETTLES: bool>(&mut self, index: usize) -> bool {
        let port = at_mut(&mut self.ports, index);
        if !is_single(&port.asks) || self.shares_vcs {
            return self.allocate_shared(index);
        }
        // Nobody else asks.
        let slot = first_from(&port.asks, 0);
        let queue = at_mut(&mut self.queues, port.first_queue as usize + slot);
        let vcs = port.free & queue.may;
        let (given, mut wants) = (vcs != 0, false);
        if given {
            let vc = next_vc(port, queue, vcs);
            let out = at_mut(&mut self.outs, port.first_out as usize + vc);
            wants = give(port, queue, out, slot, vc);
        }
        // What the switch freed in this cycle is given away in the next.
        port.free |= port.freed;
        port.freed = 0;
        port.listed = !given && port.free != 0;
        let (listed, queue) = (port.listed, port.first_queue as usize + slot);
        if wants {
            let (router, local) = (port.router as usize, port.local.into());
            self.seen.moved = self.now;
            self.make_busy(router, local);
        }
        if SETTLES && given {
            self.settle(queue, index);
        }
        listed
    }

    /// The same where several queues ask.
    #[inline(never)]
    fn allocate_shared(&mut self, index: usize) -> bool {
        match self.config.vc_allocator {
            _ if self.matches_vcs => self.match_vcs(index),
            Allocator::Islip | Allocator::SeparableOutputFirst
                if !self.cut_through && self.classes.are_apart && !self.adapts =>
            {
                self.offer_by_class(index);
            }
            Allocator::Islip | Allocator::SeparableOutputFirst | Allocator::Wavefront => {
                self.offer_vcs(index);
            }
            Allocator::SeparableInputFirst => self.request_vcs(index),
        }
        let port = &mut self.ports[index];
        port.free |= port.freed;
        port.freed = 0;
        port.listed = port.free != 0 && !is_empty(&port.asks);
        port.listed
    }

    /// Virtual channels choose first, where all queues that may ask for one of them may ask for the same.
    fn offer_by_class(&mut self, index: usize) {
        let port = at(&self.ports, index);
        let (mut rest, queues) = (port.asks, port.first_queue as usize);
        while !is_empty(&rest) {
            let (all, mut asks) = (rest, [0; W]);
            let may = at(&self.queues, queues + first_from(&all, 0)).may;
            for slot in each(all) {
                if at(&self.queues, queues + slot).may == may {
                    set(&mut asks, slot);
                    clear(&mut rest, slot);
                }
            }
            self.offer_alike(index, asks, may);
        }
    }

    /// The same among queues that ask for the same: each virtual channel takes the first behind its pointer.
    fn offer_alike(&mut self, index: usize, asks: Bits<W>, may: u64) {
        let first = at(&self.ports, index).first_out as usize;
        let mut begin = each(asks).last().map_or(0, |last| narrow(last + 1));
        for slot in each(asks) {
            let reach = narrow(slot).wrapping_sub(begin);
            let port = at(&self.ports, index);
            let queue = at(&self.queues, port.first_queue as usize + slot);
            // What was given away to a queue before is not free any more.
            let is_offered =
                |&vc: &usize| at(&self.outs, first + vc).grant.wrapping_sub(begin) <= reach;
            if let Some(vc) = each_from(port.free & may, start_vc(port, queue)).find(is_offered) {
                self.give_vc(index, slot, vc);
            }
            begin = narrow(slot + 1);
        }
    }

    /// Virtual channels choose first.
    fn offer_vcs(&mut self, index: usize) {
        let port = &self.ports[index];
        let (asks, first) = (port.asks, port.first_out as usize);
        let mut offers = std::mem::take(&mut self.scratch.offers);
        offers.clear();
        for vc in each_in_word(port.free) {
            let start = usize::from(self.outs[first + vc].grant);
            let may = |slot: &usize| self.askable(index, *slot) >> vc & 1 == 1;
            let slot = each(asks).filter(may).min_by_key(|&slot| behind(start, slot));
            let Some(slot) = slot else { continue };
            match offers.iter_mut().find(|(to, _)| *to == slot) {
                Some((_, vcs)) => *vcs |= 1 << vc,
                None => offers.push((slot, 1 << vc)),
            }
        }
        for &(slot, vcs) in &offers {
            let port = &self.ports[index];
            let queue = &self.queues[port.first_queue as usize + slot];
            self.give_vc(index, slot, next_vc(port, queue, vcs));
        }
        self.scratch.offers = offers;
    }

    /// Queues choose first.
    fn request_vcs(&mut self, index: usize) {
        let port = &self.ports[index];
        let (asks, first) = (port.asks, port.first_out as usize);
        let mut requests = std::mem::take(&mut self.scratch.granted);
        requests.clear();
        for slot in each(asks) {
            let vcs = self.askable(index, slot);
            if vcs != 0 {
                let queue = &self.queues[self.ports[index].first_queue as usize + slot];
                requests.push((slot, next_vc(&self.ports[index], queue, vcs)));
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
            self.give_vc(index, slot, vc);
        }
        self.scratch.granted = requests;
    }

    /// The free virtual channels that a queue may have.
    pub fn askable(&self, index: usize, slot: usize) -> u64 {
        let port = &self.ports[index];
        let queue = &self.queues[port.first_queue as usize + slot];
        let vcs = port.free & queue.may;
        if !self.cut_through {
            return vcs;
        }
        let size = self.packets[packet_of(queue.front)].size;
        let fits = |&vc: &usize| self.outs[port.first_out as usize + vc].credits >= size;
        each_in_word(vcs).filter(fits).fold(0, |mask, vc| mask | 1 << vc)
    }

    /// A queue gets a virtual channel.
    #[inline]
    pub fn give_vc(&mut self, index: usize, slot: usize, vc: usize) {
        let port = at_mut(&mut self.ports, index);
        let queue = at_mut(&mut self.queues, port.first_queue as usize + slot);
        let out = at_mut(&mut self.outs, port.first_out as usize + vc);
        let queues = port.first_queue as usize;
        if give(port, queue, out, slot, vc) {
            let (router, local) = (port.router as usize, port.local.into());
            self.seen.moved = self.now;
            self.make_busy(router, local);
        }
        if self.settles {
            self.settle(queues + slot, index);
        }
    }
}

/// Where the round robin of a queue begins at a port: a pointer at another port begins with the lowest.
#[inline(always)]
pub(super) fn start_vc<const W: usize>(port: &PortState<W>, queue: &Queue) -> usize {
    if queue.accept_port == port.local { queue.accept_vc.into() } else { 0 }
}

/// The next of some virtual channels for a queue.
#[inline(always)]
fn next_vc<const W: usize>(port: &PortState<W>, queue: &Queue, vcs: u64) -> usize {
    first_in_word(vcs, start_vc(port, queue))
}

/// A queue gets a virtual channel, and wants the switch from the next cycle on if there is a credit: whether that
/// is so.
#[inline(always)]
fn give<const W: usize>(
    port: &mut PortState<W>,
    queue: &mut Queue,
    out: &mut Out,
    slot: usize,
    vc: usize,
) -> bool {
    queue.vc = u8::try_from(vc & 0xFF).unwrap_or(0);
    queue.stage = Stage::Active;
    queue.accept_port = port.local;
    queue.accept_vc = queue.vc + 1;
    out.owner = narrow(slot);
    out.grant = narrow(slot + 1);
    port.free &= !(1 << vc);
    clear(&mut port.asks, slot);
    let wants = out.credits > 0;
    if wants {
        set(&mut port.wants, slot);
    }
    wants
}
