//! Which network of switches for so many hosts? Cost against performance.
//!
//! For every number of hosts at a switch, all networks of switches that leave ports for them are searched, and networks
//! that bring switches of their own. Every candidate has a price, a uniform throughput, a mean path and a number of
//! failures that it survives, at first as good as its theory allows. A candidate that even at its best is dominated by what
//! was measured is pruned; of the others, distances and cables are looked at first, then traffic and failures. So a
//! network on the Pareto front is there by exact numbers. Where more may be on it than can be measured, those that promise
//! most for their price are, and the rest is counted.

use super::advice::{FULL, answers};
use super::candidate::Topology;
use super::cluster_query::{Bounds, ClusterDesign, ClusterQuestion, ClusterRow};
use super::confirm::confirm;
use super::evaluate::{Fit, Hosts, most_bisection};
use super::pareto::{self, Keys, Seen};
use super::question::sizes;
use super::result::Origin;
use super::search::{Enumerated, Further, Kind, Most, Stage, enumerate, settle};
use super::space::Space;
use super::unfit::unfit;
use super::{DesignError, names};
use crate::carried::ROUNDING;
use crate::physical::{Bill, Parts};
use nestnet_analysis::figures::Range;
use nestnet_graph::distances::ratio;
use nestnet_graph::job::Shard;
use nestnet_graph::measure::quality::least_mean_distance;
use nestnet_graph::{Budget, Interrupted, Watch};
use nestnet_topologies::build::{Context, build_with};
use nestnet_topologies::family::find;
use nestnet_topologies::family::hosts::base_of;
use nestnet_topologies::family::reference::{self, best_name};
use nestnet_topologies::spec::Spec;
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use rayon::prelude::*;
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
    let context = Context { budget: *budget, ..Context::ALONE };
    let hosts = Hosts { question, context: &context };
    // What nobody can route free of deadlock within the limits is not offered.
    let fits =
        |row: &ClusterRow| row.routing.is_some() && hosts.keeps(row) && hosts.keeps_routed(row);
    // First, so that they are there also where the time ends. The search has the progress to itself.
    let watch = Watch { progress: &|_| (), ..budget.watch };
    let quiet = Context { budget: Budget { watch, ..*budget }, ..Context::ALONE };
    let first = Hosts { question, context: &quiet };
    let mut clos = first.clos();
    let mut finished = first.finish(&mut clos).is_ok();
    let in_planes = first.clos_in_planes();
    finished &= in_planes.is_ok();
    let in_planes = in_planes.unwrap_or_default();
    let Enumerated { counted, fits: mut all, finished: is_whole } = enumerate(&hosts, Shard::WHOLE);
    finished &= is_whole;
    let mut candidates = (counted.fitting + clos.len() + in_planes.len()) as u64;
    let mut unmeasured = 0;
    if is_whole {
        all.extend(hosts.unlisted(&mut candidates));
    } else {
        // There is no time left to measure them.
        unmeasured = std::mem::take(&mut all).len();
    }
    let judged = |family: &str| match family {
        reference::PLANES => !in_planes.is_empty(),
        _ => {
            let row = names::searched_as(family);
            let mut made = all.iter().map(|one| one.made.family().name);
            let is_clos = reference::has_clos(&[family.to_owned()]);
            made.any(|name| Some(name) == row) || is_clos && !clos.is_empty()
        }
    };
    let unfit = unfit(question, &hosts.hosts_each(), hosts.most_hosts(), &judged, &context);
    finished &= unfit.is_ok();
    let mut references = hosts.usual(&all);
    finished &= hosts.finish(&mut references).is_ok();
    // Folded Clos networks are candidates like all others, and are known already. What is no better than a non-blocking one
    // need not be measured; beside a tapered one it may be better in the worst case, which is known of the last rows alone.
    let has_clos = reference::has_clos(&question.families);
    let of_clos: Vec<ClusterRow> =
        clos.iter().filter(|row| has_clos && fits(row)).cloned().collect();
    let is_full = |row: &&ClusterRow| row.worst_case.is_some_and(|worst| worst >= 1.0 - ROUNDING);
    all.extend(of_clos.iter().filter(is_full).filter_map(|row| hosts.known_already(row)));
    let settled = settle(&hosts, all, seen);
    finished &= settled.finished;
    let mut front = hosts.rows(settled.known);
    front.retain(|row| of_clos.iter().all(|known| known.spec != row.spec));
    // What is both is finished once.
    let measured_as = |row: &ClusterRow| row.also.first().unwrap_or(&row.spec).clone();
    let is_reference =
        |row: &&ClusterRow| references.iter().any(|one| measured_as(one) == row.spec);
    let both: Vec<Spec> = front.iter().filter(is_reference).map(|row| row.spec.clone()).collect();
    front.retain(|row| !both.contains(&row.spec));
    finished &= hosts.finish(&mut front).is_ok();
    let replaced = references.iter_mut().filter_map(|one| take_abler(one, &front));
    let replaced: Vec<ClusterRow> = replaced.collect();
    // What was both stays on the Pareto front.
    front.extend(replaced.into_iter().filter(|row| both.contains(&measured_as(row))));
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
    front.extend(references.iter().filter(is_searched).cloned());
    front.extend(of_clos);
    front.extend(in_planes);
    front.retain(fits);
    references.splice(0..0, clos);
    if !finished && front.is_empty() && references.is_empty() {
        return Err(Interrupted.into());
    }
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
    // Where the time has ended there is none left for these.
    let best = recommended.as_ref().filter(|_| finished).map(|(at, _)| &front[*at]);
    let bill = best.and_then(|row| hosts.bill(row));
    let simulated = best.and_then(|row| confirm(&row.spec, row.routing.as_deref(), &context));
    Ok(ClusterDesign {
        candidates,
        measured: settled.measured,
        front,
        references,
        unfit: unfit.unwrap_or_default(),
        answers,
        finished,
        unmeasured: settled.unmeasured + unmeasured,
        recommended,
        simulated,
        bill,
    })
}

fn check(question: &ClusterQuestion) -> Result<(), DesignError> {
    if question.hosts < 2 {
        return Err(DesignError::Hosts(question.hosts));
    }
    if question.radix < 2 {
        return Err(DesignError::Radix(question.radix));
    }
    if question.each == Some(0) {
        return Err(DesignError::HostsEach(0));
    }
    if let Some(taper) = question.limits.max_taper
        && !(1.0..=1e6).contains(&taper)
    {
        return Err(DesignError::Taper(taper));
    }
    names::check(question.tolerance, &question.families, Some(reference::PLANES))
}

impl Kind for Hosts<'_> {
    type Facts = Option<Box<ClusterRow>>;
    type Row = ClusterRow;

    fn context(&self) -> &Context<'_> {
        self.context
    }

    fn spaces(&self) -> Vec<(Space<'_>, Option<u64>)> {
        let (question, most) = (self.question, self.most_hosts());
        let space = |each: u64, max_degree: u64, depth: usize, max_base: u64| {
            let sizes = question.hosts.div_ceil(each).into()..=(most / each).into();
            let space = Space::new(self.context, &question.families, sizes, depth, max_base);
            Space { max_degree, ..space }
        };
        let with_hosts = self.hosts_each().into_iter().filter_map(|each| {
            let max_degree = self.max_degree(Some(each))?;
            let space = space(each, max_degree, question.depth, question.max_base);
            (!space.sizes.is_empty()).then_some((space, Some(each)))
        });
        // Networks that bring hosts and switches: fat trees and the like.
        let own_switches = (space(1, question.links_of_switch(), 0, 2), None);
        with_hosts.chain([own_switches]).collect()
    }

    fn fits(&self, made: &Topology, each: Option<u64>) -> bool {
        let theory = &made.built.theory;
        let all_switch = theory.hosts() == theory.order();
        self.max_degree(each).is_some_and(|most| made.degree <= most)
            && theory.connected()
            && all_switch == each.is_some()
    }

    /// A candidate as good as its theory allows.
    fn judge(&self, made: Arc<Topology>, each: Option<u64>, _: &[Vec<f64>]) -> Option<Fit> {
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
            None => {
                Parts { nodes: order, hosts: number(&theory.hosts()), links, switch_links: 0.0 }
            }
        };
        let Parts { hosts, links, .. } = parts;
        // Of those asked for, as the price of a row.
        let paying = hosts.min(self.question.hosts as f64);
        let price = self.question.priced().least_price(&parts) / paying;
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
                Some(
                    2.0 + ratio(&sum, &pairs) * (order - 1.0)
                        / (order - 1.0 / each as f64).max(1.0),
                )
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
        let theta =
            if channels == 0.0 { 1.0 } else { (channels / (hosts * hops.max(1e-9))).min(1.0) };
        let limits = &self.question.limits;
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
        (!breaks).then(|| Fit::new(made, each, Stage::Proven, keys, None))
    }

    fn most(&self) -> Most {
        Most { at_once: 64, glimpsed: MOST_LOOKED_AT, measured: MOST_MEASURED, steps: u128::MAX }
    }

    /// What promises most for its price comes first.
    fn promise(&self, _: &[Fit]) -> Box<dyn Fn(&Keys) -> f64> {
        Box::new(|keys| match &keys[..] {
            [price, theta, mean, _] => price.low * mean.low / -theta.low,
            _ => 0.0,
        })
    }

    fn further(&self, one: &Fit) -> Result<Further<Self::Facts>, Interrupted> {
        self.context.budget.check()?;
        let spec = one.spec();
        let Ok(built) = build_with(&spec, &spec.to_string(), self.context) else {
            return Ok(Further::BreaksLimit);
        };
        let row = match &one.known {
            None => self.row(one, spec, &built),
            Some(row) => self.carried(row, one, &built),
        };
        self.context.budget.check()?;
        let Some(row) = row else { return Ok(Further::TooLarge) };
        let is_last = one.stage != Stage::Proven;
        // What its routing carries is seen when that is chosen, and may be more than all shortest paths together do.
        let keeps = if is_last { self.keeps_at_last(&built) } else { self.keeps(&row) };
        if !keeps {
            return Ok(Further::BreaksLimit);
        }
        let keys = row.keys();
        // Until traffic and failures are measured, equals must not dominate each other by a rounding error.
        let (stage, keys) = match is_last {
            true => (Stage::Known, keys),
            false => (Stage::Glimpsed, at_best(keys.into_iter().map(|range| range.low))),
        };
        Ok(Further::Better(one.better(stage, keys, Some(row))))
    }

    fn rows(&self, known: Vec<Fit>) -> Vec<ClusterRow> {
        simplest(known.into_iter().filter_map(|one| one.known).map(|row| *row).collect())
    }
}

impl Hosts<'_> {
    /// So many hosts, and as many more as are allowed.
    fn most_hosts(&self) -> u64 {
        let sizes = sizes(self.question.hosts.into(), self.question.tolerance);
        u64::try_from(*sizes.end()).unwrap_or(u64::MAX)
    }

    /// The numbers of hosts at a switch that are tried.
    fn hosts_each(&self) -> Vec<u64> {
        let ports = self.question.links_of_switch();
        // Where one switch has room for all hosts, it may have no others.
        let most = if self.question.hosts <= ports { ports } else { ports - 1 };
        let any = || (ports.div_ceil(LEAST_PART)..=most).collect();
        self.question.each.map_or_else(any, |each| vec![each])
    }

    /// The most links of a switch to others; none where it has not as many ports as hosts.
    fn max_degree(&self, each: Option<u64>) -> Option<u64> {
        let links = self.question.links_of_switch();
        let Some(each) = each else { return Some(links) };
        Some(links.checked_sub(each)?.min(self.question.limits.max_degree.unwrap_or(u64::MAX)))
    }

    /// What no space has: a switch alone, and a random regular network for every number of hosts that fills the box.
    fn unlisted(&self, candidates: &mut u64) -> Vec<Fit> {
        let question = self.question;
        let mut all = Vec::new();
        for each in self.hosts_each() {
            let Some(degree) = question.links_of_switch().checked_sub(each) else { continue };
            let switches = question.hosts.div_ceil(each);
            if switches == 1
                && each <= self.most_hosts()
                && let Some(alone) = Space::one(self.context)
                && names::searches(&question.families)(alone.family())
            {
                *candidates += 1;
                all.extend(self.judge(Arc::new(alone), Some(each), &[]));
            }
            // Half as many links as ends.
            let switches = switches + (switches * degree) % 2;
            let fits = (1..switches).contains(&degree)
                && Some(degree) <= self.max_degree(Some(each))
                && switches * each <= self.most_hosts();
            if !fits || !reference::has_jellyfish(&question.families) {
                continue;
            }
            let spec = reference::jellyfish(switches, degree);
            let Some(made) = Topology::of(&spec, self.context) else { continue };
            *candidates += 1;
            // Many more links than uniform traffic needs are of no use.
            let spare = |one: &Fit| {
                let hops = (one.keys[2].low - 2.0).max(1e-9);
                (switches * degree) as f64 / ((switches * each) as f64 * hops)
            };
            let made = self.judge(Arc::new(made), Some(each), &[]);
            all.extend(made.filter(|one| spare(one) <= MOST_SPARE));
        }
        all
    }

    /// Of the usual fabrics other than folded Clos networks the cheapest that carries uniform traffic nearly in full, or
    /// where none does the one that carries most. All ports of a switch are paid, so that the cheapest one uses the ports of
    /// its switches well.
    fn usual(&self, all: &[Fit]) -> Vec<ClusterRow> {
        let usual = reference::USUAL.par_iter().filter_map(|usual| {
            let of_family = all
                .iter()
                .filter(|one| {
                    one.each.is_some() && reference::may_be(usual.name, one.made.family().name)
                })
                .filter(|one| best_name(&one.made.spec()).name == usual.name);
            let may_carry = |one: &&Fit| -one.keys[1].low;
            let mut able: Vec<&Fit> = of_family.collect();
            let most = able.iter().map(may_carry).fold(0.0, f64::max).min(FULL);
            able.retain(|one| may_carry(one) >= most - ROUNDING);
            able.sort_by(|a, b| a.keys[0].low.total_cmp(&b.keys[0].low));
            let mut best: Option<ClusterRow> = None;
            for one in able.into_iter().take(MOST_TRIED) {
                let Some(row) = self.known(one) else { continue };
                let enough = !usual.even || row.throughput >= FULL;
                let better = best.as_ref().is_none_or(|best| row.throughput > best.throughput);
                if enough || better {
                    best = Some(row);
                }
                if enough {
                    break;
                }
            }
            best
        });
        usual.collect()
    }

    /// The folded Clos networks of the fewest levels, one of each taper, whether they keep within the limits or not.
    fn clos(&self) -> Vec<ClusterRow> {
        let lowest = self.tapers().into_iter().filter_map(|taper| self.lowest_clos(taper, 1));
        let mut specs: Vec<Spec> = lowest.map(|(_, spec)| spec).collect();
        // One switch has no taper.
        specs.dedup();
        specs.iter().filter_map(|spec| self.row_of(spec)).collect()
    }

    /// All that is known of a network but its routing, whether it keeps within the limits or not.
    fn row_of(&self, spec: &Spec) -> Option<ClusterRow> {
        let question = ClusterQuestion { limits: Bounds::default(), ..self.question.clone() };
        let (made, each) = self.topology_of(spec)?;
        self.known(&Hosts { question: &question, ..*self }.judge(made, each, &[])?)
    }

    /// The network of switches of a spec, and how many hosts each is given.
    fn topology_of(&self, spec: &Spec) -> Option<(Arc<Topology>, Option<u64>)> {
        let (base, each) = match base_of(spec) {
            Some((base, each)) => (base, Some(each)),
            None => (spec.clone(), None),
        };
        Some((Arc::new(Topology::of(&base, self.context)?), each))
    }

    /// A candidate of which nothing is left to find out.
    fn known_already(&self, row: &ClusterRow) -> Option<Fit> {
        let (made, each) = self.topology_of(&row.spec)?;
        Some(Fit::new(made, each, Stage::Known, row.keys(), Some(Box::new(row.clone()))))
    }

    /// All that is known of a candidate but its routing.
    fn known(&self, one: &Fit) -> Option<ClusterRow> {
        let spec = one.spec();
        let built = build_with(&spec, &spec.to_string(), self.context).ok()?;
        let row = self.row(one, spec, &built)?;
        self.carried(&row, one, &built).map(|row| *row)
    }

    /// The folded Clos network of the fewest levels, at least so many, and how many these are; one is a switch that has
    /// ports for all hosts. Of an odd number of ports one is left free.
    fn lowest_clos(&self, taper: (u64, u64), least: u64) -> Option<(u64, Spec)> {
        let (ports, hosts) = (self.question.links_of_switch(), self.question.hosts);
        let has_room = hosts <= ports && self.question.each.is_none_or(|each| each >= hosts);
        if least == 1 && has_room {
            return Some((1, reference::one_switch(hosts)));
        }
        (least.max(2)..=4).find_map(|levels| {
            let spec = reference::folded_clos(ports & !1, levels, taper, hosts);
            build_with(&spec, &spec.to_string(), self.context).is_ok().then_some((levels, spec))
        })
    }

    /// Tapers of the Clos networks that are always shown, and the one that is asked for.
    fn tapers(&self) -> Vec<(u64, u64)> {
        let usual = [(1, 1), (2, 1)];
        let asked = self.question.limits.max_taper.and_then(ratio_within);
        usual.into_iter().chain(asked.filter(|taper| !usual.contains(taper))).collect()
    }

    /// Folded Clos networks of several planes, where these take a level less than one plane does. Hosts send an equal part
    /// into every plane, so that what a plane carries of the rate of its links is what all carry of the full rate.
    fn clos_in_planes(&self) -> Result<Vec<ClusterRow>, Interrupted> {
        let question = self.question;
        let mut found = Vec::new();
        // Where families or hosts at a switch are named, only those.
        let asked = reference::has_planes(&question.families) && question.each.is_none();
        for taper in self.tapers().into_iter().filter(|_| asked) {
            let Some((levels, _)) = self.lowest_clos(taper, 2) else { continue };
            for planes in PLANES {
                let Some(of_plane) = question.of_plane(planes) else { continue };
                let plane = Hosts { question: &of_plane, ..*self };
                let lowest = plane.lowest_clos(taper, 2).filter(|found| found.0 < levels);
                let row = lowest.and_then(|(_, spec)| plane.row_of(&spec));
                let Some(mut row) = row else { continue };
                plane.finish(std::slice::from_mut(&mut row))?;
                found.extend(plane.in_all_planes(row, planes));
            }
        }
        Ok(found)
    }

    /// All planes of which a row is one.
    fn in_all_planes(&self, plane: ClusterRow, planes: u64) -> Option<ClusterRow> {
        let spec = reference::planes(plane.spec, planes);
        let built = build_with(&spec, &spec.to_string(), self.context).ok()?;
        let bill = self.bill_of(&built, &self.question.priced())?;
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

    /// The bill of a row. It is that of the name by which it was measured, so that its price is that of the row.
    fn bill(&self, row: &ClusterRow) -> Option<Bill> {
        let spec = row.also.first().unwrap_or(&row.spec);
        let built = build_with(spec, &spec.to_string(), self.context).ok()?;
        self.bill_of(&built, &self.question.priced_in(row.planes))
    }
}

/// So many planes are tried.
const PLANES: [u64; 3] = [2, 4, 8];

/// Jellyfish with more links than this for each that uniform traffic needs are not tried.
const MOST_SPARE: f64 = 1.5;

/// So many of a usual family are tried.
const MOST_TRIED: usize = 8;

/// The largest ratio of small integers that does not exceed a number from 1 on.
fn ratio_within(most: f64) -> Option<(u64, u64)> {
    const LARGEST: u64 = 64;
    let below = |under: u64| Some((((most * under as f64) + ROUNDING).floor().to_u64()?, under));
    let value = |&(over, under): &(u64, u64)| over as f64 / under as f64;
    // Of equal ones the first, which is in lowest terms.
    let better = |best: (u64, u64), one| if value(&one) > value(&best) { one } else { best };
    (1..=LARGEST).filter_map(below).reduce(better)
}

/// Of those with the same numbers the one with the shortest name.
fn simplest(rows: Vec<ClusterRow>) -> Vec<ClusterRow> {
    let folded = pareto::fold(rows, ClusterRow::keys, |row| (0, row.spec.clone()));
    folded.into_iter().map(|(row, _)| row).collect()
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

/// Keys that are never worse than what is measured later, whose sums are rounded in another order.
fn at_best(values: impl IntoIterator<Item = f64>) -> Keys {
    let slightly = |value: f64| value - value.abs() * 1e-12;
    let exactly = |value: f64| Range { low: value, high: value };
    values.into_iter().map(slightly).map(exactly).collect()
}
