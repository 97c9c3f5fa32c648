//! How many links join the corners of the cube, each a ring? As many as positions flip the bit in which they differ.

use super::Rule;
use crate::family::corners::Corners;
use nestnet_core::draw::{Digit, Joints, Plan, Spread};
use std::sync::Arc;

/// Longer rings are not looked at position by position.
const MAX_RING: u64 = 1 << 12;

/// What joins the cells of `corners`, where every bit is flipped by as many positions.
pub(super) fn joints(corners: &Plan, rule: &Rule) -> Joints {
    let Some(times) = times(rule) else { return Joints::Counted };
    let digit = |(depth, places): (usize, u64)| Digit {
        layers: 1,
        network: Arc::new(Corners(places)),
        links: corners.nodes_a_cell(depth + 1).saturating_mul(times),
        spread: Spread::Even,
    };
    let places = corners.layers().iter().map(|layer| layer.shape.places());
    Joints::Digits(places.enumerate().map(digit).collect())
}

/// How many positions flip each bit, if that is the same for all.
fn times(rule: &Rule) -> Option<u64> {
    if rule.r > MAX_RING || rule.bits() == 0 || rule.bits() > 62 {
        return None;
    }
    let mut flipped = vec![0u64; usize::try_from(rule.bits()).ok()?];
    for b in 0..rule.r {
        for bit in rule.flips(b).into_iter().flatten() {
            *flipped.get_mut(usize::try_from(bit).ok()?)? += 1;
        }
    }
    let first = *flipped.first()?;
    flipped.iter().all(|&times| times == first).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::family::cube_of_rings::Positions;

    #[test]
    fn bits_are_counted_by_the_positions_that_flip_them() {
        let rule = |k, r, j, positions| Rule { k, r, j, positions };
        // Cube-connected cycles: each bit has one position.
        assert_eq!(times(&rule(1, 5, 4, Positions::Own)), Some(1));
        // Three positions of two bits among four: not all alike.
        assert_eq!(times(&rule(2, 3, 2, Positions::Cyclic)), None);
        assert_eq!(times(&rule(2, 2, 2, Positions::Cyclic)), Some(1));
    }
}
