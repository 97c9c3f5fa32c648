//! What does a plan consist of? Layers of cells, and what joins them.

use super::shape::Shape;
use nestnet_graph::Network;
use num_bigint::BigUint;
use std::fmt;
use std::sync::Arc;

/// The cells of one kind and what they hold.
#[derive(Clone, Debug)]
pub struct Layer {
    /// How the places of a cell lie.
    pub shape: Shape,
    /// The level of the links that join what is at the places.
    pub level: u16,
    /// Whether what is at a place has an outline.
    pub held: Held,
}

/// What is at the places of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// A part that nobody names, or a node.
    Part,
    /// A cluster, which has an outline.
    Cluster,
}

/// How many nodes cells of these layers hold.
pub(super) fn size(layers: &[Layer]) -> BigUint {
    layers.iter().map(|layer| BigUint::from(layer.shape.places())).product()
}

/// How many links join the cells of the outermost layers, where the rule says it at any size.
#[derive(Clone, Debug, Default)]
pub enum Joints {
    /// It must be counted.
    #[default]
    Counted,
    /// Each digit changes by itself, most significant first.
    Digits(Vec<Digit>),
    /// Every two clusters that the first `layers` tell apart are joined.
    EveryTwo {
        /// How many layers.
        layers: usize,
        /// By how many links.
        links: u64,
        /// How many more join a cluster to its opposite, the one as far from the last as it is from the first.
        opposite: u64,
    },
    /// Clusters of two kinds, the first digit; every two of different kinds are joined by one link.
    Bipartite {
        /// How many layers tell clusters apart.
        layers: usize,
    },
    /// As the construction says, which may leave places empty.
    ByRule(Arc<dyn Tally>),
}

/// What a construction says of the cells of its plan, at any size.
pub trait Tally: fmt::Debug + Send + Sync {
    /// How many nodes are in the cell at `path`, where some places are empty.
    fn nodes(&self, path: &[u64]) -> Option<BigUint> {
        let _ = path;
        None
    }

    /// How many bundles there are at most between the cells that `shown` layers below `path` tell apart, where it says
    /// them.
    fn count(&self, path: &[u64], shown: usize) -> Option<u128>;

    /// These bundles, in order, where there is a count.
    fn cords(&self, path: &[u64], shown: usize) -> Vec<Cord>;
}

/// All links of one level between two spots.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cord {
    /// The level of the links.
    pub level: u16,
    /// The spot of the lower number.
    pub from: usize,
    /// The other.
    pub to: usize,
    /// How many links.
    pub links: BigUint,
}

/// A digit that a link changes while all others of those that are distinguished stay.
#[derive(Clone, Debug)]
pub struct Digit {
    /// How many layers it has.
    pub layers: usize,
    /// Which of its values are joined.
    pub network: Arc<dyn Network>,
    /// How many links there are between two parts that only this and later digits tell apart.
    pub links: u64,
    /// Where in those parts the links are.
    pub spread: Spread,
}

/// Where the links between two parts are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    /// As many for each value of every later digit that is distinguished.
    Even,
    /// Where all later digits are zero.
    AtZero,
}
