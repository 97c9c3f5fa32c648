//! Where does a part of a network end? Flits and credits that go to another part, and those that come from one.
//!
//! A link takes a cycle at least, so that what another part is to see in the next cycle is known in this one: what
//! leaves a part comes up here a cycle before it is due, and is taken there at the begin of its cycle. A packet moves with
//! its head; the rest of it follows on the same virtual channel, which no other packet has until its tail is through.

use super::engine::Engine;
use super::state::{Arrival, Flit, HEAD, NO_CREDIT, Packet, TAIL, index32, packet_of};
use super::topology::Topology;

/// What goes from one part to another in one cycle.
#[derive(Debug, Default)]
pub(super) struct Messages {
    /// Virtual channels of cuts there, and flits without the number of their packet.
    flits: Vec<(u32, Flit)>,
    /// The packets of the heads among these, in their order.
    packets: Vec<Packet>,
    /// Virtual channels of cuts there that get a credit.
    credits: Vec<u32>,
}

impl Messages {
    pub fn is_empty(&self) -> bool {
        self.flits.is_empty() && self.credits.is_empty()
    }
}

/// A virtual channel of a link to another part, in both directions.
#[derive(Clone, Copy, Debug)]
struct CutChannel {
    /// Which part, and which channel there.
    part: u32,
    there: u32,
    /// The queue that takes its flits here, and the virtual channel that gets its credits.
    queue: u32,
    out: u32,
    /// The packet that is coming.
    packet: u32,
}

/// All links of a part to others.
#[derive(Debug)]
pub(super) struct Boundary {
    cut_channels: Vec<CutChannel>,
    /// For each part.
    pub sent: Vec<Messages>,
}

impl Boundary {
    pub fn new(wires: &Topology, parts: usize) -> Self {
        let (vcs, slots) = (wires.vcs, wires.slots);
        let channel = |index: usize| {
            let (cut, vc) = (wires.cuts[index / vcs], index % vcs);
            CutChannel {
                part: cut.part,
                there: index32(cut.there as usize * vcs + vc),
                queue: index32(cut.port as usize * slots + usize::from(wires.slot_of[vc])),
                out: index32(cut.port as usize * vcs + vc),
                packet: 0,
            }
        };
        let cut_channels = (0..wires.cut_channels()).map(channel).collect();
        Boundary { cut_channels, sent: (0..parts).map(|_| Messages::default()).collect() }
    }
}

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
