//! How many links join parts of one cell, by the rule of a plan, where there are too many nodes to walk?

use super::atlas::Part;
use super::layer::{Cord, Digit, Joints, Layer, Spread, size};
use nestnet_graph::measure::{Interrupted, Watch};
use nestnet_graph::{Node, index};
use num_bigint::BigUint;
use num_traits::{One, Zero};
use std::collections::BTreeMap;

/// A digit with more values is not walked.
const MAX_VALUES: u64 = 1 << 18;

/// More lines than these are not listed.
const MAX_CORDS: u64 = 50_000;

/// The links of a spot that lead out of the cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaving {
    /// The number of the spot.
    pub spot: usize,
    /// The first digit in which their other ends differ, from 0 on.
    pub layer: usize,
    /// How many.
    pub links: BigUint,
}

fn count(layers: &[Layer]) -> u64 {
    layers.iter().fold(1, |n: u64, layer| n.saturating_mul(layer.shape.places()))
}

/// Between all cells that `shown` layers below `path` tell apart, if the rule of this plan says it.
pub(super) fn by_rule(
    part: &Part<'_>,
    path: &[u64],
    shown: usize,
    watch: &Watch<'_>,
) -> Result<Option<Vec<Cord>>, Interrupted> {
    let layers = part.plan.layers();
    let (depth, end) = (path.len(), path.len() + shown);
    let spots = count(&layers[depth..end]);
    let level = layers.first().map_or(0, |layer| layer.level);
    match part.plan.joints() {
        Joints::Counted => Ok(None),
        Joints::ByRule(tally) => {
            let few = tally.count(path, shown).is_some_and(|lines| lines <= MAX_CORDS.into());
            Ok(few.then(|| tally.cords(path, shown)))
        }
        Joints::Bipartite { layers: distinct } | Joints::EveryTwo { layers: distinct, .. }
            if end > *distinct =>
        {
            Ok(None)
        }
        _ if spots.saturating_mul(spots) > 4 * MAX_CORDS && !is_by_digits(part) => Ok(None),
        // All of one kind.
        Joints::Bipartite { .. } if depth > 0 => Ok(Some(Vec::new())),
        Joints::Bipartite { layers: distinct } => {
            let clusters = size(&layers[end..*distinct]);
            let (half, links) = (spots / 2, &clusters * &clusters);
            let pairs = (0..half).flat_map(|from| (half..spots).map(move |to| (from, to)));
            let cord =
                |(from, to)| Cord { level, from: index(from), to: index(to), links: links.clone() };
            Ok(Some(pairs.map(cord).collect()))
        }
        Joints::EveryTwo { layers: distinct, links, opposite } => {
            let clusters = size(&layers[end..*distinct]);
            let links = &clusters * &clusters * *links;
            let more = &clusters * *opposite;
            // Opposite cells lie in one cell only where that lies opposite to itself.
            let turned = layers.iter().zip(path).all(|(l, d)| 2 * d + 1 == l.shape.places());
            let pairs = (0..spots).flat_map(|from| (from + 1..spots).map(move |to| (from, to)));
            let cord = |(from, to)| {
                let faces = turned && from + to + 1 == spots;
                let links = if faces { &links + &more } else { links.clone() };
                Cord { level, from: index(from), to: index(to), links }
            };
            Ok(Some(pairs.map(cord).collect()))
        }
        Joints::Digits(digits) => of_digits(part, digits, path, shown, watch),
    }
}

fn is_by_digits(part: &Part<'_>) -> bool {
    matches!(part.plan.joints(), Joints::Digits(_))
}

fn of_digits(
    part: &Part<'_>,
    digits: &[Digit],
    path: &[u64],
    shown: usize,
    watch: &Watch<'_>,
) -> Result<Option<Vec<Cord>>, Interrupted> {
    let layers = part.plan.layers();
    let (depth, end) = (path.len(), path.len() + shown);
    let distinct: usize = digits.iter().map(|digit| digit.layers).sum();
    if end > distinct || part.plan.is_seated() {
        return Ok(None);
    }
    let mut cords: BTreeMap<(u16, u64, u64), BigUint> = BTreeMap::new();
    let mut first = 0;
    for digit in digits {
        let next = first + digit.layers;
        let (from_layer, to_layer) = (first.max(depth), next.min(end));
        let range = first..next;
        first = next;
        if from_layer >= to_layer {
            continue;
        }
        if digit.network.order() > MAX_VALUES || digit.links == u64::MAX {
            return Ok(None);
        }
        watch.check()?;
        // What of this digit the path has said, what is distinguished, and what is left.
        let said = layers[range.start..from_layer].iter().zip(&path[range.start.min(depth)..]);
        let said = said.fold(0, |at, (layer, digit)| at * layer.shape.places() + digit);
        let values = count(&layers[from_layer..to_layer]);
        let left = count(&layers[to_layer..range.end]);
        let group = |at: u64| {
            let value = at / left;
            (value / values == said).then_some(value % values)
        };
        let mut groups: BTreeMap<(u64, u64), u64> = BTreeMap::new();
        for at in (0..digit.network.order()).map(Node) {
            let Some(from) = group(at.0) else { continue };
            digit.network.for_each_neighbor(at, &mut |_, to| {
                if let Some(to) = group(to.0).filter(|&to| from < to) {
                    *groups.entry((from, to)).or_default() += 1;
                }
            });
        }
        let outside = count(&layers[depth..from_layer]);
        let behind = count(&layers[to_layer.max(range.end).min(end)..end]);
        let (parts, links) = match digit.spread {
            Spread::Even => (behind, digit.links / behind),
            Spread::AtZero => (1, digit.links),
        };
        let lines = outside.saturating_mul(parts).saturating_mul(groups.len() as u64);
        if lines.saturating_add(cords.len() as u64) > MAX_CORDS {
            return Ok(None);
        }
        let level = layers[range.start].level;
        for (&(from, to), &times) in &groups {
            for before in 0..outside {
                for behind_it in 0..parts {
                    let spot = |value| (before * values + value) * behind + behind_it;
                    let links = BigUint::from(links) * times;
                    *cords.entry((level, spot(from), spot(to))).or_insert_with(BigUint::zero) +=
                        links;
                }
            }
        }
    }
    let cord = |((level, from, to), links)| Cord { level, from: index(from), to: index(to), links };
    Ok(Some(cords.into_iter().map(cord).collect()))
}

/// The links of every spot that leave the cell by the rule of this plan, where it says them all.
pub(super) fn leaving(
    part: &Part<'_>,
    path: &[u64],
    shown: usize,
    before: usize,
) -> Option<Vec<Leaving>> {
    if path.is_empty() {
        return Some(Vec::new());
    }
    let layers = part.plan.layers();
    let (depth, end) = (path.len(), path.len() + shown);
    match part.plan.joints() {
        Joints::Bipartite { .. } => outer(part, path, shown, &size(&layers[end..]), before),
        Joints::EveryTwo { layers: distinct, links, opposite: 0 } if end <= *distinct => {
            let mine = size(&layers[end..*distinct]) * *links;
            let spots = count(&layers[depth..end]);
            let mut all = Vec::new();
            for layer in 0..depth {
                let others = size(&layers[layer..*distinct]) - size(&layers[layer + 1..*distinct]);
                let links = &mine * others;
                all.extend((0..spots).map(|spot| Leaving {
                    spot: index(spot),
                    layer: before + layer,
                    links: links.clone(),
                }));
            }
            Some(all)
        }
        _ => None,
    }
}

/// The links of every spot by the rule of a plan that stands around the cell, where it says them all: of two kinds of
/// clusters, each node has one link to the other kind.
pub(super) fn outer(
    part: &Part<'_>,
    path: &[u64],
    shown: usize,
    spot: &BigUint,
    before: usize,
) -> Option<Vec<Leaving>> {
    part.bipartite()?;
    let layers = part.plan.layers();
    let spots = count(&layers[path.len()..path.len() + shown]);
    debug_assert!(*spot >= BigUint::one());
    let leaving = |at| Leaving { spot: index(at), layer: before, links: spot.clone() };
    Some((0..spots).map(leaving).collect())
}
