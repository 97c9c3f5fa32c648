//! Symmetric hypernets, and WK-recursive networks, which are those of complete graphs.
//!
//! # Definition
//! A node has l digits base N. A nucleus link changes the last digit. Two modules of level i below the same prefix P
//! are joined by one link between their corners: P x y…y ~ P y x…x with i-1 equal digits behind.
//! The N nodes whose digits are all equal are the corners of the whole and keep an open link.
//!
//! # Numbering
//! Mixed radix, first digit most significant.
//!
//! # Where we differ
//! Exchanging only two digits, as the text of Section 5.2 has it, would for l ≥ 3 not connect every two modules.

use super::modules::{self, Modules};
use crate::family::built::fits;
use crate::family::{ArgError, Args, Built};
use crate::spec::{Arg, Spec};
use nestnet_draw::{Held, Joints, Plan};
use nestnet_graph::distances::MAX_LENGTH;
use nestnet_graph::locate::{node_of_digits, of_digits};
use nestnet_graph::radix::{digits, power};
use nestnet_graph::theory::{Bounded, Degrees, Theory};
use nestnet_graph::{Address, Distances, Network, Node, Port};
use nestnet_routing::route::UpDownLayers;
use nestnet_routing::{Header, Hop, Router, Vc};
use num_bigint::BigUint;
use num_traits::One;
use std::sync::Arc;

/// Which nucleus: only of complete graphs are all distances known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Nucleus {
    Complete,
    Any,
}

pub(super) fn build(args: &Args) -> Result<Built, ArgError> {
    make(args.network("nucleus"), args.integer("l"), Nucleus::Any, "l")
}

pub(super) fn build_wk(args: &Args) -> Result<Built, ArgError> {
    let complete = args.build(&Spec::new("complete", [Arg::new(args.integer("d"))]))?;
    make(&complete, args.integer("t"), Nucleus::Complete, "t")
}

fn make(
    nucleus: &Built,
    levels: u64,
    kind: Nucleus,
    param: &'static str,
) -> Result<Built, ArgError> {
    ArgError::unless_it_grows(nucleus, param, levels, 63)?;
    let order = power(&nucleus.order(), levels)
        .map_err(|error| ArgError::new(param, format!("is too large: {error}")))?;
    let network = nucleus.base().filter(|_| fits(&order)).and_then(|nucleus| {
        let levels = u32::try_from(levels).ok()?;
        Some(Arc::new(Cornered { n: nucleus.order(), nucleus, levels, kind }))
    });
    let router = |name, detours| {
        let (network, nucleus) = (network.clone()?, nucleus.base_router(name)?);
        CornerToCorner { network, nucleus, detours }.with_few_channels()
    };
    let shortest = match kind {
        Nucleus::Complete => router("shortest", Detours::WhereShorter),
        Nucleus::Any => None,
    };
    let routers = [("direct", router("paper", Detours::Never)), ("shortest", shortest)];
    let whole = network.clone().map(|network| network as Arc<dyn Network>);
    let theory = CorneredTheory { nucleus: nucleus.clone(), levels, order, kind };
    let built = Built::new(theory, whole).routed(routers).unrouted();
    Ok(built.with_drawing(nucleus, || plan(nucleus, levels)))
}

/// Modules within modules, each lying as the nucleus does, every two joined by one link.
fn plan(nucleus: &Built, levels: u64) -> Plan {
    let inner = nucleus.network.as_ref().map_or(1, |network| network.levels());
    let digit = nucleus.base_plan();
    let mut plan = nucleus.base_plan();
    for level in 1..levels.min(63) {
        let level = inner.saturating_add(u16::try_from(level - 1).unwrap_or(u16::MAX));
        plan = digit.around(&plan, level, Held::Cluster);
    }
    if levels == 1 {
        return plan;
    }
    plan.joined(Joints::EveryTwo { layers: digit.layers().len(), links: 1, opposite: 0 })
}

/// Modules joined at their corners.
#[derive(Debug)]
pub struct Cornered {
    nucleus: Arc<dyn Network>,
    /// The order of the nucleus.
    n: u64,
    levels: u32,
    kind: Nucleus,
}

impl Cornered {
    fn sides(&self) -> Vec<u64> {
        vec![self.n; self.levels as usize]
    }

    /// The flipping link, with the number of equal digits at the end: P x y^j ~ P y x^j.
    fn flip(&self, at: Node) -> Option<(Node, u32)> {
        let last = at.0 % self.n;
        let mut rest = at.0 / self.n;
        // The value of a run 1…1, and of a one in front of it.
        let (mut ones, mut place) = (1, self.n);
        for length in 1..self.levels {
            let digit = rest % self.n;
            if digit != last {
                let node = at.0 - digit * place - last * ones + last * place + digit * ones;
                return Some((Node(node), length));
            }
            rest /= self.n;
            ones += place;
            place *= self.n;
        }
        None
    }
}

impl Network for Cornered {
    fn order(&self) -> u64 {
        self.n.pow(self.levels)
    }

    fn ports(&self) -> u32 {
        self.nucleus.ports() + u32::from(self.levels > 1)
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        if port.0 == self.nucleus.ports() {
            return self.flip(at).map(|(to, _)| to);
        }
        let digit = at.0 % self.n;
        self.nucleus.neighbor(Node(digit), port).map(|to| Node(at.0 - digit + to.0))
    }

    fn for_each_neighbor(&self, at: Node, visit: &mut dyn FnMut(Port, Node)) {
        let digit = at.0 % self.n;
        let rest = at.0 - digit;
        self.nucleus.for_each_neighbor(Node(digit), &mut |port, to| visit(port, Node(rest + to.0)));
        if let Some((to, _)) = self.flip(at) {
            visit(Port(self.nucleus.ports()), to);
        }
    }

    fn address(&self, at: Node) -> Address {
        of_digits(&*self.nucleus, at, self.levels as usize)
    }

    fn node(&self, address: &Address) -> Option<Node> {
        node_of_digits(&*self.nucleus, address, self.levels as usize)
    }

    fn level(&self, at: Node, port: Port) -> u16 {
        if port.0 < self.nucleus.ports() {
            return self.nucleus.level(Node(at.0 % self.n), port);
        }
        let length = self.flip(at).map_or(1, |(_, length)| length);
        self.nucleus.levels() - 1 + u16::try_from(length).expect("at most 63 levels")
    }

    fn levels(&self) -> u16 {
        self.nucleus.levels() + u16::try_from(self.levels).expect("at most 63 levels") - 1
    }

    /// For complete graphs these are the Sierpiński graphs. Where the addresses first differ, in modules i and j,
    /// a shortest path takes the link between them or goes through one third module.
    /// On any other nucleus, see `modules`.
    fn distance(&self, from: Node, to: Node) -> Option<u64> {
        if self.kind == Nucleus::Any {
            let levels = self.levels as usize;
            return modules::is_quick(self, levels)
                .then(|| modules::distance(self, levels, from.0, to.0))?;
        }
        let Some(ends) = Ends::new(from, to, self) else { return Some(0) };
        Some(ends.detour().map_or_else(|| ends.direct(), |k| ends.through(k)))
    }
}

/// The link to module C leaves from the corner C…C.
impl Modules for Cornered {
    fn modules(&self, _level: usize) -> u64 {
        self.n
    }

    fn split(&self, level: usize, at: u64) -> (u64, u64) {
        let place = self.n.pow(u32::try_from(level - 1).expect("at most 63 levels"));
        (at / place, at % place)
    }

    fn port(&self, level: usize, module: u64) -> u64 {
        (1..level).fold(0, |corner, _| corner * self.n + module)
    }

    fn nucleus(&self, a: u64, b: u64) -> Option<u64> {
        self.nucleus.distance(Node(a), Node(b))
    }
}

/// The distance in a module of complete graphs to its corner k: each digit that differs costs its power of two.
fn to_corner(digits: &[u64], k: u64) -> u64 {
    digits.iter().fold(0, |sum, &digit| 2 * sum + u64::from(digit != k))
}

/// Whether a route may pass through a third module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Detours {
    Never,
    /// Only of complete graphs is it known where.
    WhereShorter,
}

/// The routing that the links imply: below the first digits that differ, i and j, to the corner j of the module, over
/// the link, and on from its corner i; or first through module k, where that is shorter.
///
/// All ways to corner k form one tree in the whole network. So one virtual channel for each corner suffices at each
/// level of the first digit that differs, which only falls; a way through a third module comes before the others.
#[derive(Debug)]
struct CornerToCorner {
    network: Arc<Cornered>,
    nucleus: Arc<dyn Router>,
    detours: Detours,
}

impl CornerToCorner {
    /// On a channel for each turn, where those are fewer.
    fn with_few_channels(self) -> Option<Arc<dyn Router>> {
        if self.nucleus.remembers() {
            return None;
        }
        let few_turns = self.longest() / 2 < u64::from(self.vcs());
        let network = self.network.clone();
        let routes: Arc<dyn Router> = Arc::new(self);
        Some(if few_turns { Arc::new(UpDownLayers::new(network, routes, None)) } else { routes })
    }

    /// How many sets of corners each level has.
    fn sets(&self) -> u16 {
        match self.detours {
            Detours::Never => 1,
            Detours::WhereShorter => 2,
        }
    }
}

impl Router for CornerToCorner {
    fn vcs(&self) -> u16 {
        let corners = u16::try_from(self.network.n).unwrap_or(u16::MAX);
        let levels = u16::try_from(self.network.levels).expect("at most 63 levels");
        corners.saturating_mul(levels).saturating_mul(self.sets())
    }

    fn longest(&self) -> u64 {
        let inner = self.nucleus.longest().saturating_add(1);
        inner.saturating_mul(1 << (self.network.levels - 1)) - 1
    }

    fn next(&self, at: Node, header: Header) -> Option<Hop> {
        let network = &*self.network;
        let ends = Ends::new(at, header.to, network)?;
        let detour = match self.detours {
            Detours::Never => None,
            Detours::WhereShorter => ends.detour(),
        };
        let corner = detour.unwrap_or(ends.j);
        let last = at.0 % network.n;
        let set = u64::from(detour.is_none() && self.detours == Detours::WhereShorter);
        let level = ends.a.len() as u64;
        let vc = (level * u64::from(self.sets()) + set) * network.n + corner;
        let vc = Vc(u16::try_from(vc).unwrap_or(u16::MAX));
        if level > 0 && last == corner {
            // All digits up to the next other one are the corner's: the link leads toward it, or over.
            return Some(Hop { port: Port(network.nucleus.ports()), vc, header });
        }
        let hop = self.nucleus.next(Node(last), Header { to: Node(corner), state: 0 })?;
        Some(Hop { port: hop.port, vc, header })
    }

    fn state_bytes(&self) -> u64 {
        self.nucleus.state_bytes()
    }
}

/// Two nodes from the first digits that differ on, i and j, with the digits a and b behind them.
struct Ends {
    i: u64,
    j: u64,
    a: Vec<u64>,
    b: Vec<u64>,
}

impl Ends {
    /// `None` when they are the same.
    fn new(from: Node, to: Node, network: &Cornered) -> Option<Self> {
        let [a, b] = [from, to].map(|node| digits(node.0, &network.sides()));
        let first = a.iter().zip(&b).position(|(x, y)| x != y)?;
        let (i, j) = (a[first], b[first]);
        Some(Ends { i, j, a: a[first + 1..].to_vec(), b: b[first + 1..].to_vec() })
    }

    /// Of complete graphs, the length of the way over the link between the two modules.
    fn direct(&self) -> u64 {
        to_corner(&self.a, self.j) + 1 + to_corner(&self.b, self.i)
    }

    /// The same through module k, which is crossed from corner to corner: 2^r - 1 steps between two links.
    fn through(&self, k: u64) -> u64 {
        to_corner(&self.a, k) + 1 + (1u64 << self.a.len()) + to_corner(&self.b, k)
    }

    /// Of complete graphs, the module in between, where that is shorter.
    fn detour(&self) -> Option<u64> {
        // Only the digits that occur can make a detour short; any other k is as far as it gets.
        let others = self.a.iter().chain(&self.b).copied();
        let others = others.filter(|&k| k != self.i && k != self.j);
        let best = others.map(|k| (self.through(k), k)).min()?;
        (best.0 < self.direct()).then_some(best.1)
    }
}

/// What is proven of them.
#[derive(Debug)]
pub struct CorneredTheory {
    nucleus: Built,
    levels: u64,
    order: BigUint,
    kind: Nucleus,
}

impl CorneredTheory {
    /// Every node but the corners of the whole has a flipping link.
    fn cable_degrees(&self) -> Degrees {
        let n = self.nucleus.order();
        let base = self.nucleus.theory.degrees();
        // Each node of the nucleus is the last digit of n^(l-1) nodes, and one of them is a corner.
        let copies = &self.order / &n;
        let linked = &copies - BigUint::one();
        match base.counts {
            Some(counts) => Degrees::counted(counts.into_iter().flat_map(|(degree, nodes)| {
                [(degree.saturating_add(1), &nodes * &linked), (degree, nodes)]
            })),
            None => Degrees::bounded(
                base.cables * copies + linked * n / 2u8,
                base.min,
                base.max.saturating_add(u64::from(self.levels > 1)),
            ),
        }
    }
}

impl Theory for CorneredTheory {
    fn order(&self) -> BigUint {
        self.order.clone()
    }

    fn degrees(&self) -> Degrees {
        self.cable_degrees()
            .with_copies(&self.nucleus.theory.degrees(), &(&self.order / self.nucleus.order()))
    }

    /// 2^(l-1)·(D+1) - 1.
    fn diameter(&self) -> Option<Bounded> {
        if self.order == BigUint::one() {
            return Some(Bounded::theorem(0u8));
        }
        let inner = self.nucleus.theory.diameter()?;
        Some(inner.map(|d| ((d + 1u8) << (self.levels - 1)) - 1u8))
    }

    /// For complete graphs, to corner 0: a digit other than 0 in place i costs 2^i.
    fn distances_from_zero(&self) -> Option<Distances> {
        if self.kind == Nucleus::Any || self.levels >= MAX_LENGTH.ilog2().into() {
            return None;
        }
        let others = Distances::new([self.nucleus.order() - 1u8]);
        (0..self.levels).try_fold(Distances::new([1u8]), |product, i| {
            product.times(&Distances::new([1u8]).plus(&others.shifted(1 << i)))
        })
    }
}
