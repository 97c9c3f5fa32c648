//! How close does a network come to the best that its degree allows?

use crate::distances::ratio;
use num_bigint::BigUint;
use num_traits::{One, ToPrimitive};

/// Degree times diameter, the usual cost.
pub fn cost(degree: u64, diameter: &BigUint) -> BigUint {
    diameter * degree
}

/// The cost ratio CR = (degree + diameter) / log2(order). `None` where there are no two nodes.
pub fn cost_ratio(order: &BigUint, degree: u64, diameter: &BigUint) -> Option<f64> {
    let bits = log2(order);
    let sum = (diameter + degree).to_f64().unwrap_or(f64::INFINITY);
    (bits > 0.0).then(|| sum / bits)
}

/// The part of the nodes of [`moore_bound`] that is there. `None` when the bound has too many digits.
pub fn moore_efficiency(order: &BigUint, degree: u64, diameter: &BigUint) -> Option<f64> {
    Some(ratio(order, &moore_bound(degree, diameter)?))
}

/// The logarithm of a number of any length.
fn log2(value: &BigUint) -> f64 {
    let excess = value.bits().saturating_sub(64);
    let head = (value >> excess).to_f64().unwrap_or(0.0);
    head.log2() + excess as f64
}

/// More nodes than `degree` and `diameter` allow there cannot be (Moore): 1 + d + d(d-1) + … + d(d-1)^(D-1).
///
/// `None` when the diameter is too large to add up.
///
/// ```
/// use nestnet_graph::measure::quality::moore_bound;
///
/// // The Petersen graph attains it.
/// assert_eq!(moore_bound(3, &2u32.into()), Some(10u32.into()));
/// ```
pub fn moore_bound(degree: u64, diameter: &BigUint) -> Option<BigUint> {
    /// A bound of more bits takes long to compute, and no network comes near.
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
    let sum = match pairs.to_u64() {
        // Spheres double at least, so that no distance is above 64.
        Some(pairs) => spheres_small(pairs, degree).into(),
        None => spheres(&pairs, degree),
    };
    Some((sum, pairs))
}

/// All distances of ordered pairs of a connected network are at least this in sum, by what is seen from a few nodes: how
/// many are at each distance from each of them. Two nodes are as far apart as they are nearer and farther from a third,
/// at least; and from each link no more than `degree - 1` others lead on.
///
/// ```
/// use nestnet_graph::measure::quality::distances_at_least;
///
/// // From its end all of a path is seen.
/// assert_eq!(distances_at_least(4, 3, 2, &[vec![1, 1, 1, 1]]), 20);
/// ```
pub fn distances_at_least(order: u64, links: u128, degree: u64, seen: &[Vec<u64>]) -> u128 {
    let pairs = u128::from(order) * u128::from(order.saturating_sub(1));
    // From each node, how many ordered pairs differ by each distance.
    let differ: Vec<Vec<u128>> = seen.iter().map(|counts| differences(counts)).collect();
    let mut near: Vec<u128> = vec![0; differ.len()];
    let (mut reached, mut paths) = (0u128, 2 * links);
    let mut sum = 0;
    for apart in 0.. {
        let at = |differ: &Vec<u128>| differ.get(apart).copied().unwrap_or(0);
        near.iter_mut().zip(&differ).for_each(|(near, differ)| *near += at(differ));
        let within = near.iter().copied().fold(reached, u128::min);
        // Where no link leads on, nothing more is reached.
        if within >= pairs || (apart > 0 && paths == 0) {
            break;
        }
        sum += pairs - within;
        reached = reached.saturating_add(paths);
        paths = paths.saturating_mul(degree.saturating_sub(1).into());
    }
    sum
}

/// For each difference of two places how many ordered pairs of different nodes have it, of so many at each place.
fn differences(counts: &[u64]) -> Vec<u128> {
    let all = (0..counts.len()).map(|by| {
        let pairs = counts.iter().zip(&counts[by..]).map(|(&a, &b)| u128::from(a) * u128::from(b));
        let pairs: u128 = pairs.sum();
        if by == 0 {
            pairs - counts.iter().map(|&n| u128::from(n)).sum::<u128>()
        } else {
            2 * pairs
        }
    });
    all.collect()
}

/// The distances of so many nodes to one, where each sphere around it is as large as it can be.
fn spheres(others: &BigUint, degree: u64) -> BigUint {
    let mut left = others.clone();
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
    sum
}

/// The same in machine words.
fn spheres_small(others: u64, degree: u64) -> u128 {
    let (mut left, mut sphere) = (others, degree);
    let mut sum = 0;
    let mut distance = 1u128;
    while left > 0 {
        let here = sphere.min(left);
        sum += u128::from(here) * distance;
        left -= here;
        sphere = sphere.saturating_mul(degree.saturating_sub(1).max(1));
        distance += 1;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::search::{distances_from, spheres_of};
    use crate::{Csr, Node};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(nestnet_seed::config())]

        #[test]
        fn spheres_are_the_same_in_words(others in any::<u64>(), degree in 3u64..100) {
            prop_assert_eq!(spheres(&others.into(), degree), spheres_small(others, degree).into());
        }

        /// A tree and some links more: what is seen from two of its nodes is a bound, and from all it is no worse.
        #[test]
        fn what_is_seen_bounds_all_distances(
            parents in proptest::collection::vec(any::<u32>(), 1..40),
            more in proptest::collection::vec((any::<u32>(), any::<u32>()), 0..40),
        ) {
            let order = u32::try_from(parents.len()).unwrap() + 1;
            let tree = (1..).zip(&parents).map(|(node, parent)| (parent % node, node));
            let more = more.into_iter().map(|(a, b)| (a % order, b % order));
            let mut links: Vec<(u32, u32)> = tree
                .chain(more.filter(|(a, b)| a != b).map(|(a, b)| (a.min(b), a.max(b))))
                .collect();
            links.sort_unstable();
            links.dedup();
            let csr = Csr::from_links(order.into(), &links, 1 << 20).unwrap();
            let degree = (0..order).map(|node| csr.neighbors(node).len()).max().unwrap() as u64;
            let from = |node| spheres_of(&distances_from(&csr, Node(node)));
            let seen: Vec<Vec<u64>> = (0..u64::from(order)).map(from).collect();
            let sum: u64 = seen.iter().flat_map(|counts| (0..).zip(counts)).map(|(d, n)| d * n).sum();
            let least = |seen| distances_at_least(order.into(), links.len() as u128, degree, seen);
            prop_assert!(least(&seen[..2]) <= least(&seen));
            prop_assert!(least(&seen) <= sum.into());
            let (moore, _) = least_mean_distance(&order.into(), degree).unwrap();
            prop_assert!(least(&[]) >= (moore * order).to_u128().unwrap());
        }
    }
    use crate::distances::ratio;

    #[test]
    fn moore_graphs_attain_the_bounds() {
        assert_eq!(moore_bound(3, &2u8.into()), Some(10u8.into()));
        assert_eq!(moore_bound(7, &2u8.into()), Some(50u8.into()));
        assert_eq!(moore_bound(2, &3u8.into()), Some(7u8.into()));
        assert_eq!(moore_bound(5, &0u8.into()), Some(1u8.into()));
        // One link, however long the way may be; and without any, one node.
        assert_eq!(moore_bound(1, &4u8.into()), Some(2u8.into()));
        assert_eq!(moore_bound(0, &4u8.into()), Some(1u8.into()));
        let (sum, pairs) = least_mean_distance(&10u8.into(), 3).unwrap();
        assert_eq!((sum, pairs), (15u8.into(), 9u8.into()));
    }

    #[test]
    fn costs_of_known_networks() {
        for (order, degree, diameter, expected) in
            [(3_125_000u64, 6, 22u8, 1.30), (4_251_528, 8, 18, 1.18), (50_000_000, 5, 30, 1.37)]
        {
            let ratio = cost_ratio(&order.into(), degree, &diameter.into()).unwrap();
            assert!((ratio - expected).abs() < 5e-3, "{order}: {ratio}");
        }
        assert_eq!(cost_ratio(&1u8.into(), 0, &0u8.into()), None);
        assert_eq!(cost(6, &22u8.into()), 132u8.into());
        assert_eq!(moore_efficiency(&10u8.into(), 3, &2u8.into()), Some(1.0));
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
        assert_eq!(least_mean_distance(&3u8.into(), 0), None);
        assert_eq!(least_mean_distance(&0u8.into(), 3), None);
        assert_eq!(least_mean_distance(&2u8.into(), 1), Some((1u8.into(), 1u8.into())));
    }
}
