//! What is drawn at random: pairs of hosts and faults, the same on every machine for the same seed.
//!
//! The stream of random numbers is ChaCha with 8 rounds, keyed by the seed.

use nestnet_graph::{Network, Node};
use nestnet_routing::Router;
use nestnet_routing::route::{FaultSample, Faults, Pair};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use thiserror::Error;

/// Why nothing can be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum RandomError {
    /// Fewer than two.
    #[error("no pair can be drawn: {alive} of {hosts} hosts are alive")]
    NoPair {
        /// Hosts that are left.
        alive: u64,
        /// Hosts of the network.
        hosts: u64,
    },
    /// Not a probability.
    #[error("a probability is from 0 to 1, not {value}")]
    NoProbability {
        /// What was given.
        value: f64,
    },
}

/// Up to this many hosts the living ones are listed.
const MAX_LISTED: u64 = 1 << 22;

/// What may fail at random.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failing {
    /// Nodes and links.
    Both,
    /// Nodes alone.
    Nodes,
    /// Links alone.
    Links,
}

/// `count` ordered pairs of different living hosts, and a choice of the router for each; every one is as likely.
///
/// ```
/// use nestnet_routing::route::{Against, Faults, sample};
/// use nestnet_graph::Budget;
/// use nestnet_topologies::{build, random};
///
/// let built = build("rdn(torus(5, 5), 3)").unwrap();
/// let router = built.router("shortest").unwrap();
/// let (network, faults) = (built.network.unwrap(), Faults::default());
/// let pairs = random::pairs(&*network, &*router, &faults, 100, 1).unwrap();
/// let found = sample(&*network, &*router, &faults, &pairs, &Budget::default()).unwrap();
/// assert_eq!((found.pairs, found.arrived), (100, 100));
/// assert_eq!(found.max_stretch(Against::Alive), Some(1.0));
/// ```
pub fn pairs(
    network: &dyn Network,
    router: &dyn Router,
    faults: &Faults,
    count: usize,
    seed: u64,
) -> Result<Vec<Pair>, RandomError> {
    let hosts = network.hosts();
    // Where most have failed the rest is listed, so that it is found at all; among very many hosts some are alive.
    let listed = if hosts <= MAX_LISTED && !faults.is_empty() { hosts } else { 0 };
    let mut living: Vec<Node> =
        (0..listed).map(Node).filter(|&node| !faults.has_node(node)).collect();
    let alive = if listed > 0 { living.len() as u64 } else { hosts };
    if alive < 2 {
        return Err(RandomError::NoPair { alive, hosts });
    }
    let is_rare = alive < hosts / 2;
    if !is_rare {
        living.clear();
    }
    let mut random = stream(seed, PAIRS);
    let host = |random: &mut ChaCha8Rng| loop {
        let drawn = below(random, if is_rare { alive } else { hosts });
        let listed = usize::try_from(drawn).ok().and_then(|place| living.get(place));
        let node = listed.copied().unwrap_or(Node(drawn));
        if !faults.has_node(node) {
            return node;
        }
    };
    let pair = || loop {
        let (from, to) = (host(&mut random), host(&mut random));
        if from != to {
            return Pair { from, to, choice: below(&mut random, router.choices().max(1)) };
        }
    };
    Ok(std::iter::repeat_with(pair).take(count).collect())
}

/// Every node, every link or both fail with this probability, each for itself, in a network of any size.
pub fn faults(probability: f64, failing: Failing, seed: u64) -> Result<Faults, RandomError> {
    if !(0.0..=1.0).contains(&probability) {
        return Err(RandomError::NoProbability { value: probability });
    }
    let unless = |other| if failing == other { 0.0 } else { probability };
    let mut faults = Faults::default();
    if probability > 0.0 {
        // The same nodes fail with and without links.
        faults.draw(FaultSample {
            seed,
            nodes: unless(Failing::Links),
            links: unless(Failing::Nodes),
        });
    }
    Ok(faults)
}

const PAIRS: u64 = 0;
const NUMBERS: u64 = 3;
pub(crate) const EXCHANGES: u64 = 4;

/// As many random numbers of a seed.
pub fn numbers(seed: u64, count: usize) -> Vec<u64> {
    let mut random = stream(seed, NUMBERS);
    std::iter::repeat_with(|| random.next_u64()).take(count).collect()
}

/// What places exchange what by: numbers below the bounds that it is given.
pub fn exchanges(seed: u64) -> impl FnMut(u64) -> u64 {
    let mut random = stream(seed, EXCHANGES);
    move |bound| below(&mut random, bound)
}

/// The random numbers of a seed; streams of different numbers have nothing in common.
pub(crate) fn stream(seed: u64, number: u64) -> ChaCha8Rng {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let mut random = ChaCha8Rng::from_seed(key);
    random.set_stream(number);
    random
}

/// A number below `bound`, every one as likely. Written out, so that it stays the same with every version of a crate.
pub(crate) fn below(random: &mut ChaCha8Rng, bound: u64) -> u64 {
    // The high half of a product; the few low parts that would favor some results are drawn again.
    let unfair = bound.wrapping_neg() % bound;
    loop {
        let product = u128::from(random.next_u64()) * u128::from(bound);
        let low = product & u128::from(u64::MAX);
        if low >= u128::from(unfair) {
            return u64::try_from(product >> 64).expect("below the bound");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build;
    use nestnet_graph::Watch;
    use nestnet_routing::route::Valiant;

    #[test]
    fn as_many_fail_as_should() {
        let network = build("torus(100, 100)").unwrap().network.unwrap();
        let count = |failing, probability| {
            let faults = faults(probability, failing, 7).unwrap();
            faults.count(&*network, &Watch::SILENT).unwrap()
        };
        assert_eq!(count(Failing::Both, 0.0), (0, 0));
        assert_eq!(count(Failing::Both, 1.0), (10_000, 20_000));
        let (nodes, links) = count(Failing::Both, 0.1);
        assert!(nodes.abs_diff(1000) < 150 && links.abs_diff(2000) < 200, "{nodes} {links}");
        assert_eq!(count(Failing::Nodes, 0.1), (nodes, 0));
        assert_eq!(count(Failing::Links, 0.1), (0, links));
        // Another seed draws others, and a link is the same from both ends.
        let drawn = |seed| faults(0.1, Failing::Both, seed).unwrap();
        let dead = |seed| (0..10_000).filter(move |&at| drawn(seed).has_node(Node(at)));
        assert!(dead(3).eq(dead(3)) && dead(3).ne(dead(4)));
        let ends = (0..1000).map(|at| (Node(at), Node(at + 1)));
        assert!(ends.clone().any(|(a, b)| drawn(3).has_link(a, b)));
        assert!(ends.clone().all(|(a, b)| drawn(3).has_link(a, b) == drawn(3).has_link(b, a)));
    }

    #[test]
    fn pairs_are_alive_and_different() {
        let built = build("torus(4, 4)").unwrap();
        let router = Valiant::new(built.router("shortest").unwrap(), 0..16).unwrap();
        let network = built.network.unwrap();
        let mut dead = Faults::default();
        (0..14).for_each(|node| dead.fail_node(Node(node)));
        let drawn = pairs(&*network, &router, &dead, 50, 1).unwrap();
        assert_eq!(drawn.len(), 50);
        assert!(drawn.iter().all(|pair| pair.from.0.min(pair.to.0) == 14 && pair.from != pair.to));
        assert!(drawn.iter().all(|pair| pair.choice < 16));
        dead.fail_node(Node(14));
        let refused = pairs(&*network, &router, &dead, 50, 1);
        assert_eq!(refused, Err(RandomError::NoPair { alive: 1, hosts: 16 }));
    }

    #[test]
    fn what_cannot_be_drawn() {
        let draw = |probability| faults(probability, Failing::Both, 1);
        assert_eq!(draw(1.5), Err(RandomError::NoProbability { value: 1.5 }));
        assert!(draw(f64::NAN).is_err());
    }
}
