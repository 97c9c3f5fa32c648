//! Large networks that depend on no other: of those that come in every size, the sizes next to the one wanted.
//!
//! Tori, meshes and generalized hypercubes of each number of dimensions have sides that differ by one at most. For the
//! other families, all arguments but the one that sizes grow with most slowly are tried, and of that one the value that
//! reaches the size wanted and the one before; a row may name more. Random networks are as large as wanted, up to [`MAX_DRAWN`] nodes.

use super::candidate::{Given, Topology};
use super::names::{is_left_out, searches, simple};
use super::space::{Space, Step, tuples};
use nestnet_graph::measure::{Interrupted, Watch};
use nestnet_topologies::family::Family;
use std::sync::Arc;

/// The largest random network that is drawn and measured.
pub const MAX_DRAWN: u128 = 1 << 12;

/// The largest degree of a random network where no other is given.
const MAX_DRAWN_DEGREE: u64 = 16;

impl Space<'_> {
    /// Tells `visit` of every network of a wanted size that depends on no other and is not a base.
    pub(super) fn leaves(
        &self,
        watch: &Watch<'_>,
        visit: &mut dyn FnMut(Arc<Topology>),
    ) -> Result<(), Interrupted> {
        let wanted = searches(self.families);
        for family in simple().filter(|family| wanted(family)) {
            watch.check()?;
            let mut keep = |integers: &[u64]| {
                for word in family.words() {
                    let made = self.leaf(family, integers, word);
                    // Those with few nodes are bases, but for those of wide families and with arguments that may be
                    // omitted.
                    let fresh = |made: &Topology| {
                        made.size > self.max_base.into()
                            || Self::is_wide(family)
                            || !family.is_grid() && integers.len() > family.integers().len()
                            || made.built.theory.order() != made.built.theory.hosts()
                            || family.is_drawn()
                    };
                    if let Some(made) =
                        made.filter(|made| self.sizes.contains(&made.size) && fresh(made))
                        && !is_left_out(family, integers, word)
                    {
                        visit(Arc::new(made));
                    }
                }
            };
            if family.is_drawn() {
                self.drawn(family, &mut keep);
            } else if family.is_grid() {
                self.grids(&mut keep);
            } else {
                if let Some(sized) = family.facts.sized {
                    let (least, most) = (*self.sizes.start(), *self.sizes.end());
                    sized(least, most, self.max_degree).iter().for_each(|integers| keep(integers));
                }
                if !Self::is_wide(family) {
                    self.next_to_wanted(family, &mut keep);
                }
            }
        }
        Ok(())
    }

    fn leaf(
        &self,
        family: &'static Family,
        integers: &[u64],
        word: Option<&'static str>,
    ) -> Option<Topology> {
        let integers = integers.iter().map(|&value| Given::Integer(value));
        let args: Vec<Given> = integers.chain(word.map(Given::Word)).collect();
        Topology::new(family, &args, self.context)
    }

    /// Of every degree what the row says is near.
    fn drawn(&self, family: &Family, keep: &mut dyn FnMut(&[u64])) {
        let Some(near) = family.facts.near else { return };
        let Ok(n) = u64::try_from(self.nodes) else { return };
        let most = self.max_degree.min(MAX_DRAWN_DEGREE).min(n.saturating_sub(1));
        if self.nodes <= MAX_DRAWN {
            (3..=most).flat_map(|degree| near(n, degree)).for_each(|integers| keep(&integers));
        }
    }

    /// For each number of dimensions the two products of nearly equal sides next to the size wanted.
    fn grids(&self, keep: &mut dyn FnMut(&[u64])) {
        for dimensions in 2..128u32 {
            let Some(side) = root(self.nodes, dimensions).filter(|&side| side >= 2) else { break };
            let longer = (0..=dimensions).map(|longer| {
                let sides = (0..dimensions).map(|i| side + u64::from(i + longer >= dimensions));
                let sides: Vec<u64> = sides.collect();
                let product = sides.iter().try_fold(1u128, |n, &side| n.checked_mul(side.into()));
                (product.unwrap_or(u128::MAX), sides)
            });
            let longer: Vec<(u128, Vec<u64>)> = longer.collect();
            let reached = longer.partition_point(|(product, _)| *product < self.nodes);
            for (_, sides) in &longer[reached.saturating_sub(1)..longer.len().min(reached + 1)] {
                keep(sides);
            }
        }
    }

    /// All arguments but one, and of that one the two values next to the size wanted.
    fn next_to_wanted(&self, family: &'static Family, keep: &mut dyn FnMut(&[u64])) {
        /// The largest gap between valid values is some hundred, among prime powers.
        const GAP: u64 = 256;
        let ranges = family.integers();
        let word = family.words()[0];
        if ranges.is_empty() {
            return keep(&[]);
        }
        let least: Vec<u64> = ranges.iter().map(|&(least, _)| least).collect();
        let Some(slow) = self.slowest(family, &least, word) else { return };
        let (_, most) = ranges[slow];
        let others: Vec<u64> =
            least.iter().enumerate().filter(|(i, _)| *i != slow).map(|(_, &value)| value).collect();
        let with = |others: &[u64], value: u64| {
            let mut all = others.to_vec();
            all.insert(slow, value);
            all
        };
        tuples(&mut Vec::new(), &others, 2, &mut |others| {
            // The first valid value from here on, and what it makes.
            let next = |from: u64| {
                let values = from..=most.min(from.saturating_add(GAP));
                let mut made =
                    values.map(|value| (value, self.leaf(family, &with(others, value), word)));
                made.find_map(|(value, made)| Some((value, made?)))
            };
            let first = least[slow];
            let Some(made) = self.leaf(family, &with(others, first), word) else {
                return Step::Invalid;
            };
            if made.size > *self.sizes.end() || made.degree > self.max_degree {
                return Step::TooLarge;
            }
            // Double the value until it reaches, then halve what is between.
            let (mut below, mut step) = (first, 1u64);
            // What has too many links is as far as one need look: degrees only grow.
            let reaches = |value: u64| {
                next(value).is_none_or(|(_, made)| {
                    made.size >= self.nodes || made.degree > self.max_degree
                })
            };
            while !reaches(below.saturating_add(step)) && below.saturating_add(step) < most {
                below = below.saturating_add(step);
                step = step.saturating_mul(2);
            }
            let mut above = below.saturating_add(step);
            while above - below > 1 {
                let middle = below + (above - below) / 2;
                if reaches(middle) { above = middle } else { below = middle }
            }
            if let Some((value, _)) = next(above) {
                keep(&with(others, value));
            }
            let valid = |&value: &u64| self.leaf(family, &with(others, value), word).is_some();
            if let Some(value) =
                (first..=below).rev().take(usize::try_from(GAP).unwrap_or(0)).find(valid)
            {
                keep(&with(others, value));
            }
            Step::Fits(made.size)
        });
    }

    /// The place whose value makes sizes grow most slowly; none where one does not at all, of which the row itself says
    /// what is of use.
    fn slowest(
        &self,
        family: &'static Family,
        least: &[u64],
        word: Option<&'static str>,
    ) -> Option<usize> {
        /// Far enough to tell powers from products.
        const AHEAD: u64 = 9;
        // A power of one does not grow.
        let start: Vec<u64> = least.iter().map(|&value| value.max(2)).collect();
        let size = |integers: &[u64]| self.leaf(family, integers, word).map_or(0, |made| made.size);
        let grown = |place: usize| {
            let mut integers = start.clone();
            integers[place] += AHEAD;
            size(&integers)
        };
        let slow = (0..least.len()).min_by_key(|&place| grown(place)).unwrap_or(0);
        let grows = grown(slow) != size(&start);
        (grows || family.facts.sized.is_none()).then_some(slow)
    }
}

/// The largest number whose `exponent`-th power is at most `value`, if it fits.
fn root(value: u128, exponent: u32) -> Option<u64> {
    let power = |side: u64| u128::from(side).checked_pow(exponent).unwrap_or(u128::MAX);
    let (mut low, mut high) = (0u64, u64::MAX);
    while low < high {
        let middle = low + (high - low) / 2 + 1;
        if power(middle) <= value { low = middle } else { high = middle - 1 }
    }
    (low > 0).then_some(low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots() {
        assert_eq!(root(27, 3), Some(3));
        assert_eq!(root(26, 3), Some(2));
        assert_eq!(root(0, 3), None);
        assert_eq!(root(u128::MAX, 2), Some(u64::MAX));
    }
}
