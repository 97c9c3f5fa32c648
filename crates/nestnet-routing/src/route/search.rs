//! Shortest routes in any network that can be searched: a breadth-first search for each target that is asked for.

use super::bounded_cache::BoundedCache;
use super::wiring::{FAR, Wiring};
use super::{Entry, Faults, Header, Hop, Router, Vc};
use nestnet_graph::measure::search::distances_from;
use nestnet_graph::{Network, Node, Port, index};
use std::sync::{Arc, OnceLock};

/// Larger networks are not searched for a route.
pub const MAX_SEARCHED: u64 = 1 << 20;

/// Rows of one router take at most this many bytes.
const MAX_BYTES: u64 = 1 << 27;

/// The first port that leads nearer, by search. Exact; O(nodes + links) for each new target.
#[derive(Debug)]
pub struct Searched {
    network: Arc<dyn Network>,
    rows: BoundedCache<u64, Arc<[Entry]>>,
    written: Written,
}

impl Searched {
    /// `None` when the network is too large to be searched.
    pub fn new(network: Arc<dyn Network>) -> Option<Self> {
        let fits = network.order() <= MAX_SEARCHED && network.ports() < Entry::MAX_PORTS;
        let rows = BoundedCache::new(index((MAX_BYTES / 4 / network.order().max(1)).max(4)));
        fits.then_some(Searched { network, rows, written: Written::default() })
    }

    fn row(&self, to: Node) -> Arc<[Entry]> {
        let order = index(self.network.order());
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
        let to = header.to;
        let (port, vc) = self.rows.read(to.0, || self.row(to), |row| row[index(at)]).get()?;
        Some(Hop { port, vc, header })
    }

    fn fill(&self, to: Node, row: &mut [Entry]) {
        self.written.fill_nearer(&*self.network, to, row);
    }

    /// An entry for every target.
    fn state_bytes(&self) -> u64 {
        4 * self.network.order()
    }
}

/// The links of a network that is searched again and again, written out when first asked for.
#[derive(Debug, Default)]
pub(super) struct Written(OnceLock<Option<Wiring>>);

/// Networks with more ports than this in all are asked each time.
const MAX_PORTS: u64 = 1 << 23;

impl Written {
    /// The first port of every node that leads nearer to `to`, by one search from there. The fast version of
    /// [`fill_nearer`].
    pub fn fill_nearer(&self, network: &dyn Network, to: Node, row: &mut [Entry]) {
        let written = self.0.get_or_init(|| {
            let is_small = network.order().saturating_mul(network.ports().into()) <= MAX_PORTS;
            is_small.then(|| Wiring::new(network, &Faults::default()))
        });
        let Some(wiring) = written else { return fill_nearer(network, to, row) };
        let (mut distance, mut queue) = (Vec::new(), Vec::new());
        let to = u32::try_from(to.0).expect("a node of a small network");
        wiring.distances_to(to, &mut distance, &mut queue);
        for (at, entry) in (0..).zip(row) {
            let here = distance[at as usize];
            let nearer = |&(_, next): &(Port, u32)| distance[next as usize] < here;
            let port = wiring.links(at).find(nearer).filter(|_| here != FAR);
            *entry = port.map_or(Entry::NONE, |(port, _)| Entry::new(port, Vc(0)));
        }
    }
}

/// The first port of every node that leads nearer to `to`, by one search from there.
fn fill_nearer(network: &dyn Network, to: Node, row: &mut [Entry]) {
    let distance = distances_from(network, to);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::Table;
    use nestnet_graph::Budget;
    use nestnet_seed::samples::{any_multigraph, petersen};
    use proptest::prelude::*;

    /// Four bytes at a node for each of ten targets, found when asked for or written out before.
    #[test]
    fn a_node_holds_an_entry_for_every_target() {
        let router = Searched::new(Arc::new(petersen())).unwrap();
        let table = Table::new(&petersen(), &router, &Budget::default()).unwrap();
        assert_eq!((router.state_bytes(), table.state_bytes()), (40, 40));
    }

    proptest! {
        #![proptest_config(nestnet_seed::config())]

        #[test]
        fn links_written_out_give_the_same_rows(csr in any_multigraph(12)) {
            let written = Written::default();
            let nodes = usize::try_from(csr.order()).unwrap();
            let (mut fast, mut slow) = (vec![Entry::NONE; nodes], vec![Entry::NONE; nodes]);
            for to in (0..csr.order()).map(Node) {
                written.fill_nearer(&csr, to, &mut fast);
                fill_nearer(&csr, to, &mut slow);
                prop_assert_eq!(&fast, &slow);
            }
        }
    }
}
