//! Hierarchical Heawood networks.
//!
//! # Paper
//! G. E. Jan, Y.-S. Hwang, M.-B. Lin, D. Liang, "Novel Hierarchical Interconnection Networks for High-Performance
//! Multicomputer Systems", 2004.
//!
//! # Definition
//! Definition 1, the Heawood graph, is here; folded networks (Definition 2) are Cartesian powers; the others have
//! their own files. All are defined upon any base, so that the Petersen versions of Fig. 9 come with them.
//!
//! # Numbering
//! The id of (V_(n-1), …, V_0) is Σ V_i·N^i.

mod expanded;
mod flooded;
mod graph;
mod procedures;
mod root_folded;
mod spread;
mod tellings;

use super::{ArgError, Args, Built, Facts, Family, MAX_COUNT, Make, Paper, Param};
use crate::family::built::{AS_PRINTED, fits};
use crate::family::said::{self, Said};
use crate::spec::{Arg, Literal, Spec};
use nestnet_core::collective::{Broadcast, DigitByDigit, Ports, Telling};
use nestnet_core::draw::{Digit, Held, Joints, Plan, Spread};
use nestnet_core::product::{DimensionOrder, Levels, Product, ProductTheory};
use nestnet_core::radix::power;
use nestnet_core::route::Procedure;
use nestnet_core::{Network, Router};
use num_bigint::BigUint;
use procedures::{BasicPrinted, Legs, SigmaPrinted};
use std::sync::Arc;
use tellings::{BasicAsPrinted, PRINTED_PLUS, SenderAlone, Undefined};

const BASE: Param = Param::network("base", "the network in each dimension");

/// The rows of this folder.
pub static ROWS: &[Family] = &[
    Family {
        name: "heawood",
        paper: Paper::Heawood,
        about: "The Heawood graph (Definition 1): i ~ i±1 mod 14, odd i ~ i+5, even i ~ i-5.",
        params: &[],
        examples: &["heawood"],
        make: Make::Build(|_| {
            let built = Built::of(graph::Heawood).broadcasting(Some(Arc::new(graph::Heawood)));
            let printed = |reading| Some(Arc::new(BasicAsPrinted(reading)) as Arc<dyn Telling>);
            let built = built.telling(AS_PRINTED, printed(Undefined::Sender));
            let built = built.telling(PRINTED_PLUS, printed(Undefined::Plus));
            Ok(built.tracing(AS_PRINTED, Some(Arc::new(BasicPrinted { digits: 1 }))))
        }),
        facts: Facts::NONE,
    },
    Family {
        name: "folded",
        paper: Paper::Heawood,
        about: "The folded network (Definition 2): the Cartesian power, any one digit changes along a link of the base.",
        params: &[BASE, Param::integer("n", 1, MAX_COUNT, "the number of dimensions")],
        examples: &["folded(heawood, 2)", "folded(petersen, 3)"],
        make: Make::Build(folded),
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
        make: Make::Build(root_folded::build),
        facts: Facts { grows_by: Some("n"), says: Some(says), ..Facts::NONE },
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
        make: Make::Build(|args| {
            let heawood = || Arg::new(Spec::new("heawood", []));
            let mut parts = vec![heawood(), heawood(), Arg::new(args.integer("n") - 1)];
            if args.word("reading") == "single" {
                parts.push(Arg::keyed("pivots", Literal::Spec(Spec::new("single", []))));
            }
            let built = args.build(&Spec::new("re", parts))?;
            // Broadcast-all sends to every neighbor that is not yet flagged.
            let flood = built.any_broadcast(Ports::All);
            let printed = legs(&Built::of(graph::Heawood)).map(|legs| {
                let digits = u32::try_from(args.integer("n")).expect("at most 15");
                Arc::new(SigmaPrinted { digits, legs }) as Arc<dyn Procedure>
            });
            let printed = printed.filter(|_| args.word("reading") == "copies");
            Ok(built.broadcasting(flood).tracing(AS_PRINTED, printed))
        }),
        // Another name.
        facts: Facts {
            left_out: |_| true,
            says: Some(|args| {
                let n = args.integer("n");
                vec![
                    Said::is(
                        "nodes",
                        "Section 3.3",
                        BigUint::from(14u8).pow(u32::try_from(n).unwrap_or(1)),
                    ),
                    Said::is("degree", "Fig. 9", 6),
                    Said::is("diameter", "Fig. 9", 6 * n - 3),
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
        make: Make::Build(expanded::build),
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
        make: Make::Build(flooded::build),
        facts: Facts { grows_by: Some("n"), says: Some(says), ..Facts::NONE },
    },
];

fn folded(args: &Args) -> Result<Built, ArgError> {
    let (base, n) = (args.network("base"), args.integer("n"));
    ArgError::unless_it_grows(base, "n", n, MAX_COUNT)?;
    let order = power(&base.order(), n)
        .map_err(|error| ArgError::new("n", format!("is too large: {error}")))?;
    let product = base.base().filter(|_| fits(&order)).and_then(|base| {
        let factors = vec![base; usize::try_from(n).ok()?];
        Product::new(&factors, Levels::Nested).map(Arc::new)
    });
    // Algorithm FH_n-Routing goes from digit n-1 to digit 0, as dimension order does.
    let router = |name| {
        let routers = vec![base.base_router(name)?; usize::try_from(n).ok()?];
        let router = DimensionOrder::new(product.clone()?, routers)?;
        Some(Arc::new(router) as Arc<dyn Router>)
    };
    let routers = [("paper", router("paper")), ("shortest", router("shortest"))];
    // FH_n-Broadcasting, in which every holder broadcasts in each dimension, not only the sender.
    let broadcast = base.broadcast(Ports::All).zip(product.clone()).and_then(|(base, product)| {
        let factors = vec![base; usize::try_from(n).ok()?];
        Some(Arc::new(DigitByDigit::new(product, factors)?) as Arc<dyn Broadcast>)
    });
    let network = product.map(|product| product as Arc<dyn Network>);
    let theory = ProductTheory { factors: vec![(base.theory.clone(), n)] };
    let plan = nested(base, n, Spread::Even);
    let printed = is_heawood(base).then(|| u32::try_from(n).ok()).flatten();
    let printed = printed.map(|digits| Arc::new(BasicPrinted { digits }) as Arc<dyn Procedure>);
    let built = Built::new(theory, network).routed(routers).tracing(AS_PRINTED, printed);
    let alone = u32::try_from(n).ok().zip(telling_base(base));
    let alone =
        alone.map(|(digits, base)| Arc::new(SenderAlone { base, digits }) as Arc<dyn Telling>);
    Ok(built.broadcasting(broadcast).telling(AS_PRINTED, alone).placed(plan))
}

/// The base with its routing and its broadcast.
fn telling_base(base: &Built) -> Option<tellings::Base> {
    Some(tellings::Base { legs: legs(base)?, broadcast: base.broadcast(Ports::All)? })
}

/// Fig. 9 and, of flooded networks, Section 3.5.1: q^n nodes, and of the Heawood graph diameter 6n - 3, of the Petersen
/// graph 4n - 2.
fn says(args: &Args) -> Vec<Said> {
    let (base, n) = (args.network("base"), args.integer("n"));
    let slope = match base.spec().to_string().as_str() {
        "heawood" => 3,
        "petersen" => 2,
        _ => return Vec::new(),
    };
    let mut all = vec![Said::is("diameter", "Fig. 9", slope * (2 * n - 1))];
    all.extend(said::power(&base.order(), n).map(|nodes| Said::is("nodes", "Fig. 9", nodes)));
    all
}

/// Whether the base is the one that the paper's own procedures name.
fn is_heawood(base: &Built) -> bool {
    base.spec().to_string() == "heawood"
}

/// The base and what it calls its paper's routing.
fn legs(base: &Built) -> Option<Legs> {
    Some(Legs { network: base.base()?, router: base.base_router("paper")? })
}

/// A copy of the network below at each node of the base, n - 1 times.
fn nested(base: &Built, n: u64, spread: Spread) -> Plan {
    let levels = base.network.as_ref().map_or(1, |network| network.levels());
    let digit = base.base_plan();
    let layers = digit.layers().len();
    let mut plan = digit.clone();
    let Some(network) = base.network.clone() else { return plan };
    let mut digits = vec![Digit { layers, network: network.clone(), links: 1, spread }];
    for level in 1..n.min(63) {
        let level = u16::try_from(level).unwrap_or(u16::MAX).saturating_mul(levels);
        let links = if spread == Spread::Even { plan.nodes_a_cell(0) } else { 1 };
        digits.push(Digit { layers, network: network.clone(), links, spread });
        plan = digit.around(&plan, level, Held::Cluster);
    }
    digits.reverse();
    plan.joined(Joints::Digits(digits))
}
