//! Dragonflies of routers: how few links between groups bring any two routers within three hops.
//!
//! # Definition
//! Balanced as in J. Kim, W. J. Dally, S. Scott, D. Abts, "Technology-Driven, Highly-Scalable Dragonfly Topology", 2008:
//! g = a·h + 1 groups of a routers. The routers of a group are fully linked, each has h global links,
//! and there is exactly one global link between every two groups.
//! The arrangement of global links is the *relative* one: global link l of group G, l in 0..a·h, belongs to router ⌊l/h⌋
//! and leads to group G + l + 1 mod g, where it is link a·h - 1 - l. (Its mirror image G → -G is the palm tree.)
//! So the global links of router r all lead to routers a-1-r, in the groups G + r·h + 1, …, G + r·h + h.
//!
//! With fewer groups g, h < g ≤ a·h, every two groups share ⌊a·h/(g-1)⌋ links, and the ports that are left over are
//! spread over pairs of groups in turn, as `global_links.rs` has it. A group uses T of its a·h ports, all of them but for
//! one at most. Its T slots go to routers in order: the first T mod a routers have ⌈T/a⌉ of them, the others ⌊T/a⌋.
//! With g ≤ h every router has links to all other groups, by the rounds of `global_links.rs`: any two routers are within
//! two hops. Links between two groups are spread over pairs of routers; with more cables than pairs a link has several.
//!
//! # Numbering
//! The id of router r of group G is G·a + r. Ports 0..a-1 are local, routers ascending; the next are global, slots ascending,
//! and with g ≤ h round by round the groups ahead.
//!
//! # Routing
//! `minimal` is the paper's: a local hop to a router with a link to the target's group, that link, a local hop. Graph
//! shortest paths, `shortest`, may take two global links where that is shorter, and load links otherwise.
//! With g ≤ h no local hop comes before the global one, and one virtual channel is enough.

use super::global_links::{GlobalLink, GlobalLinks};
use crate::family::{ArgError, Args, Built};
use nestnet_draw::{Held, Joints, Plan};
use nestnet_graph::network::Automorphism;
use nestnet_graph::theory::{Bounded, Degrees, Theory};
use nestnet_graph::{Address, Distances, Network, Node, Orbit, Port, radix};
use nestnet_routing::{Header, Hop, Router, Vc};
use num_bigint::BigUint;
use std::sync::Arc;

pub(super) fn build(args: &Args) -> Result<Built, ArgError> {
    let (a, h) = (args.integer("a"), args.integer("h"));
    let most = u128::from(a) * u128::from(h) + 1;
    let groups = args.optional_integer("groups");
    if let Some(groups) = groups {
        if u128::from(groups) > most {
            let message = format!("must be at most a·h+1 = {most}, one link between every two");
            return Err(ArgError::new("groups", message));
        }
        // The links of several cables are counted one by one.
        if groups <= h && most > u128::from(MOST_COUNTED) {
            let message = format!("must be more than h = {h} where a·h is {MOST_COUNTED} or more");
            return Err(ArgError::new("groups", message));
        }
    }
    let dragonfly = Dragonfly::new(a, h, groups);
    let plan = Plan::ring(groups.unwrap_or(u64::try_from(most).unwrap_or(u64::MAX)));
    let plan = plan.around(&Plan::ring(a), 1, Held::Cluster);
    let joints = match dragonfly.links.more + dragonfly.links.rounds {
        0 => Joints::EveryTwo { layers: 1, links: dragonfly.links.copies, opposite: 0 },
        _ => Joints::Counted,
    };
    let plan = plan.joined(joints);
    let router: Option<Arc<dyn Router>> = Some(Arc::new(Minimal(dragonfly.clone())));
    Ok(Built::of(dragonfly).placed(plan).routed([("minimal", router.clone()), ("paper", router)]))
}

/// Groups of `a` routers with up to `h` global links each.
#[derive(Clone, Debug)]
pub struct Dragonfly {
    a: u64,
    h: u64,
    /// Its global links; of no use where the groups do not fit.
    links: GlobalLinks,
    /// Whether it has as many groups as there can be.
    balanced: bool,
    /// Links to other groups of all routers of a group, each once however many cables it has.
    outside: BigUint,
}

/// Limit: global ports of a `dragonfly` group with no more groups than global ports of a router.
const MOST_COUNTED: u64 = 1 << 20;

impl Dragonfly {
    /// All are at least 1, and there are 2 groups at least; balanced where none are given.
    pub fn new(a: u64, h: u64, groups: Option<u64>) -> Self {
        let ports = u128::from(a) * u128::from(h);
        let Some(groups) = groups.filter(|&groups| u128::from(groups) <= ports) else {
            let groups = u64::try_from(ports + 1).unwrap_or(u64::MAX);
            let links = GlobalLinks::balanced(a, h, groups);
            return Dragonfly { a, h, links, balanced: true, outside: ports.into() };
        };
        let links = GlobalLinks::new(a, h, groups);
        let (longer, slots) = links.classes();
        let outside = match links.rounds {
            0 => BigUint::from(a) * slots + longer,
            _ => (0..a).map(|r| links.neighbors(r)).sum(),
        };
        Dragonfly { a, h, links, balanced: false, outside }
    }

    /// Whether every router has a link to every other group: there are no more groups than its global ports.
    fn has_few_groups(&self) -> bool {
        self.links.rounds > 0
    }

    /// How many links there are, each once however many cables it has.
    fn link_count(&self) -> BigUint {
        let local = BigUint::from(self.a) * self.local_ports();
        (local + &self.outside) * self.group_count() / 2u8
    }

    fn groups(&self) -> u64 {
        self.links.groups
    }

    /// (G, r) of a node.
    fn split(&self, at: Node) -> (u64, u64) {
        (at.0 / self.a, at.0 % self.a)
    }

    fn local_ports(&self) -> u64 {
        self.a - 1
    }

    /// The local port from one router of a group to another.
    fn local_port(from: u64, to: u64) -> u64 {
        if to < from { to } else { to - 1 }
    }

    /// The distance where two groups may share several links, by definition: never more than three.
    fn distance_by_links(&self, r1: u64, r2: u64, ahead: u64) -> u64 {
        if self.has_few_groups() {
            let linked = self.links.links_of(r1, ahead).any(|link| link.arrive == r2);
            return if linked { 1 } else { 2 };
        }
        let steps =
            |link: GlobalLink| 1 + u64::from(link.leave != r1) + u64::from(link.arrive != r2);
        let direct = self.links.links_ahead(ahead).map(steps).min().unwrap_or(3);
        let two_global = || {
            (0..self.links.ports(r1)).any(|port| {
                let (first, middle) = self.links.far_end(r1, port);
                let rest = self.links.ahead(first, ahead);
                rest > 0 && self.links.links_of(middle, rest).any(|link| link.arrive == r2)
            })
        };
        if direct == 3 && two_global() { 2 } else { direct }
    }

    /// How many routers lie at each distance from router `r` of a group.
    ///
    /// One hop: its group, and h global neighbors. Two hops: the rest of the groups of those, (a-1)·h,
    /// and the global neighbors of the rest of its own group, (a-1)·h others.
    /// Two global hops lead to router r again, in the groups up to h-1 away on both sides; for the first and last
    /// router these are counted already.
    fn distances_of_router(&self, r: u64) -> Distances {
        let (a, h) = (BigUint::from(self.a), BigUint::from(self.h));
        let one = BigUint::from(1u8);
        let near = &a - &one + &h;
        let mut middle = (&a - &one) * &h * 2u8;
        if r > 0 && r + 1 < self.a {
            middle += (&h - &one) * 2u8;
        }
        let far = &a * &a * &h + &a - &one - &near - &middle;
        Distances::new([one, near, middle, far])
    }
}

impl Network for Dragonfly {
    fn order(&self) -> u64 {
        self.groups() * self.a
    }

    fn ports(&self) -> u32 {
        let most = self.local_ports() + self.links.ports(0);
        u32::try_from(most).expect("only built when the ports fit")
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        let (group, r) = self.split(at);
        let port = u64::from(port.0);
        if let Some(global) = port.checked_sub(self.local_ports()) {
            let (ahead, router) =
                (global < self.links.ports(r)).then(|| self.links.far_end(r, global))?;
            return Some(Node((group + ahead) % self.groups() * self.a + router));
        }
        Some(Node(group * self.a + if port < r { port } else { port + 1 }))
    }

    fn for_each_neighbor(&self, at: Node, visit: &mut dyn FnMut(Port, Node)) {
        let (group, r) = self.split(at);
        let mut port = 0;
        let mut next = |to| {
            visit(Port(port), Node(to));
            port += 1;
        };
        let first = group * self.a;
        (first..first + self.a).filter(|&to| to != at.0).for_each(&mut next);
        let groups = self.groups();
        if !self.balanced {
            let ends = (0..self.links.ports(r)).map(|port| self.links.far_end(r, port));
            return ends
                .for_each(|(ahead, router)| next((group + ahead) % groups * self.a + router));
        }
        // All links of a router lead to the same router of groups that follow each other.
        let mut to = (group + r * self.h) % groups;
        for _ in 0..self.h {
            to = if to + 1 == groups { 0 } else { to + 1 };
            next(to * self.a + self.a - 1 - r);
        }
    }

    fn address(&self, at: Node) -> Address {
        let (group, r) = self.split(at);
        Address::numbers([group, r])
    }

    fn node(&self, address: &Address) -> Option<Node> {
        let digits = address.as_numbers(2)?;
        radix::number(&digits, &[self.groups(), self.a]).map(Node)
    }

    fn level(&self, _at: Node, port: Port) -> u16 {
        u16::from(u64::from(port.0) >= self.local_ports())
    }

    fn levels(&self) -> u16 {
        2
    }

    /// G → G + 1.
    fn automorphisms(&self) -> Vec<Automorphism> {
        vec![self.next_group()]
    }

    /// G → G + 1 is an automorphism, and where it is balanced so is (G, r) → (-G, a-1-r).
    fn orbits(&self) -> Option<Vec<Orbit>> {
        if self.a > super::MAX_CLASSES {
            return None;
        }
        if !self.balanced {
            let class = |r| Orbit { node: Node(r), size: self.groups() };
            return Some((0..self.a).map(class).collect());
        }
        let class = |r| {
            let alike = if 2 * r + 1 == self.a { 1 } else { 2 };
            Orbit { node: Node(r), size: alike * self.groups() }
        };
        Some((0..self.a.div_ceil(2)).map(class).collect())
    }

    /// Over the one link of the two groups, or by two global hops, which keep r and move less than h groups.
    fn distance(&self, from: Node, to: Node) -> Option<u64> {
        let ((g1, r1), (g2, r2)) = (self.split(from), self.split(to));
        if g1 == g2 {
            return Some(u64::from(r1 != r2));
        }
        let (groups, ahead) = (self.groups(), self.links.ahead(g1, g2));
        if !self.balanced {
            return Some(self.distance_by_links(r1, r2, ahead));
        }
        let leave = (ahead - 1) / self.h;
        let arrive = self.a - 1 - leave;
        let direct = 1 + u64::from(r1 != leave) + u64::from(r2 != arrive);
        let two_global = r1 == r2 && ahead.min(groups - ahead) < self.h;
        Some(if two_global { direct.min(2) } else { direct })
    }
}

impl Dragonfly {
    fn next_group(&self) -> Automorphism {
        let (a, order) = (self.a, Network::order(self));
        Arc::new(move |id| if id + a < order { id + a } else { id + a - order })
    }

    fn group_count(&self) -> BigUint {
        if self.balanced { BigUint::from(self.a) * self.h + 1u8 } else { self.groups().into() }
    }
}

impl Theory for Dragonfly {
    fn order(&self) -> BigUint {
        self.group_count() * self.a
    }

    fn degrees(&self) -> Degrees {
        let (longer, slots) = self.links.classes();
        let degree = self.local_ports() + slots;
        let routers = |count: u64| self.group_count() * count;
        let classes = [(degree + 1, routers(longer)), (degree, routers(self.a - longer))];
        Degrees::counted(classes).with_links(self.link_count())
    }

    /// Balanced, some router is always three hops away: (a-1)²·h of them from router 0.
    /// With fewer groups two hops may do, and one does not: a router has fewer global links than others are outside.
    /// With no more groups than global ports of a router two do: a link to the group, and one in it. One does where all
    /// routers are linked.
    fn diameter(&self) -> Option<Bounded> {
        let order = Theory::order(self);
        Some(match self.balanced {
            _ if self.a == 1 => Bounded::theorem(1u8),
            false if self.has_few_groups() => {
                let all = &order * (&order - 1u8) / 2u8;
                Bounded::theorem(if self.link_count() == all { 1u8 } else { 2u8 })
            }
            true => Bounded::theorem(3u8),
            false => Bounded::between(2u8, 3u8),
        })
    }

    fn distances(&self) -> Option<Distances> {
        if self.has_few_groups() {
            let (order, near) = (Theory::order(self), self.link_count() * 2u8);
            let far = &order * &order - &order - &near;
            return Some(Distances::new([order, near, far]));
        }
        if !self.balanced {
            return None;
        }
        let ends = self.distances_of_router(0).scaled(&self.a.min(2).into());
        let inner = self.a.saturating_sub(2);
        let sum = match inner {
            0 => ends,
            _ => ends.plus(&self.distances_of_router(1).scaled(&inner.into())),
        };
        Some(sum.scaled(&self.group_count()))
    }

    fn distances_from_zero(&self) -> Option<Distances> {
        if self.has_few_groups() {
            let near = BigUint::from(self.local_ports() + self.links.neighbors(0));
            let far = Theory::order(self) - 1u8 - &near;
            return Some(Distances::new([BigUint::from(1u8), near, far]));
        }
        self.balanced.then(|| self.distances_of_router(0))
    }
}

/// Local, global, local: over a link of the two groups. Before the global link local hops use virtual channel 0, after it
/// channel 1, so that no message waits in a cycle. With few groups there are none before it, and one channel is enough:
/// global links wait for local ones, and those for none.
#[derive(Debug)]
struct Minimal(Dragonfly);

impl Router for Minimal {
    fn vcs(&self) -> u16 {
        if self.0.a == 1 || self.0.has_few_groups() { 1 } else { 2 }
    }

    fn longest(&self) -> u64 {
        if self.0.has_few_groups() { 2 } else { 3 }
    }

    /// Of several links the one with the fewest hops, one that is near before one that ends near; ties go round.
    fn next(&self, at: Node, header: Header) -> Option<Hop> {
        let Minimal(net) = self;
        let ((g1, r1), (g2, r2)) = (net.split(at), net.split(header.to));
        let (port, vc) = if g1 == g2 {
            ((r1 != r2).then(|| Dragonfly::local_port(r1, r2))?, self.vcs() - 1)
        } else {
            let ahead = net.links.ahead(g1, g2);
            let best = |links: &mut dyn Iterator<Item = GlobalLink>, count: u64| {
                let rank = |&(copy, GlobalLink { leave, arrive, .. }): &(u64, GlobalLink)| {
                    let locals = u8::from(leave != r1) + u8::from(arrive != r2);
                    (locals, leave != r1, (copy + r1 + r2) % count)
                };
                (0..).zip(links).min_by_key(rank)
            };
            let (_, link) = if net.has_few_groups() {
                // A link of the router itself is never worse than another.
                let count = net.links.links_of(r1, ahead).count() as u64;
                best(&mut net.links.links_of(r1, ahead), count)?
            } else {
                best(&mut net.links.links_ahead(ahead), net.links.count_ahead(ahead))?
            };
            if link.leave == r1 {
                (net.local_ports() + link.port, 0)
            } else {
                (Dragonfly::local_port(r1, link.leave), 0)
            }
        };
        let port = Port(u32::try_from(port).expect("only built when the ports fit"));
        Some(Hop { port, vc: Vc(vc), header })
    }

    /// The rule knows only how far ahead a group is.
    fn commutes_with(&self) -> Vec<Automorphism> {
        self.0.automorphisms()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nestnet_graph::Budget;
    use nestnet_graph::measure::search::distances_from;
    use nestnet_routing::route::deadlock::certify;
    use nestnet_routing::route::walk;
    use std::collections::{BTreeMap, BTreeSet};

    #[test]
    fn one_link_between_every_two_groups() {
        for (a, h) in [(1, 3), (2, 1), (3, 2), (4, 2), (2, 5)] {
            let dragonfly = Dragonfly::new(a, h, None);
            let mut pairs = BTreeSet::new();
            let mut links = 0;
            for at in (0..Network::order(&dragonfly)).map(Node) {
                dragonfly.for_each_neighbor(at, &mut |port, to| {
                    let (from, to) = (at.0 / a, to.0 / a);
                    assert_eq!(dragonfly.level(at, port) == 1, from != to);
                    if from < to {
                        pairs.insert((from, to));
                        links += 1;
                    }
                });
            }
            let groups = a * h + 1;
            assert_eq!(links, groups * (groups - 1) / 2);
            assert_eq!(pairs.len() as u64, links);
        }
    }

    #[test]
    fn sizes_beyond_any_machine() {
        let dragonfly = Dragonfly::new(1 << 62, 1 << 62, None);
        assert_eq!(dragonfly.distances_from_zero().unwrap().pairs(), Theory::order(&dragonfly));
        let pairs = dragonfly.distances().unwrap().pairs();
        assert_eq!(pairs, Theory::order(&dragonfly).pow(2));
    }

    /// As many links between every two groups, each as the definition says, and none doubled.
    #[test]
    fn fewer_groups_share_all_links_that_fit() {
        let mut odd = 0;
        for a in 1..=6 {
            for h in 1..=5 {
                for g in h + 1..=a * h + 1 {
                    let net = Dragonfly::new(a, h, Some(g));
                    let others = g - 1;
                    let copies = a * h / others;
                    let mut links = BTreeSet::new();
                    for at in (0..Network::order(&net)).map(Node) {
                        net.for_each_neighbor(at, &mut |port, to| {
                            if net.level(at, port) == 1 {
                                assert!(links.insert((at.0, to.0)), "({a}, {h}, {g}): doubled");
                            }
                        });
                    }
                    // What is left over, spread in turn over the groups near by, and the opposite one.
                    let rest = a * h % others;
                    let near = (1..=rest / 2).flat_map(|k| [k, g - k]);
                    let opposite = (rest % 2 == 1 && g % 2 == 0).then_some(g / 2);
                    let mut more: Vec<u64> = near.chain(opposite).collect();
                    more.sort_unstable();
                    let used: u64 = (0..a).map(|r| net.links.ports(r)).sum();
                    if used != copies * others + more.len() as u64 {
                        // Twice between the same routers otherwise.
                        assert_eq!(used + 1, copies * others + more.len() as u64);
                        more.retain(|&ahead| 2 * ahead != g);
                        odd += 1;
                    }
                    assert!(used == a * h || used + 1 == a * h && (rest % 2 == 1));
                    // By the definition, slot by slot.
                    let owner = |slot: u64| {
                        let (mut router, mut rest) = (0, slot);
                        while rest >= used / a + u64::from(router < used % a) {
                            rest -= used / a + u64::from(router < used % a);
                            router += 1;
                        }
                        router
                    };
                    let slots = (0..g).flat_map(|group| (0..used).map(move |s| (group, s)));
                    let expected = slots.map(|(group, s)| {
                        let (k, copy) = (s % others, s / others);
                        let (ahead, far) = if copy < copies {
                            (k + 1, copy * others + others - 1 - k)
                        } else {
                            let ahead = more[usize::try_from(k).unwrap()];
                            (ahead, copies * others + more.len() as u64 - 1 - k)
                        };
                        (group * a + owner(s), (group + ahead) % g * a + owner(far))
                    });
                    assert_eq!(expected.collect::<BTreeSet<_>>(), links, "({a}, {h}, {g})");
                }
            }
        }
        assert!(odd > 0, "no link to an opposite group was omitted");
    }

    /// 128 ports for 79 other groups: 49 of them get a second link, and no port is left dark.
    #[test]
    fn ports_that_are_left_over_are_spread_over_pairs() {
        let net = Dragonfly::new(16, 8, Some(80));
        let mut links = BTreeSet::new();
        for at in (0..Network::order(&net)).map(Node) {
            let mut global = 0;
            net.for_each_neighbor(at, &mut |port, to| {
                if net.level(at, port) == 1 {
                    assert!(links.insert((at.0, to.0)), "doubled");
                    global += 1;
                }
            });
            assert_eq!(global, 8);
        }
        for group in 0..80 {
            let shared = |other: &u64| {
                links.iter().filter(|link| (link.0 / 16, link.1 / 16) == (group, *other)).count()
            };
            let (one, two): (Vec<u64>, Vec<u64>) =
                (0..80).filter(|&other| other != group).partition(|other| shared(other) == 1);
            assert_eq!((one.len(), two.len()), (30, 49));
            assert!(two.iter().all(|other| shared(other) == 2));
        }
        assert_eq!(Theory::degrees(&net), Degrees::measured(&net));
    }

    /// The routers at both ends of every cable between a group and the one so far ahead, at most half of all, by the
    /// definition.
    fn cables_ahead(a: u64, h: u64, g: u64, ahead: u64) -> Vec<(u64, u64)> {
        let others = g - 1;
        let (rounds, left) = ((h - 1) / others, (h - 1) % others + 1);
        let rest = a * left % others;
        let (all, more) = (a * left - rest, rest - if g % 2 == 1 { rest % 2 } else { 0 });
        let owner = |slot: u64| slot / left;
        let mut cables = Vec::new();
        for first in (0..all).step_by(usize::try_from(others).unwrap()) {
            cables.push((owner(first + ahead - 1), owner(first + others - ahead)));
        }
        let near = (ahead <= more / 2).then_some(ahead - 1);
        if let Some(j) = near.or((more % 2 == 1 && 2 * ahead == g).then_some(more / 2)) {
            cables.push((owner(all + j), owner(all + more - 1 - j)));
        }
        let routers = 0..a;
        if 2 * ahead < g {
            let furthest = if left == others { 0 } else { (g - 2 * ahead).div_ceil(left) };
            for by in furthest + 1..=furthest + rounds {
                cables.extend(routers.clone().map(|r| (r, (r + by) % a)));
            }
            return cables;
        }
        for _ in 0..rounds / a {
            cables.extend(routers.clone().flat_map(|r| (0..a).map(move |to| (r, to))));
        }
        let rounds = rounds % a;
        let mut by = 1;
        if rounds % 2 == 1 && a.is_multiple_of(2) {
            cables.extend(routers.clone().map(|r| (r, (r + a / 2) % a)));
        } else if rounds % 2 == 1 {
            let pairs = (0..a - 1).step_by(2).flat_map(|r| [(r, r + 1), (r + 1, r)]);
            cables.extend(pairs.chain([(a - 1, a - 1)]));
            by = 2;
        }
        for by in by..by + rounds / 2 {
            cables.extend(routers.clone().flat_map(|r| [(r, (r + by) % a), ((r + by) % a, r)]));
        }
        cables
    }

    fn of_few_groups() -> impl Iterator<Item = (u64, u64, u64)> {
        let some = (1..=6).flat_map(|a| (2..=9).map(move |h| (a, h)));
        let some = some.flat_map(|(a, h)| (2..=h).map(move |g| (a, h, g)));
        some.chain([(12, 18, 4), (7, 16, 5), (4, 13, 2), (5, 23, 3), (8, 15, 6)])
    }

    /// Cable by cable as the definition says, all ports in use but for an odd one of every group, and from every router
    /// to every other group.
    #[test]
    fn few_groups_are_joined_by_every_router() {
        for (a, h, g) in of_few_groups() {
            let net = Dragonfly::new(a, h, Some(g));
            let mut links = BTreeMap::<(u64, u64), u64>::new();
            let mut used = 0;
            for at in (0..Network::order(&net)).map(Node) {
                let mut groups = BTreeSet::new();
                let mut ports = Vec::new();
                net.for_each_neighbor(at, &mut |port, to| {
                    ports.push((port, to));
                    let outside = at.0 / a != to.0 / a;
                    assert_eq!(u16::from(outside), net.level(at, port));
                    if outside {
                        *links.entry((at.0, to.0)).or_default() += 1;
                        groups.insert(to.0 / a);
                        used += 1;
                    }
                });
                assert_eq!(groups.len() as u64, g - 1, "({a}, {h}, {g}): {at}");
                let asked = (0..net.ports()).map(Port);
                let asked = asked.filter_map(|port| Some((port, net.neighbor(at, port)?)));
                assert_eq!(asked.collect::<Vec<_>>(), ports, "({a}, {h}, {g}): {at}");
            }
            // An odd port cannot be paired where the groups are odd too.
            let odd = if a * h % 2 == 1 && g % 2 == 1 { g } else { 0 };
            assert_eq!(used, g * a * h - odd, "({a}, {h}, {g})");
            let mut expected = BTreeMap::<(u64, u64), u64>::new();
            for group in 0..g {
                for ahead in 1..=g / 2 {
                    for (from, to) in cables_ahead(a, h, g, ahead) {
                        let to = (group + ahead) % g * a + to;
                        *expected.entry((group * a + from, to)).or_default() += 1;
                        if 2 * ahead < g {
                            *expected.entry((to, group * a + from)).or_default() += 1;
                        }
                    }
                }
            }
            assert_eq!(links, expected, "({a}, {h}, {g})");
            assert!(links.iter().all(|(&(from, to), width)| links[&(to, from)] == *width));
        }
    }

    /// Where there are pairs of routers for all cables, nearly all links have one; all, where every router has as many to
    /// every other group.
    #[test]
    fn cables_are_spread_over_pairs_of_routers() {
        for (a, h, g) in of_few_groups() {
            let net = Dragonfly::new(a, h, Some(g));
            let degrees = Theory::degrees(&net);
            assert_eq!(degrees, Degrees::measured(&net), "({a}, {h}, {g})");
            let several = &degrees.cables - &degrees.links;
            let even = h.is_multiple_of(g - 1) && h <= a * (g - 1);
            let single = a % 2 == 1 && g % 2 == 0 && (h / (g - 1)) % 2 == 0;
            if even && !single {
                assert_eq!(several, BigUint::ZERO, "({a}, {h}, {g})");
            } else if even {
                // The last router of every group, and that of the same number opposite.
                assert_eq!(several, (g / 2).into(), "({a}, {h}, {g})");
            }
        }
    }

    #[test]
    fn distances_of_few_groups_are_one_or_two() {
        for (a, h, g) in of_few_groups() {
            let net = Dragonfly::new(a, h, Some(g));
            let mut found = [0u64; 3];
            for from in (0..Network::order(&net)).map(Node) {
                let mut near = [0u64; 3];
                for (to, steps) in (0..).map(Node).zip(distances_from(&net, from)) {
                    near[usize::try_from(steps).unwrap()] += 1;
                    assert_eq!(net.distance(from, to), Some(steps.into()), "({a}, {h}, {g})");
                }
                if from.0 == 0 {
                    assert_eq!(net.distances_from_zero(), Some(Distances::new(near)));
                }
                found.iter_mut().zip(near).for_each(|(all, some)| *all += some);
            }
            assert_eq!(net.distances(), Some(Distances::new(found)), "({a}, {h}, {g})");
            let most = if found[2] > 0 { 2u8 } else { 1 };
            assert_eq!(net.diameter(), Some(Bounded::theorem(most)), "({a}, {h}, {g})");
        }
    }

    /// Global, local: shortest routes on one virtual channel.
    #[test]
    fn minimal_routes_of_few_groups_are_shortest_and_free_of_deadlock() {
        for (a, h, g) in of_few_groups() {
            let net = Dragonfly::new(a, h, Some(g));
            let router = Minimal(net.clone());
            assert_eq!(router.vcs(), 1);
            for from in (0..Network::order(&net)).map(Node) {
                for (to, steps) in (0..).map(Node).zip(distances_from(&net, from)) {
                    let hops = walk(&net, &router, from, to, 0, 9).unwrap().hops.len();
                    assert_eq!(hops, usize::try_from(steps).unwrap(), "({a}, {h}, {g})");
                }
            }
            assert!(certify(&net, &router, &Budget::UNLIMITED).unwrap().is_free());
        }
    }
}
