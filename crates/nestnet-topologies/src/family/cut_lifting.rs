//! Which networks inherit cuts and bounds on them from what they are built on.

use std::fmt::Debug;

/// A network whose halves, channel loads and spectrum follow from those of its base.
pub trait CutLifting: Debug + Send + Sync {
    /// A side of the network from one of the base; balanced where that has exactly half of the nodes.
    fn lift(&self, side: &[bool]) -> Option<Vec<bool>>;

    /// The largest load of a channel when all send to all, from that of the base by some routing.
    fn load(&self, base: f64) -> f64;

    /// A lower bound on λ₂ of the Laplacian, from one of the base.
    fn lambda2(&self, base: f64) -> f64;
}
