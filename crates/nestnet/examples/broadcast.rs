//! Tell everybody what one node knows, every transfer checked.

use nestnet::broadcasts::{Algorithm, broadcast};
use nestnet::collective::Ports;
use nestnet::{Budget, Node, build};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let built = build("rdn(ring(3), 2)")?;
    let report = broadcast(&built, Node(0), Algorithm::Paper, Ports::One, &Budget::default())?;
    println!("{} steps, {} transfers", report.cost.steps, report.cost.transfers);
    println!("no broadcast takes fewer than {} steps", report.lower_bound);
    Ok(())
}
