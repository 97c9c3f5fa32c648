//! Distances between hosts by the best method: a theorem, one search from each class of hosts, or one from every switch.

use super::distance_result::BetweenHosts;
use super::distances::{affords_sweep, searches, steps};
use super::{Analysis, Unanswered};
use nestnet_graph::measure::hosts::{host_distances_by, host_distances_by_symmetry};
use nestnet_graph::theory::Bounded;
use nestnet_graph::{Distances, How, Orbit};

impl Analysis<'_> {
    /// All that is found of distances between hosts.
    pub fn between_hosts(&self) -> &BetweenHosts {
        self.between_hosts.get_or_init(|| find(self))
    }
}

fn find(subject: &Analysis<'_>) -> BetweenHosts {
    if subject.is_all_hosts() {
        let all = subject.distances();
        return BetweenHosts {
            histogram: all.histogram.clone(),
            diameter: all.diameter.clone(),
            why: all.why.clone(),
        };
    }
    let proven = by_theorem(subject);
    let is_known = proven.histogram.is_some() && proven.diameter.is_some();
    match subject.limits.how {
        Some(How::Theorem) => proven,
        None if is_known => proven,
        how => {
            let found = search(subject, how);
            let found = match found {
                Ok((histogram, how)) => {
                    let diameter = Bounded::theorem(histogram.longest()).by(how);
                    let connected = subject.built.theory.connected();
                    BetweenHosts {
                        diameter: connected.then_some(diameter),
                        histogram: Some((histogram, how)),
                        why: (!connected).then_some(Unanswered::NotConnected),
                    }
                }
                Err(why) => BetweenHosts { why: Some(why), ..BetweenHosts::default() },
            };
            if how.is_some() {
                return found;
            }
            BetweenHosts {
                histogram: proven.histogram.or(found.histogram),
                diameter: found.diameter.or(proven.diameter),
                why: found.why,
            }
        }
    }
}

fn by_theorem(subject: &Analysis<'_>) -> BetweenHosts {
    let proven = &subject.built.proven;
    BetweenHosts {
        histogram: proven.host_distances().map(|distances| (distances, How::Theorem)),
        diameter: proven.host_diameter(),
        why: Some(Unanswered::NoTheorem),
    }
}

fn search(subject: &Analysis<'_>, how: Option<How>) -> Result<(Distances, How), Unanswered> {
    let (network, budget) = (subject.network()?, &subject.limits.budget);
    if how != Some(How::Exhaustive)
        && let Some(classes) = host_classes(subject)
    {
        subject.affords(searches(subject, classes.len() as u64))?;
        budget.fits("distances from one host", 16 * u128::from(subject.order()))?;
        let found = host_distances_by_symmetry(network, &classes, &budget.watch)?;
        return Ok((found, How::Symmetry));
    }
    if how == Some(How::Symmetry) {
        return Err(Unanswered::NoSymmetry);
    }
    if subject.sampling().is_some() {
        return Err(Unanswered::OnlySampled);
    }
    let sources = network.order() - network.hosts();
    let sweeper = subject.sweeper;
    subject.affords_at_once(steps(subject, sources.max(1)), sweeper.steps_at_once())?;
    let fabric = subject.fabric()?;
    affords_sweep(subject, sweeper, &fabric.csr)?;
    Ok((host_distances_by(sweeper, fabric, &budget.watch)?, How::Exhaustive))
}

/// Classes of hosts; none where a class has switches too.
fn host_classes(subject: &Analysis<'_>) -> Option<Vec<Orbit>> {
    let hosts = subject.network().ok()?.hosts();
    let classes = subject.classes()?.iter().copied().filter(|class| class.node.0 < hosts);
    let classes: Vec<Orbit> = classes.collect();
    (classes.iter().map(|class| class.size).sum::<u64>() == hosts).then_some(classes)
}
