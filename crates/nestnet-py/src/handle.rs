//! What threads share of a network: how it was built, and what of it was written out.

use crate::fault::Fault;
use crate::job::Retained;
use nestnet::measure::search::watched_distances_from;
use nestnet::{Budget, Built, Csr, Network, Node};
use std::sync::{Arc, OnceLock};

/// So many nodes and links are looked at in a moment.
pub const SMALL: u64 = 1 << 16;

/// A network, for as many threads as like.
#[derive(Debug)]
pub struct Held {
    /// The network.
    pub built: Built,
    /// Its spec.
    pub spec: String,
    /// Graphs that it depends on.
    pub kept: Retained,
    /// Written out, once that was needed.
    pub csr: OnceLock<Arc<Csr>>,
}

impl Held {
    /// Not written out yet.
    pub fn new(built: Built, spec: String, kept: Retained) -> Self {
        Held { built, spec, kept, csr: OnceLock::new() }
    }

    /// The network, if it has node ids.
    pub fn network(&self) -> Result<&Arc<dyn Network>, Fault> {
        let none = || {
            let spec = &self.spec;
            Fault::new(format!(
                "{spec} has no node ids: more than 2^63 nodes or 2^32 ports (see `nestnet info`)"
            ))
        };
        self.built.network.as_ref().ok_or_else(none)
    }

    /// Whether one search is done in a moment.
    pub fn is_small(&self) -> bool {
        self.built
            .network
            .as_ref()
            .is_some_and(|network| network.order().saturating_mul(network.ports().into()) <= SMALL)
    }

    /// A node by its id.
    pub fn node(&self, id: u64) -> Result<Node, Fault> {
        let network = self.network()?;
        if id < network.order() { Ok(Node(id)) } else { Err(self.no_node(&id.to_string())) }
    }

    /// There is no such node.
    pub fn no_node(&self, text: &str) -> Fault {
        let Ok(network) = self.network() else { return Fault::new("there are no nodes") };
        let Some(last) = network.order().checked_sub(1) else {
            return Fault::new("there are no nodes");
        };
        let example = network.address(Node(last)).to_string();
        nestnet::AddressError::Unknown { text: text.to_owned(), last, example }.into()
    }

    /// Written out, and kept so.
    pub fn csr(&self, budget: &Budget<'_>) -> Result<Arc<Csr>, Fault> {
        if let Some(csr) = self.csr.get() {
            return Ok(csr.clone());
        }
        let csr = Arc::new(Csr::from_network(&**self.network()?, budget)?);
        Ok(self.csr.get_or_init(|| csr).clone())
    }

    /// By closed form, or by search.
    pub fn distance(
        &self,
        from: Node,
        to: Node,
        budget: &Budget<'_>,
    ) -> Result<Option<u64>, Fault> {
        let network = self.network()?;
        if let Some(distance) = network.distance(from, to) {
            return Ok(Some(distance));
        }
        budget.fits("the search", 4 * u128::from(network.order()))?;
        let distances = watched_distances_from(&**network, from, &budget.watch)?;
        let distance = usize::try_from(to.0).ok().and_then(|to| distances.get(to)).copied();
        Ok(distance.filter(|&distance| distance != u32::MAX).map(u64::from))
    }
}
