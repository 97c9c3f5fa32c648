//! A network from one line of text, and the neighbors of a node.

use nestnet::prelude::*;

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let built = build("rdn(torus(5, 5), 2)")?;
    println!("{} nodes, {} links", built.order(), built.theory.degrees().links);
    for node in built.neighbors(Node(14))? {
        println!("node {node}");
    }
    Ok(())
}
