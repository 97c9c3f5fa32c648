//! Theories by measurement: what can be counted in a stored network, and what a search finds of a small one where no
//! theorem says it.

use nestnet_graph::measure::search::{distances_from, is_connected, spheres_of};
use nestnet_graph::theory::{Bounded, Degrees, How, Theory};
use nestnet_graph::{Budget, Csr, Distances, Network, Node};
use num_bigint::BigUint;
use std::sync::{Arc, OnceLock};

/// Up to this order, what no theorem says is found by searching from every node, at once.
const MAX_MEASURED: u64 = 1 << 11;

/// A theory completed by measurement.
#[derive(Debug)]
pub(super) struct Measured {
    proven: Arc<dyn Theory>,
    network: Arc<dyn Network>,
    distances: OnceLock<Distances>,
}

impl Measured {
    /// What is known of a network: what is proven, and measured where it is small enough.
    pub(super) fn complete(
        proven: &Arc<dyn Theory>,
        network: Option<&Arc<dyn Network>>,
    ) -> Arc<dyn Theory> {
        match network {
            Some(network) if network.order() <= MAX_MEASURED => Arc::new(Measured {
                proven: proven.clone(),
                network: network.clone(),
                distances: OnceLock::new(),
            }),
            _ => proven.clone(),
        }
    }

    fn measured(&self) -> &Distances {
        self.distances.get_or_init(|| {
            // Written out once, its links are not worked out again from every node.
            let written = Csr::from_network(&*self.network, &Budget::UNLIMITED).ok();
            let written = written.as_ref().map(|csr| csr as &dyn Network);
            let network = written.unwrap_or(&*self.network);
            let nodes = (0..network.order()).map(Node);
            nodes.fold(Distances::default(), |sum, at| sum.plus(&histogram_from(network, at)))
        })
    }
}

fn histogram_from(network: &dyn Network, at: Node) -> Distances {
    Distances::new(spheres_of(&distances_from(network, at)))
}

impl Theory for Measured {
    fn inner(&self) -> Option<&dyn Theory> {
        Some(&*self.proven)
    }

    fn order(&self) -> BigUint {
        self.proven.order()
    }

    fn degrees(&self) -> Degrees {
        let proven = self.proven.degrees();
        if proven.counts.is_some() { proven } else { Degrees::measured(&*self.network) }
    }

    fn diameter(&self) -> Option<Bounded> {
        let proven = self.proven.diameter();
        if !self.connected() || proven.as_ref().is_some_and(|known| known.exact().is_some()) {
            return proven;
        }
        Some(Bounded::theorem(self.measured().longest()).by(How::Exhaustive))
    }

    fn distances(&self) -> Option<Distances> {
        Some(self.proven.distances().unwrap_or_else(|| self.measured().clone()))
    }

    fn distances_how(&self) -> How {
        let proven = self.proven.distances();
        proven.map_or(How::Exhaustive, |_| self.proven.distances_how())
    }

    fn distances_from_zero(&self) -> Option<Distances> {
        let proven = self.proven.distances_from_zero();
        Some(proven.unwrap_or_else(|| histogram_from(&*self.network, Node(0))))
    }
}

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
