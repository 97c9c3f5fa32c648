//! What a family knows of its networks beyond neighbors: cuts that follow from a base, and trees that a paper embeds.

use nestnet_graph::Node;
use nestnet_graph::budget::{Interrupted, Watch};
use std::fmt::Debug;

/// A network whose bisection, channel loads and spectrum follow from those of its base.
pub trait CutLifting: Debug + Send + Sync {
    /// A side of the network from one of the base; balanced where that has exactly half of the nodes.
    fn lift(&self, side: &[bool]) -> Option<Vec<bool>>;

    /// The largest load of a channel when all send to all, from that of the base by some routing.
    fn load(&self, base: f64) -> f64;

    /// A lower bound on λ₂ of the Laplacian, from one of the base.
    fn lambda2(&self, base: f64) -> f64;
}

/// A network that a paper embeds complete binary trees in.
pub trait TreeEmbedding: Debug + Send + Sync {
    /// The images of the nodes of a tree of so many levels, level by level from the root on, all different; `None` where
    /// the tree or the network is too large.
    fn embed(
        &self,
        root: Node,
        height: u32,
        watch: &Watch<'_>,
    ) -> Result<Option<Vec<Node>>, Interrupted>;
}
