//! A network from one line of text: who is next to whom?

use nestnet::{Node, build};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let built = build("rdn(torus(5, 5), 2)")?;
    println!("{} nodes, {} links", built.order(), built.theory.degrees().links);
    let network = built.network.ok_or("too large for node ids")?;
    network.for_each_neighbor(Node(14), &mut |port, to| {
        println!("port {}: node {to} = {}", port.0, network.address(to));
    });
    Ok(())
}
