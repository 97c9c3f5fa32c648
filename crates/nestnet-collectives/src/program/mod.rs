//! Programs on data that only links move: one item a node, brought together dimension by dimension.
//!
//! A [`Layout`] says in which steps the items of a network meet along its logical dimensions; a [`Machine`] executes
//! the steps, believes none of them, and counts. The programs know neither the network nor the layout.

mod convolve;
mod emulate;
mod error;
mod fft;
mod layout;
mod machine;
mod multiply;
mod scan;
mod sort;
mod step;
mod transpose;

pub use convolve::convolve;
pub use emulate::{AllPorts, all_ports, one_dimension};
pub use error::ProgramError;
pub use fft::{Complex, fft};
pub use layout::{Arrange, Flat, Layout};
pub use machine::{Machine, Meeting, Order, Site, Spent};
pub use multiply::multiply;
pub use scan::scan;
pub use sort::sort;
pub use step::{Act, Step};
pub use transpose::{transpose, transposed};
