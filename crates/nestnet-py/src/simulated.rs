//! What is simulated, flit by flit.

use crate::data::{Data, object};
use crate::fault::Fault;
use crate::job::{Job, read_text};
use crate::network::{Held, Net};
use nestnet::budget::STEPS_PER_SECOND;
use nestnet::route::{Cached, Capped, deadlock};
use nestnet::sim::{Config, Injection, Own, Point, Policy, Simulation, Switching, Window};
use nestnet::sim::{Status, destinations, sweep};
use nestnet::throughput::{Ask, read_traffic, throughput};
use nestnet::traffic::Traffic;
use nestnet::{Budget, Router, routers};
use pyo3::prelude::*;
use std::sync::Arc;

/// Adds the functions of this file.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Simulated>()?;
    module.add_function(wrap_pyfunction!(simulate, module)?)
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
}

#[pymethods]
impl Simulated {
    #[new]
    #[allow(clippy::too_many_arguments)]
    #[pyo3(signature = (*, loads, traffic, without_self, router, adaptive, packets, vcs, buffer, cut_through, burst, latency, window, seed))]
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
    let (built, network) = (&held.built, held.network()?);
    let name = ask.router.as_deref().unwrap_or_else(|| routers::default_name(built));
    let (known, policy) = match name {
        "ugal" => ("valiant", Policy::Ugal),
        name if ask.adaptive => (name, Policy::Adaptive),
        name => (name, Policy::Oblivious),
    };
    let router = routers::find_within(built, known, budget)?;
    if policy == Policy::Adaptive && !router.adapts() {
        return Err(Fault::new(format!("adaptive: router `{name}` has only one way to go on")));
    }
    let router = Cached::speed_up(router, &**network);
    let vcs = ask.vcs.unwrap_or(router.vcs().max(4));
    let own = router.vcs();
    let router: Arc<dyn Router> =
        if own > vcs { Arc::new(Capped::new(router, vcs)) } else { router };
    let config = Config {
        vcs,
        buffer: ask.buffer,
        switching: if ask.cut_through { Switching::CutThrough } else { Switching::Wormhole },
        latency: ask.latency.clone(),
        packets: ask.packets.clone(),
        injection: match ask.burst {
            Some(burst) => Injection::OnOff { burst },
            None => Injection::Bernoulli,
        },
        policy,
        ..Config::default()
    };
    let traffic =
        traffic(held, &ask.traffic, if name == "ugal" { "shortest" } else { name }, budget)?;
    let moment = Budget { steps: (STEPS_PER_SECOND / 4).min(budget.steps), ..*budget };
    let warning = match deadlock::certify(&**network, &*router, &moment) {
        Ok(certificate) if !certificate.is_free() => {
            Some("messages can wait for each other in a circle")
        }
        _ => None,
    };
    let simulation = Simulation::new(&**network, &*router, &config, budget)?;
    let own = if ask.without_self { Own::LeftOut } else { Own::Sent };
    let destination = destinations(&traffic, own);
    let window = Window { warmup: ask.window.0, cycles: ask.window.1 };
    let curve = match &ask.loads[..] {
        [] => sweep(&simulation, &destination, window, ask.seed, budget)?,
        loads => simulation.points(&destination, loads, window, ask.seed, budget)?,
    };
    // What was stopped before all packets had arrived is no answer.
    if curve.points.iter().any(|point| point.status == Status::Stopped) {
        budget.check()?;
    }
    let swept = ask.loads.is_empty();
    Ok(object!(
        "Simulation",
        spec = held.spec.as_str(),
        router = name,
        traffic = traffic.name.as_str(),
        hosts = simulation.hosts(),
        vcs = vcs,
        warning = warning,
        points = Data::list(curve.points.iter().map(point_data)),
        saturation = curve.saturation.filter(|_| swept),
        most_accepted = curve.most_accepted,
    ))
}

/// Who sends to whom; the worst permutation is that of the router.
fn traffic(held: &Held, text: &str, router: &str, budget: &Budget<'_>) -> Result<Traffic, Fault> {
    let file = |path: &str| read_text(path, budget);
    let ask = Ask { traffic: text, router, gap: None, file: &file };
    if text.trim() != "worst" {
        return Ok(read_traffic(&held.built, &ask, budget)?);
    }
    let found = throughput(&held.built, &ask, budget)?;
    let worst = found.permutation.ok_or_else(|| Fault::new("there is no worst permutation"))?;
    Ok(Traffic::permutation("worst", worst))
}

fn point_data(point: &Point) -> Data {
    let latency = point.packet_latency;
    let circle = point.circle.iter().map(|wait| {
        object!(
            "Wait",
            at = wait.at.0,
            vc = wait.vc,
            next = wait.next.0,
            source = wait.source.0,
            target = wait.to.0,
        )
    });
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
        circle = Data::list(circle),
    )
}
