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
//! `{spec, family} ← build ← info`: the AST knows no family, and a family sees only evaluated arguments.

pub mod broadcasts;
pub mod build;
#[cfg(feature = "claims")]
pub mod claim;
pub mod compare;
pub mod design;
pub mod embed;
pub mod emulation;
pub mod family;
pub mod figures;
pub mod grow;
pub mod info;
pub mod measures;
pub mod number_format;
pub mod picture;
pub mod programs;
pub mod random;
pub mod report;
pub mod routers;
pub mod simulated;
pub mod spec;
#[cfg(feature = "study")]
pub mod study;
pub mod throughput;

pub use build::{Context, build, build_with, said};
pub use family::{Built, FAMILIES, Family};
pub use figures::{Figures, figures};
pub use info::{Info, info};
pub use nestnet_core::*;
pub use spec::{Spec, SpecError};

/// The Rust in the README compiles and runs too.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
