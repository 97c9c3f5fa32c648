//! What is measured at one load: a warm-up, a window, and the time until its packets have arrived.

use super::checkpoint::{Checkpoint, SavedRun};
use super::config::{Allocator, Config, RunLength, SimError, Window};
use super::cycles::Cycles;
use super::deadlock_detect::Wait;
use super::device::{Device, Making, Model, refused};
use super::device_routes::{DeviceRoutes, routes};
use super::division::Division;
use super::energy::{Energy, Events};
use super::engine::{Engine, Seen};
use super::failure::{Aftermath, Failure};
use super::link_errors::Retries;
use super::on_device::OnDevice;
use super::parts::{Part, Threads};
use super::persist::{Damaged, Persist, Saved, persist};
use super::progress::Progress;
use super::reason;
use super::record::{self, RECORDS, Recorder, Records};
use super::source::{Destination, Supply};
use super::state::Classes;
use super::tally::{ReplyTally, Spread, Tally};
use super::topology::{HOST, Topology};
use nestnet_graph::json::rounded;
use nestnet_graph::{Budget, Network, Node, fields};
use nestnet_routing::Router;
use serde::{Serialize, Serializer};
use std::{fmt, slice, thread};

/// How a point ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// What is offered is accepted.
    Ok,
    /// Less is accepted than offered.
    Saturated,
    /// What is offered is accepted, but latencies still grew in the window.
    Filling,
    /// The window is too short: latencies of its parts are correlated or drift, or packets still filled the network.
    NotConverged,
    /// Packets wait in a dependency cycle.
    Deadlock,
    /// It was stopped before all packets of the window had arrived.
    Stopped,
}

nestnet_graph::serialize_as_text!(Status);
persist!(
    enum Status {
        Ok,
        Saturated,
        Filling,
        NotConverged,
        Deadlock,
        Stopped,
    }
);
persist!(Latency { mean, p50, p99, ci95 });
persist!(Percentile { percent, latency });
persist!(Replied { accepted, packet_latency, network_latency, round_trip, packets });
persist!(ClassPoint { offered, accepted, packet_latency, network_latency, packets });
persist!(Point {
    offered,
    accepted,
    packet_latency,
    percentiles,
    histogram,
    network_latency,
    hops,
    packets,
    replied,
    classes,
    energy,
    marked,
    retries,
    records,
    population,
    cycles,
    flit_hops,
    status,
    reason,
    window,
    found,
    deadlock_cycle,
    seed,
    aftermath,
    used,
});

impl Status {
    /// All of them.
    pub const ALL: [Status; 6] = [
        Status::Ok,
        Status::Saturated,
        Status::Filling,
        Status::NotConverged,
        Status::Deadlock,
        Status::Stopped,
    ];

    /// Whether all that was offered was accepted, as far as the window tells.
    pub fn keeps_up(self) -> bool {
        matches!(self, Status::Ok | Status::Filling | Status::NotConverged)
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Status::Ok => "ok",
            Status::Saturated => "saturated",
            Status::Filling => "filling",
            Status::NotConverged => "not converged",
            Status::Deadlock => "deadlock",
            Status::Stopped => "stopped",
        })
    }
}

/// Cycles from when a packet is made to when its last flit arrives.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Latency {
    /// On average.
    pub mean: f64,
    /// Half of the packets take no longer.
    pub p50: u64,
    /// Of a hundred packets all but one take no longer.
    pub p99: u64,
    /// The mean is this near with 95 % confidence, from the means of batches that are uncorrelated; none where there are
    /// too few packets.
    pub ci95: Option<f64>,
}

impl Latency {
    /// Without an interval.
    pub(super) fn of(spread: &Spread) -> Self {
        let [p50, p99] = [0.5, 0.99].map(|part| spread.quantile(part));
        Latency { mean: spread.mean(), p50, p99, ci95: None }
    }
}

/// A latency that so many percent of the packets do not exceed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Percentile {
    /// The percentage of packets.
    pub percent: f64,
    /// Their largest latency, in cycles.
    pub latency: u64,
}

/// What became of replies.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Replied {
    /// Flits of replies per host and cycle that arrived in the window.
    pub accepted: f64,
    /// Of replies to requests of the window, from when the request had arrived.
    pub packet_latency: Latency,
    /// Of the same, on average, from when the head left the source.
    pub network_latency: f64,
    /// From when the request was made to when the reply has arrived.
    pub round_trip: Latency,
    /// How many replies.
    pub packets: u64,
}

impl Serialize for Replied {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        fields!(
            serializer,
            "Replied",
            accepted = rounded(self.accepted),
            /// Of replies to requests of the window, from when the request had arrived.
            packet_latency: OfPackets = OfPackets(self.packet_latency, self.packets),
            /// Of the same, on average, from when the head left the source.
            network_latency: Mean = Mean::of(self.network_latency, self.packets),
            /// From when the request was made to when the reply has arrived.
            round_trip: OfPackets = OfPackets(self.round_trip, self.packets),
            packets = self.packets,
        )
    }
}

/// What became of the packets of a message class.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ClassPoint {
    /// Flits per host and cycle that were to be offered.
    pub offered: f64,
    /// Flits per host and cycle that arrived in the window.
    pub accepted: f64,
    /// Of packets made in the window, waiting at the source included.
    pub packet_latency: Latency,
    /// Of the same, on average, from when the head left the source.
    pub network_latency: f64,
    /// How many packets.
    pub packets: u64,
}

impl Serialize for ClassPoint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        fields!(
            serializer,
            "ClassPoint",
            offered = rounded(self.offered),
            accepted = rounded(self.accepted),
            /// Of packets made in the window, waiting at the source included.
            packet_latency: OfPackets = OfPackets(self.packet_latency, self.packets),
            /// Of the same, on average, from when the head left the source.
            network_latency: Mean = Mean::of(self.network_latency, self.packets),
            packets = self.packets,
        )
    }
}

/// What one load led to.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Point {
    /// Flits per host and cycle that were to be offered.
    pub offered: f64,
    /// Flits per host and cycle that arrived in the window.
    pub accepted: f64,
    /// Of packets made in the window, waiting at the source included.
    pub packet_latency: Latency,
    /// Of the same packets, those of [`Config::percentiles`].
    pub percentiles: Vec<Percentile>,
    /// Of the same packets: latencies and how many packets had each, ascending.
    pub histogram: Vec<(u64, u64)>,
    /// Of the same packets, on average, from when the head left the source.
    pub network_latency: f64,
    /// Of the same packets, on average: links between routers.
    pub hops: f64,
    /// How many they are.
    pub packets: u64,
    /// The replies to them, where packets are answered; all above is of requests.
    pub replied: Option<Replied>,
    /// The same by message class, where there are several.
    pub classes: Vec<ClassPoint>,
    /// What the flits of the window cost, where that is asked for.
    pub energy: Option<Energy>,
    /// Of the same packets, the part that found a long queue and was marked, where that is done.
    pub marked: Option<f64>,
    /// Flits that links corrupted, where they do.
    pub retries: Option<Retries>,
    /// What was written down of them, as [`Config::record`] asks for.
    pub records: Records,
    /// Packets in the network, on average over the window.
    pub population: f64,
    /// Cycles simulated.
    pub cycles: u64,
    /// Flits that crossed a switch, in all cycles.
    pub flit_hops: u64,
    /// How it ended.
    pub status: Status,
    /// Why it has not converged, where that is so.
    pub reason: Option<&'static str>,
    /// The cycles that were measured.
    pub window: Window,
    /// Whether warm-up and window were found, and not given.
    pub found: bool,
    /// The dependency cycle in which packets wait, where it ended so.
    pub deadlock_cycle: Vec<Wait>,
    /// Names what was drawn at random.
    pub seed: u64,
    /// What failures did, where there were any.
    pub aftermath: Option<Aftermath>,
    /// For each link in each direction, its ends and the part of the window in which it carried a flit.
    pub used: Vec<(Node, Node, f64)>,
}

/// A mean latency, in cycles.
#[derive(Clone, Copy, Debug, Serialize)]
struct Mean {
    /// The mean; none of no packets.
    mean: Option<f64>,
}

impl Mean {
    /// The mean of that many packets; none of no packets.
    fn of(mean: f64, packets: u64) -> Self {
        Mean { mean: (packets > 0).then(|| rounded(mean)) }
    }
}

/// How long packets or messages took, in cycles; all numbers are none of no packets.
struct OfPackets(Latency, u64);

/// What failures did while packets were under way.
#[derive(Clone, Copy, Debug, Serialize)]
struct Failures {
    /// Packets that never arrived, of all cycles.
    lost: u64,
    /// The mean latency of packets made before the first failure.
    latency_before: Option<f64>,
    /// The mean latency of packets made from then on.
    latency_after: Option<f64>,
}

impl Serialize for Latency {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        OfPackets(*self, 1).serialize(serializer)
    }
}

nestnet_graph::written_as!(Latency: OfPackets);

impl Serialize for OfPackets {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let OfPackets(latency, packets) = *self;
        let some = packets > 0;
        fields!(
            serializer,
            "Latency",
            /// The mean; none of no packets.
            mean: Option<f64> = some.then(|| rounded(latency.mean)),
            /// The median: half of the packets take no longer.
            p50: Option<u64> = some.then_some(latency.p50),
            /// The 99th percentile: of a hundred packets all but one take no longer.
            p99: Option<u64> = some.then_some(latency.p99),
            /// The mean is this near with 95 % confidence, from the means of batches that are uncorrelated;
            /// none where there are too few packets.
            ci95: Option<f64> = latency.ci95.map(rounded),
        )
    }
}

impl Serialize for Point {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let failures = self.aftermath.map(|Aftermath { lost, before, after }| Failures {
            lost,
            latency_before: before.map(rounded),
            latency_after: after.map(rounded),
        });
        fields!(
            serializer,
            "Point",
            offered = self.offered,
            accepted = rounded(self.accepted),
            /// Latency of packets made in the window, waiting at the source included.
            packet_latency: OfPackets = OfPackets(self.packet_latency, self.packets),
            /// Of the same packets, from when the head left the source.
            network_latency: Mean = Mean::of(self.network_latency, self.packets),
            /// Of the same packets, on average: links between routers.
            hops: Option<f64> = (self.packets > 0).then(|| rounded(self.hops)),
            /// How many packets were made in the window and arrived.
            packets = self.packets,
            cycles = self.cycles,
            flit_hops = self.flit_hops,
            status = self.status,
            /// The random seed.
            seed = self.seed,
            [replies] = self.replied,
            /// The same by message class, where there are several.
            [classes]: &Vec<ClassPoint> = (!self.classes.is_empty()).then_some(&self.classes),
            /// The percentiles that were asked for.
            [percentiles]: &Vec<Percentile> = (!self.percentiles.is_empty()).then_some(&self.percentiles),
            [energy] = self.energy,
            [link_errors] = self.retries,
            /// Of the same packets, the fraction that found a long queue and was marked, where that is done.
            [marked]: f64 = self.marked.map(rounded),
            [reason] = self.reason,
            /// The cycles that were measured, where warm-up and window were found and not given.
            [window]: Window = self.found.then_some(self.window),
            /// What failures did, where there were any.
            [failures]: Failures = failures,
            /// The dependency cycle in which packets wait, where it ended so.
            [deadlock_cycle]: &Vec<Wait> = (self.status == Status::Deadlock).then_some(&self.deadlock_cycle),
        )
    }
}

/// Networks are checked for dependency cycles after as many cycles.
pub(super) const LOOK: u64 = 1 << 12;

/// How often whoever waits is asked whether to go on, where routers are at most so many; with more of them more often, since
/// a cycle takes longer.
const ASK: u64 = 1 << 8;
const SMALL: u64 = 1 << 12;

/// How often it is looked whether all packets of the window have arrived.
pub(super) const DRAIN: u64 = 16;

/// The first multiple behind a cycle.
pub(super) fn next_multiple(now: u64, of: u64) -> u64 {
    (now / of + 1).saturating_mul(of)
}

/// A network with its router, ready to be simulated at any load.
#[derive(Debug)]
pub struct Simulation<'a> {
    pub(super) router: &'a dyn Router,
    pub(super) config: &'a Config,
    pub(super) wires: Topology,
    failures: Vec<Failure<'a>>,
    /// Among so many threads the routers are divided.
    threads: usize,
    /// Who runs its cycles in place of threads, and how it makes packets.
    device: Option<(&'a dyn Device, Making)>,
    /// Where runs are kept that are to go on later.
    checkpoint: Option<&'a dyn Checkpoint>,
    /// Whether parts run in turn on one thread.
    #[cfg(test)]
    in_turn: bool,
}

impl<'a> Simulation<'a> {
    /// Writes the links down. O(nodes + links·log degree).
    pub fn new(
        network: &dyn Network,
        router: &'a dyn Router,
        config: &'a Config,
        budget: &Budget<'_>,
    ) -> Result<Self, SimError> {
        let wires = Topology::new(network, config, budget)?;
        Classes::new(config, router)?;
        Ok(Simulation {
            router,
            config,
            wires,
            failures: Vec::new(),
            threads: 1,
            device: None,
            checkpoint: None,
            #[cfg(test)]
            in_turn: false,
        })
    }

    /// The same network, whose routers are divided among threads. All results are those of one; what one part cannot see of
    /// the others is simulated on one thread ([`is_divisible`](Simulation::is_divisible)).
    #[must_use]
    pub fn on_threads(self, threads: usize) -> Self {
        Simulation { threads: threads.max(1), ..self }
    }

    /// The same network, whose cycles a device runs in place of threads.
    #[must_use]
    pub fn on_device(self, device: &'a dyn Device, making: Making) -> Self {
        Simulation { device: Some((device, making)), ..self }
    }

    /// Whether a device runs it.
    pub(super) fn has_device(&self) -> bool {
        self.device.is_some()
    }

    /// The same network, whose runs are kept now and then and go on where they were.
    #[must_use]
    pub fn kept_by(self, checkpoint: Option<&'a dyn Checkpoint>) -> Self {
        Simulation { checkpoint, ..self }
    }

    /// The same network in so many parts, which run in turn on one thread.
    #[cfg(test)]
    pub(super) fn in_parts(self, parts: usize) -> Self {
        Simulation { in_turn: true, ..self.on_threads(parts) }
    }

    pub(super) fn threads(&self) -> usize {
        self.threads
    }

    /// Whether one load can be divided among threads. Not where links fail, where hosts learn at once what has arrived
    /// elsewhere (limits of packets on the way, congestion control), where routes depend on queues of other routers (UGAL),
    /// and where all packets are written down in an order that is not that of the routers.
    pub fn is_divisible(&self) -> bool {
        let Config { outstanding, ecn, record, speculative, reply_queue, .. } = self.config;
        let latency = |&(port, _): &(u32, u32)| self.wires.far[port as usize].latency;
        let mut latencies = self.wires.hosts.iter().map(latency);
        let first = latencies.next();
        let is_ordered = !speculative
            && reply_queue.is_none()
            && latencies.all(|latency| Some(latency) == first);
        self.failures.is_empty()
            && outstanding.is_none()
            && ecn.is_none()
            && self.router.queue_choice().is_none()
            && (!record.packets || is_ordered)
    }

    /// The same network, whose links fail.
    pub fn with_failures(mut self, mut failures: Vec<Failure<'a>>) -> Result<Self, SimError> {
        failures.sort_by_key(|failure| failure.cycle);
        for failure in &failures {
            Classes::new(self.config, failure.router)?;
        }
        self.failures = failures;
        Ok(self)
    }

    /// How many hosts send.
    pub fn hosts(&self) -> u64 {
        self.wires.hosts.len() as u64
    }

    /// Simulates one load, in flits per host and cycle, in a window that is given, or for a precision that is wanted; where
    /// links fail the window is always that of [`RunLength::fixed`]. A point that was stopped has what it saw so far.
    ///
    /// ```
    /// use nestnet_graph::{Budget, Csr};
    /// use nestnet_routing::route::Searched;
    /// use nestnet_routing::traffic::Traffic;
    /// use nestnet_sim::{Config, Own, Simulation, Window, destinations};
    /// use std::sync::Arc;
    ///
    /// let pair = Arc::new(Csr::from_links(2, &[(0, 1)], 1 << 20)?);
    /// let router = Searched::new(pair.clone()).unwrap();
    /// let config = Config::default();
    /// let simulation = Simulation::new(&*pair, &router, &config, &Budget::default())?;
    /// let traffic = Traffic::uniform(2);
    /// let to = destinations(&traffic, Own::LeftOut);
    /// let window = Window { warmup: 100, cycles: 500 };
    /// let point = simulation.point(&to, 0.1, window, 1, &Budget::default())?;
    /// // Two routers of four cycles each and their links, where no packet waits.
    /// assert!(point.packet_latency.mean >= 12.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn point(
        &self,
        destination: Destination<'_>,
        load: f64,
        length: impl Into<RunLength>,
        seed: u64,
        budget: &Budget<'_>,
    ) -> Result<Point, SimError> {
        self.point_on(self.threads, destination, load, length, seed, budget)
    }

    /// The same on so many threads.
    pub(super) fn point_on(
        &self,
        threads: usize,
        destination: Destination<'_>,
        load: f64,
        length: impl Into<RunLength>,
        seed: u64,
        budget: &Budget<'_>,
    ) -> Result<Point, SimError> {
        let mut window = length.into();
        if !self.failures.is_empty() {
            window = window.fixed().into();
        }
        let queues = self.wires.most_ports * self.wires.slots;
        let supply = Supply::new(self.config, destination, load, seed)?;
        let name = format!("load {load:?}, {window:?}");
        let kept = self.checkpoint.and_then(|checkpoint| checkpoint.kept(&name));
        let (threads, state) =
            match kept.map(|bytes| SavedRun::<Point>::read(&bytes)).transpose()? {
                Some(SavedRun::Ended(point)) => return Ok(point),
                Some(SavedRun::Begun { threads, state }) => (threads, Some(state)),
                None => (threads, None),
            };
        let asked = Asked { threads, supply, load, length: window, seed, budget, name, state };
        let point = match (&self.device, queues) {
            (Some((device, making)), _) => self.run_on_device((*device, making), &asked),
            (None, 0..=64) => self.run::<1>(&asked),
            (None, 65..=256) => self.run::<4>(&asked),
            (None, _) => self.run::<64>(&asked),
        };
        let (point, is_over) = point?;
        if let Some(checkpoint) = self.checkpoint.filter(|_| !is_over) {
            checkpoint.keep(&asked.name, SavedRun::Ended(point.clone()).write());
        }
        Ok(point)
    }

    /// Whether there is room for what is to be written down of runs of these loads.
    pub(super) fn fits_records(
        &self,
        loads: impl IntoIterator<Item = f64>,
        cycles: u64,
        budget: &Budget<'_>,
    ) -> Result<(), SimError> {
        let hosts = self.wires.hosts.len();
        let bytes = |load| record::bytes(self.config, hosts, load, cycles);
        let need = loads.into_iter().map(bytes).fold(0, u128::saturating_add);
        Ok(budget.fits(RECORDS, need)?)
    }

    /// What was measured, and whether it was stopped.
    fn run<const W: usize>(&self, asked: &Asked<'_>) -> Result<(Point, bool), SimError> {
        if asked.threads > 1 && self.wires.routers() > 1 && self.is_divisible() {
            let parts = self.wires.divide(asked.threads);
            let threads = &Threads::<W>::new(parts.len());
            #[cfg(test)]
            if self.in_turn {
                return self.run_on((&parts, Some(threads)), asked);
            }
            return thread::scope(|scope| {
                let _stopping = threads.stopping();
                for place in 1..parts.len() {
                    scope.spawn(move || threads.work(place));
                }
                self.run_on((&parts, Some(threads)), asked)
            });
        }
        let whole = (slice::from_ref(&self.wires), None);
        self.run_on::<W>(whole, asked)
    }

    /// One load on the whole network, or on its parts.
    fn run_on<'p, const W: usize>(
        &'p self,
        (parts, threads): (&'p [Topology], Option<&Threads<'p, W>>),
        asked: &'p Asked<'p>,
    ) -> Result<(Point, bool), SimError> {
        let tally = self.tally(asked)?;
        let part = |wires: &'p Topology| {
            let (config, supply) = (self.config, asked.supply.clone());
            let mut engine = Engine::<W>::new(wires, config, self.router, supply, asked.budget)?;
            engine.failures = &self.failures;
            if let Some(threads) = threads {
                threads.attach(&mut engine);
            }
            let arrived = tally.recorder.as_ref().filter(|_| threads.is_some()).map(|_| Vec::new());
            Ok(Box::new(Part { engine, tally: tally.of_part(), arrived }))
        };
        let parts = parts.iter().map(part).collect::<Result<Vec<_>, SimError>>()?;
        #[allow(unused_mut)]
        let mut cycles = Division::new(&self.wires, parts, threads);
        #[cfg(test)]
        {
            cycles.in_turn = self.in_turn;
        }
        self.run_cycles(Box::new(cycles), tally, asked)
    }

    /// One load on a device.
    fn run_on_device(
        &self,
        (device, making): (&dyn Device, &Making),
        asked: &Asked<'_>,
    ) -> Result<(Point, bool), SimError> {
        let Asked { supply, budget, .. } = asked;
        if let Some(what) = self.refused_by_device() {
            return Err(SimError::NotOnDevice { what });
        }
        let tally = self.tally(asked)?;
        let room = device.room()?.min(budget.memory);
        // What has failed before the first cycle is only another router.
        let router = self.failures.last().map_or(self.router, |failure| failure.router);
        let loses = !self.failures.is_empty();
        let DeviceRoutes { routes, headers } = routes(&self.wires, (router, loses), room, budget)?;
        let with = (making, routes);
        let model = Model::new(&self.wires, self.config, router, supply, with, loses)?;
        let cycles = device.start(&model)?;
        let cycles = OnDevice::new(
            (&self.wires, self.config, router),
            supply,
            (cycles, headers, loses),
            model.sources.is_none().then_some(model.depth),
        );
        drop(model);
        self.run_cycles(Box::new(cycles), tally, asked)
    }

    /// What a device does not do, by the name of its option.
    fn refused_by_device(&self) -> Option<&'static str> {
        let Config { record, switch_allocator, .. } = self.config;
        let input_first = *switch_allocator == Allocator::SeparableInputFirst;
        if self.failures.iter().any(|failure| failure.cycle > 0) {
            return Some("`fail=` and `fail_rate=` behind cycle 0");
        }
        if self.checkpoint.is_some() {
            return Some("`checkpoint=`");
        }
        let routers = self.failures.iter().map(|failure| failure.router).chain([self.router]);
        routers.into_iter().find_map(|router| refused(self.config, router)).or_else(|| {
            let is_ordered = self.is_divisible() && !input_first;
            (record.packets && !is_ordered)
                .then_some("`trace=` where the order of packets is not that of hosts")
        })
    }

    /// What is measured, before the first cycle.
    fn tally(&self, asked: &Asked<'_>) -> Result<Tally, SimError> {
        let &Asked { load, length, budget, .. } = asked;
        self.fits_records([load], length.shortest().cycles, budget)?;
        let mut tally = Tally::new(first_window(length), self.config.classes.len());
        tally.recorder = Recorder::new(self.config.record, self.wires.hosts.len());
        tally.failed = self.failures.first().map(|failure| failure.cycle);
        Ok(tally)
    }

    /// One load by whatever runs its cycles.
    fn run_cycles<'r>(
        &'r self,
        cycles: Box<dyn Cycles + 'r>,
        tally: Tally,
        asked: &'r Asked<'r>,
    ) -> Result<(Point, bool), SimError> {
        let &Asked { load, length, seed, budget, .. } = asked;
        let mut run = Run {
            wires: &self.wires,
            config: self.config,
            now: 0,
            cycles,
            window: first_window(length),
            tally,
            reason: None,
            asked,
            checkpoint: self.checkpoint,
            resumed: None,
            is_over: false,
        };
        if let Some(state) = &asked.state {
            run.go_on(&mut Saved(state))?;
        }
        let (status, deadlock_cycle) = match length {
            RunLength::Fixed(_) => run.whole(load, budget)?,
            RunLength::Found(precision) => run.until_precise(load, precision, budget)?,
        };
        run.cycles.finish()?;
        let found = matches!(length, RunLength::Found(_));
        // What had all it needed when the time was over has ended.
        let is_cut = status == Status::Stopped || run.reason == Some(reason::TIME_OVER);
        let is_over = run.is_over && is_cut;
        Ok((Point { found, ..run.point(load, seed, status, deadlock_cycle) }, is_over))
    }
}

/// The window that is given, and where it is to be found one that never begins.
fn first_window(length: RunLength) -> Window {
    match length {
        RunLength::Fixed(window) => window,
        RunLength::Found(_) => Window { warmup: u64::MAX, cycles: 0 },
    }
}

/// One load, and how it is measured.
struct Asked<'p> {
    threads: usize,
    supply: Supply<'p>,
    load: f64,
    length: RunLength,
    seed: u64,
    budget: &'p Budget<'p>,
    /// What it is called where it is kept, and its state from which it goes on.
    name: String,
    state: Option<Vec<u8>>,
}

pub(super) struct Run<'a> {
    pub wires: &'a Topology,
    pub config: &'a Config,
    pub now: u64,
    /// Who runs the cycles.
    pub cycles: Box<dyn Cycles + 'a>,
    /// What is measured; where that is found on the way, the first window that was tried.
    pub window: Window,
    pub tally: Tally,
    /// Why it has not converged.
    pub reason: Option<&'static str>,
    asked: &'a Asked<'a>,
    checkpoint: Option<&'a dyn Checkpoint>,
    /// How far it was where it goes on.
    pub resumed: Option<Progress>,
    /// Whether it is to end early.
    is_over: bool,
}

pub(super) type Ended = Result<(Status, Vec<Wait>), SimError>;

impl Run<'_> {
    /// All phases.
    fn whole(&mut self, load: f64, budget: &Budget<'_>) -> Ended {
        let end = self.tally.end;
        // Where all that is offered is accepted, what waits at the end of the window has arrived long before this.
        let last = end.saturating_add(end.saturating_mul(4)).saturating_add(LOOK);
        let expected = (end + end / 4).max(1) as f64;
        if self.resumed.is_none() {
            self.set_window((self.tally.begin, end));
        }
        loop {
            self.keep(&Progress::default(), budget);
            let now = self.now;
            if now == self.tally.begin {
                self.note_begin()?;
            }
            if now == end {
                self.note_end();
                if self.is_saturated(load) {
                    return Ok((self.saturated_or_filling(load), Vec::new()));
                }
            }
            if now >= end && now.is_multiple_of(DRAIN) && self.is_drained() {
                return Ok((self.converged(), Vec::new()));
            }
            if now >= last {
                return Ok((Status::Saturated, Vec::new()));
            }
            if let Some(ended) = self.ends_early(budget, expected) {
                return Ok(ended);
            }
            self.advance([self.tally.begin, end, last])?;
        }
    }

    /// Runs up to the next cycle in which something is asked: one of these, or one of those that are asked for always.
    pub fn advance<const N: usize>(&mut self, stops: [u64; N]) -> Result<(), SimError> {
        let now = self.now;
        let idle = self.moved() + self.patience();
        // In none before this one it can have been idle for so long.
        let idle = if idle > now { idle } else { now + self.patience() };
        let drained = if now >= self.tally.end { next_multiple(now, DRAIN) } else { u64::MAX };
        let stops = stops.into_iter().filter(|&stop| stop > now);
        let until =
            stops.chain([next_multiple(now, self.ask()), idle, drained]).min().unwrap_or(idle);
        self.cycles.run(&mut self.tally, until)?;
        self.now = until;
        Ok(())
    }

    /// Asks whether it is over, and keeps the state where that is so or due. What is done in this cycle before the network
    /// runs on is done again by who goes on.
    pub fn keep(&mut self, progress: &Progress, budget: &Budget<'_>) {
        if !self.now.is_multiple_of(self.ask()) {
            return;
        }
        self.is_over = budget.check().is_err();
        let Asked { name, threads, .. } = self.asked;
        if let Some(checkpoint) = self.checkpoint
            && (self.is_over || checkpoint.is_due(name))
        {
            let kept = SavedRun::<Point>::Begun {
                threads: (*threads).max(1),
                state: self.state(progress),
            };
            checkpoint.keep(name, kept.write());
        }
    }

    fn state(&self, progress: &Progress) -> Vec<u8> {
        let mut out = Vec::new();
        (self.now, self.window, self.reason).write(&mut out);
        self.tally.write(&mut out);
        progress.write(&mut out);
        self.cycles.write_state(&mut out);
        out
    }

    /// Goes on from that state.
    fn go_on(&mut self, saved: &mut Saved<'_>) -> Result<(), Damaged> {
        (self.now, self.window, self.reason) = Persist::read(saved)?;
        self.tally = Persist::read(saved)?;
        self.resumed = Some(Persist::read(saved)?);
        self.cycles.read_state(saved, &self.tally)?;
        saved.end()
    }

    /// The cycles that are measured.
    pub fn set_window(&mut self, window: (u64, u64)) {
        self.cycles.set_window(window, &self.tally);
    }

    /// A sum over all parts.
    pub fn seen(&self, of: impl Fn(&Seen) -> u64) -> u64 {
        let mut sum = 0;
        self.cycles.each_seen(&mut |seen| sum += of(seen));
        sum
    }

    /// The last cycle in which a flit crossed a switch.
    fn moved(&self) -> u64 {
        let mut last = 0;
        self.cycles.each_seen(&mut |seen| last = last.max(seen.moved));
        last
    }

    /// How it ends where it is stopped, or where packets wait in a dependency cycle.
    pub fn ends_early(
        &mut self,
        budget: &Budget<'_>,
        expected: f64,
    ) -> Option<(Status, Vec<Wait>)> {
        let now = self.now;
        if now.is_multiple_of(self.ask()) {
            if self.is_over {
                self.note_early_end();
                return Some((Status::Stopped, Vec::new()));
            }
            (budget.watch.progress)((now as f64 / expected).min(1.0));
        }
        let idle = now - self.moved().min(now);
        if now > 0 && (now.is_multiple_of(LOOK) || idle == self.patience()) {
            let deadlock_cycle = self.cycles.find_deadlock_cycle();
            if !deadlock_cycle.is_empty() {
                self.note_early_end();
                return Some((Status::Deadlock, deadlock_cycle));
            }
        }
        None
    }

    /// What has arrived as the window begins.
    pub fn note_begin(&mut self) -> Result<(), SimError> {
        self.tally.ejected.0 = self.seen(|seen| seen.ejected);
        for class in 0..self.tally.classes.len() {
            self.tally.classes[class].ejected.0 = self.seen(|seen| seen.by_class[class]);
        }
        self.tally.replied.0 = self.seen(|seen| seen.replies_ejected);
        self.tally.replies_before = self.seen(|seen| seen.replies_made);
        self.tally.injected_before = self.seen(|seen| seen.injected + seen.replies_injected);
        if let Some(recorder) = &mut self.tally.recorder {
            recorder.begin(&self.cycles.partly_arrived());
        }
        self.cycles.restart()
    }

    /// What has arrived where it ends early: in the window, unless that is over.
    fn note_early_end(&mut self) {
        if self.now <= self.tally.end || self.tally.carried.is_empty() {
            self.note_end();
        }
    }

    /// What has arrived as the window ends.
    pub fn note_end(&mut self) {
        self.tally.ejected.1 = self.seen(|seen| seen.ejected);
        for class in 0..self.tally.classes.len() {
            self.tally.classes[class].ejected.1 = self.seen(|seen| seen.by_class[class]);
        }
        self.tally.replied.1 = self.seen(|seen| seen.replies_ejected);
        self.tally.carried = self.cycles.carried();
        if self.now >= self.tally.begin
            && let Some(recorder) = &mut self.tally.recorder
        {
            recorder.end(&self.cycles.partly_arrived());
        }
        if self.config.energy {
            let injected = self.seen(|seen| seen.injected + seen.replies_injected)
                - self.tally.injected_before;
            // Links from hosts are all of one level.
            let port = self.wires.hosts.first().map_or(0, |&(port, _)| port as usize);
            let on_links = self.tally.carried.iter().zip(&self.wires.lengths);
            let on_links = on_links.map(|(&flits, length)| flits as f64 * length).sum::<f64>();
            self.tally.events = Events {
                crossed: self.cycles.crossed(),
                millimeters: on_links + injected as f64 * self.wires.lengths[port],
            };
        }
    }

    /// Cycles between two questions whether to go on, a power of two.
    fn ask(&self) -> u64 {
        let routers = self.wires.routers().max(1) as u64;
        1 << (ASK * SMALL * self.cycles.quickness() / routers).clamp(1, ASK).ilog2()
    }

    /// Cycles without any movement that no delay explains.
    fn patience(&self) -> u64 {
        let config = self.config;
        let stages = [
            config.routing_cycles(),
            config.vc_delay,
            config.switch_delay,
            config.st_delay,
            config.credit_delay,
        ];
        let stages: u64 = stages.into_iter().map(u64::from).sum();
        2 * (stages + u64::from(self.wires.longest)) + 16
    }

    /// Flits made from a cycle on and before another that still wait at their sources, on average.
    pub fn waiting(&self, end: u64, begin: u64, load: f64) -> f64 {
        let classes = 0..self.config.sources_of_host();
        let loads: Vec<f64> = classes.map(|class| load * self.config.share_of(class)).collect();
        // As a sum of an iterator begins.
        let mut sum = -0.0;
        self.cycles.each_next(&mut |next, class| {
            sum += if next < end { (end - next.max(begin)) as f64 * loads[class] } else { 0.0 };
        });
        sum
    }

    /// Those made from a cycle on to the end of the window.
    fn behind(&self, begin: u64, load: f64) -> f64 {
        self.waiting(self.tally.end, begin, load)
    }

    /// Flits made in the window, replies too.
    pub fn offered_flits(&self, load: f64) -> f64 {
        let replies = self.seen(|seen| seen.replies_made) - self.tally.replies_before;
        let made = self.seen(|seen| seen.marked_flits) + replies;
        made as f64 + self.behind(self.tally.begin, load)
    }

    /// Flits that arrived in the window, replies too.
    pub fn arrived(&self) -> f64 {
        let Tally { ejected, replied, .. } = &self.tally;
        (ejected.1 - ejected.0 + (replied.1 - replied.0)) as f64
    }

    /// By how much what arrived may differ from what was made: three deviations of the flits that are on the way.
    pub fn chance(&self) -> f64 {
        let cycles = self.tally.end - self.tally.begin;
        let inside = self.tally.population as f64 / cycles.max(1) as f64;
        3.0 * (inside * self.config.mean_packet()).sqrt()
    }

    /// Whether clearly fewer flits arrived in the window than were made.
    pub fn is_saturated(&self, load: f64) -> bool {
        self.arrived() < 0.98 * self.offered_flits(load) - self.chance()
    }

    /// Whether what is missing of the flits that were made waits at sources, and not all in a network that fills.
    pub fn waits_at_sources(&self, load: f64) -> bool {
        let behind = self.behind(0, load) + self.cycles.waiting_replies() as f64;
        let [injected, ejected] = [self.seen(|seen| seen.injected), self.seen(|seen| seen.ejected)];
        let replies_injected = self.seen(|seen| seen.replies_injected);
        let missing = injected.saturating_sub(ejected)
            + replies_injected.saturating_sub(self.seen(|seen| seen.replies_ejected));
        behind >= missing as f64 / 4.0
    }

    /// Fewer flits arrived than were made: because sources wait, or because the warm-up did not fill the network.
    fn saturated_or_filling(&mut self, load: f64) -> Status {
        if self.waits_at_sources(load) {
            return Status::Saturated;
        }
        self.reason = Some(reason::STILL_FILLED);
        Status::NotConverged
    }

    /// Whether the window says enough of what was accepted.
    fn converged(&mut self) -> Status {
        if self.tally.grew() {
            return Status::Filling;
        }
        // Where links fail in the window its latencies are meant to change.
        let doubt = self.tally.confidence().doubt.filter(|_| self.tally.failed.is_none());
        let Some(doubt) = doubt else { return Status::Ok };
        self.reason = Some(doubt.why());
        Status::NotConverged
    }

    /// Whether every packet of the window has arrived.
    pub fn is_drained(&self) -> bool {
        let end = self.tally.end;
        let packets = self.tally.latencies.packets;
        let answered = self.tally.replies.as_ref().map_or(0, |replies| replies.latencies.packets);
        packets + self.seen(|seen| seen.lost_marked) == self.seen(|seen| seen.marked)
            && (self.config.replies.is_empty()
                || answered + self.seen(|seen| seen.lost_replies) == packets)
            && self.cycles.all_next(&|next| next >= end)
    }

    fn point(self, load: f64, seed: u64, status: Status, deadlock_cycle: Vec<Wait>) -> Point {
        let [flit_hops, lost] = [self.seen(|seen| seen.flit_hops), self.seen(|seen| seen.lost)];
        let corrupted = self.cycles.corrupted();
        let Run { wires, config, now, tally, reason, .. } = self;
        let mean = |sum: u64| sum as f64 / tally.latencies.packets.max(1) as f64;
        let measured = now.min(tally.end).saturating_sub(tally.begin);
        let hosts = wires.hosts.len() as f64;
        let arrived = tally.ejected.1.saturating_sub(tally.ejected.0) as f64;
        let cycles = measured.max(1) as f64;
        let none = ReplyTally::default();
        let mut used = Vec::new();
        let mut carried = tally.carried.iter();
        for router in 0..wires.routers() {
            for port in wires.base(router)..wires.base(router) + wires.count(router) {
                let (far, flits) = (wires.far[port], carried.next().copied().unwrap_or(0));
                if far.router != HOST {
                    let to = wires.node(far.router as usize);
                    let part = (flits as f64 / cycles).min(1.0);
                    used.push((wires.node(router), to, part));
                }
            }
        }
        Point {
            offered: load,
            accepted: if measured == 0 { 0.0 } else { arrived / (hosts * cycles) },
            packet_latency: Latency {
                ci95: tally.confidence().ci95,
                ..Latency::of(&tally.latencies)
            },
            percentiles: (config.percentiles.iter())
                .map(|&percent| Percentile {
                    percent,
                    latency: tally.latencies.quantile(percent / 100.0),
                })
                .collect(),
            histogram: tally.latencies.histogram(),
            network_latency: mean(tally.network),
            hops: mean(tally.hops),
            packets: tally.latencies.packets,
            replied: (!config.replies.is_empty()).then(|| {
                let replies = tally.replies.as_deref().unwrap_or(&none);
                let arrived = tally.replied.1.saturating_sub(tally.replied.0) as f64;
                let packets = replies.latencies.packets;
                Replied {
                    accepted: if measured == 0 { 0.0 } else { arrived / (hosts * cycles) },
                    packet_latency: Latency::of(&replies.latencies),
                    network_latency: replies.network as f64 / packets.max(1) as f64,
                    round_trip: Latency::of(&replies.round_trips),
                    packets,
                }
            }),
            classes: (tally.classes.iter().enumerate())
                .map(|(class, own)| {
                    let arrived = own.ejected.1.saturating_sub(own.ejected.0) as f64;
                    let packets = own.latencies.packets;
                    ClassPoint {
                        offered: load * config.share_of(class),
                        accepted: if measured == 0 { 0.0 } else { arrived / (hosts * cycles) },
                        packet_latency: Latency::of(&own.latencies),
                        network_latency: own.network as f64 / packets.max(1) as f64,
                        packets,
                    }
                })
                .collect(),
            energy: (config.energy && measured > 0).then(|| {
                let flits = tally.ejected.1.saturating_sub(tally.ejected.0)
                    + tally.replied.1.saturating_sub(tally.replied.0);
                Energy::of(&config.energy_model, tally.events, flits, measured)
            }),
            marked: config.ecn.is_some().then(|| mean(tally.marked)),
            retries: (config.link_errors > 0.0)
                .then_some(Retries { flits: corrupted.0, corrupted: corrupted.1 }),
            records: tally.recorder.map(|recorder| recorder.finish()).unwrap_or_default(),
            population: tally.population as f64 / cycles,
            cycles: now,
            flit_hops,
            status,
            reason,
            window: Window { warmup: tally.begin.min(now), cycles: measured },
            found: false,
            deadlock_cycle,
            seed,
            aftermath: tally.failed.map(|_| {
                let mean =
                    |(sum, count): (u64, u64)| (count > 0).then(|| sum as f64 / count as f64);
                let [before, after] = tally.around.map(mean);
                Aftermath { lost, before, after }
            }),
            used,
        }
    }
}
