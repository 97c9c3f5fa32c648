//! Which networks does no other dominate? The nondominated ones of a list, over keys of which the smaller is the better.

use nestnet_analysis::figures::Range;
use nestnet_topologies::spec::Spec;
use std::cmp::Ordering;

/// Is called again and again while a search runs, with what collects the networks that are Pareto-optimal so far.
pub type Seen<'a, T> = &'a dyn Fn(&dyn Fn() -> Vec<T>);

/// What is certain of one network, key by key.
pub(super) type Keys = Vec<Range>;

/// Those that none dominates by what is guaranteed, the worst that each may be. Indices into `all`, ascending; of equals all.
pub(super) fn guaranteed(all: &[Keys]) -> Vec<usize> {
    let worst = |keys: &Keys| keys.iter().map(|range| range.high).collect();
    unbeaten(&all.iter().map(worst).collect::<Vec<_>>())
}

/// The same, and what they are of.
pub(super) fn guaranteed_of<T: Candidate>(all: Vec<T>) -> Vec<T> {
    let keys: Vec<Keys> = all.iter().map(|one| one.keys().clone()).collect();
    take(all, &guaranteed(&keys))
}

/// Whether one is at least as good in every number, and better in one.
fn dominates(one: &[f64], other: &[f64]) -> bool {
    let pairs = || one.iter().zip(other);
    pairs().all(|(one, other)| one <= other) && pairs().any(|(one, other)| one < other)
}

/// Those that none dominates, as indices into `all`, ascending; of equals all.
fn unbeaten(all: &[Vec<f64>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..all.len()).collect();
    // What dominates another stands before it.
    order.sort_by(|&a, &b| {
        let differ = all[a].iter().zip(&all[b]).map(|(x, y)| x.total_cmp(y)).find(|o| o.is_ne());
        differ.unwrap_or(Ordering::Equal).then(a.cmp(&b))
    });
    let mut front: Vec<usize> = Vec::new();
    for i in order {
        if !front.iter().any(|&by| dominates(&all[by], &all[i])) {
            front.push(i);
        }
    }
    front.sort_unstable();
    front
}

/// What a search for a front must know of a candidate.
pub(super) trait Candidate: Sized {
    /// What is certain of it.
    fn keys(&self) -> &Keys;
    /// Whether more could be found out.
    fn is_open(&self) -> bool;
}

/// The front of candidates of which not everything is known yet, and those that were left open.
///
/// An open candidate counts as good as it may be, any other as bad as it may be. A `batch` at a time is looked at, the
/// smaller its promise the sooner: `look` gives back what is left of it, better known, or as an error all of it, where it has
/// had enough. What is dominated by what is known is pruned, so that at the end everybody on the Pareto front is known, unless
/// it has had enough. `seen` is shown the known ones that none of them dominates, before each look.
pub(super) fn settle<T: Candidate>(
    all: Vec<T>,
    batch: usize,
    promise: impl Fn(&T) -> f64,
    mut look: impl FnMut(Vec<T>) -> Result<Vec<T>, Vec<T>>,
    seen: impl Fn(&[T]),
) -> (Vec<T>, Vec<T>) {
    let (mut open, fresh): (Vec<T>, Vec<T>) = all.into_iter().partition(T::is_open);
    let mut known = unbeaten_of(fresh);
    drop_beaten_by(&mut open, &known);
    loop {
        open.sort_by(|a, b| promise(a).total_cmp(&promise(b)));
        let rest = open.split_off(batch.min(open.len()));
        if open.is_empty() {
            return (known, open);
        }
        seen(&known);
        let better = match look(open) {
            Ok(better) => better,
            Err(left) => return (known, left.into_iter().chain(rest).collect()),
        };
        let (mut still, fresh): (Vec<T>, Vec<T>) = better.into_iter().partition(T::is_open);
        open = rest;
        drop_beaten_by(&mut open, &fresh);
        known.extend(fresh);
        known = unbeaten_of(known);
        drop_beaten_by(&mut still, &known);
        open.extend(still);
    }
}

/// Those that are known and that none of them dominates: what they dominate will never matter.
pub(super) fn best_known<T: Candidate>(all: &[T]) -> Vec<Vec<f64>> {
    let known: Vec<Vec<f64>> = all.iter().filter(|one| !one.is_open()).map(point).collect();
    unbeaten(&known).into_iter().map(|at| known[at].clone()).collect()
}

/// Whether something is dominated, as good as it may be.
pub(super) fn is_beaten(keys: &Keys, by: &[Vec<f64>]) -> bool {
    let own: Vec<f64> = keys.iter().map(|range| range.low).collect();
    by.iter().any(|by| dominates(by, &own))
}

/// Leaves out what is dominated by one that is known; equals stay.
pub(super) fn drop_beaten<T: Candidate>(all: &mut Vec<T>) {
    let best = best_known(all);
    retain_unbeaten(all, &best);
}

/// Leaves out what is dominated by one of these.
fn drop_beaten_by<T: Candidate>(all: &mut Vec<T>, by: &[T]) {
    let by: Vec<Vec<f64>> = by.iter().map(point).collect();
    retain_unbeaten(all, &by);
}

fn retain_unbeaten<T: Candidate>(all: &mut Vec<T>, by: &[Vec<f64>]) {
    if by.is_empty() {
        return;
    }
    all.retain(|one| {
        let own = point(one);
        !by.iter().any(|by| dominates(by, &own))
    });
}

/// Those that none of them dominates.
fn unbeaten_of<T: Candidate>(all: Vec<T>) -> Vec<T> {
    let points: Vec<Vec<f64>> = all.iter().map(point).collect();
    let places = unbeaten(&points);
    take(all, &places)
}

/// As good as it may be where it is open, else as bad.
fn point<T: Candidate>(one: &T) -> Vec<f64> {
    let open = one.is_open();
    one.keys().iter().map(|range| if open { range.low } else { range.high }).collect()
}

/// Those at these places, which ascend.
pub(super) fn take<T>(all: Vec<T>, places: &[usize]) -> Vec<T> {
    let all = all.into_iter().enumerate();
    all.filter(|(i, _)| places.binary_search(i).is_ok()).map(|(_, one)| one).collect()
}

/// Of those with equal keys, by what is guaranteed, the one nested least and written shortest, and how many others there
/// are; the best first.
pub(super) fn fold<T>(
    mut all: Vec<T>,
    keys: impl Fn(&T) -> Keys,
    name: impl Fn(&T) -> (usize, Spec),
) -> Vec<(T, usize)> {
    let worst = |one: &T| -> Vec<f64> { keys(one).iter().map(|range| range.high).collect() };
    all.sort_by_cached_key(|one| {
        let (depth, spec) = name(one);
        let text = spec.to_string();
        (depth, text.len(), text)
    });
    all.sort_by(|a, b| worst(a).partial_cmp(&worst(b)).unwrap_or(Ordering::Equal));
    let mut folded: Vec<(T, usize)> = Vec::new();
    for one in all {
        match folded.last_mut().filter(|(last, _)| worst(last) == worst(&one)) {
            Some((_, others)) => *others += 1,
            None => folded.push((one, 0)),
        }
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The slow reference version: by definition.
    fn beaten_by_definition(all: &[Keys], i: usize) -> bool {
        let high = |j: usize| all[j].iter().map(|range| range.high);
        (0..all.len()).any(|j| {
            high(j).zip(high(i)).all(|(x, y)| x <= y) && high(j).zip(high(i)).any(|(x, y)| x < y)
        })
    }

    #[derive(Debug)]
    struct One {
        name: usize,
        keys: Keys,
        open: bool,
    }

    impl Candidate for One {
        fn keys(&self) -> &Keys {
            &self.keys
        }

        fn is_open(&self) -> bool {
            self.open
        }
    }

    fn keys() -> impl Strategy<Value = Vec<Keys>> {
        let range = (0u8..5, 0u8..3).prop_map(|(low, more)| Range {
            low: low.into(),
            high: f64::from(low) + f64::from(more),
        });
        proptest::collection::vec(proptest::collection::vec(range, 3), 0..40)
    }

    proptest! {
        #![proptest_config(nestnet_seed::config())]

        #[test]
        fn equals_are_one_by_the_shortest_name(all in keys()) {
            let names = ["ring(10)", "torus(3, 3)", "ring(9)"];
            let name = |(at, _): &(usize, Keys)| (0, Spec::parse(names[at % 3]).unwrap());
            let own = |(_, keys): &(usize, Keys)| keys.clone();
            let worst = |keys: &Keys| -> Vec<f64> { keys.iter().map(|range| range.high).collect() };
            let folded = fold(all.iter().cloned().enumerate().collect(), own, name);
            prop_assert!(folded.windows(2).all(|two| worst(&two[0].0.1) < worst(&two[1].0.1)));
            for ((at, keys), others) in folded {
                let equals = (0..).zip(&all).filter(|(_, one)| worst(one) == worst(&keys));
                let equals: Vec<usize> = equals.map(|(at, _)| at).collect();
                let shortest = equals.iter().map(|at| names[at % 3].len()).min();
                prop_assert_eq!((Some(names[at % 3].len()), equals.len()), (shortest, others + 1));
            }
        }

        #[test]
        fn fronts_are_as_defined(all in keys()) {
            let expected: Vec<usize> =
                (0..all.len()).filter(|&i| !beaten_by_definition(&all, i)).collect();
            prop_assert_eq!(guaranteed(&all), expected);
        }

        /// Looking only where it matters finds the front of all that could be known, whatever the batch.
        #[test]
        fn the_front_is_that_of_everything_known(all in keys(), batch in 1usize..5) {
            let known = |keys: &Keys| -> Keys {
                keys.iter().map(|range| Range { low: range.high, ..*range }).collect()
            };
            let open = || -> Vec<One> {
                let all = all.iter().cloned().enumerate();
                all.map(|(name, keys)| One { name, keys, open: true }).collect()
            };
            let mut looks = 0;
            let mut look = |some: Vec<One>| {
                looks += some.len();
                let better = some.into_iter().map(|one| One { keys: known(&one.keys), open: false, ..one });
                Ok(better.collect())
            };
            let names = |front: Vec<One>| -> Vec<usize> {
                let mut names: Vec<usize> = front.iter().map(|one| one.name).collect();
                names.sort_unstable();
                names
            };
            let promise = |one: &One| one.keys[0].low;
            let (front, left) = settle(open(), batch, promise, &mut look, |_| ());
            prop_assert_eq!((names(front), left.len()), (guaranteed(&all), 0));
            prop_assert!(looks <= all.len());
        }
    }
}
