//! All hops of a router, target by target: which channel is taken right after which.

use super::classes::Classes;
use super::graph::{Explored, Graph, Layout, Links};
use super::{Channel, DeadlockError};
use crate::route::{Entry, Header, Hop, Router, WalkError};
use nestnet_graph::budget::product;
use nestnet_graph::theory::How;
use nestnet_graph::{Budget, Network, Node, index};
use std::collections::{HashMap, hash_map};
use std::ops::Range;

/// A router and its network, ready to be followed.
#[derive(Debug)]
pub struct Source<'a> {
    router: &'a dyn Router,
    pub layout: Layout,
    pub hosts: usize,
    /// Messages begin at the nodes before this: at hosts, and at any node where an escape is taken.
    pub sources: usize,
    vcs: u16,
    exploration: Exploration,
    /// One target of each class is followed where there are classes.
    classes: Option<Classes>,
}

/// How the hops are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exploration {
    /// A row of hops for each target.
    Rows,
    /// State by state.
    States,
}

/// What one thread works with.
#[derive(Debug, Default)]
pub struct Scratch {
    row: Vec<Entry>,
    /// Which nodes were passed on routes to the target.
    passed: Vec<bool>,
    /// For each state, which of the hops are its own.
    seen: HashMap<(usize, Header), Range<usize>>,
    open: Vec<(usize, Range<usize>)>,
    hops: Vec<Hop>,
}

/// Steps of a hop that is read from a row.
const ROW_STEPS: u128 = 16;

/// Steps of a hop that is found by its state.
const STATE_STEPS: u128 = 32;

/// Bytes of a state that was seen and of its hop, with room to grow.
const STATE_BYTES: u128 = 160;

impl<'a> Source<'a> {
    /// Writes the links out, or refuses what would take too long. Of a router with an escape that is followed.
    pub fn new(
        network: &dyn Network,
        router: &'a dyn Router,
        limits: &Budget<'_>,
    ) -> Result<Self, DeadlockError> {
        let router = router.structure().all_shortest.unwrap_or(router);
        let escape = router.escape();
        let router = escape.map_or(router, |escape| escape.router);
        let (order, hosts) = (u128::from(network.order()), u128::from(network.hosts()));
        let vcs = router.vcs();
        let fits = network.ports() < Entry::MAX_PORTS && vcs <= Entry::MAX_VCS;
        let plain = fits && !router.remembers() && !router.adapts();
        // Less by as much as there are automorphisms, which is not known before they are tried.
        let steps = if plain && router.commutes_with().is_empty() {
            product([hosts, order, ROW_STEPS])
        } else if plain {
            order * ROW_STEPS
        } else {
            product([hosts, hosts, router.choices().into(), STATE_STEPS])
        };
        limits.affords("following all routes", steps)?;
        let links = Links::new(network, limits)?;
        let hosts = links.order().min(usize::try_from(hosts).unwrap_or(usize::MAX));
        let classes = if plain { Classes::new(router, &links, hosts, limits)? } else { None };
        if plain {
            let targets = classes.as_ref().map_or(hosts, |classes| classes.targets.len());
            limits.affords("following all routes", product([targets as u128, order, ROW_STEPS]))?;
        }
        let sources = if escape.is_some() { links.order() } else { hosts };
        let exploration = if plain { Exploration::Rows } else { Exploration::States };
        let layout = Layout::new(links, vcs, limits)?;
        Ok(Source { router, layout, hosts, sources, vcs, exploration, classes })
    }

    /// Whether some targets represent others.
    pub fn how(&self) -> How {
        if self.classes.is_some() { How::Symmetry } else { How::Exhaustive }
    }

    /// How the hops are asked for.
    pub fn exploration(&self) -> Exploration {
        self.exploration
    }

    /// How many choices a message has at its start.
    pub fn choices(&self) -> u64 {
        self.router.choices()
    }

    /// How many targets are followed.
    pub fn targets(&self) -> usize {
        self.classes.as_ref().map_or(self.hosts, |classes| classes.targets.len())
    }

    /// The node at which things are noted that are seen at another: the least of its class.
    pub fn stands(&self, at: usize) -> usize {
        self.classes.as_ref().map_or(at, |classes| classes.least[at] as usize)
    }

    /// About how many steps it takes to follow all messages to one target.
    pub fn steps(&self) -> u128 {
        match self.exploration {
            Exploration::Rows => self.layout.links.order() as u128 * ROW_STEPS,
            Exploration::States => self.hosts as u128 * u128::from(self.choices()) * STATE_STEPS,
        }
    }

    /// Adds what is seen on routes to one of the targets, by its number among them.
    pub fn follow(
        &self,
        number: usize,
        seen: &mut Explored,
        scratch: &mut Scratch,
        limits: &Budget<'_>,
    ) -> Result<(), DeadlockError> {
        let after = |next: Option<Channel>| next.map(|next| (next.port, next.vc));
        let classes = self.classes.as_ref();
        let (to, alike) = classes.map_or((number, 1), |classes| classes.targets[number]);
        let pairs = self.target(to, scratch, limits, |channel, next| {
            let at = self.stands(index(channel.node));
            seen.add(&self.layout, at, (channel.port, channel.vc), after(next));
        })?;
        seen.route(pairs * alike);
        Ok(())
    }

    /// The graph of all that was seen.
    pub fn graph(&self, mut seen: Explored) -> Graph<'_> {
        if seen == Explored::NOTHING {
            seen = self.layout.blank();
        }
        if let Some(classes) = &self.classes {
            seen.copy(&self.layout, &classes.least);
        }
        Graph::new(&self.layout, seen)
    }

    /// Shows every channel that messages to one node take, each with one that may follow it. How many hosts reach it.
    pub fn target(
        &self,
        to: usize,
        scratch: &mut Scratch,
        limits: &Budget<'_>,
        visit: impl FnMut(Channel, Option<Channel>),
    ) -> Result<u64, DeadlockError> {
        match self.exploration {
            Exploration::Rows => self.row(to, scratch, visit),
            Exploration::States => {
                self.states(to, 0..self.sources, 0..self.choices(), scratch, limits, visit)
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
        row.resize(self.layout.links.order(), Entry::NONE);
        passed.clear();
        passed.resize(self.layout.links.order(), false);
        self.router.fill(node(to), row);
        let mut pairs = 0;
        for source in (0..self.sources).filter(|&source| source != to) {
            // Without a hop at its source a message has no path, and is not routed.
            let Some(entry) = row[source].get() else { continue };
            pairs += 1;
            if passed[source] {
                continue;
            }
            let mut at = source;
            let (mut channel, mut next) = self.channel(at, to, entry)?;
            loop {
                passed[at] = true;
                if next == to {
                    visit(channel, None);
                    break;
                }
                let hop = row[next].get();
                let hop = hop.ok_or_else(|| self.broken(to, WalkError::Ends { at: node(next) }))?;
                let (following, beyond) = self.channel(next, to, hop)?;
                visit(channel, Some(following));
                if passed[next] {
                    break;
                }
                (at, channel, next) = (next, following, beyond);
            }
        }
        Ok(pairs)
    }

    /// The first host whose message to `to` passes a node; one does.
    pub fn first_through(&self, to: usize, through: Node, scratch: &mut Scratch) -> usize {
        let row = &mut scratch.row;
        row.resize(self.layout.links.order(), Entry::NONE);
        self.router.fill(node(to), row);
        let passes = |&source: &usize| {
            let mut at = source;
            for _ in 0..row.len() {
                if at == index(through) {
                    return true;
                }
                let hop = row[at].get().filter(|_| at != to);
                match hop.and_then(|(port, _)| self.layout.links.follow(at, port)) {
                    Some(next) => at = next,
                    None => return false,
                }
            }
            false
        };
        (0..self.sources).find(passes).expect("a message that was followed before")
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
        (port, vc): (nestnet_graph::Port, crate::Vc),
    ) -> Result<(Channel, usize), DeadlockError> {
        let header = Header { to: node(to), state: 0 };
        let next = self.layout.links.follow(at, port).ok_or_else(|| {
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
