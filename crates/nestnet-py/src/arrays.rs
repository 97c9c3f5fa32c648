//! Many answers at once, as arrays of numpy.

use crate::fault::Fault;
use crate::handle::Held;
use crate::job::Job;
use crate::network::{Net, small};
use nestnet::measure::load::channel_load;
use nestnet::measure::search::watched_distances_from;
use nestnet::{Budget, Network, Node};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use rayon::prelude::*;
use std::collections::HashMap;

/// Adds the functions of this file.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(distances, module)?)?;
    module.add_function(wrap_pyfunction!(bfs, module)?)?;
    module.add_function(wrap_pyfunction!(channel_loads, module)?)?;
    module.add_function(wrap_pyfunction!(csr32, module)?)?;
    module.add_function(wrap_pyfunction!(csr64, module)?)?;
    module.add_function(wrap_pyfunction!(edges, module)?)?;
    module.add_function(wrap_pyfunction!(trunks, module)?)
}

/// No path, in an array of signed numbers.
const NONE: i64 = -1;

/// So many pairs are done between two looks at the clock.
const BATCH: usize = 1 << 14;

/// Two columns of nodes.
type Links<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>);

/// The distance of each pair; -1 where there is no path.
#[pyfunction]
fn distances<'py>(
    py: Python<'py>,
    net: &Net,
    sources: PyReadonlyArray1<'py, u64>,
    targets: PyReadonlyArray1<'py, u64>,
    job: &Job,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    let held = net.shared.clone();
    let (sources, targets) = (sources.as_slice()?.to_vec(), targets.as_slice()?.to_vec());
    if sources.len() != targets.len() {
        return Err(Fault::new("there must be as many sources as targets").into());
    }
    let found = job.run(py, move |budget| pairs(&held, &sources, &targets, budget))?;
    Ok(PyArray1::from_vec(py, found))
}

fn pairs(
    held: &Held,
    sources: &[u64],
    targets: &[u64],
    budget: &Budget<'_>,
) -> Result<Vec<i64>, Fault> {
    let network = &**held.network()?;
    let order = network.order();
    if let Some(node) = sources.iter().chain(targets).find(|&&node| node >= order) {
        return Err(held.no_node(&node.to_string()));
    }
    let (Some(&source), Some(&target)) = (sources.first(), targets.first()) else {
        return Ok(Vec::new());
    };
    if network.distance(Node(source), Node(target)).is_none() {
        return searched(network, sources, targets, budget);
    }
    let mut found = vec![NONE; sources.len()];
    let batches = found.par_chunks_mut(BATCH).zip(sources.par_chunks(BATCH));
    batches.zip(targets.par_chunks(BATCH)).try_for_each(|((found, sources), targets)| {
        budget.check()?;
        for ((found, &from), &to) in found.iter_mut().zip(sources).zip(targets) {
            let distance = network.distance(Node(from), Node(to));
            *found = distance.and_then(|distance| i64::try_from(distance).ok()).unwrap_or(NONE);
        }
        Ok::<(), Fault>(())
    })?;
    Ok(found)
}

/// One search for each source, or for each target where those are fewer.
fn searched(
    network: &dyn Network,
    sources: &[u64],
    targets: &[u64],
    budget: &Budget<'_>,
) -> Result<Vec<i64>, Fault> {
    let by = |ends: &[u64]| {
        let mut places: HashMap<u64, Vec<usize>> = HashMap::new();
        for (place, &end) in ends.iter().enumerate() {
            places.entry(end).or_default().push(place);
        }
        places
    };
    let (from, to) = (by(sources), by(targets));
    let (roots, others) = if from.len() <= to.len() { (from, targets) } else { (to, sources) };
    let threads = rayon::current_num_threads() as u128;
    budget.fits("the searches", 4 * u128::from(network.order()) * threads)?;
    let parts: Result<Vec<Vec<(usize, i64)>>, Fault> = roots
        .par_iter()
        .map(|(&root, places)| {
            let distances = watched_distances_from(network, Node(root), &budget.watch)?;
            let one = |&place: &usize| {
                let distance = usize::try_from(others[place]).ok();
                let distance = distance.and_then(|other| distances.get(other)).copied();
                let distance = distance.filter(|&distance| distance != u32::MAX);
                (place, distance.map_or(NONE, i64::from))
            };
            Ok(places.iter().map(one).collect())
        })
        .collect();
    let mut found = vec![NONE; sources.len()];
    for (place, distance) in parts?.into_iter().flatten() {
        found[place] = distance;
    }
    Ok(found)
}

/// The distance of every node from one; -1 where there is no path.
#[pyfunction]
fn bfs<'py>(
    py: Python<'py>,
    net: &Net,
    from: u64,
    job: &Job,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    let held = net.shared.clone();
    let found = job.run_unless(held.is_small(), py, move |budget| {
        let from = held.node(from)?;
        let network = held.network()?;
        budget.fits("the distances", 12 * u128::from(network.order()))?;
        let distances = watched_distances_from(&**network, from, &budget.watch)?;
        let signed = |distance: u32| if distance == u32::MAX { NONE } else { distance.into() };
        Ok(distances.into_iter().map(signed).collect::<Vec<i64>>())
    })?;
    Ok(PyArray1::from_vec(py, found))
}

/// The load of every channel when each node sends to each other, and between which nodes each channel runs.
#[pyfunction]
#[allow(clippy::type_complexity)]
fn channel_loads<'py>(
    py: Python<'py>,
    net: &Net,
    job: &Job,
) -> PyResult<(Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<f64>>)> {
    let held = net.shared.clone();
    let (from, to, loads) = job.run(py, move |budget| {
        let csr = held.csr(budget)?;
        let steps = u128::from(csr.order()) * u128::from(csr.links()) * 4;
        budget.affords("the load of every channel", steps)?;
        // Both ends and the load of the two channels of each link.
        budget.fits("the loads of all channels", 48 * u128::from(csr.links()))?;
        let loads = channel_load(&csr, &budget.watch)?.loads;
        let mut from = Vec::with_capacity(loads.len());
        for (at, ends) in (0i64..).zip(csr.offsets().windows(2)) {
            from.extend((ends[0]..ends[1]).map(|_| at));
        }
        let to: Vec<i64> = csr.targets().iter().map(|&to| to.into()).collect();
        Ok((from, to, loads))
    })?;
    Ok((PyArray1::from_vec(py, from), PyArray1::from_vec(py, to), PyArray1::from_vec(py, loads)))
}

/// How many neighbors each of some nodes has, and all of them.
type Part<T> = (Vec<u32>, Vec<T>);

/// Nodes in each part that a thread writes.
const PART: u64 = 1 << 15;

/// Neighbor lists, each ascending, one after the other, and where each begins; none where a number is too wide.
fn written<T: TryFrom<u64> + Copy + Ord + Send + Sync>(
    held: &Held,
    budget: &Budget<'_>,
) -> Result<(Vec<T>, Vec<T>), Fault> {
    let network = &**held.network()?;
    let order = network.order();
    let links = small(&held.built.theory.degrees().links).unwrap_or(u64::MAX);
    let width = size_of::<T>() as u128;
    let need = width * (u128::from(order) + 1 + 4 * u128::from(links));
    budget.fits("the neighbor lists", need)?;
    let wide = || Fault::new("there are too many nodes for numbers of this width");
    let parts: Vec<u64> = (0..order.div_ceil(PART)).collect();
    let lists: Result<Vec<Part<T>>, Fault> = parts
        .par_iter()
        .map(|part| {
            budget.check()?;
            let first = part * PART;
            let last = (first + PART).min(order);
            let mut degrees = Vec::with_capacity(usize::try_from(last - first)?);
            let mut targets: Vec<T> = Vec::new();
            let mut fits = true;
            for at in (first..last).map(Node) {
                let start = targets.len();
                network.for_each_neighbor(at, &mut |_, to| match T::try_from(to.0) {
                    Ok(to) => targets.push(to),
                    Err(_) => fits = false,
                });
                targets[start..].sort_unstable();
                degrees.push(u32::try_from(targets.len() - start)?);
            }
            if fits { Ok((degrees, targets)) } else { Err(wide()) }
        })
        .collect();
    let lists = lists?;
    let total: usize = lists.iter().map(|(_, targets)| targets.len()).sum();
    let mut offsets = Vec::with_capacity(usize::try_from(order)? + 1);
    let mut end = 0u64;
    let mut push = |end: u64| T::try_from(end).map(|end| offsets.push(end)).map_err(|_| wide());
    push(end)?;
    let mut targets = Vec::with_capacity(total);
    for (degrees, list) in lists {
        for degree in degrees {
            end += u64::from(degree);
            push(end)?;
        }
        targets.extend_from_slice(&list);
    }
    Ok((offsets, targets))
}

/// Offsets and neighbors in 32 bits.
#[pyfunction]
#[allow(clippy::type_complexity)]
fn csr32<'py>(
    py: Python<'py>,
    net: &Net,
    job: &Job,
) -> PyResult<(Bound<'py, PyArray1<i32>>, Bound<'py, PyArray1<i32>>)> {
    let held = net.shared.clone();
    let (offsets, targets) = job.run(py, move |budget| written::<i32>(&held, budget))?;
    Ok((PyArray1::from_vec(py, offsets), PyArray1::from_vec(py, targets)))
}

/// Offsets and neighbors in 64 bits.
#[pyfunction]
fn csr64<'py>(py: Python<'py>, net: &Net, job: &Job) -> PyResult<Links<'py>> {
    let held = net.shared.clone();
    let (offsets, targets) = job.run(py, move |budget| written::<i64>(&held, budget))?;
    Ok((PyArray1::from_vec(py, offsets), PyArray1::from_vec(py, targets)))
}

/// Every link once, the lower end first, ascending.
#[pyfunction]
fn edges<'py>(py: Python<'py>, net: &Net, job: &Job) -> PyResult<Links<'py>> {
    let held = net.shared.clone();
    let (from, to) = job.run(py, move |budget| {
        let (offsets, targets) = written::<i64>(&held, budget)?;
        let (mut from, mut to) = (Vec::new(), Vec::new());
        for (at, ends) in (0i64..).zip(offsets.windows(2)) {
            let list = usize::try_from(ends[0])?..usize::try_from(ends[1])?;
            for &other in targets[list].iter().filter(|&&other| other > at) {
                from.push(at);
                to.push(other);
            }
        }
        Ok((from, to))
    })?;
    Ok((PyArray1::from_vec(py, from), PyArray1::from_vec(py, to)))
}

/// Cables and level of each link.
type Trunks<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<u16>>);

/// How many cables each link has, and its lowest level, in the order of its ends: the lower end first, ascending.
#[pyfunction]
fn trunks<'py>(py: Python<'py>, net: &Net, job: &Job) -> PyResult<Trunks<'py>> {
    let held = net.shared.clone();
    let (widths, levels) = job.run(py, move |budget| {
        let network = &**held.network()?;
        let links = small(&held.built.theory.degrees().links).unwrap_or(u64::MAX);
        budget.fits("the widths of all links", 10 * u128::from(links))?;
        let (mut widths, mut levels) = (Vec::<i64>::new(), Vec::<u16>::new());
        let mut cables = Vec::new();
        for at in (0..network.order()).map(Node) {
            budget.watch.check_each(at.0)?;
            cables.clear();
            network.for_each_neighbor(at, &mut |port, to| {
                if to > at {
                    cables.push((to, network.level(at, port)));
                }
            });
            cables.sort_unstable();
            for link in cables.chunk_by(|one, other| one.0 == other.0) {
                widths.push(i64::try_from(link.len())?);
                levels.push(link[0].1);
            }
        }
        Ok((widths, levels))
    })?;
    Ok((PyArray1::from_vec(py, widths), PyArray1::from_vec(py, levels)))
}
