//! Shortest routes in any network that can be searched: a breadth-first search for each target that is asked for.

use super::{Entry, Header, Hop, Router, Rows, Vc};
use crate::measure::search::distances_from;
use crate::{Network, Node};
use std::sync::Arc;

/// Larger networks are not searched for a route.
pub const MAX_SEARCHED: u64 = 1 << 20;

/// The first port that leads nearer, by search. Exact; O(nodes + links) for each new target.
#[derive(Debug)]
pub struct Searched {
    network: Arc<dyn Network>,
    rows: Rows,
}

impl Searched {
    /// `None` when the network is too large to be searched.
    pub fn new(network: Arc<dyn Network>) -> Option<Self> {
        let fits = network.order() <= MAX_SEARCHED && network.ports() < Entry::MAX_PORTS;
        let rows = Rows::new(network.order());
        fits.then_some(Searched { network, rows })
    }

    fn row(&self, to: Node) -> Arc<[Entry]> {
        let order = usize::try_from(self.network.order()).expect("at most 2^20 nodes");
        let mut row = vec![Entry::NONE; order];
        self.fill(to, &mut row);
        row.into()
    }
}

impl Router for Searched {
    fn vcs(&self) -> u16 {
        1
    }

    fn next(&self, at: Node, header: Header) -> Option<Hop> {
        let (port, vc) = self.rows.entry(at, header.to, || self.row(header.to)).get()?;
        Some(Hop { port, vc, header })
    }

    fn fill(&self, to: Node, row: &mut [Entry]) {
        fill_nearer(&*self.network, to, row);
    }

    /// An entry for every target.
    fn state_bytes(&self) -> u64 {
        4 * self.network.order()
    }
}

/// The first port of every node that leads nearer to `to`, by one search from there.
pub(super) fn fill_nearer(network: &dyn Network, to: Node, row: &mut [Entry]) {
    let distance = distances_from(network, to);
    let index = |node: Node| usize::try_from(node.0).expect("a node of this network");
    for (at, entry) in (0..).map(Node).zip(row) {
        let here = distance[index(at)];
        *entry = Entry::NONE;
        if here == u32::MAX {
            continue;
        }
        network.for_each_neighbor(at, &mut |port, next| {
            if *entry == Entry::NONE && distance[index(next)] + 1 == here {
                *entry = Entry::new(port, Vc(0));
            }
        });
    }
}
