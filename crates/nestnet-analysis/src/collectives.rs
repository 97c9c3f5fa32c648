//! Collectives by name: on the links of a network where every node is a host, else from host to host along its routes.

use crate::routers::{self, RouterError, default_name};
use nestnet_collectives::{
    Algorithm, Choice, Collective, Fabric, PlanError, Ports, Price, Request,
};
use nestnet_graph::numbers::{seconds, seconds_a_byte};
use nestnet_graph::options::{self, Kind, Setting, Usual};
use nestnet_graph::{Budget, Node, fields, kinds};
use nestnet_topologies::family::Built;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use thiserror::Error;

/// What is asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Ask {
    /// Which collective.
    pub collective: Collective,
    /// By which algorithm; `best` is the quickest of all.
    pub algorithm: String,
    /// The root; node 0 where none is named.
    pub root: Option<Node>,
    /// By whose routes messages go, one that adapts by its minimal routes; where none is named the default of the network.
    pub router: Option<String>,
    /// How much a host can do in a step.
    pub ports: Ports,
    /// What messages cost; hops cost nothing where every node is a host.
    pub price: Price,
    /// The payload of one host.
    pub bytes: u64,
}

impl Ask {
    /// That collective, and the rest as is usual: the quickest algorithm for messages of 1 MiB, each of which takes a
    /// microsecond and 0.1 ns a byte.
    pub fn of(collective: Collective) -> Self {
        Ask {
            collective,
            algorithm: "best".to_owned(),
            root: None,
            router: None,
            ports: Ports::One,
            price: Price { alpha: 1e-6, beta: 1e-10, hop: 0.0 },
            bytes: 1 << 20,
        }
    }
}

/// A time, as [`seconds`] reads it.
const fn time(set: fn(&mut Ask, &str) -> Result<(), String>) -> Kind<Ask> {
    Kind::Text { allowed: "such as 2us or 1e-6", python: "float | str", set }
}

/// The table of what can be set of an [`Ask`], but for the collective and its root.
pub static COLLECTIVE_OPTIONS: [Setting<Ask>; 8] = [
    Setting {
        key: "router",
        title: "the router",
        about: "Through switches, the router whose routes messages take: each is divided over all that it has, such as the \
                spines and planes of `spread`; `ugal` and others that adapt take the minimal ones",
        unit: "NAME",
        usual: Usual::Said("the one that `design` gives the network"),
        kind: Kind::Text {
            allowed: "a router",
            python: "str",
            set: |ask, name| {
                ask.router = Some(name.to_owned());
                Ok(())
            },
        },
    },
    Setting {
        key: "ports",
        title: "what a node can do in a step",
        about: "How much a node can do in a step",
        unit: "",
        usual: Usual::Value("one"),
        kind: Kind::Names(&[
            options::Choice { name: "one", about: "one port", set: |ask| ask.ports = Ports::One },
            options::Choice { name: "all", about: "all ports", set: |ask| ask.ports = Ports::All },
        ]),
    },
    Setting {
        key: "algorithm",
        title: "the algorithm",
        about: "Which algorithm, of those listed below; `best` takes the one with the least time",
        unit: "NAME",
        usual: Usual::Value("best"),
        kind: Kind::Text {
            allowed: "an algorithm",
            python: "str",
            set: |ask, name| {
                name.clone_into(&mut ask.algorithm);
                Ok(())
            },
        },
    },
    Setting {
        key: "alpha",
        title: "the time of a message",
        about: "The time of every message, such as 2us; a number alone is in seconds",
        unit: "TIME",
        usual: Usual::Value("1e-6"),
        kind: time(|ask, text| seconds(text).map(|time| ask.price.alpha = time)),
    },
    Setting {
        key: "beta",
        title: "the time of a byte",
        about: "Seconds for every byte",
        unit: "SECONDS",
        usual: Usual::Value("1e-10"),
        kind: time(|ask, text| seconds(text).map(|time| ask.price.beta = time)),
    },
    Setting {
        key: "bandwidth",
        title: "the bandwidth of a link",
        about: "The bandwidth of a link in one direction, such as 400Gb/s, in place of `beta=`",
        unit: "BANDWIDTH",
        usual: Usual::Nothing,
        kind: Kind::Text {
            allowed: "such as 400Gb/s or 50GB/s",
            python: "str",
            set: |ask, text| seconds_a_byte(text).map(|time| ask.price.beta = time),
        },
    },
    Setting {
        key: "hop",
        title: "the time of a hop",
        about: "The time of every hop of a message, where switches forward it",
        unit: "TIME",
        usual: Usual::Value("0"),
        kind: time(|ask, text| seconds(text).map(|time| ask.price.hop = time)),
    },
    Setting {
        key: "bytes",
        title: "the payload",
        about: "The payload of one host",
        unit: "SIZE",
        usual: Usual::Value("1MiB"),
        kind: Kind::Bytes(|ask, bytes| ask.bytes = bytes),
    },
];

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
    pub price: Price,
    /// The payload of one host.
    pub bytes: u64,
    /// By whose routes messages go from host to host, where others switch; else blocks move over links.
    pub router: Option<String>,
    /// The plan itself, and how every algorithm fared.
    pub choice: Choice,
}

/// Why there is no plan.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum CollectiveError {
    /// No such collective.
    #[error(
        "unknown collective `{}`: there are {}",
        .0, Collective::ALL.map(Collective::name).join(", ")
    )]
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
        known: Vec<&'static str>,
    },
    /// No such router.
    #[error(transparent)]
    Router(#[from] RouterError),
    /// None is found.
    #[error(transparent)]
    Plan(#[from] PlanError),
}

kinds!(CollectiveError {
    Unknown: Unknown, Algorithm;
    Invalid: NoRoot;
    inner: Router, Plan;
});

/// The collective of that name.
pub fn collective(name: &str) -> Result<Collective, CollectiveError> {
    let found = Collective::ALL.into_iter().find(|one| one.name() == name);
    found.ok_or_else(|| CollectiveError::Unknown(name.to_owned()))
}

/// The plan that is asked for, or the best.
pub fn plan(
    built: &Built,
    ask: &Ask,
    budget: &Budget<'_>,
) -> Result<CollectivePlan, CollectiveError> {
    let Ask { collective, root, ports, price, bytes, .. } = *ask;
    let asked = ask.algorithm.as_str();
    if root.is_some() && !collective.has_root() {
        return Err(CollectiveError::NoRoot(collective));
    }
    let network = built.network.as_deref().ok_or(PlanError::NoRouter)?;
    let fabric = match network.hosts() < network.order() {
        true => Fabric::Switched,
        false => Fabric::Direct,
    };
    let algorithm = collective.algorithms(fabric).find(|one| one.is_named(asked));
    if algorithm.is_none() && asked != "best" {
        let asked = asked.to_owned();
        let known = collective.algorithms(fabric).map(Algorithm::name).collect();
        return Err(CollectiveError::Algorithm { asked, collective, known });
    }
    let root = root.unwrap_or(Node(0));
    let name = ask.router.as_deref().unwrap_or_else(|| default_name(built));
    // Of the routes between which one chooses by queues, those that it takes where there are none.
    let minimal = routers::between(name).map(|[minimal, _]| minimal);
    let router = match ask.router {
        Some(_) => Some(routers::find_within(built, minimal.as_deref().unwrap_or(name), budget)?),
        None => routers::find_within(built, name, budget).ok(),
    };
    let (router, budget) = (router.as_deref(), *budget);
    let request =
        Request { network, fabric, router, collective, root, ports, price, bytes, budget };
    let choice = match algorithm {
        Some(algorithm) => {
            let best = request.plan(algorithm)?;
            Choice { tried: vec![(algorithm, Ok(best.time))], best }
        }
        None => request.best()?,
    };
    let root = collective.has_root().then_some(root);
    let router = (fabric == Fabric::Switched).then(|| name.to_owned());
    let hosts = network.hosts();
    Ok(CollectivePlan { collective, root, hosts, ports, price, bytes, router, choice })
}

impl CollectivePlan {
    /// Seconds that starts of messages alone take at least.
    pub fn latency_bound(&self) -> f64 {
        self.price.alpha * self.choice.best.bounds.rounds as f64
    }

    /// Seconds that bytes alone take at least.
    pub fn bandwidth_bound(&self) -> f64 {
        self.price.beta * self.bytes as f64 * self.choice.best.bounds.payloads
    }

    /// Seconds that bytes take at least where the same messages go by the same routes, in whatever order.
    pub fn routes_bound(&self) -> f64 {
        self.price.beta * self.choice.best.block_bytes * self.choice.best.cost.link_load
    }

    /// Bytes a second by the size that NCCL's tests count: algorithm bandwidth. None where it takes no time.
    pub fn algorithm_bandwidth(&self) -> Option<f64> {
        let (size, _) = self.collective.bus(self.hosts, self.bytes);
        let seconds = self.choice.best.time.seconds;
        (seconds > 0.0).then(|| size / seconds)
    }

    /// Bytes a second that every host must send at least at this speed: the bus bandwidth of NCCL's tests.
    pub fn bus_bandwidth(&self) -> Option<f64> {
        let (_, factor) = self.collective.bus(self.hosts, self.bytes);
        self.algorithm_bandwidth().map(|bandwidth| bandwidth * factor)
    }

    /// How every algorithm that was tried fared, in their order.
    pub fn attempts(&self) -> impl Iterator<Item = (&'static str, Attempt)> {
        self.choice.tried.iter().map(|(algorithm, result)| {
            let attempt = match result {
                Err(error) => Attempt { error: Some(error.to_string()), ..Attempt::default() },
                Ok(time) => Attempt {
                    steps: self.router.is_none().then_some(time.steps),
                    rounds: self.router.is_none().then_some(time.rounds),
                    seconds: Some(time.seconds),
                    error: None,
                },
            };
            (algorithm.name(), attempt)
        })
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
        let best = &self.choice.best;
        let (cost, bounds) = (best.cost, best.bounds);
        let direct = |value: u64| self.router.is_none().then_some(value);
        let switched = |value: u64| self.router.as_ref().map(|_| value);
        let loaded = |value: f64| self.router.as_ref().map(|_| value);
        fields!(
            serializer,
            "Collective",
            /// Which collective it is.
            collective: &str = self.collective.name(),
            root = self.root,
            /// Hosts, where messages go by routes.
            [hosts]: u64 = switched(self.hosts),
            [router] = self.router,
            ports = self.ports,
            /// The algorithm that was taken.
            algorithm: &str = best.algorithm.name(),
            /// Steps of the schedule over links.
            [steps]: u64 = direct(cost.steps),
            rounds = self.choice.best.cost.rounds,
            /// Messages over links.
            [transfers]: u64 = direct(cost.transfers),
            /// Messages from host to host, where these go by routes.
            [messages]: u64 = switched(cost.transfers),
            /// Blocks of all messages, where these go by routes.
            [blocks]: u64 = switched(cost.blocks),
            busiest_load = self.choice.best.cost.busiest,
            /// Blocks over the busiest link in all rounds, the most of each, where messages go by routes.
            [load]: f64 = loaded(cost.load),
            /// Blocks over the busiest link in one direction in all rounds, where messages go by routes.
            [link_load]: f64 = loaded(cost.link_load),
            /// Links of the longest route, from host to host, where messages go by routes.
            [hops]: u64 = switched(cost.hops),
            held = self.choice.best.cost.held,
            /// Steps that every schedule over links takes at least.
            [lower_bound]: u64 = direct(bounds.steps),
            /// Rounds that every schedule takes at least.
            rounds_lower_bound: u64 = bounds.rounds,
            alpha = self.price.alpha,
            beta = self.price.beta,
            /// Seconds for each hop, where messages go by routes.
            [hop]: f64 = loaded(self.price.hop),
            bytes = self.bytes,
            /// Bytes of a block.
            block_bytes: f64 = best.block_bytes,
            /// How long it takes, by `alpha` and `beta`.
            seconds: f64 = best.time.seconds,
            /// Seconds that the starts of messages take at least in every schedule.
            latency_bound: f64 = self.latency_bound(),
            /// Seconds that bytes take at least in every schedule.
            bandwidth_bound: f64 = self.bandwidth_bound(),
            /// Seconds that bytes take at least by these routes, in whatever order, where messages go by
            /// routes.
            [routes_bound]: f64 = loaded(self.routes_bound()),
            /// Algorithm bandwidth, in bytes a second, as the tests of NCCL count it; none where it takes no
            /// time.
            algbw: Option<f64> = self.algorithm_bandwidth(),
            /// Bus bandwidth, in bytes a second, as the tests of NCCL count it; none where it takes no time.
            busbw: Option<f64> = self.bus_bandwidth(),
            /// How long each algorithm takes that was tried, or why it has no plan.
            algorithms: Attempts = Attempts(self.attempts().collect()),
            /// Whether the schedule was checked; what fails its check is not shown.
            checked: bool = true,
        )
    }
}

struct Attempts(Vec<(&'static str, Attempt)>);

impl Serialize for Attempts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, attempt)| (name, attempt)))
    }
}

nestnet_graph::written_as!(Attempts: BTreeMap<&str, Attempt>);

#[cfg(test)]
mod tests {
    use super::*;
    use nestnet_graph::options::faulty;
    use nestnet_topologies::build;

    /// Of 1 GB by links of 400 Gb/s and 2 us a message.
    fn asked(spec: &str, name: &str, router: Option<&str>, gigabits: f64) -> CollectivePlan {
        let price = Price { alpha: 2e-6, beta: 8e-9 / gigabits, hop: 0.0 };
        let (router, bytes) = (router.map(str::to_owned), 1_000_000_000);
        let ask = Ask { router, price, bytes, ..Ask::of(collective(name).unwrap()) };
        plan(&build(spec).unwrap(), &ask, &Budget::UNLIMITED).unwrap()
    }

    fn milliseconds(plan: &CollectivePlan) -> f64 {
        plan.choice.best.time.seconds * 1e3
    }

    /// 512 rounds with one block a channel; what these routes must carry is 512 blocks.
    #[test]
    fn an_all_to_all_keeps_the_links_of_a_hyperx_busy() {
        for router in [None, Some("ugal")] {
            let found = asked("hosts(hyperx(8, 8), 8)", "all-to-all", router, 400.0);
            let cost = found.choice.best.cost;
            assert_eq!((cost.rounds, cost.load, cost.link_load), (512, 512.0, 512.0));
            assert!((milliseconds(&found) - 21.024).abs() < 1e-6, "{found:?}");
        }
        // A side of 6 does not divide 7 hosts, nor the sides each other.
        let found = asked("hosts(hyperx(6, 5), 7)", "all-to-all", None, 400.0);
        let (seconds, bound) = (found.choice.best.time.seconds, found.routes_bound());
        assert!(seconds < 1.15 * bound, "{seconds} of {bound}");
    }

    /// What one spine, or one plane, carried takes all of them.
    #[test]
    fn all_spines_and_planes_are_used() {
        let one = asked("rails(64, 8, 64, 0, 9)", "allreduce", None, 400.0);
        let all = asked("rails(64, 8, 32, 32, 9)", "allreduce", Some("spread"), 400.0);
        assert!((milliseconds(&one) - 9.0).abs() < 0.05, "{}", milliseconds(&one));
        assert_eq!(one.choice.best.time, all.choice.best.time);
        let first = asked("rails(64, 8, 32, 32, 9)", "allreduce", Some("shortest"), 400.0);
        assert!(milliseconds(&first) > 2.0 * milliseconds(&all));
        let found = asked("planes(clos(64, 2, 1, 512), 2)", "allreduce", Some("spread"), 200.0);
        let (taken, least) = (milliseconds(&found), found.bandwidth_bound() * 1e3);
        assert!((least - 40.0 * 511.0 / 512.0).abs() < 1e-6 && taken < 1.01 * least, "{taken}");
        // By shifts, of 2 and 4 with both hosts of a switch over one link, a third of it in each plane.
        let found = asked("planes(hosts(ring(3), 2), 3)", "all-to-all", Some("shortest"), 400.0);
        let cost = found.choice.best.cost;
        assert_eq!((cost.rounds, (cost.load * 3.0).round()), (5, 7.0));
    }

    #[test]
    fn options_have_the_defaults_of_an_ask_and_set_something() {
        let other = |key, other| if key == "bandwidth" { "7GB/s" } else { other };
        let usual = Ask::of(Collective::Allreduce);
        assert_eq!(faulty(&COLLECTIVE_OPTIONS, &usual, other), [""; 0]);
    }

    #[test]
    fn an_unknown_router_is_named() {
        let built = build("clos(4, 2)").unwrap();
        let ask = Ask { router: Some("sprad".to_owned()), ..Ask::of(Collective::Allreduce) };
        let error = plan(&built, &ask, &Budget::default()).unwrap_err();
        assert!(error.to_string().contains("did you mean `spread`"), "{error}");
    }
}
