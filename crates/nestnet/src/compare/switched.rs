//! Baselines of a fabric of switches: which networks of switches with as many ports serve as many hosts?
//!
//! Of a family that network is taken that needs the fewest switches for what it carries of uniform traffic: fabrics with
//! too many hosts at a switch cost less and carry less.

use super::matched::{ALIKE, LeftOut, MOST_APART, Matched, apart, compared, ports, rows, spread};
use crate::carried::{Within, of_fabric};
use crate::physical::CostModel;
use nestnet_graph::distances::ratio;
use nestnet_graph::measure::quality::least_mean_distance;
use nestnet_graph::measure::search::watched_distances_from;
use nestnet_graph::{Budget, Node};
use nestnet_topologies::build::{Context, build_with};
use nestnet_topologies::family::hosts::{hosts_each, with_hosts};
use nestnet_topologies::family::reference::folded_clos;
use nestnet_topologies::family::{Built, Family, Instance, Near};
use nestnet_topologies::spec::{Arg, Spec};
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use rayon::prelude::*;
use std::cmp::Ordering;

/// What the baselines of a fabric have in common with it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fabric {
    hosts: u64,
    /// Ports of a switch.
    radix: u64,
    /// How much of what is matched it takes, and in how many ports.
    goal: (f64, f64),
}

/// Switches of more ports are not filled with hosts.
const MOST_PORTS: u64 = 1 << 16;

/// So many networks of a family are measured.
const MOST_TRIED: usize = 4;

/// The most row operations of one of them.
const MOST_STEPS: u128 = 1 << 28;

/// All distances of networks of more nodes times ports than this are not measured.
const MOST_SEARCHED: u128 = 1 << 25;

/// Links of networks that are drawn at random, at most.
const MOST_DRAWN: u64 = 1 << 21;

impl Fabric {
    /// A network of hosts and switches; none where every switch is to keep its hosts: it has a number of them by its
    /// name, and the cost model has no switches of a radix.
    pub(super) fn of(
        built: &Built,
        by: Matched,
        cost_model: &CostModel,
        budget: &Budget<'_>,
    ) -> Option<Fabric> {
        let hosts = built.theory.hosts();
        let keeps_hosts = hosts_each(built.spec()).is_some() && cost_model.switch_ports == 0;
        if keeps_hosts || hosts >= built.theory.order() {
            return None;
        }
        let radix = match cost_model.switch_ports {
            0 => built.theory.degrees().max,
            ports => ports,
        };
        let goal = by.of(built, cost_model, budget).zip(ports(built))?;
        let hosts = hosts.to_u64().filter(|&hosts| hosts > 1)?;
        (2..=MOST_PORTS).contains(&radix).then_some(Fabric { hosts, radix, goal })
    }

    /// The baselines, one of each family, folded Clos networks first.
    pub(super) fn baselines(
        &self,
        by: Matched,
        cost_model: &CostModel,
        budget: &Budget<'_>,
    ) -> (Vec<Spec>, Vec<LeftOut>) {
        let read = |_: &str| Err(std::io::Error::other("files are not compared with"));
        let context = Context { read: &read, budget: *budget, ..Context::ALONE };
        let search = Search { fabric: *self, by, cost_model, context };
        let (mut found, mut left_out) = (Vec::new(), Vec::new());
        for taper in [1, 2] {
            match search.clos(taper) {
                Some(spec) => found.push(spec),
                None => {
                    let family = folded_clos(2, 2, (taper, 1), self.hosts).name;
                    left_out.push(LeftOut { family, nearest: None });
                }
            }
        }
        let best = |(family, near): (&'static Family, Near)| {
            // Fat trees of switches of this radix are the folded Clos networks.
            let example = family.examples.first().and_then(|text| Spec::parse(text).ok());
            let example = example.and_then(|spec| search.build(&spec));
            let brings_switches =
                example.is_some_and(|one| one.theory.hosts() < one.theory.order());
            (!brings_switches).then(|| (family.name, search.best(family, near)))
        };
        let all: Vec<_> = rows().into_par_iter().filter_map(best).collect();
        for (family, one) in all {
            match one {
                Some(one) if one.is_near() => found.push(one.spec),
                nearest => {
                    let nearest = nearest.map(|one| one.spec.to_string());
                    left_out.push(LeftOut { family: family.to_owned(), nearest });
                }
            }
        }
        (found, left_out)
    }
}

/// A search for the baselines of a fabric.
struct Search<'a> {
    fabric: Fabric,
    by: Matched,
    cost_model: &'a CostModel,
    context: Context<'a>,
}

/// A network that may be a baseline.
struct Candidate {
    spec: Spec,
    built: Built,
    switches: f64,
    /// How many times it is off in what is matched, and in hosts.
    apart: [f64; 2],
    /// The part of uniform traffic that it carries, at most.
    carries: f64,
}

impl Candidate {
    fn is_near(&self) -> bool {
        self.apart.iter().all(|&apart| apart <= MOST_APART)
    }

    /// What is nearest comes first, of those what has the fewest switches for what it carries.
    fn order(&self) -> [f64; 5] {
        let about = |apart: f64| if apart <= ALIKE { 1.0 } else { apart };
        let [matched, hosts] = self.apart;
        let switches = self.switches / self.carries.min(1.0);
        [about(matched), about(hosts), switches, matched, hosts]
    }
}

fn first(a: &Candidate, b: &Candidate) -> Ordering {
    compared(a.order(), b.order())
}

impl Search<'_> {
    fn build(&self, spec: &Spec) -> Option<Built> {
        build_with(spec, &spec.to_string(), &self.context).ok()
    }

    /// How many times a network is off in what is matched, and in hosts; none of one that is too far off in hosts.
    fn apart(&self, built: &Built) -> Option<[f64; 2]> {
        let (wanted, hosts) = (self.fabric.hosts as f64, built.theory.hosts().to_f64()?);
        let hosts = apart(hosts, wanted);
        if hosts > MOST_APART {
            return None;
        }
        let value = self.by.of(built, self.cost_model, &self.context.budget)?;
        Some([apart(value, self.fabric.goal.0), hosts])
    }

    /// The folded Clos network of the fewest levels.
    fn clos(&self, taper: u64) -> Option<Spec> {
        let Fabric { hosts, radix, .. } = self.fabric;
        (2..=4).find_map(|levels| {
            let spec = folded_clos(radix & !1, levels, (taper, 1), hosts);
            let built = self.build(&spec)?;
            let apart = self.apart(&built)?;
            apart.iter().all(|&apart| apart <= MOST_APART).then_some(spec)
        })
    }

    /// The network of a family that comes nearest.
    fn best(&self, family: &Family, near: Near) -> Option<Candidate> {
        let Fabric { hosts, radix, .. } = self.fabric;
        let mut integers = Vec::new();
        for each in spread(1, radix - 1) {
            let (switches, degree) = (hosts.div_ceil(each), radix - each);
            // Drawing all links takes long where there are many, and so few hosts at a switch need not so many.
            if switches < 2 || family.is_drawn() && switches.saturating_mul(degree) > MOST_DRAWN {
                continue;
            }
            // No switch has more links than there are others.
            integers.extend(near(switches, degree.min(switches - 1)));
            if let Some(sized) = family.facts.sized {
                let least = u128::from(switches);
                integers.extend(sized(least, least + least / 10, degree));
            }
        }
        integers.sort_unstable();
        integers.dedup();
        let mut all: Vec<Candidate> =
            integers.into_iter().filter_map(|one| self.candidate(family, one)).collect();
        all.sort_by(first);
        self.measured(all)
    }

    /// A network of switches of a family with as many hosts at each as are needed, where they fit.
    fn candidate(&self, family: &Family, integers: Vec<u64>) -> Option<Candidate> {
        let Fabric { hosts: wanted, radix, .. } = self.fabric;
        self.context.budget.check().ok()?;
        let instance = Instance { integers: &integers, word: None, base: None };
        if (family.facts.left_out)(&instance) {
            return None;
        }
        let bare = Spec::new(family.name, integers.into_iter().map(Arg::new));
        let base = self.build(&bare)?;
        let (switches, degrees) = (base.theory.order().to_u64()?, base.theory.degrees());
        let each = wanted.div_ceil(switches.max(1));
        let fits = degrees.max.checked_add(each).is_some_and(|ports| ports <= radix);
        // Hosts that bring switches of their own are not switches.
        if !fits || switches < 2 || base.theory.hosts() < base.theory.order() {
            return None;
        }
        let spec = with_hosts(bare, each);
        let built = self.build(&spec)?;
        let apart = self.apart(&built)?;
        let mean = mean_distance(&base, &self.context.budget)?;
        let (switches, each) = (switches as f64, each as f64);
        let hosts = switches * each;
        // Of all pairs of hosts these are at different switches.
        let between = (hosts - each) / (hosts - 1.0);
        let carries = 2.0 * degrees.links.to_f64()? / (hosts * mean * between);
        Some(Candidate { spec, built, switches, apart, carries })
    }

    /// The first of the candidates, where each carries what its routing does and not what its links allow, which is
    /// never less: those behind a candidate that is measured are no better than they seem.
    fn measured(&self, all: Vec<Candidate>) -> Option<Candidate> {
        let budget = self.context.budget;
        let budget = Budget { steps: budget.steps.min(MOST_STEPS), ..budget };
        let context = Context { budget, ..self.context };
        let mut best: Option<Candidate> = None;
        for mut one in all.into_iter().take(MOST_TRIED) {
            if best.as_ref().is_some_and(|best| first(best, &one).is_le()) {
                break;
            }
            if let Some(routed) = of_fabric(&one.built, &Within::default(), &context) {
                one.carries = routed.uniform;
            }
            if best.as_ref().is_none_or(|best| first(&one, best).is_lt()) {
                best = Some(one);
            }
        }
        best
    }
}

/// The mean distance of two different switches; where it is neither proven nor quickly measured, no more than it.
fn mean_distance(base: &Built, budget: &Budget<'_>) -> Option<f64> {
    let theory = &base.theory;
    let known = theory.distances().and_then(|known| known.mean());
    let of = |(sum, pairs): (BigUint, BigUint)| ratio(&sum, &pairs);
    let measured = || {
        let network = base.network.as_deref()?;
        let order = network.order();
        let sources = if theory.is_transitive() { 1 } else { order };
        let steps = u128::from(sources) * u128::from(order) * u128::from(network.ports());
        if steps > MOST_SEARCHED {
            return None;
        }
        let mut total = 0;
        for from in (0..sources).map(Node) {
            let distances = watched_distances_from(network, from, &budget.watch).ok()?;
            total += distances.iter().map(|&distance| u64::from(distance)).sum::<u64>();
        }
        Some(total as f64 / (sources as f64 * (order as f64 - 1.0)))
    };
    let least = || least_mean_distance(&theory.order(), theory.degrees().max).map(of);
    known.map(of).or_else(measured).or_else(least)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::carried::carried;
    use crate::compare::baselines;
    use crate::physical::Speed;
    use nestnet_topologies::build;

    fn cluster(switch_ports: u64) -> CostModel {
        CostModel { switch_ports, ..CostModel::cluster(Speed::Gb400) }
    }

    /// What is compared with a fabric has its hosts behind switches of the same radix, and carries what it can.
    #[test]
    fn fabrics_are_compared_with_fabrics() {
        let budget = Budget::default();
        for (text, ports) in [
            ("clos(16, 2, 1, 128)", 0),
            ("clos(16, 2, 1, 128)", 16),
            ("hosts(complete(12), 10)", 24),
        ] {
            let built = build(text).unwrap();
            let (found, _) = baselines(&built, Matched::Hosts, &cluster(ports), &budget);
            let names: Vec<String> = found.iter().map(ToString::to_string).collect();
            assert!(
                names.iter().filter(|name| name.starts_with("clos(")).count() == 2,
                "{names:?}"
            );
            for wanted in ["dragonfly", "slimfly", "hyperx", "random_regular"] {
                let is_there = |name: &&String| name.starts_with(&format!("hosts({wanted}("));
                let spec =
                    names.iter().find(is_there).unwrap_or_else(|| panic!("{text}: {names:?}"));
                let one = build(spec).unwrap();
                let radix = if ports == 0 { 16 } else { ports };
                assert!(one.theory.degrees().max <= radix, "{spec}");
                let hosts = one.theory.hosts().to_u64().unwrap();
                assert!(built.theory.hosts() <= hosts.into() && hosts <= 256, "{spec}");
                let uniform = carried(&one, &budget).unwrap().routed.unwrap().uniform;
                assert!(uniform > 0.4, "{spec} carries {uniform}");
            }
        }
    }

    /// Other budgets than hosts are matched too.
    #[test]
    fn fabrics_of_the_same_price_are_found() {
        let (cost_model, budget) = (cluster(16), Budget::default());
        let built = build("clos(16, 2, 1, 128)").unwrap();
        let goal = Matched::Dollars.of(&built, &cost_model, &budget).unwrap();
        let (found, _) = baselines(&built, Matched::Dollars, &cost_model, &budget);
        assert!(found.len() >= 4, "{found:?}");
        for spec in found {
            let one = build(&spec.to_string()).unwrap();
            let price = Matched::Dollars.of(&one, &cost_model, &budget).unwrap();
            assert!(price <= 2.0 * goal && goal <= 2.0 * price, "{spec}: {price}");
        }
    }

    /// Without a radix in the cost model switches keep the hosts that their network has by its name.
    #[test]
    fn hosts_of_a_switch_are_kept_without_a_radix() {
        let built = build("hosts(complete(12), 10)").unwrap();
        let (found, _) = baselines(&built, Matched::Hosts, &cluster(0), &Budget::default());
        let each: Vec<Option<u64>> = found.iter().map(hosts_each).collect();
        assert!(each.contains(&Some(10)) && !found.is_empty(), "{found:?}");
        assert!(each.iter().all(|each| each.is_none_or(|each| each == 10)), "{found:?}");
    }
}
