//! How far is it to one target at the least? What keeps a search on its way.

use nestnet_graph::measure::search::distances_from;
use nestnet_graph::{Network, Node};

/// The distance to one target in the intact network, as far as it can be had.
#[derive(Debug)]
pub(super) enum Guide {
    /// From the addresses.
    Closed,
    /// Found by a search from the target.
    Searched(Vec<u32>),
    /// Not at all: too large for a search.
    Blind,
}

impl Guide {
    /// Networks of up to `most` nodes are searched where there is no closed form.
    pub fn new(network: &dyn Network, from: Node, to: Node, most: u64) -> Self {
        if network.distance(from, to).is_some() {
            Guide::Closed
        } else if network.order() <= most {
            Guide::Searched(distances_from(network, to))
        } else {
            Guide::Blind
        }
    }

    /// A lower bound on the distance that changes by at most one along a link; `None` where there is no path.
    pub fn distance(&self, network: &dyn Network, at: Node, to: Node) -> Option<u64> {
        match self {
            Guide::Closed => network.distance(at, to),
            Guide::Searched(distances) => {
                let at = usize::try_from(at.0).expect("a node of a stored row");
                Some(distances[at]).filter(|&far| far != u32::MAX).map(u64::from)
            }
            Guide::Blind => Some(0),
        }
    }
}
