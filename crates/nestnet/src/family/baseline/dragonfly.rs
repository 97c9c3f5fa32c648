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
//! # Numbering
//! The id of router r of group G is G·a + r. Ports 0..a-1 are local, routers ascending; the next h are global.

use nestnet_core::theory::{Degrees, Known, Theory};
use nestnet_core::{Address, Distances, Network, Node, Orbit, Port, radix};
use num_bigint::BigUint;

/// Groups of `a` routers with `h` global links each.
#[derive(Clone, Debug)]
pub struct Dragonfly {
    a: u64,
    h: u64,
}

/// More classes of routers than these are not listed.
const MAX_CLASSES: u64 = 1 << 12;

impl Dragonfly {
    /// Both are at least 1.
    pub fn new(a: u64, h: u64) -> Self {
        Dragonfly { a, h }
    }

    fn groups(&self) -> u64 {
        self.a * self.h + 1
    }

    /// (G, r) of a node.
    fn split(&self, at: Node) -> (u64, u64) {
        (at.0 / self.a, at.0 % self.a)
    }

    fn local_ports(&self) -> u64 {
        self.a - 1
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
        u32::try_from(self.local_ports() + self.h).expect("only built when the ports fit")
    }

    fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
        let (group, r) = self.split(at);
        let port = u64::from(port.0);
        if let Some(global) = port.checked_sub(self.local_ports()) {
            let to = (group + r * self.h + global + 1) % self.groups();
            return (global < self.h).then(|| Node(to * self.a + self.a - 1 - r));
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

    /// G → G + 1 is an automorphism, and so is (G, r) → (-G, a-1-r).
    fn orbits(&self) -> Option<Vec<Orbit>> {
        if self.a > MAX_CLASSES {
            return None;
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
        let groups = self.groups();
        let ahead = if g2 > g1 { g2 - g1 } else { groups - (g1 - g2) };
        let leave = (ahead - 1) / self.h;
        let arrive = self.a - 1 - leave;
        let direct = 1 + u64::from(r1 != leave) + u64::from(r2 != arrive);
        let two_global = r1 == r2 && ahead.min(groups - ahead) < self.h;
        Some(if two_global { direct.min(2) } else { direct })
    }
}

impl Theory for Dragonfly {
    fn order(&self) -> BigUint {
        let a = BigUint::from(self.a);
        &a * &a * self.h + a
    }

    fn degrees(&self) -> Degrees {
        Degrees::regular(self.local_ports() + self.h, Theory::order(self))
    }

    /// Some router is always three hops away: (a-1)²·h of them from router 0.
    fn diameter(&self) -> Option<Known> {
        Some(Known::theorem(if self.a == 1 { 1u8 } else { 3 }))
    }

    fn distances(&self) -> Option<Distances> {
        let groups = BigUint::from(self.a) * self.h + 1u8;
        let ends = self.distances_of_router(0).scaled(&self.a.min(2).into());
        let inner = self.a.saturating_sub(2);
        let sum = match inner {
            0 => ends,
            _ => ends.plus(&self.distances_of_router(1).scaled(&inner.into())),
        };
        Some(sum.scaled(&groups))
    }

    fn distances_from_zero(&self) -> Option<Distances> {
        Some(self.distances_of_router(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn one_link_between_every_two_groups() {
        for (a, h) in [(1, 3), (2, 1), (3, 2), (4, 2), (2, 5)] {
            let dragonfly = Dragonfly::new(a, h);
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
        let dragonfly = Dragonfly::new(1 << 62, 1 << 62);
        assert_eq!(dragonfly.distances_from_zero().unwrap().pairs(), Theory::order(&dragonfly));
        let pairs = dragonfly.distances().unwrap().pairs();
        assert_eq!(pairs, Theory::order(&dragonfly).pow(2));
    }
}
