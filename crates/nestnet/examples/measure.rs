//! Exact metrics, each with how it is known.

use nestnet::prelude::*;

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let built = build("rsn(hypercube(3), 3)")?;
    for key in ["diameter", "average_distance", "vertex_connectivity", "automorphisms"] {
        println!("{key}: {}", built.measure(key)?);
    }
    Ok(())
}
