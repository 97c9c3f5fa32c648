//! Networks and routing tables in the formats of other tools.

use crate::data::Data;
use crate::fault::Fault;
use crate::job::{Job, find_router};
use crate::network::Net;
use crate::output;
use nestnet::files::{
    Exported, TablesWritten, network_format, table_format, table_losses, written_formats,
};
use nestnet::format::{self, Costs, Writing, tables};
use nestnet::routers::{self, with_assigned_vcs};
use num_bigint::BigUint;
use pyo3::prelude::*;

/// Adds the functions of this file.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(export, module)?)?;
    module.add_function(wrap_pyfunction!(link_costs, module)?)?;
    module.add_function(wrap_pyfunction!(write_tables, module)?)
}

/// Latencies and bandwidths, of all links or of a level, as at the command line.
type Given = (Vec<String>, Vec<String>);

fn costs_of((latencies, bandwidths): &Given) -> Result<Costs, Fault> {
    let mut costs = Costs::default();
    let named = |what: &str, error: String| Fault::new(format!("{what}: {error}"));
    for latency in latencies {
        costs.add_latency(latency).map_err(|error| named("latency", error.to_string()))?;
    }
    for bandwidth in bandwidths {
        costs.add_bandwidth(bandwidth).map_err(|error| named("bandwidth", error.to_string()))?;
    }
    Ok(costs)
}

/// Nanoseconds and gigabits a second, where they are given.
type Cost = (Option<f64>, Option<f64>);

/// What links of each level cost, and those of hosts where hosts have links of their own.
#[pyfunction]
fn link_costs(
    py: Python<'_>,
    net: &Net,
    costs: Given,
    job: &Job,
) -> PyResult<(Vec<Cost>, Option<Cost>)> {
    let held = net.shared.clone();
    job.run(py, move |budget| {
        let costs = costs_of(&costs)?;
        let network = held.network()?;
        let writing = Writing::new(&held.spec, &**network, &costs, *budget)?;
        let level = |level: u16| {
            let latency = writing.latency(level).map(|latency| latency.nanoseconds());
            (latency, writing.bandwidth(level).map(|bandwidth| bandwidth.gigabits()))
        };
        let levels = (0..network.levels()).map(level).collect();
        let hosts = writing.has_host_links().then(|| {
            let latency = writing.host_latency().map(|latency| latency.nanoseconds());
            (latency, writing.host_bandwidth().map(|bandwidth| bandwidth.gigabits()))
        });
        Ok((levels, hosts))
    })
}

/// A network in the format of another tool.
#[pyfunction]
#[pyo3(signature = (net, format, path, costs, max_links, job))]
fn export(
    py: Python<'_>,
    net: &Net,
    format: Option<String>,
    path: Option<String>,
    costs: Given,
    max_links: u64,
    job: &Job,
) -> PyResult<Py<PyAny>> {
    let held = net.shared.clone();
    let found = job.run(py, move |budget| {
        let format = match (&format, &path) {
            (Some(name), _) => network_format(name)?,
            (None, Some(path)) => format::by_extension(path).ok_or_else(|| {
                let known = written_formats();
                Fault::new(format!("the end of {path} names no format; format does: {known}"))
            })?,
            (None, None) => {
                let known = written_formats();
                return Err(Fault::new(format!("which format? format names one: {known}")));
            }
        };
        let name = format.name;
        let rule = format.write.ok_or_else(|| Fault::new(format!("{name} is not written")))?;
        let costs = costs_of(&costs)?;
        let links = held.built.theory.degrees().links;
        if links > BigUint::from(max_links) {
            let spec = &held.spec;
            return Err(Fault::new(format!(
                "{spec} has {links} links, over the limit of {max_links}: max_links raises it"
            )));
        }
        let network = held.network()?;
        let writing = Writing::new(&held.spec, &**network, &costs, *budget)?;
        let losses = format.losses(&writing);
        let text = output::write(path.as_deref(), budget, &mut |out| Ok(rule(&writing, out)?))?;
        let exported = Exported::new(held.spec.clone(), format, path, &losses);
        Ok(Data::of(&exported)?.with([("text", text.into())]))
    })?;
    found.to_python(py)
}

/// Where each switch sends what, in the form of another tool.
#[pyfunction]
#[pyo3(name = "tables", signature = (net, router, assign, format, path, costs, job))]
#[expect(clippy::too_many_arguments, reason = "called in one place")]
fn write_tables(
    py: Python<'_>,
    net: &Net,
    router: Option<String>,
    assign: bool,
    format: String,
    path: Option<String>,
    costs: Given,
    job: &Job,
) -> PyResult<Py<PyAny>> {
    let held = net.shared.clone();
    let found = job.run(py, move |budget| {
        let format = table_format(&format)?;
        let costs = costs_of(&costs)?;
        let network = held.network()?;
        let name = router.as_deref().unwrap_or_else(|| routers::default_name(&held.built));
        let mut router = find_router(&held.built, name, budget)?;
        if assign {
            router = with_assigned_vcs(&held.built, name, &router, budget)?;
        }
        let writing = Writing::new(&held.spec, &**network, &costs, *budget)?;
        let losses = table_losses(format, &*router, name, &writing);
        // What is too large to be counted is written all the same.
        let needs = match router.remembers() {
            true => None,
            false => tables::size(&writing, &*router).ok(),
        };
        budget.check()?;
        let mut fill = |out: &mut dyn std::io::Write| Ok((format.write)(&writing, &*router, out)?);
        let text = output::write(path.as_deref(), budget, &mut fill)?;
        let (spec, router) = (held.spec.clone(), name.to_owned());
        let written = TablesWritten { spec, router, format: format.name, file: path, needs };
        Ok(Data::of(&written)?.with([("text", text.into()), ("remarks", Data::list(losses))]))
    })?;
    found.to_python(py)
}
