//! The rows of the table: each question, what it costs and how it is answered.

use super::{Answer, Fact, Measure, Subject};
use nestnet_core::distances::ratio;
use nestnet_core::measure::bisection::{self, HighBy, LowBy, Search, bisection};
use nestnet_core::measure::connectivity::{edge_connectivity, fault_diameter, vertex_connectivity};
use nestnet_core::measure::forwarding::forwarding;
use nestnet_core::measure::load::{channel_load, channel_load_by_classes};
use nestnet_core::measure::orbit::{channel_classes, orbits_of};
use nestnet_core::measure::quality::{
    cost, cost_ratio, least_mean_distance, moore_bound, moore_efficiency,
};
use nestnet_core::measure::spectrum::spectrum;
use nestnet_core::measure::structure::{components, girth, two_coloring};
use nestnet_core::measure::symmetry::symmetry;
use nestnet_core::theory::{How, Known};
use num_bigint::BigUint;

fn always(_: &Subject<'_>) -> bool {
    true
}

/// Whether that many nodes times links are walked in a moment.
fn walks(subject: &Subject<'_>, nodes: u64, links: u128) -> bool {
    subject.order() <= nodes && subject.links() <= links
}

/// All measures, cheap ones first.
pub static MEASURES: &[Measure] = &[
    Measure {
        name: "size",
        keys: &[
            "nodes",
            "links",
            "degree_histogram",
            "degree_min",
            "degree_max",
            "degree_mean",
            "regular",
        ],
        about: "how many nodes and links there are, and how many links a node has",
        is_quick: always,
        find: size,
    },
    Measure {
        name: "structure",
        keys: &["components", "connected", "bipartite", "girth"],
        about: "how many parts there are, whether two colors suffice, and the shortest cycle",
        is_quick: |subject| walks(subject, 1 << 22, 1 << 24),
        find: structure,
    },
    Measure {
        name: "distances",
        keys: &["diameter", "radius", "average_distance", "distance_histogram", "farthest"],
        about: "how far nodes are from each other",
        is_quick: always,
        find: distances,
    },
    Measure {
        name: "quality",
        keys: &[
            "moore_bound",
            "moore_efficiency",
            "average_distance_bound",
            "average_distance_gap",
            "cost",
            "cr",
            "links_per_node",
        ],
        about: "how close it comes to the best of its degree, and degree and diameter as a cost",
        is_quick: always,
        find: quality,
    },
    Measure {
        name: "connectivity",
        keys: &["vertex_connectivity", "edge_connectivity", "maximally_fault_tolerant"],
        about: "how many nodes or links must fail before it falls apart",
        is_quick: |subject| walks(subject, 1 << 13, 1 << 16),
        find: connectivity,
    },
    Measure {
        name: "symmetry",
        keys: &[
            "vertex_orbits",
            "edge_orbits",
            "automorphisms",
            "vertex_transitive",
            "edge_transitive",
        ],
        about: "how many kinds of nodes and links there are, and how many automorphisms",
        is_quick: |subject| walks(subject, 1 << 13, 1 << 16),
        find: symmetries,
    },
    Measure {
        name: "load",
        keys: &["channel_load", "throughput", "forwarding_index"],
        about: "how busy channels are when all nodes send to all along shortest paths, split equally",
        is_quick: |subject| walks(subject, 1 << 12, 1 << 15),
        find: load,
    },
    Measure {
        name: "spectrum",
        keys: &["lambda2", "spectral_gap"],
        about: "the second least eigenvalue of the Laplacian, and by how much the largest of the adjacency stands out",
        is_quick: |subject| walks(subject, 1 << 12, 1 << 15),
        find: spectra,
    },
    Measure {
        name: "bisection",
        keys: &["bisection"],
        about: "how few links join two halves",
        is_quick: |subject| walks(subject, 1 << 7, 1 << 9),
        find: bisection_width,
    },
    Measure {
        name: "faults",
        keys: &["fault_diameter"],
        about: "the largest diameter after as many failures as it survives",
        is_quick: |_| false,
        find: faults,
    },
];

fn size(subject: &Subject<'_>) -> Vec<Fact> {
    let theory = &subject.built.theory;
    let degrees = theory.degrees();
    let order = theory.order();
    let mut facts = vec![
        Fact::new("nodes", Answer::Integer(order.clone())),
        Fact::new("links", Answer::Integer(degrees.links.clone())),
    ];
    if let Some(counts) = &degrees.counts {
        facts.push(Fact::new("degree_histogram", Answer::Degrees(counts.clone())));
    }
    facts.push(Fact::new("degree_min", Answer::Integer(degrees.min.into())));
    facts.push(Fact::new("degree_max", Answer::Integer(degrees.max.into())));
    facts.push(Fact::new("degree_mean", Answer::Number(ratio(&(degrees.links * 2u8), &order))));
    facts.push(Fact::new("regular", Answer::Truth(degrees.min == degrees.max)));
    facts
}

fn structure(subject: &Subject<'_>) -> Vec<Fact> {
    let connected = Fact::new("connected", Answer::Truth(subject.built.theory.connected()));
    let csr = match subject.csr() {
        Ok(csr) => csr,
        Err(why) => {
            let none = ["components", "bipartite", "girth"].map(|key| Fact::none(key, why.clone()));
            return none.into_iter().chain([connected]).collect();
        }
    };
    let parts = components(csr).sizes.len();
    let cycle = match girth(csr, subject.classes(), &subject.limits.budget.watch) {
        Ok(Some(girth)) => Fact::new("girth", Answer::Integer(girth.into())),
        Ok(None) => Fact::none("girth", "it has no cycle"),
        Err(error) => Fact::none("girth", error.to_string()),
    };
    vec![
        Fact::new("components", Answer::Integer(parts.into())),
        connected,
        Fact::new("bipartite", Answer::Truth(two_coloring(csr).is_some())),
        cycle,
    ]
}

fn distances(subject: &Subject<'_>) -> Vec<Fact> {
    let found = subject.distances();
    let why = || found.why.clone().unwrap_or_else(|| "it is not known".to_owned());
    let known = |key, known: &Option<Known>| match known {
        Some(known) => Fact::new(key, Answer::Known(known.clone())),
        None => Fact::none(key, why()),
    };
    let mut facts = vec![known("diameter", &found.diameter), known("radius", &found.radius)];
    let connected = subject.built.theory.connected();
    let mean = found.histogram.as_ref().filter(|_| connected);
    facts.push(match mean.map(|(histogram, how)| (histogram.mean(), *how)) {
        Some((Some((numerator, denominator)), how)) => {
            Fact::new("average_distance", Answer::Mean { numerator, denominator, how })
        }
        Some((None, _)) => Fact::none("average_distance", "it has no two nodes"),
        None => Fact::none("average_distance", why()),
    });
    facts.push(match &found.histogram {
        Some((histogram, how)) => {
            let counts = histogram.counts().to_vec();
            Fact::new("distance_histogram", Answer::Histogram { counts, how: *how })
        }
        None => Fact::none("distance_histogram", why()),
    });
    if let (Some((from, to)), Ok(network)) = (found.farthest, subject.network()) {
        let pair = [from, to].map(|node| (node, network.address(node)));
        facts.push(Fact::new("farthest", Answer::Pair(pair)));
    }
    facts
}

fn quality(subject: &Subject<'_>) -> Vec<Fact> {
    let theory = &subject.built.theory;
    let (order, degrees) = (theory.order(), theory.degrees());
    let found = subject.distances();
    let per_node = ratio(&degrees.links, &order);
    let mut facts = Vec::new();
    let diameter = found.diameter.as_ref().and_then(Known::exact);
    match diameter {
        Some(diameter) => {
            facts.push(match moore_bound(degrees.max, diameter) {
                Some(bound) => Fact::new("moore_bound", Answer::Integer(bound)),
                None => Fact::none("moore_bound", "it has too many digits"),
            });
            let efficiency = moore_efficiency(&order, degrees.max, diameter);
            let number = |key| move |value| Fact::new(key, Answer::Number(value));
            facts.extend(efficiency.map(number("moore_efficiency")));
            facts.push(Fact::new("cost", Answer::Integer(cost(degrees.max, diameter))));
            facts.extend(cost_ratio(&order, degrees.max, diameter).map(number("cr")));
        }
        None => {
            let none = |key| Fact::none(key, "the diameter is not known");
            facts.extend(["moore_bound", "moore_efficiency", "cost", "cr"].map(none));
        }
    }
    if let Some((sum, pairs)) = least_mean_distance(&order, degrees.max) {
        let bound = ratio(&sum, &pairs);
        facts.push(Fact::new("average_distance_bound", Answer::Number(bound)));
        let mean = found.histogram.as_ref().filter(|_| theory.connected());
        if let Some((numerator, denominator)) = mean.and_then(|(histogram, _)| histogram.mean()) {
            let gap = ratio(&numerator, &denominator) - bound;
            facts.push(Fact::new("average_distance_gap", Answer::Number(gap)));
        }
    }
    facts.push(Fact::new("links_per_node", Answer::Number(per_node)));
    facts
}

fn exactly(key: &'static str, value: u32, how: How) -> Fact {
    Fact::new(key, Answer::Known(Known { how, ..Known::theorem(value) }))
}

fn connectivity(subject: &Subject<'_>) -> Vec<Fact> {
    const KEYS: [&str; 2] = ["vertex_connectivity", "edge_connectivity"];
    let csr = match subject.csr() {
        Ok(csr) => csr,
        Err(why) => return KEYS.map(|key| Fact::none(key, why.clone())).into(),
    };
    let watch = &subject.limits.budget.watch;
    let found = vertex_connectivity(csr, subject.classes(), watch)
        .and_then(|nodes| Ok((nodes, edge_connectivity(csr, subject.classes(), watch)?)));
    match found {
        Ok((nodes, links)) => vec![
            exactly(KEYS[0], nodes.value, nodes.how),
            exactly(KEYS[1], links.value, links.how),
            Fact::new("maximally_fault_tolerant", Answer::Truth(nodes.maximal)),
        ],
        Err(error) => KEYS.map(|key| Fact::none(key, error.to_string())).into(),
    }
}

fn symmetries(subject: &Subject<'_>) -> Vec<Fact> {
    let found = subject.csr().and_then(|csr| {
        symmetry(csr, &subject.limits.budget.watch).map_err(|error| error.to_string())
    });
    match found {
        Ok(found) => vec![
            Fact::new("vertex_orbits", Answer::Integer(found.nodes.count.into())),
            Fact::new("edge_orbits", Answer::Integer(found.edge_orbits.into())),
            Fact::new("automorphisms", Answer::Integer(found.automorphisms.clone())),
            Fact::new("vertex_transitive", Answer::Truth(found.vertex_transitive())),
            Fact::new("edge_transitive", Answer::Truth(found.edge_transitive())),
        ],
        Err(why) => {
            let keys = ["vertex_orbits", "edge_orbits", "automorphisms"];
            keys.map(|key| Fact::none(key, why.clone())).into()
        }
    }
}

/// Brandes from every node, or from one of each class where the network declares automorphisms.
fn load(subject: &Subject<'_>) -> Vec<Fact> {
    let none = |why: String| vec![Fact::none("channel_load", why)];
    let csr = match subject.csr() {
        Ok(csr) => csr,
        Err(why) => return none(why),
    };
    let watch = &subject.limits.budget.watch;
    let generators = match subject.limits.how {
        Some(How::Exhaustive) => Vec::new(),
        _ => subject.network().map(|network| network.automorphisms()).unwrap_or_default(),
    };
    let orbits = orbits_of(subject.order(), &generators);
    let (found, how) = match orbits.filter(|orbits| orbits.len() as u64 <= subject.order() / 4) {
        Some(orbits) => {
            let found = match channel_classes(csr, &generators) {
                Some(channels) => channel_load_by_classes(csr, &orbits, &channels, watch)
                    .map_err(|error| error.to_string()),
                None => Err("a declared automorphism does not keep the links".to_owned()),
            };
            (found, How::Symmetry)
        }
        None => {
            let passes = u128::from(subject.order());
            let steps = passes.saturating_mul(subject.links().saturating_mul(4));
            if let Err(why) = subject.affords(steps) {
                return none(why);
            }
            (channel_load(csr, watch).map_err(|error| error.to_string()), How::Exhaustive)
        }
    };
    let found = match found {
        Ok(found) => found,
        Err(why) => return none(why),
    };
    let (max, mean, ratio) = (found.max, found.mean, found.ratio());
    let mut facts = vec![Fact::new("channel_load", Answer::Load { max, mean, ratio, how })];
    facts.extend(found.throughput().map(|value| Fact::new("throughput", Answer::Number(value))));
    if walks(subject, 1 << 13, 1 << 16) {
        facts.push(match forwarding(csr, watch) {
            Ok(bounds) => {
                let (low, high) = (BigUint::from(bounds.low), BigUint::from(bounds.high));
                let known = Known { low, high, how: How::Exhaustive };
                Fact::new("forwarding_index", Answer::Known(known))
            }
            Err(error) => Fact::none("forwarding_index", error.to_string()),
        });
    }
    facts
}

fn spectra(subject: &Subject<'_>) -> Vec<Fact> {
    let found = subject.csr().and_then(|csr| {
        let found =
            spectrum(csr, &subject.limits.budget.watch).map_err(|error| error.to_string())?;
        found.ok_or_else(|| "it has no two nodes".to_owned())
    });
    match found {
        Ok(found) => vec![
            Fact::new("lambda2", Answer::Number(found.lambda2.value)),
            Fact::new("spectral_gap", Answer::Number(found.spectral_gap())),
        ],
        Err(why) => ["lambda2", "spectral_gap"].map(|key| Fact::none(key, why.clone())).into(),
    }
}

fn bisection_width(subject: &Subject<'_>) -> Vec<Fact> {
    let csr = match subject.csr() {
        Ok(csr) => csr,
        Err(why) => return vec![Fact::none("bisection", why)],
    };
    let found = find_bisection(subject, csr);
    let how = format!("{}..{}", low_by(found.low_by), high_by(found.high_by));
    let how = if found.low == found.high { low_by(found.low_by).to_owned() } else { how };
    vec![Fact::new("bisection", Answer::Bounds { low: found.low, high: found.high, how })]
}

/// The bounds with their certificates, from all that is known of the network.
pub fn find_bisection(subject: &Subject<'_>, csr: &nestnet_core::Csr) -> bisection::Bisection {
    let watch = &subject.limits.budget.watch;
    let load = if walks(subject, 1 << 13, 1 << 16) { channel_load(csr, watch).ok() } else { None };
    let spectrum = if walks(subject, 1 << 16, 1 << 19) { spectrum(csr, watch).ok() } else { None };
    let spectrum = spectrum.flatten();
    let mut given = natural_sides(subject.order());
    given.extend(spectrum.as_ref().and_then(|spectrum| spectrum.side()));
    let memory = subject.limits.budget.memory / 4;
    let search = Search {
        given: &given,
        lambda2: spectrum.map(|spectrum| spectrum.lambda2_at_least()),
        max_load: load.map(|load| load.max),
        max_memory: memory.min(2 << 30),
        ..Search::default()
    };
    bisection(csr, &search, watch)
}

/// Cuts that ids suggest: the lower half, which is a cut at the top level, and every second, fourth … run of nodes,
/// which is one across each register.
fn natural_sides(order: u64) -> Vec<Vec<bool>> {
    let runs = std::iter::successors(Some(order.div_ceil(2)), |&run| (run > 1).then_some(run / 2));
    runs.map(|run| (0..order).map(|at| (at / run).is_multiple_of(2)).collect()).collect()
}

/// Where a lower bound comes from, in a word.
pub fn low_by(by: LowBy) -> &'static str {
    match by {
        LowBy::Nothing => "counting",
        LowBy::Spectrum => "spectrum",
        LowBy::Congestion => "congestion",
        LowBy::Search => "exhaustive",
    }
}

/// Where an upper bound comes from, in a word.
pub fn high_by(by: HighBy) -> &'static str {
    match by {
        HighBy::Given(_) => "improved natural cut",
        HighBy::Multilevel => "multilevel",
        HighBy::LocalSearch => "local search",
        HighBy::Search => "exhaustive",
    }
}

fn faults(subject: &Subject<'_>) -> Vec<Fact> {
    const KEY: &str = "fault_diameter";
    let found = subject.csr().and_then(|csr| {
        let watch = &subject.limits.budget.watch;
        let failing = vertex_connectivity(csr, subject.classes(), watch);
        let failing = failing.map_err(|error| error.to_string())?.value.saturating_sub(1);
        // The steps of this search are shorter than those of others, but a set of failures may be many of them.
        let limit = u64::try_from(subject.limits.budget.steps / 64).unwrap_or(u64::MAX);
        let found = fault_diameter(csr, failing, subject.classes(), limit, watch);
        found.map_err(|error| error.to_string())
    });
    vec![match found {
        Ok(found) => match found.value {
            Some(value) => exactly(KEY, value, How::Exhaustive),
            None => Fact::none(KEY, "it is not connected"),
        },
        Err(why) => Fact::none(KEY, why),
    }]
}
