//! Recursive cubes of rings, with cubes of rings and cube-connected cycles.
//!
//! # Paper
//! Y. Sun, P. Y. S. Cheung, X. Lin, "Recursive Cube of Rings: A New Topology for Interconnection Networks", 2000.
//!
//! # Definition
//! RCR(k, r, j): a node is [A; b] with m = k+j bits A and a ring position b below r.
//! Ring links lead to b ± 1 mod r; the k cube links flip bit f(b·j + x, m) for x = 1..k.
//!
//! # Numbering
//! The id of [A; b] is A·r + b.
//!
//! # Where we differ
//! The printed f is m - a for a ≤ m and a mod m beyond, which jumps at a = m and disconnects networks that the paper
//! names as special cases; all its worked examples have r = 2, where it agrees with f(a, m) = -a mod m.
//! `positions=cyclic` is that f, and position b then flips the bits (b-1)k … bk-1 mod m; `positions=literal` is the
//! printed one. For ring neighbors the printed f cannot be meant: we take b ± 1 mod r.
//! Links that coincide (a ring of two, literal positions) are one link.

use super::{ArgError, Args, Built, Family, Make, Paper, Param};
use crate::spec::{Arg, Spec};
use nestnet_core::network::{Automorphism, transitive};
use nestnet_core::radix::{MAX_BITS, TooLong};
use nestnet_core::theory::{Degrees, Known, Theory};
use nestnet_core::{Address, Network, Node, Orbit, Port};
use num_bigint::BigUint;
use num_traits::One;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

const MAX_RING: u64 = 1 << 63;

/// The rows of this file.
pub static FAMILIES: &[Family] = &[
    Family {
        name: "rcr",
        paper: Paper::CubeOfRings,
        about: "The recursive cube of rings: nodes [A; b] with k+j bits and a ring position; ring links b±1, and k cube links that flip the bits of position b.",
        params: &[
            Param::integer("k", 0, MAX_BITS, "the number of cube links of a node"),
            Param::integer("r", 1, MAX_RING, "the number of nodes of a ring"),
            Param::integer("j", 0, MAX_BITS, "the number of expansions"),
            Param::word("positions", &["cyclic", "literal"], "which bits a ring position flips"),
        ],
        examples: &["rcr(2, 4, 3)", "rcr(2, 3, 2, positions=literal)"],
        make: Make::Build(|args| {
            let positions = match args.word("positions") {
                "literal" => Positions::Literal,
                _ => Positions::Cyclic,
            };
            build(args.integer("k"), args.integer("r"), args.integer("j"), positions)
        }),
    },
    Family {
        name: "cor",
        paper: Paper::CubeOfRings,
        about: "The cube of rings: RCR(k, r, k(r-1)).",
        params: &[
            Param::integer("k", 1, MAX_BITS, "the number of cube links of a node"),
            Param::integer("r", 1, MAX_BITS, "the number of nodes of a ring"),
        ],
        examples: &["cor(2, 3)"],
        make: Make::Alias(|args: &Args| {
            let (k, r) = (args.integer("k"), args.integer("r"));
            if k * r > MAX_BITS {
                let message = format!("must be at most {} when k is {k}: {TooLong}", MAX_BITS / k);
                return Err(ArgError::new("r", message));
            }
            Ok(Spec::new("rcr", [k, r, k * (r - 1)].map(Arg::new)))
        }),
    },
    Family {
        name: "ccc",
        paper: Paper::CubeOfRings,
        about: "Cube-connected cycles: [x; p] with n bits; ring links p±1 mod n, and a link that flips bit p.",
        params: &[Param::integer("n", 1, MAX_BITS, "the dimension, and the length of the cycles")],
        examples: &["ccc(4)"],
        make: Make::Build(|args| {
            build(1, args.integer("n"), args.integer("n") - 1, Positions::Own)
        }),
    },
];

/// Which bits a ring position flips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Positions {
    /// (b-1)k … bk-1, mod m.
    Cyclic,
    /// As printed.
    Literal,
    /// Bit b, as cube-connected cycles are usually written: cyclic up to the names of the bits.
    Own,
}

fn build(k: u64, r: u64, j: u64, positions: Positions) -> Result<Built, ArgError> {
    if k + j > MAX_BITS {
        return Err(ArgError::new(
            "j",
            format!("must be at most {} when k is {k}: {TooLong}", MAX_BITS - k),
        ));
    }
    let rule = Rule { k, r, j, positions };
    let shape = CubeOfRings { rule, walks: Arc::default() };
    Ok(Built::of(shape))
}

#[derive(Clone, Debug)]
struct Rule {
    k: u64,
    r: u64,
    j: u64,
    positions: Positions,
}

impl Rule {
    fn bits(&self) -> u64 {
        self.k + self.j
    }

    fn ring_links(&self) -> u64 {
        (self.r - 1).min(2)
    }

    /// The bits that position b flips, as disjoint ranges.
    fn flips(&self, b: u64) -> Vec<Range<u64>> {
        let m = self.bits();
        if self.k == 0 {
            return Vec::new();
        }
        match self.positions {
            Positions::Own => wrapped(b, 1, m),
            Positions::Cyclic => {
                // b·j + x ≡ x - b·k mod m, so the lowest bit is that of x = k.
                let start = (mod_product(b, self.k, m) + m - self.k % m) % m;
                wrapped(start, self.k, m)
            }
            Positions::Literal => {
                let first = u128::from(b) * u128::from(self.j) + 1;
                let after = first + u128::from(self.k);
                // a from first to m flips m - a, a beyond m flips a mod m.
                let split = after.min(u128::from(m) + 1).max(first);
                let mut ranges = Vec::new();
                if split > first {
                    let (a, z) = (to_u64(first), to_u64(split - 1));
                    ranges.push(m - z..m - a + 1);
                }
                if after > split {
                    let start = to_u64(split % u128::from(m));
                    ranges.extend(wrapped(start, to_u64(after - split), m));
                }
                disjoint(ranges)
            }
        }
    }
}

fn to_u64(value: u128) -> u64 {
    u64::try_from(value).expect("reduced modulo the number of bits")
}

fn mod_product(a: u64, b: u64, m: u64) -> u64 {
    to_u64(u128::from(a) * u128::from(b) % u128::from(m.max(1)))
}

/// `count ≤ m` bits from `start`, mod m.
fn wrapped(start: u64, count: u64, m: u64) -> Vec<Range<u64>> {
    let end = start + count;
    let ranges = [0..end.saturating_sub(m), start..end.min(m)];
    ranges.into_iter().filter(|range| !range.is_empty()).collect()
}

/// The same bits in ascending ranges that do not touch.
fn disjoint(mut ranges: Vec<Range<u64>>) -> Vec<Range<u64>> {
    ranges.sort_by_key(|range| range.start);
    let mut merged: Vec<Range<u64>> = Vec::new();
    for range in ranges {
        match merged.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
}

/// Rings up to this length have their walks tabulated.
const MAX_TABULATED: u64 = 1 << 12;

/// A recursive cube of rings.
#[derive(Clone, Debug)]
pub struct CubeOfRings {
    rule: Rule,
    /// For each position the bits it flips; made when the first distance is asked for.
    walks: Arc<OnceLock<Vec<u64>>>,
}

impl CubeOfRings {
    fn split(&self, at: Node) -> (u64, u64) {
        (at.0 / self.rule.r, at.0 % self.rule.r)
    }

    fn width(&self) -> u32 {
        u32::try_from(self.rule.bits()).expect("at most 63 bits")
    }

    fn masks(&self) -> &[u64] {
        self.walks.get_or_init(|| (0..self.rule.r).map(|b| mask(&self.rule.flips(b))).collect())
    }

    /// Whether a step along the ring is an automorphism, the bits turning with it.
    fn turns(&self) -> bool {
        let closes = mod_product(self.rule.r, self.rule.k, self.rule.bits()) == 0;
        closes && self.rule.positions != Positions::Literal
    }

    fn ring_ports(&self) -> u32 {
        u32::try_from(self.rule.ring_links()).expect("at most 2")
    }
}

/// The word with bit i of `bits` moved to `to(i)`.
fn rename_bits(bits: u64, count: u64, to: impl Fn(u64) -> u64) -> u64 {
    (0..count).filter(|i| bits >> i & 1 == 1).fold(0, |word, i| word | 1 << to(i))
}

/// Ranges of bits as one word.
fn mask(ranges: &[Range<u64>]) -> u64 {
    ranges.iter().flat_map(Clone::clone).fold(0, |mask, bit| mask | 1 << bit)
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
        let flip = |bit: u64| {
            Arc::new(move |id: u64| ((id / r) ^ (1 << bit)) * r + id % r) as Automorphism
        };
        let mut all: Vec<Automorphism> = (0..m).map(flip).collect();
        if self.rule.positions == Positions::Literal {
            return all;
        }
        let step = if self.rule.positions == Positions::Own { 1 } else { k };
        if self.turns() {
            let turned =
                move |id| rename_bits(id / r, m, |i| (i + step) % m) * r + (id % r + 1) % r;
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
        let walk = shortest_walk(self.masks(), b, b2, needed)?;
        Some(u64::from(needed.count_ones()) + walk)
    }
}

/// The shortest walk on a ring from `from` to `to` whose positions together have all `needed` bits.
///
/// It covers an arc from p steps behind `from` to q steps ahead and costs 2p + 2q less the way it need not return,
/// or it goes around. Exact; O(r). `None` when even the whole ring lacks a bit.
fn shortest_walk(masks: &[u64], from: u64, to: u64, needed: u64) -> Option<u64> {
    const SHORT: usize = 64;
    let length = masks.len();
    let from = usize::try_from(from).expect("a ring position");
    // covered[q]: the bits of the positions from `from` to q steps ahead.
    let mut short = [0; SHORT];
    let mut long = Vec::new();
    let covered = if length <= SHORT {
        &mut short[..length]
    } else {
        long.resize(length, 0);
        &mut long[..]
    };
    let mut bits = 0;
    for (entry, mask) in covered.iter_mut().zip(masks[from..].iter().chain(&masks[..from])) {
        bits |= mask;
        *entry = bits;
    }
    if bits & needed != needed {
        return None;
    }
    let to = usize::try_from(to).expect("a ring position");
    let ahead = if to >= from { to - from } else { to + length - from };
    let behind = if ahead == 0 { 0 } else { length - ahead };
    let mut best = length + ahead.min(behind);
    let mut bits_behind = 0;
    let mut q = length - 1;
    for p in 0..length {
        if p > 0 {
            bits_behind |= masks[if p <= from { from - p } else { from + length - p }];
        }
        while q > 0 && (covered[q - 1] | bits_behind) & needed == needed {
            q -= 1;
        }
        best = best.min(arc_cost(p, q, ahead, behind));
        if q == 0 {
            break;
        }
    }
    Some(best as u64)
}

/// The cheaper way to end `ahead` steps ahead, which is `behind` steps behind, on a walk that covers p and q steps.
fn arc_cost(p: usize, q: usize, ahead: usize, behind: usize) -> usize {
    (2 * p + 2 * q.max(ahead) - ahead).min(2 * p.max(behind) + 2 * q - behind)
}

impl Theory for CubeOfRings {
    /// Property 1.1: r·2^(k+j).
    fn order(&self) -> BigUint {
        BigUint::from(self.rule.r) << self.rule.bits()
    }

    /// Property 1.2: k + 2 links, one less in a ring of two, none of the ring where it is one node.
    /// A literal position at the jump of f may flip a bit twice: those links are one.
    fn degrees(&self) -> Degrees {
        let Rule { k, r, j, positions } = self.rule;
        let ring = self.rule.ring_links();
        let rings = BigUint::one() << self.rule.bits();
        if positions != Positions::Literal || j == 0 {
            return Degrees::regular(ring + k, rings * r);
        }
        // Only where b·j + x passes m can two x agree.
        let jumps = 2..r.min((self.rule.bits() - 1) / j + 1).max(2);
        let others = r - (jumps.end - jumps.start);
        let flips = |b| self.rule.flips(b).iter().map(|range| range.end - range.start).sum::<u64>();
        let at_jumps = jumps.map(|b| (ring + flips(b), rings.clone()));
        Degrees::counted(at_jumps.chain([(ring + k, &rings * others)]))
    }

    /// Connected when every bit can be flipped somewhere on the ring.
    fn connected(&self) -> bool {
        let (Rule { k, r, .. }, m) = (&self.rule, self.rule.bits());
        match self.rule.positions {
            Positions::Own => true,
            Positions::Cyclic => u128::from(*r) * u128::from(*k) >= u128::from(m),
            Positions::Literal => {
                // Behind the jump the positions repeat after m steps at the latest.
                let positions = 0..(*r).min(2 * m + 2);
                let flips = disjoint(positions.flat_map(|b| self.rule.flips(b)).collect());
                m == 0 || flips.first() == Some(&(0..m))
            }
        }
    }

    /// All bits and the longest walk that flips them all.
    fn diameter(&self) -> Option<Known> {
        if !self.connected() {
            return None;
        }
        let (r, m) = (self.rule.r, self.rule.bits());
        if self.rule.positions == Positions::Own && r >= 4 {
            return Some(Known::theorem(2 * r + r / 2 - 2));
        }
        Some(match longest_walk(&self.rule, self.turns()) {
            Some(walk) => Known::theorem(m + walk),
            None => Known::between(m + r / 2, BigUint::from(m) + r + r / 2),
        })
    }
}

/// The longest of all shortest walks that visit every bit, if it is quick to find.
///
/// For each start the arcs that cover every bit are found by moving both ends; then every target takes the cheapest.
fn longest_walk(rule: &Rule, turns: bool) -> Option<u64> {
    const MAX_WORK: u64 = 1 << 27;
    let starts = if turns { 1 } else { rule.r };
    let work = starts.checked_mul(rule.r)?.checked_mul(rule.bits() + 1)?;
    if work > MAX_WORK {
        return None;
    }
    let length = usize::try_from(rule.r).ok()?;
    let flips: Vec<Vec<usize>> = (0..rule.r)
        .map(|b| {
            let bits = rule.flips(b).into_iter().flatten();
            bits.map(|bit| usize::try_from(bit).expect("at most 2^17 bits")).collect()
        })
        .collect();
    let mut longest = 0;
    for from in 0..usize::try_from(starts).ok()? {
        let arcs = covering_arcs(&flips, from, usize::try_from(rule.bits()).ok()?);
        for ahead in 0..length {
            let behind = if ahead == 0 { 0 } else { length - ahead };
            let costs = arcs.iter().map(|&(p, q)| arc_cost(p, q, ahead, behind));
            longest = longest.max(costs.fold(length + ahead.min(behind), usize::min));
        }
    }
    Some(longest as u64)
}

/// For each p the least q such that the arc from p steps behind `from` to q steps ahead has every bit.
fn covering_arcs(flips: &[Vec<usize>], from: usize, bits: usize) -> Vec<(usize, usize)> {
    let length = flips.len();
    let mut counts = vec![0u32; bits];
    let mut missing = bits;
    let mut add = |at: usize, counts: &mut Vec<u32>| {
        for &bit in &flips[at % length] {
            missing -= usize::from(counts[bit] == 0);
            counts[bit] += 1;
        }
        missing
    };
    let mut q = 0;
    let mut left = add(from, &mut counts);
    while left > 0 {
        q += 1;
        left = add(from + q, &mut counts);
    }
    let mut arcs = vec![(0, q)];
    for p in 1..length {
        if q == 0 {
            break;
        }
        add(from + length - p, &mut counts);
        // The last position ahead may go while every bit of it is flipped elsewhere.
        while q > 0 && flips[(from + q) % length].iter().all(|&bit| counts[bit] > 1) {
            flips[(from + q) % length].iter().for_each(|&bit| counts[bit] -= 1);
            q -= 1;
        }
        arcs.push((p, q));
    }
    arcs
}

#[cfg(test)]
mod tests {
    use crate::build;

    fn diameter(spec: &str) -> String {
        let known = build(spec).unwrap().theory.diameter().unwrap();
        known.exact().unwrap().to_string()
    }

    #[test]
    fn exact_diameters_of_large_ones() {
        assert_eq!(diameter("rcr(3, 16, 40)"), "64");
        assert_eq!(diameter("rcr(2, 21, 40)"), "71");
        assert_eq!(diameter("ccc(17)"), "40");
        assert_eq!(diameter("rcr(1, 17, 16)"), "40");
        assert_eq!(diameter("ccc(3)"), "6");
        assert_eq!(diameter("cor(3, 30)"), diameter("rcr(3, 30, 87)"));
    }
}
