//! Networks given by rule: what a node is, who its neighbors are, what is proven of all of them at any size.
//!
//! This crate knows no paper, no file and no clock.
//! The data flows `network → [csr] → measure`, and `theory` answers in big integers where a network is too large to build.

pub mod address;
pub mod budget;
pub mod bulk_neighbors;
pub mod collective;
pub mod csr;
pub mod distances;
pub mod draw;
pub mod fabric;
pub mod field;
pub mod flow;
pub mod format;
pub mod job;
pub mod locate;
pub mod measure;
pub mod named;
pub mod network;
pub mod node;
pub mod physical;
pub mod polynomial;
pub mod product;
pub mod program;
pub mod radix;
pub mod route;
pub mod sanitize;
pub mod sim;
pub mod star_product;
pub mod table;
pub mod theory;
pub mod traffic;
mod union_find;

pub use address::{Address, AddressError};
pub use budget::{Budget, Interrupted, OverBudget, Watch};
pub use csr::{Csr, CsrError};
pub use distances::Distances;
pub use locate::locate;
pub use network::{Network, Orbit};
pub use node::{Node, Port};
pub use num_bigint::BigUint;
pub use route::{Header, Hop, Router, Vc};
pub use theory::{Bounded, Degrees, How, Theory};
