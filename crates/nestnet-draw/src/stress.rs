//! Where do the nodes of a network lie that says nothing of itself? As far apart as they are in hops.
//!
//! The stress of a picture is the sum of ((distance in it − hops) / hops)² over all pairs. It is lowered pair by pair with
//! steps that become smaller (Zheng, Pawar, Goodman: Graph Drawing by Stochastic Gradient Descent, 2019), in an order
//! that is drawn once and for all, so that equal networks give equal pictures. Of a large network the pairs are its links
//! and those of every node with some pivots, each of which counts for the nodes around it (Ortmann, Klimenta, Brandes: A
//! Sparse Stress Model, 2017).

use super::Point;
use nestnet_graph::measure::search::distances_from;
use nestnet_graph::measure::{Interrupted, Watch};
use nestnet_graph::{Network, Node};
use std::collections::BTreeMap;

/// Larger networks are not laid out.
pub const MAX_NODES: u64 = 3_000;

/// Up to as many nodes all pairs are looked at.
const MAX_PAIRED: usize = 400;

/// So many pivots of a larger one.
const PIVOTS: usize = 120;

/// How often all pairs are looked at.
const ROUNDS: u32 = 30;

/// Numbers that look drawn at random, the same ones every time.
pub(super) struct Draws(u64);

impl Default for Draws {
    fn default() -> Self {
        Draws(0x9e37_79b9_7f4a_7c15)
    }
}

impl Draws {
    /// A number below that one.
    pub(super) fn below(&mut self, end: usize) -> usize {
        let Draws(draw) = self;
        *draw =
            draw.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((*draw >> 33) % end.max(1) as u64).unwrap_or(0)
    }
}

/// Two nodes that should be `hops` apart.
struct Pair {
    a: usize,
    b: usize,
    hops: f64,
    /// How much either end heeds the other.
    weights: [f64; 2],
}

/// Where the nodes lie. O(nodes²) for each of a few rounds up to 400 nodes, beyond O(nodes · 120 + links); nothing where
/// there are too many or fewer than two.
pub fn layout(network: &dyn Network, watch: &Watch<'_>) -> Result<Option<Vec<Point>>, Interrupted> {
    let order = network.order();
    let fits = (2..=MAX_NODES).contains(&order);
    let Some(count) = usize::try_from(order).ok().filter(|_| fits) else { return Ok(None) };
    let (mut pairs, longest) = if count <= MAX_PAIRED {
        all_pairs(network, count, watch)?
    } else {
        sparse_pairs(network, count, watch)?
    };
    let mut draws = Draws::default();
    for last in (1..pairs.len()).rev() {
        pairs.swap(last, draws.below(last + 1));
    }
    let turn = |at: usize| std::f64::consts::TAU * at as f64 / count as f64;
    let mut points: Vec<Point> =
        (0..count).map(|at| Point::new(turn(at).cos(), turn(at).sin()) * longest).collect();
    let weights = || pairs.iter().flat_map(|pair| pair.weights).filter(|&weight| weight > 0.0);
    let most = 1.0 / weights().fold(f64::INFINITY, f64::min);
    let least = 0.05 / weights().fold(0.0, f64::max);
    for round in 0..ROUNDS {
        watch.check()?;
        let part = f64::from(round) / f64::from(ROUNDS - 1);
        let step = most * (least / most).powf(part);
        for &Pair { a, b, hops, weights } in &pairs {
            let between = points[a] - points[b];
            let far = between.length().max(1e-9);
            let moved = between * ((far - hops) / (2.0 * far));
            let [first, second] = weights.map(|weight| (step * weight).min(1.0));
            points[a] = points[a] - moved * first;
            points[b] = points[b] + moved * second;
        }
    }
    separate(&mut points, 0.42);
    Ok(Some(points))
}

/// Parts without a path between them lie a little further apart than any that have one.
fn joined(hops: u32) -> Option<f64> {
    (hops != u32::MAX).then(|| f64::from(hops))
}

fn all_pairs(
    network: &dyn Network,
    count: usize,
    watch: &Watch<'_>,
) -> Result<(Vec<Pair>, f64), Interrupted> {
    let mut found = Vec::with_capacity(count * count / 2);
    let mut longest = 1.0f64;
    for from in 0..count {
        watch.check()?;
        let hops = distances_from(network, Node(from as u64));
        for (to, &hops) in hops.iter().enumerate().take(from) {
            let hops = joined(hops);
            longest = longest.max(hops.unwrap_or(0.0));
            found.push((from, to, hops));
        }
    }
    let pair = |(a, b, hops): (usize, usize, Option<f64>)| {
        let hops = hops.unwrap_or(longest + 1.0);
        Pair { a, b, hops, weights: [1.0 / (hops * hops); 2] }
    };
    Ok((found.into_iter().map(pair).collect(), longest))
}

fn sparse_pairs(
    network: &dyn Network,
    count: usize,
    watch: &Watch<'_>,
) -> Result<(Vec<Pair>, f64), Interrupted> {
    // Each pivot is as far from those before it as there is.
    let mut nearest = vec![u32::MAX; count];
    let mut owner = vec![0; count];
    let mut pivots: Vec<(usize, Vec<u32>)> = Vec::new();
    let mut next = 0;
    while pivots.len() < PIVOTS.min(count) {
        watch.check()?;
        let hops = distances_from(network, Node(next as u64));
        for (at, &hops) in hops.iter().enumerate() {
            if hops < nearest[at] {
                (nearest[at], owner[at]) = (hops, pivots.len());
            }
        }
        pivots.push((next, hops));
        let farthest = (0..count).max_by_key(|&at| (nearest[at], count - at));
        next = farthest.filter(|&at| nearest[at] > 0).unwrap_or(0);
        if nearest[next] == 0 {
            break;
        }
    }
    let finite = pivots.iter().flat_map(|(_, hops)| hops.iter().filter_map(|&hops| joined(hops)));
    let longest = finite.fold(1.0, f64::max);
    let mut found: BTreeMap<(usize, usize), (f64, [f64; 2])> = BTreeMap::new();
    for (number, (pivot, hops)) in pivots.iter().enumerate() {
        // The nodes that a pivot counts for, from the nearest on.
        let region = owner.iter().zip(hops).filter(|(owner, _)| **owner == number);
        let mut region: Vec<u32> = region.map(|(_, &hops)| hops).collect();
        region.sort_unstable();
        for (at, &far) in hops.iter().enumerate().filter(|(at, _)| at != pivot) {
            let near = region.partition_point(|&hops| hops <= far / 2).max(1) as f64;
            let hops = joined(far).unwrap_or(longest + 1.0);
            let heed = near / (hops * hops);
            let (key, end) = if at < *pivot { ((at, *pivot), 0) } else { ((*pivot, at), 1) };
            found.entry(key).or_insert((hops, [0.0; 2])).1[end] = heed;
        }
    }
    for from in 0..count {
        network.for_each_neighbor(Node(from as u64), &mut |_, to| {
            if let Some(to) = usize::try_from(to.0).ok().filter(|&to| from < to) {
                found.insert((from, to), (1.0, [1.0; 2]));
            }
        });
    }
    let pairs = found.into_iter().map(|((a, b), (hops, weights))| Pair { a, b, hops, weights });
    Ok((pairs.collect(), longest))
}

/// Moves points that are closer than `least` apart, until few are.
fn separate(points: &mut [Point], least: f64) {
    const ROUNDS: u32 = 60;
    let cell = |point: Point| ((point.x / least).floor(), (point.y / least).floor());
    let key = |(x, y): (f64, f64)| (x.to_bits(), y.to_bits());
    for _ in 0..ROUNDS {
        let mut buckets: BTreeMap<(u64, u64), Vec<usize>> = BTreeMap::new();
        for (at, &point) in points.iter().enumerate() {
            let (x, y) = cell(point);
            buckets.entry(key((x + 0.0, y + 0.0))).or_default().push(at);
        }
        let mut moved = false;
        for at in 0..points.len() {
            let (x, y) = cell(points[at]);
            for step in 0..9 {
                let beside = (x + f64::from(step % 3) - 1.0, y + f64::from(step / 3) - 1.0);
                let beside = key((beside.0 + 0.0, beside.1 + 0.0));
                for &other in buckets.get(&beside).map_or(&[][..], |list| list) {
                    let between = points[at] - points[other];
                    let far = between.length();
                    if other <= at || far >= least {
                        continue;
                    }
                    // Points at one place part in a direction of their own.
                    let along = match far > 1e-9 {
                        true => between * (1.0 / far),
                        false => Point::on_circle(at as f64 * 0.618_034, 1.0),
                    };
                    let by = along * (0.52 * (least - far));
                    points[at] = points[at] + by;
                    points[other] = points[other] - by;
                    moved = true;
                }
            }
        }
        if !moved {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nestnet_seed::samples;

    fn layout(network: &dyn Network) -> Option<Vec<Point>> {
        super::layout(network, &Watch::SILENT).unwrap()
    }

    #[test]
    fn points_lie_as_far_apart_as_their_nodes() {
        for count in [12, 500] {
            let path = samples::path(count);
            let points = layout(&path).unwrap();
            assert_eq!(layout(&path), Some(points.clone()));
            let far = |a: usize, b: usize| (points[a] - points[b]).length();
            let last = points.len() - 1;
            for (a, b) in [(0, last), (3, 5), (last / 2, last / 2 + 1)] {
                let hops = (b - a) as f64;
                assert!((far(a, b) - hops).abs() < 0.25 * hops, "{a} {b}: {}", far(a, b));
            }
        }
        assert!(layout(&samples::path(3001)).is_none());
    }

    #[test]
    fn parts_and_equal_nodes_do_not_lie_on_each_other() {
        let parts = samples::graph(4, &[(0, 1), (2, 3)]);
        let points = layout(&parts).unwrap();
        assert!(points.iter().all(|point| point.x.is_finite()));
        // All leaves of a star are two hops from each other, more than there is room for.
        let star: Vec<(u32, u32)> = (1..200).map(|leaf| (0, leaf)).collect();
        let points = layout(&samples::graph(200, &star)).unwrap();
        assert!(crate::shape::closest(&points) > 0.05, "{}", crate::shape::closest(&points));
        let mut same = vec![Point::default(); 5];
        separate(&mut same, 0.4);
        assert!(crate::shape::closest(&same) > 0.3);
    }
}
