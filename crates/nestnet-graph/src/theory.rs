//! What is proven of a network at any size, in big integers.

use crate::{Distances, Network, json};
use num_bigint::BigUint;
use num_traits::Zero;
use serde::Serialize;
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
    /// By searches from some nodes, which leave a gap between what is attained and what cannot be passed.
    Bounds,
}

crate::serialize_as_text!(How);

impl fmt::Display for How {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            How::Theorem => "theorem",
            How::Symmetry => "symmetry",
            How::Exhaustive => "exhaustive",
            How::Bounds => "bounds",
        })
    }
}

/// A number between two bounds, exact when they are equal.
///
/// It is made by [`Bounded::theorem`] and [`Bounded::between`] alone, which see that the bounds are not crossed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Bounded {
    /// At least this.
    #[serde(serialize_with = "json::integer")]
    pub low: BigUint,
    /// At most this.
    #[serde(serialize_with = "json::integer")]
    pub high: BigUint,
    /// How both are known.
    pub how: How,
}

impl Bounded {
    /// Exactly `value`, by theorem.
    pub fn theorem(value: impl Into<BigUint>) -> Self {
        let value = value.into();
        Bounded::between(value.clone(), value)
    }

    /// Between `low` and `high`, by theorem. Crossed bounds are a fault of the theory that gives them and of no input,
    /// so that only builds for tests look.
    pub fn between(low: impl Into<BigUint>, high: impl Into<BigUint>) -> Self {
        let (low, high) = (low.into(), high.into());
        debug_assert!(low <= high, "bounds are crossed: at least {low} and at most {high}");
        Bounded { low, high, how: How::Theorem }
    }

    /// The same bounds, known in another way.
    pub fn by(self, how: How) -> Self {
        Bounded { how, ..self }
    }

    /// Both bounds put through an increasing function, which makes it a theorem about the result.
    pub fn map(&self, f: impl Fn(&BigUint) -> BigUint) -> Self {
        Bounded::between(f(&self.low), f(&self.high))
    }

    /// The value, if it is exact.
    pub fn exact(&self) -> Option<&BigUint> {
        (self.low == self.high).then_some(&self.low)
    }
}

/// The degrees of all nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Degrees {
    /// The number of links: pairs of nodes that at least one cable joins.
    pub links: BigUint,
    /// The number of cables; as many as links where each link is one.
    pub cables: BigUint,
    /// The smallest degree, cables counted; a lower bound on it where `counts` is absent.
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
        Degrees::of_classes(&mut classes.into_iter())
    }

    /// The same, compiled once for all iterators.
    fn of_classes(classes: &mut dyn Iterator<Item = (u64, BigUint)>) -> Self {
        let mut counts = BTreeMap::<u64, BigUint>::new();
        for (degree, count) in classes.filter(|(_, count)| !count.is_zero()) {
            *counts.entry(degree).or_default() += count;
        }
        let ends: BigUint = counts.iter().map(|(&degree, count)| count * degree).sum();
        let cables = ends / 2u8;
        Degrees {
            links: cables.clone(),
            cables,
            min: counts.keys().next().copied().unwrap_or(0),
            max: counts.keys().next_back().copied().unwrap_or(0),
            counts: Some(counts),
        }
    }

    /// So many links of one cable, and bounds on the degrees.
    pub fn bounded(links: BigUint, min: u64, max: u64) -> Self {
        Degrees { cables: links.clone(), links, min, max, counts: None }
    }

    /// The degrees of a network with `copies` of one with the degrees `part` in it: links of several cables are those
    /// of the copies.
    pub fn with_copies(self, part: &Degrees, copies: &BigUint) -> Self {
        if part.links == part.cables {
            return self;
        }
        let links = &self.cables - (&part.cables - &part.links) * copies;
        self.with_links(links)
    }

    /// The same degrees, where some links have several cables: there are `links` of them.
    pub fn with_links(self, links: BigUint) -> Self {
        Degrees { links, ..self }
    }

    /// Counted node by node.
    pub fn measured(network: &dyn Network) -> Self {
        let mut counts = BTreeMap::<u64, u64>::new();
        let (mut ends, mut neighbors) = (0u64, Vec::new());
        for at in (0..network.order()).map(crate::Node) {
            neighbors.clear();
            network.for_each_neighbor(at, &mut |_, to| neighbors.push(to));
            *counts.entry(neighbors.len() as u64).or_default() += 1;
            neighbors.sort_unstable();
            neighbors.dedup();
            ends += neighbors.len() as u64;
        }
        let counts = counts.into_iter().map(|(degree, count)| (degree, count.into()));
        Degrees::counted(counts).with_links((ends / 2).into())
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

// Parts of the methods that a theory may leave out: compiled once, not again for every theory.

fn are_equal(one: BigUint, other: BigUint) -> bool {
    one == other
}

fn longest(distances: Distances, connected: bool) -> Option<Bounded> {
    connected.then(|| Bounded::theorem(distances.longest()))
}

/// What is proven of a network, at any size.
///
/// Every method answers at once; what is not proven is `None`. A theory that stands around another one names it in
/// [`inner`](Theory::inner) and answers only what it knows better: every method that it leaves out asks the other.
pub trait Theory: Debug + Send + Sync {
    /// The theory of the same network that answers what this one leaves out.
    fn inner(&self) -> Option<&dyn Theory> {
        None
    }

    /// The number of nodes.
    fn order(&self) -> BigUint;

    /// The number of nodes that inject and receive.
    fn hosts(&self) -> BigUint {
        self.inner().map_or_else(|| self.order(), Theory::hosts)
    }

    /// The number of links, and the degrees.
    fn degrees(&self) -> Degrees;

    /// Whether there is a path between any two nodes.
    fn connected(&self) -> bool {
        self.inner().is_none_or(Theory::connected)
    }

    /// Whether all nodes are proven alike.
    fn is_transitive(&self) -> bool {
        self.inner().is_some_and(Theory::is_transitive)
    }

    /// The diameter, or bounds on it.
    fn diameter(&self) -> Option<Bounded> {
        if let Some(inner) = self.inner() {
            return inner.diameter();
        }
        longest(self.distances()?, self.connected())
    }

    /// The whole distribution of distances.
    fn distances(&self) -> Option<Distances> {
        self.inner()?.distances()
    }

    /// How [`distances`](Theory::distances) are known.
    fn distances_how(&self) -> How {
        self.inner().map_or(How::Theorem, Theory::distances_how)
    }

    /// How many nodes lie at each distance from node 0.
    fn distances_from_zero(&self) -> Option<Distances> {
        self.inner()?.distances_from_zero()
    }

    /// The largest distance between hosts, or bounds on it; links of hosts count.
    fn host_diameter(&self) -> Option<Bounded> {
        if let Some(inner) = self.inner() {
            return inner.host_diameter();
        }
        if are_equal(self.hosts(), self.order()) {
            return self.diameter();
        }
        longest(self.host_distances()?, self.connected())
    }

    /// The distribution of distances between hosts, each with itself at distance 0.
    fn host_distances(&self) -> Option<Distances> {
        match self.inner() {
            Some(inner) => inner.host_distances(),
            None if are_equal(self.hosts(), self.order()) => self.distances(),
            None => None,
        }
    }

    /// Remarks that a reader of the numbers should know.
    fn remarks(&self) -> Vec<String> {
        self.inner().map_or_else(Vec::new, Theory::remarks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Answers nothing as a theory does that leaves everything out.
    #[derive(Debug)]
    struct Odd;

    impl Theory for Odd {
        fn order(&self) -> BigUint {
            10u8.into()
        }

        fn hosts(&self) -> BigUint {
            7u8.into()
        }

        fn degrees(&self) -> Degrees {
            Degrees::regular(3, 10u8.into())
        }

        fn connected(&self) -> bool {
            false
        }

        fn is_transitive(&self) -> bool {
            true
        }

        fn diameter(&self) -> Option<Bounded> {
            Some(Bounded::between(2u8, 5u8))
        }

        fn distances(&self) -> Option<Distances> {
            Some(Distances::new([10u8, 30]))
        }

        fn distances_how(&self) -> How {
            How::Symmetry
        }

        fn distances_from_zero(&self) -> Option<Distances> {
            Some(Distances::new([1u8, 3]))
        }

        fn host_diameter(&self) -> Option<Bounded> {
            Some(Bounded::between(3u8, 4u8))
        }

        fn host_distances(&self) -> Option<Distances> {
            Some(Distances::new([7u8, 0, 42]))
        }

        fn remarks(&self) -> Vec<String> {
            vec!["odd".to_owned()]
        }
    }

    /// Omits all that can be omitted.
    #[derive(Debug)]
    struct Around(Option<Odd>);

    impl Theory for Around {
        fn inner(&self) -> Option<&dyn Theory> {
            self.0.as_ref().map(|odd| odd as &dyn Theory)
        }

        fn order(&self) -> BigUint {
            10u8.into()
        }

        fn degrees(&self) -> Degrees {
            Degrees::regular(3, 10u8.into())
        }
    }

    type Question = (&'static str, fn(&dyn Theory) -> String);

    /// Every question that a theory is asked.
    const QUESTIONS: &[Question] = &[
        ("order", |theory| theory.order().to_string()),
        ("hosts", |theory| theory.hosts().to_string()),
        ("degrees", |theory| format!("{:?}", theory.degrees())),
        ("connected", |theory| theory.connected().to_string()),
        ("is_transitive", |theory| theory.is_transitive().to_string()),
        ("diameter", |theory| format!("{:?}", theory.diameter())),
        ("distances", |theory| format!("{:?}", theory.distances())),
        ("distances_how", |theory| theory.distances_how().to_string()),
        ("distances_from_zero", |theory| format!("{:?}", theory.distances_from_zero())),
        ("host_diameter", |theory| format!("{:?}", theory.host_diameter())),
        ("host_distances", |theory| format!("{:?}", theory.host_distances())),
        ("remarks", |theory| theory.remarks().concat()),
    ];

    #[test]
    fn what_stands_around_a_theory_forwards_every_question() {
        for (name, ask) in QUESTIONS {
            let (odd, plain) = (ask(&Odd), ask(&Around(None)));
            assert_eq!(ask(&Around(Some(Odd))), odd, "{name}");
            // Otherwise this would not see that it is forwarded.
            let required = ["order", "degrees"].contains(name);
            assert_eq!(odd == plain, required, "{name}");
        }
    }

    #[test]
    fn no_question_of_the_trait_is_missing_here() {
        let source = include_str!("theory.rs");
        let (_, rest) = source.split_once("\npub trait Theory").unwrap();
        let (body, _) = rest.split_once("\n}\n").unwrap();
        let methods =
            body.lines().filter_map(|line| line.strip_prefix("    fn ")?.split('(').next());
        let asked = ["inner"].into_iter().chain(QUESTIONS.iter().map(|(name, _)| *name));
        let (mut methods, mut asked): (Vec<_>, Vec<_>) = (methods.collect(), asked.collect());
        methods.sort_unstable();
        asked.sort_unstable();
        assert_eq!(methods, asked);
    }

    #[test]
    fn bounds_keep_their_sides() {
        let known = Bounded::between(3u8, 5u8).by(How::Exhaustive);
        assert_eq!((known.exact(), known.how), (None, How::Exhaustive));
        let mapped = known.map(|value| value * 2u8 + 1u8);
        assert_eq!(mapped, Bounded::between(7u8, 11u8));
        assert_eq!(Bounded::theorem(4u8).exact(), Some(&BigUint::from(4u8)));
    }

    #[test]
    #[cfg(debug_assertions)]
    #[should_panic(expected = "bounds are crossed: at least 5 and at most 3")]
    fn crossed_bounds_are_seen() {
        Bounded::between(5u8, 3u8);
    }

    #[test]
    fn degrees_are_counted() {
        let degrees = Degrees::counted([(3, 4u8.into()), (1, 2u8.into()), (3, 2u8.into())]);
        assert_eq!((degrees.min, degrees.max, degrees.regular_degree()), (1, 3, None));
        assert_eq!(degrees.links, BigUint::from((3 * 6 + 2) / 2u8));
        let empty = Degrees::counted([(9, BigUint::ZERO), (2, 5u8.into())]);
        assert_eq!(empty, Degrees::regular(2, 5u8.into()));
        assert_eq!(empty.regular_degree(), Some(2));
    }

    /// Counts what a tree of that degree reaches, step by step.
    fn moore_slowly(order: u64, degree: u64) -> u64 {
        let within = |steps: u32| {
            let shell = |step: u32| degree * degree.saturating_sub(1).pow(step);
            1 + (0..steps).map(shell).sum::<u64>()
        };
        (0..).find(|&steps| within(steps) >= order).expect("the tree grows").into()
    }

    #[test]
    fn the_moore_bound_is_what_a_tree_reaches() {
        for degree in 2..6 {
            for order in 1..200u64 {
                let bound = moore_diameter(&order.into(), degree);
                assert_eq!(bound, moore_slowly(order, degree).into(), "{order} of {degree}");
            }
        }
        // A single link, and nodes without any.
        assert_eq!(moore_diameter(&2u8.into(), 1), BigUint::from(1u8));
        assert_eq!(moore_diameter(&1u8.into(), 0), BigUint::ZERO);
    }
}
