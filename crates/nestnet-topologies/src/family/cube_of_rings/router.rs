//! Routing from addresses alone: the shortest walk along the ring that can flip every bit that differs.
//!
//! # Where we differ
//! The hop-plane algorithm of Fig. 6 is lost. We take the exact shortest walk: *pre*, one way along the ring, *main*, the
//! other way until every bit is flipped, and *post*, along the ring only. A bit is flipped where it first can be
//! ([`Lanes::Published`]), or where it first can be in the main part ([`Lanes::Parts`]), which passes the positions of the pre
//! again: as long a route either way.
//!
//! # Virtual channels
//! [`Lanes::Published`]: vc1 (here 0) to a higher id, vc2 (here 1) to a lower one, as Section 4.1 has it.
//!
//! [`Lanes::Parts`]: five on ring links and four on cube links. A part of a route crosses the *dateline*, the link between r-1
//! and 0, at most once; its side is 0 while that is still to come and 1 otherwise. On ring links: pre 0, pre 1, main 0, main 1
//! together with post 0, post 1. On cube links, in the main part alone: up 0, up 1, down 0, down 1; where the main part ends, up 1
//! at a high position (2b ≥ r) and down 1 at a low one.
//!
//! **Theorem.** The channel dependency graph is acyclic: docs/proofs.md#rcr-channels.

use super::network::{CubeOfRings, MAX_TABULATED};
use super::walk::{Direction, Walk};
use nestnet_graph::network::Automorphism;
use nestnet_graph::{Network, Node, Port};
use nestnet_routing::{Header, Hop, Router, Vc};

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

impl RingWalk {
    /// How many steps along the ring a pre that flips nothing goes on. More than its walk says where, from a later
    /// position, another walk is as short and has a longer pre: what was left behind is then passed again.
    fn pre_left(&self, b: u64, to: u64, needed: u64) -> Option<usize> {
        let r = self.shape.rule.r;
        let (mut at, mut left) = (b, 0);
        loop {
            let walk = self.shape.walk(at, to, needed)?;
            if walk.pre == 0 {
                return Some(left);
            }
            at = match walk.main.opposite() {
                Direction::Up => (at + 1) % r,
                Direction::Down => (at + r - 1) % r,
            };
            left += 1;
        }
    }
}

const PRE: u16 = 0;
const MAIN: u16 = 1;
const POST: u16 = 2;

/// The class of post 0 on ring links, which is that of main 1.
const RING_POST: u16 = 3;

/// The classes of cube links on side 0.
const CUBE_UP: u16 = 0;
const CUBE_DOWN: u16 = 2;

impl Router for RingWalk {
    fn vcs(&self) -> u16 {
        match self.lanes {
            Lanes::Published => 2,
            Lanes::Parts => 5,
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
            Walk { pre, main, .. } => match self.lanes {
                Lanes::Published => (main.opposite(), PRE, pre),
                Lanes::Parts => (main.opposite(), PRE, self.pre_left(b, b2, needed)?),
            },
        };
        let (ring, side) = self.ring_hop(index, direction, left);
        let flips = match self.lanes {
            Lanes::Parts if part == PRE => 0,
            _ => needed & here,
        };
        let (port, vc) = match flips {
            0 if part == POST => (ring, RING_POST + side),
            0 => (ring, 2 * part + side),
            bits => {
                let below = here & (bits & bits.wrapping_neg()).wrapping_sub(1);
                let is_high = 2 * b >= self.shape.rule.r;
                let vc = match direction {
                    _ if left == 0 && is_high => CUBE_UP + 1,
                    _ if left == 0 => CUBE_DOWN + 1,
                    Direction::Up => CUBE_UP + side,
                    Direction::Down => CUBE_DOWN + side,
                };
                (Port(self.shape.ring_ports() + below.count_ones()), vc)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build;
    use nestnet_graph::Budget;
    use nestnet_routing::route::deadlock::{Deadlock, certify};

    #[test]
    fn five_channels_on_ring_links_and_four_on_cube_links() {
        for (k, r, j) in [
            (1, 1, 0),
            (3, 1, 0),
            (2, 2, 2),
            (1, 3, 2),
            (2, 3, 3),
            (1, 4, 3),
            (2, 4, 2),
            (1, 5, 4),
            (2, 5, 1),
            (1, 6, 5),
            (1, 7, 2),
            (1, 8, 1),
            (0, 9, 0),
            // Pres that grow on their way.
            (2, 5, 3),
            (1, 8, 4),
        ] {
            let spec = format!("rcr({k}, {r}, {j})");
            let built = build(&spec).unwrap();
            let (network, router) =
                (built.network.clone().unwrap(), built.router("repaired").unwrap());
            assert_eq!(router.vcs(), 5);
            let found = certify(&*network, &*router, &Budget::UNLIMITED).unwrap();
            assert!(matches!(found.verdict, Deadlock::Free { .. }), "{spec}");
            let ring_ports = [0, 0, 1, 2][usize::try_from(r).unwrap().min(3)];
            for (from, to) in
                (0..network.order()).flat_map(|a| (0..network.order()).map(move |b| (a, b)))
            {
                let (mut at, mut header) = (Node(from), router.start(Node(from), Node(to), 0));
                let mut hops = 0;
                while let Some(hop) = router.next(at, header) {
                    let most = if hop.port.0 < ring_ports { 5 } else { 4 };
                    assert!(hop.vc.0 < most, "{spec}: {from} to {to}");
                    (at, header, hops) =
                        (network.neighbor(at, hop.port).unwrap(), hop.header, hops + 1);
                }
                assert_eq!(
                    (at, Some(hops)),
                    (Node(to), network.distance(Node(from), Node(to))),
                    "{spec}"
                );
            }
        }
    }
}
