//! Simulates a square mesh of some side in dimension order at some load, with so many virtual channels, cycles and threads:
//! `mesh 8 0.2 8 10000 1`.

use nestnet_graph::{Budget, Csr};
use nestnet_routing::Router;
use nestnet_routing::route::{Cached, Dimensions};
use nestnet_routing::traffic::Traffic;
use nestnet_sim::{Config, Own, Simulation, Window, destinations};
use std::error::Error;
use std::sync::Arc;

fn main() -> Result<(), Box<dyn Error>> {
    let given: Vec<f64> =
        std::env::args().skip(1).map(|arg| arg.parse()).collect::<Result<_, _>>()?;
    let value = |place: usize, usual: f64| given.get(place).copied().unwrap_or(usual);
    let count = |place, usual| format!("{:.0}", value(place, usual)).parse::<u32>();
    let (side, vcs, cycles) = (count(0, 8.0)?, count(2, 8.0)?, count(3, 10_000.0)?);
    let across = (0..side * side).filter(|at| at % side + 1 < side).map(|at| (at, at + 1));
    let down = (0..side * (side - 1)).map(|at| (at, at + side));
    let links: Vec<(u32, u32)> = across.chain(down).collect();
    let mesh = Csr::from_links(u64::from(side) * u64::from(side), &links, 1 << 30)?;
    let sides = [side.into(), side.into()];
    let router = Dimensions::new(&mesh, &sides).ok_or("a mesh")?;
    let router: Arc<dyn Router> = Cached::speed_up(Arc::new(router), &mesh);
    let config = Config { vcs: u16::try_from(vcs)?, ..Config::default() };
    let simulation = Simulation::new(&mesh, &*router, &config, &Budget::UNLIMITED)?;
    let simulation = simulation.on_threads(count(4, 1.0)?.try_into()?);
    let traffic = Traffic::uniform(simulation.hosts());
    let window = Window { warmup: u64::from(cycles).min(1000), cycles: cycles.into() };
    let destination = destinations(&traffic, Own::Sent);
    let point = simulation.point(&destination, value(1, 0.2), window, 1, &Budget::UNLIMITED)?;
    println!(
        "{} cycles, {} flit-hops: {:.2} cycles a packet, {}",
        point.cycles, point.flit_hops, point.packet_latency.mean, point.status
    );
    Ok(())
}
