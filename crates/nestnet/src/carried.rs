//! What a network carries under one of its routings, also of the worst permutation, with how many virtual channels.
//!
//! Hosts of one switch share its routes, so that all of this is computed between switches: with `p` hosts at each of `n`
//! switches, uniform traffic of `H` hosts puts `p²(n-1)/(H-1)` times the load of uniform traffic of the switches on a
//! channel, and the worst permutation of hosts is `p` times the worst of switches.

use nestnet_analysis::measures::{Analysis, Limits, natural_sides};
use nestnet_analysis::routers;
use nestnet_analysis::throughput::{Ask, Throughput, throughput, throughput_by};
use nestnet_graph::distances::ratio;
use nestnet_graph::fabric::Fabric;
use nestnet_graph::measure::bisection::{Search, bisection};
use nestnet_graph::{Budget, Network as _, Node};
use nestnet_routing::Router;
use nestnet_routing::flow::{Demands, most_by_busiest};
use nestnet_routing::route::deadlock::certify;
use nestnet_routing::traffic::Traffic;
use nestnet_topologies::build::{Context, build_with};
use nestnet_topologies::family::Built;
use nestnet_topologies::family::hosts::base_of;
use nestnet_topologies::family::reference::plane_of;
use nestnet_topologies::spec::Spec;
use num_traits::ToPrimitive;
use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

/// Routes of larger networks whose hosts forward are not followed.
const MOST_PAIRS: u64 = 1 << 22;

/// The most row operations of one of these computations: a second or two.
const MOST_STEPS: u128 = 1 << 31;

/// Routings of larger networks are not certified: what is proven by construction counts.
pub(crate) const MOST_CERTIFIED: u64 = 600;

/// Larger networks of switches are not measured.
pub(crate) const MOST_SWITCHES: u64 = 1 << 13;

/// A limit is not broken by less than this.
pub(crate) const ROUNDING: f64 = 1e-9;

/// What one router does on a network.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Routed {
    /// A name of the table of routers.
    pub name: &'static str,
    /// θ of uniform traffic, as links between switches allow.
    pub uniform: f64,
    /// θ of the worst permutation; none where it takes too long to find or was not asked for.
    pub worst: Option<f64>,
    /// Virtual channels of a link.
    pub vcs: u16,
    /// Whether it is proven free of deadlock.
    pub deadlock_free: bool,
}

/// What a routing must keep within.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Within {
    /// Virtual channels.
    pub max_vcs: Option<u16>,
    /// θ of the worst permutation.
    pub min_worst_case: Option<f64>,
}

/// A routing whose worst permutation is sought only where it may be chosen.
struct Choice<'a> {
    routed: Routed,
    worst: Box<dyn FnOnce() -> Option<f64> + 'a>,
}

impl Choice<'_> {
    /// One whose worst permutation is known, or is not asked for.
    fn known(routed: Routed) -> Self {
        let worst = routed.worst;
        Choice { routed, worst: Box::new(move || worst) }
    }

    fn finish(self) -> Routed {
        Routed { worst: (self.worst)(), ..self.routed }
    }
}

/// The best of those that are proven free of deadlock within the limits: what carries most, of uniform traffic first.
fn best(mut all: Vec<Choice<'_>>, limits: &Within) -> Option<Routed> {
    // What hosts cannot inject counts for nothing, nor does a rounding error.
    let uniform = |one: &Routed| (one.uniform.min(1.0) / 1e-6).round();
    let few = |one: &Routed| limits.max_vcs.is_none_or(|most| one.vcs <= most);
    all.retain(|one| one.routed.deadlock_free && few(&one.routed));
    // The first of equals comes first.
    all.sort_by(|a, b| uniform(&b.routed).total_cmp(&uniform(&a.routed)));
    let carries = |one: &Routed| {
        let enough = |least: f64| one.worst.is_some_and(|worst| worst >= least - ROUNDING);
        limits.min_worst_case.is_none_or(enough)
    };
    let better = |a: &Routed, b: &Routed| {
        let worst = |one: &Routed| one.worst.unwrap_or(0.0);
        let order = worst(a).total_cmp(&worst(b)).then(b.vcs.cmp(&a.vcs));
        order.is_gt()
    };
    let mut found: Option<Routed> = None;
    for one in all {
        if found.as_ref().is_some_and(|found| uniform(found) > uniform(&one.routed)) {
            break;
        }
        let one = one.finish();
        if carries(&one) && found.as_ref().is_none_or(|found| better(&one, found)) {
            found = Some(one);
        }
    }
    found
}

/// The best routing of a fabric within the limits; none where no router is proven free of deadlock within them.
pub(crate) fn of_fabric(built: &Built, limits: &Within, context: &Context<'_>) -> Option<Routed> {
    let budget = Budget { steps: context.budget.steps.min(MOST_STEPS), ..context.budget };
    let context = &Context { budget, ..*context };
    let network = built.network.as_ref()?;
    if network.order() - network.hosts() == 1 {
        // One switch carries all that its hosts send.
        let (name, worst) = (routers::default_name(built), Some(1.0));
        let routed = Routed { name, uniform: 1.0, worst, vcs: 1, deadlock_free: true };
        return best(vec![Choice::known(routed)], limits);
    }
    match base_of(built.spec()) {
        Some((base, each)) => hosted(built, &base, [each, network.hosts()], limits, context),
        None => best(indirect(built, context), limits),
    }
}

/// What is known of the traffic of a network.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Carried {
    /// By its best routing, where one is proven free of deadlock.
    pub routed: Option<Routed>,
    /// Cables across a bisection for each host of one side.
    pub bisection: Option<f64>,
}

/// What a network carries under its best routing; none where it is too large to see.
pub(crate) fn carried(built: &Built, budget: &Budget<'_>) -> Option<Carried> {
    let read = |_: &str| Err(std::io::Error::other("files are not read again"));
    let context = Context { read: &read, budget: *budget, ..Context::ALONE };
    // Hosts send an equal part into every plane: a plane carries as much of its rate as all carry of the full rate.
    let plane = plane_of(built.spec());
    if plane != *built.spec() {
        return carried(&build_with(&plane, &plane.to_string(), &context).ok()?, budget);
    }
    let network = built.network.as_ref()?;
    let (hosts, order) = (network.hosts(), network.order());
    let routed = if hosts < order {
        if order - hosts > MOST_SWITCHES {
            return None;
        }
        of_fabric(built, &Within::default(), &context)
    } else {
        if order > MOST_CERTIFIED {
            return None;
        }
        of_nodes(built, None, Depth::All, budget)
    };
    Some(Carried { routed, bisection: bisection_fraction(built, budget) })
}

/// The router that a network gets in a design: the best of a network of hosts and switches, of planes that of each; of
/// others, and where none is proven free of deadlock, the default.
pub(crate) fn router_of(built: &Built, budget: &Budget<'_>) -> &'static str {
    // Also where its routes are too many to be followed.
    if built.router(SPREAD).is_some() {
        return SPREAD;
    }
    let usual = routers::default_name(built);
    let switches = |network: &Arc<dyn nestnet_graph::Network>| network.order() - network.hosts();
    let count = built.network.as_ref().map_or(0, switches);
    if count == 0 || count > MOST_SWITCHES {
        return usual;
    }
    let read = |_: &str| Err(std::io::Error::other("files are not read again"));
    let context = Context { read: &read, budget: *budget, ..Context::ALONE };
    let plane = plane_of(built.spec());
    if plane != *built.spec() {
        let plane = build_with(&plane, &plane.to_string(), &context);
        let name = plane.map_or(usual, |plane| router_of(&plane, budget));
        return if built.router(name).is_some() { name } else { usual };
    }
    of_fabric(built, &Within::default(), &context).map_or(usual, |routed| routed.name)
}

/// How much is computed of the routers of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Depth {
    /// Uniform traffic on the routers that it has of its own.
    Own,
    /// Also the worst permutation, and optimized paths where they may carry more.
    All,
}

/// The best routing of a network whose nodes all inject, within a limit of virtual channels.
pub(crate) fn of_nodes(
    built: &Built,
    max_vcs: Option<u16>,
    depth: Depth,
    budget: &Budget<'_>,
) -> Option<Routed> {
    let budget = Budget { steps: budget.steps.min(MOST_STEPS), ..*budget };
    let limits = Within { max_vcs, ..Within::default() };
    let mut names = vec![SHORTEST];
    names.extend(built.rule_names().into_iter().filter(|&name| name != SHORTEST));
    direct(built, built, [1.0, 1.0], names, &limits, depth, &budget)
}

/// The best router of a network whose nodes are switches with as many hosts each.
fn hosted(
    built: &Built,
    base: &Spec,
    [each, hosts]: [u64; 2],
    limits: &Within,
    context: &Context<'_>,
) -> Option<Routed> {
    let switches = build_with(base, &base.to_string(), context).ok()?;
    let order = switches.network.as_ref()?.order();
    let scale = (hosts - 1) as f64 / ((order - 1) as f64 * (each as f64).powi(2));
    // Others than the default may do with fewer virtual channels.
    let mut names = match limits.max_vcs {
        Some(_) => switches.router_names(),
        None => vec![routers::default_name(&switches)],
    };
    // Through an intermediate switch half as much is carried, whatever the permutation is.
    names.extend(limits.min_worst_case.map(|_| VALIANT));
    names.push(UGAL);
    // The routing that the literature calls minimal in a dragonfly is not that of the shortest paths.
    names.extend(switches.rule_names().contains(&MINIMAL).then_some(UGAL_OF_MINIMAL));
    let scales = [scale, 1.0 / each as f64];
    direct(built, &switches, scales, names, limits, Depth::All, &context.budget)
}

const VALIANT: &str = "valiant";

const UGAL: &str = "ugal";

const MINIMAL: &str = "minimal";

const UGAL_OF_MINIMAL: &str = "ugal(minimal)";

const SHORTEST: &str = "shortest";

const SPREAD: &str = "spread";

const ECMP: &str = "ecmp";

/// Optimized paths are sought where the others carry less than this part of what the links allow.
const SHORT: f64 = 0.97;

/// The best of the routers of switches with these names, and what it does for hosts: `scales` are of the θ of uniform
/// traffic and of the worst permutation among switches.
fn direct(
    built: &Built,
    switches: &Built,
    scales: [f64; 2],
    names: Vec<&'static str>,
    limits: &Within,
    depth: Depth,
    budget: &Budget<'_>,
) -> Option<Routed> {
    let minimal = |name: &'static str| {
        // The same hops from a table, which asks the rule once for each pair.
        let table = routers::find_within(switches, &format!("table({name})"), budget);
        let router = table.or_else(|_| routers::find_within(switches, name, budget)).ok()?;
        let found = under(switches, &router, "uniform", budget)?;
        let uniform = found.network_theta.as_ref()?.value * scales[0];
        let free = is_free(switches, name, &router, budget);
        Some(Rc::new(Minimal { router, found, uniform, free, worst: OnceCell::new() }))
    };
    let mut known: Vec<(&str, Option<Rc<Minimal>>)> = Vec::new();
    // Both legs are uniform, whatever the permutation is.
    let valiant = move |inner: &str| {
        let router = routers::find_within(switches, &format!("valiant({inner})"), budget).ok()?;
        theta(switches, &router, "uniform", budget)
    };
    let routed = |name: &'static str| {
        let vcs = routers::find_within(built, name, budget).ok()?.host_vcs();
        if limits.max_vcs.is_some_and(|most| vcs > most) {
            return None;
        }
        if name == VALIANT {
            // Each leg has virtual channels of its own.
            let theta = valiant(SHORTEST)?;
            let (uniform, worst) = (theta * scales[0], Some(theta * scales[1]));
            return Some(Choice::known(Routed { name, uniform, worst, vcs, deadlock_free: true }));
        }
        let (inner, is_ugal) = match name {
            UGAL => (SHORTEST, true),
            UGAL_OF_MINIMAL => (MINIMAL, true),
            name => (name, false),
        };
        let found = known.iter().find(|(known, _)| *known == inner).map(|(_, one)| one.clone());
        let one = found.unwrap_or_else(|| {
            known.push((inner, minimal(inner)));
            known[known.len() - 1].1.clone()
        })?;
        let (uniform, deadlock_free) = (one.uniform, one.free);
        let worst = move || {
            let own = || Some(theta(switches, &one.router, "worst", budget)? * scales[1]);
            match depth {
                Depth::Own => None,
                Depth::All if is_ugal => {
                    // The better of both, as an ideal choice between them.
                    let valiant = valiant(inner).map(|theta| theta * scales[1]);
                    one.worst.get_or_init(own).iter().copied().chain(valiant).reduce(f64::max)
                }
                Depth::All => *one.worst.get_or_init(own),
            }
        };
        let routed = Routed { name, uniform, worst: None, vcs, deadlock_free };
        Some(Choice { routed, worst: Box::new(worst) })
    };
    let mut all: Vec<Choice<'_>> = names.into_iter().filter_map(routed).collect();
    let short =
        |most: f64| all.iter().all(|one| one.routed.uniform < SHORT * (most * scales[0]).min(1.0));
    let by_loads =
        |(_, one): &(&str, Option<Rc<Minimal>>)| most_by_loads(&one.as_ref()?.found, budget);
    if depth == Depth::All
        && most_by_distance(switches, budget).is_some_and(short)
        && known.iter().filter_map(by_loads).all(short)
    {
        all.extend(optimized(built, budget));
    }
    best(all, limits)
}

/// A router with one route, or several alike, for each pair.
struct Minimal {
    router: Arc<dyn Router>,
    /// What it carries of uniform traffic between switches.
    found: Throughput,
    /// The same for their hosts.
    uniform: f64,
    free: bool,
    worst: OnceCell<Option<f64>>,
}

/// What links between switches allow under a router.
fn theta(
    built: &Built,
    router: &Arc<dyn Router>,
    traffic: &str,
    budget: &Budget<'_>,
) -> Option<f64> {
    under(built, router, traffic, budget)?.network_theta.map(|theta| theta.value)
}

/// What is known of it.
fn under(
    built: &Built,
    router: &Arc<dyn Router>,
    traffic: &str,
    budget: &Budget<'_>,
) -> Option<Throughput> {
    let ask = Ask { traffic, gap: None, ..Ask::default() };
    throughput_by(built, router, &ask, budget).ok()
}

/// Optimized paths of a network with its hosts.
fn optimized<'a>(built: &'a Built, budget: &'a Budget<'_>) -> Option<Choice<'a>> {
    const OPTIMIZED: &str = "optimized";
    let router = routers::find_within(built, OPTIMIZED, budget).ok()?;
    let vcs = router.vcs();
    // By the order of its virtual channels, whatever its paths are.
    let uniform = theta(built, &router, "uniform", budget)?;
    let routed = Routed { name: OPTIMIZED, uniform, worst: None, vcs, deadlock_free: true };
    Some(Choice { routed, worst: Box::new(move || theta(built, &router, "worst", budget)) })
}

/// At most so much of uniform traffic between switches, as the channels that are busiest under a router show. None where
/// these are so few that they show nothing.
fn most_by_loads(found: &Throughput, budget: &Budget<'_>) -> Option<f64> {
    /// One of so many channels at least.
    const MANY: usize = 8;
    let busy = found.loads.iter().copied().fold(0.0, f64::max) * (1.0 - 1e-6);
    let count = found.loads.iter().filter(|load| **load >= busy).count();
    if count * MANY < found.loads.len() {
        return None;
    }
    let traffic = Traffic::uniform(found.hosts);
    let demands = Demands::of(&found.fabric, &traffic, budget).ok()?;
    most_by_busiest(&found.fabric, &demands, &found.loads, budget).ok()
}

/// The same, as all channels together carry all hops.
fn most_by_distance(switches: &Built, budget: &Budget<'_>) -> Option<f64> {
    let subject = Analysis::new(switches, Limits { how: None, budget: *budget });
    let (sum, pairs) = subject.distances().histogram.as_ref()?.0.mean()?;
    let channels = switches.theory.degrees().cables.to_f64()? * 2.0;
    Some(channels / (ratio(&sum, &pairs) * switches.order().to_f64()?))
}

/// Whether a router, here perhaps from a table, is proven free of deadlock: by its certificate, or of large networks by
/// construction.
fn is_free(built: &Built, name: &str, router: &Arc<dyn Router>, budget: &Budget<'_>) -> bool {
    let Some(network) = &built.network else { return false };
    if network.order() > MOST_CERTIFIED {
        return name == SHORTEST && built.rule_names().contains(&name);
    }
    certify(&**network, &**router, budget).is_ok_and(|found| found.is_free())
}

/// The routers of a network with switches of its own. In a folded Clos network `spread` takes all shortest paths alike, and
/// where servers have links of their own those that no other host forwards; elsewhere these are its own routers and
/// equal-cost multipath, which needs no walk along all routes, up to the first that carries nearly all of uniform traffic.
fn indirect<'a>(built: &'a Built, context: &'a Context<'_>) -> Vec<Choice<'a>> {
    let budget = &context.budget;
    let theta = move |router: &'static str, traffic: &str| {
        let ask = Ask { traffic, router, gap: None, ..Ask::default() };
        throughput(built, &ask, budget).ok().map(|found| found.theta.value)
    };
    let forwards = built.network.as_ref().is_some_and(|network| network.server_levels() > 0);
    let choice = |name: &'static str, deadlock_free: bool, vcs: u16| {
        let by = if name == SPREAD && !forwards { "all_paths" } else { name };
        let uniform = theta(by, "uniform")?;
        let routed = Routed { name, uniform, worst: None, vcs, deadlock_free };
        Some(Choice { routed, worst: Box::new(move || theta(by, "worst")) })
    };
    if let Some(router) = built.router(SPREAD) {
        let own = choice(SPREAD, true, router.host_vcs());
        // Its routes are followed one by one where hosts forward, which of large networks takes too long.
        if own.is_some() || !forwards {
            return own.into_iter().collect();
        }
    }
    let Some(network) = &built.network else { return Vec::new() };
    let (usual, mut names) = (routers::default_name(built), built.rule_names());
    if built.is_imported() {
        names = vec![usual];
    } else {
        // Where it is a search, a rule comes first.
        let place = if names.contains(&usual) { 0 } else { names.len() };
        names.retain(|name| *name != usual);
        names.insert(place, usual);
    }
    let is_followed = network.hosts().saturating_mul(network.order()) <= MOST_PAIRS;
    names.retain(|_| is_followed);
    let is_full = |one: &Choice<'_>| one.routed.deadlock_free && one.routed.uniform >= SHORT;
    let mut all: Vec<Choice<'_>> = Vec::new();
    for name in names {
        if all.iter().any(is_full) {
            break;
        }
        let Ok(router) = routers::find_within(built, name, budget) else { continue };
        let certified = || certify(&**network, &*router, budget).is_ok_and(|found| found.is_free());
        let is_free = is_free(built, name, &router, budget)
            || network.order() > MOST_CERTIFIED && certified();
        all.extend(choice(name, is_free, router.host_vcs()));
    }
    if !all.iter().any(is_full) {
        // By the order of its virtual channels, whatever its paths are.
        let ecmp = routers::find_within(built, ECMP, budget).ok();
        all.extend(ecmp.and_then(|router| choice(ECMP, true, router.host_vcs())));
    }
    all
}

/// Cables across a bisection for each host of one side: of switches with as many hosts each by the best of a few cuts,
/// of a folded Clos network by the cables between two levels.
pub(crate) fn bisection_fraction(built: &Built, budget: &Budget<'_>) -> Option<f64> {
    /// Enough to see most cuts that are much better than a random one.
    const DIVISIONS: usize = 6;
    let network = built.network.as_ref()?;
    let fabric = Fabric::of(&**network, budget).ok()?;
    let hosts = network.hosts();
    if fabric.csr.order() == 1 && hosts > 1 {
        // One switch joins its hosts at their full rate.
        return Some(1.0);
    }
    if fabric.hosts.iter().all(|&hosts| hosts > 0) {
        let given = natural_sides(fabric.csr.order());
        let search = Search {
            given: &given,
            divisions: DIVISIONS,
            rounds: 2,
            max_memory: 0,
            ..Search::default()
        };
        let found = bisection(&fabric.csr, &search, &budget.watch);
        return Some(found.high as f64 / (hosts as f64 / 2.0));
    }
    built.router(SPREAD)?;
    let mut cables = vec![0u64; usize::from(network.levels())];
    for at in (hosts..network.order()).map(Node) {
        network.for_each_neighbor(at, &mut |port, to| {
            if to > at {
                cables[usize::from(network.level(at, port))] += 1;
            }
        });
    }
    let least = cables.iter().skip(1).min()?;
    Some(*least as f64 / hosts as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nestnet_topologies::build;

    /// A fabric without a rule for several paths carries what equal-cost multipath does, where that is more; beyond the
    /// size to which others are certified what its own routers do is known too.
    #[test]
    fn fabrics_are_routed_by_the_best_router() {
        let budget = Budget::default();
        for (spec, name, least) in [
            ("rails(8, 4, 4, 4)", "spread", 1.0),
            ("dragonfly_plus(8, 8, 8, 9)", "minimal", 1.0),
            ("hammingmesh(4, 4, 2, 2)", "shortest", 0.6),
            ("clos(8, 2)", "spread", 1.0),
        ] {
            let built = build(spec).unwrap();
            let found = carried(&built, &budget).unwrap().routed.unwrap();
            assert_eq!((found.name, found.deadlock_free), (name, true), "{spec}");
            assert!(found.uniform >= least, "{spec}: {found:?}");
            for (traffic, value) in [("uniform", found.uniform), ("worst", found.worst.unwrap())] {
                let router = if spec == "clos(8, 2)" { "all_paths" } else { name };
                let ask = Ask { traffic, router, gap: None, ..Ask::default() };
                let asked = throughput(&built, &ask, &budget).unwrap();
                assert_eq!(asked.theta.value, value, "{spec} {traffic}");
            }
        }
    }
}
