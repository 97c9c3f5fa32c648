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
pub(super) struct Mail {
    /// Virtual channels of cuts there, and flits without the number of their packet.
    flits: Vec<(u32, Flit)>,
    /// The packets of the heads among these, in their order.
    packets: Vec<Packet>,
    /// Virtual channels of cuts there that get a credit.
    credits: Vec<u32>,
}

impl Mail {
    pub fn is_empty(&self) -> bool {
        self.flits.is_empty() && self.credits.is_empty()
    }
}

/// A virtual channel of a link to another part, in both directions.
#[derive(Clone, Copy, Debug)]
struct Lane {
    /// Which part, and which lane there.
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
pub(super) struct Border {
    lanes: Vec<Lane>,
    /// For each part.
    pub sent: Vec<Mail>,
}

impl Border {
    pub fn new(wires: &Topology, parts: usize) -> Self {
        let (vcs, slots) = (wires.vcs, wires.slots);
        let lane = |index: usize| {
            let (cut, vc) = (wires.cuts[index / vcs], index % vcs);
            Lane {
                part: cut.part,
                there: index32(cut.there as usize * vcs + vc),
                queue: index32(cut.port as usize * slots + usize::from(wires.slot_of[vc])),
                out: index32(cut.port as usize * vcs + vc),
                packet: 0,
            }
        };
        let lanes = (0..wires.lanes()).map(lane).collect();
        Border { lanes, sent: (0..parts).map(|_| Mail::default()).collect() }
    }
}

impl<const W: usize> Engine<'_, W> {
    /// A flit leaves by a lane.
    #[cold]
    #[inline(never)]
    pub fn send_flit(&mut self, lane: usize, flit: Flit) {
        let Some(border) = &mut self.border else { return };
        let Lane { part, there, .. } = border.lanes[lane];
        let mail = &mut border.sent[part as usize];
        mail.flits.push((there, flit & (HEAD | TAIL)));
        let place = packet_of(flit);
        if flit & HEAD != 0 {
            mail.packets.push(self.packets[place].clone());
        }
        if flit & TAIL != 0 {
            self.unused.push(index32(place));
        }
    }

    /// A credit leaves by a lane, of which the number is behind those of all virtual channels here.
    #[cold]
    #[inline(never)]
    pub fn send_credit(&mut self, out: usize) {
        let Some(border) = &mut self.border else { return };
        let Lane { part, there, .. } = border.lanes[out - self.outs.len()];
        border.sent[part as usize].credits.push(there);
    }

    /// What another part sent in the last cycle is there in this one.
    pub fn take_mail(&mut self, mail: &mut Mail) {
        let Some(mut border) = self.border.take() else { return };
        for lane in mail.credits.drain(..) {
            self.credits.push(self.now, border.lanes[lane as usize].out);
        }
        let mut packets = mail.packets.drain(..);
        for (lane, flit) in mail.flits.drain(..) {
            let lane = &mut border.lanes[lane as usize];
            if flit & HEAD != 0
                && let Some(packet) = packets.next()
            {
                lane.packet = self.keep(packet);
            }
            let flit = flit | u64::from(lane.packet);
            self.arrivals.push(self.now, Arrival { at: lane.queue, credit: NO_CREDIT, flit });
        }
        drop(packets);
        self.border = Some(border);
    }
}
