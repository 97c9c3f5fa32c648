//! How is long work cut up, so that threads, shards and ranks can do it and nobody sees from the result who did what?
//!
//! A [`Job`] is a list of independent units, by number, and a merge of what they gave. The merge is associative and does
//! not mind the order, so that any way to cut the list into parts gives the same bytes in the end. [`run`] does the units
//! of one [`Shard`] in all threads; [`each`] is the plain case in which the units' results are kept in their order.

use crate::{Interrupted, Watch};
use rayon::prelude::*;
use std::fmt;
use std::str::FromStr;
use std::sync::atomic::AtomicU64;
use thiserror::Error;

/// Long work: units that need nothing of each other.
pub trait Job: Sync {
    /// What units give, alone or merged.
    type Part: Send;
    /// Why a unit gives nothing.
    type Error: From<Interrupted> + Send;

    /// How many there are.
    fn units(&self) -> u64;

    /// What no unit gives: merging it changes nothing.
    fn nothing(&self) -> Self::Part;

    /// Does one of them. The watch tells when to stop; the progress of the whole is reported by whoever runs it.
    fn unit(&self, number: u64, watch: &Watch<'_>) -> Result<Self::Part, Self::Error>;

    /// Joins two parts; the order of any number of these does not matter.
    fn merge(&self, one: Self::Part, other: Self::Part) -> Self::Part;
}

/// Every so manieth unit of a job: those whose number leaves a given rest.
///
/// Neighboring units often take about as long, so that every shard gets some of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 0 on.
    index: u64,
    count: u64,
}

/// Not a shard.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("expected a shard such as 2/8, the second of eight")]
pub struct NoShard;

impl Shard {
    /// All units.
    pub const WHOLE: Shard = Shard { index: 0, count: 1 };

    /// The shard of that number, from 1 on, of so many.
    pub fn new(number: u64, count: u64) -> Result<Self, NoShard> {
        match (1..=count).contains(&number) {
            true => Ok(Shard { index: number - 1, count }),
            false => Err(NoShard),
        }
    }

    /// Its number, from 1 on.
    pub fn number(&self) -> u64 {
        self.index + 1
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// How many of so many units are its own.
    pub fn units(&self, all: u64) -> u64 {
        all.saturating_sub(self.index).div_ceil(self.count)
    }

    /// Whether a unit is its own, by its number among all.
    pub fn has(&self, unit: u64) -> bool {
        unit % self.count == self.index
    }

    /// The number of one of its units among all, by its number among its own.
    pub fn unit(&self, own: u64) -> u64 {
        self.index + own * self.count
    }
}

impl FromStr for Shard {
    type Err = NoShard;

    fn from_str(text: &str) -> Result<Self, NoShard> {
        let (number, count) = text.split_once('/').ok_or(NoShard)?;
        let read = |part: &str| part.trim().parse().map_err(|_| NoShard);
        Shard::new(read(number)?, read(count)?)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number(), self.count)
    }
}

/// Does the units of a shard, in all threads, and merges what they give.
///
/// ```
/// use nestnet_graph::job::{Job, Shard, run};
/// use nestnet_graph::{Interrupted, Watch};
///
/// /// The sum of all numbers below a hundred.
/// struct Sum;
///
/// impl Job for Sum {
///     type Part = u64;
///     type Error = Interrupted;
///     fn units(&self) -> u64 {
///         100
///     }
///     fn nothing(&self) -> u64 {
///         0
///     }
///     fn unit(&self, number: u64, _: &Watch<'_>) -> Result<u64, Interrupted> {
///         Ok(number)
///     }
///     fn merge(&self, one: u64, other: u64) -> u64 {
///         one + other
///     }
/// }
///
/// let part = |number| run(&Sum, Shard::new(number, 3).unwrap(), &Watch::SILENT).unwrap();
/// assert_eq!(part(1) + part(2) + part(3), 4950);
/// ```
pub fn run<J: Job>(job: &J, shard: Shard, watch: &Watch<'_>) -> Result<J::Part, J::Error> {
    let own = shard.units(job.units());
    let done = AtomicU64::new(0);
    let quiet = Watch { progress: &|_| (), ..*watch };
    let units = (0..own).into_par_iter().map(|number| {
        let part = job.unit(shard.unit(number), &quiet)?;
        watch.step(&done, own)?;
        Ok(part)
    });
    units.try_reduce(|| job.nothing(), |one, other| Ok(job.merge(one, other)))
}

/// What each unit of a shard gives, in the order of their numbers.
pub fn each<T: Send, E: From<Interrupted> + Send>(
    units: u64,
    shard: Shard,
    watch: &Watch<'_>,
    unit: impl Fn(u64, &Watch<'_>) -> Result<T, E> + Sync,
) -> Result<Vec<T>, E> {
    let mut parts = run(&Each { units, unit }, shard, watch)?;
    parts.sort_unstable_by_key(|(number, _)| *number);
    Ok(parts.into_iter().map(|(_, part)| part).collect())
}

/// Units whose results are kept with their numbers.
struct Each<U> {
    units: u64,
    unit: U,
}

impl<T, E, U> Job for Each<U>
where
    T: Send,
    E: From<Interrupted> + Send,
    U: Fn(u64, &Watch<'_>) -> Result<T, E> + Sync,
{
    type Part = Vec<(u64, T)>;
    type Error = E;

    fn units(&self) -> u64 {
        self.units
    }

    fn nothing(&self) -> Self::Part {
        Vec::new()
    }

    fn unit(&self, number: u64, watch: &Watch<'_>) -> Result<Self::Part, E> {
        Ok(vec![(number, (self.unit)(number, watch)?)])
    }

    fn merge(&self, mut one: Self::Part, mut other: Self::Part) -> Self::Part {
        // The shorter to the longer: the order does not matter.
        if one.len() < other.len() {
            std::mem::swap(&mut one, &mut other);
        }
        one.append(&mut other);
        one
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_have_every_unit_once() {
        for (all, count) in [(0, 1), (1, 4), (7, 3), (8, 4), (100, 7)] {
            let shards = (1..=count).map(|number| Shard::new(number, count).unwrap());
            for shard in shards.clone() {
                let own = (0..shard.units(all)).map(|own| shard.unit(own));
                assert!(own.eq((0..all).filter(|&unit| shard.has(unit))), "{all} in {count}");
            }
            let mut units: Vec<u64> = shards
                .flat_map(|shard| (0..shard.units(all)).map(move |own| shard.unit(own)))
                .collect();
            units.sort_unstable();
            assert_eq!(units, (0..all).collect::<Vec<_>>(), "{all} in {count}");
        }
    }

    #[test]
    fn shards_are_read_as_they_are_written() {
        let shard: Shard = "2/8".parse().unwrap();
        assert_eq!((shard.number(), shard.count(), shard.to_string().as_str()), (2, 8, "2/8"));
        for text in ["", "2", "0/8", "9/8", "1/0", "-1/2", "a/b", "1/2/3", "18446744073709551616/1"]
        {
            assert_eq!(text.parse::<Shard>(), Err(NoShard), "{text}");
        }
    }

    #[test]
    fn results_are_in_order_in_any_number_of_threads() {
        let square = |number: u64, _: &Watch<'_>| Ok::<u64, Interrupted>(number * number);
        for threads in [1, 2, 8] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let all = pool.install(|| each(1000, Shard::WHOLE, &Watch::SILENT, square)).unwrap();
            assert!(all.iter().enumerate().all(|(at, &found)| found == (at * at) as u64));
        }
        let third = each(10, Shard::new(3, 4).unwrap(), &Watch::SILENT, square).unwrap();
        assert_eq!(third, [4, 36]);
    }

    #[test]
    fn a_unit_that_fails_ends_the_job() {
        let fails = |number: u64, _: &Watch<'_>| {
            if number == 77 { Err(Interrupted) } else { Ok(()) }
        };
        assert_eq!(each(100, Shard::WHOLE, &Watch::SILENT, fails), Err(Interrupted));
        let stopped = Watch { stop: &|| true, progress: &|_| () };
        assert!(each(5, Shard::WHOLE, &stopped, |_, _| Ok::<_, Interrupted>(())).is_err());
    }
}
