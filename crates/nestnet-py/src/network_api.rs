//! What is asked of one network: throughput, broadcasts, collectives, deadlock, pictures.

use crate::data::{Data, object};
use crate::fault::Fault;
use crate::handle::Held;
use crate::job::{Job, find_router, limits, read_text};
use crate::network::Net;
use crate::options::{self, Given};
use nestnet::broadcasts::{
    Algorithm, Summary, between_hosts, broadcast as make_broadcast, default_algorithm,
    default_ports, run_printed,
};
use nestnet::collective::{self, Moves, Ports};
use nestnet::collectives::{self, Ask};
use nestnet::deadlocks;
use nestnet::draw::{Fold, Frame, Labels, Options, Theme};
use nestnet::mini_apps::{self, Amounts};
use nestnet::picture::{Request, Show, draw as make_picture};
use nestnet::route::deadlock::Dependency;
use nestnet::throughput::{Ask as TrafficAsk, throughput as find_throughput};
use nestnet::traffic::goal;
use nestnet::{Budget, Node, routers};
use pyo3::prelude::*;

/// Adds the functions of this file.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(throughput, module)?)?;
    module.add_function(wrap_pyfunction!(broadcast, module)?)?;
    module.add_function(wrap_pyfunction!(collective_of, module)?)?;
    module.add_function(wrap_pyfunction!(mini_app, module)?)?;
    module.add_function(wrap_pyfunction!(deadlock, module)?)?;
    module.add_function(wrap_pyfunction!(draw, module)?)
}

/// How much hosts can send.
#[pyfunction]
#[pyo3(signature = (net, traffic, router, gap, job))]
fn throughput(
    py: Python<'_>,
    net: &Net,
    traffic: String,
    router: String,
    gap: Option<f64>,
    job: &Job,
) -> PyResult<Py<PyAny>> {
    let held = net.shared.clone();
    let found = job.run(py, move |budget| {
        let file = |path: &str| read_text(path, budget);
        let ask = TrafficAsk { traffic: &traffic, router: &router, gap, file: &file };
        let found = find_throughput(&held.built, &ask, budget)?;
        Ok(Data::of(&found)?.with([("spec", held.spec.as_str().into())]))
    })?;
    found.to_python(py)
}

fn ports_of(name: Option<&str>, otherwise: Ports) -> Result<Ports, Fault> {
    match name {
        None => Ok(otherwise),
        Some("one") => Ok(Ports::One),
        Some("all") => Ok(Ports::All),
        Some(name) => Err(Fault::new(format!("ports must be `one` or `all`, not `{name}`"))),
    }
}

/// The broadcast of one node, every transfer checked.
#[pyfunction]
#[pyo3(signature = (net, from, algorithm, ports, job))]
fn broadcast(
    py: Python<'_>,
    net: &Net,
    from: u64,
    algorithm: Option<String>,
    ports: Option<String>,
    job: &Job,
) -> PyResult<Py<PyAny>> {
    let held = net.shared.clone();
    let found = job.run(py, move |budget| {
        let from = held.node(from)?;
        broadcast_data(&held, from, algorithm.as_deref(), ports.as_deref(), budget)
    })?;
    found.to_python(py)
}

fn broadcast_data(
    held: &Held,
    root: Node,
    algorithm: Option<&str>,
    ports: Option<&str>,
    budget: &Budget<'_>,
) -> Result<Data, Fault> {
    let (built, network) = (&held.built, &**held.network()?);
    let ports = ports_of(ports, default_ports(built))?;
    let chosen = match algorithm.map(|name| Algorithm::of(built, name).ok_or(name)) {
        Some(Ok(chosen)) => chosen,
        Some(Err(name)) => {
            let informed = run_printed(built, root, name, budget)?;
            return summary_data(held, &informed.summary(root, name, network.order()), Vec::new());
        }
        None => default_algorithm(built, ports),
    };
    let mut schedule = Vec::new();
    if chosen == Algorithm::Best && network.hosts() < network.order() {
        let (plan, summary) = between_hosts(built, root, ports, 1 << 20, budget)?;
        if let Moves::Routes(rounds) = &plan.moves {
            for number in 0..rounds.count() {
                let mut messages = Vec::new();
                rounds.round(number, &mut messages);
                let sent = messages.iter().map(|one| Data::list([one.from.0, one.to.0]));
                schedule.push(Data::list(sent));
            }
        }
        return summary_data(held, &summary, schedule);
    }
    let report = make_broadcast(built, root, chosen, ports, budget)?;
    let mut stream = report.broadcast.from(root);
    // A schedule of millions of transfers is counted and not written out.
    if report.cost.transfers <= MOST_WRITTEN {
        let mut step = Vec::new();
        while collective::Stream::next_step(&mut stream, &mut step) {
            let sent = step.drain(..).map(|transfer| {
                let to = network.neighbor(transfer.from, transfer.port).map(|to| to.0);
                Data::List(vec![transfer.from.0.into(), to.into()])
            });
            schedule.push(Data::list(sent));
        }
    }
    summary_data(held, &report.summary(root, chosen), schedule)
}

/// Longer schedules are not written out.
const MOST_WRITTEN: u64 = 1 << 20;

fn summary_data(held: &Held, summary: &Summary, schedule: Vec<Data>) -> Result<Data, Fault> {
    let spec = held.spec.as_str().into();
    Ok(Data::of(summary)?.with([("spec", spec), ("schedule", Data::List(schedule))]))
}

/// The messages of a mini-app, as a program in GOAL.
#[pyfunction]
fn mini_app(
    py: Python<'_>,
    net: &Net,
    app: String,
    amounts: (u64, u64, u64, u64),
    job: &Job,
) -> PyResult<Py<PyAny>> {
    let held = net.shared.clone();
    let found = job.run(py, move |_| {
        let (bytes, gradient, compute, repeat) = amounts;
        let amounts = Amounts { bytes, gradient, compute, repeat };
        let found = mini_apps::plan(&held.built, &app, &amounts)?;
        let mut text = Vec::new();
        goal::write(&found.program, &mut text)?;
        let text = String::from_utf8_lossy(&text).into_owned();
        Ok(Data::of(&found)?.with([("spec", held.spec.as_str().into()), ("goal", text.into())]))
    });
    found?.to_python(py)
}

/// A collective among all hosts, every transfer checked.
#[pyfunction]
#[pyo3(name = "collective")]
fn collective_of(
    py: Python<'_>,
    net: &Net,
    goal: String,
    root: Option<u64>,
    given: Given,
    job: &Job,
) -> PyResult<Py<PyAny>> {
    let held = net.shared.clone();
    let found = job.run(py, move |budget| {
        let root = root.map(|root| held.node(root)).transpose()?;
        let ask = Ask { root, ..options::collective(collectives::collective(&goal)?, &given)? };
        held.network()?;
        let found = collectives::plan(&held.built, &ask, budget)?;
        let tried = found.attempts().map(|(name, attempt)| {
            let result = match attempt.error {
                Some(error) => object!("Missing", why = error),
                None => attempt.seconds.into(),
            };
            (Data::from(name), result)
        });
        let data = Data::of(&found)?.with([
            ("spec", held.spec.as_str().into()),
            ("algorithms", Data::Map(tried.collect())),
        ]);
        // From host to host a step is a round.
        let (cost, bounds) = (found.choice.best.cost, found.choice.best.bounds);
        Ok(match found.router {
            None => data.with([("router", Data::None), ("routes_bound", Data::None)]),
            Some(_) => data.with([
                ("steps", cost.steps.into()),
                ("transfers", cost.transfers.into()),
                ("lower_bound", bounds.steps.into()),
            ]),
        })
    })?;
    found.to_python(py)
}

/// Whether messages can wait in a dependency cycle, with a certificate that was checked.
#[pyfunction]
#[pyo3(signature = (net, router, vcs, assigned, job))]
fn deadlock(
    py: Python<'_>,
    net: &Net,
    router: Option<String>,
    vcs: Option<u16>,
    assigned: bool,
    job: &Job,
) -> PyResult<Py<PyAny>> {
    let held = net.shared.clone();
    let found =
        job.run(py, move |budget| deadlock_data(&held, router.as_deref(), vcs, assigned, budget))?;
    found.to_python(py)
}

fn deadlock_data(
    held: &Held,
    router: Option<&str>,
    vcs: Option<u16>,
    assigned: bool,
    budget: &Budget<'_>,
) -> Result<Data, Fault> {
    let network = held.network()?;
    let name = router.unwrap_or_else(|| routers::default_name(&held.built));
    let own = find_router(&held.built, name, budget)?;
    let found = match assigned {
        true => deadlocks::assigned(network, (&own, name), vcs, budget)?,
        false => deadlocks::certified(network, (own, name), vcs, budget)?,
    };
    let mut cycle = Vec::new();
    for Dependency { channel, message, .. } in found.cycle() {
        cycle.push(object!(
            "Waiting",
            channel = Data::of(&found.place(channel))?,
            source = message.from.0,
            target = message.to.0,
            choice = message.choice,
        ));
    }
    Ok(Data::of(&found)?.with([
        ("spec", held.spec.as_str().into()),
        ("free", found.certificate.is_free().into()),
        ("cycle", Data::List(cycle)),
    ]))
}

/// A picture.
#[pyfunction]
#[pyo3(signature = (net, plan, fold, most, route, router, broadcast, load, deadlock, look, job))]
#[allow(clippy::too_many_arguments)]
fn draw(
    py: Python<'_>,
    net: &Net,
    plan: Option<String>,
    fold: Option<u16>,
    most: (Option<u64>, Option<u64>),
    route: Option<(u64, u64)>,
    router: Option<String>,
    broadcast: Option<(u64, u64)>,
    load: bool,
    deadlock: bool,
    look: (String, String),
    job: &Job,
) -> PyResult<Py<PyAny>> {
    let held = net.shared.clone();
    let found = job.run(py, move |budget| {
        held.network()?;
        let usual = Options::default();
        let (theme, labels) = look;
        let theme = match theme.as_str() {
            "auto" => Theme::Automatic,
            "light" => Theme::Light,
            "dark" => Theme::Dark,
            other => {
                return Err(Fault::new(format!(
                    "theme must be `auto`, `light` or `dark`, not `{other}`"
                )));
            }
        };
        let labels = match labels.as_str() {
            "auto" => Labels::Automatic,
            "address" => Labels::Addresses,
            "id" => Labels::Ids,
            "none" => Labels::None,
            other => {
                return Err(Fault::new(format!(
                    "labels must be `auto`, `address`, `id` or `none`, not `{other}`"
                )));
            }
        };
        let show = match (route, broadcast) {
            (Some((from, to)), _) => {
                Show::Route { from: held.node(from)?, to: held.node(to)?, router }
            }
            (None, Some((from, step))) => Show::Broadcast { from: held.node(from)?, step },
            (None, None) if load => Show::Load,
            (None, None) if deadlock => Show::Deadlock { router },
            (None, None) => Show::Network,
        };
        let options = Options {
            fold: fold.map_or(Fold::Automatic, Fold::Level),
            max_nodes: most.0.unwrap_or(usual.max_nodes),
            max_links: most.1.unwrap_or(usual.max_links),
        };
        let frame = Frame { labels, ..Frame::default() };
        let request = Request { options, theme, plan, show, frame };
        let picture = make_picture(&held.built, &held.spec, &request, limits(budget));
        let picture = picture.map_err(Fault::from)?;
        Ok(Data::of(&picture)?.with([("spec", held.spec.as_str().into())]))
    })?;
    found.to_python(py)
}
