//! How numbers are written for people, the same in every front end and page.

use nestnet_graph::distances::ratio;
use nestnet_graph::theory::{Bounded, How};
use num_bigint::BigUint;

/// Up to this many digits a number is easily read.
const MANY_DIGITS: usize = 20;

/// More digits than this are not shown to people.
const TOO_MANY_DIGITS: usize = 60;

/// A count for people: `3,125,000`; from 21 digits on also `≈ 1.2×10^26`; from 61 digits on only that.
pub fn count(value: &BigUint) -> String {
    let digits = value.to_string();
    let many = digits.len();
    if many <= MANY_DIGITS {
        grouped(&digits)
    } else if many <= TOO_MANY_DIGITS {
        format!("{} ≈ {}", grouped(&digits), power_of_ten(&digits))
    } else {
        format!("≈ {} ({} digits)", power_of_ten(&digits), grouped(&many.to_string()))
    }
}

/// Digits with a comma after every thousand.
pub fn grouped(digits: &str) -> String {
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1.23×10^26`, rounded to three digits.
fn power_of_ten(digits: &str) -> String {
    let head: u32 = digits[..4].parse().expect("at least four decimal digits");
    // 9995 and above round up to the next power.
    match (head + 5) / 10 {
        1000 => format!("1.00×10^{}", digits.len()),
        head => format!("{}.{:02}×10^{}", head / 100, head % 100, digits.len() - 1),
    }
}

/// A number with as many digits as a reader can use.
pub fn number(value: f64) -> String {
    if value == value.trunc() && value.abs() < 1e15 {
        return grouped(&format!("{value:.0}"));
    }
    match value.abs() {
        size if size >= 1e15 => format!("{value:.3e}"),
        size if size >= 1000.0 => grouped(&format!("{value:.0}")),
        size if size >= 100.0 => format!("{value:.1}"),
        size if size >= 0.01 => format!("{value:.2}"),
        _ => format!("{value:.1e}"),
    }
}

/// A number between its bounds, and how it is known.
pub fn known(known: &Bounded) -> String {
    let how = how(known.how);
    match known.exact() {
        Some(value) => format!("{}, {how}", count(value)),
        None => format!("{} to {}, {how}", count(&known.low), count(&known.high)),
    }
}

/// An exact mean, and how it is known.
pub fn mean(numerator: &BigUint, denominator: &BigUint, known: How) -> String {
    /// Longer fractions are left to JSON.
    const MAX_BITS: u64 = 64;
    let value = ratio(numerator, denominator);
    if numerator.bits() > MAX_BITS {
        return format!("{value:.12}, {}", how(known));
    }
    format!("{value:.12} = {}/{}, {}", count(numerator), count(denominator), how(known))
}

/// A number with a fraction, to six digits behind the point or six that count.
pub fn decimal(value: f64) -> String {
    if value != 0.0 && value.abs() < 1e-3 { format!("{value:.5e}") } else { format!("{value:.6}") }
}

/// The same without zeros at the end, and without an exponent down to a millionth.
pub fn short_decimal(value: f64) -> String {
    let text = decimal(value);
    match text.parse::<f64>() {
        Ok(rounded) if text.contains('e') && value.abs() < 1e-6 => format!("{rounded:e}"),
        Ok(rounded) => rounded.to_string(),
        Err(_) => text,
    }
}

/// The words for a method, for people; two with dots between them are those of a lower and an upper bound.
///
/// ```
/// use nestnet_analysis::number_format::by;
///
/// assert_eq!(by("spectrum"), "the spectrum of the Laplacian");
/// assert_eq!(by("counting..multilevel"), "counting (lower bound) and multilevel partitioning (upper bound)");
/// ```
pub fn by(how: &str) -> String {
    if let Some((low, high)) = how.split_once("..") {
        return format!("{} (lower bound) and {} (upper bound)", by(low), by(high));
    }
    let words = match how {
        "exhaustive" => "exhaustive search",
        "spectrum" => "the spectrum of the Laplacian",
        "congestion" => "channel loads of uniform traffic",
        "improved natural cut" => "local search from a structural cut",
        "multilevel" => "multilevel partitioning",
        other => other,
    };
    words.to_owned()
}

/// How a number is known, for people.
pub fn how(how: How) -> &'static str {
    match how {
        How::Theorem => "by theorem",
        How::Symmetry => "by symmetry",
        How::Exhaustive => "by exhaustive search",
        How::Bounds => "by bounding searches",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count_of(digits: &str) -> String {
        count(&digits.parse().unwrap())
    }

    #[test]
    fn counts_for_people() {
        assert_eq!(count_of("0"), "0");
        assert_eq!(count_of("999"), "999");
        assert_eq!(count_of("1000"), "1,000");
        assert_eq!(count_of("3125000"), "3,125,000");
        assert_eq!(count_of("99999999999999999999"), "99,999,999,999,999,999,999");
        assert_eq!(count_of("123456789012345678901"), "123,456,789,012,345,678,901 ≈ 1.23×10^20");
        assert_eq!(count_of(&"9".repeat(61)), "≈ 1.00×10^61 (61 digits)");
        assert_eq!(count_of(&format!("1235{}", "0".repeat(996))), "≈ 1.24×10^999 (1,000 digits)");
    }

    #[test]
    fn short_decimals_have_no_zeros_behind_and_few_exponents() {
        for (value, text) in [
            (0.0, "0"),
            (0.25, "0.25"),
            (1_611.142_857_142, "1611.142857"),
            (0.000_5, "0.0005"),
            (0.000_196_608_4, "0.000196608"),
            (-0.000_002, "-0.000002"),
            (1.25e-9, "1.25e-9"),
        ] {
            assert_eq!(short_decimal(value), text);
        }
    }
}
