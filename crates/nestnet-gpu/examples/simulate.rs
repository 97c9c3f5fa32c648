//! How many cycles a second does a GPU simulate?
//!
//! `simulate LOAD CYCLES SIDE…`: a torus of these sides in dimension order, on two virtual channels with queues of 8
//! flits; a tenth of the cycles as warm-up.

use nestnet_gpu::Cuda;
use nestnet_gpu::simulate::{Dimension, Routing, Run, simulate};
use nestnet_graph::{Budget, Csr, Network, Watch};
use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [load, cycles, sides @ ..] = &args[..] else {
        return Err("usage: simulate LOAD CYCLES SIDE…".into());
    };
    let (load, cycles): (f64, u64) = (load.parse()?, cycles.parse()?);
    let built = nestnet_topologies::build(&format!("torus({})", sides.join(", ")))?;
    let network = built.network.as_deref().ok_or("it has no node ids")?;
    let csr = Csr::from_network(network, &Budget::UNLIMITED)?;
    let mut stride = csr.order();
    let mut dimensions = Vec::new();
    for side in sides {
        let side: u64 = side.parse()?;
        stride /= side;
        dimensions.push(Dimension { side, stride, wraps: true });
    }
    let routing = Routing::Dimensions(dimensions);
    let (hosts, warmup) = (csr.order(), cycles / 10);
    let run = Run {
        csr: &csr,
        hosts,
        routing: &routing,
        vcs: 2,
        slots: 8,
        load,
        seed: 1,
        warmup,
        cycles,
        drain: 10_000,
    };
    let cuda = Cuda::find()?;
    println!("{}: {} bytes", cuda.name(), run.bytes());
    for _ in 0..2 {
        let start = Instant::now();
        let found = simulate(&cuda, &run, u64::MAX, &Watch::SILENT)?;
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "torus({}) at {load}: {:.0} cycles a second, {:.2e} flit-hops a second, mean latency {:.3}, {found:?}",
            sides.join(", "),
            found.cycles as f64 / seconds,
            found.hops as f64 / seconds,
            found.latency as f64 / found.arrived.max(1) as f64,
        );
    }
    Ok(())
}
