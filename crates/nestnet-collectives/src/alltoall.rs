//! All-to-all: every host has a block for every other, sent along the routes of a router.

use super::plan::{PlanError, afford_bytes};
use super::topology::Wires;
use super::{LazySchedule, Ports, Schedule, Stream, Transfer};
use nestnet_graph::{Budget, Network, Node, Port, index};
use nestnet_routing::Router;
use nestnet_routing::route::{Entry, walk, walk::step};
use rayon::prelude::*;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

/// All blocks by the routes of a router, stored and forwarded: in every step every link carries a block that has the
/// farthest to go, of equals the one that came first. With one port the nodes whose blocks have the farthest to go choose
/// first, each its farthest block to a node that nobody else sends to.
///
/// A heuristic, as short as its routes allow within a small factor; O(hops and steps · channels).
///
/// ```
/// use nestnet_collectives::{Ports, all_to_all};
/// use nestnet_graph::Budget;
/// use nestnet_graph::Csr;
/// use nestnet_routing::route::Searched;
/// use std::sync::Arc;
///
/// let links = [(0, 1), (1, 2), (2, 3), (3, 0)];
/// let ring = Arc::new(Csr::from_links(4, &links, 1 << 20)?);
/// let router = Searched::new(ring.clone()).expect("a small network");
/// let schedule = all_to_all(&*ring, &router, Ports::All, &Budget::default())?;
/// assert_eq!(schedule.steps.iter().map(Vec::len).sum::<usize>(), 16);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn all_to_all(
    network: &dyn Network,
    router: &dyn Router,
    ports: Ports,
    budget: &Budget<'_>,
) -> Result<Schedule, PlanError> {
    let wires = Arc::new(Wires::new(network, budget)?);
    let made = all_to_all_schedule(&wires, router, ports, budget)?;
    let mut stream = made.stream();
    let (mut steps, mut step) = (Vec::new(), Vec::new());
    while stream.next_step(&mut step) {
        budget.check()?;
        steps.push(std::mem::take(&mut step));
    }
    Ok(Schedule { steps })
}

/// The same, made when it is asked for: only the routes are kept.
pub(super) fn all_to_all_schedule(
    wires: &Arc<Wires>,
    router: &dyn Router,
    ports: Ports,
    budget: &Budget<'_>,
) -> Result<LazySchedule, PlanError> {
    let blocks = u128::from(wires.hosts()).pow(2);
    if blocks > u128::from(u32::MAX) {
        return Err(PlanError::TooManyBlocks { blocks });
    }
    let routes = Arc::new(Routes::new(wires, router, budget)?);
    // Each block waits in one queue, which may have room for as many again.
    let queues = (wires.channels() * routes.longest * size_of::<Queue>()) as u128;
    afford_bytes(routes.bytes() + 8 * blocks + queues, budget)?;
    let wires = wires.clone();
    Ok(LazySchedule::in_order(move || {
        let mut parcels = Parcels::new(wires.clone(), routes.clone(), ports);
        Box::new(move |out| parcels.step(out))
    }))
}

/// The route of every pair of hosts.
struct Routes {
    /// The hops of the longest.
    longest: usize,
    next: Next,
}

/// Over which port a block goes on; there are fewer than 2^16, as there are hosts.
enum Next {
    /// For each host as a target, and each node on the path.
    ByNode(Vec<u16>),
    /// Where a router remembers: the ports of all routes, and for each block where its own end.
    ByBlock { ports: Vec<u16>, ends: Vec<u64> },
}

/// No next hop.
const LOST: u32 = u32::MAX;

impl Routes {
    fn new(wires: &Wires, router: &dyn Router, budget: &Budget<'_>) -> Result<Self, PlanError> {
        if router.remembers() || router.vcs() > Entry::MAX_VCS {
            return Routes::walked(wires, router, budget);
        }
        let (order, hosts) = (index(wires.order()), wires.hosts());
        afford_bytes(2 * u128::from(hosts) * u128::from(wires.order()), budget)?;
        let mut ports = vec![0; index(hosts) * order];
        let rows = ports.par_chunks_mut(order.max(1)).enumerate();
        let longest = rows.map_init(
            || vec![Entry::NONE; order],
            |entries, (to, row)| {
                budget.check()?;
                let to = to as u64;
                router.fill(Node(to), entries);
                for (port, entry) in row.iter_mut().zip(entries) {
                    *port = entry.get().map_or(u16::MAX, |(port, _)| narrow(port));
                }
                let left = hops(wires, row, to);
                let left = &left[..index(hosts)];
                if let Some(from) = left.iter().position(|&hops| hops == LOST) {
                    let (from, to) = (Node(from as u64), Node(to));
                    // The whole route says what is wrong with it.
                    walk(wires, router, from, to, 0, router.longest().min(wires.order()))?;
                    return Err(PlanError::NoPath { from, node: to });
                }
                Ok(left.iter().copied().max().unwrap_or(0) as usize)
            },
        );
        let longest = longest.try_reduce(|| 0, |one, other| Ok(one.max(other)))?;
        Ok(Routes { longest, next: Next::ByNode(ports) })
    }

    /// Routes one by one.
    fn walked(wires: &Wires, router: &dyn Router, budget: &Budget<'_>) -> Result<Self, PlanError> {
        let hosts = wires.hosts();
        let most = router.longest().min(wires.order());
        let (mut ports, mut ends) = (Vec::new(), Vec::new());
        let mut longest = 0;
        for from in (0..hosts).map(Node) {
            budget.check()?;
            afford_bytes(2 * ports.len() as u128 + 8 * u128::from(hosts).pow(2), budget)?;
            for to in (0..hosts).map(Node) {
                let start = ports.len();
                let (mut at, mut header) = (from, router.start(from, to, 0));
                while at != to {
                    if (ports.len() - start) as u64 >= most {
                        walk(wires, router, from, to, 0, most)?;
                    }
                    let (next, hop) = step(wires, router, at, header)?;
                    ports.push(narrow(hop.port));
                    (at, header) = (next, hop.header);
                }
                longest = longest.max(ports.len() - start);
                ends.push(ports.len() as u64);
            }
        }
        Ok(Routes { longest, next: Next::ByBlock { ports, ends } })
    }

    fn bytes(&self) -> u128 {
        match &self.next {
            Next::ByNode(ports) => 2 * ports.len() as u128,
            Next::ByBlock { ports, ends } => (2 * ports.len() + 8 * ends.len()) as u128,
        }
    }

    /// The port by which a block leaves a node that is `left` hops from its target.
    fn port(&self, wires: &Wires, at: Node, block: u32, left: usize) -> Port {
        Port(u32::from(match &self.next {
            Next::ByNode(ports) => {
                let to = u64::from(block) % wires.hosts();
                ports[index(to * wires.order() + at.0)]
            }
            Next::ByBlock { ports, ends } => ports[index(ends[block as usize]) - left],
        }))
    }

    /// Visits all blocks with the hops of their routes.
    fn each(&self, wires: &Wires, mut visit: impl FnMut(Node, u32, usize)) {
        let hosts = wires.hosts();
        let block = |from: u64, to: u64| u32::try_from(from * hosts + to).expect("fewer than 2^32");
        match &self.next {
            Next::ByNode(ports) => {
                let rows = ports.chunks(index(wires.order()).max(1));
                for (to, row) in (0..hosts).zip(rows) {
                    let left = hops(wires, row, to);
                    for (from, &left) in (0..hosts).zip(&left) {
                        visit(Node(from), block(from, to), left as usize);
                    }
                }
            }
            Next::ByBlock { ends, .. } => {
                let mut start = 0;
                for (number, &end) in (0u32..).zip(ends) {
                    visit(Node(u64::from(number) / hosts), number, index(end - start));
                    start = end;
                }
            }
        }
    }
}

/// There are fewer ports than hosts, or they are out of range.
fn narrow(port: Port) -> u16 {
    u16::try_from(port.0).unwrap_or(u16::MAX)
}

/// How many hops every node is from a target, by the ports that lead there; [`LOST`] where they do not.
fn hops(wires: &Wires, ports: &[u16], to: u64) -> Vec<u32> {
    const OPEN: u32 = u32::MAX - 1;
    let mut left = vec![OPEN; ports.len()];
    if let Some(target) = left.get_mut(index(to)) {
        *target = 0;
    }
    let mut path = Vec::new();
    for start in 0..ports.len() {
        let mut at = start;
        while left[at] == OPEN {
            // Whoever comes here again before it is known goes in a cycle.
            left[at] = LOST;
            path.push(at);
            let port = Port(ports[at].into());
            let next = (port.0 < wires.ports()).then(|| wires.neighbor(Node(at as u64), port));
            match next.flatten() {
                Some(next) => at = index(next.0),
                None => break,
            }
        }
        let mut far = left[at];
        while let Some(at) = path.pop() {
            far = if far == LOST { LOST } else { far + 1 };
            left[at] = far;
        }
    }
    left
}

type Queue = VecDeque<u32>;

/// Blocks on their path.
struct Parcels {
    wires: Arc<Wires>,
    routes: Arc<Routes>,
    ports: Ports,
    /// For each channel, and each number of hops that are left, the blocks that wait.
    queues: Vec<Queue>,
    /// For each channel the most hops that a block which waits has left; 0 where none waits.
    most: Vec<usize>,
    /// How many blocks have not arrived.
    waiting: u64,
    /// Who receives in this step.
    receives: Vec<bool>,
    /// Where the blocks of this step arrive, and how many hops they have left.
    arrivals: Vec<(Node, u32, usize)>,
    /// Who is first to send, of those whose blocks have as far to go.
    first: u64,
    /// With one port, the nodes by how far their blocks have to go.
    turns: Vec<Vec<u64>>,
}

impl Parcels {
    fn new(wires: Arc<Wires>, routes: Arc<Routes>, ports: Ports) -> Self {
        let queues = vec![Queue::new(); wires.channels() * routes.longest];
        let most = vec![0; wires.channels()];
        let receives = vec![false; index(wires.order())];
        let all = routes.clone();
        let (arrivals, turns) = (Vec::new(), vec![Vec::new(); routes.longest + 1]);
        let mut parcels = Parcels {
            wires,
            routes,
            ports,
            queues,
            most,
            waiting: 0,
            receives,
            arrivals,
            first: 0,
            turns,
        };
        all.each(&parcels.wires.clone(), |from, block, left| {
            if left > 0 {
                parcels.waiting += 1;
                parcels.push(from, block, left);
            }
        });
        parcels
    }

    fn push(&mut self, at: Node, block: u32, left: usize) {
        let channel = self.wires.channel(at, self.routes.port(&self.wires, at, block, left));
        self.queues[channel * self.routes.longest + left - 1].push_back(block);
        self.most[channel] = self.most[channel].max(left);
    }

    /// The block that has the farthest to go, and how far.
    fn pop(&mut self, channel: usize) -> Option<(u32, usize)> {
        let left = self.most[channel];
        let queues = &mut self.queues[channel * self.routes.longest..][..left];
        let queue = queues.last_mut()?;
        let block = queue.pop_front()?;
        if queue.is_empty() {
            // What it had room for is for others.
            *queue = Queue::new();
            self.most[channel] = left - queues.iter().rev().take_while(|q| q.is_empty()).count();
        }
        Some((block, left))
    }

    /// Sends over a channel, if anything waits there.
    fn send(&mut self, channel: usize, out: &mut Vec<Transfer>) {
        if let Some((block, left)) = self.pop(channel) {
            let (from, port) = self.wires.sender(channel);
            out.push(Transfer { from, port, block: block.into() });
            let to = self.wires.neighbor(from, port).expect("the router takes links");
            self.arrivals.push((to, block, left - 1));
        }
    }

    /// The channels of a node.
    fn channels(&self, at: u64) -> Range<usize> {
        let width = self.wires.ports() as usize;
        index(at) * width..(index(at) + 1) * width
    }

    /// How far it is for the block of a node that has the farthest to go; 0 where none waits.
    fn farthest(&self, at: u64) -> usize {
        self.most[self.channels(at)].iter().copied().max().unwrap_or(0)
    }

    /// The channel of a node with the farthest to go, to a node that receives nothing yet.
    fn choose(&self, at: u64) -> Option<usize> {
        let mut best = None;
        for (channel, port) in self.channels(at).zip((0..).map(Port)) {
            let far = self.most[channel];
            if far > best.map_or(0, |(far, _)| far) {
                let to = self.wires.neighbor(Node(at), port).expect("the router takes links");
                if !self.receives[index(to.0)] {
                    best = Some((far, channel));
                }
            }
        }
        best.map(|(_, channel)| channel)
    }

    fn step(&mut self, out: &mut Vec<Transfer>) -> bool {
        if self.waiting == 0 {
            return false;
        }
        match self.ports {
            Ports::All => (0..self.most.len()).for_each(|channel| self.send(channel, out)),
            Ports::One => {
                let order = self.wires.order();
                for at in (self.first..order).chain(0..self.first) {
                    let far = self.farthest(at);
                    self.turns[far].push(at);
                }
                for far in (0..self.turns.len()).rev() {
                    let mut turns = std::mem::take(&mut self.turns[far]);
                    for at in turns.drain(..).filter(|_| far > 0) {
                        if let Some(channel) = self.choose(at) {
                            self.send(channel, out);
                            if let Some((to, ..)) = self.arrivals.last() {
                                self.receives[index(to.0)] = true;
                            }
                        }
                    }
                    self.turns[far] = turns;
                }
                self.first = nestnet_graph::measure::splitmix64(self.first) % order;
            }
        }
        let mut arrivals = std::mem::take(&mut self.arrivals);
        for (to, block, left) in arrivals.drain(..) {
            self.receives[index(to.0)] = false;
            match left {
                0 => self.waiting -= 1,
                _ => self.push(to, block, left),
            }
        }
        self.arrivals = arrivals;
        true
    }
}
