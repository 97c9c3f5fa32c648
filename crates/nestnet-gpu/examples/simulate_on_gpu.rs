//! How many cycles a second does a GPU simulate, and is the result that of the CPU?
//!
//! `simulate_on_gpu SPEC LOAD WARMUP CYCLES [VCS] [--cpu]`: uniform traffic by router `shortest`, else as `nestnet simulate`
//! has it if nothing is said. The time is from the first cycle to the last, with what is measured. With `--cpu` all threads
//! do it too, and their result must be the same.

use nestnet_gpu::Gpu;
use nestnet_gpu::simulate::bytes;
use nestnet_graph::Budget;
use nestnet_routing::traffic::Traffic;
use nestnet_sim::{
    ArrivedPacket, Config, Counts, Device, DeviceCycles, GivenPackets, Making, Model, Own,
    SimError, Simulation, Snapshot, Window, destinations,
};
use std::error::Error;
use std::ops::Range;
use std::sync::Mutex;
use std::time::Instant;

/// A device that notes when its first cycle begins, when its last ends, and how many there are.
#[derive(Debug)]
struct Timed<'g, 'a> {
    gpu: &'g Gpu<'a>,
    seen: Mutex<Option<(Instant, Instant, u64)>>,
}

struct TimedCycles<'d> {
    cycles: Box<dyn DeviceCycles + 'd>,
    seen: &'d Mutex<Option<(Instant, Instant, u64)>>,
}

impl Device for Timed<'_, '_> {
    fn room(&self) -> Result<u64, SimError> {
        self.gpu.room()
    }

    fn start<'d>(&'d self, model: &Model<'_>) -> Result<Box<dyn DeviceCycles + 'd>, SimError> {
        println!("{} bytes on the GPU", bytes(model));
        Ok(Box::new(TimedCycles { cycles: self.gpu.start(model)?, seen: &self.seen }))
    }
}

impl DeviceCycles for TimedCycles<'_> {
    fn most_cycles(&self) -> u64 {
        self.cycles.most_cycles()
    }

    fn run(
        &mut self,
        cycles: Range<u64>,
        window: (u64, u64),
        given: Option<&GivenPackets>,
        arrived: &mut Vec<ArrivedPacket>,
    ) -> Result<Counts, SimError> {
        let (begin, count) = (Instant::now(), cycles.end - cycles.start);
        let counts = self.cycles.run(cycles, window, given, arrived)?;
        if let Ok(mut seen) = self.seen.lock() {
            let (first, before) = seen.map_or((begin, 0), |(first, _, count)| (first, count));
            *seen = Some((first, Instant::now(), before + count));
        }
        Ok(counts)
    }

    fn next_packets(&self) -> Result<Vec<u64>, SimError> {
        self.cycles.next_packets()
    }

    fn taken(&self) -> Result<Vec<u32>, SimError> {
        self.cycles.taken()
    }

    fn sent(&self) -> Result<Vec<u32>, SimError> {
        self.cycles.sent()
    }

    fn is_deadlocked(&self) -> Result<bool, SimError> {
        self.cycles.is_deadlocked()
    }

    fn snapshot(&self) -> Result<Snapshot, SimError> {
        self.cycles.snapshot()
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let beside = args.iter().position(|arg| arg == "--cpu").map(|at| args.remove(at)).is_some();
    let [spec, load, warmup, cycles, vcs @ ..] = &args[..] else {
        return Err("usage: simulate_on_gpu SPEC LOAD WARMUP CYCLES [VCS] [--cpu]".into());
    };
    let load: f64 = load.parse()?;
    let window = Window { warmup: warmup.parse()?, cycles: cycles.parse()? };
    let built = nestnet_topologies::build(spec)?;
    let network = built.network.clone().ok_or("it has no node ids")?;
    let router = built.router("shortest").ok_or("it has no router shortest")?;
    let least = Config::default().vcs.max(router.vcs());
    let config =
        Config { vcs: vcs.first().map_or(Ok(least), |vcs| vcs.parse())?, ..Config::default() };
    let traffic = Traffic::uniform(network.hosts());
    let to = destinations(&traffic, Own::Sent);
    let gpu = Gpu::find(u64::MAX, &|error| eprintln!("{error}"))?;
    let timed = Timed { gpu: &gpu, seen: Mutex::new(None) };
    let simulation = || Simulation::new(&*network, &*router, &config, &Budget::UNLIMITED);
    let on_gpu = simulation()?.on_device(&timed, Making::of(&traffic, Own::Sent));
    let found = on_gpu.point(&to, load, window, 1, &Budget::UNLIMITED)?;
    let seen = timed.seen.lock().ok().and_then(|seen| *seen);
    if let Some((first, last, count)) = seen {
        let seconds = (last - first).as_secs_f64();
        println!(
            "{}: {spec} at {load}: {count} cycles, {:.0} a second, {:.2e} flit-hops a second",
            gpu.name(),
            count as f64 / seconds,
            found.flit_hops as f64 / seconds,
        );
    }
    let latency = found.packet_latency.mean;
    println!("{}, {} packets, mean latency {latency}", found.status, found.packets);
    if beside {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let on_cpu = simulation()?.on_threads(threads);
        let wanted = on_cpu.point(&to, load, window, 1, &Budget::UNLIMITED)?;
        if format!("{found:?}") != format!("{wanted:?}") {
            return Err("the GPU and the CPU differ".into());
        }
        println!("the CPU has the same");
    }
    Ok(())
}
