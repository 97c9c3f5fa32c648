//! Which networks does no other beat? The nondominated ones of a list, over keys of which the smaller is the better.

use crate::figures::Range;

/// What is certain of one network, key by key.
pub(super) type Keys = Vec<Range>;

/// Those that none beats by what is guaranteed, the worst that each may be. Indices into `all`, ascending; of equals all.
pub(super) fn guaranteed(all: &[Keys]) -> Vec<usize> {
    let worst = |keys: &Keys| keys.iter().map(|range| range.high).collect();
    unbeaten(&all.iter().map(worst).collect::<Vec<_>>())
}

/// Whether one is at least as good in every number, and better in one.
fn beats(one: &[f64], other: &[f64]) -> bool {
    let pairs = || one.iter().zip(other);
    pairs().all(|(one, other)| one <= other) && pairs().any(|(one, other)| one < other)
}

/// Those that none beats, as indices into `all`, ascending; of equals all.
fn unbeaten(all: &[Vec<f64>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..all.len()).collect();
    // What beats another stands before it.
    order.sort_by(|&a, &b| {
        let differ = all[a].iter().zip(&all[b]).map(|(x, y)| x.total_cmp(y)).find(|o| o.is_ne());
        differ.unwrap_or(std::cmp::Ordering::Equal).then(a.cmp(&b))
    });
    let mut front: Vec<usize> = Vec::new();
    for i in order {
        if !front.iter().any(|&by| beats(&all[by], &all[i])) {
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

/// The front of candidates of which not everything is known yet, and how many were left open.
///
/// An open candidate counts as good as it may be, any other as bad as it may be. The open ones that none beats are looked
/// at: `look` gives back what is left of them, better known. So nobody is looked at who is beaten anyway, and at the end
/// everybody on the front is known, unless `look` gives `None`: then the rest counts as bad as it may be.
pub(super) fn settle<T: Candidate, E>(
    mut all: Vec<T>,
    mut look: impl FnMut(Vec<T>) -> Result<Option<Vec<T>>, E>,
) -> Result<(Vec<T>, usize), E> {
    loop {
        let points: Vec<Vec<f64>> = all.iter().map(point).collect();
        let front = unbeaten(&points);
        let open: Vec<usize> = front.iter().copied().filter(|&i| all[i].is_open()).collect();
        if open.is_empty() {
            return Ok((take(all, &front), 0));
        }
        // What is beaten by what is known will never matter.
        let known: Vec<usize> = front.into_iter().filter(|&i| !all[i].is_open()).collect();
        let (mut next, mut rest) = (Vec::new(), Vec::new());
        for (i, one) in all.into_iter().enumerate() {
            if open.binary_search(&i).is_ok() {
                next.push(one);
            } else if !known.iter().any(|&by| beats(&points[by], &points[i])) {
                rest.push(one);
            }
        }
        let count = next.len();
        match look(next)? {
            Some(better) => rest.extend(better),
            None => {
                let left = count + rest.iter().filter(|one| one.is_open()).count();
                let keys: Vec<Keys> = rest.iter().map(|one| one.keys().clone()).collect();
                return Ok((take(rest, &guaranteed(&keys)), left));
            }
        }
        all = rest;
    }
}

/// Those that are known and that none of them beats: what they beat will never matter.
pub(super) fn best_known<T: Candidate>(all: &[T]) -> Vec<Vec<f64>> {
    let known: Vec<Vec<f64>> = all.iter().filter(|one| !one.is_open()).map(point).collect();
    unbeaten(&known).into_iter().map(|at| known[at].clone()).collect()
}

/// Whether something is beaten, as good as it may be.
pub(super) fn is_beaten(keys: &Keys, by: &[Vec<f64>]) -> bool {
    let own: Vec<f64> = keys.iter().map(|range| range.low).collect();
    by.iter().any(|by| beats(by, &own))
}

/// Leaves out what is beaten by one that is known; equals stay.
pub(super) fn drop_beaten<T: Candidate>(all: &mut Vec<T>) {
    let best = best_known(all);
    all.retain(|one| {
        let own = point(one);
        !best.iter().any(|by| beats(by, &own))
    });
}

/// The same, a `batch` at a time by what is promised, the smaller the sooner: where candidates are so many that finding
/// the best of them over and over would take longer than looking. What is open when `look` gives `None` is left out.
pub(super) fn settle_by_promise<T: Candidate, E>(
    mut all: Vec<T>,
    batch: usize,
    promise: impl Fn(&T) -> f64,
    mut look: impl FnMut(Vec<T>) -> Result<Option<Vec<T>>, E>,
) -> Result<(Vec<T>, usize), E> {
    let mut known: Vec<T> = Vec::new();
    loop {
        all.sort_by(|a, b| promise(a).total_cmp(&promise(b)));
        let rest = all.split_off(batch.min(all.len()));
        let count = all.len();
        if count == 0 {
            return Ok((known, 0));
        }
        let Some(better) = look(all)? else { return Ok((known, count + rest.len())) };
        let (mut open, fresh): (Vec<T>, Vec<T>) = better.into_iter().partition(T::is_open);
        let is_beaten = |one: &T, by: &[Vec<f64>]| {
            let own = point(one);
            by.iter().any(|by| beats(by, &own))
        };
        let points: Vec<Vec<f64>> = fresh.iter().map(point).collect();
        all = rest;
        all.retain(|one| !is_beaten(one, &points));
        known.extend(fresh);
        let points: Vec<Vec<f64>> = known.iter().map(point).collect();
        open.retain(|one| !is_beaten(one, &points));
        all.extend(open);
        known = take(known, &unbeaten(&points));
    }
}

/// As good as it may be where it is open, else as bad.
fn point<T: Candidate>(one: &T) -> Vec<f64> {
    let open = one.is_open();
    one.keys().iter().map(|range| if open { range.low } else { range.high }).collect()
}

/// Those at these places, which ascend.
fn take<T>(all: Vec<T>, places: &[usize]) -> Vec<T> {
    let all = all.into_iter().enumerate();
    all.filter(|(i, _)| places.binary_search(i).is_ok()).map(|(_, one)| one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The slow twin: by definition.
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
                Ok::<_, ()>(Some(better.collect()))
            };
            let names = |front: Vec<One>| -> Vec<usize> {
                let mut names: Vec<usize> = front.iter().map(|one| one.name).collect();
                names.sort_unstable();
                names
            };
            let (front, left) = settle(open(), &mut look).unwrap();
            prop_assert_eq!((names(front), left), (guaranteed(&all), 0));
            let promise = |one: &One| one.keys[0].low;
            let (front, left) = settle_by_promise(open(), batch, promise, &mut look).unwrap();
            prop_assert_eq!((names(front), left), (guaranteed(&all), 0));
            prop_assert!(looks <= 2 * all.len());
        }
    }
}
