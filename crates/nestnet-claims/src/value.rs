//! What a formula or a measurement gives: a number, exact or between bounds, a truth or a text.

use nestnet_graph::distances::ratio;
use nestnet_graph::radix::MAX_BITS;
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_rational::Ratio;
use num_traits::{Signed, ToPrimitive};
use std::fmt;

/// An exact fraction.
pub type Rational = Ratio<BigInt>;

/// The result of a formula or of a measurement.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// An exact number, or one that is known to lie between two.
    Number {
        /// At least this.
        low: Rational,
        /// At most this.
        high: Rational,
    },
    /// A number that no fraction expresses, such as a logarithm, as near as a double comes.
    Real(f64),
    /// Yes or no.
    Truth(bool),
    /// Anything else, compared letter by letter.
    Text(String),
}

/// How far apart a real number and another may be, in parts of the larger, to count as equal.
const TOLERANCE: f64 = 1e-9;

impl Value {
    /// An exact number.
    pub fn exact(value: impl Into<BigInt>) -> Self {
        Value::fraction(Rational::from_integer(value.into()))
    }

    /// An exact fraction.
    pub fn fraction(value: Rational) -> Self {
        Value::Number { low: value.clone(), high: value }
    }

    /// A number between two.
    pub fn between(low: impl Into<BigInt>, high: impl Into<BigInt>) -> Self {
        let [low, high] = [low.into(), high.into()].map(Rational::from_integer);
        Value::Number { low, high }
    }

    /// Whether it is not merely between two bounds.
    pub fn is_exact(&self) -> bool {
        !matches!(self, Value::Number { low, high } if low != high)
    }

    /// The number, if it is exact.
    pub fn as_exact(&self) -> Option<&Rational> {
        match self {
            Value::Number { low, high } if low == high => Some(low),
            _ => None,
        }
    }

    /// The integer, if it is one.
    pub fn as_integer(&self) -> Option<BigInt> {
        self.as_exact().filter(|value| value.is_integer()).map(Ratio::to_integer)
    }

    /// The number as a double, if it is one number.
    pub fn as_real(&self) -> Option<f64> {
        match self {
            Value::Real(value) => Some(*value),
            _ => self.as_exact().map(real),
        }
    }

    /// Its least and its largest value as doubles, if it is a number.
    fn ends(&self) -> Option<(f64, f64)> {
        match self {
            Value::Number { low, high } => Some((real(low), real(high))),
            Value::Real(value) => Some((*value, *value)),
            _ => None,
        }
    }

    /// How two values stand to each other; `None` where bounds leave it open.
    ///
    /// Values of different kinds, and texts and truths that differ, are not equal and have no order.
    pub fn stands(&self, other: &Value) -> Option<Standing> {
        let same = |same: bool| Some(if same { Standing::Equal } else { Standing::Different });
        match (self, other) {
            (Value::Text(a), Value::Text(b)) => same(a == b),
            (Value::Truth(a), Value::Truth(b)) => same(a == b),
            (Value::Number { low: a, high: b }, Value::Number { low: c, high: d }) => {
                if b < c {
                    Some(Standing::Below)
                } else if a > d {
                    Some(Standing::Above)
                } else {
                    (a == b && c == d).then_some(Standing::Equal)
                }
            }
            (Value::Real(_), Value::Number { .. } | Value::Real(_))
            | (Value::Number { .. }, Value::Real(_)) => {
                let ((a, b), (c, d)) = (self.ends()?, other.ends()?);
                let is_one = a == b && c == d;
                if is_one && (a - c).abs() <= TOLERANCE * a.abs().max(c.abs()) {
                    Some(Standing::Equal)
                } else if b < c {
                    Some(Standing::Below)
                } else {
                    (a > d).then_some(Standing::Above)
                }
            }
            _ => Some(Standing::Different),
        }
    }

    /// Whether it is certainly at most, or certainly more than, the other; `None` where bounds leave it open.
    pub fn at_most(&self, other: &Value) -> Option<bool> {
        if let (Value::Number { low: a, high: b }, Value::Number { low: c, high: d }) =
            (self, other)
        {
            return if b <= c {
                Some(true)
            } else if a > d {
                Some(false)
            } else {
                None
            };
        }
        if let (Some((a, b)), Some((c, d))) = (self.ends(), other.ends())
            && self.stands(other).is_none()
        {
            return if b <= c { Some(true) } else { (a > d).then_some(false) };
        }
        self.stands(other).map(|standing| matches!(standing, Standing::Equal | Standing::Below))
    }
}

/// How a measured value stands to a printed one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// They are the same.
    Equal,
    /// The measured one is smaller.
    Below,
    /// The measured one is larger.
    Above,
    /// They are not the same, and have no order.
    Different,
}

/// A fraction as a double.
pub fn real(value: &Rational) -> f64 {
    let magnitude = |part: &BigInt| part.magnitude().clone();
    let size = ratio(&magnitude(value.numer()), &magnitude(value.denom()));
    if value.is_negative() { -size } else { size }
}

/// An exact number as whole digits, a short decimal, or a decimal rounded to four digits behind the point.
fn exact_text(value: &Rational) -> String {
    /// More digits behind the point than these are a fraction's.
    const MAX_DIGITS: u32 = 4;
    if value.is_integer() {
        return value.to_integer().to_string();
    }
    let scale = BigInt::from(10u8).pow(MAX_DIGITS);
    let scaled = value.abs() * Rational::from_integer(scale.clone());
    // Not through a double, which has no digits behind the point of a large number. What is exactly between two goes to the even digit.
    let (mut digits, rest) = scaled.numer().div_rem(scaled.denom());
    let twice = rest * 2u8;
    if twice > *scaled.denom() || (twice == *scaled.denom() && digits.is_odd()) {
        digits += 1u8;
    }
    let (whole, part) = digits.div_rem(&scale);
    let sign = if value.is_negative() { "-" } else { "" };
    let part = format!("{:04}", part.to_u64().unwrap_or(0));
    let part = if scaled.is_integer() { part.trim_end_matches('0') } else { part.as_str() };
    format!("{sign}{whole}.{part}")
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Number { low, high } if low == high => f.write_str(&exact_text(low)),
            Value::Number { low, high } => {
                write!(f, "{} to {}", exact_text(low), exact_text(high))
            }
            Value::Real(value) => write!(f, "{value:.4}"),
            Value::Truth(value) => f.write_str(if *value { "yes" } else { "no" }),
            Value::Text(text) => f.write_str(text),
        }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Value::Truth(value)
    }
}

impl From<u64> for Value {
    fn from(value: u64) -> Self {
        Value::exact(value)
    }
}

impl From<BigUint> for Value {
    fn from(value: BigUint) -> Self {
        Value::exact(value)
    }
}

/// Applies a function that is monotone in each of two numbers to all ends of their intervals.
pub fn at_ends(
    a: (&Rational, &Rational),
    b: (&Rational, &Rational),
    apply: impl Fn(&Rational, &Rational) -> Rational,
) -> Value {
    if a.0 == a.1 && b.0 == b.1 {
        return Value::fraction(apply(a.0, b.0));
    }
    let mut ends = [apply(a.0, b.0), apply(a.0, b.1), apply(a.1, b.0), apply(a.1, b.1)];
    ends.sort();
    let [low, .., high] = ends;
    Value::Number { low, high }
}

/// The longest parts of a fraction, in bits: reducing takes the square of their length.
const MAX_FRACTION_BITS: u64 = 1 << 14;

/// Whether a number is short enough to compute with.
pub fn fits(value: &Rational) -> bool {
    let most = if value.is_integer() { MAX_BITS } else { MAX_FRACTION_BITS };
    value.numer().bits().max(value.denom().bits()) <= most
}

/// Whether an interval contains zero.
pub fn has_zero(low: &Rational, high: &Rational) -> bool {
    !low.is_positive() && !high.is_negative()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_compare_as_far_as_their_bounds_allow() {
        let five = Value::from(5u64);
        assert_eq!(five.stands(&Value::from(5u64)), Some(Standing::Equal));
        assert_eq!(Value::between(3, 4).stands(&five), Some(Standing::Below));
        assert_eq!(Value::between(3, 5).stands(&five), None);
        assert_eq!(Value::between(3, 5).at_most(&five), Some(true));
        assert_eq!(Value::between(5, 6).at_most(&five), None);
        assert_eq!(Value::Real(2.5).stands(&five), Some(Standing::Below));
        assert_eq!(Value::Real(5.0 + 1e-12).stands(&five), Some(Standing::Equal));
        assert_eq!(Value::between(3, 5).stands(&Value::Real(5.5)), Some(Standing::Below));
        assert_eq!(Value::between(3, 5).stands(&Value::Real(4.5)), None);
        assert_eq!(Value::Truth(true).stands(&five), Some(Standing::Different));
    }

    #[test]
    fn numbers_print_briefly() {
        let text = |a: i32, b: i32| Value::fraction(Rational::new(a.into(), b.into())).to_string();
        assert_eq!(text(6, 2), "3");
        assert_eq!(text(-5, 4), "-1.25");
        assert_eq!(text(1, 3), "0.3333");
        assert_eq!(text(-2, 3), "-0.6667");
        assert_eq!(text(1, 32), "0.0312");
        let large = Rational::new(5_960_464_477_539_062_496_u64.into(), 1184.into());
        assert_eq!(Value::fraction(large).to_string(), "5034176079002586.5676");
        assert_eq!(Value::between(1, 2).to_string(), "1 to 2");
    }
}
