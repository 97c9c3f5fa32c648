//! How long do messages take under load, where it can be afforded to try?

use super::{Analysis, Unanswered};
use crate::simulated::{Routed, Sent, Setup};
use nestnet_graph::distances::ratio;
use nestnet_sim::{Config, Curve, RunLength};
use num_traits::ToPrimitive;

/// Latency under uniform traffic at all loads up to saturation, where that can be afforded.
pub fn under_load(
    subject: &Analysis<'_>,
    router: Option<&str>,
    length: RunLength,
) -> Result<Curve, Unanswered> {
    /// What a flit takes to cross a switch, in steps.
    const STEPS: f64 = 30.0;
    /// Loads that are tried, where short runs count as whole ones; half a flit a cycle on average.
    const LOADS: f64 = 17.0;
    subject.network()?;
    let window = length.fixed();
    let theory = &subject.built.theory;
    if !theory.connected() {
        return Err(Unanswered::NotConnected);
    }
    let hosts = theory.hosts().to_f64().unwrap_or(f64::MAX);
    let mean = theory.distances().and_then(|found| found.mean());
    let hops = mean.map_or(hosts.log2(), |(sum, pairs)| ratio(&sum, &pairs));
    let flits = hosts * (window.warmup + window.cycles) as f64 * LOADS / 2.0;
    subject.affords((flits * (1.0 + hops) * STEPS).to_u128().unwrap_or(u128::MAX))?;
    let budget = &subject.limits.budget;
    let routed = Routed { by: router, ..Routed::default() };
    let setup = Setup::new(subject.built, routed, Config::default(), budget)?;
    let found = setup.run(&Sent { length, ..Sent::UNIFORM }, budget)?;
    // A curve that was stopped has only its beginning.
    budget.check()?;
    Ok(found.curve)
}
