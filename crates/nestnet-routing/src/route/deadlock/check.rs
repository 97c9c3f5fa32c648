//! Is a certificate true? Every route is walked again; nothing is shared with how it was made.

use super::flaw::CheckError;
use super::places::Places;
use super::spans::Spans;
use super::walker::Walker;
use super::{Certificate, Channel, Deadlock, Dependency, Message};
use crate::route::{Entry, Header, Hop, Router};
use nestnet_graph::theory::How;
use nestnet_graph::{Budget, Network, Node};
use rayon::prelude::*;
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};

/// Walks every route and sees that its channels rise in the order; or that every dependency of the cycle is made by its
/// message. O(hosts · nodes) without memory of the router, O(states of its messages) with it.
///
/// Where a router [commutes with automorphisms](Router::commutes_with) and there are many hosts, the order is held
/// against the routes to one node of each class, class by class of channels, and against all routes to some other nodes
/// that are drawn at random; that hops are carried to hops is looked at for one target of each automorphism. The answer
/// says whether all routes were walked.
///
/// ```
/// use nestnet_graph::{Budget, Csr};
/// use nestnet_routing::route::Searched;
/// use nestnet_routing::route::deadlock::{Deadlock, certify, check};
/// use std::sync::Arc;
///
/// let ring = Arc::new(Csr::from_links(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)], 1 << 20)?);
/// let router = Searched::new(ring.clone()).unwrap();
/// let mut certificate = certify(&*ring, &router, &Budget::default())?;
/// assert!(check(&*ring, &router, &certificate, &Budget::default()).is_ok());
/// certificate.verdict = Deadlock::Free { order: Vec::new() };
/// assert!(check(&*ring, &router, &certificate, &Budget::default()).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check(
    network: &dyn Network,
    router: &dyn Router,
    certificate: &Certificate,
    limits: &Budget<'_>,
) -> Result<How, CheckError> {
    let router = router.structure().all_shortest.unwrap_or(router);
    match &certificate.verdict {
        Deadlock::Free { order } => {
            let place = Places::new(network, order, limits)?;
            counts_of_order(certificate, order)?;
            let rows = !router.remembers()
                && !router.adapts()
                && network.ports() < Entry::MAX_PORTS
                && router.vcs() <= Entry::MAX_VCS;
            let escape = router.escape().map(|escape| escape.vcs);
            let (pairs, how) = if rows {
                walk_rows(network, router, &place, order, limits)?
            } else {
                walk_all(network.hosts(), limits, |_, to| {
                    walk_states(network, router, &place, escape, to, limits)
                })?
            };
            count("pairs", certificate.pairs, pairs)?;
            Ok(how)
        }
        Deadlock::Cycle(cycle) => {
            closes(cycle)?;
            let made = |dependency: &Dependency| {
                limits.watch.check()?;
                let made = makes(network, router, dependency);
                made.then_some(()).ok_or(CheckError::NotMade(*dependency))
            };
            cycle.iter().try_for_each(made)?;
            Ok(How::Exhaustive)
        }
    }
}

pub(super) fn count(what: &'static str, said: u64, found: u64) -> Result<(), CheckError> {
    (said == found).then_some(()).ok_or(CheckError::Count { what, said, found })
}

/// What the order itself tells: how many channels there are, and how many of them a link has at most.
pub(super) fn counts_of_order(
    certificate: &Certificate,
    order: &[Channel],
) -> Result<(), CheckError> {
    count("channels", certificate.channels, order.len() as u64)?;
    let vcs = order.iter().map(|channel| u64::from(channel.vc.0) + 1).max().unwrap_or(0);
    count("virtual channels", certificate.vcs.into(), vcs)
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

/// Up to this many hosts every route is walked, whatever the router commutes with.
const MAX_WALKED: u64 = 1 << 10;

/// Walks by rows to one target of each class and to some others, or to all where there are no classes or they do not
/// settle it. How many pairs are routed, and whether all were walked.
fn walk_rows(
    network: &dyn Network,
    router: &dyn Router,
    places: &Places,
    order: &[Channel],
    limits: &Budget<'_>,
) -> Result<(u64, How), CheckError> {
    let (hosts, watch) = (network.hosts(), &limits.watch);
    let itself = |place| (place, place);
    let spans = match hosts {
        ..=MAX_WALKED => None,
        _ => Spans::new(network, router, places, order, limits.memory, watch)?,
    };
    if let Some(spans) = spans.filter(|spans| (spans.targets.len() as u64) < hosts)
        && let Some(pairs) = spans.rise(router, places, hosts, watch)?
        && spans.carry_hops(network, router, watch)?
    {
        Spans::spots(hosts).try_for_each_init(Walker::default, |walker, to| {
            watch.check()?;
            walker.walk(router, places, to, hosts, itself).map(|_| ())
        })?;
        return Ok((pairs, How::Symmetry));
    }
    walk_all(hosts, limits, |walker, to| walker.walk(router, places, to, hosts, itself))
}

/// Walks to every host. How many pairs are routed, all of which were walked.
fn walk_all(
    hosts: u64,
    limits: &Budget<'_>,
    walk: impl Fn(&mut Walker, Node) -> Result<u64, CheckError> + Sync,
) -> Result<(u64, How), CheckError> {
    let (done, pairs) = (AtomicU64::new(0), AtomicU64::new(0));
    let targets = (0..hosts).into_par_iter().map(Node);
    let walked = targets.map_init(Walker::default, |walker, to| {
        pairs.fetch_add(walk(walker, to)?, Ordering::Relaxed);
        Ok::<_, CheckError>(limits.watch.step(&done, hosts)?)
    });
    // The first error, whichever thread was quicker.
    match walked.find_map_first(Result::err) {
        Some(error) => Err(error),
        None => Ok((pairs.into_inner(), How::Exhaustive)),
    }
}

/// Follows the messages of every host to one node through all their states; a state is followed again when it is
/// reached later in the order than before.
///
/// Of a router with an escape the messages of all nodes are followed, since the escape may be taken anywhere: channels
/// that are not of the escape have no place, but where a message may take one it may take the escape too.
fn walk_states(
    network: &dyn Network,
    router: &dyn Router,
    places: &Places,
    escape: Option<u16>,
    to: Node,
    limits: &Budget<'_>,
) -> Result<u64, CheckError> {
    let mut latest: HashMap<(Node, Header), u32> = HashMap::new();
    let (mut open, mut hops) = (Vec::new(), Vec::new());
    let mut routed = 0;
    let is_escape = |hop: &Hop| escape.is_none_or(|vcs| hop.vc.0 < vcs);
    let sources = if escape.is_some() { network.order() } else { network.hosts() };
    for from in (0..sources).map(Node).filter(|&from| from != to) {
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
                if !hops.iter().any(is_escape) {
                    return Err(CheckError::NoEscape { from, to, at });
                }
                for hop in &hops {
                    let channel = Channel { node: at, port: hop.port, vc: hop.vc };
                    let next = follow(network, at, hop);
                    let next = next.ok_or(CheckError::NoLink { channel })?;
                    if !is_escape(hop) {
                        if last > 0 {
                            return Err(CheckError::LeavesEscape { from, to, channel });
                        }
                        open.push((next, hop.header, 0));
                        continue;
                    }
                    let place = places.of(channel, to)?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Vc;
    use nestnet_graph::Port;
    use nestnet_seed::samples::Careless;

    /// Leads over one port, whatever it is, and has more than one state.
    #[derive(Debug)]
    struct Over(Port);

    impl Router for Over {
        fn vcs(&self) -> u16 {
            1
        }

        fn next(&self, at: Node, header: Header) -> Option<Hop> {
            (at != header.to).then_some(Hop { port: self.0, vc: Vc(0), header })
        }

        fn remembers(&self) -> bool {
            true
        }
    }

    #[test]
    fn a_hop_over_no_port_is_no_link() {
        let channel = |node, port| Channel { node: Node(node), port: Port(port), vc: Vc(0) };
        let certificate = Certificate {
            verdict: Deadlock::Free { order: vec![channel(0, 0), channel(1, 0)] },
            vcs: 1,
            channels: 2,
            dependencies: 0,
            pairs: 2,
            how: How::Exhaustive,
        };
        let judged = |port| check(&Careless, &Over(Port(port)), &certificate, &Budget::UNLIMITED);
        assert_eq!(judged(0), Ok(How::Exhaustive));
        let found = judged(1).unwrap_err();
        let beyond = [channel(0, 1), channel(1, 1)].map(|channel| CheckError::NoLink { channel });
        assert!(beyond.contains(&found), "{found:?}");
    }
}
