//! Products of any two networks: the Cartesian product, and the star product that twists the links between its copies.
//!
//! # Definition
//! product(a, b): nodes (x, y); a link changes x along a link of a, or y along a link of b.
//! star_product(structure, supernode): a copy of the supernode for every node of the structure. Along a link x ~ x' of the
//! structure, x < x', (x, y) is linked to (x', f(y)), where f is the identity, reverses the order of the nodes, or rotates
//! it by one. PolarStar, which has a bijection and loops of its own, is `polarstar`.
//!
//! # Numbering
//! The id of (x, y) is x·n + y, n the order of b or of the supernode. Ports of the product: first those of a;
//! of the star product: first those of the supernode.

use super::{ArgError, Args, Built, Facts, Family, Paper, Param};
use nestnet_graph::Network;
use nestnet_graph::product::{Levels, Product, ProductTheory};
use nestnet_graph::radix::short;
use nestnet_graph::star_product::{Bijection, Loops, StarProduct};
use nestnet_graph::theory::{Bounded, Degrees, Theory};
use nestnet_routing::Router;
use nestnet_routing::route::DimensionOrder;
use num_bigint::BigUint;
use num_traits::One;
use std::sync::Arc;

/// What the field also calls its rows.
pub(super) static ALSO: &[(&str, &str)] =
    &[("cartesian_product", "product"), ("cartesian", "product"), ("times", "product")];

/// The rows of this file.
pub static ROWS: &[Family] = &[
    Family::built(
        Paper::Common,
        "product",
        "The Cartesian product of two networks: a link changes one of the two coordinates.",
        &[
            Param::network("a", "the first coordinate"),
            Param::network("b", "the second coordinate"),
        ],
        &["product(petersen, ring(4))", "product(path(2), tree(3))"],
        build_product,
    )
    .with(UNSEARCHED),
    Family::built(
        Paper::Common,
        "star_product",
        "The star product: a copy of the supernode for every node of the structure, joined along its links by a bijection of the copies.",
        &[
            Param::network("structure", "one copy for each of its nodes"),
            Param::network("supernode", "what is copied"),
            Param::word(
                "bijection",
                &["identity", "reverse", "rotate"],
                "which node of the next copy a node is linked to",
            ),
        ],
        &[
            "star_product(petersen, ring(4), bijection=reverse)",
            "star_product(ring(5), path(3), bijection=rotate)",
        ],
        build_star_product,
    )
    .with(UNSEARCHED),
];

/// Any two of all networks are too many, and the best of them are tori and the like.
const UNSEARCHED: Facts = Facts { searched: false, ..Facts::NONE };

fn theory_of(first: &Built, second: &Built) -> Result<ProductTheory, ArgError> {
    short(first.order() * second.order())?;
    let factors = vec![(first.theory.clone(), 1), (second.theory.clone(), 1)];
    Ok(ProductTheory { factors })
}

fn build_product(args: &Args) -> Result<Built, ArgError> {
    let (a, b) = (args.network("a"), args.network("b"));
    let theory = theory_of(a, b)?;
    let factors = a.base().zip(b.base()).map(|(a, b)| [a, b]);
    let product = factors.clone().and_then(|f| Product::new(&f, Levels::Nested)).map(Arc::new);
    let routed = |name: &str| {
        let routers = vec![a.base_router(name)?, b.base_router(name)?];
        let router = DimensionOrder::new(product.clone()?, routers)?;
        Some(Arc::new(router) as Arc<dyn Router>)
    };
    let routers = [("paper", routed("paper")), ("shortest", routed("shortest"))];
    let network = product.clone().map(|product| product as Arc<dyn Network>);
    let built = Built::new(theory, network).routed(routers).placed(b.plan_inside(&a.base_plan()));
    let factors = factors.filter(|_| built.network.is_some());
    Ok(built.as_product(factors.map_or_else(Vec::new, Vec::from)))
}

fn build_star_product(args: &Args) -> Result<Built, ArgError> {
    let (structure, supernode) = (args.network("structure"), args.network("supernode"));
    let plain = theory_of(structure, supernode)?;
    let bijection = match args.word("bijection") {
        "reverse" => Bijection::Reverse,
        "rotate" => Bijection::Rotate,
        _ => Bijection::Identity,
    };
    let is_plain = matches!(bijection, Bijection::Identity);
    let network = structure.base().zip(supernode.base()).and_then(|(structure, supernode)| {
        StarProduct::new(structure, supernode, bijection, Loops::None)
    });
    let network = network.map(|network| Arc::new(network) as Arc<dyn Network>);
    let built = if is_plain {
        Built::new(plain, network)
    } else {
        let (structure, supernode) = (structure.theory.clone(), supernode.theory.clone());
        Built::new(Twisted { plain, structure, supernode }, network)
    };
    Ok(built.placed(supernode.plan_inside(&structure.base_plan())))
}

/// What is proven of a star product with any bijection.
#[derive(Debug)]
struct Twisted {
    /// The Cartesian product, which has the same order and degrees.
    plain: ProductTheory,
    structure: Arc<dyn Theory>,
    supernode: Arc<dyn Theory>,
}

impl Theory for Twisted {
    fn order(&self) -> BigUint {
        self.plain.order()
    }

    fn degrees(&self) -> Degrees {
        self.plain.degrees()
    }

    fn connected(&self) -> bool {
        self.plain.connected()
    }

    /// At most along the structure and then inside the last copy; at least along the structure.
    fn diameter(&self) -> Option<Bounded> {
        let (outer, inner) = (self.structure.diameter()?, self.supernode.diameter()?);
        if self.structure.order().is_one() {
            return Some(inner.map(BigUint::clone));
        }
        Some(Bounded::between(outer.low, outer.high + inner.high))
    }
}
