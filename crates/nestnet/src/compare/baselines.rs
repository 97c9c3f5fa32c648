//! Which networks should one be compared with? Those of about the same size and degree, one of each family.

use crate::build;
use crate::family::near::most_links;
use crate::family::{Family, Near, families};
use crate::spec::{Arg, Spec};
use num_bigint::BigUint;
use num_traits::ToPrimitive;

/// A family that has no network near enough.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// The family.
    pub family: String,
    /// Its nearest network, if there is any.
    pub nearest: Option<String>,
}

/// No more than so many times as large or as small.
const MOST_APART: f64 = 2.0;

/// The baselines that are nearest to `nodes` hosts of that degree, one of each family, and those that have none near.
///
/// Of a family the network of the nearest size is taken, of those the one of the nearest degree. One that is more than
/// twice as large or small, or has more than three times the degree of both it and a hypercube, is left out.
///
/// ```
/// let (found, left_out) = nestnet::compare::baselines(&3_125_000u32.into(), 6);
/// let specs: Vec<String> = found.iter().map(ToString::to_string).collect();
/// assert!(specs.contains(&"torus(146, 146, 147)".to_owned()));
/// assert!(specs.contains(&"random_regular(3125000, 6, 1)".to_owned()));
/// assert!(left_out.iter().any(|one| one.family == "slimfly"));
/// ```
pub fn baselines(nodes: &BigUint, degree: u64) -> (Vec<Spec>, Vec<LeftOut>) {
    let (mut found, mut left_out) = (Vec::new(), Vec::new());
    let Some(wanted) = nodes.to_u64().filter(|&nodes| nodes > 1) else {
        return (found, left_out);
    };
    for (family, near) in rows() {
        let judged = near(wanted, degree).into_iter().filter_map(|integers| {
            let spec = Spec::new(family.name, integers.into_iter().map(Arg::new));
            let (hosts, links) = if family.is_drawn() {
                // Its size is what was asked for, and making it takes long.
                (wanted, degree)
            } else {
                let theory = build(&spec.to_string()).ok()?.theory;
                (theory.hosts().to_u64()?, theory.degrees().max)
            };
            let apart = hosts.max(wanted) as f64 / hosts.min(wanted) as f64;
            Some((apart, links.abs_diff(degree), links, spec))
        });
        let is_near = |(apart, _, links, _): &Judged| {
            *apart <= MOST_APART && *links <= most_links(wanted, degree)
        };
        let order = |a: &Judged, b: &Judged| {
            (!is_near(a)).cmp(&!is_near(b)).then(a.0.total_cmp(&b.0)).then(a.1.cmp(&b.1))
        };
        match judged.min_by(order) {
            Some(best) if is_near(&best) => found.push(best.3),
            nearest => {
                let nearest = nearest.map(|one| one.3.to_string());
                left_out.push(LeftOut { family: family.name.to_owned(), nearest });
            }
        }
    }
    (found, left_out)
}

/// How many times larger or smaller, how far off its degree, its degree, and the network.
type Judged = (f64, u64, u64, Spec);

/// The rows that are baselines, those that are drawn by lot last.
fn rows() -> Vec<(&'static Family, Near)> {
    let mut rows: Vec<(&Family, Near)> =
        families().filter_map(|family| Some((family, family.facts.near?))).collect();
    rows.sort_by_key(|(family, _)| family.is_drawn());
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_degrees_are_near() {
        for (nodes, degree) in [(100u64, 4), (1000, 7), (5000, 4), (1_000_000, 8)] {
            let (found, left_out) = baselines(&nodes.into(), degree);
            assert_eq!(found.len() + left_out.len(), rows().len());
            assert!(found.len() >= 5, "{nodes} of degree {degree}: {found:?}");
            for spec in found {
                if nodes > 10_000 && spec.name == "random_regular" {
                    continue;
                }
                let theory = build(&spec.to_string()).unwrap().theory;
                let hosts = theory.hosts().to_u64().unwrap();
                assert!(hosts <= 2 * nodes && nodes <= 2 * hosts, "{spec}: {hosts}");
                assert!(theory.degrees().max <= most_links(nodes, degree), "{spec}");
            }
        }
    }
}
