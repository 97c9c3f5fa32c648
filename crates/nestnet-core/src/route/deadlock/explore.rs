//! All hops of a router, target by target: which channel is taken right after which.

use super::graph::{Graph, Links};
use super::{Channel, DeadlockError};
use crate::route::{Entry, Header, Hop, Router, WalkError};
use crate::{Budget, Network, Node};
use rayon::prelude::*;
use std::collections::{HashMap, hash_map};
use std::ops::Range;
use std::sync::atomic::AtomicU64;

/// A router and its network, ready to be followed.
#[derive(Debug)]
pub struct Source<'a> {
    router: &'a dyn Router,
    pub links: Links,
    pub hosts: usize,
    vcs: u16,
    way: Way,
}

/// How the hops are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// A row of hops for each target.
    Rows,
    /// State by state.
    States,
}

/// What one thread works with.
#[derive(Debug, Default)]
pub struct Scratch {
    row: Vec<Entry>,
    /// The last target plus one for which a node was passed.
    passed: Vec<u32>,
    /// For each state, which of the hops are its own.
    seen: HashMap<(usize, Header), Range<usize>>,
    open: Vec<(usize, Range<usize>)>,
    hops: Vec<Hop>,
}

/// Steps of a hop that is found by its state, against one that is read from a row.
const STATE_STEPS: u128 = 32;

/// Bytes of a state that was seen and of its hop, with room to grow.
const STATE_BYTES: u128 = 160;

impl<'a> Source<'a> {
    /// Writes the links out, or refuses what would take too long.
    pub fn new(
        network: &dyn Network,
        router: &'a dyn Router,
        limits: &Budget<'_>,
    ) -> Result<Self, DeadlockError> {
        let (order, hosts) = (u128::from(network.order()), u128::from(network.hosts()));
        let vcs = router.vcs();
        let fits = network.ports() < Entry::MAX_PORTS && vcs <= Entry::MAX_VCS;
        let plain = fits && !router.remembers() && !router.adapts();
        let steps = if plain {
            hosts * order * 16
        } else {
            hosts * hosts * u128::from(router.choices()) * STATE_STEPS
        };
        limits.affords("following all routes", steps)?;
        let links = Links::new(network, limits)?;
        let hosts = links.order().min(usize::try_from(hosts).unwrap_or(usize::MAX));
        let way = if plain { Way::Rows } else { Way::States };
        Ok(Source { router, links, hosts, vcs, way })
    }

    /// How the hops are asked for.
    pub fn way(&self) -> Way {
        self.way
    }

    /// How many ways a message has to start.
    pub fn choices(&self) -> u64 {
        self.router.choices()
    }

    /// All dependencies.
    pub fn graph(&self, limits: &Budget<'_>) -> Result<Graph<'_>, DeadlockError> {
        let graph = Graph::new(&self.links, self.vcs, limits)?;
        let done = AtomicU64::new(0);
        (0..self.hosts).into_par_iter().try_for_each_init(Scratch::default, |scratch, to| {
            let pairs = self.target(to, scratch, limits, |channel, next| {
                let number = |c: Channel| graph.index(index(c.node), c.port, c.vc);
                graph.take(number(channel));
                if let Some(next) = next {
                    graph.depend(number(channel), number(next));
                }
            })?;
            graph.route(pairs);
            Ok::<_, DeadlockError>(limits.watch.step(&done, self.hosts as u64)?)
        })?;
        Ok(graph)
    }

    /// Shows every channel that messages to one node take, each with one that may follow it. How many hosts reach it.
    pub fn target(
        &self,
        to: usize,
        scratch: &mut Scratch,
        limits: &Budget<'_>,
        visit: impl FnMut(Channel, Option<Channel>),
    ) -> Result<u64, DeadlockError> {
        match self.way {
            Way::Rows => self.row(to, scratch, visit),
            Way::States => {
                self.states(to, 0..self.hosts, 0..self.choices(), scratch, limits, visit)
            }
        }
    }

    /// The same from the hops of all nodes at once. A node is passed once.
    fn row(
        &self,
        to: usize,
        scratch: &mut Scratch,
        mut visit: impl FnMut(Channel, Option<Channel>),
    ) -> Result<u64, DeadlockError> {
        let Scratch { row, passed, .. } = scratch;
        row.resize(self.links.order(), Entry::NONE);
        passed.clear();
        passed.resize(self.links.order(), 0);
        self.router.fill(node(to), row);
        let mut pairs = 0;
        for source in (0..self.hosts).filter(|&source| source != to) {
            // Without a hop at its source a message has no path, and is not routed.
            let Some(mut entry) = row[source].get() else { continue };
            pairs += 1;
            let mut at = source;
            while passed[at] == 0 {
                passed[at] = 1;
                let (channel, next) = self.channel(at, to, entry)?;
                if next == to {
                    visit(channel, None);
                    break;
                }
                let ends = self.broken(to, WalkError::Ends { at: node(next) });
                entry = row[next].get().ok_or(ends)?;
                visit(channel, Some(self.channel(next, to, entry)?.0));
                at = next;
            }
        }
        Ok(pairs)
    }

    /// The first host whose message to `to` passes a node; one does.
    pub fn first_through(&self, to: usize, through: Node, scratch: &mut Scratch) -> usize {
        let row = &mut scratch.row;
        row.resize(self.links.order(), Entry::NONE);
        self.router.fill(node(to), row);
        let passes = |&source: &usize| {
            let mut at = source;
            for _ in 0..row.len() {
                if at == index(through) {
                    return true;
                }
                let hop = row[at].get().filter(|_| at != to);
                match hop.and_then(|(port, _)| self.links.follow(at, port)) {
                    Some(next) => at = next,
                    None => return false,
                }
            }
            false
        };
        (0..self.hosts).find(passes).expect("a message that was followed before")
    }

    /// The same for messages of some hosts and choices, state by state.
    pub fn states(
        &self,
        to: usize,
        sources: Range<usize>,
        choices: Range<u64>,
        scratch: &mut Scratch,
        limits: &Budget<'_>,
        mut visit: impl FnMut(Channel, Option<Channel>),
    ) -> Result<u64, DeadlockError> {
        let Scratch { seen, open, hops, .. } = scratch;
        seen.clear();
        hops.clear();
        let mut pairs = 0;
        for source in sources.filter(|&source| source != to) {
            limits.watch.check()?;
            let mut routed = false;
            for choice in choices.clone() {
                let header = self.router.start(node(source), node(to), choice);
                let (first, is_new) = self.state(seen, hops, source, header);
                routed |= !first.is_empty();
                if is_new {
                    open.push((source, first));
                }
                while let Some((at, own)) = open.pop() {
                    limits.fits("the dependencies", seen.len() as u128 * STATE_BYTES)?;
                    limits.affords("following all routes", seen.len() as u128)?;
                    for i in own {
                        let hop = hops[i];
                        let (channel, next) = self.channel(at, to, (hop.port, hop.vc))?;
                        let (further, is_new) = self.state(seen, hops, next, hop.header);
                        if further.is_empty() {
                            if next != to {
                                return Err(self.broken(to, WalkError::Ends { at: node(next) }));
                            }
                            visit(channel, None);
                            continue;
                        }
                        for hop in &hops[further.clone()] {
                            visit(channel, Some(self.channel(next, to, (hop.port, hop.vc))?.0));
                        }
                        if is_new {
                            open.push((next, further));
                        }
                    }
                }
            }
            pairs += u64::from(routed);
        }
        Ok(pairs)
    }

    /// Where the hops of a state are, and whether it was not seen before.
    fn state(
        &self,
        seen: &mut HashMap<(usize, Header), Range<usize>>,
        hops: &mut Vec<Hop>,
        at: usize,
        header: Header,
    ) -> (Range<usize>, bool) {
        match seen.entry((at, header)) {
            hash_map::Entry::Occupied(known) => (known.get().clone(), false),
            hash_map::Entry::Vacant(open) => {
                let first = hops.len();
                self.router.hops(node(at), header, hops);
                (open.insert(first..hops.len()).clone(), true)
            }
        }
    }

    /// The channel of a hop, and where it leads.
    fn channel(
        &self,
        at: usize,
        to: usize,
        (port, vc): (crate::Port, crate::Vc),
    ) -> Result<(Channel, usize), DeadlockError> {
        let header = Header { to: node(to), state: 0 };
        let next = self.links.follow(at, port).ok_or_else(|| {
            self.broken(to, WalkError::NoLink { at: node(at), hop: Hop { port, vc, header } })
        })?;
        if vc.0 >= self.vcs.max(1) {
            let vcs = self.vcs;
            return Err(DeadlockError::NoVc { to: node(to), at: node(at), vc, vcs });
        }
        Ok((Channel { node: node(at), port, vc }, next))
    }

    fn broken(&self, to: usize, error: WalkError) -> DeadlockError {
        DeadlockError::Walk { to: node(to), error }
    }
}

fn node(index: usize) -> Node {
    Node(index as u64)
}

/// The index of a node whose links are written out.
pub fn index(node: Node) -> usize {
    usize::try_from(node.0).expect("its links are in memory")
}
