//! What is proven of cubes of rings at any size.

use super::network::CubeOfRings;
use super::rule::{Positions, Rule, disjoint};
use super::walk::arc_cost;
use nestnet_graph::Distances;
use nestnet_graph::theory::{Bounded, Degrees, Theory};
use num_bigint::BigUint;
use num_traits::One;

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

    /// Flips move the corner, and turns of the ring the position.
    fn is_transitive(&self) -> bool {
        self.turns()
    }

    /// Every node sees the same where each bit has its one position on the ring: cubes of rings, cube-connected cycles.
    fn distances(&self) -> Option<Distances> {
        Some(self.distances_from_zero()?.scaled(&Theory::order(self)))
    }

    fn distances_from_zero(&self) -> Option<Distances> {
        /// About a tenth of a second.
        const MAX_WORK: u64 = 1 << 24;
        let (Rule { k, r, .. }, m) = (&self.rule, self.rule.bits());
        let once = u128::from(*r) * u128::from(*k) == u128::from(m) && *k > 0;
        // A product of polynomials of m terms for each of r targets and 2r lengths.
        let work = r.checked_mul(m).and_then(|terms| terms.checked_mul(terms))?;
        if !once || work > MAX_WORK || self.rule.positions == Positions::Literal {
            return None;
        }
        one_position_a_bit(usize::try_from(*r).ok()?, *k)
    }

    /// All bits and the longest walk that flips them all.
    fn diameter(&self) -> Option<Bounded> {
        if !self.connected() {
            return None;
        }
        let (r, m) = (self.rule.r, self.rule.bits());
        if self.rule.positions == Positions::Own && r >= 4 {
            return Some(Bounded::theorem(2 * r + r / 2 - 2));
        }
        Some(match longest_walk(&self.rule, self.turns()) {
            Some(walk) => Bounded::theorem(m + walk),
            None => without_the_walk(r, m),
        })
    }
}

/// Between the bits and half the ring, since a target may be across, and the bits, once around and half the ring.
fn without_the_walk(r: u64, m: u64) -> Bounded {
    Bounded::between(BigUint::from(m) + r / 2, BigUint::from(m) + r + r / 2)
}

/// How many blocks of bits there are in a gap, by the longest run of them that is zero: the polynomials F_n(h), in
/// the number of bits, of n blocks without a run of more than h zero ones.
struct Runs {
    /// `up_to[h][n]`.
    up_to: Vec<Vec<Distances>>,
}

impl Runs {
    /// All gaps of fewer than `r` blocks of `k` bits.
    fn new(r: usize, k: u64) -> Option<Self> {
        let zero = Distances::new([1u8]);
        let nonzero = Distances::new([1u8, 1]).power(k)?.minus(&zero);
        let mut up_to = Vec::with_capacity(r);
        for h in 0..r {
            let mut gaps: Vec<Distances> = Vec::with_capacity(r);
            for n in 0..r {
                // Up to h zero blocks, then one that is not, then the rest; or nothing but zero blocks.
                let rest = (0..=h.min(n)).filter_map(|zeros| gaps.get(n.checked_sub(zeros + 1)?));
                let rest = rest.fold(Distances::default(), |sum, gap| sum.plus(gap));
                let all_zero = if n <= h { zero.clone() } else { Distances::default() };
                gaps.push(rest.times(&nonzero)?.plus(&all_zero));
            }
            up_to.push(gaps);
        }
        Some(Runs { up_to })
    }

    /// Gaps of n blocks in which every run of zero ones is shorter than `length`.
    fn shorter(&self, n: usize, length: usize) -> Distances {
        match length {
            0 => Distances::default(),
            _ => self.up_to[(length - 1).min(n)][n].clone(),
        }
    }
}

/// Distances from one node where every bit is flipped at exactly one position, r·k = m: all nodes are alike.
///
/// Toward a target `ahead` positions on, two gaps of the ring are not on the way: `near`, between the two going
/// forward, and `far`, going backward. A walk forward turns back in the far gap at both ends of its longest run of
/// zero blocks, a walk backward likewise in the near gap, or it goes around. Walks longer than L are those in which
/// both gaps have only short runs, and the gaps are independent.
fn one_position_a_bit(r: usize, k: u64) -> Option<Distances> {
    let runs = Runs::new(r, k)?;
    let block = Distances::new([1u8, 1]).power(k)?;
    let mut total = Distances::default();
    for ahead in 0..r {
        let behind = r - ahead;
        let (near, far, ends) = if ahead == 0 {
            (0, r - 1, block.clone())
        } else {
            (ahead - 1, behind - 1, block.times(&block)?)
        };
        let around = if ahead == 0 { r } else { r + ahead.min(behind) };
        // Runs shorter than this make a walk of `path` and twice the rest of the gap longer than `length`.
        let short = |gap: usize, path: usize, length: usize| match length.checked_sub(path) {
            None => gap + 1,
            Some(more) => gap.saturating_sub(more / 2),
        };
        let all = runs.shorter(near, near + 1).times(&runs.shorter(far, far + 1))?;
        let mut within = Distances::default();
        for length in 0..=around {
            // Forward it covers the near gap, backward the far one; from a node to itself both are forward.
            let forward = runs.shorter(far, short(far, ahead, length));
            let backward = match ahead {
                0 => runs.shorter(near, near + 1),
                _ => runs.shorter(near, short(near, behind, length)),
            };
            let longer =
                if length == around { Distances::default() } else { forward.times(&backward)? };
            let reached = all.minus(&longer);
            total = total.plus(&reached.minus(&within).times(&ends)?.shifted(length));
            within = reached;
        }
    }
    Some(total)
}

/// The longest of all shortest walks that visit every bit, if it is quick to find.
///
/// For each start the arcs that cover every bit are found by moving both ends; then every target takes the cheapest.
fn longest_walk(rule: &Rule, turns: bool) -> Option<u64> {
    /// Steps of the two ends, less than a second.
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
    use super::*;
    use crate::build;

    fn diameter(spec: &str) -> String {
        let known = build(spec).unwrap().theory.diameter().unwrap();
        known.exact().unwrap().to_string()
    }

    #[test]
    fn bounds_hold_where_the_walk_is_known() {
        let (mut above, mut below) = (Vec::new(), Vec::new());
        let small = (1..4).flat_map(|k| (1..9).flat_map(move |r| (0..6).map(move |j| (k, r, j))));
        for (k, r, j) in small {
            for positions in ["cyclic", "literal"] {
                let spec = format!("rcr({k}, {r}, {j}, positions={positions})");
                let Some(known) = build(&spec).unwrap().proven.diameter() else { continue };
                let (exact, bounds) = (known.exact().unwrap(), without_the_walk(r, k + j));
                assert!(bounds.low <= *exact && *exact <= bounds.high, "{spec}: {exact}");
                above.push(exact - bounds.low);
                below.push(bounds.high - exact);
            }
        }
        // The lower one is reached, and the upper one but for a step.
        assert_eq!(
            (above.iter().min(), below.iter().min()),
            (Some(&0u8.into()), Some(&1u8.into()))
        );
    }

    #[test]
    fn exact_diameters_of_large_ones() {
        assert_eq!(diameter("rcr(3, 16, 40)"), "64");
        assert_eq!(diameter("rcr(2, 21, 40)"), "71");
        assert_eq!(diameter("ccc(17)"), "40");
        assert_eq!(diameter("rcr(1, 17, 16)"), "40");
        assert_eq!(diameter("ccc(3)"), "6");
        assert_eq!(diameter("cor(3, 30)"), diameter("rcr(3, 30, 87)"));
        // The whole distribution where it takes a moment, and not where it takes long.
        assert!(build("ccc(64)").unwrap().theory.distances().is_some());
        assert!(build("cor(8, 96)").unwrap().theory.distances().is_none());
    }
}
