//! The tables of options, and what a call was given of them.

use crate::fault::Fault;
use nestnet::collective::Collective;
use nestnet::collectives::{Ask, COLLECTIVE_OPTIONS};
use nestnet::compare::{COMPARE_OPTIONS, CompareSettings};
use nestnet::design::{self, DesignQuestion};
use nestnet::fault_survey::{FAULT_OPTIONS, FaultModel};
use nestnet::options::{LIMITS, Setting, apply};
use nestnet::physical::{BuiltAs, COST_OPTIONS, CostSettings};
use nestnet::sim::{OPTIONS, Settings};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Keys and values, as they could be given at the command line.
pub type Given = Vec<(String, String)>;

/// The rows of a table: key, title, text, unit, default, allowed values.
fn rows_of<T: 'static>(
    py: Python<'_>,
    rows: impl IntoIterator<Item = &'static Setting<T>>,
) -> PyResult<Vec<Py<PyAny>>> {
    let entry = |row: &Setting<T>| {
        let entry = PyDict::new(py);
        entry.set_item("key", row.key)?;
        entry.set_item("title", row.title)?;
        entry.set_item("about", row.about)?;
        entry.set_item("unit", row.unit)?;
        entry.set_item("default", row.default())?;
        entry.set_item("allowed", row.allowed())?;
        Ok(entry.into_any().unbind())
    };
    rows.into_iter().map(entry).collect()
}

/// The tables by name: `simulator`, `cost`, `compare` and `design` with those of their cost model, `collective`, `faults`, `limits`.
#[pyfunction]
pub fn options(py: Python<'_>) -> PyResult<Py<PyAny>> {
    let tables = PyDict::new(py);
    tables.set_item("simulator", rows_of(py, &OPTIONS)?)?;
    tables.set_item("cost", rows_of(py, &COST_OPTIONS)?)?;
    let with_cost = |mut rows: Vec<Py<PyAny>>| {
        rows.extend(rows_of(py, &COST_OPTIONS)?);
        PyResult::Ok(rows)
    };
    tables.set_item("compare", with_cost(rows_of(py, &COMPARE_OPTIONS)?)?)?;
    tables.set_item("design", with_cost(rows_of(py, design::options())?)?)?;
    tables.set_item("collective", rows_of(py, &COLLECTIVE_OPTIONS)?)?;
    tables.set_item("faults", rows_of(py, &FAULT_OPTIONS)?)?;
    tables.set_item("limits", rows_of(py, &LIMITS)?)?;
    Ok(tables.into_any().unbind())
}

/// What is given of a table, from its default.
fn settings<T: Default + 'static>(rows: &'static [Setting<T>], given: &Given) -> Result<T, Fault> {
    let mut settings = T::default();
    apply(rows, &mut settings, pairs(given))?;
    Ok(settings)
}

fn pairs(given: &Given) -> impl Iterator<Item = (&str, &str)> {
    given.iter().map(|(key, value)| (key.as_str(), value.as_str()))
}

/// The settings of the simulator.
pub fn simulator(given: &Given) -> Result<Settings, Fault> {
    settings(&OPTIONS, given)
}

/// What fails, and what is measured of the rest.
pub fn faults(given: &Given) -> Result<FaultModel, Fault> {
    settings(&FAULT_OPTIONS, given)
}

/// How it is built; where that is not given, as `usual`.
pub fn cost(given: &Given, usual: BuiltAs) -> Result<CostSettings, Fault> {
    Ok(CostSettings::read(usual, pairs(given))?)
}

/// What is asked of a design.
pub fn design(given: &Given) -> Result<DesignQuestion, Fault> {
    Ok(DesignQuestion::read(pairs(given))?)
}

/// What is asked of a comparison, and its cost model.
pub fn comparison(given: &Given) -> Result<(CompareSettings, CostSettings), Fault> {
    let [cost, own] = CostSettings::split(pairs(given));
    let mut settings = CompareSettings::default();
    apply(&COMPARE_OPTIONS, &mut settings, own)?;
    Ok((settings, CostSettings::read(BuiltAs::Rack, cost)?))
}

/// How a collective is planned.
pub fn collective(collective: Collective, given: &Given) -> Result<Ask, Fault> {
    let mut ask = Ask::of(collective);
    apply(&COLLECTIVE_OPTIONS, &mut ask, pairs(given))?;
    Ok(ask)
}
