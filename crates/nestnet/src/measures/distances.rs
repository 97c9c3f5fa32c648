//! Distances by the best road: a theorem, one search from each class of nodes, or a search from every node.

use super::Subject;
use nestnet_core::measure::distance::{
    AllDistances, by_symmetry, by_symmetry_implicit, diameter_by_bounds, exhaustive,
};
use nestnet_core::measure::search::levels_bytes;
use nestnet_core::measure::sweep::{WIDTH, sweep_bytes};
use nestnet_core::theory::Known;
use nestnet_core::{Csr, Distances, How, Network, Node, Orbit};

/// What is found of distances, each with its road.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Ordered pairs by distance.
    pub histogram: Option<(Distances, How)>,
    /// Between its bounds; absent where there is no path between some nodes.
    pub diameter: Option<Known>,
    /// Likewise.
    pub radius: Option<Known>,
    /// Two nodes that are the diameter apart.
    pub farthest: Option<(Node, Node)>,
    /// Why something is missing.
    pub why: Option<String>,
}

pub(super) fn find(subject: &Subject<'_>) -> Found {
    if !subject.built.theory.connected() {
        return disconnected(subject);
    }
    match subject.limits.how {
        Some(How::Theorem) => by_theorem(subject),
        Some(How::Exhaustive) if subject.limits.diameter_only => diameter_alone(subject),
        Some(how) => match measure(subject, Some(how)) {
            Ok(all) => from_search(all),
            Err(why) => Found { why: Some(why), ..Found::default() },
        },
        None => {
            let mut found = by_theorem(subject);
            let exact = found.diameter.as_ref().is_some_and(|known| known.exact().is_some());
            let all = found.histogram.is_some() && found.radius.is_some();
            if exact && (all || subject.limits.diameter_only) {
                return found;
            }
            if subject.limits.diameter_only && subject.classes().is_none() {
                let alone = diameter_alone(subject);
                // Bounds by theorem are better than nothing.
                return if alone.diameter.is_some() {
                    alone
                } else {
                    Found { why: alone.why, ..found }
                };
            }
            match measure(subject, None) {
                Ok(all) => {
                    let all = from_search(all);
                    // A theorem goes before a search, exact before bounds.
                    found.histogram = found.histogram.or(all.histogram);
                    if !exact {
                        found.diameter = all.diameter;
                    }
                    found.radius = found.radius.or(all.radius);
                    found.farthest = all.farthest;
                    found.why = None;
                }
                Err(why) => found.why = Some(why),
            }
            found
        }
    }
}

/// Pairs that have a path are still counted.
fn disconnected(subject: &Subject<'_>) -> Found {
    let why = Some("it is not connected: there is no path between some nodes".to_owned());
    let how = subject.limits.how;
    let all = if how == Some(How::Theorem) { None } else { measure(subject, how).ok() };
    Found { histogram: all.map(|all| (all.histogram, all.how)), why, ..Found::default() }
}

/// From the farthest nodes inward, until bounds meet.
fn diameter_alone(subject: &Subject<'_>) -> Found {
    let found = subject.csr().and_then(|csr| {
        affords_sweep(subject, csr)?;
        let found = diameter_by_bounds(csr, &subject.limits.budget.watch)
            .map_err(|error| error.to_string())?;
        found.ok_or_else(|| "it is not connected".to_owned())
    });
    match found {
        Ok(found) => Found {
            diameter: Some(Known { how: How::Exhaustive, ..Known::theorem(found.value) }),
            farthest: Some(found.farthest),
            ..Found::default()
        },
        Err(why) => Found { why: Some(why), ..Found::default() },
    }
}

fn by_theorem(subject: &Subject<'_>) -> Found {
    let proven = &subject.built.proven;
    let histogram = proven.distances().map(|distances| (distances, How::Theorem));
    let diameter = proven.diameter();
    let radius = diameter.clone().filter(|_| subject.is_transitive());
    let why = Some("no theorem says it; see --how".to_owned());
    Found { histogram, diameter, radius, farthest: None, why }
}

fn from_search(all: AllDistances) -> Found {
    let known = |value: u64| Known { how: all.how, ..Known::theorem(value) };
    Found {
        diameter: Some(known(all.diameter)).filter(|_| all.connected),
        radius: Some(known(all.radius)).filter(|_| all.connected),
        farthest: Some(all.farthest).filter(|_| all.connected),
        histogram: Some((all.histogram, all.how)),
        why: None,
    }
}

/// By the road that is asked for; if it is open, by symmetry where that takes fewer searches.
fn measure(subject: &Subject<'_>, how: Option<How>) -> Result<AllDistances, String> {
    let network = subject.network()?;
    if how != Some(How::Exhaustive)
        && let Some(classes) = subject.classes()
    {
        return search_classes(subject, network, classes);
    }
    if how == Some(How::Symmetry) {
        return Err("it declares no automorphisms: try --how exhaustive".to_owned());
    }
    subject.affords(steps(subject, subject.order()))?;
    let csr = subject.csr()?;
    affords_sweep(subject, csr)?;
    exhaustive(csr, &subject.limits.budget.watch).map_err(|error| error.to_string())
}

fn search_classes(
    subject: &Subject<'_>,
    network: &dyn Network,
    classes: &[Orbit],
) -> Result<AllDistances, String> {
    subject.affords(steps(subject, classes.len() as u64))?;
    let stopped = |error: nestnet_core::measure::Interrupted| error.to_string();
    // A few searches need no stored network, many are quicker together.
    if classes.len() > 8
        && let Ok(csr) = subject.csr()
        && affords_sweep(subject, csr).is_ok()
    {
        return by_symmetry(csr, classes, &subject.limits.budget.watch).map_err(stopped);
    }
    let (need, limit) = (levels_bytes(network.order()), subject.limits.budget.memory);
    if need > limit.into() {
        return Err(format!(
            "a search needs {need} bytes, over the limit of {limit} (--max-memory)"
        ));
    }
    by_symmetry_implicit(network, classes, &subject.limits.budget.watch).map_err(stopped)
}

/// Row operations of searching from that many nodes, 512 at a time. Diameters of what we build are small.
fn steps(subject: &Subject<'_>, sources: u64) -> u128 {
    const USUAL_DIAMETER: u128 = 20;
    let rows = u128::from(subject.order()).saturating_add(subject.links().saturating_mul(2));
    let batches = u128::from(sources).div_ceil(WIDTH as u128);
    rows.saturating_mul(batches).saturating_mul(USUAL_DIAMETER)
}

fn affords_sweep(subject: &Subject<'_>, csr: &Csr) -> Result<(), String> {
    let threads = rayon::current_num_threads() as u128;
    let stored = Csr::bytes(csr.order(), csr.links().into());
    let need = stored + threads * sweep_bytes(csr.order());
    let limit = subject.limits.budget.memory;
    if need > limit.into() {
        return Err(format!(
            "searching needs {need} bytes, over the limit of {limit} (--max-memory)"
        ));
    }
    Ok(())
}
