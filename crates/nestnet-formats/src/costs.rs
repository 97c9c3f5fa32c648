//! What does a link cost: which latency and which bandwidth, by its level?

use std::fmt;
use thiserror::Error;

/// Which links a latency or a bandwidth is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Links {
    /// All that nothing else is said of.
    All,
    /// Those between a host and its switch.
    OfHosts,
    /// Those of a level.
    Level(u16),
}

/// Latencies and bandwidths of links, as far as they are given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Costs {
    latencies: Vec<(Links, Latency)>,
    bandwidths: Vec<(Links, Bandwidth)>,
}

/// How long a link takes, in picoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Latency(pub u64);

/// What a link carries, in bits a second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bandwidth(pub u64);

/// Why a text is no latency or bandwidth.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CostError {
    /// Which links are meant is not clear.
    #[error("`{text}`: expected a level, `host` or `all` before the `=`")]
    Links {
        /// What was given.
        text: String,
    },
    /// No time.
    #[error("`{text}`: expected a time such as 500ns, 1.5us or 3ns, at most a second")]
    Latency {
        /// What was given.
        text: String,
    },
    /// No rate.
    #[error("`{text}`: expected a rate such as 100Gbps or 12.5GBps")]
    Bandwidth {
        /// What was given.
        text: String,
    },
}

/// Picoseconds of each unit; the longer name first where one ends in the other.
const TIMES: [(&str, u64); 5] =
    [("ps", 1), ("ns", 1_000), ("us", 1_000_000), ("ms", 1_000_000_000), ("s", 1_000_000_000_000)];

/// Bits a second of each unit.
const RATES: [(&str, u64); 9] = [
    ("Tbps", 1_000_000_000_000),
    ("Gbps", 1_000_000_000),
    ("Mbps", 1_000_000),
    ("kbps", 1_000),
    ("TBps", 8_000_000_000_000),
    ("GBps", 8_000_000_000),
    ("MBps", 8_000_000),
    ("kBps", 8_000),
    ("bps", 1),
];

impl Costs {
    /// Nothing given: every format has its own.
    pub const NONE: Costs = Costs { latencies: Vec::new(), bandwidths: Vec::new() };

    /// Adds a latency: `500ns` for all links, `2=1us` for those of level 2, `host=10ns` for those of hosts.
    ///
    /// ```
    /// use nestnet_formats::costs::{Costs, Latency, Links};
    ///
    /// let mut costs = Costs::default();
    /// costs.add_latency("500ns")?;
    /// costs.add_latency("2=1.5us")?;
    /// assert_eq!(costs.latency(Links::Level(2)), Some(Latency(1_500_000)));
    /// assert_eq!(costs.latency(Links::OfHosts), Some(Latency(500_000)));
    /// # Ok::<(), nestnet_formats::costs::CostError>(())
    /// ```
    pub fn add_latency(&mut self, text: &str) -> Result<(), CostError> {
        let (links, value) = split(text)?;
        let most = TIMES[4].1;
        let time = quantity(value, &TIMES).filter(|&time| time <= most);
        let time = time.ok_or_else(|| CostError::Latency { text: text.to_owned() })?;
        self.latencies.push((links, Latency(time)));
        Ok(())
    }

    /// Adds a bandwidth: `100Gbps`, `0=900GBps`, `host=400Gbps`.
    pub fn add_bandwidth(&mut self, text: &str) -> Result<(), CostError> {
        let (links, value) = split(text)?;
        let rate = quantity(value, &RATES).filter(|&rate| rate > 0);
        let rate = rate.ok_or_else(|| CostError::Bandwidth { text: text.to_owned() })?;
        self.bandwidths.push((links, Bandwidth(rate)));
        Ok(())
    }

    /// The latency of links; what is said last counts.
    pub fn latency(&self, links: Links) -> Option<Latency> {
        find(&self.latencies, links)
    }

    /// The bandwidth of links; what is said last counts.
    pub fn bandwidth(&self, links: Links) -> Option<Bandwidth> {
        find(&self.bandwidths, links)
    }

    /// Whether any latency is given.
    pub fn has_latency(&self) -> bool {
        !self.latencies.is_empty()
    }

    /// Whether any bandwidth is given.
    pub fn has_bandwidth(&self) -> bool {
        !self.bandwidths.is_empty()
    }

    /// Whether a latency is no whole number of cycles.
    pub fn has_part_of_cycle(&self) -> bool {
        self.latencies.iter().any(|(_, latency)| latency.0 % CYCLE != 0)
    }
}

fn find<T: Copy>(given: &[(Links, T)], links: Links) -> Option<T> {
    let last = |wanted: Links| given.iter().rev().find(|(given, _)| *given == wanted);
    // A level that is not given is as the highest given below it, as in a simulation.
    let below = |given: &&(Links, T)| match (given.0, links) {
        (Links::Level(given), Links::Level(wanted)) => given < wanted,
        _ => false,
    };
    let level = |given: &&(Links, T)| match given.0 {
        Links::Level(level) => level,
        _ => 0,
    };
    let lower = || given.iter().filter(below).max_by_key(level);
    last(links).or_else(|| last(Links::All)).or_else(lower).map(|(_, value)| *value)
}

/// A cycle, where a format counts in them: a nanosecond.
const CYCLE: u64 = 1_000;

impl Latency {
    /// So many cycles of a nanosecond.
    pub fn of_cycles(cycles: u16) -> Self {
        Latency(u64::from(cycles) * CYCLE)
    }

    /// The same in cycles of a nanosecond, rounded up, at least one.
    pub fn cycles(self) -> u64 {
        self.0.div_ceil(CYCLE).max(1)
    }

    /// The same in nanoseconds.
    pub fn nanoseconds(self) -> f64 {
        self.0 as f64 / CYCLE as f64
    }
}

impl Bandwidth {
    /// The same in gigabits a second.
    pub fn gigabits(self) -> f64 {
        self.0 as f64 / 1e9
    }
}

impl fmt::Display for Latency {
    /// In the largest unit in which it is whole.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = TIMES.iter().rev().find(|(_, size)| self.0.is_multiple_of(*size) && self.0 > 0);
        let (unit, size) = unit.copied().unwrap_or(TIMES[1]);
        write!(f, "{}{unit}", self.0 / size)
    }
}

impl fmt::Display for Bandwidth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Bits alone: bytes are not understood everywhere.
        let units = [RATES[1], RATES[2], RATES[3]];
        let unit = units.iter().find(|(_, size)| self.0.is_multiple_of(*size));
        let (unit, size) = unit.copied().unwrap_or(RATES[8]);
        write!(f, "{}{unit}", self.0 / size)
    }
}

/// Which links, and what is said of them.
fn split(text: &str) -> Result<(Links, &str), CostError> {
    let Some((which, value)) = text.split_once('=') else { return Ok((Links::All, text)) };
    let links = match which.trim() {
        "all" => Links::All,
        "host" | "hosts" => Links::OfHosts,
        level => {
            let level = level.strip_prefix("level").map_or(level, str::trim);
            let level = level.parse().map_err(|_| CostError::Links { text: text.to_owned() })?;
            Links::Level(level)
        }
    };
    Ok((links, value))
}

/// A decimal number and its unit, as a whole number of the smallest unit.
fn quantity(text: &str, units: &[(&str, u64)]) -> Option<u64> {
    let text = text.trim();
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let (number, unit) = text.split_at(digits);
    let size = units.iter().find(|(name, _)| *name == unit.trim())?.1;
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    let scale = 10u128.checked_pow(u32::try_from(part.len()).ok()?)?;
    let number: u128 = format!("{whole}{part}").parse().ok()?;
    let value = number.checked_mul(size.into())?;
    value.is_multiple_of(scale).then(|| u64::try_from(value / scale).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_rates_are_read_as_they_are_written() {
        let mut costs = Costs::default();
        for text in ["500ns", "level 1=1.5us", "host=0ns"] {
            costs.add_latency(text).unwrap();
        }
        for text in ["100Gbps", "0=12.5GBps", "1=7bps"] {
            costs.add_bandwidth(text).unwrap();
        }
        let latency = |links| costs.latency(links).unwrap().to_string();
        assert_eq!(latency(Links::Level(0)), "500ns");
        assert_eq!(latency(Links::Level(1)), "1500ns");
        assert_eq!(latency(Links::OfHosts), "0ns");
        let bandwidth = |links| costs.bandwidth(links).unwrap().to_string();
        assert_eq!(bandwidth(Links::Level(0)), "100Gbps");
        assert_eq!(bandwidth(Links::Level(1)), "7bps");
        assert_eq!(bandwidth(Links::All), "100Gbps");
        assert_eq!((Latency(1).cycles(), Latency(0).cycles(), Latency(2_000).cycles()), (1, 1, 2));
    }

    #[test]
    fn a_level_that_is_not_given_is_as_the_one_below_it() {
        let mut costs = Costs::default();
        for text in ["1=2ns", "3=30ns", "3=40ns", "host=1ns"] {
            costs.add_latency(text).unwrap();
        }
        let cycles = |level| costs.latency(Links::Level(level)).map(Latency::cycles);
        assert_eq!([0, 1, 2, 3, 9].map(cycles), [None, Some(2), Some(2), Some(40), Some(40)]);
        assert_eq!(costs.latency(Links::OfHosts), Some(Latency(1_000)));
    }

    #[test]
    fn what_is_none_is_shown() {
        let mut costs = Costs::default();
        for text in
            ["5", "x=5ns", "-5ns", "ns", "1.0005ps", "2s", "1e3ns", "99999999999999999999ns"]
        {
            assert!(costs.add_latency(text).unwrap_err().to_string().contains(text));
        }
        for text in ["5", "0bps", "70000=1bps", "5ns", "1.5bps", "."] {
            assert!(costs.add_bandwidth(text).unwrap_err().to_string().contains(text));
        }
        assert_eq!(costs, Costs::NONE);
    }
}
