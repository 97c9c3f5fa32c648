//! How do flits and credits go from one part of a network to another?

use super::boundary::{CutChannel, Messages};
use super::engine::Engine;
use super::state::{Arrival, Flit, HEAD, NO_CREDIT, TAIL, index32, packet_of};

impl<const W: usize> Engine<'_, W> {
    /// A flit leaves by a channel.
    #[cold]
    #[inline(never)]
    pub fn send_flit(&mut self, channel: usize, flit: Flit) {
        let Some(boundary) = &mut self.boundary else { return };
        let CutChannel { part, there, .. } = boundary.cut_channels[channel];
        let messages = &mut boundary.sent[part as usize];
        messages.flits.push((there, flit & (HEAD | TAIL)));
        let place = packet_of(flit);
        if flit & HEAD != 0 {
            messages.packets.push(self.packets[place].clone());
        }
        if flit & TAIL != 0 {
            self.unused.push(index32(place));
        }
    }

    /// A credit leaves by a channel, of which the number is behind those of all virtual channels here.
    #[cold]
    #[inline(never)]
    pub fn send_credit(&mut self, out: usize) {
        let Some(boundary) = &mut self.boundary else { return };
        let CutChannel { part, there, .. } = boundary.cut_channels[out - self.outs.len()];
        boundary.sent[part as usize].credits.push(there);
    }

    /// What another part sent in the last cycle is there in this one.
    pub fn take_messages(&mut self, messages: &mut Messages) {
        let Some(mut boundary) = self.boundary.take() else { return };
        for channel in messages.credits.drain(..) {
            self.credits.push(self.now, boundary.cut_channels[channel as usize].out);
        }
        let mut packets = messages.packets.drain(..);
        for (channel, flit) in messages.flits.drain(..) {
            let channel = &mut boundary.cut_channels[channel as usize];
            if flit & HEAD != 0
                && let Some(packet) = packets.next()
            {
                channel.packet = self.keep(packet);
            }
            let flit = flit | u64::from(channel.packet);
            self.arrivals.push(self.now, Arrival { at: channel.queue, credit: NO_CREDIT, flit });
        }
        drop(packets);
        self.boundary = Some(boundary);
    }
}
