//! Dimension order on meshes and tori: the hop of a packet from the digits of two nodes, without asking the router.

use super::state::{Route, index32};
use super::topology::Topology;
use nestnet_graph::Node;
use nestnet_routing::Router;
use nestnet_routing::route::{ClosedForm, RingDigits};
use std::sync::Arc;

/// The routes of dimension order.
#[derive(Clone, Debug)]
pub(super) struct RingRoutes {
    digits: Arc<RingDigits>,
    dimensions: usize,
    /// Which of all ports leads up and down in each dimension of each router.
    ports: Vec<[u32; 2]>,
    /// The last class of virtual channels.
    last: usize,
}

/// No port.
const NONE: u32 = u32::MAX;

impl RingRoutes {
    /// Of a router that has this closed form, where every node is a router.
    pub fn new(wires: &Topology, router: &dyn Router) -> Option<Self> {
        if wires.has_ends() {
            return None;
        }
        let last = usize::from(router.vcs().saturating_sub(1));
        let mut found = None;
        router.closed_form(&mut |form| {
            let ClosedForm::Rings { digits, port } = form else { return };
            let dimensions = digits.lines().len();
            let port_of = |router: usize, dimension: usize, is_up: bool| {
                let local = wires.local(router, port(wires.node(router), dimension, is_up)?)?;
                Some(index32(wires.base(router) + local))
            };
            let ports = (0..wires.routers() * dimensions).map(|at| {
                let (router, dimension) = (at / dimensions, at % dimensions);
                [false, true].map(|is_up| port_of(router, dimension, is_up).unwrap_or(NONE))
            });
            let ports = ports.collect();
            found = Some(RingRoutes { digits: digits.clone(), dimensions, ports, last });
        });
        found
    }

    /// The way on from a router, which is that node, to another one, and what the packet carries then; `None` where it has
    /// arrived.
    #[inline(always)]
    pub fn next(&self, router: usize, at: Node, to: Node, state: u64) -> Option<(Route, u64)> {
        let hop = self.digits.hop(at, to, state)?;
        let port =
            self.ports.get(router * self.dimensions + hop.dimension)?[usize::from(hop.is_up())];
        if port == NONE {
            return None;
        }
        let class = usize::from(hop.vc().0).min(self.last);
        Some((Route::new(port as usize, class, true), hop.state))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use nestnet_graph::{Budget, Network};
    use nestnet_routing::route::Dimensions;
    use nestnet_seed::samples::{by_rule, ring, torus};

    /// Every hop of every route is that of the router.
    #[test]
    fn routes_are_those_of_the_router() {
        for (network, sides) in [
            (torus(4, 6), vec![4, 6]),
            (ring(7), vec![7]),
            (by_rule(12, |a, b| b == a + 4 || b == a + 1 && b % 4 > 0), vec![3, 4]),
        ] {
            let wires = Topology::new(&network, &Config::default(), &Budget::UNLIMITED).unwrap();
            let router = Dimensions::new(&network, &sides).unwrap();
            let rings = RingRoutes::new(&wires, &router).unwrap();
            let order = network.order();
            let pairs = (0..order).flat_map(|from| (0..order).map(move |to| (from, to)));
            for (from, to) in pairs {
                for choice in 0..router.choices() {
                    let (mut at, mut header) = (from, router.start(Node(from), Node(to), choice));
                    while let Some(hop) = router.next(Node(at), header) {
                        let place = usize::try_from(at).unwrap();
                        let (route, state) =
                            rings.next(place, Node(at), Node(to), header.state).unwrap();
                        let local = wires.local(place, hop.port).unwrap();
                        assert_eq!(route.port as usize, wires.base(place) + local);
                        assert_eq!(
                            (route.class, route.links),
                            (u8::try_from(hop.vc.0).unwrap(), 1)
                        );
                        assert_eq!(state, hop.header.state);
                        (at, header) =
                            (network.neighbor(Node(at), hop.port).unwrap().0, hop.header);
                    }
                    let place = usize::try_from(to).unwrap();
                    assert!(rings.next(place, Node(to), Node(to), header.state).is_none());
                }
            }
        }
    }
}
