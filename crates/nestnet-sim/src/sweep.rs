//! How does latency grow with the load, and where does it end? A curve, and the load at which a network saturates.

use super::config::{RunLength, SimError, Window};
use super::measure::{Point, Simulation, Status};
use super::reason;
use super::source::Destination;
use nestnet_graph::json::rounded;
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
    /// Flits that crossed a switch, in all runs, also in those that only looked for saturation.
    pub flit_hops: u64,
}

/// Loads that a curve has as far as they are accepted, in hundredths.
const COARSE: [u32; 11] = [1, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100];

/// Two loads between two of these, and two between those, until saturation is known this well.
const FINE: i32 = 3;

/// Cycles of a run that looks for saturation: among the loads of the curve half of what is asked for, at most these.
const PROBE: Window = Window { warmup: 1000, cycles: 1000 };

/// Between two of them, where it is seen only in more cycles, as many as are asked for, at most these.
const FINE_PROBE: Window = Window { warmup: 2000, cycles: 4000 };

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
        self.fits_records(loads.iter().copied(), length.shortest().cycles, budget)?;
        let run = |load, threads| self.point_on(threads, destination, load, length, seed, budget);
        Ok(Curve::of(self.all(loads, run)?))
    }

    /// What is run at each of these loads, on how many threads: the loads in parallel, and where they are few and the
    /// network is large also each for itself. The error of the first load that has one, whichever thread was quicker.
    fn all(
        &self,
        loads: &[f64],
        run: impl Fn(f64, usize) -> Result<Point, SimError> + Sync,
    ) -> Result<Vec<Point>, SimError> {
        let share = self.share(loads.len());
        let at_once = loads.par_chunks(share.in_turn.max(1));
        let runs = at_once.flat_map_iter(|loads| loads.iter().map(|&load| run(load, share.inside)));
        let runs: Vec<_> = runs.collect();
        // Where it was stopped, what had begun is in the result, and what had not is omitted.
        let is_begun =
            |run: &Result<Point, SimError>| !matches!(run, Err(SimError::Interrupted(_)));
        let some_begun = runs.iter().any(is_begun);
        runs.into_iter().filter(|run| !some_begun || is_begun(run)).collect()
    }

    /// How so many loads are shared out.
    fn share(&self, loads: usize) -> Share {
        // One device does one load after the other.
        if self.has_device() {
            return Share { in_turn: loads, inside: 1 };
        }
        if self.threads() > 1 {
            return Share { in_turn: loads, inside: self.threads() };
        }
        // Whoever asks from a pool of threads has work for all of them.
        if rayon::current_thread_index().is_some() || !self.is_divisible() {
            return Share::APART;
        }
        Share::of(loads, rayon::current_num_threads(), self.wires.routers())
    }
}

/// Routers of a network that is divided, and of each part of it, at least.
const LARGE: usize = 1 << 12;
const PART: usize = 1 << 9;

/// So many times more loads than threads keep all of them busy.
const MANY: usize = 4;

/// How loads are shared out among threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Share {
    /// Loads that are run one after the other.
    in_turn: usize,
    /// Threads of each.
    inside: usize,
}

impl Share {
    /// All loads in parallel, each on a thread.
    const APART: Self = Share { in_turn: 1, inside: 1 };

    fn of(loads: usize, threads: usize, routers: usize) -> Self {
        let most = threads.min(routers / PART);
        // Loads differ in length, so that few of them leave threads without any.
        if routers < LARGE || most < 2 || loads == 0 || loads >= MANY * threads {
            return Share::APART;
        }
        let at_once = (threads / most).clamp(1, loads);
        Share { in_turn: loads.div_ceil(at_once), inside: most.min(threads / at_once) }
    }
}

impl Curve {
    fn of(points: Vec<Point>) -> Self {
        let most_accepted = points.iter().map(|point| point.accepted).fold(0.0, f64::max);
        let (low, _) = bracket(&points);
        let saturation = Some(rounded_down(low.min(most_accepted))).filter(|&load| load > 0.0);
        let flit_hops = points.iter().map(|point| point.flit_hops).sum();
        Curve { points, saturation, most_accepted, flit_hops }
    }

    /// Whether all loads were accepted, so that it is not known where the network saturates. Where clearly less arrived
    /// of the last one than was offered, although only because the network still filled, that is not so.
    pub fn is_open(&self) -> bool {
        let arrived = |last: &Point| last.reason != Some(reason::STILL_FILLED);
        self.points.last().is_some_and(arrived) && self.points.iter().all(keeps_up)
    }

    /// The load from which on no point has converged although all was accepted, where that is not the last tenth of the
    /// curve alone: in a longer window the network may saturate below [`Curve::saturation`].
    pub fn doubtful_from(&self) -> Option<f64> {
        let (low, _) = bracket(&self.points);
        let accepted = self.points.iter().rev().filter(|point| point.offered <= low);
        let doubtful = accepted.take_while(|point| point.status != Status::Ok).last()?.offered;
        (doubtful < KNEE[0] * low).then_some(doubtful)
    }
}

/// The curve of a network up to saturation and one load beyond it, each as [`Simulation::point`] has it. Saturation is
/// looked for by short runs; only where longer ones contradict them more loads are measured. Loads run in parallel, two at a
/// time where one depends on others, so that the result is the same on any number of threads. A short run that ends in a
/// deadlock is part of the curve. What is stopped has the points that were ready.
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
    let quiet = |_| ();
    let inner = Budget { watch: Watch { progress: &quiet, ..budget.watch }, ..*budget };
    let search = Search { simulation, destination, seed, budget: &inner };
    let (coarse_length, fine_length) = short(length);
    let mut probes = search.probe(coarse_length, fine_length, budget)?;
    let (low, high) = probes.bracket();
    let mut loads = below(low);
    loads.extend([low].into_iter().chain(high));
    // What was measured as it is asked for is not measured again.
    let is_whole = length == fine_length.into();
    let mut points = if is_whole { std::mem::take(&mut probes.fine) } else { Vec::new() };
    loads.retain(|&load| load > 0.0 && is_new(&points, load));
    let rounds = (loads.len() + 2) as f64;
    let done = AtomicU64::new(0);
    let run = |load: f64, threads: usize| {
        let point = search.run(threads, load, length);
        let part = done.fetch_add(1, Ordering::Relaxed) + 1;
        (budget.watch.progress)((PROBING + (1.0 - PROBING) * part as f64 / rounds).min(1.0));
        point
    };
    points.extend(simulation.all(&loads, run)?);
    let mut reach = 1.0;
    while let Some(next) = nearer(&points, low, reach) {
        if budget.check().is_err() {
            break;
        }
        points.extend(simulation.all(&next, run)?);
        reach *= 4.0;
    }
    // Where saturation is far below what short runs said, few of the loads are left.
    let (end, _) = bracket(&points);
    if points.iter().filter(|point| point.offered <= end).count() < LEAST && budget.check().is_ok()
    {
        let mut more = below(end);
        more.retain(|&load| is_new(&points, load));
        points.extend(simulation.all(&more, run)?);
    }
    let (mut probed, mut locked) = (0, Vec::new());
    for point in probes.coarse.into_iter().chain(probes.fine) {
        if point.status == Status::Deadlock && is_new(&points, point.offered) {
            locked.push(point);
        } else {
            probed += point.flit_hops;
        }
    }
    points.extend(locked);
    points.sort_by(|a, b| a.offered.total_cmp(&b.offered));
    points.retain(|point| point.status != Status::Stopped || point.packets > 0);
    let curve = Curve::of(points);
    Ok(Curve { flit_hops: curve.flit_hops + probed, ..curve })
}

/// The part of the progress that is given to short runs.
const PROBING: f64 = 0.25;

/// The width of a bracket of saturation that ends at this load.
fn resolution(high: f64) -> f64 {
    let gap = if high <= 0.01 { 0.01 } else { 0.1 };
    gap / 3f64.powi(FINE)
}

fn coarse() -> impl Iterator<Item = f64> {
    COARSE.into_iter().map(|load| f64::from(load) / 100.0)
}

/// Loads of a curve up to saturation, at least.
const LEAST: usize = 10;

/// Where latency bends: loads of a curve near saturation, as parts of it.
const KNEE: [f64; 2] = [0.9, 0.95];

/// The loads of a curve below that one: a hundredth, even steps of 1, 2 or 5 times a power of ten, and those where
/// latency bends.
fn below(low: f64) -> Vec<f64> {
    // At most an eighth, but for a rounding error.
    let most = (low / 8.0).max(1e-4) * (1.0 + 1e-9);
    let decade = 10f64.powf(most.log10().floor());
    let steps = [5.0, 2.0, 1.0].map(|step| step * decade);
    let step = steps.into_iter().find(|step| *step <= most).unwrap_or(most);
    let first = coarse().next().filter(|&first| first < step);
    let even = (1..).map(|count| round(f64::from(count) * step));
    let even = even.take_while(|load| *load < KNEE[0] * low - step / 8.0);
    let knee = KNEE.map(|part| round(part * low)).into_iter().filter(|&load| load < low);
    let mut loads: Vec<f64> = first.into_iter().chain(even).chain(knee).collect();
    loads.dedup();
    loads
}

/// The runs that look for saturation before runs of that length.
fn short(length: RunLength) -> (Window, Window) {
    let Window { warmup, cycles } = match length {
        RunLength::Fixed(window) => window,
        RunLength::Found(_) => return (PROBE, FINE_PROBE),
    };
    let (half, rest) = (warmup / 2, cycles.div_ceil(2));
    let coarse = Window { warmup: PROBE.warmup.min(half), cycles: PROBE.cycles.min(rest) };
    (
        coarse,
        Window { warmup: FINE_PROBE.warmup.min(warmup), cycles: FINE_PROBE.cycles.min(cycles) },
    )
}

struct Search<'a> {
    simulation: &'a Simulation<'a>,
    destination: Destination<'a>,
    seed: u64,
    budget: &'a Budget<'a>,
}

impl Search<'_> {
    fn run(
        &self,
        threads: usize,
        load: f64,
        length: impl Into<RunLength>,
    ) -> Result<Point, SimError> {
        let Search { simulation, destination, seed, budget } = *self;
        simulation.point_on(threads, destination, load, length, seed, budget)
    }

    /// Those loads.
    fn run_all(&self, loads: &[f64], length: Window) -> Result<Vec<Point>, SimError> {
        self.simulation.all(loads, |load, threads| self.run(threads, load, length))
    }

    /// Short runs: that of full load, so that a deadlock is seen, and those between which saturation lies.
    fn probe(
        &self,
        coarse_length: Window,
        fine_length: Window,
        shown: &Budget<'_>,
    ) -> Result<Probes, SimError> {
        let mut probes = Probes { coarse: self.run_all(&[1.0], coarse_length)?, fine: Vec::new() };
        for round in 1u32.. {
            (shown.watch.progress)((PROBING * f64::from(round) / 8.0).min(PROBING));
            let (low, Some(high)) = probes.bracket() else { break };
            if self.budget.check().is_err() {
                break;
            }
            // First those of the curve, two of them a third apart, then two between neighbors.
            let inside: Vec<f64> = coarse().filter(|&load| low < load && load < high).collect();
            let next = match inside.len() {
                0 if high - low <= 1.01 * resolution(high) => break,
                0 => {
                    probes.fine.extend(self.run_all(&thirds(low, high), fine_length)?);
                    continue;
                }
                1 | 2 => inside,
                count => vec![inside[count / 3], inside[2 * count / 3]],
            };
            probes.coarse.extend(self.run_all(&next, coarse_length)?);
        }
        Ok(probes)
    }
}

/// Short runs, at loads of the curve and between them.
struct Probes {
    coarse: Vec<Point>,
    fine: Vec<Point>,
}

impl Probes {
    fn bracket(&self) -> (f64, Option<f64>) {
        bracket(self.coarse.iter().chain(&self.fine))
    }
}

fn is_new(points: &[Point], load: f64) -> bool {
    points.iter().all(|point| point.offered != load)
}

fn thirds(low: f64, high: f64) -> Vec<f64> {
    let step = (high - low) / 3.0;
    [low + step, low + 2.0 * step].map(round).to_vec()
}

/// Which loads to measure besides, to know saturation as well as it is wanted; short runs were accepted up to `probed`.
/// Where longer ones contradict them saturation is looked for from there on, `reach` times as far as it is to be known.
fn nearer(points: &[Point], probed: f64, reach: f64) -> Option<Vec<f64>> {
    let (low, high) = bracket(points);
    let next = match high {
        None if low >= 1.0 => return None,
        None => {
            let step = reach * resolution(low);
            vec![low + step, low + 2.0 * step]
        }
        Some(high) if high - low <= 1.01 * resolution(high) => return None,
        Some(high) => {
            // Down in larger steps: what saturates slowly is what takes most cycles.
            let step = 2.0 * reach * resolution(high);
            let is_near = high <= probed && 2.0 * step < high - low;
            if is_near { vec![high - 2.0 * step, high - step] } else { thirds(low, high) }
        }
    };
    let next = next.into_iter().map(|load| round(load.min(1.0)));
    let mut next: Vec<f64> = next.filter(|&load| is_new(points, load)).collect();
    next.dedup();
    (!next.is_empty()).then_some(next)
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
fn bracket<'a>(points: impl IntoIterator<Item = &'a Point> + Clone) -> (f64, Option<f64>) {
    let refused = points.clone().into_iter().filter(|point| !keeps_up(point));
    let high = refused.map(|point| point.offered).min_by(f64::total_cmp);
    let accepted = points.into_iter().filter(|point| keeps_up(point)).map(|point| point.offered);
    let low = accepted.filter(|&load| high.is_none_or(|high| load < high)).fold(0.0, f64::max);
    (low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_has_ten_loads_wherever_it_ends_two_of_them_where_it_bends() {
        let low = below(0.42);
        let even = [0.01, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35];
        assert_eq!(low[..8], even);
        assert_eq!(low[8..], [0.378, 0.399]);
        assert_eq!(below(0.3)[..6], [0.01, 0.02, 0.04, 0.06, 0.08, 0.1]);
        let low = below(0.0433);
        assert_eq!(low[..7], [0.005, 0.01, 0.015, 0.02, 0.025, 0.03, 0.035]);
        assert_eq!(low[7..], [0.039, 0.0411]);
        for hundredths in 1..=100 {
            let end = f64::from(hundredths) / 100.0;
            let loads = below(end);
            assert!((9..=20).contains(&loads.len()), "{end}: {loads:?}");
            assert!(loads.windows(2).all(|two| two[0] < two[1]) && *loads.last().unwrap() < end);
        }
        assert!(below(0.0).is_empty() && below(1e-4).is_empty());
    }

    #[test]
    fn few_loads_of_a_large_network_have_all_threads() {
        let share = |loads, threads, routers| {
            let Share { in_turn, inside } = Share::of(loads, threads, routers);
            (in_turn, inside)
        };
        assert_eq!(share(1, 2, 10_000), (1, 2));
        assert_eq!(share(3, 2, 10_000), (3, 2));
        assert_eq!(share(8, 2, 10_000), (1, 1));
        assert_eq!(share(1, 2, 1000), (1, 1));
        assert_eq!(share(1, 1, 10_000), (1, 1));
        assert_eq!(share(1, 64, 10_000), (1, 19));
        assert_eq!(share(2, 64, 10_000), (1, 19));
        assert_eq!(share(5, 64, 10_000), (2, 19));
        assert_eq!(share(0, 2, 10_000), (1, 1));
    }
}
