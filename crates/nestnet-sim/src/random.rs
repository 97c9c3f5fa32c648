//! What is drawn at random: one small specified generator a source.
//!
//! SplitMix64 (Steele, Lea, Flood 2014): a counter with a fixed stride, mixed. Only integers and the exact operations of
//! floating point are used, so that every machine draws the same.

use super::persist::{Damaged, Persist, Saved};
use nestnet_graph::measure::splitmix64;

/// A stream of random numbers, named by a seed and a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Random(u64);

/// By so much the counter goes on before it is mixed.
const STRIDE: u64 = 0x9E37_79B9_7F4A_7C15;

impl Random {
    /// The stream of that number.
    pub fn new(seed: u64, stream: u64) -> Self {
        let mixed = splitmix64(seed) ^ stream.wrapping_mul(STRIDE);
        Random(splitmix64(mixed.wrapping_sub(STRIDE)))
    }

    /// Where it stands: what is mixed next.
    pub(super) fn counter(&self) -> u64 {
        self.0
    }

    /// The next 64 bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        let drawn = splitmix64(self.0);
        self.0 = self.0.wrapping_add(STRIDE);
        drawn
    }

    /// Below `bound`, which is not 0: the high half of a product, off by at most `bound / 2^64`.
    #[inline]
    pub fn below(&mut self, bound: u64) -> u64 {
        let product = u128::from(self.bits()) * u128::from(bound);
        u64::try_from(product >> 64).unwrap_or(0)
    }

    /// From 0 to 1, without 1, in steps of 2^-53.
    #[inline]
    pub fn part(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// How many trials until the first success, where each succeeds with the same probability.
///
/// The binary digits of the number of failures are independent: digit j is 1 with probability c/(1 + c), where
/// c = (1 − p)^(2^j). So a draw needs no logarithm, which machines compute differently.
#[derive(Clone, Debug)]
pub(super) struct Trials {
    /// For each digit, its probability in parts of 2^64.
    digits: Vec<u64>,
    never: bool,
}

impl Trials {
    /// `success` is from 0 to 1.
    pub fn new(success: f64) -> Self {
        let mut digits = Vec::new();
        let mut fail = 1.0 - success;
        while fail > 1e-18 && digits.len() < 62 {
            // Exact scaling by a power of two; below 2^63, as c/(1 + c) is at most a half.
            let scaled = fail / (1.0 + fail) * (1u64 << 62) as f64;
            digits.push(whole(scaled) << 2);
            fail *= fail;
        }
        Trials { digits, never: success <= 0.0 }
    }

    /// For each digit its probability in parts of 2^64, the lowest first; `None` where none ever succeeds.
    pub fn digits(&self) -> Option<&[u64]> {
        (!self.never).then_some(&self.digits)
    }

    /// At least 1; `None` where none ever succeeds.
    #[inline]
    pub fn draw(&self, random: &mut Random) -> Option<u64> {
        if self.never {
            return None;
        }
        let mut failures = 0;
        // From the highest on, so that a digit needs no place.
        let mut counter = random.0.wrapping_add(STRIDE.wrapping_mul(self.digits.len() as u64));
        let after = counter;
        for &digit in self.digits.iter().rev() {
            counter = counter.wrapping_sub(STRIDE);
            failures = failures << 1 | u64::from(splitmix64(counter) < digit);
        }
        random.0 = after;
        Some(failures + 1)
    }
}

/// The whole part of what is at most 2^62, and that where it is more.
pub(super) fn whole(value: f64) -> u64 {
    let (mut low, mut high) = (0u64, 1 << 62);
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if middle as f64 <= value { low = middle } else { high = middle - 1 }
    }
    low
}

impl Persist for Random {
    fn write(&self, out: &mut Vec<u8>) {
        self.0.write(out);
    }

    fn read(saved: &mut Saved<'_>) -> Result<Self, Damaged> {
        u64::read(saved).map(Random)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trials_have_the_mean_and_the_spread_of_a_geometric_variable() {
        for success in [0.001, 0.01, 0.2, 0.5, 0.9, 1.0] {
            let (trials, mut random) = (Trials::new(success), Random::new(1, 2));
            let draws = 200_000;
            let values: Vec<f64> =
                (0..draws).map(|_| trials.draw(&mut random).unwrap() as f64).collect();
            let mean = values.iter().sum::<f64>() / f64::from(draws);
            let square = values.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>();
            let spread = (square / f64::from(draws)).sqrt();
            let expected = (1.0 - success).sqrt() / success;
            assert!((mean * success - 1.0).abs() < 0.01, "{success}: {mean}");
            assert!((spread - expected).abs() <= 0.02 * expected, "{success}: {spread}");
            let once = values.iter().filter(|&&x| x == 1.0).count() as f64 / f64::from(draws);
            assert!((once - success).abs() < 0.01, "{success}: {once}");
        }
        assert_eq!(Trials::new(0.0).draw(&mut Random::new(1, 1)), None);
    }

    #[test]
    fn streams_differ_and_repeat() {
        let first = |seed, stream| Random::new(seed, stream).bits();
        assert_eq!(first(7, 9), first(7, 9));
        assert!(first(7, 9) != first(7, 10) && first(7, 9) != first(8, 9));
        let mut random = Random::new(3, 4);
        assert!((0..1000).all(|_| random.below(5) < 5));
        assert!((0..1000).all(|_| (0.0..1.0).contains(&random.part())));
    }
}
