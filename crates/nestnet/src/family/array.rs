//! Which networks a paper builds as an array, row by row.

use std::fmt::Debug;

/// As a text has it, or as it must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Text {
    /// To the letter.
    Printed,
    /// With our repairs.
    Repaired,
}

/// An array of numbers, a row for each node.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Array {
    /// What each column holds.
    pub columns: Vec<String>,
    /// Numbers from 1; 0 where nothing was written.
    pub rows: Vec<Vec<u64>>,
    /// How often a row had no column left for a link.
    pub overflows: u64,
    /// How often a link led to no node.
    pub nowhere: u64,
}

/// A network that its paper builds so.
pub trait Arrayed: Debug + Send + Sync {
    /// The array; `None` where it would be too large.
    fn array(&self, text: Text) -> Option<Array>;
}
