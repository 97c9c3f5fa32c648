//! Which product a network emulates: its logical addresses, and how items meet along their dimensions.

use nestnet_collectives::program::{Arrange, Flat, Layout};
use nestnet_graph::Network;
use std::sync::Arc;

/// How finely a logical address is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grain {
    /// A digit for each factor.
    Digits,
    /// Bits alone.
    Bits,
}

/// The logical addresses of a network. Without either part its guest is itself.
#[derive(Clone, Debug, Default)]
pub struct Logical {
    /// The networks whose product it is, first most significant; none where it is not known as one.
    pub(super) factors: Vec<Arc<dyn Network>>,
    /// How logical addresses are laid out on those of its base.
    pub(super) with_layout: Option<Arc<WithLayout>>,
}

/// Logical addresses on those of a base.
#[derive(Debug)]
pub(super) struct WithLayout {
    pub rule: Arc<dyn Arrange>,
    /// Those of the base.
    pub logical: Logical,
    /// The base, where it can be built.
    pub network: Option<Arc<dyn Network>>,
}

impl Logical {
    /// The orders of the networks whose product it is known as, first most significant; none where it is not.
    pub fn product_sides(&self) -> Vec<u64> {
        self.factors.iter().map(|factor| factor.order()).collect()
    }

    /// Whether it represents another network than itself.
    pub fn has_guest(&self) -> bool {
        self.is_arranged() || !self.factors.is_empty()
    }

    /// Whether it is made of copies of a base with which it shares its logical addresses.
    pub fn is_arranged(&self) -> bool {
        self.with_layout.is_some()
    }

    /// Which product `network` emulates and how.
    pub(super) fn layout(
        &self,
        network: Option<&Arc<dyn Network>>,
        grain: Grain,
    ) -> Option<Arc<dyn Layout>> {
        if let Some(WithLayout { rule, logical, network }) = self.with_layout.as_deref() {
            let base = logical.layout(network.as_ref(), grain);
            return Some(rule.over(base.filter(|base| rule.suits(&**base))?));
        }
        let network = network?.clone();
        if grain == Grain::Bits {
            return Some(Arc::new(Flat::bits(network)?));
        }
        // A side of one place is no dimension.
        let mut factors = self.factors.clone();
        if factors.is_empty() {
            factors.push(network.clone());
        }
        factors.retain(|factor| factor.order() > 1);
        factors.reverse();
        Some(Arc::new(Flat::new(network, factors)))
    }
}
