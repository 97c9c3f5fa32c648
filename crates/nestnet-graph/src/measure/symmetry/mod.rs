//! Which nodes and links look alike? Orbits, and the order of the automorphism group.

mod partition;
mod search;

use super::{Interrupted, Watch, count, id, nodes};
use crate::union_find::UnionFind;
use crate::{Csr, Node, Orbit};
use num_bigint::BigUint;

/// A permutation of the nodes that keeps all links, as what it moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generator {
    /// Every node that is moved, and where to.
    pub moved: Vec<(u32, u32)>,
}

impl Generator {
    /// Where every node of `order` goes.
    pub fn images(&self, order: usize) -> Vec<u32> {
        let mut images: Vec<u32> = (0..order).map(id).collect();
        for &(from, to) in &self.moved {
            images[from as usize] = to;
        }
        images
    }
}

/// The symmetry of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Symmetry {
    /// Automorphisms of which all others are products.
    pub generators: Vec<Generator>,
    /// How many automorphisms there are.
    pub automorphisms: BigUint,
    /// Classes of nodes.
    pub nodes: Classes,
    /// Classes of channels (links with a direction), in the order of [`Csr::targets`].
    pub channels: Classes,
    /// How many classes of links there are.
    pub edge_orbits: u64,
}

impl Symmetry {
    /// Whether all nodes are alike.
    pub fn vertex_transitive(&self) -> bool {
        self.nodes.count <= 1
    }

    /// Whether all links are alike.
    pub fn edge_transitive(&self) -> bool {
        self.edge_orbits <= 1
    }

    /// One node of each class.
    pub fn orbits(&self) -> Vec<Orbit> {
        self.nodes.orbits()
    }
}

/// A partition into classes, numbered by their lowest members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Classes {
    /// The class of each.
    pub of: Vec<u32>,
    /// How many there are.
    pub count: u64,
}

impl Classes {
    pub(crate) fn new(joined: &mut UnionFind) -> Self {
        let mut of = vec![u32::MAX; joined.members()];
        let mut count = 0;
        for index in 0..of.len() {
            let root = joined.find(id(index)) as usize;
            if of[root] == u32::MAX {
                of[root] = count;
                count += 1;
            }
            of[index] = of[root];
        }
        Classes { of, count: count.into() }
    }

    /// The lowest of each class, as nodes, and how many it has.
    pub fn orbits(&self) -> Vec<Orbit> {
        let mut orbits: Vec<Orbit> = Vec::new();
        for (node, &class) in (0..).zip(&self.of) {
            match orbits.get_mut(class as usize) {
                Some(orbit) => orbit.size += 1,
                None => orbits.push(Orbit { node: Node(node), size: 1 }),
            }
        }
        orbits
    }
}

/// The whole automorphism group, its orbits on nodes, channels and links.
///
/// Exact: every generator is checked on the links, and that there are no others is shown by a search of all
/// possibilities. About links · log(nodes) steps for each generator that moves everything; exponential at worst, on
/// graphs made for the purpose.
///
/// ```
/// use nestnet_graph::Csr;
/// use nestnet_graph::Watch;
/// use nestnet_graph::measure::symmetry::symmetry;
///
/// let ring = Csr::from_links(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)], 1 << 20)?;
/// let found = symmetry(&ring, &Watch::SILENT)?;
/// assert_eq!((found.automorphisms, found.edge_orbits), (10u32.into(), 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn symmetry(csr: &Csr, watch: &Watch<'_>) -> Result<Symmetry, Interrupted> {
    let group = search::group(csr, watch)?;
    let mut alike = UnionFind::new(count(csr));
    for generator in &group.generators {
        generator.moved.iter().for_each(|&(from, to)| alike.join(from, to));
    }
    let mut links = Links::new(csr);
    // Those that were found last move most.
    for generator in group.generators.iter().rev() {
        if links.channels.classes() <= 1 {
            break;
        }
        links.join(generator).expect("every generator was checked");
    }
    let (channels, edge_orbits) = links.classes();
    Ok(Symmetry {
        automorphisms: group.order,
        nodes: Classes::new(&mut alike),
        channels,
        edge_orbits,
        generators: group.generators,
    })
}

/// The classes of nodes that generators join: each gives the image of every node, a permutation of `0..order`.
pub fn orbits_of_generators(order: usize, generators: &[Vec<u32>]) -> Classes {
    let mut joined = UnionFind::new(order);
    for images in generators {
        for (from, &to) in images.iter().enumerate() {
            joined.join(id(from), to);
        }
    }
    Classes::new(&mut joined)
}

/// The classes of channels that automorphisms join, and the number of classes of links.
/// `None` if one of the generators does not keep the links.
pub fn classes_of_links(csr: &Csr, generators: &[Generator]) -> Option<(Classes, u64)> {
    let mut links = Links::new(csr);
    generators.iter().try_for_each(|generator| links.join(generator))?;
    Some(links.classes())
}

/// Channels that automorphisms have joined so far.
struct Links<'a> {
    csr: &'a Csr,
    channels: UnionFind,
    /// The identity between generators.
    image: Vec<u32>,
    /// For each node, one whose neighbor it is, and at which channel of it.
    met: Vec<(u32, u32)>,
}

impl<'a> Links<'a> {
    fn new(csr: &'a Csr) -> Self {
        let mut channels = UnionFind::new(csr.targets().len());
        // The cables of a link are alike.
        let mut at = 0;
        for v in nodes(csr).filter(|_| csr.has_trunks()) {
            for pair in csr.neighbors(v).windows(2).zip(at..).filter(|(pair, _)| pair[0] == pair[1])
            {
                channels.join(pair.1, pair.1 + 1);
            }
            at += id(csr.neighbors(v).len());
        }
        Links { csr, channels, image: nodes(csr).collect(), met: vec![(u32::MAX, 0); count(csr)] }
    }

    /// The first channel of a node.
    fn first(&self, v: u32) -> usize {
        usize::try_from(self.csr.offsets()[v as usize]).expect("it is stored")
    }

    fn channel(&self, from: u32, to: u32) -> Option<u32> {
        let rank = self.csr.neighbors(from).binary_search(&to).ok()?;
        Some(id(self.first(from) + rank))
    }

    /// Joins every channel with its image; `None` if the generator does not keep the links.
    fn join(&mut self, generator: &Generator) -> Option<()> {
        let csr = self.csr;
        for &(from, to) in &generator.moved {
            self.image[from as usize] = to;
        }
        for &(from, to) in &generator.moved {
            for (at, &end) in (self.first(to)..).zip(csr.neighbors(to)) {
                self.met[end as usize] = (to, id(at));
            }
            for (at, &end) in (self.first(from)..).zip(csr.neighbors(from)) {
                let other = self.image[end as usize];
                let (owner, there) = self.met[other as usize];
                if owner != to {
                    return None;
                }
                self.channels.join(id(at), there);
                // The opposite channel, if its beginning stays and it is not met from there.
                if other == end {
                    let (away, back) = (self.channel(end, from)?, self.channel(end, to)?);
                    self.channels.join(away, back);
                }
            }
        }
        for &(from, _) in &generator.moved {
            self.image[from as usize] = from;
        }
        Some(())
    }

    /// The classes of channels, and the number of classes of links: a class of channels and that of their opposites
    /// are one. Seen from nodes in ascending order, the opposites of the channels to larger nodes come in the order
    /// in which they are stored.
    fn classes(mut self) -> (Classes, u64) {
        let channels = Classes::new(&mut self.channels);
        let mut links = UnionFind::new(usize::try_from(channels.count).expect("it is stored"));
        let mut opposite: Vec<usize> = nodes(self.csr).map(|v| self.first(v)).collect();
        for from in nodes(self.csr) {
            let larger = |&(_, to): &(usize, &u32)| *to > from;
            for (at, &to) in (self.first(from)..).zip(self.csr.neighbors(from)).filter(larger) {
                links.join(channels.of[at], channels.of[opposite[to as usize]]);
                opposite[to as usize] += 1;
            }
        }
        (channels, Classes::new(&mut links).count)
    }
}

/// Whether a permutation keeps all links. `images` may be anything.
pub fn is_automorphism(csr: &Csr, images: &[u32]) -> bool {
    let n = count(csr);
    let mut hit = vec![false; n];
    let fresh =
        |&to: &u32| hit.get_mut(to as usize).is_some_and(|hit| !std::mem::replace(hit, true));
    if images.len() != n || !images.iter().all(fresh) {
        return false;
    }
    nodes(csr).all(|from| {
        let there = csr.neighbors(images[from as usize]);
        if csr.has_trunks() {
            let mut moved: Vec<u32> =
                csr.neighbors(from).iter().map(|&to| images[to as usize]).collect();
            moved.sort_unstable();
            return moved == there;
        }
        let kept = |&to: &u32| there.binary_search(&images[to as usize]).is_ok();
        there.len() == csr.neighbors(from).len() && csr.neighbors(from).iter().all(kept)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::*;
    use proptest::prelude::*;

    fn of(csr: &Csr) -> Symmetry {
        symmetry(csr, &Watch::SILENT).unwrap()
    }

    /// The reference: all permutations.
    fn by_all_permutations(csr: &Csr) -> (u64, u64, u64) {
        fn extend(csr: &Csr, images: &mut Vec<u32>, all: &mut Vec<Vec<u32>>) {
            let n = count(csr);
            if images.len() == n {
                all.push(images.clone());
                return;
            }
            let at = id(images.len());
            for to in (0..n).map(id).filter(|to| !images.contains(to)).collect::<Vec<_>>() {
                let linked =
                    |a: u32, b: u32| csr.neighbors(a).iter().filter(|&&to| to == b).count();
                if (0..at).all(|v| linked(v, at) == linked(images[v as usize], to)) {
                    images.push(to);
                    extend(csr, images, all);
                    images.pop();
                }
            }
        }
        let mut all = Vec::new();
        extend(csr, &mut Vec::new(), &mut all);
        let mut links: Vec<(u32, u32)> = nodes(csr)
            .flat_map(|a| csr.neighbors(a).iter().map(move |&b| (a, b)))
            .filter(|(a, b)| a < b)
            .collect();
        links.dedup();
        let mut classes = 0;
        while let Some(&(a, b)) = links.first() {
            classes += 1;
            for images in &all {
                let (x, y) = (images[a as usize], images[b as usize]);
                links.retain(|&link| link != (x.min(y), x.max(y)));
            }
        }
        let orbits = orbits_of_generators(count(csr), &all).count;
        (all.len() as u64, orbits, classes)
    }

    #[test]
    fn known_groups() {
        for (csr, order, orbits, links) in [
            (path(1), 1u64, 1, 0),
            (path(4), 2, 2, 2),
            (ring(7), 14, 1, 1),
            (petersen(), 120, 1, 1),
            (complete(6), 720, 1, 1),
            (cube(4), 384, 1, 1),
            (torus(4, 5), 8 * 10, 1, 2),
            (torus(5, 5), 200, 1, 1),
            (torus(4, 4), 384, 1, 1),
            (two_cliques(4, 1), 72, 2, 2),
            (graph(5, &[]), 120, 1, 0),
            (graph(6, &[(0, 1), (2, 3), (4, 5)]), 48, 1, 1),
        ] {
            let answer = of(&csr);
            assert_eq!(answer.automorphisms, order.into(), "{csr:?}");
            assert_eq!((answer.nodes.count, answer.edge_orbits), (orbits, links), "{csr:?}");
        }
        // The large factorial of a star, whose leaves are all alike.
        let star = graph(26, &(1..26).map(|leaf| (0, leaf)).collect::<Vec<_>>());
        let factorial: BigUint = (1..=25u64).map(BigUint::from).product();
        assert_eq!(of(&star).automorphisms, factorial);
        assert!(of(&cube(3)).vertex_transitive() && of(&cube(3)).edge_transitive());
    }

    #[test]
    fn classes_of_channels() {
        // Along a path of three the way out and the way in differ, and both are one class of links.
        let answer = of(&path(3));
        assert_eq!(answer.channels.of, [0, 1, 1, 0]);
        assert_eq!(answer.edge_orbits, 1);
        let orbits = answer.orbits();
        let expected = [Orbit { node: Node(0), size: 2 }, Orbit { node: Node(1), size: 1 }];
        assert_eq!(orbits, expected);
    }

    #[test]
    fn judges_permutations() {
        let csr = ring(4);
        assert!(is_automorphism(&csr, &[1, 2, 3, 0]));
        assert!(!is_automorphism(&csr, &[1, 0, 2, 3]));
        assert!(!is_automorphism(&csr, &[1, 1, 2, 3]));
        assert!(!is_automorphism(&csr, &[1, 2, 3, 9]));
        assert!(!is_automorphism(&csr, &[0, 1]));
        assert_eq!(orbits_of_generators(4, &[vec![2, 1, 0, 3]]).of, [0, 1, 0, 2]);
    }

    #[test]
    fn stops_on_request() {
        let watch = Watch { stop: &|| true, ..Watch::SILENT };
        assert_eq!(symmetry(&cube(3), &watch), Err(Interrupted));
    }

    proptest! {
        #![proptest_config(nestnet_seed::config())]

        #[test]
        fn equals_its_reference(csr in any_multigraph(7)) {
            let answer = of(&csr);
            let (order, orbits, links) = by_all_permutations(&csr);
            prop_assert_eq!(answer.automorphisms, order.into());
            prop_assert_eq!((answer.nodes.count, answer.edge_orbits), (orbits, links));
            for generator in &answer.generators {
                prop_assert!(is_automorphism(&csr, &generator.images(count(&csr))));
            }
        }

        /// Regular graphs, where refinement alone tells nothing: rings with chords.
        #[test]
        fn equals_its_reference_on_circulants(n in 5u32..10, chords in 0u32..16, broken in 0u32..3) {
            let chord = |a: u32, b: u32| chords >> ((b - a).min(n + a - b)) & 1 == 1;
            let csr = by_rule(n, |a, b| chord(a, b) != (a + b < broken));
            let answer = of(&csr);
            let (order, orbits, links) = by_all_permutations(&csr);
            prop_assert_eq!(answer.automorphisms, order.into());
            prop_assert_eq!((answer.nodes.count, answer.edge_orbits), (orbits, links));
        }

        /// Renumbering changes nothing.
        #[test]
        fn numbers_do_not_matter(csr in any_multigraph(20), shift in 1u32..19) {
            let n = id(count(&csr));
            let moved = |v: u32| (v + shift) % n;
            let edges = nodes(&csr).flat_map(|a| csr.neighbors(a).iter().map(move |&b| (moved(a), moved(b))));
            let edges: Vec<_> = edges.collect();
            let renumbered = Csr::from_edges(n.into(), &edges, 1 << 30).unwrap();
            let (one, other) = (of(&csr), of(&renumbered));
            prop_assert_eq!(one.automorphisms, other.automorphisms);
            prop_assert_eq!(one.nodes.count, other.nodes.count);
            prop_assert_eq!(one.edge_orbits, other.edge_orbits);
        }
    }
}
