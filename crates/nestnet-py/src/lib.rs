//! The Python front end: the same questions as at the command line, answered by the same functions.
//!
//! Python sees `nestnet`, whose files lie in `python/nestnet`; what is here is `nestnet._nestnet`.

mod arrays;
mod data;
mod design_api;
mod device;
mod export_api;
mod families;
mod fault;
mod graph;
mod graphs;
mod handle;
mod job;
mod measured;
mod network;
mod network_api;
mod objects;
mod options;
mod output;
mod simulated;
mod structure_api;
mod study_api;
mod survey_api;

use pyo3::prelude::*;
use std::ffi::OsString;

/// What Python imports.
#[pymodule(name = "_nestnet")]
fn nestnet_module(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("Error", py.get_type::<fault::Error>())?;
    module.add("SpecError", py.get_type::<fault::SpecError>())?;
    module.add("NodeError", py.get_type::<fault::NodeError>())?;
    module.add("LimitError", py.get_type::<fault::LimitError>())?;
    module.add_class::<job::Job>()?;
    module.add_class::<network::Net>()?;
    module.add_function(wrap_pyfunction!(network::network, module)?)?;
    module.add_function(wrap_pyfunction!(network::stored, module)?)?;
    module.add_function(wrap_pyfunction!(families::rows, module)?)?;
    module.add_function(wrap_pyfunction!(options::options, module)?)?;
    arrays::register(module)?;
    network_api::register(module)?;
    graph::register(module)?;
    design_api::register(module)?;
    export_api::register(module)?;
    structure_api::register(module)?;
    study_api::register(module)?;
    survey_api::register(module)?;
    simulated::register(module)?;
    module.add_function(wrap_pyfunction!(command_line, module)?)
}

/// The command line, once in a process: the words that were typed, those that start it again, and its exit code.
#[pyfunction]
fn command_line(py: Python<'_>, words: Vec<OsString>, launcher: Vec<OsString>) -> u8 {
    py.detach(|| nestnet_cli::main_within(words, launcher))
}
