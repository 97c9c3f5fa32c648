//! Dragonfly+: what do groups gain that are leaves and spines instead of fully linked routers?
//!
//! # Paper
//! A. Shpiner, Z. Haramaty, S. Eliad, V. Zdornov, B. Gafni, E. Zahavi, "Dragonfly+: Low Cost Topology for Scaling
//! Datacenters", 2017.
//!
//! # Definition
//! g groups of ℓ leaf switches and s spine switches. In a group every leaf is linked to every spine. A leaf has p hosts, a
//! spine up to h global links, and leaves have none. Every two groups are joined by the same number of global links, spread
//! evenly over the spines; ports that are left over are spread over pairs of groups in turn. The arrangement is the one of
//! `global_links.rs`, with spines in place of routers. g = s·h + 1 if it is omitted, one link between every two groups.
//! With g ≤ h two spines would share several links, which are not distinguished here.
//!
//! # Distances
//! Two hosts of one leaf are 2 apart, of one group 4, of two groups 5: every leaf has a link to the spine with the global
//! link, and that link leads to a spine with a link to the other leaf. No two nodes are farther apart: from any spine a leaf
//! is one hop away, and two leaves are at most 3 apart.
//!
//! # Numbering
//! Hosts, leaves, spines, each group by group: host i of leaf l of group G is (G·ℓ + l)·p + i. Addresses begin with the level:
//! (0, G, l, i), (1, G, l), (2, G, j). Ports: down first, then up, then global, in ascending order.
//!
//! # Routing
//! `minimal` is the paper's: up to a spine with a global link to the target's group, that link, down. Of several spines or
//! links the number of the target decides. Between hosts no message turns up after it went down, so that one virtual
//! channel is enough: up, global, down.

use super::global_links::GlobalLinks;
use crate::family::{ArgError, Args, Built};
use nestnet_draw::{Plan, Point};
use nestnet_graph::network::Automorphism;
use nestnet_graph::theory::{Bounded, Degrees, Theory};
use nestnet_graph::{Address, Distances, Network, Node, Orbit, Port, radix};
use nestnet_routing::{Header, Hop, Router, Vc};
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use std::f64::consts::TAU;
use std::sync::Arc;

pub(super) fn build(args: &Args) -> Result<Built, ArgError> {
    let fly = of(args)?;
    let router: Option<Arc<dyn Router>> = Some(Arc::new(Minimal(fly.clone())));
    let plan = fly.plan();
    Ok(Built::of(fly).placed(plan).routed([("minimal", router.clone()), ("paper", router)]))
}

/// Without what is drawn and routed.
pub(super) fn quickly(args: &Args) -> Result<Built, ArgError> {
    of(args).map(Built::of)
}

fn of(args: &Args) -> Result<DragonflyPlus, ArgError> {
    let [leaves, spines, h] = ["leaves", "spines", "h"].map(|name| args.integer(name));
    let most = u128::from(spines) * u128::from(h) + 1;
    let groups = args.optional_integer("groups");
    let groups = match groups {
        Some(groups) if u128::from(groups) > most => {
            let message =
                format!("must be at most spines·h+1 = {most}, one link between every two");
            return Err(ArgError::new("groups", message));
        }
        Some(groups) if groups <= h => {
            let message = format!("must be more than h = {h}, or two spines would share links");
            return Err(ArgError::new("groups", message));
        }
        Some(groups) => groups,
        None => u64::try_from(most).map_err(|_| {
            let message = format!("must be given: spines·h+1 = {most} are more than 2^64");
            ArgError::new("groups", message)
        })?,
    };
    let hosts = args.optional_integer("hosts").unwrap_or(spines);
    Ok(DragonflyPlus { leaves, spines, hosts, links: GlobalLinks::new(spines, h, groups) })
}

/// Groups of leaves and spines, joined by their spines.
#[derive(Clone, Debug)]
pub struct DragonflyPlus {
    leaves: u64,
    spines: u64,
    /// The hosts on a leaf.
    hosts: u64,
    links: GlobalLinks,
}

/// A node by its level, its group, and its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Host { group: u64, leaf: u64, i: u64 },
    Leaf { group: u64, leaf: u64 },
    Spine { group: u64, spine: u64 },
}

impl Place {
    fn group(self) -> u64 {
        match self {
            Place::Host { group, .. } | Place::Leaf { group, .. } | Place::Spine { group, .. } => {
                group
            }
        }
    }
}

impl DragonflyPlus {
    fn groups(&self) -> u64 {
        self.links.groups
    }

    /// The first leaf, and the first spine.
    fn starts(&self) -> (u64, u64) {
        let leaves = self.groups() * self.leaves;
        (leaves * self.hosts, leaves * self.hosts + leaves)
    }

    fn place(&self, at: Node) -> Place {
        let (leaves, spines) = self.starts();
        if let Some(number) = at.0.checked_sub(spines) {
            Place::Spine { group: number / self.spines, spine: number % self.spines }
        } else if let Some(number) = at.0.checked_sub(leaves) {
            Place::Leaf { group: number / self.leaves, leaf: number % self.leaves }
        } else {
            let (number, i) = (at.0 / self.hosts, at.0 % self.hosts);
            Place::Host { group: number / self.leaves, leaf: number % self.leaves, i }
        }
    }

    fn id(&self, place: Place) -> Node {
        let (leaves, spines) = self.starts();
        Node(match place {
            Place::Host { group, leaf, i } => (group * self.leaves + leaf) * self.hosts + i,
            Place::Leaf { group, leaf } => leaves + group * self.leaves + leaf,
            Place::Spine { group, spine } => spines + group * self.spines + spine,
        })
    }

    /// Groups on a circle: spines inside, leaves around them, hosts outside.
    fn plan(&self) -> Plan {
        let order = Theory::order(self).to_u64().unwrap_or(u64::MAX);
        Plan::given(order, || {
            let wide = (self.leaves * self.hosts.max(1)).max(self.spines) as f64 * 1.2 + 1.5;
            let groups = self.groups() as f64;
            let inner = (wide * groups / TAU).max(2.0);
            let place = |at: u64| {
                let (group, number, count, height) = match self.place(Node(at)) {
                    Place::Host { group, leaf, i } => {
                        (group, leaf * self.hosts + i, self.leaves * self.hosts, 2.0)
                    }
                    Place::Leaf { group, leaf } => (group, leaf, self.leaves, 1.2),
                    Place::Spine { group, spine } => (group, spine, self.spines, 0.0),
                };
                let across = (number as f64 + 0.5) / count as f64 - 0.5;
                let share = (wide - 1.5) / wide;
                let angle = TAU * (group as f64 + across * share) / groups;
                let radius = inner + height * (1.0 + 0.06 * wide);
                Point::new(radius * angle.sin(), -radius * angle.cos())
            };
            (0..order).map(place).collect()
        })
    }

    /// The nodes of a place's down, up and global ports, in this order.
    fn for_each_end(&self, place: Place, visit: &mut dyn FnMut(Place)) {
        match place {
            Place::Host { group, leaf, .. } => visit(Place::Leaf { group, leaf }),
            Place::Leaf { group, leaf } => {
                (0..self.hosts).for_each(|i| visit(Place::Host { group, leaf, i }));
                (0..self.spines).for_each(|spine| visit(Place::Spine { group, spine }));
            }
            Place::Spine { group, spine } => {
                (0..self.leaves).for_each(|leaf| visit(Place::Leaf { group, leaf }));
                (0..self.links.ports(spine))
                    .for_each(|global| visit(self.global_end(group, spine, global)));
            }
        }
    }

    fn global_end(&self, group: u64, spine: u64, global: u64) -> Place {
        let (ahead, spine) = self.links.far_end(spine, global);
        // Both are at most the number of groups, which is below 2^63 where the network is built.
        Place::Spine { group: (group + ahead) % self.groups(), spine }
    }

    /// Every group, leaf or host moved by one.
    fn turned(&self, what: Turn, at: Node) -> Node {
        let next = |number: u64, count: u64| if number + 1 == count { 0 } else { number + 1 };
        let mut place = self.place(at);
        match (&mut place, what) {
            (
                Place::Host { group, .. } | Place::Leaf { group, .. } | Place::Spine { group, .. },
                Turn::Groups,
            ) => *group = next(*group, self.groups()),
            (Place::Host { leaf, .. } | Place::Leaf { leaf, .. }, Turn::Leaves) => {
                *leaf = next(*leaf, self.leaves);
            }
            (Place::Host { i, .. }, Turn::Hosts) => *i = next(*i, self.hosts),
            _ => {}
        }
        self.id(place)
    }
}

/// What an automorphism moves.
#[derive(Clone, Copy, Debug)]
enum Turn {
    Groups,
    Leaves,
    Hosts,
}

impl Network for DragonflyPlus {
    fn order(&self) -> u64 {
        self.starts().1 + self.groups() * self.spines
    }

    fn ports(&self) -> u32 {
        let most = (self.hosts + self.spines).max(self.leaves + self.links.ports(0));
        u32::try_from(most).expect("only built when the ports fit")
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        let port = u64::from(port.0);
        let to = match self.place(at) {
            Place::Host { group, leaf, .. } => {
                (port == 0).then_some(Place::Leaf { group, leaf })?
            }
            Place::Leaf { group, leaf } => match port.checked_sub(self.hosts) {
                None => Place::Host { group, leaf, i: port },
                Some(spine) => (spine < self.spines).then_some(Place::Spine { group, spine })?,
            },
            Place::Spine { group, spine } => match port.checked_sub(self.leaves) {
                None => Place::Leaf { group, leaf: port },
                Some(global) => (global < self.links.ports(spine))
                    .then(|| self.global_end(group, spine, global))?,
            },
        };
        Some(self.id(to))
    }

    fn for_each_neighbor(&self, at: Node, visit: &mut dyn FnMut(Port, Node)) {
        let mut port = 0;
        self.for_each_end(self.place(at), &mut |to| {
            visit(Port(port), self.id(to));
            port += 1;
        });
    }

    fn address(&self, at: Node) -> Address {
        match self.place(at) {
            Place::Host { group, leaf, i } => Address::numbers([0, group, leaf, i]),
            Place::Leaf { group, leaf } => Address::numbers([1, group, leaf]),
            Place::Spine { group, spine } => Address::numbers([2, group, spine]),
        }
    }

    fn node(&self, address: &Address) -> Option<Node> {
        let (level, rest) = address.as_tuple()?.split_first()?;
        let digits: Option<Vec<u64>> = rest.iter().map(Address::as_number).collect();
        let (digits, (leaves, spines), groups) = (digits?, self.starts(), self.groups());
        Some(Node(match level.as_number()? {
            0 => radix::number(&digits, &[groups, self.leaves, self.hosts])?,
            1 => leaves + radix::number(&digits, &[groups, self.leaves])?,
            2 => spines + radix::number(&digits, &[groups, self.spines])?,
            _ => return None,
        }))
    }

    /// 0 of hosts, 1 inside a group, 2 between groups.
    fn level(&self, at: Node, port: Port) -> u16 {
        let port = u64::from(port.0);
        match self.place(at) {
            Place::Host { .. } => 0,
            Place::Leaf { .. } => u16::from(port >= self.hosts),
            Place::Spine { .. } => 1 + u16::from(port >= self.leaves),
        }
    }

    fn levels(&self) -> u16 {
        3
    }

    fn hosts(&self) -> u64 {
        self.starts().0
    }

    /// G → G + 1, and the leaves of all groups, or the hosts of all leaves, moved by one.
    fn automorphisms(&self) -> Vec<Automorphism> {
        let turn = |what| {
            let fly = self.clone();
            Arc::new(move |id| fly.turned(what, Node(id)).0) as Automorphism
        };
        vec![turn(Turn::Groups), turn(Turn::Leaves), turn(Turn::Hosts)]
    }

    /// All hosts, all leaves, and the spines of one number in all groups.
    fn orbits(&self) -> Option<Vec<Orbit>> {
        if self.spines > super::MAX_CLASSES {
            return None;
        }
        let (leaves, spines) = self.starts();
        let mut orbits = vec![
            Orbit { node: Node(0), size: leaves },
            Orbit { node: Node(leaves), size: spines - leaves },
        ];
        let class = |spine| Orbit { node: Node(spines + spine), size: self.groups() };
        orbits.extend((0..self.spines).map(class));
        Some(orbits)
    }
}

impl Theory for DragonflyPlus {
    fn order(&self) -> BigUint {
        let leaves = BigUint::from(self.groups()) * self.leaves;
        Theory::hosts(self) + leaves + BigUint::from(self.groups()) * self.spines
    }

    fn hosts(&self) -> BigUint {
        BigUint::from(self.groups()) * self.leaves * self.hosts
    }

    fn degrees(&self) -> Degrees {
        let (longer, slots) = self.links.classes();
        let all = |count: u64| BigUint::from(self.groups()) * count;
        Degrees::counted([
            (1, Theory::hosts(self)),
            (self.hosts + self.spines, all(self.leaves)),
            (self.leaves + slots + 1, all(longer)),
            (self.leaves + slots, all(self.spines - longer)),
        ])
    }

    fn diameter(&self) -> Option<Bounded> {
        Some(Bounded::theorem(5u8))
    }

    fn host_distances(&self) -> Option<Distances> {
        let (hosts, leaves) = (BigUint::from(self.hosts), BigUint::from(self.leaves));
        let group = &hosts * &leaves;
        let counts = [
            BigUint::from(1u8),
            BigUint::ZERO,
            &hosts - 1u8,
            BigUint::ZERO,
            &group - &hosts,
            &group * (self.groups() - 1),
        ];
        Some(Distances::new(counts).scaled(&Theory::hosts(self)))
    }
}

/// Up, over a global link, down.
#[derive(Debug)]
struct Minimal(DragonflyPlus);

impl Minimal {
    /// The next place of a message, `key` the number of its target.
    ///
    /// A spine that a message cannot leave for its group or its target goes down first; only messages of or to spines do.
    fn next_place(&self, at: Place, to: Place, key: u64) -> Option<Place> {
        let Minimal(fly) = self;
        if at == to {
            return None;
        }
        let (group, wanted) = (at.group(), to.group());
        let ahead = fly.links.ahead(group, wanted);
        let pick = |count: u64| key % count;
        Some(match at {
            Place::Host { leaf, .. } => Place::Leaf { group, leaf },
            Place::Leaf { leaf, .. } if group == wanted => match to {
                Place::Host { leaf: there, .. } if there == leaf => to,
                Place::Spine { .. } => to,
                _ => Place::Spine { group, spine: pick(fly.spines) },
            },
            Place::Leaf { .. } => {
                let link = usize::try_from(pick(fly.links.count_ahead(ahead))).ok()?;
                let link = fly.links.links_ahead(ahead).nth(link)?;
                Place::Spine { group, spine: link.leave }
            }
            Place::Spine { .. } if group == wanted => match to {
                Place::Host { leaf, .. } => Place::Leaf { group, leaf },
                Place::Leaf { .. } => to,
                Place::Spine { .. } => Place::Leaf { group, leaf: pick(fly.leaves) },
            },
            Place::Spine { spine, .. } => {
                let links = fly.links.links_of(spine, ahead);
                let ends: Vec<u64> = links.map(|link| link.arrive).collect();
                let place = usize::try_from(pick(ends.len().max(1) as u64)).ok()?;
                match ends.get(place) {
                    Some(&spine) => Place::Spine { group: wanted, spine },
                    None => Place::Leaf { group, leaf: pick(fly.leaves) },
                }
            }
        })
    }

    /// The port from a place to a neighbor of it.
    fn port(&self, at: Place, next: Place) -> Option<Port> {
        let Minimal(fly) = self;
        let port = match (at, next) {
            (Place::Host { .. }, _) => 0,
            (Place::Leaf { .. }, Place::Host { i, .. }) => i,
            (Place::Leaf { .. }, Place::Spine { spine, .. }) => fly.hosts + spine,
            (Place::Spine { .. }, Place::Leaf { leaf, .. }) => leaf,
            (Place::Spine { group, spine }, Place::Spine { .. }) => {
                let globals = 0..fly.links.ports(spine);
                let mut globals = globals.filter(|&j| fly.global_end(group, spine, j) == next);
                fly.leaves + globals.next()?
            }
            _ => return None,
        };
        Some(Port(u32::try_from(port).expect("only built when the ports fit")))
    }
}

impl Router for Minimal {
    fn vcs(&self) -> u16 {
        1
    }

    /// From a spine without a link to the group of another: down, up, over, down, up.
    fn longest(&self) -> u64 {
        5
    }

    fn next(&self, at: Node, header: Header) -> Option<Hop> {
        let (here, there) = (self.0.place(at), self.0.place(header.to));
        let next = self.next_place(here, there, header.to.0)?;
        Some(Hop { port: self.port(here, next)?, vc: Vc(0), header })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nestnet_graph::Budget;
    use nestnet_graph::measure::search::distances_from;
    use nestnet_graph::network::sorted_neighbors;
    use nestnet_routing::route::deadlock::certify;
    use nestnet_routing::route::walk;
    use std::collections::{BTreeMap, BTreeSet};

    fn fly(leaves: u64, spines: u64, h: u64, groups: u64, hosts: u64) -> DragonflyPlus {
        DragonflyPlus { leaves, spines, hosts, links: GlobalLinks::new(spines, h, groups) }
    }

    fn some() -> Vec<DragonflyPlus> {
        let mut all = Vec::new();
        for (leaves, spines, hosts) in [(1, 1, 1), (2, 2, 1), (3, 2, 2), (1, 3, 2), (2, 4, 1)] {
            for h in 1..=3 {
                for groups in (h + 1..=spines * h + 1).filter(|&groups| groups >= 2) {
                    all.push(fly(leaves, spines, h, groups, hosts));
                }
            }
        }
        all
    }

    /// Link by link: complete bipartite groups, hosts on leaves alone, and as even a number of global links as there can be
    /// between groups and on spines.
    #[test]
    fn groups_are_bipartite_and_spines_share_the_global_links() {
        for net in some() {
            let (groups, h) = (net.groups(), net.links.ports(0));
            let mut global = BTreeMap::<(u64, u64), u64>::new();
            for at in (0..Network::order(&net)).map(Node) {
                let place = net.place(at);
                assert_eq!(net.id(place), at);
                let ends = sorted_neighbors(&net, at);
                let different: BTreeSet<Node> = ends.iter().copied().collect();
                assert_eq!(different.len(), ends.len(), "{net:?}: a link twice at {at}");
                let ends: Vec<Place> = ends.into_iter().map(|to| net.place(to)).collect();
                let inside = ends.iter().filter(|end| end.group() == place.group()).count() as u64;
                let outside = ends.len() as u64 - inside;
                match place {
                    Place::Host { .. } => assert_eq!((inside, outside), (1, 0)),
                    Place::Leaf { .. } => {
                        assert_eq!((inside, outside), (net.hosts + net.spines, 0))
                    }
                    Place::Spine { .. } => {
                        assert_eq!(inside, net.leaves);
                        assert!(outside == h || outside + 1 == h, "{net:?}");
                    }
                }
                for end in ends.iter().filter(|end| end.group() != place.group()) {
                    assert!(matches!(end, Place::Spine { .. }));
                    *global.entry((place.group(), end.group())).or_default() += 1;
                }
            }
            assert_eq!(global.len() as u64, groups * (groups - 1), "{net:?}");
            let (least, most) = (global.values().min().unwrap(), global.values().max().unwrap());
            assert!(most - least <= 1, "{net:?}: {global:?}");
        }
    }

    #[test]
    fn hosts_are_at_most_five_apart() {
        for net in some() {
            let hosts = usize::try_from(Network::hosts(&net)).unwrap();
            let mut found = [0u64; 6];
            for distance in &distances_from(&net, Node(0))[..hosts] {
                found[usize::try_from(*distance).unwrap()] += 1;
            }
            let all = Distances::new(found).scaled(&Theory::hosts(&net));
            assert_eq!(net.host_distances(), Some(all), "{net:?}");
        }
    }

    #[test]
    fn minimal_routes_are_shortest_between_hosts_and_need_one_channel() {
        for net in some() {
            let router = Minimal(net.clone());
            for from in (0..Network::order(&net)).map(Node) {
                let distances = distances_from(&net, from);
                for (to, &least) in (0..).map(Node).zip(&distances) {
                    let hops = walk(&net, &router, from, to, 0, 99).unwrap().hops.len() as u64;
                    assert!(hops <= router.longest(), "{net:?} {from} {to}");
                    let both = from.0.max(to.0) < Network::hosts(&net);
                    assert!(!both || hops == u64::from(least), "{net:?} {from} {to}");
                }
            }
            let certificate = certify(&net, &router, &Budget::UNLIMITED).unwrap();
            assert!(certificate.is_free(), "{net:?}");
        }
    }
}
