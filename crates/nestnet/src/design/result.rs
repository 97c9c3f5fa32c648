//! What does a search find? Networks that are Pareto-optimal, or which limit must give.

use super::confirm::Confirmation;
use super::cost::Cost;
use crate::carried::Routed;
use nestnet_analysis::figures::Figures;
use nestnet_topologies::family::{Family, Paper};
use serde::{Deserialize, Serialize};

/// A network that is Pareto-optimal.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Row {
    /// Its numbers.
    pub figures: Figures,
    /// Where it comes from.
    pub origin: Origin,
    /// How many others have the same value in every objective; this is the one with the simplest spec.
    pub ties: usize,
    /// What it costs and carries.
    pub cost: Cost,
    /// Of a chip, the routing that its throughput and virtual channels belong to.
    pub routed: Option<Routed>,
    /// Of a chip, where it is recommended or next to that: what a short simulation by that routing says.
    pub simulated: Option<Confirmation>,
}

/// What was found.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Design {
    /// How many networks of a wanted size were made and judged.
    pub candidates: u64,
    /// How many of them have a degree within the limit.
    pub fitting: usize,
    /// Those that are Pareto-optimal, best first.
    pub front: Vec<Row>,
    /// What everybody builds on a chip, whether it is on the Pareto front or not; none elsewhere.
    pub references: Vec<Row>,
    /// Candidates that were too many to measure: their worst bounds count.
    pub unmeasured: usize,
    /// Whether the search came to its end; where it was stopped, the front is that of what was measured by then.
    pub finished: bool,
    /// Where the front is empty: which limit to relax, and by how much.
    pub relaxed: Option<Relaxed>,
}

/// The least change of one limit alone that lets something fit, as far as was looked.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Relaxed {
    /// The lowest limit of the degree at which something fits.
    pub max_degree: Option<u64>,
    /// The lowest limit of the diameter at which something fits.
    pub max_diameter: Option<u64>,
    /// The lowest tolerance of the number of nodes at which something fits.
    pub tolerance: Option<f64>,
}

/// Where a network comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// One of the papers'.
    Nested,
    /// Common knowledge.
    Base,
    /// What others build.
    Baseline,
    /// What everybody knows, shown for comparison.
    Reference,
}

impl Origin {
    /// All of them.
    pub const ALL: [Origin; 4] =
        [Origin::Nested, Origin::Base, Origin::Baseline, Origin::Reference];

    /// Of a row of the table.
    pub fn of(family: &Family) -> Self {
        match family.paper {
            Paper::Common => Origin::Base,
            Paper::Baseline => Origin::Baseline,
            _ => Origin::Nested,
        }
    }

    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Origin::Nested => "nested",
            Origin::Base => "base",
            Origin::Baseline => "baseline",
            Origin::Reference => "reference",
        }
    }
}
