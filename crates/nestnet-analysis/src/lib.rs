//! What is known of a network that was built from its spec, and what runs on it.
//!
//! [`metrics`] is the table of metrics and [`measures`] answers them, [`info()`] all that is proven at once. [`routers`] is
//! the table of routers, [`routing_survey`] what all routes of one are like, [`throughput`] what hosts can send by traffic and routing, [`simulated`] a network made ready for
//! the simulator. [`broadcasts`] and [`collectives`] choose among algorithms, [`mini_apps`] writes the
//! messages of applications, [`programs`] and [`emulation`] run on nodes, [`embed`](mod@embed) places one network in another, [`grow`] finds the next sizes.

pub mod broadcasts;
pub mod collectives;
pub mod deadlocks;
pub mod embed;
pub mod emulation;
pub mod fault_survey;
pub mod figures;
pub mod grow;
pub mod info;
pub mod measures;
pub mod metrics;
pub mod mini_apps;
pub mod number_format;
pub mod programs;
pub mod routers;
pub mod routes;
pub mod routing_survey;
pub mod simulated;
pub mod throughput;

pub use figures::{Figures, figures};
pub use info::{Info, info};
