//! Which network for so many nodes? A search over all families of the table, nested, for those that no other beats.
//!
//! Every candidate is judged by its theory: order and degree first, then bounds on the other numbers. What another
//! network certainly beats is dropped; what is left and small is measured. The front is what is left that no other beats
//! by what is *guaranteed* of both: the exact value where it is known, the worst bound where it is not.

mod advice;
mod cluster;
mod front;
mod leaves;
mod made;
mod names;
mod objective;
mod origin;
mod relax;
mod space;

pub use advice::better_at;
pub use cluster::{Bounds, COUNTS, ClusterDesign, ClusterQuestion, ClusterRow, cluster};
pub use objective::Objective;
pub use origin::Origin;
pub use relax::Relaxed;

use crate::build::{Context, build_with};
use crate::family::Family;
use crate::figures::{Extent, Figures, with_extent};
use crate::measures::Limits;
use crate::spec::Spec;
use front::{Keys, guaranteed};
use made::Made;
use nestnet_core::measure::{Interrupted, Watch};
use nestnet_core::{Budget, How};
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use rayon::prelude::*;
use space::Space;
use std::cmp::Ordering;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
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
    /// Where the front is empty: which limit to relax, and by how much.
    pub relaxed: Option<Relaxed>,
}

/// The most row operations that measuring one network may take.
const MAX_STEPS: u128 = 200_000_000;

/// Where no network is larger, every one that fits is measured.
const MAX_ALL_MEASURED: u128 = 1 << 9;

/// Larger networks are not measured.
const MAX_MEASURED: u64 = 1 << 13;

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
    let found = search(question, budget)?;
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

/// A network that fits, with what is known of it.
struct Fit {
    made: Arc<Made>,
    figures: Figures,
    keys: Keys,
}

fn search(question: &Question, budget: &Budget<'_>) -> Result<Design, DesignError> {
    let read = |_: &str| Err(std::io::Error::other("files are not searched"));
    let context = Context { read: &read, budget: *budget };
    let wanted: Vec<&str> =
        question.families.iter().filter_map(|name| names::searched_as(name)).collect();
    let searches = |family: &Family| wanted.is_empty() || wanted.contains(&family.name);
    let max_degree = question.max_degree.unwrap_or(u64::MAX);
    let space = Space {
        context: &context,
        sizes: question.sizes(),
        nodes: question.nodes,
        max_degree,
        depth: question.depth,
        max_base: question.max_base,
        max_frame: question.largest_frame(),
        max_nested_frame: question.largest_nested_frame(),
        searches: &searches,
    };
    let mut candidates = 0;
    let mut fitting = Vec::new();
    // The search is most of the work, then comes the judging of what fits.
    let progress = |part: f64| (budget.watch.progress)(part * 0.5);
    let searching = Watch { progress: &progress, ..budget.watch };
    space.search(&searching, &mut |made| {
        candidates += 1;
        if made.degree <= max_degree && made.built.theory.connected() {
            fitting.push(made);
        }
    })?;
    let theorem =
        Limits { how: Some(How::Theorem), budget: Budget { steps: MAX_STEPS, ..*budget } };
    let wanted = BigUint::from(question.nodes);
    let keys = |figures: &Figures| -> Keys {
        let range = |objective: &Objective| objective.range(figures, &wanted);
        question.objectives.iter().map(range).collect()
    };
    let within = |figures: &Figures| {
        let low = figures.diameter.as_ref().map(|known| &known.low);
        question.max_diameter.is_none_or(|most| low.is_none_or(|low| *low <= most.into()))
    };
    let count = fitting.len();
    let judge = |made: Arc<Made>| -> Result<Option<Fit>, Interrupted> {
        budget.check()?;
        // Most are never shown, and need no name.
        let nameless = Spec::new(made.family().name, []);
        let figures = with_extent(nameless, &made.built, theorem, Extent::Distances);
        Ok(within(&figures).then(|| Fit { keys: keys(&figures), made, figures }))
    };
    let fits: Result<Vec<Option<Fit>>, Interrupted> = fitting.into_par_iter().map(judge).collect();
    let fits: Vec<Fit> = fits?.into_iter().flatten().collect();
    let routes = [Objective::Vcs, Objective::Connectivity];
    let asks_all = question.max_vcs.is_some()
        || question.objectives.iter().any(|objective| routes.contains(objective));
    let complete = |fit: Fit, extent: Extent| -> Result<Option<Fit>, Interrupted> {
        budget.check()?;
        let spec = fit.made.spec();
        let text = spec.to_string();
        let Ok(built) = build_with(&spec, &text, &context) else { return Ok(None) };
        let small = built.network.as_ref().is_some_and(|network| network.order() <= MAX_MEASURED);
        let limits = Limits { how: if small { None } else { Some(How::Theorem) }, ..theorem };
        let figures = with_extent(spec, &built, limits, extent);
        budget.check()?;
        let most = question.max_diameter.map(BigUint::from);
        let high = figures.diameter.as_ref().map(|known| &known.high);
        let short = high.is_some_and(|high| most.is_none_or(|most| *high <= most));
        let vcs = figures.routing.as_ref().map(|routing| routing.vcs);
        let few = question.max_vcs.is_none_or(|most| vcs.is_none_or(|vcs| vcs <= most));
        Ok((short && few).then(|| Fit { keys: keys(&figures), figures, ..fit }))
    };
    let all = |fits: Vec<(Fit, usize)>, extent| -> Result<Vec<(Fit, usize)>, Interrupted> {
        let done = AtomicU64::new(0);
        let total = fits.len() as u64;
        let one = |(fit, ties): (Fit, usize)| {
            let finishing = Watch {
                progress: &|part| (budget.watch.progress)(0.5 + part * 0.5),
                ..budget.watch
            };
            finishing.step(&done, total)?;
            Ok(complete(fit, extent)?.map(|fit| (fit, ties)))
        };
        let fits: Result<Vec<_>, Interrupted> = fits.into_par_iter().map(one).collect();
        Ok(fits?.into_iter().flatten().collect())
    };
    // Where all are small, or what counts is not in the theory, all are looked at before the first front.
    let first = if asks_all { Extent::All } else { Extent::Distances };
    let all_small = *space.sizes.end() <= MAX_ALL_MEASURED;
    let mut fits: Vec<(Fit, usize)> = fits.into_iter().map(|fit| (fit, 0)).collect();
    if all_small || asks_all {
        fits = all(fits, first)?;
    }
    let finalists = all(fold(best(fits)), Extent::All)?;
    let rows = fold(best(finalists)).into_iter();
    let rows = rows.map(|(fit, ties)| Row {
        origin: Origin::of(fit.made.family()),
        figures: fit.figures,
        ties,
    });
    let mut front: Vec<Row> = rows.collect();
    let first = |row: &Row| question.sort.range(&row.figures, &wanted).high;
    front.sort_by(|a, b| first(a).total_cmp(&first(b)));
    Ok(Design { candidates, fitting: count, front, relaxed: None })
}

/// Those that no other beats by what is guaranteed.
fn best(fits: Vec<(Fit, usize)>) -> Vec<(Fit, usize)> {
    let all: Vec<Keys> = fits.iter().map(|(fit, _)| fit.keys.clone()).collect();
    let mut fits: Vec<Option<(Fit, usize)>> = fits.into_iter().map(Some).collect();
    guaranteed(&all).into_iter().filter_map(|i| fits[i].take()).collect()
}

/// Of each tie the simplest spec, and how many others there are.
fn fold(mut fits: Vec<(Fit, usize)>) -> Vec<(Fit, usize)> {
    let worst = |fit: &Fit| -> Vec<f64> { fit.keys.iter().map(|range| range.high).collect() };
    fits.sort_by_cached_key(|(fit, _)| {
        let text = fit.made.spec().to_string();
        (fit.made.depth, text.len(), text)
    });
    fits.sort_by(|(a, _), (b, _)| worst(a).partial_cmp(&worst(b)).unwrap_or(Ordering::Equal));
    let mut folded: Vec<(Fit, usize)> = Vec::new();
    for (fit, ties) in fits {
        match folded.last_mut().filter(|(last, _)| worst(last) == worst(&fit)) {
            Some((_, others)) => *others += ties + 1,
            None => folded.push((fit, ties)),
        }
    }
    folded
}
