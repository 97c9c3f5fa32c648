//! Virtual channels that fall along a route: one lower behind every dependency that the lane refuses.
//!
//! The last hop of a route is on lane 0, and every hop before it on the lane of the hop that follows it, unless that
//! lane refuses the two to follow one another; then it is one lane higher. The dependencies that a lane accepts have
//! no cycle, and between lanes they only lead down, so that there is none at all. Turns in a fixed order of the nodes
//! are the special case in which all lanes refuse the same.
//!
//! Which dependencies a lane refuses is decided lane by lane, the ones on most routes first. So the lanes that are
//! needed are not proven to be the fewest.

use super::acyclic::Acyclic;
use super::dependencies::{Branch, Turning};
use crate::route::deadlock::{DeadlockError, NONE};
use crate::route::{Entry, Header, Hop, Router, Vc, WalkError};
use nestnet_graph::{Budget, Network, Node};
use rayon::prelude::*;
use std::cmp::Reverse;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The same routes as another router, on lanes that cannot deadlock.
#[derive(Debug)]
pub struct Stepped {
    turning: Arc<Turning>,
    inner: Arc<dyn Router>,
    /// For each lane but the last, a bit for each dependency that it refuses.
    refused: Vec<Vec<u64>>,
}

/// In which order dependencies are accepted.
#[derive(Clone, Debug)]
pub enum Preference {
    /// Those on most routes first.
    Weight,
    /// First all that do not go down and then up in this ranking of the nodes, then those on most routes.
    Ranking(Vec<u32>),
}

/// Longer routes are taken not to arrive.
const MAX_HOPS: usize = 1 << 20;

impl Stepped {
    /// Finds lanes for all routes between hosts, or `None` when more than `most` are needed.
    pub(super) fn new(
        network: &dyn Network,
        turning: Arc<Turning>,
        inner: Arc<dyn Router>,
        preference: &Preference,
        most: u16,
        limits: &Budget<'_>,
    ) -> Result<Option<Self>, DeadlockError> {
        let mut router = Stepped { turning, inner, refused: Vec::new() };
        for _ in 0..most {
            let weights = router.weights(network, limits)?;
            let refused = router.refuse(preference, &weights, limits)?;
            if refused.iter().all(|&word| word == 0) {
                return Ok(Some(router));
            }
            router.refused.push(refused);
        }
        Ok(None)
    }

    /// With the routes of a router that has the same ones.
    pub(super) fn with_inner(self, inner: Arc<dyn Router>) -> Self {
        Stepped { inner, ..self }
    }

    /// The lane of a hop that is followed by one on the lane `further`.
    fn lane(&self, further: u16, number: usize) -> u16 {
        let refused = self.refused.get(usize::from(further));
        further + u16::from(refused.is_some_and(|bits| bits[number / 64] >> (number % 64) & 1 == 1))
    }

    /// For each dependency, how many routes make it on the lane that is yet to be decided.
    fn weights(
        &self,
        network: &dyn Network,
        limits: &Budget<'_>,
    ) -> Result<Vec<AtomicU64>, DeadlockError> {
        let weights: Vec<AtomicU64> =
            (0..self.turning.count()).map(|_| AtomicU64::new(0)).collect();
        let (hosts, done) = (network.hosts(), AtomicU64::new(0));
        let targets = (0..hosts).into_par_iter().map(Node);
        let weighed = targets.map_init(Scratch::default, |scratch, to| {
            if self.inner.remembers() {
                self.weigh_routes(to, hosts, &weights)?;
            } else {
                self.weigh_tree(to, hosts, scratch, &weights);
            }
            Ok::<_, DeadlockError>(limits.watch.step(&done, hosts)?)
        });
        // The first error, whichever thread was quicker.
        weighed.find_map_first(Result::err).map_or(Ok(weights), Err)
    }

    fn weigh_tree(&self, to: Node, hosts: u64, scratch: &mut Scratch, weights: &[AtomicU64]) {
        self.prepare(to, scratch);
        let Scratch { tree, sorted, lanes, sources, .. } = scratch;
        sources.clear();
        sources.extend((0..tree.len() as u64).map(|at| u64::from(at < hosts)));
        for &at in sorted.iter().rev() {
            let Branch { next, slot } = tree[at as usize];
            let through = sources[at as usize];
            sources[next as usize] += through;
            let further = tree[next as usize].slot;
            let open = usize::from(lanes[next as usize]) == self.refused.len();
            if further != NONE && open && through > 0 {
                let number = self.turning.number(slot, further);
                weights[number].fetch_add(through, Ordering::Relaxed);
            }
        }
    }

    fn weigh_routes(
        &self,
        to: Node,
        hosts: u64,
        weights: &[AtomicU64],
    ) -> Result<(), DeadlockError> {
        let mut route = Vec::new();
        for from in (0..hosts).map(Node).filter(|&from| from != to) {
            for choice in 0..self.inner.choices() {
                let Some(hop) = self.inner.next(from, self.inner.start(from, to, choice)) else {
                    continue;
                };
                self.route(from, hop, &mut route);
                if route.len() > MAX_HOPS {
                    let error = WalkError::TooLong { hops: MAX_HOPS as u64 };
                    return Err(DeadlockError::Walk { to, error });
                }
                let mut lane = 0;
                for pair in route.windows(2).rev() {
                    let number = self.turning.number(pair[0], pair[1]);
                    if usize::from(lane) == self.refused.len() {
                        weights[number].fetch_add(1, Ordering::Relaxed);
                    }
                    lane = self.lane(lane, number);
                }
            }
        }
        Ok(())
    }

    /// A maximal set of dependencies without a cycle is accepted; the others are refused.
    fn refuse(
        &self,
        preference: &Preference,
        weights: &[AtomicU64],
        limits: &Budget<'_>,
    ) -> Result<Vec<u64>, DeadlockError> {
        let weight = |number: u32| weights[number as usize].load(Ordering::Relaxed);
        let count = u32::try_from(weights.len()).expect("dependencies have 32 bits");
        let mut made: Vec<u32> = (0..count).filter(|&number| weight(number) > 0).collect();
        let links = &self.turning.links;
        let begins = |slot: u32| links.begins(slot as usize);
        let goes_up = |ranking: &[u32], slot: u32| {
            ranking[begins(slot)] < ranking[links.target(slot as usize) as usize]
        };
        let late = |number: u32| match preference {
            Preference::Weight => false,
            Preference::Ranking(ranking) => {
                let (slot, next) = self.turning.ends(number);
                !goes_up(ranking, slot) && goes_up(ranking, next)
            }
        };
        made.sort_by_cached_key(|&number| (late(number), Reverse(weight(number)), number));
        let slots = u32::try_from(links.slots()).expect("slots have 32 bits");
        let mut accepted = Acyclic::new(slots);
        let mut refused = vec![0u64; weights.len().div_ceil(64)];
        for number in made {
            limits.watch.check()?;
            let (slot, next) = self.turning.ends(number);
            if !accepted.insert(slot, next) {
                refused[number as usize / 64] |= 1 << (number % 64);
            }
        }
        Ok(refused)
    }

    /// The slots of the route that begins with `hop`.
    fn route(&self, mut at: Node, mut hop: Hop, route: &mut Vec<u32>) {
        route.clear();
        while let Some((branch, next)) = self.turning.of(at, hop) {
            route.push(branch.slot);
            match self.inner.next(next, hop.header).filter(|_| route.len() <= MAX_HOPS) {
                Some(further) => (at, hop) = (next, further),
                None => break,
            }
        }
    }

    /// The tree of hops to a node, and their lanes.
    fn prepare(&self, to: Node, scratch: &mut Scratch) {
        let Scratch { row, tree, sorted, lanes, .. } = scratch;
        row.resize(self.turning.links.order(), Entry::NONE);
        self.inner.fill(to, row);
        let to = usize::try_from(to.0).expect("a node of this network");
        self.turning.tree(to, row, tree, sorted);
        lanes.clear();
        lanes.resize(row.len(), 0);
        for &at in sorted.iter() {
            let Branch { next, slot } = tree[at as usize];
            let further = tree[next as usize].slot;
            if further != NONE {
                let number = self.turning.number(slot, further);
                lanes[at as usize] = self.lane(lanes[next as usize], number);
            }
        }
    }
}

#[derive(Debug, Default)]
struct Scratch {
    row: Vec<Entry>,
    tree: Vec<Branch>,
    sorted: Vec<u32>,
    lanes: Vec<u16>,
    sources: Vec<u64>,
}

impl Router for Stepped {
    fn vcs(&self) -> u16 {
        u16::try_from(self.refused.len() + 1).unwrap_or(u16::MAX)
    }

    fn inner(&self) -> Option<&dyn Router> {
        Some(&*self.inner)
    }

    /// Of several hops the inner router's first is taken.
    fn adapts(&self) -> bool {
        false
    }

    fn next(&self, at: Node, header: Header) -> Option<Hop> {
        let hop = self.inner.next(at, header)?;
        let mut route = Vec::new();
        self.route(at, hop, &mut route);
        let pairs = route.windows(2).rev();
        let lane =
            pairs.fold(0, |lane, pair| self.lane(lane, self.turning.number(pair[0], pair[1])));
        Some(Hop { vc: Vc(lane), ..hop })
    }

    fn fill(&self, to: Node, row: &mut [Entry]) {
        let mut scratch = Scratch::default();
        self.prepare(to, &mut scratch);
        for ((entry, inner), &lane) in row.iter_mut().zip(scratch.row).zip(&scratch.lanes) {
            *entry = inner.get().map_or(Entry::NONE, |(port, _)| Entry::new(port, Vc(lane)));
        }
    }

    /// What the routes need, and a lane for every target.
    fn state_bytes(&self) -> u64 {
        self.inner.state_bytes() + self.turning.links.order() as u64
    }
}
