//! What do the messages of a round put on the channels of their routes?
//!
//! A router with choices divides every message evenly over the routes of all of them: over the spines of a Clos network, the
//! planes of a host. One that adapts is taken by its minimal routes.

use super::Message;
use crate::Violation;
use nestnet_graph::{Budget, Network, Node, index};
use nestnet_routing::{Header, Router};
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap};

/// The first and the last switch of a route.
type Ends = [u64; 2];

/// How much a message of one block puts on channels, in parts of a block, all choices together.
#[derive(Clone, Debug, Default)]
pub(super) struct Shares {
    /// Between switches.
    pub middle: Vec<(usize, f64)>,
    /// At the source, by its ports.
    up: Vec<(usize, f64)>,
    /// At the target, by its ports.
    down: Vec<(usize, f64)>,
    /// The hops of the longest route.
    longest: u64,
}

/// A route on which nothing arrives.
struct Lost;

/// What a round loads.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RoundLoad {
    /// The hops of the longest route.
    pub hops: u64,
    /// Blocks on the busiest link.
    pub busiest: f64,
}

/// The routes of all choices of a router on a network of hosts and switches.
pub(super) struct Routes<'a> {
    network: &'a dyn Network,
    router: &'a dyn Router,
    ports: usize,
    /// Over how many routes a message is divided.
    pub choices: u64,
    /// The channels that lead to a host, by its ports: where messages share what is between switches.
    into: Vec<Vec<(usize, usize)>>,
}

impl<'a> Routes<'a> {
    pub fn new(network: &'a dyn Network, router: &'a dyn Router) -> Self {
        let choices = if router.adapts() { 1 } else { router.choices().max(1) };
        let ports = network.ports() as usize;
        let into = match choices > 1 && router.structure().loads_by_switches {
            true => (0..network.hosts()).map(|host| into(network, Node(host))).collect(),
            false => Vec::new(),
        };
        Routes { network, router, ports, choices, into }
    }

    /// Whether messages between the same switches load the same.
    fn are_shared(&self) -> bool {
        !self.into.is_empty()
    }

    /// Visits the channels of one route; how many hops it has.
    fn walk(
        &self,
        from: Node,
        to: Node,
        choice: u64,
        mut visit: impl FnMut(Node, usize, Node),
    ) -> Result<u64, Lost> {
        let most = self.router.longest().min(self.network.order());
        let mut header: Header = self.router.start(from, to, choice);
        let (mut at, mut hops) = (from, 0);
        while let Some(hop) = self.router.next(at, header) {
            hops += 1;
            let next = self.network.neighbor(at, hop.port).filter(|_| hops <= most);
            let next = next.ok_or(Lost)?;
            visit(at, index(at.0) * self.ports + hop.port.0 as usize, next);
            (at, header) = (next, hop.header);
        }
        if at == to && from != to { Ok(hops) } else { Err(Lost) }
    }

    /// The first switch of the first choice.
    fn first(&self, from: Node, to: Node) -> Option<u64> {
        let hop = self.router.next(from, self.router.start(from, to, 0))?;
        Some(self.network.neighbor(from, hop.port)?.0).filter(|_| from != to)
    }

    /// The first and the last switch of the first choice.
    fn ends(&self, from: Node, to: Node) -> Result<Ends, Lost> {
        let mut ends = [from.0, to.0];
        self.walk(from, to, 0, |at, _, next| {
            if at == from {
                ends[0] = next.0;
            }
            if next == to {
                ends[1] = at.0;
            }
        })?;
        Ok(ends)
    }

    /// All choices together.
    pub fn shares(&self, from: Node, to: Node) -> Result<Shares, Violation> {
        self.all_shares(from, to).map_err(|Lost| Violation::NoRoute { step: 0, from, to })
    }

    fn all_shares(&self, from: Node, to: Node) -> Result<Shares, Lost> {
        let hosts = self.network.hosts();
        let mut shares = Shares::default();
        let mut middle: HashMap<usize, f64> = HashMap::new();
        let (mut up, mut down) = (BTreeMap::new(), BTreeMap::new());
        let mut visit = |at: Node, channel: usize, next: Node, part: f64| {
            if at == from {
                *up.entry(channel % self.ports).or_default() += part;
            } else if next == to {
                *down.entry(channel).or_default() += part;
            } else if at.0 >= hosts && next.0 >= hosts || !self.are_shared() {
                *middle.entry(channel).or_default() += part;
            }
        };
        if let Some(any) = self.router.structure().all_shortest.filter(|_| self.choices > 1) {
            shares.longest = self.all_paths(any, from, to, &mut visit)?;
        } else {
            for choice in 0..self.choices {
                let hops = self.walk(from, to, choice, |at, channel, next| {
                    visit(at, channel, next, 1.0);
                })?;
                shares.longest = shares.longest.max(hops);
            }
        }
        shares.middle = middle.into_iter().collect();
        shares.middle.sort_unstable_by_key(|&(channel, _)| channel);
        shares.up = up.into_iter().collect();
        shares.down = match self.into.get(index(to.0)) {
            // By the ports of the host, so that it holds for others.
            Some(into) => {
                let port = |channel| into.iter().find(|&&(_, into)| into == channel);
                let own = down.into_iter().map(|(channel, part)| (port(channel), part));
                own.map(|(port, part)| port.map(|&(port, _)| (port, part)).ok_or(Lost))
                    .collect::<Result<_, _>>()?
            }
            None => down.into_iter().collect(),
        };
        Ok(shares)
    }

    /// Visits the channels of all shortest paths, which are equally likely, with the number of choices that take each: by
    /// how many paths lead to a node and from it on. How many hops they have.
    fn all_paths(
        &self,
        any: &dyn Router,
        from: Node,
        to: Node,
        visit: &mut dyn FnMut(Node, usize, Node, f64),
    ) -> Result<u64, Lost> {
        let mut levels: Vec<Vec<(Node, usize, Node)>> = Vec::new();
        let mut before = BTreeMap::from([(from, 1.0)]);
        let mut to_here = vec![before.clone()];
        let mut hops = Vec::new();
        while !before.contains_key(&to) {
            let mut level = Vec::new();
            let mut next_level: BTreeMap<Node, f64> = BTreeMap::new();
            for (&at, &paths) in &before {
                hops.clear();
                any.hops(at, Header { to, state: 0 }, &mut hops);
                for hop in &hops {
                    let next = self.network.neighbor(at, hop.port).ok_or(Lost)?;
                    level.push((at, index(at.0) * self.ports + hop.port.0 as usize, next));
                    *next_level.entry(next).or_default() += paths;
                }
            }
            if level.is_empty() || levels.len() as u64 > self.network.order() {
                return Err(Lost);
            }
            levels.push(level);
            to_here.push(next_level.clone());
            before = next_level;
        }
        if from == to {
            return Err(Lost);
        }
        let whole = self.choices as f64 / before[&to];
        let mut onward = BTreeMap::from([(to, 1.0)]);
        for (level, to_here) in levels.iter().zip(&to_here).rev() {
            let mut nearer: BTreeMap<Node, f64> = BTreeMap::new();
            for &(at, channel, next) in level {
                let paths = onward.get(&next).copied().unwrap_or(0.0);
                *nearer.entry(at).or_default() += paths;
                visit(at, channel, next, whole * to_here[&at] * paths);
            }
            onward = nearer;
        }
        Ok(levels.len() as u64)
    }

    /// Visits the channels at both hosts that a message of one block loads.
    fn at_hosts(&self, from: Node, to: Node, shares: &Shares, mut visit: impl FnMut(usize, f64)) {
        for &(port, part) in &shares.up {
            visit(index(from.0) * self.ports + port, part);
        }
        for &(port, part) in &shares.down {
            let own =
                |into: &Vec<(usize, usize)>| into.iter().find(|&&(own, _)| own == port).copied();
            let channel = self.into.get(index(to.0)).map_or(Some((port, port)), own);
            channel.into_iter().for_each(|(_, channel)| visit(channel, part));
        }
    }
}

/// The ports of a host and the channels that lead to it by the same cables; those of cables between the same two nodes in
/// the same order.
fn into(network: &dyn Network, host: Node) -> Vec<(usize, usize)> {
    let ports = network.ports() as usize;
    let mut own: Vec<(Node, usize)> = Vec::new();
    network.for_each_neighbor(host, &mut |port, to| own.push((to, port.0 as usize)));
    own.sort_unstable();
    let mut into = Vec::new();
    for cables in own.chunk_by(|a, b| a.0 == b.0) {
        let (from, mut cables) = (cables[0].0, cables.iter());
        network.for_each_neighbor(from, &mut |port, to| {
            if to == host
                && let Some(&(_, own)) = cables.next()
            {
                into.push((own, index(from.0) * ports + port.0 as usize));
            }
        });
    }
    into.sort_unstable();
    into
}

/// Adds up what messages load, round by round.
pub(super) struct Loads<'a> {
    routes: Routes<'a>,
    budget: &'a Budget<'a>,
    /// Hops that were looked up one by one, about.
    steps: u128,
    /// Parts of a block on each channel in this round, and those that are not 0.
    parts: Vec<f64>,
    used: Vec<usize>,
    /// In all rounds, without those that repeat the last.
    total: Vec<f64>,
    /// What the last round added to each channel, and how often it came again.
    last: Vec<(usize, f64)>,
    again: f64,
    /// Channels of links of hosts with several cables: the first channel of the link, and how many there are.
    wide: HashMap<usize, (usize, u64)>,
    /// What is known of messages between two switches.
    known: HashMap<Ends, Shares>,
    /// The last switch of the first choice from a switch to a host.
    last_switch: HashMap<Ends, u64>,
    /// How many channels of [`Loads::known`] are kept.
    most: usize,
    /// The messages of the round before, without what they carry, and what was found of them.
    before: Vec<(Node, Node, u64)>,
    found: RoundLoad,
}

/// What one message loads.
enum Loaded {
    /// Its channels, and the hops of the longest route.
    Alone(Vec<(usize, f64)>, u64),
    /// As all others between two switches.
    Between(Ends),
}

impl<'a> Loads<'a> {
    /// Bytes for so many channels.
    pub fn bytes(channels: u128) -> u128 {
        16 * channels
    }

    pub fn new(network: &'a dyn Network, router: &'a dyn Router, budget: &'a Budget<'a>) -> Self {
        /// Channels that are kept of routes that may come again, at most.
        const MOST: u64 = 1 << 22;
        let channels = index(network.order()) * network.ports() as usize;
        Loads {
            routes: Routes::new(network, router),
            budget,
            steps: 0,
            parts: vec![0.0; channels],
            used: Vec::new(),
            total: vec![0.0; channels],
            last: Vec::new(),
            again: 0.0,
            wide: wide_links(network),
            known: HashMap::new(),
            last_switch: HashMap::new(),
            most: index((budget.memory / 128).min(MOST)),
            before: Vec::new(),
            found: RoundLoad::default(),
        }
    }

    /// The messages of a round.
    pub fn add(&mut self, messages: &[Message], step: u64) -> Result<RoundLoad, Violation> {
        let same = |message: &Message| (message.from, message.to, message.blocks);
        if self.before.iter().copied().eq(messages.iter().map(same)) {
            self.again += 1.0;
            return Ok(self.found);
        }
        self.settle();
        if self.routes.choices > 1 && !self.routes.are_shared() {
            /// Of a route, about.
            const HOPS: u128 = 8;
            self.steps += messages.len() as u128 * u128::from(self.routes.choices) * HOPS;
            self.budget.affords("following messages on all routes", self.steps)?;
        }
        /// Enough of them to be worth a thread.
        const PART: usize = 512;
        let parts = messages.par_chunks(PART).map(|part| {
            let loaded = |message| Ok((message, self.loaded(message, step)?));
            part.iter().map(loaded).collect::<Result<Vec<_>, Violation>>()
        });
        // The first violation, whichever thread was quicker.
        let parts: Vec<_> = parts.collect::<Vec<_>>().into_iter().collect::<Result<_, _>>()?;
        let last_switches = |(message, loaded): &(&Message, Loaded)| match loaded {
            Loaded::Between(ends) => Some(([ends[0], message.to.0], ends[1])),
            Loaded::Alone(..) => None,
        };
        self.last_switch.extend(parts.iter().flatten().filter_map(last_switches));
        let mut between: HashMap<Ends, (Message, u64)> = HashMap::new();
        let mut hops = 0;
        for (message, loaded) in parts.iter().flatten() {
            match loaded {
                Loaded::Between(ends) => {
                    between.entry(*ends).or_insert((**message, 0)).1 += message.blocks;
                }
                Loaded::Alone(channels, longest) => {
                    hops = hops.max(*longest);
                    for &(channel, part) in channels {
                        self.load(channel, part * message.blocks as f64);
                    }
                }
            }
        }
        let mut between: Vec<(Ends, (Message, u64))> = between.into_iter().collect();
        between.sort_unstable_by_key(|(ends, _)| *ends);
        self.learn(&between, step)?;
        let known = std::mem::take(&mut self.known);
        for &(ends, (_, blocks)) in &between {
            let shares = &known[&ends];
            hops = hops.max(shares.longest);
            for &(channel, part) in &shares.middle {
                self.load(channel, part * blocks as f64);
            }
        }
        for (message, loaded) in parts.iter().flatten() {
            let &Message { from, to, blocks, .. } = *message;
            if let Loaded::Between(ends) = loaded {
                let Loads { routes, parts, used, wide, .. } = self;
                routes.at_hosts(from, to, &known[ends], |channel, part| {
                    load(parts, used, wide, channel, part * blocks as f64);
                });
            }
        }
        self.known = known;
        let mut busiest = 0f64;
        for channel in std::mem::take(&mut self.used) {
            let parts = std::mem::take(&mut self.parts[channel]) / self.routes.choices as f64;
            // Whole blocks are dealt to the cables of a link.
            let blocks = match self.wide.get(&channel) {
                Some(&(_, cables)) => (parts / cables as f64).ceil(),
                None => parts,
            };
            busiest = busiest.max(blocks);
            self.last.push((channel, parts));
        }
        self.again = 1.0;
        self.before = messages.iter().map(same).collect();
        self.found = RoundLoad { hops, busiest };
        Ok(self.found)
    }

    /// Blocks on the link that is busiest in all rounds together.
    pub fn busiest_in_all(&mut self) -> f64 {
        self.settle();
        let cables = |channel: usize| self.wide.get(&channel).map_or(1, |&(_, cables)| cables);
        let loads = self.total.iter().enumerate().filter(|(_, load)| **load > 0.0);
        loads.map(|(channel, load)| load / cables(channel) as f64).fold(0.0, f64::max)
    }

    /// Adds the rounds that were the same to the total.
    fn settle(&mut self) {
        for (channel, blocks) in self.last.drain(..) {
            self.total[channel] += blocks * self.again;
        }
    }

    fn load(&mut self, channel: usize, parts: f64) {
        load(&mut self.parts, &mut self.used, &self.wide, channel, parts);
    }

    fn loaded(&self, &Message { from, to, .. }: &Message, step: u64) -> Result<Loaded, Violation> {
        let routes = &self.routes;
        let no_route = |Lost| Violation::NoRoute { step, from, to };
        if routes.are_shared() {
            let first = routes.first(from, to).ok_or(Lost).map_err(no_route)?;
            if let Some(&last) = self.last_switch.get(&[first, to.0]) {
                return Ok(Loaded::Between([first, last]));
            }
            return Ok(Loaded::Between(routes.ends(from, to).map_err(no_route)?));
        }
        let (mut channels, mut longest) = (Vec::new(), 0);
        for choice in 0..routes.choices {
            let walked =
                routes.walk(from, to, choice, |_, channel, _| channels.push((channel, 1.0)));
            longest = longest.max(walked.map_err(no_route)?);
        }
        Ok(Loaded::Alone(channels, longest))
    }

    /// Finds what messages load between switches of which that is not known.
    fn learn(&mut self, between: &[(Ends, (Message, u64))], step: u64) -> Result<(), Violation> {
        let kept: usize = self.known.values().map(|shares| shares.middle.len() + 1).sum();
        if kept > self.most {
            let is_used =
                |ends: &Ends| between.binary_search_by_key(ends, |(ends, _)| *ends).is_ok();
            self.known.retain(|ends, _| is_used(ends));
        }
        let new: Vec<(Ends, Message)> = between
            .iter()
            .filter(|(ends, _)| !self.known.contains_key(ends))
            .map(|(ends, (message, _))| (*ends, *message))
            .collect();
        let found = new.par_iter().map(|&(ends, Message { from, to, .. })| {
            let shares = self.routes.all_shares(from, to);
            let shares = shares.map_err(|Lost| Violation::NoRoute { step, from, to })?;
            Ok::<_, Violation>((ends, shares))
        });
        let found: Vec<_> = found.collect::<Vec<_>>().into_iter().collect::<Result<_, _>>()?;
        self.known.extend(found);
        Ok(())
    }
}

fn load(
    parts: &mut [f64],
    used: &mut Vec<usize>,
    wide: &HashMap<usize, (usize, u64)>,
    channel: usize,
    more: f64,
) {
    let channel =
        if wide.is_empty() { channel } else { wide.get(&channel).map_or(channel, |w| w.0) };
    let load = &mut parts[channel];
    if *load == 0.0 {
        used.push(channel);
    }
    *load += more;
}

/// The cables of one link of a host are used together: what goes over it is spread over all of them.
fn wide_links(network: &dyn Network) -> HashMap<usize, (usize, u64)> {
    let ports = network.ports() as usize;
    let mut wide = HashMap::new();
    let mut both_ends = |from: Node, to: Node| {
        let mut channels = Vec::new();
        network.for_each_neighbor(from, &mut |port, end| {
            if end == to {
                channels.push(index(from.0) * ports + port.0 as usize);
            }
        });
        let cables = channels.len() as u64;
        wide.extend(channels.iter().map(|&channel| (channel, (channels[0], cables))));
    };
    for host in (0..network.hosts()).map(Node) {
        let mut ends = Vec::new();
        network.for_each_neighbor(host, &mut |_, to| ends.push(to));
        ends.sort_unstable();
        let doubled = ends.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]);
        let mut doubled: Vec<Node> = doubled.collect();
        doubled.dedup();
        for to in doubled {
            both_ends(host, to);
            both_ends(to, host);
        }
    }
    wide
}
