//! Which pivots has each phase? By the numbers of the positions, by sets that are given, or by a search.

use super::frames::Frames;
use super::sets::{Found, MAX_SEARCHED, Sets, search};
use crate::family::{ArgError, Built};
use nestnet_graph::theory::Degrees;
use num_traits::ToPrimitive;
use std::sync::Arc;

/// How the links of a phase are dealt out.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Pivot {
    /// All at one unit position.
    At(u64),
    /// In turn among `size` positions from `head`.
    Block { head: u64, size: u64 },
    /// In turn among these unit positions, ascending.
    Set(Arc<[u64]>),
    /// All at one node of each copy below, this unit position with all digits zero.
    Node(u64),
}

impl Pivot {
    /// How many unit positions, or nodes of a copy, are pivots.
    pub fn places(&self) -> u64 {
        match self {
            Pivot::At(_) | Pivot::Node(_) => 1,
            Pivot::Block { size, .. } => *size,
            Pivot::Set(members) => members.len() as u64,
        }
    }

    /// The unit position at that place among several.
    pub fn member(&self, place: u64) -> Option<u64> {
        match self {
            Pivot::At(_) | Pivot::Node(_) => None,
            Pivot::Block { head, size } => (place < *size).then(|| head + place),
            Pivot::Set(members) => members.get(usize::try_from(place).ok()?).copied(),
        }
    }

    /// The unit positions, where there are several.
    pub fn members(&self) -> Option<Vec<u64>> {
        match self {
            Pivot::At(_) | Pivot::Node(_) => None,
            Pivot::Block { head, size } => Some((*head..head + size).collect()),
            Pivot::Set(members) => Some(members.to_vec()),
        }
    }
}

/// Which pivots each phase has, and how they were come by.
#[derive(Clone, Debug)]
pub(super) struct Plans {
    /// Those of every phase.
    pub pivots: Vec<Pivot>,
    /// Sets that were given, all phases taking them in turn, or found, for the last phases.
    pub sets: Option<Chosen>,
}

impl Plans {
    /// The unit positions of phases with one pivot, ascending, each once.
    pub fn stops(&self) -> Vec<u64> {
        let at = |pivot: &Pivot| match pivot {
            Pivot::At(u) => Some(*u),
            _ => None,
        };
        let mut stops: Vec<u64> = self.pivots.iter().filter_map(at).collect();
        stops.sort_unstable();
        stops.dedup();
        stops
    }
}

/// Sets that do not follow from the numbers of the positions.
#[derive(Clone, Debug)]
pub(super) enum Chosen {
    /// By the user; they have no remark to make.
    Given(Arc<Sets>),
    /// By a search.
    Found(Arc<Found>),
}

/// The largest degree of the frames of so many last phases, which bounds the sets of these phases; `most` where it is as
/// large or larger. A bound on it would make another network, so that nodes are asked where nothing else says it.
fn widest(frames: &Frames, last: usize, most: u64) -> Result<u64, ArgError> {
    /// Nodes that are asked for their degree in a moment.
    const MAX_ASKED: u64 = 1 << 20;
    let taken = &frames.of_phase()[frames.len() - last..];
    let kinds = frames.kinds().enumerate().filter(|(kind, _)| taken.contains(kind));
    let mut widest = 0;
    for (_, (frame, _)) in kinds {
        let degrees = frame.theory.degrees();
        let is_known = degrees.counts.is_some() || degrees.regular_degree().is_some();
        let degree = if is_known || degrees.min >= most {
            degrees.max
        } else {
            let network = frame.example().filter(|network| network.order() <= MAX_ASKED);
            let network = network.ok_or_else(|| {
                ArgError::new("pivots", "needs the largest degree of the frame, which is not known")
            })?;
            Degrees::measured(&**network).max
        };
        widest = widest.max(degree);
    }
    Ok(widest.min(most))
}

/// The pivots of all phases from sets that the user chose, in turn.
pub(super) fn chosen(lists: &[Vec<u64>], unit: &Built, frames: &Frames) -> Result<Plans, ArgError> {
    let network = unit.example();
    let network = network
        .ok_or_else(|| ArgError::new("pivots", "cannot be checked: the unit is too large"))?;
    let sets = Sets::checked(lists, &**network, widest(frames, frames.len(), u64::MAX)?)
        .map_err(|broken| ArgError::new("pivots", broken))?;
    let pivot = |phase: usize| match *sets.list(phase % sets.count()) {
        [alone] => Pivot::At(alone),
        ref members => Pivot::Set(members.into()),
    };
    let pivots = (0..frames.len()).map(pivot).collect();
    Ok(Plans { pivots, sets: Some(Chosen::Given(Arc::new(sets))) })
}

/// The pivots of all phases that `mode` names.
pub(super) fn pivots(mode: &str, unit: &Built, frames: &Frames) -> Result<Plans, ArgError> {
    let r = frames.len() as u64;
    // Beyond r no position is a pivot, so a unit of more nodes may as well have that many.
    let n = unit.order().to_u64().unwrap_or(u64::MAX);
    let turns = if r == 0 { 0 } else { (r - 1) / n };
    let last = r - turns * n;
    if mode == "single" && turns > 0 {
        let message = format!("must be at most {n}, the order of the unit, with pivots=single");
        return Err(ArgError::new("r", message));
    }
    let size = match mode {
        "degree" | "search" => {
            let most = n.checked_div(last).unwrap_or(1);
            widest(frames, usize::try_from(last).expect("at most r"), most)?.max(1)
        }
        _ => 1,
    };
    let sets = if mode == "search" && last > 0 { Some(found(unit, last, size)?) } else { None };
    let pivot = |phase: u64| match (mode, &sets) {
        ("single", _) => Pivot::Node(phase % n),
        ("degree", _) if phase >= turns * n => Pivot::Block { head: phase % n * size, size },
        (_, Some(found)) if phase >= turns * n => {
            let set = usize::try_from(phase % n).expect("at most r");
            Pivot::Set(found.sets.list(set).into())
        }
        _ => Pivot::At(phase % n),
    };
    let pivots = (0..r).map(pivot).collect();
    Ok(Plans { pivots, sets: sets.map(|found| Chosen::Found(Arc::new(found))) })
}

/// So many sets of at most that size, by a search.
fn found(unit: &Built, count: u64, size: u64) -> Result<Found, ArgError> {
    let network = unit.example().filter(|network| network.order() <= MAX_SEARCHED);
    let found = network.and_then(|network| search(&**network, count, size));
    found.ok_or_else(|| {
        let most = MAX_SEARCHED;
        ArgError::new("pivots", format!("can be searched in a unit of at most {most} nodes"))
    })
}
