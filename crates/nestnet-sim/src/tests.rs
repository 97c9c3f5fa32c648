//! Laws of the simulator: it equals its reference model, no flit is lost, and no packet is blocked forever where the routing is free of deadlock.

use super::checkpoint::Checkpoint;
use super::config::{
    Allocator, Config, Injection, MessageClass, Own, Precision, Priority, Record, ReplyChannels,
    RunLength, SimError, Switching, Window,
};
use super::energy::{Energy, EnergyModel};
use super::engine::Engine;
use super::failure::{Failure, random_failures};
use super::measure::{Point, Simulation, Status};
use super::persist::{Damaged, Saved};
use super::reason;
use super::record::{PacketRecord, Records};
use super::reference_model::ReferenceModel;
use super::source::{Destination, Supply, destinations};
use super::state::{NOBODY, Stage};
use super::topology::Topology;
use nestnet_graph::{Budget, Csr, Network, Node, Port, Watch};
use nestnet_routing::Router;
use nestnet_routing::route::{
    Adaptive, Detouring, Dimensions, Faults, Minimal, Polarized, Ugal, UgalRule, UpDownLayers,
    Valiant, VcLimited,
};
use nestnet_routing::traffic::program::{Action, Program, Task};
use nestnet_routing::traffic::{Ends, OnOff, Source, Traffic, read};
use nestnet_seed::samples::{any_graph, path, petersen, ring, torus};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

const ALL: Budget<'static> = Budget::UNLIMITED;

/// Hosts at the nodes of another network, as the end of a link each.
#[derive(Debug)]
struct WithHosts {
    base: Csr,
    each: u64,
}

impl Network for WithHosts {
    fn order(&self) -> u64 {
        self.base.order() * (self.each + 1)
    }

    fn ports(&self) -> u32 {
        self.base.ports() + u32::try_from(self.each).unwrap()
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        let hosts = self.hosts();
        let Some(switch) = at.0.checked_sub(hosts) else {
            return (port.0 == 0).then(|| Node(hosts + at.0 / self.each));
        };
        match port.0.checked_sub(self.base.ports()) {
            None => self.base.neighbor(Node(switch), port).map(|to| Node(hosts + to.0)),
            Some(own) => {
                (u64::from(own) < self.each).then(|| Node(switch * self.each + u64::from(own)))
            }
        }
    }

    fn level(&self, at: Node, port: Port) -> u16 {
        u16::from(at.0 >= self.hosts() && port.0 < self.base.ports())
    }

    fn hosts(&self) -> u64 {
        self.base.order() * self.each
    }
}

fn minimal(network: &Arc<dyn Network>) -> Arc<dyn Router> {
    Arc::new(Minimal::new(network.clone(), &ALL).unwrap())
}

fn turns(network: &Arc<dyn Network>) -> Arc<dyn Router> {
    Arc::new(UpDownLayers::new(network.clone(), minimal(network), None))
}

fn adaptive(network: &Arc<dyn Network>) -> Arc<dyn Router> {
    Arc::new(Adaptive::new(&**network, turns(network), &ALL).unwrap().unwrap())
}

fn polarized(network: &Arc<dyn Network>) -> Arc<dyn Router> {
    Arc::new(Polarized::new(&**network, &ALL).unwrap())
}

/// Networks with routers that cannot lock up on their virtual channels, those that adapt first.
fn networks() -> Vec<(Arc<dyn Network>, Arc<dyn Router>)> {
    let torus: Arc<dyn Network> = Arc::new(torus(4, 4));
    let order: Arc<dyn Router> = Arc::new(Dimensions::new(&*torus, &[4, 4]).unwrap());
    let petersen: Arc<dyn Network> = Arc::new(petersen());
    let hosts: Arc<dyn Network> = Arc::new(WithHosts { base: ring(5), each: 2 });
    let legs = UpDownLayers::new(petersen.clone(), minimal(&petersen), None);
    let valiant: Arc<dyn Router> = Arc::new(Valiant::new(Arc::new(legs), 0..10).unwrap());
    let by_queues = |network: &Arc<dyn Network>, middles, rule| -> Arc<dyn Router> {
        Arc::new(Ugal::new(turns(network), middles, rule).unwrap())
    };
    let ugal = by_queues(&petersen, 0..10, UgalRule::LOCAL);
    let global = by_queues(&hosts, 10..15, UgalRule::GLOBAL);
    let progressive = by_queues(&torus, 0..16, UgalRule::PROGRESSIVE);
    vec![
        (torus.clone(), adaptive(&torus)),
        (hosts.clone(), adaptive(&hosts)),
        (petersen.clone(), ugal),
        (hosts.clone(), global),
        (torus.clone(), progressive),
        (torus, order),
        (petersen.clone(), turns(&petersen)),
        (petersen.clone(), valiant),
        (hosts.clone(), turns(&hosts)),
        (petersen.clone(), polarized(&petersen)),
        (hosts.clone(), polarized(&hosts)),
    ]
}

fn configs() -> Vec<Config> {
    use Allocator::{Islip, SeparableInputFirst, SeparableOutputFirst, Wavefront};
    let plain = Config::default();
    vec![
        plain.clone(),
        Config {
            routing_delay: 0,
            credit_delay: 2,
            buffer: 4,
            vc_allocator: SeparableInputFirst,
            switch_allocator: SeparableInputFirst,
            packets: vec![(4, 1.0)],
            ..plain.clone()
        },
        Config { vcs: 7, input_speedup: 2, packets: vec![(1, 2.0), (5, 1.0)], ..plain.clone() },
        Config {
            switching: Switching::CutThrough,
            packets: vec![(3, 1.0), (8, 1.0)],
            injection: Injection::OnOff { burst: 12.0 },
            vc_allocator: SeparableInputFirst,
            ..plain.clone()
        },
        Config {
            routing_delay: 2,
            vc_delay: 2,
            switch_delay: 2,
            st_delay: 0,
            credit_delay: 0,
            buffer: 3,
            latency: vec![2, 5],
            vc_allocator: Islip,
            switch_allocator: SeparableInputFirst,
            packets: vec![(2, 1.0)],
            ..plain.clone()
        },
        Config { vcs: 8, replies: vec![(1, 1.0), (4, 2.0)], ..plain.clone() },
        Config {
            vcs: 4,
            buffer: 5,
            replies: vec![(5, 1.0)],
            reply_queue: Some(2),
            switching: Switching::CutThrough,
            input_speedup: 2,
            ..plain.clone()
        },
        Config {
            vcs: 3,
            packets: vec![(3, 1.0)],
            replies: vec![(2, 1.0)],
            reply_channels: ReplyChannels::Shared,
            outstanding: Some(3),
            vc_allocator: SeparableOutputFirst,
            ..plain.clone()
        },
        Config {
            vc_allocator: Wavefront,
            switch_allocator: Wavefront,
            packets: vec![(1, 1.0), (4, 1.0)],
            ..plain.clone()
        },
        Config {
            vcs: 6,
            input_speedup: 3,
            iterations: 3,
            outstanding: Some(2),
            packets: vec![(3, 1.0)],
            ..plain.clone()
        },
        Config {
            vcs: 6,
            classes: vec![MessageClass::new(1.0, Some(1)), MessageClass::new(3.0, None)],
            packets: vec![(2, 1.0), (5, 1.0)],
            priority: Priority::Class,
            ..plain.clone()
        },
        Config {
            vcs: 6,
            classes: [Some(4), None, Some(2)].map(|size| MessageClass::new(0.5, size)).to_vec(),
            input_speedup: 2,
            speculative: true,
            ..plain.clone()
        },
        Config { priority: Priority::Age, iterations: 2, packets: vec![(2, 1.0)], ..plain.clone() },
        Config { injection: Injection::Periods(OnOff { on: 15, off: 30 }), ..plain.clone() },
        Config {
            speculative: true,
            lookahead: true,
            packets: vec![(1, 1.0), (4, 1.0)],
            ..plain.clone()
        },
        Config {
            speculative: true,
            vcs: 6,
            buffer: 3,
            input_speedup: 2,
            iterations: 2,
            priority: Priority::Age,
            vc_allocator: SeparableInputFirst,
            ..plain.clone()
        },
        Config {
            speculative: true,
            switching: Switching::CutThrough,
            packets: vec![(3, 1.0)],
            switch_allocator: Wavefront,
            ..plain.clone()
        },
        Config { shared_buffer: true, buffer: 2, packets: vec![(5, 1.0)], ..plain.clone() },
        Config {
            shared_buffer: true,
            buffer: 3,
            vcs: 6,
            input_speedup: 2,
            speculative: true,
            ecn: Some(9),
            link_errors: 0.05,
            replies: vec![(3, 1.0)],
            latency: vec![2],
            ..plain.clone()
        },
        Config { ecn: Some(6), packets: vec![(2, 1.0)], ..plain.clone() },
        Config { ecn: Some(3), replies: vec![(3, 1.0)], speculative: true, ..plain.clone() },
        Config {
            link_errors: 0.1,
            energy: true,
            energy_model: EnergyModel { lengths: vec![1.5, 4.0], ..EnergyModel::default() },
            latency: vec![1, 3],
            packets: vec![(1, 1.0), (5, 1.0)],
            ..plain.clone()
        },
        Config {
            priority: Priority::Age,
            input_speedup: 2,
            vc_allocator: SeparableInputFirst,
            switch_allocator: SeparableInputFirst,
            replies: vec![(2, 1.0)],
            ..plain
        },
    ]
}

/// With as many virtual channels as the router needs, for each message class.
fn widened(config: Config, router: &dyn Router) -> Config {
    let least = router.vcs() * config.message_classes();
    Config { vcs: config.vcs.max(least), ..config }
}

/// How long the simulator is held against its model.
const CYCLES: u64 = 300;

/// Runs both for some cycles, and compares every packet and the flits that moved in every cycle.
fn are_alike<const W: usize>(
    network: &dyn Network,
    router: &dyn Router,
    config: &Config,
    load: f64,
) {
    let name = match config.injection {
        Injection::Periods(_) => "phases(40*uniform, 25*shift(1))",
        _ => "uniform",
    };
    let traffic = read(name, &Source::alone(&Ends::plain(network.hosts()))).unwrap();
    let destination = destinations(&traffic, Own::Sent);
    let wires = Topology::new(network, config, &ALL).unwrap();
    let supply = Supply::new(config, &destination, load, 3).unwrap();
    let mut engine = Engine::<W>::new(&wires, config, router, supply, &ALL).unwrap();
    let mut model = ReferenceModel::new(network, router, config, &destination, load, 3);
    let mut ours = Vec::new();
    for cycle in 0..CYCLES {
        engine.cycle();
        model.cycle();
        let what = format!("{config:?} {router:?} at {load}, cycle {cycle}");
        assert_eq!(engine.seen.flit_hops, model.flit_hops, "{what}");
        let ejected = engine.seen.ejected + engine.seen.replies_ejected;
        assert_eq!(ejected, model.ejected.len() as u64, "{what}");
        let packets = engine.seen.delivered.drain(..);
        ours.extend(packets.map(|p| {
            let times = (p.asked(), p.created, p.entered, cycle);
            (u64::from(p.source), p.to, (p.is_reply, p.marked), times, u64::from(p.hops))
        }));
    }
    let arrived = model.packets.iter().filter_map(|p| {
        let arrived = p.arrived?;
        let times = (p.asked, p.created, p.entered, arrived);
        Some((p.source, p.to, (p.is_reply, p.marked), times, p.hops))
    });
    let corrupted = engine.link_errors.as_ref().map_or(0, |errors| errors.corrupted);
    assert_eq!(corrupted, model.corrupted);
    assert_eq!(corrupted > 20, config.link_errors > 0.0, "{corrupted}");
    if config.energy {
        assert_eq!(engine.events().millimeters, model.millimeters);
        assert_eq!(engine.events().crossed, model.flit_hops);
    }
    let mut theirs: Vec<_> = arrived.collect();
    ours.sort_unstable();
    theirs.sort_unstable();
    assert!(ours.len() > 20);
    let marked = ours.iter().filter(|packet| packet.2.1).count();
    assert!(config.ecn.is_some() || marked == 0);
    assert!(config.ecn.is_none() || load < 0.5 || marked > 20, "{marked}");
    assert_eq!(ours, theirs);
    // Flits of a packet arrive in order, and each once.
    let mut next = vec![0; model.packets.len()];
    for (_, flit) in &model.ejected {
        assert_eq!(flit.number, next[flit.packet]);
        next[flit.packet] += 1;
    }
}

#[test]
fn equals_the_reference_model_cycle_by_cycle() {
    for (network, router) in networks() {
        for config in configs() {
            for load in [0.2, 0.9] {
                let config = widened(config.clone(), &*router);
                if config.shared_buffer && router.escape().is_some() {
                    continue;
                }
                are_alike::<4>(&*network, &*router, &config, load);
            }
        }
    }
}

#[test]
fn words_do_not_matter() {
    for (network, router) in networks().into_iter().skip(5).take(2) {
        let config = Config::default();
        are_alike::<1>(&*network, &*router, &config, 0.5);
        are_alike::<64>(&*network, &*router, &config, 0.5);
    }
}

#[test]
fn nothing_is_lost_and_every_credit_comes_back() {
    for (network, router) in networks() {
        for config in configs() {
            let config = widened(config, &*router);
            if config.shared_buffer && router.escape().is_some() {
                continue;
            }
            let most = config.most_of_queue();
            let traffic = Traffic::uniform(network.hosts());
            let (uniform, silent) = (destinations(&traffic, Own::Sent), AtomicBool::new(false));
            let destination = |from: u64, cycle: u64, random: &mut super::Random| {
                if silent.load(Relaxed) { None } else { uniform(from, cycle, random) }
            };
            let wires = Topology::new(&*network, &config, &ALL).unwrap();
            let supply = Supply::new(&config, &destination, 0.8, 5).unwrap();
            let mut engine = Engine::<2>::new(&wires, &config, &*router, supply, &ALL).unwrap();
            let mut delivered = 0;
            for cycle in 0..4000 {
                silent.store(cycle >= 1000, Relaxed);
                engine.cycle();
                let seen = &mut engine.seen;
                delivered += seen.delivered.drain(..).map(|p| u64::from(p.size)).sum::<u64>();
                assert!(seen.ejected <= seen.injected);
                assert!(seen.replies_ejected <= seen.replies_injected);
                let room = engine.outs.iter().all(|out| out.credits <= most);
                assert!(room && engine.queues.iter().all(|queue| queue.length <= most));
                let of_port = usize::from(config.vcs * config.buffer);
                let lengths = |port: &[super::state::Queue]| {
                    port.iter().map(|queue| usize::from(queue.length)).sum::<usize>()
                };
                assert!(engine.queues.chunks(wires.slots).all(|port| lengths(port) <= of_port));
            }
            let seen = &engine.seen;
            assert!(seen.injected + seen.replies_injected > 1000);
            assert_eq!((seen.injected, seen.entered), (seen.ejected, seen.arrived));
            let replies = [seen.replies_made, seen.replies_injected, seen.replies_ejected];
            assert_eq!(replies, [seen.replies_made; 3]);
            assert_eq!(config.replies.is_empty(), seen.replies_made == 0);
            assert_eq!(delivered, seen.injected + seen.replies_injected);
            assert!(engine.outs.iter().all(|o| o.credits == most && o.owner == NOBODY));
            assert!(engine.queues.iter().all(|q| q.length == 0 && q.stage == Stage::Idle));
            assert_eq!(engine.unused.len(), engine.packets.len());
        }
    }
}

fn simulate(
    network: &dyn Network,
    router: &dyn Router,
    config: &Config,
    load: f64,
    length: impl Into<RunLength>,
) -> Point {
    let traffic = Traffic::uniform(network.hosts());
    let destination = destinations(&traffic, Own::Sent);
    let simulation = Simulation::new(network, router, config, &ALL).unwrap();
    simulation.point(&destination, load, length, 1, &ALL).unwrap()
}

#[test]
fn a_packet_alone_takes_what_the_stages_take() {
    let network: Arc<dyn Network> = Arc::new(path(6));
    let router = minimal(&network);
    for config in configs() {
        let (packets, replies) = (vec![(3, 1.0)], Vec::new());
        let config = Config { outstanding: None, link_errors: 0.0, ..config };
        let classes = config.classes.iter().map(|class| MessageClass { size: None, ..*class });
        let classes = classes.collect();
        let config =
            Config { packets, replies, classes, injection: Injection::Bernoulli, ..config };
        for (from, to) in [(0, 0), (0, 1), (1, 5), (5, 0)] {
            let only =
                |host: u64, _: u64, _: &mut super::Random| (host == from).then_some(Node(to));
            let simulation = Simulation::new(&*network, &*router, &config, &ALL).unwrap();
            let window = Window { warmup: 0, cycles: 20_000 };
            let point = simulation.point(&only, 0.003, window, 1, &ALL).unwrap();
            let delays =
                [config.routing_cycles(), config.vc_delay, config.switch_delay, config.st_delay];
            let stages: u64 = delays.into_iter().map(u64::from).sum();
            let stages = stages - u64::from(config.speculative);
            let hops = from.abs_diff(to);
            let links = hops * u64::from(config.latency_of(0)) + 1;
            let expected = 2 + stages * (hops + 1) + links + 2;
            assert_eq!(point.packet_latency.p50, expected, "{from} to {to} {config:?}");
            assert_eq!((point.hops, point.status), (hops as f64, Status::Ok));
        }
    }
}

#[test]
fn packets_inside_are_their_rate_times_their_time() {
    let (network, router) = networks().swap_remove(5);
    let window = Window { warmup: 2000, cycles: 20_000 };
    let point = simulate(&*network, &*router, &Config::default(), 0.3, window);
    let rate = point.packets as f64 / window.cycles as f64;
    let inside = rate * point.network_latency;
    assert!((point.population / inside - 1.0).abs() < 0.01, "{} {inside}", point.population);
}

#[test]
fn windows_double_until_the_mean_is_precise() {
    let (network, router) = networks().swap_remove(5);
    let config = Config::default();
    let run = |load, precision: Precision| simulate(&*network, &*router, &config, load, precision);
    let long = Window { warmup: 5000, cycles: 60_000 };
    let mean = simulate(&*network, &*router, &config, 0.3, long).packet_latency.mean;
    for target in [0.05, 0.01, 0.002] {
        let point = run(0.3, Precision { target, ..Precision::ASKED });
        let (latency, ci95) = (point.packet_latency, point.packet_latency.ci95.unwrap());
        assert_eq!((point.status, point.reason), (Status::Ok, None));
        assert!(ci95 <= target * latency.mean, "{ci95} {target}");
        assert!((latency.mean - mean).abs() <= 2.0 * ci95 + 0.002 * mean, "{latency:?} {mean}");
        // What was counted as the window grew is what a window of that length counts.
        let again = simulate(&*network, &*router, &config, 0.3, point.window);
        assert_eq!((point.packets, latency), (again.packets, again.packet_latency));
        let counted = |point: &Point| (point.accepted, point.population, point.hops);
        assert_eq!(counted(&point), counted(&again));
    }
    let sharp = run(0.3, Precision { target: 0.002, ..Precision::ASKED });
    assert!(sharp.window.cycles > Precision::ASKED.cycles && sharp.found);
}

#[test]
fn what_is_not_precise_in_time_says_so() {
    let (network, router) = networks().swap_remove(5);
    let config = Config::default();
    let run = |load, precision: Precision| simulate(&*network, &*router, &config, load, precision);
    let short = Precision { target: 1e-4, max_cycles: 4000, ..Precision::ASKED };
    let point = run(0.3, short);
    assert_eq!(point.status, Status::NotConverged);
    assert_eq!(point.reason, Some("the interval is wider than the precision"));
    assert!(point.window.warmup + point.window.cycles <= 4000);
    let point = run(1.0, Precision::ASKED);
    assert_eq!(point.status, Status::Saturated);
    assert!(point.cycles < 20_000 && point.accepted < 0.95);
    assert_eq!(run(0.0, Precision::ASKED).status, Status::Ok);
    // A warm-up that is given is kept, and the shortest limits are.
    assert_eq!(run(0.1, Precision { warmup: Some(77), ..Precision::ASKED }).window.warmup, 77);
    for max_cycles in [1, 2, 100, 1500] {
        assert!(run(0.1, Precision { max_cycles, ..Precision::ASKED }).cycles < 3000);
    }
}

#[test]
fn results_depend_on_the_seed_alone() {
    let (network, router) = networks().swap_remove(6);
    let config = Config::default();
    let traffic = Traffic::uniform(network.hosts());
    let destination = destinations(&traffic, Own::Sent);
    let simulation = Simulation::new(&*network, &*router, &config, &ALL).unwrap();
    let window = Window { warmup: 200, cycles: 500 };
    let on = |threads, seed| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| super::sweep(&simulation, &destination, window, seed, &ALL).unwrap())
    };
    let one = on(1, 7);
    assert_eq!(one, on(3, 7));
    assert_ne!(one, on(1, 8));
    let again = simulation.point(&destination, one.points[2].offered, window, 7, &ALL).unwrap();
    assert_eq!(again, one.points[2]);
}

#[test]
fn a_sweep_measures_the_curve_and_one_load_beyond() {
    for (place, window) in
        [(5, Window { warmup: 500, cycles: 1500 }), (6, Window { warmup: 20, cycles: 30 })]
    {
        let (network, router) = networks().swap_remove(place);
        let (config, traffic) = (Config::default(), Traffic::uniform(network.hosts()));
        let destination = destinations(&traffic, Own::Sent);
        let simulation = Simulation::new(&*network, &*router, &config, &ALL).unwrap();
        for seed in 0..4 {
            let curve = super::sweep(&simulation, &destination, window, seed, &ALL).unwrap();
            let loads: Vec<f64> = curve.points.iter().map(|point| point.offered).collect();
            assert!(loads.windows(2).all(|two| two[0] < two[1]), "{loads:?}");
            let (good, beyond): (Vec<_>, Vec<_>) =
                curve.points.iter().partition(|point| point.status.keeps_up());
            // More only where short and long runs contradict each other.
            assert!(beyond.len() <= 6 && good.len() >= 10, "{loads:?}");
            let Some(first) = beyond.first().map(|point| point.offered) else { continue };
            let below = good.iter().map(|point| point.offered).filter(|&load| load < first);
            let below = below.fold(0.0, f64::max);
            assert!(first - below <= 0.0038, "{below} to {first}");
            for load in [0.01, 0.1, 0.2, 0.3].into_iter().filter(|&load| load <= 0.8 * below) {
                assert!(loads.contains(&load), "{loads:?}");
            }
            assert!(curve.flit_hops >= curve.points.iter().map(|point| point.flit_hops).sum());
        }
    }
}

/// The shorter path round a ring of 8, up where both are as long, across a dateline or on one virtual channel.
fn around(network: &Arc<dyn Network>, vcs: u16) -> Arc<dyn Router> {
    Arc::new(VcLimited::new(Arc::new(Dimensions::new(&**network, &[8]).unwrap()), vcs))
}

#[test]
fn a_ring_without_a_dateline_locks_up_and_says_how() {
    let network: Arc<dyn Network> = Arc::new(ring(8));
    let config = Config { vcs: 1, buffer: 2, packets: vec![(4, 1.0)], ..Config::default() };
    let window = Window { warmup: 0, cycles: 200_000 };
    let point = simulate(&*network, &*around(&network, 1), &config, 0.9, window);
    assert_eq!(point.status, Status::Deadlock);
    assert!(point.cycles < 200_000 && point.deadlock_cycle.len() > 2);
    for (wait, next) in point.deadlock_cycle.iter().zip(point.deadlock_cycle.iter().cycle().skip(1))
    {
        // What a packet waits for is what the next one holds, or is at the same node.
        assert!(next.at == wait.next && next.from == Some(wait.at) || next.at == wait.at, "{wait}");
    }
    let config = Config { vcs: 2, ..config };
    let point = simulate(&*network, &*around(&network, 2), &config, 0.9, window);
    assert_eq!(point.status, Status::Saturated);
}

#[test]
fn what_is_written_down_adds_up() {
    let (network, router) = networks().swap_remove(8);
    let record = Record { hosts: true, flows: true, packets: true };
    let config = Config { replies: vec![(2, 1.0)], vcs: 8, record, ..Config::default() };
    for length in [Window { warmup: 300, cycles: 900 }.into(), RunLength::USUAL] {
        let point = simulate(&*network, &*router, &config, 0.1, length);
        let Records { hosts, flows, packets, .. } = &point.records;
        assert_eq!(hosts.len() as u64, network.hosts());
        let (requests, replies): (Vec<&PacketRecord>, Vec<&PacketRecord>) =
            packets.iter().partition(|one| !one.reply);
        assert_eq!(requests.len() as u64, point.packets);
        assert_eq!(replies.len() as u64, point.replied.unwrap().packets);
        let sum: u64 = requests.iter().map(|one| one.arrived - one.created).sum();
        assert!((sum as f64 / point.packets as f64 - point.packet_latency.mean).abs() < 1e-9);
        let all = packets.len() as u64;
        assert_eq!(hosts.iter().map(|host| host.sent_packets).sum::<u64>(), all);
        assert_eq!(hosts.iter().map(|host| host.received_packets).sum::<u64>(), all);
        assert_eq!(flows.iter().map(|flow| flow.packets).sum::<u64>(), all);
        let slow = flows.iter().map(|flow| flow.latency_max).max();
        assert_eq!(slow, packets.iter().map(|one| one.arrived - one.created).max());
        let off = simulate(
            &*network,
            &*router,
            &Config { record: Record::default(), ..config.clone() },
            0.1,
            length,
        );
        assert_eq!(off, Point { records: Records::default(), ..point });
    }
}

/// Flits of hosts and flows are those that are accepted: below saturation and beyond it, in windows that are given, found
/// and stopped, on one part and several.
#[test]
fn flits_that_are_written_down_are_those_that_are_accepted() {
    let (network, router) = networks().swap_remove(8);
    let record = Record { hosts: true, flows: true, packets: false };
    let replies = [vec![], vec![(2, 1.0)]];
    let sizes = [vec![(1, 1.0)], vec![(1, 1.0), (7, 2.0)]];
    let window: RunLength = Window { warmup: 300, cycles: 900 }.into();
    let mut saturated = 0;
    let cases = replies.iter().flat_map(|replies| sizes.iter().map(move |sizes| (replies, sizes)));
    for ((replies, packets), load) in cases.flat_map(|case| [(case, 0.1), (case, 1.0)]) {
        let (replies, packets) = (replies.clone(), packets.clone());
        let config = Config { replies, packets, vcs: 8, record, ..Config::default() };
        let traffic = Traffic::uniform(network.hosts());
        let to = destinations(&traffic, Own::Sent);
        for (length, parts) in [(window, 1), (window, 3), (RunLength::USUAL, 1)] {
            let simulation = Simulation::new(&*network, &*router, &config, &ALL).unwrap();
            let point = simulation.in_parts(parts).point(&to, load, length, 3, &ALL).unwrap();
            saturated += usize::from(point.status == Status::Saturated);
            let all = network.hosts() as f64 * point.window.cycles as f64;
            let replied = point.replied.map_or(0.0, |replied| replied.accepted);
            let accepted = ((point.accepted + replied) * all).round();
            let Records { hosts, flows, .. } = &point.records;
            let sums = [
                hosts.iter().map(|host| host.sent_flits).sum::<u64>(),
                hosts.iter().map(|host| host.received_flits).sum(),
                flows.iter().map(|flow| flow.flits).sum(),
            ];
            assert_eq!(sums.map(|sum| sum as f64), [accepted; 3], "{config:?} {load} {length:?}");
        }
    }
    assert!(saturated >= 8, "{saturated}");
}

#[test]
fn throttled_hosts_keep_few_packets_on_the_way() {
    let (network, router) = networks().swap_remove(5);
    let window = Window { warmup: 500, cycles: 2000 };
    let run = |outstanding, replies: &[(u16, f64)]| {
        let config = Config { outstanding, replies: replies.to_vec(), ..Config::default() };
        simulate(&*network, &*router, &config, 1.0, window)
    };
    let (one, four, free) = (run(Some(1), &[]), run(Some(4), &[]), run(None, &[]));
    assert!(one.population <= 16.0 && four.population <= 64.0 && free.population > 64.0);
    assert!(one.accepted < four.accepted && four.accepted < free.accepted);
    assert!(one.network_latency < free.network_latency);
    // With replies one is on the way there or back, and the next waits until it is back.
    let asked = run(Some(1), &[(1, 1.0)]);
    assert!(asked.population <= 16.0 && asked.accepted < 0.6 * one.accepted);
}

/// Fewer inputs and outputs that fit are left over.
#[test]
fn better_matchings_accept_more() {
    let network: Arc<dyn Network> = Arc::new(torus(6, 6));
    let router: Arc<dyn Router> = Arc::new(Dimensions::new(&*network, &[6, 6]).unwrap());
    let window = Window { warmup: 1000, cycles: 3000 };
    let accepted = |allocator, iterations| {
        let vc_allocator = Allocator::SeparableOutputFirst;
        let plain = Config { packets: vec![(4, 1.0)], vc_allocator, ..Config::default() };
        let config = Config { switch_allocator: allocator, iterations, ..plain };
        simulate(&*network, &*router, &config, 1.0, window).accepted
    };
    let one = accepted(Allocator::Islip, 1);
    assert_eq!(one, accepted(Allocator::SeparableOutputFirst, 1));
    assert_eq!(one, accepted(Allocator::SeparableOutputFirst, 3));
    assert!(accepted(Allocator::Islip, 3) > one && accepted(Allocator::Wavefront, 1) > one);
}

/// The oldest first: the slowest packets are less slow.
#[test]
fn age_helps_the_oldest() {
    let network: Arc<dyn Network> = Arc::new(path(9));
    let router = minimal(&network);
    let window = Window { warmup: 2000, cycles: 20_000 };
    let p99 = |priority| {
        let config = Config { priority, ..Config::default() };
        let point = simulate(&*network, &*router, &config, 0.38, window);
        assert!(point.status.keeps_up(), "{:?}", point.status);
        point.packet_latency.p99
    };
    let (turns, age) = (p99(Priority::RoundRobin), p99(Priority::Age));
    assert!(age < turns, "{age} {turns}");
}

/// Hosts that take no request while their replies wait, behind requests: neither goes on.
#[test]
fn replies_on_channels_of_requests_lock_up_and_a_class_of_their_own_helps() {
    let network: Arc<dyn Network> = Arc::new(torus(4, 4));
    let router: Arc<dyn Router> = Arc::new(Dimensions::new(&*network, &[4, 4]).unwrap());
    let run = |reply_channels, reply_queue, load| {
        let (packets, replies) = (vec![(1, 1.0)], vec![(4, 1.0)]);
        let plain = Config { vcs: 4, buffer: 2, packets, replies, ..Config::default() };
        let config = Config { reply_channels, reply_queue, ..plain };
        let window = Window { warmup: 0, cycles: 20_000 };
        simulate(&*network, &*router, &config, load, window)
    };
    let point = run(ReplyChannels::Shared, Some(1), 0.5);
    assert_eq!(point.status, Status::Deadlock);
    assert!(point.cycles < 20_000);
    // A packet waits for a host, and one of that host for the network.
    let waits: Vec<String> = point.deadlock_cycle.iter().map(ToString::to_string).collect();
    assert!(waits.iter().any(|wait| wait.contains("waits for the host at")), "{waits:?}");
    assert!(waits.iter().any(|wait| wait.contains("of the host at")), "{waits:?}");
    for (reply_channels, reply_queue) in
        [(ReplyChannels::Separate, Some(1)), (ReplyChannels::Shared, None)]
    {
        let point = run(reply_channels, reply_queue, 0.5);
        assert_eq!(point.status, Status::Saturated, "{reply_channels:?}");
        assert!(point.accepted > 0.04 && point.deadlock_cycle.is_empty(), "{}", point.accepted);
    }
    // Requests of one flit and replies of four, with nothing else on the way.
    let point = run(ReplyChannels::Separate, Some(4), 0.01);
    let replied = point.replied.unwrap();
    assert_eq!((point.status, replied.packets), (Status::Ok, point.packets));
    let (there, back) = (point.packet_latency.mean, replied.packet_latency.mean);
    assert!((replied.round_trip.mean - there - back).abs() < 1e-9, "{there} {back}");
    assert!(back >= there + 3.0, "{there} {back}");
    assert!((replied.accepted / point.accepted - 4.0).abs() < 0.1, "{}", replied.accepted);
}

#[test]
fn less_is_accepted_than_offered_beyond_saturation() {
    let (network, router) = networks().swap_remove(5);
    let config = Config::default();
    let traffic = Traffic::uniform(network.hosts());
    let destination = destinations(&traffic, Own::Sent);
    let simulation = Simulation::new(&*network, &*router, &config, &ALL).unwrap();
    let window = Window { warmup: 500, cycles: 1500 };
    let curve = super::sweep(&simulation, &destination, window, 1, &ALL).unwrap();
    let saturation = curve.saturation.unwrap();
    assert!((0.6..1.0).contains(&saturation), "{saturation}");
    for point in &curve.points {
        // Near saturation more may be offered than was ever accepted, and be accepted as far as chance tells.
        let (low, high) = (point.offered <= saturation, point.offered > 1.05 * saturation);
        assert!(!low || point.status != Status::Saturated, "{}", point.offered);
        assert!(!high || point.status == Status::Saturated, "{}", point.offered);
        assert!(!low || (point.accepted / point.offered - 1.0).abs() < 0.1);
    }
    assert!(curve.most_accepted >= saturation);
}

#[test]
fn saturation_is_never_above_what_was_accepted() {
    let (network, router) = networks().swap_remove(5);
    let (config, traffic) = (Config::default(), Traffic::uniform(network.hosts()));
    let destination = destinations(&traffic, Own::Sent);
    let simulation = Simulation::new(&*network, &*router, &config, &ALL).unwrap();
    let window = Window { warmup: 200, cycles: 600 };
    let mut fewer = 0;
    for seed in 0..8 {
        let curve = simulation.points(&destination, &[0.1, 0.4], window, seed, &ALL).unwrap();
        assert!(curve.points.iter().all(|point| point.status.keeps_up()));
        assert!(curve.saturation.unwrap() <= curve.most_accepted, "{seed}");
        assert!(curve.saturation.unwrap() <= 0.4 && curve.is_open(), "{seed}");
        fewer += u32::from(curve.most_accepted < 0.4);
    }
    assert!(fewer > 0, "some windows end before their last flits have arrived");
    let curve = simulation.points(&destination, &[0.1, 1.0], window, 1, &ALL).unwrap();
    assert!(!curve.is_open());
    // What accepts less than is offered is no load that is accepted, even if its window was too short to tell.
    let short = Window { warmup: 20, cycles: 40 };
    let curve = super::sweep(&simulation, &destination, short, 1, &ALL).unwrap();
    assert!(!curve.is_open() && curve.saturation.unwrap() < 0.9, "{curve:?}");
}

#[test]
fn the_end_of_a_curve_that_has_not_converged_is_doubtful() {
    let (network, router) = networks().swap_remove(5);
    let (config, traffic) = (Config::default(), Traffic::uniform(network.hosts()));
    let destination = destinations(&traffic, Own::Sent);
    let simulation = Simulation::new(&*network, &*router, &config, &ALL).unwrap();
    let window = Window { warmup: 200, cycles: 600 };
    let loads = [0.1, 0.2, 0.3, 0.4, 0.5];
    let measured = simulation.points(&destination, &loads, window, 1, &ALL).unwrap();
    let doubtful = |statuses: [Status; 5]| {
        let mut curve = measured.clone();
        for (point, status) in curve.points.iter_mut().zip(statuses) {
            point.status = status;
        }
        curve.doubtful_from()
    };
    let (ok, open, full) = (Status::Ok, Status::NotConverged, Status::Saturated);
    assert_eq!(doubtful([ok, ok, ok, ok, ok]), None);
    assert_eq!(doubtful([ok, ok, open, open, full]), Some(0.3));
    assert_eq!(doubtful([ok, open, ok, open, full]), None, "the last tenth alone");
    assert_eq!(doubtful([ok, open, open, ok, full]), None, "a load that converged is above");
    assert_eq!(doubtful([open, open, open, open, open]), Some(0.1));
}

#[test]
fn queues_decide_between_the_short_path_and_a_detour() {
    let network: Arc<dyn Network> = Arc::new(torus(6, 6));
    let valiant: Arc<dyn Router> = Arc::new(Valiant::new(turns(&network), 0..36).unwrap());
    let ugal: Arc<dyn Router> =
        Arc::new(Ugal::new(turns(&network), 0..36, UgalRule::LOCAL).unwrap());
    let config = Config { vcs: 2 * ugal.vcs(), ..Config::default() };
    let window = Window { warmup: 500, cycles: 2000 };
    let run =
        |router: &Arc<dyn Router>, load| simulate(&*network, &**router, &config, load, window);
    let (oblivious, queue) = (run(&valiant, 0.05), run(&ugal, 0.05));
    assert!(queue.hops < 0.8 * oblivious.hops, "{} {}", queue.hops, oblivious.hops);
    assert!(queue.packet_latency.mean < oblivious.packet_latency.mean);
    // Alone it takes the short path.
    let minimal = run(&turns(&network), 0.01);
    assert!((run(&ugal, 0.01).hops / minimal.hops - 1.0).abs() < 0.02);
}

/// A packet that has an adaptive channel waits for it, and no longer asks for the escape: so it takes none that is full.
#[test]
fn adaptive_packets_do_not_wait_for_channels_that_are_full() {
    for network in [Arc::new(torus(4, 4)) as Arc<dyn Network>, Arc::new(torus(6, 6))] {
        let router = adaptive(&network);
        for (buffer, size) in [(1, 1), (1, 3), (2, 4), (4, 2)] {
            for more in [0, 2] {
                let packets = vec![(size, 1.0)];
                let vcs = router.vcs() + more;
                let config = Config { vcs, buffer, packets, ..Config::default() };
                let window = Window { warmup: 0, cycles: 12_000 };
                let point = simulate(&*network, &*router, &config, 1.0, window);
                assert_eq!(point.status, Status::Saturated, "{config:?}");
                assert!(point.accepted > 0.05, "{config:?} {}", point.accepted);
            }
        }
    }
}

#[test]
fn adaptive_packets_go_around_what_is_busy() {
    let network: Arc<dyn Network> = Arc::new(torus(6, 6));
    // Transposed: dimension order sends a row through one node.
    let traffic =
        Traffic::permutation("transpose", (0..36).map(|at| at % 6 * 6 + at / 6).collect());
    let destination = destinations(&traffic, Own::LeftOut);
    let window = Window { warmup: 500, cycles: 2000 };
    let accepted = |router: &dyn Router| {
        let config = Config { vcs: router.vcs().max(4), ..Config::default() };
        let simulation = Simulation::new(&*network, router, &config, &ALL).unwrap();
        simulation.point(&destination, 0.6, window, 1, &ALL).unwrap()
    };
    let (fixed, free) = (accepted(&*turns(&network)), accepted(&*adaptive(&network)));
    assert!(free.accepted > 1.1 * fixed.accepted, "{} {}", free.accepted, fixed.accepted);
    assert!(free.deadlock_cycle.is_empty());
}

/// Long packets on few small queues at full load: without an escape they lock up, with it they do not.
#[test]
fn an_escape_keeps_adaptive_packets_from_deadlock() {
    let network: Arc<dyn Network> = Arc::new(torus(8, 8));
    let router = adaptive(&network);
    let window = Window { warmup: 0, cycles: 20_000 };
    let config = |vcs| Config { vcs, buffer: 2, packets: vec![(16, 1.0)], ..Config::default() };
    let point = simulate(&*network, &*router, &config(router.vcs()), 1.0, window);
    assert_eq!(point.status, Status::Saturated);
    assert!(point.accepted > 0.05, "{}", point.accepted);
    let folded = VcLimited::new(router, 1);
    let point = simulate(&*network, &folded, &config(1), 1.0, window);
    assert_eq!(point.status, Status::Deadlock);
    assert!(!point.deadlock_cycle.is_empty());
}

#[test]
fn what_cannot_be_simulated_is_refused() {
    let network = ring(5);
    let router = Minimal::new(Arc::new(ring(5)), &ALL).unwrap();
    let refused = |config: Config| {
        Simulation::new(&network, &router, &config, &ALL).map(|_| ()).unwrap_err().to_string()
    };
    let plain = Config::default;
    assert_eq!(refused(Config { vcs: 0, ..plain() }), "virtual channels: 0 is not from 1 to 64");
    assert_eq!(
        refused(Config { vc_delay: 0, ..plain() }),
        "the delay of virtual channels: 0 is not from 1 to 4096"
    );
    let whole = Config { packets: vec![(9, 1.0)], switching: Switching::CutThrough, ..plain() };
    assert!(refused(whole).starts_with("cut-through needs room for a whole packet: 9 flits"));
    assert_eq!(
        refused(Config { link_errors: 1.0, ..plain() }),
        "a flit is corrupted with a probability from 0 to 1, without 1, not 1"
    );
    let whole = Config { switching: Switching::CutThrough, shared_buffer: true, ..plain() };
    assert!(refused(whole).contains("only one flit is kept for it"));
    let large = Config { vcs: 64, buffer: 1 << 10, shared_buffer: true, ..plain() };
    assert!(refused(large).starts_with("the buffers of a port: 65535 is not from 1 to 16384"));
    let model = EnergyModel { wire: -1.0, ..EnergyModel::default() };
    let negative = refused(Config { energy_model: model, ..plain() });
    assert_eq!(negative, "the energy of a wire is -1, and not a number from 0 on");
    let small = Budget { memory: 100, ..ALL };
    assert!(Simulation::new(&network, &router, &plain(), &small).is_err());
}

/// A lone packet is delayed by a round trip of a link for each time that one of its flits is corrupted, and nothing is lost.
#[test]
fn corrupted_flits_are_sent_again() {
    let network: Arc<dyn Network> = Arc::new(path(2));
    let router = minimal(&network);
    let only = |host: u64, _: u64, _: &mut super::Random| (host == 0).then_some(Node(1));
    let window = Window { warmup: 0, cycles: 2_000_000 };
    let run = |link_errors, latency: u16| {
        let config = Config { link_errors, latency: vec![latency], ..Config::default() };
        let simulation = Simulation::new(&*network, &*router, &config, &ALL).unwrap();
        simulation.point(&only, 0.001, window, 1, &ALL).unwrap()
    };
    for latency in [1, 5] {
        let (plain, noisy) = (run(0.0, latency), run(0.2, latency));
        assert_eq!((plain.status, noisy.status), (Status::Ok, Status::Ok));
        assert_eq!((plain.packets, plain.retries), (noisy.packets, None));
        let retries = noisy.retries.unwrap();
        assert_eq!(retries.flits, noisy.packets);
        // A fifth of all attempts fail.
        let fails = retries.corrupted as f64 / (retries.flits + retries.corrupted) as f64;
        assert!((fails - 0.2).abs() < 0.03, "{fails}");
        let more = noisy.packet_latency.mean - plain.packet_latency.mean;
        let expected = retries.corrupted as f64 / retries.flits as f64 * 2.0 * f64::from(latency);
        assert!((more - expected).abs() < 0.05 * expected, "{more} {expected}");
    }
}

/// A hot host fills the network, and packets of others wait behind those that go there; marks keep them at their hosts.
#[test]
fn marked_packets_make_hosts_send_less() {
    let network: Arc<dyn Network> = Arc::new(torus(6, 6));
    let router: Arc<dyn Router> = Arc::new(Dimensions::new(&*network, &[6, 6]).unwrap());
    let ends = Ends::plain(36);
    let traffic = read("mix(0.9*uniform, 0.1*hotspot(1, 3))", &Source::alone(&ends)).unwrap();
    let destination = destinations(&traffic, Own::Sent);
    let window = Window { warmup: 2000, cycles: 6000 };
    let run = |ecn| {
        let config = Config { ecn, packets: vec![(4, 1.0)], ..Config::default() };
        let simulation = Simulation::new(&*network, &*router, &config, &ALL).unwrap();
        simulation.point(&destination, 0.5, window, 1, &ALL).unwrap()
    };
    let (plain, marking, rare) = (run(None), run(Some(8)), run(Some(1000)));
    let what =
        |point: &Point| (point.marked, point.population, point.accepted, point.network_latency);
    let what = format!("{:?} {:?}", what(&plain), what(&marking));
    assert_eq!((plain.marked, rare.marked), (None, Some(0.0)));
    let part = marking.marked.unwrap();
    assert!(part > 0.001 && part < 0.5, "{what}");
    assert!(marking.population < 0.7 * plain.population, "{what}");
    assert!(marking.accepted > 0.95 * plain.accepted, "{what}");
}

/// All packets of a row go the same way by shortest paths; polarized ones leave it where it is busy.
#[test]
fn polarized_packets_leave_busy_links() {
    let network: Arc<dyn Network> = Arc::new(torus(6, 6));
    let traffic =
        Traffic::permutation("rows", (0..36).map(|at| at / 6 * 6 + (at + 2) % 6).collect());
    let destination = destinations(&traffic, Own::LeftOut);
    let window = Window { warmup: 1000, cycles: 3000 };
    let polarized = polarized(&network);
    let run = |router: &dyn Router, load| {
        let config = Config { vcs: polarized.vcs(), ..Config::default() };
        let simulation = Simulation::new(&*network, router, &config, &ALL).unwrap();
        simulation.point(&destination, load, window, 1, &ALL).unwrap()
    };
    let shortest = turns(&network);
    let (fixed, free) = (run(&*shortest, 0.9), run(&*polarized, 0.9));
    assert!(free.accepted > 1.1 * fixed.accepted, "{} {}", free.accepted, fixed.accepted);
    assert!(free.hops > fixed.hops && free.deadlock_cycle.is_empty());
    // Nearly alone they take shortest paths, unless the one channel of their hop is taken.
    let (few, least) = (run(&*polarized, 0.01).hops, run(&*shortest, 0.01).hops);
    assert!(few < 1.03 * least, "{few} {least}");
}

/// One packet at a time on a long link: with a pool it has the room of all virtual channels.
#[test]
fn shared_buffers_serve_who_needs_them() {
    let network: Arc<dyn Network> = Arc::new(path(2));
    let router = minimal(&network);
    let only = |host: u64, _: u64, _: &mut super::Random| (host == 0).then_some(Node(1));
    let window = Window { warmup: 500, cycles: 3000 };
    let accepted = |shared_buffer| {
        let plain = Config { buffer: 2, latency: vec![6], ..Config::default() };
        let config = Config { shared_buffer, packets: vec![(64, 1.0)], ..plain };
        let simulation = Simulation::new(&*network, &*router, &config, &ALL).unwrap();
        2.0 * simulation.point(&only, 1.0, window, 1, &ALL).unwrap().accepted
    };
    let (own, shared) = (accepted(false), accepted(true));
    assert!(shared > 2.0 * own, "{shared} {own}");
}

/// The flit that is kept for each virtual channel keeps what is free of deadlock so; what is not is found.
#[test]
fn shared_buffers_do_not_deadlock_where_routes_do_not() {
    let network: Arc<dyn Network> = Arc::new(torus(4, 4));
    let order: Arc<dyn Router> = Arc::new(Dimensions::new(&*network, &[4, 4]).unwrap());
    let window = Window { warmup: 0, cycles: 20_000 };
    for (buffer, size) in [(1, 4), (2, 8), (4, 16)] {
        let packets = vec![(size, 1.0)];
        let config = Config { vcs: 2, buffer, packets, shared_buffer: true, ..Config::default() };
        let point = simulate(&*network, &*order, &config, 1.0, window);
        assert_eq!(point.status, Status::Saturated, "{config:?}");
        assert!(point.accepted > 0.05, "{config:?} {}", point.accepted);
    }
    let cycle: Arc<dyn Network> = Arc::new(ring(8));
    let config = Config { vcs: 2, buffer: 2, packets: vec![(8, 1.0)], ..Config::default() };
    let config = Config { shared_buffer: true, ..config };
    let point = simulate(&*cycle, &*minimal(&cycle), &config, 0.9, window);
    assert_eq!(point.status, Status::Deadlock);
    assert!(!point.deadlock_cycle.is_empty());
}

#[test]
fn energy_is_that_of_the_events() {
    let network: Arc<dyn Network> = Arc::new(path(3));
    let router = minimal(&network);
    let only = |host: u64, _: u64, _: &mut super::Random| (host == 0).then_some(Node(2));
    let model = EnergyModel {
        write: 1.0,
        read: 2.0,
        switch: 4.0,
        wire: 0.5,
        lengths: vec![3.0],
        bits: 10.0,
        clock: 2.0,
    };
    let config = Config { energy: true, energy_model: model, ..Config::default() };
    let simulation = Simulation::new(&*network, &*router, &config, &ALL).unwrap();
    let window = Window { warmup: 1000, cycles: 50_000 };
    let point = simulation.point(&only, 0.1, window, 1, &ALL).unwrap();
    let Energy { per_flit, buffers, switches, links, power, .. } = point.energy.unwrap();
    // Three routers and two links of three millimeters, ten bits each; what is on the way at both ends is little.
    for (found, expected) in [
        (buffers, 3.0 * 3.0 * 10.0),
        (switches, 3.0 * 4.0 * 10.0),
        (links, 2.0 * 3.0 * 0.5 * 10.0),
        (per_flit, 240.0),
        (power, 240.0 * point.accepted * 3.0 * 2.0),
    ] {
        assert!((found / expected - 1.0).abs() < 0.002, "{found} {expected}");
    }
    assert_eq!(simulate(&*network, &*router, &Config::default(), 0.1, window).energy, None);
}

/// A trace grows with the load and the cycles: what does not fit is said before it starts, or as the window grows.
#[test]
fn records_that_do_not_fit_are_refused() {
    let (network, router) = networks().swap_remove(5);
    let record = |hosts, flows, packets| Record { hosts, flows, packets };
    let run = |record, length: RunLength, loads: &[f64], memory| {
        let config = Config { record, ..Config::default() };
        let traffic = Traffic::uniform(network.hosts());
        let destination = destinations(&traffic, Own::Sent);
        let simulation = Simulation::new(&*network, &*router, &config, &ALL).unwrap();
        let budget = Budget { memory, ..ALL };
        let curve = simulation.points(&destination, loads, length, 1, &budget);
        curve.map_err(|error| error.to_string())
    };
    // 16 hosts, a packet in five cycles each.
    let packets = 16 * 1000 / 5 * 2 * size_of::<PacketRecord>() as u64;
    let window = RunLength::from(Window { warmup: 100, cycles: 1000 });
    let trace = record(false, false, true);
    let curve = run(trace, window, &[0.2], packets).unwrap();
    let taken = curve.points[0].records.packets.capacity() * size_of::<PacketRecord>();
    assert!(taken as u64 <= packets);
    for (record, length, loads, memory) in [
        (trace, window, &[0.2][..], packets - 1),
        (trace, window, &[0.2, 0.2], packets),
        (record(true, false, false), window, &[0.2], 1000),
        (record(false, true, false), window, &[0.2], 10_000),
        (trace, Precision { target: 1e-4, ..Precision::ASKED }.into(), &[0.2], 1 << 22),
    ] {
        let why = run(record, length, loads, memory).unwrap_err();
        assert!(why.starts_with("what is written down of packets needs"), "{why}");
        assert!(
            why.ends_with(&format!("over the limit of {memory} bytes (`max_memory=`)")),
            "{why}"
        );
    }
    assert!(run(Record::default(), window, &[0.2], 0).is_ok());
}

#[test]
fn packets_go_around_links_that_fail() {
    let network: Arc<dyn Network> = Arc::new(torus(4, 4));
    let router: Arc<dyn Router> = Arc::new(Dimensions::new(&*network, &[4, 4]).unwrap());
    let mut faults = Faults::default();
    let links = vec![(Node(0), Node(1)), (Node(5), Node(9))];
    links.iter().for_each(|&(from, to)| faults.fail_link(from, to));
    let detour = Detouring::new(network.clone(), router.clone(), Arc::new(faults)).unwrap();
    let config = Config { vcs: 6, packets: vec![(3, 1.0)], ..Config::default() };
    let traffic = Traffic::uniform(16);
    let destination = destinations(&traffic, Own::Sent);
    let failure = Failure { cycle: 2000, links, router: &detour };
    let simulation = Simulation::new(&*network, &*router, &config, &ALL).unwrap();
    let simulation = simulation.with_failures(vec![failure]).unwrap();
    let window = Window { warmup: 500, cycles: 4000 };
    let point = simulation.point(&destination, 0.3, window, 1, &ALL).unwrap();
    let aftermath = point.aftermath.unwrap();
    assert_eq!(point.status, Status::Ok);
    assert!(aftermath.lost < 20, "{aftermath:?}");
    assert!(aftermath.after.unwrap() > aftermath.before.unwrap(), "{aftermath:?}");
    // No flit takes them from then on.
    let whole = |cycle| {
        let failure = Failure { cycle, links: vec![(Node(0), Node(1))], router: &detour };
        let simulation = Simulation::new(&*network, &*router, &config, &ALL).unwrap();
        let simulation = simulation.with_failures(vec![failure]).unwrap();
        let point = simulation.point(&destination, 0.3, window, 1, &ALL).unwrap();
        let is_it = |used: &&(Node, Node, f64)| (used.0, used.1) == (Node(0), Node(1));
        (point.used.iter().find(is_it).unwrap().2, point.aftermath.unwrap().lost)
    };
    assert_eq!(whole(0), (0.0, 0));
    assert!(whole(4000).0 > 0.05);
}

/// What is listed first waits least where the network is busy, and as much arrives of each class as its share.
#[test]
fn the_first_class_goes_first() {
    let network: Arc<dyn Network> = Arc::new(torus(4, 4));
    let router: Arc<dyn Router> = Arc::new(Dimensions::new(&*network, &[4, 4]).unwrap());
    let classes = vec![MessageClass::new(1.0, Some(1)), MessageClass::new(3.0, Some(4))];
    let plain = Config { vcs: 8, classes, ..Config::default() };
    let window = Window { warmup: 1000, cycles: 4000 };
    let run = |priority, load| {
        let config = Config { priority, ..plain.clone() };
        let simulation = Simulation::new(&*network, &*router, &config, &ALL).unwrap();
        let traffic = Traffic::uniform(16);
        let destination = destinations(&traffic, Own::Sent);
        simulation.point(&destination, load, window, 1, &ALL).unwrap()
    };
    let low = run(Priority::RoundRobin, 0.4);
    let [small, large] = [0, 1].map(|class| low.classes[class]);
    assert!((small.accepted - 0.1).abs() < 0.01, "{small:?}");
    assert!((large.accepted - 0.3).abs() < 0.02, "{large:?}");
    assert!((small.accepted + large.accepted - low.accepted).abs() < 1e-9);
    assert_eq!(small.packets + large.packets, low.packets);
    // Beyond saturation the first class is still carried.
    let (turns, first) = (run(Priority::RoundRobin, 0.9), run(Priority::Class, 0.9));
    assert!(first.classes[0].accepted > 0.21, "{:?}", first.classes);
    assert!(
        1.3 * first.classes[0].packet_latency.mean < turns.classes[0].packet_latency.mean,
        "{:?} {:?}",
        first.classes,
        turns.classes
    );
}

#[test]
fn what_classes_cannot_be_is_said() {
    let classes = vec![MessageClass::new(1.0, None); 3];
    let said = |config: Config| config.check().unwrap_err().to_string();
    let plain = Config { vcs: 6, classes, ..Config::default() };
    assert!(plain.check().is_ok());
    let uneven = said(Config { vcs: 4, ..plain.clone() });
    assert_eq!(
        uneven,
        "3 message classes have as many virtual channels each, and 4 is no multiple of 3"
    );
    assert!(said(Config { replies: vec![(1, 1.0)], ..plain.clone() }).contains("without replies"));
    assert!(said(Config { ecn: Some(3), ..plain.clone() }).contains("`ecn=`"));
    let classes = vec![MessageClass::new(0.0, None)];
    assert!(said(Config { classes, ..plain.clone() }).contains("above 0"));
    let classes = vec![MessageClass::new(1.0, None); 9];
    assert!(said(Config { classes, vcs: 63, ..plain }).contains("more than 8"));
    let alone = Config { priority: Priority::Class, ..Config::default() };
    assert!(said(alone).contains("`classes=`"));
}

/// Hosts behind switches also send to themselves, and no packet of theirs depends on what failed.
#[test]
fn hosts_behind_switches_reach_themselves_after_a_failure() {
    let network: Arc<dyn Network> = Arc::new(WithHosts { base: torus(3, 3), each: 2 });
    let router = minimal(&network);
    let mut faults = Faults::default();
    let link = (Node(18), Node(19));
    faults.fail_link(link.0, link.1);
    let detour = Detouring::new(network.clone(), router.clone(), Arc::new(faults)).unwrap();
    let config = Config { vcs: 6, ..Config::default() };
    let traffic = Traffic::uniform(18);
    let failure = Failure { cycle: 300, links: vec![link], router: &detour };
    let simulation = Simulation::new(&*network, &*router, &config, &ALL).unwrap();
    let simulation = simulation.with_failures(vec![failure]).unwrap();
    let destination = destinations(&traffic, Own::Sent);
    let window = Window { warmup: 200, cycles: 1000 };
    let point = simulation.point(&destination, 0.2, window, 1, &ALL).unwrap();
    assert_eq!(point.status, Status::Ok);
    assert!(point.aftermath.unwrap().lost < 5, "{:?}", point.aftermath);
}

#[test]
fn a_program_waits_for_what_it_needs() {
    let network: Arc<dyn Network> = Arc::new(path(3));
    let router = minimal(&network);
    let config = Config { packets: vec![(4, 1.0)], ..Config::default() };
    let simulation = Simulation::new(&*network, &*router, &config, &ALL).unwrap();
    let task = |action, needs: &[usize]| Task { action, needs: needs.to_vec() };
    let send = |to, bytes| Action::Send { to, bytes, tag: 0 };
    let receive = |from, bytes| Action::Receive { from, bytes, tag: 0 };
    let program = Program {
        ranks: vec![
            vec![task(Action::Compute { time: 100 }, &[]), task(send(2, 64), &[0])],
            vec![],
            vec![task(receive(0, 64), &[]), task(send(1, 8), &[0])],
        ],
    };
    let finish = simulation.program(&program, 16, &ALL).unwrap();
    assert!(finish.complete);
    assert_eq!((finish.tasks, finish.spans.len()), (4, 4));
    // One packet of four flits over two links and three routers: 2 + 5·3 + 3 cycles after the computing.
    let received = finish.spans.iter().find(|span| span.rank == 2 && span.task == 0).unwrap();
    assert_eq!(received.end, 100 + 1 + 2 + 15 + 3);
    let last = finish.spans.iter().find(|span| span.rank == 2 && span.task == 1).unwrap();
    assert!(last.begin >= received.end && finish.cycles > last.begin);
    // A receive that nobody serves does not wait for ever.
    let alone = Program { ranks: vec![vec![task(receive(1, 8), &[])], vec![]] };
    assert!(!simulation.program(&alone, 16, &ALL).unwrap().complete);
    let many = Program { ranks: vec![vec![]; 9] };
    assert!(simulation.program(&many, 16, &ALL).is_err());
}

#[test]
fn links_fail_at_their_rate() {
    let (network, budget) = (torus(10, 10), Budget::default());
    let draw = |rate, before, seed| random_failures(&network, rate, before, seed, &budget).unwrap();
    // Of 200 links 1 − (1 − 10⁻³)^1000 fail, 63 in a hundred.
    let failing = draw(1e-3, 1000, 1);
    assert!((95..160).contains(&failing.len()), "{}", failing.len());
    assert!(failing.windows(2).all(|pair| pair[0].0 <= pair[1].0));
    assert!(failing.iter().all(|(cycle, _)| *cycle < 1000));
    assert_eq!(failing, draw(1e-3, 1000, 1));
    assert_ne!(failing, draw(1e-3, 1000, 2));
    // A longer run begins alike.
    assert_eq!(failing, draw(1e-3, 2000, 1)[..failing.len()]);
    assert_eq!((draw(0.0, 1000, 1).len(), draw(1.0, 1, 1).len()), (0, 200));
}

/// A load has the same point in several parts as in one. They run in turn: threads that meet in every cycle take long
/// where there are fewer cores.
fn is_same_in_parts(
    mut simulation: Simulation<'_>,
    to: Destination<'_>,
    (load, parts): (f64, &[usize]),
    what: &str,
) {
    let length = Window { warmup: 40, cycles: 200 };
    let precise = Precision { max_cycles: 1000, cycles: 128, ..Precision::ASKED };
    let mut expected = None;
    for &parts in [1].iter().chain(parts) {
        simulation = simulation.in_parts(parts);
        let fixed = simulation.point(to, load, length, 9, &ALL);
        let found = simulation.point(to, load, precise, 9, &ALL);
        let got = format!("{fixed:?} {found:?}");
        let one = expected.get_or_insert_with(|| got.clone());
        assert_eq!(*one, got, "{parts} parts: {what}");
    }
}

#[test]
fn parts_do_not_matter() {
    let mut divided = 0;
    for (network, router) in networks() {
        for config in configs() {
            let config = widened(config, &*router);
            if config.shared_buffer && router.escape().is_some() {
                continue;
            }
            let record = Record { hosts: true, flows: true, packets: divided % 2 == 0 };
            let config = Config { record, ..config };
            let traffic = Traffic::uniform(network.hosts());
            let destination = destinations(&traffic, Own::Sent);
            let simulation = Simulation::new(&*network, &*router, &config, &ALL).unwrap();
            // Otherwise it runs on one thread whatever is asked for.
            if !simulation.is_divisible() && divided > 9 {
                continue;
            }
            divided += usize::from(simulation.is_divisible());
            let threads: &[usize] = &[2, 3, 5];
            let load = if divided % 3 == 0 { 0.9 } else { 0.3 };
            let what = format!("{config:?} {router:?}");
            is_same_in_parts(simulation, &destination, (load, threads), &what);
        }
    }
    assert!(divided > 100, "{divided}");
}

#[test]
fn threads_do_not_matter() {
    for place in [0, 6, 8] {
        let (network, router) = networks().swap_remove(place);
        let config = Config { packets: vec![(3, 1.0)], ..Config::default() };
        let config = widened(config, &*router);
        let traffic = Traffic::uniform(network.hosts());
        let destination = destinations(&traffic, Own::Sent);
        let window = Window { warmup: 50, cycles: 200 };
        let on = |threads| {
            let simulation = Simulation::new(&*network, &*router, &config, &ALL).unwrap();
            simulation.on_threads(threads).point(&destination, 0.3, window, 1, &ALL).unwrap()
        };
        let one = on(1);
        assert!([2, 3, 100].into_iter().all(|threads| on(threads) == one));
    }
}

#[test]
fn parts_see_the_same_deadlock_and_the_same_error() {
    let network: Arc<dyn Network> = Arc::new(ring(8));
    let config = Config { vcs: 1, buffer: 2, packets: vec![(4, 1.0)], ..Config::default() };
    let traffic = Traffic::uniform(8);
    let destination = destinations(&traffic, Own::Sent);
    let router = around(&network, 1);
    let window = Window { warmup: 0, cycles: 200_000 };
    let on = |parts| {
        let simulation = Simulation::new(&*network, &*router, &config, &ALL).unwrap();
        simulation.in_parts(parts).point(&destination, 0.9, window, 1, &ALL).unwrap()
    };
    let one = on(1);
    assert_eq!(one.status, Status::Deadlock);
    assert!([2, 3, 5].into_iter().all(|parts| on(parts) == one));
    // Nodes are connected in pairs only.
    let pairs = Arc::new(Csr::from_links(8, &[(0, 1), (2, 3), (4, 5), (6, 7)], 1 << 20).unwrap());
    let pairs: Arc<dyn Network> = pairs;
    let (router, config) = (minimal(&pairs), Config::default());
    let on = |parts| {
        let simulation = Simulation::new(&*pairs, &*router, &config, &ALL).unwrap();
        simulation.in_parts(parts).point(&destination, 0.9, window, 1, &ALL).unwrap_err()
    };
    assert!([2, 3, 5].into_iter().all(|parts| on(parts) == on(1)));
}

#[test]
fn threads_stop_when_they_are_asked_to() {
    let (network, router) = networks().swap_remove(5);
    let (config, traffic) = (Config::default(), Traffic::uniform(16));
    let destination = destinations(&traffic, Own::Sent);
    let simulation = Simulation::new(&*network, &*router, &config, &ALL).unwrap().on_threads(2);
    let asked = AtomicUsize::new(0);
    let stop = || asked.fetch_add(1, Relaxed) > 20;
    let watch = nestnet_graph::Watch { stop: &stop, ..ALL.watch };
    let budget = Budget { watch, ..ALL };
    let window = Window { warmup: 0, cycles: 1 << 40 };
    let point = simulation.point(&destination, 0.3, window, 1, &budget).unwrap();
    assert_eq!(point.status, Status::Stopped);
    assert!(point.packets > 1000 && point.cycles < 1 << 14, "{}", point.cycles);
}

/// What is accepted and how much links carry is that of the window: not also that of the cycles in which it drains, long ones
/// here.
#[test]
fn cycles_behind_the_window_do_not_count() {
    let (network, router) = networks().swap_remove(5);
    let config = Config { latency: vec![300], ..Config::default() };
    let traffic = Traffic::uniform(16);
    let destination = destinations(&traffic, Own::LeftOut);
    let simulation = Simulation::new(&*network, &*router, &config, &ALL).unwrap();
    let window = Window { warmup: 4096, cycles: 1024 };
    let whole = simulation.point(&destination, 0.02, window, 1, &ALL).unwrap();
    let stop_at = |asks: usize| {
        let asked = AtomicUsize::new(0);
        let stop = || asked.fetch_add(1, Relaxed) > asks;
        let watch = nestnet_graph::Watch { stop: &stop, ..ALL.watch };
        let budget = Budget { watch, ..ALL };
        simulation.point(&destination, 0.02, window, 1, &budget).unwrap()
    };
    let stopped = stop_at(22);
    assert_eq!((whole.status, stopped.status), (Status::Ok, Status::Stopped));
    assert!(stopped.cycles > 5120 + 256 && whole.cycles > stopped.cycles, "{}", stopped.cycles);
    assert_eq!((whole.accepted, &whole.used), (stopped.accepted, &stopped.used));
    let on_links: f64 = whole.used.iter().map(|used| used.2).sum();
    let hops = 16.0 * whole.accepted * whole.hops;
    assert!((on_links / hops - 1.0).abs() < 0.1, "{on_links}, not {hops}");
    let early = stop_at(18);
    assert!(early.cycles < 5120 && early.accepted > 0.01, "{}", early.cycles);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..nestnet_seed::config() })]

    #[test]
    fn parts_do_not_matter_on_any_network(
        csr in any_graph(14),
        number in 0..21usize,
        (load, adapts) in (0.05..1.0, any::<bool>()),
        (seed, threads) in (0..1000u64, 2..6usize),
    ) {
        let network: Arc<dyn Network> = Arc::new(csr);
        let is_connected = nestnet_graph::measure::search::is_connected(&*network);
        prop_assume!(is_connected && network.order() > 1);
        let router = if adapts { adaptive(&network) } else { turns(&network) };
        let config = widened(configs().swap_remove(number), &*router);
        prop_assume!(!(config.shared_buffer && adapts));
        let traffic = Traffic::uniform(network.hosts());
        let destination = destinations(&traffic, Own::Sent);
        let on = |threads| {
            let simulation = Simulation::new(&*network, &*router, &config, &ALL).unwrap();
            let window = Window { warmup: 50, cycles: 200 };
            simulation.in_parts(threads).point(&destination, load, window, seed, &ALL)
        };
        prop_assert_eq!(format!("{:?}", on(1)), format!("{:?}", on(threads)));
    }
}

#[test]
fn parts_have_all_links_and_hosts_once() {
    for (network, _) in networks() {
        let whole = Topology::new(&*network, &Config::default(), &ALL).unwrap();
        for count in [1, 2, 3, 7, 100] {
            let parts = whole.divide(count);
            assert!(parts.len() <= count.min(whole.routers()));
            let sum = |of: fn(&Topology) -> usize| parts.iter().map(of).sum::<usize>();
            assert_eq!(sum(Topology::routers), whole.routers());
            assert_eq!(sum(|part| part.far.len()), whole.far.len());
            assert_eq!(sum(|part| part.hosts.len()), whole.hosts.len());
            for (number, part) in (0..).zip(&parts) {
                for (place, cut) in (0..).zip(&part.cuts) {
                    let there = &parts[cut.part as usize];
                    let back = there.cuts[cut.there as usize];
                    assert_eq!((back.part, back.there), (number, place));
                    // The same link in the whole.
                    let far = whole.far[part.first_port + cut.port as usize];
                    assert_eq!(far.port as usize, there.first_port + back.port as usize);
                }
                for (&(port, _), &host) in part.hosts.iter().zip(&part.numbers) {
                    assert_eq!(whole.far[part.first_port + port as usize].port, host);
                }
            }
        }
    }
}

/// The state of a network after these cycles, where it is written down and read again in each of `stops`.
fn state_after<const W: usize>(
    (network, router): &(Arc<dyn Network>, Arc<dyn Router>),
    config: &Config,
    load: f64,
    failures: &[Failure<'_>],
    stops: &[u64],
) -> Vec<u8> {
    let traffic = Traffic::uniform(network.hosts());
    let destination = destinations(&traffic, Own::Sent);
    let wires = Topology::new(&**network, config, &ALL).unwrap();
    let supply = Supply::new(config, &destination, load, 3).unwrap();
    let new = || {
        let mut engine = Engine::<W>::new(&wires, config, &**router, supply.clone(), &ALL).unwrap();
        engine.failures = failures;
        engine
    };
    let state = |engine: &Engine<'_, W>| {
        let mut state = Vec::new();
        engine.write_state(&mut state);
        state
    };
    let mut engine = new();
    for cycle in 0..CYCLES {
        if stops.contains(&cycle) {
            let written = state(&engine);
            engine = new();
            let mut saved = Saved(&written);
            engine.read_state(&mut saved).unwrap();
            saved.end().unwrap();
            assert_eq!(state(&engine), written);
        }
        engine.cycle();
        engine.seen.delivered.clear();
    }
    state(&engine)
}

/// Every router and every configuration, at three cycles that all differ.
#[test]
fn a_state_that_is_read_goes_on_as_if_it_was_never_written() {
    let mut stop = 0;
    for network in networks() {
        for config in configs() {
            let config = widened(config, &*network.1);
            if config.shared_buffer && network.1.escape().is_some() {
                continue;
            }
            stop = (stop + 7) % (CYCLES - 120);
            let stops = [stop, stop + 41, stop + 119];
            let end = |stops: &[u64]| state_after::<4>(&network, &config, 0.7, &[], stops);
            assert!(end(&stops) == end(&[]), "{config:?} {:?} {stops:?}", network.1);
        }
    }
}

#[test]
fn a_state_between_failures_is_read_too() {
    let network: Arc<dyn Network> = Arc::new(torus(4, 4));
    let router: Arc<dyn Router> = Arc::new(Dimensions::new(&*network, &[4, 4]).unwrap());
    let mut faults = Faults::default();
    let links = [(Node(0), Node(1)), (Node(5), Node(9))];
    let detours = links.map(|(from, to)| {
        faults.fail_link(from, to);
        Detouring::new(network.clone(), router.clone(), Arc::new(faults.clone())).unwrap()
    });
    let failures: Vec<Failure<'_>> = (links.into_iter().zip(&detours).zip([100, 200]))
        .map(|((link, router), cycle)| Failure { cycle, links: vec![link], router })
        .collect();
    let config = Config { vcs: 6, packets: vec![(3, 1.0)], ..Config::default() };
    let network = (network, router);
    let end = |stops: &[u64]| state_after::<4>(&network, &config, 0.5, &failures, stops);
    assert!(end(&[50, 101, 150, 205, 250]) == end(&[]));
}

/// Keeps runs in memory, and counts how often.
#[derive(Debug, Default)]
struct InMemory {
    runs: Mutex<BTreeMap<String, Vec<u8>>>,
    often: bool,
}

impl Checkpoint for InMemory {
    fn kept(&self, run: &str) -> Option<Vec<u8>> {
        self.runs.lock().unwrap().get(run).cloned()
    }

    fn is_due(&self, _: &str) -> bool {
        self.often
    }

    fn keep(&self, run: &str, bytes: Vec<u8>) {
        self.runs.lock().unwrap().insert(run.to_owned(), bytes);
    }
}

/// A budget that is over when it was asked so often.
fn over_after<T>(asks: usize, run: impl FnOnce(&Budget<'_>) -> T) -> T {
    let left = AtomicUsize::new(asks);
    let stop = || left.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)).is_err();
    let watch = Watch { stop: &stop, progress: &|_| () };
    run(&Budget { watch, ..ALL })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..nestnet_seed::config() })]

    /// Stopped again and again, and gone on each time, on as many parts as one asks for: all of the point is the same.
    #[test]
    fn a_run_that_goes_on_ends_as_if_it_was_never_stopped(
        place in 0usize..11,
        number in 0usize..23,
        load in prop::sample::select(vec![0.05, 0.3, 0.9]),
        found in any::<bool>(),
        asks in prop::collection::vec(2usize..6, 12),
        parts in 1usize..4,
        often in any::<bool>(),
    ) {
        let (network, router) = networks().swap_remove(place);
        let record = Record { hosts: true, flows: true, packets: parts == 1 };
        let config = Config { record, ..configs().swap_remove(number) };
        let config = widened(config, &*router);
        prop_assume!(!(config.shared_buffer && router.escape().is_some()));
        let traffic = Traffic::uniform(network.hosts());
        let destination = destinations(&traffic, Own::Sent);
        let length: RunLength = if found {
            let precision =
                Precision { cycles: 512, max_cycles: 6000, ..Precision::USUAL };
            RunLength::Found(precision)
        } else {
            Window { warmup: 700, cycles: 1500 }.into()
        };
        let new = || Simulation::new(&*network, &*router, &config, &ALL).unwrap();
        let whole = new().point(&destination, load, length, 5, &ALL).unwrap();
        let store = InMemory { often, ..InMemory::default() };
        let mut times = 0;
        let point = loop {
            let asks = asks.get(times).copied().unwrap_or(usize::MAX);
            // On another number of parts it goes on with those that it began with.
            let simulation = new().in_parts((parts + times) % 4).kept_by(Some(&store));
            let run = over_after(asks + parts, |budget| {
                simulation.point(&destination, load, length, 5, budget)
            });
            let point = run.unwrap();
            times += 1;
            if point.status != Status::Stopped && point.reason != Some(reason::TIME_OVER) {
                break point;
            }
        };
        prop_assert!(times > 1);
        prop_assert_eq!(&point, &whole);
        // What has ended is not run again.
        let again = over_after(0, |budget| {
            new().kept_by(Some(&store)).point(&destination, load, length, 5, budget)
        });
        prop_assert_eq!(&again.unwrap(), &whole);
    }

    /// Neither a panic nor an answer, whichever byte is missing or the state is of another network.
    #[test]
    fn a_state_of_another_run_is_refused(part in 0usize..1000, other in any::<bool>()) {
        let (network, router) = networks().swap_remove(5);
        let config = Config::default();
        let traffic = Traffic::uniform(16);
        let destination = destinations(&traffic, Own::Sent);
        let window = Window { warmup: 300, cycles: 900 };
        let store = InMemory::default();
        let simulation = Simulation::new(&*network, &*router, &config, &ALL).unwrap();
        let simulation = simulation.kept_by(Some(&store));
        over_after(4, |budget| simulation.point(&destination, 0.3, window, 5, budget)).unwrap();
        let run = |network: &dyn Network, router: &dyn Router| {
            let simulation = Simulation::new(network, router, &config, &ALL).unwrap();
            simulation.kept_by(Some(&store)).point(&destination, 0.3, window, 5, &ALL)
        };
        if other {
            let (network, router) = networks().swap_remove(6);
            prop_assert_eq!(run(&*network, &*router), Err(SimError::Damaged(Damaged)));
        } else {
            for bytes in store.runs.lock().unwrap().values_mut() {
                bytes.truncate(bytes.len() * part / 1000);
            }
            prop_assert_eq!(run(&*network, &*router), Err(SimError::Damaged(Damaged)));
        }
    }
}
