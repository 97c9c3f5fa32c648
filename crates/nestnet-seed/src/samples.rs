//! Small graphs that the tests of all crates share: those by name, and any of some size.
//!
//! In the tests of the crate of graphs the types are not those of the other crates, so that random graphs are drawn as
//! plain lists of edges.

pub use nestnet_graph::samples::*;

use nestnet_graph::{Csr, Network, Node, Port};
use proptest::prelude::*;

/// How many nodes there are, and the two ends of each edge, the smaller one first.
pub type Edges = (u32, Vec<(u32, u32)>);

/// Any simple graph of up to `most` nodes, from none to many edges.
pub fn any_edges(most: u32) -> impl Strategy<Value = Edges> {
    (1..=most, 0..=100u32).prop_flat_map(|(order, percent)| {
        let pairs: Vec<_> = (0..order).flat_map(|b| (0..b).map(move |a| (a, b))).collect();
        proptest::collection::vec(0..100u32, pairs.len()).prop_map(move |dice| {
            let drawn = pairs.iter().zip(dice).filter(|(_, die)| *die < percent);
            (order, drawn.map(|(pair, _)| *pair).collect())
        })
    })
}

/// Any graph of up to `most` nodes, half of them with up to five edges between two nodes.
pub fn any_cables(most: u32) -> impl Strategy<Value = Edges> {
    any_edges(most).prop_flat_map(|(order, mut links)| {
        links.sort_unstable();
        let one = Just(vec![1; links.len()]);
        let widths = proptest::collection::vec(1..=5usize, links.len());
        prop_oneof![one, widths].prop_map(move |widths| {
            let edges = links.iter().zip(widths);
            (order, edges.flat_map(|(link, width)| std::iter::repeat_n(*link, width)).collect())
        })
    })
}

/// [`any_edges`] as a stored network.
pub fn any_graph(most: u32) -> impl Strategy<Value = Csr> {
    any_edges(most).prop_map(multigraph)
}

/// [`any_cables`] as a stored network.
pub fn any_multigraph(most: u32) -> impl Strategy<Value = Csr> {
    any_cables(most).prop_map(multigraph)
}

/// Two nodes, one linked to the other whatever port is asked for: a rule that does not know where it ends.
#[derive(Debug)]
pub struct Careless;

impl Network for Careless {
    fn order(&self) -> u64 {
        2
    }

    fn ports(&self) -> u32 {
        1
    }

    fn neighbor(&self, at: Node, _: Port) -> Option<Node> {
        Some(Node(u64::from(at.0 == 0)))
    }
}
