//! The route of a message by the algorithm of the paper.

use nestnet::prelude::*;

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let built = build("rdn(petersen, 1)")?;
    let route = built.by("paper").route(Node(3), Node(157))?;
    for (node, hop) in route.nodes.iter().zip(&route.hops) {
        println!("node {node}: port {}, virtual channel {}", hop.port, hop.vc);
    }
    Ok(())
}
