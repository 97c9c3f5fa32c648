//! Exact numbers, each with how it is known.

use nestnet::build;
use nestnet::measures::{Analysis, Limits};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let built = build("rsn(hypercube(3), 3)")?;
    let subject = Analysis::new(&built, Limits::default());
    for key in ["diameter", "average_distance", "vertex_connectivity", "automorphisms"] {
        println!("{key}: {}", subject.answer(key)?);
    }
    Ok(())
}
