//! How results are written: numbers for people, JSON for programs, and both to stdout only.

use nestnet::distances::ratio;
use nestnet::theory::{How, Known};
use nestnet::{Network, Node, Spec};
use num_bigint::BigUint;
use serde_json::{Number, Value};
use std::fmt::{Display, Write as _};
use std::io::{self, Write};

/// Prints one JSON object, alone on its line.
pub fn print_json(object: &Value) -> io::Result<()> {
    print(&format!("{object}\n"))
}

/// Prints `text` as it is.
pub fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// An integer of any length as JSON. `value` must print as one.
pub fn number(value: impl Display) -> Value {
    Value::Number(Number::from_string_unchecked(value.to_string()))
}

/// A table of two columns, the first as wide as its longest entry.
pub fn table(rows: &[(&str, String)]) -> String {
    let width = rows.iter().map(|(label, _)| label.chars().count()).max().unwrap_or(0);
    rows.iter().fold(String::new(), |mut text, (label, value)| {
        let _ = writeln!(text, "  {label:width$}  {value}");
        text
    })
}

/// A table with any number of columns, each as wide as its longest entry.
pub fn columns<R: AsRef<[String]>>(rows: &[R]) -> String {
    let mut widths: Vec<usize> = Vec::new();
    for row in rows {
        for (column, cell) in row.as_ref().iter().enumerate() {
            let width = cell.chars().count();
            match widths.get_mut(column) {
                Some(widest) => *widest = width.max(*widest),
                None => widths.push(width),
            }
        }
    }
    rows.iter().fold(String::new(), |mut text, row| {
        let cells = row.as_ref().iter().zip(&widths).map(|(cell, &width)| format!("{cell:width$}"));
        let _ = writeln!(text, "  {}", cells.collect::<Vec<_>>().join("  ").trim_end());
        text
    })
}

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

/// Why nothing can be asked about single nodes.
pub fn without_ids(spec: &Spec) -> String {
    format!("{spec} has no node ids: more than 2^63 nodes or 2^32 ports (see `nestnet info`)")
}

/// A node for people: its id and its address, where that is not the id.
pub fn node(network: &dyn Network, at: Node) -> String {
    let address = network.address(at).to_string();
    if address == at.to_string() { address } else { format!("{at} = {address}") }
}

/// A number between its bounds, and how it is known.
pub fn known(known: &Known) -> String {
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

/// The word for a road, for people.
pub fn by(how: &str) -> &str {
    if how == "exhaustive" { "exhaustive search" } else { how }
}

/// How a number is known, for people.
pub fn how(how: How) -> &'static str {
    match how {
        How::Theorem => "by theorem",
        How::Symmetry => "by symmetry",
        How::Exhaustive => "by exhaustive search",
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
    fn integers_of_any_length_are_plain_json() {
        let long = "9".repeat(100);
        assert_eq!(number(&long).to_string(), long);
    }

    #[test]
    fn tables_line_up() {
        let rows = [("a", "1".to_owned()), ("long", "2".to_owned())];
        assert_eq!(table(&rows), "  a     1\n  long  2\n");
    }
}
