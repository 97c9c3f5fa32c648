//! What a short simulation says of a network that is recommended.

use nestnet_analysis::simulated::{Routed, Sent, Setup};
use nestnet_graph::json::rounded;
use nestnet_sim::{Config, Own, RunLength, Window};
use nestnet_topologies::build::{Context, build_with};
use nestnet_topologies::family::reference::plane_of;
use nestnet_topologies::spec::Spec;
use serde::Serialize;

/// A short simulation of uniform traffic, of a cluster at the full rate, of a chip at the load at which most is accepted, with
/// lookahead, speculation and two flits of a port in a cycle.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Confirmation {
    /// The router that was simulated: the routing of the row.
    pub router: String,
    /// Flits that each host offers in a cycle.
    pub offered: f64,
    /// Flits that each host receives in a cycle: saturation throughput with this model.
    pub accepted: f64,
    /// Virtual channels of a link.
    pub vcs: u16,
    /// Cycles before the measured ones.
    pub warmup: u64,
    /// Cycles measured.
    pub cycles: u64,
    /// How it ended, as the status of a point of `simulate`.
    pub status: String,
    /// The command that runs it again.
    pub command: String,
}

/// Hosts times cycles of warm-up, and half as many measured: a few seconds where all channels are busy.
const HOST_CYCLES: u64 = 400_000;

/// Hosts times cycles of warm-up at each load of a chip, and as many measured.
const CHIP_HOST_CYCLES: u64 = 128_000;

/// No fewer cycles of warm-up: packets must arrive.
const FEWEST: u64 = 100;

/// No more: small networks are quick to fill.
const MOST: u64 = 2000;

/// No more at each load of a chip.
const CHIP_MOST: u64 = 1000;

/// Simulates a network by a routing, of several planes one. None where that is not possible; what is stopped has what it saw, and says so.
pub(super) fn confirm(
    spec: &Spec,
    routing: Option<&str>,
    context: &Context<'_>,
) -> Option<Confirmation> {
    let routed = Routed { by: routing, ..Routed::default() };
    let window = |hosts: u64| {
        let warmup = (HOST_CYCLES / hosts.max(1)).clamp(FEWEST, MOST);
        Window { warmup, cycles: warmup / 2 }
    };
    run(&plane_of(spec), routed, &[1.0], window, context)
}

/// Simulates a network on a chip by a routing, on so many virtual channels of a link, at loads up to saturation.
pub(super) fn confirm_on_chip(
    spec: &Spec,
    routing: &str,
    vcs: Option<u16>,
    context: &Context<'_>,
) -> Option<Confirmation> {
    let routed = Routed { by: Some(routing), vcs, ..Routed::default() };
    let window = |hosts: u64| {
        let cycles = (CHIP_HOST_CYCLES / hosts.max(1)).clamp(FEWEST, CHIP_MOST);
        Window { warmup: cycles, cycles }
    };
    run(spec, routed, &[], window, context)
}

/// Routers and switches that are built do not wait for a stage where they need not, and their crossbars are faster than
/// their links: lookahead, speculation, two flits of a port in a cycle.
fn router() -> Config {
    Config { lookahead: true, speculative: true, input_speedup: 2, ..Config::default() }
}

/// The point at which most is accepted.
fn run(
    spec: &Spec,
    routed: Routed<'_>,
    loads: &[f64],
    window: impl Fn(u64) -> Window,
    context: &Context<'_>,
) -> Option<Confirmation> {
    let built = build_with(spec, &spec.to_string(), context).ok()?;
    let window = window(built.network.as_ref()?.hosts());
    let setup = Setup::new(&built, routed, router(), &context.budget).ok()?;
    let length = RunLength::Fixed(window);
    // As throughput counts it.
    let sent = Sent { own: Own::LeftOut, loads, length, ..Sent::UNIFORM };
    let found = setup.run(&sent, &context.budget).ok()?;
    let point = found.curve.points.iter().max_by(|a, b| a.accepted.total_cmp(&b.accepted))?;
    let (router, vcs) = (setup.name.clone(), setup.config.vcs);
    let load = loads.first().map_or("--sweep".to_owned(), |load| format!("--load {load}"));
    let Window { warmup, cycles } = window;
    let command = format!(
        "nestnet simulate '{spec}' --without-self --router '{router}' --vcs {vcs} --lookahead --speculative \
         --input-speedup 2 {load} --warmup {warmup} --cycles {cycles}"
    );
    Some(Confirmation {
        router,
        offered: point.offered,
        accepted: rounded(point.accepted),
        vcs,
        warmup,
        cycles,
        status: point.status.to_string(),
        command,
    })
}
