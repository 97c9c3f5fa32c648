//! What does a measured value rest on?

use super::measure::{MAX_COUNTED, MAX_SEARCHED};

/// What a measured value rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Basis {
    /// No network was asked: the row itself computes it.
    Arithmetic,
    /// A theorem of ours, since the network is too large to be searched.
    Theorem,
    /// A search, a count or a run on the network itself.
    Measured,
}

impl Basis {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Basis::Arithmetic => "by arithmetic",
            Basis::Theorem => "by our theorem",
            Basis::Measured => "measured",
        }
    }

    /// Of a quantity of a network of so many nodes: what a theory says of large ones is not searched for.
    pub(super) fn of(quantity: &str, nodes: f64) -> Self {
        const DISTANCES: [&str; 5] = ["diameter", "mean_distance", "radius", "cost", "cr"];
        const COUNTS: [&str; 5] = ["nodes", "links", "degree_max", "degree_min", "mean_degree"];
        let beyond = |names: &[&str], most: u64| names.contains(&quantity) && nodes > most as f64;
        if beyond(&DISTANCES, MAX_SEARCHED) || beyond(&COUNTS, MAX_COUNTED) {
            Basis::Theorem
        } else {
            Basis::Measured
        }
    }
}
