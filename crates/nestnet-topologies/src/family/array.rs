//! Which networks a paper builds by a procedure: as an array, row by row, or step by step.

use nestnet_graph::json;
use num_bigint::BigUint;
use serde::Serialize;
use std::fmt::Debug;

/// As a text has it, or as it must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Text {
    /// To the letter.
    Printed,
    /// With our repairs.
    Repaired,
}

/// An array of numbers, a row for each node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Array {
    /// Which text was followed.
    pub text: Text,
    /// What each column holds.
    pub columns: Vec<String>,
    /// Numbers from 1; 0 where nothing was written.
    pub rows: Vec<Vec<u64>>,
    /// How many entries found no free column in their row; a link between units is two entries.
    pub overflows: u64,
    /// How many entries were for rows that do not exist.
    pub nowhere: u64,
}

/// A network that its paper builds so.
pub trait Arrayed: Debug + Send + Sync {
    /// The array; `None` where it would be too large.
    fn array(&self, text: Text) -> Option<Array>;
}

/// A step of a paper's construction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Step {
    /// Its number in the text, and the turn of its loop.
    #[serde(rename = "step")]
    pub number: String,
    /// What it does.
    pub does: String,
    /// How many nodes there are then.
    #[serde(serialize_with = "json::integer")]
    pub nodes: BigUint,
    /// How many links there are then.
    #[serde(serialize_with = "json::integer")]
    pub links: BigUint,
}

impl Step {
    /// A step and what there is after it.
    pub fn new(number: String, does: String, nodes: BigUint, links: BigUint) -> Self {
        Step { number, does, nodes, links }
    }
}

/// A network that its paper builds step by step.
pub trait Stepped: Debug + Send + Sync {
    /// The steps; `None` where there would be too many to read.
    fn steps(&self) -> Option<Vec<Step>>;
}
