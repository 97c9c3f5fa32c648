//! Nested networks from one line of text.
//!
//! A spec such as `rdn(torus(5, 5), 2)` becomes an implicit network of any size, exactly as its paper defines it:
//!
//! ```
//! use nestnet::{Node, build};
//!
//! let built = build("rdn(torus(5, 5), 2)").unwrap();
//! assert_eq!(built.theory.order().to_string(), "3125000");
//! let network = built.network.as_ref().unwrap();
//! assert_eq!(network.address(Node(14)).to_string(), "(0,(0,(0,0),(0,0)),(0,(0,0),(2,4)))");
//! ```
//!
//! This crate is the facade: it compares, searches, reports and sweeps, and re-exports the crates below it.

pub mod compare;
pub mod design;
pub mod physical;
pub mod picture;
pub mod report;
#[cfg(feature = "study")]
pub mod study;

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

/// The Rust in the README compiles and runs too.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
