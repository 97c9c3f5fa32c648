//! What is known of a network that is given link by link: what can be counted in it.

use nestnet_graph::Network;
use nestnet_graph::measure::search::is_connected;
use nestnet_graph::theory::{Degrees, Theory};
use num_bigint::BigUint;

/// What can be counted in a stored network.
#[derive(Debug)]
pub(super) struct StoredTheory {
    order: u64,
    hosts: u64,
    degrees: Degrees,
    connected: bool,
    remarks: Vec<String>,
}

impl StoredTheory {
    /// Counts nodes, links and parts.
    pub(super) fn of(network: &dyn Network, remarks: Vec<String>) -> Self {
        StoredTheory {
            order: network.order(),
            hosts: network.hosts(),
            degrees: Degrees::measured(network),
            connected: is_connected(network),
            remarks,
        }
    }
}

impl Theory for StoredTheory {
    fn order(&self) -> BigUint {
        self.order.into()
    }

    fn hosts(&self) -> BigUint {
        self.hosts.into()
    }

    fn degrees(&self) -> Degrees {
        self.degrees.clone()
    }

    fn connected(&self) -> bool {
        self.connected
    }

    fn remarks(&self) -> Vec<String> {
        self.remarks.clone()
    }
}
