//! A network as Python holds it: who is next to whom, how far, and by which route?

use crate::data::Data;
use crate::device::{Device, Notes};
use crate::fault::Fault;
use crate::handle::{Held, SMALL};
use crate::job::{Job, at_once, build, find_router, limits};
use crate::{graphs, measured};
use nestnet::format::reading::{Hosts, Labels, Reading};
use nestnet::measure::sweep::{Sweeper, Threads};
use nestnet::named::Names;
use nestnet::network::sorted_neighbors;
use nestnet::routes::{by_router, by_text, router_name};
use nestnet::{BigUint, Budget, Built, Csr, Network, Node, locate, routers};
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use std::sync::{Arc, OnceLock};

/// A network.
#[pyclass(frozen, name = "Net", module = "nestnet._nestnet")]
#[derive(Debug)]
pub struct Net {
    pub(crate) shared: Arc<Held>,
}

/// The network that a text means.
#[pyfunction]
pub fn network(py: Python<'_>, text: String, job: &Job) -> PyResult<Net> {
    job.run(py, move |budget| {
        let (built, kept) = build(&text, budget)?;
        let spec = built.spec().to_string();
        Ok(Net { shared: Arc::new(Held::new(built, spec, kept)) })
    })
}

/// Which nodes of a graph are hosts, as files have it: how many hosts each node has, whether these are no nodes of the
/// graph and hang at its nodes, and what they are called then.
type Endpoints<'py> = (PyReadonlyArray1<'py, u32>, bool, Vec<String>);

/// A network from its cables, with a name for each node or none, and a level for each cable or none; specs find it by
/// the name that it is given. Hosts are numbered first.
#[pyfunction]
#[pyo3(signature = (order, sources, targets, names, levels, endpoints, job))]
#[expect(clippy::too_many_arguments, reason = "called in one place")]
pub fn stored(
    py: Python<'_>,
    order: u64,
    sources: PyReadonlyArray1<'_, u32>,
    targets: PyReadonlyArray1<'_, u32>,
    names: Option<Vec<String>>,
    levels: Option<PyReadonlyArray1<'_, u16>>,
    endpoints: Option<Endpoints<'_>>,
    job: &Job,
) -> PyResult<Net> {
    let links: Vec<(u32, u32)> =
        sources.as_slice()?.iter().copied().zip(targets.as_slice()?.iter().copied()).collect();
    let levels = levels.map(|levels| levels.as_slice().map(<[u16]>::to_vec)).transpose()?;
    let levels = levels.unwrap_or_default();
    let hosts = match endpoints {
        None => None,
        Some((counts, is_linked, names)) => Some((counts.as_slice()?.to_vec(), is_linked, names)),
    };
    job.run_unless(order + links.len() as u64 <= SMALL, py, move |budget| {
        let written = OnceLock::new();
        let network: Arc<dyn Network> = if names.is_none() && hosts.is_none() && levels.is_empty() {
            let csr = Arc::new(Csr::from_edges(order, &links, budget.memory)?);
            let _ = written.set(csr.clone());
            csr
        } else {
            let mut reading = Reading { nodes: order, links, levels, ..Reading::default() };
            if let Some(texts) = names {
                let mut names = Names::default();
                for text in &texts {
                    names.id(text);
                }
                reading.labels = Labels::Names(names);
            }
            if let Some((counts, is_linked, names)) = hosts {
                reading.host_names = names;
                reading.hosts = match is_linked {
                    true => Hosts::Hanging(counts),
                    false => Hosts::Marked(counts.iter().map(|&count| count > 0).collect()),
                };
            }
            reading.network(None, budget)?.0
        };
        let spec = format!("file(\"{}\")", graphs::name(&network)?);
        let built = Built::imported(network.clone(), Vec::new());
        Ok(Net { shared: Arc::new(Held { csr: written, ..Held::new(built, spec, vec![network]) }) })
    })
}

#[pymethods]
impl Net {
    /// The spec in its canonical form.
    #[getter]
    fn spec(&self) -> &str {
        &self.shared.spec
    }

    /// How many nodes there are.
    #[getter]
    fn order(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let order = at_once(|| Ok(self.shared.built.order()))?;
        Data::from(order).to_python(py)
    }

    /// How many links there are.
    #[getter]
    fn links(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let links = at_once(|| Ok(self.shared.built.theory.degrees().links))?;
        Data::from(links).to_python(py)
    }

    /// How many hosts there are.
    #[getter]
    fn hosts(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let hosts = at_once(|| Ok(self.shared.built.theory.hosts()))?;
        Data::from(hosts).to_python(py)
    }

    /// The smallest and the largest degree.
    #[getter]
    fn degrees(&self) -> PyResult<(u64, u64)> {
        at_once(|| {
            let degrees = self.shared.built.theory.degrees();
            Ok((degrees.min, degrees.max))
        })
    }

    /// Whether there is a path between any two nodes.
    #[getter]
    fn connected(&self) -> PyResult<bool> {
        at_once(|| Ok(self.shared.built.theory.connected()))
    }

    /// Whether nodes have ids.
    #[getter]
    fn has_ids(&self) -> bool {
        self.shared.built.network.is_some()
    }

    /// The names of its routers.
    #[getter]
    fn routers(&self) -> PyResult<Vec<String>> {
        at_once(|| Ok(routers::names(&self.shared.built)))
    }

    /// The graphs in memory that it depends on, each by its order.
    #[getter]
    fn stands_on(&self) -> Vec<u64> {
        self.shared.kept.iter().map(|network| network.order()).collect()
    }

    /// The address of a node.
    fn address(&self, node: u64) -> PyResult<String> {
        at_once(|| {
            let node = self.shared.node(node)?;
            Ok(self.shared.network()?.address(node).to_string())
        })
    }

    /// The node that a text names.
    fn locate(&self, text: &str) -> PyResult<u64> {
        at_once(|| {
            let network = self.shared.network()?;
            if network.order() == 0 {
                return Err(self.shared.no_node(text));
            }
            Ok(locate(&**network, text)?.0)
        })
    }

    /// An error for an id that no node has.
    fn refuse(&self, text: &str) -> PyResult<()> {
        Err(self.shared.no_node(text).into())
    }

    /// The neighbors of a node, ascending.
    fn neighbors(&self, node: u64) -> PyResult<Vec<u64>> {
        at_once(|| {
            let node = self.shared.node(node)?;
            let nodes = sorted_neighbors(&**self.shared.network()?, node);
            Ok(nodes.into_iter().map(|node| node.0).collect())
        })
    }

    /// The ports of a node: port, neighbor and level of each.
    fn ports(&self, node: u64) -> PyResult<Vec<(u32, u64, u16)>> {
        at_once(|| {
            let node = self.shared.node(node)?;
            let network = self.shared.network()?;
            let mut ports = Vec::new();
            network.for_each_neighbor(node, &mut |port, to| {
                ports.push((port.0, to.0, network.level(node, port)));
            });
            Ok(ports)
        })
    }

    /// How many links a shortest path has; `None` where there is none.
    fn distance(&self, py: Python<'_>, from: u64, to: u64, job: &Job) -> PyResult<Option<u64>> {
        let closed = at_once(|| {
            let (from, to) = (self.shared.node(from)?, self.shared.node(to)?);
            Ok(self.shared.network()?.distance(from, to))
        })?;
        if closed.is_some() {
            return Ok(closed);
        }
        let held = self.shared.clone();
        job.run_unless(held.is_small(), py, move |budget| {
            held.distance(Node(from), Node(to), budget)
        })
    }

    /// The route of a message.
    #[pyo3(signature = (from, to, router, choice, as_printed, job))]
    #[allow(clippy::too_many_arguments)]
    fn route(
        &self,
        py: Python<'_>,
        from: u64,
        to: u64,
        router: Option<String>,
        choice: u64,
        as_printed: bool,
        job: &Job,
    ) -> PyResult<Py<PyAny>> {
        let held = self.shared.clone();
        let trail = job.run(py, move |budget| {
            let ends = (held.node(from)?, held.node(to)?);
            route(&held, ends, router.as_deref(), choice, as_printed, budget)
        })?;
        trail.to_python(py)
    }

    /// All that is known at once.
    fn info(&self, py: Python<'_>, job: &Job) -> PyResult<Py<PyAny>> {
        let held = self.shared.clone();
        job.run(py, move |budget| measured::info(&held, budget))?.to_python(py)
    }

    /// What is measured, by key.
    fn measure(
        &self,
        py: Python<'_>,
        keys: Vec<String>,
        device: &str,
        job: &Job,
    ) -> PyResult<Py<PyAny>> {
        let held = self.shared.clone();
        let (device, notes) = (Device::named(device)?, Notes::default());
        let heard = notes.clone();
        let found = job.run(py, move |budget| {
            device.with(budget.memory, &heard, |gpu| {
                let sweeper = gpu.map_or(&Threads as &dyn Sweeper, |gpu| gpu);
                measured::measure(&held, &keys, limits(budget), sweeper)
            })
        })?;
        notes.warn(py)?;
        found.to_python(py)
    }
}

fn route(
    held: &Held,
    ends: (Node, Node),
    router: Option<&str>,
    choice: u64,
    as_printed: bool,
    budget: &Budget<'_>,
) -> Result<Data, Fault> {
    let (built, network) = (&held.built, held.network()?);
    let name = router_name(built, router, as_printed)?;
    let route = match by_text(built, name, ends, choice)? {
        Some(route) => route,
        None => {
            let router = find_router(built, name, budget)?;
            by_router(&**network, &*router, name, ends, choice)?
        }
    };
    let hops = if route.ending.is_some() { route.hops() } else { 0 };
    Ok(Data::of(&route)?.with([
        ("spec", held.spec.as_str().into()),
        ("path", Data::of(&route.nodes)?),
        ("addresses", Data::of(&route.addresses)?),
        ("hops", hops.into()),
        ("arrives", route.arrives().into()),
    ]))
}

/// A count that fits in 64 bits, for arrays.
pub fn small(value: &BigUint) -> Option<u64> {
    num_traits::ToPrimitive::to_u64(value)
}
