//! How many links join every two cells: counted one by one, or by the rule where there are too many nodes to count.

use super::DrawError;
use super::layer::{Cord, Digit, Joints, Spread};
use super::plan::Plan;
use nestnet_graph::measure::Watch;
use nestnet_graph::{Network, Node};
use num_traits::ToPrimitive;
use std::collections::BTreeMap;

/// All links of one level between two cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bundle {
    /// The level of the links.
    pub level: u16,
    /// The cell of the lower number.
    pub from: u64,
    /// The other.
    pub to: u64,
    /// How many links.
    pub links: u64,
}

impl Bundle {
    /// More links than fit are as many as fit.
    pub(super) fn of(cord: &Cord) -> Self {
        let links = cord.links.to_u64().unwrap_or(u64::MAX);
        Bundle { level: cord.level, from: cord.from as u64, to: cord.to as u64, links }
    }
}

/// Up to this order all links are looked at one by one.
pub const MAX_WALKED: u64 = 1 << 20;

/// Between all cells that the first `depth` layers tell apart, by walking all links, until there are more bundles than
/// `limit`. O(links · log bundles).
pub fn counted(
    network: &dyn Network,
    plan: &Plan,
    depth: usize,
    limit: u64,
    watch: &Watch<'_>,
) -> Result<Vec<Bundle>, DrawError> {
    let mut bundles: BTreeMap<(u16, u64, u64), u64> = BTreeMap::new();
    let mut found: Vec<(u16, u64, u64)> = Vec::new();
    let mut flush = |found: &mut Vec<(u16, u64, u64)>| {
        found.sort_unstable();
        for run in found.chunk_by(|a, b| a == b) {
            *bundles.entry(run[0]).or_default() += run.len() as u64;
        }
        found.clear();
        let lines = bundles.len() as u128;
        if lines > limit.into() { Err(DrawError::TooManyLines { lines, limit }) } else { Ok(()) }
    };
    for at in (0..network.order()).map(Node) {
        let from = plan.cell_of(at, depth);
        network.for_each_neighbor(at, &mut |port, to| {
            if at < to {
                let to = plan.cell_of(to, depth);
                if from != to {
                    found.push((network.level(at, port), from.min(to), from.max(to)));
                }
            }
        });
        if found.len() > 1 << 16 {
            watch.check()?;
            flush(&mut found)?;
        }
    }
    flush(&mut found)?;
    let bundle = |((level, from, to), links)| Bundle { level, from, to, links };
    Ok(bundles.into_iter().map(bundle).collect())
}

/// How many bundles the rule would list, if it says how cells of this depth are joined.
pub fn by_rule_count(plan: &Plan, depth: usize) -> Option<u128> {
    let cells = u128::from(plan.cells(depth));
    match plan.joints() {
        Joints::Counted => None,
        Joints::ByRule(tally) => tally.count(&[], depth),
        Joints::EveryTwo { layers, .. } => (depth <= *layers).then(|| cells * cells / 2),
        Joints::Bipartite { layers } => (depth <= *layers).then(|| cells * cells / 4),
        Joints::Digits(digits) => {
            let layers: usize = digits.iter().map(|digit| digit.layers).sum();
            let ports = digits.iter().map(|digit| u128::from(digit.network.ports())).sum::<u128>();
            // A digit that is distinguished in part is walked.
            let walked = digits.iter().all(|digit| digit.network.order() <= MAX_WALKED);
            (depth <= layers && walked).then(|| cells * ports)
        }
    }
}

/// Between all cells of that depth, by the rule.
pub fn by_rule(plan: &Plan, depth: usize, watch: &Watch<'_>) -> Result<Vec<Bundle>, DrawError> {
    let cells = plan.cells(depth);
    let level = plan.layers().first().map_or(0, |layer| layer.level);
    match plan.joints() {
        Joints::Counted => Ok(Vec::new()),
        Joints::ByRule(tally) => Ok(tally.cords(&[], depth).iter().map(Bundle::of).collect()),
        Joints::EveryTwo { layers, links, opposite } => {
            let size = clusters_a_cell(plan, depth, *layers);
            let (links, more) = (size.saturating_mul(size).saturating_mul(*links), size * opposite);
            let pairs = (0..cells).flat_map(|from| (from + 1..cells).map(move |to| (from, to)));
            let bundle = |(from, to)| {
                let more = if from + to + 1 == cells { more } else { 0 };
                Bundle { level, from, to, links: links.saturating_add(more) }
            };
            Ok(pairs.map(bundle).collect())
        }
        Joints::Bipartite { layers } => {
            let size = clusters_a_cell(plan, depth, *layers);
            let (half, links) = (cells / 2, size.saturating_mul(size));
            let pairs = (0..half).flat_map(|from| (half..cells).map(move |to| (from, to)));
            Ok(pairs.map(|(from, to)| Bundle { level, from, to, links }).collect())
        }
        Joints::Digits(digits) => of_digits(plan, digits, depth, watch),
    }
}

/// How many clusters are in one cell of a depth that does not distinguish all of them.
fn clusters_a_cell(plan: &Plan, depth: usize, layers: usize) -> u64 {
    plan.cells(layers) / plan.cells(depth)
}

fn of_digits(
    plan: &Plan,
    digits: &[Digit],
    depth: usize,
    watch: &Watch<'_>,
) -> Result<Vec<Bundle>, DrawError> {
    let cells = plan.cells(depth);
    let mut all = Vec::new();
    let mut first = 0;
    for digit in digits {
        if first >= depth {
            break;
        }
        let end = (first + digit.layers).min(depth);
        // The values of this digit, as far as they are distinguished, and what stands behind it.
        let values = plan.cells(end) / plan.cells(first);
        let behind = cells / plan.cells(end);
        let values_a_group = digit.network.order() / values;
        let level = plan.layers()[first].level;
        let mut groups: BTreeMap<(u64, u64), u64> = BTreeMap::new();
        for at in (0..digit.network.order()).map(Node) {
            let from = at.0 / values_a_group;
            digit.network.for_each_neighbor(at, &mut |_, to| {
                let to = to.0 / values_a_group;
                if from < to {
                    *groups.entry((from, to)).or_default() += 1;
                }
            });
        }
        let (parts, links) = match digit.spread {
            Spread::Even => (behind, digit.links / behind),
            Spread::AtZero => (1, digit.links),
        };
        for (&(from, to), &times) in &groups {
            watch.check()?;
            for outside in 0..plan.cells(first) {
                for part in 0..parts {
                    let cell = |value| (outside * values + value) * behind + part;
                    let links = links.saturating_mul(times);
                    all.push(Bundle { level, from: cell(from), to: cell(to), links });
                }
            }
        }
        first = end;
    }
    all.sort_unstable();
    Ok(all)
}
