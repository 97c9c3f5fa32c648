//! Which network for so many nodes? A search over all families of the table, nested, for those that are Pareto-optimal.
//!
//! Every candidate is judged by its theory: order and degree first, then bounds on the other numbers. What another
//! network certainly dominates is dropped; what is left and small is measured. The front is what is left that is Pareto-optimal
//! by what is *guaranteed* of both: the exact value where it is known, the worst bound where it is not.

mod advice;
mod atomic;
mod bounds;
mod candidate;
mod cluster;
mod cluster_query;
mod confirm;
mod cost;
mod evaluate;
mod names;
mod nodes;
mod objective;
mod options;
mod pareto;
mod plot;
mod question;
mod report;
mod result;
mod search;
mod space;
mod unfit;

pub use crate::carried::Routed;
pub use advice::{Recommended, better_at, recommended, runners_up};
pub use cluster::{cluster, cluster_watched};
pub use cluster_query::{
    Answer, Answers, Bounds, COUNTS, ClusterDesign, ClusterQuestion, ClusterRow, PaidPorts, Unfit,
};
pub use confirm::Confirmation;
pub use cost::Cost;
pub use nodes::{design, design_of, design_part, design_watched};
pub use objective::Objective;
pub use options::{
    DESIGN_OPTIONS, DesignOptionError, DesignQuestion, DesignSettings, HOST_OPTIONS, NODE_OPTIONS,
    SIZE_OPTIONS, options,
};
pub use pareto::Seen;
pub use plot::{FrontPoint, front_plot};
pub use question::{DesignError, MOST_NODES, Question};
pub use report::{Candidate, ClusterReport, DesignReport, Report};
pub use result::{Design, Origin, Relaxed, Row};
pub use search::Narrowed;
