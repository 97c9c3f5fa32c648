//! Channel loads under a router as it is: each of its numbered choices bears the same.

use super::{Demands, FlowError};
use crate::route::ports_of;
use crate::{Header, Router};
use nestnet_graph::budget::product;
use nestnet_graph::fabric::Fabric;
use nestnet_graph::measure::{channel, id};
use nestnet_graph::{Budget, Network, Node, Port, index};
use std::collections::HashMap;

/// The loads that a router puts on the channels of a fabric, exactly.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Routed {
    /// Of every channel, in the order of [`nestnet_graph::Csr::targets`], in parts of `whole`.
    pub loads: Vec<u128>,
    /// What is one host's rate.
    pub whole: u128,
}

/// The load of every channel between switches when each host sends 1, by `demands` between hosts.
///
/// A router that remembers nothing is followed once for each destination, O(hosts · nodes); one with choices is walked
/// for each pair and choice. A router that goes through any node on the way is two such routings: its legs are counted
/// whole, also where the first comes through the target.
///
/// ```
/// use nestnet_graph::fabric::Fabric;
/// use nestnet_graph::{Budget, Csr};
/// use nestnet_routing::flow::{Demands, routed_loads};
/// use nestnet_routing::route::Searched;
/// use nestnet_routing::traffic::Traffic;
/// use std::sync::Arc;
///
/// let ring = Csr::from_links(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)], 1 << 20)?;
/// let fabric = Fabric::of(&ring, &Budget::default())?;
/// let demands = Demands::between_hosts(&Traffic::uniform(5), &Budget::default())?;
/// let router = Searched::new(Arc::new(ring.clone())).unwrap();
/// let found = routed_loads(&ring, &router, &fabric, &demands, &Budget::default())?;
/// assert!(found.loads.iter().all(|load| 4 * load == 3 * found.whole));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn routed_loads(
    network: &dyn Network,
    router: &dyn Router,
    fabric: &Fabric,
    demands: &Demands,
    budget: &Budget<'_>,
) -> Result<Routed, FlowError> {
    let hosts = network.hosts();
    let mut ground = Ground::new(network, fabric, budget);
    if let Some(through) = router.structure().through {
        let mut sent = vec![0u128; index(hosts)];
        let mut received = sent.clone();
        for to in 0..hosts {
            demands.for_each(stored(to), &mut |from, weight| {
                sent[from as usize] += weight;
                received[index(to)] += weight;
            });
        }
        let middles = through.first..through.first + through.count;
        budget.affords(
            "following the legs",
            u128::from(hosts + through.count) * u128::from(network.order()),
        )?;
        for middle in middles.clone() {
            let starts = (0..).map(Node).zip(sent.iter().copied());
            ground.send_to(through.legs, Node(middle), starts)?;
        }
        for (to, &weight) in (0..).zip(&received) {
            if weight > 0 {
                let starts = middles.clone().map(|middle| (Node(middle), weight));
                ground.send_to(through.legs, Node(to), starts)?;
            }
        }
        return Ok(Routed {
            loads: ground.loads,
            whole: demands.whole() * u128::from(through.count),
        });
    }
    if router.adapts() {
        return Err(FlowError::Adaptive);
    }
    if let Some(paths) = router.structure().weighted {
        let n = fabric.hosts.len();
        budget.fits("traffic between switches", (n as u128).pow(2) * 16)?;
        let mut sent = vec![0u128; n * n];
        if demands.is_one_each() {
            // By switches, which are fewer than hosts; what stays at one takes no channel.
            for (pair, sent) in sent.iter_mut().enumerate().filter(|(pair, _)| pair / n != pair % n)
            {
                *sent = u128::from(fabric.hosts[pair / n]) * u128::from(fabric.hosts[pair % n]);
            }
        } else {
            for to in 0..hosts {
                budget.watch.check_each(to)?;
                let column = fabric.at[index(to)] as usize;
                demands.for_each(stored(to), &mut |from, weight| {
                    sent[fabric.at[from as usize] as usize * n + column] += weight;
                });
            }
        }
        let channels = channels_by_port(network, fabric);
        for (pair, weight) in sent.into_iter().enumerate().filter(|(_, weight)| *weight > 0) {
            let (from, to) = (id(pair / n), id(pair % n));
            let mut some = from == to;
            paths.for_each(from, to, &mut |part, hops| {
                some = true;
                for &(at, port, _) in hops {
                    ground.loads[channels[&(at, port)]] += weight * u128::from(part);
                }
            });
            if !some {
                return Err(FlowError::NoPath { from, to });
            }
        }
        let whole = demands.whole() * u128::from(paths.whole());
        return Ok(Routed { loads: ground.loads, whole });
    }
    if !router.remembers() && router.choices() == 1 {
        budget
            .affords("following every route", product([hosts.into(), network.order().into(), 4]))?;
        for to in 0..hosts {
            let mut starts = Vec::new();
            demands.for_each(stored(to), &mut |from, weight| {
                starts.push((Node(from.into()), weight));
            });
            if !starts.is_empty() {
                ground.send_to(router, Node(to), starts.into_iter())?;
            }
        }
        return Ok(Routed { loads: ground.loads, whole: demands.whole() });
    }
    let walks = u128::from(hosts).pow(2).saturating_mul(router.choices().into());
    budget.affords("walking every choice of every pair", walks.saturating_mul(32))?;
    for to in 0..hosts {
        let mut starts = Vec::new();
        demands.for_each(stored(to), &mut |from, weight| starts.push((Node(from.into()), weight)));
        for (from, weight) in starts {
            for choice in 0..router.choices() {
                ground.walk(router, from, Node(to), choice, &mut |loads, channel| {
                    loads[channel] += weight;
                })?;
            }
        }
    }
    Ok(Routed { loads: ground.loads, whole: demands.whole() * u128::from(router.choices()) })
}

fn stored(host: u64) -> u32 {
    u32::try_from(host).expect("the fabric is stored")
}

/// A network, its fabric, and the loads so far.
pub(super) struct Ground<'a> {
    network: &'a dyn Network,
    fabric: &'a Fabric,
    budget: &'a Budget<'a>,
    loads: Vec<u128>,
    /// For one destination: where each node sends, and how far that is.
    next: Vec<(Port, u64)>,
    depth: Vec<u32>,
    flow: Vec<u128>,
    walked: u64,
}

/// The channel of the fabric that a port of each of its switches begins.
pub(super) fn channels_by_port(
    network: &dyn Network,
    fabric: &Fabric,
) -> HashMap<(u32, Port), usize> {
    let ports = ports_of(network, fabric);
    let ends =
        (0..).zip(ports).map(|(channel, port)| ((fabric.csr.ends(channel).0, port), channel));
    ends.collect()
}

/// Not yet asked.
const UNKNOWN: u32 = u32::MAX;

impl<'a> Ground<'a> {
    pub(super) fn new(
        network: &'a dyn Network,
        fabric: &'a Fabric,
        budget: &'a Budget<'a>,
    ) -> Self {
        let order = index(network.order());
        Ground {
            network,
            fabric,
            budget,
            loads: vec![0; fabric.csr.targets().len()],
            next: vec![(Port(0), 0); order],
            depth: vec![UNKNOWN; order],
            flow: vec![0; order],
            walked: 0,
        }
    }

    /// The channel of the fabric by a port of a node of the network to another, if it is one.
    fn channel(&self, from: Node, port: Port, to: Node) -> Option<usize> {
        let switch = |node: Node| node.0.checked_sub(self.fabric.first).map(stored);
        let first = channel(&self.fabric.csr, switch(from)?, switch(to)?);
        if !self.fabric.csr.has_trunks() {
            return Some(first);
        }
        let mut cable = 0;
        self.network.for_each_neighbor(from, &mut |other, end| {
            cable += usize::from(end == to && other < port);
        });
        Some(first + cable)
    }

    /// Adds what goes to one node along the routes of a router that remembers nothing.
    fn send_to(
        &mut self,
        router: &dyn Router,
        to: Node,
        starts: impl Iterator<Item = (Node, u128)>,
    ) -> Result<(), FlowError> {
        self.budget.check()?;
        self.depth.fill(UNKNOWN);
        self.depth[index(to.0)] = 0;
        let header = Header { to, state: 0 };
        let mut seen = vec![to.0];
        let mut path = Vec::new();
        for (from, weight) in starts.filter(|&(from, weight)| weight > 0 && from != to) {
            self.flow[index(from.0)] += weight;
            let mut at = from;
            path.clear();
            while self.depth[index(at.0)] == UNKNOWN {
                let lost = || FlowError::Lost { from: from.0, to: to.0 };
                let hop = router.next(at, header).ok_or_else(lost)?;
                path.push(at.0);
                if path.len() as u64 > self.network.order() {
                    return Err(lost());
                }
                let next = self.network.neighbor(at, hop.port).ok_or_else(lost)?;
                self.next[index(at.0)] = (hop.port, next.0);
                at = next;
            }
            let mut depth = self.depth[index(at.0)];
            for &at in path.iter().rev() {
                depth += 1;
                self.depth[index(at)] = depth;
                seen.push(at);
            }
        }
        seen.sort_unstable_by_key(|&at| std::cmp::Reverse(self.depth[index(at)]));
        for &at in &seen {
            let flow = std::mem::take(&mut self.flow[index(at)]);
            if flow > 0 && at != to.0 {
                let (port, next) = self.next[index(at)];
                self.flow[index(next)] += flow;
                if let Some(channel) = self.channel(Node(at), port, Node(next)) {
                    self.loads[channel] += flow;
                }
            }
        }
        Ok(())
    }

    /// Follows one message; `visit` is informed of every channel of the fabric that it takes.
    pub(super) fn walk(
        &mut self,
        router: &dyn Router,
        from: Node,
        to: Node,
        choice: u64,
        visit: &mut dyn FnMut(&mut Vec<u128>, usize),
    ) -> Result<(), FlowError> {
        self.walked += 1;
        self.budget.watch.check_each(self.walked)?;
        let mut header = router.start(from, to, choice);
        let mut at = from;
        let mut hops = 0;
        while at != to {
            let lost = || FlowError::Lost { from: from.0, to: to.0 };
            hops += 1;
            let hop = router.next(at, header).filter(|_| hops <= 4 * self.network.order() + 4);
            let hop = hop.ok_or_else(lost)?;
            let next = self.network.neighbor(at, hop.port).ok_or_else(lost)?;
            if let Some(channel) = self.channel(at, hop.port, next) {
                visit(&mut self.loads, channel);
            }
            (at, header) = (next, hop.header);
        }
        Ok(())
    }
}
