//! Which networks does no other beat? The nondominated ones of a list, over keys of which the smaller is the better.

use crate::figures::Range;

/// What is certain of one network, key by key.
pub(super) type Keys = Vec<Range>;

/// Those that none beats by what is guaranteed, the worst that each may be. Indices into `all`, ascending; of equals all.
pub(super) fn guaranteed(all: &[Keys]) -> Vec<usize> {
    let worst = |i: usize| all[i].iter().map(|range| range.high);
    let mut order: Vec<usize> = (0..all.len()).collect();
    // What beats another stands before it.
    order.sort_by(|&a, &b| {
        let differ = worst(a).zip(worst(b)).map(|(x, y)| x.total_cmp(&y)).find(|o| o.is_ne());
        differ.unwrap_or(std::cmp::Ordering::Equal).then(a.cmp(&b))
    });
    let mut front: Vec<usize> = Vec::new();
    for i in order {
        let beats = |&by: &usize| {
            worst(by).zip(worst(i)).all(|(x, y)| x <= y)
                && worst(by).zip(worst(i)).any(|(x, y)| x < y)
        };
        if !front.iter().any(beats) {
            front.push(i);
        }
    }
    front.sort_unstable();
    front
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
    }
}
