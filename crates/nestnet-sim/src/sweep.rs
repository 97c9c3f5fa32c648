//! How does latency grow with the load, and where does it end? A curve, and the load at which a network saturates.

use super::config::{RunLength, SimError};
use super::measure::{Point, Simulation, Status, rounded};
use super::source::Destination;
use nestnet_graph::{Budget, Watch};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// Latency over load.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Curve {
    /// By offered load, ascending.
    pub points: Vec<Point>,
    /// The highest load seen at which all is accepted, no more than was accepted at any. None where even the lowest is too
    /// much.
    pub saturation: Option<f64>,
    /// The most flits per host and cycle that were accepted at any load.
    pub most_accepted: f64,
}

/// Loads of the first pass, in hundredths.
const COARSE: [u32; 11] = [1, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100];

/// Loads between two of the first pass, as parts of their distance, until saturation is known this well.
const FINE: u32 = 3;

impl Simulation<'_> {
    /// These loads, in parallel and in this order.
    pub fn points(
        &self,
        destination: Destination<'_>,
        loads: &[f64],
        length: impl Into<RunLength>,
        seed: u64,
        budget: &Budget<'_>,
    ) -> Result<Curve, SimError> {
        let length = length.into();
        let run = |&load: &f64| self.point(destination, load, length, seed, budget);
        Ok(Curve::of(in_order(loads.par_iter().map(run))?))
    }
}

impl Curve {
    fn of(points: Vec<Point>) -> Self {
        let most_accepted = points.iter().map(|point| point.accepted).fold(0.0, f64::max);
        let (low, _) = bracket(&points);
        let saturation = Some(rounded_down(low.min(most_accepted))).filter(|&load| load > 0.0);
        Curve { points, saturation, most_accepted }
    }

    /// Whether all loads were accepted, so that it is not known where the network saturates.
    pub fn is_open(&self) -> bool {
        !self.points.is_empty() && self.points.iter().all(keeps_up)
    }
}

/// The curve of a network; loads run in parallel, each as [`Simulation::point`] has it. What is stopped has the points
/// that were ready.
///
/// ```
/// use nestnet_graph::{Budget, Csr};
/// use nestnet_routing::route::Searched;
/// use nestnet_routing::traffic::Traffic;
/// use nestnet_sim::{Config, Own, Simulation, Window, destinations, sweep};
/// use std::sync::Arc;
///
/// let pair = Arc::new(Csr::from_links(2, &[(0, 1)], 1 << 20)?);
/// let router = Searched::new(pair.clone()).unwrap();
/// let config = Config::default();
/// let simulation = Simulation::new(&*pair, &router, &config, &Budget::default())?;
/// let traffic = Traffic::uniform(2);
/// let to = destinations(&traffic, Own::LeftOut);
/// let window = Window { warmup: 100, cycles: 500 };
/// let curve = sweep(&simulation, &to, window, 1, &Budget::default())?;
/// assert!(curve.saturation > Some(0.5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn sweep(
    simulation: &Simulation<'_>,
    destination: Destination<'_>,
    length: impl Into<RunLength>,
    seed: u64,
    budget: &Budget<'_>,
) -> Result<Curve, SimError> {
    let length = length.into();
    let rounds = COARSE.len() as u64 + 2 * u64::from(FINE);
    let done = AtomicU64::new(0);
    let quiet = |_| ();
    let inner = Budget { watch: Watch { progress: &quiet, ..budget.watch }, ..*budget };
    let run = |load: f64| {
        let point = simulation.point(destination, load, length, seed, &inner);
        let part = done.fetch_add(1, Ordering::Relaxed) + 1;
        (budget.watch.progress)((part as f64 / rounds as f64).min(1.0));
        point
    };
    let loads = COARSE.map(|load| f64::from(load) / 100.0);
    let mut points = in_order(loads.into_par_iter().map(run))?;
    for _ in 0..FINE {
        let (low, Some(high)) = bracket(&points) else { break };
        if budget.check().is_err() {
            break;
        }
        // Two at a time, so that two threads have work; the same on any number of them.
        let step = (high - low) / 3.0;
        let between = [low + step, low + 2.0 * step].map(round);
        points.extend(in_order(between.into_par_iter().map(run))?);
        points.sort_by(|a, b| a.offered.total_cmp(&b.offered));
    }
    points.retain(|point| point.status != Status::Stopped || point.packets > 0);
    Ok(Curve::of(points))
}

/// All points, or the error of the first load that has one, whichever thread was quicker.
fn in_order(
    points: impl IndexedParallelIterator<Item = Result<Point, SimError>>,
) -> Result<Vec<Point>, SimError> {
    points.collect::<Vec<_>>().into_iter().collect()
}

/// To a hundredth of a percent, so that loads read well.
fn round(load: f64) -> f64 {
    (load * 1e4).round() / 1e4
}

/// Six places behind the point at most, never more than the value.
fn rounded_down(value: f64) -> f64 {
    let near = rounded(value);
    if near > value { rounded(near - 1e-6) } else { near }
}

fn keeps_up(point: &Point) -> bool {
    point.status.keeps_up()
}

/// The highest load that is accepted below all that are not, 0 where there is none, and the lowest that is not.
fn bracket(points: &[Point]) -> (f64, Option<f64>) {
    let refused = points.iter().filter(|point| !keeps_up(point)).map(|point| point.offered);
    let high = refused.min_by(f64::total_cmp);
    let accepted = points.iter().filter(|point| keeps_up(point)).map(|point| point.offered);
    let low = accepted.filter(|&load| high.is_none_or(|high| load < high)).fold(0.0, f64::max);
    (low, high)
}
