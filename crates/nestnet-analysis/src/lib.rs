//! What is known of a network: its metrics, its throughput, its load curve.
//!
//! [`metrics`] is the table of metrics and [`measures`] answers them, [`throughput`] what hosts can send by traffic and routing, [`simulated`] a
//! network made ready for the simulator, [`info()`] all that is proven at once.

pub mod deadlocks;
pub mod fault_survey;
pub mod figures;
pub mod info;
pub mod measures;
pub mod metrics;
pub mod number_format;
pub mod routes;
pub mod simulated;
pub mod throughput;

pub use figures::{Figures, figures};
pub use info::{Info, info};
