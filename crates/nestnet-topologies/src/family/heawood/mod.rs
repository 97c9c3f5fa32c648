//! Hierarchical Heawood networks.
//!
//! # Paper
//! G. E. Jan, Y.-S. Hwang, M.-B. Lin, D. Liang, "Novel Hierarchical Interconnection Networks for High-Performance
//! Multicomputer Systems", 2004.
//!
//! # Definition
//! Definition 1, the Heawood graph, is here; folded networks (Definition 2) are Cartesian powers; the others have
//! their own files. All are defined on any base, so that the Petersen versions of Fig. 9 come with them.
//!
//! # Numbering
//! The id of (V_(n-1), …, V_0) is Σ V_i·N^i.

mod build;
mod expanded;
mod flooded;
mod graph;
mod printed_broadcasts;
mod procedures;
mod root_folded;
mod spread;

use super::{Args, Facts, Family, MAX_COUNT, Make, Paper, Param};
use crate::family::paper_formula::{self, PaperFormula};
use num_bigint::BigUint;

const BASE: Param = Param::network("base", "the network in each dimension");

/// The rows of this folder.
pub static ROWS: &[Family] = &[
    Family {
        name: "heawood",
        paper: Paper::Heawood,
        about: "The Heawood graph (Definition 1): i ~ i±1 mod 14, odd i ~ i+5, even i ~ i-5.",
        params: &[],
        examples: &["heawood"],
        make: Make::Build(build::heawood),
        facts: Facts::NONE,
    },
    Family {
        name: "folded",
        paper: Paper::Heawood,
        about: "The folded network (Definition 2): the Cartesian power, any one digit changes along a link of the base.",
        params: &[BASE, Param::integer("n", 1, MAX_COUNT, "the number of dimensions")],
        examples: &["folded(heawood, 2)", "folded(petersen, 3)"],
        make: Make::Build(build::folded),
        facts: Facts {
            grows_by: Some("n"),
            left_out: |power| power.is_nested_in_itself(),
            ..Facts::NONE
        },
    },
    Family {
        name: "root_folded",
        paper: Paper::Heawood,
        about: "The root-folded network (Definition 3): a digit may change where every lower digit is 0.",
        params: &[
            BASE,
            Param::integer("n", 1, MAX_COUNT, "the number of dimensions"),
            Param::word(
                "reading",
                &["intended", "literal"],
                "every lower digit 0, as its routing has it, or every other digit 0, as printed",
            ),
        ],
        examples: &["root_folded(heawood, 2)"],
        make: Make::Build(build::root_folded),
        facts: Facts {
            grows_by: Some("n"),
            says: Some(|args| {
                figure_9(
                    args,
                    &[
                        ("heawood", 3, "jan-2004.figure-9-root-folded-heawood"),
                        ("petersen", 2, "jan-2004.figure-9-root-folded-petersen"),
                    ],
                )
            }),
            ..Facts::NONE
        },
    },
    Family {
        name: "re_heawood",
        paper: Paper::Heawood,
        about: "The recursively expanded Heawood network (Definition 4): re(heawood, heawood, n-1).",
        params: &[
            Param::integer("n", 1, 15, "the number of dimensions"),
            Param::word(
                "reading",
                &["copies", "single"],
                "links at the port of every unit copy, or at one node of each copy of the level below",
            ),
        ],
        examples: &["re_heawood(3)"],
        make: Make::Build(build::re_heawood),
        // Another name.
        facts: Facts {
            left_out: |_| true,
            says: Some(|args| {
                let n = args.integer("n");
                vec![
                    PaperFormula::is(
                        "nodes",
                        "Section 3.3",
                        BigUint::from(14u8).pow(u32::try_from(n).unwrap_or(1)),
                    )
                    .judged("jan-2004.section-3-3-nodes"),
                    PaperFormula::is("degree", "Fig. 9", 6).judged("jan-2004.figure-9-re-heawood"),
                    PaperFormula::is("diameter", "Fig. 9", 6 * n - 3)
                        .judged("jan-2004.figure-9-re-heawood"),
                ]
            }),
            ..Facts::NONE
        },
    },
    Family {
        name: "re_heawood2",
        paper: Paper::Heawood,
        about: "The recursively expanded Heawood network II (Definition 5): each level has three ports, one frame link each.",
        params: &[
            Param::integer("n", 1, 15, "the number of dimensions"),
            Param::word(
                "ports",
                &["coloring", "plusminus", "roundrobin"],
                "the frame link of a port: by a 3-edge-coloring, by its direction, or dealt out in turn",
            ),
        ],
        examples: &["re_heawood2(3)"],
        make: Make::Build(build::expanded),
        facts: Facts {
            // The Heawood graph.
            left_out: |expanded| expanded.integer(0) == 1,
            ..Facts::NONE
        },
    },
    Family {
        name: "flooded",
        paper: Paper::Heawood,
        about: "The flooded network (Definition 6): each node made in the last step becomes node 0 of a new copy of the base.",
        params: &[BASE, Param::integer("n", 1, MAX_COUNT, "the number of steps")],
        examples: &["flooded(heawood, 3)"],
        make: Make::Build(build::flooded),
        facts: Facts {
            grows_by: Some("n"),
            says: Some(|args| {
                figure_9(args, &[("heawood", 3, "jan-2004.figure-9-flooded-heawood")])
            }),
            ..Facts::NONE
        },
    },
];

/// Fig. 9: q^n nodes, and of the Heawood graph diameter 6n - 3, of the Petersen graph 4n - 2. It has no row for flooded
/// Petersen networks.
fn figure_9(args: &Args, rows: &[(&str, u64, &'static str)]) -> Vec<PaperFormula> {
    let (base, n) = (args.network("base"), args.integer("n"));
    let spec = base.spec().to_string();
    let Some(&(_, slope, row)) = rows.iter().find(|(base, ..)| *base == spec) else {
        return Vec::new();
    };
    let diameter = PaperFormula::is("diameter", "Fig. 9", slope * (2 * n - 1));
    let nodes = paper_formula::power(&base.order(), n);
    let nodes = nodes.map(|nodes| PaperFormula::is("nodes", "Fig. 9", nodes).judged(row));
    [diameter.judged(row)].into_iter().chain(nodes).collect()
}
