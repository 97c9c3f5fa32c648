//! The star product: a copy of a supernode for every node of a structure, and copies joined by a bijection of their nodes.
//!
//! Nodes are pairs (x, a) of a node of the structure and one of the supernode. Inside a copy (x, a) ~ (x, b) where a ~ b;
//! along a link of the structure, (x, a) ~ (y, f(a)) for every a, where x < y. At a node x with a loop (x, a) ~ (x, f(a))
//! for every a that f moves; a link that is there already counts once. With the identity it is the Cartesian product.

use crate::network::{Automorphism, MAX_ORDER};
use crate::product::{join_orbits, on_digit};
use crate::{Address, Network, Node, Orbit, Port};
use std::sync::Arc;

/// A bijection of the nodes of a supernode.
#[derive(Clone, Debug)]
pub enum Bijection {
    /// Every node is its own image.
    Identity,
    /// The last node is the image of the first.
    Reverse,
    /// The next node, and the first after the last.
    Rotate,
    /// Given one by one.
    Table(Table),
}

/// A bijection that is written out, with its inverse.
#[derive(Clone, Debug)]
pub struct Table {
    images: Arc<[u32]>,
    origins: Arc<[u32]>,
}

impl Bijection {
    /// With these images; `None` where two nodes have the same, or one is no node.
    pub fn given(images: Vec<u32>) -> Option<Self> {
        let mut origins = vec![u32::MAX; images.len()];
        for (node, &image) in (0..).zip(&images) {
            let origin = origins.get_mut(image as usize).filter(|origin| **origin == u32::MAX)?;
            *origin = node;
        }
        Some(Bijection::Table(Table { images: images.into(), origins: origins.into() }))
    }

    /// The image of a node, among `order` nodes.
    fn image(&self, a: u64, order: u64) -> u64 {
        match self {
            Bijection::Identity => a,
            Bijection::Reverse => order - 1 - a,
            Bijection::Rotate => (a + 1) % order,
            Bijection::Table(table) => listed(&table.images, a),
        }
    }

    /// The node whose image it is.
    fn origin(&self, a: u64, order: u64) -> u64 {
        match self {
            Bijection::Identity | Bijection::Reverse => self.image(a, order),
            Bijection::Rotate => (a + order - 1) % order,
            Bijection::Table(table) => listed(&table.origins, a),
        }
    }

    /// Whether it is its own inverse among `order` nodes, so that no link has a direction.
    fn is_involution(&self, order: u64) -> bool {
        match self {
            Bijection::Identity | Bijection::Reverse => true,
            Bijection::Rotate => order <= 2,
            Bijection::Table(table) => table.images == table.origins,
        }
    }
}

fn listed(list: &[u32], a: u64) -> u64 {
    list[usize::try_from(a).expect("a node of a stored supernode")].into()
}

/// Which nodes of the structure carry a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loops {
    /// None.
    None,
    /// Those that have fewer links than the structure has ports.
    AtEmptyPorts,
}

/// A star product. Its ids are x·n + a, n the order of the supernode; ports of the supernode come first, then those of the
/// structure, then those of a loop: to the image and to the origin.
#[derive(Debug)]
pub struct StarProduct {
    structure: Arc<dyn Network>,
    supernode: Arc<dyn Network>,
    bijection: Bijection,
    loops: Loops,
    side: u64,
    ports: u32,
}

impl StarProduct {
    /// `None` where it has more than 2^63 nodes, or its ports do not fit.
    pub fn new(
        structure: Arc<dyn Network>,
        supernode: Arc<dyn Network>,
        bijection: Bijection,
        loops: Loops,
    ) -> Option<Self> {
        let side = supernode.order();
        structure.order().checked_mul(side).filter(|&order| order <= MAX_ORDER)?;
        let more = match loops {
            Loops::None => 0,
            Loops::AtEmptyPorts if bijection.is_involution(side) => 1,
            Loops::AtEmptyPorts => 2,
        };
        let ports = supernode.ports().checked_add(structure.ports())?.checked_add(more)?;
        Some(StarProduct { structure, supernode, bijection, loops, side, ports })
    }

    fn split(&self, at: Node) -> (u64, u64) {
        (at.0 / self.side, at.0 % self.side)
    }

    /// Where the link from x to y of the structure leads from (x, a).
    fn across(&self, x: u64, y: u64, a: u64) -> Node {
        let b = if x < y {
            self.bijection.image(a, self.side)
        } else {
            self.bijection.origin(a, self.side)
        };
        Node(y * self.side + b)
    }

    /// The two ends of loop links at (x, a), where x has a loop; none where there is no link, or there is one already.
    fn loop_ends(&self, x: u64, a: u64) -> [Option<Node>; 2] {
        let (image, origin) =
            (self.bijection.image(a, self.side), self.bijection.origin(a, self.side));
        let mut ends = [Some(image), Some(origin).filter(|_| origin != image)];
        let mut drop = |known: u64| {
            for end in &mut ends {
                *end = end.filter(|&end| end != known);
            }
        };
        drop(a);
        self.supernode.for_each_neighbor(Node(a), &mut |_, b| drop(b.0));
        ends.map(|end| end.map(|b| Node(x * self.side + b)))
    }

    fn has_loop(&self, links: u32) -> bool {
        self.loops == Loops::AtEmptyPorts && links < self.structure.ports()
    }
}

impl Network for StarProduct {
    fn order(&self) -> u64 {
        self.structure.order() * self.side
    }

    fn ports(&self) -> u32 {
        self.ports
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        let (x, a) = self.split(at);
        let Some(outer) = port.0.checked_sub(self.supernode.ports()) else {
            let b = self.supernode.neighbor(Node(a), port)?;
            return Some(Node(x * self.side + b.0));
        };
        let Some(of_loop) = outer.checked_sub(self.structure.ports()) else {
            let y = self.structure.neighbor(Node(x), Port(outer))?;
            return Some(self.across(x, y.0, a));
        };
        let mut links = 0;
        self.structure.for_each_neighbor(Node(x), &mut |_, _| links += 1);
        let ends = self.has_loop(links).then(|| self.loop_ends(x, a))?;
        ends.get(of_loop as usize).copied().flatten()
    }

    fn for_each_neighbor(&self, at: Node, visit: &mut dyn FnMut(Port, Node)) {
        let (x, a) = self.split(at);
        self.supernode.for_each_neighbor(Node(a), &mut |port, b| {
            visit(port, Node(x * self.side + b.0));
        });
        let (first, mut links) = (self.supernode.ports(), 0);
        self.structure.for_each_neighbor(Node(x), &mut |port, y| {
            links += 1;
            visit(Port(first + port.0), self.across(x, y.0, a));
        });
        if self.has_loop(links) {
            let ports = (first + self.structure.ports()..).map(Port);
            let ends = ports.zip(self.loop_ends(x, a));
            ends.filter_map(|(port, end)| Some((port, end?))).for_each(|(p, end)| visit(p, end));
        }
    }

    fn address(&self, at: Node) -> Address {
        let (x, a) = self.split(at);
        Address::Tuple(vec![self.structure.address(Node(x)), self.supernode.address(Node(a))])
    }

    fn node(&self, address: &Address) -> Option<Node> {
        let [x, a] = address.as_tuple()? else { return None };
        let (x, a) = (self.structure.node(x)?, self.supernode.node(a)?);
        Some(Node(x.0 * self.side + a.0))
    }

    /// Those of the supernode are innermost, and those of a loop stay in their copy.
    fn level(&self, at: Node, port: Port) -> u16 {
        let (x, a) = self.split(at);
        match port.0.checked_sub(self.supernode.ports()) {
            None => self.supernode.level(Node(a), port),
            Some(outer) if outer < self.structure.ports() => {
                self.supernode.levels() + self.structure.level(Node(x), Port(outer))
            }
            Some(_) => 0,
        }
    }

    fn levels(&self) -> u16 {
        self.supernode.levels().saturating_add(self.structure.levels())
    }

    /// Where links have no direction, renaming the nodes of the structure changes no link. It keeps degrees, hence loops.
    fn automorphisms(&self) -> Vec<Automorphism> {
        if !self.bijection.is_involution(self.side) {
            return Vec::new();
        }
        let side = self.side;
        let renamed = |g: Automorphism| on_digit(g, side, u64::MAX);
        let mut all: Vec<_> = self.structure.automorphisms().into_iter().map(renamed).collect();
        // The identity commutes with everything.
        if matches!(self.bijection, Bijection::Identity) && self.loops == Loops::None {
            let inside = self.supernode.automorphisms().into_iter();
            all.extend(inside.map(|g| on_digit(g, 1, side)));
        }
        all
    }

    /// As for [`automorphisms`](Network::automorphisms): each node of the supernode is a class of its own.
    fn orbits(&self) -> Option<Vec<Orbit>> {
        if !self.bijection.is_involution(self.side) {
            return None;
        }
        /// More are no help to anyone.
        const MAX_SIDE: u64 = 1 << 12;
        let of_copy = 0..Some(self.side).filter(|&side| side <= MAX_SIDE)?;
        let of_copy: Vec<Orbit> = of_copy.map(|a| Orbit { node: Node(a), size: 1 }).collect();
        let structure = self.structure.orbits()?;
        join_orbits(&structure, &of_copy, |x, a| Node(x.0 * self.side + a.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Csr;
    use crate::network::sorted_neighbors;
    use std::collections::BTreeSet;

    fn graph(order: u64, links: &[(u32, u32)]) -> Arc<dyn Network> {
        Arc::new(Csr::from_links(order, links, 1 << 20).unwrap())
    }

    /// The links by the definition, with loops at `loops`.
    fn by_definition(
        structure: &dyn Network,
        supernode: &dyn Network,
        f: &[u64],
        loops: &[u64],
    ) -> BTreeSet<(u64, u64)> {
        let n = supernode.order();
        let mut links = BTreeSet::new();
        let mut add = |one: u64, two: u64| {
            if one != two {
                links.insert((one.min(two), one.max(two)));
            }
        };
        for x in 0..structure.order() {
            for a in 0..n {
                for b in sorted_neighbors(supernode, Node(a)) {
                    add(x * n + a, x * n + b.0);
                }
                for y in sorted_neighbors(structure, Node(x)).into_iter().filter(|y| y.0 > x) {
                    add(x * n + a, y.0 * n + f[usize::try_from(a).unwrap()]);
                }
                if loops.contains(&x) {
                    add(x * n + a, x * n + f[usize::try_from(a).unwrap()]);
                }
            }
        }
        links
    }

    #[test]
    fn links_are_those_of_the_definition() {
        // A path has empty ports at its ends.
        let structure = graph(3, &[(0, 1), (1, 2)]);
        let supernodes =
            [graph(4, &[(0, 1), (1, 2), (2, 3)]), graph(4, &[(0, 1), (2, 3)]), graph(4, &[])];
        let bijections = [
            (Bijection::Identity, [0, 1, 2, 3]),
            (Bijection::Reverse, [3, 2, 1, 0]),
            (Bijection::Rotate, [1, 2, 3, 0]),
            (Bijection::given(vec![0, 2, 3, 1]).unwrap(), [0, 2, 3, 1]),
        ];
        for supernode in supernodes {
            for (bijection, f) in &bijections {
                for (loops, at) in [(Loops::None, vec![]), (Loops::AtEmptyPorts, vec![0, 2])] {
                    let product = StarProduct::new(
                        structure.clone(),
                        supernode.clone(),
                        bijection.clone(),
                        loops,
                    );
                    let product = product.unwrap();
                    let expected = by_definition(&*structure, &*supernode, f, &at);
                    let mut ours = BTreeSet::new();
                    for at in (0..product.order()).map(Node) {
                        let mut asked = Vec::new();
                        let ports = (0..product.ports()).map(Port);
                        asked.extend(ports.filter_map(|port| product.neighbor(at, port)));
                        let mut visited = Vec::new();
                        product.for_each_neighbor(at, &mut |_, to| visited.push(to));
                        assert_eq!(asked, visited, "{bijection:?} {loops:?} {at}");
                        ours.extend(asked.iter().map(|to| (at.0.min(to.0), at.0.max(to.0))));
                        assert_eq!(asked.iter().collect::<BTreeSet<_>>().len(), asked.len());
                    }
                    assert_eq!(ours, expected, "{bijection:?} {loops:?}");
                }
            }
        }
    }

    #[test]
    fn only_bijections_are_taken() {
        assert!(Bijection::given(vec![1, 1]).is_none());
        assert!(Bijection::given(vec![0, 2]).is_none());
        assert!(Bijection::given(Vec::new()).is_some());
    }
}
