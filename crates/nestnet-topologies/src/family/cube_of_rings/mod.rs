//! Recursive cubes of rings, with cubes of rings and cube-connected cycles.
//!
//! # Paper
//! Y. Sun, P. Y. S. Cheung, X. Lin, "Recursive Cube of Rings: A New Topology for Interconnection Networks", 2000.
//!
//! # Definition
//! RCR(k, r, j): a node is [A; b] with m = k+j bits A and a ring position b below r.
//! Ring links lead to b ± 1 mod r; the k cube links flip bit f(b·j + x, m) for x = 1..k. With `nodes` in place of j, or of
//! r and j, they are those of the nearest size by Equation 2.1.
//!
//! # Numbering
//! The id of [A; b] is A·r + b.
//!
//! # Where we differ
//! The printed f is m - a for a ≤ m and a mod m beyond, which jumps at a = m and disconnects networks that the paper
//! names as special cases; all its worked examples have r = 2, where it agrees with f(a, m) = -a mod m.
//! `positions=cyclic` is that f, and position b then flips the bits (b-1)k … bk-1 mod m; `positions=literal` is the
//! printed one. For ring neighbors the printed f cannot be meant: we take b ± 1 mod r.
//! Links that coincide (a ring of two, literal positions) are one link.

mod corners;
mod derived;
mod hop_plane;
mod network;
mod router;
mod rule;
mod spread;
mod theory;
pub mod tree;
mod walk;

use super::{ArgError, Args, Built, Facts, Family, Make, Paper, Param};
use crate::family::built::{AS_PRINTED, TreeEmbedding};
use crate::family::paper_formula::PaperFormula;
use crate::spec::{Arg, Spec};
use hop_plane::{CHOICES, Choice, HopPlane};
use nestnet_collectives::{Broadcast, PrintedBroadcast};
use nestnet_draw::{Held, Plan};
use nestnet_graph::radix::{MAX_BITS, TooLong};
use nestnet_routing::Router;
use network::CubeOfRings;
use num_bigint::BigUint;
use router::{Lanes, RingWalk};
use rule::{Positions, Rule};
use spread::{AlongLinks, AlongTree, TreeAsPrinted};
use std::cmp::Reverse;
use std::sync::Arc;

/// The longest ring: as long as the largest network with node ids.
const MAX_RING: u64 = 1 << 63;

/// The longest ring that a search tries.
const MAX_SEARCHED_RING: u64 = 64;

/// What the field also calls its rows.
pub(super) static ALSO: &[(&str, &str)] = &[
    ("cube_connected_cycles", "ccc"),
    ("cube_of_rings", "cor"),
    ("recursive_cube_of_rings", "rcr"),
];

/// The parameters of what is derived from a cube of rings.
const DERIVED: &[Param] = &[
    Param::integer("k", 1, 20, "the number of cube links of a node"),
    Param::integer("r", 1, 1 << 20, "the number of nodes of a ring"),
    Param::integer("j", 0, 20, "the number of expansions"),
];

/// The rows of this file.
pub static ROWS: &[Family] = &[
    Family {
        name: "rcr",
        paper: Paper::CubeOfRings,
        about: "The recursive cube of rings: nodes [A; b] with k+j bits and a ring position; ring links b±1, and k cube links that flip the bits of position b.",
        params: &[
            Param::integer("k", 0, MAX_BITS, "the number of cube links of a node"),
            Param {
                optional: true,
                ..Param::integer("r", 1, MAX_RING, "the number of nodes of a ring")
            },
            Param {
                optional: true,
                ..Param::integer("j", 0, MAX_BITS, "the number of expansions")
            },
            Param::word("positions", &["cyclic", "literal"], "which bits a ring position flips"),
            Param::integer(
                "nodes",
                1,
                u64::MAX,
                "in place of j, or of r and j, the size that is wanted: by Equation 2.1 the nearest",
            )
            .or_none(),
        ],
        examples: &["rcr(2, 4, 3)", "rcr(2, 3, 2, positions=literal)", "rcr(2, nodes=96)"],
        make: Make::Build(|args| {
            let positions = match args.word("positions") {
                "literal" => Positions::Literal,
                _ => Positions::Cyclic,
            };
            let [k, r, j] = parameters(args)?;
            build(k, r, j, positions)
        }),
        facts: Facts {
            // Rings and cubes have names of their own, and half a ring is the least that the diameter can be.
            left_out: |cube| {
                cube.integer(0) == 0 || cube.integer(1) == 1 || cube.integer(1) > MAX_SEARCHED_RING
            },
            says: Some(says),
            ..Facts::NONE
        },
    },
    Family {
        name: "cor",
        paper: Paper::CubeOfRings,
        about: "The cube of rings: RCR(k, r, k(r-1)).",
        params: &[
            Param::integer("k", 1, MAX_BITS, "the number of cube links of a node"),
            Param::integer("r", 1, MAX_BITS, "the number of nodes of a ring"),
        ],
        examples: &["cor(2, 3)"],
        make: Make::Alias(|args: &Args| {
            let (k, r) = (args.integer("k"), args.integer("r"));
            if k * r > MAX_BITS {
                let message = format!("must be at most {} when k is {k}: {TooLong}", MAX_BITS / k);
                return Err(ArgError::new("r", message));
            }
            Ok(Spec::new("rcr", [k, r, k * (r - 1)].map(Arg::new)))
        }),
        facts: Facts::NONE,
    },
    Family {
        name: "ccc",
        paper: Paper::CubeOfRings,
        about: "Cube-connected cycles: [x; p] with n bits; ring links p±1 mod n, and a link that flips bit p.",
        params: &[Param::integer("n", 1, MAX_BITS, "the dimension, and the length of the cycles")],
        examples: &["ccc(4)"],
        make: Make::Build(|args| {
            build(1, args.integer("n"), args.integer("n") - 1, Positions::Own)
        }),
        facts: Facts {
            // A link.
            left_out: |cycles| cycles.integer(0) <= 1,
            near: Some(|nodes, _| {
                let bits = u64::from(nodes.ilog2());
                (3..=bits.max(3)).map(|n| vec![n]).collect()
            }),
            ..Facts::NONE
        },
    },
    Family {
        name: "rcr_expanded",
        paper: Paper::CubeOfRings,
        about: "The recursive cube of rings made by its expansions: the seed, then j times two copies from which cube links go and to which others come; `info` counts them and lists those of small networks.",
        params: DERIVED,
        examples: &["rcr_expanded(2, 2, 2)"],
        make: Make::Build(derived::expanded),
        facts: Facts { searched: false, ..Facts::NONE },
    },
    Family {
        name: "rcr_planes",
        paper: Paper::CubeOfRings,
        about: "The contraction of a recursive cube of rings (Definition 6): a node for each cube plane, joined where a ring link joins them.",
        params: DERIVED,
        examples: &["rcr_planes(2, 4, 2)"],
        make: Make::Build(derived::planes),
        facts: Facts { searched: false, ..Facts::NONE },
    },
    Family {
        name: "rcr_cayley",
        paper: Paper::CubeOfRings,
        about: "The Cayley graph of the group of Property 4, where there is one: elements multiplied by the Cayley set from the right, which is the recursive cube of rings, or from the left, which is the same with every node renamed to its inverse; mixed are bits from the left and ring neighbors as from the right, copies of the seed.",
        params: &[
            DERIVED[0],
            DERIVED[1],
            DERIVED[2],
            Param::word(
                "side",
                &["right", "left", "mixed"],
                "from which side the generators are multiplied",
            ),
        ],
        examples: &["rcr_cayley(2, 2, 2)", "rcr_cayley(2, 2, 2, side=left)"],
        make: Make::Build(derived::cayley),
        facts: Facts { searched: false, ..Facts::NONE },
    },
];

/// k, r and j: as given, or by Equation 2.1 from the wanted size N'.
fn parameters(args: &Args) -> Result<[u64; 3], ArgError> {
    let k = args.integer("k");
    match ["r", "j", "nodes"].map(|name| args.optional_integer(name)) {
        [Some(r), Some(j), None] => Ok([k, r, j]),
        [r, None, Some(nodes)] => {
            let (r, j) = nearest(k, r, nodes);
            Ok([k, r, j])
        }
        [_, Some(_), Some(_)] => {
            Err(ArgError::new("j", "cannot be given with nodes, which determines it"))
        }
        _ => Err(ArgError::whole("needs r and j, or nodes")),
    }
}

/// r and j with N = r·2^(k+j) closest to the wanted N', r being ⌈N'/2^(k+j)⌉ where N > N' and ⌊N'/2^(k+j)⌋ where not
/// (Equation 2.1), or as given. Which of the nearest the text leaves open; ours is a connected one, then the one with more
/// nodes, then the one with more expansions, whose rings are shorter.
fn nearest(k: u64, given: Option<u64>, nodes: u64) -> (u64, u64) {
    let wanted = u128::from(nodes);
    let least = (given.unwrap_or(1), 0);
    let pairs = (0..=u64::from(u64::BITS)).flat_map(|j| {
        let cube = 1u128.checked_shl(u32::try_from(k + j).unwrap_or(u32::MAX)).unwrap_or(u128::MAX);
        let rings = match given {
            Some(r) => vec![r.into()],
            None => vec![wanted.div_ceil(cube), wanted / cube],
        };
        rings.into_iter().map(move |r: u128| (r, j, r.saturating_mul(cube)))
    });
    let connected =
        pairs.filter(|&(r, j, _)| r.saturating_mul(k.into()) >= u128::from(k + j) && r > 0);
    let best =
        connected.min_by_key(|&(_, j, order)| (order.abs_diff(wanted), order < wanted, Reverse(j)));
    best.map_or(least, |(r, j, _)| (u64::try_from(r).unwrap_or(MAX_RING).min(MAX_RING), j))
}

/// Properties 1 and 5.
fn says(args: &Args) -> Vec<PaperFormula> {
    let Ok([k, r, j]) = parameters(args) else { return Vec::new() };
    let nodes = BigUint::from(r) << (k + j).min(1 << 14);
    let diameter = BigUint::from(r.saturating_sub(1).div_ceil(2)) + (k + j).saturating_sub(1);
    vec![
        PaperFormula::is("nodes", "Property 1", nodes).judged("sun-2000.property-1-1"),
        PaperFormula::is(
            "degree",
            "Property 1",
            if r > 2 { k + 2 } else { (k + r).saturating_sub(1) },
        )
        .judged("sun-2000.property-1-2"),
        PaperFormula::at_most("diameter", "Property 5", diameter).judged("sun-2000.property-5"),
    ]
}

fn build(k: u64, r: u64, j: u64, positions: Positions) -> Result<Built, ArgError> {
    if k + j > MAX_BITS {
        return Err(ArgError::new(
            "j",
            format!("must be at most {} when k is {k}: {TooLong}", MAX_BITS - k),
        ));
    }
    let rule = Rule { k, r, j, positions };
    let shape = CubeOfRings { rule, walks: Arc::default() };
    let router = |lanes| Some(Arc::new(RingWalk::new(shape.clone(), lanes)?) as Arc<dyn Router>);
    let routers = [
        ("walk", router(Lanes::Published)),
        ("repaired", router(Lanes::Parts)),
        ("shortest", router(Lanes::Parts)),
    ];
    let built = Built::of(shape.clone());
    let connected = built.theory.connected();
    let hop_plane = |choice| {
        let router = HopPlane::new(shape.clone(), choice, connected)?;
        Some(Arc::new(router) as Arc<dyn Router>)
    };
    // What is built on it routes in legs, which remember nothing: by the exact walk.
    let (paper, leg) = (hop_plane(Choice::Nearest), router(Lanes::Published));
    let routed = paper.is_some() && leg.is_some();
    let built = built.routed_from("paper", paper, leg).routed(routers);
    let built = built.routed(CHOICES.map(|(name, choice)| (name, hop_plane(choice))));
    let built = if routed { built } else { built.unrouted() };
    let below = |most| built.network.as_ref().is_some_and(|network| network.order() <= most);
    let [spreads, embeds] = [spread::MAX_ORDER, tree::MAX_EMBEDDED].map(|m| connected && below(m));
    // Rings at the corners of a cube.
    let corners = Plan::cube(u32::try_from((k + j).min(63)).expect("at most 63"));
    let joints = corners::joints(&corners, &shape.rule);
    let plan = corners.around(&Plan::ring(r), 1, Held::Cluster).joined(joints);
    let rule = shape.rule.clone();
    let built = built.placed(plan);
    let built = if connected { built.placed_also("planes", planes(rule)) } else { built };
    let along_links =
        spreads.then(|| Arc::new(AlongLinks(shape.clone())) as Arc<dyn PrintedBroadcast>);
    let along_tree = embeds.then(|| Arc::new(AlongTree::new(shape.clone())));
    let printed = along_tree.clone().map(TreeAsPrinted);
    let printed = printed.map(|printed| Arc::new(printed) as Arc<dyn PrintedBroadcast>);
    let built = built
        .broadcasting(along_tree.map(|tree| tree as Arc<dyn Broadcast>))
        .with_printed_broadcast("links", along_links)
        .with_printed_broadcast(AS_PRINTED, printed);
    Ok(built.with_tree_embedding(embeds.then(|| Arc::new(shape) as Arc<dyn TreeEmbedding>)))
}

/// Definition 1: cube planes, the nodes that cube links join, each drawn as a cube; all of them on a circle.
fn planes(rule: Rule) -> Plan {
    let [k, j] = [rule.k, rule.j].map(|bits| u32::try_from(bits.min(63)).expect("at most 63"));
    let count = rule.r.saturating_mul(1u64.checked_shl(j).unwrap_or(u64::MAX));
    let plan = Plan::ring(count).around(&Plan::cube(k), 1, Held::Cluster);
    plan.seated(move |at| {
        let (corner, b) = (at.0 / rule.r, at.0 % rule.r);
        // The bits that position b flips tell nodes of a plane apart, the others tell planes apart.
        let flips = rule.flips(b);
        let (mut inside, mut plane, mut places) = (0, b, 0);
        for bit in 0..rule.bits() {
            let value = corner >> bit & 1;
            if flips.iter().any(|range| range.contains(&bit)) {
                inside |= value << places;
                places += 1;
            } else {
                plane = plane << 1 | value;
            }
        }
        plane << rule.k | inside
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build;

    #[test]
    fn the_nearest_size_is_that_of_all_connected_ones() {
        for k in 1..=4 {
            for nodes in 1..=600u64 {
                let (r, j) = nearest(k, None, nodes);
                let all = (1..=700u64).flat_map(|r| (0..=9).map(move |j| (r, j)));
                let connected = all.filter(|&(r, j)| r * k >= k + j);
                let miss = |(r, j): (u64, u64)| (r << (k + j)).abs_diff(nodes);
                let least = connected.clone().map(miss).min().unwrap();
                assert_eq!(miss((r, j)), least, "k = {k}, {nodes} nodes");
                // No other of these has more nodes, nor the same number in shorter rings.
                let others = connected.filter(|&pair| miss(pair) == least);
                let mut others = others.map(|(r, j)| (r << (k + j), j));
                assert_eq!(others.by_ref().max(), Some((r << (k + j), j)), "k = {k}, {nodes}");
            }
        }
        // 20,000 = 625·2^5.
        assert_eq!(nearest(2, None, 20_000), (625, 3));
        assert_eq!(nearest(2, Some(4), 110), (4, 3));
    }

    #[test]
    fn a_size_is_in_place_of_j() {
        let same = |one: &str, other: &str| {
            let sizes = |spec: &str| {
                let theory = build(spec).unwrap().theory;
                (theory.order(), theory.diameter())
            };
            assert_eq!(sizes(one), sizes(other), "{one}");
        };
        same("rcr(2, nodes=20000)", "rcr(2, 625, 3)");
        same("rcr(2, 4, nodes=110)", "rcr(2, 4, 3)");
        for (spec, words) in [
            ("rcr(2, 4, 3, nodes=128)", "j cannot be given with nodes"),
            ("rcr(2, j=3, nodes=128)", "j cannot be given with nodes"),
            ("rcr(2, 4)", "needs r and j, or nodes"),
            ("rcr(2)", "needs r and j, or nodes"),
        ] {
            let error = build(spec).unwrap_err();
            assert!(error.message.contains(words), "{error}");
        }
    }
}
