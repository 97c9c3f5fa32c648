//! One dual-construction: its links, its distances and its routes from those of the base.

use nestnet_graph::bulk_neighbors::{Reach, Shifted, mark};
use nestnet_graph::network::Automorphism;
use nestnet_graph::network::mark_neighbors;
use nestnet_graph::product::join_orbits;
use nestnet_graph::{Address, Network, Node, Orbit, Port};
use nestnet_routing::route::{Leg, Lift};
use nestnet_routing::{Header, Hop};
use std::sync::Arc;

/// One dual-construction on a base.
#[derive(Debug)]
pub struct DualNet {
    base: Arc<dyn Network>,
    /// The order of the base.
    pub(super) n: u64,
    /// As much of 2^64 as a node of the base has: a product with it is quicker than a division by n.
    part: u64,
    pub(super) cross: Port,
}

impl DualNet {
    /// The base has at most 2^31 nodes.
    pub fn new(base: Arc<dyn Network>) -> Self {
        let n = base.order();
        DualNet { n, part: u64::MAX / n.max(1), cross: Port(base.ports()), base }
    }

    /// The order of the base, and the port of the cross link.
    pub(super) fn base_and_cross(&self) -> (u64, Port) {
        (self.n, self.cross)
    }

    /// (t, c, v) of a node.
    pub(super) fn split(&self, at: Node) -> (u64, u64, u64) {
        let half = self.n * self.n;
        let (t, rest) = if at.0 < half { (0, at.0) } else { (1, at.0 - half) };
        // Below 2^63 the product is at most one too small: ⌊(2^64 − 1)/n⌋ misses 2^64/n by less than 2.
        let c = u64::try_from((u128::from(rest) * u128::from(self.part)) >> 64).unwrap_or(0);
        let v = rest - c * self.n;
        if v < self.n { (t, c, v) } else { (t, c + 1, v - self.n) }
    }

    pub(super) fn join(&self, t: u64, c: u64, v: u64) -> Node {
        Node((t * self.n + c) * self.n + v)
    }

    /// The exchange of types, and automorphisms of the base on the nodes of type 0 and the clusters of type 1; the
    /// exchange gives the other half.
    fn lift_automorphisms(&self, base: Vec<Automorphism>) -> Vec<Automorphism> {
        let n = self.n;
        let mut all: Vec<Automorphism> = vec![Arc::new(move |id| (id + n * n) % (2 * n * n))];
        for g in base {
            all.push(Arc::new(move |id| {
                let (high, low) = (id / n, id % n);
                if high < n { high * n + g(low) } else { (n + g(high - n)) * n + low }
            }));
        }
        all
    }
}

impl Network for DualNet {
    fn order(&self) -> u64 {
        2 * self.n * self.n
    }

    fn ports(&self) -> u32 {
        self.cross.0 + 1
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        let (t, c, v) = self.split(at);
        if port == self.cross {
            return Some(self.join(1 - t, v, c));
        }
        self.base.neighbor(Node(v), port).map(|to| self.join(t, c, to.0))
    }

    fn for_each_neighbor(&self, at: Node, visit: &mut dyn FnMut(Port, Node)) {
        let (t, c, v) = self.split(at);
        let cluster = at.0 - v;
        self.base.for_each_neighbor(Node(v), &mut |port, to| visit(port, Node(cluster + to.0)));
        visit(self.cross, self.join(1 - t, v, c));
    }

    fn reach(&self) -> Option<&dyn Reach> {
        Some(self)
    }

    fn address(&self, at: Node) -> Address {
        let (t, c, v) = self.split(at);
        let part = |id| self.base.address(Node(id));
        Address::Tuple(vec![Address::number(t), part(c), part(v)])
    }

    fn put_address(&self, at: Node, out: &mut Vec<u8>) {
        let (t, c, v) = self.split(at);
        out.extend_from_slice(if t == 0 { b"(0," } else { b"(1," });
        self.base.put_address(Node(c), out);
        out.push(b',');
        self.base.put_address(Node(v), out);
        out.push(b')');
    }

    fn node(&self, address: &Address) -> Option<Node> {
        let [t, c, v] = address.as_tuple()? else { return None };
        let t = t.as_number().filter(|&t| t < 2)?;
        Some(self.join(t, self.base.node(c)?.0, self.base.node(v)?.0))
    }

    fn level(&self, at: Node, port: Port) -> u16 {
        if port == self.cross {
            return self.base.levels();
        }
        let (_, _, v) = self.split(at);
        self.base.level(Node(v), port)
    }

    fn levels(&self) -> u16 {
        self.base.levels() + 1
    }

    fn automorphisms(&self) -> Vec<Automorphism> {
        self.lift_automorphisms(self.base.automorphisms())
    }

    /// Automorphisms g, h of the base give (0,c,v) → (0,gc,hv), (1,c,v) → (1,hc,gv); types may be exchanged.
    fn orbits(&self) -> Option<Vec<Orbit>> {
        let base = self.base.orbits()?;
        let pairs = join_orbits(&base, &base, |c, v| self.join(0, c.0, v.0))?;
        Some(pairs.into_iter().map(|orbit| Orbit { size: 2 * orbit.size, ..orbit }).collect())
    }

    /// A shortest path crosses at level k not at all, once or twice, and inside a cluster it is shortest.
    fn distance(&self, from: Node, to: Node) -> Option<u64> {
        let d = |a, b| self.base.distance(Node(a), Node(b));
        let ((t, c, v), (t2, c2, v2)) = (self.split(from), self.split(to));
        Some(match (t == t2, c == c2) {
            (true, true) => d(v, v2)?,
            (true, false) => d(c, c2)? + d(v, v2)? + 2,
            (false, _) => d(v, c2)? + d(c, v2)? + 1,
        })
    }
}

impl Reach for DualNet {
    fn mark_neighbors(&self, at: &[Shifted], marks: &mut [u64]) {
        let mut inner = Vec::with_capacity(at.len());
        // Nodes in ascending order are mostly of the same cluster, and need no division.
        let (mut cluster, mut across) = (self.order(), 0);
        for &Shifted { node, offset } in at {
            if node.wrapping_sub(cluster) >= self.n {
                let (t, c, v) = self.split(Node(node));
                (cluster, across) = (node - v, self.join(1 - t, 0, c).0);
            }
            let v = node - cluster;
            inner.push(Shifted { node: v, offset: offset + cluster });
            mark(marks, offset + across + v * self.n);
        }
        mark_neighbors(&*self.base, &inner, marks);
    }
}

/// The legs of `algorithm1`, the second one routed toward the target as well: as long, and shortest where the routing
/// of the base is. It needs no source, and so it serves as a leg of others.
///
/// A leg inside a cluster is the last one, or one more cross link follows. Legs that are not the last come before those
/// that are, so two sets of the base's virtual channels suffice.
impl Lift for DualNet {
    fn classes(&self) -> u16 {
        2
    }

    /// Theorem 2, one level at a time.
    fn longest(&self, base: u64) -> u64 {
        base.saturating_mul(2).saturating_add(2)
    }

    fn inner(&self, at: Node) -> Node {
        Node(self.split(at).2)
    }

    fn next(&self, cluster: &Leg<'_>, at: Node, header: Header) -> Option<Hop> {
        const BEFORE: u16 = 0;
        const LAST: u16 = 1;
        let ((u0, u1, u2), (v0, v1, v2)) = (self.split(at), self.split(header.to));
        let cross = |class| Some(Hop { port: self.cross, vc: cluster.first(class), header });
        match (u0 == v0, u1 == v1) {
            // Case 1.
            (true, true) => cluster.hop(u2, v2, header, LAST),
            // Case 2.
            (false, _) if u2 == v1 => cross(LAST),
            (false, _) => cluster.hop(u2, v1, header, BEFORE),
            // Case 3.
            (true, false) => cross(BEFORE),
        }
    }

    fn clusters(&self) -> Option<(u64, Port)> {
        Some((self.n, self.cross))
    }

    /// All of these keep which types and clusters are the same; g moves both ends of a leg or neither.
    fn commutes_with(&self, base: Vec<Automorphism>) -> Vec<Automorphism> {
        self.lift_automorphisms(base)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// So many nodes and no links.
    #[derive(Debug)]
    struct Lonely(u64);

    impl Network for Lonely {
        fn order(&self) -> u64 {
            self.0
        }

        fn ports(&self) -> u32 {
            0
        }

        fn neighbor(&self, _: Node, _: Port) -> Option<Node> {
            None
        }
    }

    #[test]
    fn a_node_is_split_as_by_division() {
        for n in [1, 2, 3, 5, 25, 1250, 3_125_000, (1 << 31) - 1, 1 << 31] {
            let net = DualNet::new(Arc::new(Lonely(n)));
            let half = n * n;
            let near = |at: u64| at.saturating_sub(3)..=at.saturating_add(3).min(2 * half - 1);
            let places = [0, n, half / 2, half / 3 * 2, half - 1, half, half + n, 2 * half - 1];
            for at in places.into_iter().flat_map(near) {
                let rest = at % half;
                assert_eq!(net.split(Node(at)), (at / half, rest / n, rest % n), "{at} by {n}");
            }
        }
    }
}
