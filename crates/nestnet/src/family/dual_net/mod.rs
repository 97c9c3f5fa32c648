//! Recursive dual-nets.
//!
//! # Paper
//! Y. Li, S. Peng, W. Chu, "Recursive Dual-Net: A New Universal Network for Supercomputers of the Next Generation", 2009.
//!
//! # Definition
//! RDN(m, 0) is the base network of m nodes. RDN(m, k) has 2n clusters, each an RDN(m, k-1) of n nodes:
//! n clusters of type 0 and n of type 1. Node v of cluster c of type t is (t, c, v), and the cross link of level k is
//! (0, a, b) ~ (1, b, a): one between every two clusters of different types.
//!
//! # Numbering
//! The id of (t, c, v) is t·n² + c·n + v.
//!
//! # Where we differ
//! Section 4 writes a cross link as "u1 = v1 and u2 = v2", which contradicts the construction and Algorithm 1:
//! node v of cluster c would be linked to the same (c, v), and no cluster would reach more than one other.
//! We use the construction.

mod algorithm1;
mod algorithm2;
mod ascend;
mod halves;

use super::{ArgError, Args, Built, Facts, Family, Make, Paper, Param};
use crate::family::built::{AS_PRINTED, fits};
use crate::family::said::{self, Said};
use crate::spec::{Arg, Spec};
use algorithm1::algorithm_1;
use algorithm2::{PRINTED_SUBSCRIPT, Subscript, algorithm_2};
use nestnet_core::collective::{Broadcast, Ports, Schedule, Steps, Transfer};
use nestnet_core::draw::{Joints, Plan};
use nestnet_core::network::Automorphism;
use nestnet_core::product::join_orbits;
use nestnet_core::radix::{TooLong, short};
use nestnet_core::reach::{Reach, Shifted, mark, mark_neighbors};
use nestnet_core::route::{Leg, Lift, Lifted};
use nestnet_core::theory::{Degrees, Known, Theory};
use nestnet_core::{Address, Distances, Header, Hop, Network, Node, Orbit, Port, Router};
use num_bigint::BigUint;
use std::sync::Arc;

/// What the field also calls its rows.
pub(super) static ALSO: &[(&str, &str)] = &[("dual_net", "rdn"), ("recursive_dual_net", "rdn")];

/// The rows of this file.
pub static ROWS: &[Family] = &[
    Family {
        name: "rdn",
        paper: Paper::DualNet,
        about: "The recursive dual-net: k times, 2n copies of a network of n nodes, half of type 0 and half of type 1, (0,a,b) ~ (1,b,a).",
        params: &[
            Param::network("base", "the network at level 0"),
            Param::integer("k", 0, 64, "the number of levels"),
        ],
        examples: &["rdn(torus(5, 5), 2)", "rdn(ring(3), 2)"],
        make: Make::Build(build),
        facts: Facts {
            grows_by: Some("k"),
            left_out: |dual| dual.is_nested_in_itself(),
            says: Some(says),
            ..Facts::NONE
        },
    },
    Family {
        name: "dual_cube",
        paper: Paper::DualNet,
        about: "The dual-cube DC(n): a dual-net of (n-1)-cubes.",
        params: &[Param::integer("n", 1, 1 << 16, "the degree")],
        examples: &["dual_cube(4)"],
        make: Make::Alias(|args| {
            let cube = Spec::new("hypercube", [Arg::new(args.integer("n") - 1)]);
            Ok(Spec::new("rdn", [Arg::new(cube), Arg::new(1)]))
        }),
        facts: Facts::NONE,
    },
];

fn build(args: &Args) -> Result<Built, ArgError> {
    let base = args.network("base").clone();
    let mut built = base.clone();
    let mut towers = Vec::new();
    for level in 1..=args.integer("k") {
        let theory = DualTheory::new(&built).map_err(|error| {
            ArgError::new("k", format!("must be below {level} for this base: {error}"))
        })?;
        let network = built.base().filter(|_| fits(&theory.order));
        let network = network.map(|base| Arc::new(DualNet::new(base)));
        let whole = Built::new(theory, network.clone().map(|network| network as Arc<dyn Network>));
        let whole = match (&network, built.base_router("paper")) {
            (Some(network), Some(leg)) => {
                towers.push(network.clone());
                let leg = Arc::new(Lifted::new(network.clone(), leg)) as Arc<dyn Router>;
                whole.routed_from("paper", algorithm_1(&base, &towers), Some(leg))
            }
            _ => whole,
        };
        let whole = whole.lifted("shortest", network.clone(), &built);
        let whole = whole.arranged(network.clone(), &built);
        let whole = whole.halving(network.clone(), &built);
        let clusters = network.zip(built.broadcast(Ports::One));
        let broadcast = clusters.map(|(network, cluster)| {
            Arc::new(DualBroadcast { network, cluster }) as Arc<dyn Broadcast>
        });
        let [printed, subscript] = [Subscript::Receiver, Subscript::Sender]
            .map(|subscript| algorithm_2(&base, &towers, subscript));
        let whole = whole.placed_upon(&built, || plan(&built));
        built = whole.broadcasting(broadcast).telling(AS_PRINTED, printed);
        built = built.telling(PRINTED_SUBSCRIPT, subscript);
        built = built.runs_as_printed();
    }
    Ok(built)
}

/// Theorem 1.
fn says(args: &Args) -> Vec<Said> {
    let (base, k) = (args.network("base"), args.integer("k"));
    let place = "Theorem 1";
    let mut all = vec![Said::is("degree", place, base.theory.degrees().max.saturating_add(k))];
    let Some(levels) = said::doubled(k) else { return all };
    if let Some(order) = said::power(&(base.order() * 2u8), levels) {
        all.push(Said::is("nodes", place, &order / 2u8));
        all.push(Said::is("bisection", place, (order + 7u8) / 8u8));
    }
    let diameter = base.theory.diameter();
    if let Some(inner) = diameter.as_ref().and_then(|known| known.exact()) {
        all.push(Said::is("diameter", place, inner * levels + 2 * levels - 2u8));
    }
    all
}

/// Clusters of type 0 and clusters of type 1, each lying as the nodes of the base do.
fn plan(base: &Built) -> Plan {
    let clusters = base.base_plan().twice();
    let layers = clusters.layers().len();
    base.plan_inside(&clusters).joined(Joints::Halves { layers })
}

/// One dual-construction upon a base.
#[derive(Debug)]
pub struct DualNet {
    base: Arc<dyn Network>,
    /// The order of the base.
    n: u64,
    /// As much of 2^64 as a node of the base has: a product with it is quicker than a division by n.
    part: u64,
    cross: Port,
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
    fn split(&self, at: Node) -> (u64, u64, u64) {
        let half = self.n * self.n;
        let (t, rest) = if at.0 < half { (0, at.0) } else { (1, at.0 - half) };
        // Below 2^63 the product is at most one too small: ⌊(2^64 − 1)/n⌋ misses 2^64/n by less than 2.
        let c = u64::try_from((u128::from(rest) * u128::from(self.part)) >> 64).unwrap_or(0);
        let v = rest - c * self.n;
        if v < self.n { (t, c, v) } else { (t, c + 1, v - self.n) }
    }

    fn join(&self, t: u64, c: u64, v: u64) -> Node {
        Node((t * self.n + c) * self.n + v)
    }

    /// The exchange of types, and automorphisms of the base on the nodes of type 0 and the clusters of type 1; the
    /// exchange gives the other half.
    fn lifted(&self, base: Vec<Automorphism>) -> Vec<Automorphism> {
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
        self.lifted(self.base.automorphisms())
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

/// The legs of [`algorithm1`], the second one routed toward the target as well: as long, and shortest where the routing
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

    /// All of these keep which types and clusters are the same; g moves both ends of a leg or neither.
    fn commutes_with(&self, base: Vec<Automorphism>) -> Vec<Automorphism> {
        self.lifted(base)
    }
}

/// Algorithm 2: in the sender's cluster, over its cross links, in all clusters of the other type, and back over the
/// cross links of those that were not told over one.
///
/// # Where we differ
/// The printed last step leaves out the cluster of s′; those that must not send are the nodes that were told in the
/// second step. Then everybody is told exactly once.
#[derive(Debug)]
struct DualBroadcast {
    network: Arc<DualNet>,
    cluster: Arc<dyn Broadcast>,
}

impl Broadcast for DualBroadcast {
    fn ports(&self) -> Ports {
        Ports::One
    }

    fn from(&self, root: Node) -> Steps<'_> {
        let network = &*self.network;
        let n = network.n;
        let (s0, s1, s2) = network.split(root);
        let [own, others] = [s2, s1].map(|start| Schedule::collect(self.cluster.from(Node(start))));
        let (first, second) = (own.steps.len(), others.steps.len());
        let mut step = 0;
        Box::new(move |out: &mut Vec<Transfer>| {
            let here = step;
            step += 1;
            let inside = |t: u64, c: u64, sends: &[Transfer], out: &mut Vec<Transfer>| {
                let at = |from: Node| network.join(t, c, from.0);
                out.extend(sends.iter().map(|send| Transfer { from: at(send.from), ..*send }));
            };
            let cross = |from: Node| Transfer { from, port: network.cross, block: 0 };
            if here < first {
                inside(s0, s1, &own.steps[here], out);
            } else if here == first {
                out.extend((0..n).map(|v| cross(network.join(s0, s1, v))));
            } else if here <= first + second {
                (0..n).for_each(|c| inside(1 - s0, c, &others.steps[here - first - 1], out));
            } else if here == first + second + 1 {
                let all = (0..n).flat_map(|c| (0..n).map(move |v| (c, v)));
                let told_first = |&(_, v): &(u64, u64)| v != s1;
                out.extend(all.filter(told_first).map(|(c, v)| cross(network.join(1 - s0, c, v))));
            }
            here < first + second + 2
        })
    }

    /// Theorem 3, one level at a time: twice what the clusters take, and two steps.
    fn claimed(&self) -> Option<u64> {
        self.cluster.claimed().map(|steps| 2 * steps + 2)
    }
}

/// What is proven of one dual-construction.
#[derive(Debug)]
pub struct DualTheory {
    base: Built,
    order: BigUint,
}

impl DualTheory {
    fn new(base: &Built) -> Result<Self, TooLong> {
        let n = base.order();
        Ok(DualTheory { base: base.clone(), order: short(&n * &n * 2u8)? })
    }
}

impl Theory for DualTheory {
    /// N_k = 2·N_{k-1}².
    fn order(&self) -> BigUint {
        self.order.clone()
    }

    /// Every node has one link more than in its cluster.
    fn degrees(&self) -> Degrees {
        let base = self.base.theory.degrees();
        let copies = self.base.order() * 2u8;
        match base.counts {
            Some(counts) => Degrees::counted(counts.into_iter().map(|(d, n)| (d + 1, n * &copies))),
            None => Degrees {
                links: base.links * &copies + &self.order / 2u8,
                min: base.min + 1,
                max: base.max + 1,
                counts: None,
            },
        }
    }

    /// All nodes are alike where those of the base are.
    fn is_transitive(&self) -> bool {
        self.base.theory.is_transitive()
    }

    /// Theorem 1: D_k = 2·D_{k-1} + 2. With one node in the base it is a single link.
    fn diameter(&self) -> Option<Known> {
        if self.order == BigUint::from(2u8) {
            return Some(Known::theorem(1u8));
        }
        Some(self.base.theory.diameter()?.map(|d| d * 2u8 + 2u8))
    }

    /// P_k = 2xP² + 2nP + 2x²(P² - nP) with P = P_{k-1} and n = N_{k-1}:
    /// other type, same cluster, same type but another cluster.
    fn distances(&self) -> Option<Distances> {
        let inner = self.base.theory.distances()?;
        let two = BigUint::from(2u8);
        let square = inner.times(&inner)?;
        let same = inner.scaled(&self.base.order());
        let other_cluster = square.minus(&same).shifted(2);
        Some(square.shifted(1).plus(&same).plus(&other_cluster).scaled(&two))
    }

    /// The same, from node 0: c = v = 0.
    fn distances_from_zero(&self) -> Option<Distances> {
        let inner = self.base.theory.distances_from_zero()?;
        let square = inner.times(&inner)?;
        let other_cluster = square.minus(&inner).shifted(2);
        Some(square.shifted(1).plus(&inner).plus(&other_cluster))
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
