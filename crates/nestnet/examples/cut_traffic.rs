//! Flits a cycle between the two sides of a network that is cut in the middle: what two ranks would send each other.

use nestnet::Budget;
use nestnet::prelude::*;
use nestnet::sim::{Config, RunLength, Window};
use nestnet::simulated::{Routed, Sent, Setup};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let asked: Vec<String> = std::env::args().skip(1).collect();
    let [spec, load] = &asked[..] else { return Err("usage: cut_traffic SPEC LOAD".into()) };
    let built = build(spec)?;
    let setup = Setup::new(&built, Routed::default(), Config::default(), &Budget::UNLIMITED)?;
    let length = RunLength::Fixed(Window { warmup: 500, cycles: 10_000 });
    let sent = Sent { loads: &[load.parse()?], length, ..Sent::UNIFORM };
    let found = setup.run(&sent, &Budget::UNLIMITED)?;
    let middle = built.network.as_ref().map_or(0, |network| network.order() / 2);
    let crosses = |(from, to, _): &&(Node, Node, f64)| (from.0 < middle) != (to.0 < middle);
    let all = found.curve.points[0].used.iter().filter(crosses);
    let (links, flits) = all.fold((0, 0.0), |(links, flits), used| (links + 1, flits + used.2));
    println!("{links} channels, {flits:.0} flits a cycle in both directions");
    Ok(())
}
