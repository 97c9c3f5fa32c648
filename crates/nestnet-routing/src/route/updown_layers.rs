//! Virtual channels for any routes: a new one at every turn from down to up.
//!
//! A hop goes up when it leads to a node with a higher number. Routes that go up and then down, and never up again,
//! cannot wait in a dependency cycle: up-hops come in the order of their nodes, down-hops after them in the
//! opposite order. Any other route is a few of those one after the other, and the virtual channel of a hop is how many
//! more begin behind it. So a route of length L needs at most 1 + ⌊L/2⌋ virtual channels.

use super::{Entry, Header, Hop, Router, Vc};
use nestnet_graph::measure::search::distances_from;
use nestnet_graph::{Network, Node};
use std::sync::{Arc, OnceLock};

/// The same routes as another router, on virtual channels that cannot deadlock.
#[derive(Debug)]
pub struct UpDownLayers {
    network: Arc<dyn Network>,
    inner: Arc<dyn Router>,
    longest: Option<u64>,
    /// Between any two nodes.
    vcs: OnceLock<u16>,
    /// Between hosts, where there are other nodes.
    host_vcs: OnceLock<u16>,
}

/// Up to this order all routes are walked to count the virtual channels; beyond it the bound is used.
const MAX_WALKED: u64 = 1 << 10;

/// And where only routes between hosts count, up to this many hosts times nodes.
const MAX_STEPS: u64 = 1 << 25;

impl UpDownLayers {
    /// `longest` bounds the length of a route where `inner` does not. Where neither does, routes must be shortest.
    pub fn new(network: Arc<dyn Network>, inner: Arc<dyn Router>, longest: Option<u64>) -> Self {
        let (vcs, host_vcs) = (OnceLock::new(), OnceLock::new());
        UpDownLayers { network, inner, longest, vcs, host_vcs }
    }

    /// Where the number of virtual channels between hosts is kept.
    fn between_hosts(&self) -> &OnceLock<u16> {
        if self.network.hosts() == self.network.order() { &self.vcs } else { &self.host_vcs }
    }

    /// Where a hop leads; every hop is a link.
    fn follow(&self, at: Node, hop: Hop) -> Node {
        self.network.neighbor(at, hop.port).unwrap_or(at)
    }

    /// The turns from down to up on the route that begins with `hop`.
    fn turns(&self, mut at: Node, mut hop: Hop) -> u16 {
        let mut turns = 0;
        loop {
            let next = self.follow(at, hop);
            let Some(further) = self.inner.next(next, hop.header) else { return turns };
            let beyond = self.follow(next, further);
            turns += u16::from(next < at && beyond > next);
            (at, hop) = (next, further);
        }
    }

    /// The same on a route through these nodes.
    fn turns_on(nodes: &[Node]) -> u16 {
        let turns = nodes.windows(3).filter(|route| route[1] < route[0] && route[2] > route[1]);
        u16::try_from(turns.count()).unwrap_or(u16::MAX)
    }

    /// The most turns on a route from `at`, whichever way it starts.
    fn turns_from(&self, at: Node, to: Node) -> u16 {
        if let Some(nodes) = self.inner.whole(at, to) {
            return UpDownLayers::turns_on(&nodes);
        }
        let by = |choice: u64| {
            let hop = self.inner.next(at, self.inner.start(at, to, choice));
            hop.map_or(0, |hop| self.turns(at, hop))
        };
        (0..self.inner.choices()).map(by).max().unwrap_or(0)
    }

    /// How many there are on routes between the nodes `0..ends`, or some number from `most` on where they are as many or
    /// more.
    fn count(&self, ends: u64, most: u16) -> u16 {
        let order = self.network.order();
        // Where there are switches besides, hosts are few against the routes that a bound would count.
        let few =
            ends < order && ends.saturating_mul(order) <= MAX_STEPS && !self.inner.remembers();
        if (order > MAX_WALKED && !few) || self.inner.choices() > 64 {
            let far = || {
                let distances = distances_from(&*self.network, Node(0));
                let reached = distances.into_iter().filter(|&d| d != u32::MAX);
                2 * u64::from(reached.max().unwrap_or(0))
            };
            let known = Some(self.longest()).filter(|&longest| longest < u64::MAX);
            let longest = known.unwrap_or_else(far);
            return most_turns(longest);
        }
        let size = usize::try_from(order).expect("a small network");
        let mut row = vec![Entry::NONE; size];
        let mut turns = 0;
        for to in (0..ends).map(Node) {
            if self.inner.remembers() {
                let from = (0..ends).map(|at| self.turns_from(Node(at), to));
                turns = from.fold(turns, u16::max);
            } else {
                self.fill(to, &mut row);
                let from =
                    row.iter().take(usize::try_from(ends).expect("nodes of a small network"));
                // The first hop of a route is on the highest of its virtual channels.
                let vcs = from.filter_map(|entry| entry.get());
                turns = vcs.map(|(_, vc)| vc.0).fold(turns, u16::max);
            }
            if turns >= most {
                break;
            }
        }
        turns + 1
    }
}

/// The virtual channels of a route that is as long as this.
fn most_turns(longest: u64) -> u16 {
    u16::try_from(1 + longest / 2).unwrap_or(u16::MAX)
}

impl Router for UpDownLayers {
    fn vcs(&self) -> u16 {
        *self.vcs.get_or_init(|| self.count(self.network.order(), u16::MAX))
    }

    fn host_vcs(&self) -> u16 {
        *self.between_hosts().get_or_init(|| self.count(self.network.hosts(), u16::MAX))
    }

    fn fewer_vcs_than(&self, most: u16) -> Option<u16> {
        let known = self.between_hosts();
        let vcs = match known.get() {
            Some(&vcs) => vcs,
            None => self.count(self.network.hosts(), most.saturating_sub(1)),
        };
        if vcs < most {
            let _ = known.set(vcs);
        }
        Some(vcs).filter(|&vcs| vcs < most)
    }

    fn vcs_at_most(&self) -> u16 {
        match self.longest() {
            u64::MAX => self.vcs(),
            longest => most_turns(longest),
        }
    }

    fn inner(&self) -> Option<&dyn Router> {
        Some(&*self.inner)
    }

    /// Of several hops the inner router's first is taken.
    fn adapts(&self) -> bool {
        false
    }

    fn next(&self, at: Node, header: Header) -> Option<Hop> {
        let hop = self.inner.next(at, header)?;
        Some(Hop { vc: Vc(self.turns(at, hop)), ..hop })
    }

    fn longest(&self) -> u64 {
        self.longest.unwrap_or(u64::MAX).min(self.inner.longest())
    }

    /// The turns behind a node are counted once for all routes through it.
    fn fill(&self, to: Node, row: &mut [Entry]) {
        const OPEN: u32 = u32::MAX;
        self.inner.fill(to, row);
        let header = Header { to, state: 0 };
        // For each node, where its hop leads, and to itself where it has none; then the turns behind it.
        let follow = |(at, entry): (u64, &Entry)| match entry.get() {
            Some((port, vc)) => self.follow(Node(at), Hop { port, vc, header }).0,
            None => at,
        };
        let next: Vec<u64> = (0..).zip(&*row).map(follow).collect();
        let index = |node: u64| usize::try_from(node).expect("a node of this row");
        let mut turns = vec![OPEN; row.len()];
        let mut route = Vec::new();
        for at in 0..row.len() as u64 {
            let mut node = at;
            while turns[index(node)] == OPEN {
                route.push(node);
                node = next[index(node)];
                if route.last() == Some(&node) {
                    break;
                }
            }
            while let Some(node) = route.pop() {
                let further = next[index(node)];
                turns[index(node)] = if further == node {
                    0
                } else {
                    let turn = further < node && next[index(further)] > further;
                    turns[index(further)] + u32::from(turn)
                };
            }
        }
        for (entry, turns) in row.iter_mut().zip(turns) {
            if let Some((port, _)) = entry.get() {
                let turns = u16::try_from(turns).unwrap_or(u16::MAX).min(Entry::MAX_VCS - 1);
                *entry = Entry::new(port, Vc(turns));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::{Searched, Valiant, walk};
    use nestnet_seed::samples::{petersen, ring};

    /// Every message is on the virtual channel of the turns that are still before it, counted by the definition.
    fn check(network: &Arc<dyn Network>, inner: Arc<dyn Router>) -> u16 {
        let router = UpDownLayers::new(network.clone(), inner.clone(), None);
        assert_eq!((router.choices(), router.remembers()), (inner.choices(), inner.remembers()));
        let mut most = 0;
        for (from, to) in
            (0..network.order()).flat_map(|from| (0..network.order()).map(move |to| (from, to)))
        {
            for choice in 0..inner.choices() {
                let route = walk(&**network, &router, Node(from), Node(to), choice, 1000).unwrap();
                let plain = walk(&**network, &*inner, Node(from), Node(to), choice, 1000).unwrap();
                assert_eq!(route.nodes, plain.nodes);
                for (number, hop) in route.hops.iter().enumerate() {
                    let rest = route.nodes[number..].windows(3);
                    let turns = rest.filter(|node| node[1] < node[0] && node[2] > node[1]).count();
                    assert_eq!(usize::from(hop.vc.0), turns, "{from} to {to} by {choice}");
                    most = most.max(hop.vc.0);
                }
            }
        }
        assert_eq!(router.vcs(), most + 1);
        for limit in 0..most + 4 {
            let fresh = UpDownLayers::new(network.clone(), inner.clone(), None);
            let fewer = Some(most + 1).filter(|&vcs| vcs < limit);
            assert_eq!([fresh.fewer_vcs_than(limit), router.fewer_vcs_than(limit)], [fewer; 2]);
            assert_eq!(fresh.vcs(), most + 1);
        }
        most + 1
    }

    #[test]
    fn messages_are_on_the_channel_of_the_turns_before_them() {
        for (network, vcs) in [(ring(6), 2), (petersen(), 2)] {
            let network: Arc<dyn Network> = Arc::new(network);
            let inner: Arc<dyn Router> = Arc::new(Searched::new(network.clone()).unwrap());
            assert_eq!(check(&network, inner.clone()), vcs);
            // The rows say the same as the hops.
            let router = UpDownLayers::new(network.clone(), inner.clone(), None);
            let order = network.order();
            let mut row = vec![Entry::NONE; usize::try_from(order).unwrap()];
            for to in (0..order).map(Node) {
                router.fill(to, &mut row);
                let hop = |at| router.next(at, Header { to, state: 0 });
                assert!((0..).map(Node).zip(&row).all(|(at, entry)| *entry == Entry::of(hop(at))));
            }
            check(&network, Arc::new(Valiant::new(inner, 0..order).unwrap()));
        }
    }

    /// Beyond 1,024 nodes, every second hop may turn: half of the longest route, which has twice the hops that node 0
    /// is away from the farthest at most, and one more.
    #[test]
    fn large_networks_have_channels_for_every_second_hop() {
        let network: Arc<dyn Network> = Arc::new(ring(1026));
        let inner: Arc<dyn Router> = Arc::new(Searched::new(network.clone()).unwrap());
        let vcs = |longest| UpDownLayers::new(network.clone(), inner.clone(), longest).vcs();
        assert_eq!((vcs(None), vcs(Some(10)), vcs(Some(11))), (514, 6, 6));
        let small: Arc<dyn Network> = Arc::new(ring(1024));
        let inner: Arc<dyn Router> = Arc::new(Searched::new(small.clone()).unwrap());
        assert_eq!(UpDownLayers::new(small, inner, Some(10)).vcs(), 2);
    }
}
