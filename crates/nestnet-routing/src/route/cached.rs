//! The router of a small network, answered from rows that are made when first asked for.

use super::{ClosedForm, Entry, Header, Hop, Router, Structure};
use nestnet_graph::network::Automorphism;
use nestnet_graph::{Network, Node};
use std::sync::{Arc, OnceLock};

/// Larger networks are asked each time.
const MAX_ORDER: u64 = 1 << 11;

/// The same hops as another router that remembers nothing and has one way to go on.
#[derive(Debug)]
pub struct Cached {
    inner: Arc<dyn Router>,
    /// Asked at every hop, and not always quick to answer.
    vcs: OnceLock<u16>,
    /// One for each target.
    rows: Vec<OnceLock<Box<[Entry]>>>,
}

impl Cached {
    /// `inner` behind rows if the network is small and a row can hold its hops, and `inner` itself otherwise.
    pub fn speed_up(inner: Arc<dyn Router>, network: &dyn Network) -> Arc<dyn Router> {
        let order = network.order();
        let large = order > MAX_ORDER || network.ports() >= Entry::MAX_PORTS;
        if inner.remembers() || inner.adapts() || large {
            return inner;
        }
        let rows = (0..order).map(|_| OnceLock::new()).collect();
        Arc::new(Cached { inner, vcs: OnceLock::new(), rows })
    }

    fn row(&self, to: Node) -> &[Entry] {
        let index = usize::try_from(to.0).expect("a node of a small network");
        self.rows[index].get_or_init(|| {
            let mut row = vec![Entry::NONE; self.rows.len()];
            self.inner.fill(to, &mut row);
            row.into()
        })
    }
}

impl Router for Cached {
    fn vcs(&self) -> u16 {
        *self.vcs.get_or_init(|| self.inner.vcs())
    }

    fn host_vcs(&self) -> u16 {
        self.inner.host_vcs()
    }

    fn inner(&self) -> Option<&dyn Router> {
        Some(&*self.inner)
    }

    fn next(&self, at: Node, header: Header) -> Option<Hop> {
        if self.vcs() > Entry::MAX_VCS {
            return self.inner.next(at, header);
        }
        let at = usize::try_from(at.0).expect("a node of a small network");
        let (port, vc) = self.row(header.to)[at].get()?;
        Some(Hop { port, vc, header })
    }

    fn fill(&self, to: Node, row: &mut [Entry]) {
        row.copy_from_slice(self.row(to));
    }

    fn structure(&self) -> Structure<'_> {
        self.inner.structure()
    }

    fn closed_form(&self, take: &mut dyn FnMut(ClosedForm<'_>)) {
        self.inner.closed_form(take);
    }

    fn commutes_with(&self) -> Vec<Automorphism> {
        self.inner.commutes_with()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::Searched;
    use crate::route::tests::{Either, hops};
    use nestnet_graph::Csr;
    use nestnet_seed::samples::{petersen, ring};

    /// The same hops, asked one by one and row by row.
    #[test]
    fn its_rows_are_those_of_the_router() {
        let inner: Arc<dyn Router> = Arc::new(Searched::new(Arc::new(petersen())).unwrap());
        let cached = Cached::speed_up(inner.clone(), &petersen());
        assert!(!Arc::ptr_eq(&inner, &cached));
        let (mut kept, mut asked) = (vec![Entry::NONE; 10], vec![Entry::NONE; 10]);
        for to in 0..10 {
            for at in 0..10 {
                assert_eq!(hops(&*cached, at, to), hops(&*inner, at, to), "{at} to {to}");
                assert_eq!(hops(&*cached, at, to).is_empty(), at == to);
            }
            cached.fill(Node(to), &mut kept);
            inner.fill(Node(to), &mut asked);
            assert_eq!(kept, asked);
        }
        assert_eq!((cached.vcs(), cached.longest()), (inner.vcs(), inner.longest()));
        assert_eq!(cached.state_bytes(), inner.state_bytes());
    }

    #[test]
    fn up_to_two_thousand_and_forty_eight_nodes_are_kept() {
        for (nodes, is_kept) in [(2048, true), (2049, false)] {
            let inner: Arc<dyn Router> = Arc::new(Searched::new(Arc::new(ring(nodes))).unwrap());
            let cached = Cached::speed_up(inner.clone(), &ring(nodes));
            assert_eq!(!Arc::ptr_eq(&inner, &cached), is_kept, "{nodes}");
        }
    }

    #[test]
    fn a_router_that_adapts_keeps_all_its_hops() {
        let square = Csr::from_links(4, &[(0, 1), (1, 3), (3, 2), (2, 0)], 1 << 20).unwrap();
        let inner: Arc<dyn Router> = Arc::new(Either);
        let cached = Cached::speed_up(inner.clone(), &square);
        assert!(cached.adapts());
        for (at, to) in (0..4).flat_map(|at| (0..4).map(move |to| (at, to))) {
            assert_eq!(hops(&*cached, at, to), hops(&*inner, at, to), "{at} to {to}");
        }
        assert_eq!(hops(&*cached, 0, 3).len(), 2);
    }
}
