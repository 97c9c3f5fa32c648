//! Which network for so many nodes, each a host with its router?
//!
//! What theory leaves open of a candidate is measured, at first from two of its nodes alone. Where more may be on the Pareto
//! front than can be measured, the worst bounds of the rest count.

use super::advice::recommended;
use super::candidate::Topology;
use super::confirm::confirm_on_chip;
use super::cost::Cost;
use super::pareto::{self, Keys, Seen};
use super::question::MOST_NODES;
use super::search::{
    Candidate, Enumerated, Further, Kind, Most, Narrowed, Settled, Stage, enumerate, judge, settle,
};
use super::space::Space;
use super::{Design, DesignError, Objective, Origin, Question, Relaxed, Row, names};
use crate::carried::{Depth, Routed, of_nodes};
use nestnet_analysis::figures::{
    Extent, Figures, Range, Routing, counted, routing, routing_by_rule, with_extent,
};
use nestnet_analysis::measures::Limits;
use nestnet_graph::job::Shard;
use nestnet_graph::measure::Interrupted;
use nestnet_graph::{Budget, How};
use nestnet_topologies::build::{Context, build_with};
use nestnet_topologies::family::reference::on_chip;
use nestnet_topologies::spec::Spec;
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use rayon::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The most row operations that measuring one network may take.
const MAX_STEPS: u128 = 200_000_000;

/// Larger networks are not measured.
const MAX_MEASURED: u64 = 1 << 13;

/// So many nodes are measured in all.
const MOST_IN_ALL: usize = 1 << 25;

/// The most row operations that measuring all of them may take.
const MOST_STEPS_IN_ALL: u128 = 1 << 33;

/// So many networks are measured before it is seen what they dominate.
const MEASURED_AT_ONCE: usize = 1 << 8;

/// What is known of a network.
#[derive(Clone)]
pub(super) struct Numbers {
    figures: Figures,
    cost: Cost,
    /// Of a chip, its routing.
    routed: Option<Routed>,
}

type Fit = Candidate<Numbers>;

/// What a search for nodes goes by.
struct Nodes<'a> {
    question: &'a Question,
    context: &'a Context<'a>,
    wanted: BigUint,
    /// How much counts: more than distances is said by no theory.
    asked: Extent,
}

/// Finds the networks that are Pareto-optimal.
///
/// ```
/// use nestnet::design::{Question, design};
/// use nestnet::Budget;
///
/// let question = Question { max_degree: Some(4), depth: 1, ..Question::new(100) };
/// let answer = design(&question, &Budget::default()).unwrap();
/// assert!(answer.front.iter().all(|row| row.figures.degree <= 4));
/// ```
pub fn design(question: &Question, budget: &Budget<'_>) -> Result<Design, DesignError> {
    design_watched(question, budget, &|_| ())
}

/// The same as [`design`]; `seen` is called again and again with what is Pareto-optimal of what was measured so far.
///
/// ```
/// use nestnet::design::{Question, design_watched};
/// use nestnet::Budget;
/// use std::cell::Cell;
///
/// let most = Cell::new(0);
/// let question = Question { max_degree: Some(4), depth: 1, ..Question::new(100) };
/// design_watched(&question, &Budget::default(), &|rows| most.set(most.get().max(rows().len()))).unwrap();
/// assert!(most.get() > 0);
/// ```
pub fn design_watched(
    question: &Question,
    budget: &Budget<'_>,
    seen: Seen<'_, Row>,
) -> Result<Design, DesignError> {
    check(question)?;
    let found = search(question, budget, seen);
    // Nothing is no answer.
    if !found.finished && found.front.is_empty() {
        return Err(Interrupted.into());
    }
    or_relaxed(found, question, budget)
}

/// What one shard of [`design`] finds; [`design_of`] joins the parts.
pub fn design_part(
    question: &Question,
    shard: Shard,
    budget: &Budget<'_>,
) -> Result<Narrowed, DesignError> {
    check(question)?;
    let context = Context { budget: *budget, ..Context::ALONE };
    let kind = Nodes::new(question, &context);
    let Enumerated { counted, fits, .. } = enumerate(&kind, shard);
    let settled = settle(&kind, fits, &|_| ());
    // A part that is not whole is none.
    budget.check()?;
    let unmeasured = settled.unmeasured;
    let specs = finalists(settled).iter().map(|fit| fit.spec().to_string()).collect();
    Ok(Narrowed { unmeasured, specs, ..counted })
}

/// What the parts of all shards say together: what [`design`] says, unless some were too many to measure, of which
/// shards measure more.
pub fn design_of(
    question: &Question,
    parts: Vec<Narrowed>,
    budget: &Budget<'_>,
) -> Result<Design, DesignError> {
    check(question)?;
    let context = Context { budget: *budget, ..Context::ALONE };
    let kind = Nodes::new(question, &context);
    let (mut counted, mut made, mut all) = (Narrowed::default(), Vec::new(), Vec::new());
    for part in parts {
        counted = counted.plus(&part).ok_or(DesignError::NoParts)?;
        for text in &part.specs {
            let spec = Spec::parse(text).ok();
            match spec.and_then(|spec| Topology::of(&spec, &context)) {
                Some(one) if kind.fits(&one, None) => made.push((Arc::new(one), None)),
                _ => return Err(DesignError::NoParts),
            }
        }
    }
    judge(&kind, made, &mut all)?;
    or_relaxed(kind.finish(settle(&kind, all, &|_| ()), counted), question, budget)
}

/// What is found of a question that is sound.
fn search(question: &Question, budget: &Budget<'_>, seen: Seen<'_, Row>) -> Design {
    let context = Context { budget: *budget, ..Context::ALONE };
    let kind = Nodes::new(question, &context);
    let Enumerated { counted, fits, finished } = enumerate(&kind, Shard::WHOLE);
    let settled = settle(&kind, fits, seen);
    kind.finish(Settled { finished: settled.finished && finished, ..settled }, counted)
}

fn or_relaxed(
    found: Design,
    question: &Question,
    budget: &Budget<'_>,
) -> Result<Design, DesignError> {
    let relaxed = match found.front.is_empty() && found.finished {
        true => Some(relax(question, budget)?),
        false => None,
    };
    Ok(Design { relaxed, ..found })
}

fn check(question: &Question) -> Result<(), DesignError> {
    if !(1..=MOST_NODES).contains(&question.nodes) {
        return Err(DesignError::Nodes(question.nodes));
    }
    if question.objectives.is_empty() {
        return Err(DesignError::NoObjective);
    }
    names::check(question.tolerance, &question.families, None)
}

/// Degrees are doubled up to this one.
const MOST_DEGREE: u64 = 64;

/// Which limit must give, and by how much, where nothing fits: each limit alone, the others as they were.
fn relax(question: &Question, budget: &Budget<'_>) -> Result<Relaxed, Interrupted> {
    let ask = |objective, change: &dyn Fn(&mut Question)| -> Result<Design, Interrupted> {
        let mut changed = Question { objectives: vec![objective], ..question.clone() };
        change(&mut changed);
        let found = search(&changed, budget, &|_| ());
        budget.check()?;
        Ok(found)
    };
    let mut relaxed = Relaxed::default();
    // The one row of a single objective is the best there is.
    if question.max_diameter.is_some() {
        let found = ask(Objective::Diameter, &|question| question.max_diameter = None)?;
        let high = found.front.first().and_then(|row| row.figures.diameter.as_ref()?.high.to_u64());
        relaxed.max_diameter = high;
    }
    if let Some(degree) = question.max_degree {
        let mut most = degree.saturating_mul(2).max(3);
        while relaxed.max_degree.is_none() && most <= MOST_DEGREE.max(degree.saturating_mul(2)) {
            let found = ask(Objective::Degree, &|question| question.max_degree = Some(most))?;
            relaxed.max_degree = found.front.first().map(|row| row.figures.degree);
            most = most.saturating_mul(2);
        }
    }
    let mut tolerance = question.tolerance;
    while relaxed.tolerance.is_none() && tolerance < 0.9 {
        tolerance = (tolerance * 2.0).clamp(0.02, 0.9);
        let found = ask(Objective::Match, &|question| question.tolerance = tolerance)?;
        relaxed.tolerance = found.front.first().and_then(|row| {
            let hosts = row.figures.hosts.to_f64()?;
            let wanted = question.nodes.to_f64()?;
            // Rounded up to a tenth of a percent, so that it is enough.
            Some((((hosts - wanted).abs() / wanted) * 1000.0).ceil() / 1000.0)
        });
    }
    Ok(relaxed)
}

/// Those that none of what was measured dominates, of equals all.
fn finalists(settled: Settled<Numbers>) -> Vec<Fit> {
    // Where it was stopped, only what is known counts.
    let open = if settled.finished { settled.open } else { Vec::new() };
    pareto::guaranteed_of(settled.known.into_iter().chain(open).collect())
}

impl Kind for Nodes<'_> {
    type Facts = Numbers;
    type Row = Row;

    fn context(&self) -> &Context<'_> {
        self.context
    }

    fn spaces(&self) -> Vec<(Space<'_>, Option<u64>)> {
        let question @ Question { nodes, depth, max_base, .. } = self.question;
        let sizes = question.sizes();
        let space = Space {
            nodes: *nodes,
            max_degree: question.max_degree.unwrap_or(u64::MAX),
            max_frame: question.largest_frame(),
            max_nested_frame: question.largest_nested_frame(),
            ..Space::new(self.context, &question.families, sizes, *depth, *max_base)
        };
        vec![(space, None)]
    }

    fn fits(&self, made: &Topology, _: Option<u64>) -> bool {
        let theory = &made.built.theory;
        let hosts = theory.hosts().to_u128();
        // On a chip a router is at its tile: switches between the tiles would have no place and no price.
        let has_place = self.question.tiles.is_none() || theory.hosts() == theory.order();
        has_place
            && hosts.is_some_and(|hosts| self.question.sizes().contains(&hosts))
            && self.question.max_degree.is_none_or(|most| made.degree <= most)
            && theory.connected()
    }

    fn judge(&self, made: Arc<Topology>, _: Option<u64>, best: &[Vec<f64>]) -> Option<Fit> {
        // Most are never shown, and need no name.
        let nameless = Spec::new(made.family().name, []);
        // Most are dominated whatever their mean distance is, which takes longest to find.
        let at_once = counted(nameless, &made.built).with_proven_diameter(&made.built);
        let all_hosts = at_once.hosts == at_once.nodes;
        if all_hosts && pareto::is_beaten(&self.keys(&at_once, &Cost::default()), best) {
            return None;
        }
        let theorem = self.limits(Some(How::Theorem));
        let mut figures = at_once.extended(&made.built, theorem, Extent::Distances);
        let small = figures.nodes <= MAX_MEASURED.into();
        if self.asked == Extent::Routes {
            let spec = made.spec();
            let built = build_with(&spec, &spec.to_string(), self.context);
            figures.routing = built.ok().and_then(|built| routing_by_rule(&built));
        }
        let vcs = figures.routing.as_ref().map(|routing| routing.vcs);
        let limit = self.question.max_vcs;
        let few = limit.is_none_or(|most| vcs.is_some_and(|vcs| vcs <= most));
        // A bound counts where nothing more will be known.
        let most = self.question.max_diameter.map(BigUint::from);
        let within = |end: &BigUint| most.as_ref().is_none_or(|most| end <= most);
        let certain = figures.diameter.as_ref().is_some_and(|diameter| within(&diameter.high));
        let possible = figures.diameter.as_ref().is_none_or(|diameter| within(&diameter.low));
        if !(if small { possible } else { certain && (few || self.asked == Extent::All) }) {
            return None;
        }
        let cost = Cost::default();
        let keys = self.keys(&figures, &cost);
        let exact = keys.iter().all(|range| range.low == range.high);
        let open = self.asked == Extent::All || (small && !(exact && certain && few));
        let stage = if open { Stage::Proven } else { Stage::Known };
        Some(Fit::new(made, None, stage, keys, Numbers { figures, cost, routed: None }))
    }

    fn most(&self) -> Most {
        let nodes = usize::try_from(*self.question.sizes().end()).unwrap_or(usize::MAX);
        let measured = (MOST_IN_ALL / nodes).max(1 << 8);
        let steps = MOST_STEPS_IN_ALL;
        Most { at_once: MEASURED_AT_ONCE, glimpsed: usize::MAX, measured, steps }
    }

    /// How many are better in each number, together.
    fn promise(&self, all: &[Fit]) -> Box<dyn Fn(&Keys) -> f64> {
        let in_order = |key: usize| {
            let mut all: Vec<f64> = all.iter().map(|fit| fit.keys[key].low).collect();
            all.sort_by(f64::total_cmp);
            all
        };
        let sorted: Vec<Vec<f64>> = (0..self.question.objectives.len()).map(in_order).collect();
        let better = |(sorted, key): (&Vec<f64>, &Range)| sorted.partition_point(|&n| n < key.low);
        Box::new(move |keys| sorted.iter().zip(keys).map(better).sum::<usize>() as f64)
    }

    /// Those of a search from all its nodes.
    fn steps(&self, fit: &Fit) -> u128 {
        let figures = &fit.known.figures;
        let count = |number: &BigUint| number.to_u128().unwrap_or(u128::MAX);
        let nodes = count(&figures.nodes);
        let levels = figures.diameter.as_ref().map_or(nodes, |known| count(&known.high));
        let rows = count(&figures.links).saturating_mul(2).saturating_mul(levels);
        rows.saturating_mul(nodes.div_ceil(512))
    }

    fn further(&self, fit: &Fit) -> Result<Further<Self::Facts>, Interrupted> {
        self.context.budget.check()?;
        let better = match fit.stage {
            Stage::Proven => Some(self.glimpse(fit)),
            _ => self.complete(fit, self.asked, Depth::Own)?,
        };
        Ok(better.map_or(Further::BreaksLimit, Further::Better))
    }

    fn rows(&self, known: Vec<Fit>) -> Vec<Row> {
        simplest(known).into_iter().map(|(fit, ties)| row_of(fit, ties)).collect()
    }
}

impl<'a> Nodes<'a> {
    fn new(question: &'a Question, context: &'a Context<'a>) -> Self {
        let limits = question.max_vcs.map(|_| Extent::Routes);
        let needs = question.objectives.iter().map(|objective| objective.needs()).chain(limits);
        let asked = needs.max().unwrap_or(Extent::Distances);
        Nodes { question, context, wanted: question.nodes.into(), asked }
    }

    fn keys(&self, figures: &Figures, cost: &Cost) -> Keys {
        let all = self.question.objectives.iter();
        all.map(|objective| objective.range(self.question, figures, cost, &self.wanted)).collect()
    }

    fn limits(&self, how: Option<How>) -> Limits<'_> {
        Limits { how, budget: Budget { steps: MAX_STEPS, ..self.context.budget } }
    }

    /// The same network, looked at from two of its nodes.
    fn glimpse(&self, fit: &Fit) -> Fit {
        let spec = fit.spec();
        let built = build_with(&spec, &spec.to_string(), self.context).ok();
        let network = built.and_then(|built| built.network);
        let known = match network.filter(|network| network.order() <= MAX_MEASURED) {
            Some(network) => {
                let Numbers { figures, cost, routed } = fit.known.clone();
                Numbers { figures: figures.glimpsed(&*network), cost, routed }
            }
            None => fit.known.clone(),
        };
        fit.better(Stage::Glimpsed, self.keys(&known.figures, &known.cost), known)
    }

    /// All that can be known of a network; `None` where it breaks a limit.
    fn complete(
        &self,
        fit: &Fit,
        extent: Extent,
        depth: Depth,
    ) -> Result<Option<Fit>, Interrupted> {
        self.context.budget.check()?;
        let spec = fit.spec();
        let text = spec.to_string();
        let Ok(built) = build_with(&spec, &text, self.context) else { return Ok(None) };
        let small = built.network.as_ref().is_some_and(|network| network.order() <= MAX_MEASURED);
        let limits = self.limits(if small { None } else { Some(How::Theorem) });
        let most_vcs = self.question.max_vcs.unwrap_or(u16::MAX);
        let figures = match extent {
            // What a rule guarantees is enough, where it is few enough.
            Extent::Routes => {
                let mut figures = with_extent(spec, &built, limits, Extent::Distances);
                let by_rule = routing_by_rule(&built).filter(|routing| routing.vcs <= most_vcs);
                figures.routing = by_rule.or_else(|| routing(&built));
                figures
            }
            Extent::Distances | Extent::All => with_extent(spec, &built, limits, extent),
        };
        let mut figures = figures;
        let mut cost = match extent {
            Extent::All => Cost::of(self.question, &figures, &built, &limits.budget),
            Extent::Distances | Extent::Routes => fit.known.cost,
        };
        // A chip is designed for the routing that it will have.
        let mut routed = fit.known.routed.clone();
        if extent == Extent::All && self.question.is_routed(&figures.nodes) {
            routed = of_nodes(&built, self.question.max_vcs, depth, &limits.budget);
            figures.routing = routed.as_ref().map(|one| Routing::new(one.name, one.vcs));
            cost.throughput = routed.as_ref().map(|one| one.uniform);
            if routed.is_none() {
                return Ok(None);
            }
        }
        self.context.budget.check()?;
        let question = self.question;
        let most = question.max_diameter.map(BigUint::from);
        let high = figures.diameter.as_ref().map(|known| &known.high);
        let short = high.is_some_and(|high| most.is_none_or(|most| *high <= most));
        let vcs = figures.routing.as_ref().map(|routing| routing.vcs);
        let few = question.max_vcs.is_none_or(|most| vcs.is_some_and(|vcs| vcs <= most));
        let few = few || extent == Extent::Distances;
        let keys = self.keys(&figures, &cost);
        let known = Numbers { figures, cost, routed };
        Ok((short && few).then(|| fit.better(Stage::Known, keys, known)))
    }

    /// All numbers of those that are left, best first.
    fn finish(&self, settled: Settled<Numbers>, counted: Narrowed) -> Design {
        let Narrowed { candidates, fitting, unmeasured, .. } = counted;
        let unmeasured = unmeasured + settled.unmeasured;
        let stopped = AtomicBool::new(!settled.finished);
        let finished = simplest(finalists(settled)).into_par_iter().map(|(fit, ties)| {
            let fit = match self.complete(&fit, Extent::All, Depth::All) {
                Ok(complete) => complete?,
                Err(Interrupted) => {
                    stopped.store(true, Ordering::Relaxed);
                    fit
                }
            };
            Some((fit.keys.clone(), row_of(fit, ties)))
        });
        let rows: Vec<Option<(Keys, Row)>> = finished.collect();
        let (keys, rows): (Vec<Keys>, Vec<Row>) = rows.into_iter().flatten().unzip();
        // Their routing may carry more than was known before.
        let mut front = pareto::take(rows, &pareto::guaranteed(&keys));
        let first = |row: &Row| {
            self.question.sort.range(self.question, &row.figures, &row.cost, &self.wanted).high
        };
        front.sort_by(|a, b| first(a).total_cmp(&first(b)));
        let finished = !stopped.into_inner();
        let references = self.references();
        let mut answer =
            Design { candidates, fitting, front, references, unmeasured, finished, relaxed: None };
        self.confirm(&mut answer);
        answer
    }

    /// Simulates what is recommended for a chip, and what is better at something.
    fn confirm(&self, answer: &mut Design) {
        if self.question.tiles.is_none() {
            return;
        }
        let advice = recommended(self.question, answer);
        let named: Vec<Spec> = advice.map_or_else(Vec::new, |advice| {
            let others = advice.others.iter().map(|(row, _)| *row);
            others.chain([advice.row]).map(|row| row.figures.spec.clone()).collect()
        });
        answer.front.par_iter_mut().filter(|row| named.contains(&row.figures.spec)).for_each(
            |row| {
                let Some(routed) = &row.routed else { return };
                row.simulated = confirm_on_chip(
                    &row.figures.spec,
                    routed.name,
                    self.question.max_vcs,
                    self.context,
                );
            },
        );
    }

    /// What everybody builds on a chip, whether it keeps within the limits or not.
    fn references(&self) -> Vec<Row> {
        let (Some(_), Ok(nodes)) = (self.question.tiles, u64::try_from(self.question.nodes)) else {
            return Vec::new();
        };
        let question = Question {
            max_degree: None,
            max_diameter: None,
            max_vcs: None,
            ..self.question.clone()
        };
        let free = Nodes { question: &question, wanted: self.wanted.clone(), ..*self };
        let made = on_chip(nodes).into_par_iter().filter_map(|spec| {
            let made = Arc::new(Topology::of(&spec, self.context)?);
            let figures = counted(spec, &made.built);
            let known = Numbers { figures, cost: Cost::default(), routed: None };
            let fit = Fit::new(made, None, Stage::Glimpsed, Keys::default(), known);
            let fit = free.complete(&fit, Extent::All, Depth::All).unwrap_or(Some(fit))?;
            Some(Row { origin: Origin::Reference, ..row_of(fit, 0) })
        });
        made.collect()
    }
}

/// Of each tie the simplest, and how many others there are.
fn simplest(fits: Vec<Fit>) -> Vec<(Fit, usize)> {
    pareto::fold(fits, |fit| fit.keys.clone(), |fit| (fit.made.depth, fit.spec()))
}

/// What is shown of a network.
fn row_of(fit: Fit, ties: usize) -> Row {
    let (spec, origin) = (fit.spec(), Origin::of(fit.made.family()));
    let Numbers { mut figures, cost, routed } = fit.known;
    figures.spec = spec;
    Row { origin, figures, cost, routed, ties, simulated: None }
}
