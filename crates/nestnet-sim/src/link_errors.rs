//! Flits that are corrupted on a link, and sent again.
//!
//! A link keeps what it sent until it is acknowledged. The far end finds a corrupted flit when it arrives and says so;
//! a round trip later that flit arrives again, and all behind it follow, in order and one a cycle (go-back-N). Credits
//! are those of the switch: a flit holds one from when it won the switch, so that it always has its place.

use super::persist::persist;
use super::random::Random;
use super::state::Arrival;
use super::topology::Topology;
use nestnet_graph::fields;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

/// Names the streams of links, besides those of hosts.
pub(super) const LINKS: u64 = 0x6C69_6E6B;

/// All links between routers.
#[derive(Debug)]
pub(super) struct LinkErrors {
    rate: f64,
    /// For each of all ports.
    links: Vec<Link>,
    /// Flits that arrive later than the link alone takes.
    pub late: BTreeMap<u64, Vec<Arrival>>,
    /// Flits that took a link, and how often one was corrupted.
    pub sent: u64,
    pub corrupted: u64,
}

#[derive(Clone, Debug)]
struct Link {
    random: Random,
    /// The cycle behind the one in which the last flit arrives.
    free: u64,
    /// How often flits were sent again while it was measured.
    again: u64,
}

impl LinkErrors {
    pub fn new(rate: f64, wires: &Topology, seed: u64) -> Self {
        let link = |port: usize| Link {
            random: Random::new(seed ^ LINKS, (wires.first_port + port) as u64),
            free: 0,
            again: 0,
        };
        let links = (0..wires.far.len()).map(link).collect();
        LinkErrors { rate, links, late: BTreeMap::new(), sent: 0, corrupted: 0 }
    }

    /// When a flit arrives that would in cycle `first`.
    pub fn arrival(&mut self, port: usize, first: u64, latency: u16) -> u64 {
        let link = &mut self.links[port];
        let mut at = first.max(link.free);
        self.sent += 1;
        while link.random.part() < self.rate {
            at += 2 * u64::from(latency);
            self.corrupted += 1;
            link.again += 1;
        }
        link.free = at + 1;
        at
    }

    /// How often flits were sent again by a port since it was measured.
    pub fn again(&self, port: usize) -> u64 {
        self.links[port].again
    }

    /// Measures from now on.
    pub fn restart(&mut self) {
        self.links.iter_mut().for_each(|link| link.again = 0);
    }

    /// What arrives late in this cycle.
    pub fn due(&mut self, now: u64) -> Vec<Arrival> {
        self.late.remove(&now).unwrap_or_default()
    }
}

/// What became of flits on links that corrupt some of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Retries {
    /// Flits that took a link between routers, in all cycles.
    pub flits: u64,
    /// How often one was corrupted, and sent again.
    pub corrupted: u64,
}

impl Serialize for Retries {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        fields!(serializer, "Retries", flits = self.flits, corrupted = self.corrupted)
    }
}

persist!(Link { random, free, again });
persist!(LinkErrors { rate, links, late, sent, corrupted });
persist!(Retries { flits, corrupted });
