//! What is simulated, flit by flit.

use crate::data::{Data, object};
use crate::fault::Fault;
use crate::handle::Held;
use crate::job::{Job, read_text};
use crate::network::Net;
use nestnet::Budget;
use nestnet::format::goal;
use nestnet::sim::{
    Action, Config, FailingLink, Injection, Own, Point, Span, Status, Switching, Wait, Window,
    random_failures,
};
use nestnet::simulated::{Routed, Sent, Setup};
use pyo3::prelude::*;

/// Adds the functions of this file.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Simulated>()?;
    module.add_function(wrap_pyfunction!(simulate, module)?)?;
    module.add_function(wrap_pyfunction!(run_goal, module)?)
}

/// What is to be simulated.
#[pyclass(frozen, name = "Simulated", module = "nestnet._nestnet")]
#[derive(Clone, Debug)]
pub struct Simulated {
    loads: Vec<f64>,
    traffic: String,
    without_self: bool,
    router: Option<String>,
    adaptive: bool,
    packets: Vec<(u16, f64)>,
    vcs: Option<u16>,
    buffer: u16,
    cut_through: bool,
    burst: Option<f64>,
    latency: Vec<u16>,
    window: (u64, u64),
    seed: u64,
    /// The cycle in which a link fails, and its ends.
    failing: Vec<(u64, u64, u64)>,
    fail_rate: Option<f64>,
}

#[pymethods]
impl Simulated {
    #[new]
    #[allow(clippy::too_many_arguments)]
    #[pyo3(signature = (*, loads, traffic, without_self, router, adaptive, packets, vcs, buffer, cut_through, burst, latency, window, seed, failing, fail_rate))]
    fn new(
        loads: Vec<f64>,
        traffic: String,
        without_self: bool,
        router: Option<String>,
        adaptive: bool,
        packets: Vec<(u16, f64)>,
        vcs: Option<u16>,
        buffer: u16,
        cut_through: bool,
        burst: Option<f64>,
        latency: Vec<u16>,
        window: (u64, u64),
        seed: u64,
        failing: Vec<(u64, u64, u64)>,
        fail_rate: Option<f64>,
    ) -> Self {
        Simulated {
            loads,
            traffic,
            without_self,
            router,
            adaptive,
            packets,
            vcs,
            buffer,
            cut_through,
            burst,
            latency,
            window,
            seed,
            failing,
            fail_rate,
        }
    }
}

/// A load or several, or all up to saturation.
#[pyfunction]
fn simulate(py: Python<'_>, net: &Net, ask: &Simulated, job: &Job) -> PyResult<Py<PyAny>> {
    let (held, ask) = (net.shared.clone(), ask.clone());
    job.run(py, move |budget| run(&held, &ask, budget))?.to_python(py)
}

fn run(held: &Held, ask: &Simulated, budget: &Budget<'_>) -> Result<Data, Fault> {
    let config = Config {
        buffer: ask.buffer,
        switching: if ask.cut_through { Switching::CutThrough } else { Switching::Wormhole },
        latency: ask.latency.clone(),
        packets: ask.packets.clone(),
        injection: match ask.burst {
            Some(burst) => Injection::OnOff { burst },
            None => Injection::Bernoulli,
        },
        ..Config::default()
    };
    let routed = Routed { by: ask.router.as_deref(), adaptive: ask.adaptive, vcs: ask.vcs };
    let setup = Setup::new(&held.built, routed, config, budget)?;
    let warning = setup.warning(budget);
    let network = held.network()?;
    let failing = ask
        .failing
        .iter()
        .map(|(cycle, from, to)| Ok((*cycle, (held.node(*from)?, held.node(*to)?))));
    let mut failing = failing.collect::<Result<Vec<FailingLink>, Fault>>()?;
    if let Some(rate) = ask.fail_rate {
        let cycles = ask.window.0.saturating_add(ask.window.1);
        failing.extend(random_failures(&**network, rate, cycles, ask.seed, budget)?);
    }
    let setup = setup.failing(failing)?;
    let setup = if ask.vcs.is_none() { setup.widened() } else { setup };
    let file = |path: &str| read_text(path, budget);
    let sent = Sent {
        traffic: &ask.traffic,
        own: if ask.without_self { Own::LeftOut } else { Own::Sent },
        loads: &ask.loads,
        window: Window { warmup: ask.window.0, cycles: ask.window.1 },
        seed: ask.seed,
        file: &file,
    };
    let nestnet::simulated::Simulated { traffic, hosts, swept, curve, .. } =
        setup.run(&sent, budget)?;
    // What was stopped before all packets had arrived is no answer.
    if curve.points.iter().any(|point| point.status == Status::Stopped) {
        budget.check()?;
    }
    Ok(object!(
        "Simulation",
        spec = held.spec.as_str(),
        router = setup.name.as_str(),
        traffic = traffic.as_str(),
        hosts = hosts,
        vcs = setup.config.vcs,
        warning = warning,
        points = Data::list(curve.points.iter().map(point_data)),
        saturation = curve.saturation.filter(|_| swept),
        most_accepted = curve.most_accepted,
    ))
}

/// The messages of a file in GOAL.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
fn run_goal(
    py: Python<'_>,
    net: &Net,
    path: String,
    router: Option<String>,
    vcs: Option<u16>,
    packet: u16,
    buffer: u16,
    flit: u64,
    job: &Job,
) -> PyResult<Py<PyAny>> {
    if flit == 0 {
        return Err(Fault::new("flit: a flit has at least one byte").into());
    }
    let held = net.shared.clone();
    let found = job.run(py, move |budget| {
        let text = read_text(&path, budget).map_err(|why| Fault::new(format!("{path}: {why}")))?;
        let trace =
            goal::read(text.as_bytes()).map_err(|error| Fault::new(format!("{path}: {error}")))?;
        let config = Config { buffer, packets: vec![(packet, 1.0)], ..Config::default() };
        let routed = Routed { by: router.as_deref(), vcs, ..Routed::default() };
        let setup = Setup::new(&held.built, routed, config, budget)?;
        let finish = setup.simulation(budget)?.program(&trace, flit, budget)?;
        if !finish.complete {
            budget.check()?;
        }
        let span = |span: &Span| {
            let action = match span.action {
                Action::Send { .. } => "send",
                Action::Receive { .. } => "receive",
                Action::Compute { .. } => "compute",
            };
            object!("Span", rank = span.rank, action = action, begin = span.begin, end = span.end)
        };
        Ok(object!(
            "GoalRun",
            spec = held.spec.as_str(),
            router = setup.name.as_str(),
            ranks = trace.ranks.len() as u64,
            tasks = finish.tasks as u64,
            complete = finish.complete,
            cycles = finish.cycles,
            flit_hops = finish.flit_hops,
            spans = Data::list(finish.spans.iter().map(span)),
            circle = Data::list(finish.deadlock_cycle.iter().map(wait_data)),
        ))
    });
    found?.to_python(py)
}

fn wait_data(wait: &Wait) -> Data {
    object!(
        "Wait",
        at = wait.at.0,
        vc = wait.vc,
        next = wait.next.0,
        source = wait.source.0,
        target = wait.to.0,
    )
}

fn point_data(point: &Point) -> Data {
    let latency = point.packet_latency;
    object!(
        "Point",
        offered = point.offered,
        accepted = point.accepted,
        latency = latency.mean,
        latency_p50 = latency.p50,
        latency_p99 = latency.p99,
        latency_ci95 = latency.ci95,
        network_latency = point.network_latency,
        hops = point.hops,
        packets = point.packets,
        cycles = point.cycles,
        flit_hops = point.flit_hops,
        status = point.status.to_string(),
        seed = point.seed,
        circle = Data::list(point.deadlock_cycle.iter().map(wait_data)),
        lost = point.aftermath.map(|aftermath| aftermath.lost),
        latency_before = point.aftermath.and_then(|aftermath| aftermath.before),
        latency_after = point.aftermath.and_then(|aftermath| aftermath.after),
    )
}
