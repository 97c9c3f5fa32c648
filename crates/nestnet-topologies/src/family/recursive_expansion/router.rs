//! Routing from addresses alone: ROUTRCN, and the shortest walk through the pivots.
//!
//! # Where we differ
//! ROUTRCN as printed needs a base case (route in the unit); the pivot that ends a phase is in the copy that corresponds
//! to the sender's unit. ROUT_Pm stays inside the region of the pivot set, but where that is not connected (against
//! condition 1 of Definition 4) it takes the whole unit. The pointer into the pivot set, which advances with every
//! message, is a numbered choice; the last choice is the text's alternative, to start from the pivot that begins the
//! frame's path.
//!
//! # Virtual channels
//! With one pivot a phase a route is a walk in the unit, interrupted by moves in frames which leave the unit position
//! alone. As in [`nestnet_routing::route::UpDownLayers`], a new virtual channel begins at every turn from down to up of that
//! walk; moves in a frame have two sets, one for a walk that goes up next and one for the others.
//! With several pivots a phase frames move the unit position too, and [`nestnet_routing::route::UpDownLayers`] itself serves.

use super::network::{Expansion, Phase, rank};
use super::plans::Pivot;
use nestnet_graph::{Network, Node, Port};
use nestnet_routing::route::Entry;
use nestnet_routing::{Header, Hop, Router, Vc};
use std::collections::VecDeque;
use std::sync::{Arc, OnceLock};

/// In which order the digits that differ are corrected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// ROUTRCN: the highest phase first.
    Published,
    /// As the shortest walk through their pivots meets them.
    Shortest,
}

/// Routers of the parts.
#[derive(Clone, Debug)]
pub struct Parts {
    /// That of the unit.
    pub unit: Arc<dyn Router>,
    /// Those of the frames, by phase.
    pub frames: Vec<Arc<dyn Router>>,
}

/// One pivot a phase.
#[derive(Debug)]
pub struct Touring {
    network: Arc<Expansion>,
    parts: Parts,
    order: Order,
    /// How many turns from down to up the walk in a unit can have, and one more.
    classes: OnceLock<u16>,
}

/// Up to so many walks are followed to count their turns; beyond, their length bounds them.
const MAX_WALKS: u64 = 1 << 16;

impl Touring {
    /// `None` when a phase has several pivots, a part remembers, or the shortest walks are not tabulated.
    pub fn new(network: Arc<Expansion>, parts: Parts, order: Order) -> Option<Self> {
        let one = network.phases.iter().all(|phase| matches!(phase.pivot, Pivot::At(_)));
        let forgets = !parts.unit.remembers() && parts.frames.iter().all(|f| !f.remembers());
        let tours = order == Order::Published || network.has_tours();
        let fits = one && forgets && tours;
        fits.then(|| Touring { network, parts, order, classes: OnceLock::new() })
    }

    /// Takes the phases that are corrected at unit position `u` from those that differ, highest last, and returns
    /// the first of them.
    fn settle(&self, u: u64, differ: &mut Vec<usize>) -> Option<usize> {
        match self.order {
            Order::Published => {
                let mut first = None;
                while let Some(&phase) = differ.last().filter(|&&j| self.network.position(j) == u) {
                    first = first.or(Some(phase));
                    differ.pop();
                }
                first
            }
            Order::Shortest => {
                let first = differ.iter().copied().find(|&j| self.network.position(j) == u);
                differ.retain(|&j| self.network.position(j) != u);
                first
            }
        }
    }

    /// The next hop in the unit, when the phases `differ` are still to be corrected.
    fn unit_hop(&self, u: u64, differ: &[usize], to: u64) -> Option<Port> {
        match self.order {
            Order::Published => {
                let stop = differ.last().map_or(to, |&j| self.network.position(j));
                Some(self.parts.unit.next(Node(u), Header { to: Node(stop), state: 0 })?.port)
            }
            Order::Shortest => {
                let tours = self.network.tours()?;
                let index = |u: u64| usize::try_from(u).expect("a small unit");
                let stops = differ.iter().fold(0, |set, &j| set | 1 << self.network.stop(j));
                let here = tours.walk(index(u), stops, index(to));
                let mut port = None;
                self.network.unit.for_each_neighbor(Node(u), &mut |p, next| {
                    if port.is_none() && tours.walk(index(next.0), stops, index(to)) < here {
                        port = Some(p);
                    }
                });
                port
            }
        }
    }

    /// The turns from down to up on the walk in the unit that is left, and whether it goes up first.
    fn turns(&self, mut u: u64, mut differ: Vec<usize>, to: u64) -> (u16, bool) {
        let (mut turns, mut up_first, mut down) = (0, None, false);
        loop {
            self.settle(u, &mut differ);
            let port = self.unit_hop(u, &differ, to);
            let next = port.and_then(|port| self.network.unit.neighbor(Node(u), port));
            let Some(Node(next)) = next else { return (turns, up_first.unwrap_or(false)) };
            up_first = up_first.or(Some(next > u));
            turns += u16::from(down && next > u);
            (down, u) = (next < u, next);
        }
    }

    fn classes(&self) -> u16 {
        *self.classes.get_or_init(|| {
            let (n_u, phases) = (self.network.n_u, self.network.phases.len());
            let walks = u32::try_from(phases).ok().and_then(|r| 1u64.checked_shl(r));
            let walks = walks.and_then(|sets| sets.checked_mul(n_u)?.checked_mul(n_u));
            if walks.is_none_or(|walks| walks > MAX_WALKS) {
                let bound = 1 + self.walk_bound() / 2;
                return u16::try_from(bound).unwrap_or(u16::MAX);
            }
            let mut most = 0;
            for set in 0..1u64 << phases {
                let differ: Vec<usize> = (0..phases).filter(|j| set >> j & 1 == 1).collect();
                for (u, to) in (0..n_u).flat_map(|u| (0..n_u).map(move |to| (u, to))) {
                    most = most.max(self.turns(u, differ.clone(), to).0);
                }
            }
            most + 1
        })
    }

    /// A bound on the walk in a unit: a route to each pivot and one to the end; a shortest one also goes no further
    /// than around a spanning tree and to the end.
    fn walk_bound(&self) -> u64 {
        let stops = self.network.n_u.min(self.network.phases.len() as u64);
        let legs = match self.order {
            Order::Published => self.network.phases.len() as u64 + 1,
            Order::Shortest => stops + 1,
        };
        let leg = self.parts.unit.longest().min(self.network.n_u);
        let walk = legs.saturating_mul(leg);
        match self.order {
            Order::Published => walk,
            Order::Shortest => walk.min(3 * self.network.n_u),
        }
    }

    fn frame_vcs(&self) -> u16 {
        self.parts.frames.iter().map(|frame| frame.vcs()).max().unwrap_or(1)
    }
}

impl Router for Touring {
    fn vcs(&self) -> u16 {
        if self.parts.frames.is_empty() {
            return self.classes();
        }
        self.classes().saturating_mul(2).saturating_mul(self.frame_vcs())
    }

    fn longest(&self) -> u64 {
        let frames = self.parts.frames.iter().map(|frame| frame.longest());
        frames.fold(self.walk_bound(), u64::saturating_add)
    }

    fn next(&self, at: Node, header: Header) -> Option<Hop> {
        let (u, to) = (at.0 % self.network.n_u, header.to.0 % self.network.n_u);
        let mut differ = self.network.differing(at, header.to);
        let phase = self.settle(u, &mut differ);
        let (class, up) = self.turns(u, differ.clone(), to);
        if let Some(phase) = phase {
            let hop = frame_hop(&self.network, &self.parts, at, header.to, phase)?;
            let vc = (2 * class + u16::from(!up)) * self.frame_vcs() + hop.vc.0;
            return Some(Hop { vc: Vc(vc), header, ..hop });
        }
        let port = self.unit_hop(u, &differ, to)?;
        Some(Hop { port, vc: Vc(class), header })
    }

    fn state_bytes(&self) -> u64 {
        state_bytes(&self.parts)
    }
}

/// The next hop of a phase in its frame, as a hop of the whole; whether this node has that link is for others to know.
fn frame_hop(network: &Expansion, parts: &Parts, at: Node, to: Node, phase: usize) -> Option<Hop> {
    let part = &network.phases[phase];
    let [x, y] = [at, to].map(|node| Node(network.digit(node, part)));
    let header = Header { to: y, state: 0 };
    let hop = parts.frames[phase].next(x, header)?;
    let slot = network.slot(phase)?;
    let port = Port(network.unit.ports() + slot * network.frame_ports + hop.port.0);
    Some(Hop { port, ..hop })
}

fn state_bytes(parts: &Parts) -> u64 {
    let frames = parts.frames.iter().map(|frame| frame.state_bytes());
    frames.max().unwrap_or(0) + parts.unit.state_bytes()
}

/// Any pivots: ROUTRCN with its pointer, the highest phase first.
#[derive(Debug)]
pub struct Pointed {
    network: Arc<Expansion>,
    parts: Parts,
    /// The size of the largest pivot set.
    pivots: u64,
    /// The region of each phase's pivot set.
    regions: Vec<Option<Region>>,
}

/// Shortest paths inside a pivot set: for every two positions of it the port of the unit.
#[derive(Debug)]
struct Region {
    /// Ascending.
    members: Vec<u64>,
    ports: Vec<Option<Port>>,
}

impl Region {
    /// `None` for a set that is not connected inside the unit.
    fn new(unit: &dyn Network, members: Vec<u64>) -> Option<Self> {
        let size = members.len();
        let mut rows = vec![Vec::new(); size];
        for (&at, row) in members.iter().zip(&mut rows) {
            unit.for_each_neighbor(Node(at), &mut |port, to| {
                row.extend(members.binary_search(&to.0).ok().map(|to| (port, to)));
            });
        }
        let mut ports = vec![None; size * size];
        for to in 0..size {
            let mut distance = vec![usize::MAX; size];
            let mut open = VecDeque::from([to]);
            distance[to] = 0;
            while let Some(at) = open.pop_front() {
                for &(_, next) in &rows[at] {
                    if distance[next] == usize::MAX {
                        distance[next] = distance[at] + 1;
                        open.push_back(next);
                    }
                }
            }
            for at in 0..size {
                if distance[at] == usize::MAX {
                    return None;
                }
                let nearer = rows[at].iter().find(|(_, next)| distance[*next] < distance[at]);
                ports[at * size + to] = nearer.map(|&(port, _)| port);
            }
        }
        Some(Region { members, ports })
    }

    /// The port at `u` toward `to`, both in the set.
    fn port(&self, u: u64, to: u64) -> Option<Port> {
        let place = |at: u64| self.members.binary_search(&at).ok();
        self.ports[place(u)? * self.members.len() + place(to)?]
    }
}

/// Larger pivot sets have no table, and are routed in the whole unit.
const MAX_REGION: usize = 1 << 9;

/// The state holds the choice below these bits, and above it one more than the phase whose pivot set was entered.
const ENTERED: u32 = 32;

impl Pointed {
    /// `None` when a part remembers: one header cannot hold several states.
    pub fn new(network: Arc<Expansion>, parts: Parts) -> Option<Self> {
        let forgets = !parts.unit.remembers() && parts.frames.iter().all(|f| !f.remembers());
        let pivots = network.phases.iter().map(|phase| phase.pivot.places()).max().unwrap_or(1);
        let region = |phase: &Phase| {
            let small = phase.pivot.places() <= MAX_REGION as u64;
            let members = small.then(|| phase.pivot.members()).flatten()?;
            Region::new(&*network.unit, members)
        };
        let regions = network.phases.iter().map(region).collect();
        let fits = forgets && pivots < 1 << ENTERED;
        fits.then_some(Pointed { network, parts, pivots, regions })
    }

    /// The unit position that has the link of `hop`, in a phase with several pivots.
    fn dealt(&self, at: Node, phase: usize, hop: Hop) -> Option<u64> {
        let part = &self.network.phases[phase];
        let x = self.network.digit(at, part);
        let slot = self.network.slot(phase)?;
        let port = hop.port.0 - self.network.unit.ports() - slot * self.network.frame_ports;
        let next = part.frame.neighbor(Node(x), Port(port))?;
        part.pivot.member(rank(&*part.frame, x, next.0) % part.pivot.places())
    }

    fn unit_hop(&self, at: Node, to: u64, header: Header) -> Option<Hop> {
        let u = Node(at.0 % self.network.n_u);
        let hop = self.parts.unit.next(u, Header { to: Node(to), state: 0 })?;
        Some(Hop { port: hop.port, vc: Vc(0), header })
    }
}

impl Router for Pointed {
    fn vcs(&self) -> u16 {
        1
    }

    /// The pivots of the largest set, and the alternative; with one pivot they are the same.
    fn choices(&self) -> u64 {
        if self.pivots == 1 { 1 } else { self.pivots + 1 }
    }

    fn start(&self, _from: Node, to: Node, choice: u64) -> Header {
        Header { to, state: choice }
    }

    /// Every hop in a frame behind a walk in the unit, and every phase behind one to the pointed pivot.
    fn longest(&self) -> u64 {
        let leg = self.parts.unit.longest().max(self.pivots - 1).min(self.network.n_u);
        let single = self.network.phases.iter().any(|phase| matches!(phase.pivot, Pivot::Node(_)));
        let mut total = leg;
        for frame in &self.parts.frames {
            let hops = frame.longest();
            total = if single {
                // Inside the copy to its one linked node, through the frame, and inside again.
                total.saturating_mul(2).saturating_add(hops)
            } else {
                let legs = leg.saturating_mul(hops.saturating_add(1));
                total.saturating_add(hops).saturating_add(legs)
            };
        }
        total
    }

    fn next(&self, at: Node, header: Header) -> Option<Hop> {
        let mut to = header.to;
        let u = at.0 % self.network.n_u;
        while let Some(&phase) = self.network.differing(at, to).last() {
            let hop = frame_hop(&self.network, &self.parts, at, to, phase)?;
            match &self.network.phases[phase].pivot {
                &Pivot::At(pivot) if u == pivot => return Some(Hop { vc: Vc(0), header, ..hop }),
                &Pivot::At(pivot) => return self.unit_hop(at, pivot, header),
                &Pivot::Node(pivot) => {
                    let stride = self.network.phases[phase].stride;
                    let inside = at.0 % stride;
                    if inside == pivot {
                        return Some(Hop { vc: Vc(0), header, ..hop });
                    }
                    // To the one node of this copy that is linked, by the phases below.
                    to = Node(at.0 - inside + pivot);
                }
                several => {
                    let choice = header.state & ((1 << ENTERED) - 1);
                    let entered = choice | (phase as u64 + 1) << ENTERED;
                    let dealt = self.dealt(at, phase, hop)?;
                    let pointed = several.member(choice).unwrap_or(dealt);
                    // ROUT_u to the pointed pivot, and from there on ROUT_Pm.
                    if header.state != entered && u != pointed {
                        return self.unit_hop(at, pointed, header);
                    }
                    let header = Header { state: entered, ..header };
                    if u == dealt {
                        return Some(Hop { vc: Vc(0), header, ..hop });
                    }
                    let region = self.regions[phase].as_ref();
                    return match region.and_then(|region| region.port(u, dealt)) {
                        Some(port) => Some(Hop { port, vc: Vc(0), header }),
                        None => self.unit_hop(at, dealt, header),
                    };
                }
            }
        }
        self.unit_hop(at, to.0 % self.network.n_u, header)
    }

    fn remembers(&self) -> bool {
        self.pivots > 1
    }

    fn fill(&self, to: Node, row: &mut [Entry]) {
        let header = self.start(to, to, self.choices() - 1);
        for (at, entry) in (0..).map(Node).zip(row) {
            *entry = Entry::of(self.next(at, header));
        }
    }

    fn state_bytes(&self) -> u64 {
        state_bytes(&self.parts)
    }
}
