//! What is asked of one network: throughput, broadcasts, collectives, deadlock, pictures.

use crate::data::{Data, object};
use crate::fault::Fault;
use crate::handle::Held;
use crate::job::{Job, limits, read_text};
use crate::network::Net;
use nestnet::broadcasts::{Algorithm, broadcast as make_broadcast, default_ports, tell};
use nestnet::collective::{self, Choice, Collective, Ports, switched};
use nestnet::deadlocks;
use nestnet::draw::{Fold, Options, Theme};
use nestnet::picture::{Request, Show, draw as make_picture};
use nestnet::route::deadlock::Dependency;
use nestnet::throughput::{Ask, throughput as find_throughput};
use nestnet::{Budget, Node, Router, routers};
use pyo3::prelude::*;
use std::sync::Arc;

/// Adds the functions of this file.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(throughput, module)?)?;
    module.add_function(wrap_pyfunction!(broadcast, module)?)?;
    module.add_function(wrap_pyfunction!(collective_of, module)?)?;
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
        let ask = Ask { traffic: &traffic, router: &router, gap, file: &file };
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

fn ports_name(ports: Ports) -> &'static str {
    match ports {
        Ports::One => "one",
        Ports::All => "all",
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
    let own = built.own_broadcast();
    let chosen = match algorithm {
        Some("paper") => Algorithm::Paper,
        Some("best") => Algorithm::Best,
        Some(name) => {
            let told = tell(built, root, name, budget)?;
            let account = &told.account;
            return Ok(object!(
                "Broadcast",
                spec = held.spec.as_str(),
                source = root.0,
                algorithm = name,
                ports = ports_name(told.ports),
                steps = account.steps,
                transfers = account.transfers_per_step.iter().sum::<u64>(),
                reached = account.reached,
                missed = Data::list(account.missed.iter().map(|node| node.0)),
                exactly_once = account.missed.is_empty() && account.extra_transfers == 0,
                lower_bound = told.lower_bound,
                paper_bound = told.claimed,
                schedule = Data::List(Vec::new()),
            ));
        }
        // What its own cannot do the best can.
        None => match &own {
            Some(own) if ports == Ports::All || own.ports() == Ports::One => Algorithm::Paper,
            _ => Algorithm::Best,
        },
    };
    if chosen == Algorithm::Best && network.hosts() < network.order() {
        return broadcast_between_hosts(held, root, ports, budget);
    }
    let report = make_broadcast(built, root, chosen, ports, budget)?;
    let mut stream = report.broadcast.from(root);
    let mut schedule = Vec::new();
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
    Ok(object!(
        "Broadcast",
        spec = held.spec.as_str(),
        source = root.0,
        algorithm = if chosen == Algorithm::Paper { "paper" } else { "best" },
        ports = ports_name(report.ports),
        steps = report.cost.steps,
        transfers = report.cost.transfers,
        reached = report.reached,
        missed = Data::List(Vec::new()),
        exactly_once = report.cost.repeats == 0,
        lower_bound = report.lower_bound,
        paper_bound = report.broadcast.claimed(),
        schedule = Data::List(schedule),
    ))
}

/// Longer schedules are not written out.
const MOST_WRITTEN: u64 = 1 << 20;

fn broadcast_between_hosts(
    held: &Held,
    root: Node,
    ports: Ports,
    budget: &Budget<'_>,
) -> Result<Data, Fault> {
    let network = &**held.network()?;
    let router = router_of(held)?;
    let price = switched::Price { alpha: 0.0, beta: 0.0, hop: 0.0 };
    let (router, budget) = (&*router, *budget);
    let request = switched::Request { network, router, ports, price, bytes: 1 << 20, budget };
    let plan = request.broadcast(root)?;
    let mut schedule = Vec::new();
    for number in 0..plan.rounds.count() {
        let mut messages = Vec::new();
        plan.rounds.round(number, &mut messages);
        let sent = messages.iter().map(|one| Data::list([one.from.0, one.to.0]));
        schedule.push(Data::list(sent));
    }
    Ok(object!(
        "Broadcast",
        spec = held.spec.as_str(),
        source = root.0,
        algorithm = "best",
        ports = ports_name(ports),
        steps = plan.cost.rounds,
        transfers = plan.cost.messages,
        reached = network.hosts(),
        missed = Data::List(Vec::new()),
        exactly_once = true,
        lower_bound = plan.bounds.rounds,
        paper_bound = Data::None,
        schedule = Data::List(schedule),
    ))
}

fn router_of(held: &Held) -> Result<Arc<dyn Router>, Fault> {
    let name = routers::default_name(&held.built);
    let router = held.built.router(name);
    router.ok_or_else(|| Fault::new(format!("{} has no router", held.spec)))
}

/// A collective among all hosts, every transfer checked.
#[pyfunction]
#[pyo3(name = "collective", signature = (net, goal, algorithm, root, ports, price, bytes, job))]
#[allow(clippy::too_many_arguments)]
fn collective_of(
    py: Python<'_>,
    net: &Net,
    goal: String,
    algorithm: String,
    root: Option<u64>,
    ports: String,
    price: (f64, f64, f64),
    bytes: u64,
    job: &Job,
) -> PyResult<Py<PyAny>> {
    let held = net.shared.clone();
    let found = job.run(py, move |budget| {
        let ports = ports_of(Some(&ports), Ports::One)?;
        let ask = Wanted { goal: &goal, algorithm: &algorithm, root, ports, price, bytes };
        collective_data(&held, &ask, budget)
    })?;
    found.to_python(py)
}

/// A collective as it is asked for.
struct Wanted<'a> {
    goal: &'a str,
    algorithm: &'a str,
    root: Option<u64>,
    ports: Ports,
    price: (f64, f64, f64),
    bytes: u64,
}

fn collective_data(held: &Held, ask: &Wanted<'_>, budget: &Budget<'_>) -> Result<Data, Fault> {
    let known = Collective::ALL.into_iter().find(|one| one.name() == ask.goal);
    let unknown = || Fault::new(format!("unknown collective `{}`", ask.goal));
    let collective = known.ok_or_else(unknown)?;
    if ask.root.is_some() && !collective.has_root() {
        return Err(Fault::new(format!("root: {} has no root", collective.name())));
    }
    let network = &**held.network()?;
    let root = ask.root.map_or(Ok(Node(0)), |root| held.node(root))?;
    let is_switched = network.hosts() < network.order();
    let names = match is_switched {
        true => switched::algorithms(collective),
        false => collective.algorithms(),
    };
    let algorithm = names.iter().find(|name| **name == ask.algorithm).copied();
    if algorithm.is_none() && ask.algorithm != "best" {
        let (name, known) = (collective.name(), names.join(", "));
        let asked = ask.algorithm;
        return Err(Fault::new(format!(
            "unknown algorithm `{asked}`: {name} has {known} and best"
        )));
    }
    let (alpha, beta, hop) = ask.price;
    let root_data = Data::from(collective.has_root().then_some(root.0));
    if is_switched {
        let router = router_of(held)?;
        let price = switched::Price { alpha, beta, hop };
        let (router, ports, bytes) = (&*router, ask.ports, ask.bytes);
        let budget = *budget;
        let request = switched::Request { network, router, ports, price, bytes, budget };
        let (best, tried) = match algorithm {
            Some(name) => {
                let plan = request.plan(collective, name, root)?;
                let seconds = plan.seconds;
                (plan, vec![(name, Ok(seconds))])
            }
            None => request.best(collective, root)?,
        };
        let tried = tried.iter().map(|(name, result)| {
            let result = match result {
                Ok(seconds) => Data::Number(*seconds),
                Err(error) => object!("Missing", why = error.to_string()),
            };
            (Data::from(*name), result)
        });
        return Ok(object!(
            "Collective",
            spec = held.spec.as_str(),
            collective = collective.name(),
            root = root_data,
            ports = ports_name(ask.ports),
            algorithm = best.algorithm,
            steps = best.cost.rounds,
            rounds = best.cost.rounds,
            transfers = best.cost.messages,
            busiest_load = best.cost.busiest,
            held = best.cost.held,
            lower_bound = best.bounds.rounds,
            rounds_lower_bound = best.bounds.rounds,
            bytes = ask.bytes,
            block_bytes = best.block_bytes,
            seconds = best.seconds,
            latency_bound = alpha * best.bounds.rounds as f64,
            bandwidth_bound = beta * ask.bytes as f64 * best.bounds.payloads,
            algorithms = Data::Map(tried.collect()),
        ));
    }
    let router = held.built.router(routers::default_name(&held.built));
    let price = collective::Price { alpha, beta };
    let request = collective::Request {
        network,
        router: router.as_deref(),
        collective,
        root,
        ports: ask.ports,
        price,
        bytes: ask.bytes,
        budget: *budget,
    };
    let Choice { best, tried } = match algorithm {
        Some(name) => {
            let best = request.plan(name)?;
            let tried = vec![(name, Ok(best.time))];
            Choice { best, tried }
        }
        None => request.best()?,
    };
    let tried = tried.iter().map(|(name, result)| {
        let result = match result {
            Ok(time) => Data::Number(time.seconds),
            Err(error) => object!("Missing", why = error.to_string()),
        };
        (Data::from(*name), result)
    });
    Ok(object!(
        "Collective",
        spec = held.spec.as_str(),
        collective = collective.name(),
        root = root_data,
        ports = ports_name(ask.ports),
        algorithm = best.algorithm,
        steps = best.cost.steps,
        rounds = best.time.rounds,
        transfers = best.cost.transfers,
        busiest_load = best.cost.busiest,
        held = best.cost.held,
        lower_bound = best.bounds.steps,
        rounds_lower_bound = best.bounds.rounds,
        bytes = ask.bytes,
        block_bytes = best.block_bytes,
        seconds = best.time.seconds,
        latency_bound = alpha * best.bounds.rounds as f64,
        bandwidth_bound = beta * ask.bytes as f64 * best.bounds.payloads,
        algorithms = Data::Map(tried.collect()),
    ))
}

/// Whether messages can wait for each other in a circle, with a certificate that was checked.
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
    let own = routers::find_within(&held.built, name, budget)?;
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
#[pyo3(signature = (net, plan, fold, most, route, router, broadcast, load, deadlock, theme, job))]
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
    theme: String,
    job: &Job,
) -> PyResult<Py<PyAny>> {
    let held = net.shared.clone();
    let found = job.run(py, move |budget| {
        held.network()?;
        let usual = Options::default();
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
        let request = Request { options, theme, plan, show };
        let picture = make_picture(&held.built, &held.spec, &request, limits(budget));
        let picture = picture.map_err(Fault::from)?;
        Ok(object!(
            "Drawing",
            spec = held.spec.as_str(),
            svg = picture.svg,
            dots = picture.dots,
            lines = picture.lines,
            nodes_a_dot = picture.nodes_a_dot,
            notes = Data::list(picture.notes),
        ))
    })?;
    found.to_python(py)
}
