//! How is a network drawn that no construction says how to draw, and that has too many nodes for one circle?
//!
//! Its nodes are divided into clusters of equal size, each grown by a search in breadth among the nodes that no earlier
//! cluster has, so that many links stay inside. What is inside a large cluster is divided again.

use super::grid::{Blocks, Grid, Side};
use super::layer::{Cord, Held, Joints, Layer, Tally};
use super::merged;
use super::plan::{MAX_CELL, Plan};
use super::shape::Shape;
use nestnet_graph::{Network, Node, index};
use num_bigint::BigUint;
use num_traits::ToPrimitive as _;
use std::collections::VecDeque;
use std::sync::Arc;

/// The sizes of the clusters; their links are counted where the network is walked.
#[derive(Debug)]
struct Sizes(Arc<Grid>);

impl Tally for Sizes {
    fn nodes(&self, path: &[u64]) -> Option<BigUint> {
        self.0.nodes(path)
    }

    fn count(&self, _: &[u64], _: usize) -> Option<u128> {
        None
    }

    fn cords(&self, _: &[u64], _: usize) -> Vec<Cord> {
        Vec::new()
    }
}

impl Plan {
    /// Clusters of a network that has no plan of its own, in rings of dots.
    ///
    /// Nodes of networks of up to [`MAX_CELL`] nodes are gathered by searches in breadth, O(nodes + links); those of
    /// larger ones lie in the order of their ids.
    pub fn clustered(network: &dyn Network) -> Self {
        let order = network.order();
        let (grid, layers) = Grid::new(&[order], Side::Ring, Blocks::Any);
        let last = layers.len().saturating_sub(1);
        let layers: Vec<Layer> = layers
            .into_iter()
            .enumerate()
            .map(|(at, layer)| Layer {
                shape: Shape::Ring(layer.shape.places()),
                held: if at < last { Held::Cluster } else { Held::Part },
                ..layer
            })
            .collect();
        let grid = Arc::new(grid);
        let plan = Plan::layered(layers)
            .joined(Joints::ByRule(Arc::new(Sizes(grid.clone()))))
            .nested_as(Plan::ring(order))
            .without_names();
        if order > MAX_CELL {
            let sitter = grid.clone();
            return plan.seated(move |at| grid.place(at)).sat_by(move |place| sitter.node(place));
        }
        // What lies on one circle is folded in parts that follow each other.
        let each = match plan.layers() {
            [_] => merged::each(order),
            _ => plan.nodes_in(&[0]).to_u64().unwrap_or(order),
        };
        let nodes = gathered(network, each);
        let mut seats = vec![0; nodes.len()];
        for (seat, node) in nodes.iter().enumerate() {
            seats[index(node.0)] = seat as u64;
        }
        let sitter = grid.clone();
        plan.seated(move |at| seats.get(index(at.0)).map_or(0, |&seat| grid.place(Node(seat))))
            .sat_by(move |place| nodes.get(index(sitter.node(place)?.0)).copied())
    }
}

/// All nodes, `each` of a cluster after the other.
fn gathered(network: &dyn Network, each: u64) -> Vec<Node> {
    let order = network.order();
    let mut taken = vec![false; index(order)];
    let mut all = Vec::with_capacity(taken.len());
    let mut first = 0;
    while first < order {
        let end = all.len() + index(each.max(1));
        let mut queue = VecDeque::new();
        while all.len() < end {
            let Some(at) = queue.pop_front() else {
                while first < order && taken[index(first)] {
                    first += 1;
                }
                if first == order {
                    break;
                }
                taken[index(first)] = true;
                queue.push_back(Node(first));
                continue;
            };
            all.push(at);
            network.for_each_neighbor(at, &mut |_, to| {
                if !std::mem::replace(&mut taken[index(to.0)], true) {
                    queue.push_back(to);
                }
            });
        }
        // Who waits goes to another cluster.
        for node in queue {
            taken[index(node.0)] = false;
            first = first.min(node.0);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use nestnet_graph::Csr;

    #[test]
    fn every_node_has_one_place_and_clusters_hold_together() {
        // A circle of 6000 nodes whose numbers jump: by ids no cluster would hold together.
        let order = 6000u32;
        let links: Vec<(u32, u32)> =
            (0..order).map(|at| (at * 1001 % order, (at + 1) * 1001 % order)).collect();
        let network = Csr::from_links(order.into(), &links, 1 << 20).unwrap();
        let plan = Plan::clustered(&network);
        assert_eq!(plan.nodes_in(&[]), order.into());
        let all = plan.layers().len();
        let mut taken = vec![false; index(plan.cells(all))];
        for at in (0..order.into()).map(Node) {
            assert_eq!(plan.node_at(plan.place_of(at)), Some(at));
            assert!(!std::mem::replace(&mut taken[index(plan.cell_of(at, all))], true));
        }
        let cluster = |at: u32| plan.cell_of(Node(at.into()), 1);
        let inside = links.iter().filter(|&&(a, b)| cluster(a) == cluster(b));
        assert!(inside.count() > 5500);
    }
}
