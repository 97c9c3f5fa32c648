//! The bill of materials of a cluster: assumptions of prices and powers, all of which can be set.
//!
//! Magnitudes of public list prices of 2024; no quotation of anyone. Reaches of copper follow the standards of the lanes:
//! at 100 Gb/s a lane (IEEE 802.3ck, 2022, and 802.3df, 2024) passive copper is specified for 2 m and sold for up to 3.

use super::{Cable, CostModel, Nic};

/// How fast a link is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speed {
    /// 400 Gb/s in each direction.
    Gb400,
    /// 800 Gb/s in each direction.
    Gb800,
}

impl Speed {
    /// All of them.
    pub const ALL: [Speed; 2] = [Speed::Gb400, Speed::Gb800];

    /// Bits a second in one direction.
    pub fn bits_a_second(self) -> f64 {
        match self {
            Speed::Gb400 => 400e9,
            Speed::Gb800 => 800e9,
        }
    }
}

impl CostModel {
    /// Servers of one host each in racks of 32, a box for every switch, cables of copper, active copper and fiber.
    pub fn cluster(speed: Speed) -> Self {
        let usual = CostModel { board: 1, rack: 32, inside: 1.5, ..CostModel::default() };
        let cable =
            |price, price_per_meter, power, reach| Cable { price, price_per_meter, power, reach };
        match speed {
            Speed::Gb400 => CostModel {
                copper: cable(80.0, 40.0, 0.0, 3.0),
                active: cable(250.0, 50.0, 10.0, 7.0),
                fiber: cable(1600.0, 3.0, 20.0, f64::INFINITY),
                nic: Some(Nic { price: 1600.0, power: 25.0 }),
                switch_price: 3000.0,
                switch_power: 150.0,
                port_price: 450.0,
                port_power: 10.0,
                ..usual
            },
            Speed::Gb800 => CostModel {
                copper: cable(150.0, 80.0, 0.0, 2.5),
                active: cable(450.0, 80.0, 20.0, 5.0),
                fiber: cable(2600.0, 4.0, 32.0, f64::INFINITY),
                nic: Some(Nic { price: 2500.0, power: 40.0 }),
                switch_price: 4000.0,
                switch_power: 200.0,
                port_price: 800.0,
                port_power: 18.0,
                ..usual
            },
        }
    }
}
