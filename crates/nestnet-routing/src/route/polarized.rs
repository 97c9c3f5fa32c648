//! Polarized routing: many routes of many lengths, that lead away from the source and then towards the target.
//!
//! With source s and target t a message at c has the weight d(s, c) − d(c, t), which rises from −d(s, t) to d(s, t). It may
//! take a hop that makes the weight larger, or one that keeps it: nearer to s than to t one that leads away from s, else
//! one that leads towards t (C. Camarero, C. Martínez, R. Beivide, *Polarized routing: an efficient and versatile algorithm
//! for large direct networks*, 2021; *Polarized routing for large interconnection networks*, 2022).
//! No route has more than 4·diameter − 3 hops.
//!
//! # Where we differ
//! On some networks there are corners, from which no such hop leads on. From there a message takes shortest hops. A hop
//! that gains less must have more credits to be taken: four flits for each that it gains less than two.
//!
//! # Virtual channels
//! The hop number is the class of the channel, so that dependencies rise and there is no cycle. There are as many classes
//! as the longest route has links between switches.

use super::distance_rows::DistanceRows;
use super::{Header, Hop, Router, TableError, Vc};
use nestnet_graph::{Budget, Network, Node, Port, index};

/// Routes that polarize.
#[derive(Debug)]
pub struct Polarized {
    rows: DistanceRows,
    /// Nodes below this are ends of a link, which no route goes through.
    first: u64,
    vcs: u16,
}

/// The lowest bits of the state: whether the message has left a corner, and above it the number of hops; then the source.
const CORNER: u64 = 1;
const HOP_BITS: u32 = 10;

/// Flits of credits for each gain of the weight below the largest.
const PENALTY: u64 = 4;

/// Up to so many looks at a neighbor the longest route is found, and else bounded.
const MAX_LOOKS: u128 = 1 << 26;

impl Polarized {
    /// O(links) where the longest route is only bounded; else all pairs are walked once.
    pub fn new(network: &dyn Network, budget: &Budget<'_>) -> Result<Self, TableError> {
        let rows = DistanceRows::new(network, budget)?;
        let (order, hosts) = (network.order(), network.hosts());
        let is_end = |host: u64| rows.wiring.links(narrow(host)).count() == 1;
        let first = if hosts < order && (0..hosts).all(is_end) { hosts } else { 0 };
        let mut polarized = Polarized { rows, first, vcs: 1 };
        let longest = polarized.longest_route(network, budget)?;
        polarized.vcs = u16::try_from(longest.max(1)).unwrap_or(u16::MAX);
        Ok(polarized)
    }

    fn is_end(&self, node: u64) -> bool {
        node < self.first
    }

    /// Links between switches of the longest route from host to host, or a bound.
    fn longest_route(&self, network: &dyn Network, budget: &Budget<'_>) -> Result<u64, TableError> {
        // Of the hosts of a switch one.
        let mut ends: Vec<u64> = (0..network.hosts()).collect();
        if self.first > 0 {
            let switch = |host: &u64| self.rows.wiring.links(narrow(*host)).next().map(|to| to.1);
            ends.sort_by_key(switch);
            ends.dedup_by_key(|host| switch(host));
        }
        // Routes depend on distances alone, so that an automorphism carries those of a pair to those of another.
        let sources = match network.orbits() {
            Some(classes) if self.first == 0 => classes
                .iter()
                .map(|class| class.node.0)
                .filter(|&node| node < network.hosts())
                .collect(),
            _ => ends.clone(),
        };
        let pairs = (sources.len() as u128).saturating_mul(ends.len() as u128);
        let looks = pairs.saturating_mul(self.rows.wiring.channels() as u128 + 1);
        if looks > MAX_LOOKS.min(budget.steps) {
            let far = |row: &[u16]| row.iter().copied().filter(|&far| far < u16::MAX).max();
            let most = ends.iter().filter_map(|&host| self.rows.with(Node(host), far)).max();
            let links = if self.first > 0 { 2 } else { 0 };
            let diameter = u64::from(most.unwrap_or(1)).saturating_sub(links).max(1);
            return Ok(5 * diameter - 3);
        }
        let mut longest = 0;
        for &from in &sources {
            budget.check()?;
            for &to in &ends {
                longest = longest.max(self.longest_of(Node(from), Node(to)).unwrap_or(0));
            }
        }
        Ok(longest)
    }

    /// Links between switches of the longest route of a pair.
    fn longest_of(&self, from: Node, to: Node) -> Option<u64> {
        self.rows.with(from, |away| {
            self.rows.with(to, |towards| {
                let weight = |at: usize| i32::from(away[at]) - i32::from(towards[at]);
                let far = i32::from(towards[index(from)]);
                // Hops lead to larger weights, and where they keep it away from the source or towards the target.
                let mut order: Vec<usize> =
                    (0..away.len()).filter(|&at| weight(at).abs() <= far).collect();
                let turn = |at: usize| match weight(at) {
                    below if below < 0 => i32::from(away[at]),
                    _ => -i32::from(towards[at]),
                };
                order.sort_by_key(|&at| (weight(at), turn(at)));
                let mut lengths = vec![None; away.len()];
                lengths[index(from)] = Some(0u64);
                let mut longest = 0;
                let mut hops = Vec::new();
                for at in order {
                    let Some(length) = lengths[at] else { continue };
                    if at == index(to) {
                        longest = longest.max(length);
                        continue;
                    }
                    hops.clear();
                    self.polarized(Node(at as u64), to, away, towards, &mut hops);
                    if hops.is_empty() {
                        longest = longest.max(length + u64::from(towards[at]));
                    }
                    for &(_, _, next) in &hops {
                        let more = u64::from(!self.is_end(at as u64) && !self.is_end(next.into()));
                        let known = &mut lengths[next as usize];
                        *known = Some(known.unwrap_or(0).max(length + more));
                    }
                }
                Some(longest)
            })
        })
    }

    /// The hops of a message that is in no corner, by how much the weight gains: the gain, the port and where it leads.
    fn polarized(
        &self,
        at: Node,
        to: Node,
        away: &[u16],
        towards: &[u16],
        out: &mut Vec<(i32, Port, u32)>,
    ) {
        let (a, b) = (away[index(at)], towards[index(at)]);
        for (port, next) in self.rows.wiring.links(narrow(at.0)) {
            if self.is_end(next.into()) && u64::from(next) != to.0 {
                continue;
            }
            let (new_a, new_b) = (away[next as usize], towards[next as usize]);
            let gain = i32::from(new_a) - i32::from(new_b) - (i32::from(a) - i32::from(b));
            let leads = if a < b { new_a > a } else { new_b < b };
            if gain > 0 || gain == 0 && leads {
                out.push((gain, port, next));
            }
        }
        out.sort_by_key(|&(gain, _, _)| -gain);
    }

    /// All hops with their gains.
    fn gains(&self, at: Node, header: Header) -> Option<Vec<(i32, Hop)>> {
        let (from, state) = (Node(header.state >> HOP_BITS), header.state);
        let number = (state % (1 << HOP_BITS)) >> 1;
        let vc = Vc(u16::try_from(number).unwrap_or(u16::MAX).min(self.vcs - 1));
        let carried = |next: u32, corner: u64| {
            let is_link = !self.is_end(at.0) && !self.is_end(next.into());
            Header { state: (state | corner) + if is_link { 2 } else { 0 }, ..header }
        };
        self.rows.with(header.to, |towards| {
            let mut hops = Vec::new();
            if state & CORNER == 0 {
                self.rows.with(from, |away| {
                    self.polarized(at, header.to, away, towards, &mut hops);
                    Some(())
                })?;
            }
            if !hops.is_empty() {
                let hop = |(gain, port, next)| (gain, Hop { port, vc, header: carried(next, 0) });
                return Some(hops.into_iter().map(hop).collect());
            }
            let links = self.rows.wiring.links(narrow(at.0));
            let nearer = links.filter(|&(_, next)| towards[next as usize] < towards[index(at)]);
            let hop = |(port, next)| (2, Hop { port, vc, header: carried(next, CORNER) });
            Some(nearer.map(hop).collect())
        })
    }
}

fn narrow(node: u64) -> u32 {
    u32::try_from(node).unwrap_or(u32::MAX)
}

impl Router for Polarized {
    fn vcs(&self) -> u16 {
        self.vcs
    }

    fn start(&self, from: Node, to: Node, _choice: u64) -> Header {
        Header { to, state: from.0 << HOP_BITS }
    }

    fn next(&self, at: Node, header: Header) -> Option<Hop> {
        let mut hops = Vec::with_capacity(8);
        self.hops(at, header, &mut hops);
        hops.first().copied()
    }

    fn hops(&self, at: Node, header: Header, out: &mut Vec<Hop>) {
        if at != header.to {
            out.extend(self.gains(at, header).into_iter().flatten().map(|(_, hop)| hop));
        }
    }

    fn penalty(&self, at: Node, header: Header, port: Port) -> u64 {
        let gains = self.gains(at, header).unwrap_or_default();
        let gain = gains.iter().find(|(_, hop)| hop.port == port).map_or(2, |&(gain, _)| gain);
        PENALTY * u64::try_from(2 - gain).unwrap_or(0)
    }

    fn longest(&self) -> u64 {
        // With the links of both hosts.
        u64::from(self.vcs) + 2
    }

    fn adapts(&self) -> bool {
        true
    }

    fn remembers(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::deadlock::{certify, check};
    use nestnet_seed::samples::{complete, path, petersen, ring, torus};
    use std::collections::HashSet;
    use std::sync::Arc;

    const ALL: &Budget<'_> = &Budget::UNLIMITED;

    fn networks() -> Vec<Arc<dyn Network>> {
        vec![
            Arc::new(petersen()),
            Arc::new(torus(4, 4)),
            Arc::new(torus(5, 3)),
            Arc::new(ring(7)),
            Arc::new(path(5)),
            Arc::new(complete(6)),
        ]
    }

    /// Every route that the hops allow, however a message chooses, keeps to the rule and arrives.
    #[test]
    fn weights_rise_and_all_routes_arrive() {
        for network in networks() {
            let router = Polarized::new(&*network, ALL).unwrap();
            let order = network.order();
            let mut longest = 0;
            for (from, to) in (0..order).flat_map(|from| (0..order).map(move |to| (from, to))) {
                let distance = |a: u64, b: Node| {
                    router.rows.with(Node(a), |row| Some(i64::from(row[index(b)]))).unwrap()
                };
                let start = router.start(Node(from), Node(to), 0);
                let (mut open, mut seen) = (vec![(Node(from), start, 0u64)], HashSet::new());
                while let Some((at, header, length)) = open.pop() {
                    longest = longest.max(length);
                    if at == Node(to) || !seen.insert((at, header)) {
                        continue;
                    }
                    let mut hops = Vec::new();
                    router.hops(at, header, &mut hops);
                    assert!(!hops.is_empty(), "{from} to {to} at {at}");
                    for hop in hops {
                        let next = network.neighbor(at, hop.port).unwrap();
                        let (a, b) = (distance(from, at), distance(to, at));
                        let (new_a, new_b) = (distance(from, next), distance(to, next));
                        let gain = (new_a - new_b) - (a - b);
                        let leads = if a < b { new_a > a } else { new_b < b };
                        let corner = hop.header.state & CORNER == 1;
                        assert!(gain > 0 || gain == 0 && leads || corner && new_b < b);
                        assert_eq!(u64::from(hop.vc.0), length);
                        open.push((next, hop.header, length + 1));
                    }
                }
            }
            assert_eq!(longest, u64::from(router.vcs()), "{network:?}");
        }
    }

    #[test]
    fn hop_classes_are_free_of_deadlock() {
        for network in networks() {
            let router = Polarized::new(&*network, ALL).unwrap();
            let certificate = certify(&*network, &router, ALL).unwrap();
            assert!(certificate.is_free(), "{network:?}");
            check(&*network, &router, &certificate, ALL).unwrap();
        }
    }

    /// Diameter two: between neighbors and others there are routes of up to four hops.
    #[test]
    fn there_are_longer_routes_than_shortest_ones() {
        let network = petersen();
        let router = Polarized::new(&network, ALL).unwrap();
        assert!((3..=5).contains(&router.vcs()), "{}", router.vcs());
        let bounded = Polarized::new(&network, &Budget { steps: 1, ..*ALL }).unwrap();
        assert_eq!(bounded.vcs(), 7);
        let start = router.start(Node(0), Node(7), 0);
        let mut hops = Vec::new();
        router.hops(Node(0), start, &mut hops);
        assert!(hops.len() > 1);
        // The best first, which needs no more credits than others.
        let penalties: Vec<u64> =
            hops.iter().map(|hop| router.penalty(Node(0), start, hop.port)).collect();
        assert!(penalties[0] == 0 && penalties.is_sorted(), "{penalties:?}");
    }
}
