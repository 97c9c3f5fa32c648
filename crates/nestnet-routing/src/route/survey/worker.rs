//! One thread's part of a survey: all routes to a target, at once or one by one.

use crate::route::report::Tally;
use crate::route::wiring::FAR;
use crate::route::wiring::Wiring;
use crate::route::{Entry, Failure, Faults, Length, Router, Vc, WalkError};
use nestnet_graph::measure::{Interrupted, Watch};
use nestnet_graph::{Network, Node, index};

/// What all workers look at.
pub(super) struct Ground<'a> {
    pub network: &'a dyn Network,
    pub router: &'a dyn Router,
    pub faults: &'a Faults,
    pub alive: Wiring,
    /// Where something failed: what it was before.
    pub intact: Option<Wiring>,
}

/// The arrays of one thread.
pub struct Worker<'a> {
    ground: &'a Ground<'a>,
    pub tally: Tally,
    /// Routes over every channel.
    pub loads: Vec<u64>,
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
    route: Vec<u32>,
    /// Nodes that arrive at the present target, each behind the node that it goes to.
    settled: Vec<u32>,
}

/// A route that is longer than this many hops for every node does not end.
const MOST_HOPS_PER_NODE: u64 = 16;

/// Not looked at.
const OPEN: u32 = u32::MAX;
/// On the way that is followed at present: who comes here again goes round in cycles.
const ON_WAY: u32 = u32::MAX - 1;
/// Does not arrive.
const LOST: u32 = u32::MAX - 2;
/// No channel.
const NONE: u32 = u32::MAX;

impl<'a> Worker<'a> {
    pub fn new(ground: &'a Ground<'a>) -> Self {
        let loads = vec![0; ground.alive.channels()];
        Worker {
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
            route: Vec::new(),
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
    pub fn count_row(&mut self, to: Node) {
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
                    let error = Worker::why(ground, from, to);
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
            self.route.push(u32::try_from(node).expect("at most 2^32 nodes"));
            if self.channel[node] == NONE {
                break;
            }
            node = self.ground.alive.to(self.channel[node] as usize) as usize;
        }
        let mut hops = self.hops[node];
        while let Some(node) = self.route.pop() {
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
    pub fn count_walks(&mut self, to: Node, watch: &Watch<'_>) -> Result<(), Interrupted> {
        let ground = self.ground;
        self.judge(to);
        let most = (ground.alive.order() as u64).saturating_mul(MOST_HOPS_PER_NODE) + 64;
        for from in self.sources(to) {
            if self.distance[index(from)] == FAR {
                self.tally.survey.unreachable += 1;
                continue;
            }
            self.tally.survey.pairs += 1;
            let mut all = true;
            for choice in 0..ground.router.choices() {
                watch.check()?;
                let (mut route, mut vcs) = (std::mem::take(&mut self.route), 0);
                route.clear();
                let mut visit = |channel: usize, vc: Vc| {
                    route.push(u32::try_from(channel).expect("checked against the memory limit"));
                    vcs = vcs.max(vc.0.saturating_add(1));
                };
                match walk_wired(ground, from, to, choice, most, &mut visit) {
                    Ok(hops) => {
                        self.tally.route(from, to, self.length(from, hops));
                        route.iter().for_each(|&channel| self.loads[channel as usize] += 1);
                        self.tally.survey.vcs_used = self.tally.survey.vcs_used.max(vcs);
                    }
                    Err(error) => {
                        self.tally.failed(Failure { from, to, choice, error });
                        all = false;
                    }
                }
                self.route = route;
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
    let path = ground.router.path(from, to, choice);
    let mut header = ground.router.start(from, to, choice);
    let (mut at, mut hops) = (from, 0);
    while at != to {
        if hops == most {
            return Err(WalkError::TooLong { hops });
        }
        let hop = match &path {
            Some(path) => path.get(index(Node(hops))).copied(),
            None => ground.router.next(at, header),
        };
        let hop = hop.ok_or(WalkError::Ends { at })?;
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
