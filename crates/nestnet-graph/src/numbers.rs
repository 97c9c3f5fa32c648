//! How are numbers asked for? Counts as people write them, and parts of a whole, the same for every option.

use bytesize::ByteSize;
use std::ops::RangeInclusive;

/// Reads a count within `range`: `1000`, `1,000`, `1e6`, `4k`, `1.5M`, `2^20`.
pub fn counts<T: TryFrom<u128>>(
    range: RangeInclusive<u128>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        let wanted = || match *range.end() {
            u128::MAX => format!("expected a number at least {}", range.start()),
            most => format!("expected a number from {} to {}", range.start(), short(most)),
        };
        match count(text) {
            Some(value) if range.contains(&value) => {
                T::try_from(value).map_err(|_| format!("{}, and a smaller one", wanted()))
            }
            Some(_) => Err(wanted()),
            // Below zero there is no form to explain.
            None if text.trim().starts_with('-') => Err(wanted()),
            None => Err(format!("{}, such as 1000, 1,000, 1e6, 1M or 2^20", wanted())),
        }
    }
}

/// A round number as a power.
fn short(value: u128) -> String {
    let tens = value.checked_ilog10().filter(|&power| power >= 6 && 10u128.pow(power) == value);
    match tens {
        Some(power) => format!("10^{power}"),
        None if value >= 1 << 16 && value.is_power_of_two() => format!("2^{}", value.ilog2()),
        None => value.to_string(),
    }
}

/// Any count of a type.
pub const ANY: RangeInclusive<u128> = 0..=u128::MAX;

/// Every count from 1 on.
pub const POSITIVE: RangeInclusive<u128> = 1..=u128::MAX;

/// The value of a count, if it is one.
fn count(text: &str) -> Option<u128> {
    /// What follows a number and multiplies it; the longer first.
    const UNITS: [(&str, u128); 12] = [
        ("Ki", 1 << 10),
        ("Mi", 1 << 20),
        ("Gi", 1 << 30),
        ("Ti", 1 << 40),
        ("k", 1_000),
        ("K", 1_000),
        ("M", 1_000_000),
        ("G", 1_000_000_000),
        ("B", 1_000_000_000),
        ("T", 1_000_000_000_000),
        ("P", 1_000_000_000_000_000),
        ("E", 1_000_000_000_000_000_000),
    ];
    let text = text.trim();
    if let Some((base, exponent)) = text.split_once('^').or_else(|| text.split_once("**")) {
        return scaled(base.trim(), 1)?.checked_pow(exponent.trim().parse().ok()?);
    }
    if let Some((mantissa, exponent)) = text.split_once(['e', 'E'])
        && let Ok(exponent) = exponent.trim_start_matches('+').parse()
    {
        return scaled(mantissa, 10u128.checked_pow(exponent)?);
    }
    let unit = UNITS.iter().find_map(|&(unit, factor)| Some((text.strip_suffix(unit)?, factor)));
    let (mantissa, factor) = unit.unwrap_or((text, 1));
    scaled(mantissa.trim_end(), factor)
}

/// `1.5` times a factor, where that is whole.
fn scaled(text: &str, factor: u128) -> Option<u128> {
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    let unit = 10u128.checked_pow(u32::try_from(part.len()).ok()?)?;
    let part = digits(part)?.checked_mul(factor)?;
    let is_whole = part.is_multiple_of(unit);
    let whole = grouped(whole)?.checked_mul(factor)?.checked_add(part / unit)?;
    is_whole.then_some(whole)
}

/// Digits, also in groups of three: `1,000` or `1_000`.
fn grouped(text: &str) -> Option<u128> {
    let Some(separator) = [',', '_'].into_iter().find(|&separator| text.contains(separator)) else {
        return digits(text);
    };
    let mut groups = text.split(separator);
    let first = groups.next().filter(|first| (1..=3).contains(&first.len()))?;
    groups.all(|group| group.len() == 3).then_some(())?;
    digits(&format!("{first}{}", text[first.len()..].replace(separator, "")))
}

fn digits(text: &str) -> Option<u128> {
    let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().ok())?
}

/// Reads a part of a whole: `0.05` or `5%`.
pub fn fraction(text: &str) -> Result<f64, String> {
    let (number, unit) = match text.trim().strip_suffix('%') {
        Some(number) => (number.trim_end(), 100.0),
        None => (text.trim(), 1.0),
    };
    let part: Option<f64> = number.parse().ok().map(|value: f64| value / unit);
    part.filter(|part| (0.0..=1.0).contains(part))
        .ok_or_else(|| "expected a part from 0 to 1, such as 0.05 or 5%".to_owned())
}

/// Reads a number of bytes: `500MB`, `4GiB`.
pub fn bytes(text: &str) -> Result<u64, String> {
    let size: Result<ByteSize, _> = text.parse();
    size.map(|size| size.as_u64())
        .map_err(|_| "expected a number of bytes such as 500MB or 4GiB".to_owned())
}

/// Reads a time: `1e-6`, `2us`, `350ns`, `0.5 ms`; without a unit in seconds.
pub fn seconds(text: &str) -> Result<f64, String> {
    /// The longer first.
    const UNITS: [(&str, f64); 6] =
        [("ms", 1e-3), ("us", 1e-6), ("µs", 1e-6), ("ns", 1e-9), ("ps", 1e-12), ("s", 1.0)];
    let found = with_unit(text, &UNITS).or_else(|| text.trim().parse().ok());
    let found = found.filter(|time: &f64| time.is_finite() && *time >= 0.0);
    found.ok_or_else(|| {
        "expected a time such as 2us, 350ns or a number of seconds such as 1e-6".to_owned()
    })
}

/// Reads a bandwidth as the seconds of a byte: `400Gb/s`, `50GB/s`, `800Gbps`. A b is a bit, a B is a byte.
pub fn seconds_a_byte(text: &str) -> Result<f64, String> {
    const UNITS: [(&str, f64); 12] = [
        ("Tb/s", 1e12),
        ("Tbps", 1e12),
        ("TB/s", 8e12),
        ("Gb/s", 1e9),
        ("Gbps", 1e9),
        ("GB/s", 8e9),
        ("Mb/s", 1e6),
        ("Mbps", 1e6),
        ("MB/s", 8e6),
        ("kb/s", 1e3),
        ("b/s", 1.0),
        ("B/s", 8.0),
    ];
    let bits = with_unit(text, &UNITS).filter(|bits| bits.is_finite() && *bits > 0.0);
    let bits = bits.ok_or_else(|| "expected a bandwidth such as 400Gb/s or 50GB/s".to_owned())?;
    Ok(8.0 / bits)
}

/// A number with one of the units.
fn with_unit(text: &str, units: &[(&str, f64)]) -> Option<f64> {
    let text = text.trim();
    let (number, unit) =
        units.iter().find_map(|&(name, unit)| Some((text.strip_suffix(name)?, unit)))?;
    Some(number.trim().parse::<f64>().ok()? * unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read_as_people_write_them() {
        for (text, value) in [
            ("0", 0),
            ("1000", 1000),
            ("1,000", 1000),
            ("12,345,678", 12_345_678),
            ("1_000", 1000),
            ("1e6", 1_000_000),
            ("1E+6", 1_000_000),
            ("1.5e3", 1500),
            ("4k", 4000),
            ("4 K", 4000),
            ("1M", 1_000_000),
            ("1.5M", 1_500_000),
            ("2G", 2_000_000_000),
            ("64Ki", 65_536),
            ("2^20", 1 << 20),
            ("10 ^ 6", 1_000_000),
            ("2**10", 1024),
            (" 7 ", 7),
        ] {
            assert_eq!(count(text), Some(value), "{text}");
        }
        for text in [
            "", "-1", "1,00", ",100", "1,0000", "1.5", "1.5e0", "M", "e6", "1e99", "2^200", "2^-1",
            "1 000", "0x10", "1e6k", "１", "^", "2^",
        ] {
            assert_eq!(count(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_out_of_range_names_the_range() {
        let read = counts::<u8>(1..=100);
        assert_eq!(read("1e2"), Ok(100));
        for text in ["0", "101", "1M", "-5", "-1e6"] {
            assert_eq!(read(text), Err("expected a number from 1 to 100".to_owned()), "{text}");
        }
        assert!(read("many").unwrap_err().contains("such as 1000, 1,000, 1e6, 1M or 2^20"));
        assert_eq!(counts::<u64>(POSITIVE)("-3"), Err("expected a number at least 1".to_owned()));
        assert_eq!(counts::<u64>(ANY)("0"), Ok(0));
        assert_eq!(
            counts::<u64>(ANY)("1e30"),
            Err("expected a number at least 0, and a smaller one".to_owned())
        );
        assert_eq!(
            counts::<u64>(1..=1 << 24)("0"),
            Err("expected a number from 1 to 2^24".to_owned())
        );
    }

    #[test]
    fn parts_are_percentages_too() {
        assert_eq!(fraction("5%"), Ok(0.05));
        assert_eq!(fraction("0.05"), Ok(0.05));
        assert_eq!(fraction("100 %"), Ok(1.0));
        for text in ["-5%", "101%", "1.5", "NaN", "", "%", "inf"] {
            assert!(fraction(text).is_err(), "{text}");
        }
    }

    #[test]
    fn times_and_bandwidths() {
        for (text, value) in
            [("1e-6", 1e-6), ("2us", 2e-6), ("350 ns", 3.5e-7), ("0.5ms", 5e-4), ("3s", 3.0)]
        {
            assert!((super::seconds(text).unwrap() - value).abs() < 1e-18, "{text}");
        }
        for (text, value) in
            [("400Gb/s", 2e-11), ("50GB/s", 2e-11), ("800Gbps", 1e-11), ("1 MB/s", 1e-6)]
        {
            assert!((super::seconds_a_byte(text).unwrap() - value).abs() < 1e-18, "{text}");
        }
        assert!(["-1", "2 hours", "", "us"].iter().all(|text| super::seconds(text).is_err()));
        assert!(
            ["400", "0Gb/s", "-1Gb/s", "Gb/s"]
                .iter()
                .all(|text| super::seconds_a_byte(text).is_err())
        );
    }
}
