//! What a short simulation says of a network that is recommended.

use nestnet_analysis::simulated::{Routed, Sent, Setup};
use nestnet_sim::{Config, RunLength, Window};
use nestnet_topologies::build::{Context, build_with};
use nestnet_topologies::family::reference::plane_of;
use nestnet_topologies::spec::Spec;
use serde::Serialize;

/// A short simulation of uniform traffic at the full rate, with the usual router model.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Confirmation {
    /// The routing of the row.
    pub router: String,
    /// Flits that each host sends in a cycle.
    pub offered: f64,
    /// Flits that each host receives in a cycle: saturation throughput with this model.
    pub accepted: f64,
    /// Virtual channels of a link.
    pub vcs: u16,
    /// Cycles before the measured ones.
    pub warmup: u64,
    /// Cycles measured.
    pub cycles: u64,
    /// What came of it, as `simulate` says it.
    pub status: String,
}

/// Hosts times cycles of warm-up, and as many measured: a few seconds where all channels are busy.
const HOST_CYCLES: u64 = 400_000;

/// No fewer cycles: packets must arrive.
const FEWEST: u64 = 100;

/// No more: small networks are quick to fill.
const MOST: u64 = 2000;

/// Simulates a network by a routing, of several planes one. None where that is not possible; what is stopped has what it saw, and says so.
pub(super) fn confirm(
    spec: &Spec,
    routing: Option<&str>,
    context: &Context<'_>,
) -> Option<Confirmation> {
    let spec = plane_of(spec);
    let built = build_with(&spec, &spec.to_string(), context).ok()?;
    let hosts = built.network.as_ref()?.hosts();
    let routed = Routed { by: routing, ..Routed::default() };
    let setup = Setup::new(&built, routed, Config::default(), &context.budget).ok()?;
    let cycles = (HOST_CYCLES / hosts.max(1)).clamp(FEWEST, MOST);
    let length = RunLength::Fixed(Window { warmup: cycles, cycles });
    let offered = 1.0;
    let sent = Sent { loads: &[offered], length, ..Sent::UNIFORM };
    let found = setup.run(&sent, &context.budget).ok()?;
    let point = found.curve.points.first()?;
    Some(Confirmation {
        router: setup.name.clone(),
        offered,
        accepted: point.accepted,
        vcs: setup.config.vcs,
        warmup: cycles,
        cycles,
        status: point.status.to_string(),
    })
}
