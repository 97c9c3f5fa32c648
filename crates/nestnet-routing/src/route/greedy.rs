//! Shortest routes from a closed form of the distance: to the first neighbor that is nearer.

use super::search::Written;
use super::{Entry, Header, Hop, Router, Vc};
use nestnet_graph::{Network, Node};
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::Searched;
    use nestnet_graph::{Csr, Port};
    use nestnet_seed::samples::{petersen, ring};

    /// A ring that knows how far its nodes are apart.
    #[derive(Debug)]
    struct Closed(Csr);

    impl Network for Closed {
        fn order(&self) -> u64 {
            self.0.order()
        }

        fn ports(&self) -> u32 {
            self.0.ports()
        }

        fn neighbor(&self, at: Node, port: Port) -> Option<Node> {
            self.0.neighbor(at, port)
        }

        fn distance(&self, a: Node, b: Node) -> Option<u64> {
            let apart = a.0.abs_diff(b.0);
            Some(apart.min(self.order() - apart))
        }
    }

    /// By closed form and by search, hop by hop and row by row.
    #[test]
    fn a_closed_form_and_a_search_find_the_same_hops() {
        for order in [7, 8] {
            let network: Arc<dyn Network> = Arc::new(Closed(ring(order)));
            let greedy = Greedy::new(network.clone()).unwrap();
            let searched = Searched::new(network).unwrap();
            let mut row = vec![Entry::NONE; order as usize];
            for to in (0..order.into()).map(Node) {
                greedy.fill(to, &mut row);
                for (at, entry) in (0..).map(Node).zip(&row) {
                    let header = Header { to, state: 0 };
                    let hop = greedy.next(at, header);
                    assert_eq!(hop, searched.next(at, header), "{at} to {to} of {order}");
                    assert_eq!((*entry, hop.is_none()), (Entry::of(hop), at == to));
                }
            }
        }
        assert!(Greedy::new(Arc::new(petersen())).is_none());
    }
}
