//! Bisection width. Bounds, each with its certificate, exact on small networks.
//!
//! A *half* has ⌊n/2⌋ or ⌈n/2⌉ nodes. A link of several cables counts as often. From above: the cuts that the caller knows, multilevel partitioning and local
//! search; the side is the certificate and [`check_cut`] judges it. From below: the spectrum, the congestion of a
//! routing, a semidefinite relaxation, and two exhaustive searches that meet the upper bound: over a small frontier, and
//! by branch and bound.

mod branch;
mod eigen;
mod exact;
mod multilevel;
mod order;
mod refine;
mod relaxation;
mod work;

use super::{Watch, count, nodes};
use crate::Csr;
use branch::{Incumbent, Parity, Tree};
use multilevel::Multilevel;
use num_traits::ToPrimitive;
use rayon::prelude::*;
use std::fmt;
use work::Work;

/// What a side cuts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cut {
    /// The links between the sides, each as often as it has cables.
    pub links: u64,
    /// Whether the sides differ by at most one node.
    pub balanced: bool,
}

/// What `side` cuts, counted link by link; `None` if it is not a side of this network at all.
///
/// ```
/// use nestnet_graph::Csr;
/// use nestnet_graph::measure::bisection::check_cut;
///
/// let ring = Csr::from_links(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)], 1 << 20)?;
/// let cut = check_cut(&ring, &[true, true, false, false, false]).unwrap();
/// assert_eq!((cut.links, cut.balanced), (2, true));
/// assert_eq!(check_cut(&ring, &[true]), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check_cut(csr: &Csr, side: &[bool]) -> Option<Cut> {
    if side.len() != count(csr) {
        return None;
    }
    let across = |at: u32| {
        let other = |&&to: &&u32| side[to as usize] != side[at as usize];
        csr.neighbors(at).iter().filter(other).count() as u64
    };
    let ends: u64 = nodes(csr).map(across).sum();
    let on = side.iter().filter(|&&on| on).count();
    Some(Cut { links: ends / 2, balanced: on.abs_diff(side.len() - on) <= 1 })
}

/// Where a lower bound comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LowBy {
    /// Nothing better than 0 is known.
    Nothing,
    /// λ₂ of the Laplacian, see [`spectral_bound`].
    Spectrum,
    /// The busiest channel of a routing, see [`congestion_bound`].
    Congestion,
    /// A semidefinite relaxation, of the whole network or of all branches of a search.
    Relaxation,
    /// No half cuts fewer: all were searched.
    Search,
}

/// Where an upper bound comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HighBy {
    /// The caller's own side of this number, perhaps improved.
    Given(usize),
    /// Multilevel partitioning, improved by local search.
    Multilevel,
    /// Local search from a simple start.
    LocalSearch,
    /// The exhaustive search found it.
    Search,
}

/// The bisection width between two bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Bisection {
    /// No half cuts fewer links.
    pub low: u64,
    /// How that is known.
    pub low_by: LowBy,
    /// `side` cuts this many.
    pub high: u64,
    /// How the side was found.
    pub high_by: HighBy,
    /// A half: whether each node is on the one side.
    pub side: Vec<bool>,
}

/// What is known before the search, and how far it may go.
#[derive(Clone, Copy)]
pub struct Search<'a> {
    /// Sides that the construction suggests; they need not be balanced.
    pub given: &'a [Vec<bool>],
    /// A lower bound on λ₂ of the Laplacian.
    pub lambda2: Option<f64>,
    /// The largest channel load of some routing of all ordered pairs.
    pub max_load: Option<f64>,
    /// Whether a side that the construction suggests is as good as any that is found by division, so that a large
    /// network, for which that takes long, is not divided.
    pub well_given: bool,
    /// How often it is divided at most, each time from another seed.
    pub divisions: usize,
    /// How often each start is shaken and improved again.
    pub rounds: u32,
    /// How many bytes the exhaustive search may take; 0 leaves it out.
    pub max_memory: u64,
    /// How many steps the proof of a lower bound may take, each of a few nanoseconds; `u64::MAX` is no limit. They are
    /// counted, so that the answer is the same on every machine.
    pub max_steps: u64,
    /// Receives both bounds whenever one of them gets better.
    pub closing: Option<&'a (dyn Fn(u64, u64) + Sync)>,
}

impl Search<'_> {
    fn report(&self, low: u64, high: u64) {
        if let Some(closing) = self.closing {
            closing(low, high);
        }
    }
}

impl fmt::Debug for Search<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Search")
            .field("given", &self.given.len())
            .field("max_memory", &self.max_memory)
            .field("max_steps", &self.max_steps)
            .finish_non_exhaustive()
    }
}

/// Steps of a proof for whoever does not wait for it: a few seconds of one core.
pub const PROOF_STEPS: u64 = 2_000_000_000;

impl Default for Search<'_> {
    fn default() -> Self {
        Search {
            given: &[],
            lambda2: None,
            max_load: None,
            well_given: false,
            divisions: 96,
            rounds: 20,
            max_memory: 512 << 20,
            max_steps: PROOF_STEPS,
            closing: None,
        }
    }
}

/// Bounds on the bisection width.
///
/// From below: the given bounds, raised to the parity that all balanced cuts have where all degrees are even or all are
/// odd; a dynamic program over a frontier of up to 64 nodes; and up to 400 nodes a branch and bound with semidefinite
/// bounds, which is exponential at worst. Both end after `max_steps` steps, when their memory is full or when stopped, with
/// the bounds found so far. The answer does not depend on the number of threads.
///
/// ```
/// use nestnet_graph::Csr;
/// use nestnet_graph::Watch;
/// use nestnet_graph::measure::bisection::{Search, bisection, check_cut};
///
/// let ring = Csr::from_links(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)], 1 << 20)?;
/// let found = bisection(&ring, &Search::default(), &Watch::SILENT);
/// assert_eq!((found.low, found.high), (2, 2));
/// assert_eq!(check_cut(&ring, &found.side).map(|cut| cut.links), Some(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn bisection(csr: &Csr, search: &Search<'_>, watch: &Watch<'_>) -> Bisection {
    let n = count(csr);
    if n <= 2 {
        // There is one half, but for its name.
        let side: Vec<bool> = (0..n).map(|v| v < n / 2).collect();
        let links = csr.targets().len() as u64 / 2;
        let (low_by, high_by) = (LowBy::Search, HighBy::Search);
        return Bisection { low: links, low_by, high: links, high_by, side };
    }
    let mut best = best_of_starts(csr, search, watch);
    let parity = Parity::of(csr);
    let raise = |best: &mut Bisection, low: u64, by: LowBy| {
        if low > best.low {
            (best.low, best.low_by) = (parity.round_up(low).min(best.high), by);
        }
    };
    if let Some(lambda2) = search.lambda2 {
        raise(&mut best, spectral_bound(n as u64, lambda2), LowBy::Spectrum);
    }
    if let Some(max_load) = search.max_load {
        raise(&mut best, congestion_bound(n as u64, max_load), LowBy::Congestion);
    }
    if best.low < best.high && search.max_memory > 0 {
        let work = Work { left: search.max_steps, watch };
        prove(csr, search, parity, &mut best, work);
    }
    best
}

/// The frontier search comes first where its frontier is no wider than this.
const NARROW: usize = 26;

/// Where branch and bound follows, the frontier search takes no more than one in so many of the usual steps.
const FRONTIER_PART: u64 = 4;

/// Raises the lower bound, and finds a better half where there is one, until the bounds meet or no work is left.
fn prove(csr: &Csr, search: &Search<'_>, parity: Parity, best: &mut Bisection, mut work: Work<'_>) {
    search.report(best.low, best.high);
    let order = order::small_frontier(csr, work.watch);
    let (narrow, wide) = match order {
        Some(order) if order.widest <= NARROW => (Some(order), None),
        order => (None, order),
    };
    let mut tree = Tree::new(csr, parity, search.max_memory / 2);
    let is_limited = search.max_steps < u64::MAX;
    let usual = work.left.min(PROOF_STEPS) / FRONTIER_PART;
    let part = if tree.is_some() { usual } else { work.left };
    if let Some(order) = narrow
        && by_frontier(csr, &order, search, best, part, &mut work)
    {
        return;
    }
    let mut known = Incumbent { links: best.high, side: None };
    // A wide frontier has its turn after the first bound.
    let mut later = wide.filter(|_| !is_limited || tree.is_none());
    loop {
        let is_root = tree.as_ref().is_some_and(|tree| tree.branches == 0);
        if !is_root
            && let Some(order) = later.take()
            && by_frontier(csr, &order, search, best, part, &mut work)
        {
            return;
        }
        let Some(tree) = &mut tree else { return };
        let (low, high) = (best.low, best.high);
        let more = tree.step(&mut known, &mut work, &|rising| search.report(rising.max(low), high));
        if let Some(side) = known.side.take() {
            (best.high, best.high_by, best.side) = (known.links, HighBy::Search, side);
        }
        let low = tree.low(&known);
        if low > best.low {
            best.low = low;
            best.low_by = if tree.branches > 1 && low == best.high {
                LowBy::Search
            } else {
                LowBy::Relaxation
            };
        }
        search.report(best.low, best.high);
        if best.low >= best.high || more != Ok(true) {
            return;
        }
    }
}

/// The frontier search with at most `part` of the steps; whether it met the bounds.
fn by_frontier(
    csr: &Csr,
    order: &order::Order,
    search: &Search<'_>,
    best: &mut Bisection,
    part: u64,
    work: &mut Work<'_>,
) -> bool {
    let mut own = Work { left: part.min(work.left), watch: work.watch };
    let before = own.left;
    let outcome = exact::least_cut_below(csr, order, best.high, search.max_memory, &mut own);
    if work.left < u64::MAX {
        work.left -= before - own.left;
    }
    match outcome {
        exact::Outcome::None => (best.low, best.low_by) = (best.high, LowBy::Search),
        exact::Outcome::Found(side) => {
            let links = check_cut(csr, &side).map_or(best.high, |cut| cut.links);
            *best = Bisection {
                low: links,
                low_by: LowBy::Search,
                high: links,
                high_by: HighBy::Search,
                side,
            };
        }
        exact::Outcome::Least(low) => (best.low, best.low_by) = (low, LowBy::Search),
        exact::Outcome::GaveUp => return false,
    }
    search.report(best.low, best.high);
    true
}

/// A side to begin with, which is made when its turn comes.
#[derive(Clone, Copy, Debug)]
enum Start {
    Given(usize),
    /// The lower half of the ids.
    Lower,
    /// The half around a node.
    Around(usize),
    /// Divided level by level, with a seed.
    Multilevel(u64),
}

impl Start {
    fn by(self) -> HighBy {
        match self {
            Start::Given(index) => HighBy::Given(index),
            Start::Lower | Start::Around(_) => HighBy::LocalSearch,
            Start::Multilevel(_) => HighBy::Multilevel,
        }
    }
}

/// How many of the best partitions are shaken, more where that is quick; the others only descend to where no move helps.
const SHAKEN: std::ops::RangeInclusive<usize> = 6..=32;

/// The best half that local search finds from all starts; the first of equals.
fn best_of_starts(csr: &Csr, search: &Search<'_>, watch: &Watch<'_>) -> Bisection {
    let n = count(csr);
    let starts = starts(csr, search);
    let divides = starts.iter().any(|start| matches!(start, Start::Multilevel(_)));
    let multilevel = if divides { Multilevel::new(csr) } else { None };
    let make = |start| match start {
        Start::Given(index) => Some(search.given[index].clone()),
        Start::Lower => Some((0..n).map(|v| v < n / 2).collect()),
        Start::Around(root) => Some(refine::grown_from(csr, root)),
        Start::Multilevel(seed) => multilevel.as_ref().map(|graph| graph.partition(seed)),
    };
    // One start is always taken, so that there is an answer when time is short; the first is the cheapest.
    let descend = |(index, &start): (usize, &Start)| {
        if index > 0 && (watch.stop)() {
            return None;
        }
        let (links, side) = refine::improve(csr, make(start)?, 0, 0, watch);
        Some((links, index, side))
    };
    let mut partitions: Vec<(u64, usize, Vec<bool>)> =
        starts.par_iter().enumerate().filter_map(descend).collect();
    partitions.sort_unstable_by_key(|&(links, index, _)| (links, index));
    partitions.dedup_by(|one, other| one.2 == other.2);
    partitions.truncate(often(csr, LOOKED_AT).clamp(*SHAKEN.start(), *SHAKEN.end()));
    let rounds = if is_large(csr) { 0 } else { search.rounds };
    let shaken = partitions.into_par_iter().map(|(_, index, side)| {
        let (links, side) = refine::improve(csr, side, rounds, index as u64, watch);
        (links, index, side)
    });
    let best = shaken.min_by_key(|&(links, index, _)| (links, index));
    let (high, index, side) = best.expect("there is always a start");
    Bisection { low: 0, low_by: LowBy::Nothing, high, high_by: starts[index].by(), side }
}

/// Links that are divided in all: more often where that is quick.
const DIVIDED: usize = 1 << 23;

/// Links that are looked at in all while partitions are shaken.
const LOOKED_AT: usize = 1 << 20;

/// How often all links may be taken, of so many.
fn often(csr: &Csr, links: usize) -> usize {
    links / (csr.targets().len() / 2).max(1)
}

/// Sides to begin with, the cheapest first.
fn starts(csr: &Csr, search: &Search<'_>) -> Vec<Start> {
    let n = count(csr);
    let fits = |index: &usize| search.given[*index].len() == n;
    let given = (0..search.given.len()).filter(fits);
    if is_large(csr) {
        // To improve a half takes seconds: the best as it is, and one division.
        let cut = |index: usize| Some((check_cut(csr, &search.given[index])?, index));
        let cuts = given.collect::<Vec<_>>().into_par_iter().filter_map(cut);
        let balanced = cuts.filter(|(cut, _)| cut.balanced);
        let best = balanced.min_by_key(|&(cut, index)| (cut.links, index));
        let divided = (!search.well_given).then_some(Start::Multilevel(0));
        let first = best.map_or(Start::Lower, |(_, index)| Start::Given(index));
        return [first].into_iter().chain(divided).collect();
    }
    let mut starts: Vec<Start> = given.map(Start::Given).collect();
    starts.push(Start::Lower);
    starts.extend([0, n / 3, n - n.min(1)].map(Start::Around));
    starts.extend(
        (0..).take(often(csr, DIVIDED).clamp(8, 96).min(search.divisions)).map(Start::Multilevel),
    );
    starts
}

/// Whether all links cannot be taken many times.
fn is_large(csr: &Csr) -> bool {
    csr.targets().len() / 2 > 1 << 21
}

/// At least ⌈λ₂·a·b/n⌉ links join sides of a and b nodes.
///
/// The vector that is b on the one side and -a on the other is orthogonal to the constants, its square is a·b·n, and
/// its Laplacian form is n² for each link cut; so cut·n² ≥ λ₂·a·b·n. One part in 10⁹ is taken off for rounding.
pub fn spectral_bound(nodes: u64, lambda2: f64) -> u64 {
    let (a, b) = sides(nodes);
    round_up(lambda2 * (a * b) / nodes.max(1) as f64)
}

/// At least ⌈a·b/L⌉ links join sides of a and b nodes, L the largest load of a channel when every ordered pair sends 1.
///
/// From the one half to the other go a·b, all over the channels that lead across in that direction, of which there is
/// one for each link of the cut. The network must be connected: a pair without a path sends nothing.
pub fn congestion_bound(nodes: u64, max_load: f64) -> u64 {
    let (a, b) = sides(nodes);
    if max_load > 0.0 { round_up(a * b / max_load) } else { 0 }
}

fn sides(nodes: u64) -> (f64, f64) {
    ((nodes / 2) as f64, nodes.div_ceil(2) as f64)
}

/// The least integer that is certainly not below a value computed with rounding errors.
fn round_up(value: f64) -> u64 {
    let safe = value - value.abs() * 1e-9 - 1e-9;
    safe.max(0.0).ceil().to_u64().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::super::splitmix64;
    use super::*;
    use crate::measure::load::channel_load;
    use crate::measure::structure::components;
    use crate::samples::*;
    use proptest::prelude::*;

    fn of(csr: &Csr) -> Bisection {
        bisection(csr, &Search::default(), &Watch::SILENT)
    }

    /// The reference: all bisections.
    fn by_all_bisections(csr: &Csr) -> u64 {
        let n = count(csr);
        let sides = (0..1u32 << n).map(|set| (0..n).map(|v| set >> v & 1 == 1).collect::<Vec<_>>());
        let cuts = sides.filter_map(|side| check_cut(csr, &side)).filter(|cut| cut.balanced);
        cuts.map(|cut| cut.links).min().unwrap_or(0)
    }

    #[test]
    fn the_checker_counts() {
        let csr = ring(4);
        let cut = |side: &[bool]| check_cut(&csr, side);
        assert_eq!(cut(&[true, true, false, false]), Some(Cut { links: 2, balanced: true }));
        assert_eq!(cut(&[true, false, true, false]), Some(Cut { links: 4, balanced: true }));
        assert_eq!(cut(&[true, false, false, false]), Some(Cut { links: 2, balanced: false }));
        assert_eq!(cut(&[true]), None);
    }

    #[test]
    fn known_widths() {
        for (csr, width) in [
            (path(1), 0),
            (path(9), 1),
            (ring(10), 2),
            (petersen(), 5),
            (complete(7), 12),
            (cube(4), 8),
            (torus(4, 6), 8),
            (torus(8, 8), 16),
            (two_cliques(6, 0), 0),
        ] {
            let answer = of(&csr);
            assert_eq!((answer.low, answer.high), (width, width), "{csr:?}");
            let cut = check_cut(&csr, &answer.side).unwrap();
            assert_eq!(cut, Cut { links: width, balanced: true });
        }
    }

    /// A half that cuts two links, and others that cut three links and fewer cables.
    #[test]
    fn cables_of_a_link_count_each() {
        let edges = [(0, 1), (0, 1), (1, 2), (1, 3), (1, 3)];
        let answer = of(&Csr::from_edges(4, &edges, 1 << 20).unwrap());
        assert_eq!((answer.low, answer.high, answer.low_by), (3, 3, LowBy::Search));
        // More cables than a cost holds are left to the other search.
        let wide = std::iter::repeat_n((0, 1), 70_000).chain([(1, 2), (2, 3), (2, 3)]);
        let answer = of(&Csr::from_edges(4, &wide.collect::<Vec<_>>(), 1 << 30).unwrap());
        assert_eq!((answer.low, answer.high), (1, 1));
    }

    #[test]
    fn bounds_of_a_cube_meet() {
        // λ₂ of a cube is 2, and each of its channels carries half of the nodes.
        let search = Search {
            lambda2: Some(2.0),
            max_load: Some(256.0),
            max_memory: 0,
            ..Search::default()
        };
        let answer = bisection(&cube(9), &search, &Watch::SILENT);
        assert_eq!((answer.low, answer.low_by, answer.high), (256, LowBy::Spectrum, 256));
        assert_eq!(congestion_bound(512, 256.0), 256);
        // The Petersen graph: λ₂ = 2, and 25 ordered pairs cross over channels that carry 5 each.
        assert_eq!((spectral_bound(10, 2.0), congestion_bound(10, 5.0)), (5, 5));
        assert_eq!((spectral_bound(1, 0.0), congestion_bound(1, 0.0)), (0, 0));
    }

    #[test]
    fn given_sides_are_used_and_balanced() {
        // Two long rings with one link between them, numbered so that no simple start sees them.
        let n = 200;
        let id = |ring: u32, i: u32| 2 * ((i * 7) % n) + ring;
        let links = (0..n).flat_map(|i| (0..2).map(move |r| (id(r, i), id(r, (i + 1) % n))));
        let links: Vec<_> = links.chain([(id(0, 0), id(1, 0))]).collect();
        let csr = graph(2 * n, &links);
        let given = [(0..2 * n).map(|v| v % 2 == 1 || v < 10).collect::<Vec<_>>()];
        let search = Search { given: &given, rounds: 0, max_memory: 0, ..Search::default() };
        let answer = bisection(&csr, &search, &Watch::SILENT);
        assert_eq!(answer.high, 1);
        assert!(check_cut(&csr, &answer.side).unwrap().balanced);
    }

    /// More starts where there are fewer links, of which each counts once.
    #[test]
    fn small_networks_are_tried_more_often() {
        assert_eq!((often(&ring(8), 80), often(&ring(9), 80), often(&path(1), 80)), (10, 8, 80));
        let divisions = |csr: &Csr| {
            let starts = starts(csr, &Search::default());
            starts.iter().filter(|start| matches!(start, Start::Multilevel(_))).count()
        };
        // 2^23 links in all, but at most 96 times.
        assert_eq!((divisions(&ring(8)), divisions(&ring(1 << 17))), (96, 64));
    }

    #[test]
    fn stopped_and_still_honest() {
        let watch = Watch { stop: &|| true, ..Watch::SILENT };
        let answer = bisection(&torus(8, 8), &Search::default(), &watch);
        let cut = check_cut(&torus(8, 8), &answer.side).unwrap();
        assert_eq!((cut.links, cut.balanced, answer.low), (answer.high, true, 0));
    }

    /// A limit of steps ends with bounds, the same ones however often it is asked, and more steps with better ones.
    #[test]
    fn steps_limit_the_proof() {
        let csr = by_rule(90, |a, b| splitmix64(u64::from(a * 90 + b)).is_multiple_of(11));
        let within =
            |max_steps| bisection(&csr, &Search { max_steps, ..Search::default() }, &Watch::SILENT);
        let found = [0, 30_000_000, 60_000_000].map(within);
        assert_eq!(found[1], within(30_000_000));
        assert_eq!((found[0].low, found[0].low_by), (0, LowBy::Nothing));
        assert_eq!(found[1].low_by, LowBy::Relaxation);
        let high = found[2].high;
        let lows = found.map(|answer| answer.low);
        assert!(lows.is_sorted() && lows[1] > 0 && lows[2] < high, "{lows:?}");
    }

    /// Whoever watches sees the bounds close in, and the last are those of the answer.
    #[test]
    fn bounds_are_reported_as_they_close_in() {
        let csr = by_rule(60, |a, b| (a * 31 + b * 17) % 5 == 0);
        let reported = std::sync::Mutex::new(Vec::new());
        let closing = |low, high| reported.lock().unwrap().push((low, high));
        let search = Search { closing: Some(&closing), max_steps: 40_000_000, ..Search::default() };
        let answer = bisection(&csr, &search, &Watch::SILENT);
        let reported = reported.into_inner().unwrap();
        assert!(
            reported.is_sorted_by(|one, next| one.0 <= next.0 && one.1 >= next.1),
            "{reported:?}"
        );
        assert_eq!(reported.last(), Some(&(answer.low, answer.high)));
        assert!(reported.len() > 2 && reported[0].0 < answer.low, "{reported:?}");
    }

    #[test]
    fn threads_do_not_matter() {
        let csr = by_rule(90, |a, b| (a * 31 + b * 17) % 23 == 0);
        let search = Search { max_steps: 100_000_000, ..Search::default() };
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| bisection(&csr, &search, &Watch::SILENT))
        };
        assert_eq!(run(1), run(3));
    }

    proptest! {
        #![proptest_config(nestnet_seed::config())]

        #[test]
        fn equals_its_reference(csr in any_multigraph(11)) {
            let answer = of(&csr);
            let width = by_all_bisections(&csr);
            prop_assert_eq!((answer.low, answer.high), (width, width));
            let cut = check_cut(&csr, &answer.side).unwrap();
            prop_assert_eq!(cut, Cut { links: width, balanced: true });
            if components(&csr).connected() {
                let load = channel_load(&csr, &Watch::SILENT).unwrap();
                prop_assert!(congestion_bound(count(&csr) as u64, load.max) <= width);
            }
        }

        #[test]
        fn search_alone_is_exact(csr in any_multigraph(10)) {
            let width = by_all_bisections(&csr);
            let order = order::small_frontier(&csr, &Watch::SILENT).unwrap();
            let below = |high| {
                let mut work = Work { left: u64::MAX, watch: &Watch::SILENT };
                exact::least_cut_below(&csr, &order, high, 1 << 24, &mut work)
            };
            prop_assert!(matches!(below(width), exact::Outcome::None));
            let exact::Outcome::Found(side) = below(width + 9) else { panic!("there is one") };
            prop_assert_eq!(check_cut(&csr, &side), Some(Cut { links: width, balanced: true }));
        }

        /// Branch and bound alone, from an upper bound that is reached and from one that is too high.
        #[test]
        fn branches_are_exact(csr in any_multigraph(15), above in 0u64..9) {
            let width = by_all_bisections(&csr);
            let mut tree = Tree::new(&csr, Parity::of(&csr), 1 << 20).unwrap();
            let high = Parity::of(&csr).round_up(width + above);
            let mut best = Incumbent { links: high, side: None };
            let mut work = Work { left: u64::MAX, watch: &Watch::SILENT };
            loop {
                prop_assert!(tree.low(&best) <= width);
                if tree.step(&mut best, &mut work, &|low| assert!(low <= width)) != Ok(true) {
                    break;
                }
            }
            prop_assert_eq!((tree.low(&best), best.links), (width, width));
            prop_assert_eq!(best.side.is_some(), high > width);
            if let Some(side) = best.side {
                prop_assert_eq!(check_cut(&csr, &side), Some(Cut { links: width, balanced: true }));
            }
        }
    }
}
