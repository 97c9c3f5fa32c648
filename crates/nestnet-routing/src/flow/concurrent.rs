//! How much of a traffic can any routing carry at most? Bounds that meet, each with its certificate.
//!
//! A flow whose busiest channel bears L when each host sends 1 carries 1/L: a lower bound. Lengths l on channels give an
//! upper one: what goes between two nodes takes at least their distance under l for each unit, and there is Σ l of it.
//! Both are improved in turns: channels are as long as they are busy, by multiplicative weights, and each destination
//! moves a part of its flow to paths that are shorter then. (After S. Plotkin, D. Shmoys, É. Tardos, 1995.)

use super::split::{Pass, Split};
use super::{Demands, FlowError};
use nestnet_graph::fabric::Fabric;
use nestnet_graph::measure::{count, id};
use nestnet_graph::{Budget, Csr, index};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Bounds on what any routing carries, and what proves them.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Concurrent {
    /// At least this: the flow carries it.
    pub low: f64,
    /// At most this: the lengths prove it.
    pub high: f64,
    /// A length for every channel, in the order of [`Csr::targets`].
    pub lengths: Vec<f64>,
    /// For every destination what goes to it over every channel when each host sends 1: destination by destination.
    pub flow: Vec<f64>,
}

/// How much of a mean over rounds is kept from one to the next: of a short and of a long one.
const KEPT: [f64; 2] = [0.97, 0.995];

/// Where a destination moves its flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Toward {
    /// All of it to the shortest paths.
    Shortest,
    /// At each node from channel to channel, no more than makes them cost the same. Quicker in the end, but it can stand
    /// still where paths must be left altogether.
    Cheaper,
}

/// Bounds within `gap` of each other, or as near as the budget lets them come. `None` where no channel is used.
///
/// ```
/// use nestnet_graph::fabric::Fabric;
/// use nestnet_graph::{Budget, Csr};
/// use nestnet_routing::flow::{Demands, check, concurrent};
/// use nestnet_routing::traffic::Traffic;
///
/// let ring = Csr::from_links(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)], 1 << 20)?;
/// let fabric = Fabric::of(&ring, &Budget::default())?;
/// let demands = Demands::of(&fabric, &Traffic::uniform(5), &Budget::default())?;
/// let found = concurrent(&fabric, &demands, 0.01, &Budget::default())?.unwrap();
/// assert!(found.low <= 4.0 / 3.0 && 4.0 / 3.0 <= found.high);
/// assert!(check::check(&fabric, &demands, &found).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn concurrent(
    fabric: &Fabric,
    demands: &Demands,
    gap: f64,
    budget: &Budget<'_>,
) -> Result<Option<Concurrent>, FlowError> {
    let csr = &fabric.csr;
    let (n, m) = (count(csr), csr.targets().len());
    budget.fits("a flow to every destination", (n as u128) * (m as u128) * 8)?;
    let mut state = State::new(csr, demands)?;
    if state.loads.iter().all(|&load| load == 0.0) {
        return Ok(None);
    }
    // A sweep looks at every channel once for each destination, and sorts.
    let sweep = (n as u128) * (m as u128) * 6;
    budget.affords("bounds for any routing", sweep)?;
    let rounds = (budget.steps / sweep.max(1)).min(4000);
    let mut best = Concurrent { low: 0.0, high: f64::MAX, lengths: vec![1.0; m], flow: Vec::new() };
    state.improve_high(&vec![1.0; m], &mut best)?;
    state.improve_low(&mut best);
    let mut sharpness = 8.0;
    let mut means = KEPT.map(|_| vec![0.0; m]);
    let (mut round, mut last) = (0, f64::MAX);
    while best.high > best.low * (1.0 + gap) && round < rounds {
        budget.check()?;
        (budget.watch.progress)(round as f64 / rounds as f64);
        state.sweep(if round % 2 == 0 { Toward::Shortest } else { Toward::Cheaper }, sharpness);
        state.improve_low(&mut best);
        // The lengths of many rounds together prove more than those of the last alone.
        let lengths = state.lengths(sharpness);
        let sum: f64 = lengths.iter().sum();
        for (mean, keep) in means.iter_mut().zip(KEPT) {
            for (mean, length) in mean.iter_mut().zip(&lengths) {
                *mean = *mean * keep + length / sum;
            }
        }
        match round % 5 {
            0 => state.improve_high(&lengths, &mut best)?,
            1 => state.improve_high(&means[0], &mut best)?,
            2 => state.improve_high(&state.lengths(sharpness / 4.0), &mut best)?,
            3 => state.improve_high(&means[1], &mut best)?,
            _ => state.improve_high(&state.lengths(sharpness / 2.0), &mut best)?,
        }
        let now = best.high / best.low;
        // Where little improves, the busiest channels should count for more; if for too much, nothing moves.
        round += 1;
        if round % 6 == 0 {
            if now > last * 0.997 {
                sharpness = (sharpness * 1.2).min(1000.0);
            }
            last = now;
        }
    }
    Ok(Some(best))
}

/// Which part of a flow to move so that the sum of all e^(rate · (load − busiest)) is least: where its slope is 0.
fn best_part(flow: &[f64], moved: &[f64], loads: &[f64], rate: f64, busiest: f64) -> f64 {
    let changes = flow.iter().zip(moved).map(|(flow, moved)| moved - flow);
    let changes = changes.zip(loads).filter(|(change, _)| *change != 0.0);
    let changes: Vec<(f64, f64)> = changes.map(|(change, &load)| (change, load)).collect();
    let slope = |part: f64| -> f64 {
        let each = changes.iter();
        each.map(|(change, load)| change * (rate * (load + part * change - busiest)).exp()).sum()
    };
    if slope(0.0) >= 0.0 {
        return 0.0;
    }
    if slope(1.0) <= 0.0 {
        return 1.0;
    }
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..12 {
        let middle = (low + high) / 2.0;
        if slope(middle) < 0.0 { low = middle } else { high = middle }
    }
    low
}

struct State<'a> {
    csr: &'a Csr,
    /// For each destination its sources and what they send.
    demands: Vec<Vec<(u32, f64)>>,
    flow: Vec<f64>,
    loads: Vec<f64>,
    distance: Vec<f64>,
    heap: BinaryHeap<Reverse<(Length, u32)>>,
    order: Vec<u32>,
}

/// A length that is not negative, in order.
#[derive(Clone, Copy, PartialEq)]
struct Length(f64);

impl Eq for Length {}

impl PartialOrd for Length {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Length {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl<'a> State<'a> {
    /// Begins with all shortest paths alike.
    fn new(csr: &'a Csr, demands: &Demands) -> Result<Self, FlowError> {
        let (n, m) = (count(csr), csr.targets().len());
        let whole = demands.whole() as f64;
        let mut flow = vec![0.0; n * m];
        let mut listed = Vec::with_capacity(n);
        let mut pass = Pass::new(csr);
        for to in 0..id(n) {
            let part = &mut flow[to as usize * m..][..m];
            pass.add(csr, demands, Split::AllPaths, to, part)?;
            part.iter_mut().for_each(|flow| *flow /= whole);
            let mut column = Vec::new();
            demands.for_each(to, &mut |from, weight| column.push((from, weight as f64 / whole)));
            listed.push(column);
        }
        let mut state = State {
            csr,
            demands: listed,
            flow,
            loads: vec![0.0; m],
            distance: vec![0.0; n],
            heap: BinaryHeap::new(),
            order: Vec::new(),
        };
        state.add_up();
        Ok(state)
    }

    fn add_up(&mut self) {
        self.loads.fill(0.0);
        for part in self.flow.chunks(self.loads.len().max(1)) {
            self.loads.iter_mut().zip(part).for_each(|(load, flow)| *load += flow);
        }
    }

    fn busiest(&self) -> f64 {
        self.loads.iter().copied().fold(0.0, f64::max)
    }

    /// As long as busy: e to the power of `sharpness` times how near it is to the busiest.
    fn lengths(&self, sharpness: f64) -> Vec<f64> {
        /// So that every link makes a path longer, also in the last digit of a sum.
        const LEAST: f64 = 1e-7;
        let busiest = self.busiest();
        let length = |load: &f64| (sharpness * (load / busiest - 1.0)).exp().max(LEAST);
        self.loads.iter().map(length).collect()
    }

    /// The distances of all nodes to one; `order` has them nearest first.
    fn search(&mut self, to: u32, lengths: &[f64]) {
        self.distance.fill(f64::INFINITY);
        self.order.clear();
        self.distance[to as usize] = 0.0;
        self.heap.push(Reverse((Length(0.0), to)));
        while let Some(Reverse((Length(here), at))) = self.heap.pop() {
            if here > self.distance[at as usize] {
                continue;
            }
            self.order.push(at);
            for &from in self.csr.neighbors(at) {
                let cables = nestnet_graph::measure::channels(self.csr, from, at);
                let length = here + lengths[cables].iter().copied().fold(f64::INFINITY, f64::min);
                if length < self.distance[from as usize] {
                    self.distance[from as usize] = length;
                    self.heap.push(Reverse((Length(length), from)));
                }
            }
        }
    }

    /// The channels from a node to nodes nearer to the destination: its place, its number and its end.
    fn nearer(&self, at: u32) -> impl Iterator<Item = (usize, usize, u32)> {
        let first = index(self.csr.offsets()[at as usize]);
        let arcs = self.csr.neighbors(at).iter().enumerate();
        arcs.map(move |(place, &next)| (place, first + place, next))
            .filter(move |&(_, _, next)| self.distance[next as usize] < self.distance[at as usize])
    }

    /// What a unit at each node costs on its way, as the flow to a destination is shared now.
    fn costs(&self, to: u32, lengths: &[f64], cost: &mut [f64]) {
        let flows = &self.flow[to as usize * lengths.len()..][..lengths.len()];
        for &at in &self.order {
            let through: f64 = self.nearer(at).map(|(_, channel, _)| flows[channel]).sum();
            let whole = |(_, channel, next): (usize, usize, u32)| {
                flows[channel] * (lengths[channel] + cost[next as usize])
            };
            cost[at as usize] = match through > 0.0 {
                true => self.nearer(at).map(whole).sum::<f64>() / through,
                // Nothing comes this way yet: the shortest counts.
                false => self.distance[at as usize],
            };
        }
    }

    /// How a node shares out what it sends among all shortest paths.
    fn share_evenly(&self, at: u32, lengths: &[f64], shares: &mut Vec<f64>) {
        shares.clear();
        shares.resize(self.csr.neighbors(at).len(), 0.0);
        let most = self.distance[at as usize] * (1.0 + 1e-10);
        let is_short = |&(_, channel, next): &(usize, usize, u32)| {
            self.distance[next as usize] + lengths[channel] <= most
        };
        let each = 1.0 / self.nearer(at).filter(is_short).count() as f64;
        self.nearer(at).filter(is_short).for_each(|(place, ..)| shares[place] = each);
    }

    /// How a node shares out what it sends to a destination: as before, but for what is moved from each channel to the
    /// cheapest one. (After R. Gallager, 1977: so much that both would cost the same if costs went on as they rise now.)
    fn share(
        &self,
        to: u32,
        at: u32,
        lengths: &[f64],
        cost: &[f64],
        rate: f64,
        shares: &mut Vec<f64>,
    ) {
        let flows = &self.flow[to as usize * lengths.len()..][..lengths.len()];
        shares.clear();
        shares.resize(self.csr.neighbors(at).len(), 0.0);
        let price = |channel: usize, next: u32| lengths[channel] + cost[next as usize];
        let cheapest = self.nearer(at).map(|(place, channel, next)| (price(channel, next), place));
        let Some((least, best)) = cheapest.min_by(|a, b| a.0.total_cmp(&b.0)) else { return };
        let through: f64 = self.nearer(at).map(|(_, channel, _)| flows[channel]).sum();
        let mut kept = 0.0;
        for (place, channel, next) in self.nearer(at).filter(|&(place, ..)| place != best) {
            let price = price(channel, next);
            let leaves = (price - least) / (rate * (price + least));
            let stays = (flows[channel] - leaves).max(0.0);
            if through > 0.0 {
                shares[place] = stays / through;
                kept += shares[place];
            }
        }
        shares[best] = 1.0 - kept;
    }

    /// Every destination moves a part of its flow.
    fn sweep(&mut self, toward: Toward, sharpness: f64) {
        let busiest = self.busiest();
        let m = self.loads.len();
        let mut arriving = vec![0.0; count(self.csr)];
        let mut moved = vec![0.0; m];
        let (mut cost, mut shares) = (vec![0.0; count(self.csr)], Vec::new());
        let mut lengths = self.lengths(sharpness);
        for to in 0..id(count(self.csr)) {
            if self.demands[to as usize].is_empty() {
                continue;
            }
            // Loads change little between two destinations; lengths are made anew now and then.
            if to.is_multiple_of(8) {
                lengths = self.lengths(sharpness);
            }
            self.search(to, &lengths);
            arriving.fill(0.0);
            moved.fill(0.0);
            self.demands[to as usize]
                .iter()
                .for_each(|&(from, sent)| arriving[from as usize] = sent);
            if toward == Toward::Cheaper {
                self.costs(to, &lengths, &mut cost);
            }
            for place in (0..self.order.len()).rev() {
                let at = self.order[place];
                let through = arriving[at as usize];
                if at == to || through == 0.0 {
                    continue;
                }
                let first = index(self.csr.offsets()[at as usize]);
                match toward {
                    Toward::Shortest => self.share_evenly(at, &lengths, &mut shares),
                    Toward::Cheaper => {
                        self.share(to, at, &lengths, &cost, sharpness / busiest, &mut shares);
                    }
                }
                for ((share, channel), &next) in
                    shares.iter().zip(first..).zip(self.csr.neighbors(at))
                {
                    moved[channel] += through * share;
                    arriving[next as usize] += through * share;
                }
            }
            let flows = &mut self.flow[to as usize * m..][..m];
            let part = best_part(flows, &moved, &self.loads, sharpness / busiest, busiest);
            if part == 0.0 {
                continue;
            }
            for ((flow, moved), load) in flows.iter_mut().zip(&moved).zip(&mut self.loads) {
                let change = part * (moved - *flow);
                *flow += change;
                *load += change;
            }
        }
        // What rounding has added up is taken away.
        self.add_up();
    }

    fn improve_low(&self, best: &mut Concurrent) {
        let low = 1.0 / self.busiest();
        if low > best.low {
            best.low = low;
            best.flow.clone_from(&self.flow);
        }
    }

    fn improve_high(&mut self, lengths: &[f64], best: &mut Concurrent) -> Result<(), FlowError> {
        let mut needed = 0.0;
        for to in 0..id(count(self.csr)) {
            if self.demands[to as usize].is_empty() {
                continue;
            }
            self.search(to, lengths);
            let sent = self.demands[to as usize].iter();
            needed += sent.map(|&(from, sent)| sent * self.distance[from as usize]).sum::<f64>();
        }
        let high = lengths.iter().sum::<f64>() / needed;
        if high < best.high {
            best.high = high;
            best.lengths = lengths.to_vec();
        }
        Ok(())
    }
}
