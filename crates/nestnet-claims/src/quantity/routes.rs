//! Quantities of routes: hops, virtual channels, deadlock, disjoint paths.

use super::error::QuantityError;
use super::row::Takes::{Network as N, Node as V, Number as I, Word as W};
use super::row::{Given, Quantity, spelled};
use super::shape::ids;
use crate::{Lab, Value};
use nestnet_analysis::routers;
use nestnet_analysis::routing_survey::{NO_ROUTE, Outcome, PrintedReport, follow};
use nestnet_graph::Node;
use nestnet_routing::Router;
use nestnet_routing::route::deadlock::{self, certify};
use nestnet_routing::route::{
    Against, Ending, Faults, Proof, Survey, VcLimited, Walk, disjoint_paths, disjoint_paths_up_to,
    survey, walk,
};
use nestnet_topologies::family::built::AS_PRINTED;
use std::sync::Arc;

/// The rows of this file.
pub const ROWS: &[Quantity] = &[
    Quantity::new("hops", &[N, W, V, V], hops, "hops of a route")
        .shown_by("nestnet route '{0}' '{2}' '{3}' --router {1}"),
    Quantity::new("path", &[N, W, V, V], path, "the nodes of a route by id")
        .shown_by("nestnet route '{0}' '{2}' '{3}' --router {1}"),
    Quantity::new("longest_route", &[N, W], longest_route, "hops of the longest route")
        .shown_by("nestnet routing '{0}' --router {1}"),
    Quantity::new("mean_route", &[N, W], mean_route, "hops of a route on average")
        .shown_by("nestnet routing '{0}' --router {1}"),
    Quantity::new("stretch", &[N, W], stretch, "the largest ratio of hops to distance")
        .shown_by("nestnet routing '{0}' --router {1}"),
    Quantity::new("all_arrive", &[N, W], all_arrive, "whether every message arrives")
        .shown_by("nestnet routing '{0}' --router {1}"),
    Quantity::new("vcs", &[N, W], vcs, "virtual channels of a router")
        .shown_by("nestnet deadlock '{0}' --router {1}"),
    Quantity::new(
        "deadlock_free",
        &[N, W],
        deadlock_free,
        "whether the routing is free of deadlock",
    )
    .shown_by("nestnet deadlock '{0}' --router {1}"),
    Quantity::new(
        "deadlock_free_with",
        &[N, W, I],
        deadlock_free_with,
        "the same with so many virtual channels",
    )
    .shown_by("nestnet deadlock '{0}' --router {1} --vcs {2}"),
    Quantity::new("disjoint_paths", &[N, V, V], disjoint, "paths that share no other node")
        .shown_by("nestnet paths '{0}' '{1}' '{2}'"),
    Quantity::new(
        "shortest_cycle",
        &[N, V, V],
        shortest_cycle,
        "links of the shortest cycle through two nodes",
    )
    .shown_by("nestnet paths '{0}' '{1}' '{2}'"),
    Quantity::new(
        "pairs_arriving",
        &[N, W],
        pairs_arriving,
        "ordered pairs of nodes between which a routing as its text has it delivers",
    ),
    Quantity::new(
        "pairs_ending",
        &[N, W],
        pairs_ending,
        "ordered pairs of nodes between which a routing as its text has it comes to an end, wherever that is",
    ),
    Quantity::new(
        "longest_trace",
        &[N, W],
        longest_trace,
        "hops of the longest route, as the text of a routing has it, that comes to an end",
    ),
    Quantity::new("choices", &[N, W], choices, "ways in which a router can start a route")
        .shown_by("nestnet routing '{0}' --router {1}"),
    Quantity::new("hops_by", &[N, W, I, V, V], hops_by, "hops of a route with a numbered choice")
        .shown_by("nestnet route '{0}' '{3}' '{4}' --router {1} --choice {2}"),
    Quantity::new(
        "state_bytes",
        &[N, W],
        state_bytes,
        "bytes of tables that each node must hold for a router",
    )
    .shown_by("nestnet routing '{0}' --router {1}"),
];

fn router(lab: &Lab<'_>, given: &[Given]) -> Result<Arc<dyn Router>, QuantityError> {
    let (sample, name) = (given[0].sample()?, given[1].word()?);
    let router = routers::find_within(&sample.built, &spelled(name), lab.budget());
    router.map_err(QuantityError::from)
}

fn walked(
    lab: &Lab<'_>,
    given: &[Given],
    ends: &[Given],
    choice: u64,
) -> Result<Walk, QuantityError> {
    /// A route that is longer does not end.
    const MAX_HOPS: u64 = 100_000;
    let network = given[0].sample()?.network()?;
    let (from, to) = (ends[0].node()?, ends[1].node()?);
    let walked = walk(network, &*router(lab, given)?, from, to, choice, MAX_HOPS);
    walked.map_err(QuantityError::from)
}

/// The name of a text: `printed` is the one to the letter, and a word of a formula has no hyphens.
pub(super) fn text_name(word: &str) -> String {
    match word {
        "printed" => AS_PRINTED.to_owned(),
        word => word.replace('_', "-"),
    }
}

/// How the messages of all ordered pairs end by a text.
fn printed(lab: &Lab<'_>, given: &[Given]) -> Result<PrintedReport, QuantityError> {
    let (sample, name) = (given[0].sample()?, text_name(given[1].word()?));
    let text = sample.built.procedure(&name).ok_or(QuantityError::NoRoute)?;
    Ok(follow(sample.network()?, &*text, &name, lab.budget())?)
}

fn pairs_arriving(lab: &Lab<'_>, given: &[Given]) -> Result<Value, QuantityError> {
    Ok(printed(lab, given)?.arrived.into())
}

fn pairs_ending(lab: &Lab<'_>, given: &[Given]) -> Result<Value, QuantityError> {
    let without_end = [Ending::Endless.words(), NO_ROUTE];
    let ends = |outcome: &&Outcome| !without_end.contains(&outcome.outcome);
    let report = printed(lab, given)?;
    let ending: u64 = report.outcomes.iter().filter(ends).map(|outcome| outcome.pairs).sum();
    Ok(ending.into())
}

/// The most hops of a route that ends, wherever it does.
fn longest_trace(_: &Lab<'_>, given: &[Given]) -> Result<Value, QuantityError> {
    let (sample, name) = (given[0].sample()?, text_name(given[1].word()?));
    let network = sample.network()?;
    let text = sample.built.procedure(&name).ok_or(QuantityError::NoRoute)?;
    let mut longest = 0;
    for from in (0..network.order()).map(Node) {
        for to in (0..network.order()).map(Node).filter(|&to| to != from) {
            let trace = text.trace(from, to).filter(|trace| trace.ending != Ending::Endless);
            let hops = trace.map_or(0, |trace| trace.nodes.len().saturating_sub(1));
            longest = longest.max(hops as u64);
        }
    }
    Ok(longest.into())
}

fn hops(lab: &Lab<'_>, given: &[Given]) -> Result<Value, QuantityError> {
    Ok((walked(lab, given, &given[2..], 0)?.hops.len() as u64).into())
}

fn path(lab: &Lab<'_>, given: &[Given]) -> Result<Value, QuantityError> {
    Ok(ids(&walked(lab, given, &given[2..], 0)?.nodes))
}

fn choices(lab: &Lab<'_>, given: &[Given]) -> Result<Value, QuantityError> {
    Ok(router(lab, given)?.choices().into())
}

fn hops_by(lab: &Lab<'_>, given: &[Given]) -> Result<Value, QuantityError> {
    let (choice, choices) = (given[2].number()?, router(lab, given)?.choices());
    if choice >= choices {
        return Err(QuantityError::NoChoice { last: choices - 1 });
    }
    Ok((walked(lab, given, &given[3..], choice)?.hops.len() as u64).into())
}

fn state_bytes(lab: &Lab<'_>, given: &[Given]) -> Result<Value, QuantityError> {
    Ok(router(lab, given)?.state_bytes().into())
}

fn surveyed(lab: &Lab<'_>, given: &[Given]) -> Result<Survey, QuantityError> {
    let network = given[0].sample()?.network()?;
    let found = survey(network, &*router(lab, given)?, &Faults::default(), lab.budget());
    found.map_err(QuantityError::from)
}

fn longest_route(lab: &Lab<'_>, given: &[Given]) -> Result<Value, QuantityError> {
    surveyed(lab, given)?.max_hops().map(Value::from).ok_or(QuantityError::NoRoute)
}

fn mean_route(lab: &Lab<'_>, given: &[Given]) -> Result<Value, QuantityError> {
    surveyed(lab, given)?.mean_hops().map(Value::Real).ok_or(QuantityError::NoRoute)
}

fn stretch(lab: &Lab<'_>, given: &[Given]) -> Result<Value, QuantityError> {
    let stretch = surveyed(lab, given)?.max_stretch(Against::Alive);
    stretch.map(Value::Real).ok_or(QuantityError::NoRoute)
}

fn all_arrive(lab: &Lab<'_>, given: &[Given]) -> Result<Value, QuantityError> {
    let found = surveyed(lab, given)?;
    Ok((found.arrived == found.pairs && found.failure.is_none()).into())
}

fn vcs(lab: &Lab<'_>, given: &[Given]) -> Result<Value, QuantityError> {
    Ok(u64::from(router(lab, given)?.vcs()).into())
}

fn certified(lab: &Lab<'_>, given: &[Given], router: &dyn Router) -> Result<Value, QuantityError> {
    let network = given[0].sample()?.network()?;
    let certificate = certify(network, router, lab.budget())?;
    let checked = deadlock::check(network, router, &certificate, lab.budget());
    checked?;
    Ok(certificate.is_free().into())
}

fn deadlock_free(lab: &Lab<'_>, given: &[Given]) -> Result<Value, QuantityError> {
    certified(lab, given, &*router(lab, given)?)
}

fn deadlock_free_with(lab: &Lab<'_>, given: &[Given]) -> Result<Value, QuantityError> {
    let vcs = given[2].number()?;
    let vcs = u16::try_from(vcs).ok().filter(|&vcs| vcs > 0);
    let vcs = vcs.ok_or(QuantityError::NoChannels)?;
    certified(lab, given, &VcLimited::new(router(lab, given)?, vcs))
}

/// So many places are looked at.
const BUDGET: u64 = 10_000_000;

fn disjoint(lab: &Lab<'_>, given: &[Given]) -> Result<Value, QuantityError> {
    let network = given[0].sample()?.network()?;
    let (from, to) = (given[1].node()?, given[2].node()?);
    let found = disjoint_paths(network, from, to, BUDGET, &lab.budget().watch);
    let found = found?;
    let count = found.paths.len() as u64;
    let most = if found.proof == Proof::Open { found.bound } else { count };
    Ok(Value::between(count, most))
}

fn shortest_cycle(lab: &Lab<'_>, given: &[Given]) -> Result<Value, QuantityError> {
    let network = given[0].sample()?.network()?;
    let (from, to) = (given[1].node()?, given[2].node()?);
    let found = disjoint_paths_up_to(2, network, from, to, BUDGET, &lab.budget().watch);
    let found = found?;
    let hops: usize = found.paths.iter().map(|path| path.len() - 1).sum();
    match (found.paths.len(), found.shortest) {
        (2, true) => Ok((hops as u64).into()),
        (2, false) => Err(QuantityError::NotShortest),
        _ => Err(QuantityError::NoCycle),
    }
}
