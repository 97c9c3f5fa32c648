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

/// The longest number that formulas work with, in bits (about 39,000 decimal digits).
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
