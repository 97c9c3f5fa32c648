//! Networks given by rule: what a node is, who its neighbors are, what is proven of all of them at any size.
//!
//! This crate knows no routing, no paper, no file and no clock. A [`Network`] answers for neighbors when it is asked;
//! [`Csr`] stores them; [`measure`] has one exact metric a file; [`Theory`] answers in big integers where a network is
//! too large to build.
//!
//! ```
//! use nestnet_graph::{Csr, Network, Node, Port};
//!
//! let path = Csr::from_links(3, &[(0, 1), (1, 2)], 1 << 20).unwrap();
//! assert_eq!(path.neighbor(Node(1), Port(1)), Some(Node(2)));
//! ```

pub mod address;
pub mod budget;
pub mod bulk_neighbors;
pub mod csr;
pub mod cursor;
pub mod distances;
pub mod error_kind;
pub mod fabric;
pub mod field;
pub mod identifiers;
pub mod job;
pub mod json;
pub mod locate;
pub mod measure;
pub mod named;
pub mod network;
pub mod node;
pub mod numbers;
pub mod options;
pub mod polynomial;
pub mod product;
pub mod radix;
pub mod samples;
pub mod sanitize;
pub mod spec;
pub mod star_product;
pub mod table;
pub mod theory;
pub mod union_find;

pub use address::{Address, AddressError};
pub use budget::{Budget, Interrupted, OverBudget, Watch};
pub use csr::{Csr, CsrError};
pub use distances::Distances;
pub use error_kind::{ErrorKind, HasKind};
pub use identifiers::{Identifiers, NodeIdentifiers};
pub use locate::locate;
pub use network::{Network, Orbit};
pub use node::{Node, Port, index};
pub use num_bigint::BigUint;
pub use spec::{Spec, SpecError};
pub use theory::{Bounded, Degrees, How, Theory};
