//! What is proven of a network at any size, in big integers.

use crate::{Distances, Network};
use num_bigint::BigUint;
use num_traits::Zero;
use std::collections::BTreeMap;
use std::fmt::{self, Debug};

/// How a number is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// By a closed form or recurrence that is proven.
    Theorem,
    /// By one search from each class of nodes that proven automorphisms join.
    Symmetry,
    /// By a search from every node.
    Exhaustive,
}

impl fmt::Display for How {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            How::Theorem => "theorem",
            How::Symmetry => "symmetry",
            How::Exhaustive => "exhaustive",
        })
    }
}

/// A number between two bounds, exact when they are equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// At least this.
    pub low: BigUint,
    /// At most this.
    pub high: BigUint,
    /// How both are known.
    pub how: How,
}

impl Known {
    /// Exactly `value`, by theorem.
    pub fn theorem(value: impl Into<BigUint>) -> Self {
        let value = value.into();
        Known { low: value.clone(), high: value, how: How::Theorem }
    }

    /// Between `low` and `high`, by theorem.
    pub fn between(low: impl Into<BigUint>, high: impl Into<BigUint>) -> Self {
        Known { low: low.into(), high: high.into(), how: How::Theorem }
    }

    /// Both bounds put through an increasing function, which makes it a theorem about the result.
    pub fn map(&self, f: impl Fn(&BigUint) -> BigUint) -> Self {
        Known { low: f(&self.low), high: f(&self.high), how: How::Theorem }
    }

    /// The value, if it is exact.
    pub fn exact(&self) -> Option<&BigUint> {
        (self.low == self.high).then_some(&self.low)
    }
}

/// The degrees of all nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Degrees {
    /// The number of links.
    pub links: BigUint,
    /// The smallest degree; a lower bound on it where `counts` is absent.
    pub min: u64,
    /// The largest degree; an upper bound on it where `counts` is absent.
    pub max: u64,
    /// How many nodes have each degree, where that is known.
    pub counts: Option<BTreeMap<u64, BigUint>>,
}

impl Degrees {
    /// `order` nodes of one degree.
    pub fn regular(degree: u64, order: BigUint) -> Self {
        Degrees::counted([(degree, order)])
    }

    /// From how many nodes have each degree. Equal degrees add up and empty classes vanish.
    pub fn counted(classes: impl IntoIterator<Item = (u64, BigUint)>) -> Self {
        let mut counts = BTreeMap::<u64, BigUint>::new();
        for (degree, count) in classes.into_iter().filter(|(_, count)| !count.is_zero()) {
            *counts.entry(degree).or_default() += count;
        }
        let ends: BigUint = counts.iter().map(|(&degree, count)| count * degree).sum();
        Degrees {
            links: ends / 2u8,
            min: counts.keys().next().copied().unwrap_or(0),
            max: counts.keys().next_back().copied().unwrap_or(0),
            counts: Some(counts),
        }
    }

    /// Counted node by node.
    pub fn measured(network: &dyn Network) -> Self {
        let mut counts = BTreeMap::<u64, u64>::new();
        for at in (0..network.order()).map(crate::Node) {
            let mut degree = 0;
            network.for_each_neighbor(at, &mut |_, _| degree += 1);
            *counts.entry(degree).or_default() += 1;
        }
        Degrees::counted(counts.into_iter().map(|(degree, count)| (degree, count.into())))
    }

    /// The one degree of all nodes, if they agree.
    pub fn regular_degree(&self) -> Option<u64> {
        (self.min == self.max).then_some(self.min)
    }
}

/// The least diameter that `order` nodes of degree at most `degree` can have (Moore).
pub fn moore_diameter(order: &BigUint, degree: u64) -> BigUint {
    let one = BigUint::from(1u8);
    if *order <= one {
        return BigUint::ZERO;
    }
    if degree <= 2 {
        // A path or a ring: from one node, two more with each step.
        return if degree == 2 { order >> 1u8 } else { one };
    }
    let mut reached = one.clone();
    let mut frontier = BigUint::from(degree);
    let mut steps = BigUint::ZERO;
    while reached < *order {
        reached += &frontier;
        frontier *= degree - 1;
        steps += &one;
    }
    steps
}

/// What is proven of a network, at any size.
///
/// Every method answers at once; what is not proven is `None`.
pub trait Theory: Debug + Send + Sync {
    /// The number of nodes.
    fn order(&self) -> BigUint;

    /// The number of nodes that inject and receive.
    fn hosts(&self) -> BigUint {
        self.order()
    }

    /// The number of links, and the degrees.
    fn degrees(&self) -> Degrees;

    /// Whether there is a path between any two nodes.
    fn connected(&self) -> bool {
        true
    }

    /// Whether all nodes are proven alike.
    fn is_transitive(&self) -> bool {
        false
    }

    /// The diameter, or bounds on it.
    fn diameter(&self) -> Option<Known> {
        let distances = self.distances()?;
        self.connected().then(|| Known::theorem(distances.longest()))
    }

    /// The whole distribution of distances.
    fn distances(&self) -> Option<Distances> {
        None
    }

    /// How [`distances`](Theory::distances) are known.
    fn distances_how(&self) -> How {
        How::Theorem
    }

    /// How many nodes lie at each distance from node 0.
    fn distances_from_zero(&self) -> Option<Distances> {
        None
    }

    /// Remarks that a reader of the numbers should know.
    fn remarks(&self) -> Vec<String> {
        Vec::new()
    }
}
