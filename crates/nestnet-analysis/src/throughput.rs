//! How much can hosts send under a routing and a traffic, and what could any routing do?
//!
//! ```
//! use nestnet_analysis::throughput::{Ask, throughput};
//! use nestnet_graph::Budget;
//! use nestnet_topologies::build;
//!
//! let built = build("hosts(dragonfly(4, 2), 2)").unwrap();
//! let ask = Ask { traffic: "worst", ..Ask::default() };
//! let found = throughput(&built, &ask, &Budget::default()).unwrap();
//! assert_eq!(found.theta.to_string(), "0.1 = 1/10");
//! ```

use crate::routers::{self, RouterError};
use nestnet_graph::budget::STEPS_PER_SECOND;
use nestnet_graph::distances::ratio;
use nestnet_graph::fabric::Fabric;
use nestnet_graph::json::Found;
use nestnet_graph::measure::orbit::{channel_classes, orbits_of};
use nestnet_graph::network::Automorphism;
use nestnet_graph::{Budget, How, Network, Node, Orbit, fields, kinds};
use nestnet_routing::Router;
use nestnet_routing::flow::{
    Concurrent, DEFAULT_PATHS, Demands, FlowError, Fraction, Split, concurrent, exact_load,
    host_cap, host_loads, loads, loads_by_classes, routed_loads, throughput_upper_bound,
    worst_of_router, worst_of_split,
};
use nestnet_routing::traffic::{Traffic, TrafficError};
use nestnet_topologies::family::{Built, NoNodeIds};
use num_bigint::BigUint;
use num_traits::{One, Zero};
use serde::{Serialize, Serializer};
use std::fmt;
use std::sync::Arc;
use thiserror::Error;

/// What is asked.
#[derive(Clone, Copy)]
pub struct Ask<'a> {
    /// A row of [`TRAFFIC`](nestnet_routing::traffic::TRAFFIC), or `worst`.
    pub traffic: &'a str,
    /// `all_paths`, `per_hop`, `lowest` or a router by its name.
    pub router: &'a str,
    /// Whether bounds for any routing are wanted, and how near they should come.
    pub gap: Option<f64>,
    /// The text of a file.
    pub file: &'a dyn Fn(&str) -> Result<String, String>,
}

impl Default for Ask<'_> {
    /// Uniform traffic on all shortest paths, with bounds that are within a hundredth of each other.
    fn default() -> Self {
        let file = &|_: &str| Err("no file can be read here".to_owned());
        Ask { traffic: "uniform", router: "all_paths", gap: Some(0.01), file }
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ThroughputError {
    /// Too large to look at.
    #[error(transparent)]
    NotBuilt(#[from] NoNodeIds),
    /// Nobody to send to.
    #[error("it has fewer than two hosts")]
    NoPair,
    /// No such traffic.
    #[error(transparent)]
    Traffic(#[from] TrafficError),
    /// No such router.
    #[error("{error}; besides, all_paths, per_hop and lowest divide over shortest paths")]
    Router {
        /// What is wrong.
        error: RouterError,
    },
    /// The loads are not known.
    #[error(transparent)]
    Flow(#[from] FlowError),
    /// Nothing is sent over any link.
    #[error("no permutation takes a link between switches")]
    NoWorst,
}

kinds!(ThroughputError {
    Unsupported: NoPair, NoWorst;
    inner: NotBuilt, Traffic, Router.error, Flow;
});

/// A number with its fraction, where that is known.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Exact {
    /// About 15 digits of it.
    pub value: f64,
    /// All of it.
    pub fraction: Option<Fraction>,
}

impl Exact {
    fn of(fraction: Fraction) -> Self {
        Exact { value: ratio(fraction.numer(), fraction.denom()), fraction: Some(fraction) }
    }

    fn recip(&self) -> Self {
        match &self.fraction {
            Some(fraction) => Exact::of(fraction.recip()),
            None => Exact { value: 1.0 / self.value, fraction: None },
        }
    }

    /// The fraction as text, where it is known.
    fn exact(&self) -> Option<String> {
        self.fraction.as_ref().map(ToString::to_string)
    }

    fn min(self, other: Exact) -> Self {
        match (&self.fraction, &other.fraction) {
            (Some(a), Some(b)) => {
                if a <= b {
                    self
                } else {
                    other
                }
            }
            _ => {
                if self.value <= other.value {
                    self
                } else {
                    other
                }
            }
        }
    }
}

impl fmt::Display for Exact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", crate::number_format::short_decimal(self.value))?;
        match &self.fraction {
            Some(fraction) if !fraction.is_integer() && fraction.denom().bits() <= 64 => {
                write!(f, " = {fraction}")
            }
            _ => Ok(()),
        }
    }
}

/// The channel that is full first.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Busiest {
    /// The node that sends over it.
    pub from: Node,
    /// The node at its other end.
    pub to: Node,
    /// What it bears when each host sends 1.
    pub load: Exact,
}

impl Serialize for Busiest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        fields!(
            serializer,
            "BusyChannel",
            from = self.from,
            to = self.to,
            /// Its load when each host sends 1.
            load: f64 = self.load.value,
            /// The same as a fraction, where it is known.
            load_exact: Option<String> = self.load.exact(),
        )
    }
}

/// How many channels of a level are full at θ of the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename = "FullLevel")]
#[non_exhaustive]
pub struct FullAtLevel {
    /// The level.
    pub level: u16,
    /// Channels of it that are saturated first: as busy as the busiest.
    pub full: u64,
    /// How many channels it has.
    pub channels: u64,
}

/// What any routing could do.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename = "Range")]
#[non_exhaustive]
pub struct AnyRouting {
    /// Some routing does this.
    pub low: f64,
    /// None does more.
    pub high: f64,
    /// How both are known.
    pub how: &'static str,
    /// The flow and the lengths that prove them, where they were sought.
    #[serde(skip)]
    pub certificate: Option<Concurrent>,
}

/// A bound on the worst case of any routing.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct WorstOfAny {
    /// No routing does more for this permutation; not capped.
    pub theta: Exact,
    /// How it is known.
    pub how: &'static str,
    /// Where each host sends.
    pub permutation: Vec<u64>,
}

/// What hosts can send before a channel is saturated, and what any routing could do.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Throughput {
    /// The traffic as it is written.
    pub traffic: String,
    /// The routing by its name.
    pub router: String,
    /// How many hosts send.
    pub hosts: u64,
    /// At most this much from each host: links between switches, and one a cycle injected and received.
    pub theta: Exact,
    /// What links between switches allow alone; `None` where none of them is used.
    pub network_theta: Option<Exact>,
    /// The channel that is full first.
    pub busiest: Option<Busiest>,
    /// Which channels are full, by level.
    pub full: Vec<FullAtLevel>,
    /// How the loads are known.
    pub how: How,
    /// The load of every channel of the fabric when each host sends 1.
    pub loads: Vec<f64>,
    /// What each host then sends and receives over its own link, where hosts have links that are not of the fabric.
    pub host_loads: Vec<(f64, f64)>,
    /// The switches.
    pub fabric: Arc<Fabric>,
    /// What any routing could do for this traffic, or why that is not known; `None` where no link is used or bounds
    /// were not asked for.
    pub any_routing: Option<Result<AnyRouting, FlowError>>,
    /// A bound on the worst case of any routing, or why there is none.
    pub tub: Option<Result<WorstOfAny, FlowError>>,
    /// For the worst traffic: where each host sends.
    pub permutation: Option<Vec<u64>>,
}

impl Serialize for WorstOfAny {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        fields!(
            serializer,
            "WorstOfAny",
            /// Flits per host and cycle that no routing exceeds for this permutation; not capped.
            theta: f64 = self.theta.value,
            /// The same as a fraction, where it is known.
            theta_exact: Option<String> = self.theta.exact(),
            how = self.how,
            permutation = self.permutation,
        )
    }
}

impl Serialize for Throughput {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.fields(Some(self.all_channels().collect()), serializer)
    }
}

/// The same without the loads, of which there are as many as channels.
#[derive(Clone, Copy, Debug)]
pub struct WithoutLoads<'a>(pub &'a Throughput);

impl Serialize for WithoutLoads<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.fields(None, serializer)
    }
}

nestnet_graph::written_as!(WithoutLoads<'_>: Throughput);

impl Throughput {
    fn fields<S: Serializer>(
        &self,
        loads: Option<Vec<(Node, Node, f64)>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let network = self.network_theta.as_ref();
        fields!(
            serializer,
            "Throughput",
            traffic = self.traffic,
            router = self.router,
            hosts = self.hosts,
            /// Saturation throughput in flits per host and cycle, what a host injects and receives included.
            theta: f64 = self.theta.value,
            /// The same as a fraction, where it is known.
            theta_exact: Option<String> = self.theta.exact(),
            /// The throughput of the links between switches alone; none where none of them is used.
            network_theta: Option<f64> = network.map(|theta| theta.value),
            /// The same as a fraction, where it is known.
            network_theta_exact: Option<String> = network.and_then(Exact::exact),
            busiest = self.busiest,
            full = self.full,
            how = self.how,
            /// Bounds on what any routing could carry, in flits per host and cycle; none where they were not
            /// asked for.
            any_routing: Option<Found<'_, AnyRouting, FlowError>> = self.any_routing.as_ref().map(Found),
            /// A bound on the worst case of any routing; none where it was not asked for.
            tub: Option<Found<'_, WorstOfAny, FlowError>> = self.tub.as_ref().map(Found),
            [permutation] = self.permutation,
            /// Source, target and load of each channel when each host sends 1.
            [loads]: Vec<(Node, Node, f64)> = loads,
        )
    }

    /// Every channel between switches: where it begins and ends, and its load when each host sends 1.
    pub fn channels(&self) -> impl Iterator<Item = (Node, Node, f64)> {
        let csr = &self.fabric.csr;
        let nodes = (0u32..).take(self.fabric.hosts.len());
        let ends = nodes.flat_map(|at| csr.neighbors(at).iter().map(move |&to| (at, to)));
        let node = |at: u32| self.fabric.node(at);
        ends.zip(&self.loads).map(move |((from, to), &load)| (node(from), node(to), load))
    }

    /// The same of the links of hosts, each to its switch and back, where hosts have links of their own.
    pub fn host_channels(&self) -> impl Iterator<Item = (Node, Node, f64)> {
        let hosts = (0u64..).map(Node).zip(&self.fabric.at).zip(&self.host_loads);
        hosts.flat_map(|((host, &switch), &(sent, received))| {
            let switch = self.fabric.node(switch);
            [(host, switch, sent), (switch, host, received)]
        })
    }

    /// Every channel: those between switches, then those of hosts.
    pub fn all_channels(&self) -> impl Iterator<Item = (Node, Node, f64)> {
        self.channels().chain(self.host_channels())
    }

    /// The flow and the lengths that prove the bounds for any routing, where they were sought.
    pub fn proof(&self) -> Option<Proof> {
        let bounds = self.any_routing.as_ref()?.as_ref().ok()?;
        let Concurrent { low, high, flow, lengths, .. } = bounds.certificate.as_ref()?;
        let channels: Vec<_> = self.channels().map(|(from, to, _)| (from, to)).collect();
        let flows = (0u32..).zip(flow.chunks(channels.len().max(1))).map(|(to, part)| {
            let used = part.iter().copied().enumerate().filter(|(_, flow)| *flow > 0.0);
            FlowTo { to: self.fabric.node(to), flow: used.collect() }
        });
        let (traffic, flow) = (self.traffic.clone(), flows.collect());
        Some(Proof { traffic, low: *low, high: *high, channels, lengths: lengths.clone(), flow })
    }
}

/// A flow and lengths of channels, for another program to check.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Proof {
    /// The traffic as it is written.
    pub traffic: String,
    /// The flow sends this much.
    pub low: f64,
    /// The lengths allow no more.
    pub high: f64,
    /// Both ends of every channel.
    pub channels: Vec<(Node, Node)>,
    /// The length of every channel.
    pub lengths: Vec<f64>,
    /// What flows to each switch.
    pub flow: Vec<FlowTo>,
}

/// What flows to a switch.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct FlowTo {
    /// The switch.
    pub to: Node,
    /// Channels and amounts, without those where nothing flows.
    pub flow: Vec<(usize, f64)>,
}

/// How a message goes.
enum Routing {
    Split(Split),
    Router(Arc<dyn Router>),
}

/// The most steps that bounds for any routing take: half a minute of one core.
const BOUND_STEPS: u128 = 30 * STEPS_PER_SECOND;

/// Searches from every node take no longer than this where nobody asks for more.
const EXACT_STEPS: u128 = 10 * STEPS_PER_SECOND;

/// How much each host can send.
///
/// ```
/// use nestnet_analysis::throughput::{Ask, throughput};
/// use nestnet_graph::Budget;
///
/// let ring = nestnet_topologies::build("ring(5)").unwrap();
/// let found = throughput(&ring, &Ask::default(), &Budget::default())?;
/// assert_eq!(found.network_theta.unwrap().to_string(), "1.333333 = 4/3");
/// # Ok::<(), nestnet_analysis::throughput::ThroughputError>(())
/// ```
pub fn throughput(
    built: &Built,
    ask: &Ask<'_>,
    budget: &Budget<'_>,
) -> Result<Throughput, ThroughputError> {
    network_of(built)?;
    if let Some(routes) = routers::between(ask.router) {
        return better_of(built, &routes, ask, budget);
    }
    let split = Split::named(ask.router);
    // Without a traffic of its own it is made for the one that is asked about.
    let tailored = ask.router.trim() == "optimized" && !is_worst(ask);
    let failed = |error| match error {
        RouterError::Unknown { name, mut known, .. } => {
            known.extend(Split::ALL.map(|split| split.name().to_owned()));
            ThroughputError::Router { error: routers::unknown(&name, known) }
        }
        error => ThroughputError::Router { error },
    };
    let routing = match split {
        Some(split) => Routing::Split(split),
        None if tailored => {
            let traffic = read_traffic(built, ask, budget)?;
            let router = routers::optimized_for(built, &traffic, DEFAULT_PATHS, budget);
            Routing::Router(router.map_err(failed)?)
        }
        None => {
            let router = routers::find_within(built, ask.router, budget);
            Routing::Router(router.map_err(failed)?)
        }
    };
    let name = match split {
        Some(split) => split.name().to_owned(),
        None if tailored => format!("optimized({})", ask.traffic.trim()),
        None => ask.router.to_owned(),
    };
    measured(built, routing, name, ask, budget)
}

/// Under a router that chooses by queues: as much as the better of its two routes carries, which is what an ideal choice
/// carries at least. What the choice by queues reaches is for the simulator to say.
fn better_of(
    built: &Built,
    routes: &[String; 2],
    ask: &Ask<'_>,
    budget: &Budget<'_>,
) -> Result<Throughput, ThroughputError> {
    let by = |router: &String| throughput(built, &Ask { router, ..*ask }, budget);
    let (minimal, valiant) = (by(&routes[0])?, by(&routes[1])?);
    let carried = |found: &Throughput| found.network_theta.as_ref().map_or(1.0, |one| one.value);
    let (better, as_which) = match carried(&valiant) > carried(&minimal) {
        true => (valiant, &routes[1]),
        false => (minimal, &routes[0]),
    };
    Ok(Throughput { router: format!("{} (as {as_which})", ask.router), ..better })
}

/// The same under a router that is there already; `ask` has its name.
pub fn throughput_by(
    built: &Built,
    router: &Arc<dyn Router>,
    ask: &Ask<'_>,
    budget: &Budget<'_>,
) -> Result<Throughput, ThroughputError> {
    measured(built, Routing::Router(router.clone()), ask.router.to_owned(), ask, budget)
}

fn network_of(built: &Built) -> Result<&Arc<dyn Network>, ThroughputError> {
    let network = built.with_ids()?;
    if network.hosts() < 2 {
        return Err(ThroughputError::NoPair);
    }
    Ok(network)
}

fn is_worst(ask: &Ask<'_>) -> bool {
    ask.traffic.trim() == "worst"
}

fn measured(
    built: &Built,
    routing: Routing,
    router: String,
    ask: &Ask<'_>,
    budget: &Budget<'_>,
) -> Result<Throughput, ThroughputError> {
    let network = network_of(built)?;
    let fabric = Fabric::of(&**network, budget).map_err(FlowError::from)?;
    // The same without a walk for every choice; the worst case needs as many hosts at every switch.
    let is_split = |router: &Arc<dyn Router>| {
        router.structure().all_shortest.is_some()
            && (!is_worst(ask) || fabric.hosts_each().is_some())
    };
    let routing = match routing {
        Routing::Router(router) if is_split(&router) => Routing::Split(Split::AllPaths),
        other => other,
    };
    let ground = Ground { network: &**network, fabric: Arc::new(fabric), routing, budget };
    let traffic = if is_worst(ask) { ground.worst()? } else { read_traffic(built, ask, budget)? };
    let mut found = ground.measure(&traffic)?;
    found.router = router;
    if is_worst(ask) {
        let to = traffic.as_permutation();
        found.permutation = to.map(|to| (0..traffic.hosts).map(|host| to.target(host)).collect());
    }
    if let Some(gap) = ask.gap {
        found.any_routing = ground.any_routing(&traffic, gap)?;
        // The router that was asked about is a routing too.
        if let (Some(Ok(any)), Some(own)) = (&mut found.any_routing, &found.network_theta) {
            any.low = any.low.max(own.value.min(any.high));
        }
        found.tub = (ground.fabric.csr.links() > 0).then(|| ground.upper_bound());
        found.tub = match (found.tub, &found.any_routing, traffic.as_permutation()) {
            // What no routing does for a permutation none does for its worst.
            (Some(Ok(bound)), Some(Ok(any)), Some(to)) if any.high < bound.theta.value => {
                let theta = Exact { value: any.high, fraction: None };
                let permutation = (0..traffic.hosts).map(|host| to.target(host)).collect();
                Some(Ok(WorstOfAny { theta, how: any.how, permutation }))
            }
            (bound, _, _) => bound,
        };
    }
    Ok(found)
}

/// The traffic that a text names, for the hosts of a network.
pub fn read_traffic(
    built: &Built,
    ask: &Ask<'_>,
    budget: &Budget<'_>,
) -> Result<Traffic, ThroughputError> {
    Ok(routers::read_traffic(built, ask.traffic, ask.file, budget)?)
}

struct Ground<'a> {
    network: &'a dyn Network,
    fabric: Arc<Fabric>,
    routing: Routing,
    budget: &'a Budget<'a>,
}

/// Classes of nodes and of channels under one group.
struct Classes {
    orbits: Vec<Orbit>,
    channels: Vec<u32>,
}

/// What every channel bears.
struct Loads<'a> {
    all: Vec<f64>,
    /// The same of one channel, exactly.
    exact: Box<dyn Fn(usize) -> Result<Exact, FlowError> + 'a>,
    how: How,
}

impl Ground<'_> {
    /// The group that keeps the routing.
    fn generators(&self) -> Vec<Automorphism> {
        match &self.routing {
            Routing::Split(Split::Lowest) => Vec::new(),
            Routing::Split(_) => self.fabric.automorphisms(self.network),
            Routing::Router(router) => {
                router.commutes_with().into_iter().map(|g| self.fabric.moved(g)).collect()
            }
        }
    }

    fn classes(&self) -> Option<Classes> {
        let generators = self.generators();
        let orbits = orbits_of(self.fabric.csr.order(), &generators)?;
        let channels = channel_classes(&self.fabric.csr, &generators)?;
        Some(Classes { orbits, channels })
    }

    /// The permutation that is worst for the routing.
    fn worst(&self) -> Result<Traffic, ThroughputError> {
        let classes = self.classes().map(|classes| classes.channels);
        let found = match &self.routing {
            Routing::Split(split) => {
                worst_of_split(&self.fabric, *split, classes.as_deref(), self.budget)?
            }
            // All are alike where every message goes through any node: nobody stays, and that is the most.
            Routing::Router(router) if router.structure().through.is_some() => {
                let hosts = self.network.hosts();
                let to = (0..hosts).map(|host| (host + 1) % hosts).collect();
                return Ok(Traffic::permutation("worst", to));
            }
            Routing::Router(router) => worst_of_router(
                self.network,
                &**router,
                &self.fabric,
                classes.as_deref(),
                self.budget,
            )?,
        };
        let found = found.ok_or(ThroughputError::NoWorst)?;
        Ok(Traffic::permutation("worst", found.permutation))
    }

    fn measure(&self, traffic: &Traffic) -> Result<Throughput, ThroughputError> {
        let Loads { all: loads, exact, how } = self.loads(traffic)?;
        let most = loads.iter().copied().fold(0.0, f64::max);
        let is_full = |load: f64| most > 0.0 && load >= most * (1.0 - 1e-9);
        let busiest = loads.iter().position(|&load| is_full(load));
        let busiest = busiest.map(|channel| {
            let (from, to) = self.fabric.csr.ends(channel);
            let [from, to] = [from, to].map(|node| self.fabric.node(node));
            let load = exact(channel)?;
            Ok::<_, ThroughputError>(Busiest { from, to, load })
        });
        let busiest = busiest.transpose()?;
        let network_theta = busiest.as_ref().map(|busiest| busiest.load.recip());
        let cap = host_cap(traffic, self.budget)?.max(1);
        let cap = Exact::of(Fraction::new(traffic.whole().into(), cap.into()));
        let host_loads = match self.fabric.has_host_links() {
            true => host_loads(traffic, self.budget)?,
            false => Vec::new(),
        };
        let whole = traffic.whole() as f64;
        let part = |(sent, received): (u128, u128)| (sent as f64 / whole, received as f64 / whole);
        let theta = match &network_theta {
            Some(network) => cap.min(network.clone()),
            None => cap,
        };
        Ok(Throughput {
            traffic: traffic.name.clone(),
            router: String::new(),
            hosts: traffic.hosts,
            theta,
            network_theta,
            busiest,
            full: self.by_level(&loads, is_full),
            how,
            loads,
            host_loads: host_loads.into_iter().map(part).collect(),
            fabric: self.fabric.clone(),
            any_routing: None,
            tub: None,
            permutation: None,
        })
    }

    /// All loads, and the exact load of a channel.
    fn loads(&self, traffic: &Traffic) -> Result<Loads<'_>, FlowError> {
        let split = match &self.routing {
            Routing::Split(split) => *split,
            Routing::Router(router) => {
                let demands = Demands::between_hosts(traffic, self.budget)?;
                let found =
                    routed_loads(self.network, &**router, &self.fabric, &demands, self.budget)?;
                let whole = BigUint::from(found.whole);
                let value = |load: &u128| ratio(&BigUint::from(*load), &whole);
                let loads = found.loads.iter().map(value).collect();
                let exact = move |channel: usize| {
                    Ok(Exact::of(Fraction::new(found.loads[channel].into(), whole.clone())))
                };
                return Ok(Loads { all: loads, exact: Box::new(exact), how: How::Exhaustive });
            }
        };
        let demands = Demands::of(&self.fabric, traffic, self.budget)?;
        let csr = &self.fabric.csr;
        let passes =
            u128::from(csr.order()).saturating_mul(u128::from(csr.links()).saturating_mul(8));
        let few = |classes: &Classes| classes.orbits.len() as u64 <= csr.order() / 4;
        let classes = if demands.is_uniform() { self.classes().filter(few) } else { None };
        let watch = &self.budget.watch;
        let (found, how) = match &classes {
            Some(Classes { orbits, channels }) => {
                let found =
                    loads_by_classes(&self.fabric, &demands, split, orbits, channels, watch);
                (found?, How::Symmetry)
            }
            None => {
                self.budget.affords("a pass for every destination", passes)?;
                (loads(&self.fabric, &demands, split, watch)?, How::Exhaustive)
            }
        };
        let values = found.clone();
        // One class of channels bears all distances alike, at any size.
        let even = classes.is_some_and(|classes| classes.channels.iter().all(|&class| class == 0));
        let exact = move |channel: usize| {
            let plain = Exact { value: values[channel], fraction: None };
            let ends = self.fabric.csr.ends(channel);
            if passes > EXACT_STEPS.min(self.budget.steps) && !even {
                return Ok(plain);
            }
            if even && passes > EXACT_STEPS {
                return Ok(self.even_load(&demands).unwrap_or(plain));
            }
            let fraction = exact_load(&self.fabric, &demands, split, ends, self.budget)?;
            Ok(fraction.map_or(plain, Exact::of))
        };
        Ok(Loads { all: found, exact: Box::new(exact), how })
    }

    /// What each channel bears where all are alike and all hosts send to all: distances over channels. By the levels
    /// of one search, as all nodes are alike too.
    fn even_load(&self, demands: &Demands) -> Option<Exact> {
        let each = u128::from(self.fabric.hosts_each()?);
        let levels = nestnet_graph::measure::search::levels_from(
            &self.fabric.csr,
            Node(0),
            &self.budget.watch,
        );
        let sizes = (0u128..).zip(levels.ok()?.sizes);
        let sum: u128 = sizes.map(|(distance, size)| distance * u128::from(size)).sum();
        let sum = sum * each * each * u128::from(self.fabric.csr.order());
        let channels = self.fabric.csr.targets().len() as u128;
        let below = BigUint::from(channels) * BigUint::from(demands.whole());
        Some(Exact::of(Fraction::new(sum.into(), below)))
    }

    fn by_level(&self, loads: &[f64], is_full: impl Fn(f64) -> bool) -> Vec<FullAtLevel> {
        let mut levels: Vec<FullAtLevel> = Vec::new();
        let csr = &self.fabric.csr;
        for at in 0..csr.order() {
            let from = Node(self.fabric.first + at);
            self.network.for_each_neighbor(from, &mut |port, to| {
                let Some(to) = to.0.checked_sub(self.fabric.first) else { return };
                let level = self.network.level(from, port);
                let neighbors = u32::try_from(at).map_or(&[][..], |at| csr.neighbors(at));
                let first = usize::try_from(csr.offsets()[usize::try_from(at).unwrap_or(0)]);
                let place = neighbors.iter().position(|&next| u64::from(next) == to);
                let load = place.zip(first.ok()).map_or(0.0, |(place, first)| loads[first + place]);
                let row = match levels.iter().position(|row| row.level == level) {
                    Some(row) => row,
                    None => {
                        levels.push(FullAtLevel { level, full: 0, channels: 0 });
                        levels.len() - 1
                    }
                };
                levels[row].channels += 1;
                levels[row].full += u64::from(is_full(load));
            });
        }
        levels.sort_unstable_by_key(|row| row.level);
        levels
    }

    /// Bounds for any routing: what all shortest paths do and what the sum of distances allows, then better ones.
    fn any_routing(
        &self,
        traffic: &Traffic,
        gap: f64,
    ) -> Result<Option<Result<AnyRouting, FlowError>>, ThroughputError> {
        let routing = Routing::Split(Split::AllPaths);
        let shortest = Ground { routing, fabric: self.fabric.clone(), ..*self };
        let loads = match shortest.loads(traffic) {
            Ok(loads) => loads.all,
            Err(FlowError::Interrupted(stopped)) => return Err(FlowError::from(stopped).into()),
            Err(error) => return Ok(Some(Err(error))),
        };
        let most = loads.iter().copied().fold(0.0, f64::max);
        if most == 0.0 {
            return Ok(None);
        }
        let sum: f64 = loads.iter().sum();
        let (low, high) = (1.0 / most, loads.len() as f64 / sum);
        let how = "shortest paths and the sum of distances";
        let plain = AnyRouting { low, high: high.max(low), how, certificate: None };
        if plain.high <= plain.low * (1.0 + 1e-9) {
            return Ok(Some(Ok(plain)));
        }
        let demands = Demands::of(&self.fabric, traffic, self.budget)?;
        let budget = Budget { steps: self.budget.steps.min(BOUND_STEPS), ..*self.budget };
        Ok(Some(match concurrent(&self.fabric, &demands, gap, &budget) {
            Ok(Some(found)) => Ok(AnyRouting {
                low: found.low.max(plain.low),
                high: found.high.min(plain.high),
                how: "LP bounds (multicommodity flow)",
                certificate: Some(found),
            }),
            Ok(None) => return Ok(None),
            Err(FlowError::Budget(_) | FlowError::Interrupted(_)) => Ok(plain),
            Err(error) => Err(error),
        }))
    }

    fn upper_bound(&self) -> Result<WorstOfAny, FlowError> {
        let budget = Budget { steps: self.budget.steps.min(BOUND_STEPS), ..*self.budget };
        let found = throughput_upper_bound(&self.fabric, &budget)?;
        let needed = if found.needed.is_zero() { BigUint::one() } else { found.needed.into() };
        Ok(WorstOfAny {
            theta: Exact::of(Fraction::new(found.capacity.into(), needed)),
            how: "distances",
            permutation: found.of_hosts(&self.fabric),
        })
    }
}

/// θ of uniform traffic on all shortest paths: what links between switches allow, and at most 1 where hosts have a link
/// of their own.
pub fn uniform(built: &Built, budget: &Budget<'_>) -> Result<Exact, ThroughputError> {
    let ask = Ask { gap: None, ..Ask::default() };
    let found = throughput(built, &ask, budget)?;
    let has_switches = found.fabric.has_host_links();
    Ok(match found.network_theta {
        Some(network) if !has_switches => network,
        _ => found.theta,
    })
}

/// The same to about 15 digits, in half the time.
pub fn uniform_about(built: &Built, budget: &Budget<'_>) -> Result<f64, ThroughputError> {
    let network = built.with_ids()?;
    let fabric = Fabric::of(&**network, budget).map_err(FlowError::from)?;
    let traffic = read_traffic(built, &Ask::default(), budget)?;
    let routing = Routing::Split(Split::AllPaths);
    let ground = Ground { network: &**network, fabric: Arc::new(fabric), routing, budget };
    let loads = ground.loads(&traffic)?.all;
    let most = loads.into_iter().fold(0.0, f64::max);
    Ok(if ground.fabric.has_host_links() { (1.0 / most).min(1.0) } else { 1.0 / most })
}
