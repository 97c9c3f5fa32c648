//! Which networks should one be compared with? Those that spend about as much of something that is named, one of each
//! family.

use super::matched::{ALIKE, LeftOut, MOST_APART, Matched, apart, compared, ports, rows, spread};
use super::switched::Fabric;
use crate::physical::CostModel;
use nestnet_graph::Budget;
use nestnet_topologies::build::{Context, build_with};
use nestnet_topologies::family::Built;
use nestnet_topologies::family::hosts::{hosts_each, with_hosts};
use nestnet_topologies::spec::{Arg, Spec};
use num_traits::ToPrimitive;
use serde::Serialize;

/// The baselines that take nearest as much of `by` as a network, one of each family, and those that have none near.
///
/// Of a fabric of hosts and switches, baselines are fabrics of switches with as many ports that have enough hosts, with the
/// fewest switches for what they carry. Ports are those of the cost model, or where it has none of the largest switch.
/// `hosts(NET, p)` without a radix in the cost model is compared with others of `p` hosts at each switch, and any other
/// network with such where each node is a host. Of a family the network is taken that is nearest in what is matched, then
/// in hosts, where a tenth counts for nothing, then in ports; one that is more than twice off is omitted.
///
/// ```
/// use nestnet::compare::{Matched, baselines};
/// use nestnet::physical::CostModel;
/// use nestnet::{Budget, build};
///
/// let built = build("rdn(torus(5, 5), 2)").unwrap();
/// let (found, left_out) =
///     baselines(&built, Matched::Hosts, &CostModel::default(), &Budget::default());
/// let specs: Vec<String> = found.iter().map(ToString::to_string).collect();
/// assert!(specs.contains(&"torus(146, 146, 147)".to_owned()));
/// assert!(specs.contains(&"random_regular(3125000, 6, 1)".to_owned()));
/// assert!(left_out.iter().any(|one| one.family == "slimfly"));
/// ```
pub fn baselines(
    built: &Built,
    by: Matched,
    cost_model: &CostModel,
    budget: &Budget<'_>,
) -> (Vec<Spec>, Vec<LeftOut>) {
    if let Some(fabric) = Fabric::of(built, by, cost_model, budget) {
        return fabric.baselines(by, cost_model, budget);
    }
    let (mut found, mut left_out) = (Vec::new(), Vec::new());
    let each = hosts_each(built.spec());
    let hosts = built.theory.hosts().to_u64().map(|hosts| hosts / each.unwrap_or(1));
    let goal = by.of(built, cost_model, budget).zip(ports(built));
    let Some((wanted, (goal, ports_wanted))) = hosts.filter(|&hosts| hosts > 1).zip(goal) else {
        return (found, left_out);
    };
    let degree = match each {
        Some(each) => built.theory.degrees().max.saturating_sub(each).max(1),
        None => built.theory.degrees().max,
    };
    let read = |_: &str| Err(std::io::Error::other("files are not compared with"));
    let context = Context { read: &read, budget: *budget, ..Context::ALONE };
    let build = |spec: &Spec| build_with(spec, &spec.to_string(), &context).ok();
    for (family, near) in rows() {
        if budget.check().is_err() {
            break;
        }
        let judge = |integers: Vec<u64>| -> Option<Judged> {
            let bare = Spec::new(family.name, integers.into_iter().map(Arg::new));
            let drawn = family.is_drawn();
            // One that is drawn at random has what was asked for, and making it takes long.
            if drawn && by == Matched::Hosts {
                let spec = each.map_or(bare.clone(), |each| with_hosts(bare, each));
                return Some(Judged { apart: [1.0; 3], spec });
            }
            budget.check().ok()?;
            let one = build(&bare)?;
            let brings_switches = one.theory.hosts() < one.theory.order();
            let (spec, one) = match each.filter(|_| !brings_switches) {
                Some(each) => {
                    let spec = with_hosts(bare, each);
                    let one = build(&spec)?;
                    (spec, one)
                }
                None => (bare, one),
            };
            let hosts = one.theory.hosts().to_f64()?;
            let wanted = wanted as f64 * each.unwrap_or(1) as f64;
            // Only what has the size is worth a look.
            if apart(hosts, wanted) > 2.0 * MOST_APART {
                return Some(Judged { apart: [f64::INFINITY, apart(hosts, wanted), 1.0], spec });
            }
            let value = by.of(&one, cost_model, budget)?;
            let apart =
                [apart(value, goal), apart(hosts, wanted), apart(ports(&one)?, ports_wanted)];
            Some(Judged { apart, spec })
        };
        // Where ports may differ, so may the degree.
        let degrees: Vec<u64> = match by {
            Matched::Hosts => vec![degree],
            // A cut takes long to find.
            Matched::Bisection => {
                (degree.saturating_sub(1).max(2)..=degree.saturating_add(1)).collect()
            }
            _ => spread(degree.div_ceil(2).max(2), degree.saturating_mul(2)),
        };
        let mut integers: Vec<Vec<u64>> =
            degrees.into_iter().flat_map(|degree| near(wanted, degree)).collect();
        integers.sort_unstable();
        integers.dedup();
        let judged = integers.into_iter().filter_map(judge);
        let best = judged.min_by(|a, b| compared(a.order(), b.order()));
        match best {
            Some(best) if best.apart[..2].iter().all(|&apart| apart <= MOST_APART) => {
                found.push(best.spec);
            }
            nearest => {
                let nearest = nearest.map(|one| one.spec.to_string());
                left_out.push(LeftOut { family: family.name.to_owned(), nearest });
            }
        }
    }
    (found, left_out)
}

/// What is compared.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Field {
    /// Those that were named, then the baselines.
    pub networks: Vec<Built>,
    /// Baselines that are not near enough, or too large.
    pub left_out: Vec<LeftOut>,
    /// What the baselines spend as much of as the first network.
    pub matched: Option<Match>,
}

/// What baselines spend as much of.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Match {
    /// Of what.
    pub by: Matched,
    /// How much the first network takes.
    pub amount: f64,
}

/// Networks, and where `by` says so the [`baselines`] of the first, which `make` builds.
pub fn field(
    mut networks: Vec<Built>,
    by: Option<Matched>,
    cost_model: &CostModel,
    budget: &Budget<'_>,
    make: impl FnMut(&Spec) -> Result<Built, String>,
) -> Field {
    let (mut left_out, mut matched) = (Vec::new(), None);
    if let (Some(by), Some(first)) = (by, networks.first()) {
        matched = by.of(first, cost_model, budget).map(|amount| Match { by, amount });
        let found = baselines(first, by, cost_model, budget);
        left_out = add_baselines(&mut networks, found, make);
    }
    Field { networks, left_out, matched }
}

/// Adds baselines to the networks that are compared: one that is there already is there once, and one that cannot be
/// made is omitted with the others.
fn add_baselines(
    networks: &mut Vec<Built>,
    (found, mut left_out): (Vec<Spec>, Vec<LeftOut>),
    mut make: impl FnMut(&Spec) -> Result<Built, String>,
) -> Vec<LeftOut> {
    for spec in found {
        if networks.iter().any(|known| *known.spec() == spec) {
            continue;
        }
        match make(&spec) {
            // It may be written in another way.
            Ok(network) if networks.iter().any(|known| known.spec() == network.spec()) => (),
            Ok(network) => networks.push(network),
            Err(why) => {
                let nearest = Some(format!("{spec}, {why}"));
                left_out.push(LeftOut { family: spec.name, nearest });
            }
        }
    }
    left_out
}

/// How many times it is off in what is matched, in hosts and in ports.
struct Judged {
    apart: [f64; 3],
    spec: Spec,
}

impl Judged {
    /// What is nearly the same is the same; then ports decide, and last of all what is nearest.
    fn order(&self) -> [f64; 5] {
        let [matched, hosts, ports] = self.apart;
        let about = |apart: f64| if apart <= ALIKE { 1.0 } else { apart };
        [about(matched), about(hosts), ports, matched, hosts]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nestnet_topologies::build;

    #[test]
    fn what_is_matched_is_near() {
        let (cost_model, budget) = (CostModel::default(), Budget::default());
        for text in ["rdn(petersen, 1)", "torus(5, 5, 5)", "hosts(rdn(ring(5), 1), 3)"] {
            let built = build(text).unwrap();
            for by in [Matched::Hosts, Matched::Ports, Matched::Dollars] {
                let goal = by.of(&built, &cost_model, &budget).unwrap();
                let (found, left_out) = baselines(&built, by, &cost_model, &budget);
                assert_eq!(found.len() + left_out.len(), rows().len());
                assert!(found.len() >= 4, "{text} by {}: {found:?}", by.name());
                for spec in found {
                    let one = build(&spec.to_string()).unwrap();
                    let value = by.of(&one, &cost_model, &budget).unwrap();
                    assert!(value <= 2.0 * goal && goal <= 2.0 * value, "{spec}: {value}");
                    let (hosts, wanted) = (one.theory.hosts(), built.theory.hosts());
                    assert!(hosts <= &wanted * 2u8 && wanted <= hosts * 2u8, "{spec}");
                }
            }
        }
    }

    /// Listing what is near takes neither time nor memory that grows with the network.
    #[test]
    fn the_largest_networks_have_baselines_too() {
        let (cost_model, budget) = (CostModel::default(), Budget::default());
        for text in [
            "star(4294967296)",
            "hyperx(2147483648, 3, 8)",
            "complete(9223372036854775808)",
            "leaf_spine(1, 9007199254740992, 65535)",
            "hosts(complete(1152921504606846976), 7)",
        ] {
            let Ok(built) = build(text) else { panic!("{text}") };
            for by in Matched::ALL {
                let (found, left_out) = baselines(&built, by, &cost_model, &budget);
                assert!(found.len() + left_out.len() <= rows().len(), "{text}");
            }
        }
    }

    #[test]
    fn a_cut_can_be_matched() {
        let built = build("hypercube(3)").unwrap();
        let (cost_model, budget) = (CostModel::default(), Budget::default());
        let (found, _) = baselines(&built, Matched::Bisection, &cost_model, &budget);
        let goal = Matched::Bisection.of(&built, &cost_model, &budget).unwrap();
        for spec in &found {
            let one = build(&spec.to_string()).unwrap();
            let value = Matched::Bisection.of(&one, &cost_model, &budget).unwrap();
            assert!(value <= 2.0 * goal && goal <= 2.0 * value, "{spec}: {value} and {goal}");
        }
        assert!(!found.is_empty());
    }
}
