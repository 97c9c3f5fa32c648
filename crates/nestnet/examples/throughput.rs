//! How much can every host send, and what could any routing do?

use nestnet::prelude::*;

pub(crate) fn main() -> Result<(), Error> {
    let dragonfly = build("hosts(dragonfly(4, 2), 2)")?;
    for traffic in ["uniform", "worst"] {
        println!("{traffic}, all shortest paths: {}", dragonfly.throughput(traffic)?.theta);
        println!("{traffic}, Valiant: {}", dragonfly.by("valiant").throughput(traffic)?.theta);
    }
    Ok(())
}
