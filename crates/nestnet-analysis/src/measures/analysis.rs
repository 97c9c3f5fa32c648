//! A network under measurement: what several measures need is found once.

use super::distance_result::{BetweenHosts, Found};
use super::{Sampling, Unanswered};
use nestnet_graph::budget::STEPS_PER_SECOND;
use nestnet_graph::fabric::Fabric;
use nestnet_graph::measure::bisection::PROOF_STEPS;
use nestnet_graph::measure::distance::AllDistances;
use nestnet_graph::measure::orbit::node_classes;
use nestnet_graph::measure::sweep::{Sweeper, Threads};
use nestnet_graph::{Budget, Csr, How, Network, Orbit, Watch};
use nestnet_topologies::family::Built;
use num_traits::ToPrimitive;
use std::cell::OnceCell;

/// How far measuring may go.
#[derive(Clone, Copy, Debug)]
pub struct Limits<'a> {
    /// The only method to take for distances; the best one where it is left open.
    pub how: Option<How>,
    /// How far it may go.
    pub budget: Budget<'a>,
}

impl Default for Limits<'static> {
    /// A gigabyte, ten seconds of one core, by any method, unwatched.
    fn default() -> Self {
        Limits { how: None, budget: Budget::default() }
    }
}

impl<'a> Limits<'a> {
    /// The same with that many bytes of memory.
    ///
    /// ```
    /// use nestnet_analysis::measures::Limits;
    ///
    /// let limits = Limits::default().memory(8 << 30).seconds(60);
    /// assert_eq!((limits.budget.memory, limits.budget.steps), (8 << 30, 12_000_000_000));
    /// ```
    pub fn memory(self, bytes: u64) -> Self {
        Limits { budget: Budget { memory: bytes, ..self.budget }, ..self }
    }

    /// The same with that many steps, each about as long as one look at one neighbor.
    pub fn steps(self, steps: u128) -> Self {
        Limits { budget: Budget { steps, ..self.budget }, ..self }
    }

    /// The same with the steps of so many seconds of one core, by a cautious count. Steps are counted, not timed, so
    /// that what is refused does not depend on the machine; [`Limits::stopped_by`] ends by a clock.
    pub fn seconds(self, seconds: u64) -> Self {
        self.steps(STEPS_PER_SECOND.saturating_mul(seconds.into()))
    }

    /// The same, stopped once `stop` says so: it is asked often, from every thread.
    ///
    /// ```
    /// use nestnet_analysis::measures::{Analysis, Limits, Unanswered};
    ///
    /// let built = nestnet_topologies::build("jellyfish(20, 3, 1)").unwrap();
    /// let limits = Limits::default().stopped_by(&|| true);
    /// let group = Analysis::new(&built, limits).answer("automorphisms");
    /// assert!(matches!(group, Err(Unanswered::Interrupted(_))), "{group:?}");
    /// ```
    pub fn stopped_by(self, stop: &'a (dyn Fn() -> bool + Sync)) -> Self {
        let watch = Watch { stop, ..self.budget.watch };
        Limits { budget: Budget { watch, ..self.budget }, ..self }
    }

    /// As many of the steps as one of `parts` equal shares has.
    pub fn part(self, parts: u128) -> Self {
        Limits { budget: Budget { steps: self.budget.steps / parts.max(1), ..self.budget }, ..self }
    }
}

/// Steps of what answers in a moment, for whoever asks for nothing in particular.
pub const QUICK_STEPS: u128 = 10 * STEPS_PER_SECOND;

/// Receives both bounds of the bisection whenever one of them gets better.
type Closing<'a> = &'a (dyn Fn(u64, u64) + Sync);

/// A network and what has been found of it.
pub struct Analysis<'a> {
    /// The network.
    pub built: &'a Built,
    /// How far measuring may go.
    pub limits: Limits<'a>,
    csr: OnceCell<Result<Csr, Unanswered>>,
    classes: OnceCell<Option<Vec<Orbit>>>,
    pub(super) distances: OnceCell<Found>,
    pub(super) diameter: OnceCell<Found>,
    pub(super) between_hosts: OnceCell<BetweenHosts>,
    fabric: OnceCell<Result<Fabric, Unanswered>>,
    sampling: Option<Sampling>,
    pub(super) swept: Option<AllDistances>,
    pub(super) sweeper: &'a dyn Sweeper,
    proof_steps: u64,
    closing: Option<Closing<'a>>,
}

impl<'a> Analysis<'a> {
    /// Nothing is found yet.
    pub fn new(built: &'a Built, limits: Limits<'a>) -> Self {
        Analysis {
            built,
            limits,
            csr: OnceCell::new(),
            classes: OnceCell::new(),
            distances: OnceCell::new(),
            diameter: OnceCell::new(),
            between_hosts: OnceCell::new(),
            fabric: OnceCell::new(),
            sampling: None,
            swept: None,
            sweeper: &Threads,
            proof_steps: limits.budget.steps.to_u64().unwrap_or(u64::MAX).min(PROOF_STEPS),
            closing: None,
        }
    }

    /// Proofs end after that many steps, with the bounds reached by then. They are counted, so that the answer does not
    /// depend on the machine; without this it is [`PROOF_STEPS`], or what the limits have if that is less.
    pub fn proving_within(self, steps: u64) -> Self {
        Analysis { proof_steps: self.proof_steps.min(steps), ..self }
    }

    /// Proofs go on until they are done or stopped.
    pub fn proving_all(self) -> Self {
        Analysis { proof_steps: u64::MAX, ..self }
    }

    /// Reports how the bounds of the bisection close in.
    pub fn reporting(self, closing: Closing<'a>) -> Self {
        Analysis { closing: Some(closing), ..self }
    }

    /// Whether proofs have no limit.
    pub fn is_exact(&self) -> bool {
        self.proof_steps == u64::MAX
    }

    pub(super) fn proof_steps(&self) -> u64 {
        self.proof_steps
    }

    pub(super) fn closing(&self) -> Option<Closing<'a>> {
        self.closing
    }

    /// All distances that a search from every node found elsewhere, so that it is not made again.
    pub fn swept(self, swept: AllDistances) -> Self {
        Analysis { swept: Some(swept), ..self }
    }

    /// Searches from every node or switch run there, in place of the threads of this process; what they find is the same.
    pub fn sweeping_on(self, sweeper: &'a dyn Sweeper) -> Self {
        Analysis { sweeper, ..self }
    }

    /// A sample in place of searches from every node.
    pub fn sampled(self, sampling: Sampling) -> Self {
        Analysis { sampling: Some(sampling), ..self }
    }

    /// The sample that is asked for, if it is smaller than all nodes.
    pub fn sampling(&self) -> Option<Sampling> {
        self.sampling.filter(|sampling| sampling.sources < self.order())
    }

    /// The network, if it has node ids.
    pub fn network(&self) -> Result<&'a dyn Network, Unanswered> {
        Ok(&**self.built.with_ids()?)
    }

    /// The network written out.
    pub fn csr(&self) -> Result<&Csr, Unanswered> {
        let csr = self.csr.get_or_init(|| {
            let network = self.network()?;
            // What the rule says without counting is refused before it is counted.
            let links = self.built.theory.degrees().links.to_u128().unwrap_or(u128::MAX >> 4);
            let need = Csr::bytes(network.order(), links);
            self.limits.budget.fits("the stored network", need)?;
            Ok(Csr::from_network(network, &self.limits.budget)?)
        });
        csr.as_ref().map_err(Clone::clone)
    }

    /// Classes of nodes that proven automorphisms join, if the network declares any.
    pub fn classes(&self) -> Option<&[Orbit]> {
        let classes = self.classes.get_or_init(|| node_classes(self.network().ok()?));
        classes.as_deref()
    }

    /// Whether all nodes are proven alike; answers at once.
    pub fn is_transitive(&self) -> bool {
        let said = || self.built.network.as_ref().and_then(|network| network.orbits());
        self.built.theory.is_transitive() || said().is_some_and(|orbits| orbits.len() == 1)
    }

    /// The number of nodes, as far as it can be counted.
    pub fn order(&self) -> u64 {
        self.built.theory.order().to_u64().unwrap_or(u64::MAX)
    }

    /// The number of links, as far as it can be counted.
    pub fn links(&self) -> u128 {
        self.built.theory.degrees().links.to_u128().unwrap_or(u128::MAX)
    }

    /// The switches, written out, and where hosts hang.
    pub fn fabric(&self) -> Result<&Fabric, Unanswered> {
        let fabric = self.fabric.get_or_init(|| {
            let links = self.built.theory.degrees().links.to_u128().unwrap_or(u128::MAX >> 4);
            let need = Csr::bytes(self.network()?.order(), links);
            self.limits.budget.fits("the stored network", need)?;
            Ok(Fabric::of(self.network()?, &self.limits.budget)?)
        });
        fabric.as_ref().map_err(Clone::clone)
    }

    /// Whether every node is a host.
    pub fn is_all_hosts(&self) -> bool {
        self.built.theory.hosts() == self.built.theory.order()
    }

    /// An error where that many steps are too many.
    pub fn affords(&self, steps: u128) -> Result<(), Unanswered> {
        self.affords_at_once(steps, 1)
    }

    /// The same where whoever takes them takes several while one core takes one.
    pub(super) fn affords_at_once(&self, steps: u128, at_once: u128) -> Result<(), Unanswered> {
        if steps <= self.limits.budget.steps.saturating_mul(at_once) {
            return Ok(());
        }
        Err(Unanswered::TooLong { seconds: steps.div_ceil(STEPS_PER_SECOND) })
    }
}
