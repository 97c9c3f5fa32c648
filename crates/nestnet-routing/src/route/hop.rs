//! One step of a message: which link, which virtual channel, and what it carries from there on; or as an entry of a table.

use nestnet_graph::{Node, Port};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The number of a virtual channel of a link: `0..vcs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Vc(pub u16);

impl fmt::Display for Vc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What a message carries for its routers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Header {
    /// Where it goes.
    pub to: Node,
    /// What only its router understands.
    pub state: u64,
}

/// One way to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Hop {
    /// The link to take.
    pub port: Port,
    /// The virtual channel of that link.
    pub vc: Vc,
    /// What the message carries from there on.
    pub header: Header,
}

/// A port and a virtual channel, or none, in four bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry(u32);

/// Virtual channels are kept in this many bits.
const VC_BITS: u32 = 12;

impl Entry {
    /// No hop.
    pub const NONE: Entry = Entry(u32::MAX);

    /// More ports or virtual channels than this have no entry.
    pub const MAX_PORTS: u32 = (1 << (32 - VC_BITS)) - 1;
    /// See [`MAX_PORTS`](Entry::MAX_PORTS).
    pub const MAX_VCS: u16 = 1 << VC_BITS;

    /// The hop, without its header.
    pub fn of(hop: Option<Hop>) -> Self {
        hop.map_or(Entry::NONE, |hop| Entry::new(hop.port, hop.vc))
    }

    /// A port below [`MAX_PORTS`](Entry::MAX_PORTS) and a virtual channel below [`MAX_VCS`](Entry::MAX_VCS).
    pub fn new(port: Port, vc: Vc) -> Self {
        assert!(port.0 < Entry::MAX_PORTS && vc.0 < Entry::MAX_VCS, "too many channels for a row");
        Entry(port.0 << VC_BITS | u32::from(vc.0))
    }

    /// The hop, if there is one.
    pub fn get(self) -> Option<(Port, Vc)> {
        let vc = u16::try_from(self.0 & ((1 << VC_BITS) - 1)).expect("twelve bits");
        (self != Entry::NONE).then_some((Port(self.0 >> VC_BITS), Vc(vc)))
    }
}
