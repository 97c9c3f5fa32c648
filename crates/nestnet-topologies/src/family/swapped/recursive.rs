//! Recursive swapped networks RSN(l, G), with HCN.
//!
//! # Definition
//! RSN(1, G) is the nucleus G. RSN(l, G) has N clusters, each an RSN(l-1, G) of N nodes; node X″ of cluster X′ is
//! X′X″, and its level-l link leads to X″X′. Where X′ = X″ the node is a leader and has no such link; with diameter
//! links leader (X,X) is linked to (N-1-X, N-1-X) instead.
//!
//! # Numbering
//! The id of X′X″ is X′·N + X″: 2^(l-1) digits base N_1, most significant first.
//!
//! # Where we differ
//! For odd N the middle leader would be linked to itself by a diameter link: it has none.

use crate::family::built::fits;
use crate::family::{ArgError, Args, Built};
use crate::spec::{Arg, Spec};
use nestnet_draw::{Joints, Plan};
use nestnet_graph::bulk_neighbors::{Reach, Shifted, mark};
use nestnet_graph::locate::{node_of_digits, of_digits};
use nestnet_graph::network::Automorphism;
use nestnet_graph::network::mark_neighbors;
use nestnet_graph::radix::{TooLong, short};
use nestnet_graph::table::Tabled;
use nestnet_graph::theory::{Bounded, Degrees, Theory, moore_diameter};
use nestnet_graph::{Address, Network, Node, Port};
use nestnet_routing::route::{Leg, Lift};
use nestnet_routing::{Header, Hop};
use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::One;
use std::sync::Arc;

/// What leaders are linked to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaders {
    /// Nothing.
    Open,
    /// The opposite leader.
    Diameter,
}

pub(super) fn build(args: &Args) -> Result<Built, ArgError> {
    let levels = args.integer("levels");
    let leaders_at = |level| match args.word("diameter_links") {
        "true" => Leaders::Diameter,
        "top" if level == levels => Leaders::Diameter,
        _ => Leaders::Open,
    };
    let nucleus = args.network("nucleus");
    // 2^16 digits.
    ArgError::unless_it_grows(nucleus, "levels", levels, 17)?;
    let mut built = nucleus.clone();
    for level in 2..=levels {
        built = swap(nucleus, &built, leaders_at(level), None).map_err(|error| {
            ArgError::new("levels", format!("must be below {level} for this nucleus: {error}"))
        })?;
    }
    Ok(built)
}

/// HCN(n, n) is the swapped network whose diameter is known also with diameter links.
pub(super) fn build_hcn(args: &Args) -> Result<Built, ArgError> {
    let n = args.integer("n");
    let cube = args.build(&Spec::new("hypercube", [Arg::new(n)]))?;
    let diameter = Bounded::theorem(n + (n + 1) / 3 + 1);
    Ok(swap(&cube, &cube, Leaders::Diameter, Some(diameter))?)
}

fn swap(
    nucleus: &Built,
    base: &Built,
    leaders: Leaders,
    diameter: Option<Bounded>,
) -> Result<Built, TooLong> {
    let n = base.order();
    let order = short(&n * &n)?;
    let network = base.base().filter(|_| fits(&order)).and_then(|base| {
        let nucleus = nucleus.network.clone()?;
        // Only HCN brings its diameter with it.
        let cubes = diameter.is_some();
        let kind = if cubes { BaseKind::Hypercube } else { BaseKind::Any };
        Some(Arc::new(Swapped::new(nucleus, base, leaders, kind)))
    });
    let routing = |network, swaps| Arc::new(Routing { network, swaps });
    let published = network.clone().map(|network| routing(network, Swaps::Once));
    let arranged = network.clone();
    let closed = network.clone().filter(|_| leaders == Leaders::Open && knows_distances(base));
    let shortest = closed.map(|network| routing(network, Swaps::TwiceWhereShorter));
    let network = network.map(|network| network as Arc<dyn Network>);
    let theory = SwappedTheory {
        base: base.clone(),
        order,
        leaders,
        middle_degree: middle_degree(nucleus),
        diameter,
    };
    let built = Built::new(theory, network).with_lifted_router("paper", published, base);
    let built = built.with_lifted_router("shortest", shortest, base).with_layout(arranged, base);
    Ok(built.with_drawing(base, || plan(base, leaders)).runs_as_printed())
}

/// Clusters that lie as the nodes of one do, every two joined by one link, and opposite ones by a diameter link.
fn plan(base: &Built, leaders: Leaders) -> Plan {
    let clusters = base.base_plan().of_joined_clusters();
    let layers = clusters.layers().len();
    let opposite = u64::from(leaders == Leaders::Diameter);
    base.plan_inside(&clusters).joined(Joints::EveryTwo { layers, links: 1, opposite })
}

/// Whether a base can say how far its nodes are apart, by closed form or from a table.
fn knows_distances(base: &Built) -> bool {
    base.network.as_deref().is_some_and(|network| {
        let last = Node(network.order() - 1);
        Tabled::knows_distances(network) || network.distance(Node(0), last).is_some()
    })
}

/// The degree of the middle node of an odd nucleus: as the middle leader of every level it gains no link.
fn middle_degree(nucleus: &Built) -> Option<u64> {
    let regular = nucleus.theory.degrees().regular_degree();
    regular.or_else(|| nucleus.degree_of(Node((nucleus.example()?.order() - 1) / 2)))
}

/// One level of swapping on a base.
#[derive(Debug)]
pub struct Swapped {
    nucleus: Arc<dyn Network>,
    base: Arc<dyn Network>,
    /// The order of the base.
    pub(super) n: u64,
    pub(super) swap: Port,
    leaders: Leaders,
    /// How many digits an address has: a power of two.
    digits: usize,
    /// What is known of the base.
    base_kind: BaseKind,
}

/// Which base: in a hypercube the opposite of a node is its complement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BaseKind {
    /// A hypercube.
    Hypercube,
    /// Any.
    Any,
}

impl Swapped {
    /// The base is the nucleus, swapped some times before; it has at most 2^31 nodes.
    pub fn new(
        nucleus: Arc<dyn Network>,
        base: Arc<dyn Network>,
        leaders: Leaders,
        base_kind: BaseKind,
    ) -> Self {
        let (n, swap) = (base.order(), Port(base.ports()));
        let below = base.levels() - nucleus.levels();
        Swapped { nucleus, base, n, swap, leaders, digits: 2 << below, base_kind }
    }

    /// The shortest path from (a,b) to (c,d) in hypercubes over the diameter link of leader (x,x).
    ///
    /// Bit by bit the best x is what most of a, b, ¬c and ¬d say, and x = a or x = ¬c saves a swap.
    fn through_leaders(&self, [a, b, c, d]: [u64; 4]) -> u64 {
        let not = |x: u64| self.n - 1 - x;
        let apart = |x: u64, y: u64| u64::from((x ^ y).count_ones());
        let swaps = |x: u64| u64::from(a != x) + u64::from(not(c) != x);
        let bits = |x| apart(a, x) + apart(b, x) + apart(not(c), x) + apart(not(d), x);
        let (p, q) = (not(c), not(d));
        // The bits that three of the four have; where two have them either will do.
        let most = a & b & p | a & b & q | a & p & q | b & p & q;
        let through = |x| bits(x) + swaps(x) + 1;
        through(a).min(through(p)).min(through(most))
    }

    fn split(&self, at: Node) -> (u64, u64) {
        (at.0 / self.n, at.0 % self.n)
    }

    fn join(&self, cluster: u64, inner: u64) -> Node {
        Node(cluster * self.n + inner)
    }

    /// The distance inside a cluster.
    fn inside(&self, from: u64, to: u64) -> Option<u64> {
        if from == to { Some(0) } else { self.base.distance(Node(from), Node(to)) }
    }

    /// The length of the shortest path from (a,b) to (c,d) with one swap.
    fn once(&self, a: u64, b: u64, c: u64, d: u64) -> Option<u64> {
        Some(self.inside(a, d)? + self.inside(b, c)? + 1)
    }

    /// The same with two swaps.
    fn twice(&self, a: u64, b: u64, c: u64, d: u64) -> Option<u64> {
        Some(self.inside(a, c)? + self.inside(b, d)? + 2)
    }

    fn level_link(&self, cluster: u64, inner: u64) -> Option<Node> {
        if cluster != inner {
            return Some(self.join(inner, cluster));
        }
        let opposite = self.n - 1 - cluster;
        let linked = self.leaders == Leaders::Diameter && opposite != cluster;
        linked.then(|| self.join(opposite, opposite))
    }

    /// An automorphism of the base, applied to both parts of the address; diameter links need it to keep opposites opposite.
    fn lift_automorphisms(&self, base: Vec<Automorphism>) -> Vec<Automorphism> {
        let n = self.n;
        let opposite =
            |g: &Automorphism| n <= 1 << 16 && (0..n).all(|x| g(n - 1 - x) == n - 1 - g(x));
        let keeps = |g: &Automorphism| self.leaders == Leaders::Open || opposite(g);
        let both = |g: Automorphism| Arc::new(move |id| g(id / n) * n + g(id % n)) as Automorphism;
        base.into_iter().filter(keeps).map(both).collect()
    }
}

impl Network for Swapped {
    fn order(&self) -> u64 {
        self.n * self.n
    }

    fn ports(&self) -> u32 {
        self.swap.0 + 1
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        let (cluster, inner) = self.split(at);
        if port == self.swap {
            return self.level_link(cluster, inner);
        }
        self.base.neighbor(Node(inner), port).map(|to| self.join(cluster, to.0))
    }

    fn for_each_neighbor(&self, at: Node, visit: &mut dyn FnMut(Port, Node)) {
        let (cluster, inner) = self.split(at);
        let first = at.0 - inner;
        self.base.for_each_neighbor(Node(inner), &mut |port, to| visit(port, Node(first + to.0)));
        if let Some(to) = self.level_link(cluster, inner) {
            visit(self.swap, to);
        }
    }

    fn reach(&self) -> Option<&dyn Reach> {
        Some(self)
    }

    fn address(&self, at: Node) -> Address {
        of_digits(&*self.nucleus, at, self.digits)
    }

    fn node(&self, address: &Address) -> Option<Node> {
        node_of_digits(&*self.nucleus, address, self.digits)
    }

    fn level(&self, at: Node, port: Port) -> u16 {
        if port == self.swap {
            return self.base.levels();
        }
        let (_, inner) = self.split(at);
        self.base.level(Node(inner), port)
    }

    fn levels(&self) -> u16 {
        self.base.levels() + 1
    }

    fn automorphisms(&self) -> Vec<Automorphism> {
        self.lift_automorphisms(self.base.automorphisms())
    }

    /// Without diameter links a shortest path swaps at this level not at all, once, or twice. In HCN it may also use one
    /// diameter link.
    fn distance(&self, from: Node, to: Node) -> Option<u64> {
        if self.leaders == Leaders::Diameter && self.base_kind == BaseKind::Any {
            return None;
        }
        let ((a, b), (c, d)) = (self.split(from), self.split(to));
        let swapped = if a == c {
            self.inside(b, d)?
        } else {
            self.once(a, b, c, d)?.min(self.twice(a, b, c, d)?)
        };
        Some(match self.leaders {
            Leaders::Open => swapped,
            Leaders::Diameter => swapped.min(self.through_leaders([a, b, c, d])),
        })
    }
}

impl Reach for Swapped {
    fn mark_neighbors(&self, at: &[Shifted], marks: &mut [u64]) {
        let mut parts = Vec::with_capacity(at.len());
        // Nodes in ascending order are mostly of the same cluster, and need no division.
        let (mut cluster, mut first) = (0, 0);
        for &Shifted { node, offset } in at {
            if node.wrapping_sub(first) >= self.n {
                cluster = node / self.n;
                first = cluster * self.n;
            }
            let inner = node - first;
            parts.push(Shifted { node: inner, offset: offset + first });
            if let Some(to) = self.level_link(cluster, inner) {
                mark(marks, offset + to.0);
            }
        }
        mark_neighbors(&*self.base, &parts, marks);
    }
}

/// How often a route may swap at this level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Swaps {
    /// The routing of Section 2.5.
    Once,
    /// Twice where that is shorter.
    TwiceWhereShorter,
}

/// Inside the cluster to the link that leads to the target's, over it, and inside. A route that swaps twice does so
/// first at once, and then goes on in the same way.
#[derive(Debug)]
struct Routing {
    network: Arc<Swapped>,
    swaps: Swaps,
}

impl Lift for Routing {
    fn classes(&self) -> u16 {
        2
    }

    /// Equation 4.
    fn longest(&self, base: u64) -> u64 {
        base.saturating_mul(2).saturating_add(1)
    }

    fn inner(&self, at: Node) -> Node {
        Node(self.network.split(at).1)
    }

    fn next(&self, cluster: &Leg<'_>, at: Node, header: Header) -> Option<Hop> {
        // A leg inside a cluster is the last one, or a swap follows; those that are not the last come first.
        const BEFORE: u16 = 0;
        const LAST: u16 = 1;
        let network = &*self.network;
        let ((a, b), (c, d)) = (network.split(at), network.split(header.to));
        let swap = |class| Some(Hop { port: network.swap, vc: cluster.first(class), header });
        if a == c {
            return cluster.hop(b, d, header, LAST);
        }
        if b == c {
            return swap(LAST);
        }
        if self.swaps == Swaps::TwiceWhereShorter
            && network.once(a, b, c, d)? > network.twice(a, b, c, d)?
        {
            return swap(BEFORE);
        }
        cluster.hop(b, c, header, BEFORE)
    }

    /// Both digits of both ends move alike: which of them are the same stays, and so do distances in the base.
    fn commutes_with(&self, base: Vec<Automorphism>) -> Vec<Automorphism> {
        self.network.lift_automorphisms(base)
    }
}

/// What is proven of one level of swapping.
#[derive(Debug)]
pub struct SwappedTheory {
    base: Built,
    order: BigUint,
    leaders: Leaders,
    middle_degree: Option<u64>,
    /// Where it is known although there are diameter links.
    diameter: Option<Bounded>,
}

impl SwappedTheory {
    /// Every node has one link more than in its cluster, but for leaders.
    fn cable_degrees(&self) -> Degrees {
        let n = self.base.order();
        let base = self.base.theory.degrees();
        let one = BigUint::one();
        let odd = n.is_odd();
        let leaders = match self.leaders {
            Leaders::Open => n.clone(),
            Leaders::Diameter => u8::from(odd).into(),
        };
        let bounds = Degrees::bounded(
            &base.cables * &n + (&self.order - leaders) / 2u8,
            base.min,
            base.max.saturating_add(1),
        );
        let Some(counts) = base.counts else { return bounds };
        match self.leaders {
            Leaders::Open => Degrees::counted(counts.into_iter().flat_map(|(degree, nodes)| {
                [(degree.saturating_add(1), &nodes * (&n - &one)), (degree, nodes)]
            })),
            Leaders::Diameter => {
                let mut linked: Vec<(u64, BigUint)> = counts
                    .into_iter()
                    .map(|(degree, nodes)| (degree.saturating_add(1), nodes * &n))
                    .collect();
                if odd {
                    let Some(middle) = self.middle_degree else { return bounds };
                    for (degree, nodes) in &mut linked {
                        if *degree == middle + 1 {
                            *nodes -= &one;
                        }
                    }
                    linked.push((middle, one));
                }
                Degrees::counted(linked)
            }
        }
    }
}

impl Theory for SwappedTheory {
    /// Equation 1: N_l = N_{l-1}².
    fn order(&self) -> BigUint {
        self.order.clone()
    }

    fn degrees(&self) -> Degrees {
        self.cable_degrees().with_copies(&self.base.theory.degrees(), &(self.base.order()))
    }

    /// Equation 5, one level at a time: D_l = 2·D_{l-1} + 1 without diameter links, and at most that with them.
    fn diameter(&self) -> Option<Bounded> {
        if self.order == BigUint::one() {
            return Some(Bounded::theorem(0u8));
        }
        if self.diameter.is_some() {
            return self.diameter.clone();
        }
        let without = self.base.theory.diameter()?.map(|d| d * 2u8 + 1u8);
        Some(match self.leaders {
            Leaders::Open => without,
            Leaders::Diameter => {
                Bounded::between(moore_diameter(&self.order, self.degrees().max), without.high)
            }
        })
    }
}
