//! Several patterns at once, each with its part of what is sent.

use super::Traffic;
use num_integer::Integer as _;
use std::collections::BTreeMap;

/// Patterns and how often each is, relative to the others.
#[derive(Clone, Debug, PartialEq)]
pub struct Mixed {
    parts: Vec<(u64, Traffic)>,
    /// The sum of how often they are.
    total: u64,
    /// A multiple of the wholes of all of them.
    multiple: u128,
}

impl Mixed {
    /// `None` of none, and where numbers become too large.
    pub fn new(parts: Vec<(u64, Traffic)>) -> Option<Self> {
        let add = |sum: u64, part: &(u64, Traffic)| sum.checked_add(part.0);
        let total = parts.iter().try_fold(0, add).filter(|&total| total > 0)?;
        let multiple = parts.iter().try_fold(1u128, |all, (_, part)| {
            let whole = part.whole();
            (all / all.gcd(&whole)).checked_mul(whole)
        })?;
        multiple.checked_mul(total.into()).filter(|whole| *whole <= u128::MAX >> 32)?;
        Some(Mixed { parts, total, multiple })
    }

    /// The sum of how often the patterns are.
    pub(super) fn total(&self) -> u64 {
        self.total
    }

    /// Where they follow each other: the one of a cycle, from 0 on and after the last from the first.
    pub fn at(&self, cycle: u64) -> &Traffic {
        let mut left = cycle % self.total;
        self.pick(&mut |_| std::mem::take(&mut left))
    }

    pub(super) fn whole(&self) -> u128 {
        self.multiple * u128::from(self.total)
    }

    pub(super) fn for_each(&self, from: u64, visit: &mut dyn FnMut(u64, u128)) {
        let mut all: BTreeMap<u64, u128> = BTreeMap::new();
        for (weight, part) in &self.parts {
            let each = self.multiple / part.whole() * u128::from(*weight);
            part.for_each(from, &mut |to, share| *all.entry(to).or_default() += share * each);
        }
        all.into_iter().filter(|&(_, share)| share > 0).for_each(|(to, share)| visit(to, share));
    }

    /// One of the patterns, each as often as it is meant to be.
    pub fn pick(&self, below: &mut dyn FnMut(u64) -> u64) -> &Traffic {
        let mut drawn = below(self.total);
        let is_it = |part: &&(u64, Traffic)| {
            let found = drawn < part.0;
            drawn = drawn.wrapping_sub(part.0);
            found
        };
        let found = self.parts.iter().find(is_it);
        &found.unwrap_or(&self.parts[0]).1
    }
}
