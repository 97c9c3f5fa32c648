//! The quickest broadcast with one port from a node of a small network, by a search that proves its answer.

use super::broadcast::{Broadcast, lower_bound, streamed};
use super::tree::OnePort;
use super::{Ports, Schedule, Steps, Transfer};
use nestnet_graph::{Network, Node, Port};
use std::collections::HashSet;
use std::fmt::Debug;
use std::sync::Arc;

/// Larger networks are not searched.
pub const MAX_SEARCHED: u64 = 32;

/// How many choices are tried before the search gives up.
const MAX_WORK: u64 = 1 << 23;

/// The quickest that was found, and what is proven.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Least {
    /// Who tells whom.
    pub schedule: Schedule,
    /// No broadcast takes fewer steps. Where it is as many as the schedule has, that is the quickest.
    pub low: u64,
}

/// The quickest broadcast from `root`; `None` where the network is too large or not connected.
///
/// Depth first over the sets of nodes that know, with one step more each time none is found. After a step as many new
/// nodes know as a largest matching of those that know with those that do not has links: what is informed earlier never hurts, and
/// by exchange every set that can be informed at once is part of a largest. A branch ends where even doubling, or the distance
/// to whoever does not know, takes too long, or where the same set was reached with no more steps left. Exact unless it gives up
/// after `MAX_WORK` choices, and then between bounds; exponential at worst.
///
/// ```
/// use nestnet_collectives::least::least;
/// use nestnet_graph::{Csr, Network, Node};
/// use std::sync::Arc;
///
/// let square = Csr::from_links(4, &[(0, 1), (1, 3), (3, 2), (2, 0)], 1 << 20)?;
/// let network: Arc<dyn Network> = Arc::new(square);
/// let found = least(&network, Node(0)).unwrap();
/// assert_eq!((found.schedule.steps.len(), found.low), (2, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn least(network: &Arc<dyn Network>, root: Node) -> Option<Least> {
    let order = u32::try_from(network.order()).ok().filter(|_| network.order() <= MAX_SEARCHED)?;
    let mut rows = vec![Vec::new(); order as usize];
    for (at, row) in (0..).map(Node).zip(&mut rows) {
        network.for_each_neighbor(at, &mut |port, to| row.push((port, to)));
    }
    let known = OnePort::new(network.clone())?;
    let mut best = Schedule::collect(known.from(root));
    let everybody = u64::MAX >> (64 - order.max(1));
    let bit = |node: Node| 1u64 << node.0;
    let near = rows.iter().map(|row| row.iter().fold(0, |set, &(_, to)| set | bit(to))).collect();
    let mut search = Search { near, everybody, failed: HashSet::new(), work: MAX_WORK };
    if search.within(bit(root), order) != everybody {
        return None;
    }
    let mut low = lower_bound(&**network, root, Ports::One);
    while low < best.steps.len() as u64 {
        let steps = u32::try_from(low).ok()?;
        if let Some(sets) = search.spread(bit(root), steps) {
            best = Schedule { steps: search.sends(bit(root), &sets, &rows) };
            break;
        }
        if search.work == 0 {
            break;
        }
        low += 1;
    }
    Some(Least { schedule: best, low })
}

struct Search {
    /// The neighbors of each node.
    near: Vec<u64>,
    everybody: u64,
    /// Sets from which everybody cannot be informed in so many steps.
    failed: HashSet<(u64, u32)>,
    work: u64,
}

/// The members of a set.
fn members(set: u64) -> impl Iterator<Item = usize> {
    (0..64).filter(move |at| set >> at & 1 == 1)
}

impl Search {
    /// Whoever is at most so many links away from the set.
    fn within(&self, set: u64, steps: u32) -> u64 {
        (0..steps).fold(set, |set, _| members(set).fold(set, |all, at| all | self.near[at]))
    }

    /// The sets of nodes that know after each step, the last of them everybody; `None` where so many steps do not do.
    fn spread(&mut self, knows: u64, left: u32) -> Option<Vec<u64>> {
        if knows == self.everybody {
            return Some(Vec::new());
        }
        let most = u64::from(knows.count_ones()) << left.min(32);
        if most < self.everybody.count_ones().into()
            || self.within(knows, left) != self.everybody
            || self.failed.contains(&(knows, left))
        {
            return None;
        }
        for informed in self.largest(knows) {
            if let Some(mut sets) = self.spread(knows | informed, left - 1) {
                sets.insert(0, knows | informed);
                return Some(sets);
            }
            if self.work == 0 {
                return None;
            }
        }
        self.failed.insert((knows, left));
        None
    }

    /// All sets of nodes that those who know can tell at once, of the largest size; each once.
    fn largest(&mut self, knows: u64) -> Vec<u64> {
        let new = |at: usize| self.near[at] & !knows;
        let senders: Vec<u64> = members(knows).map(new).filter(|&to| to != 0).collect();
        let mut sets = HashSet::from([0u64]);
        for (informed, to) in senders.iter().enumerate() {
            let mut next = HashSet::new();
            for &set in &sets {
                next.extend(members(to & !set).map(|at| set | 1 << at));
                // It may as well leave one to a later sender that has no other.
                next.insert(set);
            }
            self.work = self.work.saturating_sub(next.len() as u64);
            if self.work == 0 {
                return Vec::new();
            }
            // What falls behind by more than the senders that are left cannot be of the largest size.
            let left = senders.len() - informed - 1;
            let most = next.iter().map(|set| set.count_ones() as usize).max().unwrap_or(0);
            next.retain(|set| set.count_ones() as usize + left >= most);
            sets = next;
        }
        let most = sets.iter().map(|set| set.count_ones()).max().unwrap_or(0);
        let mut sets: Vec<u64> = sets.into_iter().filter(|set| set.count_ones() == most).collect();
        sets.sort_unstable();
        sets
    }

    /// Who tells whom in each step: a matching that covers what is new.
    fn sends(&self, root: u64, sets: &[u64], rows: &[Vec<(Port, Node)>]) -> Vec<Vec<Transfer>> {
        let mut knows = root;
        let mut steps = Vec::new();
        for &set in sets {
            // From whom each new node is informed, by augmenting paths.
            let mut teller: Vec<Option<usize>> = vec![None; rows.len()];
            for to in members(set & !knows) {
                self.augment(to, knows, &mut teller, &mut 0);
            }
            let step = teller.iter().enumerate().filter_map(|(from, to)| {
                let to = Node((*to)? as u64);
                let &(port, _) = rows[from].iter().find(|&&(_, end)| end == to)?;
                Some(Transfer { from: Node(from as u64), port, block: 0 })
            });
            steps.push(step.collect());
            knows = set;
        }
        steps
    }

    fn augment(&self, to: usize, knows: u64, teller: &mut [Option<usize>], seen: &mut u64) -> bool {
        for from in members(self.near[to] & knows) {
            if *seen >> from & 1 == 1 {
                continue;
            }
            *seen |= 1 << from;
            if teller[from].is_none_or(|other| self.augment(other, knows, teller, seen)) {
                teller[from] = Some(to);
                return true;
            }
        }
        false
    }
}

/// With one port: the quickest that [`least`] finds.
#[derive(Debug)]
pub struct LeastOnePort {
    network: Arc<dyn Network>,
}

impl LeastOnePort {
    /// `None` when the network is too large to be searched.
    pub fn new(network: Arc<dyn Network>) -> Option<Self> {
        (network.order() <= MAX_SEARCHED).then_some(LeastOnePort { network })
    }
}

impl Broadcast for LeastOnePort {
    fn ports(&self) -> Ports {
        Ports::One
    }

    fn from(&self, root: Node) -> Steps<'_> {
        streamed(least(&self.network, root).map(|least| least.schedule).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Goal, Model, Repeats, check};
    use nestnet_graph::{Budget, Csr};

    fn network(order: u64, links: &[(u32, u32)]) -> Arc<dyn Network> {
        Arc::new(Csr::from_links(order, links, 1 << 20).unwrap())
    }

    fn ring(n: u32) -> Vec<(u32, u32)> {
        (0..n).map(|i| (i, (i + 1) % n)).collect()
    }

    /// The reference: all matchings, not only the largest, without any bound.
    fn slowly(near: &[u64], knows: u64, left: u32) -> bool {
        let everybody = (1u64 << near.len()) - 1;
        if knows == everybody {
            return true;
        }
        fn tell(near: &[u64], before: u64, knows: u64, from: usize, left: u32) -> bool {
            if from == near.len() {
                return slowly(near, knows, left);
            }
            tell(near, before, knows, from + 1, left)
                || (before >> from & 1 == 1
                    && members(near[from] & !knows)
                        .any(|to| tell(near, before, knows | 1 << to, from + 1, left)))
        }
        left > 0 && tell(near, knows, knows, 0, left - 1)
    }

    fn steps(network: &Arc<dyn Network>, root: u64) -> (u64, u64) {
        let found = least(network, Node(root)).unwrap();
        let model = Model { ports: Ports::One, repeats: Repeats::Allowed };
        let goal = Goal::Broadcast { root: Node(root) };
        let took = found.schedule.steps.len() as u64;
        let cost = check(&**network, model, goal, streamed(found.schedule), &Budget::UNLIMITED);
        assert_eq!(cost.unwrap().steps, took);
        (found.low, took)
    }

    #[test]
    fn as_quick_as_trying_everything() {
        let chords: Vec<(u32, u32)> = ring(8).into_iter().chain([(0, 4), (1, 5), (2, 7)]).collect();
        let star: Vec<(u32, u32)> = (1..7).map(|leaf| (0, leaf)).collect();
        for (order, links) in [(7, ring(7)), (8, chords), (7, star), (2, vec![(0, 1)])] {
            let network = network(order, &links);
            let mut near = vec![0u64; usize::try_from(order).unwrap()];
            for &(a, b) in &links {
                near[a as usize] |= 1 << b;
                near[b as usize] |= 1 << a;
            }
            for root in 0..order {
                let quickest = (0..).find(|&left| slowly(&near, 1 << root, left)).unwrap();
                assert_eq!(steps(&network, root), (quickest.into(), quickest.into()), "{links:?}");
            }
        }
    }

    #[test]
    fn the_heawood_graph_takes_four_steps() {
        let chords = (0..7).map(|i| (2 * i + 1, (2 * i + 6) % 14));
        let network = network(14, &ring(14).into_iter().chain(chords).collect::<Vec<_>>());
        for root in 0..14 {
            assert_eq!(steps(&network, root), (4, 4));
        }
    }

    #[test]
    fn what_is_too_large_or_in_parts_is_left() {
        assert!(least(&network(33, &ring(33)), Node(0)).is_none());
        assert!(least(&network(3, &[(0, 1)]), Node(0)).is_none());
        assert!(LeastOnePort::new(network(33, &ring(33))).is_none());
    }
}
