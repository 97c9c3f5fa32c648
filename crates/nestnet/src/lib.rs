//! Nested networks from one line of text.
//!
//! A spec such as `rdn(torus(5, 5), 2)` becomes an implicit network of any size, exactly as its paper defines it:
//!
//! ```
//! use nestnet::prelude::*;
//!
//! let built = build("rdn(torus(5, 5), 2)")?;
//! assert_eq!(built.order().to_string(), "3125000");
//! assert_eq!(built.measure("diameter")?.to_string(), "22, by theorem");
//! assert_eq!(built.neighbors(Node(14))?.count(), 6);
//! let (from, to) = (Node(14), Node(2_000_000));
//! let hops = built.route(from, to)?.hops.len() as u64;
//! assert_eq!(Some(hops), built.network()?.distance(from, to));
//! # Ok::<(), Error>(())
//! ```
//!
//! [`Analyze`] has the methods of a network, [`from_edges`] makes one of links, [`Limits`] says how far they may go, and
//! [`Error`] why there is no answer. Two questions search for networks: [`design::ClusterQuestion`] for so many hosts on
//! switches of so many ports, [`design::Question`] for so many nodes of a degree.
//!
//! # Names
//!
//! Specs, metrics, traffic, routers and formats are asked for by name. The tables that have them:
//! [`family::FAMILIES`], [`measures::MEASURES`], [`traffic::TRAFFIC`], [`routers::ROUTERS`] (beside the routers that a
//! family brings along: [`Built::router_names`]), [`format::FORMATS`](mod@format).
//!
//! # Where things are
//!
//! | to | see |
//! |---|---|
//! | build a network | [`build()`], [`from_edges`], `petgraph` (feature), [`files`], [`spec`], [`family`] |
//! | measure it | [`Analyze::measure`], [`measures`] (answers), [`metrics`] (the table of numbers), [`measure`] (algorithms), [`info()`], [`figures()`] |
//! | route on it | [`Analyze::route`], [`routers`] (by name), [`routes`] (results), [`route`] (algorithms), [`deadlocks`], [`fault_survey`], [`resilience`] |
//! | load it | [`throughput`](mod@throughput), [`traffic`], [`flow`]; flit by flit: [`simulated`] (a network made ready), [`sim`] (the simulator) |
//! | broadcast and compute | [`broadcasts`], [`collectives`] (by name), [`collective`] (schedules and algorithms), [`programs`], [`emulation`], [`embed`](mod@embed) |
//! | choose and build one | [`design`], [`compare`], [`physical`] (racks, cables, prices), [`grow`], [`expansion`] |
//! | show it | [`picture`] (networks), [`draw`] (scenes, charts), [`report`], [`format`](mod@format) |
//!
//! The programs of the folder `examples` of this crate are the shortest of each kind. This crate is the facade: it
//! compares, searches, reports and sweeps, and re-exports the crates below it, so that `nestnet` is the only dependency
//! that a program needs; where an example of a page names another, such as `nestnet_graph`, `nestnet` has the same names.

mod carried;
pub mod cells;
pub mod collectives;
pub mod compare;
pub mod design;
mod error;
pub mod expansion;
pub mod files;
pub mod latency_chart;
#[cfg(feature = "petgraph")]
pub mod petgraph;
pub mod physical;
pub mod picture;
pub mod prelude;
mod query;
pub mod report;
#[cfg(feature = "study")]
pub mod study;

pub use error::Error;
pub use nestnet_analysis::measures::Limits;
pub use nestnet_analysis::*;
#[cfg(feature = "claims")]
pub use nestnet_claims as claim;
pub use nestnet_collectives as collective;
pub use nestnet_collectives::program;
pub use nestnet_draw as draw;
pub use nestnet_formats as format;
pub use nestnet_graph::*;
pub use nestnet_routing::*;
pub use nestnet_sim as sim;
pub use nestnet_topologies::*;
pub use query::{Analyze, Query, from_edges};

/// The Rust of the page for Rust compiles and runs too.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/how-to/rust.md")]
struct RustPage;

/// The programs in `examples/` run too.
#[cfg(doctest)]
mod examples {
    macro_rules! run {
        ($($(#[$only:meta])? $name:ident)*) => {$(
            $(#[$only])?
            #[doc = concat!("```\n", include_str!(concat!("../examples/", stringify!($name), ".rs")), "```")]
            #[allow(non_camel_case_types)]
            struct $name;
        )*};
    }
    run! {
        deadlock design edges export simulate throughput
        #[cfg(feature = "petgraph")] petgraph
    }
}
