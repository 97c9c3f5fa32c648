//! Algorithm 1: both ends are routed toward each other, and a cross link joins them.
//!
//! Case 2 routes u to u′ = (u_0, u_1, v_1) in its cluster and v to v′ = (v_0, v_1, u_1) in the other, so that the second
//! leg is built from v backward; inside a cluster the same again. Which path a leg takes can thus depend on where the
//! message came from, and it carries its source. As long as [`super::DualNet`]'s own routing, and shortest where that of
//! the base is.

use super::network::DualNet;
use crate::family::Built;
use nestnet_graph::{Network, Node};
use nestnet_routing::Router;
use nestnet_routing::route::{Followed, Procedure, Trace, UpDownLayers, walk};
use std::sync::Arc;

/// The router of that name, for one construction or several, the innermost first.
pub(super) fn algorithm_1(base: &Built, levels: &[Arc<DualNet>]) -> Option<Arc<dyn Router>> {
    let (bottom, router) = (base.network.clone()?, base.router("paper"));
    let router = router.or_else(|| base.base_router("paper"))?;
    let network: Arc<dyn Network> = levels.last()?.clone();
    let procedure = Arc::new(Algorithm1 { base: bottom, router, levels: levels.to_vec() });
    let followed = Arc::new(Followed::new(network.clone(), procedure)?);
    Some(Arc::new(UpDownLayers::new(network, followed, None)))
}

#[derive(Debug)]
struct Algorithm1 {
    base: Arc<dyn Network>,
    router: Arc<dyn Router>,
    levels: Vec<Arc<DualNet>>,
}

impl Algorithm1 {
    /// The path from `u` to `v` in a network of so many levels, both included.
    fn path(&self, levels: usize, u: Node, v: Node) -> Option<Vec<Node>> {
        let Some(network) = levels.checked_sub(1).map(|top| &self.levels[top]) else {
            let most = self.router.longest().min(self.base.order());
            return Some(walk(&*self.base, &*self.router, u, v, 0, most).ok()?.nodes);
        };
        let ((u0, u1, u2), (v0, v1, v2)) = (network.split(u), network.split(v));
        let inside = |t: u64, c: u64, from: u64, to: u64| {
            let path = self.path(levels - 1, Node(from), Node(to))?;
            Some(path.into_iter().map(move |at| network.join(t, c, at.0)))
        };
        match (u0 == v0, u1 == v1) {
            // Case 1.
            (true, true) => Some(inside(u0, u1, u2, v2)?.collect()),
            // Case 2.
            (false, _) => {
                let back: Vec<Node> = inside(v0, v1, v2, u1)?.collect();
                Some(inside(u0, u1, u2, v1)?.chain(back.into_iter().rev()).collect())
            }
            // Case 3.
            (true, false) => {
                let w = network.join(1 - u0, u2, u1);
                let path = self.path(levels, w, v)?;
                Some([u].into_iter().chain(path).collect())
            }
        }
    }
}

impl Procedure for Algorithm1 {
    fn trace(&self, from: Node, to: Node) -> Option<Trace> {
        self.path(self.levels.len(), from, to).map(Trace::arrives)
    }

    /// Theorem 2.
    fn longest(&self) -> u64 {
        let base = self.router.longest();
        self.levels.iter().fold(base, |most, _| most.saturating_mul(2).saturating_add(2))
    }

    /// Its legs lie in different clusters, or before and behind each other where those of the base are simple.
    fn is_simple(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use crate::build;
    use nestnet_graph::Node;
    use nestnet_routing::route::walk;

    /// The worked example of Section 4: from (0,(0,0,0),(0,0,0)) to (1,(1,2,2),(0,2,2)).
    #[test]
    fn the_example_of_figure_7() {
        let built = build("rdn(ring(3), 2)").unwrap();
        let network = built.network.clone().unwrap();
        let router = built.router("paper").unwrap();
        let route = walk(&*network, &*router, Node(0), Node(638), 0, 100).unwrap();
        assert_eq!(route.nodes, [0, 2, 15, 17, 630, 632, 645, 647, 638].map(Node));
    }
}
