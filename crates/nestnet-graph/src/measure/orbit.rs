//! Which nodes look alike, by the automorphisms that a network declares?

use super::nodes;
use super::symmetry::{Classes, Generator, classes_of_links};
use crate::network::Automorphism;
use crate::union_find::UnionFind;
use crate::{Csr, Network, Orbit};

/// Larger networks are only classed where they say the classes themselves.
const MAX_ORDER: u64 = 1 << 26;

/// The fewest classes of nodes that the network's proven symmetry gives, if it declares any.
///
/// What it says itself, or the orbits of its automorphisms, by union-find: O(nodes · automorphisms).
pub fn node_classes(network: &dyn Network) -> Option<Vec<Orbit>> {
    let said = network.orbits();
    if said.as_ref().is_some_and(|orbits| orbits.len() == 1) {
        return said;
    }
    let found = orbits_of(network.order(), &network.automorphisms());
    match (said, found) {
        (Some(said), Some(found)) if found.len() < said.len() => Some(found),
        (Some(said), _) => Some(said),
        (None, found) => found,
    }
}

/// The orbits of the group that `generators` generate; `None` without generators or beyond 2^26 nodes.
pub fn orbits_of(order: u64, generators: &[Automorphism]) -> Option<Vec<Orbit>> {
    if generators.is_empty() || order > MAX_ORDER {
        return None;
    }
    let mut joined = UnionFind::new(usize::try_from(order).ok()?);
    for g in generators {
        (0..order).for_each(|at| joined.join(stored(at), stored(g(at))));
    }
    Some(Classes::new(&mut joined).orbits())
}

/// The class of every channel under the same group, in the order of [`Csr::targets`]; `None` if a link is not kept.
pub fn channel_classes(csr: &Csr, generators: &[Automorphism]) -> Option<Vec<u32>> {
    let moved = |g: &Automorphism| {
        let images = nodes(csr).map(|at| (at, stored(g(at.into()))));
        Generator { moved: images.filter(|(from, to)| from != to).collect() }
    };
    let generators: Vec<Generator> = generators.iter().map(moved).collect();
    classes_of_links(csr, &generators).map(|(channels, _)| channels.of)
}

fn stored(node: u64) -> u32 {
    u32::try_from(node).expect("at most 2^26 nodes, or a stored network")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Node;
    use std::sync::Arc;

    fn ring(n: u32) -> Csr {
        let links: Vec<_> = (0..n).map(|i| (i, (i + 1) % n)).collect();
        Csr::from_links(n.into(), &links, 1 << 20).unwrap()
    }

    #[test]
    fn a_turn_by_two_of_a_ring() {
        let turn: Automorphism = Arc::new(|i| (i + 2) % 6);
        let flip: Automorphism = Arc::new(|i| 5 - i);
        let csr = ring(6);
        let orbits = orbits_of(6, std::slice::from_ref(&turn)).unwrap();
        let class = |node| Orbit { node: Node(node), size: 3 };
        assert_eq!(orbits, [class(0), class(1)]);
        let classes = |all: &[Automorphism]| channel_classes(&csr, all).unwrap().into_iter().max();
        assert_eq!(classes(std::slice::from_ref(&turn)), Some(3));
        // Turns by two and this reflection never carry the link 0-1 to 1-2.
        assert_eq!(classes(&[turn.clone(), flip.clone()]), Some(1));
        let swap: Automorphism = Arc::new(|i| if i < 2 { 1 - i } else { i });
        assert_eq!(channel_classes(&csr, &[swap]), None);
        assert_eq!(orbits_of(6, &[turn, flip]).unwrap().len(), 1);
        assert!(orbits_of(6, &[]).is_none());
    }
}
