//! Requests and replies: what a host answers, and what it does not take while its replies wait.
//!
//! A host answers every request when its tail has arrived. A reply waits in the queue of its host, before requests of the
//! host, until it can be sent; with a limited queue the tail of a request that finds it full stays in its virtual channel,
//! and so does all behind it. A host sends one flit a cycle, a reply where one can go on.

use super::config::Switching;
use super::engine::Engine;
use super::reply_queue::{Replies, Reply};
use super::source::drawn;
use super::state::{Arrival, Flit, HEAD, NO_CREDIT, Packet, TAIL, packet_of};
use super::topology::Topology;
use nestnet_graph::Node;

/// The host at a virtual channel, and which of its own that is.
fn host_of(wires: &Topology, out: usize) -> (usize, usize) {
    (wires.far[out / wires.vcs].port as usize, out % wires.vcs)
}

impl<const W: usize> Engine<'_, W> {
    /// A flit comes to a host that answers, or whose packets on the way are counted.
    #[inline(never)]
    pub fn receive(&mut self, out: usize, flit: Flit) {
        if self.accepts(out, flit) {
            self.take_and_answer(out, flit);
        }
    }

    /// A host takes a flit, with all that follows from it.
    fn take_and_answer(&mut self, out: usize, flit: Flit) {
        let place = packet_of(flit);
        let was_lost = self.packets[place].lost;
        self.take_flit(out, flit);
        if was_lost {
            return;
        }
        // The place of a packet that has arrived is free, and not yet taken by another.
        self.answer(out, flit);
        if flit & TAIL != 0 {
            self.end_outstanding(place);
        }
    }

    /// Whether a host takes a flit now; otherwise it is held.
    fn accepts(&mut self, out: usize, flit: Flit) -> bool {
        let (host, vc) = host_of(self.wires, out);
        let has_room = self.has_room(host, flit);
        let Some(replies) = &mut self.replies else { return true };
        let held = &mut replies.hosts[host].held[vc];
        let takes = held.is_empty() && has_room;
        if !takes {
            held.push_back(flit);
        }
        takes
    }

    /// Whether a host has room for the reply that a flit makes, if it makes one.
    fn has_room(&self, host: usize, flit: Flit) -> bool {
        let packet = &self.packets[packet_of(flit)];
        let asks = flit & TAIL != 0 && !packet.is_reply && !packet.lost;
        let room = |replies: &Replies| replies.hosts[host].queue.len() < replies.limit;
        !asks || self.replies.as_ref().is_none_or(room)
    }

    /// A flit was taken, and counted as one of a request: the tail of a request makes a reply.
    fn answer(&mut self, out: usize, flit: Flit) {
        let packet = &self.packets[packet_of(flit)];
        if packet.is_reply {
            self.seen.ejected -= 1;
            self.seen.replies_ejected += 1;
            return;
        }
        let (host, _) = host_of(self.wires, out);
        let Some(replies) = self.replies.as_mut().filter(|_| flit & TAIL != 0) else { return };
        let size = drawn(&replies.sizes, &mut self.sources[host].random);
        self.seen.replies_made += u64::from(size);
        replies.hosts[host].queue.push_back(Reply {
            to: Node(packet.source.into()),
            size,
            created: self.now,
            asked: packet.asked(),
            marked: packet.marked,
            sent: packet.sent(),
        });
        replies.waiting[host / 64] |= 1 << (host % 64);
    }

    /// Sends a flit of a reply, if there is one that can go on.
    #[inline(never)]
    pub fn send_reply(&mut self, host: usize) -> bool {
        let Some(vc) = self.reply_vc(host) else { return false };
        let first = self.source_outs + host * self.vcs;
        if self.outs[first + vc].credits == 0 {
            return false;
        }
        let Some(replies) = &mut self.replies else { return false };
        let own = &mut replies.hosts[host];
        let size = own.queue.front().map_or(0, |reply| reply.size);
        let head = if own.left == size { HEAD } else { 0 };
        own.left -= 1;
        let tail = if own.left == 0 { TAIL } else { 0 };
        let flit = u64::from(own.packet) | head | tail;
        let out = &mut self.outs[first + vc];
        out.credits -= 1;
        let received = self.now + u64::from(self.sources[host].after);
        self.arrivals.push(received, Arrival { at: out.to, credit: NO_CREDIT, flit });
        self.seen.replies_injected += 1;
        if let Some(shared) = &mut self.shared {
            shared.take(first + vc);
        }
        if tail != 0 {
            own.queue.pop_front();
            self.take_held(host);
        }
        true
    }

    /// The virtual channel of the reply that is being sent, or of the next one, which begins.
    fn reply_vc(&mut self, host: usize) -> Option<usize> {
        let replies = self.replies.as_ref()?;
        if let Some(vc) = replies.sends_by(host) {
            return Some(vc);
        }
        let own = &replies.hosts[host];
        let Reply { to, size, created, asked, marked, sent } = *own.queue.front()?;
        let needed = match self.config.switching {
            Switching::Wormhole => 1,
            Switching::CutThrough => size,
        };
        let source = &self.sources[host];
        let taken = (source.left > 0).then_some(usize::from(source.vc));
        let outs = &self.outs[self.source_outs + host * self.vcs..];
        let vcs = replies.vcs.clone();
        let next = own.vc.map_or(vcs.start, |vc| vc + 1);
        let is_free = |&vc: &usize| outs[vc].credits >= needed && taken != Some(vc);
        let vc = (next..vcs.end).chain(vcs.start..next).find(is_free)?;
        let number = source.number;
        let header = self.start_header(host, host, Node(number.into()), to);
        let packet = Packet::new(header, number, size, created, self.now, self.epoch);
        let place = self.keep(Packet { marked, ..packet.replying_to(asked, sent) });
        self.seen.entered += 1;
        let own = &mut self.replies.as_mut()?.hosts[host];
        (own.packet, own.left, own.vc) = (place, size, Some(vc));
        Some(vc)
    }

    /// A reply has left: the host takes what it held, as far as there is room for replies to it.
    fn take_held(&mut self, host: usize) {
        let first_out = self.wires.hosts[host].0 as usize * self.vcs;
        let turn = self.replies.as_ref().map_or(0, |replies| replies.hosts[host].turn);
        for vc in (turn..self.vcs).chain(0..turn) {
            let front = |engine: &Self| {
                engine
                    .replies
                    .as_ref()
                    .and_then(|replies| replies.hosts[host].held[vc].front().copied())
            };
            while let Some(flit) = front(self).filter(|&flit| self.has_room(host, flit)) {
                if let Some(replies) = &mut self.replies {
                    let own = &mut replies.hosts[host];
                    own.held[vc].pop_front();
                    own.turn = if vc + 1 == self.vcs { 0 } else { vc + 1 };
                }
                self.take_and_answer(first_out + vc, flit);
            }
        }
        if let Some(replies) = &mut self.replies
            && replies.hosts[host].queue.is_empty()
        {
            replies.waiting[host / 64] &= !(1 << (host % 64));
        }
    }
}
