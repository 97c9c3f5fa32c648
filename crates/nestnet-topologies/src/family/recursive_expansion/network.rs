//! The expanded network: digits, pivots, and exact distances where every phase has one pivot.

use super::deal::Deal;
use super::frames::Frames;
use super::leaps::Leap;
use super::plans::{Chosen, Pivot, Plans};
use super::tour::Tours;
use crate::family::Built;
use nestnet_graph::bulk_neighbors::{Reach, Shifted, mark};
use nestnet_graph::network::Automorphism;
use nestnet_graph::network::mark_neighbors;
use nestnet_graph::product::{join_orbits, on_digit};
use nestnet_graph::radix::Divisor;
use nestnet_graph::{Address, Network, Node, Orbit, Port};
use std::sync::{Arc, OnceLock};

/// More digits and links of all positions are not looked up.
const MAX_LEAPS: u64 = 1 << 18;

/// A unit expanded phase by phase.
#[derive(Debug)]
pub struct Expansion {
    pub(super) unit: Arc<dyn Network>,
    pub(super) n_u: u64,
    order: u64,
    pub(super) phases: Vec<Phase>,
    /// Ports set aside for one phase at a node.
    pub(super) frame_ports: u32,
    /// How many phases can use one unit position.
    slots: u32,
    /// After how many phases a position can be used again: the nodes of the unit, or the sets that were given.
    period: u64,
    /// Sets that do not follow from the numbers of the positions.
    sets: Option<Chosen>,
    /// The pivots, where every phase has one: ascending, each once.
    stops: Vec<u64>,
    /// Made when the first distance is asked for.
    tours: OnceLock<Option<Tours>>,
    /// The links of the phases at each position; made when the first search asks.
    leaps: OnceLock<Option<Vec<Vec<Leap>>>>,
}

#[derive(Debug)]
pub(super) struct Phase {
    pub(super) frame: Arc<dyn Network>,
    n_f: u64,
    /// What one step of this digit adds to the id: the order of the copies below.
    pub(super) stride: u64,
    by_stride: Divisor,
    by_n_f: Divisor,
    by_places: Divisor,
    pub(super) pivot: Pivot,
    /// Which links leave from which pivot, if the frame is small.
    deal: Option<Arc<Deal>>,
}

impl Phase {
    /// The place of a node in the block of pivots; `None` if it is none of them.
    fn place(&self, at: Node, u: u64) -> Option<u64> {
        match &self.pivot {
            Pivot::At(pivot) => (u == *pivot).then_some(0),
            Pivot::Node(pivot) => (self.by_stride.divide(at.0).1 == *pivot).then_some(0),
            Pivot::Block { head, size } => u.checked_sub(*head).filter(|place| place < size),
            Pivot::Set(members) => members.binary_search(&u).ok().map(|place| place as u64),
        }
    }
}

impl Expansion {
    /// `None` when a part is too large to be built.
    pub(super) fn new(unit: &Built, frames: &Frames, plans: &Plans) -> Option<Self> {
        let unit = unit.base()?;
        let n_u = unit.order();
        let mut order = n_u;
        let mut phases = Vec::new();
        let mut last: Option<(&Built, Arc<dyn Network>)> = None;
        let mut dealt: Option<(u64, Option<Arc<Deal>>)> = None;
        for (frame, pivot) in frames.iter().zip(&plans.pivots) {
            // A frame that is used again shares its table.
            let network = match &last {
                Some((same, network)) if Arc::ptr_eq(&same.theory, &frame.theory) => {
                    network.clone()
                }
                _ => {
                    dealt = None;
                    frame.base()?
                }
            };
            last = Some((frame, network.clone()));
            let (n_f, places) = (network.order(), pivot.places());
            let deal = match dealt.take() {
                Some((same, deal)) if same == places => deal,
                _ => Deal::new(&*network, places).map(Arc::new),
            };
            dealt = Some((places, deal.clone()));
            phases.push(Phase {
                frame: network,
                n_f,
                stride: order,
                by_stride: Divisor::new(order),
                by_n_f: Divisor::new(n_f),
                by_places: Divisor::new(places),
                pivot: pivot.clone(),
                deal,
            });
            order = order.checked_mul(n_f)?;
        }
        let frame_ports = phases.iter().map(|phase| phase.frame.ports()).max().unwrap_or(0);
        let period = match &plans.sets {
            Some(Chosen::Given(sets)) => sets.count() as u64,
            _ => n_u,
        };
        let slots = u32::try_from((frames.len() as u64).div_ceil(period)).ok()?;
        slots.checked_mul(frame_ports)?.checked_add(unit.ports())?;
        Some(Expansion {
            unit,
            n_u,
            order,
            phases,
            frame_ports,
            slots,
            period,
            sets: plans.sets.clone(),
            stops: plans.stops(),
            tours: OnceLock::new(),
            leaps: OnceLock::new(),
        })
    }

    pub(super) fn digit(&self, at: Node, phase: &Phase) -> u64 {
        let (high, _) = phase.by_stride.divide(at.0);
        phase.by_n_f.divide(high).1
    }

    /// Which phase is in a slot of unit position `u`, if there is one.
    fn phase_index(&self, u: u64, slot: u32) -> Option<usize> {
        let first = u64::from(slot) * self.period;
        let phase = self.phases.get(usize::try_from(first).ok()?)?;
        let index = match (&phase.pivot, &self.sets) {
            (Pivot::Block { .. }, _) => first + phase.by_places.divide(u).0,
            (_, Some(Chosen::Given(sets))) => first + sets.set_of(u)?,
            (Pivot::Set(_), Some(Chosen::Found(found))) => first + found.sets.set_of(u)?,
            _ => first + u,
        };
        usize::try_from(index).ok().filter(|&index| index < self.phases.len())
    }

    /// In which slot of its positions a phase is.
    pub(super) fn slot(&self, phase: usize) -> Option<u32> {
        u32::try_from(phase as u64 / self.period).ok()
    }

    fn phase_at(&self, u: u64, slot: u32) -> Option<&Phase> {
        self.phase_index(u, slot).map(|index| &self.phases[index])
    }

    /// The link of `phase` through `port` of its frame.
    fn frame_link(&self, at: Node, u: u64, phase: &Phase, port: Port) -> Option<Node> {
        let digit = self.digit(at, phase);
        let to = phase.frame.neighbor(Node(digit), port)?;
        self.arrive(at, u, phase, digit, to.0)
    }

    /// The other end of the frame link from `digit` to `to`, if it is dealt to this node.
    fn arrive(&self, at: Node, u: u64, phase: &Phase, digit: u64, to: u64) -> Option<Node> {
        let moved = at.0 - digit * phase.stride + to * phase.stride;
        match &phase.pivot {
            Pivot::At(pivot) => (u == *pivot).then_some(Node(moved)),
            Pivot::Node(pivot) => (at.0 % phase.stride == *pivot).then_some(Node(moved)),
            several => {
                let size = several.places();
                let here = several.member(rank(&*phase.frame, digit, to) % size)?;
                let there = several.member(rank(&*phase.frame, to, digit) % size)?;
                (u == here).then(|| Node(moved - u + there))
            }
        }
    }

    /// All links of `phase` at a node, ports of its frame ascending.
    fn for_each_link(&self, at: Node, u: u64, phase: &Phase, mut visit: impl FnMut(Port, Node)) {
        let Some(place) = phase.place(at, u) else { return };
        let digit = self.digit(at, phase);
        match &phase.deal {
            Some(deal) => {
                let links = deal.of(digit, place);
                if let Pivot::Set(members) = &phase.pivot {
                    let rest = at.0 - digit * phase.stride - u;
                    for link in links {
                        let there = usize::try_from(link.there).map_or(u, |place| members[place]);
                        visit(link.port, Node(rest + link.to * phase.stride + there));
                    }
                    return;
                }
                let rest = at.0 - digit * phase.stride - place;
                for link in links {
                    visit(link.port, Node(rest + link.to * phase.stride + link.there));
                }
            }
            None => phase.frame.for_each_neighbor(Node(digit), &mut |port, to| {
                if let Some(node) = self.arrive(at, u, phase, digit, to.0) {
                    visit(port, node);
                }
            }),
        }
    }

    /// The fast version of `for_each_link`, for searches; `None` where there would be many entries, or where more than
    /// the position in the unit and one digit decides.
    fn leaps(&self) -> Option<&[Vec<Leap>]> {
        let made = self.leaps.get_or_init(|| {
            let phases = |u| (0..self.slots).filter_map(move |slot| self.phase_at(u, slot));
            let one_digit = |phase: &Phase| !matches!(phase.pivot, Pivot::Node(_));
            if self.n_u > MAX_LEAPS || !self.phases.iter().all(one_digit) {
                return None;
            }
            let entries =
                |phase: &Phase| phase.n_f.saturating_mul(u64::from(phase.frame.ports()) + 1);
            let all = (0..self.n_u).flat_map(phases).map(entries).fold(0, u64::saturating_add);
            let leap = |u: u64, phase: &Phase| {
                let steps = |digit: u64| {
                    let (at, mut steps) = (digit * phase.stride + u, Vec::new());
                    self.for_each_link(Node(at), u, phase, |_, to| {
                        steps.push(to.0.wrapping_sub(at));
                    });
                    steps
                };
                Leap::new(phase.by_stride, phase.by_n_f, (0..phase.n_f).map(steps))
            };
            let at = |u| phases(u).map(|phase| leap(u, phase)).collect();
            (all <= MAX_LEAPS).then(|| (0..self.n_u).map(at).collect())
        });
        made.as_deref()
    }

    /// The phases in which two nodes differ, ascending.
    pub(super) fn differing(&self, from: Node, to: Node) -> Vec<usize> {
        let (mut a, mut b) = (from.0 / self.n_u, to.0 / self.n_u);
        let mut differ = Vec::new();
        for (index, phase) in self.phases.iter().enumerate() {
            if a == b {
                break;
            }
            if a % phase.n_f != b % phase.n_f {
                differ.push(index);
            }
            (a, b) = (a / phase.n_f, b / phase.n_f);
        }
        differ
    }

    /// The unit position of a phase's one pivot.
    pub(super) fn position(&self, phase: usize) -> u64 {
        match self.phases[phase].pivot {
            Pivot::At(pivot) => pivot,
            _ => phase as u64 % self.n_u,
        }
    }

    /// The number of that pivot among all, as the tours count them.
    pub(super) fn stop(&self, phase: usize) -> usize {
        self.stops.binary_search(&self.position(phase)).unwrap_or(0)
    }

    /// Whether every phase has one pivot and they are few: answers at once.
    pub(super) fn has_tours(&self) -> bool {
        let single = |phase: &Phase| matches!(phase.pivot, Pivot::At(_));
        self.phases.iter().all(single) && Tours::entries(self.n_u, self.stops.len()).is_some()
    }

    /// All shortest walks through pivots, where every phase has one and they are few.
    pub(super) fn tours(&self) -> Option<&Tours> {
        self.tours
            .get_or_init(|| {
                let stops: Vec<Node> = self.stops.iter().copied().map(Node).collect();
                self.has_tours().then(|| Tours::new(&*self.unit, &stops))?
            })
            .as_ref()
    }
}

/// How many neighbors of `at` come before `to`.
pub(super) fn rank(frame: &dyn Network, at: u64, to: u64) -> u64 {
    let mut rank = 0;
    frame.for_each_neighbor(Node(at), &mut |_, other| rank += u64::from(other.0 < to));
    rank
}

impl Network for Expansion {
    fn order(&self) -> u64 {
        self.order
    }

    fn ports(&self) -> u32 {
        self.unit.ports() + self.slots * self.frame_ports
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        let u = at.0 % self.n_u;
        match port.0.checked_sub(self.unit.ports()) {
            None => self.unit.neighbor(Node(u), port).map(|to| Node(at.0 - u + to.0)),
            Some(rest) => {
                let phase = self.phase_at(u, rest / self.frame_ports)?;
                let port = Port(rest % self.frame_ports);
                (port.0 < phase.frame.ports()).then(|| self.frame_link(at, u, phase, port))?
            }
        }
    }

    fn for_each_neighbor(&self, at: Node, visit: &mut dyn FnMut(Port, Node)) {
        let u = at.0 % self.n_u;
        let copy = at.0 - u;
        self.unit.for_each_neighbor(Node(u), &mut |port, to| visit(port, Node(copy + to.0)));
        for slot in 0..self.slots {
            let Some(phase) = self.phase_at(u, slot) else { continue };
            let first = self.unit.ports() + slot * self.frame_ports;
            self.for_each_link(at, u, phase, |port, to| visit(Port(first + port.0), to));
        }
    }

    fn reach(&self) -> Option<&dyn Reach> {
        Some(self)
    }

    fn address(&self, at: Node) -> Address {
        let digits = self.phases.iter().rev();
        let digits = digits.map(|phase| phase.frame.address(Node(self.digit(at, phase))));
        let u = self.unit.address(Node(at.0 % self.n_u));
        Address::Tuple(digits.chain([u]).collect())
    }

    fn node(&self, address: &Address) -> Option<Node> {
        let parts = address.as_tuple().filter(|parts| parts.len() == self.phases.len() + 1)?;
        let (u, digits) = parts.split_last()?;
        let mut id = self.unit.node(u)?.0;
        for (phase, digit) in self.phases.iter().rev().zip(digits) {
            id += phase.frame.node(digit)?.0 * phase.stride;
        }
        Some(Node(id))
    }

    fn level(&self, at: Node, port: Port) -> u16 {
        let u = at.0 % self.n_u;
        let Some(rest) = port.0.checked_sub(self.unit.ports()) else {
            return self.unit.level(Node(u), port);
        };
        let index = self.phase_index(u, rest / self.frame_ports).unwrap_or(0);
        self.unit.levels().saturating_add(u16::try_from(index).unwrap_or(u16::MAX))
    }

    fn levels(&self) -> u16 {
        self.unit.levels().saturating_add(u16::try_from(self.phases.len()).unwrap_or(u16::MAX))
    }

    /// With one pivot a phase, those of a frame, on its digit.
    fn automorphisms(&self) -> Vec<Automorphism> {
        let one_pivot = |phase: &&Phase| matches!(phase.pivot, Pivot::At(_));
        let of_phase = |phase: &Phase| {
            let (stride, n_f) = (phase.stride, phase.n_f);
            let all = phase.frame.automorphisms().into_iter();
            all.map(move |g| on_digit(g, stride, n_f)).collect::<Vec<_>>()
        };
        self.phases.iter().filter(one_pivot).flat_map(of_phase).collect()
    }

    /// With one pivot a phase, automorphisms of a frame move its digit in all nodes alike.
    fn orbits(&self) -> Option<Vec<Orbit>> {
        if !self.phases.iter().all(|phase| matches!(phase.pivot, Pivot::At(_)))
            || self.n_u > 1 << 16
        {
            return None;
        }
        let mut orbits: Vec<Orbit> =
            (0..self.n_u).map(|u| Orbit { node: Node(u), size: 1 }).collect();
        for phase in &self.phases {
            let digits = phase.frame.orbits()?;
            orbits = join_orbits(&orbits, &digits, |low, x| Node(low.0 + x.0 * phase.stride))?;
        }
        Some(orbits)
    }

    /// With one pivot a phase: the frame steps of every digit that differs, and the shortest walk in the unit that
    /// visits the pivots of those digits.
    fn distance(&self, from: Node, to: Node) -> Option<u64> {
        let tours = self.tours()?;
        let mut steps = 0;
        let mut stops = 0usize;
        let (mut a, mut b) = (from.0 / self.n_u, to.0 / self.n_u);
        for (index, phase) in self.phases.iter().enumerate() {
            if a == b {
                break;
            }
            let (x, y) = (a % phase.n_f, b % phase.n_f);
            (a, b) = (a / phase.n_f, b / phase.n_f);
            if x != y {
                steps += phase.frame.distance(Node(x), Node(y))?;
                stops |= 1 << self.stop(index);
            }
        }
        let position = |node: Node| usize::try_from(node.0 % self.n_u).expect("a small unit");
        Some(steps + tours.walk(position(from), stops, position(to)))
    }
}

impl Reach for Expansion {
    fn mark_neighbors(&self, at: &[Shifted], marks: &mut [u64]) {
        let mut parts = Vec::with_capacity(at.len());
        // Nodes in ascending order are mostly of the same unit, and need no division.
        let (mut copy, by_n_u) = (self.order, Divisor::new(self.n_u));
        let leaps = self.leaps();
        for &Shifted { node, offset } in at {
            if node.wrapping_sub(copy) >= self.n_u {
                copy = node - by_n_u.divide(node).1;
            }
            let u = node - copy;
            parts.push(Shifted { node: u, offset: offset + copy });
            if let Some(leaps) = leaps {
                let here = usize::try_from(u).expect("few positions");
                for leap in &leaps[here] {
                    leap.for_each(node, |to| mark(marks, offset + to));
                }
                continue;
            }
            for slot in 0..self.slots {
                let Some(phase) = self.phase_at(u, slot) else { continue };
                self.for_each_link(Node(node), u, phase, |_, to| mark(marks, offset + to.0));
            }
        }
        mark_neighbors(&*self.unit, &parts, marks);
    }
}
