//! Complete binary trees.

use nestnet_draw::{Plan, Point};
use nestnet_graph::theory::{Bounded, Degrees, Theory};
use nestnet_graph::{Network, Node, Orbit, Port};
use nestnet_routing::{Header, Hop, Router, Vc};
use num_bigint::BigUint;
use num_traits::One;

/// Levels 1 to `h`, numbered level by level: the children of i are 2i+1 and 2i+2. Port 0 leads to the parent.
#[derive(Clone, Debug)]
pub struct Tree {
    h: u64,
}

const PARENT: Port = Port(0);

impl Tree {
    /// At least one level; the network exists up to 63.
    pub fn new(h: u64) -> Self {
        Tree { h }
    }

    /// The root on top and the leaves in a row, or the root in the middle where that row would be long.
    pub(super) fn plan(&self) -> Plan {
        const LONG: u64 = 6;
        let order = if self.h < 64 { (1 << self.h) - 1 } else { u64::MAX };
        let place = |at: u64| {
            let depth = Tree::depth(Node(at));
            let across = (at + 1 - (1 << depth)) as f64 + 0.5;
            let across = across / f64::from(1 << depth);
            if self.h > LONG {
                // Each ring has room for twice the nodes of the one before.
                return Point::on_circle(across, f64::from(depth) * (0.7 + 0.3 * f64::from(depth)));
            }
            let width = f64::from(1 << (self.h - 1));
            Point::new(across * width, f64::from(depth) * (0.8 + 0.09 * width))
        };
        Plan::given(order, || (0..order).map(place).collect())
    }

    /// How many levels are above a node.
    fn depth(at: Node) -> u32 {
        (at.0 + 1).ilog2()
    }
}

impl Network for Tree {
    fn order(&self) -> u64 {
        (1 << self.h) - 1
    }

    fn ports(&self) -> u32 {
        if self.h == 1 { 0 } else { 3 }
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        if port == PARENT {
            return Some(Node(at.0.checked_sub(1)? / 2));
        }
        let has_children = at.0 < Network::order(self) / 2;
        has_children.then(|| Node(2 * at.0 + u64::from(port.0)))
    }

    /// All nodes of a level are alike.
    fn orbits(&self) -> Option<Vec<Orbit>> {
        let level = |depth: u64| Orbit { node: Node((1u64 << depth) - 1), size: 1u64 << depth };
        Some((0..self.h).map(level).collect())
    }

    /// Up to the last common ancestor and down.
    fn distance(&self, from: Node, to: Node) -> Option<u64> {
        let (a, b) = (Tree::depth(from), Tree::depth(to));
        let least = a.min(b);
        let apart = (from.0 + 1) >> (a - least) ^ (to.0 + 1) >> (b - least);
        let up = u64::BITS - apart.leading_zeros();
        Some(u64::from(a - least + (b - least) + 2 * up))
    }
}

/// The only way: up until the target is below, then down.
impl Router for Tree {
    fn vcs(&self) -> u16 {
        1
    }

    fn longest(&self) -> u64 {
        2 * (self.h - 1)
    }

    fn next(&self, at: Node, header: Header) -> Option<Hop> {
        let (here, there) = (at.0 + 1, header.to.0 + 1);
        if here == there {
            return None;
        }
        let below = Tree::depth(header.to).checked_sub(Tree::depth(at)).filter(|&below| below > 0);
        let port = match below.filter(|&below| there >> below == here) {
            Some(below) if there >> (below - 1) & 1 == 0 => Port(1),
            Some(_) => Port(2),
            None => PARENT,
        };
        Some(Hop { port, vc: Vc(0), header })
    }
}

impl Theory for Tree {
    fn order(&self) -> BigUint {
        (BigUint::one() << self.h) - 1u8
    }

    /// The root, the leaves, and those between.
    fn degrees(&self) -> Degrees {
        if self.h == 1 {
            return Degrees::counted([(0, BigUint::one())]);
        }
        let leaves = BigUint::one() << (self.h - 1);
        let between = (self.h > 2).then(|| (3, &leaves - 2u8));
        Degrees::counted([(2, BigUint::one()), (1, leaves)].into_iter().chain(between))
    }

    /// From leaf to leaf through the root.
    fn diameter(&self) -> Option<Bounded> {
        Some(Bounded::theorem(2 * (self.h - 1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nestnet_graph::measure::search::distances_from;

    #[test]
    fn small_trees_are_trees() {
        for h in 1..=6 {
            let tree = Tree::new(h);
            let order = Network::order(&tree);
            let mut longest = 0;
            let mut ends = 0;
            for from in (0..order).map(Node) {
                tree.for_each_neighbor(from, &mut |_, _| ends += 1);
                for (to, far) in (0..).map(Node).zip(distances_from(&tree, from)) {
                    assert_eq!(tree.distance(from, to), Some(far.into()), "h = {h}");
                    longest = longest.max(u64::from(far));
                }
            }
            assert_eq!((ends, longest), (2 * (order - 1), 2 * (h - 1)), "h = {h}");
            assert_eq!(tree.degrees().links, BigUint::from(order - 1), "h = {h}");
        }
    }
}
