//! The names that most programs need: `use nestnet::prelude::*`.
//!
//! ```
//! use nestnet::prelude::*;
//!
//! let square = from_edges([(0, 1), (1, 2), (2, 3), (3, 0)])?;
//! assert_eq!(square.measure("diameter")?.number(), Some(2.0));
//! # Ok::<(), Error>(())
//! ```

pub use crate::design::{ClusterQuestion, Question};
pub use crate::error::Error;
pub use crate::query::{Analyze, from_edges};
pub use nestnet_analysis::measures::{Answer, Limits};
pub use nestnet_graph::{ErrorKind, Network, Node};
pub use nestnet_topologies::{Built, build};
