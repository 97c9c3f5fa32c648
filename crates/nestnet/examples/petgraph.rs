//! A graph of petgraph as a network, and back.

use nestnet::petgraph::{from_petgraph, to_petgraph};
use nestnet::prelude::*;

pub(crate) fn main() -> Result<(), Error> {
    let graph = petgraph::graph::UnGraph::<(), ()>::from_edges([(0, 1), (1, 2), (2, 0)]);
    let built = from_petgraph(&graph, Limits::default())?;
    println!("automorphisms: {}", built.measure("automorphisms")?);
    let graph = to_petgraph(built.network()?, Limits::default())?;
    println!("{} nodes, {} edges", graph.node_count(), graph.edge_count());
    Ok(())
}
