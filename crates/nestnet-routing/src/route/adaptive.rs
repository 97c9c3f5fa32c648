//! Minimal adaptive routing with an escape (Duato's protocol): any shortest hop, or that of a router without deadlock.
//!
//! A message on adaptive channels has every hop that leads nearer, on the adaptive virtual channels, and the hop of the
//! escape router from where it is. One that took the escape stays on it until it arrives. So the extended dependencies of
//! the escape's channels are those of its own routes, begun at any node: where these have no cycle, no message waits for
//! ever (J. Duato, *A new theory of deadlock-free adaptive routing in wormhole networks*, 1993).

use super::distance_rows::DistanceRows;
use super::{Escape, Header, Hop, Router, TableError, Vc};
use nestnet_graph::{Budget, Network, Node, index};
use std::sync::Arc;

/// All shortest hops, and an escape.
#[derive(Debug)]
pub struct Adaptive {
    escape: Arc<dyn Router>,
    vcs: u16,
    distances: DistanceRows,
}

/// The state of a message on the escape.
const ESCAPED: u64 = 1;

impl Adaptive {
    /// With an escape that remembers nothing and has one way to go on; `None` where it is another. O(links), and
    /// O(links) for each new target.
    pub fn new(
        network: &dyn Network,
        escape: Arc<dyn Router>,
        budget: &Budget<'_>,
    ) -> Result<Option<Self>, TableError> {
        let vcs = escape.vcs();
        if escape.remembers() || escape.adapts() || vcs == u16::MAX {
            return Ok(None);
        }
        Ok(Some(Adaptive { escape, vcs, distances: DistanceRows::new(network, budget)? }))
    }

    /// Adds every hop that leads nearer.
    fn nearer(&self, at: Node, header: Header, row: &[u16], out: &mut Vec<Hop>) {
        let Ok(here) = u32::try_from(at.0) else { return };
        let far = row[index(at)];
        for (port, next) in self.distances.wiring.links(here) {
            if row[next as usize] < far {
                out.push(Hop { port, vc: Vc(self.vcs), header });
            }
        }
    }
}

impl Router for Adaptive {
    /// Those of the escape, and one that is adaptive.
    fn vcs(&self) -> u16 {
        self.vcs + 1
    }

    fn next(&self, at: Node, header: Header) -> Option<Hop> {
        let mut hops = Vec::with_capacity(8);
        self.hops(at, header, &mut hops);
        hops.first().copied()
    }

    fn hops(&self, at: Node, header: Header, out: &mut Vec<Hop>) {
        if at == header.to {
            return;
        }
        if header.state != ESCAPED {
            self.distances.with(header.to, |row| {
                self.nearer(at, header, row, out);
                Some(())
            });
        }
        let escape = self.escape.next(at, Header { state: 0, ..header });
        let escaped = Header { state: ESCAPED, ..header };
        out.extend(escape.map(|hop| Hop { header: escaped, ..hop }));
    }

    fn longest(&self) -> u64 {
        // The first part is shorter than the distance, and what is left of the way is a route of the escape.
        self.escape.longest().saturating_mul(2)
    }

    fn escape(&self) -> Option<Escape<'_>> {
        Some(Escape { router: &*self.escape, vcs: self.vcs })
    }

    fn adapts(&self) -> bool {
        true
    }

    fn remembers(&self) -> bool {
        true
    }

    fn state_bytes(&self) -> u64 {
        self.escape.state_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::deadlock::{CheckError, Deadlock, certify, check};
    use crate::route::{Minimal, UpDownLayers, VcLimited};
    use nestnet_seed::samples::{petersen, ring, torus};
    use std::collections::HashSet;

    const ALL: &Budget<'_> = &Budget::UNLIMITED;

    fn adaptive(network: &Arc<dyn Network>, escape: Arc<dyn Router>) -> Adaptive {
        Adaptive::new(&**network, escape, ALL).unwrap().unwrap()
    }

    fn layered(network: &Arc<dyn Network>) -> Arc<dyn Router> {
        let minimal = Arc::new(Minimal::new(network.clone(), ALL).unwrap());
        Arc::new(UpDownLayers::new(network.clone(), minimal, None))
    }

    #[test]
    fn every_shortest_hop_is_offered_and_the_escape_last() {
        let network: Arc<dyn Network> = Arc::new(torus(4, 4));
        let escape = layered(&network);
        let router = adaptive(&network, escape.clone());
        assert_eq!(router.vcs(), escape.vcs() + 1);
        let mut hops = Vec::new();
        let header = router.start(Node(0), Node(10), 0);
        router.hops(Node(0), header, &mut hops);
        // Two steps in each dimension, either way around.
        assert_eq!(hops.len(), 5);
        let ports: HashSet<_> = hops[..4].iter().map(|hop| hop.port).collect();
        assert!(ports.len() == 4 && hops[..4].iter().all(|hop| hop.vc == Vc(escape.vcs())));
        let last = hops[4];
        assert_eq!(
            Some((last.port, last.vc)),
            escape.next(Node(0), header).map(|h| (h.port, h.vc))
        );
        let next = network.neighbor(Node(0), last.port).unwrap();
        hops.clear();
        router.hops(next, last.header, &mut hops);
        assert!(hops.len() == 1 && hops[0].vc.0 < escape.vcs());
    }

    #[test]
    fn the_escape_proves_it_free_of_deadlock() {
        for network in
            [Arc::new(torus(4, 4)) as Arc<dyn Network>, Arc::new(petersen()), Arc::new(ring(9))]
        {
            let router = adaptive(&network, layered(&network));
            let certificate = certify(&*network, &router, ALL).unwrap();
            assert!(certificate.is_free());
            assert!(certificate.vcs < router.vcs());
            check(&*network, &router, &certificate, ALL).unwrap();
            // Without its own channels the escape proves nothing.
            let folded = VcLimited::new(Arc::new(adaptive(&network, layered(&network))), 1);
            assert!(folded.escape().is_none());
            assert!(!certify(&*network, &folded, ALL).unwrap().is_free());
        }
        // An escape with a cycle is none.
        let network: Arc<dyn Network> = Arc::new(ring(9));
        let cyclic = Arc::new(Minimal::new(network.clone(), ALL).unwrap());
        let router = adaptive(&network, cyclic);
        let certificate = certify(&*network, &router, ALL).unwrap();
        assert!(matches!(certificate.verdict, Deadlock::Cycle(_)));
        check(&*network, &router, &certificate, ALL).unwrap();
    }

    /// Says that it has an escape and does not keep to it.
    #[derive(Debug)]
    struct Leaves(Adaptive);

    impl Router for Leaves {
        fn vcs(&self) -> u16 {
            self.0.vcs()
        }

        fn next(&self, at: Node, header: Header) -> Option<Hop> {
            self.0.next(at, header)
        }

        fn hops(&self, at: Node, header: Header, out: &mut Vec<Hop>) {
            self.0.hops(at, Header { state: 0, ..header }, out);
        }

        fn escape(&self) -> Option<Escape<'_>> {
            self.0.escape()
        }

        fn adapts(&self) -> bool {
            true
        }
    }

    #[test]
    fn who_leaves_the_escape_is_found_out() {
        let network: Arc<dyn Network> = Arc::new(petersen());
        let router = Leaves(adaptive(&network, layered(&network)));
        let certificate = certify(&*network, &router, ALL).unwrap();
        let found = check(&*network, &router, &certificate, ALL).unwrap_err();
        assert!(matches!(found, CheckError::LeavesEscape { .. }), "{found}");
    }
}
