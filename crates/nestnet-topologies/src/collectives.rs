//! Collectives by name: on the links of a network where every node is a host, else from host to host along its routes.

use crate::family::Built;
use crate::routers::default_name;
use nestnet_collectives::{Choice, Collective, PlanError, Ports, Price, Request, Time, switched};
use nestnet_graph::{Budget, Node, fields};
use serde::{Serialize, Serializer};
use thiserror::Error;

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub struct Ask<'a> {
    /// Which collective.
    pub collective: Collective,
    /// By which algorithm; `best` is the quickest of all.
    pub algorithm: &'a str,
    /// The root; node 0 where none is named.
    pub root: Option<Node>,
    /// How much a host can do in a step.
    pub ports: Ports,
    /// What messages cost; hops cost nothing where every node is a host.
    pub price: switched::Price,
    /// The payload of one host.
    pub bytes: u64,
}

/// A plan that was checked.
#[derive(Debug)]
#[non_exhaustive]
pub struct CollectivePlan {
    /// Which collective.
    pub collective: Collective,
    /// The root, where it has one.
    pub root: Option<Node>,
    /// How many hosts take part.
    pub hosts: u64,
    /// How much a host can do in a step.
    pub ports: Ports,
    /// What messages cost.
    pub price: switched::Price,
    /// The payload of one host.
    pub bytes: u64,
    /// The plan itself.
    pub plan: Plan,
}

/// How the blocks move.
#[derive(Debug)]
pub enum Plan {
    /// Over links, step by step.
    Direct(Choice),
    /// From host to host, round by round.
    Switched {
        /// By whose routes.
        router: &'static str,
        /// The best plan.
        best: switched::Planned,
        /// How every algorithm fared.
        tried: switched::Tried,
    },
}

/// Why there is no plan.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum CollectiveError {
    /// No such collective.
    #[error("unknown collective `{0}`")]
    Unknown(String),
    /// All hosts are alike to it.
    #[error("root: {} has no root", .0.name())]
    NoRoot(Collective),
    /// No such algorithm.
    #[error("unknown algorithm `{asked}`: {} has {} and best", collective.name(), known.join(", "))]
    Algorithm {
        /// What was asked for.
        asked: String,
        /// For which collective.
        collective: Collective,
        /// What there is.
        known: &'static [&'static str],
    },
    /// None is found.
    #[error(transparent)]
    Plan(#[from] PlanError),
}

/// The collective of that name.
pub fn collective(name: &str) -> Result<Collective, CollectiveError> {
    let found = Collective::ALL.into_iter().find(|one| one.name() == name);
    found.ok_or_else(|| CollectiveError::Unknown(name.to_owned()))
}

/// The plan that is asked for, or the best.
pub fn plan(
    built: &Built,
    ask: &Ask<'_>,
    budget: &Budget<'_>,
) -> Result<CollectivePlan, CollectiveError> {
    let Ask { collective, root, ports, price, bytes, .. } = *ask;
    if root.is_some() && !collective.has_root() {
        return Err(CollectiveError::NoRoot(collective));
    }
    let network = built.network.as_deref().ok_or(PlanError::NoRouter)?;
    let is_switched = network.hosts() < network.order();
    let known = match is_switched {
        true => switched::algorithms(collective),
        false => collective.algorithms(),
    };
    let algorithm = known.iter().find(|name| **name == ask.algorithm).copied();
    if algorithm.is_none() && ask.algorithm != "best" {
        let asked = ask.algorithm.to_owned();
        return Err(CollectiveError::Algorithm { asked, collective, known });
    }
    let root = root.unwrap_or(Node(0));
    let name = default_name(built);
    let router = built.router(name);
    let plan = if is_switched {
        let router = router.ok_or(PlanError::NoRouter)?;
        let budget = *budget;
        let request = switched::Request { network, router: &*router, ports, price, bytes, budget };
        let (best, tried) = match algorithm {
            Some(name) => {
                let plan = request.plan(collective, name, root)?;
                let seconds = plan.seconds;
                (plan, vec![(name, Ok(seconds))])
            }
            None => request.best(collective, root)?,
        };
        Plan::Switched { router: name, best, tried }
    } else {
        let (router, budget) = (router.as_deref(), *budget);
        let price = Price { alpha: price.alpha, beta: price.beta };
        let request = Request { network, router, collective, root, ports, price, bytes, budget };
        Plan::Direct(match algorithm {
            Some(name) => {
                let best = request.plan(name)?;
                let tried = vec![(name, Ok(best.time))];
                Choice { best, tried }
            }
            None => request.best()?,
        })
    };
    let root = collective.has_root().then_some(root);
    Ok(CollectivePlan { collective, root, hosts: network.hosts(), ports, price, bytes, plan })
}

impl CollectivePlan {
    /// The fewest rounds and the fewest payloads over a link that any plan takes.
    fn least(&self) -> (u64, f64) {
        match &self.plan {
            Plan::Direct(choice) => (choice.best.bounds.rounds, choice.best.bounds.payloads),
            Plan::Switched { best, .. } => (best.bounds.rounds, best.bounds.payloads),
        }
    }

    /// Seconds that starts of messages alone take at least.
    pub fn latency_bound(&self) -> f64 {
        self.price.alpha * self.least().0 as f64
    }

    /// Seconds that bytes alone take at least.
    pub fn bandwidth_bound(&self) -> f64 {
        self.price.beta * self.bytes as f64 * self.least().1
    }

    /// How every algorithm that was tried fared, in their order.
    pub fn attempts(&self) -> Vec<(&'static str, Attempt)> {
        fn of<T>(result: &Result<T, PlanError>, time: impl Fn(&T) -> Attempt) -> Attempt {
            let failed = |error: &PlanError| Attempt {
                error: Some(error.to_string()),
                ..Attempt::default()
            };
            result.as_ref().map_or_else(failed, time)
        }
        match &self.plan {
            Plan::Direct(Choice { tried, .. }) => {
                let time = |time: &Time| Attempt {
                    steps: Some(time.steps),
                    rounds: Some(time.rounds),
                    seconds: Some(time.seconds),
                    error: None,
                };
                tried.iter().map(|(name, result)| (*name, of(result, time))).collect()
            }
            Plan::Switched { tried, .. } => {
                let time = |time: &f64| Attempt { seconds: Some(*time), ..Attempt::default() };
                tried.iter().map(|(name, result)| (*name, of(result, time))).collect()
            }
        }
    }
}

/// How long an algorithm takes, or why it has no plan.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Attempt {
    /// Steps over links.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<u64>,
    /// Rounds over links.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u64>,
    /// Seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Why it has no plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

impl Serialize for CollectivePlan {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let algorithms = Attempts(self.attempts());
        match &self.plan {
            Plan::Direct(Choice { best, .. }) => fields!(
                serializer,
                "Collective",
                collective = self.collective.name(),
                root = self.root,
                ports = self.ports,
                algorithm = best.algorithm,
                steps = best.cost.steps,
                rounds = best.time.rounds,
                transfers = best.cost.transfers,
                busiest_load = best.cost.busiest,
                held = best.cost.held,
                lower_bound = best.bounds.steps,
                rounds_lower_bound = best.bounds.rounds,
                alpha = self.price.alpha,
                beta = self.price.beta,
                bytes = self.bytes,
                block_bytes = best.block_bytes,
                seconds = best.time.seconds,
                latency_bound = self.latency_bound(),
                bandwidth_bound = self.bandwidth_bound(),
                algorithms = algorithms,
                checked = true,
            ),
            Plan::Switched { router, best, .. } => fields!(
                serializer,
                "Collective",
                collective = self.collective.name(),
                root = self.root,
                hosts = self.hosts,
                router = router,
                ports = self.ports,
                algorithm = best.algorithm,
                rounds = best.cost.rounds,
                messages = best.cost.messages,
                blocks = best.cost.blocks,
                busiest_load = best.cost.busiest,
                load = best.cost.load,
                hops = best.cost.hops,
                held = best.cost.held,
                rounds_lower_bound = best.bounds.rounds,
                alpha = self.price.alpha,
                beta = self.price.beta,
                hop = self.price.hop,
                bytes = self.bytes,
                block_bytes = best.block_bytes,
                seconds = best.seconds,
                latency_bound = self.latency_bound(),
                bandwidth_bound = self.bandwidth_bound(),
                algorithms = algorithms,
                checked = true,
            ),
        }
    }
}

struct Attempts(Vec<(&'static str, Attempt)>);

impl Serialize for Attempts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, attempt)| (name, attempt)))
    }
}
