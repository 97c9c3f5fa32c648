//! The route of a message, and whether messages can wait in a dependency cycle.

use nestnet::route::{deadlock, walk};
use nestnet::{Budget, Node, build, routers};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let built = build("rdn(petersen, 1)")?;
    let router = routers::find(&built, "paper")?;
    let network = built.network.ok_or("too large for node ids")?;
    let way = walk(&*network, &*router, Node(3), Node(157), 0, 100)?;
    for node in &way.nodes {
        println!("{node} = {}", network.address(*node));
    }
    let certificate = deadlock::certify(&*network, &*router, &Budget::default())?;
    println!("free of deadlock: {}", certificate.is_free());
    Ok(())
}
