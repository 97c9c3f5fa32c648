//! Where does an axis begin and end, and which numbers are written at it? Steps are 1, 2 or 5 times a power of ten.

/// How numbers lie along an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Equal differences are equally far.
    #[default]
    Linear,
    /// Equal ratios are equally far; linear where a number is not positive.
    Log,
}

/// An axis with its ticks, which are its ends too.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Axis {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(crate) ticks: Vec<f64>,
    scale: Scale,
}

/// No axis goes further from zero, so that its ends and what is computed from them are finite.
const LARGEST: f64 = 1e150;

/// The least span, and the least number of a log axis, so that no step is lost to rounding.
const SMALLEST: f64 = 1e-150;

/// A finite number between two others; any other as it is.
fn within(value: f64, least: f64) -> f64 {
    if value.is_finite() { value.clamp(least, LARGEST) } else { value }
}

impl Axis {
    /// Around all values. An axis begins at zero where that is near, else where the data can be read.
    pub(crate) fn new(values: impl Iterator<Item = f64>, scale: Scale, most_ticks: f64) -> Self {
        let values = values.filter(|value| value.is_finite()).map(|value| within(value, -LARGEST));
        let ends = values.fold(None, |ends, value| {
            let (low, high) = ends.unwrap_or((value, value));
            Some((f64::min(low, value), f64::max(high, value)))
        });
        let (low, high) = ends.unwrap_or((0.0, 1.0));
        match scale {
            Scale::Log if low > 0.0 => Axis::logarithmic(low.max(SMALLEST), high.max(SMALLEST)),
            _ => Axis::linear(
                if low > 0.0 && low < 0.35 * high { 0.0 } else { low },
                high,
                most_ticks,
            ),
        }
    }

    fn linear(low: f64, high: f64, most_ticks: f64) -> Self {
        // Numbers that differ by rounding alone are one.
        let far = low.abs().max(high.abs());
        let span = if high - low > 1e-9 * far { high - low } else { far };
        let span = if span > SMALLEST { span } else { 1.0 };
        let step = step_above(span / most_ticks);
        let from = (low / step + 1e-9).floor();
        let to = (high / step - 1e-9).ceil().max(from + 1.0);
        let steps = std::iter::successors(Some(from), |at| Some(at + 1.0));
        let ticks = steps.take_while(|&at| at <= to).map(|at| rounded(at * step)).collect();
        Axis { low: rounded(from * step), high: rounded(to * step), ticks, scale: Scale::Linear }
    }

    fn logarithmic(low: f64, high: f64) -> Self {
        const MOST: usize = 8;
        let from = rounded(10f64.powf((low * 1.000_001).log10().floor()));
        let mut steps = Vec::new();
        let mut power = from;
        while power.is_finite() && power <= high * 10.0 {
            steps.extend([1.0, 2.0, 5.0].map(|by| rounded(by * power)));
            power *= 10.0;
        }
        let first = steps.iter().rposition(|&step| step <= low * 1.000_001).unwrap_or(0);
        let last = steps.iter().position(|&step| step >= high * 0.999_999);
        let last = last.unwrap_or(steps.len() - 1).max(first + 1).min(steps.len() - 1);
        let shown = &steps[first..=last];
        let is_power = |step: &f64| (step.log10() - step.log10().round()).abs() < 1e-6;
        let ticks: Vec<f64> = match shown.len() {
            ..=MOST => shown.to_vec(),
            _ => {
                let powers: Vec<f64> = shown.iter().copied().filter(is_power).collect();
                let every = powers.len().div_ceil(MOST);
                powers.into_iter().step_by(every).collect()
            }
        };
        Axis { low: shown[0], high: shown[shown.len() - 1], ticks, scale: Scale::Log }
    }

    /// How far along the axis a value is: 0 at its beginning, 1 at its end.
    pub(crate) fn part(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Linear => (within(value, -LARGEST) - self.low) / (self.high - self.low),
            Scale::Log => (within(value, SMALLEST) / self.low).ln() / (self.high / self.low).ln(),
        }
    }
}

/// The least of 1, 2 and 5 times a power of ten that is not below.
fn step_above(rough: f64) -> f64 {
    let power = 10f64.powf(rough.log10().floor());
    let steps = [1.0, 2.0, 5.0].map(|by| by * power);
    steps.into_iter().find(|&step| step >= rough * 0.999_999).unwrap_or(10.0 * power)
}

/// Without the last digits, which differ by how a number was found.
fn rounded(value: f64) -> f64 {
    format!("{value:.11e}").parse().unwrap_or(value)
}

/// A number at a tick: three decimals, or three digits where it is smaller; thousands apart; very large and very small
/// ones by their power of ten.
pub(crate) fn short(value: f64) -> String {
    let size = value.abs();
    if size != 0.0 && !(1e-4..1e7).contains(&size) {
        return format!("{:e}", rounded((value * 1e12).round() / 1e12).clamp(-1e300, 1e300));
    }
    let mut decimals = 3;
    let mut scaled = size;
    while scaled > 0.0 && scaled < 0.1 && decimals < 12 {
        scaled *= 10.0;
        decimals += 1;
    }
    let text = format!("{value:.decimals$}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    let mut grouped = String::new();
    for (at, digit) in whole.chars().enumerate() {
        let left = whole.len() - at;
        if at > 0 && left % 3 == 0 && digit.is_ascii_digit() && !grouped.ends_with('-') {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn axis(values: &[f64], scale: Scale) -> Axis {
        Axis::new(values.iter().copied(), scale, 6.0)
    }

    #[test]
    fn steps_are_one_two_or_five() {
        for (values, ticks) in [
            (&[0.02, 0.8][..], &[0.0, 0.2, 0.4, 0.6, 0.8][..]),
            (&[0.0, 17.2], &[0.0, 5.0, 10.0, 15.0, 20.0]),
            (&[0.0005, 0.004], &[0.0, 0.001, 0.002, 0.003, 0.004]),
            // Far from zero an axis begins where the data can be read.
            (&[95.0, 101.0], &[95.0, 96.0, 97.0, 98.0, 99.0, 100.0, 101.0]),
            (&[], &[0.0, 0.2, 0.4, 0.6, 0.8, 1.0]),
            (&[-3.0, 4.0], &[-4.0, -2.0, 0.0, 2.0, 4.0]),
            (&[7.0], &[6.0, 8.0]),
            // What differs by rounding alone is one number.
            (&[3.89, 3.89 + 4e-16], &[3.0, 4.0]),
            (&[0.3, 0.300_000_000_000_000_04], &[0.3, 0.35]),
        ] {
            assert_eq!(axis(values, Scale::Linear).ticks, ticks, "{values:?}");
        }
        // Nearly equal numbers have an axis around them that ends.
        for pair in [[7.0, 7.0], [0.0, 0.0], [1e9, 1e9 + 1e-6], [1000.0, 1000.00001]] {
            let ticks = axis(&pair, Scale::Linear).ticks;
            let near = 1e-9 * pair[1];
            assert!((2..=9).contains(&ticks.len()) && ticks.is_sorted(), "{pair:?}: {ticks:?}");
            assert!(ticks[0] <= pair[0] + near && pair[1] <= ticks[ticks.len() - 1] + near);
        }
        let found = axis(&[95.0, 101.0], Scale::Linear);
        assert_eq!((found.part(95.0), found.part(98.0), found.part(101.0)), (0.0, 0.5, 1.0));
    }

    #[test]
    fn ratios_are_equally_far_on_a_log_axis() {
        let found = axis(&[0.001, 0.1], Scale::Log);
        assert_eq!(found.ticks, [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1]);
        assert!((found.part(0.01) - 0.5).abs() < 1e-9);
        assert_eq!(axis(&[3.0, 4e6], Scale::Log).ticks, [10.0, 100.0, 1e3, 1e4, 1e5, 1e6]);
        assert_eq!(axis(&[1.0], Scale::Log).ticks, [1.0, 2.0]);
        // Zero has no logarithm.
        assert_eq!(axis(&[0.0, 5.0], Scale::Log), axis(&[0.0, 5.0], Scale::Linear));
    }

    /// The numbers of an axis around two values are few, in order, and have the values between their ends.
    fn has_few_ticks(pair: [f64; 2], scale: Scale, most: f64) {
        let Axis { low, high, ticks, .. } = &Axis::new(pair.into_iter(), scale, most);
        let said = format!("{pair:?} {scale:?}: {ticks:?}");
        assert!((2..=10).contains(&ticks.len()) && ticks.is_sorted_by(|a, b| a < b), "{said}");
        assert!(low < high && ticks.iter().all(|tick| tick.is_finite()), "{said}");
        for value in pair {
            let part = axis(&pair, scale).part(value);
            assert!((-0.01..=1.01).contains(&part), "{said}: {value} is at {part}");
        }
    }

    #[test]
    fn an_axis_around_the_smallest_and_the_largest_numbers_ends() {
        let ends = [5e-324, f64::MIN_POSITIVE, 1e-160, 1.0, 1e160, f64::MAX];
        let ends = ends.iter().flat_map(|&end| [end, -end]).chain([0.0, -0.0]);
        for a in ends.clone() {
            for b in ends.clone() {
                for scale in [Scale::Linear, Scale::Log] {
                    has_few_ticks([a, b], scale, 6.0);
                }
            }
        }
        assert_eq!(
            axis(&[f64::NAN, f64::INFINITY, -f64::INFINITY], Scale::Log),
            axis(&[], Scale::Linear)
        );
    }

    proptest! {
        #![proptest_config(nestnet_seed::config())]

        #[test]
        fn every_axis_has_few_ticks(bits in any::<u64>(), other in any::<u64>(), near in -64i64..64, most in prop::sample::select(vec![4.0, 5.0, 6.0])) {
            let is_finite = |value: &f64| value.is_finite();
            if let Some(value) = Some(f64::from_bits(bits)).filter(is_finite) {
                let ends = [f64::from_bits(other), f64::from_bits(bits.wrapping_add_signed(near)), value];
                for end in ends.into_iter().filter(is_finite) {
                    for scale in [Scale::Linear, Scale::Log] {
                        has_few_ticks([value, end], scale, most);
                    }
                }
            }
        }
    }

    #[test]
    fn numbers_are_short_and_distinct() {
        let said = [0.25, 100.0, 0.0, 1000.0, 1_234_567.0, -1500.0, 2e7, 5e-6];
        let texts = ["0.25", "100", "0", "1,000", "1,234,567", "-1,500", "2e7", "5e-6"];
        assert_eq!(said.map(short), texts);
        // Ticks that are not far apart are still distinct.
        assert_eq!([0.0008, 0.0016, 0.0024].map(short), ["0.0008", "0.0016", "0.0024"]);
    }
}
