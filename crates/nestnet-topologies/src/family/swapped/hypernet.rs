//! Hypernets of cubelets.
//!
//! # Definition
//! Level 1 is a d-cube of k_1 = d bits. Level i has h_i = k_(i-1) - (i-1) more bits, k_i = k_(i-1) + h_i:
//! 2^(h_i) modules, each pair joined by the one link X′X″01…1 ~ X″X′01…1 with i-2 ones behind the zero.
//! The ending tells the level, so that a node has at most one link besides those of its cube.
//!
//! # Numbering
//! The id is the bit string.

use super::modules::{self, Modules};
use crate::family::{ArgError, Args, Built};
use nestnet_draw::{Held, Joints, Plan};
use nestnet_graph::radix::{MAX_BITS, TooLong};
use nestnet_graph::theory::{Bounded, Degrees, Theory, moore_diameter};
use nestnet_graph::{Address, Network, Node, Port};
use nestnet_routing::{Header, Hop, Router, Vc};
use num_bigint::BigUint;
use num_traits::One;
use std::sync::Arc;

pub(super) fn build(args: &Args) -> Result<Built, ArgError> {
    let (d, l) = (args.integer("d"), args.integer("l"));
    let mut bits = vec![d];
    for level in 2..=l {
        let below = bits[bits.len() - 1];
        let new = below.saturating_sub(level - 1);
        if new == 0 {
            let message =
                format!("must be below {level} when d is {d}: level {level} has no new bits");
            return Err(ArgError::new("l", message));
        }
        if below + new > MAX_BITS {
            let message = format!("must be below {level} when d is {d}: {TooLong}");
            return Err(ArgError::new("l", message));
        }
        bits.push(below + new);
    }
    let hypernet = Hypernet { bits };
    let built = Built::of(hypernet.clone());
    let plan = hypernet.plan();
    Ok(built.routed([("direct", Some(Arc::new(hypernet)))]).unrouted().placed(plan))
}

/// A hypernet, by the number of address bits at each level.
#[derive(Clone, Debug)]
pub struct Hypernet {
    /// k_1, …, k_l.
    bits: Vec<u64>,
}

impl Hypernet {
    fn width(&self) -> u64 {
        self.bits[self.bits.len() - 1]
    }

    /// Cubelets in groups, groups in groups: every two modules of a level are joined by one link.
    fn plan(&self) -> Plan {
        let cube = |bits: u64| Plan::cube(u32::try_from(bits.min(63)).expect("at most 63"));
        let mut plan = cube(self.bits[0]);
        for (level, pair) in (1..).zip(self.bits.windows(2)) {
            let modules = cube(pair[1] - pair[0]);
            let layers = modules.layers().len();
            plan = modules.around(&plan, level, Held::Cluster);
            plan = plan.joined(Joints::EveryTwo { layers, links: 1, opposite: 0 });
        }
        plan
    }

    fn dimensions(&self) -> u32 {
        u32::try_from(self.bits[0]).expect("at most 2^16")
    }

    /// The link between modules and its level: trailing ones and a zero tell which parts are exchanged.
    fn swap(&self, at: Node) -> Option<(Node, u32)> {
        let ending = at.0.trailing_ones() + 1;
        let (low, high) = (*self.bits.get(ending as usize - 1)?, *self.bits.get(ending as usize)?);
        let count = high - low;
        let mask = (1u64 << count) - 1;
        let (first, second) = (at.0 >> low & mask, at.0 >> ending & mask);
        let changed = (first ^ second) << low | (first ^ second) << ending;
        (changed != 0).then_some((Node(at.0 ^ changed), ending))
    }
}

impl Network for Hypernet {
    fn order(&self) -> u64 {
        1 << self.width()
    }

    fn ports(&self) -> u32 {
        self.dimensions() + u32::from(self.bits.len() > 1)
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        if port.0 < self.dimensions() {
            return Some(Node(at.0 ^ 1 << port.0));
        }
        self.swap(at).map(|(to, _)| to)
    }

    fn address(&self, at: Node) -> Address {
        Address::bits(at.0, u32::try_from(self.width()).expect("at most 63 bits"))
    }

    fn node(&self, address: &Address) -> Option<Node> {
        address.as_bits(u32::try_from(self.width()).expect("at most 63 bits")).map(Node)
    }

    fn level(&self, at: Node, port: Port) -> u16 {
        if port.0 < self.dimensions() {
            return 0;
        }
        let level = self.swap(at).map_or(1, |(_, level)| level);
        u16::try_from(level).expect("at most 63 levels")
    }

    fn levels(&self) -> u16 {
        u16::try_from(self.bits.len()).unwrap_or(u16::MAX)
    }

    /// See `modules`.
    fn distance(&self, from: Node, to: Node) -> Option<u64> {
        let levels = self.bits.len();
        modules::is_quick(self, levels).then(|| modules::distance(self, levels, from.0, to.0))?
    }
}

/// At level i the link to module X is at X01…1, with i-2 ones.
impl Modules for Hypernet {
    fn modules(&self, level: usize) -> u64 {
        1 << (self.bits[level - 1] - self.bits[level - 2]).min(62)
    }

    fn split(&self, level: usize, at: u64) -> (u64, u64) {
        let low = self.bits[level - 2];
        (at >> low, at & ((1 << low) - 1))
    }

    fn port(&self, level: usize, module: u64) -> u64 {
        module << (level - 1) | ((1 << (level - 2)) - 1)
    }

    fn nucleus(&self, a: u64, b: u64) -> Option<u64> {
        Some((a ^ b).count_ones().into())
    }
}

/// The routing that the links imply: level by level, inside the module to its link with the target's module, over it,
/// and inside; in the cubes the lowest bit that differs.
///
/// At each level a leg comes before the link or is the last one: two classes a level.
impl Router for Hypernet {
    fn vcs(&self) -> u16 {
        1 << (self.bits.len() - 1).min(15)
    }

    fn longest(&self) -> u64 {
        ((self.bits[0] + 1) << (self.bits.len() - 1)) - 1
    }

    fn next(&self, at: Node, header: Header) -> Option<Hop> {
        let mut to = header.to.0;
        let mut vc = 0;
        for (level, pair) in self.bits.windows(2).enumerate().rev() {
            let [low, high] = [pair[0], pair[1]];
            let part = |id: u64| id & ((1u64 << high) - 1);
            let (here, there) = (part(at.0) >> low, part(to) >> low);
            let class = 1u16 << level;
            if here == there {
                vc |= class;
                continue;
            }
            // The ending 01…1 marks the links of this level.
            let ending = level + 1;
            let linked = there << ending | ((1u64 << level) - 1);
            if at.0 & ((1 << low) - 1) == linked {
                let port = Port(self.dimensions());
                return Some(Hop { port, vc: Vc(vc | class), header });
            }
            to = linked;
        }
        let differ = (at.0 ^ to) & ((1 << self.bits[0]) - 1);
        let port = Port(differ.trailing_zeros());
        (differ != 0).then_some(Hop { port, vc: Vc(vc), header })
    }
}

impl Theory for Hypernet {
    fn order(&self) -> BigUint {
        BigUint::one() << self.width()
    }

    /// At level i, 2^(k_l - (i-1)) nodes have the ending, but for those with X′ = X″.
    fn degrees(&self) -> Degrees {
        let mut linked = BigUint::ZERO;
        for (ending, pair) in (1u64..).zip(self.bits.windows(2)) {
            let with_ending = BigUint::one() << (self.width() - ending);
            let leaders = &with_ending >> (pair[1] - pair[0]);
            linked += with_ending - leaders;
        }
        let d = self.bits[0];
        Degrees::counted([(d, Theory::order(self) - &linked), (d + 1, linked)])
    }

    /// At most 2·D_(i-1) + 1 a level, since every two modules are joined.
    fn diameter(&self) -> Option<Bounded> {
        let levels = self.bits.len() - 1;
        let high = (BigUint::from(self.bits[0] + 1) << levels) - 1u8;
        if levels == 0 {
            return Some(Bounded::theorem(high));
        }
        Some(Bounded::between(moore_diameter(&Theory::order(self), self.bits[0] + 1), high))
    }
}
