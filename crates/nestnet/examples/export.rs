//! A network for another tool: BookSim's `anynet` file, and what it has no field for.

use nestnet::prelude::*;

pub(crate) fn main() -> Result<(), Error> {
    let network = build("hosts(rdn(ring(3), 1), 2)")?;
    for loss in network.export("anynet", std::io::stdout())? {
        eprintln!("anynet has no field for {loss}");
    }
    Ok(())
}
