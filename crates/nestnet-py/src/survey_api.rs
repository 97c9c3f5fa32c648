//! What is asked of all routes and of faults: paths that share no node, surveys of a routing, resilience.

use crate::data::Data;
use crate::fault::{Fault, Kind};
use crate::handle::Held;
use crate::job::{Job, find_router};
use crate::network::Net;
use crate::options::{self, Given};
use nestnet::fault_survey::fault_survey;
use nestnet::random::{self, Failing as FailingAtRandom};
use nestnet::resilience::ResilienceRow;
use nestnet::route::{Faults, check_disjoint, disjoint_paths};
use nestnet::routing_survey::Routing;
use nestnet::{Node, routers};
use pyo3::prelude::*;

/// Adds the functions of this file.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(paths, module)?)?;
    module.add_function(wrap_pyfunction!(routing, module)?)?;
    module.add_function(wrap_pyfunction!(resilience, module)?)
}

/// Paths from one node to another that share only these two, checked again.
#[pyfunction]
fn paths(
    py: Python<'_>,
    net: &Net,
    from: u64,
    to: u64,
    steps: u64,
    job: &Job,
) -> PyResult<Py<PyAny>> {
    let held = net.shared.clone();
    let found = job.run(py, move |budget| {
        let (from, to) = (held.node(from)?, held.node(to)?);
        let network = &**held.network()?;
        let found = disjoint_paths(network, from, to, steps, &budget.watch)?;
        check_disjoint(network, from, to, &found.paths)?;
        Ok(Data::of(&found)?.with([("spec", held.spec.as_str().into())]))
    })?;
    found.to_python(py)
}

/// What has failed: nodes, links, and with which probability what fails at random.
type Failed = (Vec<u64>, Vec<(u64, u64)>, Option<f64>, String);

fn faults_of(held: &Held, failed: &Failed, seed: u64) -> Result<Option<Faults>, Fault> {
    let (nodes, links, at_random, failing) = failed;
    let failing = match failing.as_str() {
        "both" => FailingAtRandom::Both,
        "nodes" => FailingAtRandom::Nodes,
        "links" => FailingAtRandom::Links,
        other => {
            return Err(Fault::new(format!(
                "failing must be `both`, `nodes` or `links`, not `{other}`"
            )));
        }
    };
    if nodes.is_empty() && links.is_empty() && at_random.is_none() {
        return Ok(None);
    }
    let mut faults = match at_random {
        Some(probability) => random::faults(*probability, failing, seed)
            .map_err(|error| Fault::new(format!("random_faults: {error}")))?,
        None => Faults::default(),
    };
    for &node in nodes {
        faults.fail_node(held.node(node)?);
    }
    for &(from, to) in links {
        faults.fail_link(held.node(from)?, held.node(to)?);
    }
    faults
        .check(&**held.network()?)
        .map_err(|error| Fault::new(format!("failed_links: {error}")))?;
    Ok(Some(faults))
}

/// The routes of all pairs of hosts, or of a sample of them.
#[pyfunction]
#[pyo3(signature = (net, router, sample, seed, failed, job))]
fn routing(
    py: Python<'_>,
    net: &Net,
    router: Option<String>,
    sample: Option<usize>,
    seed: u64,
    failed: Failed,
    job: &Job,
) -> PyResult<Py<PyAny>> {
    let held = net.shared.clone();
    let found = job.run(py, move |budget| {
        let network = held.network()?.clone();
        let name = router.as_deref().unwrap_or_else(|| routers::default_name(&held.built));
        let router = find_router(&held.built, name, budget)?;
        let faults = faults_of(&held, &failed, seed)?;
        let routing = Routing::new(network, router, name, faults)?;
        let survey = match sample {
            Some(0) => return Err(Fault::new("sample: expected a number of pairs from 1 on")),
            Some(pairs) => routing.sample(pairs, seed, budget)?,
            None => routing.all(budget).map_err(|error| with_sample(error.into()))?,
        };
        let report = routing.report(survey, sample.map(|pairs| (pairs, seed)), &budget.watch);
        // Another class has that name.
        let worst = Data::of(&report.survey.worst.filter(|worst| worst.hops > worst.distance))?;
        Ok(Data::of(&report)?
            .with([("spec", held.spec.as_str().into()), ("worst", worst.named("WorstRoute"))]))
    })?;
    found.to_python(py)
}

/// What can be asked instead of what takes too long.
fn with_sample(fault: Fault) -> Fault {
    match fault.kind {
        Kind::Limit => {
            Fault { message: format!("{}; sample=N walks N pairs", fault.message), ..fault }
        }
        _ => fault,
    }
}

/// What faults at random leave of a network.
#[pyfunction]
fn resilience(py: Python<'_>, net: &Net, given: Given, job: &Job) -> PyResult<Py<PyAny>> {
    let held = net.shared.clone();
    let found = job.run(py, move |budget| {
        let model = options::faults(&given)?;
        let survey = fault_survey(&held.built, &model, budget)?;
        let rows = survey.rows.iter().map(row_data).collect::<Result<Vec<_>, Fault>>()?;
        Ok(Data::of(&survey)?.with([
            ("spec", held.spec.as_str().into()),
            ("fail", Data::of(&model.fail)?),
            ("rows", Data::List(rows)),
        ]))
    })?;
    found.to_python(py)
}

/// A row, with the worst faults as nodes and links.
fn row_data(row: &ResilienceRow) -> Result<Data, Fault> {
    let worst = match &row.worst {
        Some(Some((faults, left))) => {
            let ends = |(from, to): (Node, Node)| Data::list([from.0, to.0]);
            crate::data::object!(
                "WorstFaults",
                nodes = Data::list(faults.nodes().map(|node| node.0)),
                links = Data::list(faults.links().map(ends)),
                failed = left.failed,
                hosts_lost = left.hosts_lost,
                diameter = left.diameter,
                average_distance = left.mean,
            )
        }
        _ => Data::None,
    };
    Ok(Data::of(row)?.with([("worst", worst)]))
}
