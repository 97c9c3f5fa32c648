//! Is a certificate true? Every route is walked again; nothing is shared with how it was made.

use super::{Certificate, Channel, Dependency, Message, Verdict};
use crate::measure::Interrupted;
use crate::route::{Entry, Header, Hop, Router};
use crate::{Budget, Network, Node, OverBudget};
use rayon::prelude::*;
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use thiserror::Error;

/// What is wrong with a certificate.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CheckError {
    /// A channel stands in the order twice.
    #[error("{channel} stands in the order twice")]
    Twice {
        /// The channel at fault.
        channel: Channel,
    },
    /// A channel of the certificate is no link.
    #[error("{channel} is no link")]
    NoLink {
        /// The channel at fault.
        channel: Channel,
    },
    /// A message takes a channel that is not in the order.
    #[error("a message to node {to} takes {channel}, which is not in the order")]
    NotInOrder {
        /// Where it goes.
        to: Node,
        /// What it takes.
        channel: Channel,
    },
    /// A message takes channels against the order.
    #[error("the message from node {from} to node {to} takes {channel} after a later one")]
    AgainstOrder {
        /// Where it starts.
        from: Node,
        /// Where it goes.
        to: Node,
        /// What it takes.
        channel: Channel,
    },
    /// A message does not arrive.
    #[error("the message from node {from} to node {to} ends at node {at}")]
    Ends {
        /// Where it starts.
        from: Node,
        /// Where it goes.
        to: Node,
        /// Where it ends.
        at: Node,
    },
    /// The message of a dependency does not make it.
    #[error("the message from node {} to node {} does not take {} and then {}",
        .0.message.from, .0.message.to, .0.channel, .0.next)]
    NotMade(Dependency),
    /// One dependency does not begin where the one before it ends.
    #[error("{channel} does not follow the channel before it in the cycle")]
    Broken {
        /// Where it breaks.
        channel: Channel,
    },
    /// A count of the certificate is not true.
    #[error("it counts {said} {what}, and there are {found}")]
    Count {
        /// Of what.
        what: &'static str,
        /// What the certificate says.
        said: u64,
        /// What was found.
        found: u64,
    },
    /// More memory or time than there is.
    #[error(transparent)]
    Budget(#[from] OverBudget),
    /// Stopped.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

/// Walks every route and sees that its channels rise in the order; or that every dependency of the cycle is made by its
/// message. O(hops of all routes) without memory of the router, O(states of its messages) with it.
pub fn check(
    network: &dyn Network,
    router: &dyn Router,
    certificate: &Certificate,
    limits: &Budget<'_>,
) -> Result<(), CheckError> {
    match &certificate.verdict {
        Verdict::Free { order } => {
            let place = Places::new(network, order, limits)?;
            count("channels", certificate.channels, order.len() as u64)?;
            let rows = !router.remembers()
                && !router.adapts()
                && network.ports() < Entry::MAX_PORTS
                && router.vcs() <= Entry::MAX_VCS;
            let (hosts, done) = (network.hosts(), AtomicU64::new(0));
            let pairs = AtomicU64::new(0);
            (0..hosts).into_par_iter().map(Node).try_for_each(|to| {
                let routed = if rows {
                    place.walk_row(network, router, to)?
                } else {
                    place.walk_states(network, router, to, limits)?
                };
                pairs.fetch_add(routed, Ordering::Relaxed);
                Ok::<_, CheckError>(limits.watch.step(&done, hosts)?)
            })?;
            count("pairs", certificate.pairs, pairs.into_inner())
        }
        Verdict::Cycle(cycle) => {
            closes(cycle)?;
            let made = |dependency: &Dependency| {
                limits.watch.check()?;
                let made = makes(network, router, dependency);
                made.then_some(()).ok_or(CheckError::NotMade(*dependency))
            };
            cycle.iter().try_for_each(made)
        }
    }
}

pub(super) fn count(what: &'static str, said: u64, found: u64) -> Result<(), CheckError> {
    (said == found).then_some(()).ok_or(CheckError::Count { what, said, found })
}

/// Whether each dependency ends where the next one begins. A cycle of none is broken at once.
pub(super) fn closes(cycle: &[Dependency]) -> Result<(), CheckError> {
    count("dependencies", cycle.len().max(2) as u64, cycle.len() as u64)?;
    let after = cycle.iter().cycle().skip(1);
    match cycle.iter().zip(after).find(|(one, after)| one.next != after.channel) {
        Some((_, after)) => Err(CheckError::Broken { channel: after.channel }),
        None => Ok(()),
    }
}

/// Whether the message of a dependency may take its two channels one after the other.
fn makes(network: &dyn Network, router: &dyn Router, dependency: &Dependency) -> bool {
    let Dependency { channel, next, message: Message { from, to, choice } } = *dependency;
    let nodes = network.order();
    let exists = [from, to].iter().all(|node| node.0 < nodes) && choice < router.choices();
    if !exists || from == to {
        return false;
    }
    let mut open = vec![(from, router.start(from, to, choice))];
    let mut seen: HashSet<(Node, Header)> = open.iter().copied().collect();
    let mut hops = Vec::new();
    let takes = |hop: &Hop, at: Node, channel: Channel| {
        (at, hop.port, hop.vc) == (channel.node, channel.port, channel.vc)
    };
    while let Some((at, header)) = open.pop() {
        hops.clear();
        router.hops(at, header, &mut hops);
        for hop in std::mem::take(&mut hops) {
            let Some(beyond) = follow(network, at, &hop) else { return false };
            if takes(&hop, at, channel) {
                router.hops(beyond, hop.header, &mut hops);
                if hops.drain(..).any(|hop| takes(&hop, beyond, next)) {
                    return true;
                }
            }
            if seen.insert((beyond, hop.header)) {
                open.push((beyond, hop.header));
            }
        }
    }
    false
}

fn follow(network: &dyn Network, at: Node, hop: &Hop) -> Option<Node> {
    (hop.port.0 < network.ports()).then(|| network.neighbor(at, hop.port)).flatten()
}

/// Where each channel stands in the order, by its node; 1-based, so that nothing stands before it.
pub(super) struct Places {
    by_node: Vec<Vec<(Channel, u32)>>,
}

impl Places {
    pub(super) fn new(
        network: &dyn Network,
        order: &[Channel],
        limits: &Budget<'_>,
    ) -> Result<Self, CheckError> {
        let threads = rayon::current_num_threads() as u128;
        let each = size_of::<(Channel, u32)>() as u128;
        let need = u128::from(network.order()) * (24 + 12 * threads) + order.len() as u128 * each;
        // Places are numbered in 32 bits.
        let countable = order.len() < u32::MAX as usize;
        limits.fits("the check", if countable { need } else { u128::MAX })?;
        let mut by_node = vec![Vec::new(); usize::try_from(network.order()).expect("it fits")];
        for (place, &channel) in (1..).zip(order) {
            let Channel { node, port, .. } = channel;
            let exists = node.0 < network.order() && port.0 < network.ports();
            if !exists || network.neighbor(node, port).is_none() {
                return Err(CheckError::NoLink { channel });
            }
            by_node[index(node)].push((channel, place));
        }
        for places in &mut by_node {
            places.sort_unstable();
            if let Some(pair) = places.windows(2).find(|pair| pair[0].0 == pair[1].0) {
                return Err(CheckError::Twice { channel: pair[0].0 });
            }
        }
        Ok(Places { by_node })
    }

    /// Where a channel stands.
    pub(super) fn of(&self, channel: Channel, to: Node) -> Result<u32, CheckError> {
        let places = &self.by_node[index(channel.node)];
        let found = places.binary_search_by_key(&channel, |&(channel, _)| channel);
        found.map(|at| places[at].1).map_err(|_| CheckError::NotInOrder { to, channel })
    }

    /// Walks from every host to one node, hop by hop, by the row of hops to it. How many hosts are routed.
    fn walk_row(
        &self,
        network: &dyn Network,
        router: &dyn Router,
        to: Node,
    ) -> Result<u64, CheckError> {
        let mut row = vec![Entry::NONE; self.by_node.len()];
        router.fill(to, &mut row);
        // For every node where its hop leads and where the channel of that hop stands; the place 0 is no hop.
        let mut steps = vec![(0u32, 0u32); row.len()];
        for (at, (step, entry)) in (0..).map(Node).zip(steps.iter_mut().zip(&row)) {
            let Some((port, vc)) = entry.get().filter(|_| at != to) else { continue };
            let channel = Channel { node: at, port, vc };
            let hop = Hop { port, vc, header: Header { to, state: 0 } };
            let next = follow(network, at, &hop).ok_or(CheckError::NoLink { channel })?;
            // A hop that no message takes need not stand in the order; one that is taken is found below.
            let place = self.of(channel, to).unwrap_or(u32::MAX);
            *step = (u32::try_from(next.0).unwrap_or(u32::MAX), place);
        }
        let mut routed = 0;
        for from in (0..network.hosts()).map(Node).filter(|&from| from != to) {
            if row[index(from)] == Entry::NONE {
                continue;
            }
            routed += 1;
            let (mut at, mut last) = (index(from), 0);
            while at != index(to) {
                let (next, place) = steps[at];
                let node = Node(at as u64);
                if place <= last || place == u32::MAX {
                    let Some((port, vc)) = row[at].get() else {
                        return Err(CheckError::Ends { from, to, at: node });
                    };
                    let channel = Channel { node, port, vc };
                    self.of(channel, to)?;
                    return Err(CheckError::AgainstOrder { from, to, channel });
                }
                (at, last) = (next as usize, place);
            }
        }
        Ok(routed)
    }

    /// Follows the messages of every host to one node through all their states; a state is followed again when it is
    /// reached later in the order than before.
    fn walk_states(
        &self,
        network: &dyn Network,
        router: &dyn Router,
        to: Node,
        limits: &Budget<'_>,
    ) -> Result<u64, CheckError> {
        let mut latest: HashMap<(Node, Header), u32> = HashMap::new();
        let (mut open, mut hops) = (Vec::new(), Vec::new());
        let mut routed = 0;
        for from in (0..network.hosts()).map(Node).filter(|&from| from != to) {
            limits.watch.check()?;
            let mut is_routed = false;
            for choice in 0..router.choices() {
                let header = router.start(from, to, choice);
                open.push((from, header, 0));
                while let Some((at, header, last)) = open.pop() {
                    let known = latest.get(&(at, header)).copied();
                    if known.is_some_and(|known| known >= last) {
                        is_routed |= at == from;
                        continue;
                    }
                    hops.clear();
                    router.hops(at, header, &mut hops);
                    if hops.is_empty() {
                        if at != to && last != 0 {
                            return Err(CheckError::Ends { from, to, at });
                        }
                        continue;
                    }
                    is_routed = true;
                    latest.insert((at, header), last);
                    for hop in &hops {
                        let channel = Channel { node: at, port: hop.port, vc: hop.vc };
                        let next = follow(network, at, hop);
                        let next = next.ok_or(CheckError::NoLink { channel })?;
                        let place = self.of(channel, to)?;
                        if place <= last {
                            return Err(CheckError::AgainstOrder { from, to, channel });
                        }
                        open.push((next, hop.header, place));
                    }
                }
            }
            routed += u64::from(is_routed);
        }
        Ok(routed)
    }
}

fn index(node: Node) -> usize {
    usize::try_from(node.0).expect("its places are in memory")
}
