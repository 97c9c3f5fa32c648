//! Hop-plane routing, in the readings that the text of Section 4.1 allows.
//!
//! # Where we differ
//! Its Fig. 6 is lost. The text says: put every bit of the cube plane right, then hop to an appropriate plane "as e-cube
//! routing does", and leave the last one at the node that is nearest to the target. Which plane is appropriate is a
//! reading; `paper` is the nearest. None of them is always shortest, as the text says that it is: `walk` is our exact
//! walk on the published virtual channels, `repaired` and `shortest` the same on channels that cannot deadlock.
//!
//! Ties: bits of a plane ascending, with `highest` descending; of equally good planes the nearer, then the one that is
//! met first ascending; of equal ways along the ring the ascending one.

use super::network::{CubeOfRings, MAX_TABULATED};
use nestnet_graph::{Network, Node, Port};
use nestnet_routing::{Header, Hop, Router, Vc};

/// Which plane is hopped to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The nearest that has a bit to correct.
    Nearest,
    /// One that has the highest bit to correct.
    Highest,
    /// One that has the lowest.
    Lowest,
    /// The next one, ascending.
    Ascending,
    /// The one with the shortest path over it to the target's position.
    Aware,
}

/// Each reading with its name.
pub const CHOICES: [(&str, Choice); 5] = [
    ("hop_plane(nearest)", Choice::Nearest),
    ("hop_plane(highest)", Choice::Highest),
    ("hop_plane(lowest)", Choice::Lowest),
    ("hop_plane(ascending)", Choice::Ascending),
    ("hop_plane(aware)", Choice::Aware),
];

/// The routing of Section 4.1 on its published virtual channels. The state is one more than the position of the plane
/// that a message is on its way to, and 0 where it is on none.
#[derive(Clone, Debug)]
pub struct HopPlane {
    shape: CubeOfRings,
    choice: Choice,
}

impl HopPlane {
    /// `None` where rings are too long for a table, or the network is not connected.
    pub fn new(shape: CubeOfRings, choice: Choice, connected: bool) -> Option<Self> {
        let fits = connected && shape.rule.r <= MAX_TABULATED;
        fits.then_some(HopPlane { shape, choice })
    }

    /// Steps along the ring, and whether the ascending way has no more.
    fn ring(&self, from: u64, to: u64) -> (u64, bool) {
        let r = self.shape.rule.r;
        let up = (to + r - from) % r;
        (up.min(r - up), up <= r - up)
    }

    /// The position of the plane to hop to from position `b`, which has none of the `needed` bits.
    fn plane(&self, b: u64, needed: u64, target: u64) -> Option<u64> {
        let wanted = match self.choice {
            Choice::Highest => 1 << needed.ilog2(),
            Choice::Lowest => needed & needed.wrapping_neg(),
            _ => needed,
        };
        let r = self.shape.rule.r;
        let masks = self.shape.masks();
        let owns = |c: &u64| usize::try_from(*c).is_ok_and(|c| masks[c] & wanted != 0);
        let ahead = (1..r).map(|steps| (b + steps) % r).filter(owns);
        let cost = |&c: &u64| {
            let near = self.ring(b, c).0;
            match self.choice {
                Choice::Ascending => (0, 0),
                Choice::Aware => (near + self.ring(c, target).0, near),
                _ => (near, 0),
            }
        };
        // Of equals the first is taken, which is met first ascending.
        { ahead }.min_by_key(cost)
    }
}

impl Router for HopPlane {
    fn vcs(&self) -> u16 {
        2
    }

    /// Every bit is flipped once, behind at most half a ring, or with `ascending` less than a whole one.
    fn longest(&self) -> u64 {
        let (r, m) = (self.shape.rule.r, self.shape.rule.bits());
        let leg = if self.choice == Choice::Ascending { r } else { r / 2 };
        m + leg.saturating_mul(m + 1)
    }

    fn next(&self, at: Node, header: Header) -> Option<Hop> {
        if at == header.to {
            return None;
        }
        let ((a, b), (a2, b2)) = (self.shape.split(at), self.shape.split(header.to));
        let needed = a ^ a2;
        let arrived = header.state == 0 || header.state == b + 1;
        let here = self.shape.masks()[usize::try_from(b).ok()?];
        let bits = needed & here;
        let (port, state) = if arrived && bits != 0 {
            let bit = match self.choice {
                Choice::Highest => 1 << bits.ilog2(),
                _ => bits & bits.wrapping_neg(),
            };
            let below = here & (bit - 1);
            (Port(self.shape.ring_ports() + below.count_ones()), 0)
        } else {
            let plane = match header.state {
                _ if needed == 0 => b2,
                state if !arrived => state - 1,
                _ => self.plane(b, needed, b2)?,
            };
            let up = self.ring(b, plane).1 || self.choice == Choice::Ascending && needed != 0;
            // A ring of two has one link.
            let port = Port(u32::from(!up && self.shape.ring_ports() > 1));
            (port, if needed == 0 { 0 } else { plane + 1 })
        };
        let vc = Vc(u16::from(self.shape.neighbor(at, port)? < at));
        Some(Hop { port, vc, header: Header { state, ..header } })
    }

    fn remembers(&self) -> bool {
        true
    }
}
