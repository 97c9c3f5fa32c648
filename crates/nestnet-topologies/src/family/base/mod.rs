//! Base graphs that everyone knows: what the papers build on.

mod cube;
mod explicit;
mod line;
mod named;
mod spread;
mod tree;

use super::{
    ArgError, Args, Built, Facts, Family, Instance, MAX_COUNT, Make, Paper, Param, sizing,
};
use crate::family::built::fits;
use crate::spec::{Arg, Spec};
use line::{Complete, Path, Ring};
use nestnet_collectives::{Broadcast, DigitByDigit};
use nestnet_draw::{Held, Joints, Plan, Shape, Side};
use nestnet_graph::product::{Levels, Product, ProductTheory};
use nestnet_graph::{Network, Theory};
use nestnet_routing::Router;
use nestnet_routing::route::DimensionOrder;
use num_bigint::BigUint;
use std::sync::Arc;

/// The largest side of anything.
const MAX_SIDE: u64 = 1 << 63;

const SIDES: Param =
    Param::integers("sides", 1, MAX_SIDE, "the number of nodes along each dimension");

/// What the field also calls its rows.
pub(super) static ALSO: &[(&str, &str)] = &[
    ("cycle", "ring"),
    ("loop", "ring"),
    ("line", "path"),
    ("chain", "path"),
    ("clique", "complete"),
    ("full_mesh", "complete"),
    ("fully_connected", "complete"),
    ("crossbar", "complete"),
    ("binary_tree", "tree"),
    ("grid", "mesh"),
    ("array", "mesh"),
    ("k_ary_n_cube", "torus"),
    ("kary_ncube", "torus"),
    ("cube", "hypercube"),
    ("n_cube", "hypercube"),
    ("binary_cube", "hypercube"),
    ("folded_cube", "folded_hypercube"),
    ("hamming", "generalized_hypercube"),
    ("rook", "generalized_hypercube"),
    ("flattened_butterfly", "hyperx"),
    ("edge_list", "file"),
    ("edgelist", "file"),
    ("edges", "file"),
    ("csv", "file"),
];

/// The row and the integer of a node alone.
pub fn alone() -> Option<(&'static Family, u64)> {
    ROWS.iter().find(|row| row.name == "complete").map(|row| (row, 1))
}

/// The rows of this file.
pub static ROWS: &[Family] = &[
    Family::built(
        Paper::Common,
        "ring",
        "A cycle: i ~ i+1 mod n. Two nodes make one link, one node none.",
        &[Param::integer("n", 1, MAX_SIDE, "the number of nodes")],
        &["ring(5)"],
        |args| Ok(in_line(args, Ring::new, Side::Ring)),
    )
    .with(Facts {
        // Complete graphs.
        left_out: |ring| ring.integer(0) <= 3,
        ..Facts::NONE
    }),
    Family::built(
        Paper::Common,
        "path",
        "A line: i ~ i+1.",
        &[Param::integer("n", 1, MAX_SIDE, "the number of nodes")],
        &["path(4)"],
        |args| Ok(in_line(args, Path::new, Side::Path)),
    )
    .with(Facts {
        // Complete graphs.
        left_out: |path| path.integer(0) <= 2,
        ..Facts::NONE
    }),
    Family::built(
        Paper::Common,
        "complete",
        "Every two nodes are linked: a full mesh; of switches `hosts(complete(n), p)`.",
        &[Param::integer("n", 1, MAX_SIDE, "the number of nodes")],
        &["complete(4)"],
        |args| Ok(in_line(args, Complete::new, Side::Complete)),
    )
    .with(Facts {
        // A node alone.
        left_out: |complete| complete.integer(0) <= 1,
        ..Facts::NONE
    }),
    Family::built(
        Paper::Common,
        "star",
        "Hub 0 and n-1 leaves.",
        &[Param::integer("n", 1, MAX_SIDE, "the number of nodes")],
        &["star(5)"],
        |args| {
            let n = args.integer("n");
            Ok(Built::of_all(line::Star::new(n)).placed(Plan::of(Shape::Hub(n))))
        },
    )
    .with(Facts {
        // Complete graphs.
        left_out: |star| star.integer(0) <= 2,
        ..Facts::NONE
    }),
    Family::built(
        Paper::Common,
        "tree",
        "A complete binary tree, numbered level by level: the children of i are 2i+1 and 2i+2.",
        &[Param::integer("h", 1, MAX_COUNT, "the number of levels")],
        &["tree(4)"],
        |args| {
            let tree = tree::Tree::new(args.integer("h"));
            Ok(Built::of_routed(tree.clone()).placed(tree.plan()))
        },
    )
    .with(Facts {
        // A star of three nodes.
        left_out: |tree| tree.integer(0) <= 2,
        ..Facts::NONE
    }),
    Family::built(
        Paper::Common,
        "mesh",
        "A grid: coordinates in mixed radix, first most significant; neighbors differ by 1 in one of them.",
        &[SIDES],
        &["mesh(3, 4)"],
        |args| grid(args, Path::new, Side::Path),
    )
    .with(Facts {
        left_out: |mesh| has_idle_side(mesh) || is_cube(mesh),
        ..Facts::NONE
    }),
    Family::built(
        Paper::Common,
        "torus",
        "A grid that wraps around. A side of 2 gives single links, a side of 1 none.",
        &[SIDES],
        &["torus(5, 5)", "torus(3, 3, 3)"],
        |args| grid(args, Ring::new, Side::Ring),
    )
    .with(Facts {
        left_out: |torus| has_idle_side(torus) || is_cube(torus),
        near: Some(|nodes, degree| {
            // Of an odd degree rather one link more than one fewer; of one dimension it would be a ring.
            let dimensions = [degree.div_ceil(2).max(2), (degree / 2).max(2)].into_iter();
            dimensions.flat_map(|count| sizing::sides(nodes, count, 3)).collect()
        }),
        ..Facts::NONE
    }),
    Family::built(
        Paper::Common,
        "hypercube",
        "Bit strings of n digits; neighbors differ in one.",
        &[Param::integer("n", 0, MAX_COUNT, "the number of dimensions")],
        &["hypercube(4)"],
        |args| {
            let n = args.integer("n");
            let built = Built::of_all(cube::Hypercube::new(n)).as_product(bits(n));
            Ok(built.placed(cube::plan(n)))
        },
    )
    .with(Facts {
        grows_by: Some("n"),
        // A link.
        left_out: |cube| cube.integer(0) <= 1,
        near: Some(|nodes, _| sizing::cubes(nodes)),
        ..Facts::NONE
    }),
    Family::built(
        Paper::Common,
        "folded_hypercube",
        "A hypercube in which each node is also linked to its complement.",
        &[Param::integer("n", 1, MAX_COUNT, "the number of dimensions")],
        &["folded_hypercube(4)"],
        |args| {
            let n = args.integer("n");
            let built = Built::of_all(cube::FoldedHypercube::new(n)).as_product(bits(n));
            Ok(built.placed(cube::plan(n).joined(Joints::Counted)))
        },
    )
    .with(Facts {
        // Complete graphs.
        left_out: |cube| cube.integer(0) <= 2,
        near: Some(|nodes, _| sizing::cubes(nodes)),
        ..Facts::NONE
    }),
    Family::built(
        Paper::Common,
        "generalized_hypercube",
        "Coordinates in mixed radix; neighbors differ in exactly one of them, by any amount.",
        &[SIDES],
        &["generalized_hypercube(3, 4)"],
        |args| grid(args, Complete::new, Side::Complete),
    )
    .with(Facts {
        // Of sides up to 3 it is a torus.
        left_out: |cube| has_idle_side(cube) || cube.integers.iter().all(|&side| side <= 3),
        ..Facts::NONE
    }),
    Family {
        name: "hyperx",
        paper: Paper::Baseline,
        about: "Another name for the generalized hypercube.",
        params: &[SIDES],
        examples: &["hyperx(4, 4)"],
        make: Make::Alias(|args| {
            let sides = args.integers("sides").iter().map(|&side| Arg::new(side));
            Ok(Spec::new("generalized_hypercube", sides))
        }),
        facts: Facts {
            near: Some(|nodes, degree| {
                // Sides that add up to the degree, as equal as can be, in any number of dimensions.
                // Every one doubles the nodes at least.
                let most = degree.min(u64::from(nodes.max(1).ilog2()) + 2);
                let by_degree = (1..=most).map(|count| {
                    let more = |i| u64::from(i < degree % count);
                    let side = |i| (degree / count).saturating_add(more(i)).saturating_add(1);
                    (0..count).map(side).collect()
                });
                by_degree.chain((1..=6).flat_map(|count| sizing::sides(nodes, count, 2))).collect()
            }),
            ..Facts::NONE
        },
    },
    Family::built(
        Paper::Common,
        "petersen",
        "The Petersen graph: outer 0..4, spokes i ~ i+5, inner 5+i ~ 5+(i+2) mod 5.",
        &[],
        &["petersen"],
        |_| Ok(Built::of(named::Petersen).placed(named::petersen_plan())),
    ),
    Family::built(
        Paper::Common,
        "hoffman_singleton",
        "The Hoffman-Singleton graph: 50 nodes of degree 7, diameter 2; five pentagons and five pentagrams.",
        &[],
        &["hoffman_singleton"],
        |_| {
            let pentagons = Plan::ring(5);
            let plan = pentagons.twice().around(&pentagons, 0, Held::Cluster);
            Ok(Built::of(named::HoffmanSingleton).placed(plan))
        },
    ),
    Family::built(
        Paper::Common,
        "file",
        "A network from a file of any format that `nestnet import` reads, such as GraphML, an edge list or the output of ibnetdiscover: its names are addresses, its hosts and levels are kept, and a link that is listed several times has as many cables.",
        &[
            Param { kind: super::Kind::Text, ..Param::network("path", "where the file is") },
            Param::integer(
                "nodes",
                1,
                1 << 32,
                "the number of nodes, where the last ones have no links",
            )
            .or_none(),
            Param {
                kind: super::Kind::Text,
                ..Param::network("format", "the format, where neither the file nor its name determines it")
            }
            .or_none(),
        ],
        &["file(\"edges.txt\")"],
        explicit::from_file,
    ),
];

/// Whether a grid has fewer dimensions than it has sides, or only one: then it is a line, which has a name.
fn has_idle_side(grid: &Instance<'_>) -> bool {
    grid.integers.len() == 1 || grid.integers.contains(&1)
}

fn is_cube(grid: &Instance<'_>) -> bool {
    grid.integers.iter().all(|&side| side == 2)
}

/// The factors of a cube, where it is built.
fn bits(n: u64) -> Vec<Arc<dyn Network>> {
    let count = if n < 64 { n } else { 0 };
    (0..count).map(|_| Arc::new(Complete::new(2)) as Arc<dyn Network>).collect()
}

/// One line.
fn in_line<L>(args: &Args, line: impl Fn(u64) -> L, side: Side) -> Built
where
    L: Network + Theory + Router + Broadcast + Clone + 'static,
{
    let n = args.integer("n");
    Built::of_all(line(n)).placed(Plan::grid(&[n], side))
}

/// A product of one kind of line, routed in dimension order.
fn grid<L>(args: &Args, line: impl Fn(u64) -> L, side: Side) -> Result<Built, ArgError>
where
    L: Network + Theory + Router + Broadcast + 'static,
{
    let sides = args.integers("sides");
    let order: BigUint = sides.iter().map(|&side| BigUint::from(side)).product();
    let order = nestnet_graph::radix::short(order)?;
    let fits = fits(&order) && sides.iter().all(|&side| side < 1 << 32);
    let lines: Vec<Arc<L>> =
        if fits { sides.iter().map(|&side| Arc::new(line(side))).collect() } else { Vec::new() };
    let factors: Vec<_> = lines.iter().map(|line| line.clone() as Arc<dyn Network>).collect();
    let product = if fits { Product::new(&factors, Levels::Flat).map(Arc::new) } else { None };
    let routers = lines.iter().map(|line| line.clone() as Arc<dyn Router>).collect();
    let mut powers: Vec<(Arc<dyn Theory>, u64)> = Vec::new();
    let mut last = None;
    for &side in sides {
        // Equal neighbors are one factor to a power, which is quicker to multiply out.
        match powers.last_mut().filter(|_| last == Some(side)) {
            Some((_, times)) => *times += 1,
            None => powers.push((Arc::new(line(side)), 1)),
        }
        last = Some(side);
    }
    let router = product.clone().and_then(|product| DimensionOrder::new(product, routers));
    let router = router.map(|router| Arc::new(router) as Arc<dyn Router>);
    let parts = lines.iter().map(|line| line.clone() as Arc<dyn Broadcast>).collect();
    let broadcast = product.clone().and_then(|product| DigitByDigit::new(product, parts));
    let broadcast = broadcast.map(|broadcast| Arc::new(broadcast) as Arc<dyn Broadcast>);
    let network = product.map(|product| product as Arc<dyn Network>);
    let built = Built::new(ProductTheory { factors: powers }, network).broadcasting(broadcast);
    // What has no node ids has no places.
    let built = if fits { built.placed(Plan::grid(sides, side)) } else { built };
    Ok(built.routed([("paper", router.clone()), ("shortest", router)]).as_product(factors))
}
