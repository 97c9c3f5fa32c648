//! What does a simulation run with, by the names that people give, and what does it find? All front ends ask here.

use crate::routers::{self, RouterError};
use crate::throughput::{Ask, ThroughputError, read_traffic, throughput};
use nestnet_graph::budget::STEPS_PER_SECOND;
use nestnet_graph::fabric::Fabric;
use nestnet_graph::json::rounded;
use nestnet_graph::{Budget, CsrError, Network, Node, fields, kinds};
use nestnet_routing::Router;
use nestnet_routing::route::assign::{AssignError, assign};
use nestnet_routing::route::{
    Cached, DetourError, Detouring, FaultSample, Faults, FaultsError, VcLimited, deadlock,
};
use nestnet_routing::traffic::Traffic;
use nestnet_routing::traffic::program::Program;
use nestnet_sim::{
    Allocator, Checkpoint, Config, Curve, Device, FailingLink, Failure, Finish, Injection, Latency,
    MAX_VCS, Making, Own, Priority, ReplyChannels, RunLength, Settings, SimError, Simulation,
    destinations, sweep,
};
use nestnet_topologies::family::Built;
use serde::ser::SerializeStruct as _;
use serde::{Serialize, Serializer};
use std::sync::Arc;
use thiserror::Error;

/// A network ready to be simulated: its router, quick to ask, on the virtual channels of its links, and what fails.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Setup<'a> {
    /// The network.
    pub built: &'a Built,
    network: &'a Arc<dyn Network>,
    /// What its router is called.
    pub name: String,
    /// How many virtual channels the router has of its own; those of [`Config::vcs`] may be more or fewer.
    pub routers_vcs: u16,
    /// How its routers work.
    pub config: Config,
    router: Arc<dyn Router>,
    failing: Vec<Cut>,
    /// Who runs its cycles in place of threads.
    device: Option<&'a dyn Device>,
}

/// When which links fail, and the routes around them.
type Cut = (u64, Vec<(Node, Node)>, Arc<dyn Router>);

/// How packets are routed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Routed<'a> {
    /// By which router; the usual one if none is named.
    pub by: Option<&'a str>,
    /// Whether any shortest hop is taken by credits, with that router as the escape: `adaptive(NAME)`.
    pub adaptive: bool,
    /// How many virtual channels a link has; if that is left open, those of the configuration, or as many as the router
    /// has where these are more.
    pub vcs: Option<u16>,
}

/// What is sent, how long, and what of it is measured.
#[derive(Clone, Copy)]
pub struct Sent<'a> {
    /// Who sends to whom, by name.
    pub traffic: &'a str,
    /// What becomes of messages to oneself.
    pub own: Own,
    /// Flits per host and cycle; all up to saturation if there are none.
    pub loads: &'a [f64],
    /// Which cycles are measured, or how precisely.
    pub length: RunLength,
    /// The random seed.
    pub seed: u64,
    /// Reads the file that a traffic names.
    pub file: &'a dyn Fn(&str) -> Result<String, String>,
    /// Where runs are kept, so that they can go on later.
    pub checkpoint: Option<&'a dyn Checkpoint>,
}

impl Sent<'static> {
    /// Uniform traffic at all loads up to saturation.
    pub const UNIFORM: Self = Sent {
        traffic: "uniform",
        own: Own::Sent,
        loads: &[],
        length: RunLength::USUAL,
        seed: 1,
        file: &|_| Err("there are no files here".to_owned()),
        checkpoint: None,
    };
}

impl Sent<'_> {
    /// The same with the cycles, the seed and the messages to oneself of these settings.
    pub fn with(self, settings: &Settings) -> Self {
        Sent { own: settings.own, length: settings.run_length(), seed: settings.seed, ..self }
    }
}

/// What a simulation found.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Simulated {
    /// What was sent, by its whole name.
    pub traffic: String,
    /// How many sent.
    pub hosts: u64,
    /// Whether the loads were chosen on the way.
    pub swept: bool,
    /// Latency over load.
    pub curve: Curve,
}

impl Simulated {
    /// Why the saturation that was found may be too high.
    pub fn warning(&self) -> Option<String> {
        let doubtful = self.curve.doubtful_from().filter(|_| self.swept)?;
        Some(format!(
            "no load from {doubtful} on has converged: the network may saturate below; measure more cycles"
        ))
    }
}

/// A network and what a simulation of it found.
#[derive(Clone, Debug)]
pub struct Run {
    /// The network.
    pub spec: String,
    /// The router by its name.
    pub router: String,
    /// How many virtual channels the router has of its own.
    pub routers_vcs: u16,
    /// How many virtual channels a link has.
    pub vcs: u16,
    /// What it found.
    pub found: Simulated,
    /// What a reader of the numbers should know.
    pub warning: Option<String>,
}

impl Serialize for Run {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Simulated { swept, curve, .. } = &self.found;
        let mut fields = serializer.serialize_struct("Simulation", 9)?;
        fields!(
            in fields,
            spec = self.spec,
            router = self.router,
            traffic = self.found.traffic,
            hosts = self.found.hosts,
            vcs = self.vcs,
            warning = self.warning,
        );
        fields!(
            in fields,
            points = self.found.curve.points,
            /// The highest load that is accepted in full, where loads were searched; none where even the
            /// lowest is too much.
            [saturation]: Option<f64> = swept.then_some(curve.saturation.map(rounded)),
            /// The most flits per host and cycle that were accepted at any load, where loads were searched.
            [most_accepted]: f64 = swept.then_some(rounded(curve.most_accepted)),
            /// Flits that crossed a switch, in all runs, where loads were searched.
            [flit_hops]: u64 = swept.then_some(curve.flit_hops),
        );
        fields.end()
    }
}

/// How a program of messages ran.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct GoalRun {
    /// The network.
    pub spec: String,
    /// The router by its name.
    pub router: String,
    /// How many ranks the program has.
    pub ranks: u64,
    /// How it ended.
    pub finish: Finish,
    /// How it ended in a word: `ok`, `deadlock`, `stopped`, or what it waits for.
    pub status: &'static str,
}

impl Serialize for GoalRun {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Finish { tasks, spans, messages, deadlock_cycle, .. } = &self.finish;
        fields!(
            serializer,
            "GoalRun",
            spec = self.spec,
            router = self.router,
            ranks = self.ranks,
            /// What all ranks do: messages sent and received, and computation.
            tasks: u64 = *tasks as u64,
            /// Tasks that were done.
            done: u64 = spans.len() as u64,
            cycles = self.finish.cycles,
            flit_hops = self.finish.flit_hops,
            /// How many messages arrived.
            messages: u64 = messages.len() as u64,
            /// How long messages took, from when their senders were ready to when all of them had arrived;
            /// none without messages.
            message_latency: Option<Latency> = self.finish.message_latency(),
            status = self.status,
            /// The packets of the dependency cycle, each with what it waits for; empty where there is none.
            deadlock_cycle: Vec<String> = deadlock_cycle.iter().map(ToString::to_string).collect(),
        )
    }
}

/// Why nothing is simulated.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum SetupError {
    /// There is no such router.
    #[error(transparent)]
    Router(#[from] RouterError),
    /// What fails is not there.
    #[error(transparent)]
    Faults(#[from] FaultsError),
    /// Each failure needs a router of its own.
    #[error("{failing} links would fail, at most {MOST_FAILING} may")]
    TooManyFail {
        /// How many would.
        failing: usize,
    },
    /// Too large for detours.
    #[error(transparent)]
    Detour(#[from] DetourError),
    /// There is no path around what failed.
    #[error(transparent)]
    Reroute(#[from] RerouteError),
    /// Some pairs of nodes have no path.
    #[error("the network is not connected, so that some packets have no path")]
    NotConnected,
    /// Both say when hosts send.
    #[error("a traffic of onoff(…) says itself when hosts send, and takes no `burst=`")]
    TwoInjections,
    /// There is no such traffic.
    #[error(transparent)]
    Traffic(#[from] ThroughputError),
    /// It cannot be simulated.
    #[error(transparent)]
    Sim(#[from] SimError),
}

kinds!(SetupError {
    Invalid: TooManyFail;
    Unsupported: NotConnected, TwoInjections;
    inner: Router, Faults, Detour, Reroute, Traffic, Sim;
});

/// Limit: links that fail during a simulation: each has a router that knows of it.
const MOST_FAILING: usize = 1 << 8;

impl<'a> Setup<'a> {
    /// The router is found, and its virtual channels are folded into those of the links where these are fewer.
    pub fn new(
        built: &'a Built,
        routed: Routed<'_>,
        config: Config,
        budget: &Budget<'_>,
    ) -> Result<Self, SetupError> {
        if !built.theory.connected() {
            return Err(SetupError::NotConnected);
        }
        let name = routed.by.unwrap_or_else(|| routers::default_name(built));
        let mut name = name.to_owned();
        let mut router = routers::find_by_length(built, &name, &config.latency, budget)?;
        if routed.adaptive && !router.adapts() {
            name = match name.as_str() {
                "shortest" => "adaptive".to_owned(),
                escape => format!("adaptive({escape})"),
            };
            router = routers::find_by_length(built, &name, &config.latency, budget)?;
        }
        Setup::by_router(built, name, router, routed.vcs, config)
    }

    /// By a router that is at hand, as one from a file of routes.
    pub fn by_router(
        built: &'a Built,
        name: String,
        router: Arc<dyn Router>,
        vcs: Option<u16>,
        config: Config,
    ) -> Result<Self, SetupError> {
        let network = built.network.as_ref().ok_or(RouterError::NotBuilt)?;
        if !built.theory.connected() {
            return Err(SetupError::NotConnected);
        }
        let router = Cached::speed_up(router, &**network);
        let own = router.host_vcs();
        let classes = config.message_classes();
        // A file may have latencies that the options lack.
        let latency = match config.latency.is_empty() {
            true => network.latencies(),
            false => config.latency,
        };
        let usual = router.usual_vcs().max(own).saturating_mul(classes).min(MAX_VCS);
        let vcs = vcs.unwrap_or(config.vcs.max(usual).next_multiple_of(classes));
        // Those of one message class.
        let each = (vcs / classes).max(1);
        let router: Arc<dyn Router> =
            if router.vcs() > each { Arc::new(VcLimited::new(router, each)) } else { router };
        Ok(Setup {
            built,
            network,
            name,
            routers_vcs: own,
            config: Config { vcs, latency, ..config },
            router,
            failing: Vec::new(),
            device: None,
        })
    }

    /// The same by settings, as the table [`OPTIONS`](nestnet_sim::OPTIONS) sets them.
    pub fn of(
        built: &'a Built,
        by: Option<&str>,
        settings: &Settings,
        budget: &Budget<'_>,
    ) -> Result<Self, SetupError> {
        let routed = Routed { by, adaptive: settings.adaptive, vcs: settings.vcs };
        Setup::new(built, routed, settings.config.clone(), budget)
    }

    /// The same on a device, whose results are those of the CPU.
    #[must_use]
    pub fn on_device(self, device: Option<&'a dyn Device>) -> Self {
        Setup { device, ..self }
    }

    /// Links fail on the way; from then on packets go around each and all before it.
    pub fn failing(mut self, mut links: Vec<FailingLink>) -> Result<Self, SetupError> {
        if links.len() > MOST_FAILING {
            return Err(SetupError::TooManyFail { failing: links.len() });
        }
        links.sort_unstable();
        let mut faults = Faults::default();
        for (cycle, link) in links {
            faults.fail_link(link.0, link.1);
            faults.check(&**self.network)?;
            let known = Arc::new(faults.clone());
            let detour = Detouring::new(self.network.clone(), self.router.clone(), known)?;
            self.failing.push((cycle, vec![link], Arc::new(detour)));
        }
        Ok(self)
    }

    /// Each link between routers has failed before the first cycle with probability `rate`, as [`reroute`] has it.
    pub fn after_faults(
        mut self,
        rate: f64,
        seed: u64,
        budget: &Budget<'_>,
    ) -> Result<Self, SetupError> {
        let around = reroute(self.network, &self.router, rate, seed, budget)?;
        self.failing = vec![(0, around.links, around.router)];
        Ok(self)
    }

    /// How many links fail.
    pub fn failed(&self) -> usize {
        self.failing.iter().map(|(_, links, _)| links.len()).sum()
    }

    /// As many virtual channels as the detours need, where no number was asked for.
    pub fn widened(mut self) -> Self {
        let most = self.failing.iter().map(|(_, _, router)| router.vcs()).max();
        let most = most.unwrap_or(0).saturating_mul(self.config.message_classes());
        self.config.vcs = self.config.vcs.max(most.min(MAX_VCS));
        self
    }

    /// What the certifier says against the router, where that takes no more than a moment.
    pub fn warning(&self, budget: &Budget<'_>) -> Option<&'static str> {
        let moment = Budget { steps: (STEPS_PER_SECOND / 4).min(budget.steps), ..*budget };
        let certificate = deadlock::certify(&**self.network, &*self.router, &moment).ok()?;
        (!certificate.is_free()).then_some("messages can deadlock")
    }

    /// What of the settings has no effect: a latency of a level that the network does not have, and links that fail when
    /// all is over.
    pub fn remarks(&self, length: RunLength) -> Vec<String> {
        /// Nodes whose links are looked at.
        const MOST: u64 = 1 << 20;
        let mut remarks = Vec::new();
        let Config { replies, reply_channels, reply_queue, .. } = &self.config;
        remarks.extend(self.idle_options());
        let latencies = self.built.theory.remarks().into_iter();
        remarks.extend(latencies.filter(|remark| remark.contains("latencies")));
        let is_shared = !replies.is_empty() && *reply_channels == ReplyChannels::Shared;
        if is_shared && reply_queue.is_some() {
            remarks.push(
                "requests and replies can deadlock: they share virtual channels, and hosts whose replies wait \
                 take no requests"
                    .to_owned(),
            );
        }
        let given = self.config.latency.len().saturating_sub(1);
        if given > 0 && self.network.order() <= MOST {
            let mut highest = 0;
            for node in (0..self.network.order()).map(Node) {
                self.network.for_each_neighbor(node, &mut |port, _| {
                    highest = highest.max(usize::from(self.network.level(node, port)));
                });
            }
            if given > highest {
                remarks.push(format!(
                    "a latency is given for level {given}, and the highest level of a link is {highest}"
                ));
            }
        }
        let end = length.fixed().end();
        let late = self.failing.iter().filter(|(cycle, ..)| *cycle >= end).count();
        if late > 0 {
            let links = if late == 1 { "a link fails" } else { "links fail" };
            remarks.push(format!("{links} after the last measured cycle, {end}"));
        }
        remarks
    }

    /// Options that change nothing, since what they belong to is not chosen.
    fn idle_options(&self) -> Vec<String> {
        let config = &self.config;
        let allocators = [config.vc_allocator, config.switch_allocator];
        let all_are = |allocator| allocators.iter().all(|&own| own == allocator);
        let rows = [
            (
                config.replies.is_empty() && config.reply_queue.is_some(),
                "reply_queue changes nothing without replies",
            ),
            (
                config.replies.is_empty() && config.reply_channels != ReplyChannels::Separate,
                "reply_channels changes nothing without replies",
            ),
            (
                config.iterations > 1 && !allocators.contains(&Allocator::Islip),
                "iterations change nothing: no allocator is islip",
            ),
            (
                config.priority == Priority::Age && all_are(Allocator::Wavefront),
                "priority age changes nothing: a wavefront has no priorities",
            ),
        ];
        let idle = rows.into_iter().filter(|(is_idle, _)| *is_idle);
        idle.map(|(_, why)| why.to_owned()).collect()
    }

    /// The simulation itself.
    pub fn simulation(&self, budget: &Budget<'_>) -> Result<Simulation<'_>, SimError> {
        let simulation = Simulation::new(&**self.network, &*self.router, &self.config, budget)?;
        let failures = self.failing.iter().map(|(cycle, links, router)| Failure {
            cycle: *cycle,
            links: links.clone(),
            router: &**router,
        });
        simulation.with_failures(failures.collect())
    }

    /// Runs it.
    pub fn run(&self, sent: &Sent<'_>, budget: &Budget<'_>) -> Result<Simulated, SetupError> {
        let traffic = self.traffic(sent, budget)?;
        let Some(periods) = traffic.periods() else {
            return self.run_traffic(sent, &traffic, budget);
        };
        if self.config.injection != Injection::Bernoulli {
            return Err(SetupError::TwoInjections);
        }
        let mut setup = self.clone();
        setup.config.injection = Injection::Periods(periods);
        setup.run_traffic(sent, &traffic, budget)
    }

    fn run_traffic(
        &self,
        sent: &Sent<'_>,
        traffic: &Traffic,
        budget: &Budget<'_>,
    ) -> Result<Simulated, SetupError> {
        let length = traffic.period().map_or(sent.length, |period| sent.length.whole(period));
        let mut simulation = self.simulation(budget)?.kept_by(sent.checkpoint);
        if let Some(device) = self.device {
            simulation = simulation.on_device(device, Making::of(traffic, sent.own));
        }
        let destination = destinations(traffic, sent.own);
        let swept = sent.loads.is_empty();
        let curve = match swept {
            true => sweep(&simulation, &destination, length, sent.seed, budget)?,
            false => simulation.points(&destination, sent.loads, length, sent.seed, budget)?,
        };
        Ok(Simulated { traffic: traffic.name.clone(), hosts: simulation.hosts(), swept, curve })
    }

    /// Runs a program whose ranks are the hosts, `flit` bytes a flit.
    pub fn program(
        &self,
        program: &Program,
        flit: u64,
        budget: &Budget<'_>,
    ) -> Result<GoalRun, SimError> {
        let finish = self.simulation(budget)?.program(program, flit, budget)?;
        let status = match &finish {
            Finish { complete: true, .. } => "ok",
            Finish { deadlock_cycle, .. } if !deadlock_cycle.is_empty() => "deadlock",
            _ if budget.check().is_err() => "stopped",
            _ => "waits for messages that nobody sends",
        };
        Ok(GoalRun {
            spec: self.built.spec().to_string(),
            router: self.name.clone(),
            ranks: program.ranks.len() as u64,
            finish,
            status,
        })
    }

    /// Who sends to whom; `worst` is the permutation that is worst for the router, or where it adapts for the usual one.
    fn traffic(&self, sent: &Sent<'_>, budget: &Budget<'_>) -> Result<Traffic, ThroughputError> {
        let adapts = self.router.adapts();
        let router = if adapts { routers::default_name(self.built) } else { &self.name };
        let ask = Ask { traffic: sent.traffic, router, gap: None, file: sent.file };
        if sent.traffic.trim() != "worst" {
            return read_traffic(self.built, &ask, budget);
        }
        let found = throughput(self.built, &ask, budget)?;
        let worst = found.permutation.ok_or(ThroughputError::NoWorst)?;
        Ok(Traffic::permutation("worst", worst))
    }
}

/// Links that failed, and routes around them that cannot deadlock.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Rerouted {
    /// What failed.
    pub links: Vec<(Node, Node)>,
    /// The routes, on virtual channels that are proven free of cycles.
    pub router: Arc<dyn Router>,
}

/// Why there are no routes around faults.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum RerouteError {
    /// It cannot be written out.
    #[error(transparent)]
    Csr(#[from] CsrError),
    /// Too large for detours.
    #[error(transparent)]
    Detour(#[from] DetourError),
    /// No virtual channels, or no path.
    #[error(transparent)]
    Assign(#[from] AssignError),
}

kinds!(RerouteError {
    inner: Csr, Detour, Assign;
});

/// Each link between routers fails with probability `rate`, by the random sample of `seed`, as in
/// [`resilience`](nestnet_routing::resilience); routes go around what failed, and virtual channels are assigned that
/// are proven free.
pub fn reroute(
    network: &Arc<dyn Network>,
    router: &Arc<dyn Router>,
    rate: f64,
    seed: u64,
    budget: &Budget<'_>,
) -> Result<Rerouted, RerouteError> {
    let fabric = Fabric::of(&**network, budget)?;
    let mut sample = Faults::default();
    sample.draw(FaultSample { seed, nodes: 0.0, links: rate });
    let ends = (0u32..).take(fabric.hosts.len());
    let ends = ends.flat_map(|from| fabric.csr.neighbors(from).iter().map(move |&to| (from, to)));
    let links: Vec<(Node, Node)> = ends
        .filter(|(from, to)| from < to)
        .map(|(from, to)| (fabric.node(from), fabric.node(to)))
        .filter(|&(from, to)| sample.has_link(from, to))
        .collect();
    let mut faults = Faults::default();
    links.iter().for_each(|&(from, to)| faults.fail_link(from, to));
    let detours = Detouring::new(network.clone(), router.clone(), Arc::new(faults))?;
    let detours: Arc<dyn Router> = Arc::new(detours.arriving());
    let assigned = assign(network, &detours, budget)?;
    Ok(Rerouted { links, router: assigned.router })
}
