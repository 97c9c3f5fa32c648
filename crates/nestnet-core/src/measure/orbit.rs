//! Which nodes and channels look alike, by the automorphisms that a network declares?

use super::{count, id, nodes};
use crate::network::Automorphism;
use crate::{Csr, Network, Node, Orbit};

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
    let mut sets = Sets::new(usize::try_from(order).ok()?);
    for g in generators {
        for at in 0..order {
            sets.join(index(at), index(g(at)));
        }
    }
    let mut orbits = Vec::new();
    let mut sizes = vec![0u64; index(order)];
    (0..index(order)).for_each(|at| sizes[sets.find(at) as usize] += 1);
    for (node, &size) in (0..).zip(&sizes).filter(|(_, size)| **size > 0) {
        orbits.push(Orbit { node: Node(node), size });
    }
    Some(orbits)
}

/// The class of every channel under the same group, in the order of [`Csr::targets`].
pub fn channel_classes(csr: &Csr, generators: &[Automorphism]) -> Vec<u32> {
    let mut sets = Sets::new(csr.targets().len());
    for g in generators {
        let image = |at: u32| u32::try_from(g(at.into())).expect("a node of this network");
        for at in nodes(csr) {
            let first = index(csr.offsets()[at as usize]);
            let there = image(at);
            let first_there = index(csr.offsets()[there as usize]);
            for (place, &to) in csr.neighbors(at).iter().enumerate() {
                let found = csr.neighbors(there).binary_search(&image(to));
                let found = found.expect("an automorphism keeps links");
                sets.join(first + place, first_there + found);
            }
        }
    }
    // Classes numbered in the order in which they first occur.
    let mut number = vec![u32::MAX; csr.targets().len()];
    let mut classes = 0;
    (0..csr.targets().len())
        .map(|channel| {
            let class = &mut number[sets.find(channel) as usize];
            if *class == u32::MAX {
                *class = classes;
                classes += 1;
            }
            *class
        })
        .collect()
}

/// How many classes of links there are: a class of channels and that of their other directions are one.
pub fn link_classes(csr: &Csr, channels: &[u32]) -> usize {
    let classes = channels.iter().max().map_or(0, |&most| most as usize + 1);
    let mut sets = Sets::new(classes);
    for at in nodes(csr) {
        let first = index(csr.offsets()[at as usize]);
        for (place, &to) in csr.neighbors(at).iter().enumerate() {
            let back = csr.neighbors(to).binary_search(&at).expect("links are symmetric");
            let back = index(csr.offsets()[to as usize]) + back;
            sets.join(channels[first + place] as usize, channels[back] as usize);
        }
    }
    (0..classes).filter(|&class| sets.find(class) as usize == class).count()
}

fn index(value: u64) -> usize {
    usize::try_from(value).expect("it is in memory")
}

/// Disjoint sets of `0..n`, each named by its least member.
struct Sets {
    parent: Vec<u32>,
}

impl Sets {
    fn new(n: usize) -> Self {
        Sets { parent: (0..n).map(id).collect() }
    }

    fn find(&mut self, of: usize) -> u32 {
        let mut at = of;
        // Halve the path on the way.
        while self.parent[at] as usize != at {
            let up = self.parent[at] as usize;
            self.parent[at] = self.parent[up];
            at = self.parent[at] as usize;
        }
        id(at)
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.parent[a.max(b) as usize] = a.min(b);
    }
}

/// Whether a renaming keeps every link: the judge of what networks declare.
pub fn keeps_links(csr: &Csr, g: &Automorphism) -> bool {
    let order = count(csr) as u64;
    nodes(csr).all(|at| {
        let there = g(at.into());
        there < order && {
            let there = u32::try_from(there).expect("a stored node");
            let mut moved: Vec<u64> = csr.neighbors(at).iter().map(|&to| g(to.into())).collect();
            moved.sort_unstable();
            moved.iter().copied().eq(csr.neighbors(there).iter().map(|&to| u64::from(to)))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn ring(n: u32) -> Csr {
        let links: Vec<_> = (0..n).map(|i| (i, (i + 1) % n)).collect();
        Csr::from_links(n.into(), &links, 1 << 20).unwrap()
    }

    #[test]
    fn a_turn_by_two_of_a_ring() {
        let turn: Automorphism = Arc::new(|i| (i + 2) % 6);
        let csr = ring(6);
        assert!(keeps_links(&csr, &turn));
        let orbits = orbits_of(6, std::slice::from_ref(&turn)).unwrap();
        let class = |node| Orbit { node: Node(node), size: 3 };
        assert_eq!(orbits, [class(0), class(1)]);
        let channels = channel_classes(&csr, std::slice::from_ref(&turn));
        assert_eq!(channels.iter().max(), Some(&3));
        assert_eq!(link_classes(&csr, &channels), 2);
        let flip: Automorphism = Arc::new(|i| 5 - i);
        let both = [turn, flip];
        assert_eq!(orbits_of(6, &both).unwrap().len(), 1);
        // Turns by two and this reflection never carry the link 0-1 to 1-2.
        assert_eq!(link_classes(&csr, &channel_classes(&csr, &both)), 2);
    }

    #[test]
    fn what_breaks_links_is_no_automorphism() {
        let swap: Automorphism = Arc::new(|i| if i < 2 { 1 - i } else { i });
        assert!(!keeps_links(&ring(6), &swap));
        assert!(orbits_of(6, &[]).is_none());
    }
}
