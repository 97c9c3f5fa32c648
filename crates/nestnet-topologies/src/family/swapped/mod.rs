//! Swapped networks.
//!
//! # Paper
//! C.-H. Yeh, B. Parhami, "Swapped Networks: Unifying the Architectures and Algorithms of a Wide Class of
//! Hierarchical Parallel Processors", 1996. It covers HCN, HFN, HSN, 3-HCN, WK-recursive networks and hypernets
//! as members of one class: a link between clusters exchanges two equal parts of the address.
//!
//! [`recursive`] holds RSN, HCN and HFN; [`hierarchical`] HSN and 3-HCN; [`corner`] symmetric hypernets and
//! WK-recursive networks; [`hypernet`] hypernets; [`general`] swapped networks with smaller steps.

mod ascend;
mod buses;
pub mod corner;
pub mod general;
pub mod hierarchical;
pub mod hypernet;
mod modules;
pub mod recursive;

use super::paper_formula::{self, PaperFormula};
use super::{Args, Facts, Family, MAX_COUNT, Make, Paper, Param};
use crate::spec::{Arg, Spec};

/// Equations 1, 3 and 5: the diameter is that of networks without diameter links, and bounds the others.
fn says(args: &Args<'_>) -> Vec<PaperFormula> {
    let (nucleus, l) = (args.network("nucleus"), args.integer("levels"));
    let degree = nucleus.theory.degrees().max.saturating_add(l - 1);
    let degree = PaperFormula::is("degree", "Equation 3, the largest", degree);
    let mut all = vec![degree.judged("yeh-parhami-1996.eq-3")];
    let Some(digits) = paper_formula::doubled(l - 1) else { return all };
    if let Some(order) = paper_formula::power(&nucleus.order(), digits) {
        let nodes = PaperFormula::is("nodes", "Equation 1", order);
        all.push(nodes.judged("yeh-parhami-1996.eq-1"));
    }
    let diameter = nucleus.theory.diameter();
    if let Some(inner) = diameter.as_ref().and_then(|known| known.exact()) {
        let value = (inner + 1u8) * digits - 1u8;
        all.push(match args.word("diameter_links") {
            "false" => {
                PaperFormula::is("diameter", "Equation 5", value).judged("yeh-parhami-1996.eq-5")
            }
            _ => PaperFormula::at_most("diameter", "Section 2.5", value)
                .judged("yeh-parhami-1996.section-2-5-diameter-bound"),
        });
    }
    all
}

/// Section 1 has the degree n/2 + 1 of a network as large as an n-cube, Section 3.1 the bound of the routing OPT.
fn hcn_says(args: &Args<'_>) -> Vec<PaperFormula> {
    let n = args.integer("n");
    let degree = PaperFormula::is("degree", "Section 1", n + 1);
    let diameter = PaperFormula::at_most("diameter", "Section 3.1", n + n / 2 + 1);
    vec![
        degree.judged("yeh-parhami-1996.section-1-hcn-degree"),
        diameter.judged("yeh-parhami-1996.section-3-1-hcn-bound"),
    ]
}

/// Section 1: degree n/3 + 2 of a network as large as an n-cube.
fn hcn3_says(args: &Args<'_>) -> Vec<PaperFormula> {
    let degree = PaperFormula::is("degree", "Section 1, the largest", args.integer("n") + 2);
    vec![degree.judged("yeh-parhami-1996.section-1-3-hcn-degree")]
}

const NUCLEUS: Param = Param::network("nucleus", "the innermost network");

/// What the field also calls its rows.
pub(super) static ALSO: &[(&str, &str)] = &[
    ("swapped", "sn"),
    ("swapped_network", "sn"),
    ("otis", "sn"),
    ("recursive_swapped", "rsn"),
    ("hierarchical_cubic", "hcn"),
    ("hierarchical_swapped", "hsn"),
    ("hierarchical_folded", "hfn"),
    ("wk_recursive", "wk"),
];

/// The rows of this folder.
pub static ROWS: &[Family] = &[
    Family {
        name: "buses",
        paper: Paper::Swapped,
        about: "A network whose innermost clusters are buses, such as buslets (Sections 2.1 and 5.2): a node has one link to the bus of its cluster in place of those to the others of it. Buses only switch.",
        params: &[Param::network("base", "the network with cliques in place of buses")],
        examples: &["buses(rsn(complete(8), 2))"],
        make: Make::Build(buses::build),
        facts: Facts { searched: false, ..Facts::NONE },
    },
    Family {
        name: "rsn",
        paper: Paper::Swapped,
        about: "The recursive swapped network: 2^(levels-1) digits; the level-i link exchanges the upper and the lower half of the low 2^(i-1) digits. Where they are equal the node is a leader and has no link.",
        params: &[
            NUCLEUS,
            Param::integer("levels", 1, 64, "the number of levels; the nucleus is level 1"),
            Param::word(
                "diameter_links",
                &["false", "true", "top"],
                "link leader (X,X) to (N-1-X, N-1-X): not, at every level, or at the top level only",
            ),
        ],
        examples: &["rsn(hypercube(4), 3)", "rsn(ring(5), 2, diameter_links=true)"],
        make: Make::Build(recursive::build),
        facts: Facts {
            grows_by: Some("levels"),
            // Diameter links at some levels but not at all of them have no other name, unless only the top has them.
            left_out: |swapped| {
                swapped.is_nested_in_itself()
                    && (swapped.integers == [2] || swapped.word == Some("false"))
            },
            says: Some(says),
            ..Facts::NONE
        },
    },
    Family {
        name: "hcn",
        paper: Paper::Swapped,
        about: "The hierarchical cubic network HCN(n,n): RSN(2, Q_n) with diameter links.",
        params: &[Param::integer("n", 1, MAX_COUNT / 2, "the dimension of the cubes")],
        examples: &["hcn(4)"],
        make: Make::Build(recursive::build_hcn),
        facts: Facts { says: Some(hcn_says), ..Facts::NONE },
    },
    Family {
        name: "hfn",
        paper: Paper::Swapped,
        about: "The hierarchical folded-hypercube network HFN(n,n): RSN(2, folded Q_n).",
        params: &[Param::integer("n", 1, MAX_COUNT / 2, "the dimension of the folded cubes")],
        examples: &["hfn(4)"],
        make: Make::Alias(|args| {
            let cube = Spec::new("folded_hypercube", [Arg::new(args.integer("n"))]);
            Ok(Spec::new("rsn", [Arg::new(cube), Arg::new(2)]))
        }),
        facts: Facts::NONE,
    },
    Family {
        name: "hsn",
        paper: Paper::Swapped,
        about: "The hierarchical swapped network: `levels` digits; the level-i link exchanges digit i with digit 1. This is inferred from the remarks of Section 5.1: the paper that defines HSN, its reference [14], was not seen.",
        params: &[
            NUCLEUS,
            Param::integer("levels", 1, MAX_COUNT, "the number of digits; the nucleus is level 1"),
        ],
        examples: &["hsn(hypercube(3), 3)"],
        make: Make::Build(hierarchical::build),
        facts: Facts {
            grows_by: Some("levels"),
            // Of two digits it is the swapped network of two levels.
            left_out: |digits| digits.integers == [2],
            ..Facts::NONE
        },
    },
    Family {
        name: "hcn3",
        paper: Paper::Swapped,
        about: "The three-level hierarchical cubic network: HSN of three digits over Q_n, with the diameter links of its HCN modules.",
        params: &[Param::integer("n", 1, MAX_COUNT / 3, "the dimension of the cubes")],
        examples: &["hcn3(3)"],
        make: Make::Build(hierarchical::build_hcn3),
        facts: Facts { says: Some(hcn3_says), ..Facts::NONE },
    },
    Family {
        name: "wk",
        paper: Paper::Swapped,
        about: "The WK-recursive network: t digits below d; the last digit may change freely, and P x y..y ~ P y x..x. The d corners keep an open link.",
        params: &[
            Param::integer("d", 1, 1 << 31, "the number of nodes of the complete graphs"),
            Param::integer("t", 1, MAX_COUNT, "the number of levels"),
        ],
        examples: &["wk(4, 3)"],
        make: Make::Build(corner::build_wk),
        facts: Facts {
            grows_by: Some("t"),
            // Complete graphs.
            left_out: |wk| wk.integer(0) == 1 || wk.integer(1) == 1,
            ..Facts::NONE
        },
    },
    Family {
        name: "symmetric_hypernet",
        paper: Paper::Swapped,
        about: "The symmetric hypernet: as the WK-recursive network, on any nucleus instead of a complete graph.",
        params: &[NUCLEUS, Param::integer("l", 1, MAX_COUNT, "the number of levels")],
        examples: &["symmetric_hypernet(hypercube(3), 2)"],
        make: Make::Build(corner::build),
        facts: Facts {
            grows_by: Some("l"),
            // The swapped network of two levels.
            left_out: |hypernet| hypernet.integers == [2],
            ..Facts::NONE
        },
    },
    Family {
        name: "hypernet",
        paper: Paper::Swapped,
        about: "The hypernet of d-cubes: at level i, X'X\"01..1 ~ X\"X'01..1 with i-2 ones; each node has at most one such link.",
        params: &[
            Param::integer("d", 1, 1 << 16, "the dimension of the cubes"),
            Param::integer("l", 1, 1 << 16, "the number of levels"),
        ],
        examples: &["hypernet(3, 3)"],
        make: Make::Build(hypernet::build),
        facts: Facts {
            // A cube.
            left_out: |hypernet| hypernet.integer(1) == 1,
            ..Facts::NONE
        },
    },
    Family {
        name: "sn",
        paper: Paper::Swapped,
        about: "One level of a general swapped network: 2^h copies of a base of 2^k nodes; the h new top bits are exchanged with the bits at..at+h-1, for all nodes or for those with x & mask == value.",
        params: &[
            Param::network("base", "the network below, whose order is a power of two"),
            Param::integer("h", 1, MAX_COUNT, "the number of new bits"),
            Param::integer("at", 0, MAX_COUNT, "the lowest bit of those they are exchanged with"),
            Param::integer("mask", 0, u64::MAX, "which bits decide whether a node has the link")
                .or_none(),
            Param::integer("value", 0, u64::MAX, "what those bits must be").or_none(),
        ],
        examples: &[
            "sn(rsn(hypercube(2), 3), 4, 0)",
            "sn(rsn(hypercube(2), 3), 4, 4, mask=1, value=0)",
        ],
        make: Make::Build(general::build),
        facts: Facts {
            // All bits exchanged make the recursive swapped network of two levels.
            left_out: |swapped| {
                let all = |order: u128| order == 1 << swapped.integer(0).min(127);
                swapped.integers.len() == 2
                    && swapped.integer(1) == 0
                    && swapped.base.is_some_and(|base| all(base.order))
            },
            ..Facts::NONE
        },
    },
];
