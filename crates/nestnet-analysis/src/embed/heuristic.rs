//! A map for two networks of which nothing is known: two first guesses, and exchanges that improve them.

use super::{EmbedError, Far, Map, Work, neighbors};
use nestnet_graph::{Network, Node, index};
use nestnet_topologies::random;
use std::collections::VecDeque;

impl Work<'_> {
    /// The better of two maps, improved.
    pub(super) fn heuristic(&mut self) -> Result<(Map, Vec<Node>), EmbedError> {
        let (guests, hosts) = (self.guest.order(), self.network.order());
        // Where there are more guests than hosts, neighbors in the order share a host.
        let spread = |place: u64| {
            let shared = u128::from(place) * u128::from(hosts) / u128::from(guests);
            if guests <= hosts { place } else { u64::try_from(shared).expect("below the hosts") }
        };
        let identity: Vec<Node> = (0..guests).map(|place| Node(spread(place))).collect();
        let (order, place) = (breadth_first(self.guest), breadth_first(self.network));
        let mut search = vec![Node(0); index(guests)];
        for (number, &at) in (0..guests).zip(&order) {
            search[index(at.0)] = place[index(spread(number))];
        }
        let mut best: Option<((u64, u64), Map, Vec<Node>)> = None;
        for (map, mut images) in [(Map::Identity, identity), (Map::Search, search)] {
            self.improve(&mut images)?;
            let (_, most, total) = self.dilation(&images)?;
            if best.as_ref().is_none_or(|(least, _, _)| (most, total) < *least) {
                best = Some(((most, total), map, images));
            }
        }
        let (_, map, images) = best.expect("two maps were tried");
        Ok((map, images))
    }

    /// Exchanges two images, or moves one to a free node, as often as allowed and while not all links are links.
    ///
    /// Threshold accepting: an exchange is kept unless it adds more than a threshold, which falls to nothing, to the sum
    /// of squared distances; the best map on the way is the result. The same for the same networks and exchanges.
    /// G. Dueck, T. Scheuer, "Threshold accepting", 1990.
    fn improve(&mut self, images: &mut [Node]) -> Result<(), EmbedError> {
        let Far::Tabled { order: hosts, .. } = self.far else { return Ok(()) };
        let guests = self.guest.order();
        // Where hosts are shared, moves would crowd some of them.
        if guests > hosts {
            return Ok(());
        }
        let lists: Vec<Vec<Node>> = (0..guests).map(|at| neighbors(self.guest, Node(at))).collect();
        let near: Vec<Vec<Node>> = (0..hosts).map(|at| neighbors(self.network, Node(at))).collect();
        let mut holder: Vec<Option<u64>> = vec![None; index(hosts)];
        (0..guests).for_each(|at| holder[index(images[index(at)].0)] = Some(at));
        // Each link from both ends.
        let least = lists.iter().map(|list| list.len() as u64).sum();
        let mut sum = 0;
        for at in 0..guests {
            sum += self.pull(&lists, images, at, None)?;
        }
        let mut best = (sum, images.to_vec());
        let mut random = random::exchanges(0);
        let mut draw = |bound: usize| index(random(bound as u64));
        let trials = self.exchanges / 2;
        let widest = lists.iter().map(Vec::len).max().unwrap_or(0) as u64;
        for trial in 0..trials {
            if trial % 1024 == 0 {
                self.budget.check()?;
            }
            if sum <= least || guests < 2 || hosts < 2 {
                break;
            }
            let threshold = 2 * widest * (trials - trial) / trials;
            let one = draw(images.len());
            let old = images[one];
            // Next to a neighbor's image, or anywhere.
            let beside = if draw(4) == 0 { None } else { pick(&lists[one], &mut draw) }
                .and_then(|to| pick(&near[index(images[index(to.0)].0)], &mut draw));
            let place = beside.unwrap_or_else(|| Node(draw(near.len()) as u64));
            if place == old {
                continue;
            }
            let (one, other) = (one as u64, holder[index(place.0)]);
            let before = self.pull(&lists, images, one, other)?;
            exchange(images, one, place, other, old);
            let after = self.pull(&lists, images, one, other)?;
            if after > before + threshold {
                exchange(images, one, old, other, place);
                continue;
            }
            holder[index(place.0)] = Some(one);
            holder[index(old.0)] = other;
            sum = sum + 2 * after - 2 * before;
            if sum < best.0 {
                best = (sum, images.to_vec());
            }
        }
        images.copy_from_slice(&best.1);
        Ok(())
    }

    /// The sum of squares of the distances from one or two nodes of the guest to their neighbors.
    fn pull(
        &mut self,
        lists: &[Vec<Node>],
        images: &[Node],
        one: u64,
        other: Option<u64>,
    ) -> Result<u64, EmbedError> {
        let mut sum = 0u64;
        for at in [Some(one), other].into_iter().flatten() {
            for &to in &lists[index(at)] {
                let far = self.distance(images[index(at)], images[index(to.0)])?;
                sum = sum.saturating_add(far.saturating_pow(2));
            }
        }
        Ok(sum)
    }
}

/// One of a list, or none of an empty one.
fn pick(list: &[Node], draw: &mut impl FnMut(usize) -> usize) -> Option<Node> {
    (!list.is_empty()).then(|| list[draw(list.len())])
}

/// Puts one node of the guest to a place, and who was there to another.
fn exchange(images: &mut [Node], one: u64, place: Node, other: Option<u64>, old: Node) {
    images[index(one)] = place;
    if let Some(other) = other {
        images[index(other)] = old;
    }
}

/// All nodes in the order of a breadth-first search from node 0, and from the next that it has not found.
fn breadth_first(network: &dyn Network) -> Vec<Node> {
    let mut found = vec![false; index(network.order())];
    let mut order = Vec::new();
    let mut queue = VecDeque::new();
    for first in (0..network.order()).map(Node) {
        if std::mem::replace(&mut found[index(first.0)], true) {
            continue;
        }
        queue.push_back(first);
        while let Some(at) = queue.pop_front() {
            order.push(at);
            for to in neighbors(network, at) {
                if !std::mem::replace(&mut found[index(to.0)], true) {
                    queue.push_back(to);
                }
            }
        }
    }
    order
}
