//! How is the front found? By theory first, then by measuring what may be on it.
//!
//! One search for every kind of question: it enumerates, judges by theory, drops what is dominated, measures stage by stage
//! within limits, and can be stopped. A [`Kind`] says what is proven and what is measured of a network.

use super::candidate::Topology;
use super::pareto::{self, Keys, Seen};
use super::space::Space;
use nestnet_graph::job::Shard;
use nestnet_graph::measure::{Interrupted, Watch};
use nestnet_topologies::build::Context;
use nestnet_topologies::family::hosts::with_hosts;
use nestnet_topologies::spec::Spec;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// So many networks are judged at once.
const BATCH: usize = 1 << 12;

/// A network that fits, as far as it is known.
#[derive(Clone)]
pub(super) struct Candidate<K> {
    pub made: Arc<Topology>,
    /// Hosts at each switch, where the search puts them there.
    pub each: Option<u64>,
    pub stage: Stage,
    /// What is certain of it.
    pub keys: Keys,
    /// What else is known of it.
    pub known: K,
    /// The smaller, the sooner it is measured.
    promise: f64,
}

/// How far a network is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// By its theory.
    Proven,
    /// As far as a quick look says.
    Glimpsed,
    /// As far as the keys need it.
    Known,
}

impl<K> Candidate<K> {
    pub fn new(made: Arc<Topology>, each: Option<u64>, stage: Stage, keys: Keys, known: K) -> Self {
        Candidate { made, each, stage, keys, known, promise: 0.0 }
    }

    /// The same network, better known.
    pub fn better(&self, stage: Stage, keys: Keys, known: K) -> Self {
        Candidate::new(self.made.clone(), self.each, stage, keys, known)
    }

    /// How it is written, with its hosts.
    pub fn spec(&self) -> Spec {
        match self.each {
            Some(each) => with_hosts(self.made.spec(), each),
            None => self.made.spec(),
        }
    }
}

impl<K> pareto::Candidate for Candidate<K> {
    fn keys(&self) -> &Keys {
        &self.keys
    }

    fn is_open(&self) -> bool {
        self.stage != Stage::Known
    }
}

/// What one look more at a candidate says.
pub(super) enum Further<K> {
    Better(Candidate<K>),
    BreaksLimit,
    TooLarge,
}

/// How much is measured.
pub(super) struct Most {
    /// So many networks before it is seen what they dominate.
    pub at_once: usize,
    /// So many are looked at quickly.
    pub glimpsed: usize,
    /// So many are measured.
    pub measured: usize,
    /// Row operations that measuring all of them may take.
    pub steps: u128,
}

/// What a kind of question says of networks.
pub(super) trait Kind: Sync + Sized {
    /// What is known of a candidate beside its keys.
    type Facts: Clone + Send + Sync;
    /// What is shown of it.
    type Row;

    fn context(&self) -> &Context<'_>;

    /// Where candidates are, each with the hosts that every switch is given.
    fn spaces(&self) -> Vec<(Space<'_>, Option<u64>)>;

    /// Whether a network has a wanted size and degree.
    fn fits(&self, made: &Topology, each: Option<u64>) -> bool;

    /// What is proven of a network; `None` where it certainly breaks a limit, or is dominated by one of `best`.
    fn judge(&self, made: Arc<Topology>, each: Option<u64>, best: &[Vec<f64>]) -> Option<Of<Self>>;

    fn most(&self) -> Most;

    /// The smaller, the sooner a network with these keys is measured, of all these.
    fn promise(&self, all: &[Of<Self>]) -> Box<dyn Fn(&Keys) -> f64>;

    /// At most so many row operations measuring a candidate takes, where these are limited.
    fn steps(&self, _: &Of<Self>) -> u128 {
        0
    }

    /// The next stage of a candidate.
    fn further(&self, candidate: &Of<Self>) -> Result<Further<Self::Facts>, Interrupted>;

    /// What is shown of these, which are known: of equals the simplest.
    fn rows(&self, known: Vec<Of<Self>>) -> Vec<Self::Row>;
}

/// A candidate for a kind of question.
type Of<K> = Candidate<<K as Kind>::Facts>;

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
    pub(super) fn plus(&self, other: &Narrowed) -> Option<Narrowed> {
        Some(Narrowed {
            candidates: self.candidates.checked_add(other.candidates)?,
            fitting: self.fitting.checked_add(other.fitting)?,
            unmeasured: self.unmeasured.checked_add(other.unmeasured)?,
            specs: Vec::new(),
        })
    }
}

/// Networks that a shard is to look at.
pub(super) struct Enumerated<K> {
    /// How many they are.
    pub counted: Narrowed,
    /// Those of them that fit and that none which is known dominates.
    pub fits: Vec<Candidate<K>>,
    /// Whether it was not stopped.
    pub finished: bool,
}

/// The networks that a shard is to look at. They are judged as they come, so that what is dominated is not kept.
pub(super) fn enumerate<K: Kind>(kind: &K, shard: Shard) -> Enumerated<K::Facts> {
    let (mut counted, mut fits) = (Narrowed::default(), Vec::new());
    let finished = enumerate_into(kind, shard, &mut counted, &mut fits).is_ok();
    Enumerated { counted, fits, finished }
}

fn enumerate_into<K: Kind>(
    kind: &K,
    shard: Shard,
    counted: &mut Narrowed,
    all: &mut Vec<Of<K>>,
) -> Result<(), Interrupted> {
    let watch = kind.context().budget.watch;
    let spaces = kind.spaces();
    let mut batch = Vec::new();
    let mut judged = Ok(());
    for (at, (space, each)) in spaces.iter().enumerate() {
        // Half of the work, the other one is measuring what is left.
        let progress = |part: f64| (watch.progress)(0.5 * (at as f64 + part) / spaces.len() as f64);
        space.search(shard, &Watch { progress: &progress, ..watch }, &mut |made| {
            counted.candidates += 1;
            if kind.fits(&made, *each) {
                counted.fitting += 1;
                batch.push((made, *each));
            }
            if batch.len() == BATCH && judged.is_ok() {
                judged = judge(kind, std::mem::take(&mut batch), all);
            }
        })?;
    }
    judged?;
    judge(kind, batch, all)
}

/// Judges networks, and leaves out what is dominated.
pub(super) fn judge<K: Kind>(
    kind: &K,
    made: Vec<(Arc<Topology>, Option<u64>)>,
    all: &mut Vec<Of<K>>,
) -> Result<(), Interrupted> {
    let best = pareto::best_known(all);
    let fresh = made.into_par_iter().map(|(made, each)| {
        kind.context().budget.check()?;
        Ok(kind.judge(made, each, &best))
    });
    let fresh: Vec<Option<_>> = fresh.collect::<Result<_, Interrupted>>()?;
    all.extend(fresh.into_iter().flatten());
    pareto::drop_beaten(all);
    Ok(())
}

/// What measuring finds.
pub(super) struct Settled<K> {
    /// The Pareto front of what is known.
    pub known: Vec<Candidate<K>>,
    /// What may be on the Pareto front beside it, and is not known.
    pub open: Vec<Candidate<K>>,
    /// How many were measured.
    pub measured: usize,
    /// How many more may be on the Pareto front.
    pub unmeasured: usize,
    /// Whether it was not stopped.
    pub finished: bool,
}

/// Measures what may be on the Pareto front. Where the time has ended before, what is known remains.
pub(super) fn settle<K: Kind>(
    kind: &K,
    mut all: Vec<Of<K>>,
    seen: Seen<'_, K::Row>,
) -> Settled<K::Facts> {
    let watch = kind.context().budget.watch;
    if watch.check().is_err() {
        let (open, mut known): (Vec<_>, Vec<_>) =
            all.into_iter().partition(pareto::Candidate::is_open);
        pareto::drop_beaten(&mut known);
        let unmeasured = open.len();
        return Settled { known, open: Vec::new(), measured: 0, unmeasured, finished: false };
    }
    let most = kind.most();
    let promise = kind.promise(&all);
    all.iter_mut().for_each(|one| one.promise = promise(&one.keys));
    let (mut glimpsed, mut measured, mut steps, mut too_large) = (0, 0, 0, 0);
    let mut finished = true;
    let look = |open: Vec<Of<K>>| {
        finished &= watch.check().is_ok();
        let is_enough =
            glimpsed >= most.glimpsed || measured >= most.measured || steps >= most.steps;
        if !finished || is_enough {
            return Err(open);
        }
        let part = |glimpsed: usize, measured: usize| {
            let part = |of: usize, all: usize| of as f64 / all as f64;
            part(glimpsed, most.glimpsed).max(part(measured, most.measured)).min(1.0)
        };
        let before = part(glimpsed, measured);
        // A quick look needs no steps, and may be enough to be dominated.
        let (mut now, others): (Vec<_>, Vec<_>) =
            open.into_iter().partition(|one| one.stage == Stage::Proven);
        glimpsed += now.len();
        let mut better = Vec::new();
        for one in others {
            if steps < most.steps {
                steps += kind.steps(&one);
                measured += 1;
                now.push(one);
            } else {
                better.push(one);
            }
        }
        let (done, total) = (AtomicUsize::new(1), now.len() as f64);
        let share = part(glimpsed, measured) - before;
        let further = |one: Of<K>| {
            let further = kind.further(&one).map_err(|Interrupted| one);
            let done = done.fetch_add(1, Relaxed) as f64 / total;
            (watch.progress)(0.5 + 0.5 * (before + share * done));
            further
        };
        for further in now.into_par_iter().map(further).collect::<Vec<_>>() {
            match further {
                Ok(Further::Better(one)) => {
                    better.push(Candidate { promise: promise(&one.keys), ..one });
                }
                Ok(Further::BreaksLimit) => {}
                Ok(Further::TooLarge) => too_large += 1,
                Err(one) => {
                    finished = false;
                    better.push(one);
                }
            }
        }
        Ok(better)
    };
    let shown = |known: &[Of<K>]| seen(&|| kind.rows(known.to_vec()));
    let (known, open) =
        pareto::settle(all, most.at_once, |one: &Candidate<_>| one.promise, look, shown);
    Settled { unmeasured: open.len() + too_large, known, open, measured, finished }
}
