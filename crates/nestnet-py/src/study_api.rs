//! A sweep over networks, routers, traffics, loads, seeds and faults, and all that its points say.

use crate::data::{Data, object};
use crate::fault::Fault;
use crate::job::{Job, with_context};
use crate::output;
use nestnet::BigUint;
use nestnet::job::{Shard, each};
use nestnet::study::{Column, Kind, Study, Table};
use pyo3::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Adds the functions of this file.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(study, module)?)
}

/// The table of a study, whose answers are kept in a folder where one is given; those that are there are not made again.
#[pyfunction]
#[pyo3(signature = (text, folder, job))]
fn study(py: Python<'_>, text: String, folder: Option<PathBuf>, job: &Job) -> PyResult<Py<PyAny>> {
    let found = job.run(py, move |budget| {
        let read = |context: &nestnet::Context<'_>| Ok(Study::read(&text, context)?);
        let (study, _kept) = with_context(budget, read)?;
        let made = AtomicU64::new(0);
        let answers = each(study.points(), Shard::WHOLE, &budget.watch, |number, watch| {
            let point = study.point(number);
            let file = folder.as_ref().map(|folder| folder.join(point.stored_as()));
            let kept = file.as_ref().and_then(|file| point.open(&fs::read(file).ok()?));
            if let Some(answer) = kept {
                return Ok::<_, Fault>(answer);
            }
            let answer = point.answer(watch)?;
            made.fetch_add(1, Ordering::Relaxed);
            if let Some(file) = file {
                keep(&file, &point.seal(&answer))?;
            }
            Ok(answer)
        })?;
        let mut table = Table::new();
        for (number, answer) in (0..).zip(&answers) {
            table.push(&study.point(number), answer);
        }
        let none = answers.iter().filter(|answer| answer.is_missing()).count();
        let columns = table.columns();
        let row = |row: usize| Data::list(columns.iter().map(|column| cell(column, row)));
        Ok(object!(
            "Study",
            title = study.title.as_str(),
            about = study.about.as_str(),
            points = study.points(),
            made = made.into_inner(),
            none = none,
            columns = Data::list(columns.iter().map(|column| column.name.as_str())),
            rows = Data::list((0..table.rows()).map(row)),
        ))
    })?;
    found.to_python(py)
}

/// Keeps an answer.
fn keep(file: &Path, sealed: &[u8]) -> Result<(), Fault> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    output::write_file(file, &mut |out| Ok(out.write_all(sealed)?))
}

/// A cell as what its column is.
fn cell(column: &Column, row: usize) -> Data {
    let Some(Some(text)) = column.cells.get(row) else { return Data::None };
    match column.kind {
        Kind::Truth => (text == "true").into(),
        Kind::Integer => match text.parse::<BigUint>() {
            Ok(value) => value.into(),
            Err(_) => text.parse::<f64>().map_or(Data::None, Data::from),
        },
        Kind::Number => text.parse::<f64>().map_or(Data::None, Data::from),
        Kind::Text => text.as_str().into(),
    }
}
