//! Which logical address is at which node, and in which steps do items meet along a dimension of it?

use super::{Act, Step};
use nestnet_graph::{Csr, Network, Node};
use std::fmt::Debug;
use std::ops::Range;
use std::sync::Arc;

/// How a network represents a product of factors: the guest that it emulates.
///
/// A logical address is written in mixed radix, a digit for each factor, dimension 0 least significant. Steps are
/// only proposed here; a [`Machine`](super::Machine) finds out whether they do what they should.
pub trait Layout: Debug + Send + Sync {
    /// The factor of each dimension, least significant first.
    fn factors(&self) -> &[Arc<dyn Network>];

    /// The logical address whose item starts, and ends, at a node.
    fn logical(&self, at: Node) -> u64;

    /// The steps in which the items meet along these dimensions, lowest first. In reverse they go from the highest down.
    fn ascend(&self, dimensions: Range<usize>) -> Vec<Step>;

    /// How many steps these are, by the recurrence.
    fn steps(&self, dimensions: Range<usize>) -> u64;

    /// The most steps for a single dimension, by theorem.
    fn slowest(&self) -> u64;

    /// One step that exchanges the upper and the lower half of every logical address, where there is one.
    fn transpose(&self) -> Option<Step> {
        None
    }
}

/// Makes the layout of a network of copies from that of its base.
pub trait Arrange: Debug + Send + Sync {
    /// Whether there is one on this base.
    fn suits(&self, _base: &dyn Layout) -> bool {
        true
    }

    /// The layout on that of the base.
    fn over(&self, base: Arc<dyn Layout>) -> Arc<dyn Layout>;
}

/// A network that contains its guest: the id is the logical address, and every dimension takes one step.
#[derive(Debug)]
pub struct Flat {
    network: Arc<dyn Network>,
    factors: Vec<Arc<dyn Network>>,
}

impl Flat {
    /// A network whose ids are written in mixed radix, least significant factor first.
    pub fn new(network: Arc<dyn Network>, factors: Vec<Arc<dyn Network>>) -> Self {
        Flat { network, factors }
    }

    /// A network of 2^m nodes in which every two ids that differ in one bit are linked. O(links).
    ///
    /// ```
    /// use nestnet_graph::Csr;
    /// use nestnet_collectives::program::{Flat, Layout};
    /// use std::sync::Arc;
    ///
    /// let square = Csr::from_links(4, &[(0, 1), (1, 3), (3, 2), (2, 0)], 1 << 20)?;
    /// assert_eq!(Flat::bits(Arc::new(square)).map(|flat| flat.factors().len()), Some(2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bits(network: Arc<dyn Network>) -> Option<Self> {
        let order = network.order();
        if !order.is_power_of_two() {
            return None;
        }
        let all = order - 1;
        let has_all = |at: u64| {
            let mut seen = 0;
            network.for_each_neighbor(Node(at), &mut |_, to| {
                let bit = at ^ to.0;
                seen |= if bit.is_power_of_two() { bit } else { 0 };
            });
            seen == all
        };
        if !(0..order).all(has_all) {
            return None;
        }
        let factors = vec![pair(); order.trailing_zeros() as usize];
        Some(Flat { network, factors })
    }
}

/// Two nodes and the link between them: the factor of a bit.
pub(crate) fn pair() -> Arc<dyn Network> {
    Arc::new(Csr::from_links(2, &[(0, 1)], 1 << 10).expect("two nodes fit"))
}

impl Layout for Flat {
    fn factors(&self) -> &[Arc<dyn Network>] {
        &self.factors
    }

    fn logical(&self, at: Node) -> u64 {
        at.0
    }

    fn ascend(&self, dimensions: Range<usize>) -> Vec<Step> {
        let along = |dimension: usize| {
            let network = self.network.clone();
            let low: u64 = self.factors[..dimension].iter().map(|factor| factor.order()).product();
            let high = low * self.factors[dimension].order();
            Step::new(move |at, ports| {
                network.for_each_neighbor(at, &mut |port, to| {
                    if at.0 % low == to.0 % low && at.0 / high == to.0 / high {
                        ports.push(port);
                    }
                });
                Act::Meet
            })
        };
        dimensions.map(along).collect()
    }

    fn steps(&self, dimensions: Range<usize>) -> u64 {
        dimensions.len() as u64
    }

    fn slowest(&self) -> u64 {
        1
    }
}
