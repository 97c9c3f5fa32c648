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
//! With g ≤ h two routers would share several links, which are not distinguished here.
//!
//! # Numbering
//! The id of router r of group G is G·a + r. Ports 0..a-1 are local, routers ascending; the next are global, slots ascending.
//!
//! # Routing
//! `minimal` is the paper's: a local hop to a router with a link to the target's group, that link, a local hop. Graph
//! shortest paths, `shortest`, may take two global links where that is shorter, and load links otherwise.

use super::global_links::GlobalLinks;
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
        if groups <= h {
            let message = format!("must be more than h = {h}, or two routers would share links");
            return Err(ArgError::new("groups", message));
        }
    }
    let dragonfly = Dragonfly::new(a, h, groups);
    let plan = Plan::ring(groups.unwrap_or(u64::try_from(most).unwrap_or(u64::MAX)));
    let plan = plan.around(&Plan::ring(a), 1, Held::Cluster);
    let joints = match dragonfly.links.more {
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
}

/// More classes of routers than these are not listed.
const MAX_CLASSES: u64 = 1 << 12;

impl Dragonfly {
    /// All are at least 1, and there are more groups than `h`; balanced where none are given.
    pub fn new(a: u64, h: u64, groups: Option<u64>) -> Self {
        let ports = u128::from(a) * u128::from(h);
        let Some(groups) = groups.filter(|&groups| u128::from(groups) <= ports) else {
            let groups = u64::try_from(ports + 1).unwrap_or(u64::MAX);
            return Dragonfly { a, h, links: GlobalLinks::balanced(h, groups), balanced: true };
        };
        Dragonfly { a, h, links: GlobalLinks::new(a, h, groups), balanced: false }
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
        let steps = |(_, leave, arrive): (u64, u64, u64)| {
            1 + u64::from(leave != r1) + u64::from(arrive != r2)
        };
        let direct = self.links.links_ahead(ahead).map(steps).min().unwrap_or(3);
        let two_global = || {
            let mut slots =
                self.links.first_slot(r1)..self.links.first_slot(r1) + self.links.ports(r1);
            slots.any(|slot| {
                let (first, middle) = self.links.far_end(slot);
                let rest = self.links.ahead(first, ahead);
                rest > 0
                    && self.links.links_ahead(rest).any(|(_, from, to)| from == middle && to == r2)
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
            let (ahead, router) = (global < self.links.ports(r))
                .then(|| self.links.far_end(self.links.first_slot(r) + global))?;
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
            let slots = self.links.first_slot(r)..self.links.first_slot(r) + self.links.ports(r);
            let ends = slots.map(|slot| self.links.far_end(slot));
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
        if self.a > MAX_CLASSES {
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
        Degrees::counted(classes)
    }

    /// Balanced, some router is always three hops away: (a-1)²·h of them from router 0.
    /// With fewer groups two hops may do, and one does not: a router has fewer global links than others are outside.
    fn diameter(&self) -> Option<Bounded> {
        Some(match self.balanced {
            _ if self.a == 1 => Bounded::theorem(1u8),
            true => Bounded::theorem(3u8),
            false => Bounded::between(2u8, 3u8),
        })
    }

    fn distances(&self) -> Option<Distances> {
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
        self.balanced.then(|| self.distances_of_router(0))
    }
}

/// Local, global, local: over a link of the two groups. Before the global link local hops use virtual channel 0, after it
/// channel 1, so that no message waits in a cycle.
#[derive(Debug)]
struct Minimal(Dragonfly);

impl Router for Minimal {
    fn vcs(&self) -> u16 {
        if self.0.a == 1 { 1 } else { 2 }
    }

    fn longest(&self) -> u64 {
        3
    }

    /// Of several links the one with the fewest hops, one that is near before one that ends near; ties go round.
    fn next(&self, at: Node, header: Header) -> Option<Hop> {
        let Minimal(net) = self;
        let ((g1, r1), (g2, r2)) = (net.split(at), net.split(header.to));
        let (port, vc) = if g1 == g2 {
            ((r1 != r2).then(|| Dragonfly::local_port(r1, r2))?, 1)
        } else {
            let ahead = net.links.ahead(g1, g2);
            let count = net.links.count_ahead(ahead);
            let rank = |&(copy, (_, leave, arrive)): &(u64, (u64, u64, u64))| {
                let locals = u8::from(leave != r1) + u8::from(arrive != r2);
                (locals, leave != r1, (copy + r1 + r2) % count)
            };
            let links = (0..).zip(net.links.links_ahead(ahead));
            let (_, (slot, leave, _)) = links.min_by_key(rank)?;
            if leave == r1 {
                (net.local_ports() + (slot - net.links.first_slot(r1)), 0)
            } else {
                (Dragonfly::local_port(r1, leave), 0)
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
    use std::collections::BTreeSet;

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
}
