//! A network of one's own, from its edges.

use nestnet::prelude::*;

pub(crate) fn main() -> Result<(), Error> {
    let network = from_edges([(0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (0, 2)])?;
    for key in ["diameter", "average_distance", "girth", "automorphisms"] {
        println!("{key}: {}", network.measure(key)?);
    }
    Ok(())
}
