//! Are searches on a device the searches on threads?

use crate::emulator::Emulator;
use nestnet_gpu::sweep::{least_bytes, sweep};
use nestnet_gpu::{Cuda, DeviceError};
use nestnet_graph::measure::nodes;
use nestnet_graph::measure::sweep::{Source, Sweeper, Threads};
use nestnet_graph::{Budget, Csr, Interrupted, Network, Watch};
use nestnet_seed::samples::{graph, path, ring, torus};
use nestnet_topologies::family::FAMILIES;
use proptest::prelude::*;
use std::sync::OnceLock;
use std::sync::atomic::Ordering;

/// The GPU of this machine, where `NESTNET_GPU=1` says that there is one.
pub fn gpu() -> Option<&'static Cuda> {
    static GPU: OnceLock<Option<Cuda>> = OnceLock::new();
    let asked = std::env::var_os("NESTNET_GPU").is_some_and(|value| value == "1");
    GPU.get_or_init(|| asked.then(|| Cuda::find().unwrap())).as_ref()
}

/// Compares all that is found, for a device of that memory.
fn agrees(csr: &Csr, sources: &[Source], targets: Option<&[u32]>, memory: u64, threads: u64) {
    let wanted = Threads.sweep(csr, sources, targets, &Watch::SILENT).unwrap();
    for backwards in [false, true] {
        let device = Emulator::new(memory, threads, backwards);
        let found = sweep(&device, csr, sources, targets, memory, &Watch::SILENT).unwrap();
        assert_eq!(found, wanted);
        assert!(device.used.load(Ordering::Relaxed) <= memory);
    }
    if let Some(gpu) = gpu() {
        let found = sweep(gpu, csr, sources, targets, memory, &Watch::SILENT).unwrap();
        assert_eq!(found, wanted, "on the GPU");
    }
}

fn from_all(csr: &Csr) -> Vec<Source> {
    nodes(csr).map(|node| Source { node, weight: 1 }).collect()
}

/// Sources of four weights all over a network, some of them twice.
fn weighed(csr: &Csr, number: u32) -> Vec<Source> {
    let order = u32::try_from(csr.order()).unwrap();
    let source = |at: u32| Source { node: 31 * at % order, weight: 1 + u64::from(at * at % 7) };
    (0..number).map(source).collect()
}

const ENOUGH: u64 = 1 << 30;

#[test]
fn special_networks() {
    let fours = (0..400).flat_map(|at| {
        let pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
        pairs.map(|(a, b)| (4 * at + a, 4 * at + b))
    });
    let fours = graph(1600, &fours.collect::<Vec<_>>());
    let hub = graph(900, &(1..900).map(|at| (0, at)).collect::<Vec<_>>());
    let alone = graph(1, &[]);
    let apart = graph(300, &[(0, 1), (1, 2)]);
    for csr in [fours, hub, alone, apart, torus(3, 400), torus(56, 56), ring(300), path(70)] {
        agrees(&csr, &from_all(&csr), None, ENOUGH, 500);
        let targets: Vec<u32> = nodes(&csr).map(|at| at * 7 % 5).collect();
        agrees(&csr, &weighed(&csr, 600), Some(&targets), ENOUGH, 64);
        agrees(&csr, &[], None, ENOUGH, 64);
    }
}

/// Every family, by the examples of its row.
#[test]
fn every_family() {
    let mut tried = 0;
    for text in FAMILIES.iter().flat_map(|rows| *rows).flat_map(|family| family.examples) {
        let Ok(built) = nestnet_topologies::build(text) else { continue };
        let Some(network) = built.network.as_deref().filter(|network| network.order() <= 3000)
        else {
            continue;
        };
        let csr = Csr::from_network(network, &Budget::default()).unwrap();
        agrees(&csr, &from_all(&csr), None, ENOUGH, 777);
        tried += 1;
    }
    assert!(tried >= 40, "{tried}");
}

/// With less memory it takes more blocks, with too little it is refused with its size.
#[test]
fn little_memory_is_more_blocks() {
    let csr = torus(20, 40);
    let sources = from_all(&csr);
    let least = u64::try_from(least_bytes(&csr)).unwrap();
    for memory in [least, 2 * least, 3 * least, 7 * least] {
        agrees(&csr, &sources, None, memory, 100);
    }
    let device = Emulator::new(ENOUGH, 100, false);
    let refused = sweep(&device, &csr, &sources, None, least - 1, &Watch::SILENT);
    let what = "searching from every node";
    let need = least.into();
    assert_eq!(refused, Err(DeviceError::Memory { what, need, room: least - 1 }));
    let text = refused.unwrap_err().to_string();
    assert!(text.starts_with("searching from every node needs "), "{text}");
}

#[test]
fn it_stops_on_request() {
    let csr = torus(5, 5);
    let watch = Watch { stop: &|| true, ..Watch::SILENT };
    let device = Emulator::new(ENOUGH, 100, false);
    let stopped = sweep(&device, &csr, &from_all(&csr), None, ENOUGH, &watch);
    assert_eq!(stopped, Err(DeviceError::Interrupted(Interrupted)));
}

/// Links at random, so that there are parts, isolated nodes and degrees of all kinds.
fn networks() -> impl Strategy<Value = Csr> {
    (2u32..700, 0usize..1500).prop_flat_map(|(order, links)| {
        let link = (0..order, 0..order).prop_filter("a loop", |(a, b)| a != b);
        proptest::collection::vec(link, 0..=links).prop_map(move |links| graph(order, &links))
    })
}

proptest! {
    #![proptest_config(nestnet_seed::config())]

    #[test]
    fn random_networks(
        csr in networks(),
        number in 1u32..900,
        blocks in 1u64..5,
        threads in 1u64..3000,
        hosts in proptest::option::of(0u32..9),
    ) {
        let least = u64::try_from(least_bytes(&csr)).unwrap();
        let targets: Option<Vec<u32>> = hosts.map(|hosts| nodes(&csr).map(|at| at % (hosts + 1)).collect());
        agrees(&csr, &weighed(&csr, number), targets.as_deref(), blocks * least, threads);
    }
}
