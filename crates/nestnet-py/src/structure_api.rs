//! What is asked of the structure of a network: its bisection, its next sizes, what it embeds, emulates and runs.

use crate::data::Data;
use crate::fault::Fault;
use crate::job::{Job, limits, with_context};
use crate::network::Net;
use crate::options::{self, Given};
use nestnet::embed::{Algorithm, Embedded, embed as find_embedding};
use nestnet::emulation::emulate as run_emulation;
use nestnet::expansion::growth_plan;
use nestnet::measures::{Analysis, cut as find_cut};
use nestnet::physical::BuiltAs;
use nestnet::programs::{PROGRAMS, Program, run as run_program};
use pyo3::prelude::*;

/// Adds the functions of this file.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(cut, module)?)?;
    module.add_function(wrap_pyfunction!(grow, module)?)?;
    module.add_function(wrap_pyfunction!(embed, module)?)?;
    module.add_function(wrap_pyfunction!(emulate, module)?)?;
    module.add_function(wrap_pyfunction!(run, module)?)
}

/// A bisection with few links, counted again.
#[pyfunction]
fn cut(py: Python<'_>, net: &Net, job: &Job) -> PyResult<Py<PyAny>> {
    let held = net.shared.clone();
    let found = job.run(py, move |budget| {
        held.network()?;
        let subject = Analysis::new(&held.built, limits(budget)).proving_all();
        let found = find_cut(&subject)?;
        Ok(Data::of(&found)?.with([("spec", held.spec.as_str().into())]))
    })?;
    found.to_python(py)
}

/// The next sizes of a network, and the plan of each expansion.
#[pyfunction]
#[pyo3(signature = (net, hosts, options, job))]
fn grow(
    py: Python<'_>,
    net: &Net,
    hosts: Option<u64>,
    options: Given,
    job: &Job,
) -> PyResult<Py<PyAny>> {
    let held = net.shared.clone();
    let found = job.run(py, move |budget| {
        let cost_model = options::cost(&options, BuiltAs::Cluster)?.cost_model;
        let plan = |context: &nestnet::Context<'_>| {
            Ok(growth_plan(&held.spec, hosts, &cost_model, context)?)
        };
        let (found, _kept) = with_context(budget, plan)?;
        Ok(Data::of(&found)?.with([("spec", held.spec.as_str().into())]))
    })?;
    found.to_python(py)
}

/// How well one network fits into another.
#[pyfunction]
fn embed(
    py: Python<'_>,
    guest: &Net,
    host: &Net,
    algorithm: String,
    exchanges: u64,
    job: &Job,
) -> PyResult<Py<PyAny>> {
    let (guest, host) = (guest.shared.clone(), host.shared.clone());
    let found = job.run(py, move |budget| {
        let algorithm = match algorithm.as_str() {
            "best" => Algorithm::Best { exchanges },
            "paper" => Algorithm::Paper,
            other => {
                return Err(Fault::new(format!(
                    "algorithm must be `best` or `paper`, not `{other}`"
                )));
            }
        };
        let found = find_embedding(&guest.built, &host.built, algorithm, budget)?;
        let images = Some(&found.images[..]);
        let shown = Embedded { guest: &guest.built, host: &host.built, found: &found, images };
        Ok(Data::of(&shown)?
            .with([("guest", guest.spec.as_str().into()), ("host", host.spec.as_str().into())]))
    })?;
    found.to_python(py)
}

/// How many steps a network takes for one step of the product that it represents.
#[pyfunction]
#[pyo3(signature = (net, dimension, job))]
fn emulate(py: Python<'_>, net: &Net, dimension: Option<usize>, job: &Job) -> PyResult<Py<PyAny>> {
    let held = net.shared.clone();
    let found = job.run(py, move |budget| {
        let found = run_emulation(&held.built, dimension, budget)?;
        Ok(Data::of(&found)?.with([("spec", held.spec.as_str().into())]))
    })?;
    found.to_python(py)
}

/// A worked program on data that only links move, compared with a direct computation.
#[pyfunction]
fn run(py: Python<'_>, net: &Net, program: String, seed: u64, job: &Job) -> PyResult<Py<PyAny>> {
    let held = net.shared.clone();
    let found = job.run(py, move |budget| {
        let chosen = Program::named(&program).ok_or_else(|| {
            let names: Vec<&str> = PROGRAMS.iter().map(|(_, name, _)| *name).collect();
            Fault::new(format!("program must be one of {}, not `{program}`", names.join(", ")))
        })?;
        let found = run_program(&held.built, chosen, seed, budget)?;
        Ok(Data::of(&found)?.with([("spec", held.spec.as_str().into())]))
    })?;
    found.to_python(py)
}
