//! The routing of a row: what one named router carries, also of the worst permutation, with how many virtual channels.
//!
//! Hosts of one switch share its routes, so that all of this is computed between switches: with `p` hosts at each of `n`
//! switches, uniform traffic of `H` hosts puts `p²(n-1)/(H-1)` times the load of uniform traffic of the switches on a
//! channel, and the worst permutation of hosts is `p` times the worst of switches.

use super::cluster_query::{Bounds, ClusterRow, ROUNDING};
use nestnet_analysis::measures::natural_sides;
use nestnet_analysis::throughput::{Ask, throughput};
use nestnet_graph::Budget;
use nestnet_graph::Network as _;
use nestnet_graph::fabric::Fabric;
use nestnet_graph::measure::bisection::{Search, bisection};
use nestnet_routing::route::deadlock::certify;
use nestnet_topologies::build::{Context, build_with};
use nestnet_topologies::family::Built;
use nestnet_topologies::family::hosts::base_of;
use nestnet_topologies::routers;
use nestnet_topologies::spec::Spec;

/// Of larger networks only `shortest` by a rule is looked at, which is free of deadlock by construction.
const MOST_CERTIFIED: u64 = 600;

/// Routes of larger networks whose hosts forward are not followed.
const MOST_PAIRS: u64 = 1 << 22;

/// The most row operations of one of these computations: a second or two.
const MOST_STEPS: u128 = 1 << 31;

/// What one router does on a fabric.
#[derive(Clone, Debug)]
struct Routed {
    name: String,
    /// θ of uniform traffic.
    uniform: f64,
    /// θ of the worst permutation; none where it takes too long to find.
    worst: Option<f64>,
    vcs: u16,
    deadlock_free: bool,
}

/// Fills in what depends on the routing, the best of those that the network has within the limits, and the bisection.
/// A row without a router that is proven free of deadlock keeps none.
pub(super) fn route(row: &mut ClusterRow, limits: &Bounds, context: &Context<'_>) {
    let budget = Budget { steps: context.budget.steps.min(MOST_STEPS), ..context.budget };
    let context = &Context { budget, ..*context };
    let Ok(built) = build_with(&row.spec, &row.spec.to_string(), context) else { return };
    row.bisection_fraction = bisection_fraction(row, &built, context);
    let all = match base_of(&row.spec) {
        Some((base, hosts)) => direct(&built, &base, [hosts, row.hosts], limits, context),
        None => indirect(&built, context),
    };
    let within = |one: &Routed| {
        one.deadlock_free
            && limits.max_vcs.is_none_or(|most| one.vcs <= most)
            && limits
                .min_worst_case
                .is_none_or(|least| one.worst.is_some_and(|worst| worst >= least - ROUNDING))
    };
    let better = |a: &&Routed, b: &&Routed| {
        let worst = |one: &Routed| one.worst.unwrap_or(0.0);
        let order = a.uniform.total_cmp(&b.uniform).then(worst(a).total_cmp(&worst(b)));
        order.then(b.vcs.cmp(&a.vcs))
    };
    // The first of equals.
    let Some(best) = all.iter().rev().filter(|one| within(one)).max_by(better) else { return };
    row.throughput = best.uniform;
    row.worst_case = best.worst;
    row.vcs = Some(best.vcs);
    row.routing = Some(best.name.clone());
    row.deadlock_free = best.deadlock_free;
}

/// The routers of a network whose nodes are switches with as many hosts each.
fn direct(
    built: &Built,
    base: &Spec,
    [each, hosts]: [u64; 2],
    limits: &Bounds,
    context: &Context<'_>,
) -> Vec<Routed> {
    let Ok(switches) = build_with(base, &base.to_string(), context) else { return Vec::new() };
    let Some(network) = switches.network.clone() else { return Vec::new() };
    let order = network.order();
    if order < 2 {
        let name = routers::default_name(built).to_owned();
        let worst = Some(1.0);
        return vec![Routed { name, uniform: 1.0, worst, vcs: 1, deadlock_free: true }];
    }
    let budget = &context.budget;
    let scale = (hosts - 1) as f64 / ((order - 1) as f64 * (each as f64).powi(2));
    let theta = |router: &str, traffic: &str| {
        let ask = Ask { traffic, router, gap: None, ..Ask::default() };
        let found = throughput(&switches, &ask, budget).ok()?;
        found.network_theta.map(|theta| theta.value)
    };
    // Others than the default may do with fewer virtual channels.
    let own = match limits.max_vcs {
        Some(_) => switches.router_names(),
        None => vec![routers::default_name(&switches)],
    };
    // Through an intermediate switch half as much is carried, whatever the permutation is.
    let detour = limits.min_worst_case.map(|_| "valiant".to_owned());
    let routed = |name: String| {
        let hosted = routers::find_within(built, &name, budget).ok()?;
        if name == "valiant" {
            let uniform = (theta(&name, "uniform")? * scale).min(1.0);
            // Both legs are uniform, each with virtual channels of its own.
            let (worst, vcs) = (Some(uniform), hosted.host_vcs());
            return Some(Routed { name, uniform, worst, vcs, deadlock_free: true });
        }
        // The same hops from a table, which asks the rule once for each pair.
        let table = format!("table({name})");
        let table = routers::find_within(&switches, &table, budget).map_or(name.clone(), |_| table);
        let deadlock_free = is_free(&switches, [&name, &table], budget);
        let uniform = (theta(&table, "uniform")? * scale).min(1.0);
        let worst = theta(&table, "worst").map(|theta| (theta / each as f64).min(1.0));
        Some(Routed { name, uniform, worst, vcs: hosted.host_vcs(), deadlock_free })
    };
    own.into_iter().map(str::to_owned).chain(detour).filter_map(routed).collect()
}

/// Whether a router, here from a table where there is one, is proven free of deadlock: by its certificate, or of large
/// networks by construction.
fn is_free(built: &Built, [name, table]: [&str; 2], budget: &Budget<'_>) -> bool {
    let Some(network) = &built.network else { return false };
    if network.order() > MOST_CERTIFIED {
        return name == "shortest" && built.rule_names().contains(&name);
    }
    let router = routers::find_within(built, table, budget);
    router.is_ok_and(|router| {
        certify(&**network, &*router, budget).is_ok_and(|found| found.is_free())
    })
}

/// The routers of a network with switches of its own. In a folded Clos network `spread` takes all shortest paths alike.
fn indirect(built: &Built, context: &Context<'_>) -> Vec<Routed> {
    let budget = &context.budget;
    let spread = built.router("spread").is_some();
    let name = if spread { "spread" } else { routers::default_name(built) };
    let Some(router) = built.router(name) else { return Vec::new() };
    let pairs = built.network.as_ref().map_or(0, |network| network.hosts() * network.order());
    if !spread && pairs > MOST_PAIRS {
        return Vec::new();
    }
    let theta = |traffic: &str| {
        let router = if spread { "all_paths" } else { name };
        let ask = Ask { traffic, router, gap: None, ..Ask::default() };
        throughput(built, &ask, budget).ok().map(|found| found.theta.value)
    };
    let Some(uniform) = theta("uniform") else { return Vec::new() };
    let deadlock_free = spread || is_free(built, [name, name], budget);
    let worst = theta("worst");
    vec![Routed { name: name.to_owned(), uniform, worst, vcs: router.host_vcs(), deadlock_free }]
}

/// Cables across a bisection for each host of one side: of switches with as many hosts each by the best of a few cuts,
/// of a folded Clos network by the cables between two levels.
pub(super) fn bisection_fraction(
    row: &ClusterRow,
    built: &Built,
    context: &Context<'_>,
) -> Option<f64> {
    /// Enough to see most cuts that are much better than a random one.
    const DIVISIONS: usize = 6;
    let network = built.network.as_ref()?;
    let fabric = Fabric::of(&**network, &context.budget).ok()?;
    if fabric.hosts.iter().all(|&hosts| hosts > 0) {
        let given = natural_sides(fabric.csr.order());
        let search = Search {
            given: &given,
            divisions: DIVISIONS,
            rounds: 2,
            max_memory: 0,
            ..Search::default()
        };
        let found = bisection(&fabric.csr, &search, &context.budget.watch);
        return Some(found.high as f64 / (row.hosts as f64 / 2.0));
    }
    built.router("spread")?;
    let mut cables = vec![0u64; usize::from(network.levels())];
    for at in (row.hosts..network.order()).map(nestnet_graph::Node) {
        network.for_each_neighbor(at, &mut |port, to| {
            if to > at {
                cables[usize::from(network.level(at, port))] += 1;
            }
        });
    }
    let least = cables.iter().skip(1).min()?;
    Some(*least as f64 / row.hosts as f64)
}
