//! How many ordered pairs of nodes lie at each distance: an exact histogram that adds and multiplies like a polynomial.

use crate::polynomial;
use num_bigint::BigUint;
use num_traits::{ToPrimitive, Zero};

pub use crate::polynomial::{MAX_LENGTH, is_quick};

/// Ordered pairs by distance; index 0 counts the nodes themselves. Pairs without a path are not in it.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Distances {
    counts: Vec<BigUint>,
}

impl Distances {
    /// From counts by distance; trailing zeros are dropped.
    pub fn new(counts: impl IntoIterator<Item = impl Into<BigUint>>) -> Self {
        let mut counts: Vec<BigUint> = counts.into_iter().map(Into::into).collect();
        while counts.last().is_some_and(Zero::is_zero) {
            counts.pop();
        }
        Distances { counts }
    }

    /// The counts, by distance.
    pub fn counts(&self) -> &[BigUint] {
        &self.counts
    }

    /// All pairs that are counted.
    pub fn pairs(&self) -> BigUint {
        self.counts.iter().sum()
    }

    /// The largest distance that occurs.
    pub fn longest(&self) -> u64 {
        self.counts.len().saturating_sub(1) as u64
    }

    /// The sum of all distances.
    pub fn total(&self) -> BigUint {
        self.counts.iter().enumerate().map(|(d, count)| count * d).sum()
    }

    /// The mean over pairs of different nodes as `(numerator, denominator)` in lowest terms.
    /// `None` when there is no such pair.
    pub fn mean(&self) -> Option<(BigUint, BigUint)> {
        let pairs = self.counts.iter().skip(1).sum::<BigUint>();
        if pairs.is_zero() {
            return None;
        }
        let total = self.total();
        let common = num_integer::Integer::gcd(&total, &pairs);
        Some((total / &common, pairs / common))
    }

    /// The convolution: distances of a Cartesian product. `None` when it would take long.
    pub fn times(&self, other: &Distances) -> Option<Distances> {
        polynomial::times(&self.counts, &other.counts).map(Distances::new)
    }

    /// The `exponent`-th power under [`times`](Distances::times).
    pub fn power(&self, exponent: u64) -> Option<Distances> {
        polynomial::power(&self.counts, exponent).map(Distances::new)
    }

    /// Every count multiplied by `factor`.
    pub fn scaled(&self, factor: &BigUint) -> Distances {
        Distances::new(self.counts.iter().map(|count| count * factor))
    }

    /// Every distance made longer by `by`.
    pub fn shifted(&self, by: usize) -> Distances {
        let zeros = std::iter::repeat_n(BigUint::zero(), by);
        Distances::new(zeros.chain(self.counts.iter().cloned()))
    }

    /// The counts added up.
    pub fn plus(&self, other: &Distances) -> Distances {
        let (long, short) =
            if self.counts.len() >= other.counts.len() { (self, other) } else { (other, self) };
        let mut counts = long.counts.clone();
        for (sum, count) in counts.iter_mut().zip(&short.counts) {
            *sum += count;
        }
        Distances::new(counts)
    }

    /// The counts of `other` taken away; every one of them must be in `self`.
    pub fn minus(&self, other: &Distances) -> Distances {
        let mut counts = self.counts.clone();
        counts.resize(counts.len().max(other.counts.len()), BigUint::zero());
        for (rest, count) in counts.iter_mut().zip(&other.counts) {
            *rest -= count;
        }
        Distances::new(counts)
    }
}

/// A fraction as a floating-point number, exact to the last digit even where both parts are huge.
pub fn ratio(numerator: &BigUint, denominator: &BigUint) -> f64 {
    // Keep 64 significant bits of the quotient.
    let shift = 64 + denominator.bits().saturating_sub(numerator.bits());
    let quotient = (numerator << shift) / denominator;
    let excess = quotient.bits().saturating_sub(64);
    let head = (quotient >> excess).to_f64().unwrap_or(f64::MAX);
    let exponent = excess as i64 - shift as i64;
    head * 2f64.powi(i32::try_from(exponent).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cube_is_the_power_of_a_link() {
        let link = Distances::new([2u8, 2]);
        let cube = link.power(3).unwrap();
        assert_eq!(cube, Distances::new([8u8, 24, 24, 8]));
        assert_eq!(cube.mean(), Some((12u8.into(), 7u8.into())));
        assert_eq!(cube.longest(), 3);
        assert_eq!(cube.pairs(), 64u8.into());
        assert_eq!(link.power(0).unwrap(), Distances::new([1u8]));
        assert!(link.power(1 << 40).is_none());
    }

    #[test]
    fn arithmetic() {
        let a = Distances::new([1u8, 2]);
        let b = Distances::new([0u8, 1, 5]);
        assert_eq!(a.plus(&b), Distances::new([1u8, 3, 5]));
        assert_eq!(a.plus(&b).minus(&b), a);
        assert_eq!(a.shifted(2), Distances::new([0u8, 0, 1, 2]));
        assert_eq!(Distances::new([5u8]).mean(), None);
    }

    #[test]
    fn ratios_of_huge_numbers() {
        let huge = BigUint::from(10u8).pow(400);
        assert_eq!(ratio(&(&huge * 3u8), &(&huge * 4u8)), 0.75);
        assert_eq!(ratio(&1u8.into(), &3u8.into()), 1.0 / 3.0);
        assert_eq!(ratio(&0u8.into(), &3u8.into()), 0.0);
    }
}
