//! Is the 95 % interval one? `cargo xtask bench coverage` simulates six configurations with 60 seeds each and counts how
//! often the interval holds the mean of long runs, of those that say that they converged.

use anyhow::Result;
use nestnet::sim::{Config, Own, RunLength, Status, Window, destinations};
use nestnet::simulated::{Routed, Setup};
use nestnet::traffic::Traffic;
use nestnet::{Budget, build};
use rayon::prelude::*;

/// A network, its router, virtual channels and a load: some far below saturation, some near it, the last beyond it, where
/// no run may say that it converged.
const CASES: [(&str, &str, u16, f64); 6] = [
    ("mesh(8, 8)", "dor", 8, 0.2),
    ("mesh(8, 8)", "dor", 8, 0.41),
    ("torus(4, 4, 4)", "dor", 4, 0.3),
    ("torus(4, 4, 4)", "dor", 4, 0.75),
    ("hosts(dragonfly(4, 2), 2)", "shortest", 4, 0.3),
    ("hosts(dragonfly(4, 2), 2)", "shortest", 4, 0.5),
];

/// Seeds of a configuration.
const SEEDS: u64 = 60;

/// What is taken as the true mean: some long runs with other seeds.
const LONG: Window = Window { warmup: 30_000, cycles: 100_000 };
const LONG_SEEDS: std::ops::Range<u64> = 1000..1006;

/// Prints a row for each configuration.
pub fn bench() -> Result<()> {
    println!("| network, router, vcs | load | mean | converged | interval holds the mean |");
    println!("|---|---|---|---|---|");
    for (spec, router, vcs, load) in CASES {
        let built = build(spec).map_err(|error| anyhow::anyhow!("{error}"))?;
        let routed = Routed { by: Some(router), ..Routed::default() };
        let config = Config { vcs, ..Config::default() };
        let setup = Setup::new(&built, routed, config, &Budget::UNLIMITED)?;
        let simulation = setup.simulation(&Budget::UNLIMITED)?;
        let traffic = Traffic::uniform(simulation.hosts());
        let destination = destinations(&traffic, Own::Sent);
        let run =
            |length, seed| simulation.point(&destination, load, length, seed, &Budget::UNLIMITED);
        let long = LONG_SEEDS.into_par_iter().map(|seed| run(RunLength::Fixed(LONG), seed));
        let long = long.collect::<Result<Vec<_>, _>>()?;
        let mean = long.iter().map(|point| point.packet_latency.mean).sum::<f64>();
        let mean = mean / long.len() as f64;
        let points = (1..=SEEDS).into_par_iter().map(|seed| run(RunLength::USUAL, seed));
        let points = points.collect::<Result<Vec<_>, _>>()?;
        let sure: Vec<_> = points.iter().filter(|point| point.status == Status::Ok).collect();
        let holds = |off: f64, ci95: Option<f64>| ci95.is_some_and(|ci95| off.abs() <= ci95);
        let good = sure.iter().map(|point| point.packet_latency);
        let good = good.filter(|latency| holds(latency.mean - mean, latency.ci95)).count();
        let part = (!sure.is_empty()).then(|| 100 * good / sure.len());
        let part = part.map_or("-".to_owned(), |part| format!("{part} %"));
        println!(
            "| `{spec}`, {router}, {vcs} | {load} | {mean:.2} | {} of {SEEDS} | {part} |",
            sure.len()
        );
    }
    Ok(())
}
