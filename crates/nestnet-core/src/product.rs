//! The Cartesian product: one digit for each factor, and a link changes one digit by a link of its factor.
//!
//! Meshes, tori, generalized hypercubes and folded networks are products of paths, rings, complete graphs and any base.

use crate::network::Automorphism;
use crate::theory::{Degrees, Known, Theory};
use crate::{Address, Distances, Network, Node, Orbit, Port};
use num_bigint::BigUint;
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
    order: u64,
    ports: u32,
    levels: Levels,
}

#[derive(Debug)]
struct Factor {
    network: Arc<dyn Network>,
    side: u64,
    /// What one step of this digit adds to the id.
    stride: u64,
    first_port: u32,
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

    fn digit(&self, at: Node, factor: &Factor) -> u64 {
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
        let mut all = Degrees::regular(0, BigUint::one());
        for (factor, times) in &self.factors {
            all = sum_of_degrees(&all, &factor.degrees(), *times, &factor.order());
        }
        all
    }

    fn connected(&self) -> bool {
        self.factors.iter().all(|(factor, times)| *times == 0 || factor.connected())
    }

    fn diameter(&self) -> Option<Known> {
        let mut sum = Known::theorem(0u8);
        for (factor, times) in &self.factors {
            let one = factor.diameter()?;
            sum.low += one.low * times;
            sum.high += one.high * times;
        }
        self.connected().then_some(sum)
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

/// Longer lists of degrees are replaced by their bounds.
const MAX_CLASSES: usize = 1 << 12;

/// The degrees of a node with `times` more digits, whose degrees all add up.
fn sum_of_degrees(all: &Degrees, digit: &Degrees, times: u64, order: &BigUint) -> Degrees {
    let digits = order.pow(u32::try_from(times).expect("checked when it was built"));
    let fewer: BigUint = if times == 0 {
        0u8.into()
    } else {
        order.pow(u32::try_from(times - 1).expect("checked when it was built"))
    };
    let nodes: BigUint = all.counts.iter().flat_map(|counts| counts.values()).sum();
    let counts = (|| {
        let mut sum = all.counts.clone()?;
        let digit = digit.counts.as_ref()?;
        if digit.len() == 1 {
            let (&degree, _) = digit.iter().next()?;
            let shift = degree.checked_mul(times)?;
            return sum
                .into_iter()
                .map(|(d, n)| Some((d.checked_add(shift)?, n * &digits)))
                .collect();
        }
        for _ in 0..times {
            let mut next = BTreeMap::<u64, BigUint>::new();
            for (a, m) in &sum {
                for (b, n) in digit {
                    *next.entry(a.checked_add(*b)?).or_default() += m * n;
                }
            }
            sum = next;
            if sum.len() > MAX_CLASSES {
                return None;
            }
        }
        Some(sum)
    })();
    match counts {
        Some(counts) => Degrees::counted(counts),
        None => Degrees {
            links: &all.links * &digits + nodes * times * &digit.links * fewer,
            min: all.min.saturating_add(digit.min.saturating_mul(times)),
            max: all.max.saturating_add(digit.max.saturating_mul(times)),
            counts: None,
        },
    }
}
