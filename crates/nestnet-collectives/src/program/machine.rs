//! Executes steps on data. Every move is made over a link that the network names; every meeting is checked.

use super::{Act, Layout, ProgramError, Step};
use crate::Ports;
use nestnet_graph::network::sorted_neighbors;
use nestnet_graph::{Budget, Network, Node, Port, index};
use std::ops::Range;

/// Where a program runs, and within which limits.
#[derive(Clone, Copy, Debug)]
pub struct Site<'a> {
    /// Whose links move the data.
    pub network: &'a dyn Network,
    /// Which item is where, and how items meet.
    pub layout: &'a dyn Layout,
    /// How far it may go.
    pub budget: Budget<'a>,
}

impl Site<'_> {
    /// How many address bits there are, if all dimensions are bits.
    pub fn bits(&self) -> Result<usize, ProgramError> {
        let factors = self.layout.factors();
        match factors.iter().position(|factor| factor.order() != 2) {
            Some(dimension) => {
                let side = factors[dimension].order();
                Err(ProgramError::NotBinary { dimension, side })
            }
            None => Ok(factors.len()),
        }
    }

    /// The value of each logical address, out of as many values as there are nodes.
    pub(super) fn value_of<T: Copy>(
        &self,
        values: &[T],
    ) -> Result<impl Fn(u64) -> T, ProgramError> {
        let nodes = self.network.order();
        if values.len() as u64 != nodes {
            return Err(ProgramError::WrongCount { given: values.len(), nodes });
        }
        Ok(|logical| values[usize::try_from(logical).expect("it fits in memory")])
    }
}

/// In which order items are to meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// Along these dimensions, lowest first.
    Ascend(Range<usize>),
    /// Along these dimensions, highest first.
    Descend(Range<usize>),
}

impl Order {
    fn dimensions(&self) -> &Range<usize> {
        match self {
            Order::Ascend(range) | Order::Descend(range) => range,
        }
    }

    /// The dimension of the meeting after `met` others.
    fn next(&self, met: usize) -> Option<usize> {
        match self {
            Order::Ascend(range) => range.clone().nth(met),
            Order::Descend(range) => range.clone().rev().nth(met),
        }
    }
}

/// What an item needs to know of a meeting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// The logical address of the item.
    pub logical: u64,
    /// Along which dimension.
    pub dimension: usize,
}

/// What a run has cost so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Spent {
    /// Steps in which messages move.
    pub steps: u64,
    /// Messages over links.
    pub moves: u64,
    /// The most messages that one node sent in a step.
    pub ports: u64,
}

#[derive(Clone, Debug)]
struct Item<T> {
    logical: u64,
    /// In how many meetings of this run it was.
    met: usize,
    value: T,
}

/// After how many nodes a step asks whether to stop.
const OFTEN: usize = 256;

/// One item at every node.
#[derive(Debug)]
pub struct Machine<'a, T> {
    site: Site<'a>,
    ports: Ports,
    strides: Vec<u64>,
    items: Vec<Item<T>>,
    spent: Spent,
}

/// What all nodes do in a step: for each its act, and whom it reaches.
struct Doing {
    acts: Vec<Act>,
    /// Where the list of each node ends; its targets are ascending.
    ends: Vec<usize>,
    targets: Vec<u64>,
}

impl Doing {
    fn of(&self, at: usize) -> &[u64] {
        let begin = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.targets[begin..self.ends[at]]
    }
}

impl<'a, T: Clone> Machine<'a, T> {
    /// Every item starts at its place. Memory for two items and a few words a node, and one for each that it may meet.
    pub fn new(
        site: Site<'a>,
        ports: Ports,
        mut value: impl FnMut(u64) -> T,
    ) -> Result<Self, ProgramError> {
        let order = site.network.order();
        let each = 2 * size_of::<Item<T>>() + 4 * size_of::<u64>();
        let widest = site.layout.factors().iter().map(|factor| factor.ports()).max();
        let met = u128::from(widest.unwrap_or(0)) * size_of::<u64>() as u128;
        let need = u128::from(order) * (each as u128 + met);
        site.budget.fits("all items", need)?;
        let items = (0..order).map(|at| {
            let logical = site.layout.logical(Node(at));
            Item { logical, met: 0, value: value(logical) }
        });
        let items = items.collect();
        let mut strides = vec![1];
        for factor in site.layout.factors() {
            strides.push(strides[strides.len() - 1] * factor.order());
        }
        Ok(Machine { site, ports, strides, items, spent: Spent::default() })
    }

    /// What it has cost so far.
    pub fn spent(&self) -> Spent {
        self.spent
    }

    /// All values, by logical address.
    pub fn values(self) -> Vec<T> {
        let mut items = self.items;
        items.sort_unstable_by_key(|item| item.logical);
        items.into_iter().map(|item| item.value).collect()
    }

    /// What each node makes of its item alone, which takes no step.
    pub fn update(&mut self, change: impl Fn(u64, &T) -> T) {
        self.items.iter_mut().for_each(|item| item.value = change(item.logical, &item.value));
    }

    /// Brings items together in that order, by the steps of the layout; each becomes what `meet` makes of it and those
    /// it is shown. Afterwards every item has met along every dimension in turn, and is at its place.
    pub fn run(
        &mut self,
        order: &Order,
        mut meet: impl FnMut(Meeting, &T, &[(u64, &T)]) -> T,
    ) -> Result<(), ProgramError> {
        let mut steps = self.site.layout.ascend(order.dimensions().clone());
        if matches!(order, Order::Descend(_)) {
            steps.reverse();
        }
        self.begin();
        for step in &steps {
            self.step(step, order, &mut meet)?;
        }
        self.end(order)
    }

    /// No item has met.
    pub fn begin(&mut self) {
        self.items.iter_mut().for_each(|item| item.met = 0);
    }

    /// Whether every item has met in every dimension, and is at its place.
    pub fn end(&self, order: &Order) -> Result<(), ProgramError> {
        let wanted = order.dimensions().len();
        for (at, &Item { logical: item, met, .. }) in (0..).map(Node).zip(&self.items) {
            if met != wanted {
                return Err(ProgramError::NotMet { item, met, wanted });
            }
            if self.site.layout.logical(at) != item {
                return Err(ProgramError::Astray { item, node: at });
            }
        }
        Ok(())
    }

    /// One step that only carries; items may end anywhere.
    pub fn carry(&mut self, step: &Step) -> Result<(), ProgramError> {
        self.step(step, &Order::Ascend(0..0), &mut |_, own, _| own.clone())
    }

    /// Whether all items are where `place` says, from logical address to logical address.
    pub fn settle(&mut self, place: impl Fn(u64) -> u64) -> Result<(), ProgramError> {
        for (at, item) in (0..).map(Node).zip(&mut self.items) {
            let here = self.site.layout.logical(at);
            if place(item.logical) != here {
                return Err(ProgramError::Astray { item: item.logical, node: at });
            }
            item.logical = here;
        }
        Ok(())
    }

    /// One step of all nodes.
    pub fn step(
        &mut self,
        step: &Step,
        order: &Order,
        meet: &mut impl FnMut(Meeting, &T, &[(u64, &T)]) -> T,
    ) -> Result<(), ProgramError> {
        self.spent.steps += 1;
        let doing = self.doing(step)?;
        let mut arrived = self.arrivals(&doing)?;
        let mut next = Vec::with_capacity(self.items.len());
        let mut shown = Vec::new();
        for (at, item) in self.items.iter().enumerate() {
            if at.is_multiple_of(OFTEN) {
                self.site.budget.watch.check()?;
            }
            next.push(match doing.acts[at] {
                Act::Stay => item.clone(),
                Act::Carry => self.items[index(std::mem::take(&mut arrived[at]))].clone(),
                Act::Meet if doing.of(at).is_empty() => item.clone(),
                Act::Meet => {
                    let turn = order.next(item.met);
                    let dimension = self.meeting(at, doing.of(at), turn)?;
                    if turn != Some(dimension) {
                        let (step, item) = (self.spent.steps, item.logical);
                        return Err(ProgramError::OutOfTurn { step, item, dimension });
                    }
                    shown.clear();
                    shown.extend(doing.of(at).iter().map(|&other| {
                        let other = &self.items[index(other)];
                        (other.logical, &other.value)
                    }));
                    let meeting = Meeting { logical: item.logical, dimension };
                    let value = meet(meeting, &item.value, &shown);
                    Item { logical: item.logical, met: item.met + 1, value }
                }
            });
        }
        self.items = next;
        Ok(())
    }

    /// The channels that a step uses.
    pub fn channels(&self, step: &Step, mut visit: impl FnMut(Node, Port)) {
        let mut ports = Vec::new();
        for at in (0..self.site.network.order()).map(Node) {
            ports.clear();
            step.act(at, &mut ports);
            ports.iter().for_each(|&port| visit(at, port));
        }
    }

    /// What everybody does, over links that exist.
    fn doing(&mut self, step: &Step) -> Result<Doing, ProgramError> {
        let network = self.site.network;
        let number = self.spent.steps;
        let mut doing = Doing { acts: Vec::new(), ends: Vec::new(), targets: Vec::new() };
        let mut ports = Vec::new();
        for at in (0..network.order()).map(Node) {
            if at.0.is_multiple_of(OFTEN as u64) {
                self.site.budget.watch.check()?;
            }
            ports.clear();
            let act = step.act(at, &mut ports);
            let begin = doing.targets.len();
            for &port in &ports {
                let exists = port.0 < network.ports();
                let to = exists.then(|| network.neighbor(at, port)).flatten();
                let to = to.ok_or(ProgramError::NoLink { step: number, from: at, port })?;
                doing.targets.push(to.0);
            }
            doing.targets[begin..].sort_unstable();
            let messages = ports.len();
            if messages > 1 && (self.ports == Ports::One || act == Act::Carry) {
                return Err(ProgramError::SendsTwice { step: number, node: at, messages });
            }
            self.spent.moves += messages as u64;
            self.spent.ports = self.spent.ports.max(messages as u64);
            doing.acts.push(act);
            doing.ends.push(doing.targets.len());
        }
        Ok(doing)
    }

    /// From where the item of each node comes, if it is carried there. Who gives one gets one, and nobody else does.
    fn arrivals(&self, doing: &Doing) -> Result<Vec<u64>, ProgramError> {
        let step = self.spent.steps;
        let mut arrived = vec![0; self.items.len()];
        let mut count = vec![0u8; self.items.len()];
        for (from, at) in (0u64..).zip(0..self.items.len()) {
            match doing.acts[at] {
                Act::Carry => {
                    for &to in doing.of(at) {
                        arrived[index(to)] = from;
                        count[index(to)] = count[index(to)].saturating_add(1);
                    }
                }
                Act::Meet => {
                    for &to in doing.of(at) {
                        let answers = doing.acts[index(to)] == Act::Meet
                            && doing.of(index(to)).binary_search(&from).is_ok();
                        if !answers {
                            let (from, to) = (Node(from), Node(to));
                            return Err(ProgramError::Unanswered { step, from, to });
                        }
                    }
                }
                Act::Stay => {}
            }
        }
        for (node, (&came, &act)) in (0..).map(Node).zip(count.iter().zip(&doing.acts)) {
            let left = usize::from(act == Act::Carry);
            let items = usize::from(came) + 1 - left;
            if items != 1 {
                return Err(ProgramError::NotOne { step, node, items });
            }
        }
        Ok(arrived)
    }

    /// Along which one dimension the item at a node meets all its neighbors in the guest; the one whose turn it is is
    /// tried first.
    fn meeting(
        &self,
        at: usize,
        others: &[u64],
        turn: Option<usize>,
    ) -> Result<usize, ProgramError> {
        let own = self.items[at].logical;
        if let Some(turn) = turn.filter(|&turn| self.are_neighbors(own, others, turn)) {
            return Ok(turn);
        }
        let first = self.items[index(others[0])].logical;
        let dimension = self.dimension(own, first);
        let dimension = dimension.filter(|&dimension| self.are_neighbors(own, others, dimension));
        let node = Node(at as u64);
        dimension.ok_or(ProgramError::Strangers { step: self.spent.steps, node, item: own })
    }

    /// Whether the items at these nodes are all the neighbors of one along a dimension of the guest.
    fn are_neighbors(&self, own: u64, others: &[u64], dimension: usize) -> bool {
        let (low, high) = (self.strides[dimension], self.strides[dimension + 1]);
        let digit = own % high / low;
        let met = others.iter().map(|&to| self.items[index(to)].logical);
        if high == 2 * low {
            let other = if digit == 0 { own + low } else { own - low };
            return met.eq([other]);
        }
        let mut met: Vec<u64> = met.collect();
        met.sort_unstable();
        let factor = &*self.site.layout.factors()[dimension];
        let wanted = sorted_neighbors(factor, Node(digit));
        met.into_iter().eq(wanted.into_iter().map(|to| own - digit * low + to.0 * low))
    }

    /// The one digit in which two addresses differ.
    fn dimension(&self, one: u64, other: u64) -> Option<usize> {
        let differs = |&dimension: &usize| {
            one % self.strides[dimension + 1] / self.strides[dimension]
                != other % self.strides[dimension + 1] / self.strides[dimension]
        };
        let mut all = (0..self.strides.len() - 1).filter(differs);
        all.next().filter(|_| all.next().is_none())
    }
}
