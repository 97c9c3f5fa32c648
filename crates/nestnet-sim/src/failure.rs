//! What happens when links fail while packets are on their way?
//!
//! From its cycle on a link takes no packet whose head has not crossed it; one that is crossing is let through. Packets
//! that were granted the link before are lost there, all others ask a router that knows what failed, as if they began
//! where they are. A packet without any way left is lost too.

use super::persist::persist;
use super::random::{Random, Trials};
use nestnet_graph::{Budget, Interrupted, Network, Node};
use nestnet_routing::Router;

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

persist!(Aftermath { lost, before, after });
