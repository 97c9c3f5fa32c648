//! Routing survey: all routes of a router, or those of a sample of pairs, around what has failed.
//!
//! Do they arrive, how long are they, and how even is their load? And how do the messages of all pairs end by a text of the
//! network's paper, as it is printed?

use crate::routes::RoutingReport;
use nestnet_graph::budget::product;
use nestnet_graph::job::{Job, Shard, run};
use nestnet_graph::measure::Watch;
use nestnet_graph::{Budget, Interrupted, Network, Node};
use nestnet_routing::Router;
use nestnet_routing::route::{
    DetourError, Detouring, Ending, Faults, Procedure, Survey, SurveyError, sample, survey,
};
use nestnet_topologies::random::{self, RandomError};
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;
use thiserror::Error;

/// Up to this many nodes what failed at random is counted.
const MAX_COUNTED: u64 = 1 << 24;

/// A router on a network of which parts may have failed.
#[derive(Clone, Debug)]
pub struct Routing {
    /// The network.
    pub network: Arc<dyn Network>,
    /// Its router, which makes detours where something has failed.
    pub router: Arc<dyn Router>,
    /// The name of the router.
    pub name: String,
    /// What has failed; none where that was not asked for.
    pub faults: Option<Faults>,
}

/// Why no pair was walked.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SampleError {
    /// No pair can be drawn.
    #[error(transparent)]
    Random(#[from] RandomError),
    /// The walk was refused or stopped.
    #[error(transparent)]
    Survey(#[from] SurveyError),
}

impl Routing {
    /// With detours around `faults`, where there are some.
    pub fn new(
        network: Arc<dyn Network>,
        router: Arc<dyn Router>,
        name: impl Into<String>,
        faults: Option<Faults>,
    ) -> Result<Self, DetourError> {
        let router: Arc<dyn Router> = match &faults {
            None => router,
            Some(faults) => {
                Arc::new(Detouring::new(network.clone(), router, Arc::new(faults.clone()))?)
            }
        };
        Ok(Routing { network, router, name: name.into(), faults })
    }

    /// What has failed: nothing, where nothing was said.
    pub fn failed(&self) -> Faults {
        self.faults.clone().unwrap_or_default()
    }

    /// The routes of all pairs of hosts. O(pairs · hops).
    ///
    /// ```
    /// use nestnet_analysis::routers;
    /// use nestnet_analysis::routing_survey::Routing;
    /// use nestnet_graph::Budget;
    ///
    /// let built = nestnet_topologies::build("petersen")?;
    /// let budget = Budget::default();
    /// let router = routers::find_within(&built, "shortest", &budget)?;
    /// let network = built.network.clone().ok_or("it has no node ids")?;
    /// let routing = Routing::new(network, router, "shortest", None)?;
    /// let found = routing.report(routing.all(&budget)?, None, &budget.watch);
    /// assert_eq!((found.survey.pairs, found.survey.max_hops()), (90, Some(2)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn all(&self, budget: &Budget<'_>) -> Result<Survey, SurveyError> {
        survey(&*self.network, &*self.router, &self.failed(), budget)
    }

    /// The routes of so many random pairs, in networks of any size. O(pairs · hops).
    pub fn sample(
        &self,
        pairs: usize,
        seed: u64,
        budget: &Budget<'_>,
    ) -> Result<Survey, SampleError> {
        let failed = self.failed();
        let pairs = random::pairs(&*self.network, &*self.router, &failed, pairs, seed)?;
        Ok(sample(&*self.network, &*self.router, &failed, &pairs, budget)?)
    }

    /// What was found, beside what the router takes; `sampled` has the number of pairs and the seed of a sample.
    pub fn report(
        &self,
        survey: Survey,
        sampled: Option<(usize, u64)>,
        watch: &Watch<'_>,
    ) -> RoutingReport {
        let how = match sampled {
            Some((pairs, seed)) => format!("sampled ({pairs} pairs, seed {seed})"),
            None => "exhaustive".to_owned(),
        };
        let counted = self.network.order() <= MAX_COUNTED;
        let count = |faults: &Faults| faults.count(&*self.network, watch).ok();
        let failed = self.faults.as_ref();
        RoutingReport {
            router: self.name.clone(),
            vcs: self.router.vcs(),
            choices: self.router.choices(),
            state_bytes: self.router.state_bytes(),
            failed: failed.map(|faults| Some(faults).filter(|_| counted).and_then(count)),
            how,
            survey,
        }
    }
}

/// How many pairs end in that way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Outcome {
    /// How it ends, such as `arrives`; `no path` where the text has none.
    pub outcome: &'static str,
    /// Ordered pairs of different nodes.
    pub pairs: u64,
}

/// How the messages of all ordered pairs of nodes end by a text.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PrintedReport {
    /// The name of the text.
    pub router: String,
    /// How many pairs there are.
    pub pairs: u64,
    /// How many messages arrive.
    pub arrived: u64,
    /// All outcomes that occur, in the order of their names.
    pub outcomes: Vec<Outcome>,
    /// The most hops of a message that arrives.
    pub max_hops: Option<u64>,
    /// The hops of messages that arrive, on average.
    pub mean_hops: Option<f64>,
    /// Whether all pairs were followed.
    pub how: &'static str,
}

/// The outcome where a text has no route for a pair.
pub const NO_ROUTE: &str = "no path";

/// What a text does with the messages of some sources.
#[derive(Default)]
struct Endings {
    /// By outcome.
    pairs: BTreeMap<&'static str, u64>,
    hops: u64,
    max_hops: Option<u64>,
}

/// A text followed from every source, each a unit.
struct Following<'a> {
    order: u64,
    text: &'a dyn Procedure,
}

impl Job for Following<'_> {
    type Part = Endings;
    type Error = Interrupted;

    fn units(&self) -> u64 {
        self.order
    }

    fn nothing(&self) -> Endings {
        Endings::default()
    }

    fn unit(&self, from: u64, watch: &Watch<'_>) -> Result<Endings, Interrupted> {
        let mut found = Endings::default();
        for to in (0..self.order).filter(|&to| to != from) {
            watch.check_each(to)?;
            let trace = self.text.trace(Node(from), Node(to));
            let outcome = trace.as_ref().map_or(NO_ROUTE, |trace| trace.ending.words());
            *found.pairs.entry(outcome).or_insert(0) += 1;
            if let Some(trace) = trace.filter(|trace| trace.ending == Ending::Arrives) {
                let hops = trace.nodes.len().saturating_sub(1) as u64;
                found.hops += hops;
                found.max_hops = found.max_hops.max(Some(hops));
            }
        }
        Ok(found)
    }

    fn merge(&self, mut one: Endings, other: Endings) -> Endings {
        for (outcome, pairs) in other.pairs {
            *one.pairs.entry(outcome).or_insert(0) += pairs;
        }
        let max_hops = one.max_hops.max(other.max_hops);
        Endings { hops: one.hops + other.hops, max_hops, ..one }
    }
}

/// A text that comes to no end is followed for about so many steps.
const STEPS_PER_MESSAGE: u128 = 1 << 10;

/// How the messages of all ordered pairs of nodes end by the text of that name. O(pairs · hops).
pub fn follow(
    network: &dyn Network,
    text: &dyn Procedure,
    name: &str,
    budget: &Budget<'_>,
) -> Result<PrintedReport, SurveyError> {
    let order = network.order();
    let need = product([order.into(), order.into(), STEPS_PER_MESSAGE]);
    budget.affords("following the text for all pairs", need)?;
    let found = run(&Following { order, text }, Shard::WHOLE, &budget.watch)?;
    let arrived = found.pairs.get(Ending::Arrives.words()).copied().unwrap_or(0);
    let outcomes = found.pairs.iter().map(|(&outcome, &pairs)| Outcome { outcome, pairs });
    Ok(PrintedReport {
        router: name.to_owned(),
        pairs: found.pairs.values().sum(),
        arrived,
        outcomes: outcomes.collect(),
        max_hops: found.max_hops,
        mean_hops: (arrived > 0).then(|| found.hops as f64 / arrived as f64),
        how: "exhaustive",
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routers;
    use nestnet_graph::Node;
    use nestnet_routing::route::Against;

    /// A spine of eight fails, a link up, or both: the seven others share what it carried, on paths that are shortest among
    /// what is left, on one virtual channel.
    #[test]
    fn what_a_failed_spine_carried_is_spread_over_the_others() {
        let built = nestnet_topologies::build("clos(16, 2)").unwrap();
        let network = built.network.clone().unwrap();
        let budget = Budget::default();
        // The busiest link carries at most this much of the mean: 8/7 beside 1.03 of the intact network and the hash.
        for (spine, link, most) in
            [(true, false, 8.0 / 7.0), (false, true, 1.3), (true, true, 1.45)]
        {
            let mut faults = Faults::default();
            if spine {
                faults.fail_node(Node(144));
            }
            if link {
                faults.fail_link(Node(128), Node(145));
            }
            for name in ["spread", "ecmp", "dmodk", "shortest"] {
                let router = routers::find_within(&built, name, &budget).unwrap();
                let faults = Some(faults.clone());
                let routing = Routing::new(network.clone(), router, name, faults).unwrap();
                let found = routing.all(&budget).unwrap();
                assert_eq!((found.arrived, found.max_hops()), (128 * 127, Some(4)), "{name}");
                assert_eq!(found.max_stretch(Against::Alive), Some(1.0), "{name}");
                assert_eq!(found.vcs_used, 1, "{name}");
                let ratio = found.loads.unwrap().ratio().unwrap();
                assert!(ratio < most, "{name} {faults:?}: {ratio}", faults = routing.failed());
            }
        }
    }

    /// Where a cable up is dead a target has another shortest path, on one virtual channel as before.
    #[test]
    fn one_path_for_each_target_has_a_spare_one() {
        for (spec, link) in [
            ("clos(8, 3)", None),
            ("pgft([4, 4], [1, 2], [1, 2])", None),
            ("leaf_spine(4, 4, 4)", None),
            ("clos(8, 3)", Some(1)),
        ] {
            let built = nestnet_topologies::build(spec).unwrap();
            let network = built.network.clone().unwrap();
            let budget = Budget::default();
            let mut faults = Faults::default();
            // The last link of the first leaf, which leads up, and in one case one of the last node.
            let at = if link.is_some() { network.order() - 1 } else { network.hosts() };
            let mut up = None;
            network.for_each_neighbor(Node(at), &mut |_, to| up = Some(to));
            faults.fail_link(Node(at), up.unwrap());
            let router = routers::find_within(&built, "dmodk", &budget).unwrap();
            let routing = Routing::new(network.clone(), router, "dmodk", Some(faults)).unwrap();
            let found = routing.all(&budget).unwrap();
            assert_eq!(found.arrived, found.pairs, "{spec}");
            assert_eq!(found.max_stretch(Against::Intact), Some(1.0), "{spec}");
            assert_eq!(found.vcs_used, 1, "{spec}");
        }
    }
}
