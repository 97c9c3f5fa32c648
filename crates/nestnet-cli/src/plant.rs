//! How networks are built: the options that say how nodes are packed and what cables cost.

use crate::numbers::{POSITIVE, counts};
use nestnet::compare::BillError;
use nestnet::physical::{Bill, Cable, Package, Plant};
use serde_json::{Map, Value, json};

/// No board or rack has more nodes.
const MOST: u128 = 1 << 24;

/// The options; each has the default of the library.
#[derive(clap::Args)]
#[command(next_help_heading = "How it is built")]
pub struct PlantOptions {
    /// Nodes on a chip [default: 1]
    #[arg(long, value_name = "NODES", value_parser = counts::<u64>(1..=MOST))]
    chip: Option<u64>,
    /// Nodes on a board; links inside are traces [default: 32, as Blue Gene/Q]
    #[arg(long, value_name = "NODES", value_parser = counts::<u64>(1..=MOST))]
    board: Option<u64>,
    /// Nodes in a rack [default: 1024, as Blue Gene]
    #[arg(long, value_name = "NODES", value_parser = counts::<u64>(1..=MOST))]
    rack: Option<u64>,
    /// Racks in a row [default: as many as make the floor square]
    #[arg(long, value_name = "RACKS", value_parser = counts::<u64>(POSITIVE))]
    row: Option<u64>,
    /// Meters from a rack to the next in its row [default: 0.6]
    #[arg(long, value_name = "METERS")]
    rack_pitch: Option<f64>,
    /// Meters from a row to the next [default: 2.4]
    #[arg(long, value_name = "METERS")]
    row_pitch: Option<f64>,
    /// Meters of a cable inside a rack [default: 1]
    #[arg(long, value_name = "METERS")]
    rack_cable: Option<f64>,
    /// Meters that a cable needs to leave two racks [default: 2]
    #[arg(long, value_name = "METERS")]
    cable_overhead: Option<f64>,
    /// Dollars of a copper cable, of each meter, and its reach in meters [default: 40,16,5]
    #[arg(long, value_name = "PRICE,PER_METER,REACH", value_parser = three)]
    copper: Option<[f64; 3]>,
    /// Dollars of a fiber cable, of each meter, and the watts of its two ends [default: 376,5,3]
    #[arg(long, value_name = "PRICE,PER_METER,WATTS", value_parser = three)]
    fiber: Option<[f64; 3]>,
    /// Dollars of a port of a router [default: 500]
    #[arg(long, value_name = "DOLLARS")]
    port_price: Option<f64>,
    /// Watts of a port of a router [default: 2.8]
    #[arg(long, value_name = "WATTS")]
    port_power: Option<f64>,
}

fn three(text: &str) -> Result<[f64; 3], String> {
    let numbers: Result<Vec<f64>, _> = text.split(',').map(|part| part.trim().parse()).collect();
    let numbers = numbers.ok().and_then(|numbers| <[f64; 3]>::try_from(numbers).ok());
    numbers.ok_or_else(|| "expected three numbers with commas, such as 40,16,5".to_owned())
}

impl PlantOptions {
    /// What they say, checked.
    pub fn plant(&self) -> anyhow::Result<Plant> {
        let usual = Plant::default();
        let copper = self.copper.map_or(usual.copper, |[price, price_per_meter, reach]| Cable {
            price,
            price_per_meter,
            reach,
            ..usual.copper
        });
        let fiber = self.fiber.map_or(usual.fiber, |[price, price_per_meter, power]| Cable {
            price,
            price_per_meter,
            power,
            ..usual.fiber
        });
        let chip = self.chip.unwrap_or(usual.chip);
        // What is left open holds at least what is in it.
        let board = self.board.unwrap_or(usual.board.max(chip));
        let plant = Plant {
            chip,
            board,
            rack: self.rack.unwrap_or(usual.rack.max(board)),
            row: self.row.unwrap_or(usual.row),
            along: self.rack_pitch.unwrap_or(usual.along),
            across: self.row_pitch.unwrap_or(usual.across),
            inside: self.rack_cable.unwrap_or(usual.inside),
            overhead: self.cable_overhead.unwrap_or(usual.overhead),
            copper,
            fiber,
            port_price: self.port_price.unwrap_or(usual.port_price),
            port_power: self.port_power.unwrap_or(usual.port_power),
        };
        plant.check()?;
        Ok(plant)
    }
}

fn by_package(links: &[u64; 5]) -> Value {
    let entry = |(package, &count): (Package, &u64)| (package.name().to_owned(), count.into());
    Value::Object(Package::ALL.into_iter().zip(links).map(entry).collect())
}

/// A bill by key.
pub fn to_json(bill: &Result<Bill, BillError>) -> Value {
    let bill = match bill {
        Ok(bill) => bill,
        Err(why) => return json!({ "none": crate::text::with_option(why.to_string()) }),
    };
    let mut object = Map::new();
    object.insert("links".to_owned(), by_package(&bill.links));
    object.insert("links_by_level".to_owned(), bill.by_level.iter().map(by_package).collect());
    let mut put = |key: &str, value: Value| object.insert(key.to_owned(), value);
    put("nodes_in_rack", bill.in_rack.into());
    put("boards", bill.boards.into());
    put("racks", bill.racks.into());
    put("rows", bill.rows.into());
    put("copper", bill.copper.into());
    put("fiber", bill.fiber.into());
    put("cable_length", json!(bill.length));
    put("longest_cable", json!(bill.longest));
    put("price", json!(bill.price));
    put("power", json!(bill.power));
    Value::Object(object)
}
