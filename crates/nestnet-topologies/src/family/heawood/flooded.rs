//! Flooded networks.
//!
//! # Definition
//! Step 1 is the base of q nodes. In each further step, every node made in the last step becomes node 0 of a new copy
//! of the base. A node has the address (a_1, …, a_k): a_1 below q, and a_i in 1..q-1 its place in the copy that
//! (a_1, …, a_(i-1)) spawned.
//!
//! # Numbering
//! Step by step, lexicographic inside a step.
//!
//! # Where we differ
//! The number of nodes is q + q(q-1) + q(q-1)² + …, not q^n as Section 3.5.1 and Fig. 9 have it.

use super::spread::{Copies, Seat};
use crate::family::Built;
use nestnet_draw::{Plan, Point};
use nestnet_graph::theory::{Bounded, Degrees, Theory};
use nestnet_graph::{Address, Distances, Network, Node, Port};
use nestnet_routing::route::{Leg, Lift};
use nestnet_routing::{Header, Hop};
use num_bigint::BigUint;
use num_traits::One;
use std::sync::Arc;

/// A flooded network.
#[derive(Debug)]
pub struct Flooded {
    base: Arc<dyn Network>,
    /// The order of the base.
    q: u64,
    /// The first id of each step, and the order.
    first: Vec<u64>,
}

/// A node by its step (from 0), its number in the step, and its last digit.
struct Place {
    step: usize,
    number: u64,
    digit: u64,
}

impl Flooded {
    pub(super) fn new(base: Arc<dyn Network>, n: u64) -> Self {
        let q = base.order();
        let mut first = vec![0, q];
        let mut step = q;
        // Steps without nodes are omitted: a base of one node spawns nothing.
        for _ in 1..if q == 1 { 1 } else { n } {
            step *= q - 1;
            first.push(first[first.len() - 1] + step);
        }
        Flooded { base, q, first }
    }

    /// Each copy is a circle that touches the one before in the node that spawned it, and lies outside it.
    pub(super) fn plan(&self) -> Plan {
        let order = self.first[self.steps()];
        Plan::given(order, || {
            // The largest circles beside each other on a circle of radius 1, and all that hangs on one of those.
            let beside = (std::f64::consts::PI / self.q as f64).sin().min(0.8);
            let room = 0.86 * beside / (1.0 - beside);
            let shrink = room / (1.0 + 2.0 * room);
            // Where each node is, which way is outside there, and the radius of the copy in which it was made.
            let mut seats: Vec<(Point, f64, f64)> = Vec::new();
            for at in (0..order).map(Node) {
                let Place { step, digit, .. } = self.place(at);
                let part = digit as f64 / self.q as f64;
                let seat = if step == 0 {
                    (Point::on_circle(part, 1.0), part, 1.0)
                } else {
                    let parent = self.sibling(&self.place(at), 0);
                    let (from, turns, radius) = seats[usize::try_from(parent.0).expect("listed")];
                    let radius = radius * shrink;
                    let center = from + Point::on_circle(turns, radius);
                    let turns = turns + 0.5 + part;
                    (center + Point::on_circle(turns, radius), turns, radius)
                };
                seats.push(seat);
            }
            seats.into_iter().map(|(point, _, _)| point).collect()
        })
    }

    /// The node with a digit in the copy that the node with the digits of `prefix` spawned; in the first copy, none did.
    pub(super) fn at_digits(&self, prefix: &[u64], digit: u64) -> Node {
        let Some((&first, rest)) = prefix.split_first() else { return Node(digit) };
        let number = rest.iter().fold(first, |number, d| number * (self.q - 1) + d - 1);
        match digit {
            0 => Node(self.first[prefix.len() - 1] + number),
            digit => Node(self.first[prefix.len()] + number * (self.q - 1) + digit - 1),
        }
    }

    pub(super) fn steps(&self) -> usize {
        self.first.len() - 1
    }

    fn place(&self, at: Node) -> Place {
        let step = self.first.partition_point(|&first| first <= at.0) - 1;
        let number = at.0 - self.first[step];
        let digit = if step == 0 { number } else { number % (self.q - 1) + 1 };
        Place { step, number, digit }
    }

    /// The node with digit `to` in the same copy: digit 0 is the node that spawned it.
    fn sibling(&self, place: &Place, to: u64) -> Node {
        if place.step == 0 {
            return Node(to);
        }
        let copy = place.number / (self.q - 1);
        match to {
            0 => Node(self.first[place.step - 1] + copy),
            digit => Node(self.first[place.step] + copy * (self.q - 1) + digit - 1),
        }
    }

    /// The node with digit `to` in the copy that this node spawned.
    fn child(&self, place: &Place, to: u64) -> Node {
        Node(self.first[place.step + 1] + place.number * (self.q - 1) + to - 1)
    }

    pub(super) fn digits(&self, at: Node) -> Vec<u64> {
        let Place { step, mut number, .. } = self.place(at);
        let mut digits = Vec::with_capacity(step + 1);
        for _ in 0..step {
            digits.push(number % (self.q - 1) + 1);
            number /= self.q - 1;
        }
        digits.push(number);
        digits.reverse();
        digits
    }
}

impl Network for Flooded {
    fn order(&self) -> u64 {
        self.first[self.steps()]
    }

    /// First those of the copy in which the node was made, then those of the copy that it spawned.
    fn ports(&self) -> u32 {
        self.base.ports() * if self.steps() > 1 { 2 } else { 1 }
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        let place = self.place(at);
        match port.0.checked_sub(self.base.ports()) {
            None => {
                let to = self.base.neighbor(Node(place.digit), port)?;
                Some(self.sibling(&place, to.0))
            }
            Some(rest) => {
                let spawns = place.step + 1 < self.steps();
                let to = self.base.neighbor(Node(0), Port(rest)).filter(|_| spawns)?;
                Some(self.child(&place, to.0))
            }
        }
    }

    fn for_each_neighbor(&self, at: Node, visit: &mut dyn FnMut(Port, Node)) {
        let place = self.place(at);
        self.base.for_each_neighbor(Node(place.digit), &mut |port, to| {
            visit(port, self.sibling(&place, to.0));
        });
        if place.step + 1 < self.steps() {
            self.base.for_each_neighbor(Node(0), &mut |port, to| {
                visit(Port(self.base.ports() + port.0), self.child(&place, to.0));
            });
        }
    }

    fn address(&self, at: Node) -> Address {
        let digits = self.digits(at).into_iter();
        Address::Tuple(digits.map(|digit| self.base.address(Node(digit))).collect())
    }

    fn node(&self, address: &Address) -> Option<Node> {
        let parts = address.as_tuple()?;
        let step = parts.len().checked_sub(1).filter(|&step| step < self.steps())?;
        let mut number = self.base.node(&parts[0])?.0;
        for part in &parts[1..] {
            let digit = self.base.node(part)?.0;
            number = number * (self.q - 1) + digit.checked_sub(1)?;
        }
        Some(Node(self.first[step] + number))
    }

    fn level(&self, at: Node, port: Port) -> u16 {
        let place = self.place(at);
        let (step, digit, port) = match port.0.checked_sub(self.base.ports()) {
            None => (place.step, place.digit, port),
            Some(rest) => (place.step + 1, 0, Port(rest)),
        };
        let inner = self.base.level(Node(digit), port);
        u16::try_from(step).expect("at most 63 steps") * self.base.levels() + inner
    }

    fn levels(&self) -> u16 {
        u16::try_from(self.steps()).unwrap_or(u16::MAX).saturating_mul(self.base.levels())
    }

    /// The copies form a tree: up to the copy in which the two part, across it, and down.
    fn distance(&self, from: Node, to: Node) -> Option<u64> {
        let d = |a, b| if a == b { Some(0) } else { self.base.distance(Node(a), Node(b)) };
        let (a, b) = (self.digits(from), self.digits(to));
        let common = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
        // In a copy that one of them spawned, it is node 0.
        let at = |digits: &[u64]| digits.get(common).copied().unwrap_or(0);
        let mut total = d(at(&a), at(&b))?;
        for &digit in a.iter().skip(common + 1).chain(b.iter().skip(common + 1)) {
            total += d(0, digit)?;
        }
        Some(total)
    }
}

/// Algorithm σFH_n-Routing, which is shortest where the routing of the base is: up to the copy in which the two ends
/// part, across it, and down. Legs up come first, the others after them.
impl Lift for Flooded {
    fn classes(&self) -> u16 {
        if self.steps() == 1 { 1 } else { 2 }
    }

    fn longest(&self, base: u64) -> u64 {
        base.saturating_mul(2 * self.steps() as u64 - 1)
    }

    fn inner(&self, at: Node) -> Node {
        Node(self.place(at).digit)
    }

    fn next(&self, copy: &Leg<'_>, at: Node, header: Header) -> Option<Hop> {
        const UP: u16 = 0;
        let down = self.classes() - 1;
        let (a, b) = (self.digits(at), self.digits(header.to));
        let common = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
        let digit = *a.last()?;
        let toward = b.get(common).copied().unwrap_or(0);
        if a.len() == common {
            // The target is in a copy that this node spawned, in which it is node 0.
            let hop = copy.hop(0, toward, header, down)?;
            return Some(Hop { port: Port(self.base.ports() + hop.port.0), ..hop });
        }
        if a.len() > common + 1 {
            return copy.hop(digit, 0, header, UP);
        }
        copy.hop(digit, toward, header, if toward == 0 && b.len() == common { UP } else { down })
    }
}

/// A node belongs to the copy in which it was made and, but for the last step, to the one that it spawned.
impl Copies for Flooded {
    fn seats(&self, at: Node) -> Vec<Seat> {
        let place = self.place(at);
        let number = if place.step == 0 { 0 } else { place.number / (self.q - 1) };
        let made = Seat { level: place.step, number, position: place.digit };
        let spawned = Seat { level: place.step + 1, number: place.number, position: 0 };
        let spawns = place.step + 1 < self.steps();
        [made].into_iter().chain(spawns.then_some(spawned)).collect()
    }

    fn at(&self, seat: Seat, port: Port) -> (Node, Port) {
        match (seat.level, seat.position) {
            (0, position) => (Node(position), port),
            (level, 0) => {
                (Node(self.first[level - 1] + seat.number), Port(self.base.ports() + port.0))
            }
            (level, position) => {
                let inside = seat.number * (self.q - 1) + position - 1;
                (Node(self.first[level] + inside), port)
            }
        }
    }

    fn base_neighbor(&self, position: u64, port: Port) -> Option<u64> {
        self.base.neighbor(Node(position), port).map(|to| to.0)
    }
}

/// What is proven of flooded networks.
#[derive(Debug)]
pub struct FloodedTheory {
    pub(super) base: Built,
    pub(super) n: u64,
    pub(super) order: BigUint,
}

impl FloodedTheory {
    fn grows(&self) -> bool {
        self.n > 1 && !self.base.order().is_one()
    }

    /// Distances from a node to all that it spawned in further steps, itself included: in none, in one, and so on to
    /// those of all steps but one. `None` where that takes long.
    fn downward(&self) -> Option<Vec<Distances>> {
        /// Products of terms of the distributions, less than a second.
        const MAX_WORK: u64 = 1 << 25;
        let from_zero = self.base.theory.distances_from_zero()?;
        let steps = if self.grows() { self.n - 1 } else { 0 };
        let longest = steps.saturating_mul(from_zero.longest());
        if longest.saturating_mul(longest).saturating_mul(steps) > MAX_WORK {
            return None;
        }
        let one = Distances::new([1u8]);
        let others = from_zero.minus(&one);
        let mut below = vec![one.clone()];
        for step in 0..usize::try_from(steps).ok()? {
            below.push(one.plus(&others.times(&below[step])?));
        }
        Some(below)
    }
}

impl FloodedTheory {
    /// How many nodes the last step adds.
    fn last_step(&self) -> BigUint {
        let q = self.base.order();
        &q * (&q - 1u8).pow(u32::try_from(self.n - 1).expect("at most 2^17 steps"))
    }

    /// Nodes of the last step have the links of their digit, the others those of node 0 besides.
    fn cable_degrees(&self) -> Degrees {
        let q = self.base.order();
        let base = self.base.theory.degrees();
        if !self.grows() {
            return base;
        }
        // One copy of the base, and one for every node that spawns.
        let last_step = self.last_step();
        let spawning = &self.order - &last_step;
        let bounds =
            Degrees::bounded(&base.cables * (spawning + 1u8), base.min, base.max.saturating_mul(2));
        let zero = base.regular_degree().or_else(|| self.base.degree_of(Node(0)));
        let (Some(zero), Some(counts)) = (zero, base.counts) else { return bounds };
        let mut others = counts.clone();
        if let Some(nodes) = others.get_mut(&zero) {
            *nodes -= 1u8;
        }
        // A step has as many copies as the step before has nodes.
        let middle = &self.order - &q - &last_step;
        let per_copy = &q - 1u8;
        let (copies_middle, copies_last) = (middle / &per_copy, last_step / &per_copy);
        let first = counts.into_iter().map(|(d, nodes)| (d.saturating_add(zero), nodes));
        let later = others.into_iter().flat_map(|(d, nodes)| {
            [(d.saturating_add(zero), &nodes * &copies_middle), (d, nodes * &copies_last)]
        });
        Degrees::counted(first.chain(later))
    }
}

impl Theory for FloodedTheory {
    fn order(&self) -> BigUint {
        self.order.clone()
    }

    fn degrees(&self) -> Degrees {
        // One copy of the base, and one for every node that spawns.
        let base = self.base.theory.degrees();
        let copies =
            if self.grows() { &self.order - self.last_step() + 1u8 } else { BigUint::one() };
        self.cable_degrees().with_copies(&base, &copies)
    }

    /// D + 2(n-1)·e, with e the eccentricity of node 0 of the base.
    fn diameter(&self) -> Option<Bounded> {
        let far = self.base.theory.distances_from_zero()?.longest();
        Some(self.base.theory.diameter()?.map(|d| d + BigUint::from(far) * 2u8 * (self.n - 1)))
    }

    /// By the copy in which the two ends part: the first one, or one that a node of some step spawned.
    fn distances(&self) -> Option<Distances> {
        let q = self.base.order();
        let one = Distances::new([1u8]);
        let inner = self.base.theory.distances()?;
        let others = self.base.theory.distances_from_zero()?.minus(&one);
        let differ = inner.minus(&Distances::new([q.clone()]));
        let two = BigUint::from(2u8);
        let not_zero = differ.minus(&others.scaled(&two));
        let below = self.downward()?;
        let (all, later) = below.split_last()?;
        let mut total = Distances::new([self.order.clone()]).plus(&differ.times(all)?.times(all)?);
        let mut step = q.clone();
        for below in later.iter().rev() {
            let part_in = not_zero.times(below)?.times(below)?;
            let with_parent = others.times(below)?.scaled(&two);
            total = total.plus(&part_in.plus(&with_parent).scaled(&step));
            step *= &q - 1u8;
        }
        Some(total)
    }

    fn distances_from_zero(&self) -> Option<Distances> {
        self.base.theory.distances_from_zero()?.times(self.downward()?.last()?)
    }
}

#[cfg(test)]
mod tests {
    use crate::build;
    use nestnet_graph::Node;

    /// Eight nodes with four links of each of two levels; every node has a copy at the next step.
    #[test]
    fn links_of_a_step_are_above_those_of_the_step_before() {
        let network = build("flooded(rdn(path(2), 1), 3)").unwrap().network.unwrap();
        let mut ends = vec![0; network.levels().into()];
        for at in (0..network.order()).map(Node) {
            network.for_each_neighbor(at, &mut |port, _| {
                ends[usize::from(network.level(at, port))] += 1;
            });
        }
        let copies = [1, 8, 8 * 7];
        assert_eq!(ends, copies.map(|copies| [2 * 4 * copies; 2]).concat());
    }
}
