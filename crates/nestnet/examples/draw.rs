//! A picture from the construction.

use nestnet::prelude::*;

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let picture = build("rdn(ring(5), 1)")?.draw()?;
    println!("{} dots, {} lines, {} bytes of SVG", picture.dots, picture.lines, picture.svg.len());
    Ok(())
}
