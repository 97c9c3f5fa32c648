//! Where is everything of a large folded Clos network drawn? Pods around the switches above them, pods in pods.
//!
//! A cell of level L has its switches of that level in the middle and a cell of level L - 1 for each pod digit around
//! them; the whole is the cell of the highest level, and a cell of level 0 a host. So the first digit of a cell is 0 for
//! the switches of the highest level, else one more than its pod digit there. The switches in a middle sit in the order
//! of their planes, and leave places empty.

use super::{FoldedClos, Place};
use nestnet_draw::view::Cord;
use nestnet_draw::{Held, Joints, Layer, Plan, Shape, Tally};
use nestnet_graph::Node;
use num_bigint::BigUint;
use std::ops::Range;
use std::sync::Arc;

/// A network in pods.
#[derive(Clone, Debug)]
struct Pods(FoldedClos);

/// Pods in pods, if every middle has room for its switches.
pub(super) fn plan(tree: &FoldedClos) -> Option<Plan> {
    let pods = Arc::new(Pods(tree.clone()));
    let has_room = |level: usize| tree.planes[level] <= pods.places(tree.top() - level + 1);
    if !(1..=tree.top()).all(has_room) {
        return None;
    }
    let layer = |level: usize| Layer {
        shape: Shape::Hub(tree.down[level - 1] + 1),
        level: u16::try_from(level - 1).unwrap_or(u16::MAX),
        held: if level > 1 { Held::Cluster } else { Held::Part },
    };
    let plan = Plan::layered((1..=tree.top()).rev().map(layer).collect());
    let (seats, sitters) = (pods.clone(), pods.clone());
    let plan = plan.seated(move |at| seats.seat(at)).sat_by(move |place| sitters.sitter(place));
    // Nothing is built on switches, so that it does not matter how it lies in other plans.
    Some(plan.joined(Joints::ByRule(pods)).nested_as(Plan::ring(tree.starts[tree.top() + 1])))
}

fn length(range: &Range<u64>) -> u64 {
    range.end.saturating_sub(range.start)
}

impl Pods {
    /// How many places a cell of the first `depth` layers has.
    fn places(&self, depth: usize) -> u64 {
        let inner = &self.0.down[..self.0.top() - depth];
        inner.iter().fold(1, |places: u64, down| places.saturating_mul(down + 1))
    }

    /// How many places the layer of that number has.
    fn around(&self, layer: usize) -> u64 {
        self.0.down[self.0.top() - 1 - layer] + 1
    }

    fn seat(&self, at: Node) -> u64 {
        let tree = &self.0;
        let place = tree.place(at);
        let pods = (place.level..tree.top()).rev();
        let cell = pods.fold(0, |cell, i| cell * (tree.down[i] + 1) + tree.pod(place, i) + 1);
        match place.level.checked_sub(1) {
            None => cell,
            Some(below) => {
                let middle = cell * (tree.down[below] + 1);
                middle * self.places(tree.top() - below) + place.number % tree.planes[place.level]
            }
        }
    }

    fn sitter(&self, place: u64) -> Option<Node> {
        let tree = &self.0;
        let mut pods = 0;
        for layer in 0..tree.top() {
            let (around, inside) = (self.around(layer), self.places(layer + 1));
            let level = tree.top() - layer;
            match (place / inside % around).checked_sub(1) {
                Some(digit) => pods = pods * (around - 1) + digit,
                None => {
                    let (plane, planes) = (place % inside, tree.planes[level]);
                    let number = pods * planes + plane;
                    return (plane < planes).then(|| tree.id(Place { level, number }));
                }
            }
        }
        Some(tree.id(Place { level: 0, number: pods }))
    }

    /// The cells that the layers from `first` to `end` tell apart in a middle before them, and the planes that each has.
    fn middle(&self, level: usize, first: usize, end: usize) -> Vec<Range<u64>> {
        let (all, size) = (self.places(first), self.places(end));
        let planes = self.0.planes[level];
        let ranges = (0..all / size).map(|cell| cell * size..(cell * size + size).min(planes));
        ranges.take_while(|range| length(range) > 0).collect()
    }
}

impl Tally for Pods {
    fn nodes(&self, path: &[u64]) -> Option<BigUint> {
        let tree = &self.0;
        if let Some(layer) = path.iter().position(|&digit| digit == 0) {
            let rest = path.iter().enumerate().skip(layer + 1);
            let cell = rest.fold(0, |cell, (layer, digit)| cell * self.around(layer) + digit);
            let (size, planes) = (self.places(path.len()), tree.planes[tree.top() - layer]);
            return Some(size.min(planes.saturating_sub(cell.saturating_mul(size))).into());
        }
        let level = tree.top() - path.len();
        let of_level = |inner: usize| {
            let pods: BigUint = tree.down[inner..level].iter().map(|&n| BigUint::from(n)).product();
            pods * tree.up[..inner].iter().map(|&n| BigUint::from(n)).product::<BigUint>()
        };
        Some((0..=level).map(of_level).sum())
    }

    fn count(&self, path: &[u64], shown: usize) -> Option<u128> {
        if path.contains(&0) {
            return Some(0);
        }
        let end = path.len() + shown;
        let mut pods = 1u128;
        let mut all = 0u128;
        for layer in path.len()..end {
            let around = u128::from(self.around(layer) - 1);
            let informed = u128::from(self.places(layer + 1) / self.places(end));
            all = all.saturating_add(pods.saturating_mul(around).saturating_mul(2 * informed));
            pods = pods.saturating_mul(around);
        }
        Some(all)
    }

    /// A switch has a link down to each pod, where it leads to the switch of the same planes but the last.
    fn cords(&self, path: &[u64], shown: usize) -> Vec<Cord> {
        let tree = &self.0;
        if path.contains(&0) {
            return Vec::new();
        }
        let end = path.len() + shown;
        let informed = |layer: usize| self.places(layer) / self.places(end);
        let index = |cell: u64| usize::try_from(cell).unwrap_or(usize::MAX);
        let mut cords = Vec::new();
        // The cells of one layer that are pods, by their number.
        let mut pods = vec![0];
        for layer in path.len()..end {
            let (level, around) = (tree.top() - layer, self.around(layer));
            let above = self.middle(level, layer + 1, end);
            // A pod that is not distinguished has all its switches in one cell.
            let below = match layer + 1 < end {
                true => self.middle(level - 1, layer + 2, end),
                false => std::iter::once(0..tree.planes[level - 1]).collect(),
            };
            let up = tree.up[level - 1];
            let links = u16::try_from(level - 1).unwrap_or(u16::MAX);
            let mut joined = Vec::new();
            for (from, above) in (0..).zip(&above) {
                for (to, below) in (0..).zip(&below) {
                    let shared = above.start.max(below.start * up)..above.end.min(below.end * up);
                    if length(&shared) > 0 {
                        joined.push((from, to, length(&shared) * tree.width[level - 1]));
                    }
                }
            }
            let inner: Vec<u64> =
                pods.iter().flat_map(|pod| (1..around).map(move |i| pod * around + i)).collect();
            for &pod in &inner {
                let middle = pod / around * around * informed(layer + 1);
                cords.extend(joined.iter().map(|&(from, to, count)| Cord {
                    level: links,
                    from: index(middle + from),
                    to: index(pod * informed(layer + 1) + to),
                    links: count.into(),
                }));
            }
            pods = inner;
        }
        cords.sort_unstable();
        cords
    }
}
