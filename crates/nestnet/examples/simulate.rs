//! Latency over load, flit by flit.

use nestnet::prelude::*;

pub(crate) fn main() -> Result<(), Error> {
    let found = build("torus(4, 4)")?.simulate("uniform", &[0.1, 0.3, 0.5])?;
    for point in &found.curve.points {
        println!("load {}: {:.1} cycles", point.offered, point.packet_latency.mean);
    }
    Ok(())
}
