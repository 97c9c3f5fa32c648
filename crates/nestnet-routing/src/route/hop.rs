//! One step of a message: which link, which virtual channel, and what it carries from there on.

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
