//! What is simulated, flit by flit.

use crate::data::{Data, object};
use crate::device::{Device, Notes};
use crate::fault::Fault;
use crate::handle::Held;
use crate::job::{Job, read_file, read_text};
use crate::network::Net;
use crate::options::{self, Given};
use nestnet::Budget;
use nestnet::files::setup;
use nestnet::sim::{
    ClassPoint, FailingLink, Point, Record, Replied, Span, Status, Wait, random_failures,
};
use nestnet::simulated::Sent;
use nestnet::traffic::goal;
use nestnet::traffic::program::Action;
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
    router: Option<String>,
    /// Of the table of the simulator.
    options: Given,
    /// The cycle in which a link fails, and its ends.
    failing: Vec<(u64, u64, u64)>,
    fail_rate: Option<f64>,
    record: Record,
    device: Device,
}

#[pymethods]
impl Simulated {
    #[new]
    #[pyo3(signature = (*, loads, traffic, router, options, failing, fail_rate, per_host, per_flow, trace, device))]
    #[expect(clippy::too_many_arguments, reason = "all are keywords")]
    fn new(
        loads: Vec<f64>,
        traffic: String,
        router: Option<String>,
        options: Given,
        failing: Vec<(u64, u64, u64)>,
        fail_rate: Option<f64>,
        per_host: bool,
        per_flow: bool,
        trace: bool,
        device: &str,
    ) -> PyResult<Self> {
        let record = Record { hosts: per_host, flows: per_flow, packets: trace };
        let device = Device::named(device)?;
        Ok(Simulated { loads, traffic, router, options, failing, fail_rate, record, device })
    }
}

/// A load or several, or all up to saturation.
#[pyfunction]
fn simulate(py: Python<'_>, net: &Net, ask: &Simulated, job: &Job) -> PyResult<Py<PyAny>> {
    let (held, ask) = (net.shared.clone(), ask.clone());
    let notes = Notes::default();
    let heard = notes.clone();
    let found = job.run(py, move |budget| {
        ask.device.with(budget.memory, &heard, |gpu| {
            let device = gpu.map(|gpu| gpu as &dyn nestnet::sim::Device);
            run(&held, &ask, device, budget)
        })
    })?;
    notes.warn(py)?;
    found.to_python(py)
}

fn run(
    held: &Held,
    ask: &Simulated,
    device: Option<&dyn nestnet::sim::Device>,
    budget: &Budget<'_>,
) -> Result<Data, Fault> {
    let mut settings = options::simulator(&ask.options)?;
    settings.config.record = ask.record;
    let bytes = |path: &str| read_file(path, budget);
    let setup = setup(&held.built, ask.router.as_deref(), &settings, &bytes, budget)?;
    let setup = setup.on_device(device);
    let warning = setup.warning(budget);
    let network = held.network()?;
    let failing = ask
        .failing
        .iter()
        .map(|(cycle, from, to)| Ok((*cycle, (held.node(*from)?, held.node(*to)?))));
    let mut failing = failing.collect::<Result<Vec<FailingLink>, Fault>>()?;
    if let Some(rate) = ask.fail_rate {
        let before = settings.failures_before();
        failing.extend(random_failures(&**network, rate, before, settings.seed, budget)?);
    }
    let setup = setup.failing(failing)?;
    let setup = if settings.vcs.is_none() { setup.widened() } else { setup };
    let file = |path: &str| read_text(path, budget);
    let sent = Sent { traffic: &ask.traffic, loads: &ask.loads, file: &file, ..Sent::UNIFORM };
    let sent = sent.with(&settings);
    let warnings = warning.map(str::to_owned).into_iter().chain(setup.remarks(sent.length));
    let found = setup.run(&sent, budget)?;
    let warnings: Vec<String> = warnings.chain(found.warning()).collect();
    let warning = (!warnings.is_empty()).then(|| warnings.join("; "));
    let nestnet::simulated::Simulated { traffic, hosts, swept, curve, .. } = found;
    // What was stopped before all packets had arrived is no answer.
    if curve.points.iter().any(|point| point.status == Status::Stopped) {
        budget.check()?;
    }
    let points = curve.points.iter().map(point_data).collect::<Result<Vec<_>, _>>()?;
    Ok(object!(
        "Simulation",
        spec = held.spec.as_str(),
        router = setup.name.as_str(),
        traffic = traffic.as_str(),
        hosts = hosts,
        vcs = setup.config.vcs,
        warning = warning,
        points = Data::list(points),
        saturation = curve.saturation.filter(|_| swept),
        most_accepted = curve.most_accepted,
        flit_hops = curve.flit_hops,
    ))
}

/// The messages of a file in GOAL.
#[pyfunction]
fn run_goal(
    py: Python<'_>,
    net: &Net,
    path: String,
    router: Option<String>,
    options: Given,
    job: &Job,
) -> PyResult<Py<PyAny>> {
    let held = net.shared.clone();
    let found = job.run(py, move |budget| {
        let text = read_text(&path, budget).map_err(|why| Fault::new(format!("{path}: {why}")))?;
        let program =
            goal::read(text.as_bytes()).map_err(|error| Fault::new(format!("{path}: {error}")))?;
        let settings = options::simulator(&options)?;
        let bytes = |path: &str| read_file(path, budget);
        let setup = setup(&held.built, router.as_deref(), &settings, &bytes, budget)?;
        let run = setup.program(&program, settings.flit, budget)?;
        let finish = &run.finish;
        if !finish.complete {
            budget.check()?;
        }
        Ok(Data::of(&run)?.with([
            ("complete", finish.complete.into()),
            ("spans", Data::list(finish.spans.iter().map(span_data))),
            ("deadlock_cycle", Data::list(finish.deadlock_cycle.iter().map(wait_data))),
        ]))
    });
    found?.to_python(py)
}

fn span_data(span: &Span) -> Data {
    let action = match span.action {
        Action::Send { .. } => "send",
        Action::Receive { .. } => "receive",
        Action::Compute { .. } => "compute",
    };
    object!("Span", rank = span.rank, action = action, begin = span.begin, end = span.end)
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

/// The mean over so many packets; not a number of none.
fn mean_of(mean: f64, packets: u64) -> f64 {
    if packets > 0 { mean } else { f64::NAN }
}

fn point_data(point: &Point) -> Result<Data, Fault> {
    let latency = point.packet_latency;
    Ok(object!(
        "Point",
        offered = point.offered,
        accepted = point.accepted,
        latency = mean_of(latency.mean, point.packets),
        latency_p50 = latency.p50,
        latency_p99 = latency.p99,
        latency_ci95 = latency.ci95,
        percentiles = Data::list(point.percentiles.iter().map(|found| {
            object!("Percentile", percent = found.percent, latency = found.latency)
        })),
        network_latency = mean_of(point.network_latency, point.packets),
        hops = mean_of(point.hops, point.packets),
        packets = point.packets,
        cycles = point.cycles,
        flit_hops = point.flit_hops,
        status = point.status.to_string(),
        reason = point.reason,
        seed = point.seed,
        deadlock_cycle = Data::list(point.deadlock_cycle.iter().map(wait_data)),
        lost = point.aftermath.map(|aftermath| aftermath.lost),
        latency_before = point.aftermath.and_then(|aftermath| aftermath.before),
        latency_after = point.aftermath.and_then(|aftermath| aftermath.after),
        replies = point.replied.as_ref().map(replied_data),
        classes = Data::list(point.classes.iter().map(class_data)),
        energy = point.energy.as_ref().map(Data::of).transpose()?,
        marked = point.marked,
        link_errors = point.retries.as_ref().map(Data::of).transpose()?,
        hosts = Data::of(&point.records.hosts)?,
        flows = Data::of(&point.records.flows)?,
        trace = Data::of(&point.records.packets)?,
    ))
}

fn class_data(class: &ClassPoint) -> Data {
    let latency = class.packet_latency;
    object!(
        "MessageClass",
        offered = class.offered,
        accepted = class.accepted,
        latency = mean_of(latency.mean, class.packets),
        latency_p50 = latency.p50,
        latency_p99 = latency.p99,
        network_latency = mean_of(class.network_latency, class.packets),
        packets = class.packets,
    )
}

fn replied_data(replied: &Replied) -> Data {
    let (back, trip) = (replied.packet_latency, replied.round_trip);
    object!(
        "Replies",
        accepted = replied.accepted,
        latency = mean_of(back.mean, replied.packets),
        latency_p50 = back.p50,
        latency_p99 = back.p99,
        network_latency = mean_of(replied.network_latency, replied.packets),
        round_trip = mean_of(trip.mean, replied.packets),
        round_trip_p50 = trip.p50,
        round_trip_p99 = trip.p99,
        packets = replied.packets,
    )
}
