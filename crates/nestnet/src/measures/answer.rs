//! Answers as plain data; how they are written is for a door to decide.

use super::{Sampled, Unanswered};
use nestnet_core::theory::Known;
use nestnet_core::{Address, How, Node};
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// One answer, or why there is none.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Fact {
    /// What was asked.
    pub key: &'static str,
    /// The answer, or why it could not be found.
    pub answer: Result<Answer, Unanswered>,
}

/// What an answer can be.
#[derive(Clone, Debug)]
pub enum Answer {
    /// A count.
    Integer(BigUint),
    /// A number with a fraction.
    Number(f64),
    /// Yes or no.
    Truth(bool),
    /// A number between two bounds.
    Known(Known),
    /// A number between two bounds, each found in its own way.
    Bounds {
        /// At least this.
        low: u64,
        /// At most this.
        high: u64,
        /// How both are known.
        how: String,
    },
    /// An exact mean.
    Mean {
        /// Upper part of the fraction.
        numerator: BigUint,
        /// Lower part of the fraction.
        denominator: BigUint,
        /// How it is known.
        how: How,
    },
    /// A mean that a sample tells.
    Sampled(Sampled),
    /// Ordered pairs by distance.
    Histogram {
        /// Index 0 counts the nodes themselves.
        counts: Vec<BigUint>,
        /// How they are known.
        how: How,
    },
    /// How many nodes have each degree.
    Degrees(BTreeMap<u64, BigUint>),
    /// Two nodes.
    Pair([(Node, Address); 2]),
    /// The load of channels.
    Load {
        /// Of the busiest.
        max: f64,
        /// Of all.
        mean: f64,
        /// The one over the other.
        ratio: f64,
        /// How they are known.
        how: How,
    },
}
