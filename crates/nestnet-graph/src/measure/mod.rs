//! What can be measured of a network. One question = one file.

pub mod bisection;
pub mod connectivity;
pub mod distance;
pub mod forwarding;
pub mod hosts;
pub mod load;
pub mod orbit;
pub mod quality;
pub mod search;
pub mod spectrum;
pub mod structure;
pub mod sweep;
pub mod symmetry;

use crate::{Csr, Network};
use std::ops::Range;

pub use crate::budget::{Interrupted, Watch};

/// The number of nodes, for arrays over them.
pub fn count(csr: &Csr) -> usize {
    usize::try_from(csr.order()).expect("it is stored")
}

/// An index into the nodes as their number.
pub fn id(index: usize) -> u32 {
    u32::try_from(index).expect("node numbers are stored in 32 bits")
}

/// All nodes, ascending.
pub fn nodes(csr: &Csr) -> impl ExactSizeIterator<Item = u32> + Clone + use<> {
    (0..count(csr)).map(id)
}

/// The place of a channel in [`Csr::targets`], of several cables the first; `to` must be a neighbor.
pub fn channel(csr: &Csr, from: u32, to: u32) -> usize {
    let first = usize::try_from(csr.offsets()[from as usize]).expect("it is stored");
    let place = csr.neighbors(from).binary_search(&to).expect("a neighbor");
    match csr.has_trunks() {
        true => first + csr.neighbors(from).partition_point(|&other| other < to),
        false => first + place,
    }
}

/// The channels of all cables from a node to a neighbor.
pub fn channels(csr: &Csr, from: u32, to: u32) -> Range<usize> {
    let first = channel(csr, from, to);
    let width = match csr.has_trunks() {
        true => csr.neighbors(from).iter().filter(|&&other| other == to).count(),
        false => 1,
    };
    first..first + width
}

/// SplitMix64: a fixed hash of a number, for choices that must look random and always be the same.
#[inline]
pub fn splitmix64(number: u64) -> u64 {
    let mut x = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The list of the next node begins with the neighbor with which that of a node ends.
    #[test]
    fn channels_of_a_link_are_those_of_one_node() {
        let csr = Csr::from_edges(3, &[(0, 2), (1, 2), (1, 2)], 1 << 20).expect("a multigraph");
        assert_eq!(csr.targets(), [2, 2, 2, 0, 1, 1]);
        let of = |from, to| channels(&csr, from, to);
        assert_eq!([of(0, 2), of(1, 2), of(2, 0), of(2, 1)], [0..1, 1..3, 3..4, 4..6]);
    }
}
