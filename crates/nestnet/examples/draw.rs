//! A picture that comes from the construction.

use nestnet::build;
use nestnet::measures::Limits;
use nestnet::picture::{Request, draw};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = "rdn(ring(5), 1)";
    let picture = draw(&build(text)?, text, &Request::default(), Limits::default())?;
    println!("{} bytes of SVG", picture.svg.len());
    Ok(())
}
