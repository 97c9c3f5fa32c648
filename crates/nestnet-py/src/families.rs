//! The table of families, from which Python makes its functions.

use nestnet::family::families;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Every row: name, text, source, examples and parameters.
#[pyfunction]
#[pyo3(name = "families")]
pub fn rows(py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
    families()
        .map(|family| {
            let row = PyDict::new(py);
            row.set_item("name", family.name)?;
            row.set_item("about", family.about)?;
            row.set_item("usage", family.usage())?;
            row.set_item("paper", family.paper.key())?;
            row.set_item("title", family.paper.title())?;
            row.set_item("examples", family.examples)?;
            let mut params = Vec::new();
            for param in family.params {
                let entry = PyDict::new(py);
                entry.set_item("name", param.name)?;
                entry.set_item("about", param.about)?;
                entry.set_item("optional", param.optional)?;
                let (kind, bounds, words) = param.kind.parts();
                entry.set_item("kind", kind)?;
                entry.set_item("bounds", bounds)?;
                entry.set_item("words", words)?;
                entry.set_item("lists", param.ratio || param.sets.is_some())?;
                params.push(entry);
            }
            row.set_item("params", params)?;
            Ok(row.into_any().unbind())
        })
        .collect()
}
