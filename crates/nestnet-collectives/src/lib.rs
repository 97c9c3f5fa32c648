//! Communication of many nodes at once. A schedule is data; whoever made it, one checker judges it.

mod algorithm;
mod alltoall;
mod arrival;
mod bits;
mod bounds;
mod branches;
pub mod broadcast;
mod check;
mod choose;
mod counts;
mod exchange;
mod gather;
mod gossip;
mod lazy_schedule;
pub mod least;
mod ledger;
mod message_program;
pub mod msccl;
mod packing;
mod plan;
pub mod printed_broadcast;
pub mod product;
pub mod program;
mod reduce;
mod ring;
mod rounds;
pub mod schedule;
mod topology;
pub mod tree;

#[cfg(test)]
mod tests;

pub use algorithm::{ALGORITHMS, Algorithm, AlgorithmRow, Collective, Fabric};
pub use alltoall::all_to_all;
pub use arrival::blocks_of;
pub use bounds::{Bounds, host_bounds, lower_bounds};
pub use branches::{Branches, Parents, Twig};
pub use broadcast::{Broadcast, Flood};
pub use check::{Cost, check, check_anew, check_anew_bytes, check_bytes};
pub use choose::{Choice, Moves, Planned, Request, Time, time};
pub use exchange::Cube;
pub use gather::{gather, scatter};
pub use gossip::gossip;
pub use lazy_schedule::LazySchedule;
pub use least::LeastOnePort;
pub use packing::{PackingFlaw, TreePacking, check_packing, pack_trees};
pub use plan::{PlanError, Price, reversed};
pub use printed_broadcast::{Account, PrintedBroadcast, follow};
pub use product::DigitByDigit;
pub use reduce::{middle, reduce, spread, there_and_back};
pub use ring::{around, cycle};
pub use rounds::{Message, Rounds, check_rounds};
pub use schedule::{Goal, Model, Ports, Repeats, Schedule, Steps, Stream, Transfer, Violation};
pub use tree::OnePort;
