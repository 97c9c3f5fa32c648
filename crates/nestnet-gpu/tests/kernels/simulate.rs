//! Is the simulation on a device that of a plain model in objects?

use crate::emulator::Emulator;
use crate::sweep::gpu;
use nestnet_gpu::DeviceError;
use nestnet_gpu::simulate::{Dimension, Routing, Run, Simulated, Table, simulate, threshold};
use nestnet_graph::measure::search::distances_from;
use nestnet_graph::measure::splitmix64;
use nestnet_graph::{Csr, Network, Node, Watch};
use nestnet_seed::samples::{complete, graph, ring, torus};
use proptest::prelude::*;
use std::collections::VecDeque;

const ENOUGH: u64 = 1 << 30;

#[derive(Clone, Copy)]
struct Packet {
    to: u64,
    born: u64,
}

/// What a packet asks for: a port and a virtual channel there.
type Hop = (usize, usize);

/// A router as its parts.
struct Router {
    /// By port and virtual channel.
    queues: Vec<Vec<VecDeque<Packet>>>,
    credits: Vec<Vec<u32>>,
    turns: Vec<usize>,
    /// Packets that wait at the host.
    source: VecDeque<Packet>,
}

/// What is on the way from a router and a port, to arrive in the next cycle.
#[derive(Default)]
struct Sent {
    flits: Vec<(u32, usize, usize, Packet)>,
    credits: Vec<(u32, usize, usize)>,
}

/// The same model, router by router, with queues that are queues.
fn reference(run: &Run<'_>, hop: &dyn Fn(u64, usize, u64) -> Hop) -> Simulated {
    let order = u32::try_from(run.csr.order()).unwrap();
    let vcs = usize::from(run.vcs);
    let ports = run.csr.ports() as usize;
    let router = || Router {
        queues: vec![vec![VecDeque::new(); vcs]; ports],
        credits: vec![vec![run.slots.into(); vcs]; ports],
        turns: vec![0; ports],
        source: VecDeque::new(),
    };
    let mut routers: Vec<Router> = (0..order).map(|_| router()).collect();
    let mut found = Simulated::default();
    let mut on_the_way = Sent::default();
    let measured = run.warmup..run.warmup + run.cycles;
    let drawn = |cycle: u64, host: u64| splitmix64(splitmix64(splitmix64(run.seed) ^ cycle) ^ host);
    // The port at the other end of a link of one cable.
    let arrival = |from: u32, port: usize| {
        let to = run.csr.neighbors(from)[port];
        (to, run.csr.neighbors(to).iter().position(|&back| back == from).unwrap())
    };
    let mut now = 0;
    loop {
        let is_look = if now <= measured.end {
            now == measured.end
        } else {
            (now - measured.end).is_multiple_of(128)
        };
        let end = measured.end + run.drain;
        if (is_look && found.arrived == found.measured) || now >= end {
            found.cycles = now;
            return found;
        }
        let arriving = std::mem::take(&mut on_the_way);
        for (at, port, vc, packet) in arriving.flits {
            routers[at as usize].queues[port][vc].push_back(packet);
            assert!(routers[at as usize].queues[port][vc].len() <= run.slots.into());
        }
        for (at, port, vc) in arriving.credits {
            routers[at as usize].credits[port][vc] += 1;
        }
        for at in 0..order {
            let host = u64::from(at);
            let router = &mut routers[at as usize];
            let draw = drawn(now, host);
            if host < run.hosts && run.hosts > 1 && draw >> 32 < threshold(run.load) {
                let other = ((splitmix64(draw) >> 32) * (run.hosts - 1)) >> 32;
                let to = if other < host { other } else { other + 1 };
                router.source.push_back(Packet { to, born: now });
                found.made += 1;
                found.measured += u64::from(measured.contains(&now));
            }
            let mut busy = vec![false; ports + 1];
            for turn in 0..=ports {
                let input = usize::try_from((now + turn as u64) % (ports as u64 + 1)).unwrap();
                if input == ports {
                    let Some(&packet) = router.source.front() else { continue };
                    let (port, vc) = hop(host, 0, packet.to);
                    if busy[port] || router.credits[port][vc] == 0 {
                        continue;
                    }
                    busy[port] = true;
                    router.credits[port][vc] -= 1;
                    router.source.pop_front();
                    let (to, entry) = arrival(at, port);
                    on_the_way.flits.push((to, entry, vc, packet));
                    found.sent += 1;
                    found.hops += 1;
                    continue;
                }
                let first = router.turns[input];
                for lane in (0..vcs).map(|lane| (first + lane) % vcs) {
                    let Some(&packet) = router.queues[input][lane].front() else { continue };
                    let (port, vc) =
                        if packet.to == host { (ports, 0) } else { hop(host, lane, packet.to) };
                    if busy[port] || port < ports && router.credits[port][vc] == 0 {
                        continue;
                    }
                    busy[port] = true;
                    router.queues[input][lane].pop_front();
                    router.turns[input] = (lane + 1) % vcs;
                    let (back, exit) = arrival(at, input);
                    on_the_way.credits.push((back, exit, lane));
                    if port < ports {
                        router.credits[port][vc] -= 1;
                        let (to, entry) = arrival(at, port);
                        on_the_way.flits.push((to, entry, vc, packet));
                        found.hops += 1;
                    } else {
                        found.received += 1;
                        if measured.contains(&packet.born) {
                            found.arrived += 1;
                            found.latency += now - packet.born;
                            found.longest = found.longest.max(now - packet.born);
                        }
                    }
                    break;
                }
            }
        }
        now += 1;
    }
}

/// Compares the device with the plain model, and gives what both found.
fn agrees(run: &Run<'_>, hop: &dyn Fn(u64, usize, u64) -> Hop) -> Simulated {
    let wanted = reference(run, hop);
    for backwards in [false, true] {
        let device = Emulator::new(ENOUGH, 64, backwards);
        let found = simulate(&device, run, ENOUGH, &Watch::SILENT).unwrap();
        assert_eq!(found, wanted);
        let used = u128::from(device.used.load(std::sync::atomic::Ordering::Relaxed));
        assert_eq!(used, run.bytes());
    }
    if let Some(gpu) = gpu() {
        assert_eq!(simulate(gpu, run, ENOUGH, &Watch::SILENT).unwrap(), wanted, "on the GPU");
    }
    wanted
}

/// Shortest hops; the virtual channel rises at every hop, so that there is no deadlock while there are enough.
fn rising(csr: &Csr, vcs: u8) -> impl Fn(u64, usize, u64) -> Hop + use<> {
    let order = csr.order();
    let from = (0..order).map(|to| distances_from(csr, Node(to)));
    let distances: Vec<Vec<u32>> = from.collect();
    let csr = csr.clone();
    move |at, vc, to| {
        let distances = &distances[usize::try_from(to).unwrap()];
        let here = distances[usize::try_from(at).unwrap()];
        let all = csr.neighbors(u32::try_from(at).unwrap());
        let port = all.iter().position(|&next| distances[next as usize] < here).unwrap_or(0);
        (port, (vc + 1).min(usize::from(vcs) - 1))
    }
}

fn tabled(csr: &Csr, hosts: u64, vcs: u8, hop: &dyn Fn(u64, usize, u64) -> Hop) -> Routing {
    Routing::Table(Table::new(csr.order(), hosts, vcs, |at, class, to| {
        let (port, vc) = hop(at, class.into(), to);
        (u16::try_from(port).unwrap(), u8::try_from(vc).unwrap())
    }))
}

/// Dimension order in a grid or torus, by coordinates and the definition.
fn in_order(
    csr: &Csr,
    dimensions: &[Dimension],
    vcs: u8,
) -> impl Fn(u64, usize, u64) -> Hop + use<> {
    let (csr, dimensions) = (csr.clone(), dimensions.to_vec());
    move |at, _, to| {
        let digit = |node: u64, one: &Dimension| node / one.stride % one.side;
        let one = dimensions.iter().find(|one| digit(at, one) != digit(to, one)).unwrap();
        let (here, goal, side) = (digit(at, one), digit(to, one), one.side);
        // Both ways, as lists of digits.
        let up: Vec<u64> =
            (0..side).map(|i| (here + i) % side).take_while(|&d| d != goal).collect();
        let down: Vec<u64> =
            (0..side).map(|i| (here + side - i) % side).take_while(|&d| d != goal).collect();
        let (ascends, way) = match one.wraps {
            true if up.len() <= down.len() => (true, up),
            true => (false, down),
            false if goal > here => (true, up),
            false => (false, down),
        };
        let edge = if ascends { side - 1 } else { 0 };
        let step = if ascends { (here + 1) % side } else { (here + side - 1) % side };
        let next = at - here * one.stride + step * one.stride;
        let all = csr.neighbors(u32::try_from(at).unwrap());
        let port = all.iter().position(|&node| u64::from(node) == next).unwrap();
        let crosses = way.contains(&edge);
        (port, if crosses && vcs > 1 { 0 } else { usize::from(vcs) - 1 })
    }
}

fn square(a: u64, b: u64, wraps: bool) -> Vec<Dimension> {
    vec![Dimension { side: a, stride: b, wraps }, Dimension { side: b, stride: 1, wraps }]
}

fn grid(a: u32, b: u32) -> Csr {
    let links = (0..a * b).flat_map(|at| {
        let right = (at % b + 1 < b).then_some((at, at + 1));
        right.into_iter().chain((at / b + 1 < a).then_some((at, at + b)))
    });
    graph(a * b, &links.collect::<Vec<_>>())
}

const QUICK: (u64, u64, u64) = (50, 150, 1500);

fn run<'a>(csr: &'a Csr, routing: &'a Routing, vcs: u8, load: f64) -> Run<'a> {
    let (warmup, cycles, drain) = QUICK;
    let hosts = csr.order();
    Run { csr, hosts, routing, vcs, slots: 4, load, seed: 7, warmup, cycles, drain }
}

/// Low loads, high loads and more than a network can take.
#[test]
fn dimension_order() {
    for (csr, wraps, a, b) in
        [(torus(5, 6), true, 5, 6), (torus(3, 8), true, 3, 8), (grid(4, 5), false, 4, 5)]
    {
        let dimensions = square(a, b, wraps);
        let routing = Routing::Dimensions(dimensions.clone());
        for (vcs, load) in [(2, 0.05), (2, 0.4), (3, 1.0)] {
            let run = run(&csr, &routing, vcs, load);
            let found = agrees(&run, &in_order(&csr, &dimensions, vcs));
            assert!(found.received > 0);
            assert!(load > 0.1 || found.arrived == found.measured, "{found:?}");
        }
    }
}

#[test]
fn tables() {
    for (csr, hosts) in [(ring(7), 7), (complete(6), 4), (torus(4, 4), 16), (grid(3, 3), 5)] {
        for (vcs, load) in [(1, 0.02), (6, 0.3), (6, 1.0)] {
            let hop = rising(&csr, vcs);
            let routing = tabled(&csr, hosts, vcs, &hop);
            let found = agrees(&Run { hosts, ..run(&csr, &routing, vcs, load) }, &hop);
            assert!(found.received > 0);
        }
    }
}

/// On one virtual channel a full ring stops, and that is found too: nothing arrives any more.
#[test]
fn a_deadlock_is_one() {
    let csr = ring(8);
    let hop = |at: u64, _: usize, _: u64| {
        let next = u32::try_from((at + 1) % 8).unwrap();
        let all = csr.neighbors(u32::try_from(at).unwrap());
        (all.iter().position(|&node| node == next).unwrap(), 0)
    };
    let routing = tabled(&csr, 8, 1, &hop);
    let found = agrees(&Run { slots: 1, ..run(&csr, &routing, 1, 1.0) }, &hop);
    assert!(found.arrived < found.measured / 2, "{found:?}");
}

#[test]
fn what_it_has_no_model_for_is_refused_by_name() {
    let csr = torus(5, 6);
    let wrong = Routing::Dimensions(square(6, 5, true));
    let right = Routing::Dimensions(square(5, 6, true));
    let table = Routing::Table(Table::new(30, 30, 1, |_, _, _| (4, 0)));
    let small = Routing::Table(Table::new(30, 29, 1, |_, _, _| (0, 0)));
    let hub = graph(70, &(1..70).map(|at| (0, at)).collect::<Vec<_>>());
    let device = Emulator::new(ENOUGH, 64, false);
    for (run, said) in [
        (run(&csr, &wrong, 2, 0.1), "not linked so"),
        (run(&csr, &right, 1, 0.1), "may deadlock"),
        (run(&csr, &right, 0, 0.1), "without a virtual channel"),
        (run(&csr, &right, 2, 1.5), "not between 0 and 1"),
        (run(&csr, &right, 2, f64::NAN), "not between 0 and 1"),
        (run(&csr, &table, 2, 0.1), "a port or a virtual channel that is not there"),
        (run(&csr, &small, 2, 0.1), "a port or a virtual channel that is not there"),
        (run(&hub, &right, 2, 0.1), "more than 62 ports"),
        (Run { hosts: 31, ..run(&csr, &right, 2, 0.1) }, "more hosts than routers"),
        (Run { drain: u64::MAX, ..run(&csr, &right, 2, 0.1) }, "2^32 cycles"),
    ] {
        let refused = simulate(&device, &run, ENOUGH, &Watch::SILENT).unwrap_err();
        assert!(
            matches!(&refused, DeviceError::Unsupported(why) if why.contains(said)),
            "{refused}"
        );
    }
    let refused = simulate(&device, &run(&csr, &right, 2, 0.1), 100, &Watch::SILENT);
    assert!(matches!(refused, Err(DeviceError::Budget(_))), "{refused:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..nestnet_seed::config() })]

    #[test]
    fn random_runs(
        (a, b) in (3u32..7, 3u32..7),
        wraps in any::<bool>(),
        by_table in any::<bool>(),
        vcs in 2u8..5,
        slots in 1u16..6,
        load in 0.0..1.0f64,
        seed in any::<u64>(),
    ) {
        let csr = if wraps { torus(a, b) } else { grid(a, b) };
        let dimensions = square(a.into(), b.into(), wraps);
        let hop: Box<dyn Fn(u64, usize, u64) -> Hop> = match by_table {
            true => Box::new(rising(&csr, vcs)),
            false => Box::new(in_order(&csr, &dimensions, vcs)),
        };
        let routing = match by_table {
            true => tabled(&csr, csr.order(), vcs, &*hop),
            false => Routing::Dimensions(dimensions),
        };
        let run = Run { slots, seed, drain: 400, ..run(&csr, &routing, vcs, load) };
        let found = agrees(&run, &*hop);
        prop_assert!(found.received <= found.sent && found.sent <= found.made);
    }
}
