//! The search for one more path beside those that are there.

use super::flow::{Flow, Place, Side, entry, exit};
use crate::route::guide::Guide;
use nestnet_graph::{Network, Node};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// How a search ended.
#[derive(Debug)]
pub enum Found {
    /// One more path: the places from the exit of the start to the entry of the target.
    Path(Vec<Place>),
    /// There is none.
    Nothing,
    /// Too much would have to be looked at.
    Spent,
}

impl Found {
    /// The same in the network seen from the other end: entries are exits there.
    pub fn reversed(self) -> Self {
        let turn = |place: Place| match place.side {
            Side::Entry => exit(place.node),
            Side::Exit => entry(place.node),
        };
        match self {
            Found::Path(path) => Found::Path(path.into_iter().rev().map(turn).collect()),
            ended => ended,
        }
    }
}

/// What must be added to the distance to the target so that no step of a cheapest search costs less than nothing.
#[derive(Debug, Default)]
pub struct Potentials {
    added: HashMap<Place, i64>,
}

impl Potentials {
    fn of(&self, place: Place, distance: u64) -> i64 {
        let distance = i64::try_from(distance).expect("a distance is below 2^63");
        distance + self.added.get(&place).copied().unwrap_or(0)
    }
}

/// The one more path that adds least to the total length. Takes off `looks` what it looks at.
///
/// Dijkstra's search over reduced costs. They start as 1 + d(next) − d(here) ≥ 0, and when a place at cost c is left
/// for a target at cost C, its potential rises by C − c: that keeps all of them at 0 or above, and makes those along the
/// new path 0, in both directions.
pub fn cheapest_more(
    network: &dyn Network,
    guide: &Guide,
    flow: &Flow,
    potentials: &mut Potentials,
    looks: &mut u64,
) -> Found {
    let (start, goal) = (exit(flow.from), entry(flow.to));
    let Some(distance) = guide.distance(network, flow.from, flow.to) else { return Found::Nothing };
    let mut came: HashMap<Place, (i64, Place)> = HashMap::from([(start, (0, start))]);
    let mut settled: Vec<(Place, i64)> = Vec::new();
    let mut heap = BinaryHeap::from([Reverse((0, distance, 0u64, start))]);
    let mut found = 0;
    while let Some(Reverse((cost, distance, _, at))) = heap.pop() {
        if came[&at].0 != cost {
            continue;
        }
        if at == goal {
            for (place, before) in settled {
                if before < cost {
                    *potentials.added.entry(place).or_default() += cost - before;
                }
            }
            return Found::Path(trace(start, goal, |place| came[&place].1));
        }
        let Some(rest) = looks.checked_sub(1) else { return Found::Spent };
        *looks = rest;
        settled.push((at, cost));
        let here = potentials.of(at, distance);
        flow.steps(network, at, &mut |next, length| {
            let Some(distance) = guide.distance(network, next.node, flow.to) else { return };
            let cost = cost + length + potentials.of(next, distance) - here;
            if came.get(&next).is_none_or(|&(known, _)| cost < known) {
                came.insert(next, (cost, at));
                found += 1;
                heap.push(Reverse((cost, distance, found, next)));
            }
        });
    }
    Found::Nothing
}

/// Any one more path: always on from the place that is nearest to an open link of the target.
pub fn any_more(network: &dyn Network, guide: &Guide, flow: &Flow, looks: &mut u64) -> Found {
    let (start, goal) = (exit(flow.from), entry(flow.to));
    // The last nodes before the target that no path comes from.
    let mut entries = Vec::new();
    network.for_each_neighbor(flow.to, &mut |_, entry| {
        if !flow.has(entry, flow.to) {
            entries.push(entry);
        }
    });
    let distance = |at: Node| match guide {
        Guide::Closed if at != flow.to => {
            entries.iter().filter_map(|&entry| network.distance(at, entry)).min()
        }
        _ => guide.distance(network, at, flow.to),
    };
    let mut came: HashMap<Place, Place> = HashMap::from([(start, start)]);
    let mut heap = BinaryHeap::from([Reverse((0, 0u64, start))]);
    let mut found = 0;
    while let Some(Reverse((_, _, at))) = heap.pop() {
        if at == goal {
            return Found::Path(trace(start, goal, |place| came[&place]));
        }
        let Some(rest) = looks.checked_sub(1) else { return Found::Spent };
        *looks = rest;
        flow.steps(network, at, &mut |next, _| {
            if came.contains_key(&next) {
                return;
            }
            if let Some(distance) = distance(next.node) {
                came.insert(next, at);
                found += 1;
                heap.push(Reverse((distance, found, next)));
            }
        });
    }
    Found::Nothing
}

fn trace(start: Place, goal: Place, before: impl Fn(Place) -> Place) -> Vec<Place> {
    let mut path = vec![goal];
    let mut at = goal;
    while at != start {
        at = before(at);
        path.push(at);
    }
    path.reverse();
    path
}
