//! PolarStar: the largest known networks of diameter 3 for most degrees.
//!
//! # Definition
//! K. Lakhotia, L. Monroe, K. Isham, M. Besta, N. Blach, T. Hoefler, F. Petrini, "PolarStar: Expanding the Scalability
//! Horizon of Diameter-3 Networks", 2023. The star product of the polarity graph ER_q, with a loop at each of the q + 1
//! points that are orthogonal to themselves, and a supernode of degree d with a bijection f.
//!
//! - `iq`, the Inductive-Quad: 2d+2 nodes, d ≡ 0 or 3 modulo 4, f an involution without fixed points, and of any two
//!   nodes a ≠ b one holds: b = f(a), a ~ b, f(a) ~ f(b). *Block*: nodes 0..8 with f(i) = i + 4; 0 and 4 are each linked to
//!   1, 2, 3; and y ~ w+4, y+4 ~ w+4 for (y, w) = (1,2), (2,3), (3,1). IQ(3) is a block, IQ(0) two nodes without a link.
//!   *Step* from d to d + 4: let A hold one node of each pair, the first four of a block. A fresh block n..n+8 is added;
//!   n, n+4, n+1, n+5 are linked to all of A, the others to all of f(A).
//! - `paley`: the field of 2d+1 elements, d even, a ~ b where a - b is a nonzero square, and f(a) = g·a for a primitive g.
//!
//! Any two points of ER_q, also equal ones, are joined by a walk of exactly two steps, loops being steps. Along it
//! (x, a) reaches (y, a), and one step in the supernode at its end or in its middle reaches (y, b) where a ~ b or
//! f(a) ~ f(b); a walk of three steps reaches (y, f(a)). So with `iq` and loops the diameter is at most 3.
//!
//! # Numbering
//! The id of (x, a) is x·n + a, with x as in polarfly, n the order of the supernode.
//!
//! # Where we differ
//! Several supernodes have these properties, with other distances in their products; the steps above choose one.
//! `loops=no` leaves the loops out, as is seen elsewhere.

use crate::family::{ArgError, Args, Built};
use crate::spec::{Arg, Spec};
use nestnet_draw::{Held, Plan};
use nestnet_graph::field::{Field, prime_power};
use nestnet_graph::star_product::{Bijection, Loops, StarProduct};
use nestnet_graph::theory::{Bounded, Degrees, Theory, moore_diameter};
use nestnet_graph::{Csr, Network};
use num_bigint::BigUint;
use std::sync::Arc;

/// Limit: the degree of a supernode of `polarstar`.
pub(super) const MAX_DEGREE: u64 = 1 << 10;

pub(super) fn build(args: &Args) -> Result<Built, ArgError> {
    let (q, d) = (args.integer("q"), args.integer("d"));
    if prime_power(q).is_none() {
        return Err(ArgError::new("q", format!("must be a prime power, not {q}")));
    }
    let kind = kind(args);
    let Supernode { order, links, images } = supernode(kind, d)?;
    let structure = args.build(&Spec::new("polarfly", [Arg::new(q)]))?;
    let (loops, has_loops) = match args.word("loops") {
        "no" => (Loops::None, false),
        _ => (Loops::AtEmptyPorts, true),
    };
    let memory = args.context.budget.memory;
    let copy = Csr::from_links(order, &links, memory)
        .map_err(|error| ArgError::new("d", format!("is too large: {error}")))?;
    let network = structure
        .base()
        .zip(Bijection::given(images))
        .and_then(|(structure, f)| StarProduct::new(structure, Arc::new(copy), f, loops));
    let network = network.map(|network| Arc::new(network) as Arc<dyn Network>);
    let points = q * q + q + 1;
    let plan = Plan::ring(points).around(&Plan::ring(order), 1, Held::Cluster);
    Ok(Built::new(PolarStar { q, d, order, kind, has_loops }, network).placed(plan))
}

/// Its theory alone, where many are looked at; a small one is built, as its distances are measured.
pub(super) fn quickly(args: &Args) -> Result<Built, ArgError> {
    let (q, d, kind) = (args.integer("q"), args.integer("d"), kind(args));
    let is_supernode = match kind {
        Kind::InductiveQuad => matches!(d % 4, 0 | 3),
        Kind::Paley => d.is_multiple_of(2) && d <= MAX_DEGREE && prime_power(2 * d + 1).is_some(),
    };
    const SMALL: u64 = 1 << 11;
    let is_small =
        q.saturating_mul(q).saturating_mul(d.saturating_mul(2).saturating_add(2)) <= SMALL;
    if is_small || prime_power(q).is_none() || d > MAX_DEGREE || !is_supernode {
        return build(args);
    }
    let order = 2 * d + if kind == Kind::Paley { 1 } else { 2 };
    let has_loops = args.word("loops") != "no";
    Ok(Built::new(PolarStar { q, d, order, kind, has_loops }, None))
}

fn kind(args: &Args) -> Kind {
    if args.word("supernode") == "paley" { Kind::Paley } else { Kind::InductiveQuad }
}

/// Which graph is copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    InductiveQuad,
    Paley,
}

/// A graph with a bijection of its nodes.
struct Supernode {
    order: u64,
    links: Vec<(u32, u32)>,
    images: Vec<u32>,
}

fn supernode(kind: Kind, d: u64) -> Result<Supernode, ArgError> {
    let short = u32::try_from(d).ok().filter(|_| d <= MAX_DEGREE);
    let degree =
        short.ok_or_else(|| ArgError::new("d", format!("must be at most {MAX_DEGREE}")))?;
    let (found, allowed) = match kind {
        Kind::InductiveQuad => (inductive_quad(degree), "0 or 3 modulo 4"),
        Kind::Paley => (paley(degree), "even, with 2d+1 a prime power"),
    };
    found.ok_or_else(|| ArgError::new("d", format!("must be {allowed}, not {d}")))
}

fn inductive_quad(d: u32) -> Option<Supernode> {
    let mut links = Vec::new();
    let mut images: Vec<u32> = Vec::new();
    // One node of each pair.
    let mut representatives: Vec<u32> = Vec::new();
    if d.is_multiple_of(4) {
        images.extend([1, 0]);
        representatives.push(0);
    } else if d % 4 != 3 {
        return None;
    }
    for _ in 0..d.div_ceil(4) {
        let n = u32::try_from(images.len()).ok()?;
        for (y, w) in [(1, 2), (2, 3), (3, 1)] {
            links.extend([(n, n + y), (n + 4, n + y)]);
            links.extend([(n + y, n + w + 4), (n + y + 4, n + w + 4)]);
        }
        for &a in &representatives {
            links.extend([0, 4, 1, 5].map(|i| (n + i, a)));
            links.extend([2, 6, 3, 7].map(|i| (n + i, images[a as usize])));
        }
        images.extend((n + 4..n + 8).chain(n..n + 4));
        representatives.extend(n..n + 4);
    }
    Some(Supernode { order: images.len() as u64, links, images })
}

fn paley(d: u32) -> Option<Supernode> {
    let order = 2 * d + 1;
    let field = Field::new(order).filter(|_| d.is_multiple_of(2))?;
    let mut links = Vec::new();
    for square in (0..d).map(|i| field.power(2 * i)) {
        let all = (0..order).map(|a| (a, field.add(a, square)));
        links.extend(all.filter(|(a, b)| a < b));
    }
    let images = (0..order).map(|a| field.multiply(field.power(1), a)).collect();
    Some(Supernode { order: order.into(), links, images })
}

/// What is proven of a PolarStar.
#[derive(Debug)]
struct PolarStar {
    q: u64,
    d: u64,
    /// The order of the supernode.
    order: u64,
    kind: Kind,
    has_loops: bool,
}

impl Theory for PolarStar {
    fn order(&self) -> BigUint {
        let q = BigUint::from(self.q);
        (&q * &q + q + 1u8) * self.order
    }

    /// A point has q + 1 links, with its loop. A loop is one link at every node that its bijection moves: an involution
    /// without fixed points moves all, and of a and g·a, a and a/g one pair differs by a square and is linked already.
    fn degrees(&self) -> Degrees {
        let (full, quadrics) = (self.q + 1 + self.d, BigUint::from(self.q + 1));
        let fewer = match (self.has_loops, self.kind) {
            (true, Kind::InductiveQuad) => BigUint::ZERO,
            (true, Kind::Paley) => quadrics,
            (false, _) => quadrics * self.order,
        };
        let rest = Theory::order(self) - &fewer;
        Degrees::counted([(full - 1, fewer), (full, rest)])
    }

    /// By the argument above; for `paley` and without loops it is left to measuring.
    fn diameter(&self) -> Option<Bounded> {
        if !self.has_loops || self.kind != Kind::InductiveQuad {
            return None;
        }
        let least = moore_diameter(&Theory::order(self), self.q + 1 + self.d);
        Some(Bounded::between(least, 3u8))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nestnet_graph::Node;
    use nestnet_graph::network::sorted_neighbors;

    /// Degree, order, and what the product needs: of any two nodes one of three things holds.
    #[test]
    fn inductive_quads_have_their_property() {
        for d in [0, 3, 4, 7, 8, 11, 12, 15] {
            let Supernode { order, links, images } = inductive_quad(d).unwrap();
            assert_eq!(order, 2 * u64::from(d) + 2);
            let graph = Csr::from_links(order, &links, 1 << 20).unwrap();
            assert_eq!(Degrees::measured(&graph), Degrees::regular(d.into(), order.into()));
            let linked =
                |a: u32, b: u32| sorted_neighbors(&graph, Node(a.into())).contains(&Node(b.into()));
            let nodes = 0..u32::try_from(order).unwrap();
            let f = |a: u32| images[a as usize];
            for a in nodes.clone() {
                assert!(f(f(a)) == a && f(a) != a && !linked(a, f(a)));
                for b in nodes.clone().filter(|&b| b != a) {
                    assert!(b == f(a) || linked(a, b) || linked(f(a), f(b)), "d = {d}: {a} {b}");
                }
            }
        }
        assert!(inductive_quad(1).is_none() && inductive_quad(6).is_none());
    }

    /// f² keeps links, and links and their images make the complete graph.
    #[test]
    fn paley_graphs_have_theirs() {
        for d in [2, 4, 6, 8, 12, 14] {
            let Supernode { order, links, images } = paley(d).unwrap();
            let graph = Csr::from_links(order, &links, 1 << 20).unwrap();
            assert_eq!(Degrees::measured(&graph), Degrees::regular(d.into(), order.into()));
            let linked =
                |a: u32, b: u32| sorted_neighbors(&graph, Node(a.into())).contains(&Node(b.into()));
            let f = |a: u32| images[a as usize];
            let nodes = 0..u32::try_from(order).unwrap();
            for a in nodes.clone() {
                for b in nodes.clone().filter(|&b| b != a) {
                    assert_eq!(linked(a, b), linked(f(f(a)), f(f(b))));
                    assert_ne!(linked(a, b), linked(f(a), f(b)));
                }
            }
        }
        assert!([0, 1, 3, 5, 10].into_iter().all(|d| paley(d).is_none()));
    }
}
