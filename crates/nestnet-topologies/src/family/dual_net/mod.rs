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
mod cut_lifting;
mod network;

pub use network::DualNet;

use super::{ArgError, Args, Built, Facts, Family, Make, Paper, Param};
use crate::family::built::{AS_PRINTED, fits};
use crate::family::paper_formula::{self, PaperFormula};
use crate::spec::{Arg, Spec};
use algorithm1::algorithm_1;
use algorithm2::{PRINTED_SUBSCRIPT, Subscript, algorithm_2};
use nestnet_collectives::{Broadcast, Ports, Schedule, Steps, Transfer};
use nestnet_draw::{Joints, Plan};
use nestnet_graph::radix::{TooLong, short};
use nestnet_graph::theory::{Bounded, Degrees, Theory};
use nestnet_graph::{Distances, Network, Node};
use nestnet_routing::Router;
use nestnet_routing::route::LiftedRouter;
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
                let leg = Arc::new(LiftedRouter::new(network.clone(), leg)) as Arc<dyn Router>;
                whole.routed_from("paper", algorithm_1(&base, &towers), Some(leg))
            }
            _ => whole,
        };
        let whole = whole.with_lifted_router("shortest", network.clone(), &built);
        let whole = whole.with_layout(network.clone(), &built);
        let whole = whole.with_bisection(network.clone(), &built);
        let clusters = network.zip(built.broadcast(Ports::One));
        let broadcast = clusters.map(|(network, cluster)| {
            Arc::new(DualBroadcast { network, cluster }) as Arc<dyn Broadcast>
        });
        let [printed, subscript] = [Subscript::Receiver, Subscript::Sender]
            .map(|subscript| algorithm_2(&base, &towers, subscript));
        let whole = whole.with_drawing(&built, || plan(&built));
        built = whole.broadcasting(broadcast).with_printed_broadcast(AS_PRINTED, printed);
        built = built.with_printed_broadcast(PRINTED_SUBSCRIPT, subscript);
        built = built.runs_as_printed();
    }
    Ok(built)
}

/// Theorem 1.
fn says(args: &Args) -> Vec<PaperFormula> {
    let (base, k) = (args.network("base"), args.integer("k"));
    let place = "Theorem 1";
    let degree = PaperFormula::is("degree", place, base.theory.degrees().max.saturating_add(k));
    let mut all = vec![degree.judged("li-2009.abstract-degree")];
    let Some(levels) = paper_formula::doubled(k) else { return all };
    if let Some(order) = paper_formula::power(&(base.order() * 2u8), levels) {
        let nodes = PaperFormula::is("nodes", place, &order / 2u8);
        let bisection = PaperFormula::is("bisection", place, (order + 7u8) / 8u8);
        all.push(nodes.judged("li-2009.abstract-nodes"));
        all.push(bisection.judged("li-2009.theorem-1-bisection"));
    }
    let diameter = base.theory.diameter();
    if let Some(inner) = diameter.as_ref().and_then(|known| known.exact()) {
        let diameter = PaperFormula::is("diameter", place, inner * levels + 2 * levels - 2u8);
        all.push(diameter.judged("li-2009.theorem-1-diameter"));
    }
    all
}

/// Clusters of type 0 and clusters of type 1, each lying as the nodes of the base do.
fn plan(base: &Built) -> Plan {
    let clusters = base.base_plan().twice();
    let layers = clusters.layers().len();
    base.plan_inside(&clusters).joined(Joints::Bipartite { layers })
}

/// Algorithm 2: in the sender's cluster, over its cross links, in all clusters of the other type, and back over the
/// cross links of those that were not informed over one.
///
/// # Where we differ
/// The printed last step leaves out the cluster of s′; those that must not send are the nodes that were informed in the
/// second step. Then everybody is informed exactly once.
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
                let informed_first = |&(_, v): &(u64, u64)| v != s1;
                out.extend(
                    all.filter(informed_first).map(|(c, v)| cross(network.join(1 - s0, c, v))),
                );
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

impl DualTheory {
    /// Every node has one link more than in its cluster.
    fn cable_degrees(&self) -> Degrees {
        let base = self.base.theory.degrees();
        let copies = self.base.order() * 2u8;
        match base.counts {
            Some(counts) => Degrees::counted(
                counts.into_iter().map(|(d, n)| (d.saturating_add(1), n * &copies)),
            ),
            None => Degrees::bounded(
                base.cables * &copies + &self.order / 2u8,
                base.min.saturating_add(1),
                base.max.saturating_add(1),
            ),
        }
    }
}

impl Theory for DualTheory {
    /// N_k = 2·N_{k-1}².
    fn order(&self) -> BigUint {
        self.order.clone()
    }

    fn degrees(&self) -> Degrees {
        self.cable_degrees().with_copies(&self.base.theory.degrees(), &(self.base.order() * 2u8))
    }

    /// All nodes are alike where those of the base are.
    fn is_transitive(&self) -> bool {
        self.base.theory.is_transitive()
    }

    /// Theorem 1: D_k = 2·D_{k-1} + 2. With one node in the base it is a single link.
    fn diameter(&self) -> Option<Bounded> {
        if self.order == BigUint::from(2u8) {
            return Some(Bounded::theorem(1u8));
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
