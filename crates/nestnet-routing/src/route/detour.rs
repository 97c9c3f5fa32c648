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
//! made, because every step is determined. So these three are the state, and the path so far is found again from them.
//!
//! Where the other router has several choices, its sources know which of them still arrive, as a routing protocol
//! withdraws next hops that lead nowhere: a choice whose path is dead is replaced by one that is left, evenly. Equal-cost
//! multipath is so spread over the links that are alive. A router of one path may have spare ones for that, as a subnet
//! manager computes another shortest path. Only where no choice is left does the message go until it meets what failed.

use super::bounded_cache::BoundedCache;
use super::guide::Guide;
use super::search::MAX_SEARCHED;
use super::shortest::shortest_path;
use super::{Faults, Header, Hop, Router, Vc};
use nestnet_graph::measure::splitmix64;
use nestnet_graph::{Network, Node, Port, kinds};
use std::sync::Arc;
use thiserror::Error;

/// Another router, with a way around what has failed.
///
/// A choice whose path meets a failure takes the path of a choice that does not: the m-th of those of a pair that of the
/// (m + h)-th that is left, where the hash h of the pair makes this even over pairs. Of more than 1024 choices the hash
/// draws up to 64. Where none is left the message makes detours.
///
/// Paths of other choices are on the virtual channels of the other router. Detours have a virtual channel of their own, one more than the other router uses. That does not keep them from
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
    /// By source and target, where there are several choices: those whose paths are alive.
    survivors: BoundedCache<(u64, u64), Arc<[u64]>>,
    /// The same for the spare paths.
    spares: BoundedCache<(u64, u64), Arc<[u64]>>,
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

kinds!(DetourError: Unsupported);

/// A message that has made this many hops is given up, or fewer where the header holds fewer.
const MOST_HOPS: u64 = 1 << 20;

/// With room for fewer hops there are no detours.
const LEAST_HOPS: u64 = 64;

/// A message that has looked at this many nodes in all its plans is given up.
const MOST_LOOKS: u64 = 1 << 22;

/// Of more choices than this not all are looked at to replace one.
const MOST_CHOICES: u64 = 1 << 10;

/// So many of them are drawn.
const MOST_DRAWN: u64 = 1 << 6;

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
            survivors: BoundedCache::new(kept(8 * choices.min(MOST_CHOICES) + 64)),
            spares: BoundedCache::new(kept(1 << 10)),
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
        self.routes.get((from.0, to.0, choice), || self.path(from, to, choice).into())
    }

    /// The same, found anew.
    fn path(&self, from: Node, to: Node, choice: u64) -> Vec<Hop> {
        let hops = self.undisturbed(from, to, choice).unwrap_or_else(|| {
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
            journey.hops
        });
        let hops = (1..).zip(hops).map(|(made, (port, vc))| {
            let header = Header { to, state: self.state(made, from, choice) };
            Hop { port, vc, header }
        });
        hops.collect()
    }

    /// A path that meets no failure: of this choice, else of one that is left, else of a spare one.
    fn undisturbed(&self, from: Node, to: Node, choice: u64) -> Option<Vec<(Port, Vc)>> {
        let inner = &*self.inner;
        if self.faults.has_node(from) || self.faults.has_node(to) {
            return None;
        }
        let hops = self.alive(inner, from, to, choice);
        if hops.is_some() {
            return hops;
        }
        let pair = splitmix64(splitmix64(from.0) ^ to.0);
        let other = self.replaced(inner, &self.survivors, (from, to), choice, pair);
        if let Some(other) = other {
            return self.alive(inner, from, to, other);
        }
        // By the first switch and the target, as a table of that switch has it: the targets of a switch, and the switches
        // that send to a target, share what is left evenly.
        let spare = inner.structure().spare?;
        let first_hop = inner.next(from, inner.start(from, to, choice));
        let switch = first_hop.and_then(|hop| self.network.neighbor(from, hop.port))?;
        let choices = spare.choices().max(1);
        let turn = (to.0 / choices).wrapping_add(switch.0);
        let known = &self.spares;
        let other = self.replaced(spare, known, (from, to), to.0 % choices, turn)?;
        self.alive(spare, from, to, other)
    }

    /// Another choice for one that is dead.
    fn replaced(
        &self,
        router: &dyn Router,
        known: &BoundedCache<(u64, u64), Arc<[u64]>>,
        (from, to): (Node, Node),
        choice: u64,
        turn: u64,
    ) -> Option<u64> {
        let choices = router.choices();
        let is_alive = |choice: &u64| self.follows(router, (from, to), *choice, &mut |_, _| ());
        if choices > MOST_CHOICES {
            let seed = splitmix64(turn ^ choice.rotate_left(32));
            let mut drawn = (0..MOST_DRAWN).map(|draw| splitmix64(seed ^ draw) % choices);
            return drawn.find(is_alive);
        }
        // The only choice is dead: that is why another one is sought.
        if choices < 2 {
            return None;
        }
        let left = known.get((from.0, to.0), || (0..choices).filter(is_alive).collect());
        let alive = u64::try_from(left.len()).unwrap_or(u64::MAX);
        let before = u64::try_from(left.partition_point(|&one| one < choice)).unwrap_or(0);
        let number = (choice - before).wrapping_add(turn).checked_rem(alive)?;
        left.get(usize::try_from(number).ok()?).copied()
    }

    /// The hops of a choice of a router, where all of them are alive.
    fn alive(
        &self,
        router: &dyn Router,
        from: Node,
        to: Node,
        choice: u64,
    ) -> Option<Vec<(Port, Vc)>> {
        let mut hops = Vec::with_capacity(8);
        let arrives =
            self.follows(router, (from, to), choice, &mut |port, vc| hops.push((port, vc)));
        arrives.then_some(hops)
    }

    /// Whether the path of a choice arrives over links and nodes that are alive; shows its hops as far as they are.
    fn follows(
        &self,
        router: &dyn Router,
        (from, to): (Node, Node),
        choice: u64,
        visit: &mut dyn FnMut(Port, Vc),
    ) -> bool {
        let (network, ports) = (&*self.network, self.network.ports());
        let (mut at, mut made) = (from, 0);
        let mut header = router.start(from, to, choice);
        while at != to {
            let hop = router.next(at, header).filter(|hop| hop.port.0 < ports);
            let Some(hop) = hop.filter(|_| made < self.most_hops) else { return false };
            let next = network.neighbor(at, hop.port);
            let Some(next) = next.filter(|&next| self.faults.passes(at, next)) else {
                return false;
            };
            visit(hop.port, hop.vc);
            (at, header) = (next, hop.header);
            made += 1;
        }
        true
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

    fn path(&self, from: Node, to: Node, choice: u64) -> Option<Vec<Hop>> {
        Some(self.path(from, to, choice))
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
    use crate::route::{Searched, Structure, Valiant, Walk, WalkError, walk};
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
        (any_multigraph(10), proptest::collection::vec(0..100u32, 110), 0..40u32).prop_map(
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

    /// Two switches of four hosts each below four spines: the switches are 8 and 9, the spines 10 to 13.
    fn leaf_spine() -> Arc<Csr> {
        let hosts = (0..8).map(|host| (host, 8 + host / 4));
        let spines = (8..10).flat_map(|leaf| (10..14).map(move |spine| (leaf, spine)));
        let links: Vec<(u32, u32)> = hosts.chain(spines).collect();
        Arc::new(Csr::from_links(14, &links, 1 << 20).unwrap())
    }

    /// Over the spine of the choice; of one choice that of the target, with the others as spare ones.
    #[derive(Debug)]
    struct OverSpines {
        csr: Arc<Csr>,
        spare: Option<Arc<OverSpines>>,
    }

    impl Router for OverSpines {
        fn vcs(&self) -> u16 {
            1
        }

        fn choices(&self) -> u64 {
            if self.spare.is_some() { 1 } else { 4 }
        }

        fn start(&self, _: Node, to: Node, choice: u64) -> Header {
            Header { to, state: if self.spare.is_some() { to.0 % 4 } else { choice } }
        }

        fn next(&self, at: Node, header: Header) -> Option<Hop> {
            let leaf = |host: Node| Node(8 + host.0 / 4);
            let next = match at.0 {
                _ if at == header.to => return None,
                0..8 => leaf(at),
                10.. => leaf(header.to),
                _ if leaf(header.to) == at => header.to,
                _ => Node(10 + header.state),
            };
            let mut port = None;
            self.csr.for_each_neighbor(at, &mut |found, to| {
                if to == next {
                    port = Some(found);
                }
            });
            Some(Hop { port: port?, vc: Vc(0), header })
        }

        fn remembers(&self) -> bool {
            true
        }

        fn structure(&self) -> Structure<'_> {
            let spare = self.spare.as_deref().map(|spare| spare as _);
            Structure { spare, ..Structure::default() }
        }
    }

    /// How often each spine is passed on all routes between hosts, of which none is longer than 4 hops on one lane.
    fn passed(csr: &Arc<Csr>, inner: OverSpines, faults: Faults) -> [u64; 4] {
        let choices = inner.choices();
        let router = Detouring::new(csr.clone(), Arc::new(inner), Arc::new(faults)).unwrap();
        let mut passed = [0; 4];
        let pairs = (0..8).flat_map(|from| (0..8).map(move |to| (Node(from), Node(to))));
        for (from, to) in pairs.filter(|(from, to)| from != to) {
            for choice in 0..choices {
                let found = walk(&**csr, &router, from, to, choice, 99).unwrap();
                assert!(found.hops.len() <= 4 && found.hops.iter().all(|hop| hop.vc == Vc(0)));
                assert_eq!(Router::path(&router, from, to, choice).unwrap(), found.hops);
                let spines = found.nodes.iter().filter(|node| node.0 >= 10);
                spines.for_each(|spine| passed[usize::try_from(spine.0 - 10).unwrap()] += 1);
            }
        }
        passed
    }

    /// What a failed spine carried goes to all others alike, by no longer paths.
    #[test]
    fn choices_that_fail_are_spread_over_those_that_are_left() {
        let csr = leaf_spine();
        let inner = || OverSpines { csr: csr.clone(), spare: None };
        assert_eq!(passed(&csr, inner(), Faults::default()), [32; 4]);
        let mut faults = Faults::default();
        faults.fail_node(Node(10));
        let [none, others @ ..] = passed(&csr, inner(), faults.clone());
        assert_eq!((none, others.iter().sum()), (0, 128));
        assert!(others.iter().all(|load| (38..=48).contains(load)), "{others:?}");
        // A link that is dead at its far end from the source.
        faults.fail_link(Node(9), Node(11));
        let [none, one, others @ ..] = passed(&csr, inner(), faults);
        assert_eq!((none, one), (0, 0));
        assert_eq!(others, [64; 2]);
    }

    /// A router of one path takes another shortest one, by the first switch and the target.
    #[test]
    fn spare_paths_replace_the_only_one() {
        let csr = leaf_spine();
        let spare = Arc::new(OverSpines { csr: csr.clone(), spare: None });
        let inner = || OverSpines { csr: csr.clone(), spare: Some(spare.clone()) };
        assert_eq!(passed(&csr, inner(), Faults::default()), [8; 4]);
        let mut faults = Faults::default();
        faults.fail_node(Node(10));
        assert_eq!(passed(&csr, inner(), faults), [0, 16, 8, 8]);
    }

    /// Where no choice is left the message goes until it meets the failure, on the lane of detours.
    #[test]
    fn without_a_choice_that_is_left_there_is_a_detour() {
        let csr = Arc::new(graph(6, &[(0, 1), (1, 3), (3, 4), (1, 2), (2, 5), (5, 4)]));
        let inner = Arc::new(Searched::new(csr.clone()).unwrap());
        // Through 0 or 1, and then over 3 in both cases.
        let valiant = Arc::new(Valiant::new(inner, 0..2).unwrap());
        let mut faults = Faults::default();
        faults.fail_link(Node(3), Node(4));
        let router = Detouring::new(csr.clone(), valiant, Arc::new(faults)).unwrap();
        for choice in 0..2 {
            let found = walk(&*csr, &router, Node(0), Node(4), choice, 99).unwrap();
            assert_eq!(found.nodes, [0, 1, 3, 1, 2, 5, 4].map(Node));
            assert_eq!(found.hops.last().unwrap().vc.0, router.vcs() - 1);
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
