//! Channel loads when traffic is divided over shortest paths.

use super::{Demands, FlowError, Fraction};
use nestnet_graph::fabric::Fabric;
use nestnet_graph::measure::search::distances_in_order;
use nestnet_graph::measure::{count, id};
use nestnet_graph::{Budget, Csr, Orbit, Watch, index};
use num_bigint::BigUint;
use num_traits::Zero;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::AtomicU64;

/// How the traffic between two nodes is divided over their shortest paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// Every shortest path bears the same: ECMP per path.
    AllPaths,
    /// Every node divides equally among its neighbors that are nearer: ECMP per hop.
    PerHop,
    /// All goes to the nearer neighbor with the lowest number.
    Lowest,
}

impl Split {
    /// All of them.
    pub const ALL: [Split; 3] = [Split::AllPaths, Split::PerHop, Split::Lowest];

    /// The split of that name, also with `-` for `_`; `ecmp`, as switches do it, is [`Split::PerHop`].
    ///
    /// ```
    /// use nestnet_routing::flow::Split;
    ///
    /// assert_eq!(Split::named("ecmp"), Some(Split::PerHop));
    /// assert_eq!(Split::named("all-paths"), Some(Split::AllPaths));
    /// assert_eq!(Split::named("shortest"), None);
    /// ```
    pub fn named(name: &str) -> Option<Split> {
        let name = name.replace('-', "_");
        match name.as_str() {
            "ecmp" => Some(Split::PerHop),
            name => Split::ALL.into_iter().find(|split| split.name() == name),
        }
    }

    /// The name of its routing.
    pub fn name(self) -> &'static str {
        match self {
            Split::AllPaths => "all_paths",
            Split::PerHop => "per_hop",
            Split::Lowest => "lowest",
        }
    }
}

/// The load of every channel, in the order of [`Csr::targets`], when each host sends 1.
///
/// One search and one pass back for each destination; O(nodes · links). Exact but for rounding (about 15 digits); sums
/// are taken in one fixed order, so that the last bit does not depend on the number of threads.
///
/// ```
/// use nestnet_graph::fabric::Fabric;
/// use nestnet_graph::{Budget, Csr, Watch};
/// use nestnet_routing::flow::{Demands, Split, loads};
/// use nestnet_routing::traffic::Traffic;
///
/// let ring = Csr::from_links(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)], 1 << 20)?;
/// let fabric = Fabric::of(&ring, &Budget::default())?;
/// let demands = Demands::of(&fabric, &Traffic::uniform(5), &Budget::default())?;
/// let found = loads(&fabric, &demands, Split::AllPaths, &Watch::SILENT)?;
/// assert!(found.len() == 10 && found.iter().all(|load| (load - 0.75).abs() < 1e-12));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn loads(
    fabric: &Fabric,
    demands: &Demands,
    split: Split,
    watch: &Watch<'_>,
) -> Result<Vec<f64>, FlowError> {
    let done = AtomicU64::new(0);
    let all = 0..count(&fabric.csr);
    let block = all.len().div_ceil(64).max(1);
    let sum = Sum { csr: &fabric.csr, demands, split, done: &done, watch };
    let mut loads = sum.over(all, block)?;
    let whole = demands.whole() as f64;
    loads.iter_mut().for_each(|load| *load /= whole);
    Ok(loads)
}

struct Sum<'a> {
    csr: &'a Csr,
    demands: &'a Demands,
    split: Split,
    done: &'a AtomicU64,
    watch: &'a Watch<'a>,
}

impl Sum<'_> {
    fn over(&self, to: Range<usize>, block: usize) -> Result<Vec<f64>, FlowError> {
        if to.len() <= block {
            let mut loads = vec![0.0; self.csr.targets().len()];
            let mut pass = Pass::new(self.csr);
            for to in to {
                self.watch.step(self.done, count(self.csr) as u64)?;
                pass.add(self.csr, self.demands, self.split, id(to), &mut loads)?;
            }
            return Ok(loads);
        }
        let middle = to.start + to.len() / 2;
        let (first, second) =
            rayon::join(|| self.over(to.start..middle, block), || self.over(middle..to.end, block));
        let (mut first, second) = (first?, second?);
        first.iter_mut().zip(second).for_each(|(sum, load)| *sum += load);
        Ok(first)
    }
}

/// The same for uniform traffic by one pass for each class of nodes.
///
/// `orbits` and `classes` (the class of every channel) are the orbits of one group of automorphisms that carries hosts
/// to hosts. Such a group carries routings that divide by shortest paths alone to themselves, so that every destination
/// of a class puts the same sum of loads on a class of channels, whose loads are equal.
pub fn loads_by_classes(
    fabric: &Fabric,
    demands: &Demands,
    split: Split,
    orbits: &[Orbit],
    classes: &[u32],
    watch: &Watch<'_>,
) -> Result<Vec<f64>, FlowError> {
    let csr = &fabric.csr;
    let entries = classes.iter().max().map_or(0, |&most| most as usize + 1);
    let (mut sums, mut sizes) = (vec![0.0; entries], vec![0u64; entries]);
    let mut pass = Pass::new(csr);
    let mut part = vec![0.0; csr.targets().len()];
    for orbit in orbits {
        watch.check()?;
        part.fill(0.0);
        pass.add(csr, demands, split, id(index(orbit.node.0)), &mut part)?;
        for (&class, load) in classes.iter().zip(&part) {
            sums[class as usize] += orbit.size as f64 * load;
        }
    }
    classes.iter().for_each(|&class| sizes[class as usize] += 1);
    let whole = demands.whole() as f64;
    let load = |&class: &u32| sums[class as usize] / sizes[class as usize] as f64 / whole;
    Ok(classes.iter().map(load).collect())
}

/// One thread's arrays.
pub(super) struct Pass {
    /// Steps to the destination.
    pub(super) distance: Vec<u32>,
    /// Nodes in the order of the search.
    pub(super) queue: Vec<u32>,
    /// How many shortest paths lead to the destination.
    paths: Vec<f64>,
    /// What comes through a node.
    flow: Vec<f64>,
}

impl Pass {
    pub(super) fn new(csr: &Csr) -> Self {
        let n = count(csr);
        Pass {
            distance: vec![0; n],
            queue: Vec::with_capacity(n),
            paths: vec![0.0; n],
            flow: vec![0.0; n],
        }
    }

    /// Searches from the destination.
    pub(super) fn search(&mut self, csr: &Csr, to: u32) {
        distances_in_order(csr, to, &mut self.distance, &mut self.queue);
    }

    /// Adds what all send to one node, in weights.
    pub(super) fn add(
        &mut self,
        csr: &Csr,
        demands: &Demands,
        split: Split,
        to: u32,
        loads: &mut [f64],
    ) -> Result<(), FlowError> {
        self.flow.fill(0.0);
        let mut sends = false;
        demands.for_each(to, &mut |from, weight| {
            self.flow[from as usize] = weight as f64;
            sends = true;
        });
        if !sends {
            return Ok(());
        }
        self.search(csr, to);
        let cut = |&from: &u32| {
            self.flow[from as usize] > 0.0 && self.distance[from as usize] == u32::MAX
        };
        if self.queue.len() < count(csr)
            && let Some(from) = (0..id(count(csr))).find(cut)
        {
            return Err(FlowError::NoPath { from, to });
        }
        if split == Split::AllPaths {
            self.count_paths(csr);
        }
        for &at in self.queue[1..].iter().rev() {
            let flow = self.flow[at as usize];
            if flow == 0.0 {
                continue;
            }
            let first = index(csr.offsets()[at as usize]);
            let near = self.distance[at as usize] - 1;
            let neighbors = csr.neighbors(at);
            let nearer =
                || (first..).zip(neighbors).filter(|(_, to)| self.distance[**to as usize] == near);
            match split {
                Split::AllPaths => {
                    let each = flow / self.paths[at as usize];
                    for (channel, &to) in (first..).zip(neighbors) {
                        if self.distance[to as usize] == near {
                            let part = each * self.paths[to as usize];
                            loads[channel] += part;
                            self.flow[to as usize] += part;
                        }
                    }
                }
                Split::PerHop => {
                    let part = flow / nearer().count() as f64;
                    for (channel, &to) in (first..).zip(neighbors) {
                        if self.distance[to as usize] == near {
                            loads[channel] += part;
                            self.flow[to as usize] += part;
                        }
                    }
                }
                Split::Lowest => {
                    let (channel, &to) = nearer().next().expect("a node that is nearer");
                    loads[channel] += flow;
                    self.flow[to as usize] += flow;
                }
            }
        }
        Ok(())
    }

    /// How many shortest paths lead to the destination of the last search, for every node.
    pub(super) fn paths(&self) -> &[f64] {
        &self.paths
    }

    pub(super) fn count_paths(&mut self, csr: &Csr) {
        self.paths[self.queue[0] as usize] = 1.0;
        for &at in &self.queue[1..] {
            let near = self.distance[at as usize] - 1;
            let nearer = csr.neighbors(at).iter().filter(|to| self.distance[**to as usize] == near);
            self.paths[at as usize] = nearer.map(|&to| self.paths[to as usize]).sum();
        }
    }
}

/// The load of one channel as a fraction, when each host sends 1; `None` where shortest paths are beyond counting.
///
/// For each destination behind the channel only the nodes before it are looked at. O(nodes · links).
///
/// ```
/// use nestnet_graph::fabric::Fabric;
/// use nestnet_graph::{Budget, Csr};
/// use nestnet_routing::flow::{Demands, Split, exact_load};
/// use nestnet_routing::traffic::Traffic;
///
/// let ring = Csr::from_links(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)], 1 << 20)?;
/// let fabric = Fabric::of(&ring, &Budget::default())?;
/// let demands = Demands::of(&fabric, &Traffic::uniform(5), &Budget::default())?;
/// let load = exact_load(&fabric, &demands, Split::AllPaths, (0, 1), &Budget::default())?;
/// assert_eq!(load.unwrap().to_string(), "3/4");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn exact_load(
    fabric: &Fabric,
    demands: &Demands,
    split: Split,
    (from, to): (u32, u32),
    budget: &Budget<'_>,
) -> Result<Option<Fraction>, FlowError> {
    let csr = &fabric.csr;
    let parts: Result<Vec<Option<Fraction>>, FlowError> = (0..id(count(csr)))
        .into_par_iter()
        .map_init(
            || Behind::new(csr),
            |behind, destination| {
                budget.check()?;
                Ok(behind.share(csr, demands, split, (from, to), destination))
            },
        )
        .collect();
    let mut sum = Fraction::zero();
    for part in parts? {
        match part {
            Some(part) => sum += part,
            None => return Ok(None),
        }
    }
    Ok(Some(sum / BigUint::from(demands.whole())))
}

/// One thread's arrays for exact shares.
struct Behind {
    pass: Pass,
    weights: Vec<u128>,
    /// Nodes from which the channel can be reached on a shortest path, nearest first.
    before: Vec<u32>,
    /// Which part of what passes a node takes the channel.
    parts: BTreeMap<u32, Fraction>,
}

impl Behind {
    fn new(csr: &Csr) -> Self {
        let weights = vec![0; count(csr)];
        Behind { pass: Pass::new(csr), weights, before: Vec::new(), parts: BTreeMap::new() }
    }

    /// What of all that goes to `destination` takes the channel, in weights.
    fn share(
        &mut self,
        csr: &Csr,
        demands: &Demands,
        split: Split,
        (from, to): (u32, u32),
        destination: u32,
    ) -> Option<Fraction> {
        let mut sends = false;
        self.weights.fill(0);
        demands.for_each(destination, &mut |source, weight| {
            self.weights[source as usize] = weight;
            sends = true;
        });
        if !sends {
            return Some(Fraction::zero());
        }
        self.pass.search(csr, destination);
        let distance = &self.pass.distance;
        let is_next = |at: u32, to: u32| {
            distance[at as usize] != u32::MAX && distance[at as usize] == distance[to as usize] + 1
        };
        let nearer = |at: u32| csr.neighbors(at).iter().copied().filter(move |&to| is_next(at, to));
        let lowest = |at: u32| nearer(at).next();
        if !is_next(from, to) || (split == Split::Lowest && lowest(from) != Some(to)) {
            return Some(Fraction::zero());
        }
        let paths = match split {
            Split::AllPaths => count_exactly(csr, &self.pass)?,
            _ => Vec::new(),
        };
        // Which part goes from one node to a nearer one.
        let part = |at: u32, to: u32| -> Fraction {
            match split {
                Split::AllPaths => Fraction::new(
                    BigUint::from(paths[to as usize]),
                    BigUint::from(paths[at as usize]),
                ),
                Split::PerHop => Fraction::new(1u8.into(), nearer(at).count().into()),
                Split::Lowest => Fraction::from(BigUint::from(u8::from(lowest(at) == Some(to)))),
            }
        };
        self.parts.clear();
        self.parts.insert(from, part(from, to));
        self.before.clear();
        self.before.push(from);
        let mut sum = Fraction::zero();
        let mut next = 0;
        while let Some(&at) = self.before.get(next) {
            next += 1;
            let here = self.parts[&at].clone();
            sum += &here * BigUint::from(self.weights[at as usize]);
            for &source in csr.neighbors(at).iter().filter(|&&source| is_next(source, at)) {
                let share = part(source, at) * &here;
                if share.is_zero() {
                    continue;
                }
                // All that is nearer has been seen when a level is left, so that sums are complete in time.
                let entry = self.parts.entry(source).or_insert_with(|| {
                    self.before.push(source);
                    Fraction::zero()
                });
                *entry += share;
            }
        }
        Some(sum)
    }
}

/// How many shortest paths lead to the destination of a search; `None` beyond 2^128.
fn count_exactly(csr: &Csr, pass: &Pass) -> Option<Vec<u128>> {
    let mut paths = vec![0u128; count(csr)];
    paths[pass.queue[0] as usize] = 1;
    for &at in &pass.queue[1..] {
        let near = pass.distance[at as usize] - 1;
        let mut sum = 0u128;
        for &to in csr.neighbors(at).iter().filter(|to| pass.distance[**to as usize] == near) {
            sum = sum.checked_add(paths[to as usize])?;
        }
        paths[at as usize] = sum;
    }
    Some(paths)
}
