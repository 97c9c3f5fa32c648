//! How does a message get around what has failed, when nobody knows what has failed elsewhere?
//!
//! A node knows which of its own links are dead and whether the node behind one is. The message follows another router
//! and takes note of what the nodes on its way know. When its next hop is dead it plans: a shortest path to the target
//! through the whole network except what it has noted. It follows the plan until a hop of the plan is dead, and plans
//! again. (K. Lakshminarayanan et al., *Achieving convergence-free routing using failure-carrying packets*, 2007.)
//!
//! Every plan that fails adds a fault to the notes, so there are at most as many plans as faults, and the last of them
//! arrives if any path is left. No plan is left exactly when the target is cut off.
//!
//! The notes need not be carried: they follow from where the message started, its choice and the hops that it has
//! made, because every step is determined. So these three are the state, and the way so far is found again from them.

use super::bounded_cache::BoundedCache;
use super::guide::Guide;
use super::search::MAX_SEARCHED;
use super::shortest::shortest_path;
use super::{Faults, Header, Hop, Router, Vc};
use nestnet_graph::{Network, Node, Port};
use std::sync::Arc;
use thiserror::Error;

/// Another router, with a way around what has failed.
///
/// Detours have a virtual channel of their own, one more than the other router uses. That does not keep them from
/// a dependency cycle; [`UpDownLayers`](super::UpDownLayers) around this router does.
#[derive(Debug)]
pub struct Detouring {
    network: Arc<dyn Network>,
    inner: Arc<dyn Router>,
    faults: Arc<Faults>,
    most_hops: u64,
    only_arriving: bool,
    routes: BoundedCache<(u64, u64, u64), Arc<[Hop]>>,
    guides: BoundedCache<u64, Arc<Guide>>,
}

/// Why there are no detours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DetourError {
    /// The source, the choice and the hops must fit into the state of a header.
    #[error(
        "a header cannot hold a source out of {order} nodes, a choice out of {choices} and enough hops"
    )]
    TooLarge {
        /// Nodes.
        order: u64,
        /// Choices of the router.
        choices: u64,
    },
}

/// A message that has made this many hops is given up, or fewer where the header holds fewer.
const MOST_HOPS: u64 = 1 << 20;

/// With room for fewer hops there are no detours.
const LEAST_HOPS: u64 = 64;

/// A message that has looked at this many nodes in all its plans is given up.
const MOST_LOOKS: u64 = 1 << 22;

/// Routes and distances that are kept take about this many bytes each.
const MOST_BYTES: u64 = 1 << 26;

impl Detouring {
    /// Around these faults, of which every node knows only those next to it.
    ///
    /// ```
    /// use nestnet_routing::route::{Detouring, Faults, Searched, walk};
    /// use nestnet_graph::{Csr, Network, Node};
    /// use std::sync::Arc;
    ///
    /// let links = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)];
    /// let ring: Arc<dyn Network> = Arc::new(Csr::from_links(5, &links, 1 << 20).unwrap());
    /// let mut faults = Faults::default();
    /// faults.fail_link(Node(1), Node(2));
    /// let inner = Arc::new(Searched::new(ring.clone()).unwrap());
    /// let router = Detouring::new(ring.clone(), inner, Arc::new(faults)).unwrap();
    /// let walk = walk(&*ring, &router, Node(0), Node(2), 0, 100).unwrap();
    /// assert_eq!(walk.nodes, [0, 1, 0, 4, 3, 2].map(Node));
    /// ```
    pub fn new(
        network: Arc<dyn Network>,
        inner: Arc<dyn Router>,
        faults: Arc<Faults>,
    ) -> Result<Self, DetourError> {
        let (order, choices) = (network.order(), inner.choices());
        let starts = u128::from(order.max(1)) * u128::from(choices.max(1));
        let room = u64::try_from((1u128 << 64) / starts).unwrap_or(u64::MAX);
        if room < LEAST_HOPS {
            return Err(DetourError::TooLarge { order, choices });
        }
        let kept = |bytes: u64| usize::try_from(MOST_BYTES / bytes.max(1)).unwrap_or(usize::MAX);
        Ok(Detouring {
            network,
            inner,
            faults,
            most_hops: room.min(MOST_HOPS) - 1,
            only_arriving: false,
            routes: BoundedCache::new(kept(1 << 12)),
            guides: BoundedCache::new(kept(4 * order.min(MAX_SEARCHED))),
        })
    }

    /// The same, but a message that cannot arrive is not sent, as where hosts learn whom they still reach.
    pub fn arriving(self) -> Self {
        Detouring { only_arriving: true, ..self }
    }

    fn state(&self, hops: u64, from: Node, choice: u64) -> u64 {
        (hops * self.network.order() + from.0) * self.inner.choices().max(1) + choice
    }

    /// All hops of a message until it arrives or is given up.
    fn route(&self, from: Node, to: Node, choice: u64) -> Arc<[Hop]> {
        self.routes.get((from.0, to.0, choice), || {
            let mut journey = Journey {
                router: self,
                at: from,
                to,
                met: Faults::default(),
                hops: Vec::new(),
                looks: MOST_LOOKS,
            };
            if !self.faults.has_node(from) {
                journey.follow_inner(choice);
                journey.follow_plans();
            }
            if self.only_arriving && journey.at != to {
                journey.hops.clear();
            }
            let hops = (1..).zip(journey.hops).map(|(made, (port, vc))| {
                let header = Header { to, state: self.state(made, from, choice) };
                Hop { port, vc, header }
            });
            hops.collect()
        })
    }
}

impl Router for Detouring {
    fn vcs(&self) -> u16 {
        self.inner.vcs().saturating_add(1)
    }

    fn choices(&self) -> u64 {
        self.inner.choices()
    }

    fn start(&self, from: Node, to: Node, choice: u64) -> Header {
        Header { to, state: self.state(0, from, choice) }
    }

    fn next(&self, at: Node, header: Header) -> Option<Hop> {
        if at == header.to {
            return None;
        }
        let choices = self.inner.choices().max(1);
        let (rest, choice) = (header.state / choices, header.state % choices);
        let (made, from) = (rest / self.network.order(), Node(rest % self.network.order()));
        let route = self.route(from, header.to, choice);
        route.get(usize::try_from(made).ok()?).copied()
    }

    fn longest(&self) -> u64 {
        self.most_hops
    }

    fn remembers(&self) -> bool {
        true
    }

    fn state_bytes(&self) -> u64 {
        self.inner.state_bytes()
    }
}

/// A message on its way.
struct Journey<'a> {
    router: &'a Detouring,
    at: Node,
    to: Node,
    /// What the nodes on its way knew.
    met: Faults,
    hops: Vec<(Port, Vc)>,
    /// How many nodes its plans may look at.
    looks: u64,
}

impl Journey<'_> {
    /// Takes note of what this node knows.
    fn look(&mut self) {
        let (at, met, faults) = (self.at, &mut self.met, &self.router.faults);
        self.router.network.for_each_neighbor(at, &mut |_, next| {
            if faults.has_node(next) {
                met.fail_node(next);
            } else if faults.has_link(at, next) {
                met.fail_link(at, next);
            }
        });
    }

    /// Makes a hop that is alive; whether it was made.
    fn go(&mut self, port: Port, vc: Vc, next: Node) -> bool {
        let room = (self.hops.len() as u64) < self.router.most_hops;
        let goes = room && self.met.passes(self.at, next);
        if goes {
            self.hops.push((port, vc));
            self.at = next;
        }
        goes
    }

    /// As the other router says, up to the first dead hop.
    fn follow_inner(&mut self, choice: u64) {
        let Detouring { network, inner, .. } = self.router;
        let mut header = inner.start(self.at, self.to, choice);
        while self.at != self.to {
            self.look();
            let Some(hop) = inner.next(self.at, header) else { return };
            let in_range = hop.port.0 < network.ports();
            let next = in_range.then(|| network.neighbor(self.at, hop.port)).flatten();
            if !next.is_some_and(|next| self.go(hop.port, hop.vc, next)) {
                return;
            }
            header = hop.header;
        }
    }

    /// Plan by plan, until it arrives or no plan is left.
    fn follow_plans(&mut self) {
        let vc = Vc(self.router.inner.vcs());
        while self.at != self.to && (self.hops.len() as u64) < self.router.most_hops {
            let Some(plan) = self.plan() else { return };
            for (port, next) in plan {
                self.look();
                if !self.go(port, vc, next) {
                    break;
                }
            }
        }
    }

    /// A shortest path to the target that avoids what is noted.
    fn plan(&mut self) -> Option<Vec<(Port, Node)>> {
        let network = &*self.router.network;
        let (at, to) = (self.at, self.to);
        let guide =
            self.router.guides.get(to.0, || Arc::new(Guide::new(network, at, to, MAX_SEARCHED)));
        let (met, looks) = (&self.met, &mut self.looks);
        shortest_path(network, &guide, at, to, &|from, to| met.passes(from, to), looks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::{Searched, Valiant, Walk, WalkError, walk};
    use nestnet_graph::Csr;
    use nestnet_graph::measure::search::distances_from;
    use nestnet_seed::samples::*;
    use proptest::prelude::*;

    fn detouring(csr: &Arc<Csr>, faults: &Faults) -> Detouring {
        let inner = Arc::new(Searched::new(csr.clone()).unwrap());
        Detouring::new(csr.clone(), inner, Arc::new(faults.clone())).unwrap()
    }

    fn route(csr: &Arc<Csr>, faults: &Faults, from: Node, to: Node) -> Result<Walk, WalkError> {
        walk(&**csr, &detouring(csr, faults), from, to, 0, 1 << 20)
    }

    /// What is left when the faults are taken away.
    fn left(csr: &Csr, faults: &Faults) -> Csr {
        let all = (0..csr.order()).map(Node);
        let links = all.flat_map(|a| {
            let ends = nestnet_graph::network::sorted_neighbors(csr, a);
            ends.into_iter().filter(move |&b| a < b && faults.passes(a, b)).map(move |b| (a, b))
        });
        let id = |node: Node| u32::try_from(node.0).unwrap();
        let links: Vec<_> = links.map(|(a, b)| (id(a), id(b))).collect();
        graph(id(Node(csr.order())), &links)
    }

    /// Any graph and any of its nodes and links.
    fn damaged() -> impl Strategy<Value = (Arc<Csr>, Faults)> {
        (any_graph(10), proptest::collection::vec(0..100u32, 110), 0..40u32).prop_map(
            |(csr, dice, percent)| {
                let mut faults = Faults::default();
                let mut dice = dice.into_iter();
                for a in (0..csr.order()).map(Node) {
                    if dice.next().unwrap_or(99) < percent / 2 {
                        faults.fail_node(a);
                    }
                    for b in nestnet_graph::network::sorted_neighbors(&csr, a) {
                        if a < b && dice.next().unwrap_or(99) < percent {
                            faults.fail_link(a, b);
                        }
                    }
                }
                (Arc::new(csr), faults)
            },
        )
    }

    #[test]
    fn without_faults_nothing_changes() {
        let csr = Arc::new(torus(5, 4));
        let plain = Searched::new(csr.clone()).unwrap();
        for (from, to) in (0..20).flat_map(|a| (0..20).map(move |b| (Node(a), Node(b)))) {
            let path = |router: &dyn Router| walk(&*csr, router, from, to, 0, 100).unwrap().nodes;
            assert_eq!(path(&detouring(&csr, &Faults::default())), path(&plain));
        }
    }

    /// A path that is cut in two: each half is certified, and nothing is sent across.
    #[test]
    fn what_cannot_arrive_is_not_sent() {
        use crate::route::deadlock::certify;
        use nestnet_graph::Budget;
        let links: Vec<(u32, u32)> = (0..5).map(|at| (at, at + 1)).collect();
        let csr = Arc::new(Csr::from_links(6, &links, 1 << 20).unwrap());
        let mut faults = Faults::default();
        faults.fail_link(Node(2), Node(3));
        let sends = detouring(&csr, &faults);
        assert!(certify(&*csr, &sends, &Budget::UNLIMITED).is_err());
        let silent = detouring(&csr, &faults).arriving();
        let found = certify(&*csr, &silent, &Budget::UNLIMITED).unwrap();
        assert!(found.is_free());
        assert_eq!(found.pairs, 12);
    }

    #[test]
    fn choices_are_kept_apart() {
        let csr = Arc::new(torus(4, 4));
        let inner = Arc::new(Searched::new(csr.clone()).unwrap());
        let valiant = Arc::new(Valiant::new(inner, 0..16).unwrap());
        let mut faults = Faults::default();
        faults.fail_node(Node(6));
        let router = Detouring::new(csr.clone(), valiant.clone(), Arc::new(faults)).unwrap();
        let path = |router: &dyn Router, choice| walk(&*csr, router, Node(1), Node(11), choice, 99);
        for choice in 0..16 {
            let found = path(&router, choice).unwrap().nodes;
            let plain = path(&*valiant, choice).unwrap().nodes;
            assert!(!found.contains(&Node(6)));
            assert!(plain.contains(&Node(6)) || found == plain);
        }
    }

    #[test]
    fn a_state_must_hold_the_source() {
        #[derive(Debug)]
        struct Huge;
        impl Network for Huge {
            fn order(&self) -> u64 {
                1 << 60
            }
            fn ports(&self) -> u32 {
                1
            }
            fn neighbor(&self, at: Node, _: Port) -> Option<Node> {
                Some(Node(at.0 ^ 1))
            }
        }
        let inner = Arc::new(Searched::new(Arc::new(ring(3))).unwrap());
        let error = Detouring::new(Arc::new(Huge), inner, Arc::default()).unwrap_err();
        assert_eq!(error, DetourError::TooLarge { order: 1 << 60, choices: 1 });
    }

    proptest! {
        #![proptest_config(nestnet_seed::config())]

        /// A message arrives exactly where a path is left, over living links only.
        #[test]
        fn what_is_connected_is_delivered((csr, faults) in damaged()) {
            let left = left(&csr, &faults);
            let alive = || (0..csr.order()).map(Node).filter(|&at| !faults.has_node(at));
            for from in alive() {
                let distance = distances_from(&left, from);
                for to in alive() {
                    let far = distance[usize::try_from(to.0).unwrap()];
                    match route(&csr, &faults, from, to) {
                        Ok(walk) => {
                            prop_assert!(walk.hops.len() as u64 >= u64::from(far));
                            for pair in walk.nodes.windows(2) {
                                prop_assert!(faults.passes(pair[0], pair[1]));
                            }
                        }
                        Err(error) => {
                            prop_assert_eq!(far, u32::MAX);
                            let ends = matches!(error, WalkError::Ends { .. });
                            prop_assert!(ends);
                        }
                    }
                }
            }
        }

        /// Faults that no node on the way knows of change nothing: the message is not informed of them.
        #[test]
        fn only_what_was_met_matters((csr, faults) in damaged()) {
            let (from, to) = (Node(0), Node(csr.order() - 1));
            if faults.has_node(from) || faults.has_node(to) {
                return Ok(());
            }
            let Ok(found) = route(&csr, &faults, from, to) else { return Ok(()) };
            let near = |at: Node| {
                let around = nestnet_graph::network::sorted_neighbors(&*csr, at);
                found.nodes.contains(&at) || around.iter().any(|next| found.nodes.contains(next))
            };
            let mut met = Faults::default();
            faults.nodes().filter(|&node| near(node)).for_each(|node| met.fail_node(node));
            let links = faults.links();
            links.filter(|(a, b)| found.nodes.contains(a) || found.nodes.contains(b))
                .for_each(|(a, b)| met.fail_link(a, b));
            prop_assert_eq!(route(&csr, &met, from, to).unwrap(), found);
        }
    }
}
