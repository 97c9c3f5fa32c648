//! Folded Clos networks: fat trees, leaf and spine, tapered trees; what data centers build from switches.
//!
//! # Definition
//! All of them are extended generalized fat trees (S. R. Öhring, M. Ibel, S. K. Das, M. J. Kumar, 1995). Level 0 are the
//! hosts, levels 1..=L the switches. A node carries a digit at each position 0..L: of a node of level l the positions from
//! l on hold *pod* digits, position i below s_i, and the positions before l hold *plane* digits, position i below t_i.
//! A node of level l and one of level l + 1 are linked where they agree at every position but l.
//! So a switch of level l has s_{l-1} links down and t_l up; t_0 = 1, a host has one link. A link between the levels l and
//! l + 1 has p_l cables (parallel links: E. Zahavi, "D-Mod-K Routing Providing Non-Blocking Traffic for Shift Permutations on
//! Real Life Fat Trees", 2010).
//!
//! - pgft(m, w, p): s = m, t = w and these p.
//! - clos(R, L, taper t = a/b): d = R - u hosts and u = ⌈R/(1+t)⌉ uplinks at a leaf; with m = R/2, s = d, m, …, m, R and
//!   t = 1, u, m, …, m. Every switch uses exactly R ports. Only the leaf tapers.
//! - clos(R, L, taper t, hosts N): as few switches as carry at least N hosts, and of these the fewest hosts: all leaves
//!   have as many, s is as small as N asks for, and links are as wide as the ports allow, see [`FoldedClos::for_hosts`].
//! - fat_tree(k), M. Al-Fares, A. Loukissas, A. Vahdat, "A Scalable, Commodity Data Center Network Architecture", 2008:
//!   k pods of edge and aggregation switches and a core; it is clos(k, 3).
//! - leaf_spine(leaves, spines, hosts): two levels, s = hosts, leaves and t = 1, spines.
//!
//! # Numbering
//! Hosts, then the switches level by level. In a level pod digits from the last position down, then plane digits from
//! position 1 up, most significant first; so host h is at leaf ⌊h/s_0⌋. Ports: down first, then up, in ascending order,
//! the cables of a link beside each other.
//! Addresses begin with the level: (0, pod, edge, i), (1, pod, edge), (2, pod, a), (3, a, j) in a fat tree.

mod pods;

use crate::family::{ArgError, Args, Built};
use nestnet_draw::{Plan, Point};
use nestnet_graph::network::Automorphism;
use nestnet_graph::theory::{Degrees, Theory};
use nestnet_graph::{Address, Distances, Network, Node, Orbit, Port, radix};
use nestnet_routing::route::Structure;
use nestnet_routing::{Header, Hop, Router, Vc};
use num_bigint::BigUint;
use num_integer::Integer as _;
use num_traits::{One, ToPrimitive};
use std::cmp::Reverse;
use std::ops::Range;
use std::sync::Arc;

/// Limit: levels of switches of `clos`.
const MAX_LEVELS: u64 = 4;

/// Limit: the radix of `clos` where the fewest switches are searched for a number of hosts.
const MAX_SEARCHED_RADIX: u64 = 512;

/// Limit: levels of switches of `pgft`.
const MAX_TREE_LEVELS: u64 = 8;

pub(super) fn fat_tree(args: &Args) -> Result<FoldedClos, ArgError> {
    let k = args.integer("k");
    if k % 2 == 1 {
        return Err(ArgError::new(
            "k",
            format!("must be even: half the ports of a switch go up, not {k}"),
        ));
    }
    Ok(FoldedClos::of_radix(k, 3, k / 2))
}

pub(super) fn clos(args: &Args) -> Result<FoldedClos, ArgError> {
    let (radix, levels) = (args.integer("radix"), args.integer("levels"));
    let taper = args.optional_ratio("taper").unwrap_or((1, 1));
    if radix % 2 == 1 {
        let message = format!("must be even: half the ports of a switch go up, not {radix}");
        return Err(ArgError::new("radix", message));
    }
    if !(2..=MAX_LEVELS).contains(&levels) {
        return Err(ArgError::new("levels", format!("must be between 2 and {MAX_LEVELS}")));
    }
    let (over, under) = taper;
    if over < under || over > (radix - 1).saturating_mul(under) {
        let message = format!("must be between 1 and {}: a leaf needs an uplink", radix - 1);
        return Err(ArgError::new("taper", message));
    }
    let whole = FoldedClos::of_radix(radix, levels, fewest_uplinks(radix, taper));
    let Some(hosts) = args.optional_integer("hosts") else { return Ok(whole) };
    if radix > MAX_SEARCHED_RADIX {
        let message = format!("must be at most {MAX_SEARCHED_RADIX} where hosts are given");
        return Err(ArgError::new("radix", message));
    }
    FoldedClos::for_hosts(radix, levels, taper, hosts).ok_or_else(|| {
        let most = Theory::hosts(&whole);
        let message =
            format!("must be at most {most}: {levels} levels of {radix} ports hold no more");
        ArgError::new("hosts", message)
    })
}

/// The fewest uplinks of a leaf of so many ports that has at most `taper` hosts, a ratio, for each.
fn fewest_uplinks(radix: u64, (over, under): (u64, u64)) -> u64 {
    let [radix, over, under] = [radix, over, under].map(u128::from);
    u64::try_from((radix * under).div_ceil(over + under)).unwrap_or(u64::MAX)
}

pub(super) fn pgft(args: &Args) -> Result<FoldedClos, ArgError> {
    let [m, w, p] = ["m", "w", "p"].map(|name| args.integers(name).to_vec());
    for (name, list) in [("w", &w), ("p", &p)] {
        if list.len() != m.len() {
            let message = format!("has {} numbers and m has {}", list.len(), m.len());
            return Err(ArgError::new(name, message));
        }
    }
    if m.len() as u64 > MAX_TREE_LEVELS {
        return Err(ArgError::new("m", format!("can have at most {MAX_TREE_LEVELS} levels")));
    }
    if (w[0], p[0]) != (1, 1) {
        let name = if w[0] == 1 { "p" } else { "w" };
        return Err(ArgError::new(name, "must begin with 1: a host has one link of one cable"));
    }
    Ok(FoldedClos::with_widths(m, w, p))
}

pub(super) fn leaf_spine(args: &Args) -> Result<FoldedClos, ArgError> {
    let [leaves, spines, hosts] = ["leaves", "spines", "hosts"].map(|name| args.integer(name));
    Ok(FoldedClos::new(vec![hosts, leaves], vec![1, spines]))
}

/// Routed up and down: by the number of the target, which is also the shortest path, or spread over all shortest paths.
pub(super) fn built(tree: FoldedClos) -> Built {
    let router = |up_ports| Some(Arc::new(UpDown::new(tree.clone(), up_ports)) as Arc<dyn Router>);
    let by_target = router(UpPorts::ByTarget);
    Built::of(tree.clone()).placed(tree.plan()).routed([
        ("shortest", by_target.clone()),
        ("dmodk", by_target),
        ("spread", router(UpPorts::Spread)),
    ])
}

/// An extended generalized fat tree.
#[derive(Clone, Debug)]
pub struct FoldedClos {
    /// Links down of a switch of level i + 1: the pod digits at position i.
    down: Vec<u64>,
    /// Links up of a node of level i: the plane digits at position i.
    up: Vec<u64>,
    /// Cables of a link between the levels i and i + 1.
    width: Vec<u64>,
    /// The first node of each level, and the order; of no use where that does not fit.
    starts: Vec<u64>,
    /// How many plane numbers a level has: the product of its plane digits.
    planes: Vec<u64>,
    /// How many hosts are below a switch of a level.
    under: Vec<u64>,
}

/// Which folded Clos network is better: switches, hosts, pods.
type Rank = (BigUint, BigUint, Vec<Reverse<u64>>);

/// A node by its level, and its number in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    level: usize,
    number: u64,
}

impl FoldedClos {
    /// As many positions down as up, at least one, all at least 1, and 1 up at position 0.
    pub fn new(down: Vec<u64>, up: Vec<u64>) -> Self {
        let width = vec![1; down.len()];
        FoldedClos::with_widths(down, up, width)
    }

    /// The same with links of several cables.
    pub fn with_widths(down: Vec<u64>, up: Vec<u64>, width: Vec<u64>) -> Self {
        let product = |digits: &[u64]| digits.iter().fold(1, |n: u64, &d| n.saturating_mul(d));
        let levels = 0..=down.len();
        let planes: Vec<u64> = levels.clone().map(|level| product(&up[..level])).collect();
        let under = levels.clone().map(|level| product(&down[..level])).collect();
        let mut starts = vec![0u64];
        for level in levels {
            let size = product(&down[level..]).saturating_mul(planes[level]);
            starts.push(starts[level].saturating_add(size));
        }
        FoldedClos { down, up, width, starts, planes, under }
    }

    /// Of `levels` levels from switches of an even `radix`, whose leaves have `uplinks`.
    fn of_radix(radix: u64, levels: u64, uplinks: u64) -> Self {
        let half = radix / 2;
        let between = || (2..levels).map(|_| half);
        let down = [radix - uplinks].into_iter().chain(between()).chain([radix]).collect();
        let up = [1, uplinks].into_iter().chain(between()).collect();
        FoldedClos::new(down, up)
    }

    /// The folded Clos network of the fewest switches that holds at least so many hosts, and of those with as many the one
    /// with the fewest hosts, then with the largest pods, then with the fewest cables. `None` where `levels` levels hold
    /// fewer.
    ///
    /// A leaf has at most `taper` hosts, a ratio, for each cable up, and may leave ports unused. There are as many leaves as
    /// it takes where each has as many hosts as there are ports for, or the next number below of which none is over; the
    /// hosts are shared out evenly among them, so that there are at most as many too many as leaves but one. A switch
    /// between the leaves and the top has as many cables up as down. Links are as wide as the level above has ports for.
    /// Tries all numbers of pods but the last: O((R/2)^(L-2)).
    fn for_hosts(radix: u64, levels: u64, taper: (u64, u64), hosts: u64) -> Option<Self> {
        let shared = taper.0.gcd(&taper.1);
        let (over, under) = (taper.0 / shared, taper.1 / shared);
        let full = radix - fewest_uplinks(radix, taper);
        let mut leaves = vec![full, full - full % over];
        leaves.retain(|&leaf| leaf > 0);
        leaves.dedup();
        let mut best: Option<(Rank, FoldedClos)> = None;
        let mut pods = vec![1; usize::try_from(levels).ok()?.checked_sub(2)?];
        loop {
            for &most in &leaves {
                let below = |leaf: u64| pods.iter().fold(leaf, |n, &pods| n.saturating_mul(pods));
                let top = hosts.div_ceil(below(most)).max(1);
                let leaf = hosts.div_ceil(below(top)).max(1);
                let down: Vec<u64> =
                    [leaf].into_iter().chain(pods.iter().copied()).chain([top]).collect();
                let wide = |uplinks| FoldedClos::widest(radix, uplinks, down.clone());
                let uplinks = (leaf * under).div_ceil(over)..=radix - leaf;
                for tree in uplinks.filter_map(wide) {
                    let sizes = tree.sizes();
                    let switches = sizes.iter().skip(1).sum();
                    let shape = pods.iter().map(|&pods| Reverse(pods)).collect();
                    let rank = (switches, sizes[0].clone(), shape);
                    if best.as_ref().is_none_or(|(least, _)| rank < *least) {
                        best = Some((rank, tree));
                    }
                }
            }
            // The next numbers of pods, like a counter.
            let Some(place) = pods.iter().rposition(|&pods| pods < radix / 2) else { break };
            pods[place] += 1;
            pods[place + 1..].fill(1);
        }
        best.map(|(_, tree)| tree)
    }

    /// With these links down and the widest links that `radix` ports allow. `None` where a switch has too few ports.
    fn widest(radix: u64, uplinks: u64, down: Vec<u64>) -> Option<Self> {
        let (mut up, mut width) = (vec![1], vec![1]);
        let mut cables = uplinks;
        for level in 1..down.len() {
            let is_top = level + 1 == down.len();
            let ports = if is_top { radix } else { radix / 2 };
            let most = (ports / down[level]).min(cables);
            let wide = (1..=most).rev().find(|&wide| cables.is_multiple_of(wide))?;
            up.push(cables / wide);
            width.push(wide);
            cables = down[level].checked_mul(wide)?;
        }
        Some(FoldedClos::with_widths(down, up, width))
    }

    /// The number of levels of switches, which is the level of the top.
    fn top(&self) -> usize {
        self.down.len()
    }

    fn place(&self, at: Node) -> Place {
        let level = self.starts.partition_point(|&start| start <= at.0) - 1;
        Place { level, number: at.0 - self.starts[level] }
    }

    fn id(&self, Place { level, number }: Place) -> Node {
        Node(self.starts[level] + number)
    }

    /// How many links lead down, and how many up.
    fn links_of(&self, level: usize) -> (u64, u64) {
        let down = level.checked_sub(1).map_or(0, |below| self.down[below]);
        (down, self.up.get(level).copied().unwrap_or(0))
    }

    /// How many cables a link down has, and one up; 1 where there is none.
    fn widths_of(&self, level: usize) -> (u64, u64) {
        let down = level.checked_sub(1).map_or(1, |below| self.width[below]);
        (down, self.width.get(level).copied().unwrap_or(1))
    }

    /// How many ports lead down, and how many up.
    fn ports_of(&self, level: usize) -> (u64, u64) {
        let ((down, up), (wide_down, wide_up)) = (self.links_of(level), self.widths_of(level));
        (down.saturating_mul(wide_down), up.saturating_mul(wide_up))
    }

    /// The pod digit at a position of its level or after it.
    fn pod(&self, at: Place, position: usize) -> u64 {
        let before: u64 = self.down[at.level..position].iter().product();
        at.number / self.planes[at.level] / before % self.down[position]
    }

    /// The plane digit at a position before its level.
    fn plane(&self, at: Place, position: usize) -> u64 {
        let after: u64 = self.up[position + 1..at.level].iter().product();
        at.number / after % self.up[position]
    }

    /// The node above at plane digit `digit`.
    fn above(&self, Place { level, number }: Place, digit: u64) -> Place {
        let planes = self.planes[level];
        let pods = number / planes / self.down[level];
        let number = (pods * planes + number % planes) * self.up[level] + digit;
        Place { level: level + 1, number }
    }

    /// The node below at pod digit `digit`.
    fn below(&self, Place { level, number }: Place, digit: u64) -> Place {
        let (below, rest) = (level - 1, number / self.up[level - 1]);
        let planes = self.planes[below];
        let number = (rest / planes * self.down[below] + digit) * planes + rest % planes;
        Place { level: below, number }
    }

    /// The lowest and the highest level on the shortest walks between two nodes.
    ///
    /// A walk changes position i only where it goes between the levels i and i + 1. Where plane digits of both differ, it
    /// must come down to the lowest of them, and where pod digits differ, up past the highest.
    fn span(&self, a: Place, b: Place) -> (usize, usize) {
        let (lower, upper) = (a.level.min(b.level), a.level.max(b.level));
        let low = (0..lower).find(|&i| self.plane(a, i) != self.plane(b, i));
        let high = (upper..self.top()).rev().find(|&i| self.pod(a, i) != self.pod(b, i));
        (low.unwrap_or(lower), high.map_or(upper, |i| i + 1))
    }

    /// How many nodes lie at each distance from one of level `from`: for every level, by what the walk spans.
    fn distances_of_level(&self, from: usize) -> Distances {
        let product =
            |digits: &[u64]| digits.iter().map(|&d| BigUint::from(d)).product::<BigUint>();
        let mut counts = vec![BigUint::ZERO; 2 * self.top() + 1];
        for to in 0..=self.top() {
            let (lower, upper) = (from.min(to), from.max(to));
            let between = if to > from { &self.up } else { &self.down };
            let between = product(&between[lower..upper]);
            let mut lows = vec![(lower, BigUint::one())];
            lows.extend(
                (0..lower).map(|i| (i, product(&self.up[i + 1..lower]) * (self.up[i] - 1))),
            );
            let mut highs = vec![(upper, BigUint::one())];
            highs.extend(
                (upper..self.top())
                    .map(|i| (i + 1, product(&self.down[upper..i]) * (self.down[i] - 1))),
            );
            for (low, planes) in &lows {
                for (high, pods) in &highs {
                    counts[2 * (high - low) - (upper - lower)] += &between * planes * pods;
                }
            }
        }
        Distances::new(counts)
    }

    /// How many nodes each level has.
    fn sizes(&self) -> Vec<BigUint> {
        let size = |level: usize| {
            let digits = self.down[level..].iter().chain(&self.up[..level]);
            digits.map(|&digit| BigUint::from(digit)).product()
        };
        (0..=self.top()).map(size).collect()
    }

    /// Hosts in a row, a gap between what the last position tells apart, and the switches above them level by level;
    /// pods in pods where that row would be too long.
    fn plan(&self) -> Plan {
        const LONG: u64 = 5000;
        const HEIGHTS: [f64; 5] = [0.0, 0.6, 1.3, 2.5, 4.2];
        let order = Theory::order(self).to_u64().unwrap_or(u64::MAX);
        let is_long = (LONG + 1..u64::MAX).contains(&order);
        if let Some(plan) = is_long.then(|| pods::plan(self)).flatten() {
            return plan;
        }
        Plan::given(order, || {
            let (hosts, pod) = (self.under[self.top()], self.under[self.top() - 1]);
            let x = |host: u64| (host + host / pod) as f64;
            let up = 1.0 + 0.09 * x(hosts - 1);
            let place = |at: u64| {
                let Place { level, number } = self.place(Node(at));
                let (planes, under) = (self.planes[level], self.under[level]);
                let first = number / planes * under;
                let (start, wide) = (x(first), x(first + under - 1) - x(first) + 1.0);
                let across = ((number % planes) as f64 + 0.5) / planes as f64;
                Point::new(start + across * wide - 0.5, -up * HEIGHTS[level])
            };
            (0..order).map(place).collect()
        })
    }

    /// Adds one to the pod digit or to the plane digit at a position, wherever there is one.
    fn turned(&self, position: usize, digit: Digit, at: Node) -> Node {
        let place = self.place(at);
        let (side, stride, here) = match digit {
            Digit::Pod if position >= place.level => {
                let before: u64 = self.down[place.level..position].iter().product();
                let stride = before * self.planes[place.level];
                (self.down[position], stride, self.pod(place, position))
            }
            Digit::Plane if position < place.level => {
                let after: u64 = self.up[position + 1..place.level].iter().product();
                (self.up[position], after, self.plane(place, position))
            }
            _ => return at,
        };
        let next = if here + 1 == side { 0 } else { here + 1 };
        Node(at.0 - here * stride + next * stride)
    }
}

/// A kind of digit.
#[derive(Clone, Copy, Debug)]
enum Digit {
    Pod,
    Plane,
}

impl Network for FoldedClos {
    fn order(&self) -> u64 {
        self.starts[self.top() + 1]
    }

    fn ports(&self) -> u32 {
        let ports = (0..=self.top()).map(|level| self.ports_of(level));
        let ports = ports.map(|(down, up)| down.saturating_add(up));
        u32::try_from(ports.max().unwrap_or(0)).expect("only built when the ports fit")
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        let place = self.place(at);
        let (down, up) = self.ports_of(place.level);
        let (wide_down, wide_up) = self.widths_of(place.level);
        let port = u64::from(port.0);
        let to = match port.checked_sub(down) {
            None => self.below(place, port / wide_down),
            Some(port) => (port < up).then(|| self.above(place, port / wide_up))?,
        };
        Some(self.id(to))
    }

    fn for_each_neighbor(&self, at: Node, visit: &mut dyn FnMut(Port, Node)) {
        let place = self.place(at);
        let (down, up) = self.links_of(place.level);
        let (wide_down, wide_up) = self.widths_of(place.level);
        let below = (0..down).map(|digit| (self.below(place, digit), wide_down));
        let above = (0..up).map(|digit| (self.above(place, digit), wide_up));
        let mut port = 0;
        below.chain(above).for_each(|(to, wide)| {
            for _ in 0..wide {
                visit(Port(port), self.id(to));
                port += 1;
            }
        });
    }

    fn address(&self, at: Node) -> Address {
        let place = self.place(at);
        let pods = (place.level..self.top()).rev().map(|i| self.pod(place, i));
        let planes = (1..place.level).map(|i| self.plane(place, i));
        Address::numbers([place.level as u64].into_iter().chain(pods).chain(planes))
    }

    fn node(&self, address: &Address) -> Option<Node> {
        let (level, rest) = address.as_tuple()?.split_first()?;
        let level = usize::try_from(level.as_number()?).ok().filter(|&l| l <= self.top())?;
        let pods = self.down[level..].iter().rev();
        let planes = self.up[..level].iter().skip(1);
        let sides: Vec<u64> = pods.chain(planes).copied().collect();
        let digits: Option<Vec<u64>> = rest.iter().map(Address::as_number).collect();
        Some(self.id(Place { level, number: radix::number(&digits?, &sides)? }))
    }

    /// The level of its lower end.
    fn level(&self, at: Node, port: Port) -> u16 {
        let level = self.place(at).level;
        let (down, _) = self.ports_of(level);
        let lower = if u64::from(port.0) < down { level - 1 } else { level };
        u16::try_from(lower).expect("few levels")
    }

    fn levels(&self) -> u16 {
        u16::try_from(self.top()).expect("few levels")
    }

    fn hosts(&self) -> u64 {
        self.starts[1]
    }

    /// The pod digits of a position may be permuted in all nodes alike, and so may its plane digits.
    fn automorphisms(&self) -> Vec<Automorphism> {
        let turn = |position, digit| {
            let tree = self.clone();
            Arc::new(move |id| tree.turned(position, digit, Node(id)).0) as Automorphism
        };
        let pods = (0..self.top()).map(|i| turn(i, Digit::Pod));
        pods.chain((1..self.top()).map(|i| turn(i, Digit::Plane))).collect()
    }

    /// All nodes of a level are alike, see [`automorphisms`](Network::automorphisms).
    fn orbits(&self) -> Option<Vec<Orbit>> {
        let levels = self.starts.windows(2);
        Some(levels.map(|pair| Orbit { node: Node(pair[0]), size: pair[1] - pair[0] }).collect())
    }

    /// From the lower node down, up to the highest level, and down again to the other; see `span`.
    fn distance(&self, from: Node, to: Node) -> Option<u64> {
        let (from, to) = (self.place(from), self.place(to));
        let (low, high) = self.span(from, to);
        Some((2 * (high - low) - from.level.abs_diff(to.level)) as u64)
    }
}

impl Theory for FoldedClos {
    fn order(&self) -> BigUint {
        self.sizes().iter().sum()
    }

    fn hosts(&self) -> BigUint {
        self.down.iter().map(|&digit| BigUint::from(digit)).product()
    }

    fn degrees(&self) -> Degrees {
        let degree = |(level, size)| {
            let (down, up) = self.ports_of(level);
            (down.saturating_add(up), size)
        };
        let sizes = self.sizes();
        let links = sizes.iter().zip(&self.up).map(|(size, up)| size * up).sum();
        Degrees::counted(sizes.into_iter().enumerate().map(degree)).with_links(links)
    }

    fn distances(&self) -> Option<Distances> {
        let levels = self.sizes().into_iter().enumerate();
        Some(levels.fold(Distances::default(), |sum, (level, size)| {
            sum.plus(&self.distances_of_level(level).scaled(&size))
        }))
    }

    fn distances_from_zero(&self) -> Option<Distances> {
        Some(self.distances_of_level(0))
    }

    /// Two hosts are twice as far apart as the lowest level is high at which one switch has both below it.
    fn host_distances(&self) -> Option<Distances> {
        let mut counts = vec![BigUint::one()];
        let mut below = BigUint::one();
        for &digit in &self.down {
            let wider = &below * digit;
            counts.extend([BigUint::ZERO, &wider - &below]);
            below = wider;
        }
        Some(Distances::new(counts).scaled(&Theory::hosts(self)))
    }
}

/// Up as far as needed and down again. Between hosts no message turns up after it went down, so that one virtual channel
/// is enough: channels up before channels down, both by level.
#[derive(Debug)]
struct UpDown {
    tree: FoldedClos,
    up_ports: UpPorts,
    /// Of a router that spreads: the one whose hops are those of all choices.
    any: Option<Box<UpDown>>,
    /// Of one that goes by target: the one that spreads, for what fails.
    spare: Option<Box<UpDown>>,
}

/// Which plane digit a message takes where all of them are as near.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum UpPorts {
    /// Digit by digit the number of its target, so that targets share the links up evenly: d-mod-k, E. Zahavi, 2010.
    ByTarget,
    /// Digit by digit the number of the choice, one for each switch of the top and each choice of cables up and down:
    /// every shortest path between hosts, each as often as the others.
    Spread,
    /// Any: all hops of shortest paths to a host.
    Any,
}

impl UpDown {
    fn new(tree: FoldedClos, up_ports: UpPorts) -> Self {
        let spreads = up_ports == UpPorts::Spread;
        let any = spreads.then(|| Box::new(UpDown::new(tree.clone(), UpPorts::Any)));
        let by_target = up_ports == UpPorts::ByTarget;
        let spare = by_target.then(|| Box::new(UpDown::new(tree.clone(), UpPorts::Spread)));
        UpDown { tree, up_ports, any, spare }
    }

    fn next_place(&self, at: Place, to: Place, state: u64) -> Option<Place> {
        let tree = &self.tree;
        let (low, high) = tree.span(at, to);
        if at.level < to.level || at.level == to.level && low < at.level {
            return Some(if low < at.level {
                tree.below(at, 0)
            } else {
                tree.above(at, tree.plane(to, at.level))
            });
        }
        if high > at.level {
            let key = match self.up_ports {
                UpPorts::ByTarget => to.number,
                UpPorts::Spread | UpPorts::Any => state,
            };
            return Some(tree.above(at, key / tree.planes[at.level] % tree.up[at.level]));
        }
        (at != to).then(|| tree.below(at, tree.pod(to, at.level - 1)))
    }

    /// The port toward a host, which most messages go to: down from a switch that is above it, else up.
    fn port_to_host(&self, at: Place, host: u64, state: u64) -> Option<Port> {
        let (tree, level) = (&self.tree, at.level);
        let port = match self.ports_down(at, host)? {
            Some(down) => down.start + self.cable(level - 1, host, state, false),
            None => {
                let key = if self.up_ports == UpPorts::ByTarget { host } else { state };
                let link = key / tree.planes[level] % tree.up[level];
                let cable = self.cable(level, host, state, true);
                tree.ports_of(level).0 + link * tree.width[level] + cable
            }
        };
        Some(Port(u32::try_from(port).expect("only built when the ports fit")))
    }

    /// The cables down toward a host from a switch that is above it; inside none where it is not, and none at the host.
    fn ports_down(&self, at: Place, host: u64) -> Option<Option<Range<u64>>> {
        let (tree, level) = (&self.tree, at.level);
        if at.number / tree.planes[level] != host / tree.under[level] {
            return Some(None);
        }
        let below = level.checked_sub(1)?;
        let link = host / tree.under[below] % tree.down[below];
        Some(Some(link * tree.width[below]..(link + 1) * tree.width[below]))
    }

    /// Which cable of a link between the levels `lower` and `lower + 1`: by target ⌊d/(t_1⋯t_{l+1})⌋ mod p, the same up
    /// and down, so that parent and cable together are ⌊d/(t_1⋯t_l)⌋ mod t·p; else by digits of the choice.
    fn cable(&self, lower: usize, target: u64, state: u64, is_up: bool) -> u64 {
        let tree = &self.tree;
        let wide = tree.width[lower];
        if wide == 1 {
            return 0;
        }
        match self.up_ports {
            UpPorts::ByTarget => target / tree.planes[lower + 1] % wide,
            UpPorts::Spread | UpPorts::Any => {
                let cables = |to: usize| tree.width[..to].iter().product::<u64>();
                let ups = state / tree.planes[tree.top()];
                (if is_up { ups } else { ups / cables(tree.top()) }) / cables(lower) % wide
            }
        }
    }

    /// The port of a link between two levels.
    fn port(&self, at: Place, next: Place, header: Header) -> Port {
        let tree = &self.tree;
        let lower = at.level.min(next.level);
        let is_up = next.level > at.level;
        let (first, link) = match is_up {
            false => (0, tree.pod(next, next.level)),
            true => (tree.ports_of(at.level).0, tree.plane(next, at.level)),
        };
        let cable = self.cable(lower, tree.place(header.to).number, header.state, is_up);
        let port = first + link * tree.width[lower] + cable;
        Port(u32::try_from(port).expect("only built when the ports fit"))
    }
}

impl Router for UpDown {
    fn vcs(&self) -> u16 {
        1
    }

    fn choices(&self) -> u64 {
        match self.up_ports {
            UpPorts::ByTarget | UpPorts::Any => 1,
            UpPorts::Spread => {
                let squares = self.tree.width.iter().map(|wide| wide.saturating_mul(*wide));
                squares.fold(self.tree.planes[self.tree.top()], u64::saturating_mul)
            }
        }
    }

    fn start(&self, _from: Node, to: Node, choice: u64) -> Header {
        Header { to, state: choice }
    }

    fn next(&self, at: Node, header: Header) -> Option<Hop> {
        let (at, to) = (self.tree.place(at), self.tree.place(header.to));
        let port = if to.level == 0 {
            self.port_to_host(at, to.number, header.state)?
        } else {
            self.port(at, self.next_place(at, to, header.state)?, header)
        };
        Some(Hop { port, vc: Vc(0), header })
    }

    fn longest(&self) -> u64 {
        2 * self.tree.top() as u64
    }

    fn remembers(&self) -> bool {
        self.up_ports == UpPorts::Spread
    }

    fn adapts(&self) -> bool {
        self.up_ports == UpPorts::Any
    }

    fn hops(&self, at: Node, header: Header, out: &mut Vec<Hop>) {
        let (place, to) = (self.tree.place(at), self.tree.place(header.to));
        if self.up_ports != UpPorts::Any || to.level > 0 {
            out.extend(self.next(at, header));
            return;
        }
        let Some(down) = self.ports_down(place, to.number) else { return };
        let ports = down.unwrap_or_else(|| {
            let (down, up) = self.tree.ports_of(place.level);
            down..down + up
        });
        let port = |port| Port(u32::try_from(port).expect("only built when the ports fit"));
        out.extend(ports.map(|at| Hop { port: port(at), vc: Vc(0), header }));
    }

    fn structure(&self) -> Structure<'_> {
        Structure {
            // By all choices of switches and cables.
            loads_by_switches: self.up_ports == UpPorts::Spread,
            all_shortest: self.any.as_deref().map(|any| any as &dyn Router),
            // Up and down as well, so that both together have the order of channels of one.
            spare: self.spare.as_deref().map(|spare| spare as &dyn Router),
            ..Structure::default()
        }
    }
}

#[cfg(test)]
mod tests;
