//! What is asked of any graph, node by node: eccentricities, components, colors.

use crate::fault::Fault;
use crate::handle::Held;
use crate::job::Job;
use crate::network::Net;
use nestnet::measure::search::levels_from;
use nestnet::measure::structure::{components as parts_of, two_coloring};
use nestnet::measure::sweep::{Source, sweep, sweep_bytes};
use nestnet::network::Orbit;
use nestnet::{Budget, Network, Node};
use numpy::PyArray1;
use pyo3::prelude::*;

/// Adds the functions of this file.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(eccentricities, module)?)?;
    module.add_function(wrap_pyfunction!(components, module)?)?;
    module.add_function(wrap_pyfunction!(coloring, module)?)
}

/// The eccentricity of every node; none where it is not connected.
#[pyfunction]
fn eccentricities<'py>(
    py: Python<'py>,
    net: &Net,
    job: &Job,
) -> PyResult<Option<Bound<'py, PyArray1<i64>>>> {
    let held = net.shared.clone();
    let found = job.run(py, move |budget| all(&held, budget))?;
    Ok(found.map(|found| PyArray1::from_vec(py, found)))
}

fn all(held: &Held, budget: &Budget<'_>) -> Result<Option<Vec<i64>>, Fault> {
    let network = held.network()?;
    let order = network.order();
    budget.fits("the eccentricities", 8 * u128::from(order))?;
    // Where all nodes are alike one search tells.
    let alike = |orbits: &Vec<Orbit>| orbits.len() == 1;
    if order > 0
        && (held.built.theory.is_transitive() || network.orbits().is_some_and(|o| alike(&o)))
    {
        let levels = levels_from(&**network, Node(0), &budget.watch)?.sizes;
        let connected = levels.iter().sum::<u64>() == order;
        let farthest = i64::try_from(levels.len())? - 1;
        return Ok(connected.then(|| (0..order).map(|_| farthest).collect()));
    }
    let csr = held.csr(budget)?;
    let threads = rayon::current_num_threads() as u128;
    budget.fits("searches from every node", sweep_bytes(order) * threads)?;
    let sources: Result<Vec<Source>, Fault> =
        (0..order).map(|node| Ok(Source { node: u32::try_from(node)?, weight: 1 })).collect();
    let swept = sweep(&csr, &sources?, &budget.watch)?;
    let farthest = swept.eccentricities.iter().map(|&farthest| farthest.into());
    Ok(swept.connected.then(|| farthest.collect()))
}

/// The component of every node, numbered by their lowest nodes.
#[pyfunction]
fn components<'py>(py: Python<'py>, net: &Net, job: &Job) -> PyResult<Bound<'py, PyArray1<i64>>> {
    let held = net.shared.clone();
    let found = job.run(py, move |budget| {
        let csr = held.csr(budget)?;
        budget.fits("the components", 16 * u128::from(csr.order()))?;
        let parts = parts_of(&csr);
        Ok(parts.of.into_iter().map(i64::from).collect::<Vec<i64>>())
    })?;
    Ok(PyArray1::from_vec(py, found))
}

/// One of two colors for every node; none where there is an odd cycle.
#[pyfunction]
fn coloring<'py>(
    py: Python<'py>,
    net: &Net,
    job: &Job,
) -> PyResult<Option<Bound<'py, PyArray1<bool>>>> {
    let held = net.shared.clone();
    let found = job.run(py, move |budget| Ok(two_coloring(&*held.csr(budget)?)))?;
    Ok(found.map(|found| PyArray1::from_vec(py, found)))
}
