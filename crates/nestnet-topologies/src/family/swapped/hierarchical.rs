//! Hierarchical swapped networks HSN(l, G), and 3-HCN.
//!
//! # Definition
//! A node has l digits base N; a nucleus link changes the last digit, and the level-i link, i = 2..l, exchanges
//! digit i (counted from the last) with digit 1. 3-HCN is HSN of three digits over Q_n with the diameter links of its
//! HCN modules: where the last two digits agree, both are complemented. The paper that defines HSN, reference 14, was
//! not seen; the rule is inferred from Section 5.1, by which HSN has 3-HCN, HCN and HFN as special cases.
//!
//! # Numbering
//! Mixed radix, first digit most significant.

use crate::family::built::fits;
use crate::family::{ArgError, Args, Built};
use crate::spec::{Arg, Spec};
use nestnet_draw::{Digit, Held, Joints, Plan, Spread};
use nestnet_graph::bulk_neighbors::{Reach, Shifted, mark};
use nestnet_graph::locate::{node_of_digits, of_digits};
use nestnet_graph::network::mark_neighbors;
use nestnet_graph::radix::power;
use nestnet_graph::theory::{Bounded, Degrees, Theory, moore_diameter};
use nestnet_graph::{Address, Network, Node, Port};
use nestnet_routing::route::{Leg, Lift};
use nestnet_routing::{Header, Hop};
use num_bigint::BigUint;
use num_traits::One;
use std::sync::Arc;

use super::recursive::Leaders;

pub(super) fn build(args: &Args) -> Result<Built, ArgError> {
    make(args.network("nucleus"), args.integer("levels"), Leaders::Open)
}

pub(super) fn build_hcn3(args: &Args) -> Result<Built, ArgError> {
    let cube = args.build(&Spec::new("hypercube", [Arg::new(args.integer("n"))]))?;
    make(&cube, 3, Leaders::Diameter)
}

fn make(nucleus: &Built, levels: u64, leaders: Leaders) -> Result<Built, ArgError> {
    ArgError::unless_it_grows(nucleus, "levels", levels, 63)?;
    let order = power(&nucleus.order(), levels)
        .map_err(|error| ArgError::new("levels", format!("is too large: {error}")))?;
    let network = nucleus.base().filter(|_| fits(&order)).and_then(|nucleus| {
        let levels = u32::try_from(levels).ok()?;
        Some(Arc::new(Hierarchical { n: nucleus.order(), nucleus, levels, leaders }))
    });
    let theory = HierarchicalTheory { nucleus: nucleus.clone(), levels, order, leaders };
    let built = Built::new(theory, network.clone().map(|network| network as Arc<dyn Network>));
    let built = built
        .with_own_lifted_router("digits", network.clone(), nucleus)
        .with_layout(network, nucleus);
    Ok(built.with_drawing(nucleus, || plan(nucleus, levels, leaders)))
}

/// Clusters within clusters, each lying as the nucleus does, or around a circle. Of two that differ in one digit alone,
/// all but the last of the other digits may be anything, and the last is given by the link.
fn plan(nucleus: &Built, levels: u64, leaders: Leaders) -> Plan {
    let inner = nucleus.network.as_ref().map_or(1, |network| network.levels());
    let digit = nucleus.base_plan().of_joined_clusters();
    let mut plan = nucleus.base_plan();
    for level in 1..levels.min(63) {
        let level = inner.saturating_add(u16::try_from(level - 1).unwrap_or(u16::MAX));
        plan = digit.around(&plan, level, Held::Cluster);
    }
    let layers = digit.layers().len();
    let mut count = usize::try_from(levels.clamp(1, 63) - 1).unwrap_or(0);
    if leaders == Leaders::Diameter {
        // Diameter links stay inside the clusters of the top level.
        count = count.min(1);
    }
    let Some(n) = nucleus.network.as_ref().map(|network| network.order()) else { return plan };
    let digits = (1..=count).map(|depth| Digit {
        layers,
        network: Arc::new(EveryTwo { n }),
        links: plan.nodes_a_cell(depth * layers) / n,
        spread: Spread::Even,
    });
    let digits = digits.collect();
    plan.joined(Joints::Digits(digits))
}

/// The complete graph, which tells clusters that differ in one digit are joined, whatever their nucleus.
#[derive(Debug)]
struct EveryTwo {
    n: u64,
}

impl Network for EveryTwo {
    fn order(&self) -> u64 {
        self.n
    }

    fn ports(&self) -> u32 {
        u32::try_from(self.n - 1).unwrap_or(u32::MAX)
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        let to = u64::from(port.0);
        Some(Node(if to < at.0 { to } else { to + 1 }))
    }
}

/// All levels on a nucleus.
#[derive(Debug)]
pub struct Hierarchical {
    pub(super) nucleus: Arc<dyn Network>,
    /// The order of the nucleus.
    pub(super) n: u64,
    pub(super) levels: u32,
    leaders: Leaders,
}

impl Hierarchical {
    /// The link of level `level`, 2 or more.
    fn swap(&self, at: Node, level: u32) -> Option<Node> {
        let place = self.n.pow(level - 1);
        let (high, low) = (at.0 / place % self.n, at.0 % self.n);
        if high != low {
            return Some(Node(at.0 - high * place - low + low * place + high));
        }
        let opposite = self.n - 1 - low;
        let linked = level == 2 && self.leaders == Leaders::Diameter && opposite != low;
        linked.then(|| Node(at.0 - low * place - low + opposite * place + opposite))
    }
}

impl Network for Hierarchical {
    fn order(&self) -> u64 {
        self.n.pow(self.levels)
    }

    fn ports(&self) -> u32 {
        self.nucleus.ports() + self.levels - 1
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        if let Some(swap) = port.0.checked_sub(self.nucleus.ports()) {
            return self.swap(at, swap + 2);
        }
        let digit = at.0 % self.n;
        self.nucleus.neighbor(Node(digit), port).map(|to| Node(at.0 - digit + to.0))
    }

    fn for_each_neighbor(&self, at: Node, visit: &mut dyn FnMut(Port, Node)) {
        let digit = at.0 % self.n;
        let rest = at.0 - digit;
        self.nucleus.for_each_neighbor(Node(digit), &mut |port, to| visit(port, Node(rest + to.0)));
        for level in 2..=self.levels {
            if let Some(to) = self.swap(at, level) {
                visit(Port(self.nucleus.ports() + level - 2), to);
            }
        }
    }

    fn reach(&self) -> Option<&dyn Reach> {
        Some(self)
    }

    fn address(&self, at: Node) -> Address {
        of_digits(&*self.nucleus, at, self.levels as usize)
    }

    fn node(&self, address: &Address) -> Option<Node> {
        node_of_digits(&*self.nucleus, address, self.levels as usize)
    }

    fn level(&self, at: Node, port: Port) -> u16 {
        match port.0.checked_sub(self.nucleus.ports()) {
            Some(swap) => self.nucleus.levels() + u16::try_from(swap).expect("at most 63 levels"),
            None => self.nucleus.level(Node(at.0 % self.n), port),
        }
    }

    fn levels(&self) -> u16 {
        self.nucleus.levels() + u16::try_from(self.levels).expect("at most 63 levels") - 1
    }

    /// **Theorem**, without diameter links: of the digits that differ, m besides the last, the distance is
    /// m + min over permutations σ of their places and the last of Σ d(x_σ(i), y_i) + the number of cycles of σ that
    /// leave out the last place.
    ///
    /// *Proof.* A swap exchanges the last digit with another place: a star transposition. The digits of a path end at
    /// places that make a permutation σ, each changed by nucleus links only while it is last, from x_σ(i) to y_i at
    /// least d steps. A cycle of c places takes c - 1 star transpositions if the last place is one of them and c + 1 if not,
    /// a place that only changes its digit two, and so many suffice: the digits of the cycle come to the last place one
    /// after the other. A swap of equal digits is no link, but leaving it out is the same path for another σ. A place
    /// i where x_i = y_i needs no part in a cycle: without it the digits before and behind it in the cycle are no farther
    /// apart, by the triangle inequality, and the swaps fewer. ∎
    fn distance(&self, from: Node, to: Node) -> Option<u64> {
        if self.leaders == Leaders::Diameter || self.levels > MAX_PERMUTED {
            return None;
        }
        let digit = |node: Node, place: u32| node.0 / self.n.pow(place) % self.n;
        let differs = |&place: &u32| digit(from, place) != digit(to, place);
        let places: Vec<u32> = [0].into_iter().chain((1..self.levels).filter(differs)).collect();
        let mut far = Vec::with_capacity(places.len());
        for &x in &places {
            let x = Node(digit(from, x));
            let row = places.iter().map(|&y| self.nucleus.distance(x, Node(digit(to, y))));
            far.push(row.collect::<Option<Vec<u64>>>()?);
        }
        Some(places.len() as u64 - 1 + cheapest_cycles(&far))
    }
}

/// With more digits a distance would take too long: 3^levels steps.
const MAX_PERMUTED: u32 = 12;

/// The least Σ cost[i][σ(i)] over permutations σ, and one more for each cycle without 0. A dynamic program over sets:
/// the cheapest path through each from its lowest member, closed to a cycle, and the cheapest cycles that cover it.
/// O(2^n·n² + 3^n).
fn cheapest_cycles(cost: &[Vec<u64>]) -> u64 {
    const NONE: u64 = u64::MAX / 4;
    let n = cost.len();
    let sets = 1usize << n;
    let mut path = vec![NONE; sets * n];
    let mut cycle = vec![NONE; sets];
    for start in 0..n {
        path[(1 << start) * n + start] = 0;
    }
    for set in 1..sets {
        let low = set.trailing_zeros() as usize;
        for end in (0..n).filter(|end| set >> end & 1 == 1) {
            let here = path[set * n + end];
            if here == NONE {
                continue;
            }
            cycle[set] = cycle[set].min(here + cost[end][low] + u64::from(low > 0));
            for next in (low + 1..n).filter(|next| set >> next & 1 == 0) {
                let entry = &mut path[(set | 1 << next) * n + next];
                *entry = (*entry).min(here + cost[end][next]);
            }
        }
    }
    let mut cover = vec![0; sets];
    for set in 1..sets {
        let low = set & set.wrapping_neg();
        let rest = set ^ low;
        // All parts of the rest, together with the lowest member.
        let (mut part, mut least) = (rest, NONE);
        loop {
            least = least.min(cycle[part | low] + cover[rest ^ part]);
            if part == 0 {
                break;
            }
            part = (part - 1) & rest;
        }
        cover[set] = least;
    }
    cover[sets - 1]
}

impl Reach for Hierarchical {
    fn mark_neighbors(&self, at: &[Shifted], marks: &mut [u64]) {
        let mut parts = Vec::with_capacity(at.len());
        // Nodes in ascending order are mostly of the same cluster, where all but the last digit are the same: for
        // each level that digit, what it counts, and the node it would be with the last digit 0 after the exchange.
        let (mut first, mut exchanges) = (self.order(), Vec::new());
        for &Shifted { node, offset } in at {
            if node.wrapping_sub(first) >= self.n {
                first = node - node % self.n;
                exchanges.clear();
                let (mut place, mut digits) = (self.n, node / self.n);
                for _ in 2..=self.levels {
                    let digit = digits % self.n;
                    exchanges.push((digit, place, first - digit * place + digit));
                    (place, digits) = (place * self.n, digits / self.n);
                }
            }
            let last = node - first;
            parts.push(Shifted { node: last, offset: offset + first });
            for &(digit, place, to) in &exchanges {
                if digit != last {
                    mark(marks, offset + to + last * place);
                }
            }
            if self.leaders == Leaders::Diameter
                && let Some(to) = self.swap(Node(node), 2)
            {
                mark(marks, offset + to.0);
            }
        }
        mark_neighbors(&*self.nucleus, &parts, marks);
    }
}

/// The routing that the swaps imply, in at most l(D+1) - 1 hops: from the highest digit that differs down, the last
/// digit becomes what that digit needs, and the swap puts it there. Diameter links are not used.
///
/// A leg in the nucleus belongs to the digit that it serves, and digits are served in descending order.
impl Lift for Hierarchical {
    fn classes(&self) -> u16 {
        u16::try_from(self.levels).expect("at most 63 levels")
    }

    fn longest(&self, base: u64) -> u64 {
        base.saturating_add(1).saturating_mul(self.levels.into()) - 1
    }

    fn inner(&self, at: Node) -> Node {
        Node(at.0 % self.n)
    }

    fn next(&self, nucleus: &Leg<'_>, at: Node, header: Header) -> Option<Hop> {
        let last = at.0 % self.n;
        for level in (2..=self.levels).rev() {
            let place = self.n.pow(level - 1);
            let wanted = header.to.0 / place % self.n;
            if at.0 / place % self.n == wanted {
                continue;
            }
            let class = u16::try_from(self.levels - level).expect("at most 63 levels");
            if last == wanted {
                let port = Port(self.nucleus.ports() + level - 2);
                return Some(Hop { port, vc: nucleus.first(class), header });
            }
            return nucleus.hop(last, wanted, header, class);
        }
        nucleus.hop(last, header.to.0 % self.n, header, self.classes() - 1)
    }
}

/// What is proven of them.
#[derive(Debug)]
pub struct HierarchicalTheory {
    nucleus: Built,
    levels: u64,
    order: BigUint,
    leaders: Leaders,
}

impl HierarchicalTheory {
    /// How many choices of the other digits give k links, for every k.
    fn combinations(&self) -> Vec<BigUint> {
        let others = self.nucleus.order() - 1u8;
        if self.leaders == Leaders::Diameter {
            // Three digits over a cube, whose order is even: digit 2 always gives a link, digit 3 may not.
            return vec![BigUint::ZERO, &others + 1u8, (&others + 1u8) * &others];
        }
        let swaps = self.levels - 1;
        let (mut binomial, mut power) = (BigUint::one(), BigUint::one());
        let mut combinations = Vec::new();
        for k in 0..=swaps {
            combinations.push(&binomial * &power);
            binomial = binomial * (swaps - k) / (k + 1);
            power *= &others;
        }
        combinations
    }
}

impl HierarchicalTheory {
    /// A node has a link for each digit that differs from its last, and a leader its diameter link.
    fn cable_degrees(&self) -> Degrees {
        let n = self.nucleus.order();
        let base = self.nucleus.theory.degrees();
        let swaps = self.levels - 1;
        // How many choices of the other digits give k links: n^swaps in all, with swaps·(n-1)·n^(swaps-1) links.
        let few = |classes: usize| (swaps + 1).saturating_mul(classes as u64) <= 1 << 12;
        match base.counts {
            Some(counts) if few(counts.len()) => {
                let combinations = self.combinations();
                let combinations = &combinations;
                Degrees::counted(counts.into_iter().flat_map(|(degree, nodes)| {
                    (0..).zip(combinations).map(move |(k, combinations)| {
                        (u64::saturating_add(degree, k), &nodes * combinations)
                    })
                }))
            }
            _ => {
                // Never with diameter links, whose classes are few.
                let nodes = &self.order / &n;
                let ends = &nodes * (&n - BigUint::one()) * swaps / &n;
                Degrees::bounded(
                    base.cables * nodes + ends * n / 2u8,
                    base.min,
                    base.max.saturating_add(swaps),
                )
            }
        }
    }
}

impl Theory for HierarchicalTheory {
    fn order(&self) -> BigUint {
        self.order.clone()
    }

    fn degrees(&self) -> Degrees {
        self.cable_degrees()
            .with_copies(&self.nucleus.theory.degrees(), &(&self.order / self.nucleus.order()))
    }

    /// l(D+1) - 1, and at most that with diameter links.
    fn diameter(&self) -> Option<Bounded> {
        if self.order == BigUint::one() {
            return Some(Bounded::theorem(0u8));
        }
        let inner = self.nucleus.theory.diameter()?;
        let without = inner.map(|d| (d + 1u8) * self.levels - 1u8);
        Some(match self.leaders {
            Leaders::Open => without,
            Leaders::Diameter => {
                Bounded::between(moore_diameter(&self.order, self.degrees().max), without.high)
            }
        })
    }
}
