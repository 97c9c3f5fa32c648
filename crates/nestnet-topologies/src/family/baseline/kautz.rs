//! Kautz graphs: de Bruijn graphs without their loops, and with more nodes for the same degree and diameter.
//!
//! # Definition
//! W. H. Kautz, 1968. The nodes are the words of k letters out of d + 1 in which no letter follows itself;
//! x_1 … x_k is linked to x_2 … x_k c for every letter c ≠ x_k. Links have no direction here, and a link that arises
//! twice counts once.
//!
//! # Numbering
//! Lexicographic: x_1·d^(k-1) + r_2·d^(k-2) + … + r_k, where r_i is the rank of x_i among the letters other than
//! x_(i-1). Port c shifts in, from the right, the letter of rank c among those that are allowed there;
//! port d + c does so from the left, and is empty where it would repeat an earlier port.

use super::word;
use crate::family::{ArgError, Args, Built};
use nestnet_graph::theory::{Bounded, Degrees, Theory};
use nestnet_graph::{Address, Network, Node, Port, radix};
use num_bigint::BigUint;

pub(super) fn build(args: &Args) -> Result<Built, ArgError> {
    let (d, k) = (args.integer("d"), args.integer("k"));
    let order = radix::short(radix::power(&d.into(), k - 1)? * (d + 1))?;
    // No plan: few words are drawn by necklaces, more by distances.
    Ok(Built::of(Kautz::new(d, k, order)))
}

/// Words of `k` letters out of `d + 1`.
#[derive(Clone, Debug)]
pub struct Kautz {
    d: u64,
    k: u64,
    order: BigUint,
    /// d^(k-2), the number of words that go on from two letters; 1 for k = 1, and of no meaning where the network is
    /// not built.
    rests: u64,
}

/// The rank of `letter` among the letters other than `not`, which it is not.
fn rank(letter: u64, not: u64) -> u64 {
    if letter > not { letter - 1 } else { letter }
}

/// The letter of that rank.
fn letter(rank: u64, not: u64) -> u64 {
    if rank < not { rank } else { rank + 1 }
}

impl Kautz {
    fn new(d: u64, k: u64, order: BigUint) -> Self {
        let length = u32::try_from(k.saturating_sub(2)).unwrap_or(u32::MAX);
        Kautz { d, k, order, rests: d.saturating_pow(length) }
    }

    /// The radix of every digit of an id.
    fn sides(&self) -> Vec<u64> {
        let first = std::iter::once(self.d + 1);
        first.chain((1..self.k).map(|_| self.d)).collect()
    }

    fn letters(&self, at: Node) -> Vec<u64> {
        let mut letters = radix::digits(at.0, &self.sides());
        for i in 1..letters.len() {
            letters[i] = letter(letters[i], letters[i - 1]);
        }
        letters
    }

    /// x_2 … x_k of a word with k ≥ 2, numbered like a word of that length.
    fn tail(&self, at: Node) -> u64 {
        let first = at.0 / (self.rests * self.d);
        let second = letter(at.0 / self.rests % self.d, first);
        second * self.rests + at.0 % self.rests
    }

    /// x_1 … x_(k-1) of a word with k ≥ 2 behind the letter of rank `c` among those other than x_1.
    fn behind(&self, at: Node, c: u64) -> u64 {
        let head = at.0 / self.d;
        let first = head / self.rests;
        let before = letter(c, first);
        (before * self.d + rank(first, before)) * self.rests + head % self.rests
    }
}

impl Network for Kautz {
    fn order(&self) -> u64 {
        if self.k == 1 { self.d + 1 } else { (self.d + 1) * self.d * self.rests }
    }

    fn ports(&self) -> u32 {
        // With two letters there are only two words, and both shifts lead to the other one.
        let ports = if self.k == 1 || self.d == 1 { self.d } else { 2 * self.d };
        u32::try_from(ports).expect("only built when the ports fit")
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        if port.0 >= self.ports() {
            return None;
        }
        let port = u64::from(port.0);
        if self.k == 1 {
            return Some(Node(letter(port, at.0)));
        }
        let tail = self.tail(at);
        if let Some(c) = port.checked_sub(self.d) {
            let to = self.behind(at, c);
            return (to / self.d != tail).then_some(Node(to));
        }
        Some(Node(tail * self.d + port))
    }

    fn for_each_neighbor(&self, at: Node, visit: &mut dyn FnMut(Port, Node)) {
        if self.k == 1 {
            let others = (0..=self.d).filter(|&to| to != at.0);
            return (0..).zip(others).for_each(|(port, to)| visit(Port(port), Node(to)));
        }
        let tail = self.tail(at);
        let left = (0..self.d).map(|c| Some(tail * self.d + c));
        let right = (0..self.d).map(|c| Some(self.behind(at, c)).filter(|to| to / self.d != tail));
        for (port, to) in (0..).zip(left.chain(right)) {
            if let Some(to) = to {
                visit(Port(port), Node(to));
            }
        }
    }

    fn address(&self, at: Node) -> Address {
        Address::numbers(self.letters(at))
    }

    fn node(&self, address: &Address) -> Option<Node> {
        let sides = self.sides();
        let letters = address.as_numbers(sides.len())?;
        if letters.windows(2).any(|pair| pair[0] == pair[1]) {
            return None;
        }
        let mut digits = letters.clone();
        for i in 1..digits.len() {
            digits[i] = rank(letters[i], letters[i - 1]);
        }
        radix::number(&digits, &sides).map(Node)
    }

    fn distance(&self, from: Node, to: Node) -> Option<u64> {
        Some(word::shift_distance(&self.letters(from), &self.letters(to)))
    }
}

impl Theory for Kautz {
    fn order(&self) -> BigUint {
        self.order.clone()
    }

    /// Shifts to both sides agree once where the word has two letters in turn; of these there are (d+1)·d.
    fn degrees(&self) -> Degrees {
        let d = self.d;
        if self.k == 1 {
            return Degrees::regular(d, self.order.clone());
        }
        let in_turn = BigUint::from(d) * (d + 1);
        Degrees::counted([(2 * d, &self.order - &in_turn), (2 * d - 1, in_turn)])
    }

    /// k shifts write any word, so it is at most k, and for d ≥ 2 it is k.
    ///
    /// Let x = 0101…, and let every second letter of y be 2, the first among them, and its last one not 0.
    /// Fewer than k shifts keep a factor of x in y; the two have only single letters in common,
    /// so it is one letter, and every one of the k-1 shifts loses another. Then all go the same way, and the letter is
    /// the last of x and the first of y, or the first of x and the last of y; but these differ.
    fn diameter(&self) -> Option<Bounded> {
        Some(Bounded::theorem(if self.d == 1 { 1 } else { self.k }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nestnet_graph::measure::search::distances_from;
    use nestnet_graph::network::sorted_neighbors;

    const SMALL: [(u64, u32); 12] = [
        (1, 1),
        (1, 2),
        (1, 5),
        (2, 1),
        (2, 2),
        (2, 3),
        (2, 6),
        (2, 7),
        (3, 1),
        (3, 2),
        (3, 4),
        (5, 3),
    ];

    fn kautz(d: u64, k: u32) -> Kautz {
        Kautz::new(d, k.into(), BigUint::from(d).pow(k - 1) * (d + 1))
    }

    #[test]
    fn links_and_degrees_by_the_definition() {
        for (d, k) in SMALL {
            let network = kautz(d, k);
            let words: Vec<Vec<u64>> =
                (0..Network::order(&network)).map(|id| network.letters(Node(id))).collect();
            assert!(words.is_sorted(), "lexicographic");
            for (at, word) in (0..).zip(&words) {
                let linked = |to: &Vec<u64>| {
                    word[1..] == to[..to.len() - 1] || to[1..] == word[..word.len() - 1]
                };
                let expected: Vec<Node> = (0..)
                    .zip(&words)
                    .filter(|&(id, to)| id != at && linked(to))
                    .map(|(id, _)| Node(id))
                    .collect();
                assert_eq!(sorted_neighbors(&network, Node(at)), expected, "kautz({d}, {k})");
            }
            assert_eq!(network.degrees(), Degrees::measured(&network), "d = {d}, k = {k}");
        }
    }

    #[test]
    fn distances_and_diameter_by_search() {
        for (d, k) in SMALL {
            let network = kautz(d, k);
            let mut longest = 0;
            for from in (0..Network::order(&network)).map(Node) {
                for (to, found) in (0..).zip(distances_from(&network, from)) {
                    assert_eq!(network.distance(from, Node(to)), Some(found.into()));
                    longest = longest.max(found);
                }
            }
            assert_eq!(network.diameter(), Some(Bounded::theorem(longest)), "kautz({d}, {k})");
        }
    }
}
