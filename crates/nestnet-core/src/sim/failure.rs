//! What happens when links fail while packets are on their way?
//!
//! From its cycle on a link takes no packet whose head has not crossed it; one that is crossing is let through. Packets
//! that were granted the link before are lost there, all others ask a router that knows what failed, as if they began
//! where they are. A packet without any way left is lost too.

use super::engine::Engine;
use super::mask::{each, is_empty};
use super::random::{Random, Trials};
use super::state::{Classes, Flit, HEAD, Stage, TAIL, index32, packet_of};
use crate::{Budget, Interrupted, Network, Node, Router};

/// Links that fail at once.
#[derive(Clone, Debug)]
pub struct Failure<'a> {
    /// The first cycle without them.
    pub cycle: u64,
    /// Both directions of each fail.
    pub links: Vec<(Node, Node)>,
    /// Routes around these and all that failed before.
    pub router: &'a dyn Router,
}

/// The cycle in which a link fails, and its ends.
pub type FailingLink = (u64, (Node, Node));

/// The links between routers that fail before cycle `before`, where each fails with probability `rate` in a cycle: when,
/// and its ends; by cycle. A link is drawn by its place among all, so that the same seed fails the same links.
pub fn random_failures(
    network: &dyn Network,
    rate: f64,
    before: u64,
    seed: u64,
    budget: &Budget<'_>,
) -> Result<Vec<FailingLink>, Interrupted> {
    let trials = Trials::new(rate.clamp(0.0, 1.0));
    let mut failing = Vec::new();
    let mut place = 0;
    // The link of a host is its end, not a part of the network.
    let is_end = |node: Node| node.0 < network.hosts() && network.hosts() < network.order();
    for from in (0..network.order()).map(Node) {
        budget.watch.check_each(from.0)?;
        network.for_each_neighbor(from, &mut |_, to| {
            if to > from {
                // Streams of sources are named by their number; these follow from the other end.
                let mut random = Random::new(seed, u64::MAX - place);
                place += 1;
                let cycle = trials.draw(&mut random).map_or(u64::MAX, |trial| trial - 1);
                if cycle < before && !is_end(from) && !is_end(to) {
                    failing.push((cycle, (from, to)));
                }
            }
        });
    }
    failing.sort_unstable();
    Ok(failing)
}

/// What failures did to packets of the window.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Aftermath {
    /// Packets that never arrived, of all cycles.
    pub lost: u64,
    /// The mean latency of packets made before the first failure.
    pub before: Option<f64>,
    /// The mean latency of those made from then on.
    pub after: Option<f64>,
}

impl<'a, const W: usize> Engine<'a, W> {
    /// Takes the links of the next failure away if this is its cycle.
    #[inline]
    pub fn fail(&mut self) {
        while let Some(failure) = self.failures.first()
            && failure.cycle <= self.now
        {
            self.failures = &self.failures[1..];
            self.router = failure.router;
            self.epoch += 1;
            self.routes.clear();
            if let Ok(classes) = Classes::new(self.config.vcs, failure.router.vcs()) {
                self.classes = classes;
            }
            for &(from, to) in &failure.links {
                self.close(from, to);
                self.close(to, from);
            }
            self.ask_again();
        }
    }

    fn close(&mut self, from: Node, to: Node) {
        let Some(router) = from.0.checked_sub(self.wires.first) else { return };
        let Ok(router) = usize::try_from(router) else { return };
        let base = self.wires.base(router);
        for port in base..base + self.wires.count(router) {
            let far = self.wires.far[port].router;
            if far != super::wires::HOST && self.wires.node(far as usize) == to {
                self.ports[port].dead = true;
            }
        }
    }

    /// Heads that have a route but no virtual channel yet ask the new router.
    fn ask_again(&mut self) {
        for port in &mut self.ports {
            port.listed = false;
            if is_empty(&port.asks) {
                continue;
            }
            for slot in each(port.asks) {
                let index = port.first_queue as usize + slot;
                self.queues[index].stage = Stage::Routing;
                self.wakes.push(self.now, index32(index));
            }
            port.asks = [0; W];
        }
        self.asking.clear();
    }

    /// Whether a flit that would cross a link that failed is lost, and its packet with it.
    #[inline(never)]
    pub fn is_lost(&mut self, flit: Flit) -> bool {
        let packet = &mut self.packets[packet_of(flit)];
        packet.lost |= flit & HEAD != 0;
        packet.lost
    }

    /// A flit falls off a link that failed; the credit comes back as if it had been taken at once.
    pub fn drop_flit(&mut self, out: usize, flit: Flit) {
        self.credits.push(self.now + u64::from(self.delays.credit), index32(out));
        self.take_lost(flit);
    }

    /// A packet will not arrive.
    pub fn lose(&mut self, place: usize) {
        let created = self.packets[place].created;
        self.seen.lost += 1;
        if (self.seen.window.0..self.seen.window.1).contains(&created) {
            self.seen.lost_marked += 1;
        }
        self.unused.push(index32(place));
    }

    /// Takes a flit of a packet that found no way at the host of the router where it was.
    pub fn take_lost(&mut self, flit: Flit) {
        self.seen.dropped += 1;
        if flit & TAIL != 0 {
            self.lose(packet_of(flit));
        }
    }
}
