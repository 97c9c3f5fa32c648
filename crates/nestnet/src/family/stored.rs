//! What is known of a network that is given link by link: what can be counted in it.

use nestnet_core::measure::search::is_connected;
use nestnet_core::theory::{Degrees, Theory};
use nestnet_core::{Csr, Network};
use num_bigint::BigUint;

/// What can be counted in a stored network.
#[derive(Debug)]
pub(super) struct StoredTheory {
    order: u64,
    degrees: Degrees,
    connected: bool,
}

impl StoredTheory {
    /// Counts nodes, links and parts.
    pub(super) fn of(csr: &Csr) -> Self {
        StoredTheory {
            order: csr.order(),
            degrees: Degrees::measured(csr),
            connected: is_connected(csr),
        }
    }
}

impl Theory for StoredTheory {
    fn order(&self) -> BigUint {
        self.order.into()
    }

    fn degrees(&self) -> Degrees {
        self.degrees.clone()
    }

    fn connected(&self) -> bool {
        self.connected
    }
}
