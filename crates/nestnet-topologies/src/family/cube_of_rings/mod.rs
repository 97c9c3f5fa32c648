//! Recursive cubes of rings, with cubes of rings and cube-connected cycles.
//!
//! # Paper
//! Y. Sun, P. Y. S. Cheung, X. Lin, "Recursive Cube of Rings: A New Topology for Interconnection Networks", 2000.
//!
//! # Definition
//! RCR(k, r, j): a node is [A; b] with m = k+j bits A and a ring position b below r.
//! Ring links lead to b ± 1 mod r; the k cube links flip bit f(b·j + x, m) for x = 1..k.
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
            Param::integer("r", 1, MAX_RING, "the number of nodes of a ring"),
            Param::integer("j", 0, MAX_BITS, "the number of expansions"),
            Param::word("positions", &["cyclic", "literal"], "which bits a ring position flips"),
        ],
        examples: &["rcr(2, 4, 3)", "rcr(2, 3, 2, positions=literal)"],
        make: Make::Build(|args| {
            let positions = match args.word("positions") {
                "literal" => Positions::Literal,
                _ => Positions::Cyclic,
            };
            build(args.integer("k"), args.integer("r"), args.integer("j"), positions)
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

/// Properties 1 and 5.
fn says(args: &Args) -> Vec<PaperFormula> {
    let [k, r, j] = ["k", "r", "j"].map(|name| args.integer(name));
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
