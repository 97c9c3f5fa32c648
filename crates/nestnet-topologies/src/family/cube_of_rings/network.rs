//! The network itself: bits, rings, and the exact distance by a walk along the ring.

use super::rule::{Positions, Rule, mod_product};
use super::walk::{Walk, shortest_walk};
use nestnet_graph::network::{Automorphism, transitive};
use nestnet_graph::{Address, Network, Node, Orbit, Port};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// Rings up to this length have their walks tabulated.
pub(super) const MAX_TABULATED: u64 = 1 << 12;

/// A recursive cube of rings.
#[derive(Clone, Debug)]
pub struct CubeOfRings {
    pub(super) rule: Rule,
    /// For each position the bits it flips; made when the first distance is asked for.
    pub(super) walks: Arc<OnceLock<Vec<u64>>>,
}

impl CubeOfRings {
    pub(super) fn split(&self, at: Node) -> (u64, u64) {
        (at.0 / self.rule.r, at.0 % self.rule.r)
    }

    fn width(&self) -> u32 {
        u32::try_from(self.rule.bits()).expect("at most 63 bits")
    }

    pub(super) fn masks(&self) -> &[u64] {
        self.walks.get_or_init(|| (0..self.rule.r).map(|b| mask(&self.rule.flips(b))).collect())
    }

    /// The shortest walk along the ring from position `b` to `to` that can flip all `needed` bits, if there is one.
    pub(super) fn walk(&self, b: u64, to: u64, needed: u64) -> Option<Walk> {
        shortest_walk(self.masks(), b, to, needed)
    }

    /// Whether a step along the ring is an automorphism, the bits turning with it.
    pub(super) fn turns(&self) -> bool {
        self.turning().is_some()
    }

    /// How bits are renamed by a step along the ring, where that is an automorphism.
    ///
    /// **Theorem.** A cube of rings is vertex-transitive where r·k is a multiple of m = k + j, and where r·j ≤ m.
    /// *Proof.* Flips of bits move the corner, so that a turn of the ring suffices. Position b flips the bits
    /// (b-1)k … bk-1: with b also the bits move on by k, and behind the last position they are those of the first if
    /// r·k ≡ 0. The j bits that position b does *not* flip are bk … bk+j-1, which is -bj … -bj+j-1 mod m: for r·j ≤ m
    /// these r blocks do not meet, and all other bits are flipped everywhere. So the blocks may be renamed in a cycle,
    /// that of b to that of b+1, and the other bits stay. ∎
    fn turning(&self) -> Option<Turning> {
        let Rule { k, r, j, positions } = self.rule;
        let m = self.rule.bits();
        let apart = u128::from(r) * u128::from(j) <= u128::from(m);
        match positions {
            Positions::Literal => None,
            _ if mod_product(r, k, m) == 0 => Some(Turning::Shift),
            Positions::Cyclic if apart && k > 0 => Some(Turning::Blocks),
            _ => None,
        }
    }

    pub(super) fn ring_ports(&self) -> u32 {
        u32::try_from(self.rule.ring_links()).expect("at most 2")
    }
}

/// How bits are renamed by a step along the ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turning {
    /// All by the same number of places.
    Shift,
    /// The blocks of bits that a position does not flip in a cycle.
    Blocks,
}

/// Where a step along the ring moves bit i, of the block -bj … -bj+j-1 mod m to the next.
fn next_block(i: u64, m: u64, j: u64, r: u64) -> u64 {
    let b = if i < j { 0 } else { (m - i).div_ceil(j) };
    let begin = |b: u64| if b == 0 { 0 } else { m - b * j };
    if b >= r { i } else { i - begin(b) + begin((b + 1) % r) }
}

/// The word with bit i of `bits` moved to `to(i)`.
fn rename_bits(bits: u64, count: u64, to: impl Fn(u64) -> u64) -> u64 {
    (0..count).filter(|i| bits >> i & 1 == 1).fold(0, |word, i| word | 1 << to(i))
}

/// Ranges of bits as one word.
fn mask(ranges: &[Range<u64>]) -> u64 {
    ranges.iter().flat_map(Clone::clone).fold(0, |mask, bit| mask | 1 << bit)
}

impl CubeOfRings {
    /// Flip a bit, each one.
    pub fn flips(&self) -> Vec<Automorphism> {
        let r = self.rule.r;
        let flip = |bit: u64| {
            Arc::new(move |id: u64| ((id / r) ^ (1 << bit)) * r + id % r) as Automorphism
        };
        (0..self.rule.bits()).map(flip).collect()
    }
}

impl Network for CubeOfRings {
    fn order(&self) -> u64 {
        self.rule.r << self.rule.bits()
    }

    fn ports(&self) -> u32 {
        self.ring_ports() + u32::try_from(self.rule.k).expect("at most 63")
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        let (corner, b) = self.split(at);
        let r = self.rule.r;
        if port.0 < self.ring_ports() {
            let to = if port.0 == 0 { (b + 1) % r } else { (b + r - 1) % r };
            return Some(Node(corner * r + to));
        }
        let index = (port.0 - self.ring_ports()) as usize;
        let bit = self.rule.flips(b).into_iter().flatten().nth(index)?;
        Some(Node((corner ^ 1 << bit) * r + b))
    }

    fn for_each_neighbor(&self, at: Node, visit: &mut dyn FnMut(Port, Node)) {
        let (corner, b) = self.split(at);
        let r = self.rule.r;
        if self.ring_ports() > 0 {
            visit(Port(0), Node(corner * r + (b + 1) % r));
        }
        if self.ring_ports() > 1 {
            visit(Port(1), Node(corner * r + (b + r - 1) % r));
        }
        let mut visit_bits = |mut bits: u64| {
            let mut port = self.ring_ports();
            while bits != 0 {
                let bit = bits & bits.wrapping_neg();
                visit(Port(port), Node((corner ^ bit) * r + b));
                bits ^= bit;
                port += 1;
            }
        };
        if r <= MAX_TABULATED {
            visit_bits(self.masks()[usize::try_from(b).expect("a ring position")]);
        } else {
            visit_bits(mask(&self.rule.flips(b)));
        }
    }

    fn address(&self, at: Node) -> Address {
        let (corner, b) = self.split(at);
        let bits = Address::bits(corner, self.width());
        Address::Ring(Box::new(bits), Box::new(Address::number(b)))
    }

    fn node(&self, address: &Address) -> Option<Node> {
        let Address::Ring(bits, position) = address else { return None };
        let b = position.as_number().filter(|&b| b < self.rule.r)?;
        Some(Node(bits.as_bits(self.width())? * self.rule.r + b))
    }

    fn level(&self, _at: Node, port: Port) -> u16 {
        u16::from(port.0 >= self.ring_ports())
    }

    fn levels(&self) -> u16 {
        2
    }

    /// Flip a bit; turn the ring where that only renames the bits; reflect it, b → r-1-b, where position b flips the
    /// bits (b-1)k … bk-1 and bit i becomes (r-2)k-1-i.
    fn automorphisms(&self) -> Vec<Automorphism> {
        let (r, m, k) = (self.rule.r, self.rule.bits(), self.rule.k);
        if m == 0 {
            return vec![Arc::new(move |id| (id + 1) % r), Arc::new(move |id| (r - id) % r)];
        }
        let mut all = self.flips();
        if self.rule.positions == Positions::Literal {
            return all;
        }
        let step = if self.rule.positions == Positions::Own { 1 } else { k };
        let j = self.rule.j;
        if let Some(turning) = self.turning() {
            let turned = move |id| {
                let renamed = rename_bits(id / r, m, |i| match turning {
                    Turning::Shift => (i + step) % m,
                    Turning::Blocks => next_block(i, m, j, r),
                });
                renamed * r + (id % r + 1) % r
            };
            all.push(Arc::new(turned));
        }
        let last = match self.rule.positions {
            Positions::Own => m - 1,
            // (r-2)k - 1 mod m, without going below zero.
            _ => (mod_product(r, k, m) + 3 * m - 1 - 2 * k % m) % m,
        };
        let reflected =
            move |id| rename_bits(id / r, m, |i| (last + m - i) % m) * r + (r - 1 - id % r);
        all.push(Arc::new(reflected));
        all
    }

    /// Flipping bits is an automorphism. So is a step along the ring where it only renames the bits.
    fn orbits(&self) -> Option<Vec<Orbit>> {
        let (r, m) = (self.rule.r, self.rule.bits());
        if self.turns() {
            return transitive(r << m);
        }
        let class = |b| Orbit { node: Node(b), size: 1 << m };
        (r <= 1 << 16).then(|| (0..r).map(class).collect())
    }

    /// One step for each bit that differs, and the shortest walk along the ring that can flip them all.
    fn distance(&self, from: Node, to: Node) -> Option<u64> {
        if self.rule.r > MAX_TABULATED {
            return None;
        }
        let ((a, b), (a2, b2)) = (self.split(from), self.split(to));
        let needed = a ^ a2;
        Some(u64::from(needed.count_ones()) + self.walk(b, b2, needed)?.length as u64)
    }
}
