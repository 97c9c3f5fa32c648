//! Patterns in which each host sends to one other.

use super::{Ends, stream};
use nestnet_graph::radix::digits;
use std::sync::Arc;

/// Where each host sends. All are one-to-one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Permutation {
    /// `high · side + low` to `low · side + high`.
    Transpose {
        /// The root of the number of hosts.
        side: u64,
    },
    /// Every bit turned.
    BitComplement {
        /// Bits of a number.
        bits: u32,
    },
    /// The lowest bit becomes the highest.
    BitReverse {
        /// Bits of a number.
        bits: u32,
    },
    /// Every bit one up, the highest to the lowest place.
    Shuffle {
        /// Bits of a number.
        bits: u32,
    },
    /// Each digit so much further, round its end.
    Digits {
        /// The sides, most significant first, and by how much each digit goes on.
        moves: Vec<(u64, u64)>,
        /// How many hosts share their digits.
        each: u64,
    },
    /// Each number so much further, round the end.
    Shift {
        /// How many hosts there are.
        hosts: u64,
        /// How much further.
        by: u64,
    },
    /// As listed.
    Listed(Arc<[u64]>),
}

/// An error says which number of hosts is wanted.
impl Permutation {
    pub(super) fn transpose(ends: &Ends) -> Result<Self, &'static str> {
        let side = ends.hosts.isqrt();
        let fits = side * side == ends.hosts;
        fits.then_some(Permutation::Transpose { side }).ok_or("a square number of hosts")
    }

    pub(super) fn bit_complement(ends: &Ends) -> Result<Self, &'static str> {
        bits(ends).map(|bits| Permutation::BitComplement { bits })
    }

    pub(super) fn bit_reverse(ends: &Ends) -> Result<Self, &'static str> {
        bits(ends).map(|bits| Permutation::BitReverse { bits })
    }

    pub(super) fn shuffle(ends: &Ends) -> Result<Self, &'static str> {
        bits(ends).map(|bits| Permutation::Shuffle { bits })
    }

    pub(super) fn tornado(ends: &Ends) -> Self {
        Permutation::digits(ends, |side| side.div_ceil(2).saturating_sub(1))
    }

    pub(super) fn neighbor(ends: &Ends) -> Self {
        Permutation::digits(ends, |side| 1 % side.max(1))
    }

    fn digits(ends: &Ends, by: impl Fn(u64) -> u64) -> Self {
        let moves = ends.sides.iter().map(|&side| (side, by(side))).collect();
        Permutation::Digits { moves, each: ends.each }
    }

    /// Any permutation is as likely.
    pub fn drawn(hosts: u64, seed: u64) -> Self {
        let mut below = stream(seed);
        let mut to: Vec<u64> = (0..hosts).collect();
        for last in (1..to.len()).rev() {
            let at = below(last as u64 + 1);
            to.swap(last, usize::try_from(at).unwrap_or(last));
        }
        Permutation::Listed(to.into())
    }

    /// To whom `from`, one of the hosts, sends.
    pub fn target(&self, from: u64) -> u64 {
        match self {
            Permutation::Transpose { side } => from % side * side + from / side,
            Permutation::BitComplement { bits } => from ^ ((1u64 << bits) - 1),
            Permutation::BitReverse { bits: 0 } | Permutation::Shuffle { bits: 0 } => from,
            Permutation::BitReverse { bits } => from.reverse_bits() >> (64 - bits),
            Permutation::Shuffle { bits } => {
                (from << 1 | from >> (bits - 1)) & ((1u64 << bits) - 1)
            }
            Permutation::Digits { moves, each } => {
                let sides: Vec<u64> = moves.iter().map(|&(side, _)| side).collect();
                let moved = digits(from / each, &sides).into_iter().zip(moves);
                let switch =
                    moved.fold(0, |id, (digit, &(side, by))| id * side + (digit + by) % side);
                switch * each + from % each
            }
            Permutation::Shift { hosts, by } => {
                let sum = u128::from(from) + u128::from(*by);
                u64::try_from(sum % u128::from((*hosts).max(1))).unwrap_or(0)
            }
            Permutation::Listed(to) => {
                usize::try_from(from).ok().and_then(|from| to.get(from)).copied().unwrap_or(from)
            }
        }
    }
}

/// Bits of a host's number.
fn bits(ends: &Ends) -> Result<u32, &'static str> {
    let fits = ends.hosts.is_power_of_two() && ends.hosts.ilog2() < 63;
    fits.then(|| ends.hosts.ilog2()).ok_or("a power of two of hosts")
}
