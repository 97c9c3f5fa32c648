//! What is drawn by lot: pairs of hosts and faults, the same on every machine for the same seed.
//!
//! The stream of random numbers is ChaCha with 8 rounds, keyed by the seed.

use nestnet_core::route::{Faults, Pair};
use nestnet_core::{Network, Node, Router};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use thiserror::Error;

/// Why nothing can be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum RandomError {
    /// Fewer than two.
    #[error("no pair can be drawn: {alive} of {hosts} hosts are alive")]
    NoPair {
        /// Hosts that are left.
        alive: u64,
        /// Hosts of the network.
        hosts: u64,
    },
    /// Every node and link is drawn for.
    #[error(
        "random faults are drawn in networks of up to {MAX_FAULTY} nodes, and this one has {order}"
    )]
    TooManyNodes {
        /// How many there are.
        order: u64,
    },
    /// Not a probability.
    #[error("a probability is from 0 to 1, not {value}")]
    NoProbability {
        /// What was given.
        value: f64,
    },
}

/// Larger networks have no random faults.
pub const MAX_FAULTY: u64 = 1 << 24;

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
/// use nestnet::route::{Against, Faults, sample};
/// use nestnet::{Budget, build, random, routers};
///
/// let built = build("rdn(torus(5, 5), 3)").unwrap();
/// let router = routers::find(&built, "shortest", &Budget::default()).unwrap();
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
    let failed = faults.nodes().filter(|node| node.0 < hosts).count() as u64;
    let alive = hosts.saturating_sub(failed);
    if alive < 2 {
        return Err(RandomError::NoPair { alive, hosts });
    }
    let mut random = stream(seed, PAIRS);
    // Where most have failed the rest is listed, so that it is found at all.
    let is_rare = alive < hosts / 2;
    let all = (0..if is_rare { hosts } else { 0 }).map(Node);
    let living: Vec<Node> = all.filter(|&node| !faults.has_node(node)).collect();
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

/// Every node, every link or both fail with this probability, each for itself. O(nodes + links).
pub fn faults(
    network: &dyn Network,
    probability: f64,
    failing: Failing,
    seed: u64,
) -> Result<Faults, RandomError> {
    if !(0.0..=1.0).contains(&probability) {
        return Err(RandomError::NoProbability { value: probability });
    }
    let order = network.order();
    if order > MAX_FAULTY {
        return Err(RandomError::TooManyNodes { order });
    }
    let mut faults = Faults::default();
    // Streams of their own, so that the same nodes fail with and without links.
    let mut nodes = stream(seed, NODE_FAULTS);
    let mut links = stream(seed, LINK_FAULTS);
    for at in (0..order).map(Node) {
        if failing != Failing::Links && happens(&mut nodes, probability) {
            faults.fail_node(at);
        }
        network.for_each_neighbor(at, &mut |_, to| {
            if failing != Failing::Nodes && at < to && happens(&mut links, probability) {
                faults.fail_link(at, to);
            }
        });
    }
    Ok(faults)
}

const PAIRS: u64 = 0;
const NODE_FAULTS: u64 = 1;
const LINK_FAULTS: u64 = 2;
const NUMBERS: u64 = 3;
pub(crate) const EXCHANGES: u64 = 4;

/// As many random numbers of a seed.
pub fn numbers(seed: u64, count: usize) -> Vec<u64> {
    let mut random = stream(seed, NUMBERS);
    std::iter::repeat_with(|| random.next_u64()).take(count).collect()
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
    // The high half of a product; the few low halves that would favor some results are drawn again.
    let unfair = bound.wrapping_neg() % bound;
    loop {
        let product = u128::from(random.next_u64()) * u128::from(bound);
        let low = product & u128::from(u64::MAX);
        if low >= u128::from(unfair) {
            return u64::try_from(product >> 64).expect("below the bound");
        }
    }
}

/// Whether something of that probability happens. 53 bits of a random number are compared, all that a fraction holds.
fn happens(random: &mut ChaCha8Rng, probability: f64) -> bool {
    const PARTS: u64 = 1 << 53;
    ((random.next_u64() >> 11) as f64) < probability * PARTS as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build;

    #[test]
    fn as_many_fail_as_should() {
        let network = build("torus(100, 100)").unwrap().network.unwrap();
        let count = |failing, probability| {
            let faults = faults(&*network, probability, failing, 7).unwrap();
            (faults.nodes().len(), faults.links().len())
        };
        assert_eq!(count(Failing::Both, 0.0), (0, 0));
        assert_eq!(count(Failing::Both, 1.0), (10_000, 20_000));
        let (nodes, links) = count(Failing::Both, 0.1);
        assert!(nodes.abs_diff(1000) < 150 && links.abs_diff(2000) < 200, "{nodes} {links}");
        assert_eq!(count(Failing::Nodes, 0.1), (nodes, 0));
        assert_eq!(count(Failing::Links, 0.1), (0, links));
        let drawn = |seed| faults(&*network, 0.1, Failing::Both, seed).unwrap();
        assert_eq!(drawn(3), drawn(3));
        assert_ne!(drawn(3), drawn(4));
    }

    #[test]
    fn pairs_are_alive_and_different() {
        let built = build("torus(4, 4)").unwrap();
        let router =
            crate::routers::find(&built, "valiant", &nestnet_core::Budget::UNLIMITED).unwrap();
        let network = built.network.unwrap();
        let mut dead = Faults::default();
        (0..14).for_each(|node| dead.fail_node(Node(node)));
        let drawn = pairs(&*network, &*router, &dead, 50, 1).unwrap();
        assert_eq!(drawn.len(), 50);
        assert!(drawn.iter().all(|pair| pair.from.0.min(pair.to.0) == 14 && pair.from != pair.to));
        assert!(drawn.iter().all(|pair| pair.choice < 16));
        dead.fail_node(Node(14));
        let refused = pairs(&*network, &*router, &dead, 50, 1);
        assert_eq!(refused, Err(RandomError::NoPair { alive: 1, hosts: 16 }));
    }

    #[test]
    fn what_cannot_be_drawn() {
        let network = build("ring(100000000)").unwrap().network.unwrap();
        let draw = |probability| faults(&*network, probability, Failing::Both, 1);
        assert_eq!(draw(0.1), Err(RandomError::TooManyNodes { order: 100_000_000 }));
        assert_eq!(draw(1.5), Err(RandomError::NoProbability { value: 1.5 }));
        assert!(draw(f64::NAN).is_err());
    }
}
