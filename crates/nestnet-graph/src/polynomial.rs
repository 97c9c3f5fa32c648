//! Products of polynomials with big coefficients, the arithmetic of histograms: at once, or not at all.

use num_bigint::BigUint;
use num_traits::Zero;

/// Longer polynomials are not computed: no network of the kind we build comes near.
pub const MAX_LENGTH: usize = 1 << 14;

/// Factors that would fill a longer number are not multiplied: that takes more than a moment.
const MAX_PACKED_BITS: u64 = 1 << 22;

/// Whether a polynomial of that length, with coefficients of at most that many bits, is computed at all: what many
/// products would lead to is refused before the first of them.
pub fn is_quick(length: u64, bits: u64) -> bool {
    length <= MAX_LENGTH as u64 && bits.saturating_add(32).saturating_mul(length) <= MAX_PACKED_BITS
}

/// The product of two polynomials, coefficients from the lowest; `None` when it would take long.
///
/// Exact, by Kronecker substitution: each factor is packed into one number, with room for the largest coefficient
/// of the product, and the numbers are multiplied (D. Harvey, Faster polynomial multiplication via multipoint
/// Kronecker substitution, 2009, section 1).
pub fn times(a: &[BigUint], b: &[BigUint]) -> Option<Vec<BigUint>> {
    if a.is_empty() || b.is_empty() {
        return Some(Vec::new());
    }
    let length = a.len() + b.len() - 1;
    // A coefficient of the product is a sum of at most as many products as the shorter factor is long.
    let terms = BigUint::from(a.len().min(b.len()));
    let words = (longest(a) + longest(b) + terms.bits()).div_ceil(32);
    let packed = words.saturating_mul(32).saturating_mul(a.len().max(b.len()) as u64);
    if length > MAX_LENGTH || packed > MAX_PACKED_BITS {
        return None;
    }
    let words = usize::try_from(words).ok()?;
    let product = (pack(a, words) * pack(b, words)).to_u32_digits();
    let mut coefficients: Vec<BigUint> = product.chunks(words).map(BigUint::from_slice).collect();
    coefficients.resize(length, BigUint::zero());
    Some(coefficients)
}

/// The `exponent`-th power; `None` when it would take long.
pub fn power(base: &[BigUint], exponent: u64) -> Option<Vec<BigUint>> {
    let degree = base.len().saturating_sub(1) as u64;
    if degree.saturating_mul(exponent) >= MAX_LENGTH as u64 {
        return None;
    }
    let mut result = vec![BigUint::from(1u8)];
    let mut square = base.to_vec();
    let mut rest = exponent;
    while rest > 0 {
        if rest & 1 == 1 {
            result = times(&result, &square)?;
        }
        rest >>= 1;
        if rest > 0 {
            square = times(&square, &square)?;
        }
    }
    Some(result)
}

/// The bits of the largest coefficient.
fn longest(coefficients: &[BigUint]) -> u64 {
    coefficients.iter().map(BigUint::bits).max().unwrap_or(0)
}

/// The coefficients side by side in one number, each in its `words`.
fn pack(coefficients: &[BigUint], words: usize) -> BigUint {
    let mut packed = Vec::with_capacity(coefficients.len() * words);
    for (i, coefficient) in coefficients.iter().enumerate() {
        packed.extend(coefficient.iter_u32_digits());
        packed.resize((i + 1) * words, 0);
    }
    BigUint::new(packed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The slow reference version: every coefficient with every other.
    fn by_definition(a: &[BigUint], b: &[BigUint]) -> Vec<BigUint> {
        let mut product = vec![BigUint::zero(); (a.len() + b.len()).saturating_sub(1)];
        for (i, x) in a.iter().enumerate() {
            for (j, y) in b.iter().enumerate() {
                product[i + j] += x * y;
            }
        }
        if a.is_empty() || b.is_empty() { Vec::new() } else { product }
    }

    fn polynomial() -> impl Strategy<Value = Vec<BigUint>> {
        let coefficient = prop_oneof![
            Just(BigUint::zero()),
            proptest::collection::vec(any::<u32>(), 0..6).prop_map(BigUint::new),
            (0u32..200).prop_map(|bits| (BigUint::from(1u8) << bits) - 1u8),
        ];
        proptest::collection::vec(coefficient, 0..12)
    }

    proptest! {
        #![proptest_config(nestnet_seed::config())]

        #[test]
        fn products_are_as_defined(a in polynomial(), b in polynomial()) {
            prop_assert_eq!(times(&a, &b), Some(by_definition(&a, &b)));
        }

        #[test]
        fn powers_are_products(a in polynomial(), exponent in 0u64..5) {
            let one = vec![BigUint::from(1u8)];
            let product = (0..exponent).fold(one, |product, _| by_definition(&product, &a));
            prop_assert_eq!(power(&a, exponent), Some(product));
        }
    }

    #[test]
    fn zeros_in_front_pack_too() {
        let zero_one = [BigUint::zero(), BigUint::from(1u8)];
        let cube = power(&zero_one, 3).unwrap();
        assert_eq!(cube, [0u8, 0, 0, 1].map(BigUint::from));
        assert_eq!(times(&[BigUint::zero()], &zero_one).unwrap(), [0u8, 0].map(BigUint::from));
    }

    #[test]
    fn long_work_is_refused() {
        let two = [BigUint::from(1u8), BigUint::from(1u8)];
        assert_eq!(power(&two, 1 << 40), None);
        assert_eq!(power(&two, 16_000), None);
        assert!(power(&two, 1_000).is_some());
        let large = vec![BigUint::from(1u8) << 100_000; 100];
        assert_eq!(times(&large, &large), None);
    }
}
