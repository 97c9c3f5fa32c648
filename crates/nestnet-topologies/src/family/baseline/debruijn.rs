//! De Bruijn graphs: fixed degree, and a diameter that is the length of a word.
//!
//! # Definition
//! N. G. de Bruijn, 1946. The nodes are the words of k letters out of d; x_1 … x_k is linked to x_2 … x_k c for
//! every letter c. Links have no direction here, loops are dropped, and a link that arises twice counts once.
//!
//! # Numbering
//! A word is the number that it writes in base d: x ~ (x·d + c) mod d^k. Port c shifts c in from the right, port d + c
//! from the left; a port is empty where it would lead to the word itself or repeat an earlier port.

use super::word;
use crate::family::{ArgError, Args, Built};
use nestnet_graph::theory::{Bounded, Degrees, Theory};
use nestnet_graph::{Address, Network, Node, Port, radix};
use num_bigint::BigUint;

pub(super) fn build(args: &Args) -> Result<Built, ArgError> {
    let (d, k) = (args.integer("d"), args.integer("k"));
    let order = radix::power(&d.into(), k)?;
    // No plan: few words are drawn by necklaces, more by distances.
    Ok(Built::of(DeBruijn::new(d, k, order)))
}

/// Words of `k` letters out of `d`.
#[derive(Clone, Debug)]
pub struct DeBruijn {
    d: u64,
    k: u64,
    order: BigUint,
    /// d^(k-1), the number of words without their first letter; of no meaning where the network is not built.
    suffixes: u64,
}

impl DeBruijn {
    fn new(d: u64, k: u64, order: BigUint) -> Self {
        let length = u32::try_from(k - 1).unwrap_or(u32::MAX);
        DeBruijn { d, k, order, suffixes: d.saturating_pow(length) }
    }

    fn letters(&self, at: Node) -> Vec<u64> {
        radix::digits(at.0, &self.sides())
    }

    fn sides(&self) -> Vec<u64> {
        (0..self.k).map(|_| self.d).collect()
    }
}

impl Network for DeBruijn {
    fn order(&self) -> u64 {
        self.suffixes * self.d
    }

    fn ports(&self) -> u32 {
        let ports = if self.k == 1 { self.d } else { 2 * self.d };
        u32::try_from(ports).expect("only built when the ports fit")
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        let port = u64::from(port.0);
        let kept = at.0 % self.suffixes;
        let to = if port < self.d {
            kept * self.d + port
        } else if port < 2 * self.d {
            // Words that a shift to the left reaches begin with what it keeps.
            let to = (port - self.d) * self.suffixes + at.0 / self.d;
            Some(to).filter(|to| to / self.d != kept)?
        } else {
            return None;
        };
        (to != at.0).then_some(Node(to))
    }

    fn for_each_neighbor(&self, at: Node, visit: &mut dyn FnMut(Port, Node)) {
        let kept = at.0 % self.suffixes;
        let (first, below) = (kept * self.d, at.0 / self.d);
        let left = (0..self.d).map(|letter| first + letter);
        let right = (0..self.d).map(|letter| letter * self.suffixes + below);
        let right = right.map(|to| if to / self.d == kept { at.0 } else { to });
        for (port, to) in (0..).zip(left.chain(right)).filter(|&(_, to)| to != at.0) {
            visit(Port(port), Node(to));
        }
    }

    fn address(&self, at: Node) -> Address {
        Address::numbers(self.letters(at))
    }

    fn node(&self, address: &Address) -> Option<Node> {
        let sides = self.sides();
        let letters = address.as_numbers(sides.len())?;
        radix::number(&letters, &sides).map(Node)
    }

    fn distance(&self, from: Node, to: Node) -> Option<u64> {
        Some(word::shift_distance(&self.letters(from), &self.letters(to)))
    }
}

impl Theory for DeBruijn {
    fn order(&self) -> BigUint {
        self.order.clone()
    }

    /// Shifts to both sides agree once where the word repeats after two letters: d(d-1) words of two letters in turn,
    /// and d of one letter, where the shift is a loop. Words of length 1 are all linked.
    fn degrees(&self) -> Degrees {
        let (d, letters) = (self.d, BigUint::from(self.d));
        if self.k == 1 {
            return Degrees::regular(d - 1, letters);
        }
        let square = &letters * &letters;
        Degrees::counted([
            (2 * d - 2, letters.clone()),
            (2 * d - 1, &square - &letters),
            (2 * d, &self.order - &square),
        ])
    }

    /// k shifts write any word, and from 00…0 to 11…1 a shift changes the number of ones by one at most.
    fn diameter(&self) -> Option<Bounded> {
        Some(Bounded::theorem(self.k))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nestnet_graph::measure::search::distances_from;

    fn debruijn(d: u64, k: u32) -> DeBruijn {
        DeBruijn::new(d, k.into(), BigUint::from(d).pow(k))
    }

    #[test]
    fn degrees_by_counting() {
        for (d, k) in [(2, 1), (2, 2), (2, 3), (2, 6), (3, 1), (3, 2), (3, 4), (5, 2), (4, 3)] {
            let network = debruijn(d, k);
            assert_eq!(network.degrees(), Degrees::measured(&network), "d = {d}, k = {k}");
        }
    }

    #[test]
    fn distances_by_search() {
        for (d, k) in [(2, 1), (2, 2), (2, 7), (3, 4), (4, 3)] {
            let network = debruijn(d, k);
            for from in (0..Network::order(&network)).map(Node) {
                for (to, found) in (0..).zip(distances_from(&network, from)) {
                    assert_eq!(network.distance(from, Node(to)), Some(found.into()));
                }
            }
        }
    }

    #[test]
    fn the_largest_that_is_built() {
        let network = debruijn(2, 63);
        assert_eq!(Network::order(&network), 1 << 63);
        let last = Node((1 << 63) - 1);
        assert_eq!(network.neighbor(last, Port(0)), Some(Node((1 << 63) - 2)));
        assert_eq!(network.distance(Node(0), last), Some(63));
    }
}
