//! Which networks take in a complete binary tree by a rule of their paper.

use nestnet_graph::Node;
use nestnet_graph::budget::{Interrupted, Watch};
use std::fmt::Debug;

/// A network that a paper embeds complete binary trees in.
pub trait TreeEmbedding: Debug + Send + Sync {
    /// The images of the nodes of a tree of so many levels, level by level from the root on, all different; `None` where
    /// the tree or the network is too large.
    fn cost_model(
        &self,
        root: Node,
        height: u32,
        watch: &Watch<'_>,
    ) -> Result<Option<Vec<Node>>, Interrupted>;
}
