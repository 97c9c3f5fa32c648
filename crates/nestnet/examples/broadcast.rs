//! A broadcast with every transfer checked.

use nestnet::prelude::*;

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let report = build("rdn(ring(3), 2)")?.broadcast_from(Node(0))?;
    println!("{} steps, {} transfers", report.cost.steps, report.cost.transfers);
    println!("no broadcast takes fewer than {} steps", report.lower_bound);
    Ok(())
}
