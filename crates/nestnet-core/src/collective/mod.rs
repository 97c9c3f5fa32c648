//! Communication of many nodes at once. A schedule is data; whoever made it, one checker judges it.

mod check;
mod held;
pub mod schedule;

pub use check::{Cost, Model, Ports, Repeats, check};
pub use schedule::{Goal, Schedule, Stream, Transfer, Violation};
