//! Walks the routes between all pairs of hosts and counts.

use super::report::Tally;
use super::wiring::{FAR, Wiring};
use super::{Entry, Failure, Faults, Length, Loads, Router, Survey, Vc, WalkError};
use crate::measure::{Interrupted, Watch};
use crate::{Network, Node};
use rayon::prelude::*;
use std::sync::atomic::AtomicU64;
use thiserror::Error;

/// How much a survey may take.
#[derive(Clone, Copy, Debug)]
pub struct SurveyLimits {
    /// Steps, each about as long as one entry of a row takes.
    pub max_steps: u128,
    /// Bytes.
    pub max_memory: u64,
}

/// Why there is no survey.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SurveyError {
    /// Too many pairs, choices or nodes.
    #[error("the routes take about {steps} steps, over the limit of {limit}")]
    TooLong {
        /// Steps needed.
        steps: u128,
        /// Steps allowed.
        limit: u128,
    },
    /// It would not fit.
    #[error(
        "the channels and their loads need {need} bytes, over the limit of {limit} (--max-memory)"
    )]
    TooMuchMemory {
        /// Bytes needed.
        need: u128,
        /// Bytes allowed.
        limit: u64,
    },
    /// Stopped.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

/// All routes between all ordered pairs of living hosts, with all choices, against the distance that a breadth-first
/// search finds among what is alive.
///
/// Exact; targets in parallel, and the result does not depend on how many. A router that remembers nothing takes
/// O(nodes · degree) for each target, any other one walks every route. Pairs without a path are only counted.
///
/// ```
/// use nestnet_core::measure::Watch;
/// use nestnet_core::route::{Against, Faults, Searched, SurveyLimits, survey};
/// use nestnet_core::Csr;
/// use std::sync::Arc;
///
/// let ring = Arc::new(Csr::from_links(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)], 1 << 20).unwrap());
/// let router = Searched::new(ring.clone()).unwrap();
/// let limits = SurveyLimits { max_steps: 1 << 20, max_memory: 1 << 20 };
/// let found = survey(&*ring, &router, &Faults::default(), limits, &Watch::SILENT).unwrap();
/// assert_eq!((found.pairs, found.arrived), (20, 20));
/// assert_eq!(found.mean_hops(), Some(1.5));
/// assert_eq!(found.max_stretch(Against::Alive), Some(1.0));
/// ```
pub fn survey(
    network: &dyn Network,
    router: &dyn Router,
    faults: &Faults,
    limits: SurveyLimits,
    watch: &Watch<'_>,
) -> Result<Survey, SurveyError> {
    let by_rows = !router.remembers() && faults.is_empty();
    let road = if by_rows { Road::Rows } else { Road::Walks };
    survey_by(road, network, router, faults, limits, watch)
}

/// How routes are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Road {
    /// All routes to a target at once: they are a tree.
    Rows,
    /// One by one: the twin, and the only one for routers that remember.
    Walks,
}

fn survey_by(
    road: Road,
    network: &dyn Network,
    router: &dyn Router,
    faults: &Faults,
    limits: SurveyLimits,
    watch: &Watch<'_>,
) -> Result<Survey, SurveyError> {
    let (order, choices) = (network.order(), router.choices());
    let threads = rayon::current_num_threads();
    // The wiring, twice where something failed; for every thread its loads, a row and a few arrays over the nodes.
    let wirings = if faults.is_empty() { 1 } else { 2 };
    let parts = PARTS * threads;
    let memory = |channels: u128| {
        let arrays = 40 * u128::from(order) * (threads as u128 + 1);
        let need = arrays + (8 * (wirings + parts as u128)) * channels;
        let fits = need <= limits.max_memory.into() && channels < 1 << 32;
        let limit = limits.max_memory;
        if fits { Ok(()) } else { Err(SurveyError::TooMuchMemory { need, limit }) }
    };
    let pairs = u128::from(order) * u128::from(network.hosts());
    // A row looks at every neighbor of every node, by the judge and by the router, who takes longer. A walk of unknown
    // length is taken for as long as 64 steps more.
    let time = |channels: u128| {
        let looks = u128::from(network.hosts()) * channels;
        let steps = match road {
            Road::Rows => 8 * (looks + pairs),
            Road::Walks => 8 * (looks + 8 * pairs).saturating_mul(choices.into()),
        };
        let limit = limits.max_steps;
        if steps <= limit { Ok(()) } else { Err(SurveyError::TooLong { steps, limit }) }
    };
    // What is too much for the nodes alone is refused before the links are counted.
    memory(order.into())?;
    time(order.into())?;
    let channels = Wiring::count(network);
    memory(channels)?;
    time(channels)?;
    let alive = Wiring::new(network, faults);
    let intact = (!faults.is_empty()).then(|| Wiring::new(network, &Faults::default()));
    let ground = Ground { network, router, faults, alive, intact };
    let done = AtomicU64::new(0);
    let hosts = network.hosts();
    let part = hosts.div_ceil(parts as u64).max(1);
    let starts: Vec<u64> =
        (0..hosts).step_by(usize::try_from(part).unwrap_or(usize::MAX)).collect();
    let surveyed = starts.into_par_iter().map(|start| {
        let mut desk = Desk::new(&ground);
        for to in start..hosts.min(start + part) {
            let to = Node(to);
            if !faults.has_node(to) {
                match road {
                    Road::Rows => desk.count_row(to),
                    Road::Walks => desk.count_walks(to, watch)?,
                }
            }
            watch.step(&done, hosts)?;
        }
        Ok((desk.tally, desk.loads))
    });
    let both = |(a, mut sum): Part, (b, loads): Part| {
        sum.iter_mut().zip(loads).for_each(|(sum, load)| *sum += load);
        Ok((a.plus(b), sum))
    };
    let none = (Tally::default(), vec![0; ground.alive.channels()]);
    let parts: Option<Result<Part, Interrupted>> = surveyed.try_reduce_with(both);
    let (tally, loads) = parts.transpose()?.unwrap_or(none);
    Ok(Survey { loads: Some(ground.loads(&loads, choices)), ..tally.finish() })
}

/// What one thread found: its tally and the routes over every channel.
type Part = (Tally, Vec<u64>);

/// Parts of the work for every thread, so that none waits long for the others.
const PARTS: usize = 4;

/// A route that is longer than this many hops for every node does not end.
const MOST_HOPS_PER_NODE: u64 = 16;

/// What all threads look at.
struct Ground<'a> {
    network: &'a dyn Network,
    router: &'a dyn Router,
    faults: &'a Faults,
    alive: Wiring,
    /// Where something failed: what it was before.
    intact: Option<Wiring>,
}

impl Ground<'_> {
    fn loads(&self, loads: &[u64], choices: u64) -> Loads {
        let most = loads.iter().copied().max().unwrap_or(0);
        let busiest = loads.iter().position(|&load| load == most).map(|channel| {
            let (from, port) = self.alive.start(channel);
            (from, port, Node(self.alive.to(channel).into()))
        });
        let (total, channels) = (loads.iter().sum(), loads.len() as u64);
        Loads { most, total, channels, choices, busiest }
    }
}

/// The arrays of one thread.
struct Desk<'a> {
    ground: &'a Ground<'a>,
    tally: Tally,
    loads: Vec<u64>,
    distance: Vec<u32>,
    intact: Vec<u32>,
    queue: Vec<u32>,
    row: Vec<Entry>,
    /// For each node, the channel that it takes to the present target.
    channel: Vec<u32>,
    /// For each node, the hops from there, or one of the marks below.
    hops: Vec<u32>,
    /// Routes that come through each node.
    through: Vec<u64>,
    way: Vec<u32>,
    /// Nodes that arrive at the present target, each behind the node that it goes to.
    settled: Vec<u32>,
}

/// Not looked at.
const OPEN: u32 = u32::MAX;
/// On the way that is followed at present: who comes here again goes round in circles.
const ON_WAY: u32 = u32::MAX - 1;
/// Does not arrive.
const LOST: u32 = u32::MAX - 2;
/// No channel.
const NONE: u32 = u32::MAX;

impl<'a> Desk<'a> {
    fn new(ground: &'a Ground<'a>) -> Self {
        let loads = vec![0; ground.alive.channels()];
        Desk {
            ground,
            tally: Tally::default(),
            loads,
            distance: Vec::new(),
            intact: Vec::new(),
            queue: Vec::new(),
            row: Vec::new(),
            channel: Vec::new(),
            hops: Vec::new(),
            through: Vec::new(),
            way: Vec::new(),
            settled: Vec::new(),
        }
    }

    /// Living hosts other than `to`, which are sources.
    fn sources(&self, to: Node) -> impl Iterator<Item = Node> + use<'a> {
        let faults = self.ground.faults;
        let hosts = (0..self.ground.network.hosts()).map(Node);
        hosts.filter(move |&from| from != to && !faults.has_node(from))
    }

    /// Asks the judge how far all nodes are from `to`.
    fn judge(&mut self, to: Node) {
        self.ground.alive.distances_to(id(to), &mut self.distance, &mut self.queue);
        if let Some(intact) = &self.ground.intact {
            intact.distances_to(id(to), &mut self.intact, &mut self.queue);
        }
    }

    fn length(&self, from: Node, hops: u64) -> Length {
        let distance = u64::from(self.distance[index(from)]);
        let intact = self.intact.get(index(from)).map_or(distance, |&intact| intact.into());
        Length { hops, distance: Some(distance), intact: Some(intact) }
    }

    /// All routes to one target, of a router that remembers nothing.
    fn count_row(&mut self, to: Node) {
        let ground = self.ground;
        self.judge(to);
        self.fill(to);
        for at in 0..self.row.len() {
            self.follow(at);
        }
        self.through.clear();
        self.through.resize(self.row.len(), 0);
        for from in self.sources(to) {
            let hops = self.hops[index(from)];
            if self.distance[index(from)] == FAR {
                self.tally.survey.unreachable += 1;
                continue;
            }
            self.tally.survey.pairs += 1;
            if hops == LOST {
                if self.tally.is_first_failure(from, to, 0) {
                    let error = Desk::why(ground, from, to);
                    self.tally.failed(Failure { from, to, choice: 0, error });
                }
                continue;
            }
            self.tally.survey.arrived += 1;
            self.tally.route(from, to, self.length(from, hops.into()));
            self.through[index(from)] += 1;
        }
        self.push_loads();
    }

    /// The channels that all nodes take to one target.
    fn fill(&mut self, to: Node) {
        let ground = self.ground;
        self.row.resize(ground.alive.order(), Entry::NONE);
        ground.router.fill(to, &mut self.row);
        // There is no hop at the target.
        self.row[index(to)] = Entry::NONE;
        self.channel.clear();
        let channels = (0..).zip(&self.row).map(|(at, entry)| {
            let channel = entry.get().and_then(|(port, _)| ground.alive.channel(at, port));
            channel.map_or(NONE, |channel| u32::try_from(channel).unwrap_or(NONE))
        });
        self.channel.extend(channels);
        self.hops.clear();
        self.hops.resize(self.row.len(), OPEN);
        self.hops[index(to)] = 0;
        self.settled.clear();
    }

    /// Finds the hops from `at`, and from all nodes on the way.
    fn follow(&mut self, at: usize) {
        let mut node = at;
        while self.hops[node] == OPEN {
            self.hops[node] = ON_WAY;
            self.way.push(u32::try_from(node).expect("at most 2^32 nodes"));
            if self.channel[node] == NONE {
                break;
            }
            node = self.ground.alive.to(self.channel[node] as usize) as usize;
        }
        let mut hops = self.hops[node];
        while let Some(node) = self.way.pop() {
            hops = if hops >= LOST { LOST } else { hops + 1 };
            self.hops[node as usize] = hops;
            if hops < LOST {
                self.settled.push(node);
            }
        }
    }

    /// Adds the routes through every node to the channel that it takes, the nodes farther out first.
    fn push_loads(&mut self) {
        while let Some(at) = self.settled.pop() {
            let through = self.through[at as usize];
            if through > 0 {
                let channel = self.channel[at as usize] as usize;
                self.loads[channel] += through;
                self.through[self.ground.alive.to(channel) as usize] += through;
                let vc = self.row[at as usize].get().map_or(Vc(0), |(_, vc)| vc);
                self.tally.survey.vcs_used = self.tally.survey.vcs_used.max(vc.0 + 1);
            }
        }
    }

    /// Why a route does not arrive: it is walked.
    fn why(ground: &Ground<'_>, from: Node, to: Node) -> WalkError {
        let most = ground.alive.order() as u64;
        let walked = walk_wired(ground, from, to, 0, most, &mut |_, _| ());
        // Only a router that says one thing in a row and another alone comes here with an arrival.
        walked.err().unwrap_or(WalkError::Ends { at: from })
    }

    /// All routes to one target, one by one.
    fn count_walks(&mut self, to: Node, watch: &Watch<'_>) -> Result<(), Interrupted> {
        let ground = self.ground;
        self.judge(to);
        let most = (ground.alive.order() as u64).saturating_mul(MOST_HOPS_PER_NODE) + 64;
        for from in self.sources(to) {
            if self.distance[index(from)] == FAR {
                self.tally.survey.unreachable += 1;
                continue;
            }
            watch.check()?;
            self.tally.survey.pairs += 1;
            let mut all = true;
            for choice in 0..ground.router.choices() {
                let (mut way, mut vcs) = (std::mem::take(&mut self.way), 0);
                way.clear();
                let mut visit = |channel: usize, vc: Vc| {
                    way.push(u32::try_from(channel).expect("checked against the memory limit"));
                    vcs = vcs.max(vc.0.saturating_add(1));
                };
                match walk_wired(ground, from, to, choice, most, &mut visit) {
                    Ok(hops) => {
                        self.tally.route(from, to, self.length(from, hops));
                        way.iter().for_each(|&channel| self.loads[channel as usize] += 1);
                        self.tally.survey.vcs_used = self.tally.survey.vcs_used.max(vcs);
                    }
                    Err(error) => {
                        self.tally.failed(Failure { from, to, choice, error });
                        all = false;
                    }
                }
                self.way = way;
            }
            self.tally.survey.arrived += u64::from(all);
        }
        Ok(())
    }
}

/// The hops of a route over living channels, each of which is shown to `visit`.
fn walk_wired(
    ground: &Ground<'_>,
    from: Node,
    to: Node,
    choice: u64,
    most: u64,
    visit: &mut dyn FnMut(usize, Vc),
) -> Result<u64, WalkError> {
    let mut header = ground.router.start(from, to, choice);
    let (mut at, mut hops) = (from, 0);
    while at != to {
        if hops == most {
            return Err(WalkError::TooLong { hops });
        }
        let hop = ground.router.next(at, header).ok_or(WalkError::Ends { at })?;
        let channel = ground.alive.channel(id(at), hop.port);
        let channel = channel.ok_or(WalkError::NoLink { at, hop })?;
        visit(channel, hop.vc);
        (at, header) = (Node(ground.alive.to(channel).into()), hop.header);
        hops += 1;
    }
    Ok(hops)
}

fn id(node: Node) -> u32 {
    u32::try_from(node.0).expect("at most 2^32 nodes")
}

fn index(node: Node) -> usize {
    id(node) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::samples::*;
    use crate::route::{Against, Header, Hop, Searched, Valiant, walk};
    use crate::{Csr, Port};
    use proptest::prelude::*;
    use std::collections::BTreeMap;
    use std::sync::Arc;

    const LIMITS: SurveyLimits = SurveyLimits { max_steps: 1 << 40, max_memory: 1 << 30 };

    fn by(road: Road, csr: &Csr, router: &dyn Router) -> Survey {
        survey_by(road, csr, router, &Faults::default(), LIMITS, &Watch::SILENT).unwrap()
    }

    /// Any ports at all: they may run in circles, end early or lead nowhere.
    #[derive(Debug)]
    struct Arbitrary {
        order: u64,
        ports: Vec<Option<u32>>,
    }

    impl Router for Arbitrary {
        fn vcs(&self) -> u16 {
            3
        }

        fn next(&self, at: Node, header: Header) -> Option<Hop> {
            let port = self.ports[index(Node(at.0 * self.order + header.to.0))]?;
            Some(Hop { port: Port(port), vc: Vc(u16::try_from(port % 3).unwrap()), header })
        }
    }

    /// The definition: `walk` for every pair, and a map of loads.
    fn slowly(csr: &Csr, router: &dyn Router) -> (Survey, BTreeMap<(Node, Port), u64>) {
        let mut tally = Tally::default();
        let mut loads = BTreeMap::new();
        for at in (0..csr.order()).map(Node) {
            csr.for_each_neighbor(at, &mut |port, _| {
                loads.insert((at, port), 0);
            });
        }
        for from in (0..csr.order()).map(Node) {
            let distance = crate::measure::search::distances_from(csr, from);
            for to in (0..csr.order()).map(Node).filter(|&to| to != from) {
                if distance[index(to)] == u32::MAX {
                    tally.survey.unreachable += 1;
                    continue;
                }
                tally.survey.pairs += 1;
                let mut all = true;
                for choice in 0..router.choices() {
                    match walk(csr, router, from, to, choice, 1000) {
                        Ok(walk) => {
                            let distance = Some(u64::from(distance[index(to)]));
                            let hops = walk.hops.len() as u64;
                            tally.route(from, to, Length { hops, distance, intact: distance });
                            for (at, hop) in walk.nodes.iter().zip(walk.hops) {
                                *loads.get_mut(&(*at, hop.port)).unwrap() += 1;
                                let vcs = &mut tally.survey.vcs_used;
                                *vcs = (*vcs).max(hop.vc.0 + 1);
                            }
                        }
                        Err(error) => {
                            tally.failed(Failure { from, to, choice, error });
                            all = false;
                        }
                    }
                }
                tally.survey.arrived += u64::from(all);
            }
        }
        (tally.finish(), loads)
    }

    /// Compares everything but the number of hops after which a circle is given up.
    fn check(found: &Survey, csr: &Csr, router: &dyn Router) {
        let (slow, loads) = slowly(csr, router);
        let most = loads.values().copied().max().unwrap_or(0);
        let busiest = loads.iter().find(|(_, load)| **load == most);
        let busiest = busiest.map(|(&(at, port), _)| (at, port, csr.neighbor(at, port).unwrap()));
        let (total, channels) = (loads.values().sum(), loads.len() as u64);
        let choices = router.choices();
        assert_eq!(found.loads, Some(Loads { most, total, channels, choices, busiest }));
        let place = |survey: &Survey| {
            survey.failure.map(|Failure { from, to, choice, error }| {
                let kind = match error {
                    WalkError::TooLong { .. } => None,
                    other => Some(other),
                };
                (from, to, choice, kind)
            })
        };
        assert_eq!(place(found), place(&slow));
        let rest = |survey: &Survey| Survey { loads: None, failure: None, ..survey.clone() };
        assert_eq!(rest(found), rest(&slow));
    }

    #[test]
    fn shortest_routes_have_no_stretch() {
        for csr in [petersen(), cube(4), torus(4, 5), graph(5, &[(0, 1), (1, 2), (3, 4)])] {
            let router = Searched::new(Arc::new(csr.clone())).unwrap();
            let found = by(Road::Rows, &csr, &router);
            assert_eq!(found, by(Road::Walks, &csr, &router));
            assert_eq!(found.max_stretch(Against::Alive), Some(1.0));
            assert_eq!(found.arrived, found.pairs);
            check(&found, &csr, &router);
        }
    }

    #[test]
    fn all_choices_are_walked() {
        let csr = ring(7);
        let inner = Searched::new(Arc::new(csr.clone())).unwrap();
        let valiant = Valiant::new(Arc::new(inner), 7).unwrap();
        let found = survey(&csr, &valiant, &Faults::default(), LIMITS, &Watch::SILENT).unwrap();
        assert_eq!((found.routes(), found.arrived), (42 * 7, 42));
        check(&found, &csr, &valiant);
    }

    #[test]
    fn too_much_is_refused_and_a_stop_obeyed() {
        let csr = ring(50);
        let router = Searched::new(Arc::new(csr.clone())).unwrap();
        let faults = Faults::default();
        let limits = SurveyLimits { max_steps: 1000, ..LIMITS };
        let refused = survey(&csr, &router, &faults, limits, &Watch::SILENT);
        assert!(matches!(refused, Err(SurveyError::TooLong { limit: 1000, .. })));
        let limits = SurveyLimits { max_memory: 1000, ..LIMITS };
        let refused = survey(&csr, &router, &faults, limits, &Watch::SILENT);
        assert!(matches!(refused, Err(SurveyError::TooMuchMemory { limit: 1000, .. })));
        let watch = Watch { stop: &|| true, ..Watch::SILENT };
        let stopped = survey(&csr, &router, &faults, LIMITS, &watch);
        assert_eq!(stopped, Err(SurveyError::Interrupted(Interrupted)));
    }

    proptest! {
        #[test]
        fn any_router_is_judged_as_its_walks_are(
            csr in any_graph(8),
            ports in proptest::collection::vec(proptest::option::weighted(0.95, 0..4u32), 64),
        ) {
            let router = Arbitrary { order: csr.order(), ports };
            let found = by(Road::Rows, &csr, &router);
            check(&found, &csr, &router);
            let walked = by(Road::Walks, &csr, &router);
            check(&walked, &csr, &router);
        }
    }
}
