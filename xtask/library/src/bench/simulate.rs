//! How fast does the simulator run? `cargo xtask bench sim` prints cycles and flit-hops a second, one thread, and with
//! `--instructions` how many instructions a flit-hop takes, which valgrind counts exactly. `--threads N` is one load of a
//! large network on one thread and on N.

use super::clock::best_of;
use anyhow::{Context, Result, bail};
use nestnet::sim::{Config, Own, Point, Window, destinations};
use nestnet::simulated::{Routed, Setup};
use nestnet::traffic::Traffic;
use nestnet::{Budget, build};
use std::process::Command;
use std::time::Instant;

/// What is simulated: a network, its router, virtual channels, flits of a packet and the load.
struct Case {
    spec: &'static str,
    router: &'static str,
    vcs: u16,
    packet: u16,
    load: f64,
    /// Cycles that take about a second.
    cycles: u64,
}

const fn case(
    spec: &'static str,
    router: &'static str,
    vcs: u16,
    packet: u16,
    load: f64,
    cycles: u64,
) -> Case {
    Case { spec, router, vcs, packet, load, cycles }
}

/// Those of which figures of others are known, and a network of 65,536 routers.
const CASES: [Case; 25] = [
    case("mesh(8, 8)", "dor", 8, 1, 0.05, 200_000),
    case("mesh(8, 8)", "dor", 8, 1, 0.2, 50_000),
    case("mesh(8, 8)", "dor", 8, 1, 0.4, 30_000),
    case("mesh(8, 8)", "dor", 2, 1, 0.2, 50_000),
    case("mesh(8, 8)", "dor", 8, 8, 0.05, 200_000),
    case("mesh(8, 8)", "dor", 8, 8, 0.2, 50_000),
    case("mesh(8, 8)", "dor", 8, 8, 0.35, 30_000),
    case("torus(8, 8, 8)", "dor", 8, 1, 0.1, 8000),
    case("torus(8, 8, 8)", "dor", 8, 1, 0.3, 3000),
    case("mesh(32, 32)", "dor", 8, 1, 0.05, 3000),
    case("mesh(32, 32)", "dor", 8, 1, 0.1, 2000),
    case("torus(32, 32)", "dor", 8, 1, 0.05, 3000),
    case("torus(32, 32)", "dor", 8, 1, 0.2, 1000),
    case("mesh(8, 8)", "dor", 1, 1, 0.05, 200_000),
    case("mesh(8, 8)", "dor", 1, 1, 0.2, 50_000),
    case("mesh(8, 8)", "dor", 1, 1, 0.4, 30_000),
    case("mesh(8, 8)", "dor", 2, 16, 0.2, 50_000),
    case("torus(8, 8, 8)", "dor", 2, 1, 0.05, 20_000),
    case("torus(8, 8, 8)", "dor", 2, 1, 0.2, 5000),
    case("torus(8, 8, 8)", "dor", 2, 1, 0.4, 3000),
    case("random_regular(1000, 10, 1)", "min", 8, 1, 0.2, 2000),
    case("random_regular(5000, 10, 1)", "min", 8, 1, 0.05, 1000),
    case("random_regular(1000, 5, 1)", "min", 8, 1, 0.05, 8000),
    case("rdn(ring(5), 2)", "shortest", 8, 1, 0.05, 1000),
    case("hypercube(16)", "shortest", 2, 1, 0.01, 300),
];

/// Networks that are divided among threads.
const DIVIDED: [Case; 4] = [
    case("torus(100, 100)", "dor", 4, 1, 0.02, 400),
    case("torus(100, 100)", "dor", 4, 1, 0.05, 200),
    case("torus(22, 22, 22)", "dor", 4, 1, 0.05, 400),
    case("torus(22, 22, 22)", "dor", 4, 1, 0.3, 80),
];

/// How often each is run, in turns: a machine that is busy for a while is so for both.
const TURNS: usize = 5;

/// One load on one thread and on several: the least seconds on the wall of each.
fn bench_threads(threads: usize) -> Result<()> {
    println!("network, router, vcs, flits, load: seconds on 1 thread, on {threads}, ratio");
    for case in &DIVIDED {
        let mut least = [f64::INFINITY; 2];
        let mut points = [None, None];
        for _ in 0..TURNS {
            for (place, threads) in [1, threads].into_iter().enumerate() {
                let (point, seconds) = ready(case, threads, |point| {
                    let (point, time) = best_of(0.0, || point(case.cycles))?;
                    Ok((point, time.wall))
                })?;
                least[place] = least[place].min(seconds);
                points[place] = Some(point);
            }
        }
        if points[0] != points[1] {
            bail!("{}: another result on {threads} threads", case.spec);
        }
        let Case { spec, router, vcs, packet, load, .. } = case;
        let [one, several] = least;
        let ratio = one / several;
        println!("{spec}, {router}, {vcs}, {packet}, {load}: {one:.2}, {several:.2}, {ratio:.2}");
    }
    Ok(())
}

/// All cases, or with `--one NUMBER CYCLES` one of them alone, for valgrind to look at.
pub fn bench(args: &[&str]) -> Result<()> {
    if let ["--one", number, cycles] = args {
        let case = CASES.get(number.parse::<usize>()?).context("no such case")?;
        let cycles = cycles.parse()?;
        let point = ready(case, 1, |point| point(cycles))?;
        println!("{}", point.flit_hops);
        return Ok(());
    }
    let count = match args {
        [] => false,
        ["--instructions"] => true,
        ["--threads", threads] => return bench_threads(threads.parse()?),
        _ => bail!("cargo xtask bench sim [--instructions | --threads N]"),
    };
    println!("network, router, vcs, flits, load: cycles/s, flit-hops/s, start");
    for (number, case) in CASES.iter().enumerate() {
        let (point, seconds, start) = run(case)?;
        let rate = |count: u64| count as f64 / seconds;
        let Case { spec, router, vcs, packet, load, .. } = case;
        print!(
            "{spec}, {router}, {vcs}, {packet}, {load}: {:.0}, {:.0}, {start:.2} s, {}",
            rate(point.cycles),
            rate(point.flit_hops),
            point.status
        );
        if count {
            print!(", {:.0} instructions a flit-hop", instructions(number, case.cycles / 10)?);
        }
        println!();
    }
    Ok(())
}

/// A point, the seconds of the processor that it took, and those to get ready.
fn run(case: &Case) -> Result<(Point, f64, f64)> {
    let begun = Instant::now();
    ready(case, 1, |point| {
        let start = begun.elapsed().as_secs_f64();
        let (point, time) = best_of(0.0, || point(case.cycles))?;
        Ok((point, time.cpu, start))
    })
}

/// Gives `work` what simulates that many cycles on so many threads. Nothing is timed here: valgrind has no clock of the processor.
fn ready<T>(case: &Case, threads: usize, work: impl FnOnce(&Cycles<'_>) -> Result<T>) -> Result<T> {
    let built = build(case.spec).map_err(|error| anyhow::anyhow!("{error}"))?;
    let routed = Routed { by: Some(case.router), ..Routed::default() };
    let config = Config { vcs: case.vcs, packets: vec![(case.packet, 1.0)], ..Config::default() };
    let setup = Setup::new(&built, routed, config, &Budget::UNLIMITED)?;
    let simulation = setup.simulation(&Budget::UNLIMITED)?.on_threads(threads);
    let traffic = Traffic::uniform(simulation.hosts());
    let destination = destinations(&traffic, Own::Sent);
    work(&|cycles| {
        let window = Window { warmup: cycles / 5, cycles };
        Ok(simulation.point(&destination, case.load, window, 1, &Budget::UNLIMITED)?)
    })
}

/// Simulates that many cycles.
type Cycles<'a> = dyn Fn(u64) -> Result<Point> + 'a;

/// Instructions a flit-hop: what a longer run takes more than a shorter one.
fn instructions(number: usize, cycles: u64) -> Result<f64> {
    let this = std::env::current_exe()?;
    let count = |cycles: u64| -> Result<(f64, f64)> {
        let ended = Command::new("valgrind")
            .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
            .arg(&this)
            .args(["bench", "sim", "--one", &number.to_string(), &cycles.to_string()])
            .output()
            .context("valgrind is not there")?;
        let hops = String::from_utf8_lossy(&ended.stdout).trim().parse()?;
        let log = String::from_utf8_lossy(&ended.stderr).into_owned();
        let line = log.lines().find(|line| line.contains("Collected")).context("no count")?;
        let counted = line.rsplit(' ').next().unwrap_or_default().parse()?;
        Ok((counted, hops))
    };
    let (short, long) = (count(cycles)?, count(2 * cycles)?);
    Ok((long.0 - short.0) / (long.1 - short.1))
}
