//! Communication of many nodes at once. A schedule is data; whoever made it, one checker judges it.

mod alltoall;
mod branches;
mod check;
mod exchange;
mod gather;
mod gossip;
mod held;
mod plan;
mod reduce;
mod ring;
pub mod schedule;

#[cfg(test)]
mod tests;

pub use alltoall::all_to_all;
pub use branches::{Branches, Parents, Twig};
pub use check::{Cost, Model, Ports, Repeats, check};
pub use exchange::Cube;
pub use gather::{gather, scatter};
pub use gossip::gossip;
pub use plan::{PlanError, reversed};
pub use reduce::{middle, reduce, spread, there_and_back};
pub use ring::{around, cycle};
pub use schedule::{Goal, Schedule, Stream, Transfer, Violation};
