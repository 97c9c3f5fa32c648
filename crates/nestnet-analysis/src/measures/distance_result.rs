//! What is found of distances, between nodes and between hosts?

use super::{Sampled, Unanswered};
use nestnet_graph::theory::Bounded;
use nestnet_graph::{Distances, How, Node};

/// What is found of distances, each with its method.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Ordered pairs by distance.
    pub histogram: Option<(Distances, How)>,
    /// From a few nodes, where that was asked for and not all can be searched from.
    pub sampled: Option<Sampled>,
    /// Between its bounds; absent where there is no path between some nodes.
    pub diameter: Option<Bounded>,
    /// Likewise.
    pub radius: Option<Bounded>,
    /// Two nodes that are the diameter apart, or the lower of its bounds.
    pub farthest: Option<(Node, Node)>,
    /// Why something is missing.
    pub why: Option<Unanswered>,
}

/// What is found of distances between hosts.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct BetweenHosts {
    /// Ordered pairs of hosts by distance.
    pub histogram: Option<(Distances, How)>,
    /// Between its bounds; absent where there is no path between some hosts.
    pub diameter: Option<Bounded>,
    /// Why something is missing.
    pub why: Option<Unanswered>,
}
