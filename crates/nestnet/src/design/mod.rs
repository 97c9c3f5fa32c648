//! Which network for so many nodes? A search over all families of the table, nested, for those that are Pareto-optimal.
//!
//! Every candidate is judged by its theory: order and degree first, then bounds on the other numbers. What another
//! network certainly dominates is dropped; what is left and small is measured. The front is what is left that is Pareto-optimal
//! by what is *guaranteed* of both: the exact value where it is known, the worst bound where it is not.

mod advice;
mod atomic;
mod bounds;
mod candidate;
mod cluster;
mod cluster_query;
mod confirm;
mod cost;
mod evaluate;
mod names;
mod objective;
mod pareto;
mod plot;
mod question;
mod relax;
mod report;
mod result;
mod search;
mod space;
mod unfit;

pub use crate::carried::Routed;
pub use advice::{Recommended, better_at, recommended, runners_up};
pub use cluster::{cluster, cluster_watched};
pub use cluster_query::{
    Answer, Answers, Bounds, COUNTS, ClusterDesign, ClusterQuestion, ClusterRow, PaidPorts, Unfit,
};
pub use confirm::Confirmation;
pub use cost::Cost;
pub use objective::Objective;
pub use pareto::Seen;
pub use plot::{FrontPoint, front_plot};
pub use question::{DesignError, MOST_NODES, Question};
pub use report::{Candidate, ClusterReport, DesignReport};
pub use result::{Design, Origin, Relaxed, Row};
pub use search::Narrowed;

use nestnet_graph::Budget;
use nestnet_graph::job::Shard;
use search::search;

/// Finds the networks that are Pareto-optimal.
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
    design_watched(question, budget, &|_| ())
}

/// The same as [`design`]; `seen` is called again and again with what is Pareto-optimal of what was measured so far.
///
/// ```
/// use nestnet::design::{Question, design_watched};
/// use nestnet::Budget;
/// use std::cell::Cell;
///
/// let most = Cell::new(0);
/// let question = Question { max_degree: Some(4), depth: 1, ..Question::new(100) };
/// design_watched(&question, &Budget::default(), &|rows| most.set(most.get().max(rows().len()))).unwrap();
/// assert!(most.get() > 0);
/// ```
pub fn design_watched(
    question: &Question,
    budget: &Budget<'_>,
    seen: Seen<'_, Row>,
) -> Result<Design, DesignError> {
    check(question)?;
    or_relaxed(search(question, budget, seen)?, question, budget)
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
    let relaxed = match found.front.is_empty() && found.finished {
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
