//! Is there a half that cuts fewer cables? An exhaustive search that forgets what no longer matters.
//!
//! The nodes are put on a side one after the other. What the rest can still cost depends only on the sides of the
//! *frontier* (the nodes placed that have neighbors to come) and on how many nodes are on the one side; of all that
//! agree in these the cheapest is kept. States that cannot end below the known cut are dropped: each node to come will
//! cut at least the cables to its placed neighbors on the one side or those to the other. Exact; at most 2^frontier · nodes states at a
//! time, and far fewer where the known cut is good.

use super::super::{Watch, count, id};
use super::order::Order;
use super::work::Work;
use crate::Csr;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// What the search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// No half cuts fewer cables.
    None,
    /// A half that cuts the fewest cables of all.
    Found(Vec<bool>),
    /// The fewest cables that a half cuts, but there was no room to remember which.
    Least(u64),
    /// It was stopped, or would have needed too much memory.
    GaveUp,
}

/// Looks for a half that cuts fewer than `high` cables, in at most about `max_memory` bytes.
pub fn least_cut_below(
    csr: &Csr,
    order: &Order,
    high: u64,
    max_memory: u64,
    work: &mut Work<'_>,
) -> Outcome {
    let Ok(high) = u16::try_from(high) else { return Outcome::GaveUp };
    let steps = steps(csr, &order.nodes, max_memory, work.watch);
    let Some(steps) = steps else { return Outcome::GaveUp };
    let plan = Plan { steps, n: count(csr), max_memory };
    let least = match plan.run(high, Keep::Last, work) {
        Err(GaveUp) => return Outcome::GaveUp,
        Ok((None, _)) => return Outcome::None,
        Ok((Some(least), _)) => least,
    };
    // Again, with a bound that leaves little, to remember the way.
    match plan.run(least + 1, Keep::All, work) {
        Ok((_, layers)) => Outcome::Found(plan.walk_back(&layers, &order.nodes, least)),
        Err(GaveUp) => Outcome::Least(least.into()),
    }
}

/// What happens when one node is placed. Each node of the frontier has a bit of its own.
#[derive(Clone, Debug)]
struct Step {
    /// The bit of the node placed.
    bit: u64,
    /// Its cables to neighbors placed before.
    neighbors: Cables,
    /// The bits of the nodes that have no neighbors to come.
    drop: u64,
    /// For every node to come that has at least two neighbors placed: its cables to them.
    ahead: Vec<Cables>,
}

/// The cables from one node to nodes of the frontier: how many lead to any of its nodes is their weighted sum, so that
/// almost always one number of ones is enough.
#[derive(Clone, Debug, Default)]
struct Cables {
    /// The nodes to which an odd number leads.
    odd: u64,
    /// For 2, 4, 8 …: the nodes of whose number that is a binary digit.
    higher: Vec<u64>,
}

impl Cables {
    /// From a node whose placed neighbors have bits.
    fn of(csr: &Csr, at: u32, bits: &[u64]) -> Self {
        let mut cables = Cables::default();
        for &to in csr.neighbors(at) {
            // One more to this node: a carry from digit to digit.
            let mut carry = bits[to as usize];
            let mut higher = cables.higher.iter_mut();
            let mut digit = Some(&mut cables.odd);
            while let Some(sum) = digit.filter(|_| carry > 0) {
                (*sum, carry) = (*sum ^ carry, *sum & carry);
                digit = higher.next();
            }
            cables.higher.extend((carry > 0).then_some(carry));
        }
        cables
    }

    /// The nodes at their other ends.
    fn nodes(&self) -> u64 {
        self.higher.iter().fold(self.odd, |all, digit| all | digit)
    }

    /// How many lead to some nodes; no more than a cost can be.
    #[inline]
    fn to(&self, nodes: u64) -> u16 {
        let ones = |digit: u64| u64::from((digit & nodes).count_ones());
        let sum = (1..).zip(&self.higher).map(|(power, &digit)| ones(digit) << power).sum::<u64>();
        u16::try_from(ones(self.odd) + sum).unwrap_or(INFINITE)
    }
}

/// Links that are looked at before the search begins: a node with very many would take too long.
const MAX_LOOKS: usize = 1 << 28;

/// A step for every node of the order; `None` when stopped, or where they alone need too much memory.
fn steps(csr: &Csr, order: &[u32], max_memory: u64, watch: &Watch<'_>) -> Option<Vec<Step>> {
    let mut rank = vec![0; order.len()];
    for (position, &v) in order.iter().enumerate() {
        rank[v as usize] = position;
    }
    let last = |&v: &u32| csr.neighbors(v).iter().map(|&u| rank[u as usize]).max();
    let last: Vec<Option<usize>> = order.iter().map(last).collect();
    let mut bits = vec![0u64; order.len()];
    let mut used = 0u64;
    let mut frontier: Vec<u32> = Vec::new();
    let mut steps = Vec::with_capacity(order.len());
    let (mut held, mut looks) = (0, 0);
    for (position, &v) in order.iter().enumerate() {
        let is_over = position.is_multiple_of(256) && (watch.stop)();
        if is_over || held > max_memory || looks > MAX_LOOKS {
            return None;
        }
        let bit = 1 << (!used).trailing_zeros();
        used |= bit;
        let neighbors = Cables::of(csr, v, &bits);
        bits[v as usize] = bit;
        frontier.push(v);
        let mut drop = 0;
        frontier.retain(|&u| {
            let done = last[rank[u as usize]].is_none_or(|last| last <= position);
            if done {
                drop |= std::mem::take(&mut bits[u as usize]);
            }
            !done
        });
        used &= !drop;
        looks += frontier.iter().map(|&u| csr.neighbors(u).len()).sum::<usize>();
        let beyond = frontier.iter().flat_map(|&u| csr.neighbors(u));
        let mut to_come: Vec<u32> =
            beyond.copied().filter(|&u| rank[u as usize] > position).collect();
        to_come.sort_unstable();
        to_come.dedup();
        let ahead: Vec<Cables> = to_come
            .into_iter()
            .map(|u| Cables::of(csr, u, &bits))
            .filter(|cables| cables.nodes().count_ones() >= 2)
            .collect();
        let digits = ahead.iter().map(|cables| cables.higher.len()).sum::<usize>();
        held += (size_of::<Step>() + size_of::<Cables>() * ahead.len() + 8 * digits) as u64;
        steps.push(Step { bit, neighbors, drop, ahead });
    }
    Some(steps)
}

/// All states after some nodes are placed: for every side of the frontier, the least cut by the number of nodes on the
/// one side.
#[derive(Clone, Debug)]
struct Layer {
    /// The least number of nodes on the one side that is kept.
    from: usize,
    /// How many numbers are kept.
    width: usize,
    masks: Vec<u64>,
    costs: Vec<u16>,
    index: HashMap<u64, u32, BuildHasherDefault<Multiply>>,
}

const INFINITE: u16 = u16::MAX;

impl Layer {
    /// For `placed` of `n` nodes: neither side may have more than half of all.
    fn new(placed: usize, n: usize) -> Self {
        let most = n.div_ceil(2);
        let from = placed.saturating_sub(most);
        let width = placed.min(most) + 1 - from;
        Layer { from, width, masks: Vec::new(), costs: Vec::new(), index: HashMap::default() }
    }

    fn costs_of(&self, index: usize) -> &[u16] {
        &self.costs[index * self.width..][..self.width]
    }

    fn costs_for(&mut self, mask: u64) -> &mut [u16] {
        let fresh = id(self.masks.len());
        let index = *self.index.entry(mask).or_insert(fresh);
        if index == fresh {
            self.masks.push(mask);
            self.costs.resize(self.costs.len() + self.width, INFINITE);
        }
        &mut self.costs[index as usize * self.width..][..self.width]
    }

    /// About what it takes, with the table.
    fn bytes(&self) -> u64 {
        self.masks.len() as u64 * (32 + 2 * self.width as u64)
    }
}

/// Which layers are wanted at the end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keep {
    Last,
    All,
}

struct GaveUp;

struct Plan {
    steps: Vec<Step>,
    n: usize,
    max_memory: u64,
}

impl Plan {
    /// The least cut below `high`, if there is one, and the layers.
    fn run(
        &self,
        high: u16,
        keep: Keep,
        work: &mut Work<'_>,
    ) -> Result<(Option<u16>, Vec<Layer>), GaveUp> {
        let mut layer = Layer::new(0, self.n);
        layer.costs_for(0).fill(0);
        let mut kept = Vec::new();
        let mut held = 0;
        for (position, step) in self.steps.iter().enumerate() {
            let mut next = Layer::new(position + 1, self.n);
            held += layer.bytes();
            // A look into the table is as long as some steps, and then there is a cost for every balance.
            let each = 2 * (16 + (step.ahead.len() + layer.width) as u64 / 4);
            for (index, &mask) in layer.masks.iter().enumerate() {
                // Both sides are alike until the first node has one.
                let sides: &[bool] = if position == 0 { &[true] } else { &[false, true] };
                for &on in sides {
                    place(step, mask, layer.costs_of(index), layer.from, on, high, &mut next);
                }
                if index.is_multiple_of(4096) {
                    let states = (layer.masks.len() - index).min(4096) as u64;
                    let worked = work.spend(each * states).is_ok();
                    if !worked || held + next.bytes() > self.max_memory {
                        return Err(GaveUp);
                    }
                }
            }
            match keep {
                Keep::Last => held = 0,
                Keep::All => kept.push(layer),
            }
            layer = next;
        }
        let half = self.n / 2;
        let ends = layer.masks.iter().enumerate().flat_map(|(index, _)| {
            let costs = (layer.from..).zip(layer.costs_of(index));
            costs.filter(|&(on, _)| on == half || on == self.n - half).map(|(_, &cost)| cost)
        });
        let least = ends.min().filter(|&cost| cost < high);
        kept.push(layer);
        Ok((least, kept))
    }

    /// The side that led to the least cut.
    fn walk_back(&self, layers: &[Layer], order: &[u32], least: u16) -> Vec<bool> {
        let mut side = vec![false; self.n];
        let half = self.n / 2;
        let (mut mask, mut cost) = (0, least);
        let end = &layers[self.n];
        let mut on = [half, self.n - half]
            .into_iter()
            .find(|&on| look_up(end, 0, on) == Some(least))
            .expect("the search ended there");
        for position in (0..self.n).rev() {
            let (step, before) = (&self.steps[position], &layers[position]);
            let found = before.masks.iter().find_map(|&from| {
                [false, true].into_iter().find_map(|here| {
                    let (to, added) = step.place(from, here);
                    let count = on.checked_sub(usize::from(here))?;
                    let left = cost.checked_sub(added)?;
                    (to == mask && look_up(before, from, count) == Some(left))
                        .then_some((from, here, count, left))
                })
            });
            let here;
            (mask, here, on, cost) = found.expect("every state came from one before");
            side[order[position] as usize] = here;
        }
        side
    }
}

fn look_up(layer: &Layer, mask: u64, on: usize) -> Option<u16> {
    let index = *layer.index.get(&mask)? as usize;
    layer.costs_of(index).get(on.checked_sub(layer.from)?).copied()
}

impl Step {
    /// The frontier after the node is placed, and the cables that this cuts.
    fn place(&self, mask: u64, on: bool) -> (u64, u16) {
        let (with, across) = if on { (mask | self.bit, !mask) } else { (mask, mask) };
        (with & !self.drop, self.neighbors.to(across))
    }
}

fn place(
    step: &Step,
    mask: u64,
    costs: &[u16],
    from: usize,
    on: bool,
    high: u16,
    next: &mut Layer,
) {
    let (child, added) = step.place(mask, on);
    let least = costs.iter().copied().min().unwrap_or(INFINITE).saturating_add(added);
    if least >= high {
        return;
    }
    // Below `high` less what the nodes to come must cut.
    let mut limit = high;
    for cables in &step.ahead {
        limit = limit.saturating_sub(cables.to(child).min(cables.to(!child)));
        if limit <= least {
            return;
        }
    }
    // Shift by one node on the one side, and by where the lists begin.
    let shift = from + usize::from(on);
    let skip = next.from.saturating_sub(shift).min(costs.len());
    let offset = shift.saturating_sub(next.from).min(next.width);
    let length = (costs.len() - skip).min(next.width - offset);
    let costs = &costs[skip..skip + length];
    let fits = |cost: u16| cost.saturating_add(added) < limit;
    if !costs.iter().any(|&cost| fits(cost)) {
        return;
    }
    let slots = &mut next.costs_for(child)[offset..offset + length];
    for (slot, &cost) in slots.iter_mut().zip(costs) {
        *slot = (*slot).min(if fits(cost) { cost + added } else { INFINITE });
    }
}

/// Spreads masks over the table; they are no one's choice, so nothing stronger is needed.
#[derive(Default)]
struct Multiply(u64);

impl Hasher for Multiply {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = (self.0 ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(26);
    }
}

#[cfg(test)]
mod tests {
    use super::super::order::small_frontier;
    use super::*;
    use crate::samples::*;

    #[test]
    fn a_search_that_does_not_fit_is_given_up() {
        let csr = torus(4, 6);
        let order: Vec<u32> = (0..24).collect();
        let fits = |max_memory| steps(&csr, &order, max_memory, &Watch::SILENT).is_some();
        // All steps but the last, which is not followed by a look at what is held.
        let all = steps(&csr, &order, u64::MAX, &Watch::SILENT).unwrap();
        let bytes =
            |step: &Step| (size_of::<Step>() + size_of::<Cables>() * step.ahead.len()) as u64;
        let held: u64 = all[..23].iter().map(bytes).sum();
        assert_eq!((fits(held), fits(held - 1), fits(1)), (true, false, false));
        let stopped = Watch { stop: &|| true, ..Watch::SILENT };
        assert!(steps(&csr, &order, u64::MAX, &stopped).is_none());
        // The width is 8: found from above, none below, and nothing where there is no room.
        let order = small_frontier(&csr, &Watch::SILENT).unwrap();
        let within = |high, max_memory, left| {
            let mut work = Work { left, watch: &Watch::SILENT };
            least_cut_below(&csr, &order, high, max_memory, &mut work)
        };
        let below = |high, max_memory| within(high, max_memory, u64::MAX);
        assert!(matches!(below(9, 1 << 30), Outcome::Found(side) if side.len() == 24));
        assert_eq!(below(8, 1 << 30), Outcome::None);
        assert_eq!((below(9, 1), below(1 << 16, 1 << 30)), (Outcome::GaveUp, Outcome::GaveUp));
        assert_eq!(
            (within(8, 1 << 30, 1 << 30), within(8, 1 << 30, 100)),
            (Outcome::None, Outcome::GaveUp)
        );
    }

    /// Three sides of a frontier with four of eight nodes placed: from none to all of them on the one side.
    #[test]
    fn layers_hold_a_cost_for_every_balance() {
        let mut layer = Layer::new(4, 8);
        for mask in [5, 6, 5, 3] {
            layer.costs_for(mask)[0] = 7;
        }
        assert_eq!((layer.from, layer.width, &layer.masks[..]), (0, 5, &[5, 6, 3][..]));
        assert_eq!(layer.bytes(), 3 * (32 + 2 * 5));
        assert_eq!(layer.costs_of(2), [7, INFINITE, INFINITE, INFINITE, INFINITE]);
        assert_eq!(
            (look_up(&layer, 3, 0), look_up(&layer, 4, 0), look_up(&layer, 3, 5)),
            (Some(7), None, None)
        );
        // Of six placed at least two are on each side.
        let layer = Layer::new(6, 8);
        assert_eq!((layer.from, layer.width), (2, 3));
    }
}
