//! Where do the nodes of a network lie that says nothing of itself? As far apart as they are in hops.
//!
//! The stress of a picture is the sum of ((distance in it − hops) / hops)² over all pairs. It is lowered pair by pair with
//! steps that become smaller (Zheng, Pawar, Goodman: Graph Drawing by Stochastic Gradient Descent, 2019), in an order
//! that is drawn once and for all, so that equal networks give equal pictures.

use super::Point;
use nestnet_graph::measure::search::distances_from;
use nestnet_graph::{Network, Node};

/// Larger networks are not laid out: every pair is looked at many times.
pub const MAX_NODES: u64 = 300;

/// How often all pairs are looked at.
const ROUNDS: u32 = 24;

/// Where the nodes lie. O(nodes²) for each of a few rounds; nothing where there are too many.
pub fn layout(network: &dyn Network) -> Option<Vec<Point>> {
    let order = network.order();
    let count = usize::try_from(order).ok().filter(|_| (2..=MAX_NODES).contains(&order))?;
    let mut pairs: Vec<(usize, usize, f64)> = Vec::with_capacity(count * count / 2);
    let mut longest = 1.0f64;
    for from in 0..count {
        let hops = distances_from(network, Node(from as u64));
        for (to, &hops) in hops.iter().enumerate().take(from) {
            // Parts without a path between them lie a little further apart than any that have one.
            let hops = if hops == u32::MAX { 0.0 } else { f64::from(hops) };
            longest = longest.max(hops);
            pairs.push((from, to, hops));
        }
    }
    pairs.iter_mut().filter(|pair| pair.2 == 0.0).for_each(|pair| pair.2 = longest + 1.0);
    let mut draw = 0x9e37_79b9_7f4a_7c15u64;
    for last in (1..pairs.len()).rev() {
        draw = draw.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let other = usize::try_from((draw >> 33) % (last as u64 + 1)).unwrap_or(0);
        pairs.swap(last, other);
    }
    let turn = |at: usize| std::f64::consts::TAU * at as f64 / count as f64;
    let mut points: Vec<Point> =
        (0..count).map(|at| Point::new(turn(at).cos(), turn(at).sin()) * longest).collect();
    let (most, least) = (longest * longest, 0.05f64);
    for round in 0..ROUNDS {
        let part = f64::from(round) / f64::from(ROUNDS - 1);
        let step = most * (least / most).powf(part);
        for &(a, b, hops) in &pairs {
            let between = points[a] - points[b];
            let far = between.x.hypot(between.y).max(1e-9);
            let share = (step / (hops * hops)).min(1.0);
            let moved = between * (share * (far - hops) / (2.0 * far));
            points[a] = points[a] - moved;
            points[b] = points[b] + moved;
        }
    }
    Some(points)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nestnet_seed::samples;

    #[test]
    fn points_lie_as_far_apart_as_their_nodes() {
        let path = samples::path(12);
        let points = layout(&path).unwrap();
        assert_eq!(layout(&path), Some(points.clone()));
        let far = |a: usize, b: usize| (points[a].x - points[b].x).hypot(points[a].y - points[b].y);
        for (a, b) in [(0, 11), (3, 5), (6, 7)] {
            let hops = (b - a) as f64;
            assert!((far(a, b) - hops).abs() < 0.2 * hops, "{a} {b}: {}", far(a, b));
        }
        // Two parts do not lie on each other.
        let parts = samples::graph(4, &[(0, 1), (2, 3)]);
        let points = layout(&parts).unwrap();
        assert!(points.iter().all(|point| point.x.is_finite()));
        assert!(layout(&samples::path(301)).is_none());
    }
}
