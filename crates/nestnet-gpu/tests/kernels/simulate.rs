//! Does a simulation on a device give what the CPU gives, to the last digit?

use crate::emulator::Emulator;
use crate::sweep::gpu;
use nestnet_gpu::simulate::Simulating;
use nestnet_graph::{Budget, Node};
use nestnet_routing::Router;
use nestnet_routing::route::{Cached, Detouring, Dimensions, Faults, Valiant, VcLimited};
use nestnet_routing::traffic::{Ends, Source, read};
use nestnet_sim::{
    Allocator, Config, Device, DeviceCycles, Failure, Injection, Making, Model, Own, Precision,
    Record, RunLength, SimError, Simulation, Switching, Window, destinations,
};
use nestnet_topologies::build;
use std::fmt::Debug;
use std::sync::Arc;

const ENOUGH: u64 = 1 << 30;

/// A device of kernels as one of simulations.
#[derive(Debug)]
struct By<'d, D>(&'d D, u64);

impl<D: nestnet_gpu::Device + Debug> Device for By<'_, D> {
    fn room(&self) -> Result<u64, SimError> {
        Ok(self.1)
    }

    fn start<'d>(&'d self, model: &Model<'_>) -> Result<Box<dyn DeviceCycles + 'd>, SimError> {
        Ok(Box::new(Simulating::new(self.0, model, self.1)?))
    }
}

/// What is simulated.
#[derive(Clone, Debug)]
struct Case {
    spec: &'static str,
    /// `dimension_order`, `valiant`, or a router of the network.
    router: &'static str,
    config: Config,
    traffic: &'static str,
    own: Own,
    load: f64,
    length: RunLength,
    seed: u64,
    /// Links that have failed before the first cycle.
    failed: &'static [(u64, u64)],
}

fn case(spec: &'static str, load: f64) -> Case {
    Case {
        spec,
        router: "shortest",
        config: Config::default(),
        traffic: "uniform",
        own: Own::Sent,
        load,
        length: Window { warmup: 100, cycles: 300 }.into(),
        seed: 1,
        failed: &[],
    }
}

impl Case {
    fn router(self, router: &'static str) -> Self {
        Case { router, ..self }
    }

    fn traffic(self, traffic: &'static str) -> Self {
        Case { traffic, ..self }
    }

    fn with(mut self, change: impl FnOnce(&mut Config)) -> Self {
        change(&mut self.config);
        self
    }

    /// The CPU and all devices give the same; what it is.
    fn agrees(&self) -> String {
        let built = build(self.spec).unwrap();
        let network = built.network.clone().unwrap();
        let router: Arc<dyn Router> = match self.router {
            "dimension_order" => {
                Arc::new(Dimensions::new(&*network, &built.logical.product_sides()).unwrap())
            }
            "valiant" => {
                let legs = built.router("shortest").unwrap();
                Arc::new(Valiant::new(legs, 0..network.order()).unwrap())
            }
            name => built.router(name).unwrap(),
        };
        let router = Cached::speed_up(router, &*network);
        let vcs = self.config.vcs;
        let router: Arc<dyn Router> =
            if router.vcs() > vcs { Arc::new(VcLimited::new(router, vcs)) } else { router };
        let mut faults = Faults::default();
        let links = self.failed.iter().map(|&(from, to)| (Node(from), Node(to)));
        let links: Vec<(Node, Node)> = links.collect();
        links.iter().for_each(|&(from, to)| faults.fail_link(from, to));
        let detour = Detouring::new(network.clone(), router.clone(), Arc::new(faults)).unwrap();
        let failures = || match links.is_empty() {
            true => Vec::new(),
            false => vec![Failure { cycle: 0, links: links.clone(), router: &detour }],
        };
        let ends = Ends::plain(network.hosts());
        let traffic = read(self.traffic, &Source::alone(&ends)).unwrap();
        let mut config = self.config.clone();
        if let Some(periods) = traffic.periods() {
            config.injection = Injection::Periods(periods);
        }
        let to = destinations(&traffic, self.own);
        let simulation =
            || Simulation::new(&*network, &*router, &config, &Budget::UNLIMITED).unwrap();
        let simulation = || simulation().with_failures(failures()).unwrap();
        let point = |simulation: Simulation<'_>| {
            let Case { load, length, seed, .. } = *self;
            simulation.point(&to, load, length, seed, &Budget::UNLIMITED)
        };
        let wanted = point(simulation());
        let shown = format!("{wanted:?}");
        let making = Making::of(&traffic, self.own);
        for (backwards, making) in
            [(false, making.clone()), (true, making.clone()), (false, Making::Asked)]
        {
            let emulator = Emulator::new(ENOUGH, 64, backwards);
            let device = By(&emulator, ENOUGH);
            let found = point(simulation().on_device(&device, making));
            assert_eq!(format!("{found:?}"), shown, "{self:?}, backwards: {backwards}");
            assert!(found == wanted);
        }
        if let Some(gpu) = gpu() {
            let device = By(gpu, ENOUGH);
            let found = point(simulation().on_device(&device, making));
            assert_eq!(format!("{found:?}"), shown, "{self:?} on a GPU");
        }
        shown
    }
}

fn flits(flits: u16) -> Vec<(u16, f64)> {
    vec![(flits, 1.0)]
}

#[test]
fn a_torus_by_digits() {
    let all = [0.02, 0.2, 0.5, 1.0].map(|load| case("torus(4, 5)", load).agrees());
    assert!(all[0].contains("status: Ok") && all[3].contains("status: Saturated"));
    case("torus(3, 3, 3)", 0.3).agrees();
    case("mesh(4, 3)", 0.3).agrees();
    case("hypercube(4)", 0.4).agrees();
}

#[test]
fn families_by_table() {
    for spec in ["petersen", "fat_tree(4)", "dragonfly(4, 2, groups=5)", "complete(6)", "star(5)"] {
        case(spec, 0.1).agrees();
        case(spec, 0.7).agrees();
    }
}

#[test]
fn clusters_in_closed_form() {
    for spec in ["rdn(ring(3), 1)", "rdn(ring(3), 2)", "rdn(petersen, 1)"] {
        case(spec, 0.1).with(|config| config.vcs = 8).agrees();
        case(spec, 0.9).with(|config| config.vcs = 8).agrees();
    }
}

#[test]
fn rings_with_a_state_and_coins() {
    for load in [0.1, 0.6] {
        case("torus(4, 4)", load).router("dimension_order").agrees();
        case("torus(5, 3)", load).router("dimension_order").agrees();
        case("mesh(4, 4)", load).router("dimension_order").agrees();
    }
}

#[test]
fn a_router_that_remembers() {
    case("torus(3, 4)", 0.2).router("valiant").agrees();
    case("petersen", 0.6).router("valiant").agrees();
}

#[test]
fn packets_of_several_flits() {
    for load in [0.1, 0.8] {
        case("torus(4, 4)", load).with(|config| config.packets = flits(5)).agrees();
        case("fat_tree(4)", load)
            .with(|config| config.packets = vec![(1, 3.0), (4, 1.0), (9, 0.5)])
            .agrees();
        case("torus(4, 4)", load)
            .with(|config| {
                config.packets = vec![(2, 1.0), (5, 1.0)];
                config.switching = Switching::CutThrough;
            })
            .agrees();
    }
}

#[test]
fn delays_and_latencies() {
    let slow = |config: &mut Config| {
        (config.routing_delay, config.vc_delay, config.switch_delay) = (2, 3, 2);
        (config.st_delay, config.credit_delay) = (0, 4);
        config.latency = vec![3, 9];
    };
    case("torus(4, 4)", 0.4).with(slow).agrees();
    case("rdn(ring(3), 1)", 0.4).with(slow).agrees();
    case("fat_tree(4)", 0.4).with(slow).with(|config| config.packets = flits(3)).agrees();
    case("torus(4, 4)", 0.4)
        .with(|config| {
            config.lookahead = true;
            config.st_delay = 0;
            config.credit_delay = 0;
        })
        .agrees();
}

#[test]
fn small_and_many_queues() {
    case("torus(4, 4)", 0.5).with(|config| (config.vcs, config.buffer) = (2, 1)).agrees();
    case("torus(4, 4)", 0.5).with(|config| (config.vcs, config.buffer) = (1, 2)).agrees();
    // Masks of several words.
    case("torus(4, 4)", 0.9).with(|config| (config.vcs, config.buffer) = (32, 2)).agrees();
    case("complete(12)", 0.9).with(|config| (config.vcs, config.buffer) = (13, 3)).agrees();
    // More ports than a warp has lanes, with masks of one word and of several.
    case("complete(40)", 0.9).with(|config| config.vcs = 1).agrees();
    case("complete(40)", 0.9).with(|config| config.packets = flits(3)).agrees();
    case("torus(4, 4)", 0.9).with(|config| (config.vcs, config.input_speedup) = (4, 2)).agrees();
    case("torus(4, 4)", 0.9).with(|config| (config.vcs, config.input_speedup) = (5, 3)).agrees();
}

#[test]
fn allocators() {
    let [output, input] = [Allocator::SeparableOutputFirst, Allocator::SeparableInputFirst];
    for (vcs, switch) in
        [(output, output), (input, Allocator::Islip), (output, input), (input, input)]
    {
        let chosen = |config: &mut Config| {
            (config.vc_allocator, config.switch_allocator) = (vcs, switch);
        };
        case("torus(4, 4)", 0.7).with(chosen).agrees();
        case("fat_tree(4)", 0.8).with(chosen).with(|config| config.packets = flits(2)).agrees();
    }
}

#[test]
fn traffics() {
    for traffic in [
        "shift(3)",
        "transpose",
        "hotspot(1, 3)",
        "mix(1*uniform, 2*shift(1))",
        "phases(20*shift(1), 30*uniform)",
        "onoff(uniform, 20, 60)",
    ] {
        for own in [Own::Sent, Own::LeftOut] {
            Case { own, ..case("torus(4, 4)", 0.3) }.traffic(traffic).agrees();
        }
    }
    Case { own: Own::LeftOut, ..case("hypercube(4)", 0.3) }.traffic("bit_reverse").agrees();
    Case { own: Own::LeftOut, ..case("torus(4, 4)", 0.3) }.agrees();
    case("torus(4, 4)", 0.3)
        .with(|config| config.injection = Injection::OnOff { burst: 9.0 })
        .agrees();
    case("torus(4, 4)", 0.0).agrees();
}

/// Packets go around what has failed; those of a node that is cut off are lost.
#[test]
fn links_that_have_failed() {
    let cases = [
        ("torus(4, 4)", &[(0, 1), (5, 9)][..], false),
        ("torus(4, 4)", &[(0, 1), (0, 3), (0, 4), (0, 12)][..], true),
        ("rdn(ring(4), 1)", &[(0, 1)][..], false),
        ("petersen", &[(0, 1), (2, 3)][..], false),
        ("fat_tree(4)", &[(16, 24)][..], false),
    ];
    for (spec, failed, is_lost) in cases {
        for size in [1, 3] {
            let failing = Case { failed, ..case(spec, 0.2) };
            let failing = failing.with(|config| (config.vcs, config.packets) = (6, flits(size)));
            let found = failing.agrees();
            assert_eq!(found.contains("lost: 0,"), !is_lost, "{found}");
        }
    }
}

#[test]
fn deadlocks() {
    let long = RunLength::from(Window { warmup: 3000, cycles: 6000 });
    for (spec, load) in [("ring(8)", 0.9), ("torus(4, 4)", 1.0), ("rdn(ring(5), 1)", 1.0)] {
        let locked = Case { length: long, ..case(spec, load) };
        let locked = locked.with(|config| (config.vcs, config.packets) = (1, flits(8)));
        assert!(locked.agrees().contains("status: Deadlock"), "{locked:?}");
    }
    let single = Case { length: long, ..case("ring(8)", 1.0) };
    let single = single.with(|config| (config.vcs, config.buffer) = (1, 1)).traffic("shift(3)");
    assert!(single.agrees().contains("status: Deadlock"));
}

#[test]
fn windows_that_are_found_records_and_energy() {
    let precision = Precision { max_cycles: 20_000, ..Precision::USUAL };
    for load in [0.05, 0.6, 1.0] {
        Case { length: RunLength::Found(precision), ..case("torus(4, 4)", load) }.agrees();
    }
    let record = Record { hosts: true, flows: true, packets: true };
    for (spec, load) in [("torus(4, 4)", 0.4), ("fat_tree(4)", 0.4), ("fat_tree(4)", 1.0)] {
        case(spec, load)
            .with(|config| {
                config.record = record;
                config.energy = true;
                config.percentiles = vec![90.0, 99.9];
                config.packets = vec![(1, 1.0), (3, 1.0)];
            })
            .agrees();
    }
}

#[test]
fn what_is_not_done_is_refused_by_name() {
    let network = build("torus(4, 4)").unwrap();
    let (router, network) = (network.router("shortest").unwrap(), network.network.unwrap());
    let traffic = nestnet_routing::traffic::Traffic::uniform(16);
    let to = destinations(&traffic, Own::Sent);
    let refused = |config: &Config, memory: u64| {
        let emulator = Emulator::new(ENOUGH, 64, false);
        let device = By(&emulator, memory);
        let simulation = Simulation::new(&*network, &*router, config, &Budget::UNLIMITED).unwrap();
        let simulation = simulation.on_device(&device, Making::Asked);
        let window = Window { warmup: 10, cycles: 10 };
        simulation.point(&to, 0.1, window, 1, &Budget::UNLIMITED).unwrap_err().to_string()
    };
    let speculative = Config { speculative: true, ..Config::default() };
    assert_eq!(refused(&speculative, ENOUGH), "not on a GPU: `speculative=`");
    let ecn = Config { ecn: Some(3), ..Config::default() };
    assert_eq!(refused(&ecn, ENOUGH), "not on a GPU: `ecn=`");
    let emulator = Emulator::new(ENOUGH, 64, false);
    let (device, config) = (By(&emulator, ENOUGH), Config::default());
    let simulation = Simulation::new(&*network, &*router, &config, &Budget::UNLIMITED).unwrap();
    let failure = Failure { cycle: 1, links: vec![(Node(0), Node(1))], router: &*router };
    let simulation = simulation.with_failures(vec![failure]).unwrap();
    let simulation = simulation.on_device(&device, Making::Asked);
    let window = Window { warmup: 10, cycles: 10 };
    let late = simulation.point(&to, 0.1, window, 1, &Budget::UNLIMITED).unwrap_err();
    assert_eq!(late.to_string(), "not on a GPU: `fail=` and `fail_rate=` behind cycle 0");
    let small = refused(&Config::default(), 1000);
    assert!(small.starts_with("the simulation on the GPU needs "), "{small}");
}
