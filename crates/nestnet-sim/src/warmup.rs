//! The initial transient: when has a network settled, so that what follows can be measured?
//!
//! The series is the number of flits that were made and have not arrived. By Little's law its mean is the load times the
//! mean latency, but it is known in every cycle, whereas latencies are known only of packets that have arrived.

use super::persist::persist;

/// Cycles between two samples.
pub(super) const SAMPLE: u64 = 32;

/// The series is cut into as many batches at most.
const BATCHES: usize = 256;

/// How many flits were on the way, sample by sample from the first cycle on.
#[derive(Clone, Debug, Default)]
pub(super) struct Transient {
    samples: Vec<f64>,
}

impl Transient {
    pub fn add(&mut self, flits: f64) {
        self.samples.push(flits);
    }

    /// Whether the transient ended in the first half of the series, by MSER: the rest has the least standard error of its
    /// mean where what is cut off is all of the transient. O(samples).
    ///
    /// K. P. White, *An effective truncation heuristic for bias reduction in simulation output*, Simulation 69 (1997).
    pub fn has_settled(&self) -> bool {
        let size = self.samples.len().div_ceil(BATCHES).max(1);
        let means = self.samples.chunks_exact(size).map(|part| part.iter().sum::<f64>());
        let means: Vec<f64> = means.map(|sum| sum / size as f64).collect();
        truncation(&means).is_some_and(|cut| 2 * cut <= means.len())
    }

    /// By how much the flits on the way grew in the second half.
    pub fn growth(&self) -> f64 {
        let half = self.samples.get(self.samples.len() / 2).copied().unwrap_or(0.0);
        self.samples.last().map_or(0.0, |last| last - half)
    }
}

/// How many values to cut off; the last five cannot be, which would be few enough to agree by chance. None of a series
/// that is too short.
fn truncation(values: &[f64]) -> Option<usize> {
    const LAST: usize = 5;
    let last = values.len().checked_sub(LAST)?;
    let (mut sum, mut squares, mut count) = (0.0, 0.0, 0.0);
    let mut best: Option<(f64, usize)> = None;
    for (cut, value) in values.iter().enumerate().rev() {
        (sum, squares, count) = (sum + value, squares + value * value, count + 1.0);
        let around = (squares - sum * sum / count).max(0.0);
        let error = around / (count * count);
        if cut <= last && best.is_none_or(|(least, _)| error <= least) {
            best = Some((error, cut));
        }
    }
    best.map(|(_, cut)| cut)
}

persist!(Transient { samples });

#[cfg(test)]
mod tests {
    use super::*;

    /// A value of its own for each number, around zero.
    fn noise(number: u32) -> f64 {
        f64::from(number.wrapping_mul(2_654_435_761) >> 16) / 65536.0 - 0.5
    }

    #[test]
    fn the_transient_is_cut_off_and_no_more() {
        let rising = |number: u32| f64::from(number.min(20)) + noise(number);
        let values: Vec<f64> = (0..100).map(rising).collect();
        let cut = truncation(&values).unwrap();
        assert!((17..26).contains(&cut), "{cut}");
        assert_eq!(truncation(&[1.0; 50]), Some(0));
        assert_eq!(truncation(&[1.0; 4]), None);
    }

    #[test]
    fn what_rises_to_the_end_has_not_settled() {
        let series = |value: &dyn Fn(u32) -> f64, count| {
            let mut transient = Transient::default();
            (0..count).for_each(|number| transient.add(value(number)));
            transient
        };
        let rising = |number| f64::from(number) + noise(number);
        let level = |number| 40.0 + noise(number);
        assert!(!series(&rising, 600).has_settled() && !series(&rising, 30).has_settled());
        assert!(series(&level, 600).has_settled() && series(&level, 30).has_settled());
        assert!(series(&rising, 600).growth() > 290.0 && series(&level, 600).growth() < 2.0);
        assert!(!series(&level, 3).has_settled());
    }
}
