//! The Cartesian product: one digit for each factor, and a link changes one digit by a link of its factor.
//!
//! Meshes, tori, generalized hypercubes and folded networks are products of paths, rings, complete graphs and any base.

use crate::address::put_tuple;
use crate::network::Automorphism;
use crate::polynomial::{self, MAX_LENGTH, power};
use crate::theory::{Bounded, Degrees, Theory};
use crate::{Address, Distances, Network, Node, Orbit, Port};
use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::One;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Which level the links of a factor belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Levels {
    /// All digits are equals: every link keeps the level of its factor.
    Flat,
    /// The last digit is the innermost level, the first the outermost.
    Nested,
}

/// A product of networks, first factor most significant.
#[derive(Debug)]
pub struct Product {
    factors: Vec<Factor>,
    pub(crate) order: u64,
    ports: u32,
    levels: Levels,
}

/// One factor of a product, which is one digit of its nodes.
#[derive(Debug)]
pub struct Factor {
    network: Arc<dyn Network>,
    /// How many values the digit has.
    pub side: u64,
    /// What one step of this digit adds to the id.
    pub stride: u64,
    /// The first port of a node that changes this digit.
    pub first_port: u32,
}

impl Product {
    /// The product of `networks`, if it has at most 2^63 nodes and its ports fit.
    pub fn new(networks: &[Arc<dyn Network>], levels: Levels) -> Option<Self> {
        let mut order = 1u64;
        let mut factors = Vec::new();
        for network in networks.iter().rev() {
            let (network, side) = (network.clone(), network.order());
            factors.push(Factor { network, side, stride: order, first_port: 0 });
            order = order.checked_mul(side).filter(|&n| n <= crate::network::MAX_ORDER)?;
        }
        factors.reverse();
        let mut ports = 0u32;
        for factor in &mut factors {
            factor.first_port = ports;
            ports = ports.checked_add(factor.network.ports())?;
        }
        Some(Product { factors, order, ports, levels })
    }

    /// The factors, the most significant digit first.
    pub fn factors(&self) -> &[Factor] {
        &self.factors
    }

    /// The digit of a node that belongs to a factor.
    pub fn digit(&self, at: Node, factor: &Factor) -> u64 {
        at.0 / factor.stride % factor.side
    }

    fn factor_of(&self, port: Port) -> usize {
        self.factors.partition_point(|factor| factor.first_port <= port.0) - 1
    }
}

impl Network for Product {
    fn order(&self) -> u64 {
        self.order
    }

    fn ports(&self) -> u32 {
        self.ports
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        let factor = &self.factors[self.factor_of(port)];
        let digit = self.digit(at, factor);
        let to = factor.network.neighbor(Node(digit), Port(port.0 - factor.first_port))?;
        Some(Node(at.0 - digit * factor.stride + to.0 * factor.stride))
    }

    fn for_each_neighbor(&self, at: Node, visit: &mut dyn FnMut(Port, Node)) {
        for factor in &self.factors {
            let digit = self.digit(at, factor);
            let rest = at.0 - digit * factor.stride;
            factor.network.for_each_neighbor(Node(digit), &mut |port, to| {
                visit(Port(factor.first_port + port.0), Node(rest + to.0 * factor.stride));
            });
        }
    }

    fn address(&self, at: Node) -> Address {
        let digit = |factor: &Factor| factor.network.address(Node(self.digit(at, factor)));
        Address::Tuple(self.factors.iter().map(digit).collect())
    }

    fn put_address(&self, at: Node, out: &mut Vec<u8>) {
        put_tuple(out, &self.factors, |factor, out| {
            factor.network.put_address(Node(self.digit(at, factor)), out);
        });
    }

    fn node(&self, address: &Address) -> Option<Node> {
        let parts = address.as_tuple().filter(|parts| parts.len() == self.factors.len())?;
        let mut id = 0;
        for (factor, part) in self.factors.iter().zip(parts) {
            id += factor.network.node(part)?.0 * factor.stride;
        }
        Some(Node(id))
    }

    fn level(&self, at: Node, port: Port) -> u16 {
        let index = self.factor_of(port);
        let factor = &self.factors[index];
        let digit = Node(self.digit(at, factor));
        let inner = factor.network.level(digit, Port(port.0 - factor.first_port));
        match self.levels {
            Levels::Flat => inner,
            Levels::Nested => {
                inner + self.factors[index + 1..].iter().map(|f| f.network.levels()).sum::<u16>()
            }
        }
    }

    fn levels(&self) -> u16 {
        let levels = self.factors.iter().map(|factor| factor.network.levels());
        match self.levels {
            Levels::Flat => levels.max().unwrap_or(1),
            Levels::Nested => levels.sum(),
        }
    }

    /// Those of each factor, on its digit.
    fn automorphisms(&self) -> Vec<Automorphism> {
        let of_factor = |factor: &Factor| {
            let (stride, side) = (factor.stride, factor.side);
            let all = factor.network.automorphisms().into_iter();
            all.map(move |g| on_digit(g, stride, side)).collect::<Vec<_>>()
        };
        self.factors.iter().flat_map(of_factor).collect()
    }

    fn orbits(&self) -> Option<Vec<Orbit>> {
        let mut orbits = vec![Orbit { node: Node(0), size: 1 }];
        for factor in &self.factors {
            let digits = factor.network.orbits()?;
            orbits = join_orbits(&orbits, &digits, |prefix, digit| {
                Node(prefix.0 + digit.0 * factor.stride)
            })?;
        }
        Some(orbits)
    }

    fn distance(&self, from: Node, to: Node) -> Option<u64> {
        let mut sum = 0;
        for factor in &self.factors {
            let (a, b) = (self.digit(from, factor), self.digit(to, factor));
            if a != b {
                sum += factor.network.distance(Node(a), Node(b))?;
            }
        }
        Some(sum)
    }
}

/// A renaming of one digit, applied to ids in which that digit has the given stride.
pub fn on_digit(g: Automorphism, stride: u64, side: u64) -> Automorphism {
    Arc::new(move |id| {
        let digit = id / stride % side;
        id - digit * stride + g(digit) * stride
    })
}

/// More classes than this are no help to anyone.
const MAX_ORBITS: usize = 1 << 16;

/// The classes of pairs when both parts move independently.
pub fn join_orbits(
    first: &[Orbit],
    second: &[Orbit],
    node: impl Fn(Node, Node) -> Node,
) -> Option<Vec<Orbit>> {
    if first.len().saturating_mul(second.len()) > MAX_ORBITS {
        return None;
    }
    let pair = |a: &Orbit, b: &Orbit| Orbit { node: node(a.node, b.node), size: a.size * b.size };
    Some(first.iter().flat_map(|a| second.iter().map(move |b| pair(a, b))).collect())
}

/// What is proven of a product: degrees and distances add, orders multiply.
#[derive(Debug)]
pub struct ProductTheory {
    /// The factors and how often each occurs.
    pub factors: Vec<(Arc<dyn Theory>, u64)>,
}

impl Theory for ProductTheory {
    fn order(&self) -> BigUint {
        let power = |(factor, times): &(Arc<dyn Theory>, u64)| {
            factor.order().pow(u32::try_from(*times).expect("checked when it was built"))
        };
        self.factors.iter().map(power).product()
    }

    fn degrees(&self) -> Degrees {
        let order = self.order();
        let mut all = Degrees::bounded(BigUint::ZERO, 0, 0);
        for (factor, times) in self.factors.iter().filter(|(_, times)| *times > 0) {
            let digit = factor.degrees();
            // One digit moves while all others are fixed.
            let lines = (&order / factor.order()) * times;
            all.links += digit.links * &lines;
            all.cables += digit.cables * lines;
            all.min = all.min.saturating_add(digit.min.saturating_mul(*times));
            all.max = all.max.saturating_add(digit.max.saturating_mul(*times));
        }
        match self.degree_counts() {
            Some(counts) => Degrees::counted(counts).with_links(all.links),
            None => all,
        }
    }

    fn connected(&self) -> bool {
        self.factors.iter().all(|(factor, times)| *times == 0 || factor.connected())
    }

    fn is_transitive(&self) -> bool {
        self.factors.iter().all(|(factor, times)| *times == 0 || factor.is_transitive())
    }

    fn diameter(&self) -> Option<Bounded> {
        let (mut low, mut high) = (BigUint::ZERO, BigUint::ZERO);
        for (factor, times) in &self.factors {
            let one = factor.diameter()?;
            low += one.low * times;
            high += one.high * times;
        }
        self.connected().then(|| Bounded::between(low, high))
    }

    fn distances(&self) -> Option<Distances> {
        product_of(&self.factors, |factor| factor.distances())
    }

    fn distances_from_zero(&self) -> Option<Distances> {
        product_of(&self.factors, |factor| factor.distances_from_zero())
    }
}

fn product_of(
    factors: &[(Arc<dyn Theory>, u64)],
    distances: impl Fn(&dyn Theory) -> Option<Distances>,
) -> Option<Distances> {
    factors.iter().try_fold(Distances::new([1u8]), |product, (factor, times)| {
        product.times(&distances(factor.as_ref())?.power(*times)?)
    })
}

/// How many nodes have each degree.
type Counts = BTreeMap<u64, BigUint>;

impl ProductTheory {
    /// The degrees of the digits add up, so their counts multiply like polynomials. `None` when that would take long.
    fn degree_counts(&self) -> Option<Counts> {
        let mut all = Counts::from([(0, BigUint::one())]);
        for (factor, times) in &self.factors {
            let digit = factor.degrees().counts?;
            let digits = {
                let step = step([&digit]);
                let (least, list) = dense(&digit, step)?;
                sparse(least.checked_mul(*times)?, step, power(&list, *times)?)?
            };
            let step = step([&all, &digits]);
            let ((a, first), (b, second)) = (dense(&all, step)?, dense(&digits, step)?);
            all = sparse(a.checked_add(b)?, step, polynomial::times(&first, &second)?)?;
        }
        Some(all)
    }
}

/// The largest step that leads from the least degree to all others, in each of the `parts`.
fn step<const N: usize>(parts: [&Counts; N]) -> u64 {
    let differences = |counts: &Counts| {
        let least = counts.keys().next().copied().unwrap_or(0);
        counts.keys().fold(0, |step: u64, degree| step.gcd(&(degree - least)))
    };
    parts.into_iter().map(differences).fold(0, |a, b| a.gcd(&b)).max(1)
}

/// The least degree, and the counts from there on in steps of `step`.
fn dense(counts: &Counts, step: u64) -> Option<(u64, Vec<BigUint>)> {
    let (least, most) = (*counts.keys().next()?, *counts.keys().next_back()?);
    let last = usize::try_from((most - least) / step).ok()?;
    if last >= MAX_LENGTH {
        return None;
    }
    let mut list = vec![BigUint::ZERO; last + 1];
    for (degree, count) in counts {
        list[usize::try_from((degree - least) / step).ok()?] += count;
    }
    Some((least, list))
}

/// The inverse of [`dense`], without empty classes.
fn sparse(least: u64, step: u64, list: Vec<BigUint>) -> Option<Counts> {
    let class = |(i, count)| Some((step.checked_mul(i)?.checked_add(least)?, count));
    (0..).zip(list).filter(|(_, count)| *count != BigUint::ZERO).map(class).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    /// A star of `leaves` leaves, whose degrees may be kept secret.
    #[derive(Debug)]
    struct Leaves {
        leaves: u64,
        counted: bool,
    }

    impl Theory for Leaves {
        fn order(&self) -> BigUint {
            (self.leaves + 1).into()
        }

        fn degrees(&self) -> Degrees {
            let all = Degrees::counted([(1, self.leaves.into()), (self.leaves, BigUint::one())]);
            Degrees { counts: all.counts.clone().filter(|_| self.counted), ..all }
        }
    }

    fn product(factors: &[(u64, bool, u64)]) -> ProductTheory {
        let factor = |&(leaves, counted, times): &(u64, bool, u64)| {
            (Arc::new(Leaves { leaves, counted }) as Arc<dyn Theory>, times)
        };
        ProductTheory { factors: factors.iter().map(factor).collect() }
    }

    #[test]
    fn links_do_not_depend_on_what_is_known_of_the_degrees() {
        for factors in [[(3, 2), (5, 1)], [(5, 1), (3, 2)], [(4, 3), (7, 0)]] {
            let known = |counted: [bool; 2]| {
                let [(a, i), (b, j)] = factors;
                product(&[(a, counted[0], i), (b, counted[1], j)]).degrees()
            };
            let all = known([true, true]);
            assert!(all.counts.is_some());
            for counted in [[false, false], [true, false], [false, true]] {
                let some = known(counted);
                assert_eq!((&some.links, some.min, some.max), (&all.links, all.min, all.max));
            }
        }
    }

    #[test]
    fn degrees_far_apart_are_counted() {
        let degrees = product(&[(1_000_000, true, 2)]).degrees();
        let n = BigUint::from(1_000_000u64);
        let expected = [(2, n.pow(2)), (1_000_001, n * 2u8), (2_000_000, BigUint::one())];
        assert_eq!(degrees, Degrees::counted(expected));
    }

    #[test]
    fn many_digits_do_not_take_long() {
        let start = Instant::now();
        let degrees = product(&[(3, true, 10_000)]).degrees();
        assert_eq!((degrees.min, degrees.max), (10_000, 30_000));
        // Four nodes and three links a digit.
        assert_eq!(degrees.links, BigUint::from(4u8).pow(9_999) * 30_000u32);
        assert!(start.elapsed() < Duration::from_secs(20));
    }
}
