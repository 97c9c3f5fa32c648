//! What searches from every node find, and whether a theory says nothing else: also on bases of which only bounds are known.

use nestnet::family::{Built, EvaluatedValue, Family, Make};
use nestnet::measure::orbit::node_classes;
use nestnet::measure::search::{distances_from, spheres_of};
use nestnet::theory::{Bounded, Degrees, Theory};
use nestnet::{Context, Distances, Network, Node};
use num_bigint::BigUint;
use proptest::prelude::*;
use std::sync::Arc;

/// What searches from every node find.
pub struct Truth {
    order: BigUint,
    hosts: BigUint,
    degrees: Degrees,
    connected: bool,
    /// Whether its automorphisms join all nodes.
    alike: bool,
    all: Distances,
    from_zero: Distances,
}

impl Truth {
    pub fn of(network: &dyn Network) -> Self {
        let from = |at| histogram(&distances_from(network, Node(at)));
        let all = (0..network.order()).map(from);
        let all = all.fold(Distances::default(), |sum, here| sum.plus(&here));
        let order = BigUint::from(network.order());
        Truth {
            hosts: network.hosts().into(),
            degrees: Degrees::measured(network),
            connected: all.pairs() == &order * &order,
            alike: node_classes(network).is_some_and(|classes| classes.len() == 1),
            from_zero: from(0),
            order,
            all,
        }
    }

    /// Whether a theory says nothing else.
    pub fn bears_out(&self, theory: &dyn Theory) -> Result<(), TestCaseError> {
        prop_assert_eq!(theory.order(), self.order.clone());
        prop_assert_eq!(theory.hosts(), self.hosts.clone());
        prop_assert_eq!(theory.connected(), self.connected);
        prop_assert!(!theory.is_transitive() || self.alike, "nodes are not alike");
        let degrees = theory.degrees();
        if degrees.counts.is_some() {
            prop_assert_eq!(&degrees, &self.degrees);
        }
        prop_assert_eq!(&degrees.links, &self.degrees.links);
        prop_assert_eq!(&degrees.cables, &self.degrees.cables);
        let within = degrees.min <= self.degrees.min && self.degrees.max <= degrees.max;
        prop_assert!(within, "{:?} are not within {:?}", self.degrees, degrees);
        if let Some(distances) = theory.distances() {
            prop_assert_eq!(&distances, &self.all);
        }
        if let Some(distances) = theory.distances_from_zero() {
            prop_assert_eq!(&distances, &self.from_zero, "from zero");
        }
        if let Some(known) = theory.diameter() {
            let longest = self.all.longest().into();
            prop_assert!(self.connected, "a diameter although it is not connected");
            prop_assert!(known.low <= longest && longest <= known.high, "{longest}: {known:?}");
        }
        Ok(())
    }
}

pub fn histogram(distances: &[u32]) -> Distances {
    Distances::new(spheres_of(distances))
}

/// What is left of a theory when only bounds are known.
#[derive(Debug)]
struct Vague(Arc<dyn Theory>);

impl Theory for Vague {
    fn order(&self) -> BigUint {
        self.0.order()
    }

    fn hosts(&self) -> BigUint {
        self.0.hosts()
    }

    fn degrees(&self) -> Degrees {
        let Degrees { links, cables, min, max, .. } = self.0.degrees();
        Degrees::bounded(cables, min.saturating_sub(1), max + 1).with_links(links)
    }

    fn connected(&self) -> bool {
        self.0.connected()
    }

    fn is_transitive(&self) -> bool {
        self.0.is_transitive()
    }

    fn diameter(&self) -> Option<Bounded> {
        let exact = self.0.diameter()?.exact()?.clone();
        let low = if exact == BigUint::ZERO { exact.clone() } else { &exact - 1u8 };
        Some(Bounded::between(low, exact + 2u8))
    }
}

/// How much of a base a theory gets to see.
#[derive(Clone, Copy)]
enum Seen {
    /// Bounds and the network.
    Network,
    /// Bounds, and the network to look at without anything built on it.
    Example,
    /// Bounds alone.
    Nothing,
}

fn vague(base: &Built, seen: Seen) -> Built {
    let theory: Arc<dyn Theory> = Arc::new(Vague(base.theory.clone()));
    let mut vague = base.clone();
    (vague.proven, vague.theory) = (theory.clone(), theory);
    match seen {
        Seen::Network => vague,
        Seen::Example => vague.theory_alone(),
        Seen::Nothing => vague.theory_alone().unseen(),
    }
}

/// Builds a row anew on bases of which only bounds are known, and holds what it then proves to the truth.
pub fn true_on_vague_bases(
    family: &Family,
    values: &[(&'static str, EvaluatedValue)],
    context: &Context<'_>,
    truth: &Truth,
) -> Result<(), TestCaseError> {
    let is_network = |value: &EvaluatedValue| {
        matches!(value, EvaluatedValue::Network(_) | EvaluatedValue::Networks(_))
    };
    let Make::Build(make) = family.make else { return Ok(()) };
    if !values.iter().any(|(_, value)| is_network(value)) {
        return Ok(());
    }
    for seen in [Seen::Network, Seen::Example, Seen::Nothing] {
        let blurred = |value: &EvaluatedValue| match value {
            EvaluatedValue::Network(base) => EvaluatedValue::Network(vague(base, seen)),
            EvaluatedValue::Networks(list) => {
                EvaluatedValue::Networks(list.iter().map(|base| vague(base, seen)).collect())
            }
            other => other.clone(),
        };
        let values = values.iter().map(|(name, value)| (*name, blurred(value))).collect();
        // Some rows need more of a base than its bounds.
        if let Ok(built) = make(&nestnet::build::arguments(values, context)) {
            truth.bears_out(&*built.proven)?;
            truth.bears_out(&*built.theory)?;
        }
    }
    Ok(())
}
