//! Valiant's routing: first to any node, then to the target. Which node is the numbered choice.

use super::{Header, Hop, Router, Structure, Through, Vc};
use nestnet_graph::Node;
use std::ops::Range;
use std::sync::Arc;

/// Two legs of another router, each with its own virtual channels.
#[derive(Debug)]
pub struct Valiant {
    inner: Arc<dyn Router>,
    /// The nodes that may be in the middle.
    middles: Range<u64>,
}

impl Valiant {
    /// Through any of the nodes `middles`. `None` when the legs remember, as one header cannot hold both, or have several ways to
    /// go on, of which this would take only the first.
    pub fn new(inner: Arc<dyn Router>, middles: Range<u64>) -> Option<Self> {
        let fits = !inner.remembers() && !inner.adapts() && inner.vcs() <= u16::MAX / 2;
        fits.then_some(Valiant { inner, middles })
    }
}

impl Router for Valiant {
    fn vcs(&self) -> u16 {
        2 * self.inner.vcs()
    }

    /// The node in the middle.
    fn choices(&self) -> u64 {
        self.middles.end - self.middles.start
    }

    /// The state is the node in the middle plus one, and 0 behind it.
    fn start(&self, from: Node, to: Node, choice: u64) -> Header {
        let middle = self.middles.start + choice;
        let state = if middle == from.0 { 0 } else { middle + 1 };
        Header { to, state }
    }

    fn next(&self, at: Node, header: Header) -> Option<Hop> {
        if at == header.to {
            return None;
        }
        let toward = |to| self.inner.next(at, Header { to, state: 0 });
        let middle = header.state.checked_sub(1).map(Node).filter(|&middle| middle != at);
        // A middle without a path to it is omitted.
        if let Some(hop) = middle.and_then(toward) {
            return Some(Hop { header, ..hop });
        }
        let hop = toward(header.to)?;
        let vc = Vc(hop.vc.0 + self.inner.vcs());
        Some(Hop { port: hop.port, vc, header: Header { state: 0, ..header } })
    }

    fn longest(&self) -> u64 {
        self.inner.longest().saturating_mul(2)
    }

    fn structure(&self) -> Structure<'_> {
        let Range { start, end } = self.middles;
        let through = Through { legs: &*self.inner, first: start, count: end - start };
        Structure { through: Some(through), ..Structure::default() }
    }

    fn remembers(&self) -> bool {
        true
    }

    fn state_bytes(&self) -> u64 {
        self.inner.state_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::tests::Either;
    use crate::route::{Searched, walk};
    use nestnet_seed::samples::ring;

    /// Around a ring of ten from node 0 to node 2, through each of the nodes 3 to 6.
    #[test]
    fn the_choice_names_the_node_in_the_middle() {
        let network = ring(10);
        let inner = Arc::new(Searched::new(Arc::new(network.clone())).unwrap());
        let router = Valiant::new(inner, 3..7).unwrap();
        assert_eq!((router.choices(), router.vcs()), (4, 2));
        let through = router.structure().through.unwrap();
        assert_eq!((through.first, through.count), (3, 4));
        let route = |choice| {
            let found = walk(&network, &router, Node(0), Node(2), choice, 20).unwrap();
            let nodes = found.nodes.iter().map(|node| node.0).collect::<Vec<_>>();
            (nodes, found.hops.iter().map(|hop| hop.vc.0).collect::<Vec<_>>())
        };
        // It has arrived where it first meets its target, also before the middle.
        assert_eq!(route(0), (vec![0, 1, 2], vec![0, 0]));
        assert_eq!(route(3), (vec![0, 9, 8, 7, 6, 5, 4, 3, 2], vec![0, 0, 0, 0, 1, 1, 1, 1]));
        // From the middle itself there is only one leg.
        let found = walk(&network, &router, Node(4), Node(2), 1, 20).unwrap();
        assert!(found.hops.len() == 2 && found.hops.iter().all(|hop| hop.vc == Vc(1)));
        assert!(Valiant::new(Arc::new(Either), 0..4).is_none());
        assert!(Valiant::new(Arc::new(router), 0..4).is_none());
    }
}
