//! Conversion to and from graphs of the crate `petgraph`.

use crate::error::Error;
use ::petgraph::Undirected;
use ::petgraph::graph::{GraphError, UnGraph};
use ::petgraph::visit::{EdgeRef, GraphProp, IntoEdgeReferences, NodeCompactIndexable};
use nestnet_analysis::measures::Limits;
use nestnet_graph::{Csr, CsrError, Network, Node};
use nestnet_topologies::Built;

/// Bytes of a node and of an edge without weights: two indices, and two ends besides.
const NODE_BYTES: u128 = 8;
const EDGE_BYTES: u128 = 16;

/// The network as a graph of `petgraph`.
///
/// Takes a network and the limits of what may be stored.
/// Returns a graph whose node indices are the node ids, with every link once, ascending by its smaller end.
/// O(nodes · ports). Refused before it is stored where it needs more memory or steps than the limits have, and where it
/// has more than 2^32 - 1 nodes.
///
/// ```
/// use nestnet::petgraph::to_petgraph;
/// use nestnet::prelude::*;
///
/// let built = build("rdn(petersen, 1)")?;
/// let graph = to_petgraph(built.network()?, Limits::default())?;
/// assert_eq!((graph.node_count(), graph.edge_count()), (200, 400));
/// # Ok::<(), Error>(())
/// ```
pub fn to_petgraph(network: &dyn Network, limits: Limits<'_>) -> Result<UnGraph<(), ()>, Error> {
    let (order, budget) = (network.order(), limits.budget);
    let nodes = u32::try_from(order).map_err(|_| GraphError::NodeIxLimit)?;
    budget.affords(WHAT, u128::from(order) * u128::from(network.ports()))?;
    let mut links = 0u64;
    for at in 0..nodes {
        budget.watch.check_each(at.into())?;
        above(network, at, &mut |_| links += 1);
    }
    budget.fits(WHAT, u128::from(order) * NODE_BYTES + u128::from(links) * EDGE_BYTES)?;
    let links = u32::try_from(links).map_err(|_| GraphError::EdgeIxLimit)?;
    let mut graph = UnGraph::with_capacity(nodes as usize, links as usize);
    for _ in 0..nodes {
        graph.try_add_node(())?;
    }
    for at in 0..nodes {
        budget.watch.check_each(at.into())?;
        // Both ends are there, and the edges were counted.
        above(network, at, &mut |to| _ = graph.try_add_edge(at.into(), to.into(), ()));
    }
    Ok(graph)
}

/// Visits the neighbors of a node whose ids are larger, so that every link is seen once.
fn above(network: &dyn Network, at: u32, visit: &mut dyn FnMut(u32)) {
    network.for_each_neighbor(Node(at.into()), &mut |_, to| {
        if let Ok(to) = u32::try_from(to.0)
            && at < to
        {
            visit(to);
        }
    });
}

/// What is refused where it is too large.
const WHAT: &str = "the graph of petgraph";

/// The network of an undirected graph of `petgraph`.
///
/// Takes a graph of any weights whose nodes have indices without gaps: `&Graph`, `&GraphMap`, `&Csr`. Parallel edges
/// count once, weights are left behind, and a node that is linked to itself is an error.
/// Returns the network, whose node ids are the indices of the graph.
/// O(nodes + edges · log degree); refused before it starts where it needs more memory than the limits have.
///
/// ```
/// use nestnet::petgraph::{from_petgraph, to_petgraph};
/// use nestnet::prelude::*;
/// use petgraph::graph::UnGraph;
///
/// let square = UnGraph::<&str, f64>::from_edges([(0, 1), (1, 2), (2, 3), (3, 0)]);
/// let built = from_petgraph(&square, Limits::default())?;
/// assert_eq!(built.measure("diameter")?.number(), Some(2.0));
///
/// let again = to_petgraph(built.network()?, Limits::default())?;
/// assert!(again.edge_references().zip([(0, 1), (0, 3), (1, 2), (2, 3)]).all(|(edge, ends)| {
///     (edge.source().index(), edge.target().index()) == ends
/// }));
/// # use petgraph::visit::EdgeRef;
/// # Ok::<(), Error>(())
/// ```
pub fn from_petgraph<G>(graph: G, limits: Limits<'_>) -> Result<Built, Error>
where
    G: NodeCompactIndexable + IntoEdgeReferences + GraphProp<EdgeType = Undirected>,
{
    let order = graph.node_count() as u64;
    if order == 0 {
        return Err(Error::NoEdges);
    }
    let index = |node| u32::try_from(graph.to_index(node));
    let mut links = Vec::new();
    for edge in graph.edge_references() {
        let ends = index(edge.source()).and_then(|from| Ok((from, index(edge.target())?)));
        links.push(ends.map_err(|_| CsrError::TooManyNodes { order })?);
    }
    Ok(Built::stored(Csr::from_edges(order, &links, limits.budget.memory)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ErrorKind, build};
    use ::petgraph::algo::connected_components;

    #[test]
    fn a_network_comes_back_as_it_went() {
        for spec in ["rdn(petersen, 1)", "mesh(3, 4)", "ring(1)", "hosts(torus(3, 3), 2)"] {
            let there = build(spec).unwrap().network.unwrap();
            let graph = to_petgraph(&*there, Limits::default()).unwrap();
            let back = from_petgraph(&graph, Limits::default()).unwrap().network.unwrap();
            assert_eq!(connected_components(&graph), 1, "{spec}");
            assert_eq!(back.order(), there.order(), "{spec}");
            for at in (0..there.order()).map(Node) {
                let mut neighbors: Vec<Node> = there.neighbors(at).collect();
                neighbors.sort_unstable();
                assert_eq!(back.neighbors(at).collect::<Vec<_>>(), neighbors, "{spec} {at}");
            }
        }
    }

    #[test]
    fn isolated_nodes_stay_and_loops_are_refused() {
        let mut graph = UnGraph::<(), ()>::from_edges([(0, 1), (1, 0)]);
        graph.add_node(());
        let built = from_petgraph(&graph, Limits::default()).unwrap();
        assert_eq!(built.order(), 3u32.into());
        assert_eq!(built.theory.degrees().links, 1u32.into());
        graph.add_edge(2.into(), 2.into(), ());
        let kind = |graph: &UnGraph<(), ()>| {
            from_petgraph(graph, Limits::default()).map(drop).unwrap_err().kind()
        };
        assert_eq!(kind(&graph), ErrorKind::Invalid);
        assert_eq!(kind(&UnGraph::default()), ErrorKind::Invalid);
    }

    #[test]
    fn what_is_too_large_is_refused_before_it_is_stored() {
        let kind = |spec: &str, limits: Limits<'_>| {
            let network = build(spec).unwrap().network.unwrap();
            to_petgraph(&*network, limits).map(drop).unwrap_err().kind()
        };
        assert_eq!(kind("hypercube(40)", Limits::default()), ErrorKind::Unsupported);
        assert_eq!(kind("hypercube(30)", Limits::default()), ErrorKind::Limit);
        assert_eq!(kind("hypercube(10)", Limits::default().memory(1 << 12)), ErrorKind::Limit);
        assert_eq!(
            kind("hypercube(10)", Limits::default().stopped_by(&|| true)),
            ErrorKind::Stopped
        );
    }
}
