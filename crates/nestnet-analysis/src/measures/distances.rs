//! Distances by the best method: a theorem, one search from each class of nodes, or a search from every node; where
//! that takes too long, bounds on the diameter, and a sample if one is wanted.

use super::distance_result::Found;
use super::{Analysis, Sampled, Sampling, Unanswered, sample};
use nestnet_graph::measure::distance::{
    AllDistances, Diameter, by_symmetry, by_symmetry_implicit, diameter_by_bounds, exhaustive_by,
};
use nestnet_graph::measure::search::levels_bytes;
use nestnet_graph::measure::sweep::{Sweeper, Threads, WIDTH};
use nestnet_graph::theory::Bounded;
use nestnet_graph::{Csr, How, Network, Orbit, OverBudget};

impl Analysis<'_> {
    /// The network written out, where all distances take a search from every node; `None` where they are found by a
    /// theorem, by symmetry or by a sample.
    pub fn to_sweep(&self) -> Result<Option<&Csr>, Unanswered> {
        let proven = by_theorem(self);
        let how = self.limits.how;
        let by_theorem = is_exact(&proven) && proven.histogram.is_some() && proven.radius.is_some();
        let otherwise = match how {
            Some(How::Exhaustive) => false,
            Some(_) => true,
            None => (by_theorem && self.built.theory.connected()) || self.classes().is_some(),
        };
        if otherwise || self.sampling().is_some() {
            return Ok(None);
        }
        self.affords(steps(self, self.order()))?;
        let csr = self.csr()?;
        affords_sweep(self, &Threads, csr)?;
        Ok(Some(csr))
    }

    /// All that is found of distances.
    pub fn distances(&self) -> &Found {
        self.distances.get_or_init(|| find(self))
    }

    /// What is found of the diameter, which may be quicker to find than all distances.
    pub fn diameter(&self) -> &Found {
        match self.distances.get() {
            Some(found) => found,
            None => self.diameter.get_or_init(|| find_diameter(self)),
        }
    }
}

/// All distances, as far as they can be found.
fn find(subject: &Analysis<'_>) -> Found {
    if !subject.built.theory.connected() {
        return disconnected(subject);
    }
    match subject.limits.how {
        Some(How::Theorem) => by_theorem(subject),
        Some(how) => searched(subject, Some(how)),
        None => {
            let proven = by_theorem(subject);
            let all = proven.histogram.is_some() && proven.radius.is_some();
            if is_exact(&proven) && all { proven } else { joined(proven, searched(subject, None)) }
        }
    }
}

/// The diameter alone, which may be quicker to find.
fn find_diameter(subject: &Analysis<'_>) -> Found {
    if !subject.built.theory.connected() {
        return Found { why: Some(Unanswered::NotConnected), ..Found::default() };
    }
    match subject.limits.how {
        Some(How::Theorem) => by_theorem(subject),
        Some(How::Exhaustive) => diameter_alone(subject),
        Some(how) => searched(subject, Some(how)),
        None => {
            let proven = by_theorem(subject);
            if is_exact(&proven) {
                return proven;
            }
            let found = match subject.classes() {
                Some(_) => searched(subject, None),
                None => diameter_alone(subject),
            };
            joined(proven, found)
        }
    }
}

fn is_exact(found: &Found) -> bool {
    found.diameter.as_ref().is_some_and(|known| known.exact().is_some())
}

/// A theorem goes before a search, exact before bounds.
fn joined(proven: Found, searched: Found) -> Found {
    let diameter = match (proven.diameter, searched.diameter) {
        (Some(proven), Some(found)) if proven.exact().is_none() => {
            let (low, high) =
                (proven.low.clone().max(found.low), proven.high.clone().min(found.high));
            // Where the search adds nothing, the theorem said it all.
            let how =
                if (&low, &high) == (&proven.low, &proven.high) { proven.how } else { found.how };
            Some(Bounded::between(low, high).by(how))
        }
        (proven, found) => proven.or(found),
    };
    Found {
        diameter,
        histogram: proven.histogram.or(searched.histogram),
        sampled: searched.sampled,
        radius: proven.radius.or(searched.radius),
        farthest: searched.farthest,
        why: searched.why,
    }
}

/// Pairs that have a path are still counted.
fn disconnected(subject: &Analysis<'_>) -> Found {
    let how = subject.limits.how;
    let all = if how == Some(How::Theorem) { None } else { measure(subject, how).ok() };
    let histogram = all.map(|all| (all.histogram, all.how));
    Found { histogram, why: Some(Unanswered::NotConnected), ..Found::default() }
}

/// All distances, or where that takes too long the diameter or its bounds, and the mean of a sample if one is wanted.
fn searched(subject: &Analysis<'_>, how: Option<How>) -> Found {
    let why = match measure(subject, how) {
        Ok(all) => return from_search(all),
        Err(why) => why,
    };
    if how == Some(How::Symmetry) {
        return Found { why: Some(why), ..Found::default() };
    }
    let sampled = match subject.sampling() {
        Some(sampling) => sampled(subject, sampling),
        None => Err(why),
    };
    let alone = diameter_alone(subject);
    match sampled {
        Ok(sampled) => {
            Found { sampled: Some(sampled), why: Some(Unanswered::OnlySampled), ..alone }
        }
        Err(why) => Found { why: Some(why), ..alone },
    }
}

fn sampled(subject: &Analysis<'_>, sampling: Sampling) -> Result<Sampled, Unanswered> {
    let network = subject.network()?;
    subject.affords(searches(subject, sampling.sources))?;
    affords_search(subject, rayon::current_num_threads())?;
    let found = sample(network, sampling, &subject.limits.budget.watch)?;
    found.ok_or(Unanswered::NoPair)
}

/// From the farthest nodes inward, until bounds meet or take too long to meet.
fn diameter_alone(subject: &Analysis<'_>) -> Found {
    /// Searches that find the first bounds, and the writing out of the network.
    const FIRST: u64 = 16;
    let found = subject.affords(searches(subject, FIRST)).and_then(|()| {
        let csr = subject.csr()?;
        affords_sweep(subject, &Threads, csr)?;
        let found =
            diameter_by_bounds(csr, subject.limits.budget.steps / 2, &subject.limits.budget.watch);
        found?.ok_or(Unanswered::NotConnected)
    });
    match found {
        Ok(Diameter { low, high, farthest, .. }) => {
            let how = if low == high { How::Exhaustive } else { How::Bounds };
            Found {
                diameter: Some(Bounded::between(low, high).by(how)),
                farthest: Some(farthest),
                ..Found::default()
            }
        }
        Err(why) => Found { why: Some(why), ..Found::default() },
    }
}

fn by_theorem(subject: &Analysis<'_>) -> Found {
    let proven = &subject.built.proven;
    let histogram = proven.distances().map(|distances| (distances, How::Theorem));
    let diameter = proven.diameter();
    let radius = diameter.clone().filter(|_| subject.is_transitive());
    let why = Some(Unanswered::NoTheorem);
    Found { histogram, diameter, radius, why, ..Found::default() }
}

fn from_search(all: AllDistances) -> Found {
    let known = |value: u64| Bounded::theorem(value).by(all.how);
    Found {
        diameter: Some(known(all.diameter)).filter(|_| all.connected),
        radius: Some(known(all.radius)).filter(|_| all.connected),
        farthest: Some(all.farthest).filter(|_| all.connected),
        histogram: Some((all.histogram, all.how)),
        ..Found::default()
    }
}

/// By the method that is asked for; if it is open, by symmetry where that takes fewer searches.
fn measure(subject: &Analysis<'_>, how: Option<How>) -> Result<AllDistances, Unanswered> {
    let network = subject.network()?;
    if how != Some(How::Exhaustive)
        && let Some(classes) = subject.classes()
    {
        return search_classes(subject, network, classes);
    }
    if how == Some(How::Symmetry) {
        return Err(Unanswered::NoSymmetry);
    }
    if subject.sampling().is_some() {
        return Err(Unanswered::OnlySampled);
    }
    let sweeper = subject.sweeper;
    subject.affords_at_once(steps(subject, subject.order()), sweeper.steps_at_once())?;
    if let Some(swept) = &subject.swept {
        return Ok(swept.clone());
    }
    let csr = subject.csr()?;
    affords_sweep(subject, sweeper, csr)?;
    Ok(exhaustive_by(sweeper, csr, &subject.limits.budget.watch)?)
}

fn search_classes(
    subject: &Analysis<'_>,
    network: &dyn Network,
    classes: &[Orbit],
) -> Result<AllDistances, Unanswered> {
    subject.affords(steps(subject, classes.len() as u64))?;
    // A few searches need no stored network, many are quicker together.
    if classes.len() > 8
        && let Ok(csr) = subject.csr()
        && affords_sweep(subject, &Threads, csr).is_ok()
    {
        return Ok(by_symmetry(csr, classes, &subject.limits.budget.watch)?);
    }
    affords_search(subject, 1)?;
    Ok(by_symmetry_implicit(network, classes, &subject.limits.budget.watch)?)
}

/// Row operations of searching from that many nodes, 512 at a time. Diameters of what we build are small.
pub(super) fn steps(subject: &Analysis<'_>, sources: u64) -> u128 {
    const USUAL_DIAMETER: u128 = 20;
    let rows = u128::from(subject.order()).saturating_add(subject.links().saturating_mul(2));
    let batches = u128::from(sources).div_ceil(WIDTH as u128);
    rows.saturating_mul(batches).saturating_mul(USUAL_DIAMETER)
}

/// Steps of searching from that many nodes, one at a time.
pub(super) fn searches(subject: &Analysis<'_>, sources: u64) -> u128 {
    let rows = u128::from(subject.order()).saturating_add(subject.links().saturating_mul(2));
    rows.saturating_mul(sources.into())
}

/// Whether there is memory for that many searches at a time without a stored network.
fn affords_search(subject: &Analysis<'_>, at_a_time: usize) -> Result<(), OverBudget> {
    let need = levels_bytes(subject.order()) * at_a_time as u128;
    subject.limits.budget.fits("a search", need)
}

pub(super) fn affords_sweep(
    subject: &Analysis<'_>,
    sweeper: &dyn Sweeper,
    csr: &Csr,
) -> Result<(), OverBudget> {
    let stored = Csr::bytes(csr.order(), csr.links().into());
    subject.limits.budget.fits("searching from every node", stored + sweeper.bytes(csr))
}
