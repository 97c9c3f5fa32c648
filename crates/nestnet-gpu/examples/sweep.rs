//! How long do all distances take on a GPU, and are they those of the CPU?
//!
//! `sweep SPEC [RUNS] [--cpu]`: the network is built once and searched on the GPU several times, with `--cpu` also by all
//! threads, whose answer must be the same. Times are of the searches alone.

use nestnet_gpu::Gpu;
use nestnet_graph::measure::distance::exhaustive_by;
use nestnet_graph::measure::sweep::{Sweeper, Threads};
use nestnet_graph::{Budget, Csr, Watch};
use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let beside = args.iter().position(|arg| arg == "--cpu").map(|at| args.remove(at)).is_some();
    let spec = args.first().ok_or("usage: sweep SPEC [RUNS] [--cpu]")?;
    let runs: u32 = args.get(1).map_or(Ok(3), |runs| runs.parse())?;
    let built = nestnet_topologies::build(spec)?;
    let network = built.network.as_deref().ok_or("it has no node ids")?;
    let csr = Csr::from_network(network, &Budget::UNLIMITED)?;
    let start = Instant::now();
    let gpu = Gpu::find(u64::MAX, &|error| eprintln!("{error}"))?;
    println!("{}: ready after {:?}", gpu.name(), start.elapsed());
    let timed = |name: &str, sweeper: &dyn Sweeper| {
        let start = Instant::now();
        let found = exhaustive_by(sweeper, &csr, &Watch::SILENT)?;
        println!("{spec}: {name} {:?}", start.elapsed());
        Ok::<_, Box<dyn Error>>(found)
    };
    let mut found = timed("GPU", &gpu)?;
    for _ in 1..runs {
        let again = timed("GPU", &gpu)?;
        if again != found {
            return Err("two runs differ".into());
        }
        found = again;
    }
    println!("diameter {}, pairs by distance {:?}", found.diameter, found.histogram.counts());
    if beside && timed("CPU", &Threads)? != found {
        return Err("the GPU and the CPU differ".into());
    }
    Ok(())
}
