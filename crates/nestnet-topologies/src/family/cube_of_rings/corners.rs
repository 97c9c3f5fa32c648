//! How many links join the corners of the cube, each a ring? As many as positions flip the bit in which they differ.

use super::rule::Rule;
use nestnet_draw::view::Cord;
use nestnet_draw::{Joints, Plan, Tally};
use num_bigint::BigUint;
use std::sync::Arc;

/// Longer rings are not looked at position by position.
const MAX_RING: u64 = 1 << 12;

/// What joins the cells of `corners`.
pub(super) fn joints(corners: &Plan, rule: &Rule) -> Joints {
    let Some(times) = times(rule) else { return Joints::Counted };
    let bits = corners.layers().iter().map(|layer| layer.shape.places().ilog2()).collect();
    Joints::ByRule(Arc::new(Flips { bits, times }))
}

/// How many positions flip each bit, lowest first.
fn times(rule: &Rule) -> Option<Vec<u64>> {
    if rule.r > MAX_RING || rule.bits() == 0 || rule.bits() > 62 {
        return None;
    }
    let mut flipped = vec![0u64; usize::try_from(rule.bits()).ok()?];
    for b in 0..rule.r {
        for bit in rule.flips(b).into_iter().flatten() {
            *flipped.get_mut(usize::try_from(bit).ok()?)? += 1;
        }
    }
    Some(flipped)
}

/// Links between corners.
#[derive(Debug)]
struct Flips {
    /// How many bits of a corner each layer tells.
    bits: Vec<u32>,
    /// How many links flip each bit of a corner, lowest first.
    times: Vec<u64>,
}

impl Flips {
    /// How many bits are distinguished, and how many below them are not.
    fn informed(&self, path: &[u64], shown: usize) -> Option<(u32, u32)> {
        let informed = self.bits.get(path.len()..path.len() + shown)?;
        Some((informed.iter().sum(), self.bits[path.len() + shown..].iter().sum()))
    }
}

impl Tally for Flips {
    fn count(&self, path: &[u64], shown: usize) -> Option<u128> {
        let (informed, _) = self.informed(path, shown)?;
        Some(u128::from(informed) << informed)
    }

    fn cords(&self, path: &[u64], shown: usize) -> Vec<Cord> {
        let Some((informed, rest)) = self.informed(path, shown) else { return Vec::new() };
        let flips = self.times.iter().skip(rest as usize).take(informed as usize);
        let flips: Vec<BigUint> = flips.map(|&times| BigUint::from(times) << rest).collect();
        let mut cords = Vec::new();
        for from in 0..1usize << informed {
            for (bit, links) in flips.iter().enumerate() {
                let to = from | 1 << bit;
                if to != from && *links != BigUint::ZERO {
                    cords.push(Cord { level: 1, from, to, links: links.clone() });
                }
            }
        }
        cords
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::family::cube_of_rings::Positions;

    #[test]
    fn bits_are_counted_by_the_positions_that_flip_them() {
        let rule = |k, r, j, positions| Rule { k, r, j, positions };
        // Cube-connected cycles: each bit has one position.
        assert_eq!(times(&rule(1, 5, 4, Positions::Own)), Some(vec![1; 5]));
        // Three positions of two bits among four: not all alike.
        let uneven = times(&rule(2, 3, 2, Positions::Cyclic)).unwrap();
        assert_eq!((uneven.iter().sum(), uneven.iter().max()), (6, Some(&2)));
        assert_eq!(times(&rule(2, 2, 2, Positions::Cyclic)), Some(vec![1; 4]));
    }
}
