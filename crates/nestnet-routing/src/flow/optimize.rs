//! A routing that carries nearly as much as any can: a few weighted paths for each pair of switches.
//!
//! Every pair begins with shortest paths that avoid busy channels. Then pairs move parts of their traffic, one after the
//! other, from their most expensive path to the cheapest path there is, where a channel costs e to the power of its load:
//! as in the flow that proves the bound (`concurrent.rs`), but on whole parts of at most so many paths, so that what
//! comes out is the routing itself.

use super::{Demands, FlowError};
use crate::route::{WeightedPath, WeightedPaths};
use nestnet_graph::fabric::Fabric;
use nestnet_graph::measure::search::distances_in_order;
use nestnet_graph::measure::{channels as links, count, id};
use nestnet_graph::{Budget, Csr, Network, index};
use smallvec::SmallVec;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// So many paths a pair where nobody says otherwise.
pub const DEFAULT_PATHS: usize = 8;

/// Limit: paths a pair of switches of the router `optimized`.
pub const MAX_PATHS: usize = 64;

/// Rounds over all pairs: no more than the second, and beyond the first only as many as take [`ROUND_STEPS`]. They do not
/// depend on the budget, so that one name means the same paths everywhere.
const ROUNDS: [u128; 2] = [16, 4000];

/// See [`ROUNDS`].
const ROUND_STEPS: u128 = 1 << 29;

/// The cost of a busy channel rises when so many rounds were of little use, up to [`SHARPEST`].
const PATIENCE: u32 = 4;

/// See [`PATIENCE`]: e to this power is what the busiest channel costs more than one without load.
const SHARPEST: f64 = 1000.0;

/// What a pair sends is divided into one of these numbers of parts, see [`FINE`].
const PARTS: [u32; 5] = [16, 32, 64, 128, 256];

/// One part of a pair is at most the mean load of a channel over this, if that can be.
const FINE: f64 = 128.0;

/// The improvement ends when the busiest channel bears no more than the least that is possible, times this; where it does
/// not come so near, a second attempt is made.
const NEAR: f64 = 1.02;

/// What the busiest channel bears at least is computed anew after so many rounds, and where one was of little use.
const ROUNDS_A_BOUND: u32 = 8;

/// The first rounds are not kept aside, since those that follow are better.
const FIRST_KEPT: u32 = 4;

/// A routing is kept aside when it is better than the last one kept by this part.
const WORTH_KEEPING: f64 = 1e-3;

/// The routing for a traffic between the switches of a fabric.
///
/// A heuristic: the exact throughput of what comes out is for [`routed_loads`](super::routed_loads) to say, and
/// [`concurrent`](super::concurrent()) bounds what any routing does. O(rounds · switches · channels · log switches).
///
/// ```
/// use nestnet_graph::fabric::Fabric;
/// use nestnet_graph::{Budget, Csr};
/// use nestnet_routing::flow::{Demands, optimize, routed_loads};
/// use nestnet_routing::traffic::Traffic;
///
/// // Four switches in a ring with a chord: shortest paths alone would crowd the chord.
/// let ring = Csr::from_links(4, &[(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)], 1 << 20)?;
/// let fabric = Fabric::of(&ring, &Budget::default())?;
/// let traffic = Traffic::uniform(4);
/// let demands = Demands::of(&fabric, &traffic, &Budget::default())?;
/// let router = optimize(&ring, &fabric, &demands, 8, &Budget::default())?;
/// let found = routed_loads(&ring, &router, &fabric, &demands, &Budget::default())?;
/// let busiest = found.loads.iter().max().unwrap();
/// assert!(*busiest <= found.whole);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn optimize(
    network: &dyn Network,
    fabric: &Fabric,
    demands: &Demands,
    paths: usize,
    budget: &Budget<'_>,
) -> Result<WeightedPaths, FlowError> {
    let (n, m) = (count(&fabric.csr) as u128, fabric.csr.targets().len() as u128);
    let paths = paths.clamp(1, MAX_PATHS);
    budget.fits("paths between all switches", n * n * (64 + 48 * paths as u128))?;
    // A round searches from every switch and looks at every pair.
    let round = n * (m * 8 + n * 64);
    budget.affords("an optimized routing", round * ROUNDS[0])?;
    // Few pairs that send much are harder to even out than many.
    let steps = if demands.is_uniform() { ROUND_STEPS } else { 8 * ROUND_STEPS };
    let rounds = (steps / round.max(1)).clamp(ROUNDS[0], ROUNDS[1]);
    let rounds = u32::try_from(rounds).unwrap_or(u32::MAX);
    // Also with more paths than are allowed, of which the heaviest stay; the better one counts.
    let mut state = State::new(fabric, demands, paths, budget)?;
    state.improve(rounds, budget)?;
    if state.busiest() > state.least * NEAR {
        let mut other = State::new(fabric, demands, 2 * paths, budget)?;
        other.least = state.least;
        other.improve(rounds, budget)?;
        other.prune(paths);
        other.improve(rounds, budget)?;
        if other.busiest() < state.busiest() {
            state = other;
        }
    }
    let (given, whole) = (state.pairs, state.whole);
    let made = WeightedPaths::new(network, fabric, &given, whole);
    made.ok_or(FlowError::TooManyHops)
}

/// At most this is carried by any routing, as the loads of one show: a cut, more or less, through its busiest channels.
///
/// O(switches · channels · log switches).
///
/// ```
/// use nestnet_graph::fabric::Fabric;
/// use nestnet_graph::{Budget, Csr};
/// use nestnet_routing::flow::{Demands, most_by_busiest};
/// use nestnet_routing::traffic::Traffic;
///
/// // Two triangles and a link between them, which is the busiest: 9 of 5 a unit that hosts send cross it.
/// let links = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3)];
/// let csr = Csr::from_links(6, &links, 1 << 20)?;
/// let fabric = Fabric::of(&csr, &Budget::default())?;
/// let demands = Demands::of(&fabric, &Traffic::uniform(6), &Budget::default())?;
/// let crosses = |channel: usize| matches!(csr.ends(channel), (0, 3) | (3, 0));
/// let loads: Vec<f64> = (0..14).map(|at| if crosses(at) { 1.8 } else { 1.0 }).collect();
/// let most = most_by_busiest(&fabric, &demands, &loads, &Budget::default())?;
/// assert!((most - 5.0 / 9.0).abs() < 1e-2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn most_by_busiest(
    fabric: &Fabric,
    demands: &Demands,
    loads: &[f64],
    budget: &Budget<'_>,
) -> Result<f64, FlowError> {
    let (n, m) = (count(&fabric.csr) as u128, fabric.csr.targets().len() as u128);
    budget.fits("what all switches send", n * n * 8)?;
    budget.affords("a bound for any routing", n * m * 8)?;
    let mut state = State::without_paths(fabric, demands, 1);
    let busy = loads.iter().copied().fold(0.0, f64::max) * (1.0 - 1e-6);
    for (cost, load) in state.costs.iter_mut().zip(loads) {
        *cost = if *load >= busy { 1.0 } else { LEAST };
    }
    state.bound(budget)?;
    Ok(1.0 / state.least)
}

struct State<'a> {
    csr: &'a Csr,
    n: usize,
    most: usize,
    /// The weights of a pair sum to this.
    whole: u32,
    /// What each pair sends, by source and target.
    sent: Vec<f64>,
    pairs: Vec<Vec<WeightedPath>>,
    /// The channel back of every channel.
    back: Vec<u32>,
    loads: Vec<f64>,
    /// What a channel costs: e^(rate · (load − full)), and no less than [`LEAST`].
    costs: Vec<f64>,
    rate: f64,
    full: f64,
    /// No routing has a busiest channel that bears less.
    least: f64,
    distance: Vec<f64>,
    toward: Vec<u32>,
    heap: BinaryHeap<Reverse<(u64, u32)>>,
    /// The distances of switches that a dense search has not finished.
    open: Open,
    prices: Vec<f64>,
    /// Channels from a switch to those that are nearer to another, and their ends.
    nearer: Vec<(usize, u32)>,
}

/// A network is dense where a switch is linked to one of so many.
const DENSE: usize = 16;

/// So that every hop costs something.
const LEAST: f64 = 1e-4;

impl<'a> State<'a> {
    /// Begins with shortest paths: one after the other, each takes the least busy channel at every switch.
    fn new(
        fabric: &'a Fabric,
        demands: &Demands,
        most: usize,
        budget: &Budget<'_>,
    ) -> Result<Self, FlowError> {
        let mut state = State::without_paths(fabric, demands, most);
        let n = state.n;
        state.pairs = vec![Vec::new(); n * n];
        let (mut hops, mut order) = (vec![0; n * n], Vec::new());
        for (to, hops) in (0..).zip(hops.chunks_exact_mut(n.max(1))) {
            budget.check()?;
            distances_in_order(state.csr, to, hops, &mut order);
        }
        state.whole = state.parts(&hops);
        for (to, hops) in (0..).zip(hops.chunks_exact(n.max(1))) {
            budget.check()?;
            state.begin(to, hops);
        }
        Ok(state)
    }

    fn without_paths(fabric: &'a Fabric, demands: &Demands, most: usize) -> Self {
        let csr = &fabric.csr;
        let (n, m) = (count(csr), csr.targets().len());
        let mut sent = vec![0.0; n * n];
        let whole = demands.whole() as f64;
        for to in 0..id(n) {
            demands.for_each(to, &mut |from, weight| {
                sent[from as usize * n + to as usize] = weight as f64 / whole;
            });
        }
        State {
            csr,
            n,
            most,
            whole: 1,
            sent,
            pairs: Vec::new(),
            back: back_of(csr),
            loads: vec![0.0; m],
            costs: vec![1.0; m],
            rate: 0.0,
            full: 0.0,
            least: 0.0,
            distance: vec![f64::INFINITY; n],
            toward: vec![u32::MAX; n],
            heap: BinaryHeap::new(),
            open: Open::new(n),
            prices: Vec::new(),
            nearer: Vec::new(),
        }
    }

    /// How many parts a pair's traffic is divided into: so many that one of them is a small part of what a channel bears.
    fn parts(&mut self, hops: &[u32]) -> u32 {
        let (mut pairs, mut sum, mut all_hops) = (0u32, 0.0, 0.0);
        for (to, hops) in hops.chunks_exact(self.n.max(1)).enumerate() {
            for (from, &hops) in hops.iter().enumerate() {
                let sent = self.sent[from * self.n + to];
                if sent > 0.0 && hops != NO_PATH {
                    (pairs, sum) = (pairs + 1, sum + sent);
                    all_hops += sent * f64::from(hops);
                }
            }
        }
        let mean = sum / f64::from(pairs.max(1));
        let load = all_hops / self.loads.len().max(1) as f64;
        self.least = load;
        let wanted = FINE * mean / load;
        let fits = |parts: &u32| f64::from(*parts) >= wanted;
        PARTS.into_iter().find(fits).unwrap_or(PARTS[PARTS.len() - 1])
    }

    /// The first paths of all pairs to one switch, which is so many hops away from each.
    fn begin(&mut self, to: u32, hops: &[u32]) {
        let n = self.n;
        for from in (0..id(n)).filter(|&from| from != to) {
            let pair = from as usize * n + to as usize;
            if hops[from as usize] == NO_PATH {
                // No routing has a path.
                self.sent[pair] = 0.0;
                continue;
            }
            let shares = if self.sent[pair] > 0.0 { self.most.min(self.whole as usize) } else { 1 };
            self.nearer.clear();
            let first = index(self.csr.offsets()[from as usize]);
            let arcs = (first..).zip(self.csr.neighbors(from));
            let nearer = arcs.filter(|(_, next)| hops[**next as usize] < hops[from as usize]);
            self.nearer.extend(nearer.map(|(channel, &next)| (channel, next)));
            for share in 0..shares {
                // The parts of a whole that is not divided evenly differ by one.
                let (share, shares) = (id(share), id(shares));
                let weight = self.whole * (share + 1) / shares - self.whole * share / shares;
                let amount = self.sent[pair] * f64::from(weight) / f64::from(self.whole);
                let mut channels = SmallVec::new();
                let mut step = self.least_busy(self.nearer.iter().copied());
                loop {
                    let (channel, at) = step.expect("a switch that is nearer");
                    self.loads[channel] += amount;
                    channels.push(id(channel));
                    let here = hops[at as usize];
                    step = match here {
                        0 => break,
                        // The last hop, whose cables are found without a look at the others.
                        1 => self.least_busy(links(self.csr, at, to).map(|channel| (channel, to))),
                        _ => {
                            let first = index(self.csr.offsets()[at as usize]);
                            let arcs = (first..).zip(self.csr.neighbors(at).iter().copied());
                            self.least_busy(arcs.filter(|(_, next)| hops[*next as usize] < here))
                        }
                    };
                }
                add(&mut self.pairs[pair], channels, weight);
            }
        }
    }

    /// Of channels and their ends the first that is least busy.
    fn least_busy(&self, steps: impl Iterator<Item = (usize, u32)>) -> Option<(usize, u32)> {
        steps.min_by(|a, b| self.loads[a.0].total_cmp(&self.loads[b.0]))
    }

    /// The cheapest paths of all switches to one: what they cost, and the channel that each takes.
    fn search(&mut self, to: u32) {
        self.distance.fill(f64::INFINITY);
        self.distance[to as usize] = 0.0;
        // With many neighbors a switch is found sooner by a look at all than in a heap that each of them enters.
        if self.csr.targets().len() * DENSE >= self.n * self.n {
            self.search_dense(to);
        } else {
            self.search_sparse(to);
        }
    }

    fn search_dense(&mut self, to: u32) {
        self.open.lower(to as usize, 0.0);
        while let Some((at, here)) = self.open.take_least() {
            let first = index(self.csr.offsets()[at]);
            for (channel, &from) in (first..).zip(self.csr.neighbors(id(at))) {
                let back = self.back[channel];
                let length = here + self.costs[back as usize];
                if length < self.distance[from as usize] {
                    self.distance[from as usize] = length;
                    self.open.lower(from as usize, length);
                    self.toward[from as usize] = back;
                }
            }
        }
    }

    fn search_sparse(&mut self, to: u32) {
        self.heap.push(Reverse((0, to)));
        while let Some(Reverse((bits, at))) = self.heap.pop() {
            let here = f64::from_bits(bits);
            if here > self.distance[at as usize] {
                continue;
            }
            let first = index(self.csr.offsets()[at as usize]);
            for (channel, &from) in (first..).zip(self.csr.neighbors(at)) {
                let back = self.back[channel];
                let length = here + self.costs[back as usize];
                if length < self.distance[from as usize] {
                    self.distance[from as usize] = length;
                    self.toward[from as usize] = back;
                    // Numbers that are not negative are in the order of their bits.
                    self.heap.push(Reverse((length.to_bits(), from)));
                }
            }
        }
    }

    fn improve(&mut self, rounds: u32, budget: &Budget<'_>) -> Result<(), FlowError> {
        let mut sharpness = 12.0;
        let (mut best, mut kept) = (f64::MAX, None::<Vec<Vec<WeightedPath>>>);
        let (mut last, mut idle) = (f64::MAX, 0);
        for round in 0..rounds {
            budget.check()?;
            (budget.watch.progress)(f64::from(round) / f64::from(rounds));
            let busiest = self.busiest();
            if busiest == 0.0 {
                return Ok(());
            }
            if round >= FIRST_KEPT && busiest < best * (1.0 - WORTH_KEEPING) {
                best = busiest;
                // What was kept before gives its memory.
                match &mut kept {
                    Some(pairs) => pairs.clone_from(&self.pairs),
                    None => kept = Some(self.pairs.clone()),
                }
            }
            idle = if busiest < last * 0.9995 { 0 } else { idle + 1 };
            last = busiest.min(last);
            if idle > PATIENCE && sharpness < SHARPEST {
                (sharpness, idle) = ((sharpness * 1.25f64).min(SHARPEST), 0);
            }
            self.full = busiest;
            self.rate = sharpness / busiest;
            for channel in 0..self.loads.len() {
                self.costs[channel] = self.cost(self.loads[channel]).max(LEAST);
            }
            if idle == 1 || round % ROUNDS_A_BOUND == ROUNDS_A_BOUND - 1 {
                self.bound(budget)?;
            }
            if busiest <= self.least * NEAR || (sharpness >= SHARPEST && idle > 4 * PATIENCE) {
                break;
            }
            for to in 0..id(self.n) {
                budget.check()?;
                self.improve_toward(to);
            }
        }
        if let Some(pairs) = kept.filter(|_| self.busiest() > best) {
            self.pairs = pairs;
            self.add_up();
        }
        Ok(())
    }

    /// Whatever the routing, the loads weighted by these costs sum to no less than what is sent costs on the cheapest
    /// paths, so that the busiest channel bears at least the weighted mean.
    fn bound(&mut self, budget: &Budget<'_>) -> Result<(), FlowError> {
        let mut sum = 0.0;
        for to in 0..id(self.n) {
            budget.check()?;
            self.search(to);
            let sent = self.sent.iter().skip(to as usize).step_by(self.n);
            let costs = sent.zip(&self.distance).filter(|(sent, _)| **sent > 0.0);
            sum += costs.map(|(sent, distance)| sent * distance).sum::<f64>();
        }
        self.least = self.least.max(sum / self.costs.iter().sum::<f64>());
        Ok(())
    }

    /// What the busiest channel bears.
    fn busiest(&self) -> f64 {
        self.loads.iter().copied().fold(0.0, f64::max)
    }

    fn add_up(&mut self) {
        self.loads.fill(0.0);
        for (sent, paths) in self.sent.iter().zip(&self.pairs) {
            for WeightedPath { channels, weight } in paths {
                let amount = sent * f64::from(*weight) / f64::from(self.whole);
                channels.iter().for_each(|&channel| self.loads[channel as usize] += amount);
            }
        }
    }

    /// Leaves each pair its heaviest paths, which share what the others had.
    fn prune(&mut self, most: usize) {
        self.most = most;
        for paths in self.pairs.iter_mut().filter(|paths| paths.len() > most) {
            paths.sort_by_key(|path| Reverse(path.weight));
            let left: u32 = paths.drain(most..).map(|path| path.weight).sum();
            // One part after the other, so that nothing is lost by rounding.
            for part in 0..left as usize {
                paths[part % most].weight += 1;
            }
        }
        self.add_up();
    }

    fn cost(&self, load: f64) -> f64 {
        (self.rate * (load - self.full)).exp()
    }

    /// Every switch moves a part of what it sends to one, where that makes the sum of all costs less.
    fn improve_toward(&mut self, to: u32) {
        self.search(to);
        for from in (0..id(self.n)).filter(|&from| from != to) {
            let pair = from as usize * self.n + to as usize;
            if self.sent[pair] == 0.0 {
                continue;
            }
            let price = |path: &WeightedPath| -> f64 {
                path.channels.iter().map(|&channel| self.costs[channel as usize]).sum()
            };
            self.prices.clear();
            self.prices.extend(self.pairs[pair].iter().map(price));
            let prices = &self.prices;
            let places = 0..prices.len();
            let Some(worst) = places.clone().max_by(|&a, &b| prices[a].total_cmp(&prices[b]))
            else {
                continue;
            };
            let cheapest = places.min_by(|&a, &b| prices[a].total_cmp(&prices[b])).unwrap_or(worst);
            let is_new = self.distance[from as usize] < prices[cheapest] * (1.0 - 1e-6);
            let least = if is_new { self.distance[from as usize] } else { prices[cheapest] };
            if prices[worst] <= least * (1.0 + 1e-6) {
                continue;
            }
            let target = match is_new {
                true => self.follow(from, to),
                false => self.pairs[pair][cheapest].channels.clone(),
            };
            // A pair that has all its paths gives one up for a new one.
            let all = is_new && self.pairs[pair].len() >= self.most;
            self.shift(pair, worst, target, all);
        }
    }

    /// The cheapest path by the last search.
    fn follow(&self, from: u32, to: u32) -> SmallVec<[u32; 4]> {
        let mut channels = SmallVec::new();
        let mut at = from;
        while at != to {
            let channel = self.toward[at as usize];
            channels.push(channel);
            at = self.csr.targets()[channel as usize];
        }
        channels
    }

    /// Moves of a path's parts as many to another path as make the sum of costs least; all or none if `all`.
    fn shift(&mut self, pair: usize, worst: usize, target: SmallVec<[u32; 4]>, all: bool) {
        let from = &self.pairs[pair][worst];
        let one = self.sent[pair] / f64::from(self.whole);
        let leaves = from.channels.iter().filter(|channel| !target.contains(channel));
        let leaves: SmallVec<[u32; 8]> = leaves.copied().collect();
        let enters = target.iter().filter(|channel| !from.channels.contains(channel));
        let enters: SmallVec<[u32; 8]> = enters.copied().collect();
        let sum = |channels: &[u32], amount: f64| -> f64 {
            channels.iter().map(|&channel| self.cost(self.loads[channel as usize] + amount)).sum()
        };
        // A load that is higher by a costs e^(rate · a) times as much, so that the sum of all costs is least where what
        // is entered costs as much as what is left.
        let (entered, left) = (sum(&enters, 0.0), sum(&leaves, 0.0));
        let wanted = ((left / entered).ln() / (2.0 * self.rate * one)).round();
        let weight = from.weight;
        let few = (1..weight).find(|&parts| f64::from(parts) >= wanted).unwrap_or(weight);
        let parts = if all { weight } else { few };
        let amount = one * f64::from(parts);
        if sum(&enters, amount) + sum(&leaves, -amount) >= entered + left {
            return;
        }
        for (channels, amount) in [(&enters, amount), (&leaves, -amount)] {
            for &channel in channels {
                let channel = channel as usize;
                self.loads[channel] = (self.loads[channel] + amount).max(0.0);
                self.costs[channel] = self.cost(self.loads[channel]).max(LEAST);
            }
        }
        let paths = &mut self.pairs[pair];
        match parts == weight {
            true => drop(paths.swap_remove(worst)),
            false => paths[worst].weight -= parts,
        }
        add(paths, target, parts);
    }
}

/// There is no path, as [`distances_in_order`] says it.
const NO_PATH: u32 = u32::MAX;

/// Numbers of which the least is taken again and again, in blocks whose least is known.
struct Open {
    numbers: Vec<f64>,
    /// The least of every block of [`BLOCK`] numbers.
    least: Vec<f64>,
}

/// Near the square root of the switches of most fabrics.
const BLOCK: usize = 16;

impl Open {
    fn new(n: usize) -> Self {
        let blocks = n.div_ceil(BLOCK);
        Open { numbers: vec![f64::INFINITY; blocks * BLOCK], least: vec![f64::INFINITY; blocks] }
    }

    /// A number that is less than before.
    fn lower(&mut self, at: usize, number: f64) {
        self.numbers[at] = number;
        let least = &mut self.least[at / BLOCK];
        *least = least.min(number);
    }

    /// The place of the least number and the number, which becomes infinite; none where all are.
    fn take_least(&mut self) -> Option<(usize, f64)> {
        let (mut block, mut least) = (0, f64::INFINITY);
        for (place, &number) in self.least.iter().enumerate() {
            if number < least {
                (block, least) = (place, number);
            }
        }
        let first = block * BLOCK;
        let numbers = self.numbers.get_mut(first..first + BLOCK)?;
        let at = numbers.iter().position(|&number| number == least)?;
        if least.is_infinite() {
            return None;
        }
        numbers[at] = f64::INFINITY;
        self.least[block] = numbers.iter().copied().fold(f64::INFINITY, f64::min);
        Some((first + at, least))
    }
}

/// Adds a path, or weight to the same path.
fn add(paths: &mut Vec<WeightedPath>, channels: SmallVec<[u32; 4]>, weight: u32) {
    match paths.iter_mut().find(|path| path.channels == channels) {
        Some(path) => path.weight += weight,
        None => paths.push(WeightedPath { channels, weight }),
    }
}

/// For every channel the one back by the same cable.
fn back_of(csr: &Csr) -> Vec<u32> {
    let mut back = vec![0; csr.targets().len()];
    let mut seen = vec![0usize; count(csr)];
    for at in 0..id(count(csr)) {
        let first = index(csr.offsets()[at as usize]);
        for (channel, &to) in (first..).zip(csr.neighbors(at)) {
            // Sources come in ascending order, as the neighbors of a switch are.
            let there = index(csr.offsets()[to as usize]) + seen[to as usize];
            seen[to as usize] += 1;
            back[channel] = id(there);
        }
    }
    back
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(nestnet_seed::config())]

        /// Numbers are lowered and taken as a list does it.
        #[test]
        fn the_least_number_is_taken(given in prop::collection::vec((0usize..40, 0.0..10.0f64), 0..80)) {
            let mut open = Open::new(40);
            let mut list = vec![f64::INFINITY; 40];
            for (at, number) in given {
                if number < list[at] {
                    open.lower(at, number);
                    list[at] = number;
                } else {
                    let least = list.iter().copied().fold(f64::INFINITY, f64::min);
                    let found = open.take_least();
                    prop_assert_eq!(found.map(|(_, number)| number), least.is_finite().then_some(least));
                    if let Some((at, number)) = found {
                        prop_assert_eq!(list[at], number);
                        list[at] = f64::INFINITY;
                    }
                }
            }
        }
    }

    #[test]
    fn nothing_is_least_where_all_are_infinite() {
        assert_eq!(Open::new(20).take_least(), None);
        assert_eq!(Open::new(0).take_least(), None);
    }

    /// Two triangles joined by one link: whatever the routing, all that goes from one to the other takes it.
    #[test]
    fn a_bottleneck_bounds_every_routing() {
        let links = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3)];
        let csr = Csr::from_links(6, &links, 1 << 20).unwrap();
        let fabric = Fabric::of(&csr, &Budget::default()).unwrap();
        let traffic = crate::traffic::Traffic::uniform(6);
        let demands = Demands::of(&fabric, &traffic, &Budget::default()).unwrap();
        let mut state = State::new(&fabric, &demands, 8, &Budget::default()).unwrap();
        state.improve(64, &Budget::default()).unwrap();
        let crossing = 9.0 / 5.0;
        assert!((state.busiest() - crossing).abs() < 1e-9, "{}", state.busiest());
        assert!(state.least <= crossing + 1e-9 && state.least > crossing / NEAR - 1e-9);
    }
}
