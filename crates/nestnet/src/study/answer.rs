//! What does a point say? Each question by the function that answers it elsewhere, within limits that the study sets, so
//! that no machine says anything else.

use super::plan::Question;
use super::point::{Answer, Point};
use crate::compare::bill_of;
use crate::physical::{BuiltAs, COST_OPTIONS, CostSettings};
use nestnet_analysis::fault_survey::{FaultModel, fault_survey};
use nestnet_analysis::measures::{Analysis, Fact, Limits, choose};
use nestnet_analysis::simulated::{Sent, Setup};
use nestnet_analysis::throughput::{Ask, throughput};
use nestnet_graph::json::Found;
use nestnet_graph::measure::sweep::{Source, Sweeper, Swept, Threads};
use nestnet_graph::options::{apply, find};
use nestnet_graph::{Budget, Csr, Interrupted, Watch};
use nestnet_routing::flow::FlowError;
use nestnet_routing::resilience::{Failing, ResilienceRow};
use nestnet_sim::{Device, OPTIONS, Settings};
use serde::{Serialize, Serializer};
use std::error::Error;
use std::str::FromStr;

/// An answer, or why there is none.
type PointResult = Result<Answer, Box<dyn Error>>;

/// What was measured.
struct Facts(Vec<Fact>);

impl Serialize for Facts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|fact| (fact.key, Found(&fact.answer))))
    }
}

/// What a network costs.
#[derive(Serialize)]
struct CostAnswer {
    hosts: u64,
    racks: u64,
    cables: u64,
    cable_per_host: f64,
    longest_cable: f64,
    price_per_host: f64,
    power_per_host: f64,
}

/// What hosts can send.
#[derive(Serialize)]
struct ThroughputAnswer<'a> {
    hosts: u64,
    theta: f64,
    theta_exact: Option<String>,
    network_theta: Option<f64>,
    how: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    any_routing: Option<Found<'a, Between, &'a FlowError>>,
}

/// A number between two bounds.
#[derive(Serialize)]
struct Between {
    low: f64,
    high: f64,
}

/// Where the load curve ends.
#[derive(Serialize)]
struct SaturationAnswer<'a> {
    routed_by: &'a str,
    hosts: u64,
    vcs: u16,
    saturation: Option<f64>,
    most_accepted: f64,
    unloaded_latency: Option<f64>,
    deadlock: bool,
}

/// What one load does.
#[derive(Serialize)]
struct SimulateAnswer<'a> {
    routed_by: &'a str,
    hosts: u64,
    vcs: u16,
    failed: Option<usize>,
    status: String,
    accepted: f64,
    latency: LatencyAnswer,
    network_latency: f64,
    hops: f64,
    packets: u64,
    lost: Option<u64>,
}

/// How long packets take.
#[derive(Serialize)]
struct LatencyAnswer {
    mean: Option<f64>,
    ci95: Option<f64>,
    p50: u64,
    p99: u64,
}

/// What faults leave.
#[derive(Serialize)]
struct ResilienceAnswer<'a> {
    #[serde(flatten)]
    row: &'a ResilienceRow,
    hosts: u64,
}

/// Where searches from every node and simulations run.
#[derive(Clone, Copy, Debug)]
pub struct Devices<'a> {
    /// Searches.
    pub sweeper: &'a dyn Sweeper,
    /// Simulations; threads where there is none.
    pub simulator: Option<&'a dyn Device>,
}

impl Devices<'_> {
    /// The threads of this process.
    pub const THREADS: Devices<'static> = Devices { sweeper: &Threads, simulator: None };
}

/// A sweeper that is taken to need what threads need, so that no answer depends on it.
#[derive(Debug)]
struct AsThreads<'a>(&'a dyn Sweeper);

impl Sweeper for AsThreads<'_> {
    fn sweep(
        &self,
        csr: &Csr,
        sources: &[Source],
        targets: Option<&[u32]>,
        watch: &Watch<'_>,
    ) -> Result<Swept, Interrupted> {
        self.0.sweep(csr, sources, targets, watch)
    }

    fn bytes(&self, csr: &Csr) -> u128 {
        Threads.bytes(csr)
    }

    fn steps_at_once(&self) -> u128 {
        Threads.steps_at_once()
    }
}

impl Point<'_> {
    /// The answer, the same on every machine and in any number of threads; where there is none, it says why.
    pub fn answer(&self, watch: &Watch<'_>) -> Result<Answer, Interrupted> {
        self.answer_on(&Devices::THREADS, watch)
    }

    /// The same answer, found by these devices. What they cannot simulate threads do.
    pub fn answer_on(
        &self,
        devices: &Devices<'_>,
        watch: &Watch<'_>,
    ) -> Result<Answer, Interrupted> {
        watch.check()?;
        let (memory, steps) = self.study.budget;
        let quiet = Watch { progress: &|_| (), ..*watch };
        let budget = Budget { memory, steps, watch: quiet };
        let said = match self.question {
            Question::Measure => self.measure(devices, budget),
            Question::Cost => self.cost(&budget),
            Question::Throughput => self.throughput(&budget),
            Question::Simulate | Question::Saturation => match devices.simulator {
                Some(device) => {
                    let found = self.simulate(Some(device), &budget);
                    found.or_else(|_| self.simulate(None, &budget))
                }
                None => self.simulate(None, &budget),
            },
            Question::Resilience => self.resilience(&budget),
        };
        // What was stopped may look like an answer: once the watch says so, it is none.
        watch.check()?;
        Ok(said.unwrap_or_else(|error| Answer::missing(&*error)))
    }

    /// A field that the plan made of a value of this type.
    fn get<T: FromStr<Err: Error + 'static>>(&self, name: &str) -> Result<T, Box<dyn Error>> {
        Ok(self.field(name).unwrap_or_default().parse()?)
    }

    fn file(&self, path: &str) -> Result<String, String> {
        let text = self.study.texts.get(path);
        text.cloned().unwrap_or_else(|| Err("it was not read with the study".to_owned()))
    }

    fn measure(&self, devices: &Devices<'_>, budget: Budget<'_>) -> PointResult {
        let keys = self.field("keys").unwrap_or_default().split(',').map(str::to_owned);
        let sweeper = AsThreads(devices.sweeper);
        let subject = Analysis::new(&self.subject().built, Limits { how: None, budget });
        let subject = subject.sweeping_on(&sweeper);
        let questions = choose(&keys.collect::<Vec<_>>(), &subject)?;
        let facts = questions.iter().flat_map(|question| question.answer(&subject));
        Ok(Answer::of(&Facts(facts.collect()))?)
    }

    fn cost(&self, budget: &Budget<'_>) -> PointResult {
        let given = self.fields.iter().filter(|(name, _)| find(&COST_OPTIONS, name).is_ok());
        let given = given.map(|(name, value)| (*name, value.as_str()));
        let cost_model = CostSettings::read(BuiltAs::Rack, given)?.cost_model;
        let bill = bill_of(&self.subject().built, &cost_model, budget)?;
        let hosts = bill.hosts as f64;
        Ok(Answer::of(&CostAnswer {
            hosts: bill.hosts,
            racks: bill.racks,
            cables: bill.copper + bill.active + bill.fiber,
            cable_per_host: bill.length / hosts,
            longest_cable: bill.longest,
            price_per_host: bill.price_per_host(),
            power_per_host: bill.power / hosts,
        })?)
    }

    fn throughput(&self, budget: &Budget<'_>) -> PointResult {
        let file = |path: &str| self.file(path);
        let ask = Ask {
            traffic: self.field("traffic").unwrap_or_default(),
            router: self.field("router").unwrap_or_default(),
            gap: (self.field("bounds") == Some("true")).then_some(0.01),
            file: &file,
        };
        let found = throughput(&self.subject().built, &ask, budget)?;
        let any_routing = found
            .any_routing
            .as_ref()
            .map(|any| any.as_ref().map(|any| Between { low: any.low, high: any.high }));
        Ok(Answer::of(&ThroughputAnswer {
            hosts: found.hosts,
            theta: found.theta.value,
            theta_exact: found.theta.fraction.as_ref().map(ToString::to_string),
            network_theta: found.network_theta.as_ref().map(|theta| theta.value),
            how: found.how.to_string(),
            any_routing: any_routing.as_ref().map(Found),
        })?)
    }

    fn simulate(&self, device: Option<&dyn Device>, budget: &Budget<'_>) -> PointResult {
        let built = &self.subject().built;
        let by = self.field("router").filter(|name| *name != "default");
        let given = self.fields.iter().filter(|(name, _)| find(&OPTIONS, name).is_ok());
        let given = given.map(|(name, value)| (*name, value.as_str()));
        let mut settings = Settings::default();
        apply(&OPTIONS, &mut settings, given)?;
        // What a study says of virtual channels is the least; a router that needs more has more.
        settings.config.vcs = settings.vcs.take().unwrap_or(settings.config.vcs);
        let setup = Setup::of(built, by, &settings, budget)?.on_device(device);
        let seed = settings.seed;
        let rate: f64 = self.field("rate").map_or(Ok(0.0), str::parse)?;
        let setup = match rate > 0.0 {
            true => setup.after_faults(rate, seed, budget)?.widened(),
            false => setup,
        };
        let load: Option<f64> = match self.question {
            Question::Saturation => None,
            _ => Some(self.get("load")?),
        };
        let sent = Sent {
            traffic: self.field("traffic").unwrap_or_default(),
            loads: load.as_slice(),
            file: &|path: &str| self.file(path),
            ..Sent::UNIFORM
        };
        let found = setup.run(&sent.with(&settings), budget)?;
        let curve = &found.curve;
        let Some(point) = curve.points.first().filter(|_| load.is_some()) else {
            let first = curve.points.first().filter(|point| point.packets > 0);
            return Ok(Answer::of(&SaturationAnswer {
                routed_by: &setup.name,
                hosts: found.hosts,
                vcs: setup.config.vcs,
                saturation: curve.saturation,
                most_accepted: curve.most_accepted,
                unloaded_latency: first.map(|point| point.packet_latency.mean),
                deadlock: curve.points.iter().any(|point| !point.deadlock_cycle.is_empty()),
            })?);
        };
        let latency = point.packet_latency;
        Ok(Answer::of(&SimulateAnswer {
            routed_by: &setup.name,
            hosts: found.hosts,
            vcs: setup.config.vcs,
            failed: (rate > 0.0).then(|| setup.failed()),
            status: point.status.to_string(),
            accepted: point.accepted,
            latency: LatencyAnswer {
                mean: (point.packets > 0).then_some(latency.mean),
                ci95: latency.ci95,
                p50: latency.p50,
                p99: latency.p99,
            },
            network_latency: point.network_latency,
            hops: point.hops,
            packets: point.packets,
            lost: point.aftermath.map(|aftermath| aftermath.lost),
        })?)
    }

    fn resilience(&self, budget: &Budget<'_>) -> PointResult {
        let fail = self.field("fail").and_then(Failing::named).unwrap_or(Failing::Links);
        let (rate, trials): (f64, u64) = (self.get("rate")?, self.get("trials")?);
        let is_on = |name: &str| self.field(name) == Some("true");
        let model = FaultModel {
            fail,
            rates: vec![rate],
            trials,
            // Trial i has the seed of the first and i more: other seeds of a study have other trials.
            seed: self.get::<u64>("seed")?.wrapping_sub(1).wrapping_mul(trials).wrapping_add(1),
            throughput: is_on("throughput"),
            detours: is_on("detours"),
            adversary: false,
        };
        let found = fault_survey(&self.subject().built, &model, budget)?;
        Ok(Answer::of(&ResilienceAnswer { row: &found.rows[0], hosts: found.hosts })?)
    }
}
