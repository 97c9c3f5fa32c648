//! What can be asked of a network, and by which method each answer comes: the one table of measures.
//!
//! A row says what it is called, which keys it answers and whether it is quick for a given network. One key pays for
//! itself only: a row gets the keys that are wanted. Everything that several rows need (the stored network, its symmetry, its distances) is found once, in [`Analysis`].

mod analysis;
mod answer;
mod distance_result;
mod distances;
mod hosts;
mod load;
mod question;
mod row;
mod rows;
mod sample;
mod unanswered;

pub use analysis::{Analysis, Limits, QUICK_STEPS};
pub use answer::{Answer, Fact};
pub use distance_result::BetweenHosts;
pub use load::under_load;
pub use nestnet_graph::measure::bisection::PROOF_STEPS;
pub use question::{Question, choose};
pub use row::{Measure, When};
pub use rows::natural_sides;
pub use rows::{Cut, CutError, MEASURES, cut, find_bisection, high_by, low_by};
pub use sample::{Sampled, Sampling, sample};
pub use unanswered::{Reason, Unanswered};
