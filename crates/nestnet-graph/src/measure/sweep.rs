//! Breadth-first search from many nodes at once: one bit for each source, 512 of them in a cache line.
//!
//! After k steps, bit s of row v says whether v is within k steps of source s; a step ors the rows of all neighbors.
//! Counting bits gives the histogram, and no queue is needed. While balls are small a search from each source alone
//! touches fewer rows, so the first steps are taken that way; rows that are full are passed over.

use super::{Interrupted, Watch, count, nodes};
use crate::{Csr, Network};
use multiversion::multiversion;
use rayon::prelude::*;
use std::fmt;
use std::sync::atomic::AtomicU64;

/// Sources that are searched from together.
pub const WIDTH: usize = 512;

/// A bit for each source: a cache line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
struct Row([u64; WIDTH / 64]);

const EMPTY: Row = Row([0; WIDTH / 64]);

/// A source, and how many nodes it represents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    /// Where the search begins.
    pub node: u32,
    /// What its counts are multiplied by.
    pub weight: u64,
}

/// What a sweep finds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Swept {
    /// Pairs by distance, each source counted by its weight, and each target by its own where they have any.
    pub pairs: Vec<u128>,
    /// The largest distance from each source, in the order in which they were given.
    pub eccentricities: Vec<u32>,
    /// Whether every source reaches every node.
    pub connected: bool,
}

/// Where searches from many nodes run: on the threads of this process or on a GPU. What is found does not depend on it.
pub trait Sweeper: fmt::Debug + Sync {
    /// Searches from all `sources`; node `v` counts `targets[v]` times in the pairs, or once where there are no targets.
    fn sweep(
        &self,
        csr: &Csr,
        sources: &[Source],
        targets: Option<&[u32]>,
        watch: &Watch<'_>,
    ) -> Result<Swept, Interrupted>;

    /// The least memory that it takes beside the network, in bytes.
    fn bytes(&self, csr: &Csr) -> u128;

    /// Row operations that it does, by a cautious count, while one core does one.
    fn steps_at_once(&self) -> u128;
}

/// The threads of this process.
#[derive(Clone, Copy, Debug)]
pub struct Threads;

impl Sweeper for Threads {
    fn sweep(
        &self,
        csr: &Csr,
        sources: &[Source],
        targets: Option<&[u32]>,
        watch: &Watch<'_>,
    ) -> Result<Swept, Interrupted> {
        sweep_weighed(csr, sources, targets, watch)
    }

    fn bytes(&self, csr: &Csr) -> u128 {
        rayon::current_num_threads() as u128 * sweep_bytes(csr.order())
    }

    fn steps_at_once(&self) -> u128 {
        1
    }
}

/// Bytes that each thread of [`sweep`] takes.
pub fn sweep_bytes(order: u64) -> u128 {
    2 * 64 * u128::from(order)
}

/// Searches from all `sources`. Exact; O(sources/512 · diameter · links) row operations, on all threads.
pub fn sweep(csr: &Csr, sources: &[Source], watch: &Watch<'_>) -> Result<Swept, Interrupted> {
    sweep_weighed(csr, sources, None, watch)
}

/// The same with nodes that count as often as `targets` says.
fn sweep_weighed(
    csr: &Csr,
    sources: &[Source],
    targets: Option<&[u32]>,
    watch: &Watch<'_>,
) -> Result<Swept, Interrupted> {
    let batches: Vec<&[Source]> = sources.chunks(WIDTH).collect();
    let done = AtomicU64::new(0);
    let total = batches.len() as u64;
    let swept: Vec<Swept> = batches
        .into_par_iter()
        .map_init(
            || (vec![EMPTY; count(csr)], vec![EMPTY; count(csr)]),
            |(rows, next), batch| {
                let swept = sweep_batch(csr, batch, targets, rows, next, watch)?;
                watch.step(&done, total)?;
                Ok(swept)
            },
        )
        .collect::<Result<_, _>>()?;
    let mut all = Swept { connected: true, ..Swept::default() };
    for one in swept {
        all.pairs.resize(all.pairs.len().max(one.pairs.len()), 0);
        all.pairs.iter_mut().zip(&one.pairs).for_each(|(sum, pairs)| *sum += pairs);
        all.eccentricities.extend(one.eccentricities);
        all.connected &= one.connected;
    }
    Ok(all)
}

/// The sources of one weight, as a mask.
struct Class {
    mask: Row,
    weight: u64,
}

fn classes(batch: &[Source]) -> Vec<Class> {
    let mut classes: Vec<Class> = Vec::new();
    for (bit, source) in batch.iter().enumerate() {
        let found = classes.iter().position(|class| class.weight == source.weight);
        let class = found.unwrap_or_else(|| {
            classes.push(Class { mask: EMPTY, weight: source.weight });
            classes.len() - 1
        });
        classes[class].mask.0[bit / 64] |= 1 << (bit % 64);
    }
    classes
}

fn sweep_batch(
    csr: &Csr,
    batch: &[Source],
    targets: Option<&[u32]>,
    rows: &mut Vec<Row>,
    next: &mut Vec<Row>,
    watch: &Watch<'_>,
) -> Result<Swept, Interrupted> {
    rows.fill(EMPTY);
    let classes = classes(batch);
    let mut full = EMPTY;
    for class in &classes {
        full.0.iter_mut().zip(class.mask.0).for_each(|(full, mask)| *full |= mask);
    }
    let mut swept = begin(csr, batch, targets, rows);
    loop {
        watch.check()?;
        let mut new = vec![0u64; classes.len()];
        let changed = step(csr, rows, next, &full, &classes, targets, &mut new);
        if changed == EMPTY {
            break;
        }
        std::mem::swap(rows, next);
        let distance = u32::try_from(swept.pairs.len()).expect("at most as many steps as nodes");
        for (bit, eccentricity) in swept.eccentricities.iter_mut().enumerate() {
            if changed.0[bit / 64] >> (bit % 64) & 1 == 1 {
                *eccentricity = distance;
            }
        }
        let weighed = |(class, new): (&Class, &u64)| u128::from(*new) * u128::from(class.weight);
        swept.pairs.push(classes.iter().zip(&new).map(weighed).sum());
    }
    swept.connected = rows.iter().all(|row| *row == full);
    Ok(swept)
}

/// The first steps, from each source alone, while its ball is a small part of the network.
///
/// All sources take the same number of steps: as many as the largest degree allows within a 256th of the nodes.
fn begin(csr: &Csr, batch: &[Source], targets: Option<&[u32]>, rows: &mut [Row]) -> Swept {
    let weigh = |reached: &[u32]| match targets {
        Some(targets) => reached.iter().map(|&at| u128::from(targets[at as usize])).sum(),
        None => reached.len() as u128,
    };
    let degree = u64::from(csr.ports());
    let mut steps = 0;
    let mut sphere = degree;
    while degree > 2 && sphere <= csr.order() / 256 {
        steps += 1;
        sphere *= degree - 1;
    }
    let mut pairs = vec![0u128; 1];
    let mut eccentricities = Vec::with_capacity(batch.len());
    let mut ball: Vec<u32> = Vec::new();
    for (bit, source) in batch.iter().enumerate() {
        let (word, mask) = (bit / 64, 1u64 << (bit % 64));
        rows[source.node as usize].0[word] |= mask;
        ball.clear();
        ball.push(source.node);
        pairs[0] += weigh(&ball) * u128::from(source.weight);
        let mut frontier = 0..1;
        let mut eccentricity = 0;
        for step in 1..=steps {
            for index in frontier.clone() {
                for &to in csr.neighbors(ball[index]) {
                    let row = &mut rows[to as usize].0[word];
                    if *row & mask == 0 {
                        *row |= mask;
                        ball.push(to);
                    }
                }
            }
            frontier = frontier.end..ball.len();
            if frontier.is_empty() {
                break;
            }
            eccentricity = step;
            pairs.resize(pairs.len().max(step as usize + 1), 0);
            pairs[step as usize] += weigh(&ball[frontier.clone()]) * u128::from(source.weight);
        }
        eccentricities.push(eccentricity);
    }
    Swept { pairs, eccentricities, connected: false }
}

/// One step for all rows: adds the number of new bits of each class and returns the sources that reached any.
#[multiversion(targets(
    "x86_64+avx512f+avx512vl+avx512bw+avx512dq+avx512vpopcntdq",
    "x86_64+avx2+popcnt"
))]
fn step(
    csr: &Csr,
    rows: &[Row],
    next: &mut [Row],
    full: &Row,
    classes: &[Class],
    targets: Option<&[u32]>,
    counts: &mut [u64],
) -> Row {
    let mut changed = EMPTY;
    for ((at, row), next) in nodes(csr).zip(rows).zip(next) {
        if row == full {
            *next = *row;
            continue;
        }
        let mut sum = row.0;
        for &to in csr.neighbors(at) {
            sum.iter_mut().zip(rows[to as usize].0).for_each(|(sum, other)| *sum |= other);
        }
        *next = Row(sum);
        sum.iter_mut().zip(row.0).for_each(|(sum, before)| *sum ^= before);
        changed.0.iter_mut().zip(sum).for_each(|(changed, new)| *changed |= new);
        for (class, count) in classes.iter().zip(counts.iter_mut()) {
            let ones = sum.iter().zip(class.mask.0).map(|(new, mask)| (new & mask).count_ones());
            let weight = targets.map_or(1, |targets| u64::from(targets[at as usize]));
            *count += weight * ones.map(u64::from).sum::<u64>();
        }
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Node;
    use crate::measure::search::distances_from;
    use crate::samples::{graph, ring, torus};

    /// Sources of two weights all over a network.
    fn sources(csr: &Csr, number: u32) -> Vec<Source> {
        let order = u32::try_from(csr.order()).unwrap();
        let source = |at: u32| Source { node: 31 * at % order, weight: 1 + u64::from(at % 2) };
        (0..number).map(source).collect()
    }

    /// In a torus of 56 by 56, 12 nodes are a 256th of all: four neighbors, and no more than twelve behind them.
    #[test]
    fn the_first_steps_are_taken_from_each_source_alone() {
        let csr = torus(56, 56);
        let sources = sources(&csr, 100);
        let mut rows = vec![EMPTY; count(&csr)];
        let begun = begin(&csr, &sources, None, &mut rows);
        assert_eq!(begun.pairs, [150, 4 * 150, 8 * 150]);
        assert_eq!(begun.eccentricities, [2; 100]);
        for (bit, source) in sources.iter().enumerate() {
            let distances = distances_from(&csr, Node(source.node.into()));
            for (row, distance) in rows.iter().zip(distances) {
                assert_eq!(row.0[bit / 64] >> (bit % 64) & 1 == 1, distance <= 2);
            }
        }
    }

    /// One search after the other.
    fn slowly(csr: &Csr, sources: &[Source], targets: Option<&[u32]>) -> Swept {
        let mut swept = Swept { connected: true, ..Swept::default() };
        for source in sources {
            let mut eccentricity = 0;
            for (at, distance) in
                distances_from(csr, Node(source.node.into())).into_iter().enumerate()
            {
                if distance == u32::MAX {
                    swept.connected = false;
                    continue;
                }
                eccentricity = eccentricity.max(distance);
                swept.pairs.resize(swept.pairs.len().max(distance as usize + 1), 0);
                let weight = targets.map_or(1, |targets| u128::from(targets[at]));
                swept.pairs[distance as usize] += weight * u128::from(source.weight);
            }
            swept.eccentricities.push(eccentricity);
        }
        swept
    }

    #[test]
    fn sweeps_are_searches_one_after_the_other() {
        // Complete graphs of four: every ball is whole after one of the two steps that are taken alone.
        let fours = (0..400).flat_map(|at| {
            let pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
            pairs.map(|(a, b)| (4 * at + a, 4 * at + b))
        });
        let fours = graph(1600, &fours.collect::<Vec<_>>());
        let hub = graph(900, &(1..900).map(|at| (0, at)).collect::<Vec<_>>());
        for csr in [torus(56, 56), torus(3, 400), fours, hub, ring(300)] {
            let sources = sources(&csr, 600);
            let swept = sweep(&csr, &sources, &Watch::SILENT).unwrap();
            assert_eq!(swept, slowly(&csr, &sources, None));
            let targets: Vec<u32> = nodes(&csr).map(|at| at * 7 % 5).collect();
            let weighed = Threads.sweep(&csr, &sources, Some(&targets), &Watch::SILENT).unwrap();
            assert_eq!(weighed, slowly(&csr, &sources, Some(&targets)));
        }
    }
}
