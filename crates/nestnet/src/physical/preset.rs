//! The bill of materials of a cluster: assumptions of prices and powers, all of which can be set.
//!
//! Magnitudes of public list prices of 2024; no quotation of anyone. Reaches of copper follow the standards of the lanes:
//! at 25 Gb/s a lane (IEEE 802.3bj, 2014) passive copper is specified for 5 m, at 50 Gb/s (802.3cd, 2018) for 3 m, at 100
//! Gb/s (802.3ck, 2022, and 802.3df, 2024) for 2 m and sold for up to 3.

use super::{Cable, CostModel, Nic, Placement};

/// How fast a link is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speed {
    /// 100 Gb/s in each direction.
    Gb100,
    /// 200 Gb/s in each direction.
    Gb200,
    /// 400 Gb/s in each direction.
    Gb400,
    /// 800 Gb/s in each direction.
    Gb800,
}

impl Speed {
    /// All of them.
    pub const ALL: [Speed; 4] = [Speed::Gb100, Speed::Gb200, Speed::Gb400, Speed::Gb800];

    /// Gigabits a second in one direction.
    pub fn gigabits(self) -> u64 {
        match self {
            Speed::Gb100 => 100,
            Speed::Gb200 => 200,
            Speed::Gb400 => 400,
            Speed::Gb800 => 800,
        }
    }

    /// Bits a second in one direction.
    pub fn bits_a_second(self) -> f64 {
        self.gigabits() as f64 * 1e9
    }

    /// That of a port of so many links of this speed, if there is such a port.
    pub fn of_port(self, links: u64) -> Option<Speed> {
        Speed::ALL.into_iter().find(|port| port.gigabits() == self.gigabits() * links)
    }
}

/// What there is to buy at one speed.
struct Prices {
    /// Dollars, dollars a meter, watts of both ends, and meters at most.
    copper: [f64; 4],
    active: [f64; 4],
    /// The same, of any length.
    fiber: [f64; 3],
    /// Dollars and watts.
    nic: [f64; 2],
    switch: [f64; 2],
    port: [f64; 2],
}

/// The one table of prices, of 2024.
fn prices(speed: Speed) -> Prices {
    match speed {
        Speed::Gb100 => Prices {
            copper: [45.0, 20.0, 0.0, 5.0],
            active: [120.0, 20.0, 4.0, 7.0],
            fiber: [450.0, 3.0, 7.0],
            nic: [600.0, 15.0],
            switch: [1500.0, 100.0],
            port: [130.0, 4.0],
        },
        Speed::Gb200 => Prices {
            copper: [60.0, 30.0, 0.0, 3.0],
            active: [180.0, 35.0, 7.0, 7.0],
            fiber: [850.0, 3.0, 11.0],
            nic: [1000.0, 20.0],
            switch: [2000.0, 120.0],
            port: [240.0, 6.5],
        },
        Speed::Gb400 => Prices {
            copper: [80.0, 40.0, 0.0, 3.0],
            active: [250.0, 50.0, 10.0, 7.0],
            fiber: [1600.0, 3.0, 20.0],
            nic: [1600.0, 25.0],
            switch: [3000.0, 150.0],
            port: [450.0, 10.0],
        },
        Speed::Gb800 => Prices {
            copper: [150.0, 80.0, 0.0, 2.5],
            active: [450.0, 80.0, 20.0, 5.0],
            fiber: [2600.0, 4.0, 32.0],
            nic: [2500.0, 40.0],
            switch: [4000.0, 200.0],
            port: [800.0, 18.0],
        },
    }
}

impl CostModel {
    /// Servers of one host each in racks of 32, a box for every switch, cables of copper, active copper and fiber.
    pub fn cluster(speed: Speed) -> Self {
        let cable = |[price, price_per_meter, power, reach]: [f64; 4]| Cable {
            price,
            price_per_meter,
            power,
            reach,
        };
        let Prices { copper, active, fiber: [price, price_per_meter, power], nic, switch, port } =
            prices(speed);
        CostModel {
            board: 1,
            rack: 32,
            placement: Placement::Optimized,
            inside: 1.5,
            copper: cable(copper),
            active: cable(active),
            fiber: cable([price, price_per_meter, power, f64::INFINITY]),
            nic: Some(Nic { price: nic[0], power: nic[1] }),
            switch_price: switch[0],
            switch_power: switch[1],
            port_price: port[0],
            port_power: port[1],
            ..CostModel::default()
        }
    }

    /// The same, whose switch ports are each broken out into so many links of that speed; `None` where no port is as
    /// fast.
    pub fn broken_out(speed: Speed, links: u64) -> Option<Self> {
        let box_of = CostModel::cluster(speed.of_port(links)?);
        Some(CostModel {
            breakout: links,
            switch_price: box_of.switch_price,
            switch_power: box_of.switch_power,
            port_price: box_of.port_price / links as f64,
            port_power: box_of.port_power / links as f64,
            ..CostModel::cluster(speed)
        })
    }

    /// The same hosts on links of a fraction of the speed, as many at each NIC as there are planes, every port of
    /// a switch broken out into as many more. `None` where there is no such speed, or prices are not those of the table.
    ///
    /// ```
    /// use nestnet::physical::{CostModel, Speed};
    ///
    /// let slower = CostModel::cluster(Speed::Gb400).in_planes(2).unwrap();
    /// assert_eq!((slower.nic_links, slower.breakout), (2, 2));
    /// assert_eq!(slower.copper, CostModel::cluster(Speed::Gb200).copper);
    /// assert_eq!(CostModel::cluster(Speed::Gb400).in_planes(8), None);
    /// ```
    pub fn in_planes(&self, planes: u64) -> Option<Self> {
        let priced = |model: &CostModel| CostModel { nic: self.nic, ..self.with_prices_of(model) };
        let now = Speed::ALL.into_iter().find(|&speed| {
            let table = CostModel::broken_out(speed, self.breakout);
            table.is_some_and(|table| self.with_prices_of(&table) == *self)
        })?;
        let slower = Speed::ALL.into_iter().find(|speed| speed.of_port(planes) == Some(now))?;
        let breakout = self.breakout.checked_mul(planes)?;
        let nic_links = self.nic_links.checked_mul(planes)?;
        let model = CostModel::broken_out(slower, breakout)?;
        Some(CostModel { breakout, nic_links, ..priced(&model) })
    }

    /// The same switches for a network that has so many links at its largest switch and at each host, where that is more
    /// than a switch has ports and they can be broken out: [`in_planes`](Self::in_planes) of the links of a host.
    ///
    /// ```
    /// use nestnet::physical::{CostModel, Speed};
    ///
    /// let boxes = CostModel { switch_ports: 64, ..CostModel::cluster(Speed::Gb400) };
    /// let broken_out = boxes.broken_out_for(128, 2).unwrap();
    /// assert_eq!((broken_out.breakout, broken_out.switch_ports), (2, 128));
    /// assert_eq!(boxes.broken_out_for(64, 2), None);
    /// assert_eq!(boxes.broken_out_for(129, 2), None);
    /// assert_eq!(boxes.broken_out_for(128, 1), None);
    /// ```
    pub fn broken_out_for(&self, links_of_switch: u64, links_of_host: u64) -> Option<Self> {
        let ports = self.switch_ports.checked_mul(links_of_host)?;
        let is_needed =
            links_of_host > 1 && (self.switch_ports + 1..=ports).contains(&links_of_switch);
        let model = self.in_planes(links_of_host).filter(|_| is_needed && self.switch_ports > 0)?;
        Some(CostModel { switch_ports: ports, ..model })
    }

    /// The same with the prices and powers of another one.
    fn with_prices_of(&self, other: &CostModel) -> Self {
        let CostModel { copper, active, fiber, nic, .. } = *other;
        let CostModel { switch_price, switch_power, port_price, port_power, .. } = *other;
        CostModel {
            copper,
            active,
            fiber,
            nic,
            switch_price,
            switch_power,
            port_price,
            port_power,
            ..*self
        }
    }
}
