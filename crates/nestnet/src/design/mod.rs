//! Which network for so many nodes? A search over all families of the table, nested, for those that no other beats.
//!
//! Every candidate is judged by its theory: order and degree first, then bounds on the other numbers. What another
//! network certainly beats is dropped; what is left and small is measured. The front is what is left that no other beats
//! by what is *guaranteed* of both: the exact value where it is known, the worst bound where it is not.

mod advice;
mod bought;
mod cluster;
mod front;
mod known;
mod leaves;
mod made;
mod names;
mod objective;
mod origin;
mod relax;
mod search;
mod space;

pub use advice::{Recommended, better_at, recommended};
pub use bought::Bought;
pub use cluster::{Bounds, COUNTS, ClusterDesign, ClusterQuestion, ClusterRow, cluster};
pub use objective::Objective;
pub use origin::Origin;
pub use relax::Relaxed;
pub use search::Narrowed;

use crate::figures::Figures;
use nestnet_core::Budget;
use nestnet_core::job::Shard;
use nestnet_core::measure::Interrupted;
use nestnet_core::physical::Plant;
use nestnet_core::physical::tiles::Tiles;
use num_traits::ToPrimitive;
use search::search;
use std::ops::RangeInclusive;
use thiserror::Error;

/// What is wanted.
#[derive(Clone, Debug)]
pub struct Question {
    /// How many nodes inject and receive.
    pub nodes: u128,
    /// Which part of them may be missing or too many: 0.1 is ten percent.
    pub tolerance: f64,
    /// The most links at a node.
    pub max_degree: Option<u64>,
    /// The longest diameter.
    pub max_diameter: Option<u64>,
    /// The most virtual channels.
    pub max_vcs: Option<u16>,
    /// What counts; each at most once.
    pub objectives: Vec<Objective>,
    /// What the front is sorted by, before the objectives.
    pub sort: Objective,
    /// How many constructions are nested at most.
    pub depth: usize,
    /// The nodes of the largest base.
    pub max_base: u64,
    /// The nodes of the largest frame of an expansion of a base, and of the largest such base; where none are given, 16
    /// or those of the largest base: larger networks expand small frames more than once.
    pub max_frame: Option<u64>,
    /// The nodes of the largest frame of an expansion of what has constructions of its own; else 5 or those of the
    /// largest base.
    pub max_nested_frame: Option<u64>,
    /// The names of the rows to search for the outermost network; all where there are none.
    pub families: Vec<String>,
    /// What is bought.
    pub plant: Plant,
    /// The chip that it is built on, where it is one.
    pub tiles: Option<Tiles>,
}

impl Question {
    /// So many nodes, and the rest as is usual: ten percent more or less, two constructions, bases of up to 32 nodes,
    /// frames of up to 16.
    pub fn new(nodes: u128) -> Self {
        Question {
            nodes,
            tolerance: 0.1,
            max_degree: None,
            max_diameter: None,
            max_vcs: None,
            objectives: Objective::DEFAULT.to_vec(),
            sort: Objective::Cr,
            depth: 2,
            max_base: 32,
            max_frame: None,
            max_nested_frame: None,
            families: Vec::new(),
            plant: Plant::default(),
            tiles: None,
        }
    }

    /// The nodes of the largest frame and unit of an expansion.
    pub fn largest_frame(&self) -> u64 {
        self.max_frame.unwrap_or(self.max_base.min(16))
    }

    /// The nodes of the largest frame around what has constructions of its own.
    pub fn largest_nested_frame(&self) -> u64 {
        self.max_nested_frame.unwrap_or(self.max_base.min(5))
    }

    /// Sizes that are near enough.
    pub fn sizes(&self) -> RangeInclusive<u128> {
        /// Exact in a floating-point number, and finer than anyone asks.
        const PARTS: u128 = 1_000_000;
        let parts = (self.tolerance * 1e6).round().to_u128().unwrap_or(PARTS);
        let away = self.nodes.saturating_mul(parts) / PARTS;
        self.nodes.saturating_sub(away).max(1)..=self.nodes.saturating_add(away)
    }
}

/// The most nodes that are searched for.
pub const MOST_NODES: u128 = 10u128.pow(30);

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum DesignError {
    /// No nodes, or too many to count.
    #[error("there can be between 1 and 10^30 nodes, not {0}")]
    Nodes(u128),
    /// Not a part.
    #[error("the tolerance is between 0 % and 100 %, not {0} %")]
    Tolerance(f64),
    /// Nobody to join.
    #[error("a network needs at least 2 hosts, not {0}")]
    Hosts(u64),
    /// No port is left.
    #[error("a switch needs at least 2 ports, not {0}")]
    Radix(u64),
    /// Nothing counts.
    #[error("something must count: at least one of {}", Objective::ALL.map(Objective::name).join(", "))]
    NoObjective,
    /// No such row.
    #[error("unknown network `{name}`: {hint}")]
    Family {
        /// What was asked for.
        name: String,
        /// What may have been meant.
        hint: String,
    },
    /// Parts that no search wrote.
    #[error("the parts are not those of a search")]
    NoParts,
    /// The caller stopped it.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

/// A network that no other beats.
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
    pub bought: Bought,
}

/// What was found.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Design {
    /// How many networks of a wanted size were made and judged.
    pub candidates: u64,
    /// How many of them have a degree within the limit.
    pub fitting: usize,
    /// Those that no other beats, best first.
    pub front: Vec<Row>,
    /// Candidates that were too many to measure: their worst bounds count.
    pub unmeasured: usize,
    /// Where the front is empty: which limit to relax, and by how much.
    pub relaxed: Option<Relaxed>,
}

/// Finds the networks that no other beats.
///
/// ```
/// use nestnet::design::{Question, design};
/// use nestnet::Budget;
///
/// let question = Question { max_degree: Some(4), depth: 1, ..Question::new(100) };
/// let answer = design(&question, &Budget::default()).unwrap();
/// assert!(answer.front.iter().all(|row| row.figures.degree <= 4));
/// ```
pub fn design(question: &Question, budget: &Budget<'_>) -> Result<Design, DesignError> {
    check(question)?;
    or_relaxed(search(question, budget)?, question, budget)
}

/// What one shard of [`design`] finds; [`design_of`] joins the parts.
pub fn design_part(
    question: &Question,
    shard: Shard,
    budget: &Budget<'_>,
) -> Result<Narrowed, DesignError> {
    check(question)?;
    Ok(search::narrow(question, shard, budget)?)
}

/// What the parts of all shards say together: what [`design`] says, unless some were too many to measure, of which
/// shards measure more.
pub fn design_of(
    question: &Question,
    parts: Vec<Narrowed>,
    budget: &Budget<'_>,
) -> Result<Design, DesignError> {
    check(question)?;
    let found = search::join(question, parts, budget)?.ok_or(DesignError::NoParts)?;
    or_relaxed(found, question, budget)
}

fn or_relaxed(
    found: Design,
    question: &Question,
    budget: &Budget<'_>,
) -> Result<Design, DesignError> {
    let relaxed = match found.front.is_empty() {
        true => Some(relax::relax(question, budget)?),
        false => None,
    };
    Ok(Design { relaxed, ..found })
}

fn check(question: &Question) -> Result<(), DesignError> {
    if !(1..=MOST_NODES).contains(&question.nodes) {
        return Err(DesignError::Nodes(question.nodes));
    }
    if !(0.0..=1.0).contains(&question.tolerance) {
        return Err(DesignError::Tolerance(question.tolerance * 100.0));
    }
    if question.objectives.is_empty() {
        return Err(DesignError::NoObjective);
    }
    names::check(&question.families)
}
