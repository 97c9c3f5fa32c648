//! Which network of switches for so many hosts? Cost against performance.
//!
//! For every number of hosts at a switch, all networks of switches that leave ports for them are searched, and networks
//! that bring switches of their own. Every candidate has a price, a uniform throughput, a mean path and a number of
//! failures that it survives, at first as good as its theory allows. A candidate that even at its best is dominated by what
//! was measured is pruned; of the others, distances and cables are looked at first, then traffic and failures. So a
//! network on the Pareto front is there by exact numbers. Where more may be on it than can be measured, those that promise
//! most for their price are, and the rest is counted.

use super::advice::{FULL, answers, simplest};
use super::candidate::Topology;
use super::cluster_query::{Bounds, ClusterDesign, ClusterQuestion, ClusterRow};
use super::confirm::confirm;
use super::evaluate::{
    Candidate, Stage, carried, finish, keeps, keeps_at_last, keeps_routed, most_bisection, row,
};
use super::pareto::{self, Keys, Looked, Seen, settle};
use super::result::Origin;
use super::space::Space;
use super::unfit::unfit;
use super::{DesignError, Question, names};
use crate::carried::ROUNDING;
use crate::compare::bill_of;
use crate::physical::{Bill, Parts};
use nestnet_analysis::figures::Range;
use nestnet_graph::distances::ratio;
use nestnet_graph::job::Shard;
use nestnet_graph::measure::quality::least_mean_distance;
use nestnet_graph::{Budget, Interrupted};
use nestnet_topologies::build::{Context, build_with};
use nestnet_topologies::family::find;
use nestnet_topologies::family::hosts::base_of;
use nestnet_topologies::family::reference::{self, best_name};
use nestnet_topologies::spec::Spec;
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use rayon::prelude::*;
use std::convert::Infallible;
use std::sync::Arc;

/// Where it is left open, no switch gives fewer than one of so many ports to hosts: such networks are mostly
/// switches.
const LEAST_PART: u64 = 8;

/// The most networks whose traffic is measured.
const MOST_MEASURED: usize = 256;

/// The most networks whose distances and cables are.
const MOST_LOOKED_AT: usize = 1 << 12;

/// Finds the networks that are Pareto-optimal, and says which one to take.
///
/// ```
/// use nestnet::Budget;
/// use nestnet::design::{ClusterQuestion, cluster};
///
/// let question = ClusterQuestion { depth: 0, ..ClusterQuestion::new(64, 16) };
/// let answer = cluster(&question, &Budget::default()).unwrap();
/// let (first, why) = answer.recommended.unwrap();
/// assert!(first < answer.front.len() && why.contains("cheapest"));
/// ```
pub fn cluster(
    question: &ClusterQuestion,
    budget: &Budget<'_>,
) -> Result<ClusterDesign, DesignError> {
    cluster_watched(question, budget, &|_| ())
}

/// The same; `seen` is called again and again with what is Pareto-optimal of what was measured so far. Their routing is
/// not chosen yet, so that their throughput is that of all shortest paths.
pub fn cluster_watched(
    question: &ClusterQuestion,
    budget: &Budget<'_>,
    seen: Seen<'_, ClusterRow>,
) -> Result<ClusterDesign, DesignError> {
    check(question)?;
    let read = |_: &str| Err(std::io::Error::other("files are not searched"));
    let context = Context { read: &read, budget: *budget, ..Context::ALONE };
    let mut candidates = 0;
    let mut all = Vec::new();
    let each: Vec<u64> = match question.each {
        Some(each) => vec![each],
        None => {
            let ports = question.links_of_switch();
            // Where one switch has room for all hosts, it may have no others.
            let most = if question.hosts <= ports { ports } else { ports - 1 };
            (ports.div_ceil(LEAST_PART)..=most).collect()
        }
    };
    let searches = each.len() as f64;
    for (at, &each) in each.iter().enumerate() {
        (budget.watch.progress)(0.4 * at as f64 / searches);
        search(question, each, &context, &mut candidates, &mut all)?;
    }
    own_switches(question, &context, &mut candidates, &mut all)?;
    jellyfish(question, &context, &mut candidates, &mut all);
    let judged = |family: &str| {
        let row = names::searched_as(family);
        all.iter().any(|one| Some(one.made.family().name) == row)
    };
    let unfit = unfit(question, &each, most_hosts(question), &judged, &context)?;
    let mut references = references(question, &all, &context);
    candidates += tapers(question).len() as u64;
    let limits = &question.limits;
    // First, so that they are there also where the time ends.
    let are_finished = finish(&mut references, limits, &context).is_ok();
    let Found { rows, measured, unmeasured, mut finished } = measure(question, all, &context, seen);
    finished &= are_finished;
    let mut front = simplest(rows);
    // What is both is finished once.
    let measured_as = |row: &ClusterRow| row.also.first().unwrap_or(&row.spec).clone();
    let is_reference =
        |row: &&ClusterRow| references.iter().any(|one| measured_as(one) == row.spec);
    let both: Vec<Spec> = front.iter().filter(is_reference).map(|row| row.spec.clone()).collect();
    front.retain(|row| !both.contains(&row.spec));
    finished &= finish(&mut front, limits, &context).is_ok();
    let replaced = references.iter_mut().filter_map(|one| take_abler(one, &front));
    let replaced: Vec<ClusterRow> = replaced.collect();
    // What was both stays on the Pareto front.
    front.extend(replaced.into_iter().filter(|row| both.contains(&measured_as(row))));
    // What nobody can route free of deadlock within the limits is not offered.
    let fits = |row: &ClusterRow| {
        row.routing.is_some() && keeps(question, row) && keeps_routed(question, row)
    };
    // Where families are named, those of others are only shown beside them.
    let searched = names::searches(&question.families);
    let is_searched = |row: &&ClusterRow| {
        if both.contains(row.also.first().unwrap_or(&row.spec)) {
            return true;
        }
        let spec = base_of(&row.spec).map_or_else(|| row.spec.clone(), |(base, _)| base);
        let name = names::searched_as(&spec.name);
        question.families.is_empty() || name.and_then(find).is_some_and(&searched)
    };
    // A leaf of a tapered Clos network may have more hosts than were asked for.
    let most = most_hosts(question);
    let is_of_size = |row: &&ClusterRow| row.hosts <= most;
    front.extend(references.iter().filter(is_searched).filter(is_of_size).cloned());
    let in_planes = clos_in_planes(question, &context);
    finished &= in_planes.is_ok();
    let in_planes = in_planes.unwrap_or_default();
    candidates += in_planes.len() as u64;
    front.extend(in_planes);
    front.retain(fits);
    references.iter_mut().for_each(|row| row.origin = Origin::Reference);
    let keys: Vec<Keys> = front.iter().map(ClusterRow::final_keys).collect();
    let best = pareto::guaranteed(&keys);
    let mut front = simplest(pareto::take(front, &best));
    front.sort_by(|a, b| a.price_of_what_it_carries().total_cmp(&b.price_of_what_it_carries()));
    let answers = answers(question, &front);
    let recommended = answers.best_value.as_ref().and_then(|best| {
        let at = front.iter().position(|row| row.spec == best.spec)?;
        Some((at, best.why.clone()))
    });
    let best = recommended.as_ref().map(|(at, _)| &front[*at]);
    let bill = best.and_then(|row| bill_of_row(question, row, &context));
    let simulated = best.and_then(|row| confirm(&row.spec, row.routing.as_deref(), &context));
    Ok(ClusterDesign {
        candidates,
        measured,
        front,
        references,
        unfit,
        answers,
        finished,
        unmeasured,
        recommended,
        simulated,
        bill,
    })
}

/// The bill of a row. It is that of the name by which it was measured, so that its price is that of the row.
fn bill_of_row(
    question: &ClusterQuestion,
    row: &ClusterRow,
    context: &Context<'_>,
) -> Option<Bill> {
    let spec = row.also.first().unwrap_or(&row.spec);
    let built = build_with(spec, &spec.to_string(), context).ok()?;
    bill_of(&built, &question.priced_in(row.planes), &context.budget).ok()
}

/// So many planes are tried.
const PLANES: [u64; 3] = [2, 4, 8];

/// Folded Clos networks of several planes, where these take a level less than one plane does. Hosts send an equal part
/// into every plane, so that what a plane carries of the rate of its links is what all carry of the full rate.
fn clos_in_planes(
    question: &ClusterQuestion,
    context: &Context<'_>,
) -> Result<Vec<ClusterRow>, Interrupted> {
    let mut found = Vec::new();
    // Where families or hosts at a switch are named, only those.
    let asked = question.families.is_empty() && question.each.is_none();
    for taper in tapers(question).into_iter().filter(|_| asked) {
        let Some((levels, _)) = lowest_clos(question, taper, context) else { continue };
        for planes in PLANES {
            let Some(of_plane) = question.of_plane(planes) else { continue };
            let plane = lowest_clos(&of_plane, taper, context).filter(|found| found.0 < levels);
            let candidate = plane.and_then(|(_, spec)| clos_candidate(&of_plane, &spec, context));
            let row = candidate.and_then(|one| known(&of_plane, &one, context));
            let Some(mut row) = row else { continue };
            finish(std::slice::from_mut(&mut *row), &question.limits, context)?;
            found.extend(all_planes(&of_plane, *row, planes, context));
        }
    }
    Ok(found)
}

/// All planes of which a row is one.
fn all_planes(
    of_plane: &ClusterQuestion,
    plane: ClusterRow,
    planes: u64,
    context: &Context<'_>,
) -> Option<ClusterRow> {
    let spec = reference::planes(plane.spec, planes);
    let built = build_with(&spec, &spec.to_string(), context).ok()?;
    let bill = bill_of(&built, &of_plane.priced(), &context.budget).ok()?;
    Some(ClusterRow {
        spec,
        switches: plane.switches * planes,
        also: Vec::new(),
        planes,
        links: plane.links * planes,
        price_per_host: bill.price_per_host(),
        power_per_host: bill.power_per_host(),
        // Two hosts are cut off from each other where in every plane the switch of one of them fails.
        failures_survived: planes - 1,
        ..plane
    })
}

/// Tapers of the Clos networks that are always shown, and the one that is asked for.
fn tapers(question: &ClusterQuestion) -> Vec<(u64, u64)> {
    let usual = [(1, 1), (2, 1)];
    let asked = question.limits.max_taper.and_then(ratio_within);
    usual.into_iter().chain(asked.filter(|taper| !usual.contains(taper))).collect()
}

/// The largest ratio of small integers that does not exceed a number from 1 on.
fn ratio_within(most: f64) -> Option<(u64, u64)> {
    const LARGEST: u64 = 64;
    let below = |under: u64| Some((((most * under as f64) + ROUNDING).floor().to_u64()?, under));
    let value = |&(over, under): &(u64, u64)| over as f64 / under as f64;
    // Of equal ones the first, which is in lowest terms.
    let better = |best: (u64, u64), one| if value(&one) > value(&best) { one } else { best };
    (1..=LARGEST).filter_map(below).reduce(better)
}

/// The folded Clos network of the fewest levels, and how many these are. Of an odd number of ports one is left free.
fn lowest_clos(
    question: &ClusterQuestion,
    taper: (u64, u64),
    context: &Context<'_>,
) -> Option<(u64, Spec)> {
    (2..=4u64).find_map(|levels| {
        let ports = question.links_of_switch() & !1;
        let spec = reference::folded_clos(ports, levels, taper, question.hosts);
        build_with(&spec, &spec.to_string(), context).is_ok().then_some((levels, spec))
    })
}

/// Jellyfish with more links than this for each that uniform traffic needs are not tried.
const MOST_SPARE: f64 = 1.5;

/// A random regular network for every number of hosts that fills the box.
fn jellyfish(
    question: &ClusterQuestion,
    context: &Context<'_>,
    candidates: &mut u64,
    all: &mut Vec<Candidate>,
) {
    let searched = reference::has_jellyfish(&question.families);
    let least = question.links_of_switch().div_ceil(LEAST_PART);
    let each = question.each.map_or(least..question.links_of_switch(), |each| each..each + 1);
    for each in each.filter(|_| searched) {
        let (switches, degree) = (question.hosts.div_ceil(each), question.links_of_switch() - each);
        // Half as many links as ends.
        let switches = switches + (switches * degree) % 2;
        let fits = degree < switches && switches * each <= most_hosts(question);
        if !fits || question.limits.max_degree.is_some_and(|most| degree > most) {
            continue;
        }
        let spec = reference::jellyfish(switches, degree);
        let Some(made) = Topology::of(&spec, context) else { continue };
        *candidates += 1;
        let made = candidate(question, Arc::new(made), Some(each));
        // Many more links than uniform traffic needs are of no use.
        let spare = |one: &Candidate| {
            let hops = (one.keys[2].low - 2.0).max(1e-9);
            (switches * degree) as f64 / ((switches * each) as f64 * hops)
        };
        all.extend(made.filter(|one| spare(one) <= MOST_SPARE));
    }
}

/// So many of a usual family are tried.
const MOST_TRIED: usize = 8;

/// Fabrics that everybody knows: folded Clos networks, and of the usual others the cheapest that carries uniform traffic
/// nearly in full, or where none does the one that carries most. All ports of a switch are paid, so that the cheapest one
/// uses the ports of its switches well.
fn references(
    question: &ClusterQuestion,
    all: &[Candidate],
    context: &Context<'_>,
) -> Vec<ClusterRow> {
    let clos = tapers(question).into_iter().filter_map(|taper| {
        let (_, spec) = lowest_clos(question, taper, context)?;
        clos_candidate(question, &spec, context)
    });
    let mut found: Vec<ClusterRow> =
        clos.filter_map(|one| known(question, &one, context)).map(|row| *row).collect();
    let usual = reference::USUAL.par_iter().filter_map(|usual| {
        let of_family = all
            .iter()
            .filter(|one| {
                one.each.is_some() && reference::may_be(usual.name, one.made.family().name)
            })
            .filter(|one| best_name(&one.made.spec()).name == usual.name);
        let may_carry = |one: &&Candidate| -one.keys[1].low;
        let mut able: Vec<&Candidate> = of_family.collect();
        let most = able.iter().map(may_carry).fold(0.0, f64::max).min(FULL);
        able.retain(|one| may_carry(one) >= most - ROUNDING);
        able.sort_by(|a, b| a.keys[0].low.total_cmp(&b.keys[0].low));
        let mut best: Option<Box<ClusterRow>> = None;
        for one in able.into_iter().take(MOST_TRIED) {
            let Some(row) = known(question, one, context) else { continue };
            let enough = !usual.even || row.throughput >= FULL;
            let better = best.as_ref().is_none_or(|best| row.throughput > best.throughput);
            if enough || better {
                best = Some(row);
            }
            if enough {
                break;
            }
        }
        best.map(|row| *row)
    });
    found.extend(usual.collect::<Vec<ClusterRow>>());
    found
}

/// A reference gives way to the cheapest of its family on the Pareto front that carries uniform traffic nearly in full,
/// where it does not do so itself or is more expensive. So of those that were tried and those on the Pareto front it is the
/// cheapest that carries that much, else the one that carries most. Returns the row that gave way.
fn take_abler(one: &mut ClusterRow, front: &[ClusterRow]) -> Option<ClusterRow> {
    let family = |row: &ClusterRow| base_of(&row.spec).map(|(base, _)| base.name);
    let name = family(one);
    let usual = reference::USUAL.iter().find(|usual| Some(usual.name) == name.as_deref());
    if !usual.is_some_and(|usual| usual.even) {
        return None;
    }
    let able = front.iter().filter(|row| family(row) == name && row.throughput >= FULL);
    let able = able.min_by(|a, b| a.price_per_host.total_cmp(&b.price_per_host))?;
    let is_better = one.throughput < FULL || able.price_per_host < one.price_per_host;
    is_better.then(|| std::mem::replace(one, able.clone()))
}

/// All that is known of a candidate but its routing.
fn known(
    question: &ClusterQuestion,
    candidate: &Candidate,
    context: &Context<'_>,
) -> Option<Box<ClusterRow>> {
    let spec = candidate.spec();
    let built = build_with(&spec, &spec.to_string(), context).ok()?;
    let mut row = row(question, candidate, spec, &built, context)?;
    carried(&mut row, candidate, &built, context)?;
    Some(row)
}

fn clos_candidate(
    question: &ClusterQuestion,
    spec: &Spec,
    context: &Context<'_>,
) -> Option<Candidate> {
    let made = Topology::of(spec, context)?;
    candidate(
        &ClusterQuestion { limits: Bounds::default(), ..question.clone() },
        Arc::new(made),
        None,
    )
}

fn check(question: &ClusterQuestion) -> Result<(), DesignError> {
    if question.hosts < 2 {
        return Err(DesignError::Hosts(question.hosts));
    }
    if question.radix < 2 {
        return Err(DesignError::Radix(question.radix));
    }
    if !(0.0..=1.0).contains(&question.tolerance) {
        return Err(DesignError::Tolerance(question.tolerance * 100.0));
    }
    if let Some(taper) = question.limits.max_taper
        && !(1.0..=1e6).contains(&taper)
    {
        return Err(DesignError::Taper(taper));
    }
    names::check(&question.families)
}

/// So many hosts, and as many more as are allowed.
fn most_hosts(question: &ClusterQuestion) -> u64 {
    let tolerance = question.tolerance;
    let sizes = Question { tolerance, ..Question::new(question.hosts.into()) }.sizes();
    u64::try_from(*sizes.end()).unwrap_or(u64::MAX)
}

/// All networks of switches with `each` hosts.
fn search(
    question: &ClusterQuestion,
    each: u64,
    context: &Context<'_>,
    candidates: &mut u64,
    all: &mut Vec<Candidate>,
) -> Result<(), DesignError> {
    let switches = question.hosts.div_ceil(each);
    let most = most_hosts(question) / each;
    let Some(ports) = question.links_of_switch().checked_sub(each) else { return Ok(()) };
    let max_degree = question.limits.max_degree.unwrap_or(u64::MAX).min(ports);
    if switches > most {
        return Ok(());
    }
    let searches = names::searches(&question.families);
    let space = Space {
        context,
        sizes: switches.into()..=most.into(),
        nodes: switches.into(),
        max_degree,
        depth: question.depth,
        max_base: question.max_base,
        max_frame: question.max_base.min(16),
        max_nested_frame: question.max_base.min(5),
        searches: &searches,
    };
    let mut keep = |made: Arc<Topology>| {
        let theory = &made.built.theory;
        let all_switch = theory.hosts() == theory.order();
        if made.degree <= max_degree && theory.connected() && all_switch {
            *candidates += 1;
            if let Some(candidate) = candidate(question, made, Some(each)) {
                all.push(candidate);
            }
        }
    };
    space.search(Shard::WHOLE, &context.budget.watch, &mut keep)?;
    // One switch is a network too.
    if switches == 1
        && let Some(made) = Space::one(context)
    {
        keep(Arc::new(made));
    }
    Ok(())
}

/// Networks that bring hosts and switches: fat trees and the like.
fn own_switches(
    question: &ClusterQuestion,
    context: &Context<'_>,
    candidates: &mut u64,
    all: &mut Vec<Candidate>,
) -> Result<(), DesignError> {
    let searches = names::searches(&question.families);
    let space = Space {
        context,
        sizes: question.hosts.into()..=most_hosts(question).into(),
        nodes: question.hosts.into(),
        max_degree: question.links_of_switch(),
        depth: 0,
        max_base: 2,
        max_frame: 2,
        max_nested_frame: 2,
        searches: &searches,
    };
    space.leaves(&context.budget.watch, &mut |made| {
        let theory = &made.built.theory;
        let has_switches = theory.hosts() < theory.order();
        if has_switches && made.degree <= question.links_of_switch() && theory.connected() {
            *candidates += 1;
            all.extend(candidate(question, made, None));
        }
    })?;
    Ok(())
}

/// A candidate as good as its theory allows; `None` where it certainly breaks a limit.
fn candidate(
    question: &ClusterQuestion,
    made: Arc<Topology>,
    each: Option<u64>,
) -> Option<Candidate> {
    // Only what is proven: searching every candidate would take long.
    let theory = &made.built.proven;
    let degrees = theory.degrees();
    let number = |value: &BigUint| value.to_f64().unwrap_or(f64::INFINITY);
    let (order, links) = (number(&theory.order()), number(&degrees.cables));
    let parts = match each {
        // Every host hangs at a switch by one link.
        Some(each) => {
            let hosts = order * each as f64;
            let links = links + hosts;
            Parts { nodes: order + hosts, hosts, links, switch_links: links }
        }
        None => Parts { nodes: order, hosts: number(&theory.hosts()), links, switch_links: 0.0 },
    };
    let Parts { hosts, links, .. } = parts;
    let price = question.priced().least_price(&parts) / hosts;
    let mean = match (each, theory.host_distances(), theory.distances()) {
        (None, Some(distances), _) => {
            let (sum, pairs) = distances.mean()?;
            Some(ratio(&sum, &pairs))
        }
        (Some(each), _, Some(distances)) => {
            // Hosts of one switch are two apart.
            let pairs = hosts * (hosts - 1.0);
            Some(2.0 + number(&distances.total()) * (each as f64).powi(2) / pairs)
        }
        _ => None,
    };
    // No node has more than so many others within a distance, whether they are hosts or switches.
    let least = || match each {
        Some(each) => {
            let (sum, pairs) = least_mean_distance(&theory.order(), degrees.max)?;
            Some(2.0 + ratio(&sum, &pairs) * (order - 1.0) / (order - 1.0 / each as f64).max(1.0))
        }
        None => {
            let (sum, pairs) = least_mean_distance(&theory.hosts(), degrees.max)?;
            Some(ratio(&sum, &pairs))
        }
    };
    let mean = mean.or_else(least).unwrap_or(if each.is_some() { 2.0 } else { 1.0 });
    // All channels together carry all that is sent; where hosts have one link, those between switches all but two hops.
    let (channels, hops) = match each {
        Some(_) => (2.0 * (links - hosts), mean - 2.0),
        None => (2.0 * links, mean),
    };
    let theta = if channels == 0.0 { 1.0 } else { (channels / (hosts * hops.max(1e-9))).min(1.0) };
    let limits = &question.limits;
    let breaks = limits.max_price.is_some_and(|most| price > most)
        || limits.min_throughput.is_some_and(|least| theta < least - ROUNDING)
        || limits.max_hops.is_some_and(|most| mean - 2.0 > most + ROUNDING)
        || limits.least_bisection().is_some_and(|least| {
            each.is_some() && most_bisection(order, links - hosts, hosts) < least
        });
    // Where hosts have one link, the fewest links of a switch are not in the theory.
    let fewest = if each.is_some() { degrees.min } else { degrees.max };
    let survives = fewest.saturating_sub(1) as f64;
    let keys = at_best([price, -theta, mean, -survives]);
    (!breaks).then_some(Candidate { made, each, keys, stage: Stage::Proven })
}

/// Keys that are never worse than what is measured later, whose sums are rounded in another order.
fn at_best(values: impl IntoIterator<Item = f64>) -> Keys {
    let slightly = |value: f64| value - value.abs() * 1e-12;
    let exactly = |value: f64| Range { low: value, high: value };
    values.into_iter().map(slightly).map(exactly).collect()
}

/// What measuring finds.
struct Found {
    /// The front of what was measured.
    rows: Vec<ClusterRow>,
    measured: usize,
    /// How many more could not be measured.
    unmeasured: usize,
    /// Whether it was not stopped.
    finished: bool,
}

/// Measures what may be on the Pareto front.
fn measure(
    question: &ClusterQuestion,
    all: Vec<Candidate>,
    context: &Context<'_>,
    seen: Seen<'_, ClusterRow>,
) -> Found {
    /// So many at a time.
    const BATCH: usize = 64;
    // What promises most for its price comes first.
    let promise = |one: &Candidate| {
        let [price, theta, mean, _] = &one.keys[..] else { return 0.0 };
        price.low * mean.low / -theta.low
    };
    let (mut looked, mut measured, mut too_large) = (0, 0, 0);
    let (mut stopped, mut unfinished) = (false, 0);
    let look = |open: Vec<Candidate>| {
        let part =
            (measured as f64 / MOST_MEASURED as f64).max(looked as f64 / MOST_LOOKED_AT as f64);
        (context.budget.watch.progress)(0.4 + 0.6 * part.min(1.0));
        stopped |= context.budget.check().is_err();
        if stopped || measured >= MOST_MEASURED || looked >= MOST_LOOKED_AT {
            return Ok::<_, Infallible>(Looked::Enough(open));
        }
        let fresh = open.iter().filter(|one| matches!(one.stage, Stage::Proven)).count();
        looked += fresh;
        measured += open.len() - fresh;
        let found: Vec<Result<Further, Interrupted>> =
            open.into_par_iter().map(|one| further(question, one, context)).collect();
        let mut better = Vec::new();
        for found in found {
            match found {
                Ok(Further::Better(candidate)) => better.push(candidate),
                Ok(Further::TooLarge) => too_large += 1,
                Ok(Further::Breaks) => {}
                Err(Interrupted) => (stopped, unfinished) = (true, unfinished + 1),
            }
        }
        Ok(Looked::Better(better))
    };
    let known = |known: &[Candidate]| {
        let row = |candidate: &Candidate| match &candidate.stage {
            Stage::Known(row) => Some((**row).clone()),
            _ => None,
        };
        seen(&|| simplest(known.iter().filter_map(row).collect()));
    };
    let Ok((front, left)) = settle(all, BATCH, promise, look, known);
    let rows = front.into_iter().filter_map(|candidate| match candidate.stage {
        Stage::Known(row) => Some(*row),
        _ => None,
    });
    Found {
        rows: rows.collect(),
        measured,
        unmeasured: left.len() + too_large + unfinished,
        finished: !stopped,
    }
}

/// What one look more at a candidate says.
enum Further {
    Better(Candidate),
    Breaks,
    TooLarge,
}

/// A candidate one stage further.
fn further(
    question: &ClusterQuestion,
    candidate: Candidate,
    context: &Context<'_>,
) -> Result<Further, Interrupted> {
    context.budget.check()?;
    let spec = candidate.spec();
    let text = spec.to_string();
    let Ok(built) = build_with(&spec, &text, context) else { return Ok(Further::Breaks) };
    let stage = match &candidate.stage {
        Stage::Proven => row(question, &candidate, spec, &built, context).map(Stage::Measured),
        Stage::Measured(row) => {
            let mut row = row.clone();
            carried(&mut row, &candidate, &built, context).map(|()| Stage::Known(row))
        }
        Stage::Known(_) => return Ok(Further::Better(candidate)),
    };
    context.budget.check()?;
    let Some(stage) = stage else { return Ok(Further::TooLarge) };
    let (Stage::Measured(row) | Stage::Known(row)) = &stage else { return Ok(Further::Breaks) };
    let last = matches!(stage, Stage::Known(_));
    let keeps = keeps(question, row) && (!last || keeps_at_last(question, &built, context));
    let keys = row.keys();
    // Until traffic and failures are measured, equals must not dominate each other by a rounding error.
    let keys = if last { keys } else { at_best(keys.into_iter().map(|range| range.low)) };
    Ok(if keeps {
        Further::Better(Candidate { keys, stage, ..candidate })
    } else {
        Further::Breaks
    })
}
