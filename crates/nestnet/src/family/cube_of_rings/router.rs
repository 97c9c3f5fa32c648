//! Routing from addresses alone: the shortest walk along the ring that can flip every bit that differs.
//!
//! # Where we differ
//! The hop-plane algorithm of Fig. 6 is lost. We take the exact shortest walk: *pre*, one way along the ring, *main*, the
//! other way until every bit is flipped, and *post*, along the ring only. A bit is flipped where it first can be.
//!
//! # Virtual channels
//! [`Lanes::Published`]: vc1 (here 0) to a higher id, vc2 (here 1) to a lower one, as Section 4.1 has it.
//! [`Lanes::Parts`]: two for each part on ring links, before and behind the dateline between r-1 and 0. On cube links
//! two for each of: a pre that goes up, one that goes down, a main part that goes up, one that goes down or ends here.
//! A route passes through some of those in this order, and inside one of them through positions in one order.

use super::network::{CubeOfRings, MAX_TABULATED};
use super::walk::{Direction, Walk};
use nestnet_core::network::Automorphism;
use nestnet_core::{Header, Hop, Network, Node, Port, Router, Vc};

/// Which virtual channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lanes {
    /// By the order of the two ids.
    Published,
    /// By the part of the route.
    Parts,
}

/// The shortest walk, from where a message is.
#[derive(Clone, Debug)]
pub struct RingWalk {
    shape: CubeOfRings,
    lanes: Lanes,
}

impl RingWalk {
    /// `None` where rings are too long for a table.
    pub fn new(shape: CubeOfRings, lanes: Lanes) -> Option<Self> {
        (shape.rule.r <= MAX_TABULATED).then_some(RingWalk { shape, lanes })
    }

    /// The port for one step along the ring when `left` steps in that direction are left, and which side of the dateline
    /// they end on: 0 when it is still to be crossed.
    fn ring_hop(&self, b: usize, direction: Direction, left: usize) -> (Port, u16) {
        let r = self.shape.masks().len();
        let crosses = match direction {
            Direction::Up => b + left >= r,
            Direction::Down => b < left,
        };
        // A ring of two has one link.
        let port = if direction == Direction::Up || r == 2 { 0 } else { 1 };
        (Port(port), u16::from(!crosses))
    }
}

const PRE: u16 = 0;
const MAIN: u16 = 1;
const POST: u16 = 2;

impl Router for RingWalk {
    fn vcs(&self) -> u16 {
        match self.lanes {
            Lanes::Published => 2,
            Lanes::Parts => 8,
        }
    }

    /// Every bit is flipped once, and no walk along a ring is longer than going back and forth.
    fn longest(&self) -> u64 {
        self.shape.rule.bits() + 2 * self.shape.rule.r
    }

    fn next(&self, at: Node, header: Header) -> Option<Hop> {
        let ((a, b), (a2, b2)) = (self.shape.split(at), self.shape.split(header.to));
        let needed = a ^ a2;
        if at == header.to {
            return None;
        }
        let walk = self.shape.walk(b, b2, needed)?;
        let index = usize::try_from(b).ok()?;
        let here = self.shape.masks()[index];
        let (direction, part, left) = match walk {
            _ if needed == 0 => (walk.main, POST, walk.length),
            Walk { pre: 0, main, sweep, .. } => (main, MAIN, sweep),
            Walk { pre, main, .. } => (main.opposite(), PRE, pre),
        };
        let (ring, side) = self.ring_hop(index, direction, left);
        let (port, vc) = match needed & here {
            0 => (ring, 2 * part + side),
            bits => {
                let below = here & (bits & bits.wrapping_neg()).wrapping_sub(1);
                let run = match (part, direction) {
                    (PRE, Direction::Up) => 0,
                    (PRE, Direction::Down) => 1,
                    (_, Direction::Up) if left > 0 => 2,
                    _ => 3,
                };
                (Port(self.shape.ring_ports() + below.count_ones()), 2 * run + side)
            }
        };
        let vc = match self.lanes {
            Lanes::Parts => vc,
            Lanes::Published => u16::from(self.shape.neighbor(at, port)? < at),
        };
        Some(Hop { port, vc: Vc(vc), header })
    }

    /// Only the bits that differ matter, and the place on the ring; the published virtual channels go by ids.
    fn commutes_with(&self) -> Vec<Automorphism> {
        match self.lanes {
            Lanes::Parts => self.shape.flips(),
            Lanes::Published => Vec::new(),
        }
    }
}
