//! Where does a part of a network end? Flits and credits that go to another part, and those that come from one.
//!
//! A link takes a cycle at least, so that what another part is to see in the next cycle is known in this one: what
//! leaves a part comes up here a cycle before it is due, and is taken there at the begin of its cycle. A packet moves with
//! its head; the rest of it follows on the same virtual channel, which no other packet has until its tail is through.

use super::persist::persist;
use super::state::{Flit, Packet, index32};
use super::topology::Topology;

/// What goes from one part to another in one cycle.
#[derive(Debug, Default)]
pub(super) struct Messages {
    /// Virtual channels of cuts there, and flits without the number of their packet.
    pub flits: Vec<(u32, Flit)>,
    /// The packets of the heads among these, in their order.
    pub packets: Vec<Packet>,
    /// Virtual channels of cuts there that get a credit.
    pub credits: Vec<u32>,
}

impl Messages {
    pub fn is_empty(&self) -> bool {
        self.flits.is_empty() && self.credits.is_empty()
    }
}

/// A virtual channel of a link to another part, in both directions.
#[derive(Clone, Copy, Debug)]
pub(super) struct CutChannel {
    /// Which part, and which channel there.
    pub part: u32,
    pub there: u32,
    /// The queue that takes its flits here, and the virtual channel that gets its credits.
    pub queue: u32,
    pub out: u32,
    /// The packet that is coming.
    pub packet: u32,
}

/// All links of a part to others.
#[derive(Debug)]
pub(super) struct Boundary {
    pub cut_channels: Vec<CutChannel>,
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

persist!(Messages { flits, packets, credits });
