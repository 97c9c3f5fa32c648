//! How networks are built: the options that say how nodes are packed and what cables cost.

use crate::numbers::{POSITIVE, counts};
use nestnet::physical::floorplan::Floorplan;
use nestnet::physical::{Cable, CostModel, Nic, Speed};
use serde::{Deserialize, Serialize};

/// No board or rack has more nodes.
const MOST: u128 = 1 << 24;

/// The options; each has the default of the library.
#[derive(clap::Args, Serialize, Deserialize)]
#[command(next_help_heading = "Cost model")]
pub struct CostModelOptions {
    /// What it is built as: racks of a supercomputer, a cluster of servers and switches, or
    /// tiles of a chip; its prices are in docs/cost-models.md, and every option below sets one of them
    /// [default: rack; of `design --hosts` cluster]
    #[arg(long = "cost-model", alias = "plant", value_enum)]
    #[serde(rename = "plant")]
    cost_model: Option<CostModelName>,
    /// The speed of a link of a cluster in Gb/s
    #[arg(long, value_name = "GBITS", default_value = "400", value_parser = ["400", "800"])]
    speed: String,
    /// Nodes on a chip [default: 1]
    #[arg(long, value_name = "NODES", value_parser = counts::<u64>(1..=MOST))]
    chip: Option<u64>,
    /// Nodes on a board; links inside are traces [default: 32, as Blue Gene/Q; cluster 1]
    #[arg(long, value_name = "NODES", value_parser = counts::<u64>(1..=MOST))]
    board: Option<u64>,
    /// Nodes in a rack [default: 1024, as Blue Gene; cluster 32]
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
    /// Meters of a cable inside a rack [default: 1; cluster 1.5]
    #[arg(long, value_name = "METERS")]
    rack_cable: Option<f64>,
    /// Meters that a cable needs to leave two racks [default: 2]
    #[arg(long, value_name = "METERS")]
    cable_overhead: Option<f64>,
    /// Dollars of a copper cable, of each meter, and its reach in meters [default: 40,16,5]
    #[arg(long, value_name = "PRICE,PER_METER,REACH", value_parser = three)]
    copper: Option<[f64; 3]>,
    /// Dollars of an active copper cable, of each meter, and its reach in meters [default: none;
    /// cluster 250,50,7]
    #[arg(long, value_name = "PRICE,PER_METER,REACH", value_parser = three)]
    active_copper: Option<[f64; 3]>,
    /// Dollars and watts of the NIC of a host, its port included [default: none; cluster
    /// 1600,25]
    #[arg(long, value_name = "PRICE,WATTS", value_parser = two)]
    nic: Option<[f64; 2]>,
    /// Dollars and watts of a switch without its ports [default: 0,0; cluster 3000,150]
    #[arg(long, value_name = "PRICE,WATTS", value_parser = two)]
    switch: Option<[f64; 2]>,
    /// Dollars of a fiber cable, of each meter, and the watts of its two ends [default: 376,5,3]
    #[arg(long, value_name = "PRICE,PER_METER,WATTS", value_parser = three)]
    fiber: Option<[f64; 3]>,
    /// Dollars of a port of a router [default: 500]
    #[arg(long, value_name = "DOLLARS")]
    port_price: Option<f64>,
    /// Watts of a port of a router [default: 2.8]
    #[arg(long, value_name = "WATTS")]
    port_power: Option<f64>,
    /// Millimeters from a tile of a chip to the next [default: 1]
    #[arg(long, value_name = "MM")]
    tile: Option<f64>,
    /// Wires of a link of a chip in each direction [default: 128]
    #[arg(long, value_name = "WIRES", value_parser = counts::<u64>(1..=MOST))]
    wires: Option<u64>,
    /// Micrometers from a wire of a chip to the next [default: 0.2]
    #[arg(long, value_name = "UM")]
    wire_pitch: Option<f64>,
    /// Picojoules to move a bit a millimeter on a chip, and through a router [default: 0.1,0.1]
    #[arg(long, value_name = "WIRE,ROUTER", value_parser = two)]
    bit_energy: Option<[f64; 2]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum, Serialize, Deserialize)]
enum CostModelName {
    /// Boards and racks of a supercomputer
    Rack,
    /// Servers, NICs, switches and cables
    Cluster,
    /// Tiles on a grid, and wire
    Chip,
}

fn numbers<const N: usize>(text: &str) -> Option<[f64; N]> {
    let numbers: Result<Vec<f64>, _> = text.split(',').map(|part| part.trim().parse()).collect();
    numbers.ok().and_then(|numbers| <[f64; N]>::try_from(numbers).ok())
}

fn three(text: &str) -> Result<[f64; 3], String> {
    numbers(text).ok_or_else(|| "expected three numbers with commas, such as 40,16,5".to_owned())
}

fn two(text: &str) -> Result<[f64; 2], String> {
    numbers(text).ok_or_else(|| "expected two numbers with a comma, such as 1600,25".to_owned())
}

impl CostModelOptions {
    /// What they say, checked.
    pub fn cost_model(&self) -> anyhow::Result<CostModel> {
        self.cost_model_or(CostModelName::Rack)
    }

    /// What they say, checked; a cluster where nothing is said.
    pub fn cost_model_for_cluster(&self) -> anyhow::Result<CostModel> {
        self.cost_model_or(CostModelName::Cluster)
    }

    fn cost_model_or(&self, usual: CostModelName) -> anyhow::Result<CostModel> {
        let usual = match (self.cost_model.unwrap_or(usual), self.speed.as_str()) {
            (CostModelName::Cluster, "800") => CostModel::cluster(Speed::Gb800),
            (CostModelName::Cluster, _) => CostModel::cluster(Speed::Gb400),
            _ => CostModel::default(),
        };
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
        let active = self.active_copper.map_or(usual.active, |[price, price_per_meter, reach]| {
            Cable { price, price_per_meter, reach, ..usual.active }
        });
        let [switch_price, switch_power] =
            self.switch.unwrap_or([usual.switch_price, usual.switch_power]);
        let chip = self.chip.unwrap_or(usual.chip);
        // What is left open holds at least what is in it.
        let board = self.board.unwrap_or(usual.board.max(chip));
        let cost_model = CostModel {
            chip,
            board,
            rack: self.rack.unwrap_or(usual.rack.max(board)),
            row: self.row.unwrap_or(usual.row),
            along: self.rack_pitch.unwrap_or(usual.along),
            across: self.row_pitch.unwrap_or(usual.across),
            inside: self.rack_cable.unwrap_or(usual.inside),
            overhead: self.cable_overhead.unwrap_or(usual.overhead),
            copper,
            active,
            fiber,
            nic: self.nic.map(|[price, power]| Nic { price, power }).or(usual.nic),
            switch_price,
            switch_power,
            port_price: self.port_price.unwrap_or(usual.port_price),
            port_power: self.port_power.unwrap_or(usual.port_power),
        };
        cost_model.check()?;
        Ok(cost_model)
    }

    /// The chip, where it is one, checked.
    pub fn tiles(&self) -> anyhow::Result<Option<Floorplan>> {
        if self.cost_model != Some(CostModelName::Chip) {
            return Ok(None);
        }
        let usual = Floorplan::default();
        let [wire_energy, router_energy] =
            self.bit_energy.unwrap_or([usual.wire_energy, usual.router_energy]);
        let tiles = Floorplan {
            side: self.tile.unwrap_or(usual.side),
            wires: self.wires.unwrap_or(usual.wires),
            pitch: self.wire_pitch.unwrap_or(usual.pitch),
            wire_energy,
            router_energy,
        };
        tiles.check()?;
        Ok(Some(tiles))
    }
}
