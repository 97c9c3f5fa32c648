//! Shortest routes from a closed form of the distance: to the first neighbor that is nearer.

use super::search::Written;
use super::{Entry, Header, Hop, Router, Vc};
use crate::{Network, Node};
use std::sync::Arc;

/// The first port that leads nearer, by [`Network::distance`], from addresses alone and at any size.
#[derive(Debug)]
pub struct Greedy {
    network: Arc<dyn Network>,
    written: Written,
}

impl Greedy {
    /// `None` when the network has no closed form.
    pub fn new(network: Arc<dyn Network>) -> Option<Self> {
        let (first, last) = (Node(0), Node(network.order().checked_sub(1)?));
        network.distance(first, last).map(|_| Greedy { network, written: Written::default() })
    }
}

impl Router for Greedy {
    fn vcs(&self) -> u16 {
        1
    }

    fn next(&self, at: Node, header: Header) -> Option<Hop> {
        let here = self.network.distance(at, header.to)?;
        let mut hop = None;
        self.network.for_each_neighbor(at, &mut |port, next| {
            let nearer = |distance| distance < here;
            if hop.is_none() && self.network.distance(next, header.to).is_some_and(nearer) {
                hop = Some(Hop { port, vc: Vc(0), header });
            }
        });
        hop
    }

    /// One search is quicker than a closed form for every neighbor of every node, and finds the same.
    fn fill(&self, to: Node, row: &mut [Entry]) {
        self.written.fill_nearer(&*self.network, to, row);
    }
}
