//! Dimension order on Cartesian products of any networks.

use super::{ClosedForm, Digit, Header, Hop, Router};
use nestnet_graph::network::Automorphism;
use nestnet_graph::product::{Factor, Product, on_digit};
use nestnet_graph::{Node, Port};
use std::sync::Arc;

/// Dimension order: the first digit that differs goes first. Links of different digits are different links, so that
/// the digits may share their virtual channels.
#[derive(Debug)]
pub struct DimensionOrder {
    product: Arc<Product>,
    routers: Vec<Arc<dyn Router>>,
}

impl DimensionOrder {
    /// One router for each factor. `None` when one keeps a state of its own: one header cannot hold several. `None`, too,
    /// when one has several ways to go on, of which this would take only the first.
    pub fn new(product: Arc<Product>, routers: Vec<Arc<dyn Router>>) -> Option<Self> {
        let plain = routers.iter().all(|router| !router.remembers() && !router.adapts());
        (plain && routers.len() == product.factors().len())
            .then_some(DimensionOrder { product, routers })
    }
}

impl Router for DimensionOrder {
    fn vcs(&self) -> u16 {
        self.routers.iter().map(|router| router.vcs()).max().unwrap_or(1)
    }

    fn next(&self, at: Node, header: Header) -> Option<Hop> {
        for (factor, router) in self.product.factors().iter().zip(&self.routers) {
            let [x, y] = [at, header.to].map(|node| self.product.digit(node, factor));
            if x != y {
                let hop = router.next(Node(x), Header { to: Node(y), state: 0 })?;
                return Some(Hop {
                    port: Port(factor.first_port + hop.port.0),
                    vc: hop.vc,
                    header,
                });
            }
        }
        None
    }

    fn longest(&self) -> u64 {
        self.routers.iter().fold(0, |sum, router| sum.saturating_add(router.longest()))
    }

    /// Which digits differ is the same for both images, and each digit is routed by itself.
    fn commutes_with(&self) -> Vec<Automorphism> {
        let of_digit = |(factor, router): (&Factor, &Arc<dyn Router>)| {
            let (stride, side) = (factor.stride, factor.side);
            let all = router.commutes_with().into_iter();
            all.map(move |g| on_digit(g, stride, side)).collect::<Vec<_>>()
        };
        self.product.factors().iter().zip(&self.routers).flat_map(of_digit).collect()
    }

    fn closed_form(&self, take: &mut dyn FnMut(ClosedForm<'_>)) {
        take(ClosedForm::Digits(&|visit| {
            for (factor, router) in self.product.factors().iter().zip(&self.routers) {
                let Factor { side, stride, first_port, .. } = *factor;
                visit(Digit { side, stride, first_port: Port(first_port), router: &**router });
            }
        }));
    }

    fn state_bytes(&self) -> u64 {
        self.routers.iter().map(|router| router.state_bytes()).sum()
    }
}
