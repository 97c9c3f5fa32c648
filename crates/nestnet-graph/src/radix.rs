//! Numbers in mixed radix, most significant digit first, and powers that refuse to grow without end.

use num_bigint::BigUint;
use thiserror::Error;

/// The digits of `value` to the given `sides`, first side most significant.
pub fn digits(mut value: u64, sides: &[u64]) -> Vec<u64> {
    let mut digits = vec![0; sides.len()];
    for (digit, side) in digits.iter_mut().zip(sides).rev() {
        *digit = value % side;
        value /= side;
    }
    digits
}

/// The number with those digits, if each is below its side and it fits.
pub fn number(digits: &[u64], sides: &[u64]) -> Option<u64> {
    if digits.len() != sides.len() {
        return None;
    }
    digits.iter().zip(sides).try_fold(0u64, |value, (&digit, &side)| {
        (digit < side).then(|| value.checked_mul(side)?.checked_add(digit))?
    })
}

/// A number to divide by many times: a multiplication in place of each division, where 32 bits suffice.
#[derive(Clone, Copy, Debug)]
pub struct Divisor {
    by: u64,
    /// 2^64 divided by it, rounded up; 0 represents 2^64 itself.
    inverse: u64,
}

impl Divisor {
    /// To divide by `by`, which is not 0.
    pub fn new(by: u64) -> Self {
        Divisor { by, inverse: (u64::MAX / by).wrapping_add(1) }
    }

    /// The quotient and the rest.
    ///
    /// Below 2^32 the inverse is off by less than 2^-32 of a quotient, which does not reach the next integer.
    /// (T. Granlund, P. L. Montgomery, 1994.)
    #[inline]
    pub fn divide(self, value: u64) -> (u64, u64) {
        if value >> 32 != 0 || self.inverse == 0 {
            return (value / self.by, value % self.by);
        }
        let product = u128::from(value) * u128::from(self.inverse);
        let [quotient, _] = high_and_low(product);
        (quotient, value - quotient * self.by)
    }
}

/// The upper and the lower 64 bits.
#[inline]
#[allow(clippy::cast_possible_truncation)]
fn high_and_low(value: u128) -> [u64; 2] {
    [(value >> 64) as u64, value as u64]
}

/// Limit: bits of a number that formulas work with, about 39,000 decimal digits.
pub const MAX_BITS: u64 = 1 << 17;

/// A number too long to be worth writing down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the number of nodes has more than {MAX_BITS} bits, the most that is computed")]
pub struct TooLong;

/// `base^exponent`, if it has at most [`MAX_BITS`] bits.
pub fn power(base: &BigUint, exponent: u64) -> Result<BigUint, TooLong> {
    if base.bits() <= 1 {
        return Ok(if exponent == 0 { BigUint::from(1u8) } else { base.clone() });
    }
    // 2^(bits-1) ≤ base < 2^bits: refuse before multiplying.
    if (base.bits() - 1).saturating_mul(exponent) > MAX_BITS {
        return Err(TooLong);
    }
    let exponent = u32::try_from(exponent).map_err(|_| TooLong)?;
    short(base.pow(exponent))
}

/// The value itself, unless it is too long.
pub fn short(value: BigUint) -> Result<BigUint, TooLong> {
    if value.bits() > MAX_BITS { Err(TooLong) } else { Ok(value) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn divisors_divide() {
        let of_interest = [1u64, 2, 3, 5, 7, 10, 16, 641, 65_535, 65_537, (1 << 31) - 1, 1 << 31];
        let large = [u64::from(u32::MAX), 1 << 32, (1 << 32) + 1, 1 << 40, u64::MAX / 3, u64::MAX];
        let divisors = of_interest.into_iter().chain(large);
        for by in divisors {
            let multiples = (0..9).map(|k| by.saturating_mul(k));
            let near = multiples.flat_map(|m| [m.saturating_sub(1), m, m.saturating_add(1)]);
            for value in near.chain(of_interest).chain(large) {
                assert_eq!(
                    Divisor::new(by).divide(value),
                    (value / by, value % by),
                    "{value} / {by}"
                );
            }
        }
    }

    #[test]
    fn digits_and_number_are_inverse() {
        let sides = [3, 1, 4, 5];
        for value in 0..60 {
            assert_eq!(number(&digits(value, &sides), &sides), Some(value));
        }
        assert_eq!(digits(29, &sides), [1, 0, 1, 4]);
        assert_eq!(number(&[3, 0, 0, 0], &sides), None);
        assert_eq!(number(&[1 << 30, 0], &[1 << 40, 1 << 40]), None);
    }

    #[test]
    fn powers_stop_in_time() {
        assert_eq!(power(&BigUint::from(3u8), 4), Ok(BigUint::from(81u8)));
        assert_eq!(power(&BigUint::from(1u8), u64::MAX), Ok(BigUint::from(1u8)));
        assert_eq!(power(&BigUint::from(0u8), 0), Ok(BigUint::from(1u8)));
        assert_eq!(power(&BigUint::from(2u8), u64::MAX), Err(TooLong));
        assert_eq!(power(&BigUint::from(3u8), MAX_BITS), Err(TooLong));
    }
}
