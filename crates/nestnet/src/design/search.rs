//! How is the front found? By theory first, then by measuring what may be on it.

use super::advice::recommended;
use super::candidate::Topology;
use super::confirm::confirm_on_chip;
use super::cost::Cost;
use super::pareto::{self, Keys, Looked, Seen, settle};
use super::space::Space;
use super::{Design, Objective, Origin, Question, Row, names};
use crate::carried::{Depth, Routed, of_nodes};
use nestnet_analysis::figures::{
    Extent, Figures, Range, Routing, counted, routing, routing_by_rule, with_extent,
};
use nestnet_analysis::measures::Limits;
use nestnet_graph::job::Shard;
use nestnet_graph::measure::{Interrupted, Watch};
use nestnet_graph::{Budget, How};
use nestnet_topologies::build::{Context, build_with};
use nestnet_topologies::family::reference::on_chip;
use nestnet_topologies::spec::Spec;
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// The most row operations that measuring one network may take.
const MAX_STEPS: u128 = 200_000_000;

/// Larger networks are not measured.
const MAX_MEASURED: u64 = 1 << 13;

/// So many networks are judged at once.
const BATCH: usize = 1 << 12;

/// So many nodes are measured in all.
const MOST_IN_ALL: usize = 1 << 25;

/// The most row operations that measuring all of them may take.
const MOST_STEPS_IN_ALL: u128 = 1 << 33;

/// So many networks are measured before it is seen what they dominate.
const MEASURED_AT_ONCE: usize = 1 << 8;

/// A network that fits, with what is known of it.
#[derive(Clone)]
struct Fit {
    made: Arc<Topology>,
    figures: Figures,
    cost: Cost,
    keys: Keys,
    /// Whether measuring would say more.
    open: bool,
    /// Whether it was looked at from two of its nodes.
    glimpsed: bool,
    /// How many others are better in a number, of all numbers together: the fewer, the more it promises.
    behind: usize,
    /// Of a chip, its routing.
    routed: Option<Routed>,
}

impl Fit {
    /// At most so many row operations a search from all its nodes takes.
    fn steps(&self) -> u128 {
        let count = |number: &BigUint| number.to_u128().unwrap_or(u128::MAX);
        let nodes = count(&self.figures.nodes);
        let levels = self.figures.diameter.as_ref().map_or(nodes, |known| count(&known.high));
        let rows = count(&self.figures.links).saturating_mul(2).saturating_mul(levels);
        rows.saturating_mul(nodes.div_ceil(512))
    }
}

impl pareto::Candidate for Fit {
    fn keys(&self) -> &Keys {
        &self.keys
    }

    fn is_open(&self) -> bool {
        self.open
    }
}

/// The numbers of many networks, each in order.
struct Ranks(Vec<Vec<f64>>);

impl Ranks {
    fn new(fits: &[Fit]) -> Self {
        let keys = fits.first().map_or(0, |fit| fit.keys.len());
        let sorted = (0..keys).map(|key| {
            let mut all: Vec<f64> = fits.iter().map(|fit| fit.keys[key].low).collect();
            all.sort_by(f64::total_cmp);
            all
        });
        Ranks(sorted.collect())
    }

    /// How many are better than this in each number, together.
    fn behind(&self, keys: &Keys) -> usize {
        let better = |(sorted, key): (&Vec<f64>, &Range)| sorted.partition_point(|&n| n < key.low);
        self.0.iter().zip(keys).map(better).sum()
    }
}

/// What a search goes by.
struct Search<'a> {
    question: &'a Question,
    context: &'a Context<'a>,
    budget: Budget<'a>,
    wanted: BigUint,
    /// How much counts: more than distances is said by no theory.
    asked: Extent,
    /// Whether it was stopped before everything was measured.
    stopped: AtomicBool,
}

/// What one shard of a search found: networks that none of its own dominates, which is all that the whole needs of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Narrowed {
    /// How many networks of a wanted size were made and judged.
    pub candidates: u64,
    /// How many of them have a degree within the limit.
    pub fitting: usize,
    /// Candidates that were too many to measure: their worst bounds count.
    pub unmeasured: usize,
    /// The specs of those that none dominates, of equals all.
    pub specs: Vec<String>,
}

impl Narrowed {
    /// The counts of two shards; `None` where they are more than anything was ever counted.
    fn plus(&self, other: &Narrowed) -> Option<Narrowed> {
        Some(Narrowed {
            candidates: self.candidates.checked_add(other.candidates)?,
            fitting: self.fitting.checked_add(other.fitting)?,
            unmeasured: self.unmeasured.checked_add(other.unmeasured)?,
            specs: Vec::new(),
        })
    }
}

pub(super) fn search(
    question: &Question,
    budget: &Budget<'_>,
    seen: Seen<'_, Row>,
) -> Result<Design, Interrupted> {
    with_search(question, budget, |this| {
        let (counted, fits) = this.enumerate(Shard::WHOLE)?;
        let (finalists, unmeasured) = this.finalists(fits, seen)?;
        Ok(this.finish(finalists, Narrowed { unmeasured, ..counted }))
    })
}

/// The part of one shard.
pub(super) fn narrow(
    question: &Question,
    shard: Shard,
    budget: &Budget<'_>,
) -> Result<Narrowed, Interrupted> {
    with_search(question, budget, |this| {
        let (counted, fits) = this.enumerate(shard)?;
        let (finalists, unmeasured) = this.finalists(fits, &|_| ())?;
        // A part that is not whole is none.
        this.budget.check()?;
        let specs = finalists.iter().map(|fit| fit.made.spec().to_string()).collect();
        Ok(Narrowed { specs, unmeasured, ..counted })
    })
}

/// The whole, of the parts of all shards. `None` where a spec is none that a search wrote.
pub(super) fn join(
    question: &Question,
    parts: Vec<Narrowed>,
    budget: &Budget<'_>,
) -> Result<Option<Design>, Interrupted> {
    with_search(question, budget, |this| {
        let (mut all, mut made) = (Narrowed::default(), Vec::new());
        for part in parts {
            let Some(sum) = all.plus(&part) else { return Ok(None) };
            all = sum;
            for text in &part.specs {
                let spec = Spec::parse(text).ok();
                match spec.and_then(|spec| Topology::of(&spec, this.context)) {
                    Some(one) if this.fits(&one) => made.push(Arc::new(one)),
                    _ => return Ok(None),
                }
            }
        }
        let mut fits = Vec::new();
        this.take_in(made, &mut fits)?;
        let (finalists, unmeasured) = this.finalists(fits, &|_| ())?;
        all.unmeasured += unmeasured;
        Ok(Some(this.finish(finalists, all)))
    })
}

fn with_search<T>(
    question: &Question,
    budget: &Budget<'_>,
    work: impl FnOnce(&Search<'_>) -> Result<T, Interrupted>,
) -> Result<T, Interrupted> {
    let read = |_: &str| Err(std::io::Error::other("files are not searched"));
    let context = Context { read: &read, budget: *budget, ..Context::ALONE };
    let limits = question.max_vcs.map(|_| Extent::Routes);
    let needs = question.objectives.iter().map(|objective| objective.needs()).chain(limits);
    let asked = needs.max().unwrap_or(Extent::Distances);
    work(&Search {
        question,
        context: &context,
        budget: *budget,
        wanted: question.nodes.into(),
        asked,
        stopped: AtomicBool::new(false),
    })
}

impl Search<'_> {
    /// Whether a network has a wanted size and degree.
    fn fits(&self, made: &Topology) -> bool {
        let theory = &made.built.theory;
        let hosts = theory.hosts().to_u128();
        hosts.is_some_and(|hosts| self.question.sizes().contains(&hosts))
            && self.question.max_degree.is_none_or(|most| made.degree <= most)
            && theory.connected()
    }

    /// How many networks of a wanted size a shard is to look at, and those of them that fit and that none which is known
    /// dominates. They are judged as they come, so that what is dominated is not kept.
    fn enumerate(&self, shard: Shard) -> Result<(Narrowed, Vec<Fit>), Interrupted> {
        let question = self.question;
        let searches = names::searches(&question.families);
        let max_degree = question.max_degree.unwrap_or(u64::MAX);
        let space = Space {
            context: self.context,
            sizes: question.sizes(),
            nodes: question.nodes,
            max_degree,
            depth: question.depth,
            max_base: question.max_base,
            max_frame: question.largest_frame(),
            max_nested_frame: question.largest_nested_frame(),
            searches: &searches,
        };
        let mut counted = Narrowed::default();
        let (mut batch, mut fits) = (Vec::new(), Vec::new());
        let mut judged = Ok(());
        // The search is most of the work, then comes the measuring of what is left.
        let progress = |part: f64| (self.budget.watch.progress)(part * 0.5);
        let searching = Watch { progress: &progress, ..self.budget.watch };
        space.search(shard, &searching, &mut |made| {
            counted.candidates += 1;
            if self.fits(&made) {
                counted.fitting += 1;
                batch.push(made);
            }
            if batch.len() == BATCH && judged.is_ok() {
                judged = self.take_in(std::mem::take(&mut batch), &mut fits);
            }
        })?;
        judged?;
        self.take_in(batch, &mut fits)?;
        Ok((counted, fits))
    }

    /// Judges networks, and leaves out what is dominated.
    fn take_in(&self, made: Vec<Arc<Topology>>, fits: &mut Vec<Fit>) -> Result<(), Interrupted> {
        let best = pareto::best_known(fits);
        let fresh = made.into_par_iter().map(|made| self.judge(made, &best));
        let fresh: Vec<Option<Fit>> = fresh.collect::<Result<_, Interrupted>>()?;
        fits.extend(fresh.into_iter().flatten());
        pareto::drop_beaten(fits);
        Ok(())
    }

    /// Those that none of these dominates, of equals all, and how many were too many to measure.
    fn finalists(
        &self,
        fits: Vec<Fit>,
        seen: Seen<'_, Row>,
    ) -> Result<(Vec<Fit>, usize), Interrupted> {
        let nodes = usize::try_from(*self.question.sizes().end()).unwrap_or(usize::MAX);
        let most = (MOST_IN_ALL / nodes).max(1 << 8);
        let ranks = Ranks::new(&fits);
        let mut fits = fits;
        fits.iter_mut().for_each(|fit| fit.behind = ranks.behind(&fit.keys));
        let (mut looked, mut steps) = (0, 0);
        let promise = |fit: &Fit| fit.behind as f64;
        let look = |open: Vec<Fit>| {
            if self.budget.check().is_err() {
                self.stopped.store(true, Relaxed);
            }
            if self.stopped.load(Relaxed) || looked >= most || steps >= MOST_STEPS_IN_ALL {
                return Ok::<_, Interrupted>(Looked::Enough(open));
            }
            // Two searches are quick, and some need no more to be dominated.
            let (seen, unseen): (Vec<Fit>, Vec<Fit>) =
                open.into_iter().partition(|fit| fit.glimpsed);
            let unseen = unseen.into_par_iter().map(|fit| self.glimpse(fit, &ranks));
            let mut better: Vec<Fit> = unseen.collect();
            let (mut now, mut later) = (Vec::new(), Vec::new());
            for fit in seen {
                let first = steps < MOST_STEPS_IN_ALL;
                steps += if first { fit.steps() } else { 0 };
                if first { now.push(fit) } else { later.push(fit) }
            }
            let before = looked;
            looked += now.len();
            better.extend(self.all(now, [before, most]));
            better.extend(later);
            Ok(Looked::Better(better))
        };
        let shown = |known: &[Fit]| {
            let row = |(fit, ties): (Fit, usize)| {
                let origin = Origin::of(fit.made.family());
                row_of(fit, origin, ties)
            };
            seen(&|| fold(known.to_vec()).into_iter().map(row).collect());
        };
        let (known, open) = settle(fits, MEASURED_AT_ONCE, promise, look, shown)?;
        let left = open.len();
        // Where it was stopped, only what is known counts.
        let open = if self.stopped.load(Relaxed) { Vec::new() } else { open };
        let all: Vec<Fit> = known.into_iter().chain(open).collect();
        Ok((pareto::guaranteed_of(all), left))
    }

    /// The same network, looked at from two of its nodes.
    fn glimpse(&self, fit: Fit, ranks: &Ranks) -> Fit {
        if self.budget.check().is_err() {
            return fit;
        }
        let fit = Fit { glimpsed: true, ..fit };
        let spec = fit.made.spec();
        let built = build_with(&spec, &spec.to_string(), self.context).ok();
        let Some(network) = built.and_then(|built| built.network) else { return fit };
        if network.order() > MAX_MEASURED {
            return fit;
        }
        let figures = fit.figures.glimpsed(&*network);
        let keys = self.keys(&figures, &fit.cost);
        Fit { behind: ranks.behind(&keys), keys, figures, ..fit }
    }

    /// All numbers of those that are left, best first.
    fn finish(&self, finalists: Vec<Fit>, counted: Narrowed) -> Design {
        let folded = fold(finalists);
        let ties: Vec<usize> = folded.iter().map(|(_, ties)| *ties).collect();
        let finalists: Vec<Fit> = folded.into_iter().map(|(fit, _)| fit).collect();
        let finished = finalists.into_par_iter().zip(ties).map(|(fit, ties)| {
            let fit = self.complete_or_as_is(fit, Extent::All, Depth::All)?;
            let origin = Origin::of(fit.made.family());
            Some((fit.keys.clone(), row_of(fit, origin, ties)))
        });
        let rows: Vec<Option<(Keys, Row)>> = finished.collect();
        let (keys, rows): (Vec<Keys>, Vec<Row>) = rows.into_iter().flatten().unzip();
        // Their routing may carry more than was known before.
        let mut front = pareto::take(rows, &pareto::guaranteed(&keys));
        let first = |row: &Row| self.range(self.question.sort, &row.figures, &row.cost).high;
        front.sort_by(|a, b| first(a).total_cmp(&first(b)));
        let Narrowed { candidates, fitting, unmeasured, .. } = counted;
        let finished = !self.stopped.load(Relaxed);
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
        let made = on_chip(nodes).into_par_iter().filter_map(|spec| {
            let made = Arc::new(Topology::of(&spec, self.context)?);
            let figures = counted(spec, &made.built);
            let (cost, keys, routed) = (Cost::default(), Keys::default(), None);
            let fit =
                Fit { made, figures, cost, keys, open: true, glimpsed: true, behind: 0, routed };
            let question = Question {
                max_degree: None,
                max_diameter: None,
                max_vcs: None,
                ..self.question.clone()
            };
            let (wanted, stopped) = (self.wanted.clone(), AtomicBool::new(false));
            let free = Search { question: &question, wanted, stopped, ..*self };
            let fit = free.complete_or_as_is(fit, Extent::All, Depth::All)?;
            Some(row_of(fit, Origin::Reference, 0))
        });
        made.collect()
    }

    fn range(
        &self,
        objective: Objective,
        figures: &Figures,
        cost: &Cost,
    ) -> nestnet_analysis::figures::Range {
        objective.range(self.question, figures, cost, &self.wanted)
    }

    fn keys(&self, figures: &Figures, cost: &Cost) -> Keys {
        let all = self.question.objectives.iter();
        all.map(|&objective| self.range(objective, figures, cost)).collect()
    }

    fn limits(&self, how: Option<How>) -> Limits<'_> {
        Limits { how, budget: Budget { steps: MAX_STEPS, ..self.budget } }
    }

    /// What is proven of a network; `None` where it certainly breaks a limit, or is dominated by one of `best`.
    fn judge(&self, made: Arc<Topology>, best: &[Vec<f64>]) -> Result<Option<Fit>, Interrupted> {
        self.budget.check()?;
        // Most are never shown, and need no name.
        let nameless = Spec::new(made.family().name, []);
        // Most are dominated whatever their mean distance is, which takes longest to find.
        let at_once = counted(nameless, &made.built).with_proven_diameter(&made.built);
        let all_hosts = at_once.hosts == at_once.nodes;
        if all_hosts && pareto::is_beaten(&self.keys(&at_once, &Cost::default()), best) {
            return Ok(None);
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
            return Ok(None);
        }
        let cost = Cost::default();
        let keys = self.keys(&figures, &cost);
        let exact = keys.iter().all(|range| range.low == range.high);
        let open = self.asked == Extent::All || (small && !(exact && certain && few));
        Ok(Some(Fit { keys, made, figures, cost, open, glimpsed: false, behind: 0, routed: None }))
    }

    /// All that can be known of a network; `None` where it breaks a limit.
    fn complete(&self, fit: Fit, extent: Extent, depth: Depth) -> Result<Option<Fit>, Interrupted> {
        self.budget.check()?;
        let spec = fit.made.spec();
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
            Extent::Distances | Extent::Routes => fit.cost,
        };
        // A chip is designed for the routing that it will have.
        let mut routed = fit.routed;
        if extent == Extent::All && self.question.is_routed(&figures.nodes) {
            routed = of_nodes(&built, self.question.max_vcs, depth, &limits.budget);
            figures.routing = routed.as_ref().map(|one| Routing::new(one.name, one.vcs));
            cost.throughput = routed.as_ref().map(|one| one.uniform);
            if routed.is_none() {
                return Ok(None);
            }
        }
        self.budget.check()?;
        let question = self.question;
        let most = question.max_diameter.map(BigUint::from);
        let high = figures.diameter.as_ref().map(|known| &known.high);
        let short = high.is_some_and(|high| most.is_none_or(|most| *high <= most));
        let vcs = figures.routing.as_ref().map(|routing| routing.vcs);
        let few = question.max_vcs.is_none_or(|most| vcs.is_some_and(|vcs| vcs <= most));
        let few = few || extent == Extent::Distances;
        let keys = self.keys(&figures, &cost);
        Ok((short && few).then(|| Fit { keys, figures, cost, routed, open: false, ..fit }))
    }

    /// The same, or what is known already where there is no time for more.
    fn complete_or_as_is(&self, fit: Fit, extent: Extent, depth: Depth) -> Option<Fit> {
        let known = fit.clone();
        self.complete(fit, extent, depth).unwrap_or_else(|Interrupted| {
            self.stopped.store(true, Relaxed);
            Some(known)
        })
    }

    /// All that counts of these, which come after so many of a total.
    fn all(&self, fits: Vec<Fit>, [before, total]: [usize; 2]) -> Vec<Fit> {
        let done = AtomicU64::new(before as u64);
        let one = |fit: Fit| {
            let progress = |part: f64| (self.budget.watch.progress)(0.5 + part * 0.5);
            let finishing = Watch { progress: &progress, ..self.budget.watch };
            // Whether to stop is seen when it is completed.
            let _ = finishing.step(&done, total as u64);
            self.complete_or_as_is(fit, self.asked, Depth::Own)
        };
        let fits: Vec<Option<Fit>> = fits.into_par_iter().map(one).collect();
        fits.into_iter().flatten().collect()
    }
}

/// What is shown of a network.
fn row_of(fit: Fit, origin: Origin, ties: usize) -> Row {
    let mut figures = fit.figures;
    figures.spec = fit.made.spec();
    Row { origin, figures, cost: fit.cost, routed: fit.routed, ties, simulated: None }
}

/// Of each tie the simplest spec, and how many others there are.
fn fold(mut fits: Vec<Fit>) -> Vec<(Fit, usize)> {
    let worst = |fit: &Fit| -> Vec<f64> { fit.keys.iter().map(|range| range.high).collect() };
    fits.sort_by_cached_key(|fit| {
        let text = fit.made.spec().to_string();
        (fit.made.depth, text.len(), text)
    });
    fits.sort_by(|a, b| worst(a).partial_cmp(&worst(b)).unwrap_or(Ordering::Equal));
    let mut folded: Vec<(Fit, usize)> = Vec::new();
    for fit in fits {
        match folded.last_mut().filter(|(last, _)| worst(last) == worst(&fit)) {
            Some((_, others)) => *others += 1,
            None => folded.push((fit, 0)),
        }
    }
    folded
}
