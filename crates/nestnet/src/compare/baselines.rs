//! Which networks should one be compared with? Those of about the same size and degree, one of each family.

use crate::build;
use crate::spec::Spec;
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

/// No more than so many times the degree, or the logarithm of the nodes where that is larger.
const MOST_LINKS: u64 = 3;

fn most_links(nodes: u64, degree: u64) -> u64 {
    MOST_LINKS.saturating_mul(degree.max(nodes.ilog2().into()))
}

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
    for (family, candidates) in FAMILIES {
        let judged = candidates(wanted, degree).into_iter().filter_map(|text| {
            let (hosts, links) = match family {
                // Its size is what was asked for, and making it takes long.
                &"random_regular" => (wanted, degree),
                _ => {
                    let theory = build(&text).ok()?.theory;
                    (theory.hosts().to_u64()?, theory.degrees().max)
                }
            };
            let apart = hosts.max(wanted) as f64 / hosts.min(wanted) as f64;
            Some((apart, links.abs_diff(degree), links, text))
        });
        let near = |&(apart, _, links, _): &(f64, u64, u64, String)| {
            apart <= MOST_APART && links <= most_links(wanted, degree)
        };
        let order = |a: &(f64, u64, u64, String), b: &(f64, u64, u64, String)| {
            (!near(a)).cmp(&!near(b)).then(a.0.total_cmp(&b.0)).then(a.1.cmp(&b.1))
        };
        match judged.min_by(order) {
            Some(best) if near(&best) => found.extend(Spec::parse(&best.3).ok()),
            nearest => {
                let nearest = nearest.map(|one| one.3);
                left_out.push(LeftOut { family: (*family).to_owned(), nearest });
            }
        }
    }
    (found, left_out)
}

/// The networks of a family around a size and a degree.
type Candidates = fn(u64, u64) -> Vec<String>;

static FAMILIES: &[(&str, Candidates)] = &[
    ("torus", |nodes, degree| {
        // Of an odd degree rather one link more than one fewer; of one dimension it would be a ring.
        let dimensions = [degree.div_ceil(2).max(2), (degree / 2).max(2)].into_iter();
        dimensions
            .flat_map(|count| near_cubes(nodes, count, 3))
            .map(|sides| with("torus", &sides))
            .collect()
    }),
    ("hypercube", |nodes, _| around(nodes.ilog2()).map(|n| format!("hypercube({n})")).collect()),
    ("folded_hypercube", |nodes, _| {
        around(nodes.ilog2()).map(|n| format!("folded_hypercube({n})")).collect()
    }),
    ("hyperx", |nodes, degree| {
        // Sides that add up to the degree, as equal as can be, in any number of dimensions.
        let by_degree = (1..=degree).map(|count| {
            let sides: Vec<u64> =
                (0..count).map(|i| degree / count + u64::from(i < degree % count) + 1).collect();
            with("hyperx", &sides)
        });
        let by_size = (1..=6).flat_map(|count| near_cubes(nodes, count, 2));
        by_degree.chain(by_size.map(|sides| with("hyperx", &sides))).collect()
    }),
    ("ccc", |nodes, _| {
        let bits = nodes.ilog2();
        (3..=bits.max(3)).map(|n| format!("ccc({n})")).collect()
    }),
    ("dragonfly", |nodes, degree| {
        // Balanced, a = 2h, or nearly so: a router has a-1 links in its group and h out of it.
        let most = most_links(nodes, degree).min(512);
        let of = |h: u64| (2 * h - 1..=2 * h + 1).map(move |a| format!("dragonfly({a}, {h})"));
        (1..=most.div_ceil(2)).flat_map(of).collect()
    }),
    ("slimfly", |nodes, degree| by_field("slimfly", nodes, degree)),
    ("polarfly", |nodes, degree| by_field("polarfly", nodes, degree)),
    ("debruijn", |nodes, degree| words("debruijn", nodes, degree)),
    ("kautz", |nodes, degree| words("kautz", nodes, degree)),
    ("star_graph", |_, _| (2..=20).map(|n| format!("star_graph({n})")).collect()),
    ("fat_tree", |nodes, _| {
        let ports = root(nodes.saturating_mul(4), 3);
        (ports.saturating_sub(2).max(2)..=ports + 2)
            .filter(|ports| ports.is_multiple_of(2))
            .map(|ports| format!("fat_tree({ports})"))
            .collect()
    }),
    ("random_regular", |nodes, degree| {
        let exists = degree < nodes && (nodes * (degree % 2)).is_multiple_of(2) && degree > 2;
        exists.then(|| format!("random_regular({nodes}, {degree}, 1)")).into_iter().collect()
    }),
];

fn with(family: &str, sides: &[u64]) -> String {
    let sides: Vec<String> = sides.iter().map(ToString::to_string).collect();
    format!("{family}({})", sides.join(", "))
}

fn around(bits: u32) -> impl Iterator<Item = u32> {
    bits.saturating_sub(1).max(1)..=bits + 1
}

/// The largest integer whose power is at most `number`.
fn root(number: u64, power: u32) -> u64 {
    let near = (number as f64).powf(1.0 / f64::from(power)).to_u64().unwrap_or(1).max(1);
    let fits = |base: u64| base.checked_pow(power).is_some_and(|value| value <= number);
    (near.saturating_sub(1).max(1)..=near + 1).rev().find(|&base| fits(base)).unwrap_or(1)
}

/// Sides of `count` dimensions, each at least `least`, equal but for one, whose product is near `nodes`.
fn near_cubes(nodes: u64, count: u64, least: u64) -> Vec<Vec<u64>> {
    let Some(power) = u32::try_from(count).ok().filter(|&power| power > 0 && power < 64) else {
        return Vec::new();
    };
    let side = root(nodes, power);
    if side < least {
        return Vec::new();
    }
    let longer = |longer: u64| (0..count).map(|i| side + u64::from(i >= count - longer)).collect();
    (0..=count).map(longer).collect()
}

/// Networks over a field of q elements, with not too large a degree.
fn by_field(family: &str, nodes: u64, degree: u64) -> Vec<String> {
    let most = most_links(nodes, degree).min(256);
    (2..=most).map(|q| format!("{family}({q})")).collect()
}

/// Words of k letters out of d, of which each has up to 2d neighbors.
fn words(family: &str, nodes: u64, degree: u64) -> Vec<String> {
    let letters = (2..=degree.min(64)).filter(|letters| *letters >= degree / 2);
    let of = |letters: u64| {
        let length = nodes.ilog(letters);
        (length.saturating_sub(1).max(1)..=length + 1)
            .map(move |length| format!("{family}({letters}, {length})"))
    };
    letters.flat_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_degrees_are_near() {
        for (nodes, degree) in [(100u64, 4), (1000, 7), (5000, 4), (1_000_000, 8)] {
            let (found, left_out) = baselines(&nodes.into(), degree);
            assert_eq!(found.len() + left_out.len(), FAMILIES.len());
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

    #[test]
    fn roots_are_exact() {
        for number in [1, 7, 8, 9, 26, 27, 63, 64, 1 << 60] {
            for power in 1..5 {
                let found = root(number, power);
                assert!(found.pow(power) <= number && (found + 1).pow(power) > number);
            }
        }
    }
}
