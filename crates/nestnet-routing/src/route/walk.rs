//! Follows a message hop by hop.

use super::{Header, Hop, Router};
use nestnet_graph::{Network, Node, kinds};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A route that arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Walk {
    /// From the source to the target.
    pub nodes: Vec<Node>,
    /// One fewer than nodes.
    pub hops: Vec<Hop>,
}

/// A router that breaks its contract, or a pair without a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error, Serialize, Deserialize)]
#[non_exhaustive]
pub enum WalkError {
    /// It has no hop before the target.
    #[error("the route ends at node {at}")]
    Ends {
        /// The node where the message is.
        at: Node,
    },
    /// It takes a port without a link.
    #[error("the route takes port {} of node {at}, which has no link there", hop.port)]
    NoLink {
        /// The node where the message is.
        at: Node,
        /// The bad hop.
        hop: Hop,
    },
    /// It does not end.
    #[error("the route is still on its way after {hops} hops")]
    TooLong {
        /// When it was given up.
        hops: u64,
    },
}

kinds!(WalkError {
    Unsupported: Ends;
    Internal: NoLink, TooLong;
});

/// Longer routes are not followed, unless the router says that it has such.
const MOST_HOPS: u64 = 1 << 24;

/// After how many hops of a router a route is given up.
pub fn most_hops(router: &dyn Router) -> u64 {
    Some(router.longest()).filter(|&most| most < u64::MAX).unwrap_or(MOST_HOPS)
}

/// The route of one message with one choice; given up after `most` hops. Of several hops the first is taken.
///
/// ```
/// use nestnet_graph::{Csr, Node};
/// use nestnet_routing::route::{Searched, most_hops, walk};
/// use std::sync::Arc;
///
/// let ring = Arc::new(Csr::from_links(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)], 1 << 20)?);
/// let router = Searched::new(ring.clone()).unwrap();
/// let route = walk(&*ring, &router, Node(0), Node(2), 0, most_hops(&router))?;
/// assert_eq!(route.nodes, [Node(0), Node(1), Node(2)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn walk(
    network: &dyn Network,
    router: &dyn Router,
    from: Node,
    to: Node,
    choice: u64,
    most: u64,
) -> Result<Walk, WalkError> {
    let mut walk = Walk { nodes: vec![from], hops: Vec::new() };
    let mut header = router.start(from, to, choice);
    let mut at = from;
    while at != to {
        if walk.hops.len() as u64 >= most {
            return Err(WalkError::TooLong { hops: most });
        }
        let (next, hop) = step(network, router, at, header)?;
        walk.nodes.push(next);
        walk.hops.push(hop);
        (at, header) = (next, hop.header);
    }
    Ok(walk)
}

/// One hop of a message that has not arrived: where it leads, and the hop.
pub fn step(
    network: &dyn Network,
    router: &dyn Router,
    at: Node,
    header: Header,
) -> Result<(Node, Hop), WalkError> {
    let hop = router.next(at, header).ok_or(WalkError::Ends { at })?;
    let in_range = hop.port.0 < network.ports();
    let next = in_range.then(|| network.neighbor(at, hop.port)).flatten();
    next.map(|next| (next, hop)).ok_or(WalkError::NoLink { at, hop })
}
