//! How does a search reach the neighbors of many nodes at once? By marking bits, copy by copy.
//!
//! A search visits nodes in ascending order and only needs to know which nodes are reached, not from where. A network
//! of copies hands the whole batch on to its base, with other offsets, so that the innermost network works on a few
//! words at a time. What a network does not implement itself, [`mark_neighbors`](crate::network::mark_neighbors) asks node by node.

use std::fmt::Debug;

/// The fast version of [`for_each_neighbor`](crate::Network::for_each_neighbor) for searches.
pub trait Reach: Debug + Send + Sync {
    /// Marks the neighbors of many nodes, best given in ascending order: for each one of `at`, the bits of its
    /// neighbors plus its offset. Bits that are set stay set.
    fn mark_neighbors(&self, at: &[Shifted], marks: &mut [u64]);
}

/// A node of a part of a network, and what to add to its neighbors to name them in the whole.
#[derive(Clone, Copy, Debug)]
pub struct Shifted {
    /// The node in the part.
    pub node: u64,
    /// The first node of the part.
    pub offset: u64,
}

/// Sets the bit of a node.
#[inline]
pub fn mark(marks: &mut [u64], node: u64) {
    marks[word_of(node)] |= 1 << (node % 64);
}

/// Marks up to 64 nodes from `first` on.
pub(crate) fn mark_bits(marks: &mut [u64], first: u64, bits: u64) {
    let (word, shift) = (word_of(first), first % 64);
    let beyond = if shift == 0 { 0 } else { bits >> (64 - shift) };
    if bits != 0 {
        marks[word] |= bits << shift;
    }
    if beyond != 0 {
        marks[word + 1] |= beyond;
    }
}

/// The word that holds the bit of a node, of which all bits are in memory.
#[inline]
#[allow(clippy::cast_possible_truncation)]
fn word_of(node: u64) -> usize {
    (node / 64) as usize
}
