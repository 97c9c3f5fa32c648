//! The rows of the table: each question, what it costs and how it is answered.

use super::load::under_load;
use super::{Analysis, Answer, Fact, Measure, Unanswered, When};
use crate::metrics::metric;
use crate::throughput::uniform;
use nestnet_graph::distances::ratio;
use nestnet_graph::measure::bisection::{
    self, Bisection, HighBy, LowBy, Search, bisection, check_cut,
};
use nestnet_graph::measure::connectivity::{
    edge_connectivity, fault_diameter, vertex_connectivity,
};
use nestnet_graph::measure::forwarding::forwarding;
use nestnet_graph::measure::load::{ChannelLoad, channel_load, channel_load_by_classes};
use nestnet_graph::measure::orbit::{channel_classes, orbits_of};
use nestnet_graph::measure::quality::{
    cost, cost_ratio, least_mean_distance, moore_bound, moore_efficiency,
};
use nestnet_graph::measure::spectrum::{Spectrum, lambda2, spectral_gap, spectrum};
use nestnet_graph::measure::structure::{components, girth, two_coloring};
use nestnet_graph::measure::symmetry::symmetry;
use nestnet_graph::theory::{Bounded, How};
use nestnet_sim::RunLength;
use num_bigint::BigUint;
use serde::Serialize;
use std::cell::LazyCell;
use thiserror::Error;

/// Whether that many nodes times links are walked in a moment.
fn walks(subject: &Analysis<'_>, nodes: u64, links: u128) -> bool {
    subject.order() <= nodes && subject.links() <= links
}

/// All measures, cheap ones first, each with the keys that it answers.
///
/// ```
/// use nestnet_analysis::measures::MEASURES;
///
/// let keys: Vec<&str> = MEASURES.iter().flat_map(|row| row.keys).copied().collect();
/// let all = "nodes links cables width_histogram degree_histogram degree_min degree_max degree_mean regular components \
///            connected bipartite girth diameter radius average_distance distance_histogram farthest hosts \
///            host_diameter host_average_distance host_distance_histogram switches_passed moore_bound \
///            moore_efficiency average_distance_bound average_distance_gap cost cr links_per_node \
///            vertex_connectivity edge_connectivity switch_edge_connectivity maximally_fault_tolerant \
///            vertex_orbits edge_orbits automorphisms vertex_transitive edge_transitive channel_load throughput \
///            forwarding_index lambda2 spectral_gap bisection fault_diameter unloaded_latency saturation";
/// assert_eq!(keys.join(" "), all);
/// ```
pub static MEASURES: &[Measure] = &[
    Measure {
        name: "size",
        keys: &[
            "nodes",
            "links",
            "cables",
            "width_histogram",
            "degree_histogram",
            "degree_min",
            "degree_max",
            "degree_mean",
            "regular",
        ],
        about: "how many nodes, links and cables there are, and how many cables a node has",
        when: When::Always,
        find: size,
    },
    Measure {
        name: "structure",
        keys: &["components", "connected", "bipartite", "girth"],
        about: "how many parts there are, whether two colors suffice, and the shortest cycle",
        when: When::Quick(|subject| walks(subject, 1 << 22, 1 << 24)),
        find: structure,
    },
    Measure {
        name: "distances",
        keys: &["diameter", "radius", "average_distance", "distance_histogram", "farthest"],
        about: "how far nodes are from each other",
        when: When::Always,
        find: distances,
    },
    Measure {
        name: "hosts",
        keys: &[
            "hosts",
            "host_diameter",
            "host_average_distance",
            "host_distance_histogram",
            "switches_passed",
        ],
        about: "how far hosts are from each other, links of hosts included, and how many nodes a message passes between two",
        when: When::Always,
        find: hosts,
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
        when: When::Always,
        find: quality,
    },
    Measure {
        name: "connectivity",
        keys: &[
            "vertex_connectivity",
            "edge_connectivity",
            "switch_edge_connectivity",
            "maximally_fault_tolerant",
        ],
        about: "how many nodes or links must fail before it falls apart",
        when: When::Quick(|subject| walks(subject, 1 << 13, 1 << 16)),
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
        about: "vertex orbits, edge orbits and the number of automorphisms",
        when: When::Quick(|subject| walks(subject, 1 << 13, 1 << 16)),
        find: symmetries,
    },
    Measure {
        name: "load",
        keys: &["channel_load", "throughput", "forwarding_index"],
        about: "how busy channels are when all nodes send to all along shortest paths, split equally",
        when: When::Quick(|subject| walks(subject, 1 << 12, 1 << 15)),
        find: load,
    },
    Measure {
        name: "spectrum",
        keys: &["lambda2", "spectral_gap"],
        about: "the second least eigenvalue of the Laplacian, and by how much the largest of the adjacency stands out",
        when: When::Quick(|subject| walks(subject, 1 << 12, 1 << 15)),
        find: spectra,
    },
    Measure {
        name: "bisection",
        keys: &["bisection"],
        about: "the bisection width: the fewest links between two equal parts",
        when: When::Quick(|subject| walks(subject, 1 << 7, 1 << 9)),
        find: bisection_width,
    },
    Measure {
        name: "faults",
        keys: &["fault_diameter"],
        about: "the largest diameter after as many failures as it survives",
        when: When::Asked,
        find: faults,
    },
    Measure {
        name: "simulation",
        keys: &["unloaded_latency", "saturation"],
        about: "cycles that a message takes where there is hardly another, and the highest load at which all that was offered was accepted, flit by flit under uniform traffic by the usual router",
        when: When::Asked,
        find: simulation,
    },
];

// A key that no metric has is not built.
const _: () = {
    let mut row = 0;
    while row < MEASURES.len() {
        let mut at = 0;
        while at < MEASURES[row].keys.len() {
            metric(MEASURES[row].keys[at]);
            at += 1;
        }
        row += 1;
    }
};

/// What a key says: an answer, why there is none, or nothing.
type RowAnswer = Option<Result<Answer, Unanswered>>;

/// Asks one key after the other.
fn each(keys: &[&'static str], ask: impl Fn(&str) -> RowAnswer) -> Vec<Fact> {
    let fact = |&key: &&'static str| ask(key).map(|answer| Fact { key, answer });
    keys.iter().filter_map(fact).collect()
}

fn size(subject: &Analysis<'_>, keys: &[&'static str]) -> Vec<Fact> {
    let order = subject.built.theory.order();
    let degrees = subject.built.theory.degrees();
    each(keys, |key| {
        Some(Ok(match key {
            "nodes" => Answer::Integer(order.clone()),
            "links" => Answer::Integer(degrees.links.clone()),
            "cables" => Answer::Integer(degrees.cables.clone()),
            "width_histogram" => match degrees.links == degrees.cables {
                true => Answer::Degrees([(1, degrees.links.clone())].into()),
                false => match subject.csr() {
                    Ok(csr) => Answer::Degrees(csr.widths()),
                    Err(why) => return Some(Err(why)),
                },
            },
            "degree_histogram" => Answer::Degrees(degrees.counts.clone()?),
            "degree_min" => Answer::Integer(degrees.min.into()),
            "degree_max" => Answer::Integer(degrees.max.into()),
            "degree_mean" => Answer::Number(ratio(&(&degrees.cables * 2u8), &order)),
            "regular" => Answer::Truth(degrees.min == degrees.max),
            _ => return None,
        }))
    })
}

fn structure(subject: &Analysis<'_>, keys: &[&'static str]) -> Vec<Fact> {
    let parts = || Ok(Answer::Integer(components(subject.csr()?).sizes.len().into()));
    let colors = || Ok(Answer::Truth(two_coloring(subject.csr()?).is_some()));
    let cycle = || {
        let found = girth(subject.csr()?, subject.classes(), &subject.limits.budget.watch);
        let found = found?;
        let length = found.ok_or(Unanswered::NoCycle)?;
        Ok(Answer::Integer(length.into()))
    };
    each(keys, |key| {
        Some(match key {
            "components" => parts(),
            "connected" => Ok(Answer::Truth(subject.built.theory.connected())),
            "bipartite" => colors(),
            "girth" => cycle(),
            _ => return None,
        })
    })
}

fn distances(subject: &Analysis<'_>, keys: &[&'static str]) -> Vec<Fact> {
    // The diameter alone is quicker to find.
    let alone = keys.iter().all(|key| ["diameter", "farthest"].contains(key));
    let found = if alone { subject.diameter() } else { subject.distances() };
    let why = || found.why.clone().unwrap_or(Unanswered::NotKnown);
    let connected = subject.built.theory.connected();
    let known = |known: &Option<Bounded>| known.clone().map(Answer::Known).ok_or_else(why);
    let mean = || match (&found.histogram, &found.sampled) {
        (Some((histogram, how)), _) if connected => {
            let (numerator, denominator) = histogram.mean().ok_or(Unanswered::NoPair)?;
            Ok(Answer::Mean { numerator, denominator, how: *how })
        }
        (_, Some(sampled)) if connected => Ok(Answer::Sampled(*sampled)),
        _ => Err(why()),
    };
    let histogram = || match &found.histogram {
        Some((histogram, how)) => {
            Ok(Answer::Histogram { counts: histogram.counts().to_vec(), how: *how })
        }
        None => Err(why()),
    };
    let pair = || {
        let (from, to) = found.farthest?;
        let network = subject.network().ok()?;
        Some(Ok(Answer::Pair([from, to].map(|node| (node, network.address(node))))))
    };
    each(keys, |key| match key {
        "diameter" => Some(known(&found.diameter)),
        "radius" => Some(known(&found.radius)),
        "average_distance" => Some(mean()),
        "distance_histogram" => Some(histogram()),
        "farthest" => pair(),
        _ => None,
    })
}

fn hosts(subject: &Analysis<'_>, keys: &[&'static str]) -> Vec<Fact> {
    // Their number alone needs no distance.
    let found = LazyCell::new(|| subject.between_hosts());
    let why = || found.why.clone().unwrap_or(Unanswered::NotKnown);
    let connected = subject.built.theory.connected();
    let histogram = || found.histogram.as_ref().ok_or_else(why);
    let mean = || {
        let (histogram, how) = histogram()?;
        let (numerator, denominator) = histogram.mean().ok_or(Unanswered::NoHostPair)?;
        Ok(Answer::Mean { numerator, denominator, how: *how })
    };
    let passed = || match mean()? {
        Answer::Mean { numerator, denominator, how } => {
            // Each link but the first begins at a node that is passed.
            let numerator = numerator - &denominator;
            Ok(Answer::Mean { numerator, denominator, how })
        }
        other => Ok(other),
    };
    each(keys, |key| {
        Some(match key {
            "hosts" => Ok(Answer::Integer(subject.built.theory.hosts())),
            "host_diameter" => found.diameter.clone().map(Answer::Known).ok_or_else(why),
            "host_distance_histogram" => histogram().map(|(histogram, how)| Answer::Histogram {
                counts: histogram.counts().to_vec(),
                how: *how,
            }),
            _ if !connected => Err(Unanswered::NotConnected),
            "host_average_distance" => mean(),
            "switches_passed" => passed(),
            _ => return None,
        })
    })
}

fn quality(subject: &Analysis<'_>, keys: &[&'static str]) -> Vec<Fact> {
    let theory = &subject.built.theory;
    let (order, degrees) = (theory.order(), theory.degrees());
    let degree = degrees.max;
    // Only the gap needs all distances, and then the diameter is among them.
    let mean = keys.contains(&"average_distance_gap").then(|| subject.distances());
    let diameter = || {
        let exact = subject.diameter().diameter.as_ref().and_then(Bounded::exact);
        exact.ok_or(Unanswered::NoDiameter)
    };
    let least = || {
        let (sum, pairs) = least_mean_distance(&order, degree)?;
        Some(ratio(&sum, &pairs))
    };
    let by_diameter = |of: &dyn Fn(&BigUint) -> Option<Answer>| match diameter() {
        Ok(diameter) => of(diameter).map(Ok),
        Err(why) => Some(Err(why)),
    };
    let bound = || match moore_bound(degree, diameter()?) {
        Some(bound) => Ok(Answer::Integer(bound)),
        None => Err(Unanswered::TooManyDigits),
    };
    each(keys, |key| match key {
        "moore_bound" => Some(bound()),
        "moore_efficiency" => {
            by_diameter(&|diameter| moore_efficiency(&order, degree, diameter).map(Answer::Number))
        }
        "average_distance_bound" => Some(Ok(Answer::Number(least()?))),
        "average_distance_gap" => {
            let histogram = mean?.histogram.as_ref().filter(|_| theory.connected());
            let (numerator, denominator) = histogram.and_then(|(all, _)| all.mean())?;
            Some(Ok(Answer::Number(ratio(&numerator, &denominator) - least()?)))
        }
        "cost" => by_diameter(&|diameter| Some(Answer::Integer(cost(degree, diameter)))),
        "cr" => by_diameter(&|diameter| cost_ratio(&order, degree, diameter).map(Answer::Number)),
        "links_per_node" => Some(Ok(Answer::Number(ratio(&degrees.links, &order)))),
        _ => None,
    })
}

fn exactly(value: u32, how: How) -> Answer {
    Answer::Known(Bounded::theorem(value).by(how))
}

fn connectivity(subject: &Analysis<'_>, keys: &[&'static str]) -> Vec<Fact> {
    let watch = &subject.limits.budget.watch;
    let nodes = LazyCell::new(|| {
        let found = vertex_connectivity(subject.csr()?, subject.classes(), watch);
        Ok::<_, Unanswered>(found?)
    });
    let links = || {
        let found = edge_connectivity(subject.csr()?, subject.classes(), watch);
        Ok::<_, Unanswered>(found?)
    };
    let has_switches = subject.built.theory.hosts() < subject.built.theory.order();
    // Where a host has several links, the switches without it may have no path between them.
    let of_switches = || match subject.fabric() {
        Ok(fabric) if !fabric.has_host_links() => None,
        Ok(fabric) => Some(edge_connectivity(&fabric.csr, None, watch).map_err(Unanswered::from)),
        Err(why) => Some(Err(why)),
    };
    each(keys, |key| {
        let nodes = || nodes.as_ref().map_err(Unanswered::clone);
        Some(match key {
            "vertex_connectivity" => nodes().map(|nodes| exactly(nodes.value, nodes.how)),
            "edge_connectivity" => links().map(|links| exactly(links.value, links.how)),
            "switch_edge_connectivity" if has_switches => {
                of_switches()?.map(|links| exactly(links.value, links.how))
            }
            "maximally_fault_tolerant" => nodes().map(|nodes| Answer::Truth(nodes.maximal)),
            _ => return None,
        })
    })
}

fn symmetries(subject: &Analysis<'_>, keys: &[&'static str]) -> Vec<Fact> {
    let found = subject.csr().and_then(|csr| Ok(symmetry(csr, &subject.limits.budget.watch)?));
    each(keys, |key| {
        let found = match &found {
            Ok(found) => found,
            Err(why) => return Some(Err(why.clone())),
        };
        Some(Ok(match key {
            "vertex_orbits" => Answer::Integer(found.nodes.count.into()),
            "edge_orbits" => Answer::Integer(found.edge_orbits.into()),
            "automorphisms" => Answer::Integer(found.automorphisms.clone()),
            "vertex_transitive" => Answer::Truth(found.vertex_transitive()),
            "edge_transitive" => Answer::Truth(found.edge_transitive()),
            _ => return None,
        }))
    })
}

fn load(subject: &Analysis<'_>, keys: &[&'static str]) -> Vec<Fact> {
    let loads = LazyCell::new(|| find_load(subject));
    each(keys, |key| {
        let loads = || loads.as_ref().map_err(Unanswered::clone);
        match key {
            "channel_load" => Some(loads().map(|(found, how)| Answer::Load {
                max: found.max,
                mean: found.mean,
                ratio: found.ratio(),
                how: *how,
            })),
            // Switches are no senders.
            "throughput" if !subject.is_all_hosts() => {
                let found = uniform(subject.built, &subject.limits.budget).ok()?;
                Some(Ok(Answer::Number(found.value)))
            }
            "throughput" => Some(Ok(Answer::Number(loads().ok()?.0.throughput()?))),
            "forwarding_index" => Some(find_forwarding(subject)),
            _ => None,
        }
    })
}

/// Brandes from every node, or from one of each class where the network declares automorphisms.
fn find_load(subject: &Analysis<'_>) -> Result<(ChannelLoad, How), Unanswered> {
    let (csr, watch) = (subject.csr()?, &subject.limits.budget.watch);
    let generators = match subject.limits.how {
        Some(How::Exhaustive) => Vec::new(),
        _ => subject.network()?.automorphisms(),
    };
    let orbits = orbits_of(subject.order(), &generators);
    match orbits.filter(|orbits| orbits.len() as u64 <= subject.order() / 4) {
        Some(orbits) => {
            let channels = channel_classes(csr, &generators).ok_or(Unanswered::BadAutomorphism)?;
            let found = channel_load_by_classes(csr, &orbits, &channels, watch);
            Ok((found?, How::Symmetry))
        }
        None => {
            let passes = u128::from(subject.order());
            subject.affords(passes.saturating_mul(subject.links().saturating_mul(4)))?;
            let found = channel_load(csr, watch)?;
            Ok((found, How::Exhaustive))
        }
    }
}

fn find_forwarding(subject: &Analysis<'_>) -> Result<Answer, Unanswered> {
    const NODES: u64 = 1 << 13;
    const LINKS: u128 = 1 << 16;
    if !walks(subject, NODES, LINKS) {
        return Err(Unanswered::TooLarge { nodes: NODES, links: LINKS });
    }
    let bounds = forwarding(subject.csr()?, &subject.limits.budget.watch);
    let bounds = bounds?;
    Ok(Answer::Known(Bounded::between(bounds.low, bounds.high).by(How::Exhaustive)))
}

fn spectra(subject: &Analysis<'_>, keys: &[&'static str]) -> Vec<Fact> {
    let watch = &subject.limits.budget.watch;
    let second_least = LazyCell::new(|| {
        let found = lambda2(subject.csr()?, watch)?;
        Ok::<f64, Unanswered>(found.ok_or(Unanswered::NoPair)?.value)
    });
    let gap = || {
        // Where all degrees are equal the two are the same number.
        if subject.built.theory.degrees().regular_degree().is_some() {
            return LazyCell::force(&second_least).clone();
        }
        let found = spectral_gap(subject.csr()?, watch)?;
        found.ok_or(Unanswered::NoPair)
    };
    each(keys, |key| {
        let value = match key {
            "lambda2" => LazyCell::force(&second_least).clone(),
            "spectral_gap" => gap(),
            _ => return None,
        };
        Some(value.map(Answer::Number))
    })
}

fn bisection_width(subject: &Analysis<'_>, keys: &[&'static str]) -> Vec<Fact> {
    let find = || {
        let found = find_bisection(subject, subject.csr()?);
        let how = format!("{}..{}", low_by(found.low_by), high_by(found.high_by));
        let how = if found.low == found.high { low_by(found.low_by).to_owned() } else { how };
        Ok(Answer::Bounds { low: found.low, high: found.high, how })
    };
    each(keys, |_| Some(find()))
}

/// Steps for the proof that a cut of the base is the least.
const BASE_PROOF_STEPS: u64 = 100_000_000;

/// The bounds with their certificates, from all that is known of the network.
///
/// Proofs go as far as the subject lets them; when they end before the bounds meet, those reached so far are the answer.
pub fn find_bisection(subject: &Analysis<'_>, csr: &nestnet_graph::Csr) -> bisection::Bisection {
    let watch = &subject.limits.budget.watch;
    let mut given = natural_sides(subject.order());
    let (load, spectrum) = (own_load(subject), own_spectrum(subject, csr));
    given.extend(spectrum.as_ref().and_then(|spectrum| spectrum.side()));
    let (mut max_load, mut lambda2) = (load, spectrum.map(|found| found.lambda2_at_least()));
    let mut lifted = None;
    // What follows from the base; of a large network it is all that is known.
    if let Some((lifting, base)) = subject.built.cut_lifting() {
        // Of its bisection only the cut is used, not the proof.
        let base = Analysis::new(base, subject.limits).proving_within(BASE_PROOF_STEPS);
        if let Ok(csr) = base.csr() {
            lifted = lifting.lift(&find_bisection(&base, csr).side);
            let (least_load, least_lambda2) = inherited(&base, csr);
            max_load = max_load.or(least_load.map(|load| lifting.load(load)));
            lambda2 = lambda2.or(least_lambda2.map(|value| lifting.lambda2(value)));
        }
    }
    let well_given = lifted.is_some();
    given.extend(lifted);
    let memory = subject.limits.budget.memory / 4;
    let search = Search {
        given: &given,
        well_given,
        lambda2,
        max_load,
        max_memory: memory.min(2 << 30),
        max_steps: subject.proof_steps(),
        closing: subject.closing(),
        ..Search::default()
    };
    bisection(csr, &search, watch)
}

/// The largest channel load, where it is found in a moment.
fn own_load(subject: &Analysis<'_>) -> Option<f64> {
    let quick = walks(subject, 1 << 13, 1 << 16);
    quick.then(|| find_load(subject).ok()).flatten().map(|(load, _)| load.max)
}

fn own_spectrum(subject: &Analysis<'_>, csr: &nestnet_graph::Csr) -> Option<Spectrum> {
    let quick = walks(subject, 1 << 16, 1 << 19);
    quick.then(|| spectrum(csr, &subject.limits.budget.watch).ok()).flatten().flatten()
}

/// The largest channel load and a bound on λ₂: its own, or what follows from those of its base.
fn inherited(subject: &Analysis<'_>, csr: &nestnet_graph::Csr) -> (Option<f64>, Option<f64>) {
    let load = own_load(subject);
    let lambda2 = own_spectrum(subject, csr).map(|found| found.lambda2_at_least());
    let below = subject.built.cut_lifting().filter(|_| load.is_none() || lambda2.is_none());
    let Some((lifting, base)) = below else { return (load, lambda2) };
    let base = Analysis::new(base, subject.limits);
    let Ok(csr) = base.csr() else { return (load, lambda2) };
    let (least_load, least_lambda2) = inherited(&base, csr);
    let load = load.or(least_load.map(|load| lifting.load(load)));
    (load, lambda2.or(least_lambda2.map(|value| lifting.lambda2(value))))
}

/// Cuts that ids suggest: the lower half, which is a cut at the top level, and every second, fourth … run of nodes,
/// which is one across each register.
pub fn natural_sides(order: u64) -> Vec<Vec<bool>> {
    let runs = std::iter::successors(Some(order.div_ceil(2)), |&run| (run > 1).then_some(run / 2));
    runs.map(|run| (0..order).map(|at| (at / run).is_multiple_of(2)).collect()).collect()
}

/// A balanced cut that was checked, as it is shown.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Cut {
    /// No division into equal parts cuts fewer links.
    pub low: u64,
    /// How that is known.
    pub low_by: &'static str,
    /// The division that was found cuts so many.
    pub high: u64,
    /// How it was found.
    pub high_by: &'static str,
    /// The nodes on both sides.
    pub sizes: [usize; 2],
    /// Whether the cut was counted again.
    pub checked: bool,
    /// Whether more time gives no better answer.
    pub finished: bool,
    /// The nodes of one side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<Vec<usize>>,
}

impl Cut {
    /// The bounds and the side of a bisection that was checked.
    pub fn of(found: &Bisection, finished: bool) -> Self {
        let side: Vec<usize> = (0..found.side.len()).filter(|&at| found.side[at]).collect();
        Cut {
            low: found.low,
            low_by: low_by(found.low_by),
            high: found.high,
            high_by: high_by(found.high_by),
            sizes: [side.len(), found.side.len() - side.len()],
            checked: true,
            finished,
            side: Some(side),
        }
    }
}

/// Why there is no cut.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum CutError {
    /// The network cannot be written out.
    #[error(transparent)]
    Unanswered(#[from] Unanswered),
    /// The side is not what it is said to be.
    #[error("the side that was found does not cut {links} links into equal parts")]
    NotChecked {
        /// What was said of it.
        links: u64,
    },
}

/// A bisection with few links, as far as the subject lets proofs go; the links across it are counted again one by one.
///
/// ```
/// use nestnet_analysis::measures::{Analysis, Limits, cut};
///
/// let built = nestnet_topologies::build("rdn(ring(3), 1)")?;
/// let found = cut(&Analysis::new(&built, Limits::default()).proving_all())?;
/// assert_eq!((found.low, found.high, found.sizes), (5, 5, [9, 9]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn cut(subject: &Analysis<'_>) -> Result<Cut, CutError> {
    let csr = subject.csr()?;
    let found = find_bisection(subject, csr);
    // Bounds that meet are final, whenever they were found.
    let stopped = found.low < found.high && (subject.limits.budget.watch.stop)();
    let checked = check_cut(csr, &found.side);
    if checked.is_none_or(|cut| cut.links != found.high || !cut.balanced) {
        return Err(CutError::NotChecked { links: found.high });
    }
    Ok(Cut::of(&found, !stopped))
}

/// Where a lower bound comes from, in a word.
pub fn low_by(by: LowBy) -> &'static str {
    match by {
        LowBy::Nothing => "counting",
        LowBy::Spectrum => "spectrum",
        LowBy::Congestion => "congestion",
        LowBy::Relaxation => "semidefinite relaxation",
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

fn faults(subject: &Analysis<'_>, keys: &[&'static str]) -> Vec<Fact> {
    let find = || {
        let (csr, watch) = (subject.csr()?, &subject.limits.budget.watch);
        let failing = vertex_connectivity(csr, subject.classes(), watch);
        let failing = failing?.value.saturating_sub(1);
        // The steps of this search are shorter than those of others, but a set of failures may be many of them.
        let limit = u64::try_from(subject.limits.budget.steps / 64).unwrap_or(u64::MAX);
        let found = fault_diameter(csr, failing, subject.classes(), limit, watch);
        let found = found?;
        let value = found.value.ok_or(Unanswered::NotConnected)?;
        Ok(exactly(value, How::Exhaustive))
    };
    each(keys, |_| Some(find()))
}

fn simulation(subject: &Analysis<'_>, keys: &[&'static str]) -> Vec<Fact> {
    let curve = LazyCell::new(|| under_load(subject, None, RunLength::USUAL));
    each(keys, |key| {
        let curve = match &*curve {
            Ok(curve) => curve,
            Err(why) => return Some(Err(why.clone())),
        };
        Some(match key {
            "unloaded_latency" => {
                let first = curve.points.first().filter(|point| point.packets > 0);
                first.map(|point| Answer::Number(point.packet_latency.mean)).ok_or(Unanswered::None)
            }
            _ => curve.saturation.map(Answer::Number).ok_or(Unanswered::None),
        })
    })
}
