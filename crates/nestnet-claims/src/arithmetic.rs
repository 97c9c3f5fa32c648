//! What do operators and functions make of values? Exact arithmetic, with bounds where a measurement gives bounds.
//!
//! No integer here has more than [`MAX_BITS`] bits, and fractions have fewer; what would have many more is refused before
//! it is computed. So each operation ends within a fraction of a second.

use super::expression::{Function, Operator};
use super::value::{Rational, Standing, Value, at_ends, fits, has_zero};
use nestnet_graph::radix::MAX_BITS;
use nestnet_graph::{Interrupted, Watch};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};
use thiserror::Error;

/// Why values have no result. They are shown as they print, the long ones in part.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum ArithmeticError {
    #[error("division by zero")]
    DivisionByZero,
    #[error("{what} is too large to compute with")]
    TooLarge { what: String },
    #[error("{value} is not a number")]
    NotNumber { value: String },
    #[error("{value} is not a single number")]
    NotSingle { value: String },
    #[error("an integer is needed, not {value}")]
    NotInteger { value: String },
    #[error("{a} and {b} are not both single numbers")]
    NotNumbers { a: String, b: String },
    #[error("`and` joins yes and no, not {a} and {b}")]
    NotTruths { a: String, b: String },
    #[error("{a} and {b} cannot be compared: their bounds overlap")]
    Overlap { a: String, b: String },
    #[error("`round` takes up to {MAX_PLACES} places, not {value}")]
    Places { value: String },
    #[error("`mod` needs a second argument above 0, not {value}")]
    Modulus { value: String },
    #[error("{value} has no {what}")]
    Undefined { value: String, what: &'static str },
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

/// Limit: places behind the point that `round` of a formula is asked for.
const MAX_PLACES: u32 = 29;

type Found = Result<Value, ArithmeticError>;

/// A value in an error, not longer than a line takes.
pub fn shown(value: &Value) -> String {
    /// So many letters are shown.
    const SHOWN: usize = 40;
    // Digits are not written where nobody reads them.
    if let Value::Number { low, high } = value
        && [low, high].iter().any(|end| end.numer().bits().max(end.denom().bits()) > 1 << 10)
    {
        return "a number of more than 300 digits".to_owned();
    }
    shortened(&value.to_string(), SHOWN)
}

/// A text of at most so many letters.
pub fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => text.chars().take(most - 1).chain(['…']).collect(),
    }
}

/// Two values and what joins them.
pub fn join(operator: Operator, a: &Value, b: &Value) -> Found {
    let known = |known: Option<bool>| {
        known.map(Value::from).ok_or_else(|| ArithmeticError::Overlap { a: shown(a), b: shown(b) })
    };
    match operator {
        Operator::And => match (a, b) {
            (Value::Truth(a), Value::Truth(b)) => Ok(Value::Truth(*a && *b)),
            _ => Err(ArithmeticError::NotTruths { a: shown(a), b: shown(b) }),
        },
        Operator::Equal => known(a.stands(b).map(|standing| standing == Standing::Equal)),
        Operator::Unequal => known(a.stands(b).map(|standing| standing != Standing::Equal)),
        Operator::AtMost => known(a.at_most(b)),
        Operator::AtLeast => known(b.at_most(a)),
        Operator::Above => known(a.at_most(b).map(|yes| !yes)),
        Operator::Below => known(b.at_most(a).map(|yes| !yes)),
        Operator::Power => power(a, b),
        Operator::Plus | Operator::Minus | Operator::Times | Operator::Over => {
            arithmetic(operator, a, b)
        }
    }
}

fn arithmetic(operator: Operator, a: &Value, b: &Value) -> Found {
    if let (Value::Number { low: a, high: b }, Value::Number { low: c, high: d }) = (a, b) {
        if operator == Operator::Over && has_zero(c, d) {
            return Err(ArithmeticError::DivisionByZero);
        }
        let result = at_ends((a, b), (c, d), |x, y| exact(operator, x, y));
        return short(result, "the result");
    }
    let (Some(x), Some(y)) = (a.as_real(), b.as_real()) else {
        return Err(ArithmeticError::NotNumbers { a: shown(a), b: shown(b) });
    };
    Ok(Value::Real(match operator {
        Operator::Plus => x + y,
        Operator::Minus => x - y,
        Operator::Times => x * y,
        _ if y == 0.0 => return Err(ArithmeticError::DivisionByZero),
        _ => x / y,
    }))
}

/// One of the four operations. Fractions are reduced, which takes long where numbers are; integers need none of it.
fn exact(operator: Operator, x: &Rational, y: &Rational) -> Rational {
    if x.is_integer() && y.is_integer() {
        let (x, y) = (x.numer(), y.numer());
        match operator {
            Operator::Plus => return Rational::from_integer(x + y),
            Operator::Minus => return Rational::from_integer(x - y),
            Operator::Times => return Rational::from_integer(x * y),
            _ => {
                let (quotient, rest) = x.div_rem(y);
                if rest.is_zero() {
                    return Rational::from_integer(quotient);
                }
            }
        }
    }
    match operator {
        Operator::Plus => x + y,
        Operator::Minus => x - y,
        Operator::Times => x * y,
        _ => x / y,
    }
}

/// The value, unless it is too long. Two numbers that are short enough make one at most twice as long.
fn short(value: Value, what: &str) -> Found {
    match &value {
        Value::Number { low, high } if !(fits(low) && fits(high)) => {
            Err(ArithmeticError::TooLarge { what: what.to_owned() })
        }
        _ => Ok(value),
    }
}

fn power(base: &Value, exponent: &Value) -> Found {
    let (Some(exact), Some(integer)) = (base.as_exact(), exponent.as_integer()) else {
        return match (base.as_real(), exponent.as_real()) {
            (Some(base), Some(exponent)) => Ok(Value::Real(base.powf(exponent))),
            _ => Err(ArithmeticError::NotNumbers { a: shown(base), b: shown(exponent) }),
        };
    };
    if integer.is_negative() && exact.is_zero() {
        return Err(ArithmeticError::DivisionByZero);
    }
    let (numerator, denominator) = (exact.numer(), exact.denom());
    let bits = numerator.bits().max(denominator.bits());
    let size = if bits <= 1 {
        // Of 0, 1 and -1 only the sign of the power changes.
        if integer.is_zero() { 0 } else { 2 - u32::from(integer.is_odd()) }
    } else {
        // 2^(bits-1) ≤ base: refuse before multiplying.
        let size = integer.abs().to_u32();
        let fits = |&size: &u32| (bits - 1).saturating_mul(size.into()) <= MAX_BITS;
        size.filter(fits).ok_or_else(|| {
            let what = format!("the power {}", shown(exponent));
            ArithmeticError::TooLarge { what }
        })?
    };
    let (up, down) = (numerator.pow(size), denominator.pow(size));
    // Powers of a reduced fraction are reduced; only the sign may are below.
    let raised = match integer.is_negative() {
        false => Rational::new_raw(up, down),
        true if up.is_negative() => Rational::new_raw(-down, -up),
        true => Rational::new_raw(down, up),
    };
    short(Value::fraction(raised), "the power")
}

/// A function of values. The watch is asked where a function takes many steps.
pub fn call(function: Function, values: &[Value], watch: &Watch<'_>) -> Found {
    let integer = |value: &Value| {
        value.as_integer().ok_or_else(|| ArithmeticError::NotInteger { value: shown(value) })
    };
    match (function, values) {
        (Function::Floor, [value]) => rounded(value, Rational::floor, f64::floor),
        (Function::Ceil, [value]) => rounded(value, Rational::ceil, f64::ceil),
        (Function::Abs, [value]) => absolute(value),
        (Function::Min | Function::Max, [a, b]) => {
            let Some(first_is_less) = a.at_most(b) else { return Ok(between(function, a, b)) };
            let first = first_is_less == (function == Function::Min);
            Ok(if first { a.clone() } else { b.clone() })
        }
        (Function::Mod, [a, b]) => {
            let (a, b) = (integer(a)?, integer(b)?);
            if !b.is_positive() {
                let value = shown(&Value::exact(b));
                return Err(ArithmeticError::Modulus { value });
            }
            Ok(Value::exact(a.mod_floor(&b)))
        }
        (Function::Round, [value, places]) => round(value, places),
        (Function::Log2, [value]) => logarithm(value, &Value::from(2u64), watch),
        (Function::Log, [value, base]) => logarithm(value, base, watch),
        (Function::Sqrt, [value]) => root(value),
        (Function::Factorial, [value]) => factorial(&integer(value)?, watch),
        (Function::Binomial, [n, k]) => binomial(&integer(n)?, &integer(k)?, watch),
        // The parser counts arguments, and `if` chooses a formula, not a value.
        _ => Err(ArithmeticError::Undefined { value: format!("{function:?}"), what: "value" }),
    }
}

fn absolute(value: &Value) -> Found {
    match value {
        Value::Number { low, high } if has_zero(low, high) => {
            Ok(Value::Number { low: Rational::zero(), high: low.abs().max(high.abs()) })
        }
        Value::Number { low, high } if low.is_negative() => {
            Ok(Value::Number { low: high.abs(), high: low.abs() })
        }
        Value::Number { .. } => Ok(value.clone()),
        Value::Real(real) => Ok(Value::Real(real.abs())),
        other => Err(ArithmeticError::NotNumber { value: shown(other) }),
    }
}

fn rounded(
    value: &Value,
    exact: impl Fn(&Rational) -> Rational,
    real: impl Fn(f64) -> f64,
) -> Found {
    match value {
        Value::Number { low, high } => Ok(Value::Number { low: exact(low), high: exact(high) }),
        Value::Real(number) => {
            let whole = real(*number).to_i128().map(Value::exact);
            whole.ok_or_else(|| ArithmeticError::NotNumber { value: shown(value) })
        }
        other => Err(ArithmeticError::NotNumber { value: shown(other) }),
    }
}

fn round(value: &Value, places: &Value) -> Found {
    let count = places.as_integer().and_then(|places| places.to_u32());
    let count = count.filter(|&count| count <= MAX_PLACES);
    let count = count.ok_or_else(|| ArithmeticError::Places { value: shown(places) })?;
    let scale = Rational::from_integer(BigInt::from(10u8).pow(count));
    let number =
        exact_or_near(value).ok_or_else(|| ArithmeticError::NotSingle { value: shown(value) })?;
    Ok(Value::fraction((number * &scale).round() / scale))
}

/// A number as a fraction, as near as a double comes where it is none.
fn exact_or_near(value: &Value) -> Option<Rational> {
    match value {
        Value::Real(real) => {
            let scale = BigInt::one() << 60u8;
            let scaled = BigInt::from((real * (1u64 << 60) as f64).to_i128()?);
            Some(Rational::new(scaled, scale))
        }
        _ => value.as_exact().cloned(),
    }
}

/// The smaller or larger of two numbers whose bounds overlap.
fn between(function: Function, a: &Value, b: &Value) -> Value {
    match (a, b) {
        (Value::Number { low: a, high: b }, Value::Number { low: c, high: d }) => {
            let pick = |x: &Rational, y: &Rational| match function {
                Function::Min => x.min(y).clone(),
                _ => x.max(y).clone(),
            };
            Value::Number { low: pick(a, c), high: pick(b, d) }
        }
        _ => a.clone(),
    }
}

/// Exact where it is a fraction.
fn root(value: &Value) -> Found {
    if let Some(exact) = value.as_exact().filter(|value| !value.is_negative()) {
        let (up, down) = (exact.numer().sqrt(), exact.denom().sqrt());
        // A reduced fraction is a square exactly if both its parts are.
        if &(&up * &up) == exact.numer() && &(&down * &down) == exact.denom() {
            return Ok(Value::fraction(Rational::new_raw(up, down)));
        }
    }
    let real = value.as_real().filter(|real| *real >= 0.0);
    let undefined = || ArithmeticError::Undefined { value: shown(value), what: "square root" };
    Ok(Value::Real(real.ok_or_else(undefined)?.sqrt()))
}

fn factorial(n: &BigInt, watch: &Watch<'_>) -> Found {
    if n.is_negative() {
        let value = shown(&Value::exact(n.clone()));
        return Err(ArithmeticError::Undefined { value, what: "factorial" });
    }
    let too_large = || ArithmeticError::TooLarge { what: "the factorial".to_owned() };
    // 2^(n-1) ≤ n!
    if *n > MAX_BITS.into() {
        return Err(too_large());
    }
    let (mut product, mut factor) = (BigInt::one(), BigInt::one());
    while factor <= *n {
        watch.check()?;
        product *= &factor;
        factor += 1;
        if product.bits() > MAX_BITS {
            return Err(too_large());
        }
    }
    Ok(Value::exact(product))
}

fn binomial(n: &BigInt, k: &BigInt, watch: &Watch<'_>) -> Found {
    if k.is_negative() || k > n {
        return Ok(Value::from(0u64));
    }
    let k = k.min(&(n - k)).clone();
    let too_large = || ArithmeticError::TooLarge { what: "the binomial coefficient".to_owned() };
    // (n/k)^k ≤ binomial(n, k), and n/k is at least 2.
    let factor = (n.bits() - k.bits()).saturating_sub(1).max(1);
    if &k * factor > MAX_BITS.into() {
        return Err(too_large());
    }
    let (mut product, mut count) = (BigInt::one(), BigInt::zero());
    // Each product is itself a binomial coefficient, and none is larger than the next: k is at most half of n.
    while count < k {
        watch.check()?;
        product *= n - &count;
        count += 1;
        product /= &count;
        if product.bits() > MAX_BITS {
            return Err(too_large());
        }
    }
    Ok(Value::exact(product))
}

/// Exact where it is an integer.
fn logarithm(value: &Value, base: &Value, watch: &Watch<'_>) -> Found {
    if let (Some(value), Some(base)) = (value.as_integer(), base.as_integer())
        && base > BigInt::one()
    {
        let (mut power, mut count) = (BigInt::one(), 0u64);
        while power < value {
            watch.check()?;
            power *= &base;
            count += 1;
        }
        if power == value {
            return Ok(count.into());
        }
    }
    let number = |value: &Value| {
        // A long integer may be too large for a double though its logarithm is not.
        let long = value.as_integer().filter(|value| value.bits() > 1000 && value.is_positive());
        match long {
            Some(long) => {
                let shift = long.bits() - 64;
                (long >> shift).to_f64().map(|head| head.log2() + shift as f64)
            }
            None => value.as_real().filter(|value| *value > 0.0).map(f64::log2),
        }
        .ok_or_else(|| ArithmeticError::Undefined { value: shown(value), what: "logarithm" })
    };
    let (value, scale) = (number(value)?, number(base)?);
    if scale == 0.0 {
        return Err(ArithmeticError::DivisionByZero);
    }
    Ok(Value::Real(value / scale))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(value: i64) -> Value {
        Value::exact(value)
    }

    fn of(function: Function, values: &[Value]) -> Found {
        call(function, values, &Watch::SILENT)
    }

    #[test]
    fn powers_are_repeated_products() {
        for up in -4i64..=4 {
            for down in [1i64, 3] {
                let base = Value::fraction(Rational::new(up.into(), down.into()));
                let mut product = number(1);
                for size in 0i64..6 {
                    assert_eq!(join(Operator::Power, &base, &number(size)), Ok(product.clone()));
                    let inverse = join(Operator::Over, &number(1), &product);
                    if size > 0 {
                        assert_eq!(join(Operator::Power, &base, &number(-size)), inverse);
                    }
                    product = join(Operator::Times, &product, &base).unwrap();
                }
            }
        }
        let endless = Value::exact(BigInt::one() << 100u8);
        assert_eq!(join(Operator::Power, &number(-1), &endless), Ok(number(1)));
        assert!(join(Operator::Power, &number(2), &endless).is_err());
    }

    #[test]
    fn binomial_coefficients_are_those_of_the_triangle() {
        let mut row = vec![1i64];
        for n in 0i64..12 {
            for (k, &wanted) in (0i64..).zip(&row) {
                assert_eq!(of(Function::Binomial, &[number(n), number(k)]), Ok(number(wanted)));
            }
            let inner = row.windows(2).map(|pair| pair[0] + pair[1]);
            row = [1].into_iter().chain(inner).chain([1]).collect();
        }
        assert_eq!(of(Function::Binomial, &[number(3), number(5)]), Ok(number(0)));
    }

    #[test]
    fn absolute_values_keep_bounds_and_digits() {
        let absolute = |value: Value| of(Function::Abs, &[value]);
        assert_eq!(absolute(Value::between(-5, 3)), Ok(Value::between(0, 5)));
        assert_eq!(absolute(Value::between(-5, -3)), Ok(Value::between(3, 5)));
        assert_eq!(absolute(Value::between(3, 5)), Ok(Value::between(3, 5)));
        assert_eq!(absolute(Value::Real(-1.5)), Ok(Value::Real(1.5)));
    }

    #[test]
    fn long_numbers_are_refused_before_they_are_computed() {
        let billion = number(1_000_000_000);
        let half = number(500_000_000);
        let too_large = |found: Found| matches!(found, Err(ArithmeticError::TooLarge { .. }));
        assert!(too_large(of(Function::Binomial, &[billion.clone(), half])));
        assert!(too_large(of(Function::Factorial, std::slice::from_ref(&billion))));
        assert!(too_large(join(Operator::Power, &billion, &billion)));
        let long = join(Operator::Power, &number(2), &number(100_000)).unwrap();
        assert!(too_large(join(Operator::Times, &long, &long)));
    }

    #[test]
    fn a_stop_ends_a_long_function() {
        let watch = Watch { stop: &|| true, progress: &|_| () };
        let found = call(Function::Factorial, &[number(9)], &watch);
        assert_eq!(found, Err(ArithmeticError::Interrupted(Interrupted)));
    }
}
