//! How close does a network come to the best that its degree allows?

use num_bigint::BigUint;
use num_traits::One;

/// More nodes than `degree` and `diameter` allow there cannot be (Moore): 1 + d + d(d-1) + … + d(d-1)^(D-1).
///
/// `None` when the diameter is too large to add up.
pub fn moore_bound(degree: u64, diameter: &BigUint) -> Option<BigUint> {
    const MAX_BITS: u64 = 1 << 20;
    let one = BigUint::one();
    if degree == 0 || diameter == &BigUint::ZERO {
        return Some(one);
    }
    match degree {
        1 => Some(BigUint::from(2u8)),
        2 => Some(diameter * 2u8 + 1u8),
        _ => {
            let steps = u32::try_from(diameter).ok()?;
            let factor = BigUint::from(degree - 1);
            (factor.bits() * u64::from(steps) <= MAX_BITS)
                .then(|| one + (factor.pow(steps) - 1u8) * degree / (degree - 2))
        }
    }
}

/// The least mean distance that `order` nodes of at most this degree can have, as a fraction (Cerf et al., 1974):
/// d nodes at distance 1, d(d-1) at distance 2 and so on, until all are placed.
///
/// `None` when there is no pair of nodes, or the degree is too small to connect them.
pub fn least_mean_distance(order: &BigUint, degree: u64) -> Option<(BigUint, BigUint)> {
    let one = BigUint::one();
    let pairs = order - BigUint::one().min(order.clone());
    if pairs == BigUint::ZERO || degree == 0 || (degree == 1 && pairs > one) {
        return None;
    }
    if degree == 2 {
        // 2(1 + 2 + … + h), and one more at h+1 when the others are odd.
        let half = &pairs / 2u8;
        let odd = &pairs % 2u8;
        let sum = &half * (&half + 1u8) + odd * (&half + 1u8);
        return Some((sum, pairs));
    }
    let mut left = pairs.clone();
    let mut sphere = BigUint::from(degree);
    let mut sum = BigUint::ZERO;
    let mut distance = 1u64;
    while left > BigUint::ZERO {
        let here = sphere.clone().min(left.clone());
        sum += &here * distance;
        left -= here;
        sphere *= degree.saturating_sub(1).max(1);
        distance += 1;
    }
    Some((sum, pairs))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distances::ratio;

    #[test]
    fn moore_graphs_attain_the_bounds() {
        assert_eq!(moore_bound(3, &2u8.into()), Some(10u8.into()));
        assert_eq!(moore_bound(7, &2u8.into()), Some(50u8.into()));
        assert_eq!(moore_bound(2, &3u8.into()), Some(7u8.into()));
        assert_eq!(moore_bound(5, &0u8.into()), Some(1u8.into()));
        let (sum, pairs) = least_mean_distance(&10u8.into(), 3).unwrap();
        assert_eq!((sum, pairs), (15u8.into(), 9u8.into()));
    }

    #[test]
    fn reference_values() {
        let bound = |order: u64, degree| {
            let (sum, pairs) = least_mean_distance(&order.into(), degree).unwrap();
            ratio(&sum, &pairs)
        };
        for (order, degree, expected) in [
            (1000, 6, 3.8348),
            (1024, 10, 3.0029),
            (896, 3, 7.3173),
            (720, 5, 4.2211),
            (264, 11, 2.4981),
        ] {
            assert!(
                (bound(order, degree) - expected).abs() < 5e-5,
                "{order} nodes of degree {degree}"
            );
        }
        assert_eq!(least_mean_distance(&5u8.into(), 2), Some((6u8.into(), 4u8.into())));
        assert_eq!(least_mean_distance(&1u8.into(), 2), None);
        assert_eq!(least_mean_distance(&3u8.into(), 1), None);
        assert_eq!(least_mean_distance(&2u8.into(), 1), Some((1u8.into(), 1u8.into())));
    }
}
