//! Communication of many nodes at once. A schedule is data; whoever made it, one checker judges it.

pub mod broadcast;
mod check;
mod held;
pub mod product;
pub mod schedule;
pub mod tree;

pub use broadcast::{Broadcast, Flood};
pub use check::{Cost, Model, Ports, Repeats, check};
pub use product::DigitByDigit;
pub use schedule::{Goal, Schedule, Steps, Stream, Transfer, Violation};
pub use tree::OnePort;
