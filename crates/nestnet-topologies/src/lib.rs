//! Networks from one line of text: the spec language, the table of families, and what each family brings along.
//!
//! A spec such as `rdn(torus(5, 5), 2)` becomes an implicit network of any size, exactly as its paper defines it:
//!
//! ```
//! use nestnet_graph::Node;
//! use nestnet_topologies::build;
//!
//! let built = build("rdn(torus(5, 5), 2)").unwrap();
//! assert_eq!(built.theory.order().to_string(), "3125000");
//! let network = built.network.as_ref().unwrap();
//! assert_eq!(network.address(Node(14)).to_string(), "(0,(0,(0,0),(0,0)),(0,(0,0),(2,4)))");
//! ```
//!
//! `{spec, family} ← build`: the AST knows no family, and a family sees only evaluated arguments.

pub mod build;
pub mod family;
pub mod random;

pub use build::{Context, build, build_with, paper_formulas};
pub use family::{Built, FAMILIES, Family};
pub use nestnet_graph::spec::{self, Spec, SpecError};
