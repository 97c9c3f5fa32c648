//! What is known of a network of switches once it is built? Distances and cables, then traffic and failures, then its routing.

use super::cluster_query::{Bounds, ClusterQuestion, ClusterRow};
use super::result::Origin;
use super::search::Candidate;
use crate::carried::{MOST_SWITCHES, ROUNDING, Within, bisection_fraction, of_fabric};
use crate::compare::bill_of;
use crate::physical::{Bill, CostModel};
use nestnet_analysis::figures::routing;
use nestnet_analysis::measures::{Analysis, Limits};
use nestnet_analysis::throughput::uniform_about;
use nestnet_graph::distances::ratio;
use nestnet_graph::fabric::Fabric;
use nestnet_graph::measure::connectivity::{
    connectivity_among, proven_connectivity, vertex_connectivity,
};
use nestnet_graph::measure::orbit::orbits_of;
use nestnet_graph::{Interrupted, Network};
use nestnet_topologies::build::{Context, best_known, build_with};
use nestnet_topologies::family::hosts::base_of;
use nestnet_topologies::family::{Built, find};
use nestnet_topologies::spec::Spec;
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use rayon::prelude::*;

/// A search for hosts: a row is known of a candidate once it was built.
pub(super) struct Hosts<'a> {
    pub question: &'a ClusterQuestion,
    pub context: &'a Context<'a>,
}

/// A network of switches of the search.
pub(super) type Fit = Candidate<Option<Box<ClusterRow>>>;

impl Hosts<'_> {
    /// What a network takes to build, and its price divided among the hosts that were asked for.
    pub fn bill_of(&self, built: &Built, cost_model: &CostModel) -> Option<Bill> {
        let bill = bill_of(built, cost_model, &self.context.budget).ok()?;
        Some(Bill { hosts: bill.hosts.min(self.question.hosts), ..bill })
    }

    /// What it carries and how many failures it survives.
    pub fn carried(&self, row: &ClusterRow, one: &Fit, built: &Built) -> Option<Box<ClusterRow>> {
        let throughput = uniform_about(built, &self.context.budget).ok()?;
        let failures_survived = self.survives(one, built)?;
        Some(Box::new(ClusterRow { throughput, failures_survived, ..row.clone() }))
    }

    /// How many switches may fail, by theorem or by search.
    fn survives(&self, one: &Fit, built: &Built) -> Option<u64> {
        let proven = proven_connectivity(&*one.made.built.proven);
        if let (Some(_), Some(kappa)) = (one.each, proven.exact()) {
            return Some(kappa.to_u64()?.saturating_sub(1));
        }
        let network = built.network.as_ref()?;
        let fabric = Fabric::of(&**network, &self.context.budget).ok()?;
        let (csr, watch) = (&fabric.csr, &self.context.budget.watch);
        // A switch without hosts that is cut off is no loss.
        let has_hosts: Vec<bool> = fabric.hosts.iter().map(|&hosts| hosts > 0).collect();
        let kappa = if has_hosts.contains(&false) {
            let found = connectivity_among(csr, &has_hosts, watch).ok()?;
            found.map_or_else(|| csr.order().saturating_sub(1), u64::from)
        } else {
            let orbits = orbits_of(csr.order(), &fabric.automorphisms(&**network));
            vertex_connectivity(csr, orbits.as_deref(), watch).ok()?.value.into()
        };
        Some(kappa.saturating_sub(1))
    }

    /// All numbers but two: at first it carries as much and survives as many failures as its links allow.
    pub fn row(&self, one: &Fit, spec: Spec, built: &Built) -> Option<Box<ClusterRow>> {
        let network = built.network.as_ref()?;
        let (hosts, order) = (network.hosts(), network.order());
        if order - hosts > MOST_SWITCHES {
            return None;
        }
        let limits = Limits { how: None, budget: self.context.budget };
        let subject = Analysis::new(built, limits);
        let (mean_hops, host_diameter) = match one.each {
            // Searched among switches, which are fewer.
            Some(each) => {
                let spec = one.made.spec();
                let switches = build_with(&spec, &spec.to_string(), self.context).ok()?;
                let apart = between(&Analysis::new(&switches, limits), each, hosts)?;
                (ratio(&apart.0, &apart.1), apart.2)
            }
            None => {
                let between = subject.between_hosts();
                let (sum, pairs) = between.histogram.as_ref()?.0.mean()?;
                (ratio(&sum, &pairs), between.diameter.as_ref()?.high.to_u64()?)
            }
        };
        let fabric = subject.fabric().ok()?;
        let bill = self.bill_of(built, &self.question.priced())?;
        // Switches without hosts may be cut off.
        let degrees = fabric.csr.offsets().windows(2).map(|ends| ends[1] - ends[0]);
        let has_hosts = degrees.zip(&fabric.hosts).filter(|(_, hosts)| **hosts > 0);
        let fewest = has_hosts.map(|(degree, _)| degree).min()?;
        let links = fabric.csr.cables();
        let [_, theta, _, _] = &one.keys[..] else { return None };
        let channels = 2.0 * links as f64 / hosts as f64;
        let theta = if links == 0 { 1.0 } else { (channels / (mean_hops - 2.0)).min(-theta.low) };
        Some(Box::new(ClusterRow {
            spec,
            origin: Origin::of(one.made.family()),
            hosts,
            switches: order - hosts,
            also: Vec::new(),
            planes: 1,
            radix: self.question.links_of_switch(),
            ports_used: built.theory.degrees().max,
            hosts_per_switch: fabric.hosts_each().map(u64::from),
            links,
            price_per_host: bill.price_per_host(),
            power_per_host: bill.power_per_host(),
            throughput: theta,
            worst_case: None,
            bisection_fraction: None,
            mean_hops,
            host_diameter,
            failures_survived: fewest.saturating_sub(1),
            vcs: None,
            routing: None,
            deadlock_free: false,
        }))
    }

    /// Whether a network keeps within the limits, as far as it is known.
    pub fn keeps(&self, row: &ClusterRow) -> bool {
        let limits = &self.question.limits;
        let within = |value: f64, most: Option<f64>| most.is_none_or(|most| value <= most);
        within(row.price_per_host, limits.max_price)
            && within(row.power_per_host, limits.max_power)
            && within(row.mean_switch_hops(), limits.max_hops)
            && limits.min_throughput.is_none_or(|least| row.throughput >= least - ROUNDING)
            && limits.max_diameter.is_none_or(|most| row.max_switch_hops() <= most)
            && limits.least_bisection().is_none_or(|least| {
                let count = |number: u64| number as f64;
                most_bisection(count(row.switches), count(row.links), count(row.hosts)) >= least
            })
    }

    /// Whether its routing keeps within the limits.
    pub fn keeps_routed(&self, row: &ClusterRow) -> bool {
        let limits = &self.question.limits;
        let at_least = |value: Option<f64>, least: Option<f64>| {
            least.is_none_or(|least| value.is_some_and(|value| value >= least - ROUNDING))
        };
        at_least(row.worst_case, limits.min_worst_case)
            && at_least(row.bisection_fraction, limits.least_bisection())
            && limits.max_vcs.is_none_or(|most| row.vcs.is_some_and(|vcs| vcs <= most))
    }

    /// Whether it keeps within those that take longest to see.
    pub fn keeps_at_last(&self, built: &Built) -> bool {
        let limits = &self.question.limits;
        limits.max_vcs.is_none_or(|most| routing(built).is_some_and(|routing| routing.vcs <= most))
            && limits.least_bisection().is_none_or(|least| {
                bisection_fraction(built, &self.context.budget).is_some_and(|part| part >= least)
            })
    }

    /// What is shown of the last rows alone: routing, worst case, bisection, and the best known name.
    pub fn finish(&self, rows: &mut [ClusterRow]) -> Result<(), Interrupted> {
        rows.par_iter_mut().try_for_each(|row| {
            self.context.budget.check()?;
            let named = best_known(&row.spec);
            if named != row.spec {
                let known =
                    base_of(&named).map_or_else(|| named.name.clone(), |(base, _)| base.name);
                row.origin = find(&known).map_or(row.origin, Origin::of);
                row.also = vec![std::mem::replace(&mut row.spec, named)];
            }
            self.route(row);
            Ok(())
        })
    }

    /// Fills in what depends on the routing, the best of those that the network has within the limits, and the bisection.
    /// A row without a router that is proven free of deadlock keeps none.
    fn route(&self, row: &mut ClusterRow) {
        let Ok(built) = build_with(&row.spec, &row.spec.to_string(), self.context) else { return };
        row.bisection_fraction = bisection_fraction(&built, &self.context.budget);
        let Bounds { max_vcs, min_worst_case, .. } = self.question.limits;
        let Some(best) = of_fabric(&built, &Within { max_vcs, min_worst_case }, self.context)
        else {
            return;
        };
        row.throughput = best.uniform.min(1.0);
        row.worst_case = best.worst.map(|worst| worst.min(1.0));
        row.vcs = Some(best.vcs);
        row.routing = Some(best.name.to_owned());
        row.deadlock_free = best.deadlock_free;
    }
}

/// The sum of all distances of `hosts` hosts, `each` at a switch, how many they are, and the longest.
fn between(switches: &Analysis<'_>, each: u64, hosts: u64) -> Option<(BigUint, BigUint, u64)> {
    let pairs = BigUint::from(hosts) * (hosts - 1);
    let found = switches.distances();
    let (histogram, _) = found.histogram.as_ref()?;
    let sum = histogram.total() * each * each + &pairs * 2u8;
    Some((sum, pairs, 2 + histogram.longest()))
}

/// At most so many links cross a bisection of the switches, for each host of one side: a random one cuts 2ab of n(n-1)
/// links on average, a and b the sizes of its sides. One switch is cut through its hosts' own links.
pub(super) fn most_bisection(switches: f64, links: f64, hosts: f64) -> f64 {
    if switches <= 1.0 {
        return 1.0;
    }
    let (a, b) = ((switches / 2.0).floor(), (switches / 2.0).ceil());
    let part = 2.0 * a * b / (switches * (switches - 1.0)).max(1.0);
    (part * links + ROUNDING).floor() / (hosts / 2.0)
}
